"""Encounters: fights of a wanted difficulty for a party, from the creatures that come with a system."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field
from typing import Any

from affray.errors import Invalid, unknown
from affray.lab.design.matches import Knob, Match
from affray.lab.design.sampling import Crew
from affray.lab.design.search import Search, in_batches
from affray.lab.design.targets import Target
from affray.lab.figures import Rate, rate
from affray.lab.progress import Progress
from affray.lab.results import frame
from affray.lab.simulate import simulate
from affray.system.registry import find
from affray.system.setup import MOST_FIGHTERS, Spec

DIFFICULTIES = {"easy": (0.9, 0.99), "medium": (0.75, 0.9), "hard": (0.55, 0.75), "deadly": (0.3, 0.55)}
"""How often the party should win."""
SUGGESTIONS = 5
FIGHTS = 8_000  # of a group at most, and for the losses of each suggestion
MOST_GROUPS = 600  # that are tried


@dataclass(frozen=True)
class Encounter:
    """A group of foes for the party, and what meeting it brings."""

    foes: tuple[str, ...]
    wins: Rate
    """How often the party wins."""
    exact: bool
    rounds: Rate
    someone: dict[str, Rate]
    """For each figure that happens or does not, such as dying: how often it happens to one of the party or more."""
    losses: dict[str, Rate]
    """The means of the other figures and of the costs, added up over the party."""
    match: Match = field(repr=False)

    def as_table(self) -> dict[str, Any]:
        """The encounter as plain JSON values."""
        means = {"someone": self.someone, "losses": self.losses}
        shown = {name: {key: own._asdict() for key, own in rows.items()} for name, rows in means.items()}
        sure = {"wins": self.wins._asdict(), "exact": self.exact, "rounds": self.rounds._asdict()}
        return {"foes": list(self.foes), **sure, **shown}


@dataclass(frozen=True)
class Encounters:
    """Suggestions, and how many groups were tried for them."""

    suggestions: tuple[Encounter, ...]
    wanted: tuple[float, float]
    tried: int
    nearest: tuple[tuple[str, Rate], ...]
    """The groups that came nearest, if none would do."""
    certainty: float
    seed: int
    interrupted: bool = False

    def columns(self) -> dict[str, Sequence[object]]:
        """The suggestions, column by column."""
        some = self.suggestions
        found: dict[str, Sequence[object]] = {"foes": [", ".join(each.foes) for each in some]}
        found |= {f"wins {part}": [getattr(each.wins, part) for each in some] for part in Rate._fields}
        found["rounds"] = [each.rounds.value for each in some]
        for name in some[0].someone if some else ():
            found[f"someone: {name}"] = [each.someone[name].value for each in some]
        return found

    def as_frame(self, library: str | None = None) -> Any:
        """The suggestions as a data frame of `pandas` or `polars`."""
        return frame(self.columns(), library)

    def as_table(self) -> dict[str, Any]:
        """The suggestions as plain JSON values."""
        about = {"tried": self.tried, "certainty": self.certainty, "seed": self.seed, "interrupted": self.interrupted}
        nearest = [{"foes": foes, "wins": wins._asdict()} for foes, wins in self.nearest]
        found = [each.as_table() for each in self.suggestions]
        return {"wanted": list(self.wanted), **about, "suggestions": found, "nearest": nearest}


def difficulty(text: str) -> tuple[float, float]:
    """How often the party should win: a difficulty by its name, or a range such as 0.4..0.5."""
    if text in DIFFICULTIES:
        return DIFFICULTIES[text]
    low, dots, high = text.partition("..")
    try:
        wanted = float(low), float(high if dots else "x")
    except ValueError:
        known = (*DIFFICULTIES, "0.4..0.5")
        raise Invalid(unknown("difficulty", text, known), given=text, allowed=known) from None
    if not 0 <= wanted[0] < wanted[1] <= 1:
        raise Invalid(f"the difficulty must be a range of chances from 0 to 1, not {text!r}", given=text)
    return wanted


def encounters(
    system: str,
    party: Sequence[Spec],
    *,
    team: str = "heroes",
    foes: str = "monsters",
    wanted: tuple[float, float] = DIFFICULTIES["hard"],
    numbers: Sequence[int] = range(2, 7),
    bestiary: Sequence[str] = (),
    options: dict[str, object] | None = None,
    suggestions: int = SUGGESTIONS,
    certainty: float = 0.95,
    seed: int = 0,
    files: bool = True,
    pool: Executor | None = None,
    progress: Progress | None = None,
) -> Encounters:
    """Groups of foes that the party surely beats as often as is wanted.

    A group is several of a kind, or one of a kind with several of another. They come from the `bestiary`: ids, or kinds
    of sheets; by default all kinds that no one of the party is of. `files=False` refuses specs that name files.
    """
    known = _bestiary(system, party, bestiary)
    if not numbers or not 1 <= min(numbers) <= max(numbers) <= MOST_FIGHTERS - len(party):
        most = MOST_FIGHTERS - len(party)
        raise Invalid(f"the number of monsters must be 1 to {most}, not {list(numbers)}", given=str(numbers))
    groups = _groups(known, numbers, random.Random(seed))
    match = Match.of(system, {team: list(party), foes: groups[0].split(",")}, options, files=files)
    target = Target.read(f"{team}={wanted[0]}..{wanted[1]}", match.setup)
    knob = Knob(foes, tuple(groups))
    search = Search(match, [knob], [target], {}, FIGHTS, certainty, "given", seed, True)
    search.together = len(groups)
    interrupted = False
    try:
        with Crew([target.measure], "given", seed, pool) as crew:
            for batch in in_batches({foes: group} for group in groups):
                search.judge(crew, batch)
                if progress:
                    progress(len(search.found), len(groups))
                if sum(each.verdict == "met" for each in search.found) >= suggestions:
                    break
    except KeyboardInterrupt:
        interrupted = True
    met = [each for each in search.found if each.verdict == "met"][:suggestions]
    near = sorted(search.found, key=lambda each: target.miss(each.means[0].value))[:suggestions]
    return Encounters(
        tuple(_studied(each.match, team, each.settings[foes], each.means[0], each.exact, seed) for each in met),
        wanted, len(search.found), tuple((each.settings[foes], each.means[0]) for each in near) if not met else (),
        certainty, seed, interrupted,
    )  # fmt: skip


def _bestiary(system: str, party: Sequence[Spec], asked: Sequence[str]) -> list[str]:
    catalogue = find(system).catalogue()
    heads = {str(spec).partition(":")[0] for spec in party}
    if not asked:
        others = [kind for kind, own in catalogue.items() if not heads & set(own)]
        return [id for kind in others or catalogue for id in catalogue[kind]]
    every = {id for own in catalogue.values() for id in own}
    found: list[str] = []
    for word in asked:
        if word not in catalogue and word not in every and ".toml" not in word:
            names = (*catalogue, *every)
            raise Invalid(unknown("kind or creature", word, names), given=word, allowed=names)
        found += catalogue.get(word, [word])
    return list(dict.fromkeys(found))


def _groups(known: Sequence[str], numbers: Iterable[int], chance: random.Random) -> list[str]:
    """Groups in a random order, so that suggestions vary with the seed."""
    groups = [",".join([one] * count) for one in known for count in numbers]
    for count in numbers:
        if count > 1:
            groups += [",".join([one, *[other] * (count - 1)]) for one in known for other in known if other != one]
    different = {tuple(sorted(group.split(","))): group for group in groups}  # of two, either may come first
    groups = list(different.values())
    chance.shuffle(groups)
    return groups[:MOST_GROUPS]


def _studied(match: Match, team: str, foes: str, wins: Rate, exact: bool, seed: int) -> Encounter:
    many = simulate(match.setup, fights=FIGHTS, seed=seed, each=True)
    assert many.results is not None
    results, party, system = many.results, match.setup.teams[team], match.setup.system
    someone, losses = {}, {}
    of: dict[str, Callable[[str, str], Sequence[float]]] = dict.fromkeys(system.figure_names, results.figure)
    of |= {cost.name: results.cost for cost in system.costs if cost.name not in of}
    for name, column in of.items():
        rows = list(zip(*(column(who, name) for who in party), strict=True))
        if name in many.chances:
            someone[name] = rate(sum(any(row) for row in rows), many.fights)
        elif not any(cost.name == name and cost.is_chance for cost in system.costs):
            losses[name] = results.mean([sum(row) for row in rows])
    return Encounter(
        tuple(foes.split(",")), wins if exact else many.rates[team], exact, many.mean_rounds, someone, losses, match
    )
