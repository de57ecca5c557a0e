"""Tuning: the smallest change to sheets or options with which a fight meets its targets, with proof."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import Executor

from affray.errors import Invalid, unknown
from affray.lab.design.certainty import check_certainty
from affray.lab.design.matches import Knob, Match, checked, number_of
from affray.lab.design.sampling import Crew, Seats
from affray.lab.design.search import Search, in_batches, suggested
from affray.lab.design.targets import Target
from affray.lab.design.tuned import Tuned
from affray.lab.progress import Progress

FIGHTS = 64_000  # of a candidate at most
EXHAUSTIVE = 2_000  # combinations up to which all are tried
TRIES = 200  # candidates that are tried if there are more


def tune(
    match: Match,
    knobs: Sequence[Knob],
    targets: Sequence[str],
    *,
    prices: Mapping[str, float] | None = None,
    fights: int = FIGHTS,
    tries: int | None = None,
    certainty: float = 0.95,
    seats: Seats = "both",
    seed: int = 0,
    exact: bool = True,
    pool: Executor | None = None,
    progress: Progress | None = None,
) -> Tuned:
    """Find settings of the knobs with which the match meets all targets.

    Up to 2,000 combinations are tried in the order of what they cost, until one meets all targets. The cost is the sum
    over the knobs of the share of its range that each is moved by, times its price (1 unless `prices` says otherwise).
    Of more combinations, Optuna chooses `tries`. Odds are counted
    where they can be. Elsewhere a candidate is fought on until it surely meets or misses the targets, or has had all
    its `fights`; the intervals of all candidates hold together with the `certainty`.
    """
    read = tuple(Target.read(text, match.setup) for text in targets)
    asked = _check(match, knobs, read, prices, certainty)
    search = Search(match, knobs, read, prices or {}, fights, certainty, seats, seed, exact)
    limit = tries or (asked if asked <= EXHAUSTIVE else TRIES)
    search.together = max(1, min(limit, asked)) * len(read)
    whole = asked <= limit
    try:
        with Crew([target.measure for target in read], seats, seed, pool) as crew:
            batches = in_batches(search.ordered()) if whole else suggested(search, limit)
            for batch in batches:
                judged = search.judge(crew, batch)
                if progress:
                    progress(search.fought, search.fought + search.estimated(limit - len(search.found)))
                if whole and any(each.verdict == "met" for each in judged):
                    break  # all others are larger changes
    except KeyboardInterrupt:
        search.interrupted = True
    return Tuned(read, tuple(search.found), asked, certainty, seats, seed, search.interrupted)


def _check(
    match: Match,
    knobs: Sequence[Knob],
    targets: Sequence[Target],
    prices: Mapping[str, float] | None,
    certainty: float,
) -> int:
    check_certainty(certainty)
    if not knobs:
        raise Invalid("say what may be varied, such as  --vary slime:health=4..20")
    if not targets:
        first = next(iter(match.teams))
        raise Invalid(f"say what is wanted, such as  --target {first}=0.6")
    texts = [knob.text for knob in knobs]
    for text in prices or {}:
        if text not in texts:
            raise Invalid(unknown("thing to vary", text, texts), given=text, allowed=texts)
    for knob in knobs:
        for value in (knob.values[0], knob.values[-1]):
            checked(knob.turned(match, value))
    return number_of(knobs)
