"""The course of a journey: whose turn it is, which answers are open, and what they do. Numbers are rulings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from affray.fight import Fight, Teams
from affray.fight import Line as FightLine
from affray.kernel.chance import Physical, Seeded
from affray.system.contract import Impossible
from affray.system.schema import Value
from affray.system.telling import counted
from affray.systems.bgo import system
from affray.systems.bgo.journey import choices, story
from affray.systems.bgo.journey.board import Fate, Gate, Reward
from affray.systems.bgo.journey.travellers import (
    Traveller,
    after_encounter,
    blessed,
    buried,
    changing,
    cursed,
    healed,
    keeping,
    packing,
    returned,
    using,
    wearing,
    with_health,
)
from affray.systems.bgo.sheets import Boon, Consumable, Creature, Curse, Item, as_table, consumables
from affray.systems.bgo.things import described

Phase = Literal["turn", "fight", "wear", "over"]
PLAYERS, CREATURES = "players", "creatures"  # the teams of an encounter, the player first


@dataclass(frozen=True)
class Line:
    """One line of the story: the text, the decision it belongs to, and the rulings behind it."""

    text: str
    decision: int
    cites: tuple[str, ...] = ()
    told: tuple[Fight, FightLine] | None = field(default=None, repr=False, compare=False)
    """The encounter that it comes from, and the line in that encounter's story."""

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, kw_only=True)
class Position:
    """All that an answer changes, except what the current encounter keeps itself."""

    travellers: tuple[Traveller, ...]
    round: int = 1
    turn: int = 0
    phase: Phase = "turn"
    offer: Item | None = None  # equipment just gained
    fought: bool = False  # whether this turn had an encounter
    gate: int = 0  # the number of the gate whose guardian is being fought
    decision: int = 1


@dataclass(frozen=True)
class Mark:
    """A point in a course to which it can be restored."""

    position: Position
    fight: Fight | None
    moves: int
    lines: int
    dice: int
    whim: int
    fallen: int


