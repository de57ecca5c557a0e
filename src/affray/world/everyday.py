"""What everybody can do in a world: talk, look, walk, ask for help, and keep attributes."""

from __future__ import annotations

from dataclasses import replace

from affray.errors import Illegal, unknown
from affray.schema import cut
from affray.world import attributes, changes, passwords
from affray.world.commands import COMMANDS, check_role, command, find, may_use
from affray.world.tables import Account, fold
from affray.world.visitors import Visitor

MOST_ATTRIBUTES = 200


def _text(rest: str, word: str) -> str:
    if not rest:
        raise Illegal(f"{word} needs something to {word}:  {word} TEXT", given=rest)
    return rest


@command("say TEXT", '"TEXT')
async def say(visitor: Visitor, rest: str) -> None:
    """Speak to everybody in the place.

    A quotation mark before the text does the same:  "Hello there
    """
    text = _text(rest, "say")
    visitor.tell(f'You say, "{text}"', "said")
    visitor.world.tell_place(visitor.here().key, f'{visitor.name} says, "{text}"', but=visitor)


@command("pose TEXT", ":TEXT", "emote")
async def pose(visitor: Visitor, rest: str) -> None:
    """Do something that everybody in the place sees.

    Your name comes before the text. A colon does the same:  :draws a knife.
    """
    visitor.world.tell_place(visitor.here().key, f"{visitor.name} {_text(rest, 'pose')}")


@command("look", "l")
async def look(visitor: Visitor, rest: str) -> None:
    """See the place you are in.

    Its ways out are listed, who is there, and whether there is a combat.
    """
    visitor.tell(visitor.world.look(visitor))


@command("go WAY", "walk")
async def go(visitor: Visitor, rest: str) -> None:
    """Walk to another place.

    look lists the ways; the name of a way alone is enough. Whoever takes part in
    a combat stays in it, but has to come back to move; who watches one, stops.
    """
    here = visitor.here()
    leads_to = visitor.exit_called(rest)
    if not rest:
        raise Illegal(f"go needs a way:  go WAY; there are: {', '.join(here.exits) or 'none'}", given=rest)
    if leads_to is None:
        raise Illegal(unknown("way", rest, here.exits), given=rest, allowed=list(here.exits))
    await walk(visitor, leads_to, f"goes {rest.casefold()}")


async def walk(visitor: Visitor, leads_to: str, how: str) -> None:
    """Be somewhere else, with all connections of the account; those who are left see how it was done."""
    world, account, left = visitor.world, visitor.account, visitor.place
    assert account is not None
    if account.role != "guest":
        await world.store.commit(changes.change_account(account.key, place=leads_to))
    if left is not None:
        world.tell_place(left.key, f"{visitor.name} {how}.", account=account.key)
        if left.key in world.combats:
            world.combats[left.key].watchers.discard(account.key)
    world.tell_place(leads_to, f"{visitor.name} has come.", account=account.key)
    visitor.account = replace(account, place=leads_to)
    world.follow(visitor.account)


@command("who")
async def who(visitor: Visitor, rest: str) -> None:
    """See who is connected, what they are, and where."""
    visitor.tell(visitor.world.who())


@command("quit", "exit", "logout")
async def quit(visitor: Visitor, rest: str) -> None:
    """Leave this world.

    Your place, your attributes and your combats stay as they are.
    """
    visitor.tell("Goodbye.")
    visitor.gone = True


@command("help [COMMAND]", "?")
async def help(visitor: Visitor, rest: str) -> None:
    """See all commands, or the page of one.

    For example:  help say,  help combat,  help combat move
    """
    if not rest:
        able = [c for c in COMMANDS.values() if may_use(visitor, c.role)]
        lines = [f"{c.usage:30} {c.summary}" for c in able]
        visitor.tell("\n".join([*lines, "", "help COMMAND shows a page of its own."]))
        return
    word, _, more = rest.partition(" ")
    found = find(word)
    if found is None:
        raise Illegal(unknown("command", word, sorted(COMMANDS)), given=cut(word))
    if found.name == "combat" and more:
        from affray.world.fighting import page_of

        visitor.tell(page_of(more.strip()))
    else:
        visitor.tell(found.full_page())


