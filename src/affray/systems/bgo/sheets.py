"""Who fights in the Board Game Online variant: creatures, players and what they carry, and the options of the rules."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property, lru_cache
from pathlib import Path
from typing import Any, Literal, NamedTuple, cast

from affray.errors import Invalid
from affray.system import defaults, sheets
from affray.system.schema import (
    Amounts,
    Field,
    Flag,
    Names,
    Option,
    Ruling,
    Schema,
    Shaped,
    Slug,
    Text,
    Value,
    Whole,
    Word,
    check,
    cut,
    load_toml,
    refusal,
    shown,
    slug,
    stranger,
)
from affray.system.setup import Setup
from affray.system.sheets import Where, data_file, field, required, rulings_of, schema, things_of
from affray.system.specs import Table, read_sheets, typed_changes
from affray.system.telling import counted
from affray.systems.bgo import rules
from affray.systems.bgo.abilities import ABILITIES, ENRAGE, FLAGS, REGENERATE, THORNS, TYPES
from affray.systems.bgo.rules import Encounter

PACKAGE = "affray.systems.bgo"

SLOTS = ("weapon", "armour", "charm")
"""Where equipment is worn, one thing each (ruling 11)."""

EDITION = 2
"""The newest edition of what the board brings. Logs of older journeys draw from what there was in their time."""

# Options

_PERCENT = Whole(0, 100)
_BONUS = Whole(0, 20)

ENCOUNTER_OPTIONS = (
    Option("armor_base", Whole(0, 30), 10, "the number an attack must reach, before Defense is added", "attack"),
    Option("defend_defense", _BONUS, 3, "Defense that defending gives in its own round", "defend"),
    Option("defend_attack", _BONUS, 2, "Attack that defending gives in the next round", "defend"),
    Option("flee_defense", _BONUS, 1, "Defense that fleeing gives in its own round", "flee"),
    Option("naturals", Flag(), False, "a natural 3 always misses and a natural 18 always hits", "2"),
    Option(
        "poised", Word(("next", "kept")), "next", "poise is for the next round only, or kept until an attack hits", "4"
    ),
    Option("parting_blow", Flag(), True, "an attack of the same round can still hit a fighter who flees", "6"),
    Option("drain_revives", Flag(), False, "drain can bring back a drainer who is at 0 Health", "25"),
    Option("round_cap", Whole(1, 10_000), 200, "battle rounds after which all fighters have fled", "20"),
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
    Option("encounter_rate", _PERCENT, 50, "percent of events that are encounters", "13"),
    Option("rest_rate", _PERCENT, 18, "percent of events that are rests", "journey"),
    Option("find_rate", _PERCENT, 12, "percent of events that are finds of an item", "journey"),
    Option("find_plus_one", _PERCENT, 50, "percent of finds one rank above the player", "35"),
    Option("boon_rate", _PERCENT, 8, "percent of events that bring a boon", "journey"),
    Option("curse_rate", _PERCENT, 8, "percent of events that bring a curse", "journey"),
    Option("reward_plus_one", _PERCENT, 60, "percent of rewards one rank above the creature", "14"),
    Option("reward_plus_two", _PERCENT, 20, "percent of rewards two ranks above the creature", "14"),
    Option("reward_boon", _PERCENT, 15, "percent of rewards that are boons", "14"),
    Option("reward_consumable", _PERCENT, 5, "percent of rewards that are consumables", "14"),
    Option("reward_slot", Word(("lower", "any")), "lower", "a reward is for a slot with something lower, or any", "43"),
    Option("board_squares", Whole(1, 1000), 140, "squares of the board", "journey"),
    Option("gates", Whole(0, 7), 7, "gates on the way, each with a guardian, the last on the summit; 0 for none", "44"),
    Option("setback_dice", Whole(0, 6), 3, "dice for how far a guardian drives a player back", "45"),
    Option("edition", Whole(1, EDITION), EDITION, "the edition of creatures and things that the board brings", "46"),
)
"""The options of the journey over the board."""

OPTIONS: tuple[Option, ...] = (*ENCOUNTER_OPTIONS, *JOURNEY_OPTIONS)

_SHARES = (
    ("encounter_rate", "rest_rate", "find_rate", "boon_rate", "curse_rate"),
    ("reward_plus_one", "reward_plus_two"),
    ("reward_boon", "reward_consumable"),
)


def check_shares(options: Mapping[str, Value]) -> None:
    """Refuse percentages of the journey that add up to more than 100; the rest is nothing, +0, equipment."""
    for names in _SHARES:
        total = sum(int(options[name]) for name in names)
        if total > 100:
            raise Invalid(f"options {', '.join(names)} must add up to at most 100, not {total}", given=total)


# What sheets are made of


class Policy(NamedTuple):
    """How often, in percent, a fighter who follows its sheet attacks and defends (ruling 7)."""

    attack: int = 0
    defend: int = 0


def _damage(low: int) -> Field:
    amounts = Amounts(TYPES, low, 99, of="damage type")
    return Shaped(amounts, lambda taken: tuple(taken.get(kind, 0) for kind in TYPES))


def _things(known: Callable[[], Mapping[str, sheets.Sheet]], of: str, most: int = 40) -> Field:
    return Shaped(Names(known, of=of, most=most), lambda ids: tuple(known()[id] for id in ids))


_HEALTH = Whole(1, 999)
_RANK = Whole(1, 20)
_EDITION = Whole(1, EDITION)
_SWING = Whole(-50, 50)
_FLAG_BITS = {name: 1 << bit for bit, name in enumerate(FLAGS)}
_RESIST, _THORNS = ([f"{what}-{kind}" for kind in TYPES] for what in ("resist", "thorns"))
_ABILITIES = Amounts(ABILITIES, 1, 99, of="ability", flags=frozenset(FLAGS))
_POLICY = Shaped(Amounts(Policy._fields, 0, 100, of="choice", total=100), lambda shares: Policy(**shares))
_NONE = (0,) * len(TYPES)


@dataclass(frozen=True, kw_only=True)
class Stats:
    """The document's statistics and the abilities: a fighter's own, or what a thing adds to them."""

    health: int = field(Whole(-99, 99), 0, "added to the maximum")
    attack: int = field(_SWING, 0, "added to attack rolls")
    defense: int = field(_SWING, 0, "added to what an attack must reach")
    damage: tuple[int, ...] = field(_damage(-99), _NONE, "what a hit does, by type")
    abilities: Mapping[str, int] = field(_ABILITIES, {})


class Thing(Stats, sheets.Sheet):
    """What changes a player's statistics."""

    rank: int = field(_RANK)
    note: str = field(Text(), default="")
    edition: int = field(_EDITION, 1, "the first edition of the board that has it", asked=False)

    def as_table(self) -> dict[str, object]:
        """The thing as plain values, as a file would have them."""
        table = super().as_table()
        return {**table, "damage": by_type(self.damage)} if any(self.damage) else table


