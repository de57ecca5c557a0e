"""The record of a fight, and the words that its rules share: states, moves, decisions, numbers and figures."""

from __future__ import annotations

from dataclasses import field, fields
from typing import Annotated, Any

from affray.kernel import state
from affray.kernel.records import I32, I64, Cells, PerFighter, cell, record
from affray.system.schema import Option, Whole

DOWN, DEAD, FLED, YIELDED = 1, 2, 3, 4
PAIN, INCAPACITATE, CRIPPLE = range(3)  # intents, and the types of damage in the order in which they neighbour
MOST_COINS = 40

# Moves: attack moves first, in the order in which they are learned.
JAB, POWER, PULL, MAIM, GAP, DISARM, THREATEN, STRIKE, GUARDED = range(9)
LEARNED = 7  # the first so many have to be known and seen; the others are always there
(
    STAND_DOWN,
    YIELD,
    FLEE,
    WITHDRAW,
    ACCEPT,
    REFUSE,
    PICK_UP,
    CLOSE_IN,
    WAIT,
    PARRY,
    DODGE,
    BRACE,
    FIGHT_ON,
    GIVE_IN,
    LET_GO,
    STOP,
) = range(9, 25)

ATTACKS = {
    STRIKE: "strike",
    GUARDED: "guarded",
    JAB: "jab",
    POWER: "power",
    PULL: "pull",
    MAIM: "maim",
    GAP: "gap",
    DISARM: "disarm",
    THREATEN: "threaten",
}
DEFENCES = {PARRY: "parry", DODGE: "dodge", BRACE: "brace"}

# What a decision is about.
ACT, DEFEND, THREATENED, OFFERED, STOPPING = range(5)

ALWAYS, BORNE = range(2)  # when armour and weight cost initiative

# What happens next by itself.
ROUND_BEGINS, BLOW, ASK_FOES, ASK_STOPPERS, ROUND_ENDS = range(5)

# What coins are flipped for.
(
    FOR_LIFE,
    FOR_INITIATIVE,
    FOR_OPENINGS,
    FOR_AN_OPENING,
    FOR_PAIN_PENALTY,
    FOR_ATTACK,
    FOR_DEFENCE,
    FOR_PAIN,
    FOR_INCAPACITATION,
    FOR_CRIPPLING,
    FOR_CONTROL,
    FOR_SLIP,
    FOR_SOAK,
    FOR_THREAT,
    FOR_NERVE,
    FOR_STOP,
    FOR_FLIP_OFF,
) = range(17)

FIGURES = (
    "hits",
    "Pain",
    "Incapacitation",
    "Crippling",
    "coins lost",
    "downed",
    "dead",
    "dead before care",
    "years lost",
    "stake won",
    "days in bed",
    "lame",
)
(
    HITS_LANDED,
    PAIN_TAKEN,
    INCAPACITATION_TAKEN,
    CRIPPLING_TAKEN,
    COINS_LOST,
    WAS_DOWNED,
    DIED,
    DIED_BEFORE_CARE,
    YEARS_LOST,
    STAKE_WON,
    DAYS_IN_BED,
    LAMED,
) = range(12)
PARTS = {"dead before care": 100_000, "years lost": 1000, "days in bed": 24, "lame": 1000}
"""Figures that are counted in parts; squares of many millionths would not fit into 64 bits."""


def number(default: int, low: int, high: int, says: str, ruling: str) -> Any:
    """A number of the rules: at once a cell of the record and the option of the same name."""
    return field(metadata={"says": says, "option": (Whole(low, high), default, says, ruling)})


