"""Plays recorded cases of Grapple in a real world: does their steps, and shows what came of each in their own form."""

from __future__ import annotations

import json
import lzma
import re
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from affray.fight.saving import seal
from affray.kernel import records
from affray.kernel.chance import Scripted
from affray.kernel.state import RUNNING
from affray.systems.grapple.rules import RATING, is_out
from affray.systems.grapple.sheets import ABBREVIATIONS
from affray.world.combats.combat import Combat
from affray.world.combats.roster import Roster
from affray.world.people.visitor import Visitor
from affray.world.store import statements
from affray.world.store.attributes import Attribute
from affray.world.store.tables import fold
from affray.world.world import World

ROLES = {
    None: "guest",
    "GUEST": "guest",
    "DENIZEN": "player",
    "BARD": "wizard",
    "ADEPT": "wizard",
    "THAUMATURGE": "wizard",
}
TYPES = {str: "STRING", int: "INTEGER", float: "FLOAT", bool: "BOOLEAN"}
FORCED = {"wounds": "wounds", "ad": "ad", "sd": "sd", "defense": "defense", "ap_max": "ap"}
BETWEEN_TEAMS = "- - -"


class Unknown(AssertionError):
    """A recording says something that this runner does not understand; it must not pass for that."""


def read_cases(path: Path) -> list[dict[str, Any]]:
    """The cases of a `.json` or `.json.xz` file."""
    data = path.read_bytes()
    cases: list[dict[str, Any]] = json.loads(lzma.decompress(data) if path.suffix == ".xz" else data)
    return cases


@dataclass(frozen=True)
class Seen:
    """What came of a step: who was told which texts, the faces that fell, the attributes that changed."""

    told: Mapping[str, list[str]]
    fell: list[int]
    attrs_changed: Mapping[str, Mapping[str, object]]


