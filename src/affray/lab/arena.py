"""The arena: players against each other over many rosters, with seats swapped and the same dice for both seatings."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import combinations
from multiprocessing import get_context
from typing import Any

from affray.errors import Invalid, Refused
from affray.kernel.chance import Seeded, pick
from affray.kernel.playing import first_of
from affray.kernel.rules import Log
from affray.kernel.state import to_act
from affray.lab.cluster import Pool
from affray.lab.figures import Rate, mean
from affray.lab.progress import Progress
from affray.lab.ratings import Rating, ratings
from affray.lab.searching import worth_tables
from affray.players.deciding import thought_of
from affray.players.levels import read_player
from affray.players.player import Player
from affray.system.contract import System
from affray.system.registry import find
from affray.system.setup import Setup, Teams

ROSTERS = 10
LARGEST = 3  # fighters of a team in the arena's own rosters
SIDES = ("red", "blue")
LOOKED_AT = 12  # decisions of a duel in which a fighter must have a choice to be in such a roster
MOST_MOVES = 20_000  # of one fight; it counts as a draw then


@dataclass(frozen=True)
class Bout:
    """One fight: what it was worth to each side, by the system's own values, which side won, if any, and how."""

    worth: tuple[float, float]
    won: int | None
    moves: tuple[tuple[int, int], ...]
    """Who moved, and the code of the move, in their order."""


@dataclass
class Pairing:
    """All that came of one player against another, fight by fight, each the mean of both seatings."""

    one: str
    other: str
    worth: list[float] = field(default_factory=list)
    """What a fight was worth to the first player, by the system's own values."""
    ahead: list[float] = field(default_factory=list)
    """Half of what it was worth more to the first player than to the other; the same where one wins what one loses."""
    by_roster: dict[int, list[float]] = field(default_factory=dict)
    wins: int = 0
    losses: int = 0
    undecided: int = 0

    @property
    def fights(self) -> int:
        """How many fights there were; two for each pair of seatings."""
        return self.wins + self.losses + self.undecided

    @property
    def value(self) -> Rate:
        """The mean worth of a fight to the first player."""
        return _mean(self.worth)

    @property
    def edge(self) -> Rate:
        """By how much the first player did better than the other, halved."""
        return _mean(self.ahead)

    @property
    def decided(self) -> float | None:
        """The first player's share of the fights that one side won."""
        return self.wins / (self.wins + self.losses) if self.wins + self.losses else None

    def add(self, roster: int, first: Bout, swapped: Bout) -> None:
        """Add a fight in both seatings; the first player sits on side 0, then on side 1."""
        both = (first.worth[0] + swapped.worth[1]) / 2
        self.worth.append(both)
        self.ahead.append((both - (first.worth[1] + swapped.worth[0]) / 2) / 2)
        self.by_roster.setdefault(roster, []).append(both)
        for bout, own in ((first, 0), (swapped, 1)):
            self.wins += bout.won == own
            self.losses += bout.won == 1 - own
            self.undecided += bout.won is None

    def as_table(self) -> dict[str, Any]:
        """The pairing as plain JSON values."""
        return {
            "one": self.one,
            "other": self.other,
            "value": self.value._asdict(),
            "edge": self.edge._asdict(),
            "wins": self.wins,
            "losses": self.losses,
            "undecided": self.undecided,
            "decided": self.decided,
            "rosters": {str(number): sum(each) / len(each) for number, each in sorted(self.by_roster.items())},
        }


def _mean(numbers: Sequence[float]) -> Rate:
    return mean(sum(numbers), sum(each * each for each in numbers), len(numbers))


