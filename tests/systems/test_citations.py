"""`why` cites the rulings that applied to a line of the story, and no others."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

import affray
from affray.fight import Fight, Line
from affray.fight.viewing import story
from affray.kernel.chance import Scripted
from affray.kernel.rules import kinds_of
from affray.system.registry import find

SYSTEMS = list(affray.systems())


def fought(system: str, options: dict[str, object], seeds: int = 2) -> Iterator[Fight]:
    """Fights of the system's own fighters, by their tactics and by no tactic at all."""
    for seed in range(seeds):
        fight = Fight(system, find(system).demonstration, seed=seed, options=options)
        fight.play_on(dict.fromkeys(fight.names, "random") if seed % 2 else None)
        yield fight


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_line_cites_something_that_exists_and_is_in_force(system: str) -> None:
    found = find(system)
    rulings = found.rulings()
    for profile in (None, *found.profiles):
        for fight in fought(system, {"profile": profile} if profile else {}):
            for line, shown in zip(fight.lines, story(fight), strict=True):
                cited = [ruling.id for ruling in fight.why(line)]
                assert cited, f"{line} cites nothing"
                assert set(cited) <= set(line.event.kind.cites)
                assert shown.why == tuple(cited), "the page tells the same"
                assert all(rulings[id].in_force(fight.options) for id in cited)


SWITCHED_OFF = [
    (system, ruling.id, setting) for system in SYSTEMS for ruling in find(system).rulings().values()
    for setting in ruling.unless
]  # fmt: skip


@pytest.mark.parametrize(("system", "id", "setting"), SWITCHED_OFF)
def test_a_ruling_that_an_option_has_switched_off_is_not_cited(system: str, id: str, setting: str) -> None:
    name, _, value = setting.partition("=")
    for fight in fought(system, {name: value}):
        assert id not in {cite for number in range(len(fight.lines)) for cite in fight.cites(number)}


