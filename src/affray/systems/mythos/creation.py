"""Making an investigator: characteristics rolled or typed, an occupation to start from, and a sheet with comments."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial

from affray.errors import Invalid
from affray.kernel.chance import Dice, pick, pips
from affray.system import sheets
from affray.system.creation import NONE, Creation, Interview, Question, asked
from affray.system.schema import Amounts, Field, Names, Text, Whole, Word, check, load_toml, settle, slug, stranger
from affray.system.sheets import data_file, field, schema
from affray.systems.mythos.derived import bonus_text, dodge_of
from affray.systems.mythos.gear import ITEMS
from affray.systems.mythos.sheets import CARRIED, OPTIONS, SHEETS, Sheet, idle_perks, rounds_loaded, rounds_spare
from affray.systems.mythos.tactics import TACTICS
from affray.systems.mythos.terms import PERKS
from affray.systems.mythos.weapons import BASE_SKILLS, WEAPONS

SHEET = schema(Sheet)
MOST_PERKS = 2
MOST_SUGGESTED = 90  # points of an occupation beyond this are lost
Table = dict[str, object]
Read = Callable[[list[str], Field, str], object]
"""What the parts of an answer are for a key of the sheet, which takes what its field takes."""


@dataclass(frozen=True)
class Rolled:
    """A characteristic: its short name, and the six-sided dice that are rolled for it, what is added, times five."""

    short: str
    dice: int
    plus: int = 0


CHARACTERISTICS = {
    "strength": Rolled("STR", 3),
    "constitution": Rolled("CON", 3),
    "size": Rolled("SIZ", 2, 6),
    "dexterity": Rolled("DEX", 3),
    "power": Rolled("POW", 3),
    "luck": Rolled("Luck", 3),
}
_SHORT = {rolled.short.lower(): key for key, rolled in CHARACTERISTICS.items()}


# What is suggested


class Occupation(sheets.Sheet):
    """What an investigator starts from: points on top of the base chances, and what they have and do."""

    best: str = field(Word(tuple(CHARACTERISTICS)))
    points: Mapping[str, int] = field(Amounts((*BASE_SKILLS, "dodge"), 1, 70, of="skill"))
    perks: Sequence[str] = field(Names(PERKS, of="perk", most=MOST_PERKS))
    weapons: Sequence[str] = field(SHEET["weapons"])
    items: Mapping[str, int] = field(SHEET["items"])
    tactic: str = field(SHEET["tactic"])


NOTHING = Occupation(name=NONE, best="", points={}, perks=(), weapons=(), items={}, tactic="brawler")


@cache
def _data() -> Mapping[str, object]:
    return load_toml(data_file("affray.systems.mythos", "creation.toml"), "creation.toml")


def _table(of: Mapping[str, object], key: str) -> Mapping[str, object]:
    table = of[key]
    assert isinstance(table, Mapping)
    return table


@cache
def occupations() -> Mapping[str, Occupation]:
    """Every occupation by its word."""
    tables = _table(_data(), "occupations")
    return {id: Occupation.made({"name": id, **_table(tables, id)}, f"creation.toml, {id}") for id in tables}


@cache
def perk_texts() -> Mapping[str, str]:
    """What every perk does, in a few words."""
    texts = check(dict.fromkeys(PERKS, Text(80)), _table(_data(), "perks"), "creation.toml, perks", PERKS)
    return {perk: str(text) for perk, text in texts.items()}


def some_name(dice: Dice) -> str:
    """A name for an investigator who has none yet."""
    parts = []
    for key in ("first_names", "last_names"):
        names = _data()[key]
        assert isinstance(names, list)
        parts.append(str(names[pick(dice, len(names))]))
    return " ".join(parts)


# The questions


def interview(name: str, dice: Dice, announce: Callable[[str], None]) -> Interview[Table]:
    """Ask for everything an investigator has; every question has an answer ready."""
    table: Table = {"name": name, **(yield from _characteristics(dice, announce))}
    occupation = yield from _occupation(table)
    tactic = Question("tactic, when the computer plays", occupation.tactic, tuple(TACTICS))
    for key, question, read in (
        ("skills", _skills(_suggested(occupation, table)), _amounts),
        ("weapons", _weapons(occupation), _read_weapons),
        ("perks", _perks(occupation), _read_perks),
        ("items", _items(occupation), _amounts),
        ("tactic", tactic, _read_tactic),
    ):
        if key == "items":  # the next question after the perks
            question = replace(question, shows=_idle(SHEETS.enlist(table)))
        table = yield from asked(question, partial(_with, table, key, read))
    return _completed(table)


def _with(table: Table, key: str, read: Read, line: str) -> Table:
    """The table with an answer in it, and with what the answer brings along, if that makes a sheet."""
    parts, own = _own(key, line)
    brought = {f"own_{key}": own} if own else {}
    together = {**table, **brought, key: read(parts, Sheet.accepts(brought)[key], key)}
    SHEETS.enlist(together)
    return together


def _own(key: str, line: str) -> tuple[list[str], Table]:
    """What an answer names, and the things of one's own that are described in it: `flail (base large-club)`."""
    parts: list[str] = []
    own: Table = {}
    for part in _parts(line):
        described, bracket, count = part.rpartition(")")
        if bracket and f"own_{key}" in SHEET:
            things = SHEET[f"own_{key}"].read(described + bracket)
            assert isinstance(things, dict)
            own |= things
            part = "+".join(things) + count
        parts.append(part)
    return parts, own


