"""Where compiled code is kept between runs."""

from __future__ import annotations

import os
from pathlib import Path


def cache_folder() -> Path:
    """AFFRAY_CACHE, or the user's cache folder."""
    if chosen := os.environ.get("AFFRAY_CACHE"):
        return Path(chosen)
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "affray"
