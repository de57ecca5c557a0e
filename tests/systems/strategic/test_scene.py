"""A fighter of the demonstration as it is drawn after one blow, and every coin of that blow."""

from __future__ import annotations

from affray.fight import Fight
from affray.fight.viewing import scene, thrown_for
from affray.kernel.chance import Scripted
from affray.system.pictures import Thrown, Widget
from affray.systems.strategic import system

OPENING = [5, 2, 6]  # initiative of both, then all the openings that the knight can see
BLOW = [5, 3, 5, 2, 3, 1, 4]  # attack, defence, three pools, Discipline, soak
NEXT_ROUND = [1, 4, 4]


def struck() -> Fight:
    """The knight has struck the brute to cripple, margin 2; Crippling 3 + 2, less 4 that are soaked."""
    dice = Scripted([*OPENING, *BLOW, *NEXT_ROUND])
    fight = Fight("strategic", system.demonstration, dice=dice)
    fight.play("knight", "strike cripple")
    fight.play("brute", "parry")
    dice.finish()
    return fight


def test_highwaters_coins_and_openings_are_drawn() -> None:
    fight = struck()
    assert scene(fight, fight.setup.view(fight.state, None), 1) == [
        Widget("coins", "Life Coins", 29, 30, "34.0 years"),
        Widget("highwater", "Pain", 5, 7, "up to 5 off an attack, as coins fall"),
        Widget("highwater", "Incapacitation", 0, 7),
        Widget("highwater", "Crippling", 1, 7, "-1 to attack and defence"),
        Widget(
            "numbers",
            "Attributes",
            names=("Strength 9", "Agility 3", "Discipline 4", "Training 4", "Hardiness 2"),
        ),
        Widget("numbers", "Abilities", names=("Attack 6", "Defence 6", "Initiative 5")),
        Widget(
            "tags",
            "State",
            names=(
                *("battleaxe", "plate armour", "stake 20 years"),
                *("opening: power", "opening: pull", "opening: maim", "opening: disarm"),
            ),
        ),
    ]


def test_openings_have_closed_for_whoever_does_not_act() -> None:
    fight = struck()
    (tags,) = (widget for widget in scene(fight, fight.state, 0) if widget.kind == "tags")
    assert tags.names == ("broadsword", "chain armour", "stake 25 years")


def test_every_coin_says_what_it_was_flipped_for() -> None:
    fight = struck()
    drawn = {line.text: throws for line, throws in zip(fight.lines, thrown_for(fight), strict=True) if throws}
    assert drawn["The knight flips 7 coins: 5; the brute flips 7 coins: 3."] == [
        Thrown("coins", (5, 7), "attack"),
        Thrown("coins", (3, 7), "defence"),
    ]
    assert drawn["The brute soaks 4."] == [
        Thrown("coins", (5, 8), "Pain"),
        Thrown("coins", (2, 4), "Incapacitation"),
        Thrown("coins", (3, 4), "Crippling"),
        Thrown("coins", (1, 6), "Discipline, to keep control"),
        Thrown("coins", (4, 10), "soak"),
    ]


def test_lots_name_the_openings_and_a_flip_off_shows_each_coin() -> None:
    # A tie at 3, which the brute wins at the second try; then one opening of the four moves it knows, by lot.
    fight = Fight("strategic", system.demonstration, dice=Scripted([3, 3, 0, 0, 0, 1, 0, 2]))
    drawn = {line.text: throws for line, throws in zip(fight.lines, thrown_for(fight), strict=True) if throws}
    assert drawn["A tie; the brute wins the Flip-Off."] == [
        Thrown("coins", (heads, 1), "Flip-Off") for heads in (0, 0, 0, 1)
    ]
    assert drawn["The brute sees openings for maim."] == [
        Thrown("coins", (0, 4), "openings"),
        Thrown("pick", (2,), "which opening, by lot", ("maim",)),
    ]
