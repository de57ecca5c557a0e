"""`deckahedron`: a deck of twenty cards that is luck and stamina at once, lost card by card."""

from __future__ import annotations

from affray.handout import handout_of
from affray.kernel.system import System
from affray.systems.deckahedron import cards, moves, recovery, rules, scene, sheets, story, tactics

system = System(
    id="deckahedron",
    title="Deckahedron",
    summary="a deck that is luck and stamina at once: flip it to act, lose it card by card",
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
    residence=recovery.RESIDENCE,
    after_fight=recovery.after_fight,
    recoveries={"rest": recovery.rest, "heal": recovery.heal},
    veil={"face_down": "unknown"},
    cards=cards.CALLED,
    announces=story.announces,
    enlist=sheets.enlist,
    as_table=sheets.as_table,
    muster=sheets.seat,
    called=lambda sheet: sheet.name.replace(" ", "-"),
    usual_tactic=lambda sheet: sheet.tactic,
    catalogue=lambda: {
        "characters": {id: sheet for id, sheet in sheets.fighters().items() if sheet.kind == "character"},
        "foes": {id: sheet for id, sheet in sheets.fighters().items() if sheet.kind == "foe"},
    },
    check_file=sheets.check_file,
    rulings=sheets.rulings,
    figure_names=rules.FIGURES,
    demonstration={"heroes": ["maren"], "monsters": ["guard"]},
    handout=lambda: handout_of(__name__),
)
