"""Investigators in a world: one attribute keeps what a combat leaves of them, and the next combat begins with it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Crowds = Callable[..., Any]
SHOOT = "combat move shoot with .38 revolver"


async def sheet_of(person: Any) -> str:
    line: str = await person("get_attr me mythos_sheet")
    return line.removeprefix("mythos_sheet[STRING]=")


async def begin(person: Any) -> None:
    """A combat against a zombie that is too surprised to do anything in the first round."""
    for line in ("init brawl mythos surprise=first", "add me investigators", "add_npc zombie1 zombie enemies"):
        await person(f"combat {line}")
    await person("combat start investigators")


async def test_a_shot_and_a_wound_are_on_the_sheet_when_combat_has_ended(crowd: Crowds) -> None:
    async with crowd("Ada") as people:
        ada = people["Ada"]
        await ada("set_attr me mythos_sheet[STRING]=detective:skills=handgun 70+brawl 40:luck=35")
        await begin(ada)
        (combat,) = people.world.combats.values()
        assert combat.fight is not None, "combat has begun"
        await ada(SHOOT)
        combat.fight.state.fighters[0].hp = 7
        await ada("combat end")
        kept = await sheet_of(ada)
        assert kept.startswith("detective:luck=35:hp=7:skills=brawl 40+handgun 70:loaded=38-revolver 5:")
        assert "name" not in kept


async def test_the_next_combat_begins_with_what_the_last_has_left(crowd: Crowds) -> None:
    async with crowd("Ada") as people:
        ada = people["Ada"]
        await ada("set_attr me mythos_sheet[STRING]=detective")
        for shots_left in (5, 4):
            await begin(ada)
            await ada(SHOOT)
            await ada("combat end")
            assert f"loaded=38-revolver {shots_left}" in await sheet_of(ada)


async def test_who_is_dead_cannot_take_part(crowd: Crowds) -> None:
    async with crowd("Ada") as people:
        ada = people["Ada"]
        await ada("set_attr me mythos_sheet[STRING]=detective:dead=on")
        await begin(ada)
        (combat,) = people.world.combats.values()
        assert combat.fight is None
        assert "Ada is dead and cannot fight" in await ada("combat start investigators")


async def test_who_has_no_sheet_hears_which_attribute_is_missing(crowd: Crowds) -> None:
    async with crowd("Ada") as people:
        await people["Ada"]("combat init brawl mythos")
        told = await people["Ada"]("combat add me investigators")
        assert "Ada has no attribute mythos_sheet[STRING]; it takes a sheet such as detective" in told
