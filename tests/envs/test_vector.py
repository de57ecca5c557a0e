"""The vector environment: to the last bit the same as single ones, whatever compiled the rules."""

from __future__ import annotations

import multiprocessing
from typing import Any

import pytest

import affray

np = pytest.importorskip("numpy", reason="NumPy is not installed (the train extra)")
gymnasium = pytest.importorskip("gymnasium", reason="Gymnasium is not installed (the train extra)")
pytest.importorskip("pettingzoo", reason="PettingZoo is not installed (the train extra)")

from affray import envs  # noqa: E402
from affray.envs.registration import register_all  # noqa: E402

DUEL = "heroes=player monsters=fire-slime"
DUELS = {
    "bgo": "red=squire blue=ranger",
    "deckahedron": "heroes=maren monsters=guard",
    "grapple": "red=ahalish blue=goblin",
    "mythos": "investigators=detective enemies=ghoul",
    "strategic": "order=knight raiders=brute",
    "d20": "heroes=knight monsters=orc",
}
NEXT_STEP = gymnasium.vector.AutoresetMode.NEXT_STEP

pytestmark = [pytest.mark.usefixtures("examples", "native"), pytest.mark.filterwarnings("error")]


def compare(system: Any, teams: str, *, count: int = 5, steps: int = 40, seed: int = 11, **named: Any) -> int:
    """Step a vector and as many single environments alike, a few illegal actions included; returns how many ended."""
    vector = envs.FightVectorEnv(system, teams, num_envs=count, **named)
    shared = {key: value for key, value in named.items() if key not in ("threads", "copy", "record")}
    singles = [envs.FightEnv(system, teams, **shared) for _ in range(count)]
    seen, _ = vector.reset(seed=seed)
    alone = [env.reset(seed=seed + place)[0] for place, env in enumerate(singles)]
    rng, ended = np.random.default_rng(seed), 0
    for at in range(steps):
        for part in ("observation", "action_mask"):
            assert (seen[part] == np.stack([each[part] for each in alone])).all(), (at, part)
        actions = np.array([rng.choice(np.flatnonzero(mask)) if mask.any() else 0 for mask in seen["action_mask"]])
        if at % 7 == 3:
            actions[0] = vector.ground.actions - 1
        seen, rewards, over, cut, infos = vector.step(actions)
        for place, env in enumerate(singles):
            alone[place], *told, _ = env.step(actions[place])
            assert told == [rewards[place], over[place], cut[place]], (at, place)
            if over[place] or cut[place]:
                ended += 1
                assert infos["_final_obs"][place]
                assert (infos["final_obs"]["observation"][place] == alone[place]["observation"]).all()
                alone[place], _ = env.reset()
    vector.close()
    return ended


@pytest.mark.parametrize("system", DUELS)
def test_a_vector_is_to_the_last_bit_many_single_environments(system: str) -> None:
    assert compare(system, DUELS[system]) > 0
    assert compare(system, DUELS[system], learner=1, max_steps=3, steps=12) > 0


def test_so_it_is_with_teams_threads_options_tactics_and_a_curriculum() -> None:
    assert compare("bgo", DUEL, count=130, steps=4, threads=2, options={"round_cap": 3}, tactics={"monsters": "random"})
    setups = [affray.Setup.of("bgo", f"heroes={hero} monsters=ember-bat") for hero in ("player", "squire", "ranger")]
    assert compare(setups, "", count=9, illegal="replace")


def test_actions_are_found_also_where_codes_are_large_and_share_their_lowest_bits() -> None:
    codes = (1, 1 + 4096, 1 + 8192, 2, 3, 5, -4095)
    assert compare("bgo", DUELS["bgo"], codes=codes) > 0
    keys, places = envs.Ground.of("bgo", DUELS["bgo"], codes=codes).hashed_codes()
    assert len({slot for slot, place in enumerate(places) if place >= 0}) == len(codes)
    assert {keys[slot]: place for slot, place in enumerate(places) if place >= 0} == {
        code: place for place, code in enumerate(codes)
    }
    with pytest.raises(affray.Invalid, match="needs at least one move code"):
        envs.FightVectorEnv("bgo", DUEL, codes=[])


