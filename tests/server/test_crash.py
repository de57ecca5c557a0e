"""A server that is killed again and again in the middle of a hundred fights forgets nothing that it has said."""

from __future__ import annotations

import asyncio
import json
import os
import random
import re
import signal
import subprocess
import sys
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from itertools import takewhile
from pathlib import Path
from typing import Any

import argon2

from affray.world.combats.combats import load
from affray.world.store import Store, statements
from affray.world.store.attributes import Attribute
from affray.world.store.tables import CombatRow

SECONDS = 600  # before a test that hangs is a failure
QUICK_SERVER = Path(__file__).parents[1] / "quick_server.py"
ENVIRONMENT = os.environ | {"NO_COLOR": "1", "PYTHONUTF8": "1"}
UNLIMITED = ("--limit-burst", "1000000", "--limit-rate", "1000000")
PASSWORD = "open sesame"

SKILLS = ("ac", "co", "en")
FRAME = "=" * 37
NO_COMBAT = "There is no combat at "
SETTING_UP = "Players are still being added."
IS_IN = "choice is in;"
OVER = "COMBAT IS OVER!"
FIGHTER_ROW = r"^{}( <-)? .*?(\d+)/(\d+)\s+(-?\d+)\s+(\d+)"


class Cut(Exception):
    """The server has gone while it was asked; `said` is what still came."""

    def __init__(self, said: str) -> None:
        self.said = said


# --- the server, and connections to it ---------------------------------------------------------------------------


class House:
    """A server process that is killed whenever so many more answers have been given."""

    def __init__(self, url: str, folder: Path, kills: list[int], chance: random.Random) -> None:
        self.url = url
        self.noted = folder / "port"
        self.kills = kills
        self.chance = chance
        self.answers = 0
        self.killed = 0
        self.up = asyncio.Event()
        self.due = asyncio.Event()
        self.port = 0
        self.process: subprocess.Popen[Any] | None = None

    async def open(self, **how: Any) -> None:
        self.noted.unlink(missing_ok=True)
        words = (
            "serve",
            "--no-web",
            "--telnet",
            "127.0.0.1:0",
            "--store",
            self.url,
            "--port-file",
            str(self.noted),
            *UNLIMITED,
        )
        # Its complaints come out with the test's, if it has any.
        self.process = subprocess.Popen(
            [sys.executable, QUICK_SERVER, *words], env=ENVIRONMENT, stdout=subprocess.DEVNULL, **how
        )
        async with asyncio.timeout(SECONDS):
            while not self.noted.exists():
                assert self.process.poll() is None, "the server has ended by itself"
                await asyncio.sleep(0.02)
        self.port = int(self.noted.read_text())
        self.up.set()

    def kill(self) -> None:
        assert self.process is not None
        assert self.process.poll() is None, "the server has ended by itself"
        self.up.clear()
        self.process.kill()
        assert self.process.wait() == -signal.SIGKILL

    def answered(self) -> None:
        self.answers += 1
        if self.killed < len(self.kills) and self.answers >= self.kills[self.killed]:
            self.due.set()

    async def keep_killing(self) -> None:
        while True:
            await self.due.wait()
            await asyncio.sleep(self.chance.uniform(0, 0.03))
            self.kill()
            self.killed += 1
            self.due.clear()
            await self.open()


