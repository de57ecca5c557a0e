"""Pictures are well-formed, say in words what they show, and change with what they show."""

import xml.etree.ElementTree as ET

import pytest

import affray
from affray.fight.concluding import conclude
from affray.fight.sharing import Course, Step, shared
from affray.kernel.records import pack
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


# --- to share ---------------------------------------------------------------------------------------------------------


def texts(svg):
    return ["".join(text.itertext()) for text in ET.fromstring(svg).iter(f"{SVG}text")]


def test_a_fight_that_is_over_has_a_picture_to_share():
    fight = replay_simulated("bgo", "heroes=player monsters=fire-slime:health=6", seed=1, number=2)
    drawn = fight.picture()
    luck = fight.luck(fight.ending if fight.ending in fight.teams else None)
    root = ET.fromstring(drawn.svg)
    (course,) = root.findall(f"{SVG}polyline")
    heights = [float(point.split(",")[1]) for point in course.get("points").split()]
    chances = [luck.turns[0].start, *(turn.became for turn in luck.turns)]
    top, bottom = 265, 470
    assert heights == pytest.approx([bottom - (bottom - top) * chance for chance in chances], abs=0.06)
    turned = max(luck.turns, key=lambda turn: abs(turn.became - turn.start))
    assert abs(turned.became - turned.start) >= 0.03, "this fight had a decisive moment"
    assert f"({turned.start:.0%} to {turned.became:.0%})" in drawn.text
    assert len(root.findall(f"{SVG}circle")) == 1
    assert root.find(f"{SVG}desc").text == drawn.text
    assert drawn.text.startswith("Board Game Online variant: player against fire-slime.")
    assert drawn.svg != fight.picture(dark=True).svg


def test_without_chances_the_picture_shows_how_all_stood():
    fight = affray.Fight("grapple", "reds=goblin greens=goblin", seed=3)
    fight.play(fight.to_act[0], fight.legal(fight.to_act[0])[0])
    with pytest.raises(affray.Illegal, match="only of a fight that is over"):
        fight.picture()
    conclude(fight, "resigned", "reds", "greens")
    drawn = fight.picture()
    assert drawn.text == f"Grapple: goblin against goblin-2. Reds won in round {fight.round}. Greens resigned."
    assert len(ET.fromstring(drawn.svg).findall(f"{SVG}polyline")) == 2


def test_names_are_text_and_long_ones_are_cut():
    fight = affray.Fight("grapple", "reds=goblin greens=goblin", seed=3)
    conclude(fight, "agreed", "draw")
    names = {"goblin": "<b>&" + "x" * 30, "goblin-2": "y" * 39}
    drawn = shared(fight, Course("reds", [Step(1, 0.5, 0.51)]), called=names)
    title = next(text for text in texts(drawn.svg) if text.startswith("<b>&"))
    assert len(title) <= 64
    assert "No single decision turned it." in drawn.text


def test_a_picture_knows_no_more_than_a_spectator():
    """Two fights that differ only in what a spectator does not see look the same."""
    one, other = (affray.Fight("deckahedron", "a=maren b=guard", seed=seed) for seed in (0, 1))
    assert pack(one.state) != pack(other.state), "their decks are in another order"
    for fight in (one, other):
        conclude(fight, "agreed", "draw")
    assert one.picture() == other.picture()
