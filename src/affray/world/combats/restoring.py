"""The saved state of a combat: saving it, and going back to it with the consent of the sides where that is needed."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from affray.errors import Illegal, Invalid
from affray.fight import Answer, Fight, saving
from affray.fight.returning import has_begun_like, return_to, shared
from affray.fight.saving import seal
from affray.system import undoing
from affray.world.combats import consent, taking_back
from affray.world.combats.combat import Combat
from affray.world.combats.roster import Member, Roster
from affray.world.combats.told import Told

SAVED = "saved"
"""Under this name a combat remembers the saved state, run."""


def save(combat: Combat) -> Told:
    """Save the current state with the combat."""
    fight = combat.fought()
    state = {
        "roster": combat.roster.as_table(),
        "head": combat.head(),
        "answers": [combat.entry(place) for place in range(len(fight.answers))],
    }
    combat.saved = json.dumps({**state, "seal": seal(state)})
    return Told(reply="Combat saved")


class _Saved(NamedTuple):
    """A saved state: its roster as JSON, its fight as it stood, and who had made the moves."""

    roster: str
    fight: Fight
    movers: list[str]


def restore(combat: Combat, by: str, may_play: Callable[[Member], bool]) -> Told:
    """Go back to the saved state, as `undo` does. Members whose players may not play them now become NPCs."""
    if combat.fight is not None:
        taking_back.open_fight(combat)
    if combat.saved is None:
        raise Illegal("there is no saved state of this combat", given=combat.name)
    with saving.reading("the saved state of this combat is damaged"):
        saved = combat.lasting(SAVED, combat.saved, partial(_read, combat, combat.saved))
        roster = Roster.of_table(json.loads(saved.roster))
    for member in roster:
        if member.player is not None and not may_play(member):
            member.player = None
    gone, again = list[Answer](), 0
    if combat.fight is None:
        _go_on_from(combat, saved.fight)
    elif waiting := _unwilling(combat, by, saved.fight):
        return consent.request(combat, by, "everything since the saved state", waiting, "restore")
    else:
        gone, again = _return_to(combat, saved.fight)
    roster.retracted = combat.roster.retracted
    for member in roster:
        member.rated = member.agrees = ""
    combat.roster, combat.movers, combat.damage = roster, saved.movers.copy(), ""
    combat.forget_found()
    news = f"+ Combat has been restored to a prior state{taking_back.by_return(combat, gone, again)}"
    return Told(news=news, reply="Combat restored")


def _read(combat: Combat, saved: str) -> _Saved:
    """The saved state, checked and run."""
    state = json.loads(saved)
    if state["seal"] != seal(state):
        raise Invalid("its seal does not match its content", given=state["seal"])
    read = Combat(combat.number, combat.name, combat.place, combat.system, combat.owner, combat.options)
    read.resume(state["head"], state["answers"], known=combat.fight)
    return _Saved(json.dumps(state["roster"]), read.fought(), read.movers)


def _go_on_from(combat: Combat, saved: Fight) -> None:
    """Go on with the fight of the saved state itself, which then is no longer that state."""
    combat.fight = saved
    combat.forget_lasting(SAVED)


def _unwilling(combat: Combat, by: str, saved: Fight) -> list[str]:
    """The teams that still have to agree to a return to a saved state."""
    if combat.undo_setting == "free":
        return []
    fight, kept = combat.fought(), len(saved.answers)
    if shared(fight, saved) < kept:
        raise Illegal("the saved state has been taken back since then, so it cannot be restored", given=combat.name)
    if kept < combat.closed:
        undoing.check(fight.options, agreed=True)
    return consent.missing(combat, by, kept)


def _return_to(combat: Combat, saved: Fight) -> tuple[list[Answer], int]:
    """Bring the fight to a saved state; which answers that takes back, and how many it brings back."""
    fight = combat.fought()
    common = shared(fight, saved)
    if not has_begun_like(fight, saved):  # someone has changed the saved state and sealed it anew
        _go_on_from(combat, saved)
        return [], 0
    if len(saved.answers) > common:
        combat.check_room("restore")
    gone, again = fight.answers[common : combat.closed], max(0, saved.closed - common)
    return_to(fight, saved)
    return gone, again
