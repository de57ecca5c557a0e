"""Matches: who fights by which rules and tactics, as it is typed, so that any part of it can be varied."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import product
from types import MappingProxyType
from typing import Any

from affray.errors import Invalid, listing, unknown
from affray.players.tactics import numbered, usual_tactics
from affray.system.registry import find
from affray.system.schema import Schema
from affray.system.setup import Setup, Spec, Teams, read_teams
from affray.system.sheets import schema
from affray.system.specs import typed_changes

MOST_VALUES = 10_000  # of one range
OPTION, TACTIC = "option", "tactic"
_RANGE = re.compile(r"([+-]?[0-9]+)\.\.([+-]?[0-9]+)(?:/([0-9]+))?")
EXAMPLES = ("slime:health=4..20", "hero:weapon=sword|axe", "heroes=knight|squire,squire", "option:round_cap=50|100")


@dataclass(frozen=True)
class Match:
    """A fight as it is typed: a system, teams of specs, options, and tactics by fighter or team."""

    system: str
    teams: Mapping[str, tuple[Spec, ...]]
    options: Mapping[str, object] = field(default_factory=dict)
    tactics: Mapping[str, str] = field(default_factory=dict)
    files: bool = True
    """Whether specs may name files."""

    @staticmethod
    def of(
        system: str,
        teams: Teams | str = "",
        options: Mapping[str, object] | None = None,
        tactics: Mapping[str, str] | None = None,
        *,
        files: bool = True,
    ) -> Match:
        """The match of a system and teams; without teams, those of its demonstration."""
        read = read_teams(teams) if isinstance(teams, str) and teams else teams or find(system).demonstration
        assert not isinstance(read, str)
        made = Match(system, {team: tuple(specs) for team, specs in read.items()}, options or {}, tactics or {}, files)
        made.setup  # noqa: B018  (says what is wrong with it)
        made.codes  # noqa: B018
        return made

    def __reduce__(self) -> tuple[object, ...]:
        """To another process it goes with its sheets in full, so that nothing else is needed there."""
        teams = {team: tuple(specs) for team, specs in self.setup.specs().items()}
        return Match, (self.system, teams, dict(self.options), dict(self.tactics))

    @cached_property
    def setup(self) -> Setup[Any]:
        """Who fights by which rules."""
        return Setup.of(self.system, dict(self.teams), self.options, files=self.files)

    @cached_property
    def swapped(self) -> Setup[Any]:
        """The same with the seats in the opposite order; every fighter keeps its name."""
        turned = Setup.of(self.system, dict(reversed(list(self.teams.items()))), self.options, files=self.files)
        names = [name for members in reversed(list(self.setup.teams.values())) for name in members]
        return turned.renamed(tuple(names))

    @cached_property
    def chosen(self) -> dict[str, str]:
        """Every fighter's tactic."""
        return usual_tactics(self.setup, self.tactics)

    @cached_property
    def codes(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The tactics as rules take them: for the seats as given, and for the opposite order."""
        system = self.setup.system
        return numbered(system, self.chosen), numbered(system, usual_tactics(self.swapped, self.tactics))

    def words(self) -> list[str]:
        """The arguments of a command line that mean this match."""
        words = [self.system]
        for team, specs in self.teams.items():
            if not all(isinstance(spec, str) for spec in specs):
                raise Invalid(f"{team} has a fighter given as a table, which cannot be typed")
            words.append(f"{team}={','.join(map(str, specs))}")
        words += [word for name, value in self.options.items() for word in ("--option", f"{name}={_typed(value)}")]
        return words + [word for name, tactic in self.tactics.items() for word in ("--tactic", f"{name}={tactic}")]

    def command(self, verb: str, *more: str) -> str:
        """A command about this match, ready to paste."""
        return shlex.join(["affray", verb, *self.words(), *more])


def _typed(value: object) -> str:
    return ("on" if value else "off") if isinstance(value, bool) else str(value)


@dataclass(frozen=True)
class Knob:
    """One thing to vary: numbers or words on sheets, the members of a team, an option, or a tactic."""

    text: str
    """What is varied, as it was typed: `slime:health`."""
    values: tuple[str, ...]

    @staticmethod
    def read(text: str, kinds: Mapping[str, Iterable[str]] = MappingProxyType({})) -> Knob:
        """The knob that a text means: `slime:health=4..20/2`, `hero:weapon=sword|axe`, `option:ties=on|off`.

        One of the `kinds` of sheets in place of a team's members stands for each of that kind: `foes=creatures`.
        """
        what, sign, values = text.partition("=")
        if not sign or not what or not values:
            raise Invalid(f"{text[:60]!r} is not of the form  {EXAMPLES[0]}", given=text, allowed=EXAMPLES)
        found = _values(text, values)
        if ":" not in what:
            found = tuple(dict.fromkeys(each for value in found for each in kinds.get(value, (value,))))
        return Knob(what, found)

    @property
    def where(self) -> str:
        """Who or what is meant, before the colon."""
        return self.text.partition(":")[0]

    @property
    def keys(self) -> list[str]:
        """The keys of a sheet that get the value, all the same one; empty if it is a team."""
        keys = self.text.partition(":")[2]
        return keys.split("+") if keys else []

    def turned(self, match: Match, value: str) -> Match:
        """The match with this value."""
        if self.where == OPTION and OPTION not in match.teams:
            return replace(match, options={**match.options, **dict.fromkeys(self.keys, value)})
        if self.where == TACTIC and TACTIC not in match.teams:
            return replace(match, tactics={**match.tactics, **dict.fromkeys(self.keys, value)})
        if not self.keys:
            if self.where not in match.teams:
                raise Invalid(unknown("team", self.where, match.teams), given=self.text, allowed=list(match.teams))
            return replace(match, teams={**match.teams, self.where: tuple(value.split(","))})
        meant, known = self.meant(match), schema(match.setup.system.sheets.sheet)
        teams = {
            team: tuple(
                _changed(spec, self.keys, value, known) if (team, at) in meant else spec
                for at, spec in enumerate(specs)
            )
            for team, specs in match.teams.items()
        }
        return replace(match, teams=teams)

    def meant(self, match: Match) -> set[tuple[str, int]]:
        """The fighters that are meant: those of a team, or those of that name or id, or of a part of it."""
        places = [(team, at) for team, specs in match.teams.items() for at in range(len(specs))]
        if self.where in match.teams:
            return {place for place in places if place[0] == self.where}
        names = dict(zip(places, match.setup.names, strict=True))
        heads = {(team, at): _head(match.teams[team][at]) for team, at in places}
        whole = {place for place in places if self.where in (names[place], heads[place])}
        parts = {place for place in places if self.where in heads[place].split("-")}
        if not whole and not parts:
            known = dict.fromkeys([*match.teams, *names.values(), *heads.values(), OPTION, TACTIC])
            raise Invalid(
                unknown("fighter or team", self.where, filter(None, known)), given=self.text, allowed=[*known]
            )
        return whole or parts


def _changed(spec: Spec, keys: Sequence[str], value: str, known: Schema) -> Spec:
    """A spec with other values of some keys."""
    if not isinstance(spec, str):
        return {**spec, **typed_changes(":".join(f"{key}={value}" for key in keys), known, _head(spec))}
    head, *changes = spec.split(":")
    kept = [change for change in changes if change.partition("=")[0] not in set(keys)]
    return ":".join([head, *kept, *(f"{key}={value}" for key in keys)])


def _head(spec: Spec) -> str:
    if isinstance(spec, str):
        return spec.partition(":")[0].rpartition("#")[2]
    return str(spec.get("base", spec.get("id", "")))


def _values(text: str, values: str) -> tuple[str, ...]:
    found: list[str] = []
    for part in values.split("|"):
        match = _RANGE.fullmatch(part)
        if not match:
            if ".." in part or not part:
                allowed = ("4..20", "4..20/2", "sword|axe")
                raise Invalid(f"{text[:60]!r}: {part!r} must be like {listing(allowed)}", given=text, allowed=allowed)
            found.append(part)
            continue
        low, high, step = int(match[1]), int(match[2]), int(match[3] or 1)
        if low > high or not step or (high - low) // step >= MOST_VALUES:
            wanted = f"a range from the lower to the higher number, with 1 to {MOST_VALUES:,} values"
            raise Invalid(f"{text[:60]!r}: {part} must be {wanted}", given=text, allowed=(wanted,))
        found += map(str, range(low, high + 1, step))
    return tuple(dict.fromkeys(found))


Settings = dict[str, str]
"""A value for each knob, by its text."""


def variants(match: Match, knobs: Sequence[Knob], most: int) -> dict[str, Match]:
    """Every combination of the knobs' values, by a short name; `most` is how many there may be."""
    asked = number_of(knobs)
    if asked > most:
        raise Invalid(f"the number of variants must be 1 to {most:,}, not {asked:,}", given=asked)
    found = {}
    for values in product(*(knob.values for knob in knobs)):
        settings = {knob.text: value for knob, value in zip(knobs, values, strict=True)}
        found[label(settings, len(knobs) > 1)] = checked(turned(match, knobs, settings))
    return found


def number_of(knobs: Sequence[Knob]) -> int:
    """How many combinations there are."""
    total = 1
    for knob in knobs:
        total *= len(knob.values)
    return total


def turned(match: Match, knobs: Sequence[Knob], settings: Settings) -> Match:
    """The match with a value for each knob."""
    for knob in knobs:
        match = knob.turned(match, settings[knob.text])
    return match


def checked(match: Match) -> Match:
    """The match, if its sheets, options and tactics fit; `Invalid` says what does not."""
    return Match.of(match.system, match.teams, match.options, match.tactics, files=match.files)


def label(settings: Settings, full: bool = True) -> str:
    """A short name for a variant."""
    return ", ".join(f"{what}={value}" if full else value for what, value in settings.items()) or "as given"
