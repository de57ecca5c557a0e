"""Combat systems as packages name them, and the commands they bring: found without importing a system."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec

from affray.errors import Invalid

GROUP = "affray.systems"
NAMED_BY = "AFFRAY_SYSTEMS"  # handed down to worker processes, which a call of `register` need not be
COMMANDS = ("data", "commands.json")


@cache
def systems() -> dict[str, str]:
    """Where to import each system from, as `module:object`: the installed ones, and those that AFFRAY_SYSTEMS names."""
    named = (each.partition("=") for each in os.environ.get(NAMED_BY, "").split())
    return {**{id: place for id, _, place in named}, **_installed()}


def commands() -> dict[str, tuple[str, str]]:
    """The commands that systems add as `affray NAME`: help and module by name, from the file beside each system."""
    return {name: command for place in systems().values() for name, command in _commands_beside(place).items()}


def _installed() -> dict[str, str]:
    """The entry points of all packages.

    They are read here because `importlib.metadata` takes longer to import than the whole of `affray --help`.
    """
    if any(map(os.path.isfile, sys.path)):  # an archive, which only the standard library looks into
        from importlib.metadata import entry_points

        return {point.name: point.value for point in entry_points(group=GROUP)}
    found: dict[str, str] = {}
    for content in _entry_point_files():
        group = ""
        for line in content.splitlines():
            name, equals, place = line.partition("=")
            if line.startswith("["):
                group = line.strip("[] ")
            elif equals and group == GROUP:
                found.setdefault(name.strip(), place.strip())
    return found


def _entry_point_files() -> Iterator[str]:
    for folder in sys.path:
        try:
            packages = [name for name in os.listdir(folder or os.curdir) if name.endswith((".dist-info", ".egg-info"))]
        except OSError:
            continue
        for name in packages:
            try:
                with open(os.path.join(folder, name, "entry_points.txt"), encoding="utf-8") as file:
                    yield file.read()
            except OSError:  # most packages have none
                continue


def _commands_beside(place: str) -> dict[str, tuple[str, str]]:
    """The commands that a system brings; none where it cannot be found, which is refused when a fight asks for it."""
    module = place.partition(":")[0]
    try:
        spec = find_spec(module)
    except ImportError:
        return {}
    if spec is None or spec.origin is None:
        return {}
    path = os.path.join(os.path.dirname(spec.origin), *COMMANDS)
    try:
        content = spec.loader.get_data(path)  # type: ignore[union-attr]
    except (AttributeError, OSError):  # most systems bring none
        return {}
    import json

    try:
        return {name: (command["help"], command["module"]) for name, command in json.loads(content).items()}
    except (AttributeError, KeyError, TypeError, ValueError):
        raise Invalid(f"{path} does not give a help and a module for every command", given=path) from None
