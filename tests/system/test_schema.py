"""The schema: every field takes what it says and refuses the rest in one sentence: place, key, value, bounds."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from affray.errors import Invalid
from affray.system.schema import (
    Amounts,
    Flag,
    Names,
    Option,
    Schema,
    Slug,
    Text,
    Whole,
    Word,
    allowed,
    as_text,
    check,
    load_toml,
    read_rulings,
    settle,
    shown,
    slug,
)

WEAPON: Schema = {
    "name": Text(20),
    "weight": Whole(0, 9),
    "kind": Word(("edged", "bludgeon", "ranged")),
    "two_handed": Flag(),
    "damage": Amounts(("fire", "wind"), 1, 6, of="damage type"),
    "abilities": Amounts(("keen", "heavy"), 1, 9, of="ability", flags=frozenset({"keen"})),
    "shares": Amounts(("attack", "defend"), 0, 100, of="choice", total=100),
    "goes_with": Names(lambda: ["leather", "chain"], of="armour", most=2),
    "id": Slug(),
}


def refusal(table: object, *required: str) -> str:
    with pytest.raises(Invalid) as caught:
        check(WEAPON, table, "arms.toml, rapier", required)
    sentence = str(caught.value)
    assert "\n" not in sentence
    return sentence


def test_a_table_that_fits_comes_back_in_the_order_of_the_schema() -> None:
    table = {
        "damage": {"wind": 2, "fire": 1},
        "weight": 1,
        "goes_with": ["chain"],
        "name": " Rapier ",
    }
    assert check(WEAPON, table, "arms.toml, rapier") == {
        "name": "Rapier",
        "weight": 1,
        "damage": {"fire": 1, "wind": 2},
        "goes_with": ["chain"],
    }
    assert list(check(WEAPON, table, "here")) == ["name", "weight", "damage", "goes_with"]


@pytest.mark.parametrize(
    ("table", "sentence"),
    [
        ({"weight": 10}, "arms.toml, rapier: weight must be 0 to 9, not 10"),
        ({"weight": True}, "arms.toml, rapier: weight must be a whole number, 0 to 9, not true"),
        ({"weight": 1.5}, "arms.toml, rapier: weight must be a whole number, 0 to 9, not 1.5"),
        ({"wieght": 1}, "arms.toml, rapier: there is no key 'wieght'; did you mean weight?"),
        ({"kind": "edgde"}, "arms.toml, rapier: kind: there is no choice 'edgde'; did you mean edged?"),
        ({"kind": 3}, "arms.toml, rapier: kind must be edged or bludgeon or ranged, not 3"),
        ({"two_handed": 1}, "arms.toml, rapier: two_handed must be on or off, not 1"),
        ({"name": "a\nb"}, "arms.toml, rapier: name must be text on one line, 1 to 20 characters, not 'a\\nb'"),
        ({"damage": {"fier": 1}}, "arms.toml, rapier: damage: there is no damage type 'fier'; did you mean fire?"),
        ({"damage": {"fire": 7}}, "arms.toml, rapier: damage.fire must be 1 to 6, not 7"),
        ({"damage": 3}, "arms.toml, rapier: damage must be a table { damage type = 1 to 6 }, not 3"),
        ({"abilities": {"keen": 2}}, "arms.toml, rapier: abilities.keen must be 1, not 2"),
        ({"shares": {"attack": 70}}, "arms.toml, rapier: shares must add up to 100, not 70"),
        (
            {"goes_with": ["silk"]},
            "arms.toml, rapier: goes_with: there is no armour 'silk'; there are: leather, chain",
        ),
        (
            {"goes_with": "chain"},
            "arms.toml, rapier: goes_with must be a list of at most 2 ids (armour), not 'chain'",
        ),
        (
            {"id": "Big Axe"},
            "arms.toml, rapier: id must be an id of lowercase letters, digits and dashes, not 'Big Axe'",
        ),
    ],
)
def test_a_refusal_names_place_key_value_and_what_is_allowed(table: dict[str, object], sentence: str) -> None:
    assert refusal(table) == sentence


def test_what_is_missing_is_named_with_what_it_may_be() -> None:
    assert refusal({}, "weight") == "arms.toml, rapier: weight is missing; it must be 0 to 9"
    assert refusal(7).startswith("arms.toml, rapier must be a table with the keys name, weight")


def test_refusals_stay_short_and_carry_the_value() -> None:
    assert len(refusal({"kind": "x" * 100_000})) < 200
    assert "oversized int" in refusal({"weight": 10**5000})
    with pytest.raises(Invalid) as caught:
        check(WEAPON, {"weight": 10}, "here")
    assert (caught.value.given, caught.value.allowed) == (10, ("0 to 9",))


def test_text_stands_for_values_where_a_person_types() -> None:
    assert Whole(0, 9).read("4") == 4
    assert Whole(-9, 9).read("-4") == -4
    assert Whole(0, 9).read("four") == "four"
    assert Flag().read("Off") is False
    assert WEAPON["damage"].read("fire 2+wind") == {"fire": 2, "wind": 1}
    assert WEAPON["damage"].read("") == {}
    assert WEAPON["goes_with"].read("leather+chain") == ["leather", "chain"]
    assert WEAPON["goes_with"].read("") == []
    with pytest.raises(Invalid, match="names fire twice"):
        WEAPON["damage"].read("fire 2+fire 1")


def test_slugs_are_ids() -> None:
    assert slug("Knight's Greatsword") == "knight-s-greatsword"
    assert slug("?!") == ""
    assert Slug().take(slug("The " + "long " * 30 + "one"), "id").startswith("the-long")


# Files


def test_an_unreadable_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(Invalid, match=r"none\.toml cannot be read: No such file"):
        load_toml(tmp_path / "none.toml")
    with pytest.raises(Invalid, match="is not the name of a file"):
        load_toml("a\0b.toml")
    with pytest.raises(Invalid, match="cannot be read"):
        load_toml(tmp_path)


@pytest.mark.parametrize(
    ("raw", "sentence"),
    [
        (b"a = 1\nb = \xff\n", "arms.toml, line 2: byte 0xff is not UTF-8"),
        (b"a = 1\n\nb 2\n", "arms.toml, line 3: this is not TOML: Expected '=' after a key in a key/value pair"),
        (b"a = 1\nb = [1,\n", "arms.toml, line 2: this is not TOML: Invalid value"),
        (b"a = " + b"9" * 5000, "arms.toml has a number that is too long, or lists nested too deeply"),
        (b"a = " + b"[" * 50_000, "arms.toml has a number that is too long, or lists nested too deeply"),
        (b"#" * 1_000_001, "arms.toml is too large; it must have at most 1000000 bytes"),
    ],
)
def test_a_file_that_is_not_toml_is_named_with_its_line(tmp_path: Path, raw: bytes, sentence: str) -> None:
    (tmp_path / "arms.toml").write_bytes(raw)
    with pytest.raises(Invalid) as caught:
        load_toml(tmp_path / "arms.toml", "arms.toml")
    assert str(caught.value) == sentence


# Options

OPTIONS = (
    Option("cap", Whole(1, 10_000), 200, "rounds at most", "20"),
    Option("ties", Word(("fail", "succeed")), "fail", "what a tie does", "1"),
    Option("gusts", Flag(), True, "whether it blows", "2"),
)
PROFILES = {"document": {}, "server": {"ties": "succeed", "cap": 50}}


def test_options_not_given_have_their_defaults() -> None:
    assert settle(OPTIONS, {}) == {"cap": 200, "ties": "fail", "gusts": True}


def test_options_may_be_typed() -> None:
    assert settle(OPTIONS, {"cap": "20", "gusts": "off", "ties": " succeed "}) == {
        "cap": 20,
        "ties": "succeed",
        "gusts": False,
    }


def test_a_profile_changes_defaults_and_given_options_win() -> None:
    assert settle(OPTIONS, {"cap": 7}, profile="server", profiles=PROFILES) == {
        "cap": 7,
        "ties": "succeed",
        "gusts": True,
    }
    assert settle(OPTIONS, {"profile": "server"}, profiles=PROFILES)["cap"] == 50
    with pytest.raises(Invalid, match=r"there is no profile 'sever'; did you mean server\?"):
        settle(OPTIONS, {}, profile="sever", profiles=PROFILES)
    with pytest.raises(Invalid, match="there is no option 'profile'"):
        settle(OPTIONS, {"profile": "server"})


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"cap": 0}, "option cap must be 1 to 10000, not 0"),
        ({"cap": "many"}, "option cap must be a whole number, 1 to 10000, not 'many'"),
        ({"ties": "fial"}, "option ties: there is no choice 'fial'; did you mean fail?"),
        ({"gusts": "maybe"}, "option gusts must be on or off, not 'maybe'"),
        ({"gust": "on"}, "there is no option 'gust'; did you mean gusts?"),
    ],
)
def test_an_option_out_of_bounds_is_refused(given: dict[str, object], sentence: str) -> None:
    with pytest.raises(Invalid) as caught:
        settle(OPTIONS, given)
    assert str(caught.value) == sentence


@given(st.integers(1, 10_000), st.sampled_from(["fail", "succeed"]), st.booleans())
def test_settled_options_settle_to_themselves_also_as_text(cap: int, ties: str, gusts: bool) -> None:
    settled = settle(OPTIONS, {"cap": cap, "ties": ties, "gusts": gusts})
    assert settle(OPTIONS, settled) == settled
    assert settle(OPTIONS, {name: as_text(value) for name, value in settled.items()}) == settled


def test_allowed_values_read_well() -> None:
    assert [allowed(option) for option in OPTIONS] == ["1 to 10000", "fail or succeed", "on or off"]
    assert [as_text(option.default) for option in OPTIONS] == ["200", "fail", "on"]


# Rulings


def test_rulings_are_read_in_order_and_name_known_options(tmp_path: Path) -> None:
    file = tmp_path / "rulings.toml"
    one = '[[ruling]]\nid = "1"\nquestion = "Ties?"\ntext = "Fail."\nsource = "house rule"\n'
    file.write_text(one + 'options = ["ties"]\n')
    assert read_rulings(file, OPTIONS)["1"].options == ("ties",)
    file.write_text(one + 'options = ["tie"]\n')
    with pytest.raises(Invalid, match=r"ruling 1: options: there is no option 'tie'; did you mean ties\?"):
        read_rulings(file, OPTIONS)
    file.write_text(one + one)
    with pytest.raises(Invalid, match="ruling 2: the id 1 is taken"):
        read_rulings(file, OPTIONS)
    file.write_text("ruling = 3\n")
    with pytest.raises(Invalid, match=r"ruling must be a list of \[\[ruling\]\] tables, not 3"):
        read_rulings(file, OPTIONS)


# Anything at all

ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=30) | st.dates(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8) | st.integers(), inner, max_size=4),
    max_leaves=12,
)
KEYS = st.sampled_from(sorted(WEAPON)) | st.text(max_size=8)


@given(st.dictionaries(KEYS, ANYTHING, max_size=6) | ANYTHING)
def test_any_table_ends_in_a_value_or_a_refusal(table: object) -> None:
    with suppress(Invalid):
        assert isinstance(check(WEAPON, table, "here"), dict)


@given(ANYTHING)
def test_any_value_can_be_quoted(value: object) -> None:
    assert len(shown(value)) <= 60


@given(st.text(max_size=40))
def test_any_typed_text_ends_in_a_value_or_a_refusal(text: str) -> None:
    for field in WEAPON.values():
        with suppress(Invalid):
            field.take(field.read(text), "here")
