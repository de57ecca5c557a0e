"""Save files of fights: what their logs hold, and how they run again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from affray.fight import Answer, Fight
from affray.fight.concluding import concluded_by
from affray.fight.logfile import (
    Ask,
    LogFile,
    Verdict,
    agree_on_fall,
    content_of,
    courses,
    dice_of,
    entry,
    position,
    read,
    reading,
    seal,
    whim_of,
    write,
)
from affray.kernel.chance import Fell
from affray.system.abilities import Cards
from affray.system.contract import System
from affray.system.registry import find
from affray.system.schema import as_before

__all__ = [
    "LOG",
    "as_entry",
    "as_table",
    "load",
    "public_table",
    "read",
    "reading",
    "rerun",
    "restore",
    "save",
    "seal",
    "verify",
    "write",
]

FORMAT, VERSION = "affray-fight", 4  # since then there are interventions among the answers
NUMBERED_SINCE = 2  # before, an answer without a line in the story shared its number with the next one
THROWS_SINCE = 3  # before, a result was only what it showed


def as_table(fight: Fight) -> dict[str, Any]:
    """Everything needed to continue the fight, as plain JSON values. It has secrets, so it is for its owner only."""
    undone = [{"kept": one.kept, "answers": [as_entry(a) for a in one.answers]} for one in fight.undone]
    return {
        "format": FORMAT,
        "version": VERSION,
        "system": fight.system.id,
        "teams": fight.setup.specs(),
        "options": dict(fight.options),
        "dice": fight.dice.describe(),
        "whim": {
            "seed": fight.whim.seed,
            "number": fight.whim.number,
            "position": fight.whim.position,
            "before": fight.whim_before,
        },
        "opening": [result.written for result in fight.opening],
        "answers": [as_entry(answer) for answer in fight.answers],
        **({"undone": undone} if undone else {}),
        **({"concluded": fight.concluded.as_table()} if fight.concluded else {}),
        "ending": fight.ending,
    }


def as_entry(answer: Answer) -> dict[str, Any]:
    """One answer of a log, as plain JSON values."""
    if not answer.is_word:
        return entry(answer.decision, answer.fell, answer.whim, who=answer.who, move=answer.move)
    joins = {} if answer.sheet is None else {"sheet": answer.sheet}
    return entry(answer.decision, answer.fell, answer.whim, word=answer.move, **joins)


def public_table(fight: Fight, secret_is_out: bool | None = None) -> dict[str, Any]:
    """The log that everyone may have: no secret of fair dice before the end, no choice that is still hidden.

    `secret_is_out=False` keeps the secret beyond the end, as long as moves may still be taken back.
    """
    table = as_table(fight)
    if not (fight.over if secret_is_out is None else secret_is_out):
        table["dice"] = {key: value for key, value in table["dice"].items() if key in ("source", "commitment")}
        table["answers"] = [answer for answer in table["answers"] if answer["decision"] < fight.decision]
        table |= _veiled(fight, table["answers"])
    table["whim"] = None
    for answers in (table["answers"], *(taken_back["answers"] for taken_back in table.get("undone", ()))):
        for answer in answers:
            del answer["whim"]
    return table


def _veiled(fight: Fight, answers: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Changes for the public log of a fight with cards that no player has seen: it runs as if they were unknown."""
    system = fight.system
    cards = system.ability(Cards)
    if cards is None or not cards.veil:
        return {}
    veiled: dict[str, Any] = {
        "teams": {
            team: [system.as_table(cards.public(sheet)) for sheet in members]
            for team, members in fight.setup.by_team.items()
        },
        "options": {**fight.options, **cards.veil},
        "opening": _shown(fight.opening),
        "answers": [_shown_entry(answer, system) for answer, _ in zip(fight.answers, answers, strict=False)],
    }
    if fight.undone:
        veiled["undone"] = [
            {"kept": one.kept, "answers": [_shown_entry(answer, system) for answer in one.answers]}
            for one in fight.undone
        ]
    return veiled


def _shown_entry(answer: Answer, system: System[Any, Any]) -> dict[str, Any]:
    shown, cards = {**as_entry(answer), "fell": _shown(answer.fell)}, system.ability(Cards)
    if answer.sheet is not None and cards is not None:
        shown["sheet"] = system.as_table(cards.public(system.enlist(answer.sheet, files=False)))
    return shown


def _shown(fell: Sequence[Fell]) -> list[list[str | int]]:
    return [result.written for result in fell if not result.unseen]


def rerun(table: Mapping[str, Any], where: str, ask: Ask | None = None) -> Fight:
    """Run a log. Every answer must be legal, and every result must be what its dice give."""
    with reading(where):
        return _run(table, ask)


def _run(table: Mapping[str, Any], ask: Ask | None) -> Fight:
    fight = _opened(table, ask)
    numbered, named = table["version"] >= NUMBERED_SINCE, table["version"] >= THROWS_SINCE
    for course in courses(table):
        for written in course.answers:
            _answer(fight, written if numbered else {**written, "decision": fight.decision}, named=named)
        if course.kept is not None:
            fight.keep(course.kept, agreed=True)
    concluded_by(fight, table.get("concluded"))
    if table["whim"] is not None:
        fight.think_from(position(table["whim"]["before"]))
        fight.whim.position = position(table["whim"]["position"])
    return fight


def _opened(table: Mapping[str, Any], ask: Ask | None) -> Fight:
    system, dice, whim = find(table["system"]), dice_of(table, ask), whim_of(table)
    # Older logs also name the options of what is played around fights.
    beyond = {option.name for option in system.all_options} - {option.name for option in system.options}
    written = {name: value for name, value in table["options"].items() if name not in beyond}
    options = as_before(system.options) | written
    # A log names no files: its fighters are whole.
    fight = Fight(system, table["teams"], dice=dice, options=options, whim=whim, files=False)
    agree_on_fall("at the opening", table["opening"], fight.opening, named=table["version"] >= THROWS_SINCE)
    return fight


def _answer(fight: Fight, written: Mapping[str, Any], *, named: bool) -> None:
    if "whim" in written:
        fight.think_from(position(written["whim"]))
    if "word" in written:
        fight.intervene(written["word"], sheet=written.get("sheet"), decision=written["decision"], files=False)
    else:
        fight.play(written["who"], written["move"], written["decision"])
    agree_on_fall(f"for decision {written['decision']}", written["fell"], fight.answers[-1].fell, named=named)


LOG = LogFile[Fight](FORMAT, VERSION, "fight", "moves", as_table, _run, lambda fight: fight.ending)
save, load, restore = LOG.save, LOG.load, LOG.restore


def verify(path: str | Path) -> Verdict:
    """Replay a log and check every move and every result; raises Invalid at the first that does not fit."""
    return LOG.verify(content_of(path), str(path))
