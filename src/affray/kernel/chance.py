"""Chance: the questions that a rule may ask of dice, coins and cards, and where the answers come from.

A question is declared once, by `@primitive`: the function says what is thrown and how the result is read, and `weigh`
gives the weight of every answer. Real throws (`Physical`), native streams, exact odds (`Exact`) and native
tapes all use that declaration.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, wraps
from typing import Any, Concatenate, Literal, ParamSpec, Protocol, TypeVar, cast

from affray.errors import Invalid
from affray.kernel import weights
from affray.kernel.rules import rule

MASK = 2**64 - 1
FRACTION_BITS = 56
MOST_SIDES = 256  # of a die, and the most to pick from: more would not fit beside a fraction in one word
MOST_DICE = 256  # in one throw
MOST_TENS = 6  # tens dice of one d100
WORD_SERVES = 2**24  # one word serves dice until their joint outcomes exceed this: bias below 2**-32
MOST_TABLED = 1024  # ways in which a throw can fall up to which its answers are kept in a table
MOST_KEPT = 512  # such tables for one question, and rows of weights

Given = tuple[Any, ...]
P = ParamSpec("P")
AnswerT = TypeVar("AnswerT", bound=int)


class Dice(Protocol):
    """A source of chance, as the rules see it."""

    def answer(self, question: Primitive, given: Given) -> int:
        """The answer to a question with these arguments."""


class Tape(Dice, Protocol):
    """A source of chance that goes through all outcomes."""

    @property
    def asked(self) -> bool: ...


def asked(tape: Tape) -> bool:
    """Whether a tape has been asked since it was rewound."""
    return tape.asked


# --- what is thrown ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Throw:
    """One physical act of chance: what is thrown, and what a result may look like."""

    kind: Literal["dice", "coins", "percent", "card", "pick"]
    n: int
    sides: int = 2
    turn: int = field(default=-1, compare=False)
    """The number of the thrower among several who throw one after the other, from 0 on."""
    unseen: bool = field(default=False, compare=False)
    """Whether the result stays face down: the rules know it, no log may show it."""

    def __post_init__(self) -> None:
        """Refuse a throw that no stream can make from its words."""
        n, sides = self.n, self.sides
        possible, needs = {
            "dice": (0 <= n <= MOST_DICE and 1 <= sides <= MOST_SIDES, "0 to 256 dice with 1 to 256 sides"),
            "coins": (n >= 0, "0 coins or more"),
            "percent": (1 <= n <= MOST_TENS, "1 to 6 tens dice"),
            "card": (n > 0, "a card in the pile"),
            "pick": (1 <= n <= MOST_SIDES, "1 to 256 to pick from"),
        }[self.kind]
        if not possible:
            raise Invalid(f"{self} cannot be thrown: there must be {needs}")

    def __str__(self) -> str:
        match self.kind:
            case "dice":
                return f"{self.n}d{self.sides}"
            case "coins":
                return f"{self.n} coin{'s' * (self.n != 1)}"
            case "percent":
                return f"d100 with {self.n} tens dice" if self.n > 1 else "d100"
            case "card":
                return "a card"
            case "pick":
                return f"1 of {self.n}"

    @classmethod
    def from_text(cls, text: str) -> Throw:
        """The throw whose `str` is this text. A card may be any card, because the text does not name its pile."""
        found = re.fullmatch(r"(\d+)d(\d+)|(\d+) coins?|(d100)(?: with (\d+) tens dice)?|(a card)|1 of (\d+)", text)
        if not found:
            raise Invalid(f"{text!r} is no throw; it must be like 3d6, 2 coins, d100, a card or 1 of 4", given=text)
        n, sides, coins, percent, tens, card, choices = found.groups()
        if n:
            return cls("dice", int(n), int(sides))
        if coins:
            return cls("coins", int(coins))
        if percent:
            return cls("percent", int(tens or 1))
        return cls("card", 2**63 - 1) if card else cls("pick", int(choices))

    def check(self, result: Sequence[int]) -> Fell:
        """The result of this throw, or an error message that says what it may show."""
        count, low, high = self.shape
        if len(result) != count:
            raise Invalid(f"{self} gives {count} number(s), not {len(result)}: {list(result)}", given=list(result))
        for number in result:
            absent = self.kind == "card" and number not in cards_of(self.n)
            if type(number) is not int or not low <= number <= high or absent:
                raise Invalid(f"{self} cannot show {number!r}; it must be {self._possible()}", given=number)
        return Fell(result, self)

    def _possible(self) -> str:
        if self.kind == "card":
            return "one of " + ", ".join(str(card) for card in cards_of(self.n))
        return "{1} to {2}".format(*self.shape)

    @property
    def shape(self) -> tuple[int, int, int]:
        """How many numbers a result has, the lowest and the highest that one can be."""
        match self.kind:
            case "dice":
                return self.n, 1, self.sides
            case "coins":
                return 1, 0, self.n
            case "percent":
                return 1 + self.n, 0, 9
            case "card":
                return 1, 0, self.n.bit_length() - 1
            case "pick":
                return 1, 0, self.n - 1

    @property
    def ways(self) -> int:
        """In how many equal ways it can fall."""
        if self.kind == "card":
            return self.n.bit_count()
        count, low, high = self.shape
        return 1 << self.n if self.kind == "coins" else weights.power(high - low + 1, count)


class Fell(tuple[int, ...]):
    """The result of a throw: a tuple that also has the throw."""

    throw: Throw

    def __new__(cls, faces: Iterable[int], throw: Throw) -> Fell:
        fell = super().__new__(cls, faces)
        fell.throw = throw
        return fell

    def __getnewargs__(self) -> tuple[tuple[int, ...], Throw]:
        return tuple(self), self.throw

    @property
    def written(self) -> list[str | int]:
        """As it is written in a log: the text of the throw, then its result."""
        return [str(self.throw), *self]

    @property
    def unseen(self) -> bool:
        """Whether it fell face down."""
        return self.throw.unseen


def cards_of(pile: int) -> list[int]:
    """The cards in a pile given as a bitmask, lowest first."""
    return [card for card in range(pile.bit_length()) if pile >> card & 1]


# --- what a rule may ask -------------------------------------------------------------------------------------


@dataclass(eq=False, slots=True)
class Primitive:
    """A question to chance: what is thrown and how it is read, how many answers there are and what each weighs."""

    play: Callable[..., int]
    outcomes: Callable[..., int]
    weigh: Callable[..., int]
    kind: type[int]
    recurs: bool
    tables: dict[Given, Table] = field(default_factory=dict)
    weights: dict[Given, Sequence[int]] = field(default_factory=dict)

    def weights_of(self, given: Given) -> Sequence[int]:
        """The weight of every answer to the question with these arguments."""
        kept = self.weights.get(given) if self.recurs else None
        if kept is None:
            kept = [0] * self.outcomes(*given)
            self.weigh(kept, *given)
            if self.recurs:
                _keep(self.weights, given, kept)
        return kept


Table = list[tuple[Fell, int] | None]
"""The results and the answer for each way in which a question's only throw can fall."""
ValueT = TypeVar("ValueT")


