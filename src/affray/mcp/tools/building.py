"""Tools of the storyteller: to set up a fight, to give its seats to others, and to end it."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from affray.mcp.hosts.host import MOVERS, NewFight
from affray.mcp.tools.fights import seen_text
from affray.mcp.tools.lookup import Options, Specs
from affray.mcp.tools.registry import Caller, Ctx, FighterName, FightName, Token, Told, tool


@tool()
async def new_fight(
    ctx: Ctx,
    system: Annotated[str, Field(description="the id of a combat system", max_length=60)] = "",
    teams: Specs | None = None,
    by: Annotated[
        dict[str, str], Field(description=f"who moves a fighter or a team, by its name: {MOVERS}", max_length=62)
    ]
    | None = None,
    options: Options | None = None,
    name: Annotated[str, Field(description="a name for the fight", max_length=60)] = "",
    seed: Annotated[int | None, Field(description="the same seed gives the same dice; usually left out")] = None,
    token: Token = "",
) -> Told:
    """Set up a fight and start it; you get the storyteller's token, and one for every seat of others.

    `by` says who moves whom: "storyteller" is you, "seat" a player with a token for that fighter alone, "side" a
    player with one for the whole team, "usual" the computer by the fighter's usual tactic; or name a tactic. A
    seat's token sees only what its fighters may know: never hand out the storyteller's. With a name and without
    teams, a save file of that name is taken up again that has no seats yet.
    """
    caller = Caller.of(ctx, token)
    asked = NewFight(system, teams or {}, name, by or {}, options or {}, seed)
    made = await caller.host.create(asked, caller.token)
    mine = made["tokens"].get("storyteller", caller.token)
    seen = await caller.host.see(made["fight"], mine)
    lines = [f"Fight {made['fight']} has begun."]
    lines += [f"token of {seat}: {given}" for seat, given in made["tokens"].items()]
    lines += [f"invitation to play {seat}: {word}" for seat, word in made.get("invitations", {}).items()]
    return Told("\n".join([*lines, "", seen_text(seen)]), {**made, "seen": seen.as_table()})


@tool()
async def hand_over(
    ctx: Ctx,
    fight: FightName,
    fighter: FighterName,
    by: Annotated[str, Field(description=MOVERS, max_length=60)],
    token: Token = "",
) -> Told:
    """Let another move a fighter from now on: a tactic, you yourself, or a player, for whom you get a token."""
    caller = Caller.of(ctx, token)
    made = await caller.host.hand_over(fight, caller.token, fighter, by)
    given = made.get("token") or made.get("invitation") or ""
    text = f"{fighter} is moved by: {by}." + (
        f" The {'token' if 'token' in made else 'invitation'}: {given}" * bool(given)
    )
    return Told(text, made)


@tool()
async def take_seat(
    ctx: Ctx,
    fight: FightName,
    invitation: Annotated[str, Field(description="the word of the invitation", max_length=60)],
    token: Token = "",
) -> Told:
    """Take the seat of an invitation in a fight of a world."""
    caller = Caller.of(ctx, token)
    seen = await caller.host.join(fight, caller.token, invitation)
    return Told(seen_text(seen), seen.as_table())


@tool()
async def go_on(ctx: Ctx, fight: FightName, token: Token = "") -> Told:
    """Let computer fighters make more moves, where they have stopped after very many in a row."""
    caller = Caller.of(ctx, token)
    seen = await caller.host.go_on(fight, caller.token)
    return Told(seen_text(seen), seen.as_table())


@tool()
async def end_fight(ctx: Ctx, fight: FightName, token: Token = "") -> Told:
    """End a fight for good, over or not: nothing is taken back any more, and everyone may check its dice."""
    caller = Caller.of(ctx, token)
    seen = await caller.host.end(fight, caller.token)
    return Told(seen.said or "The fight has been ended.", seen.as_table())
