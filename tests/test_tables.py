"""The tables and the picture that the documentation takes from the package are those of the package."""

import runpy
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

pytestmark = pytest.mark.long

DOCS = Path(__file__).parents[1] / "docs"
ELSEWHERE = {DOCS / "systems" / "strategic.md"}  # beside the tests of its balance, which fight the same fights


@pytest.fixture(scope="module")
def tables() -> dict[str, Any]:
    return runpy.run_path(str(DOCS / "make_tables.py"))


def test_tables_and_picture_are_current(tables: dict[str, Any], native: ModuleType) -> None:
    for path in (*tables["PAGES"], tables["PICTURE"]):
        if path not in ELSEWHERE:
            assert path.read_text(encoding="utf-8") == tables["current"](path), (
                f"{path.relative_to(DOCS)} is no longer current; `python docs/make_tables.py` writes it anew"
            )
