"""`d20`: one twenty-sided die against an armour class, with advantage, criticals and initiative, for any teams."""

from affray.system import System, rulings_of
from affray_d20 import moves, rules, sheets, tactics

system = System(
    id="d20",
    title="Twenty-sided skirmish",
    summary="a d20 against an armour class: advantage, criticals, initiative, any number of teams",
    state=rules.Skirmish,
    sheets=sheets.SHEETS,
    begin=rules.begin,
    legal=rules.legal,
    apply=rules.apply,
    figures=rules.figures,
    figure_names=rules.FIGURES,
    most_moves=rules.most_moves,
    tactics=tactics.TACTICS,
    write_move=moves.write_move,
    impossible=moves.impossible,
    options=sheets.OPTIONS,
    rulings=lambda: rulings_of(__name__, sheets.OPTIONS),
    demonstration={"heroes": ["knight"], "monsters": ["orc"]},
)
