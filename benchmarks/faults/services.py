"""PostgreSQL and Redis servers of one's own, to be stopped and started at will."""

from __future__ import annotations

import asyncio
import os
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from glob import glob
from pathlib import Path

import asyncpg

PATIENCE = 60  # seconds until a server must answer
SUPERUSER = "postgres"


class Missing(Exception):
    """Something is not installed here."""


def free_port() -> int:
    """A port on which nobody listens."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port: int = taken.getsockname()[1]
        return port


def _program(name: str) -> str:
    """Where a program is; Debian keeps those of PostgreSQL in a folder for each version."""
    folders = os.pathsep.join([os.environ.get("PATH", ""), *sorted(glob("/usr/lib/postgresql/*/bin"), reverse=True)])
    found = shutil.which(name, path=folders)
    if found is None:
        raise Missing(f"there is no {name} here")
    return found


class Postgres:
    """A PostgreSQL cluster in a folder, on a port of its own."""

    def __init__(self, folder: Path) -> None:
        self._data, self._port = folder / "data", free_port()
        # PostgreSQL refuses to run as root.
        self._as = {"user": SUPERUSER, "extra_groups": []} if os.name == "posix" and os.geteuid() == 0 else {}
        self._run("initdb", "--no-sync", "--auth=trust", f"--username={SUPERUSER}", "--pgdata", str(self._data))
        self.start()

    def _run(self, program: str, *words: str) -> None:
        command = [_program(program), *words]
        # Not over a pipe, which the server would inherit and keep open.
        with tempfile.TemporaryFile("w+") as said:
            done = subprocess.run(command, stdout=said, stderr=said, cwd="/", check=False, **self._as)  # type: ignore
            if done.returncode:
                said.seek(0)
                raise RuntimeError(f"{program} failed: {said.read()}")

    def start(self) -> None:
        """Start it, and wait until it answers."""
        how = f"-p {self._port} -k {self._data} -c listen_addresses=127.0.0.1"
        self._control("start", "-o", how, "-l", str(self._data / "log"))

    def stop(self) -> None:
        """End it and all its connections, as for maintenance."""
        self._control("stop", "-m", "fast")

    def crash(self) -> None:
        """End it as a failure would, so that it has to recover when it is started again."""
        self._control("stop", "-m", "immediate")

    def _control(self, *words: str) -> None:
        self._run("pg_ctl", "-w", "-D", str(self._data), *words)

    def new_database(self, name: str) -> str:
        """The address of a new and empty database."""
        asyncio.run(create_database(f"postgresql://{SUPERUSER}@127.0.0.1:{self._port}/postgres", name))
        return f"postgresql://{SUPERUSER}@127.0.0.1:{self._port}/{name}"


async def create_database(server: str, name: str) -> None:
    """Make a database on a server."""
    await _do(server, f"CREATE DATABASE {name}")


async def drop_database(server: str, name: str) -> None:
    """Remove a database, even while there are connections to it."""
    await _do(server, f"DROP DATABASE {name} WITH (FORCE)")


async def _do(server: str, statement: str) -> None:
    connection = await asyncpg.connect(server)
    try:
        await connection.execute(statement)
    finally:
        await connection.close()


def _give_to_superuser(folder: Path) -> None:
    try:
        shutil.chown(folder, SUPERUSER)
    except LookupError:
        raise Missing(f"PostgreSQL does not run as root, and there is no user {SUPERUSER}") from None


@contextmanager
def postgres() -> Iterator[Postgres]:
    """A PostgreSQL server for as long as it is needed."""
    _program("initdb")
    folder = Path(tempfile.mkdtemp(prefix="affray-postgres-"))
    try:
        if os.geteuid() == 0:
            _give_to_superuser(folder)
        server = Postgres(folder)
        try:
            yield server
        finally:
            server.crash()
    finally:
        shutil.rmtree(folder)


class Redis:
    """A Redis server on a port of its own, which keeps nothing on the disk."""

    def __init__(self) -> None:
        self._port = free_port()
        self.url = f"redis://127.0.0.1:{self._port}"
        self._process: subprocess.Popen[bytes] | None = None
        self.start()

    def start(self) -> None:
        """Start it, and wait until it answers."""
        words: Sequence[str] = ("--port", str(self._port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no")
        self._process = subprocess.Popen([_program("redis-server"), *words], stdout=subprocess.DEVNULL)
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            try:
                socket.create_connection(("127.0.0.1", self._port)).close()
                return
            except OSError:
                time.sleep(0.02)
        raise RuntimeError("redis-server does not answer")

    def stop(self) -> None:
        """End it, and all its connections."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()


@contextmanager
def redis() -> Iterator[Redis]:
    """A Redis server for as long as it is needed."""
    server = Redis()
    try:
        yield server
    finally:
        server.stop()