class Line(asyncio.Protocol):
    """One connection. Whatever has reached its socket counts, also when the server is gone a moment later."""

    def __init__(self, house: House, name: str) -> None:
        self.house = house
        self.name = name
        self._asked = 0
        self._broken = True
        self._heard = b""
        self._news = asyncio.Event()

    def data_received(self, data: bytes) -> None:
        self._heard += data
        self._news.set()

    def connection_lost(self, _problem: Exception | None) -> None:
        self._broken = True
        self._news.set()

    async def connect(self) -> None:
        """Log in, unless the connection still stands."""
        if not self._broken:
            return
        await self.house.up.wait()
        try:
            loop = asyncio.get_running_loop()
            self._transport, _ = await loop.create_connection(lambda: self, "127.0.0.1", self.house.port)
        except OSError:
            raise Cut("") from None
        self._broken = False
        self._heard = b""
        assert "do not match" not in await self.ask(f"connect {self.name} {PASSWORD}")

    async def ask(self, line: str) -> str:
        """What comes until the server has dealt with a line; a word that it cannot know marks the place."""
        self._asked += 1
        mark = f"'#{self._asked}'"
        if self._broken:
            raise Cut("")
        self._transport.write(f"{line}\r\n{mark[1:-1]}\r\n".encode())
        async with asyncio.timeout(SECONDS):
            while mark.encode() not in self._heard:
                if self._broken:
                    raise Cut(self._take(len(self._heard)))
                self._news.clear()
                await self._news.wait()
        self.house.answered()
        return self._take(self._heard.index(mark.encode()))

    def _take(self, size: int) -> str:
        said, self._heard = self._heard[:size], self._heard[size:]
        return said.decode().replace("\r\n", "\n")


# --- fights and what is known of them ----------------------------------------------------------------------------


@dataclass
class Bout:
    """A fight as those who are in it know it: what the server has acknowledged, and nothing else."""

    name: str
    system: str
    roster: dict[str, str] = field(default_factory=dict)
    moves: list[tuple[str, str]] = field(default_factory=list)
    lines: list[str | None] = field(default_factory=list)  # what was said of each move; None where that was cut off
    saved: list[tuple[str, str]] | None = None
    tactic: str | None = None
    status: str = ""
    ended: bool = False


