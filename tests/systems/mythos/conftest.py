"""A stage for the rules of a fight with the horrors: given fighters, dice as they are to fall, then what came of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

import pytest

from affray.errors import Illegal
from affray.fight import Fight
from affray.kernel import records
from affray.kernel.chance import Scripted
from affray.kernel.exact import Exact
from affray.systems.mythos import rules
from affray.systems.mythos.rules import Fighter

Roster = Mapping[str, Mapping[str, Mapping[str, object]]]
Fell = int | str | Sequence[int]


def fallen(result: Fell) -> tuple[int, ...]:
    """A number is d100 as it reads, without bonus or penalty dice: 34 is 4 and 3, 100 is 0 and 0.

    "34+1" is the same with one bonus or penalty die that falls as the first, so that it reads 34 either way.
    Any other sequence is the dice themselves: faces of damage dice, or the units and then all tens dice of d100.
    """
    if not isinstance(result, int | str):
        return tuple(result)
    number, _, more = str(result).partition("+")
    assert 1 <= int(number) <= 100
    return int(number) % 10, *[int(number) // 10 % 10] * (1 + int(more or 0))


class Scene:
    """A fight that is played move by move with dice that fall as the test says."""

    def __init__(self, teams: Roster, options: Mapping[str, object]) -> None:
        self.dice = Scripted([])
        seated = {
            team: [{"name": name.title(), **sheet} for name, sheet in members.items()]
            for team, members in teams.items()
        }
        self.fight = Fight("mythos", seated, dice=self.dice, options=options)

    def __getitem__(self, name: str) -> Fighter:
        found: Fighter = self.fight.state.fighters[self.fight.index(name)]
        return found

    def move(self, who: str, text: str, *fell: Fell) -> list[str]:
        """Play a move for which exactly these dice fall; what was told."""
        self.dice.results += [fallen(result) for result in fell]
        lines = [str(line) for line in self.fight.play(who, text)]
        self.dice.finish()
        return lines

    def cites(self, kind: str) -> list[str]:
        """The rulings behind the last event of a kind."""
        number = max(place for place, line in enumerate(self.fight.lines) if line.event.kind.name == kind)
        return list(self.fight.cites(number))

    def refused(self, who: str, text: str) -> str:
        """The sentence with which a move is refused; nothing has changed, nothing was rolled, the turn is kept."""
        before = repr(self.fight), repr(self.fight.state), list(self.dice.fallen), self.fight.to_act
        with pytest.raises(Illegal) as caught:
            self.fight.play(who, text)
        assert (repr(self.fight), repr(self.fight.state), list(self.dice.fallen), self.fight.to_act) == before
        return str(caught.value)

    def wait(self, *names: str) -> Scene:
        """Let them wait one after another."""
        for name in names:
            self.move(name, "wait")
        return self

    def legal(self, who: str) -> list[str]:
        return [str(move) for move in self.fight.legal(who)]

    def closed(self, who: str) -> dict[str, str]:
        """What is impossible now, and why."""
        _, impossible = self.fight.legal(who, explain=True)
        return {closed.notation: closed.reason for closed in impossible}

    def lost(self, who: str) -> int:
        """How many HP a fighter is short of the maximum."""
        return self[who].max_hp - self[who].hp

    @property
    def rolls(self) -> list[tuple[int, ...]]:
        """Everything that has fallen, in order."""
        return list(self.dice.fallen)

    @property
    def to_act(self) -> list[str]:
        return self.fight.to_act

    @property
    def ending(self) -> str | None:
        assert (self.fight.ending is None) == bool(self.fight.to_act)
        return self.fight.ending


SKILLS = {"brawl": 50, "sword": 50, "whip": 50, "handgun": 50, "rifle-shotgun": 50, "throw": 50, "dodge": 50}
INVESTIGATOR = {"kind": "investigator", "dexterity": 60, "mov": 7, "max_hp": 20, "skills": SKILLS}
ENEMY = {"kind": "enemy", "dexterity": 50, "mov": 7, "max_hp": 20, "skills": SKILLS}


def fitted(usual: Mapping[str, object], changes: Mapping[str, object] | None) -> Mapping[str, object]:
    """What a test says of a fighter, on top of the usual; a `base` brings its own sheet with it."""
    return {**({} if changes and "base" in changes else usual), **(changes or {})}


@pytest.fixture
def duel() -> Callable[..., Scene]:
    """Ada (`ada`), an investigator of DEX 60, against Bob (`bob`), an enemy of DEX 50.

    Both have 20 HP, MOV 7, CON 50, Build 0, no damage bonus, bare hands, and 50 in what they are asked to roll.
    """

    def meet(ada: Mapping[str, object] | None = None, bob: Mapping[str, object] | None = None, **options: Any) -> Scene:
        return Scene({"heroes": {"ada": fitted(INVESTIGATOR, ada)}, "horrors": {"bob": fitted(ENEMY, bob)}}, options)

    return meet


@pytest.fixture
def brawl() -> Callable[..., Scene]:
    """Heroes and horrors: names with their changes, or just names; fitted out as in a duel."""

    def together(
        heroes: Mapping[str, Any] | Sequence[str], horrors: Mapping[str, Any] | Sequence[str], **options: Any
    ) -> Scene:
        teams = {
            team: {name: fitted(usual, members[name] if isinstance(members, Mapping) else None) for name in members}
            for team, members, usual in (("heroes", heroes, INVESTIGATOR), ("horrors", horrors, ENEMY))
        }
        return Scene(teams, options)

    return together


# How likely something is: counted with the dice in hand, and by the rules


@cache
def counted(net: int) -> Mapping[int, Fraction]:
    """How often d100 shows each number: every units die with every set of tens dice, laid out one by one."""
    ways: Counter[int] = Counter()
    for units, *tens in product(range(10), repeat=2 + abs(net)):
        shown = [100 if units == ten == 0 else 10 * ten + units for ten in tens]
        ways[min(shown) if net > 0 else max(shown)] += 1
    return {number: Fraction(count, ways.total()) for number, count in ways.items()}


@pytest.fixture(scope="session")
def d100() -> Callable[[int], Mapping[int, Fraction]]:
    """What d100 shows with so many bonus (or, below 0, penalty) dice, and how likely."""
    return counted


@pytest.fixture(scope="session")
def weigh() -> Callable[[Callable[[Exact], Any]], dict[Any, Fraction]]:
    """How likely each value is that the rules come to."""

    def weighed(run: Callable[[Exact], Any]) -> dict[Any, Fraction]:
        chances: Counter[Any] = Counter()
        for value, numerator, denominator in Exact().outcomes(run):
            chances[value] += Fraction(numerator, denominator)
        return dict(chances)

    return weighed


@pytest.fixture(scope="session")
def odds_of(weigh: Callable[..., dict[Any, Fraction]]) -> Callable[..., dict[Any, Fraction]]:
    """How likely each value of something is when a fighter has made a move."""

    def odds(scene: Scene, who: str, text: str, what: Callable[[Any], Any]) -> dict[Any, Fraction]:
        fight, index = scene.fight, scene.fight.index(who)
        code = fight.setup.read(fight.state, index, text).code

        def moved(dice: Exact) -> Any:
            state = records.copy(fight.state)
            rules.apply(state, index, code, dice, None)
            return what(state)

        return weigh(moved)

    return odds
