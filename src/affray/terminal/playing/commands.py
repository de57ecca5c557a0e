"""What a player can ask for in a fight besides a move: one short function each, its help beside it."""

from __future__ import annotations

from affray.errors import Illegal
from affray.players.tactics import usual_tactics
from affray.system import undoing
from affray.terminal.commands.rules import show_ruling, show_rulings
from affray.terminal.playing.fight_session import STUDY, FightSession
from affray.terminal.playing.session import Command, help, log, quit, save, status, why
from affray.terminal.screen.output import say


def odds(session: FightSession, who: str | None, rest: str) -> bool:
    """show the odds of each move again, looking longer; PLAN is the tactic by which you would go on, best, or wins"""
    if who is None:
        raise Illegal("the fight is over: there is nothing left to weigh")
    if rest in ("best", "wins"):
        session.plans.pop(who, None)
        session.aim = "wins" if rest == "wins" else "value"
    elif rest:
        usual_tactics(session.fight, {who: rest})
        session.plans[who] = rest
    wanted, session.odds = session.odds, True
    session.show_moves(who, STUDY)
    session.odds = wanted and session.odds
    return False


def undo(session: FightSession, who: str | None, rest: str) -> bool:
    """go back to your last decision"""
    fight, hidden = session.fight, session.fight.decision
    own = [a for a in fight.answers if a.who in session.persons]
    if who is not None:  # one's own or those of a friend, and none that is still hidden
        own = [a for a in own if fight.team_of[a.who] == fight.team_of[who] and a.decision < hidden]
    if not own:
        raise Illegal(
            "there is nothing to take back: this is your first decision" if who else "no decision has been taken"
        )
    taken = [answer for answer in fight.answers if answer.decision >= own[-1].decision]
    fight.undo(to=own[-1].decision, agreed=_all_agree(session, who))
    session.forget()
    told = [f"{a.who} {a.move}" if a.decision != hidden else f"the hidden choice of {a.who}" for a in taken]
    say(f"Taken back: {', '.join(told)}.", indent="  ", hang="    ")
    return True


def _all_agree(session: FightSession, asking: str | None) -> bool:
    """Whether every side with people in it agrees to take something back, where it has to."""
    fight = session.fight
    if undoing.of(fight.options) != "agreed":
        return True
    sides = {fight.team_of[name] for name in session.persons} - {fight.team_of[asking] if asking else ""}
    return all(session.keyboard.agrees(f"Does {side} agree to take that back?") for side in sorted(sides))


def luck(session: FightSession, who: str | None, rest: str) -> bool:
    """after the fight: say how likely it was, and where the luck fell"""
    say(str(session.fight.luck()), indent="  ", hang="    ")
    return False


def rules(session: FightSession, who: str | None, rest: str) -> bool:
    """list the rules, or show the one of an ID"""
    known = session.fight.system.rulings()
    if rest:
        show_ruling(rest.split()[0], known)
    else:
        show_rulings(known.values())
    return False


def learn(session: FightSession, who: str | None, rest: str) -> bool:
    """show how to play, in five minutes; `learn screen` says only what the screen shows"""
    from affray.terminal.commands.learn import show_lesson

    show_lesson(session.fight.system, rest)
    return False


COMMANDS: dict[str, Command] = {
    "odds [PLAN]": odds,
    "why [N]": why,
    "undo": undo,
    "save [FILE]": save,
    "log": log,
    "status": status,
    "luck": luck,
    "learn": learn,
    "rules [ID]": rules,
    "help or ?": help,
    "quit": quit,
}
