"""Every message between a client and the server, with its checks."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from affray.fight.viewing import StoryLine
from affray.server.jobs import JobRequest, JobState
from affray.system.pictures import Board, Foe, Mark, Piece, Thrown, Widget
from affray.system.schema import Value
from affray.world.actions.creation import Seat
from affray.world.people.visitor import Kind
from affray.world.store.tables import Outcome, Role

__all__ = ["Board", "Foe", "JobRequest", "JobState", "Mark", "Piece", "StoryLine", "Thrown", "Widget"]

Name = Annotated[str, Meta(min_length=1, max_length=40)]
Text = Annotated[str, Meta(min_length=1, max_length=1000)]
Number = Annotated[int, Meta(ge=0, le=2**31 - 1)]
Id = Annotated[int, Meta(ge=0, le=2**53 - 1)]
Options = dict[Name, Value]
SheetTable = dict[str, Any]

# --- asked by HTTP ----------------------------------------------------------------------------------------------------


class Asked(Struct, forbid_unknown_fields=True, kw_only=True):
    """A request from a client; an unknown field is refused."""


class Credentials(Asked):
    """A name and its password."""

    name: Name
    password: Annotated[str, Meta(min_length=1, max_length=200)]


class SeatAsked(Asked):
    """A fighter: a sheet by its name, with changes, or whole; and who moves it."""

    sheet: Text | SheetTable
    by: Annotated[Name, Meta(description="me, open (an invitation), anyone, storyteller, or a tactic")] = "storyteller"
    name: Name | None = None
    party: Annotated[Name, Meta(description="the party that you keep whose fighter of that name it is")] | None = None
    group: Annotated[Name, Meta(description="the group of NPCs with which it acts together")] | None = None

    def on(self, team: str) -> Seat:
        """The seat on a team."""
        return Seat(team, self.sheet, self.by, self.name, self.party or "", self.group or "")


class SheetTyped(Asked):
    """A ready-made sheet, and what a player has typed for some of its values; an emptied value is left out."""

    base: Text
    values: Annotated[dict[Name, Annotated[str, Meta(max_length=2000)]], Meta(max_length=200)] = {}


class SeatAdded(SeatAsked, kw_only=True):
    """One more seat, before the start."""

    team: Name


class SeatChanged(Asked):
    """Who is to move a fighter."""

    by: Name


class NewCombat(Asked):
    """A fight to set up, or another game of a system by its name; without a place it gets its own table."""

    name: Name
    system: Name
    game: Annotated[str, Meta(max_length=40)] = ""
    teams: Annotated[dict[Name, list[SeatAsked]], Meta(max_length=62)] = {}
    options: Annotated[Options, Meta(max_length=200)] = {}
    place: Name | None = None
    start: bool = False


class DifficultyAsked(Asked):
    """A fight that is put together, to be simulated so many times by the tactics of its fighters."""

    system: Name
    teams: Annotated[dict[Name, Annotated[list[SeatAsked], Meta(max_length=62)]], Meta(max_length=62)]
    options: Annotated[Options, Meta(max_length=200)] = {}
    fights: Annotated[int, Meta(ge=1, le=20_000)] = 500


class Start(Asked):
    """The teams that move first, in this order, if the order matters."""

    first: list[Name] = []


class Fallback(Asked):
    """The tactic that moves in the player's place when the time for a move is up; empty for the usual one."""

    tactic: str = ""


class Rematch(Asked):
    """Whether the sides are to be swapped."""

    swapped: bool = True


class MoveAsked(Asked):
    """A move of a fighter, and the number of the decision it answers, with its mark if undos are to be noticed."""

    fighter: Name
    move: Text
    decision: Number
    after: Name | None = None
    together: bool = False


class GroupAsked(Asked):
    """NPCs of one team that act together; without a group each acts alone again."""

    names: Annotated[list[Name], Meta(max_length=62)]
    group: Name | None = None


class Invitation(Asked):
    """The word that came with an invitation."""

    token: Name


class InterventionAsked(Asked):
    """A storyteller's intervention, such as `set goblin health 3`, and the number of the decision that is open."""

    text: Annotated[str, Meta(min_length=1, max_length=4000)]
    decision: Number | None = None


class Appointed(Asked):
    """The player who is to be the storyteller."""

    name: Name


