"""Whatever is typed: an answer, no traceback, no one thrown out, and nothing changed by what was refused."""

from __future__ import annotations

import asyncio
import logging
import random
import re
from collections.abc import Callable
from contextlib import AsyncExitStack
from contextvars import ContextVar
from dataclasses import replace
from typing import Any

import pytest

from affray.fight import saving
from affray.kernel.chance import Fair, Physical
from affray.world.combats.combat import Combat
from affray.world.combats.combats import load
from affray.world.combats.worker import Worker
from affray.world.commands.combat.registry import ALIASES, SUBCOMMANDS
from affray.world.commands.registry import COMMANDS
from affray.world.people import visitor
from affray.world.people.visitor import visible
from affray.world.store import statements
from affray.world.world import World

pytestmark = pytest.mark.long

LINES = 30_000
WORLDS = 4
WIZARDS = ["Merlin"]
PLAYERS = ["Ahalish", "Bob", "Cæsar", "Zoë-2", "Rehtaoh"]
GUESTS = ["Guest1", "Guest2"]
PLACES = ["tavern", "courtyard", "arena"]
UNSEEN = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
NASTY = [
    "'; DROP TABLE accounts; --",
    '" OR 1=1 --',
    "%s%s%n%d",
    "{0.__class__.__mro__}",
    "{}",
    "${HOME}",
    "../../etc/passwd",
    "file.toml#ogre",
    "\x1b[2J\x1b[31m",
    "\x07\x08\x00",
    "\u202eesrever",
    "\ud800",
    "\ufeff",
    "Ａ１２",
    "٣",
    "²",
    "½",
    "ß",
    "İ",
    "👩‍🚀",
    "é",
    "a" * 300,
    "9" * 300,
    "-1",
    "+3",
    "0x10",
    "1e9",
    "NaN",
    "٣٤",
    "None",
    "True",
    "me",
    "ME",
    "__init__",
    "=",
    ":",
    "::::",
    "::::::::",
    "[",
    "]",
    "[]=",
    "\t",
    "\r\n",
    "\u2028",
]
WORDS = [
    *("heroes", "monsters", "villains", "draw", "none", "Heroes", "goblin1", "goblin2", "GOBLIN1", "slime", "orc"),
    *("::en:6:1:2:3:2", "ac:co:en:10:3:3:6:0", "::zz:6:1:2:3:2", "goblin", "fire-slime", "player", "goblin:sd=4"),
    *("maneuver", "strike", "skill", "catch", "breath", "m", "a", "s", "c", "attack", "defend", "flee", "d", "f"),
    *("ac", "co", "en", "Accuracy", "courage", "sp", "tr", "0", "1", "2", "3", "4", "6", "7", "99"),
    *("striker", "builder", "random", "policy", "grapple", "bgo", "chess", "profile=grounds", "round_cap=30"),
    *(
        "profile=nothing",
        "ties=yes",
        "out",
        "in",
        "north",
        "south",
        "Cellar",
        "all",
        "file",
        "player",
        "wizard",
        "guest",
    ),
    *(
        "grapple_ad[INTEGER]=5",
        "grapple_sd=3",
        "grapple_ad[STRING]=x",
        "grapple_apMaxSize[FLOAT]=7.5",
        "grapple_skill4",
    ),
    *("bgo_sheet[STRING]=player", "note[BOOLEAN]=yes", "note", "x[INTEGER]=", "me", "somebody", "nobody"),
    *PLAYERS,
    *WIZARDS,
    *GUESTS,
]
STARTS = [
    *COMMANDS,
    *(alias for command in COMMANDS.values() for alias in command.aliases if alias.isalpha()),
    *(f"combat {name}" for name in SUBCOMMANDS),
    *(f"c {alias}" for alias in ALIASES),
    *('"', ":", "'", "north", "out", "in", "south"),
]
VALID = [
    *("say hello there", '"hello', ":waves", "pose sits down", "look", "l", "who", "help", "help combat", "? say"),
    *("help combat move", "go out", "go in", "out", "in", "north", "south", "get_attr", "get_attr me", "attrs me note"),
    *("set_attr me grapple_ad[INTEGER]=5", "set_attr me grapple_sd[INTEGER]=3", "set_attr me note[STRING]=a b c"),
    *("set_attr Bob grapple_ad[INTEGER]=5", "unset_attr me note", "describe A place.", "dig down up Cellar"),
    *("role Bob player", "combat status", "c status", "combat watch", "combat unwatch", "combat log", "combat log all"),
    *("combat log file", "combat log 1", "combat undo", "combat save", "combat restore", "combat load"),
    *("combat init brawl round_cap=30", "combat init duel bgo", "combat add me heroes", "combat remove me"),
    *(
        "combat add Bob villains",
        "combat add_npc orc ::en:6:1:2:3:2 villains",
        "combat add_npc slime fire-slime villains",
    ),
    *("combat remove_npc orc", "combat start", "combat start heroes", "combat auto goblin1 striker"),
    *("combat auto goblin2 random", "combat manual goblin1", "combat manual goblin2", "c mn goblin1 c", "c m c"),
    *("combat move strike 1 goblin1", "c m m 3 co", "c m s 2 en", "c mn goblin2 m 2 en", "c m attack", "c m defend"),
]
RARE = ["combat end", "quit", "password", "combat odds"]


