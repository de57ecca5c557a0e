"""Recovery between combats, by the commands that the installed systems have for it."""

from __future__ import annotations

from functools import partial

from affray.system.registry import find, names
from affray.world.actions import accounts
from affray.world.commands import registry
from affray.world.commands.combat.registry import by_system
from affray.world.commands.registry import Command
from affray.world.people.visitor import Visitor


def declare_commands() -> None:
    """Make a command of every word for a recovery that an installed system has, unless it is a command already."""
    words = dict.fromkeys(word for id in names() for word in find(id).recoveries if accounts.recovering(word))
    for word in words:
        if registry.find(word) is None:
            page = ["Recover between combats.", *by_system(word), "Not while you take part in a combat."]
            run = partial(_recover, word)
            registry.add(Command(word, f"{word} [SYSTEM]", "\n\n".join(page), run, does=accounts.recover))


async def _recover(word: str, visitor: Visitor, named: str) -> None:
    await accounts.recover(visitor, word, named)
