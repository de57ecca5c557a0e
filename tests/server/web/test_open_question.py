"""While a fight runs, a player has an open question with moves, or a computer is thinking; and it can be had again."""

from __future__ import annotations

import random
import time
from typing import Any

import pytest

import affray

pytest.importorskip("litestar", reason="Litestar is not installed (the server extra)")

SYSTEMS = list(affray.systems())
MOST_MOVES = 25
Message = dict[str, Any]


async def seated(people: Any, system: str) -> int:
    """A fight of Ann, who owns it, with Bob on the other side; all others are moved by tactics."""
    ann, bob = people["Ann"].browser, people["Bob"].browser
    known = affray.get_system(system)
    teams, movers = {}, iter(("me", "open"))
    for team, specs in known.demonstration.items():
        usual = [known.usual_tactic(known.enlist(spec)) for spec in specs]
        teams[team] = [{"sheet": spec, "by": by} for spec, by in zip(specs, [next(movers), *usual[1:]], strict=True)]
    made = (await ann("POST", "/combats", {"name": system, "system": system, "teams": teams})).json()
    token = next(seat["invite"] for seat in made["seats"] if seat["open"])
    assert (await bob("POST", f"/combats/{made['number']}/join", {"token": token})).status_code == 200
    started = await ann("POST", f"/combats/{made['number']}/start", {})
    assert started.status_code < 300, started.text
    return int(made["number"])


def open_asks(tables: dict[str, Message]) -> list[tuple[str, Message]]:
    return [(name, ask) for name, table in tables.items() for ask in table["asks"] if ask["answered"] is None]


@pytest.mark.parametrize("system", SYSTEMS)
async def test_a_running_fight_always_waits_for_somebody_who_can_answer(site: Any, system: str) -> None:
    luck = random.Random(system)
    async with site("Ann", "Bob") as people:
        number = await seated(people, system)
        for name in ("Ann", "Bob"):
            await people[name].live.enter(number)
        for _ in range(MOST_MOVES):
            await people.quiet()
            tables = {name: people[name].live.of("table")[-1] for name in ("Ann", "Bob")}
            if any(table["phase"] != "running" for table in tables.values()):
                assert {table["phase"] for table in tables.values()} == {"over"}
                break
            asks = open_asks(tables)
            thinking = [seat["name"] for seat in tables["Ann"]["seats"] if seat["due"] and seat["tactic"]]
            assert asks or thinking, tables
            for _name, ask in asks:
                assert ask["question"]
                assert ask["moves"]
                assert len(ask["about"]) == len(ask["moves"])
                fighters = {seat["fighter"] for seat in tables["Ann"]["seats"]}
                assert all(one["target"] in {None, *fighters} for one in ask["about"])
            if not asks:
                continue
            name, ask = luck.choice(asks)
            message = {key: ask[key] for key in ("fighter", "decision", "after")}
            done = await people[name].live.ask("move", combat=number, move=luck.choice(ask["moves"]), **message)
            assert done["type"] == "done", done


async def test_a_choice_is_called_secret_only_where_it_is(site: Any) -> None:
    async with site("Ann", "Bob") as people:
        number = await seated(people, "bgo")
        (ask,) = (await people["Ann"].live.enter(number))["asks"]
        message = {key: ask[key] for key in ("fighter", "decision", "after")}
        await people["Ann"].live.ask("move", combat=number, move="defend", **message)
        (mine,) = (await people["Ann"].browser("GET", f"/combats/{number}")).json()["asks"]
        assert (mine["answered"], mine["secret"]) == ("defend", True)


