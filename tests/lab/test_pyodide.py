"""Compiled rules in a browser's Python: Pyodide runs the same modules, and finds the same."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import zipfile
from importlib.metadata import distribution
from pathlib import Path

import pytest

import affray
from affray.system.registry import names

pytestmark = pytest.mark.long

HERE = Path(__file__).parent
SOURCE = Path(affray.__file__).parent

ASKED = """
import json
import affray
from affray.lab.simulate import final_states
from affray.system.registry import find

found = {}
for system in NAMES:
    setup = affray.Setup.of(system, find(system).demonstration)
    fight = affray.Fight(system, find(system).demonstration, seed=1)
    ran = affray.simulate(setup, fights=200, seed=3)
    odds = fight.odds(fight.to_act[0], playouts=20)
    found[system] = {
        "compiled": ran.compiled,
        "counts": ran.counts,
        "means": [[who, name, rate.value] for who, row in ran.figures.items() for name, rate in row.items()],
        "ended": [state.hex() for state in final_states(setup, seed=3, numbers=range(5))],
        "odds": {move: {ending: float(chance) for ending, chance in one.chances.items()} for move, one in odds.items()},
    }
print(json.dumps(found))
"""


@pytest.fixture(scope="module")
def pyodide() -> Path:
    """The folder of npm's pyodide, which AFFRAY_TEST_PYODIDE names."""
    folder = os.environ.get("AFFRAY_TEST_PYODIDE")
    if not folder:
        pytest.skip("Pyodide is not here (AFFRAY_TEST_PYODIDE is the folder of npm's pyodide)")
    if not shutil.which("node"):
        pytest.skip("Node is not installed")
    return Path(folder).resolve()


def test_pyodide_finds_the_same_as_this_python(
    pyodide: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("AFFRAY_BACKEND", "wasm")
    package, asked = tmp_path / "affray.zip", tmp_path / "asked.py"
    with zipfile.ZipFile(package, "w") as zipped:
        for file in sorted(SOURCE.rglob("*")):
            if file.is_file() and "__pycache__" not in file.parts:
                zipped.write(file, Path("affray") / file.relative_to(SOURCE))
        zipped.writestr("affray.dist-info/entry_points.txt", str(distribution("affray").read_text("entry_points.txt")))
    asked.write_text(ASKED.replace("NAMES", repr(names())), encoding="utf-8")
    command = ["node", str(HERE / "in_pyodide.mjs"), str(pyodide), str(package), str(asked)]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr[-2000:]
    there = json.loads(ran.stdout)
    exec(compile(ASKED.replace("NAMES", repr(names())), "asked.py", "exec"), {})
    here = json.loads(capsys.readouterr().out)
    assert all(found["compiled"] for found in there.values())
    assert there == here
