"""The web edition in Chromium: how soon it is there, how fast it counts, and how idle it leaves a server.

`python -m benchmarks.edition [PYODIDE]` builds the edition, with the files of npm's pyodide in that folder or those
that npm fetches, and prints one table. It needs the dev extra and Chromium.
"""

from __future__ import annotations

import functools
import gzip
import http.server
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, sync_playwright

from affray.edition.build import build
from affray.lab.simulate import simulate
from affray.system.registry import names

DUEL = {"heroes": ["player"], "monsters": ["fire-slime"]}
FIGHTS = 1_000_000
SECONDS = 60_000  # milliseconds, before something is taken not to come
ASK = """async ([path, body]) => {
    const { get, post } = await import('./page/api.js');
    return body === null ? get(path) : post(path, body);
}"""
READY = "async () => (await import('./page/device.js')).isDeviceReady()"


class Files(http.server.SimpleHTTPRequestHandler):
    """A host of static files."""

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


@contextmanager
def hosted(folder: Path) -> Iterator[str]:
    """The address of a host of static files."""
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Files, directory=folder)) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}/"
        server.shutdown()


@contextmanager
def served(edition: Path, folder: Path) -> Iterator[tuple[str, int]]:
    """The address of a server that offers the edition to its pages, and the number of its process."""
    noted = folder / "port"
    words = ["serve", "--web", "127.0.0.1:0", "--web-port-file", str(noted), "--store", str(folder / "world.db")]
    command = [sys.executable, "-m", "affray", *words, "--edition", str(edition)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    try:
        while not noted.exists() or not noted.read_text().strip():
            time.sleep(0.02)
        yield f"http://127.0.0.1:{noted.read_text().strip()}/", process.pid
    finally:
        process.terminate()
        process.wait()


def alone(page: Page, address: str) -> None:
    """The edition without a server."""
    begun = time.perf_counter()
    page.goto(f"{address}#/start/bgo")
    page.locator("button[data-move]").first.wait_for(timeout=SECONDS)
    print(f"first visit: a first move is possible after {time.perf_counter() - begun:12.1f} s")
    page.evaluate("() => navigator.serviceWorker.ready.then(() => true)")
    page.context.set_offline(True)
    begun = time.perf_counter()
    page.reload()
    page.locator("button[data-move]").first.wait_for(timeout=SECONDS)
    print(f"next visit, without a connection {time.perf_counter() - begun:24.1f} s")
    counted(page, 1000)  # starts all workers
    begun = time.perf_counter()
    counts = counted(page, FIGHTS)
    print(f"{FIGHTS:,} fights of bgo {time.perf_counter() - begun:34.2f} s")
    same = counts == dict(simulate("bgo", DUEL, fights=FIGHTS, seed=7).counts)
    print(f"the same counts as on this machine without a browser {'yes' if same else 'NO':>6}")


def counted(page: Page, fights: int) -> dict[str, int]:
    """How the fights of a lab job in the page ended."""
    asked = {"kind": "simulate", "system": "bgo", "teams": DUEL, "fights": fights, "seed": 7}
    job = page.evaluate(ASK, ["lab/jobs", asked])
    while True:
        found = page.evaluate(ASK, [f"lab/jobs/{job['id']}", None])
        if found["state"] != "running":
            return {ending: row["count"] for ending, row in found["result"]["endings"].items()}


def with_server(page: Page, address: str, process: int) -> None:
    """Odds that the page works out itself, and what that costs the server."""
    page.goto(address)
    page.evaluate(ASK, ["accounts", {"name": "Ann", "password": "open sesame 7"}])
    page.reload()
    while not page.evaluate(READY):
        time.sleep(0.1)
    for system in names():
        page.evaluate("() => { location.hash = '#/' }")
        page.locator("h1", has_text="Lobby").wait_for(timeout=SECONDS)
        page.evaluate("address => { location.hash = address }", f"#/start/{system}")
        page.locator(".ask button[data-move]").first.wait_for(timeout=SECONDS)
        begun, before = time.perf_counter(), spent(process)
        page.locator(".ask .odds:not(.pending)").first.wait_for(timeout=SECONDS)
        taken, used = time.perf_counter() - begun, spent(process) - before
        print(f"odds of {system:12} after a decision {1000 * taken:14.0f} ms, of the server {1000 * used:5.0f} ms")


def spent(process: int) -> float:
    """Seconds of processor time that a process and its ended children have used."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[11:15])) / 100


def main() -> int:
    """Build, measure and print."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    with tempfile.TemporaryDirectory() as work, sync_playwright() as playwright:
        edition = Path(work, "edition")
        files = build(edition, Path(sys.argv[1]) if len(sys.argv) > 1 else None)
        size = sum(len(gzip.compress(file.read_bytes())) for file in files)
        print(f"to download, compressed {size / 1e6:33.2f} MB")
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        with hosted(edition) as address:
            alone(browser.new_context().new_page(), address)
        with served(edition, Path(work)) as (address, process):
            with_server(browser.new_context().new_page(), address, process)
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
