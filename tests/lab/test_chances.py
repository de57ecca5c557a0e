"""The odds of moves as lines: the same at a keyboard and in a world, in 80 columns."""

from __future__ import annotations

from dataclasses import replace

from affray.lab.bars import Screen
from affray.lab.chances import coming, how, meaning, weighed
from affray.lab.odds import Odds

ENDINGS = ("heroes", "villains", "draw")


def sampled(*chances: float) -> Odds:
    odds = dict(zip(ENDINGS, chances, strict=True))
    return Odds(odds, ("heroes", "villains"), "30,000 compiled play-outs", (1, -1, 0), fights=30_000)


FOUND = {"attack": sampled(0.4367, 0.4, 0.1633), "flee": sampled(0.0, 0.0, 1.0)}


def test_losses_stand_beside_wins() -> None:
    head, attack, flee = weighed(list(FOUND), FOUND, "heroes", list(FOUND), Screen(80), numbered=False)
    assert head.split() == ["win", "#", "lose", ".", "draw", "="]
    assert attack.split() == ["attack", "43.7%", "40.0%", "16.3%", 10 * "#" + 4 * "=" + 10 * "."]
    assert flee.split() == ["flee", "0.0%", "0.0%", "100.0%", 24 * "="]


def test_moves_keep_their_numbers_where_only_some_are_shown() -> None:
    _, flee = weighed(list(FOUND), FOUND, "heroes", ["flee"], Screen(80))
    assert flee.startswith("   2 flee ")


def test_what_is_too_much_for_columns_stands_below_its_move() -> None:
    rows = {f"row {number}": number / 100 for number in range(14)}
    found = {"attack": replace(FOUND["attack"], at_once=rows), "flee": FOUND["flee"]}
    head, attack, *listed, flee = weighed(list(found), found, "heroes", list(found), Screen(80), numbered=False)
    assert "row" not in head + attack + flee
    assert " ".join(map(str.strip, listed)) == ", ".join(f"row {number} {number}%" for number in range(1, 14))
    assert max(map(len, listed)) <= 80
    assert meaning(found).endswith("; below each move, what it brings at once (exact):")


def test_no_line_is_wider_than_the_screen() -> None:
    found = {f"skill 6 ac {'x' * 80}": FOUND["attack"], **FOUND}
    for columns in (60, 80):
        for numbered in (True, False):
            lines = weighed(list(found), found, "heroes", list(found), Screen(columns), numbered)
            assert max(map(len, lines)) <= columns
            assert len(lines) == 5


def test_fewer_than_ten_play_outs_show_no_figures_and_keep_their_columns() -> None:
    found = {"attack": replace(FOUND["attack"], fights=10), "flee": replace(FOUND["flee"], fights=9)}
    head, attack, flee = weighed(list(found), found, "heroes", list(found), Screen(80), numbered=False)
    assert attack.split()[:4] == ["attack", "44%", "40%", "16%"]
    assert flee.split() == ["flee", "-", "-", "-"]
    assert flee.rindex("-") == head.rindex("=")
    assert "give or take" in how(found)
    few = "1 of 2 moves have had fewer than 10 play-outs and show no figures yet"
    assert coming(found) == f"{few}; type `odds` to continue."
    none = {move: replace(odds, fights=0) for move, odds in found.items()}
    assert how(none) == "being prepared"
    assert coming(none, "combat odds").startswith("All moves have had fewer than 10 play-outs")
    assert coming(FOUND) == ""


def test_every_ending_that_play_outs_may_still_lead_to_has_its_column() -> None:
    never = {"attack": sampled(0.6, 0.4, 0.0)}
    assert "draw" in weighed(["attack"], never, "heroes", ["attack"], Screen(80))[0]
    counted = {"attack": replace(never["attack"], fights=None)}
    assert "draw" not in weighed(["attack"], counted, "heroes", ["attack"], Screen(80))[0]


def test_what_is_not_counted_yet_has_a_dash() -> None:
    found = {"attack": replace(FOUND["attack"], at_once={"hit": 0.5}), "flee": replace(FOUND["flee"], unfinished=True)}
    _, attack, flee = weighed(list(found), found, "heroes", list(found), Screen(80), numbered=False)
    assert (attack.split()[1], flee.split()[1]) == ("50%", "-")
    assert coming(found) == "What some moves bring at once is still being counted; type `odds` to continue."
