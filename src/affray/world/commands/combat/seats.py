"""The subcommands of `combat` that change who moves an NPC: the owner, a tactic, or a player."""

from __future__ import annotations

from affray.world.actions import seats
from affray.world.commands.combat.registry import Words, here, subcommand
from affray.world.commands.registry import misused
from affray.world.people.visitor import Visitor


@subcommand("combat auto NAME TACTIC", seats.auto, 2, 2)
async def auto(visitor: Visitor, words: Words) -> None:
    """Let an NPC move by itself from now on, by a named tactic, or by thinking.

    beginner, easy, able, expert and master think; search:2s does so for as long.
    After several such moves in a row the status is shown once.
    """
    await seats.auto(visitor, here(visitor), words[0], words[1])


@subcommand("combat manual NAME", seats.manual, 1, 1)
async def manual(visitor: Visitor, words: Words) -> None:
    """Move an NPC yourself again."""
    await seats.manual(visitor, here(visitor), words[0])


@subcommand("combat group GROUP NAME ...", seats.group, 1, None)
async def group(visitor: Visitor, words: Words) -> None:
    """Let NPCs of one team act together: combat move_group moves them all.

    For example:  combat group goblins grik grok. Wounds stay apart. With - instead
    of GROUP each of them acts alone again.
    """
    await seats.group(visitor, here(visitor), words[0].removeprefix("-"), words[1:])


@subcommand("combat offer NAME [anyone]", seats.offer, 1, 2)
async def offer(visitor: Visitor, words: Words) -> None:
    """Offer an NPC to another player. You get a word to pass on.

    The first player who types  combat take NAME WORD  plays it. Until then you move
    it. What is offered to anyone needs no word, and is listed in the lobby of the
    page.
    """
    if words[1:] and words[1].casefold() != "anyone":
        raise misused("combat offer NAME [anyone]", " ".join(words))
    await seats.offer(visitor, here(visitor), words[0], public=len(words) > 1)


@subcommand("combat withdraw NAME", seats.withdraw, 1, 1)
async def withdraw(visitor: Visitor, words: Words) -> None:
    """Stop offering an NPC to other players; its word no longer works."""
    await seats.withdraw(visitor, here(visitor), words[0])


@subcommand("combat take NAME [WORD]", seats.take, 1, 2)
async def take(visitor: Visitor, words: Words) -> None:
    """Take over an NPC that the owner of the combat offers.

    What is offered to anyone needs no word.
    """
    await seats.take(visitor, here(visitor), words[0], words[1] if len(words) > 1 else None)


@subcommand("combat hand [NAME]", seats.hand, 0, 1)
async def hand(visitor: Visitor, words: Words) -> None:
    """Hand your seat over to another player, who must type  combat accept.

    Until then you play on. Without a name you keep your seat. A fighter with a
    sheet of your own cannot be handed over.
    """
    await seats.hand(visitor, here(visitor), words[0] if words else "")


@subcommand("combat accept", seats.accept)
async def accept(visitor: Visitor, words: Words) -> None:
    """Take over the seat that another player hands over to you."""
    await seats.accept(visitor, here(visitor))


@subcommand("combat refuse", seats.refuse)
async def refuse(visitor: Visitor, words: Words) -> None:
    """Do not take the seat that another player hands over to you."""
    await seats.refuse(visitor, here(visitor))


@subcommand("combat leave", seats.leave)
async def leave(visitor: Visitor, words: Words) -> None:
    """Leave a game around fights, such as a journey, to a computer player.

    Before the start you are simply removed. The owner may offer your seat to
    another player, or to you again. You cannot leave a fight this way, only by its
    moves.
    """
    await seats.leave(visitor, here(visitor))
