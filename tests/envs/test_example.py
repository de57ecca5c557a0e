"""The trained example: it learns, and plays afterwards as a player like any other."""

from __future__ import annotations

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import affray
from affray.players.deciding import decided
from affray.players.levels import read_player
from affray.system.registry import find

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
    policy.player().save(tmp_path / "duel.json")
    player = read_player(find(duel.SYSTEM), f"policy:{tmp_path / 'duel.json'}", programs=True)
    fight = affray.Fight(duel.SYSTEM, duel.TEAMS, seed=1)
    while not fight.over:
        who = fight.to_act[0]
        move, thought = decided(fight, who, player)
        setup, place = fight.setup, fight.index(who)
        if who == duel.LEARNER:
            assert not thought.problem
            view = setup.view(fight.state, place)
            seen, open_ = policy.ground.observed(view, place)[None], policy.ground.open(setup, view, place)
            chances = policy.run(policy.scaled(seen), policy.ground.mask(open_)[None])[1][0]
            assert {code: chances[action] for action, code in open_.items()} == pytest.approx(thought.policy, abs=1e-4)
        else:
            assert "for fighter 1 of a fight, not for fighter 2" in thought.problem
        fight.play(who, move)


def test_its_gradient_raises_the_chance_of_what_paid(duel: ModuleType) -> None:
    """With two actions, of which only one is rewarded, a few updates make that one likely."""

    class Ground:
        numbers, actions = ("viewer", "round"), 2

    policy, adam = duel.Network(Ground()), duel.Adam(0.05)
    rng, masks = np.random.default_rng(1), np.ones((32, 2), np.int8)
    seen: dict[str, Any] = {"observation": np.tile([0, 1], (32, 1)), "action_mask": masks}
    for _ in range(40):
        actions = policy.act(seen["observation"], masks, rng)
        batch = [(seen["observation"], masks, actions, (actions == 1).astype(float), np.ones(32, bool))]
        duel.learn(policy, adam, batch, seen)
    assert policy.run(policy.scaled(seen["observation"]), masks)[1][0, 1] > 0.9
