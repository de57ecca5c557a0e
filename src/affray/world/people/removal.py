"""Removes an account from a world, with its seats in combats and the combats that it owns."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any, NamedTuple

from affray.errors import Refused
from affray.fight.saving import seal
from affray.world.combats.combats import load
from affray.world.combats.roster import Roster
from affray.world.store import Overtaken, Store, statements
from affray.world.store.tables import CombatRow, fold

ATTEMPTS = 5  # where a server changes the same combats at the same time


class Effect(NamedTuple):
    """What happens to a combat that has not ended when one of its accounts is removed."""

    combat: CombatRow
    owner: str | None
    """The key of the account that owns it from then on; None if it is ended."""


async def effects(store: Store, key: str) -> list[Effect]:
    """What the removal of an account does to combats.

    Its seats become NPCs. A combat that it owns gets the first other player as its owner, or is ended if there is
    none: an account of the same name that is made later must not inherit anything.
    """
    found = []
    for row in await store.open_combats():
        players = [member.player for member in Roster.of_table(row.roster) if member.player is not None]
        heirs = [fold(member.heir) for member in Roster.of_table(row.roster) if member.heir]
        if key in (row.owner, *players, *heirs):
            others = (player for player in players if player != key)
            found.append(Effect(row, next(others, None) if row.owner == key else row.owner))
    return found


async def remove_account(store: Store, key: str) -> list[Effect]:
    """Remove an account and its attributes; returns what it has done to combats."""
    for remaining in reversed(range(ATTEMPTS)):
        found = await effects(store, key)
        changes = [change for effect in found for change in await _carried_out(store, effect, key)]
        try:
            await store.commit(*changes, statements.remove_account(key))
            break
        except Overtaken:
            if not remaining:
                raise
    return found


async def _carried_out(store: Store, effect: Effect, key: str) -> list[statements.Change]:
    row, owner = effect
    columns: dict[str, Any] = {"roster": _without(row.roster, key), "saved": _saved_without(row.saved, key)}
    if owner is None:
        columns |= {"phase": "ended", "ending": None}
        with suppress(Refused):  # a log that cannot be run has no ending
            fight = (await load(store, row)).fight
            columns["ending"] = fight.ending if fight else None
    else:
        columns["owner"] = owner
    return [statements.next_version(row.number, row.version), statements.change_combat(row.number, **columns)]


def _without(roster: dict[str, Any], key: str) -> dict[str, Any]:
    """A roster in which the members of an account are NPCs."""
    changed = Roster.of_table(roster)
    for member in changed:
        if member.player == key:
            member.player = None
        if fold(member.heir) == key:
            member.heir = ""
    return changed.as_table()


def _saved_without(saved: str | None, key: str) -> str | None:
    """The same for a saved state, sealed again; one that is damaged stays as it is, and cannot be restored."""
    with suppress(ValueError, LookupError, TypeError):
        state = json.loads(saved or "")
        if state["seal"] == seal(state):
            state["roster"] = _without(state["roster"], key)
            return json.dumps({**state, "seal": seal(state)})
    return saved
