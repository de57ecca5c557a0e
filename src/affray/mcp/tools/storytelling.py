"""Tools for overruling a fight: what the storyteller may change, and changing it."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from affray.mcp.tools.fights import seen_text
from affray.mcp.tools.registry import Caller, Ctx, FightName, Token, Told, tool
from affray.world.combats.storytelling import LONGEST


@tool(reads=True)
async def touchable(ctx: Ctx, fight: FightName, token: Token = "") -> Told:
    """See what a storyteller may change now: quantities of every fighter with their ranges, and the forms of a word."""
    caller = Caller.of(ctx, token)
    found = await caller.host.touchable(fight, caller.token)
    return Told("\n".join([*map(_fighter, found["fighters"]), *_ways(found)]), found)


def _fighter(one: dict[str, Any]) -> str:
    quantities = [f"{each['name']} {each['value']} ({each['low']} to {each['high']})" for each in one["quantities"]]
    known = [*["dice veiled"] * one["veiled"], *(f"note: {note}" for note in one["notes"])]
    return f"{one['name']} ({one['team']}): {', '.join([*quantities, *known])}"


def _ways(found: dict[str, Any]) -> list[str]:
    lines = [f"{deal['name']} may be dealt: {deal['says']}" for deal in found["deals"]]
    lines.append(f"Ways to leave: {', '.join(found['ways_out'])}. Ways to end: {', '.join(found['endings'])}.")
    lines += [f"{one['name']} waits in the wings, to join {one['team']}" for one in found["wings"]]
    lines += [*found["rolls"], *(f"Note: {note}" for note in found["notes"])]
    return [*lines, f"Forms: {'; '.join(found['forms'])}"]


@tool()
async def intervene(
    ctx: Ctx,
    fight: FightName,
    text: Annotated[
        str, Field(description="the word, such as `set goblin health 3`", min_length=1, max_length=LONGEST)
    ],
    decision: Annotated[int | None, Field(description="the number of the decision that is open")] = None,
    token: Token = "",
) -> Told:
    """Overrule a fight as its storyteller: change a quantity, deal harm, let a fighter join or leave, end it.

    It is written into the log like a move, and can be taken back like one. `touchable` says what may be changed.
    `hide TEAM SHEET`, `roll DICE`, `note TEXT` and `veil FIGHTER` stay secret; `reveal FIGHTER` ends the hiding.
    """
    caller = Caller.of(ctx, token)
    seen = await caller.host.intervene(fight, caller.token, text, decision)
    return Told(seen_text(seen), seen.as_table())