class _Slot(Word):
    """Where a thing is worn; older files say `armor`."""

    def take(self, value: object, label: str) -> str:
        return super().take("armour" if value == "armor" else value, label)


class Item(Thing):
    """Equipment for one slot."""

    kind: str = field(Word(("item",)), default="item")
    slot: str = field(_Slot(SLOTS), says="where it is worn")


class Boon(Thing):
    """A blessing."""

    lasts: Literal["encounters", "until-death", "until-used"] = field(
        Word(("encounters", "until-death", "until-used")), "encounters"
    )
    encounters: int = field(Whole(0, 99), 0, "how many it lasts, where it lasts for encounters")


class Curse(Boon):
    """The same the other way round."""


class Consumable(sheets.Sheet):
    """Something used up on the board between encounters (ruling 30)."""

    rank: int = field(_RANK)
    heal: int = field(Whole(1, 999), 0, "Health that it restores")
    ends_curses: int = field(Whole(1, 9), 0, "how many curses it ends")
    note: str = field(Text(), default="")
    edition: int = field(_EDITION, 1, "the first edition of the board that has it", asked=False)


@cache
def items() -> Mapping[str, Item]:
    """All equipment by id."""
    return things_of(Item, PACKAGE, "items.toml")


@cache
def boons() -> Mapping[str, Boon]:
    """All boons by id."""
    return things_of(Boon, PACKAGE, "boons.toml")


@cache
def curses() -> Mapping[str, Curse]:
    """All curses by id."""
    return things_of(Curse, PACKAGE, "curses.toml")


@cache
def consumables() -> Mapping[str, Consumable]:
    """All consumables by id."""
    return things_of(Consumable, PACKAGE, "consumables.toml")


@dataclass(frozen=True)
class _Encounters(Field):
    """For how many encounters boons and curses still last, by their ids; which there are is known when it is asked."""

    def allows(self) -> str:
        return self._amounts.allows()

    def take(self, value: object, label: str) -> object:
        return self._amounts.take(value, label)

    def read(self, text: str) -> object:
        return self._amounts.read(text)

    @property
    def _amounts(self) -> Amounts:
        return Amounts((*boons(), *curses()), 1, 99, of="boon or curse")