def _keep(kept: dict[Given, ValueT], given: Given, value: ValueT) -> None:
    if len(kept) >= MOST_KEPT:
        kept.clear()
    kept[given] = value


PRIMITIVES: dict[Callable[..., int], Primitive] = {}
"""Every function by which a rule may ask for chance, with its declaration."""


def primitive(
    outcomes: Callable[P, int],
    weigh: Callable[Concatenate[list[int], P], int],
    *,
    kind: type[int] = int,
    recurs: bool = True,
) -> Callable[[Callable[Concatenate[Physical, P], AnswerT]], Callable[Concatenate[Dice, P], AnswerT]]:
    """Declare a question: the function plays it with real throws, and `weigh` gives the weights of its `outcomes`.

    The answers are 0 to outcomes - 1, or no and yes with `kind=bool`. If the same arguments hardly ever recur,
    nothing is cached for them.
    """

    def declare(play: Callable[Concatenate[Physical, P], AnswerT]) -> Callable[Concatenate[Dice, P], AnswerT]:
        question = Primitive(rule(play), rule(outcomes), rule(weigh), kind, recurs)

        @wraps(play)
        def ask(dice: Dice, *given: Any) -> int:
            return dice.answer(question, given)

        PRIMITIVES[ask] = question
        return cast("Callable[Concatenate[Dice, P], AnswerT]", ask)

    return declare


_thrown = lru_cache(MOST_KEPT)(Throw)


