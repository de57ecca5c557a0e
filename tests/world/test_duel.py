"""Fair duels: no one takes back, resigns or draws for others, all are told, and clocks run out."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest

from affray.errors import Invalid
from affray.world.combats import flagging, turns
from affray.world.combats.clocks import Clock
from affray.world.combats.combats import load
from affray.world.combats.concluding import not_wishing
from affray.world.people.removal import remove_account

Crowds = Callable[..., Any]


async def duel(people: Any, system: str = "bgo", sheet: str = "player", **options: object) -> Any:
    """Ann, who owns the combat, against Ben."""
    ann, ben = people["Ann"], people["Ben"]
    chosen = "".join(f" {name}={value}" for name, value in options.items())
    await ann(f"combat init duel {system}{chosen}")
    for name, team in (("one", "reds"), ("two", "blues")):
        await ann(f"combat add_npc {name} {sheet} {team}")
        await ann(f"combat offer {name} anyone")
    await ann("combat take one")
    await ben("combat take two")
    await ann("combat start reds blues")
    return people.world.combats["tavern"]


async def test_a_player_resigns_and_the_log_says_so(crowd: Crowds) -> None:
    async with crowd("Ann", "Ben") as people:
        combat = await duel(people)
        for name in ("Ann", "Ben"):
            await people[name]("combat move attack")
        people.hush()
        assert "blues resigned: reds win" in (await people["Ben"]("combat resign")).lower()
        assert any("resigned" in line for line in people["Ann"].told), "the opponent is told"
        assert (combat.phase, combat.fight.ending) == ("over", "reds")
        assert "Nothing can be taken back" in await people["Ann"]("combat undo")
        stored = await people.world.store.combat(1)
        again = await load(people.world.store, stored)
        assert (again.phase, again.fight.ending, again.fight.concluded.reason) == ("over", "reds", "resigned")


async def test_a_draw_needs_both_and_a_move_or_a_word_declines_it(crowd: Crowds) -> None:
    async with crowd("Ann", "Ben") as people:
        combat = await duel(people)
        ann, ben = people["Ann"], people["Ben"]
        assert "No draw is offered" in await ben("combat decline")
        await ann("combat draw")
        assert combat.phase == "running"
        await ann("combat move attack")
        assert not_wishing(combat, "draw") == ["blues"], "one's own move leaves the offer"
        await ben("combat move attack")
        assert not_wishing(combat, "draw") == ["reds", "blues"], "a move of the other side declines it"
        await ben("combat draw")
        await ann("combat decline")
        await ann("combat draw")
        assert combat.phase == "running"
        await ben("combat draw")
        assert (combat.fight.ending, combat.fight.concluded.reason) == ("draw", "agreed")


async def test_two_who_agree_fight_again_with_sides_swapped(crowd: Crowds) -> None:
    async with crowd("Ann", "Ben") as people:
        combat = await duel(people)
        assert "not over" in await people["Ann"]("combat rematch")
        await people["Ben"]("combat resign")
        await people["Ann"]("combat rematch")
        await people["Ben"]("combat rematch same")
        assert combat.next is None, "they want different things"
        await people["Ben"]("combat rematch")
        made, phase = await people.world.combats.find(combat.next)
        assert phase == "running"
        assert {team: [one.player for one in ones] for team, ones in made.roster.teams.items()} == {
            "reds": ["ben"],
            "blues": ["ann"],
        }


async def test_an_owner_who_fights_takes_nothing_back_alone(crowd: Crowds) -> None:
    move = "attack"
    async with crowd("Ann", "Ben") as people:
        combat = await duel(people, undo="free")
        for name in ("Ann", "Ben"):
            await people[name](f"combat move {move}")
        made = len(combat.fight.answers)
        people.hush()
        await people["Ann"]("combat undo")
        assert len(combat.fight.answers) == made, "the other side has not agreed"
        assert any("wants to take back" in line for line in people["Ben"].told)
        people.hush()
        await people["Ben"]("combat undo")
        assert len(combat.fight.answers) < made
        assert any("is taken back" in line and move in line for line in people["Ann"].told), "all are told what"


def test_clocks_are_written_in_three_ways() -> None:
    assert Clock.of("300+5") == Clock(300, 5, False)
    assert Clock.of("90") == Clock(90, 0, False)
    assert Clock.of("60/move") == Clock(60, 0, True)
    assert Clock.of("3d/move") == Clock(3 * 24 * 3600, 0, True, by_mail=True)
    assert Clock.of("12h/move") == Clock(12 * 3600, 0, True, by_mail=True)
    assert Clock.of("off") is None
    for wrong in ("31d/move", "0h/move", "3d", "3d+5", "2w/move", "0", "5+", "-3", "60/round", "99999999", "1.5"):
        with pytest.raises(Invalid, match="the clock"):
            Clock.of(wrong)


async def test_time_runs_only_for_those_who_have_to_move(crowd: Crowds) -> None:
    async with crowd("Ann", "Ben") as people:
        combat = await duel(people, "grapple", "goblin", clock="100+10")
        one, two = combat.roster
        clock, now = combat.clock, time.monotonic()
        assert list(clock.since) == ["one"]
        clock.since["one"] = now - 30
        await people["Ann"]("combat move catch breath")
        assert one.time == pytest.approx(80, abs=5), "100 less 30, and 10 for the move"
        assert (two.time, list(clock.since)) == (None, ["two"])
        kept = await load(people.world.store, await people.world.store.combat(1))
        assert [member.time for member in kept.roster] == [one.time, None], "what is left is stored"


@pytest.mark.parametrize("written", ["100+10", "100/move"])
async def test_when_time_is_up_the_team_has_lost_or_a_tactic_moves(crowd: Crowds, written: str) -> None:
    async with crowd("Ann", "Ben") as people:
        combat = await duel(people, "grapple", "goblin", clock=written)
        await flagging.flag(people.world, "tavern")
        assert not combat.fight.answers, "there is time left"
        combat.clock.since["one"] -= 200
        people.hush()
        await flagging.flag(people.world, "tavern")
        told = "\n".join(people["Ben"].told)
        if "/" in written:
            assert [answer.who for answer in combat.fight.answers] == [combat.fight.names[0]]
            assert "The time of one is up" in told
        else:
            assert combat.fight.ending == "blues"
            assert "The time of reds ran out: blues win" in told


async def test_by_correspondence_the_calendar_counts_over_a_restart_and_a_chosen_tactic_moves(
    crowd: Crowds, sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    day = 24 * 3600
    now = [1_800_000_000.0]
    monkeypatch.setattr(time, "time", lambda: now[0])
    async with crowd("Ann", "Ben", url=sqlite_url) as people:
        combat = await duel(people, "grapple", "goblin", clock="3d/move")
        one, two = combat.roster
        assert (one.until, two.until) == (now[0] + 3 * day, None), "only the time of who has to move runs"
        assert "striker moves in your place" in await people["Ann"]("combat default striker")
        assert "There is no tactic 'shouter'" in await people["Ann"]("combat default shouter")
        now[0] += 2 * day
        await people["Ann"]("combat move catch breath")
        assert (one.until, two.until) == (None, now[0] + 3 * day), "the next player has the whole limit"
        await people["Ben"]("combat move catch breath")
        until = one.until
        now[0] += 2 * day
        await people.restart()
        assert not people.world.combats.awake("tavern"), "no one has looked at it yet"
        assert flagging.by_mail(people.world) == []
        assert await people["Ann"]("turns") == "duel at Tavern (grapple): one; 1 day left"
        now[0] = until
        people.world.combats.lull(-1.0)
        (late,) = flagging.by_mail(people.world)
        people.hush()
        await flagging.flag(people.world, late.place)
        combat = await people.awake()
        one, two = combat.roster
        assert [answer.who for answer in combat.fight.answers] == ["one", "two", "one"]
        assert any("made by tactic: striker" in line for line in people["Ben"].told)
        assert (one.until, two.until) == (None, now[0] + 3 * day)
        assert flagging.by_mail(people.world) == []
        assert await people["Ann"]("turns") == "No combat waits for you."


async def test_by_correspondence_a_secret_choice_does_not_stop_the_time_that_others_see(crowd: Crowds) -> None:
    async with crowd("Ann", "Ben") as people:
        combat = await duel(people, clock="3d/move")
        one, two = combat.roster
        before = one.until
        assert before is not None
        await people["Ann"]("combat move attack")
        assert combat.clock.running(combat) == ["one", "two"], "that Ann has chosen is secret"
        assert one.until == before
        assert [turn.fighters for turn in turns.turns_of(people.world, "ann")] == []
        assert [turn.fighters for turn in turns.turns_of(people.world, "ben")] == [["two"]]
        one.until = two.until = 1
        assert combat.clock.overdue(combat, 2.0) is two, "who has chosen cannot be late"


async def test_turns_count_what_the_owner_moves_too(crowd: Crowds) -> None:
    async with crowd("Ann") as people:
        ann = people["Ann"]
        await ann("combat init brawl bgo")
        for name, team in (("one", "reds"), ("two", "blues")):
            await ann(f"combat add_npc {name} player {team}")
        assert await ann("turns") == "No combat waits for you."
        await ann("combat start reds blues")
        assert await ann("turns") == "brawl at Tavern (bgo): one, two"


async def test_a_seat_is_handed_over_only_to_who_accepts_it(crowd: Crowds) -> None:
    async with crowd("Ann", "Ben", "Cid") as people:
        combat = await duel(people)
        ben, cid = people["Ben"], people["Cid"]
        assert "No seat of duel is offered to you" in await cid("combat accept")
        assert "already takes part" in await ben("combat hand Ann")
        await ben("combat hand Cid")
        assert any("offers you the seat of two" in line for line in cid.told)
        assert combat.member("two").player == "ben", "until it is accepted nothing changes"
        await cid("combat refuse")
        assert "No seat" in await cid("combat accept")
        await ben("combat hand Cid")
        await cid("combat accept")
        assert combat.member("two").player == "cid"
        assert "does not take part" in await ben("combat move attack")
        await cid("combat move attack")
        assert combat.movers == ["cid"]
        again = await load(people.world.store, await people.world.store.combat(1))
        assert [one.player for one in again.roster] == ["ann", "cid"]
        await people["Ann"]("combat hand Ben")
        await remove_account(people.world.store, "ben")
        again = await load(people.world.store, await people.world.store.combat(1))
        assert [one.heir for one in again.roster] == ["", ""], "a new account of that name inherits nothing"
