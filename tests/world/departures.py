"""Where the rulings of Grapple depart from the recorded cases: each step, the reason, and what must happen instead."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

BOTH = ("document", "grounds")
PROFILE_DECISIONS = {
    "strict_strike",
    "strict_skill",
    "maneuver_max3",
    "team_targets",
    "tactics_self",
    "strategy_real",
    "sd_floor0",
    "case_free_names",
    "grounds",
}
"""Decisions that the two profiles take differently; the cases have the side of `grounds`.

The decision `grounds` stands for any of them: a case that depends on it holds in that profile alone.
"""

RULED = {
    "rollback",
    "skip_out_teams",
    "no_ghost_team",
    "one_team_per_player",
    "remove_needs_owner",
    "restore_few_skills",
    "inactive_to_npc",
    "distinct_teams",
    "start_status_all",
    "team_order",
}
"""Decisions in which the rulings win over the recording, in both profiles."""


@dataclass(frozen=True)
class Departure:
    """What the rulings say about one step, instead of what was recorded for it.

    `refused` is the code of a refusal. Otherwise the step is done: `becomes` are the numbers of members that change,
    all others stay; `says` is part of what is told; `moving` is the team whose turn it is then. `left_out` never got
    into the combat, so later steps are compared without it.
    """

    ruling: str
    refused: str = ""
    dice: Sequence[int] | None = None  # other ones than the recorded
    says: str = ""
    becomes: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    moving: str = ""
    lines: Sequence[str] = ()  # of the setting up
    attrs: Mapping[str, Mapping[str, object]] = field(default_factory=dict)
    left_out: str = ""
    instead: Mapping[str, Any] = field(default_factory=dict)  # what brings about the recorded result after a refusal
    then: Literal["go on", "take back", "stop"] = "go on"


NAMES = "the option `names`: the document's profile ignores case"
FAIR = "Fairness: while the owner fights too, only the player moves a player's fighter"
TEAMS = "the option `names`: in the document's profile teams are named in any case"
FRIENDS = "the option `friendly_targets`: the document's profile allows one's own team as a target"
FLOOR = "the option `sd_floor`: in the document's profile SD stop at 0"
STRATEGY = "the option `strategy_cap`: in the document's profile Strategy raises the real cap of AD"
TACTICS = "the option `tactics_target`: in the document's profile Tactics are for oneself"
SKIPPED = "ruling Turns: a team with nobody standing is skipped"
CASE = "ruling Setup: verbs ignore case; the profile `grounds` alone keeps the recorded behaviour"
PARTS = "ruling Setup: nine parts are one too many, and the sentence says so; the recording trips over the last number"

MIDDLE_TEAM_OUT = {
    5: Departure(SKIPPED, becomes={"Ada": {"sd": 4}, "Bob": {"wounds": 1, "out": True}}, moving="cc"),
    6: Departure(SKIPPED, refused="not_on_moving_team"),
    7: Departure(SKIPPED, becomes={"Cid": {"ad": 8}}, moving="aa"),
    8: Departure(SKIPPED, becomes={"Ada": {"ad": 8}}, moving="cc"),
}
FIRST_TEAM_OUT = {
    7: Departure(SKIPPED, becomes={"Cid": {"sd": 1}, "Ada": {"wounds": 1, "out": True}}, moving="bb"),
    8: Departure(SKIPPED, becomes={"Bob": {"ad": 10}}, moving="cc"),
}
NINE_PARTS = {2: Departure(PARTS, refused="npc_spec_parts")}

BOB_MOVES_HIMSELF = Departure(FAIR, refused="not_yours", instead={"by": "Bob", "cmd": ["move", "catch"]})
WRITTEN: Mapping[tuple[str, str], Mapping[int, Departure]] = {
    **{("turn-team-out-stuck", profile): MIDDLE_TEAM_OUT for profile in BOTH},
    **{("turn-first-out-stuck", profile): FIRST_TEAM_OUT for profile in BOTH},
    **{("npc-spec", profile): NINE_PARTS for profile in BOTH},
    ("start-errors", "document"): {7: Departure(TEAMS, says="+ Combat has started!", moving="aa", then="stop")},
    ("verbs", "document"): {
        5: Departure(
            CASE,
            dice=[2, 2, 2, 2],
            says="The maneuver fails (0/4)",
            becomes={"Ada": {"used": ["en"]}},
            then="take back",
        ),
        6: Departure(CASE, refused="not_enough_sd"),
    },
    ("npc-move-permission", "document"): {
        6: BOB_MOVES_HIMSELF,
        8: Departure(NAMES, becomes={"imp": {"ad": 6}}, then="take back"),
    },
    ("npc-move-permission", "grounds"): {6: BOB_MOVES_HIMSELF},
    ("str-own-team", "document"): {
        5: Departure(FRIENDS, dice=[2, 2, 2], says="The strike fails (0/3 vs. 3)", then="take back"),
    },
    ("skill-md-team", "document"): {
        5: Departure(
            FRIENDS, dice=[5] * 6, says="The skill action succeeds (6/6 vs 4)", becomes={"Ada": {"sd": 0}}, then="stop"
        ),
    },
    ("skill-targets", "document"): {
        9: Departure(NAMES, dice=[2, 2, 2], says="The skill action fails (0/3 vs 3)", then="take back"),
        10: Departure(FRIENDS, dice=[2, 2, 2], says="The skill action fails (0/3 vs 3)", then="take back"),
    },
    ("skill-tc-self", "document"): {
        4: Departure(
            TACTICS,
            dice=[5, 5, 5, 2, 2, 2],
            says="The skill action succeeds (3/6 vs 2): SD-4=0 SD+2=2",
            becomes={"Ada": {"sd": 2}},
            then="take back",
        ),
        5: Departure(TACTICS, refused="target_not_wanted"),
    },
    ("skill-sy-cap", "document"): {
        6: Departure(STRATEGY, becomes={"Ada": {"ad": 12}}, moving="villains"),
        7: Departure(STRATEGY, becomes={"Bob": {"ad": 10}}, moving="heroes"),
        8: Departure(STRATEGY, becomes={"Ada": {"ad": 14, "sd": 4}}, moving="villains"),
    },
    ("skill-tt-negative", "document"): {
        4: Departure(FLOOR, becomes={"Ada": {"sd": 4}}, moving="villains"),
        5: Departure(FLOOR, dice=[2, 2], says="The skill action fails (0/2 vs 2)", then="take back"),
        6: Departure(FLOOR, becomes={"Bob": {"ad": 2, "sd": 4, "used": ["in"]}}, moving="heroes"),
    },
    ("end-negative", "document"): {
        4: Departure(FLOOR, becomes={"Ada": {"sd": 10}}, moving="villains"),
        5: Departure(FLOOR, becomes={"Bob": {"ad": 0}}),
        6: Departure(FLOOR, refused="not_enough_sd"),
        7: Departure(FLOOR, becomes={"Bob": {"ad": 3}}, moving="heroes"),
        8: Departure(FLOOR, becomes={"Bob": {"ad": 0}}),
        9: Departure(FLOOR, becomes={"Ada": {"sd": 8}}, moving="villains"),
        10: Departure(FLOOR, says="+ Combat has ended.", attrs={"Ada": {"grapple_ad": 9, "grapple_sd": 0}}),
        12: Departure(FLOOR, says="+ Bob is added to team x", lines=["x: Bob"]),
    },
}
"""Departures by case and profile, and in these by the number of the step."""

Rule = Callable[[Mapping[str, Any], Mapping[str, Any], Any], Departure | None]


def ties_fail(step: Mapping[str, Any], expect: Mapping[str, Any], stage: Any) -> Departure | None:
    """The option `ties`: in the document's profile successes must exceed the defense or the difficulty."""
    outcome = expect.get("outcome", {})
    against = outcome.get("difficulty", outcome.get("defense"))
    if stage.profile != "document" or not outcome.get("success") or outcome.get("successes") != against:
        return None
    vs = "vs." if outcome["move"] == "strike" else "vs"
    return Departure(
        str(ties_fail.__doc__),
        says=f"fails ({against}/{outcome['dice']} {vs} {against}). No SD were spent.",
        moving=expect["state"]["moving_team"],
        then="stop",
    )


