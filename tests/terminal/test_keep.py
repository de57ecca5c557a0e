"""What a fight leaves of a fighter goes back to their file, if a person says so, and nothing else in it changes."""

from __future__ import annotations

import json
import shutil
import sys
import tomllib
from pathlib import Path

import pytest

from affray.fight import Fight
from affray.fight.saving import load
from affray.players.tactics import decide, play_on, usual_tactics
from affray.systems.deckahedron.recovery import after_fight as deckahedron_left
from affray.systems.mythos.sheets import SHEETS, after_fight
from affray.terminal.commands import play
from affray.terminal.playing.write_back import Home, home_of, homes, marks
from affray.terminal.screen.keyboard import Plain
from tests.terminal.conftest import Affray, Ran
from tests.terminal.test_real_terminal import Screen

FILE = """\
# Those of the old house.

[ida]
base = "detective"
name = "Ida"
luck = 50                     # each use costs 10
hp = 12                       # HP now, of 12
loaded = { 38-revolver = 6 }  # rounds in the gun
note = "a # in a text"        # and one behind it

[bo]
base = "boxer"
name = "Bo"  # the elder
"""
FIGHT = ("play", "mythos", "investigators=mine.toml#ida", "enemies=zombie", "--no-odds", "--seed", "1")
SHOOT = "shoot with .38 revolver"
QUESTION = "Write what the fight has left of {} to mine.toml? [y/N]> "


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    path = tmp_path / "mine.toml"
    path.write_text(FILE)
    return path


@pytest.fixture
def at_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    """The lines are typed by a person who looks at a screen."""

    def open_keyboard() -> Plain:
        keyboard = Plain()
        keyboard.screen = True
        return keyboard

    monkeypatch.setattr("affray.terminal.playing.session.open_keyboard", open_keyboard)


def sheet_in(path: Path, id: str) -> dict[str, object]:
    table: dict[str, object] = tomllib.loads(path.read_text())[id]
    return table


def lines_of(*persons: str, **options: object) -> str:
    """What the persons type in the fight of this seed: the gun while it is loaded, and otherwise the first move."""
    teams = {"investigators": [f"mine.toml#{name}" for name in persons], "enemies": ["zombie"]}
    fight = Fight("mythos", teams, seed=1, options=options)
    tactics, typed = usual_tactics(fight, {}), ""
    while not fight.over:
        who = fight.to_act[0]
        moves = [str(move) for move in fight.legal(who)]
        move = SHOOT if SHOOT in moves else moves[0]
        typed += f"{move}\n" if who in persons else ""
        fight.play(who, move if who in persons else decide(fight, who, tactics[who]))
    return typed


def fought(affray: Affray, *extra: str, last: str = "") -> Ran:
    """Ida fights a zombie until it is over, says `save f.json`, ends, and answers what is asked then."""
    return affray(*FIGHT, *extra, typed=f"{lines_of('ida')}save f.json\n\n{last}")


def test_a_person_is_asked_and_yes_writes_it_down(affray, mine, at_screen):
    ran = fought(affray, last="y\n")
    assert ran.out.count(QUESTION.format("ida")) == 1
    fight = load("f.json")
    left = after_fight(fight.state, 0, fight.sheets[0])
    kept = sheet_in(mine, "ida")
    assert kept["loaded"] == left.loaded != {"38-revolver": 6}
    assert kept["hp"] == left.hp
    assert SHEETS.enlist("mine.toml#ida").loaded == left.loaded
    assert "Written to mine.toml, ida: " in ran.out


def test_only_the_lines_that_changed_change_and_comments_stay_beside_them(affray, mine, at_screen):
    fought(affray, last="yes\n")
    before, after = FILE.splitlines(), mine.read_text().splitlines()
    changed = [line for line in before if line not in after]
    assert all(line.startswith(("luck", "hp", "loaded")) for line in changed)
    assert changed
    for line in changed:
        key, comment = line.split()[0], line[line.index("#") :]
        (now,) = [line for line in after if line.startswith(f"{key} =")]
        assert now.endswith(f"  {comment}")
        assert now.index("#") == line.index("#")
    assert [line for line in after if line.startswith(("[", "#", "note", "name", "base"))] == [
        line for line in before if line.startswith(("[", "#", "note", "name", "base"))
    ]


