"""A game around fights in a world: people and computer players on one journey, kept answer by answer."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from affray.fight import verifying
from affray.kernel.chance import Fair, Seeded
from affray.world.combats import games
from affray.world.store import Overtaken

Crowds = Callable[..., Any]
SHORT = "board_squares=20 gates=1 encounter_rate=100 rest_rate=0 find_rate=0 boon_rate=0 curse_rate=0"


async def set_out(people: Any, *more: str, options: str = SHORT) -> Any:
    """Ann's journey, on which Bob comes along."""
    await people["Ann"](f"journey init race {options}")
    await people["Ann"]("journey join")
    await people["Bob"]("journey join")
    for line in (*more, "journey start"):
        await people["Ann"](line)
    return people.world.combats["tavern"]


def first_move(combat: Any) -> str:
    """Attack, roll or wear: what goes on soonest."""
    return games.moves(combat.running(), combat.running().to_act[0])[0][0]


async def go_on(people: Any, combat: Any) -> str:
    """The player who is asked answers; returns who that was."""
    (member,) = combat.awaited()
    await people[member.name](f"journey move {first_move(combat)}")
    return str(member.name)


async def test_two_people_travel_to_the_end_and_every_answer_outlives_a_restart(crowd: Crowds, store_url: str) -> None:
    async with crowd("Ann", "Bob", url=store_url, dice=lambda: Fair(b"journey" * 4)) as people:
        combat = await set_out(people)
        said = []
        while not combat.running().over:
            said.append(await go_on(people, combat))
            if len(said) % 7 == 0:
                shown, story = combat.status(), [line.text for line in combat.running().lines]
                await people.restart()
                combat = await people.awake()
                assert combat.status() == shown
                assert [line.text for line in combat.running().lines] == story
        assert {"Ann", "Bob"} <= set(said), "both were asked"
        assert combat.running().ending in said
        answers = await people.world.store.answers(combat.number)
        assert [entry["by"] for entry in answers if entry["by"] != "auto"] == [name.lower() for name in said]
        assert {entry["who"] for entry in answers if entry["by"] == "auto"}.isdisjoint({"ann", "bob"}), "creatures"


async def test_the_question_goes_to_its_player_and_a_late_answer_to_nobody(crowd: Crowds) -> None:
    async with crowd("Ann", "Bob", "Guest1", dice=lambda: Seeded(19)) as people:
        combat = await set_out(people)
        await people["Guest1"]("journey watch")
        people.hush()
        assert "has no decision to make now" in await people["Bob"]("journey move roll")
        answered = await people["Ann"]("journey move roll")
        assert "+ Ann rolls 2 and 5 and moves to square 7." in answered
        assert "Ann fights on square 7: battle round 1.\nAnswers: attack, defend, flee" in answered
        assert people["Guest1"].news() == people["Bob"].news() == answered
        for late in (1, 3):
            refusal = f"decision {late} is not open; decision 2 is"
            with pytest.raises(Exception, match=refusal):
                combat.move(combat.member("Ann"), "attack", "ann", late)
        assert "Ann" not in await people["Bob"]("journey move attack")
        assert combat.running().decision == 2


async def test_who_leaves_is_played_on_by_the_computer_until_the_seat_is_taken_again(crowd: Crowds) -> None:
    async with crowd("Ann", "Bob", "Cid") as people:
        combat = await set_out(people)
        bob = combat.member("Bob")
        assert await people["Bob"]("journey leave") == "+ Bob has left; Bob now moves by itself: cautious"
        while len(combat.running().answers) < 12:
            assert await go_on(people, combat) == "Ann"
            await people.settled()
        assert "bob" in {answer.who for answer in combat.running().answers}
        await people["Ann"]("journey manual Bob")
        word = (await people["Ann"]("journey offer Bob")).split()[-1]
        assert "+ Cid now plays Bob" in await people["Cid"](f"journey take Bob {word}")
        assert bob.player == "cid"
        while combat.awaited() != [bob]:
            await go_on(people, combat)
        await people["Cid"](f"journey move {first_move(combat)}")
        assert combat.movers[-1] == "cid" or combat.movers[-2] == "cid"


