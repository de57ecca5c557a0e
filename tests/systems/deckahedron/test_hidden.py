"""What lies face down stays unknown: two fights that differ in nothing else look the same from everywhere. 14."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from affray.errors import Invalid, Refused
from affray.fight import Fight
from affray.fight.saving import as_table, public_table, rerun, restore, save, verify, write
from affray.fight.viewing import status, thrown_for
from affray.kernel import records
from affray.kernel.chance import Fair, Physical, Scripted, Seeded
from affray.kernel.weights import how_many
from affray.lab import odds as lab
from affray.players.tactics import decide, numbered, usual_tactics
from affray.system.setup import Setup
from affray.systems.deckahedron import rules
from affray.systems.deckahedron.cards import WHOLE_DECK
from affray.systems.deckahedron.recovery import after_fight
from affray.systems.deckahedron.sheets import SHEETS, Sheet, public
from affray.systems.deckahedron.tactics import TACTICS

TEAMS: dict[str, list[Any]] = {
    "heroes": ["maren:tokens=1", "odo:face_down=2"],
    "monsters": ["elite:exhausted=3+12", "soldier"],
}
DUEL: dict[str, list[Any]] = {"heroes": ["maren:tokens=1"], "monsters": ["elite:exhausted=3+12"]}
OPTIONS = ({}, {"d4": "cards"}, {"ambush": "first", "breather_repeat": True, "breather_floor": False})
SHARED = {"heroes": "careful", "monsters": "random"}


def played(decisions: int, options: dict[str, Any], dice: Physical, teams: dict[str, list[Any]] = TEAMS) -> Fight:
    """A fight after some decisions, or at its end, everybody by a tactic that tries much."""
    fight = Fight("deckahedron", teams, dice=dice, options=options)
    tactics = usual_tactics(fight, SHARED)
    while not fight.over and len(fight.answers) < decisions:
        who = fight.to_act[0]
        fight.play(who, decide(fight, who, tactics[who]))
    return fight


def again(fight: Fight, results: list[tuple[int, ...]]) -> Fight:
    """The same decisions with other results."""
    other = Fight("deckahedron", fight.setup.specs(), dice=Scripted(results), options=fight.options, whim=Seeded(0))
    for answer in fight.answers:
        other.play(answer.who, answer.move)
    return other


def twins(fight: Fight) -> Iterator[tuple[Fight, Fight]]:
    """The fight, and others in which another card fell face down, and all that was ever seen was the same."""
    results = list(fight.dice.fallen)
    first = again(fight, results)
    for place in (place for place, result in enumerate(results) if result.unseen):
        for card in range(24):
            if (card,) == tuple(results[place]):
                continue
            try:
                other = again(fight, [*results[:place], (card,), *results[place + 1 :]])
            except Refused:
                continue  # that card was not in the deck then, or was seen afterwards
            yield first, other


def some_twins(seed: int, options: dict[str, Any], teams: dict[str, list[Any]] = TEAMS) -> tuple[Fight, Fight]:
    for first, other in twins(played(20, options, Seeded(seed), teams)):
        if not first.over and records.pack(first.state) != records.pack(other.state):
            return first, other
    raise AssertionError("no twins in this fight")


CASES = [pytest.param(seed, options, id=f"{seed}-{'-'.join(options)}") for seed in range(4) for options in OPTIONS]


def refusals(fight: Fight) -> list[str]:
    """What everybody is told about every move that anybody might think of."""
    told = []
    for name in fight.names:
        _, closed = fight.legal(name, explain=True)
        told += [f"{one.notation}: {one.reason}" for one in closed]
        for move in ("attack", "card", "card 3", "token", "run", "stamina", "nonsense", ""):
            try:
                fight.setup.read(fight.state, fight.index(name), move)
            except Refused as problem:
                told.append(f"{problem} {problem.allowed}")
    return told


def decisions_of(fight: Fight) -> list[str]:
    """What every tactic would do now."""
    fight.think_from(0)
    return [str(decide(fight, fight.to_act[0], tactic)) for tactic in TACTICS]


def weighed(fight: Fight, compiled: bool, playouts: int) -> str:
    """The odds of the fighter who is to act, by so many play-outs of each move."""
    index = fight.index(fight.to_act[0])
    tactics = numbered(fight.system, usual_tactics(fight))
    codes = fight.codes(index)
    found = lab.sample_moves(fight.setup, fight.state, index, codes, tactics, playouts, seconds=600, compiled=compiled)
    return json.dumps([one.as_table() for one in found])


@pytest.mark.parametrize(("seed", "options"), CASES)
def test_nobody_can_tell_two_hidden_piles_apart(seed: int, options: dict[str, Any]) -> None:
    first, other = some_twins(seed, options)
    for viewer in (None, *first.names):
        assert json.dumps(first.view(viewer)) == json.dumps(other.view(viewer))
        assert status(first, viewer) == status(other, viewer)
    assert first.status() == other.status()
    assert first.story == other.story
    assert [line.event.values for line in first.lines] == [line.event.values for line in other.lines]
    assert thrown_for(first) == thrown_for(other)
    assert first.figures == other.figures
    assert first.svg() == other.svg()
    assert refusals(first) == refusals(other)
    assert decisions_of(first) == decisions_of(other)
    assert json.dumps(public_table(first)) == json.dumps(public_table(other))
    assert weighed(first, False, 3) == weighed(other, False, 3)


def test_the_twins_have_piles_that_really_differ() -> None:
    first, other = some_twins(0, {})
    differing = [
        (mine, theirs)
        for mine, theirs in zip(first.state.fighters, other.state.fighters, strict=True)
        if mine.exhausted != theirs.exhausted
    ]
    assert differing
    for mine, theirs in differing:
        assert mine.deck | mine.exhausted == theirs.deck | theirs.exhausted
        assert how_many(mine.exhausted) == how_many(theirs.exhausted)
    assert public_table(first, secret_is_out=True) != public_table(other, secret_is_out=True)


def test_compiled_odds_cannot_tell_two_hidden_piles_apart(native: object) -> None:
    for seed in range(3):
        first, other = some_twins(seed, {}, DUEL)  # whose odds many tests have compiled
        assert weighed(first, True, 2000) == weighed(other, True, 2000)
    assert weighed(first, True, 20).replace("compiled", "interpreted") == weighed(other, False, 20)


def test_whoever_sees_all_odds_of_a_decision_sees_no_more() -> None:
    """Also by the door that people use: the moves weighed, and how they were found."""
    first, other = some_twins(1, {})
    who = first.to_act[0]
    both = [lab.odds_of_moves(fight.setup, fight.state, who, compiled=False, seconds=0.05) for fight in (first, other)]
    assert list(both[0]) == list(both[1])
    assert all("play-out" in found.how for odds in both for found in odds.values())


@pytest.mark.parametrize("teams", [TEAMS, {"heroes": ["maren"], "monsters": ["monster:exhausted=1+2+20"]}])
@pytest.mark.parametrize("seed", range(6))
def test_a_public_log_can_be_run_again_and_gives_what_a_viewer_sees(seed: int, teams: dict[str, list[Any]]) -> None:
    for decisions in range(0, 60, 4):
        fight = played(decisions, {"breather_repeat": True}, Seeded(seed), teams)
        if fight.over:
            break
        table = json.loads(json.dumps(public_table(fight)))
        assert "seed" not in table["dice"]
        run = rerun(table, "the public log")
        assert records.pack(run.state) == records.pack(fight.setup.view(fight.state, None))
        assert run.story == fight.story
        assert [run.view(name) for name in run.names] == [fight.view(name) for name in fight.names]
        assert all(not result.unseen for result in run.dice.fallen)


def test_a_public_log_has_no_card_that_fell_face_down() -> None:
    fight = played(40, {}, Seeded(0))
    table = public_table(fight)
    unseen = sum(result.unseen for result in fight.dice.fallen)
    shown = len(table["opening"]) + sum(len(answer["fell"]) for answer in table["answers"])
    assert unseen > 2
    assert shown == len(fight.dice.fallen) - unseen
    assert table["options"]["face_down"] == "unknown"


@pytest.mark.parametrize("over", [False, True])
def test_what_fell_face_down_stays_so_through_a_file_and_a_fork(over: bool, tmp_path: Any) -> None:
    fight = played(10_000 if over else 35, {}, Fair(b"sixteen bytes or more"))
    public = json.dumps(public_table(fight, secret_is_out=False))
    save(fight, tmp_path / "fight.json")
    loaded = Fight.load(tmp_path / "fight.json")
    assert records.pack(loaded.state) == records.pack(fight.state)
    assert json.dumps(public_table(loaded, secret_is_out=False)) == public
    assert public_table(fight.fork(), secret_is_out=False)["answers"] == json.loads(public)["answers"]


def test_after_the_end_the_whole_log_is_out_and_verifies(tmp_path: Any) -> None:
    fight = played(10_000, {}, Fair(b"sixteen bytes or more"))
    assert fight.over
    table = public_table(fight)
    assert table["options"]["face_down"] == "known"
    assert len(fight.dice.fallen) == len(table["opening"]) + sum(len(answer["fell"]) for answer in table["answers"])
    write(table, tmp_path / "ended.json")
    assert verify(tmp_path / "ended.json").dice_checked
    assert records.pack(restore(table, "the log").state) == records.pack(fight.state)


def test_an_ended_fight_whose_secret_is_not_out_still_hides_its_piles(tmp_path: Any) -> None:
    fight = played(10_000, {}, Fair(b"sixteen bytes or more"))
    table = public_table(fight, secret_is_out=False)
    assert "secret" not in table["dice"]
    assert restore(table, "the log").ending == fight.ending
    write(table, tmp_path / "running.json")
    assert not verify(tmp_path / "running.json").dice_checked


def test_a_card_that_comes_back_is_seen() -> None:
    """A Breather turns a card up: a fighter with other cards face down cannot pass it off as one of them."""
    fight = Fight(
        "deckahedron",
        {"heroes": ["odo:face_down=3"], "monsters": ["guard"]},
        dice=Scripted([10, 11, 12, 16, 0, 3, 1, 0, 10], then=Seeded(1)),
    )
    assert fight.to_act == ["Odo"]
    fight.play("Odo", "breathe int")
    odo = fight.state.fighters[0]
    assert odo.discard >> 10 & 1
    assert not odo.exhausted >> 10 & 1
    assert ["a card", 10] in public_table(fight)["answers"][0]["fell"]
    assert records.pack(rerun(public_table(fight), "the log").state) == records.pack(fight.setup.view(fight.state, 0))


def test_a_fight_that_never_knew_its_face_down_cards_has_nothing_to_hide() -> None:
    fight = played(40, {"face_down": "unknown"}, Seeded(2))
    assert not any(result.unseen for result in fight.dice.fallen)
    assert records.pack(fight.setup.view(fight.state, None)) == records.pack(fight.state)
    assert public_table(fight)["answers"] == [
        {key: value for key, value in answer.items() if key != "whim"} for answer in as_table(fight)["answers"]
    ]
    for fighter in fight.state.fighters:
        assert fighter.exhausted == fighter.open
        assert fighter.lost == [0] * 10


# Gritty


@pytest.mark.parametrize("seed", range(4))
def test_in_gritty_mode_only_the_order_of_the_deck_is_hidden(seed: int) -> None:
    for decisions in range(0, 60, 6):
        fight = played(decisions, {"mode": "gritty"}, Seeded(seed))
        if fight.over:
            break
        for viewer in (None, *range(len(fight.names))):
            assert records.pack(fight.setup.view(fight.state, viewer)) == records.pack(fight.state)
        assert not any(result.unseen for result in fight.dice.fallen)
        table = public_table(fight)
        assert records.pack(rerun(table, "the public log").state) == records.pack(fight.state)


def test_what_lies_face_down_is_turned_up_in_a_gritty_fight() -> None:
    """It is whatever it is; only cards with a Stamina symbol are lost points there. 33."""
    spent = "odo:face_down=4:discard=11+12+13+14+15+16+17"
    dice = Scripted([0, 18, 3, 19], then=Seeded(1))
    fight = Fight("deckahedron", {"heroes": [spent], "monsters": ["guard"]}, dice=dice, options={"mode": "gritty"})
    odo = fight.first_state.fighters[0]
    assert odo.exhausted == odo.open == 1 << 0 | 1 << 3 | 1 << 18 | 1 << 19
    assert odo.veiled == rules.face_down(odo) == 0
    assert rules.points_left(fight.first_state, odo) == 8
    assert odo.deck | odo.discard | odo.exhausted == WHOLE_DECK
    assert "Odo turns up what lies in the Exhaustion pile: 1:1111, 4:1434, 19:4342, 20:3313." in fight.story
    assert not any(result.unseen for result in fight.dice.fallen)
    assert records.pack(rerun(public_table(fight), "the public log").state) == records.pack(fight.state)


def kept_from(fight: Fight, who: int) -> Sheet:
    return after_fight(fight.state, who, fight.sheets[who])


@pytest.mark.parametrize("face_down", ["known", "unknown"])
@pytest.mark.parametrize("seed", range(8))
def test_a_pile_is_the_same_in_the_next_fight(seed: int, face_down: str) -> None:
    """The cards stay what they are, and players remember what they may be; the log of others does not tell."""
    fight = played(45, {"breather_repeat": True, "face_down": face_down}, Seeded(seed))
    for who, before in enumerate(fight.state.fighters):
        sheet = kept_from(fight, who)
        if not sheet.deck or sheet.incapacitated:
            continue
        assert SHEETS.enlist(sheet.as_table()) == sheet
        teams = {"heroes": [sheet.as_table()], "monsters": ["guard"]}
        after = Fight("deckahedron", teams, seed=3, options={"range": "far", "face_down": face_down})
        entered = after.setup.seated().fighters[0]
        assert (entered.exhausted, entered.lost, entered.deck) == (before.exhausted, before.lost, before.deck)
        known = rules.unseen(before)
        assert entered.laid == [may_be & known for may_be in before.laid]
        assert records.pack(rerun(public_table(after), "the log").state) == records.pack(
            after.setup.view(after.state, None)
        )
        gritty = Setup.of("deckahedron", teams, {"mode": "gritty"}).opened(Seeded(4)).fighters[0]
        if face_down == "known":
            assert gritty.exhausted == gritty.open == before.exhausted


def test_a_sheet_that_others_see_does_not_say_which_cards_lie_face_down() -> None:
    first, other = some_twins(0, {})
    differing = [who for who, mine in enumerate(first.state.fighters) if mine.lost != other.state.fighters[who].lost]
    assert differing
    for who in differing:
        mine, theirs = kept_from(first, who), kept_from(other, who)
        assert mine != theirs
        assert public(mine) == public(theirs)
        again = [{"heroes": [one.as_table()], "monsters": ["guard"]} for one in (mine, theirs)]
        fights = [Fight("deckahedron", teams, dice=Seeded(5)) for teams in again]
        logs = [public_table(fight)["teams"] for fight in fights]
        assert logs[0] == logs[1]


@pytest.mark.parametrize("pile", ["zzz", "fffff", "fffffq", "fffffq.fffffq.fffffq", "fffffq.3w", "fffff-.fffffr", "."])
def test_a_pile_that_does_not_belong_to_the_cards_is_refused(pile: str) -> None:
    with pytest.raises(Invalid, match="pile must be that of the cards that lie face down"):
        SHEETS.enlist(f"maren:face_down=2:pile={pile}")
    assert SHEETS.enlist("maren:face_down=2:pile=fffff-.fffff-").face_down == 2


def test_a_log_whose_result_was_changed_is_found_out() -> None:
    """A card that cannot have come up is refused, also where the face-down cards are unknown."""
    fight = played(30, {}, Seeded(0))
    table = json.loads(json.dumps(public_table(fight)))
    entry = next(answer for answer in table["answers"] if answer["fell"])
    entry["fell"] = [*entry["fell"], ["a card", 3]]
    with pytest.raises(Invalid):
        rerun(table, "the public log")
