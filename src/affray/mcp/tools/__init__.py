"""The tools that a model may call; each module adds its own to the registry."""

from __future__ import annotations

from affray.mcp.tools import building, encounters, fights, lookup, reading, storytelling

__all__ = ["building", "encounters", "fights", "lookup", "reading", "storytelling"]
