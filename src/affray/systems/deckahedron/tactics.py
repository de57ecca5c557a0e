"""Named ways to fight with a Deckahedron, as rules: they decide from the record and their own whim."""

from __future__ import annotations

from affray.kernel.chance import Dice, pick
from affray.kernel.rules import apart, row, rule
from affray.kernel.state import is_foe
from affray.kernel.weights import how_many
from affray.systems.deckahedron import rules
from affray.systems.deckahedron.cards import STAMINA
from affray.systems.deckahedron.rules import Fight, Fighter, move_code, points_left, weapon
from affray.systems.deckahedron.tables import DEAL_HARM, DEAL_WOUND, DROP


@rule
def weakest_foe(fight: Fight, who: int, near_only: bool) -> int:
    """The foe with the fewest points left, the first of equals; -1 if there is none."""
    weakest = -1
    least = 0
    for other in range(len(fight.fighters)):
        if not is_foe(fight, who, other):
            continue
        if near_only and not fight.fighters[who].near >> other & 1:
            continue
        if fight.phase == rules.AMBUSH and not fight.fighters[other].unaware:
            continue
        left = points_left(fight, fight.fighters[other])
        if weakest < 0 or left < least:
            weakest = other
            least = left
    return weakest


@apart
def brawl(fight: Fight, who: int) -> int:
    """Strike the weakest foe at hand, or close in on one; a pinned brawler picks up or waits."""
    fighter = fight.fighters[who]
    near = weakest_foe(fight, who, True)
    if near >= 0:
        return move_code(rules.STRIKE, near)
    if weapon(fighter, rules.MELEE_WEAPON) > rules.HELD:
        return move_code(rules.PICK_UP, rules.MELEE_WEAPON)
    any_foe = weakest_foe(fight, who, False)
    if rules.can_shoot(fighter) and any_foe >= 0:
        return move_code(rules.SHOOT, any_foe)
    if fighter.pinned or fight.phase == rules.AMBUSH:
        return rules.WAIT
    return move_code(rules.CLOSE_IN, any_foe)


@rule
def is_safe_to_leave(fight: Fight, who: int) -> bool:
    """Whether there are foes at close range, and all of them are pinned: otherwise they would only close in again."""
    held = False
    for other in range(len(fight.fighters)):
        if is_foe(fight, who, other) and fight.fighters[who].near >> other & 1:
            if not fight.fighters[other].pinned:
                return False
            held = True
    return held


@apart
def snipe(fight: Fight, who: int) -> int:
    """Shoot, rearm when it is empty, pick the weapon up, brawl without one; fall back only from whom cannot follow."""
    fighter = fight.fighters[who]
    if weapon(fighter, rules.RANGED_WEAPON) > rules.HELD and fight.phase == rules.ACT:
        return move_code(rules.PICK_UP, rules.RANGED_WEAPON)
    if weapon(fighter, rules.RANGED_WEAPON) != rules.HELD:
        return brawl(fight, who)
    if not fighter.pinned and fight.phase == rules.ACT and is_safe_to_leave(fight, who):
        return rules.FALL_BACK
    if fighter.ammo == 0 and fight.phase == rules.ACT and fighter.most_ammo > 0:
        return rules.REARM
    target = weakest_foe(fight, who, False)
    if rules.can_shoot(fighter) and target >= 0:
        return move_code(rules.SHOOT, target)
    return brawl(fight, who)


@rule
def choose_result(fight: Fight, who: int, wounding: bool) -> int:
    """One side of a row's choice: fatigue, unless a Wound or Harm is wanted; drop nothing while it can be paid."""
    if fight.other == DROP:
        fighter = fight.fighters[who]
        if points_left(fight, fighter) > 4:
            return rules.EITHER
        which = rules.RANGED_WEAPON if weapon(fighter, rules.RANGED_WEAPON) == rules.HELD else rules.MELEE_WEAPON
        return move_code(rules.DROP_ITEM, which)
    return rules.OTHER if wounding and fight.other & (DEAL_WOUND | DEAL_HARM) else rules.EITHER


@rule
def lose_a_point(fight: Fight, who: int) -> int:
    """Tokens first; in Gritty mode reshuffle before a search when the discard pile is poor in Stamina."""
    fighter = fight.fighters[who]
    if fighter.tokens < fighter.token_slots:
        return rules.PAY_TOKEN
    if fight.gritty and fighter.has_deck and fighter.discard:
        poor = 2 * how_many(fighter.discard & STAMINA) < how_many(fighter.discard)
        return rules.PAY_AFTER_RESHUFFLE if poor and rules.deck_size(fighter) < 8 else rules.PAY_STAMINA
    return rules.PAY_STAMINA


