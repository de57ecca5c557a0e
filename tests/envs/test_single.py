"""The Gymnasium environment: its checker, opponents, curricula, replays and what happens on misuse."""

from __future__ import annotations

import pickle
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import affray
from tests.stubborn import stubborn

np = pytest.importorskip("numpy", reason="NumPy is not installed (the train extra)")
gymnasium = pytest.importorskip("gymnasium", reason="Gymnasium is not installed (the train extra)")
pytest.importorskip("pettingzoo", reason="PettingZoo is not installed (the train extra)")

from gymnasium.utils.env_checker import check_env  # noqa: E402

from affray import envs  # noqa: E402
from affray.envs.registration import register_all  # noqa: E402

SYSTEMS = ("bgo", "deckahedron", "grapple", "mythos", "strategic", "d20")
DUEL = "heroes=player monsters=fire-slime"

pytestmark = [pytest.mark.usefixtures("examples"), pytest.mark.filterwarnings("error")]


def play(env: Any, seed: int, resets: int = 1) -> list[tuple[float, str]]:
    """Random fights: the reward and the ending of each."""
    rng, found = np.random.default_rng(seed), []
    for fight in range(resets):
        seen, _ = env.reset(seed=seed if fight == 0 else None)
        over = False
        while not over:
            seen, reward, over, _, info = env.step(rng.choice(np.flatnonzero(seen["action_mask"])))
        found.append((reward, info["ending"]))
    return found


@pytest.mark.parametrize("system", SYSTEMS)
def test_gymnasium_finds_the_registered_environment_in_order(system: str) -> None:
    register_all()
    check_env(gymnasium.make(f"affray/{system}-duel-v0").unwrapped, skip_render_check=True)
    check_env(gymnasium.make(f"affray/{system}-v0", form="table").unwrapped, skip_render_check=True)


def test_gymnasium_renders_every_mode() -> None:
    check_env(gymnasium.make("affray/bgo-duel-v0", render_mode="ansi").unwrapped)


def test_the_flat_and_the_named_observation_say_the_same_as_the_view() -> None:
    env = envs.FightEnv("mythos", learner=1)
    seen, info = env.reset(seed=5)
    assert (info["action_mask"] == seen["action_mask"]).all()
    view = env.bout.setup.view(env.bout.state, 1)
    flat = dict(zip(env.ground.numbers, seen["observation"].tolist(), strict=True))
    assert flat["viewer"] == 1
    assert flat["fighters.0.hp"] == view.fighters[0].hp
    assert flat["fighters.1.skills.0"] == view.fighters[1].skills[0]
    damage = view.fighters[1].damage[0]
    assert flat["fighters.1.damage.0"] % 2**32 + (flat["fighters.1.damage.0.high"] << 32) == damage
    table = env.ground.table(seen["observation"])
    assert table["fighters.1.skills"].tolist() == view.fighters[1].skills
    assert int(table["round"]) == view.round


def test_every_legal_move_is_an_open_action_even_if_its_code_was_not_known() -> None:
    env = envs.FightEnv("bgo", DUEL, codes=[2])
    seen, _ = env.reset(seed=1)
    assert [env.notation(int(action)) for action in np.flatnonzero(seen["action_mask"])] == ["defend", "attack", "flee"]


def test_fights_are_the_same_again_by_seed_and_number_and_have_their_story() -> None:
    env = envs.FightEnv("grapple", "red=ahalish blue=goblin")
    first = play(env, 4, resets=3)
    third = env.fight
    assert play(envs.FightEnv("grapple", "red=ahalish blue=goblin"), 4, resets=3) == first
    assert third.ending == first[2][1]
    assert (third.dice.seed, third.dice.number) == (4, 2)
    assert affray.Fight.load is not None
    assert third.lines
    seen, _ = env.reset(seed=4, options={"number": 2})
    again = env.bout.setup.opened(affray.Seeded(4, 2))
    assert (seen["observation"] == env.ground.observed(env.bout.setup.view(again, 0), 0)).all()


