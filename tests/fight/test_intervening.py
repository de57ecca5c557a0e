"""A storyteller's interventions: decisions of the log like any other, in every system, whatever is touched and when."""

from __future__ import annotations

import json
import random
from importlib import import_module
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from affray import Fight
from affray.errors import Illegal, Invalid, Refused
from affray.fight import saving
from affray.fight.intervening import VERBS, open_to, touches
from affray.fight.replaying import replay
from affray.kernel import records
from affray.lab.odds import odds_of_moves
from affray.lab.programs import program
from affray.system.registry import find

SYSTEMS = ("bgo", "deckahedron", "grapple", "mythos", "strategic")
STEPS = 14


def opened(system: str, seed: int, **options: object) -> Fight:
    teams = {team: [*members, *members] for team, members in find(system).demonstration.items()}
    return Fight(system, teams, seed=seed, options={"undo": "free", **options})


def any_word(fight: Fight, chance: random.Random) -> str:
    """An intervention as a storyteller may type it, often but not always a possible one."""
    told, name = fight.system.storytelling, chance.choice(fight.names)
    team = chance.choice(list(fight.teams))
    match chance.choice(["set"] * 6 + ["deal"] * 3 + ["give", "take", *("skip", "turn", "join", "leave"), *VERBS]):
        case "set" | "give" | "take" as verb:
            touch = chance.choice(list(touches(fight.setup, fight.state, fight.index(name)).values()))
            value = chance.randint(touch.low - 1, touch.high + 1) if verb == "set" else chance.randint(1, 3)
            return f"{verb} {name} {touch.name} {value}"
        case "deal":
            return f"deal {name} {chance.choice([*told.deals, 'luck'])} {chance.randint(1, 3)}"
        case "join":
            return f"join {team} {chance.choice([id for known in fight.system.catalogue().values() for id in known])}"
        case "leave":
            return f"leave {name} {chance.choice(list(told.ways_out))}"
        case "side":
            return f"side {name} {team}"
        case "end":
            return f"end {chance.choice(fight.endings) if chance.random() < 0.2 else 'well'}"
        case verb:
            return f"{verb} {name}"


def everything(fight: Fight) -> dict[str, Any]:
    return {
        "state": records.pack(fight.state),
        "names": fight.names,
        "teams": {team: list(members) for team, members in fight.teams.items()},
        "lines": list(fight.lines),
        "answers": list(fight.answers),
        "decision": fight.decision,
        "dice": (fight.dice.position, list(fight.dice.fallen)),
        "figures": fight.figures,
        "to_act": fight.to_act,
        "ending": fight.ending,
    }


@pytest.mark.parametrize("system", SYSTEMS)
@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 2**32 - 1))
def test_random_play_with_random_interventions_goes_on_is_undone_and_is_verified(system: str, seed: int) -> None:
    chance, fight = random.Random(seed), opened(system, seed)
    passed = []
    for _ in range(STEPS):
        if fight.over:
            break
        before = everything(fight)
        if chance.random() < 0.5:
            try:
                fight.intervene(any_word(fight, chance))
            except Refused:
                assert everything(fight) == before, "a refused intervention changes nothing"
                continue
            assert fight.answers[-1].is_word
            if not any(answer["decision"] == before["decision"] for answer in _as_dicts(before["answers"])):
                passed.append((len(before["answers"]), before))
        else:
            who = chance.choice(fight.to_act)
            fight.play(who, chance.choice(fight.legal(who)))
        assert fight.over or (fight.to_act and all(fight.legal(who) for who in fight.to_act)), "someone is asked"
        assert records.unpack(type(fight.state), len(fight.names), records.pack(fight.state)) == fight.state
    table = json.loads(json.dumps(saving.as_table(fight)))
    again = saving.restore(table, "the log")
    assert everything(again) == everything(fight)
    assert saving.restore(json.loads(json.dumps(saving.public_table(fight))), "the public log").ending == fight.ending
    assert json.dumps(replay(fight))
    assert fight.svg().startswith("<svg")
    for answers, before in reversed(passed):
        fight.rewind(answers)
        assert everything(fight) == before, "undo restores every byte"


