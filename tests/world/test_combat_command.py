"""The `combat` command: what each subcommand does, whom it tells what, and what it refuses."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from multiprocessing import active_children
from pathlib import Path
from typing import Any

import pytest

import affray
from affray.fight import MOST_FIGHTERS, Fight, saving
from affray.kernel.chance import Fair, Scripted
from affray.system.registry import find
from affray.world.combats.autoplay import MOVES_AT_ONCE
from affray.world.combats.combats import load
from affray.world.store import statements

Crowds = Callable[..., Any]
GOBLIN = "::en:6:1:2:3:2"
SECRET = b"a secret that only this test knows"


async def set_up(people: Any, *lines: str, by: str = "Ahalish") -> None:
    """Type lines of combat that must not be refused, and forget what was told; `NAME: LINE` is typed by another."""
    for line in lines:
        name, colon, rest = line.partition(": ")
        answer = await people[name if colon else by](f"combat {rest if colon else line}")
        assert answer.startswith(("+", "Created", "Added", "Removed", "Combat")) or "choice is in" in answer, (
            f"{line}: {answer}"
        )
    people.hush()


async def duel(people: Any, *more: str, init: str = "init myfight") -> None:
    """Ahalish, who owns the combat, against Bob and a goblin that the owner moves; Ahalish moves first."""
    await set_up(people, init, "add me heroes", "add Bob monsters", f"add_npc goblin1 {GOBLIN} monsters", *more)


def combat_of(people: Any, place: str = "tavern") -> Any:
    return people.world.combats[place]


def standing(fight: Fight) -> dict[str, Any]:
    """The log of a fight without what was taken back."""
    return {key: value for key, value in saving.as_table(fight).items() if key != "undone"}


def everything(people: Any) -> str:
    """The state of all combats, to compare."""
    return json.dumps(
        [
            [c.number, c.roster.as_table(), c.saved, c.movers, sorted(c.watchers), c.fight and standing(c.fight)]
            for c in people.world.combats.values()
        ]
    )


# --- setting up ---------------------------------------------------------------------------------------------------


async def test_init_tells_the_place(crowd: Crowds) -> None:
    async with crowd("Ahalish", "Bob", "Cora") as people:
        await people["Cora"]("out")
        people.hush()
        created = await people["Ahalish"]("COMBAT Init myfight")
        assert created == "Created combat myfight at Tavern. Add players to teams, and then start combat."
        assert people["Bob"].news() == "Ahalish has created combat myfight here."
        assert people["Cora"].news() == ""
        assert await people["Bob"]("c init other") == "There is already a combat at Tavern: myfight."
        assert "Created combat other at Courtyard." in await people["Cora"]("c init other")


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("combat", "Combat needs a command: accept, add, add_npc,"),
        ("combat init", "The usage is  combat init NAME [SYSTEM [GAME]] [OPTION=VALUE ...]."),
        ("combat init x chess", "There is no combat system 'chess'; there are: bgo"),
        ("combat init x bgo grapple", "There is no game of bgo 'grapple'; there are: journey."),
        ("combat init x grapple journey", "Grapple has no game around its fights."),
        ("combat init x color=blue", "'color'"),
        ("combat init x maneuver_max=lots", "maneuver_max"),
        ("combat init x maneuver_max=99", "maneuver_max"),
        ("combat init x profile=none", "profile"),
        ("combat init " + "x" * 41, "cannot be the name of a combat; it must be 1 to 40 printable characters."),
        ("combat status", "There is no combat at Tavern; `combat init NAME` creates one."),
        ("combat add me heroes", "There is no combat at Tavern; `combat init NAME` creates one."),
        ("combat end", "There is no combat at Tavern; `combat init NAME` creates one."),
        ("combat end now", "The usage is  combat end."),
    ],
)
async def test_without_a_combat_it_refuses(crowd: Crowds, line: str, says: str) -> None:
    async with crowd("Ahalish", "Bob") as people:
        answer = await people["Ahalish"](line)
        assert says in answer
        assert len(answer) < 400  # five lines
        assert not people.world.combats
        assert people["Bob"].news() == ""


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("add me", "The usage is  combat add NAME TEAM."),
        ("add me two teams", "The usage is  combat add NAME TEAM."),
        ("add me heroes", "Ahalish is already on team heroes."),
        ("add Ahalish villains", "Ahalish is already on team heroes."),
        ("add Nobody heroes", "There is no player called 'Nobody'."),
        ("add Cora heroes", "Cora is not here."),
        ("add Dan heroes", "Dan has no attribute grapple_ad[INTEGER]; combat needs it."),
        ("add Bob draw", "No team can be called 'draw': that is how a fight may end."),
        ("add Bob none", "No team can be called 'none': that is how a fight may end."),
        ("add Bob _x", "'_x' cannot be the name of a team; it must be one word of up to 40"),
        ("add Bob " + "x" * 41, "cannot be the name of a team"),
        ("remove Bob", "There is no combatant 'Bob'"),
        ("remove me villains", "Ahalish is not on team villains, but on heroes."),
        ("remove goblin1", "goblin1 is an NPC: use combat remove_npc goblin1."),
        ("remove_npc Ahalish", "Ahalish is a player: use combat remove Ahalish."),
        ("remove_npc goblin9", "There is no combatant 'goblin9'; did you mean goblin1?"),
        ("remove_npc goblin1 heroes", "goblin1 is not on team heroes, but on monsters."),
        ("add_npc goblin2 :::: monsters", "has 5 parts; it must be of the form <skill4>:<skill3>:<skill2>"),
        ("add_npc goblin2 ::zz:6:1:2:3:2 monsters", "there is no skill 'zz'"),
        ("add_npc goblin2 ::en:5:1:2:3:2 monsters", "max AP size must be 6 to 20, not 5"),
        ("add_npc goblin2 :::6:1:2:3:2 monsters", "has no skill, an NPC needs one to three"),
        ("add_npc goblin2 dragon monsters", "There is no fighter 'dragon'"),
        ("add_npc goblin2 sheet.toml monsters", "names a file"),
        ("add_npc goblin1 goblin villains", "goblin1 is already on team monsters."),
        ("add_npc AHALISH goblin villains", "Ahalish is already on team heroes."),
        ("add_npc me goblin villains", "An NPC cannot be called 'me': players refer to themselves that way."),
        ("add_npc " + "x" * 300 + " goblin villains", "is too long; it must be 1 to 40 characters."),
        ("add_npc goblin2 goblin draw", "No team can be called 'draw'"),
        ("start heroes heroes", "Team heroes is named twice."),
        ("start heroes HEROES", "Team heroes is named twice."),
        ("start nobody", "There is no team 'nobody'; there are: heroes, monsters."),
        ("move catch breath", "Combat has not started yet."),
        ("move_npc goblin1 catch breath", "Combat has not started yet."),
        ("odds", "Combat has not started yet."),
        ("undo", "Combat has not started yet."),
        ("save", "Combat has not started yet."),
        ("restore", "There is no saved state of this combat."),
        ("log", "Combat has not started yet."),
        ("log 99", "There is no combat 99 with a log."),
        ("auto Ahalish striker", "Ahalish is a player, and a tactic can move only NPCs."),
        ("auto goblin1 chess", "There is no tactic 'chess'; there are: skill-user, striker"),
        ("manual goblin1", "goblin1 does not move by itself."),
        ("unwatch", "You are not watching myfight."),
        ("init again", "There is already a combat at Tavern: myfight."),
    ],
)
async def test_setting_up_refuses(crowd: Crowds, line: str, says: str) -> None:
    async with crowd("Ahalish", "Bob", "Cora", "Dan") as people:
        await set_up(people, "init myfight", "add me heroes", f"add_npc goblin1 {GOBLIN} monsters")
        await people["Cora"]("out")
        await people["Dan"]("unset_attr me grapple_ad")
        people.hush()
        before = everything(people)
        answer = await people["Ahalish"](f"combat {line}")
        assert says in answer
        assert answer.endswith((".", "?", ")"))
        assert len(answer) < 400
        assert everything(people) == before
        assert all(not person.told for person in people.people.values())


async def test_adding_and_removing_is_told(crowd: Crowds) -> None:
    async with crowd("Ahalish", "Bob", "Cora") as people:
        a, b, c = people["Ahalish"], people["Bob"], people["Cora"]
        await set_up(people, "init myfight")
        assert await b("combat add ME heroes") == "+ Bob is added to team heroes"
        assert a.news() == "+ Bob is added to team heroes", "the owner is told"
        assert c.news() == "", "who takes no part is not"
        assert await a(f"c ADD_NPC goblin1 {GOBLIN} monsters") == "Added goblin1 to team monsters"
        assert b.news() == "+ goblin1 is added to team monsters"
        assert await b("combat status") == "Players are still being added.\n- heroes: Bob\n- monsters: goblin1"
        assert await a("combat remove bob heroes") == "+ Bob is removed from team heroes"
        assert b.news() == "+ Bob is removed from team heroes", "so is who was removed"
        assert await a("combat remove_npc GOBLIN1") == "Removed goblin1 from team monsters"
        assert b.news() == ""
        assert await a("combat status") == "Players are still being added."
        assert "needs at least two teams, and there are 0" in await a("combat start")


async def test_a_refused_add_leaves_no_team_behind(crowd: Crowds) -> None:
    async with crowd("Ahalish") as people:
        await set_up(people, "init myfight")
        await people["Ahalish"]("combat add_npc x ::zz:6:1:2:3:2 ghosts")
        assert await people["Ahalish"]("combat status") == "Players are still being added."


@pytest.mark.parametrize("profile", ["document", "grounds"])
async def test_names_that_differ_by_case_only(crowd: Crowds, profile: str) -> None:
    async with crowd("Ahalish") as people:
        a = people["Ahalish"]
        await set_up(people, f"init f profile={profile}", "add me heroes", "add_npc Grik goblin monsters")
        assert await a("combat add_npc grik goblin monsters") == "Grik is already on team monsters."
        await set_up(people, "start heroes", "move catch breath")
        answer = await a("combat move_npc grik catch breath")
        if profile == "grounds":
            assert "There is no combatant 'grik'; did you mean" in answer or "there are" in answer
            answer = await a("combat move_npc Grik catch breath")
        assert answer.startswith("+ Grik moves: Catching breath")


@pytest.mark.parametrize(("profile", "teams"), [("document", ["Heroes"]), ("grounds", ["HEROES", "Heroes"])])
async def test_teams_are_named_in_any_case(crowd: Crowds, profile: str, teams: list[str]) -> None:
    async with crowd("Ahalish", "Bob") as people:
        a = people["Ahalish"]
        await set_up(people, f"init f profile={profile}", "add me Heroes", "add_npc g goblin monsters")
        assert await a("combat add Bob HEROES") == f"+ Bob is added to team {teams[0]}"
        assert sorted(combat_of(people).roster.teams) == [*teams, "monsters"]
        if profile == "grounds":
            assert await a("combat start heroes") == "There is no team 'heroes'; did you mean Heroes?"
            return
        assert await a("combat remove Bob heroes") == "+ Bob is removed from team Heroes"
        assert await a("combat add_npc h goblin heroes") == "Added h to team Heroes"
        await set_up(people, "start MONSTERS heroes")
        assert list(combat_of(people).fight.teams) == ["monsters", "Heroes"]


@pytest.mark.parametrize(
    ("chosen", "listed", "fixed"),
    [("", [], 0), ("", ["c", "b"], 2), ("0", ["c"], 1), ("0", [], 0), ("3", ["c"], 3), ("62", [], 3)],
)
async def test_what_is_listed_at_the_start_moves_first_whatever_was_chosen_before(
    crowd: Crowds, chosen: str, listed: list[str], fixed: int
) -> None:
    drawn = [[2 - place] for place in range(fixed, 2)]  # always the last of those that are left
    async with crowd("Ahalish", dice=lambda: Scripted(drawn)) as people:
        option = f" listed_teams={chosen}" if chosen else ""
        await set_up(people, f"init f{option}", *(f"add_npc {team} goblin {team}" for team in "abc"))
        await set_up(people, f"start {' '.join(listed)}")
        state = combat_of(people).fight.state
        given = [*listed, *(team for team in "abc" if team not in listed)]
        rest = given[fixed:]
        swapped = [rest[-1], *rest[1:-1], *rest[:1]] if len(rest) > 1 else rest
        expected = given[:fixed] + (swapped if fixed else ["c", "a", "b"])
        assert [list(combat_of(people).fight.teams)[team] for team in state.order] == expected


# --- one combat at a time -----------------------------------------------------------------------------------------


async def test_a_second_combat_of_the_same_system_does_not_take_a_player(crowd: Crowds) -> None:
    async with crowd("Ahalish", "Bob", dice=lambda: Scripted([[6] * 6])) as people:
        a, bob = people["Ahalish"], people["Bob"]
        await duel(people, "start heroes", "move m 3 co")
        for who in (a, bob):
            await who("out")
        await set_up(people, "init second", "add_npc g goblin monsters", by="Bob")
        before = everything(people)
        refusal = "Ahalish fights in myfight at Tavern, and that combat must be ended first."
        assert await a("combat add me heroes") == refusal
        assert await bob("combat add Ahalish heroes") == refusal
        assert everything(people) == before
        await a("in")
        await set_up(people, "end")
        await a("out")
        assert await a("combat add me heroes") == "+ Ahalish is added to team heroes"
        assert combat_of(people, "courtyard").roster.find("Ahalish").sheet["ad"] == 6, "3 and half of 5, rounded up"


async def test_a_combat_of_another_system_or_with_another_sheet_takes_a_player(crowd: Crowds) -> None:
    async with crowd("Ahalish", "Bob") as people:
        a, bob = people["Ahalish"], people["Bob"]
        await duel(people, "start heroes")
        await a("set_attr me mythos_sheet[STRING]=detective")
        for who in (a, bob):
            await who("out")
        await set_up(people, "init other mythos", by="Bob")
        assert await a("combat add me heroes") == "+ Ahalish is added to team heroes"
        await set_up(people, "end", by="Bob")
        await set_up(people, "init third", "add_npc g goblin monsters", by="Bob")
        word = (await bob("combat offer g")).split()[-1]
        assert "+ Ahalish now plays g" in await a(f"combat take g {word}")


async def test_restore_does_not_bring_back_a_player_who_fights_elsewhere(crowd: Crowds) -> None:
    async with crowd("Ahalish", "Bob") as people:
        await duel(people, "start heroes", "save")
        await people.leave("Bob")
        await set_up(people, "restore")  # without Bob, who is an NPC from now on
        bob = await people.enter("Bob")
        await bob("out")
        await set_up(people, "init second", "add me heroes", by="Bob")
        await set_up(people, "restore")
        assert combat_of(people).roster.find("Bob").player is None
        await bob("combat end")
        await set_up(people, "restore")
        assert combat_of(people).roster.find("Bob").player == "bob"


async def test_restore_leaves_a_player_who_fights_elsewhere_in_a_borrowed_seat(crowd: Crowds) -> None:
    """Only one of the two fights writes to the player's attributes, so no result can be lost."""
    async with crowd("Ahalish", "Bob") as people:
        await set_up(people, "init first", "add me heroes", "add_npc g goblin monsters")
        word = (await people["Ahalish"]("combat offer g")).split()[-1]
        assert "+ Bob now plays g" in await people["Bob"](f"combat take g {word}")
        await set_up(people, "start heroes", "save")
        await people["Bob"]("out")
        await set_up(people, "init second", "add me heroes", by="Bob")
        await set_up(people, "restore")
        assert combat_of(people).roster.find("g").player == "bob"


