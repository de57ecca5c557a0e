"""Actions on a fight: starting it, moving in it, taking moves back, saving it, ending it, and watching it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from affray.errors import Illegal
from affray.fight import Fight
from affray.world.actions.acting import Effect, check_owner, check_stands_in, in_fight
from affray.world.actions.storytelling import in_secret
from affray.world.combats import concluding, games, groups, parties, restoring, results, storytelling, taking_back
from affray.world.combats.combat import Combat
from affray.world.combats.roster import Member
from affray.world.combats.sheets import stats_of, write_back
from affray.world.combats.told import Told
from affray.world.people.visitor import Visitor
from affray.world.store import Store, statements
from affray.world.store.tables import fold


@in_fight("owner")
async def start(actor: Visitor, combat: Combat, first: Sequence[str]) -> Effect:
    """Begin; the teams that are listed move first where the order matters."""
    told = combat.start(first, actor.world.dice)
    await results.mark_rated(actor.world.store, combat)
    if combat.fair is not None:
        told.notice = f"* The dice are fair. The SHA-256 of their secret is\n  {combat.fair.commitment}"
    if combat.is_rated:
        told.notice = "\n".join(filter(None, [told.notice, "* This duel counts for the ratings of both players."]))
    return Effect(told, anew=True)


@in_fight("players")
async def move(
    actor: Visitor,
    combat: Combat,
    name: str | None,
    text: str,
    decision: int | None = None,
    after: str | None = None,
    together: bool = False,
) -> Effect:
    """Make a move for the actor's fighter, or for the one named; with `decision` only if that one is still open.

    With `together` all of the fighter's group make it, each when it is asked the same in this round.
    `after` is the mark of the story before it: a decision with the same number after an undo may be a different one.
    """
    fight = combat.running()
    if after is not None and fight.decision == decision and after != combat.led_here:
        raise Illegal("moves have been taken back since you were asked, and the fight has changed", given=text)
    member = own_member(actor, combat) if name is None else combat.member(name)
    await check_stands_in(actor, combat, member, "move others")
    before, asked = combat.awaited(), any(one.wishes for one in combat.members)
    if together:
        told, secret = groups.move(combat, member, text, actor.key, decision)
        return Effect(told, before=before, anew=True, padding=secret)
    effect = Effect(combat.move(member, text, actor.key, decision), before=before, roster=asked)
    if member.player not in (None, actor.key):
        effect.then.append(partial(actor.world.people.call, member.player, f"* {actor.name} has moved for you."))
    return effect


def own_member(actor: Visitor, combat: Combat) -> Member:
    """The member that an actor plays."""
    member = combat.roster.of_player(actor.key)
    if member is None:
        raise Illegal(f"{actor.name} does not take part in {combat.name}", given=actor.name)
    return member


async def check_odds(actor: Visitor, combat: Combat, member: Member) -> None:
    """Refuse the odds of a member who has no move to make, or whom the actor may not move."""
    await check_stands_in(actor, combat, member, "ask for the odds of others")
    games.check_odds(combat.running(), oversees=combat.is_overseen_by(actor.key, actor.role))
    if member not in combat.awaited():
        raise Illegal(f"{member.name} has no move to make now", given=member.name)


@in_fight("players")
async def undo(actor: Visitor, combat: Combat) -> Effect:
    """Take back the last move that a person made, or agree to that; a storyteller first the last aside."""
    if combat.is_overseen_by(actor.key, actor.role) and (aside := storytelling.undo_aside(combat)):
        return in_secret(combat, aside)
    if actor.key not in combat.players or combat.undo_setting == "free":
        await check_owner(actor, combat, "take moves back")
    waited_for, fight = combat.awaited(), combat.fought()
    already = len(fight.undone)
    told = taking_back.undo(combat, actor.key)
    # If only a secret choice is taken back, the players who had to choose before are not asked again.
    before = waited_for if len(fight.undone) == already else []
    return Effect(told, anew=True, before=before)


@in_fight("owner")
async def save(actor: Visitor, combat: Combat) -> Effect:
    """Keep the present state, to come back to it."""
    told = restoring.save(combat)
    return Effect(told, [statements.change_combat(combat.number, saved=combat.saved)], before=combat.awaited())


@in_fight("players")
async def restore(actor: Visitor, combat: Combat) -> Effect:
    """Go back to the state that was kept, or agree to that."""
    world = actor.world

    def may_play(member: Member) -> bool:
        if member.player is None or not world.people.is_active(member.player):
            return False
        # Results of two fights would be written to the same attributes.
        return not member.lasts(combat.system) or world.combats.binding(member.player, combat) is None

    if actor.key not in combat.players or combat.undo_setting == "free":
        await check_owner(actor, combat, "go back to the saved state")
    secret = combat.secret
    told = restoring.restore(combat, actor.key, may_play)
    return Effect(told, anew=True, padding=max(0, combat.secret - secret))


@in_fight("owner")
async def end(actor: Visitor, combat: Combat) -> Effect:
    """End the fight, whether or not it is over; its lasting results are written to the players' attributes.

    A player who ends a duel that counts for ratings before it is over has resigned it.
    """
    own = combat.roster.of_player(actor.key)
    resigned = own is not None and combat.is_rated and combat.phase == "running"
    if own is not None and resigned:
        concluding.concluded(combat, "resigned", own)
    returned = [change for member in combat.roster for change in await _returned(actor.world.store, combat, member)]
    returned += await parties.after_fight(actor.world.store, combat)
    ending = combat.fight.ending if combat.fight else None
    ended = statements.change_combat(combat.number, phase="ended", ending=ending)
    place = actor.world.places[combat.place].name
    ended_as = f"+ {combat.subject.capitalize()} has ended."
    told = Told(f"Ended and removed {combat.word} {combat.name} at {place}", ended_as)
    if combat.fair is not None:
        told.notice = f"* The secret of the dice:\n  {combat.fair.secret.hex()}"
        told.notice += f"\n  combat log {combat.number} file  gives the log to verify"
    unfinished = results.of(combat) if combat.phase == "running" else []
    return Effect(told, [*returned, *unfinished, ended], before=combat.awaited(), anew=resigned, ends=True)


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


@in_fight("everybody")
async def watch(actor: Visitor, combat: Combat) -> None:
    """Be told what its players are told."""
    combat.watchers.add(actor.key)
    actor.tell(f"You are watching {combat.name}.\n{combat.status(actor.key)}")


@in_fight("everybody")
async def unwatch(actor: Visitor, combat: Combat) -> None:
    """No longer be told."""
    if actor.key not in combat.watchers:
        raise Illegal(f"you are not watching {combat.name}")
    combat.watchers.discard(actor.key)
    actor.tell(f"You are no longer watching {combat.name}.")
