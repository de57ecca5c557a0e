"""The PettingZoo environments: every fighter an agent, one after another or all who choose at the same time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from affray.envs.batch import closed
from affray.envs.bout import Bout
from affray.envs.ground import Game, Ground, Reward
from affray.envs.needs import AECEnv, ParallelEnv, gymnasium, np
from affray.envs.rendering import RENDER_MODES, rendered
from affray.envs.single import Form, WhenIllegal, check_illegal, check_mode, spaces_of
from affray.errors import Invalid
from affray.fight import Fight
from affray.system.setup import Setup, Teams

METADATA = {"render_modes": list(RENDER_MODES), "is_parallelizable": False, "render_fps": 4}


class _Agents:
    """What both kinds of environment share: a bout whose fighters are agents."""

    agents: list[str]
    render_mode: str | None
    _waits = False  # whether there is an action for fighters who have nothing to choose

    def __init__(
        self,
        system: Game | Sequence[Setup[Any]],
        teams: Teams | str = "",
        *,
        options: Mapping[str, object] | None = None,
        reward: Reward = "values",
        form: Form = "flat",
        illegal: WhenIllegal = "lose",
        max_cycles: int = 0,
        codes: Sequence[int] | None = None,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        check_illegal(illegal)
        check_mode(render_mode)
        ground = Ground.of(system, teams, options, codes)
        self.ground, self.bout = ground, Bout(ground, reward)
        self.possible_agents = list(ground.names)
        self.agents = []
        self.form, self.illegal, self.max_cycles, self.render_mode = form, illegal, max_cycles, render_mode
        self._spaces = {name: spaces_of(ground, form, ground.actions + self._waits) for name in ground.names}
        self._seed, self._next = 0, -1

    def observation_space(self, agent: str) -> Any:
        """What an agent may see."""
        return self._spaces[agent][0]

    def action_space(self, agent: str) -> Any:
        """What an agent may do."""
        return self._spaces[agent][1]

    def _open_bout(self, seed: int | None, options: Mapping[str, Any] | None) -> None:
        if seed is not None or self._next < 0:
            drawn = gymnasium.utils.seeding.np_random(seed)[0]
            self._seed = seed if seed is not None else int(drawn.integers(2**62))
            self._next = 0
        number = int((options or {}).get("number", self._next))
        self._next = number + 1
        self.bout.begin(self._seed, number)
        self.agents = self.possible_agents[:]
        self._cycles = 0

    def _open_to(self, who: int) -> dict[int, int]:
        """The actions open to a fighter who has to choose, with their move codes."""
        return self.ground.open(self.bout.setup, self.bout.view(who), who)

    def _shown(self, who: int, due: bool) -> dict[str, Any]:
        """The observation of a fighter, with the mask of what it may do."""
        mask = np.zeros(self.ground.actions + self._waits, dtype=np.int8)
        if due:
            mask[list(self._open_to(who))] = 1
        elif self._waits and not self.bout.over:
            mask[-1] = 1
        seen = self.ground.observed(self.bout.view(who), who)
        return {"observation": seen if self.form == "flat" else self.ground.table(seen), "action_mask": mask}

    def _code_of(self, who: int, action: Any) -> tuple[int | None, str]:
        """The move that an action means, and what is wrong with one that is not open; no move if it loses the fight."""
        open_ = self._open_to(who)
        code = open_.get(int(action)) if action is not None else None
        if code is not None:
            return code, ""
        refused = closed(self.ground, action, self.ground.mask(open_), self.ground.names[who])
        if self.illegal == "refuse":
            raise refused
        return (open_[min(open_)] if self.illegal == "replace" else None), str(refused)

    @property
    def fight(self) -> Fight:
        """The fight up to here with its story."""
        return self.bout.fight()

    def notation(self, agent: str, action: int) -> str:
        """An open action of an agent as a player would type it."""
        who = self.ground.place(agent)
        open_ = self._open_to(who)
        if action not in open_:
            raise closed(self.ground, action, self.ground.mask(open_), agent)
        return self.bout.setup.system.write_move(self.bout.setup, self.bout.view(who), who, open_[action])

    def render(self) -> Any:
        """The fight as a spectator sees it, in the render mode."""
        return rendered(self.bout, None, self.render_mode)

    def close(self) -> None:
        """Nothing has to be freed."""


class FightAECEnv(_Agents, AECEnv[str, Any, Any]):
    """A fight as a PettingZoo AEC environment: the agent whose turn it is makes one move.

    Fighters who choose at the same time are asked one after another, and none sees what the others have chosen.
    """

    metadata: dict[str, Any] = {**METADATA, "name": "affray_fight_v0"}  # noqa: RUF012

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin the next fight: of a seed that is given the first, or the one with `options={"number": ...}`."""
        self._open_bout(seed, options)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[0]
        self._turn()

    def observe(self, agent: str) -> dict[str, Any]:
        """What an agent sees."""
        who = self.ground.place(agent)
        due = agent == self.agent_selection and not self.bout.over and not self.terminations.get(agent, True)
        return self._shown(who, due and not self.truncations.get(agent, True))

    def step(self, action: Any) -> None:
        """Make the move of the selected agent."""
        if not self.agents:
            raise gymnasium.error.ResetNeeded("the fight is over: call reset() before step()")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self.infos = {name: {} for name in self.agents}
        who = self.ground.place(agent)
        code, problem = self._code_of(who, action)
        if problem:
            self.infos[agent]["illegal"] = problem
        if code is None:
            self.rewards[agent] = self.bout.least(who)
            self.terminations = dict.fromkeys(self.agents, True)
        else:
            self.bout.play(who, code)
            self._cycles += 1
            self._turn()
        self._accumulate_rewards()

    def _turn(self) -> None:
        """Select the next agent, or end the fight."""
        if self.bout.over:
            for who, name in enumerate(self.agents):
                self.rewards[name] = self.bout.worth(who)
                self.terminations[name] = True
                self.infos[name]["ending"] = self.bout.ending
        elif self.max_cycles and self._cycles >= self.max_cycles * len(self.agents):
            self.truncations = dict.fromkeys(self.agents, True)
        else:
            self.agent_selection = self.ground.names[self.bout.due]
        selected = self.agent_selection
        self.infos[selected]["action_mask"] = self.observe(selected)["action_mask"]


