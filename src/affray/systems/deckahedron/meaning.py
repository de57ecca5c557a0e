"""What each move of a fight means: which cards are flipped for it, and what its table may bring."""

from __future__ import annotations

from typing import TYPE_CHECKING

from affray.system.meaning import Meaning
from affray.system.setup import Setup
from affray.system.telling import counted
from affray.systems.deckahedron import rules, tables
from affray.systems.deckahedron.events import WEAPONS
from affray.systems.deckahedron.moves import AIMED, PLAIN, SIDES
from affray.systems.deckahedron.rules import Fight

if TYPE_CHECKING:
    from affray.systems.deckahedron.sheets import Sheet

STATS = {rules.STR: "Str", rules.DEX: "Dex", rules.INT: "Int"}
EFFECTS = {
    tables.DEAL_1: "the foe loses 1 Stamina",
    tables.DEAL_D4: "the foe loses 1d4 Stamina",
    tables.DEAL_D4_AND_1: "the foe loses 1d4+1 Stamina",
    tables.DEAL_HARM: "the foe takes a Harm",
    tables.DEAL_WOUND: "the foe takes a Wound",
    tables.PIN: "the foe is pinned: no moving, no Breather, and harder shots",
    tables.TAKE_D4: "you lose 1d4 Stamina yourself",
}
"""What each side of a row's choice does."""

TEXTS = {
    rules.REARM: "No flip: one more shot for the ranged weapon.",
    rules.YIELD: "You give up and leave the fight.",
    rules.WAIT: "Nothing happens, and the turn is over.",
    rules.PAY_STAMINA: "A card goes from your deck to the Exhaustion pile.",
    rules.PAY_AFTER_RESHUFFLE: "The discard pile is shuffled into the deck first; then a card is lost from it.",
    rules.PAY_TOKEN: "You keep the card, and carry an Exhaustion token instead.",
    rules.STAY: "You stay where you are.",
    rules.CHANGE_RANGE: "You step away, or up to the foe; positions between you are lost.",
    rules.SHAKE_OFF: "You are no longer pinned.",
    rules.REGAIN_ANY: "A card comes back from the Exhaustion pile.",
    rules.REGAIN_TOKEN: "An Exhaustion token goes away.",
    rules.KEEP: "The discard pile stays as it is.",
    rules.RESHUFFLE: "The discard pile is shuffled back into the deck.",
    rules.FALL_BACK: "No flip: you move away from all foes, and out of their superior positions.",
}


def explain(setup: Setup[Sheet], fight: Fight, who: int, move: int) -> Meaning:
    """A move in plain words."""
    kind, about = move & 31, move >> 5
    fighter = fight.fighters[who]
    if kind in AIMED:
        return _aimed(setup, fight, who, kind, about)
    if kind == rules.RUN:
        cost = counted(rules.cost_of_running(fight, fighter), "Stamina point")
        return Meaning("Run", f"You leave the fight, which costs {cost} first.")
    if kind in PLAIN:
        return Meaning(_titled(PLAIN[kind]), TEXTS[kind])
    if kind == rules.BREATHE:
        rank = rules.rank_of(fighter, about)
        gains = "A good flip gives 1d4 Stamina back; all but the best give the foes a superior position."
        return Meaning("Breathe", f"Flip a card for {STATS[about]} {rank}. {gains}", None, STATS[about])
    if kind == rules.BREAK_AWAY:
        return Meaning("Break away", f"{setup.told_as(about)} loses the superior position over you.", about)
    if kind == rules.PICK_UP:
        return Meaning("Pick up", f"No flip: the {WEAPONS[about]} is in your hand again.", None, WEAPONS[about])
    if kind == rules.DROP_ITEM:
        return Meaning("Drop", f"You drop the {WEAPONS[about]} and must pick it up to use it.", None, WEAPONS[about])
    if kind == rules.REGAIN_CARD:
        return Meaning("Take back", "This card comes back from the Exhaustion pile.", None, f"card {about + 1}")
    side = fight.either if kind == rules.EITHER else fight.other
    return Meaning(_titled(SIDES[side]), f"{_titled(EFFECTS[side])}.")


def _aimed(setup: Setup[Sheet], fight: Fight, who: int, kind: int, target: int) -> Meaning:
    foe = setup.told_as(target)
    if kind == rules.CLOSE_IN:
        return Meaning("Close in", f"No flip: you stand close to {foe}, within reach of a blow.", target)
    stat = rules.STR if kind == rules.STRIKE else rules.DEX
    flips = _flip(fight, who, stat, rules.net_of_attack(fight, who, target, stat))
    if fight.fighters[target].unaware:
        result = "A check costs the foe 1d4 Stamina; there is no answer."
    elif kind == rules.STRIKE:
        result = f"{foe} flips too: the better result costs the other Stamina, the best Harm or a Wound."
    else:
        result = f"{foe} flips too: the better the difference, the more Stamina it loses; a bad flip costs ammo."
    return Meaning(_titled(AIMED[kind]), f"{flips} {result[:1].upper()}{result[1:]}", target)


def _flip(fight: Fight, who: int, stat: int, net: int) -> str:
    rank = rules.rank_of(fight.fighters[who], stat)
    count = f"{abs(net) + 1} cards and keep the {'best' if net > 0 else 'worst'}" if net else "a card"
    return f"Flip {count} for {STATS[stat]} {rank}."


def _titled(words: str) -> str:
    return words[:1].upper() + words[1:]
