"""Twenty thousand WebSocket messages that nobody should send: no traceback, nothing changed, and still at work."""

from __future__ import annotations

import asyncio
import json
import logging
import random
import string
from collections.abc import Callable
from itertools import islice
from typing import Any

import pytest

from affray.server.api.live import LONGEST
from affray.server.web.server import LARGEST_MESSAGE

Sites = Callable[..., Any]
MESSAGES = 20_000
AT_ONCE = 50  # sent before the answers are waited for
TRICKS = [
    "\u202eabc",
    "\x00",
    "\x1b[2J",
    "e\u0301" * 9,
    "\u200b",
    "Ａnn",
    "\ud83d\ude00",
    "\n",
    "\ufffd",
    "I\u0307",
    "ﷺ",
]
NUMBERS: list[Any] = [
    -1,
    0,
    2,
    99,
    2**31 - 1,
    2**31,
    2**53,
    2**64,
    10**300,
    1.5,
    -0.0,
    1e308,
    True,
    None,
    "1",
    "9" * 99,
]
FORGED = [
    "start",
    "end",
    "undo",
    "save",
    "restore",
    "remove Ann",
    "auto Bo striker",
    "offer Bo",
    "take Bo x",
    "odds Bo",
]
# What a guest or a player who takes no part may not do, or nobody can; walking and talking would change something.
LINES = ["", " ", "combat", "combat move catch breath", "combat move_npc Bo catch breath", "dig x y Z", "heal nothing"]
LINES += [
    "role Eve wizard",
    "set_attr Ann x[INTEGER]=1",
    "get_attr Ann",
    "set_attr me 1=1",
    "go nowhere",
    "help x",
    "?x",
]
LINES += [f"combat {word}" for word in FORGED]


