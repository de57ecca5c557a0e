"""The tables and the picture that the documentation takes from the package are those of the package."""

import runpy
from pathlib import Path

ROOT = Path(__file__).parents[1]


def test_tables_and_picture_are_current() -> None:
    outdated = runpy.run_path(str(ROOT / "docs" / "make_tables.py"))["outdated"]()
    names = [str(path.relative_to(ROOT)) for path in outdated]
    assert not names, f"no longer current, and `python docs/make_tables.py` writes them anew: {', '.join(names)}"
