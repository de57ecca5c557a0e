"""Who fights: investigators and enemies with what they carry, and the options of the rules."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from typing import Any, Literal

from affray.errors import Invalid
from affray.system import defaults, sheets
from affray.system.attributes import OneAttribute
from affray.system.own import Own
from affray.system.schema import Amounts, Flag, Names, Option, Schema, Text, Value, Whole, Word, refusal
from affray.system.setup import Setup
from affray.system.sheets import Where, field, schema
from affray.systems.mythos.derived import bonus_and_build, bonus_text, dodge_of, hp_of, mov_of
from affray.systems.mythos.gear import EFFECTS, ITEMS, KNOWN_PERKS, OWN_ITEMS, Item, Perk
from affray.systems.mythos.rules import READIED, Fight, Fighter
from affray.systems.mythos.tactics import TACTICS
from affray.systems.mythos.terms import DEAD, PERKS, RAPID_ATTACK, WARDS
from affray.systems.mythos.weapons import (
    BARE_HANDS,
    BASE_SKILLS,
    HANDS,
    SLOTS,
    WEAPONS,
    Damage,
    Weapon,
    damage_code,
    damage_codes,
    range_code,
    weapon_code,
)

SPARE_MAGAZINES = 2
OWN_PERKS = 4
NO_VOLLEY = "there is no handgun that fires several shots"
CARRIED = tuple(id for id in WEAPONS if id != "hands")

# Options

OPTIONS = (
    Option("dex_tie", Word(("enemy", "skill")), "enemy", "who is first at equal DEX: the enemy, or more skill", "1"),
    Option("readied_gun", Flag(), False, "+50 DEX for the order with a loaded gun in hand", "1"),
    Option("fast_target", Word(("static", "moving", "off")), "static", "when MOV 8 or more is hard to shoot", "4"),
    Option("enemy_ai", Word(("strict", "free")), "strict", "whether enemies may dodge, flee and manoeuvre too", "9"),
    Option("outnumbered", Flag(), False, "a bonus die in melee on a fighter who has reacted as often as possible", "9"),
    Option("wounds", Word(("document", "classic")), "document", "dead at 0 HP, or major wounds and dying", "15"),
    Option("malfunction", Flag(), False, "guns jam on their malfunction number", "18"),
    Option("range", Flag(), False, "distance matters: guns have ranges, melee has to close in", "19"),
    Option("distance", Whole(0, 200), 10, "yards between the teams at first, where range is on", "19"),
    Option("point_blank", Whole(0, 30), 3, "yards up to which a shot has a bonus die, where range is on", "19"),
    Option("fumble", Word(("100", "classic")), "100", "a fumble is 100, or 96 to 100 with a skill below 50", "20"),
    Option("fumble_cost", Word(("none", "balance")), "none", "a fumble costs a penalty die on the next roll", "27"),
    Option("manoeuvres", Flag(), True, "trip, disarm and hold are possible", "23"),
    Option("dive_cost", Word(("none", "attack")), "attack", "what diving from shots costs: the next attack", "24"),
    Option("surprise", Word(("none", "first", "last")), "none", "which team takes the others by surprise", "22"),
    Option("darkness", Flag(), False, "a penalty die on attacks for fighters who cannot see in the dark", "28"),
    Option("flight_ends", Word(("escaped", "won")), "escaped", "how a fight ends if one of the losers got away", "2"),
    Option("build_table", Word(("manoeuvres", "shots", "both")), "manoeuvres", "what the table of Builds is for", "3"),
    Option("volley_left", Word(("kept", "spent")), "kept", "what becomes of shots left when their target falls", "6"),
    Option("fight_back_tie", Word(("attacker", "defender")), "attacker", "who hits at equal successes", "7"),
    Option("dodge_tie", Word(("defender", "attacker")), "defender", "who wins a tie against a dodge", "8"),
    Option("great_reaction", Flag(), False, "fighting back with an extreme success deals the most too", "10"),
    Option("armour_first", Flag(), False, "armour is taken off before a body's own defence, not after it", "11"),
    Option("fight_back_with", Word(("hand", "any")), "hand", "what a fighter may fight back with", "12"),
    Option("pace_lasts", Flag(), False, "MOV gained or lost in a flight lasts for the fight", "13"),
    Option("treat_allies", Flag(), True, "items can be used on allies", "14"),
    Option("perk_price", Whole(0, 99), 10, "Luck that each use of an active perk costs", "16"),
    Option("boost_dice", Whole(0, 2), 1, "bonus dice that a stimulant gives; with 0 it does nothing", "30"),
    Option("own_gear", Flag(), True, "fighters may bring weapons, items and perks of their own", "31"),
    Option("untrained", Word(("base", "half", "none")), "base", "a missing skill is its base chance, half, or 1", "17"),
    Option("waiting", Flag(), True, "investigators may wait even if they can do something else", "25"),
    Option("regaining", Flag(), True, "bodies that regain HP by themselves do so", "26"),
    Option("luck_lasts", Flag(), True, "Luck that was spent is gone after the fight", "29"),
    Option("round_cap", Whole(1, 10_000), 200, "rounds after which it is a stalemate", "21"),
)

PROFILES: Mapping[str, Mapping[str, object]] = {
    "document": {},
    "classic": {
        "readied_gun": True,
        "outnumbered": True,
        "wounds": "classic",
        "malfunction": True,
        "range": True,
        "fumble": "classic",
        "fumble_cost": "balance",
    },
}
"""The document as written, and rules that players of percentile horror games are used to."""

# Sheets

_CHARACTERISTIC = Whole(1, 300)


class Sheet(sheets.Sheet):
    """A combatant as it enters a fight. What is not given follows from the characteristics."""

    kind: Literal["investigator", "enemy"] = field(Word(("investigator", "enemy")), "investigator")
    strength: int = field(_CHARACTERISTIC, 50, "STR")
    constitution: int = field(_CHARACTERISTIC, 50, "CON")
    size: int = field(_CHARACTERISTIC, 50, "SIZ")
    dexterity: int = field(_CHARACTERISTIC, 50, "DEX")
    power: int = field(_CHARACTERISTIC, 50, "POW")
    luck: int = field(Whole(0, 99), 0, "each use of an active perk costs 10")
    hp: int | None = field(Whole(0, 100), None, "HP now; all of them, unless given")
    max_hp: int | None = field(Whole(1, 100), None, "HP when unhurt; by CON and SIZ, unless given")
    mov: int | None = field(Whole(1, 20), None, "MOV; by STR, DEX and SIZ, unless given")
    armour: int = field(Whole(0, 20), 0, "taken off every hit")
    ward: str = field(Word(tuple(WARDS)), "none", "how the body defies weapons")
    regains: int = field(Whole(0, 10), 0, "HP regained a round")
    attacks: int = field(Whole(1, 6), 1, "attacks a turn")
    natural: str = field(Damage(), "1D3", "damage of the bare hands, or of claws")
    skills: Mapping[str, int] = field(
        Amounts((*BASE_SKILLS, "dodge"), 1, 100, of="skill", bare=False),
        {},
        "in percent; others have their base chance",
    )
    perks: tuple[str, ...] = field(Names(PERKS, of="perk"), ())
    weapons: tuple[str, ...] = field(Names(CARRIED, of="weapon", most=SLOTS - 1), (), "carried, up to four")
    wields: str = field(Word(("hands", *CARRIED)), "", "in hand when a fight begins; the first weapon, unless given")
    loaded: Mapping[str, int] = field(
        Amounts(CARRIED, 0, 99, of="weapon", bare=False), {}, "rounds in each gun, pieces to throw"
    )
    ammunition: Mapping[str, int] = field(
        Amounts(CARRIED, 0, 999, of="weapon", bare=False), {}, "rounds beside; two magazines, unless given"
    )
    items: Mapping[str, int] = field(
        Amounts(tuple(ITEMS), 0, 99, of="item"), {}, "first-aid +1 HP, medicine +1D3, stimulant a bonus die"
    )
    own_weapons: Mapping[str, Weapon] = field(
        Own(Weapon, WEAPONS, "weapon", SLOTS - 1), {}, "carried too; typed as flail (base large-club; damage 2D6)"
    )
    own_items: Mapping[str, Item] = field(
        Own(Item, ITEMS, "item", OWN_ITEMS), {}, "one of each, unless items says; typed as tonic (heals 1D6)"
    )
    own_perks: Mapping[str, Perk] = field(
        Own(Perk, KNOWN_PERKS, "perk", OWN_PERKS), {}, "had too; typed as bulwark (tough_guy 8; price 5)"
    )
    major_wound: bool = field(Flag(), False)
    dead: bool = field(Flag(), False)
    tactic: str = field(Word(tuple(TACTICS)), "brawler", "how a computer plays it")
    # So short that even the longest sheet fits an attribute in a world.
    note: str = field(Text(80), "")

    @property
    def most_hp(self) -> int:
        """HP when unhurt."""
        return self.max_hp or hp_of(self.constitution, self.size)

    @property
    def hp_now(self) -> int:
        """HP as they are."""
        return self.most_hp if self.hp is None else self.hp

    @property
    def speed(self) -> int:
        """MOV."""
        return self.mov or mov_of(self.strength, self.dexterity, self.size)

    @property
    def dodge(self) -> int:
        """The Dodge skill."""
        return self.skills.get("dodge", dodge_of(self.dexterity))

    def skill(self, name: str, untrained: str = "base") -> int:
        """A skill, or its value if it is missing: its base chance, half of it, or 1. 17."""
        base = BASE_SKILLS[name]
        return self.skills.get(name, {"base": base, "half": max(1, base // 2), "none": 1}[untrained])

    @property
    def build(self) -> int:
        """Build."""
        return bonus_and_build(self.strength + self.size)[1]

    @property
    def bonus(self) -> tuple[int, int, int]:
        """The damage bonus: dice, sides, and a flat number."""
        return bonus_and_build(self.strength + self.size)[0]

    @classmethod
    def accepts(cls, table: Mapping[str, object]) -> Schema:
        """The names of what a sheet brings along are as good in it as those of the rules."""
        kinds: dict[str, Any] = {**schema(cls)}
        weapons, items, perks = (_ids(table.get(key)) for key in ("own_weapons", "own_items", "own_perks"))
        if weapons:
            kinds["weapons"] = replace(kinds["weapons"], known=(*CARRIED, *weapons))
            kinds["wields"] = Word(("hands", *CARRIED, *weapons))
            for key in ("loaded", "ammunition"):
                kinds[key] = replace(kinds[key], keys=(*CARRIED, *weapons))
        if items:
            kinds["items"] = replace(kinds["items"], keys=(*ITEMS, *items))
        if perks:
            kinds["perks"] = replace(kinds["perks"], known=(*PERKS, *perks))
        return kinds

    @cached_property
    def carried(self) -> tuple[str, ...]:
        """All weapons by id, slot by slot: those of its own that the list does not place come first."""
        return (*(id for id in self.own_weapons if id not in self.weapons), *self.weapons)

    def weapon(self, id: str) -> Weapon:
        """A weapon of its own or of the rules."""
        return self.own_weapons.get(id) or WEAPONS[id]

    @cached_property
    def slots(self) -> tuple[Weapon, ...]:
        """What is in each slot, the bare hands first."""
        return (BARE_HANDS, *map(self.weapon, self.carried))

    @cached_property
    def item_slots(self) -> tuple[Item, ...]:
        """Every item there is for it, in the order of the record."""
        return (*ITEMS.values(), *self.own_items.values())

    @property
    def counts(self) -> dict[str, int]:
        """How many it has of each item; of its own one, unless the sheet says otherwise."""
        return {**dict.fromkeys(self.own_items, 1), **self.items}

    @cached_property
    def all_perks(self) -> Mapping[str, Perk]:
        """Every perk that it has, by id."""
        ids = (*self.perks, *(id for id in self.own_perks if id not in self.perks))
        return {id: self.own_perks.get(id) or KNOWN_PERKS[id] for id in ids}

    def perk_with(self, effect: int) -> str:
        """The name of the perk that has an effect."""
        return next(perk.name for perk in self.all_perks.values() if effect in perk.effects)

    def check(self, where: Where) -> None:
        """The HP are at most the most, and nothing is said of a weapon that is not carried."""
        if self.hp is not None and self.hp > self.most_hp:
            raise refusal(where("hp"), self.hp, f"0 to {self.most_hp}, the most HP")
        for key, names in (("weapons", self.weapons), ("perks", self.perks)):
            if len(set(names)) < len(names):
                raise refusal(where(key), list(names), f"a list with each {key.removesuffix('s')} once")
        if len(self.carried) >= SLOTS:
            room = f"so few that at most {SLOTS - 1} are carried with {', '.join(self.weapons)}"
            raise refusal(where("own_weapons"), list(self.own_weapons), room)
        _check_effects(self.all_perks, where)
        carried = f"a weapon that is carried ({', '.join(self.carried) or 'none'})"
        if self.wields and self.wields not in ("hands", *self.carried):
            raise refusal(where("wields"), self.wields, carried)
        for key in ("loaded", "ammunition"):
            for id, rounds in getattr(self, key).items():
                if id not in self.carried:
                    raise refusal(where(key), id, f"for {carried}")
                most, is_gun = self.weapon(id).magazine, self.weapon(id).kind == "gun"
                if not most or (key == "ammunition" and not is_gun):
                    raise Invalid(f"{where(key)}: {id} takes no ammunition", given=id)
                if key == "loaded" and is_gun and rounds > most:
                    raise refusal(where(f"loaded.{id}"), rounds, f"0 to {most}, its magazine")


def _ids(own: object) -> tuple[str, ...]:
    """The ids of things of a sheet's own, whatever else is wrong with them."""
    return tuple(id for id in own if isinstance(id, str)) if isinstance(own, Mapping) else ()


