"""Who may enter combat: attributes, NPC strings, sheets and files; each refusal with its range; what remains."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from affray.errors import Invalid
from affray.fight import Fight
from affray.system.registry import find
from affray.systems.grapple import rules, sheets
from affray.systems.grapple.tactics import TACTICS

Scenery = Callable[..., Any]
ATTRIBUTES: dict[str, object] = {
    "grapple_skill4": "Accuracy",
    "grapple_skill3": "Courage",
    "grapple_skill2": "Endurance",
    "grapple_apMaxSize": 10,
    "grapple_ad": 5,
    "grapple_sd": 0,
    "grapple_defense": 3,
    "grapple_maxWounds": 3,
}
residence = find("grapple").residence
assert residence is not None


def refused(act: Callable[[], object]) -> str:
    with pytest.raises(Invalid) as caught:
        act()
    return str(caught.value)


# Players by their attributes


def test_a_player_is_made_of_the_documents_attributes() -> None:
    sheet = sheets.player_of("Ahalish", ATTRIBUTES)
    assert sheet == sheets.Sheet(id="player", name="Ahalish", skill4="ac", skill3="co", skill2="en")
    assert (sheet.ap, sheet.ad, sheet.sd, sheet.defense, sheet.max_wounds, sheet.wounds) == (10, 5, 0, 3, 3, 0)


def test_the_world_finds_attributes_players_and_npcs_in_the_residence() -> None:
    assert residence.attributes == sheets.ATTRIBUTES
    assert list(residence.attributes.values()) == ["STRING"] * 3 + ["INTEGER"] * 5
    assert residence.player("Ada", ATTRIBUTES) == sheets.player_of("Ada", ATTRIBUTES)
    assert residence.npc("goblin1", "::en:6:1:2:3:2") == sheets.npc_of("goblin1", "::en:6:1:2:3:2")


@pytest.mark.parametrize("missing", sheets.ATTRIBUTES)
def test_every_attribute_must_be_set(missing: str) -> None:
    rest = {name: value for name, value in ATTRIBUTES.items() if name != missing}
    said = refused(lambda: sheets.player_of("Ada", rest))
    assert said == f"Ada has no attribute {missing}[{sheets.ATTRIBUTES[missing]}]; combat needs it"


@pytest.mark.parametrize(
    ("attribute", "low", "high"),
    [
        ("grapple_apMaxSize", 6, 20),
        ("grapple_defense", 1, 6),
        ("grapple_maxWounds", 1, 5),
        ("grapple_sd", 0, 1_000_000),
    ],
)
def test_each_limit_is_named_with_attribute_value_and_range(attribute: str, low: int, high: int) -> None:
    for fits in (low, high):
        sheets.player_of("Ada", ATTRIBUTES | {attribute: fits})
    for wrong in (low - 1, high + 1, -7, 10**12):
        said = refused(lambda wrong=wrong: sheets.player_of("Ada", ATTRIBUTES | {attribute: wrong}))
        assert said == f"Ada: {attribute} must be {low} to {high}, not {wrong}"


@pytest.mark.parametrize("size", [6, 10, 20])
def test_ad_lie_between_0_and_the_ap_size(size: int) -> None:
    for fits in (0, size):
        sheets.player_of("Ada", ATTRIBUTES | {"grapple_apMaxSize": size, "grapple_ad": fits})
    for wrong in (-1, size + 1):
        changed = ATTRIBUTES | {"grapple_apMaxSize": size, "grapple_ad": wrong}
        said = refused(lambda changed=changed: sheets.player_of("Ada", changed))
        assert said.startswith("Ada: grapple_ad must be 0 to ")
        assert said.endswith(f", not {wrong}")


@pytest.mark.parametrize("attribute", [name for name, kind in sheets.ATTRIBUTES.items() if kind == "INTEGER"])
@pytest.mark.parametrize("value", ["6", 6.0, True, None, [6]])
def test_integer_attributes_must_be_integers(attribute: str, value: object) -> None:
    said = refused(lambda: sheets.player_of("Ada", ATTRIBUTES | {attribute: value}))
    assert said.startswith(f"Ada: {attribute} must be ")
    assert "must be a value of type INTEGER, not " in said


@pytest.mark.parametrize("slot", sheets.SLOTS)
def test_skill_attributes_are_text(slot: str) -> None:
    said = refused(lambda: sheets.player_of("Ada", ATTRIBUTES | {f"grapple_{slot}": 4}))
    assert said == f"Ada: grapple_{slot} must be a value of type STRING, not 4"


@pytest.mark.parametrize("slot", sheets.SLOTS)
def test_a_player_needs_three_skills(slot: str) -> None:
    said = refused(lambda: sheets.player_of("Ada", ATTRIBUTES | {f"grapple_{slot}": ""}))
    assert said == "Ada has 2 skill(s), a player needs three: rated 4, 3 and 2"


def test_a_player_needs_three_different_skills() -> None:
    said = refused(lambda: sheets.player_of("Ada", ATTRIBUTES | {"grapple_skill2": "ACCURACY"}))
    assert said == "Ada has the skill ac twice; skills must be different"


def test_an_unknown_skill_is_named_with_its_attribute() -> None:
    said = refused(lambda: sheets.player_of("Ada", ATTRIBUTES | {"grapple_skill3": "Juggling"}))
    assert said.startswith("Ada: grapple_skill3: there is no skill 'Juggling'")
    assert "Medical (md)" in said, "and what there is"


@pytest.mark.parametrize(("abbreviation", "name"), sheets.SKILLS.items())
def test_a_skill_is_called_in_full_or_short_in_any_case(abbreviation: str, name: str) -> None:
    for text in (abbreviation, name, abbreviation.upper(), name.upper(), name.lower(), f" {name} "):
        assert sheets.skill_called(text) == abbreviation


# NPCs by a string


def test_the_documents_goblin() -> None:
    goblin = sheets.npc_of("goblin1", "::en:6:1:2:3:2")
    assert goblin == sheets.Sheet(
        id="npc", name="goblin1", kind="npc", skill2="en", ap=6, defense=1, max_wounds=2, ad=3, sd=2
    )


@pytest.mark.parametrize(
    ("stats", "skills"),
    [
        ("ac:::6:1:2:3:2", ("ac", "", "")),
        (":Courage::6:1:2:3:2", ("", "co", "")),
        ("ac:CO:endurance:6:1:2:3:2", ("ac", "co", "en")),
        (" ac : co ::6: 1 :2:3:2", ("ac", "co", "")),
    ],
)
def test_an_npc_has_one_to_three_skills_by_name_or_abbreviation(stats: str, skills: tuple[str, str, str]) -> None:
    assert sheets.npc_of("npc1", stats).skills == skills


@pytest.mark.parametrize(
    ("stats", "said"),
    [
        (":::6:1:2:3:2", "orc has no skill, an NPC needs one to three"),
        ("en::en:6:1:2:3:2", "orc has the skill en twice; skills must be different"),
        ("::en:5:1:2:3:2", "orc: max AP size must be 6 to 20, not 5"),
        ("::en:21:1:2:3:2", "orc: max AP size must be 6 to 20, not 21"),
        ("::en:6:0:2:3:2", "orc: defense must be 1 to 6, not 0"),
        ("::en:6:7:2:3:2", "orc: defense must be 1 to 6, not 7"),
        ("::en:6:1:0:3:2", "orc: max wounds must be 1 to 5, not 0"),
        ("::en:6:1:6:3:2", "orc: max wounds must be 1 to 5, not 6"),
        ("::en:6:1:2:-1:2", "orc: ad must be 0 to 20, not -1"),
        ("::en:6:1:2:7:2", "orc: ad must be 0 to 6, the AP size, not 7"),
        ("::en:6:1:2:3:-1", "orc: sd must be 0 to 1000000, not -1"),
        ("::en:x:1:2:3:2", "orc: max AP size must be a whole number, not 'x'"),
        ("::en:6::2:3:2", "orc: defense must be a whole number, not ''"),
        ("::en:6:1:2:3.5:2", "orc: ad must be a whole number, not '3.5'"),
        ("::fly:6:1:2:3:2", "orc: skill2: there is no skill 'fly'"),
        (
            "::en:6:1:2:3",
            "orc: '::en:6:1:2:3' has 7 parts; it must be of the form <skill4>:<skill3>:<skill2>:<max AP size>",
        ),
        ("::en:6:1:2:3:2:9", "has 9 parts"),
        ("", "orc: '' has 1 parts"),
    ],
)
def test_what_is_wrong_with_an_npc_is_named(stats: str, said: str) -> None:
    assert said in refused(lambda: sheets.npc_of("orc", stats))


def test_an_npc_can_be_enlisted_by_its_string() -> None:
    fight = Fight("grapple", {"heroes": ["ahalish"], "monsters": ["::en:6:1:2:3:2"]}, seed=1)
    assert fight.sheets[1] == sheets.npc_of("npc", "::en:6:1:2:3:2")


# Names


@pytest.mark.parametrize("name", ["Ada", "goblin1", "O'Brien", "Maximilian-the-Great", "a_b", "Zoë", "x" * 40, "7"])
def test_a_name_is_one_word(name: str) -> None:
    assert sheets.npc_of(name, "::en:6:1:2:3:2").name == name


@pytest.mark.parametrize("name", ["", "two words", "x" * 41, "a:b", "_x", "-x", "a,b", "a\nb", "\x1b[31m"])
def test_what_is_no_name_is_refused(name: str) -> None:
    assert "name" in refused(lambda: sheets.npc_of(name, "::en:6:1:2:3:2"))


def test_names_keep_their_case_and_two_alike_get_a_number() -> None:
    fight = Fight("grapple", "heroes=ahalish monsters=goblin,goblin", seed=1)
    assert fight.names == ("Ahalish", "goblin", "goblin-2")


# Sheets


def test_the_documents_fighters_are_in_the_data() -> None:
    known = sheets.SHEETS.fighters()
    assert known["ahalish"].skills == ("ac", "co", "en")
    goblin = sheets.npc_of("goblin", "::en:6:1:2:3:2")
    assert sheets.SHEETS.as_table(known["goblin"]).items() >= {
        key: value for key, value in sheets.SHEETS.as_table(goblin).items() if key not in ("id", "tactic")
    }.items()  # fmt: skip


@pytest.mark.parametrize("id", sheets.SHEETS.fighters())
def test_every_sheet_has_a_tactic_a_note_and_survives_json(id: str) -> None:
    sheet = sheets.SHEETS.fighters()[id]
    assert sheet.note
    assert sheet.tactic in TACTICS
    assert sheets.SHEETS.enlist(json.loads(json.dumps(sheets.SHEETS.as_table(sheet)))) == sheet


def test_every_skill_is_held_by_somebody_in_the_data() -> None:
    assert {skill for sheet in sheets.SHEETS.fighters().values() for skill in sheet.skills} >= set(sheets.SKILLS)


def test_a_spec_may_change_what_an_id_has() -> None:
    sheet = sheets.SHEETS.enlist("goblin:name=Grik:sd=4:skill3=speed")
    assert (sheet.name, sheet.sd, sheet.skills) == ("Grik", 4, ("", "sp", "en"))
    assert sheets.SHEETS.enlist({"base": "goblin", "name": "Grik", "sd": 4, "skill3": "sp"}) == sheet


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("gobin", "did you mean goblin"),
        ("goblin:sd", "goblin: change must be key=value, not 'sd'"),
        ("goblin:", "goblin: change must be key=value, not ''"),
        ("goblin:strength=4", "goblin: there is no key 'strength'"),
        ("goblin:sd=4:sd=5", "goblin: sd is given twice"),
        ("goblin:sd=many", "goblin: sd must be a whole number, 0 to 1000000, not 'many'"),
        ("goblin:ad=7", "goblin: ad must be 0 to 6, the AP size, not 7"),
        ("goblin:wounds=3", "goblin: wounds must be 0 to 2, the max wounds, not 3"),
        ("goblin:skill2=", "goblin has no skill, an NPC needs one to three"),
        ("goblin:tactic=brave", "goblin: tactic: there is no choice 'brave'; there are: skill-user, "),
        ("ahalish:skill2=ac", "has the skill ac twice"),
        ({"skill4": "ac"}, "name"),
        ({"name": "Ada", "skill4": "ac"}, "Ada has 1 skill(s), a player needs three: rated 4, 3 and 2"),
        ({"name": "Ada", "base": "nobody"}, "there is no fighter 'nobody'"),
        ({"name": "Ada", "skill4": 4, "skill3": "co", "skill2": "en"}, "skill4 must be a skill, or nothing, not 4"),
    ],
)
def test_what_is_wrong_with_a_spec_is_named(spec: Any, said: str) -> None:
    assert said in refused(lambda: sheets.SHEETS.enlist(spec))


def test_a_file_of_ones_own(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('[ogre]\nbase = "ogre"\nname = "Umph"\n\n[imp]\nname = "Imp"\nkind = "npc"\nskill4 = "speed"\n')
    assert sheets.SHEETS.check_file(path) == ["ogre", "imp"]
    assert sheets.SHEETS.enlist(f"{path}#ogre").name == "Umph"
    assert sheets.SHEETS.enlist(f"{path}#imp:sd=3").sd == 3
    assert "has 2 sheets" in refused(lambda: sheets.SHEETS.enlist(str(path)))
    assert "there is no sheet 'elf'" in refused(lambda: sheets.SHEETS.enlist(f"{path}#elf"))
    assert "names a file" in refused(lambda: sheets.SHEETS.enlist(f"{path}#ogre", files=False))


def test_a_broken_file_is_named(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('[imp]\nname = "Imp"\nkind = "npc"\nskill4 = "speed"\ndefense = 9\n')
    assert "imp: defense must be 1 to 6, not 9" in refused(lambda: sheets.SHEETS.check_file(path))
    path.write_text("")
    assert "has no sheet" in refused(lambda: sheets.SHEETS.check_file(path))
    path.write_text("imp = 3\n")
    assert "imp must be a table, not 3" in refused(lambda: sheets.SHEETS.check_file(path))


def test_options_out_of_range_are_named() -> None:
    for name, value, allowed in (
        ("maneuver_max", 0, "1 to 7"),
        ("maneuver_max", 8, "1 to 7"),
        ("tactics_target", "friend", "self, other"),
        ("round_cap", 0, "1 to 100000"),
        ("sd_cap", 5, "6 to 1000000"),
    ):
        options = {name: value}
        said = refused(lambda options=options: Fight("grapple", "a=goblin b=goblin", options=options))
        assert name in said
        assert allowed in said
    assert "there is no profile 'ground'" in refused(
        lambda: Fight("grapple", "a=goblin b=goblin", options={"profile": "ground"})
    )


@pytest.mark.parametrize("option", sheets.OPTIONS, ids=lambda option: option.name)
def test_every_option_cites_a_ruling_that_names_it(option: Any) -> None:
    assert option.name in find("grapple").rulings()[option.ruling].options


# What the end of combat writes back


@pytest.mark.parametrize("sd", range(12))
@pytest.mark.parametrize("ad", [0, 4, 9, 10])
def test_half_of_the_sd_rounded_up_become_ad_up_to_the_ap_size(duel: Scenery, ad: int, sd: int) -> None:
    scene = duel({"ad": ad, "sd": sd})
    written = residence.returns(scene.fight.state, 0, ATTRIBUTES)
    half = sd // 2 + sd % 2
    assert written == {"grapple_ad": min(10, ad + half), "grapple_sd": 0}


def test_the_ap_size_is_read_from_the_attribute_as_it_is_now(duel: Scenery) -> None:
    state = duel({"ad": 8, "sd": 9}).fight.state
    assert residence.returns(state, 0, ATTRIBUTES | {"grapple_apMaxSize": 12})["grapple_ad"] == 12
    assert residence.returns(state, 0, ATTRIBUTES | {"grapple_apMaxSize": 20})["grapple_ad"] == 13


def test_what_strategy_added_does_not_carry_over(duel: Scenery) -> None:
    scene = duel({"skill4": "sy", "skill3": "co", "skill2": "en", "sd": 6, "ad": 10})
    scene.move("Ada", "skill 4 sy", dice=6, hits=4)
    scene.breathe("Bob", "Ada")
    assert scene["Ada"].ad == 13
    assert residence.returns(scene.fight.state, 0, ATTRIBUTES) == {"grapple_ad": 10, "grapple_sd": 0}


def test_wounds_marks_and_changed_stats_are_not_written_back(duel: Scenery) -> None:
    scene = duel({"sd": 12}, {"defense": 3})
    scene.move("Ada", "skill 6 en", dice=6, hits=3)
    scene.breathe("Bob")
    scene.move("Ada", "maneuver 1 ac", dice=5, hits=2)
    fighter = scene["Ada"]
    fighter.wounds = 2
    assert (fighter.defense, fighter.marked) == (4, 1)
    assert set(residence.returns(scene.fight.state, 0, ATTRIBUTES)) == {"grapple_ad", "grapple_sd"}


@pytest.mark.parametrize(("sd", "half"), [(-1, 0), (-2, 0), (-3, -1), (-4, -1)])
def test_a_debt_of_sd_is_halved_towards_nothing_and_may_cost_ad(duel: Scenery, sd: int, half: int) -> None:
    """As the server was recorded to do it: (SD + 1) / 2 towards zero."""
    scene = duel({"ad": 5}, sd_floor=False)
    scene["Ada"].sd = sd
    assert residence.returns(scene.fight.state, 0, ATTRIBUTES) == {"grapple_ad": 5 + half, "grapple_sd": 0}


def test_the_figures_at_the_end(brawl: Scenery) -> None:
    scene = brawl(heroes={"Ada": {"sd": 7, "ad": 4}}, villains={"Bob": {"defense": 1, "max_wounds": 2, "sd": 1}})
    scene.move("Ada", "strike 5 Bob", dice=5, hits=4)
    assert list(scene.fight.figures["Ada"]) == list(rules.FIGURES)
    assert list(scene.fight.figures["Ada"].values()) == [2, 0, 0, 4, 2]
    assert list(scene.fight.figures["Bob"].values()) == [0, 2, 1, 5, 1]
