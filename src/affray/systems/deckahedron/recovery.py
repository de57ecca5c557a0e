"""Between fights: what a fight leaves on a sheet, resting and healing, and the sheet of a player in a world."""

from __future__ import annotations

from dataclasses import replace

from affray.errors import Invalid
from affray.kernel.chance import Dice, cards_of, draw, draw_unseen, pick
from affray.kernel.weights import how_many
from affray.system.attributes import OneAttribute
from affray.system.telling import counted
from affray.systems.deckahedron import rules
from affray.systems.deckahedron.cards import FIRST_WOUND, WHOLE_DECK, WOUND_CARDS
from affray.systems.deckahedron.rules import DROPPED, HELD, MELEE_WEAPON, OUT, RANGED_WEAPON, Fight, Fighter, weapon
from affray.systems.deckahedron.sheets import (
    SHEETS,
    Carried,
    FaceDown,
    Sheet,
    bits,
    checked,
    points_lost,
    points_of,
    read_pile,
    unseen,
    write_pile,
)


def _numbers(pile: int) -> tuple[int, ...]:
    """A pile of bits as cards by their numbers."""
    return tuple(card + 1 for card in cards_of(pile))


# After a fight


def after_fight(fight: Fight, who: int, sheet: Sheet) -> Sheet:
    """The sheet with its piles and tokens as the fight has left them. 33.

    In Heroic mode it says how many cards lie face down; which ones is sealed, for no player has seen them.
    """
    fighter = fight.fighters[who]
    lasting = replace(
        sheet,
        melee=_carried(fighter, MELEE_WEAPON),
        ranged=_carried(fighter, RANGED_WEAPON),
        ammo_used=sheet.ammo - fighter.ammo,
        harm_slots_used=sheet.harm_slots - fighter.harm_slots,
        wound_slots_used=sheet.wound_slots - fighter.wound_slots,
        tokens_taken=fighter.tokens,
        harm=fighter.harm,
        wounds=fighter.wounds,
        incapacitated=fighter.state == OUT,
    )
    if not sheet.deck:
        return checked(replace(lasting, exhausted=(), face_down=fighter.ticks))
    return checked(
        replace(
            lasting,
            discard=_numbers(fighter.discard),
            exhausted=_numbers(fighter.open),
            face_down=rules.face_down(fighter),
            pile=_pile_of(fighter),
            wound_cards=_numbers((fighter.deck | fighter.discard | fighter.exhausted) & WOUND_CARDS),
        )
    )


def _pile_of(fighter: Fighter) -> str:
    """The cards that lie face down, as the sheet has them; empty if they may be any unseen cards."""
    hidden = rules.unseen(fighter)
    pile = [
        FaceDown(fighter.laid[place] & hidden or hidden, -1 if fighter.veiled else fighter.lost[place])
        for place in range(rules.face_down(fighter))
    ]
    return "" if all(one == FaceDown(hidden) for one in pile) else write_pile(pile)


def _carried(fighter: Fighter, which: int) -> Carried:
    carried = weapon(fighter, which)
    if carried == HELD:
        return "held"
    return "dropped" if carried == DROPPED else "none"


# Resting and healing

REST_HOURS, HEAL_HOURS = 8, 24


def rest(sheet: Sheet, dice: Dice) -> tuple[Sheet, list[str]]:
    """Some hours of rest: the sheet afterwards, and what happened. 21, 28, 34."""
    if sheet.place == "road":
        raise Invalid(f"{sheet.name} is travelling, and rests only where there is time for it", given=sheet.place)
    rested = replace(sheet, tokens_taken=0, harm=max(0, sheet.harm - 1), harm_slots_used=0, wound_slots_used=0)
    rested = replace(rested, hours=sheet.hours + REST_HOURS)
    told = [f"{sheet.name} rests for {REST_HOURS} hours.", *_given_back(sheet, rested)]
    if sheet.harm_slots_used or sheet.wound_slots_used:
        told.append("The armour is in order again.")
    return _recovered(rested, dice, told)


def heal(sheet: Sheet, dice: Dice) -> tuple[Sheet, list[str]]:
    """A day of healing: the sheet afterwards, and what happened. 20, 21, 34."""
    if sheet.place != "haven":
        raise Invalid(f"{sheet.name} is not in a peaceful place with the means to heal", given=sheet.place)
    healed = replace(sheet, tokens_taken=0, harm=0, wounds=max(0, sheet.wounds - 1), hours=sheet.hours + HEAL_HOURS)
    told = [f"{sheet.name} spends a day healing.", *_given_back(sheet, healed)]
    if sheet.wounds:
        healed = _without_wound_card(_settled(healed, dice), dice)
        told.append("A Wound card is taken out of the cards.")
    return _recovered(healed, dice, told)