class FightParallelEnv(_Agents, ParallelEnv[str, Any, Any]):
    """A fight as a PettingZoo parallel environment: all who choose at the same time do so in one step.

    The last action is to wait, and the only one open to fighters who have nothing to choose.
    """

    metadata: dict[str, Any] = {**METADATA, "name": "affray_fight_v0", "is_parallelizable": True}  # noqa: RUF012
    _waits = True

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
        """Begin the next fight: of a seed that is given the first, or the one with `options={"number": ...}`."""
        self._open_bout(seed, options)
        self._choosing = self.bout.all_due()
        seen = self._observations()
        return seen, self._infos(seen)

    def step(self, actions: Mapping[str, Any]) -> tuple[Any, Any, Any, Any, Any]:
        """Make the moves of all agents who have to choose."""
        if not self.agents:
            raise gymnasium.error.ResetNeeded("the fight is over, or none has begun: call reset() before step()")
        missing = [self.agents[who] for who in self._choosing if self.agents[who] not in actions]
        if missing:
            raise Invalid(f"there must be an action for {missing[0]}, who has to choose", given=list(actions))
        chosen = {who: self._code_of(who, actions[self.agents[who]]) for who in self._choosing}
        told = {who: problem for who, (_, problem) in chosen.items() if problem}
        lost = [who for who, (code, _) in chosen.items() if code is None]
        if not lost:
            for who, (code, _) in chosen.items():
                assert code is not None
                self.bout.play(who, code)
        self._cycles += 1
        over = self.bout.over or bool(lost)
        truncated = bool(not over and self.max_cycles and self._cycles >= self.max_cycles)
        rewards = dict.fromkeys(self.agents, 0.0)
        for who, name in enumerate(self.agents):
            if self.bout.over:
                rewards[name] = self.bout.worth(who)
            elif who in lost:
                rewards[name] = self.bout.least(who)
        self._choosing = [] if over or truncated else self.bout.all_due()
        seen = self._observations()
        infos = self._infos(seen)
        for who, problem in told.items():
            infos[self.agents[who]]["illegal"] = problem
        if self.bout.over:
            for info in infos.values():
                info["ending"] = self.bout.ending
        ended = dict.fromkeys(self.agents, over), dict.fromkeys(self.agents, truncated)
        if over or truncated:
            self.agents = []
        return seen, rewards, *ended, infos

    def _observations(self) -> dict[str, Any]:
        return {name: self._shown(who, who in self._choosing) for who, name in enumerate(self.agents)}

    def _infos(self, seen: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
        return {name: {"action_mask": seen[name]["action_mask"].copy()} for name in self.agents}


def env(*args: Any, **named: Any) -> FightAECEnv:
    """A fight as an AEC environment; see `FightAECEnv`."""
    return FightAECEnv(*args, **named)


def parallel_env(*args: Any, **named: Any) -> FightParallelEnv:
    """A fight as a parallel environment; see `FightParallelEnv`."""
    return FightParallelEnv(*args, **named)
