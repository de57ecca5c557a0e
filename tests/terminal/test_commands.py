"""The commands that print results: in words, in 80 columns, and as JSON."""

import argparse
import json
import re
import sys
from pathlib import Path

import pytest

from affray.errors import MissingExtra
from affray.fight import Fight
from affray.lab import odds, solve
from affray.system.registry import names
from affray.terminal.arguments import whole
from affray.terminal.screen import lookalikes
from affray.terminal.screen.progress import Watch

DUEL = ("bgo", "heroes=player", "monsters=fire-slime")
BRAWL = (
    "bgo",
    "heroes=player:name=Archibald Montgomery the Extremely Long,squire",
    "a-team-with-a-name-that-goes-on-and-on-and-on=fire-slime,fire-slime,fast-slime",
)


@pytest.fixture
def saved(affray) -> str:
    affray("play", *DUEL, "--seed", "7", "--no-odds", typed="attack\nattack\nsave duel.json\n")
    return "duel.json"


def test_odds_are_the_documents_fractions(affray, interpreted, patient):
    ran = affray("odds", *DUEL)
    assert ran.code == 0
    assert re.search(r"^heroes win +1707193/1771561 +96\.3666%  #+$", ran.out, re.MULTILINE)
    assert re.search(r"^monsters win +28593/1771561 +1\.6140%", ran.out, re.MULTILINE)
    assert re.search(r"^draw +35775/1771561 +2\.0194%", ran.out, re.MULTILINE)


def test_best_play_names_its_first_move(affray, interpreted):
    ran = affray("odds", "bgo", "heroes=player:health=4", "monsters=fast-slime", "--play", "best")
    assert "Best: flee, worth" in ran.out
    found = json.loads(affray("odds", *DUEL, "--play", "best", "--json").out)
    assert set(found["moves"]["player"]) == {"attack", "defend", "flee"}


def test_best_play_sets_up_no_fight_and_is_solved_once(affray, monkeypatch):
    """The odds of the whole fight and those of the first moves come from one graph, for which nothing is compiled."""
    solved = []

    def count(graph, *how):
        solved.append(graph)
        return best_policy(graph, *how)

    best_policy = solve.best_policy
    monkeypatch.setattr(solve, "best_policy", count)
    monkeypatch.setattr(odds, "_kept", {})
    monkeypatch.setattr(Fight, "__init__", lambda *args, **how: pytest.fail("a fight is set up"))
    ran = affray("odds", "bgo", "heroes=player:health=4", "monsters=fast-slime", "--play", "best")
    assert "Best: flee, worth +0.0000." in ran.out
    assert len(solved) == 1


def test_without_teams_the_system_s_own_fight_is_taken(affray, interpreted):
    assert affray("odds", "bgo").out == affray("odds", *DUEL).out


def test_odds_take_tactics_options_and_a_team(affray, interpreted):
    extra = ("--tactic", "heroes=defend-then-attack", "--option", "armor_base=12", "--team", "monsters")
    found = json.loads(affray("odds", *DUEL, *extra, "--json").out)
    assert found["team"] == "monsters"
    assert found["chances"]["heroes"]["fraction"] != "1707193/1771561"


def test_a_simulation_in_words(affray, interpreted):
    ran = affray("simulate", *DUEL, "--fights", "300", "--seed", "7", "--progress")
    assert ran.code == 0
    assert "300 fights of bgo, seed 7" in ran.out
    assert re.search(r"heroes win +\d\d\.\d{3}% +\d\d\.\d{3}% to \d\d\.\d{3}%  #+", ran.out)
    assert "Rounds: " in ran.out
    assert "Health left" in ran.out
    assert "100%  300 fights" in ran.err


def test_a_simulation_says_nothing_beside_its_result_when_nobody_watches(affray, interpreted):
    ran = affray("simulate", *DUEL, "--fights", "2_00", "--json")
    assert ran.err == ""
    assert json.loads(ran.out)["fights"] == 200


