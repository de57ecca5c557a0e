"""A journey in the page: two people and the computer on one board, through a reload and a restart of the server."""

from __future__ import annotations

import re

import pytest

PHONE = {"viewport": {"width": 390, "height": 740}, "has_touch": True, "is_mobile": True}
QUICK = {"encounter_rate": 100, "rest_rate": 0, "find_rate": 0, "boon_rate": 0, "curse_rate": 0, "board_squares": 30}


def set_out(ann, ben, pages):
    """Ann makes a journey with a computer player, Ben finds it in the lobby and joins; Ann starts it."""
    number = ann.new_journey("Rival", start=False, **QUICK)
    ben.go("#/")
    ben.page.locator(f'[data-combat="{number}"]', has_text="journey of bgo").get_by_role("link").first.click()
    ben.page.click("#join")
    ann.page.locator("li.seat", has_text=f"played by {ben.name}").wait_for()
    ann.page.click("#start")


def go_on(ann, ben, pages):
    """The player who is asked presses the first button; the other one never has any."""
    pages.until(lambda: bool(ann.moves) != bool(ben.moves), "one who is asked", ann.page)
    asked = ann if ann.moves else ben
    asked.move(asked.moves[0])
    return asked


def test_two_people_travel_through_a_reload_and_a_restart(visit, pages, tmp_path):
    with pages.serving(tmp_path) as server:
        ann = visit("Ann", at=server.address, excused=["WebSocket", "ERR_CONNECTION"])
        ben = visit("Ben", at=server.address, excused=["WebSocket", "ERR_CONNECTION"])
        set_out(ann, ben, pages)
        asked = set()
        while asked != {ann.name, ben.name}:
            asked.add(go_on(ann, ben, pages).name)
        pages.until(
            lambda: bool(ann.moves) != bool(ben.moves) and ann.story == ben.story,
            "a question, and the same story for both",
            ann.page,
        )
        story, moves = ben.story, ben.moves
        ben.page.reload()
        ben.arrived()
        pages.until(lambda: (ben.story, ben.moves) == (story, moves), "the same as before", ben.page)
        server.stop()
        server.start()
        for each in (ann, ben):
            each.page.reload()
            each.arrived()
        pages.until(lambda: (ben.story, ben.moves) == (story, moves), "the same after a restart", ben.page)
        go_on(ann, ben, pages)
        pages.until(lambda: ann.story[: len(story)] == story and len(ann.story) > len(story), "it goes on", ann.page)


def test_who_leaves_is_played_on_and_an_ended_journey_keeps_its_story(visit, pages):
    ann, ben = visit("Ann"), visit("Ben")
    set_out(ann, ben, pages)
    ann.await_moves()
    ben.page.click("#leave")
    ann.page.locator(".teams .fighter", has_text=ben.name).get_by_text("computer, cautious").wait_for()
    pages.expect(ben.page.locator(".facts")).to_contain_text("you are watching")
    for _ in range(2):
        ann.await_moves()
        ann.move(ann.moves[0])
    told = len(ann.story)
    ann.page.click("#end")
    ann.page.click("#confirm-end")
    ann.page.locator("#ending").wait_for()
    assert len(ann.story) >= told
    assert ann.page.get_by_text("Replay, luck and forks").count() == 0
    number = ann.page.url.rpartition("/")[2]
    ann.go("#/")
    ann.page.locator(".list-ended").get_by_role("link", name=re.compile("journey")).first.click()
    ann.page.locator("#ending").wait_for()
    assert ann.page.url.endswith(f"#/fight/{number}")


def test_an_encounter_has_its_foe_and_its_odds_and_shifts_no_button(visit, pages):
    ann, ben = visit("Ann", odds=True), visit("Ben")
    set_out(ann, ben, pages)
    ann.await_moves()
    assert ann.page.locator(".weighing, .odds").count() == 0, "on the board there is nothing to weigh"
    ann.move("roll")
    ann.page.locator(pages.ODDS).first.wait_for()
    assert ann.moves == ["attack", "defend", "flee"]
    pages.expect(ann.page.locator(".encounter .fighter")).to_have_count(2)
    top = ann.page.locator("button.move").first.bounding_box()
    ben.says("Good luck!")
    ann.hears("Good luck!")
    ben.page.click("#leave")
    ann.page.locator(".teams .fighter", has_text="computer, cautious").nth(1).wait_for()
    assert ann.page.locator("button.move").first.bounding_box() == top


@pytest.mark.parametrize("context", [PHONE, {}], ids=["phone", "desk"])
def test_a_board_is_for_every_screen_and_everybody(context, visit, pages):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    ann, ben = visit("Ann", context=context), visit("Ben")
    set_out(ann, ben, pages)
    ann.await_moves()
    ann.move("roll")
    ann.page.locator(".encounter .fighter").first.wait_for()
    assert ann.page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") == 0
    row = ann.page.locator(f'[data-piece="{ann.name}"]').inner_text()
    assert re.search(r"you\s+to move\s+\d+\s+0 of 7\s+The first gate \(rank 1\), square 5", row), row
    for scheme in ("light", "dark"):
        ann.page.emulate_media(color_scheme=scheme)
        grave = [v for v in axe.run(ann.page).response["violations"] if v["impact"] in ("serious", "critical")]
        assert grave == [], scheme
