"""`affray serve`: opens a world to others, by telnet, until it is told to end."""

from __future__ import annotations

import argparse
import asyncio
import logging
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING

from affray.errors import Invalid, MissingExtra, Refused
from affray.server.limits import Limits
from affray.server.telnet_server import TelnetServer
from affray.terminal.address import Address, address
from affray.terminal.arguments import positive
from affray.terminal.text import say

if TYPE_CHECKING:
    from affray.world.world import World


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What `affray serve` understands."""
    parser.add_argument(
        "--telnet",
        type=address,
        nargs="?",
        const=Address(),
        default=Address(),
        metavar="[HOST:]PORT",
        help=f"where to listen (default {Address()}, only for this machine); port 0 takes any that is free",
    )
    parser.add_argument(
        "--store", metavar="URL", help="the database that keeps the world (default: a file in this folder)"
    )
    parser.add_argument("--port-file", type=Path, metavar="PATH", help="write the port there once it is open")
    limits = parser.add_argument_group("limits")
    for field in fields(Limits):
        limits.add_argument(
            f"--limit-{field.name.replace('_', '-')}",
            type=positive,
            default=field.default,
            metavar=field.metadata["unit"],
            help=f"{field.metadata['meaning']} (default {field.default})",
        )


def run(args: argparse.Namespace) -> int:
    """Serve until SIGINT or SIGTERM, or until the store is lost; then everybody is told, and the world is closed."""
    logging.basicConfig(level=logging.WARNING, format="%(asctime)s %(levelname)s %(name)s: %(message)s")
    limits = Limits(**{field.name: getattr(args, f"limit_{field.name}") for field in fields(Limits)})
    asyncio.run(_serve(args.telnet, args.store, args.port_file, limits))
    return 0


async def _serve(where: Address, store: str | None, port_file: Path | None, limits: Limits) -> None:
    ended = _end_of_service()
    world = await _open_world(store)
    try:
        server = await TelnetServer.open(world, where.host, where.port, limits)
        try:
            with _noted(server.port, port_file):
                _announce(Address(where.host, server.port))
                await _either(ended, world.store.broken)
        finally:
            await server.close()
    finally:
        await world.close()
    if world.store.broken.is_set():
        raise Refused(f"the connection to {world.store.url} is lost, so the world is closed; all that was told is kept")
    say("The world is closed.")


async def _either(*events: asyncio.Event) -> None:
    """Return when one of the events has come."""
    waiting = [asyncio.create_task(event.wait()) for event in events]
    try:
        await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in waiting:
            task.cancel()


async def _open_world(store: str | None) -> World:
    try:
        from affray.world.store import DEFAULT
        from affray.world.world import World
    except ModuleNotFoundError as missing:
        if missing.name and missing.name.startswith("affray"):
            raise
        raise MissingExtra("serving a world", "server") from None
    return await World.open(store or DEFAULT)


def _end_of_service() -> asyncio.Event:
    """Set when the process is asked to end."""
    ended = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        try:
            loop.add_signal_handler(number, ended.set)
        except NotImplementedError:  # Windows
            signal.signal(number, lambda *_: loop.call_soon_threadsafe(ended.set) and None)
    return ended


def _announce(where: Address) -> None:
    say(f"The world is open at {where}.")
    host, port = where
    say(f"Visit it with  affray connect {where}  or  telnet {host} {port}", indent="  ", hang="    ")
    say("Ctrl-C closes it.", indent="  ")
    sys.stdout.flush()


@contextmanager
def _noted(port: int, path: Path | None) -> Iterator[None]:
    """Keep the port in a file while the server is open. The file is never there half written."""
    if path is None:
        yield
        return
    beside = path.with_name(path.name + ".part")
    try:
        beside.write_text(f"{port}\n", encoding="ascii")
        os.replace(beside, path)
    except (OSError, ValueError) as error:
        raise Invalid(f"{path} cannot be written: {error}", given=str(path)) from None
    try:
        yield
    finally:
        with suppress(OSError):
            path.unlink()
