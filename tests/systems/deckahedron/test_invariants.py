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
from affray.kernel.rules import Event, Log
from affray.kernel.state import RUNNING, STANDING
from affray.kernel.weights import how_many
from affray.system.setup import Setup
from affray.systems.deckahedron import events, rules
from affray.systems.deckahedron.cards import (
    SCORE,
    STAMINA,
    WHOLE_DECK,
    WOUND_CARDS,
)
from affray.systems.deckahedron.rules import GONE, OUT, YIELDED, Fighter, deck_size, pile_size, points_left

pytestmark = pytest.mark.long

MODES = ("heroic", "gritty")
SHAPES = ((1, 1), (1, 1), (1, 1), (2, 2), (1, 3), (1, 1, 1), (2, 1, 2))
WORDS = (
    "attack",
    "shoot",
    "breathe",
    "breathe int",
    "keep",
    "card",
    "close",
    "drop",
    "yield",
    "RUN",
    "pick up",
    "dance",
)


def random_fighter(random: Random, number: int, mode: str) -> dict[str, Any]:
    """A fighter as strange as a sheet allows, and not too hard to bring down."""
    has_deck = random.random() < 0.85
    stamina = random.choice((2, 4, 6, 8, 10, 10, 10, 13))
    made: dict[str, Any] = {
        "name": f"{random.choice(('f', 'F'))}{number}",
        "kind": "foe",
        **{stat: random.randint(1, 4) for stat in ("strength", "dexterity", "intelligence")},
        "speed": random.randint(0, 4),
        "stamina": stamina,
        "deck": has_deck,
        "tokens": random.choice((0, 0, 1, 3)),
        "melee": random.choice(("held", "held", "dropped", "none")),
        "ranged": random.choice(("held", "dropped", "none")),
        "ammo": random.randint(0, 4),
        "harm_slots": random.choice((0, 0, 1)),
        "wound_slots": random.choice((0, 0, 1)),
        "harm": random.choice((0, 0, 1, 2)) if has_deck else 0,
    }
    return {**made, **(piles(random, stamina, mode) if has_deck else {"face_down": random.randint(0, 1)})}


def piles(random: Random, stamina: int, mode: str) -> dict[str, Any]:
    """Cards as a fight before may have left them."""
    wounds = random.choice((0, 0, 1, 2))
    wound_cards = random.sample(range(21, 25), wounds)
    face_down = random.choice((0, random.randint(0, min(9, stamina - 1)))) if mode == "heroic" else 0
    spare = min(9, stamina - 1) - face_down
    exhausted = random.sample(range(11, 21), random.randint(0, spare)) if mode == "gritty" else []
    others = [card for card in (*range(1, 21), *wound_cards) if card not in exhausted]
    discard = random.sample(others, random.choice((0, 0, random.randint(0, len(others) - 9))))
    return {
        "wounds": wounds,
        "wound_cards": wound_cards,
        "face_down": face_down,
        "exhausted": exhausted,
        "discard": discard,
    }


def random_options(random: Random, mode: str) -> dict[str, Any]:
    return {
        "mode": mode,
        "range": random.choice(("close", "far")),
        "ambush": random.choice(("none", "none", "first", "last")),
        "d4": random.choice(("die", "cards")),
        "breather_floor": random.random() < 0.7,
        "breather_repeat": random.random() < 0.3,
        "gang_up": random.random() < 0.3,
        "face_down": random.choice(("known", "known", "unknown")),
        "round_cap": random.choice((3, 30)),
    }


def random_fight(random: Random, mode: str) -> Fight:
    numbers = iter(range(99))
    teams = {
        f"team-{place}": [random_fighter(random, next(numbers), mode) for _ in range(size)]
        for place, size in enumerate(random.choice(SHAPES))
    }
    return Fight("deckahedron", teams, dice=Seeded(random.getrandbits(40)), options=random_options(random, mode))


