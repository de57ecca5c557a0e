"""Equipment, boons, curses and consumables: all there are, and what each of them is and does, in words."""

from __future__ import annotations

from collections.abc import Mapping

from affray.system.sheets import Sheet
from affray.system.telling import counted
from affray.systems.bgo import sheets
from affray.systems.bgo.abilities import NUMBERED, TYPES, signed, typed
from affray.systems.bgo.sheets import Boon, Consumable, Curse, Item, Stats

Thing = Item | Boon | Curse | Consumable


def known() -> Mapping[str, Mapping[str, Sheet]]:
    """All things that come with the system, by kind and id."""
    return {
        "items": sheets.items(),
        "boons": sheets.boons(),
        "curses": sheets.curses(),
        "consumables": sheets.consumables(),
    }


def changes(stats: Stats) -> list[str]:
    """What a thing adds to its bearer's statistics, in words."""
    said = [
        f"{name} {amount:+}"
        for name, amount in (("Health", stats.health), ("Attack", stats.attack), ("Defense", stats.defense))
        if amount
    ]
    said += [f"{amount:+} {typed(kind)} damage" for kind, amount in zip(TYPES, stats.damage, strict=True) if amount]
    return said + abilities(stats)


def abilities(stats: Stats) -> list[str]:
    """The abilities in words; with its number if there is one."""
    return [f"{signed(name)} {n}" if name in NUMBERED else signed(name) for name, n in stats.abilities.items()]


def lasting(thing: Boon | Curse) -> str:
    """How long a boon or a curse still lasts."""
    if thing.lasts == "encounters":
        return f"for {counted(thing.encounters, 'encounter')}"
    return thing.lasts.replace("-", " ")


def effect(thing: Thing) -> str:
    """What a thing does, and for how long: `+1 † physical damage`, `Attack +1; for 3 encounters`."""
    match thing:
        case Item():
            return ", ".join(changes(thing)) or "nothing"
        case Boon():
            return f"{', '.join(changes(thing))}; {lasting(thing)}"
        case Consumable():
            effects = [f"+{thing.heal} Health"] if thing.heal else []
            effects += [f"ends {counted(thing.ends_curses, 'curse')}"] if thing.ends_curses else []
            return f"{' and '.join(effects)}, once"


def described(thing: Thing) -> str:
    """A thing with what it does: `Short Sword (rank 2 weapon: +1 † physical damage)`."""
    what = f"rank {thing.rank} {thing.slot}: " if isinstance(thing, Item) else ""
    return f"{thing.name} ({what}{effect(thing)})"


def listed(thing: Thing) -> str:
    """A thing as a list has it, without its name: `rank 2 weapon: +1 † physical damage`."""
    what = f" {thing.slot}" if isinstance(thing, Item) else ""
    return f"rank {thing.rank}{what}: {effect(thing)}"
