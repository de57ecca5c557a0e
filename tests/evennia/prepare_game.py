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


IMPORTS, ADDS = "from affray.evennia.commands import CombatCmdSet", "self.add(CombatCmdSet)"


def add_two_lines(file: Path, page: str) -> None:
    """What a game has to add, as the documentation says."""
    assert IMPORTS in page
    assert ADDS in page
    text = file.read_text(encoding="utf-8")
    text = text.replace("from evennia import default_cmds\n", f"from evennia import default_cmds\n{IMPORTS}\n")
    before, after = text.split("super().at_cmdset_creation()\n", 1)
    file.write_text(f"{before}super().at_cmdset_creation()\n        {ADDS}\n{after}", encoding="utf-8")


def main() -> None:
    """Prepare the game in this folder; the argument is the folder of these tests."""
    telnet, amp, *_ = free_ports(2)
    here = Path(sys.argv[1])
    page = (here.parents[1] / "docs" / "evennia.md").read_text(encoding="utf-8")
    add_two_lines(Path("commands/default_cmdsets.py"), page)
    Path("ingame").symlink_to(here / "ingame")
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
