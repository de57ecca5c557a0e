"""Random play of random fighters with random options: nothing that must always hold ever fails to."""

from __future__ import annotations

from collections import Counter
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
from affray.system.schema import Flag, Word
from affray.system.setup import Setup
from affray.systems.mythos import events, rules, sheets
from affray.systems.mythos.rules import DOCUMENT, Fighter
from affray.systems.mythos.terms import DEAD, ESCAPED, PERKS, TOUGH_GUY, WARDS
from affray.systems.mythos.weapons import GUN, SLOTS, WEAPONS, kind_of, magazine

pytestmark = pytest.mark.long

SHAPES = ((1, 1), (1, 1), (2, 2), (1, 3), (1, 1, 1), (3, 2))
FIXED = ("team", "enemy", "constitution", "dexterity", "dodge", "mov", "build", "max_hp", "attacks")
FIXED += ("bonus_dice", "bonus_sides", "bonus_flat", "armour", "ward", "regains")
FLAGS = ("down", "surprised", "off_balance", "diving", "moved", "fleet", "major_wound")
WORDS = ("fight", "fight back", "shoot", "shoot twice", "trip", "hold", "flee", "first aid", "reload", "dodge", "dive")
WORDS += ("use", "save", "wait", "SHOOT", "close", "sh", "f", "shoot three times", "medicine", "pick up", "clear")


def random_fighter(random: Random, number: int) -> dict[str, Any]:
    """A fighter as strange as a sheet allows, and not too hard to kill."""
    carried = random.sample(sheets.CARRIED, random.randint(0, SLOTS - 1))
    most = random.choice((1, 4, 9, 15))
    fed = [id for id in carried if WEAPONS[id].magazine]
    return {
        "name": f"{random.choice(('f', 'F'))}{number}",
        "kind": random.choice(("investigator", "investigator", "enemy")),
        **{key: random.choice((15, 40, 60, 90, 150)) for key in ("strength", "constitution", "size", "dexterity")},
        "luck": random.choice((0, 9, 10, 25, 60)),
        "max_hp": most,
        "hp": random.randint(1, most),
        "mov": random.choice((5, 7, 8, 12)),
        "armour": random.choice((0, 0, 1, 4)),
        "ward": random.choice(list(WARDS)),
        "regains": random.choice((0, 0, 1, 3)),
        "attacks": random.choice((1, 1, 2, 5)),
        "natural": random.choice(("1D3", "1D8+2", "0")),
        "skills": {skill: random.choice((1, 30, 60, 100)) for skill in random.sample(("brawl", "handgun", "dodge"), 2)},
        "perks": random.sample(PERKS, random.randint(0, 6)),
        "weapons": carried,
        "loaded": {id: random.randint(0, WEAPONS[id].magazine) for id in fed},
        "ammunition": {id: random.choice((0, 1, 12)) for id in fed if WEAPONS[id].kind == "gun"},
        "items": {item: random.choice((0, 2)) for item in sheets.ITEMS},
        "major_wound": random.random() < 0.1,
        **random.choice(({}, {}, own_things(random, carried))),
    }


def own_things(random: Random, carried: list[str]) -> dict[str, Any]:
    """A weapon, an item and a perk of a fighter's own."""
    weapon: dict[str, Any] = {"base": random.choice([id for id in WEAPONS if id != "hands"]), "damage": "1D8+1"}
    item = {"heals": random.choice(("2D4", "0")), "boosts": ["attacks", "constitution"], "dice": 2, "turns": 3}
    perk = {"endurance": 2, "rapid_attack": 2, "heavy_hitter": 2, "tough_guy": 7, "price": random.choice((0, 3))}
    return {
        "own_weapons": {"relic": weapon} if len(carried) < SLOTS - 1 else {},
        "own_items": {"tonic": item},
        "items": {"tonic": random.choice((1, 2))},
        "own_perks": {"driven": perk},
        "perks": random.sample(PERKS[:4], 2),
    }


