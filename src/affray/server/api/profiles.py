"""Profiles of players: their record, their ratings and their past fights, and what they want others to see of it."""

from __future__ import annotations

from affray.server.api import messages as m
from affray.server.api.callers import Caller
from affray.server.api.routes import NotFound, PageNumber, Routes
from affray.world.actions import profiles
from affray.world.people.profiles import Past, Profile, Rated
from affray.world.store.tables import Account

routes = Routes("/api/accounts", "accounts")


@routes.get("/{name:str}/profile", profiles.read_profile)
async def read(caller: Caller, name: str, page: PageNumber = 1) -> m.ProfileShown:
    """The profile of an account, or of `me`, with a page of its fights; a private one is for its owner and wizards."""
    try:
        account, found = await profiles.read_profile(caller, name, page)
    except profiles.NoProfile as problem:
        raise NotFound(str(problem), given=problem.given) from None
    return _shown(account, found, is_own=account.key == caller.key)


@routes.put("/me/settings", profiles.change_profile)
async def change(player: Caller, data: m.ProfileWanted) -> m.ProfileShown:
    """Say whether others may see your profile, and whether you want to be rated."""
    await profiles.change_profile(player, private=data.private, rated=data.rated)
    return await read(player, "me")


def _shown(account: Account, found: Profile, *, is_own: bool) -> m.ProfileShown:
    return m.ProfileShown(
        found.name,
        int(found.since.timestamp()) if found.since else None,
        [m.RecordShown(one.system, one.fights, dict(one.outcomes)) for one in found.record],
        None if found.ratings is None else list(map(_rating, found.ratings)),
        list(map(_past, found.fights)),
        found.total,
        found.page,
        found.pages,
        m.ProfileSettings(account.private, account.rated) if is_own else None,
    )


def _rating(rated: Rated) -> m.RatingShown:
    low, high = rated.bounds
    return m.RatingShown(
        rated.system, round(rated.rating.value), round(low), round(high), rated.fights, rated.is_provisional
    )


def _past(past: Past) -> m.PastFight:
    result = past.result
    return m.PastFight(
        result.combat,
        result.name,
        result.system,
        result.fighter,
        result.outcome,
        result.decided,
        past.against,
        bool(result.counts),
        past.is_kept,
    )
