"""What every visitor can do in a world: talk, look, walk, and ask for help."""

from __future__ import annotations

from dataclasses import replace

from affray.errors import Illegal, unknown
from affray.system.schema import cut
from affray.world.commands.combat.registry import page_of
from affray.world.commands.registry import COMMANDS, command, find, may_use
from affray.world.people.visitor import Visitor
from affray.world.store import statements


def _text(rest: str, word: str) -> str:
    if not rest:
        raise Illegal(f"{word} needs a text:  {word} TEXT", given=rest)
    return rest


@command("say TEXT", '"TEXT')
async def say(visitor: Visitor, rest: str) -> None:
    """Speak to everyone in this place.

    A quotation mark before the text does the same:  "Hello there
    """
    text = _text(rest, "say")
    visitor.tell(f'You say, "{text}"', "said")
    visitor.world.people.tell(visitor.here().key, f'{visitor.name} says, "{text}"', but=visitor)


@command("pose TEXT", ":TEXT", "emote")
async def pose(visitor: Visitor, rest: str) -> None:
    """Do something that everyone in this place sees.

    Your name comes before the text. A colon does the same:  :draws a knife.
    """
    visitor.world.people.tell(visitor.here().key, f"{visitor.name} {_text(rest, 'pose')}")


@command("look", "l")
async def look(visitor: Visitor, rest: str) -> None:
    """See the place you are in.

    It lists the exits, the people there, and the combat, if there is one.
    """
    visitor.tell(visitor.look())


@command("go WAY", "walk")
async def go(visitor: Visitor, rest: str) -> None:
    """Walk to another place.

    look lists the exits; typing the name of an exit is enough. If you take part in
    a combat you stay in it, but you must come back to move; if you watch one, you
    stop watching.
    """
    here = visitor.here()
    leads_to = visitor.exit_called(rest)
    if not rest:
        raise Illegal(f"go needs a way:  go WAY; there are: {', '.join(here.exits) or 'none'}", given=rest)
    if leads_to is None:
        raise Illegal(unknown("way", rest, here.exits), given=rest, allowed=list(here.exits))
    await walk(visitor, leads_to, f"goes {rest.casefold()}")


async def walk(visitor: Visitor, leads_to: str, how: str) -> None:
    """Take an account with all its connections to another place; those who are left there see how it goes."""
    world, account, left = visitor.world, visitor.account, visitor.place
    if account.role != "guest":
        await world.store.commit(statements.change_account(account.key, place=leads_to))
    if left is not None:
        world.people.tell(left.key, f"{visitor.name} {how}.", account=account.key)
        if left.key in world.combats:
            world.combats[left.key].watchers.discard(account.key)
    world.people.tell(leads_to, f"{visitor.name} has arrived.", account=account.key)
    visitor.account = replace(account, place=leads_to)
    world.people.move(visitor.account)


@command("who")
async def who(visitor: Visitor, rest: str) -> None:
    """See who is connected, with role and place."""
    visitor.tell(visitor.world.people.who())


@command("quit", "exit", "logout")
async def quit(visitor: Visitor, rest: str) -> None:
    """Leave this world.

    Your place, your attributes and your combats stay as they are.
    """
    visitor.tell("Goodbye.")
    visitor.gone = True


@command("help [COMMAND]", "?")
async def help(visitor: Visitor, rest: str) -> None:
    """List all commands, or explain one.

    For example:  help say,  help combat,  help combat move
    """
    if not rest:
        able = [c for _, c in sorted(COMMANDS.items()) if may_use(visitor, c.who)]
        lines = [f"{c.usage:30} {c.page.splitlines()[0]}" for c in able]
        visitor.tell("\n".join([*lines, "", "help COMMAND explains a command."]))
        return
    word, _, more = rest.partition(" ")
    found = find(word)
    if found is None:
        raise Illegal(unknown("command", word, sorted(COMMANDS)), given=cut(word))
    visitor.tell(page_of(more.strip()) if found.has_subcommands and more else found.full_page())
