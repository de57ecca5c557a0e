"""The course of a fight: every rule of a round, a blow and a way out. Ids in comments are rulings."""

from __future__ import annotations

from affray.kernel.chance import Dice, flip_off, heads, pick
from affray.kernel.rules import Log, apart, emit, rule, score
from affray.kernel.state import RUNNING, STANDING, add_move, ask, is_foe, last_team, to_act
from affray.systems.strategic import abilities, events, state
from affray.systems.strategic.arms import FISTS, KIND, RANGED
from affray.systems.strategic.stakes import chance_to_win, years_at_risk
from affray.systems.strategic.state import Fight, Fighter


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
    fight.round = 0
    fight.stage = state.ROUND_BEGINS
    near = 0
    for who in range(len(fight.fighters)):
        if fight.fighters[who].near:
            near = 1
    emit(log, events.OPENS, near)
    for who in range(len(fight.fighters)):
        if fight.fighters[who].crippling > 0:
            see_whether_down(fight, who, log)
    proceed(fight, dice, log)


@rule
def proceed(fight: Fight, dice: Dice, log: Log | None) -> None:
    """Carry out everything that needs no decision, until a fighter has to decide or the fight is over."""
    while fight.due == 0 and fight.ending == RUNNING:
        stage = fight.stage
        if stage == state.ROUND_BEGINS:
            begin_round(fight, dice, log)
        elif stage == state.BLOW:
            strike(fight, dice, log)
        elif stage == state.ASK_FOES:
            ask_foes(fight)
        elif stage == state.ASK_STOPPERS:
            ask_stoppers(fight, log)
        else:
            end_round(fight, log)


@apart
def begin_round(fight: Fight, dice: Dice, log: Log | None) -> None:
    """A second begins: Life checks, then the contest for initiative, then the winner acts. turns, life."""
    fight.round += 1
    emit(log, events.ROUND, fight.round)
    for who in range(len(fight.fighters)):
        check_life(fight, who, dice, log)
    judge(fight, log)
    if fight.ending != RUNNING:
        return
    who = contest_initiative(fight, dice, log)
    for other in range(len(fight.fighters)):
        fight.fighters[other].hurried = 0
    let_act(fight, who, dice, log)


@rule
def let_act(fight: Fight, who: int, dice: Dice, log: Log | None) -> None:
    """A fighter acts: what its last action gave is over, and it looks for openings. openings."""
    fighter = fight.fighters[who]
    fighter.guard = 0
    fighter.quick = 0
    fight.actor = who
    emit(log, events.ACTS, who)
    see_openings(fight, who, dice, log)
    ask(fight, who, state.ACT)


@rule
def check_life(fight: Fight, who: int, dice: Dice, log: Log | None) -> None:
    """A fighter with few Life Coins left flips them: all Tails, and one is gone. life."""
    fighter = fight.fighters[who]
    if fighter.state == state.DEAD or fighter.state == state.FLED or fighter.coins > fight.life_check_at:
        return
    emit(log, events.AWAITS, who, state.FOR_LIFE, fighter.coins)
    lost = 1 if heads(dice, fighter.coins) == 0 else 0
    fighter.coins -= lost
    score(log, who, state.COINS_LOST, lost)
    emit(log, events.LIFE_CHECK, who, fighter.coins, lost)
    if fighter.coins == 0:
        die(fight, who, log)


@rule
def die(fight: Fight, who: int, log: Log | None) -> None:
    """No Life Coins are left."""
    fight.fighters[who].state = state.DEAD
    emit(log, events.DIES, who)


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
        coins = abilities.initiative_ability(fight, fighter)
        emit(log, events.AWAITS, who, state.FOR_INITIATIVE, coins)
        shown = heads(dice, coins)
        emit(log, events.INITIATIVE, who, coins, shown)
        if shown > most:
            most, tied, count = shown, 0, 0
        if shown == most:
            tied |= 1 << who
            count += 1
    place = 0
    if count > 1:
        emit(log, events.AWAITS, bit_at(tied, 0), state.FOR_FLIP_OFF, tied)
        place = flip_off(dice, count)
    who = bit_at(tied, place)
    if count > 1:
        emit(log, events.FLIPS_OFF, who)
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
    skill = abilities.skill_in_hand(fighter)
    emit(log, events.AWAITS, who, state.FOR_OPENINGS, skill)
    count = fight.openings_base + heads(dice, skill)
    left = abilities.known_in_hand(fighter)
    known = 0
    for move in range(state.LEARNED):
        known += left >> move & 1
    fighter.openings = 0
    if count >= known:
        fighter.openings = left
    else:
        for _ in range(count):
            emit(log, events.AWAITS, who, state.FOR_AN_OPENING, left)
            move = bit_at(left, pick(dice, known))
            left &= ~(1 << move)
            fighter.openings |= 1 << move
            known -= 1
    emit(log, events.OPENINGS, who, count, fighter.openings)


