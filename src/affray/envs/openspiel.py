"""The same fights as OpenSpiel games: explicit chance, simultaneous choices, information states from views.

`load(...)` makes a game of any fight. Importing this module registers a game for every system, such as
`python_affray_ID`, for `pyspiel.load_game`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from affray.envs.ground import Game, Ground
from affray.envs.needs import np
from affray.errors import MissingExtra
from affray.kernel import records
from affray.kernel.chance import Given, Primitive, Quick
from affray.kernel.playing import first_of
from affray.kernel.state import to_act
from affray.system.registry import names
from affray.system.setup import Setup, Teams

try:
    import pyspiel
except ImportError:
    raise MissingExtra("OpenSpiel games", "bench") from None

MOST_OUTCOMES = 257
LONGEST = 1_000_000
OPENING = ((-1, 0),)
"""Stands for the opening of a fight among the moves that chance is still to decide."""
PARAMETERS = {"teams": "", "options": "", "simultaneous": True}
SIMULTANEOUS, CHANCE, TERMINAL = pyspiel.PlayerId.SIMULTANEOUS, pyspiel.PlayerId.CHANCE, pyspiel.PlayerId.TERMINAL


class _Asked(Exception):
    """A question to chance that has no answer yet."""

    def __init__(self, weights: Sequence[int]) -> None:
        super().__init__()
        self.weights = list(weights)


class _Answered:
    """A source of chance that gives the answers it has, and stops the rule that asks for more."""

    def __init__(self, answers: Sequence[int]) -> None:
        self._answers, self._at = answers, 0

    def answer(self, question: Primitive, given: Given) -> int:
        if self._at == len(self._answers):
            raise _Asked(question.weights_of(given))
        self._at += 1
        return question.kind(self._answers[self._at - 1])


class _Rules:
    """The fight that a game is about; copies of states share it."""

    def __init__(self, ground: Ground, simultaneous: bool) -> None:
        self.ground, self.setup = ground, ground.setups[0]
        self.simultaneous = simultaneous

    def __deepcopy__(self, memo: Any) -> _Rules:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        table = self.setup.as_table()
        return _rebuilt, (table["system"], table["teams"], table["options"], self.ground.codes, self.simultaneous)

    def seals(self, state: Any) -> bool:
        """Whether several fighters choose now, and their answers stay secret until all are in."""
        due = to_act(state)
        if not self.simultaneous or due & (due - 1) == 0:
            return False
        tried, who = records.copy(state), first_of(due)
        self.setup.step(tried, who, self.setup.codes(tried, who)[0], Quick(0))
        return bool(tried.sealed >> who & 1)


def _rebuilt(system: str, teams: Teams, options: Mapping[str, object], codes: Sequence[int], at_once: bool) -> _Rules:
    """The same fight from a pickle."""
    return _Rules(Ground.of(system, teams, options, codes), at_once)


class FightGame(pyspiel.Game):
    """A fight as a game. Players are fighters, in the order of the roster."""

    def __init__(self, ground: Ground, simultaneous: bool, params: Mapping[str, Any]) -> None:
        self.rules = _Rules(ground, simultaneous)
        worth = np.array([ground.worth(place) for place in range(len(ground.names))])
        zero = bool((worth.sum(axis=0) == 0).all())
        seals = self.rules.seals(ground.setups[0].opened(Quick(0)))
        info = pyspiel.GameInfo(
            num_distinct_actions=ground.actions,
            max_chance_outcomes=MOST_OUTCOMES,
            num_players=len(ground.names),
            min_utility=float(worth.min()),
            max_utility=float(worth.max()),
            utility_sum=0.0 if zero else None,
            max_game_length=LONGEST,
        )
        super().__init__(_game_type(ground.system.id, seals, zero), info, dict(params))

    def new_initial_state(self) -> FightState:
        """The fight before it opens."""
        return FightState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
        """What a player sees: by default all that it has seen and done so far."""
        recall = iig_obs_type is None or bool(iig_obs_type.perfect_recall)
        return Observer(self.rules.ground, recall)


def _game_type(system: str, simultaneous: bool, zero_sum: bool) -> Any:
    kinds = pyspiel.GameType
    return kinds(
        short_name=f"python_affray_{system}",
        long_name=f"Affray: {system}",
        dynamics=kinds.Dynamics.SIMULTANEOUS if simultaneous else kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.EXPLICIT_STOCHASTIC,
        information=kinds.Information.IMPERFECT_INFORMATION,
        utility=kinds.Utility.ZERO_SUM if zero_sum else kinds.Utility.GENERAL_SUM,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=62,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=PARAMETERS,
    )


class FightState(pyspiel.State):
    """Where the fight is: at a decision, or at a question to chance within a move."""

    def __init__(self, game: FightGame) -> None:
        super().__init__(game)
        self.rules = game.rules
        self.record = self.rules.setup.seated()
        self.pending: tuple[tuple[int, int], ...] = OPENING
        self.answers: list[int] = []
        self.weights: list[int] = []
        self.memory: list[list[str]] = [[] for _ in self.rules.ground.names]
        self._resolve()

    def _resolve(self) -> None:
        """Run what is pending with the answers there are; where more are asked for, chance is next."""
        setup = self.rules.setup
        while self.pending:
            tried, dice = records.copy(self.record), _Answered(self.answers)
            try:
                for who, code in self.pending:
                    if who < 0:
                        setup.system.begin(tried, dice, None)
                    else:
                        setup.step(tried, who, code, dice)
            except _Asked as asked:
                possible = [outcome for outcome, weight in enumerate(asked.weights) if weight]
                if len(possible) > 1:
                    self.weights = asked.weights
                    return
                self.answers.append(possible[0])
                continue
            self.record, self.pending = tried, ()
            self.answers, self.weights = [], []

    def view(self, player: int) -> Any:
        """All that a player may know; while chance decides, as it was before the move."""
        return self.rules.setup.view(self.record, player)

    # --- what OpenSpiel asks -----------------------------------------------------------------------------------

    def current_player(self) -> int:
        """Who acts."""
        if self.pending:
            return int(CHANCE)
        if self.record.ending >= 0:
            return int(TERMINAL)
        return int(SIMULTANEOUS) if self.rules.seals(self.record) else first_of(to_act(self.record))

    def _legal_actions(self, player: int) -> list[int]:
        return sorted(self._open(player))

    def _open(self, player: int) -> dict[int, int]:
        return self.rules.ground.open(self.rules.setup, self.view(player), player)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The answers to the question that chance is asked, with their probabilities."""
        total = sum(self.weights)
        return [(outcome, weight / total) for outcome, weight in enumerate(self.weights) if weight]

    def _apply_action(self, action: int) -> None:
        if self.pending:
            self.answers.append(int(action))
        else:
            player = first_of(to_act(self.record))
            self.pending = ((player, self._chosen(player, action)),)
        self._resolve()

    def _apply_actions(self, actions: Sequence[int]) -> None:
        due = to_act(self.record)
        players = [player for player in range(len(actions)) if due >> player & 1]
        self.pending = tuple((player, self._chosen(player, actions[player])) for player in players)
        self._resolve()

    def _chosen(self, player: int, action: int) -> int:
        """The move of an action, which its player remembers together with what it saw."""
        code = self._open(player)[int(action)]
        self.memory[player].append(f"{self._seen(player)} {action}")
        return code

    def _seen(self, player: int) -> str:
        return records.pack(self.view(player)).hex()

    def _action_to_string(self, player: int, action: int) -> str:
        if player == CHANCE:
            return f"chance {action}"
        setup = self.rules.setup
        return setup.system.write_move(setup, self.view(player), player, self._open(player)[action])

    def is_terminal(self) -> bool:
        """Whether the fight is over."""
        return not self.pending and self.record.ending >= 0

    def returns(self) -> list[float]:
        """What the ending is worth to every player."""
        ground = self.rules.ground
        over = self.is_terminal()
        return [float(ground.worth(place)[self.record.ending]) if over else 0.0 for place in range(len(ground.names))]

    def __str__(self) -> str:
        seen = records.pack(self.record).hex()
        return f"{seen} {self.pending} {self.answers}" if self.pending else seen


