"""`mythos`: percentile horror, where an attack is met by dodging, fighting back, or running for one's life."""

from __future__ import annotations

from affray.handout import handout_of
from affray.kernel.system import Exchange, System
from affray.systems.mythos import creation, moves, rules, scene, sheets, story, tactics

system = System(
    id="mythos",
    title="Mythos combat",
    summary="d100 against a skill: dodge or fight back before the dice fall, guns, perks, and flight",
    state=rules.Fight,
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
    question=story.question,
    status=story.status,
    gauges=story.gauges,
    cut=story.cut,
    scene=scene.scene,
    thrown=scene.thrown,
    options=sheets.OPTIONS,
    profiles=sheets.PROFILES,
    residence=sheets.RESIDENCE,
    after_fight=sheets.after_fight,
    creation=creation.CREATION,
    announces=story.announces,
    enlist=sheets.enlist,
    as_table=sheets.as_table,
    derived=sheets.derived,
    muster=sheets.seat,
    usual_tactic=lambda sheet: sheet.tactic,
    catalogue=lambda: {
        "investigators": {id: sheet for id, sheet in sheets.fighters().items() if sheet.kind == "investigator"},
        "enemies": {id: sheet for id, sheet in sheets.fighters().items() if sheet.kind == "enemy"},
    },
    check_file=sheets.check_file,
    rulings=sheets.rulings,
    handout=lambda: handout_of(__name__),
    figure_names=rules.FIGURES,
    exchange=Exchange(rules.MEASURED, rules.measure),
    endings=("escaped",),
    values={"win": 1, "lose": -1, "draw": 0, "escaped": 0},
    demonstration={"investigators": ["detective"], "enemies": ["ghoul"]},
)
