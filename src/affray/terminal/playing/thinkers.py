"""Computer players that think in a fight at the keyboard, in the background while a person decides."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

from affray.fight import Fight, Move
from affray.kernel import records
from affray.lab import has_threads
from affray.players.deciding import decided, thought_of
from affray.players.levels import is_player, read_player
from affray.players.player import Player, Thought
from affray.system.contract import System


@dataclass
class Thinkers:
    """Which fighters think, by which player, and what each thought last."""

    players: Mapping[str, Player] = field(default_factory=dict)
    thoughts: dict[str, Thought] = field(default_factory=dict)
    _begun: dict[str, tuple[tuple[int, bytes], Future[Thought]]] = field(default_factory=dict)
    _pool: ThreadPoolExecutor | None = None

    def begin(self, fight: Fight) -> None:
        """Think about all open decisions in the background, while a person takes theirs."""
        for who in fight.to_act:
            if who in self.players and has_threads() and self._waiting(fight, who) is None:
                self._pool = self._pool or ThreadPoolExecutor(1, thread_name_prefix="affray-thinker")
                state = records.copy(fight.state)
                given = self.players[who], fight.setup, state, fight.index(who)
                thinking = self._pool.submit(thought_of, *given, seed=_seed(fight), decision=fight.decision)
                self._begun[who] = _question(fight, who), thinking

    def decide(self, fight: Fight, who: str) -> Move:
        """The move of a fighter that thinks."""
        waiting = self._waiting(fight, who)
        if waiting is None:
            move, thought = decided(fight, who, self.players[who], seed=_seed(fight))
        else:
            thought = waiting.result()
            index = fight.index(who)
            move = Move(who, fight.system.write_move(fight.setup, fight.state, index, thought.code), thought.code)
        self.thoughts[who] = thought
        return move

    def _waiting(self, fight: Fight, who: str) -> Future[Thought] | None:
        """What was begun about just this decision; after an undo it may be about another."""
        question, thinking = self._begun.get(who, (None, None))
        return thinking if question == _question(fight, who) else None


def _question(fight: Fight, who: str) -> tuple[int, bytes]:
    return fight.decision, records.pack(fight.setup.view(fight.state, fight.index(who)))


def _seed(fight: Fight) -> int:
    """A player's dice differ from fight to fight, and are the same when a fight is played again."""
    return int(getattr(fight.whim, "seed", 0))


def told_apart(
    fight: Fight, system: System[Any, Any], given: Mapping[str, str]
) -> tuple[dict[str, str], dict[str, Player]]:
    """Tactics by fighter or team, and the players that think, by fighter; what is said of a fighter goes first."""
    tactics = {name: text for name, text in given.items() if not is_player(text)}
    players: dict[str, Player] = {}
    for name, text in given.items():
        if is_player(text):
            for member in fight.teams.get(name, [name]):
                if name == member or member not in given:
                    players[member] = read_player(system, text, programs=True)
    return tactics, players
