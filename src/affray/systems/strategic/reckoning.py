"""The stake and the outcome of a fight, in words: the stake before it, the way to a healer after it."""

from __future__ import annotations

from collections.abc import Mapping

from affray.kernel.state import STANDING
from affray.system.schema import Value
from affray.system.setup import Setup
from affray.system.telling import counted
from affray.systems.strategic.events import span
from affray.systems.strategic.healing import NOBODY, operable
from affray.systems.strategic.life import HOUR, Life
from affray.systems.strategic.sheets import Sheet, net
from affray.systems.strategic.state import DEAD, FLED, YIELDED, Fight, Fighter
from affray.systems.strategic.story import LEFT

SURE = 0.9999  # beyond it, hundredths of a per cent say nothing more


def at_stake(setup: Setup[Sheet], who: int) -> str:
    """What a fighter fights for, and the cost."""
    sheet, options = setup.sheets[who], setup.options
    counted = f"; a year lost counts {sheet.caution / 100:g}" if sheet.caution != 100 else ""
    return f"Your stake: {sheet.stake} years of life{counted}. A healer is {_hours(options)} away."


def aftermath(setup: Setup[Sheet], fight: Fight) -> list[str]:
    """Who reaches the healer: each fighter's wounds, the life that is left, the years lost and the stake. care."""
    options, figures = setup.options, setup.figures(fight)
    lines = [f"After the fight, with a healer {_hours(options)} away:"]
    for who, (fighter, sheet) in enumerate(zip(fight.fighters, setup.sheets, strict=True)):
        name = setup.told_as(who)
        lines.append(f"{name[:1].upper()}{name[1:]} {_left(fighter)}. {_road(fighter, sheet, options)}")
        lines.append(f"  {_sum(sheet, figures[setup.names[who]])}")
    return lines


def _hours(options: Mapping[str, Value]) -> str:
    return counted(int(options["hours_to_care"]), "hour")


def _left(fighter: Fighter) -> str:
    """A fighter's condition after the fight."""
    state = {STANDING: "stands", FLED: "got away", YIELDED: "has yielded"}.get(fighter.state)
    marks = (("Pain", fighter.pain), ("Incapacitation", fighter.incapacitation), ("Crippling", fighter.crippling))
    wounds = ", ".join(f"{name} {points}" for name, points in marks if points)
    return f"{state or f'is {LEFT[fighter.state]}'}{f' with {wounds}' if wounds else ', unhurt'}"


def _road(fighter: Fighter, sheet: Sheet, options: Mapping[str, Value]) -> str:
    """The Life Coins that are left, how long they last untreated, and the chance to reach the healer: exact."""
    if fighter.state == DEAD:
        return "No Life Coin is left."
    way = HOUR * int(options["hours_to_care"])
    life = Life(fighter.coins)
    alive = life.survival(way)
    chance = "all but surely" if alive > SURE else f"in {100 * alive:.2f} % of cases"
    coins = f"{fighter.coins} of {sheet.life_coins} Life Coins, {span(fighter.coins)} untreated"
    reaches = f"{coins}; reaches the healer alive {chance if life.death(way) else 'for sure'}"
    return f"{reaches}{_surgery(fighter, sheet, options)}."


def _surgery(fighter: Fighter, sheet: Sheet, options: Mapping[str, Value]) -> str:
    """What awaits a fighter at the healer's: the hours of surgery, or none if they would be in vain. surgery."""
    lost = sheet.life_coins - sheet.coins_gone - fighter.coins
    hours, healer = int(options["surgery_hours"]), int(options["care_coins"])
    least = operable(hours, healer, options["surgeons"] == "always")
    if not lost or not hours:
        return ""
    if fighter.coins < least:
        return "; with so few coins surgery would be in vain" if least < NOBODY else "; surgery would be in vain"
    return f"; {counted(hours * lost, 'hour')} of surgery"


def _sum(sheet: Sheet, figures: Mapping[str, float]) -> str:
    """The years against the stake, as the fighters count them, and what becomes of Crippling. stakes, crippling."""
    worth = net(sheet, dict.fromkeys(figures, 0.0), figures) + 0.0  # never -0.0
    stake = f"the stake of {sheet.stake} years {'won' if figures['stake won'] else 'not won'}"
    lost = f"{figures['years lost']:.1f} years lost on average, after care{_crippled(figures)}"
    return f"{lost}; {stake}: net {worth:+.1f}."


def _crippled(figures: Mapping[str, float]) -> str:
    """The time in bed, and what stays of Crippling on average."""
    bed, stays = figures["days in bed"], figures["lame"]
    days = f", {bed:.1f} days in bed" if bed else ""
    return days + (f", {stays:.2f} points of Crippling for good" if stays else "")
