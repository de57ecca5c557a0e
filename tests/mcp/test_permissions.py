"""Who may what through MCP: every tool, tried with every kind of token, against one table that a person can read."""

from __future__ import annotations

import json
from typing import Any

import pytest

from affray.mcp.hosts.tables import Tables
from affray.mcp.tools.registry import TOOLS

# A fight of two seats, in which red's fighter is squire and blue's is ranger. The columns: no token; red's seat; the
# storyteller; a token that was guessed. `yes` may, `-` may not, and that changes nothing. A seat that takes back asks
# the other one to agree.
TABLE = """
                                                      spectator  red  storyteller  guessed
fights                                                    yes    yes      yes        yes
status                                                    yes    yes      yes         -
status fighter=ranger                                      -      -       yes         -
moves                                                      -     yes      yes         -
moves fighter=ranger                                       -      -       yes         -
odds fighter=squire                                        -     yes      yes         -
odds fighter=ranger                                        -      -       yes         -
play fighter=squire move=attack                            -     yes      yes         -
play fighter=ranger move=attack                            -      -       yes         -
undo                                                       -     yes      yes         -
hand_over fighter=squire by=usual                          -      -       yes         -
go_on                                                      -      -       yes         -
end_fight                                                  -      -       yes         -
touchable                                                  -      -       yes         -
intervene text=set_squire_health_1                         -      -       yes         -
take_seat invitation=guessed                               -      -        -          -
log                                                       yes    yes      yes         -
why                                                       yes    yes      yes         -
verify                                                    yes    yes      yes         -
"""
HEADING, *ROWS = TABLE.strip("\n").splitlines()
CALLERS = HEADING.split()
CASES = [(row[:54].split(), row[54:].split()) for row in ROWS]
OF_NO_FIGHT = {"systems", "rules", "sheets", "sheet", "simulate", "fight_odds", "verify_log", "encounter", "new_fight"}
TEAMS = {"red": ["squire"], "blue": ["ranger"]}


def test_every_tool_has_a_row() -> None:
    assert {words[0] for words, _ in CASES} | OF_NO_FIGHT == set(TOOLS)


@pytest.mark.parametrize("caller", CALLERS)
async def test_who_may(model: Any, caller: str) -> None:
    host = Tables()
    async with model(host) as m:
        for (tool, *given), row in CASES:
            _, new = await m.ask("new_fight", system="bgo", teams=TEAMS, by={"red": "seat", "blue": "seat"}, seed=1)
            fight = new["fight"]
            red, storyteller = new["tokens"]["seat squire"], new["tokens"]["storyteller"]
            if tool == "undo":
                await m.ask("play", fight=fight, fighter="squire", move="attack", token=storyteller)
                await m.ask("play", fight=fight, fighter="ranger", move="attack", token=storyteller)
            token = {"spectator": "", "red": red, "storyteller": storyteller, "guessed": "guessed"}[caller]
            words = {key: value.replace("_", " ") for key, value in (word.split("=") for word in given)}
            if tool != "fights":
                words |= {"fight": fight, "token": token}
            before = known(host, fight)
            if row[CALLERS.index(caller)] == "yes":
                await m.ask(tool, **words)
            else:
                await m.refused(tool, **words)
                assert known(host, fight) == before, f"{caller}: {tool}"
            await m.ask("end_fight", fight=fight, token=storyteller) if tool != "end_fight" else None


def known(host: Tables, fight: str) -> str:
    """Everything about a fight."""
    table = host.table(fight)
    return json.dumps([table.combat.head(), table.combat.status(), table.combat.movers, table.seats_table()])
