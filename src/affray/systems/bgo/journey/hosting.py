"""A journey hosted by a world: people and computer players answer under their names, creatures at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from affray.fight import viewing
from affray.fight.logfile import reading
from affray.fight.viewing import StoryLine
from affray.kernel.chance import Physical
from affray.system import schema
from affray.system.pictures import Board, Foe, Mark, Piece, Thrown, Widget
from affray.system.setup import Spec
from affray.systems.bgo.abilities import TYPES, typed
from affray.systems.bgo.journey import log, story
from affray.systems.bgo.journey.course import Line
from affray.systems.bgo.journey.journey import Journey
from affray.systems.bgo.journey.party import as_spec, set_out
from affray.systems.bgo.journey.travellers import Traveller
from affray.systems.bgo.sheets import OPTIONS as OPTIONS
from affray.systems.bgo.sheets import check_shares
from affray.systems.bgo.things import Thing, abilities, described


def settle(options: Mapping[str, object]) -> dict[str, schema.Value]:
    """Every option of a journey with its value."""
    settled = schema.settle(OPTIONS, options)
    check_shares(settled)
    return settled


def enlist(spec: Spec, name: str | None) -> dict[str, Any]:
    """The sheet of a traveller as plain values."""
    (traveller,) = set_out([{"sheet": spec} | ({"name": name} if name else {})], files=False)
    sheet = as_spec(traveller)["sheet"]
    assert isinstance(sheet, dict)
    return sheet


def begin(players: Sequence[Mapping[str, Any]], options: Mapping[str, object], dice: Physical) -> HostedJourney:
    """A new journey; the world says which players the computer plays."""
    seats: list[Spec] = [{"name": player["name"], "sheet": player["sheet"]} for player in players]
    return HostedJourney(seats, dice=dice, options=options, files=False)


def resume(table: Mapping[str, Any], where: str) -> HostedJourney:
    """The journey of a stored log."""
    with reading(where):
        return log.rerun(table, None, HostedJourney)


class HostedJourney(Journey):
    """A journey that asks every player, as a world expects."""

    def index(self, who: str) -> int:
        """The index of a player."""
        return self.names.index(who)

    @property
    def ending(self) -> str | None:
        """The name of the player who has won."""
        return self.traveller(self.winner).name if self.winner else None

    @property
    def endings(self) -> tuple[str, ...]:
        """The names of all players who may win."""
        return tuple(traveller.name for traveller in self.travellers)

    # --- answering -------------------------------------------------------------------------------------------

    def play(self, who: str, move: str, decision: int | None = None) -> list[Line]:
        """Answer for a player; returns what happened up to the next question for a player."""
        told = len(self.lines)
        self.answer(who, move, decision)
        self._go_on()
        return self.lines[told:]

    def play_by(self, who: str, tactic: str) -> None:
        """Let a tactic answer for a player."""
        self.decide(who, tactic)
        self._go_on()

    def _go_on(self) -> None:
        """Let a creature choose if it has waited for the player's choice."""
        while self.to_act and not set(self.names).intersection(self.to_act):
            self.decide(self.to_act[0], self.plays(self.to_act[0]))

    # --- what is shown ---------------------------------------------------------------------------------------

    @property
    def asked(self) -> str:
        """What is to be decided."""
        return self.question.text if self.question else ""

    def glance(self) -> str:
        """The state of the encounter, the question, and its answers."""
        if self.question is None:
            return self.status()
        stands = [self.fight.status(), ""] if self.fight else []
        return "\n".join([*stands, self.question.text, f"Answers: {', '.join(self.question.answers)}"])

    def told_from(self, first: int) -> list[StoryLine]:
        """The story from a line on; dice of encounters are drawn as in any fight."""
        return [
            StoryLine(number, line.text, line.decision, line.cites, _thrown(line))
            for number, line in enumerate(self.lines[first:], first)
        ]

    def scene(self, who: str) -> list[Widget]:
        """A player in the current encounter, or on the board, with everything the player carries."""
        traveller, fight = self.traveller(who), self.fight
        if fight is not None and who in fight.names:
            drawn = viewing.scene(fight, fight.setup.view(fight.state, None), fight.index(who))
        else:
            drawn = _on_board(traveller)
        return [*drawn, *_carried(traveller)]

    @property
    def board(self) -> Board:
        """The squares with their gates, the players' positions, and the creature of the encounter."""
        gates = self.gates
        marks = (Mark(gate.square, f"{story.gate_name(gate, gates)} (rank {gate.rank})") for gate in gates)
        pieces = (Piece(t.name, t.square, t.gates) for t in self.travellers)
        return Board(self.squares, tuple(marks), tuple(pieces), tuple(self._foes()))

    def _foes(self) -> list[Foe]:
        fight = self.fight
        if fight is None:
            return []
        state, sheet = fight.setup.view(fight.state, None), fight.sheets[1]
        return [Foe(f"{sheet.name}, rank {sheet.rank}", tuple(viewing.scene(fight, state, 1)))]

    # --- its log ---------------------------------------------------------------------------------------------

    def as_table(self) -> dict[str, Any]:
        """Everything that is needed to continue the journey."""
        return log.as_table(self)

    def entry(self, place: int) -> dict[str, Any]:
        """One answer as it is written in the log."""
        return log.as_entry(self.answers[place])

    def public_table(self, *, secret_is_out: bool) -> dict[str, Any]:
        """The log without the computer players' whim, and without the secret of the dice until it is revealed."""
        return log.public_table(self, secret_is_out=secret_is_out)


def _thrown(line: Line) -> tuple[Thrown, ...]:
    return tuple(viewing.thrown(*line.told)) if line.told else ()


def _on_board(traveller: Traveller) -> list[Widget]:
    """A player outside of encounters, drawn like one in an encounter."""
    stats = traveller.stats
    damage = [f"{amount} {typed(kind)}" for kind, amount in zip(TYPES, stats.damage, strict=True) if amount]
    drawn = [
        Widget("bar", "Health", traveller.health, stats.health),
        Widget("numbers", "Stats", names=(f"Attack {stats.attack:+}", f"Defense {stats.defense:+}")),
        Widget("tokens", "Damage", names=tuple(damage)),
        Widget("tokens", "Abilities", names=tuple(abilities(stats))),
        Widget("tags", "State", names=() if traveller.alive else (f"dead, misses {traveller.misses}",)),
    ]
    return [widget for widget in drawn if widget.most or widget.names]


def _carried(traveller: Traveller) -> list[Widget]:
    """What a player wears, carries and suffers."""
    player = traveller.player
    kinds: dict[str, Sequence[Thing]] = {
        "Wears": player.equipment,
        "In the pack": (*traveller.spares, *traveller.pack),
        "Boons": player.boons,
        "Curses": player.curses,
    }
    return [Widget("tags", kind, names=tuple(map(described, things))) for kind, things in kinds.items() if things]
