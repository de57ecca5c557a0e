"""What a stranger can make a world do has bounds: fights, names, questions about odds, moves of computer fighters."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from affray.errors import Illegal, Invalid, Refused
from affray.fight import Fight
from affray.world.actions import creation, fights, storytelling
from affray.world.actions.acting import At
from affray.world.combats import autoplay, worker
from affray.world.combats import combat as combat_module
from affray.world.combats.worker import Worker
from affray.world.people import login
from affray.world.people.visitor import Visitor
from affray.world.world import World

DUEL = [creation.Seat("heroes", "player", creation.ME), creation.Seat("monsters", "fire-slime", "always-attack")]
NOT_TEXT = ["\u202eenilbog", "gob\x07lin", "gob\u2028lin", "\ud800", "gob\u200blin", " ", ""]


@asynccontextmanager
async def a_player() -> AsyncIterator[Visitor]:
    world = await World.open("sqlite://")
    visitor = Visitor(world, lambda text: None, "here")
    visitor.account = await login.create_account(world, "Ann", "open sesame", "here")
    yield visitor
    await world.close()


async def test_an_account_owns_so_many_combats_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    async with a_player() as ann:
        monkeypatch.setattr(creation, "MOST_OWNED", 2)
        first = await creation.create(ann, "one", "bgo", {})
        await creation.create(ann, "two", "bgo", {})
        with pytest.raises(Illegal, match="you own 2 combats already"):
            await creation.create(ann, "three", "bgo", {}, DUEL)
        with pytest.raises(Illegal, match="you own 2 combats already"):
            await creation.branch(ann, Fight("bgo", "a=player b=player", seed=1), "three", None)
        assert len(ann.world.combats) == 2
        await fights.end(ann, At(first.place, first.number))
        await creation.create(ann, "three", "bgo", {}, DUEL)


async def test_combats_that_are_created_at_once_count_too(monkeypatch: pytest.MonkeyPatch) -> None:
    async with a_player() as ann:
        monkeypatch.setattr(creation, "MOST_OWNED", 5)
        making = (creation.create(ann, f"fight {number}", "bgo", {}) for number in range(12))
        made = await asyncio.gather(*making, return_exceptions=True)
        assert sum(isinstance(one, Illegal) for one in made) == 7
        assert len(ann.world.combats) == 5


async def test_tables_that_are_made_at_once_are_read_back_by_no_one(monkeypatch: pytest.MonkeyPatch) -> None:
    async with a_player() as ann:
        monkeypatch.setattr(ann.world.store, "places", None)  # all of them would be read
        made = await asyncio.gather(*(creation.create(ann, f"fight {number}", "bgo", {}) for number in range(12)))
        assert {combat.place for combat in made} == {f"table {number}" for number in range(1, 13)}
        monkeypatch.undo()
        known = dict(ann.world.places)
        await ann.world.places.read()
        assert known == dict(ann.world.places), "what is in memory is what is stored"


@pytest.mark.parametrize("name", NOT_TEXT)
async def test_what_is_no_text_is_no_name(name: str) -> None:
    async with a_player() as ann:
        seat = creation.Seat("heroes", "player", creation.ME, name)
        sheet = creation.Seat("heroes", {"base": "player", "name": name}, creation.STORYTELLER)
        for called, seats in ((name, DUEL), ("duel", [seat]), ("duel", [sheet])):
            with pytest.raises(Invalid):
                await creation.create(ann, called, "bgo", {}, seats)
        assert not ann.world.combats


class Slow:
    """Answers a question when it is told to."""

    def __init__(self) -> None:
        self.asked: list[Any] = []
        self.go = asyncio.Semaphore(0)

    async def run(self, answered: Any, work: Any, table: Any, more: tuple[Any, ...]) -> Any:
        self.asked.append(more[0])
        await self.go.acquire()
        return more[0]


FIGHT = Fight("bgo", "a=player b=player", seed=1)


async def test_only_the_newest_question_of_each_is_answered() -> None:
    slow = Slow()
    working = Worker(slow.run)
    first, second = working.ask("ann", len, FIGHT, 1), working.ask("bob", len, FIGHT, 2)
    await asyncio.sleep(0)
    old = working.ask("ann", len, FIGHT, 3)
    left = working.ask("cid", len, FIGHT, 4)
    new = working.ask("ann", len, FIGHT, 5)
    left.cancel()
    for _ in range(4):
        slow.go.release()
    assert [await first, await second, await new] == [1, 2, 5]
    with pytest.raises(Refused, match="something newer"):
        await old
    assert slow.asked == [1, 2, 5], "what nobody waits for is not worked out"


async def test_so_many_questions_wait_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "MOST_WAITING", 2)
    working = Worker(Slow().run)
    for number in range(2):
        working.ask(number, len, FIGHT, number)
    with pytest.raises(Refused, match="please ask again in a moment"):
        working.ask("another", len, FIGHT, 3)
    waiting = working.ask(1, len, FIGHT, 4)
    working.close()
    with pytest.raises(Refused, match="closing"):
        await waiting


async def test_neither_who_waits_nor_whose_turn_it_is_waits_for_a_server_that_ends() -> None:
    slow = Slow()
    working = Worker(slow.run)
    asked, waiting = working.ask("ann", len, FIGHT, 1), working.ask("bob", len, FIGHT, 2)
    await asyncio.sleep(0)
    assert slow.asked == [1]
    with working.refusing():
        for answer in (asked, waiting):
            with pytest.raises(worker.Closing, match="please ask again"):
                await answer
        with pytest.raises(worker.Closing, match="please ask again"):
            working.ask("cid", len, FIGHT, 4)
    later = working.ask("ann", len, FIGHT, 3)
    for _ in range(2):
        slow.go.release()
    assert await later == 3


async def test_a_fight_that_never_ends_stops_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(combat_module, "MOST_MOVES", 2)
    async with a_player() as ann:
        told: list[str] = []
        ann._tell = told.append
        ann.world.people.log_in(ann, ann.account)
        seats = [creation.Seat(team, "player", "always-attack") for team in ("reds", "greens")]
        made = await creation.create(ann, "duel", "bgo", {}, seats)
        at = At(made.place, made.number)
        await fights.start(ann, at, [])
        async with asyncio.timeout(600):
            while not made.is_full or not any("no more are kept" in text for text in told):
                await asyncio.sleep(0)
        assert len(await ann.world.store.answers(made.number)) == len(made.running().answers) == 2
        assert made.phase == "running"
        with pytest.raises(Illegal, match="already has 2 moves"):
            await fights.move(ann, at, "player", "attack")
        await fights.end(ann, at)


async def test_moves_that_are_taken_back_count_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who moves and takes back, again and again, fills a log as well, and so does who notes things beside it."""
    monkeypatch.setattr(combat_module, "MOST_MOVES", 7)
    async with a_player() as ann:
        ann.world.people.log_in(ann, ann.account)
        foe = creation.Seat("monsters", "mud-slime", creation.STORYTELLER, "slime")
        made = await creation.create(ann, "duel", "bgo", {"undo": "free"}, [DUEL[0], foe])
        at = At(made.place, made.number)
        await fights.start(ann, at, [])
        await fights.save(ann, at)
        await storytelling.intervene(ann, at, "note Ann: a first note")
        for _ in range(2):
            await fights.move(ann, at, None, "attack")
            await fights.move(ann, at, "slime", "attack")
            await fights.restore(ann, at)
        await fights.move(ann, at, None, "attack")
        await fights.move(ann, at, "slime", "attack")
        for refused in (
            fights.move(ann, at, None, "attack"),
            storytelling.intervene(ann, at, "note Ann: another note"),
            storytelling.intervene(ann, at, "set slime health 1"),
        ):
            with pytest.raises(Illegal, match="already has 7 moves, with those taken back"):
                await refused
        await fights.restore(ann, at)
        stored = await ann.world.store.combat(made.number)
        assert stored is not None
        assert stored.log == made.head()
        assert [len(one["answers"]) for one in stored.log["undone"]] == [2, 2, 2]
        with pytest.raises(Illegal, match="already has 7 moves"):
            await fights.move(ann, at, None, "attack")
        await fights.end(ann, at)


