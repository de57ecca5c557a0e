"""A whole world in one file: written while it is served, and made anew on either database."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from affray.errors import Invalid
from affray.fight import saving
from affray.terminal import main
from affray.world.store import Store, backup
from affray.world.world import World

Crowds = Callable[..., Any]
SECONDS = 600  # before a test that hangs is a failure
AFFRAY = [sys.executable, "-m", "affray"]


async def furnish(crowd: Crowds, url: str) -> None:
    """People, attributes, a place that was dug, a combat that goes on and is saved, and one that has ended."""
    async with crowd("Ann", "Bob", wizards=["Merlin"], url=url) as people:
        await people["Merlin"]("dig down up Cellar")
        for line in ("init old", "add me reds", "add_npc goblin1 goblin greens", "start", "end"):
            await people["Ann"](f"combat {line}")
        for line in ("init new", "add me reds", "add Bob greens", "start reds", "move catch breath", "save"):
            await people["Ann"](f"combat {line}")
        await people["Bob"]("combat move catch breath")


async def stored(url: str) -> dict[str, list[str]]:
    """Everything in a store, in an order of its own."""
    async with await Store.open(url, exclusive=False, create=False) as store:
        return {table: sorted(map(str, rows)) for table, rows in (await store.everything()).items()}


async def stories(url: str) -> dict[int, list[str]]:
    """What every combat of a world tells, ended or not."""
    world = await World.open(url)
    try:
        numbers = [row.number for row in [*await world.store.listings(), *await world.store.ended_combats(9)]]
        found = {number: await world.combats.find(number) for number in numbers}
        return {number: [line.text for line in one[0].running().lines] for number, one in found.items() if one}
    finally:
        await world.close()


@contextmanager
def served(url: str, tmp_path: Path) -> Iterator[None]:
    """A world that another process serves."""
    noted = tmp_path / "port"
    command = [*AFFRAY, "serve", "--store", url, "--no-web", "--telnet", "0", "--port-file", str(noted)]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        deadline = time.monotonic() + SECONDS
        while not noted.exists():
            assert server.poll() is None, server.communicate()
            assert time.monotonic() < deadline
            time.sleep(0.05)
        yield
    finally:
        server.terminate()
        server.communicate(timeout=SECONDS)


def test_a_world_that_is_served_moves_into_another_store(
    crowd: Crowds, sqlite_url: str, store_url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asyncio.run(furnish(crowd, sqlite_url))
    file = tmp_path / "world.json"
    with served(sqlite_url, tmp_path):
        assert main(["serve", "--store", sqlite_url, "--backup", str(file)]) == 0
    assert "3 accounts, 4 places, 2 combats, 2 moves." in " ".join(capsys.readouterr().out.split())
    assert os.name != "posix" or file.stat().st_mode & 0o777 == 0o600, "the secrets of the dice are in it"
    new = store_url if store_url != sqlite_url else f"sqlite:///{tmp_path / 'new.db'}"
    assert main(["serve", "--store", new, "--import", str(file)]) == 0
    assert asyncio.run(stored(new)) == asyncio.run(stored(sqlite_url))
    told = asyncio.run(stories(new))
    assert told == asyncio.run(stories(sqlite_url))
    assert {number: bool(lines) for number, lines in told.items()} == {1: True, 2: True}


async def test_a_backup_makes_only_new_worlds(crowd: Crowds, sqlite_url: str, tmp_path: Path) -> None:
    await furnish(crowd, sqlite_url)
    file = tmp_path / "world.json"
    await backup.backup(sqlite_url, file)
    before = await stored(sqlite_url)
    with pytest.raises(Invalid, match=r"there is already a world at "):
        await backup.restore(sqlite_url, file)
    assert await stored(sqlite_url) == before


def _of_version_2(log: dict[str, Any]) -> dict[str, Any]:
    """A stored log, or an answer of one, as it was written when results did not tell what was thrown."""
    older = {key: [faces for _, *faces in log[key]] for key in ("opening", "fell") if key in log}
    return {**log, **older, **({"version": 2} if "version" in log else {})}


def _aged(tables: dict[str, list[dict[str, Any]]]) -> None:
    """Make all logs of a world's tables those of version 2."""
    for row in tables["answers"]:
        row["entry"] = json.dumps(_of_version_2(json.loads(row["entry"])))
    for row in tables["combats"]:
        saved = json.loads(row["saved"])
        saved["head"] = _of_version_2(saved["head"])
        saved["answers"] = [_of_version_2(entry) for entry in saved["answers"]]
        row["log"] = json.dumps(_of_version_2(json.loads(row["log"])))
        row["saved"] = json.dumps({**saved, "seal": saving.seal(saved)})


