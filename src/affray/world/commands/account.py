"""What players can do with their accounts: keep attributes, and change the password."""

from __future__ import annotations

from dataclasses import replace

from affray.errors import Illegal, unknown
from affray.system.schema import cut
from affray.world.commands.registry import check_may_use, command, misused
from affray.world.people import passwords
from affray.world.people.visitor import Visitor
from affray.world.store import attributes, statements
from affray.world.store.attributes import Attribute
from affray.world.store.tables import Account, fold

MOST_ATTRIBUTES = 200


async def _account(visitor: Visitor, name: str) -> Account:
    """The account whose attributes are meant: the visitor's own, or for wizards any."""
    if name.casefold() in ("me", visitor.key):
        return visitor.account
    check_may_use(visitor, "wizards", f"the attributes of {cut(name)} (write me for your own)")
    account = await visitor.world.store.account(name)
    if account is None:
        raise Illegal(f"there is no account {cut(name)!r}", given=name)
    return account


def _name_and_rest(rest: str, form: str) -> tuple[str, str]:
    name, _, what = rest.partition(" ")
    if not name or not what.strip():
        raise misused(form, rest)
    return name, what.strip()


def _attribute(found: dict[str, Attribute], wanted: str) -> Attribute:
    if wanted.casefold() not in found:
        raise Illegal(unknown("attribute", cut(wanted), [a.name for a in found.values()]), given=wanted)
    return found[wanted.casefold()]


@command("set_attr me NAME[TYPE]=VALUE", who="players")
async def set_attr(visitor: Visitor, rest: str) -> None:
    """Set an attribute, such as what you fight with.

    For example:  set_attr me strength[INTEGER]=5
    Types are STRING, INTEGER, FLOAT and BOOLEAN. An attribute that you have keeps
    its type if you give none. There is no reply; get_attr shows the new value.
    help combat add lists what each system needs. Wizards can name another account
    instead of me.
    """
    name, what = _name_and_rest(rest, "set_attr me NAME[TYPE]=VALUE")
    account = await _account(visitor, name)
    present = await visitor.world.store.attributes(account.key)
    attribute = attributes.parse(what, present)
    if len(present) >= MOST_ATTRIBUTES and fold(attribute.name) not in present:
        raise Illegal(f"an account can have at most {MOST_ATTRIBUTES} attributes", given=attribute.name)
    await visitor.world.store.commit(statements.set_attribute(account.key, attribute))


@command("get_attr me [NAME]", "attrs", who="players")
async def get_attr(visitor: Visitor, rest: str) -> None:
    """Read your attributes, or one of them.

    For example:  get_attr me strength
    Wizards can name another account instead of me.
    """
    name, _, wanted = (rest or "me").partition(" ")
    account = await _account(visitor, name)
    found = await visitor.world.store.attributes(account.key)
    if wanted:
        visitor.tell(attributes.written(_attribute(found, wanted.strip())))
    else:
        visitor.tell("\n".join(map(attributes.written, found.values())) or f"{account.name} has no attributes.")


@command("unset_attr me NAME", who="players")
async def unset_attr(visitor: Visitor, rest: str) -> None:
    """Remove an attribute.

    For example:  unset_attr me strength
    Wizards can name another account instead of me.
    """
    name, wanted = _name_and_rest(rest, "unset_attr me NAME")
    account = await _account(visitor, name)
    attribute = _attribute(await visitor.world.store.attributes(account.key), wanted)
    await visitor.world.store.commit(statements.unset_attribute(account.key, wanted))
    visitor.tell(f"{attribute.name} has been removed")


@command("password", who="players")
async def password(visitor: Visitor, rest: str) -> None:
    """Change your password.

    You are asked for the new one, which is not shown.
    """

    async def change(typed: str) -> None:
        hashed = await passwords.hashed(passwords.check(typed))
        await visitor.world.store.commit(statements.change_account(visitor.key, password=hashed))
        visitor.account = replace(visitor.account, password=hashed)
        visitor.tell("Your password has been changed.")

    if rest:
        raise Illegal("type password alone: you are then asked for the new one, which is not shown", given="")
    visitor.ask(change)
