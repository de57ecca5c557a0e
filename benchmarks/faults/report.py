"""What a fault has shown: a row of the table, and a line for those who wait."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field

from benchmarks.faults.load import Findings


@dataclass
class Row:
    """What was done and how often, how many moves were acknowledged meanwhile, and what the server told."""

    fault: str
    times: int
    told: str
    found: Findings = field(default_factory=Findings)

    @property
    def is_good(self) -> bool:
        """Whether nothing was lost, and nothing else was wrong."""
        return not self.found.lost and not self.found.wrong


def progress(fault: str, done: int, of: int, more: str = "") -> None:
    """Say how far it is, on a line of its own that the next replaces where a person looks on."""
    end = "\r" if sys.stderr.isatty() and done < of else "\n"
    print(f"{fault}: {done} of {of}{more}", end=end, file=sys.stderr, flush=True)


def table(rows: list[Row]) -> str:
    """The rows in columns; what the server told stands below each, because it is long."""
    lines = [f"{'fault':<56} {'times':>6} {'acknowledged':>13} {'lost':>5}"]
    for row in rows:
        lines.append(f"{row.fault:<56} {row.times:>6} {row.found.acknowledged:>13} {row.found.lost:>5}")
        lines.append(f"    {row.told}")
        lines += [f"    WRONG: {problem}" for problem in row.found.wrong]
    return "\n".join(lines)
