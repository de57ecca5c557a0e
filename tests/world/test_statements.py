"""How few statements a move costs."""

from __future__ import annotations

from typing import Any

from affray.world.actions import creation, fights
from affray.world.actions.acting import At
from affray.world.people import login
from affray.world.people.visitor import Visitor
from affray.world.world import World


class Counting:
    """A connection that counts the statements it is given."""

    def __init__(self, connection: Any) -> None:
        self._connection = connection
        self.statements: list[str] = []

    def __getattr__(self, name: str) -> Any:
        if name in ("execute", "executemany", "fetch"):
            return lambda sql, *values: self._counted(name, sql, *values)
        return getattr(self._connection, name)

    def _counted(self, name: str, sql: str, *values: object) -> Any:
        self.statements.append(sql.split()[0])
        return getattr(self._connection, name)(sql, *values)


async def test_a_move_and_the_computers_answer_take_two_statements(store_url: str) -> None:
    world = await World.open(store_url)
    player = Visitor(world, lambda text: None, "here")
    player.account = await login.create_account(world, "Ann", "open sesame", "here")
    seats = [creation.Seat("heroes", "player", creation.ME), creation.Seat("monsters", "fire-slime", "always-attack")]
    combat = await creation.create(player, "duel", "bgo", {}, seats)
    at = At(combat.place, combat.number)
    await fights.start(player, at, [])
    counting = world.store._database._connection = Counting(world.store._database._connection)
    await fights.move(player, at, None, "attack")
    made = [statement for statement in counting.statements if statement not in ("BEGIN", "COMMIT")]
    assert made == ["UPDATE", "INSERT"]
    assert [entry["by"] for entry in await world.store.answers(combat.number)][-2:] == ["ann", "auto"]
    await world.close()
