"""The cases recorded from the server that ran Grapple first, played in our world in both profiles.

`AFFRAY_CONFORMANCE` may name further files (separated as in PATH). A case that no profile decision touches must hold
in both profiles. Where the rulings depart from the recording, the departure is written down in `departures.py` with its
reason, and the ruling is asserted; everything else of the case must agree with the recording.
"""

from __future__ import annotations

import json
import lzma
import os
import re
import sys
from collections.abc import Iterator, Mapping
from importlib.util import module_from_spec, spec_from_file_location
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("argon2", reason="the server extra is not installed")


def _load(name: str) -> Any:
    spec = spec_from_file_location(name, Path(__file__).with_name(f"{name}.py"))
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


recorded, departures = _load("recorded"), _load("departures")
Unknown = recorded.Unknown

BESIDE = Path(__file__).resolve().parents[3] / "shared" / "conformance" / "grapple.json"
FURTHER = [Path(name) for name in os.environ.get("AFFRAY_CONFORMANCE", "").split(os.pathsep) if name]
FILES = [*([BESIDE] if BESIDE.exists() else []), *FURTHER]
CASES = [case for path in FILES for case in recorded.read_cases(path)]

# What our sentences say for each code of the recording

SENTENCES = {
    "ad_above_ap_size": r"ad must be 0 to \d+, the AP size, not \d+",
    "ad_negative": r"ad must be 0 to \d+, not -\d+",
    "ad_spent_out_of_range": r"a maneuver takes 1 to [34] AD, not",
    "already_moved": r"moves once a round",
    "already_on_team": r"is already on team \S+",
    "already_started": r"has already started",
    "ap_size_out_of_range": r"(apMaxSize|max AP size) must be 6 to 20, not \d+",
    "attribute_missing": r"has no attribute grapple_",
    "attribute_wrong_type": r"grapple_\w+ must be a value of type",
    "bad_saved_state": r"saved state of this combat is damaged",
    "combat_already_here": r"there is already a combat at \S+",
    "combat_over": r"the fight is over",
    "defense_out_of_range": r"defense must be 1 to 6, not \d+",
    "empty_team": r"needs at least two teams|there is no team",  # ruling Setup: no team is without members
    "guest_or_no_role": r"guests can only watch",
    "knocked_out": r"knocked out cannot move",
    "limit_would_be_broken": r"would do nothing for",
    "max_wounds_out_of_range": r"(maxWounds|max wounds) must be 1 to 5, not \d+",
    "no_combat_here": r"there is no combat at",
    "no_place": r"you are nowhere",
    "no_saved_state": r"there is no saved state",
    "no_such_player_here": r"there is no player called|is not here",
    "no_such_target": r"there is no target|friends are no targets",
    "not_a_combatant": r"there is no combatant",
    "not_an_integer": r"not a whole number|must be a whole number",
    "not_enough_ad": r"AD cannot be spent",
    "not_enough_sd": r"SD cannot be spent",
    "not_on_moving_team": r"another team's turn",
    "not_owner": r"only the owner of",
    "not_yours": r"only \S+ may move \S+, because \S+ fights too",
    "not_started": r"has not started yet",
    "not_three_skills": r"has the skill \S+ twice|needs three",
    "npc_spec_missing_or_extra": r"the usage is  combat add_npc NAME STATS TEAM",
    "npc_spec_no_skill": r"has no skill",
    "npc_spec_parts": r"has \d+ parts; it must be",
    "sd_negative": r"sd must be 0 to \d+, not -\d+",
    "sd_spent_out_of_range": r"a (strike|skill action) takes [01] to 6 SD, not",
    "skill_not_held": r"is not among this fighter's skills",
    "syntax_maneuver": r"written  maneuver ",
    "syntax_skill": r"written  skill ",
    "syntax_strike": r"written  strike ",
    "takes_no_part": r"does not take part",
    "target_is_self": r"cannot be their own target",
    "target_missing": r"needs a target",
    "target_not_wanted": r"takes no target",
    "team_named_twice": r"is named twice",
    "too_few_arguments": r"the usage is  combat|combat needs a command",
    "too_few_teams": r"needs at least two teams",
    "unknown_skill": r"there is no skill",
    "unknown_team": r"there is no team",
    "unknown_word": r"there is no (move|combat command)",
}

