"""Takes pictures of the web page for docs/images: what README and documentation show of it.

Run it when the look of the page has changed: `.venv/bin/python docs/make_screenshots.py`, with the names of pictures
if only some are wanted. It plays real fights on a server of its own, so their dice fall differently every time.
"""

from __future__ import annotations

import io
import itertools
import sys
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, expect

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "browser"))
from pages import Match, Serving, Visitor, chromium, serving, until

IMAGES = Path(__file__).parent / "images"
DESK = {"viewport": {"width": 1200, "height": 900}}
PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True, "device_scale_factor": 2}
DARK = {**DESK, "color_scheme": "dark"}
TALLEST = 1250  # pixels of a page that a picture shows
LARGEST = 250_000  # bytes of a picture
TRIES = 6
PATIENCE = 240  # seconds for the compiler

DUELS = {
    "bgo": (Match(("ranger", "bramble-wolf"), ({}, {}), ()), "policy"),
    "grapple": (Match(("ahalish", "bandit"), ({}, {}), ()), "striker"),
    "deckahedron": (Match(("maren", "soldier"), ({}, {}), ()), "brawler"),
    "mythos": (Match(("detective", "ghoul"), ({}, {}), ()), "brawler"),
    "strategic": (Match(("knight", "brute"), ({}, {}), ()), "brute"),
}
"""Who fights whom in the picture of a system, and by which tactic the other moves."""


class Studio:
    """A visitor who takes pictures of what the page shows."""

    def __init__(self, browser: Browser, server: Serving) -> None:
        self.browser, self.server = browser, server
        self.known: set[str] = set()

    def visitor(self, name: str, context: Mapping[str, object] = DESK) -> Visitor:
        """A visitor with an account, in the lobby."""
        visitor = Visitor(self.browser, self.server.address, odds=True, context=context)
        visitor.go()
        if name in self.known:
            visitor.log_in(name)
        else:
            visitor.register(name)
        self.known.add(name)
        return visitor

    def take(self, visitor: Visitor, name: str, tallest: int = TALLEST) -> None:
        """Keep the page of a visitor from its top, up to a height."""
        self._settle(visitor)
        wide, high = visitor.page.evaluate("[document.documentElement.clientWidth, document.body.scrollHeight]")
        clip = {"x": 0, "y": 0, "width": wide, "height": min(tallest, high)}
        self._keep(visitor.page.screenshot(full_page=True, clip=clip), name)  # type: ignore[arg-type]

    def take_at(self, visitor: Visitor, selector: str, name: str) -> None:
        """Keep what fits a visitor's screen when something is in the middle of it."""
        self._settle(visitor)
        visitor.page.locator(selector).evaluate("node => node.scrollIntoView({ block: 'center' })")
        self._keep(visitor.page.screenshot(), name)

    def _settle(self, visitor: Visitor) -> None:
        visitor.page.mouse.move(0, 0)
        visitor.page.evaluate("document.activeElement.blur()")
        expect(visitor.page.locator("#told")).to_be_empty()

    def _keep(self, shot: bytes, name: str) -> None:
        """Write a picture in few enough colours to be small."""
        picture = IMAGES / f"{name}.png"
        # No dithering: it would put grain on plain surfaces.
        Image.open(io.BytesIO(shot)).convert("RGB").quantize(256, dither=Image.Dither.NONE).save(picture, optimize=True)
        assert picture.stat().st_size < LARGEST, f"{picture} has {picture.stat().st_size} bytes"
        print(f"{picture.name}: {picture.stat().st_size // 1000} kB")


def weighed(visitor: Visitor) -> None:
    """Wait until the odds of all moves stand beside them."""
    visitor.await_moves()
    visitor.page.locator("button.move:visible .odds:not(.pending)").first.wait_for()


def weighed_well(visitor: Visitor) -> bool:
    """Whether the odds come from compiled rules, which take a while to be ready; otherwise they are asked for again."""
    weighed(visitor)
    if "interpreted" not in visitor.page.inner_text(".legend"):
        return True
    visitor.page.reload()
    return False


def move_best(visitor: Visitor) -> None:
    """Make the best move, or the first one while none is certain to be the best."""
    best = visitor.page.locator("button.move.is-best")
    visitor.move((best.first.get_attribute("data-move") if best.count() else None) or visitor.moves[0])


def mid_fight(visitor: Visitor, system: str, moves: int, title: str) -> None:
    """Fight until a few of one's own best moves are made and it is one's turn again."""
    match, tactic = DUELS[system]
    visitor.new_fight(system, tactic, match=match)
    until(lambda: weighed_well(visitor), "odds from compiled rules", visitor.page, PATIENCE)
    for _ in range(TRIES):
        visitor.new_fight(system, tactic, match=match, title=title)
        for made in itertools.count():
            until(lambda: visitor.is_over or visitor.moves, "a question or the end", visitor.page)
            if visitor.is_over:
                break
            weighed(visitor)
            if made >= moves and visitor.question == "Your move.":
                return
            move_best(visitor)
    raise AssertionError(f"{system}: every fight was over too soon")


