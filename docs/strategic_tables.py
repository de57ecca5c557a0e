"""Fights out whether any attack move or defence of `strategic` is better than all others: who always does the same.

`make_tables.py` shows what comes of it, and a test holds the rules to it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from math import sqrt
from typing import NamedTuple

from affray.kernel.chance import Dice
from affray.kernel.rules import apart, row
from affray.lab.figures import Rate, rate
from affray.lab.simulate import simulate
from affray.system.setup import Setup
from affray.systems.strategic import sheets, system
from affray.systems.strategic.abilities import can_reach, is_armed
from affray.systems.strategic.arms import WEAPONS
from affray.systems.strategic.moves import ATTACKS, INTENTS, PLAIN
from affray.systems.strategic.rules import legal_defences, move_code
from affray.systems.strategic.stakes import net_worth
from affray.systems.strategic.state import (
    ACCEPT,
    BRACE,
    CLOSE_IN,
    CRIPPLE,
    DEFEND,
    DISARM,
    DODGE,
    FIGHT_ON,
    GIVE_IN,
    INCAPACITATE,
    MOST_COINS,
    OFFERED,
    PARRY,
    PICK_UP,
    PULL,
    STRIKE,
    THREATEN,
    THREATENED,
    Fight,
)

FIGHTS = 4_000
SEED, FRESH_SEED = 7, 8  # what looks best among many is fought out again, lest it was luck that made it look so
TRIALS = 2_000  # fights in which a move finds the intent and the defence that go with it, or a place to look at again
FRESH_FIGHTS = 16_000
ALL_SEEN = {"openings_base": 7, "moves_base": 7, "round_cap": 60}
MOVES = tuple(ATTACKS.values())
DEFENCES = tuple(PLAIN[defence] for defence in (PARRY, DODGE, BRACE))
ARMOURS = ("none", "leather", "chain", "plate")
CODES = {word: move for move, word in ATTACKS.items()}


# --- who always does the same --------------------------------------------------------------------------------


class Plan(NamedTuple):
    """What a fighter always does: an attack move with an intent, and a defence."""

    move: str
    intent: str = INTENTS[INCAPACITATE]
    defence: str = DEFENCES[0]

    @property
    def number(self) -> int:
        """The plan as the tactic reads it."""
        return CODES[self.move] | INTENTS.index(self.intent) << 4 | DEFENCES.index(self.defence) << 6


@apart
def keep_to_plan(fight: Fight, who: int, whim: Dice) -> int:
    """The same move at every turn and the same defence; a threatened fighter goes by the sum."""
    plan = fight.fighters[who].price[MOST_COINS]
    other = 1 - who
    if fight.phase == DEFEND:
        return planned_defence(fight, who, PARRY + (plan >> 6))
    if fight.phase == THREATENED:
        return FIGHT_ON if net_worth(fight, who) >= 0 else GIVE_IN
    if fight.phase == OFFERED:
        return move_code(ACCEPT, 0, fight.target)
    fighter, foe = fight.fighters[who], fight.fighters[other]
    if foe.yielding:
        return move_code(ACCEPT, 0, other)
    if fighter.weapon != fighter.owned:
        return PICK_UP
    if not can_reach(fight, who, other, STRIKE):
        return move_code(CLOSE_IN, 0, other)
    return planned_blow(fight, who, other, plan & 15, plan >> 4 & 3)


@apart
def planned_blow(fight: Fight, who: int, other: int, move: int, intent: int) -> int:
    """The move of a plan; where it has done what it can, a strike."""
    foe = fight.fighters[other]
    if (move == DISARM and not is_armed(foe)) or (move == THREATEN and foe.shaken > 0):
        move = STRIKE
    if move in (DISARM, THREATEN):
        intent = 0
    elif move == PULL and intent == CRIPPLE:
        intent = INCAPACITATE
    return move_code(move, intent, other)


@apart
def planned_defence(fight: Fight, who: int, defence: int) -> int:
    """The defence of a plan, or the first there is."""
    moves = row(3)
    for place in range(legal_defences(fight, who, moves)):
        if moves[place] == defence:
            return defence
    return moves[0]


def seat(setup: Setup[sheets.Sheet], fight: Fight) -> None:
    """The fight, with each fighter's plan, the sheet's note, in a cell that the rules have no use for."""
    sheets.seat(setup, fight)
    for fighter, sheet in zip(fight.fighters, setup.sheets, strict=True):
        fighter.price[MOST_COINS] = Plan(*sheet.note.split()).number


RING = replace(
    system,
    id="strategic-ring",
    tactics={"plan": keep_to_plan},
    tactic_of=lambda sheet: "plan",
    seat=seat,
)


# --- where they fight ----------------------------------------------------------------------------------------

ALIKE = {"strength": 4, "agility": 4, "discipline": 4, "training": 4, "stake": 1000, "caution": 0}
"""Two who are alike, and fight to the end: nobody yields who counts no years."""


@dataclass(frozen=True)
class Ground:
    """Who meets whom: the arms of both, the armour that both wear, and what else is changed in them."""

    name: str
    own: str
    other: str
    armour: str
    changes: Mapping[str, int] = field(default_factory=dict, hash=False)

    def turned(self) -> Ground:
        """The same, seen by the other."""
        return replace(self, own=self.other, other=self.own)

    def sheet(self, weapon: str, plan: Plan) -> dict[str, object]:
        """One of the two."""
        return {
            "name": "one",
            **ALIKE,
            **self.changes,
            "weapon": weapon,
            "armour": self.armour,
            "note": " ".join(plan),
        }

    @property
    def moves(self) -> tuple[str, ...]:
        """The attack moves that the weapon allows and that mean anything: there may be nothing to disarm."""
        able = WEAPONS[self.own].attacks
        return tuple(move for move in MOVES if move in able and (move != ATTACKS[DISARM] or WEAPONS[self.other].held))

    @property
    def threats(self) -> tuple[str, ...]:
        """The attack moves to be answered; away from the tables those that wound are enough."""
        able = WEAPONS[self.other].attacks
        wounding = (move for move in MOVES if move in able and CODES[move] not in (DISARM, THREATEN))
        return MOVES if self in LEVELS else tuple(wounding)

    @property
    def fights(self) -> int:
        """How many fights show what wins here: many where every figure stands in a table."""
        return FIGHTS if self in LEVELS else TRIALS

    @property
    def defences(self) -> tuple[str, ...]:
        """The defences that are possible in this armour and with this weapon."""
        able = WEAPONS[self.own].defences
        return tuple(one for one in DEFENCES if one in able and (self.armour != "plate" or one != PLAIN[DODGE]))


def mirror(weapon: str, armour: str, **changes: int) -> Ground:
    """Both with the same."""
    changed = "; both " + ", ".join(f"{name.title()} {value}" for name, value in changes.items()) if changes else ""
    return Ground(f"{weapon} against {weapon}, armour {armour}{changed}", weapon, weapon, armour, changes)


LEVELS = tuple(mirror("broadsword", armour) for armour in ARMOURS)
"""Where everything is shown."""

ELSEWHERE = (
    mirror("battleaxe", "none"),
    mirror("battleaxe", "plate"),
    mirror("rapier", "plate"),
    mirror("rapier", "none", training=7),
    Ground("rapier against broadsword, armour leather", "rapier", "broadsword", "leather"),
    Ground("rapier against battleaxe, armour leather", "rapier", "battleaxe", "leather"),
    Ground("battleaxe against rapier, armour none", "battleaxe", "rapier", "none"),
    Ground("claws against battleaxe, armour none", "claws", "battleaxe", "none"),
    Ground(
        "claws against battleaxe, armour none; both Strength 0, Agility 9, Training 2",
        "claws",
        "battleaxe",
        "none",
        {"strength": 0, "agility": 9, "training": 2},
    ),
    Ground(
        "broadsword against broadsword, armour none; over a trifle, stake 1 year",
        "broadsword",
        "broadsword",
        "none",
        {"stake": 1, "caution": 100},
    ),
)
"""Other arms and other stakes, which other moves are made for."""


# --- the fights ----------------------------------------------------------------------------------------------


@cache
def wins(ground: Ground, own: Plan, other: Plan, fights: int, seed: int = SEED) -> Rate:
    """How often the one wins who keeps to a plan against another; a fight that nobody wins counts half."""
    teams = {"own": [ground.sheet(ground.own, own)], "other": [ground.sheet(ground.other, other)]}
    counts = simulate(RING, teams, fights=fights, seed=seed, options=ALL_SEEN).counts
    return rate((fights + counts["own"] - counts["other"]) // 2, fights)


@cache
def at_its_best(ground: Ground, move: str) -> Plan:
    """A move with the intent and the defence that do best against a fighter who strikes and parries."""

    def worth(plan: Plan) -> float:
        return wins(ground, plan, Plan(ATTACKS[STRIKE]), TRIALS).value

    meant = max((Plan(move, intent) for intent in INTENTS), key=worth)
    return max((meant._replace(defence=defence) for defence in ground.defences), key=worth)


def move_against_move(ground: Ground, own: str, other: str, fights: int = FIGHTS, seed: int = SEED) -> Rate:
    """How often one attack move wins against another, each with the intent and the defence that suit it."""
    return wins(ground, at_its_best(ground, own), at_its_best(ground.turned(), other), fights, seed)


def defence_against_defence(ground: Ground, own: str, other: str, fights: int = FIGHTS) -> Rate:
    """How often one defence wins against another, where both strike."""
    strike = Plan(ATTACKS[STRIKE])
    return wins(ground, strike._replace(defence=own), strike._replace(defence=other), fights)


def defence_against_move(ground: Ground, defence: str, move: str, fights: int = FIGHTS, seed: int = SEED) -> Rate:
    """How often a fighter wins who strikes and always takes this defence, against an attack move."""
    foe = at_its_best(ground.turned(), move)
    return wins(ground, Plan(ATTACKS[STRIKE], defence=defence), foe, fights, seed)


class Answer(NamedTuple):
    """Where a move or a defence is the best answer: against what, what it wins, and what the next best does."""

    name: str
    ground: Ground
    against: str
    wins: Rate
    next_best: str
    next_wins: Rate

    @property
    def lead(self) -> Rate:
        """By how much it is better, with the interval of the difference of two rates."""
        one, other = self.wins, self.next_wins
        gap = one.value - other.value
        spread = sqrt(((one.high - one.low) / 2) ** 2 + ((other.high - other.low) / 2) ** 2)
        return Rate(gap, gap - spread, gap + spread)


def answers() -> Iterator[Answer]:
    """The best move and the best defence against every attack move, everywhere."""
    for ground in (*LEVELS, *ELSEWHERE):
        for against in ground.threats:
            fights = ground.fights
            for shares in (moves_met(ground, against, fights), defences_met(ground, against, fights)):
                yield _answer(max(shares, key=lambda name: shares[name].value), ground, against, shares)


def moves_met(ground: Ground, against: str, fights: int, seed: int = SEED) -> dict[str, Rate]:
    """What every attack move wins against one."""
    return {move: move_against_move(ground, move, against, fights, seed) for move in ground.moves}


def defences_met(ground: Ground, against: str, fights: int, seed: int = SEED) -> dict[str, Rate]:
    """What every defence wins against an attack move."""
    return {defence: defence_against_move(ground, defence, against, fights, seed) for defence in ground.defences}


def _answer(name: str, ground: Ground, against: str, shares: Mapping[str, Rate]) -> Answer:
    second = max((other for other in shares if other != name), key=lambda other: shares[other].value)
    return Answer(name, ground, against, shares[name], second, shares[second])


def clearest() -> dict[str, Answer]:
    """For every move and every defence that is the best answer anywhere, where it is so most clearly.

    The places are found by some fights, and the figures come from others, many more.
    """
    found: dict[str, Answer] = {}
    for answer in answers():
        known = found.get(answer.name)
        if known is None or answer.lead.low > known.lead.low:
            found[answer.name] = answer
    return {name: _again(answer, FRESH_FIGHTS) for name, answer in found.items()}


def _again(answer: Answer, fights: int) -> Answer:
    met = moves_met if answer.name in MOVES else defences_met
    shares = met(answer.ground, answer.against, fights, FRESH_SEED)
    return _answer(answer.name, answer.ground, answer.against, shares)


def extremes() -> dict[str, tuple[Rate, Rate]]:
    """The least and the most that every attack move wins, over all moves against it and all places."""
    shares: dict[str, list[Rate]] = {move: [] for move in MOVES}
    for ground in (*LEVELS, *ELSEWHERE):
        for move in ground.moves:
            shares[move] += [move_against_move(ground, move, other, ground.fights) for other in ground.threats]
    return {move: (min(rates), max(rates)) for move, rates in shares.items()}


# --- as tables: the heads, and rows of words and rates -------------------------------------------------------

Cells = tuple[list[str], list[list[object]]]


def attack_moves(armour: str) -> Cells:
    """Every attack move against every other, with broadswords."""
    ground = LEVELS[ARMOURS.index(armour)]
    rows: list[list[object]] = [
        [f"**{own}**", *(move_against_move(ground, own, other) for other in MOVES)] for own in MOVES
    ]
    return ["wins of", *(f"{other}:" for other in MOVES)], rows


def defences() -> Cells:
    """Every defence against every other, at each level of armour."""
    rows: list[list[object]] = []
    for ground in LEVELS:
        for own in ground.defences:
            against = [
                defence_against_defence(ground, own, other) if other in ground.defences else "" for other in DEFENCES
            ]
            rows.append([ground.armour, f"**{own}**", *against])
    return ["armour", "wins of", *(f"{other}:" for other in DEFENCES)], rows


def defences_against_moves() -> Cells:
    """Every defence against every attack move, at each level of armour."""
    rows: list[list[object]] = []
    for ground in LEVELS:
        for own in ground.defences:
            rows.append([ground.armour, f"**{own}**", *(defence_against_move(ground, own, other) for other in MOVES)])
    return ["armour", "wins of", *(f"{other}:" for other in MOVES)], rows


def best_answers() -> Cells:
    """Where every move and every defence is the best answer most clearly."""
    best = clearest()
    rows: list[list[object]] = []
    for name in (*MOVES, *DEFENCES):
        answer = best[name]
        rows.append([f"**{name}**", answer.ground.name, answer.against, answer.wins, answer.next_best, answer.lead])
    return ["best answer", "where", "to", "wins:", "next best", "by:"], rows


def least_and_most() -> Cells:
    """The least and the most that every attack move wins."""
    return ["move", "least:", "most:"], [[f"**{move}**", *ends] for move, ends in extremes().items()]


# --- what each tactic brings -----------------------------------------------------------------------------------

MATCHES = (
    ("knight", "brute"),
    ("duelist", "brute"),
    ("guard", "brute"),
    ("knight", "knight"),
    ("guard", "guard"),
    ("thug", "guard"),
    ("duelist", "knight"),
    ("archer", "knight"),
    ("wildcat", "thug"),
)


@cache
def sums(fighter: str, foe: str, fights: int = FIGHTS) -> Mapping[str, float]:
    """What a fighter gains by each tactic, in years: the stake by its chance, less the years as they count them."""
    sheet, teams = sheets.SHEETS.fighters()[fighter], {"own": [f"{fighter}:name=own"], "other": [foe]}
    found = {}
    for tactic in system.tactics:
        figures = simulate(system, teams, fights=fights, seed=SEED, tactics={"own": tactic}).figures["own"]
        found[tactic] = figures["stake won"].value - sheet.caution / 100 * figures["years lost"].value
    return found


def what_tactics_bring() -> tuple[list[str], list[list[object]]]:
    """The sums of all matches by each tactic, and all of them together."""
    rows: list[list[object]] = []
    for fighter, foe in MATCHES:
        gained = sums(fighter, foe)
        best = max(gained.values())
        cells = [f"**{value:+.1f}**" if value == best else f"{value:+.1f}" for value in gained.values()]
        rows.append([f"`{fighter}` against `{foe}`", sheets.SHEETS.fighters()[fighter].stake, *cells])
    totals = [sum(sums(*match)[tactic] for match in MATCHES) for tactic in system.tactics]
    rows.append(["all together", "", *(f"{total:+.1f}" for total in totals)])
    return ["fight", "stake:", *(f"`{tactic}`:" for tactic in system.tactics)], rows
