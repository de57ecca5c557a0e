"""Conformance: plays a combat system at random and checks every promise that the engine makes for it."""

from __future__ import annotations

import json
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from importlib.util import find_spec
from itertools import cycle
from pathlib import Path
from random import Random
from typing import Any, get_args, get_type_hints

from affray.errors import Illegal, Invalid, Refused, listing
from affray.fight import Fight, Line, Setup, Spec, Teams
from affray.fight.saving import as_table, public_table, restore
from affray.fight.viewing import scene, thrown_for
from affray.kernel import records
from affray.kernel.chance import WHIM, Dice, Fair, Fell, Given, Physical, Primitive, Scripted, Seeded, Throw, cards_of
from affray.kernel.exact import Exact
from affray.kernel.rules import Kind, Log, kinds_of, unmarked
from affray.kernel.state import forget_clock, to_act
from affray.players.tactics import decide, play_on, usual_tactics
from affray.system import gauging
from affray.system.adventures import Adventure, Hosted
from affray.system.contract import System
from affray.system.creation import unasked
from affray.system.pictures import Thrown, Widget
from affray.system.registry import find, is_known
from affray.system.schema import Flag, Word

# Duels, and four fighters in all ways: two numbers of fighters to compile for.
SHAPES = ((1, 1), (2, 2), (1, 2, 1), (1, 1), (3, 1), (1, 3))
MOST_ANSWERS = 20_000  # a fight that is not over by then counts as endless
MOST_OUTCOMES = 200  # a move with more outcomes than this is not enumerated
MOST_THROWS = 1_000  # a move that asks for more than this counts as endless
MOST_TRIES = 100_000  # to find dice for every answer to a question
LATEST = 40  # the last lines, results and answers, compared at every step; at the end all are compared
LONGEST_REPR = 500  # answers: Python cannot parse an expression that is nested much deeper
EVERY_STEP = 30  # answers up to which the slow checks run at every step; later, whenever the fight has doubled
COMPILED_FIGHTS = 25
GAME_ANSWERS = 40  # to questions of a game around fights
WIDGETS, THROWS = (get_args(get_type_hints(drawn)["kind"]) for drawn in (Widget, Thrown))
NOT_MOVES = ("", " ", "no such move", "\x1b[31m", "9" * 5_000)


class Broken(AssertionError):
    """A promise that a system does not keep."""


@dataclass(frozen=True)
class Report:
    """What was played, and what could not be checked."""

    system: str
    fights: int
    decisions: int
    outcomes: int
    endings: Mapping[str, int]
    events: Mapping[str, int]
    never_seen: tuple[str, ...]
    compiled: int
    not_tried: tuple[str, ...]

    def __str__(self) -> str:
        lines = [
            f"{self.system}: {self.fights} fights, {self.decisions} decisions, {self.outcomes} outcomes of chance, "
            f"{self.compiled} fights also compiled: all promises kept.",
            "Endings: " + ", ".join(f"{ending} {count}" for ending, count in self.endings.items()),
        ]
        if self.never_seen:
            lines.append("Events that never happened: " + ", ".join(self.never_seen))
        return "\n".join([*lines, *(f"Not checked: {note}" for note in self.not_tried)])


def check_system(
    system: System[Any, Any] | str, *, fights: int = 48, seed: int = 0, rosters: Sequence[Teams] | None = None
) -> Report:
    """Play random fights of a system and check every promise; raises AssertionError at the first broken one.

    Rosters are drawn from the system's own catalogue unless some are given. The message names the roster, the seed
    and the step, and a call that reproduces the failure at once.
    """
    found = find(system) if isinstance(system, str) else system
    examined = _Examined(found)
    _check_rules(found)
    _check_words(found)
    _check_adventures(found, seed)
    for number in range(fights):
        roster = rosters[number % len(rosters)] if rosters else _dealt(found, seed + number)
        bout = _Bout(found, roster, seed + number)
        with _blaming(bout):
            refusal = bout.open()
            if refusal is None:
                bout.play_through(examined)
            elif rosters or (number == fights - 1 and not examined.bouts):
                which = "this roster" if rosters else "every roster drawn from its own catalogue"
                raise Broken(bout.place(f"the system refuses {which}: {refusal}"))
    _compare_compiled(examined)
    return examined.report()


# --- what is played ------------------------------------------------------------------------------------------


def _dealt(system: System[Any, Any], seed: int) -> dict[str, list[Spec]]:
    """A roster from the catalogue: duels, team fights, three sides; all kinds mixed, or one kind on each side."""
    random = Random(f"roster {seed}")
    kinds = [list(known) for known in system.catalogue().values() if known]
    if random.random() < 0.5:
        kinds = [[id for known in kinds for id in known]]
    sides = zip(SHAPES[seed % len(SHAPES)], cycle(kinds), strict=False)
    return {f"side-{number}": random.choices(ids, k=size) for number, (size, ids) in enumerate(sides, 1)}


