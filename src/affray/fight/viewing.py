"""What a viewer may know of a fight: the only source for a page, a console or another program."""

from __future__ import annotations

from dataclasses import fields, replace
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from affray.errors import Illegal
from affray.kernel import records
from affray.kernel.chance import Fair, Fell, read_percent
from affray.kernel.rules import Event
from affray.kernel.state import State, to_act
from affray.system import gauging
from affray.system.pictures import Thrown, Widget
from affray.system.status import WIDTH, name_column, named_row
from affray.system.telling import cited
from affray.system.values import value

if TYPE_CHECKING:
    from affray.fight import Fight, Line
    from affray.system.setup import Setup

OVERSEER = "*"
"""The viewer who sees all that a spectator does, and every number: a storyteller who does not fight."""


def seen_by(fight: Fight, viewer: str | None) -> Any:
    """The record as a fighter, a spectator (None) or the OVERSEER may know it; `in_words` says whose numbers to cut."""
    return fight.setup.view(fight.state, None if viewer in (None, OVERSEER) else fight.index(str(viewer)))


def in_words(setup: Setup[Any], viewer: str | None, *, over: bool) -> frozenset[int]:
    """The places of the fighters of whom a viewer may know only how they stand, in words: those of other teams."""
    if over or viewer == OVERSEER or not gauging.in_words(setup.options):
        return frozenset()
    own = None if viewer is None else setup.team_of[viewer]
    return frozenset(place for place, name in enumerate(setup.names) if setup.team_of[name] != own)


def status(fight: Fight, viewer: str | None) -> str:
    """The state as text, as far as `viewer` may know it; the same as in `view`, but faster."""
    state = seen_by(fight, viewer)
    if not (worded := in_words(fight.setup, viewer, over=fight.over)):
        return fight.system.status(fight.setup, state)
    wide = name_column(fight.names, LONGEST_NAME)
    lines = [f"Round {state.round}"]
    for place, name in enumerate(fight.names):
        drawn = "; ".join(_in_text(widget) for widget in scene_of(fight.setup, state, place, worded))
        lines += [part for line in named_row(name, wide, drawn) for part in wrap(line, WIDTH, **_HANGING)]
    return "\n".join(lines)


LONGEST_NAME = 24  # of names written before what is drawn of a fighter
_HANGING: dict[str, Any] = {"subsequent_indent": "    ", "drop_whitespace": True, "break_on_hyphens": False}


def _in_text(widget: Widget) -> str:
    amount = f"{widget.value}/{widget.most}" if widget.most else str(widget.value)
    return " ".join(word for word in (widget.label, ", ".join(widget.names) or amount, widget.note) if word)


@value
class StoryLine:
    """A line of the story: the sentence, the rulings that it cites, and what fell for it."""

    n: int
    text: str
    decision: int
    why: tuple[str, ...]
    thrown: tuple[Thrown, ...]


def story(fight: Fight, first: int = 0, *, full: bool = False) -> list[StoryLine]:
    """The lines of the story from a number on; `full` with what is the storyteller's secret."""
    return [_line(fight, number, full=full) for number in range(first, len(fight.lines))]


def _line(fight: Fight, number: int, *, full: bool) -> StoryLine:
    line = fight.lines[number]
    if full and line.whole:
        thrown, cites = tuple(_drawn(fight, line.opened())), cited(fight.setup, line.event)
        return StoryLine(number, line.full, line.decision, cites, thrown)
    return StoryLine(number, line.text, line.decision, fight.cites(number), tuple(_drawn(fight, line)))


def view(fight: Fight, viewer: str | None) -> dict[str, Any]:
    """What `viewer` (a fighter's name, or None for a spectator) may know of the fight.

    All of it is made from the viewer's own view of the record and the public story, so no secret can leak.
    """
    index = None if viewer in (None, OVERSEER) else fight.index(str(viewer))
    state, worded = seen_by(fight, viewer), in_words(fight.setup, viewer, over=fight.over)
    due = to_act(state)
    seen: dict[str, Any] = {
        "system": fight.system.id,
        "teams": {team: list(members) for team, members in fight.teams.items()},
        "viewer": viewer,
        "decision": fight.decision,
        "round": state.round,
        "to_act": [name for i, name in enumerate(fight.names) if due >> i & 1],
        "status": status(fight, viewer),
        "scene": {
            name: [as_table(w) for w in scene_of(fight.setup, state, i, worded)] for i, name in enumerate(fight.names)
        },
        "state": _record(fight.setup, state, worded),
        "story": [line.full if viewer == OVERSEER else line.text for line in fight.lines],
        "ending": fight.ending,
        "commitment": fight.dice.commitment if isinstance(fight.dice, Fair) else None,
    }
    if index is not None:
        seen["legal"] = [str(move) for move in fight.legal(fight.names[index])]
        seen["answered"] = next(
            (a.move for a in reversed(fight.answers) if a.who == viewer and a.decision == fight.decision), None
        )
    return seen


