"""Events of a combat in the document's own form, and the status table character by character."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from affray.kernel import records
from affray.kernel.rules import Event, Kind
from affray.kernel.system import Gauge
from affray.systems.grapple import rules
from affray.systems.grapple.rules import AC, CO, EMPTY, EN, IN, LD, MD, RUNNING, SP, SR, SY, TC, TR, TT, Combat, Fighter
from affray.systems.grapple.sheets import ABBREVIATIONS, Sheet

FRAME = "=" * 37
BETWEEN_TEAMS = "- " * 18
HEADINGS = ("S4", "S3", "S2", "AD/AP", "SD", "DEF", "WOUNDS")
NAME_WIDTH = 20
ARROW = " <-"

# What each skill action has changed, once it has succeeded: the stat, by how much, and what it is now.
EFFECTS = {
    AC: "DEF-1={}",
    CO: "AD+6={}",
    EN: "DEF+1={}",
    IN: "AD-4={}",
    LD: "AD+3={}",
    MD: "Wounds-1={}",
    SP: "maneuver dice+{}",
    SR: "strike dice+{}",
    SY: "AP+4={}",
    TC: "SD+2={}",
    TT: "SD-2={}",
    TR: "SD={}",
}


def tell(event: Event, fight: Combat, sheets: Sequence[Sheet], names: Sequence[str], teams: Sequence[str]) -> str:
    """One event as a line; what follows from a move stands indented below it."""
    if event.kind == rules.STARTS:
        return "+ Combat has started!"
    if event.kind == rules.ROUND:
        return f"  New round:       {event.number}"
    if event.kind == rules.TEAM:
        return f"  New team moving: {teams[event.team]}"
    if event.kind == rules.OVER:
        return "  " + verdict(event.ending, teams)
    return f"+ {names[event.who]} moves: {_RESULTS[event.kind](event, names)}"


def verdict(ending: int, teams: Sequence[str]) -> str:
    """How the combat ended."""
    return f"COMBAT IS OVER! Winning team: {teams[ending] if ending < len(teams) else 'none!'}"


def _maneuver_fails(event: Event, names: Sequence[str]) -> str:
    bonus = f" SD+0+{event.bonus}={event.sd}" if event.bonus else ""
    return f"The maneuver fails (0/{event.dice}). No AD were spent.{bonus}"


def _acts(event: Event, names: Sequence[str]) -> str:
    whom = "" if event.target == event.who else f"{names[event.target]} "
    return (
        f"The skill action succeeds ({event.successes}/{event.dice} vs {event.difficulty}): "
        f"SD-{event.spent}={event.sd} {whom}{EFFECTS[event.skill].format(event.now)}"
    )


_RESULTS: Mapping[Kind, Callable[[Event, Sequence[str]], str]] = {
    rules.MANEUVERS: lambda e, names: (
        f"The maneuver succeeds ({e.shown}/{e.dice}): AD-{e.spent}={e.ad} SD+{e.shown}+{e.bonus}={e.sd}"
    ),
    rules.MANEUVER_FAILS: _maneuver_fails,
    rules.STRIKES: lambda e, names: (
        f"The strike succeeds ({e.successes}/{e.dice} vs. {e.defense}): SD-{e.spent}={e.sd} Wounds={e.wounds}"
    ),
    rules.STRIKE_FAILS: lambda e, names: (
        f"The strike fails ({e.successes}/{e.dice} vs. {e.defense}). No SD were spent."
    ),
    rules.ACTS: _acts,
    rules.ACTION_FAILS: lambda e, names: (
        f"The skill action fails ({e.successes}/{e.dice} vs {e.difficulty}). No SD were spent."
    ),
    rules.CATCHES: lambda e, names: f"Catching breath succeeds: AD+{rules.BREATH}={e.ad}",
}


def status(fight: Combat, sheets: Sequence[Sheet], names: Sequence[str], teams: Sequence[str]) -> str:
    """The state as the document's table: the teams in moving order, an arrow for whoever is to move."""
    heading = f"Round: {fight.round}" if fight.ending == RUNNING else verdict(fight.ending, teams)
    lines = [FRAME, heading]
    for place in range(fight.teams):
        team = fight.order[place]
        lines += [BETWEEN_TEAMS.strip(), *_block(fight, team, teams[team], names, place == fight.place)]
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


def gauges(fight: Combat, who: int) -> list[Gauge]:
    """What a picture draws of a fighter: how far from a knock-out, and the dice at hand."""
    fighter = fight.fighters[who]
    return [
        Gauge("Wounds to go", fighter.max_wounds - fighter.wounds, fighter.max_wounds),
        Gauge("AD", fighter.ad, max(fighter.ap, fighter.pool)),
        Gauge("SD", max(0, fighter.sd), max(6, fighter.sd)),
    ]


def cut(fight: Combat, viewer: int | None) -> Combat:
    """The combat as a viewer may know it: everything lies open."""
    return records.copy(fight)
