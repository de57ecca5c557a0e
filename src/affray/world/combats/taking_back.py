"""Taking back in a combat: the last move, with the consent of the sides where that is needed, and words for it."""

from __future__ import annotations

from collections.abc import Sequence

from affray.errors import Illegal
from affray.fight import Answer, Fight
from affray.system import gauging, undoing
from affray.system.telling import without_numbers
from affray.world.combats import consent
from affray.world.combats.combat import AUTO, Combat
from affray.world.combats.told import Told


def undo(combat: Combat, by: str) -> Told:
    """Take back the last move that a person made, and the moves by tactics that followed.

    If the sides have to agree, this is the agreement of the side for which the account `by` moves.
    """
    fight = open_fight(combat)
    typed = [place for place, mover in enumerate(combat.movers) if mover != AUTO]
    secret = [place for place in typed if fight.answers[place].decision == fight.decision]
    own = [place for place in secret if combat.movers[place] == by]
    if own or (secret and combat.undo_setting == "free"):
        return _retract(combat, (own or secret)[-1], own=bool(own))
    closed = [place for place in typed if place not in secret]
    if not closed:
        raise Illegal("there is no move to take back", given=combat.name)
    return _undo_from(combat, closed[-1], by)


def open_fight(combat: Combat) -> Fight:
    """The fight, in which something may be taken back unless its people have concluded it."""
    fight = combat.fought()
    if fight.concluded:
        raise Illegal(f"nothing can be taken back: {fight.concluded.text}", given=combat.name)
    return fight


def _retract(combat: Combat, place: int, own: bool) -> Told:
    """Take back a choice that is still secret."""
    fight = combat.fought()
    fight.retract(fight.answers[place].who)
    del combat.movers[place]
    if own:
        combat.roster.retracted += 1
        return Told(reply="Your choice is taken back; choose again.")
    return Told(news="+ The last move is taken back: a choice that is still secret", status="\n\n")


def has_last_word(combat: Combat, by: str) -> bool:
    """Whether the last thing that happened is the word of an account that does not fight and may take it back."""
    fight = combat.fought()
    if by in combat.players:
        return False
    for answer, mover in zip(reversed(fight.answers), reversed(combat.movers), strict=True):
        if answer.decision < fight.decision:  # the others are choices that are still secret
            return answer.is_word and mover == by
    return False


def _undo_from(combat: Combat, place: int, by: str) -> Told:
    """Take back the answer at a place, and all after it, if everyone who must agree has agreed."""
    fight = combat.fought()
    answer = fight.answers[place]
    if not has_last_word(combat, by):
        undoing.check(fight.options, agreed=True)
        if waiting := consent.missing(combat, by, place):
            return consent.request(combat, by, "the last move", waiting, "undo")
    gone = fight.answers[place : combat.closed]
    fight.keep(place, agreed=True)
    del combat.movers[place:]
    combat.align()
    if answer.is_word:
        return Told(news=f"+ The storyteller's word is taken back: {word_of(combat, answer)}", status="\n\n")
    news, member = in_words(combat, gone), combat.seated(answer.who)
    if member.tactic is not None:  # it would make the same move again at once
        member.tactic = None
        news += f"\n  {member.name} is moved by hand again"
    return Told(news=f"+ The last move is taken back: {news}", status="\n\n")


def in_words(combat: Combat, answers: Sequence[Answer]) -> str:
    """Answers that were taken back together: the first one, and how many came after it."""
    after = len(answers) - 1
    more = f", and {after} {'move' if after == 1 else 'moves'} after it" if after else ""
    first = answers[0]
    if first.is_word:
        return f"the storyteller's word ({word_of(combat, first)}){more}"
    return f"{combat.seated(first.who).name}'s {first.move}{more}"


def word_of(combat: Combat, answer: Answer) -> str:
    """A storyteller's word, without its numbers where foes are seen in words."""
    setup = combat.fought().setup
    return without_numbers(setup, answer.move) if gauging.in_words(setup.options) else answer.move


def by_return(combat: Combat, answers: Sequence[Answer], again: int) -> str:
    """What a return to a saved state took back, and how many moves it brought back; a line for each."""
    lines = []
    if answers:
        lines.append(f"{_counted(len(answers))} taken back: {in_words(combat, answers)}")
    if again:
        lines.append(f"{_counted(again)} made again after having been taken back")
    return "".join(f"\n  {line}" for line in lines)


def last(combat: Combat) -> str:
    """What was taken back last; empty if nothing ever was."""
    fight = combat.fight
    undone = fight.undone if isinstance(fight, Fight) else []
    answers = next((one.answers for one in reversed(undone) if one.answers), ())
    return in_words(combat, answers) if answers else ""


def _counted(moves: int) -> str:
    return "1 move is" if moves == 1 else f"{moves} moves are"