class Stage:
    """A world with the people of a case in it."""

    def __init__(self, world: World, profile: str) -> None:
        self.world = world
        self.profile = profile
        self.people: dict[str, Visitor] = {}
        self.brought: dict[str, Mapping[str, object]] = {}
        """The attributes that everybody came with."""
        self.gone: set[str] = set()
        """Who has left, and so can be told nothing."""
        self._told: dict[str, list[str]] = {}
        self._attributes_before: dict[str, dict[str, object]] | None = None
        self._snapshot: Any = None
        self._forced = False

    # --- making it -------------------------------------------------------------------------------------------

    async def set_up(self, setup: Mapping[str, Any]) -> None:
        """Make the places and the people, who are all connected."""
        _check_keys("setup", setup, ("places", "players"))
        new = [name for name in setup["places"] if fold(name) not in self.world.places]
        await self.world.store.commit(*(statements.add_place(name) for name in new))
        await self.world.places.read()
        for player in setup["players"]:
            _check_keys("player", player, ("name", "role", "attrs", "place"))
            await self._admit(player, setup["places"][0])

    async def _admit(self, player: Mapping[str, Any], usual: str) -> None:
        name, place = player["name"], player.get("place", usual)
        if player["role"] not in ROLES:
            raise Unknown(f"the role {player['role']!r} of {name} is unknown here")
        role: Any = ROLES[player["role"]]
        await self.world.store.commit(statements.add_account(name, role, None, fold(place) if place else None))
        for attribute, value in player["attrs"].items():
            await self.set_attribute(name, attribute, value)
        visitor = self.world.arrive(self._told.setdefault(name, []).append, "recorded")
        account = await self.world.store.account(name)
        assert account is not None
        self.world.people.log_in(visitor, account)
        self.people[name] = visitor
        self.brought[name] = player["attrs"]

    async def set_attribute(self, player: str, name: str, value: object) -> None:
        """Give an account an attribute of the type that the value has."""
        attribute = Attribute(name, TYPES[type(value)], value)  # type: ignore[arg-type]
        await self.world.store.commit(statements.set_attribute(fold(player), attribute))

    # --- doing a step ----------------------------------------------------------------------------------------

    async def take(self, step: Mapping[str, Any], dice: Sequence[int], order: Sequence[str] = ()) -> Seen:
        """Do a step while these faces lie ready; `order` is how unlisted teams shall be drawn at the start."""
        before = self._attributes_before or await self._attributes()
        for texts in self._told.values():
            texts.clear()
        self._lay_ready(dice, self._picks(step, order))
        fallen = len(self._fallen())
        if "op" in step:
            await self._operate(step)
        else:
            await self._type(step)
        self._check_used_up(fallen)
        after = self._attributes_before = await self._attributes()
        changed = {name: _differing(before[name], after[name]) for name in after}
        fell = [face for result in self._fallen()[fallen:] for face in result]
        if not fallen and step.get("cmd", [])[:1] == ["start"]:
            fell = []  # what was drawn for the order of teams is no die
        return Seen(
            {name: list(texts) for name, texts in self._told.items() if texts},
            fell,
            {name: values for name, values in changed.items() if values},
        )

    async def _type(self, step: Mapping[str, Any]) -> None:
        _check_keys("step", step, ("by", "cmd", "dice", "expect", "expect_rollback"))
        words = list(step["cmd"])
        if words[:1] == ["init"] and len(words) > 1:
            words += ["grapple", f"profile={self.profile}"]
        saved = words[:1] == ["save"]
        await self.people[step["by"]].hear(" ".join(["combat", *(f'"{w}"' if " " in w else w for w in words)]))
        combat = self.combat
        if saved and combat and combat.fight and self._forced:
            self._snapshot = records.copy(combat.fight.state)
        if words[:1] in (["restore"], ["load"]) and self._snapshot is not None and combat and combat.fight:
            combat.fight.state = records.copy(self._snapshot)  # a forced state is in no log

    async def _operate(self, step: Mapping[str, Any]) -> None:
        match step["op"]:
            case "force":
                self._force(step)
            case "set_attr":
                _check_keys("set_attr", step, ("op", "player", "name", "value", "expect"))
                await self.set_attribute(step["player"], step["name"], step["value"])
            case "corrupt_state":
                _check_keys("corrupt_state", step, ("op", "value", "expect"))
                await self._put_saved(step["value"])
            case "forge_over_none":
                _check_keys("forge_over_none", step, ("op", "expect"))
                await self._forge_over_none()
            case "disconnect" | "logout" | "leave" | "deactivate":
                _check_keys(step["op"], step, ("op", "player", "expect"))
                await self._let_go(step["player"])
            case "delete" | "delete_player" | "remove_player" | "vanish":
                _check_keys(step["op"], step, ("op", "player", "expect"))
                await self._let_go(step["player"])
                await self.world.store.commit(statements.remove_account(fold(step["player"])))
            case "forget" if "name" in step:
                _check_keys("forget", step, ("op", "player", "name", "expect"))
                await self.world.store.commit(statements.unset_attribute(fold(step["player"]), step["name"]))
            case "forget":
                _check_keys("forget", step, ("op", "expect"))
                await self._forget()
            case other:
                raise Unknown(f"the operation {other!r} is unknown here: {dict(step) | {'expect': ...}}")

    def _force(self, step: Mapping[str, Any]) -> None:
        _check_keys("force", step, ("op", "player", "expect", *FORCED))
        assert self.combat is not None
        assert self.combat.fight is not None
        fight = self.combat.fight
        fighter = fight.state.fighters[fight.index(step["player"])]
        for key in FORCED.keys() & step.keys():
            setattr(fighter, FORCED[key], step[key])
        self._forced = True

    async def _let_go(self, player: str) -> None:
        self.gone.add(player)
        await self.people[player].leave()

    async def _forget(self) -> None:
        """Let the combat lose everything but its saved state, as where a server fails that keeps no log."""
        assert self.combat is not None
        self.combat.fight, self.combat.movers, self.combat.roster = None, [], Roster()
        await self.world.combats.store(self.combat, anew=True)

    async def _put_saved(self, text: str) -> None:
        assert self.combat is not None
        self.combat.saved = text
        await self.world.store.commit(statements.change_combat(self.combat.number, saved=text))

    async def _forge_over_none(self) -> None:
        """Edit the saved state so that everybody is knocked out before the first move."""
        assert self.combat is not None
        state = json.loads(self.combat.saved or "")
        for members in state["head"]["teams"].values():
            for sheet in members:
                sheet["wounds"] = sheet["max_wounds"]
        state["answers"] = []
        await self._put_saved(json.dumps({**state, "seal": seal(state)}))

    async def take_back(self) -> None:
        """Let the owner undo the last move, after something was tried that is not part of the recording."""
        assert self.combat is not None
        owner = next(visitor for visitor in self.people.values() if visitor.key == self.combat.owner)  # type: ignore[union-attr]
        await owner.hear("combat undo")

    # --- dice ------------------------------------------------------------------------------------------------

    def _lay_ready(self, dice: Sequence[int], picks: Sequence[int]) -> None:
        """The script is written as the recording goes on: behind what has been used come the faces of this step."""
        script = [tuple(dice)] if dice else []
        self.world.dice = lambda: Scripted([*((pick,) for pick in picks), *script])
        if (scripted := self._scripted) is not None:
            scripted.results[scripted.position :] = script

    def _picks(self, step: Mapping[str, Any], order: Sequence[str]) -> list[int]:
        """What must be drawn so that the teams that were not listed move in this order."""
        if step.get("cmd", [])[:1] != ["start"] or not order or self.combat is None:
            return []
        listed = step["cmd"][1:]
        rest = [team for team in self.combat.roster.teams if team not in listed]
        picks = []
        for place, team in enumerate(order[len(listed) : -1]):
            drawn = place + rest[place:].index(team)
            rest[place], rest[drawn] = rest[drawn], rest[place]
            picks.append(drawn - place)
        return picks

    @property
    def _scripted(self) -> Scripted | None:
        dice = self.combat.fight.dice if self.combat and self.combat.fight else None
        assert dice is None or isinstance(dice, Scripted)
        return dice

    def _fallen(self) -> list[tuple[int, ...]]:
        return self._scripted.fallen if self._scripted else []

    def _check_used_up(self, fallen: int) -> None:
        """No face may be left over. (Where combat has ended or gone back, there is nothing left to ask.)"""
        if self._scripted is not None and len(self._scripted.fallen) >= fallen:
            self._scripted.finish()

    # --- what can be seen ------------------------------------------------------------------------------------

    @property
    def combat(self) -> Combat | None:
        """The combat of the case."""
        return next(iter(self.world.combats.values()), None)

    def is_in(self, name: str) -> bool:
        """Whether a fighter of that name takes part."""
        return self.combat is not None and self.combat.roster.find(name) is not None

    async def _attributes(self) -> dict[str, dict[str, object]]:
        store = self.world.store
        return {
            name: {found.name: found.value for found in (await store.attributes(fold(name))).values()}
            for name in self.people
        }

    def state(self) -> dict[str, Any]:
        """The combat in the form of the recording."""
        combat = self.combat
        if combat is None:
            return {"phase": "none"}
        if combat.fight is None:
            teams = {team: sorted(m.name for m in members) for team, members in combat.roster.teams.items()}
            return {"phase": "setup", "teams": [{"name": team, "members": teams[team]} for team in sorted(teams)]}
        return _running_state(combat)

    def table(self) -> dict[str, Any]:
        """The status without its frame."""
        assert self.combat is not None
        lines = self.combat.status().splitlines()
        assert lines[0] == lines[-1] == "=" * 37
        heading, *rest = lines[1:-1]
        teams: list[list[str]] = []
        for line in rest:
            if line.startswith(BETWEEN_TEAMS):
                assert line == " ".join("-" * 18)
                teams.append([])
            else:
                teams[-1].append(line)
        return {"heading": heading, "teams": teams}

    def setup_lines(self) -> list[str]:
        """The status before the start, without its heading."""
        assert self.combat is not None
        heading, *lines = self.combat.status().splitlines()
        assert heading == "Players are still being added."
        return [line.removeprefix("- ") for line in lines]