def throw_dice(dice: Physical, n: int, sides: int) -> Fell:
    """Throw n dice: their faces."""
    return dice.fall(_thrown("dice", n, sides))


def count_dice(dice: Physical, n: int, sides: int, at_least: int) -> int:
    """Throw n dice: how many show at_least or more."""
    count = 0
    for face in throw_dice(dice, n, sides):
        count += face >= at_least
    return count


def throw_percent(dice: Physical, tens: int) -> Fell:
    """Throw a d100 with some tens dice: the face of its units die, then those of the tens dice, all 0 to 9."""
    return dice.fall(_thrown("percent", tens))


def throw_coins(dice: Physical, n: int, turn: int = -1) -> int:
    """Throw n coins: the number of heads."""
    return dice.fall(_thrown("coins", n, turn=turn))[0]


def turn_card(dice: Physical, pile: int, unseen: bool = False) -> int:
    """Take a card from a pile given as a bitmask: the number of its bit."""
    return dice.fall(_thrown("card", pile, unseen=unseen))[0]


def guess_card(dice: Physical, pile: int) -> int:
    """A card that may lie hidden, for a stream; -1 with real cards, which need no such choice."""
    return dice.guess(_thrown("card", pile))


def throw_pick(dice: Physical, n: int) -> int:
    """Pick one of n: 0 to n - 1."""
    return dice.fall(_thrown("pick", n))[0]


@primitive(lambda n: n + 1, lambda row, n: weights.of_counts(row, n, 1, 1))
def heads(dice: Physical, n: int) -> int:
    """Flip n coins: how many come up heads."""
    return throw_coins(dice, n)


@primitive(lambda n, sides: n * sides + 1, weights.of_sums)
def pips(dice: Physical, n: int, sides: int) -> int:
    """Roll n dice: their sum."""
    return total_of(throw_dice(dice, n, sides))


@rule
def total_of(faces: Sequence[int]) -> int:
    """The sum of some faces."""
    total = 0
    for face in faces:
        total += face
    return total


@primitive(
    lambda n, sides, target: 2,
    lambda row, n, sides, target: weights.of_bounds_reached(row, n, sides, (target,)),
    kind=bool,
)
def reaches(dice: Physical, n: int, sides: int, target: int) -> bool:
    """Roll n dice: whether their sum is at least the target. Asking only for that keeps exact odds small."""
    return total_of(throw_dice(dice, n, sides)) >= target


@primitive(lambda n, sides, bounds: len(bounds) + 1, weights.of_bounds_reached)
def degrees(dice: Physical, n: int, sides: int, bounds: tuple[int, ...]) -> int:
    """Roll n dice: how many of the bounds their sum reaches, such as degrees of success."""
    return weights.bounds_reached(total_of(throw_dice(dice, n, sides)), bounds)


@primitive(lambda n, sides, keep=1: keep * sides + 1, weights.of_highest)
def keep_highest(dice: Physical, n: int, sides: int, keep: int = 1) -> int:
    """Roll n dice: the sum of the highest, of one (advantage) or of as many as are kept."""
    return sum_kept(throw_dice(dice, n, sides), keep, 1)


@primitive(lambda n, sides, keep=1: keep * sides + 1, weights.of_lowest)
def keep_lowest(dice: Physical, n: int, sides: int, keep: int = 1) -> int:
    """Roll n dice: the sum of the lowest, of one (disadvantage) or of as many as are kept."""
    return sum_kept(throw_dice(dice, n, sides), keep, -1)


@rule
def sum_kept(faces: Sequence[int], keep: int, sign: int) -> int:
    """The sum of the highest faces, or with a sign of -1 of the lowest."""
    total = 0
    for die in range(len(faces)):
        ahead = 0
        for other in range(len(faces)):
            lead = sign * (faces[other] - faces[die])
            ahead += lead > 0 or (lead == 0 and other < die)
        if ahead < keep:
            total += faces[die]
    return total


@primitive(lambda n, sides, depth: n * sides * (depth + 1) + 1, weights.of_exploding)
def explode(dice: Physical, n: int, sides: int, depth: int) -> int:
    """Roll n dice: their sum, each rolled again and added while it shows its highest face, at most `depth` times."""
    total = 0
    for _ in range(depth + 1):
        again = 0
        for face in throw_dice(dice, n, sides):
            total += face
            again += face == sides
        n = again
        if n == 0:
            break
    return total


