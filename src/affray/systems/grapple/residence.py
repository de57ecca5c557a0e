"""How fighters live in a world: their attributes, and what its pages of help say about grapple."""

from __future__ import annotations

from affray.system.abilities import Residence
from affray.systems.grapple import sheets

HELP = {
    "add_npc": """\
Or skill4:skill3:skill2:AP size:defense:max wounds:AD:SD, with nothing for an
empty slot, such as ::en:6:1:2:3:2.""",
    "status": "An arrow points to each fighter who still has to move.",
    "move": """\
maneuver AD SKILL          m    1 to 3 AD become SD
strike SD TARGET           a    1 to 6 SD become wounds
skill SD SKILL [TARGET]    s    0 to 6 SD become a change of stats
catch breath               c    3 AD more
So  combat move maneuver 3 co  is  c m m 3 co  for short.""",
    "end": """\
Players keep their AD, half of their SD (rounded up) become AD, and everything
else is forgotten.""",
}

RESIDENCE = Residence(
    sheets.ATTRIBUTES,
    sheets.player_of,
    sheets.npc_of,
    sheets.returns,
    order_option="listed_teams",
    exact_names=lambda options: options["names"] == "exact",
    wizards_reach=lambda options: bool(options["wizards_reach"]),
    idle_removal=lambda options: bool(options["idle_removal"]),
    undo="free",  # as the owner of the document's combats restores what was saved
    tells_start=True,
    is_default=True,  # as the commands of the document name no system
    help=HELP,
)
