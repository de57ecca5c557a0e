"""The compiled loops over a system's rules: mass simulation, play-outs from a state, the graph of all states."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import cache
from typing import Any, cast

from affray.kernel import native
from affray.kernel.native import advance, assign, np, on_stack, open_streams, rewind
from affray.kernel.playing import Step, first_of, player_out, unfolder
from affray.kernel.rules import row
from affray.kernel.state import to_act
from affray.lab import solve
from affray.system.abilities import Exchange
from affray.system.contract import System
from affray.system.setup import Setup

Driver = Callable[..., Any]

FULL, TOO_DEEP, TOO_MANY = 1, 2, 3
"""Why something could not be counted: no room left, more chance in a decision than the tape holds, or outcomes."""

A_LITTLE = 0.05
"""Seconds, as outcomes, for the first graph of a roster: large ones have a move with more outcomes than ever end."""


@cache
def simulator(system: System[Any, Any], *, figures: bool) -> Driver:
    """Plays numbered fights, counts endings, rounds and figures, and keeps the record that the last ends with."""
    begin, play_out = system.begin, player_out(system)
    # One of two functions, not one that looks whether there are figures: it would have all rules compiled twice.
    play = (_with_figures if figures else _without_figures)(begin, play_out)

    def simulate(
        start: Any,
        tactics: Any,
        seed: Any,
        first: Any,
        count: Any,
        streams: Any,
        log: Any,
        endings: Any,
        rounds: Any,
        sums: Any,
        squares: Any,
        last: Any,
    ) -> None:
        fight = on_stack(start[0])
        dice = on_stack(streams[0])
        whim = on_stack(streams[0])
        longest = rounds.size - 1
        for number in range(first, first + count):
            assign(fight, start[0])
            open_streams(dice, whim, seed, number)
            play(fight, tactics, dice, whim, log, sums, squares)
            endings[fight.ending] += 1
            rounds[min(fight.round, longest)] += 1
        if count > 0:
            assign(last[0], fight)

    return native.jit(simulate, begin, play_out)


def _with_figures(begin: Driver, play_out: Step) -> Driver:
    @native.inlined
    def play(fight: Any, tactics: Any, dice: Any, whim: Any, log: Any, sums: Any, squares: Any) -> None:
        counted = log[0]
        begin(fight, dice, counted)
        counted.figures[:] = 0  # they are of the fight itself
        play_out(fight, tactics, dice, whim, counted)
        for who in range(len(tactics)):
            for figure in range(sums.shape[1]):
                value = counted.figures[who, figure]
                sums[who, figure] += value
                squares[who, figure] += value * value

    return cast(Driver, play)


def _without_figures(begin: Driver, play_out: Step) -> Driver:
    @native.inlined
    def play(fight: Any, tactics: Any, dice: Any, whim: Any, log: Any, sums: Any, squares: Any) -> None:
        begin(fight, dice, None)
        play_out(fight, tactics, dice, whim, None)

    return cast(Driver, play)


@cache
def sampler(system: System[Any, Any]) -> Driver:
    """Plays a state out many times after each of some moves and counts the endings."""
    apply, imagine = system.apply, system.imagine
    play_out = player_out(system)

    def sample(
        start: Any,
        who: Any,
        moves: Any,
        places: Any,
        tactics: Any,
        seed: Any,
        first: Any,
        count: Any,
        streams: Any,
        endings: Any,
    ) -> None:
        fight = on_stack(start[0])
        dice = on_stack(streams[0])
        whim = on_stack(streams[0])
        for place in places:
            for number in range(first, first + count):
                assign(fight, start[0])
                open_streams(dice, whim, seed, number)
                imagine(fight, who, dice)
                if who >= 0:
                    apply(fight, who, moves[place], dice, None)
                play_out(fight, tactics, dice, whim, None)
                endings[place, fight.ending] += 1

    return native.jit(sample, apply, imagine, play_out)


@cache
def reckoner(system: System[Any, Any]) -> Driver:
    """Plays a state out many times after each of some moves; counts the endings and adds up the mover's figures."""
    apply, imagine = system.apply, system.imagine
    play_out = player_out(system)

    def reckon(
        start: Any,
        who: Any,
        moves: Any,
        places: Any,
        tactics: Any,
        seed: Any,
        first: Any,
        count: Any,
        streams: Any,
        figures: Any,
        endings: Any,
        sums: Any,
        squares: Any,
    ) -> None:
        fight = on_stack(start[0])
        dice = on_stack(streams[0])
        whim = on_stack(streams[0])
        log = figures[0]
        for place in places:
            for number in range(first, first + count):
                assign(fight, start[0])
                open_streams(dice, whim, seed, number)
                imagine(fight, who, dice)
                log.figures[:] = 0
                if who >= 0:
                    apply(fight, who, moves[place], dice, log)
                play_out(fight, tactics, dice, whim, log)
                endings[place, fight.ending] += 1
                for figure in range(sums.shape[1]):
                    value = log.figures[who, figure]
                    sums[place, figure] += value
                    # As floats: the squares of the years of a very long life do not fit into 64 bits.
                    squares[place, figure] += float(value) * float(value)

    return native.jit(reckon, apply, imagine, play_out)


