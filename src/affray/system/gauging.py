"""Whether others see how a fighter stands in numbers or in words: an option of every system."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from affray.system.schema import Option, Value, Word
from affray.system.telling import without_numbers

if TYPE_CHECKING:
    from affray.system.meaning import Meaning
    from affray.system.setup import Setup

NAME = "gauges"
HELP = (
    "how fighters of another team are seen while the fight runs: with all their numbers (numbers), or only in words "
    "such as hurt (words), and then without odds"
)
NO_ODDS = "there are no odds and no hints while foes are seen in words (gauges=words)"
CONDITIONS = ("near the end", "badly hurt", "hurt", "scratched", "unhurt")
"""The conditions of those who stand, from the worst on: below a quarter, half, three quarters, and the whole of it."""
OUT = "out"


def option() -> Option:
    """The option, which every system has."""
    return Option(NAME, Word(("numbers", "words")), "numbers", HELP, "")


def in_words(options: Mapping[str, Value]) -> bool:
    """Whether fighters of other teams are seen in words."""
    return options.get(NAME) == "words"


def condition(setup: Setup[Any], state: Any, who: int) -> str:
    """How a fighter stands, in words: by the lowest of the gauges that it lives by."""
    system = setup.system
    if hasattr(state.fighters[who], "state") and not system.storytelling.stands(state, who):
        return OUT
    gauges = [gauge for gauge in system.gauges(setup, state, who)[: system.vital] if gauge.most > 0]
    quarters = min((max(0, gauge.value) * 4 // gauge.most for gauge in gauges), default=4)
    return CONDITIONS[min(4, quarters)]


def without_amounts(setup: Setup[Any], who: int, meaning: Meaning) -> Meaning:
    """A move as it is explained to a fighter: sentences about one of another team have no numbers."""
    foes = [setup.told_as(other) for other, team in enumerate(setup.team_numbers) if team != setup.team_numbers[who]]
    sentences = meaning.text.split(". ")
    cut = [without_numbers(setup, one) if any(foe in one for foe in foes) else one for one in sentences]
    return replace(meaning, text=". ".join(cut))
