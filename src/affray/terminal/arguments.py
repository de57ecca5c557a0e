"""What the commands have in common to read: systems, teams, options, tactics and numbers."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence

from affray.errors import Invalid
from affray.fight import Spec, read_teams
from affray.kernel.system import find, names

Teams = dict[str, list[Spec]]


def whole(text: str) -> int:
    """A whole number as people write it: 1000000, 1_000_000 or 1,000,000."""
    digits = text.replace(",", "").replace("_", "")
    if not digits.isdecimal() or len(digits) > 19:
        raise argparse.ArgumentTypeError(f"{text[:60]!r} is not a whole number from 0 on")
    return int(digits)


def positive(text: str) -> int:
    """A whole number from 1 on."""
    number = whole(text)
    if not number:
        raise argparse.ArgumentTypeError(f"{text!r} is too few; 1 is the least")
    return number


def add_fight(parser: argparse.ArgumentParser, *, tactics: bool = True) -> None:
    """The arguments that say which fight is meant."""
    parser.add_argument(
        "words",
        nargs="*",
        metavar="SYSTEM team=fighter,fighter",
        help="the combat system and the teams, such as  grapple heroes=ahalish monsters=goblin,goblin",
    )
    parser.add_argument(
        "--option",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="set an option of the rules; may be repeated",
    )
    if tactics:
        parser.add_argument(
            "--tactic",
            action="append",
            default=[],
            metavar="NAME=TACTIC",
            help="how a fighter or a team decides; may be repeated",
        )


def add_json(parser: argparse.ArgumentParser) -> None:
    """The argument for a program that reads along."""
    parser.add_argument("--json", action="store_true", help="print the result as JSON")


def split_words(words: Sequence[str]) -> tuple[str | None, Teams | None]:
    """The system, if the first word names one, and the teams, if there are any."""
    system = words[0] if words and "=" not in words[0] else None
    rest = words[1:] if system is not None else words
    return system, read_teams(rest) if rest else None


def read_fight(words: Sequence[str]) -> tuple[str, Teams]:
    """A system and teams; whoever names none gets those that the system shows itself with."""
    system, teams = split_words(words)
    id = the_system(system)
    return id, teams or {team: list(members) for team, members in find(id).demonstration.items()}


def the_system(id: str | None) -> str:
    """The system that was named, or the only one there is."""
    if id is not None:
        return id
    installed = names()
    if len(installed) == 1:
        return installed[0]
    raise Invalid(f"say which combat system: {', '.join(installed) or 'none is installed'}", allowed=installed)


def pairs(given: Iterable[str], example: str) -> dict[str, str]:
    """What `name=value` texts say, each name once."""
    read: dict[str, str] = {}
    for text in given:
        name, sign, value = text.partition("=")
        if not sign or not name or not value:
            raise Invalid(f"{text[:60]!r} is not of the form  {example}", given=text, allowed=[example])
        if name in read:
            raise Invalid(f"{name} is given twice, allowed is once", given=text)
        read[name] = value
    return read


def options(args: argparse.Namespace) -> dict[str, str]:
    """The options of the rules that were given."""
    return pairs(args.option, "round_cap=50")


def tactics(args: argparse.Namespace) -> dict[str, str]:
    """The tactics that were given."""
    return pairs(args.tactic, "heroes=always-attack")
