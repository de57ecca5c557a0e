"""`affray mcp`: lets language models run and play fights, over stdio or HTTP."""

from __future__ import annotations

import argparse
import asyncio
import os
import secrets
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from affray.errors import Invalid, MissingExtra
from affray.terminal.address import HOST, Address, address

if TYPE_CHECKING:
    from affray.mcp.hosts.host import Host

HTTP = Address(HOST, 8090)
PASSWORD, TOKEN = "AFFRAY_PASSWORD", "AFFRAY_TOKEN"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What `affray mcp` understands."""
    parser.add_argument(
        "--http",
        type=partial(address, usual=HTTP.port),
        nargs="?",
        const=HTTP,
        metavar="[HOST:]PORT",
        help=f"serve streamable HTTP at /mcp instead of stdio (default address {HTTP}, this machine only)",
    )
    parser.add_argument("--port-file", type=Path, metavar="PATH", help="write the port here once it is open")
    parser.add_argument("--name", action="append", metavar="HOST", help="a host name of this server, with --http")
    kept = parser.add_argument_group("where fights live (default: in memory)").add_mutually_exclusive_group()
    kept.add_argument("--folder", type=Path, metavar="FOLDER", help="as save files in a folder")
    kept.add_argument("--world", metavar="URL", help="in the world of a running `affray serve`, such as http://...")
    parser.add_argument(
        "--account", metavar="NAME", help=f"the account in that world; its password is in the environment as {PASSWORD}"
    )


def run(args: argparse.Namespace) -> int:
    """Serve until the client or a signal ends it."""
    if (args.world is None) != (args.account is None):
        raise Invalid("--world and --account go together", given=args.account, allowed=["--world URL --account NAME"])
    try:
        return asyncio.run(_serve(args))
    except ModuleNotFoundError as missing:
        if missing.name and missing.name.startswith("affray"):
            raise
        raise MissingExtra("serving language models", "mcp") from None


async def _serve(args: argparse.Namespace) -> int:
    from affray.mcp import serving
    from affray.mcp.server import made

    token = os.environ.get(TOKEN, "")
    host = _host(args, token)
    try:
        if args.http is None:
            await made(host, token).run_stdio_async()
        else:
            # Over HTTP a caller has only the token that it brings.
            await serving.serve(made(host), args.http.host, args.http.port, args.name or [], args.port_file)
    finally:
        await host.close()
    return 0


def _host(args: argparse.Namespace, token: str) -> Host:
    """Where the fights live."""
    from affray.mcp.hosts.tables import Folder, Tables

    if args.folder is not None:
        return Folder(args.folder)
    if args.world is None:
        return Tables()
    from affray.mcp.hosts.remote import RemoteWorld

    password = os.environ.get(PASSWORD)
    if not password:
        raise Invalid(f"the password of {args.account} must be in the environment as {PASSWORD}", given=None)
    needed = ""
    if args.http is not None:
        needed = token or secrets.token_urlsafe(12)
        print(f"Callers act for {args.account} by the token {needed}", file=sys.stderr)
    return RemoteWorld(args.world, args.account, password, needed)
