"""Events are told by the sentence that was declared with their kind."""

from __future__ import annotations

import pytest

from affray.kernel.rules import Event, Kind, event
from affray.system.setup import Setup
from affray.system.telling import tell

SETUP = Setup.of("bgo", "heroes=player monsters=fire-slime")


@pytest.mark.parametrize(
    ("kind", "values", "told"),
    [
        (event("{target} loses {amount:point} to {who}."), (1, 1, 0), "The fire slime loses 1 point to the player."),
        (event("{target} loses {amount:point} to {who}."), (1, 2, 0), "The fire slime loses 2 points to the player."),
        (event("round {number:02}, {number} and {left:+}."), (7, 3), "Round 07, 7 and +3."),
        (event("({left} of 100% {left} { or } {{left}})", "before left"), (5, 6), "(6 of 100% 6 { or } {6})"),
        (event("{who} throws", announces=True), (1,), "the fire slime throws"),
    ],
)
def test_a_sentence_is_filled_in(kind: Kind, values: tuple[int, ...], told: str) -> None:
    assert tell(SETUP, SETUP.seated(), Event(kind, values)) == told
