"""Odds by play-outs: they cover what is true, say that they are sampled, and leave the fight alone."""

from fractions import Fraction
from functools import partial
from types import SimpleNamespace

import pytest

from affray.errors import Illegal
from affray.fight import Fight
from affray.kernel import records
from affray.kernel.chance import Seeded
from affray.lab import playouts
from affray.lab.graph import successors
from affray.lab.odds import odds_of_moves, sample_moves, solve_fight
from affray.lab.playouts import FINALISTS, OWN_DICE, halve
from affray.players.tactics import numbered, usual_tactics

BRAWL = "heroes=ahalish,mirela,fenn monsters=duelist,shaman,ogre"
both_ways = pytest.mark.parametrize("compiled", [False, True], ids=["interpreted", "compiled"])


def endgame() -> Fight:
    """Two who strike with all they have at one last wound: few states are left."""
    fighter = {"base": "goblin", "ap": 6, "ad": 0, "sd": 6, "defense": 1, "max_wounds": 1, "tactic": "striker"}
    return Fight("grapple", {"heroes": [fighter], "monsters": [fighter]}, seed=5)


def exact_chances(fight: Fight, code: int) -> dict[str, Fraction]:
    """How the fight ends after a move, all then following their tactics: counted, not played out."""
    tactics = usual_tactics(fight)
    total = dict.fromkeys(fight.endings, Fraction(0))
    reached = successors(fight.system, fight.state, 0, code, -1, numbered(fight.system, tactics))
    for state, numerator, denominator in reached:
        share = Fraction(numerator, denominator)
        ending = state.ending
        if ending >= 0:
            total[fight.endings[ending]] += share
            continue
        solved = solve_fight(fight.setup, [state], [], tactics, "heroes", compiled=False)
        assert solved is not None
        for name, chance in solved.odds({0: Fraction(1)}).chances.items():
            total[name] += share * Fraction(chance)
    return total


def covers(sampled, ending: str, true: Fraction) -> bool:
    """Whether the truth lies in the interval, or at most as far outside as the interval is long: four sigma."""
    low, high = sampled.interval(ending)
    return low - (high - low) / 2 <= float(true) <= high + (high - low) / 2


@both_ways
@pytest.mark.parametrize(
    "fight",
    [lambda: Fight("bgo", "heroes=player monsters=fire-slime", seed=3), endgame],
    ids=["a duel of bgo", "an endgame of grapple"],
)
def test_intervals_cover_the_true_chance(fight, compiled):
    fight = fight()
    codes = fight.codes(0)[:6]
    tactics = numbered(fight.system, usual_tactics(fight))
    most = 20_000 if compiled else 400
    sampled = sample_moves(fight.setup, fight.state, 0, codes, tactics, most, seconds=600, compiled=compiled)
    for code, found in zip(codes, sampled, strict=True):
        assert found.fights == most
        for ending, true in exact_chances(fight, code).items():
            assert covers(found, ending, true)


@both_ways
def test_another_seed_gives_the_same_within_the_intervals(compiled):
    fight = endgame()
    tactics = numbered(fight.system, usual_tactics(fight))
    most = 5_000 if compiled else 300
    one, other = (
        sample_moves(
            fight.setup, fight.state, 0, fight.codes(0), tactics, most, seconds=600, compiled=compiled, seed=seed
        )
        for seed in (1, 2)
    )
    assert one != other
    for first, second in zip(one, other, strict=True):
        assert covers(first, "heroes", Fraction(second.chances["heroes"]))
    again = sample_moves(
        fight.setup, fight.state, 0, fight.codes(0), tactics, most, seconds=600, compiled=compiled, seed=1
    )
    assert again == one


def test_interpreted_and_compiled_play_outs_are_the_same_play_outs(native):
    fight = Fight("grapple", "heroes=ahalish monsters=goblin", seed=5)
    tactics = numbered(fight.system, usual_tactics(fight))
    plain, fast = (
        sample_moves(fight.setup, fight.state, 0, fight.codes(0), tactics, 20, seconds=600, compiled=compiled)
        for compiled in (False, True)
    )
    assert [found.chances for found in plain] == [found.chances for found in fast]


