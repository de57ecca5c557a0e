"""Who sets out on a journey: travellers out of specs, and back into plain tables."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from affray.errors import Invalid
from affray.system.schema import Field, Schema, Text, Word, check, refusal, slug, stranger
from affray.systems.bgo.abilities import NUMBERED, TYPES
from affray.systems.bgo.journey.travellers import PERSON, Traveller
from affray.systems.bgo.sheets import (
    SLOTS,
    Player,
    Sheet,
    Stats,
    boons,
    carried,
    creatures,
    curses,
    effective,
    enlist,
    items,
)
from affray.systems.bgo.tactics import TACTICS

Spec = str | Mapping[str, object]
"""A player: whatever `enlist` takes for one, or a table with `name`, `plays` and `sheet`."""

MOST_TRAVELLERS = 12
ThingT = TypeVar("ThingT")
_CARRIED = ("equipment", "boons", "curses")


@dataclass(frozen=True)
class _SheetSpec(Field):
    """A spec for `enlist`, which checks it."""

    def allows(self) -> str:
        return "an id, id:key=value, file.toml, file.toml#id or a table"

    def take(self, value: object, label: str) -> object:
        if not isinstance(value, str | Mapping):
            raise refusal(label, value, self.allows())
        return value


_SEAT: Schema = {"name": Text(40), "plays": Word((PERSON, *TACTICS)), "sheet": _SheetSpec()}


def set_out(specs: Sequence[Spec], *, files: bool = True) -> tuple[Traveller, ...]:
    """The travellers before the first square; names that are taken, also by a creature, get a number."""
    if isinstance(specs, str | Mapping) or not 1 <= len(specs) <= MOST_TRAVELLERS:
        given = specs if isinstance(specs, str | Mapping) else len(specs)
        raise Invalid(f"a journey takes a list of 1 to {MOST_TRAVELLERS} players, not {given!r}", given=given)
    taken = {slug(creature.name) for creature in creatures().values()}  # or it would be unclear who answers
    seated: list[Traveller] = []
    for number, spec in enumerate(specs, 1):
        seated.append(_seated(spec, number, taken | {other.handle for other in seated}, files))
    return tuple(seated)


def _seated(spec: Spec, number: int, taken: set[str], files: bool) -> Traveller:
    where = f"player {number}"
    seat = check(_SEAT, {"sheet": spec} if isinstance(spec, str) else spec, where)
    sheet_spec = seat.get("sheet", "player")
    assert isinstance(sheet_spec, str | Mapping)
    player = _own(sheet_spec, files)
    id = f"traveller-{number}"  # never what the name comes to, or the story would say "the ann"
    name = str(seat.get("name", player.name))
    handle = slug(name) or id
    again = 1
    while handle in taken:
        again += 1
        name = f"{str(seat.get('name', player.name))[:36]} {again}"
        handle = slug(name) or id
    _check_room(player, name)
    return Traveller(handle=handle, plays=str(seat.get("plays", PERSON)), player=replace(player, id=id, name=name))


def as_spec(traveller: Traveller) -> dict[str, object]:
    """The traveller at the start as plain values; `set_out` makes the same one of it."""
    player = traveller.player
    sheet: dict[str, object] = {
        "kind": "player",
        "id": player.id,
        "name": player.name,
        "max_health": player.health,
        "health": traveller.health,
        "attack": player.attack,
        "defense": player.defense,
        "damage": {kind: amount for kind, amount in zip(TYPES, player.damage, strict=True) if amount},
        "abilities": dict(player.abilities),
        "policy": player.policy._asdict(),
        "can_flee": player.can_flee,
    }
    sheet |= {key: [thing.id for thing in getattr(player, key)] for key in _CARRIED}
    return {"name": traveller.name, "plays": traveller.plays, "sheet": sheet}


# A player's own statistics, apart from what is carried


def _own(spec: Spec, files: bool) -> Player:
    """The player that a spec asks for.

    A sheet has everything carried counted in already. So it is asked for twice, with and without, which tells the
    player's own statistics from what the equipment adds.
    """
    sheet = enlist(spec, files=files)
    if sheet.kind != "player":
        raise Invalid(f"{sheet.id} is a creature, and only players travel", given=sheet.id)
    if isinstance(spec, Mapping) and "ready" in spec and (sheet.equipment or sheet.boons or sheet.curses):
        problem = "is a ready sheet whose equipment is counted in; give the sheet that it was made of"
        raise Invalid(f"{sheet.id} {problem}", given=sheet.id)
    bare = enlist(_bare(spec), files=files)
    player = Player(
        id=sheet.id,
        name=sheet.name,
        health=bare.max_health,
        attack=bare.attack,
        defense=bare.defense,
        damage=bare.damage,
        abilities=bare.abilities,
        policy=sheet.policy,
        can_flee=sheet.can_flee,
        equipment=_things(sheet, "equipment", items()),
        boons=_things(sheet, "boons", boons()),
        curses=_things(sheet, "curses", curses()),
        current=sheet.health,
    )
    if effective(player, carried(player)).health != sheet.max_health:  # a Health on arrival that raised the maximum
        player = replace(player, health=sheet.max_health - sum(thing.health for thing in carried(player)))
    return player


def _bare(spec: Spec) -> Spec:
    """The spec of the same player with nothing on, at full Health where the maximum stands elsewhere."""
    if isinstance(spec, str):
        dropped = ("health", *_CARRIED)
        kept = [part for part in spec.split(":") if part.partition("=")[0] not in dropped]
        return ":".join([*kept, *(f"{key}=" for key in _CARRIED)])
    if "ready" in spec:
        return spec
    elsewhere = "base" in spec or "max_health" in spec
    kept_keys = {key: value for key, value in spec.items() if key != "health" or not elsewhere}
    return {**kept_keys, **{key: [] for key in _CARRIED}}


def _things(sheet: Sheet, key: str, known: Mapping[str, ThingT]) -> tuple[ThingT, ...]:
    """What a sheet names, out of Affray's own data: a journey has no other."""
    names: tuple[str, ...] = getattr(sheet, key)
    for name in names:
        if name not in known:
            raise stranger(f"{sheet.id}: {key} for a journey", "thing", name, known)
    return tuple(known[name] for name in names)


