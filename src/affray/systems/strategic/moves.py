"""The notation of a fight: what a person types, and the move it means."""

from __future__ import annotations

from collections.abc import Sequence

from affray.kernel.notation import move_meant
from affray.kernel.system import Impossible
from affray.systems.strategic.abilities import can_reach, is_armed, is_foe, sees
from affray.systems.strategic.rules import legal, most_moves
from affray.systems.strategic.state import (
    ACCEPT,
    ACT,
    BRACE,
    CLOSE_IN,
    DEFEND,
    DISARM,
    DODGE,
    FIGHT_ON,
    FLEE,
    GAP,
    GIVE_IN,
    GUARDED,
    JAB,
    LET_GO,
    MAIM,
    PARRY,
    PICK_UP,
    POWER,
    PULL,
    REFUSE,
    STAND_DOWN,
    STOP,
    STRIKE,
    THREATEN,
    WAIT,
    WITHDRAW,
    YIELD,
    Fight,
)

ATTACKS = {
    STRIKE: "strike",
    GUARDED: "guarded",
    JAB: "jab",
    POWER: "power",
    PULL: "pull",
    MAIM: "maim",
    GAP: "gap",
    DISARM: "disarm",
    THREATEN: "threaten",
}
INTENTS = ("pain", "incapacitate", "cripple")
PLAIN = {
    STAND_DOWN: "stand down",
    YIELD: "yield",
    FLEE: "flee",
    WITHDRAW: "withdraw",
    PICK_UP: "pick up",
    WAIT: "wait",
    PARRY: "parry",
    DODGE: "dodge",
    BRACE: "brace",
    FIGHT_ON: "fight on",
    GIVE_IN: "yield",
    LET_GO: "let go",
}
AIMED = {ACCEPT: "accept", REFUSE: "refuse", CLOSE_IN: "close"}


def standing_foes(fight: Fight, who: int) -> list[int]:
    """Whom a fighter may aim at."""
    return [other for other in range(len(fight.fighters)) if is_foe(fight, who, other)]


def write_move(fight: Fight, who: int, move: int, names: Sequence[str]) -> str:
    """A move as text: the blow, the target where there are several, and what it is meant to do."""
    kind, intent, target = move & 31, move >> 5 & 3, move >> 7
    if kind in PLAIN:
        return PLAIN[kind]
    if kind == STOP:
        return f"stop {INTENTS[intent]}"
    whom = f" {names[target]}" if len(standing_foes(fight, who)) > 1 else ""
    if kind in AIMED:
        return AIMED[kind] + whom
    meant = "" if kind in (DISARM, THREATEN) else f" {INTENTS[intent]}"
    return f"{ATTACKS[kind]}{whom}{meant}"


def open_moves(fight: Fight, who: int) -> list[int]:
    """The codes of all legal moves."""
    moves = [0] * most_moves(len(fight.fighters))
    return moves[: legal(fight, who, moves)]


def read_move(fight: Fight, who: int, text: str, names: Sequence[str]) -> int:
    """The move a text means, if it is legal now; otherwise a sentence."""
    written = {write_move(fight, who, move, names).lower(): move for move in open_moves(fight, who)}
    return move_meant(text, written, lambda: impossible(fight, who, names))


def impossible(fight: Fight, who: int, names: Sequence[str]) -> list[Impossible]:
    """What is not open to a fighter now, and why."""
    if not fight.due >> who & 1:
        return []
    if fight.phase == DEFEND:
        able = {write_move(fight, who, move, names) for move in open_moves(fight, who)}
        reasons = {"parry": "arrows cannot be parried", "dodge": "too heavily armoured to dodge"}
        return [Impossible(notation, reason) for notation, reason in reasons.items() if notation not in able]
    if fight.phase != ACT:
        return []
    return [*_closed_attacks(fight, who, names), *_closed_rest(fight, who, names)]


def _closed_attacks(fight: Fight, who: int, names: Sequence[str]) -> list[Impossible]:
    """Attack moves that there is no opening for, that were never learned, or that do not reach."""
    fighter = fight.fighters[who]
    closed = []
    foes = standing_foes(fight, who)
    for kind, word in ATTACKS.items():
        for foe in foes:
            whom = f" {names[foe]}" if len(foes) > 1 else ""
            if not sees(fighter, kind):
                known = fighter.known >> kind & 1
                reason = "no opening for it now" if known else "never learned"
            elif not can_reach(fight, who, foe, kind):
                reason = "too far away: close in first"
            elif kind == DISARM and not is_armed(fight.fighters[foe]):
                reason = "there is nothing to knock out of the hand"
            else:
                continue
            closed.append(Impossible(word + whom, reason))
    return closed


def _closed_rest(fight: Fight, who: int, names: Sequence[str]) -> list[Impossible]:
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
        whom = f" {names[foe]}" if len(foes) > 1 else ""
        if not fight.fighters[foe].yielding:
            closed.append(Impossible(f"accept{whom}", "no offer to yield was made"))
        if fighter.near >> foe & 1:
            closed.append(Impossible(f"close{whom}", "close already"))
    return closed