_ENCOUNTERS = _Encounters()


class Fighter(Stats, sheets.Sheet):
    """What creatures and players share."""

    health: int = field(_HEALTH, says="the maximum, before what is carried is added")
    current: int | None = field(_HEALTH, None, "Health on arrival, where it is not the maximum")
    damage: tuple[int, ...] = field(_damage(0), _NONE, "what a hit does, by type")
    policy: Policy = field(_POLICY, Policy(100, 0), "how often, in percent, it attacks and defends")
    can_flee: bool = field(Flag(), False)
    note: str = field(Text(), default="")


class Creature(Fighter):
    """A creature of the encounters."""

    kind: str = field(Word(("creature",)), default="creature")
    rank: int = field(_RANK)
    type: str = field(Word(TYPES))
    edition: int = field(_EDITION, 1, "the first edition of the board that has it", asked=False)


class Player(Fighter):
    """A player's own statistics, and what the player carries."""

    kind: str = field(Word(("player",)), default="player")
    can_flee: bool = field(Flag(), True)
    equipment: tuple[Item, ...] = field(_things(items, "item", len(SLOTS)), ())
    boons: tuple[Boon, ...] = field(_things(boons, "boon"), ())
    curses: tuple[Curse, ...] = field(_things(curses, "curse"), ())
    lasting: Mapping[str, int] = field(_ENCOUNTERS, {}, "encounters that boons and curses still last", asked=False)
    spares: tuple[Item, ...] = field(_things(items, "item", len(SLOTS)), (), "equipment in the pack", asked=False)
    pack: tuple[Consumable, ...] = field(_things(consumables, "consumable"), (), asked=False)
    misses: int = field(Whole(0, 20), 0, "board rounds for which a dead player is still dead", asked=False)

    def check(self, where: Where) -> None:
        """Refuse two things in one slot (ruling 11)."""
        for slot in SLOTS:
            worn = [item.id for item in self.equipment if item.slot == slot]
            if len(worn) > 1:
                raise Invalid(f"{where('equipment')} must have one {slot}, not {' and '.join(worn)}", given=worn)


class Sheet(sheets.Sheet):
    """A combatant ready for a fight: equipment, boons and curses are counted in.

    It is complete in itself: what it carries are only names, so it does not depend on the data files.
    """

    ready: bool = field(Flag(), True, "whether all that is carried is counted in", asked=False)
    kind: Literal["player", "creature"] = field(Word(("player", "creature")))
    rank: int = field(Whole(1, 99))
    type: str | None = field(Word(TYPES), None)
    max_health: int = field(_HEALTH)
    health: int = field(_HEALTH)
    attack: int = field(_SWING)
    defense: int = field(_SWING)
    damage: tuple[int, ...] = field(_damage(0), says="what a hit does, by type")
    abilities: Mapping[str, int] = field(_ABILITIES, {})
    policy: Policy = field(_POLICY, says="how often, in percent, it attacks and defends")
    can_flee: bool = field(Flag())
    equipment: tuple[str, ...] = field(Names(None, of="item", most=len(SLOTS)), (), asked=False)
    boons: tuple[str, ...] = field(Names(None, of="boon"), (), asked=False)
    curses: tuple[str, ...] = field(Names(None, of="curse"), (), asked=False)
    misses: int | None = field(Whole(0, 20), None, "board rounds for which a dead player is still dead", asked=False)

    def check(self, where: Where) -> None:
        """Health fits its maximum, and a creature has a type."""
        if not self.ready:
            raise refusal(where("ready"), self.ready, "on")
        if self.kind == "creature" and self.type is None:
            raise Invalid(f"{where('type')} is missing; it must be {Word(TYPES).allows()}", allowed=TYPES)
        if self.health > self.max_health:
            raise refusal(where("health"), self.health, f"1 to {self.max_health}, its max_health")

    def as_table(self) -> dict[str, object]:
        """The sheet as plain values, of which `enlist` makes the same sheet without looking anything up."""
        plain = {"damage": by_type(self.damage), "policy": self.policy._asdict()}
        return {"ready": True, **super().as_table(), **plain}


def by_type(damage: Sequence[int]) -> dict[str, int]:
    """The amounts of damage that there are, by their type."""
    return {kind: amount for kind, amount in zip(TYPES, damage, strict=True) if amount}