async def test_as_many_as_a_combat_takes(crowd: Crowds) -> None:
    async with crowd("Ahalish") as people:
        await set_up(people, "init crowd", *(f"add_npc n{i} goblin t{i % 31}" for i in range(MOST_FIGHTERS)))
        assert await people["Ahalish"]("c add_npc more goblin t1") == f"A combat has at most {MOST_FIGHTERS} fighters."
        assert await people["Ahalish"]("c add me t1") == f"A combat has at most {MOST_FIGHTERS} fighters."
        await set_up(people, "start", "save", "restore")
        assert len(combat_of(people).fight.names) == MOST_FIGHTERS


async def test_long_names_stay_within_the_table(crowd: Crowds) -> None:
    async with crowd("Ahalish") as people:
        long, team = "N" * 40, "T" * 40
        await set_up(people, "init " + "f" * 40, "add me heroes", f"add_npc {long} goblin {team}", "start heroes")
        status = await people["Ahalish"]("c status")
        assert all(len(line) <= 80 for line in status.splitlines())
        await set_up(people, "move c")
        assert f"+ {long} moves:" in await people["Ahalish"](f"c mn {long} c")


async def test_attributes_count_in_any_case(crowd: Crowds) -> None:
    async with crowd("Ahalish") as people:
        a = people["Ahalish"]
        await a("unset_attr me grapple_ad")
        await a("set_attr me GRAPPLE_AD[INTEGER]=4")
        await set_up(people, "init f", "add me heroes", "add_npc g goblin monsters", "start heroes")
        assert " 4/10" in await a("c status")
        await set_up(people, "end")
        assert await a("get_attr me grapple_ad") == "GRAPPLE_AD[INTEGER]=4"