@dataclass
class Table:
    """A place with those who fight there, bout after bout; the last bout is left unfinished."""

    house: House
    place: str
    lines: list[Line]
    npc: str | None  # "hand" or "auto"
    bouts: int
    chance: random.Random
    played: list[Bout] = field(default_factory=list)
    ad: dict[str, int] = field(default_factory=dict)  # the attribute of each player, as it was acknowledged
    whole: bool = True  # whether the last answer came to its end

    @property
    def bout(self) -> Bout:
        return self.played[-1]

    @property
    def owner(self) -> Line:
        return self.lines[0]

    async def sit(self) -> None:
        await self.certainly(self.come_back)
        for number in range(self.bouts):
            self.played.append(Bout(f"{self.place}-{number}", "grapple"))
            await self.set_up()
            await self.fight(most=1000 if number < self.bouts - 1 else self.chance.randint(2, 9))
            if number < self.bouts - 1:
                await self.end()
        self.bout.status = await self.asked(self.owner, "combat status")

    # --- commands, and whether they have happened ---

    async def come_back(self) -> None:
        for line in self.lines:
            await line.connect()

    async def certainly(self, do: Callable[[], Awaitable[Any]]) -> Any:
        """What `do` gives, as often as it must begin again because the server was killed."""
        while True:
            try:
                return await do()
            except Cut:
                while not await self._is_back():
                    pass

    async def _is_back(self) -> bool:
        try:
            await self.come_back()
        except Cut:
            return False
        return True

    async def asked(self, line: Line, question: str) -> str:
        """The answer to something that changes nothing."""
        said: str = await self.certainly(lambda: line.ask(question))
        return said

    async def tell(
        self, line: Line, command: str, answer: str, happened: Callable[[], Awaitable[bool]] | None = None
    ) -> str | None:
        """Give a command until it is acknowledged or `happened` finds it done; without that it may be done twice.

        Returns what was said, None where that was cut off. What was acknowledged must have happened.
        """
        while True:
            try:
                said = await line.ask(command)
            except Cut as cut:
                acknowledged = bool(answer) and answer in cut.said
                await self.certainly(self.come_back)
                done = acknowledged if happened is None else await happened()
                assert done or not acknowledged, f"lost: {command}"
                if done:
                    self.whole = False
                    return cut.said if acknowledged else None
            else:
                assert answer in said, (command, said)
                self.whole = True
                return said

    async def status(self) -> str:
        return await self.asked(self.owner, "combat status")

    async def stored_moves(self) -> list[tuple[str, str]]:
        """The moves that people have made, as the server tells them."""
        answers = (await self.log())["answers"]
        return [(entry["who"], entry["move"]) for entry in answers if self.by_hand(entry["who"])]

    async def log(self) -> dict[str, Any]:
        said = await self.asked(self.owner, "combat log file")
        log: dict[str, Any] = json.loads(said[said.index('{"format"') : said.rindex("}") + 1])
        return log

    def by_hand(self, fighter: str) -> bool:
        return self.npc != "auto" or fighter != "Troll"

    async def went_from_to(self, before: list[tuple[str, str]], after: list[tuple[str, str]]) -> bool:
        """Whether the log has gone from one state to another; it must be one of the two."""
        found = await self.stored_moves()
        assert found in (before, after), (before, after, found)
        return found == after

    # --- the course of a bout ---

    async def set_up(self) -> None:
        bout = self.bout
        for line in self.lines:
            await self.set_ad(line, self.chance.randint(3, 6))

        async def is_made() -> bool:
            return NO_COMBAT not in await self.status()

        await self.tell(self.owner, f"combat init {bout.name} undo=free", f"Created combat {bout.name} at ", is_made)
        for line, team in zip(self.lines, ("red", "blue"), strict=False):
            await self.add(line, f"combat add me {team}", line.name, team)
        if self.npc:
            await self.add(self.owner, "combat add_npc Troll ac:co:en:8:1:2:4:1 blue", "Troll", "blue")
        if self.npc == "auto":
            await self.tell(self.owner, "combat auto Troll striker", "+ Troll now moves by itself: striker")
            bout.tactic = "striker"

        async def has_started() -> bool:
            return SETTING_UP not in await self.status()

        await self.tell(self.owner, "combat start", "+ Combat has started!", has_started)

    async def set_ad(self, line: Line, value: int) -> None:
        """Nothing is said about an attribute that is set: the next answer acknowledges it."""
        before = self.ad.get(line.name)

        async def is_set() -> bool:
            found = await self.read_ad(line)
            assert found in (before, value) or before is None
            return found == value

        await self.tell(line, f"set_attr me grapple_ad[INTEGER]={value}", "", is_set)
        self.ad[line.name] = value

    async def read_ad(self, line: Line) -> int:
        said = await self.asked(line, "get_attr me grapple_ad")
        return int(re.findall(r"grapple_ad\[INTEGER\]=(\d+)", said)[-1])

    async def add(self, line: Line, command: str, name: str, team: str) -> None:
        bout = self.bout

        async def is_in() -> bool:
            teams = dict(re.findall(r"^- (\w+): (.*)$", await self.status(), re.MULTILINE))
            found = {member: team for team, members in teams.items() for member in members.split(", ")}
            assert found in (bout.roster, {**bout.roster, name: team})
            return name in found

        await self.tell(
            line, command, f"Added Troll to team {team}" if name == "Troll" else f"+ {name} is added to", is_in
        )
        bout.roster[name] = team

    async def fight(self, most: int) -> None:
        """Move in turns until it is over or so many moves are made; now and then the owner saves or takes back."""
        state = await self.status()
        for number in range(most):
            if OVER in _table(state):
                return
            state = await self.move(_table(state))
            special = {3: self.save, 5: self.undo, 8: self.restore}.get(number)
            if special is not None and self.chance.random() < 0.4:
                await special()
                state = ""
            if not state:
                state = await self.status()

    async def move(self, state: str) -> str:
        """Make the next move that is due; returns all that was said, nothing where that was cut off."""
        rows = {name: re.search(FIGHTER_ROW.format(name), state, re.MULTILINE) for name in self.bout.roster}
        due = [name for name, row in rows.items() if row and row[1] and self.by_hand(name)]
        assert due, state
        who, row = due[0], rows[due[0]]
        assert row is not None
        ad, sd = int(row[2]), int(row[4])
        target = next(name for name, team in self.bout.roster.items() if team != self.bout.roster[who])
        if sd >= 4:
            words = f"strike {min(sd, 6)} {target}"
        elif ad > 0:
            words = f"maneuver {min(ad, 3)} {self.chance.choice(SKILLS)}"
        else:
            words = "catch breath"
        line = next((line for line in self.lines if line.name == who), None)
        moves = self.bout.moves

        async def is_made() -> bool:
            return await self.went_from_to(moves, [*moves, (who, words)])

        command = f"combat move {words}" if line else f"combat move_npc {who} {words}"
        said = await self.tell(line or self.owner, command, f"+ {who} moves: ", is_made)
        told = re.search(rf"^(?:\$ )?(\+ {who} moves: .*)\n", said or "", re.MULTILINE)
        moves.append((who, words))
        self.bout.lines.append(told[1] if told else None)
        return said if said and self.whole else ""

    async def save(self) -> None:
        await self.tell(self.owner, "combat save", "Combat saved")
        self.bout.saved = list(self.bout.moves)

    async def undo(self) -> None:
        moves = self.bout.moves

        async def is_undone() -> bool:
            return await self.went_from_to(moves, moves[:-1])

        await self.tell(self.owner, "combat undo", "+ The last move is taken back: ", is_undone)
        del self.bout.moves[-1], self.bout.lines[-1]

    async def restore(self) -> None:
        bout = self.bout
        saved = bout.saved
        if saved is None:
            return

        async def is_restored() -> bool:
            return await self.went_from_to(bout.moves, saved)

        await self.tell(self.owner, "combat restore", "Combat restored", is_restored)
        # Whatever was saved and then taken back or moved anew is there again, and its words are no longer known.
        same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(bout.moves, saved, strict=False)))
        bout.lines = [*bout.lines[:same], *[None] * (len(saved) - same)]
        bout.moves = list(saved)

    async def end(self) -> None:
        """End the combat: it is gone, and what it gives back is written, both or neither."""
        state = _table(await self.status())
        returned = {line.name: _returned(line.name, state) for line in self.lines}

        async def is_ended() -> bool:
            gone = NO_COMBAT in await self.status()
            for line in self.lines:
                assert await self.read_ad(line) == (returned if gone else self.ad)[line.name]
            return gone

        await self.tell(self.owner, "combat end", "Ended and removed combat ", is_ended)
        self.bout.ended = True
        assert await is_ended()
        self.ad |= returned


