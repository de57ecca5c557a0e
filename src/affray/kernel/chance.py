"""Chance: the few questions a rule may ask of dice, coins and cards, and where the answers come from."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol

from affray.errors import Invalid

MASK = 2**64 - 1
FRACTION_BITS = 56
MOST_SIDES = 256  # of a die, and the most to pick from: more would not fit beside a fraction in one word
MOST_TENS = 6  # tens dice of one d100
WORD_SERVES = 2**24  # one word serves dice until their joint outcomes exceed this: bias below 2**-32


class Dice(Protocol):
    """A source of chance, as the rules see it."""

    def heads(self, n: int) -> int: ...
    def pips(self, n: int, sides: int) -> int: ...
    def reaches(self, n: int, sides: int, target: int) -> bool: ...
    def successes(self, n: int, at_least: int) -> int: ...
    def percent(self, net: int) -> int: ...
    def graded(self, net: int, bounds: tuple[int, int, int, int, int, int]) -> int: ...
    def draw(self, pile: int) -> int: ...
    def draw_unseen(self, pile: int) -> int: ...
    def pick(self, n: int) -> int: ...
    def flip_off(self, n: int) -> int: ...


class Tape(Dice, Protocol):
    """A source of chance that is wound through all outcomes."""

    @property
    def asked(self) -> bool: ...


def heads(dice: Dice, n: int) -> int:
    """Flip n coins: how many come up heads."""
    return dice.heads(n)


def pips(dice: Dice, n: int, sides: int) -> int:
    """Roll n dice: their sum."""
    return dice.pips(n, sides)


def reaches(dice: Dice, n: int, sides: int, target: int) -> bool:
    """Roll n dice: whether their sum is the target or more. Asking no more than that keeps exact odds small."""
    return dice.reaches(n, sides, target)


def successes(dice: Dice, n: int, at_least: int) -> int:
    """Roll n six-sided dice: how many show at_least or more."""
    return dice.successes(n, at_least)


def percent(dice: Dice, net: int) -> int:
    """Roll d100 with `net` bonus (positive) or penalty (negative) tens dice: 1 to 100."""
    return dice.percent(net)


def graded(dice: Dice, net: int, bounds: tuple[int, int, int, int, int, int]) -> int:
    """Roll d100 as `percent` does: how many of six bounds it stays within. A bound of 0 never counts.

    Asking no more than that keeps exact odds small, as with `reaches`.
    """
    return dice.graded(net, bounds)


def draw(dice: Dice, pile: int) -> int:
    """Draw a card from a pile given as a bitmask: the number of the card's bit."""
    return dice.draw(pile)


def draw_unseen(dice: Dice, pile: int) -> int:
    """Draw a card that is laid down without being looked at: the rules know it, no log may show it."""
    return dice.draw_unseen(pile)


def pick(dice: Dice, n: int) -> int:
    """One of n equal chances: 0 to n - 1."""
    return dice.pick(n)


def flip_off(dice: Dice, n: int) -> int:
    """Some who are tied flip a coin each until one is left: 0 to n - 1.

    Whoever flips Tails drops out, unless everybody did. All have the same chance, which is all that exact odds ask.
    """
    return dice.flip_off(n)


def asked(tape: Tape) -> bool:
    """Whether a tape has met chance since it was wound back."""
    return tape.asked


@dataclass(frozen=True, slots=True)
class Throw:
    """One physical act of chance: what is thrown, and what a result may look like."""

    kind: Literal["dice", "coins", "percent", "card", "pick"]
    n: int
    sides: int = 2
    turn: int = field(default=-1, compare=False)
    """Whose turn it is among several who throw one after the other, from 0 on."""

    def __post_init__(self) -> None:
        """Refuse what no stream can serve out of its words."""
        largest = {"dice": self.sides, "percent": self.n, "pick": self.n}.get(self.kind, 1)
        most = MOST_TENS if self.kind == "percent" else MOST_SIDES
        if self.n < 0 or not 1 <= largest <= most:
            raise Invalid(f"{self.kind} of {self.n} and {self.sides} sides cannot be thrown; {most} is the most")

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

    def check(self, result: Sequence[int]) -> tuple[int, ...]:
        """The result as a tuple, or a sentence saying what this throw may show."""
        count, low, high = self._bounds()
        if len(result) != count:
            raise Invalid(f"{self} gives {count} number(s), not {len(result)}: {list(result)}", given=list(result))
        for number in result:
            if type(number) is not int or not self._fits(number, low, high):
                raise Invalid(f"{self} cannot show {number!r}; allowed is {self._allowed(low, high)}", given=number)
        return tuple(result)

    def _bounds(self) -> tuple[int, int, int]:
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

    def _fits(self, number: int, low: int, high: int) -> bool:
        return low <= number <= high and (self.kind != "card" or bool(self.n >> number & 1))

    def _allowed(self, low: int, high: int) -> str:
        if self.kind == "card":
            return "one of " + ", ".join(str(card) for card in cards_of(self.n))
        return f"{low} to {high}"


def cards_of(pile: int) -> list[int]:
    """The cards in a pile given as a bitmask, lowest first."""
    return [card for card in range(pile.bit_length()) if pile >> card & 1]


def read_percent(faces: Sequence[int], net: int) -> int:
    """What a d100 shows: its units die first, then the tens dice, of which a bonus keeps the lowest value."""
    units, *tens = faces
    values = [(10 * ten + units) or 100 for ten in tens]
    return min(values) if net > 0 else max(values)


