"""The record of a fight, and the words that its rules share: states, moves, decisions, numbers and figures."""

from __future__ import annotations

from typing import Annotated

from affray.kernel.records import I32, I64, Cells, PerFighter, record

RUNNING = -1
STANDING, DOWN, DEAD, FLED, YIELDED = range(5)
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

# What a decision is about.
ACT, DEFEND, THREATENED, OFFERED, STOPPING = range(5)

# What happens next by itself.
ROUND_BEGINS, BLOW, ASK_FOES, ASK_STOPPERS, ROUND_ENDS = range(5)

# The numbers of the rules that are options, in the order of `sheets.NUMBERS`.
(
    LIFE_CHECK_AT,
    STRENGTH_MELEE,
    STRENGTH_BLUDGEON,
    AGILITY_EDGED,
    AGILITY_RANGED,
    AGILITY_DEFENCE,
    INITIATIVE_BASE,
    AGILITY_INITIATIVE,
    STRENGTH_WEIGHT,
    LEAST_INITIATIVE,
    OPENINGS_BASE,
    MOVES_BASE,
    TRAINING_A_MOVE,
    MARGIN_DAMAGE,
    CONTROL_BASE,
    PAIN_SOAK,
    INCAPACITATION_SOAK,
    CRIPPLING_SOAK,
    LEAST_PAIN,
    STANDOFF_ROUNDS,
    STRIKE_ATTACK,
    JAB_ATTACK,
    JAB_INITIATIVE,
    JAB_POOLS,
    POWER_ATTACK,
    POWER_POOLS,
    POWER_DEFENCE,
    PULL_ATTACK,
    PULL_LETHALITY,
    MAIM_ATTACK,
    MAIM_CRIPPLE,
    MAIM_OTHERS,
    GAP_ATTACK,
    GUARDED_ATTACK,
    GUARDED_DEFENCE,
    DISARM_ATTACK,
    DISARM_MARGIN,
    THREAT_ATTACK,
    STRENGTH_THREAT,
    TRAINING_NERVE,
    PARRY_DEFENCE,
    PARRY_MARGIN,
    PARRY_INITIATIVE,
    DODGE_DEFENCE,
    DODGE_INITIATIVE,
    DODGE_PENALTY,
    BRACE_DEFENCE,
    BRACE_SOAK,
    STAND_DOWN_DEFENCE,
    HELPLESS_DEFENCE,
) = range(50)
HOW_MANY_NUMBERS = 50

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
) = range(10)
PARTS = {"dead before care": 100_000, "years lost": 1000}
"""Figures that are counted in parts; squares of many millionths would not fit into 64 bits."""


@record
class Fighter:
    """One combatant: attributes, what is carried, the highwaters, the stance, and what the fight may cost."""

    team: I32
    state: I32
    strength: I32
    agility: I32
    discipline: I32
    training: I32
    hardiness: I32
    weapon: I32  # in hand; fists when it is dropped
    owned: I32
    damage: I32  # of the weapon that is owned, like the next two
    lethality: I32
    weight: I32
    armour: I32
    armour_value: I32
    armour_penalty: I32
    known: I32  # attack moves, as bits
    pain: I32
    incapacitation: I32
    crippling: I32
    coins: I32
    near: I64  # who is at close range, as bits

    standing_down: I32
    yielding: I32
    paid: I32  # whether a foe's yielding has won the stake already
    spurned: I32  # an offer to yield was refused by everybody
    guard: I32  # to one's own defence until one acts again
    quick: I32  # to initiative until one acts again
    hurried: I32  # to initiative in the next round only
    shaken: I32  # to the next attack
    openings: I32  # attack moves that are seen now, as bits

    stake: I32  # years
    caution: I32  # what a year of one's own counts, in hundredths
    price: Annotated[list[int], Cells("i", MOST_COINS + 1)]  # years lost when left with so many coins, in thousandths


@record
class Fight:
    """A whole fight: the numbers of the rules, whose decision it is, the blow being struck, and the fighters."""

    due: I64
    phase: I32
    stage: I32
    round: I32
    round_cap: I32
    quiet: I32  # rounds since the last hit
    teams: I32
    ending: I32
    actor: I32
    target: I32
    move: I32
    intent: I32
    defence: I32
    helpless: I32  # whether the target does not defend
    asked: I64  # foes who have answered an offer or a flight, as bits
    stoppers: I64  # foes who can stop the flight, as bits
    stopped: I32
    by_highwater: I32  # whether coins are lost only beyond the Crippling there is
    hours: I32  # to a healer
    care_coins: I32
    rest_days: I32
    numbers: Annotated[list[int], Cells("i", HOW_MANY_NUMBERS)]
    perish: Annotated[list[int], Cells("i", MOST_COINS + 1)]  # to die before care with so many coins, in millionths
    fighters: Annotated[list[Fighter], PerFighter(Fighter)]