@cache
def creatures() -> Mapping[str, Creature]:
    """All creatures by id."""
    return {id: one for id, one in _own("creatures.toml", "creature").items() if isinstance(one, Creature)}


@cache
def players() -> Mapping[str, Player]:
    """The sample players by id."""
    return {id: one for id, one in _own("players.toml", "player").items() if isinstance(one, Player)}


def _own(name: str, kind: str) -> dict[str, Creature | Player]:
    tables = read_sheets(data_file(PACKAGE, name), name)
    shelf = _Shelf(name, {id: {"kind": kind, **table} for id, table in tables.items()})
    return {id: _found(id, shelf) for id in tables}


def rulings() -> Mapping[str, Ruling]:
    """Every rule and ruling by id."""
    return rulings_of(PACKAGE, OPTIONS)


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


def lasting_on(player: Player) -> Player:
    """The player with boons and curses that last as long as they still do."""

    def left(things: tuple[Any, ...]) -> tuple[Any, ...]:
        return tuple(replace(thing, encounters=player.lasting.get(thing.id, thing.encounters)) for thing in things)

    return replace(player, boons=left(player.boons), curses=left(player.curses), lasting={})


def lasting_of(player: Player) -> dict[str, int]:
    """For how many encounters boons and curses still last, if that is less than usual."""
    usual = {**boons(), **curses()}
    carried = (*player.boons, *player.curses)
    return {thing.id: thing.encounters for thing in carried if thing.encounters != usual[thing.id].encounters}


def refit(health: int, before: int, after: int) -> int:
    """Health after the maximum went from `before` to `after`: it rises along, or is cut down (ruling 18)."""
    return min(after, health + max(0, after - before))


def finished_sheet(fighter: Creature | Player, *, rank_divisor: int = 3, where: str | None = None) -> Sheet:
    """The fighter's sheet, with everything that the fighter carries counted in."""
    stats = effective(fighter, carried(fighter))
    table: dict[str, object] = {
        **{key: getattr(fighter, key) for key in ("id", "name", "kind", "can_flee")},
        "max_health": stats.health,
        "health": stats.health if fighter.current is None else min(fighter.current, stats.health),
        "attack": stats.attack,
        "defense": stats.defense,
        "damage": by_type(stats.damage),
        "abilities": stats.abilities,
        "policy": fighter.policy._asdict(),
    }
    if isinstance(fighter, Creature):
        table |= {"rank": fighter.rank, "type": fighter.type}
    else:
        table["rank"] = rank(fighter.equipment, rank_divisor)
        for key in ("equipment", "boons", "curses"):
            table[key] = [thing.id for thing in getattr(fighter, key)]
        if fighter.misses:
            table["misses"] = fighter.misses
    return Sheet.made(table, where or fighter.id)


# From a spec to a sheet


class _Sheets(sheets.Sheets[Sheet]):
    """Sheets that are made of creatures, and of players with what they carry."""

    def enlist(self, spec: str | Table, *, files: bool = True) -> Sheet:
        """The combatant that the spec asks for.

        A spec is an id (`fire-slime`), an id with changes (`player:name=Ann:health=4:equipment=torch+leather-vest`), a
        file of one sheet or one sheet of a file (`mine.toml`, `mine.toml#rat`, changes may follow), or a table: changes
        to a `base`, a whole creature or player of some `kind`, or what `as_table` gave. Changes replace the base's own
        numbers, to which equipment then adds; `health` alone is what the fighter arrives with, whatever it wears.
        `files=False` refuses files: players on a server must not name files there.
        """
        if isinstance(spec, str) and not _CALL.fullmatch(spec):
            return _known(spec).copy()
        if isinstance(spec, Mapping) and "ready" in spec:
            return Sheet.made(spec, _place(spec))
        fighter, where = fighter_of(spec, files=files)
        return finished_sheet(fighter, where=where)

    def check_file(self, path: str | Path) -> list[str]:
        """The ids of the creatures, players and items in a user's file; Invalid for the first that does not fit."""
        shelf = _file(str(path))
        checked = {id: finished_sheet(_found(id, shelf), where=f"{path}, {id}") for id in shelf.fighters}
        return [id for id in shelf.tables if id in checked or id in shelf.items]

    @cached_property
    def _fighters(self) -> Mapping[str, Sheet]:
        return {id: self.enlist(id) for id in (*players(), *creatures())}


SHEETS = _Sheets(Sheet, PACKAGE, {"player": "players", "creature": "creatures"})
enlist, as_table = SHEETS.enlist, SHEETS.as_table


