"""Replacements for characters that a screen lacks, chosen so that they can still be told apart."""

from __future__ import annotations

import codecs

NAME = "affray-lookalikes"
LOOKALIKES = {
    **{"†": "/", "ψ": "Y", "▲": "^", "≋": "~", "◆": "*", "▼": "v"},
    **{"✔": "v", "✗": "x"},
    **{"±": "+-", "×": "x", "→": "->", "…": "...", "–": "-", "—": "-", "’": "'", "“": '"', "”": '"', "·": "*"},
}


def _replaced(problem: UnicodeError) -> tuple[str, int]:
    if not isinstance(problem, UnicodeEncodeError):
        raise problem
    lost = problem.object[problem.start : problem.end]
    return "".join(LOOKALIKES.get(letter, "?") for letter in lost), problem.end


codecs.register_error(NAME, _replaced)
