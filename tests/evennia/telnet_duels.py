"""Two telnet clients fight a whole fight of each system on a real Evennia server, which is killed in between.

Run by `tests/evennia/run` in the folder of a game, with the Python of an environment that has Evennia.
"""

from __future__ import annotations

import json
import os
import random
import re
import signal
import socket
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import page

from affray.fight import Fight, verifying
from affray.system.registry import find, names
from affray.terminal.client.telnet_decoder import TelnetDecoder
from affray.world.actions.creation import read_log

PATIENCE = 120.0  # seconds until a server that does not answer is a failure
PASSWORD = "open-sesame-42"
SILENCE = 20.0  # seconds after which a line is typed again
GRAPPLE = {"skill4[STRING]": "Accuracy", "skill3[STRING]": "Courage", "skill2[STRING]": "Endurance"}
GRAPPLE |= {"apMaxSize[INTEGER]": "10", "ad[INTEGER]": "6", "sd[INTEGER]": "0"}
GRAPPLE |= {"defense[INTEGER]": "3", "maxWounds[INTEGER]": "3"}


class Telnet:
    """A player at a telnet client."""

    def __init__(self, port: int, name: str) -> None:
        self.name, self._asked, self._heard, self._last = name, 0, "", ""
        self._decoder = TelnetDecoder()
        until = time.monotonic() + PATIENCE
        while True:
            try:
                self._socket = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
                break
            except OSError:
                assert time.monotonic() < until, "no server listens"
                time.sleep(0.2)

    def enter(self, word: str) -> None:
        """Make an account or log in to it, and be in the game.

        What is typed before the server is ready is lost.
        """
        create, agree, connect = self.entering
        is_made, is_in, until = word != "create", False, time.monotonic() + 5 * PATIENCE
        while not is_in:
            assert time.monotonic() < until, f"{self.name} cannot come in: {self._heard!r}"
            if not is_made:
                is_made = self._gets(create, r"intended\?|Y/N|already an account")
                is_made = is_made and ("already" in self._last or self._gets(agree, "was created"))
                continue
            is_in = self._gets(connect, f"You become {self.name}")

    @property
    def entering(self) -> list[str]:
        """What a newcomer types to be in the game."""
        return [f"create {self.name} {PASSWORD}", "y", f"connect {self.name} {PASSWORD}"]

    def _gets(self, line: str, wanted: str) -> bool:
        """Type a line; whether the server answers as is wanted, and does not stay silent."""
        self._send(line)
        try:
            self.hear(wanted, SILENCE)
        except TimeoutError:
            return False
        return True

    def type(self, line: str) -> str:
        """Type a line; what was told until the server had answered it."""
        self._asked += 1
        mark = f"mark{self.name}{self._asked}"
        self._send(line)
        self._send(f"combat {mark}")
        return self.hear(rf"There is no combat command '{mark}'[^\n]*\n")

    def hear(self, wanted: str, seconds: float | None = None) -> str:
        """Listen until something is told; what was told before that."""
        until = time.monotonic() + (seconds or PATIENCE)
        while not (found := re.search(wanted, self._heard, re.IGNORECASE)):
            left = until - time.monotonic()
            if left <= 0:
                raise TimeoutError(f"{wanted!r} was not heard, but {self._heard!r}")
            self._socket.settimeout(left)
            piece = self._socket.recv(65536)
            assert piece, "the server has closed the connection"
            self._heard += "".join(told.text for told in self._decoder.feed(piece))
        said, self._last, self._heard = self._heard[: found.start()], found[0], self._heard[found.end() :]
        return said

    def _send(self, line: str) -> None:
        self._socket.sendall(line.encode() + b"\r\n")

    def close(self) -> None:
        """Hang up."""
        self._socket.close()


def start() -> None:
    """Start the server; a busy machine may need more than one attempt."""
    command = [str(Path(sys.executable).with_name("evennia")), "start"]
    until = time.monotonic() + 5 * PATIENCE
    while not Path("server", "server.pid").exists():
        assert time.monotonic() < until, "the server does not start; its folder `server/logs` may say why"
        with suppress(subprocess.TimeoutExpired):
            # Not into a pipe, which the server would keep open.
            subprocess.run(
                command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                timeout=PATIENCE,
                check=False,
            )


def await_setup() -> None:
    """Wait until the server has set up its new game, after which it restarts itself once and logs everyone out."""
    until = time.monotonic() + 5 * PATIENCE
    while "successfully restarted" not in Path("server", "logs", "server.log").read_text(encoding="utf-8"):
        assert time.monotonic() < until, "the server does not finish setting up its game"
        time.sleep(0.2)


def kill() -> None:
    """Kill the server and its portal as the power would: without a warning."""
    for name in ("server", "portal"):
        file = Path("server", f"{name}.pid")
        if not file.exists():
            continue
        number = int(file.read_text())
        os.kill(number, signal.SIGKILL)
        while _lives(number):
            time.sleep(0.05)
        file.unlink()


def _lives(number: int) -> bool:
    try:
        return Path(f"/proc/{number}/stat").read_text().split(") ")[1][0] != "Z"
    except OSError:
        return False


