"""`deckahedron`: a deck of twenty cards that is luck and stamina at once, lost card by card."""

from __future__ import annotations

from dataclasses import replace

from affray.system.abilities import Exchange, Print, Recovery
from affray.system.contract import System
from affray.system.sheets import rulings_of
from affray.systems.deckahedron import cards, meaning, moves, recovery, rows, rules, scene, sheets, story, tactics
from affray.systems.deckahedron.storyteller import STORYTELLING

system = System(
    id="deckahedron",
    title="Deckahedron",
    summary="a deck that is luck and stamina at once: flip it to act, lose it card by card",
    state=rules.Fight,
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
    hide=rules.hide,
    imagine=rules.imagine,
    scene=scene.scene,
    thrown=scene.thrown,
    icons=scene.CONDITIONS,
    cards=scene.FACES,
    options=sheets.OPTIONS,
    seat=sheets.seat,
    called=lambda sheet: sheet.name.replace(" ", "-"),
    rulings=lambda: rulings_of(__name__, sheets.OPTIONS),
    figure_names=rules.FIGURES,
    demonstration={"heroes": ["maren"], "monsters": ["guard"]},
    abilities=(
        recovery.RESIDENCE,
        Recovery(recovery.after_fight, {"rest": recovery.rest, "heal": recovery.heal}),
        replace(cards.CALLED, public=sheets.public),
        Exchange(rows.NAMES, count=rows.rows),
        Print(__name__),
        STORYTELLING,
    ),
)
