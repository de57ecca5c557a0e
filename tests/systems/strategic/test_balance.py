"""No attack move and no defence is better than all others: each is the best answer somewhere, none wins everywhere."""

from __future__ import annotations

import importlib.util
import runpy
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from statistics import mean
from types import ModuleType

import pytest

from affray.fight import Fight
from affray.kernel.chance import Seeded
from affray.lab.odds import Odds, odds_of_moves
from affray.lab.simulate import final_states
from affray.players.tactics import decide, usual_tactics
from affray.systems.strategic import moves, sheets, state, system

pytestmark = pytest.mark.long

DOCS = Path(__file__).parents[3] / "docs"
TOO_MUCH = 0.65
LONGEST = 16  # moves of a fight that are looked at
PLAY_OUTS = 200  # of each option


@pytest.fixture(scope="module")
def ring(native: ModuleType) -> ModuleType:
    """The script that fights the tables of the documentation out."""
    spec = importlib.util.spec_from_file_location("strategic_tables", DOCS / "strategic_tables.py")
    assert spec is not None
    assert spec.loader is not None
    script = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = script  # where its dataclasses look their annotations up, and the tables are made of it
    spec.loader.exec_module(script)
    return script


def test_everything_is_weighed_against_everything(ring: ModuleType) -> None:
    assert set(ring.MOVES) == {*moves.MOVES, "strike", "guarded"} == set(moves.ATTACKS.values())
    assert set(ring.DEFENCES) == {"parry", "dodge", "brace"}
    assert [ground.armour for ground in ring.LEVELS] == ["none", "leather", "chain", "plate"]
    assert all(ground.threats == ring.MOVES for ground in ring.LEVELS)


def test_a_plan_is_kept_to(ring: ModuleType) -> None:
    """Two plans that make the same moves are the same fights; two that do not are not."""
    ground, strike = ring.LEVELS[0], ring.Plan("strike")
    assert ring.wins(ground, strike, strike, 500) != ring.wins(ground, ring.Plan("power"), strike, 500)
    assert ring.wins(ground, ring.Plan("pull", "cripple"), strike, 500) == ring.wins(
        ground, ring.Plan("pull", "incapacitate"), strike, 500
    ), "a pulled blow cannot be meant to cripple"
    plate = ring.LEVELS[-1]
    assert ring.wins(plate, strike._replace(defence="dodge"), strike, 500) == ring.wins(plate, strike, strike, 500), (
        "nobody dodges in plate"
    )


def test_plans_are_kept_to_alike_interpreted_and_compiled(ring: ModuleType) -> None:
    ground = ring.LEVELS[1]
    for own, other in ((ring.Plan("disarm"), ring.Plan("threaten", "pain", "dodge")), (ring.Plan("gap"),) * 2):
        teams = {"own": [ground.sheet(ground.own, own)], "other": [ground.sheet(ground.other, other)]}
        compiled, interpreted = (
            final_states(ring.RING, teams, seed=3, numbers=range(40), options=ring.ALL_SEEN, compiled=how)
            for how in (True, False)
        )
        assert compiled == interpreted


def test_among_equals_with_the_same_plan_both_win_alike(ring: ModuleType) -> None:
    for ground in ring.LEVELS:
        even = ring.move_against_move(ground, "strike", "strike")
        assert abs(even.value - 0.5) < 3 * (even.high - even.low) / 2


def test_every_move_and_every_defence_is_the_best_answer_somewhere(ring: ModuleType) -> None:
    best = ring.clearest()
    assert set(best) == {*ring.MOVES, *ring.DEFENCES}
    unclear = {name: answer for name, answer in best.items() if answer.lead.low <= 0}
    assert not unclear, "the next best may be as good"


def test_no_move_wins_more_than_65_per_cent_everywhere(ring: ModuleType) -> None:
    for move, (least, _) in ring.extremes().items():
        assert least.high < TOO_MUCH, move
    for ground in ring.LEVELS:
        for move in ring.MOVES:
            against = [ring.move_against_move(ground, move, other) for other in ring.MOVES if other != move]
            assert min(against).high < TOO_MUCH, (ground.name, move)


def test_no_defence_wins_more_than_65_per_cent_against_the_others(ring: ModuleType) -> None:
    for ground in ring.LEVELS:
        for own in ground.defences:
            against = [ring.defence_against_defence(ground, own, other) for other in ground.defences]
            assert max(against).high < TOO_MUCH, (ground.name, own)


def test_the_tables_of_the_documentation_are_these(ring: ModuleType) -> None:
    page = DOCS / "systems" / "strategic.md"
    assert page.read_text(encoding="utf-8") == runpy.run_path(str(DOCS / "make_tables.py"))["current"](page), (
        "no longer current; `python docs/make_tables.py` writes it anew"
    )


def test_the_ruling_names_every_number_that_was_changed(numbers: dict[str, int]) -> None:
    """The numbers first written down are those of the scenes; whatever differs now is in the ruling, and no more."""
    changed = {option.name for option in state.NUMBERS if option.default != numbers[option.name]}
    assert changed == set(system.rulings()["balance"].options)
    for name in changed:
        assert str(abs(numbers[name])) in system.rulings()["balance"].text


def test_deciding_by_the_sum_brings_most(ring: ModuleType) -> None:
    """Over all matches together nothing is better than `rational`, and in none of them is anything much better."""
    gained = {match: ring.sums(*match) for match in ring.MATCHES}
    totals = {tactic: sum(row[tactic] for row in gained.values()) for tactic in gained["knight", "brute"]}
    assert totals["rational"] == max(totals.values())
    for (fighter, _), row in gained.items():
        assert row["rational"] > max(row.values()) - 0.15 * sheets.SHEETS.fighters()[fighter].stake


def test_what_the_rational_choose_has_the_highest_sum_or_nearly(ring: ModuleType) -> None:
    """At each of their decisions every option is played out to its sum: seldom is any certainly better than theirs.

    On average theirs is within a twentieth of the stake of whichever looks best, which luck has flattered.
    """
    short, worse = [], []
    for fighter, foe in ring.MATCHES:
        for chosen, sums in decisions_of_the_rational(fighter, foe, fights=2):
            own = sums[chosen].costs["net"]
            best = max((odds.costs["net"] for odds in sums.values()), key=lambda net: net.low)
            short.append((best.value - own.value) / sheets.SHEETS.fighters()[fighter].stake)
            worse.append(own.high < best.low)
    assert mean(short) < 1 / 20
    assert mean(worse) < 1 / 6


def decisions_of_the_rational(fighter: str, foe: str, fights: int) -> Iterator[tuple[str, dict[str, Odds]]]:
    """What a rational fighter chooses, and the odds of all options, decision by decision."""
    for number in range(fights):
        fight = Fight("strategic", {"own": [f"{fighter}:name=own"], "other": [foe]}, dice=Seeded(6, number))
        tactics = usual_tactics(fight, {"own": "rational"})
        for _ in range(LONGEST):
            if fight.over:
                break
            who = fight.to_act[0]
            move = str(decide(fight, who, tactics[who]))
            if who == "own" and len(fight.legal(who)) > 1:
                look = partial(odds_of_moves, fight.setup, fight.state, who, tactics=tactics)
                yield move, look(compiled=True, seconds=0, least=PLAY_OUTS)
            fight.play(who, move)
