"""Fights told as they were read and found right, each with its rule; what is asked at a table, and what is typed."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from affray.errors import Illegal
from affray.fight import Fight
from affray.kernel.chance import Hand, Throw
from affray.kernel.rules import Kind
from affray.kernel.state import STANDING
from affray.systems.strategic import events, state
from affray.systems.strategic.arms import FISTS, WEAPON_NUMBERS
from affray.systems.strategic.moves import AIMED, ATTACKS, PLAIN
from affray.systems.strategic.state import DEAD, DOWN, FLED, YIELDED

Scenery = Callable[..., Any]
GOLDEN = Path(__file__).parent / "golden"
REWRITE = "AFFRAY_REWRITE_GOLDEN"
NOTHING = {"pain": 0, "incapacitation": 0, "crippling": 0, "soak": 0}
MISSED = {"attack": 1, "defence": 2}


def told(scene: Any) -> str:
    """The story in short paragraphs, a round each, and how everybody is afterwards."""
    lines = [f"\n{line.text}" if line.event.kind == events.ROUND else line.text for line in scene.fight.lines]
    return "\n".join([*lines, "", scene.fight.status().rstrip(), ""])


def is_golden(name: str, scene: Any) -> None:
    """The fight is over, and its story is the one that was read."""
    assert scene.ending is not None
    file, text = GOLDEN / f"{name}.txt", told(scene)
    if os.environ.get(REWRITE):
        file.write_text(text, encoding="utf-8")
    assert text == file.read_text(encoding="utf-8"), f"read what is new; {REWRITE}=1 takes it over"


# The stories: each is played here, so that one may ask it for its rule and another for its words


def blows(duel: Scenery) -> Any:
    """Pain that costs coins, a margin that slips, armour that soaks, a parry that wins a turn, and a fall."""
    scene = duel(bob={"armour": "leather"})
    hit = {"pain": 5, "incapacitation": 1, "crippling": 2, "control": 1, "slip": 1, "soak": 2}
    scene.blow("ada", "strike incapacitate", "bob", "parry", then="bob", attack=6, defence=2, **hit)
    assert scene.marks("bob") == (5, 1 + 2 - 1, 2 + 2 - 2)
    scene.blow("bob", "power cripple", "ada", "parry", then="ada", penalty=4)
    scene.blow("ada", "jab pain", "bob", "parry", then="bob", attack=0, defence=2)
    scene.blow("bob", "guarded pain", "ada", "dodge", then="ada", penalty=1, attack=1, defence=3)
    hit = {"pain": 8, "incapacitation": 5, "crippling": 2, "soak": 0}
    scene.blow("ada", "power cripple", "bob", "brace", attack=2, defence=2, flip_off=[0, 0, 1, 0], **hit)
    return scene


def threat(duel: Scenery) -> Any:
    """A threat that fails, one that costs a coin, and one that ends it."""
    scene = duel(bob={"stake": 2})
    scene.move("ada", "threaten", threat=2, nerve=3)
    scene.move("ada", "threaten", threat=4, nerve=3)
    scene.move("bob", "fight on", then="bob")
    scene.blow("bob", "strike pain", "ada", "parry", then="ada", **MISSED)
    assert scene.coins("attack") == [6]
    scene.move("ada", "threaten", threat=3, nerve=3, flip_off=[1, 0])
    scene.move("bob", "yield")
    scene.move("ada", "accept")
    return scene


def disarm(duel: Scenery) -> Any:
    """A weapon that is kept, one that drops, fists, and picking it up."""
    scene = duel()
    scene.blow("ada", "disarm", "bob", "parry", attack=3, defence=2)
    assert scene["bob"].weapon == WEAPON_NUMBERS["broadsword"]
    scene.blow("ada", "disarm", "bob", "parry", then="bob", attack=4, defence=2)
    assert scene["bob"].weapon == FISTS
    hit = {"pain": 3, "incapacitation": 1, "crippling": 0, "soak": 1}
    scene.blow("bob", "strike pain", "ada", "parry", then="bob", attack=4, defence=3, **hit)
    assert scene.coins("pain") == [4]
    scene.move("bob", "pick up", then="bob")
    assert scene["bob"].weapon == WEAPON_NUMBERS["broadsword"]
    hit = {"pain": 4, "incapacitation": 4, "crippling": 4, "soak": 0}
    scene.blow("bob", "strike cripple", "ada", "parry", attack=4, defence=3, **hit)
    return scene


def surrender(duel: Scenery) -> Any:
    """An offer to yield that is refused, stands, is taken back, and in the end accepted."""
    scene = duel({"stake": 1, "caution": 120})
    scene.move("ada", "yield")
    scene.move("bob", "refuse", then="bob")
    hit = {"pain": 4, "incapacitation": 2, "crippling": 1, "soak": 1}
    scene.move("bob", "strike pain", then="ada", attack=1, defence=0, **hit)
    assert scene.coins("defence") == [0]
    scene.move("ada", "wait", then="ada")
    scene.move("ada", "withdraw", then="bob")
    scene.blow("bob", "strike pain", "ada", "parry", then="ada", **MISSED)
    assert scene.coins("defence") == [8 - 2]
    scene.move("ada", "yield")
    scene.move("bob", "refuse", then="bob")
    scene.move("bob", "accept")
    return scene


def flight(brawl: Scenery) -> Any:
    """Foes who are hampered more, alike and less; one lets go, one strikes, and the next attempt succeeds."""
    scene = brawl(order={"ada": {"stake": 0}}, raiders=["bob", "cyd", "dan"])
    for name, marks in {"ada": (1, 1), "bob": (2, 1), "cyd": (0, 2), "dan": (0, 1)}.items():
        scene[name].incapacitation, scene[name].crippling = marks
    scene.move("ada", "flee", stop=1, initiative=[3, 5])
    scene.move("cyd", "let go")
    hit = {"pain": 3, "incapacitation": 1, "crippling": 0, "soak": 1, "control": 2}
    scene.move("dan", "stop pain", attack=2, defence=0, **hit)
    assert scene["ada"].state == STANDING
    scene.move("ada", "flee", stop=0, initiative=[5, 3])
    return scene


def standoff(duel: Scenery) -> Any:
    """Three rounds without a hit, where three are enough."""
    scene = duel(standoff=3)
    scene.blow("ada", "guarded pain", "bob", "brace", then="bob", **MISSED)
    scene.blow("bob", "gap cripple", "ada", "parry", then="ada", **MISSED)
    scene.blow("ada", "pull pain", "bob", "dodge", **MISSED)
    return scene


def peace(brawl: Scenery) -> Any:
    """One stands down, is attacked all the same, and in the end all do."""
    scene = brawl(order=["ada"], raiders=["bob", "cyd"])
    scene.move("ada", "stand down", then="bob")
    scene.move("bob", "strike cripple")
    scene.move("ada", "parry", then="cyd", attack=3, defence=6)
    assert scene.coins("defence") == [12]
    scene.move("cyd", "stand down", then="bob")
    scene.move("bob", "stand down")
    return scene


def archers(brawl: Scenery) -> Any:
    """Two archers against two who have to close in under their arrows."""
    bow = {"weapon": "longbow", "agility": 6}
    scene = brawl(archers={"ada": bow, "amy": bow}, closers={"bob": {"armour": "plate"}, "cyd": {}})
    scene.move("ada", "strike cyd incapacitate")
    assert scene.legal("cyd") == ["dodge", "brace"]
    hit = {"pain": 3, "incapacitation": 1, "crippling": 2, "soak": 1}
    scene.move("cyd", "dodge", then="cyd", attack=4, defence=3, **hit)
    scene.move("cyd", "close ada", then="bob")
    scene.move("bob", "close amy", then="amy")
    scene.move("amy", "maim cyd cripple")
    hit = {"pain": 2, "incapacitation": 0, "crippling": 5, "soak": 0, "control": 1}
    scene.move("cyd", "brace", then="bob", attack=5, defence=3, **hit)
    assert scene["cyd"].state == DOWN
    scene.move("bob", "strike amy incapacitate")
    hit = {"pain": 6, "incapacitation": 4, "crippling": 4, "soak": 0}
    scene.move("amy", "brace", then="ada", attack=5, defence=4, **hit)
    scene.move("ada", "flee")
    return scene


def three_sides(brawl: Scenery) -> Any:
    """Everybody against everybody: ties among three, a yield accepted by one of two foes, and one who is left."""
    scene = brawl(north=["ada"], east=["bob"], south=["cyd"])
    scene.move("ada", "strike bob incapacitate")
    hit = {"pain": 4, "incapacitation": 3, "crippling": 2, "soak": 0}
    again = {"initiative": [4, 4, 4], "flip_off": [0, 0, 0, 0, 1, 1, 1, 0]}
    scene.move("bob", "parry", attack=4, defence=3, **hit, **again)
    assert scene.to_act == ["bob"]
    scene.move("bob", "yield")
    assert scene.to_act == ["ada"]
    scene.move("ada", "refuse bob")
    scene.move("cyd", "accept bob", then="cyd")
    scene.move("cyd", "strike cripple")
    hit = {"pain": 5, "incapacitation": 4, "crippling": 4, "soak": 1, "control": 4}
    scene.move("ada", "parry", attack=5, defence=2, **hit)
    return scene


def bleeding(duel: Scenery) -> Any:
    """Two Life Coins left, and then the Life checks."""
    scene = duel(bob={"coins_lost": 24}, hours_to_care=1)
    hit = {"pain": 4, "incapacitation": 0, "crippling": 4, "soak": 0}
    scene.blow("ada", "strike pain", "bob", "parry", then="bob", attack=3, defence=2, **hit)
    assert scene["bob"].coins == 2
    scene.blow("bob", "strike pain", "ada", "parry", then="ada", penalty=3, life=0)
    assert scene["bob"].coins == 1
    scene.move("ada", "stand down", life=0)
    return scene


STORIES = {
    "blows": blows,
    "threat": threat,
    "disarm": disarm,
    "surrender": surrender,
    "flight": flight,
    "standoff": standoff,
    "peace": peace,
    "archers": archers,
    "three-sides": three_sides,
    "bleeding": bleeding,
}


@pytest.fixture
def staged(duel: Scenery, brawl: Scenery) -> Callable[[str], Any]:
    """A story by its name, played to its end."""

    def play(name: str) -> Any:
        story = STORIES[name]
        return story(brawl if "brawl" in story.__annotations__ else duel)

    return play


@pytest.mark.parametrize("name", STORIES)
def test_a_story_is_told_as_it_was_read_and_found_right(staged: Callable[[str], Any], name: str) -> None:
    is_golden(name, staged(name))


def test_blows_wear_somebody_down(staged: Callable[[str], Any]) -> None:
    scene = staged("blows")
    assert scene["bob"].state == DOWN
    assert scene.ending == "order"
    assert scene.fight.figures["ada"]["hits"] == 2


def test_a_threat_ends_a_fight_without_a_wound(staged: Callable[[str], Any]) -> None:
    scene = staged("threat")
    assert (scene["bob"].state, scene["bob"].weapon) == (YIELDED, FISTS)
    assert scene.marks("ada") == scene.marks("bob") == (0, 0, 0)
    assert scene.ending == "order"


def test_whoever_is_disarmed_may_win_yet(staged: Callable[[str], Any]) -> None:
    scene = staged("disarm")
    assert scene["ada"].state == DOWN
    assert scene.ending == "raiders"


def test_an_offer_holds_until_it_is_taken_back_or_accepted(staged: Callable[[str], Any]) -> None:
    scene = staged("surrender")
    assert scene["ada"].state == YIELDED
    assert scene.ending == "raiders"
    assert scene.fight.story.count("offers to yield") == 2


def test_a_flight_is_stopped_by_one_blow_and_succeeds_when_nobody_can_stop_it(staged: Callable[[str], Any]) -> None:
    scene = staged("flight")
    assert scene["ada"].state == FLED
    assert scene.ending == "raiders"
    assert scene.fight.story.count("Bob cannot stop Ada.") == 2, "hampered more"


def test_rounds_without_a_hit_are_a_standoff(staged: Callable[[str], Any]) -> None:
    scene = staged("standoff")
    assert scene.ending == "standoff"
    assert all(figures["hits"] == 0 for figures in scene.fight.figures.values())


def test_everybody_standing_down_is_peace(staged: Callable[[str], Any]) -> None:
    scene = staged("peace")
    assert scene.ending == "peace"
    assert scene.standing == ["ada", "bob", "cyd"]


def test_arrows_reach_far_and_blades_do_not(staged: Callable[[str], Any]) -> None:
    scene = staged("archers")
    assert [scene[name].state for name in ("ada", "amy", "bob", "cyd")] == [FLED, DOWN, STANDING, DOWN]
    assert scene.ending == "closers"


def test_of_three_sides_one_is_left(staged: Callable[[str], Any]) -> None:
    scene = staged("three-sides")
    assert scene.ending == "south"
    assert [scene[name].state for name in ("ada", "bob", "cyd")] == [DOWN, YIELDED, STANDING]
    assert [figures["stake won"] for figures in scene.fight.figures.values()] == [0, 0, 10]


def test_a_life_check_kills(staged: Callable[[str], Any]) -> None:
    scene = staged("bleeding")
    assert (scene["bob"].state, scene["bob"].coins) == (DEAD, 0)
    assert scene.ending == "order"


def test_the_stories_show_every_event(staged: Callable[[str], Any]) -> None:
    seen = {line.event.kind.name for name in STORIES for line in staged(name).fight.lines}
    every = {kind.name for kind in vars(events).values() if isinstance(kind, Kind)}
    assert every - seen == {"AWAITS", "STALLED"}


@pytest.mark.parametrize("name", STORIES)
def test_no_line_of_a_story_is_wider_than_its_sentence_needs(staged: Callable[[str], Any], name: str) -> None:
    scene = staged(name)
    for line in scene.fight.lines:
        assert line.text[0].isupper() or line.text[0].isdigit()
        assert line.text.endswith(".")
    assert all(len(row) <= 80 for row in scene.fight.status().splitlines())


def test_the_round_cap_is_told(duel: Scenery) -> None:
    scene = duel(round_cap=1)
    lines = scene.blow("ada", "strike pain", "bob", "parry", **MISSED)
    assert lines[-2:] == ["After 1 round nobody has the strength to go on.", "The fight is over, undecided."]


# Real coins: what is asked, of whom and what for


class Table:
    """A player who flips real coins and writes down what they are asked for."""

    def __init__(self, *heads: int) -> None:
        self.heads = list(heads)
        self.asked: list[str] = []
        self.hand = Hand(self.flip)

    def flip(self, throw: Throw) -> tuple[int]:
        self.asked.append(f"{self.hand.thrown_for()}: {throw}")
        return (self.heads.pop(0),)


def test_every_coin_is_asked_for_by_name_number_and_purpose(numbers: Mapping[str, int]) -> None:
    """A Life check, a tied initiative, openings drawn by lot, and a blow with everything that belongs to it."""
    sheet = {"training": 4, "strength": 6, "weapon": "broadsword"}
    table = Table(5, 3, 3, 0, 1, 1, 2, 0)
    teams = {"a": [{"name": "Ada", "coins_lost": 18, **sheet}], "b": [{"name": "Bob", **sheet}]}
    fight = Fight("strategic", teams, dice=table.hand, options=numbers)
    assert table.asked == [
        "ada, Life check: 12 coins",
        "ada, initiative: 8 coins",
        "bob, initiative: 8 coins",
        "Flip-Off: ada, bob: 1 coin",
        "Flip-Off: ada, bob: 1 coin",
        "bob, openings: 4 coins",
        "bob, which opening, by lot (0 jab, 1 power, 2 pull, 3 maim): 1 of 4",
        "bob, which opening, by lot (0 jab, 1 power, 2 maim): 1 of 3",
    ]
    assert [move.split()[0] for move in map(str, fight.legal("bob"))][:3] == ["jab"] * 3
    table.asked.clear()
    fight.state.fighters[1].pain = 2
    table.heads = [1, 5, 2, 3, 1, 1, 0, 1, 0, 1, 8, 0, 4]
    fight.play("bob", "strike incapacitate")
    fight.play("ada", "parry")
    assert table.asked == [
        "bob, the Pain Penalty: 2 coins",
        "bob, attack: 6 coins",
        "ada, defence: 8 coins",
        "bob, Pain: 8 coins",
        "bob, Incapacitation: 4 coins",
        "bob, Crippling: 4 coins",
        "bob, Discipline, to keep control: 3 coins",
        "bob, where it slips (Heads: Crippling, Tails: Pain): 1 coin",
        "ada, soak: 2 coins",
        "ada, Life check: 9 coins",
        "ada, initiative: 8 coins",
        "bob, initiative: 8 coins",
        "ada, openings: 4 coins",
    ]
    assert table.heads == []


def test_threats_and_flights_are_asked_for_too(duel: Scenery) -> None:
    scene = duel()
    scene.move("ada", "threaten", threat=0, nerve=1)
    assert [(flip.who, flip.what) for flip in scene.flips[:2]] == [("ada", "threat"), ("bob", "nerve")]
    scene.move("ada", "flee", stop=1)
    assert [(flip.who, flip.what) for flip in scene.flips] == [("bob", "stop")]


def test_everything_that_is_flipped_for_has_a_word() -> None:
    purposes = {value for name, value in vars(state).items() if name.startswith("FOR_")}
    assert set(events.WHAT) == purposes - {state.FOR_FLIP_OFF}
    assert len(set(events.WHAT.values())) == len(events.WHAT)


def test_what_is_asked_for_is_no_part_of_the_story(duel: Scenery) -> None:
    assert events.AWAITS not in {line.event.kind for line in duel().fight.lines}


# What is typed


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "no move was given"),
        ("   ", "no move was given"),
        ("strike", "'strike' may mean: strike pain, strike incapacitate, strike cripple"),
        ("strke pain", "there is no move 'strke pain'; did you mean strike pain"),
        ("dance", "there is no move 'dance'; there are: jab pain"),
        ("parry", "there is no move 'parry'; "),
        ("withdraw", "withdraw: no offer to yield stands"),
        ("accept", "accept: no offer to yield was made"),
        ("accept bob", "accept: no offer to yield was made"),
        ("close", "close: close already"),
        ("pick up", "pick up: nothing was dropped"),
        ("pull cripple", "there is no move 'pull cripple'; did you mean "),
        ("x" * 500, "there is no move 'xxxxxxxx"),
    ],
)
def test_an_illegal_text_gets_a_sentence_and_changes_nothing(duel: Scenery, text: str, sentence: str) -> None:
    said = duel().refused("ada", text)
    assert said.startswith(sentence)
    assert len(said) < 300


def test_a_text_may_be_short_and_in_any_case_as_long_as_it_is_clear(duel: Scenery) -> None:
    for text in ("STRIKE  Pain", "strike p", " strike pain "):
        scene = duel()
        scene.move("ada", text)
        assert scene.fight.answers[-1].move == "strike pain"


def test_nobody_moves_out_of_turn_or_after_the_end(duel: Scenery) -> None:
    scene = duel()
    assert scene.refused("bob", "strike pain") == "bob has no decision to make now"
    scene.move("ada", "stand down", then="bob")
    scene.move("bob", "stand down")
    assert scene.refused("ada", "strike pain") == "the fight is over: peace"


def test_targets_are_named_where_there_are_several(brawl: Scenery) -> None:
    scene = brawl(order=["ada"], raiders=["bob", "cyd"])
    assert "strike bob pain" in scene.legal("ada")
    assert scene.refused("ada", "strike pain").startswith("there is no move 'strike pain'; did you mean strike")
    assert scene.refused("ada", "strike dan pain").startswith("there is no move 'strike dan pain'; did you mean")


def actions() -> set[str]:
    """All that one can do when it is one's turn, by its first words."""
    answers = {state.PARRY, state.DODGE, state.BRACE, state.FIGHT_ON, state.GIVE_IN, state.LET_GO}
    plain = {word for kind, word in PLAIN.items() if kind not in answers}
    return {*ATTACKS.values(), *plain, AIMED[state.ACCEPT], AIMED[state.CLOSE_IN]} - {"wait"}


