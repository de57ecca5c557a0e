"""What a storyteller keeps from others: fighters in the wings, secret rolls, notes, veiled dice, gauges in words."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from affray import testing
from affray.errors import Illegal, Invalid, Refused
from affray.fight import Fight, asides, replaying, saving, viewing
from affray.fight.verifying import verify
from affray.kernel.chance import Fair, Hand, Scripted, Seeded
from affray.system.registry import find, names

TEAMS = "heroes=player monsters=fire-slime,fire-slime"
each_system = pytest.mark.parametrize("system", names())
MOVES = 25


def duel(**options: object) -> Fight:
    return Fight("bgo", TEAMS, dice=Fair(b"a secret of 32 bytes, or nearly."), options={"undo": "free", **options})


def a_round(fight: Fight) -> None:
    for who in fight.to_act:
        fight.play(who, str(fight.legal(who)[0]))


def known_to_others(fight: Fight, viewers: list[str | None]) -> str:
    """All that viewers get of a fight, as text."""
    seen: list[Any] = [fight.view(viewer) for viewer in viewers]
    seen += [viewing.status(fight, viewer) for viewer in viewers]
    for viewer in viewers:
        if viewer is not None:
            moves, closed = fight.legal(viewer, explain=True)
            codes = [move.code for move in moves]
            about = fight.setup.explained(fight.state, fight.index(viewer), codes)
            seen.append([list(map(str, moves)), list(map(str, closed)), list(map(str, about))])
    seen += [list(map(viewing.as_table, viewing.story(fight))), replaying.replay(fight)]
    seen.append([[ruling.id for ruling in fight.why(n)] for n in range(len(fight.lines))])
    try:
        seen.append(saving.public_table(fight))
    except Illegal as refused:
        seen.append(str(refused))
    return json.dumps(seen, default=str)


def twins(system: str, seed: int, **options: object) -> tuple[Fight, Fight]:
    roster = testing._dealt(find(system), seed)
    return tuple(Fight(system, roster, seed=seed, options=options, whim=Seeded(seed)) for _ in range(2))  # type: ignore[return-value]


def played_on(random: Random, *fights: Fight) -> None:
    """The same move in all."""
    who = random.choice(fights[0].to_act)
    move = random.choice(fights[0].legal(who))
    for fight in fights:
        fight.play(who, str(move))


# The wings


def test_a_fighter_in_the_wings_is_not_in_the_fight_until_it_is_revealed() -> None:
    fight = duel()
    assert fight.aside("hide monsters fire-slime:name=Grik").told == "grik waits in the wings, to join monsters."
    assert (fight.names, fight.decision) == (("player", "fire-slime", "fire-slime-2"), 1)
    assert [str(line) for line in fight.intervene("reveal Grik")] == [
        "The storyteller reveals Grik, who joins monsters."
    ]
    assert fight.names[-1] == "grik"
    assert not fight.wings
    fight.undo()
    assert list(fight.wings) == ["grik"]


@each_system
def test_others_cannot_tell_a_fight_with_secrets_from_one_without(system: str) -> None:
    """Twins that differ only in what is done in secret give others the same bytes, whatever is played or undone."""
    hidden = 0
    for seed in range(3):
        try:
            plain, secret = twins(system, seed, undo="free")
        except Invalid:
            continue  # a fighter was dealt who cannot fight any more
        random, viewers = Random(seed), [None, *plain.names]
        ids = [id for known in find(system).catalogue().values() for id in known]
        acts = [
            f"hide {plain.setup.team_names[0]} {random.choice(ids)}",
            "roll 3d6",
            "note beware",
            f"note {plain.names[0]}: lies",
        ]
        for _ in range(MOVES):
            if plain.over:
                break
            for act in random.sample(acts, random.randrange(3)):
                try:
                    secret.aside(act)
                    hidden += 1
                except Invalid:
                    continue  # a sheet that cannot fight any more
            if random.random() < 0.2 and len(plain.answers) == len(secret.answers) and plain.answers:
                plain.undo()
                secret.undo()
            elif random.random() < 0.2 and secret.asides and secret.asides[-1].after == secret.closed:
                secret.undo_aside()
            played_on(random, plain, secret)
            if not secret.over:
                assert known_to_others(secret, viewers) == known_to_others(plain, viewers)
        again = saving.rerun(saving.as_table(secret), "the log")
        assert saving.as_table(again) == saving.as_table(secret)
    assert hidden


def test_one_who_has_been_seen_cannot_be_hidden() -> None:
    with pytest.raises(Illegal, match="has been seen; `leave fire-slime` takes it out"):
        duel().aside("hide fire-slime")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "an aside is hide TEAM SHEET, roll DICE"),
        ("sneak", "there is no aside 'sneak'"),
        ("hide", "name a team"),
        ("hide nobody fire-slime", "there is no team 'nobody'"),
        ("hide monsters", "name a sheet"),
        ("hide monsters nothing", "there is no creature or player 'nothing'"),
        ("roll", "roll needs 1 to 50 dice"),
        ("roll 99d6", "roll needs 1 to 50 dice"),
        ("note", "write what is to be noted"),
        ("note " + "x" * 1001, "at most 1000 characters, not 1001"),
        ("veil", "name a fighter"),
        ("veil nobody", "there is no fighter 'nobody'"),
        ("unveil player", "told with its numbers already"),
    ],
)
def test_an_aside_that_does_not_fit_is_refused_and_changes_nothing(text: str, problem: str) -> None:
    fight = duel()
    with pytest.raises(Refused, match=re.escape(problem)):
        fight.aside(text)
    assert (fight.asides, fight.secret_acts) == ([], 0)


def test_no_one_can_be_revealed_who_is_not_in_the_wings() -> None:
    fight = duel()
    with pytest.raises(Illegal, match="no fighter waits in the wings"):
        fight.intervene("reveal grik")
    fight.aside("hide monsters fire-slime:name=Grik")
    with pytest.raises(Illegal, match="there is no fighter in the wings 'grok'; did you mean grik"):
        fight.intervene("reveal grok")


# Rolls and notes


def test_a_secret_roll_follows_from_the_secret_and_does_not_touch_the_dice_of_the_fight(tmp_path: Path) -> None:
    fight, plain = duel(), duel()
    first = fight.aside("roll 2d6+1")
    fight.undo_aside()
    second = fight.aside("roll 2d6+1")
    assert (first.number, second.number) == (1, 2)
    assert first.fell != second.fell, "what was taken back is not thrown again"
    for one in (fight, plain):
        one.play_on()
    assert fight.story == plain.story
    path = tmp_path / "fight.json"
    saving.write(saving.public_table(fight), path)
    assert "2 rolls were made in secret, from the same dice." in verify(path.read_bytes()).text
    table = saving.public_table(fight)
    table["asides"][0]["fell"][0][1] = 7 - table["asides"][0]["fell"][0][1]
    saving.write(table, path)
    with pytest.raises(Invalid, match="an aside is written as"):
        saving.verify(path)
    table = saving.public_table(fight)
    table["undone"] = []
    saving.write(table, path)
    with pytest.raises(Invalid, match="the numbers of the secret rolls"):
        saving.verify(path)


def test_secret_rolls_of_real_dice_are_asked_for_and_taken_as_written() -> None:
    fight = Fight("bgo", TEAMS, dice=Hand(lambda throw: [3] * throw.n))
    assert fight.aside("roll 2d6").told == "Secret roll of 2d6: 3, 3 = 6."
    assert saving.rerun(saving.as_table(fight), "the log").asides == fight.asides
    with pytest.raises(Illegal, match="no dice for a secret roll"):
        Fight("bgo", TEAMS, dice=Scripted([])).aside("roll d6")


def test_notes_are_about_the_fight_or_a_fighter_and_in_no_public_log() -> None:
    fight = duel()
    fight.aside("note The bridge burns in round 3.")
    fight.aside("note Fire-Slime: guards the key")
    assert asides.notes(fight) == {"": ["The bridge burns in round 3."], "fire-slime": ["guards the key"]}
    fight.play_on()
    assert "asides" not in saving.public_table(fight)
    assert "key" not in json.dumps(saving.public_table(fight))
    assert [aside.text for aside in saving.rerun(saving.as_table(fight), "it").asides] == [
        "note The bridge burns in round 3.",
        "note Fire-Slime: guards the key",
    ]


def test_an_undo_takes_back_what_was_done_in_secret_since() -> None:
    fight = duel()
    fight.aside("note before")
    a_round(fight)
    fight.aside("note after")
    fight.undo(to=1)
    assert [aside.text for aside in fight.asides] == ["note before"]
    assert [aside.text for aside in fight.undone[0].asides] == ["note after"]
    a_round(fight)
    with pytest.raises(Illegal, match="no aside to take back"):
        fight.undo_aside()


def test_the_repr_of_a_fight_with_asides_makes_it_again() -> None:
    fight = duel()
    fight.aside("hide monsters fire-slime")
    fight.aside("veil fire-slime-2")
    a_round(fight)
    fight.intervene("reveal fire-slime-3")
    fight.aside("roll d20")
    made = eval(repr(fight), {"Fight": Fight, "Fair": Fair})
    assert (made.lines, made.asides) == (fight.lines, fight.asides)


# Veiled dice


def test_dice_of_a_veiled_fighter_are_told_without_numbers_until_the_end() -> None:
    fight, open_fight = duel(), duel()
    fight.aside("veil fire-slime-2")
    a_round(fight)
    a_round(open_fight)
    cut = [line for line in fight.lines if line.whole]
    assert [line.text for line in cut] == [re.sub(r" \(.*\)", "", line.whole) for line in cut]
    assert [line.full for line in fight.lines] == [line.text for line in open_fight.lines]
    assert cut
    assert all(not viewing.thrown(fight, line) for line in cut)
    with pytest.raises(Illegal, match="log can be had when the fight is over"):
        saving.public_table(fight)
    fight.play_on()
    open_fight.play_on()
    assert fight.story == open_fight.story
    assert viewing.story(fight) == viewing.story(open_fight)
    assert saving.public_table(fight)["asides"][0]["aside"] == "veil fire-slime-2"


@each_system
def test_no_result_of_a_veiled_fighter_is_told(system: str) -> None:
    """The numbers and dice of lines for which a veiled fighter throws are gone; every other line stays as it is."""
    cut = 0
    for seed in range(4):
        try:
            plain, veiled = twins(system, seed)
        except Invalid:
            continue
        for name in veiled.names:
            veiled.aside(f"veil {name}")
        random, begun = Random(seed), len(veiled.lines)
        for _ in range(6):
            if not plain.over:
                played_on(random, plain, veiled)
        if plain.over:
            assert veiled.lines == plain.lines
            continue
        for told, whole in zip(veiled.lines[begun:], plain.lines[begun:], strict=True):
            assert told.full == whole.text
            if told.whole:
                cut += 1
                assert not re.search(r"\d", _without_names(veiled, told.text)), told.text
            elif viewing.thrown(plain, whole):
                assert "who" not in whole.event.kind.fields, "a throw of a fighter is told"
    assert cut


def _without_names(fight: Fight, text: str) -> str:
    known = {*fight.names, *(fight.setup.told_as(who) for who in range(len(fight.names)))}
    for name in sorted(known, key=len, reverse=True):
        text = re.sub(re.escape(name), "", text, flags=re.IGNORECASE)
    return text


# Gauges in words


@pytest.mark.parametrize(
    ("health", "word"),
    [
        (10, "unhurt"),
        (9, "scratched"),
        (8, "scratched"),
        (7, "hurt"),
        (5, "hurt"),
        (4, "badly hurt"),
        (2, "near the end"),
    ],
)
def test_how_a_foe_stands_is_told_by_the_quarter(health: int, word: str) -> None:
    fight = Fight("bgo", f"heroes=player:health={health} monsters=fire-slime", seed=1, options={"gauges": "words"})
    seen = fight.view("fire-slime")
    assert seen["scene"]["player"][0]["names"] == [word]
    assert seen["state"]["fighters"][0] == {"team": 0, "condition": word}
    assert f"player        Condition {word}" in seen["status"]
    assert fight.view("player")["scene"]["player"][0]["value"] == health


def test_spectators_see_all_in_words_and_the_storyteller_all_numbers() -> None:
    fight = duel(gauges="words")
    a_round(fight)
    assert {scene[0]["label"] for scene in fight.view()["scene"].values()} == {"Condition"}
    assert {scene[0]["label"] for scene in fight.view(viewing.OVERSEER)["scene"].values()} == {"Health"}
    assert any(re.search(r"deals \? damage", line) for line in fight.view()["story"])
    assert any(re.search(r"deals \d damage", line) for line in fight.view(viewing.OVERSEER)["story"])
    with pytest.raises(Illegal, match="no odds and no hints"):
        fight.odds("player")


def tended(fight: Fight) -> Iterator[tuple[str, int, int]]:
    """What every fighter lives by, if there is enough of it, with two values for which it has the same condition."""
    for who, name in enumerate(fight.names):
        for touch in fight.system.storytelling.touches(fight.setup, fight.state, who):
            if touch.name in ("health", "hp") and touch.high >= 8:
                yield f"set {name} {touch.name}", touch.high * 5 // 8, touch.high * 5 // 8 - 1


@pytest.mark.parametrize("system", ["bgo", "mythos"])  # elsewhere what a fighter has left is also what it throws
def test_numbers_behind_the_same_word_cannot_be_told_apart(system: str) -> None:
    """Twins in which foes have lost a little more or less give others the same bytes as long as the words agree."""
    compared = 0
    for seed in range(4):
        try:
            one, other = twins(system, seed, gauges="words")
        except Invalid:
            continue
        first = next(iter(one.teams.values()))
        viewers = [None, *first]
        for word, more, less in list(tended(one)):
            if word.split()[1] not in first:
                one.intervene(f"{word} {more}")
                other.intervene(f"{word} {less}")
                compared += 1
        random = Random(seed)
        for _ in range(MOVES):
            if one.over or other.over or _conditions(one) != _conditions(other):
                break
            assert known_to_others(one, viewers) == known_to_others(other, viewers)
            played_on(random, one, other)
    assert compared


def _conditions(fight: Fight) -> list[Any]:
    return [scene[0]["names"] for scene in fight.view()["scene"].values()]


def test_the_end_opens_the_story_of_words() -> None:
    fight, plain = duel(gauges="words"), duel()
    fight.play_on()
    plain.play_on()
    assert fight.story == plain.story
    assert {**fight.view(), "commitment": ""} == {**plain.view(), "commitment": ""}


@each_system
def test_a_system_says_which_lines_tell_amounts(system: str) -> None:
    from affray.fight.veiling import _marks_amounts

    assert _marks_amounts(find(system))
