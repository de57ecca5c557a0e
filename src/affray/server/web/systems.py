"""The installed systems over HTTP, with their options, tactics, sheets and rulings."""

from __future__ import annotations

from functools import cache
from inspect import cleandoc
from typing import Any

from litestar import Controller, get
from litestar.params import FromPath

from affray.server.web.messages import OptionShown, RulingShown, SheetShown, SystemShown, SystemSummary, TacticShown
from affray.system.contract import System
from affray.system.registry import find, names
from affray.system.schema import Flag, Option, Whole, Word


class Systems(Controller):
    """The systems that are installed."""

    path = "/api/systems"
    tags = ["systems"]  # noqa: RUF012

    @get(sync_to_thread=False)
    def systems(self) -> list[SystemSummary]:
        """Every installed system in a line."""
        return [SystemSummary(s.id, s.title, s.summary) for s in map(find, names())]

    @get("/{id:str}", sync_to_thread=False)
    def system(self, id: FromPath[str]) -> SystemShown:
        """All that is needed to set up a fight of a system."""
        return _shown(id)


@cache
def _shown(id: str) -> SystemShown:
    system = find(id)
    return SystemShown(
        system.id,
        system.title,
        system.summary,
        [_option(option) for option in system.options],
        {name: dict(values) for name, values in system.profiles.items()},
        [TacticShown(name, _first_sentence(tactic.__doc__)) for name, tactic in system.tactics.items()],
        {group: [_sheet(system, id, sheet) for id, sheet in own.items()] for group, own in system.catalogue().items()},
        [RulingShown(id, ruling.question, ruling.text) for id, ruling in system.rulings().items()],
        {team: list(specs) for team, specs in system.demonstration.items()},
    )


def _option(option: Option) -> OptionShown:
    about = (option.default, option.help, option.ruling)
    match option.field:
        case Whole(low, high):
            return OptionShown(option.name, "whole", *about, low=low, high=high)
        case Word(allowed):
            return OptionShown(option.name, "word", *about, words=list(allowed))
        case Flag():
            return OptionShown(option.name, "flag", *about)


def _first_sentence(page: str | None) -> str:
    return cleandoc(page or "").split("\n", 1)[0]


def _sheet(system: System[Any, Any], id: str, sheet: Any) -> SheetShown:
    return SheetShown(id, sheet.name, str(getattr(sheet, "note", "")), system.usual_tactic(sheet))
