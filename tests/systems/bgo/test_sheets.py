"""Sheets of the Board Game Online variant: the data, what equipment adds up to, specs, files, and the round trip."""

from __future__ import annotations

import json
import pickle
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from affray.errors import Invalid
from affray.fight import Fight
from affray.system.schema import Option, settle
from affray.systems.bgo import sheets
from affray.systems.bgo.abilities import ABILITIES, FLAGS, TYPES
from affray.systems.bgo.sheets import (
    JOURNEY_OPTIONS,
    OPTIONS,
    SHEETS,
    Policy,
    Sheet,
    Stats,
    as_table,
    check_shares,
    effective,
    enlist,
    finished_sheet,
    rank,
    refit,
)

SHARED = Path(__file__).resolve().parents[4] / "shared" / "data" / "bgo.json"


def damage(**components: int) -> tuple[int, ...]:
    return tuple(components.get(kind, 0) for kind in TYPES)


def refused(spec: Any) -> str:
    with pytest.raises(Invalid) as caught:
        enlist(spec)
    sentence = str(caught.value)
    assert "\n" not in sentence
    return sentence


# The data


@pytest.fixture(scope="module")
def facts() -> dict[str, Any]:
    if not SHARED.exists():
        pytest.skip(f"the source data {SHARED.name} is not beside this checkout")
    loaded: dict[str, Any] = json.loads(SHARED.read_text(encoding="utf-8"))
    return loaded


def stats_of(fact: dict[str, Any]) -> dict[str, Any]:
    return {
        "health": fact.get("health", 0),
        "attack": fact.get("attack", 0),
        "defense": fact.get("defense", 0),
        "damage": damage(**fact.get("damage", {})),
        "abilities": fact.get("abilities", {}),
    }


def same(thing: Stats, fact: dict[str, Any]) -> None:
    assert {key: getattr(thing, key) for key in stats_of(fact)} == stats_of(fact)


def test_the_types_are_those_of_the_document(facts: dict[str, Any]) -> None:
    assert list(TYPES) == facts["types"]


def first_edition(things: Mapping[str, Any]) -> list[str]:
    """The ids of what the source lists; the rest came later."""
    return [id for id, thing in things.items() if thing.edition == 1]


def test_creatures_are_the_source_fact_for_fact(facts: dict[str, Any]) -> None:
    assert first_edition(sheets.creatures()) == [fact["id"] for fact in facts["creatures"]]
    assert len(facts["creatures"]) == 41
    for fact in facts["creatures"]:
        creature = sheets.creatures()[fact["id"]]
        same(creature, fact)
        assert (creature.name, creature.rank, creature.type) == (fact["name"], fact["rank"], fact["type"])
        shares = {key: round(100 * share) for key, share in fact["policy"].items()}
        assert creature.policy == Policy(shares["attack"], shares.get("defend", 0))
        assert bool(creature.note) == ("note" in fact)


def test_items_are_the_source_fact_for_fact(facts: dict[str, Any]) -> None:
    assert sorted(first_edition(sheets.items())) == sorted(fact["id"] for fact in facts["items"])
    assert len(facts["items"]) == 83
    for fact in facts["items"]:
        item = sheets.items()[fact["id"]]
        same(item, fact)
        slot = fact["slot"].replace("armor", "armour")  # the source has another spelling
        assert (item.name, item.rank, item.slot) == (fact["name"], fact["rank"], slot)


@pytest.mark.parametrize(("kind", "many"), [("boons", 10), ("curses", 8)])
def test_boons_and_curses_are_the_source_fact_for_fact(facts: dict[str, Any], kind: str, many: int) -> None:
    things = getattr(sheets, kind)()
    assert first_edition(things) == [fact["id"] for fact in facts[kind]]
    assert len(facts[kind]) == many
    for fact in facts[kind]:
        thing = things[fact["id"]]
        if fact["id"] == "leaden-feet":  # its note in the source, made an ability
            fact = fact | {"abilities": {"leaden-feet": 1}}
        same(thing, fact)
        lasts = {0: thing.lasts.replace("-", " "), 1: "1 encounter"}.get(
            thing.encounters, f"{thing.encounters} encounters"
        )
        assert (thing.rank, lasts) == (fact["rank"], fact["lasts"])


