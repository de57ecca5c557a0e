"""Tree search: the rules by which a fighter thinks ahead, written once for interpreted and compiled play.

The tree is a set of positions, each known by a hash of the state without its clock. An iteration plays one fight from
the present state: while it meets known positions the fighters choose by what was found there, and from the first new
position on by tactics. What the fight was worth to each fighter is then added to every choice on the way.

- A fighter who decides alone tries the move with the highest upper confidence bound (max-n: each for its own value).
- Fighters who decide together, none knowing what the others choose, choose by regret matching, so that their average
  choices converge to a mixture. In each iteration one team tries moves and learns, and the others keep to their
  mixtures, so that no team learns to answer what a foe only tries out. A choice is judged by what the next decision is
  worth on average, if that is known well.
- Where several may move in any order, each seeing what the others did, the first of them decides alone.
- Moves that the system's tactics would make are tried first, the others as visits grow (progressive widening). Below
  the first decision a fighter follows its team's tactic until a position has been met more often, so that a few visits
  are worth as much as play-outs.
- Which tactic a team follows in a play-out is chosen by a bandit, so a poor tactic is soon used no more.
- In some iterations the other teams follow a tactic from the start on: where nothing is to be gained from a perfect
  opponent, the search still prefers what gains from an ordinary one. It is the one that promises most, or any of them,
  because an opponent who does well by running away leaves nothing to gain, and few opponents are that wise. Where
  several decide together it does so ever less, and what remains decides between moves that are equally good.
- How much a bound allows for chance is measured by how much fights differ in value, not by the largest difference.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from math import sqrt
from typing import TYPE_CHECKING, Any, NamedTuple

from affray.kernel import records
from affray.kernel.chance import Dice, pick
from affray.kernel.playing import chooser, first_of, player_out
from affray.kernel.rules import Log, apart, row, rule
from affray.kernel.state import forget_clock, to_act

if TYPE_CHECKING:
    from affray.system.contract import System

MOST_DUE = 64  # fighters who may decide at once

# Columns of the tables of a tree.
VISITS, FIRST, COUNT, MANNER = 0, 1, 2, 3  # of a node: how often met, its first seat, how many seats, and how
UNTRIED, IN_TURN, IN_SECRET = 0, 1, 2  # several who are asked there decide: not known yet, one by one, or all at once
WHO, ARMS, MOVES, OPENED, MET = 0, 1, 2, 3, 4  # of a seat: fighter, first arm, arms, those that tactics chose, visits
SUM, REGRET, AVERAGE, SQUARES = 0, 1, 2, 3  # of an arm: values, regret, summed strategy, squared values
NODES_USED, SEATS_USED, ARMS_USED, PLAYED, DEEPEST = 0, 1, 2, 3, 4  # counts of a tree
AT_FIRST = 5  # beside them: the MANNER of the first decision
EXPLORATION, WIDENING, MIXING, GREEDY, PLANNING, TRUST, VARIETY = 0, 1, 2, 3, 4, 5, 6  # settings
LOW, HIGH, TOTAL, SQUARED = 0, 1, 2, 3  # of a fighter's values so far
TRUSTING = 5000.0  # fights after which those who decide together trust in tactics less: the sooner they find a mixture
EARLY = 8  # fights as whose differences the whole range counts, until there are more
SEAT, ARM, TOGETHER = 0, 1, 2  # of a step: where, which arm was chosen, and whether others decided at the same time:
ALONE, LEARNING, FOLLOWING = 0, 1, 2
LAID_OUT = 4  # visits of a position from which on choices are made there: until then tactics choose as well
WELL_KNOWN = 8  # visits of a decision from which on what it is worth on average counts instead of how a fight ended
ROOT_SEAT = 0


class Tree(NamedTuple):
    """The memory of a search: tables of whole numbers and of reals."""

    places: Any
    """A hash table: the number of a node plus one, or 0."""
    keys: Any
    nodes: Any
    seats: Any
    codes: Any
    tried: Any
    """How often each arm was chosen."""
    arms: Any
    counts: Any
    range: Any
    """For each fighter, the lowest and the highest value so far, the sum of all values and that of their squares."""
    worth: Any
    """What the last fight was worth to each fighter."""
    planned: Any
    """How often each team followed each plan; plan 0 is every fighter's usual tactic."""
    gained: Any
    """What it gained by it in all."""
    line: Any
    """Who moved and what, on the way of the last iteration."""
    way: Any
    """The choices on that way."""
    chosen: Any
    """Each fighter's move at a decision."""
    plans: Any
    """The plan of each team in this iteration."""
    tactics: Any
    """The tactic of each fighter by its team's plan."""


