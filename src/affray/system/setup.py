"""Setup: who fights by which rules, as one value that goes with the state to everything that reads a fight."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

from affray.errors import Illegal, Invalid, unknown
from affray.kernel import records
from affray.kernel.chance import Dice, Quick
from affray.kernel.rules import Kind, Log
from affray.kernel.state import RUNNING, SPECTATOR, State, hide_sealed
from affray.system import gauging
from affray.system.schema import Value

if TYPE_CHECKING:
    from affray.system.contract import Impossible, System
    from affray.system.meaning import Meaning
    from affray.system.sheets import Sheet

SheetT = TypeVar("SheetT", bound="Sheet")
Spec = str | Mapping[str, object]
Teams = Mapping[str, Sequence[Spec]]
MOST_FIGHTERS = 62


class Move(NamedTuple):
    """A legal move of a fighter: its code for the rules; `str()` gives the text that a person would type."""

    who: str
    notation: str
    code: int

    def __str__(self) -> str:
        return self.notation


@dataclass(frozen=True)
class Setup(Generic[SheetT]):
    """A system, its options, and the fighters with their names and teams. It never changes; a fight adds the dice."""

    system: System[Any, SheetT]
    by_team: Mapping[str, tuple[SheetT, ...]]
    """The sheets of every team, by its name."""
    names: tuple[str, ...]
    """The name of every fighter, in the order of the record."""
    options: Mapping[str, Value]
    joined: tuple[SheetT, ...] = ()
    """The sheets of fighters who came in mid-fight; in the record they are behind all others."""
    sides: tuple[int, ...] = ()
    """The number of every fighter's team, once one has come or changed sides in mid-fight."""

    @staticmethod
    def of(
        system: str | System[Any, Any] | Setup[Any],
        teams: Teams | str = "",
        options: Mapping[str, object] | None = None,
        *,
        files: bool = True,
    ) -> Setup[Any]:
        """The set-up for teams of specs, or the one given; `files=False` refuses specs that name files."""
        if isinstance(system, Setup):
            return system
        if isinstance(system, str):
            from affray.system.registry import find

            system = find(system)
        if isinstance(teams, str):
            teams = read_teams(teams)
        settled = system.settle(options or {})
        if len(teams) < 2 or not all(teams.values()):
            raise Invalid("a fight needs two or more teams, each with at least one fighter", given=list(teams))
        for taken in ("draw", *system.endings):
            if taken in teams:
                raise Invalid(f"no team can be called {taken!r}: that is how a fight may end", given=taken)
        by_team = {team: tuple(system.enlist(spec, files=files) for spec in specs) for team, specs in teams.items()}
        sheets = [sheet for members in by_team.values() for sheet in members]
        _check_room(len(sheets))
        names = _unique([system.called(sheet) for sheet in sheets])
        return Setup(system, MappingProxyType(by_team), names, MappingProxyType(settled))

    def renamed(self, names: tuple[str, ...]) -> Setup[SheetT]:
        """The same set-up with other names for the fighters."""
        if names not in self._renamed:
            self._renamed[names] = replace(self, names=names)
        return self._renamed[names]

    @cached_property
    def _renamed(self) -> dict[tuple[str, ...], Setup[SheetT]]:
        """The set-ups with other names that were asked for: those of a world's combat, which keeps them."""
        return {}

    def reinforced(self, sheet: SheetT, team: str) -> Setup[SheetT]:
        """The same set-up with one more fighter, whose name differs from all others."""
        _check_room(len(self.names) + 1)
        names = _unique([*self.names, self.system.called(sheet)])
        sides = (*self.team_numbers, self.team_names.index(self.team(team)))
        return replace(self, names=names, joined=(*self.joined, sheet), sides=sides)

    def changed_side(self, who: int, team: str) -> Setup[SheetT]:
        """The same set-up with a fighter on another team."""
        sides = list(self.team_numbers)
        sides[who] = self.team_names.index(self.team(team))
        return replace(self, sides=tuple(sides))

    @cached_property
    def sheets(self) -> tuple[SheetT, ...]:
        """Every fighter's sheet, in the order of the record."""
        return (*(sheet for members in self.by_team.values() for sheet in members), *self.joined)

    @cached_property
    def team_numbers(self) -> tuple[int, ...]:
        """The number of every fighter's team, in the order of the record."""
        return self.sides or tuple(number for number, members in enumerate(self.by_team.values()) for _ in members)

    @cached_property
    def team_names(self) -> tuple[str, ...]:
        """The teams' names, in the order of their numbers."""
        return tuple(self.by_team)

    @cached_property
    def team_of(self) -> Mapping[str, str]:
        """Every fighter's team."""
        return {name: self.team_names[team] for name, team in zip(self.names, self.team_numbers, strict=True)}

    @cached_property
    def teams(self) -> Mapping[str, list[str]]:
        """The fighters of every team."""
        return {team: [name for name in self.names if self.team_of[name] == team] for team in self.by_team}

    @cached_property
    def endings(self) -> tuple[str, ...]:
        """Every way a fight may end: a team's victory by its name, `draw`, and the system's own."""
        return (*self.by_team, "draw", *self.system.endings)

    def worth(self, team: str) -> tuple[int, ...]:
        """What every ending is worth to a team by the system's values."""
        values = self.system.values
        won = {own: values.get("win", 1) if own == team else values.get("lose", -1) for own in self.team_names}
        return tuple(won[ending] if ending in won else values.get(ending, 0) for ending in self.endings)

    @cached_property
    def switched_off(self) -> frozenset[str]:
        """The rulings that do not apply with these options."""
        known = self.system.rulings().values()
        return frozenset(ruling.id for ruling in known if ruling.unless and not ruling.in_force(self.options))

    @cached_property
    def citable(self) -> dict[Kind, tuple[str, ...]]:
        """The rulings in force that each kind of event may cite, for the kinds told so far."""
        return {}

    def index(self, who: str) -> int:
        """A fighter's place in the record."""
        if who not in self.names:
            raise Illegal(unknown("fighter", who, self.names), given=who, allowed=self.names)
        return self.names.index(who)

    def team(self, name: str | None) -> str:
        """The team of that name; without a name, the first."""
        if name and name not in self.by_team:
            raise Invalid(unknown("team", name, self.by_team), given=name, allowed=list(self.by_team))
        return name or self.team_names[0]

    def specs(self) -> dict[str, list[Spec]]:
        """The teams of the opening with their full sheets as plain tables, from which `Setup.of` makes that set-up."""
        return {team: [self.system.as_table(sheet) for sheet in members] for team, members in self.by_team.items()}

    def as_table(self) -> dict[str, Any]:
        """The set-up as plain JSON values, every sheet in full."""
        joined = {"joined": [self.system.as_table(sheet) for sheet in self.joined]} if self.joined else {}
        sides = {"sides": list(self.sides)} if self.sides else {}
        return {"system": self.system.id, "teams": self.specs(), "options": dict(self.options), **joined, **sides}

    # --- derived from the set-up and a state ----------------------------------------------------------------------

    def seated(self) -> Any:
        """The state before the fight opens: every fighter in place, nothing thrown yet."""
        return records.copy(self._seated)

    @cached_property
    def _seated(self) -> Any:
        state = records.blank(self.system.state, len(self.sheets))
        state.teams, state.ending, state.round = len(self.by_team), RUNNING, 1
        for fighter, team in zip(getattr(state, "fighters", ()), self.team_numbers, strict=False):
            fighter.team = team
        self.system.seat(self, state)
        return state

    def opened(self, dice: Dice) -> Any:
        """The state at the first decision."""
        state = self.seated()
        self.system.begin(state, dice, None)
        return state

    def step(self, state: State, who: int, code: int, dice: Dice) -> None:
        """Make a move, without story or log; nothing is checked."""
        self.system.apply(state, who, code, dice, None)

    def seals(self, state: State, who: int) -> bool:
        """Whether the answer of a fighter who is due would stay secret until all are in: tried out on a copy."""
        tried = records.copy(state)
        self.step(tried, who, self.codes(tried, who)[0], Quick(0))
        return bool(tried.sealed >> who & 1)

    def codes(self, state: State, who: int) -> list[int]:
        """The move codes open to the fighter at a place of the record."""
        moves = [0] * self.system.most_moves(len(self.sheets))
        return moves[: self.system.legal(state, who, moves)]

    def written(self, state: State, who: int) -> dict[str, int]:
        """The moves open to the fighter at a place of the record: their texts with their codes."""
        return {self.system.write_move(self, state, who, code): code for code in self.codes(state, who)}

    def moves(self, state: State, who: int) -> list[Move]:
        """The moves open to the fighter at a place of the record."""
        return [Move(self.names[who], text, code) for text, code in self.written(state, who).items()]

    def read(self, state: State, who: int, given: str | Move) -> Move:
        """The move that a text means: its full notation, or any text that the system can read; Illegal otherwise."""
        name, codes, text = self.names[who], self.codes(state, who), str(given)
        if isinstance(given, Move) and given.who == name and given.code in codes:
            return given
        for code in codes:
            if self.system.write_move(self, state, who, code) == text:
                return Move(name, text, code)
        code = self.system.read_move(self, state, who, text, self.written(state, who))
        if code not in codes:
            problem = f"its `read_move` makes {given!r} the move {code}, which is not legal"
            raise Invalid(f"the system {self.system.id!r} is broken: {problem}", given=text)
        return Move(name, self.system.write_move(self, state, who, code), code)

    def told_as(self, who: int) -> str:
        """The story's name for the fighter at a place of the record."""
        return self._told_as[who]

    @cached_property
    def _told_as(self) -> tuple[str, ...]:
        return tuple(self.system.told_as(self, who) for who in range(len(self.names)))

    def explained(self, state: State, who: int, codes: Iterable[int]) -> list[Meaning]:
        """Moves in plain words, from what the fighter may know."""
        return self.meanings(self.view(state, who), who, codes)

    def meanings(self, seen: State, who: int, codes: Iterable[int]) -> list[Meaning]:
        """The same from a state that is already cut to what the fighter may know."""
        found = [self.system.explain(self, seen, who, code) for code in codes]
        return [gauging.without_amounts(self, who, one) for one in found] if gauging.in_words(self.options) else found

    def impossible(self, state: State, who: int) -> list[Impossible]:
        """The moves not open to the fighter at a place of the record, and why."""
        return self.system.impossible(self, state, who)

    def view(self, state: State, viewer: int | None) -> Any:
        """A copy of the state as a fighter, or for None a spectator, may know it."""
        seen, by = records.copy(state), SPECTATOR if viewer is None else viewer
        hide_sealed(seen, by)
        self.system.hide(seen, by)
        return seen

    def imagined(self, state: State, viewer: int, dice: Dice) -> Any:
        """A random complete state that fits what a fighter may know, drawn by its probability, to think ahead from."""
        state = self.view(state, viewer)
        self.system.imagine(state, viewer, dice)
        return state

    def figures(self, state: State, log: Log | None = None) -> dict[str, dict[str, float]]:
        """The figures of every fighter if the fight ended here, added to the log's; parts are converted to wholes."""
        rows = [row.copy() for row in log.figures] if log else [[0] * len(self.system.figure_names) for _ in self.names]
        final = Log(rows)
        self.system.figures(state, final)
        parts = self.system.parts
        return {
            who: {
                name: amount / parts[name] if name in parts else amount
                for name, amount in zip(self.system.figure_names, row, strict=True)
            }
            for who, row in zip(self.names, final.figures, strict=True)
        }


def _check_room(fighters: int) -> None:
    if fighters > MOST_FIGHTERS:
        raise Invalid(f"the number of fighters must be at most {MOST_FIGHTERS}, not {fighters}", given=fighters)


def read_teams(text: str | Sequence[str]) -> dict[str, list[Spec]]:
    """Teams from a text such as `heroes=player monsters=fire-slime,fire-slime`."""
    words = text.split() if isinstance(text, str) else list(text)
    teams: dict[str, list[Spec]] = {}
    for word in words:
        name, sign, members = word.partition("=")
        if not sign or not name or not members or name in teams:
            problem = "names a team twice" if name in teams else "is not of the form  team=fighter,fighter"
            raise Invalid(f"{word!r} {problem}", given=word, allowed=["heroes=player monsters=fire-slime"])
        teams[name] = list(members.split(","))
    return teams


def _unique(names: Sequence[str]) -> tuple[str, ...]:
    """The names, with a number added to the second and later ones of each."""
    unique: list[str] = []
    for place, name in enumerate(names):
        number, free = 1, name
        while free in unique or (number > 1 and free in names[place:]):
            number += 1
            free = f"{name}-{number}"
        unique.append(free)
    return tuple(unique)
