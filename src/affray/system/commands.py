"""Commands that a system adds to the command line."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Command:
    """A command of a system's own, run as `affray NAME`; a system lists it among its abilities.

    `module` is the dotted path of a module that is imported when the command runs or shows its own help. It has
    `add_arguments(parser)` and `run(args)`, which gives the exit code, as the commands of the terminal do.
    """

    name: str
    help: str
    """What it does, in a few words that begin with a verb."""
    module: str
