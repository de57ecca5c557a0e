"""Guests who fight, the seats they keep, and a lobby that stays short whatever the number of fights."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

from affray.server.api.lobby import FIRST, ON_A_PAGE
from affray.world.people import guests
from affray.world.store import statements

Sites = Callable[..., Any]
MEMORY = "sqlite://"
DUEL = {"heroes": [{"sheet": "player", "by": "me"}], "monsters": [{"sheet": "fire-slime", "by": "policy"}]}


def fight(name: str = "duel", **changes: Any) -> dict[str, Any]:
    return {"name": name, "system": "bgo", "teams": DUEL, "start": True, **changes}


async def test_a_guest_fights_at_once_and_an_account_gets_the_seat(site: Sites) -> None:
    async with site(url=MEMORY) as people:
        browser = people.browser()
        assert (await browser("POST", "/combats", fight())).status_code == 401
        session = (await browser("POST", "/session/guest")).json()
        assert (session["role"], session["known"], session["temporary"]) == ("player", True, True)
        table = (await browser("POST", "/combats", fight())).json()
        move = {"fighter": table["you"]["fighter"], "move": "attack", "decision": 1}
        assert (await browser("POST", "/combats/1/moves", move)).status_code == 200
        assert (await browser("POST", "/combats/1/save")).status_code == 200
        assert (await browser("POST", "/combats", fight("done"))).status_code == 201
        assert (await browser("POST", "/combats/2/end")).status_code == 200
        made = await browser("POST", "/accounts", {"name": "Ann", "password": "open sesame"})
        assert (made.json()["name"], made.json()["temporary"]) == ("Ann", False)
        kept = (await browser("GET", "/combats/1")).json()
        assert kept["owner"] == "Ann"
        assert [seat["player"] for seat in kept["seats"]] == ["Ann", None]
        assert kept["story"], "what has happened stays"
        assert (await browser("POST", "/combats/1/undo")).status_code == 200, "the move is Ann's now"
        assert (await browser("POST", "/combats/1/restore")).status_code in (200, 409)
        assert (await browser("GET", "/combats/2")).json()["owner"] == "Ann"
        assert await people.world.store.count_accounts(guests.PREFIX) == 0


async def test_guests_are_bounded_and_leave_nothing_that_lasts(site: Sites, monkeypatch: Any) -> None:
    monkeypatch.setattr(guests, "PER_ADDRESS", 3)
    async with site(url=MEMORY) as people:
        first = people.browser()
        for browser in (first, people.browser(), people.browser()):
            assert (await browser("POST", "/session/guest")).status_code == 200
        refused = await people.browser()("POST", "/session/guest")
        assert (refused.status_code, refused.json()["problem"][:26]) == (409, "3 guests have come from yo")
        name = (await first("POST", "/session/guest")).json()["name"]
        assert (await first("GET", "/session")).json()["name"] == name, "asking again makes no one new"
        answer = await first("PUT", "/accounts/me/attributes", {"written": "note[INTEGER]=1"})
        assert answer.status_code == 403
        for _ in range(guests.MOST_OWNED):
            assert (await first("POST", "/combats", fight())).status_code == 201
        assert (await first("POST", "/combats", fight())).status_code == 409


async def test_guests_who_do_not_come_back_are_forgotten(site: Sites) -> None:
    async with site(url=MEMORY) as people:
        gone, here = people.browser(), people.browser()
        for browser in (gone, here):
            await browser("POST", "/session/guest")
            await browser("POST", "/combats", fight())
        await here.live()
        await people.world.guests.clear(datetime.now(UTC) - timedelta(hours=1))
        assert await people.world.store.count_accounts(guests.PREFIX) == 2, "both have just come"
        await people.world.guests.clear(datetime.now(UTC) + timedelta(hours=1))
        assert await people.world.store.count_accounts(guests.PREFIX) == 1, "the one who is connected stays"
        assert (await gone("GET", "/session")).json()["known"] is False


async def test_a_seat_for_anyone_is_in_the_lobby_and_one_by_invitation_is_not(site: Sites) -> None:
    async with site("Ann", "Ben", "Cora", url=MEMORY) as people:
        ann, ben, cora = (people[name].browser for name in ("Ann", "Ben", "Cora"))
        for by in ("anyone", "open"):
            monsters = [{"sheet": "fire-slime", "by": by}]
            await ann("POST", "/combats", fight(by, teams={**DUEL, "monsters": monsters}, start=False))
        lobby = (await ben("GET", "/lobby")).json()
        assert [one["name"] for one in lobby["open"]] == ["anyone"]
        assert [one["name"] for one in lobby["live"]] == ["open"]
        taken = await ben("POST", "/combats/1/join", {"token": lobby["open"][0]["join"]})
        assert taken.status_code == 200
        assert (await cora("GET", "/lobby")).json()["open"] == []
        assert (await cora("POST", "/combats/1/join", {"token": lobby["open"][0]["join"]})).status_code == 403
        yours = (await ben("GET", "/lobby")).json()["yours"]
        assert [(one["name"], one["your_move"]) for one in yours] == [("anyone", False)]
        await ann("POST", "/combats/1/start", {"first": []})
        assert [one["your_move"] for one in (await ben("GET", "/lobby")).json()["yours"]] == [True]
        assert not any(one["your_move"] for one in (await cora("GET", "/lobby")).json()["live"])


async def test_thousands_of_fights_come_page_by_page_and_are_found_by_words(site: Sites) -> None:
    many = 1500
    async with site("Ann", url=MEMORY) as people:
        world, ann = people.world, people["Ann"].browser
        await world.store.commit(people.account("Old"))
        roster = {"heroes": [{"name": "Rex", "sheet": {}, "player": "old", "tactic": None}]}
        for number in range(1, many + 1):
            name = f"100% of fight_{number}" if number % 500 == 0 else f"fight {number}"
            where = {"place": f"past {number}", "system": "bgo", "owner": "old", "phase": "ended", "roster": roster}
            await world.store.commit(statements.add_combat(number, name, **where))
        world.combats.last_number = many
        for number in range(FIRST + 3):
            await ann("POST", "/combats", fight(f"live {number}"))
        lobby = (await people.browser()("GET", "/lobby")).json()
        assert (len(lobby["live"]), lobby["totals"]["live"], lobby["totals"]["ended"]) == (FIRST, FIRST + 3, many)
        assert not any(place["key"].startswith("table ") for place in lobby["places"])

        async def found(query: str) -> dict[str, Any]:
            return (await ann("GET", f"/combats?{query}")).json()

        last = await found(f"which=ended&page={many // ON_A_PAGE}")
        assert (last["total"], last["pages"], len(last["fights"])) == (many, many // ON_A_PAGE, ON_A_PAGE)
        assert last["fights"][-1]["number"] == 1
        marked = await found("which=ended&search=100%25+FIGHT_")
        assert [one["number"] for one in marked["fights"]] == [1500, 1000, 500]
        assert (await found("which=ended&search=old"))["total"] == many, "by the name of a player"
        assert (await found("which=ended&search=rex+nobody"))["total"] == 0
        assert [one["name"] for one in (await found("which=yours&search=live+14"))["fights"]] == ["live 14"]
        assert (await found("which=live&search="))["total"] == 0
