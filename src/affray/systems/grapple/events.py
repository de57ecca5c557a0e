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


STARTS = event("+ Combat has started!", rule="starting, order")
MANEUVERS = event(
    "+ {who} moves: The maneuver succeeds ({successes}/{dice}): AD-{spent}={ad} SD+{successes}+{bonus}={sd}",
    "who slot successes dice spent ad bonus sd",
    rule="maneuver, marking, maneuver-cap",
)
MANEUVER_FAILS = event(_maneuver_fails, "who slot dice bonus sd", rule="maneuver, marking")
STRIKES = event(
    "+ {who} moves: The strike succeeds ({successes}/{dice} vs. {defense}): SD-{spent}={sd} Wounds={wounds}",
    "who target successes dice defense spent sd wounds",
    rule="strike, wounds, ties",
)
STRIKE_FAILS = event(
    "+ {who} moves: The strike fails ({successes}/{dice} vs. {defense}). No SD were spent.",
    "who target successes dice defense",
    rule="strike, ties",
)
ACTS = event(_acts, "who target skill successes dice difficulty spent sd now", rule="skill-action, ties, effects")
ACTION_FAILS = event(
    "+ {who} moves: The skill action fails ({successes}/{dice} vs {difficulty}). No SD were spent.",
    "who target skill successes dice difficulty",
    rule="skill-action, ties",
)
CATCHES = event("+ {who} moves: Catching breath succeeds: AD+3={ad}", rule="catch-breath")
ROUND = event("  New round:       {number}", rule="rounds")
TEAM = event(_team, "team", rule="rounds, skipped-teams")
OVER = event(_over, "ending", rule="over")