def test_draughts_heal_more_with_each_rank_and_salts_end_more_curses() -> None:
    known = sheets.consumables().values()
    draughts = [thing for thing in known if not thing.ends_curses]
    assert [thing.rank for thing in draughts] == [1, 2, 3, 4, 5, 6, 7]
    assert sorted({thing.heal for thing in draughts}) == [thing.heal for thing in draughts]
    salts = [(thing.rank, thing.ends_curses) for thing in known if thing.ends_curses]
    assert salts == [(2, 1), (4, 1), (6, 3), (7, 9)]


def test_sample_players_stand_for_every_rank() -> None:
    assert [enlist(id).rank for id in sheets.players()] == [1, 1, 2, 3, 4, 5, 6, 7]
    assert all(enlist(id).kind == "player" for id in sheets.players())


def test_every_ability_in_the_data_has_a_rule() -> None:
    things = [
        *sheets.creatures().values(),
        *sheets.items().values(),
        *sheets.boons().values(),
        *sheets.curses().values(),
    ]
    used = {name for thing in things for name in thing.abilities}
    assert used <= set(ABILITIES)
    for name in ABILITIES:
        stem = name.rsplit("-", 1)[0] if name.rsplit("-", 1)[-1] in TYPES else name
        assert stem in sheets.rulings() or name == "leaden-feet"  # ruling 29


def test_rulings_are_complete_and_options_point_at_theirs() -> None:
    rulings = sheets.rulings()
    document = {
        "statistics",
        "damage-types",
        "encounters",
        "attack",
        "defend",
        "flee",
        "victory",
        "first-strike",
        "death",
    }
    assert {id for id, ruling in rulings.items() if ruling.source == "document"} == document
    assert {id for id in rulings if id.isdigit()} == {str(number) for number in range(1, 48)}
    assert "order" in rulings
    for option in OPTIONS:
        assert option.name in rulings[option.ruling].options


# Options


def test_the_options_have_the_documents_numbers() -> None:
    options = settle(OPTIONS, {})
    assert (options["armor_base"], options["defend_defense"], options["defend_attack"], options["flee_defense"]) == (
        10,
        3,
        2,
        1,
    )
    assert (options["naturals"], options["poised"], options["parting_blow"], options["round_cap"]) == (
        False,
        "next",
        True,
        200,
    )
    assert len({option.name for option in OPTIONS}) == len(OPTIONS)
    assert settle(OPTIONS, options) == options


def test_shares_of_the_journey_cannot_exceed_the_whole() -> None:
    check_shares(settle(OPTIONS, {}))
    check_shares(settle(OPTIONS, {"encounter_rate": 54}))
    with pytest.raises(Invalid, match=r"encounter_rate, rest_rate, .* must add up to at most 100, not 101"):
        check_shares(settle(OPTIONS, {"encounter_rate": 55}))
    with pytest.raises(Invalid, match="reward_boon, reward_consumable must add up to at most 100, not 105"):
        check_shares(settle(OPTIONS, {"reward_boon": 100}))


@pytest.mark.parametrize("option", JOURNEY_OPTIONS, ids=lambda option: option.name)
def test_a_plain_fight_refuses_the_options_of_a_journey(option: Option) -> None:
    with pytest.raises(Invalid, match=f"option {option.name} is for a journey; a fight does not have it"):
        Fight("bgo", "heroes=player monsters=fire-slime", options={option.name: option.default})


# Statistics: the document's player and slimes


def test_the_documents_player() -> None:
    player = enlist("player")
    assert (player.max_health, player.health, player.attack, player.defense) == (10, 10, 0, 0)
    assert player.damage == damage(physical=2)
    assert (player.rank, player.can_flee, player.type, player.policy) == (1, True, None, Policy(100, 0))


