"""The commands of a world: each with its aliases, who may use it, and its page of help."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from inspect import cleandoc
from typing import Any

from affray.errors import Illegal, unknown
from affray.system.schema import cut
from affray.world.actions.acting import FOR, Action, Who, check_role, has_role
from affray.world.people.visitor import Visitor

Run = Callable[[Visitor, str], Awaitable[None]]
Does = Action[Any, Any] | Who
"""The action that a command is translated into; for one that only shows something, who may use it."""


@dataclass(frozen=True)
class Command:
    """One command: `usage` is how it is written, `page` what `help` shows of it, and `fewest` words must follow it."""

    name: str
    usage: str
    page: str
    run: Callable[[Visitor, Any], Awaitable[None]]
    aliases: tuple[str, ...] = ()
    does: Does = "everybody"
    fewest: int = 0
    most: int | None = None

    @property
    def who(self) -> Who:
        """Who may use it."""
        return self.does.who if isinstance(self.does, Action) else self.does

    @property
    def has_subcommands(self) -> bool:
        """Whether the word that follows has a page of its own."""
        return self.usage.endswith(" ...")

    def full_page(self, *more: str) -> str:
        """The page of help with its heading, and with more paragraphs."""
        page = "\n\n".join([self.usage, self.page, *more])
        also = f"\nAlso: {', '.join(self.aliases)}" if self.aliases else ""
        return f"{page}{also}\nFor: {FOR[self.who]}"


COMMANDS: dict[str, Command] = {}
_ALIASES: dict[str, Command] = {}
MARKS: dict[str, str] = {'"': "say", "'": "say", ":": "pose"}
"""Commands that can be typed as one character before the text."""


def command(usage: str, *aliases: str, does: Does = "everybody") -> Callable[[Run], Run]:
    """Make a function a command: the first word of `usage` is its name, its docstring its page of help."""

    def declare(run: Run) -> Run:
        add(Command(usage.split()[0], usage, cleandoc(run.__doc__ or ""), run, aliases, does))
        return run

    return declare


def add(made: Command) -> None:
    """Let a command be typed from now on."""
    COMMANDS[made.name] = made
    _ALIASES.update(dict.fromkeys((made.name, *made.aliases), made))


def find(word: str) -> Command | None:
    """The command that a word means, in upper or lower case."""
    return _ALIASES.get(word.casefold())


def misused(usage: str, given: str) -> Illegal:
    """The error for a command that is followed by the wrong words."""
    return Illegal(f"the usage is  {usage}", given=given, allowed=[usage])


async def obey(visitor: Visitor, line: str) -> None:
    """Carry out a line."""
    word, _, rest = line.strip().partition(" ")
    if word[:1] in MARKS:
        word, rest = MARKS[word[0]], line.strip()[1:]
    if not word:
        return
    found = find(word)
    if found is None and not rest and visitor.exit_called(word):
        found, rest = COMMANDS["go"], word
    if found is None:
        able = sorted(name for name, known in COMMANDS.items() if has_role(visitor, known.who))
        raise Illegal(f"{unknown('command', word, able)} (help lists them all)", given=cut(word))
    check_role(visitor, found.who, found.name)
    await found.run(visitor, rest.strip())