@apart
def end_round(fight: Fight, log: Log | None) -> None:
    """Check whether the fight is over. ends."""
    fight.stage = state.ROUND_BEGINS
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
        emit(log, events.PEACE, fight.round, offers)
    elif fight.quiet >= fight.standoff:
        fight.ending = fight.teams + 2
        emit(log, events.STANDOFF, fight.quiet)
    elif fight.round >= fight.round_cap:
        fight.ending = fight.teams
        emit(log, events.STALLED, fight.round)
    if fight.ending != RUNNING:
        emit(log, events.ENDS, fight.ending)


@rule
def judge(fight: Fight, log: Log | None) -> None:
    """The fight is over when at most one team has a fighter left who can fight."""
    fight.ending = last_team(fight)
    if fight.ending != RUNNING:
        fight.due = 0
        emit(log, events.ENDS, fight.ending)


# What may be done


@apart
def legal(fight: Fight, who: int, moves: list[int]) -> int:
    """Fill in the moves open to a fighter; returns how many."""
    if not to_act(fight) >> who & 1:
        return 0
    phase = fight.phase
    if phase == state.ACT:
        return legal_actions(fight, who, moves)
    if phase == state.DEFEND:
        return legal_defences(fight, who, moves)
    if phase == state.THREATENED:
        moves[0] = state.FIGHT_ON
        moves[1] = state.GIVE_IN
        return 2
    if phase == state.OFFERED:
        moves[0] = move_code(state.ACCEPT, 0, fight.target)
        moves[1] = move_code(state.REFUSE, 0, fight.target)
        return 2
    moves[0] = state.LET_GO
    for intent in range(3):
        moves[1 + intent] = move_code(state.STOP, intent, fight.target)
    return 4


@rule
def legal_defences(fight: Fight, who: int, moves: list[int]) -> int:
    """Which defences there are against the blow that is coming: bracing is always one. defences, weapons."""
    fighter = fight.fighters[who]
    count = 0
    if KIND[fight.fighters[fight.actor].weapon] != RANGED and abilities.defends(fight, fighter, state.PARRY):
        count = add_move(moves, count, state.PARRY)
    if abilities.can_dodge(fight, fighter):
        count = add_move(moves, count, state.DODGE)
    moves[count] = state.BRACE
    return count + 1


@rule
def legal_actions(fight: Fight, who: int, moves: list[int]) -> int:
    """What the winner of the initiative may do."""
    fighter = fight.fighters[who]
    count = 0
    for target in range(len(fight.fighters)):
        if not is_foe(fight, who, target):
            continue
        for move in range(state.GUARDED + 1):
            if not abilities.sees(fighter, move) or not abilities.can_reach(fight, who, target, move):
                continue
            if move in (state.THREATEN, state.DISARM):
                if move == state.THREATEN or abilities.is_armed(fight.fighters[target]):
                    count = add_move(moves, count, move_code(move, 0, target))
                continue
            for intent in range(2 if move == state.PULL else 3):
                count = add_move(moves, count, move_code(move, intent, target))
        if fight.fighters[target].yielding:
            count = add_move(moves, count, move_code(state.ACCEPT, 0, target))
        if not fighter.near >> target & 1:
            count = add_move(moves, count, move_code(state.CLOSE_IN, 0, target))
    if fighter.weapon != fighter.owned:
        count = add_move(moves, count, state.PICK_UP)
    if fighter.yielding:
        moves[count] = state.WITHDRAW
        moves[count + 1] = state.WAIT
    else:
        moves[count] = state.YIELD
        moves[count + 1] = state.STAND_DOWN
    moves[count + 2] = state.FLEE
    return count + 3


# What is done


