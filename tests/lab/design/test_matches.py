"""Matches and knobs: what is typed is what is varied, and what cannot be is refused with what can."""

import pytest

from affray.errors import Invalid
from affray.lab.design.matches import Knob, Match, variants
from affray.system.setup import Setup


def match():
    return Match.of("bgo", "heroes=player,squire:health=5 monsters=fire-slime,fire-slime")


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("slime:health=4..7", ("4", "5", "6", "7")),
        ("slime:health=4..9/2", ("4", "6", "8")),
        ("slime:attack=-2..1", ("-2", "-1", "0", "1")),
        ("hero:weapon=sword|axe|sword", ("sword", "axe")),
        ("slime:health=2|8..9", ("2", "8", "9")),
    ],
)
def test_values_are_ranges_steps_and_words(text, values):
    assert Knob.read(text).values == values


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("slime", "not of the form  slime:health=4..20"),
        ("slime:health=9..4", "9..4 must be a range from the lower to the higher number"),
        ("slime:health=4..9/0", "must be a range"),
        ("slime:health=4..x", r"'4..x' must be like 4..20, 4..20/2, sword\|axe"),
        ("slime:health=1..99999999", "with 1 to 10,000 values"),
    ],
)
def test_wrong_ranges_are_refused_with_what_is_allowed(text, says):
    with pytest.raises(Invalid, match=says):
        Knob.read(text)


@pytest.mark.parametrize(
    ("what", "teams"),
    [
        ("monsters:health=9", {"monsters": ("fire-slime:health=9", "fire-slime:health=9")}),
        ("slime:health=9", {"monsters": ("fire-slime:health=9", "fire-slime:health=9")}),
        ("fire-slime-2:health=9", {"monsters": ("fire-slime", "fire-slime:health=9")}),
        ("squire:max_health+health=9", {"heroes": ("player", "squire:max_health=9:health=9")}),
        ("heroes=knight,player", {"heroes": ("knight", "player")}),
    ],
)
def test_a_knob_changes_the_fighters_that_are_meant(what, teams):
    knob = Knob.read(what)
    changed = knob.turned(match(), knob.values[0])
    assert changed.teams == {**match().teams, **teams}


def test_options_and_tactics_are_knobs_too():
    knobs = [Knob.read("option:round_cap=50|100"), Knob.read("tactic:heroes=random|cautious")]
    found = variants(match(), knobs, 4)
    assert list(found)[1] == "option:round_cap=50, tactic:heroes=cautious"
    assert [(each.setup.options["round_cap"], each.chosen["player"]) for each in found.values()] == [
        (50, "random"), (50, "cautious"), (100, "random"), (100, "cautious")
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("goblin:health=1..2", "no fighter or team 'goblin'; there are: heroes, monsters, player"),
        ("slime:helth=1..2", "no key 'helth'; did you mean health"),
        ("slime:health=0..2", "health must be 1 to"),
        ("dragons=player", "no team 'dragons'"),
        ("option:cap=1", "no option 'cap'"),
        ("tactic:heroes=boldly", "no tactic 'boldly'"),
        ("heroes:health=1..65", "must be 1 to 64, not 65"),
    ],
)
def test_unknown_keys_and_impossible_values_are_refused_with_what_is_allowed(text, says):
    with pytest.raises(Invalid, match=says):
        variants(match(), [Knob.read(text)], 64)


def test_swapped_seats_change_the_order_and_not_the_names():
    swapped = match().swapped
    assert swapped.teams == {"monsters": ["fire-slime", "fire-slime-2"], "heroes": ["player", "squire"]}
    assert [sheet.health for sheet in swapped.sheets] == [4, 4, 10, 5]
    twins = Match.of("bgo", "a=player b=player:health=3")
    assert twins.swapped.teams == {"b": ["player-2"], "a": ["player"]}
    assert twins.swapped.sheets[0].health == 3


def test_the_words_of_a_match_mean_it_again():
    made = Match.of("bgo", "a=player:health=3 b=fire-slime", {"round_cap": 50}, {"a": "random"})
    assert made.command("odds", "--json") == (
        "affray odds bgo a=player:health=3 b=fire-slime --option round_cap=50 --tactic a=random --json"
    )
    assert Setup.of("bgo", "a=player:health=3 b=fire-slime", {"round_cap": 50}).specs() == made.setup.specs()


def test_a_kind_of_sheets_stands_for_all_of_it_in_place_of_a_team():
    kinds = {"beasts": ["rat", "wolf"], "men": ["guard"]}
    assert Knob.read("foes=beasts|guard|rat", kinds).values == ("rat", "wolf", "guard")
    assert Knob.read("foe:weapon=beasts", kinds).values == ("beasts",)


def test_sheets_given_as_tables_are_varied_like_those_that_are_typed():
    given = Match.of("bgo", {"heroes": [{"base": "player", "attack": 1}], "monsters": ["fire-slime"]})
    made = variants(given, [Knob.read("player:max_health+health=4|5")], 2)
    assert [each.setup.sheets[0].health for each in made.values()] == [4, 5]
    assert {each.setup.sheets[0].attack for each in made.values()} == {1}
    with pytest.raises(Invalid, match="there is no key 'helth'"):
        variants(given, [Knob.read("player:helth=4|5")], 2)


def test_where_files_are_not_allowed_no_value_names_one():
    guarded = Match.of("bgo", "heroes=player monsters=fire-slime", files=False)
    with pytest.raises(Invalid, match="names a file"):
        variants(guarded, [Knob.read("heroes=player|own.toml#ann")], 2)
