"""Steps a second of environments for learning: our vector environment beside pgx, PettingZoo and OpenSpiel's vectors.

Each measurement runs in a process of its own that may use one core, or two. Actions are chosen at random among the open
ones, outside of what is timed. `python -m benchmarks.training` prints the tables.
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

SECONDS = 1.0
TIMES = 5
OURS = {
    "bgo duel": ("bgo", "heroes=player monsters=fire-slime"),
    "grapple duel": ("grapple", "red=ahalish blue=goblin"),
}
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

    step.bytes_each = env.batch.bytes_each  # type: ignore[attr-defined]
    return count, choose, step


def by_pgx(name: str, count: int) -> Stepper:
    """A batch of pgx that begins games anew by itself, compiled as a whole."""
    import jax
    import pgx
    from pgx.experimental.wrappers import auto_reset

    env: Any = pgx.make(name)
    step = jax.jit(jax.vmap(auto_reset(env.step, env.init)))
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


KINDS = {"ours": ours, "pgx": by_pgx, "classic": classic, "openspiel": openspiel}


def measure(kind: str, name: str, count: int) -> dict[str, float]:
    """The best rates of several, in this process: by the clock and by processor time; and the memory of a fight."""
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
    return {"rate": best, "by processor": thrifty, "bytes": getattr(run, "bytes_each", 0.0)}


def apart(kind: str, name: str, count: int, cores: int, backend: str = "numba") -> dict[str, float]:
    """The same in a process of its own, on so many cores."""
    command = [sys.executable, "-m", "benchmarks.training", kind, name, str(count), str(cores)]
    environment = {**os.environ, "JAX_PLATFORMS": "cpu", "AFFRAY_BACKEND": backend}
    ended = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    found: dict[str, float] = json.loads(ended.stdout.splitlines()[-1])
    return found


def rates(cores: int) -> Iterator[tuple[str, dict[str, float]]]:
    """What is compared, on so many cores."""
    for name in OURS:
        for backend in ("wasm", "numba"):
            yield f"ours, {name}, {BATCH:,} fights, {backend}", apart("ours", name, BATCH, cores, backend)
    for name in PGX:
        yield f"pgx, {name}, {BATCH:,} games", apart("pgx", name, BATCH, cores)
    for name in CLASSIC:
        yield f"PettingZoo, {name}", apart("classic", name, 1, cores)
    yield "OpenSpiel, a vector of 64 tic_tac_toe", apart("openspiel", "tic_tac_toe", 64, cores)


def main() -> None:
    for cores in sorted({1, min(2, len(os.sched_getaffinity(0)))}):
        print(f"\nSteps a second on {cores} core{'s' * (cores > 1)}, steps for a second of processor time,")
        print("and how many times as many the slower of our games makes, compiled by Numba:", flush=True)
        ours_least = float("inf")
        for what, found in rates(cores):
            own = what.startswith("ours")
            if own and what.endswith("numba"):
                ours_least = min(ours_least, found["by processor"])
            beside = "" if own else f"{ours_least / found['by processor']:>10.1f} x"
            print(f"  {what:44}{found['rate']:>13,.0f}{found['by processor']:>13,.0f}{beside}", flush=True)
    print("\nHow it grows, on all cores: steps for a second of processor time, and bytes of memory for each fight")
    for count in SIZES:
        row = [apart("ours", name, count, len(os.sched_getaffinity(0))) for name in OURS]
        shown = "".join(
            f"{name:>16} {each['by processor']:>12,.0f} {each['bytes']:>6,.0f} B"
            for name, each in zip(OURS, row, strict=True)
        )
        print(f"  {count:>7,} fights{shown}", flush=True)


if __name__ == "__main__":
    if len(sys.argv) == 5:
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[: int(sys.argv[4])])
        print(json.dumps(measure(sys.argv[1], sys.argv[2], int(sys.argv[3]))))
    else:
        main()
