"""The layers: every module imports from its own layer and from those below, and the core needs no extra."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path

from affray.edition.build import LEFT_OUT
from affray.fight import Fight
from affray.system import gauging, undoing
from affray.system.registry import find, names

SOURCE = Path(__file__).parents[1] / "src" / "affray"
MODULES = sorted(SOURCE.rglob("*.py"))


def each_module(keeps: Callable[[Path], None]) -> Callable[[], None]:
    """Makes a test of a rule for modules. One for all of them: thousands of tests would cost more than what they do."""

    def test() -> None:
        broken = {}
        for file in MODULES:
            try:
                keeps(file)
            except AssertionError as error:
                broken[file.relative_to(SOURCE).as_posix()] = str(error)
        assert not broken, "\n".join(f"{file}: {what}" for file, what in broken.items())

    return test


# From the ground up: each may use what stands above it in this list, and itself.
LAYERS = (
    ("errors", "plugins"),
    ("kernel",),
    ("system",),
    ("systems",),
    ("fight", "handouts"),
    ("players", "lab", "testing"),  # the lab plays by tactics, and players that think ahead use the lab
    ("envs",),
    ("world",),
    ("server",),
    ("edition", "mcp", "evennia"),
    ("terminal", "__main__"),
)
HEIGHT = {part: height for height, parts in enumerate(LAYERS) for part in parts}

# Folders of a system that stand higher than its rules: its commands, and a game that is made of fights.
RAISED = {"commands": "terminal", "journey": "lab"}

# What is not the standard library, and who may need it.
EXTRAS = {
    "numba": ("kernel/native/", "kernel/wasm/build.py"),
    "numpy": ("kernel/native/", "envs/"),
    "gymnasium": ("envs/",),
    "pettingzoo": ("envs/",),
    "pyspiel": ("envs/",),
    "PIL": (),
    "llvmlite": ("kernel/native/memory.py", "kernel/wasm/build.py"),
    "wasmtime": ("kernel/wasm/wasmtime.py",),
    "matplotlib": ("lab/",),
    "prompt_toolkit": ("terminal/",),
    "tomlkit": (),
    "asyncpg": ("world/store/",),
    "argon2": ("world/",),
    "cryptography": ("world/push/", "server/web/"),
    "http_ece": ("world/push/",),
    "py_vapid": ("world/push/",),
    "msgspec": ("server/", "edition/"),
    "litestar": ("server/web/",),
    "uvicorn": ("server/web/", "mcp/"),
    "prometheus_client": ("server/web/",),
    "redis": ("server/web/",),
    "mcp": ("mcp/",),
    "mcp_types": ("mcp/",),
    "pydantic": ("mcp/",),
    "httpx2": ("mcp/",),
    "evennia": ("evennia/",),
    "django": ("evennia/",),
    "twisted": ("evennia/",),
}


def imports(body: list[ast.stmt], inside: bool = False) -> Iterator[tuple[str, bool]]:
    """Every module that is imported, and whether only when a function runs; what only types need is left out."""
    for statement in body:
        match statement:
            case ast.Import(names=names):
                yield from ((name.name, inside) for name in names)
            case ast.ImportFrom(module=module, names=names, level=0) if module is not None:
                yield from ((f"{module}.{name.name}", inside) for name in names)
            case ast.ImportFrom():
                raise AssertionError(f"line {statement.lineno}: imports name their module in full")
            case ast.If(test=ast.Name(id="TYPE_CHECKING"), orelse=orelse):
                yield from imports(orelse, inside)
            case ast.FunctionDef(body=within) | ast.AsyncFunctionDef(body=within):
                yield from imports(within, True)
            case _:
                for block in ("body", "orelse", "finalbody"):
                    yield from imports(getattr(statement, block, []), inside)
                for handler in (*getattr(statement, "handlers", ()), *getattr(statement, "cases", ())):
                    yield from imports(handler.body, inside)


def imported(file: Path, lazily: bool) -> set[str]:
    """The modules that a file imports: when it is loaded, or also when its functions run."""
    return {name for name, inside in read(file) if lazily or not inside}


@cache
def read(file: Path) -> list[tuple[str, bool]]:
    """What all tests of a file ask about it."""
    return list(imports(parsed(file).body))


@cache
def parsed(file: Path) -> ast.Module:
    return ast.parse(file.read_text(encoding="utf-8"))


def part_of(module: str) -> str:
    """`affray.kernel.chance` is part of `kernel`; `affray.Fight` and the like come through the front door."""
    parts = module.split(".")[1:]
    return layer(parts) if parts and parts[0] in HEIGHT else ""


def home(file: Path) -> str:
    return layer(file.relative_to(SOURCE).with_suffix("").parts)


def layer(parts: Sequence[str]) -> str:
    """The part in whose layer a module stands, by its names below `affray`."""
    raised = RAISED.get(parts[2], "") if parts[0] == "systems" and len(parts) > 2 else ""
    return raised or parts[0]


def system_of(file: Path) -> str:
    """The system that a module belongs to, if it is one's."""
    parts = file.relative_to(SOURCE).parts
    return parts[1] if parts[0] == "systems" and len(parts) > 2 else ""


def test_every_part_has_its_layer() -> None:
    parts = {home(file) for file in MODULES} - {"__init__"}
    assert parts <= set(HEIGHT), f"say in which layer these stand: {parts - set(HEIGHT)}"


