"""Twin fights that differ only in what an agent may not know look the same to it, byte for byte."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import pytest

import affray
from affray.kernel.records import copy

np = pytest.importorskip("numpy", reason="NumPy is not installed (the train extra)")
pytest.importorskip("gymnasium", reason="Gymnasium is not installed (the train extra)")
pytest.importorskip("pettingzoo", reason="PettingZoo is not installed (the train extra)")

from affray import envs  # noqa: E402

SECRET = "red=squire blue=ranger"


def face(env: Any, agent: str) -> dict[str, object]:
    """All that an agent is given: bytes and plain values."""
    seen = env.observe(agent)
    return {
        "observation": seen["observation"].tobytes(),
        "mask": seen["action_mask"].tobytes(),
        "reward": env.rewards[agent],
        "terminated": env.terminations[agent],
        "info": {key: np.asarray(value).tobytes() for key, value in env.infos[agent].items()},
        "actions": [env.notation(agent, int(action)) for action in np.flatnonzero(seen["action_mask"])],
    }


def test_a_secret_choice_is_not_seen() -> None:
    faces = []
    for code in (5, 2):
        env = envs.env("bgo", SECRET)
        env.reset(seed=7)
        env.step(env.ground.action_of[code])
        assert env.agent_selection == "ranger"
        faces.append(face(env, "ranger"))
    assert faces[0] == faces[1]


def test_a_secret_choice_is_not_seen_in_compiled_observations(native: ModuleType) -> None:
    seen = []
    for code in (5, 2):
        action = envs.Ground.of("bgo", SECRET).action_of[code]
        vector = envs.FightVectorEnv(
            "bgo",
            SECRET,
            num_envs=2,
            learner="ranger",
            opponents={"red": lambda _, masks, a=action: np.full(len(masks), a)},
        )
        observed, info = vector.reset(seed=7)
        seen.append(
            (observed["observation"].tobytes(), observed["action_mask"].tobytes(), info["action_mask"].tobytes())
        )
    assert seen[0] == seen[1]


def test_cards_that_lie_face_down_are_not_seen() -> None:
    env = envs.env("deckahedron")
    rng, twins = np.random.default_rng(2), 0
    for number in range(10):
        env.reset(seed=2, options={"number": number})
        for agent in env.agent_iter(400):
            seen, _, over, cut, _ = env.last()
            if over or cut:
                break
            truth, place = env.bout.state, env.ground.place(agent)
            own = face(env, agent)
            for dice in range(3):
                env.bout.state = env.bout.setup.imagined(truth, place, affray.Seeded(dice))
                twins += affray.kernel.records.pack(env.bout.state) != affray.kernel.records.pack(truth)
                assert face(env, agent) == own
            env.bout.state = truth
            env.step(rng.choice(np.flatnonzero(seen["action_mask"])))
    assert twins > 20


def test_a_hand_is_not_seen(toy: ModuleType) -> None:
    env = envs.env(toy.system, "red=ann blue=bob")
    env.reset(seed=1)
    truth, faces = env.bout.state, []
    for hand in (0b000011, 0b110000):
        env.bout.state = copy(truth)
        env.bout.state.fighters[1].hand = hand
        env.bout.state.fighters[1].deck = 0b111111 & ~hand
        faces.append(face(env, "ann"))
    assert faces[0] == faces[1]
