"""Items and perks: what the tables in `data` and sheets say of one, and the numbers that rules read of it."""

from __future__ import annotations

from functools import cached_property

from affray.system import sheets
from affray.system.schema import Flag, Names, Whole, refusal
from affray.system.sheets import Where, field, things_of
from affray.systems.mythos.terms import PERKS, RAPID_ATTACK
from affray.systems.mythos.weapons import Damage

OWN_ITEMS = 4
ITEM_SLOTS = 3 + OWN_ITEMS
BOOSTED = ("attacks", "reactions", "constitution")
"""What an item can give bonus dice on, in the order of the record."""

EFFECTS = tuple(perk.replace("-", "_") for perk in PERKS)
"""What perks are made of: each of the table has one effect, by whose number rules know it."""


class Item(sheets.Sheet):
    """Something to use in a fight: it mends, gives bonus dice for some turns, or both."""

    heals: str = field(Damage(), "0", "HP that it mends")
    boosts: tuple[str, ...] = field(Names(BOOSTED, of="roll", most=3), (), "attacks, reactions, constitution")
    dice: int | None = field(Whole(1, 2), None, "bonus dice on those; as the option boost_dice says, unless given")
    turns: int = field(Whole(1, 9), 1, "until the end of so many next turns")

    def check(self, where: Where) -> None:
        """It does something, and nothing is said of bonus dice that it does not give."""
        if self.heals == "0" and not self.boosts:
            raise refusal(where("heals"), self.heals, "more than 0 for an item that boosts nothing")
        if not self.boosts and (self.dice or self.turns > 1):
            raise refusal(where("boosts"), [], f"some of {', '.join(BOOSTED)} where dice or turns are given")

    def boost_code(self, usual: int) -> int:
        """The bonus dice on each kind of roll and the turns, as one number; 0 if there are none. 30."""
        dice = self.dice or usual
        if not self.boosts or not dice:
            return 0
        return sum(dice << 2 * place for place, roll in enumerate(BOOSTED) if roll in self.boosts) | self.turns << 6


class Perk(sheets.Sheet):
    """What sets a fighter apart, made of effects. Those for Luck are offered in their moment."""

    beady_eye: bool = field(Flag(), False, "no penalty die for small targets")
    rapid_fire: bool = field(Flag(), False, "no penalty die for two or three shots")
    quick_draw: int = field(Whole(0, 100), 0, "DEX so much higher for the order, with a loaded gun in hand")
    nimble: bool = field(Flag(), False, "diving for cover costs nothing")
    endurance: int = field(Whole(0, 2), 0, "bonus dice on Constitution")
    outmaneuver: int = field(Whole(0, 9), 0, "Build so much higher for one's own manoeuvres")
    alert: bool = field(Flag(), False, "never surprised")
    night_vision: bool = field(Flag(), False, "no penalty die in the dark")
    rapid_attack: int = field(Whole(0, 3), 0, "for Luck: so often a turn one more melee attack")
    heavy_hitter: int = field(Whole(0, 3), 0, "for Luck: so many more of the weapon's dice on a melee attack that won")
    tough_guy: int = field(Whole(0, 20), 0, "for Luck: so much damage less until the end of the round")
    fleet_footed: bool = field(Flag(), False, "for Luck: not outnumbered for the rest of the fight")
    price: int | None = field(Whole(0, 99), None, "Luck for each use; as the option perk_price says, unless given")

    def check(self, where: Where) -> None:
        """It does something, and has a price only if something is offered for Luck."""
        if not self.effects:
            raise refusal(where("effects"), [], f"one or more of {', '.join(EFFECTS)}")
        if self.price is not None and not self.active:
            bought = ", ".join(EFFECTS[RAPID_ATTACK:])
            raise refusal(where("price"), self.price, f"left out where there is none of {bought}")

    @cached_property
    def effects(self) -> dict[int, int]:
        """How much there is of each effect, by its number."""
        amounts = {number: int(getattr(self, effect)) for number, effect in enumerate(EFFECTS)}
        return {number: amount for number, amount in amounts.items() if amount}

    @property
    def active(self) -> bool:
        """Whether something of it is offered for Luck."""
        return any(number >= RAPID_ATTACK for number in self.effects)


ITEMS = things_of(Item, "affray.systems.mythos", "items.toml")
"""Every item by id, in the order of the record."""

KNOWN_PERKS = things_of(Perk, "affray.systems.mythos", "perks.toml")
"""Every perk by id, in the order of their effects."""
