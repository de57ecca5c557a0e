"""What lasts after a fight, and how a fighter recovers: on the way to the healer, and in bed."""

from __future__ import annotations

from dataclasses import replace

from affray.errors import Invalid
from affray.kernel.chance import Dice, heads
from affray.system.attributes import OneAttribute
from affray.system.telling import counted
from affray.systems.strategic.healing import NOBODY, hours_in_bed, operable
from affray.systems.strategic.life import HOUR, in_words, live_on
from affray.systems.strategic.sheets import SHEETS, SURGEONS, Sheet
from affray.systems.strategic.state import DEAD, MOST_COINS, Fight

DAY = 24  # hours
TERMS = ("hours_to_care", "care_coins", "surgery_hours", "heals_alone", "mend_coins")
TERMS_OF_REST = ("rest_days", "rest_hours", "rest_growth")


def after_fight(fight: Fight, who: int, sheet: Sheet) -> Sheet:
    """The sheet after the fight: Crippling, Life Coins, and what recovery takes. lasting."""
    fighter = fight.fighters[who]
    return replace(
        sheet,
        crippling=min(MOST_COINS, fighter.crippling),  # with more a fighter is dead, and a sheet allows no more
        coins_lost=sheet.life_coins - fighter.coins,
        surgeons=SURGEONS.allowed[fight.surgeons],
        dead=fighter.state == DEAD,
        **{term: getattr(fight, term) for term in (*TERMS, *TERMS_OF_REST)},
    )


# The healer


def care(sheet: Sheet, dice: Dice) -> tuple[Sheet, list[str]]:
    """The way to the healer, second by second, and the treatment there. care, surgery, crippling."""
    _living(sheet)
    way = counted(sheet.hours_to_care, "hour")
    left, lived = live_on(sheet.coins, sheet.hours_to_care * HOUR, dice)
    if left == 0:
        dies = f"{sheet.name} dies {in_words(lived)} after the fight; the healer was {way} away."
        return _dead(sheet), [dies]
    there = replace(sheet, coins_lost=sheet.life_coins - left)
    arrives = f"{sheet.name} reaches the healer after {way}, with {counted(left, 'Life Coin')}."
    if left < sheet.life_coins - sheet.coins_gone and left < _operable(sheet):
        return there, [arrives, _given_up(sheet)]
    there, told = _operated_on(there, dice)
    if there.dead:
        return there, [arrives, *told]
    there, mended = _mended(there, dice)
    return there, [arrives, *told, *mended, *prospect(there)]


def _operable(sheet: Sheet) -> int:
    return operable(sheet.surgery_hours, sheet.care_coins, sheet.surgeons == "always")


def _given_up(sheet: Sheet) -> str:
    """Why the surgeons do not operate, or stop. surgery."""
    hours = counted(sheet.surgery_hours, "hour")
    least = _operable(sheet)
    need = f"it takes {least} Life Coins" if least < NOBODY else "no number of Life Coins is enough"
    return f"The surgeons can do nothing: {need} for {hours} of surgery to restore {hours} of life."


def _operated_on(sheet: Sheet, dice: Dice) -> tuple[Sheet, list[str]]:
    """One operation after another, each for one coin, while the remaining coins are flipped. surgery."""
    left, most = sheet.coins, sheet.life_coins - sheet.coins_gone
    back = stay = hours = 0
    while left < most and left >= _operable(sheet):
        left, lived = live_on(left, sheet.surgery_hours * HOUR, dice)
        if left == 0:
            dies = f"{sheet.name} dies on the table, after {in_words(hours * HOUR + lived)} of surgery."
            return _dead(sheet), [dies]
        hours += sheet.surgery_hours
        if heads(dice, sheet.care_coins):
            left, back = left + 1, back + 1
        else:
            most, stay = most - 1, stay + 1
    gone = sheet.coins_gone + stay
    surgery = f"After {counted(hours, 'hour')} of surgery " if hours else ""
    of = f"{back} of {back + stay} lost coins {'have' if hours else ''} come back."
    told = f"{surgery}{' '.join(of.split())}" if back + stay else "There is no lost coin to restore."
    if gone:
        told += f" {counted(gone, 'coin')} stay{'s' * (gone == 1)} lost for good."
    done = replace(sheet, coins_lost=sheet.life_coins - left, coins_gone=gone)
    return done, [told, *([_given_up(sheet)] if left < most else [])]


