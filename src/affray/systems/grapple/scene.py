"""A fighter as the table sees it, with dice pools, wounds and skills, and the dice that fell."""

from __future__ import annotations

from affray.kernel.rules import Event
from affray.system import pictograms
from affray.system.pictures import Thrown, Widget
from affray.system.setup import Setup
from affray.systems.grapple import events, rules
from affray.systems.grapple.rules import EMPTY, RATING, SP, SR, Combat, Fighter
from affray.systems.grapple.sheets import SKILLS, Sheet
from affray.systems.grapple.story import gauges

NAMES = tuple(SKILLS.values())
CONDITIONS = pictograms.conditions(
    {
        "knocked out": pictograms.FALLEN,
        "maneuver dice": pictograms.BETTER,
        "strike dice": pictograms.BETTER,
    }
)


def scene(setup: Setup[Sheet], fight: Combat, who: int) -> list[Widget]:
    """Both pools of dice, wounds, defense, and the skills with those that are marked."""
    fighter = fight.fighters[who]
    pools = {gauge.name: gauge for gauge in gauges(setup, fight, who)}
    skills = {slot: NAMES[skill] for slot, skill in enumerate(fighter.skills) if skill != EMPTY}
    drawn = [
        Widget("dice", "AD", fighter.ad, pools["AD"].most),
        # Without the floor SD may be owed, and no die can show that.
        Widget("dice", "SD", pools["SD"].value, pools["SD"].most, f"{fighter.sd}" if fighter.sd < 0 else ""),
        Widget("marks", "Wounds", fighter.wounds, fighter.max_wounds),
        Widget("numbers", "Stats", names=(f"AP {fighter.ap}", f"DEF {fighter.defense}")),
        Widget("tokens", "Skills", names=tuple(f"{name} {RATING[slot]}" for slot, name in skills.items())),
        Widget("tags", "Marked", names=tuple(name for slot, name in skills.items() if fighter.marked >> slot & 1)),
        Widget("tags", "State", names=_states(fighter)),
    ]
    return [widget for widget in drawn if widget.most or widget.names]


def _states(fighter: Fighter) -> tuple[str, ...]:
    given = ((SP, fighter.speed), (SR, fighter.spirit))
    states = [events.EFFECTS[skill].format(dice) for skill, dice in given if dice]
    return ("knocked out", *states) if rules.is_out(fighter) else tuple(states)


def thrown(setup: Setup[Sheet], fight: Combat, event: Event) -> list[Thrown]:
    """The dice of a move with their successes, and the lots for the order of the teams."""
    if event.kind == events.STARTS:
        drawn = (setup.team_names[team] for team in fight.order[fight.listed :])
        return [
            Thrown("pick", lot, "the order of the teams", (team,)) for lot, team in zip(event.fell, drawn, strict=False)
        ]
    if "dice" not in event.kind.fields:
        return []
    count = event.successes if event.kind != events.MANEUVER_FAILS else 0
    return [Thrown("dice", faces, f"{count} success{'es' * (count != 1)}") for faces in event.fell]
