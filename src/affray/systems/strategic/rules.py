"""The course of a fight: every rule of a round, a blow and a way out. Ids in comments are rulings."""

from __future__ import annotations

from affray.kernel.chance import Dice, flip_off, heads, pick
from affray.kernel.rules import Log, apart, emit, rule, score
from affray.kernel.state import RUNNING, STANDING, ask, is_foe, to_act
from affray.systems.strategic.abilities import (
    attack_ability,
    attack_coins,
    can_reach,
    defence_coins,
    fixed_penalty,
    initiative_ability,
    is_armed,
    margin_points,
    nerve_coins,
    pool,
    sees,
    severity,
    soak_coins,
    soaked_off,
    threat_coins,
)
from affray.systems.strategic.arms import FISTS, KIND, RANGED
from affray.systems.strategic.events import (
    ACCEPTED,
    ACTS,
    ATTACKS,
    AWAITS,
    AWAY,
    CAUGHT,
    CLOSES,
    CONTEST,
    COWED,
    DEFENDS,
    DIES,
    DISARMED,
    ENDS,
    FALLS,
    FIGHTS_ON,
    FLIPS_OFF,
    HITS,
    HURTS,
    INITIATIVE,
    KEEPS_WEAPON,
    LETS_GO,
    LIFE_CHECK,
    LOSES_COINS,
    MISSES,
    OFFERS,
    OPENINGS,
    OPENS,
    PAIN_PENALTY,
    PEACE,
    PICKS_UP,
    REFUSED,
    RIPOSTE,
    ROUND,
    RUNS,
    SLIPS,
    SLIPS_PAST,
    SOAKS,
    STALLED,
    STANDOFF,
    STANDS_DOWN,
    STOPPED,
    THREATENS,
    TOO_WEAK,
    UNMOVED,
    WAITS,
    WEIGHS,
    WITHDRAWS,
)
from affray.systems.strategic.stakes import chance_to_win, years_at_risk
from affray.systems.strategic.state import (
    ACCEPT,
    ACT,
    ASK_FOES,
    ASK_STOPPERS,
    BLOW,
    BRACE,
    CLOSE_IN,
    COINS_LOST,
    CRIPPLE,
    CRIPPLING_TAKEN,
    DEAD,
    DEFEND,
    DIED,
    DIED_BEFORE_CARE,
    DISARM,
    DODGE,
    DOWN,
    FIGHT_ON,
    FLED,
    FLEE,
    FOR_AN_OPENING,
    FOR_ATTACK,
    FOR_CONTROL,
    FOR_DEFENCE,
    FOR_FLIP_OFF,
    FOR_INITIATIVE,
    FOR_LIFE,
    FOR_NERVE,
    FOR_OPENINGS,
    FOR_PAIN,
    FOR_PAIN_PENALTY,
    FOR_SLIP,
    FOR_SOAK,
    FOR_STOP,
    FOR_THREAT,
    GIVE_IN,
    GUARDED,
    HITS_LANDED,
    INCAPACITATE,
    INCAPACITATION_TAKEN,
    JAB,
    LEARNED,
    LET_GO,
    OFFERED,
    PAIN,
    PAIN_TAKEN,
    PARRY,
    PICK_UP,
    POWER,
    PULL,
    REFUSE,
    ROUND_BEGINS,
    ROUND_ENDS,
    STAKE_WON,
    STAND_DOWN,
    STOP,
    STOPPING,
    STRIKE,
    THREATEN,
    THREATENED,
    WAIT,
    WAS_DOWNED,
    WITHDRAW,
    YEARS_LOST,
    YIELD,
    YIELDED,
    Fight,
    Fighter,
)


@rule
def move_code(kind: int, intent: int, target: int) -> int:
    """The code of a move."""
    return kind | intent << 5 | target << 7


@rule
def most_moves(fighters: int) -> int:
    """More moves than this a fighter never has."""
    return 28 * fighters + 12


# The course of a round


