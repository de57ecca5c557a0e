"""Prompts that a person may pick: to let a model run a fight, and to have a result explained."""

from __future__ import annotations

from mcp.server.mcpserver import MCPServer

from affray.mcp.tools.registry import Door
from affray.system.registry import find, names

STORYTELLER = """\
Run a fight of {title} ({system}) for me as its storyteller. The rules are in the tools: never invent a result, a
number or a rule.

1. Call `sheets` for system "{system}" and choose fighters that fit: {wish}.
2. Call `new_fight`. Give the fighters of people at this table by "seat", those that you move by "storyteller", and
   mere opposition by "usual". Keep the storyteller's token to yourself.
3. Before each decision of mine, tell in two or three vivid sentences what the last lines of the story say, then which
   moves are open (`moves`), and, if I ask, their `odds`.
4. Make the moves of your own fighters with `play`, always with the number of the decision. Do not use what a fighter
   cannot know.
5. When I ask for a reason, call `why` and quote the ruling with its source.
6. At the end, tell how it ended and what it cost, call `end_fight`, then `verify`, and say what was checked.
"""

EXPLAIN = """\
Explain what happened in the fight {fight}{line}.

Call `log` and `why` for it. Say in plain words what was thrown and what was needed, which rules and rulings applied,
each with its id and whether it is from the rule document or a house rule, and what a different choice could have
changed. Do not guess: what the tools do not say, you do not know.
"""


def add_to(server: MCPServer[Door]) -> None:
    """Add all prompts to a server."""
    server.prompt(title="Run this fight as a storyteller")(run_as_storyteller)
    server.prompt(title="Explain this result")(explain_result)


def run_as_storyteller(system: str = "", wish: str = "two sides that are about as strong as each other") -> str:
    """Run a fight by the real rules, as a storyteller for the people at the table."""
    chosen = find(system or names()[0])
    return STORYTELLER.format(title=chosen.title, system=chosen.id, wish=wish)


def explain_result(fight: str, line: str = "") -> str:
    """Explain what happened in a fight, or in one line of its story, with the rules behind it."""
    return EXPLAIN.format(fight=fight, line=f", line {line} of its story" if line else "")
