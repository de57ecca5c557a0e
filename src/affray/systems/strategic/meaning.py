"""What each move of a fight means: which coins are flipped for it, and what a hit may do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from affray.system.meaning import Meaning
from affray.system.setup import Setup
from affray.system.telling import counted
from affray.systems.strategic import state
from affray.systems.strategic.abilities import (
    attack_coins,
    defence_coins,
    initiative_ability,
    nerve_coins,
    pool,
    soak_coins,
    threat_coins,
)
from affray.systems.strategic.moves import AIMED, INTENTS, PLAIN
from affray.systems.strategic.state import ATTACKS, Fight

if TYPE_CHECKING:
    from affray.systems.strategic.sheets import Sheet

TITLES = {
    state.STRIKE: "Strike",
    state.GUARDED: "Guarded blow",
    state.JAB: "Jab",
    state.POWER: "Power blow",
    state.PULL: "Pulled blow",
    state.MAIM: "Maiming blow",
    state.GAP: "Blow at a gap",
    state.DISARM: "Disarm",
    state.THREATEN: "Threaten",
}
KINDS = ("Pain", "Incapacitation", "Crippling")
TEXTS = {
    state.STAND_DOWN: "No flip: you stop attacking and defend less well; a foe who does the same ends the fight.",
    state.YIELD: "You offer to give up your stake. You are helpless until a foe accepts.",
    state.WITHDRAW: "You take back the offer to yield.",
    state.PICK_UP: "No flip: your own weapon is in your hand again.",
    state.WAIT: "Nothing happens in this round.",
    state.FIGHT_ON: "You go on, shaken in your next attack.",
    state.GIVE_IN: "You offer to yield, and are helpless until a foe accepts.",
    state.LET_GO: "The foe gets away unhurt.",
    state.ACCEPT: "The foe drops the weapon and is out; you win the stake without more blood.",
    state.REFUSE: "The offer stays open, and the foe helpless.",
    state.CLOSE_IN: "No flip: you stand within reach of each other.",
}


def explain(setup: Setup[Sheet], fight: Fight, who: int, move: int) -> Meaning:
    """A move in plain words."""
    kind, intent, target = move & 31, move >> 5 & 3, move >> 7
    fighter = fight.fighters[who]
    if kind in state.DEFENCES:
        return _defence(fight, who, kind)
    if kind == state.FLEE:
        coins = counted(initiative_ability(fight, fighter), "coin")
        text = f"You run. Foes at hand who are less hampered, or beat your {coins} of initiative, may strike your back."
        return Meaning("Flee", text)
    if kind in TEXTS:
        words = PLAIN.get(kind) or AIMED[kind]
        return Meaning(words[:1].upper() + words[1:], TEXTS[kind], target if kind in AIMED else None)
    if kind == state.THREATEN:
        threat, nerve = threat_coins(fight, fighter), nerve_coins(fight, fight.fighters[target])
        text = f"Flip {counted(threat, 'coin')} against {nerve}: more heads shake the foe, who may yield."
        return Meaning(TITLES[kind], text, target)
    return _blow(fight, who, kind, intent, target)


def _blow(fight: Fight, who: int, kind: int, intent: int, target: int) -> Meaning:
    """A blow: the coins to hit, and those of each kind of damage that a hit flips."""
    blow = state.STRIKE if kind == state.STOP else kind
    fighter, foe = fight.fighters[who], fight.fighters[target if kind in ATTACKS else fight.target]
    coins = attack_coins(fight, fighter, blow)
    hits = f"Flip {counted(coins, 'coin')} to hit{_pain(fighter.pain)}."
    if kind == state.DISARM:
        text = f"{hits} A margin of {fight.disarm_margin} or more knocks the weapon out of the foe's hand."
        return Meaning(TITLES[kind], text, target)
    pools = ", ".join(f"{pool(fight, fighter, blow, each)} {KINDS[each]}" for each in range(3))
    soak = counted(soak_coins(fight, foe, blow, bracing=False), "coin")
    text = (
        f"{hits} A hit flips {pools}; its margin adds {KINDS[intent]}. The foe soaks with {soak}.{_after(fight, kind)}"
    )
    title = "Strike at the back" if kind == state.STOP else TITLES[kind]
    return Meaning(title, text, target if kind in ATTACKS else None, INTENTS[intent])


def _pain(pain: int) -> str:
    return f", less the heads of {counted(pain, 'coin')} for Pain" if pain else ""


def _after(fight: Fight, kind: int) -> str:
    """What a blow changes for the fighter afterwards."""
    if kind == state.POWER and fight.power_defence:
        return f" Your own defence: {fight.power_defence:+} until you act again."
    if kind == state.GUARDED and fight.guarded_defence:
        return f" Your own defence: {fight.guarded_defence:+} until you act again."
    if kind == state.JAB and fight.jab_initiative:
        return f" Your next initiative: {fight.jab_initiative:+}."
    return ""


def _defence(fight: Fight, who: int, kind: int) -> Meaning:
    coins = counted(defence_coins(fight, fight.fighters[who], kind), "coin")
    after = {
        state.PARRY: f"A margin above {fight.parry_margin} gives you initiative.",
        state.DODGE: f"It changes your initiative by {fight.dodge_initiative:+}.",
        state.BRACE: f"If it hits, you soak with {fight.brace_soak} more.",
    }[kind]
    return Meaning(state.DEFENCES[kind].capitalize(), f"Flip {coins} against the attack; more heads stop it. {after}")
