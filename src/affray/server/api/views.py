"""A fight as one viewer may see it: the data from which the page draws it, without secrets."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from functools import partial
from itertools import takewhile
from typing import Any, NamedTuple

from affray.fight import Fight
from affray.fight.viewing import StoryLine
from affray.kernel.records import pack
from affray.kernel.state import State
from affray.server.api import messages as m
from affray.system import undoing
from affray.system.pictures import Widget
from affray.world.actions import acting
from affray.world.combats import games, storytelling
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
    names = await _names(world, combat)
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
    """Whether an account takes part in a combat, or owns it."""
    return bool(account) and (account == combat.owner or account in combat.players)


def awaits(combat: Listed, account: str) -> bool:
    """Whether a combat waits for an account: for its fighter, or for one that it moves as the owner."""
    return turn_in(combat, account) is not None


def way_in(combat: Listed) -> str | None:
    """The word by which any player can take a seat; empty where one joins without a word, None where one cannot."""
    for member in combat.roster:
        if member.public and member.invitation:
            return member.invitation
    return "" if combat.game and combat.phase == "setup" else None


async def _names(world: World, combat: Listed) -> Mapping[str, str]:
    """The names of all accounts in a combat; others may join while they are looked up."""
    while True:
        keys = [combat.owner, *combat.players]
        names = await world.people.names(keys)
        if all(key in names for key in (combat.owner, *combat.players)):
            return names


class Part(NamedTuple):
    """Some fields of a table; those with a key are the same for all viewers who have it."""

    key: Hashable | None
    fields: dict[str, Any]


async def table_of(visitor: Visitor, combat: Combat, phase: m.Phase) -> m.Table:
    """A fight as a visitor may see it, with its whole story."""
    fields = {name: value for part in await parts_of(visitor, combat, phase) for name, value in part.fields.items()}
    return m.Table(**fields, story=story_of(combat, 0), story_from=0)


def story_of(combat: Combat, first: int) -> list[StoryLine]:
    """The lines of the story from a number on."""
    fight = combat.fight
    return combat.once(("story", first), lambda: games.story(fight, first)) if fight else []


async def parts_of(visitor: Visitor, combat: Combat, phase: m.Phase) -> list[Part]:
    """All of a table but its story."""
    names = await _names(visitor.world, combat)
    shared = combat.once(("shared", phase), lambda: _shared(visitor.world, combat, phase, names))
    mine, owns = combat.roster.of_player(visitor.key), acting.owns(visitor, combat)
    return [
        Part(("shared", phase), shared),
        _seats(visitor.world, combat, names, mine, owns),
        Part(None, _own(visitor, combat, phase, mine, owns)),
    ]


def _shared(world: World, combat: Combat, phase: m.Phase, names: Mapping[str, str]) -> dict[str, Any]:
    fight, options, fair = combat.fight, combat.settled_options, combat.fair
    place = world.places.get(combat.place)
    return {
        "number": combat.number,
        "name": combat.name,
        "system": combat.system.id,
        "title": combat.system.title,
        "place": m.PlaceName(combat.place, place.name if place else combat.place),
        "owner": names[combat.owner],
        "phase": phase,
        "version": public_version(combat),
        "decision": fight.decision if fight else 0,
        "round": fight.round if fight else 0,
        "ending": fight.ending if fight else None,
        "endings": list(fight.endings) if fight else [],
        "teams": list(combat.roster.teams),
        "aftermath": combat.aftermath,
        "commitment": fair.commitment if fair else None,
        "secret": fair.secret.hex() if fair and phase == "ended" else None,
        "options": {
            o.name: options[o.name]
            for o in combat.system.all_options
            if o.name in options and options[o.name] != o.default and o.name != undoing.NAME
        },
        "undo": _undo(combat),
        "wish": storytelling.asked_for(combat),
        "game": combat.game,
        "board": games.board(fight),
    }


def _own(visitor: Visitor, combat: Combat, phase: m.Phase, mine: Member | None, owns: bool) -> dict[str, Any]:
    is_running = combat.fight is not None and phase == "running"
    answering = answerable(visitor, combat, owns) if is_running else []
    return {
        "duel": _duel(combat, mine),
        "you": m.You(mine.name if mine else None, owns, _may(visitor, combat, phase, mine is not None, owns)),
        "asks": _asks(visitor, combat, answering),
        "waiting": _waiting(combat, answering) if is_running else [],
    }


def _duel(combat: Combat, mine: Member | None) -> m.DuelShown:
    """What goes on between opponents; a clock is shown as it stands now."""
    done = combat.fight.concluded if isinstance(combat.fight, Fight) else None
    wishes = {member.name: member.wishes for member in combat.roster if member.wishes}
    shown, clock = None, combat.clock
    if clock is not None:
        now = clock.now()
        left = {one.name: round(clock.left(one, now), 1) for one in combat.roster if one.player is not None}
        own = mine.fallback if mine else ""
        shown = m.ClockShown(
            clock.bank, clock.increment, clock.per_move, left, clock.running(combat), clock.by_mail, own
        )
    return m.DuelShown(wishes, done.text if done else None, combat.next, shown)


def public_version(combat: Listed) -> int:
    """How often a combat has changed visibly: that others have chosen stays secret."""
    fight = combat.fight if isinstance(combat, Combat) else None
    last = takewhile(lambda answer: answer.decision == fight.decision, reversed(fight.answers)) if fight else ()
    return combat.version - sum(1 for _ in last)


def _seats(world: World, combat: Combat, names: Mapping[str, str], mine: Member | None, owns: bool) -> Part:
    """The seats, made once for all viewers who may know the same of them."""
    here = tuple([one.player is not None and world.people.is_active(one.player) for one in combat.members])
    invites = owns and any(one.invitation for one in combat.members)
    known, due, scenes = _sight(combat, combat.fighter(mine) if mine else None) if combat.fight else (b"", [], [])
    key = ("seats", known, here, invites)
    return Part(key, combat.once(key, lambda: {"seats": _seats_shown(combat, names, due, scenes, here, invites)}))


def _seats_shown(
    combat: Combat,
    names: Mapping[str, str],
    due: Sequence[bool],
    scenes: Sequence[list[Widget]],
    here: Sequence[bool],
    invites: bool,
) -> list[m.SeatShown]:
    fight = combat.fight
    return [
        m.SeatShown(
            name=member.name,
            fighter=fight.names[place] if fight else member.name,
            team=team,
            sheet=str(member.sheet.get("name", member.name)),
            player=names[member.player] if member.player else None,
            here=here[place],
            tactic=member.tactic,
            open=member.invitation is not None,
            public=member.public,
            invite=member.invitation if invites else None,
            due=bool(fight) and due[place],
            scene=scenes[place] if fight else [],
        )
        for place, (team, member) in enumerate((combat.roster.team_of(one), one) for one in combat.roster)
    ]


def _sight(combat: Combat, viewer: str | None) -> tuple[bytes, list[bool], list[list[Widget]]]:
    """A mark of what a viewer may know, who has to move as far as that tells, and what is drawn of the fighters.

    It is made once for all viewers who may know the same.
    """
    fight = combat.running()
    state, known = combat.once(("seen", viewer if games.hides(fight) else None), lambda: _seen(fight, viewer))
    return combat.once(("sight", known), lambda: (known, games.due(fight, state), games.scenes(fight, state)))


def _seen(fight: games.Game, viewer: str | None) -> tuple[State | None, bytes]:
    """The state that a viewer may know, and what distinguishes it from what others may know."""
    if not games.hides(fight):
        return (fight.state if isinstance(fight, Fight) else None), b""
    state = games.seen(fight, viewer)
    return state, b"" if state is None else pack(state)


def _may(visitor: Visitor, combat: Combat, phase: m.Phase, fights: bool, owns: bool) -> list[str]:
    if visitor.role == "guest":
        return []
    if combat.game:
        return _may_in_game(phase, fights, owns)
    may = ["move", *_may_as_opponent(combat)] if fights and phase == "running" else []
    if fights and phase == "over":
        may.append("rematch")
    if fights and phase == "running" and storytelling.may_agree(combat, visitor.key):
        may.append("agree")
    if owns:
        may += OWNER_MAY[phase]
    elif phase in ("over", "ended"):
        may.append("fork")
    if combat.fight is None or phase == "ended":
        return may
    if isinstance(combat.fight, Fight) and combat.fight.concluded:
        return [what for what in may if what not in ("undo", "restore")]
    match combat.undo_setting:
        case "off":  # except the viewer's own choice that is still secret
            may = [what for what in may if what not in ("undo", "restore")]
            return [*may, "undo"] if fights and phase == "running" else may
        case "agreed" if fights and not owns:
            return [*may, "undo", "restore"]
    return may


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


def _undo(combat: Combat) -> m.UndoShown:
    setting = combat.undo_setting
    taken_back = sum(len(one.answers) for one in combat.fight.undone) if isinstance(combat.fight, Fight) else 0
    return m.UndoShown(setting, undoing.TOLD[setting], taken_back, combat.waiting_to_agree)


def answerable(visitor: Visitor, combat: Combat, owns: bool) -> list[Member]:
    """The members a visitor may decide for: their own, and as the owner NPCs and players who are away.

    An owner who fights too does not decide for those.
    """
    is_active = visitor.world.people.is_active
    return [
        one
        for one in combat.members
        if one.player == visitor.key
        or (owns and one.tactic is None and not (one.player and is_active(one.player)) and combat.owner_may_move(one))
    ]


def _asks(visitor: Visitor, combat: Combat, answering: Sequence[Member]) -> list[m.Ask]:
    if not answering:
        return []
    fight = combat.running()
    asks = []
    for member in answering:
        fighter = combat.fighter(member)
        answered = _known_answer(visitor, combat, member)
        if fighter not in fight.to_act and answered is None:
            continue
        usual = "Your move." if member.player == visitor.key else f"What does {member.name} do?"
        question = combat.once("question", lambda: _question(combat)) or usual
        moves, impossible = (
            combat.once(("moves", fighter), partial(games.moves, fight, fighter)) if answered is None else ([], [])
        )
        about = combat.once(("about", fighter), partial(_about, fight, fighter)) if moves else []
        ask = m.Ask(
            fighter,
            member.name,
            question[:1].upper() + question[1:],
            fight.decision,
            moves,
            [m.NotPossible(one.notation, one.reason) for one in impossible],
            answered,
            combat.once("stakes", lambda: fight.at_stake if isinstance(fight, Fight) else {}).get(fighter),
            combat.led_here,
            about,
            answered is not None and games.is_secret(fight, fighter),
        )
        asks.append(ask)
    return asks


def _question(combat: Combat) -> str:
    return games.question(combat.running(), [member.name for member in combat.members])


def _about(game: games.Game, fighter: str) -> list[m.MoveShown]:
    """The open moves of a fighter in plain words."""
    fight, found = games.explained(game, fighter)
    return [
        m.MoveShown(one.action, None if one.target is None else fight.names[one.target], one.detail, one.text)
        for one in found
    ]


def _waiting(combat: Combat, mine: Sequence[Member]) -> list[str]:
    """The others that the fight waits for, if no tactic moves them at once."""
    seated = zip(combat.members, _sight(combat, None)[1], strict=True)
    return [member.name for member, is_due in seated if is_due and member not in mine and not member.tactic]


def _known_answer(visitor: Visitor, combat: Combat, member: Member) -> str | None:
    """What was chosen for a member, if the visitor may know: the choice of a player who is away now stays secret."""
    fight, fighter = combat.running(), combat.fighter(member)
    for answer, by in zip(reversed(fight.answers), reversed(combat.movers), strict=True):
        if answer.decision != fight.decision:
            return None
        if answer.who == fighter:
            return answer.move if member.player == visitor.key or by != member.player else None
    return None
