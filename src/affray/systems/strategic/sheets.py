"""Who fights: attributes, arms and stakes, and the options of the rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from math import comb, fsum
from operator import mul

from affray.errors import Invalid
from affray.kernel.records import blank
from affray.kernel.system import Cost
from affray.schema import (
    Flag,
    Names,
    Option,
    Schema,
    Slug,
    Text,
    Value,
    Whole,
    Word,
    check,
    refusal,
)
from affray.specs import Register
from affray.systems.strategic.abilities import (
    attack_ability,
    defence_ability,
    effective_agility,
    initiative_ability,
    soak_coins,
)
from affray.systems.strategic.arms import (
    ARMOUR,
    ARMOUR_NUMBERS,
    ARMOURS,
    KIND,
    RANGED,
    WEAPON,
    WEAPON_NUMBERS,
    WEAPONS,
)
from affray.systems.strategic.life import HOUR, YEARS, Life, perish_table
from affray.systems.strategic.state import HOW_MANY_NUMBERS, LEARNED, MOST_COINS, STRIKE, Fight, Fighter
from affray.systems.strategic.tactics import TACTICS

MOVES = ("jab", "power", "pull", "maim", "gap", "disarm", "threaten")
"""The attack moves that have to be learned, in the order in which the rules number them."""

# Options

_FOR_A_COIN = Whole(0, 10)
NUMBERS = (
    Option("life_check_at", Whole(0, 40), 15, "Life Coins at which a Life check is due every round", "life"),
    Option("strength_melee", _FOR_A_COIN, 3, "Strength for a coin in melee; 0: for none", "abilities"),
    Option("strength_bludgeon", _FOR_A_COIN, 3, "Strength for one more coin with a bludgeon; 0: for none", "abilities"),
    Option("agility_edged", _FOR_A_COIN, 3, "Agility for a coin with an edged weapon; 0: for none", "abilities"),
    Option("agility_ranged", _FOR_A_COIN, 3, "Agility for a coin with a ranged weapon; 0: for none", "abilities"),
    Option("agility_defence", _FOR_A_COIN, 3, "Agility for one more coin of Defence; 0: for none", "abilities"),
    Option("initiative_base", Whole(0, 20), 3, "initiative coins that everybody has", "initiative"),
    Option("agility_initiative", _FOR_A_COIN, 3, "Agility for a coin of initiative; 0: for none", "initiative"),
    Option("strength_weight", _FOR_A_COIN, 3, "Strength that carries a weight of 1; 0: none does", "initiative"),
    Option("least_initiative", Whole(0, 10), 1, "initiative coins that nobody has less of", "initiative"),
    Option("openings_base", Whole(0, 7), 1, "openings that everybody sees", "openings"),
    Option("moves_base", Whole(0, 7), 2, "attack moves that everybody knows", "openings"),
    Option("training_a_move", Whole(1, 10), 2, "Training for one more attack move", "openings"),
    Option("margin_damage", Whole(0, 200), 100, "points of damage for the margin, in per cent of it", "damage"),
    Option("control_base", Whole(0, 20), 1, "points of the margin that always go where they should", "intents"),
    Option("pain_soak", Whole(0, 100), 0, "what comes off Pain, in per cent of the soak", "soak"),
    Option("incapacitation_soak", Whole(0, 100), 50, "what comes off Incapacitation, in per cent of the soak", "soak"),
    Option("crippling_soak", Whole(0, 100), 100, "what comes off Crippling, in per cent of the soak", "soak"),
    Option("least_pain", Whole(0, 10), 1, "Pain that every hit causes at least", "soak"),
    Option("standoff", Whole(1, 1000), 10, "rounds without a hit that end the fight", "ends"),
    Option("strike_attack", Whole(-10, 10), 0, "attack coins of a strike", "moves"),
    Option("jab_attack", Whole(-10, 10), 1, "attack coins of a jab", "moves"),
    Option("jab_initiative", Whole(-10, 10), 1, "initiative after a jab, until one acts again", "moves"),
    Option("jab_pools", Whole(0, 100), 50, "damage pools of a jab, in per cent", "moves"),
    Option("power_attack", Whole(-10, 10), -1, "attack coins of a power blow", "moves"),
    Option("power_pools", Whole(-10, 10), 2, "coins in each pool of a power blow", "moves"),
    Option("power_defence", Whole(-10, 10), -1, "own defence after a power blow, until one acts again", "moves"),
    Option("pull_attack", Whole(-10, 10), 0, "attack coins of a pulled blow", "moves"),
    Option("pull_lethality", Whole(0, 100), 50, "lethality of a pulled blow that incapacitates, in per cent", "moves"),
    Option("maim_attack", Whole(-10, 10), 0, "attack coins of a maiming blow", "moves"),
    Option("maim_cripple", Whole(-10, 10), 3, "coins in the Crippling pool of a maiming blow", "moves"),
    Option("maim_others", Whole(-10, 10), -2, "coins in the other pools of a maiming blow", "moves"),
    Option("gap_attack", Whole(-10, 10), -1, "attack coins of a blow at a gap in the armour", "moves"),
    Option("guarded_attack", Whole(-10, 10), -2, "attack coins of a guarded attack", "moves"),
    Option("guarded_defence", Whole(-10, 10), 3, "own defence after a guarded attack, until one acts again", "moves"),
    Option("disarm_attack", Whole(-10, 10), 2, "attack coins of a disarm", "moves"),
    Option("disarm_margin", Whole(0, 10), 1, "margin at which a disarm succeeds", "moves"),
    Option("threat_attack", Whole(0, 10), 1, "attack coins that a threat costs in the next attack", "moves"),
    Option("strength_threat", _FOR_A_COIN, 3, "Strength for a coin to threaten with; 0: for none", "moves"),
    Option("training_nerve", _FOR_A_COIN, 3, "Training for a coin against a threat; 0: for none", "moves"),
    Option("parry_defence", Whole(-10, 10), 0, "defence coins of a parry", "defences"),
    Option("parry_margin", Whole(0, 10), 2, "margin from which a parry wins the initiative", "defences"),
    Option("parry_initiative", Whole(-10, 10), 2, "initiative in the next round after such a parry", "defences"),
    Option("dodge_defence", Whole(-10, 10), 1, "defence coins of a dodge", "defences"),
    Option("dodge_initiative", Whole(-10, 10), -1, "initiative in the next round after a dodge", "defences"),
    Option("dodge_penalty", Whole(0, 10), 2, "armour penalty up to which one can dodge", "defences"),
    Option("brace_defence", Whole(-10, 10), -2, "defence coins of bracing", "defences"),
    Option("brace_soak", Whole(0, 20), 3, "soak coins of bracing", "defences"),
    Option("stand_down_defence", Whole(0, 400), 150, "defence while standing down, in per cent", "stand-down"),
    Option("helpless_defence", Whole(0, 20), 0, "defence coins of whoever yields, or is caught running", "yield"),
)
"""The numbers of the rules, in the order in which the rules number them."""

OPTIONS = (
    *NUMBERS,
    Option("lethal", Word(("cumulative", "highwater")), "cumulative", "whether every wound costs its coins", "lethal"),
    Option("start_range", Word(("archers", "far", "near")), "archers", "far: always, or only with archers", "range"),
    Option("hours_to_care", Whole(0, 10_000), 6, "hours to a healer after the fight", "care"),
    Option("care_coins", Whole(0, 20), 4, "coins a healer flips for each lost one: all Tails, and it stays so", "care"),
    Option("rest_days", Whole(1, 1000), 30, "days in bed that take a point of Crippling away", "lasting"),
    Option("round_cap", Whole(1, 100_000), 600, "rounds after which the fight is a draw", "round-cap"),
)

# Sheets


@dataclass(frozen=True, kw_only=True)
class Sheet:
    """A combatant as it enters a fight; Crippling and lost Life Coins may be left from an earlier one.

    The numbers of weapon and armour are those of the tables where the sheet has none of its own.
    """

    id: str
    name: str
    strength: int = 3
    agility: int = 3
    discipline: int = 3
    training: int = 3
    hardiness: int = 2
    weapon: str = "fists"
    damage: int | None = None
    lethality: int | None = None
    weight: int | None = None
    armour: str = "none"
    armour_value: int | None = None
    armour_penalty: int | None = None
    moves: tuple[str, ...] = ()
    life_coins: int = 30
    coins_lost: int = 0
    crippling: int = 0
    stake: int = 10
    caution: int = 100
    hours_to_care: int = 6
    care_coins: int = 4
    rest_days: int = 30
    dead: bool = False
    tactic: str = "rational"
    note: str = ""

    @property
    def coins(self) -> int:
        """Life Coins that are left."""
        return self.life_coins - self.coins_lost


_ATTRIBUTE = Whole(0, 10)
SHEET: Schema = {
    "id": Slug(),
    "name": Text(40),
    "strength": _ATTRIBUTE,
    "agility": _ATTRIBUTE,
    "discipline": _ATTRIBUTE,
    "training": _ATTRIBUTE,
    "hardiness": Whole(1, 6),
    "weapon": Word(tuple(WEAPONS)),
    "damage": WEAPON["damage"],
    "lethality": WEAPON["lethality"],
    "weight": WEAPON["weight"],
    "armour": Word(tuple(ARMOURS)),
    "armour_value": ARMOUR["value"],
    "armour_penalty": ARMOUR["penalty"],
    "moves": Names(MOVES, of="attack move", most=len(MOVES)),
    "life_coins": Whole(1, MOST_COINS),
    "coins_lost": Whole(0, MOST_COINS),
    "crippling": Whole(0, 40),
    "stake": Whole(0, 1000),
    "caution": Whole(0, 1000),
    "hours_to_care": Whole(0, 10_000),
    "care_coins": Whole(0, 20),
    "rest_days": Whole(1, 1000),
    "dead": Flag(),
    "tactic": Word(tuple(TACTICS)),
    "note": Text(),
}


def _made(table: Mapping[str, object], where: str) -> Sheet:
    """The one door to a sheet: every value in its range, no move twice, no more coins lost than there are."""
    taken = check(SHEET, table, where, ("name",))
    taken |= {key: tuple(value) for key, value in taken.items() if isinstance(value, list)}
    sheet = Sheet(**{"id": "fighter", **taken})  # type: ignore[arg-type]
    if len(set(sheet.moves)) < len(sheet.moves):
        raise refusal(f"{where}: moves", list(sheet.moves), "each move once")
    if sheet.coins_lost > sheet.life_coins:
        raise refusal(f"{where}: coins_lost", sheet.coins_lost, f"0 to {sheet.life_coins}, the Life Coins")
    return sheet


def as_table(sheet: Sheet) -> dict[str, object]:
    """The sheet as plain values for JSON; `enlist` makes the same sheet of it."""
    table = {key: list(value) if isinstance(value, tuple) else value for key, value in asdict(sheet).items()}
    return {key: value for key, value in table.items() if value is not False and value not in (None, "", [])}


def derived(sheet: Sheet, options: Mapping[str, Value]) -> dict[str, object]:
    """What follows from the attributes and the arms, by the numbers of the options."""
    fight = _laid_out(1, options)
    fighter = fight.fighters[0]
    _seat_one(fighter, sheet, options)
    return {
        "attack": attack_ability(fight, fighter),
        "defence": defence_ability(fight, fighter),
        "initiative": initiative_ability(fight, fighter),
        "effective_agility": effective_agility(fighter),
        "soak": soak_coins(fight, fighter, STRIKE, False),
        "damage": fighter.damage,
        "lethality": fighter.lethality,
        "weight": fighter.weight,
        "armour_value": fighter.armour_value,
        "armour_penalty": fighter.armour_penalty,
        "knows": dict.fromkeys(moves_known(sheet, options), True),
    }


REGISTER = Register("affray.systems.strategic", SHEET, OPTIONS, _made, as_table)
enlist, check_file = REGISTER.enlist, REGISTER.check_file
fighters, rulings = REGISTER.fighters, REGISTER.rulings


# What a decision costs


def years_lost(sheet: Sheet, now: Mapping[str, float], after: Mapping[str, float]) -> float:
    """The years that are still to be lost; those lost already are gone whatever one does."""
    return after["years lost"] - now["years lost"]


def net(sheet: Sheet, now: Mapping[str, float], after: Mapping[str, float]) -> float:
    """The stake by the chance to win it, less the years as this fighter counts them. stakes."""
    return after["stake won"] - sheet.caution / 100 * years_lost(sheet, now, after)


COSTS = (
    Cost[Sheet]("downed", lambda sheet, now, after: after["downed"], is_chance=True, sign="o", meaning="downed"),
    Cost[Sheet]("die", lambda sheet, now, after: after["dead"], is_chance=True, sign="X", meaning="dead in the fight"),
    Cost[Sheet](
        "by care",
        lambda sheet, now, after: after["dead before care"],
        is_chance=True,
        sign="x",
        meaning="dead before reaching a healer",
    ),
    Cost[Sheet]("years", years_lost, meaning="of life lost on average"),
    Cost[Sheet]("net", net, meaning="the stake times its chance, less the years"),
)
"""Beside the chance to win: to be downed, to die in the fight, or before reaching a healer; the years; the sum."""

# From sheets to the record


def seat(teams: Sequence[Sequence[Sheet]], options: Mapping[str, Value]) -> Fight:
    """The fight before anything has happened."""
    sheets = [(team, sheet) for team, members in enumerate(teams) for sheet in members]
    fight = _laid_out(len(sheets), options)
    fight.teams = len(teams)
    fight.by_highwater = int(options["lethal"] == "highwater")
    fight.hours, fight.care_coins = int(options["hours_to_care"]), int(options["care_coins"])
    fight.rest_days = int(options["rest_days"])
    fight.round_cap = int(options["round_cap"])
    fight.perish[:] = perish_table(fight.hours)
    for fighter, (team, sheet) in zip(fight.fighters, sheets, strict=True):
        if sheet.dead or sheet.coins == 0:
            raise Invalid(f"{sheet.name} is dead and cannot fight", given=sheet.name)
        fighter.team = team
        _seat_one(fighter, sheet, options)
        table = prices(sheet.life_coins, fight.hours, fight.care_coins)
        fighter.price[:] = [max(0, price - table[sheet.coins]) for price in table]  # what is lost already is lost
    archers = any(KIND[fighter.weapon] == RANGED for fighter in fight.fighters)
    if options["start_range"] == "near" or (options["start_range"] == "archers" and not archers):
        for fighter, (team, _) in zip(fight.fighters, sheets, strict=True):
            fighter.near = sum(1 << other for other, (theirs, _) in enumerate(sheets) if theirs != team)
    return fight


def _laid_out(fighters: int, options: Mapping[str, Value]) -> Fight:
    """A record for so many fighters, with the numbers of the rules."""
    fight = blank(Fight, fighters)
    fight.numbers[:HOW_MANY_NUMBERS] = [int(options[option.name]) for option in NUMBERS]
    return fight


def _seat_one(fighter: Fighter, sheet: Sheet, options: Mapping[str, Value]) -> None:
    fighter.strength, fighter.agility = sheet.strength, sheet.agility
    fighter.discipline, fighter.training = sheet.discipline, sheet.training
    fighter.hardiness, fighter.coins, fighter.crippling = sheet.hardiness, sheet.coins, sheet.crippling
    weapon, armour = WEAPONS[sheet.weapon], ARMOURS[sheet.armour]
    fighter.weapon = fighter.owned = WEAPON_NUMBERS[sheet.weapon]
    fighter.damage = _own(sheet.damage, weapon.damage)
    fighter.lethality = _own(sheet.lethality, weapon.lethality)
    fighter.weight = _own(sheet.weight, weapon.weight)
    fighter.armour = ARMOUR_NUMBERS[sheet.armour]
    fighter.armour_value = _own(sheet.armour_value, armour.value)
    fighter.armour_penalty = _own(sheet.armour_penalty, armour.penalty)
    fighter.stake, fighter.caution = sheet.stake, sheet.caution
    for move in moves_known(sheet, options):
        fighter.known |= 1 << MOVES.index(move)


def _own(number: int | None, usual: int) -> int:
    """A number of the sheet's own, or the one of the table."""
    return usual if number is None else number