@primitive(lambda n, at_least, sides=6: n + 1, weights.of_successes)
def successes(dice: Physical, n: int, at_least: int, sides: int = 6) -> int:
    """Roll a pool of n dice, six-sided by default: how many show at_least or more."""
    return count_dice(dice, n, sides, at_least)


@primitive(lambda net: 101, weights.of_percent)
def percent(dice: Physical, net: int) -> int:
    """Roll d100 with `net` bonus (positive) or penalty (negative) tens dice: 1 to 100."""
    return read_percent(throw_percent(dice, 1 + abs(net)), net)


@rule
def read_percent(faces: Sequence[int], net: int) -> int:
    """What a d100 shows: its units die first, then the tens dice, of which a bonus keeps the lowest value."""
    kept = 0
    for die in range(1, len(faces)):
        value = 10 * faces[die] + faces[0]
        if value == 0:
            value = 100
        if kept == 0 or (value < kept) == (net > 0):
            kept = value
    return kept


@primitive(lambda net, bounds: len(bounds) + 1, weights.of_bounds_kept)
def graded(dice: Physical, net: int, bounds: tuple[int, ...]) -> int:
    """Roll d100 as `percent` does: how many of the bounds it stays within. A bound of 0 never counts.

    Asking only for that keeps exact odds small, as with `reaches`.
    """
    return weights.bounds_kept(read_percent(throw_percent(dice, 1 + abs(net)), net), bounds)


@primitive(weights.card_places, weights.of_cards, recurs=False)
def draw(dice: Physical, pile: int) -> int:
    """Draw a card from a pile given as a bitmask: the number of the card's bit."""
    return turn_card(dice, pile)


@primitive(weights.card_places, weights.of_cards, recurs=False)
def draw_unseen(dice: Physical, pile: int) -> int:
    """Draw a card that is laid face down unseen: the rules know it, but no log may show it."""
    return turn_card(dice, pile, True)


@primitive(lambda pile, hidden, count: weights.card_places(pile), weights.of_rest, recurs=False)
def draw_rest(dice: Physical, pile: int, hidden: Sequence[int], count: int) -> int:
    """Draw a card from what is left of a pile, `count` unknown cards of which lie hidden elsewhere.

    They were taken one after another: `hidden` says of each which cards it may be, and the later ones may be all that
    the earlier may. All ways in which they can lie are equally likely.
    """
    left = pile & ~weights.surely_hidden(pile, hidden, count)
    for place in range(count):
        card = guess_card(dice, hidden[place] & pile)
        if card >= 0:
            pile &= ~(1 << card)
            left &= pile
    return turn_card(dice, left)


@primitive(lambda n: n, weights.of_equals)
def pick(dice: Physical, n: int) -> int:
    """One of n equal chances: 0 to n - 1."""
    return throw_pick(dice, n)


@primitive(lambda choices: len(choices), weights.of_choices, recurs=False)
def weighted(dice: Physical, choices: Sequence[int]) -> int:
    """One of several choices, by their weights, which sum to 256 at most: 0 to len(choices) - 1."""
    left = throw_pick(dice, total_of(choices))
    choice = 0
    while choice < len(choices) - 1 and left >= choices[choice]:
        left -= choices[choice]
        choice += 1
    return choice


@primitive(lambda n: n, weights.of_equals)
def flip_off(dice: Physical, n: int) -> int:
    """Tied fighters flip a coin each until one is left: 0 to n - 1.

    A fighter who flips Tails drops out, unless all did. All have the same chance, and exact odds need no more.
    """
    left = (1 << n) - 1
    while left & (left - 1):
        stay = 0
        for who in range(n):
            if left >> who & 1 and throw_coins(dice, 1, who):
                stay |= 1 << who
        if stay:
            left = stay
    winner = 0
    while winner < n - 1 and not left >> winner & 1:
        winner += 1
    return winner


# --- where the answers come from -----------------------------------------------------------------------------


