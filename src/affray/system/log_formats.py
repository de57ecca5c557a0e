"""Kinds of logs that a system adds to those of fights."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class LogFormat:
    """A kind of log that a system writes besides those of fights; a system lists it among its abilities.

    `module` is the dotted path of a module that is imported when such a log is read. It has `verify(content, where)`,
    which gives a Verdict as `affray.fight.saving.verify` does, and `retell(path)`, which gives a `Retold`.
    """

    name: str
    """What a log says under `format`."""
    of: str
    """What such a log tells of, in a word, such as `journey`."""
    module: str


@dataclass(frozen=True)
class Retold:
    """A log as its story: each line with the number of its decision, how it ended as a sentence, and plain values."""

    lines: Sequence[tuple[int, str]]
    ending: str
    facts: Mapping[str, object]