@asynccontextmanager
async def staged(case: Mapping[str, Any], profile: str) -> AsyncIterator[Stage]:
    """A stage on which a case can be played."""
    _check_keys("case", case, ("id", "title", "doc", "note", "covers", "setup", "steps", "depends_on"))
    world = await World.open("sqlite://")
    try:
        stage = Stage(world, profile)
        await stage.set_up(case["setup"])
        yield stage
    finally:
        await world.close()


def _check_keys(what: str, table: Mapping[str, Any], known: Sequence[str]) -> None:
    strange = [key for key in table if key not in known]
    if strange:
        raise Unknown(f"this {what} has {', '.join(strange)}, which is unknown here; known is {', '.join(known)}")


def _differing(before: Mapping[str, object], after: Mapping[str, object]) -> dict[str, object]:
    return {name: value for name, value in after.items() if before.get(name) != value}


def _running_state(combat: Combat) -> dict[str, Any]:
    fight, state = combat.fight, combat.fight.state  # type: ignore[union-attr]
    assert fight is not None
    names = list(fight.teams)
    order = [names[team] for team in state.order[: state.teams]]
    over = state.ending != RUNNING
    due = [name for place, name in enumerate(fight.names) if state.due >> place & 1]
    return {
        "phase": "over" if over else "running",
        "round": state.round,
        "moving_team": order[state.place],
        "yet_to_move": sorted(due),
        "winner": names[state.ending] if over and state.ending < state.teams else None,
        "teams": [_team_state(combat, team) for team in order],
    }


def _team_state(combat: Combat, team: str) -> dict[str, Any]:
    members = [_member_state(combat, name) for name in sorted(combat.fight.teams[team])]  # type: ignore[union-attr]
    return {"name": team, "out": all(member["out"] for member in members), "members": members}


