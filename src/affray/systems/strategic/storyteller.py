"""What a storyteller may change in a fight, and what follows for the round."""

from __future__ import annotations

from collections.abc import Sequence

from affray.kernel.chance import Dice
from affray.kernel.rules import Log
from affray.kernel.state import RUNNING, STANDING
from affray.system.setup import Setup
from affray.system.storytelling import Deal, Storytelling, Touch, check_acting, come_near, owing, skipping
from affray.systems.strategic import rules, state
from affray.systems.strategic.arms import FISTS
from affray.systems.strategic.sheets import Sheet
from affray.systems.strategic.state import MOST_COINS, Fight


def touches(setup: Setup[Sheet], fight: Fight, who: int) -> Sequence[Touch]:
    """The highwaters and Life Coins, attributes, and what an action or a threat has left."""
    sheet = setup.sheets[who]
    most = max(1, sheet.life_coins - sheet.coins_gone)
    return [
        Touch("coins", "coins", 0, most, "Life Coins left"),
        Touch("pain", "pain", 0, MOST_COINS, "the highwater"),
        Touch("incapacitation", "incapacitation", 0, MOST_COINS, "the highwater"),
        Touch("crippling", "crippling", 0, MOST_COINS, "the highwater"),
        *(Touch(name, name, 0, 10) for name in ("strength", "agility", "discipline", "training")),
        Touch("hardiness", "hardiness", 1, 6),
        Touch("armour-value", "armour_value", 0, 20, "coins of soak"),
        Touch("guard", "guard", -10, 10, "added to its defence until it acts again"),
        Touch("quick", "quick", -10, 10, "added to its initiative until it acts again"),
        Touch("hurried", "hurried", -10, 10, "added to its initiative in the next round"),
        Touch("shaken", "shaken", 0, 10, "coins that its next attack lacks"),
        Touch("standing-down", "standing_down", 0, 1),
        Touch("yielding", "yielding", 0, 1, "whether an offer to yield stands"),
    ]


def _hurt(intent: int) -> Deal:
    def do(fight: Fight, who: int, points: int, dice: Dice, log: Log | None) -> None:
        pain, incapacitation, crippling = (points if kind == intent else 0 for kind in range(3))
        rules.hurt(fight, who, pain, incapacitation, crippling, log)

    names = {state.PAIN: "Pain", state.INCAPACITATE: "Incapacitation", state.CRIPPLE: "Crippling"}
    return Deal(f"{names[intent]}, as by a hit", do, MOST_COINS)


def disarm(fight: Fight, who: int, times: int, dice: Dice, log: Log | None) -> None:
    """The weapon falls."""
    fight.fighters[who].weapon = FISTS


def rearm(fight: Fight, who: int, times: int, dice: Dice, log: Log | None) -> None:
    """The weapon is in hand again."""
    fight.fighters[who].weapon = fight.fighters[who].owned


def settle(fight: Fight, who: int, dice: Dice, log: Log | None) -> None:
    """The touched fighter dies or falls by the rules; a question that concerns one who is gone is dropped."""
    fighter = fight.fighters[who]
    if fighter.state == STANDING:
        if fighter.coins == 0:
            rules.die(fight, who, log)
        else:
            rules.see_whether_down(fight, who, log)
    rules.judge(fight, log)
    if fight.ending == RUNNING and _is_moot(fight):
        fight.due = 0
        if fight.phase == state.OFFERED and fight.fighters[fight.target].state == STANDING:
            fight.stage = state.ASK_FOES
        elif fight.phase == state.STOPPING:
            fight.stage = state.ASK_STOPPERS
        else:
            fight.stage = state.ROUND_ENDS
        rules.proceed(fight, dice, log)


def _is_moot(fight: Fight) -> bool:
    """Whether the open question concerns a fighter who is gone."""
    concerned = owing(fight)
    if fight.phase in (state.DEFEND, state.THREATENED):
        concerned.append(fight.actor)
    elif fight.phase in (state.OFFERED, state.STOPPING):
        concerned.append(fight.target)
    return any(fight.fighters[who].state != STANDING for who in concerned)


def turn(fight: Fight, who: int, dice: Dice, log: Log | None) -> None:
    """This second is the fighter's, no matter who won the initiative."""
    check_acting(fight, state.ACT)
    rules.let_act(fight, who, dice, log)


def join(fight: Fight, seated: Fight, who: int, dice: Dice, log: Log | None) -> None:
    """The newcomer is in the next contest for initiative."""
    come_near(fight, seated, who)


STORYTELLING = Storytelling[Fight, Sheet](
    touches=touches,
    deals={
        "pain": _hurt(state.PAIN),
        "incapacitation": _hurt(state.INCAPACITATE),
        "crippling": _hurt(state.CRIPPLE),
        "disarm": Deal("the weapon falls to the ground", disarm),
        "rearm": Deal("the weapon is in hand again", rearm),
    },
    settle=settle,
    skip=skipping(state.ACT, state.ROUND_ENDS, rules.proceed),  # the second passes without an action
    turn=turn,
    ways_out={"fled": state.FLED, "yielded": state.YIELDED, "down": state.DOWN, "dead": state.DEAD},
    join=join,
)