def random_options(random: Random) -> dict[str, Any]:
    changed: dict[str, Any] = {"profile": random.choice(list(sheets.PROFILES)), "round_cap": random.choice((3, 20))}
    for option in random.sample(sheets.OPTIONS, random.choice((0, 2, 5))):
        match option.field:
            case Flag():
                changed[option.name] = random.random() < 0.5
            case Word(words):
                changed[option.name] = random.choice(words)
            case _ if option.name == "distance":
                changed[option.name] = random.choice((0, 4, 30, 200))
    return {**changed, "own_gear": True}


def random_fight(random: Random) -> Fight:
    numbers = iter(range(99))
    teams = {
        f"team-{place}": [random_fighter(random, next(numbers)) for _ in range(size)]
        for place, size in enumerate(random.choice(SHAPES))
    }
    return Fight("mythos", teams, seed=random.getrandbits(40), options=random_options(random))


# What always holds


def check_fighter(fight: rules.Fight, who: int) -> None:
    """Every number of a fighter is one that the rules know."""
    fighter = fight.fighters[who]
    assert 0 <= fighter.hp <= fighter.max_hp
    assert fighter.luck >= 0
    assert min(fighter.items) >= 0
    assert bool(fighter.boost) == (fighter.boosted > 0)
    assert STANDING <= fighter.state <= ESCAPED
    if fighter.state == STANDING or fighter.state == ESCAPED:
        assert fighter.hp > 0
    if fighter.state == DEAD and fight.wounds == DOCUMENT:
        assert fighter.hp == 0
    assert all(getattr(fighter, flag) in (0, 1) for flag in FLAGS)
    assert -1 <= fighter.tough <= fighter.perks[TOUGH_GUY]
    held = fighter.held_by
    if held:
        holder = fight.fighters[held - 1]
        assert holder.state == STANDING
        assert holder.team != fighter.team
    for slot in range(SLOTS):
        kind = kind_of(fighter.weapons[slot])
        assert fighter.loaded[slot] >= 0
        assert fighter.spare[slot] >= 0
        assert fighter.loaded[slot] <= magazine(fighter.weapons[slot])
        if kind != GUN:
            assert fighter.spare[slot] == 0
            assert not fighter.jammed >> slot & 1, "only guns jam"
    assert fighter.weapons[fighter.wielded] != 0
    assert not fighter.dropped >> fighter.wielded & 1, "what lies on the floor is in nobody's hand"
    assert not fighter.dropped & 1, "nobody drops their hands"


def check_turn(fight: rules.Fight) -> None:
    """One decision is due at a time, of a fighter who stands, and the fight is over when it should be."""
    standing = {fighter.team for fighter in fight.fighters if fighter.state == STANDING}
    if fight.ending == RUNNING:
        assert len(standing) > 1
        assert fight.due.bit_count() == 1
        assert fight.fighters[fight.due.bit_length() - 1].state == STANDING
    elif fight.ending < fight.teams:
        assert standing == {fight.ending}
    elif fight.ending == fight.teams:
        assert not standing or fight.round == fight.round_cap
    else:
        assert any(fighter.state == ESCAPED and fighter.team not in standing for fighter in fight.fighters)
        assert len(standing) <= 1
    assert sorted(fight.order) == list(range(len(fight.fighters)))
    assert 0 <= fight.round <= fight.round_cap


def check_change(was: Fighter, now: Fighter, fight: rules.Fight) -> None:
    """What a sheet says stays; Luck goes by the price of a perk, items one by one; nobody comes back from the dead."""
    assert all(getattr(was, key) == getattr(now, key) for key in FIXED if key != "mov" or not fight.pace_lasts)
    for row in ("weapons", "damage", "ranges", "skills", "perks", "prices", "heals", "boosts"):
        assert getattr(was, row) == getattr(now, row)
    assert was.luck - now.luck in (0, *was.prices)
    used = [before - after for before, after in zip(was.items, now.items, strict=True)]
    assert min(used) >= 0
    assert sum(used) <= 1
    if was.state >= DEAD:
        assert (was.state, was.hp) == (now.state, now.hp)
    if fight.wounds == DOCUMENT:
        assert now.state in (STANDING, DEAD, ESCAPED)
    for slot in range(SLOTS):
        assert was.loaded[slot] + was.spare[slot] >= now.loaded[slot] + now.spare[slot], "nothing is made of nothing"


