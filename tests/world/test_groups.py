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
