"""A fight once more: stepping, scrubbing, playing, forking, sharing, and where the luck fell."""

from __future__ import annotations

import re

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

    page.get_by_label("Speed").select_option("fast")
    page.click("#play")
    pages.expect(page.locator("#play")).to_have_text("Pause")
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
    pages.expect(replayed.page.locator("#told")).to_have_text("Copied.")
    link = replayed.page.evaluate("navigator.clipboard.readText()")
    guest = visit()
    guest.page.goto(link)
    pages.expect(guest.page.locator("#frame")).to_have_text(replayed.page.inner_text("#frame"))
    assert guest.story == replayed.story
    assert guest.page.locator("#fork").count() == 0


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