def _changed_options(system: System[Any, Any], random: Random) -> dict[str, object]:
    """The usual options, a profile, or one word or switch set differently."""
    choices: list[dict[str, object]] = [{}]
    choices += [{"profile": profile} for profile in system.profiles]
    for option in system.options:
        if option.name == gauging.NAME:
            continue  # it is the engine's own, and changes what is told and nothing else
        match option.field:
            case Flag():
                choices.append({option.name: not option.default})
            case Word(allowed=words):
                choices += [{option.name: word} for word in words if word != option.default]
    return random.choice(choices) if random.random() < 0.5 else {}


@dataclass
class _Examined:
    """The results of all fights together."""

    system: System[Any, Any]
    bouts: list[_Bout] = field(default_factory=list)
    decisions: int = 0
    outcomes: int = 0
    compiled: int = 0
    endings: Counter[str] = field(default_factory=Counter)
    events: Counter[str] = field(default_factory=Counter)
    not_tried: dict[str, None] = field(default_factory=dict)

    def report(self) -> Report:
        declared = [kind.name for kind in _kinds(self.system) if not kind.announces]
        never_seen = tuple(name for name in declared if name not in self.events)
        counts = (len(self.bouts), self.decisions, self.outcomes, dict(self.endings), dict(self.events))
        return Report(self.system.id, *counts, never_seen, self.compiled, tuple(self.not_tried))


@dataclass
class _Bout:
    """A fight under examination, and how to reproduce it."""

    system: System[Any, Any]
    roster: Teams
    seed: int
    step: int = 0

    def __post_init__(self) -> None:
        self.random = Random(self.seed)
        self.options = _changed_options(self.system, self.random)
        self.by_tactics = self.random.random() < 0.5
        self.stubborn = self.random.choice((0.0, 0.5, 0.9))  # how often the first move of the list is taken
        self.passed: list[dict[str, object]] = []

    def open(self) -> Invalid | None:
        """Set the fight up; returns why the system refuses the roster, if it does."""
        fair = self.random.random() < 0.25
        dice = Fair(self.random.randbytes(32)) if fair else Seeded(self.seed)
        whim = Seeded(self.seed, 1, WHIM)
        try:
            setup = Setup.of(self.system, self.roster, self.options)
            setup.seated()
        except Invalid as refusal:
            return refusal
        self.fight = Fight(setup, dice=dice, whim=whim)
        return None

    def require(self, holds: bool, claim: str) -> None:
        if not holds:
            raise Broken(self.place(claim))

    def same(self, claim: str, one: Mapping[str, object], other: Mapping[str, object]) -> None:
        for part in one:
            if one[part] != other[part]:
                raise Broken(self.place(f"{claim}: {part} is {_difference(one[part], other[part])}"))

    def place(self, claim: str) -> str:
        again = f"check_system({self.system.id!r}, rosters=[{self.roster!r}], seed={self.seed}, fights=1)"
        where = f"roster {self.roster!r}, options {self.options!r}, seed {self.seed}, step {self.step}"
        return f"{self.system.id}: {claim}\n  {where}\n  to reproduce: {again}"

    @property
    def unhurried(self) -> bool:
        """Whether the slow checks run at this step."""
        return self.step < EVERY_STEP or self.step.bit_count() == 1

    def choose(self) -> tuple[str, str]:
        """A fighter whose turn it is to act, and a move."""
        fight = self.fight
        name = self.random.choice(fight.to_act)
        if self.by_tactics:
            return name, str(decide(fight, name, self.random.choice(list(fight.system.tactics))))
        moves = _explained(fight, name)[0]
        return name, str(moves[0] if self.random.random() < self.stubborn else self.random.choice(moves))

    def play_through(self, examined: _Examined) -> None:
        """Play to the end and make every check on the way."""
        _check_opening(self, examined)
        while not self.fight.over:
            self.require(self.step < MOST_ANSWERS, f"the fight has not ended after {MOST_ANSWERS} answers")
            _check_position(self)
            if self.unhurried:
                _check_slowly(self, examined)
            self.passed.append(_snapshot(self.fight))
            _answer(self)
            self.step += 1
        _check_end(self, examined)
        examined.bouts.append(self)
        examined.decisions += self.step
        examined.endings[str(self.fight.ending)] += 1
        examined.events.update(line.event.kind.name for line in self.fight.lines)


@contextmanager
def _blaming(bout: _Bout) -> Iterator[None]:
    """Report any error inside with the roster, seed and step at which it happened."""
    try:
        yield
    except Broken:
        raise
    except Exception as problem:
        raise Broken(bout.place(f"{type(problem).__name__}: {problem}")) from problem


def _snapshot(fight: Fight) -> dict[str, object]:
    """All that an undo must restore and a save file must keep; of growing lists only the length and the end."""
    answers = fight.answers
    return {
        "the state": records.pack(fight.state),
        "the decision number": fight.decision,
        "the position of the dice": fight.dice.position,
        "the position of the whim": fight.whim.position,
        "how much has fallen, been told and been answered": [len(fight.dice.fallen), len(fight.lines), len(answers)],
        "what has fallen": fight.dice.fallen[-LATEST:],
        "the story": fight.lines[-LATEST:],
        "the answers": [(a.decision, a.who, a.move, a.fell) for a in answers[-LATEST:]],
        "the figures": fight.figures,
        "who is to act": fight.to_act,
        "the ending": fight.ending,
        "the teams": {team: list(members) for team, members in fight.teams.items()},
    }


