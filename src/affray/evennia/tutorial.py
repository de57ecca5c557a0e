"""A room to try fights in: a character who types `spar` there gets an opponent at once."""

from __future__ import annotations

from typing import Any, cast

from evennia.commands.cmdset import CmdSet
from evennia.commands.default.muxcommand import MuxCommand
from evennia.objects.objects import DefaultRoom

from affray.errors import Invalid, unknown
from affray.evennia.hall import Player, hall, obey
from affray.system.registry import find, names
from affray.world.actions import creation, fights
from affray.world.actions.acting import At
from affray.world.actions.creation import ME, Seat

DESCRIPTION = """\
Sand on the floor, racks along the walls, and a bench for those who watch. A board says:

  spar SYSTEM        fight an opponent here, by the rules of {systems}
  combat status      see how it stands
  combat move MOVE   make a move; a move that cannot be made tells which can
  combat odds        what each move is likely to bring
  combat why         the rules behind what has just happened
  combat watch       look on while others fight
  combat end         leave the ring

help combat  explains all of it."""


class TutorialRoom(DefaultRoom):
    """A ring in which a player learns to fight."""

    def at_object_creation(self) -> None:
        """Describe the room, and let `spar` be typed here."""
        self.db.desc = DESCRIPTION.format(systems=", ".join(names()))
        self.cmdset.add_default(SparringCmdSet, persistent=True)


class CmdSpar(MuxCommand):
    """Fight an opponent of the house, with a fighter of the house.

    Usage:
      spar SYSTEM

    You get a ready-made fighter, so nothing of the fight lasts.
    """

    key = "spar"
    help_category = "Combat"
    locks = "cmd:all()"

    def func(self) -> None:
        """Set up a fight and start it."""
        player = hall().people.player(self.caller)
        obey(player, spar(player, self.args.strip().casefold()))


async def spar(player: Player, system: str) -> None:
    """A fight of a player against the other side of a system's demonstration."""
    if system not in names():
        raise Invalid(unknown("combat system", system, names()), given=system, allowed=names())
    chosen = find(system)
    seats = []
    for number, (team, specs) in enumerate(chosen.demonstration.items()):
        for place, spec in enumerate(specs):
            usual = chosen.usual_tactic(chosen.enlist(spec, files=False))
            seats.append(Seat(team, spec, ME if (number, place) == (0, 0) else usual))
    here: Any = player.here().key
    await creation.create(cast(Any, player), "sparring", system, {}, seats, here, startable=True)
    await fights.start(cast(Any, player), At(here), [])


class SparringCmdSet(CmdSet):
    """What can be typed in the room besides."""

    key = "AffraySparring"

    def at_cmdset_creation(self) -> None:
        """Add the command."""
        self.add(CmdSpar())
