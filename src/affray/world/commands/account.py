"""Commands for accounts: attributes, and the password."""

from __future__ import annotations

from urllib.parse import urlsplit

from affray.errors import Illegal
from affray.world.actions import accounts, notifications
from affray.world.commands.registry import command, misused
from affray.world.people.visitor import Visitor
from affray.world.store import attributes


def _name_and_rest(rest: str, form: str) -> tuple[str, str]:
    name, _, what = rest.partition(" ")
    if not name or not what.strip():
        raise misused(form, rest)
    return name, what.strip()


@command("set_attr me NAME[TYPE]=VALUE", does=accounts.set_attribute)
async def set_attr(visitor: Visitor, rest: str) -> None:
    """Set an attribute, such as what you fight with.

    For example:  set_attr me strength[INTEGER]=5
    Types are STRING, INTEGER, FLOAT and BOOLEAN. An attribute that you have keeps
    its type if you give none. There is no reply; get_attr shows the new value.
    help combat add lists what each system needs. Wizards can name another account
    instead of me.
    """
    name, what = _name_and_rest(rest, "set_attr me NAME[TYPE]=VALUE")
    await accounts.set_attribute(visitor, name, what)


@command("get_attr me [NAME]", "attrs", does=accounts.read_attributes)
async def get_attr(visitor: Visitor, rest: str) -> None:
    """Read your attributes, or one of them.

    For example:  get_attr me strength
    Wizards can name another account instead of me.
    """
    name, _, wanted = (rest or "me").partition(" ")
    account, found = await accounts.read_attributes(visitor, name)
    if wanted:
        visitor.tell(attributes.written(accounts.known_attribute(found, wanted.strip())))
    else:
        visitor.tell("\n".join(map(attributes.written, found.values())) or f"{account.name} has no attributes.")


@command("unset_attr me NAME", does=accounts.unset_attribute)
async def unset_attr(visitor: Visitor, rest: str) -> None:
    """Remove an attribute.

    For example:  unset_attr me strength
    Wizards can name another account instead of me.
    """
    name, wanted = _name_and_rest(rest, "unset_attr me NAME")
    await accounts.unset_attribute(visitor, name, wanted)


@command("password", does=accounts.change_password)
async def password(visitor: Visitor, rest: str) -> None:
    """Change your password.

    You are asked for the new one, which is not shown.
    """

    if rest:
        raise Illegal("type password alone: you are then asked for the new one, which is not shown", given="")
    visitor.ask(lambda typed: accounts.change_password(visitor, typed))


@command("notifications [off]", does=notifications.unsubscribe)
async def notified(visitor: Visitor, rest: str) -> None:
    """See which browsers notify you, or stop it.

    For example:  notifications off
    A browser notifies you when it is your turn, though no page is open. That is
    switched on in the page, under Notifications.
    """
    if rest == "off":
        gone = await notifications.unsubscribe(visitor)
        visitor.tell(f"{gone} browser{'s' * (gone != 1)} will no longer be notified.")
    elif rest:
        raise misused("notifications [off]", rest)
    else:
        present = await visitor.world.store.subscriptions(visitor.key)
        hosts = ", ".join(urlsplit(one.endpoint).netloc for one in present)
        visitor.tell(f"You are notified through {hosts}." if present else "No browser notifies you of your turns.")
