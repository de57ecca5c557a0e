"""A fighter as the table sees it, with Health, stance and types, and the dice that fell."""

from __future__ import annotations

from affray.kernel.rules import Event
from affray.system import pictograms
from affray.system.pictures import Thrown, Widget
from affray.system.setup import Setup
from affray.systems.bgo.events import ROLLS
from affray.systems.bgo.moves import VERBS
from affray.systems.bgo.rules import Encounter
from affray.systems.bgo.sheets import Sheet
from affray.systems.bgo.story import abilities, conditions, damage_text, gauges

CONDITIONS = pictograms.conditions(
    {
        "dead": pictograms.SKULL,
        "fled": pictograms.AWAY,
        "poised": pictograms.BETTER,
        "burning": pictograms.FLAME,
        "drenched": pictograms.DROP,
        "shaken": pictograms.TREMOR,
        "bewildered": pictograms.STARS,
    }
)


def scene(setup: Setup[Sheet], fight: Encounter, who: int) -> list[Widget]:
    """Health, Attack and Defense, damage by type, abilities, and what holds now; one's own choice among it."""
    fighter = fight.fighters[who]
    able = abilities(fighter)
    stance = [f"chose {VERBS[fighter.choice]}"] if fighter.choice else []
    states = [note for note in conditions(fighter) if note not in able]
    drawn = [
        *(Widget("bar", gauge.name, gauge.value, gauge.most) for gauge in gauges(setup, fight, who)),
        Widget("numbers", "Stats", names=(f"Attack {fighter.attack:+}", f"Defense {fighter.defense:+}")),
        Widget("tokens", "Damage", names=tuple(damage_text(fighter).split(" + "))),
        Widget("tokens", "Abilities", names=tuple(able)),
        Widget("tags", "State", names=(*stance, *states)),
    ]
    return [widget for widget in drawn if widget.most or widget.names]


def thrown(setup: Setup[Sheet], fight: Encounter, event: Event) -> list[Thrown]:
    """The dice of an attack, their total, and what it had to reach."""
    if event.kind != ROLLS:
        return []
    return [Thrown("dice", faces, f"{sum(faces)}, needs {event.needed}") for faces in event.fell]