NEWS = {
    "added": r"^(\+ \S+ is added to team|Added \S+ to team) ",
    "removed": r"^(\+ \S+ is removed from team|Removed \S+ from team) ",
    "started": r"^\+ Combat has started!\n={37}\n",  # ruling "Who is told": with the status, to everybody
    "move+status": r"^\+ \S+ moves: [^\n]+(\n  [^\n]+)*\n\n={37}\n",
    "restored": r"^\+ Combat has been restored to a prior state(\n  [^\n]+)*$",
    "ended": r"^\+ Combat has ended\.$",
    "refused_not_owner": SENTENCES["not_owner"],
}
ANSWERS = {"text": r".", "status table": r"(?m)^={37}$"}


# Comparing


def expected(case: Mapping[str, Any], step: Mapping[str, Any], left_out: set[str], gone: set[str]) -> dict[str, Any]:
    """What must come of a step: without the bugs of the recording that are fixed in both profiles."""
    rolled_back = "rollback" in case["depends_on"] and "expect_rollback" in step
    expect = dict(step["expect_rollback"] if rolled_back else step["expect"])
    if {"no_ghost_team", "grounds"} & set(case["depends_on"]) and expect["state"]["phase"] == "setup":
        teams = {t["name"]: [m for m in t["members"] if m not in left_out] for t in expect["state"]["teams"]}
        teams = {team: members for team, members in teams.items() if members}
        expect["state"] = {"phase": "setup", "teams": [{"name": t, "members": m} for t, m in teams.items()]}
        if "setup_lines" in expect:
            lines = [line for line in expect["setup_lines"] if not line.endswith(": no members yet")]
            expect["setup_lines"] = [without(left_out, line) for line in lines]
    if "told" in expect:
        expect["told"] = {name: kinds for name, kinds in expect["told"].items() if name not in left_out | gone}
    return expect


def without(left_out: set[str], line: str) -> str:
    """A line of the setting up without some of its members."""
    team, _, names = line.partition(": ")
    return f"{team}: {', '.join(name for name in names.split(', ') if name not in left_out)}"


def check_refused(code: str, step: Mapping[str, Any], seen: Any, stage: Any) -> None:
    """The typist gets one sentence of that meaning; no other player hears anything, and nothing falls."""
    if code not in SENTENCES:
        raise Unknown(f"the error {code!r} is unknown here; what we say is {dict(seen.told)}")
    if code == "not_on_moving_team" and not stage.is_in(step["by"]) and step["cmd"][:1] in (["move"], ["m"]):
        code = "takes_no_part"  # ruling Order of checks: that comes before the question of the team
    by = step["by"]
    assert list(seen.told) == [by]
    (sentence,) = seen.told[by]
    assert re.search(SENTENCES[code], sentence, re.IGNORECASE), f"{code}: {sentence}"
    assert not sentence.startswith("+ ")
    assert seen.fell == []
    assert seen.attrs_changed == {}


def check_done(step: Mapping[str, Any], seen: Any) -> None:
    """The typist gets no refusal of any kind."""
    for text in seen.told.get(step.get("by", ""), []):
        refusals = [code for code, pattern in SENTENCES.items() if re.search(pattern, text, re.IGNORECASE)]
        assert not refusals, text


def check_told(expect: Mapping[str, Any], step: Mapping[str, Any], seen: Any, concerned: set[str]) -> None:
    """Everybody recorded and the owner are told; `+ ` lines reach no others but the typist."""
    for name, kinds in expect.get("told", {}).items():
        for kind in kinds:
            if kind not in NEWS:
                raise Unknown(f"news of the kind {kind!r} are unknown here; {name} was told {seen.told.get(name)}")
            assert any(re.search(NEWS[kind], text, re.IGNORECASE) for text in seen.told.get(name, [])), (
                name,
                kind,
                seen.told,
            )
    news = {name for name, texts in seen.told.items() if any(text.startswith("+ ") for text in texts)}
    assert news <= concerned | {step.get("by", "")}
    if expect.get("told") and expect["ok"]:
        assert concerned - {step["by"]} <= news, "ruling Who is told: every participant and the owner"


def check_answer(expect: Mapping[str, Any], step: Mapping[str, Any], seen: Any) -> None:
    """The typist gets an answer of the recorded kind."""
    kind = expect.get("answer")
    if kind is None:
        return
    if kind not in ANSWERS:
        raise Unknown(f"an answer of the kind {kind!r} is unknown here; ours is {seen.told.get(step['by'])}")
    assert re.search(ANSWERS[kind], "\n".join(seen.told[step["by"]]))


