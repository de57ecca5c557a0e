"""Players by name: levels from beginner to master, `search` with a budget, solvers, policies, programs, tactics."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from affray.errors import Invalid, unknown
from affray.players.player import ByTactic, Player
from affray.players.policy import read_policy, shared_policies, shared_policy
from affray.players.search import Search
from affray.system.contract import System

LEVELS: dict[str, Search] = {
    "beginner": Search(iterations=60, noise=0.8),
    "easy": Search(iterations=200, noise=0.4),
    "able": Search(iterations=1_000, noise=0.15),
    "expert": Search(iterations=6_000),
    "master": Search(seconds=2.0),
}
"""What people play against: how long each thinks, and how often it takes a worse move for a better one."""

SOLVERS = ("perfect", "equilibrium")
"""Players that solve the fight, where that can be done; elsewhere the tactic moves, and says so."""

PROGRAM, POLICY = "program:", "policy:"
_BUDGET = re.compile(r"search(?::(?P<amount>[0-9_]*\.?[0-9]+)(?P<unit>s|ms)?)?")


def known_players(system: System | None = None) -> list[str]:  # type: ignore[type-arg]
    """What can be typed for a computer fighter besides the system's tactics; `search` takes a budget."""
    return ["search", *LEVELS, *SOLVERS, *(POLICY + name for name in shared_policies(system))]


def is_player(text: str) -> bool:
    """Whether a text names a player that thinks, not a tactic."""
    return text in ("search", *LEVELS, *SOLVERS) or text.startswith((PROGRAM, POLICY, "search:"))


def read_player(system: System, text: str, *, programs: bool = False) -> Player:  # type: ignore[type-arg]
    """The player that a text names: a level, `search`, `search:2s`, `search:5000`, `perfect`, `policy:NAME`, a tactic.

    With `programs` also `program:COMMAND`, which runs a program that speaks JSON lines, and any `policy:FILE`.
    """
    if text in LEVELS:
        return LEVELS[text]
    if text in SOLVERS:
        return solver(text)
    if programs and text.startswith(PROGRAM):
        from affray.players.program import Program

        return Program(text.removeprefix(PROGRAM))
    if text.startswith(POLICY):
        return _policy(system, text.removeprefix(POLICY), files=programs)
    if text.startswith("search"):
        return _search(text)
    if text in system.tactics:
        return ByTactic(text)
    allowed = [*known_players(system), *system.tactics]
    raise Invalid(unknown("player", text, allowed), given=text, allowed=allowed)


@cache
def solver(name: str, **bounds: float) -> Player:
    """One of SOLVERS, the same for all fights, since it remembers what it has solved."""
    from affray.players.equilibrium import Equilibrium
    from affray.players.perfect import Perfect

    made = Perfect if name == "perfect" else Equilibrium
    return made(**bounds)  # type: ignore[arg-type]


def _policy(system: System, name: str, *, files: bool) -> Player:  # type: ignore[type-arg]
    found = read_policy(name) if files and Path(name).suffix else shared_policy(system, name)
    if found.system != system.id:
        raise Invalid(f"the policy {name} was trained for {found.system}, not for {system.id}", given=name)
    return found


def _search(text: str) -> Search:
    found = _BUDGET.fullmatch(text)
    if not found:
        problem = f"{text!r} is no search; it must be like search, search:2s, search:500ms or search:5000"
        raise Invalid(f"{problem} (iterations)", given=text)
    amount, unit = found["amount"], found["unit"]
    if amount is None:
        return Search()
    if unit:
        return Search(seconds=float(amount.replace("_", "")) / (1000 if unit == "ms" else 1))
    if "." in amount:
        raise Invalid(f"the number of iterations must be whole, not {amount}; a time is like {amount}s", given=text)
    return Search(iterations=int(amount))
