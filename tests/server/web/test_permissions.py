"""Who may what, by WebSocket and by HTTP: the table of the world, and every route, tried by everybody."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

from affray.fight import Fight
from affray.world.combats.games import exported
from affray.world.people import people as people_module
from affray.world.store import statements

Sites = Callable[..., Any]
MEMORY = "sqlite://"


async def test_who_may_type_what(site: Sites, permissions: ModuleType, phase: str) -> None:
    """What is refused in a phase changes nothing and is told to nobody; what is allowed follows from the same point."""
    async with site(*permissions.PEOPLE, wizards=["Merlin"], url=MEMORY) as people:
        await permissions.prepare(people, phase)
        await people.quiet()
        before = await people.fingerprint()
        for line, role in [(line, role) for at, line, role, may in permissions.CASES if at == phase and not may]:
            person = people[permissions.WHO[role]]
            answer = await person(line)
            assert person.refused, f"{role}: {line}"
            assert permissions.refused(answer), f"{role}: {line}: {answer}"
            assert await people.fingerprint() == before, f"{role}: {line}"
            assert not await people.overheard(), f"{role}: {line}"
        await people.remember()
        for line, role in [(line, role) for at, line, role, may in permissions.CASES if at == phase and may]:
            answer = await people[permissions.WHO[role]](line)
            assert not permissions.refused(answer), f"{role}: {line}: {answer}"
            await people.rewind()


# --- every route ------------------------------------------------------------------------------------------------------

# The number is the status of the answer. What stands behind a path is handed in, see BODIES. A path with two strokes is
# not one of the API. The combat of every phase has the number 1. The player and the wizard stand somewhere else when
# they ask.
ROUTES = """
                                                    guest  player  fighter  owner  wizard