@record
class Fighter(state.Fighter):
    """One combatant: attributes, what is carried, the highwaters, the stance, and what the fight may cost."""

    state: I32 = cell("0 standing, 1 down, 2 dead, 3 fled, 4 yielded")
    near: I64 = cell("fighters at close range, as bits")
    strength: I32
    agility: I32
    discipline: I32
    training: I32
    skill: I32 = cell("with the weapon it came with")
    unarmed_skill: I32 = cell("with the fists, once the weapon is dropped")
    hardiness: I32
    weapon: I32 = cell("in hand, numbered as in the table from 0; fists when it is dropped")
    owned: I32 = cell("the weapon it came with")
    damage: I32 = cell("of the weapon it came with")
    lethality: I32 = cell("of the weapon it came with")
    weight: I32 = cell("of the weapon it came with")
    armour: I32 = cell("numbered as in the table from 0")
    armour_value: I32
    armour_penalty: I32
    known: I32 = cell("attack moves it has learned with the weapon it came with, as bits")
    known_unarmed: I32 = cell("those it has learned with the fists, as bits")
    pain: I32 = cell("a highwater")
    incapacitation: I32 = cell("a highwater")
    crippling: I32 = cell("a highwater")
    came_crippled: I32 = cell("the Crippling it came with")
    coins: I32 = cell("Life Coins that are left")

    standing_down: I32 = cell("0 or 1")
    yielding: I32 = cell("whether an offer to yield stands, 0 or 1")
    paid: I32 = cell("whether a foe's yielding has won the stake already, 0 or 1")
    spurned: I32 = cell("whether every foe has refused an offer to yield, 0 or 1")
    guard: I32 = cell("added to its defence until it acts again")
    quick: I32 = cell("added to its initiative until it acts again")
    hurried: I32 = cell("added to its initiative in the next round")
    shaken: I32 = cell("what a threat takes off its next attack")
    openings: I32 = cell("attack moves it has an opening for, as bits")

    stake: I32 = cell("what winning is worth to it, in years")
    caution: I32 = cell("what a year of its own counts, in hundredths")
    lame_years: I32 = cell("what a point of Crippling for good counts, in years")
    price: Annotated[list[int], Cells("i", MOST_COINS + 1)] = cell("years lost by coins left, in thousandths")