def _completed(table: Table) -> Table:
    """The table with what is in hand, in the guns and in the body at first, key by key in the order of a sheet."""
    sheet = SHEETS.enlist(table)
    rounds = [weapon for weapon in sheet.slots if weapon.magazine]
    whole = {
        **table,
        "hp": sheet.most_hp,
        "wields": sheet.carried[0] if sheet.carried else "hands",
        "loaded": {weapon.id: rounds_loaded(sheet, weapon) for weapon in rounds},
        "ammunition": {weapon.id: rounds_spare(sheet, weapon) for weapon in rounds if weapon.kind == "gun"},
    }
    return {key: whole[key] for key in SHEET if key in whole}


# Characteristics


def roll(dice: Dice, announce: Callable[[str], None]) -> dict[str, int]:
    """All characteristics, each with its own dice."""
    values = {}
    for key, rolled in CHARACTERISTICS.items():
        announce(f"{rolled.short} (the sum{f' and {rolled.plus}' if rolled.plus else ''}, times 5)")
        values[key] = 5 * (pips(dice, rolled.dice, 6) + rolled.plus)
    return values


def _characteristics(dice: Dice, announce: Callable[[str], None]) -> Interview[dict[str, int]]:
    """Rolled all together or typed one by one, and then kept, rolled again or changed, as often as the player likes."""
    ways = ("rolled", "typed")
    way = yield from asked(Question("characteristics, rolled or typed", "rolled", ways), _one_of("way", ways))
    values = roll(dice, announce) if way == "rolled" else (yield from _typed())
    while True:
        question = Question(
            "keep, again, or a change such as str 60", "keep", ("keep", "again", *_SHORT), _drawn(values)
        )
        change = yield from asked(question, _read_change)
        if change == "keep":
            return values
        values = roll(dice, announce) if isinstance(change, str) else {**values, **change}


def _typed() -> Interview[dict[str, int]]:
    values: dict[str, int] = {}
    for key, rolled in CHARACTERISTICS.items():
        values[key] = yield from asked(Question(f"{rolled.short}, {SHEET[key].allows()}", "50"), partial(_number, key))
    return values


def _number(key: str, text: str) -> int:
    field = SHEET[key]
    assert isinstance(field, Whole)
    return field.take(field.read(text), CHARACTERISTICS[key].short)


def _read_change(line: str) -> str | dict[str, int]:
    """`keep`, `again`, or characteristics with their values: `str 60, dex 55`."""
    if line.lower() in ("keep", "again"):
        return line.lower()
    changed = {}
    for part in _parts(line):
        word, _, number = part.replace("=", " ").partition(" ")
        if word.lower() not in _SHORT:
            raise stranger("", "characteristic", word, ("keep", "again", *_SHORT))
        key = _SHORT[word.lower()]
        changed[key] = _number(key, number.strip())
    return changed


def _drawn(values: Mapping[str, int]) -> list[str]:
    """The characteristics, and what follows from them, as two lines."""
    sheet = SHEETS.enlist({"name": "nameless", **values})
    given = "  ".join(f"{rolled.short} {values[key]}" for key, rolled in CHARACTERISTICS.items())
    follows = f"HP {sheet.most_hp}, MOV {sheet.speed}, Dodge {sheet.dodge}, {_build(sheet)}"
    return [given, follows]


def _build(sheet: Sheet) -> str:
    return f"Build {sheet.build}, damage bonus {bonus_text(sheet.bonus)}"


# Everything else


def _occupation(table: Table) -> Interview[Occupation]:
    known = occupations()
    usual = max(known, key=lambda id: int(str(table[known[id].best])))
    explains = [f"{id}: {_counted(of.points)} points; {', '.join(of.weapons)}" for id, of in known.items()]
    words = (*known, NONE)
    question = Question("occupation to start from", usual, words, explains=[*explains, f"{NONE}: nothing suggested"])
    chosen = yield from asked(question, _one_of("occupation", words))
    return known.get(chosen, NOTHING)


def _suggested(occupation: Occupation, table: Table) -> dict[str, int]:
    """The skills of an occupation: its points on top of the base chances. 17."""
    base = {**BASE_SKILLS, "dodge": dodge_of(int(str(table["dexterity"])))}
    return {skill: min(MOST_SUGGESTED, base[skill] + points) for skill, points in occupation.points.items()}


