"""The replay of a fight from its opening on, frame by frame, as a spectator may see it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from affray.fight import viewing
from affray.kernel.chance import Fair
from affray.system import gauging
from affray.system.telling import without_numbers

if TYPE_CHECKING:
    from affray.fight import Answer, Fight
    from affray.system.setup import Setup


def replay(
    fight: Fight, *, secret_is_out: bool | None = None, called: Mapping[str, str] | None = None
) -> dict[str, Any]:
    """The opening and every decision that has been taken, each with what it led to, as plain JSON values.

    Choices that are still secret are not in it. Fair dice show their secret when the fight is over;
    `secret_is_out=False` keeps it beyond the end, as long as moves may still be taken back. Fighters may be
    `called` by other names than in the fight.
    """
    named = called or {name: name for name in fight.names}
    fair = fight.dice if isinstance(fight.dice, Fair) else None
    shows_secret = fight.over if secret_is_out is None else secret_is_out
    return {
        "system": fight.system.id,
        "title": fight.system.title,
        "teams": {team: [named[name] for name in members] for team, members in fight.teams.items()},
        "frames": _frames(fight, named),
        "story": [viewing.as_table(line) for line in viewing.story(fight)],
        "ending": fight.ending,
        "concluded": fight.concluded.text if fight.concluded else None,
        "commitment": fair.commitment if fair else None,
        "secret": fair.secret.hex() if fair and shows_secret else None,
        "aftermath": fight.aftermath,
    }


def who_and_what(answers: Sequence[Answer]) -> dict[str, str]:
    """Who answered a decision by which move; of several who chose at once, all in the same order."""
    return {"who": ", ".join(answer.who for answer in answers), "move": ", ".join(answer.move for answer in answers)}


def _frames(fight: Fight, named: Mapping[str, str]) -> list[dict[str, Any]]:
    revealed = fight.revealed
    # A frame shows the result of its decision, which is the state before the first answer to the next one.
    after: dict[int, tuple[Setup[Any], Any, int]] = {}
    past = zip(fight.answers, fight.past_setups(), fight.past_states(), fight.past_lines(), strict=True)
    for answer, setup, state, told in past:
        after.setdefault(answer.decision - 1, (setup, state, told))
    after.setdefault(fight.decision - 1, (fight.setup, fight.state, len(fight.lines)))
    cut = gauging.in_words(fight.options) and not fight.over
    frames, first = [], 0
    for decision, given in {0: [], **revealed}.items():
        setup, state, told = after[decision]
        answers = [replace(answer, who=named.get(answer.who, answer.who)) for answer in given]
        if cut:
            answers = [replace(one, move=without_numbers(setup, one.move)) if one.is_word else one for one in answers]
        frames.append(
            {
                "decision": decision,
                **(who_and_what(answers) if answers else {"who": None, "move": None}),
                "answers": [{"who": answer.who, "move": answer.move} for answer in answers],
                "lines": list(range(first, told)),
                **_seen(setup, state, named, viewing.in_words(setup, None, over=fight.over)),
            }
        )
        first = told
    return frames


def _seen(setup: Setup[Any], state: Any, named: Mapping[str, str], worded: frozenset[int]) -> dict[str, Any]:
    """Every fighter as a spectator sees them in a state."""
    seen = setup.view(state, None)
    return {
        "seats": [
            {
                "name": named[name],
                "team": setup.team_of[name],
                "scene": [viewing.as_table(widget) for widget in viewing.scene_of(setup, seen, place, worded)],
            }
            for place, name in enumerate(setup.names)
        ],
        "round": seen.round,
    }
