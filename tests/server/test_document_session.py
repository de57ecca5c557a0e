"""The document's example session, typed over a real connection: every answer comes back line by line."""

from __future__ import annotations

import asyncio
import hashlib
import re
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

pytest.importorskip("argon2", reason="the server extra is not installed")

from affray.kernel.chance import Fair, Physical, Scripted
from affray.server.limits import Limits
from affray.server.telnet.server import TelnetServer
from affray.world.world import World

SECONDS = 600  # before a test that hangs is a failure
PASSWORD = "open-sesame"
ALL_THE_TIME = Limits(burst=100_000, rate=100_000)

GOBLINS = [
    [3, 4, 5, 6, 1, 2],  # Ahalish maneuvers: 4 of 6
    [3, 4, 5, 6],  # goblin1 maneuvers: 4 of 4
    [3, 4, 5, 1],  # goblin2 maneuvers: 3 of 4
    [3, 4],  # Ahalish strikes goblin1: 2 of 2
    [3, 4, 5, 6],  # goblin2 strikes Ahalish: 4 of 4
    [3, 1],  # Ahalish tries Endurance: 1 of 2
    [1],  # goblin2 tries Endurance: 0 of 1
    [3, 4],  # Ahalish strikes goblin2: 2 of 2
]
SECRET = b"the goblins of the Tavern 1537"
"""With it the fair dice of a server fall for the goblins as the document tells: 4 of 6, 4 of 4, and so on."""

STATS = ("skill4[STRING]=Accuracy", "skill3[STRING]=Courage", "skill2[STRING]=Endurance", "apMaxSize[INTEGER]=10")
STATS += ("ad[INTEGER]=6", "sd[INTEGER]=0", "defense[INTEGER]=3", "maxWounds[INTEGER]=3")


# --- people at the other end of a connection ---------------------------------------------------------------------


class Person:
    """A person with a socket: types lines, and reads whatever comes."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self.writer = writer
        self._asked = 0

    async def _until(self, end: str) -> str:
        async with asyncio.timeout(SECONDS):
            return (await self._reader.readuntil(end.encode())).decode().replace("\r\n", "\n")

    async def types(self, line: str) -> str:
        """What comes back for a line, without the prompt and the last line end."""
        self.writer.write(f"{line}\n".encode())
        return (await self._until("$ ")).removesuffix("$ ").removesuffix("\n")

    async def come_in(self, name: str, how: str) -> None:
        await self._until("$ ")
        assert "Tavern" in await self.types(f"{how} {name} {PASSWORD}")

    async def has_stats(self) -> None:
        for stat in STATS:
            assert await self.types(f"set_attr me grapple_{stat}") == ""

    async def news(self) -> str:
        """What has come by itself since the last answer: it stands before the answer to a line without meaning."""
        self._asked += 1
        word = f"xyzzy-{self._asked}"
        self.writer.write(f"{word}\n".encode())
        before = (await self._until(f"There is no command '{word}'")).rpartition("There is")[0]
        await self._until("$ ")
        return re.sub(r"(?m)^\$ ", "", before).strip("\n")

    async def news_into(self, heard: dict[Person, str]) -> None:
        heard[self] += await self.news() + "\n"


@dataclass
class Inn:
    """A server with a real world behind it."""

    world: World
    server: TelnetServer
    people: list[Person]

    async def visit(self, name: str, how: str = "create") -> Person:
        person = Person(*await asyncio.open_connection("127.0.0.1", self.server.port))
        self.people.append(person)
        await person.come_in(name, how)
        for other in self.people[:-1]:
            await other.news()  # that another has come in
        return person

    def dice_are_used_up(self) -> None:
        """Every die that lay ready must have fallen."""
        fight = self.world.combats["tavern"].fight
        assert fight is not None
        if isinstance(fight.dice, Scripted):
            fight.dice.finish()


@asynccontextmanager
async def inn(folder: Path, *dice: Physical | Sequence[Sequence[int]]) -> AsyncIterator[Inn]:
    """A server on a free port; each combat that starts takes the next dice, or the next script as its dice."""
    ready = [one if isinstance(one, Fair) else Scripted(one) for one in dice]
    world = await World.open(f"sqlite:///{folder / 'world.db'}", dice=lambda: ready.pop(0))
    server = await TelnetServer.open(world, port=0, limits=ALL_THE_TIME)
    house = Inn(world, server, [])
    try:
        yield house
        assert not ready, "a combat was to start that never did"
    finally:
        for person in house.people:
            person.writer.close()
        await server.close()
        await world.close()


# --- transcripts -------------------------------------------------------------------------------------------------

Exchange = tuple[str, str]


def exchanges(transcript: str) -> Iterator[Exchange]:
    """Each line behind `$ ` with everything that stands below it up to the next."""
    for part in re.split(r"(?m)^\$ ", transcript)[1:]:
        line, _, answer = part.partition("\n")
        yield line, answer.removesuffix("\n")


def blocks(document: str) -> list[str]:
    """The fenced blocks of a document that are sessions."""
    return [block for block in re.findall(r"(?ms)^```\n(.*?)^```$", document) if block.startswith("$ ")]


async def follows(person: Person, transcript: str, notices: list[str] | None = None) -> None:
    """Type a transcript; what comes back must be what it says, and behind it no more than notices."""
    for line, answer in exchanges(transcript):
        said, star, notice = (await person.types(line)).partition("\n* ")
        assert said == answer, line
        assert not star or notices is not None, notice
        if star and notices is not None:
            notices.append(notice)


def check_notices(notices: Sequence[str], secrets: Sequence[bytes]) -> None:
    """Of every combat the hash was told at the start and the secret at the end, and nothing else."""
    told = iter(notices)
    for secret in secrets:
        promise = hashlib.sha256(secret).hexdigest()
        assert next(told) == f"The dice are fair. The SHA-256 of their secret is\n  {promise}"
        assert next(told).startswith(f"The secret of the dice:\n  {secret.hex()}\n  combat log ")
    assert not list(told)


# --- the document ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Slip:
    """Where the document's session does not fit itself: what is typed before, instead and after, and why.

    The transcripts `before` and `after` are Ahalish's; `instead` has the line and the answer in place of the
    document's own.
    """

    why: str
    before: str = ""
    instead: str = ""
    after: str = ""


SLIPS = {
    "set_attr me grapple_ad[INTEGER]=5": Slip(
        "5 AD are set, and every status that follows begins with 6",
        after="$ set_attr me grapple_ad[INTEGER]=6\n",
    ),
    "combat status": Slip(
        "Ahalish has just been removed, and yet is on team heroes; Rehtaoh is on the other team",
        before="$ combat add me heroes\n+ Ahalish is added to team heroes\n",
    ),
    "combat start heroes villains": Slip(
        "nothing is shown for a start, and what follows is told of a combat against goblins: this one ends here",
        instead="""\
