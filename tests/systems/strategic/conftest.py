"""A stage for the rules of a strategic fight: given fighters, coins as they are to fall, then what came of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import pytest

from affray.errors import Illegal
from affray.fight import Fight
from affray.kernel.chance import Hand, Throw
from affray.kernel.exact import Exact
from affray.kernel.state import STANDING
from affray.systems.strategic import events, state
from affray.systems.strategic.state import Fighter

Fell = int | Sequence[int]

RULINGS = {
    "life_check_at": 15,
    "strength_melee": 3,
    "strength_bludgeon": 3,
    "agility_edged": 3,
    "agility_ranged": 3,
    "agility_defence": 3,
    "initiative_base": 3,
    "agility_initiative": 3,
    "strength_weight": 3,
    "weight_initiative": 75,
    "armour_initiative": 75,
    "least_initiative": 1,
    "openings_base": 1,
    "moves_base": 2,
    "training_a_move": 2,
    "margin_damage": 100,
    "control_base": 1,
    "pain_soak": 0,
    "incapacitation_soak": 50,
    "crippling_soak": 100,
    "least_pain": 1,
    "standoff": 10,
    "strike_attack": 0,
    "jab_attack": 2,
    "jab_initiative": 1,
    "jab_pools": 50,
    "power_attack": -1,
    "power_pools": 2,
    "power_defence": -1,
    "pull_attack": 0,
    "pull_lethality": 50,
    "maim_attack": 0,
    "maim_cripple": 3,
    "maim_others": -2,
    "gap_attack": -1,
    "guarded_attack": -1,
    "guarded_defence": 2,
    "disarm_attack": -2,
    "disarm_margin": 2,
    "threat_attack": 1,
    "strength_threat": 3,
    "training_nerve": 3,
    "parry_defence": 0,
    "parry_margin": 2,
    "parry_initiative": 2,
    "dodge_defence": 1,
    "dodge_initiative": -1,
    "dodge_penalty": 2,
    "brace_defence": -2,
    "brace_soak": 3,
    "stand_down_defence": 150,
    "helpless_defence": 0,
}
"""The numbers of the rulings, with which every scene is played: balancing the defaults changes no rule."""

ALL_SEEN = {"moves_base": 7, "openings_base": 7}
"""Everybody knows every attack move and sees an opening for it."""

WORDS = {
    state.FOR_LIFE: "life",
    state.FOR_INITIATIVE: "initiative",
    state.FOR_OPENINGS: "openings",
    state.FOR_AN_OPENING: "opening",
    state.FOR_PAIN_PENALTY: "penalty",
    state.FOR_ATTACK: "attack",
    state.FOR_DEFENCE: "defence",
    state.FOR_PAIN: "pain",
    state.FOR_INCAPACITATION: "incapacitation",
    state.FOR_CRIPPLING: "crippling",
    state.FOR_CONTROL: "control",
    state.FOR_SLIP: "slip",
    state.FOR_SOAK: "soak",
    state.FOR_THREAT: "threat",
    state.FOR_NERVE: "nerve",
    state.FOR_STOP: "stop",
}
"""How a test calls what coins are flipped for; `flip_off` are the single coins of a Flip-Off."""


class Flip(NamedTuple):
    """Some coins as they fell: by whom and what for, how many, and how many Heads."""

    who: str
    what: str
    coins: int
    heads: int


class Laid(Hand):
    """Coins that fall as the test names them, by what they are flipped for, one after another.

    What opens a round falls by itself where it is not named: Life checks are passed, `acts` wins the initiative and
    sees all openings that can be seen.
    """

    def __init__(self, acts: str) -> None:
        super().__init__(self._fall_for)
        self.acts = acts
        self.laid: dict[str, list[int]] = {}
        self.flips: list[Flip] = []

    def __repr__(self) -> str:
        return "Laid()"

    def lay(self, fell: Mapping[str, Fell]) -> None:
        """What is to fall next."""
        strange = set(fell) - {*WORDS.values(), "flip_off"}
        assert not strange, f"nothing is flipped for {strange}"
        self.laid = {what: [heads] if isinstance(heads, int) else list(heads) for what, heads in fell.items()}
        self.flips = []

    def finish(self) -> None:
        """Complain when coins are left over: then the test and the rules disagree."""
        left = {what: heads for what, heads in self.laid.items() if heads}
        assert not left, f"these coins were never flipped: {left}; those were: {self.flips}"

    def _fall_for(self, throw: Throw) -> tuple[int, ...]:
        who, what = self._asked()
        if self.laid.get(what):
            heads = self.laid[what].pop(0)
        else:
            usual = {"life": 1, "initiative": int(who == self.acts), "openings": throw.n}
            assert what in usual, f"{who} flips {throw} for {what}, and the test does not say how they fall"
            heads = usual[what]
        self.flips.append(Flip(who, what, throw.n, heads))
        return (heads,)

    def _asked(self) -> tuple[str, str]:
        """Whose coins are due and what for, as a table with real coins is told it."""
        announced = self.thrown_for()
        if announced.startswith("Flip-Off"):
            return "", "flip_off"
        who, _, purpose = announced.partition(", ")
        return who, next(WORDS[what] for what, text in events.WHAT.items() if purpose.startswith(text))


class Scene:
    """A fight with the numbers of the rulings, played move by move with coins that fall as the test says."""

    def __init__(self, teams: Mapping[str, Mapping[str, Any]], options: Mapping[str, object], **fell: Fell) -> None:
        seated = {
            team: [{"name": name.title(), **STANDARD, **changes} for name, changes in members.items()]
            for team, members in teams.items()
        }
        self.dice = Laid(next(name for members in teams.values() for name in members))
        self.dice.lay(fell)
        self.fight = Fight("strategic", seated, dice=self.dice, options={**RULINGS, **ALL_SEEN, **options})
        self.dice.finish()

    def __getitem__(self, name: str) -> Fighter:
        found: Fighter = self.fight.state.fighters[self.fight.index(name)]
        return found

    def move(self, who: str, text: str, *, then: str | None = None, **fell: Fell) -> list[str]:
        """Play a move for which exactly these coins fall; what was told. `then` acts when a new round begins.

        Without it the fighter who acted goes on, or the next who is left.
        """
        if then:
            self.dice.acts = then
        elif self[self.dice.acts].state != STANDING:
            self.dice.acts = self.standing[0]
        self.dice.lay(fell)
        lines = [str(line) for line in self.fight.play(who, text)]
        self.dice.finish()
        return lines

    def blow(self, who: str, text: str, whom: str, answer: str, /, then: str | None = None, **fell: Fell) -> list[str]:
        """An attack and the defence against it; what was told."""
        return self.move(who, text) + self.move(whom, answer, then=then, **fell)

    def refused(self, who: str, text: str) -> str:
        """The sentence with which a move is refused; nothing has changed, nothing was flipped, the turn is kept."""
        before = repr(self.fight), repr(self.fight.state), list(self.dice.fallen), self.fight.to_act
        with pytest.raises(Illegal) as caught:
            self.fight.play(who, text)
        assert (repr(self.fight), repr(self.fight.state), list(self.dice.fallen), self.fight.to_act) == before
        return str(caught.value)

    def legal(self, who: str) -> list[str]:
        return [str(move) for move in self.fight.legal(who)]

    def closed(self, who: str) -> dict[str, str]:
        """What is impossible now, and why."""
        _, impossible = self.fight.legal(who, explain=True)
        return {closed.notation: closed.reason for closed in impossible}

    def coins(self, what: str) -> list[int]:
        """How many coins were flipped for something since the last move, throw by throw."""
        return [flip.coins for flip in self.dice.flips if flip.what == what]

    def marks(self, who: str) -> tuple[int, int, int]:
        """Pain, Incapacitation and Crippling."""
        fighter = self[who]
        return fighter.pain, fighter.incapacitation, fighter.crippling

    @property
    def flips(self) -> list[Flip]:
        """What has fallen since the last move."""
        return list(self.dice.flips)

    @property
    def standing(self) -> list[str]:
        return [name for name in self.fight.names if self[name].state == STANDING]

    @property
    def to_act(self) -> list[str]:
        return self.fight.to_act

    @property
    def ending(self) -> str | None:
        assert (self.fight.ending is None) == bool(self.fight.to_act)
        return self.fight.ending


STANDARD = {"strength": 6, "agility": 3, "discipline": 4, "training": 4, "weapon": "broadsword"}
"""Attack 7, Defence 8, initiative 8; damage 8 of which 4 are lethal; Hardiness 2, no armour, 30 Life Coins."""


@pytest.fixture
def duel() -> Callable[..., Scene]:
    """Ada (`ada`) against Bob (`bob`), both as STANDARD says unless changed; Ada acts first."""

    def meet(ada: Mapping[str, object] | None = None, bob: Mapping[str, object] | None = None, **options: Any) -> Scene:
        return Scene({"order": {"ada": ada or {}}, "raiders": {"bob": bob or {}}}, options)

    return meet


@pytest.fixture
def brawl() -> Callable[..., Scene]:
    """Any teams: names with their changes, or just names; who is named first acts first."""

    def together(options: Mapping[str, object] | None = None, **teams: Mapping[str, Any] | Sequence[str]) -> Scene:
        filled = {
            team: members if isinstance(members, Mapping) else {name: {} for name in members}
            for team, members in teams.items()
        }
        return Scene(filled, options or {})

    return together


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
def numbers() -> Mapping[str, int]:
    """Every number of the rules as the rulings have it."""
    return RULINGS
