"""What a visitor sees: the place around them, and who is connected to the world."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from affray.world.people.visitor import Visitor
    from affray.world.world import World


def look(visitor: Visitor) -> str:
    """The place that a visitor is in, its exits, the people and the combat there."""
    place, world = visitor.place, visitor.world
    if place is None:
        return "You are nowhere."
    others = sorted(name for key, name in world.people.names_in(place.key).items() if key != visitor.key)
    lines = [place.name, place.description]
    lines += [f"Ways: {', '.join(place.exits)}"] if place.exits else []
    lines += [f"Here: {', '.join(others)}"] if others else []
    combat = world.combats.get(place.key)
    lines += [f"Combat: {combat.name} ({combat.system.id}); `combat status` shows it"] if combat else []
    return "\n".join(line for line in lines if line)


def who(world: World) -> str:
    """Everybody who is connected, with role and place."""
    seen = world.people.everybody()
    if not seen:
        return "Nobody is here."
    wide = max(len(person.name) for person in seen.values())
    rows = [(person, world.places.get(person.place or "")) for _, person in sorted(seen.items())]
    return "\n".join(f"{p.name:{wide}}  {p.role:8} {place.name if place else 'nowhere'}" for p, place in rows)
