"""What is told of a combat: the document's example character by character, the status table, and whole fights."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from affray.fight import Fight
from affray.kernel.chance import Scripted
from affray.systems.grapple import events, sheets

Scenery = Callable[..., Any]
GOLDEN = sorted((Path(__file__).parent / "golden").glob("*.txt"))
REWRITE = "AFFRAY_REWRITE_GOLDEN"

# The document's example fight. Ahalish has 6 AD in all of its tables; goblin2's first move is left out there and
# follows from the tables around it: 2 AD, 3 successes.
EXAMPLE = """\
+ Combat has started!
=====================================
Round: 1
- - - - - - - - - - - - - - - - - -
heroes <-            S4 S3 S2 AD/AP SD DEF WOUNDS
---------            -- -- -- ----- -- --- ------
Ahalish <-           ac co en  6/10  0   3
- - - - - - - - - - - - - - - - - -
monsters             S4 S3 S2 AD/AP SD DEF WOUNDS
--------             -- -- -- ----- -- --- ------
goblin1                    en   3/6  2   1
goblin2                    en   3/6  2   1
=====================================
> Ahalish: maneuver 3 co (4 of 6)
+ Ahalish moves: The maneuver succeeds (4/6): AD-3=3 SD+4+0=4
  New team moving: monsters
=====================================
Round: 1
- - - - - - - - - - - - - - - - - -
heroes               S4 S3 S2 AD/AP SD DEF WOUNDS
------               -- -- -- ----- -- --- ------
Ahalish              ac CO en  3/10  4   3
- - - - - - - - - - - - - - - - - -
monsters <-          S4 S3 S2 AD/AP SD DEF WOUNDS
-----------          -- -- -- ----- -- --- ------
goblin1 <-                 en   3/6  2   1
goblin2 <-                 en   3/6  2   1
=====================================
> goblin1: maneuver 2 en (4 of 4)
+ goblin1 moves: The maneuver succeeds (4/4): AD-2=1 SD+4+0=6
=====================================
Round: 1
- - - - - - - - - - - - - - - - - -
heroes               S4 S3 S2 AD/AP SD DEF WOUNDS
------               -- -- -- ----- -- --- ------
Ahalish              ac CO en  3/10  4   3
- - - - - - - - - - - - - - - - - -
monsters <-          S4 S3 S2 AD/AP SD DEF WOUNDS
-----------          -- -- -- ----- -- --- ------
goblin1                    EN   1/6  6   1
goblin2 <-                 en   3/6  2   1
=====================================
> goblin2: maneuver 2 en (3 of 4)
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
> Ahalish: strike 2 goblin1 (2 of 2)
+ Ahalish moves: The strike succeeds (2/2 vs. 1): SD-2=2 Wounds=2
  New team moving: monsters
=====================================
Round: 2
- - - - - - - - - - - - - - - - - -
heroes               S4 S3 S2 AD/AP SD DEF WOUNDS
------               -- -- -- ----- -- --- ------
Ahalish              ac CO en  3/10  2   3
- - - - - - - - - - - - - - - - - -
monsters <-          S4 S3 S2 AD/AP SD DEF WOUNDS
-----------          -- -- -- ----- -- --- ------
goblin1                    EN   1/6  6   1     XX
goblin2 <-                 EN   1/6  5   1
=====================================
> goblin2: strike 4 Ahalish (4 of 4)
+ goblin2 moves: The strike succeeds (4/4 vs. 3): SD-4=1 Wounds=1
  New round:       3
  New team moving: heroes
=====================================
Round: 3
- - - - - - - - - - - - - - - - - -
heroes <-            S4 S3 S2 AD/AP SD DEF WOUNDS
---------            -- -- -- ----- -- --- ------
Ahalish <-           ac CO en  3/10  2   3      *
- - - - - - - - - - - - - - - - - -
monsters             S4 S3 S2 AD/AP SD DEF WOUNDS
--------             -- -- -- ----- -- --- ------
goblin1                    EN   1/6  6   1     XX
goblin2                    EN   1/6  1   1
=====================================
> Ahalish: skill 2 endurance (1 of 2)
+ Ahalish moves: The skill action fails (1/2 vs 2). No SD were spent.
  New team moving: monsters
