"""What an account keeps between fights: parties with what lasts of their fights, and encounters ready to be fought."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, get_args

from affray.errors import Illegal, Invalid, unknown
from affray.fight import Fight
from affray.system.schema import cut
from affray.world.combats import roster
from affray.world.combats.combat import Combat
from affray.world.store import Store, statements
from affray.world.store.tables import fold

if TYPE_CHECKING:
    from affray.world.combats.roster import Member

Kind = Literal["party", "encounter"]
KINDS: tuple[Kind, ...] = get_args(Kind)
MOST = 100
"""How many parties, and how many encounters, an account keeps."""
LONGEST = 200_000  # characters of one of them
VERSION = 1


@dataclass(frozen=True)
class Kept:
    """A party, whose fighters have full sheets, or an encounter with the options and teams of a fight."""

    kind: Kind
    name: str
    system: str
    teams: dict[str, list[dict[str, Any]]]
    """Of each seat its `sheet`, who moves it (`by`), its `name`, its `group`, and the `party` that it comes from."""
    options: dict[str, Any] = field(default_factory=dict)

    @property
    def seats(self) -> list[dict[str, Any]]:
        """All seats."""
        return [seat for seats in self.teams.values() for seat in seats]

    def as_file(self) -> dict[str, Any]:
        """The same as it is exported."""
        table = {"format": f"affray-{self.kind}", "version": VERSION, "name": self.name, "system": self.system}
        return table | ({"fighters": self.seats} if self.kind == "party" else self._fight())

    def _fight(self) -> dict[str, Any]:
        return {"options": self.options, "teams": self.teams}


def of_file(kind: Kind, name: str, table: Mapping[str, Any]) -> Kept:
    """What a file says; it is checked only when it is kept."""
    if table.get("format") != f"affray-{kind}" or table.get("version") != VERSION:
        given = f"{table.get('format')!r} of version {table.get('version')!r}"
        raise Invalid(f"this must be an affray-{kind} of version {VERSION}, not {cut(given)}", given=cut(given))
    teams = {kind: table.get("fighters")} if kind == "party" else table.get("teams")
    options = table.get("options", {})
    if not isinstance(teams, dict) or not isinstance(options, dict) or not isinstance(table.get("system"), str):
        raise Invalid(f"the {kind} must have a system and {'fighters' if kind == 'party' else 'teams'}")
    for seats in teams.values():
        if not isinstance(seats, list) or not all(isinstance(seat, dict) for seat in seats):
            raise Invalid(f"the fighters of the {kind} must be a list of tables")
    return Kept(kind, check_name(kind, name), table["system"], teams, options)


def check_kind(kind: str) -> Kind:
    """The kind of that name."""
    for known in KINDS:
        if kind == known:
            return known
    raise Invalid(f"there is no {cut(kind)!r} to keep; there are: {', '.join(KINDS)}", given=kind, allowed=KINDS)


def check_name(kind: Kind, name: str) -> str:
    """The name, if a party or an encounter may have it."""
    return roster.check_name(name, f"this {kind}", without="/")


async def all_of(store: Store, account: str) -> list[Kept]:
    """Everything that an account keeps, by kind and name."""
    rows = await store.kept(account)
    return [_read(kind, name, content) for kind, name, content in rows]


async def find(store: Store, account: str, kind: Kind, name: str) -> Kept:
    """One of them."""
    rows = {fold(known): (known, content) for of, known, content in await store.kept(account) if of == kind}
    if fold(name) not in rows:
        known = [found for found, _ in rows.values()]
        raise Illegal(unknown(kind, cut(name), known), given=name, allowed=known)
    return _read(kind, *rows[fold(name)])


def _read(kind: str, name: str, content: str) -> Kept:
    table = json.loads(content)
    return Kept(check_kind(kind), name, table["system"], table["teams"], table["options"])


def stored(account: str, kept: Kept) -> statements.Change:
    """The statement that keeps it, in place of one of the same name."""
    content = json.dumps({"system": kept.system, "teams": kept.teams, "options": kept.options})
    if len(content) > LONGEST:
        raise Invalid(f"this {kept.kind} is too large: {len(content)} characters of at most {LONGEST}")
    return statements.keep(account, kept.kind, kept.name, content)


async def after_fight(store: Store, combat: Combat) -> list[statements.Change]:
    """What the end of a combat changes in the parties that fought in it."""
    fight, after = combat.fight, combat.system.after_fight
    if not isinstance(fight, Fight) or after is None:
        return []
    changes: list[statements.Change] = []
    for account, name in dict.fromkeys(tuple(one.party) for one in combat.roster if one.party):
        try:
            kept = await find(store, account, "party", name)
        except Illegal:  # it is not kept any more
            continue
        for member in combat.roster:
            if kept.system == combat.system.id and tuple(member.party) == (account, name):
                _write(kept, member, combat, fight)
        changes.append(stored(account, kept))
    return changes


def _write(kept: Kept, member: Member, combat: Combat, fight: Fight) -> None:
    """Give a fighter of a party the sheet that the fight has left."""
    after, who = combat.system.after_fight, fight.index(combat.fighter(member))
    assert after is not None
    for seat in kept.seats:
        if fold(str(seat["name"])) == fold(member.name):
            seat["sheet"] = combat.system.as_table(after(fight.state, who, fight.sheets[who]))
