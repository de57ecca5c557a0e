"""`affray connect`: visits a world on a server, at the keyboard or through pipes."""

from __future__ import annotations

import argparse
import asyncio
import sys

from affray.terminal.address import Address, address
from affray.terminal.client.connection import Connection, Unreachable


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What `affray connect` understands."""
    parser.add_argument(
        "address",
        nargs="?",
        type=address,
        default=Address(),
        metavar="HOST:PORT",
        help=f"the address of the server (default {Address()})",
    )


def run(args: argparse.Namespace) -> int:
    """Visit a server until it closes; 1 when it cannot be reached or the connection breaks."""
    try:
        asyncio.run(_visit(args.address))
    except Unreachable as problem:
        sys.stdout.flush()
        print("affray:", problem, file=sys.stderr)
        return 1
    return 0


async def _visit(where: Address) -> None:
    connection = await Connection.open(where)
    try:
        if sys.stdin is not None and sys.stdin.isatty() and sys.stdout.isatty():
            from affray.terminal.client.interactive import talk

            await talk(connection)
        else:
            from affray.terminal.client.pipes import pipe

            await pipe(connection)
    finally:
        connection.close()
