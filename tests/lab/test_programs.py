"""Rules as WebAssembly do what interpreted rules do, to the last byte, in every system, driver and size class."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from affray.errors import Failed, Invalid, MissingExtra
from affray.kernel.chance import Seeded
from affray.kernel.rows import Found, Rows
from affray.kernel.rules import rule
from affray.kernel.wasm import program as programs
from affray.kernel.wasm.wasmtime import Program
from affray.lab import building, modules
from affray.lab.exchange import exchanges
from affray.lab.graph import interpreted_graph, native_graph
from affray.lab.odds import odds
from affray.lab.playouts import count_endings
from affray.lab.programs import is_at_hand, program
from affray.lab.searching import run_search
from affray.lab.simulate import final_states, simulate
from affray.players.tactics import numbered, usual_tactics
from affray.system.abilities import Exchange
from affray.system.registry import find, names
from affray.system.setup import Setup
from affray.systems.grapple import rules as grapple

wasmtime: Any = pytest.importorskip("wasmtime")
pytestmark = pytest.mark.long

QUICKLY_COMPILED = ("bgo", "grapple")


def each_case(*sizes: int, numba_up_to: int = 2) -> Any:
    """Every system in some numbers of fighters by modules; those that are quickly compiled by Numba too.

    Modules are made of what Numba makes of the rules, so they show for it what it would take minutes to compile.
    """
    cases = [
        pytest.param(backend, system, fighters, id=f"{backend}-{system}-{fighters}")
        for system in names()
        for fighters in sizes
        for backend in ("wasm", "numba")
        if backend == "wasm" or (fighters <= numba_up_to and system in QUICKLY_COMPILED)
    ]
    return pytest.mark.parametrize(("backend", "system", "fighters"), cases, indirect=["backend"])


@pytest.fixture
def backend(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """What runs the rules, unless told a module."""
    chosen = str(getattr(request, "param", "wasm"))
    pytest.importorskip({"wasm": "wasmtime", "numba": "numba"}[chosen])
    monkeypatch.setenv("AFFRAY_BACKEND", chosen)
    return chosen


by_modules = pytest.mark.usefixtures("backend")


def setup_of(system: str, fighters: int) -> Setup[Any]:
    """A set-up of two teams of the system's own demonstration."""
    (one, first), (other, second) = list(find(system).demonstration.items())[:2]
    own = fighters // 2
    teams = {one: [first[place % len(first)] for place in range(own)]}
    teams[other] = [second[place % len(second)] for place in range(fighters - own)]
    return Setup.of(system, teams, None)


def test_every_module_is_that_of_the_present_rules() -> None:
    missing = [(system.id, slots) for system, slots in building.stale(find(name) for name in names())]
    assert not missing, "`affray modules build` makes them"


@each_case(2, 3, 8, 11, numba_up_to=8)  # each size class, with slots to spare and without
def test_fights_end_in_the_same_state(backend: str, system: str, fighters: int) -> None:
    setup, numbers = setup_of(system, fighters), range(4 if fighters < 8 else 1)
    assert final_states(setup, seed=5, numbers=numbers) == final_states(setup, seed=5, numbers=numbers, compiled=False)


@each_case(2, 5)
def test_simulations_count_the_same(backend: str, system: str, fighters: int) -> None:
    setup = setup_of(system, fighters)
    ran, plain = (simulate(setup, fights=12, seed=2, compiled=compiled) for compiled in (True, False))
    assert (ran.counts, ran.rounds, ran.figures) == (plain.counts, plain.rounds, plain.figures)
    if backend == "wasm" or system == "bgo":
        assert simulate(setup, fights=12, seed=2, figures=False).counts == plain.counts


@each_case(2, 5)
def test_play_outs_after_a_move_count_the_same(backend: str, system: str, fighters: int) -> None:
    setup = setup_of(system, fighters)
    state = setup.opened(Seeded(3))
    index = next(who for who in range(fighters) if setup.codes(state, who))
    codes = setup.codes(state, index)[:2]
    plans, worth = numbered(setup.system, usual_tactics(setup)), [0] * len(setup.endings)
    ran, plain = (
        count_endings(setup, state, index, codes, plans, worth, most=0, seconds=0.0, compiled=compiled, seed=4, least=6)
        for compiled in (True, False)
    )
    for one, other in zip(ran, plain, strict=True):
        assert (one.endings, one.sums, one.squares) == (other.endings, other.sums, other.squares)
    assert {way for tally in ran for way in tally.ways} == {"compiled"}


@each_case(2, 5, numba_up_to=0)
def test_a_search_thinks_the_same(backend: str, system: str, fighters: int) -> None:
    setup = setup_of(system, fighters)
    state = setup.opened(Seeded(3))
    index = next(who for who in range(fighters) if setup.codes(state, who))
    view, iterations = setup.view(state, index), 400 // fighters  # interpreted, large fights take long
    ran, plain = (run_search(setup, view, index, iterations=iterations, compiled=how) for how in (True, False))
    assert replace(ran, seconds=0.0) == replace(plain, seconds=0.0)


