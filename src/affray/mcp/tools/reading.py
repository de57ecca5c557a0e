"""Tools to read about a fight: its story, the rules behind it, and whether its log fits its dice."""

from __future__ import annotations

import asyncio
import json
from typing import Annotated, Any

from pydantic import Field

from affray.errors import Illegal
from affray.fight.verifying import report
from affray.mcp.hosts.host import Told as Line
from affray.mcp.tools.lookup import checked
from affray.mcp.tools.registry import Caller, Ctx, FightName, Token, Told, tool
from affray.system.registry import find

MOST_LINES = 100


@tool(reads=True)
async def log(
    ctx: Ctx,
    fight: FightName,
    first: Annotated[int, Field(ge=1, description="the first line, from 1 on")] = 1,
    most: Annotated[int, Field(ge=1, le=MOST_LINES, description="how many lines")] = 60,
    token: Token = "",
) -> Told:
    """Read the story of a fight, with numbered lines."""
    caller = Caller.of(ctx, token)
    lines = await caller.host.story(fight, caller.token)
    shown = lines[first - 1 : first - 1 + most]
    rest = len(lines) - (first - 1 + len(shown))
    text = [f"{line.line}. {line.text}" for line in shown] + [f"({rest} more lines)"] * (rest > 0)
    return Told(
        "\n".join(text) or f"The story has {len(lines)} lines.",
        {"lines": [vars(line) for line in shown], "of": len(lines)},
    )


@tool(reads=True)
async def why(
    ctx: Ctx,
    fight: FightName,
    line: Annotated[int | None, Field(description="the number of a line; left out: the last decision's lines")] = None,
    token: Token = "",
) -> Told:
    """See which rules and rulings applied to what happened, each with its text and where it comes from."""
    caller = Caller.of(ctx, token)
    story = await caller.host.story(fight, caller.token)
    seen = await caller.host.see(fight, caller.token)
    asked = _asked(story, line)
    rulings = find(seen.system).rulings()
    cited = {id: rulings[id] for one in asked for id in one.why}
    text = [f"{one.line}. {one.text} [{', '.join(one.why)}]" for one in asked]
    text += [f"{ruling.id} ({ruling.source}): {ruling.text}" for ruling in cited.values()]
    data: dict[str, Any] = {
        "lines": [vars(one) for one in asked],
        "rulings": [
            {"id": one.id, "question": one.question, "text": one.text, "source": one.source} for one in cited.values()
        ],
    }
    return Told("\n".join(text), data)


def _asked(story: list[Line], line: int | None) -> list[Line]:
    if line is not None:
        if not 1 <= line <= len(story):
            raise Illegal(f"the line must be 1 to {len(story)}, not {line}", given=line)
        return [story[line - 1]]
    return [one for one in story if one.decision == story[-1].decision]


@tool(reads=True)
async def verify(ctx: Ctx, fight: FightName, token: Token = "") -> Told:
    """Check every move of a fight by the rules, and every die as far as its secret is known to your seat."""
    caller = Caller.of(ctx, token)
    table = await caller.host.log(fight, caller.token)
    return checked(await asyncio.to_thread(report, json.dumps(table).encode()))