class Physical:
    """Chance by single throws: every result is kept in `fallen`, for the log."""

    def __init__(self) -> None:
        self.fallen: list[Fell] = []

    def throw(self, throw: Throw) -> Fell:
        """Make a throw."""
        raise NotImplementedError

    def fall(self, throw: Throw) -> Fell:
        """Make a throw and keep the result."""
        result = self.throw(throw)
        self.fallen.append(result)
        return result

    def guess(self, throw: Throw) -> int:
        """The card that an unseen one is; -1 if that needs no choice."""
        return -1

    def answer(self, question: Primitive, given: Given) -> int:
        return question.play(self, *given)

    @property
    def position(self) -> int:
        """How far the source has been used; a lower value takes back the last results."""
        return 0

    @position.setter
    def position(self, position: int) -> None:
        pass

    def describe(self) -> dict[str, object]:
        """What a save file needs to continue with this source."""
        raise NotImplementedError


class Stream(Physical):
    """Chance from a numbered stream of 64-bit words; subclasses define word number i."""

    keeps = True  # the results, for a log

    def __init__(self) -> None:
        super().__init__()
        self._position = 0

    @property
    def position(self) -> int:
        return self._position

    @position.setter
    def position(self, position: int) -> None:
        self._position = position

    def word(self, index: int) -> int:
        """Word number `index` of the stream."""
        raise NotImplementedError

    def answer(self, question: Primitive, given: Given) -> int:
        """The answer by throws; for a word that fits a table, it is looked up."""
        table = question.tables.get(given) if question.recurs else []
        way = 0
        if table:
            way = (self.word(self._position + 1) >> (64 - FRACTION_BITS)) * len(table) >> FRACTION_BITS
            if known := table[way]:
                self._position += 1
                if self.keeps:
                    self.fallen.append(known[0])
                return known[1]
        position, fallen, begun = self._position, self.fallen, len(self.fallen)
        answer = question.play(self, *given)
        if table is None:
            ways = fallen[begun].throw.ways if self._position > position else 0
            table = [None] * ways if ways <= MOST_TABLED else []
            _keep(question.tables, given, table)
        elif table and len(fallen) == begun + 1:
            table[way] = fallen[begun], answer
        if not self.keeps:
            fallen.clear()
        return answer

    def _next(self) -> int:
        self._position += 1
        return self.word(self._position)

    def _numbers(self, n: int, lowest: int, bound: int) -> list[int]:
        """n numbers of `bound` from the lowest on, as many from one word as it can serve."""
        numbers = []
        rest, served = 0, 2 * WORD_SERVES  # the first number always opens a word, even one of a single chance
        for _ in range(n):
            served *= bound
            if served > WORD_SERVES:
                rest, served = self._next() >> (64 - FRACTION_BITS), bound
            rest *= bound
            numbers.append(lowest + (rest >> FRACTION_BITS))
            rest &= 2**FRACTION_BITS - 1
        return numbers

    def guess(self, throw: Throw) -> int:
        return self.throw(throw)[0]

    def throw(self, throw: Throw) -> Fell:
        match throw.kind:
            case "dice":
                return Fell(self._numbers(throw.n, 1, throw.sides), throw)
            case "coins":
                whole, rest = divmod(throw.n, 64)
                count = sum(self._next().bit_count() for _ in range(whole))
                return Fell((count + (self._next() >> (64 - rest)).bit_count() if rest else count,), throw)
            case "percent":
                return Fell(self._numbers(1 + throw.n, 0, 10), throw)
            case "pick":
                return Fell(self._numbers(1, 0, throw.n), throw)
            case "card":
                pile = throw.n
                for _ in range(self._numbers(1, 0, throw.ways)[0]):
                    pile &= pile - 1  # without its lowest card
                return Fell(((pile & -pile).bit_length() - 1,), throw)


