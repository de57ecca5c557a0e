"""The systems of `examples/` in a world: a player with a sheet of theirs fights an NPC."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

Crowds = Callable[..., Any]


@pytest.mark.parametrize(
    ("system", "own", "other", "move", "told"),
    [("coins", "anna", "bert", "jab", "tries a jab"), ("d20", "knight", "goblin", "attack", "armour class")],
)
async def test_a_combat_is_fought_to_its_end(
    crowd: Crowds, examples: None, system: str, own: str, other: str, move: str, told: str
) -> None:
    async with crowd("Ada") as people:
        ada = people["Ada"]
        await ada(f"set_attr me {system}_sheet[STRING]={own}")
        for line in (f"init brawl {system}", "add me left", f"add_npc foe {other} right"):
            await ada(f"combat {line}")
        await ada("combat auto foe random")
        await ada("combat start left")
        (combat,) = people.world.combats.values()
        assert combat.fight is not None, "combat has begun"
        heard = ""
        for _ in range(100):
            if combat.fight.over:
                break
            heard += await ada(f"combat move {move}")
            await people.settled()
        assert combat.fight.over, heard
        assert told in heard