def _played(fight: Fight) -> dict[str, object]:
    """What happened in a fight from its beginning, whatever the source of its dice."""
    return {
        "the state": records.pack(fight.state),
        "the story": list(fight.lines),
        "what has fallen": list(fight.dice.fallen),
        "the answers": [(a.decision, a.who, a.move, a.fell) for a in fight.answers],
        "the figures": fight.figures,
        "the ending": fight.ending,
    }


def _difference(one: object, other: object) -> str:
    """Where two values differ, as precisely as it can be named."""
    if isinstance(one, list) and isinstance(other, list):
        for place, (here, there) in enumerate(zip(one, other, strict=False)):
            if here != there:
                return f"at {place} {_difference(here, there)}"
        return f"{len(one)} long, then {len(other)}"
    if isinstance(one, dict) and isinstance(other, dict) and list(one) == list(other):
        key = next(key for key in one if one[key] != other[key])
        return f"for {key} {_difference(one[key], other[key])}"
    if isinstance(one, Line) and isinstance(other, Line) and one.text == other.text:
        return f"{one.event!r} ({one.text}), then {other.event!r}"
    return f"{one!r}, then {other!r}"


# --- words and data ------------------------------------------------------------------------------------------


def _kinds(system: System[Any, Any]) -> list[Kind]:
    """The event kinds that the system's rules emit."""
    return kinds_of(system.begin, system.apply)


def _check_rules(system: System[Any, Any]) -> None:
    """Rules call only rules; otherwise they could not be compiled."""
    entries: list[Callable[..., Any]] = [system.begin, system.legal, system.apply, system.figures, system.most_moves]
    broken = unmarked(*entries, system.hide, system.imagine, *system.tactics.values())
    if broken:
        raise Broken(f"{system.id}: {'; '.join(broken)}")


def _check_words(system: System[Any, Any]) -> None:
    """Every citation names a ruling; every sheet has a tactic and survives being written and read."""
    cited = {cite: f"event {kind.name}" for kind in _kinds(system) for cite in kind.cites}
    cited |= {option.ruling: f"option {option.name}" for option in system.all_options if option.ruling}
    rulings = system.rulings()
    lost = {cite: by for cite, by in cited.items() if cite not in rulings}
    broken = [f"cited rulings do not exist: {lost}"] if lost else []
    for kind in _kinds(system):
        if astray := sorted(set(kind.where) - set(kind.cites)):
            broken.append(f"event {kind.name} says when it cites {listing(astray)}, but never cites it")
    for known in system.catalogue().values():
        for id, sheet in known.items():
            if system.enlist(json.loads(json.dumps(system.as_table(sheet)))) != sheet:
                broken.append(f"{id} is a different sheet after as_table and enlist")
            if system.usual_tactic(sheet) not in system.tactics:
                broken.append(f"the tactic of {id} does not exist: {system.usual_tactic(sheet)}")
    if not set(system.values) <= {"win", "lose", "draw", *system.endings}:
        broken.append(f"values {dict(system.values)} name endings that do not exist")
    if system.endless not in ("draw", *system.endings):
        broken.append(f"endless is {system.endless!r}, which is not an ending")
    if not set(system.parts) <= set(system.figure_names):
        broken.append(f"parts {dict(system.parts)} name figures that do not exist")
    broken += _broken_creation(system)
    if broken:
        raise Broken(f"{system.id}: {'; '.join(broken)}")
    try:
        Setup.of(system, system.demonstration).seated()
    except Invalid as refusal:
        raise Broken(f"{system.id}: the system refuses its own demonstration: {refusal}") from None


def _broken_creation(system: System[Any, Any]) -> list[str]:
    """Problems with the fighters that the usual answers to a system's questions create."""
    creation = system.creation
    broken = []
    for seed in range(5):
        dice = Seeded(seed)
        try:
            table = unasked(creation.interview(creation.name(dice), dice, lambda what: None))
            sheet = system.enlist(json.loads(json.dumps(table)))
        except Invalid as refusal:
            return [f"the usual answers for a new fighter are refused: {refusal}"]
        if not set(creation.comments(sheet)) <= set(system.as_table(sheet)) | set(table):
            broken.append(f"{sheet.name} has comments for keys that a new sheet does not have")
    return broken


def _check_adventures(system: System[Any, Any], seed: int) -> None:
    """A game around fights always asks a player who has answers, closes every decision, and can resume from its log."""
    for adventure in system.abilities_of(Adventure):
        playing = adventure.playing
        players = [{"name": name, "sheet": playing.enlist(adventure.sheet, name)} for name in ("Ann", "Bob")]
        game = playing.begin(players, {}, Seeded(seed))
        for _ in range(GAME_ANSWERS):
            if game.over:
                break
            _check_game(game, f"{system.id}: its {adventure.word}, at decision {game.decision},")
            again = playing.resume(json.loads(json.dumps(game.as_table())), adventure.word)
            stands, stands_again = ([one.status(), one.glance(), *map(str, one.lines)] for one in (game, again))
            if stands != stands_again:
                raise Broken(f"{system.id}: its {adventure.word} is different after it was resumed from its log")


