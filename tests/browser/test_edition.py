"""The web edition in a browser: all of Affray without a server, and after the first visit without a connection."""

from __future__ import annotations

import functools
import gzip
import http.server
import os
import re
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from affray.edition.build import build
from affray.fight.verifying import report
from affray.handouts import printing
from affray.lab.simulate import simulate
from affray.system.registry import find

SYSTEMS = ["bgo", "grapple", "deckahedron", "mythos", "strategic"]
BY_KEYS = {"bgo", "mythos"}  # the others are fought with the mouse
MOST_BYTES = 8_000_000  # compressed
DEVICE = "async () => (await import('./page/device.js')).isDeviceReady()"
JOB = "async (id) => (await import('./page/api.js')).get(`lab/jobs/${id}`)"
READY = "() => navigator.serviceWorker.ready.then(() => true)"


class Files(http.server.SimpleHTTPRequestHandler):
    """A host of static files."""

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


@pytest.fixture(scope="module")
def folder(pages: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    pyodide = os.environ.get("AFFRAY_TEST_PYODIDE")
    if not pyodide:
        pytest.skip("Pyodide is not here (AFFRAY_TEST_PYODIDE is the folder of npm's pyodide)")
    built = tmp_path_factory.mktemp("edition") / "built"
    build(built, Path(pyodide))
    return built


@pytest.fixture(scope="module")
def address(folder: Path) -> Iterator[str]:
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Files, directory=folder)) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}/"
        server.shutdown()


@pytest.fixture(scope="module")
def player(pages: Any, windows: Any, address: str) -> Iterator[Any]:
    """A visitor of the edition, who has lost the connection after the first visit; no other host may be asked.

    All tests share one, because its Pythons take seconds to start.
    """
    visitor = pages.Visitor(windows, address, odds=True)
    asked: list[str] = []
    visitor.page.on("request", lambda request: asked.append(request.url))
    visitor.go()
    go_offline(visitor)
    yield visitor
    assert not visitor.problems
    assert [url for url in asked if not url.startswith((address, "data:", "blob:", "about:"))] == []
    visitor.close()


def go_offline(visitor: Any) -> None:
    """Wait until everything is kept, and cut the connection."""
    visitor.page.evaluate(READY)
    visitor.page.context.set_offline(True)
    visitor.page.reload()
    visitor.arrived()


def finish_by_keys(visitor: Any, pages: Any) -> None:
    """Fight on to the end with the keyboard alone: the digits of the moves."""
    for _ in range(pages.MOST_MOVES):
        pages.until(lambda: visitor.is_over or visitor.moves, "a question or the end", visitor.page)
        if visitor.is_over:
            return
        asked = visitor.page.locator(pages.OPEN_MOVES).first.element_handle()
        visitor.page.keyboard.press("1")
        asked.wait_for_element_state("hidden")
    raise AssertionError("the fight never ends")


def test_the_download_is_small(folder: Path) -> None:
    files = [file for file in folder.rglob("*") if file.is_file()]
    assert sum(len(gzip.compress(file.read_bytes())) for file in files) <= MOST_BYTES


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_whole_fight_without_a_connection(system: str, player: Any, pages: Any) -> None:
    player.new_fight(system, "storyteller")
    player.page.locator(pages.ODDS).first.wait_for()
    if system in BY_KEYS:
        finish_by_keys(player, pages)
    else:
        player.finish(system)


def test_a_fight_is_kept_and_its_log_is_one_of_every_other_edition(player: Any, pages: Any) -> None:
    player.new_fight("bgo", "policy")
    player.finish("bgo")
    story = player.story
    player.page.reload()
    player.page.locator("#ending").wait_for()
    assert player.story == story, "what was played is kept"
    player.end()
    player.page.click(".fair summary")
    player.page.click("#verify")
    player.page.locator(".verdict.fits").wait_for()
    with player.page.expect_download() as saved:
        player.page.click("#download-log")
    assert report(saved.value.path().read_bytes())["fits"]
    player.page.locator("a", has_text="Replay").click()
    player.arrived()
    player.page.click("#last")
    assert player.story == story


def test_the_lab_counts_what_this_machine_counts(player: Any) -> None:
    player.go("#/lab")
    player.page.select_option("select[name=system]", "bgo")
    player.page.fill("input[name=fights]", "1000000")
    player.page.fill("input[name=seed]", "7")
    player.page.click("#run")
    results = player.page.locator("article.job")
    expect(results).to_contain_text(", compiled; seed 7.")
    counted = simulate("bgo", {"heroes": ["player"], "monsters": ["fire-slime"]}, fights=1_000_000, seed=7)
    found = player.page.evaluate(JOB, results.get_attribute("data-job"))["result"]["endings"]
    assert {ending: row["count"] for ending, row in found.items()} == dict(counted.counts)


