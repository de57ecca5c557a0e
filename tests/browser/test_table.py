"""What stands around the moves of a fight: talk, undo, notices, reasons, keys and refusals."""

from __future__ import annotations

import pytest


def fighting_each_other(visit, pages):
    """Ann, who owns the fight, and Ben, in a duel that takes long."""
    ann, ben = visit("Ann"), visit()
    ann.new_fight("bgo", "open", start=False, match=pages.LONG_DUEL)
    ben.join(ann.invitation(), pages.fresh("Ben"))
    ann.page.locator("li.seat", has_text=f"played by {ben.name}").wait_for()
    ann.page.click("#start")
    for each in (ann, ben):
        each.await_moves()
    return ann, ben


def test_talk_is_heard_at_the_table_and_kept_for_who_comes_later(visit, pages):
    ann, ben = fighting_each_other(visit, pages)
    ann.says("Have at you!")
    ben.says("bows.", "pose")
    for each in (ann, ben):
        each.hears("Have at you!")
        each.hears(f"{ben.name} bows.")
    ann.says("/combat mvoe")
    pages.expect(ann.page.locator("[role=alert]")).to_contain_text("There is no combat command 'mvoe'")
    ann.says("/who")
    pages.expect(ann.page.locator("#chat .reply").last).to_contain_text(ben.name)
    ben.page.reload()
    ben.hears("Have at you!")
    assert ben.page.locator("#chat p", has_text="/who").count() == 0


def test_moves_are_taken_back_where_both_sides_agree(visit, pages):
    ann, ben = fighting_each_other(visit, pages)
    before, offered = ann.story, (ann.moves, ben.moves)
    undo = ann.page.locator("#undo").element_handle()
    for each in (ann, ben):
        each.move("attack")
    pages.until(lambda: all(len(each.story) > len(before) for each in (ann, ben)), "the blows", ann.page)
    assert undo.evaluate("undo => undo.isConnected"), "a button that is being pressed is not drawn anew"

    ann.page.click("#undo")
    for each in (ann, ben):
        asked = "To take back the last move, monsters must agree by pressing Undo."
        pages.expect(each.page.locator("#taken-back")).to_have_text(asked)
    assert len(ann.story) > len(before), "one side alone takes nothing back"
    ben.page.click("#undo")
    pages.until(lambda: ann.story == ben.story == before, "the story without the blows", ann.page)
    for each in (ann, ben):
        pages.expect(each.page.locator("#taken-back")).to_have_text("Taken back: fire-slime's attack.")
    assert ben.await_moves() == offered[1]
    pages.expect(ann.page.locator(".ask.answered")).to_have_text("You chose attack.")
    ann.page.click("#undo")
    assert (ann.await_moves(), ben.moves) == offered

    ann.page.click("#save")
    ann.is_told("Saved.")
    for each in (ann, ben):
        each.move("attack")
    pages.until(lambda: all(len(each.story) > len(before) for each in (ann, ben)), "the blows", ann.page)
    ann.page.click("#restore")
    asked = "To take back everything since the saved state, monsters must agree by pressing Restore."
    ben.is_told(asked)
    ben.page.click("#restore")
    pages.until(lambda: ann.story == ben.story == before, "the saved state", ann.page)
    for each in (ann, ben):
        said = f"Taken back: {ann.name}'s attack, and 1 move after it. 3 moves in all so far."
        pages.expect(each.page.locator("#taken-back")).to_have_text(said)


def test_the_title_calls_whoever_has_to_move(visit, pages):
    ann, ben = fighting_each_other(visit, pages)
    for each in (ann, ben):
        pages.expect(each.page).to_have_title("Your move \u00b7 bgo fight \u00b7 Affray")
    ann.move("attack")
    pages.expect(ann.page).to_have_title("bgo fight \u00b7 Affray")
    pages.expect(ben.page).to_have_title("Your move \u00b7 bgo fight \u00b7 Affray")
    ann.page.click(".notices summary")
    ann.page.get_by_label("Sound on my turn").check()
    ann.page.reload()
    ann.page.click(".notices summary")
    pages.expect(ann.page.get_by_label("Sound on my turn")).to_be_checked()