def three_at_most(step: Mapping[str, Any], expect: Mapping[str, Any], stage: Any) -> Departure | None:
    """The option `maneuver_max`: in the document's profile a maneuver spends 3 AD at most."""
    if stage.profile != "document" or expect.get("outcome", {}).get("ad_spent", 0) <= 3:
        return None
    return Departure(str(three_at_most.__doc__), dice=[], refused="ad_spent_out_of_range", then="stop")


def one_team(step: Mapping[str, Any], expect: Mapping[str, Any], stage: Any) -> Departure | None:
    """Ruling Setup: one team per player, names unique within a combat."""
    verb, *words = step.get("cmd") or [""]
    if verb not in ("add", "add_npc") or not expect["ok"]:
        return None
    if not stage.is_in(step["by"] if words[0] == "me" else words[0]):
        return None
    return Departure(str(one_team.__doc__), refused="already_on_team", then="stop")


def owner_removes(step: Mapping[str, Any], expect: Mapping[str, Any], stage: Any) -> Departure | None:
    """Ruling Who may: players remove themselves, the owner and wizards remove others."""
    verb, *words = step.get("cmd") or [""]
    if verb not in ("remove", "remove_npc") or not expect["ok"] or words[0] in ("me", step["by"]):
        return None
    visitor = stage.people[step["by"]]
    if visitor.role == "wizard" or visitor.key == stage.combat.owner:
        return None
    return Departure(str(owner_removes.__doc__), refused="not_owner", then="stop")


