"""What happens in a combat, each kind with its line in the document's own form and the rules it cites."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from affray.kernel.rules import Event, event

if TYPE_CHECKING:
    from collections.abc import Sequence

    from affray.system.setup import Setup

# What each skill action has changed, once it has succeeded, in the order of the skills' numbers: the stat, by how
# much, and what it is now.
EFFECTS = (
    "DEF-1={}",
    "AD+6={}",
    "DEF+1={}",
    "AD-4={}",
    "AD+3={}",
    "Wounds-1={}",
    "maneuver dice+{}",
    "strike dice+{}",
    "AP+4={}",
    "SD+2={}",
    "SD-2={}",
    "SD={}",
)


def verdict(ending: int, teams: Sequence[str]) -> str:
    """How the combat ended."""
    return f"COMBAT IS OVER! Winning team: {teams[ending] if ending < len(teams) else 'none!'}"


def _maneuver_fails(setup: Setup[Any], fight: Any, event: Event) -> str:
    bonus = f" SD+0+{event.bonus}={event.sd}" if event.bonus else ""
    return f"+ {setup.names[event.who]} moves: The maneuver fails (0/{event.dice}). No AD were spent.{bonus}"


def _acts(setup: Setup[Any], fight: Any, event: Event) -> str:
    whom = "" if event.target == event.who else f"{setup.names[event.target]} "
    return (
        f"+ {setup.names[event.who]} moves: The skill action succeeds "
        f"({event.successes}/{event.dice} vs {event.difficulty}): "
        f"SD-{event.spent}={event.sd} {whom}{EFFECTS[event.skill].format(event.now)}"
    )


def _team(setup: Setup[Any], fight: Any, event: Event) -> str:
    return f"  New team moving: {setup.team_names[event.team]}"


def _over(setup: Setup[Any], fight: Any, event: Event) -> str:
    return "  " + verdict(event.ending, setup.team_names)


# When a ruling applies that not every such event has to do with


def _cut(setup: Setup[Any], event: Event) -> bool:
    """Whether more dice succeeded than a maneuver earns."""
    from affray.systems.grapple.rules import SUCCESS

    return sum(face >= SUCCESS for throw in event.fell for face in throw) > event.successes


def _tie(setup: Setup[Any], event: Event) -> bool:
    against = event.defense if "defense" in event.kind.fields else event.difficulty
    return event.successes == against


STARTS = event("+ Combat has started!", rule="starting, order")
MANEUVERS = event(
    "+ {who} moves: The maneuver succeeds ({successes}/{dice}): AD-{spent}={ad} SD+{successes}+{bonus}={sd}",
    "who slot successes dice spent ad bonus sd",
    rule="maneuver, marking, maneuver-cap",
    where={"maneuver-cap": _cut},
    amounts=True,
)
MANEUVER_FAILS = event(_maneuver_fails, "who slot dice bonus sd", rule="maneuver, marking", amounts=True)
STRIKES = event(
    "+ {who} moves: The strike succeeds ({successes}/{dice} vs. {defense}): SD-{spent}={sd} Wounds={wounds}",
    "who target successes dice defense spent sd wounds",
    rule="strike, wounds, ties",
    where={"ties": _tie},
    amounts=True,
)
STRIKE_FAILS = event(
    "+ {who} moves: The strike fails ({successes}/{dice} vs. {defense}). No SD were spent.",
    "who target successes dice defense",
    rule="strike, ties",
    where={"ties": _tie},
)
ACTS = event(
    _acts,
    "who target skill successes dice difficulty spent sd now",
    rule="skill-action, effects, ties",
    where={"ties": _tie},
    amounts=True,
)
ACTION_FAILS = event(
    "+ {who} moves: The skill action fails ({successes}/{dice} vs {difficulty}). No SD were spent.",
    "who target skill successes dice difficulty",
    rule="skill-action, ties",
    where={"ties": _tie},
)
CATCHES = event("+ {who} moves: Catching breath succeeds: AD+3={ad}", rule="catch-breath", amounts=True)
ROUND = event("  New round:       {number}", rule="rounds")
TEAM = event(
    _team,
    "team skipped",
    rule="rounds, skipped-teams",
    where={"skipped-teams": lambda setup, event: event.skipped > 0},
)
OVER = event(
    _over,
    "ending capped",
    rule="over, round-cap",
    where={
        "over": lambda setup, event: not event.capped,
        "round-cap": lambda setup, event: bool(event.capped),
    },
)