def test_rewards_by_costs_are_those_of_single_environments() -> None:
    assert compare("strategic", DUELS["strategic"], count=3, steps=60, reward="costs", illegal="replace") > 0
    with pytest.raises(affray.Invalid, match="bgo has no costs"):
        envs.FightVectorEnv("bgo", DUEL, reward="costs")


def test_it_renders_every_fight_as_single_environments_do() -> None:
    vector = envs.FightVectorEnv("bgo", DUELS["bgo"], num_envs=3, render_mode="svg")
    singles = [envs.FightEnv("bgo", DUELS["bgo"], render_mode="svg") for _ in range(3)]
    seen, _ = vector.reset(seed=5)
    for place, env in enumerate(singles):
        env.reset(seed=5 + place)
    for _ in range(12):
        actions = seen["action_mask"].argmax(axis=1)
        seen, _, over, _, _ = vector.step(actions)
        for place, env in enumerate(singles):
            env.step(int(actions[place]))
            if over[place]:
                env.reset()
        shown = vector.render()
        assert shown == tuple(env.render() for env in singles)
    assert len(set(shown)) > 1
    with pytest.raises(affray.Invalid, match="render mode"):
        envs.FightVectorEnv("bgo", DUEL, render_mode="film")


def test_a_new_seed_leaves_nothing_of_the_fights_before_it() -> None:
    vector = envs.FightVectorEnv("bgo", DUELS["bgo"], num_envs=2, record=True)
    for seed in (1, 2):
        seen, _ = vector.reset(seed=seed)
        for _ in range(3):
            seen, *_ = vector.step(seen["action_mask"].argmax(axis=1))
    alone = envs.FightVectorEnv("bgo", DUELS["bgo"], num_envs=2, record=True)
    seen, _ = alone.reset(seed=2)
    for _ in range(3):
        seen, *_ = alone.step(seen["action_mask"].argmax(axis=1))
    assert vector.replay(1, 0).story == alone.replay(1, 0).story


def test_the_next_step_begins_the_next_fight_if_so_wanted() -> None:
    vector = envs.FightVectorEnv("bgo", DUEL, num_envs=2, autoreset_mode=NEXT_STEP)
    seen, _ = vector.reset(seed=1)
    flee = np.array([vector.ground.action_of[3]] * 2)
    rewards = []
    while not rewards or not rewards[-1][1].any():
        seen, reward, over, _, _ = vector.step(flee)
        rewards.append((reward, over))
    gone = int(np.flatnonzero(over)[0])
    assert not seen["action_mask"][gone].any()
    assert seen["observation"][gone, vector.ground.numbers.index("ending")] >= 0
    number = vector.fight_of(gone)[1]
    seen, reward, over, _, _ = vector.step(flee)
    assert (reward[gone], over[gone], vector.fight_of(gone)[1]) == (0.0, False, number + 1)
    assert seen["action_mask"][gone].any()


def test_a_frozen_copy_plays_the_other_side() -> None:
    asked = []

    def frozen(observations: Any, masks: Any) -> Any:
        asked.append(observations[:, 0].tolist())
        return masks.argmax(axis=1)

    vector = envs.FightVectorEnv(
        "bgo", "red=squire blue=ranger", num_envs=3, learner="ranger", opponents={"red": frozen}, record=True
    )
    seen, _ = vector.reset(seed=1)
    assert asked == [[0, 0, 0]]
    assert (seen["observation"][:, 0] == 1).all()
    choice = vector.ground.numbers.index("fighters.0.choice")
    assert (seen["observation"][:, choice] == 0).all()  # red has chosen, and blue does not see what
    for _ in range(12):
        seen, _, over, _, infos = vector.step(seen["action_mask"].argmax(axis=1))
        assert (seen["observation"][:, 0] == 1).all()
        if over.any():
            assert (infos["final_obs"]["observation"][over, 0] == 1).all()
    first = vector.replay(2, 0)
    assert first.over
    assert {(answer.who, answer.move) for answer in first.answers} == {("squire", "defend"), ("ranger", "attack")}


