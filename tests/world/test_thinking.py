"""NPCs that think: beside the world, for a bounded time, and never about a decision that is gone."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from affray.fight import Fight
from affray.kernel import records
from affray.players.deciding import thought_of
from affray.players.policy import FOLDER
from affray.players.search import Search
from affray.world.combats import thinking
from affray.world.combats.thinking import Question, Thinkers, thought_apart
from tests.stubborn import stubborn

Crowds = Callable[..., Any]


def question(player: str) -> Question:
    fight = Fight("bgo", "heroes=player monsters=fire-slime", seed=7)
    table, view = fight.setup.as_table(), records.pack(fight.setup.view(fight.state, 1))
    return Question(1, 1, 0, "fire-slime", player, table["system"], table["teams"], table["options"], fight.names, view)


async def test_an_npc_that_thinks_moves_when_it_has_thought(crowd: Crowds, sqlite_url: str) -> None:
    async with crowd("Ada", url=sqlite_url) as people:
        ada = people["Ada"]
        for line in ("init f bgo", "add_npc one player a", "add_npc two player b", "start a"):
            await ada(f"combat {line}")
        assert "must be 1 to 100,000" in await ada("combat auto two search:200000")
        assert "up to 10 seconds" in await ada("combat auto two search:60s")
        assert "needs 1 iteration" in await ada("combat auto two search:0")
        assert "+ two now moves by itself: search:50" in await ada("combat auto two search:50")
        await ada("combat move_npc one attack")
        combat = next(iter(ada.visitor.world.combats.values()))
        async with asyncio.timeout(600):
            while combat.fight.decision == 1:
                await asyncio.sleep(0.01)
        assert [answer.who for answer in combat.fight.answers[:2]] == ["one", "two"]


async def test_an_npc_moves_by_a_policy_of_the_operators_folder(
    crowd: Crowds, sqlite_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(FOLDER, str(tmp_path))
    stubborn(Fight("bgo", "a=player b=fire-slime"), "defend").save(tmp_path / "Wary.json")
    async with crowd("Ada", url=sqlite_url) as people:
        ada = people["Ada"]
        for line in ("init f bgo", "add_npc one player a", "add_npc two fire-slime b", "start a b"):
            await ada(f"combat {line}")
        assert "+ two now moves by itself: policy:wary" in await ada("combat auto two policy:Wary")
        await ada("combat move_npc one attack")
        combat = next(iter(ada.visitor.world.combats.values()))
        async with asyncio.timeout(600):
            while combat.fight.decision < 2:
                await asyncio.sleep(0.01)
        assert sorted(answer.move for answer in combat.fight.answers[:2]) == ["attack", "defend"]


def test_what_is_thought_apart_is_what_is_thought_here() -> None:
    fight = Fight("bgo", "heroes=player monsters=fire-slime", seed=7)
    here = thought_of(Search(iterations=50, trees=1), fight.setup, fight.state, 1, seed=1, decision=1)
    assert thought_apart(question("search:50")) == here


async def test_a_killed_thinker_costs_nothing_but_time() -> None:
    thinkers = Thinkers()
    try:
        asked = asyncio.create_task(thinkers.answer(question("search:2s"), lambda: True))
        while not (busy := [process for each in thinkers._busy for process in (each._processes or {})]):
            await asyncio.sleep(0.02)
        os.kill(busy[0], signal.SIGKILL)
        thought = await asked
        assert thought is not None
        assert not thought.problem
    finally:
        thinkers.close()


async def test_thinking_ends_when_the_decision_is_gone() -> None:
    thinkers = Thinkers()
    try:
        looks = iter([True, False])
        assert await thinkers.answer(question("search:10s"), lambda: next(looks, False)) is None
        assert await thinkers.answer(question("search:20"), lambda: True) is not None  # by the same process
    finally:
        thinkers.close()


async def test_where_there_are_no_processes_the_world_says_how_to_call_a_function() -> None:
    async def run(function: Callable[[Question], object], asked: Question) -> object:
        return function(asked)

    assert await Thinkers(run).answer(question("search:20"), lambda: True) == thought_apart(question("search:20"))
    assert thinking.AT_ONCE >= 1
