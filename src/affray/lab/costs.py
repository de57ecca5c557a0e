"""What a decision costs, as lines on a screen: the chances, the years and their sum for every move, with bars."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from affray.lab.bars import Screen, balance, facing
from affray.lab.figures import FEW, TOO_FEW, percent

if TYPE_CHECKING:
    from affray.lab.figures import Rate
    from affray.lab.odds import Odds
    from affray.system.abilities import Cost
    from affray.system.setup import Setup

SHORTEST_NAME, LONGEST_NAME = 12, 20  # characters of a move's name
WIN = 5  # columns for the chance of winning
CELL = 6  # columns for a cost, at least
CHANCES, NET = (5, 12), (5, 13)  # the shortest and longest bars
SETTLED = FEW // 10  # play-outs from which tenths of a percent mean something for small chances
ROOM = 12  # moves that a small screen has lines for
FIRST_LOOK, PATIENT = 0.1, 0.5  # before the rules are compiled: seconds for each move, and the least for all of them
LOOK = 0.25  # share of the time for a first look at all moves; the likeliest get the rest

Costs = Sequence["Cost[Any]"]


def kinds(moves: Sequence[str]) -> dict[str, list[str]]:
    """The moves by the word they begin with."""
    found: dict[str, list[str]] = {}
    for move in moves:
        found.setdefault(move.split()[0], []).append(move)
    return found


def first_look(setup: Setup[Any], state: Any, who: str, tactics: Mapping[str, str] | None = None) -> dict[str, Odds]:
    """The odds of all moves by interpreted rules: a play-out or two of most, enough to tell of the best of each kind.

    More moves get enough of them as far as a person can be kept waiting; the moves that are shown always do.
    """
    from affray.lab.odds import odds_of_moves

    look = partial(odds_of_moves, setup, state, who, tactics=tactics, compiled=False)
    seconds = max(PATIENT, FIRST_LOOK * len(setup.codes(state, setup.index(who))))
    begun = time.monotonic()
    found = look(seconds=LOOK * seconds)
    now = time.monotonic()
    left = max(0.0, begun + seconds - now)
    played = sum(odds.fights or 0 for odds in found.values())
    fitting = int(left / TOO_FEW / max(1e-9, now - begun) * played)
    shown = len(to_show(list(found), found))
    likely = _candidates(list(found), found)[: max(shown, min(ROOM, fitting))]
    return found | look(seconds=left, moves=likely, least=TOO_FEW)


def _candidates(moves: Sequence[str], odds: Mapping[str, Odds]) -> list[str]:
    """The moves, likeliest choices first: the best of each kind, then the others."""
    ranked = sorted(moves, key=lambda move: _rank(odds[move]), reverse=True)
    best = {own[0] for own in kinds(ranked).values()}
    return sorted(ranked, key=lambda move: move not in best)


def to_show(moves: Sequence[str], odds: Mapping[str, Odds]) -> list[str]:
    """The moves to show at a glance: all of them in order if they are few, else the best of each kind and then more.

    Moves with too few play-outs to judge come last, and only one of each kind.
    """
    if len(moves) <= ROOM:
        return list(moves)
    likely, each = _candidates(moves, odds), len(kinds(moves))
    more = [move for move in likely[each:] if odds[move].tells]
    chosen = [*likely[:each], *more[: max(0, ROOM - each)]]
    return sorted(chosen, key=lambda move: _rank(odds[move]), reverse=True)


def _rank(odds: Odds) -> tuple[bool, float]:
    return odds.tells, odds.at_least


def marked(odds: Mapping[str, Odds]) -> str:
    """The move to mark with `>`: of those with enough play-outs, the one with the highest lower bound of its sum."""
    return max(odds, key=lambda move: _rank(odds[move]))


def reckoned(
    moves: Sequence[str],
    odds: Mapping[str, Odds],
    team: str,
    costs: Costs,
    shown: Sequence[str],
    screen: Screen,
    numbered: bool = True,
) -> list[str]:
    """The moves as the rows of a table, one of them `marked`; with their numbers if `numbered`."""
    best = marked(odds)
    numbers = {move: number for number, move in enumerate(moves, 1)}
    figures = WIN + sum(map(_cell, costs))
    before = 4 if numbered else 2
    room = screen.width - before - figures - 2 - CHANCES[0] - NET[0]
    letters = max(SHORTEST_NAME, min(LONGEST_NAME, room))
    labels = {move: _label(move, moves, letters) for move in shown}
    names = max(len(label) for label in labels.values())
    narrow = before + names + figures > screen.width
    heads = [f"{'win':>{WIN}}", *(f"{cost.name:>{_cell(cost)}}" for cost in costs)]
    lines = _folded(heads, screen.width) if narrow else [" " * (before + names) + "".join(heads)]
    room = screen.width - (before + names + figures)
    most = max((abs(float(odds[move].value)) for move in shown if odds[move].tells), default=0.0)
    for move in shown:
        head = f"{'>' if move == best else ' '}{f'{numbers[move]:>2}' if numbered else ''} "
        row = _row(odds[move], team, costs)
        if narrow:
            lines += [f"{head}{move}"[: screen.width], *_folded(row, screen.width)]
        else:
            bars = _bars(odds[move], team, costs, most, room, screen)
            lines.append(f"{head}{labels[move]:{names}}{''.join(row)}{bars}".rstrip())
    return lines


def _folded(cells: Sequence[str], width: int) -> list[str]:
    """The cells of a row, in as many lines as they need."""
    lines = [" "]
    for cell in cells:
        if len(lines[-1]) + len(cell) > width:
            lines.append(" ")
        lines[-1] += cell
    return lines


def _cell(cost: Cost[Any]) -> int:
    return max(CELL, 1 + len(cost.name))


def _label(move: str, moves: Sequence[str], letters: int) -> str:
    """A move cut to this many characters, or a few more: enough to select it among all moves."""
    for length in range(letters, LONGEST_NAME + 1):
        short = move[:length].rstrip()
        if sum(other.startswith(short) for other in moves) == 1:
            return short
    return move


def _row(odds: Odds, team: str, costs: Costs) -> list[str]:
    if not odds.tells:
        return [f"{'-':>{WIN}}", *(f"{'-':>{_cell(cost)}}" for cost in costs)]
    win = f"{chance(float(odds.chances[team]), odds.fights):>{WIN}}"
    return [win, *(f"{figure(cost, costs, odds.costs[cost.name], odds.fights):>{_cell(cost)}}" for cost in costs)]


def figure(cost: Cost[Any], costs: Costs, found: Rate, fights: int | None) -> str:
    """A cost as a figure: a chance as a percentage, the sum of all costs with its sign."""
    if cost.is_chance:
        return chance(found.value, fights)
    if cost is costs[-1]:
        return f"{found.value:+.1f}"
    return f"{found.value:.{2 if 0 < found.value < 0.995 else 1}f}"


def chance(value: float, fights: int | None) -> str:
    """A chance as a percentage, with tenths where it is small and they mean something."""
    return percent(value, int(0 < value < 0.0995 and (fights or SETTLED) >= SETTLED))


def _bars(odds: Odds, team: str, costs: Costs, most: float, room: int, screen: Screen) -> str:
    """The chances as one bar and the sum as another, if there is room."""
    if room < 2 + CHANCES[0] + NET[0] or not odds.tells:
        return ""
    net = min(NET[1], NET[0] + (room - 2 - CHANCES[0] - NET[0]) // 4 * 2)
    wide = min(CHANCES[1], room - 2 - net)
    harms = {cost.sign: odds.costs[cost.name].value for cost in costs if cost.sign}
    chances = facing(odds.chances[team], harms, wide, screen.paint)
    return f" {chances} {balance(float(odds.value), most, net, screen.paint)}"


def meaning(costs: Costs, tactic: str, hint: str = "") -> str:
    """What the figures and bars mean if the fighter then follows a tactic; `hint` says more about the tactic."""
    signs = ", ".join(f"{cost.sign} {cost.meaning}" for cost in costs if cost.sign)
    sums = "; ".join(f"{cost.name}: {cost.meaning}" for cost in costs if not cost.is_chance)
    return f"If all then follow their tactics (yours: {tactic}{hint}): # win, {signs}; {sums}."


def how(odds: Mapping[str, Odds], shown: Sequence[str], costs: Costs) -> str:
    """What the mark means, and how many play-outs the figures of the shown moves come from."""
    settled = [odds[move] for move in shown if odds[move].tells]
    if not settled:
        return f"no move has had {TOO_FEW} play-outs yet"
    several = len({found.how for found in settled}) > 1
    return f"{_mark(odds, costs[-1].name)}; sampled, {out_of(settled, several)}"


def out_of(sampled: Iterable[Odds], several: bool) -> str:
    """How many play-outs sampled odds come from; if they differ (`several`), the smallest number."""
    fewest = min(sampled, key=lambda found: found.fights or 0)
    return f"at least {fewest.how} each" if several else fewest.how


def _mark(odds: Mapping[str, Odds], net: str) -> str:
    """What `>` means: the best move where that is beyond doubt, else the safest one."""
    best = marked(odds)
    found = odds[best].costs[net]
    rivals = [other for move, other in odds.items() if move != best]
    better = sum(not other.tells or other.costs[net].high > found.low for other in rivals)
    if not better:
        return f"> is best, its {net} within {found.high - found.value:.1f}"
    return f"> is safest, its {net} {found.low:+.1f} or more; {better} other{'s' * (better != 1)} may be better"


def many_more(moves: Sequence[str], shown: Sequence[str]) -> str:
    """How to see the moves that are not shown."""
    if len(shown) == len(moves):
        return ""
    hidden = [move for move in moves if move not in shown]
    named = ", ".join(hidden) if len(hidden) <= 3 else f"{len(hidden)} more moves"
    return f"`odds` shows {named} too."
