"""Steps a second of environments for learning: our vector environment beside pgx, PettingZoo and OpenSpiel's vectors.

Each measurement runs in a process of its own that may use one core, or two. Actions are chosen at random among the open
ones, outside of what is timed. `python -m benchmarks.training` prints the tables.

A step of ours is a move of the learner with all moves of the others up to its next one. A step of pgx, PettingZoo and
OpenSpiel is one move of one player, so moves are counted too; and pgx is also measured doing what a step of ours does,
with a reply at random. Tic-tac-toe and connect four are the same games on both sides (`benchmarks.boards`). What a game
holds in memory, and how many actions it has, say which of the others are of like size.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from benchmarks import boards

SECONDS = 1.0
COUNTED = 1000  # steps by which moves are counted
TIMES = 5
OURS: dict[str, tuple[Any, str]] = {
    "tic_tac_toe": (boards.tic_tac_toe, boards.TEAMS),
    "connect_four": (boards.connect_four, boards.TEAMS),
    "bgo duel": ("bgo", "heroes=player monsters=fire-slime"),
    "grapple duel": ("grapple", "red=ahalish blue=goblin"),
}
DUELS = tuple(name for name, (system, _) in OURS.items() if isinstance(system, str))
LIKE = {
    "leduc_holdem": DUELS,
    "backgammon": DUELS,
    "tictactoe_v3": ("tic_tac_toe",),
    "connect_four_v3": ("connect_four",),
}
"""Which of our games each of theirs is compared with, where it is not the game of the same name."""
PGX = ("tic_tac_toe", "connect_four", "leduc_holdem", "backgammon")
CLASSIC = ("tictactoe_v3", "connect_four_v3")
BATCH = 8192
SIZES = (1, 10, 100, 1_000, 10_000, 100_000)

Stepper = tuple[int, Callable[[], Any], Callable[[Any], object]]
"""The steps of one call, what chooses its actions, and the call that is timed."""


def ours(name: str, count: int) -> Stepper:
    """Our vector environment, which writes into the same arrays again."""
    from affray.envs import FightVectorEnv

    env = FightVectorEnv(*OURS[name], num_envs=count, copy=False)
    env.reset(seed=1)
    rng, masks = np.random.default_rng(1), env.batch.masks

    def choose() -> Any:
        return (masks * rng.random(masks.shape, dtype=np.float32)).argmax(axis=1)

    def step(actions: Any) -> None:
        env.step(actions)

    about = {"bytes": env.batch.bytes_each, "actions": env.ground.actions, "moves": moves_a_step(name)}
    step.about = about  # type: ignore[attr-defined]
    return count, choose, step


def moves_a_step(name: str) -> float:
    """How many moves a step of the learner makes, with those of the others: counted in fights at random."""
    from affray.envs import FightEnv

    env, rng, moves = FightEnv(*OURS[name]), np.random.default_rng(1), 0
    seen, _ = env.reset(seed=1)
    for _ in range(COUNTED):
        seen, _, over, _, _ = env.step(rng.choice(np.flatnonzero(seen["action_mask"])))
        if over:
            moves += len(env.bout.answers)
            seen, _ = env.reset()
    return (moves + len(env.bout.answers)) / COUNTED


def by_pgx(name: str, count: int) -> Stepper:
    """A batch of pgx that begins games anew by itself, compiled as a whole."""
    from pgx.experimental.wrappers import auto_reset

    return stepped(name, count, lambda env: auto_reset(env.step, env.init))


def by_pgx_with_replies(name: str, count: int) -> Stepper:
    """The same with a reply at random in each step, as in a step of ours."""
    import jax
    from pgx.experimental.wrappers import auto_reset

    def replying(env: Any) -> Any:
        def both(state: Any, action: Any, key: Any) -> Any:
            one, other = jax.random.split(key)
            moved = env.step(state, action)
            scores = jax.numpy.log(moved.legal_action_mask.astype(jax.numpy.float32))
            return env.step(moved, jax.random.categorical(one, scores), other)

        return auto_reset(both, env.init)

    made = stepped(name, count, replying)
    made[2].about["moves"] = moves_a_step(name)  # type: ignore[attr-defined]
    return made


def stepped(name: str, count: int, stepper: Callable[[Any], Any]) -> Stepper:
    """A batch of a game of pgx, with what makes a step of it."""
    import jax
    import pgx

    env: Any = pgx.make(name)
    step = jax.jit(jax.vmap(stepper(env)))
    keys = jax.random.split(jax.random.PRNGKey(1), count)
    held = {"state": jax.jit(jax.vmap(env.init))(keys), "key": jax.random.PRNGKey(2)}

    @jax.jit
    def chosen(key: Any, mask: Any) -> Any:
        return jax.random.categorical(key, jax.numpy.log(mask.astype(jax.numpy.float32)), axis=1)

    def choose() -> Any:
        held["key"], one, two = jax.random.split(held["key"], 3)
        actions = chosen(one, held["state"].legal_action_mask)
        return jax.block_until_ready((actions, jax.random.split(two, count)))

    def run(given: Any) -> None:
        held["state"] = jax.block_until_ready(step(held["state"], *given))

    held_bytes = sum(leaf.nbytes for leaf in jax.tree_util.tree_leaves(held["state"])) / count
    run.about = {"bytes": held_bytes, "actions": env.num_actions}  # type: ignore[attr-defined]
    return count, choose, run


def classic(name: str, _count: int) -> Stepper:
    """One of PettingZoo's classic games, an agent after another."""
    from importlib import import_module

    env = import_module(f"pettingzoo.classic.{name}").env()
    env.reset(seed=1)
    rng = np.random.default_rng(1)

    def run(_: Any) -> None:
        for _ in range(100):
            seen, _, over, cut, _ = env.last()
            if over or cut:
                env.reset()
            else:
                env.step(rng.choice(np.flatnonzero(seen["action_mask"])))

    return 100, lambda: None, run


