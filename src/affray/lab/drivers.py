"""The compiled loops over a system's rules: mass simulation, play-outs from a state, the graph of all states."""

from __future__ import annotations

from typing import Any, NamedTuple

from affray.kernel import native
from affray.kernel.drivers import (
    FULL,
    TOO_DEEP,
    TOO_MANY,
    Driver,
    FoundNumbers,
    FoundReals,
    FoundStates,
    FoundTable,
    GivenNumbers,
    GivenReals,
    GivenStates,
    Number,
    Numbers,
    NumberTable,
    Real,
    Reals,
    RealTable,
    Scratch,
    States,
    Tapes,
)
from affray.kernel.native import advance, assign, hashed, np, on_stack, open_streams, rewind, words
from affray.kernel.playing import first_of, player_out, unfolder
from affray.kernel.rules import row
from affray.kernel.state import to_act
from affray.lab import settling, stepping
from affray.lab.search_driver import search_driver
from affray.system.abilities import Exchange
from affray.system.contract import System


def drivers(system: System[Any, Any], slots: int) -> dict[str, Driver]:
    """Every loop over the rules of a system for rosters of a size class, by name."""
    exchange = system.ability(Exchange)
    made = [_simulate(system), _simulate_figures(system, slots), search_driver(system, slots)]
    made += (
        [_reckon(system, slots)]
        if system.costs
        else [_sample(system), _grow(system), _leave(), _improve(), _evaluate()]
    )
    made.append(stepping.step(system))
    if exchange is not None and exchange.measure is not None:
        made.append(_enumerate(system, exchange))
    return {driver.name: driver for driver in made}


def _simulate(system: System[Any, Any]) -> Driver:
    """Plays numbered fights, counts endings and rounds, and keeps the final record of the last fight."""
    begin, play_out = system.begin, player_out(system)

    def simulate(
        start: GivenStates,
        tactics: GivenNumbers,
        seed: Number,
        first: Number,
        count: Number,
        endings: Numbers,
        rounds: Numbers,
        last: States,
    ) -> None:
        fight = on_stack(start[0])
        dice, whim = new_stream(), new_stream()
        longest = rounds.size - 1
        for number in range(first, first + count):
            assign(fight, start[0])
            open_streams(dice, whim, seed, number)
            begin(fight, dice, None)
            play_out(fight, tactics, dice, whim, None)
            endings[fight.ending] += 1
            rounds[min(fight.round, longest)] += 1
        if count > 0:
            assign(last[0], fight)

    return Driver(simulate, (begin, play_out))


def _simulate_figures(system: System[Any, Any], slots: int) -> Driver:
    """The same, which also adds up the figures of every fighter.

    If `each` has a row for every fight, the row tells of that fight: its ending, its rounds, and the figures of one
    fighter after another.

    Two drivers, not one that checks for figures: that one would compile all rules twice.
    """
    begin, play_out = system.begin, player_out(system)
    new_figures = native.new_record(native.figures_dtype(slots, len(system.figure_names)))

    def simulate_figures(
        start: GivenStates,
        tactics: GivenNumbers,
        seed: Number,
        first: Number,
        count: Number,
        endings: Numbers,
        rounds: Numbers,
        last: States,
        sums: NumberTable,
        squares: RealTable,
        each: FoundTable,
    ) -> None:
        fight = on_stack(start[0])
        dice, whim = new_stream(), new_stream()
        log = new_figures()
        longest = rounds.size - 1
        keeps = each.shape[0] >= count
        for number in range(first, first + count):
            assign(fight, start[0])
            open_streams(dice, whim, seed, number)
            begin(fight, dice, log)
            log.figures[:] = 0  # figures belong to one fight
            play_out(fight, tactics, dice, whim, log)
            endings[fight.ending] += 1
            rounds[min(fight.round, longest)] += 1
            for who in range(len(fight.fighters)):
                for figure in range(sums.shape[1]):
                    value = log.figures[who, figure]
                    sums[who, figure] += value
                    squares[who, figure] += value * value
            if keeps:
                each[number - first, 0] = fight.ending
                each[number - first, 1] = fight.round
                for who in range(len(fight.fighters)):
                    for figure in range(sums.shape[1]):
                        each[number - first, 2 + who * sums.shape[1] + figure] = log.figures[who, figure]
        if count > 0:
            assign(last[0], fight)

    return Driver(simulate_figures, (begin, play_out))


