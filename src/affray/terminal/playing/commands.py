"""What a player can ask for in a fight besides a move: one short function each, its help beside it."""

from __future__ import annotations

from affray.errors import Illegal
from affray.kernel.chance import Seeded
from affray.players.levels import read_player
from affray.players.search import Search
from affray.players.tactics import usual_tactics
from affray.system import undoing
from affray.terminal.commands.rules import show_ruling, show_rulings
from affray.terminal.playing.fight_session import STUDY, FightSession
from affray.terminal.playing.session import Command, help, log, moves, quit, save, status
from affray.terminal.playing.session import why as why_of_rules
from affray.terminal.screen.output import say

HINT_SECONDS = 1.0


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


def hint(session: FightSession, who: str | None, rest: str) -> bool:
    """say which move a search would make, and why; PLAYER thinks longer or less, such as search:5s"""
    from affray.players.hints import hint as hint_for

    if who is None:
        raise Illegal("the fight is over: there is nothing left to decide")
    session.check_odds()
    fight = session.fight
    thinker = read_player(fight.system, rest) if rest else Search(seconds=HINT_SECONDS)
    if not isinstance(thinker, Search):
        raise Illegal(f"a hint needs a player that searches, such as search:5s, not {rest[:40]!r}", given=rest)
    found = hint_for(fight.setup, fight.state, fight.index(who), Seeded(fight.decision), thinker)
    say(f"Hint: {found.move}", indent="  ", style="heading")
    for line in found.lines:
        say(line, indent="  ", hang="    ")
    return False


def why(session: FightSession, who: str | None, rest: str) -> bool:
    """say which rules applied to what happened last, or to line N of the log; or what the fighter NAME considered"""
    if rest not in session.thinkers.players:
        return why_of_rules(session, who, rest)
    if rest not in session.thinkers.thoughts:
        raise Illegal(f"{rest} has not decided anything yet")
    fight = session.fight
    if any(answer.who == rest and answer.decision == fight.decision for answer in fight.answers):
        raise Illegal(f"what {rest} considers stays secret until all have chosen")
    for line in session.thinkers.thoughts[rest].why:
        say(line, indent="  ", hang="    ")
    return False


def undo(session: FightSession, who: str | None, rest: str) -> bool:
    """go back to your last decision"""
    fight, hidden = session.fight, session.fight.decision
    own = [a for a in fight.answers if a.who in session.persons]
    if who is not None:
        own = [a for a in own if session.player(a.who) == session.player(who)]
    if not own:
        raise Illegal(
            "there is nothing to take back: this is your first decision" if who else "no decision has been taken"
        )
    last = own[-1]
    if last.decision == hidden:  # what others have chosen meanwhile stays
        taken = [last]
        fight.retract(last.who)
    else:
        taken = [answer for answer in fight.answers if answer.decision >= last.decision]
        fight.undo(to=last.decision, agreed=_all_agree(session, who))
    session.forget()
    secret = [a for a in taken if a.decision == hidden and a is not last]
    told = [f"the hidden choice of {a.who}" if a in secret else f"{a.who} {a.move}" for a in taken]
    say(f"Taken back: {', '.join(told)}.", indent="  ", hang="    ")
    return True


def _all_agree(session: FightSession, asking: str | None) -> bool:
    """Whether every other person at the keyboard agrees to take something back, where they have to."""
    if undoing.of(session.fight.options) != "agreed" or len(session.people) == 1:
        return True
    others = session.people - {session.player(asking) if asking else ""}
    return all(session.keyboard.agrees(f"Does {side} agree to take that back?") for side in sorted(others))


def luck(session: FightSession, who: str | None, rest: str) -> bool:
    """after the fight: say how likely its result was, and where the luck fell"""
    say(str(session.fight.luck()), indent="  ", hang="    ")
    return False


def rules(session: FightSession, who: str | None, rest: str) -> bool:
    """list the rules, or show one by its ID"""
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
    "moves": moves,
    "odds [PLAN]": odds,
    "hint [PLAYER]": hint,
    "why [N or NAME]": why,
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
