"""A player's profile in the page, and sharing a fight: what others see, at every width and in both themes."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

GRAVE = ("serious", "critical")


@pytest.fixture(scope="module")
def axe():
    return pytest.importorskip("axe_playwright_python.sync_playwright").Axe()


def grave(visitor, axe):
    """What axe finds in both themes, on a phone and on a desk; and what is wider than the window."""
    found = []
    for width in (1280, 390):
        visitor.page.set_viewport_size({"width": width, "height": 844})
        assert visitor.page.evaluate("document.documentElement.scrollWidth") <= width
        for scheme in ("light", "dark"):
            visitor.page.emulate_media(color_scheme=scheme)
            violations = axe.run(visitor.page).response["violations"]
            found += [(width, scheme, v["id"], v["nodes"][0]["html"]) for v in violations if v["impact"] in GRAVE]
    visitor.page.set_viewport_size({"width": 1280, "height": 844})
    return found


def test_a_rated_duel_is_in_both_profiles_and_can_be_shared(visit, axe, pages):
    ann, bob = visit("Ann"), visit("Bob")
    for player in (ann, bob):
        player.page.click("#session .who")
        player.arrived()
        expect(player.page.locator("main")).to_contain_text("No fights yet.")
        player.page.click("#want-ratings")
        player.is_told("You are rated now.")
    equal = pages.Match(("player", "player"), ({}, {}), ("attack",))
    number = ann.new_fight("bgo", "open", match=equal, start=False)
    bob.go(ann.page.locator("input.invite").input_value())
    bob.page.wait_for_url(re.compile(r"#/fight/\d+$"))
    ann.page.locator("li.seat", has_text=f"played by {bob.name}").wait_for()
    ann.page.click("#start")
    expect(ann.page.locator(".facts")).to_contain_text("counts for ratings")
    ann.page.click("#end")
    expect(ann.page.locator("dialog")).to_contain_text("you resign it")
    ann.page.get_by_role("button", name="Keep playing").click()
    bob.page.click("#resign")
    bob.page.click("#confirm-resign")
    expect(ann.page.locator("#ending")).to_contain_text("You won.")

    ann.page.click("#share-fight")
    picture = ann.page.locator("#picture")
    expect(picture).to_have_attribute("alt", re.compile(r" won in round \d+\. \w+ resigned\.$"))
    expect(ann.page.locator("#share-link")).to_have_value(f"{ann.address}share/{number}")
    with ann.page.expect_download() as saved:
        ann.page.click("#save-png")
    assert saved.value.path().read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"
    assert grave(ann, axe) == []
    ann.page.get_by_role("button", name="Close", exact=True).click()

    ann.page.click("#session .who")
    expect(ann.page.locator(".record tbody")).to_have_text("bgo11000")
    expect(ann.page.locator(".ratings tbody b")).to_have_text("1662")
    expect(ann.page.locator(".past")).to_contain_text(f"against {bob.name}")
    assert grave(ann, axe) == []

    bob.page.click("#session .who")
    bob.page.click("#private-profile")
    bob.is_told("Your profile is private.")
    ann.go(f"#/player/{bob.name}")
    expect(ann.page.locator("main")).to_contain_text("has a private profile")
    ann.go("#/player/me")
    expect(ann.page.locator(".past")).not_to_contain_text(bob.name)
    ann.page.click(".past a")
    expect(ann.page.locator("h1")).to_contain_text("fight")
    expect(ann.page.locator("#share-fight")).to_be_visible()


def test_a_shared_link_leads_to_the_replay(visit, server):
    ann = visit("Ann")
    number = ann.new_fight("bgo", "policy")
    ann.page.click("#resign")
    ann.page.click("#confirm-resign")
    ann.page.locator("#ending").wait_for()
    ann.page.goto(f"{server.address}share/{number}")
    ann.page.wait_for_url(re.compile(rf"#/replay/{number}$"))
    ann.arrived()
