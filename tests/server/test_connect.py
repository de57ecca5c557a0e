"""`affray connect` as a process: through pipes as scripts use it, and at a real terminal as people do."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import threading
import time
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

from affray.terminal import main
from affray.terminal.address import address
from affray.terminal.client.telnet_decoder import TelnetDecoder

SECONDS = 600  # before a test that hangs is a failure
CONNECT = [sys.executable, "-m", "affray", "connect"]
ENVIRONMENT = os.environ | {"NO_COLOR": "1", "COLUMNS": "80", "PYTHONUTF8": "1"}
LOGIN = "Åsa\nsesame\n"


@pytest.fixture(scope="module")
def port() -> Iterator[str]:
    """Where the echo world listens, in a process of its own."""
    world = Path(__file__).with_name("echo_world.py")
    with subprocess.Popen(
        [sys.executable, str(world)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as server:
        assert server.stdout is not None
        assert server.stdin is not None
        yield server.stdout.readline().strip()
        server.stdin.close()


def connect(where: str, typed: str | bytes = "") -> subprocess.CompletedProcess[str]:
    sent = typed if isinstance(typed, bytes) else typed.encode()
    done = subprocess.run(
        [*CONNECT, where], input=sent, capture_output=True, timeout=SECONDS, env=ENVIRONMENT, check=False
    )
    return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())


@pytest.fixture
def canned():
    """A server that sends given bytes to every client, and then closes, or breaks the connection."""
    listening = socket.create_server(("127.0.0.1", 0))
    answered: list[bytes] = []
    serving: list[threading.Thread] = []

    def all_answered() -> bytes:
        for thread in serving:
            thread.join(SECONDS)
        return b"".join(answered)

    def serve(data: bytes, breaks: bool = False) -> str:
        def once() -> None:
            connected, _ = listening.accept()
            with connected:
                connected.sendall(data)
                if breaks:
                    connected.recv(1)
                    connected.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
                    return
                connected.shutdown(socket.SHUT_WR)
                while got := connected.recv(1000):
                    answered.append(got)

        serving.append(threading.Thread(target=once, daemon=True))
        serving[-1].start()
        return f"127.0.0.1:{listening.getsockname()[1]}"

    serve.answered = all_answered
    with listening:
        yield serve


@pytest.mark.parametrize(
    ("text", "means"),
    [
        ("4000", ("127.0.0.1", 4000)),
        ("example.org", ("example.org", 4242)),
        ("example.org:", ("example.org", 4242)),
        ("example.org:1", ("example.org", 1)),
        (":0", ("127.0.0.1", 0)),
        ("[::1]:65535", ("::1", 65535)),
        ("::1", ("::1", 4242)),
    ],
)
def test_addresses(text, means):
    assert address(text) == means
    assert address(str(address(text))) == means


@pytest.mark.parametrize("text", ["65536", "host:x", "host:-1", "[::1]:99999999999", "host:²"])
def test_what_is_no_address_gets_a_sentence(text, capsys):
    code = main(["connect", text])
    assert code == 2
    assert "is not an address such as 127.0.0.1:4242" in capsys.readouterr().err


def test_the_example_has_the_usual_port_of_what_is_asked_for(capsys):
    assert main(["serve", "--web", "99999"]) == 2
    assert "such as 127.0.0.1:8080" in capsys.readouterr().err


def test_lines_go_in_and_text_comes_out(port):
    done = connect(port, LOGIN + "say grüß 日本\nquit\n")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == (
        "Welcome to the echo chamber.\nWho are you?\nName: Password: \nHello, Åsa.\n$ Åsa says: grüß 日本\n$ Goodbye.\n"
    )


def test_it_ends_after_the_last_line_even_without_goodbye(port):
    done = connect(port, LOGIN + "look")
    assert done.returncode == 0
    assert done.stdout.endswith("$ You typed: look\n$ \n")


def test_a_long_script_is_not_too_fast_for_the_server(port):
    done = connect(port, LOGIN + "".join(f"line {number}\n" for number in range(40)) + "quit\n")
    assert done.stdout.count("You typed: line") == 40
    assert "Not so fast" not in done.stdout


def test_a_server_that_closes_first_is_mentioned(canned):
    with subprocess.Popen(
        [*CONNECT, canned(b"We are full.\r\n")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=ENVIRONMENT,
    ) as client:
        assert client.wait(SECONDS) == 0
        assert client.stdout.read() == b"We are full.\n"
        assert client.stderr.read() == b"The server has closed the connection.\n"
        client.stdin.close()


def test_a_broken_connection_is_an_error(canned):
    where = canned(b"Hello\r\n", breaks=True)
    done = connect(where, "x\n")
    assert done.returncode == 1
    assert done.stderr == f"affray: the connection to {where} was lost\n"


def test_nobody_listening_gets_a_sentence():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        where = f"127.0.0.1:{taken.getsockname()[1]}"
    done = connect(where)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == (f"affray: no server listens at {where}: it is not running, or it uses another port\n")


@pytest.mark.parametrize("host", ["nowhere.invalid", "a..b"])
def test_an_unknown_host_gets_a_sentence(host):
    done = connect(f"{host}:4242")
    assert (done.returncode, done.stderr) == (1, f"affray: there is no host called {host!r}\n")


def test_nothing_from_a_server_steers_the_terminal(canned):
    first = b"\x1b[2J\x1b]0;mine\x07red\x1b[31m\xff\xf1 \xff\xfa\x1f\x01\xff\xf0text\x07\x9b\xe2\x80\xae\r\n"
    done = connect(canned(first + b"\xc2\x9b5mend\r\0\r\n"))
    assert done.stdout == "red text\ufffd\nend\n"


def test_offers_are_declined_but_hiding(canned):
    offers = canned(b"\xff\xfb\x03\xff\xfb\x03\xff\xfd\x18\xff\xfb\x01\xff\xfc\x01hello\r\n")
    # While more could be typed: a client whose input has ended answers nothing.
    with subprocess.Popen([*CONNECT, offers], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL) as client:
        sent = canned.answered()
        client.kill()
    assert sent == b"\xff\xf1" + b"\xff\xfe\x03" + b"\xff\xfc\x18" + b"\xff\xfd\x01" + b"\xff\xfe\x01"


def test_what_comes_in_pieces_is_the_same():
    stream = "grüß\r\n\x1b[31m日本\r\n$ ".encode() + b"\xff\xf9\xff\xfb\x01Password: "
    whole, cut = TelnetDecoder(), TelnetDecoder()
    pieces = [piece for byte in stream for piece in cut.feed(bytes((byte,)))]
    assert "".join(piece.text for piece in pieces) == "".join(piece.text for piece in whole.feed(stream))
    assert sum(piece.prompted for piece in pieces) == 1
    assert cut.secret
    assert whole.secret


class Screen:
    """A terminal with the client running in it."""

    def __init__(self, port: str) -> None:
        self.socket = f"affray-test-{uuid.uuid4().hex}"
        script = f"{' '.join(CONNECT)} {port}; echo exit code $?; sleep {SECONDS}"
        kept = {"NO_COLOR": "1", "PYTHONUTF8": "1", "LC_ALL": "C.UTF-8"}
        env = [word for name, value in kept.items() for word in ("-e", f"{name}={value}")]
        self.tmux("-u", "-f", os.devnull, "new-session", "-d", "-x", "80", "-y", "24", *env, script)

    def tmux(self, *words: str) -> str:
        done = subprocess.run(
            ["tmux", "-L", self.socket, *words], capture_output=True, text=True, timeout=SECONDS, check=True
        )
        return done.stdout

    def press(self, *keys: str) -> None:
        self.tmux("send-keys", *keys)

    def until(self, text: str, prompt: str = "") -> str:
        """What the screen shows once it shows the text, and the prompt on its last line."""
        deadline = time.monotonic() + SECONDS
        while time.monotonic() < deadline:
            shown = self.tmux("capture-pane", "-p").rstrip()
            if text in shown and (not prompt or shown.endswith("\n" + prompt)):
                return shown
            time.sleep(0.05)
        raise AssertionError(f"{text!r} never came; the screen shows:\n{self.tmux('capture-pane', '-p')}")

    def close(self) -> None:
        subprocess.run(["tmux", "-L", self.socket, "kill-server"], capture_output=True, timeout=SECONDS, check=False)


@pytest.fixture
def screen(port) -> Iterator[Screen]:
    if shutil.which("tmux") is None:
        pytest.skip("tmux is not installed, and a terminal is needed")
    terminal = Screen(port)
    yield terminal
    terminal.close()


def enter(screen: Screen) -> None:
    screen.until("Name:")
    screen.press("Ann", "Enter")
    screen.until("Password:")
    screen.press("sesame", "Enter")
    screen.until("Hello, Ann.", prompt="$")


def test_a_password_is_neither_shown_nor_remembered(screen):
    enter(screen)
    screen.press("Up", "Up", "Enter")  # the name is the oldest line that comes back
    shown = screen.until("You typed: Ann", prompt="$")
    assert "sesame" not in shown


def test_what_others_say_appears_above_the_line_that_is_being_typed(screen, port):
    enter(screen)
    screen.press("say half a")
    screen.until("$ say half a")
    connect(port, LOGIN + "shout 2 Hear me!\nquit\n")
    shown = screen.until("Hear me!\nHear me!\n$ say half a")
    assert shown.count("$") == 1
    screen.press(" line", "Enter")
    screen.until("Ann says: half a line", prompt="$")


def test_seen_words_are_completed(screen):
    enter(screen)
    screen.press("say Welcome to Rumpelstilzchen", "Enter")
    screen.until("Ann says", prompt="$")
    screen.press("Rump", "Tab", "Enter")
    screen.until("You typed: Rumpelstilzchen", prompt="$")


def test_control_d_says_goodbye(screen):
    enter(screen)
    screen.press("C-d")
    shown = screen.until("exit code 0")
    assert "Goodbye." in shown
    assert "Traceback" not in shown


def test_control_d_at_a_password_just_leaves(screen):
    screen.until("Name:")
    screen.press("Ann", "Enter")
    screen.until("Password:")
    screen.press("C-d")
    shown = screen.until("exit code 0")
    assert "That is not it." not in shown


def test_quitting_ends_the_client(screen):
    enter(screen)
    screen.press("quit", "Enter")
    shown = screen.until("exit code 0")
    assert "Goodbye.\nThe server has closed the connection.\nexit code 0" in shown