@rule
def apply(fight: Fight, who: int, move: int, dice: Dice, log: Log | None) -> None:
    """Carry out a decision, and continue to the next one."""
    kind = move & 31
    intent = move >> 5 & 3
    target = move >> 7
    phase = fight.phase
    fight.due = 0
    if phase == state.ACT:
        act(fight, who, kind, intent, target, dice, log)
    elif phase == state.DEFEND:
        fight.defence = kind
        fight.stage = state.BLOW
        emit(log, events.DEFENDS, who, kind)
    elif phase == state.THREATENED:
        fight.stage = state.ROUND_ENDS
        if kind == state.GIVE_IN:
            weigh(fight, who, log)
            offer(fight, who, log)
        else:
            emit(log, events.FIGHTS_ON, who)
    elif phase == state.OFFERED:
        answer_offer(fight, who, kind, log)
    else:
        answer_flight(fight, who, kind, intent, dice, log)
    proceed(fight, dice, log)


@apart
def act(fight: Fight, who: int, kind: int, intent: int, target: int, dice: Dice, log: Log | None) -> None:
    """What the winner of the initiative does."""
    fighter = fight.fighters[who]
    fight.stage = state.ROUND_ENDS
    fight.target = target
    if kind != state.WAIT and kind != state.WITHDRAW:
        fighter.standing_down = 0
    if kind <= state.GUARDED and kind != state.THREATEN:
        fighter.yielding = 0
        aim(fight, who, kind, intent, target, log)
    elif kind == state.THREATEN:
        fighter.yielding = 0
        threaten(fight, who, target, dice, log)
    elif kind == state.STAND_DOWN:
        weigh(fight, who, log)
        fighter.standing_down = 1
        emit(log, events.STANDS_DOWN, who)
    elif kind == state.YIELD:
        weigh(fight, who, log)
        offer(fight, who, log)
    elif kind == state.WITHDRAW:
        fighter.yielding = 0
        emit(log, events.WITHDRAWS, who)
    elif kind == state.FLEE:
        weigh(fight, who, log)
        run(fight, who, dice, log)
    elif kind == state.ACCEPT:
        accept(fight, who, target, log)
    elif kind == state.PICK_UP:
        fighter.weapon = fighter.owned
        emit(log, events.PICKS_UP, who)
    elif kind == state.CLOSE_IN:
        fighter.near |= 1 << target
        fight.fighters[target].near |= 1 << who
        emit(log, events.CLOSES, who, target)
    else:
        emit(log, events.WAITS, who)


@rule
def aim(fight: Fight, who: int, move: int, intent: int, target: int, log: Log | None) -> None:
    """Announce a blow; the target chooses a defence before any coin is flipped."""
    fighter = fight.fighters[who]
    fight.move = move
    fight.intent = intent
    if move == state.POWER:
        fighter.guard = fight.power_defence
    elif move == state.GUARDED:
        fighter.guard = fight.guarded_defence
    elif move == state.JAB:
        fighter.quick = fight.jab_initiative
    emit(log, events.ATTACKS, who, target, move, intent)
    fight.stage = state.BLOW
    fight.helpless = fight.fighters[target].yielding
    if not fight.helpless:
        ask(fight, target, state.DEFEND)


@apart
def strike(fight: Fight, dice: Dice, log: Log | None) -> None:
    """Flip the Pain Penalty, then attack against defence. pain, contested."""
    who, target = fight.actor, fight.target
    fighter, foe = fight.fighters[who], fight.fighters[target]
    fight.stage = state.ROUND_ENDS
    coins = abilities.attack_coins(fight, fighter, fight.move)
    fighter.shaken = 0
    if fighter.pain > 0:
        emit(log, events.AWAITS, who, state.FOR_PAIN_PENALTY, fighter.pain)
        lost = heads(dice, fighter.pain)
        coins -= lost
        emit(log, events.PAIN_PENALTY, who, fighter.pain, lost)
    if not fight.helpless and fight.defence == state.DODGE:
        foe.hurried = fight.dodge_initiative
    if coins <= 0:
        emit(log, events.TOO_WEAK, who, coins)
        return
    against = fight.helpless_defence if fight.helpless else abilities.defence_coins(fight, foe, fight.defence)
    margin = contest(fight, who, target, coins, against, state.FOR_ATTACK, state.FOR_DEFENCE, dice, log)
    if margin >= 0:
        land(fight, margin, dice, log)
        return
    emit(log, events.MISSES, who, target)
    if not fight.helpless and fight.defence == state.PARRY and -margin > fight.parry_margin:
        foe.hurried = fight.parry_initiative
        emit(log, events.RIPOSTE, target)


