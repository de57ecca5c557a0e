"""Who may enter a fight: each bad sheet with its sentence, tables and files there and back, and what a fight leaves."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from affray.errors import Invalid
from affray.fight import Fight
from affray.kernel.chance import Seeded
from affray.system.registry import find
from affray.system.schema import Whole, Word
from affray.system.setup import Setup
from affray.system.sheets import schema
from affray.systems.mythos import rules, terms
from affray.systems.mythos.sheets import (
    PROFILES,
    SHEETS,
    Sheet,
    after_fight,
)
from affray.systems.mythos.tactics import TACTICS
from affray.systems.mythos.terms import PERKS, WARDS
from affray.systems.mythos.weapons import BASE_SKILLS, WEAPONS
from affray.world.store.attributes import LONGEST

SHEET = schema(Sheet)
GUNS = [id for id, weapon in WEAPONS.items() if weapon.kind == "gun"]
LOADED = [id for id, weapon in WEAPONS.items() if weapon.magazine]


def refused(act: Callable[[], object]) -> str:
    with pytest.raises(Invalid) as caught:
        act()
    return str(caught.value)


def seated(*sheets: Sheet, **options: object) -> rules.Fight:
    """The sheets on one side, a zombie on the other."""
    teams = {"heroes": [sheet.as_table() for sheet in sheets], "enemies": ["zombie"]}
    return Setup.of("mythos", teams, options).seated()


# --- what does not fit -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"skills": {"brawl": 140}}, "Ida: skills.brawl must be 1 to 100, not 140"),
        ({"skills": {"brwal": 50}}, "Ida: skills: there is no skill 'brwal'; did you mean brawl?"),
        ({"skills": ["brawl"]}, "Ida: skills must be a table { skill = 1 to 100 }, not ['brawl']"),
        ({"weapons": ["38-revolvr"]}, "Ida: weapons: there is no weapon '38-revolvr'; did you mean 38-revolver"),
        ({"weapons": ["hands"]}, "Ida: weapons: there is no weapon 'hands'; there are: brass-knuckles"),
        ({"weapons": ["torch", "torch"]}, "Ida: weapons must be a list with each weapon once, not ['torch', 'torch']"),
        (
            {"weapons": ["torch", "rock", "whip", "spear", "bow"]},
            "weapons must be a list of at most 4 ids (weapon), not",
        ),
        ({"perks": ["beedy-eye"]}, "Ida: perks: there is no perk 'beedy-eye'; did you mean beady-eye?"),
        ({"perks": ["tough guy"]}, "Ida: perks: there is no perk 'tough guy'; did you mean tough-guy?"),
        ({"perks": ["alert", "alert"]}, "Ida: perks must be a list with each perk once, not ['alert', 'alert']"),
        ({"hp": -3}, "Ida: hp must be 0 to 100, not -3"),
        ({"hp": 11}, "Ida: hp must be 0 to 10, the most HP, not 11"),
        ({"hp": 9, "max_hp": 8}, "Ida: hp must be 0 to 8, the most HP, not 9"),
        ({"max_hp": 0}, "Ida: max_hp must be 1 to 100, not 0"),
        ({"hp": True}, "Ida: hp must be a whole number, 0 to 100, not true"),
        ({"strength": 301}, "Ida: strength must be 1 to 300, not 301"),
        ({"dexterity": "quick"}, "Ida: dexterity must be a whole number, 1 to 300, not 'quick'"),
        ({"luck": 100}, "Ida: luck must be 0 to 99, not 100"),
        ({"mov": 0}, "Ida: mov must be 1 to 20, not 0"),
        ({"natural": "1D"}, "Ida: natural must be dice such as 1D8 or 2D6+4, up to 9D20+99, or 0, not '1D'"),
        ({"ward": "gun-half"}, "Ida: ward: there is no choice 'gun-half'; did you mean guns-half"),
        ({"tactic": "boxer"}, "Ida: tactic: there is no choice 'boxer'"),
        ({"kind": "hero"}, "Ida: kind: there is no choice 'hero'; there are: investigator, enemy"),
        ({"items": {"medecine": 1}}, "Ida: items: there is no item 'medecine'; did you mean medicine?"),
        ({"items": {"medicine": -1}}, "Ida: items.medicine must be 0 to 99, not -1"),
        ({"streng": 50}, "Ida: there is no key 'streng'; did you mean strength?"),
        (
            {"weapons": ["torch"], "ammunition": {"38-revolver": 6}},
            "Ida: ammunition must be for a weapon that is carried (torch), not '38-revolver'",
        ),
        (
            {"ammunition": {"38-revolver": 6}},
            "ammunition must be for a weapon that is carried (none), not '38-revolver'",
        ),
        ({"ammunition": {"38-revolvers": 6}}, "there is no weapon '38-revolvers'; did you mean 38-revolver"),
        ({"weapons": ["torch"], "ammunition": {"torch": 1}}, "Ida: ammunition: torch takes no ammunition"),
        (
            {"weapons": ["38-revolver"], "loaded": {"38-revolver": 7}},
            "Ida: loaded.38-revolver must be 0 to 6, its magazine, not 7",
        ),
        ({"weapons": ["torch"], "wields": "whip"}, "Ida: wields must be a weapon that is carried (torch), not 'whip'"),
        ({"wields": "whip"}, "Ida: wields must be a weapon that is carried (none), not 'whip'"),
        ({"wields": "wip"}, "Ida: wields: there is no choice 'wip'; did you mean whip?"),
        ({"major_wound": "perhaps"}, "Ida: major_wound must be on or off, not 'perhaps'"),
        ({"name": ""}, "name must be text on one line, 1 to 40 characters, not ''"),
        ({"name": "Ida\x1b[2J"}, "name must be text on one line"),
        ({"base": "detectiv"}, "there is no fighter 'detectiv'; did you mean detective?"),
    ],
)
def test_a_bad_sheet_gets_a_sentence_that_names_what_is_allowed(changes: Mapping[str, object], sentence: str) -> None:
    assert sentence in refused(lambda: SHEETS.enlist({"name": "Ida", **changes}))


def test_a_sheet_needs_a_name() -> None:
    assert refused(lambda: SHEETS.enlist({"strength": 60})).endswith(
        "name is missing; it must be text on one line, 1 to 40 characters"
    )


@pytest.mark.parametrize(
    ("spec", "sentence"),
    [
        ("detectve", "there is no fighter 'detectve'; did you mean detective?"),
        ("detective:skills=brawl 140", "detective: skills.brawl must be 1 to 100, not 140"),
        ("detective:hp=-1", "detective: hp must be 0 to 100, not -1"),
        ("detective:perks=quik-draw", "detective: perks: there is no perk 'quik-draw'; did you mean quick-draw?"),
        ("detective:skills=brawl 50+brawl 60", "names brawl twice"),
        ("detective:weapons=blackjack", "detective: wields must be a weapon that is carried (blackjack), not"),
        ("detective:hp", "detective: change must be key=value, not 'hp'"),
    ],
)
def test_a_bad_spec_gets_one_too(spec: str, sentence: str) -> None:
    assert sentence in refused(lambda: SHEETS.enlist(spec))


def test_a_stranger_s_spec_reaches_no_file() -> None:
    assert "names a file" in refused(lambda: SHEETS.enlist("mine.toml#ida", files=False))


@pytest.mark.parametrize(
    ("spec", "sentence"),
    [
        ("detective:dead=on", "Detective is dead and cannot fight"),
        ("boxer:hp=0", "Boxer has no HP left and cannot fight"),
    ],
)
def test_neither_the_dead_nor_those_without_hp_can_fight(spec: str, sentence: str) -> None:
    assert refused(lambda: seated(SHEETS.enlist(spec))) == sentence


def test_a_file_is_checked_sheet_by_sheet(tmp_path: Path) -> None:
    mine = tmp_path / "mine.toml"
    mine.write_text('[ida]\nbase = "detective"\nname = "Ida"\n\n[bo]\nname = "Bo"\nweapons = ["bow"]\n')
    assert SHEETS.check_file(mine) == ["ida", "bo"]
    mine.write_text('[ida]\nbase = "detective"\n\n[bo]\nname = "Bo"\nweapons = ["bwo"]\n')
    assert (
        refused(lambda: SHEETS.check_file(mine)) == f"{mine}, bo: weapons: there is no weapon 'bwo'; did you mean bow?"
    )


# --- any table -------------------------------------------------------------------------------------------------------


def sheet_or_sentence(spec: str | Mapping[str, object]) -> Sheet | str:
    """What comes of a spec; any other error than a refusal fails the test."""
    try:
        return SHEETS.enlist(spec, files=False)
    except Invalid as problem:
        return str(problem)


_scalars = st.none() | st.booleans() | st.integers(-5, 400) | st.floats() | st.text(max_size=6)
_words = st.sampled_from([*WEAPONS, *PERKS, *BASE_SKILLS, "dodge", "first-aid", *TACTICS, *WARDS, "1D8+2", "enemy"])
_values = _scalars | _words | st.lists(_words, max_size=5) | st.dictionaries(_words | st.text(max_size=3), _scalars)


@settings(max_examples=400, deadline=None)
@given(
    st.dictionaries(st.sampled_from([*SHEET, "base", "skils"]) | st.text(max_size=5), _values, max_size=6),
    st.booleans(),
)
def test_any_table_gives_a_sheet_or_a_sentence(table: dict[str, object], named: bool) -> None:
    made = sheet_or_sentence({"name": "Ida", **table} if named else table)
    if isinstance(made, str):
        assert made
        assert "\n" not in made
    else:
        assert SHEETS.enlist(made.as_table()) == made


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=60))
def test_any_text_behind_a_name_gives_a_sheet_or_a_sentence(text: str) -> None:
    assert sheet_or_sentence(f"detective:{text}") != ""


# --- good sheets, there and back -------------------------------------------------------------------------------------


@st.composite
def sheets(draw: st.DrawFn) -> Sheet:
    """Any investigator or enemy who could stand in a file."""
    carried = draw(st.lists(st.sampled_from([id for id in WEAPONS if id != "hands"]), unique=True, max_size=4))
    table: dict[str, Any] = {
        "id": "ida",
        "name": draw(st.sampled_from(["Ida", "Zoë O'Hara", "the 3rd"])),
        "kind": draw(st.sampled_from(["investigator", "enemy"])),
        **{key: draw(st.integers(1, 200)) for key in ("strength", "constitution", "size", "dexterity", "power")},
        "luck": draw(st.integers(0, 99)),
        "skills": draw(st.dictionaries(st.sampled_from([*BASE_SKILLS, "dodge"]), st.integers(1, 100))),
        "perks": draw(st.lists(st.sampled_from(PERKS), unique=True)),
        "weapons": carried,
        "wields": draw(st.sampled_from(["hands", *carried])),
        "loaded": {id: draw(st.integers(0, WEAPONS[id].magazine)) for id in carried if id in LOADED},
        "ammunition": {id: draw(st.integers(0, 40)) for id in carried if id in GUNS and draw(st.booleans())},
        "items": draw(st.dictionaries(st.sampled_from(["first-aid", "medicine"]), st.integers(0, 9))),
        "major_wound": draw(st.booleans()),
        "natural": draw(st.sampled_from(["1D3", "2D6+1", "0"])),
        "tactic": draw(st.sampled_from(sorted(TACTICS))),
    }
    if draw(st.booleans()):
        most = max(1, (table["constitution"] + table["size"]) // 10)
        table["hp"] = draw(st.integers(1, most))
    return SHEETS.enlist(table)


@settings(max_examples=100, deadline=None)
@given(sheets())
def test_a_sheet_is_what_its_table_makes(sheet: Sheet) -> None:
    assert SHEETS.enlist(sheet.as_table()) == sheet


@settings(max_examples=100, deadline=None)
@given(sheets(), st.sampled_from(["detective", "nurse", "ghoul"]))
def test_a_sheet_is_what_its_spec_makes_whatever_it_is_based_on(sheet: Sheet, base: str) -> None:
    spec = SHEETS.spec_of(sheet, base)
    assert spec.partition(":")[0] == base
    again = SHEETS.enlist(spec, files=False).as_table()
    for key, value in sheet.as_table().items():
        assert again[key] == value
    assert again.get("perks", []) == list(sheet.perks)
    assert again.get("items", {}) == sheet.items


@pytest.mark.parametrize("id", SHEETS.fighters())
def test_every_sheet_of_ours_is_what_its_table_makes(id: str) -> None:
    assert SHEETS.enlist(SHEETS.fighters()[id].as_table()) == SHEETS.enlist(id) == SHEETS.fighters()[id]


def test_what_is_not_on_a_sheet_follows_from_the_characteristics() -> None:
    ida = SHEETS.enlist({"name": "Ida", "strength": 70, "constitution": 65, "size": 60, "dexterity": 75})
    assert (ida.most_hp, ida.hp_now, ida.speed, ida.dodge) == (12, 12, 9, 37)
    assert (ida.skill("brawl"), ida.skill("whip")) == (25, 5)
    fighter = seated(ida).fighters[0]
    assert (fighter.build, fighter.bonus_dice, fighter.bonus_sides) == (1, 1, 4)


def test_a_gun_comes_with_a_full_magazine_and_two_beside_unless_the_sheet_says_otherwise() -> None:
    fighter = seated(SHEETS.enlist({"name": "Ida", "weapons": ["38-revolver", "12-gauge", "rock"]})).fighters[0]
    assert list(fighter.loaded)[1:4] == [6, 2, 3]
    assert list(fighter.spare)[1:4] == [12, 4, 0]
    changed = {"loaded": {"38-revolver": 0}, "ammunition": {"38-revolver": 1}}
    fighter = seated(SHEETS.enlist({"name": "Ida", "weapons": ["38-revolver"], **changed})).fighters[0]
    assert (fighter.loaded[1], fighter.spare[1]) == (0, 1)


# --- what a fight leaves ---------------------------------------------------------------------------------------------


def test_wounds_ammunition_items_and_luck_last() -> None:
    ida = SHEETS.enlist("detective:weapons=38-revolver+throwing-knife+blackjack:items=first-aid 2+medicine 1")
    fight = seated(ida)
    fighter = fight.fighters[0]
    fighter.hp, fighter.luck, fighter.items[:2] = 4, 30, [1, 0]
    fighter.loaded[1], fighter.spare[1], fighter.loaded[2] = 2, 6, 1
    left = after_fight(fight, 0, ida)
    assert (left.hp, left.luck, left.items) == (4, 30, {"first-aid": 1, "medicine": 0})
    assert left.loaded == {"38-revolver": 2, "throwing-knife": 1}
    assert left.ammunition == {"38-revolver": 6}
    assert not left.dead
    assert SHEETS.enlist(left.as_table()) == left


def test_what_lasts_is_there_again_in_the_next_fight() -> None:
    ida = SHEETS.enlist("detective")
    fight = seated(ida, profile="classic")
    fighter = fight.fighters[0]
    fighter.hp, fighter.luck, fighter.major_wound, fighter.items[0], fighter.loaded[1] = 3, 10, 1, 0, 0
    again = seated(after_fight(fight, 0, ida), profile="classic").fighters[0]
    assert (again.hp, again.max_hp, again.luck, again.major_wound) == (3, 12, 10, 1)
    assert (again.items[0], again.loaded[1], again.spare[1]) == (0, 0, 12)


@pytest.mark.parametrize("state", [terms.DYING, terms.UNCONSCIOUS])
def test_who_lies_there_without_hp_lives_but_cannot_fight(state: int) -> None:
    ida = SHEETS.enlist("detective")
    fight = seated(ida, wounds="classic")
    fight.fighters[0].hp, fight.fighters[0].state, fight.fighters[0].major_wound = 0, state, 1
    left = after_fight(fight, 0, ida)
    assert (left.hp, left.major_wound, left.dead) == (0, True, False)
    assert "has no HP left" in refused(lambda: seated(left))


def test_the_dead_stay_dead() -> None:
    ida = SHEETS.enlist("detective")
    fight = seated(ida)
    fight.fighters[0].hp, fight.fighters[0].state = 0, terms.DEAD
    left = after_fight(fight, 0, ida)
    assert left.dead
    assert left.as_table()["dead"] is True
    assert refused(lambda: seated(SHEETS.enlist(left.as_table()))) == "Detective is dead and cannot fight"


def test_a_weapon_on_the_floor_is_picked_up_after_the_fight() -> None:
    ida = SHEETS.enlist("detective")
    fight = seated(ida)
    fight.fighters[0].dropped = 1 << 1
    left = after_fight(fight, 0, ida)
    assert (left.weapons, left.wields) == (ida.weapons, ida.wields)


@settings(max_examples=60, deadline=None)
@given(sheets(), st.integers(0, 2**32), st.sampled_from(sorted(PROFILES)))
def test_fight_after_fight_nothing_grows_that_is_used_up(sheet: Sheet, seed: int, profile: str) -> None:
    random = Random(seed)
    for _ in range(3):
        options = {"profile": profile, "round_cap": random.choice((1, 3, 30))}
        teams = {"investigators": [sheet.as_table()], "enemies": [random.choice(("zombie", "armed-cultist", "ghoul"))]}
        fight = Fight("mythos", teams, dice=Seeded(random.randrange(2**32)), options=options)
        while not fight.over:
            (who,) = fight.to_act
            fight.play(who, random.choice(fight.legal(who)))
        left = after_fight(fight.state, 0, sheet)
        assert SHEETS.enlist(left.as_table()) == left
        assert left.luck <= sheet.luck
        for weapon in sheet.weapons:
            before, after = seated(sheet).fighters[0], fight.state.fighters[0]
            slot = 1 + sheet.weapons.index(weapon)
            assert after.loaded[slot] + after.spare[slot] <= before.loaded[slot] + before.spare[slot]
        for item, count in left.items.items():
            assert count <= sheet.items.get(item, 0)
        assert left.dead == (fight.figures[fight.names[0]]["dead"] == 1)
        assert left.major_wound or not sheet.major_wound, "no fight heals a major wound"
        if left.dead or left.hp == 0:
            return
        sheet = left


# --- in a world ------------------------------------------------------------------------------------------------------

residence = find("mythos").residence
assert residence is not None


def test_a_player_s_sheet_is_one_attribute_that_a_fight_rewrites() -> None:
    attributes = {"mythos_sheet": "detective:luck=60:skills=brawl 70", "note": "x"}
    sheet = residence.player("Ada", attributes)
    assert (sheet.name, sheet.luck, sheet.skills) == ("Ada", 60, {"brawl": 70})
    fight = seated(sheet)
    fighter = fight.fighters[0]
    fighter.hp, fighter.luck, fighter.items[0], fighter.loaded[1] = 5, 40, 0, 3
    written = residence.returns(fight, 0, attributes)
    again = residence.player("Ada", written)
    assert again == after_fight(fight, 0, sheet)
    assert str(written["mythos_sheet"]).startswith("detective:luck=40:hp=5:skills=brawl 70:")
    assert "name" not in str(written["mythos_sheet"]), "Ada is what the player is called, not the sheet"


def test_an_attribute_that_no_longer_fits_is_left_alone() -> None:
    fight = seated(residence.player("Ada", {"mythos_sheet": "detective"}))
    for now in ("nobody", "detective:luck=900", "detective:skills=brawl 140"):
        assert residence.returns(fight, 0, {"mythos_sheet": now}) == {}
    assert residence.returns(fight, 0, {}) == {}


def test_the_longest_sheet_fits_into_an_attribute() -> None:
    longest, items, perks = ([f"{thing}-{n}".ljust(40, "x") for n in range(4)] for thing in ("gun", "item", "perk"))
    gun = {"kind": "gun", "skill": "rifle-shotgun", "bonus": "full", "impales": True, "handgun": True, "shots": 3}
    gun |= {"base_range": 498, "second_range": 499, "third_range": 500, "magazine": 99, "malfunction": 100}
    gun |= dict.fromkeys(("damage", "farther", "farthest"), "9D20+99")
    item = {"heals": "9D20+99", "boosts": ["attacks", "reactions", "constitution"], "dice": 2, "turns": 9}
    effects = [{"beady_eye": True, "rapid_fire": True, "quick_draw": 100}, {"nimble": True, "outmaneuver": 9}]
    effects += [{"alert": True, "night_vision": True, "rapid_attack": 3, "heavy_hitter": 3, "price": 99}]
    effects += [{"endurance": 2, "tough_guy": 20, "fleet_footed": True, "price": 99}]
    words = {key: max(field.allowed, key=len) for key, field in SHEET.items() if isinstance(field, Word)}
    most = {key: field.high for key, field in SHEET.items() if isinstance(field, Whole)}
    table: dict[str, object] = {
        **most,
        **words,
        "hp": 60,  # as many as CON and SIZ of 300 give
        "name": "x" * 40,
        "natural": "9D20+20",
        "skills": dict.fromkeys((*BASE_SKILLS, "dodge"), 100),
        "perks": perks,
        "weapons": longest,
        "wields": longest[-1],
        "loaded": dict.fromkeys(longest, 99),
        "ammunition": dict.fromkeys(longest, 999),
        "items": dict.fromkeys(("first-aid", "medicine", "stimulant", *items), 99),
        "own_weapons": {id: {"name": id.upper(), **gun} for id in longest},
        "own_items": {id: {"name": id.upper(), **item} for id in items},
        "own_perks": {id: {"name": id.upper(), **does} for id, does in zip(perks, effects, strict=True)},
        "major_wound": True,
        "dead": True,
        "id": "x" * 40,
        "note": "x" * 80,
    }
    assert set(table) == set(SHEET)
    base = max(SHEETS.fighters(), key=len)
    spec = SHEETS.spec_of(SHEETS.enlist(table), base)
    assert len(spec) <= LONGEST
    assert SHEETS.enlist(spec) == SHEETS.enlist(table)


def test_who_has_no_sheet_is_told_which_attribute_is_missing() -> None:
    said = refused(lambda: residence.player("Ada", {}))
    assert said == "Ada has no attribute mythos_sheet[STRING]; it takes a sheet such as detective or detective:hp=6"
