"""The installed systems, with their options, tactics, sheets and rulings."""

from __future__ import annotations

from functools import cache
from inspect import cleandoc
from typing import Any

from affray.handouts import printing
from affray.players.levels import POLICY, SOLVERS, known_players
from affray.server.api.messages import (
    CardShown,
    CostShown,
    FieldShown,
    GameShown,
    Handout,
    IconShown,
    OptionShown,
    RulingShown,
    SheetShown,
    SheetTable,
    SheetTyped,
    SystemShown,
    SystemSummary,
    TacticShown,
    ThingShown,
)
from affray.server.api.routes import Routes
from affray.system.abilities import Exchange
from affray.system.adventures import Adventure
from affray.system.contract import System
from affray.system.listing import Entry, entries
from affray.system.registry import find, names
from affray.system.schema import Amounts, Field, Flag, Names, Option, Shaped, Whole, Word
from affray.system.sheets import Sheet, asked_for, described, required, schema
from affray.system.specs import typed

routes = Routes("/api/systems", "systems")


@routes.get()
async def systems() -> list[SystemSummary]:
    """Every installed system in a line."""
    return [SystemSummary(s.id, s.title, s.summary) for s in map(find, names())]


@routes.get("/{id:str}")
async def system(id: str) -> SystemShown:
    """All that is needed to set up a fight of a system."""
    return _shown(id)


@routes.post("/{id:str}/sheets", status=200)
async def sheet(id: str, data: SheetTyped) -> SheetTable:
    """The whole sheet that comes of a ready-made one by the values that a player has typed."""
    sheets = find(id).sheets
    return sheets.as_table(sheets.altered(data.base, data.values))


@routes.get("/{id:str}/handout")
async def handout(id: str, sheet: str = "") -> Handout:
    """A page to print: the rules of a system, and the sheet of a fighter or a blank one."""
    system = find(id)
    return Handout(printing.page(system, [system.enlist(sheet, files=False)] if sheet else []))


def _how(player: str) -> str:
    if player.startswith(POLICY):
        return "was trained"
    return "solves the fight" if player in SOLVERS else "thinks ahead"


@cache
def _shown(id: str) -> SystemShown:
    system = find(id)
    known = entries(system)
    return SystemShown(
        system.id,
        system.title,
        system.summary,
        [_option(option) for option in system.options],
        {name: dict(values) for name, values in system.profiles.items()},
        [TacticShown(name, _first_sentence(tactic.__doc__)) for name, tactic in system.tactics.items()],
        [TacticShown(name, _how(name)) for name in known_players(system)],
        {
            group: [_sheet(system, own[entry.id], entry) for entry in known[group]]
            for group, own in system.catalogue().items()
        },
        fields_of(system.sheets.sheet),
        [RulingShown(id, ruling.question, ruling.text) for id, ruling in system.rulings().items()],
        {team: list(specs) for team, specs in system.demonstration.items()},
        {
            kind: [ThingShown(entry.id, entry.name, entry.line) for entry in listed]
            for kind, listed in known.items()
            if kind not in system.catalogue()
        },
        [IconShown(icon.word, icon.sign, icon.path) for icon in system.icons],
        [
            GameShown(one.word, one.summary, one.side, one.sheet, one.tactic, list(map(_option, one.playing.OPTIONS)))
            for one in system.abilities_of(Adventure)
        ],
        [CostShown(cost.name, cost.is_chance, cost.meaning) for cost in system.costs],
        bool(system.abilities_of(Exchange)),
        [CardShown(card.name, card.title, list(card.edges), card.said, card.mark) for card in system.cards],
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


def fields_of(sheet: type[Sheet]) -> list[FieldShown]:
    """The values on a sheet that a form shows."""
    kinds, wanted, must_be_said = schema(sheet), asked_for(sheet), required(sheet)
    return [
        _field(name, kinds[name], (says, allows, "" if name in must_be_said or default is None else typed(default)))
        for name, allows, default, says in described(sheet)
        if name in wanted
    ]


def _field(name: str, kind: Field, about: tuple[str, str, str]) -> FieldShown:
    """`about` says what the value means, what it may be, and its default."""
    match kind:
        case Shaped(field):
            return _field(name, field, about)
        case Whole(low, high):
            return FieldShown(name, "whole", *about, low=low, high=high)
        case Word(allowed):
            return FieldShown(name, "word", *about, words=list(allowed))
        case Flag():
            return FieldShown(name, "flag", *about)
        case Amounts(keys, low, high):
            return FieldShown(name, "amounts", *about, low=low, high=high, words=list(keys))
        case Names(known) if known is not None:
            return FieldShown(name, "names", *about, words=list(known() if callable(known) else known))
    return FieldShown(name, "text", *about)


def _first_sentence(page: str | None) -> str:
    return cleandoc(page or "").split("\n", 1)[0]


def _sheet(system: System[Any, Any], sheet: Any, entry: Entry) -> SheetShown:
    note = str(getattr(sheet, "note", ""))
    values = system.sheets.as_typed(sheet)
    return SheetShown(entry.id, sheet.name, note, system.usual_tactic(sheet), values, entry.line)
