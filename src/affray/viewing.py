"""What a viewer may know of a fight: the one door to a page, a console or another program."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any

from affray.errors import Illegal
from affray.kernel import records
from affray.kernel.chance import Fair, Scripted, Throw, Unseen, read_percent
from affray.kernel.rules import Event, Log
from affray.kernel.system import Thrown, Widget

if TYPE_CHECKING:
    from affray.fight import Fight, Line


def status(fight: Fight, viewer: str | None) -> str:
    """The state as text, cut to what `viewer` may know; the same as in `view`, without the work for the rest of it."""
    state = fight.system.cut(fight.state, None if viewer is None else fight.index(viewer))
    return fight.system.status(state, fight.sheets, fight.names, list(fight.teams))


@dataclass(frozen=True)
class StoryLine:
    """A line of the story: the sentence, the rulings that it cites, and what fell for it."""

    n: int
    text: str
    decision: int
    why: tuple[str, ...]
    thrown: tuple[Thrown, ...]


def story(fight: Fight, first: int = 0) -> list[StoryLine]:
    """The lines of the story from a number on."""
    told = zip(fight.lines[first:], thrown_for(fight, first), strict=True)
    return [
        StoryLine(number, line.text, line.decision, tuple(line.event.kind.cites), tuple(thrown))
        for number, (line, thrown) in enumerate(told, first)
    ]


def view(fight: Fight, viewer: str | None) -> dict[str, Any]:
    """The fight cut to what `viewer` (a fighter's name, or None for a spectator) may know.

    Everything here is made from the cut record and from the public story, so a secret has no way in.
    """
    index = None if viewer is None else fight.index(viewer)
    state = fight.system.cut(fight.state, index)
    due = fight.system.to_act(state)
    seen: dict[str, Any] = {
        "system": fight.system.id,
        "teams": {team: list(members) for team, members in fight.teams.items()},
        "viewer": viewer,
        "decision": fight.decision,
        "round": fight.system.clock(state),
        "to_act": [name for i, name in enumerate(fight.names) if due >> i & 1],
        "status": status(fight, viewer),
        "scene": {name: [as_table(w) for w in scene(fight, state, i)] for i, name in enumerate(fight.names)},
        "state": records.as_table(state),
        "story": [line.text for line in fight.lines],
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
    """What to draw of the fighter at a place, out of a state that is already cut to the viewer."""
    if fight.system.scene is not None:
        return fight.system.scene(state, fight.sheets, who)
    return [Widget("bar", gauge.name, gauge.value, gauge.most) for gauge in fight.system.gauges(state, who)]


def as_table(shown: Widget | Thrown | StoryLine) -> dict[str, Any]:
    """Something to show as plain values for JSON."""
    return {field.name: _plain(getattr(shown, field.name)) for field in fields(shown)}


def _plain(value: object) -> object:
    if isinstance(value, tuple):
        return [_plain(one) for one in value]
    return as_table(value) if isinstance(value, Thrown) else value


# What fell. A story keeps no announcements, so decisions are played once more with what has fallen for them.


def thrown(fight: Fight, line: Line) -> list[Thrown]:
    """The dice, coins and cards of a line of the story, as they fell; nothing of what lies face down."""
    places = [place for place, told in enumerate(fight.lines) if told is line]
    places = places or [place for place, told in enumerate(fight.lines) if told == line]
    if not places:
        raise Illegal(f"the story has no such line: {line}", given=str(line))
    return thrown_for(fight, places[0], places[0] + 1)[0]


def thrown_for(fight: Fight, first: int = 0, last: int | None = None) -> list[list[Thrown]]:
    """The same for several lines of the story, or for all, which is quicker than one by one."""
    lines = fight.lines[first:last]
    if not lines:
        return []
    decisions = [line.decision for line in fight.lines]
    # What fell behind the last line of a decision belongs to the next line there is.
    before = bisect_left(decisions, lines[0].decision) - 1
    since = decisions[before] if before >= 0 else 1
    skipped = first - bisect_left(decisions, since)
    groups = _played_again(fight, since, lines[-1].decision)[skipped : skipped + len(lines)]
    return [_drawn(fight, group) for group in groups]


class _Again(Scripted):
    """What has fallen, once more, and what was asked of the dice each time."""

    def __init__(self, results: Sequence[tuple[int, ...]]) -> None:
        super().__init__(results)
        self.asked: list[Throw] = []

    def throw(self, throw: Throw) -> tuple[int, ...]:
        self.asked.append(throw)
        return super().throw(throw)


@dataclass(frozen=True)
class _Told:
    """An event, and what was asked of the dice for each of its results."""

    event: Event
    asked: Sequence[Throw]


def _played_again(fight: Fight, since: int, until: int) -> list[list[_Told]]:
    """For each line from one decision to another the announcements before it, and its own event behind them."""
    system = fight.system
    played = zip(fight.answers, fight.past_states(), strict=True)
    answers = [(answer, state) for answer, state in played if since <= answer.decision <= until]
    opening = fight.opening if since == 1 else ()
    dice = _Again([*opening, *(result for answer, _ in answers for result in answer.fell)])
    log = Log([[0] * len(system.figure_names) for _ in fight.names], dice.fallen)
    if since == 1:
        system.begin(system.muster(fight.sheets_by_team, fight.options), dice, log)
    for answer, before in answers:
        state, who = records.copy(before), fight.index(answer.who)
        system.apply(state, who, system.read_move(state, who, answer.move, fight.names), dice, log)
    return list(_by_line(fight, log.events, dice.asked))


def _by_line(fight: Fight, events: Sequence[Event], asked: Sequence[Throw]) -> Iterator[list[_Told]]:
    group: list[_Told] = []
    fallen = 0
    for event in events:
        group.append(_Told(event, asked[fallen : fallen + len(event.fell)]))
        fallen += len(event.fell)
        if not fight.system.announces(event, fight.names):
            yield group
            group = []


def _drawn(fight: Fight, group: Sequence[_Told]) -> list[Thrown]:
    """What fell for a line: drawn by its own event or by the announcement before it; else as it was thrown."""
    drawn: list[Thrown] = []
    line = group[-1].event
    announced: Event | None = None
    for told in group:
        seen = [pair for pair in zip(told.event.fell, told.asked, strict=True) if not isinstance(pair[0], Unseen)]
        if seen and fight.system.thrown is None:
            drawn += [shown for result, throw in seen for shown in _as_thrown(throw, result)]
        elif seen and fight.system.thrown is not None:
            fell = tuple(result for result, _ in seen)
            own = fight.system.thrown(replace(line, fell=fell)) if told.event is line or announced is None else []
            drawn += own or (fight.system.thrown(replace(announced, fell=fell)) if announced is not None else [])
        announced = told.event
    return drawn


def _as_thrown(throw: Throw, result: tuple[int, ...]) -> list[Thrown]:
    """A result of a system that says nothing about it; a card may have gone to somebody's hand, so none is shown."""
    match throw.kind:
        case "card":
            return []
        case "coins":
            return [Thrown("coins", (result[0], throw.n))]
        case "percent":
            return [Thrown("percent", tuple(read_percent((result[0], tens), 0) for tens in result[1:]))]
        case kind:
            return [Thrown(kind, result)] if result else []