@cache
def enumerator(system: System[Any, Any]) -> Driver:
    """Goes through every outcome of a move and adds up what the system measures of them, by weight.

    It says how many there were, and why it stopped: at the `most` of them, or where the tape ends.
    """
    exchange = system.ability(Exchange)
    assert exchange is not None
    assert exchange.measure is not None
    apply, measure, width = system.apply, exchange.measure, len(exchange.names)

    def enumerate(start: Any, who: Any, move: Any, tapes: Any, most: Any, sums: Any) -> Any:
        fight = on_stack(start[0])
        tape = tapes[0]
        found = row(width)
        rewind(tape)
        for count in range(most):
            assign(fight, start[0])
            apply(fight, who, move, tape, None)
            if tape.failed:
                return count, TOO_DEEP
            weight = 1.0
            for at in range(tape.at):
                weight *= tape.weights[at, tape.taken[at]] / tape.total[at]
            measure(start[0], fight, who, found)
            for name in range(width):
                sums[name] += weight * found[name]
            if not advance(tape):
                return count + 1, 0
        return most, TOO_MANY

    return native.jit(enumerate, apply, measure)


@cache
def grower(system: System[Any, Any]) -> Driver:
    """Grows the graph of all states that the first nodes lead to, the fighters in `best` choosing freely."""
    legal, most_moves = system.legal, system.most_moves
    unfold = unfolder(system)

    def grow(
        nodes: Any, first: Any, words: Any, slots: Any, graph: Any, best: Any, tactics: Any, tapes: Any, left: Any
    ) -> Any:
        tape = tapes[0]
        count, actions, edges, exact = first, 0, 0, 1
        moves = row(most_moves(len(tactics)))
        # The last edge to each node, and before each edge the one to the same node: no search among thousands.
        latest, before = np.full(nodes.size, -1), np.empty(graph.to.size, np.int64)
        for node in range(first):
            seek(words, slots, node)
        at = 0
        while at < count:
            graph.first_action[at] = actions
            graph.ending[at] = nodes[at].ending
            graph.mover[at] = -1
            if graph.ending[at] < 0:
                who = first_of(to_act(nodes[at]) & best)
                graph.mover[at] = who
                options = legal(nodes[at], who, moves) if who >= 0 else 1
                for option in range(options):
                    if actions + 2 >= graph.move.size:
                        return FULL, count, actions, edges, exact, left
                    graph.move[actions] = moves[option] if who >= 0 else -1
                    graph.first_edge[actions] = edges
                    rewind(tape)
                    while True:
                        if count + 1 >= nodes.size or edges + 1 >= graph.to.size:
                            return FULL, count, actions, edges, exact, left
                        left -= 1
                        if left < 0:
                            return TOO_MANY, count, actions, edges, exact, left
                        fight = nodes[count]
                        assign(fight, nodes[at])
                        unfold(fight, who, moves[option], best, tactics, tape)
                        if tape.failed:
                            return TOO_DEEP, count, actions, edges, exact, left
                        numerator, denominator, weight = 1, 1, 1.0
                        for place in range(tape.at):
                            weight *= tape.weights[place, tape.taken[place]] / tape.total[place]
                            if denominator > 2**62 // tape.total[place]:
                                exact = 0
                            else:
                                numerator *= tape.weights[place, tape.taken[place]]
                                denominator *= tape.total[place]
                        node = seek(words, slots, count)
                        if node == count:
                            count += 1
                        edge = latest[node]
                        while edge >= graph.first_edge[actions] and graph.denominator[edge] != denominator:
                            edge = before[edge]
                        if edge < graph.first_edge[actions]:
                            edge = edges
                            latest[node], before[edge] = edge, latest[node]
                            graph.to[edge] = node
                            graph.denominator[edge] = denominator
                            graph.numerator[edge] = 0
                            graph.weight[edge] = 0.0
                            edges += 1
                        graph.numerator[edge] += numerator
                        graph.weight[edge] += weight
                        if not advance(tape):
                            break
                    actions += 1
            at += 1
        graph.first_action[count] = actions
        graph.first_edge[actions] = edges
        return 0, count, actions, edges, exact, left

    return native.jit(grow, to_act, legal, most_moves, unfold, first_of)


