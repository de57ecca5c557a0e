"""Every row of the four result tables, each side of each choice, by what happens to both sides in a fight."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from affray.kernel.state import STANDING
from affray.systems.deckahedron import rules, tables

Scenery = Callable[..., Any]
CARD = {"✔✔": 11, "✔": 12, "✗": 2, "✗✗": 1}  # what these cards show to rank 2

# Laid out like the document, row by row. `d4` are the dice that fall, first the attacker's; a row with a choice
# stands here once for each side of it, under the word by which it is chosen. "You" are the attacker.

UNAWARE = """
    row  | d4 | choice | you | foe
    ✔✔   | 3  |        |     | loses 3
    ✔    | 2  |        |     | loses 2
    ✗    |    |        |     |
    ✗✗   |    |        |     |
"""

RANGED = """
    row      | d4 | choice  | you                | foe
    ✔✔ v ✔✔  | 3  |         |                    | loses 3, may move
    ✔✔ v ✔   |    |         |                    | loses 1, pinned
    ✔✔ v ✗   | 4  |         |                    | loses 4, pinned
    ✔✔ v ✗✗  | 3  |         |                    | loses 3, harm

    ✔ v ✔✔   |    |         |                    | loses 1, may move
    ✔ v ✔    |    | fatigue |                    | loses 1
    ✔ v ✔    |    | pin     |                    | pinned
    ✔ v ✗    | 2  | fatigue |                    | loses 2
    ✔ v ✗    |    | pin     |                    | pinned
    ✔ v ✗✗   | 4  |         |                    | loses 4, pinned

    ✗ v ✔✔   |    |         | loses ammo         | may move
    ✗ v ✔    |    |         | loses ammo         |
    ✗ v ✗    |    |         |                    |
    ✗ v ✗✗   |    |         |                    | pinned

    ✗✗ v ✔✔  |    |         | loses 1, loses ammo |
    ✗✗ v ✔   |    |         | loses ammo         | may move
    ✗✗ v ✗   |    |         | loses ammo         |
    ✗✗ v ✗✗  |    |         | loses ammo         | pinned
"""

MELEE = """
    row      | d4  | choice      | you                 | foe
    ✔✔ v ✔✔  | 3 2 |             | loses 2             | loses 3
    ✔✔ v ✔   | 4   |             | loses 1             | loses 4
    ✔✔ v ✗   | 3   |             |                     | loses 3
    ✔✔ v ✗✗  | 3   | fatigue     |                     | loses 4
    ✔✔ v ✗✗  |     | wound       |                     | loses 1, wound

    ✔ v ✔✔   | 4   |             | loses 4             | loses 1
    ✔ v ✔    |     |             | loses 1             | loses 1
    ✔ v ✗    | 2   |             |                     | loses 2
    ✔ v ✗✗   | 3   | fatigue     |                     | loses 3
    ✔ v ✗✗   |     | harm        |                     | loses 1, harm

    ✗ v ✔✔   | 3   | take        | loses 3             |
    ✗ v ✔✔   |     | drop weapon | drops weapon        |
    ✗ v ✔✔   |     | drop bow    | drops bow           |
    ✗ v ✔    |     |             | loses 1             |
    ✗ v ✗    |     |             | clashes             | clashes
    ✗ v ✗✗   |     |             |                     | no fatigue

    ✗✗ v ✔✔  | 4   |             | loses 4             |
    ✗✗ v ✔   | 2   | take        | loses 2             |
    ✗✗ v ✔   |     | drop weapon | drops weapon        |
    ✗✗ v ✔   |     | drop bow    | drops bow           |
    ✗✗ v ✗   |     |             | ground, no fatigue  |
    ✗✗ v ✗✗  |     |             | ground, no fatigue  | ground, no fatigue
"""

BREATHER = """
    row  | d4 | choice | you       | foe
    ✔✔   | 3  |        | regains 3 |
    ✔    | 2  |        | regains 2 | superior
    ✗    |    |        | regains 1 | superior
    ✗✗   |    |        |           | superior
