"""The results of a fight for all who took part, and whether it counts for ratings."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from affray.fight import Fight
from affray.world.combats.combat import AUTO, Combat
from affray.world.combats.listing import Asleep, Listed
from affray.world.combats.roster import Member
from affray.world.store import Store, statements
from affray.world.store.statements import Change
from affray.world.store.tables import Listing, Outcome, Result

if TYPE_CHECKING:
    from affray.system.contract import System

GATHERED = "results"
"""The setting that is there once the results of combats of earlier versions have been gathered."""
AT_ONCE = 1000
_NO_MATTER = ("id", "name", "note")  # of a sheet


def of(combat: Combat) -> list[Change]:
    """What is stored when a fight is over, or is ended before that."""
    now, counted = int(time.time()), int(counts(combat))
    return [
        statements.add_result(_result(combat, team, member, _outcome_in(combat, member), now, counted))
        for team, member in combat.roster.placed()
        if member.player is not None and isinstance(combat.fight, Fight)
    ]


def _result(
    combat: Listed, team: str, member: Member, outcome: Outcome, decided: int | None = None, counted: int = 0
) -> Result:
    known = (combat.number, str(member.player), combat.system.id, combat.name, member.name, team)
    return Result(*known, outcome, decided, counted)


def _outcome_in(combat: Combat, member: Member) -> Outcome:
    fight = combat.fought()
    team, system = combat.roster.team_of(member), combat.system
    if fight.concluded or fight.ending == team:
        return outcome(fight.ending, team, list(fight.teams), system)
    # Those who got away have fled, also where the rest of their team lost; those whom they left have not.
    figures = fight.figures[combat.fighter(member)] if fight.over else {}
    if any(figures.get(ending) for ending in system.endings):
        return "fled"
    own = fight.ending in system.endings
    return "drawn" if own else outcome(fight.ending, team, list(fight.teams), system)


def outcome(ending: str | None, team: str, teams: list[str], system: System[Any, Any]) -> Outcome:
    """What an ending is to a team, as far as the ending alone tells."""
    if ending is None:
        return "unfinished"
    if ending in teams:
        return "won" if ending == team else "lost"
    return "fled" if ending in system.figure_names else "drawn"


# --- ratings ----------------------------------------------------------------------------------------------------------


async def mark_rated(store: Store, combat: Combat) -> None:
    """At the start of a fight, let it count for the ratings of both players if it is a fair duel and both want that.

    It is then that they are asked, so nobody can change their mind when they are about to lose.
    """
    members = list(combat.roster)
    if combat.game or not is_fair_duel(combat, members):
        return
    accounts = [await store.account(member.player or "") for member in members]
    if all(account is not None and account.rated for account in accounts):
        for member in members:
            member.rated = member.player or ""


def is_fair_duel(combat: Combat, members: list[Member]) -> bool:
    """Whether two people meet with equal fighters and nobody else, so that the result says something about them."""
    if len(members) != 2 or len(combat.roster.teams) != 2:
        return False
    one, other = members
    played = one.player is not None and other.player is not None and one.player != other.player
    return played and not (one.tactic or other.tactic) and _strength(one) == _strength(other)


def _strength(member: Member) -> dict[str, Any]:
    return {key: value for key, value in member.sheet.items() if key not in _NO_MATTER}


def counts(combat: Combat) -> bool:
    """Whether a fight that was to count has remained one: no storyteller's word, nothing taken back, nobody else."""
    fight = combat.fight
    if not isinstance(fight, Fight) or not fight.over or not combat.is_rated:
        return False
    if any(member.player != member.rated for member in combat.roster) or any(one.answers for one in fight.undone):
        return False
    # The tactic that moves for a player whose time is up is that player's own risk.
    late = AUTO if combat.clock is not None and combat.clock.per_move else None
    return all(
        not answer.is_word and by in (combat.seated(answer.who).player, late)
        for answer, by in zip(fight.answers, combat.movers, strict=True)
    )


# --- combats of earlier versions --------------------------------------------------------------------------------------


async def gather(store: Store) -> None:
    """Note once what came of the combats that earlier versions have stored; none of them counts for ratings."""
    if await store.setting(GATHERED) is not None:
        return
    for skip in range(0, await store.count_ended(), AT_ONCE):
        rows = await store.ended_combats(AT_ONCE, skip)
        await store.commit(*(change for row in rows for change in _gathered(row)))
    open_ones = [row for row in await store.listings() if row.ending is not None]
    done = statements.set_setting_once(GATHERED, "gathered")
    await store.commit(*(change for row in open_ones for change in _gathered(row)), done)


def _gathered(row: Listing) -> list[Change]:
    if row.game or (not row.round and row.ending is None):  # it was never started
        return []
    combat = Asleep.of(row)
    teams = list(combat.roster.teams)
    return [
        statements.add_result(_result(combat, team, member, outcome(row.ending, team, teams, combat.system)))
        for team, member in combat.roster.placed()
        if member.player is not None
    ]
