"""The state of a combat as the document's own table, character by character."""

from __future__ import annotations

from collections.abc import Sequence

from affray.kernel.state import RUNNING
from affray.system.pictures import Gauge
from affray.system.setup import Setup
from affray.systems.grapple import rules
from affray.systems.grapple.events import verdict
from affray.systems.grapple.rules import EMPTY, Combat, Fighter
from affray.systems.grapple.sheets import ABBREVIATIONS, Sheet

FRAME = "=" * 37
BETWEEN_TEAMS = "- " * 18
HEADINGS = ("S4", "S3", "S2", "AD/AP", "SD", "DEF", "WOUNDS")
NAME_WIDTH = 20
ARROW = " <-"


def status(setup: Setup[Sheet], fight: Combat) -> str:
    """The state as the document's table: the teams in moving order, an arrow for each fighter who is to move."""
    heading = f"Round: {fight.round}" if fight.ending == RUNNING else verdict(fight.ending, setup.team_names)
    lines = [FRAME, heading]
    for place in range(fight.teams):
        team = fight.order[place]
        lines += [
            BETWEEN_TEAMS.strip(),
            *_block(fight, team, setup.team_names[team], setup.names, place == fight.place),
        ]
    return "\n".join([*lines, FRAME])


def _block(fight: Combat, team: int, title: str, names: Sequence[str], moving: bool) -> list[str]:
    heading = (title + (ARROW if moving else ""))[:NAME_WIDTH]
    lines = [_row(heading, HEADINGS), _row("-" * len(heading), ["-" * len(text) for text in HEADINGS])]
    members = [who for who, fighter in enumerate(fight.fighters) if fighter.team == team]
    for who in sorted(members, key=lambda who: names[who]):
        arrow = ARROW if moving and fight.due >> who & 1 else ""
        lines.append(_row((names[who] + arrow)[:NAME_WIDTH], _cells(fight.fighters[who])))
    return lines


def _row(name: str, cells: Sequence[str]) -> str:
    columns = (f"{cell:>{len(heading)}}" for cell, heading in zip(cells, HEADINGS, strict=True))
    return f"{name:{NAME_WIDTH}} {' '.join(columns)}".rstrip()


def _cells(fighter: Fighter) -> list[str]:
    skills = ["" if skill == EMPTY else ABBREVIATIONS[skill] for skill in fighter.skills]
    marked = [text.upper() if fighter.marked >> slot & 1 else text for slot, text in enumerate(skills)]
    wounds = ("X" if rules.is_out(fighter) else "*") * fighter.wounds
    return [*marked, f"{fighter.ad}/{fighter.ap}", str(fighter.sd), str(fighter.defense), wounds]


def gauges(setup: Setup[Sheet], fight: Combat, who: int) -> list[Gauge]:
    """What a picture draws of a fighter: how far from a knock-out, and the dice at hand."""
    fighter = fight.fighters[who]
    return [
        Gauge("Wounds to go", fighter.max_wounds - fighter.wounds, fighter.max_wounds),
        Gauge("AD", fighter.ad, max(fighter.ap, fighter.pool)),
        Gauge("SD", max(0, fighter.sd), max(6, fighter.sd)),
    ]
