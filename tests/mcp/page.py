"""Carries out the commands, the settings and the program of docs/mcp.md. Run by `tests/mcp/run`."""

from __future__ import annotations

import asyncio
import json
import re
import subprocess
import sys
import time
from doctest import ELLIPSIS, OutputChecker
from pathlib import Path

from mcp import Client, StdioServerParameters

BLOCK = re.compile(r"^```(\w+)\n(.*?)^```", re.DOTALL | re.MULTILINE)


async def tools_of(settings: str) -> list[str]:
    """The tools of the server that the settings of an assistant name."""
    (server,) = json.loads(settings)["mcpServers"].values()
    async with Client(StdioServerParameters(**server)) as client:
        return [tool.name for tool in (await client.list_tools()).tools]


def ran(command: str) -> str:
    """What a command prints, which must end well."""
    return subprocess.run(["bash", "-c", command], check=True, stdout=subprocess.PIPE, text=True).stdout


def serves(command: str) -> None:
    """Let a server begin that the page starts, on a port that is free, and end it."""
    words = [word.replace("8090", "0") for word in command.split("  ")[0].split()]
    if words[-1] == "--http":
        words.append("0")
    port = Path("port")
    server = subprocess.Popen([*words, "--port-file", str(port)], stderr=subprocess.DEVNULL)
    while not port.exists():
        assert server.poll() is None, command
        time.sleep(0.1)
    server.terminate()
    server.wait()
    port.unlink()


def main() -> None:
    """Carry out the page."""
    blocks = BLOCK.findall(Path(sys.argv[1]).read_text(encoding="utf-8"))
    settings = next(text for language, text in blocks if language == "json")
    assert "new_fight" in asyncio.run(tools_of(settings))
    programs = [text for language, text in blocks if language == "python"]
    for number, program in enumerate(programs):
        Path(f"program{number}.py").write_text(program, encoding="utf-8")
        ran(f"python program{number}.py")
    for language, text in blocks:
        command, _, shown = text.removeprefix("$ ").partition("\n")
        if language == "console" and not command.startswith("pip"):
            printed = ran(command)
            assert OutputChecker().check_output(shown, printed, ELLIPSIS), printed
        if language == "text" and text.startswith("affray mcp"):
            for line in text.splitlines():
                serves(line)
    print(f"docs/mcp.md: the settings, {len(programs)} programs and all commands do what the page says.")


if __name__ == "__main__":
    main()