$ combat start heroes villains
+ Combat has started!
=====================================
Round: 1
- - - - - - - - - - - - - - - - - -
heroes <-            S4 S3 S2 AD/AP SD DEF WOUNDS
---------            -- -- -- ----- -- --- ------
Ahalish <-           ac co en  6/10  0   3
- - - - - - - - - - - - - - - - - -
villains             S4 S3 S2 AD/AP SD DEF WOUNDS
--------             -- -- -- ----- -- --- ------
Rehtaoh              ac co en  6/10  0   3
=====================================
""",
        after="""\
$ combat end
+ Combat has ended.
Ended and removed combat myfight at Tavern
$ combat init myfight
Created combat myfight at Tavern. Add players to teams, and then start combat.
$ combat add me heroes
+ Ahalish is added to team heroes
""",
    ),
    "combat remove_npc goblin3 monsters": Slip(
        "goblin3 is named and goblin2 goes; both goblins fight afterwards, though only goblin1 was added",
        before="""\
$ combat add_npc goblin2 ::en:6:1:2:3:2 monsters
Added goblin2 to team monsters
$ combat remove_npc goblin3 monsters
There is no combatant 'goblin3'; did you mean goblin2 or goblin1?
""",
        instead="$ combat remove_npc goblin2 monsters\nRemoved goblin2 from team monsters\n",
        after="$ combat add_npc goblin2 ::en:6:1:2:3:2 monsters\nAdded goblin2 to team monsters\n",
    ),
    "combat move_npc goblin1 maneuver 2 en": Slip(
        "goblin2 has maneuvered in the next table, and the maneuver itself is left out",
        after="""\
$ combat move_npc goblin2 maneuver 2 en
+ goblin2 moves: The maneuver succeeds (3/4): AD-2=1 SD+3+0=5
  New round:       2
  New team moving: heroes

=====================================
Round: 2
- - - - - - - - - - - - - - - - - -
heroes <-            S4 S3 S2 AD/AP SD DEF WOUNDS
---------            -- -- -- ----- -- --- ------
Ahalish <-           ac CO en  3/10  4   3
- - - - - - - - - - - - - - - - - -
monsters             S4 S3 S2 AD/AP SD DEF WOUNDS
--------             -- -- -- ----- -- --- ------
goblin1                    EN   1/6  6   1
goblin2                    EN   1/6  5   1
=====================================
""",
    ),
}
"""The document's own slips, by the line at which each comes to light."""


def corrected(document: str) -> Iterator[tuple[str, str]]:
    """Each line of the document's session, and the transcript that is followed for it."""
    for block in blocks(document):
        typed = list(exchanges(block))
        for (line, answer), after in zip(typed, [*typed[1:], ("", "")], strict=True):
            if line == after[0] and not answer:
                continue  # a slip: `combat status` is typed twice, and answered once
            slip = SLIPS.get(line, Slip("none"))
            yield line, slip.before + (slip.instead or f"$ {line}\n{answer}\n") + slip.after