class OddsAsked(Asked):
    """The fighter whose odds are wanted, and how it plays on: by a tactic (null: its usual one) or by best play.

    The aim says what counts as best: the value of endings, or wins alone.
    """

    fighter: Name
    tactic: Name | None = None
    play: Literal["tactics", "best"] = "tactics"
    aim: Literal["value", "wins"] = "value"


class HintAsked(Asked):
    """The fighter for whom a hint is wanted."""

    fighter: Name


class AgainAsked(Asked):
    """The same fight once more; with `swap` the sides change places."""

    swap: bool = False


class ForkAsked(Asked):
    """The decision at which to fork a fight."""

    at: Number
    name: Name


# --- answered ---------------------------------------------------------------------------------------------------------


class Problem(Struct, frozen=True):
    """Why a request was refused; nothing has changed."""

    problem: str
    given: Any = None
    allowed: list[str] | None = None


class Session(Struct, frozen=True):
    """Who is asking; `known` is false for guests, `fixed` is true where nobody can log in or out.

    With `python` the server has the files with which a page works out odds itself. `friends` is the address under which
    people on other machines find the page; empty where none is known. With `embeds` other sites may show replays.
    """

    name: str
    role: Role
    known: bool
    csrf: str
    fixed: bool = False
    python: bool = False
    friends: str = ""
    embeds: bool = False
    temporary: bool = False
    """Whether the player is a guest with seats, who keeps them by creating an account."""


class Position(Struct, frozen=True):
    """A decision of a fighter (`who`, as the log names it) that is to be weighed, and the log up to it."""

    fighter: str
    decision: int
    who: str
    log: dict[str, Any]


class Handout(Struct, frozen=True):
    """A page to print, as HTML."""

    page: str


class BlockShown(Struct, frozen=True):
    """A piece of a lesson: a paragraph, steps, a table with its heading row, or lines of a fight that was played."""

    kind: Literal["text", "steps", "table", "played"]
    lines: list[str] = []
    rows: list[list[str]] = []


class LessonPart(Struct, frozen=True):
    """A part of a lesson under its heading."""

    heading: str
    blocks: list[BlockShown]


class ConceptShown(Struct, frozen=True):
    """What a guided fight explains as soon as one of these words is seen."""

    when: list[str]
    says: str


class LessonShown(Struct, frozen=True):
    """The rules of a system in five minutes, the teams of a first fight, and what it explains on the way."""

    id: str
    title: str
    summary: str
    parts: list[LessonPart]
    teams: dict[str, list[str]]
    concepts: list[ConceptShown]


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
    """A value on a sheet, for a form: its range, its words or keys, and its default."""

    name: str
    kind: Literal["whole", "word", "flag", "text", "names", "amounts"]
    meaning: str
    allows: str
    default: str = ""
    low: int | None = None
    high: int | None = None
    words: list[str] = []


class SheetShown(Struct, frozen=True):
    """A ready-made fighter, with every value of a form as it would be typed, and the whole sheet in a line."""

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
    """An item that comes with a system besides fighters, and what it does."""

    id: str
    name: str
    text: str


class IconShown(Struct, frozen=True):
    """The character for a word in the system's texts, and the path of 16 by 16 that a page draws instead."""

    word: str
    sign: str
    path: str


class CardShown(Struct, frozen=True):
    """How a card looks: its title, what its edges show from the top clockwise, all in words, and its symbol."""

    name: str
    title: str
    edges: list[str]
    said: str
    mark: str = ""


class GameShown(Struct, frozen=True):
    """A game around fights: its name, the name of its players as a group, their usual sheet, and its options."""

    word: str
    summary: str
    side: str
    sheet: str
    tactic: str
    options: list[OptionShown]


class CostShown(Struct, frozen=True):
    """A cost or gain of a move that a system counts besides the chance to win."""

    name: str
    is_chance: bool
    meaning: str


class SystemShown(SystemSummary, frozen=True):
    """All that is needed to set up a fight of a system."""

    options: list[OptionShown]
    profiles: dict[str, dict[str, Any]]
    tactics: list[TacticShown]
    players: list[TacticShown]
    """The computer players that think, whatever the system."""
    sheets: dict[str, list[SheetShown]]
    fields: list[FieldShown]
    rulings: list[RulingShown]
    demonstration: dict[str, list[str]]
    things: dict[str, list[ThingShown]] = {}
    icons: list[IconShown] = []
    games: list[GameShown] = []
    costs: list[CostShown] = []
    tells_at_once: bool = False
    """Whether odds also tell the effects of a move before the next decision."""
    cards: list[CardShown] = []


