"""Random and hostile calls change nothing when they are refused, and tell nothing of what is secret."""

from __future__ import annotations

import pytest

from affray.errors import Refused
from affray.mcp.hosts.table import Seat, Table
from affray.system.registry import names
from affray.world.combats.roster import Member
from benchmarks.models import assail


@pytest.mark.parametrize("system", names())
async def test_hostile_calls_change_nothing_and_leak_nothing(system: str) -> None:
    found = await assail(system, 72)
    assert found.refused > 20
    assert len(found.tools) > 8


async def complaint() -> BaseException:
    """What the assault complains of, out of the groups that the SDK wraps it in."""
    try:
        await assail("bgo", 100)
    except BaseException as problem:
        while isinstance(problem, BaseExceptionGroup):
            problem = problem.exceptions[0]
        return problem
    raise pytest.fail.Exception("nothing was found")


async def test_a_leak_would_be_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("affray.mcp.hosts.table.games.seen", lambda fight, viewer: fight.state)
    assert isinstance(await complaint(), AssertionError)


async def test_a_change_on_refusal_would_be_found(monkeypatch: pytest.MonkeyPatch) -> None:
    mine = Table.mine

    def careless(table: Table, seat: Seat, name: str, what: str) -> Member:
        try:
            return mine(table, seat, name, what)
        except Refused:
            table.combat.movers.append("nobody")
            raise

    monkeypatch.setattr(Table, "mine", careless)
    assert isinstance(await complaint(), AssertionError)
