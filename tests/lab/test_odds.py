"""Exact odds: the figures of the rulings, icepool as an independent judge, and best play checked state by state."""

from dataclasses import replace
from fractions import Fraction

import icepool
import pytest

import affray
from affray.errors import Refused
from affray.fight import Fight
from affray.kernel.chance import pips
from affray.kernel.rules import rule
from affray.lab.odds import odds, odds_of_moves, solve_fight
from affray.players.tactics import decide, usual_tactics
from affray.system.registry import find
from affray.system.setup import Setup

pytestmark = pytest.mark.long

FIRE_SLIME = "heroes=player monsters=fire-slime"
FAST_SLIME = "heroes=player:health=4 monsters=fast-slime"
BOTH_ATTACK = {"heroes": "always-attack", "monsters": "always-attack"}
both_ways = pytest.mark.parametrize("compiled", [False, True], ids=["interpreted", "compiled"])


@both_ways
def test_the_fire_slime_duel(compiled):
    result = odds("bgo", FIRE_SLIME, tactics=BOTH_ATTACK, compiled=compiled)
    assert result.exact
    assert result.for_team("heroes") == {
        "win": Fraction(1707193, 1771561),
        "lose": Fraction(28593, 1771561),
        "draw": Fraction(35775, 1771561),
        "fled": 0,
    }


def test_a_fight_of_more_states_than_asked_for_is_refused():
    refused = pytest.raises(Refused, match="too many states to count")
    with refused:
        odds("bgo", FIRE_SLIME, play="best", states=10)
    assert odds("bgo", FIRE_SLIME, play="best", states=1_000).exact


@both_ways
def test_the_fast_slime_duel(compiled):
    result = odds("bgo", FAST_SLIME, tactics=BOTH_ATTACK, compiled=compiled)
    assert result.for_team("heroes") == {"win": Fraction(483, 1331), "lose": Fraction(848, 1331), "draw": 0, "fled": 0}


@both_ways
def test_the_wounded_player_should_flee_from_the_fast_slime(compiled):
    result = odds("bgo", FAST_SLIME, play="best", compiled=compiled)
    assert result.best == ("flee",)
    # Flight is worth 0, and the slime's parting blow cannot kill a player with 4 Health.
    assert result.value == 0
    assert result.chances["fled"] == 1


def duel_by_icepool(player, creature, player_hits, creature_hits, player_damage, creature_damage):
    """Both always attack: win, loss and draw of the player by icepool's absorbing chain."""
    one, other = 3 @ icepool.d6 >= player_hits, 3 @ icepool.d6 >= creature_hits

    def fight_round(health):
        if 0 in health:
            return health
        mine, theirs = health
        return icepool.map(
            lambda a, b: (max(0, mine - creature_damage * b), max(0, theirs - player_damage * a)), one, other
        )

    ends = icepool.Die([(player, creature)]).map(fight_round, star=False, repeat="inf")
    whole = ends.denominator()
    won = sum(q for (mine, _), q in ends.items() if mine)
    lost = sum(q for (_, theirs), q in ends.items() if theirs)
    return Fraction(won, whole), Fraction(lost, whole), Fraction(whole - won - lost, whole)


@pytest.mark.parametrize(
    ("player", "creature", "attack", "defense"), [(10, 4, 0, 0), (7, 9, 2, -1), (5, 5, -3, 3), (12, 11, 1, 4)]
)
def test_duels_agree_with_icepool(player, creature, attack, defense):
    hero = {"base": "player", "health": player, "attack": attack, "damage": {"physical": 3}}
    slime = {"base": "common-slime", "health": creature, "defense": defense}
    result = odds("bgo", {"heroes": [hero], "monsters": [slime]}, tactics=BOTH_ATTACK)
    expected = duel_by_icepool(player, creature, 10 + defense - attack, 10, 3, 2)
    assert (result.chances["heroes"], result.chances["monsters"], result.chances["draw"]) == expected


@pytest.mark.parametrize(
    "teams",
    [
        "heroes=squire monsters=ember-bat",
        "heroes=paladin monsters=elder-wyrm",
        "heroes=ranger monsters=river-serpent",
        "heroes=knight monsters=rust-knight",
        "heroes=stormcaller monsters=thought-leech",
        "heroes=player,squire monsters=mud-slime,fast-slime",
    ],
)
def test_interpreted_and_compiled_odds_are_the_same_fractions(teams):
    assert odds("bgo", teams, compiled=False).chances == odds("bgo", teams, compiled=True).chances