def lobby(studio: Studio) -> None:
    ann, ben = studio.visitor("Ann"), studio.visitor("Ben")
    ann.new_fight("bgo", "policy", match=DUELS["bgo"][0], title="The wolf at the ford")
    ben.new_fight("grapple", "open", start=False, title="Two goblins, one bridge")
    studio.visitor("Cora").new_fight("strategic", "brute", match=DUELS["strategic"][0], title="A debt of honour")
    done = studio.visitor("Ann")
    done.new_fight("bgo", "policy", title="The fire slime")
    done.finish("bgo")
    done.end()
    done.go("#/")
    expect(done.page.locator("article.combat")).to_have_count(4)
    studio.take(done, "lobby", 1000)


def new_fight(studio: Studio) -> None:
    ann = studio.visitor("Ann")
    ann.go("#/new")
    ann.fill_new_fight("mythos", "brawler", "The cellar", match=DUELS["mythos"][0])
    ann.page.click("#options summary")
    studio.take(ann, "new-fight")


def table_of(system: str, moves: int, title: str) -> Callable[[Studio], None]:
    def table(studio: Studio) -> None:
        ann = studio.visitor("Ann")
        mid_fight(ann, system, moves, title)
        ann.says("Stand and fight!")
        ann.hears("Stand and fight!")
        studio.take(ann, f"table-{system}")

    return table


def phone(studio: Studio) -> None:
    ann = studio.visitor("Ann", PHONE)
    mid_fight(ann, "bgo", 2, "The wolf at the ford")
    studio.take_at(ann, "#moves", "phone")


def dark(studio: Studio) -> None:
    ann = studio.visitor("Ann", DARK)
    mid_fight(ann, "deckahedron", 3, "The gate at night")
    studio.take(ann, "dark")


def replay(studio: Studio) -> None:
    ann = studio.visitor("Ann")
    match = Match(("ranger", "bramble-wolf"), ({"max_health": 20, "health": 20}, {"max_health": 14, "health": 14}), ())
    number = ann.new_fight("bgo", "policy", match=match, title="The wolf at the ford")
    ann.finish("bgo")
    ann.end()
    ann.go(f"#/replay/{number}")
    ann.page.click("#luck")
    ann.page.locator(".luck .chart").wait_for()
    ann.page.locator("#scrub").fill(str(int(ann.page.get_attribute("#scrub", "max") or 0) // 2))
    studio.take(ann, "replay")


def lab(studio: Studio) -> None:
    ann = studio.visitor("Ann")
    ann.go("#/lab")
    ann.fill_fighter(0, "ranger", {}, "")
    ann.fill_fighter(1, "bramble-wolf", {}, "")
    ann.page.locator("input[name=fights]").fill("1000000")
    ann.page.locator("input[name=seed]").fill("7")
    ann.page.click("#run")
    ann.page.locator("article.job .chart").wait_for()
    studio.take(ann, "lab")


def journey(studio: Studio) -> None:
    ann = studio.visitor("Ann")
    ann.new_journey("Ben", "Cora", title="The way to the summit")
    for made in itertools.count():
        until(lambda: ann.is_over or ann.moves, "a question or the end", ann.page)
        assert not ann.is_over, "the journey was over too soon"
        if made > 40 and ann.page.locator(".encounter .fighter").count():
            break
        ann.move(ann.moves[0])
    weighed(ann)
    studio.take(ann, "journey", 1400)


PICTURES: dict[str, Callable[[Studio], None]] = {
    "lobby": lobby,
    "new-fight": new_fight,
    "table-bgo": table_of("bgo", 2, "The wolf at the ford"),
    "table-grapple": table_of("grapple", 4, "A quarrel at the inn"),
    "table-deckahedron": table_of("deckahedron", 4, "The gate"),
    "table-mythos": table_of("mythos", 2, "The cellar"),
    "table-strategic": table_of("strategic", 3, "A debt of honour"),
    "phone": phone,
    "dark": dark,
    "replay": replay,
    "lab": lab,
    "journey": journey,
}


def main(names: list[str]) -> None:
    """Take the named pictures, or all."""
    for name in names or PICTURES:
        # A world of its own for each, so that the lobby of one is not full of the others.
        with tempfile.TemporaryDirectory() as folder, serving(Path(folder)) as server, chromium() as browser:
            PICTURES[name](Studio(browser, server))


if __name__ == "__main__":
    main(sys.argv[1:])
