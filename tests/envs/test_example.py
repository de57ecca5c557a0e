"""The trained example: it learns, and plays afterwards as a player like any other."""

from __future__ import annotations

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import affray

np = pytest.importorskip("numpy", reason="NumPy is not installed (the train extra)")
pytest.importorskip("gymnasium", reason="Gymnasium is not installed (the train extra)")
pytest.importorskip("pettingzoo", reason="PettingZoo is not installed (the train extra)")

SCRIPT = Path(__file__).parents[2] / "examples" / "training" / "duel.py"


@pytest.fixture(scope="module")
def duel() -> ModuleType:
    """The script as a module."""
    spec = spec_from_file_location("duel", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.long
def test_it_learns_and_comes_back_from_its_file_as_a_player(
    duel: ModuleType, native: ModuleType, tmp_path: Path
) -> None:
    told: list[str] = []
    duel.ENVS, duel.STEPS = 64, 4
    policy, curve = duel.train(10, told=lambda line, flush: told.append(line))
    assert len(told) == len(curve) == 1
    assert "<polyline" in duel.drawn(curve)
    policy.save(tmp_path / "duel.npz")
    player = duel.load(tmp_path / "duel.npz")
    setup = affray.Setup.of(duel.SYSTEM, duel.TEAMS)
    fight = affray.Fight(setup, seed=1)
    who = fight.index("Ahalish")
    thoughts = [each.choose(setup, setup.view(fight.state, who), who, None) for each in (policy, player)]
    assert thoughts[0] == thoughts[1]
    assert thoughts[0].code in fight.codes(who)
    assert sum(thoughts[0].policy.values()) == pytest.approx(1, abs=1e-5)


def test_its_gradient_raises_the_chance_of_what_paid(duel: ModuleType) -> None:
    """With two actions, of which only one is rewarded, a few updates make that one likely."""

    class Ground:
        numbers, actions = ("viewer", "round"), 2

    policy, adam = duel.Policy(Ground()), duel.Adam(0.05)
    rng, masks = np.random.default_rng(1), np.ones((32, 2), np.int8)
    seen: dict[str, Any] = {"observation": np.tile([0, 1], (32, 1)), "action_mask": masks}
    for _ in range(40):
        actions = policy.act(seen["observation"], masks, rng)
        batch = [(seen["observation"], masks, actions, (actions == 1).astype(float), np.ones(32, bool))]
        duel.learn(policy, adam, batch, seen)
    assert policy.run(policy.scaled(seen["observation"]), masks)[1][0, 1] > 0.9