async def test_computer_players_travel_by_themselves_and_the_owner_moves_those_without_a_tactic(crowd: Crowds) -> None:
    async with crowd("Ann", "Bob") as people:
        combat = await set_out(people, "journey add_npc Rival squire", "journey auto Rival always-attack")
        assert await people["Bob"]("journey leave")
        await people["Ann"]("journey leave")
        await people.settled()
        assert combat.running().over, "only computer players are left"
        assert combat.running().ending in ("Ann", "Bob", "Rival")
        await people["Ann"]("journey end")
        await people["Ann"]("journey init again")
        await people["Ann"]("journey add_npc Doll player")
        await people["Ann"]("journey start")
        assert "+ Doll rolls" in await people["Ann"]("journey move_npc Doll roll")


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("journey", "Journey needs a command: "),
        ("journey init x board_squares=0", "Option board_squares must be 1 to 1000, not 0."),
        ("journey init x encounter_rate=90", "must add up to at most 100"),
        ("combat init x bgo board_squares=9", "Option board_squares is for a journey; a fight does not have it."),
        ("journey init x undo=free", "There is no option 'undo'"),
    ],
)
async def test_a_journey_that_cannot_be_is_refused(crowd: Crowds, line: str, answer: str) -> None:
    async with crowd("Ann") as people:
        assert answer in await people["Ann"](line)
        assert not people.world.combats


async def test_what_only_fights_have_is_refused(crowd: Crowds) -> None:
    async with crowd("Ann", "Bob") as people:
        await people["Ann"]("journey init race")
        for line, answer in (
            ("journey start", "A journey takes a list of 1 to 12 players, not 0."),
            ("combat add me heroes", "In a journey everyone is on team travellers."),
            ("journey add_npc slime fire-slime", "fire-slime is a creature, and only players can go on a journey."),
            ("journey add_npc spy mine.toml", "names a file"),
        ):
            assert answer in await people["Ann"](line), line
        await people["Ann"]("journey join")
        assert "order in which they joined" in await people["Ann"]("journey start travellers")
        await people["Ann"]("journey start")
        for line in ("journey undo", "journey save"):
            assert await people["Ann"](line) == "That works only in fights, and race is a journey."
        assert await people["Ann"]("journey odds") == "There are odds only in a fight, and ann is not in one."
        assert await people["Bob"]("combat init brawl") == "There is already a journey at Tavern: race."


async def test_an_attribute_says_what_one_travels_with_and_nothing_of_it_changes(crowd: Crowds) -> None:
    async with crowd("Ann", "Bob") as people:
        await people["Bob"]("set_attr me bgo_sheet[STRING]=squire")
        combat = await set_out(people)
        assert "Short Sword" in combat.status()
        for _ in range(9):
            await go_on(people, combat)
        await people["Ann"]("journey end")
        assert await people["Bob"]("get_attr me bgo_sheet") == "bgo_sheet[STRING]=squire"


async def test_why_names_the_rules_behind_what_happened(crowd: Crowds) -> None:
    async with crowd("Ann", "Bob", dice=lambda: Seeded(19)) as people:
        await set_out(people)
        await people["Ann"]("journey move roll")
        assert "    journey: A race over 140 squares" in await people["Bob"]("journey why 2")
        assert "encounters: After moving" in await people["Bob"]("journey why")
        assert "The line must be 1 to" in await people["Bob"]("journey why 99")


async def test_a_log_is_verified_before_and_after_the_secret_is_out(crowd: Crowds, tmp_path: Path) -> None:
    async with crowd("Ann", "Bob", dice=lambda: Fair(b"journey" * 4)) as people:
        combat = await set_out(people)
        for _ in range(6):
            await go_on(people, combat)
        unfinished = await people["Ann"]("journey log 1 file")
        assert "secret" not in unfinished
        assert "cannot be checked yet" in verifying.verify(unfinished.encode()).verdict.sentence
        ended = await people["Ann"]("journey end")
        assert "+ The journey has ended." in ended
        log = await people["Ann"]("journey log 1 file")
        assert bytes.fromhex(json.loads(log)["dice"]["secret"]) == b"journey" * 4
        assert verifying.verify(log.encode()).verdict.dice_checked


async def test_two_who_answer_at_once_do_not_both_get_their_way(crowd: Crowds) -> None:
    async with crowd("Ann", "Bob") as people:
        combat = await set_out(people)
        await asyncio.gather(*(people["Ann"].visitor.hear("journey move roll") for _ in range(2)))
        assert sum(answer.move == "roll" for answer in combat.running().answers) == 1
        combat.version -= 1  # another process has been faster
        with pytest.raises(Overtaken):
            await people.world.combats.store(combat)
