"""A model that tells the story overrules a fight, and puts one together."""

from __future__ import annotations

import affray

DUEL = {"heroes": ["player"], "monsters": ["fire-slime"]}


async def test_a_storyteller_intervenes_and_takes_it_back(model) -> None:
    async with model() as m:
        _, new = await m.ask("new_fight", system="bgo", teams=DUEL, seed=7)
        teller = {"fight": "bgo", "token": new["tokens"]["storyteller"]}
        text, found = await m.ask("touchable", **teller)
        health = next(one for one in found["fighters"][1]["quantities"] if one["name"] == "health")
        assert f"health {health['value']} ({health['low']} to {health['high']})" in text
        text, seen = await m.ask("intervene", text="set fire-slime health 1", **teller)
        assert seen["decision"] == new["seen"]["decision"] + 1
        _, found = await m.ask("touchable", **teller)
        assert next(one["value"] for one in found["fighters"][1]["quantities"] if one["name"] == "health") == 1
        await m.ask("undo", **teller)
        _, found = await m.ask("touchable", **teller)
        assert next(one for one in found["fighters"][1]["quantities"] if one["name"] == "health") == health


async def test_only_the_storyteller_intervenes_and_only_within_ranges(model) -> None:
    async with model() as m:
        _, new = await m.ask("new_fight", system="bgo", teams=DUEL, by={"heroes": "seat"}, seed=7)
        seat = {"fight": "bgo", "token": new["tokens"]["seat player"]}
        teller = {"fight": "bgo", "token": new["tokens"]["storyteller"]}
        _, before = await m.ask("touchable", **teller)
        for caller in (seat, {"fight": "bgo"}):
            text, _ = await m.refused("intervene", text="set fire-slime health 1", **caller)
            assert "only the storyteller's token may intervene" in text
            await m.refused("touchable", **caller)
        for word in ("set fire-slime health 9999", "set ghost health 1", "dance", "end nobody"):
            await m.refused("intervene", text=word, **teller)
        await m.refused("intervene", text="set fire-slime health 1", decision=99, **teller)
        assert (await m.ask("touchable", **teller))[1] == before


async def test_an_encounter_is_as_hard_as_is_wanted_and_names_no_file(model) -> None:
    async with model() as m:
        _, found = await m.ask(
            "encounter",
            system="bgo",
            party=["player"],
            difficulty="0.2..0.95",
            fewest=1,
            most=1,
            bestiary=["mud-slime", "fire-slime"],
        )
        foe = found["suggestions"][0]["foes"]
        chance = affray.odds("bgo", {"heroes": ["player"], "monsters": foe}).chances["heroes"]
        assert 0.2 <= chance <= 0.95
        text, _ = await m.refused("encounter", system="bgo", party=["./mine.toml"])
        assert "file" in text
        text, _ = await m.refused("encounter", system="bgo", party=["player"], difficulty="brutal")
        assert "deadly" in text
