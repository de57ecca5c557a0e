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
