"""The result of a single fight for a player, as on a journey: Health, death, what is used up, and the reward. 47."""

from __future__ import annotations

from collections.abc import Mapping

from affray.kernel.chance import Dice
from affray.system.schema import settle
from affray.system.setup import Setup
from affray.system.telling import counted
from affray.systems.bgo import sheets, things
from affray.systems.bgo.journey.board import Fate
from affray.systems.bgo.journey.travellers import (
    PERSON,
    Traveller,
    after_encounter,
    blessed,
    buried,
    healed,
    keeping,
    packing,
    wearing,
)
from affray.systems.bgo.recovery import DEATH_ROUNDS
from affray.systems.bgo.rules import DEAD, Encounter
from affray.systems.bgo.sheets import OPTIONS, Boon, Consumable, Item, Player, Sheet


def after(
    setup: Setup[Sheet], fight: Encounter, who: int, spec: str, dice: Dice
) -> tuple[Mapping[str, object], list[str]]:
    """What a fight changes in a player's own table, and its story, as for an encounter of a journey. 47."""
    player, _ = sheets.fighter_of(spec)
    if not isinstance(player, Player):
        return {}, []
    fighter, sheet, options = fight.fighters[who], setup.sheets[who], settle(OPTIONS, {})
    spent = [name for name in ("ward", "undying") if name in sheet.abilities and not getattr(fighter, name)]
    before = Traveller(
        handle=player.id,
        plays=PERSON,
        player=sheets.lasting_on(player),
        spares=player.spares,
        pack=player.pack,
    )
    now, told = after_encounter(before, fighter.health, spent), []
    rank = _defeated(setup, fight, who)
    if fighter.state == DEAD:
        now = buried(now, DEATH_ROUNDS)
        told.append(
            f"{player.name} is dead for {counted(DEATH_ROUNDS, 'board round')}; `affray recover round` passes one."
        )
    elif fight.ending == fighter.team:
        now = healed(now, (now.stats.health + 1) // 2)
    if rank and (fight.ending == fighter.team or fight.ending == fight.teams):
        reward = Fate(dice, options).reward(rank, now.owned, now.player.equipment)
        now, done = _taken(now, reward)
        what = "a boon" if isinstance(reward, Boon) else f"a rank {reward.rank} item"
        told.append(f"{player.name} gains {what}, {things.described(reward)}, {done}.")
    if now.alive:
        told.append(f"{player.name} has {now.health} of {now.stats.health} Health.")
    return _changes(before, now), told


def _defeated(setup: Setup[Sheet], fight: Encounter, who: int) -> int:
    """The highest rank among the defeated creatures; 0 if there are none."""
    team = fight.fighters[who].team
    return max(
        (
            setup.sheets[other].rank
            for other, foe in enumerate(fight.fighters)
            if foe.team != team and foe.state == DEAD and setup.sheets[other].kind == "creature"
        ),
        default=0,
    )


def _taken(now: Traveller, reward: Item | Boon | Consumable) -> tuple[Traveller, str]:
    """The player with the reward, and what becomes of it: the player is not asked and wears the higher rank. 47."""
    if isinstance(reward, Consumable):
        return packing(now, reward), "for the pack"
    if isinstance(reward, Boon):
        return blessed(now, reward), "at once"
    worn, spare = now.worn(reward.slot), now.spare(reward.slot)
    if worn is None or worn.rank < reward.rank:
        return wearing(now, reward), "and wears it"
    if spare is None or spare.rank < reward.rank:
        return keeping(now, reward), "and packs it"
    return now, "and leaves it behind"


def _changes(before: Traveller, now: Traveller) -> dict[str, object]:
    """What has changed, as entries of the player's table."""
    was, is_now = _table(before), _table(now)
    changed = {key: value for key, value in is_now.items() if value != was[key]}
    return {"max_health": is_now["max_health"], **changed} if "health" in changed else changed


def _table(traveller: Traveller) -> dict[str, object]:
    player = traveller.player
    ids = {key: [thing.id for thing in getattr(player, key)] for key in ("equipment", "boons", "curses")}
    return {
        # Both, or the Health of a wounded player would be taken for the maximum.
        "max_health": player.health,
        "health": traveller.health if traveller.alive else traveller.stats.health,
        "misses": traveller.misses or 0,
        **ids,
        "spares": [item.id for item in traveller.spares],
        "pack": [thing.id for thing in traveller.pack],
        "lasting": sheets.lasting_of(player),
    }
