"""The script of a room that holds a fight as its log: what was told is in it, so a killed server loses nothing."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from evennia.scripts.scripts import DefaultScript

from affray.evennia.hall import hall
from affray.world.combats.combat import Combat
from affray.world.store.tables import CombatRow

KEPT = 100
"""How many fights that have been ended are kept to be read and verified."""


class FightScript(DefaultScript):
    """A fight in a room, from its set-up to its end."""

    def at_script_creation(self) -> None:
        """A fight lasts until it is ended."""
        self.desc = "a fight, kept as its log"
        self.persistent = True

    @property
    def kept(self) -> dict[str, Any]:
        """The fight as it was last stored: its row, and the answers of its log."""
        found: dict[str, Any] = json.loads(self.attributes.get("log"))
        return found

    def keep(self, combat: Combat) -> None:
        """Store a fight: one attribute, so that it is stored whole or not at all."""
        self._write(combat, "setup" if combat.fight is None else "running")

    def put_away(self, combat: Combat) -> None:
        """Keep the log of a fight that has been ended; the oldest of these go."""
        self._write(combat, "ended")
        self.obj = None
        ended = [script for script in FightScript.objects.all().order_by("-id") if script.obj is None]
        for old in ended[KEPT:]:
            old.delete()

    def _write(self, combat: Combat, phase: Any) -> None:
        known = (combat.number, combat.name, combat.place, combat.system.id, combat.owner, combat.options)
        ending = combat.fight.ending if combat.fight else None
        row = CombatRow(
            *known,
            combat.roster.as_table(),
            combat.head(),
            combat.saved,
            phase,
            ending,
            combat.version,
            game=combat.game,
        )
        answers = [combat.entry(at) for at in range(len(combat.movers))] if combat.fight else []
        self.attributes.add("log", json.dumps({"row": asdict(row), "answers": answers}))

    def at_server_start(self) -> None:
        """After a restart computer fighters go on whose turn it was."""
        hall().go_on()
