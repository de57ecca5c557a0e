"""Every part of the page on a phone, and for everybody: no sideways scrolling, no serious finding of axe."""

from __future__ import annotations

import pytest

PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True, "device_scale_factor": 2}
SYSTEMS = ["bgo", "grapple", "deckahedron", "mythos", "strategic"]
GRAVE = {"serious", "critical"}


@pytest.fixture(scope="module")
def axe():
    return pytest.importorskip("axe_playwright_python.sync_playwright").Axe()


def tour(visitor, system):
    """Go through every route of the page, and stop at each."""
    for route in ("#/", "#/new", "#/kept", "#/lab"):
        visitor.go(route)
        yield route
    visitor.go("#/")
    visitor.page.click(".notices summary")
    visitor.page.locator("#push, #push-reason").wait_for()
    yield "notifications"
    visitor.go("#/new")
    visitor.page.click("#options summary")
    yield "#/new with its options"
    visitor.new_fight(system, "open", start=False)
    yield "seats"
    number = visitor.new_fight(system, "storyteller")
    visitor.await_moves()
    yield "a fight"
    visitor.page.click("#end")
    visitor.page.locator("dialog[open]").wait_for()
    yield "whether to end it"
    visitor.page.keyboard.press("Escape")
    visitor.go(f"#/screen/{number}")
    yield "#/screen"
    visitor.go(f"#/fight/{number}")
    visitor.finish(system)
    yield "a fight that is over"
    visitor.end()
    visitor.page.click(".fair summary")
    yield "a fight that is closed"
    visitor.go(f"#/replay/{number}")
    visitor.page.click("#last")
    visitor.page.click("#luck")
    visitor.page.locator(".luck .chart").wait_for()
    yield "#/replay"


def sideways(visitor):
    return visitor.page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")


def low_buttons(visitor):
    """Buttons too low for a thumb."""
    seen = visitor.page.locator("main button:visible:not(.why, .link)")
    heights = seen.evaluate_all("all => all.map(b => [b.textContent, b.getBoundingClientRect().height])")
    return [text for text, height in heights if 0 < height < 44]  # one that was just drawn anew has none any more


def sticking_out(visitor):
    """Moves that are wider than their panel, or whose name lies over the odds."""
    return visitor.page.locator("#moves button.move").evaluate_all("""all => all
        .filter(move => {
            const right = node => node.getBoundingClientRect().right;
            const inside = [...move.children].every(part => right(part) <= right(move));
            const name = move.querySelector(".name");
            const words = [...name.querySelectorAll(":scope > :not(.best)")];
            const clear = words.every(part => right(part) <= right(name) + 1);
            return right(move) > right(document.querySelector("#moves")) || !inside || !clear;
        })
        .map(move => move.dataset.move)""")


def test_nothing_is_too_wide_or_too_low_for_a_phone(visit):
    ann = visit("W" * 36, context=PHONE)  # with its number next to the longest name, and no place to break it
    for system in ("strategic", "deckahedron"):
        ann.new_fight(system, "storyteller", title="T" * 40)
        ann.await_moves()
        assert sideways(ann) == 0, system
    for stop in tour(ann, "bgo"):
        assert sideways(ann) == 0, stop
        assert low_buttons(ann) == [], stop


def findings(visitor, axe):
    """What axe finds grave in both themes and at three widths; the colours of a theme are the same at each of them."""
    found = []
    for scheme, width in (("light", 390), ("dark", 820), ("light", 1280)):
        visitor.page.set_viewport_size({"width": width, "height": 844})
        visitor.page.emulate_media(color_scheme=scheme)
        for each in axe.run(visitor.page).response["violations"]:
            if each["impact"] in GRAVE:
                found.append((scheme, width, each["id"], [node["html"] for node in each["nodes"]]))
    return found


def test_axe_finds_nothing_grave_on_any_route(visit, axe):
    ann = visit("Ann")
    for stop in tour(ann, "bgo"):
        assert findings(ann, axe) == [], stop