async def test_an_account_that_is_gone_can_be_taken_off(crowd: Crowds) -> None:
    async with crowd("Ahalish", "Bob") as people:
        await duel(people)
        await people.leave("Bob")
        await people.world.store.commit(statements.remove_account("bob"))
        assert await people["Ahalish"]("combat remove Bob") == "+ Bob is removed from team monsters"


# --- moving -------------------------------------------------------------------------------------------------------


MOVES = ["maneuver 3 co", "m 3 CO", "Maneuver 3 courage", "MANEUVER 3 Courage"]


@pytest.mark.parametrize("root", ["combat move", "c m", "C MOVE", "combat M", "  c   m  "])
@pytest.mark.parametrize("move", MOVES)
async def test_a_move_by_any_name(crowd: Crowds, root: str, move: str) -> None:
    async with crowd("Ahalish", "Bob", dice=lambda: Scripted([[6] * 6])) as people:
        await duel(people, "start heroes")
        assert (await people["Ahalish"](f"{root} {move}")).startswith("+ Ahalish moves: The maneuver succeeds (5/6)")


@pytest.mark.parametrize("verb", ["strike", "attack", "a", "STRIKE"])
@pytest.mark.parametrize("root", ["combat move_npc", "c mn", "c MN"])
async def test_a_strike_by_any_name(crowd: Crowds, root: str, verb: str) -> None:
    async with crowd("Ahalish", "Bob", dice=lambda: Scripted([[6, 6]])) as people:
        await duel(people, "start monsters")
        assert (await people["Ahalish"](f"{root} goblin1 {verb} 2 Bob")).startswith("+ goblin1 moves: The strike fails")


async def test_a_move_is_told_to_all_who_take_part_and_the_owner(crowd: Crowds) -> None:
    async with crowd("Ahalish", "Bob", "Cora", "Dan", wizards=["Merlin"]) as people:
        await set_up(people, "init f", "add Bob heroes", "add Cora villains", "start heroes")
        answer = await people["Bob"]("c m c")
        assert answer.startswith("+ Bob moves: Catching breath succeeds: AD+3=9\n  New team moving: villains\n\n=====")
        assert people["Ahalish"].news() == answer
        assert people["Cora"].news() == f"{answer}\n* It is your turn in f, Cora: combat move ..."
        assert people["Dan"].news() == ""
        assert people["Merlin"].news() == ""
        by_wizard = await people["Merlin"]("c mn Cora c")
        assert by_wizard.startswith("+ Cora moves:"), "who gives the command is told in any case"
        assert people["Cora"].news() == f"{by_wizard}\n* Merlin has moved for you."


