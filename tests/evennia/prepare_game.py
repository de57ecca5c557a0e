"""Gives a new game ports of its own, and the tests that run inside it."""

from __future__ import annotations

import socket
import sys
from pathlib import Path


def free_ports(count: int) -> list[int]:
    """Ports that nothing listens on."""
    taken = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [one.getsockname()[1] for one in taken]
    for one in taken:
        one.close()
    return ports


def main() -> None:
    """Prepare the game in this folder; the argument is the folder of these tests."""
    telnet, amp = free_ports(2)
    Path("ingame").symlink_to(Path(sys.argv[1], "ingame"))
    with Path("server/conf/settings.py").open("a", encoding="utf-8") as settings:
        settings.write(
            f"TELNET_PORTS = [{telnet}]\nTELNET_INTERFACES = ['127.0.0.1']\nAMP_PORT = {amp}\n"
            "WEBSERVER_ENABLED = False\nWEBCLIENT_ENABLED = False\n"
        )
    Path("ports").write_text(f"TELNET={telnet}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