"""

CHOICES = {
    ("RANGED", "✔ v ✔"): ["fatigue", "pin"],
    ("RANGED", "✔ v ✗"): ["fatigue", "pin"],
    ("MELEE", "✔✔ v ✗✗"): ["fatigue", "wound"],
    ("MELEE", "✔ v ✗✗"): ["fatigue", "harm"],
    ("MELEE", "✗ v ✔✔"): ["take", "drop weapon", "drop bow"],
    ("MELEE", "✗✗ v ✔"): ["take", "drop weapon", "drop bow"],
}


def rows(table: str) -> list[Any]:
    """The lines of a table as parameters: the row, its dice, the choice, and what comes of it for both."""
    read = [[cell.strip() for cell in line.split("|")] for line in table.splitlines() if "|" in line]
    return [
        pytest.param(row, [f"d{pip}" for pip in d4.split()], choice, listed(you), listed(foe), id=f"{row} {choice}")
        for row, d4, choice, you, foe in read[1:]
    ]


def listed(cell: str) -> set[str]:
    return {part.strip() for part in cell.split(",") if part.strip()}


def snapshot(scene: Any, who: str) -> dict[str, int]:
    fighter = scene[who]
    return {
        "lost": scene.lost(who),
        "harm": fighter.harm,
        "wound": fighter.wounds,
        "pinned": fighter.pinned,
        "no fatigue": int(fighter.stunned > 0),
        "superior": int(fighter.superior > 0),
        "ammo": fighter.ammo,
        "weapon": rules.weapon(fighter, rules.MELEE_WEAPON),
        "bow": rules.weapon(fighter, rules.RANGED_WEAPON),
        "near": fighter.near,
        "tokens": fighter.tokens,
        "standing": int(fighter.state == STANDING),
    }


def changed(before: dict[str, int], after: dict[str, int], told: list[str], who: str) -> set[str]:
    """What has become of a fighter, in the words of the tables here."""
    found = set()
    for what, was in before.items():
        now = after[what]
        if now == was:
            continue
        if what == "lost":
            found.add(f"loses {now - was}" if now > was else f"regains {was - now}")
        elif what == "ammo" and now == was - 1:
            found.add("loses ammo")
        elif what in ("weapon", "bow") and (was, now) == (rules.HELD, rules.DROPPED):
            found.add(f"drops {what}")
        else:
            assert (was, now) == (0, 1), (what, was, now)
            found.add(what)
    if any("to the ground" in line and line.startswith(who) for line in told):
        found.add("ground")
    if any("clash" in line and who in line for line in told):
        found.add("clashes")
    return found


def check_row(scene: Any, row: str, told: list[str], table: str, choice: str, dice: list[str]) -> list[str]:
    """Answer the choice of a row, if it leaves one: it is the attacker's alone."""
    offered = CHOICES.get((table, row))
    if offered is None:
        assert not choice
        return told
    assert (scene.to_act, scene.legal("Ada")) == (["Ada"], offered)
    return told + scene.move("Ada", choice, *dice)


def check_effects(scene: Any, before: list[dict[str, int]], told: list[str], you: set[str], foe: set[str]) -> None:
    """Both sides have exactly what the row says; a foe who may move is asked, and declines."""
    if "may move" in foe:
        assert (scene.to_act, scene.legal("Bob")) == (["Bob"], ["stay", "move"])
    after = [snapshot(scene, "Ada"), snapshot(scene, "Bob")]
    assert changed(before[0], after[0], told, "Ada") == you
    assert changed(before[1], after[1], told, "Bob") == foe - {"may move"}
    if "may move" in foe:
        scene.move("Bob", "stay")
    assert scene.to_act == ["Ada"]
    assert scene.legal("Ada") == ["keep", "reshuffle"], "the row is done, and Ada's action with it"


@pytest.mark.parametrize(("row", "dice", "choice", "you", "foe"), rows(MELEE))
def test_melee(duel: Scenery, row: str, dice: list[str], choice: str, you: set[str], foe: set[str]) -> None:
    scene = duel({"ranged": "held"})
    before = [snapshot(scene, "Ada"), snapshot(scene, "Bob")]
    mine, theirs = (CARD[shown] for shown in row.split(" v "))
    told = scene.move("Ada", "attack", mine, theirs, *([] if choice else dice))
    told = check_row(scene, row, told, "MELEE", choice, dice)
    check_effects(scene, before, told, you, foe)


@pytest.mark.parametrize(("row", "dice", "choice", "you", "foe"), rows(RANGED))
def test_ranged(duel: Scenery, row: str, dice: list[str], choice: str, you: set[str], foe: set[str]) -> None:
    scene = duel({"ranged": "held"}, range="far")
    before = [snapshot(scene, "Ada"), snapshot(scene, "Bob")]
    mine, theirs = (CARD[shown] for shown in row.split(" v "))
    told = scene.move("Ada", "shoot", mine, theirs, *([] if choice else dice))
    told = check_row(scene, row, told, "RANGED", choice, dice)
    check_effects(scene, before, told, you, foe)