def _sample(system: System[Any, Any]) -> Driver:
    """Plays a state out many times after a move and counts the endings."""
    apply, imagine, play_out = system.apply, system.imagine, player_out(system)

    def sample(
        start: GivenStates,
        who: Number,
        move: Number,
        tactics: GivenNumbers,
        seed: Number,
        first: Number,
        count: Number,
        endings: Numbers,
    ) -> None:
        fight = on_stack(start[0])
        dice, whim = new_stream(), new_stream()
        for number in range(first, first + count):
            assign(fight, start[0])
            open_streams(dice, whim, seed, number)
            imagine(fight, who, dice)
            if who >= 0:
                apply(fight, who, move, dice, None)
            play_out(fight, tactics, dice, whim, None)
            endings[fight.ending] += 1

    return Driver(sample, (apply, imagine, play_out))


def _reckon(system: System[Any, Any], slots: int) -> Driver:
    """Plays a state out many times after a move; counts the endings and adds up the mover's figures."""
    apply, imagine, play_out = system.apply, system.imagine, player_out(system)
    new_figures = native.new_record(native.figures_dtype(slots, len(system.figure_names)))

    def reckon(
        start: GivenStates,
        who: Number,
        move: Number,
        tactics: GivenNumbers,
        seed: Number,
        first: Number,
        count: Number,
        endings: Numbers,
        sums: Numbers,
        squares: Reals,
    ) -> None:
        fight = on_stack(start[0])
        dice, whim = new_stream(), new_stream()
        log = new_figures()
        for number in range(first, first + count):
            assign(fight, start[0])
            open_streams(dice, whim, seed, number)
            imagine(fight, who, dice)
            log.figures[:] = 0
            if who >= 0:
                apply(fight, who, move, dice, log)
            play_out(fight, tactics, dice, whim, log)
            endings[fight.ending] += 1
            for figure in range(sums.size if who >= 0 else 0):
                value = log.figures[who, figure]
                sums[figure] += value
                # As floats: squared years of a very long life overflow 64 bits.
                squares[figure] += float(value) * float(value)

    return Driver(reckon, (apply, imagine, play_out))


def _enumerate(system: System[Any, Any], exchange: Exchange[Any]) -> Driver:
    """Goes through every outcome of a move and adds up what the system measures, by weight.

    It returns how many outcomes there were and why it stopped: at `most` of them, or where the tape ends.
    """
    apply, measure, width = system.apply, exchange.measure, len(exchange.names)
    assert measure is not None

    def enumerate(
        start: GivenStates, who: Number, move: Number, tapes: Tapes, most: Number, sums: Reals
    ) -> tuple[int, int]:
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

    return Driver(enumerate, (apply, measure))


def _grow(system: System[Any, Any]) -> Driver:
    """Grows the graph of all states reachable from the first nodes; the fighters in `best` choose freely."""
    legal, most_moves, unfold = system.legal, system.most_moves, unfolder(system)

    def grow(
        starts: GivenStates,
        nodes: FoundStates,
        slots: Scratch,
        latest: Scratch,
        before: Scratch,
        ending: FoundNumbers,
        mover: FoundNumbers,
        first_action: FoundNumbers,
        move: FoundNumbers,
        first_edge: FoundNumbers,
        to: FoundNumbers,
        numerators: FoundNumbers,
        denominators: FoundNumbers,
        weights: FoundReals,
        best: Number,
        tactics: GivenNumbers,
        tapes: Tapes,
        left: Number,
    ) -> tuple[int, int, int, int, int, int]:
        tape = tapes[0]
        count, actions, edges, exact = starts.size, 0, 0, 1
        moves = row(most_moves(len(tactics)))
        # The last edge to each node, and for each edge the previous one to the same node: no search among thousands.
        latest[:] = -1
        slots[:] = -1
        for node in range(starts.size):
            assign(nodes[node], starts[node])
            seek(nodes, slots, node)
        at = 0
        while at < count:
            first_action[at] = actions
            ending[at] = nodes[at].ending
            mover[at] = -1
            if ending[at] < 0:
                who = first_of(to_act(nodes[at]) & best)
                mover[at] = who
                options = legal(nodes[at], who, moves) if who >= 0 else 1
                for option in range(options):
                    if actions + 2 >= move.size:
                        return FULL, count, actions, edges, exact, left
                    move[actions] = moves[option] if who >= 0 else -1
                    first_edge[actions] = edges
                    rewind(tape)
                    while True:
                        if count + 1 >= nodes.size or edges + 1 >= to.size:
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
                        node = seek(nodes, slots, count)
                        if node == count:
                            count += 1
                        edge = latest[node]
                        while edge >= first_edge[actions] and denominators[edge] != denominator:
                            edge = before[edge]
                        if edge < first_edge[actions]:
                            edge = edges
                            latest[node], before[edge] = edge, latest[node]
                            to[edge] = node
                            denominators[edge] = denominator
                            numerators[edge] = 0
                            weights[edge] = 0.0
                            edges += 1
                        numerators[edge] += numerator
                        weights[edge] += weight
                        if not advance(tape):
                            break
                    actions += 1
            at += 1
        first_action[count] = actions
        first_edge[actions] = edges
        return 0, count, actions, edges, exact, left

    return Driver(grow, (to_act, legal, most_moves, unfold, first_of))


