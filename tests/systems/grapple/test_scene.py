"""The document's own player and NPC as they are drawn, and the dice of their moves."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from affray.fight import Fight
from affray.fight.viewing import scene, thrown
from affray.kernel.chance import Scripted
from affray.system.pictures import Thrown, Widget
from affray.systems.grapple import system


def test_pools_wounds_and_marked_skills_are_drawn() -> None:
    # 3 AD and Accuracy, rated 4: seven dice, of which five are 3 or more; then the goblins catch breath.
    dice = Scripted([(4, 5, 4, 5, 3, 2, 1), (3, 6, 1, 1, 1)])
    fight = Fight("grapple", system.demonstration, dice=dice)
    (line, _) = fight.play("Ahalish", "maneuver 3 ac")
    assert thrown(fight, line) == [Thrown("dice", (4, 5, 4, 5, 3, 2, 1), "5 successes")]
    fight.play("goblin", "catch breath")
    fight.play("goblin-2", "catch breath")
    (line, *_) = fight.play("Ahalish", "strike 5 goblin")
    assert thrown(fight, line) == [Thrown("dice", (3, 6, 1, 1, 1), "2 successes")]
    assert scene(fight, fight.setup.view(fight.state, None), 0) == [
        Widget("dice", "AD", 2, 10),
        Widget("dice", "SD", 0, 6),
        Widget("marks", "Wounds", 0, 3),
        Widget("numbers", "Stats", names=("AP 10", "DEF 3")),
        Widget("tokens", "Skills", names=("Accuracy 4", "Courage 3", "Endurance 2")),
        Widget("tags", "Marked", names=("Accuracy",)),
    ]
    assert scene(fight, fight.setup.view(fight.state, None), 1) == [
        Widget("dice", "AD", 6, 6),
        Widget("dice", "SD", 2, 6),
        Widget("marks", "Wounds", 2, 2),
        Widget("numbers", "Stats", names=("AP 6", "DEF 1")),
        Widget("tokens", "Skills", names=("Endurance 2",)),
        Widget("tags", "State", names=("knocked out",)),
    ]


def test_strike_dice_that_are_owed_are_told_in_words(duel: Callable[..., Any]) -> None:
    fight = duel(sd_floor=False)
    fight["Ada"].sd = -2
    assert Widget("dice", "SD", 0, 6, "-2") in scene(fight.fight, fight.fight.state, 0)


def test_the_order_of_the_teams_is_drawn_as_lots() -> None:
    teams = {"a": ["goblin"], "b": ["goblin"], "c": ["goblin"]}
    fight = Fight("grapple", teams, dice=Scripted([2, 1]), options={"listed_teams": 0})
    assert thrown(fight, fight.lines[0]) == [
        Thrown("pick", (2,), "the order of the teams", ("c",)),
        Thrown("pick", (1,), "the order of the teams", ("a",)),
    ]
