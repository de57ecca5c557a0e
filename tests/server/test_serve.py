"""`affray serve` as a process: with its real world, visited and then told to end."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import fields
from pathlib import Path

import pytest

from affray.server.limits import Limits
from affray.terminal import main
from affray.world.process import WorkingProcess

SECONDS = 600  # before a test that hangs is a failure
AFFRAY = [sys.executable, "-m", "affray"]
ENVIRONMENT = os.environ | {"NO_COLOR": "1", "COLUMNS": "80", "PYTHONUTF8": "1"}

Serving = tuple["subprocess.Popen[str]", int]


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Callable[..., Serving]]:
    """`serve("--limit-line", "50")`: the process and its port. The world is in a folder of the test's own."""
    started = []

    def start(*options: str) -> Serving:
        noted = tmp_path / "port"
        server = subprocess.Popen(
            [*AFFRAY, "serve", "--no-web", "--telnet", "0", "--port-file", str(noted), *options],
            cwd=tmp_path,
            env=ENVIRONMENT,
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        started.append(server)
        deadline = time.monotonic() + SECONDS
        while not noted.exists():
            assert server.poll() is None, server.communicate()
            assert time.monotonic() < deadline
            time.sleep(0.05)
        return server, int(noted.read_text())

    yield start
    for server in started:
        server.kill()
        server.communicate()


def until(connected: socket.socket, end: bytes) -> bytes:
    data = b""
    while not data.endswith(end):
        got = connected.recv(4096)
        assert got, data
        data += got
    return data


def call(port: int) -> socket.socket:
    connected = socket.create_connection(("127.0.0.1", port), timeout=SECONDS)
    until(connected, b"$ ")
    return connected


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_closes_the_world_in_order(serve, number, tmp_path):
    server, port = serve()
    with call(port) as stranger, call(port) as guest:
        guest.sendall(b"guest\r\n")
        until(guest, b"$ ")
        server.send_signal(number)
        farewell = b"The server is shutting down. Everything is saved; come back later.\r\n"
        until(stranger, farewell)
        until(guest, farewell)
        assert stranger.recv(1) == guest.recv(1) == b""
    out, err = server.communicate(timeout=SECONDS)
    assert (server.returncode, err) == (0, "")
    assert f"The world is open at 127.0.0.1:{port}." in out
    assert f"affray connect 127.0.0.1:{port}  or  telnet 127.0.0.1 {port}" in out
    assert out.endswith("The world is closed.\n")
    assert not (tmp_path / "port").exists()


def test_ctrl_c_pressed_again_and_again_closes_the_world_once(serve):
    server, port = serve("--web", "0")
    with call(port):
        for _ in range(3):
            server.send_signal(signal.SIGINT)
        out, err = server.communicate(timeout=SECONDS)
    assert (server.returncode, err) == (0, "")
    assert out.endswith("The world is closed.\n")


def test_ctrl_c_is_for_the_server_and_never_breaks_into_the_start_of_a_process_that_works_for_it():
    with WorkingProcess() as process:
        blocked = process.submit(signal.pthread_sigmask, signal.SIG_BLOCK, ()).result()
    assert signal.SIGINT in blocked
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, ())


def test_an_account_is_there_again_after_a_restart(serve):
    server, port = serve()
    with call(port) as connected:
        connected.sendall("create Åsa\r\n".encode())
        until(connected, b"Password: ")
        connected.sendall(b"open sesame, please\r\n")
        until(connected, b"$ ")
    server.terminate()
    server.communicate(timeout=SECONDS)
    server, port = serve()
    done = subprocess.run(
        [*AFFRAY, "connect", str(port)],
        input="connect Åsa\nopen sesame, please\nwho\nquit\n",
        capture_output=True,
        text=True,
        timeout=SECONDS,
        env=ENVIRONMENT,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "Åsa" in done.stdout.partition("Password: ")[2]


def test_limits_can_be_set(serve):
    _, port = serve("--limit-line", "50", "--limit-per-address", "1")
    with call(port) as connected:
        connected.sendall(b"x" * 51 + b"\r\n")
        assert b"up to 50 characters" in until(connected, b"$ ")
        with socket.create_connection(("127.0.0.1", port), timeout=SECONDS) as second:
            until(second, b"Your address already has all its 1 connections. Close one first.\r\n")


def test_every_limit_has_its_option(capsys):
    assert main(["serve", "--help"]) == 0
    help = capsys.readouterr().out
    for field in fields(Limits):
        assert f"--limit-{field.name.replace('_', '-')} " in help
        assert f"default {field.default})" in " ".join(help.split())


def test_a_port_that_is_taken_gets_a_sentence(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert main(["serve", "--no-web", "--telnet", str(port)]) == 2
    assert f"affray: cannot listen on 127.0.0.1:{port}: " in capsys.readouterr().err


def test_without_the_server_extra_it_is_said_how_to_get_it(tmp_path):
    code = "import sys\nsys.modules['argon2'] = None\nfrom affray.terminal import main\nsys.exit(main(['serve']))"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, timeout=SECONDS, check=False
    )
    assert done.returncode == 2
    assert "pip install 'affray[server]'" in done.stderr
    assert "Traceback" not in done.stderr
