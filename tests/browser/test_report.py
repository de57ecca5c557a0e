"""A report in a real browser: accessible, readable on a phone and on paper."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import affray
from affray.lab.design.report.report import report

pytestmark = pytest.mark.server


@pytest.fixture(scope="module", params=affray.systems())
def page(request: pytest.FixtureRequest, windows: Any, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The report on some fighters of a system."""
    file: Path = tmp_path_factory.mktemp("report") / "report.html"
    few = [id for own in affray.sheets(request.param).values() for id in own][:4]
    report(request.param, few, fights=20, looked_into=2, playouts=10).write(file)
    page = windows.open(True, {})
    page.goto(file.as_uri())
    yield page
    page.close()


def test_axe_finds_nothing(page: Any) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    for size in ({"width": 1000, "height": 800}, {"width": 390, "height": 800}):
        page.set_viewport_size(size)
        assert axe.run(page).response["violations"] == []


def test_it_fits_a_phone(page: Any) -> None:
    page.set_viewport_size({"width": 390, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_marks_of_pictures_say_what_they_are(page: Any) -> None:
    titles = page.eval_on_selector_all("svg g > title", "all => all.map(one => one.textContent)")
    assert any(": " in title and " to " in title for title in titles)


def test_on_paper_nothing_is_cut_off(page: Any) -> None:
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 700, "height": 990})  # A4 within its margins
    assert page.evaluate("document.documentElement.scrollWidth") <= 700
    page.emulate_media(media="screen")


@pytest.mark.usefixtures("windows")  # there is a browser
def test_it_is_printed_into_a_file(tmp_path: Path) -> None:
    report("bgo", ["player", "fire-slime"], fights=20, looked_into=1, playouts=10).write(tmp_path / "report.pdf")
    printed = (tmp_path / "report.pdf").read_bytes()
    assert printed.startswith(b"%PDF")
    assert len(re.findall(rb"/Type\s*/Page\b", printed)) >= 2