@dataclass(frozen=True)
class Arena:
    """The result: every pairing, and a rating of every player."""

    system: str
    players: tuple[str, ...]
    rosters: tuple[Teams, ...]
    seed: int
    pairings: tuple[Pairing, ...]
    interrupted: bool

    @property
    def ratings(self) -> dict[str, Rating]:
        """Bradley-Terry ratings in points of Elo, the mean being 0; a fight that no side won counts half for each."""
        scores = {
            (pair.one, pair.other): (pair.wins + pair.undecided / 2, pair.losses + pair.undecided / 2)
            for pair in self.pairings
            if pair.fights
        }
        return ratings(self.players, scores)

    def as_table(self) -> dict[str, Any]:
        """All of it as plain JSON values."""
        return {
            "system": self.system,
            "players": list(self.players),
            "rosters": [dict(roster) for roster in self.rosters],
            "seed": self.seed,
            "pairings": [pair.as_table() for pair in self.pairings],
            "ratings": {name: rating._asdict() for name, rating in self.ratings.items()},
            "interrupted": self.interrupted,
        }


def mirror_rosters(system: System[Any, Any], count: int = ROSTERS, seed: int = 0) -> tuple[Teams, ...]:
    """Rosters in which both sides have the same fighters: six duels in ten, three of two a side, one of three.

    Fighters who never have a choice are left out: with them every player is as good as any other.
    """
    known = [id for sheets in system.catalogue().values() for id in sheets]
    dice, rosters = Seeded(seed), list[Teams]()
    for _ in range(50 * count):
        if len(rosters) == count:
            break
        place = len(rosters) % 10
        size = 1 if place < 6 else 2 if place < 9 else LARGEST
        members = [known[pick(dice, min(len(known), 256))] for _ in range(size)]
        teams: Teams = {side: list(members) for side in SIDES}
        try:
            Setup.of(system, teams)
            if not all(_has_choices(system, member) for member in members):
                continue
        except Refused:
            continue
        if teams not in rosters or len(known) < count:
            rosters.append(teams)
    return tuple(rosters)


@lru_cache(maxsize=1024)
def _has_choices(system: System[Any, Any], member: str) -> bool:
    """Whether a fighter who meets its like soon has more than one move."""
    setup = Setup.of(system, {side: [member] for side in SIDES})
    dice = Seeded(0)
    state = setup.opened(dice)
    for _ in range(LOOKED_AT):
        if state.ending >= 0:
            return False
        who = first_of(to_act(state))
        codes = setup.codes(setup.view(state, who), who)
        if len(codes) > 1:
            return True
        setup.step(state, who, codes[0], dice)
    return False


def play_bout(setup: Setup[Any], players: Sequence[Player], seed: int, number: int) -> Bout:
    """One fight between the players of two sides; number and seed decide the dice, not the seating."""
    system, dice = setup.system, Seeded(seed, number)
    state, log = setup.seated(), Log([[0] * len(system.figure_names) for _ in setup.names])
    system.begin(state, dice, log)
    moves = list[tuple[int, int]]()
    while state.ending < 0 and len(moves) < MOST_MOVES:
        for who in range(len(setup.names)):
            if to_act(state) >> who & 1:
                player = players[setup.team_numbers[who]]
                chosen = thought_of(player, setup, state, who, seed=seed + number, decision=len(moves))
                system.apply(state, who, chosen.code, dice, log)
                moves.append((who, chosen.code))
    won = state.ending if 0 <= state.ending < len(players) else None
    return Bout(_worth(setup, state, log), won, tuple(moves))


def _worth(setup: Setup[Any], state: Any, log: Log) -> tuple[float, float]:
    """What a fight was worth to each side: the mean of its fighters."""
    values, weights = worth_tables(setup)
    setup.system.figures(state, log)
    sums, members = [0.0, 0.0], [0, 0]
    for who, team in enumerate(setup.team_numbers):
        worth = values[who][state.ending] if values and state.ending >= 0 else 0.0
        if weights:
            worth += sum(weight * figure for weight, figure in zip(weights[who], log.figures[who], strict=True))
        sums[team] += worth
        members[team] += 1
    return sums[0] / members[0], sums[1] / members[1]