@each_module
def test_nothing_is_imported_from_above(file: Path) -> None:
    if home(file) == "__init__":
        assert {module for module in imported(file, lazily=False) if module.startswith("affray")} <= {
            f"affray.errors.{name}" for name in ("Illegal", "Invalid", "MissingExtra", "Refused")
        }
        return
    for module in imported(file, lazily=False):
        if module.startswith("affray.") and (part := part_of(module)):
            assert HEIGHT[part] <= HEIGHT[home(file)], f"{module} stands above {home(file)}"


@each_module
def test_kernel_and_systems_do_not_even_reach_up_while_running(file: Path) -> None:
    # The package `affray.systems` also stands in for the function of that name.
    if (
        home(file) in ("errors", "plugins", "schema", "kernel", "systems")
        and file != SOURCE / "systems" / "__init__.py"
    ):
        for module in imported(file, lazily=True):
            if module.startswith("affray.") and (part := part_of(module)):
                assert HEIGHT[part] <= HEIGHT[home(file)], f"{module} stands above {home(file)}"


@each_module
def test_systems_know_nothing_of_each_other(file: Path) -> None:
    if own := system_of(file):
        for module in imported(file, lazily=True):
            if module.startswith("affray.systems."):
                assert module.split(".")[2] == own


PLAIN_WORDS = {"edition", "fled", "names", "range", "waiting", "words"}
"""Names of options and endings that are words of the code around systems as well."""


@cache
def known_of_systems() -> frozenset[str]:
    """What tells systems apart: ids, titles, names of options, their own endings, and the line that opens a fight."""
    known = set()
    for system in map(find, names()):
        known |= {system.id, system.title, *system.endings, Fight(system, system.demonstration, seed=1).lines[0].text}
        known |= {option.name for option in system.all_options} - {undoing.NAME, gauging.NAME}
    return frozenset(known - PLAIN_WORDS)


@each_module
def test_nothing_but_systems_knows_a_system(file: Path) -> None:
    if file.is_relative_to(SOURCE / "systems"):
        return
    words = {node.value for node in ast.walk(parsed(file)) if isinstance(node, ast.Constant)}
    assert not words & known_of_systems()
    if home(file) != "__init__":  # the front door hands out `affray.Journey`
        assert not any(module.startswith("affray.systems.") for module in imported(file, lazily=True))


def test_the_page_knows_no_system() -> None:
    known = "|".join(map(re.escape, known_of_systems()))
    quoted, selected = rf"""(?<=["'`])({known})(?=["'`])""", rf"[.#-]({known})(?= [{{,.:>+~])"
    for folder in (SOURCE / "server" / "page", SOURCE / "edition" / "static"):
        for file in (file for file in folder.rglob("*") if file.suffix in (".js", ".css", ".html")):
            code = re.sub(r"^ *//.*", "", file.read_text(encoding="utf-8"), flags=re.MULTILINE)
            assert not re.search(selected if file.suffix == ".css" else quoted, code), file


@each_module
def test_what_the_web_edition_has_imports_nothing_that_it_leaves_out(file: Path) -> None:
    name = file.relative_to(SOURCE).as_posix()
    if not left_out(name) and not name.startswith("kernel/native/"):  # which only the keys of modules need there
        for module in imported(file, lazily=False):
            *parts, last = module.split(".")[1:] or [""]
            places = ("/".join(parts), "/".join((*parts, last)))  # the last may be a name in the module
            assert not any(left_out(f"{place}.py") and (SOURCE / f"{place}.py").exists() for place in places), module


def left_out(name: str) -> bool:
    return any(fnmatchcase(name, f"{what}*") for what in LEFT_OUT)


@each_module
def test_an_extra_is_imported_only_where_it_belongs(file: Path) -> None:
    place = file.relative_to(SOURCE).as_posix()
    for module in imported(file, lazily=False):
        owners = EXTRAS.get(module.split(".")[0])
        assert owners is None or place.startswith(owners), f"{place} imports {module} when it is loaded"
        assert module.split(".")[0] not in ("pytest", "hypothesis", "icepool", "jsonschema")


@each_module
def test_a_module_begins_with_a_sentence_that_says_what_it_is_for(file: Path) -> None:
    described = ast.get_docstring(parsed(file))
    assert described, "there is no docstring"
    assert described.split("\n\n")[0].rstrip().endswith((".", "!")), described


@each_module
def test_no_module_is_called_by_what_says_nothing(file: Path) -> None:
    for word in ("util", "helper", "manager", "misc", "common"):
        assert word not in file.stem


PLAY = """
import sys
for extra in ("numba", "numpy", "matplotlib", "prompt_toolkit"):
    sys.modules[extra] = None
import affray, affray.testing
from affray.players.tactics import play_on, usual_tactics
fight = affray.Fight("bgo", "heroes=player,squire monsters=ember-bat", seed=7)
play_on(fight, usual_tactics(fight))
fight.save(sys.argv[1])
assert affray.Fight.load(sys.argv[1]).story == fight.story
report = affray.testing.check_system("bgo", fights=1)
assert any("Numba is not installed" in note for note in report.not_tried), report
print(fight.ending)
"""


def test_without_any_extra_everything_still_plays(tmp_path: Path) -> None:
    # find_spec sees what is installed; what is None in sys.modules counts as not installed.
    run = subprocess.run(
        [sys.executable, "-c", PLAY, str(tmp_path / "fight.json")], capture_output=True, text=True, timeout=60
    )
    assert run.returncode == 0, run.stderr
    assert run.stdout.strip() in ("heroes", "monsters", "draw", "fled")
