"""Random play of random fighters with random options: nothing that must always hold ever fails to."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from affray.errors import Illegal
from affray.fight import Fight
from affray.kernel import records
from affray.kernel.chance import Seeded
from affray.kernel.rules import Log
from affray.kernel.state import RUNNING, STANDING
from affray.system.schema import Whole
from affray.system.setup import Setup
from affray.systems.strategic import events, moves, rules, state
from affray.systems.strategic.abilities import attack_ability, fixed_penalty
from affray.systems.strategic.arms import ARMOURS, FISTS, WEAPONS
from affray.systems.strategic.moves import MOVES
from affray.systems.strategic.state import DEAD, DOWN, NUMBERS, YIELDED, Fighter

pytestmark = pytest.mark.long

SHAPES = ((1, 1), (1, 1), (1, 1), (2, 2), (1, 3), (1, 1, 1), (2, 1, 2))
WAYS_OUT = (state.YIELD, state.FLEE, state.STAND_DOWN, state.ACCEPT, state.GIVE_IN, state.LET_GO)
WORDS = (*moves.ATTACKS.values(), *moves.PLAIN.values(), *moves.AIMED.values(), "stop", "STRIKE", "dance", "s")


def random_fighter(random: Random, number: int) -> dict[str, Any]:
    """A fighter as strange as a sheet allows."""
    life_coins = random.choice((1, 3, 8, 15, 30, 30, 40))
    return {
        "name": f"{random.choice(('f', 'F'))}{number}",
        **{attribute: random.randint(0, 10) for attribute in ("strength", "agility", "discipline", "training")},
        "hardiness": random.randint(1, 6),
        "weapon": random.choice(list(WEAPONS)),
        "armour": random.choice(list(ARMOURS)),
        **random.choice(({}, {}, {"damage": random.randint(0, 20), "lethality": random.randint(0, 20), "weight": 10})),
        **random.choice(({}, {}, {"armour_value": random.randint(0, 20), "armour_penalty": random.randint(0, 10)})),
        "moves": random.sample(MOVES, random.randint(0, len(MOVES))),
        "life_coins": life_coins,
        "coins_lost": random.choice((0, 0, random.randint(0, life_coins - 1))),
        "crippling": random.choice((0, 0, 0, 1, 3)),
        "stake": random.choice((0, 5, 20, 1000)),
        "caution": random.choice((0, 100, 300)),
    }


def random_options(random: Random) -> dict[str, Any]:
    changed: dict[str, Any] = {
        "lethal": random.choice(("cumulative", "highwater")),
        "start_range": random.choice(("archers", "far", "near")),
        "hours_to_care": random.choice((0, 6, 1000)),
        "round_cap": random.choice((3, 40)),
    }
    for option in random.sample(NUMBERS, random.choice((0, 1, 4))):
        assert isinstance(option.field, Whole)
        changed[option.name] = random.randint(option.field.low, option.field.high)
    return changed


def random_fight(random: Random) -> Fight:
    numbers = iter(range(99))
    teams = {
        f"team-{place}": [random_fighter(random, next(numbers)) for _ in range(size)]
        for place, size in enumerate(random.choice(SHAPES))
    }
    return Fight("strategic", teams, seed=random.getrandbits(40), options=random_options(random))


# What must always hold


def check_fighter(fight: state.Fight, fighter: Fighter) -> None:
    """No stat is out of range, whatever has happened."""
    assert fighter.state in range(5)
    assert 0 <= fighter.coins <= state.MOST_COINS
    assert (fighter.coins == 0) == (fighter.state == DEAD), "dead without coins, and only then"
    assert min(fighter.pain, fighter.incapacitation, fighter.crippling) >= 0
    assert max(fighter.pain, fighter.incapacitation, fighter.crippling) < 200
    assert fighter.weapon in (fighter.owned, FISTS), "one's own weapon, or fists"
    assert {fighter.standing_down, fighter.yielding, fighter.spurned} <= {0, 1}
    assert not (fighter.standing_down and fighter.yielding), "one stance at a time"
    learned = fighter.known | fighter.known_unarmed
    assert fighter.openings & ~learned == 0, "an opening for a move that was never learned"
    assert max(abs(fighter.guard), abs(fighter.quick), abs(fighter.hurried), fighter.shaken) <= 10
    if fighter.state == YIELDED:
        assert fighter.weapon == FISTS, "who yields drops the weapon"
    if fighter.state == DOWN:
        assert attack_ability(fight, fighter) <= fixed_penalty(fighter)


def check_fight(fight: state.Fight) -> None:
    standing = {who for who, fighter in enumerate(fight.fighters) if fighter.state == STANDING}
    teams = {fight.fighters[who].team for who in standing}
    for who, fighter in enumerate(fight.fighters):
        check_fighter(fight, fighter)
        for other, there in enumerate(fight.fighters):
            assert fighter.near >> other & 1 == there.near >> who & 1, "close is close for both"
            assert fighter.team != there.team or not fighter.near >> other & 1
    assert fight.round <= fight.round_cap
    assert fight.quiet < fight.standoff or fight.ending != RUNNING
    if fight.ending == RUNNING:
        assert fight.due.bit_count() == 1, "one decision at a time"
        assert fight.due.bit_length() - 1 in standing, "nobody acts who is out"
        assert len(teams) > 1
    elif fight.ending < fight.teams:
        assert teams == {fight.ending}
    elif fight.ending == fight.teams:
        assert not teams or fight.round == fight.round_cap
    elif fight.ending == fight.teams + 1:
        assert all(fight.fighters[who].standing_down or fight.fighters[who].yielding for who in standing)
    else:
        assert fight.quiet >= fight.standoff


def check_change(before: state.Fight, after: state.Fight, log: Log) -> None:
    """Highwaters never fall and coins never rise; who is out stays as they are, but for Life checks."""
    for was, now in zip(before.fighters, after.fighters, strict=True):
        assert now.pain >= was.pain
        assert now.incapacitation >= was.incapacitation
        assert now.crippling >= was.crippling
        assert now.coins <= was.coins
        kept = ("team", "strength", "agility", "discipline", "training", "hardiness", "known", "owned", "armour")
        kept += ("damage", "lethality", "weight", "armour_value", "armour_penalty")
        assert all(getattr(was, name) == getattr(now, name) for name in kept)
        assert (was.stake, was.caution, list(was.price)) == (now.stake, now.caution, list(now.price))
        if was.state != STANDING:
            assert now.state in (was.state, DEAD)
            assert (was.pain, was.incapacitation, was.crippling) == (now.pain, now.incapacitation, now.crippling)
            assert was.coins - now.coins <= 1
    lost = sum(was.coins - now.coins for was, now in zip(before.fighters, after.fighters, strict=True))
    assert lost == sum(row[state.COINS_LOST] for row in log.figures), "every coin lost is counted"
    assert after.round - before.round in (0, 1)


def codes_of(fight: state.Fight, who: int) -> list[int]:
    row = [0] * rules.most_moves(len(fight.fighters))
    return row[: rules.legal(fight, who, row)]


def random_text(random: Random, names: list[str]) -> str:
    """Something that looks like a move, and often is none."""
    parts = [random.choice(WORDS), random.choice([*names, "nobody", *moves.INTENTS]), random.choice(moves.INTENTS)]
    return " ".join(parts[: random.randint(1, 3)])


def read_or_refused(act: Callable[[], object]) -> tuple[object, str]:
    """What was read, or the sentence with which it was refused."""
    try:
        return act(), ""
    except Illegal as refused:
        said = str(refused)
    assert said.isprintable()
    assert len(said) > 10
    return None, said


def check_notation(setup: Setup[Any], fight: state.Fight, who: int, random: Random) -> None:
    """`legal` and the notation agree in both directions: each legal move can be written, nothing else can be read."""
    codes = codes_of(fight, who)
    assert codes
    assert len(set(codes)) == len(codes)
    written = setup.written(fight, who)
    assert list(written.values()) == codes
    for text, code in written.items():
        assert setup.read(fight, who, text).code == code
    assert not set(written) & {closed.notation for closed in setup.impossible(fight, who)}
    untouched = records.pack(fight)
    for _ in range(6):
        text = random_text(random, list(setup.names))
        read, said = read_or_refused(lambda text=text: setup.read(fight, who, text).code)
        assert said or read in codes, text
    assert records.pack(fight) == untouched


def random_move(random: Random, codes: list[int]) -> int:
    """Any move, but the ways out seldom: the fights are to be long."""
    stays = [code for code in codes if code & 31 not in WAYS_OUT]
    return random.choice(stays if stays and random.random() < 0.9 else codes)


def play(made: Fight, random: Random, notation: bool) -> int:
    """A whole fight; returns how many decisions it took."""
    fight, names, dice = made.state, made.names, Seeded(random.getrandbits(40))
    taken = 0
    check_fight(fight)
    while fight.ending == RUNNING:
        who = fight.due.bit_length() - 1
        if notation:
            check_notation(made.setup, fight, who, random)
        before, log = records.copy(fight), Log([[0] * len(state.FIGURES) for _ in names])
        rules.apply(fight, who, random_move(random, codes_of(fight, who)), dice, log)
        check_fight(fight)
        check_change(before, fight, log)
        assert records.pack(records.unpack(state.Fight, len(names), records.pack(fight))) == records.pack(fight)
        taken += 1
    assert not any(codes_of(fight, who) for who in range(len(names)))
    return taken


@pytest.mark.parametrize("part", range(2))
def test_ten_thousand_random_decisions_break_nothing(part: int) -> None:
    """Plain loops over a seeded generator, two parts: drawing them by Hypothesis would take minutes."""
    random = Random(f"strategic {part}")
    taken = 0
    while taken < 5_000:
        at = random.getstate()
        fight = random_fight(random)
        try:
            taken += play(fight, random, notation=False)
        except AssertionError as broken:
            random.setstate(at)
            broken.add_note(f"fight: {random_fight(random)!r}")
            raise


@settings(max_examples=40, deadline=None)
@given(st.randoms(use_true_random=False))
def test_hypothesis_finds_no_roster_whose_moves_and_notation_disagree(random: Random) -> None:
    play(random_fight(random), random, notation=True)


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=40))
def test_any_text_is_a_legal_move_or_a_sentence_that_changes_nothing(text: str) -> None:
    fight = Fight("strategic", "order=knight raiders=brute,thug", seed=1)
    (who,) = fight.to_act
    before = records.pack(fight.state)
    _, said = read_or_refused(lambda: fight.play(who, text))
    assert bool(said) == (records.pack(fight.state) == before)
    assert bool(said) != bool(fight.answers)


def test_whoever_is_not_asked_gets_a_sentence() -> None:
    fight = Fight("strategic", "order=knight raiders=brute", seed=1)
    (other,) = set(fight.names) - set(fight.to_act)
    before = records.pack(fight.state)
    with pytest.raises(Illegal, match=other):
        fight.play(other, "strike cripple")
    assert records.pack(fight.state) == before


@settings(max_examples=20, deadline=None)
@given(st.randoms(use_true_random=False))
def test_going_back_restores_everything(random: Random) -> None:
    fight = random_fight(random)
    passed = []
    while not fight.over and len(passed) < 30:
        figures = {name: dict(row) for name, row in fight.figures.items()}
        passed.append((records.pack(fight.state), fight.story, fight.status(), figures, fight.dice.position))
        fight.play(fight.to_act[0], random.choice(fight.legal(fight.to_act[0])))
    for expected in reversed(passed):
        fight.rewind(len(fight.answers) - 1)
        shown = (records.pack(fight.state), fight.story, fight.status(), fight.figures, fight.dice.position)
        assert shown == expected


@settings(max_examples=15, deadline=None)
@given(st.randoms(use_true_random=False))
def test_a_saved_fight_goes_on_as_if_it_had_never_stopped(tmp_path_factory: Any, random: Random) -> None:
    fight = random_fight(random)
    for _ in range(random.randint(0, 12)):
        if not fight.over:
            fight.play(fight.to_act[0], random.choice(fight.legal(fight.to_act[0])))
    path = tmp_path_factory.mktemp("saved") / "fight.json"
    fight.save(path)
    loaded = Fight.load(path)
    assert (loaded.story, loaded.status(), loaded.options) == (fight.story, fight.status(), fight.options)
    while not fight.over:
        who = fight.to_act[0]
        move = random.choice(fight.legal(who))
        for one in (fight, loaded):
            one.play(who, move)
    assert (loaded.story, loaded.state) == (fight.story, fight.state)


def test_the_figures_agree_with_the_story() -> None:
    random = Random("figures")
    for _ in range(40):
        fight = random_fight(random)
        while not fight.over:
            fight.play(fight.to_act[0], random.choice(fight.legal(fight.to_act[0])))
        told = [line.event for line in fight.lines]
        for place, row in enumerate(fight.figures.values()):
            fighter = fight.state.fighters[place]
            mine = [event for event in told if getattr(event, "who", None) == place]
            assert row["hits"] == sum(event.kind == events.HITS for event in mine)
            assert row["coins lost"] == sum(event.points for event in mine if event.kind == events.LOSES_COINS) + sum(
                event.lost for event in mine if event.kind == events.LIFE_CHECK
            )
            assert (row["downed"], row["dead"]) == (fighter.state == DOWN, fighter.state == DEAD)
            assert row["Crippling"] == fighter.crippling
            accepted = any(event.kind == events.ACCEPTED for event in mine)
            assert row["stake won"] == (fighter.stake if fight.state.ending == fighter.team or accepted else 0)
