"""Players that are programs: they read questions and write answers as JSON lines on their standard streams."""

from __future__ import annotations

import json
import queue
import shlex
import subprocess
import threading
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from affray.errors import Refused
from affray.kernel import records
from affray.kernel.chance import Seeded
from affray.players.player import Thought
from affray.system.setup import Setup

PATIENCE = 30.0  # seconds that a program may take for one answer
LONGEST = 1 << 20  # characters of an answer


class Program:
    """Runs a command and asks it for every move. It is started when first asked, and anew after it has failed.

    A question is one line: `{"setup": ..., "state": ..., "who": ..., "moves": [...]}`, where the state is the fighter's
    view; the answer is one line, `{"move": "..."}` with one of the moves, and may have `"why"`, a list of texts, and
    `"value"`, a number.
    """

    def __init__(self, command: str, *, seconds: float = PATIENCE) -> None:
        self.command, self.seconds = command, seconds
        self._process: subprocess.Popen[str] | None = None
        self._answers: queue.Queue[str] = queue.Queue()

    def choose(self, setup: Setup[Any], view_state: Any, who: int, dice: Seeded) -> Thought:
        """The move that the program answers with; Refused if it dies, is late or answers with what is no move."""
        written = setup.written(view_state, who)
        question = {
            "setup": setup.as_table(),
            "names": list(setup.names),
            "who": setup.names[who],
            "state": records.as_table(view_state),
            "moves": list(written),
        }
        answer = self._asked(json.dumps(question, separators=(",", ":")))
        move = answer.get("move")
        if not isinstance(move, str) or move not in written:
            self.close()
            raise self._failed(f"answered with {str(move)[:60]!r}, which is none of the moves")
        why, value = answer.get("why", []), answer.get("value")
        lines = tuple(str(line) for line in why) if isinstance(why, list) else ()
        known = float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None
        return Thought(written[move], {written[move]: 1.0}, known, lines)

    def close(self) -> None:
        """End the program."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.wait()
            for stream in (process.stdin, process.stdout):
                if stream is not None:
                    with suppress(OSError):
                        stream.close()

    def _asked(self, question: str) -> Mapping[str, Any]:
        process = self._started()
        try:
            assert process.stdin is not None
            process.stdin.write(question + "\n")
            process.stdin.flush()
            line = self._answers.get(timeout=self.seconds)
        except queue.Empty:
            self.close()
            raise self._failed(f"has not answered within {self.seconds:g} seconds") from None
        except OSError:
            line = ""
        if not line:
            self.close()
            raise self._failed("has ended")
        try:
            answer = json.loads(line)
        except ValueError:
            answer = None
        if not isinstance(answer, dict):
            self.close()
            raise self._failed(f"wrote {line.strip()[:60]!r}, which is no JSON object")
        return answer

    def _started(self) -> subprocess.Popen[str]:
        if self._process is None:
            try:
                words = shlex.split(self.command)
                self._process = subprocess.Popen(
                    words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8", errors="replace"
                )
            except (OSError, ValueError, IndexError) as problem:
                raise Refused(f"the program {self.command!r} cannot be started: {problem}") from None
            self._answers = queue.Queue()
            threading.Thread(target=_read, args=(self._process, self._answers), daemon=True).start()
        return self._process

    def _failed(self, what: str) -> Refused:
        return Refused(f"the program {self.command!r} {what}")


def _read(process: subprocess.Popen[str], answers: queue.Queue[str]) -> None:
    """Put every line of a program into a queue, and an empty one when it has ended."""
    assert process.stdout is not None
    with suppress(OSError, ValueError):
        while line := process.stdout.readline(LONGEST):
            answers.put(line)
    answers.put("")
