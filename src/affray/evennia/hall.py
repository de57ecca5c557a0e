"""An Evennia game as the commands of a world see it: characters are accounts, rooms are places, scripts keep fights."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Coroutine, Iterator
from types import SimpleNamespace
from typing import Any, cast

from django.conf import settings
from django.db import transaction
from evennia.objects.models import ObjectDB
from evennia.utils.utils import inherits_from
from twisted.internet import reactor, threads
from twisted.internet.defer import Deferred

from affray.errors import Refused
from affray.evennia.thinking import Thinkers
from affray.kernel.chance import Fair, Physical
from affray.world.combats import autoplay
from affray.world.combats.combat import Combat
from affray.world.combats.combats import Combats, load
from affray.world.people.visitor import Kind, Visitor, as_message
from affray.world.store import statements
from affray.world.store.attributes import Attribute, Type, read_value
from affray.world.store.database import Statement
from affray.world.store.tables import Account, CombatRow, Place, Role, fold
from affray.world.world import usual_system

CATEGORY = "affray"
"""The category of the attributes of a character that fights read and write."""
CHARACTER = "evennia.objects.objects.DefaultCharacter"
WIZARDS = "Builder"
"""Characters with this permission or a higher one may do what the owner of a fight may."""
_SET = statements.set_attribute("", Attribute("x", "STRING", "")).sql
_UNSET = statements.unset_attribute("", "x").sql


def key_of(thing: Any) -> str:
    """The key of a character or a room, which no other has."""
    return f"#{thing.id}"


def thing_of(key: str) -> Any:
    """The character or room of a key; None if it is gone."""
    number = key.removeprefix("#")
    return ObjectDB.objects.filter(id=int(number)).first() if key[:1] == "#" and number.isdecimal() else None


class Player(Visitor):
    """A character who types; there is one of these for each."""

    def __init__(self, hall: Hall, character: Any) -> None:
        self.world = cast(Any, hall)
        self.character = character
        self.address, self.gone, self.password = "", False, None

    @property
    def account(self) -> Account:  # type: ignore[override]
        """The character as an account."""
        return account_of(self.character)

    def tell(self, text: str, kind: Kind = "reply") -> None:
        """Show them a message."""
        if text:
            self.character.msg(text=(text.replace("|", "||"), {"type": f"affray_{kind}"}))


def account_of(character: Any) -> Account:
    """A character as an account of a world."""
    where = character.location
    return Account(key_of(character), character.key, _role(character), None, key_of(where) if where else None, None)


def _role(character: Any) -> Role:
    account = character.account
    if account is not None and inherits_from(account, "evennia.accounts.accounts.DefaultGuest"):
        return "guest"
    return "wizard" if character.check_permstring(WIZARDS) else "player"


class People:
    """The characters of the game."""

    def __init__(self, hall: Hall) -> None:
        self._hall = hall
        self._players: dict[str, Player] = {}

    def player(self, character: Any) -> Player:
        """The one who types as a character."""
        known = self._players.get(key_of(character))
        if known is None or known.character is not character:
            known = self._players[key_of(character)] = Player(self._hall, character)
        return known

    def connected(self, key: str) -> list[Player]:
        """The character of a key, if a player is connected to it."""
        character = thing_of(key)
        return [self.player(character)] if character is not None and character.sessions.count() else []

    def is_active(self, key: str) -> bool:
        """Whether a player is connected to the character of a key."""
        return bool(self.connected(key))

    def reads_news(self, key: str) -> bool:
        """Whether a player is told the news as text, which is the only way here."""
        return self.is_active(key)

    def in_place(self, key: str) -> list[Player]:
        """The characters in a room that players are connected to."""
        room = thing_of(key)
        return [self.player(one) for one in room.contents if one.sessions.count()] if room is not None else []

    def call(self, key: str, text: str) -> None:
        """Tell a character something, if a player is connected to it."""
        for player in self.connected(key):
            player.tell(text, "call")

    def tell(self, place: str, text: str, but: Player | None = None) -> None:
        """Tell everyone in a room something."""
        room = thing_of(place)
        if room is not None:
            room.msg_contents(text.replace("|", "||"), exclude=[but.character] if but else None)


class Places:
    """The rooms of the game."""

    def __contains__(self, key: object) -> bool:
        return isinstance(key, str) and thing_of(key) is not None

    def __getitem__(self, key: str) -> Place:
        return self.get(key) or Place(key, "a place that is gone", "", {})

    def __iter__(self) -> Iterator[str]:
        return iter(())

    def get(self, key: str) -> Place | None:
        """The room of a key."""
        room = thing_of(key)
        return Place(key, room.key, "", {}) if room is not None else None

    def changed(self, key: str) -> None:
        """Nothing else shows what is in a room."""


class Stored:
    """What the game keeps: attributes of characters, and fights in scripts."""

    async def account(self, name: str) -> Account | None:
        """The character of a key or a name."""
        found = thing_of(name)
        if found is None:
            alike = ObjectDB.objects.filter(db_key__iexact=name).order_by("id")
            found = next((one for one in alike if inherits_from(one, CHARACTER)), None)
        return account_of(found) if found is not None else None

    async def attributes(self, key: str) -> dict[str, Attribute]:
        """What a character has written for fights."""
        character = thing_of(key)
        if character is None:
            return {}
        kept = character.attributes.all(category=CATEGORY)
        return {fold(one.key): Attribute(one.key, type_of(one.value), one.value) for one in kept}

    async def commit(self, *changes: object) -> None:
        """Carry out what concerns characters; fights are kept by their scripts."""
        for change in changes:
            if isinstance(change, Statement) and change.sql == _SET:
                account, _, name, type, value = change.values
                thing_of(str(account)).attributes.add(
                    str(name), read_value(str(name), cast(Type, type), str(value)), category=CATEGORY
                )
            elif isinstance(change, Statement) and change.sql == _UNSET:
                account, name = change.values
                thing_of(str(account)).attributes.remove(str(name), category=CATEGORY)

    async def combat(self, number: int) -> CombatRow | None:
        """The fight of a number, also one that has been ended."""
        script = scripts().filter(id=number).first()
        return CombatRow(**script.kept["row"]) if script is not None else None

    async def answers(self, number: int) -> list[dict[str, Any]]:
        """The log of a fight."""
        script = scripts().filter(id=number).first()
        return list(script.kept["answers"]) if script is not None else []

    async def run_log(self, run: Callable[[], None], moves: int) -> None:
        """Run a stored log; a game of Evennia has no other thread for it."""
        run()


def type_of(value: object) -> Type:
    """The type of an attribute's value."""
    kinds: tuple[tuple[type, Type], ...] = ((bool, "BOOLEAN"), (int, "INTEGER"), (float, "FLOAT"))
    return next((name for kind, name in kinds if isinstance(value, kind)), "STRING")