def _mended(sheet: Sheet, dice: Dice) -> tuple[Sheet, list[str]]:
    """The healer treats the Crippling that bed rest cannot heal; some of it may still stay. crippling."""
    points = sheet.crippling - _restful(sheet)
    if points <= 0:
        return sheet, []
    stay = sum(heads(dice, sheet.mend_coins) == 0 for _ in range(points))
    seen = f"The healer treats {counted(points, 'point')} of Crippling"
    told = f"{seen}: {stay or 'none'} of {'them' if points > 1 else 'it'} stay{'s' * (stay < 2)} for good."
    if points == 1:
        told = f"{seen}: it {'stays for good' if stay else 'will heal'}."
    done = replace(sheet, crippling_treated=sheet.crippling, crippling_stays=sheet.crippling_stays + stay)
    return done, [told]


# In bed


def rest(sheet: Sheet, dice: Dice) -> tuple[Sheet, list[str]]:
    """Bed rest, until one point of Crippling has healed, if the fighter lives that long. crippling."""
    _living(sheet)
    if sheet.crippling <= sheet.crippling_stays or sheet.crippling > _restful(sheet):
        return sheet, prospect(sheet) or [f"{sheet.name} has no Crippling to heal."]
    hours = _bed(sheet, sheet.crippling)
    coins, lived = live_on(sheet.coins, hours * HOUR, dice)
    if coins == 0:
        dies = f"{sheet.name} dies in bed after {in_words(lived)}: those wounds needed a healer, not rest."
        return _dead(sheet), [dies]
    left = sheet.crippling - 1
    told = [f"{sheet.name} rests for {_time(hours)}: Crippling is now {left}."]
    if coins < sheet.coins:
        told.append(f"Meanwhile the wounds cost Life Coins: {coins} are left.")
    treated = min(left, sheet.crippling_treated)
    rested = replace(sheet, crippling=left, crippling_treated=treated, coins_lost=sheet.life_coins - coins)
    return rested, [*told, *prospect(rested)]


def prospect(sheet: Sheet) -> list[str]:
    """What it takes to heal the Crippling, and how much of it stays for good."""
    level, stays = sheet.crippling, sheet.crippling_stays
    if level == 0:
        return []
    if level <= stays:
        return [f"Crippling {level} stays for good."]
    bed = _time(sum(_bed(sheet, point) for point in range(stays + 1, level + 1)))
    untreated = level - _restful(sheet)
    if untreated > 0:
        needs = f"a healer must first treat {counted(untreated, 'point')}"
        return [f"Crippling {level}: {needs}; then {bed} in bed may heal all of it."]
    return [f"Crippling {level}: {bed} in bed heal {f'all but {stays}, for good' if stays else 'all of it'}."]


def _restful(sheet: Sheet) -> int:
    """The Crippling up to which bed rest is enough, by itself or after treatment."""
    return max(sheet.heals_alone, sheet.crippling_treated, sheet.crippling_stays)


def _bed(sheet: Sheet, level: int) -> int:
    return hours_in_bed(level, sheet.rest_days, sheet.rest_hours, sheet.rest_growth)


def _time(hours: int) -> str:
    """Hours in words; two days and more in days."""
    if hours < 2 * DAY:
        return counted(hours, "hour")
    return f"{hours / DAY:.1f}".removesuffix(".0") + " days"


def _dead(sheet: Sheet) -> Sheet:
    return replace(sheet, coins_lost=sheet.life_coins, dead=True)


def _living(sheet: Sheet) -> None:
    if sheet.dead or sheet.coins == 0:
        raise Invalid(f"{sheet.name} is dead", given=sheet.name)


HELP = {
    "care": """\
You go to a healer. Your Life Coins are flipped on the way and during every
operation. The healer restores the coins that can be restored, and treats the
Crippling that bed rest cannot heal.""",
    "rest": "You stay in bed until one point of Crippling has healed: the worse it is, the longer.",
}
RESIDENCE = OneAttribute("strategic_sheet", "guard or guard:coins_lost=2", SHEETS, after_fight, HELP).residence
"""How a world keeps a fighter between fights: Crippling and Life Coins beside the name of the sheet."""