=====================================
Round: 3
- - - - - - - - - - - - - - - - - -
heroes               S4 S3 S2 AD/AP SD DEF WOUNDS
------               -- -- -- ----- -- --- ------
Ahalish              ac CO en  3/10  2   3      *
- - - - - - - - - - - - - - - - - -
monsters <-          S4 S3 S2 AD/AP SD DEF WOUNDS
-----------          -- -- -- ----- -- --- ------
goblin1                    EN   1/6  6   1     XX
goblin2 <-                 EN   1/6  1   1
=====================================
> goblin2: skill 1 en (0 of 1)
+ goblin2 moves: The skill action fails (0/1 vs 2). No SD were spent.
  New round:       4
  New team moving: heroes
=====================================
Round: 4
- - - - - - - - - - - - - - - - - -
heroes <-            S4 S3 S2 AD/AP SD DEF WOUNDS
---------            -- -- -- ----- -- --- ------
Ahalish <-           ac CO en  3/10  2   3      *
- - - - - - - - - - - - - - - - - -
monsters             S4 S3 S2 AD/AP SD DEF WOUNDS
--------             -- -- -- ----- -- --- ------
goblin1                    EN   1/6  6   1     XX
goblin2                    EN   1/6  1   1
=====================================
> Ahalish: catch breath
+ Ahalish moves: Catching breath succeeds: AD+3=6
  New team moving: monsters
=====================================
Round: 4
- - - - - - - - - - - - - - - - - -
heroes               S4 S3 S2 AD/AP SD DEF WOUNDS
------               -- -- -- ----- -- --- ------
Ahalish              ac CO en  6/10  2   3      *
- - - - - - - - - - - - - - - - - -
monsters <-          S4 S3 S2 AD/AP SD DEF WOUNDS
-----------          -- -- -- ----- -- --- ------
goblin1                    EN   1/6  6   1     XX
goblin2 <-                 EN   1/6  1   1
=====================================
> goblin2: catch breath
+ goblin2 moves: Catching breath succeeds: AD+3=4
  New round:       5
  New team moving: heroes
=====================================
Round: 5
- - - - - - - - - - - - - - - - - -
heroes <-            S4 S3 S2 AD/AP SD DEF WOUNDS
---------            -- -- -- ----- -- --- ------
Ahalish <-           ac CO en  6/10  2   3      *
- - - - - - - - - - - - - - - - - -
monsters             S4 S3 S2 AD/AP SD DEF WOUNDS
--------             -- -- -- ----- -- --- ------
goblin1                    EN   1/6  6   1     XX
goblin2                    EN   4/6  1   1
=====================================
> Ahalish: strike 2 goblin2 (2 of 2)
+ Ahalish moves: The strike succeeds (2/2 vs. 1): SD-2=0 Wounds=2
  COMBAT IS OVER! Winning team: heroes