def openspiel(name: str, count: int) -> Stepper:
    """OpenSpiel's vector of environments."""
    from open_spiel.python import rl_environment, vector_env
    from open_spiel.python.rl_agent import StepOutput

    env = vector_env.SyncVectorEnv([rl_environment.Environment(name) for _ in range(count)])
    held = {"steps": env.reset()}
    rng = np.random.default_rng(1)

    def choose() -> Any:
        open_ = [each.observations["legal_actions"][each.observations["current_player"]] for each in held["steps"]]
        return [StepOutput(action=int(rng.choice(actions)), probs=None) for actions in open_]

    def run(actions: Any) -> None:
        held["steps"] = env.step(actions, reset_if_done=True)[0]

    return count, choose, run


KINDS = {
    "ours": ours,
    "pgx": by_pgx,
    "pgx with replies": by_pgx_with_replies,
    "classic": classic,
    "openspiel": openspiel,
}


def measure(kind: str, name: str, count: int) -> dict[str, float]:
    """The best rates of several, in this process: by the clock and by processor time; and what is known of the game."""
    steps, choose, run = KINDS[kind](name, count)
    for _ in range(3):
        run(choose())
    best, thrifty = 0.0, 0.0
    for _ in range(TIMES):
        done, passed, spent = 0, 0.0, 0.0
        while spent < SECONDS / TIMES:
            actions = choose()
            begun, used = time.perf_counter(), time.process_time()
            run(actions)
            passed, spent = passed + time.perf_counter() - begun, spent + time.process_time() - used
            done += steps
        best, thrifty = max(best, done / passed), max(thrifty, done / spent)
    return {"rate": best, "by processor": thrifty, "moves": 1.0, **getattr(run, "about", {})}


def apart(kind: str, name: str, count: int, cores: int, backend: str = "numba") -> dict[str, float]:
    """The same in a process of its own, on so many cores."""
    command = [sys.executable, "-m", "benchmarks.training", kind, name, str(count), str(cores)]
    environment = {**os.environ, "JAX_PLATFORMS": "cpu", "AFFRAY_BACKEND": backend}
    ended = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    found: dict[str, float] = json.loads(ended.stdout.splitlines()[-1])
    return found


def rates(cores: int) -> Iterator[tuple[str, str, str, dict[str, float]]]:
    """What is compared, on so many cores: kind, game, how it is shown, and its figures."""
    for name, (system, _) in OURS.items():
        for backend in ("wasm", "numba") if isinstance(system, str) else ("numba",):
            shown = f"ours, {name}, {BATCH:,} fights, {backend}"
            yield "ours" if backend == "numba" else "", name, shown, apart("ours", name, BATCH, cores, backend)
    for name in PGX:
        yield "pgx", name, f"pgx, {name}, {BATCH:,} games", apart("pgx", name, BATCH, cores)
        if name in OURS:
            kind = "pgx with replies"
            yield kind, name, f"pgx, {name}, each with a reply", apart(kind, name, BATCH, cores)
    for name in CLASSIC:
        yield "classic", name, f"PettingZoo, {name}", apart("classic", name, 1, cores)
    name = "tic_tac_toe"
    yield "openspiel", name, f"OpenSpiel, a vector of 64 {name}", apart("openspiel", name, 64, cores)


def compare(cores: int) -> None:
    """Print how all of them do on so many cores."""
    print(f"\nOn {cores} core{'s' * (cores > 1)}: steps a second, steps and moves for a second of processor time,")
    print("bytes and actions of a game, and how many times as many steps and moves ours makes, compiled by Numba: the")
    print("same game, or the slower of our duels.", flush=True)
    own: dict[str, tuple[float, float]] = {}
    for kind, name, shown, found in rates(cores):
        thrifty = found["by processor"]
        made = thrifty * found["moves"]
        if kind == "ours":
            own[name] = thrifty, made
        size = f"{found['bytes']:>7,.0f} B{found['actions']:>6.0f}" if "bytes" in found else " " * 15
        beside = ""
        if kind not in ("", "ours"):
            steps, moves = (min(own[like][which] for like in LIKE.get(name, (name,))) for which in (0, 1))
            beside = f"{steps / thrifty:>8.1f} x{moves / made:>8.1f} x"
        print(f"  {shown:42}{found['rate']:>12,.0f}{thrifty:>12,.0f}{made:>12,.0f}{size}{beside}", flush=True)


def grow() -> None:
    """Print how our environment does with more and more fights."""
    print("\nHow it grows, on all cores: steps for a second of processor time, and bytes of memory for each fight")
    for count in SIZES:
        row = [apart("ours", name, count, len(os.sched_getaffinity(0))) for name in OURS]
        shown = "".join(
            f"{name:>16} {each['by processor']:>12,.0f} {each['bytes']:>6,.0f} B"
            for name, each in zip(OURS, row, strict=True)
        )
        print(f"  {count:>7,} fights{shown}", flush=True)


def main() -> None:
    asked = sys.argv[1:] or ["1", "2", "grow"]
    for cores in sorted({int(cores) for cores in asked if cores != "grow"} & {1, len(os.sched_getaffinity(0))}):
        compare(cores)
    if "grow" in asked:
        grow()


if __name__ == "__main__":
    if len(sys.argv) == 5:
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[: int(sys.argv[4])])
        print(json.dumps(measure(sys.argv[1], sys.argv[2], int(sys.argv[3]))))
    else:
        main()
