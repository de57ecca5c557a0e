"""What a storyteller of a world keeps from others: nobody can tell from anything they get that it is there."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from typing import Any

import msgspec
import pytest

from affray.errors import Illegal
from affray.fight import saving
from affray.fight.replaying import replay
from affray.fight.verifying import verify
from affray.server.api.views import table_of
from affray.world.combats.games import exported

Crowds = Callable[..., Any]
SET_UP = (
    "combat init cave bgo{options}",
    "combat add_npc hero player heroes",
    "combat add_npc slime fire-slime monsters",
    "combat add_npc slug fire-slime monsters",
    "combat auto slug policy",
)
SECRETS = ("hide monsters fire-slime:name=Grik", "roll 3d6", "note slime: guards the key", "note it burns")


async def begun(people: Any, options: str = "", players: Sequence[str] = ("hero",)) -> Any:
    """A combat that Olga runs, with people in the seats of some fighters."""
    for line in SET_UP:
        await people["Olga"](line.format(options=options))
    combat = people.world.combats["tavern"]
    for name, player in zip(players, ("ann", "ben"), strict=False):
        combat.member(name).player = player
    await people["Olga"]("combat start")
    await people["Guest1"]("combat watch")
    people.hush()
    return combat


async def known(people: Any, combat: Any, *names: str) -> list[Any]:
    """All that some people get of a combat: page, text, log, replay."""
    seen: list[Any] = []
    for name in names:
        visitor = people[name].visitor
        table = await table_of(visitor, combat, combat.phase)
        seen.append(msgspec.json.encode(msgspec.structs.replace(table, asked_at=None)))
        seen.append(combat.status(visitor.key))
        seen.append(await people[name]("combat log all"))
    log = exported(combat.fight, ended=False)
    return [*seen, json.dumps({key: log[key] for key in log if key not in ("dice", "seal")}), replay(combat.fight)]


async def test_others_cannot_tell_that_something_is_kept_from_them(crowd: Crowds) -> None:
    """Two worlds that differ only in secrets tell others the same: page, versions, calls, text, log and replay."""
    told = []
    for secrets in ((), SECRETS):
        async with crowd("Olga", "Ann", "Guest1") as people:
            combat, seen = await begun(people), []
            for secret in secrets:
                assert await people["Olga"](f"combat intervene {secret}")
            seen += [list(people["Ann"].told), list(people["Guest1"].told)]
            seen += await known(people, combat, "Ann", "Guest1")
            await people["Ann"]("combat move attack slime")
            if secrets:
                await people["Olga"]("combat intervene roll d20")
                await people["Olga"]("combat undo")
            people.hush()
            await people["Olga"]("combat move_npc slime attack")
            seen += [list(people["Ann"].told), list(people["Guest1"].told)]
            seen += await known(people, combat, "Ann", "Guest1")
            await people["Olga"]("combat undo")
            await people["Ann"]("combat undo")
            seen += await known(people, combat, "Ann", "Guest1")
            told.append(seen)
    assert told[0] == told[1]


async def test_the_storyteller_and_the_team_know_who_waits_and_all_learn_it_when_it_is_revealed(crowd: Crowds) -> None:
    async with crowd("Olga", "Ann", "Ben", "Guest1") as people:
        combat = await begun(people, players=("hero", "slime"))
        assert await people["Olga"](f"combat intervene {SECRETS[0]}") == "grik waits in the wings, to join monsters."
        waits = "In the wings, to join monsters: grik"
        for name, sees in (("Olga", True), ("Ann", False), ("Ben", True), ("Guest1", False)):
            assert (waits in await people[name]("combat status")) is sees, name
            table = await table_of(people[name].visitor, combat, combat.phase)
            assert ([wing.name for wing in table.wings] == ["grik"]) is sees, name
        await people["Olga"]("combat intervene reveal grik")
        assert "The storyteller reveals Grik, who joins monsters." in people["Ann"].news()
        assert [member.name for member in combat.roster] == ["hero", "slime", "slug", "grik"]


async def test_secrets_are_stored_taken_back_and_verified(crowd: Crowds) -> None:
    async with crowd("Olga", "Ann", "Guest1") as people:
        combat = await begun(people)
        for secret in SECRETS:
            await people["Olga"](f"combat intervene {secret}")
        assert "Taken back: note it burns" in await people["Olga"]("combat undo")
        combat.is_doubtful = True  # so it is read again from the store
        listed = await people["Olga"]("combat intervene")
        again = people.world.combats["tavern"]
        assert again is not combat
        assert saving.as_table(again.fight) == saving.as_table(combat.fight)
        for line in ("in the wings, to join monsters: grik", "Secret roll of 3d6: ", "note on slime: guards the key"):
            assert line in listed
        await people["Olga"]("combat intervene reveal grik")
        await people["Olga"]("combat intervene end draw")
        assert "guards the key" not in await people["Ann"]("combat log all")
        log = exported(again.fight, ended=True)
        assert "guards the key" not in json.dumps(log)
        assert "1 roll was made in secret, from the same dice." in verify(json.dumps(log).encode()).text


async def test_dice_of_an_npc_are_told_without_numbers_except_to_the_storyteller(crowd: Crowds) -> None:
    async with crowd("Olga", "Ann", "Guest1") as people:
        combat = await begun(people)
        await people["Olga"]("combat intervene veil slug")
        assert "is moved by a player, whose dice are open" in await people["Olga"]("combat intervene veil hero")
        await people["Ann"]("combat move attack slime")
        people.hush()
        told = await people["Olga"]("combat move_npc slime attack")
        heard = people["Ann"].news()
        for text, sees in ((told, True), (heard, False)):
            assert bool(re.search(r"[Ss]lug's attack \w+ \(roll: ", text)) is sees
            assert re.search(r"[Ss]lime's attack \w+ \(roll: ", text), "other dice are told"
        whole = await table_of(people["Olga"].visitor, combat, combat.phase)
        cut = await table_of(people["Guest1"].visitor, combat, combat.phase)
        assert sum(len(line.thrown) for line in whole.story) == sum(len(line.thrown) for line in cut.story) + 1
        assert "some of its numbers are the storyteller's secret" in await people["Ann"]("combat log file")


async def test_foes_in_words(crowd: Crowds) -> None:
    async with crowd("Olga", "Ann", "Ben", "Guest1") as people:
        combat = await begun(people, " gauges=words undo=free", players=("hero", "slime"))
        for name in ("Ann", "Ben"):
            await people[name]("combat move attack")
            await people[name]("combat move attack slime")
        own = {"Ann": {"hero"}, "Ben": {"slime", "slug"}, "Guest1": set(), "Olga": {"hero", "slime", "slug"}}
        for name, numbers in own.items():
            table = await table_of(people[name].visitor, combat, combat.phase)
            assert {seat.name for seat in table.seats if seat.scene[0].kind == "bar"} == numbers
            assert ("deals ? damage" in str(table.story)) is (name != "Olga")
            assert "Condition" in await people[name]("combat status") or name == "Olga"
        assert "no odds and no hints while foes are seen in words" in await people["Ann"]("combat odds")
        assert "no odds and no hints" in await people["Ann"]("combat hint")
        await people["Olga"]("combat intervene set slug health 3")
        assert "sets health of slug from ? to ?" in people["Ann"].news()
        assert "is taken back: set slug health ?" in await people["Olga"]("combat undo")


async def test_a_storyteller_who_fights_keeps_nothing_from_the_others(crowd: Crowds) -> None:
    async with crowd("Olga", "Ann", "Guest1") as people:
        combat = await begun(people, " gauges=words")
        combat.member("slime").player = "olga"
        combat.align()
        for word in ("hide monsters fire-slime", "reveal grik", "veil slug"):
            assert "Only a storyteller who does not fight may use" in await people["Olga"](f"combat intervene {word}")
        for word in ("set hero health 99", ""):
            answer = await people["Olga"](f"combat intervene {word}")
            assert "Only a storyteller who does not fight may intervene" in answer
        assert "can be forked when it is over" in await people["Olga"]("combat fork 1 copy")
        assert "Note: mine" in await people["Olga"]("combat intervene note mine")
        table = await table_of(people["Olga"].visitor, combat, combat.phase)
        assert [seat.name for seat in table.seats if seat.scene[0].label == "Condition"] == ["hero"]


def test_a_running_fight_that_keeps_numbers_has_no_public_log() -> None:
    from affray.fight import Fight

    fight = Fight("bgo", "heroes=player monsters=fire-slime", seed=1, options={"gauges": "words"})
    with pytest.raises(Illegal, match="can be had when the fight is over"):
        exported(fight, ended=False)
