"""Profiles: the record of every account, its history, ratings for those who want them, and what stays hidden."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from affray.world.combats.history import History
from affray.world.combats.results import GATHERED
from affray.world.people.profiles import rated_today
from affray.world.people.removal import remove_account
from affray.world.store import backup, statements
from affray.world.store.statements import delete
from affray.world.store.tables import Result

Crowds = Callable[..., Any]


async def duel(people: Any, *lines: str, name: str = "duel", rated: bool = True, fighter: str = "player") -> None:
    """Ann, who owns it, against Bob with an equal fighter of bgo; both want ratings."""
    for who, sheet in (("Ann", "player"), ("Bob", fighter)):
        await people[who](f"set_attr me bgo_sheet[STRING]={sheet}")
        await people[who](f"prefer ratings {'on' if rated else 'off'}")
    for line in (f"init {name} bgo", "add me heroes", "add Bob villains", "start", *lines):
        await people["Ann"](f"combat {line}")


async def told(people: Any, who: str = "Ann") -> list[str]:
    return (await people[who]("profile")).splitlines()


async def counted(people: Any) -> list[bool]:
    return [bool(row["counts"]) for row in (await people.world.store.everything())["results"]]


async def test_a_new_account_has_no_fights(crowd: Crowds, store_url: str) -> None:
    async with crowd("Ann", url=store_url) as people:
        first, last = await told(people)
        assert first.startswith("Ann, here since 20")
        assert last == "No fights yet."


async def test_a_duel_that_is_resigned_counts_for_both(crowd: Crowds, store_url: str) -> None:
    async with crowd("Ann", "Bob", "Cora", url=store_url) as people:
        await duel(people)
        assert (await told(people))[1:] == ["No fights yet."], "it is not over"
        await people["Bob"]("combat resign")
        assert (await told(people))[1:] == [
            "bgo: 1 fight, 1 won",
            "Rating in bgo: 1662 from 1 duel",
            "  (in 95 of 100 cases 1093 to 2231; provisional)",
            "Fights, the last first:",
            "       1 won        bgo: duel against Bob, rated",
        ]
        assert (await told(people, "Bob"))[1:3] == ["bgo: 1 fight, 1 lost", "Rating in bgo: 1338 from 1 duel"]
        seen = await people["Cora"]("profile Ann")
        assert seen.splitlines()[1:] == (await told(people))[1:], "everyone sees the same"
        await people["Ann"]("combat end")
        assert (await told(people))[1] == "bgo: 1 fight, 1 won", "it is counted once"


async def test_ratings_are_for_those_who_want_them(crowd: Crowds) -> None:
    async with crowd("Ann", "Bob", "Cora") as people:
        await duel(people)
        await people["Bob"]("combat resign")
        assert "Rating in bgo" in await people["Cora"]("profile Ann")
        await people["Ann"]("prefer ratings off")
        assert "Rating" not in await people["Cora"]("profile Ann")
        assert "Rating" not in await people["Ann"]("profile")
        assert "Rating in bgo: 1338" in await people["Cora"]("profile Bob"), "what both wanted then stays counted"
        await people["Ann"]("combat end")
        await duel(people, rated=False)
        await people["Bob"]("prefer ratings on")
        await people["Ann"]("prefer ratings on")
        await people["Bob"]("combat resign")
        assert await counted(people) == [True, True, False, False], "both must want it when the duel starts"


async def test_what_does_not_count(crowd: Crowds) -> None:
    async with crowd("Ann", "Bob") as people:

        async def after(*lines: str, agreed: tuple[str, ...] = (), **how: Any) -> list[bool]:
            await duel(people, *lines, **how)
            for line in agreed:
                await people["Bob"](f"combat {line}")
            await people["Bob"]("combat resign")
            found = (await counted(people))[-2:]
            await people["Ann"]("combat end")
            return found

        assert await after() == [True, True]
        assert await after(fighter="knight") == [False, False], "the fighters are not equal"
        assert await after("move defend", agreed=("move defend", "undo")) == [True, True], "Ann has not agreed"
        words = await after("intervene set Ann health 5", agreed=("agree",))
        assert words == [False, False], "a storyteller's word"


async def test_moves_that_were_taken_back_do_not_count(crowd: Crowds) -> None:
    async with crowd("Ann", "Bob") as people:
        await duel(people, "move defend")
        for who, line in (("Bob", "move defend"), ("Ann", "undo"), ("Bob", "undo"), ("Bob", "resign")):
            await people[who](f"combat {line}")
        assert await counted(people) == [False, False]


async def test_a_fight_with_a_computer_fighter_is_listed_and_does_not_count(crowd: Crowds) -> None:
    async with crowd("Ann") as people:
        for line in ("set_attr me bgo_sheet[STRING]=player", "prefer ratings on"):
            await people["Ann"](line)
        for line in ("init f bgo", "add me heroes", "add_npc slime player monsters", "auto slime random", "start"):
            await people["Ann"](f"combat {line}")
        assert "No fights yet." in await people["Ann"]("profile")
        await people["Ann"]("combat resign")
        lines = await told(people)
        assert lines[1:] == ["bgo: 1 fight, 1 lost", "Fights, the last first:", "       1 lost       bgo: f"]


async def test_who_ends_a_rated_duel_early_has_resigned_it(crowd: Crowds) -> None:
    async with crowd("Ann", "Bob") as people:
        await duel(people, "end")
        assert "1 lost" in (await told(people))[1]
        combat, phase = await people.world.combats.find(1)
        assert (phase, combat.fought().concluded.text) == ("ended", "heroes resigned")
        assert await counted(people) == [True, True]
        await duel(people, "end", rated=False)
        assert (await told(people))[1] == "bgo: 2 fights, 1 lost, 1 unfinished"


async def test_the_seat_of_a_rated_duel_stays_with_its_player(crowd: Crowds) -> None:
    async with crowd("Ann", "Bob", "Cora") as people:
        await duel(people)
        assert "counts for ratings" in await people["Bob"]("combat hand Cora")


async def test_a_fight_that_goes_on_again_is_not_counted_until_it_is_over(crowd: Crowds, store_url: str) -> None:
    async with crowd("Ann", "Bob", url=store_url) as people:
        await duel(people, "move flee")
        await people["Bob"]("combat move defend")
        assert "1 fled" in (await told(people))[1]
        await people["Ann"]("combat undo")
        await people["Bob"]("combat undo")
        assert (await told(people))[1:] == ["No fights yet."]
        await people["Bob"]("combat move defend")
        assert (await told(people))[1:3] == ["bgo: 1 fight, 1 fled", "Fights, the last first:"]
        assert await counted(people) == [False, False]


async def test_those_who_got_away_have_fled(crowd: Crowds) -> None:
    async with crowd("Ann", "Bob") as people:
        await duel(people, "move flee")
        await people["Bob"]("combat move defend")
        assert (await people.world.store.combat(1)).ending == "fled"
        assert (await told(people))[1] == "bgo: 1 fight, 1 fled"
        assert (await told(people, "Bob"))[1:3] == ["bgo: 1 fight, 1 drawn", "Rating in bgo: 1500 from 1 duel"]


async def test_a_private_profile_is_for_its_owner_and_wizards(crowd: Crowds) -> None:
    async with crowd("Ann", "Bob", "Guest1", wizards=["Merlin"]) as people:
        await duel(people)
        await people["Bob"]("combat resign")
        await people["Bob"]("prefer privacy on")
        for who in ("Ann", "Guest1"):
            assert await people[who]("profile Bob") == "Bob has a private profile."
        assert "1 lost" in await people["Merlin"]("profile Bob")
        assert "1 lost" in await people["Bob"]("profile")
        assert "Bob" not in await people["Ann"]("profile"), "others' profiles do not name them"
        await people["Bob"]("prefer privacy off")
        assert "against Bob" in await people["Ann"]("profile")


async def test_guests_have_none_until_they_have_an_account(crowd: Crowds, store_url: str) -> None:
    async with crowd("Ann", "Guest1", url=store_url) as people:
        assert "needs an account" in await people["Guest1"]("profile")
        assert await people["Guest1"]("profile Nobody") == "There is no account 'Nobody'."
        world = people.world
        guest = await world.guests.admit("10.0.0.9")
        past = Result(5, guest.key, "bgo", "first fight", guest.name, "heroes", "won", 1_700_000_000, 0)
        await world.store.commit(statements.add_result(past))
        assert "is a guest and has no profile" in await people["Ann"](f"profile {guest.name}")
        account = await world.store.account("Ann")
        await world.guests.adopt(guest, account)
        assert (await told(people))[1] == "bgo: 1 fight, 1 won"


async def test_a_removed_account_takes_its_profile_along_and_leaves_ratings_as_they_are(
    crowd: Crowds, store_url: str
) -> None:
    async with crowd("Ann", "Bob", url=store_url) as people:
        await duel(people)
        await people["Bob"]("combat resign")
        await people["Ann"]("combat end")
        before = await told(people)
        await people.leave("Bob")
        await remove_account(people.world.store, "bob")
        after = await told(people)
        assert after[:4] == before[:4], "the record and the rating stay"
        assert after[-1] == "       1 won        bgo: duel, rated"
        bob = await people.make("Bob")
        assert "No fights yet." in await bob("profile"), "a new account of the name inherits nothing"


async def test_history_that_is_trimmed_stays_in_the_record(crowd: Crowds, store_url: str) -> None:
    async with crowd("Ann", "Bob", url=store_url) as people:
        await duel(people)
        await people["Bob"]("combat resign")
        await people["Ann"]("combat end")
        before = await told(people)
        assert await History(kept=0).trim(people.world.store) == 1
        after = await told(people)
        assert after[:-1] == before[:-1]
        assert after[-1] == before[-1] + ", log not kept"
        await people.restart()
        await people["Ann"]("combat init other bgo")
        assert people.world.combats["tavern"].number == 2, "no number is given twice"


async def test_a_history_is_shown_page_by_page(crowd: Crowds) -> None:
    async with crowd("Ann") as people:
        rows = [Result(n, "ann", "bgo", f"f{n}", "Ann", "heroes", "won", n, 0) for n in range(1, 46)]
        await people.world.store.commit(*map(statements.add_result, rows))
        lines = await told(people)
        assert lines[1:3] == ["bgo: 45 fights, 45 won", "Fights, the last first (page 1 of 3):"]
        assert lines[3:] == [f"{n:8} won        bgo: f{n}, log not kept" for n in range(45, 25, -1)]
        last = (await people["Ann"]("profile 3")).splitlines()
        assert last[-1].split()[0] == "1"
        assert await people["Ann"]("profile Ann 3") == "\n".join(last)
        assert "the usage is" in (await people["Ann"]("profile Ann 0")).casefold()


async def test_combats_of_earlier_versions_are_gathered_once(crowd: Crowds, store_url: str) -> None:
    async with crowd("Ann", "Bob", url=store_url) as people:
        await duel(people)
        await people["Bob"]("combat resign")
        await people["Ann"]("combat end")
        await duel(people, "end", rated=False, name="other")
        await people.world.store.commit(delete("results"), delete("settings", key=GATHERED))
        await people.restart()
        lines = await told(people)
        assert lines[1:3] == ["bgo: 2 fights, 1 won, 1 unfinished", "Fights, the last first:"], "none of them counts"
        await people.world.store.commit(delete("results"))
        await people.restart()
        assert "No fights yet." in await people["Ann"]("profile")


async def test_ratings_can_be_worked_out_again_from_a_backup(crowd: Crowds, tmp_path: Any, sqlite_url: str) -> None:
    async with crowd("Ann", "Bob", url=sqlite_url) as people:
        await duel(people)
        await people["Bob"]("combat resign")
        shown = await told(people)
        duels = await people.world.store.duels("bgo")
        found = rated_today(duels, duels[0].decided // 86400)
        assert [f"Rating in bgo: {found['ann'].value:.0f} from 1 duel"] == shown[2:3]
        await backup.backup(sqlite_url, tmp_path / "world.json")
    copy = f"sqlite:///{tmp_path / 'copy.db'}"
    await backup.restore(copy, tmp_path / "world.json")
    async with crowd(url=copy) as people:
        await people.enter("Ann")
        assert await told(people) == shown
