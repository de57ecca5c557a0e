"""Consent in a combat: the sides that people move agree to a wish, such as to take back a move."""

from __future__ import annotations

from collections.abc import Sequence

from affray.world.combats.combat import AUTO, Combat
from affray.world.combats.told import Told


def agree_to(combat: Combat, wish: str, by: str) -> list[str]:
    """Let the side for which an account moves agree to a wish; returns the teams that still have to."""
    for team, accounts in combat.sides().items():
        if by in accounts:
            for member in combat.roster.teams[team]:
                member.agrees = wish
    return _waiting_for(combat, wish)


def missing(combat: Combat, by: str, kept: int) -> list[str]:
    """The teams that still have to agree to take back all but the first answers, now that `by` agrees."""
    if combat.undo_setting != "agreed" or kept >= combat.closed:
        return []
    return agree_to(combat, f"{kept} of {combat.closed}", by)


def request(combat: Combat, by: str, what: str, waiting: Sequence[str], command: str) -> Told:
    """What everyone is told when a side wants to take something back, and others have to agree."""
    member = combat.roster.of_player(by)
    asking = member.name if member else "The owner"
    agree = f"{' and '.join(waiting)} must agree with combat {command}"
    return Told(news=f"+ {asking} wants to take back {what}; {agree}")


def awaited(combat: Combat) -> list[str]:
    """The teams whose agreement to an undo, or to a return to the saved state, the others wait for."""
    wish = _wish(combat)
    return _waiting_for(combat, wish) if wish else []


def is_for_restore(combat: Combat) -> bool:
    """Whether what the sides are asked to agree to is more than the last move."""
    wish = _wish(combat)
    if not wish:
        return False
    by_hand = (place for place, mover in enumerate(combat.movers[: combat.closed]) if mover != AUTO)
    return wish != f"{max(by_hand, default=-1)} of {combat.closed}"


def _waiting_for(combat: Combat, wish: str) -> list[str]:
    teams = combat.roster.teams
    return [team for team in combat.sides() if all(member.agrees != wish for member in teams[team])]


def _wish(combat: Combat) -> str:
    """What a side wants to be taken back, and others have to agree to; empty if nothing."""
    wishes = [member.agrees for member in combat.roster if member.agrees]
    if combat.fight is None or not wishes:
        return ""
    present = [wish for wish in wishes if wish[:1].isdigit() and wish.endswith(f" of {combat.closed}")]
    return present[-1] if present else ""
