"""How computer creatures choose."""

from affray.system import Dice, is_foe, rule
from affray_d20.rules import ATTACK, DODGE, FEINT, RECKLESS, Skirmish


@rule
def weakest_foe(skirmish: Skirmish, who: int) -> int:
    chosen = -1
    for foe in range(len(skirmish.fighters)):
        if is_foe(skirmish, who, foe):
            if chosen < 0 or skirmish.fighters[foe].hit_points < skirmish.fighters[chosen].hit_points:
                chosen = foe
    return chosen


@rule
def brute(skirmish: Skirmish, who: int, whim: Dice) -> int:
    """Strikes at the weakest foe, and never mind the guard."""
    return RECKLESS | weakest_foe(skirmish, who) << 2


@rule
def soldier(skirmish: Skirmish, who: int, whim: Dice) -> int:
    """Strikes at the weakest foe, turn by turn."""
    return ATTACK | weakest_foe(skirmish, who) << 2


@rule
def fencer(skirmish: Skirmish, who: int, whim: Dice) -> int:
    """Feints before it strikes, and dodges once it is nearly down."""
    body = skirmish.fighters[who]
    if body.feinted:
        return ATTACK | weakest_foe(skirmish, who) << 2
    return DODGE if body.hit_points <= 3 and not body.dodging else FEINT


TACTICS = {"brute": brute, "soldier": soldier, "fencer": fencer}
