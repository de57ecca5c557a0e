"""One connection to a world: the account behind it, where it is, what it types and what it is told."""

from __future__ import annotations

import logging
import unicodedata
from collections.abc import Awaitable, Callable, Container
from typing import TYPE_CHECKING, Literal

from affray.errors import Illegal, Refused
from affray.world.people import login
from affray.world.store.tables import Account, Place, Role

if TYPE_CHECKING:
    from affray.world.world import World

Tell = Callable[[str], None]
Kind = Literal["reply", "news", "call", "said"]
"""Why a visitor is told something: an answer, the news of a combat, their turn, or what goes on in their place."""

PROMPT = "$ "
UNSEEN = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp", "Zs"})
JOINERS = "\u200c\u200d"
"""Invisible characters that are part of words in some scripts."""

STRANGER = Account("", "a visitor", "guest", None, None, None)
"""Stands for the account of a visitor who has not logged in."""

log = logging.getLogger(__name__)


class Visitor:
    """One connection to a world, before and after login."""

    reads_news = True
    """Whether they want the news of their combats as text, and to be called; a page shows the combat itself."""

    def __init__(self, world: World, tell: Tell, address: str) -> None:
        self.world = world
        self.address = address
        self.account = STRANGER
        self.gone = False
        self._tell = tell
        self._question: Callable[[str], Awaitable[None]] | None = None
        self.password: str | None = None
        """The hash of the password with which they have logged in."""
        self.came = 0.0
        """When they have logged in, or changed their password."""

    # --- for the server --------------------------------------------------------------------------------------

    @property
    def prompt(self) -> str:
        """The prompt for their next line."""
        return "Password: " if self.secret else PROMPT

    @property
    def secret(self) -> bool:
        """Whether the next line is a password."""
        return self._question is not None

    @property
    def known(self) -> bool:
        """Whether they have logged in."""
        return self.account is not STRANGER

    async def hear(self, line: str) -> None:
        """Carry out a line. If something is wrong with it, the visitor is told so, and nothing has changed."""
        try:
            await self.obey(line)
        except Refused as problem:
            self.tell(as_message(str(problem), self._names_here()))
        except Exception:
            log.exception("a line could not be obeyed")
            self.tell("Something went wrong in the server, so nothing was changed. The error has been logged.")

    async def obey(self, line: str) -> None:
        """Carry out a line, or raise an error."""
        if not await self.world.people.is_current(self):
            self.tell("Your account has been removed, or its password has changed; please log in again.")
            self.gone = True
        elif self._question is not None:
            question, self._question = self._question, None
            await question(line)
        elif not self.known:
            await login.obey(self, visible(line))
        else:
            await self.world.obey(self, visible(line))

    async def leave(self) -> None:
        """The connection is gone."""
        self.gone = True
        self.world.people.leave(self)

    def _names_here(self) -> set[str]:
        """Names that an error message may begin with, which keep their case."""
        combat = self.world.combats.get(self.account.place or "")
        return {self.name, *(member.name for member in combat.roster)} if combat else {self.name}

    # --- for the world ---------------------------------------------------------------------------------------

    def tell(self, text: str, kind: Kind = "reply") -> None:
        """Show them a message."""
        if not self.gone and text:
            self._tell(text)

    def ask(self, question: Callable[[str], Awaitable[None]]) -> None:
        """Take the next line as a password, for `question`."""
        self._question = question

    @property
    def name(self) -> str:
        """Their name."""
        return self.account.name

    @property
    def key(self) -> str:
        """The key of their account, or of the name that a guest has."""
        return self.account.key

    @property
    def role(self) -> Role:
        """What they may do."""
        return self.account.role

    @property
    def place(self) -> Place | None:
        """Where they are."""
        return self.world.places.get(self.account.place or "")

    def here(self) -> Place:
        """Where they are, which must be somewhere."""
        if self.place is None:
            raise Illegal("you are nowhere; that can only be done in a place")
        return self.place

    def look(self) -> str:
        """The place they are in, its exits, the people and the combat there."""
        place, world = self.place, self.world
        if place is None:
            return "You are nowhere."
        others = sorted(name for key, name in world.people.names_in(place.key).items() if key != self.key)
        lines = [place.name, place.description]
        lines += [f"Ways: {', '.join(place.exits)}"] if place.exits else []
        lines += [f"Here: {', '.join(others)}"] if others else []
        combat = world.combats.get(place.key)
        if combat:
            word = combat.word
            lines.append(f"{word.capitalize()}: {combat.name} ({combat.system.id}); `{word} status` shows it")
        return "\n".join(line for line in lines if line)

    def exit_called(self, word: str) -> str | None:
        """Where a direction leads from here."""
        return self.place.exits.get(word.casefold()) if self.place else None


def visible(line: str) -> str:
    """A line without invisible characters, which could move other visitors' cursors or reverse their text."""
    if line.isascii() and line.isprintable():
        return line
    text = unicodedata.normalize("NFC", line)  # keyboards send the same letter in different ways
    return "".join(" " if unicodedata.category(c) in UNSEEN and c not in JOINERS else c for c in text)


def as_message(problem: str, names: Container[str] = ()) -> str:
    """An error message as a sentence of its own; a list below it stays as it is, and so does a name in front."""
    first = problem.split(" ", 1)[0]
    text = problem[:1].upper() + problem[1:] if first.isalpha() and first not in names else problem
    return text if "\n" in text or text.endswith((".", "!", "?", ")")) else text + "."
