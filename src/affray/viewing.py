"""What a viewer may know of a fight: the one door to a page, a console or another program."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from affray.kernel import records
from affray.kernel.chance import Fair

if TYPE_CHECKING:
    from affray.fight import Fight


def status(fight: Fight, viewer: str | None) -> str:
    """The state as text, cut to what `viewer` may know; the same as in `view`, without the work for the rest of it."""
    state = fight.system.cut(fight.state, None if viewer is None else fight.index(viewer))
    return fight.system.status(state, fight.sheets, fight.names, list(fight.teams))


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
