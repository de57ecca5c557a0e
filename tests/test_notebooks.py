"""Runs every notebook of the documentation: each cell works, and what a cell shows can be drawn."""

import ast
import json
from pathlib import Path

import pytest

from affray.system.registry import names

FOLDER = Path(__file__).parents[1] / "docs" / "notebooks"
pytestmark = pytest.mark.long


def test_every_system_has_a_notebook():
    assert {"bgo", "grapple", "deckahedron", "mythos", "strategic"} & set(names()) <= {f.stem for f in FOLDER.iterdir()}


@pytest.mark.parametrize("notebook", sorted(FOLDER.glob("*.ipynb")), ids=lambda path: path.stem)
def test_a_notebook_runs_from_its_first_cell_to_its_last(notebook):
    namespace, drawn = {}, 0
    for cell in json.loads(notebook.read_text(encoding="utf-8"))["cells"]:
        if cell["cell_type"] != "code":
            continue
        assert not cell["outputs"], "a notebook is stored without its output"
        *before, last = ast.parse("".join(cell["source"])).body
        if not isinstance(last, ast.Expr):
            before, last = [*before, last], None
        exec(compile(ast.Module(before, []), str(notebook), "exec"), namespace)
        if last is not None:
            shown = eval(compile(ast.Expression(last.value), str(notebook), "eval"), namespace)
            if hasattr(shown, "_repr_svg_"):
                assert shown._repr_svg_().startswith("<svg")
                drawn += 1
    assert drawn, "nothing in it draws itself"
