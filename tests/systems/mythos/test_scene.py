"""Investigator and ghoul of the demonstration as they are drawn, and the dice of shots, blows and medicine."""

from __future__ import annotations

from affray.fight import Fight
from affray.fight.viewing import scene, thrown_for
from affray.kernel.chance import Scripted
from affray.system.pictures import Thrown, Widget
from affray.systems.mythos import system


def test_hp_luck_weapons_and_ammunition_are_drawn() -> None:
    # Two shots at MOV 9, each with two penalty dice: 26, 46 and 86 count as 86; 19, 9 and 19 as 19, a hard success.
    dice = Scripted([(6, 2, 4, 8), (9, 1, 0, 1), (7,)])
    fight = Fight("mythos", system.demonstration, dice=dice)
    fight.play("detective", "shoot twice")
    dice.finish()
    assert scene(fight, fight.setup.view(fight.state, None), 0) == [
        Widget("bar", "HP", 12, 12),
        Widget("bar", "Luck", 50, 50),
        Widget("numbers", "Stats", names=("DEX 60", "MOV 8", "Build 0", "Dodge 40", "Bonus none")),
        Widget("numbers", "Weapons", names=("hands 55% 1D3", ".38 revolver 60% 1D10", "blackjack 55% 1D8")),
        Widget("rounds", ".38 revolver", 4, 6, "12 to spare"),
        Widget("tags", "State", names=(".38 revolver in hand", "first aid 1", "Tough Guy")),
    ]
    assert scene(fight, fight.setup.view(fight.state, None), 1) == [
        Widget("bar", "HP", 10, 13),  # guns do half
        Widget("numbers", "Stats", names=("DEX 65", "MOV 9", "Build 1", "Dodge 32", "Bonus 1D4")),
        Widget("numbers", "Weapons", names=("unarmed 40% 1D6",)),
        Widget("tags", "State", names=("3 attacks", "guns do half")),
    ]
    drawn = [thrown for throws in thrown_for(fight) for thrown in throws]
    assert drawn == [
        Thrown("percent", (86, 26, 46), "failure"),
        Thrown("percent", (19, 9, 19), "hard success"),
        Thrown("dice", (7,), "damage"),
    ]


def test_damage_and_its_bonus_are_two_throws() -> None:
    fight = Fight("mythos", system.demonstration, dice=Scripted([(5, 2), (1, 9), (6,), (3,)]))
    fight.play("detective", "wait")
    fight.play("ghoul", "fight")
    fight.play("detective", "dodge")
    drawn = [thrown for throws in thrown_for(fight) for thrown in throws]
    assert drawn == [
        Thrown("percent", (25,), "success"),
        Thrown("percent", (91,), "failure"),
        Thrown("dice", (6,), "damage"),
        Thrown("dice", (3,), "the damage bonus"),
    ]


def test_what_lies_on_the_floor_or_is_jammed_is_said() -> None:
    fight = Fight("mythos", system.demonstration, seed=1)
    detective = fight.state.fighters[0]
    detective.dropped, detective.jammed, detective.wielded = 0b100, 0b10, 0
    (tags,) = (widget for widget in scene(fight, fight.state, 0) if widget.kind == "tags")
    assert tags.names[:2] == ("blackjack on the floor", ".38 revolver jammed")
    detective.state = 3
    (tags,) = (widget for widget in scene(fight, fight.state, 0) if widget.kind == "tags")
    assert tags.names == ("dead",)
