"""A fight once more: stepping, scrubbing, playing, forking, sharing, and where the luck fell."""

from __future__ import annotations

import re
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest


@pytest.fixture
def replayed(visit):
    """Ann at the replay of a duel of hers that is over and closed."""
    ann = visit("Ann", context={"permissions": ["clipboard-read", "clipboard-write"]})
    number = ann.new_fight("bgo", "policy")
    ann.finish("bgo")
    ann.end()
    ann.told = ann.story
    ann.go(f"#/replay/{number}")
    return ann


def test_step_scrub_and_play(replayed, pages):
    page, frame = replayed.page, replayed.page.locator("#frame")
    last = int(page.get_attribute("#scrub", "max"))
    pages.expect(frame).to_have_text(f"The opening; {last} decisions follow.")
    opening = replayed.story
    page.click("#next")
    pages.expect(frame).to_contain_text(f"1 of {last}")
    assert len(replayed.story) > len(opening)
    page.click("#previous")
    assert replayed.story == opening

    page.locator("#scrub").fill(str(last))
    pages.expect(frame).to_contain_text(f"{last} of {last}")
    assert replayed.story == replayed.told

    page.get_by_label("Speed").select_option("slow")
    assert page.locator("#play").evaluate("play => (play.click(), play.textContent)") == "Pause"
    page.get_by_label("Speed").select_option("fast")
    pages.expect(page.locator("#play")).to_have_text("Play")  # by itself, at the end
    pages.expect(frame).to_contain_text(f"{last} of {last}")


def test_a_fork_goes_on_from_where_the_replay_stands(replayed, pages):
    page = replayed.page
    told = replayed.story
    page.get_by_label("Name of the new fight").fill("another end")
    page.click("#fork")
    page.wait_for_url(re.compile(r"#/fight/\d+$"))
    pages.expect(page.locator("h1")).to_have_text("another end")
    replayed.await_moves()
    assert replayed.story == told
    replayed.finish("bgo")


def test_a_shared_link_leads_anybody_to_the_same_point(replayed, visit, pages):
    replayed.page.click("#next")
    replayed.page.click("#share")
    replayed.is_told("Copied.")
    link = replayed.page.evaluate("navigator.clipboard.readText()")
    guest = visit()
    guest.page.goto(link)
    pages.expect(guest.page.locator("#frame")).to_have_text(replayed.page.inner_text("#frame"))
    assert guest.story == replayed.story
    assert guest.page.locator("#fork").count() == 0
    assert guest.page.locator('.token [data-icon="physical"]').count() > 0


class QuietHandler(SimpleHTTPRequestHandler):
    """A site whose requests are not written down."""

    def log_message(self, *said):
        pass


def test_a_replay_is_shown_in_the_page_of_a_site_that_may_and_in_no_other(replayed, visit, pages, tmp_path):
    replayed.page.click("#share-fight")
    code = replayed.page.locator("#share-code").input_value()
    (tmp_path / "index.html").write_text(code)
    site = ThreadingHTTPServer(("localhost", 0), partial(QuietHandler, directory=tmp_path))
    Thread(target=site.serve_forever, daemon=True).start()
    reader = visit(odds=True)
    page = reader.page
    page.goto(f"http://localhost:{site.server_port}/")
    inside = page.frame_locator("iframe")
    inside.locator("#last").click()
    pages.expect(inside.locator("#story .line").last).to_be_visible()
    assert inside.locator("#story .line > p").all_text_contents() == replayed.told
    assert inside.locator("header.masthead, #fork, #share, #luck").filter(visible=True).count() == 0
    assert not reader.problems
    page.goto(f"http://127.0.0.1:{site.server_port}/")
    pages.until(lambda: page.frames[1].url.startswith("chrome-error:"), "the refusal", page)
    page.goto("about:blank")
    site.shutdown()
    site.server_close()
    reader.problems.clear()  # the browser has said that it refuses


COMPUTERS = """async () => {
    const { post } = await import("./page/api.js");
    const teams = { heroes: [{ sheet: "player", by: "policy" }], monsters: [{ sheet: "fire-slime", by: "policy" }] };
    return (await post("combats", { name: "A duel of computers", system: "bgo", teams, start: true })).number;
}"""


NOTE_FRAMES = """() => {
    window.told = [];
    const note = () => {
        const now = document.querySelector("#frame")?.textContent;
        if (now && now !== told.at(-1)) told.push(now);
    };
    new MutationObserver(note).observe(document.querySelector("#main"), { childList: true, subtree: true });
}"""


def test_a_fight_of_computers_only_is_told_from_the_start(visit, pages):
    ann = visit("Ann")
    number = ann.page.evaluate(COMPUTERS)
    ann.page.evaluate(NOTE_FRAMES)
    ann.go(f"#/fight/{number}")
    last = int(ann.page.get_attribute("#scrub", "max"))
    pages.expect(ann.page.locator("#play")).to_have_text("Play")  # by itself, at the end
    told = [frame.split()[0] for frame in ann.page.evaluate("told")]
    assert told == ["The", *map(str, range(1, last + 1))], "the opening, then decision by decision"
    ann.page.get_by_role("link", name="Go to the table").click()
    pages.expect(ann.page.locator("#ending")).to_be_visible()


def test_the_luck_is_drawn_from_decision_to_decision(replayed, pages):
    page = replayed.page
    page.click("#luck")
    page.locator(".luck .chart").wait_for()
    slots = page.locator(".luck .slot")
    assert page.locator(".luck .chart tbody tr").count() == slots.count() > 0
    assert page.locator(".luck .chart .dice").count() == page.locator(".luck .chart .choice").count() == slots.count()
    pages.expect(page.locator(".balance tbody tr")).to_have_count(5)
    slots.last.click()
    pages.expect(page.locator("#frame")).to_contain_text(f"{slots.count()} of {slots.count()}")
