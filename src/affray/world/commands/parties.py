"""Commands for what players keep between fights: parties and encounters."""

from __future__ import annotations

import json
import shlex

from affray.errors import Illegal
from affray.system.schema import cut
from affray.world.actions import parties
from affray.world.combats import parties as stored
from affray.world.commands.registry import command, misused
from affray.world.people.visitor import Visitor


def _words(rest: str, usage: str, fewest: int, most: int) -> list[str]:
    """The words of a line; a name of several words stands in quotation marks."""
    try:
        words = shlex.split(rest)
    except ValueError:
        raise misused(usage, rest) from None
    if not fewest <= len(words) <= most:
        raise misused(usage, rest)
    return words


@command("kept [KIND NAME]", does="players")
async def kept(visitor: Visitor, rest: str) -> None:
    """List what you keep, or show it as a file.

    For example:  kept party fellowship
    The file can be given to others, who type  import party NAME FILE.
    """
    words = _words(rest, "kept [KIND NAME]", 0, 2)
    store = visitor.world.store
    if words:
        kind, name = stored.check_kind(words[0]), words[1] if len(words) > 1 else ""
        visitor.tell(json.dumps((await stored.find(store, visitor.key, kind, name)).as_file()))
        return
    found = await stored.all_of(store, visitor.key)
    lines = [f"{one.kind} {one.name} ({one.system}): {', '.join(_called(seat) for seat in one.seats)}" for one in found]
    visitor.tell("\n".join(lines) or "You keep nothing. help combat keep says how to.")


def _called(seat: dict[str, object]) -> str:
    return str(seat.get("name") or (seat["sheet"] if isinstance(seat.get("sheet"), str) else "a fighter"))


@command("import KIND NAME FILE", does=parties.keep)
async def import_file(visitor: Visitor, rest: str) -> None:
    """Keep what a file has.

    It is a party or an encounter, as  kept KIND NAME  shows it.
    """
    head, brace, tail = rest.partition("{")
    words = _words(head, "import KIND NAME FILE", 2, 2)
    try:
        table = json.loads(brace + tail)
    except ValueError:
        raise Illegal("the file must be JSON, as kept KIND NAME shows it", given=cut(brace + tail)) from None
    made = await parties.keep(visitor, words[0], words[1], table)
    visitor.tell(f"You keep {made.kind} {made.name}.")


@command("duplicate KIND NAME NEW", does=parties.copy)
async def duplicate(visitor: Visitor, rest: str) -> None:
    """Keep a copy under another name."""
    made = await parties.copy(visitor, *_words(rest, "duplicate KIND NAME NEW", 3, 3))
    visitor.tell(f"You keep {made.kind} {made.name}.")


@command("forget KIND NAME", does=parties.forget)
async def forget(visitor: Visitor, rest: str) -> None:
    """No longer keep a party or an encounter."""
    kind, name = _words(rest, "forget KIND NAME", 2, 2)
    await parties.forget(visitor, kind, name)
    visitor.tell(f"You no longer keep {kind} {name}.")


@command("recover PARTY WAY", does=parties.restore_party)
async def recover(visitor: Visitor, rest: str) -> None:
    """Let a party recover between fights.

    The ways are those of its system, such as rest or heal. Not while it fights.
    """
    await parties.restore_party(visitor, *_words(rest, "recover PARTY WAY", 2, 2))
