"""Visiting a server at a real terminal: a line to edit below, what comes from the server above it."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import TYPE_CHECKING

from prompt_toolkit import PromptSession
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.filters import Condition
from prompt_toolkit.history import InMemoryHistory
from prompt_toolkit.patch_stdout import patch_stdout
from prompt_toolkit.shortcuts import CompleteStyle

if TYPE_CHECKING:
    from affray.terminal.client.connection import Connection
    from affray.terminal.client.telnet_decoder import Piece

GOODBYE = 5  # seconds for a server to close after a visitor has left
LEAVING = "quit"
KEPT_WORDS = 2000


async def talk(connection: Connection) -> None:
    """Converse until the server closes or Ctrl-D is pressed."""
    talking = Talking(connection)
    with patch_stdout():
        listening = asyncio.create_task(talking.listen())
        typing = asyncio.create_task(talking.type())
        try:
            await asyncio.wait({listening, typing}, return_when=asyncio.FIRST_COMPLETED)
            left = typing.done()
            if left:
                await asyncio.wait({listening}, timeout=GOODBYE)
        finally:
            for task in (typing, listening):
                task.cancel()
            await asyncio.wait({listening, typing})
    for task in (typing, listening):
        if not task.cancelled():
            task.result()
    if not left:
        print("The server has closed the connection.")


class Talking:
    """The screen of a conversation: lines that are whole are printed, the unfinished one is the prompt."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._words = SeenWords()
        self._unfinished = ""
        self._prompted = False
        self._entered_secret = False
        self._session: PromptSession[str] = PromptSession(
            message=lambda: self._unfinished,
            is_password=Condition(self._is_secret),
            history=Discreet(self._is_secret),
            completer=self._words,
            complete_style=CompleteStyle.READLINE_LIKE,
            complete_while_typing=False,
            reserve_space_for_menu=0,
        )

    def _is_secret(self) -> bool:
        return self._connection.decoder.secret

    async def type(self) -> None:
        """Send line after line, until Ctrl-D or Ctrl-C; then say goodbye."""
        with suppress(EOFError, KeyboardInterrupt):
            while True:
                typed = await self._session.prompt_async()
                self._entered_secret = self._is_secret()
                self._unfinished, self._prompted = "", False  # it stays on the screen, before what was typed
                await self._connection.send(typed)
        if not self._is_secret():  # there it would be taken for the password
            await self._connection.send(LEAVING)
        self._connection.end()

    async def listen(self) -> None:
        """Show whatever comes, until the server closes."""
        while pieces := await self._connection.heard():
            for piece in pieces:
                self._show(piece)
            self._session.app.invalidate()
        if self._unfinished and not self._prompted:
            print(self._unfinished)
        self._unfinished = ""

    def _show(self, piece: Piece) -> None:
        text = piece.text
        if text.startswith("\n") and (self._prompted or self._entered_secret):
            # The server makes room below its prompt, or below a hidden line; here the prompt gives way by itself.
            text, self._unfinished = text[1:], ""
        if piece.text:
            self._prompted = self._entered_secret = False
        *whole, self._unfinished = (self._unfinished + text).split("\n")
        for shown in whole:
            print(shown)
            self._words.see(shown)
        self._prompted |= piece.prompted


class Discreet(InMemoryHistory):
    """What was typed in this conversation, but no password. It is kept in memory only."""

    def __init__(self, is_secret: Callable[[], bool]) -> None:
        super().__init__()
        self._is_secret = is_secret

    def append_string(self, string: str) -> None:
        if not self._is_secret():
            super().append_string(string)


class SeenWords(Completer):
    """Completes the word at the cursor by those that came from the server, the latest first."""

    def __init__(self) -> None:
        self._seen: dict[str, None] = {}

    def see(self, text: str) -> None:
        """Remember the words of a line."""
        for word in re.findall(r"\w[\w'-]{2,}", text):
            self._seen.pop(word, None)
            self._seen[word] = None
        while len(self._seen) > KEPT_WORDS:
            del self._seen[next(iter(self._seen))]

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterator[Completion]:
        typed = document.get_word_before_cursor(WORD=True)
        for word in reversed(self._seen):
            if typed and word.casefold().startswith(typed.casefold()):
                yield Completion(word, start_position=-len(typed))