def _as_dicts(answers: list[Any]) -> list[dict[str, Any]]:
    return [{"decision": answer.decision} for answer in answers]


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_quantity_can_be_set_to_both_ends_of_its_range(system: str) -> None:
    for end in ("low", "high"):
        for name, touch in touches(opened(system, 1).setup, opened(system, 1).state, 0).items():
            fight = opened(system, 1)
            who, value = fight.names[0], getattr(touch, end)
            if touch.read(fight.state.fighters[0]) == value:
                continue
            fight.intervene(f"set {who} {name} {value}")
            fell = not fight.system.storytelling.stands(fight.state, 0)
            assert fell or touch.read(fight.state.fighters[0]) == value
            with pytest.raises(Illegal, match=r"must be|no such|there is no|already"):
                fight.intervene(f"set {who} {name} {touch.high + 1}")


@pytest.mark.parametrize(
    ("system", "word", "told"),
    [
        ("bgo", "set player health 0", "The player dies"),
        ("grapple", "deal Ahalish wound 3", None),
        ("deckahedron", "deal Maren stamina 10", "Maren"),
        ("mythos", "set detective hp 0", "Detective is dead"),
        ("strategic", "set knight coins 0", "The knight is dead"),
    ],
)
def test_a_fighter_brought_to_nothing_falls_by_the_rules_of_the_system(
    system: str, word: str, told: str | None
) -> None:
    fight = Fight(system, dict(find(system).demonstration), seed=3)
    name = next(name for name in fight.names if name.casefold() in word.casefold())
    fight.intervene(word.replace(name.capitalize(), name))
    assert fight.ending not in (None, fight.team_of[name])
    assert told is None or told in fight.story


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(
    ("system", "teams"),
    [
        ("deckahedron", "heroes=maren,guard monsters=guard,guard,guard"),
        ("mythos", "heroes=boxer,fencer monsters=fencer,boxer,cultist"),
    ],
)
def test_gathered_fighters_act_one_after_another_and_no_one_gains_or_loses_a_turn(
    system: str, teams: str, seed: int
) -> None:
    fight = Fight(system, teams, seed=seed)
    group, before, asked = list(fight.names[2:]), list(fight.state.order), fight.to_act
    fight.intervene("gather " + " ".join(group)) if not _is_block(fight, group) else None
    assert _is_block(fight, group)
    assert fight.to_act == asked, "whose turn it is stays so"
    assert sorted(fight.state.order) == sorted(before)
    first = min(before.index(fight.index(name)) for name in group)
    assert fight.state.order[first] == before[first], "they act where the first of them acted"
    acted = []
    while fight.round == 1 and not fight.over:
        (who,) = fight.to_act
        if fight.index(who) == fight.state.order[fight.state.turn]:
            acted += [who] if who not in acted else []
        fight.play(who, fight.legal(who)[-1])
    standing = [name for name in acted if name in group]
    places = [acted.index(name) for name in standing]
    assert places == list(range(places[0], places[0] + len(places))) if places else True
    assert saving.restore(json.loads(json.dumps(saving.as_table(fight))), "the log").story == fight.story


def _is_block(fight: Fight, names: list[str]) -> bool:
    places = [list(fight.state.order).index(fight.index(name)) for name in names]
    return max(places) - min(places) == len(places) - 1


def test_those_who_have_acted_are_not_gathered_and_bad_words_are_refused() -> None:
    fight = Fight("mythos", "heroes=fencer monsters=boxer,boxer,fencer", seed=1)
    assert [fight.names[who] for who in fight.state.order] == ["fencer", "fencer-2", "boxer", "boxer-2"]
    with pytest.raises(Illegal, match="name two fighters or more"):
        fight.intervene("gather boxer boxer")
    with pytest.raises(Illegal, match="there is no fighter 'nobody'"):
        fight.intervene("gather boxer nobody")
    with pytest.raises(Illegal, match="already"):
        fight.intervene("gather boxer boxer-2")
    while fight.state.turn == 0:
        fight.play(fight.to_act[0], fight.legal(fight.to_act[0])[-1])
    with pytest.raises(Illegal, match="have acted already"):
        fight.intervene("gather fencer boxer")


