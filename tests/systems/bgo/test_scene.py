"""Fighters with types and riders as they are drawn, and the dice of an attack."""

from __future__ import annotations

from affray.fight import Fight
from affray.fight.viewing import scene, thrown_for
from affray.kernel.chance import Scripted
from affray.system.pictures import Thrown, Widget


def test_health_stance_and_types_are_drawn() -> None:
    # The bat needs 10 + 3 - 1 against a player who defends, and its fire sets the player alight.
    fight = Fight("bgo", "heroes=player monsters=ember-bat", dice=Scripted([(6, 5, 2)]))
    fight.play("player", "defend")
    fight.play("ember-bat", "attack")
    assert scene(fight, fight.setup.view(fight.state, None), 0) == [
        Widget("bar", "Health", 7, 10),
        Widget("numbers", "Stats", names=("Attack +0", "Defense +0")),
        Widget("tokens", "Damage", names=("2 † physical",)),
        Widget("tags", "State", names=("poised (+Attack)", "burning")),
    ]
    assert scene(fight, fight.setup.view(fight.state, None), 1) == [
        Widget("bar", "Health", 6, 6),
        Widget("numbers", "Stats", names=("Attack +1", "Defense -1")),
        Widget("tokens", "Damage", names=("3 ▲ fire",)),
        Widget("tokens", "Abilities", names=("ignite", "▲ nul-fire")),
    ]
    drawn = [throws for throws in thrown_for(fight) if throws]
    assert drawn == [[Thrown("dice", (6, 5, 2), "13, needs 12")]]