def scripts() -> Any:
    """All scripts that keep fights."""
    from affray.evennia.scripts import FightScript

    return FightScript.objects.all()


class Fights(Combats):
    """The fights of the game by the keys of their rooms; each is kept by a script of its room."""

    def read_all(self) -> None:
        """Run the logs of all fights that have not been ended."""
        for script in scripts():
            row = CombatRow(**script.kept["row"])
            if row.phase != "ended":
                self[row.place] = finished(load(cast(Any, self._world.store), row))

    async def _read_again(self, place: str, by_others: bool) -> None:
        before = self.awake(place)
        assert before is not None
        row = await self._world.store.combat(before.number)
        if row is None:
            self.data.pop(place, None)
            return
        combat = self[place] = await load(self._world.store, row)
        combat.watchers = before.watchers

    async def _store_new(self, combat: Combat) -> None:
        from affray.evennia.scripts import FightScript

        made, problems = FightScript.create(f"fight: {combat.name}", obj=thing_of(combat.place))
        if made is None:
            raise Refused(f"the fight cannot be kept: {'; '.join(problems)}")
        combat.number = made.id
        made.keep(combat)
        self[combat.place] = combat

    async def store(
        self, combat: Combat, *more: Any, roster: bool = False, anew: bool = False, padding: int = 0
    ) -> None:
        """Keep a fight in its script, and what it has brought to characters."""
        try:
            with transaction.atomic():
                await self._world.store.commit(*more)
                scripts().get(id=combat.number).keep(combat)
        except BaseException:
            combat.is_doubtful = True
            raise
        combat.stored = len(combat.movers)
        combat.version += 1 + padding

    def __delitem__(self, place: str) -> None:
        combat = self.awake(place)
        super().__delitem__(place)
        if combat is not None:
            scripts().get(id=combat.number).put_away(combat)


