"""The subcommands of `combat` for a running fight: seeing it, moving in it, and taking a move back."""

from __future__ import annotations

from collections.abc import Callable

from affray.errors import Illegal, Refused
from affray.fight import Fight
from affray.world.actions import duel, fights
from affray.world.combats.games import fight_of
from affray.world.combats.hints import hint_text
from affray.world.combats.odds import odds_text
from affray.world.commands.combat.registry import Words, here, steady_here, subcommand
from affray.world.commands.registry import misused
from affray.world.people.visitor import Visitor, as_message


@subcommand("combat status", "everybody")
async def status(visitor: Visitor, words: Words) -> None:
    """See the teams, or the state of the fight."""
    async with steady_here(visitor) as combat:
        visitor.tell(combat.status(visitor.key))


@subcommand("combat move MOVE", fights.move, 1, None)
async def move(visitor: Visitor, words: Words) -> None:
    """Make a move, in the notation of the system."""
    await fights.move(visitor, here(visitor), None, " ".join(words))


@subcommand("combat move_npc NAME MOVE", fights.move, 2, None)
async def move_npc(visitor: Visitor, words: Words) -> None:
    """Move an NPC, or move for a player, who is told and need not be here.

    The move is written as for combat move. This is for the owner; an owner who
    takes part in the combat can move only NPCs.
    """
    await fights.move(visitor, here(visitor), words[0], " ".join(words[1:]))


@subcommand("combat move_group NAME MOVE", fights.move, 2, None)
async def move_group(visitor: Visitor, words: Words) -> None:
    """Move an NPC, and all of its group in the same way.

    The others make the move when they are asked the same in this round, as far as
    they can. combat group makes groups.
    """
    await fights.move(visitor, here(visitor), words[0], " ".join(words[1:]), together=True)


@subcommand("combat odds [NAME]", "players", 0, 1)
async def odds(visitor: Visitor, words: Words) -> None:
    """See how the fight is likely to end after each of your moves.

    The answer takes a moment. The owner can name any fighter whose turn it is.
    """
    fight, fighter = await _weighed(visitor, words)
    _answer(visitor, odds_text, fight, fighter, fight.team_of[fighter])


@subcommand("combat hint [NAME]", "players", 0, 1)
async def hint(visitor: Visitor, words: Words) -> None:
    """Ask which move a search would make in your place, and why.

    The answer takes a moment. The owner can name any fighter whose turn it is.
    """
    fight, fighter = await _weighed(visitor, words)
    _answer(visitor, hint_text, fight, fighter)


async def _weighed(visitor: Visitor, words: Words) -> tuple[Fight, str]:
    """The fight, and the fighter whose moves the visitor may have weighed."""
    async with steady_here(visitor) as combat:
        game = combat.running()
        member = combat.member(words[0]) if words else fights.own_member(visitor, combat)
        await fights.check_odds(visitor, combat, member)
    fighter = combat.fighter(member)
    return fight_of(game, fighter), fighter


def _answer(visitor: Visitor, work: Callable[..., str], fight: Fight, *more: object) -> None:
    """Tell the visitor what is worked out about a fight, as soon as it is."""
    background, answering = visitor.world.background, f"odds for {id(visitor)}"
    if background.is_running(answering):
        raise Illegal("your last request for odds is still being answered")
    asked = visitor.world.worker.ask(visitor.key, work, fight, *more)

    async def answer() -> None:
        try:
            visitor.tell(await asked)
        except Refused as problem:
            visitor.tell(as_message(str(problem)))

    background.start(answer(), answering)


@subcommand("combat undo", fights.undo)
async def undo(visitor: Visitor, words: Words) -> None:
    """Take back the last move that a person made, with everything after it.

    You can always take back your own choice while it is still secret. Beyond that
    the option undo of the combat decides. agreed, the default: one player of each
    team must type combat undo, and from then on other dice fall. free: the owner
    can take back any move, and the same dice fall again. off: nothing.
    """
    await fights.undo(visitor, here(visitor))


@subcommand("combat resign", duel.resign)
async def resign(visitor: Visitor, words: Words) -> None:
    """Give up: the other team has won.

    All people of your team must resign. It cannot be taken back.
    """
    await duel.resign(visitor, here(visitor))


@subcommand("combat draw", duel.draw)
async def draw(visitor: Visitor, words: Words) -> None:
    """Offer a draw, or accept one.

    The fight is a draw when one player of each team that people move has typed it.
    A move of another team declines it, and so does  combat decline.
    """
    await duel.draw(visitor, here(visitor))


@subcommand("combat decline", duel.decline)
async def decline(visitor: Visitor, words: Words) -> None:
    """Decline a draw that is offered, or take back your own offer."""
    await duel.decline(visitor, here(visitor))


@subcommand("combat default [TACTIC]", duel.fallback, 0, 1)
async def default(visitor: Visitor, words: Words) -> None:
    """Choose the tactic that moves in your place when your time for a move is up.

    For combats with a limit for each move, such as  combat init duel clock=3d/move.
    Without a tactic the usual one of your sheet moves. Nobody else is told.
    """
    await duel.fallback(visitor, here(visitor), words[0] if words else "")


@subcommand("combat rematch [same]", duel.rematch, 0, 1)
async def rematch(visitor: Visitor, words: Words) -> None:
    """After the end: fight again with sides swapped, or with the same sides.

    It begins at its own table when all players have asked for the same.
    """
    if words and words[0].casefold() != "same":
        raise misused("combat rematch [same]", " ".join(words))
    await duel.rematch(visitor, here(visitor), not words)
