"""Coming back, by page or by telnet: nothing is missing, nothing comes twice, and nothing secret comes too early."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Any

import pytest

from affray.server.api import live
from affray.server.telnet.server import TelnetServer
from affray.server.web.server import WebServer
from affray.system.registry import find, names
from affray.world.world import World

Sites = Callable[..., Any]
Message = dict[str, Any]


def story(received: list[Message]) -> list[str]:
    """The story as a page has put it together of the tables that it was sent."""
    told: list[str] = []
    for table in [message for message in received if message["type"] == "table"]:
        assert table["story_from"] <= len(told), "a gap"
        told[table["story_from"] :] = [line["text"] for line in table["story"]]
    return told


def chat(received: list[Message]) -> list[str]:
    """What was said, as a page has put it together."""
    said: list[str] = []
    for message in received:
        if message["type"] == "chat":
            said = [line["text"] for line in message["lines"]]
        elif message["type"] == "told" and message["kind"] == "said":
            said.append(message["text"])
    return said


def ready_made(system: str) -> str:
    """A fighter who can fight by the rules of a system."""
    return next(iter(find(system).demonstration.values()))[0]


async def duel(people: Any, system: str, sheet: str, player: str = "Bob") -> Message:
    """Ann's running fight against a player who has taken the seat of Bo."""
    ann = people["Ann"].browser
    seats = {"reds": [{"sheet": sheet, "by": "me"}], "greens": [{"sheet": sheet, "by": "open", "name": "Bo"}]}
    asked = {"name": "duel", "system": system, "teams": seats, "options": {"undo": "free"}}
    made = (await ann("POST", "/combats", asked)).json()
    token = {"token": made["seats"][1]["invite"]}
    assert (await people[player].browser("POST", f"/combats/{made['number']}/join", token)).status_code == 200
    started: Message = (await ann("POST", f"/combats/{made['number']}/start", {"first": ["reds"]})).json()
    return started


async def move(person: Any, number: int) -> str:
    """Make the first move that a player may make for themselves, if there is one."""
    table = (await person.browser("GET", f"/combats/{number}")).json()
    for ask in table["asks"]:
        if ask["name"] == table["you"]["fighter"] and ask["moves"]:
            chosen = {"fighter": ask["name"], "move": ask["moves"][0], "decision": ask["decision"]}
            assert (await person.live.ask("move", combat=number, **chosen))["type"] == "done"
            return str(ask["moves"][0])
    return ""


async def test_a_player_who_comes_back_has_missed_nothing(site: Sites) -> None:
    async with site("Ann", "Bob", "Cid") as people:
        ann, bob, cid = people["Ann"], people["Bob"], people["Cid"]
        number = (await duel(people, "grapple", "goblin"))["number"]
        for person in (ann, bob, cid):
            await person.live.enter(number)
        await move(ann, number)
        await ann.live.ask("say", text="one")
        await move(bob, number)
        await people.quiet()
        bob.live.socket.transport.abort()
        while people.world.people.is_active("bob"):
            await asyncio.sleep(0.01)
        before = story(cid.live.received)
        await ann.live.ask("say", text="two")
        await move(ann, number)
        await ann("combat undo")
        await ann("combat undo")
        await people["Cid"].live.ask("ping")
        assert story(cid.live.received) != before, "what was told before is different now"
        await move(ann, number)
        await ann.live.ask("pose", text="waits.")
        await ann("combat move_npc Bo catch breath")
        back = await bob.browser.live()
        await back.enter(number)
        await move(ann, number)
        await ann("combat undo")
        await ann.live.ask("say", text="three")
        for one in (back, cid.live):
            await one.ask("ping")
        shown = (await bob.browser("GET", f"/combats/{number}")).json()
        assert story(back.received) == story(cid.live.received) == [line["text"] for line in shown["story"]]
        assert chat(back.received) == chat(cid.live.received)
        assert [line for line in chat(back.received) if line.startswith("Ann")][-4:] == [
            'Ann says, "one"',
            'Ann says, "two"',
            "Ann waits.",
            'Ann says, "three"',
        ]


async def test_an_answer_to_a_decision_that_was_taken_back_is_late_even_if_its_number_comes_again(site: Sites) -> None:
    async with site("Ann", "Bob") as people:
        ann, bob = people["Ann"], people["Bob"]
        number = (await duel(people, "grapple", "goblin"))["number"]
        for person in (ann, bob):
            await person.live.enter(number)
        await ann("combat move maneuver 1 en")
        (asked,) = (await bob.browser("GET", f"/combats/{number}")).json()["asks"]
        late = {"fighter": "Bo", "move": asked["moves"][0], "decision": asked["decision"], "after": asked["after"]}
        await ann("combat undo")
        await ann("combat move catch breath")
        (again,) = (await bob.browser("GET", f"/combats/{number}")).json()["asks"]
        assert again["decision"] == asked["decision"]
        refused = await bob.live.ask("move", combat=number, **late)
        assert "moves have been taken back since you were asked" in refused["problem"]
        refused = await bob.browser("POST", f"/combats/{number}/moves", late)
        assert refused.status_code == 409
        assert (await bob.live.ask("move", combat=number, **late | {"after": again["after"]}))["type"] == "done"


