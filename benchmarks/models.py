"""Clients that speak only MCP: one plays whole fights, another makes random and hostile calls in twin fights."""

from __future__ import annotations

import asyncio
import json
import random
import sys
from collections.abc import Iterator, Mapping
from contextlib import AsyncExitStack, contextmanager
from dataclasses import dataclass, field
from typing import Any

from mcp import Client

from affray.fight import saving
from affray.kernel.chance import Seeded
from affray.kernel.records import pack
from affray.mcp.hosts.tables import Tables
from affray.mcp.server import made
from affray.system.registry import find, names

CALLS = 10_000
SIDES = ("red", "blue")


async def call(client: Client, tool: str, **arguments: Any) -> dict[str, Any]:
    """What a tool returns as data; a refusal is an error here."""
    answer = await client.call_tool(tool, arguments)
    assert not answer.is_error, answer.content
    assert answer.structured_content is not None
    return answer.structured_content


def sides(system: str) -> dict[str, list[str]]:
    """Two sides for a fight of a system."""
    return dict(zip(SIDES, map(list, find(system).demonstration.values()), strict=False))


async def whole_fight(client: Client, system: str, seed: int = 1, patience: int = 400) -> dict[str, Any]:
    """Play a fight with two players, each by the token of its side alone, to its end; returns how it was seen last.

    Moves are random. If that takes longer than `patience` moves, the storyteller lets the computer end it.
    """
    teams = sides(system)
    new = await call(client, "new_fight", system=system, teams=teams, by=dict.fromkeys(teams, "side"), seed=seed)
    name, tokens = new["fight"], new["tokens"]
    chance, seen, played = random.Random(seed), new["seen"], 0
    while seen["ending"] is None and played < patience:
        for side in teams:
            token = tokens[f"side {side}"]
            seen = await call(client, "status", fight=name, token=token)
            for ask in seen["asks"]:
                if ask["answered"] is None and seen["ending"] is None:
                    answer = {
                        "fighter": ask["fighter"],
                        "move": chance.choice(ask["moves"]),
                        "decision": ask["decision"],
                    }
                    seen = await call(client, "play", fight=name, token=token, mark=ask["mark"], **answer)
                    played += 1
                    break
    for fighter in [] if seen["ending"] else sorted(seen["moved_by"]):
        await call(client, "hand_over", fight=name, token=tokens["storyteller"], fighter=fighter, by="usual")
    seen = await call(client, "end_fight", fight=name, token=tokens["storyteller"])
    assert seen["ending"] is not None
    return seen


# --- hostile calls -----------------------------------------------------------------------------------------------


@dataclass
class Twin:
    """One of two fights that are the same but for what one side has chosen in secret."""

    client: Client
    host: Tables
    name: str
    tokens: dict[str, str]

    @property
    def stands(self) -> str:
        """All there is about the fight, to see that it has not changed."""
        table = self.host.table(self.name)
        return json.dumps([saving.as_table(table.fight), table.seats_table()])

    async def asks(self, side: str) -> list[dict[str, Any]]:
        """What a side has to decide."""
        seen = await call(self.client, "status", fight=self.name, token=self.tokens[f"side {side}"])
        return [ask for ask in seen["asks"] if ask["answered"] is None]


@dataclass
class Found:
    """What came of the hostile calls."""

    calls: int = 0
    refused: int = 0
    in_secret: int = 0
    """Calls while the twins differed in what red cannot know."""
    decisions: int = 0
    tools: set[str] = field(default_factory=set)


async def twins(stack: AsyncExitStack, system: str, seed: int) -> list[Twin]:
    """Two servers with the same fight."""
    both = []
    for _ in range(2):
        host = Tables()
        client = await stack.enter_async_context(Client(made(host)))
        teams = sides(system)
        by = dict.fromkeys(teams, "side")
        new = await call(client, "new_fight", system=system, teams=teams, by=by, seed=seed, name="twin")
        both.append(Twin(client, host, new["fight"], new["tokens"]))
    return both


async def assail(system: str, calls: int, seed: int = 1) -> Found:
    """Make hostile calls with red's token, as a spectator and with false tokens, while blue plays and hides."""
    chance, found = random.Random(f"{system} {seed}"), Found()
    while found.calls < calls:
        async with AsyncExitStack() as stack:
            both = await twins(stack, system, chance.randrange(2**32))
            while found.calls < calls and not both[0].host.table("twin").fight.over:
                await _one_decision(both, chance, found)
    return found


async def _one_decision(both: list[Twin], chance: random.Random, found: Found) -> None:
    """Let blue choose differently in both fights if that stays secret, assail them, and go on alike."""
    found.decisions += 1
    first = both[0]
    red, blue = await first.asks("red"), await first.asks("blue")
    secret = bool(red and blue and len(blue[0]["moves"]) > 1)
    if secret:
        moves = chance.sample(blue[0]["moves"], 2)
        for twin, move in list(zip(both, moves, strict=True))[: chance.choice((1, 2))]:
            await _play(twin, "blue", blue[0]["fighter"], move)
    with _other_secrets(both[1], chance.randrange(2**32)) as differs:
        for tool, arguments in _hostile_calls(chance, first, 12):
            await _assailed(both, tool, arguments, found, secret or differs)
    if secret:
        for twin in both:
            if len(await twin.asks("blue")) < len(blue):
                await call(twin.client, "undo", fight="twin", token=twin.tokens["side blue"])
    for side, asks in (("red", red), ("blue", blue)):
        for ask in asks[:1]:
            move = chance.choice(ask["moves"])
            for twin in both:
                await _play(twin, side, ask["fighter"], move)
    assert both[0].host.table("twin").story() == both[1].host.table("twin").story()


