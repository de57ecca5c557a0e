"""What a storyteller may change: HP, Luck, ammunition, items and conditions, and what follows by the rules."""

from __future__ import annotations

from collections.abc import Sequence

from affray.errors import Illegal
from affray.kernel.chance import Dice
from affray.kernel.rules import Log
from affray.kernel.state import RUNNING, STANDING
from affray.system.schema import slug
from affray.system.setup import Setup
from affray.system.storytelling import Deal, Storytelling, Touch, check_acting, insert_turn, owing, skipping
from affray.systems.mythos import rules, terms, weapons
from affray.systems.mythos.rules import Fight
from affray.systems.mythos.sheets import Sheet
from affray.systems.mythos.weapons import GUN, HANDS, THROWN, damage_code, kind_of

MOST_SPARE, MOST_ITEMS = 999, 99
_OWN_TURN = (rules.ACT, rules.MORE, rules.EXTRA, rules.RAPID)


def touches(setup: Setup[Sheet], fight: Fight, who: int) -> Sequence[Touch]:
    """Numbers and conditions, then every weapon's rounds, jams and place, and every item."""
    fighter, sheet = fight.fighters[who], setup.sheets[who]
    named = [slug(weapon.name) for weapon in sheet.slots]
    listed = [
        Touch("hp", "hp", 0, fighter.max_hp),
        Touch("luck", "luck", 0, 99),
        Touch("armour", "armour", 0, 20, "taken off every hit"),
        Touch("mov", "mov", 1, 20),
        Touch("dodge", "dodge", 0, 99, "the skill"),
        Touch("attacks", "attacks", 1, 6, "attacks a turn"),
        Touch("off-balance", "off_balance", 0, 1, "a penalty die on the next roll: at a disadvantage"),
        Touch("down", "down", 0, 1),
        Touch("surprised", "surprised", 0, 1),
        Touch("diving", "diving", 0, 1, "no attack before the end of the next turn"),
        Touch("major-wound", "major_wound", 0, 1),
    ]
    for slot, weapon in enumerate(named):
        code = fighter.weapons[slot]
        name = weapon if named.index(weapon) == slot else f"{weapon}-{slot}"
        listed.append(Touch(f"skill-{name}", "skills", 0, 99, "the skill with it", at=slot))
        if slot == HANDS:
            continue
        listed.append(Touch(f"dropped-{name}", "dropped", 0, 1, "on the floor", bit=slot))
        if kind_of(code) == GUN:
            most = weapons.magazine(code)
            listed.append(Touch(f"loaded-{name}", "loaded", 0, most, "rounds in it", at=slot))
            listed.append(Touch(f"spare-{name}", "spare", 0, MOST_SPARE, "rounds carried beside", at=slot))
            listed.append(Touch(f"jammed-{name}", "jammed", 0, 1, bit=slot))
        elif kind_of(code) == THROWN:
            listed.append(Touch(f"loaded-{name}", "loaded", 0, MOST_ITEMS, "how many there are to throw", at=slot))
    for place, item in enumerate(sheet.item_slots):
        listed.append(Touch(slug(item.id), "items", 0, MOST_ITEMS, "an item", at=place))
    return listed


def fit(setup: Setup[Sheet], fight: Fight, who: int) -> None:
    """An item that is carried can be used, and what lies on the floor is not in hand."""
    fighter, sheet = fight.fighters[who], setup.sheets[who]
    for place, item in enumerate(sheet.item_slots):
        if fighter.items[place]:
            fighter.kinds_of_items = max(fighter.kinds_of_items, place + 1)
            fighter.heals[place] = damage_code(item.heals)
            fighter.boosts[place] = item.boost_code(int(setup.options["boost_dice"]))
    if fighter.dropped >> fighter.wielded & 1:
        fighter.wielded = HANDS