def test_opponents_may_be_players_who_see_their_view_only() -> None:
    asked: list[tuple[int, int]] = []

    class Defender:
        def choose(self, setup: Any, view_state: Any, who: int, dice: Any) -> Any:
            asked.append((who, view_state.fighters[0].choice))
            return SimpleNamespace(code=2)

    env = envs.FightEnv("bgo", "red=squire blue=ranger", opponents={"blue": Defender()}, learner="squire")
    env.reset(seed=1)
    env.step(env.ground.action_of[5])
    assert asked == [(1, 0)]
    assert env.fight.answers[1].move == "defend"


def test_opponents_may_be_named_as_in_the_arena(tmp_path: Path) -> None:
    stubborn(affray.Fight("bgo", "red=squire blue=ranger"), "defend").save(tmp_path / "wary.json")
    stories = []
    for name in (f"policy:{tmp_path / 'wary.json'}", "search:20", "search:20"):
        env = envs.FightEnv("bgo", "red=squire blue=ranger", opponents={"blue": name})
        env.reset(seed=1)
        env.step(env.ground.action_of[5])
        stories.append([answer.move for answer in env.fight.answers])
    assert stories[0][1] == "defend"
    assert stories[1] == stories[2]
    with pytest.raises(affray.Invalid, match="did you mean expert"):
        envs.FightEnv("bgo", "red=squire blue=ranger", opponents={"blue": "exprt"})


def test_a_curriculum_draws_rosters_and_options_by_seed_and_number() -> None:
    setups = [affray.Setup.of("bgo", f"heroes={hero} monsters=fire-slime", {"round_cap": cap})
              for hero in ("player", "squire") for cap in (50, 60)]  # fmt: skip
    env = envs.FightEnv(setups)
    drawn = set()
    for number in range(40):
        env.reset(seed=3, options={"number": number})
        drawn.add((env.bout.setup.names[0], env.bout.setup.options["round_cap"]))
    assert len(drawn) == 4
    assert env.ground.names == ("heroes-1", "monsters-1")
    for other, problem in (
        ("heroes=player,squire monsters=fire-slime", "heroes=1 monsters=1 and heroes=2 monsters=1"),
        ("a=player b=fire-slime", "the same teams of the same sizes"),
    ):
        with pytest.raises(affray.Invalid, match=problem):
            envs.FightEnv([setups[0], affray.Setup.of("bgo", other)])


def test_misuse_is_told() -> None:
    env = envs.FightEnv("bgo", DUEL, illegal="refuse", max_steps=1)
    with pytest.raises(gymnasium.error.ResetNeeded, match=r"call reset\(\) before step"):
        env.step(0)
    seen, _ = env.reset(seed=1)
    closed = int(np.flatnonzero(seen["action_mask"] == 0)[0])
    with pytest.raises(
        affray.Illegal, match=rf"the action of player must be one that its mask allows .*, not {closed}"
    ):
        env.step(closed)
    assert env.step(int(np.flatnonzero(seen["action_mask"])[0]))[2:4] == (False, True)
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(0)
    with pytest.raises(affray.Invalid, match="there is no fighter 'plaier'; did you mean player"):
        envs.FightEnv("bgo", DUEL, learner="plaier")
    with pytest.raises(affray.Invalid, match="there is no form of observations 'falt'; did you mean flat"):
        envs.FightEnv("bgo", DUEL, form="falt")
    with pytest.raises(affray.Invalid, match="there is no fighter or team 'ogres'"):
        envs.FightEnv("bgo", DUEL, opponents={"ogres": object()})


def test_environments_of_gymnasiums_own_vectors_go_to_other_processes() -> None:
    made = pickle.loads(pickle.dumps(gymnasium.spec("affray/bgo-duel-v0"))).make()
    made.reset(seed=2)
    assert made.step(1)[1] in (-1.0, 0.0, 1.0)