def clean_state(combat: Combat) -> tuple[Any, ...]:
    """Whatever can be changed about a combat, by what is cheap to read."""
    fight = combat.fight
    members = tuple((member.name, member.player, member.tactic) for member in combat.roster)
    running = (fight.decision, len(fight.answers), len(fight.lines), fight.dice.position) if fight else ()
    saved = None if combat.saved is None else hash(combat.saved)
    return (
        combat.number,
        tuple(combat.roster.teams),
        members,
        running,
        saved,
        len(combat.watchers),
        len(combat.movers),
    )


def whole_state(world: World) -> list[Any]:
    """The states of all fights to the last number, and what they would save."""
    return [
        (
            combat.number,
            combat.roster.as_table(),
            combat.fight and saving.as_table(combat.fight),
            repr(combat.fight and combat.fight.state),
        )
        for combat in world.combats.values()
    ]


class Typist:
    """Makes up lines: valid ones, half valid ones and rubbish."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)

    def word(self) -> str:
        return self.rng.choice(NASTY if self.rng.random() < 0.25 else WORDS)

    def line(self, people: Any, name: str) -> str:
        kind = self.rng.random()
        if kind < 0.25:
            return self.move(people, name)
        if kind < 0.5:
            return self.rng.choice(VALID)
        if kind < 0.51:
            return self.rng.choice(RARE)
        if kind < 0.7:
            return " ".join([self.rng.choice(STARTS), *(self.word() for _ in range(self.rng.randint(0, 4)))])
        if kind < 0.9:
            return self.mutated(self.rng.choice(VALID))
        return self.noise()

    def move(self, people: Any, name: str) -> str:
        """A legal move of a fighter who is to move where the typist is; whether they may is another question."""
        place = people[name].visitor.place
        combat = people.world.combats.get(place.key) if place else None
        awaited = combat.awaited() if combat else []
        if not awaited:
            return "combat start"
        member = self.rng.choice(awaited)
        moves = combat.fight.legal(combat.fighter(member))
        move = self.rng.choice([*moves[:6], self.rng.choice(moves)])
        return f"c m {move}" if member.player == name.casefold() else f"combat move_npc {member.name} {move}"

    def mutated(self, line: str) -> str:
        """A valid line with something wrong in it."""
        rng, at = self.rng, self.rng.randrange(len(line) + 1)
        words = line.split(" ")
        where = rng.randrange(len(words))
        match rng.randrange(9):
            case 0:
                return line[:at]
            case 1:
                return line[:at] + rng.choice(NASTY) + line[at:]
            case 2:
                return line.swapcase()
            case 3:
                return line.replace(" ", rng.choice(["  ", "\t", " \x0b ", "\u00a0", "\u3000", ""]))
            case 4:
                words[where] = self.word()
            case 5:
                words.insert(where, self.word())
            case 6:
                del words[where]
            case 7:
                rng.shuffle(words)
            case _:
                words[where] = words[where][::-1]
        return " ".join(words)

    def noise(self) -> str:
        rng = self.rng
        match rng.randrange(4):
            case 0:
                return "".join(
                    chr(rng.choice([rng.randrange(0x20), rng.randrange(0x300), rng.randrange(0x10FFFF)]))
                    for _ in range(rng.randint(0, 30))
                )
            case 1:
                return "".join(rng.choices("combat mnaes:=[]'\"{}%0123", k=rng.randint(0, 40)))
            case 2:
                return " ".join(self.word() for _ in range(rng.randint(0, 6)))
        return rng.choice(["", " ", "\n", "x" * 5000, "c " * 500, "combat " + "move " * 400, "say " + "ö" * 3000])


_refused: ContextVar[list[str]] = ContextVar("the refusals of one world")


@pytest.fixture(autouse=True)
def _noted_refusals(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each sentence with which a line is refused is noted."""
    sentence = visitor.as_message

    def noted(problem: str, *names: Any) -> str:
        _refused.get().append(problem)
        return sentence(problem, *names)

    monkeypatch.setattr(visitor, "as_message", noted)
    # Odds are thought out in another process, which test_combat_command asks; here their number would drown it.
    monkeypatch.setattr(Worker, "ask", lambda self, work, fight, *more: _later())


