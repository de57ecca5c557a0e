"""Policies: players that were trained, read from files of plain numbers, so that playing one needs no library."""

from __future__ import annotations

import json
import math
import os
import struct
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

from affray.errors import Invalid, Refused, unknown
from affray.kernel import records
from affray.lab.courses import SPARE
from affray.players.player import Thought
from affray.system.contract import System
from affray.system.setup import Setup

VIEWER = "viewer"
"""The first number of an observation: the place of the fighter who sees it."""
FOLDER = "AFFRAY_POLICIES"
"""The environment variable that names the folder of the policies that may be played by everyone."""
VERSION = 1
SCALED = 5.0  # how far a scaled number may be from 0
_ENDING = ".json"


def cells(state: type[Any], fighters: int, slots: int) -> Iterator[tuple[str, str, int]]:
    """The numbers of a record as an observation has them: name, letter, and place in the bytes of a size class.

    One of 64 bits is two: below its own name, and `.high`.
    """
    for name, letter, at in records.numbers(state, fighters, slots):
        if letter == "q":
            yield name, "i", at
            yield f"{name}.high", "i", at + 4
        else:
            yield name, letter, at


def open_actions(codes: Iterable[int], action_of: Mapping[int, int]) -> dict[int, int]:
    """The actions that legal move codes are, given those of known codes; spare ones behind these take the others."""
    found: dict[int, int] = {}
    spare = 0
    for code in codes:
        action = action_of.get(code)
        if action is None:
            if spare == SPARE:
                continue
            action = len(action_of) + spare
            spare += 1
        found[action] = code
    return found


@dataclass(frozen=True)
class Policy:
    """A network over what a fighter sees. Its last layer gives a score for each action, and then a value.

    What is seen is scaled first: `mean` is taken off each number, and what is left is multiplied by `gain`. Each layer
    is a matrix with a row for each of its inputs, and a bias; between two layers numbers go through a hyperbolic
    tangent. The policy plays the open action of the highest score.
    """

    system: str
    numbers: tuple[str, ...]
    """The names of the numbers that are seen, which must be those of the fight."""
    places: tuple[int, ...]
    """The places of the fighters that it was trained for, counted from 0."""
    codes: tuple[int, ...]
    mean: tuple[float, ...]
    gain: tuple[float, ...]
    layers: tuple[tuple[tuple[tuple[float, ...], ...], tuple[float, ...]], ...]
    name: str = field(default="", compare=False)

    @staticmethod
    def of(table: Mapping[str, Any], name: str = "") -> Policy:
        """The policy that plain data describes."""
        if table["policy"] != VERSION:
            raise ValueError(f"its version must be {VERSION}, not {table['policy']!r}")
        layers = tuple(
            (tuple(_floats(row) for row in layer["weights"]), _floats(layer["bias"])) for layer in table["layers"]
        )
        numbers, codes = tuple(str(each) for each in table["numbers"]), tuple(int(code) for code in table["codes"])
        places, scales = (
            tuple(int(place) for place in table["places"]),
            (_floats(table["mean"]), _floats(table["gain"])),
        )
        made = Policy(str(table["system"]), numbers, places, codes, *scales, layers, name)
        widths = [len(made.numbers), *(len(bias) for _, bias in layers)]
        fits = len(made.mean) == len(made.gain) == widths[0] and widths[-1] == len(made.codes) + SPARE + 1
        for (weights, bias), inputs in zip(layers, widths, strict=False):
            fits = fits and len(weights) == inputs and all(len(row) == len(bias) for row in weights)
        if not layers or not fits:
            raise ValueError("its layers do not fit together")
        return made

    def choose(self, setup: Setup[Any], view_state: Any, who: int, dice: Any) -> Thought:
        """The move of the highest score."""
        self._check(setup, who)
        open_ = open_actions(setup.codes(view_state, who), self._action_of)
        scores, value = self.scores(observed(setup, view_state, who))
        best = max(open_, key=lambda action: (scores[action], -action))
        weights = {code: math.exp(scores[action] - scores[best]) for action, code in open_.items()}
        policy = {code: weight / sum(weights.values()) for code, weight in weights.items()}
        why = f"chosen {policy[open_[best]]:.0%} of the time in training, for a value of {value:+.2f}"
        return Thought(open_[best], policy, value, (why,))

    def _check(self, setup: Setup[Any], who: int) -> None:
        if setup.system.id != self.system:
            raise Refused(f"the policy {self.name} was trained for {self.system}, not for {setup.system.id}")
        if names_of(setup) != self.numbers:
            raise Refused(f"the policy {self.name} was trained for fights of another size than this one")
        if who not in self.places:
            known = " or ".join(str(1 + place) for place in self.places)
            raise Refused(
                f"the policy {self.name} was trained for fighter {known} of a fight, not for fighter {1 + who}"
            )

    def scores(self, seen: Iterable[float]) -> tuple[list[float], float]:
        """The score of every action, and the value, of an observation."""
        numbers = [
            max(-SCALED, min(SCALED, (each - mean) * gain))
            for each, mean, gain in zip(seen, self.mean, self.gain, strict=True)
        ]
        for place, (weights, bias) in enumerate(self.layers):
            numbers = [math.tanh(number) for number in numbers] if place else numbers
            sums = list(bias)
            for number, row in zip(numbers, weights, strict=True):
                if number:
                    sums = [total + number * weight for total, weight in zip(sums, row, strict=True)]
            numbers = sums
        return numbers[:-1], numbers[-1]

    @cached_property
    def _action_of(self) -> dict[int, int]:
        return {code: action for action, code in enumerate(self.codes)}

    def as_table(self) -> dict[str, Any]:
        """The policy as plain data, which a file holds as JSON."""
        return {
            "policy": VERSION,
            "system": self.system,
            "numbers": list(self.numbers),
            "places": list(self.places),
            "codes": list(self.codes),
            "mean": list(self.mean),
            "gain": list(self.gain),
            "layers": [{"weights": [list(row) for row in rows], "bias": list(bias)} for rows, bias in self.layers],
        }

    def save(self, path: str | Path) -> None:
        """Write the policy to a file."""
        Path(path).write_text(json.dumps(self.as_table()), encoding="utf-8")


