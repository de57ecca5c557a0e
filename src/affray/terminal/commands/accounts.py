"""`affray accounts`: manages who may log in to a world."""

from __future__ import annotations

import argparse
import asyncio
import getpass
import sys
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import TypeVar

from affray.errors import Invalid, unknown
from affray.terminal.arguments import add_json
from affray.terminal.screen.output import print_json, say
from affray.world.people import passwords
from affray.world.people.removal import effects, remove_account
from affray.world.store import DEFAULT, Clash, Store, statements
from affray.world.store.tables import ROLES, Account, Role

T = TypeVar("T")

FIRST_ROLES = ("player", "wizard")  # guests have no account


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What `affray accounts` understands."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION", title="actions", required=True)
    adding = _action(actions, "add", "create an account")
    adding.add_argument("name")
    adding.add_argument("--role", choices=FIRST_ROLES, default="player", help="the role (player)")
    _add_password(adding)
    add_json(_action(actions, "list", "show all accounts"))
    role = _action(actions, "role", "change what an account may do")
    role.add_argument("name")
    role.add_argument("role", choices=ROLES)
    password = _action(actions, "password", "give an account a new password")
    password.add_argument("name")
    _add_password(password)
    removing = _action(actions, "remove", "remove an account, its attributes and its seats in combats")
    removing.add_argument("name")
    removing.add_argument("--yes", action="store_true", help="do not ask first")


def _action(
    actions: argparse._SubParsersAction[argparse.ArgumentParser], name: str, help: str
) -> argparse.ArgumentParser:
    action = actions.add_parser(name, help=help, description=help[0].upper() + help[1:] + ".")
    action.add_argument("--store", default=DEFAULT, metavar="URL", help=f"the database of the world ({DEFAULT})")
    return action


def _add_password(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--password-file", metavar="FILE", help="read the password from the first line of a file; - is standard input"
    )


def run(args: argparse.Namespace) -> int:
    """Add, list, change or remove accounts of a store."""
    ACTIONS[args.action](args)
    return 0


def _add(args: argparse.Namespace) -> None:
    name: str = statements.check_name(args.name)
    _visit(args.store, lambda store: _check_free(store, name), create=True)
    password = _password(args, name)
    _visit(args.store, lambda store: _make(store, name, args.role, password))
    say(f"{name} can now log in as a {args.role}.")


def _role(args: argparse.Namespace) -> None:
    account = _visit(args.store, lambda store: _find(store, args.name))
    _change(args.store, account, role=args.role)
    say(f"{account.name} is now a {args.role}.")


def _new_password(args: argparse.Namespace) -> None:
    account = _visit(args.store, lambda store: _find(store, args.name))
    _change(args.store, account, password=asyncio.run(passwords.hashed(_password(args, account.name))))
    say(f"{account.name} has a new password.")


def _remove(args: argparse.Namespace) -> None:
    account, told = _visit(args.store, lambda store: _removal(store, args.name))
    for line in told:
        say(line)
    if not args.yes:
        _confirm(account.name)
    _visit(args.store, lambda store: remove_account(store, account.key))
    say(f"{account.name} has been removed.")


def _confirm(name: str) -> None:
    if not sys.stdin.isatty():
        raise Invalid("there is no terminal to ask for confirmation; --yes removes the account without asking")
    try:
        answer = input(f"Remove {name} for good? (yes or no) ")
    except EOFError:
        answer = ""
    if answer.strip().casefold() not in ("y", "yes"):
        raise Invalid(f"{name} has not been removed", given=answer)


def _list(args: argparse.Namespace) -> None:
    accounts = _visit(args.store, Store.accounts)
    if args.json:
        print_json([_as_table(account) for account in accounts])
        return
    wide = max((len(account.name) for account in accounts), default=0)
    for account in accounts:
        seen = f"last seen {account.seen:%Y-%m-%d %H:%M} UTC" if account.seen else "never seen"
        print(f"{account.name:{wide}}  {account.role:6}  {seen}")
    if not accounts:
        say("There are no accounts. `affray accounts add NAME` creates one.")


def _as_table(account: Account) -> dict[str, str | None]:
    seen = account.seen.isoformat() if account.seen else None
    return {"name": account.name, "role": account.role, "place": account.place, "seen": seen}


ACTIONS: Mapping[str, Callable[[argparse.Namespace], None]] = {
    "add": _add,
    "list": _list,
    "role": _role,
    "password": _new_password,
    "remove": _remove,
}


# Passwords are asked for between two visits to the store: while it is open, Ctrl-C would not end the question.
def _password(args: argparse.Namespace, name: str) -> str:
    if args.password_file is not None:
        return passwords.check(_first_line(args.password_file))
    if not sys.stdin.isatty():
        raise Invalid("there is no terminal to ask for the password; use --password-file FILE (- is standard input)")
    try:
        password = getpass.getpass(f"Password for {name}: ")
        passwords.check(password)
        again = getpass.getpass("Repeat the password: ")
    except EOFError:
        raise Invalid("no password was given, so nothing has changed") from None
    if again != password:
        raise Invalid("the two passwords differ, so nothing has changed")
    return password


def _first_line(file: str) -> str:
    try:
        text = sys.stdin.readline() if file == "-" else Path(file).read_text(encoding="utf-8")
    except (OSError, ValueError) as problem:
        reason = problem.strerror if isinstance(problem, OSError) else "it is not text"
        raise Invalid(f"{file} cannot be read: {reason}", given=file) from None
    return text.partition("\n")[0].removesuffix("\r")


def _visit(url: str, do: Callable[[Store], Awaitable[T]], *, create: bool = False) -> T:
    """Open the store, which a server may have open too, do one thing, and close it."""

    async def visit() -> T:
        async with await Store.open(url, exclusive=False, create=create) as store:
            return await do(store)

    return asyncio.run(visit())


async def _find(store: Store, name: str) -> Account:
    if account := await store.account(name):
        return account
    known = [account.name for account in await store.accounts()]
    raise Invalid(unknown("account", name, known or ["none"]), given=name, allowed=known)


async def _removal(store: Store, name: str) -> tuple[Account, list[str]]:
    """The account to remove, and what that does to combats, one line each."""
    account = await _find(store, name)
    names = {other.key: other.name for other in await store.accounts()}
    told = []
    for combat, owner in await effects(store, account.key):
        if owner is None:
            told.append(f"{combat.name} (combat {combat.number}) has ended: it has no other player.")
        else:
            owned = f"; its owner is now {names.get(owner, owner)}" if combat.owner == account.key else ""
            told.append(f"{combat.name} (combat {combat.number}) goes on without {account.name}{owned}.")
    return account, told


async def _check_free(store: Store, name: str) -> None:
    if there := await store.account(name):
        hint = f"`affray accounts password {there.name}` changes it"
        raise Invalid(f"there is already an account {there.name}; {hint}", given=name)


async def _make(store: Store, name: str, role: Role, password: str) -> None:
    try:
        await store.commit(statements.add_account(name, role, await passwords.hashed(password)))
    except Clash:
        await _check_free(store, name)  # it was created in the meantime
        raise


def _change(url: str, account: Account, **columns: str) -> None:
    _visit(url, lambda store: store.commit(statements.change_account(account.key, **columns)))