def position(fight: Any) -> int:
    """A number for the state without its clock; equal positions have equal numbers."""
    timeless = records.copy(fight)
    forget_clock(timeless)
    return hash(records.pack(timeless)) >> 1


def scored(log: Log | None, who: int, figure: int) -> int:
    """A fighter's figure in a log; 0 without one."""
    return log.figures[who][figure] if log is not None else 0


def forget_figures(log: Log | None) -> None:
    """Let all figures of a log be 0, where there is one."""
    for figures in log.figures if log is not None else ():
        figures[:] = [0] * len(figures)


@rule
def fraction(whim: Dice) -> float:
    """A random number from 0 to 1."""
    return (pick(whim, 256) * 65536 + pick(whim, 256) * 256 + pick(whim, 256)) / 16777216.0


@rule
def logarithm(number: int) -> float:
    """The natural logarithm, interpolated between powers of two: a module has no library of functions."""
    power, left = 0, number
    while left > 1:
        left >>= 1
        power += 1
    return 0.6931 * (power + number / float(1 << power) - 1.0)


@apart
def known_node(tree: Tree, key: int) -> Any:
    """The node of a position, added if there is room; -1 if there is none."""
    mask = len(tree.places) - 1
    place = (key ^ (key >> 17)) & mask
    while tree.places[place] > 0:
        node = tree.places[place] - 1
        if tree.keys[node] == key:
            return node
        place = (place + 1) & mask
    node = tree.counts[NODES_USED]
    if node >= len(tree.keys):
        return -1
    tree.counts[NODES_USED] = node + 1
    tree.places[place] = node + 1
    tree.keys[node] = key
    return node


@rule
def open_arms(tree: Tree, seat: int, widening: float) -> Any:
    """How many arms of a seat may be chosen by now."""
    more = int(widening * sqrt(float(tree.seats[seat, MET])))
    return min(tree.seats[seat, MOVES], max(1, tree.seats[seat, OPENED]) + more)


@rule
def usual_width(tree: Tree, who: int) -> float:
    """Twice the standard deviation of a fighter's values: the range of values where fights are won or lost evenly."""
    played, half = float(tree.counts[PLAYED]), 0.5 * (tree.range[who, HIGH] - tree.range[who, LOW])
    mean = tree.range[who, TOTAL] / max(1.0, played)
    spread = max(0.0, tree.range[who, SQUARED] - played * mean * mean)
    return max(1e-9, 2.0 * sqrt((spread + EARLY * half * half) / (played + EARLY)))


@apart
def best_bound(tree: Tree, seat: int, exploration: float, widening: float) -> Any:
    """The open arm with the highest upper confidence bound; the first one that was never tried."""
    first, who = tree.seats[seat, ARMS], tree.seats[seat, WHO]
    width = usual_width(tree, who)
    logged = logarithm(1 + tree.seats[seat, MET])
    best, highest = first, -1e300
    for arm in range(first, first + open_arms(tree, seat, widening)):
        times = tree.tried[arm]
        if times == 0:
            return arm
        bound = tree.arms[arm, SUM] / times + exploration * width * sqrt(logged / times)
        if bound > highest:
            best, highest = arm, bound
    return best


@apart
def best_mean(tree: Tree, seat: int) -> Any:
    """The arm that was tried most; of those that regret matching chose, the likeliest on average."""
    first = tree.seats[seat, ARMS]
    best = first
    for arm in range(first, first + tree.seats[seat, MOVES]):
        likelier = tree.arms[arm, AVERAGE] - tree.arms[best, AVERAGE]
        if likelier > 0.0 or (likelier == 0.0 and tree.tried[arm] > tree.tried[best]):
            best = arm
    return best


@rule
def positive_regret(tree: Tree, first: int, count: int) -> float:
    """The sum of the positive regrets of some arms."""
    total = 0.0
    for arm in range(first, first + count):
        total += max(0.0, tree.arms[arm, REGRET])
    return total


@rule
def chance_of(tree: Tree, arm: int, count: int, regret: float, mixing: float) -> float:
    """How likely regret matching chooses an arm, some exploration included."""
    matched = max(0.0, tree.arms[arm, REGRET]) / regret if regret > 0.0 else 1.0 / count
    return (1.0 - mixing) * matched + mixing / count