@rule
def begin(fight: Fight, dice: Dice, log: Log | None) -> None:
    """Open the fight."""
    fight.ending = RUNNING
    fight.round = 0
    fight.stage = ROUND_BEGINS
    near = 0
    for who in range(len(fight.fighters)):
        if fight.fighters[who].near:
            near = 1
    emit(log, OPENS, near)
    for who in range(len(fight.fighters)):
        if fight.fighters[who].crippling > 0:
            see_whether_down(fight, who, log)
    proceed(fight, dice, log)


@rule
def proceed(fight: Fight, dice: Dice, log: Log | None) -> None:
    """Do whatever happens by itself, until a fighter has to decide or the fight is over."""
    while fight.due == 0 and fight.ending == RUNNING:
        stage = fight.stage
        if stage == ROUND_BEGINS:
            begin_round(fight, dice, log)
        elif stage == BLOW:
            strike(fight, dice, log)
        elif stage == ASK_FOES:
            ask_foes(fight)
        elif stage == ASK_STOPPERS:
            ask_stoppers(fight, log)
        else:
            end_round(fight, log)


@apart
def begin_round(fight: Fight, dice: Dice, log: Log | None) -> None:
    """A second begins: Life checks, then the contest for initiative, then the winner acts. turns, life."""
    fight.round += 1
    emit(log, ROUND, fight.round)
    for who in range(len(fight.fighters)):
        check_life(fight, who, dice, log)
    judge(fight, log)
    if fight.ending != RUNNING:
        return
    who = contest_initiative(fight, dice, log)
    for other in range(len(fight.fighters)):
        fight.fighters[other].hurried = 0
    fighter = fight.fighters[who]
    fighter.guard = 0
    fighter.quick = 0
    fight.actor = who
    emit(log, ACTS, who)
    see_openings(fight, who, dice, log)
    ask(fight, who, ACT)


@rule
def check_life(fight: Fight, who: int, dice: Dice, log: Log | None) -> None:
    """A fighter with few Life Coins left flips them: all Tails, and one is gone. life."""
    fighter = fight.fighters[who]
    if fighter.state == DEAD or fighter.state == FLED or fighter.coins > fight.life_check_at:
        return
    emit(log, AWAITS, who, FOR_LIFE, fighter.coins)
    lost = 1 if heads(dice, fighter.coins) == 0 else 0
    fighter.coins -= lost
    score(log, who, COINS_LOST, lost)
    emit(log, LIFE_CHECK, who, fighter.coins, lost)
    if fighter.coins == 0:
        die(fight, who, log)


@rule
def die(fight: Fight, who: int, log: Log | None) -> None:
    """No Life Coins are left."""
    fight.fighters[who].state = DEAD
    emit(log, DIES, who)


@rule
def contest_initiative(fight: Fight, dice: Dice, log: Log | None) -> int:
    """All who can act flip for initiative; those who tie flip off. turns, contested."""
    most = -1
    tied = 0
    count = 0
    for who in range(len(fight.fighters)):
        fighter = fight.fighters[who]
        if fighter.state != STANDING:
            continue
        coins = initiative_ability(fight, fighter)
        emit(log, AWAITS, who, FOR_INITIATIVE, coins)
        shown = heads(dice, coins)
        emit(log, INITIATIVE, who, coins, shown)
        if shown > most:
            most, tied, count = shown, 0, 0
        if shown == most:
            tied |= 1 << who
            count += 1
    place = 0
    if count > 1:
        emit(log, AWAITS, bit_at(tied, 0), FOR_FLIP_OFF, tied)
        place = flip_off(dice, count)
    who = bit_at(tied, place)
    if count > 1:
        emit(log, FLIPS_OFF, who)
    return who


@rule
def bit_at(bits: int, place: int) -> int:
    """The number of a bit that is set, counted from the lowest."""
    who = 0
    while place > 0 or not bits >> who & 1:
        if bits >> who & 1:
            place -= 1
        who += 1
    return who


