"""A combat in a place: its members, their moves, and the messages about it. No input or output happens here."""

from __future__ import annotations

import math
import secrets
import time
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import blake2b
from itertools import count, takewhile
from textwrap import wrap
from typing import Any, TypeVar, cast

from affray.errors import Illegal, Invalid, unknown
from affray.fight import Fight, Line, Move, Undone
from affray.fight.asides import Wing
from affray.fight.logfile import moves_in
from affray.fight.saving import undone_as_table
from affray.fight.viewing import OVERSEER
from affray.kernel.chance import Fair, Physical, Scripted
from affray.players.levels import is_player
from affray.players.player import Thought
from affray.system import undoing
from affray.system.adventures import HostedLine, adventure
from affray.system.registry import find
from affray.system.schema import Value, cut
from affray.system.status import WIDTH
from affray.system.storytelling import has_order
from affray.world.combats import clocks, games, groups
from affray.world.combats.clocks import Clock
from affray.world.combats.games import Game
from affray.world.combats.listing import Asleep, Listed, Phase, Standing
from affray.world.combats.npc_players import check_player
from affray.world.combats.roster import Member, Roster, check_name
from affray.world.combats.told import Told, broadcast
from affray.world.store.tables import Json, fold, to_json

Entry = dict[str, Any]
T = TypeVar("T")
AUTO = "auto"
MOST_MOVES = 10_000
"""How many moves a combat may have, those taken back among them: some fights of computers would never end, and players
could move and take back without end; both would fill the disk."""


