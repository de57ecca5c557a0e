"""Backups that are made while fights go on, imported, and compared with what happened; and a world of a release."""

from __future__ import annotations

import asyncio
import json
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

from affray.world.actions import places
from affray.world.combats.combat import Combat
from affray.world.combats.combats import load
from affray.world.people.visitor import Visitor
from affray.world.store import Store
from affray.world.store.database import Statement, address, connect
from affray.world.store.tables import CombatRow
from affray.world.world import World
from benchmarks.crowd import ENVIRONMENT, QUICK_SERVER, Server
from benchmarks.faults.load import Findings, Load
from benchmarks.faults.report import Row, progress

BETWEEN = 30  # moves from one backup to the next
RELEASED = Path(__file__).parents[2] / "tests" / "world" / "fixtures" / "released.sql"
PASSWORD = "open sesame"
Log = list[dict[str, Any]]


# --- backups ----------------------------------------------------------------------------------------------------------


async def backups(store: str, url: str, into: list[str], folder: Path) -> Row:
    """Back a world up under load, once for each store it is then imported into."""
    server = Server(url, folder / "port")
    load = Load(url, [server])
    fault = f"backup under load, {store}"
    acknowledged: list[dict[int, list[Any]]] = []
    try:
        await load.open()
        for number in range(len(into)):
            await load.until(BETWEEN)
            acknowledged.append({bout.number: list(bout.acknowledged) for bout in load.bouts})
            await _affray("--store", url, "--backup", str(folder / f"{number}.json"))
            progress(fault, number + 1, len(into))
        await load.until(BETWEEN)
        await load.close()
    finally:
        server.clear_away()
    row = Row(fault, len(into), "", await load.findings())
    final, moves = await _logs(url), 0
    for number, copy in enumerate(into):
        await _affray("--store", copy, "--import", str(folder / f"{number}.json"))
        moves += _compare(await _logs(copy), final, acknowledged[number], row.found)
    row.told = f"{moves} moves in the imported worlds, each fight a beginning of what it became"
    return row


async def _affray(*words: str) -> None:
    """Run `affray serve` with more words, which must succeed."""
    command = [sys.executable, str(QUICK_SERVER), "serve", *words]
    await asyncio.to_thread(subprocess.run, command, env=ENVIRONMENT, check=True, capture_output=True)


async def _logs(url: str) -> dict[int, tuple[list[str], Log]]:
    """The story of every fight of a world, which is run from its log, and that log."""
    async with await Store.open(url) as store:
        return {row.number: await _told(store, row) for row in await _rows(store) if row.log is not None}


async def _rows(store: Store) -> list[CombatRow]:
    rows = [await store.combat(number) for number in range(1, await store.last_combat() + 1)]
    return [row for row in rows if row is not None]


async def _told(store: Store, row: CombatRow) -> tuple[list[str], Log]:
    combat = await load(store, row)
    return [line.text for line in combat.running().lines], await store.answers(row.number)


def _compare(
    copy: dict[int, tuple[list[str], Log]],
    final: dict[int, tuple[list[str], Log]],
    acknowledged: dict[int, list[Any]],
    found: Findings,
) -> int:
    """Whether a copy has all that was acknowledged before it was made, and nothing that did not happen; its moves."""
    for number, (story, answers) in copy.items():
        final_story, final_answers = final[number]
        if final_story[: len(story)] != story or final_answers[: len(answers)] != answers:
            found.wrong.append(f"fight {number} of the backup is no beginning of what it became")
    for number, moves in acknowledged.items():
        there = {(entry["decision"], entry["who"]) for entry in copy[number][1]}
        found.lost += sum(1 for decision, who, _ in moves if (decision, who) not in there)
    return sum(len(answers) for _, answers in copy.values())


# --- a world of a release ---------------------------------------------------------------------------------------------


async def upgrade(store: str, url: str) -> Row:
    """Open a world of the last release: everything is there as it was, fights run, and those that are open go on."""
    written = [Statement(sql) for sql in RELEASED.read_text(encoding="utf-8").split(";\n") if sql.strip()]
    database = await connect(address(url))
    try:
        await database.run(written)
        (before,) = await database.run([Statement("SELECT combat, at, entry FROM answers ORDER BY combat, at")])
    finally:
        await database.close()
    row = Row(f"world of the last release, {store}", 1, "")
    async with await Store.open(url) as opened:
        rows = await _rows(opened)
        for each in rows:
            row.found.wrong += await _unlike(opened, each, [json.loads(b[2]) for b in before if b[0] == each.number])
    moved, restored = await _played_on(url)
    kept = f"{len(rows)} fights with {len(before)} moves are as they were"
    row.told = f"{kept}; {moved} went on, {restored} went back to what was saved"
    row.found.acknowledged = len(before)
    return row


async def _unlike(store: Store, row: CombatRow, before: Log) -> list[str]:
    """What is no longer as it was in a fight."""
    combat = await load(store, row)
    wrong = [combat.damage] if combat.damage else []
    if await store.answers(row.number) != before:
        wrong.append(f"the moves of {row.name} have changed")
    if row.phase == "ended" and (combat.fight is None or combat.fight.ending != row.ending):
        wrong.append(f"{row.name} has another ending than {row.ending}")
    return wrong


async def _played_on(url: str) -> tuple[int, int]:
    """Move in every open fight, and go back to what was saved; how many fights that was possible in."""
    world = await World.open(url)
    try:
        told: list[str] = []
        player = world.arrive(told.append, "here")
        await player.hear(f"connect Ann {PASSWORD}")
        assert player.name == "Ann", told
        moved = restored = 0
        for place in list(world.combats):
            async with world.combats.steady(place) as combat:
                assert combat is not None
            await places.enter(player, place)
            moved += await _moved(world, player, combat)
            if combat.saved:
                await player.hear("combat restore")
                restored += "Combat restored" in "\n".join(told)
                told.clear()
        return moved, restored
    finally:
        await world.close()


async def _moved(world: World, player: Visitor, combat: Combat) -> bool:
    fight = combat.fight
    if fight is None or fight.over:
        return False
    before = len(await world.store.answers(combat.number))
    member = next(member for member in combat.awaited() if not member.tactic)
    move = random.Random(1).choice([str(move) for move in fight.legal(combat.fighter(member))])
    mine = member.player == player.key
    await player.hear(f"combat move {move}" if mine else f"combat move_npc {member.name} {move}")
    return len(await world.store.answers(combat.number)) > before
