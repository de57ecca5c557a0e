"""`affray life`: times as people type them, and what the coins say about them."""

import json
import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from affray.errors import Invalid
from affray.systems.strategic.commands.life import LONGEST, SPELLINGS, duration, life_svg, read_time
from affray.systems.strategic.life import YEAR, Ageing, Life

SVG = "{http://www.w3.org/2000/svg}"
EVERYTHING = (
    *("life", "15", "--within", "20h", "30min", "90s", "--within", "3d", "--treat", "3", "--hours-to-care", "5"),
    *("--lives", "200", "--seed", "4"),
)


def rows_under(out: str, heading: str) -> list[list[str]]:
    """The rows below a heading, as words, up to the next empty line."""
    block = out.partition(f"\n{heading}")[2].split("\n\n")[0]
    return [line.split() for line in block.splitlines()[1:]]


# --- what is shown ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("coins", "mean"),
    [
        (30, "68.05 years"),
        (29, "34.02 years"),
        (28, "17.01 years"),
        (27, "8.51 years"),
        (15, "18.20 hours"),
        (14, "9.10 hours"),
        (13, "4.55 hours"),
        (3, "14 seconds"),
    ],
)
def test_the_mean_comes_first_in_a_unit_that_says_something(affray, coins, mean):
    ran = affray("life", str(coins))
    assert ran.code == 0
    assert ran.out.splitlines()[0] == f"{coins} coins: {mean} to live on average."


def test_one_coin_is_a_coin_flipped_until_it_is_tails(affray):
    ran = affray("life", "1")
    # Half are dead after one second, three quarters after two, 31 of 32 after five.
    for share, seconds in [("5%", "1 second"), ("50%", "1 second"), ("75%", "2 seconds"), ("95%", "5 seconds")]:
        assert re.search(rf"^ +{share} are dead within +{seconds}$", ran.out, re.MULTILINE)
    assert re.search(r"standard deviation +1\.41 seconds", ran.out)
    curve = rows_under(ran.out, "Still alive after")
    assert [row[2] for row in curve[:5]] == ["100.0%", "50.0%", "25.0%", "12.5%", "6.2%"]
    assert [len(row[3]) for row in curve[:4]] == [40, 20, 10, 5]


def test_chances_for_given_times(affray):
    # With two coins, the chance to live longer than t seconds is 2 (3/4)^t - (1/2)^t.
    ran = affray("life", "2", "--within", "3s", "1s", "--within", "1min")
    assert rows_under(ran.out, "Within") == [
        ["3", "seconds", "71.875%", "28.125%"],
        ["1", "second", "100.000%", "0.000%"],
        ["1", "minute", "6.4e-06%", ">99.999%"],
    ]


def test_what_is_nearly_sure_does_not_look_sure(affray):
    row = rows_under(affray("life", "15", "--within", "90s").out, "Within")[0]
    assert row[2] == ">99.999%"
    assert re.fullmatch(r"\d\.\de-\d\d%", row[3])


def test_each_lethal_point_halves_the_time(affray):
    ran = affray("life", "15", "--hours-to-care", "5")
    rows = rows_under(ran.out, "With each lethal point")
    assert rows[0] == ["coins", "mean", "median", "alive", "after", "5", "hours"]
    assert [" ".join(row[:3]) for row in rows[1:4]] == ["15 18.20 hours", "14 9.10 hours", "13 4.55 hours"]
    assert [row[-1] for row in rows[1:4]] == [f"{100 * Life(coins).survival(18000):.3f}%" for coins in (15, 14, 13)]
    assert "One more point costs 9.10 hours on average." in ran.out
    last = rows_under(affray("life", "1").out, "With each lethal point")
    assert last[2] == ["0", "0", "seconds", "0", "seconds"]


def test_treatment_now_and_at_a_healer(affray):
    # After five seconds, two coins are two with (3/4)^5 = 243/1024 and one with 211/1024: 454/1024 are alive.
    ran = affray("life", "2", "--treat", "1", "--hours-to-care", "5s")
    assert "2 coins and 1 more make 3: 14 seconds to live on average, 8 seconds more than untreated." in ran.unfolded
    assert "To a healer 5 seconds away: 44.336% arrive alive, with" in ran.out
    assert re.search(r"2 coins +53\.5%  #+\n +1 coin +46\.5%  #+\n", ran.out)
    assert "They have 1.54 coins on average, and 4.14 seconds to live." in ran.out
    assert "With 1 coin from the healer, they have 10.28 seconds to live." in ran.out


def test_a_healer_may_be_too_far_away(affray):
    ran = affray("life", "3", "--hours-to-care", "1d", "--treat", "2")
    assert ran.code == 0
    assert "To a healer 1 day away: 0.000% arrive alive." in ran.out