def test_the_documents_slimes() -> None:
    fire, fast = enlist("fire-slime"), enlist("fast-slime")
    assert (fire.rank, fire.health, fire.damage, fire.can_flee) == (1, 4, damage(fire=2), False)
    assert (fast.rank, fast.health, fast.damage, fast.abilities) == (2, 4, damage(physical=2), {"first-strike": 1})


# Equipment, boons and curses


def test_equipment_adds_up() -> None:
    knight = enlist("knight")  # war-axe +1 Attack, 2 physical; scale-coat 3 Health, 1 Defense; tower-brooch 1 Defense
    assert (knight.max_health, knight.health, knight.attack, knight.defense) == (13, 13, 1, 2)
    assert knight.damage == damage(physical=4)
    assert knight.equipment == ("war-axe", "scale-coat", "tower-brooch")


def test_a_component_is_floored_after_everything_is_added() -> None:
    torch = enlist("player:damage=physical 1:equipment=torch:curses=dull-edge")  # ruling 19: 1 - 1 - 1
    assert torch.damage == damage(fire=1)
    assert enlist("player:health=1:max_health=1:curses=thin-blood").max_health == 1
    assert enlist("player:attack=-3:curses=shaky-hands").attack == -4


def test_abilities_numbers_add_up_and_flags_stay_flags() -> None:
    sheet = enlist("player:abilities=first-strike+resist-physical 2:equipment=quilted-cloak+swift-anklet")
    assert sheet.abilities == {"first-strike": 1, "resist-physical": 3}
    plain = effective(Stats(abilities={"ward": 1, "enrage": 1}), [Stats(abilities={"ward": 1, "enrage": 2})])
    assert plain.abilities == {"ward": 1, "enrage": 3}


@pytest.mark.parametrize(
    ("ranks", "result"), [([], 1), ([1, 1], 1), ([2, 2, 1], 1), ([2, 2, 2], 2), ([6, 6, 5], 5), ([6, 6, 6], 6)]
)
def test_rank_is_a_third_of_the_equipped_ranks(ranks: list[int], result: int) -> None:
    by_rank = {item.rank: item for item in sheets.items().values()}
    assert rank([by_rank[number] for number in ranks]) == result  # ruling 11


def test_rank_with_another_divisor() -> None:
    assert finished_sheet(sheets.players()["squire"], rank_divisor=1).rank == 6


def test_health_follows_the_maximum_up_and_is_cut_down() -> None:
    assert refit(4, before=10, after=12) == 6  # ruling 18
    assert refit(11, before=12, after=10) == 10
    assert refit(4, before=12, after=10) == 4
    assert enlist("player:boons=giants-heart").health == 14
    assert enlist("player:curses=thin-blood").health == 8


def test_two_things_in_one_slot_are_refused() -> None:
    expected = "player: equipment must have one weapon, not torch and war-axe"
    assert refused("player:equipment=torch+war-axe") == expected
    assert "one weapon, not torch and torch" in refused("player:equipment=torch+torch")
    assert "at most 3 ids" in refused("player:equipment=torch+damp-cloak+soft-shoes+war-axe")


def test_what_adds_up_beyond_the_bounds_is_refused() -> None:
    assert refused("player:max_health=999:boons=giants-heart") == "player: max_health must be 1 to 999, not 1003"