def _skills(suggested: Mapping[str, int]) -> Question:
    base = ", ".join(f"{skill} {chance}" for skill, chance in BASE_SKILLS.items())
    explains = [f"Base chances: {base}, dodge half the DEX.", f"`{NONE}` leaves all at their base chances."]
    words = (*BASE_SKILLS, "dodge", NONE)
    return Question("skills", _counted(suggested), words, explains=explains)


def _weapons(occupation: Occupation) -> Question:
    explains = [f"{id}: {weapon.skill}, {weapon.damage}" for id, weapon in WEAPONS.items() if id in CARRIED]
    explains += ["One of your own: flail (base large-club; damage 2D6)"]
    return Question("weapons, the first in hand", _joined(occupation.weapons), (*CARRIED, NONE), explains=explains)


def _perks(occupation: Occupation) -> Question:
    explains = [f"{perk}: {text}" for perk, text in perk_texts().items()]
    explains += ["One of your own: bulwark (tough_guy 8; price 5)"]
    return Question(f"perks, at most {MOST_PERKS}", _joined(occupation.perks), (*PERKS, NONE), explains=explains)


def _idle(sheet: Sheet) -> list[str]:
    """Which of the perks that were chosen do nothing as long as a fight does not change its options."""
    idle = idle_perks(sheet, settle(OPTIONS, {}))
    return [f"By the usual options {sheet.all_perks[perk].name} does nothing: {idle[perk]}." for perk in idle]


def _items(occupation: Occupation) -> Question:
    explains = ["first-aid: +1 HP each", "medicine: +1D3 HP each", "stimulant: a bonus die until the next turn's end"]
    explains += ["Such as  first-aid 2, medicine 1", "One of your own: tonic (heals 1D6; boosts reactions) 2"]
    return Question("items", _counted(occupation.items), (*ITEMS, NONE), explains=explains)


def _read_weapons(parts: list[str], field: Field, key: str) -> object:
    called = {name: id for id in CARRIED for name in (WEAPONS[id].name, slug(WEAPONS[id].name))}
    return _known([called.get(part.lower(), part.lower()) for part in parts], field)


def _known(wanted: list[str], field: Field) -> list[str]:
    assert isinstance(field, Names)
    assert isinstance(field.known, tuple)
    for id in wanted:
        if id not in field.known:
            raise stranger("", field.of, id, field.known)
    return wanted


def _read_perks(parts: list[str], field: Field, key: str) -> object:
    wanted = _known([slug(part) or part for part in parts], field)
    if len(wanted) > MOST_PERKS or len(set(wanted)) < len(wanted):
        problem = f"{', '.join(wanted)} are {len(wanted)} perks; there must be at most {MOST_PERKS}, all different"
        raise Invalid(problem, given=wanted)
    return wanted


def _one_of(what: str, words: Sequence[str]) -> Callable[[str], str]:
    def read(line: str) -> str:
        if line.lower() not in words:
            raise stranger("", what, line, words)
        return line.lower()

    return read


def _read_tactic(parts: list[str], field: Field, key: str) -> object:
    return _one_of("tactic", tuple(TACTICS))(", ".join(parts))


def _amounts(parts: list[str], field: Field, key: str) -> object:
    """`brawl 60, dodge 40` as the table that a sheet has under a key."""
    return field.take(field.read("+".join(part.lower().replace("=", " ").rstrip("%") for part in parts)), key)


def _parts(line: str) -> list[str]:
    """What a line names, one after another, with commas between."""
    return [] if line.lower() == NONE else [part.strip() for part in line.split(",") if part.strip()]


def _joined(names: Sequence[str]) -> str:
    return ", ".join(names) or NONE


def _counted(amounts: Mapping[str, int]) -> str:
    return _joined([f"{name} {amount}" for name, amount in amounts.items()])


# The file


def _idle_comment(sheet: Sheet) -> str:
    idle = idle_perks(sheet, settle(OPTIONS, {}))
    return f"idle by default: {', '.join(idle)}" if idle else "affray rules mythos 16"


def comments(sheet: Sheet) -> Mapping[str, str]:
    """What stands beside each key of an investigator in a file: what it means, and what follows from it."""
    plain = ("power", "luck", "skills", "weapons", "loaded", "items")
    own = {
        "name": "what the story says",
        "strength": f"STR; with SIZ: {_build(sheet)}",
        "constitution": f"CON; with SIZ: {sheet.most_hp} HP at most",
        "size": f"SIZ; with STR and DEX: MOV {sheet.speed}",
        "dexterity": f"DEX; untaught, Dodge is half of it: {dodge_of(sheet.dexterity)}",
        "hp": f"HP now, of {sheet.most_hp}",
        "perks": f"up to {MOST_PERKS}; {_idle_comment(sheet)}",
        "wields": "in hand when a fight begins",
        "ammunition": "rounds beside",
        "tactic": "when the computer plays",
    }
    return {key: own.get(key, says) for key, _, _, says in sheets.described(Sheet) if key in own or key in plain}


CREATION = Creation("investigator", "investigators.toml", some_name, interview, comments)
