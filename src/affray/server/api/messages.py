"""Every message between a client and the server, as it is checked at the edge."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from affray.fight.viewing import StoryLine
from affray.server.jobs import JobRequest, JobState
from affray.system.pictures import Board, Foe, Mark, Piece, Thrown, Widget
from affray.world.combats.creation import Seat
from affray.world.people.visitor import Kind
from affray.world.store.tables import Role

__all__ = ["Board", "Foe", "JobRequest", "JobState", "Mark", "Piece", "StoryLine", "Thrown", "Widget"]

Name = Annotated[str, Meta(min_length=1, max_length=40)]
Text = Annotated[str, Meta(min_length=1, max_length=1000)]
Number = Annotated[int, Meta(ge=0, le=2**31 - 1)]
Id = Annotated[int, Meta(ge=0, le=2**53 - 1)]
Value = int | str | bool
Options = dict[Name, Value]
SheetTable = dict[str, Any]

# --- asked by HTTP ----------------------------------------------------------------------------------------------------


class Asked(Struct, forbid_unknown_fields=True, kw_only=True):
    """What a client hands in; an unknown field is refused."""


class Credentials(Asked):
    """A name and its password."""

    name: Name
    password: Annotated[str, Meta(min_length=1, max_length=200)]


class SeatAsked(Asked):
    """A fighter: a sheet by its name, with changes, or whole; and who moves it."""

    sheet: Text | SheetTable
    by: Annotated[Name, Meta(description="me, open (an invitation), storyteller, or a tactic")] = "storyteller"
    name: Name | None = None

    def on(self, team: str) -> Seat:
        """The seat on a team."""
        return Seat(team, self.sheet, self.by, self.name)


class SheetTyped(Asked):
    """A ready-made sheet, and what a player has typed for some of its values; one that is emptied is left out."""

    base: Text
    values: Annotated[dict[Name, Annotated[str, Meta(max_length=2000)]], Meta(max_length=200)] = {}


class SeatAdded(SeatAsked, kw_only=True):
    """One more seat, before the start."""

    team: Name


class SeatChanged(Asked):
    """Who is to move a fighter."""

    by: Name


class NewCombat(Asked):
    """A fight to be set up, or another game of a system by its word; without a place it gets a table of its own."""

    name: Name
    system: Name
    game: Annotated[str, Meta(max_length=40)] = ""
    teams: Annotated[dict[Name, list[SeatAsked]], Meta(max_length=62)] = {}
    options: Annotated[Options, Meta(max_length=200)] = {}
    place: Name | None = None
    start: bool = False


class Start(Asked):
    """Which teams move first, in this order, where the order matters."""

    first: list[Name] = []


class MoveAsked(Asked):
    """A move of a fighter, and the number of the decision it answers, with its mark if undos are to be noticed."""

    fighter: Name
    move: Text
    decision: Number
    after: Name | None = None


class Invitation(Asked):
    """The word that came with an invitation."""

    token: Name


class OddsAsked(Asked):
    """The fighter whose odds are asked for, and how it goes on: by a tactic (null: its usual one) or its best play.

    The aim says what is best: what endings are worth, or wins alone.
    """

    fighter: Name
    tactic: Name | None = None
    play: Literal["tactics", "best"] = "tactics"
    aim: Literal["value", "wins"] = "value"


class ForkAsked(Asked):
    """From which decision on a fight is to be played in another way."""

    at: Number
    name: Name


# --- answered ---------------------------------------------------------------------------------------------------------


class Problem(Struct, frozen=True):
    """Why something was refused; nothing has changed."""

    problem: str
    given: Any = None
    allowed: list[str] | None = None


class Session(Struct, frozen=True):
    """Who is asking; `known` is false for guests, `fixed` is true where nobody can log in or out."""

    name: str
    role: Role
    known: bool
    csrf: str
    fixed: bool = False


class SystemSummary(Struct, frozen=True):
    """A combat system in a line."""

    id: str
    title: str
    summary: str


class OptionShown(Struct, frozen=True):
    """An option with its explanation; `kind` says whether it is a number, a word or a flag."""

    name: str
    kind: Literal["whole", "word", "flag"]
    default: Value
    meaning: str
    ruling: str
    low: int | None = None
    high: int | None = None
    words: list[str] = []


class TacticShown(Struct, frozen=True):
    """A tactic and what it does."""

    name: str
    meaning: str


class FieldShown(Struct, frozen=True):
    """A value on a sheet, for a form: its range, its words or keys, and what it is where a sheet does not say."""

    name: str
    kind: Literal["whole", "word", "flag", "text", "names", "amounts"]
    meaning: str
    allows: str
    default: str = ""
    low: int | None = None
    high: int | None = None
    words: list[str] = []


class SheetShown(Struct, frozen=True):
    """A ready-made fighter, with every value that a form asks for as one would type it, and all of it in a line."""

    id: str
    name: str
    note: str
    tactic: str
    values: dict[str, str]
    line: str


class RulingShown(Struct, frozen=True):
    """A rule or ruling that the story cites."""

    id: str
    title: str
    text: str


class ThingShown(Struct, frozen=True):
    """Something that comes with a system besides fighters, and what it does."""

    id: str
    name: str
    text: str


class IconShown(Struct, frozen=True):
    """The sign of a word in the system's texts, and the path of 16 by 16 that a page draws in its place."""

    word: str
    sign: str
    path: str


class GameShown(Struct, frozen=True):
    """A game around fights: its word, what its players are together, their usual sheet, and its options."""

    word: str
    summary: str
    side: str
    sheet: str
    tactic: str
    options: list[OptionShown]


