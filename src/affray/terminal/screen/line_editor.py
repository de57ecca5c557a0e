"""Typing at a real terminal: line editing, completion and history by prompt_toolkit."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path

from prompt_toolkit import PromptSession
from prompt_toolkit.application import get_app
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.history import DummyHistory, FileHistory, History, InMemoryHistory
from prompt_toolkit.input.typeahead import clear_typeahead
from prompt_toolkit.shortcuts import CompleteStyle

from affray.terminal.screen.keyboard import Words, drop_typed_ahead

A_MOMENT = 0.05  # until the question is drawn


def read_line(question: str, words: Words, meanwhile: Callable[[], None] | None = None, remember: bool = True) -> str:
    """A line that was typed from now on. `meanwhile` is called once the question stands on the screen."""

    def start() -> None:
        drop_typed_ahead()
        clear_typeahead(get_app().input)
        if meanwhile is not None and (loop := get_app().loop) is not None:
            loop.call_later(A_MOMENT, meanwhile)

    return _session(remember).prompt(question, completer=Completing(words), pre_run=start)


class Completing(Completer):
    """Completes an answer word by word, or the last member of a list with commas."""

    def __init__(self, words: Words) -> None:
        self.words = words

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterator[Completion]:
        typed = document.text_before_cursor.rpartition(",")[2].lstrip()
        words = self.words() if callable(self.words) else self.words
        for found in dict.fromkeys(next_words(typed, words)):
            yield Completion(found, start_position=-len(typed))


def next_words(typed: str, answers: Sequence[str]) -> Iterator[str]:
    """What was typed with its last word completed by every answer that goes on like it.

    Where none begins like it (a verb has a short form), any word that stands at that place in an answer will do.
    """
    before, last = typed[: typed.rfind(" ") + 1], typed[typed.rfind(" ") + 1 :]
    place = len(before.split())
    same = [answer for answer in answers if answer.lower().startswith(typed.lower())]
    for answer in same or answers:
        words = answer.split()
        if place < len(words) and words[place].lower().startswith(last.lower()) and (same or place):
            yield before + words[place]


class KeptHistory(FileHistory):
    """A history file that is missed, but not mourned, when it cannot be written."""

    def store_string(self, string: str) -> None:
        with suppress(OSError):
            super().store_string(string)


@cache
def _session(remember: bool) -> PromptSession[str]:
    # Completion as in a shell: a menu would keep half of a small screen empty below the question.
    return PromptSession(
        history=_kept_history() if remember else DummyHistory(),
        complete_style=CompleteStyle.READLINE_LIKE,
        complete_while_typing=False,
        reserve_space_for_menu=0,
    )


def _kept_history() -> History:
    try:
        file = state_folder() / "history"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.open("a").close()
    except (OSError, RuntimeError):
        return InMemoryHistory()
    return KeptHistory(str(file))


def state_folder() -> Path:
    """Where what a person typed is kept between two fights."""
    if sys.platform == "win32" and (local := os.environ.get("LOCALAPPDATA")):
        return Path(local) / "affray"
    state = os.environ.get("XDG_STATE_HOME", "")
    return (Path(state) if os.path.isabs(state) else Path.home() / ".local" / "state") / "affray"