@rule
def see_openings(fight: Fight, who: int, dice: Dice, log: Log | None) -> None:
    """Which of the moves a fighter knows can be made now. openings."""
    fighter = fight.fighters[who]
    emit(log, AWAITS, who, FOR_OPENINGS, fighter.training)
    count = fight.openings_base + heads(dice, fighter.training)
    left = fighter.known
    known = 0
    for move in range(LEARNED):
        known += left >> move & 1
    fighter.openings = 0
    if count >= known:
        fighter.openings = left
    else:
        for _ in range(count):
            emit(log, AWAITS, who, FOR_AN_OPENING, left)
            move = bit_at(left, pick(dice, known))
            left &= ~(1 << move)
            fighter.openings |= 1 << move
            known -= 1
    emit(log, OPENINGS, who, count, fighter.openings)


@apart
def end_round(fight: Fight, log: Log | None) -> None:
    """See whether there is still a reason to go on. ends."""
    fight.stage = ROUND_BEGINS
    judge(fight, log)
    if fight.ending != RUNNING:
        return
    fight.quiet += 1
    peaceful = True
    offers = 0
    for who in range(len(fight.fighters)):
        fighter = fight.fighters[who]
        if fighter.state != STANDING:
            continue
        offers += fighter.yielding
        if not fighter.standing_down and not fighter.yielding:
            peaceful = False
    if peaceful:
        fight.ending = fight.teams + 1
        emit(log, PEACE, fight.round, offers)
    elif fight.quiet >= fight.standoff:
        fight.ending = fight.teams + 2
        emit(log, STANDOFF, fight.quiet)
    elif fight.round >= fight.round_cap:
        fight.ending = fight.teams
        emit(log, STALLED, fight.round)
    if fight.ending != RUNNING:
        emit(log, ENDS, fight.ending)


@rule
def judge(fight: Fight, log: Log | None) -> None:
    """The fight is over when at most one team has a fighter left who can fight."""
    left = fight.teams
    for who in range(len(fight.fighters)):
        if fight.fighters[who].state == STANDING:
            if left != fight.teams and left != fight.fighters[who].team:
                return
            left = fight.fighters[who].team
    fight.ending = left
    fight.due = 0
    emit(log, ENDS, left)


# What may be done


@apart
def legal(fight: Fight, who: int, moves: list[int]) -> int:
    """Fill in the moves open to a fighter; returns how many."""
    if not to_act(fight) >> who & 1:
        return 0
    phase = fight.phase
    if phase == ACT:
        return legal_actions(fight, who, moves)
    if phase == DEFEND:
        return legal_defences(fight, who, moves)
    if phase == THREATENED:
        moves[0] = FIGHT_ON
        moves[1] = GIVE_IN
        return 2
    if phase == OFFERED:
        moves[0] = move_code(ACCEPT, 0, fight.target)
        moves[1] = move_code(REFUSE, 0, fight.target)
        return 2
    moves[0] = LET_GO
    for intent in range(3):
        moves[1 + intent] = move_code(STOP, intent, fight.target)
    return 4


@rule
def legal_defences(fight: Fight, who: int, moves: list[int]) -> int:
    """Which defences there are against the blow that is coming. defences."""
    fighter = fight.fighters[who]
    count = 0
    if KIND[fight.fighters[fight.actor].weapon] != RANGED:
        moves[count] = PARRY
        count += 1
    if fighter.armour_penalty <= fight.dodge_penalty:
        moves[count] = DODGE
        count += 1
    moves[count] = BRACE
    return count + 1


@rule
def legal_actions(fight: Fight, who: int, moves: list[int]) -> int:
    """What the winner of the initiative may do."""
    fighter = fight.fighters[who]
    count = 0
    for target in range(len(fight.fighters)):
        if not is_foe(fight, who, target):
            continue
        for move in range(GUARDED + 1):
            if not sees(fighter, move) or not can_reach(fight, who, target, move):
                continue
            if move in (THREATEN, DISARM):
                if move == THREATEN or is_armed(fight.fighters[target]):
                    moves[count] = move_code(move, 0, target)
                    count += 1
                continue
            for intent in range(2 if move == PULL else 3):
                moves[count] = move_code(move, intent, target)
                count += 1
        if fight.fighters[target].yielding:
            moves[count] = move_code(ACCEPT, 0, target)
            count += 1
        if not fighter.near >> target & 1:
            moves[count] = move_code(CLOSE_IN, 0, target)
            count += 1
    if fighter.weapon != fighter.owned:
        moves[count] = PICK_UP
        count += 1
    if fighter.yielding:
        moves[count] = WITHDRAW
        moves[count + 1] = WAIT
    else:
        moves[count] = YIELD
        moves[count + 1] = STAND_DOWN
    moves[count + 2] = FLEE
    return count + 3


