"""Campaigns: several fights in a row with what lasts between them, and how far a party gets."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from affray.errors import Invalid, MissingExtra, unknown
from affray.kernel import records
from affray.kernel.chance import Seeded
from affray.lab.figures import Rate, mean, rate
from affray.lab.progress import Progress
from affray.lab.results import frame
from affray.lab.simulate import final_states
from affray.players.tactics import usual_tactics
from affray.system.registry import find
from affray.system.setup import Setup, Spec

RUNS = 1_000
REST_DICE = 0x5DEECE66D  # added to the seed for what is thrown between fights


@dataclass(frozen=True)
class Campaign:
    """How far a party got in many runs of the same fights."""

    party: tuple[str, ...]
    stages: tuple[str, ...]
    rests: tuple[str, ...]
    runs: int
    asked: int
    passed: Mapping[int, int]
    """In how many runs the party won so many fights before it lost one, or all of them."""
    able: Mapping[int, Rate]
    """How many of the party could still fight after so many fights, over the runs that got there."""
    seed: int
    interrupted: bool = False

    @property
    def reached(self) -> dict[str, Rate]:
        """How often the party got past each of the fights."""
        return {
            f"{number}: {stage}": rate(sum(c for won, c in self.passed.items() if won >= number), self.runs)
            for number, stage in enumerate(self.stages, 1)
        }

    @property
    def fights_won(self) -> Rate:
        """How many fights the party won on average."""
        total = sum(won * count for won, count in self.passed.items())
        return mean(total, sum(won**2 * count for won, count in self.passed.items()), self.runs)

    def columns(self) -> dict[str, Sequence[object]]:
        """How often each fight was got past, column by column."""
        reached = self.reached
        return {
            "fight": list(reached),
            **{part: [getattr(own, part) for own in reached.values()] for part in Rate._fields},
        }

    def as_frame(self, library: str | None = None) -> Any:
        """The fights as a data frame of `pandas` or `polars`."""
        return frame(self.columns(), library)

    def as_table(self) -> dict[str, Any]:
        """The campaign as plain JSON values."""
        about = {"runs": self.runs, "asked": self.asked, "seed": self.seed, "interrupted": self.interrupted}
        return {
            **about,
            "party": list(self.party),
            "stages": list(self.stages),
            "rests": list(self.rests),
            "passed": {str(won): count for won, count in sorted(self.passed.items())},
            "reached": {name: own._asdict() for name, own in self.reached.items()},
            "fights_won": self.fights_won._asdict(),
            "able": {str(number): own._asdict() for number, own in self.able.items()},
        }

    def svg(self) -> str:
        """How far the party got as a picture; notebooks show it by themselves."""
        from affray.lab.design.charts import ranges
        from affray.lab.figures import percent

        return ranges("How far the party gets", self.reached, percent, f"{self.runs:,} runs, 95% intervals")

    _repr_svg_ = svg


def campaign(
    system: str,
    party: Sequence[Spec],
    stages: Sequence[str],
    *,
    team: str = "heroes",
    rests: Sequence[str] = (),
    options: Mapping[str, object] | None = None,
    tactics: Mapping[str, str] | None = None,
    runs: int = RUNS,
    seed: int = 0,
    files: bool = True,
    progress: Progress | None = None,
) -> Campaign:
    """Let a party fight one stage after another (`goblin,goblin`) until it does not win, many times over.

    What lasts is what the system says of the end of a fight: wounds, cards, ammunition, Life Coins. After every fight
    but the last each fighter recovers in the ways of `rests`, such as `rest` or `round*3`. Those who cannot fight any
    more stay behind. `files=False` refuses specs that name files.
    """
    found = find(system)
    if found.after_fight is None:
        raise Invalid(f"a fight of {system} changes nothing on a sheet, so there is nothing to carry on", given=system)
    if not stages:
        raise Invalid("a campaign needs one fight or more, such as  goblin  goblin,goblin")
    if not 1 <= runs <= 10**7:
        raise Invalid(f"the number of runs must be 1 to {10**7:,}, not {runs!r}", given=runs)
    plan = [each for text in rests for each in _ways(text, found.recoveries)]
    travel = _Travel(system, team, stages, plan, dict(options or {}), dict(tactics or {}), seed, files)
    enlisted = [found.enlist(spec, files=files) for spec in party]
    sheets = tuple(json.dumps(found.as_table(sheet), sort_keys=True) for sheet in enlisted)
    for stage in stages:
        travel.setup(sheets, stage)
    passed: Counter[int] = Counter()
    able: dict[int, list[int]] = {}
    interrupted = False
    try:
        for run in range(runs):
            won, left = travel.run(sheets, run)
            passed[won] += 1
            for number, count in enumerate(left, 1):
                able.setdefault(number, []).append(count)
            if progress and run % 50 == 49:
                progress(run + 1, runs)
    except KeyboardInterrupt:
        interrupted = True
    standing = {n: mean(sum(own), sum(count * count for count in own), len(own)) for n, own in sorted(able.items())}
    names = tuple(map(found.called, enlisted))
    done = sum(passed.values())
    return Campaign(names, tuple(stages), tuple(rests), done, runs, passed, standing, seed, interrupted)


def _ways(text: str, known: Mapping[str, Any]) -> list[str]:
    """The ways to recover that a text means: `rest`, or `rest*3` for three times."""
    way, star, times = text.partition("*")
    if way not in known:
        problem = unknown("way to recover", way, known) if known else "fighters of this system do not recover"
        raise Invalid(problem, given=text, allowed=list(known))
    if star and not (times.isdigit() and 1 <= int(times) <= 1000):
        raise Invalid(f"{text!r} must be like {way}*3, with 1 to 1000 times", given=text)
    return [way] * (int(times) if star else 1)


class _Travel:
    """One party's way through the stages."""

    def __init__(
        self,
        system: str,
        team: str,
        stages: Sequence[str],
        plan: Sequence[str],
        options: dict[str, object],
        tactics: dict[str, str],
        seed: int,
        files: bool,
    ) -> None:
        self.files = files
        self.system, self.team, self.stages, self.plan = find(system), team, stages, plan
        self.options, self.tactics, self.seed = options, tactics, seed
        self.foes = "monsters" if team != "monsters" else "foes"
        self.setup = lru_cache(maxsize=4096)(self._setup)

    def _setup(self, sheets: tuple[str, ...], stage: str) -> Setup[Any]:
        teams: dict[str, list[Spec]] = {self.team: [json.loads(sheet) for sheet in sheets]}
        setup = Setup.of(self.system, {**teams, self.foes: stage.split(",")}, self.options, files=self.files)
        setup.seated()  # refuses those who cannot fight
        usual_tactics(setup, self._known(setup))
        return setup

    def _known(self, setup: Setup[Any]) -> dict[str, str]:
        """The tactics of those who are still there."""
        return {key: tactic for key, tactic in self.tactics.items() if key in setup.names or key in setup.teams}

    def run(self, sheets: tuple[str, ...], run: int) -> tuple[int, list[int]]:
        """How many fights were won, and how many of the party could fight on after each."""
        able: list[int] = []
        for number, stage in enumerate(self.stages):
            there = self._able(sheets, stage)
            if not there:
                return number, able
            sheets, won = self._fought(there, stage, run * len(self.stages) + number)
            if not won:
                return number, able
            if number + 1 < len(self.stages):
                sheets = self._rested(sheets, Seeded(self.seed + REST_DICE, run * len(self.stages) + number))
                able.append(len(self._able(sheets, self.stages[number + 1])))
        return len(self.stages), able

    def _able(self, sheets: tuple[str, ...], stage: str) -> tuple[str, ...]:
        return tuple(sheet for sheet in sheets if self._can(sheet, stage))

    def _can(self, sheet: str, stage: str) -> bool:
        try:
            self.setup((sheet,), stage)
        except Invalid:
            return False
        return True

    def _fought(self, sheets: tuple[str, ...], stage: str, number: int) -> tuple[tuple[str, ...], bool]:
        setup, after = self.setup(sheets, stage), self.system.after_fight
        assert after is not None
        state = self._ended(setup, number)
        left = [after(state, who, setup.sheets[who]) for who in range(len(sheets))]
        won = setup.endings[state.ending] == self.team
        return tuple(json.dumps(self.system.as_table(sheet), sort_keys=True) for sheet in left), won

    def _ended(self, setup: Setup[Any], number: int) -> Any:
        known = self._known(setup)
        try:
            (packed,) = final_states(setup, seed=self.seed, numbers=[number], tactics=known)
        except MissingExtra:
            (packed,) = final_states(setup, seed=self.seed, numbers=[number], tactics=known, compiled=False)
        return records.unpack(self.system.state, len(setup.names), packed)

    def _rested(self, sheets: tuple[str, ...], dice: Seeded) -> tuple[str, ...]:
        rested = []
        for table in sheets:
            sheet = self.system.enlist(json.loads(table))
            for way in self.plan:
                try:
                    sheet, _ = self.system.recoveries[way](sheet, dice)
                except Invalid:  # the dead do not rest
                    break
            rested.append(json.dumps(self.system.as_table(sheet), sort_keys=True))
        return tuple(rested)
