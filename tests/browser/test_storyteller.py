"""The storyteller's panel: words become decisions that everyone at the table sees, with consent where it is needed."""

from __future__ import annotations


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
    page.click("#word-set button")
    pages.expect(page.locator("#story")).to_contain_text("The storyteller sets health of")
    pages.until(lambda: "health: 7" in page.locator("#word-quantity").inner_text(), "the new value", page)
    page.select_option("#word-join-sheet", "fire-slime")
    page.click("#word-join button")
    pages.expect(page.locator("#story")).to_contain_text("join")
    pages.expect(page.locator("#word-fighter option")).to_have_count(3)
    page.click("#undo")
    page.click("#undo")
    pages.until(lambda: olga.story == before, "the story without the words", page)


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
