"""Talk beyond saying: whispers that one person hears, and dice that all see."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

Crowds = Callable[..., Any]


async def test_a_whisper_is_heard_by_one_and_kept_by_none(crowd: Crowds) -> None:
    async with crowd("Ann", "Ben", "Cora") as people:
        people.hush()
        assert await people["Ann"]("whisper ben the left one") == 'You whisper to Ben, "the left one"'
        assert people["Ben"].told == ['Ann whispers, "the left one"']
        assert people["Cora"].told == []
        assert not any("left one" in text for lines in people.world.people.said.values() for _, text in lines)
        assert "is not here" in await people["Ann"]("whisper Nobody hello")
        assert "needs a text" in await people["Ann"]("whisper Ben")


@pytest.mark.parametrize(
    ("typed", "dice", "low", "high", "more"), [("3d6", 3, 1, 6, 0), ("d20", 1, 1, 20, 0), ("2D10 + 1", 2, 1, 10, 1)]
)
async def test_dice_are_seen_by_all_who_see_the_talk(
    crowd: Crowds, typed: str, dice: int, low: int, high: int, more: int
) -> None:
    async with crowd("Ann", "Ben") as people:
        people.hush()
        seen = await people["Ann"](f"roll {typed}")
        assert people["Ben"].told == [seen]
        shown, _, result = seen.removeprefix("Ann rolls ").partition(": ")
        assert shown == typed.lower().replace(" ", "").replace("d20", "1d20")
        faces = [int(face) for face in re.split(r" [=+]", result)[0].split(", ")]
        assert len(faces) == dice
        assert all(low <= face <= high for face in faces)
        if dice > 1 or more:
            assert int(result.rpartition("= ")[2]) == sum(faces) + more


@pytest.mark.parametrize("typed", ["", "six", "0d6", "51d6", "3d1", "3d257", "3d6x", "-1d6"])
async def test_what_is_no_dice_is_refused_with_an_example(crowd: Crowds, typed: str) -> None:
    async with crowd("Ann", "Ben") as people:
        people.hush()
        assert "such as 3d6" in await people["Ann"](f"roll {typed}")
        assert people["Ben"].told == []
