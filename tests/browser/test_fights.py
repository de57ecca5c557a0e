"""Whole fights in the browser: two people, a person and a tactic, spectators, and players who come back."""

from __future__ import annotations

import json
import re

import pytest

SYSTEMS = ["bgo", "grapple", "deckahedron", "mythos", "strategic", "coins", "d20"]
"""Those that come with Affray, and those of `examples/`."""


@pytest.mark.parametrize("system", SYSTEMS)
def test_two_browsers_play_a_whole_fight(system, visit, pages):
    ann, ben = visit("Ann"), visit()
    ann.new_fight(system, "open", start=False)
    ben.join(ann.invitation(), pages.fresh("Ben"))
    ben.page.get_by_text(f"{ann.name} starts the fight.").wait_for()
    ann.page.locator("li.seat", has_text=f"played by {ben.name}").wait_for()
    ann.page.click("#start")

    movers = pages.fight_out([ann, ben], system)

    assert {each.name for each in movers} == {ann.name, ben.name}
    pages.until(lambda: ann.is_over and ben.is_over, "the end on both pages", ann.page)
    assert ann.story == ben.story
    ends = [each.page.inner_text("#ending") for each in (ann, ben)]
    assert len({end.removeprefix("You won. ").removeprefix("You lost. ") for end in ends}) == 1, ends

    ann.end()
    ann.page.click(".fair summary")
    ann.page.click("#verify")
    ann.page.locator(".verdict.fits").wait_for()
    ben.page.locator("a", has_text="Replay").click()
    ben.arrived()
    ben.page.click("#last")
    assert ben.story == ann.story


COUNT_KNOCKS = """() => {
    window.knocks = 0;
    const start = OscillatorNode.prototype.start;
    OscillatorNode.prototype.start = function (...when) {
        knocks += 1;
        return start.apply(this, when);
    };
}"""


def test_a_person_fights_a_tactic_with_the_odds_in_sight(visit, pages):
    ann = visit("Ann", odds=True)
    ann.new_fight("bgo", "policy")
    attack = ann.page.locator('button[data-move="attack"]')
    attack.locator(".odds:not(.pending)").wait_for()
    assert "win" in attack.locator(".odds").text_content()
    percent = int(re.search(r"win (\d+)%", attack.locator(".odds").text_content())[1])
    bar, whole = (attack.locator(drawn).bounding_box()["width"] for drawn in (".share.win", ".chances"))
    assert bar / whole == pytest.approx(percent / 100, abs=0.02), "the bar is as long as the chance is great"
    assert "After the move you follow always-attack" in ann.page.locator(".legend").text_content()
    shown = attack.locator(".odds").text_content()
    for plan, aim, says in (
        (
            "best play",
            "value",
            "best play, the others their tactics. The best move has the highest value: win +1, lose -1",
        ),
        ("cautious", "wins", "cautious, the others their tactics. The best move wins most often."),
    ):
        ann.page.get_by_label("After the move I play").select_option(plan)
        chooser = ann.page.get_by_label("The best move is chosen")
        chooser.focus()
        chooser.select_option(aim)
        ann.page.locator(".legend", has_text=says).wait_for()
        assert attack.locator(".odds").text_content() != shown, "other plans have other odds"
        pages.expect(chooser).to_be_focused()
    ann.page.evaluate(COUNT_KNOCKS)
    ann.page.click(".telling summary")
    ann.page.get_by_label("Sounds of dice and cards").check()
    knocks = ann.page.evaluate("knocks")
    assert knocks > 0, "what is switched on is heard"
    ann.page.emulate_media(reduced_motion="no-preference")
    ann.move("attack")
    assert {"told", "roll"} <= set(ann.page.evaluate(pages.MOVING)), "lines are told one by one, and their dice roll"
    assert ann.page.evaluate("knocks") > knocks, "and fall with a sound"
    ann.page.keyboard.press("Escape")
    assert not {"told", "roll"} & set(ann.page.evaluate(pages.MOVING)), "until the rest is shown at once"
    ann.page.emulate_media(reduced_motion="reduce")
    ann.page.locator(".legend", has_text="follow cautious").wait_for()
    ann.finish("bgo")
    assert not ann.page.evaluate(pages.MOVING), "nothing moves where motion is not wanted"
    assert ann.page.locator('[data-fighter="fire-slime"]').is_visible()