@given(st.lists(st.sampled_from(sorted(sheets.items())), max_size=3, unique_by=lambda id: sheets.items()[id].slot))
def test_any_outfit_is_the_sum_of_its_parts(worn: list[str]) -> None:
    sheet = enlist({"base": "player", "equipment": worn})
    things = [sheets.items()[id] for id in worn]
    assert sheet.max_health == max(1, 10 + sum(thing.health for thing in things)) == sheet.health
    assert sheet.attack == sum(thing.attack for thing in things)
    assert sheet.damage[0] == max(0, 2 + sum(thing.damage[0] for thing in things))
    assert sheet.rank == max(1, sum(thing.rank for thing in things) // 3)
    assert all(sheet.abilities[name] == 1 for name in sheet.abilities if name in FLAGS)


# Specs


def test_quick_changes_in_text() -> None:
    numbers = "attack=2:damage=physical 3+fire 1:abilities=nul-fire+resist-water 2"
    ann = enlist(f"player:name=Ann:{numbers}:equipment=torch+leather-vest")
    assert (ann.id, ann.name, ann.attack, ann.damage) == ("player", "Ann", 2, damage(physical=2, fire=2))
    assert (ann.abilities, ann.max_health) == ({"nul-fire": 1, "resist-water": 2}, 11)
    table = {
        "base": "player",
        "name": "Ann",
        "attack": 2,
        "damage": {"physical": 3, "fire": 1},
        "abilities": {"nul-fire": 1, "resist-water": 2},
        "equipment": ["torch", "leather-vest"],
    }
    assert enlist(table) == ann


@pytest.mark.parametrize(
    ("spec", "health", "most"),
    [
        ("player:health=4", 4, 10),
        ("player:health=15", 15, 15),
        ("player:max_health=20", 20, 20),
        ("player:health=4:max_health=20", 4, 20),
        ("squire", 12, 12),
        ("squire:health=4", 4, 12),  # what it arrives with, whatever it wears
        ("squire:health=20", 20, 20),
        ("squire:max_health=20", 22, 22),
        ("player:health=5:max_health=1:boons=giants-heart", 5, 5),
        ({"kind": "player", "name": "Ann", "health": 12, "equipment": ["leather-vest"]}, 13, 13),
        ({"kind": "player", "name": "Ann", "max_health": 12, "health": 3}, 3, 12),
    ],
)
def test_health_and_its_maximum(spec: Any, health: int, most: int) -> None:
    sheet = enlist(spec)
    assert (sheet.health, sheet.max_health) == (health, most)


def test_a_creature_of_ones_own() -> None:
    rat = enlist(
        {"kind": "creature", "name": "Giant Rat", "rank": 1, "type": "physical", "health": 3, "damage": {"physical": 1}}
    )
    assert (rat.id, rat.kind, rat.health, rat.damage, rat.can_flee) == (
        "giant-rat",
        "creature",
        3,
        damage(physical=1),
        False,
    )
    assert enlist("mud-slime:abilities=").abilities == {}
    assert enlist("mud-slime:policy=defend 100").policy == Policy(0, 100)


@pytest.mark.parametrize(
    ("spec", "sentence"),
    [
        ("fier-slime", "there is no creature or player 'fier-slime'; did you mean fire-slime"),
        ("player:helth=3", "player: there is no key 'helth'; did you mean health"),
        ("player:health=0", "player: health must be 1 to 999, not 0"),
        ("player:health=lots", "player: health must be a whole number, 1 to 999, not 'lots'"),
        ("player:attack=99", "player: attack must be -50 to 50, not 99"),
        ("player:damage=fier 3", "player: damage: there is no damage type 'fier'; did you mean fire?"),
        ("player:damage=fire 300", "player: damage.fire must be 0 to 99, not 300"),
        ("player:abilities=nul-fire 2", "player: abilities.nul-fire must be 1, not 2"),
        ("player:abilities=nul-fier", "player: abilities: there is no ability 'nul-fier'; did you mean nul-fire"),
        ("player:equipment=tortch", "player: equipment: there is no item 'tortch'; did you mean torch?"),
        ("player:boons=keen-eyes", "player: boons: there is no boon 'keen-eyes'; did you mean keen-eye or eagle-eye?"),
        ("player:rank=3", "player: there is no key 'rank'"),
        ("player:health=4:health=5", "player: health is given twice"),
        ("player:health", "player: change must be key=value, not 'health'"),
        ("player:", "player: change must be key=value, not ''"),
        ("player:health=4:max_health=3", "player: health must be 1 to 3, its max_health with all it carries, not 4"),
        ("fire-slime:type=wate", "fire-slime: type: there is no choice 'wate'; did you mean water?"),
        ("fire-slime:equipment=torch", "fire-slime: there is no key 'equipment'"),
        ("fire-slime:kind=player", "fire-slime: kind must be creature, as its base, not 'player'"),
        ("mud-slime:policy=attack 50", "mud-slime: policy must add up to 100, not 50"),
        ("none.toml", "none.toml cannot be read: No such file or directory"),
        ({"base": 3}, "the sheet: base must be the id of a creature or player, not 3"),
        ({"base": "plyer"}, "plyer: base: there is no creature or player 'plyer'; did you mean player"),
        ({"name": "Ann"}, "Ann: kind is missing; it must be creature or player"),
        ({"name": "Ann", "kind": "payer"}, "Ann: kind must be creature or player (in a file also item)"),
        ({"name": "Ann", "kind": "player"}, "Ann: health is missing; it must be 1 to 999"),
        ({"kind": "creature", "name": "Rat", "health": 3}, "Rat: rank is missing; it must be 1 to 20"),
        ({"ready": True, "id": "ann"}, "ann: name is missing; it must be text on one line"),
        (7, "a sheet must be an id, id:key=value, file.toml, file.toml#id or a table, not 7"),
    ],
)
def test_a_refusal_names_place_key_value_and_what_is_allowed(spec: Any, sentence: str) -> None:
    assert refused(spec).startswith(sentence)


def test_files_can_be_forbidden(tmp_path: Path) -> None:
    with pytest.raises(Invalid, match="names a file; here it must be an id"):
        enlist(f"{tmp_path}/mine.toml#rat", files=False)
    assert enlist("player:health=4", files=False).health == 4


# Files of one's own

MINE = """
[rat]
kind = "creature"
name = "Rat"
rank = 1
type = "physical"
health = 3
damage = { physical = 1 }

[big-rat]
base = "rat"
name = "Big Rat"
health = 7

[fire-slime]
base = "fire-slime"
attack = 1

[spoon]
kind = "item"
name = "Spoon"
rank = 3
slot = "weapon"
damage = { physical = 2 }

[ann]
base = "player"
name = "Ann"
equipment = ["spoon", "leather-vest"]
"""


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    file = tmp_path / "mine.toml"
    file.write_text(MINE)
    return file


def test_sheets_of_a_file(mine: Path) -> None:
    assert SHEETS.check_file(mine) == ["rat", "big-rat", "fire-slime", "spoon", "ann"]
    big = enlist(f"{mine}#big-rat")
    assert (big.id, big.name, big.health, big.max_health, big.damage) == (
        "big-rat",
        "Big Rat",
        7,
        7,
        damage(physical=1),
    )
    slime = enlist(f"{mine}#fire-slime")
    assert (slime.attack, slime.damage) == (1, damage(fire=2))
    ann = enlist(f"{mine}#ann:health=5")
    assert (ann.id, ann.health, ann.max_health, ann.damage) == ("ann", 5, 11, damage(physical=4))
    assert ann.equipment == ("spoon", "leather-vest")


def test_a_file_with_several_needs_a_choice(mine: Path) -> None:
    assert refused(str(mine)) == f"{mine} has 4 creatures and players; name one as {mine}#id"
    assert refused(f"{mine}#rta").startswith(f"{mine}: there is no creature or player 'rta'; did you mean rat")
    assert "there is no creature or player 'player'" in refused(f"{mine}#player")


def test_a_file_of_one_sheet(tmp_path: Path) -> None:
    file = tmp_path / "Old Ann.toml"
    file.write_text('base = "squire"\nname = "Ann"\n')
    assert SHEETS.check_file(file) == ["old-ann"]
    ann = enlist(f"{file}:attack=1")
    assert (ann.id, ann.name, ann.attack, ann.rank) == ("old-ann", "Ann", 1, 2)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", " has no sheet"),
        ("[rat]\nkind = 1\n", ", rat: kind must be creature or player (in a file also item), or base = an id, not 1"),
        ("[Rat]\nkind = 'item'\n", ": id must be an id of lowercase letters, digits and dashes, not 'Rat'"),
        (
            "[spoon]\nkind = 'item'\nname = 'Spoon'\nrank = 1\n",
            ", spoon: slot is missing; it must be weapon or armour or charm",
        ),
        ("[rat]\nbase = 'fire-slime'\nhealth = 1000\n", ", rat: health must be 1 to 999, not 1000"),
        ("[rat]\nbase = 'fire-slime'\nattak = 1\n", ", rat: there is no key 'attak'; did you mean attack?"),
        ("[a]\nbase = 'b'\n[b]\nbase = 'a'\n", ", b: base is a, which leads back here or through more than 20 others"),
        ("[rat]\nhealth = \n", ", line 2: this is not TOML: Invalid value"),
    ],
)
def test_a_refusal_in_a_file_names_the_file(tmp_path: Path, text: str, sentence: str) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(text)
    with pytest.raises(Invalid) as caught:
        SHEETS.check_file(file)
    assert str(caught.value).startswith(f"{file}{sentence}")


