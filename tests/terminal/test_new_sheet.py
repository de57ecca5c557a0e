"""`affray sheets new`: an investigator in a minute, asked for or rolled, in a file whose other lines stay."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

import pytest

from affray.system.sheet_files import add_sheet
from affray.systems.mythos.sheets import SHEETS
from affray.terminal import arguments
from affray.terminal.commands import sheets_new
from affray.terminal.screen.keyboard import Plain

FILE = """\
# Those of the old house.

[bo]
base = "boxer"
name = "Bo"  # the elder
skills = { brawl = 75, dodge = 40 }
"""


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    path = tmp_path / "mine.toml"
    path.write_text(FILE)
    return path


# --- rolled ----------------------------------------------------------------------------------------------------------


def test_a_rolled_investigator_is_written_with_comments_and_passes_the_check(affray, tmp_path):
    ran = affray("sheets", "new", "mythos", "--roll", "--seed", "5", "--name", "Ida Crane")
    assert ran.code == 0
    assert ran.err == ""
    text = (tmp_path / "investigators.toml").read_text()
    (table,) = tomllib.loads(text).values()
    sheet = SHEETS.enlist(table)
    assert sheet.name == "Ida Crane"
    assert text.startswith("[ida-crane]\n")
    for line in text.splitlines()[1:]:
        assert re.fullmatch(r"[a-z_]+ = \S.*  # \S.*", line), "every key has a comment beside it"
    assert f"# HP now, of {(sheet.constitution + sheet.size) // 10}\n" in text
    checked = affray("sheets", "check", "investigators.toml", "--system", "mythos")
    assert checked.out == "investigators.toml has 1 valid sheet: ida-crane.\n"


def test_the_newcomer_plays_with_the_command_that_is_shown(affray, interpreted):
    ran = affray("sheets", "new", "mythos", "--roll", "--seed", "5", "--name", "Ida Crane")
    spec = "investigators=investigators.toml#ida-crane"
    assert ran.unfolded.endswith(f"To play: affray play mythos {spec} enemies=ghoul")
    played = affray("play", "mythos", spec, "enemies=zombie", "--seed", "1", "--no-odds")
    assert played.code == 0
    assert "investigators (ida-crane) against enemies (zombie)." in played.out


def test_the_same_seed_rolls_the_same_person(affray, tmp_path):
    for name in ("a", "b", "c"):
        seed = "8" if name == "c" else "7"
        assert affray("sheets", "new", "mythos", "--roll", "--seed", seed, "--to", f"{name}.toml").code == 0
    first, second, other = ((tmp_path / f"{name}.toml").read_text() for name in ("a", "b", "c"))
    assert first == second
    assert first != other


def test_as_json_it_says_where_the_sheet_is_and_what_it_holds(affray, tmp_path):
    ran = affray("sheets", "new", "mythos", "--roll", "--seed", "5", "--to", "mine.toml", "--json")
    said = json.loads(ran.out)
    assert said["file"] == "mine.toml"
    assert tomllib.loads((tmp_path / "mine.toml").read_text()) == {said["id"]: said["sheet"]}


def test_other_lines_of_the_file_stay_as_they_are(affray, mine):
    assert affray("sheets", "new", "mythos", "--roll", "--name", "Ida", "--to", str(mine)).code == 0
    assert mine.read_text().startswith(FILE + "\n[ida]\n")
    assert not mine.with_name("mine.toml.part").exists()
    checked = affray("sheets", "check", "mine.toml", "--system", "mythos")
    assert checked.out == "mine.toml has 2 valid sheets: bo, ida.\n"


def test_a_file_whose_last_line_is_not_ended_is_no_trouble(affray, mine):
    mine.write_text(FILE.rstrip("\n"))
    assert affray("sheets", "new", "mythos", "--roll", "--name", "Ida", "--to", str(mine)).code == 0
    assert mine.read_text().startswith(FILE + "\n[ida]\n")


# --- asked -----------------------------------------------------------------------------------------------------------


def test_enter_takes_what_is_suggested(affray, tmp_path):
    ran = affray("sheets", "new", "mythos", "--seed", "5", typed="\n" * 20)
    assert ran.code == 0
    rolled = affray("sheets", "new", "mythos", "--seed", "5", "--roll", "--to", "rolled.toml")
    assert rolled.code == 0
    assert (tmp_path / "investigators.toml").read_text() == (tmp_path / "rolled.toml").read_text()


def test_answers_are_taken_and_bad_ones_asked_again(affray, tmp_path):
    typed = "Ida\nrolled\nstr 80\nkeep\nfighter\nbrawl 140\nbrawl 65\nblackjak\nblackjack\nbeedy eye\nbeady eye\n\n\n"
    ran = affray("sheets", "new", "mythos", typed=typed)
    assert ran.code == 0
    assert "Skills.brawl must be 1 to 100, not 140." in ran.out
    assert "There is no weapon 'blackjak'; did you mean blackjack" in ran.unfolded
    assert "There is no perk 'beedy-eye'; did you mean beady-eye?" in ran.unfolded
    (table,) = tomllib.loads((tmp_path / "investigators.toml").read_text()).values()
    assert (table["name"], table["strength"]) == ("Ida", 80)
    assert (table["skills"], table["weapons"], table["perks"]) == ({"brawl": 65}, ["blackjack"], ["beady-eye"])


def test_a_question_mark_explains_and_asks_again(affray):
    ran = affray("sheets", "new", "mythos", "--name", "Ida", typed="\n\n\n?\n\n?\n\n?\nquit\n")
    assert "Base chances: brawl 25, sword 20, axe 15" in ran.out
    assert "38-revolver: handgun, 1D10" in ran.out
    assert "nimble: diving from shots costs nothing" in ran.out


def test_no_line_is_wider_than_the_screen(affray):
    ran = affray("sheets", "new", "mythos", "--name", "Ida", typed="\n\n?\n\n?\n\n?\n\n?\n\n?\n\n")
    told = [line for line in ran.out.splitlines() if "]> " not in line]
    assert max(map(len, told)) <= 80


def test_a_name_that_is_taken_is_refused_before_anything_else_is_asked(affray, mine):
    ran = affray("sheets", "new", "mythos", "--to", str(mine), typed="Bo\n***\nBob\nquit\n")
    assert ran.unfolded.count("already has a sheet bo; choose another name.") == 1
    assert "Name must be a name with a letter a to z or a digit, for the id, not '***'." in ran.unfolded
    assert ran.out.count("name [") == 3
    assert mine.read_text() == FILE


@pytest.mark.parametrize("answers", ["quit\n", "Ida\nquit\n", "Ida\n\nstr 80\nquit\n", "Ida\n\n\n\n\n\nq\n"])
def test_whoever_leaves_leaves_no_file(affray, tmp_path, answers):
    ran = affray("sheets", "new", "mythos", typed=answers)
    assert ran.code == 0
    assert ran.out.endswith("No investigator was written.\n")
    assert not (tmp_path / "investigators.toml").exists()


def test_ctrl_d_leaves_without_writing(affray, monkeypatch, mine):
    at_screen = Plain()
    at_screen.screen = True
    monkeypatch.setattr(sheets_new, "open_keyboard", lambda: at_screen)
    ran = affray("sheets", "new", "mythos", "--to", str(mine), typed="Ida\n\n\nmedic\n")
    assert ran.code == 0
    assert ran.out.endswith("No investigator was written.\n")
    assert mine.read_text() == FILE


def test_real_dice_are_asked_for_one_characteristic_after_the_other(affray, tmp_path):
    throws = "1 2 3\n666\n7 1\n11\n445\n222\n111\n"
    ran = affray("sheets", "new", "mythos", "--dice", "hand", "--roll", "--name", "Ida", typed=throws)
    assert ran.code == 0
    assert "Throw 3d6 for STR (the sum, times 5): 3 numbers" in ran.unfolded
    assert "Throw 2d6 for SIZ (the sum and 6, times 5): 2 numbers" in ran.unfolded
    assert "2d6 cannot show 7; it must be 1 to 6." in ran.unfolded
    (table,) = tomllib.loads((tmp_path / "investigators.toml").read_text()).values()
    assert [table[key] for key in ("strength", "constitution", "size", "dexterity", "power", "luck")] == [
        5 * 6,
        5 * 18,
        5 * (2 + 6),
        5 * 13,
        5 * 6,
        5 * 3,
    ]


def test_a_system_without_questions_of_its_own_asks_for_what_stands_on_its_sheets(affray, tmp_path):
    ran = affray("sheets", "new", "grapple", typed="Ida\nosk\n\n\n\n\n40\n14\n" + "\n" * 9)
    assert ran.code == 0
    assert "Ap must be 6 to 20, not 40." in ran.out
    (table,) = tomllib.loads((tmp_path / "fighters.toml").read_text()).values()
    assert (table["name"], table["skill4"], table["ap"]) == ("Ida", "sr", 14)
    checked = affray("sheets", "check", "fighters.toml", "--system", "grapple")
    assert checked.out == "fighters.toml has 1 valid sheet: ida.\n"


# --- what cannot be done ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["new", "mythus"], "there is no combat system 'mythus'; did you mean mythos?"),
        (["new", "mythos", "bgo"], "`new` takes one system, not 2"),
        (["new", "mythos"], "nothing was written; --roll asks nothing"),
        (["new", "mythos", "--dice", "hand", "--roll"], "nothing was written; --dice seeded asks nothing"),
        (["new", "mythos", "--json"], "--json asks nothing, so it needs --roll"),
        (
            ["new", "mythos", "--roll", "--to", "mine.json"],
            "--to must be a file whose name ends in .toml, not 'mine.json'",
        ),
        (["new", "mythos", "--roll", "--to", "no/mine.toml"], "no/mine.toml cannot be written: No such file"),
        (["new", "mythos", "--roll", "--name", "Bo", "--to", "mine.toml"], "mine.toml already has a sheet bo"),
        (["new", "mythos", "--roll", "--name", "x" * 41], "name must be text on one line, 1 to 40 characters, not"),
        (["mythos", "--roll"], "--roll is for a new sheet"),
        (["check", "mine.toml", "--name", "Bo"], "--name is for a new sheet"),
    ],
)
def test_what_cannot_be_done_is_refused_and_nothing_is_written(affray, mine, words, says):
    ran = affray("sheets", *words)
    assert ran.code == 2
    assert says in ran.err
    assert mine.read_text() == FILE
    assert list(mine.parent.glob("*.toml")) == [mine]


def test_the_only_system_need_not_be_named(affray, tmp_path, monkeypatch):
    monkeypatch.setattr(arguments, "names", lambda: ["mythos"])
    assert affray("sheets", "new", "--roll", "--seed", "1").code == 0
    assert (tmp_path / "investigators.toml").exists()


def test_a_file_that_is_no_toml_is_refused_before_anybody_is_asked(affray, mine):
    mine.write_text("[bo\n")
    ran = affray("sheets", "new", "mythos", "--to", str(mine), typed="Ida\n")
    assert ran.code == 2
    assert "line 1: this is not TOML" in ran.err
    assert "name [" not in ran.out
    assert mine.read_text() == "[bo\n"


def test_what_is_added_below_other_things_is_read_as_it_was_meant(tmp_path):
    path = tmp_path / "odd.toml"
    path.write_text('note = "below a key that stands alone"\n')
    add_sheet(path, "ida", {"name": "Ida #1", "skills": {"rifle-shotgun": 50}, "perks": []}, {"name": "a # sign"})
    assert path.read_text().splitlines()[2:] == [
        "[ida]",
        'name = "Ida #1"  # a # sign',
        "skills = {rifle-shotgun = 50}",
        "perks = []",
    ]
    assert tomllib.loads(path.read_text())["ida"] == {"name": "Ida #1", "skills": {"rifle-shotgun": 50}, "perks": []}