def damage(fight: Fight, who: int, points: int, dice: Dice, log: Log | None) -> None:
    """HP are lost with all consequences, and a hold is lost."""
    rules.wound(fight, who, points, dice, log)
    rules.let_go(fight, who, log)


def roll_constitution(fight: Fight, who: int, times: int, dice: Dice, log: Log | None) -> None:
    """A Constitution roll, with the penalty die of one who is off balance."""
    rules.constitution(fight, who, dice, log)


def roll_dodge(fight: Fight, who: int, times: int, dice: Dice, log: Log | None) -> None:
    """A Dodge roll."""
    fighter = fight.fighters[who]
    rules.check(fight, who, terms.FOR_DODGE, fighter.dodge, rules.reaction_net(fighter), dice, log)


def settle(fight: Fight, who: int, dice: Dice, log: Log | None) -> None:
    """One who has no HP left falls by the rules; a question to or about one who is gone is dropped."""
    fighter = fight.fighters[who]
    if fighter.state == STANDING and fighter.hp == 0:
        rules.wound(fight, who, 0, dice, log)
    rules.judge(fight, log)
    if fight.ending == RUNNING and _is_moot(fight):
        fight.due = 0
        fight.hurt = fight.foe_failed = 0
        if fight.phase in _OWN_TURN or fight.fighters[fight.actor].state != STANDING:
            fight.stage = rules.TURN_ENDS
        else:
            fight.stage = rules.NEXT_SHOT if fight.doing == rules.SHOOT else rules.ATTACK_ENDS
        rules.proceed(fight, dice, log)


def _is_moot(fight: Fight) -> bool:
    """Whether the open question is to or about a fighter who is gone, or has no answer left."""
    asked = owing(fight)
    concerned = [*asked, fight.actor]
    if fight.phase in (rules.REACT, rules.UNDER_FIRE, rules.FLEET):
        concerned.append(fight.target)
    elif fight.phase in (rules.HEAVY, rules.TOUGH):
        concerned.append(fight.victim)
    moves = [0] * rules.most_moves(len(fight.fighters))
    return any(fight.fighters[who].state != STANDING for who in concerned) or not all(
        rules.legal(fight, who, moves) for who in asked
    )


def turn(fight: Fight, who: int, dice: Dice, log: Log | None) -> None:
    """The fighter acts now, and then the one whose turn it was."""
    check_acting(fight, rules.ACT)
    if fight.fighters[who].surprised:
        raise Illegal("a surprised fighter cannot act; take that condition first")
    insert_turn(fight, who, lambda: rules.begin_turn(fight, dice, log))


def depart(fight: Fight, who: int, way: int, log: Log | None) -> None:
    """As one who falls or escapes: whom they held is free."""
    rules.leave(fight, who, way)
    if way == terms.DEAD:
        fight.fighters[who].hp = 0


def join(fight: Fight, seated: Fight, who: int, dice: Dice, log: Log | None) -> None:
    """The newcomer's place in the order is that of its DEX; one whose place is past acts in the next round."""
    places = range(len(fight.fighters) - 1)
    place = next((p for p in places if rules.goes_before(fight, who, fight.order[p])), len(places))
    fight.order[:] = [*fight.order[:place], who, *fight.order[place:-1]]
    if place <= fight.turn:
        fight.turn += 1


STORYTELLING = Storytelling[Fight, Sheet](
    touches=touches,
    fit=fit,
    deals={
        "damage": Deal("HP lost, past armour", damage, 99),
        "roll-con": Deal("a Constitution roll", roll_constitution),
        "roll-dodge": Deal("a Dodge roll", roll_dodge),
    },
    settle=settle,
    skip=skipping(rules.ACT, rules.TURN_ENDS, rules.proceed),
    turn=turn,
    ways_out={
        "escaped": terms.ESCAPED,
        "unconscious": terms.UNCONSCIOUS,
        "dying": terms.DYING,
        "dead": terms.DEAD,
    },
    depart=depart,
    join=join,
)