def both_seatings(
    system: str, roster: Teams, options: Mapping[str, object], players: tuple[str, str], seed: int, number: int
) -> tuple[Bout, Bout]:
    """One fight, and the same with seats swapped."""
    setup = Setup.of(system, roster, options)
    one, other = (read_player(setup.system, name, programs=True) for name in players)
    try:
        return play_bout(setup, (one, other), seed, number), play_bout(setup, (other, one), seed, number)
    finally:
        for player in (one, other):
            if hasattr(player, "close"):
                player.close()


def compare(
    system: str,
    players: Sequence[str],
    *,
    rosters: Sequence[Teams] | None = None,
    options: Mapping[str, object] | None = None,
    fights: int = 10,
    seed: int = 0,
    workers: int | None = None,
    pool: Pool | None = None,
    against: str | None = None,
    progress: Progress | None = None,
) -> Arena:
    """Let players meet, every two of them `fights` times on every roster, each time in both seatings.

    With `against`, only pairings with that player are fought. A `pool` fights elsewhere (see `affray.lab.cluster`),
    with the same result. Ctrl-C ends early with what is done.
    """
    found = find(system)
    for name in players:
        read_player(found, name, programs=True)  # refuses one that does not exist, before anything is fought
    if len(set(players)) != len(players) or len(players) < 2:
        raise Invalid("an arena needs two or more players, each named once", given=list(players))
    chosen = tuple(rosters if rosters is not None else mirror_rosters(found, seed=seed))
    whole = []
    for roster in chosen:
        setup = Setup.of(found, roster, options)
        if len(setup.teams) != len(SIDES):
            raise Invalid("a roster of the arena must have two teams", given=list(roster))
        whole.append(setup.specs())  # sheets in full: other machines need not have their files
    pairs = [Pairing(*pair) for pair in combinations(players, 2) if against is None or against in pair]
    work = [
        (pair, place, (system, roster, dict(options or {}), (pair.one, pair.other), seed, place * 1_000_003 + number))
        for number in range(fights)
        for place, roster in enumerate(whole)
        for pair in pairs
    ]
    at_once = pool.workers if pool else workers or os.cpu_count() or 1
    outcomes, interrupted = _fight_all(
        [given for _, _, given in work], at_once, pool.executor if pool else None, progress
    )
    for number in sorted(outcomes):  # in their order, whichever was done first, so that sums come out the same
        pair, place, _ = work[number]
        pair.add(place, *outcomes[number])
    return Arena(system, tuple(players), chosen, seed, tuple(pairs), interrupted)


def _fight_all(
    work: Sequence[tuple[Any, ...]], workers: int, elsewhere: Executor | None, progress: Progress | None
) -> tuple[dict[int, tuple[Bout, Bout]], bool]:
    """What came of each piece of work, and whether that was interrupted."""
    done: dict[int, tuple[Bout, Bout]] = {}

    def heard() -> None:
        if progress:
            progress(2 * len(done), 2 * len(work))

    if elsewhere is None and workers == 1:
        try:
            for number, given in enumerate(work):
                done[number] = both_seatings(*given)
                heard()
        except KeyboardInterrupt:
            return done, True
        return done, False
    pool = elsewhere or ProcessPoolExecutor(workers, get_context("spawn"))
    waiting = iter(enumerate(work))
    under_way: dict[Future[tuple[Bout, Bout]], int] = {}
    try:
        while True:
            while len(under_way) < 2 * workers and (next_one := next(waiting, None)) is not None:
                under_way[pool.submit(both_seatings, *next_one[1])] = next_one[0]
            if not under_way:
                return done, False
            ended, _ = wait(under_way, return_when=FIRST_COMPLETED)
            for future in ended:
                done[under_way.pop(future)] = future.result()
            heard()
    except KeyboardInterrupt:
        return done, True
    finally:
        for future in under_way:
            future.cancel()
        if elsewhere is None:
            pool.shutdown(wait=False, cancel_futures=True)
