"""Actions on profiles: reading one, and choosing whether your own is private and whether you are rated."""

from __future__ import annotations

from dataclasses import replace

from affray.errors import Forbidden, Illegal
from affray.system.schema import cut
from affray.world.actions.acting import action
from affray.world.people.guests import check_lasting, is_guest
from affray.world.people.profiles import Profile
from affray.world.people.visitor import Visitor
from affray.world.store import statements
from affray.world.store.tables import Account, fold


class NoProfile(Illegal):
    """There is no such account, or a guest, who has no profile."""


@action("everybody")
async def read_profile(actor: Visitor, name: str, page: int = 1) -> tuple[Account, Profile]:
    """The profile of an account, or with `me` of the actor; only its owner and wizards may read a private one."""
    account = await _account(actor, name)
    if account.private and actor.key != account.key and actor.role != "wizard":
        raise Forbidden(f"{account.name} has a private profile", given=account.name)
    return account, await actor.world.profiles.read(account, page)


@action("players")
async def change_profile(actor: Visitor, *, private: bool | None = None, rated: bool | None = None) -> None:
    """Let others see one's profile or not, and be rated or not; what is None stays as it is."""
    check_lasting(actor, "a profile")
    before = actor.account
    wanted = replace(
        before,
        private=before.private if private is None else private,
        rated=before.rated if rated is None else rated,
    )
    columns = {"private": int(wanted.private), "rated": int(wanted.rated)}
    await actor.world.store.commit(statements.change_account(actor.key, **columns))
    actor.account = wanted


async def _account(actor: Visitor, name: str) -> Account:
    own = fold(name) in ("me", actor.key)
    if own and actor.role == "guest":
        raise Forbidden("a profile needs an account; create one, and your fights come with you", given="me")
    # Another connection of the same account may have changed it.
    account = await actor.world.store.account(actor.key if own else name)
    if account is None:
        raise NoProfile(f"there is no account {cut(name)!r}", given=name)
    if is_guest(account):
        if own:
            check_lasting(actor, "a profile")
        raise NoProfile(f"{account.name} is a guest and has no profile", given=name)
    return account
