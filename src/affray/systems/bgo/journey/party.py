"""The players at the start of a journey: travellers made from specs, and turned back into plain tables."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from affray.errors import Invalid
from affray.system.schema import Field, Schema, Text, Word, check, refusal, slug, stranger
from affray.system.setup import Spec
from affray.system.telling import counted
from affray.systems.bgo import sheets
from affray.systems.bgo.abilities import NUMBERED, TYPES
from affray.systems.bgo.journey.travellers import PERSON, Traveller
from affray.systems.bgo.sheets import Player, Stats
from affray.systems.bgo.tactics import TACTICS

MOST_TRAVELLERS = 12
_CARRIED = ("equipment", "boons", "curses")
_OWN = ("id", "name", "attack", "defense", "damage", "abilities", "policy", "can_flee")


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


def set_out(specs: Sequence[Spec], *, files: bool = True, edition: int = sheets.EDITION) -> tuple[Traveller, ...]:
    """The travellers before the first square; a name that another traveller or a creature has gets a number."""
    if isinstance(specs, str | Mapping) or not 1 <= len(specs) <= MOST_TRAVELLERS:
        given = specs if isinstance(specs, str | Mapping) else len(specs)
        raise Invalid(f"a journey takes a list of 1 to {MOST_TRAVELLERS} players, not {given!r}", given=given)
    # Creatures' names are reserved: otherwise it would be unclear who answers.
    taken = {slug(creature.name) for creature in sheets.creatures().values() if creature.edition <= edition}
    seated: list[Traveller] = []
    for number, spec in enumerate(specs, 1):
        seated.append(_seated(spec, number, taken | {other.handle for other in seated}, files, edition))
    return tuple(seated)


def _seated(spec: Spec, number: int, taken: set[str], files: bool, edition: int) -> Traveller:
    where = f"player {number}"
    seat = check(_SEAT, {"sheet": spec} if isinstance(spec, str) else spec, where)
    sheet_spec = seat.get("sheet", "player")
    assert isinstance(sheet_spec, str | Mapping)
    player = _own(sheet_spec, files)
    id = f"traveller-{number}"  # never the name in lower case, or the story would say "the ann"
    name = str(seat.get("name", player.name))
    handle = slug(name) or id
    again = 1
    while handle in taken:
        again += 1
        name = f"{str(seat.get('name', player.name))[:36]} {again}"
        handle = slug(name) or id
    _check_room(player, name, edition)
    if player.misses:
        dead = f"{name} is dead for {counted(player.misses, 'more board round')}"
        raise Invalid(f"{dead}; `affray recover round` passes one", given=name)
    bare = replace(sheets.lasting_on(player), id=id, name=name, spares=(), pack=())
    plays = str(seat.get("plays", PERSON))
    return Traveller(handle=handle, plays=plays, player=bare, spares=player.spares, pack=player.pack)


def as_spec(traveller: Traveller) -> dict[str, object]:
    """The traveller at the start as plain values, from which `set_out` makes the same one."""
    player = traveller.player
    sheet: dict[str, object] = {
        "kind": "player",
        "id": player.id,
        "name": player.name,
        "max_health": player.health,
        "health": traveller.health,
        "attack": player.attack,
        "defense": player.defense,
        "damage": sheets.by_type(player.damage),
        "abilities": dict(player.abilities),
        "policy": player.policy._asdict(),
        "can_flee": player.can_flee,
    }
    sheet |= {key: [thing.id for thing in getattr(player, key)] for key in _CARRIED}
    packed: dict[str, object] = {
        "lasting": sheets.lasting_of(player),
        "spares": [item.id for item in traveller.spares],
        "pack": [thing.id for thing in traveller.pack],
    }
    sheet |= {key: value for key, value in packed.items() if value}
    return {"name": traveller.name, "plays": traveller.plays, "sheet": sheet}


def _own(spec: Spec, files: bool) -> Player:
    """The player that a spec describes; a journey knows only the things in Affray's own data."""
    sheet = sheets.enlist(spec, files=files)
    if sheet.kind != "player":
        raise Invalid(f"{sheet.id} is a creature, and only players can go on a journey", given=sheet.id)
    is_ready = isinstance(spec, Mapping) and "ready" in spec
    if is_ready and (sheet.equipment or sheet.boons or sheet.curses):
        problem = "is a finished sheet that already includes its equipment; use the sheet it was made from"
        raise Invalid(f"{sheet.id} {problem}", given=sheet.id)
    things: dict[str, Any] = {}
    for key, known in (("equipment", sheets.items()), ("boons", sheets.boons()), ("curses", sheets.curses())):
        names: tuple[str, ...] = getattr(sheet, key)
        for name in names:
            if name not in known:
                raise stranger(f"{sheet.id}: {key} for a journey", "thing", name, known)
        things[key] = tuple(known[name] for name in names)
    if is_ready:
        return Player(health=sheet.max_health, current=sheet.health, **{key: getattr(sheet, key) for key in _OWN})
    player, _ = sheets.fighter_of(spec, files=files)
    assert isinstance(player, Player)
    for item in player.spares:
        if sheets.items().get(item.id) != item:
            raise stranger(f"{sheet.id}: spares for a journey", "thing", item.id, sheets.items())
    return replace(player, current=sheet.health, note="", **things)  # a log keeps no notes


# Whether a player could wear anything

# 19: damage cannot fall below 0.
_BOUNDS = {"health": (-999, 999), "attack": (-50, 50), "defense": (-50, 50)}


def _check_room(player: Player, name: str, edition: int) -> None:
    """Refuse statistics so close to the limits of a sheet that equipment, boons or curses could break them."""
    for what in ("health", "attack", "defense", *TYPES, *NUMBERED):
        low, high = _BOUNDS.get(what, (-999, 99))
        own = _measure(player, what)
        least, most = low - _extreme(what, min, edition), high - _extreme(what, max, edition)
        if not least <= own <= most:
            bounds = f"at least {least}" if own < least else f"at most {most}"
            raise refusal(f"{name}: {what}", own, f"{bounds}, so that there is room for equipment and boons")


def _measure(stats: Stats, what: str) -> int:
    """One of the statistics: Health, Attack, Defense, the damage of a type, or the number of an ability."""
    if what in TYPES:
        return stats.damage[TYPES.index(what)]
    return stats.abilities.get(what, 0) if what in NUMBERED else int(getattr(stats, what))


def _extreme(what: str, extreme: Callable[[Iterable[int]], int], edition: int) -> int:
    """The most, or the least, that everything a player may carry at once in an edition can add to a statistic."""
    worn = [
        extreme([0, *(_measure(i, what) for i in sheets.items().values() if i.slot == slot and i.edition <= edition)])
        for slot in sheets.SLOTS
    ]
    lasting = [t for t in (*sheets.boons().values(), *sheets.curses().values()) if t.edition <= edition]
    return sum(worn) + sum(extreme((0, _measure(thing, what))) for thing in lasting)
