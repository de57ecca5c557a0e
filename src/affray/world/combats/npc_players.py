"""Which players may move an NPC of a world: the system's tactics, and those that think, for a bounded time."""

from __future__ import annotations

from typing import Any

from affray.errors import Invalid, unknown
from affray.players.levels import is_player, known_players, read_player
from affray.players.search import Search
from affray.system.contract import System

MOST_SECONDS, MOST_ITERATIONS = 10.0, 100_000  # that a decision of an NPC may take


def check_player(system: System[Any, Any], text: str) -> None:
    """Refuse what is neither a tactic nor a player that thinks, or what would think for too long in a world."""
    if text in system.tactics:
        return
    if not is_player(text):
        known = [*system.tactics, *known_players(system)]
        raise Invalid(unknown("tactic", text, known), given=text, allowed=known)
    player = read_player(system, text)
    if isinstance(player, Search):
        if player.iterations is not None and player.iterations > MOST_ITERATIONS:
            problem = f"the number of iterations must be 1 to {MOST_ITERATIONS:,} here, not {player.iterations:,}"
            raise Invalid(problem, given=text)
        if player.seconds is not None and player.seconds > MOST_SECONDS:
            problem = f"an NPC may think for up to {MOST_SECONDS:g} seconds here, not {player.seconds:g}"
            raise Invalid(problem, given=text)
