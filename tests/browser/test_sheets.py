"""Sheets of one's own: a form for every system, checked by the server while one types, and a fight with it."""

from __future__ import annotations

import pytest

# For each system: whose sheet to begin with, values to type, one that does not fit, and what the server says of it.
OWN = {
    "bgo": ("squire", {"health": "7", "attack": "2"}, ("defense", "99"), "defense must be -50 to 50, not 99"),
    "grapple": ("goblin", {"max_wounds": "3", "sd": "1"}, ("ad", "21"), "ad must be 0 to 20, not 21"),
    "deckahedron": ("maren", {"tokens": "1", "speed": "3"}, ("strength", "9"), "strength must be 1 to 4, not 9"),
    "mythos": ("boxer", {"luck": "50", "hp": "8"}, ("armour", "30"), "armour must be 0 to 20, not 30"),
    "strategic": ("knight", {"life_coins": "25", "strength": "4"}, ("stake", "-1"), "stake must be 0 to 1000, not -1"),
}


@pytest.mark.parametrize("system", OWN)
def test_a_sheet_of_ones_own_is_made_and_fights(system, visit, pages):
    sheet, values, (wrong, text), said = OWN[system]
    ann = visit("Ann")
    ann.go("#/new")
    ann.choose_system(system)
    fighter = ann.page.locator("fieldset.fighter").first
    fighter.locator("select.sheet").select_option(sheet)
    summary = fighter.locator(".own-sheet > summary")
    assert summary.inner_text() == "Change the sheet (unchanged)"
    summary.press("Enter")
    told = fighter.locator(".own-sheet > .said")

    field = fighter.locator(f'[data-value="{wrong}"] input')
    field.focus()
    usual, before = field.input_value(), field.bounding_box()
    field.fill(text)
    pages.expect(told).to_contain_text(said)
    assert fighter.locator(".value.refused").get_attribute("data-value") == wrong
    assert field.bounding_box() == before, "nothing moves under the pointer"
    ann.page.click("#make-and-start")
    pages.expect(ann.page.locator("#alert")).to_contain_text(said)
    field.fill(usual)
    for name, value in values.items():
        fighter.locator(f'[data-value="{name}"]').get_by_label(name.replace("_", " ").capitalize()).fill(value)
    pages.expect(told).to_have_text("This sheet is valid.")
    assert fighter.locator(".value.refused").count() == 0
    assert summary.inner_text() == "Change the sheet (2 values changed)"

    ann.page.click("#make-and-start")
    ann.page.locator(".table #question").wait_for()
    ann.move(ann.await_moves()[0])
    number = ann.page.url.rpartition("/")[2]
    log = ann.page.evaluate("path => fetch(path).then(answer => answer.json())", f"api/combats/{number}/log")
    fights = next(iter(log["teams"].values()))[0]
    assert fights["name"] == ann.name
    assert {name: str(fights[name]) for name in values} == values


def test_a_form_that_waits_for_another_system_can_neither_be_opened_nor_sent(visit, pages):
    """Bgo and strategic both have a knight, whose form looks alike but would be drawn anew in the midst of a click."""
    ann = visit("Ann")
    ann.go("#/new")
    page, held = ann.page, {}
    page.route("**/api/systems/*", lambda route: held.update({route.request.url.rpartition("/")[2]: route}))
    rest, system = page.locator(".rest"), page.locator("select[name=system]")
    fighter = page.locator("fieldset.fighter").first
    own = fighter.locator(".own-sheet")
    fighter.locator("select.sheet").select_option("knight")
    own.locator("> summary").click()
    health = own.locator('[data-value="health"] input')
    health.fill("4")

    for each in ("strategic", "grapple"):
        system.select_option(each)
        pages.until(lambda each=each: each in held, "the page asks for the system", page)
        for place in (rest, page.locator("#make").locator("..")):
            assert place.evaluate("place => place.inert")
    system.select_option("bgo")
    assert not rest.evaluate("place => place.inert")
    assert health.input_value() == "4", "nothing is drawn anew that one comes back to"

    system.select_option("strategic")
    with page.expect_response("**/api/systems/grapple") as came:
        held["grapple"].continue_()
    came.value.finished()
    page.evaluate("() => fetch('api/session').then(answer => answer.json())")
    assert rest.evaluate("place => place.inert"), "the last choice counts, whichever comes first"
    held["strategic"].continue_()
    pages.expect(page.locator(".rest:not([inert])")).to_have_count(1)
    fighter.locator("select.sheet").select_option("knight")
    own.locator("> summary").press("Enter")
    pages.expect(own.locator('[data-value="stake"] input')).to_be_visible()

    system.select_option("mythos")
    pages.until(lambda: "mythos" in held, "the page asks for the system", page)
    held["mythos"].fulfill(status=429, json={"problem": "not now"})
    pages.expect(page.locator("#alert")).to_contain_text("Not now.")
    assert system.input_value() == "strategic"
    assert not rest.evaluate("place => place.inert")
    assert own.get_attribute("open") is not None


