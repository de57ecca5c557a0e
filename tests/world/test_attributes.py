"""Typed attributes: the document's lines, every type's bounds, and writing that reads back the same."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from affray.errors import Invalid
from affray.world.store.attributes import LONGEST, TYPES, Attribute, parse, read_value, stored, written

AD = Attribute("grapple_ad", "INTEGER", 5)
KNOWN = {"grapple_ad": AD, "grapple_apmaxsize": Attribute("grapple_apMaxSize", "INTEGER", 10)}


@pytest.mark.parametrize(
    ("line", "attribute"),
    [
        ("grapple_skill4[STRING]=Accuracy", Attribute("grapple_skill4", "STRING", "Accuracy")),
        ("grapple_apMaxSize[INTEGER]=10", Attribute("grapple_apMaxSize", "INTEGER", 10)),
        ("grapple_ad[INTEGER]=5", AD),
        ("grapple_ad[integer]=5", AD),
        ("grapple_ad [Integer] = 5 ", AD),
        ("luck[FLOAT]=2.5", Attribute("luck", "FLOAT", 2.5)),
        ("luck[FLOAT]=-1e3", Attribute("luck", "FLOAT", -1000.0)),
        ("luck[FLOAT]=3", Attribute("luck", "FLOAT", 3.0)),
        ("motto[STRING]=a = b [c]", Attribute("motto", "STRING", "a = b [c]")),
        ("motto[STRING]=", Attribute("motto", "STRING", "")),
        ("motto[STRING]=5", Attribute("motto", "STRING", "5")),
    ],
)
def test_a_line_sets_an_attribute(line: str, attribute: Attribute) -> None:
    assert parse(line) == attribute
    assert type(parse(line).value) is type(attribute.value)


@pytest.mark.parametrize("word", ["true", "yes", "on", "TRUE", "Yes"])
def test_what_is_true(word: str) -> None:
    assert parse(f"brave[BOOLEAN]={word}") == Attribute("brave", "BOOLEAN", True)
    assert written(parse(f"brave[BOOLEAN]={word}")) == "brave[BOOLEAN]=true"


@pytest.mark.parametrize("word", ["false", "no", "off", "False"])
def test_what_is_false(word: str) -> None:
    assert written(parse(f"brave[BOOLEAN]={word}")) == "brave[BOOLEAN]=false"


def test_a_known_attribute_keeps_its_type_and_its_name() -> None:
    assert parse("GRAPPLE_APMAXSIZE=12", KNOWN) == Attribute("grapple_apMaxSize", "INTEGER", 12)
    with pytest.raises(Invalid, match="grapple_ad is of type INTEGER, and 'five' is not a whole number"):
        parse("grapple_ad=five", KNOWN)


def test_a_known_attribute_changes_its_type_when_told() -> None:
    assert parse("Grapple_AD[STRING]=five", KNOWN) == Attribute("grapple_ad", "STRING", "five")


def test_a_new_attribute_needs_a_type() -> None:
    with pytest.raises(Invalid, match="grapple_sd is new, so it needs a type") as refused:
        parse("grapple_sd=1", KNOWN)
    assert refused.value.allowed == TYPES


@pytest.mark.parametrize(
    ("type", "value"),
    [
        ("INTEGER", "five"),
        ("INTEGER", ""),
        ("INTEGER", "5.0"),
        ("INTEGER", "0x10"),
        ("INTEGER", "1_000"),
        ("INTEGER", "٣"),
        ("INTEGER", str(2**63)),
        ("INTEGER", str(-(2**63) - 1)),
        ("INTEGER", "9" * 5000),
        ("FLOAT", "nan"),
        ("FLOAT", "inf"),
        ("FLOAT", "1e999"),
        ("FLOAT", "1_0.5"),
        ("FLOAT", "."),
        ("FLOAT", ""),
        ("BOOLEAN", "1"),
        ("BOOLEAN", "maybe"),
        ("STRING", "x" * (LONGEST + 1)),
        ("STRING", "a\x1b[2Jb"),
        ("STRING", "two\nlines"),
        ("STRING", "nul\x00"),
        ("STRING", "half a sign \ud800"),
    ],
)
def test_a_wrong_value_is_refused_by_name(type: str, value: str) -> None:
    with pytest.raises(Invalid, match=f"^luck is of type {type}, and .* is not ") as refused:
        parse(f"luck[{type}]={value}")
    assert refused.value.allowed
    assert len(str(refused.value)) < 250
    assert str(refused.value).isprintable()


def test_the_ends_of_each_range_are_allowed() -> None:
    assert parse(f"n[INTEGER]={2**63 - 1}").value == 2**63 - 1
    assert parse(f"n[INTEGER]={-(2**63)}").value == -(2**63)
    assert parse("n[STRING]=" + "x" * LONGEST).value == "x" * LONGEST
    assert parse("n" * 64 + "[INTEGER]=1").name == "n" * 64


@pytest.mark.parametrize("name", ["", "5th", "a-b", "a b", "ä", "n" * 65, ".a", "a\n"])
def test_a_wrong_name_is_refused(name: str) -> None:
    if name == "a\n":  # the end of a line that was handed in is not part of the name
        assert parse(f"{name}[INTEGER]=1").name == "a"
        return
    with pytest.raises(Invalid, match="cannot be the name of an attribute"):
        parse(f"{name}[INTEGER]=1")


def test_a_wrong_type_is_refused() -> None:
    with pytest.raises(
        Invalid, match=r"luck cannot be of type 'NUMBER'; the types are STRING, INTEGER, FLOAT, BOOLEAN"
    ):
        parse("luck[NUMBER]=1")


@pytest.mark.parametrize(
    "line", ["", "luck", "luck[INTEGER]", "luck[[INTEGER]]=1", "luck[INTEGER=1", "luck INTEGER]=1"]
)
def test_another_form_is_refused(line: str) -> None:
    with pytest.raises(Invalid, match=r"name\[TYPE\]=value"):
        parse(line)


names = st.from_regex(r"[A-Za-z_][A-Za-z0-9_.]{0,63}", fullmatch=True)
printable = st.text(max_size=1000).filter(str.isprintable)
attributes = st.one_of(
    st.builds(Attribute, names, st.just("STRING"), printable),
    st.builds(Attribute, names, st.just("INTEGER"), st.integers(-(2**63), 2**63 - 1)),
    st.builds(Attribute, names, st.just("FLOAT"), st.floats(allow_nan=False, allow_infinity=False)),
    st.builds(Attribute, names, st.just("BOOLEAN"), st.booleans()),
)


@given(attributes)
def test_what_is_written_reads_back_the_same(attribute: Attribute) -> None:
    assert parse(written(attribute)) == attribute
    again = read_value(attribute.name, attribute.type, stored(attribute))
    assert repr(again) == repr(attribute.value)


@given(st.text())
def test_any_line_is_an_attribute_or_refused(line: str) -> None:
    with suppress(Invalid):
        assert parse(line, KNOWN).type in TYPES