def rounds_of(fighter: Fighter) -> int:
    return sum(fighter.loaded) + sum(fighter.spare)


def codes_of(fight: rules.Fight, who: int) -> list[int]:
    row = [0] * rules.most_moves(len(fight.fighters))
    return row[: rules.legal(fight, who, row)]


def read_or_refused(act: Callable[[], object]) -> tuple[object, str]:
    """What was read, or the sentence with which it was refused."""
    try:
        return act(), ""
    except Illegal as refused:
        said = str(refused)
    assert said.isprintable()
    assert len(said) > 10
    return None, said


def check_notation(setup: Setup[Any], fight: rules.Fight, who: int, random: Random) -> None:
    """`legal` and the notation agree: each legal move is read as what was written, and nothing else can be read."""
    codes = codes_of(fight, who)
    assert codes, "the fighter who is to decide has something to decide"
    assert len(set(codes)) == len(codes)
    written = [setup.system.write_move(setup, fight, who, code) for code in codes]
    assert len(set(written)) == len(written)
    for code, text in zip(codes, written, strict=True):
        assert setup.read(fight, who, text.upper()).code == code
    for closed in setup.impossible(fight, who):
        assert closed.notation not in written
        assert closed.reason, closed.notation
        assert read_or_refused(lambda text=closed.notation: setup.read(fight, who, text))[1]
    untouched = records.pack(fight)
    for _ in range(5):
        text = " ".join([random.choice(WORDS), random.choice([*setup.names, "with hands", "with", "nobody", ""])])
        read, said = read_or_refused(lambda text=text: setup.read(fight, who, text).code)
        assert said or read in codes, text
    assert records.pack(fight) == untouched


def play(made: Fight, random: Random, notation: bool) -> int:
    """A whole fight; returns how many moves it took."""
    fight, dice, names = made.state, Seeded(random.getrandbits(40)), made.names
    log = Log([[0] * len(rules.FIGURES) for _ in names])
    first = [rounds_of(fighter) for fighter in fight.fighters]
    luck = [fighter.luck for fighter in fight.fighters]
    items = [sum(fighter.items) for fighter in fight.fighters]
    taken = 0
    while True:
        check_turn(fight)
        for who in range(len(names)):
            check_fighter(fight, who)
        if fight.ending != RUNNING:
            break
        who = fight.due.bit_length() - 1
        if notation:
            check_notation(made.setup, fight, who, random)
        before = records.copy(fight)
        rules.apply(fight, who, random.choice(codes_of(fight, who)), dice, log)
        for was, now in zip(before.fighters, fight.fighters, strict=True):
            check_change(was, now, fight)
        taken += 1
    assert not any(codes_of(fight, who) for who in range(len(names)))
    for who, fighter in enumerate(fight.fighters):
        figures = log.figures[who]
        assert rounds_of(fighter) + figures[rules.FIRED] == first[who], "every round is loaded, carried or fired"
        assert fighter.luck + figures[rules.SPENT] == luck[who]
        assert sum(fighter.items) + figures[rules.USED] == items[who]
    return taken


@pytest.mark.parametrize("part", range(2))
def test_twenty_thousand_random_moves_break_nothing(part: int) -> None:
    """Plain loops over a seeded generator, two parts: drawing them by Hypothesis would take minutes."""
    random = Random(f"mythos {part}")
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


@settings(max_examples=25, deadline=None)
@given(st.randoms(use_true_random=False))
def test_hypothesis_finds_no_roster_whose_moves_and_notation_disagree(random: Random) -> None:
    play(random_fight(random), random, notation=True)


