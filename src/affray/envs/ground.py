"""Grounds: what all environments of a fight share: observations, actions and rewards."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, Literal, NamedTuple

from affray.envs.needs import np, spaces
from affray.errors import Invalid, unknown
from affray.kernel import records
from affray.kernel.chance import WHIM, Quick, mix, pick, stream_start
from affray.kernel.playing import first_of
from affray.kernel.records import slots_for
from affray.kernel.state import to_act
from affray.lab.courses import SALT, SPARE
from affray.players.policy import VIEWER, cells, open_actions
from affray.players.tactics import numbered, usual_tactics
from affray.system.contract import System
from affray.system.setup import Setup, Teams

EXPLORED = 3000
"""Decisions after which no more move codes are looked for."""
MOST_SLOTS = 4096
"""Slots that a table of move codes may have so that none is shared."""

Game = str | System[Any, Any] | Setup[Any]
Reward = Literal["values", "costs"]


class Run(NamedTuple):
    """Equally wide numbers that lie side by side in a record: the first one's place, counted in their width."""

    place: int
    width: int
    length: int


@dataclass(frozen=True, eq=False)
class Ground:
    """Set-ups of one shape, of which every fight gets one, and the spaces of their observations and actions."""

    setups: tuple[Setup[Any], ...]
    codes: tuple[int, ...]
    """The move code of every action; behind them come spare ones, for moves that were not known beforehand."""

    @staticmethod
    def of(
        system: Game | Sequence[Setup[Any]],
        teams: Teams | str = "",
        options: Mapping[str, object] | None = None,
        codes: Sequence[int] | None = None,
    ) -> Ground:
        """The ground for teams, or for set-ups to choose from at random; `codes` are those of another ground."""
        if isinstance(system, Sequence) and not isinstance(system, str):
            setups = tuple(system)
        else:
            if isinstance(system, str | System) and not teams:
                from affray.system.registry import find

                system = find(system) if isinstance(system, str) else system
                teams = system.demonstration
            setups = (Setup.of(system, teams, options),)
        _check_alike(setups)
        found = codes if codes is not None else sorted({code for setup in setups for code in _codes_of(setup)})
        if not len(found):
            raise Invalid("an environment needs at least one move code", given=codes)
        return Ground(setups, tuple(int(code) for code in found))

    # --- who ---------------------------------------------------------------------------------------------------

    @property
    def system(self) -> System[Any, Any]:
        """The combat system of all set-ups."""
        return self.setups[0].system

    @cached_property
    def names(self) -> tuple[str, ...]:
        """What the fighters are called in every fight: by their names, or by team and number where those differ."""
        first = self.setups[0]
        if all(setup.names == first.names for setup in self.setups):
            return first.names
        return tuple(f"{team}-{1 + place}" for team, members in first.teams.items() for place in range(len(members)))

    @property
    def endings(self) -> tuple[str, ...]:
        """Every way a fight may end."""
        return self.setups[0].endings

    def place(self, who: str | int | None) -> int:
        """The place of a fighter given by name or place; by default the first."""
        if isinstance(who, int):
            who = self.names[who] if 0 <= who < len(self.names) else str(who)
        if who is not None and who not in self.names:
            raise Invalid(unknown("fighter", who, self.names), given=who, allowed=self.names)
        return 0 if who is None else self.names.index(who)

    def tactics(self, given: Mapping[str, str] | None) -> list[tuple[int, ...]]:
        """For every set-up the numbers of its fighters' tactics: given by fighter or team, or their usual ones."""
        named = {}
        for setup in self.setups:
            own = {
                setup.names[self.names.index(key)] if key in self.names else key: to
                for key, to in (given or {}).items()
            }
            named[id(setup)] = numbered(setup.system, usual_tactics(setup, own))
        return [named[id(setup)] for setup in self.setups]

    def worth(self, place: int) -> Any:
        """What every ending is worth to the fighter at a place, as an array."""
        setup = self.setups[0]
        return np.array(setup.worth(setup.team_names[setup.team_numbers[place]]), dtype=np.float64)

    def setup_of(self, seed: int, number: int) -> Setup[Any]:
        """The set-up of fight `number` of a seed."""
        return self.setups[mix(stream_start(seed, number, 0)[0] ^ SALT) % len(self.setups)]

    # --- what is seen ------------------------------------------------------------------------------------------

    @cached_property
    def numbers(self) -> tuple[str, ...]:
        """The names of an observation's numbers. One of 64 bits is two: below its own name, and `.high`."""
        return (VIEWER, *(name for name, _, _ in self._cells(len(self.names))))

    @cached_property
    def bounds(self) -> tuple[Any, Any]:
        """The lowest and the highest that every number of an observation can be."""
        widths = [4, *(width for _, width, _ in self._cells(len(self.names)))]
        high = np.array([2 ** (8 * width - 1) - 1 for width in widths], dtype=np.int64)
        low, high = (-high - 1).astype(np.int32), high.astype(np.int32)
        low[0], high[0] = 0, len(self.names) - 1
        return low, high

    def _cells(self, slots: int) -> Iterator[tuple[str, int, int]]:
        """The numbers of a record as an observation has them: name, width, and place in the bytes of a size class."""
        for name, letter, at in cells(self.system.state, len(self.names), slots):
            yield name, {"b": 1, "h": 2, "i": 4}[letter], at

    def runs(self, slots: int) -> list[Run]:
        """What to copy from a record with this many slots, in this order."""
        made: list[Run] = []
        for _, width, at in self._cells(slots):
            last = made[-1] if made else Run(0, 0, 0)
            if last.width == width and (last.place + last.length) * width == at:
                made[-1] = last._replace(length=last.length + 1)
            else:
                made.append(Run(at // width, width, 1))
        return made

    @cached_property
    def _runs(self) -> list[tuple[str, int, int, slice]]:
        """The same for interpreted records: kind, length, place in bytes, and where it goes."""
        copied, at = [], 1
        for place, width, length in self.runs(len(self.names)):
            copied.append((f"<i{width}", length, place * width, slice(at, at + length)))
            at += length
        return copied

    def observed(self, view: Any, viewer: int) -> Any:
        """What the fighter at a place sees, given the view of that fighter: a flat vector of 32-bit integers."""
        data = records.pack(view)
        vector = np.empty(len(self.numbers), dtype=np.int32)
        vector[0] = viewer
        for kind, length, at, to in self._runs:
            vector[to] = np.frombuffer(data, kind, length, at)
        return vector

    def table(self, vector: Any) -> dict[str, Any]:
        """An observation, or a batch of them, by names: a dictionary of arrays, of which each fighter has its own."""
        return {name: vector[..., at] if single else vector[..., at : at + n] for name, at, n, single in self._fields}

    @cached_property
    def _fields(self) -> list[tuple[str, int, int, bool]]:
        """The fields of the record in an observation: name, first place, length, and whether it is a single number."""
        fields: dict[str, list[int]] = {}
        for at, name in enumerate(self.numbers):
            stem, _, last = name.partition(".high")[0].rpartition(".")
            key = stem if last.isdigit() else name.partition(".high")[0]
            fields.setdefault(key, []).append(at)
        return [(name, places[0], len(places), len(places) == 1) for name, places in fields.items()]

    @cached_property
    def vector_space(self) -> Any:
        """The space of flat observations."""
        low, high = self.bounds
        return spaces.Box(low, high, dtype=np.int32)

    @cached_property
    def table_space(self) -> Any:
        """The space of observations by names."""
        low, high = self.bounds
        made: dict[str, Any] = {}
        for name, at, length, single in self._fields:
            part: Any = at if single else slice(at, at + length)
            shape = () if single else (length,)
            made[name] = spaces.Box(low[part], high[part], shape, dtype=np.int32)
        return spaces.Dict(made)

    # --- what can be done --------------------------------------------------------------------------------------

    @property
    def actions(self) -> int:
        """How many actions there are, spare ones included."""
        return len(self.codes) + SPARE

    @cached_property
    def action_of(self) -> dict[int, int]:
        """The action of every known move code."""
        return {code: action for action, code in enumerate(self.codes)}

    def open(self, setup: Setup[Any], view: Any, who: int) -> dict[int, int]:
        """The actions open to a fighter, given its view, with their move codes."""
        return open_actions(setup.codes(view, who), self.action_of)

    def mask(self, open_: Mapping[int, int]) -> Any:
        """The open actions as ones among zeros."""
        mask = np.zeros(self.actions, dtype=np.int8)
        mask[list(open_)] = 1
        return mask

    # --- for compiled code -------------------------------------------------------------------------------------

    @property
    def slots(self) -> int:
        """The size class of the fights."""
        return slots_for(len(self.names))

    def hashed_codes(self) -> tuple[list[int], list[int]]:
        """The known codes and their actions as a hash table of open addresses; an action of -1 is a free place.

        The lowest bits of a code say which slot it is in. The table is so large that no two codes share one, where
        that does not take too many slots.
        """
        size = 1 << (4 * len(self.codes)).bit_length()
        while size < MOST_SLOTS and len({code & (size - 1) for code in self.codes}) < len(self.codes):
            size *= 2
        keys, places = [0] * size, [-1] * size
        for action, code in enumerate(self.codes):
            slot = code & (size - 1)
            while places[slot] >= 0:
                slot = (slot + 1) & (size - 1)
            keys[slot], places[slot] = code, action
        return keys, places


def _check_alike(setups: Sequence[Setup[Any]]) -> None:
    if not setups:
        raise Invalid("an environment needs at least one set-up")
    first = setups[0]
    for setup in setups:
        if not isinstance(setup, Setup):
            raise Invalid(f"a list for an environment has set-ups (affray.Setup.of), not {setup!r}", given=setup)
        if setup.system is not first.system:
            problem = f"all set-ups of an environment are of one system, not {first.system.id} and {setup.system.id}"
            raise Invalid(problem, given=setup.system.id)
        if setup.team_names != first.team_names or setup.team_numbers != first.team_numbers:
            shapes = [" ".join(f"{team}={len(all_)}" for team, all_ in each.teams.items()) for each in (first, setup)]
            problem = f"all set-ups of an environment have the same teams of the same sizes, not {' and '.join(shapes)}"
            raise Invalid(problem, given=shapes[1])


def _codes_of(setup: Setup[Any]) -> tuple[int, ...]:
    _kept[key := f"{id(setup.system)} {json.dumps(setup.as_table(), sort_keys=True, default=str)}"] = setup
    try:
        return _explored(key)
    finally:
        del _kept[key]


_kept: dict[str, Setup[Any]] = {}


@lru_cache(maxsize=256)
def _explored(key: str) -> tuple[int, ...]:
    """Every move code that was open in some thousand decisions: half of the fights at random, half by tactics."""
    setup = _kept[key]
    usual = numbered(setup.system, usual_tactics(setup))
    tactics = list(setup.system.tactics.values())
    found: set[int] = set()
    decisions, number = 0, 0
    while decisions < EXPLORED and number < EXPLORED:
        dice, whim = Quick(0, number), Quick(0, number, WHIM)
        state = setup.opened(dice)
        while to_act(state) and decisions < EXPLORED:
            who = first_of(to_act(state))
            codes = setup.codes(state, who)
            found.update(codes)
            by_tactic = number % 2
            code = tactics[usual[who]](state, who, whim) if by_tactic else codes[_any(whim, len(codes))]
            setup.step(state, who, code, dice)
            decisions += 1
        number += 1
    return tuple(sorted(found))


def _any(whim: Quick, count: int) -> int:
    return pick(whim, min(count, 256))
