"""Fights in memory, or in the files of a folder that several processes may share."""

from __future__ import annotations

import asyncio
import json
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from affray.errors import Illegal, Invalid, Refused, unknown
from affray.fight import saving
from affray.lab.odds import Aim, Play
from affray.mcp.hosts.host import Answer, NewFight, Seen, Told
from affray.mcp.hosts.table import SPECTATOR, Seat, Table
from affray.system.files import reason, write_whole
from affray.system.schema import cut, slug

if sys.platform == "win32":
    import msvcrt

    def _lock(file: int) -> None:
        msvcrt.locking(file, msvcrt.LK_LOCK, 1)
else:
    import fcntl

    def _lock(file: int) -> None:
        fcntl.flock(file, fcntl.LOCK_EX)


T = TypeVar("T")
MOST_FIGHTS = 200
NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")
NAME_RULE = "1 to 40 small letters, digits and dashes"
SEATS = ".seats.json"


class Tables:
    """Fights that live as long as this process."""

    def __init__(self) -> None:
        self._tables: dict[str, Table] = {}
        self._counting = asyncio.Semaphore(1)

    # --- kept ---------------------------------------------------------------------------------------------------

    def names(self) -> list[str]:
        """The names of all fights."""
        return list(self._tables)

    @contextmanager
    def holding(self) -> Iterator[None]:
        """Have all fights to oneself."""
        yield

    def keep(self, table: Table) -> None:
        """Keep a fight as it is now."""
        self._tables[table.combat.name] = table

    def forget_doubtful(self, name: str) -> None:
        """Forget a fight that may be half changed; one that lives only here was not changed, as moves are undone."""

    def table(self, name: str) -> Table:
        """The fight of a name."""
        if name not in self._tables:
            raise Invalid(unknown("fight", cut(name), self.names()), given=name, allowed=self.names())
        return self._tables[name]

    def _make_room(self) -> None:
        """Forget the oldest fight that has been ended, where there are too many."""
        if len(self._tables) >= MOST_FIGHTS:
            ended = next((name for name, table in self._tables.items() if table.ended), None)
            if ended is None:
                raise Illegal(f"there are {MOST_FIGHTS} fights already; end one of them first", given=MOST_FIGHTS)
            del self._tables[ended]

    # --- as tools ask -------------------------------------------------------------------------------------------

    async def fights(self) -> list[dict[str, Any]]:
        """Every fight in a line."""
        with self.holding():
            return [self._line(name) for name in self.names()]

    def _line(self, name: str) -> dict[str, Any]:
        try:
            seen = self.table(name).seen(SPECTATOR)
        except Refused as problem:  # a damaged file must not hide the others
            return {"fight": name, "system": "", "teams": {}, "phase": str(problem), "round": 0, "ending": None}
        return {key: getattr(seen, key) for key in ("fight", "system", "teams", "phase", "round", "ending")}

    async def create(self, asked: NewFight, token: str) -> dict[str, Any]:
        """Set up a fight and start it."""
        with self.holding():
            name = self._free(asked.name or asked.system)
            self._make_room()
            table = Table.of(asked, name)
            self.keep(table)
        return {"fight": name, "tokens": table.tokens_shown()}

    def _free(self, wanted: str) -> str:
        """The name, or the next one with a number that is free."""
        base = slug(wanted)
        if not NAME.fullmatch(base):
            raise Invalid(f"{cut(wanted)!r} cannot be the name of a fight; it must be {NAME_RULE}", given=wanted)
        taken = set(self.names())
        numbered = (base if n == 1 else f"{base[:34]}-{n}" for n in range(1, len(taken) + 2))
        return next(name for name in numbered if name not in taken)

    async def see(self, fight: str, token: str, fighter: str | None = None) -> Seen:
        """The fight as the caller may see it."""
        with self.holding():
            table = self.table(fight)
            return table.seen(table.seat_of(token), fighter)

    async def play(self, fight: str, token: str, answer: Answer) -> Seen:
        """Make a move; computer fighters answer."""
        return self._told(fight, token, lambda table, seat: table.play(seat, answer))

    async def undo(self, fight: str, token: str) -> Seen:
        """Take back the last move that a person made, or agree to that."""
        return self._told(fight, token, lambda table, seat: table.undo(seat))

    async def hand_over(self, fight: str, token: str, fighter: str, by: str) -> dict[str, Any]:
        """Change who moves a fighter."""
        given = self._changed(fight, token, lambda table, seat: table.hand_over(seat, fighter, by))
        return {"fighter": fighter, "by": by, **({"token": given} if given else {})}

    async def touchable(self, fight: str, token: str) -> dict[str, Any]:
        """All that the storyteller may change now."""
        with self.holding():
            table = self.table(fight)
            return table.touchable(table.seat_of(token))

    async def intervene(self, fight: str, token: str, text: str, decision: int | None) -> Seen:
        """Overrule the fight by the storyteller's word; computer fighters answer."""
        return self._told(fight, token, lambda table, seat: table.intervene(seat, text, decision))

    async def join(self, fight: str, token: str, invitation: str) -> Seen:
        """Here a seat is taken by its token."""
        raise Invalid("invitations are for fights of a world; here every call carries the seat's token", given=None)

    async def go_on(self, fight: str, token: str) -> Seen:
        """Let computer fighters make more moves."""

        def do(table: Table, seat: Seat) -> str:
            table.check_storyteller(seat, "let computer fighters go on")
            table.check_open()
            table.let_tactics_move()
            return ""

        return self._told(fight, token, do)

    async def end(self, fight: str, token: str) -> Seen:
        """End a fight for good."""

        def do(table: Table, seat: Seat) -> str:
            table.check_storyteller(seat, "end the fight")
            table.ended = True
            return f"{table.combat.name} has been ended; its log may be verified by everyone."

        return self._told(fight, token, do)

    def _told(self, fight: str, token: str, do: Callable[[Table, Seat], str]) -> Seen:
        def change(table: Table, seat: Seat) -> Seen:
            told = len(table.fight.lines)
            said = do(table, seat)
            return table.seen(seat, said=said, since=told if told < len(table.fight.lines) else None)

        return self._changed(fight, token, change)

    def _changed(self, fight: str, token: str, do: Callable[[Table, Seat], T]) -> T:
        """Change a fight; it is kept before anyone is told."""
        with self.holding():
            table = self.table(fight)
            try:
                result = do(table, table.seat_of(token))
                self.keep(table)
            except Exception:
                self.forget_doubtful(fight)
                raise
            return result

    async def odds(self, fight: str, token: str, fighter: str, play: Play, aim: Aim) -> dict[str, Any]:
        """How the fight is likely to end after each move of a fighter."""
        with self.holding():
            table = self.table(fight)
            count = table.odds(table.seat_of(token), fighter, play, aim)
        async with self._counting:
            found: dict[str, Any] = await asyncio.to_thread(count)
        return found

    async def story(self, fight: str, token: str) -> list[Told]:
        """Every line of the story."""
        with self.holding():
            table = self.table(fight)
            return table.story(table.seat_of(token))

    async def log(self, fight: str, token: str) -> dict[str, Any]:
        """The sealed log."""
        with self.holding():
            table = self.table(fight)
            return table.log(table.seat_of(token))

    async def close(self) -> None:
        """Nothing is left to be done."""