@pytest.mark.parametrize(
    ("who", "line", "says"),
    [
        ("Ahalish", "move", "The usage is  combat move MOVE."),
        ("Ahalish", "move_npc goblin1", "The usage is  combat move_npc NAME MOVE."),
        ("Ahalish", "move dance", "There is no move 'dance'"),
        ("Ahalish", "move maneuver 4 co", "A maneuver takes 1 to 3 AD, not 4."),
        ("Ahalish", "move maneuver x co", "'x' is not a whole number"),
        ("Ahalish", "move maneuver 3 sp", "Speed (sp) is not among this fighter's skills"),
        ("Ahalish", "move strike 1 goblin1", "1 SD cannot be spent: there are only 0."),
        ("Ahalish", "move strike 1 nobody", "There is no target 'nobody'"),
        ("Ahalish", "move_npc goblin1 c", "It is another team's turn to move."),
        ("Ahalish", "move_npc nobody c", "There is no combatant 'nobody'; there are: Ahalish, Bob, goblin1."),
        ("Bob", "move c", "It is another team's turn to move."),
        ("Cora", "move c", "Cora does not take part in myfight."),
        ("Bob", "move_npc goblin1 c", "Only the owner of myfight, Ahalish, and wizards may move others."),
        ("Ahalish", "add Cora heroes", "Combat has already started."),
        ("Ahalish", "add_npc x goblin heroes", "Combat has already started."),
        ("Bob", "remove me", "Combat has already started."),
        ("Ahalish", "remove_npc goblin1", "Combat has already started."),
        ("Ahalish", "start", "Combat has already started."),
        ("Ahalish", "undo", "There is no move to take back."),
        ("Ahalish", "restore", "There is no saved state of this combat."),
        ("Ahalish", "odds goblin1", "goblin1 has no move to make now."),
        ("Bob", "odds", "Bob has no move to make now."),
        ("Cora", "odds", "Cora does not take part in myfight."),
        ("Bob", "odds Ahalish", "Only the owner of myfight, Ahalish, and wizards may ask for the odds of others."),
        ("Ahalish", "log some", "Combat log takes  all  or  file , not 'some'."),
    ],
)
async def test_a_running_combat_refuses(crowd: Crowds, who: str, line: str, says: str) -> None:
    async with crowd("Ahalish", "Bob", "Cora") as people:
        await duel(people, "start heroes")
        before = everything(people)
        answer = await people[who](f"combat {line}")
        assert says in answer
        assert everything(people) == before
        assert all(not person.told for person in people.people.values())


async def test_nobody_moves_after_the_end(crowd: Crowds) -> None:
    async with crowd("Ahalish", "Bob", dice=lambda: Scripted([[6] * 6, [6] * 5])) as people:
        await set_up(people, "init f", "add me heroes", f"add_npc g {GOBLIN} monsters", "start heroes", "move m 3 co")
        await set_up(people, "move_npc g catch breath")
        last = await people["Ahalish"]("combat move strike 5 g")
        assert "  COMBAT IS OVER! Winning team: heroes" in last
        for line in ("move c", "move_npc g c"):
            assert "over" in await people["Ahalish"](f"combat {line}")
        assert "has no move to make now" in await people["Ahalish"]("combat odds")
        assert (await people["Ahalish"]("combat undo")).startswith(
            "+ The last move is taken back: Ahalish's strike 5 g"
        )
        assert people.world.combats["tavern"].fight.to_act == ["Ahalish"]


# --- notices ------------------------------------------------------------------------------------------------------


async def test_whose_turn_it_is(crowd: Crowds) -> None:
    async with crowd("Ahalish", "Bob") as people:
        a, b = people["Ahalish"], people["Bob"]
        await duel(people)
        assert "It is your turn" not in await a("combat start heroes")
        assert "It is your turn" not in b.news()
        mine = await a("c m c")
        assert "* " not in mine
        assert b.news().count("* It is your turn in myfight, Bob: combat move ...") == 1
        await b("c m c")
        assert a.news().count("* ") == 0, "the goblin has been waited for all along"
        assert "* " not in await a("c mn goblin1 c"), "who passes the turn to themselves is not told"


async def test_the_start_calls_who_moves_first(crowd: Crowds) -> None:
    async with crowd("Ahalish", "Bob") as people:
        await duel(people)
        assert "* " not in await people["Ahalish"]("combat start monsters"), "the owner sees it in the status"
        assert people["Bob"].news().count("* It is your turn in myfight, Bob: combat move ...") == 1


async def test_restore_undo_and_manual_call_who_is_to_move_again(crowd: Crowds) -> None:
    async with crowd("Ahalish", "Bob", wizards=["Merlin"]) as people:
        await duel(people, "start monsters", "save", init="init myfight undo=free")
        await people["Bob"]("c m c")
        people.hush()
        await people["Merlin"]("combat undo")
        assert people["Bob"].news().count("* It is your turn in myfight, Bob") == 1
        await people["Bob"]("c m c")
        people.hush()
        await people["Merlin"]("combat restore")
        assert people["Bob"].news().count("* It is your turn in myfight, Bob") == 1
        assert "* In myfight you move goblin1: combat move_npc NAME ..." in people["Ahalish"].news()


async def test_the_owner_moves_who_is_not_there(crowd: Crowds) -> None:
    async with crowd("Ahalish", "Bob", "Cora") as people:
        await set_up(
            people, "init f", "add Bob heroes", "add Cora villains", "add_npc g goblin villains", "start heroes"
        )
        await people.leave("Cora")
        await people["Bob"]("c m c")
        assert people["Ahalish"].news().endswith("\n* In f you move Cora, g: combat move_npc NAME ...")


async def test_the_owner_moves_a_player_who_is_there_and_the_player_is_told(crowd: Crowds) -> None:
    async with crowd("Ahalish", "Bob") as people:
        await set_up(people, "init f", "add Bob heroes", f"add_npc goblin1 {GOBLIN} monsters", "start heroes")
        moved = await people["Ahalish"]("c mn Bob c")
        assert moved.startswith("+ Bob moves: Catching breath")
        assert people["Bob"].news() == f"{moved}\n* Ahalish has moved for you."
        page = await people["Bob"]("help combat move_npc")
        assert "move for a player, who is told and need not be here" in page


