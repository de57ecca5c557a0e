"""Fair dice over the wire: promised before the first throw, told after the last, and checked by any reader."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from affray.fight.saving import seal

SECONDS = 600  # before a test that hangs is a failure
AFFRAY = [sys.executable, str(Path(__file__).parents[1] / "quick_server.py")]
ENVIRONMENT = os.environ | {"NO_COLOR": "1", "COLUMNS": "200", "PYTHONUTF8": "1"}
UNLIMITED = ("--limit-burst", "1000000", "--limit-rate", "1000000")
ATTRIBUTES = {
    "skill4[STRING]": "ac",
    "skill3[STRING]": "co",
    "skill2[STRING]": "en",
    "apMaxSize[INTEGER]": 10,
    "ad[INTEGER]": 5,
    "sd[INTEGER]": 0,
    "defense[INTEGER]": 2,
    "maxWounds[INTEGER]": 3,
}
OVER = "COMBAT IS OVER!"


class Hall:
    """A server process that can be killed and started again on its world."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.process: subprocess.Popen[bytes] | None = None

    def open(self) -> None:
        noted = self.folder / "port"
        noted.unlink(missing_ok=True)
        words = (
            "serve",
            "--no-web",
            "--telnet",
            "0",
            "--store",
            str(self.folder / "world.db"),
            "--port-file",
            str(noted),
        )
        self.process = subprocess.Popen([*AFFRAY, *words, *UNLIMITED], env=ENVIRONMENT, stdout=subprocess.DEVNULL)
        deadline = time.monotonic() + SECONDS
        while not noted.exists():
            assert self.process.poll() is None
            assert time.monotonic() < deadline
            time.sleep(0.02)
        self.port = int(noted.read_text())

    def kill(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait()


class Person:
    """A player who is connected, and everything that has ever been shown to them."""

    def __init__(self, hall: Hall, door: str) -> None:
        self.hall = hall
        self.shown = ""
        self._asked = 0
        self.come(door)

    def come(self, door: str) -> None:
        self._socket = socket.create_connection(("127.0.0.1", self.hall.port), timeout=SECONDS)
        self.say(door)

    def say(self, line: str) -> str:
        """What is shown until the server has dealt with a line; a word that it cannot know marks the place."""
        self._asked += 1
        begun, mark = len(self.shown), f"'#{self._asked}'"
        self._socket.sendall(f"{line}\r\n{mark[1:-1]}\r\n".encode())
        while mark not in self.shown[begun:]:
            data = self._socket.recv(65536)
            assert data, self.shown[begun:]
            self.shown += data.decode().replace("\r\n", "\n")
        return self.shown[begun:]

    def log(self, command: str) -> dict[str, Any]:
        said = self.say(command)
        table: dict[str, Any] = json.loads(said[said.index('{"format"') : said.rindex("}") + 1])
        return table

    def leave(self) -> None:
        self._socket.close()


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[Hall]:
    hall = Hall(tmp_path)
    hall.open()
    yield hall
    hall.kill()


def verify(path: Path, table: dict[str, Any]) -> subprocess.CompletedProcess[str]:
    """What `affray verify` says of a log that was written to a file."""
    path.write_text(json.dumps(table), encoding="utf-8")
    return subprocess.run(
        [*AFFRAY, "verify", str(path)], capture_output=True, text=True, timeout=SECONDS, env=ENVIRONMENT, check=False
    )


def begin(ann: Person) -> str:
    """Start a combat of Ann against a troll; returns the promise about the dice."""
    for name, value in ATTRIBUTES.items():
        ann.say(f"set_attr me grapple_{name}={value}")
    ann.say("combat init brawl")
    ann.say("combat add me heroes")
    ann.say("combat add_npc Troll ac:co:en:8:2:3:4:1 monsters")
    said = ann.say("combat start")  # the order of the teams is drawn by the dice
    (promise,) = re.findall(r"SHA-256 of their secret is\s+([0-9a-f]{64})", said)
    return str(promise)


def move_on(ann: Person, moves: int) -> bool:
    """Move for both; whether it is over."""
    for _ in range(moves):
        status = ann.say("combat status")
        if OVER in status:
            return True
        row = re.search(r"^(Ann|Troll) <- .*?(\d+)/\d+\s+(\d+)", status, re.MULTILINE)
        assert row is not None, status
        who, ad, sd = row[1], int(row[2]), int(row[3])
        words = f"strike {min(sd, 6)} {'Ann' if who == 'Troll' else 'Troll'}" if sd >= 3 else "catch breath"
        words = f"maneuver {min(ad, 3)} co" if sd < 3 and ad else words
        assert f"+ {who} moves: " in ann.say(f"combat move{'_npc Troll' if who == 'Troll' else ''} {words}")
    return False


def still_secret(reader: Person, path: Path, promise: str, command: str = "combat log file") -> None:
    """What can be read of a fight keeps the secret, stands by the promise, and can be verified but for the dice."""
    table = reader.log(command)
    assert table["dice"] == {"source": "fair", "commitment": promise}
    done = verify(path, table)
    assert done.returncode == 0, done.stderr
    assert "the secret is published at the end" in " ".join(done.stdout.split())


def test_the_secret_fits_the_promise_and_nobody_sees_it_before_the_end(hall, tmp_path):
    ann, bob = Person(hall, "create Ann open-sesame"), Person(hall, "create Bob open-sesame")
    guest = Person(hall, "guest")
    promise = begin(ann)
    bob.say("combat watch")
    guest.say("combat watch")
    path = tmp_path / "fight.json"
    move_on(ann, 3)
    still_secret(ann, path, promise)
    assert "Combat saved" in ann.say("combat save")
    move_on(ann, 2)
    assert "is taken back" in ann.say("combat undo")
    still_secret(ann, path, promise)
    assert "Combat restored" in ann.say("combat restore")
    still_secret(ann, path, promise)
    hall.kill()
    hall.open()
    for person, door in ((ann, "connect Ann open-sesame"), (bob, "connect Bob open-sesame"), (guest, "guest")):
        person.leave()
        person.come(door)
        person.say("combat watch")
    assert move_on(ann, 500)
    still_secret(ann, path, promise)
    still_secret(bob, path, promise, "combat log 1 file")
    assert "is taken back" in ann.say("combat undo")
    still_secret(bob, path, promise)
    assert move_on(ann, 500)
    for person in (ann, bob, guest):
        for line in ("combat status", "combat log", "combat log all", "combat log 1", "look", "get_attr me"):
            person.say(line)
    before = ann.shown + bob.shown + guest.shown
    said = ann.say("combat end")
    (told,) = re.findall(r"secret of the dice:\s+([0-9a-f]{64})", said)
    secret = bytes.fromhex(told)
    assert hashlib.sha256(secret).hexdigest() == promise
    for form in (told, base64.b64encode(secret).decode(), base64.urlsafe_b64encode(secret).decode(), repr(secret)):
        assert form.casefold() not in before.casefold()
    bob.say("look")
    assert told in bob.shown
    table = bob.log("combat log 1 file")
    assert table["dice"] == {"source": "fair", "commitment": promise, "secret": told}
    done = verify(path, table)
    assert done.returncode == 0, done.stderr
    assert "all results follow from the secret, and the secret matches its commitment" in " ".join(done.stdout.split())
    assert "The fight ended:" in done.stdout


def turn_a_die(table: dict[str, Any]) -> None:
    fell = next(answer["fell"] for answer in table["answers"] if answer["fell"])
    fell[0][1] = 4 if fell[0][1] == 3 else 3


def turn_a_die_of_the_opening(table: dict[str, Any]) -> None:
    (_, drawn, *_), *_ = table["opening"]
    table["opening"][0][1] = 3 - drawn


def change_a_move(table: dict[str, Any]) -> None:
    answer = next(answer for answer in table["answers"] if answer["move"].startswith("maneuver"))
    answer["move"] = "catch breath"


def leave_out_a_move(table: dict[str, Any]) -> None:
    del table["answers"][0]


def change_the_secret(table: dict[str, Any]) -> None:
    table["dice"]["secret"] = hashlib.sha256(b"another").hexdigest()


def change_secret_and_promise(table: dict[str, Any]) -> None:
    change_the_secret(table)
    table["dice"]["commitment"] = hashlib.sha256(bytes.fromhex(table["dice"]["secret"])).hexdigest()


def change_the_ending(table: dict[str, Any]) -> None:
    table["ending"] = "heroes" if table["ending"] == "monsters" else "monsters"


def test_whatever_is_altered_in_a_log_is_found_out(hall, tmp_path):
    ann = Person(hall, "create Ann open-sesame")
    begin(ann)
    move_on(ann, 3)
    ann.say("combat save")
    move_on(ann, 1)
    ann.say("combat restore")
    move_on(ann, 1)
    ann.say("combat undo")
    assert move_on(ann, 500)
    assert "+ Combat has ended." in ann.say("combat end")
    log = ann.log("combat log 1 file")
    path = tmp_path / "fight.json"
    assert verify(path, log).returncode == 0
    alterations = (
        turn_a_die,
        turn_a_die_of_the_opening,
        change_a_move,
        leave_out_a_move,
        change_the_secret,
        change_secret_and_promise,
        change_the_ending,
    )
    for alter in alterations:
        for sealed_anew in (False, True):
            altered = json.loads(json.dumps(log))
            alter(altered)
            assert altered != log
            if sealed_anew:
                altered["seal"] = seal(altered)
            done = verify(path, altered)
            assert done.returncode == 2, (alter.__name__, sealed_anew, done.stdout)
            assert done.stderr.startswith("affray: ")
            assert "Traceback" not in done.stderr
            assert ("seal does not match" in done.stderr) is not sealed_anew
