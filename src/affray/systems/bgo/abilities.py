"""The types of damage, the abilities, and the bits in which the record keeps them."""

from __future__ import annotations

from affray.system.pictograms import DROP, FLAME
from affray.system.pictures import Icon

TYPES = ("physical", "mental", "fire", "wind", "earth", "water")

_BRAIN = (
    "M7.4 3.1A2.3 2.3 0 0 0 3.5 4.1 2.5 2.5 0 0 0 1.6 7.6 2.5 2.5 0 0 0 2.9 11.6 2.4 2.4 0 0 0 7.4 12.6Z",
    "M8.6 3.1A2.3 2.3 0 0 1 12.5 4.1 2.5 2.5 0 0 1 14.4 7.6 2.5 2.5 0 0 1 13.1 11.6 2.4 2.4 0 0 1 8.6 12.6Z",
)
_SWIRL = (
    "M1 6.2H5.6A2.3 2.3 0 1 0 3.3 3.9H4.8A.8.8 0 1 1 5.6 4.7H1Z",
    "M1 9.2H11.2A2.6 2.6 0 1 0 8.6 6.6H10.1A1.1 1.1 0 1 1 11.2 7.7H1Z",
    "M1 10.7H8.4A2.3 2.3 0 1 1 6.1 13H7.6A.8.8 0 1 0 8.4 12.2H1Z",
)
_SWORD = "M13.5 1 6.3 8.2 5 6.9 3.6 8.3 5.2 9.9 1.8 13.3 2.7 14.2 6.1 10.8 7.7 12.4 9.1 11 7.8 9.7 15 2.5V1Z"
_ROCK = "M4.6 3 9.4 1.8 13.2 5 14.6 10.4 12.2 14H3.6L1.4 9.8Z"
ICONS = (
    Icon("physical", "†", _SWORD),
    Icon("mental", "ψ", "".join(_BRAIN)),
    Icon("fire", "▲", FLAME),
    Icon("wind", "≋", "".join(_SWIRL)),
    Icon("earth", "◆", _ROCK),
    Icon("water", "▼", DROP),
)
"""The document's icon of each type, in the order of the types."""

UNTYPED = (
    "first-strike",
    "ignite",
    "drench",
    "quake",
    "gust",
    "bewilder",
    "drain",
    "ward",
    "undying",
    "light-step",
    "snare",
    "leaden-feet",
)
FLAGS = (*UNTYPED, *(f"nul-{kind}" for kind in TYPES), *(f"weak-{kind}" for kind in TYPES))
"""Abilities that one has or has not; each is the bit of its place."""

NUMBERED = (*(f"resist-{kind}" for kind in TYPES), *(f"thorns-{kind}" for kind in TYPES), "regenerate", "enrage")
"""Abilities that come with a number."""

ABILITIES = (*FLAGS, *NUMBERED)

FIRST_STRIKE, IGNITE, DRENCH, QUAKE, GUST, BEWILDER, DRAIN, WARD, UNDYING, LIGHT_STEP, SNARE, LEADEN_FEET = (
    1 << bit for bit in range(len(UNTYPED))
)
NUL = len(UNTYPED)
WEAK = NUL + len(TYPES)
# The numbers are in separate fields; a bit says whether there is one.
REGENERATE, ENRAGE, THORNS = (1 << bit for bit in range(len(FLAGS), len(FLAGS) + 3))

# What a hit of each type brings to whom it hurts, when the attacker has the ability of that name.
RIDERS = (0, BEWILDER, IGNITE, GUST, QUAKE, DRENCH)


def typed(kind: str) -> str:
    """A type of damage by its sign and its name: `▲ fire`."""
    return f"{ICONS[TYPES.index(kind)].sign} {kind}"


def signed(ability: str) -> str:
    """An ability with the sign of its type, if it has one: `▲ nul-fire`."""
    kind = ability.rpartition("-")[2]
    return f"{ICONS[TYPES.index(kind)].sign} {ability}" if kind in TYPES else ability