@pytest.mark.parametrize("answer", ["n\n", "\n", "yess\n", ""])
def test_anything_but_yes_leaves_the_file_alone(affray, mine, at_screen, answer):
    ran = fought(affray, last=answer)
    assert ran.code == 0
    assert QUESTION.format("ida") in ran.out
    assert mine.read_text() == FILE


def test_nobody_is_asked_without_a_terminal(affray, mine):
    ran = fought(affray)
    assert "investigators win" in ran.out
    assert "Write what" not in ran.out
    assert mine.read_text() == FILE


def test_keep_says_yes_in_advance_also_without_a_terminal(affray, mine):
    ran = fought(affray, "--keep")
    assert "Write what" not in ran.out
    assert "Written to mine.toml, ida: " in ran.out
    fight = load("f.json")
    assert sheet_in(mine, "ida")["loaded"] == after_fight(fight.state, 0, fight.sheets[0]).loaded


def test_a_fight_that_is_watched_is_kept_only_when_that_was_said(affray, mine, interpreted):
    assert affray(*FIGHT).code == 0
    assert mine.read_text() == FILE
    assert "Written to mine.toml, ida: " in affray(*FIGHT, "--keep").out
    assert mine.read_text() != FILE


def test_what_is_kept_twice_is_the_second_fight_on_top_of_the_first(affray, mine, interpreted):
    affray(*FIGHT, "--keep")
    once = sheet_in(mine, "ida")
    affray(*FIGHT[:-1], "2", "--keep")
    twice = sheet_in(mine, "ida")
    assert sum(twice["loaded"].values()) + sum(twice["ammunition"].values()) < sum(once["loaded"].values()) + sum(
        once["ammunition"].values()
    )


def test_whoever_the_computer_plays_is_not_written(affray, mine, at_screen):
    words = ("play", "mythos", "investigators=mine.toml#ida", "enemies=mine.toml#bo", "--seed", "1", "--no-odds")
    ran = affray(*words, "--computer", "investigators", "--computer", "enemies", typed="\ny\n")
    assert "Write what" not in ran.out
    assert mine.read_text() == FILE


def test_everybody_whom_a_person_plays_is_asked_for(affray, mine, at_screen):
    words = ("play", "mythos", "investigators=mine.toml#ida,mine.toml#bo", "enemies=zombie", "--no-odds", "--seed", "1")
    ran = affray(*words, typed=f"{lines_of('ida', 'bo')}save f.json\n\nn\ny\n")
    fight = load("f.json")
    marked = [name for name in ("ida", "bo") if marks(fight, name)]
    assert marked == ["ida", "bo"], "or this seed shows nothing"
    assert ran.out.index(QUESTION.format("ida")) < ran.out.index(QUESTION.format("bo"))
    assert sheet_in(mine, "ida") == tomllib.loads(FILE)["ida"]
    assert sheet_in(mine, "bo")["hp"] == fight.state.fighters[1].hp


def test_a_fight_without_a_mark_asks_nothing(affray, mine, at_screen):
    ran = affray(*FIGHT, "--option", "round_cap=1", "--option", "surprise=first", typed="wait\n\ny\n")
    fight = Fight("mythos", {"a": ["mine.toml#ida"], "b": ["zombie"]}, seed=1)
    assert marks(fight, "ida") == {}
    assert "Write what" not in ran.out
    assert mine.read_text() == FILE


def test_an_unfinished_fight_leaves_nothing(affray, mine):
    ran = affray(*FIGHT, "--keep", typed=f"{SHOOT}\nquit\n")
    assert ran.out.endswith("The fight is left unfinished.\n")
    assert mine.read_text() == FILE


def test_undo_after_the_end_is_played_on_before_anything_is_asked(affray, mine, at_screen):
    moves = lines_of("ida")
    last = moves.splitlines()[-1]
    ran = affray(*FIGHT, typed=f"{moves}undo\n{last}\n\ny\n")
    assert ran.out.count("investigators win") == 2
    assert ran.out.count(QUESTION.format("ida")) == 1


def test_a_file_that_was_spoilt_in_the_meantime_is_left_alone(affray, mine, at_screen, monkeypatch):
    spoilt = FILE.replace('base = "detective"\n', 'base = "detective"\nweapons = ["torch"]\nwields = "torch"\n')
    to_the_end = play.close
    monkeypatch.setattr(play, "close", lambda table: (to_the_end(table), mine.write_text(spoilt)))
    ran = fought(affray, last="y\n")
    assert "must be for a weapon that is carried (torch), not" in ran.unfolded
    assert mine.read_text() == spoilt


