"""Between fights: what a fight leaves on a sheet, resting and healing, and the sheet of a player in a world."""

from __future__ import annotations

from dataclasses import replace

from affray.kernel.chance import Dice, cards_of, draw, pick
from affray.system.attributes import OneAttribute
from affray.system.telling import counted
from affray.systems.deckahedron.cards import FIRST_WOUND, WHOLE_DECK, WOUND_CARDS, count_of
from affray.systems.deckahedron.rules import DROPPED, HELD, MELEE_WEAPON, OUT, RANGED_WEAPON, Fight, Fighter, weapon
from affray.systems.deckahedron.sheets import SHEETS, Carried, Sheet, bits, checked, points_lost, points_of


def _numbers(pile: int) -> tuple[int, ...]:
    """A pile of bits as cards by their numbers."""
    return tuple(card + 1 for card in cards_of(pile))


# After a fight


def after_fight(fight: Fight, who: int, sheet: Sheet) -> Sheet:
    """The sheet with its piles and tokens as the fight has left them. 33.

    In Heroic mode it says only how many cards lie face down, for no player has seen them.
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
    seen = fighter.exhausted if fight.gritty else 0
    return checked(
        replace(
            lasting,
            discard=_numbers(fighter.discard),
            exhausted=_numbers(seen),
            face_down=fighter.veiled + count_of(fighter.exhausted & ~seen),
            wound_cards=_numbers((fighter.deck | fighter.discard | fighter.exhausted) & WOUND_CARDS),
        )
    )


def _carried(fighter: Fighter, which: int) -> Carried:
    carried = weapon(fighter, which)
    if carried == HELD:
        return "held"
    return "dropped" if carried == DROPPED else "none"


# Resting and healing


def rest(sheet: Sheet, dice: Dice) -> tuple[Sheet, list[str]]:
    """Some hours of rest: the sheet afterwards, and what happened. 21, 28."""
    rested = replace(sheet, tokens_taken=0, harm=max(0, sheet.harm - 1), harm_slots_used=0, wound_slots_used=0)
    told = [f"{sheet.name} rests for some hours.", *_given_back(sheet, rested)]
    if sheet.harm_slots_used or sheet.wound_slots_used:
        told.append("The armour is in order again.")
    return _recovered(rested, dice, told)


def heal(sheet: Sheet, dice: Dice) -> tuple[Sheet, list[str]]:
    """A day of healing: the sheet afterwards, and what happened. 20, 21."""
    healed = replace(sheet, tokens_taken=0, harm=0, wounds=max(0, sheet.wounds - 1))
    told = [f"{sheet.name} spends a day healing.", *_given_back(sheet, healed)]
    if sheet.wounds:
        healed = _without_wound_card(healed, dice)
        told.append("A Wound card is taken out of the cards.")
    return _recovered(healed, dice, told)


def _given_back(before: Sheet, after: Sheet) -> list[str]:
    """The tokens that go, as a sentence where there are any."""
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


def _without_wound_card(sheet: Sheet, dice: Dice) -> Sheet:
    """The sheet without the Wound card taken last, wherever it is. 20.

    Among the unseen cards it lies face down as often as any other of them.
    """
    card = sheet.wound_cards[-1]
    face_down = sheet.face_down
    if face_down and card not in (*sheet.discard, *sheet.exhausted):
        face_down -= pick(dice, count_of(unseen(sheet))) < face_down
    return replace(
        sheet,
        wound_cards=sheet.wound_cards[:-1],
        discard=tuple(each for each in sheet.discard if each != card),
        exhausted=tuple(each for each in sheet.exhausted if each != card),
        face_down=face_down,
    )


def unseen(sheet: Sheet) -> int:
    """The cards of the deck together with those that lie face down, as bits: no player can tell which are which."""
    return (WHOLE_DECK | bits(sheet.wound_cards)) & ~bits(sheet.discard) & ~bits(sheet.exhausted)


def _recovered(sheet: Sheet, dice: Dice, told: list[str]) -> tuple[Sheet, list[str]]:
    """As many cards as there are Harm and Wound tokens left stay lost, chosen at random; the rest are discarded. 21."""
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
    for _ in range(stay):
        down = sheet.face_down - kept_down
        if down and (not face_up or pick(dice, down + count_of(face_up)) < down):
            kept_down += 1
        else:
            card = 1 << draw(dice, face_up)
            face_up &= ~card
            kept_up |= card
    back, hidden = face_up, unseen(sheet)
    for _ in range(sheet.face_down - kept_down):
        card = 1 << draw(dice, hidden)
        hidden &= ~card
        back |= card
    discard = _numbers(bits(sheet.discard) | back)
    return replace(sheet, discard=discard, exhausted=_numbers(kept_up), face_down=kept_down), back


def _cards_in_words(pile: int) -> str:
    wounds = count_of(pile >> FIRST_WOUND)
    numbers = [str(card) for card in _numbers(pile & WHOLE_DECK)]
    return ", ".join([*numbers, *["a Wound card"] * wounds])


# In a world

HELP = {
    "rest": """\
Your Exhaustion tokens and one Harm token go, your armour is put in order, and
what the tokens that are left do not keep of your Exhaustion pile comes back.""",
    "heal": """\
It takes a day. Your Exhaustion and Harm tokens and one Wound go, and what the
Wounds that are left do not keep of your Exhaustion pile comes back.""",
}
RESIDENCE = OneAttribute("deckahedron_sheet", "maren or maren:harm=1", SHEETS, after_fight, HELP).residence
