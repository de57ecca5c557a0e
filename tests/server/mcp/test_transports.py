"""`affray mcp` as a process: whole fights of every system over stdio and over HTTP, by clients that speak only MCP."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

from affray.system.registry import names
from benchmarks.models import call, whole_fight

COMMAND = [sys.executable, "-m", "affray", "mcp"]
DUEL = {"red": ["squire"], "blue": ["ranger"]}


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server that runs as a process of its own."""
    port_file = tmp_path_factory.mktemp("served") / "port"
    process = subprocess.Popen([*COMMAND, "--http", "0", "--port-file", str(port_file)], stderr=subprocess.PIPE)
    assert process.stderr is not None
    try:
        while not port_file.exists():
            assert process.poll() is None, process.stderr.read()
            time.sleep(0.05)
        yield f"http://127.0.0.1:{int(port_file.read_text())}/mcp"
    finally:
        process.send_signal(signal.SIGINT)
        process.communicate()


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


async def test_a_whole_fight_of_each_system_over_http(address: str) -> None:
    async with Client(address) as client:
        await play_all(client)


async def test_each_connection_has_the_token_that_it_brings(address: str) -> None:
    async with Client(address) as client:
        new = await call(client, "new_fight", system="bgo", teams=DUEL, by={"red": "seat", "blue": "seat"})
        assert (await call(client, "status", fight=new["fight"]))["you"] == "spectator"
    for seat, fighter in (("seat squire", "squire"), ("seat ranger", "ranger")):
        headers = {"Authorization": f"Bearer {new['tokens'][seat]}"}
        async with (
            httpx2.AsyncClient(headers=headers) as http,
            Client(streamable_http_client(address, http_client=http)) as client,
        ):
            seen = await call(client, "play", fight=new["fight"], move="attack")
            assert seen["your_fighters"] == [fighter]
    assert seen["decision"] == 2


async def test_another_host_name_is_refused(address: str) -> None:
    async with httpx2.AsyncClient() as http:
        for host, expected in (("evil.example", 421), (address.split("/")[2], 400)):
            answer = await http.post(address, json={}, headers={"Host": host, "Accept": "application/json"})
            assert answer.status_code == expected or (expected == 400 and answer.status_code < 421)


async def test_a_killed_stdio_server_has_kept_what_it_told_and_the_next_has_the_token_of_its_environment(
    tmp_path: Path,
) -> None:
    words = [*COMMAND[1:], "--folder", str(tmp_path / "fights")]
    async with Client(StdioServerParameters(command=COMMAND[0], args=words)) as client:
        new = await call(client, "new_fight", system="bgo", teams=DUEL, by={"red": "seat", "blue": "usual"})
        token = new["tokens"]["seat squire"]
        seen = await call(client, "play", fight="bgo", move="attack", token=token)
        # A second process on the same folder, while the first still runs: no closing has written anything.
        brings = {**os.environ, "AFFRAY_TOKEN": token}
        async with Client(StdioServerParameters(command=COMMAND[0], args=words, env=brings)) as other:
            again = await call(other, "status", fight="bgo")
            assert (again["decision"], again["lines"]) == (seen["decision"], seen["lines"])
            assert (await call(other, "play", fight="bgo", move="attack"))["your_fighters"] == ["squire"]


async def test_without_the_extra_it_is_said_how_to_get_it(tmp_path: Path) -> None:
    (tmp_path / "mcp.py").write_text("raise ModuleNotFoundError(\"No module named 'mcp'\", name='mcp')")
    process = await asyncio.create_subprocess_exec(
        *COMMAND, env={**os.environ, "PYTHONPATH": str(tmp_path)}, stderr=asyncio.subprocess.PIPE
    )
    _, said = await process.communicate()
    assert process.returncode == 2
    assert said.decode().strip().endswith("install it with  pip install 'affray[mcp]'")
