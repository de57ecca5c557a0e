"""`affray mcp` as a process: whole fights of every system over stdio and over HTTP, by clients that speak only MCP."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx2
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

from affray.system.registry import names
from benchmarks.models import call, whole_fight

COMMAND = [sys.executable, "-m", "affray", "mcp"]
DUEL = {"red": ["squire"], "blue": ["ranger"]}


@asynccontextmanager
async def served(folder: Path, *words: str, **environment: str) -> AsyncIterator[str]:
    """The address of a server that runs as a process of its own."""
    port_file = folder / "port"
    process = await asyncio.create_subprocess_exec(
        *COMMAND,
        "--http",
        "0",
        "--port-file",
        str(port_file),
        *words,
        env={**os.environ, **environment},
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        while not port_file.exists():
            assert process.returncode is None, await process.stderr.read()
            await asyncio.sleep(0.05)
        yield f"http://127.0.0.1:{int(port_file.read_text())}/mcp"
    finally:
        if process.returncode is None:
            process.send_signal(signal.SIGINT)
        await process.wait()


async def play_all(client: Client) -> None:
    """A whole fight of each system, whose transcript verifies."""
    for system in names():
        seen = await whole_fight(client, system)
        found = await call(client, "verify", fight=seen["fight"])
        assert found["fits"]
        assert found["text"][0].endswith("all results follow from the seed.")
        log = (await client.read_resource(f"affray://fights/{seen['fight']}/log")).contents[0].text
        assert (await call(client, "verify_log", log=log)) == found


async def test_a_whole_fight_of_each_system_over_stdio() -> None:
    async with Client(StdioServerParameters(command=COMMAND[0], args=COMMAND[1:])) as client:
        await play_all(client)


async def test_a_whole_fight_of_each_system_over_http(tmp_path: Path) -> None:
    async with served(tmp_path) as address, Client(address) as client:
        await play_all(client)


async def test_each_connection_has_the_token_that_it_brings(tmp_path: Path) -> None:
    async with served(tmp_path) as address:
        async with Client(address) as client:
            new = await call(client, "new_fight", system="bgo", teams=DUEL, by={"red": "seat", "blue": "seat"})
            assert (await call(client, "status", fight="bgo"))["you"] == "spectator"
        for seat, fighter in (("seat squire", "squire"), ("seat ranger", "ranger")):
            headers = {"Authorization": f"Bearer {new['tokens'][seat]}"}
            async with (
                httpx2.AsyncClient(headers=headers) as http,
                Client(streamable_http_client(address, http_client=http)) as client,
            ):
                seen = await call(client, "play", fight="bgo", move="attack")
                assert seen["your_fighters"] == [fighter]
        assert seen["decision"] == 2


async def test_another_host_name_is_refused(tmp_path: Path) -> None:
    async with served(tmp_path) as address, httpx2.AsyncClient() as http:
        for host, expected in (("evil.example", 421), (address.split("/")[2], 400)):
            answer = await http.post(address, json={}, headers={"Host": host, "Accept": "application/json"})
            assert answer.status_code == expected or (expected == 400 and answer.status_code < 421)


async def test_a_killed_server_has_kept_what_it_told(tmp_path: Path) -> None:
    folder = tmp_path / "fights"
    parameters = StdioServerParameters(command=COMMAND[0], args=[*COMMAND[1:], "--folder", str(folder)])
    async with Client(parameters) as client:
        new = await call(client, "new_fight", system="bgo", teams=DUEL, by={"blue": "usual"})
        token = new["tokens"]["storyteller"]
        seen = await call(client, "play", fight="bgo", move="attack", token=token)
        # A second process on the same folder, while the first still runs: no closing has written anything.
        async with Client(parameters) as other:
            again = await call(other, "status", fight="bgo", token=token)
    assert (again["decision"], again["lines"]) == (seen["decision"], seen["lines"])


async def test_a_token_in_the_environment_is_that_of_a_stdio_server(tmp_path: Path) -> None:
    words = [*COMMAND[1:], "--folder", str(tmp_path / "fights")]
    async with Client(StdioServerParameters(command=COMMAND[0], args=words)) as client:
        new = await call(client, "new_fight", system="bgo", teams=DUEL, by={"red": "seat", "blue": "usual"})
    brings = {**os.environ, "AFFRAY_TOKEN": new["tokens"]["seat squire"]}
    async with Client(StdioServerParameters(command=COMMAND[0], args=words, env=brings)) as client:
        seen = await call(client, "play", fight="bgo", move="attack")
        assert seen["your_fighters"] == ["squire"]


async def test_without_the_extra_it_is_said_how_to_get_it(tmp_path: Path) -> None:
    (tmp_path / "mcp.py").write_text("raise ModuleNotFoundError(\"No module named 'mcp'\", name='mcp')")
    process = await asyncio.create_subprocess_exec(
        *COMMAND, env={**os.environ, "PYTHONPATH": str(tmp_path)}, stderr=asyncio.subprocess.PIPE
    )
    _, said = await process.communicate()
    assert process.returncode == 2
    assert said.decode().strip().endswith("install it with  pip install 'affray[mcp]'")
