"""Trains a small policy for one duel in plain NumPy: a network of one hidden layer, learned by advantage actor-critic.

`python examples/training/duel.py` trains for less than a minute, prints the learning curve, and writes it as a picture
beside the policy, which is a player from then on:
`affray play grapple red=ahalish blue=ogre --person blue --computer red=policy:duel.json`.
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # for matrices as small as these, threads cost more than they bring

import numpy as np

from affray.envs import FightVectorEnv, Ground
from affray.players.policy import SCALED, Policy

SYSTEM, TEAMS, LEARNER = "grapple", "red=ahalish blue=ogre", "Ahalish"
HIDDEN, STEPS, ENVS = 64, 16, 512


class Network:
    """Two layers: what is seen, scaled; hidden numbers; and out of them a score for each action, and a value."""

    def __init__(self, ground: Ground, seed: int = 0) -> None:
        rng, inputs, outputs = np.random.default_rng(seed), len(ground.numbers), ground.actions + 1
        self.ground = ground
        self.mean, self.gain = np.zeros(inputs, np.float32), np.ones(inputs, np.float32)
        drawn = {
            "in": rng.normal(0, inputs**-0.5, (inputs, HIDDEN)),
            "hidden": np.zeros(HIDDEN),
            "out": rng.normal(0, 0.01, (HIDDEN, outputs)),
            "bias": np.zeros(outputs),
        }
        self.weights = {name: numbers.astype(np.float32) for name, numbers in drawn.items()}

    def scaled(self, observations: Any) -> Any:
        """Observations with numbers of about the same size; what never changes is 0."""
        return np.clip((observations.astype(np.float32) - self.mean) * self.gain, -SCALED, SCALED)

    def run(self, inputs: Any, masks: Any) -> tuple[Any, Any, Any]:
        """The hidden numbers, the chance of every action, and the value of scaled observations."""
        hidden = np.tanh(inputs @ self.weights["in"] + self.weights["hidden"])
        scores = hidden @ self.weights["out"] + self.weights["bias"]
        logits = np.where(masks, scores[:, :-1], -np.inf)
        chances = np.exp(logits - logits.max(axis=1, keepdims=True))
        return hidden, chances / chances.sum(axis=1, keepdims=True), scores[:, -1]

    def act(self, observations: Any, masks: Any, rng: Any) -> Any:
        """An action for each of many observations."""
        chances = self.run(self.scaled(observations), masks)[1]
        return (chances.cumsum(axis=1) > rng.random((len(chances), 1))).argmax(axis=1)

    def player(self) -> Policy:
        """The policy as a player, which needs no NumPy."""
        ground, layers = self.ground, (("in", "hidden"), ("out", "bias"))
        told = [{"weights": self.weights[w].tolist(), "bias": self.weights[b].tolist()} for w, b in layers]
        known = {"policy": 1, "system": ground.system.id, "numbers": ground.numbers, "codes": ground.codes}
        scales = {"mean": self.mean.tolist(), "gain": self.gain.tolist()}
        return Policy.of({**known, **scales, "places": [ground.place(LEARNER)], "layers": told})


class Adam:
    """Steps along gradients, each number at its own pace."""

    def __init__(self, rate: float) -> None:
        self.rate, self.count = rate, 0
        self.first: dict[str, Any] = {}
        self.second: dict[str, Any] = {}

    def step(self, weights: dict[str, Any], gradients: dict[str, Any]) -> None:
        self.count += 1
        for name, slope in gradients.items():
            self.first[name] = 0.9 * self.first.get(name, 0) + 0.1 * slope
            self.second[name] = 0.999 * self.second.get(name, 0) + 0.001 * slope**2
            first, second = self.first[name] / (1 - 0.9**self.count), self.second[name] / (1 - 0.999**self.count)
            weights[name] -= self.rate * first / (np.sqrt(second) + 1e-8)


def train(updates: int, seed: int = 1, told: Any = print) -> tuple[Network, list[tuple[int, float]]]:
    """Learn for so many updates; returns the policy, and how often it won after how many steps."""
    env = FightVectorEnv(SYSTEM, TEAMS, num_envs=ENVS, learner=LEARNER)
    policy, adam, rng = Network(env.ground, seed), Adam(3e-3), np.random.default_rng(seed)
    seen, _ = env.reset(seed=seed)
    curve: list[tuple[int, float]] = []
    won, ended, count, mean, square = 0, 0, 0, 0.0, 0.0
    for update in range(1, updates + 1):
        batch = []
        for _ in range(STEPS):
            observations, masks = seen["observation"], seen["action_mask"]
            actions = policy.act(observations, masks, rng)
            seen, rewards, over, _, _ = env.step(actions)
            batch.append((observations, masks, actions, rewards, over))
            won, ended = won + int((rewards > 0).sum()), ended + int(over.sum())
        if update <= 20:  # by then the numbers have been seen that are seen at all
            rows = np.concatenate([each[0] for each in batch]).astype(float)
            count, mean, square = count + len(rows), mean + rows.sum(axis=0), square + (rows**2).sum(axis=0)
            spread = np.sqrt(np.maximum(square / count - (mean / count) ** 2, 0))
            policy.mean = (mean / count).astype(np.float32)
            policy.gain = np.where(spread > 0, 1 / np.maximum(spread, 1e-9), 0).astype(np.float32)
        learn(policy, adam, batch, seen)
        if update % 10 == 0:
            curve.append((update * STEPS * ENVS, won / max(1, ended)))
            told(f"{curve[-1][0]:>10,} steps  {curve[-1][1]:6.1%} won", flush=True)
            won, ended = 0, 0
    env.close()
    return policy, curve


def learn(policy: Network, adam: Adam, batch: list[Any], seen: Any, decay: float = 0.95) -> None:
    """One step up the gradient of what was gained beyond the value that was expected."""
    inputs = [policy.scaled(each[0]) for each in batch]
    values = [policy.run(x, each[1])[2] for x, each in zip(inputs, batch, strict=True)]
    after = policy.run(policy.scaled(seen["observation"]), seen["action_mask"])[2]
    advantages, running = [], np.zeros(len(after))
    for (_, _, _, rewards, over), value in zip(reversed(batch), reversed(values), strict=True):
        running = rewards + ~over * (after + decay * running) - value
        advantages.append(running)
        after = value
    gained = np.concatenate(advantages[::-1])
    x, expected = np.concatenate(inputs), np.concatenate(values)
    masks, actions = (np.concatenate([each[place] for each in batch]) for place in (1, 2))
    hidden, chances, value = policy.run(x, masks)
    count, rows = len(x), np.arange(len(x))
    scaled = (gained - gained.mean()) / (gained.std() + 1e-8)
    logs = np.log(chances, out=np.zeros_like(chances), where=chances > 0)
    surprise = (chances * logs).sum(axis=1, keepdims=True)
    slope = np.empty((count, chances.shape[1] + 1), np.float32)
    slope[:, :-1] = chances * scaled[:, None] + 0.01 * chances * (logs - surprise)
    slope[rows, actions] -= scaled
    slope[:, -1] = 0.5 * (value - (gained + expected))
    slope /= count
    back = (slope @ policy.weights["out"].T) * (1 - hidden**2)
    adam.step(
        policy.weights,
        {"out": hidden.T @ slope, "bias": slope.sum(axis=0), "in": x.T @ back, "hidden": back.sum(axis=0)},
    )


def drawn(curve: list[tuple[int, float]]) -> str:
    """The learning curve as SVG."""
    wide, high, most = 640, 300, curve[-1][0]

    def level(won: float) -> float:
        return high - 40 - (high - 60) * won

    points = " ".join(f"{50 + (wide - 70) * steps / most:.1f},{level(won):.1f}" for steps, won in curve)
    lines = [
        f'<line x1="50" x2="{wide - 20}" y1="{level(part):.0f}" y2="{level(part):.0f}" stroke="#ccc"/>'
        f'<text x="44" y="{level(part) + 4:.0f}" text-anchor="end">{part:.0%}</text>'
        for part in (0, 0.25, 0.5, 0.75, 1)
    ]
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}" font-family="sans-serif"'
            ' font-size="12">',
            f'<title>How often {LEARNER} wins</title><rect width="{wide}" height="{high}" fill="#fbfaf7"/>',
            *lines,
            f'<polyline fill="none" stroke="#3559a8" stroke-width="2.5" points="{points}"/>',
            f'<text x="{wide - 20}" y="{high - 16}" text-anchor="end">{most:,} steps</text></svg>',
        ]
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--updates", type=int, default=140, help="how often to learn (default: %(default)s)")
    parser.add_argument("--to", type=Path, default=Path("duel.json"), help="where the policy goes (%(default)s)")
    given = parser.parse_args()
    policy, curve = train(given.updates)
    policy.player().save(given.to)
    given.to.with_suffix(".svg").write_text(drawn(curve), encoding="utf-8")


if __name__ == "__main__":
    main()