class SecretTable(Table):
    """Two who choose at the same time, in a system where choices stay secret until both are in."""

    def by_hand(self, fighter: str) -> bool:
        return True

    async def set_up(self) -> None:
        self.bout.system = "bgo"

        async def is_made() -> bool:
            return NO_COMBAT not in await self.status()

        await self.tell(self.owner, f"combat init {self.bout.name} bgo", "Created combat ", is_made)
        for line, team in zip(self.lines, ("red", "blue"), strict=True):
            await self.add(line, f"combat add me {team}", line.name, team)

        async def has_started() -> bool:
            return SETTING_UP not in await self.status()

        await self.tell(self.owner, "combat start", "+ Combat has started!", has_started)

    async def fight(self, most: int) -> None:
        for decision in range(1, most + 1):
            chosen = {line: self.chance.choice(["attack", "attack", "defend"]) for line in self.lines}
            said = await asyncio.gather(*(self.choose(line, move) for line, move in chosen.items()))
            await self.certainly(self.come_back)
            if any(f"Battle round {decision + 1}." in text for text in said):  # what both have chosen was told
                assert await self.is_decided(decision), "lost: two choices"
            for (line, move), text in zip(chosen.items(), said, strict=True):
                await self.choose_again(line, move, decision, IS_IN in text)
            assert await self.is_decided(decision)
            self.bout.moves += sorted((line.name.casefold(), move) for line, move in chosen.items())
            if (await self.log())["ending"]:
                return

    async def is_decided(self, decision: int) -> bool:
        """Whether both choices of a decision are in; before that the log shows none."""
        return any(entry["decision"] == decision for entry in (await self.log())["answers"])

    async def choose(self, line: Line, move: str) -> str:
        try:
            return await line.ask(f"combat move {move}")
        except Cut as cut:
            return cut.said

    async def choose_again(self, line: Line, move: str, decision: int, acknowledged: bool) -> None:
        """Choose once more if it may be missing; a choice that was acknowledged is refused, so it is not lost."""
        while not await self.is_decided(decision):
            said = await self.choose(line, move)
            if "already" in said:
                return
            assert not (acknowledged and IS_IN in said), f"lost: {move}"
            acknowledged |= IS_IN in said
            await self.certainly(self.come_back)

    async def end(self) -> None:
        async def is_ended() -> bool:
            return NO_COMBAT in await self.status()

        await self.tell(self.owner, "combat end", "Ended and removed combat ", is_ended)
        self.bout.ended = True