@rule
def regain_one(fight: Fight, who: int) -> int:
    """The first card that can come back; tokens last."""
    moves = row(rules.most_moves(len(fight.fighters)))
    count = rules.legal(fight, who, moves)
    return moves[0] if count > 0 else rules.REGAIN_TOKEN


@apart
def look_after_oneself(fight: Fight, who: int, far: bool, wounding: bool) -> int:
    """Every decision that is not an action."""
    phase = fight.phase
    fighter = fight.fighters[who]
    if phase == rules.CHOOSE:
        return choose_result(fight, who, wounding)
    if phase == rules.LOSE:
        return lose_a_point(fight, who)
    if phase == rules.REGAIN:
        return regain_one(fight, who)
    if phase == rules.MOVE:
        if fighter.pinned:
            return rules.SHAKE_OFF
        if fight.fighters[fight.actor].superior >> who & 1:
            return move_code(rules.BREAK_AWAY, fight.actor)
        near = fighter.near >> fight.actor & 1
        return rules.CHANGE_RANGE if (near and far) or (not near and not far) else rules.STAY
    # Good cards lie in the open there; what is left in the deck is unknown.
    return rules.RESHUFFLE if 2 * how_many(fighter.discard & STAMINA) > how_many(fighter.discard) else rules.KEEP


@rule
def should_breathe(fight: Fight, fighter: Fighter, left: int) -> bool:
    """Whether it is time for a Breather: few points left, and something to bring back."""
    return (
        points_left(fight, fighter) <= left
        and rules.can_breathe(fight, fighter)
        and rules.regainable(fight, fighter) >= 2
    )


@rule
def breathe_well(fighter: Fighter) -> int:
    """A Breather by the better of the two stats."""
    return move_code(rules.BREATHE, rules.INT if fighter.intelligence >= fighter.dexterity else rules.DEX)


@rule
def brawler(fight: Fight, who: int, whim: Dice) -> int:
    """Close in and strike, whatever it costs."""
    if fight.phase == rules.ACT or fight.phase == rules.AMBUSH:
        return brawl(fight, who)
    return look_after_oneself(fight, who, False, False)


@rule
def archer(fight: Fight, who: int, whim: Dice) -> int:
    """Keep away and shoot."""
    if fight.phase == rules.ACT or fight.phase == rules.AMBUSH:
        return snipe(fight, who)
    return look_after_oneself(fight, who, True, False)


@rule
def careful(fight: Fight, who: int, whim: Dice) -> int:
    """Fight with what suits best, breathe in time, and run when it goes badly."""
    fighter = fight.fighters[who]
    if fight.phase == rules.ACT:
        if (
            points_left(fight, fighter) <= 2
            and not fighter.pinned
            and points_left(fight, fighter) > rules.cost_of_running(fight, fighter)
        ):
            foe = weakest_foe(fight, who, False)
            if foe >= 0 and points_left(fight, fight.fighters[foe]) > 2 + points_left(fight, fighter):
                return rules.RUN
        if should_breathe(fight, fighter, 5):
            return breathe_well(fighter)
    if fight.phase == rules.ACT or fight.phase == rules.AMBUSH:
        return snipe(fight, who) if fighter.dexterity > fighter.strength else brawl(fight, who)
    return look_after_oneself(fight, who, fighter.dexterity > fighter.strength, False)


@rule
def wounder(fight: Fight, who: int, whim: Dice) -> int:
    """Strike, and take a Wound or Harm over fatigue wherever there is the choice."""
    fighter = fight.fighters[who]
    if fight.phase == rules.ACT and should_breathe(fight, fighter, 3):
        return breathe_well(fighter)
    if fight.phase == rules.ACT or fight.phase == rules.AMBUSH:
        return brawl(fight, who)
    return look_after_oneself(fight, who, False, True)


@rule
def random(fight: Fight, who: int, whim: Dice) -> int:
    """A random legal move, all equally likely; but it never yields, nor runs before five cards are lost."""
    moves = row(rules.most_moves(len(fight.fighters)))
    count = rules.legal(fight, who, moves)
    if fight.phase == rules.ACT:  # yielding is last
        count -= 1
    move = moves[pick(whim, count)]
    return rules.WAIT if move == rules.RUN and rules.pile_size(fight.fighters[who]) < 5 else move


TACTICS = {"brawler": brawler, "archer": archer, "careful": careful, "wounder": wounder, "random": random}
