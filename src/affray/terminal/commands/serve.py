"""`affray serve`: serves a world to browsers and telnet clients until it is stopped."""

from __future__ import annotations

import argparse
import asyncio
import os
import signal
import sys
from contextlib import AsyncExitStack
from dataclasses import fields
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from affray.errors import Invalid, MissingExtra, Refused
from affray.players.policy import FOLDER
from affray.server import log_format
from affray.server.garbage import collect_in_steps, collect_when_quiet
from affray.server.limits import Limits
from affray.server.listening import LOCAL_NAMES, address_outward, take_descriptors
from affray.server.telnet.server import TelnetServer
from affray.system.files import write_whole
from affray.terminal.address import HOST, Address, address
from affray.terminal.arguments import positive
from affray.terminal.screen.output import say

if TYPE_CHECKING:
    from affray.world.peers import Peers
    from affray.world.world import World

WEB = Address(HOST, 8080)
EVERYWHERE = ("0.0.0.0", "::")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What `affray serve` understands."""
    doors = parser.add_argument_group("where to listen")
    doors.add_argument(
        "--web",
        type=partial(address, usual=WEB.port),
        default=WEB,
        metavar="[HOST:]PORT",
        help=f"the address for browsers (default {WEB}, this machine only); port 0 takes any free port",
    )
    doors.add_argument("--no-web", action="store_const", const=None, dest="web", help="do not serve browsers")
    doors.add_argument(
        "--telnet",
        type=address,
        nargs="?",
        const=Address(),
        metavar="[HOST:]PORT",
        help=f"serve telnet too (default address {Address()})",
    )
    doors.add_argument("--port-file", type=Path, metavar="PATH", help="write the telnet port here once it is open")
    doors.add_argument("--web-port-file", type=Path, metavar="PATH", help="write the web port here once it is open")
    parser.add_argument(
        "--store", metavar="URL", help="the database that keeps the world (default: a file in this folder)"
    )
    parser.add_argument(
        "--peers",
        metavar="URL",
        help="serve one world with several processes, which communicate over redis://... or postgresql://...",
    )
    parser.add_argument("--default-system", metavar="SYSTEM", help="the system of a combat if the player names none")
    parser.add_argument(
        "--policies", type=Path, metavar="FOLDER", help=f"trained players that NPCs may move by (default: ${FOLDER})"
    )
    backups = parser.add_argument_group("backups").add_mutually_exclusive_group()
    backups.add_argument("--backup", type=Path, metavar="FILE", help="write the whole world to a file, and exit")
    backups.add_argument(
        "--import", type=Path, metavar="FILE", dest="import_", help="create a new world from a backup, and exit"
    )
    history = parser.add_argument_group("fights that have ended")
    history.add_argument(
        "--history",
        type=positive,
        default=10_000,
        metavar="NUMBER",
        help="how many are kept; older ones are removed (default 10000)",
    )
    history.add_argument(
        "--archive", type=Path, metavar="FOLDER", help="write the logs of older ones there before they are removed"
    )
    web = parser.add_argument_group("the web server")
    web.add_argument("--name", action="append", metavar="HOST", help="a host name of the server, for browsers")
    web.add_argument(
        "--edition",
        type=Path,
        metavar="FOLDER",
        help="let browsers work out odds themselves, with the files of `affray web build FOLDER`",
    )
    for_cluster = "run lab jobs on the Dask cluster whose scheduler has this address, such as tcp://10.0.0.5:8786"
    web.add_argument("--cluster", default="", metavar="ADDRESS", help=for_cluster)
    web.add_argument(
        "--embed",
        action="append",
        default=[],
        metavar="ORIGIN",
        help="a site that may show replays in a frame, such as https://blog.example.org; * for any",
    )
    web.add_argument("--https", action="store_true", help="send cookies over HTTPS only (behind a proxy)")
    web.add_argument(
        "--limit-requests",
        type=positive,
        default=1200,
        metavar="NUMBER",
        help="how many requests a minute one address may make (default 1200)",
    )
    web.add_argument(
        "--push-contact",
        default="",
        metavar="ADDRESS",
        help="where push services reach you, a mailto: or https: address; some notify players only with it",
    )
    web.add_argument(
        "--push-service",
        action="append",
        default=[],
        metavar="ORIGIN",
        help="another push service that may be called, such as https://push.example.org",
    )
    parser.add_argument("--log", choices=("text", "json"), default="text", help="the format of the log (text)")
    parser.add_argument("--log-level", choices=("debug", "info", "warning", "error"), default="warning")
    limits = parser.add_argument_group("telnet limits")
    for field in fields(Limits):
        limits.add_argument(
            f"--limit-{field.name.replace('_', '-')}",
            type=positive,
            default=field.default,
            metavar=field.metadata["unit"],
            help=f"{field.metadata['meaning']} (default {field.default})",
        )


def run(args: argparse.Namespace) -> int:
    """Serve until SIGINT or SIGTERM, or until another process has the store; then tell all and close the world."""
    log_format.set_up(args.log, args.log_level)
    if args.policies is not None:
        if not args.policies.is_dir():
            raise Invalid(f"there is no folder {args.policies} for policies", given=str(args.policies))
        os.environ[FOLDER] = str(args.policies.resolve())  # also for the processes in which NPCs think
    try:
        asyncio.run(_back_up(args) if args.backup or args.import_ else _serve(args))
    except ModuleNotFoundError as missing:
        if missing.name and missing.name.startswith("affray"):
            raise
        raise MissingExtra("serving a world", "server") from None
    return 0


async def _back_up(args: argparse.Namespace) -> None:
    from affray.world.store import DEFAULT, backup

    store = args.store or DEFAULT
    if args.backup:
        say(f"{await backup.backup(store, args.backup)} The world is in {args.backup}.")
    else:
        say(f"{await backup.restore(store, args.import_)} The world {store} is ready.")


async def _serve(args: argparse.Namespace) -> None:
    ended = _end_of_service()
    if args.web is None and args.telnet is None:
        raise Invalid("nothing to serve: --no-web needs --telnet", given="--no-web")
    if args.cluster:
        await asyncio.to_thread(_reach, args.cluster)
    take_descriptors()
    world = await _open_world(args)
    try:
        async with AsyncExitStack() as open_doors:
            collecting = asyncio.create_task(collect_when_quiet())
            open_doors.callback(collecting.cancel)
            if args.telnet is not None:
                await _open_telnet(args, world, open_doors)
            if args.web is not None:
                await _open_web(args, world, open_doors)
            collect_in_steps()
            say(f"Everything is kept in {world.store.url}. Press Ctrl-C to close it.", indent="  ")
            sys.stdout.flush()
            waiting = [asyncio.create_task(event.wait()) for event in (ended, world.store.broken)]
            await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
    finally:
        await world.close()
    if world.store.broken.is_set():
        told = "everything that was shown is saved"
        raise Refused(
            f"another process has opened {world.store.url} while the connection was lost, so this one ends; {told}"
        )
    say("The world is closed.")


def _reach(cluster: str) -> None:
    """Refuse a cluster that does not answer now, and not when a player asks for a job."""
    from affray.lab.cluster import LOCAL, joined

    if cluster == LOCAL:
        raise Invalid("--cluster must be the address of a scheduler, such as tcp://10.0.0.5:8786", given=cluster)
    with joined(cluster):
        pass


async def _open_telnet(args: argparse.Namespace, world: World, open_doors: AsyncExitStack) -> None:
    limits = Limits(**{field.name: getattr(args, f"limit_{field.name}") for field in fields(Limits)})
    server = await TelnetServer.open(world, args.telnet.host, args.telnet.port, limits, shared=args.peers is not None)
    open_doors.push_async_callback(server.close)
    _note(server.port, args.port_file, open_doors)
    where = Address(args.telnet.host, server.port)
    say(f"The world is open at {where}.")
    say(f"Visit it with  affray connect {where}  or  telnet {where.host} {where.port}", indent="  ", hang="    ")


async def _open_web(args: argparse.Namespace, world: World, open_doors: AsyncExitStack) -> None:
    from affray.server.web.app import WebSettings
    from affray.server.web.server import WebServer
    from affray.server.web.sharing import check_site

    host, port = args.web
    is_local = host in ("localhost", "127.0.0.1", "::1")
    hosts = [*(args.name or []), *LOCAL_NAMES] if args.name or is_local else ["*"]
    settings = WebSettings(
        hosts=hosts,
        secure=args.https,
        requests=args.limit_requests,
        edition=args.edition,
        cluster=args.cluster,
        friends=_for_friends(args),
        embed=[check_site(site) for site in args.embed],
    )
    server = await WebServer.open(world, host, port, settings, shared=args.peers is not None)
    open_doors.push_async_callback(server.close)
    _note(server.port, args.web_port_file, open_doors)
    here = HOST if host in EVERYWHERE else host
    say(f"Open http://{Address(here, server.port)} in a browser, and press Play: no account is needed.")
    if settings.friends:
        say(f"Others find it at {settings.friends}", indent="  ", hang="    ")
    elif is_local:
        others = f"affray serve --web 0.0.0.0:{server.port}"
        say(f"Only this machine can open it; for others start it with  {others}", indent="  ", hang="    ")


def _for_friends(args: argparse.Namespace) -> str:
    """The address under which people on other machines find the page; empty if there is none, or none is known."""
    if args.name:
        return f"https://{args.name[0]}/" if args.https else f"http://{Address(args.name[0], args.web.port)}/"
    if args.web.host not in EVERYWHERE:
        return ""
    outward = address_outward()
    return f"http://{Address(outward, args.web.port)}/" if outward else ""


async def _open_world(args: argparse.Namespace) -> World:
    from affray.world.combats.history import History
    from affray.world.people import passwords
    from affray.world.push.message import KNOWN_SERVICES, check_contact, check_service
    from affray.world.push.notifying import PushSettings
    from affray.world.store import DEFAULT
    from affray.world.world import World

    passwords.hasher()  # without it players could not log in
    peers: Peers | None = None
    if args.peers is not None:
        from affray.server.web.peers import ChannelPeers, backend

        peers = ChannelPeers(backend(args.peers))
    history = History(args.history, args.archive)
    history.check()
    services = (*KNOWN_SERVICES, *map(check_service, args.push_service))
    push = PushSettings(services, check_contact(args.push_contact))
    return await World.open(
        args.store or DEFAULT, peers=peers, default_system=args.default_system or "", history=history, push=push
    )


def _end_of_service() -> asyncio.Event:
    """An event that is set when the process is asked to stop."""
    ended = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        try:
            loop.add_signal_handler(number, ended.set)
        except NotImplementedError:  # Windows
            signal.signal(number, lambda *_: loop.call_soon_threadsafe(ended.set) and None)
    return ended


def _note(port: int, path: Path | None, open_doors: AsyncExitStack) -> None:
    """Keep the port in a file while the server is open. The file is never half written."""
    if path is not None:
        write_whole(path, f"{port}\n")
        open_doors.callback(path.unlink, missing_ok=True)