# What is done


@rule
def apply(fight: Fight, who: int, move: int, dice: Dice, log: Log | None) -> None:
    """Take a decision, and go on to the next."""
    kind = move & 31
    intent = move >> 5 & 3
    target = move >> 7
    phase = fight.phase
    fight.due = 0
    if phase == ACT:
        act(fight, who, kind, intent, target, dice, log)
    elif phase == DEFEND:
        fight.defence = kind
        fight.stage = BLOW
        emit(log, DEFENDS, who, kind)
    elif phase == THREATENED:
        fight.stage = ROUND_ENDS
        if kind == GIVE_IN:
            weigh(fight, who, log)
            offer(fight, who, log)
        else:
            emit(log, FIGHTS_ON, who)
    elif phase == OFFERED:
        answer_offer(fight, who, kind, log)
    else:
        answer_flight(fight, who, kind, intent, dice, log)
    proceed(fight, dice, log)


@apart
def act(fight: Fight, who: int, kind: int, intent: int, target: int, dice: Dice, log: Log | None) -> None:
    """What the winner of the initiative does."""
    fighter = fight.fighters[who]
    fight.stage = ROUND_ENDS
    fight.target = target
    if kind != WAIT and kind != WITHDRAW:
        fighter.standing_down = 0
    if kind <= GUARDED and kind != THREATEN:
        fighter.yielding = 0
        aim(fight, who, kind, intent, target, log)
    elif kind == THREATEN:
        fighter.yielding = 0
        threaten(fight, who, target, dice, log)
    elif kind == STAND_DOWN:
        weigh(fight, who, log)
        fighter.standing_down = 1
        emit(log, STANDS_DOWN, who)
    elif kind == YIELD:
        weigh(fight, who, log)
        offer(fight, who, log)
    elif kind == WITHDRAW:
        fighter.yielding = 0
        emit(log, WITHDRAWS, who)
    elif kind == FLEE:
        weigh(fight, who, log)
        run(fight, who, dice, log)
    elif kind == ACCEPT:
        accept(fight, who, target, log)
    elif kind == PICK_UP:
        fighter.weapon = fighter.owned
        emit(log, PICKS_UP, who)
    elif kind == CLOSE_IN:
        fighter.near |= 1 << target
        fight.fighters[target].near |= 1 << who
        emit(log, CLOSES, who, target)
    else:
        emit(log, WAITS, who)


@rule
def aim(fight: Fight, who: int, move: int, intent: int, target: int, log: Log | None) -> None:
    """Announce a blow; the target chooses a defence before any coin is flipped."""
    fighter = fight.fighters[who]
    fight.move = move
    fight.intent = intent
    if move == POWER:
        fighter.guard = fight.power_defence
    elif move == GUARDED:
        fighter.guard = fight.guarded_defence
    elif move == JAB:
        fighter.quick = fight.jab_initiative
    emit(log, ATTACKS, who, target, move, intent)
    fight.stage = BLOW
    fight.helpless = fight.fighters[target].yielding
    if not fight.helpless:
        ask(fight, target, DEFEND)


@apart
def strike(fight: Fight, dice: Dice, log: Log | None) -> None:
    """Flip the Pain Penalty, then attack against defence. pain, contested."""
    who, target = fight.actor, fight.target
    fighter, foe = fight.fighters[who], fight.fighters[target]
    fight.stage = ROUND_ENDS
    coins = attack_coins(fight, fighter, fight.move)
    fighter.shaken = 0
    if fighter.pain > 0:
        emit(log, AWAITS, who, FOR_PAIN_PENALTY, fighter.pain)
        lost = heads(dice, fighter.pain)
        coins -= lost
        emit(log, PAIN_PENALTY, who, fighter.pain, lost)
    if not fight.helpless and fight.defence == DODGE:
        foe.hurried = fight.dodge_initiative
    if coins <= 0:
        emit(log, TOO_WEAK, who, coins)
        return
    against = fight.helpless_defence if fight.helpless else defence_coins(fight, foe, fight.defence)
    margin = contest(fight, who, target, coins, against, FOR_ATTACK, FOR_DEFENCE, dice, log)
    if margin >= 0:
        land(fight, margin, dice, log)
        return
    emit(log, MISSES, who, target)
    if not fight.helpless and fight.defence == PARRY and -margin > fight.parry_margin:
        foe.hurried = fight.parry_initiative
        emit(log, RIPOSTE, target)


