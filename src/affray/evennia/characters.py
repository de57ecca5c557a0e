"""A mixin for characters whose sheets are attributes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from affray.evennia.hall import CATEGORY, hall
from affray.system.registry import find
from affray.world.combats import news
from affray.world.combats.sheets import attributes_of


class FighterMixin:
    """Gives a character sheets by system; goes before the character's own class."""

    attributes: Any

    def set_sheet(self, system: str, sheet: str | Mapping[str, object]) -> None:
        """Let the character fight with a sheet: of one attribute such as `player:health=4`, or of several by name."""
        names = attributes_of(find(system))
        values = {next(iter(names)): sheet} if isinstance(sheet, str) else sheet
        for name, value in values.items():
            self.attributes.add(name, value, category=CATEGORY)

    def sheet(self, system: str) -> dict[str, Any]:
        """What the character has written for a system, by the names that the system gives."""
        kept = {name: self.attributes.get(name, category=CATEGORY) for name in attributes_of(find(system))}
        return {name: value for name, value in kept.items() if value is not None}

    def at_post_puppet(self, **kwargs: Any) -> None:
        """A player who comes back is told which fights wait."""
        super().at_post_puppet(**kwargs)  # type: ignore[misc]
        news.remind(hall().people.player(self))