async def test_a_mark_does_not_tell_that_others_have_chosen_in_secret(site: Sites) -> None:
    async with site("Ann", "Bob") as people:
        number = (await duel(people, "bgo", ready_made("bgo")))["number"]

        async def mark() -> str:
            (asked,) = (await people["Bob"].browser("GET", f"/combats/{number}")).json()["asks"]
            return str(asked["after"])

        before = await mark()
        assert await move(people["Ann"], number)
        assert await mark() == before


async def test_a_move_whose_answer_was_lost_is_made_once(site: Sites) -> None:
    async with site("Ann", "Bob") as people:
        table = await duel(people, "grapple", "goblin")
        ann, number = people["Ann"], table["number"]
        asked = {"combat": number, "fighter": "Ann", "move": "catch breath", "decision": table["decision"]}
        await ann.live.send({"type": "move", **asked})
        await asyncio.sleep(0)
        ann.live.socket.transport.close()
        while people.world.people.is_active("ann"):
            await asyncio.sleep(0.01)
        back = await ann.browser.live()
        await back.ask("move", **asked)
        fight = people.world.combats[table["place"]["key"]].fight
        assert [answer.who for answer in fight.answers] == ["Ann"]


async def test_a_session_and_its_fight_outlive_the_server(site: Sites) -> None:
    async with site("Ann", "Bob") as people:
        number = (await duel(people, "strategic", ready_made("strategic")))["number"]
        for name in ("Ann", "Bob", "Ann"):
            await move(people[name], number)
        following = people["Bob"].live
        await following.enter(number)
        await people.server.close()
        assert await following.ended() == 1012, "the page comes back by itself"
        assert following.socket.close_reason == live.FAREWELL
        await people.world.close()
        people.world = await World.open(people.url, dice=people.dice)
        people.server = await WebServer.open(people.world, port=people.port)
        back = await people["Bob"].browser.live()
        assert back.received[0] == {"type": "hello", "name": "Bob", "role": "player", "known": True}
        await back.enter(number)
        assert story(back.received) == story(following.received)
        assert (await people["Ann"].browser("GET", "/session")).json()["name"] == "Ann"


