"""Pictures are well-formed, say in words what they show, and change with what they show."""

import xml.etree.ElementTree as ET

import affray
from affray.players.tactics import replay_simulated

SVG = "{http://www.w3.org/2000/svg}"


def test_a_fight_draws_itself():
    fight = replay_simulated("bgo", "heroes=knight,squire monsters=rust-knight", seed=1, number=5)
    root = ET.fromstring(fight.svg())
    assert root.tag == f"{SVG}svg"
    assert root.find(f"{SVG}title").text == "knight and squire against rust-knight"
    assert root.find(f"{SVG}desc").text == fight.story
    courses = root.findall(f"{SVG}polyline")
    assert len(courses) == 3
    # One point for the start and one after each answer.
    assert {len(course.get("points").split()) for course in courses} == {1 + len(fight.answers)}
    assert fight._repr_svg_() == fight.svg()


def test_a_running_fight_draws_itself_too():
    fight = affray.Fight("bgo", "heroes=player monsters=fire-slime", seed=1)
    assert "still fighting" in fight.svg()


def test_odds_draw_bars_as_long_as_their_chances():
    result = affray.odds("bgo", "heroes=player monsters=fire-slime", compiled=False)
    root = ET.fromstring(result.svg())
    bars = [float(rect.get("width")) for rect in root.findall(f"{SVG}rect")[1:]]
    whole, drawn = bars[::2], bars[1::2]
    for chance, full, part in zip(result.chances.values(), whole, drawn, strict=True):
        assert abs(part / full - float(chance)) < 0.001
