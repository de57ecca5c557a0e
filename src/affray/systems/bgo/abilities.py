"""The types of damage, the abilities, and the bits in which the record keeps them."""

from __future__ import annotations

TYPES = ("physical", "mental", "fire", "wind", "earth", "water")

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
# The numbers stand in fields of their own; a bit says whether there is one.
REGENERATE, ENRAGE, THORNS = (1 << bit for bit in range(len(FLAGS), len(FLAGS) + 3))

# What a hit of each type brings to whom it hurts, when the attacker has the ability of that name.
RIDERS = (0, BEWILDER, IGNITE, GUST, QUAKE, DRENCH)