def _check_effects(perks: Mapping[str, Perk], where: Where) -> None:
    """No two perks do the same: which of them would be offered, and at what price?"""
    doing: dict[int, str] = {}
    for id, perk in perks.items():
        for effect in perk.effects:
            if effect in doing:
                problem = (
                    f"{where('own_perks')}: {doing[effect]} and {id} both have {EFFECTS[effect]}; only one perk may"
                )
                raise Invalid(problem, given=id)
            doing[effect] = id


SHEETS = sheets.Sheets(Sheet, "affray.systems.mythos", {"investigator": "investigators", "enemy": "enemies"})


def derived(sheet: Sheet, options: Mapping[str, Value]) -> dict[str, object]:
    """What follows from the characteristics, and which perks do nothing under the options."""
    idle = idle_perks(sheet, options)
    return {
        "hp": sheet.hp_now,
        "max_hp": sheet.most_hp,
        "mov": sheet.speed,
        "build": sheet.build,
        "damage_bonus": bonus_text(sheet.bonus),
        "dodge": sheet.dodge,
        **({"idle_perks": "; ".join(f"{perk}: {reason}" for perk, reason in idle.items())} if idle else {}),
    }


def idle_perks(sheet: Sheet, options: Mapping[str, Value]) -> dict[str, str]:
    """The perks of a sheet of which nothing does anything under these options, each with the reasons. 16."""
    idle = {}
    for id, perk in sheet.all_perks.items():
        reasons = [_idle(sheet, perk, EFFECTS[effect], amount, options) for effect, amount in perk.effects.items()]
        if all(reasons):
            idle[id] = "; ".join(dict.fromkeys(reasons))
    return idle


