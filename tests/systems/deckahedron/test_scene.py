"""Piles, tokens and flipped cards as they are drawn, and nothing of what lies face down. 14."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from affray.fight import Fight
from affray.fight.viewing import scene, thrown_for
from affray.system.pictures import Thrown, Widget

Scenery = Callable[..., Any]
STATS = Widget("numbers", "Stats", names=("Str 2", "Dex 2", "Int 2"))


def drawn(fight: Fight, who: int) -> list[Widget]:
    """What a spectator is shown; a viewer with the whole record would see no more."""
    widgets = scene(fight, fight.setup.view(fight.state, None), who)
    assert scene(fight, fight.state, who) == widgets
    return widgets


def fallen(fight: Fight) -> dict[str, list[Thrown]]:
    """What fell for each line for which anything did."""
    return {line.text: throws for line, throws in zip(fight.lines, thrown_for(fight), strict=True) if throws}


def test_heroic_lost_cards_are_counted_and_not_shown(duel: Scenery) -> None:
    table = duel({"ranged": "held", "ammo_used": 1, "harm": 1})
    table.move("Ada", "attack", 11, 2, "d2", down=[3, 13])
    assert drawn(table.fight, 0) == [
        Widget("bar", "Stamina", 10, 10),
        Widget("pile", "Deck", 19),
        Widget("pile", "Discard pile", 1, names=("11:4444",)),
        Widget("pile", "Exhaustion pile", 0, note="face down"),
        Widget("marks", "Harm", 1, 2),
        Widget("marks", "Wounds", 0, 2),
        Widget("rounds", "Ammo", 2, 3),
        STATS,
        Widget("tags", "State", names=("close to Bob",)),
    ]
    assert drawn(table.fight, 1) == [
        Widget("bar", "Stamina", 8, 10),
        Widget("pile", "Deck", 17),
        Widget("pile", "Discard pile", 1, names=("2:1241",)),
        Widget("pile", "Exhaustion pile", 2, note="face down"),
        Widget("marks", "Harm", 0, 2),
        Widget("marks", "Wounds", 0, 2),
        STATS,
        Widget("tags", "State", names=("close to Ada",)),
    ]
    # Two flips, a die, and nothing of the two cards that Bob has lost.
    told = [thrown for throws in thrown_for(table.fight) for thrown in throws]
    assert [thrown for thrown in told if not thrown.note.startswith("Dex")] == [
        Thrown("card", (11,), "Str: two checks", ("11:4444",)),
        Thrown("card", (2,), "Str: a cross", ("2:1241",)),
        Thrown("dice", (2,), "1d4"),
    ]


def test_gritty_cards_that_were_searched_through_lie_open(duel: Scenery) -> None:
    table = duel(mode="gritty")
    table.move("Ada", "attack", 12, 6)
    table.move("Ada", "stamina", 3, 1, 15)
    assert drawn(table.fight, 0)[2:4] == [
        Widget("pile", "Discard pile", 3, names=("1:1111", "3:1232", "12:1334")),
        Widget("pile", "Exhaustion pile", 1, names=("15:1224",)),
    ]
    assert list(fallen(table.fight).values())[-1] == [
        Thrown("card", (3,), "no Stamina symbol", ("3:1232",)),
        Thrown("card", (1,), "no Stamina symbol", ("1:1111",)),
        Thrown("card", (15,), "a Stamina symbol", ("15:1224",)),
    ]


def test_pips_read_off_cards_are_drawn_as_cards(duel: Scenery) -> None:
    table = duel(d4="cards")
    table.move("Ada", "attack", 11, 2, 1, 13)
    told = fallen(table.fight)
    assert told["Ada flips 1:1111 for pips: a blank."] == [Thrown("card", (1,), "1d4: a blank", ("1:1111",))]
    assert told["Ada flips 13:3342 for pips: 2."] == [Thrown("card", (13,), "1d4: 2", ("13:3342",))]


def test_a_die_that_fell_before_a_question_is_drawn_with_its_answer(duel: Scenery) -> None:
    table = duel({"tokens": 1, "tokens_taken": 1})
    table.stack("Ada", exhausted=[13, 14])
    table.move("Ada", "breathe int", 11, "d2")
    assert "d4" not in str(thrown_for(table.fight))
    table.move("Ada", "token", 14)
    told = fallen(table.fight)
    assert told["Ada discards an Exhaustion token and has 0 left."] == [Thrown("dice", (2,), "1d4")]
    assert told["Ada regains a Stamina point, 14:3134, and has 9 points left."] == [
        Thrown("pick", (1,), "which card of the Exhaustion pile"),
        Thrown("card", (14,), "back from the Exhaustion pile", ("14:3134",)),
    ]


def test_whoever_has_no_deck_is_drawn_with_the_storytellers(duel: Scenery) -> None:
    table = duel(bob={"deck": False, "stamina": 4, "tokens": 2, "tokens_taken": 1})
    table.fight.state.fighters[1].pinned = 1
    assert drawn(table.fight, 1) == [
        Widget("bar", "Stamina", 4, 4),
        Widget("pile", "Storyteller's deck", 20),
        Widget("pile", "Storyteller's discard pile", 0),
        Widget("tokens", "Exhaustion tokens", 1, 2, names=("Exhaustion",)),
        STATS,
        Widget("tags", "State", names=("pinned", "close to Ada")),
    ]