def test_an_age_lets_ageing_in_unless_it_is_kept_out(affray):
    aged = affray("life", "30", "--age", "100").out
    assert aged.splitlines()[0] == f"30 coins: {duration(Life(30, 100, Ageing()).mean)} to live on average."
    assert "The age is 100; each year past 100 costs a coin." in aged
    assert "68.05 years" in affray("life", "30", "--age", "100", "--ageing", "off").out.splitlines()[0]
    from_birth = affray("life", "30", "--ageing", "on").out.splitlines()[0]
    assert from_birth == f"30 coins: {duration(Life(30, 0, Ageing()).mean)} to live on average."


def test_sampled_lives_are_the_same_for_the_same_seed(affray):
    ran = affray(*EVERYTHING)
    assert ran.out == affray(*EVERYTHING).out
    assert "\n200 lives of seed 4\n" in ran.out
    assert re.search(r"  0: the first coin goes after [\d.]+ \w+, the last after [\d.]+ \w+\.", ran.out)
    arrived = int(re.search(r"^(\d+) of 200 reach the healer alive", ran.out, re.MULTILINE)[1])
    assert 184 <= arrived <= 200, "97 in 100 of them, give or take four standard deviations"
    assert affray("life", "15", "--lives", "1").out != affray("life", "15", "--lives", "1", "--seed", "1").out
    assert re.search(r"\d+ by age\.", affray("life", "30", "--age", "100", "--lives", "3").unfolded)


def test_as_json_everything_is_in_seconds(affray):
    table = json.loads(affray(*EVERYTHING, "--json").out)
    assert table["mean"] == 2**16 - 2
    assert table["quantiles"]["0.5"] == Life(15).median
    assert [row["seconds"] for row in table["within"]] == [72000, 1800, 90, 259200]
    assert all(row["alive"] + row["dead"] == pytest.approx(1) for row in table["within"])
    assert [row["mean"] for row in table["wounds"][:3]] == [2**16 - 2, 2**15 - 2, 2**14 - 2]
    assert table["treatment"]["mean"] == 2**19 - 2
    assert table["healer"]["alive"] == Life(15).survival(18000)
    assert sum(table["healer"]["chances"].values()) == pytest.approx(1)
    assert table["lives"]["reach_care"] == sum(life["lost"][-1] > 18000 for life in table["lives"]["lived"])
    bare = json.loads(affray("life", "15", "--json").out)
    assert (bare["treatment"], bare["healer"], bare["lives"], bare["ageing"]) == (None, None, None, None)


@pytest.mark.parametrize(
    "argv",
    [
        ("life", "--help"),
        EVERYTHING,
        ("life", "39", "--within", "999999y", "1s", "--treat", "1", "--hours-to-care", "500000y"),
        ("life", "40", "--age", "20", "--hours-to-care", "100y", "--lives", "6"),
        ("life", "1", "--hours-to-care", "0", "--treat", "39"),
    ],
    ids=" ".join,
)
def test_nothing_is_wider_than_80_columns(affray, argv):
    ran = affray(*argv)
    assert ran.code == 0
    assert [line for line in ran.out.splitlines() if len(line) > 80] == []


# --- times -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("90s", 90),
        ("30min", 1800),
        ("20h", 72_000),
        ("3d", 259_200),
        ("5y", 5 * 31_557_600),
        ("1h30min", 5400),
        ("1.5 hours", 5400),
        (".5h", 1800),
        (" 2 Days ", 172_800),
        ("1,000 years", 1000 * 31_557_600),
        ("0s", 0),
    ],
)
def test_times_as_people_write_them(text, seconds):
    assert read_time(text) == seconds


def test_a_bare_number_is_of_the_usual_unit():
    assert read_time("5", "hours") == 18_000
    assert read_time("0.5", "years") == YEAR / 2
    assert read_time("30min", "hours") == 1800


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "'' is not a time; it must be a time such as 90s, 30min"),
        ("5", "'5' is not a time; it must be a time such as 90s, 30min"),
        ("soon", "'soon' is not a time"),
        ("-5h", "'-5h' is not a time"),
        ("5 5h", "'5 5h' is not a time"),
        ("3 yaers", "there is no unit of time 'yaers'; did you mean years"),
        ("5m", "there is no unit of time 'm'"),
        ("1000001y", "'1000001y' is too long; it must be at most 1,000,000 years"),
        ("9" * 500 + "s", "is too long; it must be at most 1,000,000 years"),
    ],
)
def test_what_is_no_time_gets_a_sentence(text, sentence):
    with pytest.raises(Invalid) as refused:
        read_time(text)
    assert sentence in str(refused.value)
    assert len(str(refused.value)) < 200


TYPED = st.one_of(
    st.text(max_size=20),
    st.lists(st.sampled_from(["5", "1.5", ".", ",", "-", " ", "1e5", "inf", "nan", "²", *SPELLINGS]), max_size=6).map(
        "".join
    ),
)


