"""Actions on the seats of a fight: who takes part, on which team, and who moves whom."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from affray.errors import Forbidden, Illegal
from affray.world.actions.acting import Effect, account_called, check_owner, in_fight
from affray.world.actions.creation import ME, Seat, check_idle, member_for
from affray.world.actions.fights import own_member
from affray.world.combats import groups, news
from affray.world.combats.combat import Combat
from affray.world.combats.roster import Member, check_name
from affray.world.combats.sheets import npc_sheet, player_sheet, stats_of
from affray.world.combats.told import Told
from affray.world.people.visitor import Visitor
from affray.world.store.tables import Account, fold


@in_fight("players")
async def add(actor: Visitor, combat: Combat, name: str, team: str) -> Effect:
    """Add a player with the stats of their attributes: oneself, or for the owner another player who is there."""
    account = await _account(actor, combat, name)
    combat.check_setup()
    _check_there(actor, combat, account)
    stats = stats_of(combat.system, await actor.world.store.attributes(account.key))
    member = Member(account.name, player_sheet(combat, account.name, stats), account.key, borrowed=bool(combat.game))
    await actor.world.combats.check_free(combat, [member])
    team = combat.add(member, team)
    return Effect(Told(news=f"+ {account.name} is added to team {team}"), anew=True)


def _is_self(actor: Visitor, name: str) -> bool:
    return fold(name) in ("me", actor.key)


async def _account(actor: Visitor, combat: Combat, name: str) -> Account:
    """The account that a name means, in upper or lower case; only the owner may name another than their own."""
    if _is_self(actor, name):
        return actor.account
    await check_owner(actor, combat, "add or remove others")
    return await account_called(actor, name)


def _check_there(actor: Visitor, combat: Combat, account: Account) -> None:
    if account.place != combat.place and not (actor.role == "wizard" and combat.wizards_reach):
        raise Illegal(f"{account.name} is not here", given=account.name)


@in_fight("owner")
async def add_npc(actor: Visitor, combat: Combat, name: str, stats: str, team: str) -> Effect:
    """Add an NPC, whose stats name a ready-made fighter with or without changes."""
    combat.check_setup()
    team = combat.add(Member(name, npc_sheet(combat, name, stats)), team)
    told = Told(f"Added {name} to team {team}", f"+ {name} is added to team {team}", spared=True)
    return Effect(told, anew=True)


@in_fight("players")
async def seat(actor: Visitor, combat: Combat, wanted: Seat) -> Effect:
    """Add a seat before the start: the owner any, a player their own."""
    if wanted.by != ME:
        await check_owner(actor, combat, "add others")
    combat.check_setup()
    check_idle(actor, [wanted.party] if wanted.party else [], combat)
    member = await member_for(actor, combat, wanted)
    await actor.world.combats.check_free(combat, [member])
    combat.add(member, wanted.team)
    return Effect(Told(news=f"+ {member.name} is added to team {wanted.team}"), anew=True)


@in_fight("players")
async def remove(actor: Visitor, combat: Combat, name: str, team: str | None = None) -> Effect:
    """Remove a player before the start: oneself, or for the owner another."""
    is_self = _is_self(actor, name)
    if not is_self:
        await check_owner(actor, combat, "add or remove others")
    # Not by account: that may be gone.
    member = combat.roster.of_player(actor.key) if is_self else combat.roster.find(name)
    combat.check_setup()
    if combat.idle_removal and team is not None and not combat.is_on(member, team):
        account = await _account(actor, combat, name)
        _check_there(actor, combat, account)
        return Effect(Told(news=f"+ {account.name} is removed from team {team}"))
    if member is None and is_self:
        raise Illegal(f"{actor.name} is not on a team", given=name)
    if member is None:
        member = combat.member(name)
    if member.player is None:
        raise Illegal(f"{member.name} is an NPC: use combat remove_npc {member.name}", given=name)
    text = f"+ {member.name} is removed from team {combat.remove(member, team)}"
    return Effect(Told(news=text), anew=True, then=[_told_to_removed(actor, combat, member.player, text)])


def _told_to_removed(actor: Visitor, combat: Combat, player: str, text: str) -> Callable[[], None]:
    """Players who are no longer part of it are still told that."""

    def tell() -> None:
        audience = news.audience(actor.world, combat)
        for connection in actor.world.people.connected(player):
            if connection is not actor and connection not in audience:
                connection.tell(text, "news")

    return tell


@in_fight("owner")
async def remove_npc(actor: Visitor, combat: Combat, name: str, team: str | None = None) -> Effect:
    """Remove an NPC before the start."""
    combat.check_setup()
    member = combat.roster.find(name, combat.exact_names)
    if not (combat.idle_removal and team is not None and not combat.is_on(member, team)):
        member = combat.member(name)
        if member.player is not None:
            raise Illegal(f"{member.name} is a player: use combat remove {member.name}", given=name)
        name, team = member.name, combat.remove(member, team)
    told = Told(f"Removed {name} from team {team}", f"+ {name} is removed from team {team}", spared=True)
    return Effect(told, anew=True)


@in_fight("owner")
async def auto(actor: Visitor, combat: Combat, name: str, tactic: str) -> Effect:
    """Let a tactic move an NPC from now on."""
    member = combat.member(name)
    if member.player is not None:
        raise Illegal(f"{member.name} is a player, and a tactic can move only NPCs", given=name)
    combat.hand_over(member, tactic.casefold())
    told = Told(news=f"+ {member.name} now moves by itself: {member.tactic}")
    return Effect(told, before=combat.awaited(), roster=True)


@in_fight("owner")
async def manual(actor: Visitor, combat: Combat, name: str) -> Effect:
    """Move an NPC by hand again."""
    member = combat.member(name)
    if member.tactic is None:
        raise Illegal(f"{member.name} does not move by itself", given=name)
    combat.hand_over(member, None)
    told = Told(news=f"+ {member.name} is moved by hand again")
    return Effect(told, before=combat.awaited(), roster=True)


@in_fight("owner")
async def offer(actor: Visitor, combat: Combat, name: str, public: bool = False) -> Effect:
    """Offer an NPC to the first player who has the word that is made for it; with `public` to the first player."""
    member = combat.member(name)
    combat.offer(member, public)
    word = "" if public else f" {member.invitation}"
    text = f"To play {member.name}, a player types  combat take {member.name}{word}"
    return Effect(Told(reply=text), before=combat.awaited(), roster=True)


@in_fight("owner")
async def withdraw(actor: Visitor, combat: Combat, name: str) -> Effect:
    """No longer offer an NPC."""
    member = combat.member(name)
    if member.invitation is None:
        raise Illegal(f"{member.name} is not offered to anyone", given=name)
    member.invitation, member.public = None, False
    return Effect(Told(reply=f"{member.name} is no longer offered"), before=combat.awaited(), roster=True)


@in_fight("players")
async def take(actor: Visitor, combat: Combat, name: str | None, word: str | None) -> Effect:
    """Take over an NPC that the owner offers: the one named, or the one whose word it is.

    What is offered to anyone needs no word.
    """
    if name is None:
        offered = [member for member in combat.roster if member.invitation == word]
        if not offered:
            raise Forbidden("this invitation is not open, or no longer open", given=word)
        member = offered[0]
    else:
        member = combat.member(name)
        word = word or (member.invitation if member.public else None)
    if word is None:
        raise Illegal(f"{member.name} is not offered to anyone without a word", given=member.name)
    combat.take(member, word, actor.key)
    others = [other for other in combat.awaited() if other is not member]
    return Effect(Told(news=f"+ {actor.name} now plays {member.name}"), before=others, roster=True)


@in_fight("players")
async def leave(actor: Visitor, combat: Combat) -> Effect:
    """Leave a game around fights to a computer player; before the start one is simply removed."""
    adventure, member = combat.adventure, own_member(actor, combat)
    if adventure is None:
        raise Illegal("you cannot leave a fight this way, only by its moves", given=combat.name)
    waited_for = [other for other in combat.awaited() if other is not member]
    text = f"+ {actor.name} has left"
    if combat.fight is None:
        combat.remove(member, None)
    else:
        member.player = None
        combat.hand_over(member, adventure.tactic)
        text += f"; {member.name} now moves by itself: {member.tactic}"
    return Effect(Told(news=text), before=waited_for, roster=True)


@in_fight("owner")
async def group(actor: Visitor, combat: Combat, name: str, names: Sequence[str]) -> Effect:
    """Let NPCs of one team act together under a name; without a name each acts alone again."""
    members = [combat.member(one) for one in names]
    groups.form(combat, check_name(name, "a group") if name else "", members)
    called = " and ".join(member.name for member in members)
    told = f"+ {called} act together as {name}" if name else f"+ {called} no longer act in a group"
    return Effect(Told(news=told), before=combat.awaited(), roster=True)


@in_fight("players")
async def hand(actor: Visitor, combat: Combat, name: str) -> Effect:
    """Offer the actor's seat to another account, which has to accept it; without a name withdraw the offer."""
    member = own_member(actor, combat)
    if not name:
        member.heir = ""
        return Effect(Told(reply="You keep your seat."), before=combat.awaited(), roster=True)
    _check_not_rated(combat)
    if member.lasts(combat.system):
        raise Illegal(f"{member.name} has a sheet of your own, which no one else can play", given=name)
    account = await account_called(actor, name, guests=False)
    if account.key in combat.players:
        raise Illegal(f"{account.name} already takes part in {combat.name}", given=name)
    member.heir = account.name
    effect = Effect(Told(f"{account.name} can accept your seat now."), before=combat.awaited(), roster=True)
    offered = f"* {actor.name} offers you the seat of {member.name} in {combat.name}: combat accept, or refuse"
    effect.then.append(lambda: actor.world.people.call(account.key, offered))
    return effect