def _given_back(before: Sheet, after: Sheet) -> list[str]:
    """The tokens that are removed, as a sentence, if there are any."""
    gone = [
        (before.tokens_taken - after.tokens_taken, "Exhaustion"),
        (before.harm - after.harm, "Harm"),
        (before.wounds - after.wounds, "Wound"),
    ]
    parts = [counted(count, f"{kind} token") for count, kind in gone if count]
    if not parts:
        return []
    verb = "goes" if sum(count for count, _ in gone) == 1 else "go"
    return [f"{' and '.join([', '.join(parts[:-1])] * (len(parts) > 1) + parts[-1:])} {verb}."]


def _settled(sheet: Sheet, dice: Dice) -> Sheet:
    """The sheet with known face-down cards in place of those it only describes: they are turned over soon."""
    pile, left = read_pile(sheet.pile), unseen(sheet)
    for place, one in enumerate(pile):
        if one.card < 0:
            pile[place] = one._replace(card=draw_unseen(dice, one.may_be & left))
        left &= ~(1 << pile[place].card)
    return replace(sheet, pile=write_pile(pile))


def _without_wound_card(sheet: Sheet, dice: Dice) -> Sheet:
    """The sheet without the Wound card taken last, wherever it is. 20.

    Where any unseen card may lie face down, it lies there as often as any other of them.
    """
    card = sheet.wound_cards[-1]
    face_down = sheet.face_down
    if sheet.pile:
        kept = [one._replace(may_be=one.may_be & ~(1 << card - 1)) for one in read_pile(sheet.pile)]
        kept = [one for one in kept if one.card != card - 1]
        sheet, face_down = replace(sheet, pile=write_pile(kept)), len(kept)
    elif face_down and card not in (*sheet.discard, *sheet.exhausted):
        face_down -= pick(dice, how_many(unseen(sheet))) < face_down
    return replace(
        sheet,
        wound_cards=sheet.wound_cards[:-1],
        discard=tuple(each for each in sheet.discard if each != card),
        exhausted=tuple(each for each in sheet.exhausted if each != card),
        face_down=face_down,
    )


def _recovered(sheet: Sheet, dice: Dice, told: list[str]) -> tuple[Sheet, list[str]]:
    """As many cards as there are Harm and Wound tokens left stay lost, chosen at random; the rest are discarded. 21."""
    sheet = _settled(sheet, dice)
    lost = points_lost(sheet)
    stay = min(sheet.harm + sheet.wounds, lost)
    if sheet.deck:
        sheet, back = _let_stay(sheet, stay, dice)
        if back:
            told.append(f"To the discard pile: {_cards_in_words(back)}.")
        told.append(f"{counted(stay, 'card')} {'stays' if stay == 1 else 'stay'} in the Exhaustion pile.")
    else:
        sheet = replace(sheet, exhausted=(), face_down=stay)
        told.append(f"{counted(lost - stay, 'Stamina point')} come back.")
    down = sheet.incapacitated and stay >= points_of(sheet)
    if sheet.incapacitated:
        told.append(f"{sheet.name} {'still cannot' if down else 'can'} fight{'' if down else ' again'}.")
    return checked(replace(sheet, incapacitated=down)), told


def _let_stay(sheet: Sheet, stay: int, dice: Dice) -> tuple[Sheet, int]:
    """Choose the cards that stay, face up or face down, and turn over those that go; returns these as bits too."""
    face_up, kept_up, kept_down = bits(sheet.exhausted), 0, 0
    pile, kept = read_pile(sheet.pile), list[FaceDown]()
    for _ in range(stay):
        down = sheet.face_down - kept_down
        if down and (not face_up or pick(dice, down + how_many(face_up)) < down):
            kept_down += 1
            if pile:
                kept.append(pile.pop(pick(dice, len(pile))))
        else:
            card = 1 << draw(dice, face_up)
            face_up &= ~card
            kept_up |= card
    back, hidden = face_up, unseen(sheet)
    for place in range(sheet.face_down - kept_down):
        card = 1 << (pile[place].card if pile else draw(dice, hidden))
        hidden &= ~card
        back |= card
    kept = [one._replace(may_be=one.may_be & ~back) for one in sorted(kept, key=lambda one: how_many(one.may_be))]
    sheet = replace(sheet, discard=_numbers(bits(sheet.discard) | back), exhausted=_numbers(kept_up))
    return replace(sheet, face_down=kept_down, pile=write_pile(kept)), back


def _cards_in_words(pile: int) -> str:
    wounds = how_many(pile >> FIRST_WOUND)
    numbers = [str(card) for card in _numbers(pile & WHOLE_DECK)]
    return ", ".join([*numbers, *["a Wound card"] * wounds])


# In a world

HELP = {
    "rest": """\
It takes eight hours, and is not done on the road. Your Exhaustion tokens and
one Harm token go, your armour is put in order, and what the tokens that are
left do not keep of your Exhaustion pile comes back.""",
    "heal": """\
It takes a day in a haven: a peaceful place that has the means for it. Your
Exhaustion and Harm tokens and one Wound go, and what the Wounds that are left
do not keep of your Exhaustion pile comes back.""",
}
RESIDENCE = OneAttribute("deckahedron_sheet", "maren or maren:harm=1", SHEETS, after_fight, HELP).residence
