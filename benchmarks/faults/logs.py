"""What a server writes to its log, read while it runs."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from benchmarks.crowd import Server


@contextmanager
def logged(server: Server) -> Iterator[list[str]]:
    """The lines of a server's log, which grow as it writes them: over a pipe, where no limit on files holds them up."""
    ours, theirs = os.pipe()
    lines: list[str] = []

    def read() -> None:
        with os.fdopen(ours, encoding="utf-8") as log:
            for line in log:
                lines.append(line)

    reading = threading.Thread(target=read, daemon=True)
    reading.start()
    server.log = theirs
    try:
        yield lines
    finally:
        os.close(theirs)
        server.clear_away()
        reading.join()
