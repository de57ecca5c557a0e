"""A fight as one viewer may see it: the data from which the page draws it, without secrets."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import cached_property, partial
from typing import Any, NamedTuple

from affray.fight import Fight
from affray.fight.viewing import OVERSEER, StoryLine
from affray.kernel.records import pack
from affray.kernel.state import State
from affray.server.api import messages as m
from affray.system import gauging, undoing
from affray.system.pictures import Widget
from affray.world.actions import acting
from affray.world.combats import consent, games, storytelling, taking_back
from affray.world.combats.combat import Combat
from affray.world.combats.listing import Listed
from affray.world.combats.roster import Member
from affray.world.combats.turns import turn_in
from affray.world.people.visitor import Visitor
from affray.world.world import World

OWNER_MAY = {
    "setup": ["start", "seats", "end"],
    "running": ["intervene", "undo", "save", "restore", "seats", "fork", "end"],
    "over": ["undo", "restore", "fork", "end"],
    "ended": ["fork"],
}


async def summary_of(world: World, combat: Listed, phase: m.Phase, viewer: str = "") -> m.Summary:
    """A fight in the lobby, as it concerns the account of a viewer."""
    names = await names_in(world, combat)
    teams = {
        team: [
            m.MemberShown(one.name, names[one.player] if one.player else None, one.tactic, one.invitation is not None)
            for one in members
        ]
        for team, members in combat.roster.teams.items()
    }
    shown = (combat.number, combat.name, combat.system.id, phase, names[combat.owner])
    place = world.places.get(combat.place)
    return m.Summary(
        *shown,
        teams,
        combat.standing.round,
        combat.standing.ending,
        combat.game,
        m.PlaceName(combat.place, place.name if place else combat.place),
        is_own(combat, viewer),
        phase == "running" and awaits(combat, viewer),
        way_in(combat) if phase != "ended" else None,
    )


def is_own(combat: Listed, account: str) -> bool:
    """Whether an account takes part in a combat, is offered a seat by its player, or owns it."""
    if not account:
        return False
    return account == combat.owner or account in combat.players or combat.roster.of_heir(account) is not None


def awaits(combat: Listed, account: str) -> bool:
    """Whether a combat waits for an account: for its fighter, or for one that it moves as the owner."""
    return turn_in(combat, account) is not None


def way_in(combat: Listed) -> str | None:
    """The word by which any player can take a seat; empty where one joins without a word, None where one cannot."""
    for member in combat.roster:
        if member.public and member.invitation:
            return member.invitation
    return "" if combat.game and combat.phase == "setup" else None


async def names_in(world: World, combat: Listed) -> Mapping[str, str]:
    """The names of all accounts in a combat; others may join while they are looked up."""
    while not knows_names(world, combat):
        await world.people.names([combat.owner, *combat.players])
    return world.people.known_names


def knows_names(world: World, combat: Listed) -> bool:
    """Whether the names of all accounts in a combat need not be looked up."""
    known = world.people.known_names
    return combat.owner in known and all(one.player is None or one.player in known for one in combat.roster.members)


class Part(NamedTuple):
    """Some fields of a table, which are made when they are wanted; with a key they are the same for all who have it.

    Those that last stay the same in the next states, too, as long as their key does.
    """

    key: Hashable | None
    make: Callable[[], dict[str, Any]]
    lasts: bool = False


async def table_of(visitor: Visitor, combat: Combat, phase: m.Phase) -> m.Table:
    """A fight as a visitor may see it, with its whole story."""
    await names_in(visitor.world, combat)
    fields = {name: value for part in parts_of(visitor, combat, phase) for name, value in part.make().items()}
    return m.Table(**fields, story=story_of(combat, 0, full=reads_all(visitor, combat)), story_from=0)


def reads_all(visitor: Visitor, combat: Combat) -> bool:
    """Whether a visitor is told numbers that others are not."""
    fight = combat.fight
    keeps = isinstance(fight, Fight) and (bool(fight.asides) or gauging.in_words(fight.setup.options))
    return keeps and combat.is_overseen_by(visitor.key, visitor.role)


def story_of(combat: Combat, first: int, *, full: bool = False) -> list[StoryLine]:
    """The lines of the story from a number on."""
    return games.story(combat.fight, first, full=full) if combat.fight else []


def parts_of(visitor: Visitor, combat: Combat, phase: m.Phase) -> list[Part]:
    """All of a table but its story, always as many parts in the same order. The names of all accounts must be known."""
    return combat.once(("shown", phase), lambda: _Shown(visitor.world, combat, phase)).parts(visitor)


def public_version(combat: Listed) -> int:
    """How often a combat has changed visibly: that others have chosen, or chosen anew, stays secret."""
    # A choice that was taken back has changed it twice: when it was made, and then.
    fight = combat.fight if isinstance(combat, Combat) else None
    acts = fight.secret_acts if isinstance(fight, Fight) else 0
    return combat.version - 2 * combat.roster.retracted - acts - (combat.secret if isinstance(combat, Combat) else 0)


NOTHING_ASKED = Part("nothing asked", lambda: {"asks": []})
OVERSEES = -1
"""The place of a storyteller who does not fight."""


class _View:
    """What one viewer sees while a table is made: the fighter at a place, a spectator, or a storyteller."""

    def __init__(self, shown: _Shown, place: int | None) -> None:
        self._shown, self.place = shown, place

    @cached_property
    def state(self) -> State | None:
        """The state that the viewer may know: kept only as long as the table is made, because it is many objects."""
        return self._shown.state(self.place)


class _Shown:
    """A combat as it stands, for all its viewers: what several of them may know alike is found out once."""

    def __init__(self, world: World, combat: Combat, phase: m.Phase) -> None:
        self._world, self._combat, self._phase = world, combat, phase
        self._fight, self._members = combat.fight, combat.members
        known = world.people.known_names  # which may be forgotten before all parts are made
        self._names = {one.player: known[one.player] for one in self._members if one.player is not None}
        self._fighters = self._fight.names if self._fight else [member.name for member in self._members]
        self._places = {one.player: place for place, one in enumerate(self._members) if one.player is not None}
        self._undo = combat.undo_setting
        self._hides = self._fight is not None and games.hides(self._fight)
        self._wish = storytelling.asked_for(combat)
        self._is_running = self._fight is not None and phase == "running"
        self._dues: dict[int | None, tuple[bool, ...]] = {}
        self._marks: dict[int | None, bytes] = {}
        self._fixed = _fixed(world, combat, known[combat.owner])

    def parts(self, visitor: Visitor) -> list[Part]:
        """The table of one viewer."""
        owns, place = acting.owns(visitor, self._combat), self._places.get(visitor.key)
        view = _View(self, OVERSEES if owns and place is None else place)
        # Those with a method of this object are not kept in it: they would keep it beyond its state.
        common, steady = Part("common", self._for_all), Part("steady", self._for_all_for_long)
        answering = self._answerable(visitor, owns) if self._is_running else []
        asked = Part(None, partial(self._asked, visitor, answering, view)) if answering else NOTHING_ASKED
        own = Part(None, partial(self._own, visitor, answering, place, owns))
        return [self._fixed, common, steady, self._seated(view, owns), self._between(place), asked, own]

    def _for_all(self) -> dict[str, Any]:
        combat, fight = self._combat, self._fight
        return {
            "version": public_version(combat),
            "decision": fight.decision if fight else 0,
            "round": fight.round if fight else 0,
            "asked_at": combat.asked_at,
            "simultaneous": combat.is_simultaneous,
        }

    def _for_all_for_long(self) -> dict[str, Any]:
        """What most moves do not change."""
        combat, fight, fair = self._combat, self._fight, self._combat.fair
        return {
            "phase": self._phase,
            "ending": fight.ending if fight else None,
            "aftermath": combat.aftermath,
            "secret": fair.secret.hex() if fair and self._phase == "ended" else None,
            "undo": self._undoing(),
            "wish": self._wish,
            "board": games.board(fight),
        }

    def _undoing(self) -> m.UndoShown:
        fight, combat = self._fight, self._combat
        undone = sum(len(one.answers) for one in fight.undone) if isinstance(fight, Fight) else 0
        return m.UndoShown(
            self._undo,
            undoing.TOLD[self._undo],
            undone,
            consent.awaited(combat),
            taking_back.last(combat),
            "restore" if consent.is_for_restore(combat) else "undo",
        )

    # --- seats -----------------------------------------------------------------------------------------------

    def _due(self, view: _View) -> tuple[bool, ...]:
        """Which fighters the fight waits for, as far as a viewer may know."""
        viewer = view.place if self._hides else None
        if viewer not in self._dues:
            self._dues[viewer] = tuple(games.due(self._combat.running(), view.state))
        return self._dues[viewer]

    def _mark(self, view: _View) -> bytes:
        """A mark of the state that a viewer may know."""
        if not self._hides or view.state is None:
            return b""
        if view.place not in self._marks:
            self._marks[view.place] = pack(view.state) + bytes(sorted(self._worded(view.place)))
        return self._marks[view.place]

    def state(self, place: int | None) -> State | None:
        """The state that the fighter at a place may know; without one, a spectator."""
        fight = self._combat.running()
        if not self._hides:
            return fight.state if isinstance(fight, Fight) else None
        return games.seen(fight, self._viewer(place))

    def _viewer(self, place: int | None) -> str | None:
        return OVERSEER if place == OVERSEES else None if place is None else self._fighters[place]

    def _worded(self, place: int | None) -> frozenset[int]:
        """The fighters that the fighter at a place sees only in words."""
        return games.in_words(self._combat.running(), self._viewer(place))

    def _seated(self, view: _View, owns: bool) -> Part:
        """The seats, made once for all viewers who may know the same of them."""
        is_active, members = self._world.people.is_active, self._members
        here = tuple([one.player is not None and is_active(one.player) for one in members])
        invites = owns and any(one.invitation for one in members)
        if not self._fight:
            return Part(("seats", here, invites), partial(self._seats, view, (False,) * len(members), here, invites))
        key = ("seats", self._mark(view), here, invites)
        return Part(key, partial(self._seats, view, self._due(view), here, invites))

    def _seats(self, view: _View, due: Sequence[bool], here: Sequence[bool], invites: bool) -> dict[str, Any]:
        scenes: list[list[Widget]] = [[] for _ in self._members]
        if self._fight:
            scenes = games.scenes(self._fight, view.state, self._worded(view.place))
        seats = [
            m.SeatShown(
                name=member.name,
                fighter=fighter,
                team=team,
                sheet=str(member.sheet.get("name", member.name)),
                player=self._names[member.player] if member.player else None,
                here=is_here,
                tactic=member.tactic,
                open=member.invitation is not None,
                public=member.public,
                invite=member.invitation if invites else None,
                due=is_due,
                scene=scene,
                thinks=member.thinks,
                group=member.group,
            )
            for (team, member), fighter, is_here, is_due, scene in zip(
                self._combat.roster.placed(), self._fighters, here, due, scenes, strict=True
            )
        ]
        return {"seats": seats}

    def _between(self, place: int | None) -> Part:
        """What goes on between opponents; with a clock it is another at every moment, and to every player."""
        mine = None if place is None else self._members[place]
        return Part(None if self._combat.clock else "duel", partial(_duel, self._combat, mine))

    # --- what is a viewer's own ------------------------------------------------------------------------------

    def _asked(self, visitor: Visitor, answering: Sequence[int], view: _View) -> dict[str, Any]:
        return {"asks": [ask for place in answering if (ask := self._ask(visitor, place, view)) is not None]}

    def _own(self, visitor: Visitor, answering: Sequence[int], place: int | None, owns: bool) -> dict[str, Any]:
        mine = None if place is None else self._members[place]
        return {
            "you": self._you(visitor, mine, owns),
            "waiting": self._waiting(answering) if self._is_running else [],
            "wings": [m.WingShown(one.name, one.team) for one in self._combat.wings_for(visitor.key, visitor.role)],
        }

    def _you(self, visitor: Visitor, mine: Member | None, owns: bool) -> m.You:
        may = self._may(visitor, mine is not None, owns)
        if mine is not None:
            return m.You(mine.name, owns, may, mine.heir)
        offered = self._combat.roster.of_heir(visitor.key) if self._phase != "ended" else None
        return m.You(None, owns, may, offered=offered.name if offered else "")

    def _answerable(self, visitor: Visitor, owns: bool) -> list[int]:
        """The places that a visitor may decide for: their own, and as the owner NPCs and players who are away.

        An owner who fights too does not decide for those.
        """
        is_active, may_move = self._world.people.is_active, self._combat.owner_may_move
        return [
            place
            for place, one in enumerate(self._members)
            if one.player == visitor.key
            or (owns and one.tactic is None and not (one.player and is_active(one.player)) and may_move(one))
        ]

    def _ask(self, visitor: Visitor, place: int, view: _View) -> m.Ask | None:
        """What is asked of the fighter at a place, as a visitor who may decide for it is to know."""
        fight, member, fighter = self._combat.running(), self._members[place], self._fighters[place]
        move, by = self._given.get(fighter, (None, None))
        # The choice of a player who is away now stays secret.
        answered = move if member.player == visitor.key or by != member.player else None
        if answered is None and fighter not in self._to_act:
            return None
        usual = "Your move." if member.player == visitor.key else f"What does {member.name} do?"
        question = self._question or usual
        choices = games.NO_CHOICES if answered is not None else self._choices(place, view)
        return m.Ask(
            fighter,
            member.name,
            question[:1].upper() + question[1:],
            fight.decision,
            choices.moves,
            [m.NotPossible(one.notation, one.reason) for one in choices.impossible],
            answered,
            fight.at_stake.get(fighter) if isinstance(fight, Fight) else None,
            self._combat.led_here,
            [
                m.MoveShown(one.action, None if one.target is None else choices.names[one.target], one.detail, one.text)
                for one in choices.meanings
            ],
            answered is not None and games.is_secret(fight, fighter),
        )

    @cached_property
    def _to_act(self) -> list[str]:
        return self._combat.running().to_act

    @cached_property
    def _question(self) -> str:
        return games.question(self._combat.running(), [member.name for member in self._members])

    @cached_property
    def _given(self) -> dict[str, tuple[str, str]]:
        """The answers to the open decision by their fighters, and the accounts that gave them."""
        combat = self._combat
        first = combat.closed
        given = zip(combat.running().answers[first:], combat.movers[first:], strict=True)
        return {answer.who: (answer.move, by) for answer, by in given}

    def _choices(self, place: int, view: _View) -> games.Choices:
        state, fighter = view.state if place == view.place else self.state(place), self._fighters[place]
        return games.choices(self._combat.running(), fighter, state, self._combat.open_moves(fighter))

    def _waiting(self, mine: Sequence[int]) -> list[str]:
        """The others that the fight waits for, if no tactic moves them at once."""
        due = self._due(_View(self, None))
        return [
            one.name for place, one in enumerate(self._members) if due[place] and not one.tactic and place not in mine
        ]

    def _may(self, visitor: Visitor, fights: bool, owns: bool) -> list[str]:
        combat, phase = self._combat, self._phase
        if visitor.role == "guest":
            return []
        if combat.game:
            return _may_in_game(phase, fights, owns)
        may = ["move", *self._as_opponent] if fights and phase == "running" else []
        if fights and phase == "over":
            may.append("rematch")
        if fights and phase == "running" and self._wish and storytelling.may_agree(combat, visitor.key):
            may.append("agree")
        if owns:
            may += OWNER_MAY[phase]
        elif phase in ("over", "ended"):
            may.append("fork")
        if combat.fight is None or phase == "ended":
            return may
        if isinstance(combat.fight, Fight) and combat.fight.concluded:
            return [what for what in may if what not in ("undo", "restore")]
        match self._undo:
            case "off":  # except a choice of the viewer's that is still secret, and the storyteller's last word
                may = [what for what in may if what not in ("undo", "restore")]
                chooses = fights and phase == "running" and games.is_simultaneous(combat.fight)
                return [*may, "undo"] if chooses or (owns and taking_back.has_last_word(combat, visitor.key)) else may
            case "agreed" if fights and not owns:
                return [*may, "undo", "restore"]
        return may

    @cached_property
    def _as_opponent(self) -> list[str]:
        return _may_as_opponent(self._combat)


def _fixed(world: World, combat: Combat, owner: str) -> Part:
    """What hardly ever changes while a fight goes on."""
    fight, place, fair = combat.fight, world.places.get(combat.place), combat.fair
    where = place.name if place else combat.place
    teams, endings = tuple(combat.roster.teams), fight.endings if fight else ()

    def make() -> dict[str, Any]:
        return {
            "number": combat.number,
            "name": combat.name,
            "system": combat.system.id,
            "title": combat.system.title,
            "place": m.PlaceName(combat.place, where),
            "owner": owner,
            "endings": list(endings),
            "teams": list(teams),
            "commitment": fair.commitment if fair else None,
            "options": combat.chosen_options,
            "game": combat.game,
        }

    return Part((where, owner, teams, endings, fair.secret if fair else None), make, lasts=True)


def _duel(combat: Combat, mine: Member | None) -> dict[str, Any]:
    """What goes on between opponents; a clock is shown as it stands now."""
    done = combat.fight.concluded if isinstance(combat.fight, Fight) else None
    wishes = {member.name: member.wishes for member in combat.members if member.wishes}
    shown, clock = None, combat.clock
    if clock is not None:
        now = clock.now()
        left = {one.name: round(clock.left(one, now), 1) for one in combat.roster if one.player is not None}
        own = mine.fallback if mine else ""
        shown = m.ClockShown(
            clock.bank, clock.increment, clock.per_move, left, clock.running(combat), clock.by_mail, own
        )
    return {"duel": m.DuelShown(wishes, done.text if done else None, combat.next, shown, combat.is_rated)}


def _may_as_opponent(combat: Combat) -> list[str]:
    """What a player may do besides moving: with two teams resign, and with people in both offer a draw."""
    if len(combat.roster.teams) != 2:
        return []
    offered = any(member.wishes == "draw" for member in combat.roster)
    return ["resign", *["draw"] * (len(combat.sides()) > 1), *["decline"] * offered]


def _may_in_game(phase: m.Phase, plays: bool, owns: bool) -> list[str]:
    """What a visitor may do in a game around fights, in which nothing is taken back: join, or leave a seat."""
    may = ["move"] if plays and phase == "running" else []
    if phase == "setup" and not plays:
        may.append("join")
    if phase in ("setup", "running") and plays:
        may.append("leave")
    kept = ("start", "seats", "end") if owns else ()
    return [*may, *(what for what in OWNER_MAY[phase] if what in kept)]
