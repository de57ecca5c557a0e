"""Reports: their figures are those of the fights, and every system has one."""

import re
import shlex
from html.parser import HTMLParser

import pytest

import affray
from affray.errors import Invalid
from affray.lab.design.report import report as reporting
from affray.lab.design.report.duels import strange
from affray.lab.design.report.report import report
from affray.lab.figures import binned
from affray.system.registry import names
from affray.terminal import main

FEW = ["player", "squire", "fire-slime"]


@pytest.fixture(scope="module")
def small():
    return report("bgo", FEW, fights=200, looked_into=4, playouts=40)


class Balanced(HTMLParser):
    """Fails on a tag that is closed without having been opened."""

    def __init__(self):
        super().__init__()
        self.open = []

    def handle_starttag(self, tag, attrs):
        if tag not in ("meta", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


@pytest.mark.parametrize("system", names())
def test_every_system_has_a_report(system):
    ids = [id for own in affray.sheets(system).values() for id in own][:3]
    html = report(system, ids, fights=20, looked_into=2, playouts=10).html()
    reader = Balanced()
    reader.feed(html)
    assert not reader.open
    assert "<script" not in html
    assert not re.search(r"(src|href)=", html)  # nothing from elsewhere
    assert html.count("<h2>") >= 6


def test_a_few_long_fights_do_not_stretch_the_picture_of_lengths():
    lengths = {1: 400, 2: 300, 9: 293, 30: 4, 600: 3}
    rows = binned(lengths, 6)
    assert rows == [("1 to 2", 700), ("3 to 4", 0), ("5 to 6", 0), ("7 to 8", 0), ("9", 293), ("10 up", 7)]
    assert binned({1: 3, 4: 1}, 6) == [("1", 3), ("2", 0), ("3", 0), ("4", 1)]


def test_the_matrix_is_that_of_the_odds(small):
    for (one, other), rate in small.duels.wins.items():
        wins = [affray.odds("bgo", {first: [first_id], second: [second_id]}).chances["a"]
                for first, first_id, second, second_id in (("a", one, "b", other), ("b", other, "a", one))]  # fmt: skip
        true = float(sum(wins)) / 2
        # Six figures: each misses its 95% interval now and then, so this is the interval of 99.99%.
        wide = 2 * (rate.high - rate.low)
        assert abs(rate.value - true) < wide, (one, other)


def test_the_command_of_a_cell_gives_its_figure(small, capsys):
    titles = re.findall(r'title="player beats fire-slime: ([^"]*)"', small.html())
    figure, command = titles[0].split("\n")
    assert main(shlex.split(command)[1:]) == 0
    value, low, high = re.findall(r"[\d.]+%", figure)
    out = capsys.readouterr().out
    (line,) = (line for line in out.splitlines() if "as given" in line)
    shown = [round(float(each), 1) for each in re.findall(r"([\d.]+)%", line)]
    assert [float(each[:-1]) for each in (value, low, high)] == pytest.approx(shown, abs=0.11)


def test_an_outlier_is_one_that_wins_less_than_those_of_a_lower_rank(small):
    worth = {"player": 3, "squire": 1, "fire-slime": 1}
    found = dict(strange(small.duels, worth))
    overall = {name: rate.value for name, rate in small.duels.overall.items()}
    assert ("player" in found) == (small.duels.overall["player"].high < (overall["squire"] + overall["fire-slime"]) / 2)
    assert dict(strange(small.duels, dict.fromkeys(worth, 1))) == {}


def test_an_interrupted_report_says_so(monkeypatch):
    heard = []

    def stop(done, most):
        heard.append(done)
        if len(heard) == 2:
            raise KeyboardInterrupt

    part = report("bgo", FEW, fights=20, looked_into=1, playouts=5, progress=stop)
    assert part.interrupted
    assert "Interrupted: this is what there was so far" in part.html()
    assert len(part.duels.wins) == 3  # player against itself, and against the squire from both sides


def test_what_cannot_be_reported_is_refused(monkeypatch, tmp_path):
    with pytest.raises(Invalid, match="no fighter 'dragon'"):
        report("bgo", ["player", "dragon"])
    with pytest.raises(Invalid, match="two or more fighters"):
        report("bgo", ["player"])
    with pytest.raises(Invalid, match=r"--by must be a number that all of these sheets have: rank, .*, not 'price'"):
        report("bgo", FEW, by="price")
    with pytest.raises(Invalid, match=r"must end in \.html or \.pdf"):
        reporting.checked(tmp_path / "report.doc")
    monkeypatch.setattr(reporting, "BROWSERS", ("no-such-browser",))
    with pytest.raises(Invalid, match="needs a browser to print it"):
        reporting.checked(tmp_path / "report.pdf")