def test_a_long_chain_of_bases_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text("".join(f"[r{number}]\nbase = 'r{number + 1}'\n" for number in range(3000)))
    with pytest.raises(Invalid, match="more than 20 others"):
        SHEETS.check_file(file)


# The round trip


def rebuilt(sheet: Sheet) -> Sheet:
    return enlist(json.loads(json.dumps(as_table(sheet))))


def test_every_sheet_survives_json() -> None:
    for id in (*sheets.creatures(), *sheets.players()):
        assert rebuilt(enlist(id)) == enlist(id)


def test_equipment_is_not_counted_twice() -> None:
    knight = enlist("knight:health=5:boons=giants-heart+keen-eye:curses=dull-edge")
    assert rebuilt(rebuilt(knight)) == knight
    assert as_table(rebuilt(knight)) == as_table(knight)
    assert rebuilt(knight).max_health == 17


def test_an_embedded_table_needs_no_data_files(monkeypatch: pytest.MonkeyPatch) -> None:
    table = as_table(enlist("knight:boons=keen-eye")) | {"equipment": ["sword-of-yesteryear"]}

    def gone(package: str, name: str) -> None:
        raise AssertionError(f"{name} was read")

    for loader in (sheets.items, sheets.boons, sheets.curses, sheets.creatures, sheets.players):
        loader.cache_clear()
    monkeypatch.setattr(sheets, "data_file", gone)
    sheet = enlist(table)
    assert (sheet.attack, sheet.equipment, sheet.boons) == (2, ("sword-of-yesteryear",), ("keen-eye",))