class AttributeShown(Struct, frozen=True):
    """An attribute of an account; `written` is how it is set again."""

    name: str
    type: str
    written: str


class AttributeWritten(Struct, frozen=True):
    """An attribute to be set: `NAME[TYPE]=VALUE`."""

    written: Annotated[str, Meta(max_length=4096)]


class RoleGranted(Struct, frozen=True):
    """What an account may do from now on: `player` or `wizard`."""

    role: str


class PasswordChosen(Struct, frozen=True):
    """A new password."""

    password: str


class Subscribed(Asked):
    """A browser that is to be notified, as its `PushSubscription` says."""

    endpoint: Annotated[str, Meta(min_length=1, max_length=1000)]
    p256dh: Annotated[str, Meta(min_length=1, max_length=200)]
    auth: Annotated[str, Meta(min_length=1, max_length=100)]


class Unsubscribed(Asked):
    """The address of the browser that is no longer to be notified; without one, all of the account."""

    endpoint: Annotated[str, Meta(max_length=1000)] = ""


class Recovery(Struct, frozen=True):
    """A way to recover between fights, such as `rest`; without a system the one that is played."""

    word: str
    system: str = ""


class WayDug(Struct, frozen=True):
    """A way to a place, and the way back."""

    way: str
    back: str
    name: str


class Description(Struct, frozen=True):
    """What is to be seen in a place."""

    text: Annotated[str, Meta(min_length=1, max_length=4096)]


class Said(Struct, frozen=True):
    """What has been done, in words."""

    text: str


class MemberShown(Struct, frozen=True):
    """A fighter, as the lobby lists it; `open` seats wait for a player."""

    name: str
    player: str | None
    tactic: str | None
    open: bool


Phase = Literal["setup", "running", "over", "ended"]


class PlaceName(Struct, frozen=True):
    """Where a fight is."""

    key: str
    name: str


class KeepAsked(Asked):
    """What to keep of a fight: all of it as an encounter, or a team of it as a party."""

    kind: Name
    name: Name
    team: Name | None = None


class Handed(Asked):
    """The player to whom a seat is to be handed over; empty to keep it."""

    name: Annotated[str, Meta(max_length=40)] = ""


class Renamed(Asked):
    """Another name."""

    name: Name


class PartyRecovery(Asked):
    """A way to recover between fights, such as `rest`."""

    word: Name


class KeptSeat(Struct, frozen=True):
    """A fighter that is kept; the sheet as one types it where that can be, or whole, and what it is in a line."""

    team: str
    name: str | None
    by: str
    sheet: str | dict[str, Any]
    party: str
    group: str
    line: str


class KeptShown(Struct, frozen=True):
    """A party or an encounter that the caller keeps, and how a party can recover."""

    kind: str
    name: str
    system: str
    seats: list[KeptSeat]
    options: dict[str, Any]
    ways: list[str]


class ProfileWanted(Asked):
    """Whether your profile is to be private, and whether you want to be rated; what is null stays as it is."""

    private: bool | None = None
    rated: bool | None = None


class ProfileSettings(Struct, frozen=True):
    """What players have chosen for their own profiles."""

    private: bool
    rated: bool


class RecordShown(Struct, frozen=True):
    """How the fights of a system ended for a player: how many, and how many by each outcome."""

    system: str
    fights: int
    outcomes: dict[Outcome, int]


class RatingShown(Struct, frozen=True):
    """A rating in a system with its range in 95 of 100 cases, and from how many duels it comes."""

    system: str
    rating: int
    low: int
    high: int
    fights: int
    provisional: bool


class PastFight(Struct, frozen=True):
    """A fight of a player that is over; `decided` in seconds since 1970, where it is known.

    `rated` says whether it counts for ratings, `kept` whether it still has a replay.
    """

    number: int
    name: str
    system: str
    fighter: str
    outcome: Outcome
    decided: int | None
    against: list[str]
    rated: bool
    kept: bool


class ProfileShown(Struct, frozen=True):
    """A player: since when (in seconds since 1970, where it is known), the record, ratings, and a page of fights.

    `ratings` is null where the player wants none; `settings` are told to the player alone.
    """

    name: str
    since: int | None
    record: list[RecordShown]
    ratings: list[RatingShown] | None
    fights: list[PastFight]
    total: int
    page: int
    pages: int
    settings: ProfileSettings | None


