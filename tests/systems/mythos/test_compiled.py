"""Interpreted and compiled fights are the same fights: the same seed gives the same end, to the last byte."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import cycle, islice
from random import Random
from types import ModuleType

import pytest

from affray.kernel import records
from affray.lab.simulate import final_states, simulate
from affray.players.tactics import replay_simulated
from affray.systems.mythos import sheets
from affray.systems.mythos.tactics import TACTICS

SHAPES = ((1, 1), (1, 1), (2, 2), (1, 1), (1, 3), (1, 1), (1, 2, 1), (3, 1))
"""Duels, and four fighters in all ways: two numbers of fighters to compile for."""
PROFILES = tuple(sheets.PROFILES)
CHANGES = (
    "",
    "",
    "",
    ":perks=rapid-attack+heavy-hitter+tough-guy+fleet-footed:luck=60",
    ":perks=rapid-fire+beady-eye+endurance+nimble",
    ":hp=4:items=first-aid 2+medicine 2",
    ":weapons=sawn-off-12-gauge+rock+whip:wields=whip",
    ":weapons=submachine-gun+large-knife:wields=submachine-gun:loaded=submachine-gun 1",
    ":major_wound=yes:armour=2",
    ":own_weapons=relic (base 12-gauge; handgun; shots 3; magazine 5; bonus half):wields=relic:own_perks=driven "
    "(endurance 2; rapid_attack 2; heavy_hitter 3; tough_guy 9; price 4):perks=:own_items=tonic "
    "(heals 2D4+1; boosts attacks+constitution; dice 2; turns 3):items=tonic 2",
)


def rosters(
    count: int, seed: str, profile: str
) -> Iterator[tuple[dict[str, list[str]], dict[str, str], dict[str, object]]]:
    """All fighters, investigators or not, with all tactics, on any side, under the options of a profile and others."""
    random = Random(f"{seed} {profile}")
    for shape in islice(cycle(SHAPES), count):
        teams = {f"t{t}": [fighter(random) for _ in range(size)] for t, size in enumerate(shape)}
        tactics = {team: random.choice(list(TACTICS)) for team in teams}
        yield teams, tactics, {"profile": profile, "round_cap": 12, **options(random)}


def fighter(random: Random) -> str:
    spec = random.choice(list(sheets.SHEETS.fighters()))
    return spec + random.choice(CHANGES if sheets.SHEETS.fighters()[spec].kind == "investigator" else CHANGES[:5])


def options(random: Random) -> dict[str, object]:
    """Now and then an option that neither profile has chosen."""
    changed: dict[str, object] = {}
    for name, values in (
        ("dex_tie", ("enemy", "skill")),
        ("fast_target", ("static", "moving", "off")),
        ("enemy_ai", ("strict", "free")),
        ("distance", (0, 10, 40)),
        ("dive_cost", ("none", "attack")),
        ("surprise", ("none", "first", "last")),
        ("darkness", (True, False)),
        ("manoeuvres", (True, False)),
    ):
        if random.random() < 0.4:
            changed[name] = random.choice(values)
    return changed


@pytest.mark.parametrize("profile", PROFILES)
def test_thousands_of_fights_end_alike_to_the_last_byte(native: ModuleType, profile: str) -> None:
    for place, (teams, tactics, chosen) in enumerate(rosters(250, "bytes", profile)):
        numbers = range(1000 * place, 1000 * place + 4)
        both = [
            final_states("mythos", teams, seed=9, numbers=numbers, tactics=tactics, options=chosen, compiled=how)
            for how in (True, False)
        ]
        assert both[0] == both[1], (teams, tactics, chosen)


@pytest.mark.parametrize("profile", PROFILES)
def test_endings_rounds_and_figures_are_counted_alike(native: ModuleType, profile: str) -> None:
    for teams, tactics, chosen in rosters(8, "figures", profile):
        one, other = (
            simulate("mythos", teams, fights=40, seed=5, tactics=tactics, options=chosen, compiled=compiled)
            for compiled in (True, False)
        )
        assert (one.compiled, other.compiled) == (True, False)
        assert (one.counts, one.rounds, one.figures) == (other.counts, other.rounds, other.figures)


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("number", [0, 123_456, 999_999])
def test_one_fight_of_a_million_can_be_told_again(native: ModuleType, number: int, profile: str) -> None:
    teams, chosen = "investigators=detective,nurse enemies=ghoul,armed-cultist", {"profile": profile}
    fight = replay_simulated("mythos", teams, seed=21, number=number, options=chosen)
    (ended,) = final_states("mythos", teams, seed=21, numbers=[number], options=chosen)
    assert records.pack(fight.state) == ended
    assert fight.over