async def test_fights_of_an_older_backup_go_on_and_are_stored_on(
    crowd: Crowds, sqlite_url: str, tmp_path: Path
) -> None:
    async with crowd("Ann", "Bob", url=sqlite_url) as people:
        for line in ("init new", "add me reds", "add Bob greens", "start reds", "move maneuver 3 co", "save"):
            await people["Ann"](f"combat {line}")
        await people["Bob"]("combat move maneuver 3 co")
        before = await people["Bob"]("combat log all")
    file, new = tmp_path / "world.json", f"sqlite:///{tmp_path / 'new.db'}"
    await backup.backup(sqlite_url, file)
    world = json.loads(file.read_text())
    assert "d6" in str(world["tables"]["answers"])
    _aged(world["tables"])
    assert "d6" not in str(world["tables"]["answers"])
    saving.write(world, file)
    await backup.restore(new, file)
    async with crowd(url=new) as people:
        ann = await people.enter("Ann")
        assert await ann("combat log all") == before
        await ann("combat move maneuver 3 co")
        after = await ann("combat log all")
        assert after.startswith(before)
        assert after != before
        await people.restart()
        assert await people["Ann"]("combat log all") == after
        assert "Combat restored" in await people["Ann"]("combat restore")
        assert before.startswith(await people["Ann"]("combat log all"))


def _without_end(text: str) -> str:
    return text[: len(text) // 2]


def _with_other_role(text: str) -> str:
    return text.replace('"player"', '"wizard"', 1)


def _of_a_fight(text: str) -> str:
    return text.replace("affray-world", "affray-fight")


def _of_later(text: str) -> str:
    return text.replace('"version": 1,', '"version": 99,', 1)


@pytest.mark.parametrize("spoil", [_without_end, _with_other_role, _of_a_fight, _of_later, lambda text: "[]"])
async def test_a_damaged_backup_makes_no_world(
    crowd: Crowds, sqlite_url: str, tmp_path: Path, spoil: Callable[[str], str]
) -> None:
    await furnish(crowd, sqlite_url)
    file = tmp_path / "world.json"
    await backup.backup(sqlite_url, file)
    text = file.read_text()
    assert spoil(text) != text
    file.write_text(spoil(text))
    with pytest.raises(Invalid):
        await backup.restore(f"sqlite:///{tmp_path / 'new.db'}", file)
    assert not (tmp_path / "new.db").exists()


async def test_a_backup_without_a_table_makes_no_world(sqlite_url: str, tmp_path: Path) -> None:
    await (await World.open(sqlite_url)).close()
    file = tmp_path / "world.json"
    await backup.backup(sqlite_url, file)
    table = json.loads(file.read_text())
    del table["tables"]["answers"]
    saving.write(table, file)
    with pytest.raises(Invalid, match="does not have the tables of a world"):
        await backup.restore(f"sqlite:///{tmp_path / 'new.db'}", file)


def test_there_is_no_backup_of_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "world.json"
    assert main(["serve", "--store", str(tmp_path / "none.db"), "--backup", str(file)]) == 2
    assert "there is no world" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
