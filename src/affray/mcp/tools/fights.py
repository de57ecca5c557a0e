"""Tools of those who fight: how a fight stands, what may be done and what comes of it, and doing it."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from affray.errors import Illegal
from affray.mcp.hosts.host import Answer, Ask, Seen
from affray.mcp.tools.registry import Caller, Ctx, FightName, Token, Told, tool

FEW_MOVES = 24
WEIGHED = 16

OneFighter = Annotated[
    str, Field(description="one of your fighters; left out where only one has to move", max_length=60)
]


@tool(reads=True)
async def fights(ctx: Ctx) -> Told:
    """List the fights: their systems, teams, and how far they are."""
    known = await Caller.of(ctx).host.fights()
    lines = [f"{one['fight']}: {one['system']}, {_teams(one['teams'])}; {_stands(one)}" for one in known]
    return Told("\n".join(lines) or "There are no fights yet.", {"fights": known})


def _teams(teams: dict[str, list[str]]) -> str:
    return " against ".join(f"{team} ({', '.join(members)})" for team, members in teams.items())


def _stands(one: dict[str, Any]) -> str:
    return f"over: {one['ending']}" if one["ending"] else f"{one['phase']}, round {one['round']}"


@tool(reads=True)
async def status(ctx: Ctx, fight: FightName, fighter: OneFighter = "", token: Token = "") -> Told:
    """See how a fight stands, as your seat may know it: fighters, last lines of the story, and what you must decide."""
    caller = Caller.of(ctx, token)
    seen = await caller.host.see(fight, caller.token, fighter or None)
    return Told(seen_text(seen), seen.as_table())


def seen_text(seen: Seen) -> str:
    """A fight in words, short enough for a model to read after every move."""
    lines = [seen.said] * bool(seen.said)
    wings = [f"In the wings: {name} ({team})" for name, team in seen.wings.items()]
    lines += [*seen.last_lines, "", seen.status, *wings, ""]
    if seen.ending is not None:
        lines += [f"The fight is over: {seen.ending}.", *seen.aftermath]
    elif seen.asks:
        lines += [_asked(ask) for ask in seen.asks]
    else:
        lines.append(f"To move: {', '.join(seen.to_move)}. You ({seen.you}) have nothing to decide.")
    return "\n".join(lines).strip()


def _asked(ask: Ask) -> str:
    if ask.answered is not None:
        return f"{ask.fighter} has chosen {ask.answered}; it is secret until all have chosen."
    shown = ", ".join(ask.moves[:FEW_MOVES])
    more = f" and {len(ask.moves) - FEW_MOVES} more (moves lists them)" if len(ask.moves) > FEW_MOVES else ""
    stake = f" {ask.at_stake}" if ask.at_stake else ""
    return f"{ask.fighter}, decision {ask.decision}: {ask.question}{stake}\n  Moves: {shown}{more}"


@tool(reads=True)
async def moves(ctx: Ctx, fight: FightName, fighter: OneFighter = "", token: Token = "") -> Told:
    """List every legal move of your fighters, and the moves that are closed now, each with the reason."""
    caller = Caller.of(ctx, token)
    seen = await caller.host.see(fight, caller.token, fighter or None)
    asked = [ask for ask in seen.asks if fighter in ("", ask.fighter)]
    if not asked:
        raise _nothing(seen, fighter)
    lines = []
    for ask in asked:
        lines.append(f"{ask.fighter}, decision {ask.decision}: {ask.question}")
        lines += [f"  {move}" for move in ask.moves] or [f"  has chosen {ask.answered}"]
        lines += [f"  not {one.move}: {one.reason}" for one in ask.closed]
    return Told("\n".join(lines), {"fight": seen.fight, "asks": [as_table(ask) for ask in asked]})


def as_table(ask: Ask) -> dict[str, Any]:
    """A decision as plain JSON values."""
    return {**vars(ask), "closed": [vars(one) for one in ask.closed]}


def _nothing(seen: Seen, fighter: str) -> Illegal:
    who = fighter or ("your fighters" if seen.your_fighters else "a spectator")
    waits = f"; to move: {', '.join(seen.to_move)}" if seen.to_move else ""
    over = f"; the fight is over: {seen.ending}" if seen.ending else ""
    return Illegal(f"{who} may decide nothing now{waits}{over}", given=fighter, allowed=seen.your_fighters)


@tool(reads=True)
async def odds(
    ctx: Ctx,
    fight: FightName,
    fighter: OneFighter = "",
    play: Annotated[
        Literal["tactics", "best"], Field(description="how the fighter goes on after the move")
    ] = "tactics",
    aim: Annotated[Literal["value", "wins"], Field(description="what makes a move the best")] = "value",
    token: Token = "",
) -> Told:
    """Weigh every legal move of your fighter: how the fight is likely to end after it, and what it costs.

    Nothing changes, and nothing is used that the fighter may not know.
    """
    caller = Caller.of(ctx, token)
    who = fighter or await _only(caller, fight)
    found = await caller.host.odds(fight, caller.token, who, play, aim)
    ranked = sorted(found["moves"].items(), key=lambda item: (item[1]["tells"], item[1]["value"]), reverse=True)
    lines = [_weighed(move, row) for move, row in ranked[:WEIGHED]]
    lines += [f"({len(ranked) - WEIGHED} more moves)"] * (len(ranked) > WEIGHED)
    best = ", ".join(found["best"]) or "too close to tell"
    lines += [f"Best: {best}. {found['best_by']}", f"{found['assumes']} ({found['how']})"]
    return Told("\n".join(line for line in lines if line), found)


async def _only(caller: Caller, fight: str) -> str:
    """The fighter that is meant where none is named: the only one that has to move."""
    seen = await caller.host.see(fight, caller.token)
    asked = [ask.fighter for ask in seen.asks if ask.answered is None]
    if not asked:
        raise _nothing(seen, "")
    if len(asked) > 1:
        raise Illegal(f"say for which fighter: {', '.join(asked)}", given="", allowed=asked)
    return asked[0]


def _weighed(move: str, row: dict[str, Any]) -> str:
    if not row["tells"]:
        return f"{move}: not weighed yet"
    chances = ", ".join(f"{ending} {chance:.1%}" for ending, chance in row["chances"].items() if chance)
    costs = "".join(f"; {name} {rate['value']:.2f}" for name, rate in row["costs"].items())
    at_once = "".join(f"; {name} {chance:.1%}" for name, chance in (row["at_once"] or {}).items())
    return f"{move}: {chances}; worth {row['value']:+.3f}{costs}{at_once}"


@tool()
async def play(
    ctx: Ctx,
    fight: FightName,
    move: Annotated[str, Field(description="a legal move, as `moves` lists it", min_length=1, max_length=300)],
    fighter: OneFighter = "",
    decision: Annotated[int | None, Field(description="the number of the decision that this answers")] = None,
    mark: Annotated[str | None, Field(description="the mark of that decision", max_length=60)] = None,
    token: Token = "",
) -> Told:
    """Make a move or answer a reaction; computer fighters answer at once, and you see what happened.

    With `decision` a move that comes too late is refused instead of answering another decision.
    """
    caller = Caller.of(ctx, token)
    who = fighter or await _only(caller, fight)
    seen = await caller.host.play(fight, caller.token, Answer(who, move, decision, mark))
    return Told(seen_text(seen), seen.as_table())


@tool()
async def undo(ctx: Ctx, fight: FightName, token: Token = "") -> Told:
    """Take back your choice while it is secret, or the last move, as the fight's setting allows; or agree to that."""
    caller = Caller.of(ctx, token)
    seen = await caller.host.undo(fight, caller.token)
    return Told(seen_text(seen), seen.as_table())
