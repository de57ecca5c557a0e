"""The lab in the browser: simulations, odds and questions of designers, with progress and a way to stop."""

from __future__ import annotations

import pytest


def test_a_simulation_shows_endings_and_rounds(visit, pages):
    ann = visit("Ann")
    ann.go("#/lab")
    ann.page.locator("input[name=fights]").fill("2000")
    ann.page.locator("input[name=seed]").fill("7")
    ann.page.click("#run")
    job = ann.page.locator("article.job")
    pages.expect(job.locator("caption").first).to_have_text("How they ended")
    assert "2,000 fights" in job.inner_text()
    assert "seed 7" in job.inner_text()
    assert job.locator("tbody").first.locator("tr").count() >= 2
    assert job.locator("svg rect.bar").count() > 0


def test_odds_of_a_duel_are_counted_exactly(visit, pages):
    ann = visit("Ann")
    ann.go("#/lab")
    ann.page.select_option("select[name=kind]", "odds")
    ann.page.click("#run")
    job = ann.page.locator("article.job")
    pages.expect(job.locator("caption")).to_have_text("Counted exactly")
    shares = [float(cell.partition("%")[0]) for cell in job.locator("td:nth-child(2)").all_inner_texts()]
    assert abs(sum(shares) - 100) < 0.1


def test_a_long_simulation_shows_its_progress_and_is_cancelled(visit, pages):
    ann = visit("Ann")
    ann.go("#/lab")
    for place, sheet in enumerate(("player", "fire-slime")):
        ann.fill_fighter(place, sheet, {"max_health": 99, "health": 99}, "")
    ann.page.locator("input[name=fights]").fill("10000000")
    ann.page.click("#run")
    job = ann.page.locator("article.job")
    progress = job.locator("progress")
    pages.until(lambda: progress.evaluate("bar => bar.value") > 0, "progress", ann.page)
    job.get_by_role("button", name="Cancel").click()
    pages.expect(job).to_contain_text("ancelled")
    pages.expect(progress).to_have_count(0)


def ask(visitor, kind, **fields):
    """Ask a question of the bench; its box is the first."""
    visitor.page.select_option("select[name=kind]", kind)
    for name, text in fields.items():
        visitor.page.locator(f"[name={name}]").fill(text)
    visitor.page.click("#run")
    return visitor.page.locator("article.job").first


def figure_in(table, name):
    """The figure of the row with a name."""
    row = table.locator("tbody tr", has_text=name)
    return float(row.locator("td").first.inner_text().replace("\u2212", "-").rstrip("%"))


def test_variants_are_compared_and_the_result_stays_when_one_goes_elsewhere(visit, pages):
    ann = visit("Ann")
    ann.go("#/lab")
    job = ask(ann, "compare", vary="fire-slime:helth=4|5")
    pages.expect(ann.page.get_by_role("alert").first).to_contain_text("there is no key 'helth'")
    job = ask(ann, "compare", vary="fire-slime:max_health+health=4|5|6", each="heroes=player|squire")
    averages = job.locator("table").last
    pages.expect(averages.locator("caption")).to_have_text("The same on average over all settings (in points)")
    differences = job.locator("table").nth(1)
    pages.expect(differences.locator("caption")).to_have_text("Differences in heroes (in points)")
    by_hero = [figure_in(differences, f"{hero}: 4 less 5") for hero in ("player", "squire")]
    assert figure_in(averages, "4 less 5") == pytest.approx(sum(by_hero) / 2, abs=0.011)  # each is rounded
    first = job.locator("tbody tr").first
    pages.expect(first.locator("th")).to_have_text("player: 4")
    pages.expect(first.locator("td").first).to_have_text("96.37%")  # as `affray odds` has it for this duel
    pages.expect(job).to_contain_text("Counted exactly")
    ann.go("#/")
    ann.go("#/lab")
    pages.expect(job).to_contain_text("player: 4 less 5")
    ann.page.reload()
    pages.expect(job).to_contain_text("player: 4 less 5")


def test_every_question_of_a_designer_has_an_answer_that_fits_a_phone(visit, pages):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    ann = visit("Ann", context={"viewport": {"width": 390, "height": 800}})
    ann.go("#/lab")
    job = ask(ann, "tune", vary="fire-slime:max_health+health=4..12", targets="heroes=0.6", fights="1000")
    pages.expect(job).to_contain_text("Nothing in these ranges does it. These come nearest:")
    job = ask(ann, "sensitivity", of="")
    pages.expect(job.locator("tbody tr").first).to_contain_text("fire-slime:max_health+health 4 to 5")
    job = ask(ann, "encounter", bestiary="dream-slime,mud-slime", monsters="1")
    pages.expect(job).to_contain_text("Wanted: heroes win 55% to 75%.")
    pages.expect(ann.page.locator("fieldset.team").nth(1)).to_be_hidden()
    job = ask(ann, "campaign", meet="fire-slime\nmud-slime", fights="300")
    pages.expect(job.locator("caption").first).to_have_text("Got past")
    pages.expect(job).to_contain_text("300 runs")
    assert ann.page.evaluate("document.documentElement.scrollWidth") <= 390
    assert [v["id"] for v in axe.run(ann.page).response["violations"] if v["impact"] in ("serious", "critical")] == []
