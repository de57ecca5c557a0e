"""Arguments that several commands share: systems, teams, options, tactics and numbers."""

from __future__ import annotations

import argparse
import re
import shlex
from collections.abc import Iterable, Sequence

from affray.errors import Invalid
from affray.fight import Spec, read_teams
from affray.system.registry import find, names

Teams = dict[str, list[Spec]]
LARGEST = 2**63 - 1
_WHOLE = re.compile(r"(?P<whole>[0-9]+)(\.(?P<parts>[0-9]+))?(e\+?(?P<zeros>[0-9]{1,2}))?", re.IGNORECASE)


def whole(text: str) -> int:
    """A whole number as people write it: 1000000, 1_000_000, 1,000,000 or 1e6."""
    match = _WHOLE.fullmatch(text.replace(",", "").replace("_", ""))
    zeros = int(match["zeros"] or 0) - len(match["parts"] or "") if match else -1
    if match is None or zeros < 0:
        raise argparse.ArgumentTypeError(f"{text[:60]!r} is not a whole number from 0 up")
    digits = match["whole"] + (match["parts"] or "")
    number = int(digits) * 10**zeros if len(digits) + zeros <= len(str(LARGEST)) else LARGEST + 1
    if number > LARGEST:
        raise argparse.ArgumentTypeError(f"{text[:60]!r} is too large; it must be {LARGEST} or less")
    return number


def positive(text: str) -> int:
    """A whole number from 1 up."""
    number = whole(text)
    if not number:
        raise argparse.ArgumentTypeError(f"{text!r} is too few; it must be 1 or more")
    return number


def add_fight(parser: argparse.ArgumentParser, *, tactics: bool = True) -> None:
    """The arguments that say which fight is meant."""
    parser.add_argument(
        "words",
        nargs="*",
        metavar="SYSTEM team=fighter,fighter",
        help="the combat system and the teams, such as  grapple heroes=ahalish monsters=goblin,goblin",
    )
    add_options(parser)
    if tactics:
        parser.add_argument(
            "--tactic",
            action="append",
            default=[],
            metavar="NAME=TACTIC",
            help="how a fighter or a team decides; may be repeated",
        )


def add_options(parser: argparse.ArgumentParser) -> None:
    """The argument for options of the rules."""
    for_options = "set an option of the rules; may be repeated"
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help=for_options)


def add_playing(parser: argparse.ArgumentParser, what: str) -> None:
    """The arguments of a game at the keyboard."""
    add = parser.add_argument
    add("--seed", type=whole, help=f"the same seed and moves give the same {what}")
    add("--dice", choices=("seeded", "hand"), default="seeded", help="who throws: the computer, or you at your table")
    add("--load", metavar="FILE", help=f"go on with a saved {what}")
    add("--no-odds", action="store_true", help="show the moves without their odds")
    add("--demo", action="store_true", help="watch a demonstration")


def add_aim(parser: argparse.ArgumentParser) -> None:
    """What best play is after."""
    parser.add_argument(
        "--aim",
        choices=("value", "wins"),
        default="value",
        help="what best play aims at: what the rules say endings are worth, or winning and nothing else (value)",
    )


def add_json(parser: argparse.ArgumentParser) -> None:
    """The argument for output that programs read."""
    parser.add_argument("--json", action="store_true", help="print the result as JSON")


def split_words(words: Sequence[str]) -> tuple[str | None, Teams | None]:
    """The system, if the first word names one, and the teams, if there are any."""
    system = words[0] if words and "=" not in words[0] else None
    rest = words[1:] if system is not None else words
    return system, read_teams(rest) if rest else None


def read_fight(words: Sequence[str]) -> tuple[str, Teams]:
    """A system and teams; where no teams are given, those of its demonstration."""
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
        name, equals, value = text.partition("=")
        if not equals or not name or not value:
            raise Invalid(f"{text[:60]!r} is not of the form  {example}", given=text, allowed=[example])
        if name in read:
            raise Invalid(f"{name} is given twice; give it once", given=text)
        read[name] = value
    return read


def options(args: argparse.Namespace) -> dict[str, str]:
    """The options of the rules that were given."""
    return pairs(args.option, "round_cap=50")


def tactics(args: argparse.Namespace) -> dict[str, str]:
    """The tactics that were given."""
    return pairs(args.tactic, "heroes=always-attack")


def replaying(args: argparse.Namespace, seed: int, number: int) -> str:
    """The command that replays a fight of a simulation of the fight that is meant, to be pasted into a shell."""
    words = ["affray", "replay", "--simulated", *args.words]
    words += [word for option in args.option for word in ("--option", option)]
    words += [word for tactic in args.tactic for word in ("--tactic", tactic)]
    return shlex.join([*words, "--seed", str(seed), "--number", str(number)])
