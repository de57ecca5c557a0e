"""Who fights: investigators and enemies with what they carry, and the options of the rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Literal

from affray.errors import Invalid
from affray.kernel.records import blank
from affray.kernel.residing import OneAttribute
from affray.schema import (
    Amounts,
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
from affray.systems.mythos.derived import bonus_and_build, bonus_text, dodge_of, hp_of, mov_of
from affray.systems.mythos.rules import (
    DEAD,
    DEX_TIE_ENEMY,
    DEX_TIE_SKILL,
    FAST_MOVING,
    FAST_OFF,
    FAST_STATIC,
    GUNS_HALF,
    GUNS_ONE,
    HANDS,
    IMPALING_LEAST,
    MELEE_HALF,
    NO_WARD,
    SLOTS,
    Fight,
    Fighter,
)
from affray.systems.mythos.tactics import TACTICS
from affray.systems.mythos.weapons import (
    BARE_HANDS,
    BASE_SKILLS,
    NUMBERS,
    WEAPONS,
    Damage,
    damage_code,
)

PASSIVE_PERKS = (
    "beady-eye",
    "rapid-fire",
    "quick-draw",
    "nimble",
    "endurance",
    "outmaneuver",
    "alert",
    "night-vision",
)
ACTIVE_PERKS = ("rapid-attack", "heavy-hitter", "tough-guy", "fleet-footed")
PERKS = (*PASSIVE_PERKS, *ACTIVE_PERKS)
"""All perks, in the order in which the rules number them."""

WARDS = {
    "none": NO_WARD,
    "guns-half": GUNS_HALF,
    "guns-one": GUNS_ONE,
    "melee-half": MELEE_HALF,
    "impaling-least": IMPALING_LEAST,
}
SPARE_MAGAZINES = 2
CARRIED = tuple(id for id in WEAPONS if id != "hands")

# Options

OPTIONS = (
    Option("dex_tie", Word(("enemy", "skill")), "enemy", "who goes first at equal DEX: the enemy, or more skill", "1"),
    Option("readied_gun", Flag(), False, "+50 DEX for the order with a loaded gun in hand", "1"),
    Option("fast_target", Word(("static", "moving", "off")), "static", "when MOV 8 or more is hard to shoot", "4"),
    Option("enemy_ai", Word(("strict", "free")), "strict", "whether enemies may dodge, flee and manoeuvre too", "9"),
    Option("outnumbered", Flag(), False, "a bonus die in melee on whoever has reacted as often as they can", "9"),
    Option("wounds", Word(("document", "classic")), "document", "dead at 0 HP, or major wounds and dying", "15"),
    Option("malfunction", Flag(), False, "guns jam on their malfunction number", "18"),
    Option("range", Flag(), False, "distance matters: guns have ranges, melee has to close in", "19"),
    Option("distance", Whole(0, 200), 10, "yards between the teams at first, where range is on", "19"),
    Option("point_blank", Whole(0, 30), 3, "yards up to which a shot has a bonus die, where range is on", "19"),
    Option("fumble", Word(("100", "classic")), "100", "a fumble is 100, or 96 to 100 with a skill below 50", "20"),
    Option("fumble_cost", Word(("none", "balance")), "none", "whether a fumble costs a penalty die next", "27"),
    Option("manoeuvres", Flag(), True, "trip, disarm and hold are possible", "23"),
    Option("dive_cost", Word(("none", "attack")), "attack", "what diving from shots costs: the next attack", "24"),
    Option("surprise", Word(("none", "first", "last")), "none", "which team takes the others by surprise", "22"),
    Option("darkness", Flag(), False, "a penalty die on attacks for whoever cannot see in the dark", "28"),
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
"""The document as it is written, and what players of percentile horror games are used to."""

# Sheets


@dataclass(frozen=True, kw_only=True)
class Sheet:
    """A combatant as it enters a fight. What is not given follows from the characteristics."""

    id: str
    name: str
    kind: Literal["investigator", "enemy"] = "investigator"
    strength: int = 50
    constitution: int = 50
    size: int = 50
    dexterity: int = 50
    power: int = 50
    luck: int = 0
    hp: int | None = None
    max_hp: int | None = None
    mov: int | None = None
    armour: int = 0
    ward: str = "none"
    regains: int = 0
    attacks: int = 1
    natural: str = "1D3"
    skills: Mapping[str, int] = field(default_factory=dict)
    perks: tuple[str, ...] = ()
    weapons: tuple[str, ...] = ()
    wields: str = ""
    loaded: Mapping[str, int] = field(default_factory=dict)
    ammunition: Mapping[str, int] = field(default_factory=dict)
    items: Mapping[str, int] = field(default_factory=dict)
    major_wound: bool = False
    dead: bool = False
    tactic: str = "brawler"
    note: str = ""

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

    def skill(self, name: str) -> int:
        """A skill, or its base chance. 17."""
        return self.skills.get(name, BASE_SKILLS[name])


_CHARACTERISTIC = Whole(1, 300)
SHEET: Schema = {
    "id": Slug(),
    "name": Text(40),
    "kind": Word(("investigator", "enemy")),
    "strength": _CHARACTERISTIC,
    "constitution": _CHARACTERISTIC,
    "size": _CHARACTERISTIC,
    "dexterity": _CHARACTERISTIC,
    "power": _CHARACTERISTIC,
    "luck": Whole(0, 99),
    "hp": Whole(0, 100),
    "max_hp": Whole(1, 100),
    "mov": Whole(1, 20),
    "armour": Whole(0, 20),
    "ward": Word(tuple(WARDS)),
    "regains": Whole(0, 10),
    "attacks": Whole(1, 6),
    "natural": Damage(),
    "skills": Amounts((*BASE_SKILLS, "dodge"), 1, 100, of="skill", bare=False),
    "perks": Names(PERKS, of="perk"),
    "weapons": Names(CARRIED, of="weapon", most=SLOTS - 1),
    "wields": Word(("hands", *CARRIED)),
    "loaded": Amounts(CARRIED, 0, 99, of="weapon", bare=False),
    "ammunition": Amounts(CARRIED, 0, 999, of="weapon", bare=False),
    "items": Amounts(("first-aid", "medicine"), 0, 99, of="item"),
    "major_wound": Flag(),
    "dead": Flag(),
    "tactic": Word(tuple(TACTICS)),
    "note": Text(80),  # so that even the longest sheet is short enough for an attribute in a world
}


def _made(table: Mapping[str, object], where: str) -> Sheet:
    """The one door to a sheet: every value in its range, and nothing said of a weapon that is not carried."""
    taken = check(SHEET, table, where, ("name",))
    taken |= {key: tuple(value) for key, value in taken.items() if isinstance(value, list)}
    sheet = Sheet(**{"id": taken.get("kind", "investigator"), **taken})  # type: ignore[arg-type]
    if sheet.hp is not None and sheet.hp > sheet.most_hp:
        raise refusal(f"{where}: hp", sheet.hp, f"0 to {sheet.most_hp}, the most HP")
    carried = set(sheet.weapons)
    for key, names in (("weapons", sheet.weapons), ("perks", sheet.perks)):
        if len(set(names)) < len(names):
            raise refusal(f"{where}: {key}", list(names), f"each {key.removesuffix('s')} once")
    if sheet.wields and sheet.wields not in carried | {"hands"}:
        raise refusal(f"{where}: wields", sheet.wields, f"a weapon that is carried: {_listed(sheet)}")
    for key in ("loaded", "ammunition"):
        for weapon, rounds in getattr(sheet, key).items():
            if weapon not in carried:
                raise refusal(f"{where}: {key}", weapon, f"a weapon that is carried: {_listed(sheet)}")
            if not WEAPONS[weapon].magazine or (key == "ammunition" and WEAPONS[weapon].kind != "gun"):
                raise Invalid(f"{where}: {key}: {weapon} takes no ammunition", given=weapon)
            most = WEAPONS[weapon].magazine
            if key == "loaded" and WEAPONS[weapon].kind == "gun" and rounds > most:
                raise refusal(f"{where}: loaded.{weapon}", rounds, f"0 to {most}, its magazine")
    return sheet


def _listed(sheet: Sheet) -> str:
    return ", ".join(sheet.weapons) or "none is"


def as_table(sheet: Sheet) -> dict[str, object]:
    """The sheet as plain values for JSON; `enlist` makes the same sheet of it."""
    table: dict[str, object] = {}
    for key, value in asdict(sheet).items():
        if value is None or value == () or value == {} or value == "" or value is False:
            continue
        table[key] = list(value) if isinstance(value, tuple) else value
    return table


def derived(sheet: Sheet, options: Mapping[str, Value]) -> dict[str, object]:
    """What follows from the characteristics, whatever the options."""
    bonus, build = bonus_and_build(sheet.strength + sheet.size)
    return {
        "hp": sheet.hp_now,
        "max_hp": sheet.most_hp,
        "mov": sheet.speed,
        "build": build,
        "damage_bonus": bonus_text(bonus),
        "dodge": sheet.dodge,
    }


REGISTER = Register("affray.systems.mythos", SHEET, OPTIONS, _made, as_table)
enlist, check_file, fighters, rulings = REGISTER.enlist, REGISTER.check_file, REGISTER.fighters, REGISTER.rulings

# From sheets to the record, and back


def seat(teams: Sequence[Sequence[Sheet]], options: Mapping[str, Value]) -> Fight:
    """The fight before anything has happened."""
    sheets = [(team, sheet) for team, members in enumerate(teams) for sheet in members]
    fight = blank(Fight, len(sheets))
    fight.teams = len(teams)
    fight.dex_tie = {"enemy": DEX_TIE_ENEMY, "skill": DEX_TIE_SKILL}[str(options["dex_tie"])]
    fight.fast_target = {"static": FAST_STATIC, "moving": FAST_MOVING, "off": FAST_OFF}[str(options["fast_target"])]
    fight.readied_gun = int(options["readied_gun"])
    fight.enemy_free = int(options["enemy_ai"] == "free")
    fight.outnumbering = int(options["outnumbered"])
    fight.classic_wounds = int(options["wounds"] == "classic")
    fight.malfunctions = int(options["malfunction"])
    fight.by_range = int(options["range"])
    fight.point_blank = int(options["point_blank"])
    fight.wide_fumbles = int(options["fumble"] == "classic")
    fight.fumble_cost = int(options["fumble_cost"] == "balance")
    fight.manoeuvres = int(options["manoeuvres"])
    fight.dive_cost = int(options["dive_cost"] == "attack")
    fight.surprise = {"none": 0, "first": 1, "last": len(teams)}[str(options["surprise"])]
    fight.darkness = int(options["darkness"])
    fight.round_cap = int(options["round_cap"])
    for fighter, (team, sheet) in zip(fight.fighters, sheets, strict=True):
        if sheet.dead or sheet.hp_now == 0:
            state = "is dead" if sheet.dead else "has no HP left"
            raise Invalid(f"{sheet.name} {state} and cannot fight", given=sheet.name)
        _seat_one(fighter, sheet)
        fighter.team = team
        if fight.by_range:
            fighter.yards = team * int(options["distance"])
    return fight


def _seat_one(fighter: Fighter, sheet: Sheet) -> None:
    fighter.enemy = int(sheet.kind == "enemy")
    fighter.con, fighter.dex, fighter.dodge, fighter.mov = sheet.constitution, sheet.dexterity, sheet.dodge, sheet.speed
    bonus, fighter.build = bonus_and_build(sheet.strength + sheet.size)
    fighter.bonus_dice, fighter.bonus_sides, fighter.bonus_flat = bonus
    fighter.hp, fighter.max_hp = sheet.hp_now, sheet.most_hp
    fighter.armour, fighter.ward, fighter.regains = sheet.armour, WARDS[sheet.ward], sheet.regains
    fighter.attacks, fighter.luck, fighter.major = sheet.attacks, sheet.luck, int(sheet.major_wound)
    fighter.perks = sum(1 << PERKS.index(perk) for perk in sheet.perks)
    fighter.first_aid, fighter.medicine = sheet.items.get("first-aid", 0), sheet.items.get("medicine", 0)
    fighter.natural = damage_code(sheet.natural)
    fighter.weapons[HANDS], fighter.skills[HANDS] = BARE_HANDS, sheet.skill("brawl")
    for slot, id in enumerate(sheet.weapons, start=HANDS + 1):
        weapon = WEAPONS[id]
        fighter.weapons[slot], fighter.skills[slot] = NUMBERS[id], sheet.skill(weapon.skill)
        fighter.loaded[slot] = rounds_loaded(sheet, id)
        fighter.spare[slot] = rounds_spare(sheet, id)
    first = sheet.wields or (sheet.weapons[0] if sheet.weapons else "hands")
    fighter.wielded = HANDS if first == "hands" else 1 + sheet.weapons.index(first)


def rounds_loaded(sheet: Sheet, weapon: str) -> int:
    """How many rounds are in a gun, or how many there are of something to throw: a full magazine, unless said."""
    return sheet.loaded.get(weapon, WEAPONS[weapon].magazine)


def rounds_spare(sheet: Sheet, weapon: str) -> int:
    """How many rounds are carried beside: two magazines, unless the sheet says otherwise."""
    usual = SPARE_MAGAZINES * WEAPONS[weapon].magazine if WEAPONS[weapon].kind == "gun" else 0
    return sheet.ammunition.get(weapon, usual)


def after_fight(fight: Fight, who: int, sheet: Sheet) -> Sheet:
    """The sheet as the fight has left it: wounds, ammunition, items and Luck. 29."""
    fighter = fight.fighters[who]
    slots = {id: slot for slot, id in enumerate(sheet.weapons, start=HANDS + 1) if WEAPONS[id].magazine}
    items = {"first-aid": fighter.first_aid, "medicine": fighter.medicine}
    return replace(
        sheet,
        hp=fighter.hp,
        luck=fighter.luck,
        loaded={id: fighter.loaded[slot] for id, slot in slots.items()},
        ammunition={id: fighter.spare[slot] for id, slot in slots.items() if WEAPONS[id].kind == "gun"},
        items={item: left for item, left in items.items() if left or item in sheet.items},
        major_wound=bool(fighter.major),
        dead=fighter.state == DEAD,
    )


RESIDENCE = OneAttribute("mythos_sheet", "detective or detective:hp=6", REGISTER, after_fight).residence
"""How an investigator lives on in a world: HP, ammunition, items and Luck are kept beside the name of the sheet."""
