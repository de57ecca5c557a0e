"""`mythos`: percentile horror, in which the target of an attack dodges, fights back, or runs."""

from __future__ import annotations

from affray.system.abilities import Exchange, Print, Recovery
from affray.system.contract import System
from affray.system.sheets import rulings_of
from affray.systems.mythos import creation, meaning, moves, rules, scene, sheets, story, tactics
from affray.systems.mythos.storyteller import STORYTELLING

system = System(
    id="mythos",
    title="Mythos combat",
    summary="d100 against a skill: dodge or fight back before the dice fall, guns, perks, and flight",
    state=rules.Fight,
    sheets=sheets.SHEETS,
    begin=rules.begin,
    legal=rules.legal,
    apply=rules.apply,
    figures=rules.figures,
    most_moves=rules.most_moves,
    tactics=tactics.TACTICS,
    read_move=moves.read_move,
    moves=moves.WORDS,
    write_move=moves.write_move,
    impossible=moves.impossible,
    explain=meaning.explain,
    question=story.question,
    status=story.status,
    gauges=story.gauges,
    scene=scene.scene,
    thrown=scene.thrown,
    icons=scene.CONDITIONS,
    options=sheets.OPTIONS,
    profiles=sheets.PROFILES,
    derived=sheets.derived,
    seat=sheets.seat,
    rulings=lambda: rulings_of(__name__, sheets.OPTIONS),
    figure_names=rules.FIGURES,
    endings=("escaped",),
    values={"win": 1, "lose": -1, "draw": 0, "escaped": 0},
    demonstration={"investigators": ["detective"], "enemies": ["ghoul"]},
    abilities=(
        Exchange(rules.MEASURED, rules.measure),
        sheets.RESIDENCE,
        Recovery(sheets.after_fight),
        creation.CREATION,
        Print(__name__),
        STORYTELLING,
    ),
)
