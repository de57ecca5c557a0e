"""Combats that no one uses are not kept in memory, and no one can tell."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from typing import Any

import pytest

from affray.kernel.chance import Scripted
from affray.world.combats import news
from affray.world.combats.combat import Combat
from affray.world.combats.listing import Asleep
from affray.world.store import statements, store

Crowds = Callable[..., Any]


async def duel(people: Any, *lines: str, system: str = "grapple") -> None:
    """Ann owns a combat and fights Bob."""
    for line in (f"init f {system}", "add me heroes", "add Bob villains", *lines):
        await people["Ann"](f"combat {line}")


def lull(people: Any) -> None:
    """Let all combats sleep that may."""
    people.world.combats.lull(idle=-1)


async def walk_out(people: Any) -> None:
    for name in list(people.people):
        await people[name]("out")


async def test_a_combat_sleeps_when_everyone_has_left_its_place(crowd: Crowds) -> None:
    async with crowd("Ann", "Bob") as people:
        await duel(people, "start heroes", "move catch breath")
        lull(people)
        assert people.world.combats.awake("tavern") is not None, "there are people in the tavern"
        before = await people["Ann"]("combat status")
        await walk_out(people)
        people.world.combats.lull(idle=3600)
        assert people.world.combats.awake("tavern") is not None, "it has just been used"
        lull(people)
        assert isinstance(people.world.combats["tavern"], Asleep)
        await people["Ann"]("in")
        assert await people["Ann"]("combat status") == before
        assert people.world.combats.awake("tavern") is not None


async def test_others_go_on_while_a_long_log_is_run(crowd: Crowds, monkeypatch: pytest.MonkeyPatch) -> None:
    run, begun, others_went_on = Combat.resume, threading.Event(), threading.Event()

    def slowly(combat: Combat, *log: Any, **known: Any) -> None:
        begun.set()
        assert others_went_on.wait(20), "the log is run where it keeps everybody waiting"
        run(combat, *log, **known)

    async with crowd("Ann", "Bob") as people:
        await duel(people, "start heroes", "move catch breath")
        await walk_out(people)
        lull(people)
        monkeypatch.setattr(store, "LONG_LOG", 0)
        monkeypatch.setattr(Combat, "resume", slowly)
        await people["Ann"]("in")
        waking = asyncio.create_task(people["Ann"]("combat status"))
        while not begun.is_set() and not waking.done():
            await asyncio.sleep(0.01)
        others_went_on.set()
        await waking
        assert (await people.awake()).phase == "running"


async def test_what_is_known_of_a_sleeping_combat(crowd: Crowds, store_url: str) -> None:
    async with crowd("Ann", "Bob", "Cora", url=store_url) as people:
        await duel(people, "start heroes", "move catch breath")
        awake = await people.awake()
        known = (awake.number, awake.name, awake.owner, awake.players, awake.version, awake.standing)
        assert awake.standing.phase == "running"
        assert awake.standing.round == 1
        assert [member.player for member in awake.awaited()] == ["bob"]
        for reopened in (False, True):
            await walk_out(people)
            lull(people)
            if reopened:
                await people.restart()
            asleep = people.world.combats["tavern"]
            assert isinstance(asleep, Asleep)
            assert (asleep.number, asleep.name, asleep.owner, asleep.players, asleep.version) == known[:5]
            assert asleep.standing == known[5]
            assert [member.name for member in asleep.awaited()] == ["Bob"]
            assert asleep.binds("bob")
            assert not asleep.binds("cora")
            await people["Cora"]("in")
            assert "Combat: f (grapple)" in await people["Cora"]("look")
            assert "There is already a combat" in await people["Cora"]("combat init other")
            people.world.combats["tavern"] = asleep
            await people["Ann"]("in")
            await people["Bob"]("in")


async def test_a_returning_player_is_called_by_a_sleeping_combat(crowd: Crowds, store_url: str) -> None:
    async with crowd("Ann", "Bob", url=store_url) as people:
        await duel(people, "start heroes", "move catch breath")
        await people.restart()
        assert isinstance(people.world.combats["tavern"], Asleep)
        for name in ("Ann", "Bob"):
            news.remind(people[name].visitor)  # as when they log in
        assert people["Bob"].news() == "* It is your turn in f, Bob: combat move ..."
        assert people["Ann"].news() == ""
        assert isinstance(people.world.combats["tavern"], Asleep), "nobody has used it"


async def test_how_a_combat_stands_is_stored_with_its_end_and_when_that_is_taken_back(crowd: Crowds) -> None:
    async with crowd("Ann", "Bob", dice=lambda: Scripted([[6] * 6, [6] * 5])) as people:
        for line in ("init f undo=free", "add me heroes", "add_npc g ::en:6:1:2:3:2 monsters", "start heroes"):
            await people["Ann"](f"combat {line}")
        for line in ("move m 3 co", "move_npc g catch breath", "move strike 5 g"):
            await people["Ann"](f"combat {line}")
        await check_standing(people, "over", "heroes")
        await people["Ann"]("combat undo")
        await check_standing(people, "running", None)


async def check_standing(people: Any, phase: str, ending: str | None) -> None:
    """What the store says of the combat is what running its log shows."""
    (row,) = await people.world.store.listings()
    standing = Asleep.of(row).standing
    shown = (await people.awake()).standing
    assert (standing.phase, standing.ending) == (phase, ending)
    assert standing == shown


async def test_computers_whose_turn_it_was_go_on_after_a_restart(crowd: Crowds, store_url: str) -> None:
    async with crowd("Ann", url=store_url) as people:
        for line in (
            "init f grapple round_cap=3",
            "add_npc g1 ::en:6:1:2:3:2 reds",
            "add_npc g2 ::en:6:1:2:3:2 greens",
        ):
            await people["Ann"](f"combat {line}")
        await people["Ann"]("combat start reds")
        combat = await people.awake()
        for member in combat.roster:
            member.tactic = "striker"
        await people.world.combats.store(combat, roster=True)
        await people.restart()
        await people.settled()
        assert people.world.combats["tavern"].standing.phase == "over"


async def test_a_log_that_cannot_be_run_keeps_no_other_combat_from_going_on(
    crowd: Crowds, store_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    async with crowd("Ann", "Bob", url=store_url) as people:
        await duel(people, "start heroes", "save", "move catch breath")
        await people["Bob"]("out")
        await people["Bob"]("combat init other")
        damaged = statements.add_answer(1, 1, {"decision": 9, "who": "ann", "move": "fly", "fell": [], "by": "ann"})
        await people.world.store.commit(damaged)
        await people.restart()
        refused = await people["Ann"]("combat status")
        assert refused.startswith("The stored log of combat f cannot be run")
        for line in ("start", "move catch breath", "undo", "add_npc x goblin heroes", "save", "log all"):
            assert await people["Ann"](f"combat {line}") == refused
        assert "Players are still being added" in await people["Bob"]("combat status")
        assert "Combat: f" in await people["Ann"]("look")
        assert (await people.awake()).asleep().standing.phase == "over", "it is not being set up"
        assert "Combat restored" in await people["Ann"]("combat restore")
        assert "cannot be run" not in await people["Ann"]("combat status")
        await people.world.store.commit(statements.add_answer(1, 0, {}))
        await people.restart()
        entries = await people.world.store.answers(1)
        assert "Ended and removed combat f" in await people["Ann"]("combat end")
        assert await people.world.store.answers(1) == entries
        assert "Created combat" in await people["Ann"]("combat init again")


async def test_a_combat_of_an_earlier_version_is_run_once_to_see_how_it_stands(crowd: Crowds, store_url: str) -> None:
    async with crowd("Ann", "Bob", url=store_url) as people:
        await duel(people, "start heroes", "move catch breath")
        await people.world.store.commit(statements.change_combat(1, awaited=None, round=None))
        await people.restart()
        combat = people.world.combats.awake("tavern")
        assert combat is not None
        assert [member.name for member in combat.awaited()] == ["Bob"]
