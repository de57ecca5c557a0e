"""Save files: a fight goes on as if it had never stopped, and a file that is not whole is refused in a sentence."""

from __future__ import annotations

import copy
import json
import os
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from affray.errors import Invalid
from affray.fight import Fight, saving
from affray.kernel import records
from affray.kernel.chance import WHIM, Fair, Hand, Physical, Scripted, Seeded
from affray.players.tactics import decide, play_on

TOUGH = {"heroes": ["player:health=90"], "monsters": ["mud-slime:health=90"]}
TACTICS = {"player": "always-attack", "mud-slime": "random"}
SECRET = bytes(range(100, 132))
HIT, MISS = (6, 6, 6), (1, 1, 1)
same_folder = settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def everything(fight: Fight) -> dict[str, Any]:
    return {
        "state": records.pack(fight.state),
        "decision": fight.decision,
        "dice": fight.dice.position,
        "fallen": list(fight.dice.fallen),
        "whim": fight.whim.position,
        "lines": list(fight.lines),
        "figures": fight.figures,
        "answers": list(fight.answers),
        "to act": fight.to_act,
        "ending": fight.ending,
    }


def rounds(fight: Fight, count: int) -> Fight:
    """Some battle rounds, the slime by its whim."""
    for _ in range(count):
        for name in fight.names:
            fight.play(name, decide(fight, name, TACTICS[name]))
    return fight


def thrown_by_hand(faces: Seeded) -> Fight:
    """A fight with dice thrown by hand, and a whim that is always the same."""
    return Fight("bgo", TOUGH, dice=Hand(faces.throw), whim=Seeded(5, 0, WHIM))


def by_hand() -> Fight:
    return rounds(thrown_by_hand(Seeded(3)), 3)


def real_fights() -> dict[str, Fight]:
    """Fights of every sort that can be saved."""
    running = rounds(Fight("bgo", TOUGH, seed=7), 4)
    running.play("player", "defend")
    ended = Fight("bgo", "heroes=player,squire monsters=ember-bat b=kite-harpy", seed=8, options={"poised": "kept"})
    play_on(ended, dict.fromkeys(ended.names, "random"))
    fair = rounds(Fight("bgo", TOUGH, dice=Fair(SECRET)), 3)
    fled = Fight("bgo", TOUGH, dice=Fair(SECRET))
    fled.play("mud-slime", "attack")
    fled.play("player", "flee")
    return {
        "opening": Fight("bgo", TOUGH, seed=2**63 - 1),
        "running": running,
        "ended": ended,
        "fair": fair,
        "fled": fled,
        "scripted": rounds(Fight("bgo", TOUGH, dice=Scripted([HIT, MISS] * 9)), 2),
        "hand": by_hand(),
        "fork": rounds(running.fork(3, rolls=[HIT]), 2),
    }


FIGHTS = list(real_fights())


@pytest.fixture(scope="module")
def fights() -> dict[str, Fight]:
    return real_fights()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "fight.json"


@pytest.fixture(scope="module")
def whole(fights: dict[str, Fight], tmp_path_factory: pytest.TempPathFactory) -> str:
    """The text of a real save file."""
    path = tmp_path_factory.mktemp("whole") / "fight.json"
    fights["running"].save(path)
    return path.read_text(encoding="utf-8")


def refused(file: Path) -> str:
    """The sentence with which a file is refused."""
    with pytest.raises(Invalid) as caught:
        Fight.load(file)
    sentence = str(caught.value)
    assert str(file) in sentence
    assert "\n" not in sentence
    return sentence


# Going on


@pytest.mark.parametrize("sort", FIGHTS)
def test_a_loaded_fight_is_the_saved_one(fights: dict[str, Fight], file: Path, sort: str) -> None:
    fights[sort].save(file)
    assert everything(saving.load(file)) == everything(fights[sort])


def without_throws(table: dict[str, Any]) -> dict[str, Any]:
    """A log as version 2 had it: of each result only what it showed."""
    answers = [{**answer, "fell": [result[1:] for result in answer["fell"]]} for answer in table["answers"]]
    return {**table, "version": 2, "opening": [result[1:] for result in table["opening"]], "answers": answers}


