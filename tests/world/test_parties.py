"""Parties and encounters are kept between fights, with what lasts, and go from account to account as files."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from affray.errors import Invalid
from affray.system.registry import find
from affray.systems.bgo.recovery import REST
from affray.world.combats import parties
from affray.world.store.backup import backup, restore

Crowds = Callable[..., Any]


async def fought(ann: Any, *, party: str = "fellowship") -> None:
    """A fight of bgo in which one of Ann's party is down to 3 Health, ended."""
    await ann("combat init brawl bgo")
    await ann(f"combat use party {party} heroes")
    await ann("combat add_npc slime fire-slime monsters")
    await ann("combat start heroes monsters")
    await ann("combat intervene set Bo health 3")
    await ann("combat end")


async def with_party(ann: Any) -> None:
    """Ann keeps Bo and Cy of bgo as her fellowship."""
    await ann("combat init first bgo")
    for name in ("Bo", "Cy"):
        await ann(f"combat add_npc {name} player heroes")
    assert await ann("combat keep party fellowship heroes") == "You keep party fellowship."
    await ann("combat end")


async def health(people: Any, name: str = "fellowship") -> dict[str, int]:
    kept = await parties.find(people.world.store, "ann", "party", name)
    return {seat["name"]: seat["sheet"]["health"] for seat in kept.seats}


async def test_what_lasts_of_a_fight_is_written_to_the_party_and_it_recovers(crowd: Crowds, sqlite_url: str) -> None:
    async with crowd("Ann", url=sqlite_url) as people:
        await with_party(people["Ann"])
        await fought(people["Ann"])
        assert await health(people) == {"Bo": 3, "Cy": 10}
        await people.restart()
        assert await health(people) == {"Bo": 3, "Cy": 10}, "a restart changes nothing"
        told = await people["Ann"]("recover fellowship round")
        assert "Bo rests" in told
        assert (await health(people))["Bo"] == 3 + REST
        assert "There is no way to recover 'sleep'" in await people["Ann"]("recover fellowship sleep")


async def test_every_system_with_lasting_results_writes_the_sheet_that_its_rules_leave(crowd: Crowds) -> None:
    async with crowd("Ann") as people:
        ann = people["Ann"]
        words = {"deckahedron": "deal Bo harm 1", "strategic": "deal Bo crippling 2", "mythos": "set Bo hp 5"}
        for system, word in words.items():
            known = find(system)
            (team, *_), id = next(iter(known.demonstration.values())), ""
            await ann(f"combat init fight {system}")
            await ann(f"combat add_npc Bo {team} heroes")
            await ann(f"combat keep party {system} heroes")
            id = (await parties.find(people.world.store, "ann", "party", system)).seats[0]["sheet"]
            await ann("combat end")
            await ann(f"combat init fight {system}")
            await ann(f"combat use party {system} heroes")
            await ann(f"combat add_npc foe {team} monsters")
            await ann("combat start heroes monsters")
            await ann(f"combat intervene {word}")
            combat = await people.awake()
            fight = combat.fight
            expected = known.as_table(known.after_fight(fight.state, 0, fight.sheets[0]))
            await ann("combat end")
            kept = await parties.find(people.world.store, "ann", "party", system)
            assert kept.seats[0]["sheet"] == expected != id, system


async def test_a_party_fights_in_one_combat_at_a_time(crowd: Crowds) -> None:
    async with crowd("Ann") as people:
        ann = people["Ann"]
        await with_party(ann)
        await ann("combat init one bgo")
        await ann("combat use party fellowship heroes")
        assert "Fellowship fights in one" in await ann("recover fellowship round")
        await ann("go out")
        await ann("combat init two bgo")
        assert "Fellowship fights in one, and that combat must be ended first" in await ann(
            "combat use party fellowship heroes"
        )


