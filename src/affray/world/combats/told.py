"""What is told of a command: to the visitor who gave it, and to everyone in the combat."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from affray.world.combats.combat import Combat


class Told:
    """The messages of a command: `reply` for the visitor who gave it, `news` for everyone in the combat."""

    def __init__(
        self,
        reply: str = "",
        news: str | Callable[[], str] = "",
        status: str | None = None,
        spared: bool = False,
        notice: str = "",
        whole: Callable[[], str] | None = None,
    ) -> None:
        """News may be a function, which writes them only if there is a reader."""
        self.reply = reply
        self._news = news
        self.whole = whole  # the news with all numbers, for a storyteller who does not fight
        self.status = status  # text between the news and the status; None: no status is shown
        self.spared = spared  # the visitor who gave the command gets the reply instead of the news
        self.notice = notice  # for everyone in the combat, after all of that: text outside the story, as about dice

    @cached_property
    def news(self) -> str:
        """What has happened, as text."""
        return self._news if isinstance(self._news, str) else self._news()

    def to(self, combat: Combat, viewer: str) -> str:
        """The news as an account may know it."""
        shown = combat.glance(viewer) if self.status is not None else ""
        news = self.whole() if self.whole is not None and combat.is_overseen_by(viewer) else self.news
        return f"{news}{self.status}{shown}" if shown else news


def broadcast(lines: Sequence[str]) -> str:
    """The lines of a move as the audience sees them: `+ ` before the first, the others indented."""
    marked = ("+ ", "  ")
    return "\n".join(text if text.startswith(marked) else marked[place > 0] + text for place, text in enumerate(lines))
