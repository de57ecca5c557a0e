"""`affray recover`: a sheet changes in its file, and nothing else in that file does."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest

from affray.errors import Invalid
from affray.fight import Fight
from affray.kernel.chance import Seeded
from affray.system.sheet_files import change_sheet
from affray.systems.deckahedron.recovery import after_fight

FILE = """\
# Those of the old inn.

[bo]
base = "guard"
name = "Bo"  # the elder

[maren]
base = "maren"
exhausted = [11, 12, 13]
harm = 2
note = "A [smith]."

# Another fighter.
[ann]
base = "odo"
harm = 1
"""


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    path = tmp_path / "mine.toml"
    path.write_text(FILE)
    return path


def test_resting_rewrites_one_sheet_and_leaves_every_other_line(affray, mine):
    ran = affray("recover", "rest", f"{mine}#maren", "--seed", "1")
    assert ran.code == 0
    assert "Maren rests for 8 hours.\n1 Harm token goes.\n" in ran.out
    before, after = FILE.splitlines(), mine.read_text().splitlines()
    assert [line for line in before if line in after] == [
        line for line in before if not line.startswith(("exhausted", "harm = 2"))
    ]
    tables = tomllib.loads(mine.read_text())
    assert tables["ann"] == {"base": "odo", "harm": 1}
    maren = tables["maren"]
    assert maren["harm"] == 1
    assert len(maren["exhausted"]) == 1
    assert sorted(maren["exhausted"] + maren["discard"]) == [11, 12, 13]
    assert not mine.with_name("mine.toml.part").exists()


def test_healing_with_a_seed_says_the_same_as_json(affray, mine):
    ran = affray("recover", "heal", f"{mine}#maren", "--seed", "1", "--json")
    assert json.loads(ran.out)["changed"] == {"discard": [11, 12, 13], "exhausted": [], "harm": 0, "hours": 24}


def test_a_fight_is_kept_in_a_new_file_and_then_rested_from(affray, tmp_path):
    fight = Fight("deckahedron", {"a": ["maren"], "b": ["guard"]}, dice=Seeded(3))
    while not fight.over and fight.round < 4:
        (who,) = fight.to_act
        fight.play(who, fight.legal(who)[0])
    fight.save(tmp_path / "fight.json")
    mine = tmp_path / "new.toml"
    assert affray("recover", "keep", f"{mine}#maren", "--fight", str(tmp_path / "fight.json")).code == 0
    left = after_fight(fight.state, 0, fight.sheets[0])
    kept = tomllib.loads(mine.read_text())["maren"]
    assert (kept["face_down"], tuple(kept["discard"])) == (left.face_down, left.discard)
    assert affray("sheets", "check", str(mine), "--system", "deckahedron").code == 0
    assert affray("recover", "rest", f"{mine}#maren").code == 0
    assert tomllib.loads(mine.read_text())["maren"]["face_down"] == 0


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["sleep", "{mine}#maren"], "way to recover"),
        (["rest", "maren"], "maren is not of the form FILE.toml#ID"),
        (["rest", "{mine}"], "has 3 sheets"),
        (["rest", "{mine}#nobody"], "nobody"),
        (["rest", "{mine}#maren", "--system", "coins"], "fighters of coins do not recover"),
        (["keep", "{mine}#maren"], "keep needs a saved fight"),
    ],
)
def test_what_cannot_be_done_is_refused_and_the_file_stays(affray, mine, examples, words, says):
    ran = affray("recover", *(word.format(mine=mine) for word in words))
    assert ran.code == 2
    assert says in ran.err
    assert mine.read_text() == FILE


@pytest.mark.parametrize(
    ("text", "changed"),
    [
        ('maren = { base = "maren", harm = 1 } # she\n', 'maren = { base = "maren", harm = 0, exhausted = []} # she\n'),
        (
            "[maren]\nexhausted = [ # cards\n  11,\n] # three\n# Bo is next.\n[bo]\n",
            "[maren]\nexhausted = [] # three\nharm = 0\n# Bo is next.\n[bo]\n",
        ),
        ("maren.harm = 1\nmaren.exhausted = [1]\n", "maren.harm = 0\nmaren.exhausted = []\n"),
    ],
)
def test_a_sheet_may_be_written_in_any_way_that_toml_knows(tmp_path, text, changed):
    path = tmp_path / "odd.toml"
    path.write_text(text)
    change_sheet(path, "maren", {"exhausted": [], "harm": 0})
    assert path.read_text() == changed


@pytest.mark.parametrize("text", ["maren = 3\n", "[[maren]]\nharm = 1\n", 'maren = "a text"\n'])
def test_what_is_no_sheet_is_left_alone(tmp_path, text):
    path = tmp_path / "odd.toml"
    path.write_text(text)
    with pytest.raises(Invalid, match=r"maren is not a sheet, which begins with \[maren\]"):
        change_sheet(path, "maren", {"exhausted": [], "harm": 0})
    assert path.read_text() == text
