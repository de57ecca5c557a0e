"""Native code: an edited rule never runs stale, and a tape walks through the same outcomes as Exact."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from affray.kernel.chance import (
    Dice,
    Seeded,
    degrees,
    draw,
    draw_rest,
    explode,
    flip_off,
    graded,
    heads,
    keep_highest,
    keep_lowest,
    percent,
    pick,
    pips,
    reaches,
    successes,
    weighted,
)
from affray.kernel.exact import Exact
from affray.kernel.rules import apart, event, row, rule

# The cache


class Bench:
    """A place where rules are written, compiled and edited."""

    def __init__(self, folder: Path, native: ModuleType) -> None:
        self.folder, self.native = folder, native
        self.loaded: set[str] = set()

    def write(self, name: str, source: str) -> ModuleType:
        """The module of that source, loaded afresh."""
        file = self.folder / f"{name}.py"
        file.write_text(source, encoding="utf-8")
        spec = importlib.util.spec_from_file_location(name, file)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        self.loaded.add(name)
        spec.loader.exec_module(module)
        return module

    def run(self, module: ModuleType) -> tuple[int, bool]:
        """What the compiled `blow` of a module gives, and whether it came out of the cache."""
        blow = module.blow

        def strike(strength: Any) -> Any:
            return blow(strength)

        compiled = self.native.jit(strike, blow)
        result = int(compiled(5))
        assert result == blow(5), "compiled and interpreted rules disagree"
        return result, bool(compiled.stats.cache_hits)


@pytest.fixture
def bench(tmp_path: Path, native: ModuleType, monkeypatch: pytest.MonkeyPatch) -> Iterator[Bench]:
    monkeypatch.setenv("AFFRAY_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    made = Bench(tmp_path, native)
    yield made
    for name in made.loaded:
        sys.modules.pop(name, None)


RULE = """
from affray.kernel.rules import rule

STRENGTH = {strength}

@rule
def blow(strength: int) -> int:
    return strength * STRENGTH + {more}
"""


def test_an_unchanged_rule_comes_out_of_the_cache(bench: Bench) -> None:
    assert bench.run(bench.write("arms", RULE.format(strength=2, more=1))) == (11, False)
    assert bench.run(bench.write("arms", RULE.format(strength=2, more=1))) == (11, True)


def test_an_edited_rule_is_compiled_anew(bench: Bench) -> None:
    assert bench.run(bench.write("arms", RULE.format(strength=2, more=1))) == (11, False)
    assert bench.run(bench.write("arms", RULE.format(strength=2, more=3))) == (13, False)


def test_an_edited_constant_is_compiled_anew(bench: Bench) -> None:
    assert bench.run(bench.write("arms", RULE.format(strength=2, more=1))) == (11, False)
    assert bench.run(bench.write("arms", RULE.format(strength=3, more=1))) == (16, False)


COMPILING = """
from affray.kernel import native
from twice import blow

def strike(strength):
    return blow(strength)

compiled = native.jit(strike, blow)
compiled(5)
print(sum(compiled.stats.cache_misses.values()))
"""


def test_of_two_processes_one_compiles_and_the_other_waits_for_it(bench: Bench) -> None:
    bench.write("twice", RULE.format(strength=2, more=1))
    (bench.folder / "compiling.py").write_text(COMPILING, encoding="utf-8")
    command = [sys.executable, str(bench.folder / "compiling.py")]
    both = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    assert sorted(process.communicate()[0] for process in both) == ["0\n", "1\n"]


def test_the_cache_is_where_the_user_wants_it(bench: Bench) -> None:
    bench.run(bench.write("arms", RULE.format(strength=2, more=1)))
    assert any((bench.folder / "cache").rglob("*.nbc"))


CALLERS = {
    "a constant of another module": "from weights import WEIGHT\nfrom affray.kernel.rules import rule\n"
    "@rule\ndef blow(strength):\n    return strength + WEIGHT\n",
    "a tuple of another module": "from weights import TABLE\nfrom affray.kernel.rules import rule\n"
    "@rule\ndef blow(strength):\n    return strength + TABLE[1]\n",
    "a constant by its module's name": "import weights\nfrom affray.kernel.rules import rule\n"
    "@rule\ndef blow(strength):\n    return strength + weights.WEIGHT\n",
    "a rule of another module": "from weights import heavier\nfrom affray.kernel.rules import rule\n"
    "@rule\ndef blow(strength):\n    return heavier(strength)\n",
    "a rule by its module's name": "import weights\nfrom affray.kernel.rules import rule\n"
    "@rule\ndef blow(strength):\n    return weights.heavier(strength)\n",
    "a rule inside a comprehension": "from weights import heavier\nfrom affray.kernel.rules import rule\n"
    "@rule\ndef blow(strength):\n    grown = [heavier(strength) for _ in range(1)]\n    return grown[0]\n",
}
WEIGHTS = """
from affray.kernel.rules import rule

