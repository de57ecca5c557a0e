"""Asks who fights, and who plays them, with a default answer to every question."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from affray.errors import Invalid, Refused, unknown
from affray.fight import Spec
from affray.system.contract import System
from affray.system.registry import find, names
from affray.terminal.screen.keyboard import Keyboard, Leave, Words
from affray.terminal.screen.output import complain, say

T = TypeVar("T")


@dataclass
class Lineup:
    """Who fights, and who plays them."""

    teams: dict[str, list[Spec]]
    persons: list[str] = field(default_factory=list)  # each names all that one person plays, with commas
    computers: list[str] = field(default_factory=list)
    tactics: dict[str, str] = field(default_factory=dict)


def ask_system(keyboard: Keyboard) -> str:
    """Which system to play; where there is only one, it is not asked."""
    installed = names()
    if len(installed) == 1:
        return installed[0]
    say("Which combat system?", style="heading")
    for id in installed:
        say(f"{id:<12} {find(id).summary}", indent="  ", hang=" " * 15)
    return _one_of(installed, keyboard, "system", installed[0], "combat system")


def ask_lineup(keyboard: Keyboard, system: System[Any, Any]) -> Lineup:
    """Who fights for each team, and who decides for the others."""
    say(f"{system.title}: {system.summary}.", style="heading")
    say("Enter takes the answer in brackets, Tab completes, ? lists what there is.")
    first, *others = system.demonstration
    lineup = Lineup({first: _ask_team(keyboard, system, first, "your side")})
    for team in others:
        lineup.teams[team] = _ask_team(keyboard, system, team, "against you")
    for team in others:
        _ask_player(keyboard, system, team, lineup)
    return lineup


def _ask_team(keyboard: Keyboard, system: System[Any, Any], team: str, side: str) -> list[Spec]:
    usual = list(system.demonstration[team])

    def ids() -> list[str]:
        kinds = sorted(system.catalogue().values(), key=lambda known: usual[0] not in known)
        return [id for known in kinds for id in known]

    def read(line: str) -> list[Spec]:
        members: list[Spec] = [member.strip() for member in line.split(",") if member.strip()]
        for member in members:
            system.enlist(member)
        return members

    return ask_until_valid(keyboard, f"{team}, {side}", ",".join(usual), ids, read)


def _ask_player(keyboard: Keyboard, system: System[Any, Any], team: str, lineup: Lineup) -> None:
    known = ["computer", "person", "me", *system.tactics]
    match _one_of(known, keyboard, f"{team} played by", "computer", "way to decide"):
        case "person":
            lineup.persons.append(team)
        case "me":
            lineup.persons.append(f"{next(iter(lineup.teams))},{team}")
        case "computer":
            lineup.computers.append(team)
        case tactic:
            lineup.computers.append(team)
            lineup.tactics[team] = tactic


def _one_of(known: Sequence[str], keyboard: Keyboard, question: str, usual: str, what: str) -> str:
    def read(line: str) -> str:
        if line not in known:
            raise Invalid(unknown(what, line, known), given=line, allowed=known)
        return line

    return ask_until_valid(keyboard, question, usual, known, read)


def ask_until_valid(
    keyboard: Keyboard, question: str, usual: str, words: Words, read: Callable[[str], T], explains: Sequence[str] = ()
) -> T:
    """The answer to a question, asked until it can be read; `?` shows the words, or what explains them."""
    while True:
        line = keyboard.ask(f"{question} [{usual}]> ", words, remember=False)
        keyboard.echo(line or usual)
        if line.lower() in ("quit", "exit", "q"):
            raise Leave
        if line.lower() in ("?", "help"):
            for line in explains or [", ".join(words() if callable(words) else words)]:
                say(line, indent="  ", hang="    ")
            continue
        try:
            return read(line or usual)
        except Refused as problem:
            complain(problem)
