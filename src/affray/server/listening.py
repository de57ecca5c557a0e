"""Sockets that listen, also when the process has no file descriptor left for those who come."""

from __future__ import annotations

import errno
import logging
import os
import socket
import sys
import time
from contextlib import suppress
from typing import Any

from affray.errors import Invalid

LOCAL_NAMES = ("localhost", "127.0.0.1", "[::1]")
"""The names of this machine, by which it may always be called."""

if sys.platform not in ("win32", "emscripten"):
    import resource

log = logging.getLogger(__name__)
NONE_LEFT = (errno.EMFILE, errno.ENFILE)
WARN_EVERY = 60.0  # seconds
A_MOMENT = 0.01  # seconds
LARGEST = 65536  # bytes that a newcomer may have sent already


def listen(host: str, port: int, *, backlog: int, shared: bool, full: bytes) -> Listening:
    """A socket that listens; `full` is what newcomers are sent when there is no descriptor for them."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        plain = socket.create_server((host, port), family=family, backlog=backlog, reuse_port=shared)
    except (OSError, OverflowError, UnicodeError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise Invalid(f"cannot listen on {host}:{port}: {reason}", given=f"{host}:{port}") from None
    return Listening(plain, full)


class Listening(socket.socket):
    """A socket that turns newcomers away while there is no descriptor for them.

    They would otherwise wait in its queue, and asyncio would try to take them in thousands of times a second, each
    with a traceback in the log. So one descriptor is kept in reserve, to take a newcomer in and send them away.
    """

    def __init__(self, plain: socket.socket, full: bytes) -> None:
        # asyncio switches off Nagle's algorithm only for sockets that name their protocol, and without that every
        # answer of two writes waits 40 ms for the client's acknowledgement of the first.
        super().__init__(plain.family, plain.type, socket.IPPROTO_TCP, plain.detach())
        self._full = full
        self._reserve: int | None = os.open(os.devnull, os.O_RDONLY)
        self._warned = -WARN_EVERY

    def accept(self) -> tuple[socket.socket, Any]:
        """The next connection; those for which there is no descriptor are not shown."""
        try:
            return super().accept()
        except OSError as problem:
            if problem.errno not in NONE_LEFT:
                raise
            self._warn(problem)
            self._turn_away()
            raise BlockingIOError from None  # so that others are served before the next newcomer

    def _warn(self, problem: OSError) -> None:
        now = time.monotonic()
        if now - self._warned >= WARN_EVERY:
            self._warned = now
            hint = "`ulimit -n` says how many there may be"
            log.warning("newcomers are turned away: %s; %s", problem.strerror, hint)

    def _turn_away(self) -> None:
        if self._reserve is None:
            time.sleep(A_MOMENT)  # others were quicker to take it; nothing can be done, but not all the time
        else:
            os.close(self._reserve)
            self._reserve = None
        with suppress(OSError):
            newcomer, _ = super().accept()
            with newcomer:
                newcomer.setblocking(False)
                newcomer.send(self._full)
                newcomer.shutdown(socket.SHUT_WR)
                newcomer.recv(LARGEST)  # what is left unread would make the system withdraw what was sent
        with suppress(OSError):
            self._reserve = os.open(os.devnull, os.O_RDONLY)

    def close(self) -> None:
        """Stop listening."""
        if self._reserve is not None:
            os.close(self._reserve)
            self._reserve = None
        super().close()


def take_descriptors() -> None:
    """Use as many file descriptors as the system allows; most allow far fewer unless they are asked."""
    if sys.platform in ("win32", "emscripten"):
        return
    allowed, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    if allowed != most:
        with suppress(OSError, ValueError):  # some systems name a limit that they do not grant
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def address_outward() -> str:
    """The address of this machine in its network, by which others may find it; empty without a network."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        try:
            asking.connect(("192.0.2.1", 9))  # an address for documentation; nothing is sent
            found = str(asking.getsockname()[0])
        except OSError:
            return ""
    return "" if found.startswith(("127.", "0.")) else found