class TurnShown(Struct, frozen=True):
    """A fight that waits for the caller, for which fighters, and the seconds left by correspondence."""

    number: int
    name: str
    system: str
    fighters: list[str]
    left: float | None


class Summary(Struct, frozen=True):
    """A fight in the lobby, or another game by its name."""

    number: int
    name: str
    system: str
    phase: Phase
    owner: str
    teams: dict[str, list[MemberShown]]
    round: int
    ending: str | None
    game: str
    place: PlaceName
    yours: bool = False
    your_move: bool = False
    join: str | None = None
    """The word for a seat that is offered to anyone, or empty where every player may join."""


class FightsFound(Struct, frozen=True):
    """A page of fights, and how many there are on all pages."""

    fights: list[Summary]
    total: int
    page: int
    pages: int


class PlaceShown(PlaceName, frozen=True):
    """A place, its people, and its fight."""

    description: str
    people: list[str]
    combat: Summary | None


class Lobby(Struct, frozen=True):
    """What there is to do: the caller's own fights, those with a seat for anyone, those to watch, and the places.

    Each list has the first few; `GET /api/combats` has the rest.
    """

    yours: list[Summary]
    open: list[Summary]
    live: list[Summary]
    totals: dict[str, int]
    """How many there are of `yours`, `open`, `live` and `ended`."""
    places: list[PlaceShown]
    """The places of the world, without the tables that were made for fights."""
    turns: list[TurnShown] = []
    """The fights that wait for the caller, those first whose time runs out first."""


class SeatShown(MemberShown, frozen=True, kw_only=True):
    """A seat of a fight; only its owner sees the invitation."""

    fighter: str
    team: str
    sheet: str
    here: bool
    public: bool
    invite: str | None
    due: bool
    scene: list[Widget]
    thinks: bool = False
    """Whether a computer moves it that thinks, which takes a while."""
    group: str = ""
    """The group of NPCs with which it acts together."""


class You(Struct, frozen=True, omit_defaults=True):
    """The viewer's role in this fight, and what they may do."""

    fighter: str | None
    owner: bool
    may: list[str]
    heir: str = ""
    """The player to whom the viewer wants to hand the seat over."""
    offered: str = ""
    """The seat that another player wants to hand over to the viewer."""


class UndoShown(Struct, frozen=True):
    """What may be taken back in a fight, how many moves were and which ones last, and which teams must agree to what is
    `asked` for."""

    setting: Literal["free", "agreed", "off"]
    text: str
    undone: int
    waiting: list[str]
    last: str = ""
    """What was taken back last: the first of its moves and how many came after it."""
    asked: Literal["undo", "restore"] = "undo"
    """The request that the teams in `waiting` have to repeat."""


class ClockShown(Struct, frozen=True):
    """The clock of a fight: its bank or limit in seconds, what each player has left, and whose clock runs."""

    bank: int
    increment: int
    per_move: bool
    left: dict[str, float]
    running: list[str]
    by_mail: bool = False
    """Whether the calendar counts: days or hours for each move."""
    fallback: str = ""
    """The tactic that the viewer has chosen for moves that come too late; empty for the usual one."""


class DuelShown(Struct, frozen=True):
    """What goes on between opponents besides moves: who offers a draw or wants to fight again, and the clock."""

    wishes: dict[str, str]
    """By the name of a fighter: `resign`, `draw`, `again` or `swap`."""
    concluded: str | None
    """Why people ended the fight, in words."""
    next: int | None
    """The number of the fight that repeats this one."""
    clock: ClockShown | None
    rated: bool = False
    """Whether it counts for the ratings of both players."""


class NotPossible(Struct, frozen=True):
    """A move that is not open now, and why."""

    move: str
    reason: str


class MoveShown(Struct, frozen=True):
    """An open move in plain words: what is done, at which fighter, how, and what is thrown and may come of it."""

    action: str
    target: str | None
    detail: str
    text: str


class Ask(Struct, frozen=True):
    """A decision that the viewer may take; `after` marks the story before it, and goes into the answer.

    `about` says of each of the `moves` what it means; an answer that is `secret` is hidden until all are in.
    """

    fighter: str
    name: str
    question: str
    decision: int
    moves: list[str]
    impossible: list[NotPossible]
    answered: str | None
    at_stake: str | None
    after: str
    about: list[MoveShown] = []
    secret: bool = False