@pytest.mark.parametrize("system", SYSTEMS)
def test_what_a_line_cites_is_the_same_when_it_is_told_and_ever_after(system: str) -> None:
    for seed in range(3):
        fight = Fight(system, find(system).demonstration, seed=seed)
        whims = Random(seed)
        cited: list[tuple[str, ...]] = []
        while not fight.over:
            cited += [fight.cites(number) for number in range(len(cited), len(fight.lines))]
            who = whims.choice(fight.to_act)
            fight.play(who, whims.choice(fight.legal(who)))
        cited += [fight.cites(number) for number in range(len(cited), len(fight.lines))]
        assert [fight.cites(number) for number in range(len(fight.lines))] == cited
        fork = fight.fork(at=fight.decision // 2 + 1)
        assert [fork.cites(number) for number in range(len(fork.lines))] == cited[: len(fork.lines)]
        fight.rewind(len(fight.answers) // 2)
        assert [fight.cites(number) for number in range(len(fight.lines))] == cited[: len(fight.lines)]


@pytest.mark.parametrize("system", SYSTEMS)
def test_conditions_are_for_what_an_event_may_cite(system: str) -> None:
    found = find(system)
    for kind in kinds_of(found.begin, found.apply):
        assert set(kind.where) <= set(kind.cites) <= set(found.rulings())


# Some that apply only now and then


def cites(fight: Fight, kind: str, place: int = 0) -> list[str]:
    """The rulings behind the first event of a kind, or a later one."""
    line: Line = [line for line in fight.lines if line.event.kind.name == kind][place]
    return [ruling.id for ruling in fight.why(line)]


@pytest.mark.parametrize(("roll", "expected"), [((4, 4, 2), ["attack", "1"]), ((5, 6, 1), ["attack"])])
def test_bgo_speaks_of_just_reaching_a_number_where_one_did(roll: tuple[int, ...], expected: list[str]) -> None:
    fight = Fight("bgo", "heroes=player monsters=fire-slime", dice=Scripted([roll, (1, 1, 2)]))
    fight.play("player", "attack")
    fight.play("fire-slime", "attack")
    assert cites(fight, "ROLLS") == expected
    assert cites(fight, "ROLLS", 1) == ["attack", "2"], "and of creatures where one rolls"


def test_bgo_names_the_ability_that_changed_the_damage() -> None:
    fight = Fight("bgo", "a=player:abilities=weak-fire b=fire-slime", dice=Scripted([(1, 1, 1), (6, 6, 6)]))
    fight.play("player", "attack")
    fight.play("fire-slime", "attack")
    assert cites(fight, "CHANGED") == ["weak"]


def brawl(rolls: list[tuple[int, ...]], options: dict[str, object] | None = None, **sheets: object) -> Fight:
    """One round in which everybody attacks: Ann and Bob, if there is one, the foe, and the foe Ann."""
    heroes = [{"base": "player", "name": name.title(), **sheets[name]} for name in ("ann", "bob") if name in sheets]
    foe = {"base": "player", "name": "Foe", **sheets["foe"]}
    fight = Fight("bgo", {"heroes": heroes, "foes": [foe]}, dice=Scripted(rolls), options=options)
    for name in fight.names:
        fight.play(name, "attack ann" if name == "foe" and len(heroes) > 1 else "attack")
    return fight


HIT, MISS = (6, 6, 5), (1, 1, 2)


def test_bgo_leaves_out_what_had_nothing_left_to_change() -> None:
    held = {"resist-physical": 2, "weak-physical": 1}
    fight = brawl([HIT, MISS], ann={"damage": {"physical": 2}}, foe={"abilities": held})
    assert cites(fight, "CHANGED") == ["resist"], "nothing was left that could have been half as much again"
    fight = brawl([HIT, MISS], ann={"damage": {"physical": 3}}, foe={"abilities": {**held, "resist-physical": 1}})
    assert [line for line in fight.lines if line.event.kind.name == "CHANGED"] == [], "3 less 1, and half as much again"
    fight = brawl([HIT, MISS], ann={"damage": {"physical": 6}}, foe={"abilities": {**held, "resist-physical": 1}})
    assert cites(fight, "CHANGED") == ["resist", "weak"]


def test_bgo_speaks_of_several_types_where_that_hit_has_them() -> None:
    several = {"damage": {"fire": 2, "water": 2}}
    fight = brawl([HIT, MISS, MISS], ann={}, bob=several, foe={"abilities": {"weak-physical": 1}})
    assert cites(fight, "CHANGED") == ["weak"], "Ann's has one; Bob has missed"
    fight = brawl([MISS, HIT, MISS], ann={}, bob=several, foe={"abilities": {"weak-fire": 1}})
    assert cites(fight, "CHANGED") == ["weak", "15"]


@pytest.mark.parametrize(
    ("rolls", "health", "spared"), [([HIT, MISS, MISS], 2, True), ([MISS, HIT, MISS], 2, False), ([HIT] * 3, 4, False)]
)
def test_bgo_speaks_of_first_strike_where_undying_has_kept_it_from_undoing_anything(
    rolls: list[tuple[int, ...]], health: int, spared: bool
) -> None:
    undying = {"health": health, "abilities": {"undying": 1}}
    fight = brawl(rolls, ann={"abilities": {"first-strike": 1}}, bob={}, foe=undying)
    assert cites(fight, "RISES") == ["undying", *(["24"] if spared else [])]


@pytest.mark.parametrize(
    ("foe", "roll", "expected"),
    [
        ({"defense": 20}, (6, 6, 6), ["attack", "2"]),
        ({"defense": 20}, (6, 6, 5), ["attack"]),
        ({"defense": 8}, (6, 6, 6), ["attack", "1"]),
        ({"defense": 5}, (6, 6, 6), ["attack"]),
        ({"defense": -9}, (1, 1, 1), ["attack", "2"]),
        ({"defense": -9}, (1, 1, 2), ["attack"]),
    ],
)
def test_bgo_speaks_of_naturals_where_one_has_decided(
    foe: dict[str, object], roll: tuple[int, ...], expected: list[str]
) -> None:
    fight = brawl([roll, MISS], {"naturals": True}, ann={}, foe=foe)
    assert cites(fight, "ROLLS") == expected


@pytest.mark.parametrize(("hits", "expected"), [(2, ["strike"]), (3, ["strike", "ties"])])
def test_grapple_speaks_of_ties_where_there_is_one(hits: int, expected: list[str]) -> None:
    roll = (3,) * hits + (1,) * (3 - hits)
    fight = Fight("grapple", "heroes=ahalish:sd=3 monsters=goblin:defense=3", dice=Scripted([roll]))
    fight.play("Ahalish", "strike 3 goblin")
    assert cites(fight, "STRIKE_FAILS") == expected


def test_grapple_ends_by_its_cap_or_by_a_knock_out() -> None:
    teams = "heroes=ahalish monsters=goblin"
    capped = Fight("grapple", teams, seed=1, options={"round_cap": 1})
    for name in capped.names:
        capped.play(name, "catch breath")
    assert cites(capped, "OVER") == ["round-cap"]
    for fight in fought("grapple", {}, seeds=1):
        assert cites(fight, "OVER") == ["over"]


def test_grapple_speaks_of_a_skipped_team_where_one_was_skipped() -> None:
    fight = Fight("grapple", "a=ahalish b=goblin c=osk:wounds=3", seed=1)
    fight.play("Ahalish", "catch breath")
    assert cites(fight, "TEAM") == ["rounds"], "from the first team to the second"
    fight.play("goblin", "catch breath")
    assert cites(fight, "TEAM", 1) == ["rounds", "skipped-teams"]


def test_grapple_skips_a_team_that_is_out_from_the_start() -> None:
    fight = Fight("grapple", "a=osk:wounds=3 b=goblin c=ahalish", seed=1)
    assert cites(fight, "TEAM") == ["rounds", "skipped-teams"]


@pytest.mark.parametrize(("mode", "expected"), [("heroic", ["heroic", "14"]), ("gritty", ["gritty", "15"])])
def test_deckahedron_speaks_of_the_mode_that_is_played(mode: str, expected: list[str]) -> None:
    fight = next(fought("deckahedron", {"mode": mode}))
    assert cites(fight, "LOSES") == expected


def test_mythos_speaks_of_distance_where_it_matters() -> None:
    teams = "investigators=detective enemies=ghoul"
    for options, expected in (({}, False), ({"range": "on"}, True)):
        fight = Fight("mythos", teams, seed=3, options=options)
        fight.play_on()
        assert ("19" in cites(fight, "SHOOTS")) is expected


def test_strategic_speaks_of_intents_where_a_blow_has_one() -> None:
    seen = set()
    for fight in fought("strategic", {}, seeds=6):
        for number, line in enumerate(fight.lines):
            if line.event.kind.name == "ATTACKS":
                disarming = "disarm" in line.text
                assert ("intents" in fight.cites(number)) is not disarming
                seen.add(disarming)
    assert False in seen
