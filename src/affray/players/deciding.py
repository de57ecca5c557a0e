"""Lets a player decide in a fight, given the fighter's view and dice of its own; if it fails, a tactic decides."""

from __future__ import annotations

import logging
from dataclasses import replace
from typing import Any

from affray.errors import Refused
from affray.fight import Fight, Move
from affray.kernel.chance import Seeded
from affray.players.player import ByTactic, Player, Thought
from affray.system.setup import Setup

log = logging.getLogger(__name__)
PLAYERS_DICE = 0x3C6EF372FE94F82B  # players are seeded from here, where no fight's seed comes from
_STREAM = 64  # more than there are fighters: each has dice of its own at every decision


class Failure(Refused):
    """A player could not decide: it died, took too long, or gave what is no move."""


def thought_of(player: Player, setup: Setup[Any], state: Any, who: int, *, seed: int = 0, decision: int = 0) -> Thought:
    """What a player decides, given only the fighter's view; where it fails, the usual tactic decides, and says so."""
    view = setup.view(state, who)
    dice = Seeded((PLAYERS_DICE + seed) % 2**63, decision * _STREAM + who)
    try:
        found = player.choose(setup, view, who, dice)
        if found.code not in setup.codes(view, who):
            raise Failure(f"the player chose {found.code!r}, which is no legal move")
        return found
    except Refused as problem:
        reason = str(problem)
    except Exception as problem:  # a user's player may raise anything
        log.exception("a player failed")
        reason = f"the player failed: {type(problem).__name__}: {problem}"
    usual = ByTactic()
    instead = usual.choose(setup, view, who, dice)
    tactic = setup.system.usual_tactic(setup.sheets[who])
    told = f"{reason}; {setup.names[who]} moves by the tactic {tactic} instead"
    return replace(instead, why=(told,), problem=told)


def decided(fight: Fight, who: str, player: Player, *, seed: int = 0) -> tuple[Move, Thought]:
    """The move that a player makes in a fight, and its thoughts."""
    index = fight.index(who)
    found = thought_of(player, fight.setup, fight.state, index, seed=seed, decision=fight.decision)
    return Move(who, fight.system.write_move(fight.setup, fight.state, index, found.code), found.code), found
