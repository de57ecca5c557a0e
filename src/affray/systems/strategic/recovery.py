"""What lasts of a fight, and how a fighter mends: on the way to the healer, and in bed."""

from __future__ import annotations

from dataclasses import replace

from affray.errors import Invalid
from affray.kernel.chance import Dice, heads
from affray.system.attributes import OneAttribute
from affray.system.telling import counted
from affray.systems.strategic.life import HOUR, Life, in_words
from affray.systems.strategic.sheets import SHEETS, Sheet
from affray.systems.strategic.state import DEAD, MOST_COINS, Fight

DAY = 24 * HOUR


def after_fight(fight: Fight, who: int, sheet: Sheet) -> Sheet:
    """The sheet as the fight has left it: Crippling, Life Coins, and what it takes to mend. lasting."""
    fighter = fight.fighters[who]
    return replace(
        sheet,
        crippling=min(MOST_COINS, fighter.crippling),  # a fighter who is hurt worse is dead, and a sheet knows no more
        coins_lost=sheet.life_coins - fighter.coins,
        hours_to_care=fight.hours_to_care,
        care_coins=fight.care_coins,
        rest_days=fight.rest_days,
        dead=fighter.state == DEAD,
    )


def care(sheet: Sheet, dice: Dice) -> tuple[Sheet, list[str]]:
    """The way to the healer, second by second, and what the healer can do. care."""
    _living(sheet)
    life, way = Life(sheet.coins).lived(dice), counted(sheet.hours_to_care, "hour")
    left = life.coins_at(sheet.hours_to_care * HOUR)
    if left == 0:
        dies = f"{sheet.name} dies {in_words(life.death)} after the fight; the healer was {way} away."
        return replace(sheet, coins_lost=sheet.life_coins, dead=True), [dies]
    arrives = f"{sheet.name} reaches the healer after {way}, with {counted(left, 'Life Coin')}."
    lost = sheet.life_coins - sheet.coins_gone - left
    stay = sum(heads(dice, sheet.care_coins) == 0 for _ in range(lost))
    mends = f"{lost - stay} of {lost} lost coins come back." if lost else "There is nothing to mend."
    gone = sheet.coins_gone + stay
    if gone:
        mends += f" {counted(gone, 'coin')} stay{'s' * (gone == 1)} lost for good."
    return replace(sheet, coins_lost=gone, coins_gone=gone), [arrives, mends]


def rest(sheet: Sheet, dice: Dice) -> tuple[Sheet, list[str]]:
    """Days in bed: one point of Crippling heals, if the fighter lives that long without a healer. lasting."""
    _living(sheet)
    life = Life(sheet.coins).lived(dice)
    coins = life.coins_at(sheet.rest_days * DAY)
    if coins == 0:
        dies = f"{sheet.name} dies in bed after {in_words(life.death)}: that wanted a healer, not rest."
        return replace(sheet, coins_lost=sheet.life_coins, dead=True), [dies]
    left = max(0, sheet.crippling - 1)
    healed = f"Crippling is now {left}" if sheet.crippling else "there was no Crippling to heal"
    told = [f"{sheet.name} rests for {counted(sheet.rest_days, 'day')}: {healed}."]
    if coins < sheet.coins:
        told.append(f"Meanwhile the wounds cost Life Coins: {coins} are left.")
    return replace(sheet, crippling=left, coins_lost=sheet.life_coins - coins), told


def _living(sheet: Sheet) -> None:
    if sheet.dead or sheet.coins == 0:
        raise Invalid(f"{sheet.name} is dead", given=sheet.name)


HELP = {
    "care": """\
You go to a healer: your Life Coins are flipped all the way, and the healer brings
back what coins can be brought back.""",
    "rest": "A month in bed, and one point of Crippling heals.",
}
RESIDENCE = OneAttribute("strategic_sheet", "guard or guard:coins_lost=2", SHEETS, after_fight, HELP).residence
"""How a fighter lives on in a world: Crippling and Life Coins are kept beside the name of the sheet."""
