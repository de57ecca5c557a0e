"""The rules of each system in five minutes, and what a guided first fight explains."""

from __future__ import annotations

from functools import cache

from affray.handouts.lesson import Screen, Steps, concepts, primer
from affray.server.api.messages import BlockShown, ConceptShown, LessonPart, LessonShown
from affray.server.api.routes import Routes
from affray.system.abilities import Print
from affray.system.handout import Grid
from affray.system.registry import find
from affray.system.setup import read_teams

routes = Routes("/api/systems", "systems")


@routes.get("/{id:str}/lesson")
async def lesson(id: str) -> LessonShown:
    """The rules of a system in five minutes, and what a first fight explains when it comes up."""
    return _shown(find(id).id)


@cache
def _shown(id: str) -> LessonShown:
    system = find(id)
    printed = system.ability(Print)
    written = printed.handout().lesson if printed else None
    teams = read_teams(written.teams) if written else system.demonstration
    parts = [LessonPart(heading, [_block(block) for block in blocks]) for heading, blocks in primer(system).values()]
    explained = [ConceptShown(list(one.when), one.says) for one in concepts(system)]
    first = {team: [str(spec) for spec in members] for team, members in teams.items()}
    return LessonShown(id, system.title, system.summary, parts, first, explained)


def _block(block: str | Screen | Steps | Grid) -> BlockShown:
    if isinstance(block, str):
        return BlockShown("text", [block])
    if isinstance(block, Screen):
        return BlockShown("played", list(block.lines))
    if isinstance(block, Steps):
        return BlockShown("steps", list(block.lines))
    return BlockShown("table", rows=[list(row) for row in block])
