"""Fighters who live in a world as one attribute: a sheet as one would ask for it, which fights rewrite."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Generic

from affray.errors import Invalid
from affray.kernel.system import Residence, SheetT, StateT
from affray.specs import Register


@dataclass(frozen=True)
class OneAttribute(Generic[StateT, SheetT]):
    """A residence in a single attribute, such as deckahedron_sheet[STRING]=maren:tokens=2."""

    attribute: str
    example: str
    register: Register[SheetT]
    after_fight: Callable[[StateT, int, SheetT], SheetT]

    @property
    def residence(self) -> Residence[StateT, SheetT]:
        """What the system tells the world."""
        return Residence({self.attribute: "STRING"}, self.player, self.npc, self.returns, self.writes)

    def player(self, name: str, attributes: Mapping[str, object]) -> SheetT:
        """The sheet of a player."""
        return self.npc(name, self._spec(name, attributes))

    def npc(self, name: str, stats: str) -> SheetT:
        """The sheet of an NPC: any spec that names no file, under another name."""
        return self._called(name, self.register.enlist(stats, files=False))

    def writes(self, sheet: SheetT, attributes: Mapping[str, object]) -> Mapping[str, object]:
        """The attribute that keeps a player's sheet; whatever the sheet was called there, it goes on being called."""
        spec = self._spec(sheet.name, attributes)
        named = self._called(self.register.enlist(spec, files=False).name, sheet)
        return {self.attribute: self.register.spec_of(named, spec.partition(":")[0])}

    def returns(self, fight: StateT, who: int, attributes: Mapping[str, object]) -> Mapping[str, object]:
        """What the end of combat writes back, unless the sheet has become one that cannot hold it."""
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
        return self.register.enlist({**self.register.as_table(sheet), "name": name})