class Unseen(tuple[int, ...]):
    """A result that fell face down."""

    __slots__ = ()


class Physical:
    """Chance that really falls on a table: every result is kept in `fallen`, for the log."""

    def __init__(self) -> None:
        self.fallen: list[tuple[int, ...]] = []

    def throw(self, throw: Throw) -> tuple[int, ...]:
        """Let it fall."""
        raise NotImplementedError

    def _fall(self, throw: Throw) -> tuple[int, ...]:
        result = self.throw(throw)
        self.fallen.append(result)
        return result

    def heads(self, n: int) -> int:
        return self._fall(Throw("coins", n))[0]

    def pips(self, n: int, sides: int) -> int:
        return sum(self._fall(Throw("dice", n, sides)))

    def reaches(self, n: int, sides: int, target: int) -> bool:
        return self.pips(n, sides) >= target

    def successes(self, n: int, at_least: int) -> int:
        return sum(face >= at_least for face in self._fall(Throw("dice", n, 6)))

    def percent(self, net: int) -> int:
        return read_percent(self._fall(Throw("percent", 1 + abs(net))), net)

    def graded(self, net: int, bounds: tuple[int, int, int, int, int, int]) -> int:
        rolled = self.percent(net)
        return sum(rolled <= bound for bound in bounds)

    def draw(self, pile: int) -> int:
        return self._fall(Throw("card", pile))[0]

    def draw_unseen(self, pile: int) -> int:
        card = self.draw(pile)
        self.fallen[-1] = Unseen(self.fallen[-1])
        return card

    def pick(self, n: int) -> int:
        return self._fall(Throw("pick", n))[0]

    def flip_off(self, n: int) -> int:
        left = list(range(n))
        while len(left) > 1:
            left = [who for who in left if self._fall(Throw("coins", 1, turn=who))[0]] or left
        return left[0]

    @property
    def position(self) -> int:
        """How far the source has been used; setting it back takes the last results back."""
        return 0

    @position.setter
    def position(self, position: int) -> None:
        pass

    def describe(self) -> dict[str, object]:
        """What a save file needs to go on with this source."""
        raise NotImplementedError


class Stream(Physical):
    """Chance out of a numbered stream of 64-bit words; subclasses say what word number i is."""

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

    def _next(self) -> int:
        self._position += 1
        return self.word(self._position)

    def _below(self, n: int, bound: int) -> list[int]:
        """n numbers from 0 to bound - 1, as many out of one word as it can serve."""
        numbers = []
        rest, served = 0, 2 * WORD_SERVES  # the first number always opens a word, even one of a single chance
        for _ in range(n):
            served *= bound
            if served > WORD_SERVES:
                rest, served = self._next() >> (64 - FRACTION_BITS), bound
            rest *= bound
            numbers.append(rest >> FRACTION_BITS)
            rest &= 2**FRACTION_BITS - 1
        return numbers

    def throw(self, throw: Throw) -> tuple[int, ...]:
        match throw.kind:
            case "dice":
                return tuple(number + 1 for number in self._below(throw.n, throw.sides))
            case "coins":
                whole, rest = divmod(throw.n, 64)
                count = sum(self._next().bit_count() for _ in range(whole))
                return (count + (self._next() >> (64 - rest)).bit_count() if rest else count,)
            case "percent":
                return tuple(self._below(1 + throw.n, 10))
            case "card":
                cards = cards_of(throw.n)
                return (cards[self._below(1, len(cards))[0]],)
            case "pick":
                return tuple(self._below(1, throw.n))


def mix(word: int) -> int:
    """A 64-bit finaliser: every input bit reaches every output bit."""
    word = ((word ^ (word >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    word = ((word ^ (word >> 27)) * 0x94D049BB133111EB) & MASK
    return word ^ (word >> 31)


DICE, WHIM = 0, 0x5851F42D4C957F2D  # the fight's own dice, and what its computer fighters think with


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
        return mix((self._start + index * self._step) & MASK)

    def describe(self) -> dict[str, object]:
        return {"source": "seeded", "seed": self.seed, "number": self.number}

    def __repr__(self) -> str:
        return f"Seeded({self.seed}, {self.number})"


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
    """Tests, replays, forks: results written down before. Missing and unused ones are complained about.

    After the script, `then` goes on, if given; `skip` is how far it has been used already.
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

    def throw(self, throw: Throw) -> tuple[int, ...]:
        if self._at < len(self.results):
            result = throw.check(self.results[self._at])
            self._at += 1
            return result
        if self.then is None:
            raise Invalid(f"the script of results has ended after {self._at}, and {throw} is due")
        return self.then.throw(throw)

    def finish(self) -> None:
        """Complain when results are left over: then the script and the rules disagree."""
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

    A fight that takes them sets `thrown_for`, which says for whom and what the throw is that is being asked for.
    """

    def __init__(self, ask: Callable[[Throw], Sequence[int]]) -> None:
        super().__init__()
        self.ask = ask
        self.thrown_for = no_purpose

    def throw(self, throw: Throw) -> tuple[int, ...]:
        return throw.check(self.ask(throw))

    def describe(self) -> dict[str, object]:
        return {"source": "hand"}

    def __repr__(self) -> str:
        return f"Hand({self.ask!r})"
