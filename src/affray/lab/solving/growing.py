"""Growing: the whole graph of a fight in which all fighters choose freely, within a bound on memory."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from affray.errors import MissingExtra
from affray.lab import mark_ready, native_ready
from affray.lab.graph import Graph, interpreted_graph, native_graph, slots_key
from affray.lab.odds import MOST_INTERPRETED, QUICK_SECONDS
from affray.lab.solving.contest import Unsolvable
from affray.system.setup import Setup

MEMORY = 2048  # megabytes, unless the caller says otherwise
SMALLEST = 1024  # the states that native code makes room for first; each further try has four times as much room
RECORDS, WORDS = 4, 3_600  # what a state takes at most: its record so many times, and so many bytes for its edges
SLOWLY = 12  # how often the record is kept, as objects, where rules are interpreted


class Bound(NamedTuple):
    """How large a graph may become."""

    states: int
    megabytes: int


def bound(setup: Setup[Any], memory: int = MEMORY) -> Bound:
    """The most states that fit into so many megabytes, and what they take at the very most."""
    size = _bytes_a_state(setup)
    room = SMALLEST
    if room * size > memory * 10**6:
        least = -(-room * size // 10**6)
        raise Unsolvable(f"the memory must be {least} MB or more for this fight, not {memory}", given=memory)
    while 4 * room * size <= memory * 10**6:
        room *= 4
    return Bound(room, -(-room * size // 10**6))


def _bytes_a_state(setup: Setup[Any]) -> int:
    return RECORDS * len(slots_key(setup.seated())) + WORDS


def grown(setup: Setup[Any], starts: Sequence[Any], limit: Bound, compiled: bool | None, seconds: float) -> Graph:
    """The graph from some states on; Unsolvable if it is too large.

    `compiled=None` lets interpreted rules try first if native code is not ready yet: most duels are small.
    """
    fighters = len(setup.names)
    best, tactics = (1 << fighters) - 1, [0] * fighters
    graph: Graph | None = None
    if compiled is None and not native_ready(setup):
        graph = interpreted_graph(setup.system, starts, best, tactics, MOST_INTERPRETED, QUICK_SECONDS)
    if graph is None and compiled is not False:
        try:
            graph = native_graph(setup.system, starts, best, tactics, limit.states // 4, seconds)
            mark_ready(setup)
        except MissingExtra:
            compiled = False
    if graph is None and compiled is False:
        most = limit.states * WORDS // (SLOWLY * len(slots_key(setup.seated())) + WORDS)
        graph = interpreted_graph(setup.system, starts, best, tactics, most, seconds)
    if graph is None:
        problem = f"it has more than {limit.states:,} states, more chance than can be counted, or takes too long"
        raise Unsolvable(f"this fight is too large to solve: {problem}", given=str(setup.teams))
    return graph
