"""Weights: in how many ways dice, coins and cards show each result, counted into a row of whole numbers.

Each function writes the weight of every result from 0 on and returns their sum. They can be compiled directly.
"""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence

from affray.kernel.rules import row, rule

Row = MutableSequence[int]


def power(base: int, exponent: int) -> int:
    """The total number of ways. Native code gives a float: it only checks whether the weights fit into a row."""
    return int(base**exponent)


@rule
def of_equals(weights: Row, n: int) -> int:
    """n equally likely results."""
    for result in range(n):
        weights[result] = 1
    return n


@rule
def of_cards(weights: Row, pile: int) -> int:
    """The cards of a pile, by the number of their bit."""
    cards = 0
    for card in range(card_places(pile)):
        weights[card] = pile >> card & 1
        cards += pile >> card & 1
    return cards


@rule
def card_places(pile: int) -> int:
    """How many bits a pile has up to its highest card."""
    places = 0
    while places < 63 and pile >> places:
        places += 1
    return places


@rule
def how_many(pile: int) -> int:
    """How many cards are in a pile."""
    cards = 0
    while pile:
        pile &= pile - 1
        cards += 1
    return cards


@rule
def surely_hidden(pile: int, hidden: Sequence[int], count: int) -> int:
    """The cards of a pile that must lie hidden: so few may be there that all of them are. See `chance.draw_rest`."""
    surely = 0
    for place in range(count):
        if how_many(hidden[place] & pile) == place + 1:
            surely = hidden[place] & pile
    return surely


@rule
def of_rest(weights: Row, pile: int, hidden: Sequence[int], count: int) -> int:
    """The cards of a pile by the ways in which others lie hidden, without common factors. See `chance.draw_rest`."""
    common = 0
    for card in range(card_places(pile)):
        ways = pile >> card & 1
        beyond = 0  # whether the card may be the one that lies at a place: then there is one fewer for it
        for place in range(count):
            beyond |= hidden[place] >> card & 1
            ways *= how_many(hidden[place] & pile) - place - beyond
        weights[card] = ways
        while ways:
            common, ways = ways, common % ways
    total = 0
    for card in range(card_places(pile)):
        weights[card] //= common
        total += weights[card]
    return total


@rule
def of_choices(weights: Row, choices: Sequence[int]) -> int:
    """Choices whose weights are given."""
    total = 0
    for choice in range(len(choices)):
        weights[choice] = choices[choice]
        total += choices[choice]
    return total


@rule
def of_sums(weights: Row, n: int, sides: int) -> int:
    """The sums of n dice, 0 to n * sides."""
    weights[0] = 1
    for total in range(1, n * sides + 1):
        weights[total] = 0
    for die in range(n):
        # Downwards, so that the row of one die fewer is still there to read.
        for total in range((die + 1) * sides, -1, -1):
            ways = 0
            for face in range(1, min(sides, total) + 1):
                ways += weights[total - face]
            weights[total] = ways
    return power(sides, n)


@rule
def of_counts(weights: Row, n: int, good: int, bad: int) -> int:
    """How many of n throws succeed, each in `good` ways against `bad` ones."""
    weights[0] = 1
    for done in range(n):
        weights[done + 1] = 0
        for count in range(done + 1, 0, -1):
            weights[count] = weights[count] * bad + weights[count - 1] * good
        weights[0] *= bad
    return power(good + bad, n)


@rule
def of_successes(weights: Row, n: int, at_least: int, sides: int = 6) -> int:
    """How many of n dice show at_least or more."""
    good = min(sides, max(0, sides + 1 - at_least))
    return of_counts(weights, n, good, sides - good)


@rule
def of_percent(weights: Row, net: int) -> int:
    """d100 with bonus or penalty tens dice, 0 to 100."""
    tens = 1 + abs(net)
    weights[0] = 0
    for value in range(1, 101):
        below = (value - 1) // 10 if value % 10 == 0 else value // 10
        as_good = 10 - below if net > 0 else below + 1
        weights[value] = as_good**tens - (as_good - 1) ** tens
    return power(10, 1 + tens)


@rule
def bounds_kept(value: int, bounds: tuple[int, ...]) -> int:
    """How many bounds a value stays within."""
    count = 0
    for bound in bounds:
        count += value <= bound
    return count


@rule
def bounds_reached(value: int, bounds: tuple[int, ...]) -> int:
    """How many bounds a value reaches."""
    count = 0
    for bound in bounds:
        count += value >= bound
    return count


@rule
def of_bounds_kept(weights: Row, net: int, bounds: tuple[int, ...]) -> int:
    """How many bounds a d100 with bonus or penalty tens dice stays within."""
    values = row(101)
    ways = of_percent(values, net)
    for count in range(len(bounds) + 1):
        weights[count] = 0
    for value in range(1, 101):
        weights[bounds_kept(value, bounds)] += values[value]
    return ways


@rule
def of_bounds_reached(weights: Row, n: int, sides: int, bounds: tuple[int, ...]) -> int:
    """How many bounds the sum of n dice reaches."""
    sums = row(n * sides + 1)
    ways = of_sums(sums, n, sides)
    for count in range(len(bounds) + 1):
        weights[count] = 0
    for total in range(n * sides + 1):
        weights[bounds_reached(total, bounds)] += sums[total]
    return ways


@rule
def choose(n: int, k: int) -> int:
    """In how many ways k of n can be chosen."""
    ways = 1
    for i in range(k):
        ways = ways * (n - i) // (i + 1)
    return ways


@rule
def of_highest(weights: Row, n: int, sides: int, keep: int = 1) -> int:
    """The sums of the highest `keep` of n dice, 0 to keep * sides."""
    for total in range(keep * sides + 1):
        weights[total] = 0
    keep = min(keep, n)
    sums = row(keep * sides + 1)
    # By the lowest face that is kept, and how many dice are higher: the others that are kept show just that face.
    for lowest in range(1, sides + 1):
        for higher in range(keep):
            equal_or_less = 0
            for equal in range(keep - higher, n - higher + 1):
                equal_or_less += choose(n - higher, equal) * (lowest - 1) ** (n - higher - equal)
            of_sums(sums, higher, sides - lowest)
            for more in range(higher, higher * (sides - lowest) + 1):
                weights[keep * lowest + more] += choose(n, higher) * sums[more] * equal_or_less
    if keep == 0:
        weights[0] = 1
        return 1
    return power(sides, n)


@rule
def of_lowest(weights: Row, n: int, sides: int, keep: int = 1) -> int:
    """The sums of the lowest `keep` of n dice: those of the highest with every die turned upside down."""
    ways = of_highest(weights, n, sides, keep)
    keep = min(keep, n)
    for low in range(keep, (keep * (sides + 1) + 1) // 2):
        high = keep * (sides + 1) - low
        weights[low], weights[high] = weights[high], weights[low]
    return ways


@rule
def of_exploding(weights: Row, n: int, sides: int, depth: int) -> int:
    """The sums of n dice, each rolled again and added up to `depth` times while it shows its highest face."""
    most = sides * (depth + 1)
    die = row(most + 1)
    for total in range(1, most + 1):
        again = (total - 1) // sides
        die[total] = 0 if again < depth and total % sides == 0 else sides ** (depth - again)
    weights[0] = 1
    for total in range(1, n * most + 1):
        weights[total] = 0
    for done in range(n):
        for total in range((done + 1) * most, -1, -1):
            ways = 0
            for value in range(1, min(most, total) + 1):
                ways += die[value] * weights[total - value]
            weights[total] = ways
    return power(sides, n * (depth + 1))