def test_axe_finds_nothing_grave_for_guests(visit, axe):
    guest = visit()
    guest.go("#/join/1/forged")
    assert findings(guest, axe) == []
    guest.go("#/")
    guest.page.click("#login")
    assert findings(guest, axe) == []


PAINTED = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done())))"
PLACES = """() => [...document.querySelectorAll("main :is(a, button, input, select, summary, label)")]
    .filter(node => node.checkVisibility())
    .map(node => [node.dataset.move ?? node.dataset.chip ?? node.id, node.getBoundingClientRect().toJSON()])"""


REFUSED = '.weighing:has-text("No odds")'


class HeldOdds:
    """Odds that are kept on their way until they are let through: as the server gave them first, then as final ones."""

    def __init__(self, visitor, seconds):
        self.held, self.is_open, self.first, self.patience = [], False, "", seconds * 1000
        visitor.page.route("**/odds*", self._asked)

    def _asked(self, route):
        if self.is_open:  # the final odds, with a best move, which is where the page has most to say
            self._answer(route, {"more": False, "best": [self.first]})
        else:
            self.held.append(route)

    def let_through(self):
        self.is_open = True
        while self.held:
            self._answer(self.held.pop(), {"more": True})

    def _answer(self, route, changes):
        if route.request.failure:  # the page no longer waits for it
            return
        answer = route.fetch(timeout=self.patience)
        if not answer.ok:  # the page says so, and the test with it
            route.fulfill(response=answer)
            return
        odds = answer.json()
        self.first = next(iter(odds["moves"]))
        route.fulfill(response=answer, json={**odds, "best": [], **changes})


@pytest.mark.parametrize("system", SYSTEMS)
def test_nothing_moves_under_the_pointer_until_odds_are_final(system, visit, pages):
    ann = visit("Ann", context=PHONE, odds=True)
    for width in (1280, 390):
        ann.page.set_viewport_size({"width": width, "height": 740})
        odds = HeldOdds(ann, pages.SECONDS)
        ann.new_fight(system, "storyteller")
        ann.await_moves()
        ann.page.evaluate(PAINTED)  # nobody has seen it before, and the story scrolls to its end for it
        places = ann.page.evaluate(PLACES)
        assert ann.page.locator(pages.ODDS).count() == 0
        if width == 390:
            first = ann.page.locator(".ask:not(.answered) :is(.chip, button.move):visible").first.bounding_box()
            assert first["y"] + 44 <= 740, "the first choice is reached without scrolling"
        odds.let_through()
        ann.page.locator(f"{pages.ODDS}, {REFUSED}").first.wait_for(state="attached")
        assert ann.page.locator(REFUSED).all_inner_texts() == []
        assert ann.page.evaluate(PLACES) == places, "nothing moves under the pointer when odds arrive"
        assert ann.page.locator(".best").count() == 0, "nothing is best before that is certain"
        ann.page.locator(f".best, {REFUSED}").first.wait_for(state="attached")
        assert ann.page.locator(REFUSED).all_inner_texts() == []
        assert ann.page.evaluate(PLACES) == places, "nothing moves under the pointer when odds are final"
        ann.page.unroute_all(behavior="ignoreErrors")  # odds may be on their way


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_table_is_for_every_screen_and_everybody(system, visit, axe, pages):
    ann = visit("Ann", context=PHONE)
    ann.new_fight(system, "storyteller")
    ann.await_moves()
    for width in (390, 768, 1280):
        ann.page.set_viewport_size({"width": width, "height": 740})
        assert sideways(ann) == 0
        assert low_buttons(ann) == []
        assert sticking_out(ann) == []
        assert findings(ann, axe) == []
    ann.page.set_viewport_size({"width": 1060, "height": 900})
    assert (sideways(ann), sticking_out(ann)) == (0, [])
