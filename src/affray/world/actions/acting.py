"""How actions are carried out: by actors who may, one at a time in a fight, and stored before anyone is told."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Concatenate, Generic, Literal, NamedTuple, ParamSpec, TypeVar

from affray.errors import Forbidden, Illegal, Refused
from affray.system.schema import cut
from affray.world.combats import autoplay
from affray.world.combats.combat import Combat
from affray.world.combats.news import Post
from affray.world.combats.roster import Member
from affray.world.combats.told import Told
from affray.world.people.guests import is_guest
from affray.world.people.visitor import Visitor
from affray.world.store import Overtaken
from affray.world.store.statements import Change
from affray.world.store.tables import ROLES, Account

P = ParamSpec("P")
T = TypeVar("T")
Who = Literal["everybody", "players", "wizards", "owner"]
FOR: dict[Who, str] = {
    "everybody": "everybody",
    "players": "players and wizards",
    "wizards": "wizards",
    "owner": "the combat's owner and wizards",
}
ATTEMPTS = 5  # if other processes change the same combat at the same time

ACTIONS: dict[str, Action[Any, Any]] = {}
"""Everything that can be done, by name."""


class At(NamedTuple):
    """The fight that is meant: the one of a number, or without a number whichever is at the place."""

    place: str
    number: int | None = None


@dataclass
class Effect:
    """What an action has done to a fight: what is to be stored, and what people are told once it is."""

    told: Told
    changes: Sequence[Change] = ()
    before: Iterable[Member] = ()  # members who had to move before, and are not told again that it is their turn
    roster: bool = False  # who moves whom has changed
    anew: bool = False  # that, and more of the log than its end
    padding: int = 0  # how often it counts as changed beyond once, so that its version tells no secret
    ends: bool = False  # the fight is over and done with
    then: list[Callable[[], None]] = field(default_factory=list)  # done when everything is stored and told


@dataclass(frozen=True)
class Action(Generic[P, T]):
    """Something that can be done in a world."""

    name: str
    who: Who
    do: Callable[Concatenate[Visitor, P], Awaitable[T]]
    is_in_fight: bool = False

    async def __call__(self, actor: Visitor, *args: P.args, **kwargs: P.kwargs) -> T:
        """Do it, unless the role of the actor does not allow it."""
        check = check_role_in_fight if self.is_in_fight else check_role
        check(actor, self.who, self.name)
        return await self.do(actor, *args, **kwargs)


def action(who: Who) -> Callable[[Callable[Concatenate[Visitor, P], Awaitable[T]]], Action[P, T]]:
    """Make a function an action."""

    def declare(do: Callable[Concatenate[Visitor, P], Awaitable[T]]) -> Action[P, T]:
        made = ACTIONS[do.__name__] = Action(do.__name__, who, do)
        return made

    return declare


def in_fight(
    who: Who,
) -> Callable[[Callable[Concatenate[Visitor, Combat, P], Awaitable[Effect | None]]], Action[Concatenate[At, P], None]]:
    """Make a function an action in a fight; it returns what is to be stored and told, or None if nothing has changed.

    It has the fight to itself and sees it as it is stored. Computer fighters answer in the same step.
    """

    def declare(
        change: Callable[Concatenate[Visitor, Combat, P], Awaitable[Effect | None]],
    ) -> Action[Concatenate[At, P], None]:
        name = change.__name__

        async def do(actor: Visitor, at: At, /, *args: P.args, **kwargs: P.kwargs) -> None:
            async def run(combat: Combat) -> Effect | None:
                if who == "owner":
                    await check_owner(actor, combat, f"use {name}")
                return await change(actor, combat, *args, **kwargs)

            await _carried_out(actor, at, run)

        made = ACTIONS[name] = Action(name, who, do, is_in_fight=True)
        return made

    return declare


async def _carried_out(actor: Visitor, at: At, run: Callable[[Combat], Awaitable[Effect | None]]) -> None:
    world = actor.world
    async with world.combats.locks[at.place]:
        for remaining in reversed(range(ATTEMPTS)):
            await world.combats.refresh(at.place)
            combat = _present(actor, at)
            try:
                post = await _changed(actor, combat, run)
                break
            except Overtaken:  # by another process; what is asked for may still be possible
                if not remaining:
                    raise
        post.deliver()
    if autoplay.is_due(combat) and world.combats.get(at.place) is combat:
        autoplay.play_on(world, combat)


async def _changed(actor: Visitor, combat: Combat, run: Callable[[Combat], Awaitable[Effect | None]]) -> Post:
    """Let an action change a fight, and store that; what is to be told then."""
    combats, post = actor.world.combats, Post(actor.world, combat)
    effect = None
    try:
        effect = await run(combat)
        if effect is None:
            return post
        post.write(effect.told, actor, effect.before)
        post.then += effect.then
        if autoplay.is_ready(combat) and not effect.ends:
            before = combat.awaited()
            post.write(autoplay.moved(combat), None, before)
        await combats.store(combat, *effect.changes, roster=effect.roster, anew=effect.anew, padding=effect.padding)
        if effect.ends:
            del combats[combat.place]
    except Exception as problem:
        if effect is not None or not isinstance(problem, Refused):
            combat.is_doubtful = True  # it may be half changed, so it is read again
        raise
    return post


def _present(actor: Visitor, at: At) -> Combat:
    """The fight that is meant, now that no one else changes it."""
    combat = actor.world.combats.awake(at.place)
    if at.number is None:
        return combat_at(actor, at.place)
    if combat is None or combat.number != at.number:
        raise Illegal(f"combat {at.number} has been ended", given=at.number)
    return combat


def combat_at(actor: Visitor, key: str) -> Combat:
    """The combat at the place where an actor is; if there is none, the error says where theirs are."""
    world, place = actor.world, actor.here()
    if place.key != key:  # while this line waited, another connection of the same account may have walked
        left = world.places[key].name
        raise Illegal(f"you have left {left} in the meantime", given=left)
    if (combat := world.combats.awake(key)) is not None:
        return combat
    elsewhere = [other for other in world.combats.values() if actor.key in other.players]
    where = " and ".join(f"{other.name} is at {world.places[other.place].name}" for other in elsewhere)
    hint = where or "`combat init NAME` creates one"
    raise Illegal(f"there is no combat at {place.name}; {hint}", given=place.name)


# --- who may ----------------------------------------------------------------------------------------------------------


RANKS: dict[Who, int] = {"everybody": 0, "players": 1, "wizards": 2, "owner": 1}
"""The lowest of the roles that may; the owner of a fight must at least be a player."""


def has_role(actor: Visitor, who: Who) -> bool:
    """Whether an actor is one of those."""
    return ROLES.index(actor.role) >= RANKS[who]


def check_role(actor: Visitor, who: Who, what: str) -> None:
    """Refuse an action that the role of the actor does not allow."""
    if not has_role(actor, who):
        raise Forbidden(f"only {FOR[who]} may use {what}, and you are a {actor.role}", given=what, allowed=[who])


def check_role_in_fight(actor: Visitor, who: Who, what: str) -> None:
    """Refuse guests what only players may do in a fight."""
    if not has_role(actor, who):
        raise Forbidden(f"guests can only watch; combat {what} is for players", given=what)


async def account_called(actor: Visitor, name: str, *, guests: bool = True) -> Account:
    """The account of that name; without `guests` not that of a guest."""
    account = await actor.world.store.account(name)
    if account is None or (is_guest(account) and not guests):
        raise Illegal(f"there is no player called {cut(name)!r}", given=name)
    return account


def owns(actor: Visitor, combat: Combat) -> bool:
    """Whether an actor has the say in a combat."""
    return actor.key == combat.owner or actor.role == "wizard"


async def check_owner(actor: Visitor, combat: Combat, what: str) -> None:
    """Refuse actors who are neither wizards nor the owner of a combat."""
    if not owns(actor, combat):
        called = await _called(actor, combat.owner)
        raise Forbidden(f"only the owner of {combat.name}, {called}, and wizards may {what}", given=what)


async def check_stands_in(actor: Visitor, combat: Combat, member: Member, what: str) -> None:
    """Refuse actors who may not decide for a member.

    The owner may for NPCs, and for players if the owner does not fight: an opponent who lost the connection is not
    to be played by the other side. If an account has been removed, what it played is an NPC.
    """
    if member.player == actor.key:
        return
    await check_owner(actor, combat, what)
    if member.player is not None and not combat.owner_may_move(member):
        player = await actor.world.store.account(member.player)
        if player is not None:
            owner = await _called(actor, combat.owner)
            raise Forbidden(f"only {player.name} may move {member.name}, because {owner} fights too", given=what)


async def _called(actor: Visitor, key: str) -> str:
    account = await actor.world.store.account(key)
    return account.name if account else key