@record
class Fight(state.State):
    """A whole fight: the course of a round, the blow being struck, the fighters, and the numbers of the rules."""

    phase: I32 = cell("0 an action, 1 a defence, 2 a threat, 3 an offer to yield, 4 whether to stop a flight")
    ending: I32 = cell("-1 while it runs, a team's number, `teams` for a draw, 1 more for peace, 2 more for a standoff")
    asked: I64 = cell("foes who have answered an offer to yield, as bits")
    stoppers: I64 = cell("foes who can stop a flight and have not decided yet, as bits")
    stage: I32 = cell("what happens next by itself")
    quiet: I32 = cell("rounds since the last hit")
    actor: I32 = cell("who acts, or strikes at a fighter who runs")
    target: I32 = cell("at whom; who offers to yield, or runs")
    move: I32 = cell("the attack move")
    intent: I32 = cell("what it is meant to do: 0 Pain, 1 Incapacitation, 2 Crippling")
    defence: I32 = cell("the defence against it, as in a move")
    helpless: I32 = cell("whether the target offers to yield or runs, and does not defend itself, 0 or 1")
    stopped: I32 = cell("whether a foe has struck at the fighter who runs, 0 or 1")
    burden: I32 = cell("0 armour and weight always cost initiative, 1 only what Agility and Strength do not bear")
    weapon_moves: I32 = cell("whether a weapon allows only the moves it is made for, 0 or 1")
    by_highwater: I32 = cell("whether wounds cost only the coins beyond the Crippling there is, 0 or 1")
    hours_to_care: I32
    care_coins: I32
    surgery_hours: I32
    surgeons: I32 = cell("0 they operate from the break-even point on, 1 always")
    heals_alone: I32
    mend_coins: I32
    rest_hours: I32
    rest_growth: I32
    rest_days: I32
    round_cap: I32
    perish: Annotated[list[int], Cells("i", MOST_COINS + 1)] = cell("chance to die before care by coins, in millionths")
    bed: Annotated[list[int], Cells("i", MOST_COINS + 1)] = cell("hours in bed by Crippling")
    lame: Annotated[list[int], Cells("i", MOST_COINS + 1)] = cell(
        "points that stay for good by Crippling, in thousandths"
    )
    fighters: Annotated[list[Fighter], PerFighter(Fighter)]

    # The numbers of the rules.
    life_check_at: I32 = number(15, 0, 40, "Life Coins at which a Life check is due every round", "life")
    strength_melee: I32 = number(3, 0, 10, "Strength that makes a coin in melee; 0: none does", "abilities")
    strength_bludgeon: I32 = number(3, 0, 10, "Strength that makes another with a bludgeon; 0: none does", "abilities")
    agility_edged: I32 = number(3, 0, 10, "Agility that makes a coin with an edged weapon; 0: none does", "abilities")
    agility_ranged: I32 = number(3, 0, 10, "Agility that makes a coin with a ranged weapon; 0: none does", "abilities")
    agility_defence: I32 = number(3, 0, 10, "Agility that makes one more coin of Defence; 0: none does", "abilities")
    initiative_base: I32 = number(3, 0, 20, "initiative coins that every fighter has", "initiative")
    agility_initiative: I32 = number(3, 0, 10, "Agility that makes a coin of initiative; 0: none does", "initiative")
    strength_weight: I32 = number(3, 0, 10, "Strength that makes up for a weight of 1; 0: none does", "initiative")
    weight_initiative: I32 = number(75, 0, 200, "initiative that a weapon costs, per cent of its weight", "initiative")
    armour_initiative: I32 = number(75, 0, 200, "initiative that armour costs, per cent of its penalty", "initiative")
    least_initiative: I32 = number(1, 0, 10, "the fewest initiative coins a fighter can have", "initiative")
    openings_base: I32 = number(1, 0, 7, "openings that every fighter sees", "openings")
    moves_base: I32 = number(2, 0, 7, "attack moves that every fighter knows", "openings")
    training_a_move: I32 = number(2, 1, 10, "skill with the weapon for one more attack move", "openings")
    margin_damage: I32 = number(100, 0, 200, "points of damage for the margin, in per cent of it", "damage")
    control_base: I32 = number(1, 0, 20, "points of the margin that always go where they should", "intents")
    pain_soak: I32 = number(0, 0, 100, "what comes off Pain, in per cent of the soak", "soak")
    incapacitation_soak: I32 = number(50, 0, 100, "what comes off Incapacitation, in per cent of the soak", "soak")
    crippling_soak: I32 = number(100, 0, 100, "what comes off Crippling, in per cent of the soak", "soak")
    least_pain: I32 = number(1, 0, 10, "Pain that every hit causes at least", "soak")
    standoff: I32 = number(10, 1, 1000, "rounds without a hit that end the fight", "ends")
    strike_attack: I32 = number(0, -10, 10, "attack coins of a strike", "moves")
    jab_attack: I32 = number(1, -10, 10, "attack coins of a jab", "moves")
    jab_initiative: I32 = number(1, -10, 10, "initiative after a jab, until the next action", "moves")
    jab_pools: I32 = number(50, 0, 100, "damage pools of a jab, in per cent", "moves")
    power_attack: I32 = number(-1, -10, 10, "attack coins of a power blow", "moves")
    power_pools: I32 = number(2, -10, 10, "coins in each pool of a power blow", "moves")
    power_defence: I32 = number(-1, -10, 10, "own defence after a power blow, until the next action", "moves")
    pull_attack: I32 = number(0, -10, 10, "attack coins of a pulled blow", "moves")
    pull_lethality: I32 = number(50, 0, 100, "lethality of a pulled blow that incapacitates, in per cent", "moves")
    maim_attack: I32 = number(0, -10, 10, "attack coins of a maiming blow", "moves")
    maim_cripple: I32 = number(3, -10, 10, "coins in the Crippling pool of a maiming blow", "moves")
    maim_others: I32 = number(-2, -10, 10, "coins in the other pools of a maiming blow", "moves")
    gap_attack: I32 = number(-1, -10, 10, "attack coins of a blow at a gap in the armour", "moves")
    guarded_attack: I32 = number(-2, -10, 10, "attack coins of a guarded attack", "moves")
    guarded_defence: I32 = number(3, -10, 10, "own defence after a guarded attack, until the next action", "moves")
    disarm_attack: I32 = number(2, -10, 10, "attack coins of a disarm", "moves")
    disarm_margin: I32 = number(1, 0, 10, "margin at which a disarm succeeds", "moves")
    threat_attack: I32 = number(1, 0, 10, "attack coins that a threat costs in the next attack", "moves")
    strength_threat: I32 = number(3, 0, 10, "Strength that makes a coin to threaten with; 0: none does", "moves")
    training_nerve: I32 = number(3, 0, 10, "Training that makes a coin against a threat; 0: none does", "moves")
    parry_defence: I32 = number(0, -10, 10, "defence coins of a parry", "defences")
    parry_margin: I32 = number(2, 0, 10, "margin from which a parry wins the initiative", "defences")
    parry_initiative: I32 = number(2, -10, 10, "initiative in the next round after such a parry", "defences")
    dodge_defence: I32 = number(1, -10, 10, "defence coins of a dodge", "defences")
    dodge_initiative: I32 = number(-1, -10, 10, "initiative in the next round after a dodge", "defences")
    dodge_penalty: I32 = number(2, 0, 10, "armour penalty up to which a fighter can dodge", "defences")
    brace_defence: I32 = number(-2, -10, 10, "defence coins of bracing", "defences")
    brace_soak: I32 = number(3, 0, 20, "soak coins of bracing", "defences")
    stand_down_defence: I32 = number(150, 0, 400, "defence while standing down, in per cent", "stand-down")
    helpless_defence: I32 = number(0, 0, 20, "defence coins of a fighter who yields, or is caught running", "yield")


NUMBERS = tuple(Option(part.name, *part.metadata["option"]) for part in fields(Fight) if "option" in part.metadata)
"""The options that change a number of the rules."""
