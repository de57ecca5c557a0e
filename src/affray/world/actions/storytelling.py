"""Actions of a storyteller: intervening in a fight, agreeing to that, and handing the fight over."""

from __future__ import annotations

from affray.errors import Forbidden, Illegal
from affray.world.actions.acting import Effect, account_called, in_fight, owns
from affray.world.actions.creation import MOST_OWNED
from affray.world.combats import storytelling
from affray.world.combats.combat import Combat
from affray.world.combats.told import Told
from affray.world.people.visitor import Visitor
from affray.world.store import statements


@in_fight("owner")
async def intervene(actor: Visitor, combat: Combat, text: str, decision: int | None = None) -> Effect:
    """Overrule the fight by a storyteller's word; an owner who fights too needs the consent of all sides.

    Of an aside no one else learns while the fight runs.
    """
    if storytelling.is_aside(text):
        return in_secret(combat, storytelling.aside(combat, text, actor.key))
    hidden, closed = storytelling.still_to_choose(combat), combat.closed
    told = storytelling.intervene(combat, text, actor.key, decision)
    return Effect(told, anew=True, padding=hidden if combat.closed > closed else 0)


def in_secret(combat: Combat, told: Told) -> Effect:
    """What is to be stored of a fight in which something was done in secret, and told to the actor alone."""
    return Effect(told, [statements.change_combat(combat.number, log=combat.head_as_json())], before=combat.awaited())


@in_fight("players")
async def agree(actor: Visitor, combat: Combat) -> Effect:
    """Agree to the intervention that the owner asks for."""
    if actor.key not in combat.players and not owns(actor, combat):
        raise Forbidden("only players who take part can agree", given=combat.name)
    hidden, closed = storytelling.still_to_choose(combat), combat.closed
    told = storytelling.agree(combat, actor.key)
    return Effect(told, anew=True, padding=hidden if combat.closed > closed else 0)


@in_fight("owner")
async def appoint(actor: Visitor, combat: Combat, name: str) -> Effect:
    """Make another player the owner, and so the storyteller, who must be here or take part."""
    account = await account_called(actor, name)
    if account.place != combat.place and account.key not in (*combat.players, *combat.watchers):
        raise Illegal(f"{account.name} must take part in {combat.name}, watch it or be here", given=name)
    if account.key == combat.owner:
        raise Illegal(f"{account.name} already is the storyteller of {combat.name}", given=name)
    owned = actor.world.combats.owned_by(account.key)
    if owned >= MOST_OWNED:
        raise Illegal(f"{account.name} owns {owned} combats already, and {MOST_OWNED} is the most", given=name)
    combat.owner = account.key
    change = statements.change_combat(combat.number, owner=account.key)
    told = Told(news=f"+ {account.name} is the storyteller of {combat.name} now")
    return Effect(told, [change], before=combat.awaited())
