"""`affray rules`: the rules of a system in words, and the options that change them."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Mapping
from dataclasses import asdict

from affray.errors import Invalid, unknown
from affray.system.listing import Rules
from affray.system.listing import rules as rules_of
from affray.system.registry import names
from affray.system.schema import Option, Ruling, allowed, as_text
from affray.terminal.arguments import add_json, the_system
from affray.terminal.screen.output import print_json, say


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What `affray rules` understands."""
    parser.add_argument("words", nargs="*", metavar="SYSTEM ID", help="the system, and the id of one ruling or option")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Print all rules of a system, or one."""
    id, rest = split_id(args.words)
    found = rules_of(the_system(id))
    if len(rest) > 1:
        raise Invalid(f"`rules` takes one ruling or option, not {len(rest)}", given=rest)
    one = _named(found, rest[0]) if rest else None
    if args.json:
        print_json(as_table(found) if one is None else asdict(one) if isinstance(one, Ruling) else _option_table(one))
    elif one is not None:
        _show_one(found, one)
    else:
        say(f"{found.system}: {found.title}", style="heading")
        print()
        show_rulings(found.rulings)
        _show_options(found)
    return 0


def split_id(words: list[str]) -> tuple[str | None, list[str]]:
    """The system, if the first word is one, and the other words."""
    if words and (words[0] in names() or len(words) > 1):
        return words[0], words[1:]
    if words and len(names()) != 1:
        return words[0], []
    return None, words


def as_table(rules: Rules) -> dict[str, object]:
    """The rules as plain JSON values."""
    return {
        "system": rules.system,
        "title": rules.title,
        "rulings": [asdict(ruling) for ruling in rules.rulings],
        "options": [_option_table(option) for option in rules.options],
        "profiles": {name: dict(values) for name, values in rules.profiles.items()},
    }


def _option_table(option: Option) -> dict[str, object]:
    named = {"name": option.name, "default": option.default, "allowed": allowed(option)}
    return {**named, "help": option.help, "ruling": option.ruling}


def _named(rules: Rules, id: str) -> Ruling | Option:
    known: dict[str, Ruling | Option] = {option.name: option for option in rules.options}
    known |= {ruling.id: ruling for ruling in rules.rulings}
    if id not in known:
        raise Invalid(unknown("ruling or option", id, known), given=id, allowed=list(known))
    return known[id]


def _show_one(rules: Rules, found: Ruling | Option) -> None:
    if isinstance(found, Ruling):
        show_ruling(found.id, {ruling.id: ruling for ruling in rules.rulings})
        for option in rules.options:
            if option.name in found.options:
                _show_option(option)
    else:
        _show_option(found)
        if not found.ruling:  # it belongs to every system
            return
        show_ruling(found.ruling, {ruling.id: ruling for ruling in rules.rulings})


def show_ruling(id: str, known: Mapping[str, Ruling]) -> None:
    """Print one ruling in full."""
    if id not in known:
        raise Invalid(unknown("ruling", id, known), given=id, allowed=list(known))
    show_rulings([known[id]])
    if known[id].options:
        say(f"Changed by: {', '.join(known[id].options)}", indent="  ")


def show_rulings(rulings: Iterable[Ruling]) -> None:
    """Print every ruling with its question and its text."""
    for ruling in rulings:
        say(f"{ruling.id} ({ruling.source}): {ruling.question}", hang="  ", style="heading")
        say(ruling.text, indent="  ")


def _show_options(rules: Rules) -> None:
    print()
    say("Options, set with --option NAME=VALUE", style="heading")
    for option in rules.options:
        _show_option(option)
    for name, values in rules.profiles.items():
        set_options = ", ".join(f"{key}={value}" for key, value in values.items())
        say(f"profile={name}: {set_options}", indent="  ", hang="      ")


def _show_option(option: Option) -> None:
    say(f"{option.name} = {as_text(option.default)}  ({allowed(option)})", indent="  ", hang="      ")
    say(f"{option.help}; ruling {option.ruling}" if option.ruling else option.help, indent="      ")