@apart
def contest(
    fight: Fight, who: int, other: int, coins: int, against: int, what: int, facing: int, dice: Dice, log: Log | None
) -> int:
    """A contested roll; returns the margin of a win, 0 by Flip-Off, or -1 less the margin of a loss. contested."""
    emit(log, AWAITS, who, what, coins)
    mine = heads(dice, coins)
    emit(log, AWAITS, other, facing, against)
    theirs = heads(dice, against)
    emit(log, CONTEST, who, other, coins, mine, against, theirs)
    if mine != theirs:
        return mine - theirs if mine > theirs else mine - theirs - 1
    emit(log, AWAITS, who, FOR_FLIP_OFF, 1 << who | 1 << other)
    won = flip_off(dice, 2) == 0
    emit(log, FLIPS_OFF, who if won else other)
    return 0 if won else -1


@apart
def land(fight: Fight, margin: int, dice: Dice, log: Log | None) -> None:
    """A blow has hit. damage, intents, soak."""
    who, target = fight.actor, fight.target
    fighter, foe = fight.fighters[who], fight.fighters[target]
    fight.quiet = -1
    score(log, who, HITS_LANDED, 1)
    emit(log, HITS, who, target, margin)
    if fight.move == DISARM:
        if margin >= fight.disarm_margin:
            foe.weapon = FISTS
            emit(log, DISARMED, who, target)
            see_whether_down(fight, target, log)
        else:
            emit(log, KEEPS_WEAPON, who, target)
        return
    pain = flip_pool(fight, who, PAIN, dice, log)
    incapacitation = flip_pool(fight, who, INCAPACITATE, dice, log)
    crippling = flip_pool(fight, who, CRIPPLE, dice, log)
    points = margin_points(fight, margin)
    kept = points
    goes_to = fight.intent
    if points > fight.control_base:
        emit(log, AWAITS, who, FOR_CONTROL, fighter.discipline)
        kept = min(points, fight.control_base + heads(dice, fighter.discipline))
        if kept < points:
            goes_to = neighbour(fight.intent, who, dice, log)
            emit(log, SLIPS, who, goes_to, points - kept)
    slipped = points - kept
    pain += (kept if fight.intent == PAIN else 0) + (slipped if goes_to == PAIN else 0)
    incapacitation += (kept if fight.intent == INCAPACITATE else 0) + (slipped if goes_to == INCAPACITATE else 0)
    crippling += (kept if fight.intent == CRIPPLE else 0) + (slipped if goes_to == CRIPPLE else 0)
    soaked = soak(fight, target, dice, log)
    if fight.move == PULL:
        crippling = 0
    hurt(
        fight,
        target,
        max(fight.least_pain, pain - soaked_off(fight, PAIN, soaked)),
        max(0, incapacitation - soaked_off(fight, INCAPACITATE, soaked)),
        max(0, crippling - soaked_off(fight, CRIPPLE, soaked)),
        log,
    )


@rule
def flip_pool(fight: Fight, who: int, intent: int, dice: Dice, log: Log | None) -> int:
    """Flip one type of damage."""
    coins = pool(fight, fight.fighters[who], fight.move, intent)
    emit(log, AWAITS, who, FOR_PAIN + intent, coins)
    return heads(dice, coins)


@rule
def neighbour(intent: int, who: int, dice: Dice, log: Log | None) -> int:
    """Where points slip to that one cannot control: from the middle a coin decides. intents."""
    if intent != INCAPACITATE:
        return INCAPACITATE
    emit(log, AWAITS, who, FOR_SLIP, 1)
    return CRIPPLE if heads(dice, 1) else PAIN