def test_lists_and_amounts_are_chosen_one_by_one(visit, pages):
    ann = visit("Ann")
    ann.go("#/new")
    ann.choose_system("mythos")
    fighter = ann.page.locator("fieldset.fighter").first
    fighter.locator("select.sheet").select_option("boxer")
    fighter.locator(".own-sheet > summary").click()
    perks, skills = (fighter.locator(f'[data-value="{name}"]') for name in ("perks", "skills"))
    for group in (perks, skills):
        group.locator("summary").click()
    while (ticked := perks.locator("input:checked")).count():
        ticked.first.uncheck()
    for perk in ("tough-guy", "alert"):
        box = perks.get_by_label(perk)
        before = box.bounding_box()
        box.check()
        assert box.bounding_box() == before, "nothing moves under the pointer"
    skills.get_by_label("sword", exact=True).fill("35")
    assert perks.locator("summary").inner_text().endswith("tough-guy+alert")
    assert "sword 35" in skills.locator("summary").inner_text()
    pages.expect(fighter.locator(".own-sheet > .said")).to_have_text("This sheet is valid.")

    own = fighter.locator('[data-value="own_weapons"] input')
    own.fill("pick (base large-clb)")
    pages.expect(fighter.locator(".own-sheet > .said")).to_contain_text("there is no weapon 'large-clb'")
    assert fighter.locator(".value.refused").get_attribute("data-value") == "own_weapons"
    own.fill("pick (base large-club; impales)")
    pages.expect(fighter.locator(".own-sheet > .said")).to_have_text("This sheet is valid.")

    fighter.locator("select.sheet").select_option("detective")
    pages.expect(fighter.locator(".own-sheet > summary")).to_have_text("Change the sheet (unchanged)")


def test_a_sheet_of_ones_own_attributes_is_offered_only_where_they_make_one(visit, pages):
    ann = visit("Ann")
    own = ann.page.locator("fieldset.fighter select.sheet option", has_text="My own sheet")
    set_attribute = "async written => (await import('./page/api.js')).put('accounts/me/attributes', { written })"
    ann.page.evaluate(set_attribute, "mythos_sheet[STRING]=nobody")  # there is no such sheet
    ann.go("#/new")
    ann.choose_system("mythos")
    pages.expect(own).to_have_count(0)
    ann.page.evaluate(set_attribute, "mythos_sheet[STRING]=detective:hp=6")
    ann.go("#/")
    ann.go("#/new")
    ann.choose_system("mythos")
    pages.expect(own).to_have_count(2)
    ann.choose_system("grapple")
    pages.expect(own).to_have_count(0)


def test_another_fighter_begins_with_the_sheet_of_the_last(visit):
    ann = visit("Ann")
    ann.go("#/new")
    ann.choose_system("grapple")
    ann.fill_fighter(0, "goblin", {"max_wounds": 4}, "me")
    ann.page.get_by_role("button", name="Add a fighter").first.click()
    added = ann.page.locator("fieldset.fighter").nth(1).locator(".own-sheet")
    added.locator("> summary").click()
    assert added.locator('[data-value="max_wounds"] input').input_value() == "4"


