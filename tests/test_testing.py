"""The conformance kit: it passes a system that keeps its promises, and names the promise that another breaks."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from random import Random
from types import ModuleType
from typing import Any

import pytest

from affray import testing
from affray.errors import Illegal, Invalid
from affray.kernel import records
from affray.kernel.chance import (
    Dice,
    Scripted,
    draw,
    explode,
    flip_off,
    graded,
    heads,
    keep_lowest,
    percent,
    pick,
    pips,
    reaches,
    successes,
    weighted,
)
from affray.kernel.exact import Exact
from affray.kernel.rules import Log, emit, event, rule
from affray.system.contract import Impossible, System
from affray.system.pictures import Gauge, Thrown, Widget
from affray.system.registry import find
from affray.system.setup import Setup
from affray.system.sheets import Sheets
from affray.systems.bgo.journey import hosting
from affray.testing import Witness, check_system

NUMBERS = event("{number}")
TWO_LINES = event("one line\nand another")
DUEL = {"one": ["ann"], "two": ["bob"]}
Change = Callable[[Any, System[Any, Any]], dict[str, Any]]
RESUME = hosting.resume


def test_a_system_that_keeps_its_promises_passes(toy: ModuleType) -> None:
    report = check_system(toy.system, fights=6, rosters=[DUEL])
    assert report.fights == 6
    assert report.decisions > 50
    assert report.outcomes > 1000
    assert sum(report.endings.values()) == 6
    assert {"OPENS", "BIDS", "LEADS"} <= set(report.events)
    assert not {"OPENS", "BIDS", "LEADS"} & set(report.never_seen)
    assert "all promises kept" in str(report)
    assert any("not installed" in note for note in report.not_tried)


def test_rosters_are_dealt_from_the_catalogue_in_every_shape(toy: ModuleType) -> None:
    dealt = [testing._dealt(toy.system, seed) for seed in range(60)]
    assert {tuple(len(side) for side in roster.values()) for roster in dealt} == set(testing.SHAPES)
    assert {id for roster in dealt for side in roster.values() for id in side} == {"ann", "bob", "cat", "dan"}


def test_rosters_that_a_system_refuses_are_dealt_again(toy: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(testing, "_compare_compiled", lambda examined: None)

    def duels_only(setup: Setup[Any], game: Any) -> None:
        if setup.team_numbers != (0, 1):
            raise Invalid("only two may fight")
        toy.seat(setup, game)

    report = check_system(replace(toy.system, seat=duels_only), fights=6)
    assert 0 < report.fights < 6
    with pytest.raises(AssertionError, match="only two may fight"):
        check_system(replace(toy.system, seat=duels_only), rosters=[{"a": ["ann", "bob"], "b": ["cat"]}], fights=1)


# What is broken, and how the kit says so


def applying(toy: Any, more: Callable[[Any, int, int, Any, Log | None], None]) -> dict[str, Any]:
    """`apply`, and then something more."""
    rule(more)

    def apply(game: Any, who: int, move: int, dice: Dice, log: Log | None) -> None:
        toy.apply(game, who, move, dice, log)
        more(game, who, move, dice, log)

    return {"apply": apply}


def outside_the_record(toy: Any, system: System[Any, Any]) -> dict[str, Any]:
    calls = itertools.count()

    def more(game: Any, who: int, move: int, dice: Dice, log: Log | None) -> None:
        game.fighters[who].life = 1 + next(calls) % 7

    return applying(toy, more)


def own_dice(toy: Any, system: System[Any, Any]) -> dict[str, Any]:
    random = Random(1)

    def begin(game: Any, dice: Dice, log: Log | None) -> None:
        toy.begin(game, dice, log)
        game.fighters[0].life += random.randrange(50)

    return {"begin": begin}


def dice_for_the_log(toy: Any, system: System[Any, Any]) -> dict[str, Any]:
    return applying(toy, lambda game, who, move, dice, log: None if log is None else pips(dice, 1, 6) and None)


def chance_without_end(toy: Any, system: System[Any, Any]) -> dict[str, Any]:
    def more(game: Any, who: int, move: int, dice: Dice, log: Log | None) -> None:
        while heads(dice, 1) == 0:
            pass

    return applying(toy, more)


def told_too_early(toy: Any, system: System[Any, Any]) -> dict[str, Any]:
    def more(game: Any, who: int, move: int, dice: Dice, log: Log | None) -> None:
        if game.phase == toy.BID and game.due and game.fighters[who].bid:
            toy.emit(log, toy.BIDS, who, move)

    return applying(toy, more)


def sealed_and_still_due(toy: Any, system: System[Any, Any]) -> dict[str, Any]:
    def more(game: Any, who: int, move: int, dice: Dice, log: Log | None) -> None:
        if game.sealed:
            game.due |= 1 << who

    return applying(toy, more)


def nobody_due(toy: Any, system: System[Any, Any]) -> dict[str, Any]:
    def more(game: Any, who: int, move: int, dice: Dice, log: Log | None) -> None:
        if game.round > 1:
            game.due = 0

    return applying(toy, more)


def sealed_in_the_end(toy: Any, system: System[Any, Any]) -> dict[str, Any]:
    def more(game: Any, who: int, move: int, dice: Dice, log: Log | None) -> None:
        game.sealed |= int(game.ending >= 0)

    return applying(toy, more)


def numbers_too_large(toy: Any, system: System[Any, Any]) -> dict[str, Any]:
    def more(game: Any, who: int, move: int, dice: Dice, log: Log | None) -> None:
        game.mover = 2**40

    return applying(toy, more)


def hidden_too_little(toy: Any, system: System[Any, Any]) -> dict[str, Any]:
    """Bids stay in the view."""
    return {"hide": rule(lambda seen, viewer: None)}


def a_tick(toy: Any, system: System[Any, Any]) -> dict[str, Any]:
    """The view tells how many have bid."""

    @rule
    def hide(seen: Any, viewer: int) -> None:
        seen.mover = sum(player.bid > 0 for player in seen.fighters)
        toy.hide(seen, viewer)

    return {"hide": hide}


def imagined_otherwise(toy: Any, system: System[Any, Any]) -> dict[str, Any]:
    """Imagining what is hidden also imagines a life that everybody sees."""

    def imagine(game: Any, viewer: int, dice: Dice) -> None:
        game.fighters[0].life += 1

    return {"imagine": imagine}


def cards_in_the_refusal(toy: Any, system: System[Any, Any]) -> dict[str, Any]:
    def read_move(setup: Setup[Any], game: Any, who: int, text: str, written: Mapping[str, int]) -> int:
        if text == "no such move":
            raise Illegal(f"that would take {sum(player.hand for player in game.fighters)}")
        return int(toy.read_move(setup, game, who, text, written))

    return {"read_move": read_move}


def bids_in_the_status(toy: Any, system: System[Any, Any]) -> dict[str, Any]:
    return {"status": lambda setup, game: f"{sum(player.bid > 0 for player in game.fighters)} have bid"}


def bids_in_the_gauges(toy: Any, system: System[Any, Any]) -> dict[str, Any]:
    return {"gauges": lambda setup, game, who: [Gauge("bid", game.fighters[who].bid, 6)]}


def too_much_to_draw(toy: Any, system: System[Any, Any]) -> dict[str, Any]:
    return {"scene": lambda setup, game, who: [Widget("bar", "life", 10 * game.fighters[who].life, 9)]}


def nothing_to_call_it(toy: Any, system: System[Any, Any]) -> dict[str, Any]:
    return {"scene": lambda setup, game, who: [Widget("tags", "State", names=("tired", ""))]}


def more_heads_than_coins(toy: Any, system: System[Any, Any]) -> dict[str, Any]:
    return {"thrown": lambda setup, game, event: [Thrown("coins", (2, 1))]}


def telling_reasons(toy: Any, system: System[Any, Any]) -> dict[str, Any]:
    def impossible(setup: Setup[Any], game: Any, who: int) -> list[Impossible]:
        bids = sum(player.bid > 0 for i, player in enumerate(game.fighters) if i != who)
        return [Impossible("pass", f"{bids} others have bid")]

    return {"impossible": impossible}


def peeking(toy: Any, system: System[Any, Any]) -> dict[str, Any]:
    def peek(game: Any, who: int, whim: Dice) -> int:
        moves = [0] * 6
        count = toy.legal(game, who, moves)
        return moves[sum(player.hand for player in game.fighters) % count]

    return {"tactics": {"peek": peek}, "tactic_of": lambda sheet: "peek"}


def too_bold(toy: Any, system: System[Any, Any]) -> dict[str, Any]:
    return {"tactics": {"bold": lambda game, who, whim: 5}, "tactic_of": lambda sheet: "bold"}


def reads_anything(toy: Any, system: System[Any, Any]) -> dict[str, Any]:
    return {"read_move": lambda setup, game, who, text, written: written.get(text, next(iter(written.values()), 0))}


def reads_what_others_may(toy: Any, system: System[Any, Any]) -> dict[str, Any]:
    def read_move(setup: Setup[Any], game: Any, who: int, text: str, written: Mapping[str, int]) -> int:
        if game.phase == toy.BID and text.startswith("bid "):
            return int(text.removeprefix("bid "))
        return int(toy.read_move(setup, game, who, text, written))

    return {"read_move": read_move, "impossible": lambda setup, game, who: []}


def two_alike(toy: Any, system: System[Any, Any]) -> dict[str, Any]:
    return {"write_move": lambda setup, game, who, move: "bid" if game.phase == toy.BID else ("rest", "attack")[move]}


def no_words(toy: Any, system: System[Any, Any]) -> dict[str, Any]:
    return applying(toy, lambda game, who, move, dice, log: None if game.sealed else emit(log, NUMBERS, 7))


def two_lines(toy: Any, system: System[Any, Any]) -> dict[str, Any]:
    return applying(toy, lambda game, who, move, dice, log: None if game.sealed else emit(log, TWO_LINES))


def miscounted(toy: Any, system: System[Any, Any]) -> dict[str, Any]:
    def more(game: Any, who: int, move: int, dice: Dice, log: Log | None) -> None:
        emit(log, toy.HITS, who)

    return applying(toy, more)


def closes_nothing(toy: Any, system: System[Any, Any]) -> dict[str, Any]:
    def apply(game: Any, who: int, move: int, dice: Dice, log: Log | None) -> None:
        if game.phase != toy.PRESS or move != toy.REST:
            toy.apply(game, who, move, dice, log)

    return {"apply": apply}


def unmarked(toy: Any, system: System[Any, Any]) -> dict[str, Any]:
    @rule
    def apply(game: Any, who: int, move: int, dice: Dice, log: Log | None) -> None:
        applied_by_hand(toy, game, who, move, dice, log)

    return {"apply": apply}


def applied_by_hand(toy: Any, game: Any, who: int, move: int, dice: Dice, log: Log | None) -> None:
    toy.apply(game, who, move, dice, log)


def refuses_every_roster(toy: Any, system: System[Any, Any]) -> dict[str, Any]:
    def seat(setup: Setup[Any], game: Any) -> None:
        raise Invalid("the table is taken")

    return {"seat": seat}


def wide_status(toy: Any, system: System[Any, Any]) -> dict[str, Any]:
    return {"status": lambda setup, game: "-" * 81}


def endless(toy: Any, system: System[Any, Any]) -> dict[str, Any]:
    def more(game: Any, who: int, move: int, dice: Dice, log: Log | None) -> None:
        if game.phase == toy.BID and not any(player.bid for player in game.fighters):
            game.round = 1
            for player in game.fighters:
                player.life = 3

    return applying(toy, more)


def strange_ending(toy: Any, system: System[Any, Any]) -> dict[str, Any]:
    def more(game: Any, who: int, move: int, dice: Dice, log: Log | None) -> None:
        if game.ending >= 0:
            game.ending = 7

    return applying(toy, more)


def stuck(toy: Any, system: System[Any, Any]) -> dict[str, Any]:
    return {"legal": lambda game, who, moves: 0}


def asking_changes(toy: Any, system: System[Any, Any]) -> dict[str, Any]:
    def gauges(setup: Setup[Any], game: Any, who: int) -> list[Gauge]:
        game.fighters[who].life += 1
        return []

    return {"gauges": gauges}


def moves_by_the_clock(toy: Any, system: System[Any, Any]) -> dict[str, Any]:
    def legal(game: Any, who: int, moves: list[int]) -> int:
        count = int(toy.legal(game, who, moves))
        return min(count, 1) if game.round > 1 else count

    return {"legal": legal}


def lost_ruling(toy: Any, system: System[Any, Any]) -> dict[str, Any]:
    return {"rulings": lambda: {"cards": toy.RULINGS["cards"], "end": toy.RULINGS["end"]}}


def lost_sheet(toy: Any, system: System[Any, Any]) -> dict[str, Any]:
    class Forgetful(Sheets[Any]):
        def as_table(self, sheet: Any) -> dict[str, object]:
            return {"id": sheet.id, "name": sheet.name, "life": 1}

    return {"sheets": Forgetful(toy.Sheet, toy.SHEETS.source)}


def life_by_weight(toy: Any, system: System[Any, Any]) -> dict[str, Any]:
    class Choosy(Sheets[Any]):
        def enlist(self, spec: Any, *, files: bool = True) -> Any:
            if isinstance(spec, dict) and spec.get("name") == "Newcomer":
                raise Invalid("life must be weighed")
            return super().enlist(spec, files=files)

    return {"sheets": Choosy(toy.Sheet, toy.SHEETS.source)}


def no_such_tactic(toy: Any, system: System[Any, Any]) -> dict[str, Any]:
    return {"tactic_of": lambda sheet: "hope"}


BROKEN: list[tuple[Change, str]] = [
    (outside_the_record, "give a different outcome|the same move leads to different records"),
    (own_dice, "give a different outcome"),
    (dice_for_the_log, "the dice differ when there is a log"),
    (chance_without_end, "so it may never end"),
    (told_too_early, "the story tells"),
    (sealed_and_still_due, "`apply` seals the answer of ... and leaves it due"),
    (nobody_due, "`apply` leaves `due` empty while the fight runs"),
    (sealed_in_the_end, "`apply` ends the fight and leaves answers sealed"),
    (numbers_too_large, "does not fit its field"),
    (hidden_too_little, "choice is sealed"),
    (a_tick, "choice is sealed"),
    (cards_in_the_refusal, "sees more than the view contains: the refusals"),
    (bids_in_the_status, "every viewer can tell bid .: the status"),
    (bids_in_the_gauges, "every viewer can tell bid .: the gauges"),
    (too_much_to_draw, "cannot be drawn"),
    (nothing_to_call_it, "cannot be drawn"),
    (more_heads_than_coins, "shows dice that are impossible"),
    (telling_reasons, "sees more than the view contains: the moves|choice is sealed"),
    (peeking, "by peeking"),
    (too_bold, "which is not legal"),
    (reads_anything, "which is not legal"),
    (reads_what_others_may, "is read as ., which is not legal"),
    (two_alike, "are written alike"),
    (no_words, "which is not a line of words"),
    (two_lines, "which is not a line of words"),
    (miscounted, "more emits HITS with 1 values, and it takes 2 values .who, amount."),
    (closes_nothing, "rest.* changes nothing in the record, so it closes no decision"),
    (imagined_otherwise, "a state that .* imagines looks different to"),
    (unmarked, "apply calls applied_by_hand, which is not marked @rule"),
    (refuses_every_roster, "refuses its own demonstration: the table is taken"),
    (wide_status, "does not fit 80 columns"),
    (endless, "has not ended after 200 answers"),
    (strange_ending, "tuple index out of range|is not an ending"),
    (stuck, "`due` is .*, but .* has the moves"),
    (asking_changes, "reading the fight changed the record"),
    (moves_by_the_clock, "forgetting the clock changes the moves"),
    (lost_ruling, "cited rulings do not exist"),
    (lost_sheet, "is a different sheet after as_table and enlist"),
    (life_by_weight, "the usual answers for a new fighter are refused: life must be weighed"),
    (no_such_tactic, "the tactic of .* does not exist"),
]


def marked(changed: dict[str, Any]) -> dict[str, Any]:
    """What was changed, with everything that has to be a rule marked as one."""
    for name, value in changed.items():
        for function in value.values() if name == "tactics" else [value]:
            if name in ("begin", "legal", "apply", "imagine", "tactics"):
                rule(function)
    return changed


@pytest.mark.parametrize(("change", "claim"), BROKEN, ids=[change.__name__ for change, _ in BROKEN])
def test_a_broken_promise_is_named(
    toy: ModuleType, monkeypatch: pytest.MonkeyPatch, change: Change, claim: str
) -> None:
    monkeypatch.setattr(testing, "MOST_ANSWERS", 200)
    monkeypatch.setattr(testing, "_compare_compiled", lambda examined: None)
    broken = replace(toy.system, **marked(change(toy, toy.system)))
    with pytest.raises(AssertionError, match=claim) as caught:
        check_system(broken, fights=8, rosters=[DUEL, {"one": ["ann", "bob"], "two": ["cat"]}])
    assert str(caught.value).startswith("toy: ")


def test_a_failure_says_how_to_see_it_again(toy: ModuleType) -> None:
    broken = replace(toy.system, status=lambda setup, game: "-" * (81 if game.round > 2 else 9))
    with pytest.raises(AssertionError) as caught:
        check_system(broken, fights=9, seed=40)
    message = str(caught.value)
    call = message[message.index("reproduce: ") + len("reproduce: ") :]
    with pytest.raises(AssertionError) as again:
        eval(call, {"check_system": lambda id, **how: check_system(broken, **how)})
    assert str(again.value) == message
    for part in ("toy", "roster", "seed", "step"):
        assert part in message


def test_compiled_fights_that_end_differently_are_found_out(
    toy: ModuleType, native: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    from affray.lab import simulate

    def wrong(system: Any, teams: Any, *, numbers: Sequence[int], **how: Any) -> list[bytes]:
        return [records.pack(records.blank(toy.Game, 2))] * len(numbers)

    monkeypatch.setattr(simulate, "final_states", wrong)
    with pytest.raises(AssertionError, match="ends differently when compiled"):
        check_system(toy.system, fights=1, rosters=[DUEL])


# The witness


@pytest.mark.parametrize(
    "question",
    [
        lambda dice: heads(dice, 5),
        lambda dice: pips(dice, 3, 6),
        lambda dice: pips(dice, 4, 1),
        lambda dice: pips(dice, 0, 6),
        lambda dice: pips(dice, 1, 20),
        lambda dice: reaches(dice, 3, 6, 10),
        lambda dice: reaches(dice, 3, 6, 19),
        lambda dice: successes(dice, 4, 5),
        lambda dice: successes(dice, 4, 7),
        lambda dice: percent(dice, 0),
        lambda dice: percent(dice, -2),
        lambda dice: percent(dice, 2),
        lambda dice: draw(dice, 0b1010_0001),
        lambda dice: pick(dice, 6),
        lambda dice: graded(dice, 1, (1, 11, 28, 57, 99, 0)),
        lambda dice: keep_lowest(dice, 3, 8, 2),
        lambda dice: explode(dice, 2, 6, 2),
        lambda dice: weighted(dice, (3, 0, 1)),
        lambda dice: flip_off(dice, 3),
        lambda dice: flip_off(dice, 15),
        lambda dice: (heads(dice, 2), pips(dice, 2, 4), pick(dice, 3)),
    ],
)
def test_a_witness_shows_dice_for_every_outcome(question: Callable[[Dice], Any]) -> None:
    outcomes = [(result, numerator) for result, numerator, _ in Exact().outcomes(question)]
    witnessed = list(Witness().witnessed(question))
    assert [result for result, _, _ in witnessed] == [result for result, _ in outcomes]
    assert sum(probability for _, _, probability in witnessed) == 1
    for result, fallen, _ in witnessed:
        script = Scripted(fallen)
        assert question(script) == result
        script.finish()


@pytest.mark.parametrize(
    ("name", "broken", "sentence"),
    [
        (
            "resume",
            lambda table, where: RESUME({**table, "answers": table["answers"][:-1]}, where),
            "is different after",
        ),
        ("asked", "", "asks no player who has an answer"),
        ("scene", lambda game, who: [Widget("bar", "")], "has a widget that cannot be drawn"),
        ("endings", ("Ann",), "has other players on its board than those who may win"),
        ("told_from", lambda game, first: [], "sends a page other lines than those of its story"),
        ("play", lambda game, who, move, decision: [], "is answered twice"),
        ("play_by", lambda game, who, tactic: None, "is still asked"),
    ],
)
def test_a_game_around_fights_that_breaks_its_promises_is_named(
    name: str, broken: Any, sentence: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    system = find("bgo")
    monkeypatch.setattr(hosting if hasattr(hosting, name) else hosting.HostedJourney, name, broken)
    with pytest.raises(AssertionError, match=sentence):
        testing._check_adventures(system, 0)
