"""The Gymnasium environment: one learner, and tactics or players who decide for everybody else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, Protocol

from affray.envs.batch import closed
from affray.envs.bout import Bout
from affray.envs.ground import Game, Ground, Reward
from affray.envs.needs import gymnasium, np, spaces
from affray.envs.rendering import RENDER_MODES, rendered
from affray.errors import Invalid, unknown
from affray.fight import Fight
from affray.players.levels import read_player
from affray.system.setup import Setup, Teams

Form = Literal["flat", "table"]
WhenIllegal = Literal["lose", "refuse", "replace"]
FORMS = ("flat", "table")
WHEN_ILLEGAL = ("lose", "refuse", "replace")


class Player(Protocol):
    """What decides for a fighter: it gets the set-up, the fighter's view and dice of its own."""

    def choose(self, setup: Any, view_state: Any, who: int, dice: Any) -> Any:
        """A thought, whose `code` is the move."""


def spaces_of(ground: Ground, form: Form, actions: int) -> tuple[Any, Any]:
    """The spaces of observations with their masks, and of actions."""
    if form not in FORMS:
        raise Invalid(unknown("form of observations", form, FORMS), given=form, allowed=FORMS)
    seen = ground.vector_space if form == "flat" else ground.table_space
    mask = spaces.Box(0, 1, (actions,), dtype=np.int8)
    return spaces.Dict({"observation": seen, "action_mask": mask}), spaces.Discrete(actions)


def check_illegal(when: str) -> None:
    """Refuse what is no way to treat illegal actions."""
    if when not in WHEN_ILLEGAL:
        raise Invalid(unknown("way to treat illegal actions", when, WHEN_ILLEGAL), given=when, allowed=WHEN_ILLEGAL)


def check_mode(mode: str | None) -> None:
    """Refuse what is no way to render."""
    if mode is not None and mode not in RENDER_MODES:
        raise Invalid(unknown("render mode", mode, RENDER_MODES), given=mode, allowed=RENDER_MODES)