async def _later() -> str:
    return "later"


def dice() -> Physical:
    return Fair(b"the same secret for every fight of this test")


async def tidy(people: Any, rng: random.Random) -> None:
    """Give everybody their role and stats back, and see to it that there is a fight in each place, often a new one."""
    world = people.world
    for name in (*PLAYERS, *WIZARDS):
        role = "wizard" if name in WIZARDS else "player"
        key = name.casefold()
        await world.store.commit(statements.change_account(key, role=role))
        for connection in world.people.connected(key):
            connection.account = replace(connection.account, role=role)
        for line in (
            "grapple_skill4[STRING]=Accuracy",
            "grapple_ad[INTEGER]=6",
            "grapple_apMaxSize[INTEGER]=10",
            "bgo_sheet[STRING]=player",
        ):
            await people[WIZARDS[0]](f"set_attr {name} {line}") if name in WIZARDS else await people[name](
                f"set_attr me {line}"
            )
    owner = people[WIZARDS[0]]
    home = owner.visitor.account.place
    for place in PLACES:
        combat = world.combats.get(place)
        if combat is not None and not (combat.fight and combat.fight.over) and rng.random() < 0.5:
            continue
        owner.visitor.account = replace(owner.visitor.account, place=place)
        if combat is not None:
            await owner("combat end")
        system = "bgo" if place == "arena" else "grapple"
        npc = "fire-slime" if place == "arena" else "::en:6:1:2:3:2"
        await owner(f"combat init fight {system} " + ("" if place == "arena" else "round_cap=30"))
        for name in PLAYERS:
            if people[name].visitor.place.key == place:
                await owner(f"combat add {name} heroes")
        for npc_name, team in (("goblin1", "monsters"), ("goblin2", "monsters"), ("ally", "heroes")):
            await owner(f"combat add_npc {npc_name} {npc} {team}")
        if world.combats.last_number % 3:
            assert "Combat has started!" in await owner("combat start")
    owner.visitor.account = replace(owner.visitor.account, place=home)


class Watch:
    """What is the same before and after every line that was refused."""

    def __init__(self, people: Any) -> None:
        self.people, self.writes = people, 0
        commit = people.world.store.commit

        async def counted(*statements: statements.Change) -> None:
            self.writes += 1
            await commit(*statements)

        people.world.store.commit = counted

    def fingerprint(self) -> tuple[Any, ...]:
        world = self.people.world
        where = tuple((visitor.key, visitor.place, visitor.role, visitor.gone) for visitor in world.people.visitors)
        return (self.writes, where, len(world.places), *(clean_state(combat) for combat in world.combats.values()))


async def check_stored(world: World) -> None:
    """Every stored fight, run again, stands where it stands in memory."""
    rows = await world.store.open_combats()
    assert {row.place: row.number for row in rows} == {place: c.number for place, c in world.combats.items()}
    for row in rows:
        stored, present = await load(world.store, row), world.combats[row.place]
        assert stored.roster == present.roster
        assert stored.movers == present.movers
        assert stored.saved == present.saved
        assert stored.status() == present.status()
        if present.fight is not None:
            assert stored.fight is not None
            assert saving.as_table(stored.fight) == saving.as_table(present.fight)
            assert stored.fight.state == present.fight.state


def silent(line: str, visitor: Any, wrote: bool) -> bool:
    """Whether a line may be obeyed without a word: nothing was typed, a password is asked for, an attribute is set."""
    return visitor.secret or wrote or not visible(line).strip()