# Attributes


async def _whose(visitor: Visitor, name: str) -> Account:
    """The account whose attributes are meant: one's own, or for wizards anybody's."""
    assert visitor.account is not None
    if name.casefold() in ("me", visitor.key):
        return visitor.account
    check_role(visitor, "wizard", f"the attributes of {cut(name)} (write me for your own)")
    account = await visitor.world.store.account(name)
    if account is None:
        raise Illegal(f"there is nobody called {cut(name)!r}", given=name)
    return account


def _who_and_what(rest: str, form: str) -> tuple[str, str]:
    name, _, what = rest.partition(" ")
    if not name or not what.strip():
        raise Illegal(f"this is written  {form}", given=rest, allowed=[form])
    return name, what.strip()


@command("set_attr me NAME[TYPE]=VALUE", role="player")
async def set_attr(visitor: Visitor, rest: str) -> None:
    """Set an attribute, such as what you fight with.

    For example:  set_attr me grapple_ad[INTEGER]=5
    Types are STRING, INTEGER, FLOAT and BOOLEAN. An attribute that you have keeps
    its type when none is written. Nothing is said when it is set; get_attr reads
    it back. Wizards can name somebody else instead of me.
    """
    name, what = _who_and_what(rest, "set_attr me NAME[TYPE]=VALUE")
    account = await _whose(visitor, name)
    present = await visitor.world.store.attributes(account.key)
    attribute = attributes.parse(what, present)
    if len(present) >= MOST_ATTRIBUTES and fold(attribute.name) not in present:
        raise Illegal(f"{MOST_ATTRIBUTES} attributes are as many as anybody may have", given=attribute.name)
    await visitor.world.store.commit(changes.set_attribute(account.key, attribute))


@command("get_attr me [NAME]", "attrs", role="player")
async def get_attr(visitor: Visitor, rest: str) -> None:
    """Read your attributes, or one of them.

    For example:  get_attr me grapple_ad
    Wizards can name somebody else instead of me.
    """
    name, _, wanted = (rest or "me").partition(" ")
    account = await _whose(visitor, name)
    found = await visitor.world.store.attributes(account.key)
    if not wanted:
        visitor.tell("\n".join(map(attributes.written, found.values())) or f"{account.name} has no attributes.")
        return
    key = wanted.strip().casefold()
    if key not in found:
        raise Illegal(unknown("attribute", cut(wanted), [a.name for a in found.values()]), given=wanted)
    visitor.tell(attributes.written(found[key]))


@command("unset_attr me NAME", role="player")
async def unset_attr(visitor: Visitor, rest: str) -> None:
    """Take an attribute away.

    For example:  unset_attr me grapple_ad
    Wizards can name somebody else instead of me.
    """
    name, wanted = _who_and_what(rest, "unset_attr me NAME")
    account = await _whose(visitor, name)
    found = await visitor.world.store.attributes(account.key)
    if wanted.casefold() not in found:
        raise Illegal(unknown("attribute", cut(wanted), [a.name for a in found.values()]), given=wanted)
    await visitor.world.store.commit(changes.unset_attribute(account.key, wanted))
    visitor.tell(f"{found[wanted.casefold()].name} is gone")


@command("password", role="player")
async def password(visitor: Visitor, rest: str) -> None:
    """Change your password.

    The new one is asked for and not shown.
    """

    async def change(typed: str) -> None:
        hashed = await passwords.hashed(passwords.check(typed))
        await visitor.world.store.commit(changes.change_account(visitor.key, password=hashed))
        visitor.tell("Your password is changed.")

    if rest:
        raise Illegal("password stands alone: the new one is asked for, so that nobody reads it", given="")
    visitor.ask(change)