@pytest.mark.parametrize("teams", ["heroes=squire monsters=ember-bat", "heroes=knight monsters=rust-knight"])
def test_odds_agree_with_simulation(teams):
    exact = odds("bgo", teams)
    sampled = affray.simulate("bgo", teams, fights=400_000, seed=11, figures=False)
    for ending, chance in exact.chances.items():
        rate = sampled.rates[ending]
        slack = rate.high - rate.low  # twice the half-width: a four-sigma test, not a coin flip
        assert rate.low - slack <= float(chance) <= rate.high + slack


@pytest.mark.parametrize(
    "teams", [FIRE_SLIME, FAST_SLIME, "heroes=squire monsters=giggle-imp", "heroes=paladin monsters=phoenix"]
)
def test_best_play_cannot_be_improved_at_any_state(teams):
    """Bellman's condition, with fractions: no single deviation is worth more than the policy."""
    fight = Fight("bgo", teams, seed=0)
    solved = solve_fight(fight.setup, [fight.state], fight.teams["heroes"][:1], usual_tactics(fight), "heroes")
    assert solved is not None
    assert solved.policy is not None
    value = {node: solved.odds({node: Fraction(1)}).value for node in range(len(solved.graph.ending))}
    for node, ending in enumerate(solved.graph.ending):
        if ending >= 0:
            continue
        for action in solved.graph.actions(node):
            worth = sum(Fraction(num, den) * value[to] for to, num, den in solved.graph.edges(action))
            assert worth <= value[node]


def test_odds_of_moves_say_what_best_play_chooses():
    fight = Fight("bgo", FIRE_SLIME, seed=3)
    per_move = odds_of_moves(fight.setup, fight.state, "player", compiled=False)
    assert list(per_move) == ["attack", "defend", "flee"]
    best = odds("bgo", FIRE_SLIME, play="best", compiled=False)
    assert max(per_move.values(), key=lambda o: o.value).chances == best.chances
    assert per_move["flee"].chances["fled"] == 1


def test_odds_of_moves_do_not_know_the_foes_hidden_choice():
    for hidden in ("attack", "defend"):
        fight = Fight("bgo", "heroes=player monsters=mud-slime", seed=3)
        before = odds_of_moves(fight.setup, fight.state, "player", compiled=False)
        fight.play("mud-slime", hidden)
        assert odds_of_moves(fight.setup, fight.state, "player", compiled=False) == before


def test_odds_go_on_being_exact_in_the_middle_of_a_fight():
    fight = Fight("bgo", FIRE_SLIME, seed=3)
    fight.play("player", "defend")
    fight.play("fire-slime", "attack")
    moves = odds_of_moves(fight.setup, fight.state, "player", compiled=False)
    assert all(o.exact and sum(o.chances.values()) == 1 for o in moves.values())


def test_odds_are_exact_also_where_a_foe_has_left_its_tactic():
    fight = Fight("bgo", FIRE_SLIME, seed=3)
    odds_of_moves(fight.setup, fight.state, "player", tactics=BOTH_ATTACK, compiled=False)
    fight.play("player", "defend")
    fight.play("fire-slime", "defend")
    moves = odds_of_moves(fight.setup, fight.state, "player", tactics=BOTH_ATTACK, compiled=False)
    assert all(o.exact and sum(o.chances.values()) == 1 for o in moves.values())


def test_a_fight_too_large_to_count_is_sampled_and_says_so():
    fight = Fight("bgo", {"heroes": ["knight"] * 3, "monsters": ["dream-eater"] * 3}, seed=1)
    moves = odds_of_moves(fight.setup, fight.state, "knight", compiled=False, seconds=0.2)
    for sampled in moves.values():
        assert "interpreted play-out" in sampled.how
        assert not sampled.exact
        low, high = sampled.interval("heroes")
        assert low < float(sampled.chances["heroes"]) < high or sampled.fights


def test_two_who_only_wait_never_end_and_that_counts_as_fled():
    # 33: the round cap ends a fight that cannot end otherwise.
    nobody_hits = {"base": "common-slime", "attack": -30}
    result = odds("bgo", {"a": [nobody_hits], "b": [nobody_hits]})
    assert result.chances == {"a": 0, "b": 0, "draw": 0, "fled": 1}


@rule
def wounded(fight, dice, log):
    """The first fighter arrives with one to three Health less."""
    open_fight(fight, dice, log)
    fight.fighters[0].health -= pips(dice, 1, 3)


open_fight = find("bgo").begin
AMBUSH = replace(find("bgo"), id="ambush", begin=wounded)


