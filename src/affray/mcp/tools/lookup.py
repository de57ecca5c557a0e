"""Tools to look things up: systems, rules with their citations, fighters, and how whole fights end."""

from __future__ import annotations

import asyncio
import json
import time
from contextlib import suppress
from dataclasses import asdict
from typing import Annotated, Any, Literal

from pydantic import Field

from affray.errors import Invalid, unknown
from affray.fight.verifying import report
from affray.mcp.tools.registry import Ctx, Told, plain, tool
from affray.players.tactics import usual_tactics
from affray.system.listing import entries, in_words
from affray.system.listing import rules as rules_of
from affray.system.registry import find, names
from affray.system.schema import allowed, settle
from affray.system.setup import Setup
from affray.world.combats.combat import check_length

SystemName = Annotated[str, Field(description="the id of a combat system", max_length=60)]
Specs = Annotated[
    dict[str, list[str | dict[str, Any]]],
    Field(
        description="the fighters of each team: ids of sheets such as 'goblin', ids with changes such as "
        "'goblin:name=Grik', or whole sheets as tables",
        max_length=62,
    ),
]
Options = Annotated[dict[str, int | str | bool], Field(description="options of the rules", max_length=200)]
Tactics = Annotated[
    dict[str, str], Field(description="the tactic of a fighter or of a team, by its name", max_length=62)
]
MOST_LISTED = 60
MOST_FIGHTS = 1_000_000
MOST_FIGHTERS = 12
MOST_CHARACTERS = 4_000_000  # of a log
PATIENCE = 20.0  # seconds of fights

counting = asyncio.Semaphore(1)  # one simulation uses all cores


@tool(reads=True)
async def systems(ctx: Ctx) -> Told:
    """List the combat systems, each with its tactics and teams for a first fight."""
    known = [
        {
            "id": system.id,
            "title": system.title,
            "summary": system.summary,
            "tactics": list(system.tactics),
            "example_teams": {team: list(specs) for team, specs in system.demonstration.items()},
        }
        for system in map(find, names())
    ]
    lines = [f"{one['id']}: {one['title']}. {one['summary']}".strip() for one in known]
    return Told("\n".join(lines), {"systems": known})


@tool(reads=True)
async def rules(
    ctx: Ctx,
    system: SystemName,
    find_words: Annotated[str, Field(description="words that the rule must contain", max_length=200)] = "",
    id: Annotated[str, Field(description="the id of one ruling or option", max_length=60)] = "",
) -> Told:
    """Read the rules of a system: all questions they answer, those with some words, or one ruling in full.

    Every ruling says whether the rule document says so or a house rule settles it.
    """
    known = rules_of(system)
    rulings = {ruling.id: ruling for ruling in known.rulings}
    options = {
        option.name: {
            "default": option.default,
            "allowed": allowed(option),
            "help": option.help,
            "ruling": option.ruling,
        }
        for option in known.options
    }
    if id:
        if id not in rulings and id not in options:
            raise Invalid(unknown("ruling or option", id, [*rulings, *options]), given=id, allowed=[*rulings, *options])
        if id in rulings:
            ruling = rulings[id]
            changed = f"\nChanged by: {', '.join(ruling.options)}" if ruling.options else ""
            text = f"{ruling.id} ({ruling.source}): {ruling.question}\n{ruling.text}{changed}"
            return Told(text, plain(asdict(ruling)))
        option = options[id]
        text = f"{id}: {option['help']}. It is {option['allowed']}; usually {option['default']}."
        return Told(text, {"option": id, **option})
    wanted = find_words.lower().split()
    found = [r for r in rulings.values() if all(w in f"{r.id} {r.question} {r.text}".lower() for w in wanted)]
    if wanted and not found:
        raise Invalid(f"no rule of {system} has {find_words!r} in it", given=find_words)
    shown = [f"{r.id} ({r.source}): {r.text if wanted else r.question}" for r in found[:MOST_LISTED]]
    more = [f"({len(found) - MOST_LISTED} more)"] * (len(found) > MOST_LISTED)
    data = {
        "system": known.system,
        "title": known.title,
        "rulings": [{"id": r.id, "question": r.question, "source": r.source} for r in found],
        "options": options if not wanted else {},
    }
    return Told("\n".join([*shown, *more, *([] if wanted else [f"Options: {', '.join(options)}"])]), data)


@tool(reads=True)
async def sheets(
    ctx: Ctx,
    system: SystemName,
    find_words: Annotated[str, Field(description="words that the entry must contain", max_length=200)] = "",
) -> Told:
    """List the ready-made fighters, creatures and items of a system, a line each."""
    wanted = find_words.lower().split()
    found: dict[str, list[dict[str, str]]] = {}
    for kind, known in entries(find(system)).items():
        fits = [e for e in known if all(w in f"{kind} {e.id} {e.name} {e.line}".lower() for w in wanted)]
        if fits:
            found[kind] = [{"id": entry.id, "name": entry.name, "line": entry.line} for entry in fits]
    if not found:
        raise Invalid(f"nothing in {system} has {find_words!r} in its id, name or description", given=find_words)
    lines = [f"{kind}: {e['id']}: {e['line']}" for kind, known in found.items() for e in known]
    if len(lines) > MOST_LISTED:
        rest = f"({len(lines) - MOST_LISTED} more; find_words narrows the list)"
        lines = [*lines[:MOST_LISTED], rest]
        found = {kind: [{"id": e["id"], "name": e["name"]} for e in known] for kind, known in found.items()}
    return Told("\n".join(lines), {"system": system, **found})


