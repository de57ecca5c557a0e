"""Who fights in Grapple: players by their attributes, NPCs by one string, and the options of the rules."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal, cast

from affray.errors import Invalid, listing
from affray.system import sheets
from affray.system.schema import Field, Flag, Option, Text, Whole, Word, refusal, shown, stranger
from affray.system.setup import Setup
from affray.system.sheets import Where, field
from affray.systems.grapple.rules import EMPTY, LARGEST_POOL, LEAST_DEFENSE, MOST_DEFENSE, RATING, Combat, Fighter
from affray.systems.grapple.tactics import TACTICS

SKILLS = {
    "ac": "Accuracy",
    "co": "Courage",
    "en": "Endurance",
    "in": "Intimidation",
    "ld": "Leadership",
    "md": "Medical",
    "sp": "Speed",
    "sr": "Spirit",
    "sy": "Strategy",
    "tc": "Tactics",
    "tt": "Taunting",
    "tr": "Trickster",
}
"""The twelve skills by abbreviation, in the order in which the rules number them."""

ABBREVIATIONS = tuple(SKILLS)
SLOTS = tuple(f"skill{rating}" for rating in RATING)
MOST_SD = 1_000_000  # the document has no limit; the record has room for this

# Options

OPTIONS = (
    Option("maneuver_max", Whole(1, 7), 3, "AD that may be spent on one maneuver", "maneuver"),
    Option("ties", Flag(), False, "successes equal to the defense or the difficulty are enough", "ties"),
    Option("friendly_targets", Flag(), True, "members of the same team can be targets", "friendly-targets"),
    Option(
        "tactics_target",
        Word(("self", "other")),
        "self",
        "who gets the 2 SD of Tactics: the fighter, or a target",
        "effects",
    ),
    Option(
        "strategy_cap", Flag(), True, "Strategy raises what the Action Pool holds, not only its shown size", "effects"
    ),
    Option("sd_floor", Flag(), True, "SD never fall below 0", "effects"),
    Option("sd_cap", Whole(6, MOST_SD), MOST_SD, "the most SD that a fighter may gather", "sd-cap"),
    Option("names", Word(("any", "exact")), "any", "whether the case of fighters' and teams' names matters", "names"),
    Option("words", Word(("any", "exact")), "any", "whether the case of move words matters", "names"),
    Option("catch_words", Flag(), False, "any words may follow `catch`", "catch-breath"),
    Option("wizards_reach", Flag(), False, "in a world, a wizard can add players who are elsewhere", "setting-up"),
    Option("idle_removal", Flag(), False, "in a world, removing a fighter who is not there succeeds", "setting-up"),
    Option(
        "listed_teams", Whole(0, 62), 62, "teams that move in the order given; the order of the rest is drawn", "order"
    ),
    Option("round_cap", Whole(1, 100_000), 200, "rounds after which the combat is over without a winner", "round-cap"),
)

PROFILES: Mapping[str, Mapping[str, object]] = {
    "document": {},
    "grounds": {
        "maneuver_max": 4,
        "ties": True,
        "friendly_targets": False,
        "tactics_target": "other",
        "strategy_cap": False,
        "sd_floor": False,
        "names": "exact",
        "words": "exact",
        "catch_words": True,
        "wizards_reach": True,
        "idle_removal": True,
    },
}
"""The document as written, and the server that ran it."""

# Sheets


@dataclass(frozen=True)
class Skill(Field):
    """A skill by its name or abbreviation in any case, or nothing for an empty slot."""

    def allows(self) -> str:
        return "a skill, or nothing"

    def take(self, value: object, label: str) -> str:
        if not isinstance(value, str):
            raise refusal(label, value, self.allows())
        return skill_called(value, label) if value.strip() else ""


_NAME = re.compile(r"[^\W_][\w'-]{0,39}")


class Sheet(sheets.Sheet):
    """A combatant as it enters combat. Skills are abbreviations, "" for an empty slot."""

    kind: Literal["player", "npc"] = field(Word(("player", "npc")), "player")
    skill4: str = field(Skill(), "", "the skill rated 4")
    skill3: str = field(Skill(), "", "the skill rated 3")
    skill2: str = field(Skill(), "", "the skill rated 2")
    ap: int = field(Whole(6, LARGEST_POOL), 10, "the size of the Action Pool")
    defense: int = field(Whole(LEAST_DEFENSE, MOST_DEFENSE), 3, "successes that a strike must exceed")
    max_wounds: int = field(Whole(1, 5), 3, "wounds that knock out")
    ad: int = field(Whole(0, LARGEST_POOL), 5, "Action Dice")
    sd: int = field(Whole(0, MOST_SD), 0, "Strike Dice")
    wounds: int = field(Whole(0, 5), 0, "wounds taken already")
    tactic: str = field(Word(tuple(TACTICS)), "skill-user", "how a computer plays it")
    note: str = field(Text(), "")

    @property
    def skills(self) -> tuple[str, str, str]:
        """The skills by slot, the best first."""
        return (self.skill4, self.skill3, self.skill2)

    def check(self, where: Where) -> None:
        """The skills are different, the dice fit the pool, and the name is one word."""
        if self.ad > self.ap:
            raise refusal(where("ad"), self.ad, f"0 to {self.ap}, the AP size")
        _check_skills(self, where)
        if self.wounds > self.max_wounds:
            raise refusal(where("wounds"), self.wounds, f"0 to {self.max_wounds}, the max wounds")
        if not _NAME.fullmatch(self.name):
            raise refusal(where("name"), self.name, "one word of 1 to 40 letters, digits, - ' and _, no _ in front")


ATTRIBUTES = {
    **{f"grapple_{slot}": "STRING" for slot in SLOTS},
    "grapple_apMaxSize": "INTEGER",
    "grapple_ad": "INTEGER",
    "grapple_sd": "INTEGER",
    "grapple_defense": "INTEGER",
    "grapple_maxWounds": "INTEGER",
}
"""The attributes that a player needs, with their types."""

_KEYS = {"grapple_apMaxSize": "ap", "grapple_maxWounds": "max_wounds"} | {
    name: name.removeprefix("grapple_") for name in ATTRIBUTES if name not in ("grapple_apMaxSize", "grapple_maxWounds")
}
NPC_STATS = ("skill4", "skill3", "skill2", "max AP size", "defense", "max wounds", "ad", "sd")
_NPC_KEYS = (*SLOTS, "ap", "defense", "max_wounds", "ad", "sd")


def skill_called(text: str, label: str = "") -> str:
    """The abbreviation of the skill that a text names, in full or short, in any case."""
    folded = text.strip().casefold()
    for abbreviation, name in SKILLS.items():
        if folded in (abbreviation, name.casefold()):
            return abbreviation
    raise stranger(label, "skill", text, [f"{name} ({abbreviation})" for abbreviation, name in SKILLS.items()])


def _check_skills(sheet: Sheet, where: Where) -> None:
    held = [skill for skill in sheet.skills if skill]
    twice = sorted({skill for skill in held if held.count(skill) > 1})
    if twice:
        raise Invalid(f"{where} has the skill {listing(twice)} twice; skills must be different", given=held)
    if sheet.kind == "player" and len(held) < len(SLOTS):
        raise Invalid(f"{where} has {len(held)} skill(s), a player needs three: rated 4, 3 and 2", given=held)
    if not held:
        raise Invalid(f"{where} has no skill, an NPC needs one to three", given=held)


def player_of(name: str, attributes: Mapping[str, object]) -> Sheet:
    """The sheet of a player whose stats are attributes."""
    table: dict[str, object] = {"id": "player", "name": name}
    for attribute, type_ in ATTRIBUTES.items():
        if attribute not in attributes:
            raise Invalid(f"{name} has no attribute {attribute}[{type_}]; combat needs it", given=attribute)
        value = attributes[attribute]
        if not isinstance(value, str if type_ == "STRING" else int) or isinstance(value, bool):
            raise refusal(f"{name}: {attribute}", value, f"a value of type {type_}")
        table[_KEYS[attribute]] = value
    return Sheet.made(table, Where(name, {key: attribute for attribute, key in _KEYS.items()}))


def npc_of(name: str, stats: str) -> Sheet:
    """The sheet of an NPC by the string of its stats, such as `::en:6:1:2:3:2`."""
    parts = [part.strip() for part in stats.split(":")]
    if len(parts) != len(NPC_STATS):
        form = ":".join(f"<{part}>" for part in NPC_STATS)
        raise Invalid(f"{name}: {shown(stats)} has {len(parts)} parts; it must be of the form {form}", given=stats)
    table: dict[str, object] = {"id": "npc", "name": name, "kind": "npc"}
    for key, label, part in zip(_NPC_KEYS, NPC_STATS, parts, strict=True):
        table[key] = part if key in SLOTS else _whole(part, f"{name}: {label}")
    return Sheet.made(table, Where(name, dict(zip(_NPC_KEYS, NPC_STATS, strict=True))))


def _whole(text: str, label: str) -> int:
    if not re.fullmatch(r"[+-]?[0-9]{1,9}", text):
        raise refusal(label, text, "a whole number")
    return int(text)


def returns(fight: Combat, who: int, attributes: Mapping[str, object]) -> Mapping[str, object]:
    """What the end of combat writes back to a player's attributes."""
    fighter = fight.fighters[who]
    size = attributes.get("grapple_apMaxSize", fighter.pool)
    return {"grapple_ad": _ad_after(fighter, cast(int, size)), "grapple_sd": 0}


