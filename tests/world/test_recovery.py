"""Resting and healing in a world: whose sheet changes, when it may, and what others hear of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Crowds = Callable[..., Any]
HURT = "set_attr me deckahedron_sheet[STRING]=maren:face_down=4:harm=2:wounds=1:wound_cards=21"


async def sheet_of(person: Any) -> str:
    line: str = await person("get_attr me deckahedron_sheet")
    return line.removeprefix("deckahedron_sheet[STRING]=")


async def test_who_rests_keeps_a_card_lost_for_each_token_that_is_left(crowd: Crowds) -> None:
    async with crowd("Ada", "Bob") as people:
        await people["Ada"](HURT)
        told = await people["Ada"]("rest")
        assert told.startswith("Ada rests for 8 hours.\n1 Harm token goes.\nTo the discard pile: ")
        assert told.endswith("2 cards stay in the Exhaustion pile.")
        assert people["Bob"].news() == "Ada rests for 8 hours."
        kept = await sheet_of(people["Ada"])
        assert ":face_down=2:" in kept
        assert ":harm=1:" in kept
        assert ":wounds=1" in kept


async def test_a_day_of_healing_leaves_one_wound_less(crowd: Crowds) -> None:
    async with crowd("Ada") as people:
        await people["Ada"](HURT)
        told = await people["Ada"]("heal deckahedron")
        assert "2 Harm tokens and 1 Wound token go.\nA Wound card is taken out of the cards.\n" in told
        kept = await sheet_of(people["Ada"])
        assert kept.startswith("maren:discard=")
        assert "wound" not in kept
        assert "harm" not in kept
        assert "face_down" not in kept


async def test_a_player_cannot_rest_in_the_middle_of_a_combat(crowd: Crowds) -> None:
    async with crowd("Ada", "Bob") as people:
        ada = people["Ada"]
        await ada(HURT)
        before = await sheet_of(ada)
        for line in ("init brawl deckahedron", "add me heroes", "add_npc guard1 guard monsters", "start"):
            await ada(f"combat {line}")
        refusal = await ada("rest")
        assert refusal.startswith("You cannot rest while you take part in a combat; yours is at Tavern")
        assert await sheet_of(ada) == before
        assert "Rest is for" not in await people["Bob"]("rest"), "Bob takes no part in it"


async def test_what_a_combat_leaves_is_on_the_sheet_when_it_has_ended(crowd: Crowds) -> None:
    async with crowd("Ada") as people:
        ada = people["Ada"]
        await ada("set_attr me deckahedron_sheet[STRING]=maren:tokens=1")
        for line in ("init brawl deckahedron", "add me heroes", "add_npc guard1 guard monsters", "start"):
            await ada(f"combat {line}")
        await ada("combat move yield")
        (combat,) = people.world.combats.values()
        fighter = combat.fight.state.fighters[0]
        flipped = sorted(card + 1 for card in range(24) if fighter.discard >> card & 1)
        assert flipped, "the order was flipped for"
        await ada("combat end")
        kept = await sheet_of(ada)
        assert kept.startswith(f"maren:tokens=1:discard={'+'.join(map(str, flipped))}")
        assert (await ada("rest")).startswith("Ada rests for 8 hours.")


async def test_who_has_no_sheet_hears_which_attribute_is_missing(crowd: Crowds) -> None:
    async with crowd("Ada") as people:
        assert "Ada has no attribute deckahedron_sheet[STRING]" in await people["Ada"]("heal")
        assert "Ada has no attribute strategic_sheet[STRING]" in await people["Ada"]("care")
        assert await people["Ada"]("rest") == "Rest in which system:  rest deckahedron or strategic."
        assert "grapple" in await people["Ada"]("heal grapple")


async def test_a_crippled_fighter_goes_to_a_healer_and_to_bed(crowd: Crowds) -> None:
    async with crowd("Ada") as people:
        ada = people["Ada"]
        await ada("set_attr me strategic_sheet[STRING]=guard:coins_lost=4:crippling=2")
        assert (await ada("care")).startswith("Ada reaches the healer after 6 hours, with 26 Life Coins.")
        assert await ada("rest") == (
            "Ada rests for 24 hours: Crippling is now 1.\nCrippling 1: 8 hours in bed heal all of it."
        )
        assert "crippling=1" in await ada("get_attr me strategic_sheet")