@pytest.mark.parametrize("sort", FIGHTS)
def test_a_log_that_does_not_know_its_throws_gets_them_as_it_is_read(
    fights: dict[str, Fight], file: Path, schema: Any, sort: str
) -> None:
    for table in (saving.as_table(fights[sort]), saving.public_table(fights[sort])):
        older = without_throws(table)
        saving.write(older, file)
        schema.validate(json.loads(file.read_text(encoding="utf-8")))
        assert saving.load(file).answers == saving.restore(table, "the log").answers
        if any(answer["fell"] for answer in older["answers"]):
            assert not schema.is_valid({**older, "version": 3, "seal": saving.seal(older)})
            saving.write({**older, "version": 3}, file)
            assert "what fell for decision 1 is written as" in refused(file)
    saving.write(without_throws(saving.as_table(fights[sort])), file)
    assert saving.as_table(saving.load(file)) == saving.as_table(fights[sort])


def test_a_log_of_before_that_went_on_tells_what_was_thrown_since(fights: dict[str, Fight]) -> None:
    """A world keeps the head of a log as it began, and adds answers to it one by one."""
    table = saving.as_table(fights["running"])
    older = without_throws(table)
    older["answers"][4:] = table["answers"][4:]
    assert everything(saving.rerun(older, "the log")) == everything(fights["running"])


@pytest.mark.parametrize("dice", [Seeded(7, 3), Fair(SECRET)], ids=["seeded", "fair"])
@pytest.mark.parametrize("after", [0, 1, 5])
def test_a_loaded_fight_goes_on_identically(file: Path, dice: Physical, after: int) -> None:
    fight = rounds(Fight("bgo", TOUGH, dice=copy.deepcopy(dice)), after)
    fight.save(file)
    loaded = Fight.load(file)
    for one in (fight, loaded):
        play_on(one, TACTICS)
    assert everything(loaded) == everything(fight)


def test_a_choice_that_is_still_secret_is_saved(file: Path) -> None:
    fight = rounds(Fight("bgo", TOUGH, seed=7), 1)
    fight.play("mud-slime", "defend")
    fight.save(file)
    loaded = Fight.load(file)
    assert loaded.to_act == ["player"]
    assert "The mud slime defends." in [str(line) for line in loaded.play("player", "attack")]


@pytest.mark.parametrize("dice", [Seeded(7, 3), Fair(SECRET)], ids=["seeded", "fair"])
def test_a_loaded_fight_can_be_undone_to_its_beginning(file: Path, dice: Physical) -> None:
    fight = rounds(Fight("bgo", TOUGH, dice=dice), 4)
    fight.save(file)
    loaded = Fight.load(file)
    while fight.answers:
        fight.undo()
        loaded.undo()
        assert everything(loaded) == everything(fight)
    for one in (fight, loaded):
        play_on(one, TACTICS)
    assert everything(loaded) == everything(fight)


def test_what_is_thought_of_after_loading_can_be_undone(file: Path) -> None:
    fight = rounds(Fight("bgo", TOUGH, seed=7), 4)
    fight.save(file)
    loaded = rounds(Fight.load(file), 1)
    loaded.undo(to=5)
    assert everything(loaded) == everything(fight)


def test_a_loaded_fight_can_be_forked_anywhere(file: Path) -> None:
    fight = rounds(Fight("bgo", TOUGH, seed=7), 5)
    fight.save(file)
    loaded = Fight.load(file)
    for at in (1, 3, 5):
        one, other = fight.fork(at), loaded.fork(at)
        assert one.whim.position == other.whim.position
        assert play_on(one, TACTICS) == play_on(other, TACTICS)


def test_saving_again_gives_the_same_file(fights: dict[str, Fight], file: Path) -> None:
    for sort in ("opening", "running", "ended", "fair", "fork"):
        fights[sort].save(file)
        first = file.read_bytes()
        Fight.load(file).save(file)
        assert file.read_bytes() == first