async def test_an_owner_who_fights_does_not_move_who_is_merely_not_there(crowd: Crowds) -> None:
    async with crowd("Ahalish", "Bob", wizards=["Merlin"]) as people:
        await duel(people, "start monsters")
        await people.leave("Bob")
        before = everything(people)
        for name in ("Ahalish", "Merlin"):
            refusal = "Only Bob may move Bob, because Ahalish fights too."
            assert await people[name]("combat move_npc Bob c") == refusal
            assert await people[name]("combat odds Bob") == refusal
        assert everything(people) == before
        assert "+ goblin1 moves" in await people["Ahalish"]("combat move_npc goblin1 c")


async def test_log_in_reminds(crowd: Crowds) -> None:
    async with crowd("Ahalish", "Bob", "Cora") as people:
        await set_up(people, "init f", "add Bob heroes", "add Cora villains", "add_npc g goblin heroes", "start heroes")
        for name in ("Ahalish", "Bob", "Cora"):
            await people.leave(name)
        told: dict[str, str] = {}
        for name in ("Ahalish", "Bob", "Cora"):
            lines: list[str] = []
            await people.world.arrive(lines.append, "10.9.9.9").hear(f"connect {name} open sesame")
            told[name] = "\n".join(line for text in lines for line in text.splitlines() if line.startswith("*"))
        assert told["Ahalish"] == "* In f you move Bob, g: combat move_npc NAME ..."
        assert told["Bob"] == "* It is your turn in f, Bob: combat move ..."
        assert told["Cora"] == ""


async def test_every_connection_of_a_player_is_called_once(crowd: Crowds) -> None:
    async with crowd("Ahalish", "Bob") as people:
        await duel(people, "start heroes")
        first = people["Bob"]
        second = await people.enter("Bob")
        await people["Ahalish"]("c m c")
        assert first.news().count("* It is your turn") == 1
        assert second.news().count("* It is your turn") == 1
        answer = await second("c m c")
        assert first.news() == answer


# --- computer fighters --------------------------------------------------------------------------------------------


async def test_a_computer_fighter_moves_at_once(crowd: Crowds) -> None:
    async with crowd("Ahalish", "Bob") as people:
        a, b = people["Ahalish"], people["Bob"]
        await set_up(people, "init f", "add me heroes", "add Bob heroes", f"add_npc g {GOBLIN} monsters")
        assert await a("combat auto G Striker") == "+ g now moves by itself: striker"
        assert b.news() == "+ g now moves by itself: striker"
        await set_up(people, "start heroes")
        await a("c m c")
        people.hush()
        answer = await b("c m c")
        assert "+ Bob moves:" in answer
        assert "+ g moves:" in answer
        assert people.world.combats["tavern"].fight.to_act == ["Ahalish", "Bob"]
        assert a.news().endswith("* It is your turn in f, Ahalish: combat move ...")
        assert await a("combat manual g") == "+ g is moved by hand again"
        await a("c m c")
        assert "+ g moves" not in await b("c m c")


async def test_a_fight_of_computers_leaves_room_for_others(crowd: Crowds) -> None:
    async with crowd("Ahalish", "Bob") as people:
        lines = [f"add_npc n{i} ac:co:en:10:3:5:6:0 t{i % 4}" for i in range(12)]
        await set_up(people, "init f round_cap=60", *lines, *(f"auto n{i} random" for i in range(12)))
        assert "Combat has started!" in await people["Ahalish"]("combat start")
        assert len(combat_of(people).fight.answers) == MOVES_AT_ONCE
        heard_while_running = 0
        while not combat_of(people).fight.over:
            assert await people["Bob"]("say still here") == 'You say, "still here"'
            heard_while_running += 1
            await asyncio.sleep(0)
        assert heard_while_running > 3
        await people.settled()
        assert "COMBAT IS OVER!" in people["Ahalish"].news()
        assert "There is no move to take back." in await people["Ahalish"]("combat undo")


async def test_undo_takes_back_the_last_move_of_a_person(crowd: Crowds, store_url: str) -> None:
    async with crowd("Ahalish", "Bob", url=store_url) as people:
        a, b = people["Ahalish"], people["Bob"]
        await set_up(people, "init f undo=free", "add me heroes", "add Bob heroes", f"add_npc g {GOBLIN} monsters")
        await set_up(people, "auto g random", "start heroes")
        await a("c m c")
        before = everything(people)
        for _ in range(3):
            people.hush()
            first = await b("c m m 3 co")
            after = everything(people)
            assert "+ g moves" in first
            a.news()
            answer = await a("combat undo")
            assert answer.startswith("+ The last move is taken back: Bob's maneuver 3 co, and 1 move after it\n\n=====")
            assert answer in b.news()
            assert everything(people) == before, "with the moves of computers behind it"
            await people.restart()
            await people.awake()
            a, b = people["Ahalish"], people["Bob"]
            assert everything(people) == before
            await b("c m m 3 co")
            assert everything(people) == after, "the same dice and the same whim, also after a restart"
            await a("combat undo")


async def test_auto_survives_a_restart(crowd: Crowds, sqlite_url: str) -> None:
    async with crowd("Ahalish", url=sqlite_url) as people:
        await set_up(
            people, "init f", "add me heroes", f"add_npc g {GOBLIN} monsters", "auto g striker", "start heroes"
        )
        await people.restart()
        assert "+ g moves" in await people["Ahalish"]("c m c")


# --- logs ---------------------------------------------------------------------------------------------------------


async def test_logs(crowd: Crowds, tmp_path: Path) -> None:
    async with crowd("Ahalish", "Bob", "Cora", dice=lambda: Fair(SECRET)) as people:
        a, c = people["Ahalish"], people["Cora"]
        await duel(people, "start heroes")
        for _ in range(12):
            await set_up(people, "move c", "Bob: move c", "move_npc goblin1 c")
        short, whole = (await c("combat log")).splitlines(), (await c("combat log all")).splitlines()
        assert short == [f"({len(whole) - 20} lines before)", *whole[-20:]]
        running = await c("combat log file")
        assert SECRET.hex() not in running
        (tmp_path / "running.json").write_text(running)
        assert not saving.verify(tmp_path / "running.json").dice_checked
        assert await c("combat log 1 ALL") == "\n".join(whole), "a combat is also called by its number"
        ended = await a("combat end")
        assert SECRET.hex() in ended
        assert "combat log 1 file  gives the log to verify" in ended
        assert all(len(line) <= 80 for line in ended.splitlines())
        (tmp_path / "ended.json").write_text(await c("combat log 1 file"))
        verdict = saving.verify(tmp_path / "ended.json")
        assert verdict.dice_checked
        assert verdict.answers == 36
        assert await c("combat log 1 all") == "\n".join(whole)
        assert "There is no combat 2 with a log." in await c("combat log 2")
        assert "There is no combat at Tavern" in await c("combat log")


