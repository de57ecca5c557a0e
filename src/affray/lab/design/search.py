"""The search for settings that meet targets: in the order of what they cost, or as Optuna suggests."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any

from affray.errors import MissingExtra
from affray.lab.design.certainty import Sums, deviations, looks
from affray.lab.design.compare import CHANCE
from affray.lab.design.matches import OPTION, TACTIC, Knob, Match, Settings, checked, label, turned
from affray.lab.design.sampling import Crew, Seats, counted
from affray.lab.design.targets import Target
from affray.lab.design.tuned import Candidate
from affray.lab.figures import Rate

BATCH = 32  # candidates that are fought between two signs of progress


class Search:
    """The candidates so far, and how more are judged."""

    def __init__(
        self,
        match: Match,
        knobs: Sequence[Knob],
        targets: Sequence[Target],
        prices: Mapping[str, float],
        fights: int,
        certainty: float,
        seats: Seats,
        seed: int,
        exact: bool,
    ) -> None:
        self.match, self.knobs, self.targets, self.prices = match, knobs, targets, prices
        self.fights, self.certainty, self.seats, self.exact = fights, certainty, seats, exact
        self.seed, self.together, self.fought, self.interrupted = seed, 1, 0, False
        self.found: list[Candidate] = []
        self.now = {knob.text: _current(match, knob) for knob in knobs}

    def cost(self, settings: Settings) -> float:
        """How large a change is."""
        return sum(self.prices.get(k.text, 1.0) * _moved(k, self.now[k.text], settings[k.text]) for k in self.knobs)

    def ordered(self) -> Iterator[Settings]:
        """All settings, the smallest change first."""
        texts = [knob.text for knob in self.knobs]
        every = [dict(zip(texts, values, strict=True)) for values in product(*(knob.values for knob in self.knobs))]
        yield from sorted(every, key=self.cost)

    def estimated(self, left: int) -> int:
        """How many fights this many more candidates may take, judging by those so far."""
        return self.fought * left // max(1, len(self.found))

    def judge(self, crew: Crew, batch: Sequence[Settings]) -> list[Candidate]:
        """Count or fight candidates until each is decided."""
        matches = {label(each): checked(turned(self.match, self.knobs, each)) for each in batch}
        named = {label(each): each for each in batch}
        judged: list[Candidate] = []
        waiting = dict(matches)
        while self.exact and waiting:
            name, match = next(iter(waiting.items()))
            values = counted(match, [target.measure for target in self.targets], self.seats)
            if values is None:
                self.exact = False
                break
            judged.append(self._candidate(named[name], [Rate(v, v, v) for v in values], True, 0, match))
            self.found.append(judged[-1])
            del waiting[name]
        decided: dict[str, Candidate] = {}
        try:
            self._fight(crew, waiting, named, decided)
        finally:  # after an interruption, too: what is known of them so far
            judged += decided.values()
            self.found += decided.values()
        return judged

    def _fight(
        self,
        crew: Crew,
        matches: Mapping[str, Match],
        named: Mapping[str, Settings],
        decided: dict[str, Candidate],
    ) -> None:
        """Fight until all are decided or have had all their fights, and write down after each look what is known."""
        sums = {name: [Sums() for _ in self.targets] for name in matches}

        def heard(more: int) -> None:
            self.fought += more

        for look, done, upto in looks(self.fights):
            waiting = {
                name: match for name, match in matches.items() if name not in decided or decided[name].verdict == "open"
            }
            if not waiting:
                break
            seen = crew.fight(waiting, done, upto, heard)
            z = deviations(self.certainty, self.together, look)
            for name, match in waiting.items():
                for own, column in zip(sums[name], seen[name].columns, strict=True):
                    own.add(column)
                rates = [
                    own.interval(z, CHANCE if target.measure.is_chance else None)
                    for own, target in zip(sums[name], self.targets, strict=True)
                ]
                decided[name] = self._candidate(named[name], rates, False, upto, match)

    def _candidate(
        self, settings: Settings, rates: Sequence[Rate], exact: bool, fights: int, match: Match
    ) -> Candidate:
        verdicts = tuple(target.verdict(rate) for target, rate in zip(self.targets, rates, strict=True))
        return Candidate(settings, self.cost(settings), tuple(rates), verdicts, exact, fights, match)


def _current(match: Match, knob: Knob) -> str:
    """The value that a knob has now; empty if fighters differ in it, or it is not a single value."""
    if knob.where == OPTION and OPTION not in match.teams:
        return _text(match.setup.options.get(knob.keys[0])) if knob.keys else ""
    if knob.where == TACTIC and TACTIC not in match.teams:
        return match.tactics.get(knob.keys[0], "") if knob.keys else ""
    if not knob.keys:
        return ",".join(map(str, match.teams.get(knob.where, ())))
    places = [(team, at) for team, specs in match.teams.items() for at in range(len(specs))]
    meant = knob.meant(match)
    sheets = [s for place, s in zip(places, match.setup.sheets, strict=True) if place in meant]
    values = {_text(getattr(sheet, knob.keys[-1], None)) for sheet in sheets}
    return values.pop() if len(values) == 1 else ""


def _text(value: object) -> str:
    return ("on" if value else "off") if isinstance(value, bool) else "" if value is None else str(value)


def _moved(knob: Knob, now: str, value: str) -> float:
    """How far a value is from the present one, as a share of the range; words are the same, or all the way."""
    try:
        numbers = [int(each) for each in knob.values]
        far = max(abs(number - int(now)) for number in numbers)
        return abs(int(value) - int(now)) / far if far else 0.0
    except ValueError:
        return 0.0 if value == now else 1.0


def in_batches(every: Iterator[Settings]) -> Iterator[list[Settings]]:
    batch: list[Settings] = []
    for each in every:
        batch.append(each)
        if len(batch) == BATCH:
            yield batch
            batch = []
    if batch:
        yield batch


def suggested(search: Search, tries: int) -> Iterator[list[Settings]]:
    """Settings that Optuna suggests, one at a time, by how far the last ones missed and what they cost."""
    try:
        import optuna
    except ImportError:
        raise MissingExtra("searching so many combinations", "tune") from None
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    study = optuna.create_study(sampler=optuna.samplers.TPESampler(seed=search.seed % 2**32))
    scales = [_scale(target) for target in search.targets]
    seen: dict[str, float] = {}
    for _ in range(3 * tries):
        if len(search.found) >= tries:
            return
        trial = study.ask()
        settings = {knob.text: _suggestion(trial, knob) for knob in search.knobs}
        name = label(settings)
        if name not in seen:
            yield [settings]
            seen[name] = _worth(search, scales)
        study.tell(trial, seen[name])


def _suggestion(trial: Any, knob: Knob) -> str:
    """Of a range of numbers a place in it, so that near values count as alike; of words one of them."""
    if all(value.lstrip("+-").isdigit() for value in knob.values):
        return knob.values[int(trial.suggest_int(knob.text, 0, len(knob.values) - 1))]
    return str(trial.suggest_categorical(knob.text, list(knob.values)))


def _scale(target: Target) -> float:
    wide = target.high - target.low
    return wide / 2 if 0 < wide < float("inf") else 1.0


def _worth(search: Search, scales: Sequence[float]) -> float:
    """The lower the better: how far the last candidate misses, and a little for what it costs."""
    last = search.found[-1]
    rows = zip(search.targets, last.means, scales, strict=True)
    return sum(target.miss(rate.value) / scale for target, rate, scale in rows) + 0.01 * last.cost