def test_spectators_and_foes_do_not_see_a_choice_before_it_is_out(visit, pages):
    ann, ben, guest = visit("Ann"), visit(), visit()
    number = ann.new_fight("bgo", "open", start=False)
    ben.join(ann.invitation(), pages.fresh("Ben"))
    ann.page.locator("li.seat", has_text=f"played by {ben.name}").wait_for()
    ann.page.click("#start")
    guest.go(f"#/fight/{number}")
    ben.await_moves()
    ann.await_moves()
    others = [ben, guest]
    ann.says("ready?")
    for other in others:
        other.hears("ready?")
    pages.expect(guest.page.locator(".waiting [role=status]")).to_have_text(
        f"{ann.name} ({ann.name}) and fire-slime ({ben.name}) choose at the same time, in secret."
    )
    before = [other.seen for other in others]
    heard = [len(other.received) for other in others]

    ann.move("defend")
    assert "stays secret" in ann.question
    assert ann.page.locator(".ask.answered").inner_text() == "You chose defend."
    ann.says("I have chosen")  # comes after whatever the server tells about the choice
    for other in others:
        other.hears("I have chosen")

    assert [other.seen for other in others] == before
    told = [json.loads(text)["type"] for other, n in zip(others, heard, strict=True) for text in other.received[n:]]
    assert set(told) <= {"told", "lobby"}
    assert guest.page.locator("button.move").count() == 0
    assert guest.page.locator("#undo, #save, #end").count() == 0

    ben.move("attack")
    guest.page.locator("#story .line", has_text="defend").first.wait_for()


def test_a_table_names_those_it_waits_for_and_computers_that_think(visit):
    """The sentence below the question, made by the page's own module."""
    ann = visit()
    seats = [
        {"name": "Grik", "fighter": "grik", "due": True, "tactic": None, "player": "Ben", "here": False},
        {"name": "Ork", "fighter": "ork", "due": False, "tactic": "master", "player": None, "thinks": True},
        *(
            {"name": f"Rat {n}", "fighter": f"rat-{n}", "due": False, "tactic": "bold", "player": None}
            for n in range(4)
        ),
    ]

    def said(*due, mine=(), simultaneous=True):
        table = {
            "phase": "running",
            "owner": "Olga",
            "simultaneous": simultaneous,
            "asks": [{"fighter": name, "answered": None} for name in mine],
            "seats": [{**seat, "due": seat["fighter"] in due} for seat in seats],
        }
        return ann.page.evaluate("async table => (await import('./page/waiting.js')).waitingText(table)", table)

    assert said("grik") == "Waiting for Grik (Ben, away)."
    assert said("ork") == "Ork (computer, master) is thinking."
    assert said("rat-1") == "Waiting for Rat 1 (computer, bold)."
    assert said("grik", mine=["grik"]) == "The fight waits for you."
    assert said("grik", "ork", mine=["grik"]) == "You and Ork (computer, master) choose at the same time, in secret."
    in_turn = "Grik (Ben, away) and Ork (computer, master) move in any order."
    assert said("grik", "ork", simultaneous=False) == in_turn
    everyone = [seat["fighter"] for seat in seats]
    assert said(*everyone).endswith(
        "Ork (computer, master), Rat 0 (computer, bold) and 3 others choose at the same time, in secret."
    )
    assert said() == ""


def test_reloading_in_mid_fight_changes_nothing(visit, pages):
    ann = visit("Ann")
    ann.new_fight("bgo", "policy", match=pages.LONG_DUEL)
    ann.await_moves()
    ann.move("attack")
    ann.await_moves()
    before = (ann.story, ann.question, ann.moves)
    ann.page.reload()
    ann.await_moves()
    assert (ann.story, ann.question, ann.moves) == before


def test_the_page_resumes_by_itself_when_the_server_comes_back(visit, pages, tmp_path):
    with pages.serving(tmp_path) as server:
        ann = visit("Ann", at=server.address, excused=["WebSocket connection to", "ERR_CONNECTION_REFUSED"])
        ann.new_fight("bgo", "policy")
        ann.await_moves()
        before = ann.story
        server.stop()
        ann.page.locator("#connection", has_text="lost").wait_for()
        ann.page.check("#show-odds")
        ann.page.get_by_text("No odds: The server cannot be reached").wait_for()
        ann.page.click("#undo")
        ann.page.locator("#alert", has_text="cannot be reached").wait_for()
        server.start()
        pages.expect(ann.page.locator("#connection")).to_have_text("")
        pages.expect(ann.page.locator("#alert")).to_have_text("")
        assert ann.story == before
        ann.page.locator(pages.ODDS).first.wait_for()
        ann.finish("bgo")
        assert "Traceback" not in server.log()
        ann.close()