def test_an_interrupted_simulation_reports_what_it_has(affray, interpreted, monkeypatch):
    def interrupt(done: int, asked: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("affray.terminal.commands.simulate.Watch", lambda out: interrupt)
    ran = affray("simulate", *DUEL, "--fights", "100000", "--progress")
    assert ran.code == 130
    assert "Interrupted before all 100,000 fights were done." in ran.out
    assert "heroes win" in ran.out


@pytest.mark.parametrize("path", ["nowhere/chart.png", "chart.gif", "folder.svg"])
def test_a_picture_that_cannot_be_drawn_is_refused_before_any_fight(affray, tmp_path, monkeypatch, path):
    (tmp_path / "folder.svg").mkdir()
    monkeypatch.setattr("affray.lab.simulate.simulate", lambda *_args, **_how: pytest.fail("fought in vain"))
    ran = affray("simulate", *DUEL, "--plot", path)
    assert ran.code == 2
    assert path in ran.err
    assert not list(tmp_path.glob("*.part"))


def test_progress_says_how_fast_it_goes_and_how_long_it_takes(capsys):
    clock = iter([100.0, 102.0, 102.0, 102.0])
    watch = Watch(sys.stdout, lambda: next(clock))
    for asked in (1_000_000, 100_000_000, 10_000_000_000):
        watch(500_000, asked)
    seconds, minutes, hours = capsys.readouterr().out.split("\r")[1:]
    assert "500,000 fights, 250,000 a second, 2 s left" in seconds
    assert "250,000 a second, 7 min left" in minutes
    assert "250,000 a second, 11 h left" in hours


def test_any_fight_of_a_simulation_can_be_told(affray, interpreted):
    counted = json.loads(affray("simulate", *DUEL, "--fights", "30", "--seed", "5", "--json").out)["counts"]
    told = []
    for number in range(30):
        ran = affray("replay", "--simulated", *DUEL, "--seed", "5", "--number", str(number), "--json")
        told.append(json.loads(ran.out)["ending"])
    assert counted == {ending: told.count(ending) for ending in counted}


def test_a_saved_fight_is_drawn_to_be_shared(affray, saved, tmp_path, interpreted):
    to = tmp_path / "fight.svg"
    ran = affray("replay", saved, "--picture", str(to))
    assert ran.unfolded.startswith("Board Game Online variant: player against fire-slime. Heroes won in round 2.")
    assert to.read_text().startswith("<svg ")
    assert affray("replay", saved, "--picture", str(tmp_path / "nowhere" / "x.svg")).code == 2


def test_a_saved_fight_is_told_decision_by_decision(affray, saved):
    ran = affray("replay", saved)
    assert "Decision 1: player attack, fire-slime attack\n  Battle round 1.\n  The player attacks." in ran.out
    assert ran.out.count("Decision") == 2
    assert "It ended: heroes, in round 2." in ran.out
    assert affray("replay", saved, "--from", "2").out.count("Decision") == 1
    assert "Decision 1" in affray("replay", saved, "--at", "1").out
    assert affray("replay", saved, "--at", "3").err == "affray: the decision must be 1 to 2, not 3\n"


def test_verify_checks_the_dice(affray, saved):
    ran = affray("verify", saved)
    assert ran.code == 0
    assert "4 moves are legal; all results follow from the seed." in ran.out
    text = Path(saved).read_text()
    Path(saved).write_text(text.replace('"fell"', '"Fell"', 1))
    broken = affray("verify", saved)
    assert (broken.code, broken.out) == (2, "")
    assert broken.err == "affray: duel.json is damaged or was changed: its seal does not match its content\n"


def test_rules_show_rulings_and_options_with_what_is_allowed(affray):
    ran = affray("rules", "bgo")
    assert "first-strike (document): What does first strike do?" in ran.out
    assert "victory_heal = half  (none or half or full)" in ran.out
    assert "20 (house rule)" in affray("rules", "bgo", "20").out
    assert "round_cap = 200" in affray("rules", "bgo", "round_cap").out
    assert affray("rules", "bgo", "no-such").code == 2


def test_things_are_listed_shown_and_found(affray):
    listed = affray("sheets", "bgo").out.splitlines()
    kinds = ["players", "creatures", "items", "boons", "curses", "consumables"]
    assert [line for line in listed if line in kinds] == kinds
    assert affray("sheets", "bgo", "torch").out == (
        "Torch (torch)\n  rank 1 weapon: -1 † physical damage, +1 ▲ fire damage\n"
    )
    assert "Running away is as dangerous" in affray("sheets", "bgo", "leaden-feet").out
    assert json.loads(affray("sheets", "bgo", "torch", "--json").out)["damage"] == {"physical": -1, "fire": 1}


def test_what_comes_with_a_system_is_searched_by_words(affray):
    found = json.loads(affray("sheets", "bgo", "--find", "FIRE weapon 7", "--json").out)
    assert {kind: list(known) for kind, known in found.items()} == {"items": ["sunfire-blade"]}
    assert affray("sheets", "bgo", "--find", "boons rank 5").out.splitlines()[0] == "boons"
    assert list(json.loads(affray("sheets", "grapple", "--find", "goblin", "--json").out)) == ["npcs"]
    assert affray("sheets", "bgo", "--find", "xyzzy").err == (
        "affray: nothing in bgo has 'xyzzy' in its id, name or description\n"
    )


def test_sheets_are_listed_shown_and_checked(affray):
    assert "  fast-slime " in affray("sheets", "bgo").out
    assert "first-strike 1" in affray("sheets", "bgo", "fast-slime").out
    assert "damage       † physical 2" in affray("sheets", "bgo", "fast-slime").out
    Path("rat.toml").write_text('kind = "creature"\nname = "Rat"\nrank = 1\ntype = "earth"\nhealth = 3\n')
    assert affray("sheets", "check", "rat.toml", "--system", "bgo").out == "rat.toml has 1 valid sheet: rat.\n"
    Path("rat.toml").write_text('kind = "creature"\nname = "Rat"\nrank = 1\ntype = "earht"\nhealth = 3\n')
    wrong = affray("sheets", "check", "rat.toml", "--system", "bgo")
    assert wrong.code == 2
    assert "did you mean earth?" in wrong.err


def test_a_listed_sheet_is_shown_to_its_last_word(affray):
    listed = affray("sheets", "mythos")
    boxer = listed.unfolded[listed.unfolded.index("boxer ") : listed.unfolded.index("professor ")]
    assert "skills brawl 70, dodge 45; perks rapid-attack, heavy-hitter; weapons brass-knuckles" in boxer
    assert "..." not in listed.out
    assert all(len(line) <= 80 for line in listed.out.splitlines())


def test_the_values_of_a_sheet_stand_below_each_other_however_long_a_key_is(affray):
    out = affray("sheets", "strategic", "guard").out
    begins = set()
    for key, value in (("weapon", "broadsword"), ("hours to care", "6"), ("effective agility", "1")):
        (line,) = (line for line in out.splitlines() if line.startswith(f"  {key} "))
        begins.add(line.rindex(value))
    assert len(begins) == 1


@pytest.mark.parametrize(
    "argv",
    [
        ("odds", *DUEL),
        ("odds", *DUEL, "--play", "best"),
        ("simulate", *DUEL, "--fights", "50"),
        ("replay", "duel.json"),
        ("replay", "--simulated", *DUEL, "--number", "3"),
        ("verify", "duel.json"),
        ("rules", "bgo"),
        ("rules", "bgo", "attack"),
        ("rules", "bgo", "round_cap"),
        ("sheets", "bgo"),
        ("sheets", "bgo", "paladin"),
        ("sheets", "check", "rat.toml", "--system", "bgo"),
    ],
    ids=" ".join,
)
def test_every_result_can_be_had_as_json(affray, interpreted, saved, argv):
    Path("rat.toml").write_text('kind = "creature"\nname = "Rat"\nrank = 1\ntype = "earth"\nhealth = 3\n')
    ran = affray(*argv, "--json")
    assert ran.code == 0
    assert json.loads(ran.out)


@pytest.mark.parametrize(
    "argv",
    [
        ("--help",),
        ("play", "--help"),
        ("play", *BRAWL, "--seed", "3"),
        ("play", *BRAWL, "--no-odds", "--dice", "hand"),
        ("play", "bgo"),
        ("odds", *DUEL, "--play", "best"),
        ("simulate", *BRAWL, "--fights", "20"),
        ("simulate", "bgo", "heroes=player:attack=-8", "monsters=mud-slime:attack=-8", "--fights", "20"),
        ("replay", "--simulated", *BRAWL),
        ("rules", "bgo"),
        ("sheets", "bgo"),
        ("sheets", "bgo", "stormcaller"),
    ],
    ids=" ".join,
)
def test_nothing_is_wider_than_80_columns(affray, interpreted, argv, monkeypatch):
    monkeypatch.setattr("affray.terminal.playing.fight_session.GLANCE", 0.02)
    monkeypatch.setattr("affray.terminal.playing.commands.STUDY", 0.02)
    typed = "?\nstatus\nodds\nwhy\nlog\nrules\n" + "x" * 200 + "\n" + "attack fire-slime\ndefend\n" * 3
    ran = affray(*argv, typed=typed)
    assert ran.code == 0
    assert [line for line in ran.out.splitlines() if len(line) > 80] == []


@pytest.mark.parametrize(
    ("argv", "sentence"),
    [
        (("frob",), "invalid choice: 'frob'"),
        (("play", "--frob"), "unrecognized arguments: --frob"),
        (("play", "bgo", "heroes"), "'heroes' is not of the form  team=fighter,fighter"),
        (("play", "chess", "a=b", "c=d"), "there is no combat system 'chess'"),
        (("play", *DUEL, "--seed", "-1"), "argument --seed: "),
        (("play", *DUEL, "--seed", "9" * 19), "is too large; it must be 9223372036854775807 or less"),
        (("play", *DUEL, "--option", "armor_base"), "'armor_base' is not of the form  round_cap=50"),
        (("play", *DUEL, "--option", "armor_base=99"), "option armor_base must be 0 to 30, not 99"),
        (("play", *DUEL, "--computer", "monsters=wild"), "there is no tactic 'wild'"),
        (("play", *DUEL, "--person", "nobody"), "there is no fighter or team 'nobody'"),
        (("play", "--load", "no.json"), "no.json cannot be read"),
        (("play", *DUEL, "--seed", "1", "--dice", "hand"), "a fight takes a seed or dice, not both"),
        (("odds",), "say which combat system: bgo, deckahedron, grapple, mythos"),
        (("odds", *DUEL, "--team", "villains"), "there is no team 'villains'"),
        (("simulate", *DUEL, "--fights", "0"), "'0' is too few; it must be 1 or more"),
        (("simulate", *DUEL, "--fights", "many"), "'many' is not a whole number"),
        (("simulate", *DUEL, "--tactic", "x"), "'x' is not of the form  heroes=always-attack"),
        (("replay",), "replay takes one file, or --simulated"),
        (("verify", "no.json"), "no.json cannot be read"),
        (("sheets", "check", "--system", "bgo"), "`check` takes one file, not 0"),
        (("sheets", "bgo", "no-such-beast"), "there is no creature or player 'no-such-beast'"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_what_cannot_be_done_is_one_sentence(affray, argv, sentence):
    ran = affray(*argv, typed="quit\n")
    assert ran.code == 2
    assert ran.err.startswith("affray: ")
    assert sentence in ran.err
    assert ran.err.count("\n") == 1


def test_without_a_command_there_is_help(affray):
    assert affray().out == affray("--help").out
    assert affray("--version").out.startswith("affray ")


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("1e6", 10**6),
        ("1E+6", 10**6),
        ("2.5e3", 2500),
        ("1_000", 1000),
        ("1,000", 1000),
        ("0", 0),
        ("9e18", 9 * 10**18),
    ],
)
def test_whole_numbers_are_read_as_people_write_them(text, number):
    assert whole(text) == number


@pytest.mark.parametrize("text", ["1.5", "2.55e1", "e6", "-1", "1e-3", "one", "", "1e", "0x10"])
def test_what_is_no_whole_number_is_refused(text):
    with pytest.raises(argparse.ArgumentTypeError, match="is not a whole number from 0 up"):
        whole(text)


@pytest.mark.parametrize("text", ["9223372036854775808", "1e19", "9" * 400, "1e99"])
def test_a_number_that_is_too_large_is_called_so(text):
    with pytest.raises(argparse.ArgumentTypeError, match="is too large; it must be 9223372036854775807 or less"):
        whole(text)


def test_check_and_cross_can_be_told_apart_on_a_screen_that_has_neither():
    assert "✔✔ ✗ … 1±2".encode("ascii", lookalikes.NAME) == b"vv x ... 1+-2"


def test_a_file_of_sheets_is_checked_by_the_system_that_it_is_of(affray, tmp_path):
    (tmp_path / "mine.toml").write_text('[ann]\nbase = "player"\nhealth = 5\n')
    assert affray("sheets", "check", "mine.toml").out == "mine.toml has 1 valid sheet of bgo: ann.\n"
    (tmp_path / "bad.toml").write_text('[grey]\nbase = "ghoul"\nhp = 900000\n')
    assert "bad.toml, grey: hp must be 0 to 100, not 900000" in affray("sheets", "check", "bad.toml").err
    (tmp_path / "strange.toml").write_text("[what]\nfoo = 3\n")
    ran = affray("sheets", "check", "strange.toml")
    assert ran.code == 2
    assert "choose one with --system" in ran.err


# --- affray learn ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("system", names())
def test_a_system_can_be_learnt_at_the_command_line(system, affray):
    ran = affray("learn", system)
    headings = "What it is about", "A turn", "What the screen shows", "A few moves of a fight", "What to try first"
    places = [ran.out.index(f"\n\n{heading}\n") for heading in headings]
    assert places == sorted(places)
    assert "\n\n\n" not in ran.out
    assert max(map(len, ran.out.splitlines())) <= 80


def test_one_part_of_a_lesson_is_shown_alone_also_in_the_middle_of_a_fight(affray):
    alone = affray("learn", "grapple", "screen").out
    assert "`SD+5+0=5`" in alone
    assert "What it is about" not in alone
    played = affray("play", "grapple", "heroes=ahalish", "monsters=goblin", "--no-odds", typed="learn screen\nquit\n")
    assert "`learn` explains how to play" in played.unfolded
    assert alone in played.out
    ran = affray("learn", "grapple", "scren")
    assert (ran.code, ran.err) == (2, "affray: there is no part of the lesson 'scren'; did you mean screen?\n")


# --- without compiled rules --------------------------------------------------------------------------------------


@pytest.fixture
def uncompiled(monkeypatch):
    """Numba is not there."""

    def missing(*args, **how):
        raise MissingExtra("compiled play", "lab")

    for place in ("fighting._native_part", "odds.native_graph", "playouts._native_run"):
        monkeypatch.setattr(f"affray.lab.{place}", missing)


SAMPLED = ("grapple", "heroes=ahalish", "monsters=goblin")
INSTALL = "compiled play needs the optional part 'lab': install it with pip install 'affray[lab]'"


def test_fights_that_interpreted_rules_take_long_for_are_refused_unless_they_are_insisted_on(
    affray, uncompiled, monkeypatch
):
    monkeypatch.setattr("affray.terminal.commands.simulate.TRIAL_SECONDS", 0.0)
    ran = affray("simulate", *SAMPLED, "--fights", "30")  # which takes less than a minute
    assert ran.out.startswith("30 fights of grapple")
    monkeypatch.setattr("affray.terminal.commands.simulate.PATIENT_SECONDS", 0.0)
    ran = affray("simulate", *SAMPLED, "--fights", "30")
    assert (ran.code, ran.out) == (2, "")
    assert f"by interpreted rules; {INSTALL}. Without it, --fights 1 takes a minute" in " ".join(ran.err.split())
    ran = affray("simulate", *SAMPLED, "--fights", "30", "--interpreted", "--json")
    assert json.loads(ran.out)["fights"] == 30


def test_where_the_number_is_left_open_interpreted_rules_fight_as_many_as_there_is_time_for(
    affray, uncompiled, monkeypatch
):
    monkeypatch.setattr("affray.lab.simulate.INTERPRETED_SECONDS", 0.0)
    ran = affray("simulate", *SAMPLED)
    assert ran.out.startswith("1 fight of grapple")
    assert f"There was no time for more fights: {INSTALL}." in ran.unfolded
    monkeypatch.setattr("affray.lab.forecast.COUNTING_SECONDS", 0.0)
    ran = affray("odds", *SAMPLED)
    assert f"No odds: there was time for only 1 simulated fight, which is too few; {INSTALL}." in ran.unfolded
    assert "%" not in ran.out


def test_luck_that_interpreted_play_outs_take_long_for_is_refused(affray, uncompiled, monkeypatch):
    monkeypatch.setattr("affray.lab.luck.AUDIT_SECONDS", 0.0)
    duel = ("play", *SAMPLED, "--computer", "heroes", "--seed", "1", "--no-odds")
    assert "30 interpreted play-outs of each position" in affray(*duel, typed="luck\n").unfolded
    monkeypatch.setattr("affray.lab.luck.SLOW_SECONDS", 0.0)
    refused = "Measuring the luck of such a large fight needs the optional part 'lab': install it with pip"
    assert refused in affray(*duel, typed="luck\n").unfolded