async def test_copies_and_files_are_independent(crowd: Crowds) -> None:
    async with crowd("Ann", "Ben") as people:
        ann, ben = people["Ann"], people["Ben"]
        await with_party(ann)
        await ann("duplicate party fellowship spare")
        await fought(ann)
        assert (await health(people))["Bo"] == 3
        assert (await health(people, "spare"))["Bo"] == 10
        file = await ann("kept party fellowship")
        await ben(f"import party borrowed {file}")
        (kept,) = await parties.all_of(people.world.store, "ben")
        assert kept.as_file() == {**json.loads(file), "name": "borrowed"}
        assert "You already keep a party called 'spare'" in await ann("duplicate party fellowship spare")
        await ann("forget party spare")
        assert "There is no party 'spare'" in await ann("kept party spare")
        assert (await ben("kept")).startswith("party borrowed (bgo): Bo, Cy")


async def test_an_encounter_brings_its_seats_tactics_and_parties_into_a_combat(crowd: Crowds) -> None:
    async with crowd("Ann") as people:
        ann = people["Ann"]
        await with_party(ann)
        file = {
            "format": "affray-encounter",
            "version": 1,
            "system": "bgo",
            "options": {},
            "teams": {
                "heroes": [{"name": "Bo", "by": "me", "party": "fellowship"}],
                "monsters": [{"sheet": "fire-slime", "by": "policy"}] * 2,
            },
        }
        await ann(f"import encounter ambush {json.dumps(file)}")
        await fought(ann)  # Bo is hurt after the encounter was kept
        await ann("combat init night bgo")
        await ann("combat use encounter ambush")
        combat = await people.awake()
        assert {team: [one.name for one in ones] for team, ones in combat.roster.teams.items()} == {
            "heroes": ["Bo"],
            "monsters": ["fire-slime", "fire-slime-2"],
        }
        assert combat.member("Bo").sheet["health"] == 3, "a fighter of a party comes as it is now"
        assert [one.tactic for one in combat.roster.teams["monsters"]] == ["policy", "policy"]


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"format": "affray-fight"}, "must be an affray-party of version 1"),
        ({"fighters": []}, "needs one fighter or more"),
        ({"fighters": {"Bo": {}}}, "must be a list of tables"),
        ({"fighters": [{"sheet": 7}]}, "must have a sheet"),
        ({"fighters": [{"sheet": "nobody"}]}, "nobody"),
        ({"fighters": [{"sheet": "player:health=much"}]}, "health"),
        ({"system": "chess"}, "chess"),
    ],
)
async def test_a_file_that_does_not_fit_is_refused_and_nothing_is_kept(
    crowd: Crowds, change: dict[str, Any], problem: str
) -> None:
    file = {"format": "affray-party", "version": 1, "system": "bgo", "fighters": [{"sheet": "player"}], **change}
    async with crowd("Ann") as people:
        assert problem in await people["Ann"](f"import party mine {json.dumps(file)}")
        assert await parties.all_of(people.world.store, "ann") == []


def test_names_are_bounded() -> None:
    for wrong in ("", " ", "a/b", "x" * 41, "a\nb"):
        with pytest.raises(Invalid, match="cannot be the name"):
            parties.check_name("party", wrong)


async def test_an_account_keeps_so_many_of_a_kind_and_none_that_is_too_large(
    crowd: Crowds, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with crowd("Ann") as people:
        ann = people["Ann"]
        await with_party(ann)
        monkeypatch.setattr(parties, "MOST", 2)
        assert await ann("duplicate party fellowship second") == "You keep party second."
        assert "keep 2 of this kind already, and 2 is the most" in await ann("duplicate party fellowship third")
        assert await ann("forget party second")
        monkeypatch.setattr(parties, "LONGEST", 10)
        assert "is too large" in await ann("duplicate party fellowship second")
        assert len(await parties.all_of(people.world.store, "ann")) == 1


async def test_a_backup_has_what_is_kept(crowd: Crowds, tmp_path: Any) -> None:
    url = f"sqlite:///{tmp_path / 'one.db'}"
    async with crowd("Ann", url=url) as people:
        await with_party(people["Ann"])
        await backup(url, tmp_path / "backup.json")
    await restore(f"sqlite:///{tmp_path / 'two.db'}", tmp_path / "backup.json")
    async with crowd(url=f"sqlite:///{tmp_path / 'two.db'}") as people:
        assert await health(people) == {"Bo": 10, "Cy": 10}
