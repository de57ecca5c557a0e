"""Fights worth telling, by their numbers: the longest, the shortest, the unluckiest, an upset, or any ending."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from affray.errors import Invalid, unknown
from affray.lab.figures import percent
from affray.lab.progress import Progress
from affray.players.tactics import play_on
from affray.system.telling import counted

if TYPE_CHECKING:
    from affray.fight import Fight
    from affray.lab.luck import Luck
    from affray.lab.results import Results
    from affray.system.setup import Setup

AUDITED = 20  # lost fights whose luck is measured
ROUGHLY, CLOSELY = 200, 3_000  # play-outs of each position of all of them, and of the worst, where luck is sampled
WORST = 2  # those that are measured closely


@dataclass(frozen=True)
class Found:
    """A fight worth telling."""

    what: str
    number: int
    ending: str
    rounds: int
    why: str
    """What makes it worth telling, in a sentence."""
    interrupted: bool = False
    """Whether the search for it was ended by Ctrl-C; then it is the best of those that were looked at."""


class NoneFound(Invalid):
    """No fight was such a fight."""


def check(setup: Setup[Any], what: str) -> None:
    """Refuse what cannot be looked for in fights of this set-up."""
    known = (*sorted((*_KINDS, UNLUCKIEST)), *setup.endings)
    if what not in known:
        raise Invalid(f"{unknown('kind of fight', what, known)}", given=what, allowed=known)


def find(results: Results, what: str, team: str | None = None, progress: Progress | None = None) -> Found:
    """The fight that is meant: of several that are alike, the one with the lowest number.

    `unluckiest` is that of `team`, by default the team that wins most often. It takes a while, so it tells its
    `progress`, and can be interrupted.
    """
    check(results.setup, what)
    if not len(results):
        raise NoneFound("no fight has been fought yet")
    if what == UNLUCKIEST:
        return _unluckiest(results, team, progress)
    return _KINDS[what](results) if what in _KINDS else _first(results, what)


def _fights(results: Results) -> str:
    return f"{len(results):,} fight{'' if len(results) == 1 else 's'}"


def _found(results: Results, what: str, place: int, why: str) -> Found:
    ending = results.setup.endings[results.endings[place]]
    return Found(what, results.numbers[place], ending, results.rounds[place], why)


def _first(results: Results, ending: str) -> Found:
    wins = _counts(results)[ending]
    if not wins:
        came = [name for name, count in _counts(results).items() if count]
        raise NoneFound(f"none of {_fights(results)} ended so: {ending}; there were: {', '.join(came)}", allowed=came)
    place = results.endings.index(results.setup.endings.index(ending))
    return _found(results, ending, place, f"the first of {wins:,} of {_fights(results)} to end so")


def _counts(results: Results) -> dict[str, int]:
    return {ending: results.endings.count(code) for code, ending in enumerate(results.setup.endings)}


def _longest(results: Results) -> Found:
    most = max(results.rounds)
    why = f"the longest of {_fights(results)}: {counted(most, 'round')}"
    return _found(results, "longest", results.rounds.index(most), why)


def _shortest(results: Results) -> Found:
    fewest = min(results.rounds)
    why = f"the shortest of {_fights(results)}: {counted(fewest, 'round')}"
    return _found(results, "shortest", results.rounds.index(fewest), why)


def _upset(results: Results) -> Found:
    """Won by the team that wins least often; of these, the quickest."""
    won = {name: count for name, count in _counts(results).items() if name in results.setup.teams and count}
    if not won:
        raise NoneFound(f"none of {_fights(results)} was won")
    rarest = min(won, key=won.__getitem__)
    code = results.setup.endings.index(rarest)
    places = [place for place, ending in enumerate(results.endings) if ending == code]
    place = min(places, key=results.rounds.__getitem__)
    share = percent(won[rarest] / len(results), 2)
    return _found(results, "upset", place, f"the quickest of those that {rarest} win, which is {share} of all")


def _unluckiest(results: Results, team: str | None, progress: Progress | None) -> Found:
    """Of the first fights that a team has lost, the one in which the dice took most from it."""
    setup, counts = results.setup, _counts(results)
    team = setup.team(team) if team else max(setup.teams, key=lambda name: counts[name])
    lost = {setup.endings.index(other) for other in setup.teams if other != team}
    places = [place for place, ending in enumerate(results.endings) if ending in lost][:AUDITED]
    if not places:
        raise NoneFound(f"{team} lost none of {_fights(results)}")
    first: dict[int, Luck] = {}
    closer: dict[int, Luck] = {}
    interrupted = False
    try:
        _measure(results, team, places, first, closer, progress)
    except KeyboardInterrupt:
        interrupted = True
    if not first:
        raise NoneFound(f"interrupted before the luck of a fight that {team} lost was measured")
    measured = closer if closer and not interrupted else first
    worst = max(measured, key=lambda place: _unkind(measured[place]))
    taken, how = _unkind(measured[worst]), measured[worst].how
    of = f"of the first {counted(len(first), 'fight')} that {team} lost"
    why = f"{of}, the one in which dice took most: {percent(taken, 0)} of a victory, all bad throws together"
    return replace(_found(results, UNLUCKIEST, worst, f"{why} ({how})" if how else why), interrupted=interrupted)


def _measure(
    results: Results,
    team: str,
    places: Sequence[int],
    first: dict[int, Luck],
    closer: dict[int, Luck],
    progress: Progress | None,
) -> None:
    """Measure the luck of fights: `first` all, roughly where it cannot be counted, then those with the worst closer."""
    told: dict[int, Fight] = {}
    counts = True
    rough, most = len(places) * ROUGHLY, len(places) * ROUGHLY + min(WORST, len(places)) * CLOSELY
    for done, place in enumerate(places):
        if progress:
            progress(done * ROUGHLY, most)
        told[place] = _told(results, results.numbers[place])
        first[place] = told[place].luck(team, counts=counts, playouts=ROUGHLY)
        counts = counts and not first[place].how  # where one cannot be counted, the others hardly can
    if counts:
        return
    for done, place in enumerate(sorted(places, key=lambda place: -_unkind(first[place]))[:WORST]):
        if progress:
            progress(rough + done * CLOSELY, most)
        closer[place] = told[place].luck(team, counts=False, playouts=CLOSELY)


def _told(results: Results, number: int) -> Fight:
    from affray.fight import Fight
    from affray.kernel.chance import Seeded

    fight = Fight(results.setup, dice=Seeded(results.seed, number))
    play_on(fight, results.tactics)
    return fight


def _unkind(luck: Luck) -> float:
    return sum(max(0.0, -turn.luck) for turn in luck.turns)


UNLUCKIEST = "unluckiest"
_KINDS: Mapping[str, Callable[[Results], Found]] = {
    "longest": _longest,
    "shortest": _shortest,
    "upset": _upset,
}