def _check_game(game: Hosted, where: str) -> None:
    """Answer a decision of a game, which must then be closed."""
    asked = [who for who in game.to_act if who in game.names]
    if not asked or not game.legal(asked[0], explain=True)[0] or not game.asked:
        raise Broken(f"{where} asks no player who has an answer")
    decision, told = game.decision, len(game.lines)
    game.play_by(asked[0], "random")
    if game.decision == decision:
        raise Broken(f"{where} is still asked after {asked[0]} has answered")
    try:
        late = None if game.over else game.play(asked[0], "", decision)
    except Illegal:
        late = None
    if late is not None:
        raise Broken(f"{where} is answered twice")
    if [line.text for line in game.told_from(told)] != [line.text for line in game.lines[told:]]:
        raise Broken(f"{where} sends a page other lines than those of its story")
    if not all(_can_be_drawn(widget) for name in game.names for widget in game.scene(name)):
        raise Broken(f"{where} has a widget that cannot be drawn")
    if [piece.name for piece in game.board.pieces] != list(game.endings):
        raise Broken(f"{where} has other players on its board than those who may win")


def _is_told(text: str) -> bool:
    """Whether a line of the story has words; a consequence of another line may be indented below it."""
    return _is_line(text.removeprefix("  ")) and any(letter.isalpha() for letter in text)


def _is_line(text: str) -> bool:
    return bool(text) and text == text.strip() and text.isprintable() and len(text) <= 1_000


def _can_be_drawn(widget: Widget) -> bool:
    """Whether a widget has a known kind, words, and a value within its bounds."""
    within = 0 <= widget.value <= widget.most if widget.most else widget.value >= 0
    return widget.kind in WIDGETS and within and all(_is_line(text) for text in (widget.label, *widget.names))


def _can_fall(thrown: Thrown) -> bool:
    """Whether real dice, coins or cards can show this."""
    faces = thrown.faces
    if thrown.kind not in THROWS or not faces or not all(_is_line(name) for name in thrown.names):
        return False
    match thrown.kind:
        case "coins":
            return len(faces) == 2 and 0 <= faces[0] <= faces[1]
        case "dice":
            return min(faces) >= 1
        case "percent":
            return min(faces) >= 1 and max(faces) <= 100
        case "card" | "pick":
            return min(faces) >= 0


# --- one position --------------------------------------------------------------------------------------------


def _check_opening(bout: _Bout, examined: _Examined) -> None:
    """The chances of the opening add up, and its setup can be written as JSON."""
    fight = bout.fight
    fresh = fight.setup.seated()

    def open_it(dice: Dice) -> Any:
        opened = records.copy(fresh)
        bout.system.begin(opened, dice, None)
        return opened

    _check_chances(bout, examined, open_it)
    json.dumps(fight.setup.as_table())


def _check_position(bout: _Bout) -> None:
    """The quick checks: who may do what, how moves are written, how the fight looks."""
    fight, system = bout.fight, bout.system
    before = records.pack(fight.state)
    due = to_act(fight.state)
    bout.require(0 < due < 1 << len(fight.names), f"the fight is not over, but `due` names no fighter: {due}")
    for who, name in enumerate(fight.names):
        codes = fight.codes(who)
        bout.require(bool(codes) == bool(due >> who & 1), f"`due` is {due:b}, but {name} has the moves {codes}")
        bout.require(len(set(codes)) == len(codes), f"{name} has the same move twice: {codes}")
        texts = [system.write_move(fight.setup, fight.state, who, code) for code in codes]
        bout.require(len(set(texts)) == len(texts), f"two moves of {name} are written alike: {texts}")
        written = dict(zip(texts, codes, strict=True))
        for text, code in written.items():
            read = system.read_move(fight.setup, fight.state, who, text, written)
            bout.require(read == code and _is_line(text), f"{name}'s move {code} is written {text!r}, read as {read}")
        for gauge in system.gauges(fight.setup, fight.state, who):
            bout.require(0 <= gauge.value <= gauge.most, f"{name}'s gauge is out of bounds: {gauge}")
        for widget in scene(fight, fight.setup.view(fight.state, None), who):
            bout.require(_can_be_drawn(widget), f"a widget of {name} cannot be drawn: {widget}")
    for line in fight.status().splitlines():
        bout.require(len(line) <= 80, f"the status does not fit 80 columns: {line!r}")
    bout.require(records.pack(fight.state) == before, "reading the fight changed the record")


def _check_slowly(bout: _Bout, examined: _Examined) -> None:
    """The slow checks: everything that continues from here on a copy, for every viewer, or from a file."""
    who = bout.random.choice(_due(bout.fight))
    code = bout.random.choice(bout.fight.codes(who))
    _check_refusals(bout)
    _check_records(bout, who, code)
    _check_chances(bout, examined, lambda dice: _after(bout.system, bout.fight.state, who, code, dice))
    _check_timeless(bout)
    _check_tactics(bout)
    _check_views(bout)
    _check_secrets(bout, bout.fight.names[who])


def _due(fight: Fight) -> list[int]:
    return [who for who in range(len(fight.names)) if to_act(fight.state) >> who & 1]


