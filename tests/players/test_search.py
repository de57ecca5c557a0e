"""Search mixes where mixing is right, sees only what its fighter may know, and thinks the same for the same number."""

from __future__ import annotations

from dataclasses import replace

import pytest

import affray
from affray.errors import Invalid
from affray.kernel import records
from affray.kernel.chance import Seeded
from affray.kernel.playing import first_of
from affray.kernel.search import (
    AT_FIRST,
    EARLY,
    IN_SECRET,
    IN_TURN,
    PLANNING,
    PLAYED,
    SQUARED,
    TOTAL,
    choose_plan,
    trust,
    usual_width,
    widest,
)
from affray.kernel.state import to_act
from affray.lab.searching import FIRST_ROOM, MOST_ROOM, SETTINGS, Arm, Grown, room_of, run_search, used_of
from affray.lab.searching import Search as Found
from affray.players.deciding import decided, thought_of
from affray.players.levels import LEVELS, read_player
from affray.players.search import Search, best_arm, mixture
from affray.players.tactics import decide
from affray.system.registry import find, names
from affray.system.setup import Setup
from tests.players.pennies import WAYS, WINS
from tests.players.pennies import system as pennies


def demonstration(id: str) -> Setup:  # type: ignore[type-arg]
    return Setup.of(id, {team: list(members) for team, members in find(id).demonstration.items()})


def test_simultaneous_choices_are_mixed_as_the_matrix_game_wants() -> None:
    setup = Setup.of(pennies, "left=ann right=ben")
    view = setup.view(setup.opened(Seeded(1)), 0)
    found = run_search(setup, view, 0, iterations=20_000, compiled=False)
    shares = {arm.code: arm.share for arm in found.arms}
    (a, b), (c, d) = WINS
    heads = (d - c) / (a - b - c + d)  # the mixture that makes the other side indifferent
    value = 2 * (a * d - b * c) / (a - b - c + d) / WAYS - 1
    assert found.mixed
    assert shares[1] == pytest.approx(heads, abs=0.06)
    assert sum(arm.share * arm.value for arm in found.arms) == pytest.approx(value, abs=0.06)


def test_the_same_number_of_iterations_thinks_the_same() -> None:
    setup = demonstration("mythos")
    state = setup.opened(Seeded(3))
    who = first_of(to_act(state))
    first, again = (thought_of(Search(iterations=150), setup, state, who, seed=5) for _ in range(2))
    assert first == again
    assert thought_of(Search(iterations=150), setup, state, who, seed=6) != first


@pytest.mark.parametrize("id", names())
def test_every_system_can_be_searched_and_the_thought_is_a_legal_move_with_reasons(id: str) -> None:
    setup = demonstration(id)
    state = setup.opened(Seeded(1))
    for who in range(len(setup.names)):
        if to_act(state) >> who & 1:
            thought = thought_of(Search(iterations=60), setup, state, who)
            assert thought.code in setup.codes(state, who)
            assert sum(thought.policy.values()) == pytest.approx(1.0)
            assert any("visits" in line for line in thought.why), thought.why
            assert "60 iterations" in thought.why[-1]


def test_cards_that_lie_face_down_do_not_change_a_thought() -> None:
    fight = affray.Fight("deckahedron", demonstration("deckahedron").specs(), seed=4)
    while sum(fighter.state == 0 and fighter.exhausted != 0 for fighter in fight.state.fighters) == 0:
        who = fight.to_act[0]
        fight.play(who, decide(fight, who, "random"))
    setup, index = fight.setup, fight.index(fight.to_act[0])
    imagined = [setup.imagined(fight.state, index, Seeded(seed)) for seed in range(8)]
    assert len({records.pack(state) for state in imagined}) > 1  # they differ in what cannot be seen
    thoughts = [thought_of(Search(iterations=80), setup, state, index) for state in imagined]
    assert len({repr(thought).encode() for thought in thoughts}) == 1


def test_a_secret_choice_of_the_foe_does_not_change_a_thought() -> None:
    thoughts = set()
    for choice in (None, "attack", "flee"):
        fight = affray.Fight("bgo", "heroes=player monsters=player", seed=2)
        if choice:
            fight.play("player-2", choice)
        thoughts.add(repr(decided(fight, "player", Search(iterations=100))))
    assert len(thoughts) == 1


