"""A newcomer's first minute: what an empty browser loads, when it can be used, and how soon a click is a fight.

`python -m benchmarks.welcome [TIMES]` starts a server and Chromium, and prints the median of several visits, each with
an empty browser. It needs the dev extra and Chromium.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import NamedTuple

from playwright.sync_api import Browser, Response, sync_playwright

CHROMIUM = "/usr/bin/chromium"
PATIENCE = 60_000  # milliseconds, before something is taken not to come
PLAY = ".game .play"


class Visit(NamedTuple):
    """What one visit has cost."""

    requests: float
    kilobytes: float
    lobby: float
    """Seconds until the lobby can be used."""
    clicks: float
    fight: float
    """Seconds from the click until the first move can be made."""
    requests_then: float


@contextmanager
def served() -> Iterator[str]:
    """The address of a server with an empty world."""
    with tempfile.TemporaryDirectory() as folder:
        noted = Path(folder) / "port"
        words = ["serve", "--web", "127.0.0.1:0", "--web-port-file", str(noted), "--store", f"{folder}/world.db"]
        server = subprocess.Popen([sys.executable, "-m", "affray", *words], stdout=subprocess.DEVNULL)
        try:
            while not noted.exists() or not noted.read_text().strip():
                time.sleep(0.05)
            yield f"http://127.0.0.1:{int(noted.read_text())}/"
        finally:
            server.terminate()
            server.wait()


def visit(browser: Browser, address: str, system: str) -> Visit:
    """Open the lobby in an empty browser, and click once."""
    page = browser.new_context().new_page()
    page.set_default_timeout(PATIENCE)
    answers: list[Response] = []
    page.on("response", lambda answer: answers.append(answer))
    begun = time.perf_counter()
    page.goto(address)
    page.locator(PLAY).first.wait_for()
    lobby, before = time.perf_counter() - begun, len(answers)
    weight = sum(int(answer.header_value("content-length") or 0) for answer in answers)
    begun = time.perf_counter()
    page.locator(f'[data-system="{system}"] {PLAY.split()[1]}').click()
    page.locator("button.move").first.wait_for()
    fight = time.perf_counter() - begun
    page.context.close()
    return Visit(before, weight / 1000, lobby, 1, fight, len(answers) - before)


def main(times: int) -> None:
    """Print what visits have cost."""
    with served() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        visit(browser, address, "bgo")  # the server has described its systems then
        visits = [visit(browser, address, "bgo") for _ in range(times)]
        browser.close()
    middle = Visit(*(median(values) for values in zip(*visits, strict=True)))
    print(f"lobby, empty browser: {middle.requests:.0f} requests, {middle.kilobytes:.0f} kB, {middle.lobby:.2f} s")
    print(f"first fight: {middle.clicks:.0f} click, {middle.requests_then:.0f} requests, {middle.fight:.2f} s")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 5)
