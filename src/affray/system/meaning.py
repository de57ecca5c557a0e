"""A move in plain words: what is done, to whom, what is thrown for it, and what may come of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from affray.kernel import records
from affray.kernel.chance import Seeded, Throw
from affray.system.values import value

if TYPE_CHECKING:
    from affray.system.setup import Setup

TRIALS = 3  # with different dice, to tell what is thrown in any case from what depends on the dice


@value
class Meaning:
    """What a move means to the player who chooses it.

    Moves with the same action and target differ in their detail: the dice spent, the weapon, the intent.
    """

    action: str
    text: str = ""
    """What is thrown, what it costs, and what may come of it."""
    target: int | None = None
    """The place of the fighter at whom it is directed."""
    detail: str = ""


def throws_for(setup: Setup[Any], state: Any, who: int, code: int) -> list[Throw]:
    """What is thrown for a move at once whatever falls, found by making it on copies.

    `state` is what the fighter may know; what is hidden from the fighter is imagined.
    """
    common: list[Throw] | None = None
    for seed in range(TRIALS):
        tried = records.copy(state)
        setup.system.imagine(tried, who, Seeded(seed))
        dice = Seeded(seed, 1)
        setup.step(tried, who, code, dice)
        thrown = [result.throw for result in dice.fallen if not result.unseen]
        if common is None:
            common = thrown
        common = [one for one, other in zip(common, thrown, strict=False) if one == other]
        if not common:
            break
    return common or []


def said(throws: list[Throw]) -> str:
    """Throws in words: `3d6`, `2d6 and 1d8`, `3 cards`."""
    cards = sum(throw.kind == "card" for throw in throws)
    words = [str(throw) for throw in throws if throw.kind != "card"]
    words += [f"{cards} cards" if cards > 1 else "a card"] if cards else []
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}" if words else ""


def explain(setup: Setup[Any], state: Any, who: int, code: int) -> Meaning:
    """A move by its notation and its throws: the action is the text without the name of its target."""
    words = setup.system.write_move(setup, state, who, code)
    target = next((place for place, name in enumerate(setup.names) if name in words.split()), None)
    rest = words if target is None else " ".join(word for word in words.split() if word != setup.names[target])
    thrown = said(throws_for(setup, state, who, code))
    return Meaning(rest[:1].upper() + rest[1:], f"You throw {thrown}." if thrown else "", target)
