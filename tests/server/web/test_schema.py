"""What the server says about itself: the OpenAPI description and the JSON Schema of the WebSocket's messages."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import jsonschema
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from affray.fight import Fight
from affray.fight.saving import seal
from affray.players.tactics import play_on, usual_tactics
from affray.system.registry import find, names
from affray.world.combats.games import exported

Sites = Callable[..., Any]
SECONDS = 600  # before a test that hangs is a failure
EXAMPLES = 25  # of each operation
# What the server knows, so that some of what is asked for gets past the first check.
WORDS: dict[str, list[Any]] = {
    "system": ["grapple", "bgo", "deckahedron", "mythos", "strategic"],
    "by": ["me", "open", "storyteller", "striker", "random"],
    "sheet": ["goblin", "own", "player", "goblin:ad=3", {}, {"base": "goblin"}],
    "fighter": ["Ann", "goblin", "goblin-2"],
    "name": ["Ann", "goblin", "duel"],
    "move": ["catch breath", "attack", "maneuver 1 en"],
    "place": ["tavern", "arena", None],
    "first": [["reds"], ["greens", "reds"], ["reds", "reds"]],
    "teams": [{"reds": ["goblin"], "greens": ["goblin"]}, {"reds": [{"sheet": "goblin"}]}, {}],
    "fights": [1, 0, -1],
    "game": ["", "journey"],
    "kind": ["simulate", "odds"],
    "decision": [0, 1, 2],
    "at": [0, 1, 2],
    "options": [{}, {"profile": "grounds"}, {"names": "exact"}],
    "tactic": ["striker", None],
    "tactics": [{}, {"goblin": "striker"}],
    "play": ["tactics", "best"],
    "aim": ["value", "wins"],
    "written": ["note[INTEGER]=1"],
    "password": ["open sesame 2"],
    "word": ["rest", "care"],
}
PATHS: dict[str, list[Any]] = {
    "number": [1, 2, 3, 4, 5, 6],
    "name": WORDS["fighter"],
    "id": WORDS["system"],
    "key": ["tavern"],
    "attribute": ["note"],
    "kind": ["party", "party", "encounter"],
}
PARTY = {"format": "affray-party", "version": 1, "name": "Ann", "system": "bgo", "fighters": [{"sheet": "player"}]}
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner, max_size=3),
    max_leaves=5,
)


def fought() -> str:
    """The log of a fight that is over."""
    fight = Fight("grapple", {"reds": ["goblin"], "greens": ["goblin"]}, seed=1)
    play_on(fight, usual_tactics(fight))
    return json.dumps(exported(fight, ended=True))


LOG = fought()
TRAVELLERS = [{"sheet": "squire", "by": "me"}, {"sheet": "player", "by": "open", "name": "Bo"}]
JOURNEY = {"name": "race", "system": "bgo", "game": "journey", "teams": {"travellers": TRAVELLERS}}


@contextmanager
def in_background(opened: Any) -> Iterator[Any]:
    """What `async with opened` gives, alive in the event loop of another thread."""
    ready, over = threading.Event(), asyncio.Event()
    held: dict[str, Any] = {}

    async def hold() -> None:
        async with opened as people:
            held.update(people=people, loop=asyncio.get_running_loop())
            await prepare(people)
            ready.set()
            await over.wait()

    thread = threading.Thread(target=lambda: asyncio.run(hold()))
    thread.start()
    try:
        assert ready.wait(SECONDS)
        yield held["people"]
    finally:
        held["loop"].call_soon_threadsafe(over.set)
        thread.join()


async def prepare(people: Any) -> None:
    """Ann's fights 1 to 5: being set up, running, running with secret choices, over, and ended; 6 is her journey.

    She also keeps a party of her name.
    """
    ann = people["Ann"].browser
    goblins = {"reds": [{"sheet": "goblin", "by": "me"}], "greens": [{"sheet": "goblin"}, {"sheet": "goblin"}]}
    quick = {team: [{"sheet": "goblin", "by": "striker"}] for team in ("reds", "greens")}
    players = {"reds": [{"sheet": "player", "by": "me"}], "greens": [{"sheet": "player"}]}
    for number, (system, teams) in enumerate(
        [("grapple", goblins), ("grapple", goblins), ("bgo", players), ("grapple", quick), ("grapple", goblins)], 1
    ):
        asked = {"name": f"fight {number}", "system": system, "teams": teams, "start": number > 1}
        assert (await ann("POST", "/combats", asked)).status_code == 201
    await people.settled()
    assert (await ann("GET", "/combats/4")).json()["phase"] == "over"
    assert (await ann("POST", "/combats/5/end")).status_code == 200
    assert (await ann("POST", "/combats", JOURNEY | {"start": True})).status_code == 201
    assert (await ann("PUT", "/kept/party/Ann", PARTY)).status_code == 200


def seasoned(case: Any, data: st.DataObject) -> None:
    """Put words that the server knows in most places of a made-up request."""
    knows = st.integers(0, 3).map(bool)
    for key, words in PATHS.items():
        if key in (case.path_parameters or {}) and data.draw(knows):
            case.path_parameters[key] = data.draw(st.sampled_from(words))
    for key in sorted(set(case.query or {}) & set(WORDS)):
        if data.draw(knows):
            case.query[key] = data.draw(st.sampled_from([word for word in WORDS[key] if isinstance(word, str)]))
    for key in sorted(set(case.body) & set(WORDS)) if isinstance(case.body, dict) else ():
        if data.draw(knows):
            case.body[key] = data.draw(st.sampled_from(WORDS[key]))
    if case.operation.path in ("/api/combats/import", "/api/verify") and data.draw(knows):
        case.body = forged(data)
    if case.operation.method == "put" and "/kept/" in case.operation.path and data.draw(knows):
        case.body = PARTY


def forged(data: st.DataObject) -> dict[str, Any]:
    """A log with one thing changed somewhere, and a seal that fits it."""
    log = json.loads(LOG)
    part: Any = log
    while isinstance(part, dict | list) and part:
        key = data.draw(st.sampled_from(sorted(part) if isinstance(part, dict) else range(len(part))))
        if not isinstance(part[key], dict | list) or not part[key] or data.draw(st.integers(0, 3)) == 0:
            part[key] = data.draw(JSON)
            break
        part = part[key]
    return {**log, "seal": seal(log)}


def comes_late(operation: Any) -> tuple[bool, ...]:
    """A new password ends the session, and what is removed cannot be asked for any more."""
    path = operation.path
    return path.endswith("/password"), operation.method == "delete", path.endswith("/end")


def test_nothing_that_can_be_asked_for_is_a_server_error(site: Sites) -> None:
    import schemathesis  # here, because it takes long to load, and every process collects every test
    from schemathesis.checks import not_a_server_error

    with in_background(site("Ann", url="sqlite://")) as people:
        cookies = dict(people["Ann"].browser.http.cookies)
        headers = {"X-CSRF-Token": cookies["affray_csrf"]}
        described = schemathesis.openapi.from_url(f"http://127.0.0.1:{people.port}/schema/openapi.json")
        statuses: dict[str, set[int]] = {}
        operations = [result.ok() for result in described.get_all_operations()]
        for operation in sorted(operations, key=comes_late):

            @settings(
                max_examples=EXAMPLES,
                deadline=None,
                derandomize=True,
                database=None,
                suppress_health_check=list(HealthCheck),
            )
            @given(case=operation.as_strategy(), data=st.data())
            def ask(case: Any, data: st.DataObject) -> None:
                seasoned(case, data)
                answer = case.call(headers=headers, cookies=cookies)
                statuses.setdefault(case.operation.label, set()).add(answer.status_code)
                case.validate_response(answer, checks=(not_a_server_error,))

            ask()
        assert len(statuses) == len(operations)
        done = {label for label, found in statuses.items() if any(status < 300 for status in found)}
        assert len(done) > 0.5 * len(statuses), "what is asked for makes sense often enough"


# --- the messages of the WebSocket ------------------------------------------------------------------------------------


def duel(system: str) -> dict[str, Any]:
    (_, ours), (_, theirs), *_ = find(system).demonstration.items()
    seats = {"reds": [{"sheet": ours[0], "by": "me"}], "greens": [{"sheet": theirs[0], "by": "open", "name": "Bo"}]}
    return {"name": "duel", "system": system, "teams": seats}


async def play(people: Any, asked: dict[str, Any]) -> None:
    """Ann and Bob fight or travel a few decisions, watched by a guest; they talk, and something is refused."""
    ann, bob, guest = people["Ann"], people["Bob"], people["Guest1"]
    made = (await ann.browser("POST", "/combats", asked)).json()
    number = made["number"]
    for person in (ann, bob, guest):
        await person.live.enter(number)
    await bob.live.ask("line", text=f"combat take Bo {made['seats'][1]['invite']}")
    await ann.live.ask("line", text="combat start")
    await guest.live.ask("say", text=f"A {asked['name']} of {asked['system']}!")
    await bob.live.ask("pose", text="bows.")
    for _ in range(8):
        for person in (ann, bob):
            table = (await person.browser("GET", f"/combats/{number}")).json()
            own = [ask for ask in table["asks"] if ask["name"] == table["you"]["fighter"] and ask["moves"]]
            for ask in own:
                move = {"fighter": ask["name"], "move": ask["moves"][0], "decision": ask["decision"]}
                assert (await person.live.ask("move", combat=number, **move))["type"] == "done"
    assert (await guest.live.ask("move", combat=number, fighter="Bo", move="x", decision=1))["type"] == "refused"
    await ann.live.ask("line", text="combat undo")
    await ann.live.ask("line", text="combat end")
    await bob.live.until(lambda message: message["type"] == "gone")
    await bob.live.ask("leave")
    await guest.live.ask("ping")


async def test_every_message_is_as_described(site: Sites) -> None:
    async with site("Ann", "Bob", "Guest1") as people:
        schema = (await people.browser().http.get("/schema/protocol.json")).json()
        jsonschema.Draft202012Validator.check_schema(schema)
        for asked in (*map(duel, names()), JOURNEY):
            await play(people, asked)
        client, server = (
            jsonschema.Draft202012Validator({**schema, "$ref": f"#/$defs/{side}"})
            for side in ("FromClient", "FromServer")
        )
        sent = [message for person in people.people.values() for message in person.live.sent]
        received = [message for person in people.people.values() for message in person.live.received]
        for message in sent:
            client.validate(message)
        for message in received:
            server.validate(message)
        assert {message["type"] for message in sent} == {"enter", "leave", "move", "say", "pose", "line", "ping"}
        told = {"hello", "table", "chat", "told", "done", "refused", "gone", "pong"}
        assert told <= {message["type"] for message in received}
        tables = [message for message in received if message["type"] == "table"]
        assert {table["system"] for table in tables} == set(names())
        assert any(table["story_from"] > 0 for table in tables)
        assert {table["game"] for table in tables if table["board"]} == {"journey"}


async def test_what_is_not_described_is_refused(site: Sites) -> None:
    async with site("Guest1") as people:
        schema = (await people.browser().http.get("/schema/protocol.json")).json()
        client = jsonschema.Draft202012Validator({**schema, "$ref": "#/$defs/FromClient"})
        for message in ({"type": "fly"}, {"type": "ping", "x": 1}, {"type": "enter"}, {"type": "say", "text": ""}):
            with pytest.raises(jsonschema.ValidationError):
                client.validate(message)
            since = len(people["Guest1"].live.received)
            await people["Guest1"].live.send(message)
            answer = await people["Guest1"].live.until(lambda m: m["type"] == "refused", since)
            assert answer["problem"].startswith("the ")
            assert not set(answer["problem"]) & set("`$<>"), "the words of a library are not for people"