setup    GET    /session                              200     200      200    200     200
setup    POST   /session/guest                        200     200      200    200     200
setup    GET    /lobby                                200     200      200    200     200
none     POST   /difficulty wanted                    200     200      200    200     200
none     POST   /difficulty lonely-wanted             409     409      409    409     409
setup    GET    /turns                                200     200      200    200     200
setup    GET    /systems                              200     200      200    200     200
setup    GET    /systems/bgo                          200     200      200    200     200
setup    GET    /systems/bgo/lesson                   200     200      200    200     200
setup    GET    /systems/bgo/handout                  200     200      200    200     200
setup    GET    /systems/bgo/handout?sheet=nobody     422     422      422    422     422
setup    POST   /systems/bgo/sheets typed             200     200      200    200     200
setup    POST   /systems/bgo/sheets mistyped          422     422      422    422     422
setup    GET    /combats                              200     200      200    200     200
ended    GET    /combats?which=ended                  200     200      200    200     200
setup    GET    /combats/1                            200     200      200    200     200
running  GET    /combats/1                            200     200      200    200     200
ended    GET    /combats/1                            200     200      200    200     200
none     GET    /combats/1                            404     404      404    404     404
setup    GET    /accounts/me/sheets                   401     200      200    200     200
setup    GET    /accounts/me/attributes               401     200      200    200     200
setup    GET    /accounts/Absent/attributes           401     403      403    403     200
setup    PUT    /accounts/me/attributes note          401     200      200    200     200
setup    PUT    /accounts/Absent/attributes note      401     403      403    403     200
setup    DELETE /accounts/me/attributes/grapple_ad    401     204      204    204     204
setup    DELETE /accounts/me/attributes/nothing       401     409      409    409     409
setup    PUT    /accounts/Absent/role wizard          401     403      403    403     200
setup    PUT    /accounts/me/password another         401     200      200    200     200
setup    GET    /notifications                        200     200      200    200     200
setup    PUT    /notifications browser                401     200      200    200     200
setup    PUT    /notifications spy                    401     422      422    422     422
setup    POST   /notifications/off                    401     200      200    200     200
setup    GET    /accounts/me/profile                  403     200      200    200     200
setup    GET    /accounts/Second/profile              200     200      200    200     200
setup    GET    /accounts/Nobody/profile              404     404      404    404     404
hidden   GET    /accounts/Owner/profile               403     403      403    200     200
setup    PUT    /accounts/me/settings hiding          401     200      200    200     200
setup    POST   /accounts/me/recovery care            401     422      409    409     422
setup    GET    /kept                                 401     200      200    200     200
setup    GET    /kept/party/band                      401     409      409    409     409
setup    PUT    /kept/party/band party                401     200      200    200     200
setup    PUT    /kept/party/band note                 401     422      422    422     422
setup    PUT    /kept/horse/band party                401     422      422    422     422
setup    DELETE /kept/party/band                      401     409      409    409     409
setup    POST   /kept/party/band/copy appointed       401     409      409    409     409
setup    POST   /kept/party/band/recovery care        401     409      409    409     409
setup    POST   /combats/1/keep band                  401     403      403    200     200
setup    POST   /places/tavern/ways cellar            401     403      403    403     201
setup    PUT    /places/tavern described              401     403      403    403     200
setup    PUT    /places/nowhere described             401     404      404    404     404
none     POST   /combats fight                        401     201      201    201     201
setup    POST   /combats here                         401     409      409    409     409
none     POST   /combats lonely                       401     409      409    409     409
setup    POST   /combats/1/start heroes               401     403      403    200     200
running  POST   /combats/1/start heroes               401     403      403    409     409
moved    POST   /combats/1/undo                       401     403      403    200     200
running  GET    /combats/1/storyteller                401     403      403    200     200
running  POST   /combats/1/interventions word         401     403      403    200     200
judged   POST   /combats/1/interventions word         401     403      403    200     200
judged   POST   /combats/1/interventions late-word    401     403      403    409     409
judged   POST   /combats/1/interventions hidden       401     403      403    200     200
running  POST   /combats/1/interventions hidden       401     403      403    403     200
running  POST   /combats/1/interventions rolled-dice  401     403      403    200     200
running  POST   /combats/1/agreement                  401     403      409    409     409
running  PUT    /combats/1/storyteller appointed      401     403      403    200     200
travel   POST   /combats/1/interventions word         401     403      403    409     409
running  POST   /combats/1/resign                     401     409      200    200     409
running  POST   /combats/1/draw                       401     409      200    200     409
drawing  POST   /combats/1/decline                    401     409      200    200     409
running  POST   /combats/1/decline                    401     409      409    409     409
limited  PUT    /combats/1/fallback striking          401     409      200    200     409
running  PUT    /combats/1/fallback striking          401     409      409    409     409
decided  POST   /combats/1/rematch same               401     409      200    200     409
running  POST   /combats/1/rematch same               401     409      409    409     409
running  GET    /combats/1/chances                    200     200      200    200     200
setup    GET    /combats/1/chances                    409     409      409    409     409
decided  POST   /combats/1/again once-more            401     201      201    201     201
running  POST   /combats/1/again once-more            401     409      409    409     409
running  POST   /combats/1/save                       401     403      403    200     200
saved    POST   /combats/1/restore                    401     403      403    200     200
running  POST   /combats/1/end                        401     403      403    200     200
ended    POST   /combats/1/end                        401     409      409    409     409
running  POST   /combats/1/moves own                  401     403      200    403     403
running  POST   /combats/1/moves second               401     403      403    403     403
judged   POST   /combats/1/moves second               401     403      403    200     200
foes     POST   /combats/1/moves goblin               401     403      403    200     200
running  POST   /combats/1/moves late                 401     403      409    403     403
setup    POST   /combats/1/seats me                   401     201      409    409     201
setup    POST   /combats/1/seats npc                  401     403      403    201     201
setup    POST   /combats/1/seats invited              401     403      403    201     201
running  POST   /combats/1/seats me                   401     409      409    409     409
setup    DELETE /combats/1/seats/goblin1              401     403      403    200     200
setup    DELETE /combats/1/seats/Second               401     403      403    200     200
setup    DELETE /combats/1/seats/Fighter              401     403      200    200     200
running  PUT    /combats/1/seats/goblin1 striker      401     403      403    200     200
auto     PUT    /combats/1/seats/goblin1 by-hand      401     403      403    200     200
running  PUT    /combats/1/seats/goblin1 open         401     403      403    200     200
offered  PUT    /combats/1/seats/goblin1 by-hand      401     403      403    200     200
running  PUT    /combats/1/seats/Second striker       401     403      403    409     409
running  PUT    /combats/1/heir                       401     409      200    200     409
running  PUT    /combats/1/heir absent                401     409      409    409     409
running  POST   /combats/1/heir                       401     409      409    409     409
running  DELETE /combats/1/heir                       401     409      409    409     409
running  PUT    /combats/1/groups goblins             401     403      403    200     200
grouped  POST   /combats/1/moves goblin-together      401     403      403    200     200
foes     POST   /combats/1/moves goblin-together      401     403      403    409     409
offered  POST   /combats/1/join WORD                  401     200      409    409     200
offered  POST   /combats/1/join guessed               401     403      403    403     403
running  POST   /combats/1/join WORD                  401     403      403    403     403
none     POST   /combats trip                         401     201      201    201     201
none     POST   /combats nowhere                      401     422      422    422     422
travel   GET    /combats/1                            200     200      200    200     200
travel   POST   /combats/1/moves rolled               401     403      403    200     403
travel   POST   /combats/1/moves rolled-late          401     403      403    409     403
travel   POST   /combats/1/leave                      401     409      200    200     409
running  POST   /combats/1/leave                      401     409      409    409     409
travel   POST   /combats/1/odds rolling               401     403      403    409     403
travel   GET    /combats/1/position?fighter=Owner     401     403      403    409     403
travel   POST   /combats/1/undo                       401     403      409    409     409
travel   POST   /combats/1/save                       401     403      403    409     409
travel   POST   /combats/1/end                        401     403      403    200     200
travel   GET    /combats/1/replay                     409     409      409    409     409
travel   GET    /combats/1/log                        401     200      200    200     200
running  POST   /combats/1/odds whose                 401     403      403    403     403
judged   POST   /combats/1/odds whose                 401     403      403    200     200
foes     POST   /combats/1/odds foe                   401     403      403    200     200
running  GET    /combats/1/position?fighter=Second    401     403      403    403     403
foes     GET    /combats/1/position?fighter=goblin1   401     403      403    200     200
running  GET    /combats/1/replay                     200     200      200    200     200
ended    GET    /combats/1/replay                     200     200      200    200     200
running  GET    /combats/1/luck                       409     409      409    409     409
running  GET    /combats/1/picture                    409     409      409    409     409
decided  GET    /combats/1/picture                    200     200      200    200     200
none     GET    //share/1                             404     404      404    404     404
running  GET    //share/1                             200     200      200    200     200
running  GET    //share/1/picture.svg                 409     409      409    409     409
decided  GET    //share/1/picture.svg                 200     200      200    200     200
running  GET    /combats/1/analysis                   409     409      409    409     409
running  POST   /combats/1/hint whose                 401     403      403    403     403
foes     POST   /combats/1/hint foe                   401     403      403    200     200
running  POST   /combats/1/fork again                 401     403      403    201     201
ended    POST   /combats/1/fork again                 401     201      201    201     201
running  GET    /combats/1/log                        401     200      200    200     200
ended    GET    /combats/1/log                        401     200      200    200     200
none     POST   /combats/import log                   401     201      201    201     201
none     POST   /combats/import damaged               401     409      409    409     409
none     POST   /verify log                           401     200      200    200     200
none     POST   /lab/jobs simulate                    401     202      202    202     202
none     GET    /lab/jobs/1                           401     404      404    404     404
none     DELETE /lab/jobs/1                           401     404      404    404     404
"""
NPC = {"team": "monsters", "sheet": "goblin"}
TEAMS = {"reds": [{"sheet": "goblin"}], "greens": [{"sheet": "goblin", "by": "striker"}]}
TRAVELLERS = {"travellers": [{"sheet": "squire", "by": "me"}, {"sheet": "player", "by": "cautious"}]}
TRIP = {"name": "trip", "system": "bgo", "game": "journey", "teams": TRAVELLERS, "start": True}
BROWSER = {
    "endpoint": "https://updates.push.services.mozilla.com/wpush/v2/x",
    "p256dh": "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
    "auth": "BTBZMqHH6r4Tts7J_aSIgg",
}
"""The keys of the example of RFC 8291."""
BODIES: dict[str, dict[str, Any]] = {
    "": {},
    "fight": {"name": "duel", "system": "grapple", "teams": TEAMS, "start": True},
    "here": {"name": "duel", "system": "grapple", "teams": TEAMS, "place": "tavern"},
    "trip": TRIP,
    "nowhere": TRIP | {"system": "grapple"},
    "rolled": {"fighter": "Owner", "move": "roll", "decision": 1},
    "rolled-late": {"fighter": "Owner", "move": "roll", "decision": 0},
    "rolling": {"fighter": "Owner"},
    "lonely": {"name": "duel", "system": "grapple", "teams": {"reds": TEAMS["reds"]}, "start": True},
    "once-more": {"swap": False},
    "same": {"swapped": False},
    "typed": {"base": "player", "values": {"health": "4"}},
    "browser": BROWSER,
    "spy": BROWSER | {"endpoint": "https://127.0.0.1:8080/api/session"},
    "mistyped": {"base": "player", "values": {"health": "much"}},
    "heroes": {"first": ["heroes"]},
    "word": {"text": "set goblin1 sd 3"},
    "late-word": {"text": "set goblin1 sd 3", "decision": 7},
    "hidden": {"text": "hide monsters goblin"},
    "rolled-dice": {"text": "roll 3d6"},
    "appointed": {"name": "Fighter"},
    "own": {"fighter": "Fighter", "move": "catch breath", "decision": 1},
    "second": {"fighter": "Second", "move": "catch breath", "decision": 1},
    "late": {"fighter": "Fighter", "move": "catch breath", "decision": 0},
    "me": {"team": "villains", "sheet": "own", "by": "me"},
    "npc": NPC,
    "invited": {**NPC, "by": "open"},
    "party": {"format": "affray-party", "version": 1, "system": "bgo", "fighters": [{"sheet": "player"}]},
    "band": {"kind": "party", "name": "band", "team": "monsters"},
    "goblins": {"group": "goblins", "names": ["goblin1"]},
    "goblin-together": {"fighter": "goblin1", "move": "catch breath", "decision": 1, "together": True},
    "wanted": {"system": "bgo", "teams": {"a": [{"sheet": "player"}], "b": [{"sheet": "fire-slime"}]}, "fights": 20},
    "lonely-wanted": {"system": "bgo", "teams": {"a": [{"sheet": "player"}]}},
    "absent": {"name": "Absent"},
    "striking": {"tactic": "striker"},
    "striker": {"by": "striker"},
    "by-hand": {"by": "storyteller"},
    "open": {"by": "open"},
    "WORD": {"token": "WORD"},
    "guessed": {"token": "guessed"},
    "whose": {"fighter": "Second"},
    "foe": {"fighter": "goblin1"},
    "note": {"written": "note[INTEGER]=1"},
    "wizard": {"role": "wizard"},
    "hiding": {"private": True},
    "another": {"password": "another one, please"},
    "care": {"word": "care"},
    "cellar": {"way": "down", "back": "up", "name": "Cellar"},
    "described": {"text": "A room."},
    "goblin": {"fighter": "goblin1", "move": "catch breath", "decision": 1},
    "again": {"at": 1, "name": "again"},
    "simulate": {"kind": "simulate", "system": "grapple", "teams": {"a": ["goblin"], "b": ["goblin"]}, "fights": 1},
    "log": exported(Fight("grapple", {"a": ["goblin"], "b": ["goblin"]}, seed=1), ended=True),
}
BODIES["damaged"] = {**BODIES["log"], "ending": "a"}
ROUTE_ROWS = [row.split() for row in ROUTES.strip("\n").splitlines()[1:]]
ELSEWHERE = {("POST", "/api/session"), ("DELETE", "/api/session"), ("POST", "/api/accounts"), ("GET", "/health")}
LINES = {"ended": ["combat start heroes", "combat end"], "hidden": ["prefer privacy on"]}


async def test_every_route_has_a_row(site: Sites) -> None:
    async with site() as people:
        described = (await people.browser().http.get("/schema/openapi.json")).json()["paths"]
    operations = {(method.upper(), path) for path, methods in described.items() for method in methods}
    rows = {(method, f"/api{path}".partition("?")[0]) for _, method, path, *_ in ROUTE_ROWS}
    tried = {(m, p) for m, p in operations for method, path in rows if m == method and _fits(p, path)}
    assert operations - tried == ELSEWHERE, "coming in and going out is tried where sessions are"


def _fits(template: str, path: str) -> bool:
    return re.fullmatch(re.sub(r"\{[^}]*\}", "[^/]+", template), path) is not None


@pytest.mark.parametrize("at", dict.fromkeys(row[0] for row in ROUTE_ROWS))
async def test_who_may_ask_for_what(site: Sites, permissions: ModuleType, at: str) -> None:
    """What is refused changes nothing and is not told to others, and so is what is only looked at."""
    async with site(*permissions.PEOPLE, wizards=["Merlin"], url=MEMORY) as people:
        await permissions.prepare(people, "setup" if at in LINES else at)
        for line in LINES.get(at, []):
            await people["Owner"](line)
        for role in ("player", "wizard"):
            await people[permissions.WHO[role]]("go out")
        await people.remember()
        await people.quiet()
        before = await people.fingerprint()
        for _, method, path, *rest in [row for row in ROUTE_ROWS if row[0] == at]:
            body = BODIES[rest[0] if len(rest) > len(permissions.ROLES) else ""]
            for role, status in zip(permissions.ROLES, rest[-len(permissions.ROLES) :], strict=True):
                answer = await people[permissions.WHO[role]].browser(method, path, body)
                assert answer.status_code == int(status), f"{role}: {method} {path}: {answer.text}"
                if answer.is_error:
                    assert answer.json()["problem"], f"{role}: {method} {path}"
                if answer.is_error or method == "GET":
                    assert await people.fingerprint() == before, f"{role}: {method} {path}"
                    assert not await people.overheard(), f"{role}: {method} {path}"
                else:
                    await people.settled()
                    await people.rewind()


# --- intruders --------------------------------------------------------------------------------------------------------


async def duel(people: Any, *, start: bool = True) -> dict[str, Any]:
    """Ann, who owns it, against Bob; both were seated by Ann's page and Bob's invitation."""
    ann, bob = people["Ann"].browser, people["Bob"].browser
    seats = {"reds": [{"sheet": "goblin", "by": "me"}], "greens": [{"sheet": "goblin", "by": "open", "name": "Bo"}]}
    made = (await ann("POST", "/combats", {"name": "duel", "system": "grapple", "teams": seats})).json()
    invite = next(seat["invite"] for seat in made["seats"] if seat["open"])
    assert (await bob("POST", f"/combats/{made['number']}/join", {"token": invite})).status_code == 200
    if start:
        made = (await ann("POST", f"/combats/{made['number']}/start", {"first": ["reds"]})).json()
    return {**made, "invite": invite}


def move_of(table: dict[str, Any], fighter: str, **more: Any) -> dict[str, Any]:
    return {"fighter": fighter, "move": "catch breath", "decision": table["decision"], **more}


async def test_a_stolen_cookie_is_worth_nothing_once_the_password_is_another(
    site: Sites, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(people_module, "STALE", 0.0)
    async with site("Ann", "Bob") as people:
        table = await duel(people)
        ann, thief = people["Ann"], people.browser()
        thief.http.cookies = ann.browser.http.cookies
        stolen = await thief.live()
        await stolen.enter(table["number"])
        assert (await thief("GET", "/session")).json()["name"] == "Ann", "a cookie is all that it takes"
        await ann("password")
        assert not ann.refused
        await ann("a new one, please")
        assert not ann.refused
        before = await people.fingerprint()
        assert (await thief("GET", "/session")).json()["known"] is False
        answer = await thief("POST", f"/combats/{table['number']}/moves", move_of(table, "Ann"))
        assert answer.status_code == 401
        async with asyncio.timeout(600):
            while (answer := await stolen.ask("ping"))["type"] == "pong":
                await asyncio.sleep(0.2)
        assert "password has changed" in answer["problem"]
        assert await stolen.ended() == 4001
        assert (await thief.live()).received[0] == {"type": "hello", "name": "Guest1", "role": "guest", "known": False}
        assert _stored(await people.fingerprint()) == _stored(before)


def _stored(fingerprint: str) -> str:
    """What is stored, without who is connected."""
    return str(json.loads(fingerprint)[0])


async def test_a_removed_account_is_a_guest_and_loses_the_connection(
    site: Sites, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(people_module, "STALE", 0.0)
    async with site("Ann", "Bob", "Cid") as people:
        table = await duel(people)
        bob, idle = people["Bob"], await people["Bob"].browser.live()
        await idle.enter(table["number"])
        await people["Ann"].live.enter(table["number"])
        await people.world.store.commit(statements.remove_account("bob"))
        assert (await bob.browser("GET", "/session")).json()["role"] == "guest"
        moved = await bob.browser("POST", f"/combats/{table['number']}/moves", move_of(table, "Bo"))
        assert moved.status_code == 401
        async with asyncio.timeout(600):
            while (answer := await bob.live.ask("say", text="still here"))["type"] == "done":
                await asyncio.sleep(0.2)
            assert "account has been removed" in answer["problem"]
            assert await bob.live.ended() == 4001
            while idle.open:
                await people["Ann"]("say Who is listening?")
                await asyncio.sleep(0.2)
        assert idle.socket.close_code == 4001, "a client that only listens soon hears nothing more either"


async def test_a_player_removed_from_the_fight_is_out_of_it(site: Sites) -> None:
    async with site("Ann", "Bob") as people:
        table = await duel(people, start=False)
        path = f"/combats/{table['number']}"
        ann, bob = people["Ann"].browser, people["Bob"]
        assert (await ann("DELETE", f"{path}/seats/Bo")).status_code == 200
        assert (await ann("POST", f"{path}/seats", {**NPC, "team": "greens", "name": "Bo"})).status_code == 201
        table = (await ann("POST", f"{path}/start", {"first": ["greens"]})).json()
        seen = await bob.live.enter(table["number"])
        assert (seen["you"], seen["asks"]) == ({"fighter": None, "owner": False, "may": []}, [])
        before = await people.fingerprint()
        answer = await bob.live.ask("move", combat=table["number"], **move_of(table, "Bo"))
        assert "only the owner" in answer["problem"]
        assert (await bob.browser("POST", f"{path}/moves", move_of(table, "Bo"))).status_code == 403
        assert (await bob.browser("POST", f"{path}/join", {"token": table.get("invite", "x")})).status_code == 403
        await bob("combat move catch breath")
        assert bob.refused
        assert await people.fingerprint() == before


async def test_a_move_answers_one_decision_once(site: Sites) -> None:
    async with site("Ann", "Bob") as people:
        table = await duel(people)
        ann, number = people["Ann"], table["number"]
        both = [ann.live.ask("move", combat=number, **move_of(table, "Ann")) for _ in range(2)]
        first, doubled = await asyncio.gather(*both)
        assert first["type"] == "done"
        assert doubled["type"] == "refused", "a double click"
        before = await people.fingerprint()
        now = (await ann.browser("GET", f"/combats/{number}")).json()
        assert now["decision"] == table["decision"] + 1
        for decision in (table["decision"], now["decision"] + 1, 0, 2**31 - 1):
            answer = await people["Bob"].live.ask("move", combat=number, **move_of(table, "Bo", decision=decision))
            assert answer["type"] == "refused", decision
            assert str(now["decision"]) in answer["problem"], answer
            late = await people["Bob"].browser(
                "POST", f"/combats/{number}/moves", move_of(table, "Bo", decision=decision)
            )
            assert late.status_code == 409
        assert await people.fingerprint() == before
        assert (await people["Bob"].live.ask("move", combat=number, **move_of(now, "Bo")))["type"] == "done"


async def test_nobody_moves_the_fighter_of_another_player(site: Sites) -> None:
    async with site("Ann", "Bob", "Cid") as people:
        table = await duel(people)
        await people.quiet()
        before = await people.fingerprint()
        for name in ("Bob", "Cid"):
            answer = await people[name].live.ask("move", combat=table["number"], **move_of(table, "Ann"))
            assert "only the owner" in answer["problem"]
            answer = await people[name].browser("POST", f"/combats/{table['number']}/odds", {"fighter": "Ann"})
            assert answer.status_code == 403
        assert await people.fingerprint() == before, "not even where Cid is"
        assert not await people.overheard()


async def test_an_invitation_seats_one_player(site: Sites) -> None:
    async with site("Ann", "Bob", "Cid", "Guest1") as people:
        table = await duel(people, start=False)
        cid, path = people["Cid"], f"/combats/{table['number']}"
        assert [seat["player"] for seat in table["seats"]] == ["Ann", None], "when it was made"
        before = await people.fingerprint()
        for token in (table["invite"], "", "x", table["invite"][:-1], table["invite"].swapcase(), "None", "null"):
            answer = await cid.browser("POST", f"{path}/join", {"token": token})
            assert answer.status_code == (403 if token else 422)
            await cid(f"combat take Bo {token}")
            assert cid.refused
        for name in ("Bob", "Cid", "Guest1"):
            seats = (await people[name].browser("GET", path)).json()["seats"]
            assert all(seat["invite"] is None for seat in seats)
        assert await people.fingerprint() == before
        seated = (await people["Ann"].browser("PUT", f"{path}/seats/Ann", {"by": "open"})).json()
        assert "is already a player" in seated["problem"]


async def test_only_the_owner_reads_an_open_invitation(site: Sites) -> None:
    async with site("Ann", "Bob", "Guest1", wizards=["Merlin"]) as people:
        seats = {"reds": [{"sheet": "goblin", "by": "open"}]}
        made = await people["Ann"].browser("POST", "/combats", {"name": "x", "system": "grapple", "teams": seats})
        path, invite = f"/combats/{made.json()['number']}", made.json()["seats"][0]["invite"]
        assert invite
        shown = {name: (await people[name].browser("GET", path)).text for name in ("Ann", "Bob", "Guest1", "Merlin")}
        assert {name for name, text in shown.items() if invite in text} == {"Ann", "Merlin"}
        for name in ("Bob", "Guest1"):
            assert invite not in (await people[name].browser("GET", "/lobby")).text
            assert invite not in (await people[name].browser("GET", "/combats")).text


async def test_a_lab_job_is_its_owners(site: Sites) -> None:
    async with site("Ann", "Bob", "Guest1") as people:
        ann, bob = people["Ann"].browser, people["Bob"].browser
        path = "/lab/jobs/" + (await ann("POST", "/lab/jobs", BODIES["simulate"] | {"fights": 10**7})).json()["id"]
        for method in ("GET", "DELETE"):
            assert (await bob(method, path)).status_code == 404
            assert (await people["Guest1"].browser(method, path)).status_code == 401
        assert (await ann("GET", path)).json()["state"] == "running"
        of_bob = (await bob("POST", "/lab/jobs", BODIES["simulate"])).json()["id"]
        assert (await ann("GET", path)).json()["state"] == "running", "another's newer job takes no place of it"
        assert (await ann("DELETE", f"/lab/jobs/{of_bob}")).status_code == 404
        assert (await ann("DELETE", path)).status_code == 204
        assert (await ann("GET", path)).json()["state"] == "cancelled"


async def test_one_player_has_one_seat(site: Sites) -> None:
    async with site("Ann", "Bob") as people:
        table = await duel(people, start=False)
        path = f"/combats/{table['number']}/seats"
        before = await people.fingerprint()
        for name in ("Ann", "Bob"):
            seat = {"team": "blues", "sheet": "goblin", "by": "me", "name": f"{name}-again"}
            answer = await people[name].browser("POST", path, seat)
            assert answer.status_code == 409
            await people[name]("combat add me blues")
            assert people[name].refused
        assert await people.fingerprint() == before


async def test_the_owner_does_not_see_what_a_player_has_chosen_who_is_away(site: Sites) -> None:
    """What is chosen at the same time stays secret; the owner, who moves players who are away, is an opponent here."""
    async with site("Ann", "Bob") as people:
        ann, bob = people["Ann"].browser, people["Bob"]
        seats = {"reds": [{"sheet": "player", "by": "me"}], "greens": [{"sheet": "player", "by": "open", "name": "Bo"}]}
        made = (await ann("POST", "/combats", {"name": "duel", "system": "bgo", "teams": seats})).json()
        path = f"/combats/{made['number']}"
        await bob.browser("POST", f"{path}/join", {"token": made["seats"][1]["invite"]})
        table = (await ann("POST", f"{path}/start", {})).json()
        moved = await bob.browser("POST", f"{path}/moves", {"fighter": "Bo", "move": "defend", "decision": 1})
        assert [ask["answered"] for ask in moved.json()["asks"]] == ["defend"], "Bob knows what he has chosen"
        await people.leave("Bob")
        shown = (await ann("GET", path)).json()
        assert [ask["name"] for ask in shown["asks"]] == ["Ann"]
        assert shown["version"] == table["version"]


async def test_nobody_notices_that_a_secret_choice_is_taken_back(site: Sites) -> None:
    async with site("Ann", "Bob") as people:
        ann, bob = people["Ann"].browser, people["Bob"].browser
        seats = {"reds": [{"sheet": "player", "by": "me"}], "greens": [{"sheet": "player", "by": "open", "name": "Bo"}]}
        made = (await ann("POST", "/combats", {"name": "duel", "system": "bgo", "teams": seats})).json()
        path = f"/combats/{made['number']}"
        await bob("POST", f"{path}/join", {"token": made["seats"][1]["invite"]})
        table = (await ann("POST", f"{path}/start", {})).json()
        await ann("POST", f"{path}/save")
        table["version"] += 1
        chosen = {"fighter": "Bo", "move": "defend", "decision": 1}
        for _ in range(2):
            await bob("POST", f"{path}/moves", chosen)
            assert (await ann("GET", path)).json() == table
            assert (await bob("POST", f"{path}/undo")).json()["asks"][0]["answered"] is None
            assert (await ann("GET", path)).json() == table
        restored = (await ann("POST", f"{path}/restore")).json()
        assert restored["version"] == table["version"] + 1, "nor when a saved state comes back"
        people.world.combats.awake(table["place"]["key"]).is_doubtful = True  # so that it is read again
        assert (await ann("GET", path)).json()["version"] == restored["version"]