def _table(said: str) -> str:
    """The last table of a status in what was said."""
    tables = re.findall(rf"^(?:\$ )?{FRAME}\n(.*?)^{FRAME}$", said, re.MULTILINE | re.DOTALL)
    assert tables, said
    return str(tables[-1])


def _returned(name: str, state: str) -> int:
    """The AD after combat, by the document: half of the SD, rounded up, are added up to the size of the pool."""
    row = re.search(FIGHTER_ROW.format(name), state, re.MULTILINE)
    assert row is not None
    return min(int(row[2]) + (int(row[4]) + 1) // 2, 10)


# --- before and after --------------------------------------------------------------------------------------------

STATS = {"apMaxSize": 10, "ad": 5, "sd": 0, "defense": 1, "maxWounds": 2}
KINDS = (("duel", 17), ("hand", 6), ("auto", 6), ("secret", 2))  # 50 connections at 31 tables


async def furnish(url: str, tables: list[Table]) -> None:
    """Make the places and the players, before the first start."""
    hash = argon2.PasswordHasher(time_cost=1, memory_cost=8, parallelism=1).hash(PASSWORD)
    async with await Store.open(url) as store:
        for table in tables:
            made: list[statements.Change] = [statements.add_place(table.place)]
            for line in table.lines:
                key = line.name.casefold()
                known: dict[str, str | int] = {f"grapple_skill{4 - i}": skill for i, skill in enumerate(SKILLS)}
                known |= {f"grapple_{name}": value for name, value in STATS.items()} | {"bgo_sheet": "player"}
                made.append(statements.add_account(line.name, "player", hash, table.place.casefold()))
                made += [
                    statements.set_attribute(
                        key, Attribute(name, "STRING" if isinstance(value, str) else "INTEGER", value)
                    )
                    for name, value in known.items()
                ]
            await store.commit(*made)


def lay_tables(house: House, bouts: int, chance: random.Random) -> list[Table]:
    """Tables for fifty, and so many bouts spread over them."""
    kinds = [kind for kind, number in KINDS for _ in range(number)]
    tables = []
    for number, kind in enumerate(kinds):
        seats = 2 if kind in ("duel", "secret") else 1
        lines = [Line(house, f"P{number}{seat}") for seat in "ab"[:seats]]
        mine = len(range(number, bouts, len(kinds)))
        npc = kind if kind in ("hand", "auto") else None
        sort = SecretTable if kind == "secret" else Table
        tables.append(sort(house, f"Place{number}", lines, npc, mine, random.Random(chance.random())))
    return tables


async def check_store(url: str, tables: list[Table]) -> None:
    """Everything that was acknowledged is stored, once, and gives the state that the server showed."""
    async with await Store.open(url) as store:
        rows = [await store.combat(number) for number in range(1, await store.last_combat() + 1)]
        by_name = {row.name: row for row in rows if row is not None}
        assert len(by_name) == len(rows) == sum(len(table.played) for table in tables)
        for table in tables:
            for bout in table.played:
                await check_bout(store, table, bout, by_name[bout.name])
            for name, ad in table.ad.items():
                assert (await store.attributes(name.casefold()))["grapple_ad"].value == ad


async def check_bout(store: Store, table: Table, bout: Bout, row: CombatRow) -> None:
    combat = await load(store, row)  # runs the log, and refuses one whose dice do not fit
    assert row.phase == ("ended" if bout.ended else "running")
    assert {member.name: team for team, members in combat.roster.teams.items() for member in members} == bout.roster
    assert [member.tactic for member in combat.roster if member.name == "Troll"] == [bout.tactic] * bool(table.npc)
    answers = await store.answers(row.number)
    assert moves_by_hand(answers, bout) == bout.moves
    assert moves_by_hand(json.loads(row.saved)["answers"], bout) == bout.saved if row.saved else bout.saved is None
    story = [line.text for line in combat.running().lines]
    told = [text for text in story if (move := re.match(r"\+ (\w+) moves: ", text)) and table.by_hand(move[1])]
    for heard, text in zip(bout.lines, told, strict=bout.system == "grapple"):
        assert heard in (None, text)
    if not bout.ended:
        assert combat.status(table.owner.name.casefold()) in bout.status


def moves_by_hand(answers: list[dict[str, Any]], bout: Bout) -> list[tuple[str, str]]:
    moves = [(answer["decision"], answer["who"], answer["move"]) for answer in answers if answer["by"] != "auto"]
    if bout.system == "bgo":
        moves.sort()  # within a decision either may have been the first
    return [(who, move) for _, who, move in moves]


async def play(url: str, folder: Path, bouts: int, kills: int, within: int) -> None:
    """Fight so many bouts, with so many kills spread over the first `within` answers, and check what is left."""
    chance = random.Random(20)
    house = House(url, folder, sorted(chance.sample(range(60, within), kills)), chance)
    tables = lay_tables(house, bouts, chance)
    assert sum(len(table.lines) for table in tables) == 50
    await furnish(url, tables)
    try:
        await house.open()
        async with asyncio.TaskGroup() as together:
            killing = together.create_task(house.keep_killing())
            await asyncio.gather(*(table.sit() for table in tables))
            killing.cancel()
        assert house.killed == kills
        assert sum(len(table.played) for table in tables) == bouts
        house.kill()
    finally:
        if house.process is not None:
            house.process.kill()
            house.process.wait()
    await check_store(url, tables)


def test_a_hundred_fights_and_six_crashes_on_sqlite(tmp_path):
    asyncio.run(play(str(tmp_path / "world.db"), tmp_path, bouts=100, kills=6, within=1500))


def test_fights_and_crashes_on_postgres(tmp_path, postgres_url):
    asyncio.run(play(postgres_url, tmp_path, bouts=35, kills=2, within=300))


async def lose_the_connection(url: str, folder: Path, in_postgres: Callable[[str], Awaitable[None]]) -> None:
    house = House(url, folder, [], random.Random(1))
    (table,) = tables = [Table(house, "Yard", [Line(house, "Pa"), Line(house, "Pb")], None, 1, random.Random(1))]
    await furnish(url, tables)
    try:
        await house.open()
        table.played.append(Bout("brawl", "grapple"))
        await table.come_back()
        await table.set_up()
        for _ in range(3):
            name = url.rpartition("/")[2]
            await in_postgres(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'")
            await table.fight(most=1)
        table.bout.status = await table.status()
        house.kill()
    finally:
        if house.process is not None:
            house.process.kill()
            house.process.wait()
    await check_store(url, tables)


def test_a_server_whose_connection_to_the_database_breaks_makes_another(tmp_path, postgres_url, in_postgres):
    asyncio.run(lose_the_connection(postgres_url, tmp_path, in_postgres))