def test_more_than_two_sides_each_look_after_themselves() -> None:
    setup = Setup.of("grapple", "one=goblin two=goblin three=goblin")
    state = setup.opened(Seeded(1))
    who = first_of(to_act(state))
    grown = Grown(setup, setup.view(state, who), who, 1, compiled=False)
    grown.add(60)
    lows_and_highs = [tuple(row[:2]) for row in grown.tree.range.tolist()]
    assert lows_and_highs == [(-1.0, 1.0)] * 3
    assert sum(sum(row) for row in grown.tree.planned.tolist()) == 3 * 60


def test_a_tree_that_is_full_still_thinks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("affray.lab.searching.FIRST_ROOM", (16, 64, 256))
    monkeypatch.setattr("affray.lab.searching.MOST_ROOM", (32, 128, 512))
    assert min(MOST_ROOM) > 512
    setup = demonstration("grapple")
    state = setup.opened(Seeded(1))
    who = first_of(to_act(state))
    found = run_search(setup, setup.view(state, who), who, iterations=200, trees=1, compiled=False)
    assert found.nodes == 32
    assert sum(arm.visits for arm in found.arms) == 200


def test_compiled_code_gets_no_larger_a_tree_than_it_needs() -> None:
    setup = Setup.of("bgo", "a=rust-knight b=ogre-champion")  # 16 positions
    grown = Grown(setup, setup.view(setup.opened(Seeded(1)), 0), 0, 1, compiled=True)
    for count in (64, 128, 256, 512, 1_024, 2_048):
        grown.add(count)
    for used, room, first in zip(used_of(grown.tree), room_of(grown.rows), FIRST_ROOM, strict=True):
        assert used < room <= 2 * first
    assert len(list(grown.lines(2))) == 2
    assert grown.tree.counts[PLAYED] == 4_032  # the expected line is no fight


def test_a_wide_search_looks_at_every_move() -> None:
    setup = demonstration("grapple")
    state = setup.opened(Seeded(1))
    who = first_of(to_act(state))
    narrow, wide = (
        run_search(setup, setup.view(state, who), who, iterations=80, trees=1, compiled=False, widening=widening)
        for widening in (None, 100.0)
    )
    assert any(arm.visits == 0 for arm in narrow.arms)
    assert all(arm.visits > 0 for arm in wide.arms)


def test_bounds_are_as_wide_as_fights_usually_differ() -> None:
    setup = Setup.of("grapple", "one=goblin two=goblin")
    state = setup.opened(Seeded(1))
    who = first_of(to_act(state))
    grown = Grown(setup, setup.view(state, who), who, 1, compiled=False)
    grown.add(100)
    won = 50 + grown.tree.range[who, TOTAL] / 2  # of 100 fights, each worth 1 or -1
    assert grown.tree.range[who, SQUARED] == 100
    deviation = (4 * won * (100 - won) / 100 + EARLY) / (100 + EARLY)
    assert usual_width(grown.tree, who) == pytest.approx(2 * deviation**0.5)


def test_a_rare_move_of_a_mixture_is_made_once_it_is_no_accident() -> None:
    usual, rare = Arm(1, 900, 0.1, 0.0, 0.98), Arm(2, 100, 0.1, 0.0, 0.02)
    shares = {1: pytest.approx(0.98), 2: pytest.approx(0.02)}
    assert mixture(Found((usual, rare), True, 1_000, 1, 1, 0.0), 0.0, Seeded(0)) == {1: 1.0}
    assert mixture(Found((usual, rare), True, 100_000, 1, 1, 0.0), 0.0, Seeded(0)) == shares


def test_plans_are_judged_by_how_much_fights_usually_differ() -> None:
    setup = demonstration("strategic")
    state = setup.opened(Seeded(1))
    who = first_of(to_act(state))
    grown = Grown(setup, setup.view(state, who), who, 1, compiled=False)
    grown.add(30)
    fighters = range(len(setup.names))
    assert widest(grown.tree, len(setup.names)) == max(usual_width(grown.tree, each) for each in fighters)