def test_every_kind_of_decision_is_met_and_every_kind_of_move_is_legal_at_some_time() -> None:
    random, phases, kinds = Random("all of it"), Counter[int](), Counter[int]()
    for _ in range(250):
        fight = random_fight(random)
        while not fight.over:
            (who,) = fight.to_act
            phases[fight.state.phase] += 1
            kinds.update(code & 31 for code in fight.codes(fight.index(who)))
            fight.play(who, random.choice(fight.legal(who)))
    assert set(phases) == set(range(rules.FLEET + 1))
    assert set(kinds) == set(range(rules.SAVE + 1))


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=40))
def test_any_text_is_a_legal_move_or_a_sentence(text: str) -> None:
    fight = Fight("mythos", "investigators=detective,nurse enemies=ghoul,armed-cultist", seed=1)
    (who,) = fight.to_act
    before = records.pack(fight.state), fight.story, fight.status(), fight.to_act
    _, said = read_or_refused(lambda: fight.play(who, text))
    assert bool(said) == ((records.pack(fight.state), fight.story, fight.status(), fight.to_act) == before)
    assert bool(said) != bool(fight.answers)


@settings(max_examples=25, deadline=None)
@given(st.randoms(use_true_random=False))
def test_nothing_is_hidden_and_every_viewer_sees_the_whole_state(random: Random) -> None:
    fight = random_fight(random)
    for _ in range(12):
        if fight.over:
            break
        views = [fight.view(viewer) for viewer in (None, *fight.names)]
        assert all(view["state"] == views[0]["state"] for view in views)
        (who,) = fight.to_act
        fight.play(who, random.choice(fight.legal(who)))


@settings(max_examples=25, deadline=None)
@given(st.randoms(use_true_random=False))
def test_the_status_of_any_fight_fits_eighty_columns(random: Random) -> None:
    fight = random_fight(random)
    for _ in range(20):
        assert max(len(line) for line in fight.status().splitlines()) <= 80
        if fight.over:
            break
        (who,) = fight.to_act
        fight.play(who, random.choice(fight.legal(who)))


@settings(max_examples=20, deadline=None)
@given(st.randoms(use_true_random=False))
def test_undo_restores_everything(random: Random) -> None:
    fight = random_fight(random)
    passed = []
    while not fight.over and len(passed) < 20:
        figures = {name: dict(row) for name, row in fight.figures.items()}
        passed.append((records.pack(fight.state), fight.story, fight.status(), figures, fight.dice.position))
        (who,) = fight.to_act
        fight.play(who, random.choice(fight.legal(who)))
    for expected in reversed(passed):
        fight.undo()
        shown = (records.pack(fight.state), fight.story, fight.status(), fight.figures, fight.dice.position)
        assert shown == expected


def test_the_figures_agree_with_the_story() -> None:
    random = Random("figures")
    for _ in range(60):
        fight = random_fight(random)
        lost, gained = Counter[int](), Counter[int]()
        before = [fighter.hp for fighter in fight.state.fighters]
        while not fight.over:
            (who,) = fight.to_act
            fight.play(who, random.choice(fight.legal(who)))
        hp = list(before)
        for event in (line.event for line in fight.lines):
            if event.kind == events.HURT:
                lost[event.who] += hp[event.who] - event.hp
                hp[event.who] = event.hp
            elif event.kind in (events.REGAINS, events.TREATS):
                patient = event.target if event.kind == events.TREATS else event.who
                gained[patient] += event.hp - hp[patient]
                hp[patient] = event.hp
        figures = list(fight.figures.values())
        assert sum(row["damage dealt"] for row in figures) == lost.total()
        assert [row["HP left"] for row in figures] == hp == [fighter.hp for fighter in fight.state.fighters]
        states = [fighter.state for fighter in fight.state.fighters]
        assert [row["dead"] for row in figures] == [int(state == DEAD) for state in states]
        assert [row["escaped"] for row in figures] == [int(state == ESCAPED) for state in states]
