"""A fight goes on from a log on another day: with fair dice of its own, and both parts of its log are checked."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

import pytest

from affray import Fight
from affray.errors import Invalid
from affray.fight import saving
from affray.fight.verifying import verify
from affray.kernel.chance import Fair
from affray.terminal import main
from affray.world.actions import creation
from affray.world.combats.games import exported

Crowds = Callable[..., Any]
FIRST, SECOND = bytes(range(32)), bytes(range(32, 64))


async def begun(people: Any) -> Any:
    """A fight that Olga runs, after its first round."""
    olga = people["Olga"]
    for line in (
        "init evening bgo",
        "add_npc hero player heroes",
        "add_npc slime fire-slime:health=9 monsters",
        "start",
    ):
        await olga(f"combat {line}")
    await on(people, "tavern", 1)
    return people.world.combats["tavern"]


async def on(people: Any, place: str, rounds: int) -> Any:
    combat = await people.awake(place)
    for _ in range(rounds):
        for fighter, foe in (("hero", "slime"), ("slime", "hero")):
            if not combat.fight.over:
                combat.move(combat.member(fighter), f"attack {foe}", "olga")
                await people.world.combats.store(combat)
    return combat


def sealed(table: dict[str, Any]) -> bytes:
    return json.dumps({**table, "seal": saving.seal(table)}).encode()


def written(fight: Any, *, ended: bool) -> bytes:
    return json.dumps(exported(fight, ended=ended)).encode()


@pytest.fixture
def parts(crowd: Crowds, sqlite_url: str) -> tuple[bytes, bytes, bytes]:
    """The first evening's log when it was saved and when its secret was out, and that of the second evening."""
    return asyncio.run(two_evenings(crowd, sqlite_url))


async def two_evenings(crowd: Crowds, sqlite_url: str) -> tuple[bytes, bytes, bytes]:
    async with crowd("Olga", dice=lambda: Fair(FIRST)) as people:
        combat = await begun(people)
        saved = written(combat.fight, ended=False)
        whole = written(combat.fight, ended=True)
    assert FIRST.hex().encode() not in saved
    async with crowd("Olga", dice=lambda: Fair(SECOND), url=sqlite_url) as people:
        fight = creation.read_log(json.loads(saved))
        made = await creation.branch(people["Olga"].visitor, fight, "second evening", None)
        assert made.fair is not None
        assert made.fair.commitment == Fair(SECOND).commitment
        await people.restart()
        combat = await on(people, made.place, 1)
        assert combat.fair.commitment == Fair(SECOND).commitment
        running = written(combat.fight, ended=False)
        assert SECOND.hex().encode() not in running
        assert combat.fair.commitment.encode() in running
        assert "published at the end" in verify(running).verdict.sentence
        last = written(combat.fight, ended=True)
    return saved, whole, last


def test_both_parts_are_checked(parts: tuple[bytes, bytes, bytes]) -> None:
    saved, whole, last = parts
    alone = verify(last)
    assert not alone.verdict.dice_checked, "the first part cannot be checked without its log"
    assert "came from an earlier log" in alone.text[0]
    assert "for the others, all results follow from the secret, and the secret matches its commitment" in alone.text[0]
    both = verify(last, "last", whole)
    assert both.before is not None
    shared, earlier = both.before
    assert shared == len(json.loads(whole)["answers"]) == 2
    assert earlier.dice_checked
    assert "The first 2 are those of the earlier log" in both.text[1]
    early = verify(last, "last", saved)
    assert early.before is not None
    assert not early.before[1].dice_checked, "its secret was not out yet, and that is said"
    assert "published at the end" in early.text[1]


def test_forged_parts_are_found(parts: tuple[bytes, bytes, bytes]) -> None:
    _, whole, last = parts
    later = json.loads(last)
    later["dice"]["then"]["secret"] = FIRST.hex()
    with pytest.raises(Invalid, match="does not match what was published"):
        verify(sealed(later))
    later = json.loads(last)
    fell = later["answers"][-1]["fell"][0]
    fell[-1] = fell[-1] % 6 + 1
    with pytest.raises(Invalid, match="what fell"):
        verify(sealed(later))
    # A forger changes the first part, which the second cannot know, and is found out by the first log.
    forged = json.loads(last)
    for place, result in enumerate(forged["dice"]["results"]):
        changed = [result[0] % 6 + 1, *result[1:]]
        table = json.loads(json.dumps(forged))
        table["dice"]["results"][place] = changed
        where = next(one for one in table["answers"] if one["fell"])
        where["fell"][place] = [where["fell"][place][0], *changed]
        try:
            verify(sealed(table))
        except Invalid:
            continue
        with pytest.raises(Invalid, match=r"fell of move \d in the earlier log"):
            verify(sealed(table), "forged", whole)
        break
    else:
        raise AssertionError("no change of the first part passes by itself")


def test_a_log_that_continues_nothing_is_not_laid_beside_another(parts: tuple[bytes, bytes, bytes]) -> None:
    _, whole, last = parts
    with pytest.raises(Invalid, match="continues no other log"):
        verify(whole, "whole", whole)
    other = Fight("bgo", "a=player b=player", dice=Fair(FIRST))
    for name in other.names:
        other.play(name, "defend")
    with pytest.raises(Invalid, match="in the earlier log"):
        verify(last, "last", sealed(saving.as_table(other)))


def test_the_command(parts: tuple[bytes, bytes, bytes], tmp_path: Any, capsys: Any) -> None:
    _, whole, last = parts
    (tmp_path / "first.json").write_bytes(whole)
    (tmp_path / "last.json").write_bytes(last)
    assert main(["verify", str(tmp_path / "last.json"), "--before", str(tmp_path / "first.json")]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert "The first 2 are those of the earlier log, of which: 2 moves are legal; all results follow" in told
    assert main(["verify", "--json", str(tmp_path / "last.json"), "--before", str(tmp_path / "first.json")]) == 0
    assert json.loads(capsys.readouterr().out)["before"]["dice_checked"] is True
