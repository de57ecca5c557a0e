"""Who may fight and by which numbers: bad sheets with their sentences, there and back, and every option's effect."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from affray.errors import Invalid
from affray.fight import Fight
from affray.kernel.records import shape
from affray.system.schema import Whole
from affray.system.setup import Setup
from affray.system.sheets import schema
from affray.systems.strategic import events, rules, system
from affray.systems.strategic.abilities import attack_ability
from affray.systems.strategic.arms import ARMOURS, FISTS, WEAPONS
from affray.systems.strategic.moves import MOVES
from affray.systems.strategic.sheets import SHEETS, Sheet
from affray.systems.strategic.state import NUMBERS
from affray.systems.strategic.state import Fight as State

Scenery = Callable[..., Any]
NOTHING = {"pain": 0, "incapacitation": 0, "crippling": 0, "soak": 0}
MISSED = {"attack": 0, "defence": 1}
TIED = {"attack": 0, "defence": 0, "flip_off": [1, 0]}


def refused(act: Callable[[], object]) -> str:
    with pytest.raises(Invalid) as caught:
        act()
    return str(caught.value)


# --- what does not fit -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"strength": 11}, "Ada: strength must be 0 to 10, not 11"),
        ({"agility": -1}, "Ada: agility must be 0 to 10, not -1"),
        ({"discipline": "much"}, "Ada: discipline must be a whole number, 0 to 10, not 'much'"),
        ({"training": 2.5}, "Ada: training must be a whole number, 0 to 10, not 2.5"),
        ({"training": True}, "Ada: training must be a whole number, 0 to 10, not true"),
        ({"hardiness": 0}, "Ada: hardiness must be 1 to 6, not 0"),
        ({"hardiness": 7}, "Ada: hardiness must be 1 to 6, not 7"),
        ({"weapon": "raper"}, "Ada: weapon: there is no choice 'raper'; did you mean rapier"),
        ({"weapon": "halberd"}, "Ada: weapon: there is no choice 'halberd'; there are: fists, claws, club"),
        ({"weapon": 4}, "Ada: weapon must be fists or claws or club or rapier or"),
        ({"armour": "chan"}, "Ada: armour: there is no choice 'chan'; did you mean chain?"),
        ({"damage": 21}, "Ada: damage must be 0 to 20, not 21"),
        ({"lethality": "some"}, "Ada: lethality must be a whole number, 0 to 20, not 'some'"),
        ({"moves": ["threten"]}, "Ada: moves: there is no attack move 'threten'; did you mean threaten?"),
        ({"moves": ["jab", "jab"]}, "Ada: moves must be each move once, not ['jab', 'jab']"),
        ({"moves": "jab"}, "Ada: moves must be a list of at most 7 ids (attack move), not 'jab'"),
        ({"life_coins": 0}, "Ada: life_coins must be 1 to 40, not 0"),
        ({"life_coins": 41}, "Ada: life_coins must be 1 to 40, not 41"),
        ({"coins_lost": 31}, "Ada: coins_lost must be 0 to 30, the Life Coins, not 31"),
        ({"life_coins": 10, "coins_lost": 11}, "Ada: coins_lost must be 0 to 10, the Life Coins, not 11"),
        ({"coins_gone": 1}, "Ada: coins_gone must be 0 to 0, the Life Coins lost so far, not 1"),
        ({"coins_lost": 3, "coins_gone": 4}, "Ada: coins_gone must be 0 to 3, the Life Coins lost so far, not 4"),
        ({"crippling_stays": 1}, "Ada: crippling_stays must be 0 to 0, the Crippling there is, not 1"),
        (
            {"crippling": 2, "crippling_treated": 3},
            "Ada: crippling_treated must be 0 to 2, the Crippling there is, not 3",
        ),
        ({"crippling": -2}, "Ada: crippling must be 0 to 40, not -2"),
        ({"stake": 1001}, "Ada: stake must be 0 to 1000, not 1001"),
        ({"caution": -1}, "Ada: caution must be 0 to 1000, not -1"),
        ({"hours_to_care": 10_001}, "Ada: hours_to_care must be 0 to 10000, not 10001"),
        ({"dead": "maybe"}, "Ada: dead must be on or off, not 'maybe'"),
        ({"tactic": "racional"}, "Ada: tactic: there is no choice 'racional'; did you mean rational?"),
        ({"streng": 4}, "Ada: there is no key 'streng'; did you mean strength?"),
        ({"note": "two\nlines"}, "Ada: note must be text on one line, 1 to 200 characters, not 'two\\nlines'"),
        ({"id": "Not An Id"}, "Ada: id must be an id of lowercase letters, digits and dashes, not 'Not An Id'"),
    ],
)
def test_what_does_not_fit_is_named_with_what_was_given_and_what_is_allowed(
    changes: dict[str, object], sentence: str
) -> None:
    assert refused(lambda: SHEETS.enlist({"name": "Ada", **changes})).startswith(sentence)


@pytest.mark.parametrize(
    ("spec", "sentence"),
    [
        ("gard", "there is no fighter 'gard'; did you mean guard?"),
        ("guard:strenth=4", "guard: there is no key 'strenth'; did you mean strength?"),
        ("guard:damage=heavy", "guard: damage must be a whole number, 0 to 20, not 'heavy'"),
        ("guard:armour_penalty=11", "guard: armour_penalty must be 0 to 10, not 11"),
        ("guard:strength=40", "guard: strength must be 0 to 10, not 40"),
        ("guard:strength=4:strength=5", "guard: strength is given twice"),
        ("guard:strong", "guard: change must be key=value, not 'strong'"),
        ({}, "the sheet: name is missing; it must be text on one line"),
        ({"base": "nobody", "name": "Ada"}, "there is no fighter 'nobody'"),
    ],
)
def test_a_bad_spec_gets_a_sentence(spec: Any, sentence: str) -> None:
    assert refused(lambda: SHEETS.enlist(spec)).startswith(sentence)


@pytest.mark.parametrize("key", [key for key, field in schema(Sheet).items() if isinstance(field, Whole)])
def test_every_number_of_a_sheet_takes_its_bounds_and_nothing_beyond(key: str) -> None:
    field = schema(Sheet)[key]
    assert isinstance(field, Whole)
    most = min(field.high, 30) if key in ("coins_lost", "coins_gone") else field.high
    for fits in (field.low, most):
        within = {"coins_gone": {"coins_lost": most}, "crippling_treated": {"crippling": most}}
        within["crippling_stays"] = within["crippling_treated"]
        assert getattr(SHEETS.enlist({"name": "Ada", **within.get(key, {}), key: fits}), key) == fits
    for wrong in (field.low - 1, field.high + 1):
        assert f"Ada: {key} must be {field.low} to {field.high}, not {wrong}" in refused(
            lambda wrong=wrong: SHEETS.enlist({"name": "Ada", key: wrong})
        )


@pytest.mark.parametrize(
    ("option", "value", "sentence"),
    [
        ("jab_atack", 1, "there is no option 'jab_atack'; did you mean jab_attack"),
        ("jab_attack", 11, "option jab_attack must be -10 to 10, not 11"),
        ("jab_attack", "lots", "option jab_attack must be a whole number, -10 to 10, not 'lots'"),
        ("lethal", "sometimes", "option lethal: there is no choice 'sometimes'; there are: cumulative, highwater"),
        ("start_range", "fr", "option start_range: there is no choice 'fr'"),
        ("round_cap", 0, "option round_cap must be 1 to 100000, not 0"),
    ],
)
def test_a_bad_option_gets_a_sentence(option: str, value: object, sentence: str) -> None:
    said = refused(lambda: Fight("strategic", {"a": ["guard"], "b": ["thug"]}, seed=1, options={option: value}))
    assert said.startswith(sentence)


# --- there and back ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("id", SHEETS.fighters())
def test_affrays_own_sheets_go_into_a_table_and_back(id: str) -> None:
    sheet = SHEETS.enlist(id)
    assert SHEETS.enlist(sheet.as_table()) == sheet
    assert sheet.id == id


def test_a_table_may_change_another_sheet() -> None:
    assert SHEETS.enlist({"base": "guard", "name": "Bo", "stake": 40}) == SHEETS.enlist("guard:name=Bo:stake=40")
    assert SHEETS.enlist("guard:moves=gap+threaten").moves == ("gap", "threaten")


def test_a_file_of_ones_own_is_read_and_checked(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('[bo]\nname = "Bo"\nbase = "guard"\ncrippling = 2\n[al]\nname = "Al"\n', encoding="utf-8")
    assert SHEETS.check_file(file) == ["bo", "al"]
    assert SHEETS.enlist(f"{file}#bo:stake=3").crippling == 2
    file.write_text('[bo]\nname = "Bo"\nweapon = "sword"\n', encoding="utf-8")
    assert "bo: weapon: there is no choice 'sword'; did you mean broadsword" in refused(lambda: SHEETS.check_file(file))


def sheet_or_sentence(spec: str | Mapping[str, object]) -> Sheet | str:
    try:
        return SHEETS.enlist(spec, files=False)
    except Invalid as problem:
        return str(problem)


WHOLE = st.integers(-3, 45) | st.integers(-(2**70), 2**70)
PLAIN = st.none() | st.booleans() | WHOLE | st.floats() | st.text(max_size=12) | st.sampled_from([*WEAPONS, *ARMOURS])
ANYTHING = PLAIN | st.lists(PLAIN | st.sampled_from(MOVES), max_size=8) | st.dictionaries(st.text(max_size=5), PLAIN)
FITTING = {
    "strength": st.integers(0, 10),
    "agility": st.integers(0, 10),
    "discipline": st.integers(0, 10),
    "training": st.integers(0, 10),
    "skill": st.integers(0, 10),
    "unarmed_skill": st.integers(0, 10),
    "hardiness": st.integers(1, 6),
    "weapon": st.sampled_from(list(WEAPONS)),
    "damage": st.integers(0, 20),
    "lethality": st.integers(0, 20),
    "weight": st.integers(0, 10),
    "armour": st.sampled_from(list(ARMOURS)),
    "armour_value": st.integers(0, 20),
    "armour_penalty": st.integers(0, 10),
    "moves": st.lists(st.sampled_from(MOVES), unique=True),
    "life_coins": st.integers(20, 40),
    "coins_lost": st.integers(0, 20),
    "crippling": st.integers(0, 40),
    "stake": st.integers(0, 1000),
    "caution": st.integers(0, 1000),
    "hours_to_care": st.integers(0, 10_000),
    "rest_days": st.integers(0, 1000),
    "dead": st.booleans(),
    "tactic": st.sampled_from(list(system.tactics)),
    "note": st.text(st.characters(categories=["L", "N"]), min_size=1, max_size=20),
}


@settings(deadline=None)
@given(st.dictionaries(st.sampled_from([*schema(Sheet), "base", "streng"]) | st.text(max_size=8), ANYTHING, max_size=6))
def test_any_table_is_a_sheet_or_gets_a_sentence(table: dict[str, object]) -> None:
    taken = sheet_or_sentence(table)
    assert taken
    assert "\n" not in taken if isinstance(taken, str) else SHEETS.enlist(taken.as_table()) == taken


@settings(deadline=None)
@given(st.fixed_dictionaries({"name": st.just("Ada")}, optional=FITTING))
def test_any_table_that_fits_goes_there_and_back_and_into_a_fight(table: dict[str, object]) -> None:
    sheet = SHEETS.enlist(table)
    assert SHEETS.enlist(sheet.as_table()) == sheet
    for key, value in table.items():
        assert getattr(sheet, key) == (tuple(value) if isinstance(value, list) else value)
    setup = Setup.of("strategic", {"a": [table], "b": ["guard"]})
    if sheet.dead or sheet.coins == 0:
        assert refused(setup.seated) == "Ada is dead and cannot fight"
    else:
        fighter = setup.seated().fighters[0]
        assert (fighter.strength, fighter.coins, fighter.stake) == (sheet.strength, sheet.coins, sheet.stake)


@settings(deadline=None)
@given(st.text(max_size=30) | st.from_regex(r"guard(:[a-z_]{1,9}=[a-z0-9+]{0,6}){0,3}", fullmatch=True))
def test_any_text_is_a_fighter_or_gets_a_sentence(text: str) -> None:
    taken = sheet_or_sentence(text)
    assert taken
    assert isinstance(taken, str) or SHEETS.enlist(taken.as_table()) == taken


# --- every number is an option ----------------------------------------------------------------------------------------


class Tails:
    """Coins that never show Heads, and the first of everything that is drawn."""

    def answer(self, question: object, given: tuple[object, ...]) -> int:
        return 0


def least(margins: range, happens: Callable[[int], bool]) -> int | None:
    return next((margin for margin in margins if happens(margin)), None)


def measured(duel: Scenery, numbers: Mapping[str, int]) -> dict[str, object]:
    """All that the numbers of the rules can be seen in, each in a scene of its own."""
    learning = ("openings_base", "moves_base", "training_a_move")
    shown = {name: number for name, number in numbers.items() if name not in learning}

    def scene(ada: Mapping[str, object] | None = None, bob: Mapping[str, object] | None = None) -> Any:
        return duel(ada, {"strength": 10, "training": 10, **(bob or {})}, **shown)

    found: dict[str, object] = {"initiative": scene().coins("initiative")[0]}
    found |= _measured_abilities(scene)
    found |= _measured_opening(scene, numbers)
    for move in ("strike", "jab", "power", "pull", "maim", "gap", "guarded"):
        found |= _measured_blow(scene(), move)
    found |= _measured_hits(scene)
    found |= _measured_defences(scene)
    return found


def _measured_abilities(scene: Callable[..., Any]) -> dict[str, object]:
    found: dict[str, object] = {}
    for weapon in ("club", "longbow"):
        armed = scene({"weapon": weapon})
        found[f"{weapon} attack"] = attack_ability(armed.fight.state, armed["ada"])
    slow = {"strength": 0, "agility": 0, "training": 0, "weapon": "battleaxe"}
    frightened = scene()
    frightened.move("ada", "threaten", threat=0, nerve=1)
    return {
        **found,
        "burdened": scene({"weapon": "battleaxe"}).coins("initiative")[0],
        "in plate": scene({"armour": "plate"}).coins("initiative")[0],
        "slowest": scene(slow).coins("initiative")[0],
        "threat": frightened.coins("threat")[0],
        "nerve": frightened.coins("nerve")[0],
    }


def _measured_opening(scene: Callable[..., Any], numbers: Mapping[str, int]) -> dict[str, object]:
    due = [coins for coins in range(1, 41) if scene({"life_coins": 40, "coins_lost": 40 - coins}).coins("life")]
    fight = Fight("strategic", {"a": ["guard:name=Ada:training=4"], "b": ["guard"]}, seed=1, options=numbers)
    ada = fight.state.fighters[0]
    rules.see_openings(fight.state, 0, Tails(), None)  # type: ignore[arg-type]
    idle = scene()
    rounds = 0
    while not idle.fight.over:
        idle.blow("ada", "strike pain", "bob", "parry", **MISSED)
        rounds += 1
    return {
        "life check": max(due),
        "known": ada.known.bit_count(),
        "openings": ada.openings.bit_count(),
        "standoff": rounds,
    }


def _measured_blow(scene: Any, move: str) -> dict[str, object]:
    scene.move("ada", f"{move} pain")
    found = {f"{move} guard": scene["ada"].guard, f"{move} initiative": scene["ada"].quick}
    scene.move("bob", "parry", **TIED, **NOTHING)
    pools = scene.coins("pain") + scene.coins("incapacitation") + scene.coins("crippling")
    return {**found, f"{move} attack": scene.coins("attack")[0], f"{move} pools": tuple(pools)}


def _measured_hits(scene: Callable[..., Any]) -> dict[str, object]:
    slips, blunt, threat, soaked, sure = scene(), scene(), scene(), scene(), scene()
    slips.blow("ada", "strike incapacitate", "bob", "parry", **NOTHING, attack=7, defence=0, control=0, slip=0)
    blunt.blow("ada", "strike cripple", "bob", "parry", **TIED, **NOTHING)
    threat.move("ada", "threaten", threat=1, nerve=0)
    soaked.blow("ada", "strike pain", "bob", "parry", **TIED, pain=4, incapacitation=4, crippling=4, soak=2)
    sure.blow("ada", "strike pain", "bob", "parry", **NOTHING, attack=4, defence=0, control=4)

    def drops(margin: int) -> bool:
        tried = scene()
        fell = {"attack": margin, "defence": 0} if margin else TIED
        tried.blow("ada", "disarm", "bob", "parry", **fell)
        return bool(tried["bob"].weapon == FISTS)

    disarm = scene()
    disarm.blow("ada", "disarm", "bob", "parry", **MISSED)
    return {
        "kept": slips["bob"].incapacitation,
        "least pain": blunt["bob"].pain,
        "shaken": threat["bob"].shaken,
        "soaked": soaked.marks("bob"),
        "margin": sure["bob"].pain,
        "disarm attack": disarm.coins("attack")[0],
        "disarm margin": least(range(5), drops),
    }


def _measured_defences(scene: Callable[..., Any]) -> dict[str, object]:
    found: dict[str, object] = {}
    for defence in ("parry", "dodge", "brace"):
        missed, hit = scene(), scene()
        before = missed.coins("initiative")[1]
        missed.blow("ada", "strike pain", "bob", defence, **MISSED)
        hit.blow("ada", "strike pain", "bob", defence, **TIED, **NOTHING)
        found[f"{defence} defence"] = missed.coins("defence")[0]
        found[f"{defence} initiative"] = missed.coins("initiative")[1] - before
        found[f"{defence} soak"] = hit.coins("soak")[0]

    def gained(margin: int) -> int:
        parried = scene()
        before = parried.coins("initiative")[1]
        parried.blow("ada", "strike pain", "bob", "parry", attack=0, defence=margin)
        return int(parried.coins("initiative")[1] - before)

    offered = scene()
    offered.move("ada", "yield")
    offered.move("bob", "refuse", then="bob")
    offered.move("bob", "strike pain", attack=1, defence=0, **NOTHING)
    peaceful = scene()
    peaceful.move("ada", "stand down", then="bob")
    peaceful.blow("bob", "strike pain", "ada", "parry", **MISSED)
    able = []
    for armour in ARMOURS:
        worn = scene(bob={"armour": armour})
        worn.move("ada", "strike pain")
        able += [armour] * ("dodge" in worn.legal("bob"))
    return {
        **found,
        "riposte from": least(range(1, 8), lambda margin: gained(margin) != 0),
        "riposte": gained(8),
        "dodge in": able,
        "helpless": offered.coins("defence")[0],
        "standing down": peaceful.coins("defence")[0],
    }


STRUCK = {"strike": 7, "jab": 9, "power": 6, "pull": 7, "maim": 7, "gap": 6, "guarded": 6, "disarm": 5}


def stronger(attack: int, defence: int) -> dict[str, object]:
    """So many coins more for every attack of Ada's, and for every defence of Bob's."""
    attacks = {f"{move} attack": coins + attack for move, coins in STRUCK.items()} if attack else {}
    return {**attacks, "parry defence": 15 + defence, "dodge defence": 16 + defence, "brace defence": 13 + defence}


EFFECTS: dict[str, tuple[int, dict[str, object]]] = {
    "life_check_at": (20, {"life check": 20}),
    "strength_melee": (2, {**stronger(1, 2), "club attack": 9, "standing down": 13}),
    "strength_bludgeon": (2, {"club attack": 9}),
    "agility_edged": (1, {**stronger(2, 2), "standing down": 15}),
    "agility_ranged": (1, {"longbow attack": 7}),
    "agility_defence": (1, {**stronger(0, 2), "standing down": 15}),
    "initiative_base": (5, {"initiative": 10, "burdened": 9, "in plate": 7, "slowest": 2}),
    "agility_initiative": (1, {"initiative": 10, "burdened": 9, "in plate": 7}),
    "strength_weight": (2, {"initiative": 9, "burdened": 8, "in plate": 6}),
    "weight_initiative": (100, {"burdened": 6}),
    "armour_initiative": (100, {"in plate": 4}),
    "least_initiative": (3, {"slowest": 3}),
    "openings_base": (3, {"openings": 3}),
    "moves_base": (4, {"known": 6}),
    "training_a_move": (4, {"known": 3}),
    "margin_damage": (50, {"margin": 2}),
    "control_base": (3, {"kept": 3}),
    "pain_soak": (50, {"soaked": (3, 3, 2)}),
    "incapacitation_soak": (100, {"soaked": (4, 2, 2)}),
    "crippling_soak": (50, {"soaked": (4, 3, 3)}),
    "least_pain": (2, {"least pain": 2}),
    "standoff": (4, {"standoff": 4}),
    "strike_attack": (2, {"strike attack": 9}),
    "jab_attack": (1, {"jab attack": 8}),
    "jab_initiative": (3, {"jab initiative": 3}),
    "jab_pools": (75, {"jab pools": (6, 3, 3)}),
    "power_attack": (-3, {"power attack": 4}),
    "power_pools": (3, {"power pools": (11, 7, 7)}),
    "power_defence": (-4, {"power guard": -4}),
    "pull_attack": (2, {"pull attack": 9}),
    "pull_lethality": (75, {"pull pools": (8, 7, 0)}),
    "maim_attack": (-2, {"maim attack": 5}),
    "maim_cripple": (5, {"maim pools": (6, 2, 9)}),
    "maim_others": (-1, {"maim pools": (7, 3, 7)}),
    "gap_attack": (0, {"gap attack": 7}),
    "guarded_attack": (-2, {"guarded attack": 5}),
    "guarded_defence": (4, {"guarded guard": 4}),
    "disarm_attack": (-1, {"disarm attack": 6}),
    "disarm_margin": (4, {"disarm margin": 4}),
    "threat_attack": (3, {"shaken": 3}),
    "strength_threat": (2, {"threat": 7}),
    "training_nerve": (2, {"nerve": 9}),
    "parry_defence": (2, {"parry defence": 17, "standing down": 15}),
    "parry_margin": (4, {"riposte from": 4}),
    "parry_initiative": (5, {"riposte": 5}),
    "dodge_defence": (3, {"dodge defence": 18}),
    "dodge_initiative": (-3, {"dodge initiative": -3}),
    "dodge_penalty": (1, {"dodge in": ["none", "leather"]}),
    "brace_defence": (-5, {"brace defence": 10}),
    "brace_soak": (6, {"brace soak": 8}),
    "stand_down_defence": (200, {"standing down": 16}),
    "helpless_defence": (3, {"helpless": 3}),
}
"""Every number with another value, and all that is then different: for Ada with attack 7, and Bob with defence 15."""


def test_every_number_of_the_rules_is_a_cell_of_the_record_by_its_name() -> None:
    given = {option.name: option.field.high for option in NUMBERS if isinstance(option.field, Whole)}
    seated = Setup.of("strategic", "a=guard b=thug", given).seated()
    assert len(given) == 52
    assert {name: getattr(seated, name) for name in given} == given
    assert set(given) < {name for name, _ in shape(State)}


def test_every_number_of_the_rules_is_tried() -> None:
    assert list(EFFECTS) == [option.name for option in NUMBERS]


@pytest.fixture(scope="module")
def usual() -> dict[str, dict[str, object]]:
    """What has been measured with the numbers of the rulings, once."""
    return {}


@pytest.mark.parametrize("option", EFFECTS)
def test_every_number_changes_exactly_what_it_says(
    duel: Scenery, numbers: Mapping[str, int], usual: dict[str, dict[str, object]], option: str
) -> None:
    before = usual.get("measured") or measured(duel, numbers)
    usual["measured"] = before
    value, effect = EFFECTS[option]
    after = measured(duel, {**numbers, option: value})
    assert {key: after[key] for key in after if after[key] != before[key]} == effect


def test_the_defaults_are_the_numbers_of_the_rulings_or_recorded_as_balance(numbers: Mapping[str, int]) -> None:
    different = {option.name for option in NUMBERS if option.default != numbers[option.name]}
    rulings = system.rulings()
    recorded = set(rulings["balance"].options) if "balance" in rulings else set()
    assert different <= recorded
    assert {option.name for option in NUMBERS} == set(numbers)


def test_the_profile_ruled_has_every_number_as_it_was_before_the_balance(numbers: Mapping[str, int]) -> None:
    settled = Setup.of("strategic", "a=guard b=thug", {"profile": "ruled"}).options
    assert {option.name: settled[option.name] for option in NUMBERS} == numbers
    others = {option.name for option in system.options} - set(numbers)
    usual = Setup.of("strategic", "a=guard b=thug").options
    assert all(settled[name] == usual[name] for name in others)


def test_every_event_cites_rulings_that_there_are() -> None:
    for kind in vars(events).values():
        if hasattr(kind, "cites"):
            assert kind.cites
            assert set(kind.cites) <= set(system.rulings())


def test_every_ruling_says_where_it_comes_from() -> None:
    ours = system.rulings()
    assert {id for id, ruling in ours.items() if ruling.source == "document"} == {
        "d2", "contested", "life", "highwaters", "pain", "penalties", "lethal", "lasting", "turns",
    }  # fmt: skip