@contextmanager
def _other_secrets(twin: Twin, seed: int) -> Iterator[bool]:
    """Let all that red cannot know be something else for a while, such as the order of cards; whether anything is."""
    table = twin.host.table("twin")
    fight, own = table.fight, table.fight.teams["red"]
    if len(own) > 1:  # allies may know more than one of them
        yield False
        return
    kept = fight.state
    fight.state = fight.setup.imagined(kept, fight.index(own[0]), Seeded(seed))
    table.combat.version += 1
    yield pack(fight.state) != pack(kept)
    fight.state = kept
    table.combat.version += 1


async def _play(twin: Twin, side: str, fighter: str, move: str) -> None:
    await call(twin.client, "play", fight="twin", token=twin.tokens[f"side {side}"], fighter=fighter, move=move)


async def _assailed(both: list[Twin], tool: str, arguments: Mapping[str, Any], found: Found, secret: bool) -> None:
    """Make the same call in both fights: the answers must be the same, and a refusal must change nothing."""
    answers = []
    for twin in both:
        before = twin.stands
        given = {key: _own(twin, value) for key, value in arguments.items()}
        answer = await twin.client.call_tool(tool, given)
        assert twin.stands == before, (tool, arguments, answer)
        text = json.dumps([[part.model_dump(mode="json") for part in answer.content], answer.structured_content])
        assert "Error executing tool" not in text or "validation error" in text or "Unknown tool" in text, text
        assert not any(token in text for token in twin.tokens.values() if token != given["token"]), (tool, text)
        answers.append(_comparable(tool, answer.is_error, answer.structured_content, text))
    assert answers[0] == answers[1], (tool, arguments, answers)
    found.calls += 1
    found.refused += bool(answer.is_error)
    found.in_secret += secret
    found.tools.add(tool)


def _own(twin: Twin, value: Any) -> Any:
    return twin.tokens.get(value, value) if isinstance(value, str) else value


def _comparable(tool: str, is_error: bool | None, data: Any, text: str) -> Any:
    """What must be the same in both fights: all but the figures of play-outs, which depend on the time there was."""
    if tool == "odds" and not is_error:
        return sorted(data["moves"])
    return is_error, text


JUNK: list[Any] = [
    "",
    "x",
    "🦆" * 20,
    "a" * 500,
    "../../etc/passwd",
    -1,
    0,
    10**30,
    1.5,
    None,
    True,
    [],
    {},
    {"a": [1]},
    "\x00\n",
]
READS = ("status", "moves", "odds", "log", "why", "verify")


def _hostile_calls(chance: random.Random, twin: Twin, count: int) -> Iterator[tuple[str, dict[str, Any]]]:
    """Calls by those who may not, for what is not there, at the wrong time, and of the wrong kind."""
    fight = twin.host.table("twin").fight
    own, others = fight.teams["red"], fight.teams["blue"]
    for _ in range(count):
        token = chance.choice(["side red", "side red", "", "false token", chance.choice(JUNK)])
        arguments: dict[str, Any] = {"fight": "twin", "token": token}
        match chance.randrange(9):
            case 0:
                tool, more = "play", {"fighter": chance.choice(others), "move": "attack"}
            case 1:
                tool, more = "play", {"fighter": chance.choice(own), "move": "no such move"}
            case 2:
                more = {
                    "fighter": chance.choice(own),
                    "move": "attack",
                    "decision": fight.decision + chance.choice((-1, 1, 99)),
                }
                tool = "play"
            case 3:
                tool, more = "play", {"fighter": chance.choice([*own, *JUNK]), "move": chance.choice(JUNK)}
            case 4:
                tool = chance.choice(("end_fight", "go_on", "hand_over", "take_seat"))
                more = {"fighter": chance.choice([*own, *others]), "by": "side", "invitation": "x"}
                more = more if tool in ("hand_over", "take_seat") else {}
            case 5:
                tool = chance.choice(("new_fight", "simulate", "sheet", "rules", "verify_log", "no_such_tool"))
                more = {"system": chance.choice(JUNK), "teams": chance.choice(JUNK), "spec": chance.choice(JUNK)}
                more["log"] = chance.choice(JUNK)
            case 6:
                tool, more = chance.choice(READS), {chance.choice(("fighter", "line", "first")): chance.choice(JUNK)}
            case 7:
                tool, more = chance.choice(READS), {"fighter": chance.choice([*own, *others])}
            case _:
                tool, more = chance.choice(READS), {}
        if tool == "odds" and chance.random() < 0.8:  # it is slow, and always the same
            tool = "status"
        yield tool, arguments | more


async def main() -> None:
    """Make all hostile calls and say what came of them."""
    for system in names():
        found = await assail(system, CALLS // len(names()))
        print(
            f"{system}: {found.calls} calls of {len(found.tools)} tools at {found.decisions} decisions, "
            f"{found.refused} refused without a change, {found.in_secret} while secrets differed, and not one told them"
        )


if __name__ == "__main__":
    if sys.argv[1:]:
        CALLS = int(sys.argv[1])
    asyncio.run(main())
