"""Who fights in the Board Game Online variant: creatures, players and what they carry, and the options of the rules."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeVar, cast

from affray.errors import Invalid
from affray.kernel.records import blank
from affray.schema import (
    Amounts,
    Either,
    Flag,
    Names,
    Option,
    Ruling,
    Schema,
    Slug,
    Text,
    Value,
    Whole,
    Word,
    check,
    cut,
    load_toml,
    read_rulings,
    read_tables,
    refusal,
    shown,
    slug,
    stranger,
)
from affray.specs import typed_changes
from affray.systems.bgo import rules
from affray.systems.bgo.rules import FLAGS as BITS
from affray.systems.bgo.rules import TYPES, Encounter

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

SLOTS = ("weapon", "armor", "charm")
"""Where equipment is worn, one thing each (ruling 11)."""

FLAGS = (*BITS, *(f"nul-{kind}" for kind in TYPES), *(f"weak-{kind}" for kind in TYPES))
"""Abilities that one has or has not."""

NUMBERED = (*(f"resist-{kind}" for kind in TYPES), *(f"thorns-{kind}" for kind in TYPES), "regenerate", "enrage")
"""Abilities that come with a number."""

ABILITIES = (*FLAGS, *NUMBERED)

# Options

_PERCENT = Whole(0, 100)
_BONUS = Whole(0, 20)

ENCOUNTER_OPTIONS = (
    Option("armor_base", Whole(0, 30), 10, "what Defense is added to for the number an attack must reach", "attack"),
    Option("defend_defense", _BONUS, 3, "Defense that defending gives in its own round", "defend"),
    Option("defend_attack", _BONUS, 2, "Attack that defending gives in the next round", "defend"),
    Option("flee_defense", _BONUS, 1, "Defense that fleeing gives in its own round", "flee"),
    Option("naturals", Flag(), False, "a natural 3 always misses and a natural 18 always hits", "2"),
    Option(
        "poised", Word(("next", "kept")), "next", "poise is for the next round only, or kept until an attack hits", "4"
    ),
    Option("parting_blow", Flag(), True, "an attack of the same round can still hit one who flees", "6"),
    Option("drain_revives", Flag(), False, "drain can bring back a drainer who is at 0 Health", "25"),
    Option("round_cap", Whole(1, 10_000), 200, "battle rounds after which everybody has fled", "20"),
)
"""The options of a single encounter."""

JOURNEY_OPTIONS = (
    Option("draw_reward", Flag(), True, "a player who dies together with the creature still gains its item", "3"),
    Option("victory_heal", Word(("none", "half", "full")), "half", "share of maximum Health a victory restores", "10"),
    Option("rest_heal", Whole(0, 10), 1, "Health regained in a board round without a fight", "10"),
    Option("carry_health", Flag(), True, "lost Health stays lost between encounters", "9"),
    Option("death_rounds", _BONUS, 3, "board rounds that a dead player misses", "death"),
    Option("rank_divisor", Whole(1, 9), 3, "what the sum of the equipped ranks is divided by", "11"),
    Option("danger_rate", _PERCENT, 10, "percent of encounters with a creature of the next rank", "12"),
    Option("encounter_rate", _PERCENT, 30, "percent of events that are encounters", "13"),
    Option("rest_rate", _PERCENT, 25, "percent of events that are rests", "journey"),
    Option("find_rate", _PERCENT, 12, "percent of events that are finds of an item", "journey"),
    Option("boon_rate", _PERCENT, 8, "percent of events that bring a boon", "journey"),
    Option("curse_rate", _PERCENT, 8, "percent of events that bring a curse", "journey"),
    Option("reward_plus_one", _PERCENT, 35, "percent of rewards one rank above the creature", "14"),
    Option("reward_plus_two", _PERCENT, 5, "percent of rewards two ranks above the creature", "14"),
    Option("reward_boon", _PERCENT, 15, "percent of rewards that are boons", "14"),
    Option("reward_consumable", _PERCENT, 5, "percent of rewards that are consumables", "14"),
    Option("board_squares", Whole(1, 1000), 60, "squares of the board", "journey"),
)
"""The options of the journey over the board."""

OPTIONS: tuple[Option, ...] = (*ENCOUNTER_OPTIONS, *JOURNEY_OPTIONS)

_SHARES = (
    ("encounter_rate", "rest_rate", "find_rate", "boon_rate", "curse_rate"),
    ("reward_plus_one", "reward_plus_two"),
    ("reward_boon", "reward_consumable"),
)


def check_shares(options: Mapping[str, Value]) -> None:
    """Refuse percentages of the journey that together come to more than 100; the rest is nothing, +0, equipment."""
    for names in _SHARES:
        total = sum(int(options[name]) for name in names)
        if total > 100:
            raise Invalid(f"options {', '.join(names)} add up to {total}, allowed is 0 to 100", given=total)


# What sheets are made of


class Policy(NamedTuple):
    """How often, in percent, somebody without a mind of its own attacks and defends (ruling 7)."""

    attack: int
    defend: int


ALWAYS_ATTACK = Policy(100, 0)


@dataclass(frozen=True, kw_only=True)
class Stats:
    """The document's statistics and the abilities: a fighter's own, or what a thing adds to them."""

    health: int = 0
    attack: int = 0
    defense: int = 0
    damage: tuple[int, ...] = (0,) * len(TYPES)
    abilities: Mapping[str, int] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, kw_only=True)
class Item(Stats):
    """Equipment for one slot."""

    id: str
    name: str
    rank: int
    slot: str
    note: str = ""


@dataclass(frozen=True, kw_only=True)
class Boon(Stats):
    """A blessing; `encounters` counts when it lasts for encounters."""

    id: str
    name: str
    rank: int
    lasts: Literal["encounters", "until-death", "until-used"]
    encounters: int = 0
    note: str = ""


@dataclass(frozen=True, kw_only=True)
class Curse(Boon):
    """The same the other way round."""


@dataclass(frozen=True, kw_only=True)
class Consumable:
    """Something used up on the board between encounters (ruling 30)."""

    id: str
    name: str
    rank: int
    heal: int = 0
    ends_curses: int = 0
    note: str = ""


@dataclass(frozen=True, kw_only=True)
class Fighter(Stats):
    """What creatures and players share. `health` is the maximum; `current` is Health on arrival, None when unhurt."""

    id: str
    name: str
    current: int | None = None
    policy: Policy = ALWAYS_ATTACK
    can_flee: bool = False
    note: str = ""


@dataclass(frozen=True, kw_only=True)
class Creature(Fighter):
    """A creature of the encounters."""

    rank: int
    type: str


@dataclass(frozen=True, kw_only=True)
class Player(Fighter):
    """A player's own statistics, and what the player carries."""

    can_flee: bool = True
    equipment: tuple[Item, ...] = ()
    boons: tuple[Boon, ...] = ()
    curses: tuple[Curse, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Sheet:
    """A combatant ready for a fight: equipment, boons and curses are already counted in."""

    id: str
    name: str
    kind: Literal["player", "creature"]
    rank: int
    type: str | None = None
    max_health: int
    health: int
    attack: int
    defense: int
    damage: tuple[int, ...]
    abilities: Mapping[str, int] = field(hash=False)
    policy: Policy
    can_flee: bool
    equipment: tuple[str, ...] = ()
    boons: tuple[str, ...] = ()
    curses: tuple[str, ...] = ()


# Schemas

_KINDS = ("creature", "player", "item")
_HEALTH = Whole(1, 999)
_RANK = Whole(1, 20)
_SWING = Whole(-50, 50)
_ABILITIES = Amounts(ABILITIES, 1, 99, of="ability", flags=frozenset(FLAGS))
_DAMAGE = Amounts(TYPES, 0, 99, of="damage type")

_FIGHTER: Schema = {
    "id": Slug(),
    "kind": Word(_KINDS),
    "name": Text(40),
    "max_health": _HEALTH,
    "health": _HEALTH,
    "attack": _SWING,
    "defense": _SWING,
    "damage": _DAMAGE,
    "abilities": _ABILITIES,
    "policy": Amounts(Policy._fields, 0, 100, of="choice", total=100),
    "can_flee": Flag(),
    "note": Text(),
}
_CHANGE: Schema = {
    "name": Text(40),
    "rank": _RANK,
    "health": Whole(-99, 99),
    "attack": _SWING,
    "defense": _SWING,
    "damage": Amounts(TYPES, -99, 99, of="damage type"),
    "abilities": _ABILITIES,
    "note": Text(),
}
_LASTS = Either((Word(("until-death", "until-used")), Amounts(("encounters",), 1, 99, of="encounters")))

CREATURE: Schema = {**_FIGHTER, "rank": _RANK, "type": Word(TYPES)}
ITEM: Schema = {**_CHANGE, "slot": Word(SLOTS), "kind": Word(_KINDS)}
BOON: Schema = {**_CHANGE, "lasts": _LASTS}
CURSE: Schema = BOON
CONSUMABLE: Schema = {
    "name": Text(40),
    "rank": _RANK,
    "heal": Whole(1, 999),
    "ends_curses": Whole(1, 9),
    "note": Text(),
}

# A sheet that is ready stands alone: what it carries are names only, so that it outlives the data files.
READY: Schema = {
    "ready": Flag(),
    **{key: kind for key, kind in _FIGHTER.items() if key != "note"},
    "kind": Word(("player", "creature")),
    "rank": Whole(1, 99),
    "type": Word(TYPES),
    "equipment": Names(None, of="item", most=len(SLOTS)),
    "boons": Names(None, of="boon"),
    "curses": Names(None, of="curse"),
}

_REQUIRED = {"creature": ("name", "rank", "type"), "player": ("name",), "item": ("name", "rank", "slot")}

# Affray's own data

_Made = TypeVar("_Made")


def _made(cls: Callable[..., _Made], table: Mapping[str, object], **more: object) -> _Made:
    """One dataclass from a table that was checked."""
    return cls(**more, **cast(dict[str, Any], _shaped(table)))


def _shaped(table: Mapping[str, object]) -> dict[str, object]:
    """A checked table in the form the dataclasses keep it."""
    shaped = {key: value for key, value in table.items() if key not in ("kind", "ready")}
    if "damage" in shaped:
        components = cast(dict[str, int], shaped["damage"])
        shaped["damage"] = tuple(components.get(kind, 0) for kind in TYPES)
    if "policy" in shaped:
        shares = cast(dict[str, int], shaped["policy"])
        shaped["policy"] = Policy(shares.get("attack", 0), shares.get("defend", 0))
    if isinstance(shaped.get("lasts"), dict):
        shaped |= cast(dict[str, int], shaped["lasts"]) | {"lasts": "encounters"}
    return shaped


def _data(name: str) -> Traversable:
    from importlib.resources import files

    return files("affray.systems.bgo") / "data" / name


def _things(cls: Callable[..., _Made], name: str, schema: Schema, required: Sequence[str]) -> dict[str, _Made]:
    tables = read_tables(_data(name), schema, required, name)
    return {id: _made(cls, table, id=id) for id, table in tables.items()}


@cache
def items() -> Mapping[str, Item]:
    """All equipment by id."""
    return _things(Item, "items.toml", ITEM, ("name", "rank", "slot"))


@cache
def boons() -> Mapping[str, Boon]:
    """All boons by id."""
    return _things(Boon, "boons.toml", BOON, ("name", "rank", "lasts"))


@cache
def curses() -> Mapping[str, Curse]:
    """All curses by id."""
    return _things(Curse, "curses.toml", CURSE, ("name", "rank", "lasts"))


@cache
def consumables() -> Mapping[str, Consumable]:
    """All consumables by id."""
    return _things(Consumable, "consumables.toml", CONSUMABLE, ("name", "rank"))


@cache
def creatures() -> Mapping[str, Creature]:
    """All creatures by id."""
    shelf = _shelf("creatures.toml", load_toml(_data("creatures.toml"), "creatures.toml"), kind="creature")
    return {id: cast(Creature, _found(id, shelf)) for id in shelf.fighters}


@cache
def players() -> Mapping[str, Player]:
    """The sample players by id."""
    shelf = _shelf("players.toml", load_toml(_data("players.toml"), "players.toml"), kind="player")
    return {id: cast(Player, _found(id, shelf)) for id in shelf.fighters}


@cache
def rulings() -> Mapping[str, Ruling]:
    """Every rule and ruling by id."""
    return read_rulings(_data("rulings.toml"), OPTIONS, "rulings.toml")


def player_schema(known_items: Callable[[], Iterable[str]]) -> Schema:
    """The schema of a player who may wear the items named."""
    return {
        **_FIGHTER,
        "equipment": Names(known_items, of="item", most=len(SLOTS)),
        "boons": Names(boons, of="boon"),
        "curses": Names(curses, of="curse"),
    }


PLAYER: Schema = player_schema(items)

# What a player's things add up to


def carried(fighter: Fighter) -> tuple[Stats, ...]:
    """Everything that changes the fighter's statistics."""
    return (*fighter.equipment, *fighter.boons, *fighter.curses) if isinstance(fighter, Player) else ()


def effective(base: Stats, changes: Iterable[Stats]) -> Stats:
    """The statistics with all changes counted in, `health` being the maximum; floors as in ruling 19."""
    parts = (base, *changes)
    abilities: dict[str, int] = {}
    for part in parts:
        for name, number in part.abilities.items():
            abilities[name] = 1 if name in FLAGS else abilities.get(name, 0) + number
    return Stats(
        health=max(1, sum(part.health for part in parts)),
        attack=sum(part.attack for part in parts),
        defense=sum(part.defense for part in parts),
        damage=tuple(max(0, sum(part.damage[kind] for part in parts)) for kind in range(len(TYPES))),
        abilities={name: abilities[name] for name in ABILITIES if name in abilities},
    )


def rank(equipment: Iterable[Item], divisor: int = 3) -> int:
    """A player's rank by what is worn (ruling 11)."""
    return max(1, sum(item.rank for item in equipment) // divisor)


def refit(health: int, before: int, after: int) -> int:
    """Health after the maximum went from `before` to `after`: it rises along, or is cut down (ruling 18)."""
    return min(after, health + max(0, after - before))


def check_slots(equipment: Sequence[Item], where: str) -> None:
    """Refuse two things in one slot (ruling 11)."""
    for slot in SLOTS:
        worn = [item.id for item in equipment if item.slot == slot]
        if len(worn) > 1:
            raise Invalid(f"{where}: equipment has {' and '.join(worn)} as {slot}, allowed is one {slot}", given=worn)


# From a spec to a sheet


def enlist(spec: str | Mapping[str, object], *, files: bool = True) -> Sheet:
    """The combatant that the spec asks for.

    A spec is an id (`fire-slime`), an id with changes (`player:name=Ann:health=4:equipment=torch+leather-vest`), a
    file of one sheet or one sheet of a file (`mine.toml`, `mine.toml#rat`, changes may follow), or a table: changes to
    a `base`, a whole creature or player of some `kind`, or what `as_table` gave. Changes replace the base's own
    numbers, to which equipment then adds; `health` alone is what the fighter arrives with, whatever it wears.
    `files=False` refuses files: whoever plays on a server must not name files there.
    """
    if isinstance(spec, str):
        return _called(spec, files)
    if not isinstance(spec, Mapping):
        raise refusal("a sheet", spec, "an id, id:key=value, file.toml, file.toml#id or a table")
    named = spec.get("id", spec.get("base", spec.get("name")))
    where = cut(named) if isinstance(named, str) else "the sheet"
    if "ready" in spec:
        return _seated(spec, where)
    return muster(_fighter(spec, None, where, _shelf("", {})), where=where)


def muster(fighter: Creature | Player, *, rank_divisor: int = 3, where: str | None = None) -> Sheet:
    """The fighter's sheet, with everything carried counted in."""
    stats = effective(fighter, carried(fighter))
    table = {
        "ready": True,
        "id": fighter.id,
        "name": fighter.name,
        "max_health": stats.health,
        "health": stats.health if fighter.current is None else min(fighter.current, stats.health),
        "attack": stats.attack,
        "defense": stats.defense,
        "damage": _by_type(stats.damage),
        "abilities": stats.abilities,
        "policy": fighter.policy._asdict(),
        "can_flee": fighter.can_flee,
    }
    if isinstance(fighter, Creature):
        table |= {"kind": "creature", "rank": fighter.rank, "type": fighter.type}
    else:
        table |= {"kind": "player", "rank": rank(fighter.equipment, rank_divisor)}
        for key in ("equipment", "boons", "curses"):
            table[key] = [thing.id for thing in getattr(fighter, key)]
    return _seated(table, where or fighter.id)


def as_table(sheet: Sheet) -> dict[str, object]:
    """The sheet as plain values for JSON; `enlist` makes the same sheet of it without looking anything up."""
    table: dict[str, object] = {"ready": True, **{part.name: getattr(sheet, part.name) for part in fields(sheet)}}
    if sheet.type is None:
        del table["type"]
    return table | {
        "damage": _by_type(sheet.damage),
        "abilities": dict(sheet.abilities),
        "policy": sheet.policy._asdict(),
        "equipment": list(sheet.equipment),
        "boons": list(sheet.boons),
        "curses": list(sheet.curses),
    }


def check_file(path: str | Path) -> list[str]:
    """The ids of the creatures, players and items in a file of one's own; `Invalid` for the first that does not fit."""
    shelf = _file(str(path))
    for id in shelf.fighters:
        muster(_found(id, shelf), where=f"{path}, {id}")
    return list(shelf.ids)


def _by_type(damage: Sequence[int]) -> dict[str, int]:
    return {kind: amount for kind, amount in zip(TYPES, damage, strict=True) if amount}


def _seated(table: Mapping[str, object], where: str) -> Sheet:
    """The sheet of a table whose numbers are final; the only place where sheets are made."""
    optional = ("equipment", "boons", "curses", *(() if table.get("kind") == "creature" else ("type",)))
    taken = check(READY, table, where, [key for key in READY if key not in optional])
    if taken["ready"] is not True:
        raise refusal(f"{where}: ready", taken["ready"], "on")
    if cast(int, taken["health"]) > cast(int, taken["max_health"]):
        raise refusal(f"{where}: health", taken["health"], f"1 to {taken['max_health']}, its max_health")
    lists = {key: tuple(cast(list[str], taken.get(key, ()))) for key in ("equipment", "boons", "curses")}
    return _made(Sheet, taken | lists, kind=taken["kind"])


# Looking up and building fighters


@dataclass(frozen=True)
class _Shelf:
    """The sheets of one file: tables of fighters, still to be built, and items that its players may wear."""

    file: str
    ids: tuple[str, ...]
    fighters: Mapping[str, Mapping[str, object]]
    items: Mapping[str, Item]


def _shelf(file: str, tables: Mapping[str, object], kind: str | None = None) -> _Shelf:
    """The tables of a file sorted; `kind` is what they are when they do not say."""
    fighters: dict[str, Mapping[str, object]] = {}
    own: dict[str, Item] = {}
    for id, table in tables.items():
        Slug().take(id, f"{file}: id")
        where = f"{file}, {id}"
        if not isinstance(table, Mapping):
            raise refusal(where, table, "a table")
        if table.get("kind") == "item":
            own[id] = _made(Item, check(ITEM, table, where, _REQUIRED["item"]), id=id)
        else:
            fighters[id] = table if kind is None or "base" in table else {"kind": kind, **table}
    return _Shelf(file, tuple(tables), fighters, {**items(), **own})


def _file(path: str) -> _Shelf:
    """A file of one's own: one table for each id, or a single sheet that takes its id from the file's name."""
    tables = load_toml(path)
    if not tables:
        raise Invalid(f"{path} holds no sheet", given=path)
    if any(not isinstance(table, Mapping) for table in tables.values()):
        tables = {slug(Path(path).stem) or "sheet": tables}
    return _shelf(path, tables)


_CALL = re.compile(r"(?P<file>.+?\.toml)(?:#(?P<id>[^:]*))?(?P<changes>(?::.*)?)", re.DOTALL)


def _called(spec: str, files: bool) -> Sheet:
    """The sheet for a spec in text."""
    call = _CALL.fullmatch(spec)
    if call is None:
        kept = _known(spec)
        return replace(kept, abilities=dict(kept.abilities))
    if not files:
        raise Invalid(f"{shown(spec)} names a file, allowed is an id, id:key=value or a table", given=spec)
    shelf = _file(call["file"])
    return _changed(spec, _picked(call["id"], shelf), call["changes"][1:], shelf)


@lru_cache(maxsize=1024)
def _known(spec: str) -> Sheet:
    """The sheet for an id of Affray's own data, kept: designers ask for the same few over and over."""
    id, _, changes = spec.partition(":")
    return _changed(spec, id, changes, _shelf("", {}))


def _changed(spec: str, id: str, changes: str, shelf: _Shelf) -> Sheet:
    where = f"{shelf.file}, {id}" if shelf.file else cut(id)
    fighter = _found(id, shelf)
    typed = typed_changes(changes, _schema(fighter, shelf), where) if changes or spec.endswith(":") else {}
    return muster(_fighter(typed, fighter, where, shelf), where=where)


def _picked(id: str | None, shelf: _Shelf) -> str:
    """The fighter of a file that was asked for: the only one when nobody said which."""
    if id is None and len(shelf.fighters) == 1:
        return next(iter(shelf.fighters))
    if id is None:
        called = tuple(f"{shelf.file}#{id}" for id in shelf.fighters)
        problem = f"{shelf.file} has {len(called)} creatures and players, allowed is one, or {shelf.file}#id"
        raise Invalid(problem, given=shelf.file, allowed=called)
    if id not in shelf.fighters:
        raise stranger(shelf.file, "creature or player", id, shelf.fighters)
    return id


_DEEPEST = 20


def _found(id: str, shelf: _Shelf, label: str = "", chain: tuple[str, ...] = ()) -> Creature | Player:
    """The fighter of that id: the shelf's own, or else one of Affray's. `chain` are those being built on it."""
    if id in shelf.fighters and id not in chain and len(chain) < _DEEPEST:
        return _fighter(shelf.fighters[id], None, f"{shelf.file}, {id}", shelf, (*chain, id))
    found = creatures().get(id) or players().get(id)
    if found is not None:
        return found
    if chain and id in shelf.fighters:
        problem = f"{label} is {id}, which leads back here or through more than {_DEEPEST} others, allowed is an end"
        raise Invalid(problem, given=id)
    raise stranger(label, "creature or player", id, (*shelf.fighters, *creatures(), *players()))


def _fighter(
    table: Mapping[str, object], base: Creature | Player | None, where: str, shelf: _Shelf, chain: tuple[str, ...] = ()
) -> Creature | Player:
    """A fighter from a table: changes to a base, the given one or the one it names, or a whole one."""
    if base is None and "base" in table:
        if not isinstance(table["base"], str):
            raise refusal(f"{where}: base", table["base"], "the id of a creature or player")
        base = _found(table["base"], shelf, f"{where}: base", chain)
        base = replace(base, id=chain[-1]) if chain else base  # a file's sheet goes by its own id
        table = {key: value for key, value in table.items() if key != "base"}
    if base is None:
        return _whole(table, where, shelf, chain)
    given = check(_schema(base, shelf), table, where)
    if given.pop("kind", _kind(base)) != _kind(base):
        raise refusal(f"{where}: kind", table["kind"], f"{_kind(base)}, as its base")
    health, most = given.pop("health", None), given.pop("max_health", None)
    changed = replace(base, **cast(dict[str, Any], _outfitted(given, where, shelf)))
    return _with_health(changed, cast(int | None, health), cast(int | None, most), where)


def _whole(table: Mapping[str, object], where: str, shelf: _Shelf, chain: tuple[str, ...]) -> Creature | Player:
    """A fighter who is built on nobody."""
    kind = table.get("kind")
    if kind not in ("creature", "player"):
        given_kind = f"is {shown(kind)}" if "kind" in table else "is missing"
        problem = f"{where}: kind {given_kind}, allowed is creature or player (in a file also item), or base = an id"
        raise Invalid(problem, given=kind, allowed=_KINDS)
    schema = CREATURE if kind == "creature" else player_schema(lambda: shelf.items)
    given = check(schema, table, where, _REQUIRED[kind])
    health, most = given.pop("health", None), given.pop("max_health", None)
    if health is None and most is None:
        raise Invalid(f"{where}: health is missing, allowed is {_HEALTH.allows()}", allowed=("health",))
    if most is None:
        health, most = None, health
    id = given.pop("id", chain[-1] if chain else slug(str(given["name"])) or kind)
    build: Callable[..., Creature | Player] = Creature if kind == "creature" else Player
    fighter = build(id=id, **_outfitted(given, where, shelf))
    return _with_health(fighter, cast(int | None, health), cast(int | None, most), where)


def _outfitted(given: Mapping[str, object], where: str, shelf: _Shelf) -> dict[str, object]:
    """A checked table with the things themselves in place of their ids."""
    outfitted = _shaped(given)
    shelves = {"equipment": shelf.items, "boons": boons(), "curses": curses()}
    for key, things in shelves.items():
        if key in outfitted:
            outfitted[key] = tuple(cast(Mapping[str, Item], things)[id] for id in cast(list[str], outfitted[key]))
    check_slots(cast(tuple[Item, ...], outfitted.get("equipment", ())), where)
    return outfitted


def _with_health(fighter: Creature | Player, health: int | None, most: int | None, where: str) -> Creature | Player:
    """The fighter with other Health: `most` is the maximum before equipment, `health` the Health on arrival.

    Health above the maximum raises it, unless the maximum was given as well.
    """
    if most is not None:
        fighter = replace(fighter, health=most, current=None)
    if health is None:
        return fighter
    things = carried(fighter)
    top = effective(fighter, things).health
    if health > top and most is not None:
        raise refusal(f"{where}: health", health, f"1 to {top}, its max_health with all it carries")
    if health > top:
        fighter = replace(fighter, health=health - sum(thing.health for thing in things))
    return replace(fighter, current=health)


def _kind(fighter: Fighter) -> str:
    return "creature" if isinstance(fighter, Creature) else "player"


def _schema(fighter: Fighter, shelf: _Shelf) -> Schema:
    return CREATURE if isinstance(fighter, Creature) else player_schema(lambda: shelf.items)


# From sheets to the record


def seat(teams: Sequence[Sequence[Sheet]], options: Mapping[str, Value]) -> Encounter:
    """The record of an encounter before its first round."""
    sheets = [(team, sheet) for team, members in enumerate(teams) for sheet in members]
    fight = blank(Encounter, len(sheets))
    fight.teams = len(teams)
    for option in ("round_cap", "armor_base", "defend_defense", "defend_attack", "flee_defense"):
        setattr(fight, option, options[option])
    for option in ("naturals", "parting_blow", "drain_revives"):
        setattr(fight, option, int(options[option]))
    fight.poised_kept = int(options["poised"] == "kept")
    for fighter, (team, sheet) in zip(fight.fighters, sheets, strict=True):
        fighter.team = team
        _arm(fighter, sheet)
        fight.abilities |= fighter.abilities
    return fight


def _arm(fighter: rules.Fighter, sheet: Sheet) -> None:
    for name in ("health", "max_health", "attack", "defense"):
        setattr(fighter, name, getattr(sheet, name))
    fighter.can_flee = int(sheet.can_flee)
    fighter.defends = sheet.policy.defend
    for bit, name in enumerate(FLAGS):
        if name in sheet.abilities:
            fighter.abilities |= 1 << bit
    for kind, name in enumerate(TYPES):
        fighter.resist[kind] = sheet.abilities.get(f"resist-{name}", 0)
        fighter.thorns[kind] = sheet.abilities.get(f"thorns-{name}", 0)
    fighter.regenerate = sheet.abilities.get("regenerate", 0)
    fighter.enrage = sheet.abilities.get("enrage", 0)
    for bit, number in (
        (rules.REGENERATE, fighter.regenerate),
        (rules.ENRAGE, fighter.enrage),
        (rules.THORNS, any(fighter.thorns)),
    ):
        if number:
            fighter.abilities |= bit
    # Largest first (28), and at least one, so that enrage has something to grow.
    largest_first = sorted(range(len(TYPES)), key=lambda kind: -sheet.damage[kind])
    fighter.components = max(1, sum(amount > 0 for amount in sheet.damage))
    for place in range(fighter.components):
        fighter.kinds[place] = largest_first[place]
        fighter.damage[place] = sheet.damage[largest_first[place]]
    fighter.ward = int("ward" in sheet.abilities)
    fighter.undying = int("undying" in sheet.abilities)
