"""The words of the board: the lines of a journey, and its status as text."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Sequence

from affray.errors import listing
from affray.system.telling import counted
from affray.systems.bgo.abilities import TYPES, typed
from affray.systems.bgo.journey.board import Gate
from affray.systems.bgo.journey.travellers import Traveller
from affray.systems.bgo.sheets import Creature, Stats, creatures
from affray.systems.bgo.things import Thing, abilities, described

TRACK = 46  # cells in which the board is drawn


def an(noun: str) -> str:
    """The noun with its article."""
    return f"{'an' if noun[:1].lower() in 'aeiou' else 'a'} {noun}"


def statistics(stats: Stats, health: int | None = None) -> str:
    """Statistics in the document's order: `4 Health, 0 Attack, 0 Defense and 2 ▲ fire damage`."""
    damage = " + ".join(f"{amount} {typed(kind)}" for kind, amount in zip(TYPES, stats.damage, strict=True) if amount)
    left = f"{stats.health}" if health is None else f"{health} of {stats.health}"
    return f"{left} Health, {stats.attack} Attack, {stats.defense} Defense and {damage or 'no'} damage"


ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh")


def gate_name(gate: Gate, gates: Sequence[Gate]) -> str:
    """The name of a gate; the last one is the summit."""
    return "the summit" if gate.number == len(gates) else f"the {ORDINALS[gate.number - 1]} gate"


def deeds(traveller: Traveller) -> str:
    """The creatures that a player has defeated on the journey, by rank."""
    ranks = Counter(creatures()[id].rank for id in traveller.defeated)
    by_rank = listing([f"{count} of rank {rank}" for rank, count in sorted(ranks.items())], most=99)
    defeated = counted(len(traveller.defeated), "creature")
    return f"{traveller.name} has defeated {defeated} on the way: {by_rank}."


def announced(traveller: Traveller, creature: Creature, dangerous: bool, guards: str = "") -> list[str]:
    """The document's announcement of an encounter, or that of a guardian."""
    name = creature.name.lower()
    met = f"{an(name).capitalize()} guards {guards}" if guards else f"{traveller.name} encounters {an(name)}"
    said = [f"{met}. It has {statistics(creature)}."]
    if creature.abilities:
        said.append(f"{an(name).capitalize()} has {' and '.join(abilities(creature))}.")
    said.append(f"It is a rank {creature.rank} encounter.")
    return [*said, "This is a dangerous encounter."] if dangerous else said


# The status


def status(travellers: Sequence[Traveller], round: int, squares: int, divisor: int, gates: Sequence[Gate]) -> str:
    """The board as a track for each player, and what each player has; fits 80 columns."""
    wide = max(len(_short(traveller)) for traveller in travellers)
    closed = "; # is a closed gate" if gates else ""
    lines = [f"Board round {round}; the last square is {squares}{closed}"]
    lines += [f"{_short(traveller):{wide}} {_track(traveller, squares, gates)}" for traveller in travellers]
    for traveller in travellers:
        lines += ["", *sheet(traveller, divisor)]
    return "\n".join(lines)


def _short(traveller: Traveller) -> str:
    return traveller.handle[:16]


def _track(traveller: Traveller, squares: int, gates: Sequence[Gate]) -> str:
    """The board as a line: squares passed, the player, and squares ahead with their closed gates."""
    square, cells = traveller.square, min(TRACK, squares)
    done = min(cells, square * cells // squares)
    ahead = ["."] * (cells - done)
    for gate in gates[traveller.gates :]:
        if ahead:
            ahead[max(0, gate.square * cells // squares - done - 1)] = "#"
    where = f"square {square}" if 0 < square <= squares else ("start" if square == 0 else "finish")
    return f"|{'=' * done}>{''.join(ahead)}| {where}"


def sheet(traveller: Traveller, divisor: int) -> list[str]:
    """One player in a few lines: statistics, equipment, pack, boons and curses."""
    dead = "" if traveller.alive else f", dead for {counted(traveller.misses or 0, 'more board round')}"
    stats, player = traveller.stats, traveller.player
    packed: list[Thing] = [*traveller.spares, *traveller.pack]
    lines = _folded(
        "", f"{traveller.name}: rank {traveller.rank(divisor)}, {statistics(stats, traveller.health)}{dead}"
    )
    rows = (
        ("abilities", [listing(abilities(stats), most=99)] if stats.abilities else []),
        ("wears", [described(item) for item in player.equipment]),
        ("in the pack", [described(thing) for thing in packed]),
        ("boons", [described(boon) for boon in player.boons]),
        ("curses", [described(curse) for curse in player.curses]),
    )
    for label, things in rows:
        for place, thing in enumerate(things):
            lines += _folded(f"  {label + ':' if place == 0 else '':13}", thing)
    return lines


def _folded(label: str, text: str) -> list[str]:
    return textwrap.wrap(text, 80, initial_indent=label, subsequent_indent=" " * max(4, len(label)))
