"""Moves in a long story: how soon after a click one is painted, when the story is short and when it has 1,000 lines.

`python -m benchmarks.stories` starts a server and Chromium, and plays a duel of bgo that hardly ever ends. It needs the
dev extra and Chromium.
"""

from __future__ import annotations

from statistics import median

from playwright.sync_api import Page, sync_playwright

from benchmarks.welcome import CHROMIUM, PATIENCE, served

LINES = 1_000
MEASURED = 30  # moves
SCREENS = {"desk": {"width": 1280, "height": 720}, "phone": {"width": 390, "height": 844}}
CREATE = """async () => {
    const { becomeGuest } = await import("./page/session.js");
    const { post } = await import("./page/api.js");
    await becomeGuest();
    const fighter = (sheet, by) => ({ sheet: `${sheet}:max_health=99:health=99:defense=9`, by });
    const teams = { heroes: [fighter("player", "me")], monsters: [fighter("fire-slime", "policy")] };
    const options = { round_cap: 10000 };
    return (await post("combats", { name: "duel", system: "bgo", teams, options, start: true })).number;
}"""
# Faster than this, the server says that it was too fast.
ATTACK = """async (moves) => {
    const painted = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    const times = [];
    for (let made = 0; made < moves; made++) {
        const asked = document.querySelector("#question span");
        const begun = performance.now();
        document.querySelector('.ask:not(.answered) button[data-move="attack"]').click();
        while (asked.isConnected) await new Promise((resume) => setTimeout(resume, 1));
        await painted();
        times.push(performance.now() - begun);
        await new Promise((resume) => setTimeout(resume, 60));
    }
    return times;
}"""


def lines_of(page: Page) -> int:
    """How many lines the story has."""
    return page.locator("#story .line").count()


def measure(page: Page, name: str) -> None:
    """Print how long moves take now."""
    times = sorted(page.evaluate(ATTACK, MEASURED))
    late = times[len(times) * 9 // 10]
    print(f"{name}, {lines_of(page):,} lines: painted after {median(times):.0f} ms, nine of ten within {late:.0f}")


def main() -> None:
    """Print how long moves take in a short and in a long story."""
    with served() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        for name, size in SCREENS.items():
            page = browser.new_context(viewport=size, reduced_motion="reduce").new_page()  # type: ignore[arg-type]
            page.set_default_timeout(PATIENCE)
            page.goto(address)
            number = page.evaluate(CREATE)
            page.evaluate("localStorage.setItem('affray.odds', 'off')")
            page.goto(f"{address}#/fight/{number}")
            page.reload()
            page.locator(".ask:not(.answered) button.move").first.wait_for()
            measure(page, name)
            while lines_of(page) < LINES:
                page.evaluate(ATTACK, MEASURED)
            measure(page, name)
        browser.close()


if __name__ == "__main__":
    main()