@apart
def contest(
    fight: Fight, who: int, other: int, coins: int, against: int, what: int, facing: int, dice: Dice, log: Log | None
) -> int:
    """A contested roll; returns the margin of a win, 0 by Flip-Off, or -1 less the margin of a loss. contested."""
    emit(log, events.AWAITS, who, what, coins)
    mine = heads(dice, coins)
    emit(log, events.AWAITS, other, facing, against)
    theirs = heads(dice, against)
    emit(log, events.CONTEST, who, other, coins, mine, against, theirs)
    if mine != theirs:
        return mine - theirs if mine > theirs else mine - theirs - 1
    emit(log, events.AWAITS, who, state.FOR_FLIP_OFF, 1 << who | 1 << other)
    won = flip_off(dice, 2) == 0
    emit(log, events.FLIPS_OFF, who if won else other)
    return 0 if won else -1


@apart
def land(fight: Fight, margin: int, dice: Dice, log: Log | None) -> None:
    """A blow has hit. damage, intents, soak."""
    who, target = fight.actor, fight.target
    fighter, foe = fight.fighters[who], fight.fighters[target]
    fight.quiet = -1
    score(log, who, state.HITS_LANDED, 1)
    emit(log, events.HITS, who, target, margin)
    if fight.move == state.DISARM:
        if margin >= fight.disarm_margin:
            foe.weapon = FISTS
            emit(log, events.DISARMED, who, target)
            see_whether_down(fight, target, log)
        else:
            emit(log, events.KEEPS_WEAPON, who, target)
        return
    pain = flip_pool(fight, who, state.PAIN, dice, log)
    incapacitation = flip_pool(fight, who, state.INCAPACITATE, dice, log)
    crippling = flip_pool(fight, who, state.CRIPPLE, dice, log)
    points = abilities.margin_points(fight, margin)
    kept = points
    goes_to = fight.intent
    if points > fight.control_base:
        emit(log, events.AWAITS, who, state.FOR_CONTROL, fighter.discipline)
        kept = min(points, fight.control_base + heads(dice, fighter.discipline))
        if kept < points:
            goes_to = neighbour(fight.intent, who, dice, log)
            emit(log, events.SLIPS, who, goes_to, points - kept)
    slipped = points - kept
    pain += (kept if fight.intent == state.PAIN else 0) + (slipped if goes_to == state.PAIN else 0)
    incapacitation += (kept if fight.intent == state.INCAPACITATE else 0) + (
        slipped if goes_to == state.INCAPACITATE else 0
    )
    crippling += (kept if fight.intent == state.CRIPPLE else 0) + (slipped if goes_to == state.CRIPPLE else 0)
    soaked = soak(fight, target, dice, log)
    if fight.move == state.PULL:
        crippling = 0
    hurt(
        fight,
        target,
        max(fight.least_pain, pain - abilities.soaked_off(fight, state.PAIN, soaked)),
        max(0, incapacitation - abilities.soaked_off(fight, state.INCAPACITATE, soaked)),
        max(0, crippling - abilities.soaked_off(fight, state.CRIPPLE, soaked)),
        log,
    )


@rule
def flip_pool(fight: Fight, who: int, intent: int, dice: Dice, log: Log | None) -> int:
    """Flip one type of damage."""
    coins = abilities.pool(fight, fight.fighters[who], fight.move, intent)
    emit(log, events.AWAITS, who, state.FOR_PAIN + intent, coins)
    return heads(dice, coins)


@rule
def neighbour(intent: int, who: int, dice: Dice, log: Log | None) -> int:
    """The type that uncontrolled points slip to: from the middle a coin decides. intents."""
    if intent != state.INCAPACITATE:
        return state.INCAPACITATE
    emit(log, events.AWAITS, who, state.FOR_SLIP, 1)
    return state.CRIPPLE if heads(dice, 1) else state.PAIN


@rule
def soak(fight: Fight, target: int, dice: Dice, log: Log | None) -> int:
    """Flip what a body and its armour take off a hit."""
    bracing = not fight.helpless and fight.defence == state.BRACE
    coins = abilities.soak_coins(fight, fight.fighters[target], fight.move, bracing)
    emit(log, events.AWAITS, target, state.FOR_SOAK, coins)
    soaked = heads(dice, coins)
    emit(log, events.SOAKS, target, soaked)
    return soaked


