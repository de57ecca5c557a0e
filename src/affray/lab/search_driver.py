"""The compiled loop of tree search: iteration after iteration from what a fighter may know."""

from __future__ import annotations

from typing import Any

from affray.kernel import native
from affray.kernel.drivers import (
    Driver,
    GivenNumbers,
    GivenReals,
    GivenStates,
    Number,
    Numbers,
    NumberTable,
    Reals,
    RealTable,
)
from affray.kernel.native import assign, on_stack, open_streams
from affray.kernel.search import Tree, forget_figures, iterator
from affray.system.contract import System

new_stream = native.new_record(native.STREAM)


def search_driver(system: System[Any, Any], slots: int) -> Driver:
    """Adds iterations `first` to `first + count - 1` to a tree; each imagines anew what the thinker may not know.

    Figures are counted only if the system has costs.
    """
    imagine, iterate = system.imagine, iterator(system)
    figures = native.figures_dtype(slots, len(system.figure_names))
    new_log = native.new_record(figures) if system.costs else native.no_log

    def search(
        start: GivenStates,
        thinker: Number,
        tactics: GivenNumbers,
        settings: GivenReals,
        values: RealTable,
        weights: RealTable,
        seed: Number,
        first: Number,
        count: Number,
        places: Numbers,
        keys: Numbers,
        nodes: NumberTable,
        seats: NumberTable,
        codes: Numbers,
        tried: Numbers,
        arms: RealTable,
        counts: Numbers,
        range_: RealTable,
        worth: Reals,
        planned: NumberTable,
        gained: RealTable,
        line: NumberTable,
        way: NumberTable,
        chosen: Numbers,
        plans: Numbers,
        plan: Numbers,
    ) -> None:
        memory = (places, keys, nodes, seats, codes, tried, arms, counts, range_, worth, planned, gained)
        tree = Tree(*memory, line, way, chosen, plans, plan)
        fight = on_stack(start[0])
        dice, whim, log = new_stream(), new_stream(), new_log()
        for number in range(first, first + count):
            assign(fight, start[0])
            open_streams(dice, whim, seed, number)
            imagine(fight, thinker, dice)
            forget_figures(log)
            iterate(fight, thinker, tree, tactics, settings, values, weights, dice, whim, log)

    return Driver(search, (imagine, iterate))