def test_fights_of_a_run_are_told_by_number() -> None:
    vector = envs.FightVectorEnv("grapple", "red=ahalish blue=goblin", num_envs=3, record=True)
    seen, _ = vector.reset(seed=21)
    rng, endings = np.random.default_rng(1), {}
    for _ in range(60):
        numbers = [vector.fight_of(env)[1] for env in range(3)]
        actions = np.array([rng.choice(np.flatnonzero(mask)) for mask in seen["action_mask"]])
        seen, _, over, _, infos = vector.step(actions)
        for env in np.flatnonzero(over):
            endings[int(env), numbers[env]] = vector.ground.endings[infos["ending"][env]]
    assert endings
    for (env, number), ending in endings.items():
        fight = vector.replay(env, number)
        assert (fight.ending, fight.dice.seed, fight.dice.number) == (ending, 21 + env, number)
        assert fight.story


def test_arrays_are_written_again_only_if_so_wanted() -> None:
    for copy in (True, False):
        vector = envs.FightVectorEnv("bgo", DUEL, num_envs=4, copy=copy)
        before, _ = vector.reset(seed=1)
        after = vector.step(before["action_mask"].argmax(axis=1))[0]
        assert np.shares_memory(before["observation"], after["observation"]) is not copy


def test_gymnasium_makes_and_wraps_it() -> None:
    register_all()
    vector = gymnasium.make_vec("affray/bgo-duel-v0", num_envs=4, vectorization_mode="vector_entry_point")
    assert isinstance(vector.unwrapped, envs.FightVectorEnv)
    counted = gymnasium.wrappers.vector.RecordEpisodeStatistics(vector)
    seen, _ = counted.reset(seed=1)
    assert counted.observation_space.contains(seen)
    assert counted.action_space.contains(counted.action_space.sample())
    told = [counted.step(np.full(4, vector.unwrapped.ground.action_of[3]))[4] for _ in range(6)]
    assert any("episode" in info for info in told)
    by_gymnasium = gymnasium.make_vec("affray/bgo-duel-v0", num_envs=2, vectorization_mode="sync")
    ours = envs.FightVectorEnv("bgo", DUEL, num_envs=2)
    assert (by_gymnasium.reset(seed=5)[0]["observation"] == ours.reset(seed=5)[0]["observation"]).all()


def test_misuse_is_told() -> None:
    vector = envs.FightVectorEnv("bgo", DUEL, num_envs=3, illegal="refuse")
    with pytest.raises(gymnasium.error.ResetNeeded, match=r"call reset\(\) before step"):
        vector.step(np.zeros(3, int))
    seen, _ = vector.reset(seed=1)
    for wrong in (np.zeros(2, int), np.zeros((3, 1), int), np.zeros(3)):
        with pytest.raises(affray.Invalid, match="actions must be 3 whole numbers in one row"):
            vector.step(wrong)
    actions = seen["action_mask"].argmax(axis=1)
    actions[1] = -4
    with pytest.raises(
        affray.Illegal, match=r"the action of player of fight 1 must be one that its mask allows .*, not -4"
    ):
        vector.step(actions)
    assert (vector.batch.observations == seen["observation"]).all()
    with pytest.raises(affray.Invalid, match="the number of environments must be 1 or more, not 0"):
        envs.FightVectorEnv("bgo", DUEL, num_envs=0)
    with pytest.raises(affray.Invalid, match="make the environment with record=True"):
        vector.replay(0, 0)


def step_elsewhere(vector: Any, told: Any) -> None:
    try:
        vector.step(np.zeros(2, int))
    except affray.Refused as refused:
        told.put(str(refused))


def test_a_forked_process_is_told_to_make_its_own() -> None:
    vector = envs.FightVectorEnv("bgo", DUEL, num_envs=2, threads=1)
    vector.reset(seed=1)
    context = multiprocessing.get_context("fork")
    told: Any = context.SimpleQueue()
    process = context.Process(target=step_elsewhere, args=(vector, told))
    process.start()
    assert "made by another process" in told.get()
    process.join()