def _member_state(combat: Combat, name: str) -> dict[str, Any]:
    fight = combat.fight
    assert fight is not None
    place = fight.index(name)
    fighter, sheet = fight.state.fighters[place], fight.sheets[place]
    held = [(slot, ABBREVIATIONS[skill]) for slot, skill in enumerate(fighter.skills) if skill >= 0]
    return {
        "name": name,
        "npc": combat.seated(name).player is None,
        "skills": {skill: RATING[slot] for slot, skill in held},
        "used": sorted(skill for slot, skill in held if fighter.marked >> slot & 1),
        "ad": fighter.ad,
        "sd": fighter.sd,
        "ap_max": fighter.ap,
        "base_ap_max": sheet.ap,
        "defense": fighter.defense,
        "base_defense": sheet.defense,
        "wounds": fighter.wounds,
        "max_wounds": fighter.max_wounds,
        "out": bool(is_out(fighter)),
        "maneuver_bonus": fighter.speed,
        "strike_bonus": fighter.spirit,
    }


# What a move has brought about, read off the lines that everybody is told

_ROLL = r"\((?P<n>\d+)/(?P<dice>\d+)(?: vs\.? (?P<against>\d+))?\)"
_SPENT = r"[AS]D-(?P<spent>\d+)=(?P<left>-?\d+)"
_MOVES = {
    "maneuver": re.compile(
        rf"The maneuver (?P<how>succeeds|fails) {_ROLL}"
        rf"(?:: {_SPENT} SD\+(?P<gain>\d+)\+(?P<bonus>\d+)=(?P<sd>-?\d+)"
        r"|\. No AD were spent\.(?: SD\+0\+(?P<bonus_only>\d+)=-?\d+)?)"
    ),
    "strike": re.compile(
        rf"The strike (?P<how>succeeds|fails) {_ROLL}(?:: {_SPENT} Wounds=(?P<wounds>\d+)|\. No SD were spent\.)"
    ),
    "skill": re.compile(
        rf"The skill action (?P<how>succeeds|fails) {_ROLL}(?:: {_SPENT} (?P<effect>.+)|\. No SD were spent\.)"
    ),
    "catch": re.compile(r"Catching breath (?P<how>succeeds): AD\+(?P<gain>\d+)=(?P<ad>\d+)"),
}
_FOLLOWS = {
    "new_round": re.compile(r"  New round:       (\d+)"),
    "new_team": re.compile(r"  New team moving: (.+)"),
    "winner": re.compile(r"  COMBAT IS OVER! Winning team: (.+)"),
}


def outcome_of(text: str, state: Mapping[str, Any]) -> dict[str, Any]:
    """The numbers of a move in the form of the recording, out of its lines and the state after it."""
    first, *rest = text.splitlines()
    mover, _, result = first.removeprefix("+ ").partition(" moves: ")
    move, found = next((move, f) for move, pattern in _MOVES.items() if (f := pattern.fullmatch(result)))
    parts = {key: int(value) for key, value in found.groupdict().items() if value and value.lstrip("-").isdigit()}
    success = found["how"] == "succeeds"
    outcome = {"mover": mover, "move": move, "success": success, "text": text}
    if move == "catch":
        outcome |= {"ad_gain_shown": parts["gain"], "ad": parts["ad"]}
    else:
        outcome |= {"dice": parts["dice"], **_numbers(move, parts, success, _member(state, mover))}
    return outcome | _following(rest)


def _numbers(move: str, parts: Mapping[str, int], success: bool, mover: Mapping[str, Any]) -> dict[str, Any]:
    spent = parts.get("spent", 0)
    if move == "maneuver":
        bonus = parts.get("bonus", parts.get("bonus_only", 0))
        found = {"successes_shown": parts["n"], "ad_spent": spent, "sd_gain": parts.get("gain", 0), "sd_bonus": bonus}
        return found | {"ad": parts.get("left", mover["ad"]), "sd": parts.get("sd", mover["sd"])}
    against = "defense" if move == "strike" else "difficulty"
    found = {"successes": parts["n"], against: parts["against"], "sd_spent": spent}
    found["sd"] = parts["left"] if success else mover["sd"]
    return found | ({"wounds_shown": parts["wounds"]} if "wounds" in parts else {})


def _member(state: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    return next(member for team in state["teams"] for member in team["members"] if member["name"] == name)


def _following(lines: Sequence[str]) -> dict[str, Any]:
    outcome: dict[str, Any] = {}
    for line in lines:
        key, found = next((key, f) for key, pattern in _FOLLOWS.items() if (f := pattern.fullmatch(line)))
        outcome[key] = int(found[1]) if key == "new_round" else found[1]
    return outcome | ({"over": True} if "winner" in outcome else {})
