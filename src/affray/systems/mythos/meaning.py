"""What each move of a fight means: what is rolled against which skill, and what a success brings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from affray.kernel.state import standing_foes
from affray.system.meaning import Meaning
from affray.system.setup import Setup
from affray.systems.mythos import rules
from affray.systems.mythos.moves import MANOEUVRES, READYING, TIMES, comrades
from affray.systems.mythos.rules import Fight
from affray.systems.mythos.story import damage_text
from affray.systems.mythos.terms import EXTREME, HARD

if TYPE_CHECKING:
    from affray.systems.mythos.sheets import Sheet

TEXTS = {
    rules.FALL_BACK: ("Fall back", "No roll: you move away from the nearest foe, as far as a turn carries."),
    rules.WAIT: ("Wait", "Nothing happens in your turn."),
    rules.STAND: ("Stand", "You take the shots as they come, and lose nothing by it."),
    rules.SAVE: ("Save it", "You keep the Luck, and the perk for later."),
}
WINS = {
    rules.TRIP: "lies on the ground, which gives attackers a bonus die",
    rules.DISARM: "drops the weapon in hand",
    rules.HOLD: "is held: no fleeing, and a penalty die on attacks",
}
"""What a manoeuvre does to its target."""
READIED = {
    rules.RELOAD: "No roll: it is loaded from your spare ammunition.",
    rules.CLEAR: "No roll: it is ready to shoot again.",
    rules.PICK_UP: "No roll: it is in your hand again.",
}
LEVELS = {HARD: "half of it", EXTREME: "a fifth of it"}


def explain(setup: Setup[Sheet], fight: Fight, who: int, move: int) -> Meaning:
    """A move in plain words."""
    kind, slot, shots, target = move & 31, move >> 5 & 7, move >> 8 & 3, move >> 10
    fighter, sheet = fight.fighters[who], setup.sheets[who]
    if kind in TEXTS:
        return Meaning(*TEXTS[kind])
    if kind == rules.FLEE:
        return Meaning("Flee", "All roll Constitution for their speed: you get away if no foe is faster.")
    if kind in (rules.DODGE, rules.DIVE):
        return _dodge(fight, who, kind)
    if kind == rules.USE:
        return Meaning("Use the perk", f"It costs Luck, of which you have {fighter.luck}, and works at once.")
    if kind in READYING:
        return Meaning(READYING[kind].capitalize(), READIED[kind], None, sheet.slots[slot].name)
    if kind == rules.ITEM:
        item = sheet.item_slots[slot].name
        does = "heals" if fighter.heals[slot] else "gives bonus dice"
        patient = target if len(comrades(fight, who)) > 1 else None
        return Meaning("Use", f"It {does}; one of {fighter.items[slot]} is used up.", patient, item)
    if kind == rules.CLOSE_IN:
        return Meaning("Close in", "No roll: you go up to the foe, as far as a turn carries.", target)
    weapon = sheet.slots[slot].name if sheet.carried else ""
    hit = f"A hit deals {damage_text(rules.damage_of(fight, who, slot, target))}"
    if kind == rules.FIGHT_BACK:
        rolls = _rolls(fighter.skills[slot], rules.reaction_net(fighter))
        return Meaning("Fight back", f"{rolls} Who does better hits the other. {hit}.", None, weapon)
    if kind == rules.SHOOT:
        return _shot(setup, fight, who, (slot, shots, target), hit)
    net = rules.melee_net(fight, who, target)
    foe = setup.told_as(target)
    if kind in MANOEUVRES:
        rolls = _rolls(fighter.skills[slot], net + rules.manoeuvre_net(fight, who, target))
        text = f"{rolls} If {foe} does not do better, {foe} {WINS[kind]}."
        return Meaning(MANOEUVRES[kind].capitalize(), text, target)
    rolls = _rolls(fighter.skills[slot], net)
    answer = f"{foe[:1].upper()}{foe[1:]} may dodge or fight back; the better roll wins."
    return Meaning("Fight", f"{rolls} {answer} {hit}.", target, weapon)


def _shot(setup: Setup[Sheet], fight: Fight, who: int, aim: tuple[int, int, int], hit: str) -> Meaning:
    slot, shots, target = aim
    fighter, sheet = fight.fighters[who], setup.sheets[who]
    rolls = _rolls(fighter.skills[slot], rules.gun_net(fight, who, slot, target, shots > 1))
    far = LEVELS.get(rules.needed_level(fight, who, slot, target))
    needs = f" At this range it takes {far}." if far else ""
    left = f"It uses {shots} of {fighter.loaded[slot]} rounds."
    detail = f"{TIMES[shots].strip()} {f'with {sheet.slots[slot].name}' if sheet.carried else ''}".strip()
    each = " For each shot:" if shots > 1 else ""
    aimed = target if len(standing_foes(fight, who)) > 0 else None
    return Meaning("Shoot", f"{left}{each} {rolls}{needs} {hit}.".replace(": R", ": r"), aimed, detail)


def _dodge(fight: Fight, who: int, kind: int) -> Meaning:
    fighter = fight.fighters[who]
    rolls = _rolls(fighter.dodge, rules.reaction_net(fighter))
    if kind == rules.DODGE:
        well = "better than" if fight.dodge_tie else "at least as well as"
        return Meaning("Dodge", f"{rolls} If you do {well} the attacker, nothing hits you.")
    return Meaning("Dive", f"{rolls} A success gives every shot a penalty die; you lie on the ground for it.")


def _rolls(skill: int, net: int) -> str:
    """The roll, with the dice for or against it; more than two never count."""
    net = max(-2, min(2, net))
    word = f" with {abs(net)} {'bonus' if net > 0 else 'penalty'} {'die' if abs(net) == 1 else 'dice'}" if net else ""
    return f"Roll d100 against {skill}%{word}."