class Folder(Tables):
    """Fights as save files of a folder, each with a file of its seats; what was told is on the disk."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self._folder = folder
        self._known: dict[str, tuple[int, int]] = {}
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise Invalid(f"{folder} cannot be used: {reason(error)}", given=str(folder)) from None

    def names(self) -> list[str]:
        """The names of all save files."""
        found = sorted(path.name.removesuffix(".json") for path in self._folder.glob("*.json"))
        return [name for name in found if NAME.fullmatch(name)]

    @contextmanager
    def holding(self) -> Iterator[None]:
        """Have the folder to oneself among all processes that use it."""
        with open(self._folder / ".lock", "w") as lock:
            _lock(lock.fileno())
            yield

    def table(self, name: str) -> Table:
        """The fight of a name, read again if another process has changed it."""
        if name not in self.names():
            raise Invalid(unknown("fight", cut(name), self.names()), given=name, allowed=self.names())
        stamp = self._stamp(name)
        if name not in self._tables or self._known.get(name) != stamp:
            self._tables[name], self._known[name] = self._read(name), stamp
        return self._tables[name]

    def _read(self, name: str) -> Table:
        path, seats = self._folder / f"{name}.json", self._folder / f"{name}{SEATS}"
        fight = saving.load(path)
        if not seats.exists():  # a file that was saved elsewhere: only adopting it gives it seats
            return Table.around(fight, name, {})
        with saving.reading(str(seats)):
            return Table.restored(fight, name, json.loads(seats.read_text(encoding="utf-8")))

    def _stamp(self, name: str) -> tuple[int, int]:
        found = []
        for path in (self._folder / f"{name}.json", self._folder / f"{name}{SEATS}"):
            found.append(path.stat().st_mtime_ns if path.exists() else 0)
        return found[0], found[1]

    def keep(self, table: Table) -> None:
        """Write a fight and its seats, for the owner of the folder alone."""
        name = table.combat.name
        saving.write(saving.as_table(table.fight), self._folder / f"{name}.json", private=True)
        write_whole(self._folder / f"{name}{SEATS}", json.dumps(table.seats_table()) + "\n", private=True)
        self._tables[name], self._known[name] = table, self._stamp(name)

    def forget_doubtful(self, name: str) -> None:
        """Read the fight again before it is used."""
        self._known.pop(name, None)

    def _make_room(self) -> None:
        if len(self.names()) >= MOST_FIGHTS:
            raise Illegal(f"there are {MOST_FIGHTS} fights in the folder already", given=MOST_FIGHTS)

    async def create(self, asked: NewFight, token: str) -> dict[str, Any]:
        """Set up a fight; or seat the one of a save file that has no seats yet."""
        with self.holding():
            name = slug(asked.name)
            is_unseated = name in self.names() and not (self._folder / f"{name}{SEATS}").exists()
            if is_unseated and not asked.teams:
                table = Table.around(saving.load(self._folder / f"{name}.json"), name, dict(asked.by))
                self.keep(table)
                return {"fight": name, "tokens": table.tokens_shown()}
        return await super().create(asked, token)