def test_a_strike_that_wins_at_once_shows_it():
    fight = endgame()
    odds = odds_of_moves(fight.setup, fight.state, fight.to_act[0], compiled=False, seconds=1.0, least=100)
    strike = odds["strike 6 goblin-2"]
    assert max(odds, key=lambda move: odds[move].at_least).startswith("strike")
    # Six dice against defense 1 fail only with fewer than two successes: 13 times in 729.
    assert (
        covers(strike, "heroes", exact_chances(fight, fight.codes(0)[-1])["heroes"]) or strike.chances["heroes"] > 0.9
    )
    assert odds["catch breath"].chances["heroes"] < strike.chances["heroes"]


@both_ways
def test_playouts_leave_dice_whim_and_state_alone(compiled):
    fight, untouched = (Fight("grapple", "heroes=ahalish monsters=goblin", seed=1) for _ in range(2))
    who = fight.to_act[0]
    odds = odds_of_moves(fight.setup, fight.state, who, compiled=compiled, seconds=0.05)
    assert list(odds) == [str(move) for move in fight.legal(who)]
    assert fight.dice.position == untouched.dice.position
    assert fight.whim.position == untouched.whim.position
    assert records.pack(fight.state) == records.pack(untouched.state)
    assert fight.play(who, "maneuver 3 ac") == untouched.play(who, "maneuver 3 ac")


def test_play_outs_do_not_throw_the_dice_that_the_fight_will_throw(monkeypatch):
    """Not even one of a fight whose seed a person chose: the streams of play-outs have seeds of their own."""
    used = []
    monkeypatch.setattr(playouts, "Seeded", lambda *stream: used.append(stream) or Seeded(*stream))
    for seed in (0, 1):
        fight = Fight("grapple", endgame().setup.specs(), seed=seed)
        sample_moves(fight.setup, fight.state, 0, fight.codes(0), (1, 1), 2, seconds=600, compiled=False, seed=seed)
        assert used
        assert all(own != seed for own, *_ in used)
    assert OWN_DICE > 2**32  # drawn seeds are smaller


def test_odds_of_a_large_fight_are_sampled_and_say_so():
    fight = Fight("grapple", BRAWL, seed=1)
    odds = odds_of_moves(fight.setup, fight.state, fight.to_act[0], compiled=False, seconds=0.01, least=1)
    for found in odds.values():
        assert found.fights >= 1
        assert "interpreted play-out" in found.how
        assert not found.exact
        low, high = found.interval("heroes")
        assert 0 <= low <= found.chances["heroes"] <= high <= 1


# How the time is shared out


def test_all_moves_get_a_share_and_the_better_ones_more(monkeypatch):
    clock = [0.0]
    monkeypatch.setattr(playouts, "time", SimpleNamespace(monotonic=lambda: clock[0]))
    played = [0] * 64

    def run(place, first, count, until):
        assert played[place] == first  # play-outs go on where they stopped
        played[place] += count
        clock[0] += 1e-5 * count
        return count

    halve(run, [0] * 64, worth=float, most=10**9, seconds=0.15)
    assert clock[0] <= 0.15
    assert min(played) >= 1
    assert played == sorted(played)  # worth grows with the place
    assert len(set(played[-FINALISTS:])) == 1
    assert played[-1] > 20 * played[0]


def test_nobody_gets_more_than_the_most():
    played = [0] * 5

    def run(place, first, count, until):
        played[place] += count
        return count

    halve(run, [0] * 5, worth=float, most=100, seconds=600)
    assert played == [100] * 5


def test_all_moves_get_the_least_even_if_the_time_is_up():
    played = [0] * 5

    def run(place, first, count, until):
        assert played[place] == first
        played[place] += count
        return count

    halve(run, [0] * 5, worth=float, most=100, seconds=0.0, least=10)
    assert played == [10] * 5


def test_whoever_waits_is_told_of_every_move():
    told: list[int] = []
    fight = endgame()
    tactics = numbered(fight.system, usual_tactics(fight))
    how = {"seconds": 0.0, "compiled": False, "least": 3}
    found = sample_moves(fight.setup, fight.state, 0, fight.codes(0)[:4], tactics, **how, progress=told.append)
    assert [odds.fights for odds in found] == [3] * 4
    assert told == [1, 2, 3, 4, 6, 8, 10, 12]
    assert found == sample_moves(fight.setup, fight.state, 0, fight.codes(0)[:4], tactics, **how)


# Some moves of many