def test_an_intervention_is_a_decision_of_its_own_and_late_answers_are_refused() -> None:
    fight = Fight("bgo", "heroes=player monsters=fire-slime", seed=7)
    fight.intervene("set fire-slime health 2", decision=1)
    assert fight.decision == 2
    with pytest.raises(Illegal, match="decision 1 is not open; decision 2 is"):
        fight.play("player", "attack", 1)
    with pytest.raises(Illegal, match="decision 1 is not open"):
        fight.intervene("set fire-slime health 1", decision=1)


def test_secret_choices_are_made_anew_after_an_intervention_and_kept_after_a_refused_one() -> None:
    fight = Fight("bgo", "heroes=player monsters=fire-slime", seed=7)
    fight.play("player", "attack")
    with pytest.raises(Illegal, match="health of player must be 0 to"):
        fight.intervene("set player health 9999")
    assert fight.to_act == ["fire-slime"]
    fight.intervene("set player health 5")
    assert fight.to_act == ["player", "fire-slime"]
    assert [answer.move for answer in fight.answers] == ["set player health 5"]


@pytest.mark.parametrize("system", SYSTEMS)
def test_reinforcements_get_a_name_a_seat_and_a_turn(system: str) -> None:
    fight = opened(system, 5)
    team, sheet = next(iter(fight.teams)), next(iter(find(system).demonstration.values()))[0]
    fight.intervene(f"join {team} {sheet}")
    newcomer = fight.names[-1]
    assert fight.names[:-1] == opened(system, 5).names
    assert fight.team_of[newcomer] == team
    assert newcomer in fight.teams[team]
    chance = random.Random(1)
    for _ in range(400):
        if fight.over or newcomer in fight.to_act:
            break
        who = chance.choice(fight.to_act)
        fight.play(who, chance.choice(fight.legal(who)))
    assert fight.over or fight.legal(newcomer)


def test_the_log_says_who_joined_with_the_whole_sheet() -> None:
    fight = Fight("bgo", "heroes=player monsters=fire-slime", seed=7)
    fight.intervene("join monsters fire-slime:health=3")
    written = saving.as_table(fight)["answers"][0]
    assert written["word"] == "join monsters fire-slime-2"
    assert written["sheet"]["health"] == 3
    assert set(written) == {"decision", "word", "sheet", "fell", "whim"}


def test_files_with_interventions_fit_the_published_schema() -> None:
    schema = json.loads((files("affray.fight") / "fight.schema.json").read_text(encoding="utf-8"))
    check = jsonschema.Draft202012Validator(schema)
    fight = Fight("bgo", "heroes=player monsters=fire-slime", seed=7)
    fight.intervene("join monsters fire-slime")
    fight.intervene("give player poised")
    fight.play("player", "defend")
    table = saving.as_table(fight)
    assert check.is_valid({**table, "seal": saving.seal(table)})
    table["answers"][0] = {**table["answers"][0], "who": "player", "move": "attack"}
    assert not check.is_valid({**table, "seal": saving.seal(table)}), "an answer is a fighter's or the storyteller's"


def test_a_change_of_side_is_a_change_of_foes() -> None:
    fight = Fight("bgo", "heroes=player monsters=fire-slime,fire-slime", seed=7)
    fight.intervene("side fire-slime-2 heroes")
    assert fight.teams == {"heroes": ["player", "fire-slime-2"], "monsters": ["fire-slime"]}
    assert [str(move) for move in fight.legal("fire-slime-2")] == ["attack", "defend"]
    fight.intervene("side fire-slime heroes")
    assert fight.ending == "heroes"


