"""What a combat runs: a fight, or a game around fights. Only this module distinguishes them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from affray.errors import Illegal
from affray.fight import Fight, saving, viewing
from affray.fight.viewing import StoryLine
from affray.kernel import records
from affray.kernel.state import State, to_act
from affray.players.tactics import decide
from affray.system import defaults, gauging
from affray.system.adventures import Adventure, Hosted
from affray.system.contract import Impossible
from affray.system.meaning import Meaning
from affray.system.pictures import Board, Widget

Game = Fight | Hosted


def resumed(adventure: Adventure | None, table: Mapping[str, Any], where: str, known: Game | None = None) -> Game:
    """Run a stored log; fighters that are still those with which a `known` fight began need not be checked again."""
    if adventure:
        return adventure.playing.resume(table, where)
    return saving.rerun(table, where, known=known if isinstance(known, Fight) else None)


def head(game: Game) -> dict[str, Any]:
    """The log without its answers, which are stored one by one, without what was taken back, and how it ends."""
    table = saving.as_head(game) if isinstance(game, Fight) else game.as_table()
    whim = {**table["whim"], "position": 0, "before": 0}
    return {key: value for key, value in table.items() if key not in ("answers", "ending", "winner")} | {"whim": whim}


def entry(game: Game, place: int) -> dict[str, Any]:
    """One answer of the log."""
    return saving.as_entry(game.answers[place]) if isinstance(game, Fight) else game.entry(place)


def exported(game: Game, *, ended: bool) -> dict[str, Any]:
    """The sealed log that every player may have; fair dice keep their secret until combat has been ended."""
    table = saving.public_table(game, ended) if isinstance(game, Fight) else game.public_table(secret_is_out=ended)
    return {**table, "seal": saving.seal(table)}


def play_by(game: Game, who: str, tactic: str) -> None:
    """Let a tactic move for a player of the game."""
    if isinstance(game, Fight):
        game.play(who, decide(game, who, tactic))
    else:
        game.play_by(who, tactic)


def fight_of(game: Game, who: str) -> Fight:
    """The fight that a player of the game is in."""
    fight = game if isinstance(game, Fight) else game.fight
    if fight is None or who not in fight.names:
        raise Illegal(f"there are odds only in a fight, and {who} is not in one", given=who)
    return fight


# What can be seen


def status(game: Game, viewer: str | None) -> str:
    """The status of the game, as text."""
    return viewing.status(game, viewer) if isinstance(game, Fight) else game.status()


def glance(game: Game, viewer: str | None) -> str:
    """What is shown of it after every move."""
    return viewing.status(game, viewer) if isinstance(game, Fight) else game.glance()


def story(game: Game, first: int, *, full: bool = False) -> list[StoryLine]:
    """The lines of the story from a number on; `full` for a storyteller who does not fight."""
    return viewing.story(game, first, full=full) if isinstance(game, Fight) else game.told_from(first)


def due(game: Game, state: State | None) -> list[bool]:
    """The players of the game who have to move, as a viewer may know: those who chose in secret still seem to."""
    if state is None or game.over:
        return [name in game.to_act for name in game.names]
    waited_for = to_act(state)
    return [bool(waited_for >> place & 1) for place in range(len(game.names))]


def hides(game: Game) -> bool:
    """Whether there may be something that not every viewer may know."""
    if not isinstance(game, Fight):
        return False
    return bool(game.state.sealed) or game.system.hide is not defaults.hide or gauging.in_words(game.setup.options)


def seen(game: Game, viewer: str | None) -> State | None:
    """The record of a fight as a viewer may know it."""
    if not isinstance(game, Fight):
        return None
    found: State = viewing.seen_by(game, viewer)
    return found


def in_words(game: Game, viewer: str | None) -> frozenset[int]:
    """The places of the fighters of whom a viewer may know only in words how they stand."""
    return viewing.in_words(game.setup, viewer, over=game.over) if isinstance(game, Fight) else frozenset()


def scenes(game: Game, state: State | None, worded: frozenset[int]) -> list[list[Widget]]:
    """What to draw of each player of the game, from what a viewer may know."""
    if not isinstance(game, Fight):
        return [game.scene(name) for name in game.names]
    return [viewing.scene_of(game.setup, state, place, worded) for place in range(len(game.names))]


def check_odds(game: Game, *, oversees: bool) -> None:
    """Refuse odds and hints where they would tell what a viewer may not know."""
    if isinstance(game, Fight) and gauging.in_words(game.setup.options) and not game.over and not oversees:
        raise Illegal(gauging.NO_ODDS, given=gauging.NAME)


def question(game: Game, called: Sequence[str]) -> str:
    """The question, if it is not simply the next move; `called` has the world's names of the fighters."""
    if isinstance(game, Fight):
        return game.system.question(game.setup.renamed(tuple(called)), game.state)
    return game.asked


def moves(game: Game, who: str) -> tuple[list[str], Sequence[Impossible]]:
    """The moves that are open, and those that are not, with the reason."""
    open, impossible = game.legal(who, explain=True)
    return [str(move) for move in open], impossible


class Choices(NamedTuple):
    """What a player of the game may do, what not, and what the open moves mean; `names` are those of their targets."""

    moves: list[str]
    impossible: Sequence[Impossible]
    meanings: Sequence[Meaning]
    names: Sequence[str]


NO_CHOICES = Choices([], [], [], [])


def written(game: Game, who: str) -> dict[str, int]:
    """The open moves of a fighter: their texts with their codes; empty where no fight is played."""
    return game.setup.written(game.state, game.index(who)) if isinstance(game, Fight) else {}


def choices(game: Game, who: str, seen: State | None, open: Mapping[str, int]) -> Choices:
    """The moves of a player in plain words, from what that player may know of the record of a fight.

    `open` are those that `written` has found.
    """
    if isinstance(game, Fight):
        assert seen is not None
        setup, index = game.setup, game.index(who)
        meanings = setup.meanings(seen, index, open.values())
        return Choices(list(open), setup.impossible(game.state, index), meanings, game.names)
    texts, closed = moves(game, who)
    fight = game.fight
    own = fight.legal(who) if fight is not None and who in fight.names else []
    if fight is None or [move.notation for move in own] != texts:
        return Choices(texts, closed, [Meaning(text[:1].upper() + text[1:]) for text in texts], game.names)
    meanings = fight.setup.explained(fight.state, fight.index(who), [move.code for move in own])
    return Choices(texts, closed, meanings, fight.names)


def is_secret(game: Game, who: str) -> bool:
    """Whether the answer of a player is hidden until all who were asked with them have answered."""
    return isinstance(game, Fight) and bool(game.state.sealed >> game.index(who) & 1)


def is_simultaneous(game: Game) -> bool:
    """Whether those who have to move choose at the same time, each in secret until all have.

    The rules say so themselves: the first of them is asked in a copy in which no one has chosen yet.
    """
    if not isinstance(game, Fight) or game.over:
        return False
    asked = game.state.due | game.state.sealed
    if asked.bit_count() < 2:
        return False
    state, first = records.copy(game.state), (asked & -asked).bit_length() - 1
    state.due, state.sealed = asked, 0
    return game.setup.seals(state, first)


def board(game: Game | None) -> Board | None:
    """The board of a game that has one."""
    return None if game is None or isinstance(game, Fight) else game.board