@given(TYPED, st.sampled_from(["", "hours", "years"]))
def test_every_text_is_a_time_or_gets_a_sentence(text, usual):
    try:
        seconds = read_time(text, usual)
    except Invalid:
        return
    assert isinstance(seconds, int)
    assert 0 <= seconds <= LONGEST * YEAR


@pytest.mark.parametrize(
    ("seconds", "shown"),
    [
        (0, "0 seconds"),
        (1, "1 second"),
        (59, "59 seconds"),
        (60, "1 minute"),
        (62, "1.03 minutes"),
        (3599.99, "1.00 hours"),
        (65534, "18.20 hours"),
        (86400, "1 day"),
        (2**31 - 2, "68.05 years"),
        (2**41 - 2, "69,682.84 years"),
        (1.5, "1.50 seconds"),
    ],
)
def test_a_time_is_told_in_the_largest_unit_of_which_there_is_one(seconds, shown):
    assert duration(seconds) == shown


@given(st.integers(0, LONGEST * YEAR))
def test_a_time_that_is_told_can_be_typed(seconds):
    shown = read_time(duration(seconds))
    assert abs(shown - seconds) <= max(1, 0.0051 * seconds)


# --- the picture -----------------------------------------------------------------------------------------------------


def test_the_curve_is_drawn_with_words_for_those_who_cannot_see_it(affray):
    ran = affray("life", "30", "--svg", "life.svg")
    assert "Drawn: life.svg." in ran.out
    root = ET.fromstring(Path("life.svg").read_text(encoding="utf-8"))
    assert root.find(f"{SVG}title").text == "Life with 30 coins: 68.05 years on average"
    assert f"50% live longer than {duration(Life(30).median)}" in root.find(f"{SVG}desc").text
    points = [tuple(map(float, point.split(","))) for point in root.find(f"{SVG}polyline").get("points").split()]
    assert points == sorted(points), "time goes to the right, and the line only down"
    assert [y for _, y in points] == sorted(y for _, y in points)
    levels = [float(line.get("d").split()[1].partition("H")[0]) for line in root.findall(f"{SVG}path")]
    bottom, top = levels[0], levels[-1]
    for (second, alive), (_, y) in zip(Life(30).curve(200), points, strict=True):
        assert abs((bottom - y) / (bottom - top) - alive) < 0.001, second


@pytest.mark.parametrize("life", [Life(1), Life(40), Life(30, 100, Ageing()), Life(40, 1000, Ageing())], ids=repr)
def test_every_life_can_be_drawn(life):
    root = ET.fromstring(life_svg(life))
    assert len(root.findall(f"{SVG}circle")) == 3
    width, height = (float(root.get(side)) for side in ("width", "height"))
    for mark in root.findall(f"{SVG}circle"):
        assert 0 < float(mark.get("cx")) < width
        assert 0 < float(mark.get("cy")) < height


# --- what is refused -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("argv", "sentence"),
    [
        ((), "the following arguments are required: COINS"),
        (("0",), "COINS must be 1 to 40, not 0"),
        (("41",), "COINS must be 1 to 40, not 41"),
        (("-3",), "'-3' is not a whole number from 0 up"),
        (("9" * 40,), "is too large; it must be 9223372036854775807 or less"),
        (("thirty",), "'thirty' is not a whole number from 0 up"),
        (("15", "--within", "20"), "'20' is not a time; it must be a time such as"),
        (("15", "--within", "20 huors"), "did you mean hours"),
        (("15", "--within"), "expected at least one argument"),
        (("15", "--treat", "26"), "--treat must be 25 at most"),
        (("15", "--treat", "0"), "'0' is too few; it must be 1 or more"),
        (("15", "--hours-to-care", "-1"), "'-1' is not a time; it must be a number of hours"),
        (("15", "--hours-to-care", "far"), "'far' is not a time; it must be a number of hours"),
        (("15", "--age", "old"), "'old' is not a time; it must be a number of years"),
        (("15", "--age", "1001"), "--age must be 0 to 1000 years, not '1001'"),
        (("15", "--ageing", "perhaps"), "invalid choice: 'perhaps'"),
        (("15", "--lives", "100001"), "--lives must be 1 to 100000, not 100001"),
        (("15", "--lives", "1", "--seed", "9" * 19), "is too large; it must be 9223372036854775807 or less"),
        (("15", "--svg", "life.png"), "--svg must be a file that ends in .svg, not 'life.png'"),
        (("15", "--svg", "nowhere/life.svg"), "nowhere/life.svg cannot be written"),
        (("15", "--svg", "a\0b.svg"), "cannot be written"),
    ],
    ids=lambda value: " ".join(value)[:30] if isinstance(value, tuple) else "",
)
def test_what_cannot_be_done_is_one_sentence(affray, argv, sentence):
    ran = affray("life", *argv)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("affray: ")
    assert sentence in ran.err
    assert ran.err.count("\n") == 1