class SystemShown(SystemSummary, frozen=True):
    """All that is needed to set up a fight of a system."""

    options: list[OptionShown]
    profiles: dict[str, dict[str, Any]]
    tactics: list[TacticShown]
    sheets: dict[str, list[SheetShown]]
    fields: list[FieldShown]
    rulings: list[RulingShown]
    demonstration: dict[str, list[str]]
    things: dict[str, list[ThingShown]] = {}
    icons: list[IconShown] = []
    games: list[GameShown] = []


class MemberShown(Struct, frozen=True):
    """A fighter, as the lobby lists it; `open` seats wait for a player."""

    name: str
    player: str | None
    tactic: str | None
    open: bool


Phase = Literal["setup", "running", "over", "ended"]


class Summary(Struct, frozen=True):
    """A fight in the lobby, or another game by its word."""

    number: int
    name: str
    system: str
    phase: Phase
    owner: str
    teams: dict[str, list[MemberShown]]
    round: int
    ending: str | None
    game: str


class PlaceName(Struct, frozen=True):
    """Where a fight is."""

    key: str
    name: str


class PlaceShown(PlaceName, frozen=True):
    """A place, who is there, and its fight."""

    description: str
    people: list[str]
    combat: Summary | None


class Lobby(Struct, frozen=True):
    """All places, and the numbers of the fights in which the asking player takes part."""

    places: list[PlaceShown]
    yours: list[int]


class SeatShown(MemberShown, frozen=True, kw_only=True):
    """A seat of a fight; only its owner sees the invitation."""

    fighter: str
    team: str
    sheet: str
    here: bool
    invite: str | None
    due: bool
    scene: list[Widget]


class You(Struct, frozen=True):
    """What the viewer is in this fight, and may do."""

    fighter: str | None
    owner: bool
    may: list[str]


class UndoShown(Struct, frozen=True):
    """What may be taken back in a fight, how many moves have been, and which teams have to agree to another now."""

    setting: Literal["free", "agreed", "off"]
    text: str
    undone: int
    waiting: list[str]


class NotPossible(Struct, frozen=True):
    """A move that is not open now, and why."""

    move: str
    reason: str


class Ask(Struct, frozen=True):
    """A decision that the viewer may take; `after` marks the story that has led to it, for the answer."""

    fighter: str
    name: str
    question: str
    decision: int
    moves: list[str]
    impossible: list[NotPossible]
    answered: str | None
    at_stake: str | None
    after: str


class Table(Struct, frozen=True, tag="table", tag_field="type", kw_only=True):
    """One fight, or another game by its word and with its board, as a viewer may see it.

    Lines of the story before `story_from` stay as they are.
    """

    number: int
    name: str
    system: str
    title: str
    place: PlaceName
    owner: str
    phase: Phase
    version: int
    decision: int
    round: int
    ending: str | None
    endings: list[str]
    teams: list[str]
    seats: list[SeatShown]
    you: You
    asks: list[Ask]
    waiting: list[str]
    story: list[StoryLine]
    story_from: int
    aftermath: list[str]
    commitment: str | None
    secret: str | None
    options: dict[str, Value]
    undo: UndoShown
    game: str
    board: Board | None


class Verified(Struct, frozen=True):
    """Whether a log fits its dice, and what was checked."""

    fits: bool
    text: list[str]


class JobStarted(Struct, frozen=True):
    """The job that was asked for has a number."""

    id: str


class Health(Struct, frozen=True):
    """Whether the server can do its work."""

    status: Literal["ok", "lost"]


# --- over the WebSocket -----------------------------------------------------------------------------------------------


class Sent(Struct, forbid_unknown_fields=True, kw_only=True, tag_field="type", tag=str.lower):
    """What a client sends; `id` comes back with the answer."""

    id: Id | None = None


class Enter(Sent):
    """Follow a fight, and be where it is."""

    combat: Number


class Leave(Sent):
    """Follow no fight any longer."""


class Move(Sent):
    """Make a move in the fight, if that decision is open; with its mark, if undos are to be noticed."""

    combat: Number
    fighter: Name
    move: Text
    decision: Number
    after: Name | None = None


class Say(Sent):
    """Speak to everyone in the place."""

    text: Text


class Pose(Sent):
    """Do something that everyone in the place sees."""

    text: Text


class Line(Sent):
    """Any command of the text console."""

    text: Text


class Ping(Sent):
    """Ask whether the server is there."""


FromClient = Enter | Leave | Move | Say | Pose | Line | Ping


class Hello(Struct, frozen=True, tag="hello", tag_field="type"):
    """Who the client is here."""

    name: str
    role: Role
    known: bool


class ChatLine(Struct, frozen=True):
    """Something that was said or done in a place."""

    n: int
    text: str


class Chat(Struct, frozen=True, tag="chat", tag_field="type"):
    """What was said recently where the fight is."""

    lines: list[ChatLine]


class ToldNow(Struct, frozen=True, tag="told", tag_field="type"):
    """Something that is told to the client."""

    kind: Kind
    text: str


class LobbyChanged(Struct, frozen=True, tag="lobby", tag_field="type"):
    """Something in the lobby is different."""


class Done(Struct, frozen=True, tag="done", tag_field="type"):
    """What the client sent has been done, and is durable."""

    id: int | None


class RefusedNow(Problem, frozen=True, kw_only=True, tag="refused", tag_field="type"):
    """What the client sent was refused, and nothing has changed."""

    id: int | None


class Gone(Struct, frozen=True, tag="gone", tag_field="type"):
    """The fight that was followed has been ended."""

    combat: int


class Pong(Struct, frozen=True, tag="pong", tag_field="type"):
    """The server is there."""

    id: int | UnsetType | None = UNSET


FromServer = Hello | Table | Chat | ToldNow | LobbyChanged | Done | RefusedNow | Gone | Pong