@rule
def hurt(fight: Fight, who: int, pain: int, incapacitation: int, crippling: int, log: Log | None) -> None:
    """Set the highwaters, take the Life Coins, and see who is down. highwaters, lethal."""
    fighter = fight.fighters[who]
    lethal = max(0, crippling - fighter.crippling) if fight.by_highwater else crippling
    fighter.pain = max(fighter.pain, pain)
    fighter.incapacitation = max(fighter.incapacitation, incapacitation)
    fighter.crippling = max(fighter.crippling, crippling)
    emit(log, events.HURTS, who, fighter.pain, fighter.incapacitation, fighter.crippling)
    if lethal > 0:
        lethal = min(lethal, fighter.coins)
        fighter.coins -= lethal
        score(log, who, state.COINS_LOST, lethal)
        emit(log, events.LOSES_COINS, who, lethal, fighter.coins)
    if fighter.coins == 0:
        die(fight, who, log)
    else:
        see_whether_down(fight, who, log)


@rule
def see_whether_down(fight: Fight, who: int, log: Log | None) -> None:
    """A fighter left without attack by Incapacitation and Crippling, also that of an earlier fight, is down. ends."""
    fighter = fight.fighters[who]
    if abilities.fixed_penalty(fighter) > 0 and abilities.attack_ability(fight, fighter) <= abilities.fixed_penalty(
        fighter
    ):
        fighter.state = state.DOWN
        emit(log, events.FALLS, who)


@rule
def threaten(fight: Fight, who: int, target: int, dice: Dice, log: Log | None) -> None:
    """Frighten a foe, who must choose to fight on or yield, and flinches in the next attack. moves."""
    foe = fight.fighters[target]
    emit(log, events.THREATENS, who, target)
    coins, nerve = abilities.threat_coins(fight, fight.fighters[who]), abilities.nerve_coins(fight, foe)
    if contest(fight, who, target, coins, nerve, state.FOR_THREAT, state.FOR_NERVE, dice, log) < 0:
        emit(log, events.UNMOVED, target, who)
        return
    foe.shaken = fight.threat_attack
    emit(log, events.COWED, target, who)
    if not foe.yielding:
        ask(fight, target, state.THREATENED)


# Ways out


@rule
def offer(fight: Fight, who: int, log: Log | None) -> None:
    """Offer to yield: every foe is asked, and until one accepts, the fighter who offers is helpless. yield."""
    fight.fighters[who].yielding = 1
    fight.fighters[who].standing_down = 0
    fight.target = who
    fight.asked = 0
    fight.stage = state.ASK_FOES
    emit(log, events.OFFERS, who)


@rule
def ask_foes(fight: Fight) -> None:
    """The next foe who has not answered the offer is asked."""
    for other in range(len(fight.fighters)):
        if is_foe(fight, fight.target, other) and not fight.fighters[other].yielding and not fight.asked >> other & 1:
            fight.asked |= 1 << other
            ask(fight, other, state.OFFERED)
            return
    fight.fighters[fight.target].spurned = 1
    fight.stage = state.ROUND_ENDS


@rule
def answer_offer(fight: Fight, who: int, kind: int, log: Log | None) -> None:
    """Accept the offer or refuse it; a refused offer stays open until it is withdrawn."""
    if kind == state.ACCEPT:
        fight.stage = state.ROUND_ENDS
        accept(fight, who, fight.target, log)
    else:
        fight.stage = state.ASK_FOES
        emit(log, events.REFUSED, who, fight.target)


@rule
def accept(fight: Fight, who: int, target: int, log: Log | None) -> None:
    """An offer to yield is accepted: the foe drops the weapon and is out of the fight. yield."""
    foe = fight.fighters[target]
    foe.state = state.YIELDED
    foe.weapon = FISTS
    fight.fighters[who].paid = 1
    emit(log, events.ACCEPTED, who, target, fight.fighters[who].stake)


