"""Groups of NPCs act together: one answer counts for each of them in turn, wounds stay apart, and all is in the log."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Crowds = Callable[..., Any]


async def pack(people: Any, system: str, sheet: str, hero: str) -> Any:
    """Olga runs three monsters in a group against a hero whom she moves too."""
    olga = people["Olga"]
    await olga(f"combat init hunt {system}")
    await olga(f"combat add_npc hero {hero} heroes")
    for name in ("grik", "grok", "gruk"):
        await olga(f"combat add_npc {name} {sheet} monsters")
    await olga("combat group pack grik grok gruk")
    await olga("combat start monsters heroes")
    return people.world.combats["tavern"]


def made(combat: Any) -> list[tuple[str, str]]:
    return [(answer.who, answer.move) for answer in combat.fight.answers]


async def test_where_choices_are_made_at_once_one_answer_is_that_of_all(crowd: Crowds) -> None:
    async with crowd("Olga") as people:
        combat = await pack(people, "bgo", "fire-slime", "player")
        await people["Olga"]("combat move_group grik attack hero")
        assert [who for who, _ in made(combat)] == ["grik", "grok", "gruk"]
        assert len({move for _, move in made(combat)}) == 1
        assert [one.name for one in combat.awaited()] == ["hero"]
        assert combat.movers == ["olga"] * 3, "they are moves of a person, so they can be taken back"


async def test_where_fighters_are_asked_one_by_one_the_others_follow_in_their_turns(crowd: Crowds) -> None:
    async with crowd("Olga") as people:
        combat = await pack(people, "mythos", "boxer", "fencer")
        olga = people["Olga"]
        fight = combat.fight

        async def answer_until_a_monster_may_act() -> str:
            while fight.to_act[0] == "hero" or fight.system.question(fight.setup, fight.state):
                await olga(f"combat move_npc {fight.to_act[0]} {fight.legal(fight.to_act[0])[0]}")
            return str(fight.to_act[0])

        first = await answer_until_a_monster_may_act()
        blow = next(str(one) for one in fight.legal(first) if str(one).startswith("fight"))
        before, round = len(made(combat)), fight.round
        await olga(f"combat move_group {first} {blow}")
        while fight.round == round and not fight.over:
            who, question = fight.to_act[0], fight.system.question(fight.setup, fight.state)
            if who != "hero" and not question:
                break
            await olga(f"combat move_npc {who} {fight.legal(who)[-1]}")
        blows = [who for who, move in made(combat)[before:] if move == blow]
        assert sorted(blows) == ["grik", "grok", "gruk"], "each of the group once, though others were asked in between"


async def test_an_order_ends_with_its_round_and_is_stored(crowd: Crowds, sqlite_url: str) -> None:
    async with crowd("Olga", url=sqlite_url) as people:
        combat = await pack(people, "bgo", "fire-slime:health=4", "player")
        await people["Olga"]("combat move_group grik attack hero")
        assert all(not one.order for one in combat.roster), "they have moved"
        await people["Olga"]("combat move_npc hero defend")
        assert combat.fight.round == 2
        await people.restart()
        combat = await people.awake()
        assert len(combat.awaited()) == 4, "in the next round they are asked again"
        assert [one.group for one in combat.roster] == ["pack", "pack", "pack", ""]


async def test_groups_are_npcs_of_one_team(crowd: Crowds) -> None:
    async with crowd("Olga", "Ann") as people:
        combat = await pack(people, "bgo", "fire-slime", "player")
        olga = people["Olga"]
        assert "A group is on one team" in await olga("combat group all hero grik")
        await olga("combat offer hero anyone")
        await people["Ann"]("combat take hero")
        assert "hero cannot act in a group" in (await olga("combat group all hero")).replace("Hero", "hero")
        await olga("combat group - gruk")
        await olga("combat move_group grik attack hero")
        assert {one.name for one in combat.awaited()} == {"hero", "gruk"}
        assert "gruk is in no group" in (await olga("combat move_group gruk attack hero")).replace("Gruk", "gruk")


def order(combat: Any) -> list[str]:
    """The names of the fighters in the order in which they act."""
    return [combat.fight.names[who] for who in combat.fight.state.order]


def is_one_block(combat: Any) -> bool:
    places = [order(combat).index(name) for name in ("grik", "grok", "gruk")]
    return max(places) - min(places) == 2


async def test_a_group_acts_at_one_place_of_the_order_where_the_rules_have_one(crowd: Crowds, sqlite_url: str) -> None:
    async with crowd("Olga", url=sqlite_url) as people:
        olga = people["Olga"]
        await olga("combat init hunt mythos")
        for name, sheet in (("hero", "boxer"), ("grok", "fencer"), ("gruk", "boxer")):
            await olga(f"combat add_npc {name} {sheet} {'heroes' if name == 'hero' else 'monsters'}")
        await olga("combat add_npc grik fencer monsters")
        await olga("combat group pack grik grok gruk")
        told = await olga("combat start")
        combat = await people.awake()
        assert order(combat) == ["grok", "grik", "gruk", "hero"], "the boxers have the same DEX, and hero was first"
        assert "act one directly after another" in told
        assert combat.movers == ["auto"]
        assert [one.move for one in combat.fight.answers] == ["gather grok gruk grik"]
        assert not any(one.gathers for one in combat.roster)
        await people.restart()
        combat = await people.awake()
        assert order(combat) == ["grok", "grik", "gruk", "hero"]
        assert "no move to take back" in await olga("combat undo"), "it belongs to the start"


async def test_a_group_gets_its_place_when_the_order_is_settled_after_an_ambush(crowd: Crowds) -> None:
    async with crowd("Olga") as people:
        olga = people["Olga"]
        await olga("combat init hunt deckahedron ambush=first")
        await olga("combat add_npc hero maren heroes")
        await olga("combat add_npc helper guard heroes")
        for name in ("grik", "grok", "gruk"):
            await olga(f"combat add_npc {name} guard monsters")
        await olga("combat group pack grik grok gruk")
        await olga("combat start heroes monsters")
        combat = await people.awake()
        fight = combat.fight
        assert fight.state.turn < 0
        assert all(one.gathers for one in combat.roster if one.group)
        while fight.state.turn < 0:
            await olga(f"combat move_npc {fight.to_act[0]} {fight.legal(fight.to_act[0])[0]}")
        assert is_one_block(combat)
        assert [answer.move for answer in fight.answers if answer.is_word] == ["gather grik grok gruk"]
        assert len(combat.movers) == len(fight.answers)


async def test_systems_without_an_order_of_fighters_have_nothing_to_gather(crowd: Crowds) -> None:
    async with crowd("Olga") as people:
        for system, sheet, hero in (("bgo", "fire-slime", "player"), ("grapple", "goblin", "goblin")):
            combat = await pack(people, system, sheet, hero)
            assert made(combat) == []
            assert not any(one.gathers for one in combat.roster)
            assert "no order in which single fighters act" in await people["Olga"]("combat intervene gather grik grok")
            await people["Olga"]("combat end")
