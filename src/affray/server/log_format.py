"""Logs of a server: for people as lines, for machines as one JSON object a line."""

from __future__ import annotations

import json
import logging
from datetime import UTC, datetime
from typing import Literal

Form = Literal["text", "json"]


class AsJson(logging.Formatter):
    """Each record as a JSON object: time, level, logger, message, and the traceback if there is one."""

    def format(self, record: logging.LogRecord) -> str:
        """The record as one line."""
        table = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        if record.exc_info:
            table["traceback"] = self.formatException(record.exc_info)
        return json.dumps(table)


def set_up(form: Form, level: str) -> None:
    """Write logs to standard error, in this format and from this level on."""
    handler = logging.StreamHandler()
    lines = logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s")
    handler.setFormatter(AsJson() if form == "json" else lines)
    logging.basicConfig(level=level.upper(), handlers=[handler], force=True)