def test_dice_thrown_by_hand_go_on_by_hand_however_often_the_fight_is_saved(file: Path) -> None:
    faces = Seeded(3)
    fight = rounds(thrown_by_hand(faces), 1)
    for count in range(2, 5):
        fight.save(file)
        fight = rounds(saving.load(file, ask=faces.throw), 1)
        assert fight.round == count + 1
    straight = by_hand()
    assert fight.dice.fallen[: len(straight.dice.fallen)] == straight.dice.fallen


def test_a_fork_of_dice_thrown_by_hand_goes_on_by_hand(file: Path) -> None:
    faces = Seeded(4)
    fight = rounds(thrown_by_hand(faces), 2)
    forked = rounds(fight.fork(2), 1)
    forked.save(file)
    assert everything(saving.load(file, ask=faces.throw)) == everything(forked)


def test_without_anybody_to_ask_dice_thrown_by_hand_end_in_a_sentence(fights: dict[str, Fight], file: Path) -> None:
    fights["hand"].save(file)
    loaded = Fight.load(file)
    loaded.play("player", "attack")
    before = everything(loaded)
    with pytest.raises(Exception, match="3d6 must be thrown, and there is no player to ask"):
        loaded.play("mud-slime", "attack")
    assert everything(loaded) == before


def test_a_saved_fight_needs_no_data_files(file: Path) -> None:
    fight = Fight("bgo", {"heroes": ["paladin:name=Ann"], "monsters": ["phoenix"]}, seed=1)
    fight.save(file)
    sheet = json.loads(file.read_text(encoding="utf-8"))["teams"]["heroes"][0]
    assert (sheet["name"], sheet["equipment"]) == ("Ann", ["titan-cleaver", "titan-plate", "phoenix-feather"])
    assert sheet["max_health"] == fight.state.fighters[0].max_health


# Writing


def test_the_old_file_stays_whole_when_the_new_one_cannot_be_written(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fight = rounds(Fight("bgo", TOUGH, seed=7), 1)
    fight.save(file)
    before = file.read_bytes()

    def no_space(*_: object) -> None:
        raise OSError(28, "No space left on device")

    rounds(fight, 1)
    monkeypatch.setattr(os, "replace", no_space)
    with pytest.raises(Invalid, match="cannot be written: No space left on device"):
        fight.save(file)
    assert file.read_bytes() == before


@pytest.mark.parametrize("name", ["no/such/folder/fight.json", ".", "a\0b"])
def test_a_file_that_cannot_be_written_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(Invalid) as caught:
        Fight("bgo", TOUGH, seed=1).save(f"{tmp_path}/{name}")
    assert "\n" not in str(caught.value)


# Damage


@pytest.mark.parametrize("name", ["missing.json", ".", "a\0b"])
def test_a_file_that_is_not_there_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(Invalid) as caught:
        Fight.load(f"{tmp_path}/{name}")
    assert "\n" not in str(caught.value)


def test_a_file_cut_off_anywhere_is_refused(file: Path, whole: str) -> None:
    text = whole.rstrip("\n")
    for length in range(len(text)):
        file.write_text(text[:length], encoding="utf-8")
        sentence = refused(file)
        if length and not text[:length].rstrip().endswith("}"):
            assert "cut off" in sentence


@same_folder
@given(st.binary(max_size=300))
@example(b"")
@example(b"\xff\xfe{}")
@example(b"\xef\xbb\xbf{}")
@example("naïve".encode("latin-1"))
@example(b"\x00" * 50)
def test_random_bytes_are_refused(file: Path, data: bytes) -> None:
    file.write_bytes(data)
    refused(file)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=12), inner, max_size=4),
    max_leaves=8,
)


@same_folder
@given(JSON)
def test_random_json_is_refused(file: Path, value: Any) -> None:
    file.write_text(json.dumps(value), encoding="utf-8")
    refused(file)