def scene(fight: Fight, state: Any, who: int) -> list[Widget]:
    """What to draw of the fighter at a place, from a state without what the viewer may not know."""
    return fight.system.scene(fight.setup, state, who)


def scene_of(setup: Setup[Any], state: Any, who: int, worded: frozenset[int]) -> list[Widget]:
    """What to draw of the fighter at a place, from a state without what the viewer may not know.

    Of the `worded` it is how they stand, and what else can be told without a number.
    """
    drawn = setup.system.scene(setup, state, who)
    if who not in worded:
        return drawn
    told = [replace(one, names=tuple(filter(_has_no_number, one.names))) for one in drawn if one.kind == "tags"]
    return [Widget("tags", "Condition", names=(gauging.condition(setup, state, who),)), *(o for o in told if o.names)]


def _has_no_number(text: str) -> bool:
    return not any(letter.isdigit() for letter in text)


def _record(setup: Setup[Any], state: Any, worded: frozenset[int]) -> dict[str, Any]:
    """The record as plain values; with `worded` fighters only what the engine knows of a fight, and the others."""
    table = records.as_table(state)
    if not worded:
        return table
    known = {name: table[name] for name, _ in records.shape(State)}
    shown = [
        {"team": one["team"], "condition": gauging.condition(setup, state, place)} if place in worded else one
        for place, one in enumerate(table["fighters"])
    ]
    return {**known, "fighters": shown}


def as_table(shown: Widget | Thrown | StoryLine) -> dict[str, Any]:
    """A value to show, as plain values for JSON."""
    return {field.name: _plain(getattr(shown, field.name)) for field in fields(shown)}


def _plain(value: object) -> object:
    if isinstance(value, tuple):
        return [_plain(one) for one in value]
    return as_table(value) if isinstance(value, Thrown) else value


# What fell


def thrown(fight: Fight, line: Line) -> list[Thrown]:
    """The dice, coins and cards of a line of the story, as they fell; nothing of what lies face down."""
    if line not in fight.lines:
        raise Illegal(f"the story has no such line: {line}", given=str(line))
    return _drawn(fight, line)


def thrown_for(fight: Fight, first: int = 0, last: int | None = None) -> list[list[Thrown]]:
    """The same for several lines of the story, or for all."""
    return [_drawn(fight, line) for line in fight.lines[first:last]]


def _drawn(fight: Fight, line: Line) -> list[Thrown]:
    """The dice of a line: drawn by its own event or by the announcement before it; otherwise as they were thrown.

    Of a line without its numbers there are none.
    """
    if line.whole:
        return []
    drawn: list[Thrown] = []
    announced: Event | None = None
    for event in (*line.announced, line.event):
        seen = tuple(result for result in event.fell if not result.unseen)
        if seen and fight.system.thrown is None:
            drawn += [shown for result in seen for shown in _as_thrown(result)]
        elif seen:
            own = _own(fight, line.event, seen) if event is line.event or announced is None else []
            drawn += own or (_own(fight, announced, seen) if announced is not None else [])
        announced = event
    return drawn


def _own(fight: Fight, event: Event, fell: tuple[Fell, ...]) -> list[Thrown]:
    assert fight.system.thrown is not None
    shown = fight.system.thrown(fight.setup, fight.state, event if fell == event.fell else replace(event, fell=fell))
    if not any(one.kind == "dice" for one in shown):
        return shown
    sides = {tuple(result): result.throw.sides for result in fell if result.throw.kind == "dice"}
    return [
        Thrown("dice", one.faces, one.note, one.names, sides.get(one.faces, 0)) if one.kind == "dice" else one
        for one in shown
    ]


def _as_thrown(result: Fell) -> list[Thrown]:
    """A result of a system that says nothing about it; a card may have gone to a player's hand, so none is shown."""
    throw = result.throw
    match throw.kind:
        case "card":
            return []
        case "coins":
            return [Thrown("coins", (result[0], throw.n))]
        case "percent":
            return [Thrown("percent", tuple(read_percent((result[0], tens), 0) for tens in result[1:]))]
        case kind:
            sides = throw.sides if kind == "dice" else 0
            return [Thrown(kind, result, sides=sides)] if result else []
