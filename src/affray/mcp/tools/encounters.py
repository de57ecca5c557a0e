"""A tool that puts fights together: monsters of a wanted difficulty for a party."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

from pydantic import Field

from affray.mcp.tools.lookup import Options, Patience, SystemName, counting, setup_of
from affray.mcp.tools.registry import Ctx, Told, plain, tool

MOST_PARTY = 12
MOST_MONSTERS = 20


@tool(reads=True)
async def encounter(
    ctx: Ctx,
    system: SystemName,
    party: Annotated[
        list[str | dict[str, Any]], Field(description="the party's sheets", min_length=1, max_length=MOST_PARTY)
    ],
    difficulty: Annotated[
        str, Field(description="easy, medium, hard, deadly, or how often the party wins: 0.4..0.5", max_length=20)
    ] = "hard",
    fewest: Annotated[int, Field(description="fewest monsters", ge=1, le=MOST_MONSTERS)] = 2,
    most: Annotated[int, Field(description="most monsters", ge=1, le=MOST_MONSTERS)] = 6,
    bestiary: Annotated[list[str], Field(description="creatures or kinds to choose from", max_length=60)] | None = None,
    options: Options | None = None,
    seed: Annotated[int, Field(description="another seed, other suggestions", ge=0, le=2**62)] = 0,
) -> Told:
    """Suggest groups of monsters that a party surely beats as often as wanted, and what each fight costs the party."""
    from affray.lab.design.encounter import difficulty as wanted
    from affray.lab.design.encounter import encounters

    setup_of(system, {"heroes": party, "monsters": party[:1]}, options or {})
    async with counting:
        found = await asyncio.to_thread(
            encounters,
            system,
            party,
            wanted=wanted(difficulty),
            numbers=range(fewest, most + 1),
            bestiary=bestiary or (),
            options=dict(options or {}),
            seed=seed,
            progress=Patience(),
        )
    lines = [
        f"{', '.join(one.foes)}: the party wins {one.wins.value:.1%} ({one.wins.low:.1%} to {one.wins.high:.1%}), "
        f"{one.rounds.value:.1f} rounds" + "".join(f", {name} {r.value:.1%}" for name, r in one.someone.items())
        for one in found.suggestions
    ]
    lines += [f"None fits; near: {foes}, the party wins {wins.value:.1%}" for foes, wins in found.nearest]
    return Told("\n".join(lines) or "Nothing was found in the time that there is.", plain(found.as_table()))