def _check_not_rated(combat: Combat) -> None:
    if combat.is_rated:
        raise Illegal(f"{combat.name} counts for ratings, so its players fight it out themselves", given=combat.name)


def _offered(actor: Visitor, combat: Combat) -> Member:
    member = combat.roster.of_heir(actor.key)
    if member is None:
        raise Illegal(f"no seat of {combat.name} is offered to you", given=combat.name)
    return member


@in_fight("players")
async def accept(actor: Visitor, combat: Combat) -> Effect:
    """Take over the seat that its player hands over."""
    member = _offered(actor, combat)
    _check_not_rated(combat)
    if (present := combat.roster.of_player(actor.key)) is not None:
        raise Illegal(f"you already play {present.name} here", given=member.name)
    member.player, member.heir, member.wishes, member.agrees, member.fallback = actor.key, "", "", "", ""
    others = [other for other in combat.awaited() if other is not member]
    return Effect(Told(news=f"+ {actor.name} now plays {member.name}"), before=others, roster=True)


@in_fight("players")
async def refuse(actor: Visitor, combat: Combat) -> Effect:
    """Leave a seat that is offered to the player who has it."""
    member = _offered(actor, combat)
    member.heir = ""
    effect = Effect(Told(reply="You have refused the seat."), before=combat.awaited(), roster=True)
    told = f"* {actor.name} does not take the seat of {member.name}."
    effect.then.append(lambda: actor.world.people.call(member.player or "", told))
    return effect
