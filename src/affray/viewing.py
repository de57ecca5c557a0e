"""What a viewer may know of a fight: the one door to a page, a console or another program."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any

from affray.kernel import records
from affray.kernel.chance import Fair
from affray.kernel.system import Thrown, Widget

if TYPE_CHECKING:
    from affray.fight import Fight


def status(fight: Fight, viewer: str | None) -> str:
    """The state as text, cut to what `viewer` may know; the same as in `view`, without the work for the rest of it."""
    state = fight.system.cut(fight.state, None if viewer is None else fight.index(viewer))
    return fight.system.status(state, fight.sheets, fight.names, list(fight.teams))


def scene(fight: Fight, state: Any, who: int) -> list[Widget]:
    """What to draw of the fighter at a place, out of a state that is already cut to the viewer."""
    if fight.system.scene is not None:
        return fight.system.scene(state, fight.sheets, who)
    return [Widget("bar", gauge.name, gauge.value, gauge.most) for gauge in fight.system.gauges(state, who)]


def thrown_for(fight: Fight, first: int = 0, last: int | None = None) -> list[list[Thrown]]:
    """The dice, coins and cards of lines of the story, as far as the system says what they were."""
    lines = fight.lines[first:last]
    return [fight.system.thrown(line.event) if fight.system.thrown is not None else [] for line in lines]


def as_table(drawn: Widget | Thrown) -> dict[str, object]:
    """Something to draw as plain values for JSON."""
    values = {field.name: getattr(drawn, field.name) for field in fields(drawn)}
    return {name: list(value) if isinstance(value, tuple) else value for name, value in values.items()}


def story_table(fight: Fight, first: int = 0) -> list[dict[str, Any]]:
    """The lines of the story from a number on: the sentence, what it cites and what fell for it, as plain values."""
    fell = thrown_for(fight, first)
    return [
        {
            "n": number,
            "text": line.text,
            "decision": line.decision,
            "why": list(line.event.kind.cites),
            "thrown": [as_table(drawn) for drawn in thrown],
        }
        for number, (line, thrown) in enumerate(zip(fight.lines[first:], fell, strict=True), first)
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