@each_case(2, numba_up_to=0)
def test_outcomes_of_a_move_weigh_the_same(backend: str, system: str, fighters: int) -> None:
    setup = setup_of(system, 2)
    state = setup.opened(Seeded(3))
    index = next(who for who in range(2) if setup.codes(state, who))
    codes = setup.codes(state, index)[:3]
    ran, plain = (exchanges(setup, state, index, codes, compiled=compiled) for compiled in (True, False))
    assert any(ran) == (setup.system.ability(Exchange) is not None)
    for one, other in zip(ran, plain, strict=True):
        if one is not None and other is not None:
            assert one == pytest.approx({name: float(mean) for name, mean in other.items()})


@pytest.mark.parametrize("backend", ["wasm", "numba"], indirect=True)
def test_graphs_are_the_same_node_by_node(backend: str) -> None:
    setup = setup_of("bgo", 2)
    start, plans = setup.opened(Seeded(0)), numbered(setup.system, usual_tactics(setup))
    for best in (0, 1):
        ran = native_graph(setup.system, [start], best, plans)
        plain = interpreted_graph(setup.system, [start], best, plans, 10_000, 600.0)
        assert ran is not None
        assert plain is not None
        for name in ("ending", "mover", "first_action", "move", "first_edge", "to", "numerator", "denominator"):
            assert getattr(ran, name) == getattr(plain, name)
        assert ran.find(start) == plain.find(start) == 0


@pytest.mark.parametrize("backend", ["wasm", "numba"], indirect=True)
def test_exact_odds_and_best_play_are_the_same_fractions(backend: str) -> None:
    for play in ("tactics", "best"):
        ran, plain = (
            odds("bgo", "heroes=player monsters=fire-slime", play=play, compiled=compiled)  # type: ignore[arg-type]
            for compiled in (True, False)
        )
        assert ran.exact
        assert (ran.chances, ran.best) == (plain.chances, plain.best)


@pytest.mark.parametrize("system", QUICKLY_COMPILED)
def test_numba_and_modules_agree_to_the_last_bit(system: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AFFRAY_BACKEND", "wasm")
    pytest.importorskip("numba")
    setup = setup_of(system, 2)

    def found() -> tuple[Any, ...]:
        counted = simulate(setup, fights=2_000, seed=8)
        return counted.counts, counted.figures

    by_module = found()
    monkeypatch.setenv("AFFRAY_BACKEND", "numba")
    assert found() == by_module


@rule
def shift(before: grapple.Fight, after: grapple.Fight, who: int, found: list[int]) -> None:
    """By how much a move has changed both dice of the mover."""
    found[0] = after.fighters[who].ad - before.fighters[who].ad
    found[1] = after.fighters[who].sd - before.fighters[who].sd


@pytest.mark.parametrize("backend", ["numba"], indirect=True)
def test_outcomes_of_a_move_weigh_the_same_by_numba(backend: str) -> None:
    measured = replace(find("grapple"), abilities=(Exchange(("ad", "sd"), shift),))
    setup = Setup.of(measured, "heroes=ahalish monsters=goblin", None)
    state = setup.opened(Seeded(3))
    codes = setup.codes(state, 0)[:6]
    ran, plain = (exchanges(setup, state, 0, codes, compiled=compiled) for compiled in (True, False))
    for one, other in zip(ran, plain, strict=True):
        assert one is not None
        assert other is not None
        assert one == pytest.approx({name: float(mean) for name, mean in other.items()})
    assert any(float(mean) % 1 for means in plain if means for mean in means.values()), "several outcomes"


def test_the_core_alone_has_compiled_odds_of_every_system() -> None:
    # In another process, which may not even find Numba and NumPy.
    source = f"""
import sys
sys.modules["numba"] = sys.modules["numpy"] = None
import affray
for system in {names()!r}:
    fight = affray.Fight(system, affray.get_system(system).demonstration, seed=1)
    who = fight.to_act[0]
    found = affray.simulate(fight.setup, fights=10)
    assert found.compiled, system
    assert all("interpreted" not in one.how for one in fight.odds(who).values()), system
"""
    subprocess.run([sys.executable, "-c", source], check=True)


def test_threads_that_begin_at_once_run_the_same_module() -> None:
    # In a process that has loaded nothing yet, and lets its threads take turns as often as it can.
    source = """
import sys, threading
from affray.kernel.rows import Rows
from affray.lab.programs import program
from affray.system.registry import find

sys.setswitchinterval(1e-6)
bgo, begin, done = find("bgo"), threading.Barrier(8), []

def leave():
    begin.wait()
    done.append(program(bgo, 2).run("leave", *(Rows("q", 1) for _ in range(8))))

threads = [threading.Thread(target=leave) for _ in range(8)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
assert len(done) == 8
"""
    subprocess.run([sys.executable, "-c", source], env={**os.environ, "AFFRAY_BACKEND": "wasm"}, check=True)


# --- what goes wrong -----------------------------------------------------------------------------------------


def module(body: str) -> bytes:
    """A module with a driver `run` that takes one number."""
    text = f"""(module
        (memory (export "memory") 1)
        (global (export "__heap_base") i32 (i32.const 64))
        (func (export "affray_run") (param i32 i32 i32 i32) (result i32) {body}))"""
    about = b'{"system":"broken","slots":2,"drivers":{"run":{"parameters":[["q"]],"results":0}}}'
    section = bytes([6]) + b"affray" + about
    return bytes(wasmtime.wat2wasm(text)) + bytes([0, len(section)]) + section


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("unreachable", "unreachable"),
        ("(i32.load (i32.const -8))", "out of bounds"),
        ("(i32.div_u (i32.const 1) (i32.load (local.get 2)))", "divide by zero"),
        ("(i32.const 1)", "a rule raised an error"),
    ],
)
def test_a_module_that_traps_is_an_error_message(body: str, reason: str) -> None:
    broken = Program(module(body))
    for _ in range(2):  # and again, in memory of its own
        with pytest.raises(Failed, match=f"the compiled rules of broken failed: .*{reason}"):
            broken.run("run", 0)