def mix(word: int) -> int:
    """A 64-bit finaliser: every input bit reaches every output bit."""
    word = ((word ^ (word >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    word = ((word ^ (word >> 27)) * 0x94D049BB133111EB) & MASK
    return word ^ (word >> 31)


DICE, WHIM = 0, 0x5851F42D4C957F2D  # the fight's own dice, and the whim of its computer fighters


def stream_start(seed: int, number: int, stream: int) -> tuple[int, int]:
    """Where fight `number` of a seed begins, and its odd step: two fights never walk the same path."""
    start = mix((mix((seed + 0x9E3779B97F4A7C15) & MASK) + mix(number + 1)) & MASK)
    return start ^ stream, mix(start ^ 0xD1B54A32D192ED03) | 1


class Seeded(Stream):
    """Play and simulation: the same seed and number give the same fight, in Python and compiled."""

    def __init__(self, seed: int, number: int = 0, stream: int = DICE) -> None:
        super().__init__()
        for name, value in (("seed", seed), ("number", number)):
            if type(value) is not int or not 0 <= value < 2**63:
                raise Invalid(f"a {name} is a whole number from 0 to {2**63 - 1}, not {value!r}", given=value)
        self.seed, self.number, self.stream = seed, number, stream
        self._start, self._step = stream_start(seed, number, stream)

    def word(self, index: int) -> int:
        word = (self._start + index * self._step) & MASK  # and `mix`, written out: it is most of what a throw costs
        word = ((word ^ (word >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        word = ((word ^ (word >> 27)) * 0x94D049BB133111EB) & MASK
        return word ^ (word >> 31)

    def describe(self) -> dict[str, object]:
        return {"source": "seeded", "seed": self.seed, "number": self.number}

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.seed}, {self.number})"


class Quick(Seeded):
    """For thinking and plain stepping: `Seeded` without a record of results."""

    keeps = False


class Fair(Stream):
    """Server play: the hash of a secret is published before the first roll, the secret after the last."""

    def __init__(self, secret: bytes) -> None:
        super().__init__()
        if len(secret) < 16:
            raise Invalid(f"a secret for fair dice has at least 16 bytes, not {len(secret)}")
        self.secret = secret

    @property
    def commitment(self) -> str:
        """What is published before the first roll."""
        return hashlib.sha256(self.secret).hexdigest()

    def word(self, index: int) -> int:
        digest = hmac.new(self.secret, index.to_bytes(8, "big"), hashlib.sha256).digest()
        return int.from_bytes(digest[:8], "big")

    def describe(self) -> dict[str, object]:
        return {"source": "fair", "commitment": self.commitment, "secret": self.secret.hex()}

    def __repr__(self) -> str:
        return f"Fair(bytes.fromhex({self.secret.hex()!r}))"


class Scripted(Physical):
    """For tests, replays and forks: results given in advance. Missing and unused ones are errors.

    After the script, `then` continues, if given; `skip` is how far it has been used already.
    """

    def __init__(self, results: Iterable[Sequence[int] | int], then: Physical | None = None, skip: int = 0) -> None:
        super().__init__()
        self.results = [(result,) if isinstance(result, int) else tuple(result) for result in results]
        self.then = then
        self.skip = skip
        self._at = 0
        if then:
            then.position = skip

    @property
    def position(self) -> int:
        return self._at + (self.then.position - self.skip if self.then else 0)

    @position.setter
    def position(self, position: int) -> None:
        self._at = min(position, len(self.results))
        if self.then:
            self.then.position = self.skip + position - self._at

    def throw(self, throw: Throw) -> Fell:
        if self._at < len(self.results):
            result = throw.check(self.results[self._at])
            self._at += 1
            return result
        if self.then is None:
            raise Invalid(f"the script of results has ended after {self._at}, and {throw} is due")
        return self.then.throw(throw)

    def guess(self, throw: Throw) -> int:
        return self.then.guess(throw) if self.then and self._at == len(self.results) else -1

    def finish(self) -> None:
        """Raise an error if results are left over: then the script and the rules disagree."""
        if self._at < len(self.results):
            rest = self.results[self._at :]
            raise Invalid(f"{len(rest)} scripted result(s) were never used: {rest}")

    def describe(self) -> dict[str, object]:
        results = [list(result) for result in self.results]
        then = self.then.describe() if self.then else None
        return {"source": "scripted", "results": results, "then": then, "skip": self.skip}

    def __repr__(self) -> str:
        rest = f", then={self.then!r}, skip={self.skip}" if self.then else ""
        return f"Scripted({self.results!r}{rest})"


def no_purpose() -> str:
    """What a throw is for, as long as nobody knows."""
    return ""


class Hand(Physical):
    """Real dice, coins and cards on a real table, asked for one throw at a time.

    A fight that uses them sets `thrown_for`, which says for whom and for what the current throw is.
    """

    def __init__(self, ask: Callable[[Throw], Sequence[int]]) -> None:
        super().__init__()
        self.ask = ask
        self.thrown_for = no_purpose

    def throw(self, throw: Throw) -> Fell:
        return throw.check(self.ask(throw))

    def describe(self) -> dict[str, object]:
        return {"source": "hand"}

    def __repr__(self) -> str:
        return f"Hand({self.ask!r})"