@apart
def run(fight: Fight, who: int, dice: Dice, log: Log | None) -> None:
    """Flee: see which of the foes at hand could stop it. flight."""
    fighter = fight.fighters[who]
    fighter.yielding = 0
    fight.target = who
    fight.stoppers = 0
    fight.stopped = 0
    emit(log, events.RUNS, who, abilities.fixed_penalty(fighter))
    for other in range(len(fight.fighters)):
        foe = fight.fighters[other]
        if not is_foe(fight, who, other) or foe.standing_down or foe.yielding or not fighter.near >> other & 1:
            continue
        if abilities.fixed_penalty(fighter) == abilities.fixed_penalty(foe):
            emit(log, events.AWAITS, other, state.FOR_STOP, 1)
            if heads(dice, 1):
                fight.stoppers |= 1 << other
        elif abilities.fixed_penalty(fighter) > abilities.fixed_penalty(foe):
            mine, theirs = abilities.initiative_ability(fight, fighter), abilities.initiative_ability(fight, foe)
            if contest(fight, who, other, mine, theirs, state.FOR_INITIATIVE, state.FOR_INITIATIVE, dice, log) < 0:
                fight.stoppers |= 1 << other
        emit(log, events.CAUGHT if fight.stoppers >> other & 1 else events.SLIPS_PAST, other, who)
    fight.stage = state.ASK_STOPPERS


@rule
def ask_stoppers(fight: Fight, log: Log | None) -> None:
    """The next foe who has caught the one who runs decides; behind the last the flight has succeeded or not."""
    runner = fight.fighters[fight.target]
    if runner.state == STANDING:
        for other in range(len(fight.fighters)):
            if fight.stoppers >> other & 1 and fight.fighters[other].state == STANDING:
                fight.stoppers &= ~(1 << other)
                ask(fight, other, state.STOPPING)
                return
        if fight.stopped:
            emit(log, events.STOPPED, fight.target)
        else:
            runner.state = state.FLED
            emit(log, events.AWAY, fight.target)
    fight.stage = state.ROUND_ENDS


@rule
def answer_flight(fight: Fight, who: int, kind: int, intent: int, dice: Dice, log: Log | None) -> None:
    """Let the runner go, or strike at the runner's back. flight."""
    if kind == state.LET_GO:
        emit(log, events.LETS_GO, who, fight.target)
    else:
        fight.stopped = 1
        runner = fight.target
        fight.actor = who
        fight.move = state.STRIKE
        fight.intent = intent
        fight.helpless = 1
        emit(log, events.ATTACKS, who, runner, state.STRIKE, intent)
        strike(fight, dice, log)
    fight.stage = state.ASK_STOPPERS


# What it costs


@rule
def weigh(fight: Fight, who: int, log: Log | None) -> None:
    """Say what a fighter who looks for a way out sees in the fight. stakes."""
    if log is None:
        return
    win, years = chance_to_win(fight, who), years_at_risk(fight, who)
    fighter = fight.fighters[who]
    net = fighter.stake * win - fighter.caution * years // 100
    emit(log, events.WEIGHS, who, win, years, fighter.stake, fighter.caution, net)


@rule
def figures(fight: Fight, log: Log | None) -> None:
    """What is counted for each fighter at the end: wounds, and what they cost. stakes."""
    for who in range(len(fight.fighters)):
        fighter = fight.fighters[who]
        dead = fighter.state == state.DEAD
        score(log, who, state.PAIN_TAKEN, fighter.pain)
        score(log, who, state.INCAPACITATION_TAKEN, fighter.incapacitation)
        score(log, who, state.CRIPPLING_TAKEN, fighter.crippling)
        score(log, who, state.WAS_DOWNED, 1 if fighter.state == state.DOWN else 0)
        score(log, who, state.DIED, 1 if dead else 0)
        score(log, who, state.DIED_BEFORE_CARE, 100_000 if dead else fight.perish[fighter.coins] // 10)
        score(log, who, state.YEARS_LOST, fighter.price[0 if dead else fighter.coins])
        score(log, who, state.STAKE_WON, fighter.stake if has_won_stake(fight, fighter) else 0)
        level = fighter.came_crippled if dead else min(state.MOST_COINS, fighter.crippling)
        score(log, who, state.DAYS_IN_BED, fight.bed[level] - fight.bed[fighter.came_crippled])
        score(log, who, state.LAMED, fight.lame[level] - fight.lame[fighter.came_crippled])


@rule
def has_won_stake(fight: Fight, fighter: Fighter) -> bool:
    """Whether a fighter has won the stake: the fight is won, or a foe has yielded to this fighter. yield, stakes."""
    return fight.ending == fighter.team or fighter.paid == 1
