"""The notation of a fight: what a person types, and the move it means."""

from __future__ import annotations

from typing import TYPE_CHECKING

from affray.kernel.state import standing_foes
from affray.system.contract import Impossible
from affray.system.setup import Setup
from affray.systems.strategic import state
from affray.systems.strategic.abilities import attacks, can_reach, defends, is_armed, known_in_hand, sees
from affray.systems.strategic.arms import NAMES
from affray.systems.strategic.state import Fight, Fighter

if TYPE_CHECKING:
    from affray.systems.strategic.sheets import Sheet

ATTACKS = state.ATTACKS
MOVES = tuple(ATTACKS[move] for move in range(state.LEARNED))
"""The attack moves that have to be learned."""

INTENTS = ("pain", "incapacitate", "cripple")
PLAIN = {
    state.STAND_DOWN: "stand down",
    state.YIELD: "yield",
    state.FLEE: "flee",
    state.WITHDRAW: "withdraw",
    state.PICK_UP: "pick up",
    state.WAIT: "wait",
    **state.DEFENCES,
    state.FIGHT_ON: "fight on",
    state.GIVE_IN: "yield",
    state.LET_GO: "let go",
}
AIMED = {state.ACCEPT: "accept", state.REFUSE: "refuse", state.CLOSE_IN: "close"}


def write_move(setup: Setup[Sheet], fight: Fight, who: int, move: int) -> str:
    """A move as text: the blow, the target if there are several, and the intent."""
    kind, intent, target = move & 31, move >> 5 & 3, move >> 7
    if kind in PLAIN:
        return PLAIN[kind]
    if kind == state.STOP:
        return f"stop {INTENTS[intent]}"
    whom = f" {setup.names[target]}" if len(standing_foes(fight, who)) > 1 else ""
    if kind in AIMED:
        return AIMED[kind] + whom
    meant = "" if kind in (state.DISARM, state.THREATEN) else f" {INTENTS[intent]}"
    return f"{ATTACKS[kind]}{whom}{meant}"


def impossible(setup: Setup[Sheet], fight: Fight, who: int) -> list[Impossible]:
    """What is not open to a fighter now, and why."""
    if not fight.due >> who & 1:
        return []
    if fight.phase == state.DEFEND:
        return _closed_defences(setup, fight, who)
    if fight.phase != state.ACT:
        return []
    return [*_closed_attacks(setup, fight, who), *_closed_rest(setup, fight, who)]


def _closed_defences(setup: Setup[Sheet], fight: Fight, who: int) -> list[Impossible]:
    """Defences that the armour, the weapon or an arrow rules out."""
    able, fighter = setup.written(fight, who), fight.fighters[who]
    reasons = {state.PARRY: "arrows cannot be parried", state.DODGE: "too heavily armoured to dodge"}
    for defence in state.DEFENCES:
        if not defends(fight, fighter, defence):
            reasons[defence] = _unfit(fighter)
    return [Impossible(PLAIN[defence], reason) for defence, reason in reasons.items() if PLAIN[defence] not in able]


def _unfit(fighter: Fighter) -> str:
    return f"not possible with the {NAMES[fighter.weapon]}"


def _closed_attacks(setup: Setup[Sheet], fight: Fight, who: int) -> list[Impossible]:
    """Attack moves that the weapon does not allow, that were never learned, or that there is no opening for now."""
    fighter = fight.fighters[who]
    closed = []
    foes = standing_foes(fight, who)
    for kind, word in ATTACKS.items():
        for foe in foes:
            whom = f" {setup.names[foe]}" if len(foes) > 1 else ""
            if not sees(fighter, kind):
                known = known_in_hand(fighter) >> kind & 1
                reason = "no opening for it now" if known else "never learned"
                if not attacks(fight, fighter, kind):
                    reason = _unfit(fighter)
            elif not can_reach(fight, who, foe, kind):
                reason = "too far away: close in first"
            elif kind == state.DISARM and not is_armed(fight.fighters[foe]):
                reason = "there is nothing to knock out of the hand"
            else:
                continue
            closed.append(Impossible(word + whom, reason))
    return closed


def _closed_rest(setup: Setup[Sheet], fight: Fight, who: int) -> list[Impossible]:
    fighter = fight.fighters[who]
    closed = []
    if fighter.weapon == fighter.owned:
        closed.append(Impossible("pick up", "nothing was dropped"))
    if not fighter.yielding:
        closed.append(Impossible("withdraw", "no offer to yield stands"))
    else:
        closed.append(Impossible("yield", "offered already"))
        closed.append(Impossible("stand down", "withdraw the offer to yield first"))
    foes = standing_foes(fight, who)
    for foe in foes:
        whom = f" {setup.names[foe]}" if len(foes) > 1 else ""
        if not fight.fighters[foe].yielding:
            closed.append(Impossible(f"accept{whom}", "no offer to yield was made"))
        if fighter.near >> foe & 1:
            closed.append(Impossible(f"close{whom}", "close already"))
    return closed