@tool(reads=True)
async def sheet(
    ctx: Ctx,
    system: SystemName,
    spec: Annotated[str | dict[str, Any], Field(description="an id, an id with changes, or a whole sheet as a table")],
) -> Told:
    """See one fighter in full, or check a sheet of your own: what does not fit is said."""
    known = find(system)
    made = known.enlist(spec, files=False)
    table = known.as_table(made)
    derived = {key: value for key, value in known.derived(made, settle(known.options, {})).items() if key not in table}
    lines = [f"{key.replace('_', ' ')}: {in_words(value)}" for key, value in {**table, **derived}.items() if value]
    data = {"sheet": plain(table), "derived": plain(derived), "tactic": known.usual_tactic(made)}
    return Told("\n".join(lines), data)


class Patience:
    """Ends a simulation that takes too long, as Ctrl-C would."""

    def __init__(self) -> None:
        self._until = time.monotonic() + PATIENCE

    def __call__(self, done: int, of: int) -> None:
        if time.monotonic() > self._until:
            raise KeyboardInterrupt


def setup_of(system: str, teams: dict[str, list[str | dict[str, Any]]], options: dict[str, Any]) -> Setup[Any]:
    """A set-up from what a model gives, which must name no file of this machine."""
    setup = Setup.of(system, teams, options, files=False)
    if len(setup.names) > MOST_FIGHTERS:
        problem = f"the number of fighters must be at most {MOST_FIGHTERS}, not {len(setup.names)}"
        raise Invalid(problem, given=len(setup.names))
    return setup


@tool(reads=True)
async def simulate(
    ctx: Ctx,
    system: SystemName,
    teams: Specs,
    options: Options | None = None,
    tactics: Tactics | None = None,
    fights: Annotated[int, Field(ge=1, le=MOST_FIGHTS, description="how many fights")] = 20_000,
    seed: Annotated[int, Field(ge=0, le=2**62)] = 0,
) -> Told:
    """Fight many times by tactics and count the endings, with 95 % intervals and figures for every fighter."""
    from affray.lab.simulate import simulate as run

    setup = setup_of(system, teams, options or {})
    chosen = usual_tactics(setup, tactics)
    async with counting:
        ended = await asyncio.to_thread(
            run, setup, tactics=chosen, fights=fights, seed=seed, seconds=PATIENCE, progress=Patience()
        )
    table = ended.as_table()
    lines = [f"{ended.fights:,} fights, {ended.mean_rounds.value:.2f} rounds on average"]
    lines += [f"{ending}: {r.value:.2%} ({r.low:.2%} to {r.high:.2%})" for ending, r in ended.rates.items()]
    for who, row in ended.figures.items():
        lines.append(f"{who}: " + ", ".join(f"{name} {rate.value:.2f}" for name, rate in row.items()))
    kept = ("fights", "seed", "counts", "rates", "mean_rounds", "figures")
    return Told("\n".join(lines), plain({key: table[key] for key in kept if key in table} | {"tactics": chosen}))


@tool(reads=True)
async def fight_odds(
    ctx: Ctx,
    system: SystemName,
    teams: Specs,
    options: Options | None = None,
    tactics: Tactics | None = None,
    play: Annotated[Literal["tactics", "best"], Field(description="whether one team plays its best")] = "tactics",
    team: Annotated[str, Field(description="the team that plays its best (the first)", max_length=60)] = "",
) -> Told:
    """The chance of every ending of a whole fight before it begins: exact where the states can be counted."""
    from affray.lab.forecast import forecast

    setup = setup_of(system, teams, options or {})
    async with counting:
        seen = await asyncio.to_thread(
            forecast,
            setup,
            tactics=usual_tactics(setup, tactics),
            play=play,
            team=setup.team(team or None),
            fights=20_000,
            progress=Patience(),
        )
    lines = [f"{ending}: {float(chance):.2%}" for ending, chance in seen.odds.chances.items()]
    return Told("\n".join([*lines, f"Odds: {seen.odds.how}."]), plain(seen.odds.as_table()))


@tool(reads=True)
async def verify_log(
    ctx: Ctx, log: Annotated[str, Field(description="the content of a save file or log", max_length=MOST_CHARACTERS)]
) -> Told:
    """Check a save file or log: every move and every die, by the rules."""
    with suppress(ValueError, RecursionError):  # what is no JSON is said below
        check_length(json.loads(log))
    return checked(await asyncio.to_thread(report, log.encode()))


def checked(found: dict[str, Any]) -> Told:
    """What was found in a log."""
    return Told("\n".join([f"The log {'fits' if found['fits'] else 'does not fit'}.", *found["text"]]), found)
