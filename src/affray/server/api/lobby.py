"""The lobby: fights to play, to join and to watch, found by words and page by page; and setting up a new one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Annotated, Any, Literal

from msgspec import Meta

from affray.errors import Illegal
from affray.fight import Fight
from affray.kernel.chance import Seeded
from affray.server.api import messages as m
from affray.server.api.callers import Caller
from affray.server.api.routes import PageNumber, Routes
from affray.server.api.views import awaits, is_own, summary_of, table_of, way_in
from affray.world.actions import creation, fights
from affray.world.actions.acting import At
from affray.world.combats.listing import Asleep, Listed
from affray.world.combats.odds import difficulty_table
from affray.world.combats.turns import turns_of
from affray.world.people.profiles import ON_A_PAGE
from affray.world.store.tables import fold
from affray.world.world import World

Which = Literal["yours", "open", "live", "ended"]
Search = Annotated[str, Meta(max_length=100)]
FIRST = 12  # of each list that the lobby shows
MOST_PLACES = 30
routes = Routes("/api", "lobby")


@routes.get("/lobby")
async def lobby(caller: Caller) -> m.Lobby:
    """What there is to do: your own fights, seats for anyone, fights to watch, and the places."""
    world = caller.world
    lists = {which: _present(caller, which) for which in ("yours", "open", "live")}
    shown = {which: [await _summary(caller, one) for one in found[:FIRST]] for which, found in lists.items()}
    totals = {which: len(found) for which, found in lists.items()} | {"ended": await world.store.count_ended()}
    return m.Lobby(**shown, totals=totals, places=await _places(world), turns=await turns(caller))


@routes.get("/turns")
async def turns(caller: Caller) -> list[m.TurnShown]:
    """Every fight that waits for you, those first whose time runs out first."""
    found = turns_of(caller.world, caller.key)
    return [m.TurnShown(t.combat.number, t.combat.name, t.combat.system.id, t.fighters, t.left) for t in found]


async def _places(world: World) -> list[m.PlaceShown]:
    shown = []
    for place in [place for place in world.places.values() if not creation.is_table(place)][:MOST_PLACES]:
        combat = world.combats.get(place.key)
        summary = await summary_of(world, combat, combat.phase) if combat else None
        people = list(world.people.names_in(place.key).values())
        shown.append(m.PlaceShown(place.key, place.name, place.description, people, summary))
    return shown


@routes.get("/combats")
async def combats(caller: Caller, which: Which = "live", search: Search = "", page: PageNumber = 1) -> m.FightsFound:
    """The fights of a kind that have all words of a search, page by page: yours, open, live or ended ones."""
    words, skip = search.split(), (page - 1) * ON_A_PAGE
    if which == "ended":
        store = caller.world.store
        total = await store.count_ended(words)
        rows = await store.ended_combats(ON_A_PAGE, skip, words)
        shown = [await summary_of(caller.world, Asleep.of(row), "ended", caller.key) for row in rows]
    else:
        found = [combat for combat in _present(caller, which) if _has(combat, words)]
        total = len(found)
        shown = [await _summary(caller, combat) for combat in found[skip : skip + ON_A_PAGE]]
    return m.FightsFound(shown, total, page, max(1, -(-total // ON_A_PAGE)))


async def _summary(caller: Caller, combat: Listed) -> m.Summary:
    return await summary_of(caller.world, combat, combat.phase, caller.key)


def _present(caller: Caller, which: str) -> list[Listed]:
    """The fights of a kind that have not been ended: those first that wait for the caller, then the newest."""
    key = caller.key
    kinds: dict[str, Callable[[Listed], bool]] = {
        "yours": lambda combat: is_own(combat, key),
        "open": lambda combat: way_in(combat) is not None and not is_own(combat, key),
        "live": lambda combat: way_in(combat) is None and not is_own(combat, key),
    }
    found = filter(kinds[which], list(caller.world.combats.values()))
    phases = ("running", "setup", "over")
    return sorted(found, key=lambda one: (not awaits(one, key), phases.index(one.phase), -one.number))


def _has(combat: Listed, words: Sequence[str]) -> bool:
    """Whether a fight has all words, each in its name, its system, or the name of someone in it."""
    names = [combat.name, combat.system.id, combat.system.title, combat.owner, *combat.players]
    known = [fold(text) for text in (*names, *(member.name for member in combat.roster))]
    return all(any(fold(word) in text for text in known) for word in words)


@routes.post("/difficulty", status=200)
async def difficulty(caller: Caller, data: m.DifficultyAsked) -> dict[str, Any]:
    """How likely each side is to win a fight that is being put together; only the newest question is answered."""
    seats = [seat.on(team) for team, members in data.teams.items() for seat in members]
    combat = await creation.dry_run(caller, "difficulty", data.system, data.options, seats)
    fight = combat.opened(combat.ordered([]), 0, Seeded(0))
    assert isinstance(fight, Fight)
    named = zip(fight.names, combat.roster, strict=True)
    tactics = {name: one.tactic for name, one in named if one.tactic in combat.system.tactics}
    asking = (caller.key or caller.address, "difficulty")
    return await caller.world.worker.ask(asking, difficulty_table, fight, data.fights, tactics)


@routes.post("/combats", creation.create, fights.start)
async def host(player: Caller, data: m.NewCombat) -> m.Table:
    """Set up a fight, and start it where that is wanted."""
    seats = [seat.on(team) for team, members in data.teams.items() for seat in members]
    if len([seat for seat in seats if seat.by == creation.ME]) > 1:
        raise Illegal("you can take one seat yourself; give the others to the storyteller", given="me")
    combat = await creation.create(
        player, data.name, data.system, data.options, seats, data.place, game=data.game, startable=data.start
    )
    if data.start:
        await fights.start(player, At(combat.place, combat.number), [])
    return await table_of(player, combat, combat.phase)