def test_a_skipped_turn_passes_and_an_inserted_one_comes_first() -> None:
    fight = Fight("mythos", {"investigators": ["detective", "detective"], "enemies": ["ghoul"]}, seed=2)
    first = fight.to_act[0]
    order = [fight.names[place] for place in fight.state.order]
    fight.intervene(f"turn {order[2]}")
    assert fight.to_act == [order[2]]
    fight.intervene(f"skip {order[2]}")
    assert fight.to_act == [first]
    fight.intervene(f"skip {first}")
    assert fight.to_act == [order[1]]


def test_a_flip_at_a_disadvantage_shows_the_worst_of_two_cards() -> None:
    fight = Fight("deckahedron", {"heroes": ["maren"], "monsters": ["guard"]}, seed=2)
    fight.intervene("set Maren favour -1")
    fight.intervene("deal Maren flip-dex")
    assert len([fell for fell in fight.answers[-1].fell if fell.throw.kind == "card"]) == 2
    assert fight.state.fighters[0].favour == 0


@pytest.mark.parametrize(
    ("word", "problem"),
    [
        ("", "an intervention is set FIGHTER QUANTITY VALUE"),
        ("bless player", "there is no intervention 'bless'"),
        ("set", "name a fighter"),
        ("set nobody health 1", "there is no fighter 'nobody'"),
        ("set player", "name a quantity: health, max-health"),
        ("set player wit 3", "there is no quantity 'wit'"),
        ("set player health", "health must be 0 to 10"),
        ("set player health much", "health must be 0 to 10, not 'much'"),
        ("set player burning 2", "burning of player must be on or off, not 2"),
        ("give player health 0", "how many must be a whole number, 1 or more"),
        ("deal player", "deal what? damage"),
        ("join elves player", "there is no team 'elves'"),
        ("join heroes", "name a sheet"),
        ("join heroes dragon-of-doom", "there is no creature or player 'dragon-of-doom'"),
        ("leave player sideways", "there is no way out 'sideways'"),
        ("return player", "player is not out of the fight"),
        ("side player heroes", "player is on team heroes already"),
        ("end badly", "there is no ending 'badly'"),
    ],
)
def test_what_does_not_fit_gets_a_sentence_that_names_what_is_allowed(word: str, problem: str) -> None:
    fight = Fight("bgo", "heroes=player monsters=fire-slime", seed=7)
    before = everything(fight)
    with pytest.raises(Refused) as refused:
        fight.intervene(word)
    assert problem in str(refused.value)
    assert everything(fight) == before


def test_a_verdict_ends_the_fight_and_is_undone() -> None:
    fight = Fight("strategic", dict(find("strategic").demonstration), seed=7, options={"undo": "free"})
    fight.intervene("end peace")
    assert (fight.over, fight.ending, fight.to_act) == (True, "peace", [])
    with pytest.raises(Illegal, match="the fight is over: peace"):
        fight.intervene("set knight coins 3")
    fight.undo()
    assert not fight.over


def test_where_nothing_is_taken_back_words_are_as_long_as_nothing_has_followed() -> None:
    fight = Fight("strategic", dict(find("strategic").demonstration), seed=7)
    fight.play(fight.to_act[0], fight.legal(fight.to_act[0])[0])
    before = everything(fight)
    fight.intervene(f"set {fight.names[0]} pain 2")
    fight.undo()
    assert everything(fight) == before
    fight.intervene(f"set {fight.names[0]} pain 2")
    fight.play(fight.to_act[0], fight.legal(fight.to_act[0])[0])
    with pytest.raises(Illegal, match="undo=off"):
        fight.undo()


def test_a_fight_with_interventions_is_rebuilt_by_its_repr() -> None:
    fight = Fight("bgo", "heroes=player monsters=fire-slime", seed=7)
    fight.intervene("join monsters fire-slime")
    fight.intervene("set fire-slime health 2")
    again = eval(repr(fight), {"Fight": Fight, "Seeded": __import__("affray.kernel.chance").kernel.chance.Seeded})
    assert everything(again) == everything(fight)


def test_a_changed_log_is_found_out() -> None:
    fight = Fight("bgo", "heroes=player monsters=fire-slime", seed=7)
    fight.intervene("set fire-slime health 2")
    table = saving.as_table(fight)
    table["answers"][0]["word"] = "set fire-slime health 2000"
    with pytest.raises(Invalid, match="must be 0 to"):
        saving.restore(table, "the log")


