"""Adds the two lines of docs/evennia.md to a new game, and gives it ports of its own."""

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


def add_two_lines(file: Path) -> None:
    """What a game has to add."""
    text = file.read_text(encoding="utf-8")
    text = text.replace(
        "from evennia import default_cmds\n",
        "from evennia import default_cmds\nfrom affray.evennia.commands import CombatCmdSet\n",
    )
    before, after = text.split("super().at_cmdset_creation()\n", 1)
    added = "super().at_cmdset_creation()\n        self.add(CombatCmdSet)\n"
    file.write_text(f"{before}{added}{after}", encoding="utf-8")


def main() -> None:
    telnet, amp, *_ = free_ports(2)
    add_two_lines(Path("commands/default_cmdsets.py"))
    Path("ingame").symlink_to(Path(sys.argv[1]) / "ingame")
    with Path("server/conf/settings.py").open("a", encoding="utf-8") as settings:
        settings.write(
            f"TELNET_PORTS = [{telnet}]\nTELNET_INTERFACES = ['127.0.0.1']\nAMP_PORT = {amp}\n"
            "WEBSERVER_ENABLED = False\nWEBCLIENT_ENABLED = False\n"
            "FILE_HELP_ENTRY_MODULES = ['world.help_entries', 'affray.evennia.help_entries']\n"
            "PROTOTYPE_MODULES = ['world.prototypes', 'affray.evennia.prototypes']\n"
        )
    Path("ports").write_text(f"TELNET={telnet}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
