"""Who fights: attributes, arms and stakes, and the options of the rules."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from math import comb, fsum
from operator import mul

from affray.errors import Invalid
from affray.kernel.records import blank
from affray.kernel.state import standing_foes
from affray.system import defaults, sheets
from affray.system.abilities import Cost
from affray.system.schema import Flag, Names, Option, Text, Value, Whole, Word, refusal
from affray.system.setup import Setup
from affray.system.sheets import Sheets, Where, field
from affray.systems.strategic import abilities, arms
from affray.systems.strategic.arms import ARMOURS, WEAPONS
from affray.systems.strategic.life import HOUR, YEARS, Life, perish_table
from affray.systems.strategic.moves import MOVES
from affray.systems.strategic.state import LEARNED, MOST_COINS, NUMBERS, STRIKE, Fight, Fighter
from affray.systems.strategic.tactics import TACTICS

# Options

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

_ATTRIBUTE = Whole(0, 10)


class Sheet(sheets.Sheet):
    """A combatant as it enters a fight; Crippling and lost Life Coins may be left from an earlier one."""

    strength: int = field(_ATTRIBUTE, 3)
    agility: int = field(_ATTRIBUTE, 3)
    discipline: int = field(_ATTRIBUTE, 3, "keeps a blow where it should go, and stands up to threats")
    training: int = field(_ATTRIBUTE, 3)
    hardiness: int = field(Whole(1, 6), 2, "coins of soak without armour")
    weapon: str = field(Word(tuple(WEAPONS)), "fists")
    damage: int | None = field(arms.COINS, None, "of the weapon, where it is not that of the table")
    lethality: int | None = field(arms.COINS, None, "of the weapon, where it is not that of the table")
    weight: int | None = field(arms.BURDEN, None, "of the weapon, where it is not that of the table")
    armour: str = field(Word(tuple(ARMOURS)), "none")
    armour_value: int | None = field(arms.COINS, None, "where it is not that of the table")
    armour_penalty: int | None = field(arms.BURDEN, None, "where it is not that of the table")
    moves: tuple[str, ...] = field(Names(MOVES, of="attack move", most=len(MOVES)), (), "attack moves learned first")
    life_coins: int = field(Whole(1, MOST_COINS), 30, "Life Coins in full health")
    coins_lost: int = field(Whole(0, MOST_COINS), 0, "Life Coins lost so far")
    coins_gone: int = field(Whole(0, MOST_COINS), 0, "those among them that a healer has failed to bring back")
    crippling: int = field(Whole(0, 40), 0, "Crippling left from an earlier fight")
    stake: int = field(Whole(0, 1000), 10, "what winning is worth, in years of life")
    caution: int = field(Whole(0, 1000), 100, "what a lost year counts, in per cent")
    hours_to_care: int = field(Whole(0, 10_000), 6, "hours to a healer after the last fight")
    care_coins: int = field(Whole(0, 20), 4, "coins the healer flips for each lost Life Coin")
    rest_days: int = field(Whole(1, 1000), 30, "days in bed that take a point of Crippling away")
    dead: bool = field(Flag(), False)
    tactic: str = field(Word((*TACTICS, "random")), "rational", "how a computer plays it")
    note: str = field(Text(), "")

    @property
    def coins(self) -> int:
        """Life Coins that are left."""
        return self.life_coins - self.coins_lost

    def check(self, where: Where) -> None:
        """No move is there twice, and no more coins are lost than there are, nor gone for good than are lost."""
        if len(set(self.moves)) < len(self.moves):
            raise refusal(where("moves"), list(self.moves), "each move once")
        if self.coins_lost > self.life_coins:
            raise refusal(where("coins_lost"), self.coins_lost, f"0 to {self.life_coins}, the Life Coins")
        if self.coins_gone > self.coins_lost:
            raise refusal(where("coins_gone"), self.coins_gone, f"0 to {self.coins_lost}, the Life Coins lost so far")


SHEETS = Sheets(Sheet, "affray.systems.strategic")


def derived(sheet: Sheet, options: Mapping[str, Value]) -> dict[str, object]:
    """What follows from the attributes and the arms, by the numbers of the options."""
    from affray.systems.strategic import system

    fight = blank(Fight, 1)
    (fighter,) = fight.fighters
    defaults.seat(Setup(system, {"": (sheet,)}, ("",), options), fight)
    _equip(fighter, sheet, options)
    return {
        "attack": abilities.attack_ability(fight, fighter),
        "defence": abilities.defence_ability(fight, fighter),
        "initiative": abilities.initiative_ability(fight, fighter),
        "effective_agility": abilities.effective_agility(fighter),
        "soak": abilities.soak_coins(fight, fighter, STRIKE, False),
        "damage": fighter.damage,
        "lethality": fighter.lethality,
        "weight": fighter.weight,
        "armour_value": fighter.armour_value,
        "armour_penalty": fighter.armour_penalty,
        "knows": dict.fromkeys(moves_known(sheet, options), True),
    }


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


def seat(setup: Setup[Sheet], fight: Fight) -> None:
    """Bring options and sheets into the record, and what follows from them."""
    options = setup.options
    defaults.seat(setup, fight)
    fight.by_highwater = int(options["lethal"] == "highwater")
    fight.perish[:] = perish_table(fight.hours_to_care)
    for fighter, sheet in zip(fight.fighters, setup.sheets, strict=True):
        if sheet.dead or sheet.coins == 0:
            raise Invalid(f"{sheet.name} is dead and cannot fight", given=sheet.name)
        _equip(fighter, sheet, options)
        table = prices(sheet.life_coins - sheet.coins_gone, fight.hours_to_care, fight.care_coins)
        fighter.price[:] = [max(0, price - table[sheet.coins]) for price in table]  # what is lost already is lost
    archers = any(arms.KIND[fighter.weapon] == arms.RANGED for fighter in fight.fighters)
    if options["start_range"] == "near" or (options["start_range"] == "archers" and not archers):
        for who, fighter in enumerate(fight.fighters):
            fighter.near = sum(1 << foe for foe in standing_foes(fight, who))


def _equip(fighter: Fighter, sheet: Sheet, options: Mapping[str, Value]) -> None:
    """Give a fighter arms, armour and the attack moves it knows."""
    weapon, armour = WEAPONS[sheet.weapon], ARMOURS[sheet.armour]
    fighter.weapon = fighter.owned = arms.WEAPON_NUMBERS[sheet.weapon]
    fighter.damage = _own(sheet.damage, weapon.damage)
    fighter.lethality = _own(sheet.lethality, weapon.lethality)
    fighter.weight = _own(sheet.weight, weapon.weight)
    fighter.armour = arms.ARMOUR_NUMBERS[sheet.armour]
    fighter.armour_value = _own(sheet.armour_value, armour.value)
    fighter.armour_penalty = _own(sheet.armour_penalty, armour.penalty)
    for move in moves_known(sheet, options):
        fighter.known |= 1 << MOVES.index(move)


def _own(number: int | None, usual: int) -> int:
    """A number of the sheet's own, or the one of the table."""
    return usual if number is None else number


def moves_known(sheet: Sheet, options: Mapping[str, Value]) -> tuple[str, ...]:
    """The attack moves that a fighter has learned: those of the sheet first, then the list's, as Training allows."""
    count = min(LEARNED, int(options["moves_base"]) + sheet.training // int(options["training_a_move"]))
    return (*sheet.moves, *(move for move in MOVES if move not in sheet.moves))[:count]


@cache
def prices(coins: int, hours: int, care_coins: int) -> tuple[int, ...]:
    """The years that are lost on average with 0, 1, 2... left of the coins that can be had, in thousandths. care.

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
