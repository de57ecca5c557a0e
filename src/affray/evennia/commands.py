"""The commands to fight with: every command of a world that is about fights, as a command of Evennia."""

from __future__ import annotations

from collections.abc import Coroutine
from typing import Any, cast

from evennia.commands.cmdset import CmdSet
from evennia.commands.default.muxcommand import MuxCommand

from affray.evennia.hall import hall, obey
from affray.world.actions import accounts
from affray.world.commands import adventures, recovery
from affray.world.commands.combat import registry
from affray.world.commands.registry import COMMANDS, Command

ATTRIBUTES = ("set_attr", "get_attr", "unset_attr")
NOT_HERE = ("fork",)
"""Subcommands that need tables of their own, which a game of others does not have."""

for _name in NOT_HERE:
    registry.SUBCOMMANDS.pop(_name, None)


class FightingCommand(MuxCommand):
    """A command of a world, typed by a character."""

    locks = "cmd:all()"
    help_category = "Combat"
    of: Command

    def func(self) -> None:
        """Carry it out."""
        character: Any = self.caller
        if not hasattr(character, "sessions") or not hasattr(character, "location"):
            character.msg("Only a character can fight.")
            return
        player = hall().people.player(character)
        obey(player, cast(Coroutine[Any, Any, None], self.of.run(player, self.raw_words.strip())))

    def parse(self) -> None:
        """Take the words as they are typed."""
        self.raw_words: str = self.args
        super().parse()

    def get_help(self, caller: Any, cmdset: Any) -> str:
        """The page of the command; `help combat` also has those of all its subcommands."""
        pages = [self.of.full_page()]
        if self.of.name == "combat":
            pages += [registry.page_of(name) for name in sorted(registry.SUBCOMMANDS)]
        return "\n\n".join(pages).replace("|", "||")


def _made(command: Command) -> type[FightingCommand]:
    about = {"key": command.name, "aliases": list(command.aliases), "of": command, "__doc__": command.page}
    return type(f"Cmd{command.name.title()}", (FightingCommand,), about)


def words() -> list[Command]:
    """The commands about fights: `combat`, attributes, what systems bring to recover, and their games."""
    recovery.declare_commands()
    adventures.declare_commands()
    return [
        command
        for command in COMMANDS.values()
        if command.name in ATTRIBUTES or command.does is accounts.recover or command.has_subcommands
    ]


class CombatCmdSet(CmdSet):
    """All words to fight with; a game adds it to the set of its characters."""

    key = "AffrayCombat"

    def at_cmdset_creation(self) -> None:
        """Add the commands."""
        for command in words():
            self.add(_made(command)())
