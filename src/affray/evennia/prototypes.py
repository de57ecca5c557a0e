"""Prototypes to spawn: the tutorial room, and a character for each system with one of its sheets."""

from __future__ import annotations

from typing import Any

from affray.evennia.hall import CATEGORY
from affray.system.registry import find, names
from affray.world.combats.sheets import attributes_of

TUTORIAL_ROOM = {
    "prototype_key": "affray_tutorial_room",
    "prototype_desc": "a ring in which players learn to fight",
    "key": "the training ring",
    "typeclass": "affray.evennia.tutorial.TutorialRoom",
}


def _fighter(system: str) -> dict[str, Any]:
    (attribute,) = attributes_of(find(system))
    spec = next(iter(find(system).demonstration.values()))[0]
    return {
        "prototype_key": f"affray_{system}_fighter",
        "prototype_desc": f"a fighter by the rules of {system}",
        "key": f"{system} fighter",
        "typeclass": "evennia.objects.objects.DefaultCharacter",
        "attrs": [(attribute, spec, CATEGORY, "")],
    }


FIGHTERS = [_fighter(system) for system in names() if len(attributes_of(find(system))) == 1]
PROTOTYPE_LIST = [TUTORIAL_ROOM, *FIGHTERS]
