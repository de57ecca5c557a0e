"""Players are notified by Web Push: signed, encrypted for their browser alone, not too often, and not anywhere."""

from __future__ import annotations

import asyncio
import json
import os
import time
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

import pytest

from affray.errors import Invalid, MissingExtra
from affray.world.actions import notifications
from affray.world.push import message
from affray.world.push.message import KNOWN_SERVICES, check_contact, check_endpoint, check_service
from affray.world.push.notifying import PushSettings
from affray.world.store import statements

http_ece = pytest.importorskip("http_ece", reason="the push extra is not installed")
ec = pytest.importorskip("cryptography.hazmat.primitives.asymmetric.ec")
Crowds = Callable[..., Any]


def text(data: bytes) -> str:
    return urlsafe_b64encode(data).rstrip(b"=").decode()


def data(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


class PushService:
    """A real push service on this machine, which keeps what it is asked."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, dict[str, str], bytes]] = []
        self.status = 201
        service = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                service.asked.append((self.path, {name.lower(): value for name, value in self.headers.items()}, body))
                self.send_response(service.status)
                self.send_header("Location", "http://127.0.0.1:9/elsewhere")
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *words: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.origin = f"http://127.0.0.1:{self._server.server_address[1]}"
        self._thread = Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


class Browser:
    """What a browser has when it subscribes: keys that never leave it."""

    def __init__(self, service: PushService, name: str) -> None:
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._secret = os.urandom(16)
        self.endpoint = f"{service.origin}/call/{name}"

    @property
    def subscription(self) -> dict[str, str]:
        point = message.public_part(self._key)
        return {"endpoint": self.endpoint, "p256dh": text(point), "auth": text(self._secret)}

    def read(self, body: bytes) -> Any:
        found = http_ece.decrypt(body, private_key=self._key, auth_secret=self._secret, version="aes128gcm")
        return json.loads(found)


@pytest.fixture
def service() -> Iterator[PushService]:
    service = PushService()
    yield service
    service.close()


def check_signed(headers: dict[str, str], service: PushService, key: str) -> None:
    """RFC 8292: a token for this service, which has not expired, signed by the key that the browser was given."""
    from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
    from cryptography.hazmat.primitives.hashes import SHA256

    scheme, _, rest = headers["authorization"].partition(" ")
    parts = dict(part.strip().split("=", 1) for part in rest.split(","))
    assert (scheme, parts["k"]) == ("vapid", key)
    head, claims, signature = parts["t"].split(".")
    said = json.loads(data(claims))
    assert said["aud"] == service.origin
    assert said["sub"] == "mailto:olga@example.org"
    assert 0 < said["exp"] - time.time() <= 24 * 3600
    raw = data(signature)
    public = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), data(key))
    numbers = (int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big"))
    public.verify(encode_dss_signature(*numbers), f"{head}.{claims}".encode(), ec.ECDSA(SHA256()))


async def duel(people: Any) -> Any:
    """Ann and Ben, who has left, each with a fighter, in a fight that waits for both at once."""
    ann = people["Ann"]
    await ann("combat init duel bgo")
    await ann("combat add_npc a player reds")
    await ann("combat add_npc b player blues")
    combat = people.world.combats["tavern"]
    combat.member("a").player, combat.member("b").player = "ann", "ben"
    return combat


class Clock:
    """Time that passes only when it is told to, so that no one is notified by itself."""

    def __init__(self, people: Any, service: PushService) -> None:
        self._notifications, self._now = people.world.notifications, 0.0
        services = (*KNOWN_SERVICES, service.origin)
        self._notifications.settings = PushSettings(services, "mailto:olga@example.org", wait=10)
        self._notifications.clock = lambda: self._now

    async def pass_by(self, seconds: float = 11) -> None:
        self._now += seconds
        await self._notifications.send_due()


async def subscribe(people: Any, name: str, subscription: dict[str, str]) -> None:
    await notifications.subscribe(people[name].visitor, **subscription)


async def test_a_player_who_is_away_is_called_once_for_a_turn(crowd: Crowds, service: PushService) -> None:
    async with crowd("Ann", "Ben") as people:
        clock, browser = Clock(people, service), Browser(service, "ben")
        await subscribe(people, "Ben", browser.subscription)
        key = await people.world.notifications.public_key()
        combat = await duel(people)
        await people.leave("Ben")
        await people["Ann"]("combat start")
        await clock.pass_by(5)
        assert service.asked == [], "one who moves at once is not notified"
        await clock.pass_by(5)
        ((path, headers, body),) = service.asked
        assert path == "/call/ben"
        assert browser.read(body) == {"title": "duel", "body": "It is your turn.", "fight": combat.number}
        assert b"duel" not in body
        assert headers["content-encoding"] == "aes128gcm"
        assert headers["topic"] == f"fight-{combat.number}"
        assert int(headers["ttl"]) > 0
        check_signed(headers, service, key)

        await people["Ann"]("combat move attack b")
        await clock.pass_by()
        assert len(service.asked) == 1, "that Ann has chosen does not notify Ben again"
        ben = await people.enter("Ben")
        await ben("combat move defend")
        await people.leave("Ben")
        await people["Ann"]("combat move defend")
        await clock.pass_by()
        assert len(service.asked) == 2, "the next turn is another one"
        assert await people.world.notifications.public_key() == key, "the key of a world stays"


async def test_no_one_is_called_who_is_here_or_whose_fight_is_gone(crowd: Crowds, service: PushService) -> None:
    async with crowd("Ann", "Ben") as people:
        clock = Clock(people, service)
        for name in ("Ann", "Ben"):
            await subscribe(people, name, Browser(service, name).subscription)
        await duel(people)
        await people["Ann"]("combat start")
        await clock.pass_by()
        assert service.asked == [], "both are here"
        await people.leave("Ben")
        await people["Ann"]("combat move attack b")
        await people.enter("Ben")
        await clock.pass_by()
        assert service.asked == [], "Ben has come back in time"
        await people.leave("Ben")
        await people["Ann"]("combat undo")
        await people["Ann"]("combat end")
        await clock.pass_by()
        assert service.asked == [], "the fight is gone"


@pytest.mark.parametrize(("status", "kept"), [(404, 0), (410, 0), (500, 1), (307, 1)])
async def test_a_browser_that_has_unsubscribed_is_forgotten_and_redirects_are_not_followed(
    crowd: Crowds, service: PushService, status: int, kept: int
) -> None:
    async with crowd("Ann", "Ben") as people:
        clock = Clock(people, service)
        await subscribe(people, "Ben", Browser(service, "ben").subscription)
        await duel(people)
        await people.leave("Ben")
        service.status = status
        await people["Ann"]("combat start")
        for _ in range(5):
            await clock.pass_by(3600)
        assert len(await people.world.store.subscriptions("ben")) == kept
        assert len(service.asked) == (3 if kept else 1), "a service that fails is asked again, but not for ever"
        assert {path for path, _, _ in service.asked} == {"/call/ben"}


async def test_a_service_that_does_not_answer_costs_nothing_but_the_call(
    crowd: Crowds, service: PushService, caplog: pytest.LogCaptureFixture
) -> None:
    async with crowd("Ann", "Ben") as people:
        clock = Clock(people, service)
        subscription = Browser(service, "ben").subscription
        people.world.notifications.settings = PushSettings(("http://127.0.0.1:9",), wait=10)  # where no one listens
        await subscribe(people, "Ben", subscription | {"endpoint": "http://127.0.0.1:9/nobody"})
        await duel(people)
        await people.leave("Ben")
        await people["Ann"]("combat start")
        await clock.pass_by()
        assert "could not be asked" in caplog.text
        assert len(await people.world.store.subscriptions("ben")) == 1
        assert "choice is in" in await people["Ann"]("combat move defend"), "the fight goes on"


async def test_calls_are_made_by_themselves(crowd: Crowds, service: PushService) -> None:
    async with crowd("Ann", "Ben") as people:
        people.world.notifications.settings = PushSettings((service.origin,), wait=0)
        await subscribe(people, "Ben", Browser(service, "ben").subscription)
        await duel(people)
        await people.leave("Ben")
        await people["Ann"]("combat start")
        while not service.asked:
            await asyncio.sleep(0.05)
        assert [path for path, _, _ in service.asked] == ["/call/ben"]


@pytest.mark.parametrize(
    "endpoint",
    [
        "http://fcm.googleapis.com/fcm/send/x",
        "https://fcm.googleapis.com.evil.example/x",
        "https://evil.example/fcm.googleapis.com",
        "https://user@fcm.googleapis.com/x",
        "https://fcm.googleapis.com:8443/x",
        "https://evil.example#.push.apple.com/x",
        "https://.push.apple.com/x",
        "https://a/b.push.apple.com/x",
        "https://169.254.169.254/latest",
        "file:///etc/passwd",
        "https://[::1/x",
        "https://fcm.googleapis.com/\r\nX-Header: 1",
        "https://fcm.googleapis.com/" + "x" * 1000,
        "",
    ],
)
def test_nothing_but_push_services_is_ever_called(endpoint: str) -> None:
    with pytest.raises(Invalid, match="push services"):
        check_endpoint(endpoint, KNOWN_SERVICES)


def test_the_services_of_the_usual_browsers_are_known() -> None:
    for host in (
        "fcm.googleapis.com",
        "updates.push.services.mozilla.com",
        "web.push.apple.com",
        "wns2-par02p.notify.windows.com",
    ):
        assert check_endpoint(f"https://{host}/some/path?token=x", KNOWN_SERVICES).netloc == host


@pytest.mark.parametrize(
    "text", ["push.example.org", "http://push.example.org", "https://", "https://a.org/path", "ftp://a"]
)
def test_services_that_an_operator_names_are_origins(text: str) -> None:
    with pytest.raises(Invalid, match=r"must be like https://push\.example\.org"):
        check_service(text)
    assert check_service("https://push.example.org/") == "https://push.example.org"


def test_the_contact_is_an_address() -> None:
    assert check_contact("") == ""
    assert check_contact("mailto:me@example.org") == "mailto:me@example.org"
    with pytest.raises(Invalid, match="the contact must be like"):
        check_contact("me@example.org")


@pytest.mark.parametrize(
    "keys",
    [
        {"p256dh": text(b"\4" + bytes(64)), "auth": text(bytes(16))},
        {"p256dh": "x", "auth": text(bytes(16))},
        {"auth": text(bytes(15))},
        {"auth": "\u00e4"},
    ],
)
async def test_wrong_keys_are_refused(crowd: Crowds, service: PushService, keys: dict[str, str]) -> None:
    async with crowd("Ann") as people:
        Clock(people, service)
        with pytest.raises(Invalid, match="not the keys"):
            await subscribe(people, "Ann", Browser(service, "ann").subscription | keys)


async def test_a_browser_belongs_to_one_account_which_has_ten_at_most(
    crowd: Crowds, service: PushService, store_url: str
) -> None:
    async with crowd("Ann", "Ben", url=store_url) as people:
        store = people.world.store
        Clock(people, service)
        shared = Browser(service, "shared").subscription
        await subscribe(people, "Ann", shared)
        await subscribe(people, "Ben", shared)
        assert [len(await store.subscriptions(name)) for name in ("ann", "ben")] == [0, 1]
        for n in range(9):
            await subscribe(people, "Ben", Browser(service, f"n{n}").subscription)
        with pytest.raises(Exception, match="10 browsers"):
            await subscribe(people, "Ben", Browser(service, "more").subscription)
        assert "127.0.0.1" in await people["Ben"]("notifications")
        assert "10 browsers will no longer be notified" in await people["Ben"]("notifications off")
        assert "No browser notifies you" in await people["Ben"]("notifications")
        await subscribe(people, "Ben", shared)
        await store.commit(statements.remove_account("ben"))
        assert await store.subscriptions("ben") == []


async def test_without_the_extra_the_problem_names_it(crowd: Crowds, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing() -> None:
        raise MissingExtra("notifying players whose page is closed", "push")

    monkeypatch.setattr(message, "check_installed", missing)
    async with crowd("Ann") as people:
        assert "pip install 'affray[push]'" in people.world.notifications.problem
        with pytest.raises(Exception, match="affray\\[push\\]"):
            await subscribe(people, "Ann", {"endpoint": "https://web.push.apple.com/x", "p256dh": "x", "auth": "x"})
