"""The subcommands of `combat` for a running fight: seeing it, moving in it, and taking a move back."""

from __future__ import annotations

from affray.errors import Illegal, Refused
from affray.world.combats.combat import Combat
from affray.world.combats.games import fight_of
from affray.world.combats.odds import odds_text
from affray.world.combats.roster import Member
from affray.world.commands.combat.registry import Words, carry_out, check_owner, combat_here, subcommand
from affray.world.people.visitor import Visitor, as_message


@subcommand("combat status", "everybody")
async def status(visitor: Visitor, words: Words) -> None:
    """See the teams, or the state of the fight."""
    visitor.tell(combat_here(visitor).status(visitor.key))


@subcommand("combat move MOVE", "players", 1, None)
async def move(visitor: Visitor, words: Words) -> None:
    """Make a move, in the notation of the system."""
    combat = combat_here(visitor)
    combat.running()
    await _make_move(visitor, combat, own_member(visitor, combat), words)


def own_member(visitor: Visitor, combat: Combat) -> Member:
    """The member that a visitor plays."""
    member = combat.roster.of_player(visitor.key)
    if member is None:
        raise Illegal(f"{visitor.name} does not take part in {combat.name}", given=visitor.name)
    return member


@subcommand("combat move_npc NAME MOVE", "owner", 2, None)
async def move_npc(visitor: Visitor, words: Words) -> None:
    """Move an NPC, or move for a player, who is told and need not be here.

    The move is written as for combat move.
    """
    combat = combat_here(visitor)
    combat.running()
    await _make_move(visitor, combat, combat.member(words[0]), words[1:])


async def answer(visitor: Visitor, number: int, name: str, text: str, decision: int, after: str | None = None) -> None:
    """Make a move for the visitor's own fighter, or as the owner for others, if that decision is still open.

    `after` is the mark of the story before it: a decision with the same number after an undo may be a different one.
    """
    combat = combat_here(visitor)
    if combat.number != number:
        raise Illegal(f"combat {number} has been ended", given=number)
    if after not in (None, combat.led_here) and combat.running().decision == decision:
        raise Illegal("moves have been taken back since you were asked, and the fight has changed", given=text)
    member = combat.member(name)
    if member.player != visitor.key:
        await check_owner(visitor, "move others")
    await _make_move(visitor, combat, member, [text], decision)


async def _make_move(
    visitor: Visitor, combat: Combat, member: Member, words: Words, decision: int | None = None
) -> None:
    before = combat.awaited()
    await carry_out(visitor, combat, combat.move(member, " ".join(words), visitor.key, decision), before=before)
    if member.player not in (None, visitor.key):
        visitor.world.people.call(member.player, f"* {visitor.name} has moved for you.")


@subcommand("combat odds [NAME]", "players", 0, 1)
async def odds(visitor: Visitor, words: Words) -> None:
    """See how the fight is likely to end after each of your moves.

    The answer takes a moment. The owner can name any fighter whose turn it is.
    """
    combat = combat_here(visitor)
    game = combat.running()
    member = combat.member(words[0]) if words else own_member(visitor, combat)
    await check_odds(visitor, combat, member)
    background, answering = visitor.world.background, f"odds for {id(visitor)}"
    if background.is_running(answering):
        raise Illegal("your last request for odds is still being answered")
    fighter = combat.fighter(member)
    fight = fight_of(game, fighter)
    asked = visitor.world.worker.ask(odds_text, fight, fighter, fight.team_of[fighter])

    async def answer() -> None:
        try:
            visitor.tell(await asked)
        except Refused as problem:
            visitor.tell(as_message(str(problem)))

    background.start(answer(), answering)


async def check_odds(visitor: Visitor, combat: Combat, member: Member) -> None:
    """Refuse the odds of a member who has no move to make, or whom another player plays."""
    if member.player != visitor.key:
        await check_owner(visitor, "ask for the odds of others", combat)
    if member not in combat.awaited():
        raise Illegal(f"{member.name} has no move to make now", given=member.name)


@subcommand("combat undo", "players")
async def undo(visitor: Visitor, words: Words) -> None:
    """Take back the last move that a person made, with everything after it.

    You can always take back your own choice while it is still secret. Beyond that
    the option undo of the combat decides. agreed, the default: one player of each
    team must type combat undo, and from then on other dice fall. free: the owner
    can take back any move, and the same dice fall again. off: nothing.
    """
    combat = combat_here(visitor)
    if visitor.key not in combat.players or combat.undo_setting == "free":
        await check_owner(visitor, "take moves back")
    waited_for, fight = combat.awaited(), combat.fought()
    already = len(fight.undone)
    told = combat.undo(visitor.key)
    # If only a secret choice is taken back, the players who had to choose before are not asked again.
    before = waited_for if len(fight.undone) == already else []
    await carry_out(visitor, combat, told, anew=True, before=before)