@by_modules
def test_what_needs_more_memory_than_there_may_be_is_an_error_message() -> None:
    setup = setup_of("bgo", 2)
    room = Found("q", programs.MOST_MEMORY // 8)
    with pytest.raises(Failed, match="the compiled rules of bgo failed: there is not enough memory"):
        program(setup.system, 2).run("leave", *(Rows("q", 1) for _ in range(6)), room, Rows("q", 1))
    assert simulate(setup, fights=10).compiled


@by_modules
def test_compiled_code_that_was_kept_is_used_and_what_is_broken_is_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AFFRAY_CACHE", str(tmp_path))
    code = modules.find(find("bgo"), 2)
    assert code is not None
    Program(code)
    (kept,) = tmp_path.iterdir()
    whole = kept.read_bytes()
    kept.write_bytes(whole[:1000])
    assert Program(code).has("simulate")
    assert kept.read_bytes() == whole


def test_a_backend_is_chosen_by_what_is_there_and_by_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    bgo = find("bgo")
    monkeypatch.delenv("AFFRAY_BACKEND", raising=False)
    assert program(bgo, 2).backend == "wasm"
    assert is_at_hand(bgo, 2)
    monkeypatch.setenv("AFFRAY_BACKEND", "none")
    assert not is_at_hand(bgo, 2)
    assert not simulate("bgo", "a=player b=player", fights=2).compiled
    with pytest.raises(MissingExtra):
        program(bgo, 2)
    monkeypatch.setenv("AFFRAY_BACKEND", "wams")
    with pytest.raises(Invalid, match=r"AFFRAY_BACKEND: there is no backend 'wams'; did you mean wasm\?"):
        program(bgo, 2)


# --- modules of one's own ------------------------------------------------------------------------------------


def test_comments_and_blank_lines_do_not_make_a_module_stale() -> None:
    plain = "LOSS = 1\ndef strike(lives):\n    return lives - LOSS\n"
    told = '"""Strikes.\n\nHard."""\n\nLOSS = 1  # a life\n# each\ndef strike(lives):\n'
    told += '    """One less."""\n\n    return lives - LOSS\n'
    assert modules.stripped(told) == modules.stripped(plain) == plain
    assert modules.stripped(plain.replace("1", "2")) != plain


BUILD = """
import affray
from affray.lab import building, drivers

every = drivers.drivers
drivers.drivers = lambda system, slots: {name: every(system, slots)[name] for name in ("simulate_figures", "leave")}
building.build_here(affray.get_system("coins"), 2)
"""
"""Two drivers show it for all: the others come of the same calls, and the modules of the five systems have them."""
PLAY = """
import sys; sys.modules["numba"] = None
import affray
for compiled in (True, False):
    print(affray.simulate("coins", "a=anna b=bert", fights=50, seed=1, compiled=compiled).counts)
"""


def test_a_system_of_one_s_own_gets_modules_the_same_rules_always_the_same_bytes(tmp_path: Path) -> None:
    pytest.importorskip("ziglang")
    example = Path(__file__).parents[2] / "examples" / "coins" / "coins.py"

    def run(source: str, folder: Path) -> str:
        own = {
            "AFFRAY_SYSTEMS": "coins=coins:system",
            "PYTHONPATH": str(folder),
            "AFFRAY_CACHE": str(folder),
            "PYTHONHASHSEED": "0",
        }
        command = [sys.executable, "-c", source]
        return subprocess.run(command, env={**os.environ, **own}, stdout=subprocess.PIPE, text=True, check=True).stdout

    def built(folder: Path) -> Path:
        folder.mkdir()
        (folder / "coins.py").write_text(example.read_text(encoding="utf-8"), encoding="utf-8")
        run(BUILD, folder)
        (made,) = (folder / "compiled").iterdir()
        return made

    one, other = built(tmp_path / "one"), built(tmp_path / "other")
    assert one.name.startswith("coins-2-")
    assert (one.name, one.read_bytes()) == (other.name, other.read_bytes())
    compiled, interpreted = run(PLAY, tmp_path / "one").splitlines()
    assert compiled == interpreted
