"""The conformance kit: it passes a system that keeps its promises, and names the promise that another breaks."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random
from types import ModuleType
from typing import Any

import pytest

from affray import testing
from affray.errors import Illegal, Invalid
from affray.kernel import records
from affray.kernel.chance import Dice, Scripted
from affray.kernel.exact import Exact
from affray.kernel.rules import Log
from affray.kernel.system import Gauge, Impossible, System, Thrown, Widget
from affray.testing import Witness, check_system

DUEL = {"one": ["ann"], "two": ["bob"]}
Change = Callable[[Any, System[Any, Any]], dict[str, Any]]


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

    def duels_only(teams: Sequence[Sequence[Any]], options: Any) -> Any:
        if [len(team) for team in teams] != [1, 1]:
            raise Invalid("only two may fight")
        return toy.muster(teams, options)

    report = check_system(replace(toy.system, muster=duels_only), fights=6)
    assert 0 < report.fights < 6
    with pytest.raises(AssertionError, match="only two may fight"):
        check_system(replace(toy.system, muster=duels_only), rosters=[{"a": ["ann", "bob"], "b": ["cat"]}], fights=1)


# What is broken, and how the kit says so


def applying(toy: Any, more: Callable[[Any, int, int, Any, Log | None], None]) -> dict[str, Any]:
    """`apply`, and then something more."""

    def apply(game: Any, who: int, move: int, dice: Dice, log: Log | None) -> None:
        toy.apply(game, who, move, dice, log)
        more(game, who, move, dice, log)

    return {"apply": apply}


def outside_the_record(toy: Any, system: System[Any, Any]) -> dict[str, Any]:
    calls = itertools.count()

    def more(game: Any, who: int, move: int, dice: Dice, log: Log | None) -> None:
        game.players[who].life = 1 + next(calls) % 7

    return applying(toy, more)


def own_dice(toy: Any, system: System[Any, Any]) -> dict[str, Any]:
    random = Random(1)

    def begin(game: Any, dice: Dice, log: Log | None) -> None:
        toy.begin(game, dice, log)
        game.players[0].life += random.randrange(50)

    return {"begin": begin}


def dice_for_the_log(toy: Any, system: System[Any, Any]) -> dict[str, Any]:
    return applying(toy, lambda game, who, move, dice, log: None if log is None else dice.pips(1, 6) and None)


def chance_without_end(toy: Any, system: System[Any, Any]) -> dict[str, Any]:
    def more(game: Any, who: int, move: int, dice: Dice, log: Log | None) -> None:
        while dice.heads(1) == 0:
            pass

    return applying(toy, more)


def told_too_early(toy: Any, system: System[Any, Any]) -> dict[str, Any]:
    def more(game: Any, who: int, move: int, dice: Dice, log: Log | None) -> None:
        if game.phase == toy.BID and game.due and game.players[who].bid:
            toy.emit(log, toy.BIDS, who, move)

    return applying(toy, more)


def twice_under_one_number(toy: Any, system: System[Any, Any]) -> dict[str, Any]:
    def apply(game: Any, who: int, move: int, dice: Dice, log: Log | None) -> None:
        if game.phase == toy.BID and game.players[who].hand.bit_count() > 1:
            game.players[who].hand &= ~(1 << move)
        else:
            toy.apply(game, who, move, dice, log)

    return {"apply": apply}


def numbers_too_large(toy: Any, system: System[Any, Any]) -> dict[str, Any]:
    def more(game: Any, who: int, move: int, dice: Dice, log: Log | None) -> None:
        game.mover = 2**40

    return applying(toy, more)


def cut_short(toy: Any, system: System[Any, Any]) -> dict[str, Any]:
    """Bids stay in the cut record."""

    def cut(game: Any, viewer: int | None) -> Any:
        seen = toy.cut(game, viewer)
        for shown, player in zip(seen.players, game.players, strict=True):
            shown.bid = player.bid
        return seen

    return {"cut": cut}


def a_tick(toy: Any, system: System[Any, Any]) -> dict[str, Any]:
    """The cut record tells who has bid."""

    def cut(game: Any, viewer: int | None) -> Any:
        seen = toy.cut(game, viewer)
        seen.due = game.due
        return seen

    return {"cut": cut}


def cards_in_the_refusal(toy: Any, system: System[Any, Any]) -> dict[str, Any]:
    def read_move(game: Any, who: int, text: str, names: Sequence[str]) -> int:
        if text == "no such move":
            raise Illegal(f"that would take {sum(player.hand for player in game.players)}")
        return int(toy.read_move(game, who, text, names))

    return {"read_move": read_move}


def bids_in_the_status(toy: Any, system: System[Any, Any]) -> dict[str, Any]:
    def status(game: Any, sheets: Any, names: Sequence[str], teams: Sequence[str]) -> str:
        return f"{sum(player.bid > 0 for player in game.players)} have bid"

    return {"status": status}


def bids_in_the_gauges(toy: Any, system: System[Any, Any]) -> dict[str, Any]:
    return {"gauges": lambda game, who: [Gauge("bid", game.players[who].bid, 6)]}


def too_much_to_draw(toy: Any, system: System[Any, Any]) -> dict[str, Any]:
    return {"scene": lambda game, sheets, who: [Widget("bar", "life", 10 * game.players[who].life, 9)]}


def nothing_to_call_it(toy: Any, system: System[Any, Any]) -> dict[str, Any]:
    return {"scene": lambda game, sheets, who: [Widget("tags", "State", names=("tired", ""))]}


def more_heads_than_coins(toy: Any, system: System[Any, Any]) -> dict[str, Any]:
    return {"thrown": lambda event: [Thrown("coins", (2, 1))]}


def telling_reasons(toy: Any, system: System[Any, Any]) -> dict[str, Any]:
    def impossible(game: Any, who: int, names: Sequence[str]) -> list[Impossible]:
        bids = sum(player.bid > 0 for i, player in enumerate(game.players) if i != who)
        return [Impossible("pass", f"{bids} others have bid")]

    return {"impossible": impossible}


def peeking(toy: Any, system: System[Any, Any]) -> dict[str, Any]:
    def peek(game: Any, who: int, whim: Dice) -> int:
        moves = [0] * 6
        count = toy.legal(game, who, moves)
        return moves[sum(player.hand for player in game.players) % count]

    return {"tactics": {"peek": peek}, "usual_tactic": lambda sheet: "peek"}


def too_bold(toy: Any, system: System[Any, Any]) -> dict[str, Any]:
    return {"tactics": {"bold": lambda game, who, whim: 5}, "usual_tactic": lambda sheet: "bold"}


def reads_anything(toy: Any, system: System[Any, Any]) -> dict[str, Any]:
    def read_move(game: Any, who: int, text: str, names: Sequence[str]) -> int:
        moves = [0] * 6
        known = {toy.write_move(game, who, m, names): m for m in moves[: toy.legal(game, who, moves)]}
        return known.get(text, moves[0])

    return {"read_move": read_move}


def reads_what_others_may(toy: Any, system: System[Any, Any]) -> dict[str, Any]:
    def read_move(game: Any, who: int, text: str, names: Sequence[str]) -> int:
        if game.phase == toy.BID and text.startswith("bid "):
            return int(text.removeprefix("bid "))
        return int(toy.read_move(game, who, text, names))

    return {"read_move": read_move, "impossible": lambda game, who, names: []}


def two_alike(toy: Any, system: System[Any, Any]) -> dict[str, Any]:
    return {"write_move": lambda game, who, move, names: "bid" if game.phase == toy.BID else ("rest", "attack")[move]}


def no_words(toy: Any, system: System[Any, Any]) -> dict[str, Any]:
    return {"tell": lambda event, game, sheets, names, teams: f"{event.values}"}


def two_lines(toy: Any, system: System[Any, Any]) -> dict[str, Any]:
    return {"tell": lambda event, game, sheets, names, teams: f"{event.kind.name}\n{event.values}"}


def wide_status(toy: Any, system: System[Any, Any]) -> dict[str, Any]:
    return {"status": lambda game, sheets, names, teams: "-" * 81}


def endless(toy: Any, system: System[Any, Any]) -> dict[str, Any]:
    def more(game: Any, who: int, move: int, dice: Dice, log: Log | None) -> None:
        if game.phase == toy.BID and not any(player.bid for player in game.players):
            game.round = 1
            for player in game.players:
                player.life = 3

    return applying(toy, more)


def strange_outcome(toy: Any, system: System[Any, Any]) -> dict[str, Any]:
    return {"outcome": lambda game: 7 if game.ending >= 0 else -1}


def stuck(toy: Any, system: System[Any, Any]) -> dict[str, Any]:
    return {"legal": lambda game, who, moves: 0}


def asking_changes(toy: Any, system: System[Any, Any]) -> dict[str, Any]:
    def gauges(game: Any, who: int) -> list[Gauge]:
        game.players[who].life += 1
        return []

    return {"gauges": gauges}


def forgets_too_much(toy: Any, system: System[Any, Any]) -> dict[str, Any]:
    def timeless(game: Any) -> None:
        game.round = 1
        game.players[0].hand = 0b1000

    return {"timeless": timeless}


def lost_ruling(toy: Any, system: System[Any, Any]) -> dict[str, Any]:
    return {"rulings": lambda: {"cards": toy.RULINGS["cards"], "end": toy.RULINGS["end"]}}


def lost_sheet(toy: Any, system: System[Any, Any]) -> dict[str, Any]:
    return {"as_table": lambda sheet: {"id": sheet.id, "name": sheet.name, "life": 1}}


def no_such_tactic(toy: Any, system: System[Any, Any]) -> dict[str, Any]:
    return {"usual_tactic": lambda sheet: "hope"}


BROKEN: list[tuple[Change, str]] = [
    (outside_the_record, "falling gives another outcome|equal records go on differently"),
    (own_dice, "falling gives another outcome"),
    (dice_for_the_log, "dice fall differently when there is a log"),
    (chance_without_end, "chance without an end"),
    (told_too_early, "the story tells"),
    (twice_under_one_number, "may answer twice under one number"),
    (numbers_too_large, "does not fit its field"),
    (cut_short, "choice is still to be hidden"),
    (a_tick, "choice is still to be hidden"),
    (cards_in_the_refusal, "sees more than the cut record holds: the refusals"),
    (bids_in_the_status, "anybody can tell bid .: the status"),
    (bids_in_the_gauges, "anybody can tell bid .: the gauges"),
    (too_much_to_draw, "this cannot be drawn"),
    (nothing_to_call_it, "this cannot be drawn"),
    (more_heads_than_coins, "this cannot have fallen"),
    (telling_reasons, "sees more than the cut record holds: the moves|choice is still to be hidden"),
    (peeking, "by peeking"),
    (too_bold, "which is not legal"),
    (reads_anything, "which is not legal"),
    (reads_what_others_may, "is read as ., which is not legal"),
    (two_alike, "are written alike"),
    (no_words, "which is no line of words"),
    (two_lines, "which is no line of words"),
    (wide_status, "does not fit 80 columns"),
    (endless, "has not ended after 200 answers"),
    (strange_outcome, "list index out of range|is no ending"),
    (stuck, "owes a decision or not"),
    (asking_changes, "asking changed the record"),
    (forgets_too_much, "forgetting the clock changes the moves"),
    (lost_ruling, "cited rulings do not exist"),
    (lost_sheet, "is another sheet after as_table and enlist"),
    (no_such_tactic, "has no tactic that exists"),
]


@pytest.mark.parametrize(("change", "claim"), BROKEN, ids=[change.__name__ for change, _ in BROKEN])
def test_a_broken_promise_is_named(
    toy: ModuleType, monkeypatch: pytest.MonkeyPatch, change: Change, claim: str
) -> None:
    monkeypatch.setattr(testing, "MOST_ANSWERS", 200)
    monkeypatch.setattr(testing, "_compare_compiled", lambda examined: None)
    broken = replace(toy.system, **change(toy, toy.system))
    with pytest.raises(AssertionError, match=claim) as caught:
        check_system(broken, fights=8, rosters=[DUEL, {"one": ["ann", "bob"], "two": ["cat"]}])
    assert str(caught.value).startswith("toy: ")


def test_a_failure_says_how_to_see_it_again(toy: ModuleType) -> None:
    broken = replace(toy.system, status=lambda game, sheets, names, teams: "-" * (81 if game.round > 2 else 9))
    with pytest.raises(AssertionError) as caught:
        check_system(broken, fights=9, seed=40)
    message = str(caught.value)
    call = message[message.index("again: ") + len("again: ") :]
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
        lambda dice: dice.heads(5),
        lambda dice: dice.pips(3, 6),
        lambda dice: dice.pips(4, 1),
        lambda dice: dice.pips(0, 6),
        lambda dice: dice.pips(1, 20),
        lambda dice: dice.reaches(3, 6, 10),
        lambda dice: dice.reaches(3, 6, 19),
        lambda dice: dice.successes(4, 5),
        lambda dice: dice.successes(4, 7),
        lambda dice: dice.percent(0),
        lambda dice: dice.percent(-2),
        lambda dice: dice.percent(2),
        lambda dice: dice.draw(0b1010_0001),
        lambda dice: dice.pick(6),
        lambda dice: (dice.heads(2), dice.pips(2, 4), dice.pick(3)),
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
