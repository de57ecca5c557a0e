"""`strategic`: coins, highwaters and Life Coins, and at every step the question whether the fight is worth it."""

from __future__ import annotations

from affray.handout import handout_of
from affray.kernel.system import System
from affray.systems.strategic import moves, reckoning, recovery, rules, sheets, state, story, tactics

system = System(
    id="strategic",
    title="Strategic Fighting",
    summary="coins and highwaters: a fight about its stakes, and whether they are worth the years it costs",
    state=state.Fight,
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
    options=sheets.OPTIONS,
    residence=recovery.RESIDENCE,
    after_fight=recovery.after_fight,
    recoveries={"care": recovery.care, "rest": recovery.rest},
    announces=story.announces,
    enlist=sheets.enlist,
    as_table=sheets.as_table,
    derived=sheets.derived,
    muster=sheets.seat,
    usual_tactic=lambda sheet: sheet.tactic,
    catalogue=lambda: {"fighters": sheets.fighters()},
    check_file=sheets.check_file,
    rulings=sheets.rulings,
    handout=lambda: handout_of(__name__),
    figure_names=state.FIGURES,
    parts=state.PARTS,
    costs=sheets.COSTS,
    at_stake=reckoning.at_stake,
    aftermath=reckoning.aftermath,
    endings=("peace", "standoff"),
    values={"win": 1, "lose": -1, "draw": 0, "peace": 0, "standoff": 0},
    demonstration={"order": ["knight"], "raiders": ["brute"]},
)