@rule
def soak(fight: Fight, target: int, dice: Dice, log: Log | None) -> int:
    """Flip what a body and its armour take off a hit."""
    bracing = not fight.helpless and fight.defence == BRACE
    coins = soak_coins(fight, fight.fighters[target], fight.move, bracing)
    emit(log, AWAITS, target, FOR_SOAK, coins)
    soaked = heads(dice, coins)
    emit(log, SOAKS, target, soaked)
    return soaked


@rule
def hurt(fight: Fight, who: int, pain: int, incapacitation: int, crippling: int, log: Log | None) -> None:
    """Set the highwaters, take the Life Coins, and see who is down. highwaters, lethal."""
    fighter = fight.fighters[who]
    lethal = max(0, crippling - fighter.crippling) if fight.by_highwater else crippling
    fighter.pain = max(fighter.pain, pain)
    fighter.incapacitation = max(fighter.incapacitation, incapacitation)
    fighter.crippling = max(fighter.crippling, crippling)
    emit(log, HURTS, who, fighter.pain, fighter.incapacitation, fighter.crippling)
    if lethal > 0:
        lethal = min(lethal, fighter.coins)
        fighter.coins -= lethal
        score(log, who, COINS_LOST, lethal)
        emit(log, LOSES_COINS, who, lethal, fighter.coins)
    if fighter.coins == 0:
        die(fight, who, log)
    else:
        see_whether_down(fight, who, log)


@rule
def see_whether_down(fight: Fight, who: int, log: Log | None) -> None:
    """A fighter left without attack by Incapacitation and Crippling, also that of an earlier fight, is down. ends."""
    fighter = fight.fighters[who]
    if fixed_penalty(fighter) > 0 and attack_ability(fight, fighter) <= fixed_penalty(fighter):
        fighter.state = DOWN
        emit(log, FALLS, who)


@rule
def threaten(fight: Fight, who: int, target: int, dice: Dice, log: Log | None) -> None:
    """Frighten a foe, who must say whether to go on, and flinches in the next attack. moves."""
    foe = fight.fighters[target]
    emit(log, THREATENS, who, target)
    coins, nerve = threat_coins(fight, fight.fighters[who]), nerve_coins(fight, foe)
    if contest(fight, who, target, coins, nerve, FOR_THREAT, FOR_NERVE, dice, log) < 0:
        emit(log, UNMOVED, target, who)
        return
    foe.shaken = fight.threat_attack
    emit(log, COWED, target, who)
    if not foe.yielding:
        ask(fight, target, THREATENED)


# Ways out


@rule
def offer(fight: Fight, who: int, log: Log | None) -> None:
    """Offer to yield: every foe is asked, and until one accepts, the fighter who offers is helpless. yield."""
    fight.fighters[who].yielding = 1
    fight.fighters[who].standing_down = 0
    fight.target = who
    fight.asked = 0
    fight.stage = ASK_FOES
    emit(log, OFFERS, who)


@rule
def ask_foes(fight: Fight) -> None:
    """The next foe who has not answered the offer is asked."""
    for other in range(len(fight.fighters)):
        if is_foe(fight, fight.target, other) and not fight.fighters[other].yielding and not fight.asked >> other & 1:
            fight.asked |= 1 << other
            ask(fight, other, OFFERED)
            return
    fight.fighters[fight.target].spurned = 1
    fight.stage = ROUND_ENDS


@rule
def answer_offer(fight: Fight, who: int, kind: int, log: Log | None) -> None:
    """Take the offer, or not: then it stands until it is withdrawn."""
    if kind == ACCEPT:
        fight.stage = ROUND_ENDS
        accept(fight, who, fight.target, log)
    else:
        fight.stage = ASK_FOES
        emit(log, REFUSED, who, fight.target)


@rule
def accept(fight: Fight, who: int, target: int, log: Log | None) -> None:
    """An offer to yield is accepted: the foe drops the weapon and is out of the fight. yield."""
    foe = fight.fighters[target]
    foe.state = YIELDED
    foe.weapon = FISTS
    fight.fighters[who].paid = 1
    emit(log, ACCEPTED, who, target, fight.fighters[who].stake)


