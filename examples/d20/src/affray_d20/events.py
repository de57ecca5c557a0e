"""What happens in a skirmish, and how it is told."""

from typing import Any

from affray.system import Event, Setup, event

ADVANTAGE = {-1: " at a disadvantage", 0: "", 1: " with advantage"}


def _attacks(setup: Setup[Any], skirmish: Any, event: Event) -> str:
    fate = ("misses", "hits", "scores a critical hit")[event.result]
    against = f"{event.rolled} and {event.bonus:+} against armour class {event.armour_class}"
    return f"{setup.told_as(event.who)} attacks {setup.told_as(event.target)}{ADVANTAGE[event.net]}: {against}, {fate}."


def _ends(setup: Setup[Any], skirmish: Any, event: Event) -> str:
    return f"{setup.endings[event.ending]} win." if event.ending < len(setup.teams) else "neither side can win: a draw."


ROLLS_INITIATIVE = event("{who} rolls {total} for initiative.", rule="initiative")
ROUND = event("round {number}.", rule="rounds")
ATTACKS = event(_attacks, "who target net rolled bonus armour_class result", rule="attack advantage critical")
HURTS = event("{target} takes {amount:point} of damage and has {left} left.", rule="damage")
FALLS = event("{who} goes down.", rule="damage")
DODGES = event("{who} dodges: attacks on them are at a disadvantage.", rule="dodge")
FEINTS = event("{who} feints, for an advantage in the next attack.", rule="feint")
ENDS = event(_ends, "ending", rule="rounds")