def check_cards(fighter: Fighter, gritty: int, veil: int) -> None:
    """Every card is in exactly one pile, and there are a Wound's card for each Wound and the twenty."""
    held = (fighter.deck, fighter.discard, fighter.exhausted)
    owned = held[0] | held[1] | held[2]
    assert sum(how_many(pile) for pile in held) == how_many(owned), "a card is in two piles"
    assert owned & ~WOUND_CARDS == WHOLE_DECK, "a card is missing"
    assert how_many(owned & WOUND_CARDS) == fighter.wounds
    assert 0 <= fighter.veiled <= how_many(fighter.deck)
    assert fighter.veiled == 0 or veil
    assert fighter.exhausted == 0 or not veil
    if gritty:
        assert fighter.exhausted & ~STAMINA == 0, "only cards with a Stamina symbol are lost"
    assert deck_size(fighter) + how_many(fighter.discard) >= 20 - rules.POINTS


def check_fighter(fighter: Fighter, fight: rules.Fight) -> None:
    if fighter.has_deck:
        check_cards(fighter, fight.gritty, fight.veil)
        assert pile_size(fighter) <= min(rules.POINTS, fighter.stamina)
    assert fighter.state in (STANDING, OUT, YIELDED, GONE)
    assert fighter.state == OUT or points_left(fight, fighter) > 0
    assert 0 <= fighter.tokens <= fighter.token_slots
    assert 0 <= fighter.harm <= rules.MOST_HARM
    assert 0 <= fighter.wounds <= rules.MOST_WOUNDS
    assert 0 <= fighter.ammo <= fighter.most_ammo <= 4
    assert 0 <= fighter.stunned <= 2
    assert fighter.pinned in (0, 1)
    assert fighter.harm_slots >= 0
    assert fighter.wound_slots >= 0
    assert fighter.owes >= 0
    if fighter.state != STANDING:
        assert fighter.owes == fighter.owes_harm == fighter.owes_wounds == 0


def check_fight(fight: rules.Fight) -> None:
    for who, fighter in enumerate(fight.fighters):
        check_fighter(fighter, fight)
        for other, there in enumerate(fight.fighters):
            assert fighter.near >> other & 1 == there.near >> who & 1, "close is close for both"
            if there.team == fighter.team:
                assert not (fighter.near | fighter.superior) >> other & 1
    assert fight.deck & fight.discard == 0
    assert fight.deck | fight.discard == WHOLE_DECK, "the Storyteller's deck is whole"
    standing = [who for who, fighter in enumerate(fight.fighters) if fighter.state == STANDING]
    teams = {fight.fighters[who].team for who in standing}
    if fight.ending == RUNNING:
        assert how_many(fight.due) == 1
        assert fight.due.bit_length() - 1 in standing
        assert len(teams) > 1 or fight.phase != rules.ACT
        if fight.phase == rules.ACT:
            assert not any(f.owes + f.owes_harm + f.owes_wounds + f.groans + f.regains for f in fight.fighters)
    elif fight.ending < fight.teams:
        assert teams == {fight.ending}
    else:
        assert not teams or fight.round == fight.round_cap
    assert 1 <= fight.round <= fight.round_cap


def check_flip(event: Event, fight: rules.Fight) -> None:
    """As many cards as the advantage asks for, but for a Wound card; the best or the worst of them counts."""
    wanted = 1 + abs(event.net)
    turned = how_many(event.cards)
    assert -2 <= event.net <= 2
    assert turned == wanted or (turned < wanted and event.cards & WOUND_CARDS)
    assert how_many(event.cards & WOUND_CARDS) <= 1
    fighter = fight.fighters[event.who]
    rank = (fighter.strength, fighter.dexterity, fighter.intelligence)[event.stat]
    shown = [SCORE[4 * card + rank - 1] for card in range(24) if event.cards >> card & 1]
    assert event.score == (max(shown) if event.net >= 0 else min(shown))


def codes_of(fight: rules.Fight, who: int) -> list[int]:
    row = [0] * rules.most_moves(len(fight.fighters))
    return row[: rules.legal(fight, who, row)]


def random_text(random: Random, names: list[str]) -> str:
    """Something that looks like a move, and often is none."""
    parts = [
        random.choice(WORDS),
        random.choice([*names, "nobody", "dex", "weapon", "bow", str(random.randint(0, 25))]),
    ]
    return " ".join(parts[: random.randint(1, 2)])


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
    """`legal` and the notation agree in both directions: each legal move can be written, nothing else can be read."""
    codes = codes_of(fight, who)
    assert codes
    assert len(set(codes)) == len(codes)
    for code in codes:
        assert setup.read(fight, who, setup.system.write_move(setup, fight, who, code)).code == code
    written = setup.written(fight, who)
    assert not written.keys() & {closed.notation for closed in setup.impossible(fight, who)}
    untouched = records.pack(fight)
    for _ in range(4):
        text = random_text(random, list(setup.names))
        read, said = read_or_refused(lambda text=text: setup.read(fight, who, text).code)
        assert said or read in codes, text
    assert records.pack(fight) == untouched


