"""PettingZoo's own tests for the AEC and the parallel environment of every system."""

from __future__ import annotations

import itertools
import sys
from types import SimpleNamespace
from typing import Any

import pytest

import affray

np = pytest.importorskip("numpy", reason="NumPy is not installed (the train extra)")
pytest.importorskip("pettingzoo", reason="PettingZoo is not installed (the train extra)")

from pettingzoo.test import (  # noqa: E402
    api_test,
    max_cycles_test,
    parallel_api_test,
    parallel_seed_test,
    performance_benchmark,
    render_test,
    seed_test,
)
from pettingzoo.utils.conversions import parallel_to_aec  # noqa: E402

from affray import envs  # noqa: E402

SYSTEMS = ("bgo", "deckahedron", "grapple", "mythos", "strategic", "d20")
TEAMS = {"bgo": "red=squire,ranger blue=fire-slime,ember-bat", "grapple": "red=ahalish,goblin blue=goblin,goblin"}
SECRET = "red=squire blue=ranger"

# PettingZoo exempts its own environments with dictionaries and masks from these by name.
USUAL = ".*(probably should be|recommend agents|Observation is not a NumPy array|mask numpy array is all zeros).*"

pytestmark = [
    pytest.mark.usefixtures("examples"),
    pytest.mark.filterwarnings("error"),
    pytest.mark.filterwarnings(f"ignore:{USUAL}"),
]


@pytest.mark.parametrize("system", SYSTEMS)
def test_pettingzoo_finds_the_turns_in_order(system: str) -> None:
    for form in ("flat", "table"):
        api_test(envs.env(system, form=form), num_cycles=40)
    seed_test(lambda: envs.env(system), num_cycles=40)


@pytest.mark.parametrize("system", SYSTEMS)
def test_pettingzoo_finds_the_simultaneous_choices_in_order(system: str) -> None:
    for form in ("flat", "table"):
        parallel_api_test(envs.parallel_env(system, form=form), num_cycles=40)
    parallel_seed_test(lambda: envs.parallel_env(system), num_cycles=40)


@pytest.mark.parametrize("system", ["bgo", "grapple"])
def test_pettingzoo_finds_teams_in_order(system: str) -> None:
    api_test(envs.env(system, TEAMS[system]), num_cycles=40)
    parallel_api_test(envs.parallel_env(system, TEAMS[system]), num_cycles=40)


# Of the first seeds one under which random actions do not end the fight within four cycles, in both loops of the test.
LASTING = {"bgo": 2, "deckahedron": 1, "grapple": 0, "mythos": 0, "strategic": 0, "d20": 0}


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_fight_is_cut_after_so_many_cycles(system: str) -> None:
    def lasting(**named: Any) -> Any:
        made = envs.parallel_env(system, illegal="replace", **named)
        made.reset(seed=LASTING[system])
        for place, agent in enumerate(made.agents):
            made.action_space(agent).seed(LASTING[system] + place)
        return made

    max_cycles_test(SimpleNamespace(parallel_env=lasting, env=lambda **named: parallel_to_aec(lasting(**named))))


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_fight_is_rendered_as_text_as_svg_and_as_pixels(system: str, capsys: pytest.CaptureFixture[str]) -> None:
    svg = {"svg": lambda shown: shown.startswith("<svg") and shown.endswith("</svg>")}
    render_test(lambda **named: envs.env(system, **named), custom_tests=svg)
    assert capsys.readouterr().out


@pytest.mark.parametrize("system", SYSTEMS)
def test_pettingzoos_benchmark_runs(
    system: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ticks = itertools.count(0, 0.5)  # it goes on for five seconds by this clock
    monkeypatch.setattr(
        sys.modules[performance_benchmark.__module__], "time", SimpleNamespace(time=lambda: next(ticks))
    )
    performance_benchmark(envs.env(system))
    assert "turns per second" in capsys.readouterr().out


def test_choices_at_the_same_time_are_made_in_one_step_and_turns_one_by_one() -> None:
    secret = envs.parallel_env("bgo", SECRET)
    seen, _ = secret.reset(seed=1)
    assert [int(seen[name]["action_mask"][-1]) for name in secret.agents] == [0, 0]
    attack = secret.ground.action_of[1 | 1 << 2], secret.ground.action_of[1]
    secret.step(dict(zip(secret.agents, attack, strict=True)))
    assert secret.fight.round == 2
    turns = envs.parallel_env("grapple", "red=ahalish blue=goblin")
    seen, _ = turns.reset(seed=1)
    assert [int(seen[name]["action_mask"][-1]) for name in turns.agents] == [0, 1]


def test_rewards_are_the_values_of_the_ending_or_the_costs() -> None:
    for reward in ("values", "costs"):
        env = envs.env("strategic", reward=reward)
        env.reset(seed=3)
        rng = np.random.default_rng(3)
        paid = dict.fromkeys(env.possible_agents, 0.0)
        for agent in env.agent_iter():
            seen, gained, over, cut, _ = env.last()
            paid[agent] += gained
            env.step(None if over or cut else rng.choice(np.flatnonzero(seen["action_mask"])))
        fight = affray.envs.bout.told(env.bout.setup, 3, 0, env.bout.answers)
        for place, (name, team) in enumerate(fight.team_of.items()):
            if reward == "values":
                assert paid[name] == fight.setup.worth(team)[fight.endings.index(str(fight.ending))]
            else:
                before = fight.setup.figures(fight.first_state)[name]
                assert paid[name] == fight.system.costs[-1].of(fight.sheets[place], before, fight.figures[name])


def test_what_is_not_open_loses_is_refused_or_is_replaced() -> None:
    env = envs.env("bgo", SECRET)
    env.reset(seed=1)
    closed = int(np.flatnonzero(env.observe("squire")["action_mask"] == 0)[0])
    env.step(closed)
    assert env.rewards == {"squire": -1.0, "ranger": 0.0}
    assert all(env.terminations.values())
    assert "the action of squire must be one that its mask allows" in env.infos["squire"]["illegal"]
    strict = envs.env("bgo", SECRET, illegal="refuse")
    strict.reset(seed=1)
    with pytest.raises(affray.Illegal, match="must be one that its mask allows"):
        strict.step(closed)
    assert strict.agent_selection == "squire"
    kind = envs.parallel_env("bgo", SECRET, illegal="replace")
    kind.reset(seed=1)
    kind.step({"squire": closed, "ranger": closed})
    assert kind.fight.round == 2
    with pytest.raises(affray.Invalid, match="there must be an action for ranger"):
        kind.step({"squire": closed})


def test_a_fight_that_is_over_wants_a_reset() -> None:
    import gymnasium

    env = envs.parallel_env("bgo", SECRET)
    with pytest.raises(gymnasium.error.ResetNeeded, match="call reset"):
        env.step({})
    with pytest.raises(affray.Invalid, match="there is no way to treat illegal actions 'loose'; did you mean lose"):
        envs.env("bgo", illegal="loose")
    with pytest.raises(affray.Invalid, match="bgo has no costs"):
        envs.env("bgo", reward="costs")