class Hall:
    """The game as the commands of a world see it."""

    def __init__(self) -> None:
        self.store, self.places, self.people = Stored(), Places(), People(self)
        self.peers = None
        self.worker = SimpleNamespace(ask=_asked)
        self.thinkers, self.background = Thinkers(), Background()
        self.combats = Fights(cast(Any, self))
        self.combats.read_all()

    @property
    def default_system(self) -> str:
        """The system of a fight if none is named."""
        return str(getattr(settings, "AFFRAY_DEFAULT_SYSTEM", "")) or usual_system()

    def dice(self) -> Physical:
        """Fair dice for a new fight."""
        return Fair(secrets.token_bytes(32))

    def go_on(self) -> None:
        """Let computer fighters move that had to when the server ended."""
        for combat in filter(autoplay.is_due, self.combats.values()):
            autoplay.play_on(cast(Any, self), combat)


def _asked(key: object, do: Callable[..., str], *args: object) -> Deferred[str]:
    """Work something out in a thread, so that the game goes on."""
    return threads.deferToThread(do, *args)


_hall: Hall | None = None


def hall() -> Hall:
    """The game; its fights are read when it is first asked for."""
    global _hall
    if _hall is None:
        _hall = Hall()
    return _hall


def forget() -> None:
    """Read everything again when the game is next asked for."""
    global _hall
    if _hall is not None:
        _hall.thinkers.close()
    _hall = None


# --- carrying out what a world does ------------------------------------------------------------------------------


def finished(work: Coroutine[Any, Any, Any]) -> Any:
    """The result of work that has nothing to wait for."""
    try:
        work.send(None)
    except StopIteration as done:
        return done.value
    work.close()
    raise RuntimeError("this must not wait")


def obey(player: Player, work: Coroutine[Any, Any, None]) -> None:
    """Carry out a command; a refusal is told to the character who typed it."""
    try:
        finished(work)
    except Refused as problem:
        combat = player.world.combats.get(player.account.place or "")
        names = {player.name, *(member.name for member in combat.roster)} if combat else {player.name}
        player.tell(as_message(str(problem), names))


class Background:
    """Work that goes on while others type, each under a name."""

    def __init__(self) -> None:
        self._running: set[str] = set()

    def is_running(self, name: str) -> bool:
        """Whether work of that name is not done yet."""
        return name in self._running

    def start(self, work: Coroutine[Any, Any, None], name: str) -> None:
        """Begin soon."""
        self._running.add(name)
        soon(self._step, work, name)

    def _step(self, work: Coroutine[Any, Any, None], name: str) -> None:
        try:
            waits_for = work.send(None)
        except StopIteration:
            self._running.discard(name)
        except BaseException:
            self._running.discard(name)
            raise
        else:
            if isinstance(waits_for, Deferred):
                waits_for.addBoth(self._resume, work, name)
            else:
                soon(self._step, work, name)

    def _resume(self, result: object, work: Coroutine[Any, Any, None], name: str) -> object:
        soon(self._step, work, name)
        return result


def soon(do: Callable[..., None], *args: object) -> None:
    """Do something after what is being done."""
    cast(Any, reactor).callLater(0, do, *args)
