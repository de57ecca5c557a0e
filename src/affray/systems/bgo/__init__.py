"""`bgo`: the Board Game Online variant, fought on three dice by two who choose at the same moment."""

from __future__ import annotations

from affray.handout import handout_of
from affray.kernel.system import System
from affray.systems.bgo import moves, rules, scene, sheets, story, tactics

system = System(
    id="bgo",
    title="Board Game Online variant",
    summary="three dice a blow, both sides choosing at once, six kinds of damage, and loot for the winner",
    state=rules.Encounter,
    begin=rules.begin,
    to_act=rules.to_act,
    legal=rules.legal,
    apply=rules.apply,
    outcome=rules.outcome,
    timeless=rules.timeless,
    figures=rules.figures,
    most_moves=rules.most_moves,
    clock=rules.clock,
    tactics=tactics.TACTICS,
    read_move=moves.read_move,
    write_move=moves.write_move,
    impossible=moves.impossible,
    tell=story.tell,
    status=story.status,
    gauges=story.gauges,
    cut=story.cut,
    scene=scene.scene,
    thrown=scene.thrown,
    options=sheets.OPTIONS,
    enlist=sheets.enlist,
    as_table=sheets.as_table,
    muster=sheets.seat,
    usual_tactic=lambda sheet: "policy" if sheet.kind == "creature" else "always-attack",
    catalogue=lambda: {
        "players": {id: sheets.enlist(id) for id in sheets.players()},
        "creatures": {id: sheets.enlist(id) for id in sheets.creatures()},
    },
    check_file=sheets.check_file,
    rulings=sheets.rulings,
    figure_names=rules.FIGURES,
    endings=("fled",),
    endless="fled",
    values={"win": 1, "lose": -1, "draw": 0, "fled": 0},
    demonstration={"heroes": ["player"], "monsters": ["fire-slime"]},
    handout=lambda: handout_of(__name__),
)