# Odds and compiled play go on from the changed state


def test_odds_after_an_intervention_are_those_of_a_fight_that_stands_so_by_its_sheets() -> None:
    changed = Fight("bgo", "heroes=player monsters=fire-slime", seed=7)
    changed.intervene("set player attack 4")
    changed.intervene("set player defense 3")
    made = Fight("bgo", "heroes=player monsters=fire-slime", seed=7)
    made.state.fighters[0].attack, made.state.fighters[0].defense = 4, 3
    assert records.pack(changed.state) == records.pack(made.state)
    assert changed.odds("player", compiled=False) == made.odds("player", compiled=False)
    first = Fight("bgo", "heroes=player monsters=fire-slime", seed=7).odds("player", compiled=False)
    assert first["attack"].chances["heroes"] < changed.odds("player", compiled=False)["attack"].chances["heroes"]


def test_odds_of_a_reinforced_side_are_those_of_a_fight_that_opened_with_it() -> None:
    grown = Fight("bgo", "heroes=player monsters=fire-slime", seed=7)
    grown.intervene("join monsters fire-slime")
    opened_so = Fight("bgo", "heroes=player monsters=fire-slime,fire-slime", seed=7)
    assert records.pack(grown.state) == records.pack(opened_so.state)
    assert grown.names == opened_so.names
    ask = {"playouts": 40, "compiled": False, "seed": 3, "play": "tactics"}
    assert grown.odds("player", **ask) == opened_so.odds("player", **ask)


def test_compiled_play_outs_go_on_from_the_changed_state() -> None:
    pytest.importorskip("wasmtime")
    if program(find("bgo"), 2).backend != "wasm":
        pytest.skip("the module of bgo is not fresh")
    fight = Fight("bgo", "heroes=player monsters=fire-slime", seed=7)
    fight.intervene("set fire-slime health 1")
    ask: Any = {"tactics": {"player": "always-attack"}, "playouts": 2_000, "seed": 5, "play": "tactics"}
    compiled = odds_of_moves(fight.setup, fight.state, "player", compiled=True, **ask)
    slowly = odds_of_moves(fight.setup, fight.state, "player", compiled=False, **{**ask, "playouts": 2_000})
    assert compiled["attack"].chances == slowly["attack"].chances


def test_a_system_that_says_nothing_has_what_its_record_and_sheets_have_in_common(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.syspath_prepend(str(Path(__file__).parents[2] / "examples" / "d20" / "src"))
    d20 = import_module("affray_d20").system
    fight = Fight(d20, {"heroes": ["knight"], "monsters": ["orc", "orc"]}, seed=3)
    ranges = {name: (touch.low, touch.high) for name, touch in touches(fight.setup, fight.state, 1).items()}
    assert ranges["armour-class"] == (5, 30)
    assert ranges["hit-points"] == (1, fight.sheets[1].hit_points)
    fight.intervene("set orc hit-points 1")
    fight.intervene("join heroes knight")
    fight.intervene("side orc-2 heroes")
    assert fight.teams == {"heroes": ["knight", "orc-2", "knight-2"], "monsters": ["orc"]}
    asked = fight.to_act[0]
    with pytest.raises(Illegal, match="no fighter would be asked"):
        fight.intervene(f"skip {asked}")
    while not fight.over:
        fight.play(fight.to_act[0], fight.legal(fight.to_act[0])[0])
    assert "knight-2" in {answer.who for answer in fight.answers} or fight.round == 1
    fight.rewind(0)
    fight.intervene("end draw")
    assert fight.ending == "draw"


def test_what_may_be_touched_is_plain_json() -> None:
    for system in SYSTEMS:
        fight = opened(system, 1)
        shown = open_to(fight.setup, fight.state)
        assert json.loads(json.dumps(shown)) == shown
        assert [one["name"] for one in shown["fighters"]] == list(fight.names)
