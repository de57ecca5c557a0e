"""Sessions: cookies, tokens, origins, hosts, headers, and how much one address may ask for."""

from __future__ import annotations

import asyncio
from base64 import b64encode
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
from litestar.middleware.session.client_side import AAD
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from affray.server.api.live import ClientLimits
from affray.server.web import app, gathering
from affray.server.web.app import HEADERS, WebSettings

Sites = Callable[..., Any]
CREDENTIALS = {"name": "Ann", "password": "open sesame"}


def cookies(answer: httpx.Response) -> dict[str, str]:
    """The cookies that are set, in lower case, by name."""
    return {line.partition("=")[0]: line.lower() for line in answer.headers.get_list("set-cookie")}


async def test_without_the_token_nothing_is_changed(site: Sites) -> None:
    async with site("Ann") as people:
        ann = people["Ann"].browser
        new = {"name": "duel", "system": "grapple"}
        before = await people.fingerprint()
        token = ann.http.cookies["affray_csrf"]
        for headers in ({}, {"X-CSRF-Token": "forged"}, {"X-CSRF-Token": token[:-1]}):
            for method, path in [("POST", "/combats"), ("DELETE", "/session"), ("PUT", "/combats/1/seats/x")]:
                answer = await ann.http.request(method, f"/api{path}", json=new, headers=headers)
                assert answer.status_code == 403
                assert answer.json()["problem"]
        other = people.browser()
        await other("GET", "/session")
        answer = await ann("POST", "/combats", new, headers={"X-CSRF-Token": other.http.cookies["affray_csrf"]})
        assert answer.status_code == 403, "the token of another browser"
        assert await people.fingerprint() == before
        assert (await ann("GET", "/session")).json()["csrf"] == token


async def test_a_page_of_another_host_gets_no_websocket(site: Sites) -> None:
    async with site("Ann") as people:
        port, cookie = people.port, f"affray={people['Ann'].browser.http.cookies['affray']}"
        for origin in ("http://evil.example", f"http://evil.example:{port}", f"http://127.0.0.1:{port + 1}", "null"):
            with pytest.raises(InvalidStatus) as refused:
                await connect(f"ws://127.0.0.1:{port}/live", origin=origin, additional_headers={"Cookie": cookie})
            assert refused.value.response.status_code == 403
        own = await people["Ann"].browser.live(origin=f"http://127.0.0.1:{port}")
        assert own.received[0]["name"] == "Ann"


async def test_only_known_hosts_are_served(site: Sites) -> None:
    async with site(settings=WebSettings(hosts=["127.0.0.1", "affray.example"])) as people:
        ask = people.browser().http
        for host in ("evil.example", "127.0.0.1.evil.example", f"evil.example:{people.port}"):
            answer = await ask.get("/api/session", headers={"Host": host})
            assert answer.status_code == 400
            assert "set-cookie" not in answer.headers
            with pytest.raises(InvalidStatus):
                await connect(f"ws://127.0.0.1:{people.port}/live", additional_headers={"Host": host})
        for host in ("127.0.0.1", f"127.0.0.1:{people.port}", "affray.example"):
            assert (await ask.get("/api/session", headers={"Host": host})).status_code == 200


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/", 200),
        ("/page/icon.svg", 200),
        ("/page/../app.py", 404),
        ("/page/%2e%2e/web/app.py", 404),
        ("/api/session", 200),
        ("/api/combats/1", 404),
        ("/api/combats/0", 422),
        ("/api/lab/jobs/1", 401),
        ("/nowhere", 404),
        ("/schema/openapi.json", 200),
        ("/metrics", 200),
        ("/health", 200),
    ],
)
async def test_whatever_is_answered_has_the_headers(
    site: Sites, path: str, status: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "page").mkdir()
    for name in ("index.html", "icon.svg"):
        (tmp_path / "page" / name).write_text("<svg/>")
    monkeypatch.setattr(app, "PAGE", tmp_path / "page")
    async with site(settings=WebSettings()) as people:
        answer = await people.browser().http.get(path)
        assert answer.status_code == status, answer.text
        assert {name: answer.headers.get(name) for name in HEADERS} == HEADERS
        assert "unsafe" not in answer.headers["content-security-policy"]
        assert "server" not in answer.headers