def check_outcome(expect: Mapping[str, Any], seen: Any, stage: Any) -> None:
    """The lines of a move say what was recorded."""
    if "outcome" not in expect:
        return
    (text,) = {t.partition("\n\n")[0] for texts in seen.told.values() for t in texts if " moves: " in t}
    outcome = recorded.outcome_of(text, stage.state())
    assert {key: outcome.get(key) for key in expect["outcome"]} == expect["outcome"]


def check_sights(expect: Mapping[str, Any], stage: Any) -> None:
    """The state with every member's numbers, and how it is shown."""
    assert normal(stage.state()) == normal(expect["state"])
    if "table" in expect:
        assert stage.table() == expect["table"]
    if "setup_lines" in expect:
        assert stage.setup_lines() == expect["setup_lines"]


def normal(state: Mapping[str, Any]) -> dict[str, Any]:
    """A state in which the order of marks does not matter.

    The recording counts the knocked-out among those who have yet to move, though they cannot and have no arrow.
    """
    teams = [
        {**team, "members": [{**m, "used": sorted(m["used"])} if isinstance(m, dict) else m for m in team["members"]]}
        for team in state.get("teams", [])
    ]
    out = {name for name, member in members(state).items() if member["out"]} if "yet_to_move" in state else set()
    return {**state, "teams": teams, "yet_to_move": sorted(set(state.get("yet_to_move", [])) - out)}


def concerned_by(stage: Any) -> set[str]:
    """Who takes part, and the owner."""
    if stage.combat is None:
        return set()
    keys = {*stage.combat.players, stage.combat.owner}
    return {name for name, visitor in stage.people.items() if visitor.key in keys}


KNOWN = {"ok", "dice_rolled", "state", "told", "answer", "table", "setup_lines", "outcome", "error", "attrs_changed"}


async def agree(expect: Mapping[str, Any], step: Mapping[str, Any], stage: Any) -> None:
    """Do a step; everything that was recorded of it must come about."""
    strange = expect.keys() - KNOWN - {"polite"}  # a sentence instead of an exception: ours are all sentences
    if strange:
        raise Unknown(f"{', '.join(strange)} is recorded, which is unknown here")
    before = concerned_by(stage)
    order = [team["name"] for team in expect["state"].get("teams", [])]
    seen = await stage.take(step, step.get("dice", expect["dice_rolled"]), order)
    assert seen.fell == expect["dice_rolled"], seen.told
    assert expect["ok"] == ("error" not in expect)
    if expect["ok"]:
        check_done(step, seen)
        check_answer(expect, step, seen)
        check_outcome(expect, seen, stage)
        assert seen.attrs_changed == expect.get("attrs_changed", {})
    else:
        check_refused(expect["error"], step, seen, stage)
    check_told(expect, step, seen, before | concerned_by(stage))
    check_sights(expect, stage)


async def depart(ruled: Any, expect: Mapping[str, Any], step: Mapping[str, Any], stage: Any) -> None:
    """Do a step; what the ruling says must come about."""
    before = stage.state()
    fallen = [] if ruled.refused else expect.get("dice_rolled", [])
    order = [] if ruled.refused else [team["name"] for team in expect["state"].get("teams", [])]
    seen = await stage.take(step, step.get("dice", fallen) if ruled.dice is None else ruled.dice, order)
    if ruled.refused:
        check_refused(ruled.refused, step, seen, stage)
        assert stage.state() == before
        if ruled.instead:
            await agree(expect, {**step, **ruled.instead}, stage)
        return
    check_done(step, seen)
    if "by" in step:
        assert ruled.says in "\n".join(seen.told[step["by"]]), seen.told
    assert seen.attrs_changed == ruled.attrs
    after = stage.state()
    if before["phase"] == "running" and after["phase"] != "none":
        assert members(after) == {name: m | ruled.becomes.get(name, {}) for name, m in members(before).items()}
    if ruled.moving:
        assert after["moving_team"] == ruled.moving
    if ruled.lines:
        assert stage.setup_lines() == ruled.lines
    if ruled.then == "take back":
        await stage.take_back()
        assert stage.state() == before