@pytest.mark.parametrize(
    ("system", "tactic", "impossible", "reason"),
    [
        ("deckahedron", "brawler", "shoot", "no ranged weapon in hand"),
        ("grapple", "striker", "strike <SD> <target>", "no SD: a maneuver earns them"),
    ],
)
def test_what_is_not_possible_is_listed_with_the_reason(system, tactic, impossible, reason, visit, pages):
    ann = visit("Ann")
    ann.new_fight(system, tactic)
    ann.await_moves()
    ann.page.click(".impossible summary")
    listed = ann.page.locator(f'[data-impossible="{impossible}"]')
    pages.expect(listed).to_have_attribute("aria-disabled", "true")
    assert reason in listed.locator("xpath=..").inner_text()
    before = ann.story
    listed.click(force=True)
    assert ann.page.locator(f'button[data-move="{impossible}"]').count() == 0
    assert ann.story == before


def test_reactions_and_choices_are_asked_as_questions(visit, pages):
    ann = visit("Ann")
    ann.new_fight("strategic", "storyteller")
    asked = set()
    for _ in range(6):
        ann.await_moves()
        asked.add(ann.question)
        ann.move_hastily("strategic")
        pages.until(lambda: ann.is_over or ann.moves, "what comes next", ann.page)
        if ann.is_over:
            break
    assert any(question.endswith("Which defence?") for question in asked)


def test_each_line_says_why(visit, pages):
    ann = visit("Ann")
    ann.new_fight("bgo", "policy", match=pages.LONG_DUEL)
    ann.await_moves()
    ann.move("attack")
    why = ann.page.locator("#story button.why").first
    why.click()
    pages.expect(why).to_have_attribute("aria-expanded", "true")
    pages.expect(ann.page.locator("#story .rulings:visible p").first).not_to_be_empty()


def test_a_refusal_is_a_sentence_on_the_page(visit, pages):
    guest = visit()
    guest.page.click("#login")
    form = guest.page.locator("form.login")
    form.get_by_label("Name").fill("Nobody")
    form.get_by_label("Password").fill("guesses only")
    form.get_by_role("button", name="Log in").click()
    pages.expect(form.get_by_role("alert")).to_have_text("that name and password do not match")
    guest.go("#/fight/999999")
    pages.expect(guest.page.locator("h1")).to_have_text("This cannot be shown")
    pages.expect(guest.page.locator("main [role=alert]")).to_have_text("There is no fight 999999.")


def test_a_fight_by_keyboard_alone(visit, pages):
    ann = visit()
    keys = ann.page.keyboard

    def tab_to(selector: str) -> None:
        for _ in range(120):
            if ann.page.evaluate("wanted => document.activeElement.matches(wanted)", selector):
                return
            keys.press("Tab")
        raise AssertionError(f"Tab never comes to {selector}")

    keys.press("Tab")
    tab_to("#login")
    keys.press("Enter")
    tab_to("input[name=name]")
    keys.type(pages.fresh("Kay"))
    tab_to("input[name=password]")
    keys.type(pages.PASSWORD)
    tab_to("button[value=accounts]")
    keys.press("Enter")
    pages.expect(ann.page.locator("dialog")).to_have_count(0)
    keys.press("?")
    ann.page.locator("dialog[open] .keys").wait_for()
    keys.press("Escape")
    tab_to("#new-fight")
    keys.press("Enter")
    ann.page.locator("#make-and-start").wait_for()
    tab_to("#make-and-start")
    keys.press("Enter")
    ann.await_moves()
    for _ in range(pages.MOST_MOVES):
        pages.until(lambda: ann.is_over or ann.moves, "a question or the end", ann.page)
        if ann.is_over:
            break
        assert ann.page.evaluate("document.activeElement.matches('#question')")
        asked = ann.page.locator(pages.OPEN_MOVES).first.element_handle()
        before = ann.story
        keys.press("Space")
        keys.press("Enter")
        assert (ann.story, ann.moves != []) == (before, True), "no move is made by accident"
        keys.press("1")
        asked.wait_for_element_state("hidden")
    tab_to("#end")
    keys.press("Enter")
    tab_to(".fair summary")
    keys.press("Enter")
    ann.page.locator("#verify").wait_for()  # when the fight is closed, and the dice stay open
    tab_to("#verify")
    keys.press("Enter")
    ann.page.locator(".verdict.fits").wait_for()
