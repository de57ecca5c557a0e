"""A small world for the servers' tests: a name, a password, and everybody hears what each visitor says.

As a program it serves itself by telnet, for those tests that need another process: it prints its port.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable

from affray.server.limits import Limits
from affray.server.telnet.server import TelnetServer

GREETING = "Welcome to the echo chamber.\nWho are you?"


class EchoVisitor:
    """Answers `say TEXT`, `shout N TEXT`, `fail`, `wait`, `quit`; anything else comes back."""

    def __init__(self, world: EchoWorld, tell: Callable[[str], None], address: str) -> None:
        self.world = world
        self.tell = tell
        self.address = address
        self.name = ""
        self.known = self.secret = self.gone = False
        self.prompt = "Name: "
        self.heard: list[str] = []

    async def hear(self, line: str) -> None:
        self.heard.append(line)
        if not self.name:
            self.name, self.prompt, self.secret = line, "Password: ", True
        elif not self.known:
            self.prompt, self.secret, self.known = "$ ", False, line == "sesame"
            if not self.known:
                self.name, self.prompt = "", "Name: "
            self.tell(f"Hello, {self.name}." if self.known else "That is not it.")
        else:
            await self.command(*line.partition(" ")[::2])

    async def command(self, word: str, rest: str) -> None:
        match word:
            case "say":
                self.world.tell_all(f"{self.name} says: {rest}")
            case "shout":
                times, _, text = rest.partition(" ")
                for _ in range(int(times)):
                    self.world.tell_all(text)
            case "fail":
                raise ZeroDivisionError("as asked")
            case "wait":
                await self.world.gate.wait()
                self.tell("waited")
            case "quit":
                self.tell("Goodbye.")
                self.gone = True
            case _:
                self.tell(f"You typed: {word} {rest}".rstrip())

    async def leave(self) -> None:
        self.world.visitors.remove(self)
        self.world.left.append(self)


class EchoWorld:
    greeting = GREETING

    def __init__(self) -> None:
        self.visitors: list[EchoVisitor] = []
        self.left: list[EchoVisitor] = []
        self.gate = asyncio.Event()

    def arrive(self, tell: Callable[[str], None], address: str) -> EchoVisitor:
        self.visitors.append(EchoVisitor(self, tell, address))
        return self.visitors[-1]

    def tell_all(self, text: str) -> None:
        for visitor in list(self.visitors):
            visitor.tell(text)


async def main() -> None:
    server = await TelnetServer.open(EchoWorld(), port=0, limits=Limits(per_address=500))
    print(server.port, flush=True)
    await asyncio.to_thread(sys.stdin.read)  # until the test closes it
    await server.close()


if __name__ == "__main__":
    asyncio.run(main())
