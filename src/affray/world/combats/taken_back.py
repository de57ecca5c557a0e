"""What was taken back in a combat, in words that everyone may know: who made the first of the moves, and how many."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from affray.fight import Answer, Fight
from affray.system import gauging
from affray.system.telling import without_numbers

if TYPE_CHECKING:
    from affray.world.combats.combat import Combat


def in_words(combat: Combat, answers: Sequence[Answer]) -> str:
    """Answers that were taken back together: the first one, and how many came after it."""
    after = len(answers) - 1
    more = f", and {after} {'move' if after == 1 else 'moves'} after it" if after else ""
    first = answers[0]
    if first.is_word:
        return f"the storyteller's word ({word_of(combat, first)}){more}"
    return f"{combat.seated(first.who).name}'s {first.move}{more}"


def word_of(combat: Combat, answer: Answer) -> str:
    """A storyteller's word, without its numbers where foes are seen in words."""
    setup = combat.fought().setup
    return without_numbers(setup, answer.move) if gauging.in_words(setup.options) else answer.move


def by_return(combat: Combat, answers: Sequence[Answer], again: int) -> str:
    """What a return to a saved state took back, and how many moves it brought back; a line for each."""
    lines = []
    if answers:
        lines.append(f"{_counted(len(answers))} taken back: {in_words(combat, answers)}")
    if again:
        lines.append(f"{_counted(again)} made again after having been taken back")
    return "".join(f"\n  {line}" for line in lines)


def last(combat: Combat) -> str:
    """What was taken back last; empty if nothing ever was."""
    fight = combat.fight
    undone = fight.undone if isinstance(fight, Fight) else []
    answers = next((one.answers for one in reversed(undone) if one.answers), ())
    return in_words(combat, answers) if answers else ""


def _counted(moves: int) -> str:
    return "1 move is" if moves == 1 else f"{moves} moves are"