async def type_lines(people: Any, count: int, seed: int) -> dict[str, int]:
    typist, watch, counts = Typist(seed), Watch(people), {"refused": 0, "obeyed": 0}
    refusals: list[str] = []
    _refused.set(refusals)
    names = [*PLAYERS, *PLAYERS, *WIZARDS, *WIZARDS, *GUESTS]
    for number in range(count):
        if number % 500 == 0:
            await people.settled()
            await tidy(people, typist.rng)
        name = typist.rng.choice(names)
        person = people[name]
        line = typist.line(people, name)
        await people.settled()
        refusals.clear()
        before, writes = watch.fingerprint(), watch.writes
        whole = whole_state(people.world) if number % 100 == 0 else None
        answer = await person(line)
        if not answer:
            await asyncio.sleep(0)  # odds come a step later
            answer = person.news()
        assert answer or silent(line, person.visitor, watch.writes > writes), f"no answer to {line!r}"
        assert "went wrong" not in answer or "went wrong" in line
        if refusals:
            assert len(answer) < 1200, f"{line!r} is refused at length: {answer}"
            assert watch.fingerprint() == before, f"{name}: {line!r} was refused: {refusals}"
            assert whole is None or whole_state(people.world) == whole, f"{name}: {line!r} was refused: {refusals}"
        counts["refused" if refusals else "obeyed"] += 1
        for other in people.people.values():
            for text in other.told:
                assert not UNSEEN.search(text), f"{line!r} gave {text!r}"
        assert not UNSEEN.search(answer), f"{line!r} gave {answer!r}"
        people.hush()
        if person.visitor.gone:
            word = visible(line).split()[0].casefold()
            assert word in ("quit", "exit", "logout"), f"{line!r} has thrown {name} out"
            await people.leave(name)
            await people.world.store.commit(statements.change_account(name.casefold(), password=people.hash))
            await people.enter(name)
    await people.settled()
    return counts


async def test_thirty_thousand_lines(crowd: Callable[..., Any], caplog: pytest.LogCaptureFixture) -> None:
    async with AsyncExitStack() as open_worlds:
        # Several worlds side by side, because each spends most of its time waiting for its database.
        worlds = [
            await open_worlds.enter_async_context(crowd(*PLAYERS, *GUESTS, wizards=WIZARDS, dice=dice))
            for _ in range(WORLDS)
        ]
        lines = LINES // WORLDS
        counts = await asyncio.gather(*(type_lines(people, lines, seed) for seed, people in enumerate(worlds)))
        for people, count in zip(worlds, counts, strict=True):
            await check_stored(people.world)
            assert min(count.values()) > lines // 6, count
            assert people.world.combats.last_number > lines // 1000
    assert [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING] == []


async def test_lines_between_closing_and_opening(
    crowd: Callable[..., Any], store_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    """A world that is closed and opened again has every fight where it stood."""
    async with crowd(*PLAYERS, *GUESTS, wizards=WIZARDS, dice=dice, url=store_url) as people:
        for seed in range(3):
            await type_lines(people, 400, 100 + seed)
            before = whole_state(people.world)
            for name in (*PLAYERS, *WIZARDS):
                await people.world.store.commit(statements.change_account(name.casefold(), password=people.hash))
            await people.restart()
            for place in list(people.world.combats):
                await people.awake(place)
            assert sorted(whole_state(people.world), key=lambda state: state[0]) == sorted(before, key=lambda s: s[0])
            await check_stored(people.world)
    assert [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING] == []


async def test_everybody_types_at_once(crowd: Callable[..., Any], caplog: pytest.LogCaptureFixture) -> None:
    """Lines that are obeyed side by side: what is stored is still what is in memory."""

    async def type_on(people: Any, name: str, seed: int) -> None:
        typist = Typist(seed)
        for _ in range(300):
            line = typist.line(people, name)
            if not re.search("quit|exit|logout", line, re.IGNORECASE):
                await people[name](line)

    _refused.set([])
    async with crowd(*PLAYERS, *GUESTS, wizards=WIZARDS, dice=dice) as people:
        await tidy(people, random.Random(1))
        names = [*PLAYERS, *WIZARDS, *GUESTS]
        await asyncio.gather(*(type_on(people, name, seed) for seed, name in enumerate(names)))
        await people.settled()
        await check_stored(people.world)
    assert [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING] == []
