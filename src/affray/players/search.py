"""The player `search`: thinks ahead by tree search, for a time or a number of iterations, and says what it saw."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from affray.errors import Invalid
from affray.kernel.chance import Dice, pick
from affray.players.player import Thought
from affray.system.setup import Setup

if TYPE_CHECKING:
    from affray.lab.searching import Arm
    from affray.lab.searching import Search as Found

RARE, RARE_LATER = 0.03, 3.0  # moves with a smaller share of a mixture are left out, later 3 / sqrt(iterations)
SHOWN = 4  # moves in what it tells


@dataclass(frozen=True)
class Search:
    """Thinks for a number of iterations or seconds; noise from 0 to 1 makes it mistake worse moves for better."""

    iterations: int | None = None
    seconds: float | None = None
    noise: float = 0.0
    trees: int | None = None
    stopped: Callable[[], bool] = lambda: False

    def __post_init__(self) -> None:
        if self.iterations is None and self.seconds is None:
            object.__setattr__(self, "seconds", 1.0)
        if self.iterations is not None and self.iterations < 1:
            raise Invalid(f"a search needs 1 iteration or more, not {self.iterations}", given=self.iterations)
        if self.seconds is not None and not 0 < self.seconds <= 3600:
            problem = f"a search must have a time above 0 and up to 3600 seconds, not {self.seconds:g}"
            raise Invalid(problem, given=self.seconds)

    def choose(self, setup: Setup[Any], view_state: Any, who: int, dice: Dice) -> Thought:
        """The move that promises most by what the search has seen; a mixture where others choose at the same time."""
        codes = setup.codes(view_state, who)
        seed = sum(pick(dice, 256) << 8 * place for place in range(6))
        if len(codes) == 1:
            return Thought(codes[0], {codes[0]: 1.0}, None, ("There is no other move.",))
        found = self.search(setup, view_state, who, seed)
        policy = mixture(found, self.noise, dice)
        at, code = pick(dice, 256) + pick(dice, 256) / 256, next(iter(policy))
        for candidate, chance in policy.items():
            code, at = candidate, at - 256 * chance
            if at < 0:
                break
        values = {arm.code: arm.value for arm in found.arms}
        value = sum(chance * values[each] for each, chance in policy.items())
        return Thought(code, policy, value, told(setup, view_state, who, found, policy))

    def search(self, setup: Setup[Any], view_state: Any, who: int, seed: int) -> Found:
        """All that the search finds out."""
        from affray.lab import native_ready
        from affray.lab.searching import run_search

        return run_search(
            setup,
            view_state,
            who,
            seed=seed,
            iterations=self.iterations,
            seconds=self.seconds if self.iterations is None else None,
            trees=self.trees,
            compiled=native_ready(setup),
            stopped=self.stopped,
        )

    def until(self, stopped: Callable[[], bool]) -> Search:
        """The same, which stops thinking as soon as that is true."""
        return replace(self, stopped=stopped)


def mixture(found: Found, noise: float, dice: Dice) -> dict[int, float]:
    """How likely each move is to be made."""
    arms = [arm for arm in found.arms if arm.visits] or list(found.arms[:1])
    if noise:
        low, high = min(arm.value for arm in arms), max(arm.value for arm in arms)
        strayed = {arm.code: arm.value + noise * (high - low) * pick(dice, 256) / 255 for arm in arms}
        return {max(strayed, key=strayed.__getitem__): 1.0}
    if found.mixed:
        # A rare move may be vital, where the others could hold the fight up for ever if it were never made.
        rare = min(RARE, RARE_LATER / found.iterations**0.5)
        kept = {arm.code: arm.share for arm in arms if arm.share >= rare}
        whole = sum(kept.values())
        return {code: share / whole for code, share in kept.items()} if whole else {arms[0].code: 1.0}
    return {best_arm(found).code: 1.0}


def best_arm(found: Found) -> Arm:
    """The best move of those that were looked at long enough, by what it is worth with all likelihood.

    How much fights differ is taken to be the same for all moves: else a sure draw would count for more than it is
    worth, and a fighter would flee from an even fight.
    """
    enough = max(arm.visits for arm in found.arms) / 4
    spread = sum((arm.visits * arm.error) ** 2 for arm in found.arms) / sum(arm.visits for arm in found.arms)

    def likely_worth(arm: Arm) -> tuple[float, int]:
        return arm.value - (spread / arm.visits) ** 0.5, arm.visits

    return max((arm for arm in found.arms if arm.visits >= enough), key=likely_worth)


def told(setup: Setup[Any], state: Any, who: int, found: Found, policy: dict[int, float]) -> tuple[str, ...]:
    """What the search considered: visits and value of the best moves, and the expected line."""
    likely = sorted(found.arms, key=lambda arm: (-policy.get(arm.code, 0.0), -arm.visits))[:SHOWN]
    lines = []
    for arm in likely:
        if not arm.visits:
            continue
        text = setup.system.write_move(setup, state, who, arm.code)
        chance = policy.get(arm.code, 0.0)
        chosen = f", made in {chance:.0%} of cases" if 0 < chance < 0.995 else ""
        lines.append(f"{text}: value {arm.value:+.3f}, {arm.visits:,} visits{chosen}")
    if len(found.line) > 1:
        lines.append("expected: " + "; ".join(f"{setup.names[mover]} {move}" for mover, move in found.line))
    positions = f"{found.nodes:,} position{'s' * (found.nodes != 1)}"
    lines.append(f"{found.iterations:,} iterations, {positions}, up to {found.deepest} moves ahead")
    return tuple(lines)