class FightEnv(gymnasium.Env[Any, Any]):
    """One learner in a fight. An action is a move; the others move by their tactics until the learner is asked again.

    `opponents` gives fighters or teams to players: objects with `choose(setup, view_state, who, dice)`, or the names of
    players as in the arena, such as `expert`, `search:500` or `policy:FILE`. What an action that is not open does is
    said by `illegal`: `lose` ends the fight as badly as can be, `refuse` raises `affray.Illegal`, `replace` plays the
    first open action instead.
    """

    metadata: dict[str, Any] = {"render_modes": list(RENDER_MODES), "render_fps": 4}  # noqa: RUF012

    def __init__(
        self,
        system: Game | Sequence[Setup[Any]],
        teams: Teams | str = "",
        *,
        options: Mapping[str, object] | None = None,
        learner: str | int | None = None,
        tactics: Mapping[str, str] | None = None,
        opponents: Mapping[str, Player | str] | None = None,
        reward: Reward = "values",
        form: Form = "flat",
        illegal: WhenIllegal = "lose",
        max_steps: int = 0,
        codes: Sequence[int] | None = None,
        render_mode: str | None = None,
    ) -> None:
        check_illegal(illegal)
        check_mode(render_mode)
        self.ground = Ground.of(system, teams, options, codes)
        self.learner = self.ground.place(learner)
        self.observation_space, self.action_space = spaces_of(self.ground, form, self.ground.actions)
        self.form, self.illegal, self.max_steps, self.render_mode = form, illegal, max_steps, render_mode
        self.bout = Bout(self.ground, reward)
        self._tactics = self.ground.tactics(tactics)
        named = {key: _player(self.ground, player) for key, player in (opponents or {}).items()}
        self._players = players_by_place(self.ground, named)
        self._seed, self._next = 0, -1  # the next fight's number; below 0 before the first reset
        self._needs_reset = True
        self._open: dict[int, int] = {}

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Begin the next fight: of a seed that is given the first, or the one with `options={"number": ...}`."""
        super().reset(seed=seed)
        if seed is not None or self._next < 0:
            self._seed = seed if seed is not None else int(self.np_random.integers(2**62))
            self._next = 0
        number = int((options or {}).get("number", self._next))
        self._next = number + 1
        self.bout.begin(self._seed, number)
        self._steps, self._needs_reset = 0, False
        self._settle()
        return self._seen()

    def step(self, action: Any) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        """Make the learner's move, and all moves of others up to its next one."""
        if self._needs_reset:
            raise gymnasium.error.ResetNeeded("the fight is over, or none has begun: call reset() before step()")
        self._steps += 1
        told = {}
        if not self.bout.over:  # the fight may have ended before the learner's first move
            code = self._open.get(int(action))
            if code is None:
                refused = closed(self.ground, action, self.ground.mask(self._open), self.ground.names[self.learner])
                if self.illegal == "refuse":
                    raise refused
                told["illegal"] = str(refused)
                if self.illegal == "lose":
                    self._needs_reset = True
                    self._open = {}
                    return (*_with(self._seen(), told, self.bout.least(self.learner), True, False),)
                code = self._open[min(self._open)]
            self.bout.play(self.learner, code)
            self._settle()
        over = self.bout.over
        truncated = bool(not over and self.max_steps and self._steps >= self.max_steps)
        self._needs_reset = over or truncated
        if over:
            told["ending"] = self.bout.ending or ""
        return (*_with(self._seen(), told, self.bout.worth(self.learner) if over else 0.0, over, truncated),)

    def _settle(self) -> None:
        """Let the others move until the learner has to, or the fight is over."""
        bout = self.bout
        tactics = self._tactics[self.ground.setups.index(bout.setup)]
        while not bout.over and (who := bout.due) != self.learner:
            if who in self._players:
                bout.play(who, self._players[who].choose(bout.setup, bout.view(who), who, bout.whim).code)
            else:
                bout.play_by(tactics[who], who)

    def _seen(self) -> tuple[dict[str, Any], dict[str, Any]]:
        view = self.bout.view(self.learner)
        lost = self._needs_reset and not self.bout.over
        self._open = {} if self.bout.over or lost else self.ground.open(self.bout.setup, view, self.learner)
        seen, mask = self.ground.observed(view, self.learner), self.ground.mask(self._open)
        shown = seen if self.form == "flat" else self.ground.table(seen)
        return {"observation": shown, "action_mask": mask}, {"action_mask": mask.copy()}

    def notation(self, action: int) -> str:
        """An open action as a player would type it."""
        if action not in self._open:
            raise closed(self.ground, action, self.ground.mask(self._open), self.ground.names[self.learner])
        view = self.bout.view(self.learner)
        return self.bout.setup.system.write_move(self.bout.setup, view, self.learner, self._open[action])

    @property
    def fight(self) -> Fight:
        """The fight up to here with its story."""
        return self.bout.fight()

    def render(self) -> Any:
        """The fight as the learner sees it, in the render mode."""
        return rendered(self.bout, self.learner, self.render_mode)


def _with(
    seen: tuple[dict[str, Any], dict[str, Any]], told: dict[str, str], reward: float, over: bool, truncated: bool
) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
    return seen[0], reward, over, truncated, {**seen[1], **told}


def _player(ground: Ground, given: Player | str) -> Player:
    return read_player(ground.system, given, programs=True) if isinstance(given, str) else given


def players_by_place(ground: Ground, given: Mapping[str, Any] | None) -> dict[int, Any]:
    """The players given by fighter or team, by the places that they decide for."""
    setup, players = ground.setups[0], {}
    for key, player in (given or {}).items():
        if key not in ground.names and key not in setup.teams:
            known = [*ground.names, *setup.teams]
            raise Invalid(unknown("fighter or team", key, known), given=key, allowed=known)
        for place, name in enumerate(ground.names):
            if key in (name, setup.team_of[setup.names[place]]) and (key == name or place not in players):
                players[place] = player
    return players
