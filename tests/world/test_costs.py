"""What a decision costs, told to people in a world: as a player at a screen reads it, and the reckoning at the end."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from typing import Any

import pytest

pytestmark = pytest.mark.long

Crowds = Callable[..., Any]


async def begin_with(people: Any) -> Any:
    """A combat of two against two, all of them NPCs of Ada's."""
    ada = people["Ada"]
    await ada("combat init brawl strategic")
    for name, kind, team in (("bob", "knight", "a"), ("Ann", "guard", "a"), ("x", "brute", "b"), ("y", "brute", "b")):
        await ada(f"combat add_npc {name} {kind} {team}")
    await ada("combat start a b")
    (combat,) = people.world.combats.values()
    return combat


async def test_odds_show_the_stake_and_what_the_moves_cost(crowd: Crowds) -> None:
    async with crowd("Ada") as people:
        ada = people["Ada"]
        combat = await begin_with(people)
        (member, *_) = combat.awaited()
        ada.news()
        text = await ada(f"combat odds {member.name}")
        for _ in range(60_000):
            if text:
                break
            await asyncio.sleep(0.01)
            text = ada.news()
    assert text.startswith(f"How {member.name}'s moves are likely to end for")
    unfolded = " ".join(text.split())
    assert "Your stake: " in unfolded
    assert "A healer is 6 hours away." in unfolded
    assert "# win, o downed, X dead in the fight, x dead before reaching a healer" in unfolded
    assert re.search(r"^ +win +downed +die +by care +years +bed +lame +net$", text, re.M)
    assert len(re.findall(r"^> [a-z]", text, re.M)) == 1
    assert re.search(r"^[> ] flee +[<>]?\d", text, re.M)
    assert re.search(r"play-outs( each)?; \d+ more moves\)$", unfolded)
    assert all(len(line) <= 80 for line in text.splitlines())
    assert "\x1b" not in text


async def test_the_end_tells_everybody_what_the_fight_has_cost_and_only_once(crowd: Crowds) -> None:
    async with crowd("Ada") as people:
        ada = people["Ada"]
        combat = await begin_with(people)
        told = [await ada(f"combat auto {name} brute") for name in ("bob", "Ann", "x", "y")]
        for _ in range(60_000):
            if combat.fight.over:
                break
            await asyncio.sleep(0.01)
        async with people.world.combats.locks[combat.place]:  # it is over before everybody is told
            text = "\n".join([*told, ada.news()])
    assert combat.fight.over
    assert text.count("+ After the fight, with a healer 6 hours away:") == 1
    assert " ".join(text.split()).count("years lost on average, after care") == 4
    assert "the bob" not in text.lower()
