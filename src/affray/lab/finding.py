"""Fights worth telling, by their numbers: the longest, the shortest, the unluckiest, an upset, or any ending."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from affray.errors import Invalid, unknown
from affray.lab.figures import percent
from affray.players.tactics import play_on
from affray.system.telling import counted

if TYPE_CHECKING:
    from affray.fight import Fight
    from affray.lab.results import Results
    from affray.system.setup import Setup

AUDITED = 20  # lost fights whose luck is measured


@dataclass(frozen=True)
class Found:
    """A fight worth telling."""

    what: str
    number: int
    ending: str
    rounds: int
    why: str
    """What makes it worth telling, in a sentence."""


class NoneFound(Invalid):
    """No fight was such a fight."""


def check(setup: Setup[Any], what: str) -> None:
    """Refuse what cannot be looked for in fights of this set-up."""
    known = (*_KINDS, *setup.endings)
    if what not in known:
        raise Invalid(f"{unknown('kind of fight', what, known)}", given=what, allowed=known)


def find(results: Results, what: str, team: str | None = None) -> Found:
    """The fight that is meant: of several that are alike, the one with the lowest number.

    `unluckiest` is that of `team`, by default the team that wins most often.
    """
    check(results.setup, what)
    if not len(results):
        raise NoneFound("no fight has been fought yet")
    return _KINDS[what](results, team) if what in _KINDS else _first(results, what)


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


def _longest(results: Results, team: str | None) -> Found:
    most = max(results.rounds)
    why = f"the longest of {_fights(results)}: {counted(most, 'round')}"
    return _found(results, "longest", results.rounds.index(most), why)


def _shortest(results: Results, team: str | None) -> Found:
    fewest = min(results.rounds)
    why = f"the shortest of {_fights(results)}: {counted(fewest, 'round')}"
    return _found(results, "shortest", results.rounds.index(fewest), why)


def _upset(results: Results, team: str | None) -> Found:
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


def _unluckiest(results: Results, team: str | None) -> Found:
    """Of the first fights that a team has lost, the one in which the dice took most from it."""
    setup, counts = results.setup, _counts(results)
    team = setup.team(team) if team else max(setup.teams, key=lambda name: counts[name])
    lost = {setup.endings.index(other) for other in setup.teams if other != team}
    places = [place for place, ending in enumerate(results.endings) if ending in lost][:AUDITED]
    if not places:
        raise NoneFound(f"{team} lost none of {_fights(results)}")
    taken = {place: _unkind(_told(results, results.numbers[place]), team) for place in places}
    worst = max(places, key=taken.__getitem__)
    of = f"of the first {counted(len(places), 'fight')} that {team} lost"
    why = f"{of}, the one in which dice took most: {percent(taken[worst], 0)} of a victory, all bad throws together"
    return _found(results, "unluckiest", worst, why)


def _told(results: Results, number: int) -> Fight:
    from affray.fight import Fight
    from affray.kernel.chance import Seeded

    fight = Fight(results.setup, dice=Seeded(results.seed, number))
    play_on(fight, results.tactics)
    return fight


def _unkind(fight: Fight, team: str) -> float:
    return sum(max(0.0, -turn.luck) for turn in fight.luck(team).turns)


_KINDS: Mapping[str, Callable[[Results, str | None], Found]] = {
    "longest": _longest,
    "shortest": _shortest,
    "unluckiest": _unluckiest,
    "upset": _upset,
}
