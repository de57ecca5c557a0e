"""The storyteller's panel: words become decisions that everyone at the table sees, with consent where it is needed."""

from __future__ import annotations

import pytest


def test_the_owner_sets_a_quantity_lets_a_fighter_join_and_takes_it_back(visit, pages):
    olga = visit("Olga")
    olga.go("#/new")
    olga.choose_system("bgo")
    for place, sheet in enumerate(("player", "fire-slime")):
        olga.fill_fighter(place, sheet, {}, "storyteller")
    olga.page.click("#make-and-start")
    olga.page.locator(".table #question").wait_for()
    page, before = olga.page, olga.story
    page.click("#storyteller summary")
    page.select_option("#word-quantity", "health")
    page.fill("#word-value", "7")
    page.emulate_media(reduced_motion="no-preference")
    page.click("#word-set button")
    pages.expect(page.locator("#story")).to_contain_text("The storyteller sets health of")
    assert "drain" in page.evaluate(pages.MOVING)
    page.emulate_media(reduced_motion="reduce")
    pages.until(lambda: "health: 7" in page.locator("#word-quantity").inner_text(), "the new value", page)
    page.fill("#word-line", "give player burning")
    page.click("#word-any button")
    pages.expect(page.locator('[data-fighter="player"] .tag [data-icon="burning"]')).to_be_visible()
    page.select_option("#word-join-sheet", "fire-slime")
    page.click("#word-join button")
    pages.expect(page.locator("#story")).to_contain_text("join")
    pages.expect(page.locator("#word-fighter option")).to_have_count(3)
    for said in ("the storyteller's word (join ", "2 moves in all", "3 moves in all"):
        page.click("#undo")
        pages.expect(page.locator("#taken-back")).to_contain_text(said)
    assert olga.story == before


def test_an_owner_who_fights_asks_the_other_side(visit, pages):
    ann, ben = visit("Ann"), visit()
    ann.new_fight("bgo", "open", start=False, match=pages.LONG_DUEL)
    ben.join(ann.invitation(), pages.fresh("Ben"))
    ann.page.locator("li.seat", has_text=f"played by {ben.name}").wait_for()
    ann.page.click("#start")
    ann.await_moves()
    assert not ben.page.locator("#storyteller").is_visible()
    ann.page.click("#storyteller summary")
    ann.page.fill("#word-line", "end draw")
    ann.page.click("#word-any button")
    ben.page.click("#agree")
    for each in (ann, ben):
        pages.expect(each.page.locator("#ending")).to_have_text("It is a draw.")


def test_a_screen_to_project_has_no_controls_and_no_secrets_and_follows(visit, pages):
    olga = visit("Olga")
    number = olga.new_fight("bgo", "open", start=True, match=pages.LONG_DUEL)
    screen = visit()
    screen.page.context.add_cookies(olga.page.context.cookies())  # the owner's own second window
    screen.received.clear()
    screen.page.reload()
    screen.go(f"#/screen/{number}")
    page = screen.page
    page.locator("#story").wait_for()
    assert page.locator('.token [data-icon="physical"]').count() > 0
    assert page.locator("main :is(a, button:not(.why), input, select)").count() == 0
    olga.await_moves()
    olga.page.locator(pages.OPEN_MOVES).first.click()
    olga.page.click("#storyteller summary")
    olga.page.fill("#word-line", "set fire-slime health 7")
    olga.page.click("#word-any button")
    pages.expect(page.locator("#story")).to_contain_text("sets health of")
    told = "".join(frame for frame in screen.received if '"type":"table"' in frame or '"type":"changed"' in frame)
    assert '"asks":[]' in told
    assert '"moves":["' not in told
    assert '"owner":true' not in told
    assert '"invite":"' not in told, "an invitation is for the owner alone"


def test_what_the_storyteller_keeps_from_the_others(visit, pages):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    olga, guest = visit("Olga"), visit()
    olga.go("#/new")
    olga.choose_system("bgo")
    for place, sheet in enumerate(("player", "fire-slime")):
        olga.fill_fighter(place, sheet, {}, "storyteller")
    olga.page.click("#make-and-start")
    olga.page.locator(".table #question").wait_for()
    guest.go(f"#{olga.page.url.partition('#')[2]}")
    olga.says("Welcome!")
    guest.hears("Welcome!")
    page, before = olga.page, guest.seen
    page.click("#storyteller summary")
    page.select_option("#word-hide-team", label="monsters")
    page.select_option("#word-hide-sheet", "mud-slime")
    page.click("#word-hide button")
    kept = page.locator("#storyteller .kept")
    pages.expect(kept).to_contain_text("mud-slime, to join monsters")
    page.fill("#word-roll-dice", "2d6+1")
    page.click("#word-roll button")
    pages.expect(kept).to_contain_text("Secret roll of 2d6+1")
    page.select_option("#word-note-about", "mud-slime")
    page.fill("#word-note-text", "guards the key")
    page.click("#word-note button")
    pages.expect(kept).to_contain_text("mud-slime: guards the key")
    page.click("#word-veil button")
    pages.expect(page.locator("#word-unveil")).to_be_visible()
    page.click("#secret-undo")
    pages.expect(page.locator("#word-unveil")).to_have_count(0)
    olga.says("Shall we?")  # comes after whatever the guest might have been told
    guest.hears("Shall we?")
    assert guest.seen == before
    for scheme, width in (("dark", 390), ("light", 1280)):
        page.emulate_media(color_scheme=scheme)
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), width
        grave = [v for v in axe.run(page).response["violations"] if v["impact"] in ("serious", "critical")]
        assert not grave, grave
    page.click("#word-reveal button")
    pages.expect(guest.page.locator("#story")).to_contain_text(
        "The storyteller reveals the mud slime, who joins monsters."
    )
    pages.expect(page.locator("#word-reveal")).to_have_count(0)