@apart
def matched_arm(tree: Tree, seat: int, widening: float, mixing: float, whim: Dice) -> Any:
    """A random arm, as likely as regret matching makes it."""
    first, count = tree.seats[seat, ARMS], open_arms(tree, seat, widening)
    regret, left = positive_regret(tree, first, count), fraction(whim)
    for arm in range(first, first + count):
        left -= chance_of(tree, arm, count, regret, mixing)
        if left < 0.0:
            return arm
    return first + count - 1


@apart
def expectation(tree: Tree, seat: int) -> float:
    """What a fighter may expect at a seat by its average choices there, of those that were tried."""
    first, total, weight = tree.seats[seat, ARMS], 0.0, 0.0
    for arm in range(first, first + tree.seats[seat, MOVES]):
        if tree.tried[arm] > 0:
            weight += tree.arms[arm, AVERAGE]
            total += tree.arms[arm, AVERAGE] * tree.arms[arm, SUM] / tree.tried[arm]
    return total / weight if weight > 0.0 else 0.0


@apart
def came_to(tree: Tree, step: int, steps: int) -> Any:
    """What a step on the way has led its fighter to: its next decision on the way if that is well known, or the end.

    What a decision is worth on average says more than how one fight from there on happened to end.
    """
    who = tree.seats[tree.way[step, SEAT], WHO]
    for later in range(step + 1, steps):
        seat = tree.way[later, SEAT]
        if tree.seats[seat, WHO] == who:
            known = tree.way[later, TOGETHER] != ALONE and tree.seats[seat, MET] >= WELL_KNOWN
            return expectation(tree, seat) if known else tree.worth[who]
    return tree.worth[who]


@apart
def learn_alone(tree: Tree, seat: int, arm: int) -> None:
    """Add what the last fight was worth to a choice that its fighter made alone."""
    worth = tree.worth[tree.seats[seat, WHO]]
    tree.seats[seat, MET] += 1
    tree.tried[arm] += 1
    tree.arms[arm, SUM] += worth
    tree.arms[arm, SQUARES] += worth * worth


@apart
def learn_together(tree: Tree, step: int, steps: int, widening: float, mixing: float) -> None:
    """Match regrets after a choice that was made together with others; who does not learn only counts its mixture."""
    seat, arm = tree.way[step, SEAT], tree.way[step, ARM]
    first, count = tree.seats[seat, ARMS], open_arms(tree, seat, widening)
    regret, mean = positive_regret(tree, first, count), 0.0
    tree.seats[seat, MET] += 1
    for other in range(first, first + count):
        tree.arms[other, AVERAGE] += chance_of(tree, other, count, regret, 0.0) * tree.seats[seat, MET]
    if tree.way[step, TOGETHER] == FOLLOWING:
        return
    # A control variate: the arms' means stand for those not chosen, which keeps the estimates unbiased and calm.
    times, worth = tree.tried[arm], tree.worth[tree.seats[seat, WHO]]
    usual = tree.arms[arm, SUM] / max(1, times)
    surprise = came_to(tree, step, steps) - usual
    corrected = surprise / max(mixing / count, chance_of(tree, arm, count, regret, mixing))
    for other in range(first, first + count):
        value = tree.arms[other, SUM] / max(1, tree.tried[other]) + (corrected if other == arm else 0.0)
        mean += chance_of(tree, other, count, regret, 0.0) * value
    for other in range(first, first + count):
        value = tree.arms[other, SUM] / max(1, tree.tried[other]) + (corrected if other == arm else 0.0)
        tree.arms[other, REGRET] = max(0.0, tree.arms[other, REGRET] + value - mean)
    # Later fights count more, in proportion to their number: the others' early choices are soon forgotten.
    tree.tried[arm] = times + 1
    tree.arms[arm, SUM] = (usual + surprise * 2.0 / (times + 2.0)) * (times + 1.0)
    tree.arms[arm, SQUARES] += worth * worth


@apart
def choose_plan(tree: Tree, team: int, plans: int, exploration: float, width: float) -> int:
    """The plan with the highest upper confidence bound for a team's play-outs."""
    total = 0
    for plan in range(plans):
        total += tree.planned[team, plan]
    logged = logarithm(1 + total)
    best, highest = 0, -1e300
    for plan in range(plans):
        times = tree.planned[team, plan]
        if times == 0:
            return plan
        bound = tree.gained[team, plan] / times + exploration * width * sqrt(logged / times)
        if bound > highest:
            best, highest = plan, bound
    return best


@rule
def widest(tree: Tree, fighters: int) -> float:
    """The widest of the usual ranges of the fighters' values."""
    width = 1e-9
    for who in range(fighters):
        width = max(width, usual_width(tree, who))
    return width