def moves_known(sheet: Sheet, options: Mapping[str, Value]) -> tuple[str, ...]:
    """The attack moves that somebody has learned: those of the sheet first, then the list's, as Training allows."""
    count = min(LEARNED, int(options["moves_base"]) + sheet.training // int(options["training_a_move"]))
    return (*sheet.moves, *(move for move in MOVES if move not in sheet.moves))[:count]


@cache
def prices(coins: int, hours: int, care_coins: int) -> tuple[int, ...]:
    """The years that are lost on average with 0, 1, 2... of all one's coins left, in thousandths. care.

    Some die on the way to the healer, some lose more coins on it; for those who arrive every lost coin comes back
    unless all of the healer's coins show Tails.
    """
    lasting = [YEARS[coins], *(_untreated(coins, coins - arrive, care_coins) for arrive in range(1, coins + 1))]
    found = arrivals(hours)
    return tuple(round(fsum(map(mul, found[left], lasting))) for left in range(coins + 1)) + (0,) * (MOST_COINS - coins)


@cache
def arrivals(hours: int) -> tuple[tuple[float, ...], ...]:
    """For 0 to 40 coins the chances to have 0, 1, 2... of them when so many hours are over."""
    return tuple(Life(coins).after(hours * HOUR) for coins in range(MOST_COINS + 1))


def _untreated(coins: int, lost: int, care_coins: int) -> int:
    """The years that stay lost when a healer has done what could be done, in thousandths."""
    fails = 1 << care_coins
    lasting = 0
    for stay in range(lost + 1):
        ways = comb(lost, stay) * (fails - 1) ** (lost - stay)
        lasting += ways * (YEARS[coins] - YEARS[coins - stay])
    return lasting >> care_coins * lost
