"""Guests who fight: accounts without a password, bounded in number and time, whose seats go to a lasting account."""

from __future__ import annotations

import asyncio
import json
import logging
import secrets
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from affray.errors import Forbidden, Illegal, Refused
from affray.fight.saving import seal
from affray.world.combats.combat import Combat
from affray.world.combats.roster import Roster
from affray.world.people.removal import remove_account
from affray.world.store import Clash, statements
from affray.world.store.tables import Account

if TYPE_CHECKING:
    from affray.world.people.visitor import Visitor
    from affray.world.world import World

log = logging.getLogger(__name__)
PREFIX = "guest-"
MOST = 500
"""How many guests may have seats at once."""
MOST_OWNED = 5
"""How many combats a guest may own that have not been ended."""
PER_ADDRESS = 20
WINDOW = 3600.0  # seconds in which so many may come from one address
LIFETIME = timedelta(hours=24)
"""How long a guest is kept who does not come back."""
EVERY = 600.0  # seconds
MOST_ENDED = 1000


def is_guest(account: Account) -> bool:
    """Whether an account is that of a guest, to which nobody can log in."""
    return account.key.startswith(PREFIX) and account.password is None


def check_lasting(actor: Visitor, what: str) -> None:
    """Refuse guests what only an account that lasts may do."""
    if is_guest(actor.account):
        raise Forbidden(f"{what} needs an account; create one, and your fights come with you", given=what)


class Guests:
    """Lets guests in, and remembers how many came from where."""

    def __init__(self, world: World, clock: Callable[[], float] = time.monotonic) -> None:
        self._world, self._clock = world, clock
        self._came: dict[str, deque[float]] = {}

    async def admit(self, address: str) -> Account:
        """A new guest from an address."""
        came = self._recent(address)
        if len(came) >= PER_ADDRESS:
            wait = int((came[0] + WINDOW - self._clock()) / 60) + 1
            raise Illegal(
                f"{PER_ADDRESS} guests have come from your address; create an account, or wait {wait} minutes"
            )
        store = self._world.store
        if await store.count_accounts(PREFIX) >= MOST:
            raise Illegal(f"there are already {MOST} guests; please create an account")
        came.append(self._clock())
        for other in [known for known in self._came if not self._recent(known)]:
            del self._came[other]
        while True:
            name = f"Guest-{secrets.randbelow(90_000) + 10_000}"
            made = statements.add_account(name, "player", None, self._world.places.first)
            now = statements.change_account(name.casefold(), seen=datetime.now(UTC))
            with suppress(Clash):  # the number is taken
                await store.commit(made, now)
                break
        account = await store.account(name)
        assert account is not None
        return account

    def _recent(self, address: str) -> deque[float]:
        times = self._came.setdefault(address, deque())
        while times and times[0] <= self._clock() - WINDOW:
            times.popleft()
        return times

    async def adopt(self, guest: Account, account: Account) -> None:
        """Give all seats, combats and past fights of a guest to an account, and remove the guest."""
        world = self._world
        present = [combat.place for combat in world.combats.values() if guest.key in (combat.owner, *combat.players)]
        for place in present:
            await self._hand_over(place, guest.key, account.key)
        for row in await world.store.ended_combats(MOST_ENDED, words=[guest.key]):
            if account.key not in (row.owner, *(member.player for member in Roster.of_table(row.roster))):
                owner = account.key if row.owner == guest.key else row.owner
                roster = _renamed(row.roster, guest.key, account.key)
                await world.store.commit(statements.change_combat(row.number, owner=owner, roster=roster))
        await world.store.commit(statements.give_results(guest.key, account.key))
        await remove_account(world.store, guest.key)

    async def _hand_over(self, place: str, old: str, new: str) -> None:
        world = self._world
        async with world.combats.locks[place]:
            await world.combats.refresh(place)
            combat = world.combats.awake(place)
            if combat is None or combat.damage or new in combat.players:
                return
            _rename(combat, old, new)
            changed = statements.change_combat(combat.number, owner=combat.owner, saved=combat.saved)
            await world.combats.store(combat, changed, anew=True)

    async def go_on(self) -> None:
        """Remove guests at intervals who have not come back, as long as the world is open."""
        while True:
            await asyncio.sleep(EVERY)
            try:
                await self.clear(datetime.now(UTC) - LIFETIME)
            except Refused as problem:
                log.error("guests could not be removed: %s", problem)

    async def clear(self, before: datetime) -> None:
        """Remove guests who are not connected and were last seen before a moment, as any account is removed."""
        for account in await self._world.store.accounts():
            is_old = account.seen is None or account.seen < before
            if is_guest(account) and is_old and not self._world.people.is_active(account.key):
                await remove_account(self._world.store, account.key)


def _rename(combat: Combat, old: str, new: str) -> None:
    """Let another account have what one has in a combat."""
    for member in combat.roster:
        member.player = new if member.player == old else member.player
    combat.owner = new if combat.owner == old else combat.owner
    combat.movers = [new if mover == old else mover for mover in combat.movers]
    if combat.saved is not None:
        with suppress(ValueError, LookupError, TypeError):  # one that is damaged stays as it is
            state = json.loads(combat.saved)
            if state["seal"] == seal(state):
                state["roster"] = _renamed(state["roster"], old, new)
                state["answers"] = [one | {"by": new} if one["by"] == old else one for one in state["answers"]]
                combat.saved = json.dumps({**state, "seal": seal(state)})


def _renamed(roster: dict[str, Any], old: str, new: str) -> dict[str, Any]:
    return {
        team: [member | {"player": new} if member.get("player") == old else member for member in members]
        for team, members in roster.items()
    }
