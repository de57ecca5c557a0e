"""How to play a system, in five minutes: what its handout says to newcomers, with an example that is really played."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, NamedTuple

from affray.errors import Invalid
from affray.fight import Fight
from affray.handouts.printing import filled, handout_for
from affray.system.abilities import Print
from affray.system.contract import System
from affray.system.handout import Concept, Grid, Lesson, Section
from affray.system.schema import settle

ODDS = (
    "Beside a move: how likely the fight is to end in each way if you make it, and a bar with a character for each. "
    "The line above the figures says how everyone then goes on, the line below whether they are exact or sampled."
)
"""What all systems have in common on the screen."""


class Screen(NamedTuple):
    """Text as the screen shows it, line by line."""

    lines: tuple[str, ...]


class Steps(NamedTuple):
    """What is done one after another."""

    lines: tuple[str, ...]


class Part(NamedTuple):
    """A part of a lesson: paragraphs, tables, steps, and pieces of the screen, under a heading."""

    heading: str
    blocks: tuple[str | Grid | Screen | Steps, ...]


def lesson(system: System[Any, Any]) -> dict[str, Part]:
    """The lesson of a system by the names of its parts, with the values of the usual options."""
    printed = system.ability(Print)
    written = printed.handout().lesson if printed else None
    if written is None:
        raise Invalid(f"{system.id} has no lesson; `affray rules {system.id}` shows its rules", given=system.id)
    usual = settle(system.all_options, {}, profiles=system.profiles)
    goal, turn, first = ([filled(line, usual) for line in part] for part in (written.goal, written.turn, written.first))
    screen = tuple(tuple(filled(cell, usual) for cell in row) for row in written.screen)
    more = f"Every rule: `affray rules {system.id}`. The rules on a page to print: `affray print {system.id}`."
    return {
        "goal": Part("What it is about", tuple(goal)),
        "turn": Part("A turn", tuple(turn)),
        "screen": Part("What the screen shows", (screen, ODDS)),
        "example": Part("A few moves of a fight", tuple(_played(system, written))),
        "first": Part("What to try first", (*first, more)),
    }


def primer(system: System[Any, Any]) -> dict[str, Part]:
    """The rules of a system in five minutes, for readers who need no screen of a terminal explained."""
    usual = settle(system.all_options, {}, profiles=system.profiles)
    printed = handout_for(system, usual)
    taught = lesson(system) if printed.lesson else {}
    known = {name: taught[name] for name in ("goal", "turn") if name in taught}
    sections = {f"section-{n}": Part(s.heading, tuple(_blocks(s))) for n, s in enumerate(printed.sections, 1)}
    return known | sections | {name: taught[name] for name in ("example",) if name in taught}


def _blocks(section: Section) -> Iterator[str | Grid | Steps]:
    yield from section.lines
    if section.steps:
        yield Steps(section.steps)
    if section.table:
        yield section.table
    yield from section.below


def concepts(system: System[Any, Any]) -> list[Concept]:
    """What a guided fight of a system explains when it comes up; empty for a system without a lesson."""
    printed = system.ability(Print)
    written = printed.handout().lesson if printed else None
    usual = settle(system.all_options, {}, profiles=system.profiles)
    return [replace(one, says=filled(one.says, usual)) for one in written.concepts] if written else []


def _played(system: System[Any, Any], written: Lesson) -> Iterator[str | Screen]:
    """The example: how the fight opens, then each step as it comes out and what to see in it, and how it stands."""
    fight = Fight(system, written.teams, seed=written.seed)
    opening = fight.story.splitlines()
    yield Screen((*opening, "", *fight.status().splitlines()))
    for step in written.example:
        shown: list[str] = []
        for answer in step.play:
            who, _, move = answer.partition(": ")
            shown += [f"> {answer}", *(str(line) for line in fight.play(who, move))]
        yield Screen(tuple(shown))
        yield step.says
    yield Screen(tuple(fight.status().splitlines()))