def test_the_library_lists_and_searches_what_a_system_has(visit, pages):
    ann = visit("Ann")
    ann.go("#/library/bgo")
    page = ann.page
    headings = page.locator(".library h2")
    pages.expect(headings).to_have_text(["Players", "Creatures", "Items", "Boons", "Curses", "Consumables"])
    page.get_by_label("Find").fill("fire weapon 7")
    pages.expect(page.locator("#found")).to_have_text("1 entry")
    entry = page.locator(".entry")
    assert entry.get_attribute("data-entry") == "sunfire-blade"
    assert entry.locator("dd").inner_text() == "rank 7 weapon: Attack +3, +3  fire damage"
    assert entry.locator("svg.icon").get_attribute("data-icon") == "fire"
    page.get_by_label("Find").fill("xyzzy")
    pages.expect(page.locator("#found")).to_have_text("No entry has these words.")
    page.get_by_label("Find").fill("")
    page.get_by_label("System").select_option("grapple")
    pages.expect(headings.first).to_have_text("Players")
    pages.expect(page.locator('[data-entry="ahalish"]')).to_be_visible()


def test_types_of_damage_are_drawn_on_the_table(visit):
    ann = visit("Ann")
    ann.new_fight("bgo", "storyteller")
    damage = ann.page.locator('[data-widget="Damage"]')
    icons = damage.locator("svg.icon")
    assert sorted(icon.get_attribute("data-icon") for icon in icons.all()) == ["fire", "physical"]


def test_a_party_and_an_encounter_are_kept_used_and_carried_elsewhere(visit, pages, tmp_path):
    ann = visit("Ann")
    page = ann.page
    ann.go("#/new")
    ann.choose_system("bgo")
    page.locator("fieldset.fighter").first.locator("input.name").fill("Bo")
    for button, name in ((".keep-party >> nth=0", "The fellowship"), ("#keep-encounter", "Ambush")):
        page.click(button)
        page.fill("#kept-name", name)
        page.click("#asked-yes")
        ann.is_told(f"{name} is kept.")
    ann.go("#/kept")
    page.get_by_role("link", name="Set up a fight with The fellowship").click()
    ann.arrived()
    page.locator("fieldset.fighter").first.locator("select.by").select_option("storyteller")
    page.click("#make-and-start")
    page.locator(".table #question").wait_for()
    page.click("#storyteller summary")
    page.fill("#word-line", "set Bo health 3")
    page.click("#word-any button")
    pages.expect(page.locator("#story")).to_contain_text("sets health of Bo from 10 to 3")
    page.click("#end")
    page.click("#confirm-end")
    page.locator("#verify").wait_for(state="attached")
    ann.go("#/kept")
    party = page.locator("[data-kept='The fellowship']")
    pages.expect(party).to_contain_text("health 3")
    with page.expect_download() as saved:
        page.get_by_role("button", name="Export The fellowship").click()
    saved.value.save_as(tmp_path / "party.json")
    page.get_by_role("button", name="Round The fellowship").click()
    pages.expect(page.locator(".result")).to_contain_text("Bo rests")
    page.get_by_role("button", name="Forget The fellowship").click()
    page.click("#asked-yes")
    pages.expect(party).to_have_count(0)
    page.set_input_files("#import-kept", tmp_path / "party.json")
    pages.expect(party).to_contain_text("health 3")
    page.get_by_role("link", name="Set up a fight with Ambush").click()
    ann.arrived()
    assert page.locator("fieldset.fighter input.name").first.input_value() == "Bo"


def test_the_form_says_how_hard_the_fight_is_and_only_the_newest_question_counts(visit, pages):
    ann = visit("Ann")
    ann.go("#/new")
    ann.choose_system("bgo")
    meter = ann.page.locator(".difficulty")
    pages.expect(meter).to_contain_text("in 20,000 simulated fights")

    def chance():
        return float(meter.locator("meter").get_attribute("value"))

    alone = chance()
    ann.page.locator("fieldset.fighter").nth(1).locator("input.many").fill("4")
    pages.until(lambda: chance() < alone / 2, "four are harder than one", ann.page)
    ann.page.locator("input.team-name").nth(1).fill("heroes")
    pages.expect(meter).to_contain_text("No difficulty yet")