def test_an_embedded_table_is_still_checked() -> None:
    table = as_table(enlist("knight"))
    assert refused(table | {"health": 14}) == "knight: health must be 1 to 13, its max_health, not 14"
    assert refused(table | {"ready": False}) == "knight: ready must be on, not false"
    assert refused(table | {"damage": {"fire": -1}}) == "knight: damage.fire must be 0 to 99, not -1"
    assert refused(table | {"base": "player"}).startswith("knight: there is no key 'base'")
    creature = as_table(enlist("fire-slime"))
    del creature["type"]
    assert refused(creature).startswith("fire-slime: type is missing")


def test_sheets_are_values() -> None:
    knight = enlist("knight")
    assert pickle.loads(pickle.dumps(knight)) == knight
    assert len({knight, enlist("knight"), replace(knight, health=1)}) == 2
    assert eval(repr(knight), {"Sheet": Sheet, "Policy": Policy}) == knight


WHOLE = st.integers(-60, 60) | st.integers(-2000, 2000)
AMOUNTS = st.dictionaries(st.sampled_from([*TYPES, *ABILITIES, "attack", "defend"]), WHOLE, max_size=4)
IDS = st.sampled_from([*sheets.creatures(), *sheets.players(), *sheets.items(), *sheets.boons(), *sheets.curses()])
PLAIN = st.none() | st.booleans() | WHOLE | st.floats() | st.text(max_size=12) | IDS
ANYTHING = st.recursive(
    PLAIN | AMOUNTS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=3)
)
NUMBERS: dict[str, st.SearchStrategy[Any]] = {
    "health": st.integers(1, 30),
    "max_health": st.integers(20, 30),
    "attack": st.integers(-3, 5),
    "damage": st.dictionaries(st.sampled_from(TYPES), st.integers(0, 6), max_size=3),
    "abilities": st.dictionaries(st.sampled_from(ABILITIES), st.just(1), max_size=3),
}
NAME = st.text(min_size=1, max_size=12)
CARRIED: dict[str, st.SearchStrategy[Any]] = {
    "equipment": st.lists(st.sampled_from(sorted(sheets.items())), max_size=2),
    "boons": st.lists(st.sampled_from(sorted(sheets.boons())), max_size=3),
    "curses": st.lists(st.sampled_from(sorted(sheets.curses())), max_size=3),
}
RANKED: dict[str, st.SearchStrategy[Any]] = {"rank": st.integers(1, 7), "type": st.sampled_from(TYPES)}
FITTING = (
    st.fixed_dictionaries({"base": st.sampled_from(sorted(sheets.players()))}, optional=NUMBERS | CARRIED)
    | st.fixed_dictionaries({"base": st.sampled_from(sorted(sheets.creatures()))}, optional=NUMBERS | RANKED)
    | st.fixed_dictionaries({"kind": st.just("player"), "name": NAME}, optional=NUMBERS | CARRIED)
    | st.fixed_dictionaries({"kind": st.just("creature"), "name": NAME} | RANKED, optional=NUMBERS)
)
WORDS = [
    *NUMBERS,
    *CARRIED,
    *RANKED,
    "name",
    "base",
    "kind",
    "id",
    "defense",
    "policy",
    "can_flee",
    "ready",
    "note",
    "slot",
]
KEYS = st.sampled_from(WORDS) | st.text(max_size=6)