async def test_reading_a_log_does_not_disturb_the_combat(crowd: Crowds) -> None:
    """One reads the log of a combat elsewhere while a move is made in it."""
    async with crowd("Ahalish", "Bob", "Cora") as people:
        await duel(people, "start heroes", "move c")
        await people["Cora"]("out")
        for _ in range(10):
            lines = {"c mn goblin1 c": "Ahalish", "c m c": "Bob", "c m catch": "Ahalish"}
            moves = [people[name](line) for line, name in lines.items()]
            reads = [people["Cora"]("combat log 1") for _ in range(6)]
            mixed = [reads[0], reads[1], moves[0], reads[2], moves[1], reads[3], reads[4], moves[2], reads[5]]
            await asyncio.gather(*mixed)
        assert len(combat_of(people).fight.answers) == 31
        assert len(await people.world.store.answers(1)) == 31


async def test_who_walks_while_waiting_does_nothing_elsewhere(crowd: Crowds) -> None:
    """One connection of an account waits for its turn in a place, the other one walks out of it."""
    async with crowd("Ahalish") as people:
        first = people["Ahalish"]
        second = await people.enter("Ahalish")
        await first("combat init f")
        async with people.world.combats.locks["tavern"]:
            waiting = asyncio.create_task(first("combat add me heroes"))
            await asyncio.sleep(0)
            await second("out")
        assert "You have left Tavern in the meantime." in await waiting
        assert not people.world.combats["tavern"].roster.teams


async def test_combats_made_at_the_same_time(crowd: Crowds) -> None:
    async with crowd("Ahalish", "Bob", "Cora") as people:
        await people["Bob"]("out")
        await people["Cora"]("out")
        await people["Cora"]("north")
        answers = await asyncio.gather(*(people[name]("combat init f") for name in ("Ahalish", "Bob", "Cora")))
        assert all(answer.startswith("Created combat f at") or "has created" in answer for answer in answers), answers
        assert sorted(combat.number for combat in people.world.combats.values()) == [1, 2, 3]


async def test_a_refusal_writes_names_as_they_are(crowd: Crowds) -> None:
    async with crowd("Ahalish", "bob") as people:
        await set_up(people, "init f", "add me heroes", "add_npc goblin goblin monsters")
        assert await people["Ahalish"]("c add_npc goblin ogre heroes") == "goblin is already on team monsters."
        assert await people["bob"]("c remove me") == "bob is not on a team."
        assert await people["Ahalish"]("c manual goblin") == "goblin does not move by itself."


# --- odds ---------------------------------------------------------------------------------------------------------


async def later(person: Any) -> str:
    """What a player is told at some time after their line was obeyed."""
    for _ in range(60_000):
        if person.told:
            return str(person.news())
        await asyncio.sleep(0.01)
    raise AssertionError("no answer came")


async def answer(person: Any, line: str) -> str:
    """What a player is told about their line, while it is obeyed or some time after: compiled odds may come at once."""
    return await person(line) or await later(person)


@pytest.mark.long
async def test_odds_come_later(crowd: Crowds) -> None:
    async with crowd("Ahalish", "Bob", wizards=["Merlin"]) as people:
        a = people["Ahalish"]
        await duel(people, "start heroes")
        before = everything(people)
        assert await a("combat odds") == ""
        assert await a("combat odds") == "Your last request for odds is still being answered."
        assert await a("say meanwhile") == 'You say, "meanwhile"'
        text = await later(a)
        assert text.startswith("How Ahalish's moves are likely to end for heroes")
        assert "catch breath" in text
        assert all(len(line) <= 80 for line in text.splitlines())
        assert everything(people) == before
        await set_up(people, "move c")
        told = await answer(people["Merlin"], "c odds goblin1")
        assert "goblin1's moves are likely to end for monsters" in told
        assert "Bob's moves" in await answer(people["Bob"], "c odds")


async def test_an_npc_that_moves_by_itself_is_moved_by_hand_after_undo(crowd: Crowds, sqlite_url: str) -> None:
    async with crowd("Ahalish", "Bob", url=sqlite_url) as people:
        a = people["Ahalish"]
        await set_up(people, "init f", f"add_npc g {GOBLIN} monsters", f"add_npc h {GOBLIN} greens", "start monsters")
        await a("c mn g catch breath")
        await a("c auto g striker")
        said = await a("combat undo")
        assert said.startswith("+ The last move is taken back: g's catch breath\n  g is moved by hand again\n\n=====")
        assert [member.name for member in people.world.combats["tavern"].awaited()] == ["g"]
        await people.restart()
        assert [member.name for member in people.world.combats["tavern"].awaited()] == ["g"]


@pytest.mark.long
async def test_odds_and_undo_call_players_by_their_names_in_every_system(crowd: Crowds) -> None:
    async with crowd("Ahalish", "Bob") as people:
        await secret_duel(people)
        told = await answer(people["Bob"], "combat odds")
        assert told.startswith("How Bob's moves are likely to end for villains:\n")
        await people["Ahalish"]("c m attack")
        await people["Bob"]("c m defend")
        await people["Bob"]("c undo")
        assert (await people["Ahalish"]("c undo")).startswith("+ The last move is taken back: Bob's defend\n")


@pytest.mark.long
async def test_odds_after_the_thinking_process_has_died(crowd: Crowds) -> None:
    async with crowd("Ahalish", "Bob") as people:
        await duel(people, "start heroes")
        await people["Ahalish"]("combat odds")
        while not active_children():
            await asyncio.sleep(0.01)
        for is_idle in (False, True):
            for process in active_children():
                process.kill()
                await asyncio.to_thread(process.join)
            told = await (answer(people["Ahalish"], "combat odds") if is_idle else later(people["Ahalish"]))
            assert told == "The odds could not be worked out; please ask again."
            assert "How Ahalish's moves" in await answer(people["Ahalish"], "combat odds")


@pytest.mark.long
async def test_odds_tell_nothing_of_a_hidden_choice(crowd: Crowds) -> None:
    async with crowd("Ahalish", "Bob") as people:
        await secret_duel(people)
        before = (await answer(people["Bob"], "combat odds")).split("\n", 1)[0]
        await people["Ahalish"]("c m defend")
        told = await answer(people["Bob"], "combat odds")
        assert told.split("\n", 1)[0].split("(")[0] == before.split("(")[0]
        assert "ahalish" not in before
        assert saving.public_table(combat_of(people).fight, secret_is_out=False)["answers"] == []