@pytest.mark.parametrize(
    "moves",
    [
        {"answers": [{}] * 10_001},
        {"answers": [{}], "undone": [{"kept": 0, "answers": [{}] * 5_000}] * 2},
        {"answers": [], "undone": [{"kept": 0, "answers": []}] * 10_001},
    ],
)
def test_a_log_with_too_many_moves_is_not_even_run(moves: dict[str, Any]) -> None:
    with pytest.raises(Invalid, match="has 10001 moves; it must have at most 10000"):
        creation.read_log({"teams": {"a": [{}], "b": [{}]}, **moves})


async def test_computer_fighters_let_others_in_between(monkeypatch: pytest.MonkeyPatch) -> None:
    """Several fights of computers alone: between two turns of them another task gets its own."""
    async with a_player() as ann:
        seats = [creation.Seat(team, "goblin", "skill-user") for team in ("a", "b") for _ in range(2)]
        turns: list[str] = []
        play = autoplay.play

        async def noted(world: World, combat: Any) -> bool:
            turns.append("computer")
            return await play(world, combat)

        monkeypatch.setattr(autoplay, "play", noted)
        monkeypatch.setattr(autoplay, "MOVES_AT_ONCE", 1)
        for number in range(3):
            combat = await creation.create(ann, f"fight {number}", "grapple", {}, seats)
            await fights.start(ann, At(combat.place, combat.number), [])
        turns.clear()
        async with asyncio.timeout(600):
            while any(combat.phase == "running" for combat in ann.world.combats.values()):
                turns.append("person")
                await asyncio.sleep(0)
        assert "computer" in turns
        most = max(len(run) for run in "".join(turn[0] for turn in turns).split("p"))
        assert most <= 1, "one turn of computer fighters at a time"