@dataclass(frozen=True)
class _Shelf:
    """The tables of one file: fighters who are still to be built, and items that its players may wear."""

    file: str = ""
    tables: Mapping[str, Table] = dataclasses.field(default_factory=dict)

    @cached_property
    def fighters(self) -> Mapping[str, Table]:
        """The tables of creatures and players."""
        return {id: table for id, table in self.tables.items() if table.get("kind") != "item"}

    @cached_property
    def items(self) -> Mapping[str, Item]:
        """Affray's own items, and those of the file."""
        own = {id: table for id, table in self.tables.items() if id not in self.fighters}
        return {**items(), **{id: Item.made(table, f"{self.file}, {id}") for id, table in own.items()}}

    def schema(self, cls: type[Fighter]) -> Schema:
        """What a table of a fighter may say: Health on arrival and its maximum by their own names, and these items."""
        kinds = dict(schema(cls))
        kinds["max_health"] = kinds.pop("current")
        worn = _things(lambda: self.items, "item", len(SLOTS))
        return kinds | {"equipment": worn, "spares": worn} if cls is Player else kinds


def _file(path: str) -> _Shelf:
    """A user's file: one table for each id, or a single sheet that takes its id from the file's name."""
    tables = load_toml(path)
    if not tables:
        raise Invalid(f"{path} has no sheet", given=path)
    if any(not isinstance(table, Mapping) for table in tables.values()):
        tables = {slug(Path(path).stem) or "sheet": tables}
    for id in tables:
        Slug().take(id, f"{path}: id")
    return _Shelf(path, {id: {"id": id, **cast(Table, table)} for id, table in tables.items()})


_CALL = re.compile(r"(?P<file>.+?\.toml)(?:#(?P<id>[^:]*))?(?P<changes>(?::.*)?)", re.DOTALL)


def fighter_of(spec: str | Table, *, files: bool = True) -> tuple[Creature | Player, str]:
    """The fighter that a spec asks for, before what it carries is counted in, and what messages call it."""
    if isinstance(spec, Mapping):
        return _fighter(spec, _place(spec), _Shelf()), _place(spec)
    if not isinstance(spec, str):
        raise refusal("a sheet", spec, "an id, id:key=value, file.toml, file.toml#id or a table")
    call = _CALL.fullmatch(spec)
    if call is None:
        id, colon, changes = spec.partition(":")
        return _changed(id, colon + changes, _Shelf())
    if not files:
        raise Invalid(f"{shown(spec)} names a file; here it must be an id, id:key=value or a table", given=spec)
    shelf = _file(call["file"])
    return _changed(_picked(call["id"], shelf), call["changes"], shelf)


@lru_cache(maxsize=1024)
def _known(spec: str) -> Sheet:
    """The sheet for an id of Affray's own data, kept: designers ask for the same few over and over."""
    fighter, where = fighter_of(spec)
    return finished_sheet(fighter, where=where)


def _place(table: Table) -> str:
    named = table.get("id", table.get("base", table.get("name")))
    return cut(named) if isinstance(named, str) else "the sheet"


def _changed(id: str, changes: str, shelf: _Shelf) -> tuple[Creature | Player, str]:
    where = f"{shelf.file}, {id}" if shelf.file else cut(id)
    fighter = _found(id, shelf)
    if changes:
        table = typed_changes(changes[1:], shelf.schema(type(fighter)), where)
        fighter = _fighter(table, where, shelf, base=fighter)
    return fighter, where


def _picked(id: str | None, shelf: _Shelf) -> str:
    """The fighter of a file that was asked for: without an id the only one."""
    if id is None and len(shelf.fighters) == 1:
        return next(iter(shelf.fighters))
    if id is None:
        problem = f"{shelf.file} has {len(shelf.fighters)} creatures and players; name one as {shelf.file}#id"
        raise Invalid(problem, given=shelf.file, allowed=tuple(f"{shelf.file}#{id}" for id in shelf.fighters))
    if id not in shelf.fighters:
        raise stranger(shelf.file, "creature or player", id, shelf.fighters)
    return id


_DEEPEST = 20


