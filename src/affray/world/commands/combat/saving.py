"""The subcommands of `combat` that save its state, restore it, and end it with its lasting results for players."""

from __future__ import annotations

from affray.fight import Fight
from affray.world.combats import news
from affray.world.combats.combat import Combat, Told
from affray.world.combats.roster import Member
from affray.world.combats.sheets import stats_of, write_back
from affray.world.commands.combat.registry import Words, carry_out, check_owner, combat_here, subcommand
from affray.world.people.visitor import Visitor
from affray.world.store import Store, statements
from affray.world.store.tables import fold


@subcommand("combat save", "owner")
async def save(visitor: Visitor, words: Words) -> None:
    """Save the current state, to go back to it with combat restore.

    Moves are always saved one by one: if the server fails, nothing is lost.
    """
    combat = combat_here(visitor)
    told = combat.save()
    saved = statements.change_combat(combat.number, saved=combat.saved)
    await carry_out(visitor, combat, told, saved, before=combat.awaited())


@subcommand("combat restore", "players")
async def restore(visitor: Visitor, words: Words) -> None:
    """Go back to the saved state, where combat undo would be allowed.

    If all teams must agree, each does so with this command. Players who are not
    connected, or who now fight elsewhere, become NPCs, which the owner moves.
    """
    combat, world = combat_here(visitor), visitor.world

    def is_active(account: str) -> bool:
        return world.people.is_active(account) and world.combats.binding(account, combat) is None

    if visitor.key not in combat.players or combat.undo_setting == "free":
        await check_owner(visitor, "go back to the saved state")
    await carry_out(visitor, combat, combat.restore(visitor.key, is_active), anew=True)


@subcommand("combat end", "owner")
async def end(visitor: Visitor, words: Words) -> None:
    """End the combat and remove it with its NPCs, whether or not it is over.

    The lasting results of a fight are written to the players' attributes.
    """
    combat, world, place = combat_here(visitor), visitor.world, visitor.here()
    returned = [change for member in combat.roster for change in await _returned(world.store, combat, member)]
    ending = combat.fight.ending if combat.fight else None
    ended = statements.change_combat(combat.number, phase="ended", ending=ending)
    await world.combats.store(combat, *returned, ended)
    del world.combats[place.key]
    ended_as = f"+ {combat.subject.capitalize()} has ended."
    told = Told(f"Ended and removed {combat.word} {combat.name} at {place.name}", ended_as)
    if combat.fair is not None:
        told.notice = f"* The secret of the dice:\n  {combat.fair.secret.hex()}"
        told.notice += f"\n  combat log {combat.number} file  gives the log to verify"
    news.spread(world, combat, told, visitor, combat.awaited())


async def _returned(store: Store, combat: Combat, member: Member) -> list[statements.Change]:
    """What the end of combat writes back to a player's attributes."""
    fight, residence = combat.fight, combat.system.residence
    if not isinstance(fight, Fight) or residence is None or not member.player or not member.lasts(combat.system):
        return []
    if await store.account(member.player) is None:
        return []
    present = await store.attributes(member.player)
    types = {fold(name): type for name, type in residence.attributes.items()}
    # Attributes can be changed in mid-combat: one of the wrong type is ignored, and gets its type back.
    fitting = {key: a for key, a in present.items() if a.type == types.get(key, a.type)}
    stats = stats_of(combat.system, fitting)
    values = residence.returns(fight.state, fight.index(combat.fighter(member)), stats)
    return write_back(combat.system, member.player, present, values)
