"""The Gymnasium vector environment: thousands of fights in one compiled call, each of them as `FightEnv` fights it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any

from affray.envs.batch import Batch, Part
from affray.envs.bout import Bout
from affray.envs.ground import Game, Ground, Reward
from affray.envs.needs import gymnasium, np
from affray.envs.rendering import RENDER_MODES, rendered
from affray.envs.single import WhenIllegal, check_illegal, check_mode, players_by_place, spaces_of
from affray.errors import Invalid
from affray.fight import Fight
from affray.lab.courses import CUT, ENDED, NUMBER, OVER, SEED, WHO
from affray.system.setup import Setup, Teams

AutoresetMode = gymnasium.vector.AutoresetMode
Policy = Callable[[Any, Any], Any]
"""What decides for many fighters at once: it gets their observations and masks, and gives an action for each."""


class FightVectorEnv(gymnasium.vector.VectorEnv[Any, Any, Any]):
    """One learner in each of many fights that compiled rules step together, on all cores.

    With seeds s, s + 1, ... it gives to the last bit what as many `FightEnv`s give that are reset with them. Fights
    that end begin anew: in the same step, or with `autoreset_mode` NEXT_STEP in the next. With `copy=False` it returns
    the arrays that the next step writes into. `opponents` gives fighters or teams to policies, such as a frozen copy of
    the learner. With `record=True` moves are kept, and `replay` tells any fight. Rewards by costs and rendering fight
    single fights again by interpreted rules: for costs each that ends, when it ends; to render it each that is shown.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012
        "autoreset_mode": AutoresetMode.SAME_STEP,
        "render_modes": list(RENDER_MODES),
        "render_fps": 4,
    }

    def __init__(
        self,
        system: Game | Sequence[Setup[Any]],
        teams: Teams | str = "",
        *,
        num_envs: int = 1,
        options: Mapping[str, object] | None = None,
        learner: str | int | None = None,
        tactics: Mapping[str, str] | None = None,
        opponents: Mapping[str, Policy] | None = None,
        reward: Reward = "values",
        illegal: WhenIllegal = "lose",
        max_steps: int = 0,
        codes: Sequence[int] | None = None,
        autoreset_mode: Any = AutoresetMode.SAME_STEP,
        copy: bool = True,
        threads: int | None = None,
        record: bool = False,
        render_mode: str | None = None,
    ) -> None:
        check_illegal(illegal)
        if num_envs < 1:
            raise Invalid(f"the number of environments must be 1 or more, not {num_envs}", given=num_envs)
        check_mode(render_mode)
        mode = AutoresetMode(autoreset_mode)
        if mode is AutoresetMode.DISABLED:
            allowed = [AutoresetMode.SAME_STEP.value, AutoresetMode.NEXT_STEP.value]
            raise Invalid(
                "fights begin anew by themselves: in the same step or in the next", given=mode, allowed=allowed
            )
        self.ground, self.num_envs, self.illegal, self.copy = (
            Ground.of(system, teams, options, codes),
            num_envs,
            illegal,
            copy,
        )
        self.learner, self.reward, self.render_mode = self.ground.place(learner), reward, render_mode
        Bout(self.ground, reward)  # refuses rewards that the system does not have
        self.metadata = {**self.metadata, "autoreset_mode": mode}
        self.single_observation_space, self.single_action_space = spaces_of(self.ground, "flat", self.ground.actions)
        self._policies = players_by_place(self.ground, opponents)
        self._policies.pop(self.learner, None)
        self._tactics = tactics
        self.batch = Batch(
            self.ground,
            num_envs,
            sum(1 << place for place in {self.learner, *self._policies}),
            self.learner,
            tactics,
            amend=self._amend,
            longest=max_steps,
            same_step=mode is AutoresetMode.SAME_STEP,
            threads=threads,
        )
        self._worth = self.ground.worth(self.learner)
        self._lost = np.zeros(num_envs, dtype=bool)
        self._none_open = np.zeros_like(self.batch.masks)
        self._codes = np.array(self.ground.codes, dtype=np.int64)
        self._records = record
        keeps = record or reward == "costs" or render_mode is not None
        self._played: list[tuple[Any, Any]] | None = [] if keeps else None
        self._begun = False

    @cached_property
    def observation_space(self) -> Any:  # type: ignore[override]
        """The space of a batch of observations; made when it is asked for, because it takes as much memory as they."""
        return gymnasium.vector.utils.batch_space(self.single_observation_space, self.num_envs)

    @cached_property
    def action_space(self) -> Any:  # type: ignore[override]
        """The space of a batch of actions."""
        return gymnasium.vector.utils.batch_space(self.single_action_space, self.num_envs)

    def reset(
        self, *, seed: int | Sequence[int] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Begin the next fight everywhere; with a seed the first of it, in environment i that of seed + i."""
        rows = np.ones(self.num_envs, dtype=bool) & (options or {}).get("reset_mask", True)
        course = self.batch.course
        if seed is not None or not self._begun:
            if isinstance(seed, int | np.integer):
                self._np_random, self._np_random_seed = gymnasium.utils.seeding.np_random(int(seed))
                seeds = np.arange(seed, seed + self.num_envs)
            elif seed is None:
                seeds = self.np_random.integers(2**62, size=self.num_envs)
            else:
                seeds = np.asarray(seed, dtype=np.int64)
                if seeds.shape != (self.num_envs,):
                    raise Invalid(f"there must be a seed for each of {self.num_envs} environments, not {len(seeds)}")
            self.batch.restart(rows, seeds[rows], 0)
            for numbers, _ in self._played or ():  # fights of other seeds
                numbers[rows] = -1
        else:
            self.batch.restart(rows, course[rows, SEED], course[rows, NUMBER] + 1)
        self._begun = True
        self._make(np.where(rows, 0, -1))
        self._let_others(np.full(self.num_envs, -1))
        return self._seen(), {"action_mask": self._given(self.batch.masks)}

    def step(self, actions: Any) -> tuple[dict[str, Any], Any, Any, Any, dict[str, Any]]:
        """Make the learners' moves, and all moves of others up to their next ones."""
        if not self._begun:
            raise gymnasium.error.ResetNeeded("no fights have begun: call reset() before step()")
        actions = self._checked(actions)
        self._lost[:] = False
        numbers = self.batch.course[:, NUMBER].copy() if self.reward == "costs" else ()
        self._make(actions)
        ended = self._let_others(self.batch.course[:, ENDED].copy())
        over = ended >= 0
        rows = np.flatnonzero(over)
        rewards = np.zeros(self.num_envs)
        if self.reward == "values":
            rewards[rows] = self._worth[ended[rows]]
        else:
            for env in rows[~self._lost[rows]]:
                rewards[env] = self._retold(int(env), int(numbers[env])).worth(self.learner)
        self._forget()
        terminations, truncations = over, ended == CUT
        lost = self._lost.copy() if self._lost.any() else None
        if lost is not None:
            terminations = over | lost
            rewards[lost] = self._worth.min()
        infos: dict[str, Any] = {"action_mask": self._given(self.batch.masks)}
        done = terminations | truncations
        if done.any():
            infos |= {"ending": ended, "_ending": over}
            if lost is not None:
                infos |= {"illegal": lost, "_illegal": lost.copy()}
            if self.batch.same_step:
                last = {"observation": self._given(self.batch.finals), "action_mask": self._given(self._none_open)}
                infos |= {"final_obs": last, "_final_obs": done, "final_info": {}, "_final_info": done}
        return self._seen(), rewards, terminations, truncations, infos

    def _checked(self, actions: Any) -> Any:
        given = np.asarray(actions)
        if given.shape != (self.num_envs,) or given.dtype.kind not in "iu":
            problem = (
                f"actions must be {self.num_envs} whole numbers in one row, not {given.dtype} of shape {given.shape}"
            )
            raise Invalid(problem, given=given.shape)
        actions = given.astype(np.int64)
        if actions.min() < 0:
            actions[actions < 0] = self.ground.actions  # which is none either; below 0 a fight would be left alone
        if self.illegal == "refuse" and len(refused := self.batch.closed_rows(actions)):
            raise self.batch.refusal(int(refused[0]), int(given[refused[0]]))
        return actions

    def _amend(self, part: Part) -> None:
        """Let actions that are not open lose their fights, or replace them by open ones."""
        batch = self.batch
        rows = batch.closed_rows(batch.chosen[part.slice], part.slice)
        own = rows - part.slice.start
        if self.illegal == "replace":
            batch.chosen[rows] = batch.masks[rows].argmax(axis=1)
            return
        self._lost[rows] = True
        for course in (batch.course, part.arrays["course"]):
            course[rows if course is batch.course else own, OVER] = 1
        if batch.same_step:
            batch.finals[rows] = batch.observations[rows]
        else:
            batch.chosen[rows] = -1
            part.arrays["masks"][own] = 0

    def _make(self, actions: Any) -> None:
        if self._played is None:
            self.batch.step(actions)
            return
        spares, known = self.batch.spares, len(self._codes)
        numbers = np.where(self.batch.course[:, OVER] == 0, self.batch.course[:, NUMBER], -1)
        self.batch.step(actions)
        made = self.batch.chosen
        spare = spares[np.arange(self.num_envs), np.clip(made - known, 0, spares.shape[1] - 1)]
        codes = np.where(made < known, self._codes[np.clip(made, 0, max(0, known - 1))], spare) if known else spare
        self._played.append((np.where((made >= 0) & ~self._lost, numbers, -1), codes))

    def _forget(self) -> None:
        """Drop moves of fights that are over and that nobody wants to have replayed."""
        if self._records or self._played is None:
            return
        current = self.batch.course[:, NUMBER]
        while self._played and (self._played[0][0] != current).all():
            del self._played[0]

    def _let_others(self, ended: Any) -> Any:
        """Let policies move for their fighters until the learner has to everywhere; returns how fights have ended."""
        course = self.batch.course
        while self._policies:
            waiting = (course[:, WHO] != self.learner) & (course[:, OVER] == 0)
            if not waiting.any():
                break
            actions = np.full(self.num_envs, -1, dtype=np.int64)
            for place, policy in self._policies.items():
                rows = np.flatnonzero(waiting & (course[:, WHO] == place))
                if len(rows):
                    actions[rows] = policy(self.batch.observations[rows], self.batch.masks[rows])
            if len(refused := self.batch.closed_rows(actions)):
                raise self.batch.refusal(int(refused[0]), int(actions[refused[0]]))
            self._make(actions)
            moved = (actions >= 0) & (course[:, ENDED] != -1)
            ended[moved] = course[moved, ENDED]
        return ended

    def _seen(self) -> dict[str, Any]:
        return {"observation": self._given(self.batch.observations), "action_mask": self._given(self.batch.masks)}

    def _given(self, array: Any) -> Any:
        return array.copy() if self.copy else array

    def fight_of(self, env: int) -> tuple[int, int]:
        """The seed and the number of the fight that an environment is in."""
        return int(self.batch.course[env, SEED]), int(self.batch.course[env, NUMBER])

    def replay(self, env: int, number: int) -> Fight:
        """Fight `number` of an environment with its story, as far as it has come; needs `record=True`."""
        if not self._records:
            raise Invalid("moves were not kept; make the environment with record=True", given=number)
        return self._retold(env, number).fight()

    def render(self) -> tuple[Any, ...] | None:
        """Every fight as its learner sees it, in the render mode."""
        if self.render_mode is None:
            return None
        bouts = (self._retold(env, int(self.batch.course[env, NUMBER])) for env in range(self.num_envs))
        return tuple(rendered(bout, self.learner, self.render_mode) for bout in bouts)

    def _retold(self, env: int, number: int) -> Bout:
        """Fight `number` of an environment once more by interpreted rules, as far as it has come."""
        codes = iter([int(codes[env]) for numbers, codes in self._played or () if numbers[env] == number])
        bout = Bout(self.ground, self.reward)
        bout.begin(int(self.batch.course[env, SEED]), number)
        tactics = self.ground.tactics(self._tactics)[self.ground.setups.index(bout.setup)]
        while not bout.over:
            who = bout.due
            if who != self.learner and who not in self._policies:
                bout.play_by(tactics[who], who)
            elif (code := next(codes, None)) is not None:
                bout.play(who, code)
            else:
                break
        return bout

    def close_extras(self, **kwargs: Any) -> None:
        """End the threads."""
        self.batch.close()