WEIGHT = {weight}
TABLE = (0, {weight})

@rule
def heavier(strength: int) -> int:
    return strength + {weight}
"""


@pytest.mark.parametrize("called", CALLERS)
def test_whatever_a_rule_reaches_counts(bench: Bench, called: str) -> None:
    bench.write("weights", WEIGHTS.format(weight=10))
    assert bench.run(bench.write("arms", CALLERS[called])) == (15, False)
    bench.write("weights", WEIGHTS.format(weight=20))
    assert bench.run(bench.write("arms", CALLERS[called])) == (25, False), f"{called} has been edited"


PAIR = """
from affray.kernel.rules import rule

@rule
def light(strength: int) -> int:
    return strength + 1

@rule
def heavy(strength: int) -> int:
    return strength + 10
"""


def test_two_drivers_of_one_make_do_not_run_each_others_rules(bench: Bench) -> None:
    pair = bench.write("pair", PAIR)

    def driver(blow: Callable[[int], int]) -> Any:
        def strike(strength: Any) -> Any:
            return blow(strength)

        return bench.native.jit(strike, blow)

    assert driver(pair.light)(5) == 6
    assert driver(pair.heavy)(5) == 15


BRAWL = """
from typing import Annotated
from affray.kernel import native
from affray.kernel.records import I32, PerFighter, blank, record
from affray.kernel.rules import apart

@record
class Body:
    lives: I32

@record
class Brawl:
    fighters: Annotated[list[Body], PerFighter(Body)]

@apart
def walk(brawl, at) -> int:
{steps}
    return at

def driver(brawls):
    return walk(brawls[0], 0) + walk(brawls[0], 1) * walk(brawls[0], 2)

def told(*sizes):
    for size in sizes:
        brawl = blank(Brawl, size)
        for at, body in enumerate(brawl.fighters):
            body.lives = at
        brawls = native.to_native(brawl)
        print(native.jit(driver, walk)(brawls))