# --- watching -----------------------------------------------------------------------------------------------------


async def test_watching(crowd: Crowds) -> None:
    async with crowd("Ahalish", "Bob", "Guest1") as people:
        guest = people["Guest1"]
        await duel(people)
        assert await guest("combat watch") == (
            "You are watching myfight.\nPlayers are still being added.\n- heroes: Ahalish\n- monsters: Bob, goblin1"
        )
        await people["Ahalish"]("combat start heroes")
        assert "Combat has started!" in guest.news()
        told = await people["Ahalish"]("c m c")
        assert guest.news() == told
        assert await guest("combat unwatch") == "You are no longer watching myfight."
        await people["Bob"]("c m c")
        assert guest.news() == ""
        await guest("combat watch")
        await guest("out")
        assert combat_of(people).watchers == set(), "who walks away looks away"
        await guest("in")
        await guest("combat watch")
        await people.leave("Guest1")
        assert combat_of(people).watchers == set()


async def test_who_walks_away_stays_in_combat(crowd: Crowds) -> None:
    async with crowd("Ahalish", "Bob") as people:
        await duel(people, "start monsters", "move_npc goblin1 c")
        await people["Bob"]("out")
        people.hush()
        assert await people["Bob"]("c m c") == "There is no combat at Courtyard; myfight is at Tavern."
        await people["Bob"]("in")
        await people["Bob"]("c m c")
        await people["Bob"]("out")
        people.hush()
        assert "+ Ahalish moves" in await people["Ahalish"]("c m c")
        told = people["Bob"].news()
        assert "+ Ahalish moves" in told
        assert "* It is your turn in myfight, Bob" in told
        await people["Bob"]("in")
        assert (await people["Bob"]("c m c")).startswith("+ Bob moves")


# --- saving, restoring, ending ------------------------------------------------------------------------------------


async def test_restore_goes_back_from_anywhere(crowd: Crowds, store_url: str) -> None:
    async with crowd("Ahalish", "Bob", url=store_url, dice=lambda: Fair(SECRET)) as people:
        await duel(people, "start heroes", "move m 3 co", init="init myfight undo=free")
        assert await people["Ahalish"]("combat save") == "Combat saved"
        assert people["Bob"].news() == ""
        at_save, status = everything(people), combat_of(people).status()
        for word in ("restore", "load"):
            await set_up(people, "Bob: move c", "move_npc goblin1 c", "move m 3 ac", "auto goblin1 builder")
            answer = await people["Ahalish"](f"combat {word}")
            told = "+ Combat has been restored to a prior state\n"
            told += "  4 moves are taken back: Bob's catch breath, and 3 moves after it"
            assert answer == f"{told}\nCombat restored"
            assert told in people["Bob"].news()
            assert everything(people) == at_save
            await people.restart()
            await people.awake()
            assert everything(people) == at_save
            assert combat_of(people).status() == status


async def test_restore_when_all_is_over(crowd: Crowds) -> None:
    async with crowd("Ahalish", "Bob", dice=lambda: Scripted([[6] * 6, [6] * 5])) as people:
        lines = ("remove Bob", "start heroes", "move m 3 co", "save", "move_npc goblin1 c")
        await duel(people, *lines, init="init myfight undo=free")
        assert "COMBAT IS OVER" in await people["Ahalish"]("combat move a 5 goblin1")
        await set_up(people, "restore")
        assert "Round: 1" in await people["Ahalish"]("c status")
        await set_up(people, "move_npc goblin1 c")
        assert "COMBAT IS OVER" in await people["Ahalish"]("combat move a 5 goblin1"), "with the same dice"


async def test_restore_turns_the_absent_into_npcs(crowd: Crowds) -> None:
    async with crowd("Ahalish", "Bob") as people:
        await duel(people, "start monsters", "save")
        await people.leave("Bob")
        await set_up(people, "restore")
        assert (await people["Ahalish"]("combat move_npc Bob c")).startswith("+ Bob moves")
        bob = await people.enter("Bob")
        assert await bob("combat move c") == "Bob does not take part in myfight."


@pytest.mark.parametrize("damage", ["", "{", "null", "[]", "{}", '{"seal": 1}', "cut", "changed"])
async def test_a_damaged_state_leaves_the_combat_as_it_is(crowd: Crowds, damage: str) -> None:
    async with crowd("Ahalish", "Bob") as people:
        await duel(people, "start heroes", "save", "move c")
        combat = combat_of(people)
        whole = combat.saved
        combat.saved = {"cut": whole[:-20], "changed": whole.replace("Bob", "Bab")}.get(damage, damage)
        before = everything(people)
        answer = await people["Ahalish"]("combat restore")
        assert answer.startswith("The saved state of this combat is damaged:")
        assert everything(people) == before
        assert (await people["Bob"]("combat m c")).startswith("+ Bob moves")


async def test_the_end_writes_back(crowd: Crowds) -> None:
    async with crowd("Ahalish", "Bob", dice=lambda: Scripted([[6] * 6])) as people:
        await duel(people, "start heroes", "move m 3 co")
        assert await people["Ahalish"]("c end") == "+ Combat has ended.\nEnded and removed combat myfight at Tavern"
        assert people["Bob"].news() == "+ Combat has ended."
        stats = await people["Ahalish"]("attrs")
        assert "grapple_ad[INTEGER]=6" in stats, "3 AD and half of 5 SD, rounded up"
        assert "grapple_sd[INTEGER]=0" in stats
        assert "There is no combat" in await people["Ahalish"]("c status")


@pytest.mark.parametrize(
    "change",
    [
        "unset_attr me grapple_apMaxSize",
        "set_attr me grapple_apMaxSize[STRING]=ten",
        "set_attr me grapple_apMaxSize[FLOAT]=7.5",
        "set_attr me grapple_apMaxSize[BOOLEAN]=yes",
        "set_attr me grapple_ad[STRING]=x",
        "unset_attr me grapple_ad",
    ],
)
async def test_attributes_changed_in_mid_combat_do_not_hinder_its_end(crowd: Crowds, change: str) -> None:
    async with crowd("Ahalish", "Bob") as people:
        await duel(people, "start heroes")
        await people["Bob"](change)
        assert "Ended and removed" in await people["Ahalish"]("combat end")
        assert await people["Bob"]("get_attr me grapple_ad") == "grapple_ad[INTEGER]=6"