def members(state: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Every member of a running combat by name."""
    return {member["name"]: member for team in state["teams"] for member in team["members"]}


# The tests


def each() -> Iterator[Any]:
    """Every case in every profile in which its result is known."""
    if not CASES:
        yield pytest.param({}, "", id="none", marks=pytest.mark.skip("the recorded cases are not beside this checkout"))
    for case in CASES:
        for profile in departures.profiles(case):
            yield pytest.param(case, profile, id=f"{case['id']}-{profile}")


async def play(case: Mapping[str, Any], profile: str) -> None:
    """Play a case to its end, or to where the rulings leave it."""
    strange = set(case["depends_on"]) - departures.PROFILE_DECISIONS - departures.RULED
    if strange:
        raise Unknown(f"the decision {', '.join(strange)} is unknown here")
    async with recorded.staged(case, profile) as stage:
        left_out: set[str] = set()
        for number, step in enumerate(case["steps"]):
            expect = expected(case, step, left_out, stage.gone)
            ruled = departures.departure(case, number, expect, stage)
            where = f"{case['id']} ({profile}, depends on {case['depends_on']}), step {number}: {step.get('cmd', step)}"
            try:
                await (agree(expect, step, stage) if ruled is None else depart(ruled, expect, step, stage))
            except AssertionError as problem:
                problem.add_note(where if ruled is None else f"{where}\nthe ruling: {ruled.ruling}")
                raise
            if ruled is not None:
                left_out |= {ruled.left_out} - {""}
                if ruled.then == "stop":
                    return


@pytest.mark.parametrize(("case", "profile"), list(each()))
async def test_a_recorded_case_holds(case: dict[str, Any], profile: str) -> None:
    await play(case, profile)


# The runner itself

ATTRS = {"skill4": "Accuracy", "skill3": "co", "skill2": "EN", "apMaxSize": 10, "ad": 5, "sd": 0}
ATTRS = {f"grapple_{name}": value for name, value in (ATTRS | {"defense": 3, "maxWounds": 3}).items()}
NOTHING = {"ok": True, "dice_rolled": [], "state": {"phase": "none"}}


def case_of(*steps: Mapping[str, Any], **changes: Any) -> dict[str, Any]:
    """A case of our own."""
    players = [{"name": name, "role": "DENIZEN", "attrs": ATTRS} for name in ("Ada", "Bob", "Cid")]
    setup = {"places": ["Tavern"], "players": players}
    return {"id": "ours", "setup": setup, "steps": list(steps), "depends_on": [], **changes}


@pytest.mark.parametrize(
    ("case", "unknown"),
    [
        (case_of({"op": "teleport", "player": "Ada", "expect": NOTHING}), "teleport"),
        (case_of({"op": "set_attr", "player": "Ada", "type": "INTEGER", "expect": NOTHING}), "type"),
        (case_of({"by": "Ada", "cmd": ["status"], "after": 3, "expect": NOTHING}), "after"),
        (case_of({"by": "Ada", "cmd": ["status"], "expect": {**NOTHING, "ok": False, "error": "odd"}}), "odd"),
        (case_of({"by": "Ada", "cmd": ["init", "f"], "expect": {**NOTHING, "answer": "picture"}}), "picture"),
        (case_of({"by": "Ada", "cmd": ["init", "f"], "expect": {**NOTHING, "told": {"Ada": ["sung"]}}}), "sung"),
        (case_of({"by": "Ada", "cmd": ["status"], "expect": {**NOTHING, "weather": "fine"}}), "weather"),
        (case_of(depends_on=["moon_phase"]), "moon_phase"),
        (case_of(weather="fine"), "weather"),
        (case_of(setup={"places": ["Tavern"], "players": [{"name": "Ada", "role": "KING", "attrs": {}}]}), "KING"),
    ],
)
async def test_whatever_is_unknown_in_a_recording_fails_and_is_named(case: dict[str, Any], unknown: str) -> None:
    with pytest.raises(Unknown, match=unknown):
        await play(case, "grounds")


def test_cases_can_be_compressed(tmp_path: Path) -> None:
    (tmp_path / "more.json.xz").write_bytes(lzma.compress(json.dumps([case_of()]).encode()))
    assert recorded.read_cases(tmp_path / "more.json.xz") == [case_of()]


@pytest.mark.parametrize("order", list(permutations(["aa", "bb", "cc"])))
@pytest.mark.parametrize("listed", [0, 1, 2, 3])
async def test_teams_that_nobody_lists_move_in_an_order_that_is_drawn(order: tuple[str, ...], listed: int) -> None:
    async with recorded.staged(case_of(), "document") as stage:
        for cmd in (["init", "f"], ["add", "Ada", "aa"], ["add", "Bob", "bb"], ["add", "Cid", "cc"]):
            await stage.take({"by": "Ada", "cmd": cmd}, [])
        await stage.take({"by": "Ada", "cmd": ["start", *order[:listed]]}, [], order)
        state = stage.state()
        assert [team["name"] for team in state["teams"]] == list(order)
        assert state["moving_team"] == order[0]
        assert len(stage.combat.fight.dice.fallen) == max(0, 2 - listed)


# What the recordings ask for, where they are not at hand


@pytest.mark.parametrize("stats", ["::en:6:1:2:3:2", " : : Endurance : 6 : 1 : 2 : 3 : 2 ", '" ::en : 6:1:2:3:2"'])
async def test_stats_of_an_npc_may_have_spaces_around_the_colons_and_quotes(stats: str) -> None:
    async with recorded.staged(case_of(), "document") as stage:
        await stage.take({"by": "Ada", "cmd": ["init", "f"]}, [])
        await stage.people["Ada"].hear(f"combat add_npc imp {stats} mob")
        assert stage.setup_lines() == ["mob: imp"]
        assert stage.combat.roster.find("imp").sheet["ap"] == 6
        seen = await stage.take({"by": "Ada", "cmd": ["add_npc", "ogre", "::en:6:1:2:3:2", "x", "mob"]}, [])
        check_refused("npc_spec_missing_or_extra", {"by": "Ada"}, seen, stage)


async def test_before_the_start_teams_and_their_members_are_listed_by_name() -> None:
    async with recorded.staged(case_of(), "document") as stage:
        for cmd in (["init", "f"], ["add", "Cid", "red"], ["add", "Ada", "red"], ["add", "Bob", "blue"]):
            await stage.take({"by": "Ada", "cmd": cmd}, [])
        assert stage.setup_lines() == ["blue: Bob", "red: Ada, Cid"]


# Cases in the form of the recording that depend on the server alone


def setup_of(**teams: list[str]) -> dict[str, Any]:
    """What is recorded of a step after which these teams are there, before the start."""
    listed = [{"name": team, "members": members} for team, members in sorted(teams.items())]
    return {"ok": True, "dice_rolled": [], "state": {"phase": "setup", "teams": listed}}


def running(moving: str, yet_to_move: list[str], rounds: int = 1, **changes: Mapping[str, Any]) -> dict[str, Any]:
    """The state of Ada against Bob, with what is different from the beginning."""
    usual = {"npc": False, "skills": {"ac": 4, "co": 3, "en": 2}, "used": [], "ad": 5, "sd": 0, "ap_max": 10}
    usual |= {"base_ap_max": 10, "defense": 3, "base_defense": 3, "wounds": 0, "max_wounds": 3, "out": False}
    usual |= {"maneuver_bonus": 0, "strike_bonus": 0}
    teams = [
        {"name": team, "out": False, "members": [{"name": name, **usual, **changes.get(name, {})}]}
        for team, name in (("aa", "Ada"), ("bb", "Bob"))
    ]
    return {
        "phase": "running",
        "round": rounds,
        "moving_team": moving,
        "yet_to_move": yet_to_move,
        "winner": None,
        "teams": teams,
    }


def step_of(by: str, cmd: str, **expect: Any) -> dict[str, Any]:
    return {"by": by, "cmd": cmd.split(), "expect": {"dice_rolled": [], **expect, "ok": "error" not in expect}}


BEGINNING = (
    step_of("Ada", "init f", **setup_of()),
    step_of("Ada", "add me aa", **setup_of(aa=["Ada"])),
    step_of("Ada", "add bOB bb", **setup_of(aa=["Ada"], bb=["Bob"])),  # a player who is there, in any case
)
STARTED = (*BEGINNING, step_of("Ada", "start aa bb", state=running("aa", ["Ada"])))
WITH_GHOST = setup_of(aa=["Ada"], bb=["Bob"], cc=[])
BREATH = {"Ada": {"ad": 8}}

GROUNDS_CASES = {
    "words after catch": [
        *STARTED,
        step_of("Ada", "move catch a cold", state=running("bb", ["Bob"], **BREATH)),
        step_of("Bob", "move c all the fish", state=running("aa", ["Ada"], 2, **BREATH, Bob={"ad": 8})),
    ],
    "names of targets and NPCs": [
        *STARTED,
        step_of("Ada", "move strike 1 bOB", error="no_such_target", state=running("aa", ["Ada"])),
        step_of("Ada", "move strike 1", error="syntax_strike", state=running("aa", ["Ada"])),
        step_of("Ada", "move_npc bOB catch", error="not_a_combatant", state=running("aa", ["Ada"])),
    ],
    "who is elsewhere": [
        *BEGINNING,
        step_of("Ada", "add Dan aa", **setup_of(aa=["Ada"], bb=["Bob"]) | {"error": "no_such_player_here"}),
        step_of("Ada", "add Nobody aa", **setup_of(aa=["Ada"], bb=["Bob"]) | {"error": "no_such_player_here"}),
        step_of("Wiz", "add Dan aa", **setup_of(aa=["Ada", "Dan"], bb=["Bob"])),
        step_of("Wiz", "remove dan aa", **setup_of(aa=["Ada"], bb=["Bob"])),
    ],
    "who is not on that team": [
        *BEGINNING,
        step_of("Ada", "remove Cid aa", **setup_of(aa=["Ada"], bb=["Bob"]), told={"Bob": ["removed"]}),
        step_of("Ada", "remove Bob aa", **setup_of(aa=["Ada"], bb=["Bob"])),
        step_of("Ada", "remove me zz", **setup_of(aa=["Ada"], bb=["Bob"])),
        step_of("Ada", "remove_npc ghost bb", **setup_of(aa=["Ada"], bb=["Bob"]), answer="text"),
        step_of("Ada", "remove Dan bb", **setup_of(aa=["Ada"], bb=["Bob"]) | {"error": "no_such_player_here"}),
        step_of("Ada", "remove bOB bb", **setup_of(aa=["Ada"])),
        step_of("Ada", "start aa bb", **setup_of(aa=["Ada"]) | {"error": "empty_team"}),
    ],
    "a team without members": [
        *BEGINNING,
        step_of("Ada", "add_npc imp ::zz:6:1:2:3:2 cc", **WITH_GHOST | {"error": "unknown_skill"}),
        step_of("Ada", "start", **WITH_GHOST | {"error": "empty_team"}),  # ours starts
    ],
    "dice only as they were rolled": [
        *STARTED,
        step_of(
            "Ada",
            "move maneuver 1 ac",
            dice_rolled=[3, 6, 1, 2, 5],
            state=running("bb", ["Bob"], Ada={"ad": 4, "sd": 3, "used": ["ac"]}),
        ),
    ],
    "a player who vanishes, and a combat that is forgotten": [
        *STARTED,
        step_of("Ada", "save", state=running("aa", ["Ada"])),
        {"op": "vanish", "player": "Bob", "expect": {"ok": True, "dice_rolled": [], "state": running("aa", ["Ada"])}},
        step_of("Ada", "move c", state=running("bb", ["Bob"], **BREATH), told={"Bob": ["move+status"]}),
        {"op": "forget", "expect": setup_of()},
        step_of("Ada", "move c", **setup_of() | {"error": "not_started"}),
        step_of("Ada", "restore", state=running("aa", ["Ada"], Bob={"npc": True})),
    ],
    "an attribute that is forgotten": [
        *BEGINNING[:2],
        {"op": "forget", "player": "Bob", "name": "grapple_ad", "expect": setup_of(aa=["Ada"])},
        step_of("Ada", "add Bob bb", **setup_of(aa=["Ada"]) | {"error": "attribute_missing"}),
    ],
}


@pytest.mark.parametrize("title", GROUNDS_CASES)
async def test_what_only_the_server_does_holds_in_its_profile(title: str) -> None:
    players = [{"name": name, "role": "DENIZEN", "attrs": ATTRS} for name in ("Ada", "Bob", "Cid")]
    players += [{"name": "Dan", "role": "DENIZEN", "attrs": ATTRS, "place": "Cellar"}]
    players += [{"name": "Wiz", "role": "THAUMATURGE", "attrs": ATTRS}]
    setup = {"places": ["Tavern", "Cellar"], "players": players}
    case = case_of(*GROUNDS_CASES[title], setup=setup, depends_on=["grounds"])
    assert departures.profiles(case) == ("grounds",)
    await play(case, "grounds")


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("move catch a cold", "this move is written  catch breath"),
        ("move catch breath now", "this move is written  catch breath"),
    ],
)
async def test_the_document_s_profile_takes_the_words_of_the_document(line: str, says: str) -> None:
    async with recorded.staged(case_of(), "document") as stage:
        for cmd in ("init f", "add me aa", "add Bob bb", "start aa"):
            await stage.take({"by": "Ada", "cmd": cmd.split()}, [])
        seen = await stage.take({"by": "Ada", "cmd": line.split()}, [])
        assert says in seen.told["Ada"][0].casefold()
