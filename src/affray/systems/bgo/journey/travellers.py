"""A player on the board: Health, equipment, boons, curses and a pack, and everything that can change them."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from affray.systems.bgo import sheets
from affray.systems.bgo.sheets import Boon, Consumable, Curse, Item, Player, Sheet, Stats, carried, effective

LastingT = TypeVar("LastingT", bound=Boon)

PERSON = "person"
"""The value of `plays` for a player who is asked; for a computer player it is the tactic."""


@dataclass(frozen=True, kw_only=True)
class Traveller:
    """A player on the board. Every change makes a new one, so that taking back costs nothing."""

    handle: str  # the player's name in questions and answers
    plays: str
    player: Player  # own statistics and all that counts in an encounter; `current` is Health now
    square: int = 0  # 0 is before the first
    spares: tuple[Item, ...] = ()  # 37: one for each slot
    pack: tuple[Consumable, ...] = ()
    misses: int | None = None  # how many board rounds a dead player still misses
    gates: int = 0  # 44: how many are open to the player
    met: tuple[str, ...] = ()  # the ids of all creatures that the player has encountered
    defeated: tuple[str, ...] = ()  # and of those that the player has defeated

    @property
    def name(self) -> str:
        """The player's name in the story."""
        return self.player.name

    @property
    def alive(self) -> bool:
        """Whether the player is alive."""
        return self.misses is None

    @property
    def stats(self) -> Stats:
        """The statistics including everything carried; `health` is the maximum."""
        return effective(self.player, carried(self.player))

    @property
    def health(self) -> int:
        """Health now."""
        return self.stats.health if self.player.current is None else self.player.current

    @property
    def owned(self) -> frozenset[str]:
        """The ids of all equipment, boons and curses that the player has."""
        player = self.player
        things: list[Item | Boon] = [*player.equipment, *self.spares, *player.boons, *player.curses]
        return frozenset(thing.id for thing in things)

    def rank(self, divisor: int) -> int:
        """The player's rank (ruling 11)."""
        return sheets.rank(self.player.equipment, divisor)

    def sheet(self, divisor: int) -> Sheet:
        """The player's sheet for an encounter."""
        return sheets.finished_sheet(self.player, rank_divisor=divisor, where=self.name)

    def worn(self, slot: str) -> Item | None:
        """The item worn in a slot."""
        return next((item for item in self.player.equipment if item.slot == slot), None)

    def spare(self, slot: str) -> Item | None:
        """What the pack holds for a slot."""
        return next((item for item in self.spares if item.slot == slot), None)


# Health


def with_health(traveller: Traveller, health: int) -> Traveller:
    """The traveller with that Health, kept between 0 and the maximum."""
    kept = max(0, min(health, traveller.stats.health))
    return replace(traveller, player=replace(traveller.player, current=kept))


def healed(traveller: Traveller, amount: int) -> Traveller:
    """Health regained, up to the maximum."""
    return with_health(traveller, traveller.health + amount)


def _changed(traveller: Traveller, *, gains: bool = True, **things: Any) -> Traveller:
    """The traveller with other equipment, boons or curses; Health changes with the maximum (18), or is only capped."""
    before, health = traveller.stats.health, traveller.health
    changed = replace(traveller, player=replace(traveller.player, **things))
    most = changed.stats.health
    return with_health(changed, sheets.refit(health, before, most) if gains and traveller.alive else health)


# Equipment


def wearing(traveller: Traveller, item: Item) -> Traveller:
    """The traveller wearing something just gained; what it replaces becomes the spare of its slot (37)."""
    replaced = traveller.worn(item.slot)
    dressed = _changed(traveller, equipment=_in_place(traveller.player.equipment, item))
    return dressed if replaced is None else keeping(dressed, replaced)


def keeping(traveller: Traveller, item: Item) -> Traveller:
    """The traveller with the item in the pack, in place of the spare of its slot (37)."""
    return replace(traveller, spares=_in_place(traveller.spares, item))