async def test_a_table_says_since_when_it_waits_and_secret_choices_do_not_change_that(
    site: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with site("Ann", "Bob", url="sqlite://") as people:
        number = await seated(people, "bgo")
        path = f"/combats/{number}"

        async def shown(name: str = "Ann") -> Message:
            found: Message = (await people[name].browser("GET", path)).json()
            return found

        began = (await shown())["asked_at"]
        assert abs(began - time.time()) < 3600
        monkeypatch.setattr(time, "time", lambda: began + 50)
        (first,), (second,) = [(await shown(name))["asks"] for name in ("Ann", "Bob")]
        await people["Ann"].browser("POST", f"{path}/moves", {**chosen(first), "move": "defend"})
        for name in ("Ann", "Bob"):
            assert (await shown(name))["asked_at"] == began, "that Ann has chosen is not told"
        assert [seat["due"] for seat in (await shown("Bob"))["seats"] if seat["player"]] == [True, True]
        await people["Bob"].browser("POST", f"{path}/moves", {**chosen(second), "move": "defend"})
        assert (await shown())["asked_at"] == began + 50
        place = (await shown())["place"]["key"]
        people.world.combats[place] = people.world.combats.awake(place).asleep()
        assert (await shown())["asked_at"] is None, "a fight that was read anew does not know"


def chosen(ask: Message) -> Message:
    return {key: ask[key] for key in ("fighter", "decision", "after")}


async def test_only_choices_that_stay_secret_are_called_simultaneous(site: Any) -> None:
    """In grapple all of a team may move, one after another, and everyone sees who has; in bgo no one does."""
    async with site("Ann", "Bob") as people:
        for system, sheet, is_so in (("bgo", "player", True), ("grapple", "goblin", False)):
            seats = [{"sheet": sheet, "by": "storyteller"} for _ in range(2)]
            asked = {"name": system, "system": system, "teams": {"reds": seats, "blues": seats}, "start": True}
            made = (await people["Ann"].browser("POST", "/combats", asked)).json()
            for _ in range(2):
                table = (await people["Bob"].browser("GET", f"/combats/{made['number']}")).json()
                assert table["simultaneous"] is is_so
                first = next(ask for ask in made["asks"] if ask["answered"] is None)
                move = {**chosen(first), "move": first["moves"][0]}
                made = (await people["Ann"].browser("POST", f"/combats/{made['number']}/moves", move)).json()


async def test_spectators_are_told_how_sure_the_chances_are(site: Any) -> None:
    async with site("Ann", "Bob") as people:
        number = await seated(people, "deckahedron")
        found = (await people["Ann"].browser("GET", f"/combats/{number}/chances")).json()
        assert found["fights"] > 0
        assert 0 < found["margin"] < 1
        assert sum(found["chances"].values()) == pytest.approx(1)


async def test_a_fight_is_had_again_with_the_sides_swapped(site: Any) -> None:
    async with site("Ann") as people:
        ann = people["Ann"].browser
        teams = {"heroes": [{"sheet": "player", "by": "me"}], "monsters": [{"sheet": "fire-slime", "by": "policy"}]}
        made = (await ann("POST", "/combats", {"name": "duel", "system": "bgo", "teams": teams, "start": True})).json()
        number = made["number"]
        early = await ann("POST", f"/combats/{number}/again", {})
        assert early.json()["problem"] == "only a fight that is over can be fought again"
        while (table := (await ann("GET", f"/combats/{number}")).json())["phase"] == "running":
            ask = table["asks"][0]
            message = {"fighter": ask["fighter"], "move": "flee", "decision": ask["decision"]}
            await ann("POST", f"/combats/{number}/moves", message)
        same = (await ann("POST", f"/combats/{number}/again", {})).json()
        assert [(seat["team"], seat["player"], seat["tactic"]) for seat in same["seats"]] == [
            ("heroes", "Ann", None),
            ("monsters", None, "policy"),
        ]
        swapped = (await ann("POST", f"/combats/{number}/again", {"swap": True})).json()
        assert swapped["phase"] == "running"
        assert [(seat["team"], seat["player"], seat["tactic"]) for seat in swapped["seats"]] == [
            ("heroes", None, "policy"),
            ("monsters", "Ann", None),
        ]
        chances = (await ann("GET", f"/combats/{swapped['number']}/chances")).json()["chances"]
        assert sum(chances.values()) == pytest.approx(1)
