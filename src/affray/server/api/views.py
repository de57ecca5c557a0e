"""A fight as one viewer may see it: the data from which the page draws it, without secrets."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import takewhile

from affray.fight import Fight
from affray.kernel.records import pack
from affray.kernel.state import State
from affray.server.api import messages as m
from affray.system import undoing
from affray.system.pictures import Widget
from affray.world.actions import acting
from affray.world.combats import games
from affray.world.combats.combat import Combat
from affray.world.combats.listing import Listed
from affray.world.combats.roster import Member
from affray.world.people.visitor import Visitor
from affray.world.world import World

OWNER_MAY = {
    "setup": ["start", "seats", "end"],
    "running": ["undo", "save", "restore", "seats", "fork", "end"],
    "over": ["undo", "restore", "fork", "end"],
    "ended": ["fork"],
}


async def names_of(world: World, keys: Sequence[str | None]) -> dict[str, str]:
    """The names of accounts by their keys; those that are connected need not be looked up."""
    names: dict[str, str] = {}
    for key in dict.fromkeys(key for key in keys if key is not None):
        connected = world.people.connected(key)
        account = connected[0].account if connected else await world.store.account(key)
        names[key] = account.name if account else key
    return names


async def summary_of(world: World, combat: Listed, phase: m.Phase) -> m.Summary:
    """A fight in the lobby."""
    names = await names_of(world, [combat.owner, *combat.players])
    teams = {
        team: [
            # Somebody may have joined while names were looked up.
            m.MemberShown(
                one.name,
                names.get(one.player, one.player) if one.player else None,
                one.tactic,
                one.invitation is not None,
            )
            for one in members
        ]
        for team, members in combat.roster.teams.items()
    }
    shown = (combat.number, combat.name, combat.system.id, phase, names[combat.owner])
    return m.Summary(*shown, teams, combat.standing.round, combat.standing.ending, combat.game)


async def table_of(visitor: Visitor, combat: Combat, phase: m.Phase, story_from: int = 0) -> m.Table:
    """A fight as a visitor may see it, with the lines of its story from a number on."""
    world, fight = visitor.world, combat.fight
    names = combat.once("names", dict[str, str])
    if not names:
        names.update(await names_of(world, [combat.owner, *combat.players]))
    mine = combat.roster.of_player(visitor.key)
    owns = acting.owns(visitor, combat)
    own_fighter = combat.fighter(mine) if mine and fight else None
    options = combat.settled_options
    place = world.places.get(combat.place)
    return m.Table(
        number=combat.number,
        name=combat.name,
        system=combat.system.id,
        title=combat.system.title,
        place=m.PlaceName(combat.place, place.name if place else combat.place),
        owner=names[combat.owner],
        phase=phase,
        version=public_version(combat),
        decision=fight.decision if fight else 0,
        round=fight.round if fight else 0,
        ending=fight.ending if fight else None,
        endings=list(fight.endings) if fight else [],
        teams=list(combat.roster.teams),
        seats=_seats(world, combat, names, own_fighter, owns),
        you=m.You(mine.name if mine else None, owns, _may(visitor, combat, phase, mine is not None, owns)),
        asks=_asks(visitor, combat, owns) if fight and phase == "running" else [],
        waiting=_waiting(visitor, combat, owns) if phase == "running" else [],
        story=combat.once(("story", story_from), lambda: games.story(fight, story_from)) if fight else [],
        story_from=story_from,
        aftermath=combat.aftermath,
        commitment=combat.once("commitment", lambda: combat.fair.commitment if combat.fair else None),
        secret=combat.fair.secret.hex() if combat.fair and phase == "ended" else None,
        options={
            o.name: options[o.name]
            for o in combat.system.all_options
            if o.name in options and options[o.name] != o.default and o.name != undoing.NAME
        },
        undo=_undo(combat),
        game=combat.game,
        board=games.board(fight),
    )


def public_version(combat: Listed) -> int:
    """How often a combat has changed visibly: that others have chosen stays secret."""
    fight = combat.fight if isinstance(combat, Combat) else None
    last = takewhile(lambda answer: answer.decision == fight.decision, reversed(fight.answers)) if fight else ()
    return combat.version - sum(1 for _ in last)


def _seats(world: World, combat: Combat, names: dict[str, str], viewer: str | None, owns: bool) -> list[m.SeatShown]:
    fight = combat.fight
    due, scenes = _sight(combat, viewer) if fight else ([], [])
    return [
        m.SeatShown(
            name=member.name,
            fighter=fight.names[place] if fight else member.name,
            team=team,
            sheet=str(member.sheet.get("name", member.name)),
            player=names[member.player] if member.player else None,
            here=member.player is not None and world.people.is_active(member.player),
            tactic=member.tactic,
            open=member.invitation is not None,
            invite=member.invitation if owns else None,
            due=bool(fight) and due[place],
            scene=scenes[place] if fight else [],
        )
        for place, (team, member) in enumerate((t, one) for t, ones in combat.roster.teams.items() for one in ones)
    ]


def _sight(combat: Combat, viewer: str | None) -> tuple[list[bool], list[list[Widget]]]:
    """Who has to move and what is drawn of the fighters, made once for all viewers who may know the same."""
    fight = combat.running()
    state, known = combat.once(("seen", viewer), lambda: _seen(fight, viewer))
    return combat.once(("sight", known), lambda: (games.due(fight, state), games.scenes(fight, state)))


def _seen(fight: games.Game, viewer: str | None) -> tuple[State | None, bytes]:
    state = games.seen(fight, viewer)
    return state, b"" if state is None else pack(state)


def _may(visitor: Visitor, combat: Combat, phase: m.Phase, fights: bool, owns: bool) -> list[str]:
    if visitor.role == "guest":
        return []
    if combat.game:
        return _may_in_game(phase, fights, owns)
    may = ["move"] if fights and phase == "running" else []
    if owns:
        may += OWNER_MAY[phase]
    elif phase in ("over", "ended"):
        may.append("fork")
    if combat.fight is None or phase == "ended":
        return may
    match combat.undo_setting:
        case "off":  # except the viewer's own choice that is still secret
            may = [what for what in may if what not in ("undo", "restore")]
            return [*may, "undo"] if fights and phase == "running" else may
        case "agreed" if fights and not owns:
            return [*may, "undo", "restore"]
    return may


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
    absent = [one for one in combat.roster if one.tactic is None and not (one.player and is_active(one.player))]
    free = [one for one in absent if owns and combat.owner_may_move(one)]
    return [one for one in combat.roster if one.player == visitor.key or one in free]


def _asks(visitor: Visitor, combat: Combat, owns: bool) -> list[m.Ask]:
    fight = combat.running()
    called = [seated.name for seated in combat.roster]
    stakes = fight.at_stake if isinstance(fight, Fight) else {}
    asks = []
    for member in answerable(visitor, combat, owns):
        fighter = combat.fighter(member)
        answered = _known_answer(visitor, combat, member)
        if fighter not in fight.to_act and answered is None:
            continue
        usual = "Your move." if member.player == visitor.key else f"What does {member.name} do?"
        question = games.question(fight, called) or usual
        moves, impossible = (
            combat.once(("moves", fighter), partial(games.moves, fight, fighter)) if answered is None else ([], [])
        )
        ask = m.Ask(
            fighter,
            member.name,
            question[:1].upper() + question[1:],
            fight.decision,
            moves,
            [m.NotPossible(one.notation, one.reason) for one in impossible],
            answered,
            stakes.get(fighter),
            combat.led_here,
        )
        asks.append(ask)
    return asks


def _waiting(visitor: Visitor, combat: Combat, owns: bool) -> list[str]:
    """The others that the fight waits for, if no tactic moves them at once."""
    mine = answerable(visitor, combat, owns)
    seated = zip(combat.roster, _sight(combat, None)[0], strict=True)
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