def changing(traveller: Traveller, item: Item) -> Traveller:
    """The traveller wearing a spare from the pack; what was worn becomes the spare.

    38: this gives no Health, or changing back and forth would heal.
    """
    spares = tuple(other for other in traveller.spares if other.slot != item.slot)
    replaced = traveller.worn(item.slot)
    bare = replace(traveller, spares=spares)
    dressed = _changed(bare, gains=False, equipment=_in_place(traveller.player.equipment, item))
    return dressed if replaced is None else keeping(dressed, replaced)


def _in_place(items: tuple[Item, ...], item: Item) -> tuple[Item, ...]:
    """The items with this one in its slot, in the order of the slots."""
    return tuple(sorted((*(o for o in items if o.slot != item.slot), item), key=lambda o: sheets.SLOTS.index(o.slot)))


# Boons, curses and consumables


def blessed(traveller: Traveller, boon: Boon) -> Traveller:
    """The traveller with a boon; one that the traveller already has starts again (36)."""
    return _changed(traveller, boons=_renewed(traveller.player.boons, boon))


def cursed(traveller: Traveller, curse: Curse) -> Traveller:
    """The traveller with a curse; one that the traveller already has starts again (36)."""
    return _changed(traveller, curses=_renewed(traveller.player.curses, curse))


def _renewed(things: tuple[LastingT, ...], thing: LastingT) -> tuple[LastingT, ...]:
    return (*(other for other in things if other.id != thing.id), thing)


def packing(traveller: Traveller, consumable: Consumable) -> Traveller:
    """The traveller with one more consumable."""
    return replace(traveller, pack=(*traveller.pack, consumable))


def using(traveller: Traveller, consumable: Consumable, curse: str | None) -> Traveller:
    """The traveller after using a consumable (30): it ends the named curse, then the oldest ones, then heals."""
    pack = list(traveller.pack)
    pack.remove(consumable)
    used = replace(traveller, pack=tuple(pack))
    if consumable.ends_curses and curse is not None:
        curses = sorted(used.player.curses, key=lambda other: other.id != curse)
        ended = {other.id for other in curses[: consumable.ends_curses]}
        used = _changed(used, curses=tuple(other for other in used.player.curses if other.id not in ended))
    return healed(used, consumable.heal)


# Encounters, death and return


def after_encounter(traveller: Traveller, health: int, spent: Collection[str]) -> Traveller:
    """The traveller after an encounter: new Health, used boons gone, and one encounter less for the others.

    `spent` are the abilities that work only once and have worked: undying, ward.
    """
    hurt = with_health(traveller, health)
    used = used_up(traveller, spent)
    boons = tuple(boon for boon in hurt.player.boons if boon not in used)
    return _changed(hurt, boons=_ticked(boons), curses=_ticked(hurt.player.curses))


def used_up(traveller: Traveller, spent: Collection[str]) -> list[Boon]:
    """The boons that last until used and were used. 39: equipment with the same ability is used first, and kept."""
    kept = effective(traveller.player, traveller.player.equipment).abilities
    used = frozenset(spent) - kept.keys()
    return [boon for boon in traveller.player.boons if boon.lasts == "until-used" and used & boon.abilities.keys()]


def _ticked(things: tuple[LastingT, ...]) -> tuple[LastingT, ...]:
    """Boons or curses after an encounter: those that last for some encounters have one less, and end at 0."""
    ticked = (
        replace(thing, encounters=thing.encounters - 1) if thing.lasts == "encounters" else thing for thing in things
    )
    return tuple(thing for thing in ticked if thing.lasts != "encounters" or thing.encounters > 0)


def buried(traveller: Traveller, rounds: int) -> Traveller:
    """The traveller, dead for so many board rounds; what lasts until death ends (8)."""
    boons = tuple(boon for boon in traveller.player.boons if boon.lasts != "until-death")
    curses = tuple(curse for curse in traveller.player.curses if curse.lasts != "until-death")
    player = replace(traveller.player, boons=boons, curses=curses, current=0)
    return replace(traveller, player=player, misses=rounds)


def returned(traveller: Traveller) -> Traveller:
    """The traveller back from the dead, on the same square with full Health (8)."""
    alive = replace(traveller, misses=None)
    return with_health(alive, alive.stats.health)
