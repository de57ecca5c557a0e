"""What the rules know by number and players by word: levels of success, throws, perks, wards, ways to be out."""

from __future__ import annotations

CRITICAL_FAILURE, FAILURE, REGULAR, HARD, EXTREME, CRITICAL = range(6)
LEVELS = ("a fumble", "a failure", "a success", "a hard success", "an extreme success", "a critical success")

FOR_ATTACK, FOR_DODGE, FOR_FIGHT_BACK, FOR_CON, FOR_DAMAGE, FOR_BONUS, FOR_HEAVY, FOR_ITEM = range(8)
PURPOSES = (
    "for the attack",
    "to dodge",
    "to fight back",
    "for Constitution",
    "damage",
    "the damage bonus",
)
"""What a throw is for; behind these, dice of a perk and then of each item, which have names of their own."""

ROLLED, MOST, LEAST = range(3)  # what a hit deals of its weapon

DICE_WORDS = {-2: ", two penalty dice", -1: ", a penalty die", 0: "", 1: ", a bonus die", 2: ", two bonus dice"}

PASSIVE_PERKS = (
    "beady-eye",
    "rapid-fire",
    "quick-draw",
    "nimble",
    "endurance",
    "outmaneuver",
    "alert",
    "night-vision",
)
ACTIVE_PERKS = ("rapid-attack", "heavy-hitter", "tough-guy", "fleet-footed")
PERKS = (*PASSIVE_PERKS, *ACTIVE_PERKS)
BEADY_EYE, RAPID_FIRE, QUICK_DRAW, NIMBLE, ENDURANCE, OUTMANEUVER, ALERT, NIGHT_VISION = range(8)
RAPID_ATTACK, HEAVY_HITTER, TOUGH_GUY, FLEET_FOOTED = range(8, 12)

NO_WARD, GUNS_HALF, GUNS_ONE, MELEE_HALF, IMPALING_LEAST = range(5)
WARDS = {
    "none": "",
    "guns-half": "guns do half",
    "guns-one": "guns do 1",
    "melee-half": "melee does half",
    "impaling-least": "what impales does least",
}
"""How a body defies weapons, by the word on the sheet, in the order of the numbers."""

UNCONSCIOUS, DYING, DEAD, ESCAPED = range(1, 5)
STATES = ("standing", "unconscious", "dying", "dead", "escaped")