def test_the_only_player_has_a_profile_and_a_picture_to_share(player: Any) -> None:
    player.new_fight("bgo", "policy")
    player.page.click("#resign")
    player.page.click("#confirm-resign")
    player.page.click("#share-fight")
    expect(player.page.locator("#picture")).to_have_attribute("alt", re.compile(r"resigned\.$"))
    expect(player.page.locator("#share-link")).to_have_count(0)
    player.page.get_by_role("button", name="Close", exact=True).click()
    player.go("#/player/me")
    expect(player.page.locator(".past li").first).to_contain_text("lost")
    expect(player.page.locator("#want-ratings")).to_have_count(0)


def test_another_tab_waits_for_its_turn(player: Any) -> None:
    other = player.page.context.new_page()
    other.goto(player.address)
    other.locator("#connection", has_text="open in another tab").wait_for()
    player.page.goto("about:blank")
    other.locator("main:not([aria-busy]) h1").wait_for()
    other.close()
    player.go()


def test_a_journey_and_a_page_to_print(player: Any) -> None:
    player.new_journey("Rival")
    player.await_moves()
    player.move(player.moves[0])
    player.await_moves()
    player.go("#/library/bgo")
    expect(player.page.locator("main")).to_contain_text("Fire Slime")
    player.page.click("#paper summary")
    player.page.select_option("#paper select", "fire-slime")
    with player.page.expect_download() as saved:
        player.page.click("#save-page")
    page = saved.value.path().read_text(encoding="utf-8")
    assert page == printing.page(find("bgo"), [find("bgo").enlist("fire-slime")])


def test_it_fits_a_phone_and_axe_finds_nothing_grave(player: Any) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    player.page.set_viewport_size({"width": 360, "height": 740})
    player.new_fight("bgo", "policy")
    for route in (player.page.url, "#/", "#/lab"):
        player.go(route)
        grave = [v for v in axe.run(player.page).response["violations"] if v["impact"] in ("serious", "critical")]
        assert grave == []
        assert player.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_page_with_a_server_works_out_odds_and_simulations_itself(
    pages: Any, windows: Any, folder: Path, tmp_path: Path
) -> None:
    with pages.serving(tmp_path, {}, "--edition", str(folder)) as server:
        ann = pages.Visitor(windows, server.address, odds=True)
        asked: list[str] = []
        ann.page.on("request", lambda request: asked.append(request.url.removeprefix(server.address)))
        ann.go()
        ann.register("Ann")
        pages.until(lambda: ann.page.evaluate(DEVICE), "a Python in the page", ann.page)
        asked.clear()
        for system in SYSTEMS:
            ann.new_fight(system, "storyteller")
            ann.page.locator(pages.ODDS).first.wait_for()
        assert any("/position?fighter=" in url for url in asked)
        ann.go("#/lab")
        ann.page.select_option("select[name=system]", "bgo")
        ann.page.fill("input[name=fights]", "20000")
        ann.page.click("#run")
        expect(ann.page.locator("article.job")).to_contain_text(", compiled; seed")
        assert [url for url in asked if url.endswith("/odds") or "lab/jobs" in url] == [], "the server has worked"
        assert not ann.problems
        ann.close()


def test_a_fight_and_its_odds_in_another_page(folder: Path, address: str, player: Any, tmp_path: Path) -> None:
    sides = 'system="bgo" teams="heroes=player monsters=fire-slime"'
    scripts = "".join(f'<script type="module" src="embed/affray-{what}.js"></script>' for what in ("fight", "odds"))
    page = f"<!doctype html><title>A wiki</title>{scripts}<affray-odds {sides}></affray-odds>"
    (folder / "wiki.html").write_text(f"{page}<affray-fight {sides}></affray-fight>", encoding="utf-8")
    player.page.context.set_offline(False)
    player.page.goto(f"{address}wiki.html")
    player.page.click("affray-odds button")
    odds = player.page.locator("affray-odds table")
    expect(odds).to_contain_text("How the fight ends, counted exactly")
    expect(odds).to_contain_text("96.37%")
    player.page.click("affray-fight button")
    fight = player.page.frame_locator("affray-fight iframe")
    fight.locator('button[data-move="attack"] .odds:not(.pending)').wait_for()
    fight.locator('button[data-move="flee"]').click()
    fight.locator("#ending").wait_for()
    (folder / "wiki.html").unlink()