def log_of(player: Telnet, number: str = "") -> dict[str, object]:
    """The log that everyone may have."""
    said = player.type(f"combat log {number} file".replace("  ", " "))
    found = re.search(r"^\{.*\}$", said, re.MULTILINE)
    assert found, said
    table: dict[str, object] = json.loads(found[0])
    return table


def set_up(players: dict[str, Telnet], system: str) -> None:
    """A duel with sheets of the house, on two teams."""
    first, _ = players.values()
    assert "Created combat" in (said := first.type(f"combat init duel {system}")), said
    for (team, player), specs in zip(players.items(), find(system).demonstration.values(), strict=False):
        written = {f"grapple_{name}": value for name, value in GRAPPLE.items()}
        for name, value in (written if system == "grapple" else {f"{system}_sheet[STRING]": specs[0]}).items():
            player.type(f"set_attr me {name}={value}")
        assert "is added to team" in (said := player.type(f"combat add me {team}")), said
    assert "SHA-256" in (said := first.type("combat start red blue")), said


def move_all(players: dict[str, Telnet], fight: Fight, chance: random.Random) -> int:
    """Let everyone who has to decide do so, in secret where that is how it is done."""
    due = fight.to_act
    for fighter in due:
        player = players[fight.team_of[fighter]]
        said = player.type(f"combat move {chance.choice(fight.legal(fighter))}")
        assert "+ " in said or "stays secret" in said, said
    return len(due)


def whole_fight(players: dict[str, Telnet], system: str, port: int, *, killed_after: int) -> tuple[int, bool]:
    """Fight a duel; returns how many moves it took, and whether the server was killed in it."""
    set_up(players, system)
    chance, moves, was_killed = random.Random(system), 0, False
    while not (fight := read_log(table := log_of(players["red"]))).over:
        if moves >= killed_after and not was_killed:
            kill()
            start()
            for team, player in list(players.items()):
                player.close()
                players[team] = Telnet(port, player.name)
                players[team].enter("connect")
            again = log_of(players["red"])
            assert again == table, "the fight is not where it stood"
            was_killed = True
        moves += move_all(players, fight, chance)
    number = re.search(r"combat log (\d+) file", players["red"].type("combat end"))
    assert number
    content = json.dumps(log_of(players["blue"], number[1])).encode()
    found = verifying.verify(content).text
    assert "all results follow from the secret" in found[0], found
    return moves, was_killed


def documented_start() -> None:
    """Start the server as docs/evennia.md does."""
    shell("evennia migrate")
    start()
    await_setup()


def shell(begins: str) -> None:
    """Carry out the block of the page that begins with some words."""
    with suppress(subprocess.TimeoutExpired):  # on a busy machine, which `start` knows
        # Not into a pipe, which the server would keep open.
        subprocess.run(
            ["bash", "-e", "-c", page.block(begins)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=PATIENCE,
            check=False,
        )


def documented_fight(player: Telnet) -> None:
    """Type what docs/evennia.md tells a newcomer to type, and load the game again in the middle of the fight."""
    lines = page.block("create Ann").splitlines()
    assert lines[:3] == player.entering
    player.enter("create")
    said = [player.type(line) for line in lines[3:]]
    assert "Created combat duel" in said[1], said
    assert "Ann attacks." in said[-1], said
    before = log_of(player)
    page.edit("server/conf/settings.py")
    page.edit("typeclasses/characters.py")
    shell("evennia reload")
    player.hear("Server restarted")
    assert log_of(player) == before, "the fight is not where it stood"
    assert "now moves by itself: expert" in player.type("combat auto slime expert")
    moved = r"slime (attacks|defends)"
    if not re.search(moved, player.type("combat move attack"), re.IGNORECASE):  # it may have chosen before the player
        player.hear(moved)  # thought of in a process of the server
    assert "has ended" in player.type("combat end")


def documented_room(superuser: Telnet) -> None:
    """Read the page's help entry, and spar in the room that the page spawns."""
    superuser.enter("connect")
    told, spawned, _, sparring, moved = (superuser.type(line) for line in page.block("help fighting").splitlines())
    assert find("bgo").title in told, told
    assert "Spawned the training ring" in spawned, spawned
    assert "Combat has started" in sparring, sparring
    assert "+ " in moved or "stays secret" in moved, moved
    superuser.type("combat end")
    superuser.close()


def main() -> None:
    """Fight on a server that is started here."""
    port = int(sys.argv[1])
    documented_start()
    try:
        ann = Telnet(port, "Ann")
        documented_fight(ann)
        documented_room(Telnet(port, "god"))
        bob = Telnet(port, "Bob")
        bob.enter("create")
        assert "bgo_sheet[STRING]=player" in (said := bob.type("get_attr me")), said
        players = {"red": ann, "blue": bob}
        for system in names():
            begun = time.monotonic()
            moves, was_killed = whole_fight(players, system, port, killed_after=1)
            also = ", the server killed in between" if was_killed else ""
            print(f"{system}: {moves} moves over telnet{also}, {time.monotonic() - begun:.0f} s", flush=True)
    finally:
        kill()


if __name__ == "__main__":
    main()