def _after(system: System[Any, Any], state: Any, who: int, code: int, dice: Dice, log: Log | None = None) -> Any:
    """The record after a move, on a copy."""
    copied = records.copy(state)
    system.apply(copied, who, code, dice, log)
    return copied


def _check_refusals(bout: _Bout) -> None:
    """An answer that is not open is refused with a message, and nothing has changed."""
    fight = bout.fight
    before = _snapshot(fight)
    for who, name in enumerate(fight.names):
        _, closed = _explained(fight, name)
        refused = [*NOT_MOVES, *(impossible.notation for impossible in closed)]
        for impossible in closed:
            bout.require(_is_line(impossible.reason), f"{name} is given no reason: {impossible}")
        for text in refused:
            bout.require(_refusal(fight, name, text) is not None, f"{name} may play {text[:60]!r}, which is not legal")
        for code in fight.codes(who)[:1]:
            text = fight.system.write_move(fight.setup, fight.state, who, code)
            for wrong in (fight.decision - 1, fight.decision + 1):
                late = _refusal(fight, name, text, wrong)
                bout.require(late is not None, f"{name} may answer decision {wrong} while {fight.decision} is open")
    _check_reading(bout)
    bout.require(_refusal(fight, "no such fighter", "") is not None, "a fighter who does not exist may move")
    bout.same("a refused move changed something", before, _snapshot(fight))


def _check_reading(bout: _Bout) -> None:
    """A move of one fighter, typed for another, is either legal there too or refused."""
    fight, system = bout.fight, bout.system
    every = {str(move) for name in fight.names for move in _explained(fight, name)[0]}
    for who in _due(fight):
        for text in every:
            try:
                read = system.read_move(fight.setup, fight.state, who, text, fight.setup.written(fight.state, who))
            except Illegal:
                continue
            legal = read in fight.codes(who)
            bout.require(legal, f"{fight.names[who]}'s {text!r} is read as {read}, which is not legal")


def _explained(fight: Fight, name: str) -> tuple[list[Any], list[Any]]:
    explained = fight.legal(name, explain=True)
    assert isinstance(explained, tuple)
    return explained


def _refusal(fight: Fight, name: str, text: str, decision: int | None = None) -> str | None:
    """The message with which a move is refused; None if it was accepted (and then undone)."""
    try:
        fight.play(name, text, decision)
    except Illegal as refused:
        message = str(refused)
        if not _is_line(message):
            raise AssertionError(f"{text[:60]!r} is refused without a one-line message: {message[:200]!r}") from None
        return message
    fight.rewind(len(fight.answers) - 1)
    return None


def _check_records(bout: _Bout, who: int, code: int) -> None:
    """Copies are independent, bytes and JSON round-trip, and equal bytes have equal successors."""
    state, system = bout.fight.state, bout.system
    packed = records.pack(state)
    twin = records.unpack(system.state, len(bout.fight.names), packed)
    bout.require(records.pack(twin) == packed, "the record is different after pack and unpack")
    table = records.as_table(state)
    bout.require(records.as_table(twin) == table, "the record's table is different after pack and unpack")
    bout.require(json.loads(json.dumps(table)) == table, "the record's table is different after JSON")
    silent, told = Seeded(bout.seed, 2), Seeded(bout.seed, 2)
    log = Log([[0] * len(system.figure_names) for _ in bout.fight.names], told.fallen)
    one = _after(system, state, who, code, silent)
    bout.require(records.pack(state) == packed, "a move on a copy changed the original")
    other = _after(system, twin, who, code, told, log)
    bout.require(records.pack(one) == records.pack(other), "the same move leads to different records from equal ones")
    bout.require(silent.fallen == told.fallen, "the dice differ when there is a log")
    for mover in _due(bout.fight):
        for move in bout.fight.codes(mover)[:8]:
            ended = _after(system, state, mover, move, Seeded(bout.seed, 3)).ending
            bout.require(-1 <= ended < len(bout.fight.endings), f"the outcome {ended} is not an ending")


class Witness(Exact):
    """Exact chance that also gives dice, coins and cards for each outcome."""

    deepest = MOST_THROWS + 1

    def __init__(self) -> None:
        super().__init__()
        self.results: list[Fell] = []

    def witnessed(self, run: Callable[[Dice], Any]) -> Iterator[tuple[Any, list[Fell], Fraction]]:
        """Every result of `run`, with dice that lead to it and its probability."""

        def start(exact: Exact) -> Any:
            self.results.clear()
            return run(exact)

        for result, numerator, denominator in self.outcomes(start):
            yield result, list(self.results), Fraction(numerator, denominator)

    def answer(self, question: Primitive, given: Given) -> int:
        if self._at >= MOST_THROWS:
            raise AssertionError(f"a move asks for more than {MOST_THROWS} throws, so it may never end")
        answer = super().answer(question, given)
        hashable = tuple(tuple(part) if isinstance(part, list) else part for part in given)
        self.results += _witnesses(question, hashable)[answer]
        return answer


class _Tries(Physical):
    """Dice with random results, half of the time chosen to be results that are otherwise rare."""

    def __init__(self) -> None:
        super().__init__()
        self.random, self.seeded = Random(0), Seeded(0)

    def throw(self, throw: Throw) -> Fell:
        return self.random.choice(_telling(throw)) if self.random.getrandbits(1) else self.seeded.throw(throw)


