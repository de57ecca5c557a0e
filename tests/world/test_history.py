"""Of combats that have ended the last ones are kept; the logs of older ones can be archived."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from affray.errors import Invalid
from affray.fight import Fight
from affray.fight.saving import verify
from affray.world.combats.history import History
from affray.world.store import statements

Crowds = Callable[..., Any]


async def five_fights(people: Any) -> None:
    """Four that have ended, of which the third was never started, and one that goes on."""
    for number in range(1, 6):
        for line in (f"init f{number} bgo", "add me heroes", "add_npc slime fire-slime monsters", "auto slime random"):
            await people["Ann"](f"combat {line}")
        if number != 3:
            await people["Ann"]("combat start")
            await people["Ann"]("combat move attack")
        if number != 5:
            await people["Ann"]("combat end")


async def numbers(people: Any) -> list[int]:
    return sorted(row["number"] for row in (await people.world.store.everything())["combats"])


async def test_the_last_ones_are_kept(crowd: Crowds, store_url: str) -> None:
    async with crowd("Ann", url=store_url) as people:
        await people["Ann"]("set_attr me bgo_sheet[STRING]=player")
        await five_fights(people)
        store = people.world.store
        assert await History(kept=4).trim(store) == 0
        assert await History(kept=2).trim(store) == 2
        assert await numbers(people) == [3, 4, 5]
        assert {row["combat"] for row in (await store.everything())["answers"]} == {4, 5}
        assert await History(kept=1).trim(store) == 1
        assert await numbers(people) == [4, 5], "what goes on is not history"
        await people["Ann"]("combat end")
        await people["Ann"]("combat init f6 bgo")
        assert await numbers(people) == [4, 5, 6], "no number is given twice"


async def test_older_logs_are_archived(crowd: Crowds, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async with crowd("Ann") as people:
        await people["Ann"]("set_attr me bgo_sheet[STRING]=player")
        await five_fights(people)
        store = people.world.store
        story = [line.text for line in (await people.world.combats.find(1))[0].running().lines]
        damaged = statements.add_answer(2, 9, {"decision": 9, "who": "ann", "move": "fly", "fell": [], "by": "ann"})
        await store.commit(damaged)
        history = History(kept=1, archive=tmp_path / "old" / "fights")
        history.check()
        assert await history.trim(store) == 2
        assert await numbers(people) == [2, 4, 5]
        assert "combat 2 (f2) is not archived" in caplog.text
    (file,) = (tmp_path / "old" / "fights").iterdir()
    assert file.name == "combat-1.json"
    assert [line.text for line in Fight.load(file).lines] == story
    assert verify(file).dice_checked


def test_a_folder_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(Invalid, match="cannot be written"):
        History(archive=tmp_path / "file").check()
