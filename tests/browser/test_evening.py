"""A storyteller's evening: four people, two groups of monsters, and whatever may happen until the log is verified."""

from __future__ import annotations

import json
import re

import pytest

from affray.terminal import main

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
STRONG = {"max_health": 30, "health": 30}


@pytest.fixture
def evening(pages, tmp_path, examples_environment):
    """A server that can be stopped and started again without disturbing other tests."""
    (tmp_path / "first").mkdir()
    with pages.serving(tmp_path / "first", examples_environment) as server:
        yield server


def seat_of(olga, place, sheet, by, values=None, many=1):
    olga.fill_fighter(place, sheet, values or {}, by)
    if many > 1:
        olga.page.locator("fieldset.fighter").nth(place).locator("input.many").fill(str(many))


def set_up(olga, pages, players):
    """Olga invites three players against six monsters in two groups; the number of the fight."""
    page = olga.page
    olga.go("#/new")
    olga.choose_system("bgo")
    for team, more in ((0, 2), (1, 1)):
        for _ in range(more):
            page.locator("fieldset.team").nth(team).get_by_role("button", name="Add a fighter").click()
    for place in range(3):
        seat_of(olga, place, "player", "open", STRONG)
    seat_of(olga, 3, "fire-slime", "storyteller", many=3)
    seat_of(olga, 4, "mud-slime", "storyteller", many=3)
    page.get_by_label("Name of the fight").fill("The cave")
    page.click("#make")
    page.locator("#start").wait_for()
    links = [field.input_value() for field in page.locator("input.invite").all()]
    for player, link in zip(players, links, strict=True):
        player.join(link, pages.fresh("Player"))
    pages.expect(page.locator("li.seat", has_text="played by")).to_have_count(3)
    page.click("#start")
    page.locator(".table #question").wait_for()
    return int(page.url.rpartition("/")[2])


def fight_a_round(olga, players, pages):
    """Every player attacks, and Olga answers once for each of her groups."""
    before = len(olga.story)
    for player in players:
        player.await_moves()
        player.move(next(move for move in player.moves if move.startswith("attack")))
    for last in (False, True):
        ask = olga.page.locator(".ask:not(.answered)").first
        ask.wait_for()
        whose = ask.get_attribute("data-ask")
        ask.locator("button.move").first.click()
        if not last:  # after the last answer the next round is asked for
            pages.expect(olga.page.locator(f'.ask:not(.answered)[data-ask="{whose}"]')).to_have_count(0)
    pages.until(lambda: len(olga.story) > before, "the round is told", olga.page)


def word(olga, pages, line, told):
    if not olga.page.locator("#word-line").is_visible():
        olga.page.click("#storyteller summary")
    olga.page.fill("#word-line", line)
    olga.page.click("#word-any button")
    pages.expect(olga.page.locator("#story")).to_contain_text(told)


def test_an_evening_from_the_first_invitation_to_the_verified_log(
    evening, visit, pages, tmp_path, examples_environment, capsys
):
    lost = ("ERR_", "WebSocket connection", "Failed to fetch")
    how = {"at": evening.address, "excused": lost}
    olga = visit("Olga", **how)
    players = [visit(**how), visit(context=PHONE, **how), visit(**how)]
    number = set_up(olga, pages, players)
    assert olga.page.locator(".group-card").count() == 2
    assert olga.page.locator(".group-card .fighter").count() == 6
    fight_a_round(olga, players, pages)

    # An intervention is taken back, and all are told; reinforcements stay.
    before = olga.story
    word(olga, pages, "set fire-slime health 1", "sets health of")
    for each in players:
        pages.expect(each.page.locator("#story")).to_contain_text("sets health of")
    olga.page.click("#undo")
    for each in (olga, *players):
        pages.expect(each.page.locator("#taken-back")).to_contain_text("Taken back: the storyteller's word (set ")
        assert each.story == before
    word(olga, pages, "join monsters fire-slime:name=Late", "Late")
    for each in players:
        pages.expect(each.page.locator("#story")).to_contain_text("Late")

    # Another fighter waits in the wings, of which no player can tell, until it is revealed.
    seen = players[0].seen
    olga.page.select_option("#word-hide-team", label="monsters")
    olga.page.select_option("#word-hide-sheet", "mud-slime")
    olga.page.click("#word-hide button")
    pages.expect(olga.page.locator("#storyteller .kept")).to_contain_text("mud-slime-4, to join monsters")
    olga.says("Does anything stir?")  # comes after whatever the player might have been told
    players[0].hears("Does anything stir?")
    assert players[0].seen == seen
    olga.page.click("#word-reveal button")
    for each in (olga, *players):
        pages.expect(each.page.locator("#story")).to_contain_text("The storyteller reveals")

    # One player loses the connection, and finds the fight as it stands.
    phone = players[1].page
    phone.context.set_offline(True)
    word(olga, pages, "set Late health 2", "sets health of")
    phone.context.set_offline(False)
    pages.expect(phone.locator("#story")).to_contain_text("sets health of")

    # The server is restarted; every page finds it again by itself.
    olga.page.click("#save")
    olga.is_told("Saved.")
    told = olga.story
    evening.stop()
    for each in (olga, *players):
        each.page.locator("#connection", has_text="lost").wait_for()
    evening.start()
    olga.says("Where were we?")
    for each in (olga, *players):
        each.hears("Where were we?")
        assert each.page.locator("#connection").inner_text() == ""
        assert each.story == told
    assert players[0].await_moves()

    # On another day the fight goes on from its file, on another server, to its end and to a log that verifies.
    log = olga.page.evaluate(f"fetch('api/combats/{number}/log').then(answer => answer.text())")
    (tmp_path / "saved.json").write_text(log)
    (tmp_path / "second").mkdir()
    with pages.serving(tmp_path / "second", examples_environment) as later:
        next_day = visit("Olga", at=later.address, excused=lost)
        next_day.page.click(".files summary")
        next_day.page.set_input_files("#import", tmp_path / "saved.json")
        next_day.page.wait_for_url(re.compile(r"#/fight/\d+$"))
        next_day.page.locator(".table #question").wait_for()
        assert next_day.story == told
        word(next_day, pages, "end heroes", "heroes")
        pages.expect(next_day.page.locator("#end")).to_have_text("Close the fight")
        next_day.page.click("#end")
        pages.expect(next_day.page.locator("#end")).to_have_count(0)
        ended = next_day.page.url.rpartition("/")[2]
        final = next_day.page.evaluate(f"fetch('api/combats/{ended}/log').then(answer => answer.text())")
        (tmp_path / "evening.json").write_text(final)
    assert json.loads(final)["ending"] == "heroes"
    capsys.readouterr()
    assert main(["verify", str(tmp_path / "evening.json")]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert "heroes" in told
    assert "came from an earlier log" in told
    assert "for the others, all results follow from the secret, and the secret matches its commitment" in told

    # The first evening's fight is closed, which tells its secret: now the dice of both evenings are checked.
    olga.page.click("#end")
    olga.page.click("#confirm-end")
    pages.expect(olga.page.locator("#end")).to_have_count(0)
    first = olga.page.evaluate(f"fetch('api/combats/{number}/log').then(answer => answer.text())")
    (tmp_path / "first.json").write_text(first)
    assert main(["verify", str(tmp_path / "evening.json"), "--before", str(tmp_path / "first.json")]) == 0
    assert "of which" in (both := " ".join(capsys.readouterr().out.split()))
    assert both.count("the secret matches its commitment") == 2