=====================================
COMBAT IS OVER! Winning team: heroes
- - - - - - - - - - - - - - - - - -
heroes <-            S4 S3 S2 AD/AP SD DEF WOUNDS
---------            -- -- -- ----- -- --- ------
Ahalish              ac CO en  6/10  0   3      *
- - - - - - - - - - - - - - - - - -
monsters             S4 S3 S2 AD/AP SD DEF WOUNDS
--------             -- -- -- ----- -- --- ------
goblin1                    EN   1/6  6   1     XX
goblin2                    EN   4/6  1   1     XX
=====================================
"""
TURN = re.compile(r"> (?P<who>\w+): (?P<move>.*?)(?: \((?P<hits>\d) of (?P<dice>\d)\))?\n")


def example(profile: str = "document") -> tuple[Fight, str]:
    """The example fight as it comes out of the rules, in the form of the text above."""
    dice = Scripted([])
    npcs: list[Any] = [sheets.npc_of(name, "::en:6:1:2:3:2").as_table() for name in ("goblin1", "goblin2")]
    teams = {"heroes": ["ahalish:ad=6"], "monsters": npcs}
    fight = Fight("grapple", teams, dice=dice, options={"profile": profile})
    shown = f"{fight.story}\n{fight.status()}\n"
    for turn in TURN.finditer(EXAMPLE):
        if turn["dice"]:
            hits, count = int(turn["hits"]), int(turn["dice"])
            dice.results.append((6,) * hits + (1,) * (count - hits))
        told = fight.play(turn["who"], turn["move"])
        shown += turn[0] + "".join(f"{line}\n" for line in told) + fight.status() + "\n"
        dice.finish()
    return fight, shown


@pytest.mark.parametrize("profile", sheets.PROFILES)
def test_the_documents_example_line_by_line_and_every_table_character_by_character(profile: str) -> None:
    fight, shown = example(profile)
    assert shown == EXAMPLE
    assert fight.ending == "heroes"


def test_the_example_above_is_the_one_of_the_document(shared: Path) -> None:
    document = (shared / "sources" / "grapple.md").read_text(encoding="utf-8")
    frame = "=" * 37
    tables = re.findall(rf"{frame}\n.*?{frame}\n", document, re.DOTALL)
    ours = re.findall(rf"{frame}\n.*?{frame}\n", EXAMPLE, re.DOTALL)
    assert len(tables) == 10
    assert [table for table in ours if table in tables] == tables
    assert len(ours) == 11, "one more: after the move that the document leaves out"
    running = document[document.index("## Running Combat") :]
    lines = re.findall(r"^(\+ (?:\w+ moves|Combat has started).*|  (?:New|COMBAT).*)$", running, re.MULTILINE)
    told = [line for line in EXAMPLE.splitlines() if line.startswith(("+ ", "  "))]
    for line in lines:
        assert line in told
    assert [line for line in lines if line.startswith("+")] == [
        line for line in told if line.startswith("+") and not line.startswith("+ goblin2 moves: The maneuver")
    ]


# The status table


def test_every_line_of_the_frame(duel: Scenery) -> None:
    lines = duel().fight.status().splitlines()
    assert lines[0] == lines[-1] == "=" * 37
    assert lines[1] == "Round: 1"
    assert lines[2] == lines[6] == ("- " * 18).strip()
    assert len(lines) == 11


def test_names_are_cut_at_20_the_arrow_included_and_rows_are_sorted_by_name(brawl: Scenery) -> None:
    team = "a-team-with-a-very-long-name"
    scene = brawl(**{team: ["zoe", "Maximilian-the-Greater", "Maximilian-the-Great"], "b": ["abe", "Zed"]})
    assert scene.fight.status().splitlines()[3:-1] == [
        "a-team-with-a-very-l S4 S3 S2 AD/AP SD DEF WOUNDS",
        "-------------------- -- -- -- ----- -- --- ------",
        "Maximilian-the-Great ac co en  5/10  0   3",
        "Maximilian-the-Great ac co en  5/10  0   3",
        "zoe <-               ac co en  5/10  0   3",
        "- - - - - - - - - - - - - - - - - -",
        "b                    S4 S3 S2 AD/AP SD DEF WOUNDS",
        "-                    -- -- -- ----- -- --- ------",
        "Zed                  ac co en  5/10  0   3",
        "abe                  ac co en  5/10  0   3",
    ]


def test_a_name_of_18_keeps_half_an_arrow(brawl: Scenery) -> None:
    scene = brawl(heroes=["x" * 17, "y" * 18, "z" * 19], villains=["Bob"])
    names = [line[:20] for line in scene.fight.status().splitlines()[5:8]]
    assert names == ["x" * 17 + " <-", "y" * 18 + " <", "z" * 19 + " "]


@pytest.mark.parametrize(
    ("stats", "skills"),
    [
        ("ac:::6:1:2:3:2", "ac      "),
        (":co::6:1:2:3:2", "   co   "),
        ("::en:6:1:2:3:2", "      en"),
        ("ac::en:6:1:2:3:2", "ac    en"),
    ],
)
def test_an_empty_skill_slot_is_blank(stats: str, skills: str) -> None:
    fight = Fight("grapple", {"a": [stats], "b": ["goblin"]}, seed=1)
    assert fight.status().splitlines()[5] == f"npc <-               {skills}   3/6  2   1"


def test_marked_skills_are_in_capital_letters(duel: Scenery) -> None:
    scene = duel({"ad": 10})
    for skill, shown in (("en", "ac co EN"), ("ac", "AC co EN"), ("co", "AC CO EN"), ("en", "ac co EN")):
        scene.move("Ada", f"maneuver 1 {skill}", dice=1 + {"ac": 4, "co": 3, "en": 2}[skill], hits=1)
        assert shown in scene.rows()["Ada"]
        scene.breathe("Bob")


@pytest.mark.parametrize("most", range(1, 6))
def test_wounds_are_stars_while_standing_and_crosses_when_knocked_out(duel: Scenery, most: int) -> None:
    for wounds in range(most + 1):
        row = duel({}, {"max_wounds": most, "wounds": wounds}).rows()["Bob"]
        symbols = ("X" if wounds == most else "*") * wounds
        assert row == f"Bob                  ac co en  5/10  0   3 {symbols:>6}".rstrip()


def test_the_columns_stand_right(duel: Scenery) -> None:
    row = duel({"ap": 20, "ad": 20, "sd": 42, "defense": 6}).rows()["Ada"]
    assert row == "Ada <-               ac co en 20/20 42   6"


def test_teams_are_listed_in_moving_order() -> None:
    roster = {f"t{number}": [f"goblin:name=g{number}"] for number in range(4)}
    fight = Fight("grapple", roster, dice=Scripted([(2,), (0,), (1,)]), options={"listed_teams": 0})
    headings = [line.split()[0] for line in fight.status().splitlines() if " S4 " in line]
    assert headings == [f"t{fight.state.order[place]}" for place in range(4)]
    assert headings[0] == "t2"
    assert fight.status().splitlines()[3].startswith("t2 <-")


def test_the_arrow_goes_with_the_moving_team_and_whoever_has_still_to_move(brawl: Scenery) -> None:
    scene = brawl(heroes=["Ada", "Amy"], villains=["Bob"])
    scene.breathe("Ada")
    arrows = [line[:20].rstrip() for line in scene.fight.status().splitlines() if "<-" in line]
    assert arrows == ["heroes <-", "Amy <-"]
    scene.breathe("Amy")
    arrows = [line[:20].rstrip() for line in scene.fight.status().splitlines() if "<-" in line]
    assert arrows == ["villains <-", "Bob <-"]


def test_nothing_is_wider_than_80_columns() -> None:
    loaded = {"name": "y" * 40, "skill4": "ac", "skill3": "co", "skill2": "en", "ap": 20, "ad": 20, "sd": 999}
    fight = Fight("grapple", {"x" * 40: [{**loaded, "max_wounds": 5, "wounds": 4}], "b": ["goblin"]}, seed=1)
    assert max(map(len, fight.status().splitlines())) <= 80


def test_the_gauges_show_what_is_left_to_a_knock_out_and_the_dice(duel: Scenery) -> None:
    scene = duel({"wounds": 1, "ad": 4, "sd": 7})
    shown = [
        (gauge.name, gauge.value, gauge.most)
        for gauge in scene.fight.system.gauges(scene.fight.setup, scene.fight.state, 0)
    ]
    assert shown == [("Wounds to go", 2, 3), ("AD", 4, 10), ("SD", 7, 7)]


def test_nothing_is_hidden(duel: Scenery) -> None:
    fight = duel({"sd": 3}).fight
    for viewer in (None, 0, 1):
        assert fight.setup.view(fight.state, viewer) == fight.state
        assert fight.setup.view(fight.state, viewer) is not fight.state


def test_every_line_of_a_story_cites_its_rules() -> None:
    fight, _ = example()
    for number, line in enumerate(fight.lines):
        assert fight.why(number), line
    strike = next(n for n, line in enumerate(fight.lines) if line.event.kind == events.STRIKES)
    assert [ruling.id for ruling in fight.why(strike)] == ["strike", "wounds"]


# Whole fights


def replayed(head: str) -> tuple[Fight, str]:
    """The fight of a golden file: its first lines name teams, options and seed, then one line for each move."""
    entries, _, moves = head.partition("\nmoves:\n")
    given = dict(line.split(": ", 1) for line in entries.strip().splitlines())
    options = dict(part.split("=") for part in given.get("options", "").split() if part)
    fight = Fight("grapple", given["teams"], seed=int(given["seed"]), options=options)
    for line in moves.strip().splitlines():
        who, _, move = line.partition(": ")
        fight.play(who, move)
    return fight, head


@pytest.mark.parametrize("file", GOLDEN, ids=lambda file: file.stem)
def test_a_whole_fight_is_told_as_it_was_read_and_found_right(file: Path) -> None:
    head, rule, _ = file.read_text(encoding="utf-8").partition("\n---\n")
    fight, _ = replayed(head)
    assert fight.over
    text = f"{head}{rule}{fight.story}\n{fight.status()}\n"
    if os.environ.get(REWRITE):
        file.write_text(text, encoding="utf-8")
    assert text == file.read_text(encoding="utf-8"), f"read what is new; {REWRITE}=1 takes it over"


def test_the_golden_fights_show_every_event_and_most_skills() -> None:
    kinds, skills = set(), set()
    for file in GOLDEN:
        fight, _ = replayed(file.read_text(encoding="utf-8").partition("\n---\n")[0])
        kinds |= {line.event.kind.name for line in fight.lines}
        skills |= {line.event.skill for line in fight.lines if line.event.kind == events.ACTS}
    named = "STARTS MANEUVERS MANEUVER_FAILS STRIKES STRIKE_FAILS ACTS ACTION_FAILS CATCHES ROUND TEAM OVER"
    assert kinds == set(named.split())
    assert len(skills) >= 6