def _idle(sheet: Sheet, perk: Perk, effect: str, amount: int, options: Mapping[str, Value]) -> str:
    """Why an effect of a perk does nothing under these options; empty if it does something."""
    no_gun = "" if any(weapon.kind == "gun" for weapon in sheet.slots) else "there is no gun to use it with"
    drawn = "all have it here (option readied_gun)" if options["readied_gun"] and amount <= READIED else ""
    reasons = {
        "beady_eye": no_gun,
        "rapid_fire": "" if any(weapon.handgun and weapon.shots > 1 for weapon in sheet.slots) else NO_VOLLEY,
        "quick_draw": no_gun or drawn,
        "nimble": "diving costs nothing here (option dive_cost)" if options["dive_cost"] == "none" else "",
        "outmaneuver": _no_manoeuvres(options),
        "alert": "nobody is surprised here (option surprise)" if options["surprise"] == "none" else "",
        "night_vision": "" if options["darkness"] else "it is not dark here (option darkness)",
        "fleet_footed": "" if options["outnumbered"] else "nobody is outnumbered here (option outnumbered)",
    }
    price = _price(perk, options)
    short = effect in EFFECTS[RAPID_ATTACK:] and price > sheet.luck
    return reasons.get(effect, "") or (f"it costs {price} Luck, and there are {sheet.luck}" if short else "")


