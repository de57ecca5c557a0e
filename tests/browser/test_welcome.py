"""From an empty browser: a first fight in one click, its guide, the account that keeps it; and duels to their end."""

import re

import pytest
from playwright.sync_api import expect

WIDTHS = (390, 820, 1280)
REACHES_DOWN_TO = """async guide => {
    const shown = guide.querySelector(".guide-text");
    const { concepts } = await fetch("api/systems/grapple/lesson").then(answer => answer.json());
    return Math.max(...concepts.map(({ says }) => {
        shown.textContent = says;
        return guide.getBoundingClientRect().bottom;
    }));
}"""
"""How far down the guide is with the longest text of a system."""


@pytest.fixture(scope="module")
def axe():
    return pytest.importorskip("axe_playwright_python.sync_playwright").Axe()


def grave(visitor, axe):
    """What axe finds in both themes and three widths, and what is wider than the window."""
    found = []
    for width in WIDTHS:
        visitor.page.set_viewport_size({"width": width, "height": 844})
        assert visitor.page.evaluate("document.documentElement.scrollWidth") <= width
        for scheme in ("light", "dark"):
            visitor.page.emulate_media(color_scheme=scheme)
            found += [
                (width, scheme, each["id"], each["nodes"][0]["html"])
                for each in axe.run(visitor.page).response["violations"]
                if each["impact"] in ("serious", "critical")
            ]
    return found


def test_one_click_is_a_guided_fight_that_an_account_keeps(visit, axe, pages):
    guest = visit()
    guest.go("#/")
    assert grave(guest, axe) == []
    guest.page.click('[data-system="bgo"] .play')  # the one click
    guest.await_moves()
    guide = guest.page.locator(".guide")
    expect(guide).to_contain_text("You are a hero")
    assert grave(guest, axe) == []
    guest.page.set_viewport_size({"width": 1280, "height": 844})
    guest.page.click("#guide-next")
    expect(guide).to_contain_text("your three dice plus your Attack must reach 10")
    guest.page.set_viewport_size({"width": 360, "height": 740})
    head = guest.page.locator(".table-head h1").bounding_box()["y"]
    assert guide.evaluate(REACHES_DOWN_TO) <= head, "on a phone the whole table can be seen"
    guest.page.click("#guide-stop")
    expect(guide).to_be_hidden()
    guest.move("attack")
    guest.page.click("#login")
    assert grave(guest, axe) == []
    guest.register(pages.fresh("Newcomer"))
    expect(guest.page.locator(".table")).to_contain_text(f"owner: {guest.name}")
    guest.go("#/")
    expect(guest.page.locator(".list-yours .combat")).to_have_count(1)


def test_every_system_has_its_rules_and_the_lobby_finds_fights(visit, axe, pages):
    ann = visit()
    ann.go("#/learn/strategic")
    expect(ann.page.locator("h1")).to_have_text("Strategic Fighting")
    assert grave(ann, axe) == []
    ann.register(pages.fresh("Long" + "x" * 30))
    ann.new_fight("bgo", "anyone", start=False, title="An open seat")
    ben = visit()
    ben.go("#/")
    ben.page.fill("#search", "no such fight")
    expect(ben.page.locator(".list-open .combat")).to_have_count(0)
    ben.page.fill("#search", f"open {ann.name}")
    expect(ben.page.locator(".list-open .combat")).to_have_count(1)
    assert grave(ben, axe) == []
    ben.page.click(".list-open .join")
    ben.page.wait_for_url(re.compile(r"#/fight/\d+$"))
    expect(ben.page.locator(".seat", has_text="Guest-")).to_have_count(1)


def test_a_duel_ends_by_consent_and_is_fought_again(visit, axe, pages):
    ann, ben = visit(), visit()
    ann.go("#/new")
    ann.page.select_option("select[name=clock]", "300+5")
    ann.fill_new_fight("bgo", "open", title="A duel")
    ann.register(pages.fresh("Ann"))
    expect(ann.page.get_by_label("Name of the fight")).to_have_value("A duel")
    expect(ann.page.locator("select[name=clock]")).to_have_value("300+5")
    expect(ann.page.locator("fieldset.fighter select.by").last).to_have_value("open")
    ann.page.click("#make")
    ann.page.locator("#start").wait_for()
    ben.join(ann.invitation(), pages.fresh("Ben"))
    ann.page.locator("li.seat", has_text=f"played by {ben.name}").wait_for()
    ann.page.click("#start")
    ann.await_moves()
    expect(ben.page.locator(".clock")).to_have_count(2)
    ben.page.click("#draw")
    expect(ann.page.locator(".duel")).to_contain_text("A draw is offered by")
    ann.page.click("#decline")
    expect(ben.page.locator("#decline")).to_have_count(0)
    ben.page.click("#resign")
    assert grave(ben, axe) == []
    ben.page.click("#confirm-resign")
    expect(ann.page.locator(".duel")).to_contain_text("resigned")
    before = ann.page.url
    ann.page.click("#swap-sides")
    ben.page.click("#swap-sides")
    ann.page.wait_for_url(lambda url: url != before)
    ann.await_moves()
    expect(ann.page.locator(".fighter", has_text="you")).to_have_count(1)
