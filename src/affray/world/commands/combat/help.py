"""The pages of help of the `combat` subcommands, with what each installed system has to say there."""

from __future__ import annotations

from textwrap import wrap
from typing import Any

from affray.errors import listing
from affray.system.contract import System
from affray.system.registry import find as find_system
from affray.system.registry import names
from affray.world.combats.sheets import attributes_of
from affray.world.commands.combat.registry import ALIASES, FOR, find

WIDTH = 80


def page_of(word: str) -> str:
    """The page of help of a subcommand."""
    found = find(word)
    also = [alias for alias, name in ALIASES.items() if name == found.name]
    extra = f"\nAlso: combat {', '.join(also)}" if also else ""
    page = "\n\n".join([found.usage, found.page, *by_system(found.name)])
    return f"{page}{extra}\nFor: {FOR[found.who]}"


def by_system(name: str) -> list[str]:
    """What the installed systems say about a command, a paragraph each."""
    known = {id: _said(find_system(id), name) for id in names()}
    return [f"In {id}:\n{text}" for id, text in known.items() if text]


def _said(system: System[Any, Any], name: str) -> str:
    listed = {
        "init": [system.summary, *(f"profile={profile}" for profile in system.profiles)],
        "add": [f"{attribute}[{type}]" for attribute, type in attributes_of(system).items()],
        "add_npc": [id for group in system.catalogue().values() for id in group],
        "auto": list(system.tactics),
    }
    own = system.residence.help.get(name, "") if system.residence else ""
    return "\n".join([*wrap(listing(listed.get(name, [])), WIDTH), *[own] * bool(own)])
