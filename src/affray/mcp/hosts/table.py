"""One fight that lives here: its seats and their tokens, and what each may do and see."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from affray.errors import Forbidden, Illegal, Invalid, unknown
from affray.fight import Fight, saving, viewing
from affray.kernel.chance import Fair, Physical, Seeded
from affray.lab.odds import Aim, Play
from affray.mcp.hosts.host import (
    MOVERS,
    SEAT,
    SIDE,
    STORYTELLER,
    USUAL,
    Answer,
    Ask,
    Closed,
    NewFight,
    Role,
    Seen,
    Told,
)
from affray.system import undoing
from affray.system.setup import Setup
from affray.world.combats import games, storytelling, taking_back
from affray.world.combats.combat import Combat
from affray.world.combats.odds import odds_table
from affray.world.combats.roster import Member, Roster

MOVES_AT_ONCE = 500  # of computer fighters after one call
LAST_LINES = 12


@dataclass(frozen=True)
class Seat:
    """Who is asking: the storyteller, a player with an account of this fight, or a spectator."""

    role: Role
    account: str = ""


SPECTATOR = Seat("spectator")


@dataclass
class Table:
    """A fight with its seats. The storyteller owns it and sees all; a seat sees what its fighters may know."""

    combat: Combat
    tokens: dict[str, str] = field(default_factory=dict)
    """The account of each token."""
    ended: bool = False

    # --- making one --------------------------------------------------------------------------------------------

    @classmethod
    def of(cls, asked: NewFight, name: str) -> Table:
        """A new table whose fight has begun."""
        combat = Combat.create(name, "", STORYTELLER, asked.system, asked.options)
        setup = Setup.of(asked.system, asked.teams, combat.options, files=False)
        table = cls(combat)
        table.seat(setup, asked.by)
        dice: Physical = Fair(secrets.token_bytes(32)) if asked.seed is None else Seeded(asked.seed)
        combat.fight = Fight(setup, dice=dice)
        table.let_tactics_move()
        return table

    @classmethod
    def around(cls, fight: Fight, name: str, by: dict[str, str]) -> Table:
        """A table for a fight that has begun elsewhere."""
        combat = Combat(0, name, "", fight.system, STORYTELLER, dict(fight.options))
        table = cls(combat)
        table.seat(fight.setup, by)
        combat.fight, combat.movers = fight, [STORYTELLER] * len(fight.answers)
        table.let_tactics_move()
        return table

    def seat(self, setup: Setup[Any], by: Any) -> None:
        """Put every fighter of a set-up on its team, and say who moves it."""
        for key in by:
            if key not in setup.names and key not in setup.by_team:
                known = [*setup.names, *setup.by_team]
                raise Invalid(unknown("fighter or team", str(key), known), given=key, allowed=known)
        self.tokens[_token()] = STORYTELLER
        for name, sheet in zip(setup.names, setup.sheets, strict=True):
            member = Member(name, setup.system.as_table(sheet), borrowed=True)
            self.combat.add(member, setup.team_of[name])
            self._give(member, by.get(name, by.get(setup.team_of[name], STORYTELLER)))

    def _give(self, member: Member, by: str) -> str:
        """Change who moves a member; returns the token of the seat, if it is one."""
        system = self.combat.system
        tactic = system.usual_tactic(system.enlist(member.sheet, files=False)) if by == USUAL else by
        if by not in (STORYTELLER, SEAT, SIDE) and tactic not in system.tactics:
            known = [STORYTELLER, SEAT, SIDE, USUAL, *system.tactics]
            raise Invalid(f"{by!r} cannot move {member.name}; it must be {MOVERS}", given=by, allowed=known)
        member.player = member.tactic = None
        if by == STORYTELLER:
            return ""
        if by in (SEAT, SIDE):
            member.player = f"{SEAT} {member.name}" if by == SEAT else f"{SIDE} {self.combat.roster.team_of(member)}"
            return self._token_of(member.player)
        member.tactic = tactic
        return ""

    def _token_of(self, account: str) -> str:
        present = next((token for token, known in self.tokens.items() if known == account), None)
        if present is None:
            self.tokens[present := _token()] = account
        return present

    def tokens_shown(self) -> dict[str, str]:
        """The token of the storyteller and of every seat."""
        return {account: token for token, account in self.tokens.items()}

    # --- who may -----------------------------------------------------------------------------------------------

    @property
    def fight(self) -> Fight:
        """The fight itself."""
        return self.combat.fought()

    def seat_of(self, token: str) -> Seat:
        """Whose token it is; without one the caller is a spectator."""
        if not token:
            return SPECTATOR
        for known, account in self.tokens.items():
            if secrets.compare_digest(known.encode(), token.encode()):
                return Seat("storyteller" if account == STORYTELLER else "player", account)
        raise Forbidden(
            f"that token is not one of {self.combat.name}; without a token you may watch", given=None, allowed=["watch"]
        )

    def own(self, seat: Seat) -> list[Member]:
        """The members that a caller may move: the storyteller all, a seat its own."""
        if seat.role == "storyteller":
            return [member for member in self.combat.roster if member.tactic is None]
        return [member for member in self.combat.roster if member.player and member.player == seat.account]

    def check_storyteller(self, seat: Seat, what: str) -> None:
        """Refuse everyone else."""
        if seat.role != "storyteller":
            raise Forbidden(f"only the storyteller's token may {what}", given=seat.role, allowed=[STORYTELLER])

    def mine(self, seat: Seat, name: str, what: str) -> Member:
        """The member of that name, if the caller may decide for it."""
        member, own = self.combat.member(name), self.own(seat)
        if member in own:
            return member
        allowed = [one.name for one in own]
        if member.tactic is not None and seat.role == "storyteller":
            problem = f"{member.name} moves by itself ({member.tactic}); hand_over gives it to another"
        elif allowed:
            problem = f"your token may not {what} {member.name}, only {', '.join(allowed)}"
        else:
            problem = f"a spectator may not {what} fighters; a token is needed"
        raise Forbidden(problem, given=name, allowed=allowed)

    def check_open(self) -> None:
        """Refuse to change a fight that has been ended."""
        if self.ended:
            raise Illegal(f"{self.combat.name} has been ended, and nothing in it changes any more", given=None)

    # --- what may be done --------------------------------------------------------------------------------------

    def play(self, seat: Seat, answer: Answer) -> str:
        """Make a move, and let computer fighters answer; returns what the caller alone is told."""
        self.check_open()
        member = self.mine(seat, answer.fighter, "move")
        if answer.mark not in (None, self.combat.led_here):
            raise Illegal(
                "moves have been taken back since you were asked, and the fight has changed", given=answer.mark
            )
        said = self.combat.move(member, answer.move, seat.account, answer.decision).reply
        self.combat.version += 1
        self.let_tactics_move()
        return said

    def undo(self, seat: Seat) -> str:
        """Take back the last move, as the fight's setting allows; returns what is told about it."""
        self.check_open()
        if seat.role == "spectator":
            raise Forbidden("a spectator may not take moves back; a token is needed", given=seat.role)
        secret = any(
            answer.decision == self.fight.decision and by == seat.account
            for answer, by in zip(self.fight.answers, self.combat.movers, strict=True)
        )
        if self.combat.undo_setting == "free" and not secret:
            self.check_storyteller(seat, "take moves back where undo=free")
        aside = storytelling.undo_aside(self.combat) if seat.role == "storyteller" else None
        told = aside or taking_back.undo(self.combat, seat.account)
        self.combat.version += 1
        self.let_tactics_move()
        return told.reply or told.news.removeprefix("+ ")

    def hand_over(self, seat: Seat, name: str, by: str) -> str:
        """Let another move a fighter; returns the token of its seat, if it is one."""
        self.check_open()
        self.check_storyteller(seat, "change who moves a fighter")
        token = self._give(self.combat.member(name), by)
        self.combat.version += 1
        self.let_tactics_move()
        return token

    def touchable(self, seat: Seat) -> dict[str, Any]:
        """All that the storyteller may change now."""
        self.check_storyteller(seat, "see what may be changed")
        return storytelling.touchable(self.combat)

    def intervene(self, seat: Seat, text: str, decision: int | None) -> str:
        """Overrule the fight, and let computer fighters answer; returns what the caller alone is told."""
        self.check_open()
        self.check_storyteller(seat, "intervene")
        if storytelling.is_aside(text):
            return storytelling.aside(self.combat, text, seat.account).reply
        said = storytelling.intervene(self.combat, text, seat.account, decision).reply
        self.combat.version += 1
        self.let_tactics_move()
        return said

    def let_tactics_move(self) -> None:
        """Let computer fighters move until a person has to, or they have made very many moves."""
        self.combat.move_by_tactic(MOVES_AT_ONCE)
        self.combat.version += 1

    def odds(self, seat: Seat, name: str, play: Play, aim: Aim) -> Any:
        """A function that counts the odds of a fighter's moves, on a copy; it may take a second."""
        member = self.mine(seat, name, "ask for the odds of")
        if member not in self.combat.awaited():
            raise Illegal(f"{member.name} has no move to make now", given=name)
        games.check_odds(self.fight, oversees=seat.role == "storyteller")
        fighter, copy = self.combat.fighter(member), self.fight.fork()
        return lambda: {"fighter": member.name, **odds_table(copy, fighter, {}, play, aim)}

    # --- what may be seen --------------------------------------------------------------------------------------

    def seen(self, seat: Seat, fighter: str | None = None, said: str = "", since: int | None = None) -> Seen:
        """The fight as a caller may see it, with the last lines of the story or all `since` a number of lines."""
        combat, fight = self.combat, self.fight
        viewer = self._viewer(seat, fighter)
        tells = seat.role == "storyteller"
        state = fight.state if tells else games.seen(fight, viewer)
        worded = not tells and games.in_words(fight, viewer)
        is_due = games.due(fight, state)
        fair = combat.fair
        return Seen(
            fight=combat.name,
            system=combat.system.id,
            phase="ended" if self.ended else "over" if fight.over else "running",
            you=seat.role,
            your_fighters=[member.name for member in self.own(seat)],
            teams={team: [member.name for member in members] for team, members in combat.roster.teams.items()},
            moved_by={member.name: member.tactic or member.player or STORYTELLER for member in combat.roster},
            round=fight.round,
            decision=fight.decision,
            ending=fight.ending,
            to_move=[member.name for member, due in zip(combat.roster, is_due, strict=True) if due],
            asks=list(self._asks(seat)),
            status=games.status(fight, viewer) if worded else fight.system.status(fight.setup, state),
            lines=len(fight.lines),
            last_lines=[
                line.full if tells else line.text for line in fight.lines[-LAST_LINES if since is None else since :]
            ],
            undo=undoing.TOLD[combat.undo_setting],
            commitment=fair.commitment if fair else None,
            aftermath=combat.aftermath,
            said=said,
            wings={wing.name: wing.team for wing in combat.wings_for(seat.account)},
        )

    def _viewer(self, seat: Seat, wanted: str | None) -> str | None:
        """The fighter through whose eyes a caller looks: the one wanted, or one that has to move."""
        if wanted is not None:
            return self.combat.fighter(self.mine(seat, wanted, "look through the eyes of"))
        own = self.own(seat)
        awaited = [member for member in own if member in self.combat.awaited()]
        return self.combat.fighter((awaited or own)[0]) if own else None

    def _asks(self, seat: Seat) -> Iterator[Ask]:
        """The decisions that a caller may take now, and those that are taken but still secret."""
        combat, fight = self.combat, self.fight
        if self.ended or fight.over:
            return
        called = [member.name for member in combat.roster]
        for member in self.own(seat):
            fighter = combat.fighter(member)
            answered = next((a.move for a in fight.answers if (a.decision, a.who) == (fight.decision, fighter)), None)
            if answered is None and fighter not in fight.to_act:
                continue
            open, closed = games.moves(fight, fighter) if answered is None else ([], [])
            question = games.question(fight, called) or f"What does {member.name} do?"
            yield Ask(
                member.name,
                question[:1].upper() + question[1:],
                fight.decision,
                open,
                [Closed(one.notation, one.reason) for one in closed],
                answered,
                fight.at_stake.get(fighter),
                combat.led_here,
            )

    def story(self, seat: Seat = SPECTATOR) -> list[Told]:
        """Every line of the story; to the storyteller with all numbers."""
        told = viewing.story(self.fight, full=seat.role == "storyteller")
        return [Told(one.n + 1, one.text, one.decision, list(one.why)) for one in told]

    def log(self, seat: Seat) -> dict[str, Any]:
        """The sealed log: all of it for the storyteller, for others what everyone may have."""
        if seat.role == "storyteller":
            table = saving.as_table(self.fight)
            return {**table, "seal": saving.seal(table)}
        return games.exported(self.fight, ended=self.ended)

    # --- files -------------------------------------------------------------------------------------------------

    def seats_table(self) -> dict[str, Any]:
        """Who sits where, as plain JSON values; it has the tokens, so it is for the owner of the file only."""
        roster, movers = self.combat.roster.as_table(), self.combat.movers
        return {"tokens": self.tokens, "roster": roster, "movers": movers, "ended": self.ended}

    @classmethod
    def restored(cls, fight: Fight, name: str, seats: dict[str, Any]) -> Table:
        """The table of a fight and of who sits where."""
        combat = Combat(0, name, "", fight.system, STORYTELLER, dict(fight.options))
        combat.roster = Roster.of_table(seats["roster"])
        combat.fight = fight
        known = [str(mover) for mover in seats["movers"][: len(fight.answers)]]
        combat.movers = known + [STORYTELLER] * (len(fight.answers) - len(known))
        return cls(combat, dict(seats["tokens"]), bool(seats["ended"]))


def _token() -> str:
    return secrets.token_urlsafe(12)