def test_a_plan_that_failed_once_is_tried_again() -> None:
    setup = Setup.of("grapple", "one=goblin two=goblin")
    state = setup.opened(Seeded(1))
    who = first_of(to_act(state))
    grown = Grown(setup, setup.view(state, who), who, 1, compiled=False)
    tree, plans = grown.tree, len(setup.system.tactics) + 1
    for plan in range(plans):
        tree.planned[0, plan], tree.gained[0, plan] = 200, -20.0  # even, but for a little
    tree.planned[0, 3], tree.gained[0, 3] = 1, -1.0
    assert choose_plan(tree, 0, plans, SETTINGS[PLANNING], 2.0) == 3


def test_a_sure_draw_counts_for_no_more_than_it_is_worth() -> None:
    even, sure = Arm(1, 500, 0.03, 0.045, 0.5), Arm(2, 500, 0.0, 0.0, 0.5)
    found = Found((sure, even), False, 1000, 1, 1, 0.0)
    assert best_arm(found) == even
    hardly_tried = Arm(3, 150, 0.05, 0.08, 0.1)
    assert best_arm(replace(found, arms=(sure, even, hardly_tried))) == even


def test_those_who_decide_together_trust_in_tactics_ever_less() -> None:
    assert [trust(IN_TURN, 0.5, played) for played in (0, 1_000_000)] == [0.5, 0.5]
    assert trust(IN_SECRET, 0.5, 0) == 0.5
    assert trust(IN_SECRET, 0.5, 1_000_000) < 0.05


@pytest.mark.parametrize(("teams", "manner"), [("bgo", IN_SECRET), ("grapple", IN_TURN)])
def test_only_those_who_choose_in_secret_mix(teams: str, manner: int) -> None:
    members = {"bgo": ["squire", "fire-slime"], "grapple": ["goblin", "bandit"]}[teams]
    setup = Setup.of(teams, {"red": members, "blue": members})
    state = setup.opened(Seeded(1))
    assert to_act(state) & (to_act(state) - 1), "several are asked at first"
    who = first_of(to_act(state))
    view = setup.view(state, who)
    found = run_search(setup, view, who, iterations=120, trees=1, compiled=False)
    assert found.mixed == (manner == IN_SECRET)
    grown = Grown(setup, view, who, 1, compiled=False)
    grown.add(30)
    assert grown.tree.counts[AT_FIRST] == manner


def test_thinking_for_longer_comes_nearer_to_perfect_play() -> None:
    solution = affray.solve("bgo", "a=player:health=6 b=player:health=6", cached=False)
    short, long = (
        sum(side.loses for side in solution.exploitability({"a": Search(iterations=count)}).values())
        for count in (200, 20_000)
    )
    assert long < 0.02
    assert long < short / 3


def test_thinking_stops_when_its_decision_is_gone() -> None:
    setup = demonstration("bgo")
    view = setup.view(setup.opened(Seeded(1)), 0)
    asked = iter([False, False, True, True])
    found = run_search(setup, view, 0, iterations=1_000_000, trees=1, compiled=False, stopped=lambda: next(asked))
    assert found.iterations == 64 + 128


@pytest.mark.parametrize("text", ["search:0", "search:0s", "search:-1", "search:x", "search:1.5", "grandmaster"])
def test_a_budget_that_cannot_be_is_refused_with_a_sentence(text: str) -> None:
    with pytest.raises(Invalid, match=r"must|needs|no player"):
        read_player(find("bgo"), text)


def test_levels_and_budgets_are_read_by_name() -> None:
    assert read_player(find("bgo"), "search:2s") == Search(seconds=2.0)
    assert read_player(find("bgo"), "search:250ms") == Search(seconds=0.25)
    assert read_player(find("bgo"), "search:5_000") == Search(iterations=5000)
    assert [read_player(find("bgo"), level) for level in LEVELS] == list(LEVELS.values())


def test_noise_takes_worse_moves() -> None:
    setup = Setup.of("bgo", "heroes=player monsters=player")
    state = setup.opened(Seeded(1))
    noisy = [thought_of(Search(iterations=40, noise=1.0), setup, state, 0, seed=seed).code for seed in range(20)]
    assert len(set(noisy)) > 1
