"""One message of Web Push: the keys of a world, what a browser's push service is asked, and what it answers."""

from __future__ import annotations

import json
import os
import time
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any
from urllib.parse import SplitResult, urlsplit

from affray.errors import Invalid, MissingExtra
from affray.system.schema import cut
from affray.world.store.tables import Subscription

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey

KNOWN_SERVICES = (
    "https://fcm.googleapis.com",
    "https://updates.push.services.mozilla.com",
    "https://*.push.apple.com",
    "https://*.notify.windows.com",
)
"""The push services of the usual browsers. A star stands for one or more names before the rest."""
LONGEST_ENDPOINT = 1000
LASTS = 12 * 3600  # seconds that a signature may be used
TIMEOUT = 10.0  # seconds for each step of a request
READ = 1024  # bytes of an answer
POINT, SECRET = 65, 16  # bytes of a browser's public key and of its secret


def keys_of(subscription: Subscription) -> tuple[bytes, bytes]:
    """The public key and the secret of a browser; refused if they are none."""
    from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, EllipticCurvePublicKey

    point, secret = _decoded(subscription.p256dh), _decoded(subscription.auth)
    try:
        EllipticCurvePublicKey.from_encoded_point(SECP256R1(), point)
    except ValueError:
        point = b""
    if len(point) != POINT or len(secret) != SECRET:
        raise Invalid("these are not the keys of a browser's subscription", given=cut(subscription.p256dh))
    return point, secret


def _decoded(text: str) -> bytes:
    try:
        return urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except ValueError:
        return b""


def check_endpoint(endpoint: str, services: Sequence[str]) -> SplitResult:
    """The address of a subscription, if it is on one of the services: the server calls no others."""
    try:
        parts = urlsplit(endpoint)
        origin = f"{parts.scheme}://{parts.netloc}"
        is_plain = endpoint.isascii() and endpoint.isprintable() and " " not in endpoint and not parts.fragment
        is_known = len(endpoint) <= LONGEST_ENDPOINT and any(_is_at(origin, service) for service in services)
    except ValueError:
        is_plain = is_known = False
    if not is_plain or not is_known:
        problem = (
            "notifications go to the push services of the usual browsers only, and to those that this server names"
        )
        raise Invalid(problem, given=cut(endpoint), allowed=services)
    return parts


def _is_at(origin: str, service: str) -> bool:
    """Whether an origin is that of a service; one with a star has at least one name before the rest."""
    before, star, behind = service.partition("*")
    if not star:
        return origin == service
    middle = origin.removeprefix(before).removesuffix(behind)
    return origin == before + middle + behind and bool(middle) and middle.replace("-", "").replace(".", "").isalnum()


def check_service(text: str) -> str:
    """A service as an operator names it: an origin by HTTPS, or by HTTP on this machine."""
    parts = urlsplit(text)
    is_here = parts.scheme == "http" and parts.hostname in ("localhost", "127.0.0.1", "::1")
    is_origin = (
        bool(parts.netloc) and not parts.path.strip("/") and not (parts.query or parts.fragment or parts.username)
    )
    if not is_origin or not (parts.scheme == "https" or is_here):
        raise Invalid(f"a push service must be like https://push.example.org, not {cut(text)!r}", given=text)
    return f"{parts.scheme}://{parts.netloc}"


def check_contact(text: str) -> str:
    """Where the people behind a server are reached, as push services want it; or nothing."""
    is_mail = text.startswith("mailto:") and "@" in text[7:]
    if text and not is_mail and not (text.startswith("https://") and urlsplit(text).netloc):
        raise Invalid(f"the contact must be like mailto:me@example.org or https://example.org, not {cut(text)!r}")
    return text


# --- the keys of a world ----------------------------------------------------------------------------------------------


def check_installed() -> None:
    """Refuse where the extra is not installed; nothing is loaded for that."""
    if not all(map(find_spec, ("cryptography", "http_ece", "py_vapid"))):
        raise MissingExtra("notifying players whose page is closed", "push")


def new_key() -> str:
    """A private key by which a world signs its messages, as text for the store."""
    from cryptography.hazmat.primitives.asymmetric import ec

    number = ec.generate_private_key(ec.SECP256R1()).private_numbers().private_value
    return urlsafe_b64encode(number.to_bytes(32, "big")).decode()


def read_key(text: str) -> EllipticCurvePrivateKey:
    """The private key that a text means."""
    from cryptography.hazmat.primitives.asymmetric import ec

    return ec.derive_private_key(int.from_bytes(urlsafe_b64decode(text), "big"), ec.SECP256R1())


def public_part(key: EllipticCurvePrivateKey) -> bytes:
    """The public key as a point, which a browser asks for when it subscribes."""
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    return key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def as_text(data: bytes) -> str:
    """Bytes as they are written in addresses and headers."""
    return urlsafe_b64encode(data).rstrip(b"=").decode()


# --- sending ----------------------------------------------------------------------------------------------------------


def send(
    subscription: Subscription,
    message: Mapping[str, Any],
    key: EllipticCurvePrivateKey,
    *,
    contact: str,
    services: Sequence[str],
    topic: str,
    lives: int,
) -> int:
    """Hand a message to the push service of a browser; returns the status of its answer, or raises an OSError.

    Redirects are not followed.

    The content is encrypted for the browser (RFC 8291), and the request signed by the world (RFC 8292). `topic` names
    the message that it replaces if that was not delivered yet, `lives` for how many seconds it is worth delivering.
    """
    import http.client

    import http_ece
    from py_vapid.jwt import sign

    parts = check_endpoint(subscription.endpoint, services)
    point, secret = keys_of(subscription)
    content = json.dumps(message, separators=(",", ":")).encode()
    own, salt = read_key(new_key()), os.urandom(16)
    body = http_ece.encrypt(content, salt=salt, private_key=own, dh=point, auth_secret=secret, version="aes128gcm")
    claims: dict[str, Any] = {"aud": f"{parts.scheme}://{parts.netloc}", "exp": int(time.time()) + LASTS}
    token = sign(claims | ({"sub": contact} if contact else {}), key)
    headers = {
        "Authorization": f"vapid t={token}, k={as_text(public_part(key))}",
        "Content-Encoding": "aes128gcm",
        "Content-Type": "application/octet-stream",
        "TTL": str(lives),
        "Topic": topic,
        "Urgency": "normal",
    }
    connect = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
    line = connect(parts.netloc, timeout=TIMEOUT)
    try:
        line.request("POST", f"{parts.path or '/'}{'?' + parts.query if parts.query else ''}", body, headers)
        answer = line.getresponse()
        answer.read(READ)
        return answer.status
    except http.client.HTTPException as problem:
        raise OSError(f"{parts.netloc} does not speak HTTP: {problem}") from None
    finally:
        line.close()
