"""The world of the web edition without its browser: it answers what a server would answer, and forgets nothing."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("msgspec", reason="the server extra is not installed")

from affray.edition import console, device, pool
from affray.edition.host import Host
from affray.edition.jobs import PoolJobs
from affray.errors import Illegal, Refused
from affray.lab.simulate import simulate
from affray.server.api.dispatch import ROUTES
from affray.server.jobs import JobRequest
from affray.system.registry import find, names

DUEL = {"heroes": ["player"], "monsters": ["fire-slime"]}


class HerePool:
    """Does the work of a pool in this process, by way of the same bytes."""

    size = 3

    def __init__(self) -> None:
        self.calls = 0

    async def run(self, work: Callable[..., Any], *args: object, heard: Any = None) -> Any:
        self.calls += 1
        await asyncio.sleep(0)
        return pool.unpacked(pool.carry_out(pool.packed(work, args), heard or (lambda done, of: None)))


class Page:
    """What a page asks, and what it is told."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self.told: list[dict[str, Any]] = []
        self.line = host.connect(lambda text: self.told.append(json.loads(text)), lambda code, reason: None)

    async def ask(self, method: Any, path: str, body: object = None) -> Any:
        answer = await self._host.request(method, f"/api/{path}", b"" if body is None else json.dumps(body).encode())
        found = json.loads(answer.body) if answer.body else None
        if answer.status >= 400:
            raise Illegal(f"{answer.status}: {found['problem']}")
        return found

    async def job(self, **asked: Any) -> dict[str, Any]:
        id = (await self.ask("POST", "lab/jobs", asked))["id"]
        for _ in range(100_000):
            state = await self.ask("GET", f"lab/jobs/{id}")
            if state["state"] != "running":
                return dict(state)
            await asyncio.sleep(0)
        raise AssertionError("the job never ends")


@asynccontextmanager
async def hosting(folder: Path) -> AsyncIterator[tuple[Page, list[int]]]:
    """A page in front of a world, and the sizes of what was kept of it."""
    kept: list[int] = []
    file = folder / "world.db"

    async def keep() -> None:
        kept.append(file.stat().st_size)

    host = await Host.open(file, HerePool(), keep)
    try:
        yield Page(host), kept
    finally:
        await host.close()


def test_a_fight_of_every_system_is_played_to_its_end_and_kept(tmp_path: Path) -> None:
    async def play() -> None:
        numbers = []
        async with hosting(tmp_path) as (page, kept):
            for system in names():
                teams = find(system).demonstration
                seats = {team: [{"sheet": sheet, "by": "random"} for sheet in sheets] for team, sheets in teams.items()}
                seats[next(iter(seats))][0]["by"] = "me"
                new = {"name": f"a fight of {system}", "system": system, "teams": seats, "start": True}
                table = await page.ask("POST", "combats", new)
                numbers.append(table["number"])
                while table["phase"] == "running":
                    asked = table["asks"][0]
                    move = {"fighter": asked["name"], "move": asked["moves"][0], "decision": asked["decision"]}
                    before = len(kept)
                    table = await page.ask("POST", f"combats/{table['number']}/moves", move)
                    assert len(kept) > before, "a move is kept before the page hears of it"
                assert table["phase"] == "over"
        async with hosting(tmp_path) as (page, _):
            for number in numbers:
                assert (await page.ask("GET", f"combats/{number}"))["phase"] == "over"

    asyncio.run(play())


def test_odds_and_luck_come_from_the_pool(tmp_path: Path) -> None:
    async def play() -> None:
        async with hosting(tmp_path) as (page, _):
            seats = {"heroes": [{"sheet": "player", "by": "me"}], "monsters": [{"sheet": "fire-slime", "by": "policy"}]}
            table = await page.ask("POST", "combats", {"name": "duel", "system": "bgo", "teams": seats, "start": True})
            odds = await page.ask("POST", f"combats/{table['number']}/odds", {"fighter": "Player"})
            assert odds["how"] == "exact"
            assert set(odds["moves"]) == {"attack", "defend", "flee"}
            with pytest.raises(Illegal, match="409: luck can be measured only after the fight is over"):
                await page.ask("GET", f"combats/{table['number']}/luck")

    asyncio.run(play())


def test_a_simulation_by_all_workers_is_that_of_one_process(tmp_path: Path) -> None:
    async def play() -> None:
        async with hosting(tmp_path) as (page, _):
            done = await page.job(kind="simulate", system="bgo", teams=DUEL, fights=1001, seed=5)
            assert done["state"] == "done"
            alone = simulate("bgo", DUEL, fights=1001, seed=5)
            assert {name: row["count"] for name, row in done["result"]["endings"].items()} == dict(alone.counts)
            assert done["result"]["figures"] == alone.as_table()["figures"]
            assert done["result"]["rounds"] == alone.as_table()["rounds"]
            odds = await page.job(kind="odds", system="bgo", teams=DUEL)
            assert odds["result"]["how"] == "exact"
            with pytest.raises(Illegal, match="422: there is no combat system 'chess'"):
                await page.job(kind="odds", system="chess", teams=DUEL)

    asyncio.run(play())


def test_a_simulation_that_is_cancelled_ends_all_its_workers(tmp_path: Path) -> None:
    class Stuck(HerePool):
        ended = 0

        async def run(self, work: Callable[..., Any], *args: object, heard: Any = None) -> Any:
            self.calls += 1
            try:
                await asyncio.Event().wait()
            finally:
                self.ended += 1

    async def play() -> None:
        stuck = Stuck()
        jobs = PoolJobs(stuck)
        with pytest.raises(Illegal, match="simulates and counts odds only"):
            jobs.start("player", JobRequest("sensitivity", "bgo", {team: [*specs] for team, specs in DUEL.items()}))
        id = jobs.start("player", JobRequest("simulate", "bgo", {team: [*specs] for team, specs in DUEL.items()}))
        while stuck.calls < 12:
            await asyncio.sleep(0)
        jobs.cancel(id, "player")
        while stuck.ended < 12:
            await asyncio.sleep(0)
        assert jobs.state(id, "player").state == "cancelled"

    asyncio.run(asyncio.wait_for(play(), 600))


