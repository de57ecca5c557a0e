"""Random play of random fighters with random options: nothing that must always hold ever fails to."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from affray.errors import Illegal
from affray.fight import Fight, Setup
from affray.kernel import records
from affray.kernel.chance import Seeded
from affray.kernel.rules import Log
from affray.kernel.state import RUNNING
from affray.systems.grapple import events, moves, rules, sheets
from affray.systems.grapple.rules import SKILL, Combat, is_out

pytestmark = pytest.mark.long

SHAPES = ((1, 1), (1, 1), (1, 1), (2, 2), (1, 3), (1, 1, 1), (3, 2), (2, 1, 2))
WORDS = ("maneuver", "m", "strike", "a", "attack", "skill", "s", "catch", "c", "breath", "dance", "MANEUVER")


def random_fighter(random: Random, number: int) -> dict[str, Any]:
    """A fighter as strange as a sheet allows, and not too hard to knock out."""
    kind = random.choice(("player", "npc"))
    slots = sheets.SLOTS if kind == "player" else random.sample(sheets.SLOTS, random.randint(1, 3))
    size = random.choice((6, 10, 16, 20))
    most = random.choice((1, 2, 3, 5))
    return {
        "name": f"{random.choice(('f', 'F'))}{number}",
        "kind": kind,
        **dict(zip(slots, random.sample(list(sheets.SKILLS), len(slots)), strict=True)),
        "ap": size,
        "ad": random.randint(0, size),
        "sd": random.choice((0, 0, 1, 4, 12)),
        "defense": random.choice((1, 1, 2, 3, 6)),
        "max_wounds": most,
        "wounds": random.choice((0, 0, 0, random.randint(0, most))),
    }


def random_options(random: Random) -> dict[str, Any]:
    changed: dict[str, Any] = {"profile": random.choice(list(sheets.PROFILES)), "round_cap": random.choice((3, 30))}
    for name in random.sample(("ties", "friendly_targets", "strategy_cap", "sd_floor"), random.choice((0, 1, 2))):
        changed[name] = random.random() < 0.5
    changed |= random.choice(({}, {"tactics_target": random.choice(("self", "other"))}, {"names": "any"}))
    changed |= random.choice(({}, {"listed_teams": random.randint(0, 3)}, {"maneuver_max": random.randint(1, 7)}))
    return changed


def random_fight(random: Random) -> Fight:
    numbers = iter(range(99))
    teams = {
        f"team-{place}": [random_fighter(random, next(numbers)) for _ in range(size)]
        for place, size in enumerate(random.choice(SHAPES))
    }
    return Fight("grapple", teams, seed=random.getrandbits(40), options=random_options(random))


def check_stats(fight: Combat) -> None:
    for fighter in fight.fighters:
        assert 0 <= fighter.ad <= fighter.pool <= fighter.ap <= 20
        assert fighter.sd >= 0 or fight.sd_floor == 0
        assert 1 <= fighter.defense <= 6
        assert 0 <= fighter.wounds <= fighter.max_wounds <= 5
        assert fighter.speed in (0, 1)
        assert fighter.spirit in (0, 1)
        held = sum(1 << slot for slot, skill in enumerate(fighter.skills) if skill != rules.EMPTY)
        assert fighter.marked & ~held == 0, "only skills that there are can be marked"
        if fight.strategy_real:
            assert fighter.pool == fighter.ap


def check_turn(fight: Combat) -> None:
    standing = [who for who, fighter in enumerate(fight.fighters) if not is_out(fighter)]
    teams = {fight.fighters[who].team for who in standing}
    if fight.ending == RUNNING:
        assert len(teams) > 1
        assert fight.due
    elif fight.ending < fight.teams:
        assert teams == {fight.ending}
    else:
        assert not teams or fight.round == fight.round_cap
    for who in range(len(fight.fighters)):
        if fight.due >> who & 1:
            assert who in standing
            assert fight.fighters[who].team == fight.order[fight.place], "only the moving team moves"
    assert sorted(fight.order[: fight.teams]) == list(range(fight.teams))
    assert 1 <= fight.round <= fight.round_cap


def check_move(before: Combat, after: Combat, who: int, move: int) -> None:
    """Whatever a move does, it leaves alone what it has nothing to do with."""
    verb, target = move & 3, move >> 7
    for place, (was, now) in enumerate(zip(before.fighters, after.fighters, strict=True)):
        assert (was.team, list(was.skills), was.max_wounds) == (now.team, list(now.skills), now.max_wounds)
        if place not in (who, target if verb in (rules.STRIKE, SKILL) else who):
            assert was == now, "a bystander"
    if verb != rules.MANEUVER:
        assert before.fighters[who].marked == after.fighters[who].marked, "only maneuvers mark"
    assert not after.due >> who & 1 or after.place != before.place or after.round != before.round


def codes_of(fight: Combat, who: int) -> list[int]:
    row = [0] * rules.most_moves(len(fight.fighters))
    return row[: rules.legal(fight, who, row)]


def random_text(random: Random, names: Sequence[str]) -> str:
    """Something that looks like a move, and often is none."""
    numbers = [str(number) for number in range(-1, 9)]
    skills = [*sheets.SKILLS, "Courage", "SPEED", "juggling"]
    parts = [random.choice(WORDS), random.choice(numbers), random.choice([*skills, *names])]
    parts.append(random.choice([*names, "nobody", *skills]))
    return " ".join(parts[: random.randint(1, 4)])


def read_or_refused(act: Callable[[], object]) -> tuple[object, str]:
    """What was read, or the sentence with which it was refused."""
    try:
        return act(), ""
    except Illegal as refused:
        said = str(refused)
    assert said.isprintable()
    assert len(said) > 10
    return None, said


def check_notation(setup: Setup[Any], fight: Combat, who: int, random: Random) -> None:
    """`legal` and the notation agree in both directions: each legal move can be written, nothing else can be read."""
    codes = codes_of(fight, who)
    assert len(set(codes)) == len(codes)
    written = setup.written(fight, who)
    assert list(written.values()) == codes
    for text, code in written.items():
        assert moves.read_move(setup, fight, who, text, written) == code
    untouched = records.pack(fight)
    for _ in range(6):
        text = random_text(random, setup.names)
        read, said = read_or_refused(lambda text=text: moves.read_move(setup, fight, who, text, written))
        assert said or read in codes, text
    assert records.pack(fight) == untouched


def play(made: Fight, random: Random, notation: bool) -> int:
    """A whole combat; returns how many moves it took."""
    fight, dice, names = made.state, Seeded(random.getrandbits(40)), made.names
    log = Log([[0] * len(rules.FIGURES) for _ in names])
    taken = 0
    check_stats(fight)
    check_turn(fight)
    while fight.ending == RUNNING:
        who = random.choice([who for who in range(len(names)) if fight.due >> who & 1])
        if notation:
            check_notation(made.setup, fight, who, random)
        move = random.choice(codes_of(fight, who))
        before = records.copy(fight)
        rules.apply(fight, who, move, dice, random.choice((None, log)))
        check_stats(fight)
        check_turn(fight)
        check_move(before, fight, who, move)
        assert records.pack(records.unpack(Combat, len(names), records.pack(fight))) == records.pack(fight)
        taken += 1
    assert not any(codes_of(fight, who) for who in range(len(names)))
    return taken


@pytest.mark.parametrize("part", range(2))
def test_twenty_thousand_random_moves_break_nothing(part: int) -> None:
    """Plain loops over a seeded generator, two parts: drawing them by Hypothesis would take minutes."""
    random = Random(f"grapple {part}")
    taken = 0
    while taken < 10_000:
        at = random.getstate()
        fight = random_fight(random)
        try:
            taken += play(fight, random, notation=False)
        except AssertionError as broken:
            random.setstate(at)
            broken.add_note(f"fight: {random_fight(random)!r}")
            raise


@settings(max_examples=60, deadline=None)
@given(st.randoms(use_true_random=False))
def test_hypothesis_finds_no_roster_whose_moves_and_notation_disagree(random: Random) -> None:
    play(random_fight(random), random, notation=True)


@settings(max_examples=40, deadline=None)
@given(st.text(max_size=40))
def test_any_text_is_a_legal_move_or_a_sentence(text: str) -> None:
    fight = Fight("grapple", "heroes=ahalish:sd=3 monsters=goblin,shaman", seed=1)
    before = records.pack(fight.state)
    _, said = read_or_refused(lambda: fight.play("Ahalish", text))
    assert bool(said) == (records.pack(fight.state) == before)
    assert bool(said) != bool(fight.answers)


@settings(max_examples=25, deadline=None)
@given(st.randoms(use_true_random=False))
def test_undo_restores_everything(random: Random) -> None:
    fight = random_fight(random)
    passed = []
    while not fight.over and len(passed) < 30:
        figures = {name: dict(row) for name, row in fight.figures.items()}
        passed.append((records.pack(fight.state), fight.story, fight.status(), figures, fight.dice.position))
        who = random.choice(fight.to_act)
        fight.play(who, random.choice(fight.legal(who)))
    for expected in reversed(passed):
        fight.undo()
        shown = (records.pack(fight.state), fight.story, fight.status(), fight.figures, fight.dice.position)
        assert shown == expected


@settings(max_examples=15, deadline=None)
@given(st.randoms(use_true_random=False))
def test_a_saved_fight_goes_on_as_if_it_had_never_stopped(tmp_path_factory: Any, random: Random) -> None:
    fight = random_fight(random)
    for _ in range(random.randint(0, 12)):
        if not fight.over:
            who = random.choice(fight.to_act)
            fight.play(who, random.choice(fight.legal(who)))
    path = tmp_path_factory.mktemp("saved") / "fight.json"
    fight.save(path)
    loaded = Fight.load(path)
    assert (loaded.story, loaded.status(), loaded.options) == (fight.story, fight.status(), fight.options)
    while not fight.over:
        who = random.choice(fight.to_act)
        move = random.choice(fight.legal(who))
        for one in (fight, loaded):
            one.play(who, move)
    assert (loaded.story, loaded.state) == (fight.story, fight.state)


def test_the_figures_agree_with_the_story() -> None:
    random = Random("figures")
    for _ in range(60):
        fight = random_fight(random)
        wounds = [fighter.wounds for fighter in fight.state.fighters]
        taken = [0] * len(wounds)
        while not fight.over:
            who = random.choice(fight.to_act)
            before = [fighter.wounds for fighter in fight.state.fighters]
            told = fight.play(who, random.choice(fight.legal(who)))[0].event
            for place, fighter in enumerate(fight.state.fighters):
                if told.kind == events.STRIKES:
                    taken[place] += fighter.wounds - before[place]
        figures = list(fight.figures.values())
        assert [row["wounds taken"] for row in figures] == taken
        assert sum(row["wounds dealt"] for row in figures) == sum(taken)
        assert [row["knocked out"] for row in figures] == [int(is_out(f)) for f in fight.state.fighters]
        assert [row["AD left"] for row in figures] == [f.ad for f in fight.state.fighters]
        assert [row["SD left"] for row in figures] == [f.sd for f in fight.state.fighters]
