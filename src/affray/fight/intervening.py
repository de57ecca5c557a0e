"""Interventions of a storyteller: the notation, what may be touched now, and how the record is changed.

An intervention is a line such as `set goblin health 3`; VERBS lists them all. It is written down as it stands in the
log, with what was relative made absolute, so that a log tells what was decided.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from affray.errors import Illegal, listing, unknown
from affray.kernel import records
from affray.kernel.chance import Dice
from affray.kernel.rules import Log, event
from affray.kernel.state import STANDING, to_act
from affray.system.schema import cut
from affray.system.setup import Setup
from affray.system.storytelling import Touch, gathered

Change = Callable[[Any, Dice, Log | None], None]

VERBS = {
    "set": "set FIGHTER QUANTITY VALUE",
    "give": "give FIGHTER QUANTITY [HOW MANY]",
    "take": "take FIGHTER QUANTITY [HOW MANY]",
    "deal": "deal FIGHTER WHAT [HOW MANY]",
    "skip": "skip FIGHTER",
    "turn": "turn FIGHTER",
    "gather": "gather FIGHTER FIGHTER ...",
    "join": "join TEAM SHEET",
    "reveal": "reveal FIGHTER",
    "leave": "leave FIGHTER [HOW]",
    "return": "return FIGHTER",
    "side": "side FIGHTER TEAM",
    "end": "end HOW",
}
"""Every verb of the notation, with what follows it."""
WORD = event("The storyteller intervenes.", amounts=True)
"""The event behind the line of the story that tells of an intervention."""


@dataclass(frozen=True)
class Word:
    """An intervention that fits the fight: as it is written and told, the set-up after it, and what it changes."""

    text: str
    told: str
    setup: Setup[Any]
    change: Change
    touched: int = -1
    """The place of the fighter whom it concerns; -1 for none."""
    settles: bool = True
    sheet: Mapping[str, object] | None = None
    """The sheet of the fighter who joins."""

    def grown(self, state: Any) -> Any:
        """The state with room for all fighters of the set-up."""
        return state if records.roster(state) == len(self.setup.names) else _grown(state, self.setup.seated())

    def carry_out(self, state: Any, dice: Dice, log: Log | None) -> None:
        """Change the state, and let the rules say what follows."""
        self.change(state, dice, log)
        if self.settles:
            self.setup.system.storytelling.settle(state, self.touched, dice, log)
        if self.text.startswith("return ") and not self.setup.system.storytelling.stands(state, self.touched):
            name = self.setup.names[self.touched]
            raise Illegal(f"{name} would be out again at once; change what has brought it down first", given=name)


def _grown(record: Any, seated: Any) -> Any:
    """A record with the newcomers of a freshly seated one behind its own fighters."""
    made = records.copy(seated)
    for name, part in records.shape(type(record)):
        value = getattr(record, name)
        if not isinstance(part, records.PerFighter):
            setattr(made, name, value.copy() if isinstance(value, list) else value)
        elif isinstance(part.of, records.Cell):
            getattr(made, name)[: len(value)] = value
        else:
            getattr(made, name)[: len(value)] = map(_grown, value, getattr(made, name))
    return made


class _Given(NamedTuple):
    """What an intervention is read against."""

    setup: Setup[Any]
    state: Any
    rest: str
    sheet: Mapping[str, object] | None
    files: bool


def read(
    setup: Setup[Any], state: Any, text: str, sheet: Mapping[str, object] | None = None, *, files: bool = True
) -> Word:
    """The intervention that a text means in this state; Illegal, with what is allowed, for one that does not fit.

    A fighter who joins has the `sheet` that comes with the text, or the one that the text names.
    """
    verb, _, rest = " ".join(text.split()).partition(" ")
    if verb not in _READERS:
        problem = unknown("intervention", cut(verb), VERBS) if verb else f"an intervention is {listing(VERBS.values())}"
        raise Illegal(problem, given=text, allowed=list(VERBS.values()))
    return _READERS[verb](_Given(setup, state, rest, sheet, files))


def fighter_and_rest(setup: Setup[Any], text: str, form: str) -> tuple[int, str]:
    """The place of the fighter whose name a text begins with, and what follows the name."""
    folded = text.casefold()
    for name in sorted(setup.names, key=len, reverse=True):
        if folded == name.casefold() or folded.startswith(f"{name.casefold()} "):
            return setup.names.index(name), text[len(name) :].strip()
    if not text:
        raise Illegal(f"name a fighter: {form}; there are: {listing(setup.names)}", given=text, allowed=setup.names)
    given = cut(text.split(" ")[0])
    raise Illegal(unknown("fighter", given, setup.names), given=given, allowed=setup.names)


def touches(setup: Setup[Any], state: Any, who: int) -> dict[str, Touch]:
    """The quantities of a fighter that may be changed, by name."""
    return {touch.name: touch for touch in setup.system.storytelling.touches(setup, state, who)}


# Quantities


def _set(given: _Given) -> Word:
    who, touch, value = _quantity(given, "set")
    if not value:
        raise Illegal(f"{touch.name} must be {_range(touch)}: {VERBS['set']}", given=given.rest)
    return _changed(given, who, touch, _whole(value, touch))


def _give(given: _Given) -> Word:
    who, touch, value = _quantity(given, "give")
    return _changed(given, who, touch, touch.read(given.state.fighters[who]) + _count(value))


def _take(given: _Given) -> Word:
    who, touch, value = _quantity(given, "take")
    return _changed(given, who, touch, touch.read(given.state.fighters[who]) - _count(value))


def _quantity(given: _Given, verb: str) -> tuple[int, Touch, str]:
    who, rest = fighter_and_rest(given.setup, given.rest, VERBS[verb])
    name, _, value = rest.partition(" ")
    known = touches(given.setup, given.state, who)
    if name.casefold() not in known:
        problem = unknown("quantity", cut(name), known) if name else f"name a quantity: {listing(known, 40)}"
        raise Illegal(problem, given=name, allowed=list(known))
    return who, known[name.casefold()], value


def _whole(text: str, touch: Touch) -> int:
    meant = {"on": "1", "off": "0"}.get(text, text) if touch.is_condition else text
    if not meant.lstrip("-").isascii() or not meant.removeprefix("-").isdigit() or len(meant) > 9:
        raise Illegal(f"{touch.name} must be {_range(touch)}, not {cut(text)!r}", given=text)
    return int(meant)


def _count(text: str) -> int:
    if not text:
        return 1
    if not text.isascii() or not text.isdigit() or not 1 <= len(text) <= 6 or not int(text):
        raise Illegal(f"how many must be a whole number, 1 or more, not {cut(text)!r}", given=text)
    return int(text)


def _range(touch: Touch) -> str:
    return "on or off" if touch.is_condition else f"{touch.low} to {touch.high}"


def _changed(given: _Given, who: int, touch: Touch, value: int) -> Word:
    present = touch.read(given.state.fighters[who])
    if not touch.low <= value <= touch.high:
        name = given.setup.names[who]
        raise Illegal(f"{touch.name} of {name} must be {_range(touch)}, not {value}; it is {present}", given=value)
    if value == present:
        now = ("off", "on")[value] if touch.is_condition else value
        raise Illegal(f"{touch.name} of {given.setup.names[who]} is {now} already", given=value)

    def change(state: Any, dice: Dice, log: Log | None) -> None:
        touch.write(state.fighters[who], value)
        given.setup.system.storytelling.fit(given.setup, state, who)

    told = given.setup.told_as(who)
    if touch.is_condition:
        sentence = f"gives {told}: {touch.name}" if value else f"takes from {told}: {touch.name}"
    else:
        sentence = f"sets {touch.name} of {told} from {present} to {value}"
    text = f"set {given.setup.names[who]} {touch.name} {value}"
    return Word(text, f"The storyteller {sentence}.", given.setup, change, who)


def _deal(given: _Given) -> Word:
    who, rest = fighter_and_rest(given.setup, given.rest, VERBS["deal"])
    name, _, value = rest.partition(" ")
    known = given.setup.system.storytelling.deals
    if name not in known:
        problem = "in this system nothing is dealt; set a quantity instead" if not known else ""
        problem = problem or (unknown("deal", cut(name), known) if name else f"deal what? {listing(known)}")
        raise Illegal(problem, given=name, allowed=list(known))
    _check_stands(given, who)
    deal, times = known[name], _count(value)
    if times > deal.most:
        raise Illegal(f"how many must be 1 to {deal.most}, not {times}", given=times)

    def change(state: Any, dice: Dice, log: Log | None) -> None:
        deal.do(state, who, times, dice, log)

    many = f" {times}" if deal.most > 1 else ""
    told = f"The storyteller deals {given.setup.told_as(who)}{many}: {name}."
    return Word(f"deal {given.setup.names[who]} {name}{many}", told, given.setup, change, who)


def _check_stands(given: _Given, who: int) -> None:
    if not given.setup.system.storytelling.stands(given.state, who):
        name = given.setup.names[who]
        raise Illegal(f"{name} is out of the fight", given=name)


# Turns


def _alone(given: _Given, verb: str) -> int:
    who, rest = fighter_and_rest(given.setup, given.rest, VERBS[verb])
    if rest:
        raise Illegal(f"{VERBS[verb]} takes no more than that; {cut(rest)!r} was given with it", given=rest)
    return who


def _skip(given: _Given) -> Word:
    who = _alone(given, "skip")
    if not to_act(given.state) >> who & 1:
        asked = [name for place, name in enumerate(given.setup.names) if to_act(given.state) >> place & 1]
        name = given.setup.names[who]
        raise Illegal(f"{name} has no turn to skip now; {listing(asked)} must decide", given=name, allowed=asked)
    storytelling = given.setup.system.storytelling

    def change(state: Any, dice: Dice, log: Log | None) -> None:
        storytelling.skip(state, who, dice, log)

    told = f"The storyteller skips the turn of {given.setup.told_as(who)}."
    return Word(f"skip {given.setup.names[who]}", told, given.setup, change, settles=False)


def _turn(given: _Given) -> Word:
    who = _alone(given, "turn")
    name, insert = given.setup.names[who], given.setup.system.storytelling.turn
    if insert is None:
        raise Illegal(f"{given.setup.system.title} does not say how a turn is inserted", given=name)
    _check_stands(given, who)

    def change(state: Any, dice: Dice, log: Log | None) -> None:
        insert(state, who, dice, log)

    told = f"The storyteller gives {given.setup.told_as(who)} a turn."
    return Word(f"turn {name}", told, given.setup, change, settles=False)


def _gather(given: _Given) -> Word:
    setup, members, rest = given.setup, list[int](), given.rest
    while rest or not members:
        who, rest = fighter_and_rest(setup, rest, VERBS["gather"])
        members += [who] if who not in members else []
    if len(members) < 2:
        raise Illegal(f"name two fighters or more: {VERBS['gather']}", given=given.rest)
    order = gathered(given.state, members)
    if order == list(given.state.order):
        raise Illegal("they act one directly after another already", given=given.rest)

    def change(state: Any, dice: Dice, log: Log | None) -> None:
        state.order[:] = order

    *others, last = (setup.told_as(who) for who in members)
    told = f"{', '.join(others)} and {last}"
    text = f"gather {' '.join(setup.names[who] for who in members)}"
    return Word(text, f"The storyteller lets {told} act one directly after another.", setup, change, settles=False)


# Who takes part


def _join(given: _Given) -> Word:
    team, _, spec = given.rest.partition(" ")
    setup = given.setup
    _check_team(setup, team)
    if given.sheet is None and not spec:
        raise Illegal(f"name a sheet: {VERBS['join']}", given=given.rest)
    sheet = setup.system.enlist(given.sheet if given.sheet is not None else spec, files=given.files)
    grown = setup.reinforced(sheet, team)
    who, seated = len(setup.names), grown.seated()

    def change(state: Any, dice: Dice, log: Log | None) -> None:
        setup.system.storytelling.join(state, seated, who, dice, log)

    told = f"The storyteller lets {grown.told_as(who)} join {team}."
    table = setup.system.as_table(sheet)
    return Word(f"join {team} {grown.names[who]}", told, grown, change, who, sheet=table)


def _reveal(given: _Given) -> Word:
    """Like `join`, with the sheet that the fighter has had in the wings."""
    team, _, _ = given.rest.partition(" ")
    word = _join(given._replace(rest=team))
    name = word.setup.names[word.touched]
    told = f"The storyteller reveals {word.setup.told_as(word.touched)}, who joins {team}."
    return replace(word, text=f"reveal {team} {name}", told=told)


def _check_team(setup: Setup[Any], team: str) -> None:
    if team not in setup.by_team:
        problem = unknown("team", cut(team), setup.by_team) if team else f"name a team: {listing(setup.by_team)}"
        raise Illegal(problem, given=team, allowed=list(setup.by_team))


def _leave(given: _Given) -> Word:
    who, how = fighter_and_rest(given.setup, given.rest, VERBS["leave"])
    storytelling = given.setup.system.storytelling
    how = how or next(iter(storytelling.ways_out))
    if how not in storytelling.ways_out:
        ways = list(storytelling.ways_out)
        raise Illegal(unknown("way out", cut(how), ways), given=how, allowed=ways)
    _check_stands(given, who)

    def change(state: Any, dice: Dice, log: Log | None) -> None:
        storytelling.depart(state, who, storytelling.ways_out[how], log)

    told = f"The storyteller takes {given.setup.told_as(who)} out of the fight: {how}."
    return Word(f"leave {given.setup.names[who]} {how}", told, given.setup, change, who)


def _return(given: _Given) -> Word:
    who = _alone(given, "return")
    name = given.setup.names[who]
    if not given.setup.system.storytelling.returns:
        raise Illegal(f"{name} comes back when what has brought it down is changed: {VERBS['set']}", given=name)
    if given.state.fighters[who].state == STANDING:
        raise Illegal(f"{name} is not out of the fight", given=name)

    def change(state: Any, dice: Dice, log: Log | None) -> None:
        state.fighters[who].state = STANDING

    told = f"The storyteller brings {given.setup.told_as(who)} back into the fight."
    return Word(f"return {name}", told, given.setup, change, who)


def _side(given: _Given) -> Word:
    who, team = fighter_and_rest(given.setup, given.rest, VERBS["side"])
    setup, name = given.setup, given.setup.names[who]
    _check_team(setup, team)
    if setup.team_of[name] == team:
        raise Illegal(f"{name} is on team {team} already", given=team)
    changed = setup.changed_side(who, team)

    def change(state: Any, dice: Dice, log: Log | None) -> None:
        state.fighters[who].team = changed.team_numbers[who]

    told = f"The storyteller lets {setup.told_as(who)} change sides, to {team}."
    return Word(f"side {name} {team}", told, changed, change, who)


def _end(given: _Given) -> Word:
    endings = given.setup.endings
    if given.rest not in endings:
        problem = unknown("ending", cut(given.rest), endings) if given.rest else f"end how? {listing(endings)}"
        raise Illegal(problem, given=given.rest, allowed=endings)

    def change(state: Any, dice: Dice, log: Log | None) -> None:
        state.due, state.ending = 0, endings.index(given.rest)

    told = f"The storyteller ends the fight: {given.rest}."
    return Word(f"end {given.rest}", told, given.setup, change, settles=False)


_READERS: Mapping[str, Callable[[_Given], Word]] = {
    "set": _set,
    "give": _give,
    "take": _take,
    "deal": _deal,
    "skip": _skip,
    "turn": _turn,
    "gather": _gather,
    "join": _join,
    "reveal": _reveal,
    "leave": _leave,
    "return": _return,
    "side": _side,
    "end": _end,
}


# What may be touched


def open_to(setup: Setup[Any], state: Any) -> dict[str, Any]:
    """All that a storyteller may touch now, as plain JSON values for a page."""
    storytelling = setup.system.storytelling
    return {
        "fighters": [
            {
                "name": name,
                "team": setup.team_of[name],
                "stands": storytelling.stands(state, who),
                "asked": bool(to_act(state) >> who & 1),
                "quantities": [
                    {
                        "name": touch.name,
                        "value": touch.read(state.fighters[who]),
                        "low": touch.low,
                        "high": touch.high,
                        "says": touch.says,
                    }
                    for touch in storytelling.touches(setup, state, who)
                ],
            }
            for who, name in enumerate(setup.names)
        ],
        "deals": [{"name": n, "says": deal.says, "most": deal.most} for n, deal in storytelling.deals.items()],
        "ways_out": list(storytelling.ways_out),
        "inserts_turns": storytelling.turn is not None,
        "returns": storytelling.returns,
        "teams": list(setup.by_team),
        "endings": list(setup.endings),
    }