def test_lists_nested_without_end_are_refused(file: Path) -> None:
    for depth in (50, *range(300, 1100, 2), 100_000):
        nested = '{"format": "affray-fight", "version": 1, "x": ' + "[" * depth + "]" * depth + "}"
        file.write_text(nested, encoding="utf-8")
        refused(file)


def test_a_number_of_thousands_of_digits_is_refused(file: Path) -> None:
    file.write_text('{"format": "affray-fight", "version": ' + "9" * 9000 + "}", encoding="utf-8")
    refused(file)


def test_a_foreign_file_is_refused(file: Path) -> None:
    file.write_text('{"format": "affray-journey", "version": 1}', encoding="utf-8")
    assert "is not an affray-fight file" in refused(file)


@pytest.mark.parametrize("version", [6, 99])
def test_a_file_of_a_newer_affray_is_refused(file: Path, whole: str, version: int) -> None:
    saving.write(json.loads(whole) | {"version": version}, file)
    assert f"written by a newer Affray (file version {version}, supported up to 5)" in refused(file)


@pytest.mark.parametrize("version", [0, -1, None, "1", 1.0, True, [1]])
def test_a_version_that_never_was_is_refused(file: Path, whole: str, version: Any) -> None:
    saving.write(json.loads(whole) | {"version": version}, file)
    assert "version" in refused(file)