class Observer:
    """Observations for OpenSpiel: the flat vector as a tensor, and a text, with all of the past for perfect recall."""

    def __init__(self, ground: Ground, recall: bool) -> None:
        self.ground, self.recall = ground, recall
        self.tensor = np.zeros(len(ground.numbers), np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: FightState, player: int) -> None:
        """Let the tensor be what a player sees."""
        self.tensor[:] = self.ground.observed(state.view(player), player)

    def string_from(self, state: FightState, player: int) -> str:
        """What a player sees, or all that it has seen and done."""
        seen = records.pack(state.view(player)).hex()
        return "\n".join([str(player), *(state.memory[player] if self.recall else ()), seen])


def load(
    system: Game,
    teams: Teams | str = "",
    options: Mapping[str, object] | None = None,
    *,
    simultaneous: bool = True,
    codes: Sequence[int] | None = None,
) -> FightGame:
    """A fight as a game. Without `simultaneous` those who choose at the same time are asked one after another,
    and none sees what the others have chosen: a game that algorithms for turns can take as it is."""
    ground = Ground.of(system, teams, options, codes)
    setup: Setup[Any] = ground.setups[0]
    return FightGame(ground, simultaneous, parameters(setup.specs(), setup.options, simultaneous=simultaneous))


def parameters(
    teams: Teams | str = "", options: Mapping[str, object] | None = None, *, simultaneous: bool = True
) -> dict[str, Any]:
    """What `pyspiel.load_game` takes for a fight of a registered game."""
    return {"teams": _encoded(teams), "options": _encoded(dict(options or {})), "simultaneous": simultaneous}


def _encoded(value: object) -> str:
    """A value as text without the characters that mean something to OpenSpiel."""
    return json.dumps(value).encode().hex() if value else ""


def _decoded(text: object) -> Any:
    return json.loads(bytes.fromhex(str(text))) if text else ""


def _registered(system: str) -> type[Any]:
    class Registered(FightGame):
        """The fight of a system that parameters describe; by default its demonstration."""

        def __init__(self, params: Mapping[str, Any] | None = None) -> None:
            given = {**PARAMETERS, **(params or {})}
            ground = Ground.of(system, _decoded(given["teams"]), _decoded(given["options"]) or None)
            super().__init__(ground, bool(given["simultaneous"]), given)

    return Registered


def register_all() -> None:
    """Register a game for every system that is installed or registered."""
    for system in names():
        kind = _game_type(system, True, True)
        if kind.short_name not in pyspiel.registered_names():
            pyspiel.register_game(kind, _registered(system))


register_all()