async def test_an_account_removed_in_mid_combat(crowd: Crowds) -> None:
    async with crowd("Ahalish", "Bob", wizards=["Merlin"]) as people:
        await duel(people, "start heroes", "move c")
        await people.leave("Bob")
        await people.leave("Ahalish")
        await people.world.store.commit(statements.remove_account("bob"), statements.remove_account("ahalish"))
        assert (await people["Merlin"]("c mn Bob c")).startswith("+ Bob moves")
        guest = await people.make("Cora")
        assert "Only the owner of myfight, ahalish, and wizards" in await guest("combat end")
        assert "Ended and removed" in await people["Merlin"]("combat end")


PHASES = {
    "setup": [],
    "running": ["start heroes", "move c"],
    "over": ["remove Bob", "start heroes", "move m 3 co", "move_npc goblin1 c", "move a 5 goblin1"],
    "saved": ["start heroes", "save", "move c", "restore"],
}


@pytest.mark.parametrize("phase", PHASES)
async def test_a_restart_changes_nothing(crowd: Crowds, store_url: str, phase: str) -> None:
    async with crowd("Ahalish", "Bob", url=store_url, dice=lambda: Scripted([[6] * 6, [6] * 5])) as people:
        await duel(people, *PHASES[phase])
        status, before = await people["Ahalish"]("combat status"), everything(people)
        await people.restart()
        assert await people["Ahalish"]("combat status") == status
        assert everything(people) == before
        assert ("COMBAT IS OVER" in status) == (phase == "over")
        assert "Ended and removed" in await people["Ahalish"]("combat end")
        await people.restart()
        assert not people.world.combats


# --- other systems ------------------------------------------------------------------------------------------------


async def secret_duel(people: Any) -> None:
    for name in ("Ahalish", "Bob"):
        assert await people[name]("set_attr me bgo_sheet[STRING]=player") == ""
    await set_up(people, "init duel bgo", "add me heroes", "add Bob villains", "start")


async def test_choices_stay_secret_until_all_are_in(crowd: Crowds) -> None:
    async with crowd("Ahalish", "Bob", "Cora") as people:
        a, b, c = people["Ahalish"], people["Bob"], people["Cora"]
        await secret_duel(people)
        await c("combat watch")
        people.hush()
        status = {name: await people[name]("c status") for name in ("Bob", "Cora")}
        assert await a("c m defend") == "Your choice is in; it stays secret until all choices are in."
        for name, before in status.items():
            assert people[name].news() == ""
            assert await people[name]("c status") == before
            assert "defend" not in await people[name]("combat log all")
            for line in ("combat log file", "combat log 1 file"):
                assert json.loads(await people[name](line))["answers"] == []
        assert "has answered decision 1 already" in await a("c m attack")
        both = await b("c m attack")
        assert "defend" in both.lower()
        assert both in a.news()
        assert "defend" in c.news().lower()


async def test_bgo_is_fought_to_its_end(crowd: Crowds, sqlite_url: str) -> None:
    async with crowd("Ahalish", url=sqlite_url) as people:
        a = people["Ahalish"]
        assert "Ahalish has no attribute bgo_sheet[STRING]" in await (await started(people))("combat add me heroes")
        await a("set_attr me bgo_sheet[STRING]=player")
        await set_up(people, "add me heroes", "add_npc slime fire-slime monsters", "start")
        for _ in range(200):
            if combat_of(people).fight.over:
                break
            await set_up(people, "move_npc slime attack")
            await a("c m attack")
        assert combat_of(people).fight.over
        assert "over" in await a("c m attack")
        status = await a("c status")
        await people.restart()
        assert await people["Ahalish"]("c status") == status
        await set_up(people, "end")


async def started(people: Any) -> Any:
    await set_up(people, "init duel bgo")
    return people["Ahalish"]


async def test_a_computer_does_not_betray_its_choice(crowd: Crowds) -> None:
    async with crowd("Ahalish") as people:
        await people["Ahalish"]("set_attr me bgo_sheet[STRING]=player")
        await set_up(people, "init duel bgo", "add me heroes", "add_npc slime fire-slime monsters", "auto slime random")
        opening = await people["Ahalish"]("combat start")
        assert combat_of(people).fight.to_act == ["ahalish"], "it has chosen"
        assert "slime attack" not in opening.lower()
        answer = await people["Ahalish"]("c m defend")
        assert "choice is in" in answer or "+ " in answer
        assert combat_of(people).fight.decision == 2


@pytest.mark.parametrize("id", affray.systems())
async def test_every_system_is_fought_with_the_same_words(crowd: Crowds, id: str) -> None:
    async with crowd("Ahalish") as people:
        system = find(id)
        await set_up(people, f"init generic {id}")
        for team, members in system.demonstration.items():
            for place, fighter in enumerate(members):
                await set_up(people, f"add_npc {team[:3]}{place} {fighter} {team}")
        await set_up(people, "start")
        combat = combat_of(people)
        for turn in range(200):
            if combat.fight.over:
                break
            member = combat.awaited()[0]
            moves = combat.fight.legal(combat.fighter(member))
            answer = await people["Ahalish"](f"combat move_npc {member.name} {moves[turn % len(moves)]}")
            assert answer.startswith("+ ") or "choice is in;" in answer, answer
        row = await people.world.store.combat(combat.number)
        again = await load(people.world.store, row)
        assert again.status() == combat.status()
        assert "Ended and removed combat generic at Tavern" in await people["Ahalish"]("combat end")


async def test_a_player_who_knows_the_word_plays_an_npc_that_is_offered(crowd: Crowds) -> None:
    async with crowd("Ahalish", "Rehtaoh") as people:
        for line in ("init duel", "add me heroes", "add_npc goblin goblin monsters", "start heroes"):
            await people["Ahalish"](f"combat {line}")
        told = await people["Ahalish"]("combat offer goblin")
        word = told.split()[-1]
        assert (await people["Rehtaoh"]("combat take goblin wrong")).startswith("That is not the word for goblin")
        people.hush()
        assert await people["Rehtaoh"](f"combat take goblin {word}") == "+ Rehtaoh now plays goblin"
        assert people["Ahalish"].news() == "+ Rehtaoh now plays goblin"
        assert "has no decision to make" not in await people["Ahalish"]("combat move catch breath")
        assert (await people["Rehtaoh"]("combat move catch breath")).startswith("+ goblin")
        assert "not the word for" in await people["Ahalish"](f"combat take goblin {word}"), "a word counts once"
        stored = await people.world.store.combat(1)
        assert stored.roster["monsters"][0]["player"] == "rehtaoh"
        await people["Ahalish"]("combat end")
        kept = await people.world.store.attributes("rehtaoh")
        assert kept["grapple_ad"].value == 6, "what was borrowed leaves nothing behind"
