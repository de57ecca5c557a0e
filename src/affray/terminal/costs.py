"""What a decision costs, as lines on a screen: every move with its chances, its years and their sum, and as bars."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from affray.terminal.bars import balance, facing
from affray.terminal.choices import FEW, TOO_FEW, kinds
from affray.terminal.text import percent, width

if TYPE_CHECKING:
    from affray.kernel.system import Cost
    from affray.lab.figures import Rate
    from affray.lab.odds import Odds

LONGEST_NAME = 20
WIN = 5  # columns of the chance to win
CELL = 6  # columns of a cost at least
CHANCES, NET = (8, 12), (7, 13)  # the shortest and longest bars
SETTLED = FEW // 10  # play-outs from which tenths of a percent say something about what is rare
ROOM = 12  # moves that a small screen has lines for

Costs = Sequence["Cost[Any]"]


def to_show(moves: Sequence[str], odds: Mapping[str, Odds]) -> list[str]:
    """The moves to show at a glance: all in their order where they are few, else the best of each kind and then more.

    Moves that were hardly played out come last, as nobody knows what they are worth.
    """
    if len(moves) <= ROOM:
        return list(moves)
    ranked = sorted(moves, key=lambda move: _rank(odds[move]), reverse=True)
    best = {kind: own[0] for kind, own in kinds(ranked).items()}
    more = [move for move in ranked if move not in best.values()][: max(0, ROOM - len(best))]
    return [move for move in ranked if move in best.values() or move in more]


def _rank(odds: Odds) -> tuple[bool, float]:
    return is_settled(odds), odds.at_least


def is_settled(odds: Odds) -> bool:
    """Whether a move was played out often enough for its figures to mean anything."""
    return not odds.fights or odds.fights >= TOO_FEW


def reckoned(
    moves: Sequence[str], odds: Mapping[str, Odds], team: str, costs: Costs, shown: Sequence[str]
) -> list[str]:
    """The moves as the rows of a table; `>` is before the best of all. They keep the numbers they have among all."""
    best = max(moves, key=lambda move: _rank(odds[move]))
    numbers = {move: number for number, move in enumerate(moves, 1)}
    labels = {move: _label(move, moves) for move in shown}
    names = max(len(label) for label in labels.values())
    figures = WIN + sum(map(_cell, costs))
    narrow = 4 + names + figures > width()
    lines = [" " * (2 if narrow else 4 + names) + f"{'win':>{WIN}}" + "".join(f"{c.name:>{_cell(c)}}" for c in costs)]
    room = width() - (4 + names + figures)
    most = max((abs(float(odds[move].value)) for move in shown if is_settled(odds[move])), default=0.0)
    for move in shown:
        head = f"{'>' if move == best else ' '}{numbers[move]:>2} "
        row = _row(odds[move], team, costs)
        if narrow:
            lines += [f"{head}{move}"[: width()], f"  {row}"]
        else:
            lines.append(f"{head}{labels[move]:{names}}{row}{_bars(odds[move], team, costs, most, room)}".rstrip())
    return lines


def _cell(cost: Cost[Any]) -> int:
    return max(CELL, 1 + len(cost.name))


def _label(move: str, moves: Sequence[str]) -> str:
    """A move in few letters: as long as it is alone in beginning with them, they are enough to type it."""
    short = move[:LONGEST_NAME].rstrip()
    return short if sum(other.startswith(short) for other in moves) == 1 else move


def _row(odds: Odds, team: str, costs: Costs) -> str:
    if not is_settled(odds):
        return f"{'-':>{WIN}}" + "".join(f"{'-':>{_cell(cost)}}" for cost in costs)
    win = f"{chance(float(odds.chances[team]), odds.fights):>{WIN}}"
    return win + "".join(f"{figure(cost, costs, odds.costs[cost.name], odds.fights):>{_cell(cost)}}" for cost in costs)


def figure(cost: Cost[Any], costs: Costs, found: Rate, fights: int | None) -> str:
    """A cost as a figure: a chance in per cent, the sum of all with its sign."""
    if cost.is_chance:
        return chance(found.value, fights)
    return f"{found.value:+.1f}" if cost is costs[-1] else f"{found.value:.1f}"


def chance(value: float, fights: int | None) -> str:
    """A chance in per cent, with tenths where it is small and they mean something."""
    return percent(value, int(0 < value < 0.0995 and (fights or SETTLED) >= SETTLED))


def _bars(odds: Odds, team: str, costs: Costs, most: float, room: int) -> str:
    """The chances as one bar and the sum of all as another, as far as there is room."""
    if room < 2 + CHANCES[0] + NET[0] or not is_settled(odds):
        return ""
    net = min(NET[1], NET[0] + (room - 2 - CHANCES[0] - NET[0]) // 4 * 2)
    wide = min(CHANCES[1], room - 2 - net)
    harms = {cost.sign: odds.costs[cost.name].value for cost in costs if cost.sign}
    return f" {facing(odds.chances[team], harms, wide)} {balance(float(odds.value), most, net)}"


def meaning(costs: Costs, tactic: str) -> str:
    """What the figures and the bars tell."""
    signs = ", ".join(f"{cost.sign} {cost.meaning}" for cost in costs if cost.sign)
    sums = "; ".join(f"{cost.name}: {cost.meaning}" for cost in costs if not cost.is_chance)
    return f"If all then follow their tactics (yours: {tactic}; `odds TACTIC` takes another): # win, {signs}; {sums}."


def how(odds: Mapping[str, Odds], costs: Costs) -> str:
    """Out of how many play-outs, and how far the sum of the best ones may be off."""
    settled = [found for found in odds.values() if is_settled(found)]
    if not settled:
        return f"no move was played out {TOO_FEW} times"
    fewest = min(settled, key=lambda found: found.fights or 0)
    best = max(settled, key=_rank)
    ways = {found.how for found in settled}
    net = best.costs[costs[-1].name]
    way = f"at least {fewest.how} each" if len(ways) > 1 else fewest.how
    return f"> is best, its {costs[-1].name} within {net.high - net.value:.1f}; sampled, {way}"


def many_more(moves: Sequence[str], shown: Sequence[str]) -> str:
    """What to do about the moves that are not shown."""
    if len(shown) == len(moves):
        return ""
    hidden = [move for move in moves if move not in shown]
    named = ", ".join(hidden) if len(hidden) <= 3 else f"{len(hidden)} more moves"
    return f"`odds` shows {named} too."