@pytest.mark.parametrize("changes", [{}, {"start_range": "far"}, {"openings_base": 0, "moves_base": 2}])
@pytest.mark.parametrize("stance", ["", "yielding", "disarmed"])
def test_every_action_is_possible_or_it_is_said_why_not(duel: Scenery, changes: dict[str, Any], stance: str) -> None:
    scene = duel({"training": 0}, **changes)
    if stance == "yielding":
        scene["ada"].yielding = scene["bob"].yielding = 1
    if stance == "disarmed":
        scene["ada"].weapon = scene["bob"].weapon = FISTS
    open_now = {
        action for action in actions() if any(f"{move} ".startswith(f"{action} ") for move in scene.legal("ada"))
    }
    closed = scene.closed("ada")
    assert open_now | set(closed) == actions()
    assert not open_now & set(closed)
    for action, reason in closed.items():
        assert scene.refused("ada", action) == f"{action}: {reason}"


def test_the_reasons_in_full(duel: Scenery) -> None:
    scene = duel({"training": 0}, openings_base=0, moves_base=2, start_range="far")
    assert scene.closed("ada") == {
        "strike": "too far away: close in first",
        "guarded": "too far away: close in first",
        "jab": "no opening for it now",
        "power": "no opening for it now",
        "pull": "never learned",
        "maim": "never learned",
        "gap": "never learned",
        "disarm": "never learned",
        "threaten": "never learned",
        "pick up": "nothing was dropped",
        "withdraw": "no offer to yield stands",
        "accept": "no offer to yield was made",
    }


def test_a_fighter_nobody_knows_gets_a_sentence(duel: Scenery) -> None:
    with pytest.raises(Illegal, match="there is no fighter 'adda'; did you mean ada"):
        duel().fight.play("adda", "flee")