def random_move(random: Random, codes: list[int]) -> int:
    """Any move, but yielding and running seldom: the fights are to be long."""
    stays = [code for code in codes if code & 31 not in (rules.YIELD, rules.RUN)]
    return random.choice(codes if random.random() < 0.1 else stays)


def play(made: Fight, random: Random, notation: bool) -> int:
    """A whole fight; returns how many decisions it took."""
    fight, names = made.state, made.names
    dice = Seeded(random.getrandbits(40))
    taken = 0
    check_fight(fight)
    while fight.ending == RUNNING:
        who = fight.due.bit_length() - 1
        if notation:
            check_notation(made.setup, fight, who, random)
        log = Log([[0] * len(rules.FIGURES) for _ in names])
        rules.apply(fight, who, random_move(random, codes_of(fight, who)), dice, log)
        for event in log.events:
            if event.kind == events.FLIPS:
                check_flip(event, fight)
        check_fight(fight)
        assert records.pack(records.unpack(rules.Fight, len(names), records.pack(fight))) == records.pack(fight)
        taken += 1
    assert not any(codes_of(fight, who) for who in range(len(names)))
    return taken


@pytest.mark.parametrize("mode", MODES)
def test_ten_thousand_random_decisions_break_nothing(mode: str) -> None:
    """Plain loops over a seeded generator: drawing them by Hypothesis would take minutes."""
    random = Random(f"deckahedron {mode}")
    taken = 0
    while taken < 10_000:
        at = random.getstate()
        fight = random_fight(random, mode)
        try:
            taken += play(fight, random, notation=False)
        except AssertionError as broken:
            random.setstate(at)
            broken.add_note(f"fight: {random_fight(random, mode)!r}")
            raise


@settings(max_examples=40, deadline=None)
@given(st.randoms(use_true_random=False), st.sampled_from(MODES))
def test_hypothesis_finds_no_fight_whose_cards_or_notation_disagree(random: Random, mode: str) -> None:
    play(random_fight(random, mode), random, notation=True)


@settings(max_examples=40, deadline=None)
@given(st.text(max_size=40))
def test_any_text_is_a_legal_move_or_a_sentence(text: str) -> None:
    fight = Fight("deckahedron", "heroes=maren monsters=guard,soldier", seed=1)
    before = records.pack(fight.state)
    _, said = read_or_refused(lambda: fight.play(fight.to_act[0], text))
    assert bool(said) == (records.pack(fight.state) == before)
    assert bool(said) != bool(fight.answers)


@settings(max_examples=20, deadline=None)
@given(st.randoms(use_true_random=False), st.sampled_from(MODES))
def test_undo_restores_everything(random: Random, mode: str) -> None:
    fight = random_fight(random, mode)
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


@settings(max_examples=12, deadline=None)
@given(st.randoms(use_true_random=False), st.sampled_from(MODES))
def test_a_saved_fight_goes_on_as_if_it_had_never_stopped(tmp_path_factory: Any, random: Random, mode: str) -> None:
    fight = random_fight(random, mode)
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
    for number in range(40):
        fight = random_fight(random, MODES[number % 2])
        while not fight.over:
            who = fight.to_act[0]
            fight.play(who, random.choice(fight.legal(who)))
        told = [line.event for line in fight.lines]
        for place, row in enumerate(fight.figures.values()):
            mine = [event for event in told if getattr(event, "who", None) == place]
            assert row["fatigue dealt"] == sum(event.amount for event in mine if event.kind == events.DEALS)
            assert row["Stamina lost"] == sum(event.kind == events.LOSES for event in mine)
            state = fight.state.fighters[place].state
            assert row["incapacitated"] == (state == OUT)
            assert row["out of the fight"] == (state in (YIELDED, GONE))
