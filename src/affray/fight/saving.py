"""Save files of fights: what their logs hold, and how they run again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from affray.errors import Illegal, Invalid
from affray.fight import Answer, Fight, Undone, asides
from affray.fight.concluding import concluded_by
from affray.fight.logfile import (
    Ask,
    LogFile,
    Verdict,
    agree,
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
from affray.system import gauging
from affray.system.abilities import Cards
from affray.system.contract import System
from affray.system.registry import find
from affray.system.schema import as_before
from affray.system.setup import Setup

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

FORMAT, VERSION = "affray-fight", 5  # since then there are asides beside the answers
NUMBERED_SINCE = 2  # before, an answer without a line in the story shared its number with the next one
THROWS_SINCE = 3  # before, a result was only what it showed


def as_table(fight: Fight) -> dict[str, Any]:
    """Everything needed to continue the fight, as plain JSON values. It has secrets, so it is for its owner only."""
    undone = [undone_as_table(one) for one in fight.undone]
    return {
        **_beginning(fight),
        "answers": [as_entry(answer) for answer in fight.answers],
        **_beside(fight),
        **({"undone": undone} if undone else {}),
        **({"concluded": fight.concluded.as_table()} if fight.concluded else {}),
        "ending": fight.ending,
    }


def as_head(fight: Fight) -> dict[str, Any]:
    """The same without the answers, those that were taken back, and the ending."""
    concluded = {"concluded": fight.concluded.as_table()} if fight.concluded else {}
    return {**_beginning(fight), **_beside(fight), **concluded}


def _beginning(fight: Fight) -> dict[str, Any]:
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
    }


def _beside(fight: Fight) -> dict[str, Any]:
    """What was done beside the answers."""
    return {
        **({"asides": [aside.as_table() for aside in fight.asides]} if fight.asides else {}),
        **({"secret_acts": fight.secret_acts} if fight.secret_acts else {}),
    }


def undone_as_table(one: Undone) -> dict[str, Any]:
    """What was taken back together, as plain JSON values."""
    return {
        "kept": one.kept,
        "answers": [as_entry(answer) for answer in one.answers],
        **({"stood": [as_entry(answer) for answer in one.stood]} if one.stood else {}),
        **({"asides": [aside.as_table() for aside in one.asides]} if one.asides else {}),
    }


def as_entry(answer: Answer) -> dict[str, Any]:
    """One answer of a log, as plain JSON values."""
    if not answer.is_word:
        return entry(answer.decision, answer.fell, answer.whim, who=answer.who, move=answer.move)
    joins = {} if answer.sheet is None else {"sheet": answer.sheet}
    hidden = {"wing": answer.wing} if answer.wing else {}
    return entry(answer.decision, answer.fell, answer.whim, word=answer.move, **joins, **hidden)


def public_table(fight: Fight, secret_is_out: bool | None = None) -> dict[str, Any]:
    """The log that everyone may have: no secret of fair dice before the end, no choice that is still hidden.

    `secret_is_out=False` keeps the secret beyond the end, as long as moves may still be taken back. While others are
    not told all numbers there is no such log, because the fight cannot be run without them.
    """
    is_out = fight.over if secret_is_out is None else secret_is_out
    if not is_out and not fight.over and keeps_numbers(fight):
        raise Illegal("the log can be had when the fight is over: some of its numbers are the storyteller's secret")
    table = _without_asides(as_table(fight), is_out=is_out)
    if not is_out:
        table["dice"] = _unrevealed(table["dice"])
        table["answers"] = [answer for answer in table["answers"] if answer["decision"] < fight.decision]
        table |= _veiled(fight, table["answers"])
    table["whim"] = None
    for answers in (table["answers"], *(each for one in table.get("undone", ()) for each in _answers_of(one))):
        for answer in answers:
            del answer["whim"]
    return table


def _answers_of(undone: Mapping[str, Any]) -> list[list[dict[str, Any]]]:
    return [undone["answers"], undone.get("stood", [])]


def _unrevealed(dice: Mapping[str, Any]) -> dict[str, Any]:
    """Where dice come from, without what would tell how they will fall."""
    shown = {key: dice[key] for key in ("source", "commitment") if key in dice}
    return {**shown, "then": _unrevealed(dice["then"])} if dice.get("then") else shown


def keeps_numbers(fight: Fight) -> bool:
    """Whether others are not told all the numbers that the log of a fight has."""
    return gauging.in_words(fight.options) or any(line.whole for line in fight.lines)


def _without_asides(table: dict[str, Any], *, is_out: bool) -> dict[str, Any]:
    """A log without what the storyteller did in secret: all of it while that is not out, notes even then."""
    table.pop("secret_acts", None)
    undone = table.pop("undone", [])
    shown = [aside for aside in table.pop("asides", []) if is_out and asides.public(aside)]
    if shown:
        table["asides"] = shown
    if not is_out:
        for answer in table["answers"]:
            answer.pop("wing", None)
        undone = [{key: one[key] for key in one if key != "asides"} for one in undone if one["answers"]]
        for answer in (answer for one in undone for answers in _answers_of(one) for answer in answers):
            answer.pop("wing", None)
    for one in undone:
        if kept := [aside for aside in one.pop("asides", []) if asides.public(aside)]:
            one["asides"] = kept
    return {**table, "undone": undone} if undone else table


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
    if any(one.answers for one in fight.undone):
        veiled["undone"] = [
            {
                "kept": one.kept,
                "answers": [_shown_entry(answer, system) for answer in one.answers],
                **({"stood": [_shown_entry(answer, system) for answer in one.stood]} if one.stood else {}),
            }
            for one in fight.undone
            if one.answers
        ]
    return veiled


def _shown_entry(answer: Answer, system: System[Any, Any]) -> dict[str, Any]:
    shown, cards = {**as_entry(answer), "fell": _shown(answer.fell)}, system.ability(Cards)
    shown.pop("wing", None)
    if answer.sheet is not None and cards is not None:
        shown["sheet"] = system.as_table(cards.public(system.enlist(answer.sheet, files=False)))
    return shown


def _shown(fell: Sequence[Fell]) -> list[list[str | int]]:
    return [result.written for result in fell if not result.unseen]


def rerun(table: Mapping[str, Any], where: str, ask: Ask | None = None, *, known: Fight | None = None) -> Fight:
    """Run a log. Every answer must be legal, and every result must be what its dice give.

    If a `known` fight was set up in the same way, its set-up is taken as it is.
    """
    with reading(where):
        return _run(table, ask, known)


def _run(table: Mapping[str, Any], ask: Ask | None, known: Fight | None = None) -> Fight:
    fight = _opened(table, ask, known)
    numbered, named = table["version"] >= NUMBERED_SINCE, table["version"] >= THROWS_SINCE
    secret, undone = asides_of(table), table.get("undone", ())
    for number, course in enumerate(courses(table)):
        for written in course.answers:
            _recall(fight, secret.get(number, []))
            _answer(fight, written if numbered else {**written, "decision": fight.decision}, named=named)
        _recall(fight, secret.get(number, []))
        if course.kept is not None and undone[number]["answers"]:
            fight.keep(course.kept, agreed=True)
            fight.rewind(course.kept - len(undone[number].get("stood", ())))
        elif course.kept is not None:
            _undo_aside(fight, undone[number])
    fight.secret_acts = position(table.get("secret_acts", fight.secret_acts))
    concluded_by(fight, table.get("concluded"))
    if table["whim"] is not None:
        fight.think_from(position(table["whim"]["before"]))
        fight.whim.position = position(table["whim"]["position"])
    return fight


def _opened(table: Mapping[str, Any], ask: Ask | None, known: Fight | None) -> Fight:
    dice, whim = dice_of(table, ask), whim_of(table)
    setup = known.first_setup if known is not None and _is_of(known.first_setup, table) else _setup(table)
    fight = Fight(setup, dice=dice, whim=whim)
    agree_on_fall("at the opening", table["opening"], fight.opening, named=table["version"] >= THROWS_SINCE)
    return fight


def _setup(table: Mapping[str, Any]) -> Setup[Any]:
    """The set-up of a log, checked."""
    system = find(table["system"])
    # Older logs also name the options of what is played around fights.
    beyond = {option.name for option in system.all_options} - {option.name for option in system.options}
    written = {name: value for name, value in table["options"].items() if name not in beyond}
    # A log names no files: its fighters are whole.
    return Setup.of(system, table["teams"], as_before(system.options) | written, files=False)


def _is_of(setup: Setup[Any], table: Mapping[str, Any]) -> bool:
    """Whether a set-up is that of a log, in which the order of the teams counts."""
    written = {key: table[key] for key in ("system", "teams", "options")}
    return setup.as_table() == written and list(setup.by_team) == list(table["teams"])


def asides_of(table: Mapping[str, Any]) -> dict[int, list[Mapping[str, Any]]]:
    """The asides of a log, those that were taken back among them, by the course of answers in which they were made."""
    made = [*table.get("asides", ()), *(aside for one in table.get("undone", ()) for aside in one.get("asides", ()))]
    rolls = sorted(aside["number"] for aside in made if "number" in aside)
    agree("the numbers of the secret rolls", rolls, list(range(1, len(rolls) + 1)))
    found: dict[int, list[Mapping[str, Any]]] = {}
    for aside in made:
        found.setdefault(position(aside["course"]), []).append(aside)
    for course in found.values():
        course.sort(key=lambda aside: int(aside["after"]))
    return found


def _recall(fight: Fight, waiting: list[Mapping[str, Any]]) -> None:
    """Do again in secret what was done before the next answer, and check it."""
    while waiting and waiting[0]["after"] <= fight.closed:
        written = waiting.pop(0)
        aside = fight.recall_aside(written)
        agree("an aside", {key: written.get(key) for key in aside.as_table()}, aside.as_table())


def _undo_aside(fight: Fight, written: Mapping[str, Any]) -> None:
    """Take an aside back; of a note that is not in a public log, only that it was."""
    if written.get("asides"):
        fight.undo_aside()
    else:
        fight.undone.append(Undone(fight.closed, ()))


def _answer(fight: Fight, written: Mapping[str, Any], *, named: bool) -> None:
    if "whim" in written:
        fight.think_from(position(written["whim"]))
    if "wing" in written:
        fight.intervene(f"reveal {written['wing']}", decision=written["decision"], files=False)
        revealed = fight.answers[-1]
        agree("who is revealed", (written["word"], written["sheet"]), (revealed.move, revealed.sheet))
    elif "word" in written:
        fight.intervene(written["word"], sheet=written.get("sheet"), decision=written["decision"], files=False)
    else:
        fight.play(written["who"], written["move"], written["decision"])
    agree_on_fall(f"for decision {written['decision']}", written["fell"], fight.answers[-1].fell, named=named)


def shared_with(table: Mapping[str, Any], earlier: Mapping[str, Any], where: str) -> int:
    """How many answers of a log come with all their results from an earlier one; refused if it has others there."""
    dice = table["dice"]
    if dice.get("source") != "scripted" or "results" not in dice:
        raise Invalid(f"{where} continues no other log, or not one that can be told yet", given=where)
    answers, left, shared = next(courses(table)).answers, len(dice["results"]) - len(table["opening"]), 0
    while left > 0 and shared < len(answers):
        left -= len(answers[shared]["fell"])
        shared += 1
    for part in ("system", "opening"):
        agree(f"{where}: the {part} of the earlier log", earlier[part], table[part])
    known = earlier["answers"]
    for place, written in enumerate(answers[:shared]):
        before = known[place] if place < len(known) else {}
        for key in ("decision", "who", "move", "word", "fell"):
            agree(f"{where}: {key} of move {place + 1} in the earlier log", before.get(key), written.get(key))
    return shared


LOG = LogFile[Fight](FORMAT, VERSION, "fight", "moves", as_table, _run, lambda fight: fight.ending)
save, load, restore = LOG.save, LOG.load, LOG.restore


def verify(path: str | Path) -> Verdict:
    """Replay a log and check every move and every result; raises Invalid at the first that does not fit."""
    return LOG.verify(content_of(path), str(path))
