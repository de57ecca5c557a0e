"""The notation of an encounter: what a person types, and the move it means."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from affray.errors import Illegal, listing, unknown
from affray.kernel.state import standing_foes
from affray.system.contract import Impossible
from affray.system.schema import cut
from affray.system.setup import Setup
from affray.systems.bgo.abilities import BEWILDER
from affray.systems.bgo.rules import ATTACK, DEAD, DEFEND, FLEE, Encounter, attack_on

if TYPE_CHECKING:
    from affray.systems.bgo.sheets import Sheet

VERBS = {ATTACK: "attack", DEFEND: "defend", FLEE: "flee"}
SHORT = {"a": "attack", "d": "defend", "f": "flee", "hit": "attack", "run": "flee"}


def write_move(setup: Setup[Sheet], fight: Encounter, who: int, move: int) -> str:
    """A move as text; the target is named if there is more than one."""
    verb = VERBS[move & 3]
    if move & 3 == ATTACK and len(standing_foes(fight, who)) > 1:
        return f"{verb} {setup.names[move >> 2]}"
    return verb


def read_move(setup: Setup[Sheet], fight: Encounter, who: int, text: str, written: Mapping[str, int]) -> int:
    """The move a text means, if it is legal now; otherwise a sentence."""
    verb, _, target = " ".join(text.lower().split()).partition(" ")
    verb = SHORT.get(verb, verb)
    if verb not in VERBS.values():
        raise Illegal(
            unknown("move", verb, VERBS.values()) if verb else "no move was given",
            given=text,
            allowed=list(written),
        )
    move = _target(setup, fight, who, target) if verb == "attack" else {"defend": DEFEND, "flee": FLEE}[verb]
    if verb != "attack" and target:
        raise Illegal(f"{verb} stands alone; {cut(target)!r} was given with it", given=text, allowed=[verb])
    if move not in written.values():
        raise Illegal(_why_not(fight, who, move), given=text, allowed=list(written))
    return move


def impossible(setup: Setup[Sheet], fight: Encounter, who: int) -> list[Impossible]:
    """What is not open to a fighter now, and why."""
    able = setup.codes(fight, who)
    team = fight.fighters[who].team
    foes = [i for i, foe in enumerate(fight.fighters) if foe.team != team]
    thinkable = [*(attack_on(foe) for foe in foes), DEFEND, FLEE]
    return [
        Impossible(
            f"attack {setup.names[move >> 2]}" if move & 3 == ATTACK else VERBS[move], _why_not(fight, who, move)
        )
        for move in thinkable
        if move not in able
    ]


def _target(setup: Setup[Sheet], fight: Encounter, who: int, name: str) -> int:
    foes = standing_foes(fight, who)
    if not name and len(foes) == 1:
        return attack_on(foes[0])
    called = [setup.names[foe] for foe in foes]
    if not name:
        raise Illegal(f"attack which foe? {listing(called)}", given="attack", allowed=called)
    everyone = [known.lower() for known in setup.names]
    if name not in everyone:
        raise Illegal(unknown("fighter", name, called), given=name, allowed=called)
    return attack_on(everyone.index(name))


def _why_not(fight: Encounter, who: int, move: int) -> str:
    fighter = fight.fighters[who]
    if not fight.due >> who & 1:
        return "no choice is due now"
    if move == DEFEND and fighter.afflicted & BEWILDER:
        return "bewildered: may not defend in this round"
    if move == FLEE and not fighter.can_flee:
        return "creatures do not flee (ruling 7)"
    target = fight.fighters[move >> 2]
    if target.team == fighter.team:
        return "fighters do not attack their own side"
    return "already dead" if target.state == DEAD else "has fled already"
