"""Fights in a world: models play with accounts of a running server, over what the page uses."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import argon2
import pytest
from mcp import Client

from affray.errors import Refused
from affray.mcp.hosts.remote import RemoteWorld
from affray.mcp.server import made
from affray.server.web.server import WebServer
from affray.system.registry import names
from affray.world.people import passwords
from affray.world.store import statements
from affray.world.world import World
from benchmarks.models import call, sides

PASSWORD = "open sesame"
addresses: list[str] = []
"""Where the worlds of these tests are or were."""


@asynccontextmanager
async def players(*accounts: str, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[list[Client]]:
    """A model for each account of a world that is served."""
    quick = argon2.PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
    monkeypatch.setattr(passwords, "hasher", lambda: quick)
    world = await World.open("sqlite://")
    server = await WebServer.open(world, port=0)
    hosts = []
    try:
        for name in accounts:
            await world.store.commit(statements.add_account(name, "player", quick.hash(PASSWORD), "tavern"))
            addresses.append(f"http://127.0.0.1:{server.port}")
            hosts.append(RemoteWorld(addresses[-1], name, PASSWORD))
        clients = [Client(made(host)) for host in hosts]
        for client in clients:
            await client.__aenter__()
        yield clients
        for client in reversed(clients):
            await client.__aexit__(None, None, None)
    finally:
        for host in hosts:
            await host.close()
        await server.close()
        await world.close()


@pytest.mark.parametrize("system", names())
async def test_two_models_with_accounts_fight_a_whole_fight(system: str, monkeypatch: pytest.MonkeyPatch) -> None:
    chance, teams = random.Random(1), sides(system)
    async with players("Teller", "Ann", "Bob", monkeypatch=monkeypatch) as (teller, ann, bob):
        first = {team: specs[:1] for team, specs in teams.items()}
        new = await call(teller, "new_fight", system=system, teams=first, by=dict.fromkeys(first, "seat"))
        fight = new["fight"]
        for client, word in zip((ann, bob), new["invitations"].values(), strict=True):
            seen = await call(client, "take_seat", fight=fight, invitation=word)
            assert seen["you"] == "player"
        for _ in range(60):
            for client in (ann, bob):
                seen = await call(client, "status", fight=fight)
                for ask in (one for one in seen["asks"] if one["answered"] is None):
                    answer = {"move": chance.choice(ask["moves"]), "decision": ask["decision"], "mark": ask["mark"]}
                    seen = await call(client, "play", fight=fight, fighter=ask["fighter"], **answer)
            if seen["ending"]:
                break
        assert (await call(bob, "log", fight=fight))["of"] == seen["lines"]
        assert (await call(ann, "why", fight=fight))["rulings"]
        await call(teller, "end_fight", fight=fight)
        assert (await call(ann, "verify", fight=fight))["fits"]


async def test_what_a_world_refuses_reaches_the_model(monkeypatch: pytest.MonkeyPatch) -> None:
    async with players("Teller", "Ann", monkeypatch=monkeypatch) as (teller, ann):
        new = await call(teller, "new_fight", system="bgo", teams=sides("bgo"), by={"blue": "usual"})
        fight = new["fight"]
        fighter = next(iter(new["seen"]["your_fighters"]))
        for arguments, says in (
            ({"fight": fight, "fighter": fighter, "move": "attack"}, "only the owner of bgo, Teller, and wizards may"),
            ({"fight": "99", "fighter": fighter, "move": "attack"}, "there is no fight 99"),
            ({"fight": "../session", "fighter": fighter, "move": "attack"}, "named by its number"),
        ):
            answer = await ann.call_tool("play", arguments)
            assert answer.is_error
            assert says in answer.content[0].text
        seen = await call(teller, "play", fight=fight, move="attack")
        assert seen["decision"] == 2
        odds = await call(teller, "odds", fight=fight)
        assert set(odds["moves"]) == set(seen["asks"][0]["moves"])
        assert (await call(teller, "undo", fight=fight))["decision"] == 1


async def test_a_wrong_password_and_a_server_that_is_away_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    async with players("Ann", monkeypatch=monkeypatch) as _:
        address = addresses[-1]
        for host, says in (
            (RemoteWorld(address, "Ann", "wrong password"), "password"),
            (RemoteWorld("http://127.0.0.1:9", "Ann", PASSWORD), "does not answer"),
        ):
            with pytest.raises(Refused, match=says):
                await host.fights()


async def test_over_http_only_those_with_the_token_act_for_the_account() -> None:
    host = RemoteWorld("http://127.0.0.1:9", "Ann", PASSWORD, "the token")
    with pytest.raises(Refused, match="needs the token"):
        await host.see("1", "another")