@both_ways
@pytest.mark.parametrize("play", ["tactics", "best"])
def test_a_fight_that_opens_with_a_throw_has_the_mean_odds_of_its_openings(compiled, play):
    found = odds(AMBUSH, FAST_SLIME, tactics=BOTH_ATTACK, play=play, compiled=compiled)
    teams = [FAST_SLIME.replace("health=4", f"health={left}") for left in (3, 2, 1)]
    parts = [odds("bgo", fight, tactics=BOTH_ATTACK, play=play, compiled=compiled) for fight in teams]
    assert found.exact
    assert found.chances == {
        ending: sum(part.chances[ending] for part in parts) / len(parts) for ending in found.chances
    }
    firsts = {part.best for part in parts}
    assert found.best == (firsts.pop() if len(firsts) == 1 else ())


def test_a_fight_that_opens_in_too_many_ways_is_refused():
    with pytest.raises(affray.Invalid, match="strategic has too many openings to count; use `simulate` to sample them"):
        odds("strategic", "order=knight raiders=brute")


def test_best_play_is_not_counted_where_the_opening_hides_something():
    def hide(state, viewer):
        state.fighters[0].health = 0

    with pytest.raises(affray.Invalid, match="ambush opens with hidden chance, so best play cannot be counted"):
        odds(replace(AMBUSH, hide=hide), FAST_SLIME, play="best")


def test_odds_name_what_they_do_not_know():
    with pytest.raises(affray.Invalid, match="there is no team 'heros'; did you mean heroes"):
        odds("bgo", FIRE_SLIME, play="best", team="heros")
    with pytest.raises(affray.Invalid, match="there is no tactic 'always-atack'; did you mean always-attack"):
        odds("bgo", FIRE_SLIME, tactics={"player": "always-atack"})


def test_counting_states_stops_within_a_move_of_millions_of_outcomes():
    """A whole fight by tactics is one move; its outcomes alone are more than could ever be listed."""
    setup = Setup.of("deckahedron", "heroes=maren monsters=guard")
    starts = [setup.opened(affray.Seeded(1))]
    assert solve_fight(setup, starts, [], usual_tactics(setup), "heroes", compiled=False, most=50) is None


# Plans, aims and play-outs that come again

WOUNDED = "heroes=player:health=4 monsters=fast-slime"


def test_a_plan_is_counted_and_not_played_out() -> None:
    """The document's wounded player who attacks and attacks again: 483 of 1331, where best play would run."""
    fight = Fight("bgo", WOUNDED, seed=1)
    planned = fight.odds("player", play="tactics", tactics={"player": "always-attack"}, compiled=False)
    assert planned["attack"].chances["heroes"] == Fraction(483, 1331)
    assert planned["attack"].exact
    assert fight.odds("player", compiled=False)["attack"].chances["heroes"] < Fraction(483, 1331)


def test_playing_to_win_never_wins_less_often_than_any_plan() -> None:
    fight = Fight("bgo", WOUNDED, seed=1)
    to_win = fight.odds("player", aim="wins", compiled=False)
    most = max(odds.chances["heroes"] for odds in to_win.values())
    for plan in fight.system.tactics:
        planned = fight.odds("player", play="tactics", tactics={"player": plan}, compiled=False, seconds=60)
        assert max(odds.chances["heroes"] for odds in planned.values()) <= most, plan
    assert to_win["attack"].value == to_win["attack"].chances["heroes"], "nothing else is worth anything"
    assert affray.odds("bgo", WOUNDED, play="best", aim="wins").chances["heroes"] == most


def test_play_outs_of_one_seed_come_again() -> None:
    fight = Fight("bgo", "heroes=player monsters=fire-slime", seed=1)
    first, again, other = (fight.odds("player", playouts=40, seed=seed, compiled=False) for seed in (5, 5, 6))
    assert {odds.fights for odds in first.values()} == {40}
    assert [odds.chances for odds in first.values()] == [odds.chances for odds in again.values()]
    assert [odds.chances for odds in first.values()] != [odds.chances for odds in other.values()]


def test_a_fight_that_has_grown_small_is_counted_though_it_was_too_large_at_first() -> None:
    fight = Fight("bgo", "heroes=player,squire monsters=mud-slime,fast-slime", seed=3)
    hows = []
    while not fight.over:
        who = fight.to_act[0]
        if who in fight.teams["heroes"]:
            hows.append(fight.odds(who, compiled=False, seconds=0.4)[str(fight.legal(who)[0])].exact)
        fight.play(who, decide(fight, who, "always-attack"))
    assert not hows[0], "or this test shows nothing"
    assert hows[-1]