def test_moves_that_were_asked_for_have_the_same_odds_as_among_all():
    fight = endgame()
    who = fight.to_act[0]
    how = {"compiled": False, "play": "tactics", "seconds": 0.0, "least": 4}
    some = ["strike 6 goblin-2", "catch breath"]
    found = odds_of_moves(fight.setup, fight.state, who, moves=some, **how)
    assert sorted(found) == sorted(some)
    among_all = odds_of_moves(fight.setup, fight.state, who, **how)
    assert found == {move: among_all[move] for move in found}
    with pytest.raises(Illegal, match="move 'dance'"):
        odds_of_moves(fight.setup, fight.state, who, moves=["dance"], **how)


def test_moves_that_were_asked_for_are_counted_where_they_can_be():
    fight = Fight("bgo", "heroes=player monsters=fire-slime", seed=3)
    how = {"compiled": False, "seconds": 60.0}
    found = odds_of_moves(fight.setup, fight.state, "player", moves=["flee"], **how)
    assert found == {"flee": odds_of_moves(fight.setup, fight.state, "player", **how)["flee"]}
    assert not found["flee"].fights


# Asking again


@both_ways
@pytest.mark.parametrize("system", ["grapple", "strategic"])
def test_play_outs_in_two_goes_are_those_of_one_long_run(system, compiled):
    teams = {"grapple": "heroes=ahalish monsters=goblin", "strategic": "order=knight raiders=brute"}[system]
    fight = Fight(system, teams, seed=5)
    index = fight.index(fight.to_act[0])
    codes, tactics = fight.codes(index)[:6], numbered(fight.system, usual_tactics(fight))
    run = partial(sample_moves, fight.setup, fight.state, index, codes, tactics, seconds=600, seed=3)
    kept = {}
    first = run(7, compiled=compiled, so_far=kept)
    assert [found.fights for found in first] == [7] * 6
    assert run(7, compiled=compiled, so_far=kept) == run(14, compiled=compiled)
    assert run(3, compiled=False, so_far=kept) != first


def test_a_play_out_that_was_broken_off_goes_on():
    fight = Fight("grapple", "heroes=ahalish monsters=goblin", seed=5)
    codes, tactics = fight.codes(0)[:2], numbered(fight.system, usual_tactics(fight))
    kept, asked = {}, 0
    run = partial(sample_moves, fight.setup, fight.state, 0, codes, tactics, compiled=False)
    while (found := run(seconds=0.0, so_far=kept))[-1].fights < 2:
        asked += 1
    assert asked > 4, "each time one decision is made"
    for code, odds in zip(codes, found, strict=True):
        (whole,) = sample_moves(fight.setup, fight.state, 0, [code], tactics, odds.fights, seconds=600, compiled=False)
        assert odds == whole


@both_ways
def test_odds_that_are_asked_for_again_are_added_to(compiled):
    fight = Fight("grapple", "heroes=ahalish monsters=goblin", seed=5)
    who = fight.to_act[0]
    once, twice = (fight.odds(who, compiled=compiled, seconds=0.02, play="tactics") for _ in range(2))
    for move, odds in twice.items():
        assert odds.fights >= once[move].fights
        alone = odds_of_moves(fight.setup, fight.state, who, compiled=compiled, playouts=odds.fights, moves=[move])
        assert odds == alone[move], "as if they had been played out at one go"
    assert sum(odds.fights for odds in twice.values()) > sum(odds.fights for odds in once.values())
    other = fight.odds(who, compiled=False, seconds=0.0, tactics={who: "striker"})
    assert sum(odds.fights for odds in other.values()) <= 1, "another plan is another question"


def test_a_number_of_play_outs_and_a_seed_give_the_same_whatever_was_asked_before():
    fight = Fight("mythos", "investigators=detective enemies=ghoul", seed=5)
    who = fight.to_act[0]
    first = fight.odds(who, compiled=False, playouts=2, seed=9, seconds=0.0)
    fight.odds(who, compiled=False, seconds=0.01, seed=9)
    assert fight.odds(who, compiled=False, playouts=2, seed=9, seconds=0.0) == first


def test_moves_without_play_outs_say_so():
    fight = Fight("grapple", BRAWL, seed=1)
    odds = odds_of_moves(fight.setup, fight.state, fight.to_act[0], compiled=False, seconds=0.0)
    last = list(odds.values())[-1]
    assert (last.fights, last.tells, last.interval("heroes")) == (0, False, (0.0, 1.0))
    assert set(last.chances.values()) == {0.0}
    assert last.at_least < -1