# Whether a player could wear anything

_BOUNDS = {"health": (-999, 999), "attack": (-50, 50), "defense": (-50, 50)}  # 19: floors hold the rest up


def _check_room(player: Player, name: str) -> None:
    """Refuse statistics so near the bounds of a sheet that equipment, boons or curses could break them."""
    for what in ("health", "attack", "defense", *TYPES, *NUMBERED):
        low, high = _BOUNDS.get(what, (-999, 99))
        own, least, most = _measure(player, what), low - _extreme(what, min), high - _extreme(what, max)
        if not least <= own <= most:
            bounds = f"at least {least}" if own < least else f"at most {most}"
            raise refusal(f"{name}: {what}", own, f"{bounds}, so that there is room for equipment and boons")


def _measure(stats: Stats, what: str) -> int:
    """One of the statistics: Health, Attack, Defense, the damage of a type, or the number of an ability."""
    if what in TYPES:
        return stats.damage[TYPES.index(what)]
    return stats.abilities.get(what, 0) if what in NUMBERED else int(getattr(stats, what))


def _extreme(what: str, extreme: Callable[[Iterable[int]], int]) -> int:
    """The most, or the least, that all one may carry at once can add to a statistic."""
    worn = [extreme([0, *(_measure(item, what) for item in items().values() if item.slot == slot)]) for slot in SLOTS]
    under = [extreme((0, _measure(thing, what))) for thing in (*boons().values(), *curses().values())]
    return sum(worn) + sum(under)