class Course:
    """A running journey without its log: the rules of the board, and the current encounter."""

    def __init__(
        self, travellers: tuple[Traveller, ...], options: Mapping[str, Value], dice: Physical, whim: Seeded
    ) -> None:
        self.options, self.dice, self.whim = options, dice, whim
        self.fate = Fate(dice, options)
        self.position = Position(travellers=travellers)
        self.fight: Fight | None = None
        self.lines: list[Line] = []
        self.tell("Board round 1.", "journey")

    # --- what is going on ------------------------------------------------------------------------------------

    @property
    def me(self) -> Traveller:
        """The player whose turn it is."""
        return self.position.travellers[self.position.turn]

    @property
    def present(self) -> tuple[Traveller, ...]:
        """All players in their current state; during an encounter its player's Health comes from there."""
        if self.fight is None:
            return self.position.travellers
        fighting = with_health(self.me, self.fight.state.fighters[0].health)
        return tuple(fighting if one is self.me else one for one in self.position.travellers)

    @property
    def rank(self) -> int:
        """The rank of the player whose turn it is."""
        return self.me.rank(self.number("rank_divisor"))

    @property
    def squares(self) -> int:
        """How many squares the board has."""
        return self.number("board_squares")

    def number(self, option: str) -> int:
        """An option that is a number."""
        return int(self.options[option])

    @property
    def next_gate(self) -> Gate | None:
        """The next closed gate for the player whose turn it is."""
        opened = self.me.gates
        return self.fate.gates[opened] if opened < len(self.fate.gates) else None

    def to_act(self) -> list[str]:
        """The players and creatures who must answer now; in an encounter both sides at the same time."""
        if self.fight is not None:
            return self.fight.to_act
        return [] if self.position.phase == "over" else [self.me.handle]

    def legal(self, who: str) -> list[str]:
        """The answers open to a player or creature."""
        if who not in self.to_act():
            return []
        match self.position.phase:
            case "turn":
                return choices.before_moving(self.me)
            case "wear":
                return list(choices.OFFER)
            case _:
                assert self.fight is not None
                return [str(move) for move in self.fight.legal(who)]

    def impossible(self, who: str) -> list[Impossible]:
        """What is not open to a player or creature now, and why."""
        if who not in self.to_act():
            return []
        if self.fight is not None:
            fight = self.fight
            return fight.setup.impossible(fight.state, fight.index(who))
        return choices.closed(self.me) if self.position.phase == "turn" else []

    # --- taking an answer ------------------------------------------------------------------------------------

    def take(self, who: str, text: str) -> str:
        """Carry out an answer, up to the next decision; returns it in its standard spelling."""
        match self.position.phase:
            case "turn":
                return self._take_turn(text)
            case "wear":
                return self._take_offer(text)
            case _:
                return self._take_move(who, text)

    def _take_turn(self, text: str) -> str:
        answer = choices.read(text, choices.before_moving(self.me), choices.closed(self.me))
        verb, _, thing = answer.partition(" ")
        if verb == choices.ROLL:
            self._roll()
        elif verb == choices.WEAR:
            self._change(thing)
        else:
            self._use(*thing.split(" on "))
        self._decided()
        return answer

    def _take_offer(self, text: str) -> str:
        answer = choices.read(text, choices.OFFER)
        item = self.position.offer
        assert item is not None
        self._set(offer=None)
        self._dispose(item, answer)
        self._end_turn()
        self._decided()
        return answer

    def _take_move(self, who: str, text: str) -> str:
        fight = self.fight
        assert fight is not None
        decision = fight.decision
        self._tell_of(fight, fight.play(who, text))
        if fight.over:
            self._close_encounter(fight)
        if fight.decision != decision:  # until both choices are in, it is the same decision
            self._decided()
        return fight.answers[-1].move

    def mark(self) -> Mark:
        """The current point of the course."""
        return Mark(
            self.position,
            self.fight,
            len(self.fight.answers) if self.fight else 0,
            len(self.lines),
            self.dice.position,
            self.whim.position,
            len(self.dice.fallen),
        )

    def restore(self, mark: Mark) -> None:
        """Go back to a mark, whatever has happened since."""
        self.position, self.fight = mark.position, mark.fight
        if self.fight is not None:
            self.fight.rewind(mark.moves)
        self.dice.position, self.whim.position = mark.dice, mark.whim
        del self.dice.fallen[mark.fallen :], self.lines[mark.lines :]

    # --- the turn --------------------------------------------------------------------------------------------

    def _use(self, id: str, curse: str | None = None) -> None:
        before = self.me
        self._become(using(before, consumables()[id], curse))
        self.tell(f"{before.name} uses the {consumables()[id].name}.", "30")
        self._tell_ended(before)
        self._tell_health(before, "30")

    def _change(self, id: str) -> None:
        before = self.me
        item = next(spare for spare in before.spares if spare.id == id)
        replaced = before.worn(item.slot)
        self._become(changing(before, item))
        away = f" and packs the {replaced.name}" if replaced else ""
        self.tell(f"{before.name} puts on the {item.name}{away}.", "11", "38")
        self._tell_health(before, "18", "38")

    def _roll(self) -> None:
        me, gate = self.me, self.next_gate
        square = me.square + self.fate.way()
        first, second = self.dice.fallen[-1]
        if gate is not None and square >= gate.square:  # 44
            self._become(replace(me, square=gate.square))
            where = story.gate_name(gate, self.fate.gates)
            self.tell(f"{me.name} rolls {first} and {second} and comes to {where}, square {gate.square}.", "44")
            self._set(gate=gate.number)
            return self._meet(self.fate.guardian(gate), gate.rank > self.rank, where)
        if square > self.squares:  # two players cannot arrive at the same time: turns are taken in order
            self._become(replace(me, square=self.squares + 1))
            self.tell(f"{me.name} rolls {first} and {second} and passes the last square.", "journey", "42")
            return self._win("journey", "42")
        self._become(replace(me, square=square))
        self.tell(f"{me.name} rolls {first} and {second} and moves to square {square}.", "journey")
        self._draw_event()

    def _win(self, *cites: str) -> None:
        me = self.me
        self._set(phase="over", gate=0)
        self.tell(f"{me.name} wins the journey in board round {self.position.round}!", *cites)
        if me.defeated:
            self.tell(story.deeds(me), *cites)

    def _draw_event(self) -> None:
        me = self.me
        match self.fate.event():
            case "encounter":
                creature, dangerous = self.fate.creature(self.rank)
                return self._meet(creature, dangerous)
            case "rest":
                self.tell(f"{me.name} finds a place to rest.", "journey", "40")
                return self._end_turn(rests=2)
            case "find":
                found = self.fate.find(self.rank, me.owned)
                self.tell(f"{me.name} finds something: {described(found)}.", "journey", "35")
                return self._receive(found)
            case "boon":
                boon = self.fate.boon(self.rank, me.owned)
                self.tell(f"{me.name} receives a boon: {described(boon)}.", "journey", "36")
                return self._receive(boon)
            case "curse":
                curse = self.fate.curse(self.rank, me.owned)
                self.tell(f"{me.name} is cursed: {described(curse)}.", "journey", "36")
                return self._receive(curse)
            case _:
                self.tell(f"Nothing happens to {me.name}.", "journey")
        self._end_turn()

    def _receive(self, thing: Reward | Curse) -> None:
        """Take what was found, drawn or gained; equipment calls for a decision."""
        before = self.me
        match thing:
            case Item():
                self._set(phase="wear", offer=thing)
                return
            case Curse():
                self._become(cursed(before, thing))
            case Boon():
                self._become(blessed(before, thing))
            case Consumable():
                self._become(packing(before, thing))
        self._tell_health(before, "18")
        self._end_turn()

    def _dispose(self, item: Item, answer: str) -> None:
        """Wear, keep or leave equipment just gained. 37: the pack holds one spare for each slot."""
        me, worn, spare = self.me, self.me.worn(item.slot), self.me.spare(item.slot)
        if answer == choices.LEAVE:
            self.tell(f"{me.name} leaves the {item.name} behind.", "37")
            return
        if answer == choices.WEAR:
            self._become(wearing(me, item))
            self.tell(f"{me.name} wears the {item.name}{f' and packs the {worn.name}' if worn else ''}.", "11", "37")
            self._tell_health(me, "18")
        else:
            self._become(keeping(me, item))
            self.tell(f"{me.name} packs the {item.name}.", "37")
        if spare is not None and (answer == choices.KEEP or worn is not None):
            self.tell(f"The {spare.name} is left behind.", "37")

    def _end_turn(self, rests: int = 1) -> None:
        """End this player's board round; the next living player moves."""
        if self.me.alive and not self.position.fought:
            self._heal(rests * self.number("rest_heal"), "10", "40")
        self._set(phase="turn", fought=False)
        while not self._next_turn():
            pass

    def _next_turn(self) -> bool:
        """Pass the turn to the next player; False if that player is dead and misses it."""
        turn = self.position.turn + 1
        self._set(turn=turn % len(self.position.travellers))
        if turn == len(self.position.travellers):
            self._set(round=self.position.round + 1)
            self.tell(f"Board round {self.position.round}.", "journey")
        me = self.me
        if me.misses is None:
            return True
        if me.misses:  # 8
            self._become(replace(me, misses=me.misses - 1))
            self.tell(f"{me.name} is dead and misses this board round.", "8")
            return False
        self._become(returned(me))
        self.tell(f"{me.name} is back on square {me.square} with {self.me.health} Health.", "8")
        return True

    # --- the encounter ---------------------------------------------------------------------------------------

    def _meet(self, creature: Creature, dangerous: bool, guards: str = "") -> None:
        """Start the encounter with a creature, which may be the guardian of a gate."""
        for text in story.announced(self.me, creature, dangerous, guards):
            self.tell(text, "encounters", *(("44",) if guards else ("12", "34")))
        self._become(replace(self.me, met=(*self.me.met, creature.id)))
        player = as_table(self.me.sheet(self.number("rank_divisor")))
        teams: Teams = {PLAYERS: [player], CREATURES: [creature.id]}
        options = {o.name: self.options[o.name] for o in system.options if o.name in self.options}
        self.fight = Fight(system, teams, dice=self.dice, options=options, whim=self.whim)
        self._set(phase="fight", fought=True)
        self._tell_of(self.fight, self.fight.lines)

    def _close_encounter(self, fight: Fight) -> None:
        """Apply the results of the encounter, and give the reward."""
        self.fight = None
        before = self.me
        fighter, sheet = fight.state.fighters[0], fight.sheets[0]
        spent = [name for name in ("ward", "undying") if name in sheet.abilities and not getattr(fighter, name)]
        self._become(after_encounter(before, fighter.health, spent))
        if fight.ending in (PLAYERS, "draw"):
            self._become(replace(self.me, defeated=(*self.me.defeated, fight.sheets[1].id)))
        self._tell_ended(before)
        if fight.ending in (CREATURES, "draw"):
            self._bury()
        elif not self.options["carry_health"]:
            self._heal(self.me.stats.health, "9")
        elif fight.ending == PLAYERS:
            self._heal(self._victory_heal(), "10")
        if self.position.gate:
            self._settle_gate(fight.ending in (PLAYERS, "draw"))
        if self.position.phase == "over":
            return
        if fight.ending == PLAYERS or (fight.ending == "draw" and self.options["draw_reward"]):
            self._reward(fight.sheets[1].rank)
        else:
            self._end_turn()

    def _settle_gate(self, is_defeated: bool) -> None:
        """Open the gate or drive the player back, after the fight with its guardian. 44, 45."""
        me, gate = self.me, self.fate.gates[self.position.gate - 1]
        where = story.gate_name(gate, self.fate.gates)
        is_summit = gate.number == len(self.fate.gates)
        self._set(gate=0)
        if is_defeated:
            self._become(replace(me, gates=gate.number))
            if not is_summit:
                return self.tell(f"{where.capitalize()} is open to {me.name} from now on.", "44")
            self.tell(f"The way across the summit is open to {me.name}.", "44")
            return self._win("44") if me.alive else None
        fallen = self.fate.setback()
        last = self.fate.gates[me.gates - 1].square if me.gates else 0
        back = max(last, me.square - fallen)
        self._become(replace(me, square=back))
        closed = f"{where.capitalize()} stays closed"
        if back == gate.square:
            return self.tell(f"{closed}.", "44")
        faces = ", ".join(str(face) for face in self.dice.fallen[-1])
        to = f"square {back}" if back else "the start"
        self.tell(f"{closed}, and {me.name} is driven back to {to} (roll: {faces}).", "44", "45")

    def _victory_heal(self) -> int:
        most = self.me.stats.health
        return {"none": 0, "half": (most + 1) // 2, "full": most}[str(self.options["victory_heal"])]

    def _reward(self, rank: int) -> None:
        """The victory bonus. 41: a player who dies in winning it still gets it."""
        me = self.me
        reward = self.fate.reward(rank, me.owned, me.player.equipment)
        what = "a boon" if isinstance(reward, Boon) else f"a rank {reward.rank} item"
        self.tell(f"{me.name} gains {what}: {described(reward)}.", "victory", "14", "35", "43")
        self._receive(reward)

    def _bury(self) -> None:
        before, rounds = self.me, self.number("death_rounds")
        self._become(buried(before, rounds))
        how_long = f"for {counted(rounds, 'board round')}" if rounds else "until the next turn"
        self.tell(f"{before.name} is dead {how_long}.", "death", "8")
        self._tell_ended(before)

    # --- small steps -----------------------------------------------------------------------------------------

    def tell(self, text: str, *cites: str) -> None:
        """Add a line to the story."""
        self.lines.append(Line(text, self.position.decision, cites))

    def _tell_of(self, fight: Fight, lines: Sequence[FightLine]) -> None:
        """Add the latest lines of an encounter's own story."""
        for number, line in enumerate(lines, len(fight.lines) - len(lines)):
            self.lines.append(Line(line.text, self.position.decision, fight.cites(number), (fight, line)))

    def _set(self, **changes: Any) -> None:
        self.position = replace(self.position, **changes)

    def _become(self, traveller: Traveller) -> None:
        travellers = list(self.position.travellers)
        travellers[self.position.turn] = traveller
        self._set(travellers=tuple(travellers))

    def _decided(self) -> None:
        self._set(decision=self.position.decision + 1)

    def _heal(self, amount: int, *cites: str) -> None:
        before = self.me
        self._become(healed(before, amount))
        self._tell_health(before, *cites)

    def _tell_health(self, before: Traveller, *cites: str) -> None:
        me, change = self.me, self.me.health - before.health
        if change:
            what = f"gains {change}" if change > 0 else f"loses {-change}"
            self.tell(f"{me.name} {what} Health and has {me.health} of {me.stats.health}.", *cites)

    def _tell_ended(self, before: Traveller) -> None:
        """Tell which boons and curses have ended."""
        for thing in (*before.player.boons, *before.player.curses):
            if thing.id not in self.me.owned:
                self.tell(f"{thing.name} ends for {before.name}.", "8" if not self.me.alive else "36")