def observed(setup: Setup[Any], view_state: Any, who: int) -> list[int]:
    """What a fighter sees, given its view: the numbers that environments give."""
    data = records.pack(view_state)
    placed = _cells(setup.system.state, len(setup.names))
    return [who, *(struct.unpack_from(kind, data, at)[0] for _, kind, at in placed)]


def names_of(setup: Setup[Any]) -> tuple[str, ...]:
    """The names of these numbers."""
    return (VIEWER, *(name for name, _, _ in _cells(setup.system.state, len(setup.names))))


_known: dict[tuple[type[Any], int], list[tuple[str, str, int]]] = {}


def _cells(state: type[Any], fighters: int) -> list[tuple[str, str, int]]:
    if (state, fighters) not in _known:
        _known[state, fighters] = [(name, f"<{letter}", at) for name, letter, at in cells(state, fighters, fighters)]
    return _known[state, fighters]


def read_policy(path: str | Path) -> Policy:
    """The policy in a file."""
    path = Path(path)
    try:
        return _read(path.resolve(), path.stat().st_mtime_ns)
    except OSError as problem:
        raise Invalid(f"the policy {path} cannot be read: {problem.strerror}", given=str(path)) from None


@lru_cache(maxsize=64)
def _read(path: Path, _changed: int) -> Policy:
    try:
        return Policy.of(json.loads(path.read_text(encoding="utf-8")), path.stem)
    except (ValueError, TypeError, KeyError, AttributeError) as problem:
        raise Invalid(f"{path.name} is not a policy: {problem}", given=path.name) from None


def _floats(given: Iterable[Any]) -> tuple[float, ...]:
    found = tuple(float(each) for each in given)
    if not all(map(math.isfinite, found)):
        raise ValueError("its numbers must be finite")
    return found


def shared_policies(system: System[Any, Any] | None = None) -> dict[str, Path]:
    """The policies in the folder that the operator names, by their names in small letters; those of a system."""
    folder = os.environ.get(FOLDER)
    if not folder:
        return {}
    found = {path.stem.casefold(): path for path in sorted(Path(folder).glob(f"*{_ENDING}"))}
    return {name: path for name, path in found.items() if system is None or _is_of(path, system)}


def _is_of(path: Path, system: System[Any, Any]) -> bool:
    try:
        return read_policy(path).system == system.id
    except Invalid:
        return False


def shared_policy(system: System[Any, Any], name: str) -> Policy:
    """A policy of that folder by its name; no other file can be reached by it."""
    known = shared_policies(system)
    path = known.get(name.casefold().removesuffix(_ENDING))
    if path is None:
        problem = unknown("policy", name, list(known)) if known else f"there is no policy {name!r}, nor any other here"
        raise Invalid(problem, given=name, allowed=list(known))
    return read_policy(path)
