"""Where a server is: a host and a port, as they are typed."""

from __future__ import annotations

import argparse
from typing import NamedTuple

HOST, PORT = "127.0.0.1", 4242


class Address(NamedTuple):
    """A host and a port; as text what `affray connect` takes."""

    host: str = HOST
    port: int = PORT

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


def address(text: str, usual: int = PORT) -> Address:
    """What `4242`, `example.org`, `example.org:4242` or `[::1]:4242` means; without a port the usual one is."""
    if text.isdecimal():
        return Address(port=_port(text, text, usual))
    if text.count(":") > 1 and not text.startswith("["):
        host, port = text, ""
    elif text.startswith("[") and "]" in text:
        host, _, port = text[1:].partition("]")
        port = port.removeprefix(":")
    else:
        host, _, port = text.partition(":")
    return Address(host or HOST, _port(port, text, usual) if port else usual)


def _port(digits: str, text: str, usual: int) -> int:
    if not (digits.isascii() and digits.isdecimal() and int(digits[:6]) < 65536):
        example = Address(port=usual)
        raise argparse.ArgumentTypeError(f"{text[:60]!r} is not an address such as {example}, with a port up to 65535")
    return int(digits[:6])