new_stream = native.new_record(native.STREAM)


@native.inlined
def seek(nodes: Any, slots: Any, candidate: Any) -> Any:
    """The node with the candidate's content: an existing one, or the candidate itself, now stored."""
    own = words(nodes, candidate)
    mask = slots.size - 1
    slot = np.int64((hashed(own) >> np.uint64(7)) & np.uint64(mask))
    while slots[slot] >= 0:
        other = words(nodes, slots[slot])
        same = True
        for word in range(own.size):
            if other[word] != own[word]:
                same = False
                break
        if same:
            return slots[slot]
        slot = (slot + 1) & mask
    slots[slot] = candidate
    return candidate


def _leave() -> Driver:
    """The weights that `solve.leaving` works out; 0 where an action has more than one denominator."""

    def leave(
        ending: GivenNumbers,
        first_action: GivenNumbers,
        first_edge: GivenNumbers,
        to: GivenNumbers,
        numerators: GivenNumbers,
        denominators: GivenNumbers,
        weights: FoundNumbers,
        wholes: FoundNumbers,
    ) -> int:
        for node in range(ending.size):
            for action in range(first_action[node], first_action[node + 1]):
                first, last = first_edge[action], first_edge[action + 1]
                common, whole = 0, 0
                for edge in range(first, last):
                    if denominators[edge] != denominators[first]:
                        return 0
                    weights[edge] = 0 if to[edge] == node else numerators[edge]
                    whole += weights[edge]
                    common = np.gcd(common, weights[edge])
                common = max(1, common)
                for edge in range(first, last):
                    weights[edge] //= common
                wholes[action] = whole // common
        return 1

    return Driver(leave)


class Steps(NamedTuple):
    """What of a graph's flat lists says where its chances go."""

    ending: Any
    first_action: Any
    first_edge: Any
    to: Any
    weight: Any


native.inlined(settling.improve)
native.inlined(settling.evaluate)


def _improve() -> Driver:
    """The compiled `settling.improve`."""

    def improve(
        ending: GivenNumbers,
        first_action: GivenNumbers,
        first_edge: GivenNumbers,
        to: GivenNumbers,
        weight: GivenReals,
        values: GivenReals,
        value: Reals,
        chosen: Numbers,
        sweeps: Number,
        precision: Real,
    ) -> int:
        graph = Steps(ending, first_action, first_edge, to, weight)
        return int(settling.improve(graph, values, value, chosen, sweeps, precision))

    return Driver(improve)


def _evaluate() -> Driver:
    """The compiled `settling.evaluate`."""

    def evaluate(
        ending: GivenNumbers,
        first_action: GivenNumbers,
        first_edge: GivenNumbers,
        to: GivenNumbers,
        weight: GivenReals,
        chosen: GivenNumbers,
        ends: RealTable,
        sweeps: Number,
        precision: Real,
    ) -> int:
        graph = Steps(ending, first_action, first_edge, to, weight)
        return int(settling.evaluate(graph, chosen, ends, sweeps, precision))

    return Driver(evaluate)
