"""How a player makes a fighter: value by value, starting from one that comes with the system."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from affray.errors import Invalid
from affray.kernel.chance import Dice
from affray.system.creation import Creation, Interview, Question, asked, questions
from affray.system.schema import stranger
from affray.system.sheets import described
from affray.systems.bgo.sheets import SHEETS, Creature, Player, Sheet, by_type, creatures, players


def interview(name: str, dice: Dice, announce: Callable[[str], None]) -> Interview[dict[str, object]]:
    """Ask for a fighter to start from, then for each of its values."""
    known: Mapping[str, Player | Creature] = {**players(), **creatures()}
    ids = tuple(known)
    base = yield from asked(Question("fighter to start from", ids[0], ids), _one_of(known))
    table, problem = _values(known[base]), ""
    while True:
        for key, question, read in questions(type(known[base]), table):
            if key in table:
                table[key] = yield from asked(replace(question, problem=problem), read)
                problem = ""
        made: dict[str, object] = {"name": name, "kind": known[base].kind, **_without_empty(table)}
        try:
            SHEETS.enlist(made)
        except Invalid as refused:  # values that do not fit together: the questions come again
            problem = str(refused)
        else:
            return made


def _one_of(known: Mapping[str, object]) -> Callable[[str], str]:
    def read(id: str) -> str:
        if id not in known:
            raise stranger("", "creature or player", id, known)
        return id

    return read


def _values(fighter: Player | Creature) -> dict[str, object]:
    """What is asked about a fighter, as plain values."""
    values: dict[str, object] = {
        **{key: getattr(fighter, key) for key in ("health", "attack", "defense", "can_flee", "note")},
        "damage": by_type(fighter.damage),
        "abilities": dict(fighter.abilities),
        "policy": fighter.policy._asdict(),
    }
    if isinstance(fighter, Creature):
        return values | {"rank": fighter.rank, "type": fighter.type}
    return values | {key: [thing.id for thing in getattr(fighter, key)] for key in ("equipment", "boons", "curses")}


def _without_empty(table: Mapping[str, object]) -> dict[str, object]:
    return {key: value for key, value in table.items() if value or isinstance(value, int) or key == "damage"}


def comments(sheet: Sheet) -> dict[str, str]:
    """What the values mean."""
    asked_about = {"health", "attack", "defense", "damage", "policy"}
    return {key: says for key, _, _, says in described(Player) if key in asked_about}


CREATION = Creation[Sheet]("fighter", "fighters.toml", lambda dice: "Newcomer", interview, comments)