@pytest.mark.parametrize("secrets", [(), (b"nothing is thrown with it", SECRET)], ids=["scripted", "fair"])
def test_the_documents_session_comes_back_line_by_line(shared: Path, tmp_path: Path, secrets: tuple[bytes]) -> None:
    async def play() -> None:
        notices: list[str] = []
        async with inn(tmp_path, *(map(Fair, secrets) if secrets else ([], GOBLINS))) as house:
            ahalish, rehtaoh = await house.visit("Ahalish"), await house.visit("Rehtaoh")
            await rehtaoh.has_stats()
            typed = []
            for line, transcript in corrected((shared / "sources" / "grapple.md").read_text()):
                if line == "combat status":  # the document's Rehtaoh is a player at another connection
                    assert await rehtaoh.news() == "Ahalish has created combat myfight here."
                    assert await rehtaoh.types("combat add me villains") == "+ Rehtaoh is added to team villains"
                    assert await ahalish.news() == "+ Rehtaoh is added to team villains"
                if line == "combat end":
                    house.dice_are_used_up()
                await follows(ahalish, transcript, notices)
                typed.append(line)
            check_notices(notices, secrets)
            assert SLIPS.keys() <= set(typed)
            assert len(typed) == 28
            assert await ahalish.types("get_attr me grapple_ad") == "grapple_ad[INTEGER]=6"

    asyncio.run(play())


# --- our own copy ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("secrets", [(), (SECRET,)], ids=["scripted", "fair"])
def test_the_session_with_abbreviations_comes_back_line_by_line(tmp_path: Path, secrets: tuple[bytes]) -> None:
    transcript = Path(__file__).with_name("transcripts") / "goblins.txt"

    async def play() -> None:
        notices: list[str] = []
        async with inn(tmp_path, *(map(Fair, secrets) if secrets else (GOBLINS,))) as house:
            ahalish = await house.visit("Ahalish")
            fight, end, written_back = transcript.read_text().partition("$ c end\n")
            await follows(ahalish, fight, notices)
            house.dice_are_used_up()
            await follows(ahalish, end + written_back, notices)
            check_notices(notices, secrets)

    asyncio.run(play())


BRAWL = (
    ("Orla", "combat init brawl"),
    ("Ahalish", "combat add me heroes"),
    ("Rehtaoh", "combat add me villains"),
    ("Orla", "combat start heroes villains"),
    ("Ahalish", "c m m 3 co"),
    ("Orla", "c mn Rehtaoh c"),
    ("Ahalish", "c m a 3 Rehtaoh"),
    ("Orla", "combat save"),
    ("Orla", "combat restore"),
    ("Orla", "combat end"),
)
TOLD = [
    "+ Ahalish is added to team heroes",
    "+ Rehtaoh is added to team villains",
    "+ Combat has started!",
    "+ Ahalish moves: The maneuver succeeds (5/6): AD-3=3 SD+5+0=5",
    "+ Rehtaoh moves: Catching breath succeeds: AD+3=9",
    "+ Ahalish moves: The strike fails (3/3 vs. 3). No SD were spent.",
    "+ Combat has been restored to a prior state",
    "+ Combat has ended.",
]


def test_everybody_concerned_is_told_and_nobody_else(tmp_path: Path) -> None:
    """Those who take part, at each of their connections, and the owner; not who only stands by or is elsewhere."""

    async def play() -> None:
        async with inn(tmp_path, [[3, 4, 5, 6, 3, 2], [3, 4, 5]]) as house:
            orla, ahalish, rehtaoh = [await house.visit(name) for name in ("Orla", "Ahalish", "Rehtaoh")]
            for person in (ahalish, rehtaoh):
                await person.has_stats()
            again = await house.visit("Ahalish", "connect")
            stander, walker = await house.visit("Stander"), await house.visit("Walker")
            await walker.types("go out")
            heard = dict.fromkeys(house.people, "")
            for person, line in BRAWL:
                typist = {"Orla": orla, "Ahalish": ahalish, "Rehtaoh": rehtaoh}[person]
                await typist.news_into(heard)
                heard[typist] += await typist.types(line) + "\n"
            for person in house.people:
                await person.news_into(heard)
            assert plus_lines(heard[orla]) == TOLD
            assert plus_lines(heard[ahalish]) == TOLD
            assert plus_lines(heard[again]) == TOLD
            assert plus_lines(heard[rehtaoh]) == TOLD[1:]  # before that they took no part
            assert plus_lines(heard[stander]) == []
            assert heard[walker].strip() == ""
            # 3 AD and half of 5 SD, rounded up; the other one has caught breath
            assert await ahalish.types("get_attr me grapple_ad") == "grapple_ad[INTEGER]=6"
            assert await ahalish.types("get_attr me grapple_sd") == "grapple_sd[INTEGER]=0"
            assert await rehtaoh.types("get_attr me grapple_ad") == "grapple_ad[INTEGER]=9"

    asyncio.run(play())


def plus_lines(text: str) -> list[str]:
    """The lines that tell of a combat."""
    return [line for line in text.splitlines() if line.startswith("+ ")]
