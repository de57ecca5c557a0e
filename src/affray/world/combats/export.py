"""The log of a combat as it is handed out: lines to read, or a file that can be verified."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from affray.errors import Illegal
from affray.fight import Fight
from affray.fight.saving import public_table, seal

LAST_LINES = 20


def log_text(fight: Fight, words: Sequence[str], *, ended: bool) -> str:
    """The last lines of a fight's story, all of them, or its log as one line of JSON."""
    wanted = words[0].casefold() if words else ""
    lines = [line.text for line in fight.lines]
    match wanted:
        case "":
            skipped = len(lines) - LAST_LINES
            return "\n".join([f"({skipped} lines before)"] * (skipped > 0) + lines[-LAST_LINES:])
        case "all":
            return "\n".join(lines)
        case "file":
            return json.dumps(exported(fight, ended=ended), separators=(",", ":"))
    raise Illegal(f"a log is shown in part, or by  all  or  file , not {words[0][:40]!r}", allowed=["all", "file"])


def exported(fight: Fight, *, ended: bool) -> dict[str, Any]:
    """The sealed log that every player may have; fair dice keep their secret until combat has been ended."""
    table = public_table(fight, secret_is_out=ended)
    return {**table, "seal": seal(table)}
