"""What a person points at stays where it is whatever others do, and a press means what stood there when it began."""

from __future__ import annotations

import re

from playwright.sync_api import expect

HOST = """async ([name, foe, start]) => {
    const { post } = await import("./page/api.js");
    const teams = { heroes: [{ sheet: "player", by: "me" }], monsters: [{ sheet: "fire-slime", by: foe }] };
    return (await post("combats", { name, system: "bgo", teams, start })).number;
}"""
CLOSE_SEAT = """async number => {
    const { put } = await import("./page/api.js");
    await put(`combats/${number}/seats/fire-slime`, { by: "storyteller" });
}"""
END = "async number => (await import('./page/api.js')).post(`combats/${number}/end`)"
MOVE = """async ([number, move]) => {
    const { get, post } = await import("./page/api.js");
    const [{ fighter, decision, after }] = (await get(`combats/${number}`)).asks;
    await post(`combats/${number}/moves`, { fighter, move, decision, after });
}"""
PLACES = """which => {
    const list = document.querySelector(`.list-${which}`);
    const isAbove = node => node.compareDocumentPosition(list) & Node.DOCUMENT_POSITION_FOLLOWING;
    return [...document.querySelectorAll(".lobby :is(a, button, input)")]
        .filter(node => node.checkVisibility() && (list.contains(node) || isAbove(node)))
        .map(node => [node.closest("[data-combat]")?.dataset.combat, node.getBoundingClientRect().toJSON()]);
}"""
"""Where everything stands that can be pressed in a list of the lobby, and above it."""
NOTE_CLICK = """() => {
    window.wasClicked = false;
    addEventListener("click", () => (wasClicked = true), { capture: true, once: true });
}"""


class Lobby:
    """The lobby as a visitor sees it who has searched for the fights of a player."""

    def __init__(self, visitor, player):
        self.page = visitor.page
        visitor.go("#/")
        self.page.fill("#search", player)
        expect(self.page.locator(".lobby-search [role=status]")).to_contain_text("found")

    def shows(self, which, *numbers):
        """Wait until a list consists of these fights."""
        for place, number in enumerate(numbers):
            card = self.page.locator(f".list-{which} .combat").nth(place)
            expect(card).to_have_attribute("data-combat", str(number))
        expect(self.page.locator(f".list-{which} .combat")).to_have_count(len(numbers))

    def card(self, number):
        return self.page.locator(f'[data-combat="{number}"]')

    def places(self, which):
        return self.page.evaluate(PLACES, which)


class Finger:
    """A finger on the middle of something."""

    def __init__(self, page, what):
        what.scroll_into_view_if_needed()
        box = what.bounding_box()
        at = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
        self._inside = page.context.new_cdp_session(page)
        self._inside.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [at]})

    def lift(self):
        self._inside.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        self._inside.detach()


def test_what_a_visitor_points_at_in_the_lobby_stays_and_is_pressed(visit):
    ann, ben = visit("Ann"), visit(context={"has_touch": True})

    def host(name, foe="anyone", start=False):
        return ann.page.evaluate(HOST, [f"{ann.name} {name}", foe, start])

    first, second = host("one"), host("two")
    fought, ended = host("fought", "policy", start=True), host("ended", "policy", start=True)
    lobby = Lobby(ben, ann.name)
    lobby.shows("open", second, first)
    lobby.shows("live", ended, fought)

    link = lobby.card(ended).get_by_role("link", name=f"{ann.name} ended")
    lobby.card(ended).get_by_role("link", name=ann.name, exact=True).press("Shift+Tab")
    expect(link).to_be_focused()  # so its list stays, and the open seats, which are above it
    before = lobby.places("live")
    third = host("three")
    ann.page.evaluate(CLOSE_SEAT, second)
    ann.page.evaluate(END, ended)
    ann.page.evaluate(MOVE, [fought, "defend"])
    expect(ben.page.locator("#list-open")).to_have_text("Open seats \u00b7 1 new")
    expect(lobby.card(second)).to_contain_text("no longer here")
    expect(lobby.card(second).locator(".join")).to_have_text("No longer open")
    expect(ben.page.locator(".list-live .gone")).to_have_attribute("data-combat", str(ended))
    expect(lobby.card(fought)).to_contain_text("round 2")
    assert lobby.places("live") == before
    ben.page.locator("#new-fight").focus()
    lobby.shows("open", third, first)
    lobby.shows("live", fought, second)
    expect(ben.page.locator("#list-open")).to_have_text("Open seats")

    seat = lobby.card(third).locator(".join")
    seat.hover()
    ben.page.mouse.down()
    before = lobby.places("open")
    fourth = host("four")
    ann.page.evaluate(CLOSE_SEAT, third)
    expect(seat).to_have_text("No longer open")
    expect(ben.page.locator("#list-open")).to_have_text("Open seats \u00b7 1 new")
    assert lobby.places("open") == before
    ben.page.mouse.up()
    ben.is_told(f"The seat in {ann.name} three is no longer open.")
    ben.page.mouse.move(0, 0)
    lobby.shows("open", fourth, first)

    finger = Finger(ben.page, lobby.card(first).locator(".join"))
    before = lobby.places("open")
    ann.page.evaluate(CLOSE_SEAT, fourth)
    expect(ben.page.locator(".list-open .gone .join")).to_have_text("No longer open")
    assert lobby.places("open") == before
    finger.lift()
    ben.page.wait_for_url(re.compile(rf"#/fight/{first}$"))


def test_a_finger_that_was_down_before_the_question_makes_no_move(visit, pages):
    ann = visit("Ann", context={"has_touch": True})
    number = ann.new_fight("bgo", "policy", match=pages.LONG_DUEL)
    ann.await_moves()
    attack = ann.page.locator('button[data-move="attack"]')
    question = ann.page.query_selector("#question span")
    finger = Finger(ann.page, attack)
    ann.page.evaluate(MOVE, [number, "defend"])
    question.wait_for_element_state("hidden")
    ann.await_moves()
    told = ann.story
    ann.page.evaluate(NOTE_CLICK)
    finger.lift()
    ann.page.wait_for_function("wasClicked")
    ann.says("I have not moved")  # comes after whatever the click has sent
    ann.hears("I have not moved")
    assert ann.story == told
    question = ann.page.query_selector("#question span")
    attack.tap()
    question.wait_for_element_state("hidden")
    assert len(ann.story) > len(told)