@dataclass
class Combat(Listed):
    """A combat, from its set-up to its end: a fight, or a game around fights."""

    options: dict[str, Any] = field(default_factory=dict)
    fight: Game | None = None
    movers: list[str] = field(default_factory=list)  # for each answer the account that gave it, or AUTO
    saved: str | None = None
    watchers: set[str] = field(default_factory=set)
    stored: int = 0  # how many of the answers are in the store
    damage: str = ""  # why the stored log cannot be run, if it cannot
    is_doubtful: bool = False  # it may differ from what is stored, and is read again before it is used
    used: float = field(default_factory=time.monotonic)  # when it was last wanted
    orders_changed: bool = False  # what groups were told is not stored yet
    is_recorded: bool = False  # what came of it is stored for everyone who took part
    next: int | None = None  # the number of the combat that repeats it
    asked: tuple[int, float] | None = None  # a decision, and since when it is open by the calendar, if that is known
    _marked: _Marked = field(default_factory=lambda: _Marked(), repr=False, compare=False)
    _found: dict[Hashable, Any] = field(default_factory=dict, repr=False, compare=False)
    _found_in: object = field(default=None, repr=False, compare=False)
    _lasting: dict[str, tuple[Hashable, Any]] = field(default_factory=dict, repr=False, compare=False)
    _undone: list[tuple[Undone, str]] = field(default_factory=list, repr=False, compare=False)

    def lasting(self, name: str, key: Hashable, find: Callable[[], T]) -> T:
        """Something that is found out anew only when what it depends on, the key, has changed."""
        known = self._lasting.get(name)
        if known is None or known[0] != key:
            known = self._lasting[name] = (key, find())
        return cast(T, known[1])

    def forget_lasting(self, name: str) -> None:
        """Let it be found out anew, whatever it depends on."""
        del self._lasting[name]

    def once(self, key: Hashable, find: Callable[[], T]) -> T:
        """Something about the present state, found out once for all who ask, and forgotten with the state."""
        found = self.found
        if key in found:
            return cast(T, found[key])
        new = found[key] = find()
        return new

    @property
    def found(self) -> dict[Hashable, Any]:
        """What `once` has found out about the present state."""
        fight = self.fight
        state = (self.version, id(fight), 0 if fight is None else len(fight.answers), id(self.roster))
        if state != self._found_in:
            self._found, self._found_in = {}, state
        return self._found

    def forget_found(self) -> None:
        """Forget what `once` has found out, because with as many answers as before the fight may stand otherwise."""
        self._found_in = None

    @classmethod
    def create(
        cls, name: str, place: str, owner: str, system: str, options: Mapping[str, object], game: str = ""
    ) -> Combat:
        """A new combat without members or a number; an unknown system or option is refused here."""
        name = check_name(name, "a combat")
        known = find(system)
        Clock.of(options.get(clocks.NAME))
        if game:
            adventure(known, game).playing.settle(options)
            return cls(0, name, place, known, owner, dict(options), game=game)
        known.settle(_rules(options))
        # A player alone may take back any move; here other players may join.
        shared = known.residence.undo if known.residence else "agreed"
        usual = {undoing.NAME: shared} if known.undo == "free" else {}
        return cls(0, name, place, known, owner, {**usual, **options})

    # --- setting up ------------------------------------------------------------------------------------------

    def check_whole(self) -> None:
        """Refuse a combat whose stored log cannot be run."""
        if self.damage:
            raise Illegal(f"{self.damage}; it can be ended, or restored to a saved state", given=self.name)

    def check_setup(self) -> None:
        """Refuse a command that is only possible before the start."""
        self.check_whole()
        if self.fight is not None:
            raise Illegal(f"{self.subject} has already started", given=self.name)

    def running(self) -> Game:
        """The fight, once combat has started, or another game."""
        self.check_whole()
        if self.fight is None:
            raise Illegal(f"{self.subject} has not started yet", given=self.name)
        return self.fight

    def fought(self) -> Fight:
        """The fight, once combat has started; refused if another game is played."""
        game = self.running()
        if not isinstance(game, Fight):
            raise Illegal(f"that works only in fights, and {self.name} is a {self.word}", given=self.name)
        return game

    @property
    def phase(self) -> Phase:
        """The phase of a combat that has not been ended."""
        if self.fight is None:
            return "over" if self.damage else "setup"
        return "over" if self.fight.over else "running"

    def asleep(self) -> Asleep:
        """The same without its log and its sheets, which are in the store."""
        roster = Roster.of_table(self.roster.as_table(), sheets=False)
        known = (self.number, self.name, self.place, self.system, self.owner)
        return Asleep(*known, roster=roster, version=self.version, game=self.game, stood=self.standing)

    @property
    def standing(self) -> Standing:
        """How it stands."""
        return self.once("standing", self._standing)

    def _standing(self) -> Standing:
        if self.fight is None:
            return Standing(self.phase, 0, None, [])
        awaited = [self.roster.seats[member.name] for member in self.awaited()]
        return Standing(self.phase, self.fight.round, self.fight.ending, awaited)

    @cached_property
    def settled_options(self) -> dict[str, Value]:
        """Every option of the rules with its value."""
        return (
            self.adventure.playing.settle(self.options) if self.adventure else self.system.settle(_rules(self.options))
        )

    @cached_property
    def chosen_options(self) -> dict[str, Value]:
        """The options that differ from their defaults; what may be taken back is told apart from them."""
        settled = self.settled_options
        known = [option for option in self.system.all_options if option.name in settled]
        return {o.name: settled[o.name] for o in known if settled[o.name] != o.default and o.name != undoing.NAME}

    @property
    def undo_setting(self) -> undoing.Undo:
        """What may be taken back in this combat; in a game around fights nothing.

        An owner who fights is no judge: what they could take back alone, the other sides with people must agree to,
        unless the document of the system itself makes the owner the judge.
        """
        if self.game:
            return "off"
        setting = undoing.of(self.settled_options)
        by_document = self.system.residence is not None and self.system.residence.undo == "free"
        if setting != "free" or by_document or not self.owner_fights:
            return setting
        return "free" if all(self.owner in accounts for accounts in self.sides().values()) else "agreed"

    @cached_property
    def clock(self) -> Clock | None:
        """The clock of this combat, if it has one; a game around fights has none."""
        return None if self.game else Clock.of(self.options.get(clocks.NAME))

    @cached_property
    def exact_names(self) -> bool:
        """Whether the case of names matters in this combat."""
        return self.system.residence is not None and self.system.residence.exact_names(self.settled_options)

    @property
    def wizards_reach(self) -> bool:
        """Whether a wizard may add players who are elsewhere."""
        return self.system.residence is not None and self.system.residence.wizards_reach(self.settled_options)

    @property
    def idle_removal(self) -> bool:
        """Whether removing a fighter who is not on that team counts as done."""
        return self.system.residence is not None and self.system.residence.idle_removal(self.settled_options)

    def member(self, name: str) -> Member:
        """The combatant of that name."""
        found = self.roster.find(name, self.exact_names)
        if found is None:
            raise Illegal(unknown("combatant", name, [member.name for member in self.roster]), given=name)
        return found

    def add(self, member: Member, team: str) -> str:
        """Put a member on a team; returns its name."""
        self.check_setup()
        if self.adventure and team != self.adventure.side:
            side = self.adventure.side
            raise Illegal(f"in a {self.game} everyone is on team {side}", given=team, allowed=[side])
        return self.roster.add(member, team, self.system, self.exact_names)

    def is_on(self, member: Member | None, team: str) -> bool:
        """Whether a member is on the team of that name."""
        return member is not None and self.roster.team(team, self.exact_names) == self.roster.team_of(member)

    def remove(self, member: Member, team: str | None) -> str:
        """Take a member off their team; returns its name."""
        self.check_setup()
        return self.roster.remove(member, team, self.exact_names)

    def start(self, listed: Sequence[str], dice: Callable[[], Physical]) -> Told:
        """Open the fight: listed teams move first, in their order; the rest follow."""
        self.check_setup()
        teams = self.ordered(listed)
        self.fight = self.opened(teams, len(listed), dice())
        self.roster.teams = teams
        if isinstance(self.fight, Fight) and has_order(self.fight.state):
            for member in self.roster:
                member.gathers = bool(member.group)
            self._gather_groups()
        opening = [line.text for line in self.fight.lines]
        is_told = self.system.residence is not None and self.system.residence.tells_start and not self.game
        started = f"+ {self.subject.capitalize()} has started!"
        return Told(news=broadcast(opening if is_told else [started, *opening]), status="\n")

    def ordered(self, listed: Sequence[str]) -> dict[str, list[Member]]:
        """The teams with the listed ones first."""
        if self.adventure is None:
            return self.roster.ordered(listed, self.exact_names)
        if listed:
            raise Illegal(f"in a {self.game} players move in the order in which they joined", given=listed)
        return self.roster.teams

    def opened(self, teams: Mapping[str, Sequence[Member]], listed: int, dice: Physical) -> Game:
        """The fight of these teams, of which the first `listed` were listed; refused if it could not start."""
        if self.adventure:
            players = [{"name": member.name, "sheet": member.sheet} for members in teams.values() for member in members]
            return self.adventure.playing.begin(players, self.options, dice)
        options = _rules(self.options)
        order = self.system.residence.order_option if self.system.residence else None
        if order is not None:
            # What was chosen when the combat was made may fix the order of more teams, never of fewer.
            chosen = int(self.settled_options[order]) if order in options else 0
            options[order] = max(listed, chosen)
        sheets = {team: [member.sheet for member in members] for team, members in teams.items()}
        return Fight(self.system, sheets, dice=dice, options=options)

    # --- who is who ------------------------------------------------------------------------------------------

    def fighter(self, member: Member) -> str:
        """The fight's name for a member; both have the same order."""
        return self.running().names[self.roster.seats[member.name]]

    def seated(self, fighter: str) -> Member:
        """The member with that name in the fight."""
        return self.members[self.running().index(fighter)]

    @property
    def members(self) -> Sequence[Member]:
        """The members in the order of the fight."""
        return self.roster.members

    def awaited(self) -> list[Member]:
        """The members who have to move now."""
        return list(self.once("awaited", self._awaited))

    def _awaited(self) -> list[Member]:
        members, game = self.members, self.fight
        if game is None:
            return []
        to_act = game.to_act
        return [member for member, fighter in zip(members, game.names, strict=False) if fighter in to_act]

    def open_moves(self, fighter: str) -> Mapping[str, int]:
        """The texts of a fighter's open moves, with their codes."""
        return self.once(("open", fighter), lambda: games.written(self.running(), fighter))

    @property
    def is_simultaneous(self) -> bool:
        """Whether those who have to move choose in secret at the same time; it stays so while the decision is open."""
        fight = self.fight
        if not isinstance(fight, Fight):
            return False
        asked = (id(fight), fight.decision, len(fight.undone), fight.state.due | fight.state.sealed, fight.over)
        return self.lasting("simultaneous", asked, lambda: games.is_simultaneous(fight))

    def note_question(self) -> None:
        """Remember since when the open decision is open; that fighters choose in secret does not count as a change."""
        if self.fight is not None and (self.asked is None or self.asked[0] != self.fight.decision):
            self.asked = self.fight.decision, time.time()

    @property
    def asked_at(self) -> float | None:
        """When the open decision was asked, in seconds since 1970; None if that was before this process knew of it."""
        fight, clock = self.fight, self.clock
        if fight is None or fight.over:
            return None
        if self.asked is not None and self.asked[0] == fight.decision:
            return self.asked[1]
        if clock is None or not clock.by_mail:
            return None
        return max((one.until - clock.bank for one in self.roster if one.until is not None), default=None)

    # --- moving ----------------------------------------------------------------------------------------------

    def move(self, member: Member, words: str, by: str, decision: int | None = None) -> Told:
        """Make a move for a member; with `decision` only if that decision is open."""
        self.check_room(words)
        game, fighter = self.running(), self.fighter(member)
        code = self.found.get(("open", fighter), {}).get(words)  # if they were shown to anyone
        if isinstance(game, Fight) and code is not None:
            lines: Sequence[HostedLine] = game.play(fighter, Move(fighter, words, code), decision)
        else:
            lines = game.play(fighter, words, decision)
        self.note_mover(by)
        self.roster.forget_wishes("draw", but=self.roster.team_of(member))
        if not lines:
            whose = "Your" if by == member.player else f"{member.name}'s"
            return Told(reply=f"{whose} choice is in; it stays secret until all choices are in.")
        return self.told(lines)

    def told(self, lines: Sequence[HostedLine], notice: str = "") -> Told:
        """What happened, to be told to everyone; to the storyteller with all numbers."""
        full = [line.full if isinstance(line, Line) else line.text for line in lines]
        told = [line.text for line in lines]
        whole = (lambda: self.news_of(full)) if full != told else None
        return Told(news=lambda: self.news_of(told), status="\n\n", notice=notice, whole=whole)

    def note_mover(self, by: str) -> None:
        """Record who made the last move; a game's own answers to it have no account."""
        self.movers += [by, *[AUTO] * (len(self.running().answers) - len(self.movers) - 1)]
        self._gather_groups()

    def _gather_groups(self) -> None:
        if any(member.gathers for member in self.members):
            self.movers += [AUTO] * groups.gather(self)

    def news_of(self, lines: Sequence[str]) -> str:
        """The result of moves; if they ended the fight, also its cost to every fighter."""
        if not lines:
            return ""
        costs = [part for line in self.aftermath for part in wrap(line, WIDTH - 2, subsequent_indent="  ")]
        return "\n".join(broadcast(part) for part in (lines, costs) if part)

    def move_by_tactic(self, most: int, seconds: float = math.inf) -> Told:
        """Let members with a tactic move, until another member has to move or there were enough moves."""
        fight = self.running()
        told, until = len(fight.lines), time.monotonic() + seconds
        for made in range(most):
            member = next((member for member in self.awaited() if self.moves_by_itself(member)), None)
            if member is None or self.is_full or (made and time.monotonic() > until):
                break
            if member.moves_at_once:
                games.play_by(fight, self.fighter(member), cast(str, member.tactic))
                self.note_mover(AUTO)
            else:
                self.obey(member)
        full = f"* {self.name} has {MOST_MOVES} moves now, and no more are kept; please end it." if self.is_full else ""
        return self.told(fight.lines[told:], full)

    def obey(self, member: Member) -> None:
        """Let a member of a group move as the group was told."""
        words, _, _, by = member.order
        member.order, self.orders_changed = [], True
        self.running().play(self.fighter(member), words)
        self.note_mover(by)

    def moves_by_itself(self, member: Member) -> bool:
        """Whether a member who has to move does so at once: by a tactic, or as its group was told."""
        return member.moves_at_once or groups.is_ordered(self, member)

    def move_by_thought(self, member: Member, thought: Thought | None) -> Told:
        """Let a member make the move that was thought of for it, or without one that of its usual tactic."""
        fight, fighter = self.running(), self.fighter(member)
        assert isinstance(fight, Fight)
        told, index = len(fight.lines), fight.index(fighter)
        if thought is None:
            games.play_by(fight, fighter, self.system.usual_tactic(fight.sheets[index]))
        else:
            text = self.system.write_move(fight.setup, fight.state, index, thought.code)
            fight.play(fighter, Move(fighter, text, thought.code))
        self.note_mover(AUTO)
        return self.told(fight.lines[told:])

    @property
    def is_full(self) -> bool:
        """Whether no more moves are kept."""
        fight = self.fight
        if not isinstance(fight, Fight) or not (fight.undone or fight.asides):
            return fight is not None and len(fight.answers) >= MOST_MOVES
        made = self.lasting("made", (id(fight), len(fight.undone)), lambda: sum(map(_made_in, fight.undone)))
        return len(fight.answers) + len(fight.asides) + made >= MOST_MOVES

    def check_room(self, given: str) -> None:
        """Refuse a move beyond those that are kept."""
        if self.is_full:
            problem = f"already has {MOST_MOVES} moves, with those taken back, and no more are kept; please end it"
            raise Illegal(f"{self.name} {problem}", given=given)

    def hand_over(self, member: Member, tactic: str | None) -> None:
        """Let a tactic, or a player that thinks, move a member from now on; None: neither."""
        if tactic is not None:
            if self.game and is_player(tactic):
                raise Invalid(f"a {self.game} has its own computer players, which follow tactics", given=tactic)
            check_player(self.system, tactic)
        member.tactic = tactic

    def offer(self, member: Member, public: bool = False) -> None:
        """Offer an NPC to any player who has the word that is made here; with `public` to any player at all."""
        if member.player is not None:
            raise Illegal(f"{member.name} is already a player", given=member.name)
        member.tactic, member.invitation, member.public = None, secrets.token_urlsafe(9), public

    def take(self, member: Member, word: str, account: str) -> None:
        """Let an account play a member that is offered."""
        if member.invitation is None or not secrets.compare_digest(member.invitation.encode(), word.encode()):
            raise Illegal(f"that is not the word for {member.name}", given=cut(word))
        present = self.roster.of_player(account)
        if present is not None:
            raise Illegal(f"you already play {present.name} here", given=member.name)
        member.player, member.invitation, member.public, member.borrowed = account, None, False, True

    # --- sides, and what all of them know --------------------------------------------------------------------

    def align(self) -> None:
        """Let the roster follow the fight, in which fighters may have joined or changed sides; none agrees any more."""
        fight, members = self.fought(), list(self.roster)
        for name, sheet in list(zip(fight.names, fight.sheets, strict=True))[len(members) :]:
            taken = {fold(member.name) for member in members}
            numbered = (name if n == 1 else f"{name}-{n}" for n in count(1))
            free = next(name for name in numbered if fold(name) not in taken)
            members.append(Member(free, fight.system.as_table(sheet), borrowed=True))
        members, teams = members[: len(fight.names)], [fight.team_of[name] for name in fight.names]
        if len(members) != len(self.roster) or teams != [self.roster.team_of(member) for member in members]:
            self.roster.seated(members, teams)
        for member in self.roster:
            member.agrees, member.order = "", []
        self.forget_found()

    def sides(self) -> dict[str, set[str]]:
        """The teams that people move, with their accounts: for an NPC without a tactic, the owner's."""
        moved = {
            team: {member.player or self.owner for member in members if member.player or not member.tactic}
            for team, members in self.roster.teams.items()
        }
        return {team: accounts for team, accounts in moved.items() if accounts}

    @property
    def closed(self) -> int:
        """The number of answers known to all: who has chosen in secret must not be known."""
        return len(self.running().answers) - self.secret

    @property
    def secret(self) -> int:
        """The number of answers to the open decision, which are the last ones: the others are not to know of them."""
        if (fight := self.fight) is None:
            return 0
        open, answers = fight.decision, fight.answers
        return next((place for place, answer in enumerate(reversed(answers)) if answer.decision != open), len(answers))

    # --- the store -------------------------------------------------------------------------------------------

    def entry(self, place: int) -> Entry:
        """An answer as it is stored: its log entry, who gave it, and the whim's position after it."""
        fight = self.running()
        answers = fight.answers
        after = answers[place + 1].whim if place + 1 < len(answers) else fight.whim.position
        return {**games.entry(fight, place), "by": self.movers[place], "after": after}

    def head(self) -> dict[str, Any] | None:
        """The log of the fight without its answers, which are stored one by one."""
        if self.fight is None:
            return None
        undone = self.fight.undone if isinstance(self.fight, Fight) else []
        return games.head(self.fight) | ({"undone": [undone_as_table(one) for one in undone]} if undone else {})

    def head_as_json(self) -> Json | None:
        """The same as it is stored. What was taken back only becomes more, so each of it is written down once."""
        if self.fight is None:
            return None
        text = to_json(games.head(self.fight))
        if not isinstance(self.fight, Fight) or not self.fight.undone:
            return Json(text)
        undone, known = self.fight.undone, self._undone
        same = sum(1 for _ in takewhile(lambda pair: pair[0][0] is pair[1], zip(known, undone, strict=False)))
        known[same:] = [(one, to_json(undone_as_table(one))) for one in undone[same:]]
        return Json(f'{text[:-1]},"undone":[{",".join([written for _, written in known])}]}}')

    def resume(self, head: Mapping[str, Any], entries: Sequence[Entry], known: Game | None = None) -> None:
        """Run a stored log, which brings the fight to its stored state; `known` as in `games.resumed`."""
        table = {**head, "answers": list(entries)}
        if entries:
            table["whim"] = {**head["whim"], "position": entries[-1]["after"], "before": entries[-1]["after"]}
        self.fight = games.resumed(self.adventure, table, f"{self.word} {self.name}", known)
        self.movers = [str(entry["by"]) for entry in entries]

    # --- what can be seen ------------------------------------------------------------------------------------

    def status(self, viewer: str | None = None) -> str:
        """The state as text, as an account may know it: the teams before the start, then the system's own table."""
        self.check_whole()
        if self.fight is None:
            teams = [f"- {t}: {', '.join(sorted(m.name for m in ms))}" for t, ms in sorted(self.roster.teams.items())]
            return "\n".join(["Players are still being added.", *teams])
        shown = "\n".join([games.status(self.fight, self._viewer(viewer)), *self._wings_seen(viewer)])
        return shown if not self.game or self.fight.over else f"{shown}\n\n{self.glance(viewer)}".rstrip()

    def glance(self, viewer: str | None = None) -> str:
        """What an account sees after every move; nothing while computer players of a game answer."""
        if self.game and any(member.tactic for member in self.awaited()):
            return ""
        return games.glance(self.running(), self._viewer(viewer))

    def _viewer(self, account: str | None) -> str | None:
        """The fight's name for the member that an account plays, or what stands for a storyteller who does not."""
        member = self.roster.of_player(account) if account is not None else None
        if member is None and account == self.owner:
            return OVERSEER
        return self.fighter(member) if member else None

    def wings_for(self, account: str | None, role: str = "player") -> list[Wing]:
        """The fighters in the wings that an account may know of: the storyteller all, a player those of the team."""
        fight = self.fight
        if account is None or not isinstance(fight, Fight) or not fight.asides:
            return []
        if self.is_overseen_by(account, role):
            return list(fight.wings.values())
        member = self.roster.of_player(account)
        team = self.roster.team_of(member) if member else None
        return [wing for wing in fight.wings.values() if wing.team == team]

    def _wings_seen(self, account: str | None) -> list[str]:
        return [f"In the wings, to join {wing.team}: {wing.name}" for wing in self.wings_for(account)]

    @property
    def aftermath(self) -> list[str]:
        """What the fight has cost every fighter, once it is over."""
        return self.fight.aftermath if isinstance(self.fight, Fight) else []

    @property
    def led_here(self) -> str:
        """A mark of the story before the open decision, because an undo reuses the numbers of decisions.

        It does not show whether others have already answered the same decision, which must stay secret.
        """
        fight, marked = self.running(), self._marked
        if marked.lines and (len(fight.lines) < marked.lines or fight.lines[marked.lines - 1] is not marked.last):
            marked = self._marked = _Marked()  # something has been taken back
        for line in fight.lines[marked.lines :]:
            if line.decision >= fight.decision:
                break
            marked.add(line)
        return marked.hash.hexdigest()

    @property
    def fair(self) -> Fair | None:
        """Fair dice: their commitment is published before the first roll, their secret after the last.

        In a fight that continues another they are those of its own part.
        """
        dice = self.fight.dice if self.fight else None
        thrown = dice.then if isinstance(dice, Scripted) else dice
        return thrown if isinstance(thrown, Fair) else None


class _Marked:
    """A mark of the first lines of a story, to which more lines can be added."""

    def __init__(self) -> None:
        self.lines = 0
        self.last: HostedLine | None = None
        self.hash = blake2b(digest_size=8)

    def add(self, line: HostedLine) -> None:
        """Count one line more."""
        self.hash.update(f"\n{line.text}".encode())
        self.lines, self.last = self.lines + 1, line


def check_length(log: object) -> None:
    """Refuse a log of more moves than a combat may have, before any of it is run."""
    if (moves := moves_in(log)) > MOST_MOVES:
        raise Invalid(f"the log has {moves} moves; it must have at most {MOST_MOVES}", given=moves)


def _made_in(undone: Undone) -> int:
    """How much was done that was taken back together."""
    return len(undone.answers) + len(undone.asides)


def _rules(options: Mapping[str, Any]) -> dict[str, Any]:
    """The options of the rules, without those of the table."""
    return {name: value for name, value in options.items() if name != clocks.NAME}
