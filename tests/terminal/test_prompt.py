"""Whatever is typed at a prompt: it is a move, a command, or it gets a sentence and changes nothing."""

import io
from collections.abc import Sequence
from contextlib import redirect_stdout

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from affray import Fight, Refused
from affray.fight.saving import as_table
from affray.lab.bars import stacked
from affray.lab.figures import percent
from affray.system.registry import find
from affray.terminal.playing.commands import COMMANDS
from affray.terminal.playing.fight_session import FightSession, share_out
from affray.terminal.playing.lineup import ask_lineup
from affray.terminal.screen.keyboard import Plain
from affray.terminal.screen.output import fold

WORDS = st.sampled_from(["attack", "defend", "flee", "fire-slime", "fire-slime-2", "player", "1", "9", ":", ",", "="])
TYPED = st.one_of(st.text(max_size=60), st.lists(WORDS, max_size=5).map(" ".join))


def a_session() -> FightSession:
    fight = Fight("bgo", "heroes=player monsters=fire-slime,fire-slime", seed=7)
    fight.play("player", "defend")
    fight.play("fire-slime", "attack")
    fight.play("fire-slime-2", "attack")
    persons, tactics = share_out(fight, (), (), {})
    return FightSession(Plain(), fight, persons, tactics, odds=False, commands=COMMANDS)


@given(TYPED)
def test_random_text_gets_a_sentence_and_changes_nothing(line):
    session = a_session()
    assume(session.command_in(line.strip()) is None)
    before = as_table(session.fight)
    with redirect_stdout(io.StringIO()) as screen:
        moved = session.answer("player", line.strip())
    if moved:
        assert session.fight.answers[-1].who == "player"
    else:
        assert screen.getvalue().strip().endswith((".", "?", "!"))
        assert as_table(session.fight) == before


@given(st.sampled_from(["why", "rules", "log", "?"]), TYPED)
def test_a_command_with_random_text_changes_nothing(name, rest):
    session = a_session()
    before = as_table(session.fight)
    with redirect_stdout(io.StringIO()) as screen:
        assert session.answer("player", f"{name} {rest}".strip()) is False
    assert screen.getvalue().strip()
    assert as_table(session.fight) == before


class Lines(Plain):
    """A keyboard whose lines are known before."""

    def __init__(self, lines: Sequence[str]) -> None:
        super().__init__()
        self.lines = list(lines)

    def ask(self, question, words=(), meanwhile=None, remember=True):
        return self.lines.pop(0)


@settings(max_examples=50)
@given(st.text(st.characters(exclude_characters=","), max_size=30))
def test_random_text_for_a_fighter_is_asked_again(line):
    system = find("bgo")
    try:
        system.enlist(line.strip() or "player")
        known = True
    except Refused:
        known = False
    assume(not known and line.strip().lower() not in ("quit", "exit", "q", "?", "help"))
    with redirect_stdout(io.StringIO()) as screen:
        lineup = ask_lineup(Lines([line.strip(), "knight", "", ""]), system)
    assert lineup.teams == {"heroes": ["knight"], "monsters": ["fire-slime"]}
    assert screen.getvalue()


CHANCES = st.lists(st.integers(0, 10**6), min_size=4, max_size=4).filter(any)


@given(CHANCES, st.integers(1, 60))
def test_a_bar_is_always_whole(weights, wide):
    chances = dict(zip(("win", "lose", "draw", "fled"), (w / sum(weights) for w in weights), strict=True))
    drawn = stacked(chances, wide)
    assert len(drawn) == wide
    for outcome, sign in (("win", "#"), ("lose", "."), ("draw", "="), ("fled", "~")):
        assert abs(drawn.count(sign) - wide * chances[outcome]) < 1


@given(st.fractions(0, 1))
def test_only_what_is_sure_looks_sure(chance):
    assert (percent(chance) == "100.0%") == (chance == 1)
    assert (percent(chance) == "0.0%") == (chance == 0)


@given(st.text(max_size=300), st.sampled_from(["", "  ", "      "]))
def test_folded_text_fits(text, indent):
    assert all(len(line) <= 80 for line in fold(text, indent))