@lru_cache(256)
def _telling(throw: Throw) -> list[Fell]:
    """Results of a throw that together cover all its values: every sum of dice, every number of d100."""
    n, sides = throw.n, throw.sides
    match throw.kind:
        case "dice":
            steps = [divmod(more, max(1, sides - 1)) for more in range(n * (sides - 1) + 1)]
            shown = [[sides] * high + [1 + rest] * (high < n) + [1] * (n - high - 1) for high, rest in steps]
        case "percent":
            shown = [[value % 10, *[value // 10 % 10] * n] for value in range(1, 101)]
        case "card":
            shown = [[card] for card in cards_of(n)]
        case "coins":
            shown = [[count] for count in range(n + 1)]
        case "pick":
            shown = [[number] for number in range(n)]
    return [throw.check(faces) for faces in shown]


@lru_cache(1024)
def _witnesses(question: Primitive, given: Given) -> dict[int, list[Fell]]:
    """For every answer to a question, dice that give it."""
    found: dict[int, list[Fell]] = {}
    wanted = sum(weight > 0 for weight in question.weights_of(given))
    dice = _Tries()
    for _ in range(MOST_TRIES):
        dice.fallen = []
        found.setdefault(question.play(dice, *given), dice.fallen)
        if len(found) == wanted:
            return found
    raise AssertionError(f"no dice give some answers to {question.play.__name__}{given}; known are {sorted(found)}")


def _check_chances(bout: _Bout, examined: _Examined, run: Callable[[Dice], Any]) -> None:
    """The probabilities of all outcomes add up to one, and real dice can give each of them."""
    total = Fraction(0)
    reached = set()
    for count, (after, results, probability) in enumerate(Witness().witnessed(run)):
        if count == MOST_OUTCOMES:
            examined.not_tried[f"exact outcomes of moves with more than {MOST_OUTCOMES}"] = None
            return
        examined.outcomes += 1
        total += probability
        reached.add(records.pack(after))
        script = Scripted(results)
        bout.require(records.pack(run(script)) == records.pack(after), f"{results} give a different outcome")
        script.finish()
    bout.require(total == 1, f"the probabilities of a move add up to {total}")
    bout.require(records.pack(run(Seeded(bout.seed, 4))) in reached, "dice gave an outcome that Exact does not have")


def _check_timeless(bout: _Bout) -> None:
    """Forgetting the clock changes nothing else that callers can see."""
    system, fight = bout.system, bout.fight
    forgot = records.copy(fight.state)
    forget_clock(forgot)
    once = records.pack(forgot)
    forget_clock(forgot)
    bout.require(records.pack(forgot) == once, "forgetting the clock twice forgets more than once")
    kept = to_act(forgot) == to_act(fight.state)
    bout.require(kept, "forgetting the clock changes who is to act")
    for who in range(len(fight.names)):
        moves = [0] * system.most_moves(len(fight.names))
        legal = moves[: system.legal(forgot, who, moves)]
        bout.require(legal == fight.codes(who), f"forgetting the clock changes the moves of {fight.names[who]}")


def _check_tactics(bout: _Bout) -> None:
    """A tactic chooses a legal move, and the same one whether or not it is given hidden information."""
    fight, system = bout.fight, bout.system
    before = records.pack(fight.state)
    for who in _due(fight):
        seen = fight.setup.view(fight.state, who)
        for name, tactic in system.tactics.items():
            raw, sighted = (tactic(state, who, Seeded(bout.seed, 5)) for state in (fight.state, seen))
            bout.require(
                raw in fight.codes(who), f"tactic {name} of {fight.names[who]} chooses {raw}, which is not legal"
            )
            bout.require(
                raw == sighted, f"tactic {name} of {fight.names[who]} chooses {raw} by peeking, {sighted} from the view"
            )
    bout.require(records.pack(fight.state) == before, "a tactic changed the record")


# --- what must stay hidden -----------------------------------------------------------------------------------


def _check_views(bout: _Bout) -> None:
    """A view is plain data made from the viewer's record alone, and changing it does not change the fight."""
    fight = bout.fight
    whole = fight.state
    before = _snapshot(fight)
    for viewer in (None, *fight.names):
        index = None if viewer is None else fight.index(viewer)
        face = _face(fight, viewer)
        seen = fight.setup.view(whole, index)
        bout.require(
            records.pack(fight.setup.view(seen, index)) == records.pack(seen),
            f"a second view hides more from {viewer}",
        )
        if index is not None:
            _check_imagined(bout, index, seen)
        fight.state = seen
        try:
            bout.same(f"{viewer} sees more than the view contains", face, _face(fight, viewer))
        finally:
            fight.state = whole
        view = fight.view(viewer)
        bout.require(json.loads(json.dumps(view)) == view, f"the view of {viewer} is different after JSON")
        if isinstance(fight.dice, Fair):
            bout.require(
                fight.dice.secret.hex() not in json.dumps(view), f"the secret of the dice is shown to {viewer}"
            )
        _wreck(view)
    bout.same("changing a view changes the fight", before, _snapshot(fight))


def _check_imagined(bout: _Bout, index: int, seen: Any) -> None:
    """An imagined state looks to its fighter like the real one, and has the same moves."""
    setup, name = bout.fight.setup, bout.fight.names[index]
    for number in range(3):
        imagined = setup.imagined(bout.fight.state, index, Seeded(bout.seed, number))
        same = records.pack(setup.view(imagined, index)) == records.pack(seen)
        bout.require(same, f"a state that {name} imagines looks different to {name} than the real one")
        bout.require(
            setup.codes(imagined, index) == setup.codes(seen, index),
            f"{name} has other moves in what {name} imagines",
        )


def _face(fight: Fight, viewer: str | None) -> dict[str, object]:
    """All that the fight shows to a viewer, including error messages and the choices of tactics."""
    face: dict[str, object] = {"the view": fight.view(viewer)}
    if viewer is None:
        return face
    index = fight.index(viewer)
    face["the moves"] = _explained(fight, viewer)
    face["the refusals"] = [_why_refused(fight, index, text) for text in NOT_MOVES]
    if fight.codes(index):
        seen = fight.setup.view(fight.state, index)
        face["the tactics"] = [tactic(seen, index, Seeded(0)) for tactic in fight.system.tactics.values()]
    return face


def _why_refused(fight: Fight, index: int, text: str) -> str:
    try:
        return str(fight.setup.read(fight.state, index, text))
    except Refused as refused:
        return f"{refused} {refused.given!r} {refused.allowed!r}"


def _wreck(value: Any) -> None:
    """Empty everything that can be emptied."""
    if isinstance(value, dict | list):
        for part in list(value.values() if isinstance(value, dict) else value):
            _wreck(part)
        value.clear()


def _check_secrets(bout: _Bout, name: str) -> None:
    """Until all choices are in, no viewer can tell what another has chosen, nor whether."""
    fight = bout.fight
    moves = _explained(fight, name)[0]
    viewers = [None, *(other for other in fight.names if other != name)]
    if len(_due(fight)) < 2:
        return
    untold = {viewer: _face(fight, viewer) for viewer in viewers}
    public, decision = _public(fight), fight.decision
    others = [other for other in fight.to_act if other != name]
    for move in bout.random.sample(moves, min(3, len(moves))):
        told = fight.play(name, move, decision)
        if fight.state.sealed:
            hidden = f"{name}'s choice is sealed, but"
            bout.require(fight.to_act == others, f"{hidden} {fight.to_act} are to act instead of {others}")
            bout.require(not told, f"{hidden} the story tells {[str(line) for line in told]}")
            for viewer in viewers:
                bout.same(f"{hidden} {viewer or 'a spectator'} can tell {move}", untold[viewer], _face(fight, viewer))
            bout.same(f"{hidden} every viewer can tell {move}", public, _public(fight))
        fight.rewind(len(fight.answers) - 1)


def _public(fight: Fight) -> dict[str, object]:
    """What the fight shows to all viewers."""
    return {
        "the public log": json.dumps(public_table(fight)),
        "the story": fight.story,
        "the status": fight.status(),
        "the gauges": [fight.system.gauges(fight.setup, fight.state, who) for who in range(len(fight.names))],
        "the figures": fight.figures,
    }


# --- undoing, and continuing from a file ---------------------------------------------------------------------


def _answer(bout: _Bout) -> None:
    """Make a move, undo it and make it again; then make it once more in a fight loaded from a save file."""
    fight, before = bout.fight, bout.passed[-1]
    saved = _reloaded(bout) if bout.unhurried else None
    name, move = bout.choose()
    decision = fight.decision
    lines = fight.play(name, move, decision)
    _check_closed(bout, name, decision)
    after = _snapshot(fight)
    bout.require(
        before["the state"] != after["the state"],
        f"{name}'s {move!r} changes nothing in the record, so it closes no decision",
    )
    for line in lines:
        bout.require(_is_told(line.text), f"{line.event} is told as {line.text!r}, which is not a line of words")
    fight.rewind(len(fight.answers) - 1)
    bout.same("undo does not restore the fight", before, _snapshot(fight))
    _take_again(fight, name, move, after)
    bout.same("the same move has a different result after an undo", after, _snapshot(fight))
    if saved is not None:
        _take_again(saved, name, move, after)
        bout.same("the fight continues differently from a save file", after, _snapshot(saved))
        for earlier in bout.passed[:-4:-1]:
            saved.rewind(len(saved.answers) - 1)
            bout.same("undo in a fight loaded from a save file does not restore it", earlier, _snapshot(saved))


def _check_closed(bout: _Bout, name: str, decision: int) -> None:
    """An answer closes its decision, or is sealed while others are due; no decision is answered twice."""
    fight = bout.fight
    if fight.state.sealed:
        bout.require(fight.decision == decision, f"{name}'s answer is sealed, but the decision is now {fight.decision}")
        bout.require(bool(fight.to_act), f"{name}'s answer is sealed, but no other is due")
    else:
        bout.require(fight.decision == decision + 1, f"{name}'s answer has not closed decision {decision}")
    answered = [(answer.decision, answer.who) for answer in fight.answers]
    bout.require(answered.count((decision, name)) == 1, f"{name} has answered decision {decision} twice")


def _take_again(fight: Fight, name: str, move: str, after: Mapping[str, object]) -> None:
    """Make a move again that was chosen before, with the whim at its position after the choice."""
    fight.whim.position = int(str(after["the position of the whim"]))
    fight.play(name, move)


def _reloaded(bout: _Bout) -> Fight | None:
    """The fight restored from the content of a save file, with the same snapshot."""
    if not is_known(bout.system):
        return None
    fight = bout.fight
    loaded = restore(json.loads(json.dumps(as_table(fight))), "the save file")
    bout.same("the save file gives a different fight", _snapshot(fight), _snapshot(loaded))
    return loaded


def _check_end(bout: _Bout, examined: _Examined) -> None:
    """The fight has an ending, no fighter can move, and undoing and replaying all answers gives the same fight."""
    fight = bout.fight
    _check_ending(bout)
    end = _snapshot(fight)
    played = [(answer.who, answer.move) for answer in fight.answers]
    _check_copies(bout, examined)
    for before in reversed(bout.passed):
        fight.rewind(len(fight.answers) - 1)
        bout.same("undo does not restore the fight", before, _snapshot(fight))
    for who, move in played:
        _take_again(fight, who, move, end)
    bout.same("the same answers give a different fight", end, _snapshot(fight))


def _check_ending(bout: _Bout) -> None:
    fight, system = bout.fight, bout.system
    bout.require(fight.ending == fight.endings[fight.state.ending], f"the ending is {fight.ending!r}")
    bout.require(not fight.to_act, f"the fight is over, but {fight.to_act} are to act")
    for who, name in enumerate(fight.names):
        bout.require(not fight.codes(who), f"the fight is over, but {name} has moves")
        bout.require(_refusal(fight, name, "attack") is not None, f"the fight is over, but {name} may play")
        bout.require(len(fight.figures[name]) == len(system.figure_names), f"{name} has no figures")
    for number in range(len(fight.lines)):
        fight.why(number)
    for line, throws in zip(fight.lines, thrown_for(fight), strict=True):
        for thrown in throws:
            bout.require(_can_fall(thrown), f"{line.text!r} shows dice that are impossible: {thrown}")


def _check_copies(bout: _Bout, examined: _Examined) -> None:
    """The dice, a fork, the save file and the repr of a fight all give the same fight."""
    fight, end = bout.fight, _played(bout.fight)
    script = Scripted(fight.dice.fallen)
    replayed = Fight(fight.setup, dice=script)
    for answer in fight.answers:
        replayed.play(answer.who, answer.move)
    script.finish()
    bout.same("the results of its dice give a different fight", end, _played(replayed))
    at = bout.random.randint(1, fight.decision)
    forked = fight.fork(at)
    for answer in fight.answers[len(forked.answers) :]:
        forked.play(answer.who, answer.move)
    bout.same(f"a fork at decision {at} continues differently", end, _played(forked))
    if _reloaded(bout) is None:
        examined.not_tried["save files, because the system is not installed under its id"] = None
        return
    with tempfile.TemporaryDirectory() as folder:
        fight.save(Path(folder) / "fight.json")
        bout.same("the file gives a different fight", end, _played(Fight.load(Path(folder) / "fight.json")))
    if len(fight.answers) > LONGEST_REPR:
        examined.not_tried[f"repr of fights with more than {LONGEST_REPR} answers"] = None
        return
    again = eval(repr(fight), {"Fight": Fight, "Seeded": Seeded, "Fair": Fair, "Scripted": Scripted})
    bout.same("repr gives a different fight", end, _played(again))


# --- compiled ------------------------------------------------------------------------------------------------


def _compare_compiled(examined: _Examined) -> None:
    """Compiled fights end exactly as interpreted ones do, byte for byte."""
    if find_spec("numba") is None:
        examined.not_tried["compiled play, because Numba is not installed (the `lab` extra)"] = None
        return
    by_size: dict[int, list[_Bout]] = {}
    for bout in examined.bouts:
        by_size.setdefault(len(bout.fight.names), []).append(bout)
    for bouts in by_size.values():  # each number of fighters is compiled once, so more rosters cost little
        for bout in bouts[:4]:
            with _blaming(bout):
                _compare_one(bout)
            examined.compiled += COMPILED_FIGHTS


def _compare_one(bout: _Bout) -> None:
    from affray.lab import simulate

    system, options = bout.system, bout.fight.options
    tactics = {name: bout.random.choice(list(system.tactics)) for name in bout.fight.names}
    numbers = range(COMPILED_FIGHTS)
    final_states: Callable[..., list[bytes]] = simulate.final_states
    compiled = final_states(system, bout.roster, seed=bout.seed, numbers=numbers, tactics=tactics, options=options)
    for number, native in zip(numbers, compiled, strict=True):
        fight = Fight(system, bout.roster, dice=Seeded(bout.seed, number), options=options)
        play_on(fight, usual_tactics(fight, tactics))
        told = f"fight number {number} with {tactics} ends differently when compiled"
        if records.pack(fight.state) != native:
            ended = records.unpack(system.state, len(fight.names), native)
            bout.require(False, f"{told}: {records.as_table(fight.state)} and {records.as_table(ended)}")