@pytest.mark.parametrize("weapon", ["attack", "shoot"])
@pytest.mark.parametrize(("row", "dice", "choice", "you", "foe"), rows(UNAWARE))
def test_unaware(
    duel: Scenery, row: str, dice: list[str], choice: str, you: set[str], foe: set[str], weapon: str
) -> None:
    """Only the attacker flips, once; then the foe is aware and everybody flips for the order."""
    scene = duel({"ranged": "held"}, ambush="first")
    before = [snapshot(scene, "Ada"), snapshot(scene, "Bob")]
    assert scene.to_act == ["Ada"]
    cards = [CARD[row]] if weapon == "attack" else [CARD[row], 17]  # at close range the worse of two counts
    told = scene.move("Ada", weapon, *cards, *dice, 4, 3)
    after = [snapshot(scene, "Ada"), snapshot(scene, "Bob")]
    assert changed(before[0], after[0], told, "Ada") == you
    assert changed(before[1], after[1], told, "Bob") == foe
    assert not scene["Bob"].unaware
    assert scene.to_act == ["Ada"]
    assert "wait" in scene.legal("Ada")


@pytest.mark.parametrize("stat", ["int", "dex"])
@pytest.mark.parametrize(("row", "dice", "choice", "you", "foe"), rows(BREATHER))
def test_breather(
    duel: Scenery, row: str, dice: list[str], choice: str, you: set[str], foe: set[str], stat: str
) -> None:
    """In Heroic mode random cards of the pile come back: 13 to 15, if so many do."""
    scene = duel()
    scene.stack("Ada", exhausted=[13, 14, 15, 16, 17])
    before = [snapshot(scene, "Ada"), snapshot(scene, "Bob")]
    back = {"✔✔": [13, 14, 15], "✔": [13, 14], "✗": [13], "✗✗": []}[row]
    told = scene.move("Ada", f"breathe {stat}", CARD[row], *dice, *back)
    check_effects(scene, before, told, you, foe)
    assert scene.piles("Ada")[1] == sorted([CARD[row], *back])


@pytest.mark.parametrize(("table", "count"), [(UNAWARE, 4), (RANGED, 16), (MELEE, 16), (BREATHER, 4)])
def test_every_row_stands_here(table: str, count: int) -> None:
    found = [param.values[0] for param in rows(table)]
    assert len(set(found)) == count
    assert set(found) <= {*CARD, *(f"{mine} v {theirs}" for mine in CARD for theirs in CARD)}


# The tables as data, against the document's own

PHRASES = [
    (r"^critical hit: ", ""),
    (r"^(you )?choose: ", ""),
    (r"^clash.*", "clash"),
    (r"^1d4 fatigue includes a \*Harm\* token", "deal 1d4 with harm"),
    (r"^both are pushed to the ground", "down / foe down"),
    (r"^pushed to the ground - .*", "down"),
    (r"foe deals 1d4 fatigue", "take 1d4"),
    (r"foe deals 1 fatigue", "take 1"),
    (r"1d4 \+ 1 fatigue", "deal 1d4+1"),
    (r"deal a \*Wound\*", "deal wound"),
    (r"deal a \*Harm\*", "deal harm"),
    (r"(?<!deal )(?<!take )(1d4|1) fatigue", r"deal \1 fatigue"),
    (r"lose 1 Stamina", "lose stamina"),
    (r"drop a piece of equipment", "drop"),
    (r"foe can choose to move", "foe may move"),
    (r"foe cannot do fatigue next turn", "foe stunned"),
    (r"simple miss|miss", "nothing"),
    (r"their foe moves to a superior position", "foe superior"),
    (r"character regains nothing and ", ""),
    (r"character regains (1d4|1) Stamina", r"regain \1"),
    (r" fatigue", ""),
    (r" and | / |, but ", " + "),
]


def in_our_words(text: str) -> str:
    for phrase, ours in PHRASES:
        text = re.sub(phrase, ours, text.strip())
    return text


def cells(table: str) -> dict[str, str]:
    """The cells of one of the package's tables by their rows."""
    lines = [[cell.strip() for cell in line.split("|")] for line in table.strip("\n").splitlines()]
    if lines[0][0]:
        return dict(lines)
    return {f"{row} {head}": cell for row, *found in lines[1:] for head, cell in zip(lines[0][1:], found, strict=True)}


def test_the_tables_are_those_of_the_document(shared: Path) -> None:
    text = (shared / "sources" / "deckahedron.md").read_text(encoding="utf-8")
    opposed = [
        (re.sub(" +", " ", row), in_our_words(cell))
        for row, cell in re.findall(r"^ \* (\S+ v \S+) +- (.+)$", text, re.M)
    ]
    alone = [(row, in_our_words(cell)) for row, cell in re.findall(r"^ ([✔✗]+) +\| (.+)$", text, re.M)]
    assert [len(opposed), len(alone)] == [32, 8]
    assert dict(opposed[:16]) == cells(tables.RANGED)
    assert dict(opposed[16:]) == cells(tables.MELEE)
    assert dict(alone[:4]) == cells(tables.BREATHER)
    assert dict(alone[4:]) == cells(tables.UNAWARE)
