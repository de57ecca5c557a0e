"""`grapple`: action dice become strike dice become wounds, for any number of teams that move one after another."""

from __future__ import annotations

from affray.system.abilities import Print, Recovery
from affray.system.contract import System
from affray.system.sheets import rulings_of
from affray.systems.grapple import meaning, moves, rules, scene, sheets, story, tactics
from affray.systems.grapple.residence import RESIDENCE
from affray.systems.grapple.storyteller import STORYTELLING

system = System(
    id="grapple",
    title="Grapple",
    summary="dice pools of action and strike dice, teams that move in turn, twelve skills to bend the odds",
    state=rules.Combat,
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
    not_due=moves.not_due,
    status=story.status,
    gauges=story.gauges,
    scene=scene.scene,
    thrown=scene.thrown,
    icons=scene.CONDITIONS,
    options=sheets.OPTIONS,
    profiles=sheets.PROFILES,
    seat=sheets.seat,
    called=lambda sheet: sheet.name,
    told_as=lambda setup, who: setup.names[who],
    rulings=lambda: rulings_of(__name__, sheets.OPTIONS),
    figure_names=rules.FIGURES,
    demonstration={"heroes": ["ahalish"], "monsters": ["goblin", "goblin"]},
    abilities=(RESIDENCE, Recovery(sheets.after_fight, settles=True), Print(__name__), STORYTELLING),
)