@native.inlined
def seek(words: Any, slots: Any, candidate: Any) -> Any:
    """The node with the candidate's content: an older one, or the candidate itself, now remembered."""
    hashed = np.uint64(0x9E3779B97F4A7C15)
    for word in range(words.shape[1]):
        hashed = (hashed ^ words[candidate, word]) * np.uint64(0xBF58476D1CE4E5B9)
        hashed ^= hashed >> np.uint64(29)
    mask = slots.size - 1
    slot = np.int64((hashed >> np.uint64(7)) & np.uint64(mask))
    while slots[slot] >= 0:
        same = True
        for word in range(words.shape[1]):
            if words[slots[slot], word] != words[candidate, word]:
                same = False
                break
        if same:
            return slots[slot]
        slot = (slot + 1) & mask
    slots[slot] = candidate
    return candidate


def leave(graph: Any, weights: Any, wholes: Any) -> Any:
    """`solve.leaving` on native arrays; false where an action has more than one denominator."""
    for node in range(graph.ending.size):
        for action in range(graph.first_action[node], graph.first_action[node + 1]):
            first, last = graph.first_edge[action], graph.first_edge[action + 1]
            common, whole = 0, 0
            for edge in range(first, last):
                if graph.denominator[edge] != graph.denominator[first]:
                    return False
                weights[edge] = 0 if graph.to[edge] == node else graph.numerator[edge]
                whole += weights[edge]
                common = np.gcd(common, weights[edge])
            common = max(1, common)
            for edge in range(first, last):
                weights[edge] //= common
            wholes[action] = whole // common
    return True


@cache
def leaver() -> Driver:
    """The compiled `leave`."""
    return native.jit(leave)


@cache
def improver() -> Driver:
    """The compiled `solve.improve`."""
    return native.jit(solve.improve)


@cache
def evaluator() -> Driver:
    """The compiled `solve.evaluate`."""
    return native.jit(solve.evaluate)


def compile_odds(setup: Setup[Any], state: Any) -> None:
    """Compile what the odds of this set-up's roster need, by asking for a little of each once."""
    from affray.lab.exchange import exchanges
    from affray.lab.odds import TooManyStates, sample_moves, solve_fight
    from affray.players.tactics import numbered, usual_tactics

    tactics = usual_tactics(setup)
    index = first_of(to_act(state))
    who, codes = setup.names[index], setup.codes(state, index)
    exchanges(setup, state, index, codes[:1], compiled=True)
    solved = None
    if not setup.system.costs:  # no graph is grown for those
        seen = setup.view(state, index)
        team = setup.team_of[who]
        solved = solve_fight(setup, [seen], [who], tactics, team, compiled=True, seconds=A_LITTLE, most=2_000)
    if solved is None:
        sample_moves(setup, state, index, codes[:1], numbered(setup.system, tactics), 1)
    else:
        with suppress(TooManyStates):
            solved.reach()
