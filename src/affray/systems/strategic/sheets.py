"""Who fights: attributes, arms and stakes, and the options of the rules."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

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
from affray.systems.strategic.healing import YEAR_IN_BED, bed_table, lame_table, prices
from affray.systems.strategic.life import perish_table
from affray.systems.strategic.moves import MOVES
from affray.systems.strategic.state import MOST_COINS, NUMBERS, STRIKE, Fight, Fighter
from affray.systems.strategic.tactics import TACTICS

# Options

_HEALER, _LEVEL = Whole(0, 20), Whole(0, MOST_COINS)
_SURGERY, SURGEONS = Whole(0, 1000), Word(("break-even", "always"))
_REST, _GROWTH, _DAYS = Whole(1, 1000), Whole(1, 10), Whole(0, 1000)

OPTIONS = (
    *NUMBERS,
    Option(
        "burden",
        Word(("always", "borne")),
        "always",
        "when armour and weight cost initiative: always, or beyond what Agility and Strength bear",
        "initiative",
        earlier="borne",
    ),
    Option(
        "weapon_moves", Flag(), True, "whether a weapon allows only the moves it is made for", "weapons", earlier=False
    ),
    Option("lethal", Word(("cumulative", "highwater")), "cumulative", "whether every wound costs its coins", "lethal"),
    Option("start_range", Word(("archers", "far", "near")), "archers", "far: always, or only with archers", "range"),
    Option("hours_to_care", Whole(0, 10_000), 6, "hours to a healer after the fight", "care"),
    Option("care_coins", _HEALER, 4, "coins a healer flips for each lost one; if all are Tails it stays lost", "care"),
    Option("surgery_hours", _SURGERY, 8, "hours of surgery for each lost coin", "surgery", earlier=0),
    Option("surgeons", SURGEONS, "break-even", "when they operate: from the break-even point on, or always", "surgery"),
    Option("heals_alone", _LEVEL, 3, "Crippling up to which a bed is enough", "crippling", earlier=MOST_COINS),
    Option(
        "mend_coins",
        _HEALER,
        3,
        "coins a healer flips for each point beyond; if all are Tails it stays",
        "crippling",
    ),
    Option("rest_hours", _REST, 8, "hours in bed that the first point of Crippling takes", "crippling"),
    Option("rest_growth", _GROWTH, 3, "how many times as long each further point takes", "crippling"),
    Option(
        "rest_days",
        _DAYS,
        0,
        "days in bed for each point of Crippling, whatever its level; 0: by its level",
        "crippling",
    ),
    Option("round_cap", Whole(1, 100_000), 600, "rounds after which the fight is a draw", "round-cap"),
)

PROFILES: Mapping[str, Mapping[str, object]] = {
    "balanced": {},
    "ruled": {
        "jab_attack": 2,
        "guarded_attack": -1,
        "guarded_defence": 2,
        "disarm_attack": -2,
        "disarm_margin": 2,
    },
}
"""The numbers by which no move dominates, and those first written down. balance."""

# Sheets

_ATTRIBUTE = Whole(0, 10)
UNARMED = "fists"


class Sheet(sheets.Sheet):
    """A combatant as it enters a fight; Crippling and lost Life Coins may be left from an earlier one."""

    strength: int = field(_ATTRIBUTE, 3)
    agility: int = field(_ATTRIBUTE, 3)
    discipline: int = field(_ATTRIBUTE, 3, "keeps a blow where it should go, and stands up to threats")
    training: int = field(_ATTRIBUTE, 3)
    skill: int | None = field(_ATTRIBUTE, None, "with its weapon, where it is not the Training: moves and openings")
    unarmed_skill: int | None = field(_ATTRIBUTE, None, "the same with the fists, once the weapon is dropped")
    hardiness: int = field(Whole(1, 6), 2, "coins of soak without armour")
    weapon: str = field(arms.Arm(tuple(WEAPONS)), "fists", "fists are called unarmed as well")
    damage: int | None = field(arms.COINS, None, "of the weapon, where it is not that of the table")
    lethality: int | None = field(arms.COINS, None, "of the weapon, where it is not that of the table")
    weight: int | None = field(arms.BURDEN, None, "of the weapon, where it is not that of the table")
    armour: str = field(Word(tuple(ARMOURS)), "none")
    armour_value: int | None = field(arms.COINS, None, "where it is not that of the table")
    armour_penalty: int | None = field(arms.BURDEN, None, "where it is not that of the table")
    moves: tuple[str, ...] = field(
        Names(MOVES, of="attack move", most=len(MOVES)), (), "attack moves learned first, with weapons that allow them"
    )
    life_coins: int = field(Whole(1, MOST_COINS), 30, "Life Coins in full health")
    coins_lost: int = field(Whole(0, MOST_COINS), 0, "Life Coins lost so far")
    coins_gone: int = field(Whole(0, MOST_COINS), 0, "those among them that a healer has failed to restore")
    crippling: int = field(_LEVEL, 0, "Crippling left from an earlier fight")
    crippling_treated: int = field(_LEVEL, 0, "up to where a healer has seen to it")
    crippling_stays: int = field(_LEVEL, 0, "points of it that stay for good")
    stake: int = field(Whole(0, 1000), 10, "what winning is worth, in years of life")
    caution: int = field(Whole(0, 1000), 100, "what a lost year counts, in per cent")
    lame_years: int = field(Whole(0, 100), 2, "what a point of Crippling for good counts, in years of life")
    hours_to_care: int = field(Whole(0, 10_000), 6, "hours to a healer after the last fight")
    care_coins: int = field(_HEALER, 4, "coins the healer flips for each lost Life Coin")
    surgery_hours: int = field(_SURGERY, 8, "hours of surgery for each lost Life Coin")
    surgeons: str = field(SURGEONS, "break-even", "from when on they operate")
    heals_alone: int = field(_LEVEL, 3, "Crippling up to which a bed is enough")
    mend_coins: int = field(_HEALER, 3, "coins the healer flips for each point of Crippling beyond that")
    rest_hours: int = field(_REST, 8, "hours in bed that the first point of Crippling takes")
    rest_growth: int = field(_GROWTH, 3, "how many times as long each further point takes")
    rest_days: int = field(_DAYS, 0, "days in bed for a point of Crippling of any level; 0: by its level")
    dead: bool = field(Flag(), False)
    tactic: str = field(Word((*TACTICS, "random")), "rational", "how a computer plays it")
    note: str = field(Text(), "")

    @property
    def coins(self) -> int:
        """Life Coins that are left."""
        return self.life_coins - self.coins_lost

    def check(self, where: Where) -> None:
        """No move is there twice, and nothing is lost, gone or treated that there is not."""
        if len(set(self.moves)) < len(self.moves):
            raise refusal(where("moves"), list(self.moves), "each move once")
        if self.coins_lost > self.life_coins:
            raise refusal(where("coins_lost"), self.coins_lost, f"0 to {self.life_coins}, the Life Coins")
        if self.coins_gone > self.coins_lost:
            raise refusal(where("coins_gone"), self.coins_gone, f"0 to {self.coins_lost}, the Life Coins lost so far")
        for part in ("crippling_treated", "crippling_stays"):
            if getattr(self, part) > self.crippling:
                raise refusal(where(part), getattr(self, part), f"0 to {self.crippling}, the Crippling there is")


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
        "knows": dict.fromkeys(moves_known(sheet, options, sheet.weapon), True),
        "skill": fighter.skill,
    }


# What a decision costs


def years_lost(sheet: Sheet, now: Mapping[str, float], after: Mapping[str, float]) -> float:
    """The years that can still be lost; those already lost do not count."""
    return after["years lost"] - now["years lost"]


def days_in_bed(sheet: Sheet, now: Mapping[str, float], after: Mapping[str, float]) -> float:
    """The days in bed that are still to come; the dead need none."""
    return max(0.0, after["days in bed"] - now["days in bed"])


def lamed(sheet: Sheet, now: Mapping[str, float], after: Mapping[str, float]) -> float:
    """The points of Crippling still to come that stay for good; the dead have none."""
    return max(0.0, after["lame"] - now["lame"])


def net(sheet: Sheet, now: Mapping[str, float], after: Mapping[str, float]) -> float:
    """The stake by the chance to win it, less the years as this fighter counts them: lost, in bed, and lame. stakes."""
    years = years_lost(sheet, now, after) + days_in_bed(sheet, now, after) * 24 / YEAR_IN_BED
    return after["stake won"] - sheet.caution / 100 * (years + sheet.lame_years * lamed(sheet, now, after))


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
    Cost[Sheet]("bed", days_in_bed, meaning="days in it on average"),
    Cost[Sheet]("lame", lamed, meaning="points of Crippling for good"),
    Cost[Sheet]("net", net, meaning="the stake times its chance, less all that"),
)
"""Beside the chance to win: to be downed, to die in the fight, or before reaching a healer; the years; what becomes of
Crippling; the sum."""

# From sheets to the record


def seat(setup: Setup[Sheet], fight: Fight) -> None:
    """Copy options and sheets into the record, and what follows from them."""
    options = setup.options
    defaults.seat(setup, fight)
    fight.by_highwater = int(options["lethal"] == "highwater")
    fight.perish[:] = perish_table(fight.hours_to_care)
    fight.bed[:] = bed_table(fight.rest_days, fight.rest_hours, fight.rest_growth)
    fight.lame[:] = lame_table(fight.heals_alone, fight.mend_coins)
    care = fight.hours_to_care, fight.care_coins, fight.surgery_hours, bool(fight.surgeons)
    for fighter, sheet in zip(fight.fighters, setup.sheets, strict=True):
        if sheet.dead or sheet.coins == 0:
            raise Invalid(f"{sheet.name} is dead and cannot fight", given=sheet.name)
        _equip(fighter, sheet, options)
        fighter.came_crippled = fighter.crippling
        table = prices(sheet.life_coins - sheet.coins_gone, *care)
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
    fighter.skill, fighter.unarmed_skill = skill_of(sheet, sheet.weapon), skill_of(sheet, UNARMED)
    fighter.known = _as_bits(moves_known(sheet, options, sheet.weapon))
    fighter.known_unarmed = _as_bits(moves_known(sheet, options, UNARMED))


def _own(number: int | None, usual: int) -> int:
    """A number of the sheet's own, or the one of the table."""
    return usual if number is None else number


def _as_bits(moves: Iterable[str]) -> int:
    return sum(1 << arms.CODES[move] for move in moves)


def skill_of(sheet: Sheet, weapon: str) -> int:
    """The skill with a weapon, its own or the fists: that of the sheet, or else Training. openings."""
    unarmed = _own(sheet.unarmed_skill, sheet.training)
    return _own(sheet.skill, unarmed if weapon == UNARMED else sheet.training) if weapon == sheet.weapon else unarmed


def moves_known(sheet: Sheet, options: Mapping[str, Value], weapon: str) -> tuple[str, ...]:
    """The attack moves learned with a weapon: the sheet's first, then the weapon's, as many as skill reveals."""
    of = WEAPONS[weapon].to_learn if options["weapon_moves"] else MOVES
    count = int(options["moves_base"]) + skill_of(sheet, weapon) // int(options["training_a_move"])
    first = tuple(move for move in sheet.moves if move in of)
    return (*first, *(move for move in of if move not in first))[:count]
