"""Fighters that a world stores in one attribute: a sheet written as a spec, which fights rewrite."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Generic

from affray.errors import Invalid
from affray.system.abilities import Residence
from affray.system.contract import StateT
from affray.system.sheets import Sheets, SheetT


@dataclass(frozen=True)
class OneAttribute(Generic[StateT, SheetT]):
    """A residence in a single attribute, such as deckahedron_sheet[STRING]=maren:tokens=2."""

    attribute: str
    example: str
    sheets: Sheets[SheetT]
    after_fight: Callable[[StateT, int, SheetT], SheetT]
    help: Mapping[str, str] = field(default_factory=dict)

    @property
    def residence(self) -> Residence[StateT, SheetT]:
        """What the system tells the world."""
        return Residence({self.attribute: "STRING"}, self.player, self.npc, self.returns, self.writes, help=self.help)

    def player(self, name: str, attributes: Mapping[str, object]) -> SheetT:
        """The sheet of a player."""
        return self.npc(name, self._spec(name, attributes))

    def npc(self, name: str, stats: str) -> SheetT:
        """The sheet of an NPC: any spec that names no file, under another name."""
        return self._called(name, self.sheets.enlist(stats, files=False))

    def writes(self, sheet: SheetT, attributes: Mapping[str, object]) -> Mapping[str, object]:
        """The attribute that stores a player's sheet, which keeps the name it has there."""
        spec = self._spec(sheet.name, attributes)
        named = self._called(self.sheets.enlist(spec, files=False).name, sheet)
        return {self.attribute: self.sheets.spec_of(named, spec.partition(":")[0])}

    def returns(self, fight: StateT, who: int, attributes: Mapping[str, object]) -> Mapping[str, object]:
        """What the end of combat writes back, unless the sheet can no longer hold it."""
        try:
            return self.writes(self.after_fight(fight, who, self.player("the player", attributes)), attributes)
        except Invalid:
            return {}

    def _spec(self, name: str, attributes: Mapping[str, object]) -> str:
        if self.attribute not in attributes:
            problem = f"{name} has no attribute {self.attribute}[STRING]; it takes a sheet such as {self.example}"
            raise Invalid(problem, given=self.attribute)
        return str(attributes[self.attribute])

    def _called(self, name: str, sheet: SheetT) -> SheetT:
        return self.sheets.enlist({**sheet.as_table(), "name": name})