def places(value: Any, way: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The way to every field of a table."""
    if way:
        yield way
    if isinstance(value, dict | list):
        for key in value if isinstance(value, dict) else range(len(value)):
            yield from places(value[key], (*way, key))


def at(table: Any, way: tuple[Any, ...]) -> Any:
    for key in way:
        table = table[key]
    return table


def test_a_single_field_left_out_anywhere_is_found_out(file: Path, whole: str) -> None:
    original = json.loads(whole)
    for way in list(places(original)):
        table = copy.deepcopy(original)
        del at(table, way[:-1])[way[-1]]
        file.write_text(json.dumps(table), encoding="utf-8")
        refused(file)


@same_folder
@given(st.data())
def test_a_single_field_changed_anywhere_is_found_out(file: Path, whole: str, data: st.DataObject) -> None:
    table = json.loads(whole)
    way = data.draw(st.sampled_from(list(places(table))))
    value = data.draw(JSON.filter(lambda value: value != at(table, way) or type(value) is not type(at(table, way))))
    at(table, way[:-1])[way[-1]] = value
    file.write_text(json.dumps(table), encoding="utf-8")
    refused(file)


@settings(same_folder, max_examples=400)
@given(st.data())
def test_a_forged_file_with_a_fresh_seal_is_refused_or_played(file: Path, whole: str, data: st.DataObject) -> None:
    """Not every forgery can be found out (another name is as good a name), but none may end in anything else."""
    table = json.loads(whole)
    way = data.draw(st.sampled_from(list(places(table))))
    at(table, way[:-1])[way[-1]] = data.draw(JSON)
    saving.write(table, file)
    try:
        assert isinstance(Fight.load(file), Fight)
    except Invalid:
        refused(file)


def test_a_forged_file_with_a_part_left_out_is_refused_or_played(file: Path, whole: str) -> None:
    original = json.loads(whole)
    for way in list(places(original)):
        table = copy.deepcopy(original)
        del at(table, way[:-1])[way[-1]]
        saving.write(table, file)
        try:
            assert isinstance(Fight.load(file), Fight)
        except Invalid:
            refused(file)


FORGERIES: dict[str, tuple[tuple[Any, ...], Any, str]] = {
    "a roll": (("answers", 1, "fell", 0), ["3d6", 6, 6, 6], "what fell for decision 1 is written as"),
    "a roll without its dice": (("answers", 1, "fell", 0), [5, 6, 1], "what fell for decision 1 is written as"),
    "the dice of a roll": (("answers", 1, "fell", 0, 0), "3d8", "what fell for decision 1 is written as [['3d8', "),
    "a move": (("answers", 0, "move"), "fly", "there is no move 'fly'"),
    "a move that is not open": (("answers", 1, "move"), "flee", "creatures do not flee"),
    "a fighter": (("answers", 0, "who"), "nobody", "there is no fighter 'nobody'"),
    "a decision": (("answers", 2, "decision"), 1, "decision 1 is not open"),
    "an answer twice": (("answers", 1, "who"), "player", "has answered decision 1 already"),
    "the opening": (("opening",), [[1]], "the opening"),
    "the ending": (("ending",), "heroes", "the ending is written as 'heroes'"),
    "the system": (("system",), "chess", "there is no combat system 'chess'"),
    "an option": (("options", "armor_base"), 99, "armor_base must be 0 to 30, not 99"),
    "an option's name": (("options", "armour"), 1, "there is no option 'armour'"),
    "a sheet": (("teams", "heroes", 0, "attack"), "strong", "attack"),
    "too much Health": (("teams", "heroes", 0, "health"), 91, "health"),
    "the dice": (("dice", "source"), "loaded", "'loaded' is not a source of dice"),
    "the seed": (("dice", "seed"), 8, "what fell for decision"),
    "the whim": (("whim", "position"), -1, "a position must be a whole number, 0 or more, not -1"),
}


@pytest.mark.parametrize("forgery", FORGERIES)
def test_a_forged_file_is_found_out(file: Path, whole: str, forgery: str) -> None:
    way, value, said = FORGERIES[forgery]
    table = json.loads(whole)
    at(table, way[:-1])[way[-1]] = value
    saving.write(table, file)
    assert said in refused(file)


@pytest.mark.parametrize(
    ("thrown", "said"),
    [
        ("2d6", "what was thrown for decision 1 is written as 2d6, and the rules ask for 3d6"),
        ("a card", "what was thrown for decision 1 is written as a card, and the rules ask for 3d6"),
        ("three dice", "'three dice' is no throw"),
    ],
)
def test_dice_thrown_by_hand_must_be_those_that_the_rules_ask_for(
    fights: dict[str, Fight], file: Path, thrown: str, said: str
) -> None:
    table = saving.as_table(fights["hand"])
    table["answers"][1]["fell"][0][0] = thrown
    saving.write(table, file)
    assert said in refused(file)


def test_a_forged_secret_does_not_fit_its_commitment(fights: dict[str, Fight], file: Path) -> None:
    table = saving.as_table(fights["fair"])
    table["dice"]["secret"] = bytes(32).hex()
    saving.write(table, file)
    assert "does not match what was published before the first roll" in refused(file)


def test_dice_scripted_upon_dice_without_end_are_refused_or_played(file: Path, whole: str) -> None:
    table = json.loads(whole)
    for _ in range(400):
        table["dice"] = {"source": "scripted", "results": [], "then": table["dice"], "skip": 0}
    saving.write(table, file)
    try:
        Fight.load(file)
    except Invalid:
        refused(file)


# What anybody may have


@pytest.mark.parametrize("dice", [Seeded(1234567890123, 77), Fair(SECRET)], ids=["seeded", "fair"])
def test_the_public_log_of_a_running_fight_holds_no_secret(dice: Physical) -> None:
    fight = rounds(Fight("bgo", TOUGH, dice=dice), 3)
    without = json.dumps(saving.public_table(fight))
    for move in ("attack", "defend"):
        fight.play("mud-slime", move)
        assert json.dumps(saving.public_table(fight)) == without, "the choice that is pending shows"
        fight.undo()
    assert SECRET.hex() not in without
    assert "1234567890123" not in without
    table = json.loads(without)
    assert table["whim"] is None
    assert all("whim" not in answer for answer in table["answers"])
    assert len(table["answers"]) == 6


def test_the_public_log_of_fair_dice_has_the_commitment_first_and_the_secret_last() -> None:
    fight = Fight("bgo", TOUGH, dice=Fair(SECRET))
    assert saving.public_table(fight)["dice"] == {"source": "fair", "commitment": Fair(SECRET).commitment}
    fight.play("player", "flee")
    fight.play("mud-slime", "defend")
    assert fight.over
    assert saving.public_table(fight)["dice"]["secret"] == SECRET.hex()


def test_making_a_public_log_changes_nothing() -> None:
    for fight in real_fights().values():
        before = everything(fight)
        table = saving.public_table(fight)
        table["teams"].clear()
        table["options"].clear()
        assert everything(fight) == before
        assert fight.options
        assert fight.teams


@pytest.mark.parametrize("sort", FIGHTS)
def test_a_public_log_can_be_read_and_verified_by_anybody(fights: dict[str, Fight], file: Path, sort: str) -> None:
    saving.write(saving.public_table(fights[sort]), file)
    revealed = [
        answer for answer in fights[sort].answers if fights[sort].over or answer.decision < fights[sort].decision
    ]
    verdict = saving.verify(file)
    assert verdict.answers == len(revealed)
    assert verdict.ending == fights[sort].ending
    assert Fight.load(file).story == fights[sort].story


# Verifying


@pytest.mark.parametrize(
    ("sort", "checked", "said"),
    [
        ("running", True, "9 moves are legal; all results follow from the seed."),
        ("fair", True, "the secret matches its commitment"),
        ("fled", True, "the secret matches its commitment"),
        ("hand", False, "by hand"),
    ],
)
def test_verifying_a_file_says_what_could_be_checked(
    fights: dict[str, Fight], file: Path, sort: str, checked: bool, said: str
) -> None:
    fights[sort].save(file)
    verdict = saving.verify(file)
    assert verdict.dice_checked is checked
    assert said in verdict.sentence
    assert verdict.ending == fights[sort].ending


@pytest.mark.parametrize("sort", ["running", "fair"])
def test_dice_whose_secret_is_not_out_are_not_called_checked(fights: dict[str, Fight], file: Path, sort: str) -> None:
    table = saving.public_table(fights[sort])
    saving.write(table, file)
    assert not saving.verify(file).dice_checked
    table["answers"][1]["fell"][0] = ["3d6", 6, 6, 6]
    table["answers"] = table["answers"][:2]
    saving.write(table, file)
    assert not saving.verify(file).dice_checked, "a forged roll must not pass for a checked one"


def test_verifying_a_forged_log_is_refused(fights: dict[str, Fight], file: Path) -> None:
    table = saving.as_table(fights["fled"])
    table["answers"][1]["fell"][0] = ["3d6", 6, 6, 6]
    saving.write(table, file)
    with pytest.raises(Invalid, match="what fell for decision 1"):
        saving.verify(file)


# The schema


@pytest.fixture(scope="module")
def schema() -> Any:
    loaded = json.loads((files("affray.fight") / "fight.schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(loaded)
    return jsonschema.Draft202012Validator(loaded)


@pytest.mark.parametrize("sort", FIGHTS)
def test_real_files_and_public_logs_fit_the_schema(
    fights: dict[str, Fight], file: Path, schema: Any, sort: str
) -> None:
    for table in (saving.as_table(fights[sort]), saving.public_table(fights[sort])):
        saving.write(table, file)
        schema.validate(json.loads(file.read_text(encoding="utf-8")))


def test_every_field_of_a_file_is_described(schema: Any, whole: str) -> None:
    described = schema.schema["properties"]
    # by people, before the rules end it, what they took back, and by a storyteller in secret
    always = [field for field in described if field not in ("undone", "concluded", "asides", "secret_acts")]
    assert always == list(json.loads(whole)) == schema.schema["required"]
    assert all(described[field]["description"] for field in described)
    answer = schema.schema["$defs"]["answers"]["items"]["properties"]
    assert all(answer[field]["description"] for field in json.loads(whole)["answers"][0])


@pytest.mark.parametrize("way", [("format",), ("answers", 0, "decision"), ("dice", "seed"), ("teams",), ("seal",)])
def test_the_schema_refuses_what_does_not_fit(schema: Any, whole: str, way: tuple[Any, ...]) -> None:
    table = json.loads(whole)
    at(table, way[:-1])[way[-1]] = None
    assert not schema.is_valid(table)
