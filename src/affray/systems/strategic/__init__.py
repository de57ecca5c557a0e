"""`strategic`: coins, highwaters and Life Coins, and at every step the question whether the fight is worth it."""

from __future__ import annotations

from affray.system.abilities import Costs, Print, Recovery
from affray.system.contract import System
from affray.system.sheets import rulings_of
from affray.systems.strategic import meaning, moves, reckoning, recovery, rules, scene, sheets, state, story, tactics
from affray.systems.strategic.storyteller import STORYTELLING

system = System(
    id="strategic",
    title="Strategic Fighting",
    summary="coins and highwaters: a fight about its stakes, and whether they are worth the years it costs",
    state=state.Fight,
    sheets=sheets.SHEETS,
    begin=rules.begin,
    legal=rules.legal,
    apply=rules.apply,
    figures=rules.figures,
    most_moves=rules.most_moves,
    tactics=tactics.TACTICS,
    write_move=moves.write_move,
    impossible=moves.impossible,
    explain=meaning.explain,
    question=story.question,
    status=story.status,
    gauges=story.gauges,
    vital=2,
    scene=scene.scene,
    thrown=scene.thrown,
    icons=scene.CONDITIONS,
    options=sheets.OPTIONS,
    undo="off",
    profiles=sheets.PROFILES,
    derived=sheets.derived,
    seat=sheets.seat,
    rulings=lambda: rulings_of(__name__, sheets.OPTIONS),
    figure_names=state.FIGURES,
    parts=state.PARTS,
    endings=("peace", "standoff"),
    values={"win": 1, "lose": -1, "draw": 0, "peace": 0, "standoff": 0},
    demonstration={"order": ["knight"], "raiders": ["brute"]},
    abilities=(
        Costs(sheets.COSTS, reckoning.at_stake, reckoning.aftermath, lambda setup, who: setup.sheets[who].stake),
        recovery.RESIDENCE,
        Recovery(recovery.after_fight, {"care": recovery.care, "rest": recovery.rest}),
        Print(__name__),
        STORYTELLING,
    ),
)
