"""Building the web edition: what cannot be built leaves everything as it was."""

from __future__ import annotations

from pathlib import Path

import pytest

from affray.edition.build import build
from affray.errors import Invalid


def test_a_build_that_fails_leaves_the_earlier_edition(tmp_path: Path) -> None:
    folder, pyodide = tmp_path / "edition", tmp_path / "pyodide"
    folder.mkdir()
    (folder / "service_worker.js").write_text("// an earlier edition")
    with pytest.raises(Invalid, match=r"is not a folder of Pyodide: it has no pyodide\.mjs"):
        build(folder, pyodide)
    assert [file.name for file in folder.iterdir()] == ["service_worker.js"]
    with pytest.raises(Invalid, match="is not a folder of Pyodide"):
        build(tmp_path / "new", pyodide)
    assert not (tmp_path / "new").exists()


def test_a_folder_with_other_files_is_not_touched(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("years of work")
    with pytest.raises(Invalid, match="has other files in it; choose an empty folder"):
        build(tmp_path)
    assert (tmp_path / "thesis.txt").read_text() == "years of work"