class Nonsense:
    """Messages of every kind that is wrong, from a seed."""

    def __init__(self, seed: int, table: dict[str, Any]) -> None:
        self._random = random.Random(seed)
        self._table = table

    def __iter__(self) -> Any:
        kinds = [
            self.garbage,
            self.raw,
            self.other_json,
            self.cut,
            self.wrong_shape,
            self.wrong_values,
            self.nested,
            self.too_long,
            self.illegal_move,
            self.line,
        ]
        while True:
            yield self._random.choice(kinds)()

    def text(self) -> str:
        letters = string.printable + "".join(TRICKS).encode("utf-8", "ignore").decode()
        picked = "".join(self._random.choices(letters, k=self._random.randrange(60)))
        return self._random.choice([picked, *TRICKS]).encode("utf-8", "ignore").decode()

    def value(self, depth: int = 0) -> Any:
        simple = [*NUMBERS, self.text(), [], {}, "Ann", "Bo", "enter", "catch breath"]
        if depth < 3 and self._random.random() < 0.3:
            return [self.value(depth + 1) for _ in range(3)]
        if depth < 3 and self._random.random() < 0.3:
            return {self.text(): self.value(depth + 1) for _ in range(3)}
        return self._random.choice(simple)

    def garbage(self) -> str:
        return self.text()

    def raw(self) -> bytes:
        return self._random.randbytes(self._random.randrange(200))

    def other_json(self) -> str:
        return json.dumps(self.value())

    def right(self) -> dict[str, Any]:
        combat, decision = self._table["number"], self._table["decision"]
        return {
            "type": "move",
            "id": self._random.randrange(99),
            "combat": combat,
            "fighter": "Bo",
            "move": "catch breath",
            "decision": decision,
        }

    def cut(self) -> str:
        whole = json.dumps(self.right())
        return whole[: self._random.randrange(len(whole) - 1)] + self._random.choice(["", "}", '"}', "\x00"])

    def wrong_shape(self) -> str:
        message = {
            **self.right(),
            "type": self._random.choice(["enter", "leave", "line", "move", "ping", "fly", 1, None]),
        }
        if self._random.random() < 0.5:
            del message[self._random.choice(["combat", "fighter", "move", "decision"])]
            message["type"] = "move"
        else:
            message[self.text()] = self.value()
        return json.dumps(message)

    def wrong_values(self) -> str:
        message = self.right()
        for key in self._random.sample(["combat", "fighter", "move", "decision", "id"], 2):
            message[key] = self.value()
        # By chance it could be right after all.
        return json.dumps({**message, "decision": self._random.choice([*NUMBERS[3:], -1])})

    def nested(self) -> str:
        depth = self._random.randrange(10, 2000)
        opening, closing = self._random.choice([("[", "]"), ('{"a":', "}")])
        depth = min(depth, (LONGEST - 40) // (len(opening) + 1))
        inner = opening * depth + "1" + closing * depth
        return self._random.choice(['{"x":%s,"type":"ping"}', '{"type":"ping","id":%s}', "%s"]) % inner

    def too_long(self) -> str:
        return json.dumps({"type": "say", "text": "x" * self._random.randrange(LONGEST, LONGEST + 999)})

    def illegal_move(self) -> str:
        wrong = [
            {"move": "strike 6 Ann"},
            {"move": "maneuver 99 co"},
            {"move": "catch breath", "decision": self._table["decision"] + 1},
            {"decision": 0},
            {"fighter": "Ann"},
            {"fighter": "nobody"},
            {"combat": 77},
            {"move": self.text() or "?"},
        ]
        return json.dumps({**self.right(), **self._random.choice(wrong)})

    def line(self) -> str:
        return json.dumps({"type": "line", "text": self._random.choice(LINES), "id": None})


async def prepare(people: Any) -> dict[str, Any]:
    """Ann's fight against Bob, in which Ann has to move; Eve and two guests take no part."""
    ann, bob = people["Ann"].browser, people["Bob"].browser
    seats = {"reds": [{"sheet": "goblin", "by": "me"}], "greens": [{"sheet": "goblin", "by": "open", "name": "Bo"}]}
    fight = {"name": "duel", "system": "grapple", "place": "tavern", "teams": seats}
    made = (await ann("POST", "/combats", fight)).json()
    await bob("POST", f"/combats/{made['number']}/join", {"token": made["seats"][1]["invite"]})
    table: dict[str, Any] = (await ann("POST", f"/combats/{made['number']}/start", {"first": ["reds"]})).json()
    return table


async def bombard(live: Any, messages: list[str | bytes]) -> int:
    """Send all of them; how many were refused, each with a sentence."""
    refused = 0
    for first in range(0, len(messages), AT_ONCE):
        for message in messages[first : first + AT_ONCE]:
            await live.socket.send(message)
        answer = {"type": "pong", "id": 1000 + first}
        await live.send({"type": "ping", "id": answer["id"]})
        await live.until(answer.__eq__)
        refusals = live.of("refused")
        assert all(refusal["problem"] for refusal in refusals)
        refused += len(refusals)
        live.received.clear()
    return refused


async def test_nonsense_changes_nothing(site: Sites, caplog: pytest.LogCaptureFixture) -> None:
    async with site("Ann", "Bob", "Eve", "Guest1", "Guest2") as people:
        table = await prepare(people)
        await people["Ann"].live.enter(table["number"])
        await people.quiet()
        before = await people.fingerprint()
        seen = (await people["Ann"].browser("GET", f"/combats/{table['number']}")).json()
        senders = ["Bob", "Eve", "Guest1", "Guest2"]
        with caplog.at_level(logging.INFO):
            share = MESSAGES // len(senders)
            attacks = [
                bombard(people[name].live, list(islice(Nonsense(seed, table), share)))
                for seed, name in enumerate(senders)
            ]
            refused = sum(await asyncio.gather(*attacks))
        assert refused > 0.9 * MESSAGES, "a few, such as an empty line, are nothing at all"
        assert [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING] == []
        assert [record for record in caplog.records if record.exc_info] == []
        assert await people.fingerprint() == before
        assert (await people["Ann"].browser("GET", f"/combats/{table['number']}")).json() == seen
        assert not await people.overheard(), "nobody else has heard anything of it"
        assert (await people.browser().http.get("/health")).json() == {"status": "ok"}
        move = {"fighter": "Ann", "move": "catch breath", "decision": table["decision"]}
        assert (await people["Ann"].live.ask("move", combat=table["number"], **move))["type"] == "done"


async def test_a_message_may_have_four_kibibytes(site: Sites) -> None:
    async with site() as people:
        live = await people.browser().live()
        for size, type in ((LONGEST, "pong"), (LONGEST + 1, "refused"), (LARGEST_MESSAGE - 1, "refused")):
            message = '{"type":"ping"%s}' % (" " * (size - 15))
            assert len(message) == size
            since = len(live.received)
            await live.send(message)
            answer = await live.until(lambda m: m["type"] in ("pong", "refused"), since)
            assert answer["type"] == type, answer
        await live.send("x" * (LARGEST_MESSAGE + 1))
        assert await live.ended() == 1009
        assert (await people.browser().http.get("/health")).json() == {"status": "ok"}


@pytest.mark.parametrize("path", ["/verify", "/combats/import", "/combats", "/session", "/lab/jobs"])
async def test_what_is_nested_too_deeply_is_refused(site: Sites, path: str, caplog: pytest.LogCaptureFixture) -> None:
    async with site("Ann") as people:
        ann = people["Ann"].browser
        headers = {"X-CSRF-Token": ann.http.cookies["affray_csrf"], "Content-Type": "application/json"}
        for inner in ("[" * 9999 + "]" * 9999, '{"a":' * 500 + "1" + "}" * 500):
            answer = await ann.http.post(f"/api{path}", content=f'{{"teams":{inner}}}', headers=headers)
            assert answer.status_code in (200, 409, 422), answer.text
            assert answer.json().get("problem") or answer.json()["fits"] is False
        assert [record for record in caplog.records if record.exc_info] == []


async def test_nobody_steers_the_terminals_of_others(site: Sites) -> None:
    """What is said on the page goes to telnet clients as well."""
    async with site("Ann", "Guest1") as people:
        heard: list[str] = []
        telnet = people.world.arrive(heard.append, "10.0.0.9")
        await telnet.hear("guest")
        heard.clear()
        for type in ("say", "pose"):
            await people["Ann"].live.ask(type, text="a\x1b[2J\u202eb\r\nc\x07")
        await people["Ann"]("say a\x1b[2J\u202eb\r\nc\x07")
        assert all(text.isprintable() for text in heard)
        assert len(heard) == 3


async def test_a_line_after_password_is_not_obeyed(site: Sites) -> None:
    async with site("Ann", "Guest1") as people:
        ann = people["Ann"]
        assert "Password" in await ann("password")
        await people.quiet()
        assert await ann('"what a secret') == "Your password has been changed."
        assert not await people.overheard()
        await people.browser().log_in("Ann", '"what a secret')
