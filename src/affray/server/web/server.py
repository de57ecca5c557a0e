"""Listening for the page: uvicorn inside the event loop of the world it serves."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Generator
from contextlib import contextmanager

import uvicorn
from msgspec import json

from affray.server.api.live import Clients
from affray.server.api.messages import Problem
from affray.server.jobs import Jobs
from affray.server.listening import listen
from affray.server.web.app import NO_ROOM, WebSettings, make_app
from affray.server.web.gathering import GatheringProtocol
from affray.world.world import World

LARGEST_MESSAGE = 64 * 1024  # bytes: a longer message ends the connection before it is read
LAST_WORDS = 5  # seconds for requests to finish when the server ends
WAITING = 1024  # connections that the system may queue until they are accepted
FULL = (
    b"HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/json\r\nRetry-After: 10\r\nConnection: close\r\n"
    b"\r\n" + json.encode(Problem(NO_ROOM, None, None))
)


class _Server(uvicorn.Server):
    @contextmanager
    def capture_signals(self) -> Generator[None, None, None]:
        """Leave signals to the command that serves the world."""
        yield


class WebServer:
    """`await WebServer.open(world, host, port)`, and `await server.close()` when it is over."""

    def __init__(self, server: _Server, listening: socket.socket, clients: Clients, jobs: Jobs) -> None:
        self._server, self._listening, self._clients, self._jobs = server, listening, clients, jobs
        self._worker = clients.world.worker
        self.port: int = listening.getsockname()[1]
        """The port that is listened on."""
        self._serving = asyncio.create_task(server.serve(sockets=[listening]))

    @classmethod
    async def open(
        cls,
        world: World,
        host: str = "127.0.0.1",
        port: int = 8080,
        settings: WebSettings | None = None,
        *,
        shared: bool = False,
    ) -> WebServer:
        """A server that listens; port 0 takes any that is free. With `shared` other processes may take it too."""
        listening = listen(host, port, backlog=WAITING, shared=shared, full=FULL)
        settings = settings or WebSettings()
        jobs = Jobs(cluster=settings.cluster)
        app = await make_app(world, jobs, settings, listening.getsockname()[1])
        config = uvicorn.Config(
            app,
            backlog=WAITING,
            log_config=None,
            server_header=False,
            ws=GatheringProtocol,
            ws_max_size=LARGEST_MESSAGE,
            ws_per_message_deflate=False,  # messages are small, and to compress them costs more than to make them
            timeout_graceful_shutdown=LAST_WORDS,
            lifespan="off",
        )
        server = cls(_Server(config), listening, app.state.clients, jobs)
        while not server._server.started and not server._serving.done():
            await asyncio.sleep(0.01)
        return server

    async def close(self) -> None:
        """Say farewell, finish the current requests, and stop listening."""
        with self._worker.refusing():  # a request that waited for long would be broken off in the end, as a mistake
            await self._clients.close()
            self._server.should_exit = True
            await self._serving
        self._listening.close()
        await asyncio.to_thread(self._jobs.close)
