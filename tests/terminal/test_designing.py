"""The commands for designers: in words, in 80 columns, as JSON, and with refusals that name what is allowed."""

import json
from pathlib import Path

SWORDS = ("--vary", "hero:equipment=steel-sword|flame-sabre|tide-rapier")
FOES = ("--each", "foe=cinder-hound|whirl-djinn|rock-crab|marsh-lurker")
KNIGHT = ("bgo", "hero=knight", "foe=cinder-hound")


def test_compare_says_which_sword_is_dominated(affray):
    ran = affray("compare", *KNIGHT, *SWORDS, *FOES)
    assert ran.code == 0
    assert "tide-rapier is dominated by steel-sword" in ran.out
    assert "Counted exactly" in ran.out
    assert all(len(line) <= 80 for line in ran.out.splitlines())


def test_compare_samples_what_cannot_be_counted_and_says_how_much_the_same_dice_help(affray):
    words = ("compare", *KNIGHT, *SWORDS, "--of", "rounds", "--fights", "1000")
    ran = affray(*words, "--plot", "swords.svg")
    assert "Differences; all 3 intervals hold together:" in ran.out
    assert "times narrower than those of independent runs" in ran.unfolded
    assert Path("swords.svg").read_text().startswith("<svg")
    table = json.loads(affray(*words, "--json").out)
    assert [each["one"] for each in table["differences"]] == ["steel-sword", "steel-sword", "flame-sabre"]


def test_compare_refuses_what_it_cannot_vary(affray):
    assert "no key 'equip'" in affray("compare", *KNIGHT, "--vary", "hero:equip=sword").err
    assert "must end in .svg" in affray("compare", *KNIGHT, "--plot", "swords.gif").err
    assert "variants must be 1 to 64, not 10,000" in affray("compare", *KNIGHT, "--vary", "hero:health=1..10000").err


MONSTER = ("bgo", "hero=player", "monster=mud-slime")


def test_tune_prints_the_command_that_checks_what_it_found(affray):
    ran = affray("tune", *MONSTER, "--vary", "monster:max_health+health=4..20", "--target", "monster=0.4..0.6")
    (command,) = (line for line in ran.out.splitlines() if line.startswith("  affray odds"))
    odds = json.loads(affray(*command.split()[1:], "--json").out)
    assert 0.4 <= odds["chances"]["monster"]["chance"] <= 0.6
    assert "all counted exactly" in ran.unfolded
    assert all(len(line) <= 80 for line in ran.out.splitlines() if not line.startswith("  affray"))


def test_tune_says_when_nothing_can_and_refuses_nonsense(affray):
    none = ("tune", *MONSTER, "--vary", "monster:max_health+health=4..6", "--target", "monster=0.99")
    assert "Nothing in these ranges can do it. Those that come nearest:" in affray(*none).unfolded
    assert json.loads(affray(*none, "--json").out)["impossible"]
    assert "price of monster:health must be a number from 0 up" in affray(*none, "--price", "monster:health=-1").err


def test_sensitivity_ranks_what_matters(affray):
    ran = affray("sensitivity", "bgo", "heroes=player", "monsters=fire-slime", "--plot", "matters.svg")
    assert ran.out.index("fire-slime:max_health+health") < ran.out.index("option:armor_base")
    assert "; 15 without a difference" in ran.out
    assert Path("matters.svg").exists()
    sampled = affray("sensitivity", "bgo", "heroes=player", "monsters=fire-slime", "--of", "rounds", "--fights", "50")
    assert "all intervals hold together with 95%" in sampled.unfolded
    assert all(len(line) <= 80 for line in (ran.out + sampled.out).splitlines())


def test_encounter_suggests_monsters_with_the_command_to_fight_them(affray):
    words = ("encounter", "bgo", "heroes=player", "--difficulty", "0.4..0.8", "--monsters", "1", "--suggestions", "1")
    ran = affray(*words)
    assert "exact" in ran.out
    assert "  affray simulate bgo heroes=player monsters=" in ran.out
    assert json.loads(affray(*words, "--json").out)["suggestions"][0]["wins"]["value"] >= 0.4
    assert "give the party alone" in affray("encounter", "bgo", "a=player", "b=squire").err
    assert "must be a number or a range such as 2..6" in affray(*words[:3], "--monsters", "few").err


def test_campaign_says_how_far_a_party_gets(affray):
    words = ("campaign", "bgo", "heroes=player", "--meet", "fire-slime", "--meet", "mud-slime", "--runs", "50")
    ran = affray(*words, "--rest", "round")
    assert "2: mud-slime" in ran.out
    assert "with round between fights: 50 runs." in ran.unfolded
    assert json.loads(affray(*words, "--json").out)["runs"] == 50
    assert "there is no way to recover 'sleep'" in affray(*words, "--rest", "sleep").err
