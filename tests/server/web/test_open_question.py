"""While a fight runs, a player has an open question with moves, or a computer is thinking; and it can be had again."""

from __future__ import annotations

import random
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
