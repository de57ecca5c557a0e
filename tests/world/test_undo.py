"""What may be taken back in a combat, and by whom: the owner of a free one, all sides together, or no one."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Any

import pytest

from affray.fight import saving

Crowds = Callable[..., AbstractAsyncContextManager[Any]]
TAKEN_BACK = "+ The last move is taken back: "
NOTHING = "In this fight (undo=off) nothing that had consequences can be taken back."


async def duel(people: Any, *options: str) -> Any:
    """Ann, who owns the combat, against Ben in bgo, where choices stay secret until both are in."""
    for name in ("Ann", "Ben"):
        await people[name]("set_attr me bgo_sheet[STRING]=player:health=200")
    for line in (f"init duel bgo {' '.join(options)}", "add me heroes", "add Ben villains", "start"):
        assert (await people["Ann"](f"combat {line}")).startswith(("+", "Created", "Added"))
    people.hush()
    return people.world.combats["tavern"]


async def fight_a_round(people: Any) -> None:
    for name in ("Ann", "Ben"):
        await people[name]("combat move attack")
    people.hush()


async def test_both_sides_must_agree_and_then_other_dice_fall(crowd: Crowds, store_url: str) -> None:
    async with crowd("Ann", "Ben", url=store_url) as people:
        combat = await duel(people)
        await fight_a_round(people)
        await fight_a_round(people)
        used, fell = combat.fight.dice.position, combat.fight.answers[-1].fell
        asked = await people["Ann"]("combat undo")
        assert asked == "+ Ann wants to take back the last move; villains must agree with combat undo"
        assert asked in people["Ben"].news()
        assert len(combat.fight.answers) == 4, "one side alone takes nothing back"
        assert (await people["Ann"]("combat undo")).startswith("+ Ann wants"), "and asking twice is no agreement"
        await people.restart()
        assert (await people["Ben"]("combat undo")).startswith(TAKEN_BACK + "Ben's attack")
        combat = people.world.combats["tavern"]
        assert len(combat.fight.answers) == 3
        assert combat.fight.dice.position == used, "what was thrown does not come again"
        await people["Ben"]("combat move attack")
        assert combat.fight.answers[-1].fell != fell
        await people.restart()
        log = saving.as_table((await people.awake()).fight)
        assert [len(one["answers"]) for one in log["undone"]] == [1]
        assert len(log["answers"]) == 4


async def test_agreement_is_for_what_was_asked_and_lapses_with_the_next_move(crowd: Crowds) -> None:
    async with crowd("Ann", "Ben") as people:
        combat = await duel(people)
        await fight_a_round(people)
        await people["Ann"]("combat undo")
        await fight_a_round(people)
        assert (await people["Ben"]("combat undo")).startswith("+ Ben wants"), "Ann was asked about another move"
        assert len(combat.fight.answers) == 4
        await people["Ann"]("combat undo")
        assert len(combat.fight.answers) == 3


async def test_players_of_one_team_are_one_side(crowd: Crowds) -> None:
    async with crowd("Ann", "Ben") as people:
        for name in ("Ann", "Ben"):
            await people[name]("set_attr me bgo_sheet[STRING]=player:health=200")
        for line in ("init raid bgo", "add me heroes", "add Ben heroes", "add_npc slime fire-slime monsters"):
            await people["Ann"](f"combat {line}")
        for line in ("auto slime random", "start"):
            await people["Ann"](f"combat {line}")
        await fight_a_round(people)
        assert (await people["Ben"]("combat undo")).startswith(TAKEN_BACK)


@pytest.mark.parametrize("undo", ["free", "agreed", "off"])
async def test_a_choice_that_is_still_secret_can_be_changed_and_no_one_hears_of_it(crowd: Crowds, undo: str) -> None:
    async with crowd("Ann", "Ben") as people:
        combat = await duel(people, f"undo={undo}")
        who = "Ann" if undo == "free" else "Ben"  # in a free fight the owner alone takes back
        other = "Ben" if who == "Ann" else "Ann"
        status = await people[other]("combat status")
        await people[who]("combat move attack")
        people.hush()
        assert await people[who]("combat undo") == "Your choice is taken back; choose again."
        assert people[other].news() == ""
        assert await people[other]("combat status") == status
        assert not combat.fight.undone
        await people[who]("combat move defend")
        await people[other]("combat move attack")
        assert [answer.move for answer in combat.fight.answers if answer.who == who.lower()] == ["defend"]


async def test_who_has_not_chosen_learns_nothing_from_undo(crowd: Crowds) -> None:
    async with crowd("Ann", "Ben") as people:
        await duel(people)
        before = await people["Ann"]("combat undo")
        await people["Ben"]("combat move defend")
        assert await people["Ann"]("combat undo") == before == "There is no move to take back."


async def test_nothing_is_taken_back_where_undo_is_off(crowd: Crowds) -> None:
    async with crowd("Ann", "Ben") as people:
        combat = await duel(people, "undo=off")
        await people["Ann"]("combat save")
        await fight_a_round(people)
        for name in ("Ann", "Ben"):
            for line in ("combat undo", "combat restore"):
                assert await people[name](line) == NOTHING
        assert len(combat.fight.answers) == 2


async def test_strategic_lets_nothing_be_taken_back_unless_it_is_told_so(crowd: Crowds) -> None:
    async with crowd("Ann") as people:
        await people["Ann"]("combat init fight strategic")
        combat = people.world.combats["tavern"]
        assert combat.undo_setting == "off"
        await people["Ann"]("combat end")
        await people["Ann"]("combat init fight strategic undo=agreed")
        assert people.world.combats["tavern"].undo_setting == "agreed"


async def test_going_back_to_a_saved_state_needs_agreement_too(crowd: Crowds, store_url: str) -> None:
    async with crowd("Ann", "Ben", url=store_url) as people:
        combat = await duel(people)
        await people["Ann"]("combat save")
        await fight_a_round(people)
        used = combat.fight.dice.position
        asked = await people["Ann"]("combat restore")
        assert (
            asked
            == "+ Ann wants to take back everything since the saved state; villains must agree with combat restore"
        )
        assert len(combat.fight.answers) == 2
        restored = "+ Combat has been restored to a prior state\n"
        restored += "  2 moves are taken back: Ann's attack, and 1 move after it"
        assert restored in await people["Ben"]("combat restore")
        assert restored in people["Ann"].news()
        await people.restart()
        fight = (await people.awake()).fight
        assert (len(fight.answers), len(fight.undone), fight.dice.position) == (0, 1, used)


async def test_all_are_told_what_comes_and_goes_with_a_saved_state(crowd: Crowds, store_url: str) -> None:
    async with crowd("Ann", "Ben", url=store_url) as people:
        await people["Ann"]("set_attr me bgo_sheet[STRING]=player:health=200")
        for line in ("init f bgo undo=free", "add me heroes", "add_npc slime fire-slime:health=200 monsters", "start"):
            await people["Ann"](f"combat {line}")
        await people["Ben"]("combat watch")

        async def round_of(*moves: str) -> None:
            for move in moves:
                await people["Ann"](f"combat move {move}")
                await people["Ann"]("combat move_npc slime attack")
            people.hush()

        await round_of("attack", "attack")
        await people["Ann"]("combat save")
        fell = [answer.fell for answer in people.world.combats["tavern"].fight.answers]
        await people["Ann"]("combat undo")
        await people["Ann"]("combat undo")
        await round_of("defend", "attack")
        restored = "+ Combat has been restored to a prior state"
        gone, again = "4 moves are taken back: Ann's defend, and 3 moves after it", "2 moves are made again"
        assert await people["Ann"]("combat restore") == (
            f"{restored}\n  {gone}\n  {again} after having been taken back\nCombat restored"
        )
        assert people["Ben"].news() == f"{restored}\n  {gone}\n  {again} after having been taken back"
        assert (await people["Ann"]("combat restore")) == f"{restored}\nCombat restored", "it stands there already"
        await people.restart()
        fight = (await people.awake()).fight
        assert [answer.fell for answer in fight.answers] == fell
        assert [[answer.move for answer in one.answers] for one in fight.undone] == [
            ["attack"],
            ["defend", "attack", "attack", "attack"],
        ]
