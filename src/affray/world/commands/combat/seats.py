"""The subcommands of `combat` that change who moves an NPC: the owner, a tactic, or a player."""

from __future__ import annotations

from affray.errors import Illegal
from affray.world.combats.combat import Told
from affray.world.commands.combat.moves import own_member
from affray.world.commands.combat.registry import Words, carry_out, combat_here, subcommand
from affray.world.people.visitor import Visitor


@subcommand("combat auto NAME TACTIC", "owner", 2, 2)
async def auto(visitor: Visitor, words: Words) -> None:
    """Let an NPC move by itself from now on, by a named tactic.

    After several such moves in a row the status is shown once.
    """
    combat = combat_here(visitor)
    member = combat.member(words[0])
    if member.player is not None:
        raise Illegal(f"{member.name} is a player, and a tactic can move only NPCs", given=words[0])
    combat.hand_over(member, words[1].casefold())
    told = Told(news=f"+ {member.name} now moves by itself: {member.tactic}")
    await carry_out(visitor, combat, told, before=combat.awaited(), roster=True)


@subcommand("combat manual NAME", "owner", 1, 1)
async def manual(visitor: Visitor, words: Words) -> None:
    """Move an NPC yourself again."""
    combat = combat_here(visitor)
    member = combat.member(words[0])
    if member.tactic is None:
        raise Illegal(f"{member.name} does not move by itself", given=words[0])
    combat.hand_over(member, None)
    told = Told(news=f"+ {member.name} is moved by hand again")
    await carry_out(visitor, combat, told, before=combat.awaited(), roster=True)


@subcommand("combat offer NAME", "owner", 1, 1)
async def offer(visitor: Visitor, words: Words) -> None:
    """Offer an NPC to another player. You get a word to pass on.

    The first player who types  combat take NAME WORD  plays it. Until then you move
    it.
    """
    combat = combat_here(visitor)
    member = combat.member(words[0])
    combat.offer(member)
    await visitor.world.combats.store(combat, roster=True)
    visitor.tell(f"To play {member.name}, a player types  combat take {member.name} {member.invitation}")


@subcommand("combat take NAME WORD", "players", 2, 2)
async def take(visitor: Visitor, words: Words) -> None:
    """Take over an NPC that the owner of the combat offers."""
    combat = combat_here(visitor)
    member = combat.member(words[0])
    combat.take(member, words[1], visitor.key)
    others = [other for other in combat.awaited() if other is not member]
    told = Told(news=f"+ {visitor.name} now plays {member.name}")
    await carry_out(visitor, combat, told, before=others, roster=True)


@subcommand("combat leave", "players")
async def leave(visitor: Visitor, words: Words) -> None:
    """Leave a game around fights, such as a journey, to a computer player.

    Before the start you are simply removed. The owner may offer your seat to
    another player, or to you again. You cannot leave a fight this way, only by its
    moves.
    """
    combat = combat_here(visitor)
    adventure, member = combat.adventure, own_member(visitor, combat)
    if adventure is None:
        raise Illegal("you cannot leave a fight this way, only by its moves", given=combat.name)
    waited_for = [other for other in combat.awaited() if other is not member]
    news = f"+ {visitor.name} has left"
    if combat.fight is None:
        combat.remove(member, None)
    else:
        member.player = None
        combat.hand_over(member, adventure.tactic)
        news += f"; {member.name} now moves by itself: {member.tactic}"
    await carry_out(visitor, combat, Told(news=news), before=waited_for, roster=True)