class WingShown(Struct, frozen=True):
    """A fighter who waits in the wings, and the team it will join; only that team and the storyteller know of it."""

    name: str
    team: str


class Table(Struct, frozen=True, tag="table", tag_field="type", kw_only=True):
    """One fight, or another game with its name and board, as a viewer may see it.

    Lines of the story before `story_from` have not changed. A `wish` is an intervention that waits for consent.
    `asked_at` is when the open decision was asked, in seconds since 1970, if the server knows; if it is `simultaneous`,
    all who are due choose at the same time, and who has chosen stays secret.
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
    asked_at: float | None
    simultaneous: bool
    story: list[StoryLine]
    story_from: int
    aftermath: list[str]
    commitment: str | None
    secret: str | None
    options: dict[str, Value]
    undo: UndoShown
    wish: str | None
    duel: DuelShown
    wings: list[WingShown]
    game: str
    board: Board | None


class Changed(Struct, frozen=True, tag="changed", tag_field="type"):
    """What is different in a table since the last message about it; fields beside those may have the same values.

    Without a `story` among them all lines stay as they are.
    """

    number: int
    changes: dict[str, Any]


class Verified(Struct, frozen=True):
    """Whether a log matches its dice, and what was checked."""

    fits: bool
    text: list[str]


class NotificationsShown(Struct, frozen=True):
    """Whether players can be notified whose page is closed, by which public key, and which of your browsers are."""

    key: str | None
    problem: str
    endpoints: list[str]


class PictureShown(Struct, frozen=True):
    """A picture of a fight as SVG, and in words."""

    svg: str
    text: str


class JobStarted(Struct, frozen=True):
    """The id of a new job."""

    id: str


class Health(Struct, frozen=True):
    """Whether the server works."""

    status: Literal["ok", "lost"]


# --- over the WebSocket -----------------------------------------------------------------------------------------------


class Sent(Struct, forbid_unknown_fields=True, kw_only=True, tag_field="type", tag=str.lower):
    """What a client sends; `id` comes back with the answer."""

    id: Id | None = None


class Enter(Sent):
    """Follow a fight, and go to its place; with `screen` as a spectator sees it, and without going there."""

    combat: Number
    screen: bool = False


class Leave(Sent):
    """Stop following a fight."""


class Move(Sent):
    """Make a move in the fight, if that decision is open; with its mark, if undos are to be noticed."""

    combat: Number
    fighter: Name
    move: Text
    decision: Number
    after: Name | None = None
    together: bool = False


class Say(Sent):
    """Speak to everyone in the place."""

    text: Text


class Pose(Sent):
    """Do something that everyone in the place sees."""

    text: Text


class Whisper(Sent):
    """Say something that only one other person hears."""

    to: Name
    text: Text


class Roll(Sent):
    """Throw dice that everyone in the place sees, such as 3d6."""

    text: Text


class Line(Sent):
    """Any command of the text console."""

    text: Text


class Ping(Sent):
    """Ask whether the server is there."""


FromClient = Enter | Leave | Move | Say | Pose | Whisper | Roll | Line | Ping


class Hello(Struct, frozen=True, tag="hello", tag_field="type"):
    """Who the client is."""

    name: str
    role: Role
    known: bool


class ChatLine(Struct, frozen=True):
    """A line that was said or posed in a place."""

    n: int
    text: str


class Chat(Struct, frozen=True, tag="chat", tag_field="type"):
    """The last lines said in the place of the fight."""

    lines: list[ChatLine]


class ToldNow(Struct, frozen=True, tag="told", tag_field="type"):
    """A message to the client."""

    kind: Kind
    text: str


class LobbyChanged(Struct, frozen=True, tag="lobby", tag_field="type"):
    """The lobby has changed."""


class Done(Struct, frozen=True, tag="done", tag_field="type"):
    """The client's request has been carried out and stored."""

    id: int | None


class RefusedNow(Problem, frozen=True, kw_only=True, tag="refused", tag_field="type"):
    """The client's request was refused, and nothing has changed."""

    id: int | None


class Gone(Struct, frozen=True, tag="gone", tag_field="type"):
    """The fight that was followed has been ended."""

    combat: int


class Pong(Struct, frozen=True, tag="pong", tag_field="type"):
    """The server is there."""

    id: int | UnsetType | None = UNSET


FromServer = Hello | Table | Changed | Chat | ToldNow | LobbyChanged | Done | RefusedNow | Gone | Pong