def teams_once(step: Mapping[str, Any], expect: Mapping[str, Any], stage: Any) -> Departure | None:
    """Ruling Setup: naming a team twice at the start is refused."""
    verb, *words = step.get("cmd") or [""]
    if verb != "start" or not expect["ok"] or len(set(words)) == len(words):
        return None
    return Departure(str(teams_once.__doc__), refused="team_named_twice", then="stop")


def restores_any_skills(step: Mapping[str, Any], expect: Mapping[str, Any], stage: Any) -> Departure | None:
    """Ruling Save and restore: it needs no particular number of skills."""
    verb = (step.get("cmd") or [""])[0]
    if verb not in ("restore", "load") or expect["ok"] or expect["error"] in ("no_saved_state", "not_owner"):
        return None
    return Departure(str(restores_any_skills.__doc__), says="Combat restored", then="stop")


def out_is_skipped(step: Mapping[str, Any], expect: Mapping[str, Any], stage: Any) -> Departure | None:
    """Ruling Turns: a team with nobody standing is skipped."""
    state = expect["state"]
    teams = state.get("teams", [])
    place = next((n for n, team in enumerate(teams) if team["name"] == state.get("moving_team")), None)
    if state["phase"] != "running" or place is None or not teams[place]["out"]:
        return None
    standing = next(team for team in [*teams[place:], *teams] if not team["out"])
    members = {member["name"]: member for team in teams for member in team["members"]}
    return Departure(str(out_is_skipped.__doc__), becomes=members, moving=standing["name"], then="stop")


def no_empty_team(step: Mapping[str, Any], expect: Mapping[str, Any], stage: Any) -> Departure | None:
    """Ruling Setup: there are no teams without members, so none can keep the others from starting."""
    listed = {word.casefold() for word in (step.get("cmd") or [""])[1:]}
    present = {team.casefold() for team in stage.combat.roster.teams} if stage.combat else set()
    if expect.get("error") != "empty_team" or len(present) < 2 or not listed <= present:
        return None
    return Departure(str(no_empty_team.__doc__), says="+ Combat has started!", then="stop")


def no_negative_sd(step: Mapping[str, Any], expect: Mapping[str, Any], stage: Any) -> Departure | None:
    """Ruling Entry limits: SD >= 0."""
    verb, *words = step.get("cmd") or [""]
    if not expect["ok"] or (verb, len(words)) not in (("add", 2), ("add_npc", 3)):
        return None
    given = words[1].split(":")[-1] if verb == "add_npc" else str(stage.brought.get(words[0], {}).get("grapple_sd", 0))
    if not given.strip().startswith("-"):
        return None
    return Departure(str(no_negative_sd.__doc__), refused="sd_negative", left_out=words[0])


BY_DECISION: Mapping[str, Sequence[Rule]] = {
    "strict_skill": (ties_fail,),
    "strict_strike": (ties_fail,),
    "maneuver_max3": (three_at_most,),
    "one_team_per_player": (one_team,),
    "remove_needs_owner": (owner_removes,),
    "distinct_teams": (teams_once,),
    "restore_few_skills": (restores_any_skills,),
    "skip_out_teams": (out_is_skipped,),
    "no_ghost_team": (no_negative_sd, no_empty_team),
    "grounds": (no_empty_team,),
}
"""Departures that can be told from a step itself, by the decision that a case depends on."""


def departure(case: Mapping[str, Any], number: int, expect: Mapping[str, Any], stage: Any) -> Departure | None:
    """What the rulings say about a step of a case, where it is not what was recorded."""
    written = WRITTEN.get((case["id"], stage.profile), {}).get(number)
    if written is not None:
        return written
    rules = [rule for decision in case["depends_on"] for rule in BY_DECISION.get(decision, ())]
    return next((found for rule in rules if (found := rule(case["steps"][number], expect, stage))), None)


def profiles(case: Mapping[str, Any]) -> tuple[str, ...]:
    """The profiles in which the result of a case is known."""
    decisions = set(case["depends_on"])
    if "grounds" in decisions:
        return ("grounds",)
    open_decisions = {d for d in decisions if d in PROFILE_DECISIONS and d not in BY_DECISION}
    return ("grounds",) if open_decisions and (case["id"], "document") not in WRITTEN else BOTH
