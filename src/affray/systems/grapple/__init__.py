"""`grapple`: action dice become strike dice become wounds, for any number of teams that move one after another."""

from __future__ import annotations

from affray.handout import handout_of
from affray.kernel.system import Residence, System
from affray.systems.grapple import moves, rules, scene, sheets, story, tactics

system = System(
    id="grapple",
    title="Grapple",
    summary="dice pools of action and strike dice, teams that move in turn, twelve skills to bend the odds",
    state=rules.Combat,
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
    not_due=moves.not_due,
    tell=story.tell,
    status=story.status,
    gauges=story.gauges,
    cut=story.cut,
    scene=scene.scene,
    thrown=scene.thrown,
    options=sheets.OPTIONS,
    profiles=sheets.PROFILES,
    enlist=sheets.enlist,
    as_table=sheets.as_table,
    muster=sheets.seat,
    called=lambda sheet: sheet.name,
    usual_tactic=lambda sheet: sheet.tactic,
    catalogue=lambda: {
        "players": {id: sheet for id, sheet in sheets.fighters().items() if sheet.kind == "player"},
        "npcs": {id: sheet for id, sheet in sheets.fighters().items() if sheet.kind == "npc"},
    },
    check_file=sheets.check_file,
    rulings=sheets.rulings,
    figure_names=rules.FIGURES,
    demonstration={"heroes": ["ahalish"], "monsters": ["goblin", "goblin"]},
    residence=Residence(sheets.ATTRIBUTES, sheets.player_of, sheets.npc_of, sheets.returns),
    handout=lambda: handout_of(__name__),
)