def _price(perk: Perk, options: Mapping[str, Value]) -> int:
    """The Luck that each use of a perk costs."""
    return int(options["perk_price"]) if perk.price is None else perk.price


def _no_manoeuvres(options: Mapping[str, Value]) -> str:
    if not options["manoeuvres"]:
        return "there are no manoeuvres here (option manoeuvres)"
    return "Build does not matter for manoeuvres here (option build_table)" if options["build_table"] == "shots" else ""


# From sheets to the record, and back


def seat(setup: Setup[Sheet], fight: Fight) -> None:
    """Copy options and sheets into the record."""
    defaults.seat(setup, fight)
    if setup.options["surprise"] == "last":
        fight.surprise = fight.teams
    for fighter, sheet in zip(fight.fighters, setup.sheets, strict=True):
        if sheet.dead or sheet.hp_now == 0:
            state = "is dead" if sheet.dead else "has no HP left"
            raise Invalid(f"{sheet.name} {state} and cannot fight", given=sheet.name)
        own = (*sheet.own_weapons, *sheet.own_items, *sheet.own_perks)
        if own and not setup.options["own_gear"]:
            raise Invalid(f"{sheet.name} may bring nothing of their own here (option own_gear): {', '.join(own)}")
        _seat_one(fighter, sheet, setup.options)
        if fight.range:
            fighter.yards = fighter.team * int(setup.options["distance"])


