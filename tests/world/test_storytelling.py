"""A storyteller's hand in a combat of a world: who may, with whose consent, and what everyone is told."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import msgspec

from affray.fight import saving
from affray.server.api.views import table_of
from affray.world.combats.games import exported

Crowds = Callable[..., Any]
RUN_BY_OWNER = (
    "combat init cave bgo",
    "combat add_npc hero player heroes",
    "combat add_npc slime fire-slime monsters",
    "combat start",
)


async def test_the_storyteller_changes_a_quantity_everyone_is_told_and_it_is_taken_back(crowd: Crowds) -> None:
    async with crowd("Olga", "Ann") as people:
        for line in RUN_BY_OWNER:
            await people["Olga"](line)
        await people["Ann"]("combat watch")
        people.hush()
        await people["Olga"]("combat intervene set slime health 2")
        assert "sets health of slime" in "\n".join(people["Ann"].told)
        combat = people.world.combats["tavern"]
        assert combat.fight.state.fighters[1].health == 2
        assert "is taken back: set slime health 2" in await people["Olga"]("combat undo")
        assert combat.fight.state.fighters[1].health != 2


async def test_reinforcements_sit_at_the_table_and_leave_it_when_they_are_taken_back(crowd: Crowds) -> None:
    async with crowd("Olga") as people:
        for line in RUN_BY_OWNER:
            await people["Olga"](line)
        combat = people.world.combats["tavern"]
        await people["Olga"]("combat intervene join heroes player")
        assert [member.name for member in combat.roster] == ["hero", "slime", "player"]
        assert [member.name for member in combat.roster.teams["heroes"]] == ["hero", "player"]
        assert combat.fighter(combat.member("slime")) == combat.fight.names[1]
        await people["Olga"]("combat intervene side slime heroes")
        assert combat.fight.ending == "heroes"
        await people["Olga"]("combat undo")
        await people["Olga"]("combat undo")
        assert {team: [m.name for m in ms] for team, ms in combat.roster.teams.items()} == {
            "heroes": ["hero"],
            "monsters": ["slime"],
        }


async def test_an_owner_who_fights_needs_the_consent_of_the_other_side(crowd: Crowds) -> None:
    async with crowd("Ann", "Ben") as people:
        for line in ("combat init duel bgo", "combat add_npc a player one", "combat add_npc b player two"):
            await people["Ann"](line)
        combat = people.world.combats["tavern"]
        combat.member("a").player, combat.member("b").player = "ann", "ben"
        await people["Ann"]("combat start")
        people.hush()
        await people["Ann"]("combat intervene set a attack 9")
        assert "two must agree: combat agree" in "\n".join(people["Ben"].told)
        assert combat.fight.state.fighters[0].attack != 9
        assert "ealth of a must be 0 to" in await people["Ann"]("combat intervene set a health 999")
        await people["Ben"]("combat agree")
        assert combat.fight.state.fighters[0].attack == 9
        assert "no intervention to agree to" in await people["Ben"]("combat agree")


async def test_the_page_offers_to_take_back_what_can_be_and_nothing_else(crowd: Crowds) -> None:
    """In strategic nothing is taken back but the storyteller's last word, and no one chooses in secret."""
    async with crowd("Olga", "Ben") as people:
        for line in ("combat init duel strategic", "combat add_npc a knight one", "combat add_npc b guard two"):
            await people["Olga"](line)
        combat = people.world.combats["tavern"]
        combat.member("a").player = "ben"
        await people["Olga"]("combat start")

        async def offered(name: str) -> bool:
            return "undo" in (await table_of(people[name].visitor, combat, combat.phase)).you.may

        assert not await offered("Olga")
        await people["Olga"]("combat intervene set b pain 2")
        assert (await offered("Olga"), await offered("Ben")) == (True, False)
        assert "is taken back: set b pain 2" in await people["Olga"]("combat undo")
        assert not await offered("Olga")


async def test_the_storyteller_takes_a_word_back_whether_or_not_others_have_chosen_in_secret(crowd: Crowds) -> None:
    for chosen in (False, True):
        async with crowd("Olga", "Ben") as people:
            for line in RUN_BY_OWNER[:-1]:
                await people["Olga"](line)
            combat = people.world.combats["tavern"]
            combat.member("hero").player = "ben"
            await people["Olga"]("combat start")
            await people["Olga"]("combat intervene set slime health 2")
            if chosen:
                await people["Ben"]("combat move attack")
            assert "is taken back: set slime health 2" in await people["Olga"]("combat undo")
            assert [member.name for member in combat.awaited()] == ["hero", "slime"]


async def test_a_secret_choice_is_asked_for_again(crowd: Crowds) -> None:
    async with crowd("Olga") as people:
        for line in RUN_BY_OWNER:
            await people["Olga"](line)
        combat = people.world.combats["tavern"]
        await people["Olga"]("combat move_npc hero attack")
        await people["Olga"]("combat intervene set hero poised on")
        assert [member.name for member in combat.awaited()] == ["hero", "slime"]
        assert combat.movers == ["olga"]


async def test_an_intervention_does_not_tell_who_had_chosen_in_secret(crowd: Crowds) -> None:
    seen = []
    for choices in ((), ("combat move_npc hero attack",), ("combat move_npc slime defend",)):
        async with crowd("Olga", "Ann") as people:
            for line in (*RUN_BY_OWNER, *choices):
                await people["Olga"](line)
            await people["Ann"]("combat watch")
            people.hush()
            await people["Olga"]("combat intervene set slime health 2")
            combat, ann = people.world.combats["tavern"], people["Ann"]
            table = await table_of(ann.visitor, combat, combat.phase)
            log = exported(combat.fight, ended=False)
            log = {key: value for key, value in log.items() if key not in ("dice", "seal")}
            shown = msgspec.json.encode(msgspec.structs.replace(table, commitment=None, asked_at=None))
            seen.append((shown, json.dumps(log), "\n".join(ann.told), combat.status(None)))
    assert seen[0] == seen[1] == seen[2]


async def test_it_is_stored_and_its_public_log_is_verified(crowd: Crowds) -> None:
    async with crowd("Olga") as people:
        for line in (*RUN_BY_OWNER, "combat intervene join monsters fire-slime", "combat intervene set hero health 3"):
            await people["Olga"](line)
        combat = people.world.combats["tavern"]
        combat.is_doubtful = True  # so it is read again from the store
        await people["Olga"]("combat status")
        again = people.world.combats["tavern"]
        assert again is not combat
        assert saving.as_table(again.fight) == saving.as_table(combat.fight)
        assert [member.name for member in again.roster] == ["hero", "slime", "fire-slime"]
        log = json.dumps(exported(again.fight, ended=True)).encode()
        assert saving.LOG.verify(log, "the log").answers == 2


async def test_the_table_is_handed_over(crowd: Crowds) -> None:
    async with crowd("Olga", "Ann") as people:
        for line in RUN_BY_OWNER:
            await people["Olga"](line)
        assert "Ann is the storyteller of cave now" in await people["Olga"]("combat appoint Ann")
        assert "Only the owner of cave, Ann" in await people["Olga"]("combat intervene set slime health 2")
        assert "sets health" in await people["Ann"]("combat intervene set slime health 2")
