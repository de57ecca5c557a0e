"""The way back to an earlier state of a fight: what that takes back stays in the log, as with an undo."""

from __future__ import annotations

from contextlib import suppress
from itertools import takewhile
from typing import TYPE_CHECKING

from affray.errors import Illegal
from affray.kernel import records
from affray.system import undoing

if TYPE_CHECKING:
    from affray.fight.asides import Aside
    from affray.fight.fight import Answer, Fight


def has_begun_like(fight: Fight, earlier: Fight) -> bool:
    """Whether both have the same beginning, so that one can be a state of the other."""
    return fight.opening == earlier.opening and records.pack(fight.first_state) == records.pack(earlier.first_state)


def shared(fight: Fight, earlier: Fight) -> int:
    """How many of the first answers of a fight, with all that fell, are those of an earlier state of it."""
    pairs = zip(fight.answers, earlier.answers, strict=False)
    return sum(1 for _ in takewhile(lambda pair: _given(pair[0]) == _given(pair[1]), pairs))


def _given(answer: Answer) -> tuple[object, ...]:
    return answer.decision, answer.who, answer.move, answer.fell, answer.sheet, answer.wing


def return_to(fight: Fight, earlier: Fight) -> None:
    """Go back to where an earlier state of the fight stood, after everyone who must agree has agreed.

    What had been taken back since then is done again, but for secret rolls: none of them is thrown twice.
    """
    common, acts = shared(fight, earlier), fight.secret_acts
    fight.keep(common, agreed=True)
    asides = [aside for aside in earlier.asides if aside.after > common and aside.verb != "roll"]
    for answer in earlier.answers[common:]:
        _do_again(fight, asides)
        fight.think_from(answer.whim)
        if answer.wing:
            fight.intervene(f"reveal {answer.wing}", files=False)
        elif answer.is_word:
            fight.intervene(answer.move, sheet=answer.sheet, files=False)
        else:
            fight.play(answer.who, answer.move)
    _do_again(fight, asides)
    fight.secret_acts = acts  # a return is seen by all, and counts once whatever is done in secret on the way
    if not undoing.throws_anew(fight.options):
        fight.think_from(earlier.whim_before)
        fight.whim.position = earlier.whim.position


def _do_again(fight: Fight, asides: list[Aside]) -> None:
    while asides and asides[0].after <= fight.closed:
        aside = asides.pop(0)
        with suppress(Illegal):  # what is so already
            fight.aside(aside.text, sheet=aside.sheet, files=False)