class Telnet:
    """A player with a telnet client."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer

    def say(self, line: str) -> None:
        self.writer.write(f"{line}\r\n".encode())

    async def __call__(self, line: str, until: str = "$ ") -> str:
        self.say(line)
        return await self.until(until)

    async def until(self, end: str) -> str:
        async with asyncio.timeout(600):
            return (await self.reader.readuntil(end.encode())).decode(errors="replace")


async def test_telnet_and_page_fight_each_other(site: Sites) -> None:
    async with site("Ann") as people:
        await people.world.store.commit(people.account("Tel"))
        server = await TelnetServer.open(people.world, port=0)
        try:
            tel = Telnet(*await asyncio.open_connection("127.0.0.1", server.port))
            await tel.until("$ ")
            await tel(f"connect Tel {people.password}")
            ann = people["Ann"]
            seats = {"reds": [{"sheet": "goblin", "by": "me"}], "greens": [{"sheet": "goblin", "by": "open"}]}
            asked = {"name": "duel", "system": "grapple", "teams": seats, "place": "tavern"}
            made = (await ann.browser("POST", "/combats", asked)).json()
            number, seat = made["number"], made["seats"][1]
            await ann.live.enter(number)
            await tel(f"combat take {seat['name']} {seat['invite']}", until="Tel now plays")
            await ann.browser("POST", f"/combats/{number}/start", {"first": ["greens"]})
            await tel.until("your turn")
            await ann.live.ask("ping")
            before = len(story(ann.live.received))
            tel.say("combat move catch breath")
            table = await ann.live.until(lambda m: m["type"] == "table" and m["asks"])
            assert [(seat["player"], seat["here"]) for seat in table["seats"]] == [("Tel", True), ("Ann", True)]
            assert table["asks"][0]["question"] == "Your move."
            await tel.until(story(ann.live.received)[before])
            before = len(story(ann.live.received))
            await move(ann, number)
            await ann.live.ask("ping")
            await tel.until(story(ann.live.received)[before])
            await ann.live.ask("say", text="Well fought!")
            await tel.until('Ann says, "Well fought!"')
            await tel('"Likewise.')
            await ann.live.until(lambda m: m["type"] == "told" and m["text"] == 'Tel says, "Likewise."')
        finally:
            await server.close()


# --- secret choices ---------------------------------------------------------------------------------------------------


async def lobby_told(people: Any) -> None:
    """Return when everything that the lobby is to be told has been told."""
    await people["Ann"].live.ask("ping")  # by then it is known whether there is something to tell
    while people.server._clients._lobby_due is not None:
        await asyncio.sleep(0.01)


async def overheard(site: Sites, choice: str | None) -> dict[str, Any]:
    """All that others get to know of a fight in which Bob has made a choice, or none."""
    async with site("Ann", "Bob", "Cid", "Guest1", "Guest2", url="sqlite://") as people:
        table = await duel(people, "bgo", "player")
        number = table["number"]
        for name in ("Ann", "Cid", "Guest1"):
            await people[name].live.enter(number)
        await people["Cid"]("combat watch")
        await lobby_told(people)  # of the start
        for name in ("Ann", "Cid", "Guest1", "Guest2"):
            await people[name].live.ask("ping")
            people[name].live.received.clear()
        if choice is not None:
            asked = {"fighter": "Bo", "move": choice, "decision": table["decision"]}
            assert (await people["Bob"].live.ask("move", combat=number, **asked))["type"] == "done"
        await lobby_told(people)
        known: dict[str, Any] = {}
        for name in ("Ann", "Cid", "Guest1", "Guest2"):
            await people[name].live.ask("ping", id=7)
            known[name] = list(people[name].live.received)
            for page in ("/lobby", "/combats", f"/combats/{number}", f"/combats/{number}/replay"):
                known[f"{name} {page}"] = (await people[name].browser("GET", page)).json()
        for page in ("log", "status"):
            known[page] = await people["Cid"](f"combat {page}")
        mine = next(seat["name"] for seat in known[f"Ann /combats/{number}"]["seats"] if seat["player"] == "Ann")
        position = await people["Ann"].browser("GET", f"/combats/{number}/position?fighter={mine}")
        assert position.status_code == 200
        known["what Ann's own device is given"] = position.json()
        known["file"] = (await people["Cid"].browser("GET", f"/combats/{number}/log")).json()
        for shown in known.values():
            for seat in shown.get("seats", []) if isinstance(shown, dict) else []:
                seat["invite"] = None
        return known


async def test_nobody_learns_of_a_secret_choice_before_all_are_in(site: Sites, monkeypatch: pytest.MonkeyPatch) -> None:
    """What others receive is the same whichever move was chosen, and the same as if nothing was."""
    monkeypatch.setattr(live, "LOBBY_EVERY", 0.1)
    began = time.time()
    monkeypatch.setattr(time, "time", lambda: began)
    attack, defend, nothing = [await overheard(site, choice) for choice in ("attack", "defend", None)]
    for what, known in nothing.items():
        assert attack[what] == known, what
        assert defend[what] == known, what


async def test_a_storyteller_s_screen_shows_no_secret_numbers(site: Sites) -> None:
    async with site("Olga") as people:
        olga = people["Olga"].browser
        teams = {"heroes": [{"sheet": "player"}], "monsters": [{"sheet": "fire-slime"}]}
        asked = {"name": "cave", "system": "bgo", "teams": teams, "start": True}
        number = (await olga("POST", "/combats", asked)).json()["number"]
        await olga("POST", f"/combats/{number}/interventions", {"text": "veil fire-slime"})
        desk, screen = await olga.live(), await olga.live()
        await desk.enter(number)
        assert (await screen.ask("enter", combat=number, screen=True))["type"] == "done"
        for fighter in ("player", "fire-slime"):
            moved = await desk.ask("move", combat=number, fighter=fighter, move="attack", decision=1)
            assert moved["type"] == "done", moved
        stories = []
        for live_ in (desk, screen):
            await live_.until(lambda m: m["type"] == "table" and m["decision"] == 2)
            stories.append("\n".join(story(live_.received)))
        assert stories[0].count("(roll:") == 2
        assert stories[1].count("(roll:") == 1, "the dice of the fire slime are its storyteller's secret"


# --- logs -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("system", names())
async def test_a_log_that_is_taken_in_tells_the_same_story(site: Sites, system: str) -> None:
    async with site("Ann", "Bob") as people:
        ann, bob = people["Ann"], people["Bob"]
        number = (await duel(people, system, ready_made(system)))["number"]
        for _ in range(6):
            for person in (ann, bob):
                await move(person, number)
        running = (await bob.browser("GET", f"/combats/{number}/log")).json()
        assert "secret" not in running["dice"]
        told = (await bob.browser("GET", f"/combats/{number}")).json()
        await ann("combat end")
        ended = (await bob.browser("GET", f"/combats/{number}/log")).json()
        assert (await bob.browser("POST", "/verify", ended)).json()["fits"] is True
        for log in (running, ended):
            made = await bob.browser("POST", "/combats/import", log)
            assert made.status_code == 201, made.text
            again = made.json()
            assert [line["text"] for line in again["story"]] == [line["text"] for line in told["story"]]
            assert (again["decision"], again["ending"]) == (told["decision"], told["ending"])
            assert (again["owner"], again["you"]["owner"]) == ("Bob", True)
        changed = {**ended, "ending": "nobody"}
        assert (await bob.browser("POST", "/combats/import", changed)).status_code == 409, "its seal does not match"