def ends_well(spec: Any) -> None:
    """A spec makes a sheet that survives the round trip, or is refused with a sentence."""
    with suppress(Invalid):
        sheet = enlist(spec)
        assert 1 <= sheet.health <= sheet.max_health
        assert rebuilt(sheet) == sheet


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(FITTING, st.dictionaries(KEYS, ANYTHING, max_size=1))
def test_any_table_ends_in_a_sheet_or_a_refusal(fitting: dict[str, object], odd: dict[str, object]) -> None:
    ends_well(fitting | odd)
    ends_well(as_table(enlist("knight")) | odd)


@given(
    st.sampled_from(["player", "knight", "fire-slime", ""]), st.lists(st.tuples(KEYS, st.text(max_size=12)), max_size=3)
)
def test_any_text_ends_in_a_sheet_or_a_refusal(id: str, changes: list[tuple[str, str]]) -> None:
    ends_well(":".join([id, *(f"{key}={value}" for key, value in changes)]))


@given(st.text(max_size=40))
def test_any_word_ends_in_a_sheet_or_a_refusal(text: str) -> None:
    ends_well(text)


TOML_LINES = (
    st.sampled_from([line for line in MINE.splitlines() if line])
    | st.text(max_size=20)
    | st.builds(
        "{} = {}".format,
        KEYS,
        st.sampled_from(["1", "-1", "[]", "{}", "'x'", "true", "1.5", "nan", "1979-05-27", "[[", ""]),
    )
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(TOML_LINES, max_size=12).map(lambda lines: "\n".join(lines).encode("utf-8", "surrogatepass"))
    | st.binary(max_size=60)
)
def test_any_file_ends_in_ids_or_a_refusal(tmp_path: Path, raw: bytes) -> None:
    file = tmp_path / "any.toml"
    file.write_bytes(raw)
    try:
        said = " ".join((str(file), *SHEETS.check_file(file)))
    except Invalid as sentence:
        said = str(sentence)
    assert str(file) in said
    ends_well(str(file))


def test_an_older_file_may_say_armor() -> None:
    table = {"id": "vest", "name": "Vest", "kind": "item", "rank": 1}
    assert sheets.Item.made({**table, "slot": "armor"}, "old") == sheets.Item.made({**table, "slot": "armour"}, "new")