def _seat_one(fighter: Fighter, sheet: Sheet, options: Mapping[str, Value]) -> None:
    """Copy the values of the sheet that are not plain numbers."""
    fighter.enemy = int(sheet.kind == "enemy")
    fighter.hp, fighter.max_hp, fighter.mov = sheet.hp_now, sheet.most_hp, sheet.speed
    fighter.bonus_dice, fighter.bonus_sides, fighter.bonus_flat = sheet.bonus
    fighter.ward = tuple(WARDS).index(sheet.ward)
    for slot, weapon in enumerate(sheet.slots):
        fighter.weapons[slot], fighter.ranges[slot] = weapon_code(weapon), range_code(weapon)
        fighter.damage[slot] = damage_code(sheet.natural) if slot == HANDS else damage_codes(weapon)
        fighter.skills[slot] = sheet.skill(weapon.skill, str(options["untrained"]))
        if slot != HANDS:
            fighter.loaded[slot], fighter.spare[slot] = rounds_loaded(sheet, weapon), rounds_spare(sheet, weapon)
    first = sheet.wields or (sheet.carried[0] if sheet.carried else "hands")
    fighter.wielded = HANDS if first == "hands" else 1 + sheet.carried.index(first)
    for place, item in enumerate(sheet.item_slots):
        count = sheet.counts.get(item.id, 0)
        if count:
            fighter.kinds_of_items = place + 1
            fighter.items[place], fighter.heals[place] = count, damage_code(item.heals)
            fighter.boosts[place] = item.boost_code(int(options["boost_dice"]))
    for perk in sheet.all_perks.values():
        for effect, amount in perk.effects.items():
            fighter.perks[effect] = amount
            if effect >= RAPID_ATTACK:
                fighter.prices[effect - RAPID_ATTACK] = _price(perk, options)


def rounds_loaded(sheet: Sheet, weapon: Weapon) -> int:
    """How many rounds are in a gun, or how many there are of something to throw: a full magazine, unless said."""
    return sheet.loaded.get(weapon.id, weapon.magazine)


def rounds_spare(sheet: Sheet, weapon: Weapon) -> int:
    """How many rounds are carried beside: two magazines, unless the sheet says otherwise."""
    usual = SPARE_MAGAZINES * weapon.magazine if weapon.kind == "gun" else 0
    return sheet.ammunition.get(weapon.id, usual)


def after_fight(fight: Fight, who: int, sheet: Sheet) -> Sheet:
    """The sheet as the fight has left it: wounds, ammunition, items and Luck. 29."""
    fighter = fight.fighters[who]
    slots = {weapon.id: slot for slot, weapon in enumerate(sheet.slots) if weapon.magazine}
    items = {item.id: fighter.items[place] for place, item in enumerate(sheet.item_slots)}
    return replace(
        sheet,
        hp=fighter.hp,
        luck=fighter.luck if fight.luck_lasts else sheet.luck,
        loaded={id: fighter.loaded[slot] for id, slot in slots.items()},
        ammunition={id: fighter.spare[slot] for id, slot in slots.items() if sheet.slots[slot].kind == "gun"},
        items={item: left for item, left in items.items() if left or item in sheet.counts},
        major_wound=bool(fighter.major_wound),
        dead=fighter.state == DEAD,
    )


RESIDENCE = OneAttribute("mythos_sheet", "detective or detective:hp=6", SHEETS, after_fight).residence
"""How an investigator lives on in a world: HP, ammunition, items and Luck are kept beside the name of the sheet."""