@pytest.mark.parametrize("secure", [False, True])
async def test_cookies_are_for_this_site_alone(site: Sites, secure: bool) -> None:
    async with site(settings=WebSettings(secure=secure)) as people:
        await people.world.store.commit(people.account("Ann"))
        first = await people.browser().http.get("/api/session")
        token = cookies(first)["affray_csrf"]
        headers = {"X-CSRF-Token": first.json()["csrf"], "Cookie": f"affray_csrf={first.json()['csrf']}"}
        answer = await people.browser().http.post("/api/session", json=CREDENTIALS, headers=headers)
        session = cookies(answer)["affray"]
        assert answer.json()["known"] is True
        assert "httponly" in session
        assert "httponly" not in token, "the page has to read it"
        for cookie in (session, token):
            assert "samesite=lax" in cookie
            assert "path=/" in cookie
            assert "domain=" not in cookie
            assert ("secure" in cookie) is secure


async def test_a_session_is_sealed(site: Sites) -> None:
    async with site("Ann") as people:
        ann = people["Ann"].browser.http
        sealed = ann.cookies["affray"]
        assert "ann" not in sealed.lower()
        made_up = [b64encode(b"nonce and text" + AAD + end).decode() for end in (b"[]", b"{}", b'{"expires_at":1e9}')]
        cut = [sealed[:-4] + "AAAA", "AAAA" + sealed[4:], sealed[: len(sealed) // 2]]
        for forged in (*cut, *made_up, "Ann", "", "é" * 30):
            stranger = people.browser().http
            answer = await stranger.get("/api/session", headers={"Cookie": f"affray={forged}".encode()})
            assert (answer.status_code, answer.json()["known"]) == (200, False)


async def test_logging_out_makes_a_guest(site: Sites) -> None:
    async with site("Ann") as people:
        ann = people["Ann"].browser
        assert (await ann("DELETE", "/session")).status_code == 204
        assert (await ann("GET", "/session")).json() == {
            "name": "guest",
            "role": "guest",
            "known": False,
            "csrf": ann.http.cookies["affray_csrf"],
            "fixed": False,
            "python": False,
            "temporary": False,
            "friends": "",
            "embeds": False,
        }


async def test_another_password_ends_all_sessions_but_new_ones(site: Sites) -> None:
    async with site("Ann") as people:
        ann, second = people["Ann"], people.browser()
        await second.log_in("Ann")
        await ann("password")
        await ann("another password")
        for browser in (ann.browser, second):
            assert (await browser("GET", "/session")).json()["known"] is False
        answer = await second("POST", "/session", CREDENTIALS)
        assert (answer.status_code, answer.json()["problem"]) == (401, "that name and password do not match")
        await second.log_in("Ann", "another password")


async def test_failed_log_ins_are_counted(site: Sites) -> None:
    async with site("Ann") as people:
        browser = people.browser()
        for name in ("Ann", "Ann", "Nobody", "Ann", "Nobody"):
            answer = await browser("POST", "/session", {"name": name, "password": "guess no. 1"})
            assert (answer.status_code, answer.json()["problem"]) == (
                401,
                "that name and password do not match",
            ), "nobody learns which names there are"
        for path in ("/session", "/accounts"):
            answer = await browser("POST", path, CREDENTIALS)
            assert answer.status_code == 429
            assert "log-ins from your address have failed; try again in" in answer.json()["problem"]


async def test_an_account_is_made_once(site: Sites) -> None:
    async with site() as people:
        first, second = people.browser(), people.browser()
        assert (await first("POST", "/accounts", CREDENTIALS)).json()["name"] == "Ann"
        for name in ("Ann", "ann", "ＡＮＮ"):
            answer = await second("POST", "/accounts", {**CREDENTIALS, "name": name})
            assert answer.status_code == 409
        for name in ("Guest1", "guestly"):
            assert (await second("POST", "/accounts", {**CREDENTIALS, "name": name})).status_code == 409
        for wrong in ({"name": "me"}, {"name": "a b"}, {"password": "short"}, {"role": "wizard"}, {"name": ""}):
            answer = await second("POST", "/accounts", {**CREDENTIALS, "name": "Bob", **wrong})
            assert answer.status_code == 422
        assert (await second("GET", "/session")).json()["known"] is False


async def test_one_address_may_ask_only_so_much_in_a_minute(site: Sites) -> None:
    async with site(settings=WebSettings(requests=10)) as people:
        answers = [await people.browser().http.get("/api/systems") for _ in range(11)]
        assert [answer.status_code for answer in answers] == [200] * 10 + [429]
        assert answers[-1].json()["problem"] == "too many requests in one minute; please wait a moment"
        named = await people.browser().http.get("/api/systems", headers={"X-Real-IP": "10.1.2.3"})
        assert named.status_code == 429, "nobody names another address for themselves"
        assert (await people.browser().http.get("/health")).status_code == 200


async def test_what_is_too_large_is_not_read(site: Sites) -> None:
    async with site("Ann") as people:
        answer = await people["Ann"].browser("POST", "/verify", {"x": "y" * 4 * 1024 * 1024})
        assert answer.status_code == 413
        assert answer.json()["problem"]


async def test_a_client_that_is_too_fast_is_refused_and_then_closed(site: Sites) -> None:
    async with site(settings=WebSettings(websocket=ClientLimits(burst=5, rate=1, refused=20))) as people:
        live = await people.browser().live()
        for _ in range(40):
            await live.send({"type": "ping"})
        assert await live.ended() == 1008
        refused = live.of("refused")
        assert {answer["problem"] for answer in refused} == {"that was too fast; please wait a moment"}
        assert len(refused) == 20
        assert live.socket.close_reason == "20 messages in a row were refused"


async def test_an_account_has_so_many_connections(site: Sites) -> None:
    async with site("Ann") as people:
        ann = people["Ann"].browser
        more = [await ann.live() for _ in range(4)]
        with pytest.raises(AssertionError, match="already has 5 open connections"):
            await ann.live()
        await more[0].close()
        assert (await more[1].ask("ping"))["type"] == "pong"
        assert (await ann.live()).received[0]["name"] == "Ann"


@pytest.mark.parametrize("answers_pings", [True, False])
async def test_a_client_that_never_reads_is_cut_off(
    site: Sites, monkeypatch: pytest.MonkeyPatch, answers_pings: bool
) -> None:
    monkeypatch.setattr(gathering, "PATIENCE", 0.01 if answers_pings else 600)
    async with site("Ann") as people, asyncio.timeout(600):
        clients, visitors = people.server._clients.clients, people.world.people.visitors
        known = set(clients)
        address = f"ws://127.0.0.1:{people.port}/live"
        async with connect(address, proxy=None, max_queue=1, close_timeout=0.01, compression=None):
            while not clients - known:
                await asyncio.sleep(0)
            (deaf,) = clients - known
            way, sent = deaf._line._way, 0
            while deaf in clients and way.writable.is_set():  # until neither the system nor the transport takes more
                deaf.send(b'"%b"' % (b"x" * 60_000))
                sent += 1
                assert sent < 100_000
                await asyncio.sleep(0)
            if not answers_pings:
                way.keepalive_timeout()
            while deaf in clients or deaf.visitor in visitors:
                await asyncio.sleep(0)
        assert (await people["Ann"].live.ask("ping"))["type"] == "pong"