def test_what_cannot_be_is_refused_in_the_words_of_a_server(tmp_path: Path) -> None:
    async def play() -> None:
        async with hosting(tmp_path) as (page, kept):
            while not page.told:  # coming in is kept
                await asyncio.sleep(0.01)
            before = len(kept)
            for method, path, body, problem in (
                ("GET", "combats/7", None, "404: there is no fight 7"),
                ("GET", "nowhere", None, "404: there is no GET /api/nowhere"),
                ("GET", "combats/0", None, "422: the request must be at least 1"),
                ("POST", "combats", {"name": "x"}, "422: the request must say which system"),
                ("POST", "session", {"name": "a", "password": "b"}, "409: there is only one player in this browser"),
            ):
                with pytest.raises(Illegal, match=problem):
                    await page.ask(method, path, body)
            assert len(kept) == before

    asyncio.run(play())


def test_the_line_tells_what_happens_until_it_is_closed(tmp_path: Path) -> None:
    async def play() -> None:
        async with hosting(tmp_path) as (page, _):
            page.line.hear(json.dumps({"type": "say", "text": "hello", "id": 1}))
            page.line.hear("nonsense")
            while len(page.told) < 3:
                await asyncio.sleep(0.01)
            kinds = [told["type"] for told in page.told]
            assert kinds[0] == "hello"
            assert {"done", "refused"} <= {*kinds} | {told["type"] for told in page.told}
            page.line.hear(None)

    asyncio.run(play())


def test_a_mistake_in_a_worker_is_an_error_message() -> None:
    with pytest.raises(Refused, match="this could not be worked out: ZeroDivisionError"):
        pool.unpacked(pool.carry_out(pool.packed(divmod, (1, 0)), lambda done, of: None))


def test_a_server_answers_the_same_requests() -> None:
    pytest.importorskip("litestar", reason="Litestar is not installed (the server extra)")
    from affray.server.web.app import HANDLERS

    served = {
        (method, path)
        for handler in HANDLERS
        if hasattr(handler, "paths")
        for path in handler.paths
        for method in handler.http_methods
    }
    assert {(route.method, route.path) for route in ROUTES} <= served


def test_a_page_with_a_server_works_out_the_same_odds_itself(tmp_path: Path) -> None:
    async def play() -> None:
        async with hosting(tmp_path) as (page, _):
            seats = {"heroes": [{"sheet": "player", "by": "me"}], "monsters": [{"sheet": "fire-slime", "by": "policy"}]}
            table = await page.ask("POST", "combats", {"name": "duel", "system": "bgo", "teams": seats, "start": True})
            path = f"combats/{table['number']}"
            for tactic, play, aim in (
                (None, "tactics", "value"),
                ("cautious", "tactics", "wins"),
                (None, "best", "value"),
            ):
                asked = {"tactic": tactic, "play": play, "aim": aim}
                there = await page.ask("POST", f"{path}/odds", {"fighter": "Player", **asked})
                position = await page.ask("GET", f"{path}/position?fighter=Player")
                here = json.loads(device.answer(json.dumps({"ask": "odds", "position": position, **asked})))
                assert here == {"found": there}
            for fighter, problem in (
                ("?fighter=nobody", "there is no"),
                ("", "422: the request must say which fighter"),
            ):
                with pytest.raises(Illegal, match=problem):
                    await page.ask("GET", f"{path}/position{fighter}")

    asyncio.run(play())


def test_a_page_with_a_server_simulates_the_same_fights_itself() -> None:
    request = {"kind": "simulate", "system": "bgo", "teams": DUEL, "fights": 1000, "seed": 5}

    def ask(**question: Any) -> Any:
        return json.loads(device.answer(json.dumps({**question, "request": request})))

    parts = [ask(ask="simulate part", first=first, count=250)["found"] for first in range(0, 1000, 250)]
    found = ask(ask="simulate total", parts=parts, seconds=1.0)["found"]
    alone = simulate("bgo", DUEL, fights=1000, seed=5).as_table()
    assert {name: row["count"] for name, row in found["endings"].items()} == alone["counts"]
    assert (found["figures"], found["rounds"]) == (alone["figures"], alone["rounds"])
    request["fights"] = 0
    assert ask(ask="simulate part", first=0, count=1) == {
        "problem": "the number of fights must be 1 to 10,000,000, not 0"
    }


def test_the_device_is_ready_for_every_system() -> None:
    assert json.loads(device.answer('{"ask": "ready"}')) == {"found": True}


def test_code_that_a_reader_types_runs_as_at_a_prompt() -> None:
    assert console.run(">>> import affray\n>>> affray.get_system('bgo').id\n'not this'\n") == "'bgo'\n"
    assert console.run("x = 3\nfor n in range(x):\n    print(n)\nx * 2\n") == "0\n1\n2\n6\n"
    assert console.run("x + 1") == "4\n", "what was defined before is still there"
    assert console.run(">>> def f():\n...     return 7\n...\n>>> f()\n7\n") == "7\n"
    assert console.run("1 / 0") == "ZeroDivisionError: division by zero\n"
    assert console.run("raise SystemExit") == "SystemExit\n"
    assert console.run("what is").startswith('  File "<page>", line 1')
