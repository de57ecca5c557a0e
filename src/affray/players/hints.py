"""Hints: the best move for a fighter, with the reason in words, taken from what a search saw."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from affray.kernel.chance import Dice
from affray.players.search import Search, mixture
from affray.system.setup import Setup

CLOSE = 0.03  # of the range of values: moves that are closer together hardly differ
COMPARED = 3  # other moves that a hint names


@dataclass(frozen=True)
class Hint:
    """A move to make, and why."""

    move: str
    lines: tuple[str, ...]
    value: float
    moves: tuple[tuple[str, float, int, float], ...]
    """Every move that was looked at: its text, its value, its visits, and how likely it should be made."""
    line: tuple[tuple[str, str], ...]
    """What is expected to follow: who moves and what."""

    def as_table(self) -> dict[str, Any]:
        """The hint as plain JSON values."""
        return {
            "move": self.move,
            "text": list(self.lines),
            "value": self.value,
            "moves": [dict(zip(("move", "value", "visits", "share"), each, strict=True)) for each in self.moves],
            "line": [{"who": who, "move": move} for who, move in self.line],
        }


def hint(setup: Setup[Any], state: Any, who: int, dice: Dice, search: Search | None = None) -> Hint:
    """What a search would do in a fighter's place; it gets only the fighter's view."""
    view = setup.view(state, who)

    def written(code: int) -> str:
        return setup.system.write_move(setup, view, who, code)

    codes = setup.codes(view, who)
    if len(codes) == 1:
        return Hint(written(codes[0]), (f"{written(codes[0])}: there is no other move.",), 0.0, (), ())
    found = (search or Search()).search(setup, view, who, 0)
    policy = mixture(found, 0.0, dice)
    likeliest = max(policy, key=policy.__getitem__)
    arms = {arm.code: arm for arm in found.arms if arm.visits}
    best = arms[likeliest]
    seen = tuple((written(arm.code), arm.value, arm.visits, policy.get(arm.code, 0.0)) for arm in arms.values())
    follows = tuple((setup.names[mover], move) for mover, move in found.line)
    lines = [_mixed(policy, written)] if len(policy) > 1 else []
    if not lines:
        rest = sorted((arm for arm in arms.values() if arm is not best), key=lambda arm: -arm.value)[:COMPARED]
        width = max(arm.value for arm in arms.values()) - min(arm.value for arm in arms.values())
        lines = [_compared(written, best, rest, width)]
    if len(follows) > 1:
        lines.append("Then most likely: " + "; ".join(f"{name} {move}" for name, move in follows[1:]) + ".")
    lines.append(f"({_measure(setup)}; {found.iterations:,} fights looked at, up to {found.deepest} moves ahead)")
    return Hint(written(likeliest), tuple(lines), best.value, seen, follows)


def _mixed(policy: dict[int, float], written: Any) -> str:
    ranked = sorted(policy.items(), key=lambda item: -item[1])
    parts = ", ".join(f"{written(code)} in {chance:.0%}" for code, chance in ranked)
    return f"Mix your moves: {parts} of cases. All choose at the same time, so a fixed choice could be answered."


def _compared(written: Any, best: Any, rest: list[Any], width: float) -> str:
    told = f"{written(best.code)} is worth {best.value:+.2f}"
    if not rest:
        return f"{told}."
    others = ", ".join(f"{written(arm.code)} {arm.value:+.2f}" for arm in rest)
    if best.value - rest[0].value < CLOSE * max(width, 1e-9):
        return f"{told}, but the next best are as good: {others}."
    return f"{told}; the next best: {others}."


def _measure(setup: Setup[Any]) -> str:
    """What a value of 1 is."""
    if setup.system.costs:
        return f"{setup.system.costs[-1].name}, in stakes: 1 is all there is to win"
    return "1 is a fight won, -1 a fight lost"
