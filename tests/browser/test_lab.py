"""The lab in the browser: simulations and odds, with progress and a way to stop."""

from __future__ import annotations


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