def _found(id: str, shelf: _Shelf, label: str = "", chain: tuple[str, ...] = ()) -> Creature | Player:
    """The fighter of that id: the shelf's own, or else one of Affray's. `chain` are those being built on it."""
    if id in shelf.fighters and id not in chain and len(chain) < _DEEPEST:
        return _fighter(shelf.fighters[id], f"{shelf.file}, {id}", shelf, (*chain, id))
    found = creatures().get(id) or players().get(id)
    if found is not None:
        return found
    if chain and id in shelf.fighters:
        problem = f"{label} is {id}, which leads back here or through more than {_DEEPEST} others"
        raise Invalid(problem, given=id)
    raise stranger(label, "creature or player", id, (*shelf.fighters, *creatures(), *players()))


def _fighter(
    table: Table, where: str, shelf: _Shelf, chain: tuple[str, ...] = (), base: Creature | Player | None = None
) -> Creature | Player:
    """A fighter from a table: changes to a base, the given one or the one it names, or a whole one."""
    if base is None and "base" in table:
        if not isinstance(table["base"], str):
            raise refusal(f"{where}: base", table["base"], "the id of a creature or player")
        base = _found(table["base"], shelf, f"{where}: base", chain)
        table = {key: value for key, value in table.items() if key != "base"}
    if base is None:
        return _whole(table, where, shelf)
    if table.get("kind", base.kind) != base.kind:
        raise refusal(f"{where}: kind", table["kind"], f"{base.kind}, as its base")
    given: dict[str, Any] = check(shelf.schema(type(base)), table, where)
    health, most = given.pop("health", None), given.pop("max_health", None)
    return _with_health(replace(base, **given), health, most, where)


def _whole(table: Table, where: str, shelf: _Shelf) -> Creature | Player:
    """A fighter who is built on no other."""
    kind, allowed = table.get("kind"), "creature or player (in a file also item), or base = an id"
    if kind is None:
        raise Invalid(f"{where}: kind is missing; it must be {allowed}", allowed=("kind",))
    if kind not in ("creature", "player"):
        raise refusal(f"{where}: kind", kind, allowed)
    cls: Any = Creature if kind == "creature" else Player
    needed = [key for key in required(cls) if key != "health"]
    given: dict[str, Any] = check(shelf.schema(cls), table, where, needed)
    health, most = given.pop("health", None), given.pop("max_health", None)
    if health is None and most is None:
        raise Invalid(f"{where}: health is missing; it must be {_HEALTH.allows()}", allowed=("health",))
    if most is None:
        health, most = None, health
    fighter: Creature | Player = cls(health=most, **{"id": slug(given["name"]) or kind, **given})
    return _with_health(fighter, health, most, where)


def _with_health(fighter: Creature | Player, health: int | None, most: int | None, where: str) -> Creature | Player:
    """The fighter with other Health: `most` is the maximum before equipment, `health` the Health on arrival.

    Health above the maximum raises it, unless the maximum was given as well.
    """
    fighter.check(Where(where))
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


# From sheets to the record


def seat(setup: Setup[Sheet], fight: Encounter) -> None:
    """Copy options and sheets into the record; Invalid for a player who is dead (47)."""
    for sheet in setup.sheets:
        if sheet.misses:
            dead = f"{sheet.name} is dead for {counted(sheet.misses, 'more board round')}"
            raise Invalid(f"{dead}; `affray recover round` passes one", given=sheet.name)
    defaults.seat(setup, fight)
    for fighter, sheet in zip(fight.fighters, setup.sheets, strict=True):
        _arm(fighter, sheet)
        fight.abilities |= fighter.abilities


def _arm(fighter: rules.Fighter, sheet: Sheet) -> None:
    held = sheet.abilities
    fighter.abilities = sum([_FLAG_BITS[name] for name in held if name in _FLAG_BITS])
    fighter.resist[:] = [held.get(name, 0) for name in _RESIST]
    fighter.thorns[:] = [held.get(name, 0) for name in _THORNS]
    fighter.regenerate, fighter.enrage = held.get("regenerate", 0), held.get("enrage", 0)
    numbers = {REGENERATE: fighter.regenerate, ENRAGE: fighter.enrage, THORNS: any(fighter.thorns)}
    fighter.abilities |= sum(bit for bit, number in numbers.items() if number)
    fighter.ward, fighter.undying = int("ward" in held), int("undying" in held)
    fighter.defends = sheet.policy.defend
    # Largest first (28), and at least one, so that enrage has something to grow.
    largest_first = sorted(range(len(TYPES)), key=lambda kind: -sheet.damage[kind])
    fighter.components = max(1, sum(amount > 0 for amount in sheet.damage))
    for place, kind in enumerate(largest_first[: fighter.components]):
        fighter.kinds[place], fighter.damage[place] = kind, sheet.damage[kind]
