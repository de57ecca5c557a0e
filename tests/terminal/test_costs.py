"""What a decision costs, on a screen of 80 columns: figures, bars, what is at stake, and what came of it in the end."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from affray.fight import Fight
from affray.lab import costs, odds
from affray.lab.bars import balance, facing
from affray.lab.figures import Rate
from affray.lab.odds import Odds
from affray.players.tactics import usual_tactics
from affray.system.registry import find
from affray.terminal.commands import odds as odds_command
from affray.terminal.playing import commands, fight_session
from affray.terminal.screen.keyboard import Plain
from affray.terminal.screen.output import screen

pytestmark = pytest.mark.long

DUEL = ("play", "strategic", "order=knight", "raiders=brute", "--seed", "7")
BRAWLERS = "order=knight,guard raiders=brute,brute"
BRAWL = ("play", "strategic", *BRAWLERS.split(), "--seed", "7")
COSTS = find("strategic").costs
FEW = 3  # play-outs of a move that tests wait for
chances = st.floats(0, 1)


def weighed(win: float = 0.5, net: float = 0.0, fights: int = 5_000, **others: float) -> Odds:
    """The odds of a move as play-outs might have found them, its net within one year."""
    values = {"downed": 0.1, "die": 0.01, "by_care": 0.02, "years": 2.0, "bed": 9.0, "lame": 0.125, **others}
    paid = {name.replace("_", " "): Rate(value, value, value) for name, value in values.items()}
    found = {"order": win, "raiders": 1 - win, "draw": 0.0, "peace": 0.0, "standoff": 0.0}
    return Odds(
        found,
        ("order", "raiders"),
        f"{fights:,} compiled play-outs",
        (1, -1, 0, 0, 0),
        fights=fights,
        costs={**paid, "net": Rate(net, net - 1, net + 1)},
    )


def lines(odds: Mapping[str, Odds], shown: list[str] | None = None) -> list[str]:
    return costs.reckoned(list(odds), odds, "order", COSTS, shown or list(odds), screen())


# Bars


def test_the_chance_to_win_comes_from_the_left_and_harm_from_the_right():
    assert facing(0.5, {"o": 0.3, "X": 0.1, "x": 0.2}, 10) == "#####..oxX"
    assert facing(0.0, {"o": 0.0}, 4) == "...."
    assert facing(1.0, {}, 4) == "####"


def test_a_win_that_is_paid_for_shows_both():
    assert facing(0.8, {"o": 0.4}, 10) == "######%%oo"


@given(chances, chances, chances, st.integers(1, 30))
def test_a_bar_of_chances_is_as_long_as_it_should_be(win, one, other, wide):
    assert len(facing(win, {"o": one, "x": other}, wide)) == wide


def test_a_loss_is_drawn_to_the_left_and_a_gain_to_the_right():
    assert balance(-10, 10, 9) == "----|    "
    assert balance(5, 10, 9) == "    |++  "
    assert balance(0, 0, 9) == "    |    "


@given(st.floats(-100, 100), st.floats(0, 100), st.integers(3, 21).filter(lambda wide: wide % 2))
def test_a_balance_keeps_its_middle(value, most, wide):
    drawn = balance(value, most, wide)
    assert len(drawn) == wide
    assert drawn.index("|") == wide // 2
    assert set(drawn) <= {" ", "|", "-" if value < 0 else "+"}


# The table


def test_every_option_shows_what_it_costs_as_figures_and_as_bars():
    heading, strike, flee = lines({"strike cripple": weighed(0.82, 12.3), "flee": weighed(0.0, -4.5, downed=0.45)})
    assert heading.split() == ["win", "downed", "die", "by", "care", "years", "bed", "lame", "net"]
    assert strike.split()[:9] == [">", "1", "strike", "cripple", "82%", "10%", "1.0%", "2.0%", "2.0"]
    assert strike.split()[9:11] == ["9.0", "0.12"]
    assert strike.endswith("+12.3 ####.   |++")
    assert flee.split()[:7] == ["2", "flee", "0%", "45%", "1.0%", "2.0%", "2.0"]
    assert flee.endswith("...oo  -|")


def test_the_best_is_marked_by_a_sign_also_where_it_is_not_shown():
    odds = {"parry": weighed(0.9, 1.0), "dodge": weighed(0.1, 3.0), "brace": weighed(0.5, -2.0)}
    assert [line[0] for line in lines(odds)] == [" ", " ", ">", " "]
    assert not any(line.startswith(">") for line in lines(odds, ["parry", "brace"]))


def test_moves_keep_their_numbers_among_all():
    odds = {f"move {letter}": weighed(net=number) for number, letter in enumerate("abcdefghijkl")}
    assert lines(odds, ["move k"])[1].startswith(" 11 move k")


def test_what_was_hardly_played_out_has_no_figures_and_comes_last():
    odds = {f"kind{n} x": weighed(net=n) for n in range(20)} | {"luckybeggar": weighed(net=99.0, fights=3)}
    shown = costs.to_show(list(odds), odds)
    assert (shown[0], shown[-1]) == ("kind19 x", "luckybeggar")
    assert lines(odds, ["luckybeggar"])[1].split() == ["21", "luckybeggar", *"--------"]


def test_of_many_moves_each_kind_is_there_and_the_best_come_first():
    kinds = ("jab", "power", "strike", "flee")
    odds = {f"{kind} {n}": weighed(net=10 * place - n) for place, kind in enumerate(kinds) for n in range(6)}
    shown = costs.to_show(list(odds), odds)
    assert len(shown) == costs.ROOM
    assert {move.split()[0] for move in shown} == set(kinds)
    assert [odds[move].value for move in shown] == sorted((odds[move].value for move in shown), reverse=True)


@pytest.mark.parametrize("columns", [40, 62, 80, 200])
def test_no_line_is_wider_than_the_screen(columns, monkeypatch):
    monkeypatch.setenv("COLUMNS", str(columns))
    foes = ("brute", "guard", "a-very-long-name-indeed")
    odds = {f"guarded {foe} {intent}": weighed() for foe in foes for intent in ("pain", "incapacitate", "cripple")}
    if columns > 60:
        odds = {move: found for move, found in odds.items() if "long" not in move}
    assert all(len(line) <= min(80, columns) for line in lines(odds))


def test_a_long_name_is_cut_where_what_is_left_is_enough_to_type_it():
    odds = {f"guarded brute {intent}": weighed() for intent in ("pain", "incapacitate", "cripple")}
    assert [line[4:20].rstrip() for line in lines(odds)[1:]] == [
        "guarded brute p",
        "guarded brute i",
        "guarded brute c",
    ]
    alone = {f"guarded {intent}": weighed() for intent in ("pain", "incapacitate", "cripple")}
    assert [line[4:19].rstrip() for line in lines(alone)[1:]] == ["guarded pain", "guarded incapa", "guarded crippl"]


def test_small_chances_have_tenths_where_they_say_something():
    assert [costs.chance(value, 5_000) for value in (0.0, 0.0001, 0.034, 0.34, 1.0)] == [
        "0%",
        "<0.1%",
        "3.4%",
        "34%",
        "100%",
    ]
    assert [costs.chance(value, 50) for value in (0.0001, 0.034)] == ["<1%", "3%"]


# At the keyboard


@pytest.fixture
def soon(monkeypatch):
    """As few interpreted play-outs as there have to be, and no others."""
    monkeypatch.setenv("AFFRAY_BACKEND", "none")
    monkeypatch.setattr(costs, "FIRST_LOOK", 0.0)
    monkeypatch.setattr(costs, "PATIENT", 0.0)
    for place in (fight_session, commands):
        monkeypatch.setattr(place, "STUDY", 2 * fight_session.GLANCE)
    for place in (fight_session, costs, odds):
        monkeypatch.setattr(place, "TOO_FEW", FEW)


def test_the_stake_and_the_costs_stand_above_the_question(affray, soon):
    ran = affray(*DUEL, typed="quit\n")
    stake = "Your stake: 25 years of life; a year lost counts 0.8. A healer is 6 hours away."
    assert stake in ran.unfolded
    assert "(yours: rational; `odds TACTIC` takes another): # win, o downed, X dead in the fight" in ran.unfolded
    assert re.search(r"^ +win +downed +die +by care +years +bed +lame +net$", ran.out, re.M)
    for kind in ("gap", "strike", "guarded", "yield", "stand down", "flee"):
        assert re.search(rf"^[> ]\d\d? {kind}", ran.out, re.M), kind
    assert len(re.findall(r"^>[ \d]\d ", ran.out, re.M)) == 1
    assert re.search(r"\d+ (interpreted|compiled) play-outs", ran.unfolded)
    assert all(len(line) <= 80 for line in ran.out.splitlines())


def test_odds_shows_all_moves_and_takes_another_tactic(affray, soon):
    ran = affray(*DUEL, typed="odds brute\nodds coward\nquit\n")
    asked = ran.out[ran.out.index("knight> odds brute") :]
    numbers = [int(number) for number in re.findall(r"^[> ]([ \d]\d) [a-z]", asked, re.M)]
    fight = Fight("strategic", "order=knight raiders=brute", seed=7)
    assert numbers == list(range(1, len(fight.legal("knight")) + 1))
    assert "yours: brute" in asked
    assert "There is no tactic 'coward'" in asked


def test_a_healer_next_door_is_one_hour_away(affray, soon):
    ran = affray(*DUEL, "--option", "hours_to_care=1", typed="quit\n")
    assert "A healer is 1 hour away." in ran.unfolded


def rows(text: str) -> list[list[str]]:
    """The rows of the table of costs: each the move, and its figures."""
    return [[row[1].rstrip(), *row[2].split()] for row in re.finditer(ROW, text, re.M)]


ROW = r"^[> ][ \d]\d ([a-z][a-z0-9 -]*?) +((?:[<>]?\d+%|-) +(?:[-<>]?[-+0-9.%]+ +){6}[-+0-9.]+)"


def test_before_anything_is_compiled_one_move_of_each_kind_shows_what_it_costs_however_slow_it_is(affray, soon):
    ran = affray(*BRAWL, typed="quit\n")
    found = rows(ran.out)
    kinds = costs.kinds([str(move) for move in Fight("strategic", BRAWLERS, seed=7).legal("knight")])
    assert sorted(row[0].split()[0] for row in found) == sorted(kinds)
    assert not any("-" in row[1:] for row in found)
    assert re.search(r"^>[ \d]\d ", ran.out, re.M)
    assert all(int(count) >= FEW for count in re.findall(r"(\d+) interpreted play-outs", ran.unfolded))
    assert "being prepared" not in ran.out


def test_odds_that_were_asked_for_have_figures_for_every_move_however_long_it_takes(affray, soon):
    ran = affray(*BRAWL, typed="odds\nquit\n")
    found = rows(ran.out[ran.out.index("> odds\n") :])
    assert len(found) == len(Fight("strategic", BRAWLERS, seed=7).legal("knight"))
    assert not any("-" in row[1:] for row in found)
    assert all(int(count) >= FEW for count in re.findall(r"(\d+) interpreted play-outs", ran.unfolded))


def at_a_screen() -> fight_session.FightSession:
    fight = Fight("strategic", "order=knight raiders=brute", seed=7)
    keyboard = Plain()
    keyboard.screen = True
    return fight_session.FightSession(keyboard, fight, frozenset({"knight"}), usual_tactics(fight))


def test_a_person_sees_how_far_it_is_and_may_stop_it(capsys, monkeypatch):
    def interrupted(*args, progress, **how):
        progress(115)
        raise KeyboardInterrupt

    monkeypatch.setattr("affray.lab.odds.odds_of_moves", interrupted)
    monkeypatch.setattr("affray.lab.native_ready", lambda fight: False)
    seated = at_a_screen()
    assert not commands.odds(seated, "knight", "")
    said = capsys.readouterr().out
    assert "##########..........  50%  weighed; Ctrl-C stops" in said
    assert said.endswith("  Stopped; type `odds` to continue.\n")
    assert seated.odds  # the next decision is weighed again
    seated.keyboard.screen = False
    with pytest.raises(KeyboardInterrupt):  # which ends a program that nobody looks at
        commands.odds(seated, "knight", "")


def test_native_code_that_has_become_ready_overtakes_the_interpreted_play_outs(monkeypatch):
    asked = []
    monkeypatch.setattr("affray.lab.native_ready", lambda fight: False)

    def of_moves(*args, progress, **how):
        asked.append(progress)
        if progress:
            monkeypatch.setattr("affray.lab.native_ready", lambda fight: True)
            progress(1)
        return {}

    monkeypatch.setattr("affray.lab.odds.odds_of_moves", of_moves)
    assert at_a_screen()._study("knight", 23) == {}
    assert len(asked) == 2
    assert asked[1] is None


# What the mark says


def test_the_mark_is_called_best_only_where_nothing_may_be_better():
    clear = {"parry": weighed(net=9.0), "dodge": weighed(net=6.5), "flee": weighed(net=-3.0)}
    assert costs.how(clear, list(clear), COSTS) == "> is best, its net within 1.0; sampled, 5,000 compiled play-outs"
    close = clear | {"dodge": weighed(net=7.5)}
    said = "> is safest, its net +8.0 or more; 1 other may be better; sampled"
    assert costs.how(close, list(close), COSTS).startswith(said)
    assert costs.marked(close) == "parry"


def test_the_mark_goes_by_what_is_sure_and_moves_hardly_played_out_may_be_better():
    rash = replace(weighed(net=9.5), costs={**weighed().costs, "net": Rate(9.5, 1.0, 18.0)})
    odds = {"wild": rash, "parry": weighed(net=9.0), "flee": weighed(net=-3.0, fights=2)}
    assert costs.marked(odds) == "parry"
    assert "+8.0 or more; 2 others may be better" in costs.how(odds, ["parry"], COSTS)


def test_without_odds_the_moves_are_listed(affray):
    ran = affray(*DUEL, "--no-odds", typed="quit\n")
    assert "gap pain/incapacitate/cripple" in ran.out
    assert "Your stake" not in ran.out


def test_after_the_fight_everybody_is_told_what_it_has_cost(affray):
    ran = affray(*DUEL, "--no-odds", "--computer", "order", typed="\n")
    assert "After the fight, with a healer 6 hours away:" in ran.unfolded
    assert ran.unfolded.count("years lost on average, after care") == 2
    assert "dead before care" not in ran.out  # bare figures, in parts of a whole


def test_a_replay_ends_with_the_same_reckoning(affray):
    words = ("--simulated", "strategic", "order=knight", "raiders=brute", "--seed", "3", "--number", "2")
    ran = affray("replay", *words)
    assert "After the fight, with a healer 6 hours away:" in ran.unfolded
    figures = json.loads(affray("replay", *words, "--json").out)["figures"]
    for row in figures.values():
        assert 0 <= row["dead before care"] <= 1
        assert 0 <= row["years lost"] <= 68.1


# The whole fight


def test_the_odds_of_a_whole_fight_show_what_it_costs_everybody(affray, monkeypatch):
    from affray.lab import simulate

    monkeypatch.setattr(odds_command, "SIMULATED", 200)
    part_of = simulate.part_of
    monkeypatch.setattr(
        # As if they were compiled, so that all are fought, however slow the machine is.
        simulate,
        "part_of",
        lambda *model, **how: (part_of(*model, **how | {"compiled": False})[0], True),
    )
    words = ("odds", "strategic", "order=knight", "raiders=brute")
    ran = affray(*words)
    assert re.search(r"^ +downed +die +by care +years +bed +lame +net$", ran.out, re.M)
    table = json.loads(affray(*words, "--json").out)
    assert list(table["costs"]) == ["knight", "brute"]
    played = simulate.simulate("strategic", "order=knight raiders=brute", fights=200, compiled=False)
    for who, stake, caution in (("knight", 25, 0.8), ("brute", 20, 0.6)):
        paid = {name: cost["value"] for name, cost in table["costs"][who].items()}
        figures = played.figures[who]
        assert paid["downed"] == pytest.approx(figures["downed"].value)
        assert paid["by care"] == pytest.approx(figures["dead before care"].value)
        won = played.rates["order" if who == "knight" else "raiders"].value
        years = figures["years lost"].value + figures["days in bed"].value / 365.25 + 2 * figures["lame"].value
        assert paid["net"] == pytest.approx(stake * won - caution * years)
        assert f"{paid['net']:+.1f}" in ran.out
