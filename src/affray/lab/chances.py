"""The odds of moves as lines on a screen: the chance of every outcome as figures and as a small bar."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from textwrap import wrap
from typing import TYPE_CHECKING

from affray.lab.bars import Screen, signs, stacked
from affray.lab.costs import kinds, out_of
from affray.lab.figures import FEW, TOO_FEW, percent

if TYPE_CHECKING:
    from affray.lab.figures import Number
    from affray.lab.odds import Odds

CELL = 8
AT_ONCE = 5
LONGEST_NAME = 24
BAR = (6, 24)
MOST_COLUMNS = 6  # for what a move brings at once
NOT_YET = "-"  # for what is not known yet
BEST = 2  # moves of each kind to show where there are many


def best_of_each(moves: Sequence[str], odds: Mapping[str, Odds]) -> list[str]:
    """The moves to show where there are many: the best few of each kind, the better kinds first."""
    ranked = {
        kind: sorted(own, key=lambda move: odds[move].at_least, reverse=True)[:BEST]
        for kind, own in kinds(moves).items()
    }
    kinds_first = sorted(ranked.values(), key=lambda own: odds[own[0]].at_least, reverse=True)
    return [move for own in kinds_first for move in own]


def weighed(
    moves: Sequence[str],
    odds: Mapping[str, Odds],
    team: str,
    shown: Sequence[str],
    screen: Screen,
    numbered: bool = True,
) -> list[str]:
    """The shown moves as the rows of a table: the chance of every outcome for the team, and all of them as one bar.

    Numbered moves keep the numbers that they have in the full list.
    """
    heading = {move: f"  {number:>2} " if numbered else "" for number, move in enumerate(moves, 1)}
    chances = {move: odds[move].for_team(team) for move in shown}
    sampled = any(odds[move].fights is not None for move in shown)
    outcomes = [outcome for outcome in chances[shown[0]] if sampled or _comes_up(outcome, chances)]
    drawn = signs(list(chances[shown[0]]))
    digits = int(all((FEW if odds[move].fights is None else odds[move].fights or 0) >= FEW for move in shown))
    at_once = _at_once(shown, odds)
    listed = at_once if len(at_once) > MOST_COLUMNS else []
    at_once = [] if listed else at_once
    ends = [f"{outcome} {drawn[outcome]}" for outcome in outcomes]
    room = screen.width - len(heading[shown[0]]) - 2
    if room < sum(_cells(at_once, ends)) + BAR[0]:
        at_once = _distinct(at_once, shown, odds)
    heads, cells = [*at_once, *ends], _cells(at_once, ends)
    room -= sum(cells)
    names = min(LONGEST_NAME, max(len(move) for move in shown), max(0, room - BAR[0]))
    margin = " " * (len(heading[shown[0]]) + names)
    bar = max(BAR[0], min(BAR[1], room - names))
    lines = [margin + "".join(f"{head:>{cell}}" for head, cell in zip(heads, cells, strict=True))]
    for move in shown:
        found = odds[move]
        counted = [percent(found.at_once[name], 0) if name in found.at_once else NOT_YET for name in at_once]
        told = [*counted, *(percent(chances[move][end], digits) if found.tells else NOT_YET for end in outcomes)]
        figures = "".join(f"{text:>{cell}}" for text, cell in zip(told, cells, strict=True))
        figures += f"  {stacked(chances[move], bar, screen.paint)}" if found.tells else ""
        if len(move) > names:
            lines += [f"{heading[move]}{move}"[: screen.width], margin + figures]
        else:
            lines.append(f"{heading[move]}{move:{names}}{figures}")
        lines += _listed(listed, odds[move].at_once, len(heading[move]) + 2, screen.width)
    return lines


def _cells(at_once: Sequence[str], ends: Sequence[str]) -> list[int]:
    """The width of each column: first what moves bring at once, then how the fight ends."""
    return [max(AT_ONCE, 2 + len(name)) for name in at_once] + [max(CELL, 2 + len(end)) for end in ends]


def _distinct(names: Sequence[str], moves: Sequence[str], odds: Mapping[str, Odds]) -> list[str]:
    """The names, except those whose figures repeat the column before them for every move."""
    figures = [[odds[move].at_once.get(name) for move in moves] for name in names]
    return [name for place, name in enumerate(names) if place == 0 or figures[place] != figures[place - 1]]


def _listed(names: Sequence[str], at_once: Mapping[str, Number], indent: int, width: int) -> list[str]:
    """What a move brings at once, in lines below it, where there is too much for columns."""
    parts = [f"{name} {percent(at_once[name], 0)}" for name in names if at_once.get(name)]
    unbroken = ", ".join(part.replace(" ", "\N{NO-BREAK SPACE}") for part in parts)
    margin = " " * indent
    lines = wrap(unbroken, width, initial_indent=margin, subsequent_indent=margin, break_long_words=False)
    return [line.replace("\N{NO-BREAK SPACE}", " ") for line in lines]


def _comes_up(outcome: str, chances: Mapping[str, Mapping[str, Number]]) -> bool:
    """Whether an outcome is worth a column: winning and losing always are, others if a move may lead to them.

    With play-outs nothing is left out: an outcome that has not come up yet still may.
    """
    return outcome in ("win", "lose") or any(of[outcome] for of in chances.values())


def _at_once(moves: Sequence[str], odds: Mapping[str, Odds]) -> list[str]:
    """The names of what some of the moves bring at once."""
    names = dict.fromkeys(name for move in moves for name in odds[move].at_once)
    return [name for name in names if any(odds[move].at_once.get(name) for move in moves)]


def meaning(odds: Mapping[str, Odds], plan: str = "", *, to_win: bool = False) -> str:
    """What the odds of moves mean. In play-outs every fighter follows a tactic, the player's own included.

    Counted odds follow the tactic of a `plan`, or else best play, which may aim at nothing but winning.
    """
    at_once, ends = _at_once(list(odds), odds), _ends(odds, plan, to_win)
    if len(at_once) > MOST_COLUMNS:
        return f"{ends}; below each move, what it brings at once (exact):"
    if at_once:
        return "What you do and suffer at once (exact); then how the fight ends if all follow their tactics:"
    return f"{ends}:"


def _ends(odds: Mapping[str, Odds], plan: str, to_win: bool) -> str:
    """What the chances of the endings mean."""
    if any(found.fights is not None for found in odds.values()):
        return "How the fight ends after each move if all then follow their tactics"
    then = f"follow `{plan}`" if plan else "play only to win" if to_win else "play your best"
    return f"How the fight ends after each move if you then {then} and the others follow their tactics"


def how(odds: Mapping[str, Odds], digits: int = 1) -> str:
    """How the odds were found, in a few words, with their margin of error."""
    ways = list(dict.fromkeys(found.how for found in odds.values()))
    if all(found.fights is None for found in odds.values()):
        return " and ".join(ways)
    telling = [found for found in odds.values() if found.tells]
    if not telling:
        return "being prepared"
    off = max((high - low) / 2 for found in telling for low, high in map(found.interval, found.chances))
    return f"sampled, {out_of(telling, len(ways) > 1)}, give or take {percent(off, digits)}"


def coming(odds: Mapping[str, Odds], command: str = "odds") -> str:
    """What a dash stands for and what to type for more; empty where nothing is missing."""
    few, told = sum(not found.tells for found in odds.values()), []
    if few:
        fewer = f"{few} of {len(odds)} moves have" if few < len(odds) else "All moves have"
        told.append(f"{fewer} had fewer than {TOO_FEW} play-outs and show no figures yet")
    if any(found.unfinished for found in odds.values()):
        told.append("What some moves bring at once is still being counted")
    return f"{'. '.join(told)}; type `{command}` to continue." if told else ""