def after_fight(fight: Combat, who: int, sheet: Sheet) -> Sheet:
    """A player's sheet after combat: AD and half the SD remain, wounds are healed. Of an NPC nothing lasts."""
    if sheet.kind == "npc":
        return sheet
    return replace(sheet, ad=max(0, _ad_after(fight.fighters[who], sheet.ap)), sd=0, wounds=0)


def _ad_after(fighter: Fighter, size: int) -> int:
    """AD as the end of combat leaves them: half the SD, rounded up, become AD up to the AP size."""
    half = int((fighter.sd + 1) / 2)  # towards zero, which matters only if SD may fall below 0
    return min(fighter.ad + half, size)


# From a spec to a sheet


class _Sheets(sheets.Sheets[Sheet]):
    """Sheets of which an NPC's may also be asked for by the string of its stats, such as `::en:6:1:2:3:2`."""

    def enlist(self, spec: str | Mapping[str, object], *, files: bool = True) -> Sheet:
        if isinstance(spec, str) and spec.count(":") == len(NPC_STATS) - 1 and "=" not in spec:
            return npc_of("npc", spec)
        return super().enlist(spec, files=files)


SHEETS = _Sheets(Sheet, "affray.systems.grapple", {"player": "players", "npc": "npcs"})

# From sheets to the record


def seat(setup: Setup[Sheet], fight: Combat) -> None:
    """Copy options and sheets into the record."""
    options = setup.options
    fight.listed = min(int(options["listed_teams"]), fight.teams)
    fight.maneuver_max = int(options["maneuver_max"])
    fight.ties = int(options["ties"])
    fight.friendly = int(options["friendly_targets"])
    fight.tactics_elsewhere = int(options["tactics_target"] == "other")
    fight.strategy_real = int(options["strategy_cap"])
    fight.sd_floor = int(options["sd_floor"])
    fight.sd_cap = int(options["sd_cap"])
    fight.round_cap = int(options["round_cap"])
    for fighter, sheet in zip(fight.fighters, setup.sheets, strict=True):
        fighter.skills[:] = [ABBREVIATIONS.index(skill) if skill else EMPTY for skill in sheet.skills]
        fighter.ad, fighter.sd = sheet.ad, sheet.sd
        fighter.ap = fighter.pool = sheet.ap
        fighter.defense = sheet.defense
        fighter.wounds, fighter.max_wounds = sheet.wounds, sheet.max_wounds