# --- deckahedron -----------------------------------------------------------------------------------------------------


def test_it_works_with_a_deck_too(affray, tmp_path, interpreted):
    mine = tmp_path / "mine.toml"
    mine.write_text('[maren]\nbase = "maren"\n\n[odo]\nbase = "odo"\n')
    words = ("play", "deckahedron", "heroes=mine.toml#maren", "monsters=guard", "--seed", "3", "--no-odds", "--keep")
    assert affray(*words).code == 0
    fight = Fight("deckahedron", {"heroes": ["maren"], "monsters": ["guard"]}, seed=3)
    play_on(fight, usual_tactics(fight))
    left = deckahedron_left(fight.state, 0, fight.sheets[0])
    kept = sheet_in(mine, "maren")
    assert kept["discard"] == list(left.discard)
    assert kept.get("face_down", 0) == left.face_down
    assert sheet_in(mine, "odo") == {"base": "odo"}


# --- grapple ----------------------------------------------------------------------------------------------------------


def test_the_end_of_combat_keeps_ad_and_half_of_sd(affray, tmp_path, interpreted):
    mine = tmp_path / "mine.toml"
    mine.write_text('[ann]\nbase = "ahalish"\nad = 5\nsd = 3\n\n[nib]\nbase = "bandit"\n')
    teams = {"heroes": ["mine.toml#ann"], "monsters": ["mine.toml#nib"]}
    fight = Fight("grapple", teams, seed=2)
    play_on(fight, usual_tactics(fight))
    ann = fight.state.fighters[0]
    assert ann.sd > 1, "or this seed shows nothing"
    words = ("grapple", "heroes=mine.toml#ann", "monsters=mine.toml#nib", "--seed", "2", "--no-odds", "--keep")
    assert "Written to mine.toml, ann: " in affray("play", *words).out
    assert sheet_in(mine, "ann") == {"base": "ahalish", "ad": min(10, ann.ad + -(-ann.sd // 2)), "sd": 0}
    assert sheet_in(mine, "nib") == {"base": "bandit"}


def test_strike_dice_become_action_dice_also_where_nothing_was_thrown():
    fight = Fight("grapple", {"a": ["ahalish:ad=4:sd=5:wounds=1"], "b": ["goblin"]}, seed=1)
    assert marks(fight, "Ahalish") == {"ad": 7, "sd": 0, "wounds": 0}
    npc = Fight("grapple", {"a": ["goblin"], "b": ["ahalish"]}, seed=1)
    assert marks(npc, "goblin") == {}, "of an NPC nothing lasts"


# --- who has a home --------------------------------------------------------------------------------------------------


def test_only_a_sheet_taken_out_of_a_file_as_it_is_has_a_home(mine):
    assert home_of("mine.toml#ida") == Home("mine.toml", "ida")
    assert home_of("mine.toml#ida:hp=3") is None
    assert home_of("detective") is None
    assert home_of({"name": "Ida"}) is None
    mine.with_name("one.toml").write_text('[ann]\nname = "Ann"\n')
    assert home_of("one.toml") == Home("one.toml", "ann")


def test_a_sheet_that_fights_twice_has_none(mine):
    teams = {"a": ["mine.toml#ida", "mine.toml#bo", "mine.toml#ida"], "b": ["zombie"]}
    assert homes(Fight("mythos", teams, seed=1), teams) == {"bo": Home("mine.toml", "bo")}


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["coins", "left=anna", "right=bert"], "a fight of coins changes nothing on a sheet"),
        (["bgo", "heroes=player", "monsters=fire-slime"], "in files, given as FILE.toml#ID"),
        (["mythos", "investigators=detective", "enemies=zombie"], "in files, given as FILE.toml#ID"),
        (["mythos", "investigators=detective", "enemies=mine.toml#ida"], "in files, given as FILE.toml#ID"),
        (
            ["mythos", "investigators=mine.toml#ida:hp=4", "enemies=zombie"],
            "in files, given as FILE.toml#ID",
        ),
    ],
)
def test_what_cannot_be_kept_is_not_promised(affray, mine, examples, words, says):
    ran = affray("play", *words, "--keep", typed="quit\n")
    assert ran.code == 2
    assert says in ran.err


