"""Who may what: every command and subcommand, tried by everybody, against one table that a person can read."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from affray.world.commands.combat.registry import SUBCOMMANDS
from affray.world.commands.registry import COMMANDS

Crowds = Callable[..., Any]

# The columns: a guest; a player who takes no part; one who takes part; the owner of the combat; a wizard.
# `yes` may, `-` may not. The line is typed where a combat is of the phase written before it.
TABLE = """
                                             guest  player  fighter  owner  wizard
setup    say hello                             yes     yes      yes    yes     yes
setup    pose waves                            yes     yes      yes    yes     yes
setup    whisper Second hello                  yes     yes      yes    yes     yes
setup    roll 3d6                              yes     yes      yes    yes     yes
setup    look                                  yes     yes      yes    yes     yes
setup    go out                                yes     yes      yes    yes     yes
setup    who                                   yes     yes      yes    yes     yes
setup    turns                                   -     yes      yes    yes     yes
setup    quit                                  yes     yes      yes    yes     yes
setup    help                                  yes     yes      yes    yes     yes
setup    set_attr me note[INTEGER]=1             -     yes      yes    yes     yes
setup    set_attr Absent note[INTEGER]=1         -       -        -      -     yes
setup    get_attr me                             -     yes      yes    yes     yes
setup    get_attr Absent                         -       -        -      -     yes
setup    unset_attr me grapple_ad                -     yes      yes    yes     yes
setup    unset_attr Absent grapple_ad            -       -        -      -     yes
setup    profile                                 -     yes      yes    yes     yes
setup    profile Second                        yes     yes      yes    yes     yes
setup    prefer ratings on                       -     yes      yes    yes     yes
setup    password                                -     yes      yes    yes     yes
setup    notifications                           -     yes      yes    yes     yes
setup    kept                                    -     yes      yes    yes     yes
setup    combat keep party band monsters         -       -        -    yes     yes
setup    import party band {}                    -     yes      yes    yes     yes
setup    duplicate party band other              -     yes      yes    yes     yes
setup    forget party band                       -     yes      yes    yes     yes
setup    recover band rest                       -     yes      yes    yes     yes
setup    care                                    -     yes        -      -     yes
setup    rest                                    -     yes        -      -     yes
setup    heal                                    -     yes        -      -     yes
setup    dig down up Cellar                      -       -        -      -     yes
setup    describe A room.                        -       -        -      -     yes
setup    role Absent wizard                      -       -        -      -     yes
none     combat init other                       -     yes      yes    yes     yes
setup    combat add me villains                  -     yes        -      -     yes
setup    combat add Absent villains              -       -        -    yes     yes
setup    combat remove me                        -       -      yes    yes       -
setup    combat remove Second                    -       -        -    yes     yes
setup    combat add_npc orc goblin monsters      -       -        -    yes     yes
setup    combat remove_npc goblin1               -       -        -    yes     yes
setup    combat use party band monsters          -       -        -    yes     yes
setup    combat start heroes                     -       -        -    yes     yes
setup    combat status                         yes     yes      yes    yes     yes
running  combat move catch breath                -       -      yes    yes       -
running  combat move_npc Second catch breath     -       -        -      -       -
judged   combat move_npc Second catch breath     -       -        -    yes     yes
foes     combat move_npc goblin1 catch breath    -       -        -    yes     yes
running  combat group goblins goblin1            -       -        -    yes     yes
grouped  combat move_group goblin1 c             -       -        -    yes     yes
running  combat auto goblin1 striker             -       -        -    yes     yes
auto     combat manual goblin1                   -       -        -    yes     yes
running  combat odds                             -       -      yes    yes       -
running  combat odds Second                      -       -        -      -       -
judged   combat odds Second                      -       -        -    yes     yes
foes     combat odds goblin1                     -       -        -    yes     yes
running  combat hint                             -       -      yes    yes       -
running  combat hint Second                      -       -        -      -       -
foes     combat hint goblin1                     -       -        -    yes     yes
running  combat offer goblin1                    -       -        -    yes     yes
offered  combat withdraw goblin1                 -       -        -    yes     yes
offered  combat take goblin1 WORD                -     yes        -      -     yes
moved    combat undo                             -       -        -    yes     yes
running  combat intervene set goblin1 sd 3       -       -        -    yes     yes
judged   combat intervene set goblin1 sd 3       -       -        -    yes     yes
running  combat intervene                        -       -        -    yes     yes
judged   combat intervene hide heroes goblin     -       -        -    yes     yes
running  combat intervene hide heroes goblin     -       -        -      -     yes
running  combat intervene roll 3d6               -       -        -    yes     yes
judged   combat intervene veil goblin1           -       -        -    yes     yes
running  combat agree                            -       -      yes    yes     yes
running  combat appoint Fighter                  -       -        -    yes     yes
running  combat resign                           -       -      yes    yes       -
running  combat draw                             -       -      yes    yes       -
drawing  combat decline                          -       -      yes    yes       -
limited  combat default striker                  -       -      yes    yes       -
decided  combat rematch same                     -       -      yes    yes       -
running  combat save                             -       -        -    yes     yes
saved    combat restore                          -       -        -    yes     yes
moved    combat fork 2 again                     -       -        -    yes     yes
running  combat end                              -       -        -    yes     yes
running  combat log                              -     yes      yes    yes     yes
running  combat hand                             -       -      yes    yes       -
running  combat accept                           -     yes      yes    yes     yes
running  combat refuse                           -     yes      yes    yes     yes
travel   combat leave                            -       -      yes    yes       -
travel   combat why                            yes     yes      yes    yes     yes
none     journey init trip                       -     yes      yes    yes     yes
running  combat watch                          yes     yes      yes    yes     yes
watched  combat unwatch                        yes     yes      yes    yes     yes
"""
HEADING, *ROWS = TABLE.strip("\n").splitlines()
ROLES = HEADING.split()
WHO = {"guest": "Guest1", "player": "Other", "fighter": "Fighter", "owner": "Owner", "wizard": "Merlin"}
PEOPLE = ("Guest1", "Other", "Fighter", "Second", "Owner")
CASES = [
    (row[:8].strip(), row[9:45].strip(), role, may == "yes")
    for row in ROWS
    for role, may in zip(ROLES, row[45:].split(), strict=True)
]
PHASES = {
    "none": [],
    "setup": [],
    "running": ["combat start heroes"],
    "auto": ["combat auto goblin1 striker"],
    "judged": ["combat start heroes"],
    "foes": ["combat start monsters"],
    "grouped": ["combat start monsters", "combat group goblins goblin1"],
    "moved": ["combat start heroes", "combat move catch breath"],
    "saved": ["combat start heroes", "combat save"],
    "watched": [],
    "offered": ["combat start heroes"],
    "travel": [],
    "limited": ["combat start heroes"],
    "drawing": ["combat start heroes"],
    "decided": ["combat start heroes", "combat draw"],
}
FIGHT = (
    "combat init myfight",
    "combat add me heroes",
    "combat add Fighter heroes",
    "combat add Second heroes",
    "combat add_npc goblin1 goblin monsters",
)
JOURNEY = ("journey init trip", "journey join", "journey add Fighter", "journey start")


async def test_every_command_has_a_row(crowd: Any) -> None:
    lines = [line.split() for _, line, _, _ in CASES]
    async with crowd():  # where systems have brought theirs
        assert {words[0] for words in lines} == set(COMMANDS)
        assert {words[1] for words in lines if words[0] == "combat"} == set(SUBCOMMANDS)


async def fingerprint(people: Any) -> str:
    """Everything that is stored, and everything about the combats and the people in memory."""
    world = people.world
    stored = await world.store.everything()
    memory = [
        [c.number, c.head(), c.status(), c.movers, c.saved, sorted(c.watchers), c.roster.as_table()]
        for c in world.combats.values()
    ]
    people_now = [(visitor.name, visitor.role, str(visitor.place), visitor.secret) for visitor in world.people.visitors]
    return json.dumps([str(stored), memory, people_now])


async def prepare(people: Any, phase: str) -> None:
    """Owner, Fighter and Second on one team, a goblin on the other; or a journey of Owner and Fighter."""
    await people.make("Absent")
    await people.leave("Absent")
    if phase == "none":
        return
    for line in JOURNEY if phase == "travel" else FIGHT:
        if phase != "judged" or " me " not in line:  # there the owner does not fight
            await people["Owner"](line.replace("myfight", "myfight clock=3d/move") if phase == "limited" else line)
    for line in PHASES[phase]:
        assert (await people["Owner"](line)).startswith(("+", "Combat saved"))
    if phase == "offered":
        combat = people.world.combats["tavern"]
        combat.member("goblin1").invitation = "WORD"
    if phase == "drawing":
        await people["Fighter"]("combat draw")
    if phase == "watched":
        for person in people.people.values():
            await person("combat watch")


@pytest.mark.parametrize("phase", PHASES)
async def test_who_may_not(crowd: Crowds, phase: str) -> None:
    """All that is refused in one phase, one after another: none of it changes anything."""
    async with crowd(*PEOPLE, wizards=["Merlin"]) as people:
        await prepare(people, phase)
        before = await fingerprint(people)
        for line, role in [(line, role) for at, line, role, may in CASES if at == phase and not may]:
            people.hush()
            answer = await people[WHO[role]](line)
            assert refused(answer), f"{role}: {line}: {answer}"
            assert await fingerprint(people) == before, f"{role}: {line}"
            assert all(not other.told for other in people.people.values()), "others hear nothing of what was refused"


ALLOWED = [(phase, line, role) for phase, line, role, may in CASES if may]


@pytest.mark.parametrize(("phase", "line", "role"), ALLOWED, ids=[f"{role}: {line}" for _, line, role in ALLOWED])
async def test_who_may(crowd: Crowds, phase: str, line: str, role: str) -> None:
    async with crowd(*PEOPLE, wizards=["Merlin"]) as people:
        await prepare(people, phase)
        answer = await people[WHO[role]](line)
        assert not refused(answer), answer


def refused(answer: str) -> bool:
    """Whether an answer says that something may not be, or cannot be, done."""
    words = ("only ", "guests can only", "does not take part", "already", "is not on a team", "you cannot ")
    words += ("needs an account",)
    return len(answer.splitlines()) == 1 and any(word in answer.lower() for word in words)