@apart
def run(fight: Fight, who: int, dice: Dice, log: Log | None) -> None:
    """Flee: see which of the foes at hand could stop it. flight."""
    fighter = fight.fighters[who]
    fighter.yielding = 0
    fight.target = who
    fight.stoppers = 0
    fight.stopped = 0
    emit(log, RUNS, who, severity(fighter))
    for other in range(len(fight.fighters)):
        foe = fight.fighters[other]
        if not is_foe(fight, who, other) or foe.standing_down or foe.yielding or not fighter.near >> other & 1:
            continue
        if severity(fighter) == severity(foe):
            emit(log, AWAITS, other, FOR_STOP, 1)
            if heads(dice, 1):
                fight.stoppers |= 1 << other
        elif severity(fighter) > severity(foe):
            mine, theirs = initiative_ability(fight, fighter), initiative_ability(fight, foe)
            if contest(fight, who, other, mine, theirs, FOR_INITIATIVE, FOR_INITIATIVE, dice, log) < 0:
                fight.stoppers |= 1 << other
        emit(log, CAUGHT if fight.stoppers >> other & 1 else SLIPS_PAST, other, who)
    fight.stage = ASK_STOPPERS


@rule
def ask_stoppers(fight: Fight, log: Log | None) -> None:
    """The next foe who has caught the one who runs decides; behind the last the flight has succeeded or not."""
    runner = fight.fighters[fight.target]
    if runner.state == STANDING:
        for other in range(len(fight.fighters)):
            if fight.stoppers >> other & 1 and fight.fighters[other].state == STANDING:
                fight.stoppers &= ~(1 << other)
                ask(fight, other, STOPPING)
                return
        if fight.stopped:
            emit(log, STOPPED, fight.target)
        else:
            runner.state = FLED
            emit(log, AWAY, fight.target)
    fight.stage = ROUND_ENDS


@rule
def answer_flight(fight: Fight, who: int, kind: int, intent: int, dice: Dice, log: Log | None) -> None:
    """Let the runner go, or strike at the runner's back. flight."""
    if kind == LET_GO:
        emit(log, LETS_GO, who, fight.target)
    else:
        fight.stopped = 1
        runner = fight.target
        fight.actor = who
        fight.move = STRIKE
        fight.intent = intent
        fight.helpless = 1
        emit(log, ATTACKS, who, runner, STRIKE, intent)
        strike(fight, dice, log)
    fight.stage = ASK_STOPPERS


# What it costs


@rule
def weigh(fight: Fight, who: int, log: Log | None) -> None:
    """Say what a fighter who looks for a way out sees in the fight. stakes."""
    if log is None:
        return
    win, years = chance_to_win(fight, who), years_at_risk(fight, who)
    fighter = fight.fighters[who]
    net = fighter.stake * win - fighter.caution * years // 100
    emit(log, WEIGHS, who, win, years, fighter.stake, fighter.caution, net)


@rule
def figures(fight: Fight, log: Log | None) -> None:
    """What is counted for each fighter at the end: wounds, and what they cost. stakes."""
    for who in range(len(fight.fighters)):
        fighter = fight.fighters[who]
        dead = fighter.state == DEAD
        score(log, who, PAIN_TAKEN, fighter.pain)
        score(log, who, INCAPACITATION_TAKEN, fighter.incapacitation)
        score(log, who, CRIPPLING_TAKEN, fighter.crippling)
        score(log, who, WAS_DOWNED, 1 if fighter.state == DOWN else 0)
        score(log, who, DIED, 1 if dead else 0)
        score(log, who, DIED_BEFORE_CARE, 100_000 if dead else fight.perish[fighter.coins] // 10)
        score(log, who, YEARS_LOST, fighter.price[0 if dead else fighter.coins])
        score(log, who, STAKE_WON, fighter.stake if has_won_stake(fight, fighter) else 0)


@rule
def has_won_stake(fight: Fight, fighter: Fighter) -> bool:
    """Whether a fighter has won the stake: the fight is won, or a foe has yielded to this fighter. yield, stakes."""
    return fight.ending == fighter.team or fighter.paid == 1
