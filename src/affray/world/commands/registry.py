"""The commands of a world: each with its aliases, the role it takes, and its page of help."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from inspect import cleandoc
from typing import TYPE_CHECKING

from affray.errors import Forbidden, Illegal, unknown
from affray.system.schema import cut
from affray.world.store.tables import ROLES, Role

if TYPE_CHECKING:
    from affray.world.people.visitor import Visitor

Run = Callable[["Visitor", str], Awaitable[None]]
WHO: dict[Role, str] = {"guest": "everybody", "player": "players and wizards", "wizard": "wizards"}
"""Who may do what takes a role."""


@dataclass(frozen=True)
class Command:
    """One command: `usage` is how it is written, `page` what `help` shows of it."""

    name: str
    usage: str
    page: str
    run: Run
    aliases: tuple[str, ...] = ()
    role: Role = "guest"

    def full_page(self) -> str:
        """The page of help with its heading."""
        also = f"\nAlso: {', '.join(self.aliases)}" if self.aliases else ""
        needs = "" if self.role == "guest" else f"\nFor: {WHO[self.role]}"
        return f"{self.usage}\n\n{self.page}{also}{needs}"


COMMANDS: dict[str, Command] = {}
_ALIASES: dict[str, Command] = {}
MARKS: dict[str, str] = {'"': "say", "'": "say", ":": "pose"}
"""Commands that one character before the text stands for."""


def command(usage: str, *aliases: str, role: Role = "guest") -> Callable[[Run], Run]:
    """Make a function a command: the first word of `usage` is its name, its docstring its page of help."""

    def declare(run: Run) -> Run:
        add(Command(usage.split()[0], usage, cleandoc(run.__doc__ or ""), run, aliases, role))
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
    """Do what a line says."""
    word, _, rest = line.strip().partition(" ")
    if word[:1] in MARKS:
        word, rest = MARKS[word[0]], line.strip()[1:]
    if not word:
        return
    found = find(word)
    if found is None and not rest and visitor.exit_called(word):
        found, rest = COMMANDS["go"], word
    if found is None:
        able = sorted(name for name, known in COMMANDS.items() if may_use(visitor, known.role))
        raise Illegal(f"{unknown('command', word, able)} (help lists them all)", given=cut(word))
    check_role(visitor, found.role, found.name)
    await found.run(visitor, rest.strip())


def may_use(visitor: Visitor, role: Role) -> bool:
    """Whether the visitor may do what takes that role."""
    return ROLES.index(visitor.role) >= ROLES.index(role)


def check_role(visitor: Visitor, role: Role, what: str) -> None:
    """Refuse what takes a role that the visitor does not have."""
    if not may_use(visitor, role):
        raise Forbidden(f"only {WHO[role]} may use {what}, and you are a {visitor.role}", given=what, allowed=[role])
