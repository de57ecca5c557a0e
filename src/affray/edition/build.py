"""Builds the web edition: the page, Pyodide, Affray, and the service worker that keeps them for use offline."""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from fnmatch import fnmatchcase
from importlib.metadata import distribution
from pathlib import Path

import affray
from affray.errors import Invalid, Refused

PYODIDE = "314.0.7"
"""The version of npm's package `pyodide` that the edition runs on."""

MSGSPEC = "0.22.0"
"""A version of msgspec that there is a wheel of for this Pyodide."""

SOURCE = Path(affray.__file__).parent
PAGE = SOURCE / "server" / "page"
STATIC = SOURCE / "edition" / "static"
PYTHON = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
WORKERS = ("python.js", "host.js", "work.js", "pool.js", "storage.js", "ask.js")
# What a browser never needs: it has no terminal, no network of its own and no Numba.
LEFT_OUT = (
    "envs",
    "evennia",
    "fight/fight.schema.json",
    "kernel/native/jit.py",
    "kernel/wasm/wasmtime.py",
    "lab/arena.py",
    "lab/building.py",
    "lab/compiling.py",
    "lab/design",
    "lab/finding.py",
    "lab/plot.py",
    "lab/ratings.py",
    "mcp",
    "players/program.py",
    "system/sheet_files.py",
    "systems/*/commands/",
    "terminal",
    "testing.py",
    "server/bench.py",
    "server/garbage.py",
    "server/listening.py",
    "server/log_format.py",
    "server/page",
    "server/telnet",
    "server/web",
    "world/store/backup.py",
    "edition/static",
    "edition/build.py",
)
WHEN = (1980, 1, 1, 0, 0, 0)  # in every archive, so that the same sources give the same bytes


def build(folder: Path, pyodide: Path | None = None) -> list[Path]:
    """Build the edition in a folder, with the files of `pyodide` or those that npm brings; returns its files.

    An edition that is there already is replaced when the new one is complete.
    """
    if folder.exists() and any(folder.iterdir()) and not (folder / "service_worker.js").exists():
        raise Invalid(f"{folder} has other files in it; choose an empty folder", given=str(folder))
    with tempfile.TemporaryDirectory() as work:
        made = Path(work, "edition")
        _python(made / "python", pyodide or _from_npm(Path(work)), Path(work))
        shutil.copytree(STATIC / "embed", made / "embed")
        _page(made)
        _service_worker(made)
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(made, folder)
    return sorted(file for file in folder.rglob("*") if file.is_file())


def _python(folder: Path, pyodide: Path, work: Path) -> None:
    """Pyodide, Affray and msgspec, and the workers that run them."""
    for name in PYTHON:
        if not (pyodide / name).is_file():
            raise Invalid(f"{pyodide} is not a folder of Pyodide: it has no {name}", given=str(pyodide))
    folder.mkdir(parents=True)
    for name in PYTHON:
        shutil.copyfile(pyodide / name, folder / name)
    _wheel(pyodide, folder / "msgspec.whl", work)
    _lock(folder / "pyodide-lock.json")
    _package(folder / "affray.zip")
    _precompile(folder)
    for name in WORKERS:
        shutil.copyfile(STATIC / name, folder / name)


def _precompile(python: Path) -> None:
    node = shutil.which("node")
    if node is None:
        raise Refused("building the web edition needs Node, which runs Pyodide to compile the sources")
    _run([node, str(STATIC / "precompile.mjs"), str(python.resolve())], "the sources", "compiled")


def _page(folder: Path) -> None:
    """The page of a server, with another way to the world."""
    shutil.copytree(PAGE, folder / "page", ignore=shutil.ignore_patterns("index.html", "bench.js", "push_worker.js"))
    shutil.copyfile(STATIC / "transport.js", folder / "page" / "transport.js")
    index = (PAGE / "index.html").read_text(encoding="utf-8")
    only_here = (
        "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; style-src 'self'; "
        "img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'"
    )
    head = f'    <meta http-equiv="Content-Security-Policy" content="{only_here}">\n'
    index = index.replace('    <meta name="viewport"', f'{head}    <meta name="viewport"')
    index = index.replace('        <a href="schema/openapi.json">The interface for programs</a>\n', "")
    (folder / "index.html").write_text(index, encoding="utf-8")


def _service_worker(folder: Path) -> None:
    """The worker that keeps all files; its version changes with any of them."""
    known = sorted(file for file in folder.rglob("*") if file.is_file())
    version = hashlib.sha256()
    for file in known:
        version.update(f"{file.relative_to(folder).as_posix()}\0".encode() + file.read_bytes())
    names = ["./", *(file.relative_to(folder).as_posix() for file in known)]
    text = (STATIC / "service_worker.js").read_text(encoding="utf-8")
    text = text.replace("{version}", f"affray-{version.hexdigest()[:16]}").replace("{files}", json.dumps(names))
    (folder / "service_worker.js").write_text(text, encoding="utf-8")


def _package(to: Path) -> None:
    """Affray as a browser needs it, and what it says of itself."""
    with zipfile.ZipFile(to, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as packed:
        for file in sorted(SOURCE.rglob("*")):
            name = file.relative_to(SOURCE).as_posix()
            left_out = "__pycache__" in file.parts or any(fnmatchcase(name, f"{what}*") for what in LEFT_OUT)
            if file.is_file() and not left_out:
                _add(packed, f"affray/{name}", file.read_bytes())
        points = distribution("affray").read_text("entry_points.txt") or ""
        _add(packed, f"affray-{affray.__version__}.dist-info/entry_points.txt", points.encode())


def _add(packed: zipfile.ZipFile, name: str, content: bytes) -> None:
    entry = zipfile.ZipInfo(name, WHEN)
    entry.compress_type = zipfile.ZIP_DEFLATED
    packed.writestr(entry, content)


def _lock(file: Path) -> None:
    """Leave out of Pyodide's list the hundreds of packages that would come from another host."""
    table = json.loads(file.read_text(encoding="utf-8"))
    file.write_text(json.dumps({**table, "packages": {}}), encoding="utf-8")


def _from_npm(work: Path) -> Path:
    npm = shutil.which("npm")
    if npm is None:
        raise Refused("building the web edition needs npm, which brings Pyodide, or --pyodide with its folder")
    _run([npm, "pack", "--silent", "--pack-destination", str(work), f"pyodide@{PYODIDE}"], "Pyodide")
    with tarfile.open(next(work.glob("pyodide-*.tgz"))) as packed:
        packed.extractall(work, filter="data")
    return work / "package"


def _wheel(source: Path, to: Path, work: Path) -> None:
    """The wheel of msgspec that fits Pyodide, as its list says what it is."""
    about = json.loads((source / "pyodide-lock.json").read_text(encoding="utf-8"))["info"]
    major, minor, *_ = about["python"].split(".")
    fits = ["--platform", f"pyemscripten_{about['abi_version']}_wasm32", "--python-version", f"{major}.{minor}"]
    how = ["--quiet", "--no-deps", "--only-binary=:all:", "--implementation", "cp", "--abi", f"cp{major}{minor}", *fits]
    _run([sys.executable, "-m", "pip", "download", *how, "--dest", str(work), f"msgspec=={MSGSPEC}"], "msgspec")
    shutil.copyfile(next(work.glob("msgspec-*.whl")), to)


def _run(command: list[str], what: str, done: str = "fetched") -> None:
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    if ran.returncode:
        last = (ran.stderr.strip() or ran.stdout.strip() or "no reason given").splitlines()[-1]
        raise Refused(f"{what} could not be {done}: {last}")
