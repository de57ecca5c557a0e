"""Commands for every visitor: talking, looking, walking, and help."""

from __future__ import annotations

from affray.errors import Illegal, unknown
from affray.system.schema import cut
from affray.world.actions import places, talk
from affray.world.actions.acting import has_role
from affray.world.combats.turns import in_words, turns_of
from affray.world.commands.combat.registry import page_of
from affray.world.commands.registry import COMMANDS, command, find
from affray.world.people.visitor import Visitor


@command("say TEXT", '"TEXT', does=talk.say)
async def say(visitor: Visitor, rest: str) -> None:
    """Speak to everyone in this place.

    A quotation mark before the text does the same:  "Hello there
    """
    await talk.say(visitor, rest)


@command("pose TEXT", ":TEXT", "emote", does=talk.pose)
async def pose(visitor: Visitor, rest: str) -> None:
    """Do something that everyone in this place sees.

    Your name comes before the text. A colon does the same:  :draws a knife.
    """
    await talk.pose(visitor, rest)


@command("whisper NAME TEXT", "tell", does=talk.whisper)
async def whisper(visitor: Visitor, rest: str) -> None:
    """Say something that only one person hears."""
    name, _, text = rest.partition(" ")
    await talk.whisper(visitor, name, text)


@command("roll DICE", does=talk.roll)
async def roll(visitor: Visitor, rest: str) -> None:
    """Throw dice that everyone in this place sees.

    For example:  roll 3d6,  roll d20,  roll 2d10+1
    """
    await talk.roll(visitor, rest)


@command("look", "l")
async def look(visitor: Visitor, rest: str) -> None:
    """See the place you are in.

    It lists the exits, the people there, and the combat, if there is one.
    """
    visitor.tell(visitor.look())


@command("go WAY", "walk", does=places.enter)
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
    await places.enter(visitor, leads_to, f"goes {rest.casefold()}")


@command("who")
async def who(visitor: Visitor, rest: str) -> None:
    """See who is connected, with role and place."""
    visitor.tell(visitor.world.people.who())


@command("turns", does="players")
async def turns(visitor: Visitor, rest: str) -> None:
    """List the combats that wait for you.

    Those by correspondence whose time runs out first come first.
    """
    lines = []
    for turn in turns_of(visitor.world, visitor.key):
        place = visitor.world.places.get(turn.combat.place)
        left = "" if turn.left is None else f"; {in_words(turn.left)} left"
        where = f" at {place.name}" if place else ""
        lines.append(f"{turn.combat.name}{where} ({turn.combat.system.id}): {', '.join(turn.fighters)}{left}")
    visitor.tell("\n".join(lines) or "No combat waits for you.")


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
        able = [c for _, c in sorted(COMMANDS.items()) if has_role(visitor, c.who)]
        lines = [f"{c.usage:30} {c.page.splitlines()[0]}" for c in able]
        visitor.tell("\n".join([*lines, "", "help COMMAND explains a command."]))
        return
    word, _, more = rest.partition(" ")
    found = find(word)
    if found is None:
        raise Illegal(unknown("command", word, sorted(COMMANDS)), given=cut(word))
    visitor.tell(page_of(more.strip()) if found.has_subcommands and more else found.full_page())