"""


def test_what_two_processes_have_compiled_is_told_apart_by_a_third(bench: Bench) -> None:
    # So long that it stays a function of its own in the compiled code.
    step = "    at = (at * 31 + brawl.fighters[at % len(brawl.fighters)].lives + {}) % 1009"
    bench.write("brawl", BRAWL.format(steps="\n".join(map(step.format, range(20)))))

    def told(*sizes: int) -> str:
        source = f"import sys; sys.path.insert(0, {str(bench.folder)!r}); import brawl; brawl.told(*{sizes})"
        return subprocess.run([sys.executable, "-c", source], stdout=subprocess.PIPE, text=True, check=True).stdout

    assert told(2) + told(5) == told(2, 5)


def test_the_same_tactics_in_another_order_are_another_driver(bench: Bench) -> None:
    from affray.kernel.playing import chooser

    @rule
    def bold(fight: Any, who: int, whim: Any) -> int:
        return 1

    @rule
    def timid(fight: Any, who: int, whim: Any) -> int:
        return 2

    def driver(*tactics: Any) -> Any:
        choose = chooser(*tactics)

        def decide(tactic: Any) -> Any:
            return choose(tactic, 0, 0, 0)

        return bench.native.jit(decide, choose)

    assert [driver(bold, timid)(number) for number in (0, 1)] == [1, 2]
    assert [driver(timid, bold)(number) for number in (0, 1)] == [2, 1]


# The tape


@rule
def flips_then_rolls(dice: Dice, n: int, sides: int) -> int:
    """Questions that depend on answers, with impossible outcomes in between."""
    first = heads(dice, n)
    total = 100 * first
    if first > 0:
        total += pips(dice, first, sides)
    if reaches(dice, 2, 6, 7):
        total += 10 * pick(dice, 3)
    return total


GRADES = [(1, 10, 25, 50, 99, 0), (1, 1, 1, 1, 95, 0), (1, 20, 50, 95, 95, 99), (0, 0, 0, 0, 0, 0), (100,) * 6]

ASKED: dict[str, tuple[Callable[..., Any], list[tuple[Any, ...]]]] = {
    "heads": (heads, [(0,), (1,), (5,), (30,), (61,)]),
    "pips": (pips, [(3, 6), (1, 6), (0, 6), (2, 20), (10, 6), (23, 6), (1, 100), (5, 51), (1, 255)]),
    "reaches": (reaches, [(3, 6, 10), (3, 6, 3), (3, 6, 19), (3, 6, -4), (1, 100, 76), (8, 10, 44)]),
    "degrees": (degrees, [(1, 20, (5, 15, 25)), (3, 6, (10,)), (4, 100, (50, 250)), (2, 6, (2, 4, 6, 8, 10, 12))]),
    "keep_highest": (keep_highest, [(2, 20), (4, 6, 3), (5, 10, 2), (1, 6), (3, 6, 3), (2, 6, 5), (2, 6, 0)]),
    "keep_lowest": (keep_lowest, [(2, 20), (4, 6, 3), (5, 10, 2), (1, 6), (3, 6, 3), (2, 6, 5)]),
    "explode": (explode, [(1, 6, 1), (3, 6, 2), (2, 10, 1), (4, 4, 0), (2, 1, 3), (0, 6, 2)]),
    "successes": (successes, [(1, 5), (6, 4), (10, 3), (5, 7), (5, 1), (23, 5), (7, 8, 10)]),
    "percent": (percent, [(net,) for net in range(-5, 6)]),
    "graded": (graded, [(net, bounds) for net in (-2, -1, 0, 1, 2) for bounds in GRADES] + [(0, (50,))]),
    "draw": (draw, [(0b1011_0000_0101,), (1,), ((1 << 20) - 1,), (1 << 62 | 1,)]),
    "draw_rest": (draw_rest, [(0b10111, (0,), 0), (0b10111, (0b11, 0b111), 2), (0b10111, (0b11, 0b11), 2)]),
    "pick": (pick, [(1,), (2,), (7,), (256,)]),
    "weighted": (weighted, [((3, 1),), ((0, 2, 0, 5, 1),)]),
    "flip_off": (flip_off, [(1,), (2,), (5,)]),
    "several": (flips_then_rolls, [(0, 6), (2, 4), (3, 6)]),
}


@pytest.fixture(scope="module")
def walk(native: ModuleType, battery: Any) -> Callable[..., tuple[list[tuple[int, int, int]], int]]:
    """All outcomes of a question on a native tape as (result, weight, total), and whether the tape failed."""
    import numpy as np

    rewind, advance = native.rewind, native.advance
    too_much = [(str(kind), given) for kind, given in (case.values for case in TOO_MUCH)]
    every = [(kind, given) for kind, (_, all) in ASKED.items() for given in all] + too_much
    questions = battery(native, {kind: question for kind, (question, _) in ASKED.items()}, every)
    ask = questions.ask

    def walk_through(tapes: Any, which: Any, numbers: Any, results: Any, weights: Any, totals: Any) -> Any:
        tape = tapes[0]
        rewind(tape)
        for count in range(results.size):
            results[count] = ask(tape, which, numbers)
            weights[count] = 1
            totals[count] = 1
            for at in range(tape.at):
                weights[count] *= tape.weights[at, tape.taken[at]]
                totals[count] *= tape.total[at]
            if tape.failed or not advance(tape):
                return count + 1
        return -1

    compiled = native.jit(walk_through, ask)

    def through(kind: str, given: tuple[int, ...]) -> tuple[list[tuple[int, int, int]], int]:
        tape = np.zeros(1, native.TAPE)
        results, weights, totals = (np.zeros(100_000, np.int64) for _ in range(3))
        count = compiled(tape, *questions.put(kind, given), results, weights, totals)
        seen = zip(results[:count].tolist(), weights[:count].tolist(), totals[:count].tolist(), strict=True)
        return list(seen), int(tape[0]["failed"])

    return through


@pytest.mark.parametrize(
    ("kind", "given"), [pytest.param(k, g, id=f"{k}{g}") for k, (_, given) in ASKED.items() for g in given]
)
def test_the_tape_goes_through_the_outcomes_of_exact_in_its_order(
    walk: Callable[..., tuple[list[tuple[int, int, int]], int]], kind: str, given: tuple[int, ...]
) -> None:
    question = ASKED[kind][0]
    expected = [(int(result), n, d) for result, n, d in Exact().outcomes(lambda dice: question(dice, *given))]
    assert walk(kind, given) == (expected, 0)


TOO_MUCH = [
    pytest.param("heads", (256,), id="more outcomes than the tape is wide"),
    pytest.param("pips", (3, 100), id="more sums than the tape is wide"),
    pytest.param("heads", (64,), id="coins whose weights leave 64 bits"),
    pytest.param("heads", (200,), id="many coins"),
    pytest.param("pips", (25, 6), id="dice whose weights leave 64 bits"),
    pytest.param("successes", (25, 5), id="successes whose weights leave 64 bits"),
    pytest.param("reaches", (25, 6, 80), id="a sum whose weights leave 64 bits"),
    pytest.param("keep_highest", (16, 20, 2), id="kept dice whose weights leave 64 bits"),
    pytest.param("explode", (4, 6, 5), id="exploding dice whose weights leave 64 bits"),
]


@pytest.mark.parametrize(("kind", "given"), TOO_MUCH)
def test_a_tape_that_cannot_hold_the_question_says_so(
    walk: Callable[..., tuple[list[tuple[int, int, int]], int]], kind: str, given: tuple[int, ...]
) -> None:
    _, failed = walk(kind, given)
    assert failed, "wrong weights would be worse than none"


@rule
def flip_on(dice: Dice, times: int) -> int:
    total = 0
    for _ in range(times):
        total += heads(dice, 1)
    return total


def test_a_tape_that_is_too_short_says_so(native: ModuleType) -> None:
    import numpy as np

    rewind = native.rewind

    def once(tape: Any, times: Any) -> Any:
        rewind(tape[0])
        return flip_on(tape[0], times)

    compiled = native.jit(once, flip_on)
    tape = np.zeros(1, native.TAPE)
    compiled(tape, 20)
    assert not tape[0]["failed"]
    compiled(tape, native.TAPE_DEPTH + 5)
    assert tape[0]["failed"]


@rule
def by_own_weights(dice: Dice, fight: Any) -> int:
    return weighted(dice, fight.weights)


def test_weights_may_stand_in_a_record(native: ModuleType) -> None:
    import numpy as np

    rewind, advance, open_streams = native.rewind, native.advance, native.open_streams

    def chances(fights: Any, tapes: Any, found: Any) -> None:
        rewind(tapes[0])
        while True:
            choice = by_own_weights(tapes[0], fights[0])
            found[choice] = tapes[0].weights[0, choice]
            if not advance(tapes[0]):
                break

    def throws(fights: Any, streams: Any, found: Any) -> None:
        open_streams(streams[0], streams[1], 5, 0)
        for place in range(found.size):
            found[place] = by_own_weights(streams[0], fights[0])

    fights = np.zeros(1, np.dtype([("weights", "i4", (4,))]))
    fights[0]["weights"] = 5, 0, 2, 1
    weights, chosen = np.zeros(4, np.int64), np.zeros(50, np.int64)
    native.jit(chances, by_own_weights)(fights, np.zeros(1, native.TAPE), weights)
    native.jit(throws, by_own_weights)(fights, np.zeros(2, native.STREAM), chosen)
    dice = Seeded(5)
    assert weights.tolist() == [5, 0, 2, 1]
    assert chosen.tolist() == [weighted(dice, [5, 0, 2, 1]) for _ in range(50)]


# What rules say

HIT = event("{who} hits for {amount}.", rule="attack")


def test_compiled_rules_count_figures_and_tell_nothing(native: ModuleType) -> None:
    import numpy as np

    from affray.kernel.rules import Log, emit, score

    @rule
    def hit(who: int, amount: int, log: Any) -> int:
        emit(log, HIT, who, amount)
        score(log, who, 1, amount)
        return amount

    def several(figures: Any) -> Any:
        return hit(0, 3, figures[0]) + hit(1, 4, figures[0]) + hit(0, 5, figures[0]) + hit(1, 100, None)

    log = Log([[0, 0], [0, 0]])
    assert hit(0, 3, log) + hit(1, 4, log) + hit(0, 5, log) + hit(1, 100, None) == 112
    figures = np.zeros(1, native.figures_dtype(2, 2))
    assert native.jit(several, hit)(figures) == 112
    assert figures[0]["figures"].tolist() == log.figures == [[0, 8], [0, 4]]
    assert [(event.kind.name, event.who, event.amount) for event in log.events] == [
        ("HIT", 0, 3),
        ("HIT", 1, 4),
        ("HIT", 0, 5),
    ]


@rule
def squares(length: int) -> int:
    """The sum of the squares below a number, by way of two rows that must not be one."""
    numbers = row(length)
    doubled = row(length)
    for place in range(length):
        numbers[place] = place
        doubled[place] = 2 * place
    total = 0
    for place in range(length):
        total += numbers[place] * doubled[place]
    return total // 2


@apart
def squares_called(length: int) -> int:
    """The same, called instead of copied."""
    return squares(length)


@pytest.mark.parametrize("function", [squares, squares_called])
def test_rows_of_any_length_are_a_rule_s_own(native: ModuleType, function: Callable[[int], int]) -> None:
    def add_up(first: Any, second: Any) -> Any:
        return function(first) + function(second)

    compiled = native.jit(add_up, function)
    longest = native.ROW
    for length in (0, 1, 7, longest, longest + 1, 3 * longest):
        assert compiled(length, 5) == function(length) + function(5)
        assert function(length) == sum(number**2 for number in range(length))


def test_without_the_lab_extra_speed_is_refused_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    from affray.errors import MissingExtra

    monkeypatch.setitem(sys.modules, "numba", None)
    for name in [name for name in sys.modules if name.startswith("affray.kernel.native")]:
        monkeypatch.delitem(sys.modules, name)
    with pytest.raises(MissingExtra, match=r"pip install 'affray\[lab\]'"):
        import affray.kernel.native  # noqa: F401
