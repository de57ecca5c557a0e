"""`bgo`: the Board Game Online variant, fought on three dice by two who choose at the same moment."""

from __future__ import annotations

from affray.system.abilities import LogFormat, Print, Recovery, Spoils, Things
from affray.system.adventures import Adventure
from affray.system.contract import System
from affray.systems.bgo import meaning, moves, recovery, rules, scene, sheets, story, tactics, things
from affray.systems.bgo.abilities import ICONS
from affray.systems.bgo.creation import CREATION
from affray.systems.bgo.storyteller import STORYTELLING

JOURNEY = "affray-journey"
"""The format of a journey's log."""

system = System(
    id="bgo",
    title="Board Game Online variant",
    summary="three dice a blow, both sides choosing at once, six kinds of damage, and loot for the winner",
    state=rules.Encounter,
    sheets=sheets.SHEETS,
    begin=rules.begin,
    legal=rules.legal,
    apply=rules.apply,
    figures=rules.figures,
    most_moves=rules.most_moves,
    tactics=tactics.TACTICS,
    read_move=moves.read_move,
    write_move=moves.write_move,
    impossible=moves.impossible,
    explain=meaning.explain,
    told_as=story.told_as,
    status=story.status,
    gauges=story.gauges,
    hide=rules.hide,
    scene=scene.scene,
    thrown=scene.thrown,
    icons=(*ICONS, *scene.CONDITIONS),
    options=sheets.ENCOUNTER_OPTIONS,
    options_beyond={"journey": sheets.JOURNEY_OPTIONS},
    seat=sheets.seat,
    tactic_of=lambda sheet: "policy" if sheet.kind == "creature" else "always-attack",
    rulings=sheets.rulings,
    figure_names=rules.FIGURES,
    endings=("fled",),
    endless="fled",
    values={"win": 1, "lose": -1, "draw": 0, "fled": 0},
    demonstration={"heroes": ["player"], "monsters": ["fire-slime"]},
    abilities=(
        Print(__name__),
        Recovery(recovery.after_fight, {"round": recovery.board_round}),
        Spoils(f"{__name__}.journey.spoils"),
        Things(things.known, things.listed),
        CREATION,
        STORYTELLING,
        LogFormat(JOURNEY, "journey", f"{__name__}.journey.log"),
        Adventure(
            word="journey",
            summary="Race over a board, with encounters and loot.",
            side="travellers",
            sheet="player",
            tactic="cautious",
            module=f"{__name__}.journey.hosting",
        ),
    ),
)