@rule
def trust(manner: int, share: float, played: int) -> float:
    """The share of iterations in which the others follow tactics: ever fewer where several decide together."""
    return share / sqrt(1.0 + played / TRUSTING) if manner == IN_SECRET else share


@rule
def another_team(teams: int, own: int, whim: Dice) -> int:
    """A random team other than the own one."""
    return (own + 1 + pick(whim, teams - 1)) % teams if teams > 1 else own


Iteration = Callable[[Any, int, Tree, Sequence[int], Any, Any, Any, Dice, Dice, Log | None], None]


@cache
def iterator(system: System[Any, Any]) -> Iteration:
    """A rule that plays one fight from a state and adds what it was worth to the tree."""
    legal, most_moves, apply, play_out = system.legal, system.most_moves, system.apply, player_out(system)
    choose, tactic_count = chooser(*system.tactics.values()), len(system.tactics)
    figure_count = len(system.figure_names) if system.costs else 0

    @apart
    def choose_apart(tactic: int, fight: Any, who: int, whim: Dice) -> int:
        return choose(tactic, fight, who, whim)

    @apart
    def sit_down(fight: Any, who: int, usual: int, at_root: int, tree: Tree, whim: Dice) -> Any:
        """A new seat with the fighter's moves, those that tactics choose first; -1 if there is no room for it."""
        moves = row(most_moves(len(fight.fighters)))
        count, seat, first = legal(fight, who, moves), tree.counts[SEATS_USED], tree.counts[ARMS_USED]
        if seat >= len(tree.seats) or first + count > len(tree.codes) or count == 0:
            return -1
        opened = 0
        for number in range(-1, tactic_count):
            code = choose_apart(usual if number < 0 else number, fight, who, whim)
            for place in range(opened, count):
                if moves[place] == code:
                    moves[place] = moves[opened]
                    moves[opened] = code
                    opened += 1
                    break
        for place in range(count):
            tree.codes[first + place] = moves[place]
        tree.seats[seat, WHO] = who
        tree.seats[seat, ARMS] = first
        tree.seats[seat, MOVES] = count
        tree.seats[seat, OPENED] = opened if at_root else 1
        tree.counts[SEATS_USED] = seat + 1
        tree.counts[ARMS_USED] = first + count
        return seat

    @apart
    def seats_of(fight: Any, deciding: int, node: int, tactics: Sequence[int], tree: Tree, whim: Dice) -> Any:
        """The first seat of a node, laid out with the moves of those deciding if it is not yet; -1 without room."""
        if tree.nodes[node, COUNT] == 0:
            first = tree.counts[SEATS_USED]
            for who in range(len(fight.fighters)):
                if deciding >> who & 1 and sit_down(fight, who, tree.tactics[who], 0, tree, whim) < 0:
                    tree.counts[SEATS_USED] = first
                    return -1
            tree.nodes[node, FIRST] = first
            tree.nodes[node, COUNT] = tree.counts[SEATS_USED] - first
        return tree.nodes[node, FIRST]

    @rule
    def settle(fight: Any, tactics: Sequence[int], tree: Tree, values: Any, weights: Any, log: Log | None) -> None:
        """Write down what the fight was worth to each fighter."""
        for who in range(len(fight.fighters)):
            worth = values[who, fight.ending]
            for figure in range(figure_count):
                worth += weights[who, figure] * scored(log, who, figure)
            tree.worth[who] = worth
            if tree.counts[PLAYED] == 0 or worth < tree.range[who, LOW]:
                tree.range[who, LOW] = worth
            if tree.counts[PLAYED] == 0 or worth > tree.range[who, HIGH]:
                tree.range[who, HIGH] = worth
            tree.range[who, TOTAL] += worth
            tree.range[who, SQUARED] += worth * worth

    @apart
    def make_plans(fight: Any, own: int, any_plan: int, tactics: Sequence[int], tree: Tree, exploration: float) -> None:
        """Let each team follow the plan that promises most; with `any_plan` the other teams follow that one."""
        width = widest(tree, len(tactics))
        for team in range(fight.teams):
            if any_plan >= 0 and team != own:
                tree.plans[team] = any_plan
            else:
                tree.plans[team] = choose_plan(tree, team, tactic_count + 1, exploration, width)
        for who in range(len(fight.fighters)):
            plan = tree.plans[fight.fighters[who].team]
            tree.tactics[who] = plan - 1 if plan > 0 else tactics[who]

    @apart
    def judge_plans(fight: Any, fighters: int, tree: Tree) -> None:
        """Remember what the plans brought."""
        for team in range(fight.teams):
            total, members = 0.0, 0
            for who in range(fighters):
                if fight.fighters[who].team == team:
                    total += tree.worth[who]
                    members += 1
            tree.planned[team, tree.plans[team]] += 1
            tree.gained[team, tree.plans[team]] += total / max(1, members)

    @rule
    def iterate(
        fight: Any,
        thinker: int,
        tree: Tree,
        tactics: Sequence[int],
        settings: Any,
        values: Any,
        weights: Any,
        dice: Dice,
        whim: Dice,
        log: Log | None,
    ) -> None:
        """One fight from a state in which the thinker decides."""
        steps, length, walking = 0, 0, True
        widening, mixing, team = settings[WIDENING], settings[MIXING], fight.fighters[thinker].team
        if tree.counts[SEATS_USED] == 0:
            sit_down(fight, thinker, tactics[thinker], 1, tree, whim)
        share = trust(tree.counts[AT_FIRST], settings[TRUST], tree.counts[PLAYED])
        trusting = share > 0.0 and fraction(whim) < share
        any_plan = pick(whim, tactic_count + 1) if trusting and fraction(whim) < settings[VARIETY] else -1
        make_plans(fight, team, any_plan, tactics, tree, settings[PLANNING])
        learner = team if trusting or pick(whim, 2) == 0 else another_team(fight.teams, team, whim)
        while walking and fight.ending < 0 and steps < len(tree.way) - len(tree.chosen):
            at_root, due = steps == 0, to_act(fight)
            several, node, first, manner = due & (due - 1) != 0, -1, -1, IN_TURN
            if several or not at_root:
                node = known_node(tree, position(fight))
            if several:
                manner = tree.nodes[node, MANNER] if node >= 0 else UNTRIED
            deciding = due
            if several and manner == IN_TURN:
                deciding = 1 << (thinker if at_root else first_of(due))
            if node >= 0:
                tree.nodes[node, VISITS] += 1
                known = manner == IN_SECRET if at_root else tree.nodes[node, VISITS] >= LAID_OUT and manner != UNTRIED
                if known:
                    first = seats_of(fight, deciding, node, tactics, tree, whim)
            if manner == UNTRIED or (first < 0 and not at_root):
                walking = False
            if walking or (manner == UNTRIED and node >= 0):
                place = 0
                for who in range(len(fight.fighters)):
                    if not deciding >> who & 1:
                        continue
                    seat = ROOT_SEAT if at_root and who == thinker else first + place if first >= 0 else -1
                    place += 1
                    if not walking or seat < 0 or (trusting and fight.fighters[who].team != team):
                        tree.chosen[who] = choose_apart(tree.tactics[who], fight, who, whim)
                        continue
                    lesson = ALONE
                    if settings[GREEDY] > 0.0:
                        arm = best_mean(tree, seat)
                    elif manner == IN_SECRET:
                        tries = fight.fighters[who].team == learner
                        arm = matched_arm(tree, seat, widening, mixing if tries else 0.0, whim)
                        lesson = LEARNING if tries else FOLLOWING
                    else:
                        arm = best_bound(tree, seat, settings[EXPLORATION], widening)
                    tree.way[steps, SEAT] = seat
                    tree.way[steps, ARM] = arm
                    tree.way[steps, TOGETHER] = lesson
                    steps += 1
                    tree.chosen[who] = tree.codes[arm]
                for who in range(len(fight.fighters)):
                    if deciding >> who & 1:
                        if length < len(tree.line):
                            tree.line[length, 0] = who
                            tree.line[length, 1] = tree.chosen[who]
                        length += 1
                        apply(fight, who, tree.chosen[who], dice, log)
                        if manner == UNTRIED:
                            manner = IN_SECRET if fight.sealed != 0 else IN_TURN
                            tree.nodes[node, MANNER] = manner
                            if at_root:
                                tree.counts[AT_FIRST] = manner
                        if fight.sealed == 0:  # the decision is closed
                            deciding = 0
        if length < len(tree.line):
            tree.line[length, 0] = -1
        if settings[GREEDY] > 0.0:
            return
        tree.counts[DEEPEST] = max(tree.counts[DEEPEST], length)
        play_out(fight, tree.tactics, dice, whim, log)
        settle(fight, tactics, tree, values, weights, log)
        tree.counts[PLAYED] += 1
        judge_plans(fight, len(tactics), tree)
        for step in range(steps - 1, -1, -1):
            if tree.way[step, TOGETHER] == ALONE:
                learn_alone(tree, tree.way[step, SEAT], tree.way[step, ARM])
            else:
                learn_together(tree, step, steps, widening, mixing)

    return iterate
