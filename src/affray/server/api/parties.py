"""What players keep between fights: parties and encounters, as files that can be carried elsewhere."""

from __future__ import annotations

from typing import Any

from affray.server.api import messages as m
from affray.server.api.callers import Caller
from affray.server.api.routes import NotFound, Routes
from affray.system.contract import System
from affray.system.registry import find
from affray.world.actions import parties
from affray.world.actions.creation import STORYTELLER
from affray.world.combats import parties as stored
from affray.world.combats.parties import Kept

routes = Routes("/api/kept", "kept")


def _shown(kept: Kept) -> m.KeptShown:
    system = find(kept.system)
    ways = list(system.recoveries) if kept.kind == "party" else []
    seats = [_seat(system, team, one) for team, members in kept.teams.items() for one in members]
    return m.KeptShown(kept.kind, kept.name, kept.system, seats, kept.options, ways)


def _seat(system: System[Any, Any], team: str, seat: dict[str, Any]) -> m.KeptSeat:
    name, party, sheet = seat.get("name"), seat.get("party", ""), seat.get("sheet", "")
    if isinstance(sheet, dict):
        known = system.enlist(sheet, files=False)
        if known.id in system.sheets.fighters():
            spec = system.sheets.spec_of(known, known.id)
            sheet = ":".join(part for part in spec.split(":") if not part.startswith("name="))
    said = sheet.replace(":", ", ").replace("=", " ") if isinstance(sheet, str) else str(sheet["name"])
    return m.KeptSeat(
        team, name, seat.get("by", STORYTELLER), sheet, party, seat.get("group", ""), said or f"of {party}"
    )


@routes.get()
async def everything(player: Caller) -> list[m.KeptShown]:
    """The parties and encounters that you keep."""
    return [_shown(one) for one in await stored.all_of(player.world.store, player.key)]


@routes.get("/{kind:str}/{name:str}")
async def export(player: Caller, kind: str, name: str) -> dict[str, Any]:
    """A party or an encounter as a file."""
    return (await stored.find(player.world.store, player.key, stored.check_kind(kind), name)).as_file()


@routes.put("/{kind:str}/{name:str}", parties.keep)
async def keep(player: Caller, kind: str, name: str, data: dict[str, Any]) -> m.KeptShown:
    """Keep a party or an encounter, as a file has it, in place of one of the same name."""
    return _shown(await parties.keep(player, kind, name, data))


@routes.delete("/{kind:str}/{name:str}", parties.forget)
async def forget(player: Caller, kind: str, name: str) -> None:
    """No longer keep it."""
    await parties.forget(player, kind, name)


@routes.post("/{kind:str}/{name:str}/copy", parties.copy)
async def copy(player: Caller, kind: str, name: str, data: m.Renamed) -> m.KeptShown:
    """Keep a copy under another name."""
    return _shown(await parties.copy(player, kind, name, data.name))


@routes.post("/{kind:str}/{name:str}/recovery", parties.restore_party, status=200)
async def recover(player: Caller, kind: str, name: str, data: m.PartyRecovery) -> m.Said:
    """Let all fighters of a party recover between fights."""
    if kind != "party":
        raise NotFound(f"only a party recovers, not {kind}")
    return m.Said("\n".join(await parties.restore_party(player, name, data.word)))