def test_a_player_of_bgo_keeps_health_reward_and_death(affray, tmp_path):
    path = tmp_path / "ann.toml"
    path.write_text('[ann]\nbase = "player"\nname = "Ann"\n')

    def fight(monster: str, typed: str = "attack\n" * 9) -> Ran:
        words = ("heroes=ann.toml#ann", f"monsters={monster}", "--no-odds", "--keep", "--seed", "1")
        return affray("play", "bgo", *words, typed=typed)

    won = fight("fire-slime:health=1")
    assert "Ann gains a" in won.out
    assert "Written to ann.toml, ann: " in won.out
    lost = fight("elder-wyrm:attack=20:damage=fire 90")
    assert "Ann is dead for 3 board rounds" in lost.unfolded
    assert tomllib.loads(path.read_text())["ann"]["misses"] == 3
    assert "Ann is dead for 3 more board rounds" in fight("fire-slime").err
    for told in ("is dead for 2 more board rounds", "is dead for 1 more board round", "is back with"):
        assert told in affray("recover", "round", "ann.toml#ann").out
    assert fight("fire-slime", "quit\n").code == 0


# --- affray recover --------------------------------------------------------------------------------------------------


def test_a_saved_fight_is_kept_by_recover(affray, mine):
    fought(affray)
    ran = affray("recover", "keep", "mine.toml#ida", "--fight", "f.json")
    assert ran.code == 0
    assert ran.out.startswith("ida has the results of the fight.\nWritten to mine.toml, ida: ")
    fight = load("f.json")
    left = after_fight(fight.state, 0, fight.sheets[0])
    again = SHEETS.enlist("mine.toml#ida")
    assert (again.hp, again.luck, again.loaded, again.ammunition) == (left.hp, left.luck, left.loaded, left.ammunition)
    assert affray("sheets", "check", "mine.toml", "--system", "mythos").code == 0
    assert affray("recover", "keep", "mine.toml#ida", "--fight", "f.json").out.endswith("mine.toml is unchanged.\n")


def test_recover_keeps_a_mythos_fighter_in_a_new_file(affray, mine):
    fought(affray)
    ran = affray("recover", "keep", "new.toml#ida", "--fight", "f.json", "--json")
    assert json.loads(ran.out)["changed"]["name"] == "Ida"
    fight = load("f.json")
    kept = SHEETS.enlist("new.toml#ida")
    left = after_fight(fight.state, 0, fight.sheets[0])
    assert (kept.name, kept.skills, kept.loaded, kept.hp) == (left.name, left.skills, left.loaded, left.hp)


@pytest.mark.parametrize("how", ["rest", "heal"])
def test_in_mythos_nobody_rests_or_heals_by_a_rule(affray, mine, how):
    ran = affray("recover", how, "mine.toml#ida", "--system", "mythos")
    assert ran.code == 2
    assert "fighters of mythos do not recover between fights; `keep` only writes the results of a fight" in ran.err
    assert mine.read_text() == FILE


# --- in a real terminal ----------------------------------------------------------------------------------------------


@pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed, and a terminal is needed")
def test_making_somebody_and_keeping_them_in_a_real_terminal(tmp_path):
    affray = f"{sys.executable} -m affray"
    teams = "investigators=investigators.toml#ida enemies=zombie"
    short = "--no-odds --option round_cap=1 --option surprise=first"
    terminal = Screen(f"{affray} sheets new mythos; {affray} play mythos {teams} {short}", str(tmp_path))
    try:
        terminal.until("name [")
        terminal.press("Ida", "Enter")
        terminal.until("rolled or typed")
        terminal.press("Enter")
        terminal.until("keep, again")
        terminal.press("Enter")
        terminal.until("occupation to start from")
        terminal.press("sho", "Tab", "Enter")
        for question in ("skills [", "weapons,", "perks,", "items [", "tactic,"):
            terminal.until(question)
            terminal.press("Enter")
        terminal.until("ida>")
        terminal.press(SHOOT, "Enter")
        terminal.until("over>")
        terminal.press("Enter")
        terminal.until("Write what the fight has left of ida to investigators.toml? [y/N]>")
        terminal.press("y", "Enter")
        terminal.until("Written to investigators.toml, ida:")
        terminal.until("exit code 0")
    finally:
        terminal.close()
    assert sheet_in(tmp_path / "investigators.toml", "ida")["loaded"] == {"38-revolver": 5}
