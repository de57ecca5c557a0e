"""Making an investigator: what is rolled, what follows from it, and that every answer leads to a good sheet."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from affray.errors import Invalid
from affray.kernel.chance import Dice, Scripted, Seeded
from affray.system.creation import Question, asked, unasked
from affray.system.schema import slug
from affray.systems.mythos.creation import (
    CHARACTERISTICS,
    CREATION,
    MOST_SUGGESTED,
    comments,
    interview,
    occupations,
    perk_texts,
    roll,
)
from affray.systems.mythos.sheets import SHEETS
from affray.systems.mythos.tactics import TACTICS
from affray.systems.mythos.terms import PERKS
from affray.systems.mythos.weapons import BASE_SKILLS, WEAPONS

STR_CON_SIZ_DEX_POW_LUCK = [(1, 2, 3), (6, 6, 6), (1, 1), (4, 4, 5), (2, 2, 2), (1, 1, 1)]


def unheard(purpose: str) -> None:
    """Nobody listens what the throws are for."""


class Maker:
    """A player who answers: what was asked, and what came of it in the end."""

    def __init__(self, *answers: str, dice: Dice | None = None, name: str = "Ida") -> None:
        self.questions: list[Question] = []
        self.table: dict[str, Any] = {}
        self.unused = list(answers)
        running = interview(name, dice or Seeded(1), unheard)
        try:
            self.questions.append(next(running))
            while True:
                self.questions.append(running.send(self.unused.pop(0) if self.unused else ""))
        except StopIteration as ended:
            self.table = ended.value

    @property
    def problems(self) -> list[str]:
        return [question.problem for question in self.questions if question.problem]


# --- characteristics -------------------------------------------------------------------------------------------------


def test_str_con_dex_pow_and_luck_are_3d6_times_5_and_siz_2d6_and_6_times_5() -> None:
    dice = Scripted(STR_CON_SIZ_DEX_POW_LUCK)
    rolled = roll(dice, unheard)
    dice.finish()
    assert rolled == {"strength": 30, "constitution": 90, "size": 40, "dexterity": 65, "power": 30, "luck": 15}


@pytest.mark.parametrize(("face", "three", "two"), [(1, 15, 40), (6, 90, 90)])
def test_the_least_and_the_most_that_can_be_rolled(face: int, three: int, two: int) -> None:
    rolled = roll(Scripted([(face,) * (2 if key == "size" else 3) for key in CHARACTERISTICS]), unheard)
    assert rolled == {key: two if key == "size" else three for key in CHARACTERISTICS}


def test_whoever_throws_real_dice_hears_what_each_throw_is_for() -> None:
    heard: list[str] = []
    roll(Scripted(STR_CON_SIZ_DEX_POW_LUCK), heard.append)
    assert [purpose.split()[0] for purpose in heard] == ["STR", "CON", "SIZ", "DEX", "POW", "Luck"]
    assert heard[2] == "SIZ (the sum and 6, times 5)"


def test_what_follows_from_the_rolls_is_shown_before_they_are_kept() -> None:
    made = Maker(dice=Scripted(STR_CON_SIZ_DEX_POW_LUCK))
    rolled, follows = made.questions[1].shows
    assert rolled == "STR 30  CON 90  SIZ 40  DEX 65  POW 30  Luck 15"
    # HP (90 + 40) // 10; neither both above nor both below SIZ; half of 65; STR + SIZ = 70 is in 65 to 84
    assert follows == "HP 13, MOV 8, Dodge 32, Build -1, damage bonus -1"


def test_rolls_can_be_made_again_and_changed_one_by_one() -> None:
    fives = [(5,) * len(throw) for throw in STR_CON_SIZ_DEX_POW_LUCK]
    dice = Scripted([*STR_CON_SIZ_DEX_POW_LUCK, *fives])
    made = Maker("rolled", "again", "str 35, Dex=55", "luck 1", "keep", dice=dice)
    dice.finish()
    kept = [made.table[key] for key in CHARACTERISTICS]
    assert kept == [35, 75, 80, 55, 75, 1]


def test_characteristics_can_be_typed_without_any_die() -> None:
    dice = Scripted([])
    made = Maker("typed", "60", "", "70", "45", "50", "33", dice=dice)
    assert [made.table[key] for key in CHARACTERISTICS] == [60, 50, 70, 45, 50, 33]
    assert made.questions[7].shows[1] == "HP 12, MOV 7, Dodge 22, Build 1, damage bonus 1D4"


# --- what is suggested -----------------------------------------------------------------------------------------------


def test_every_occupation_hands_out_as_many_points_as_any_other() -> None:
    assert {sum(of.points.values()) for of in occupations().values()} == {80}
    assert {of.tactic for of in occupations().values()} == {"brawler", "gunslinger", "survivor", "healer"}
    assert all(len(of.perks) == 2 for of in occupations().values())


@pytest.mark.parametrize(
    ("best", "suggested"),
    [("str", "fighter"), ("dex", "shooter"), ("pow", "scholar"), ("con", "medic")],
)
def test_the_occupation_that_suits_the_best_characteristic_is_suggested(best: str, suggested: str) -> None:
    made = Maker("typed", *[""] * 6, f"{best} 85", "keep")
    (asked_for,) = [question for question in made.questions if question.asks.startswith("occupation")]
    assert asked_for.usual == suggested


@pytest.mark.parametrize("occupation", occupations())
def test_the_points_of_an_occupation_come_on_top_of_the_base_chances(occupation: str) -> None:
    made = Maker("typed", "", "", "", "61", "", "", "keep", occupation)
    base = {**BASE_SKILLS, "dodge": 30}
    points = occupations()[occupation].points
    assert made.table["skills"] == {skill: base[skill] + more for skill, more in points.items()}
    assert made.table["weapons"] == list(occupations()[occupation].weapons)
    assert made.table["tactic"] == occupations()[occupation].tactic


def test_no_suggestion_is_better_than_ninety() -> None:
    made = Maker("typed", "", "", "", "200", "", "", "keep", "scholar")
    assert made.table["skills"]["dodge"] == MOST_SUGGESTED == 90


def test_without_an_occupation_everything_is_at_its_base_chance() -> None:
    made = Maker("", "", "none")
    assert made.table["skills"] == made.table["items"] == made.table["loaded"] == made.table["ammunition"] == {}
    assert made.table["weapons"] == made.table["perks"] == []
    assert made.table["wields"] == "hands"
    assert SHEETS.enlist(made.table).skill("brawl") == 25


# --- answers ---------------------------------------------------------------------------------------------------------


def test_weapons_go_by_their_ids_and_by_their_names() -> None:
    made = Maker("", "", "none", "", "9 mm automatic, .38 revolver, 12-gauge, Sawn-off 12-gauge")
    assert made.table["weapons"] == ["9mm-automatic", "38-revolver", "12-gauge", "sawn-off-12-gauge"]
    assert made.table["wields"] == "9mm-automatic"


@pytest.mark.parametrize("weapon", [id for id in WEAPONS if id != "hands"])
def test_every_weapon_can_be_chosen_and_comes_with_its_rounds(weapon: str) -> None:
    table = Maker("", "", "none", "", WEAPONS[weapon].name).table
    magazine = WEAPONS[weapon].magazine
    assert table["weapons"] == [weapon]
    assert table["loaded"] == ({weapon: magazine} if magazine else {})
    assert table["ammunition"] == ({weapon: 2 * magazine} if WEAPONS[weapon].kind == "gun" else {})


def test_skills_items_and_perks_are_typed_with_commas() -> None:
    made = Maker("", "", "none", "brawl 60, Dodge=45, handgun 30%", "", "Rapid Fire, alert", "first-aid, medicine 2")
    assert made.table["skills"] == {"brawl": 60, "handgun": 30, "dodge": 45}
    assert made.table["perks"] == ["rapid-fire", "alert"]
    assert made.table["items"] == {"first-aid": 1, "medicine": 2}


@pytest.mark.parametrize(
    ("before", "answer", "sentence"),
    [
        ([], "roled", "there is no way 'roled'; did you mean rolled?"),
        (["typed"], "0", "STR must be 1 to 300, not 0"),
        (["typed"], "strong", "STR must be a whole number, 1 to 300, not 'strong'"),
        ([""], "srt 60", "there is no characteristic 'srt'; did you mean str?"),
        ([""], "luck 120", "Luck must be 0 to 99, not 120"),
        ([""], "str", "STR must be a whole number, 1 to 300, not ''"),
        (["", ""], "figther", "there is no occupation 'figther'; did you mean fighter?"),
        (["", "", ""], "brawl 140", "skills.brawl must be 1 to 100, not 140"),
        (["", "", ""], "brwal 40", "skills: there is no skill 'brwal'; did you mean brawl?"),
        (["", "", ""], "brawl", "brawl needs a number, such as brawl 50"),
        (["", "", ""], "brawl 40, brawl 50", "names brawl twice"),
        (["", "", "", ""], "revolver", "there is no weapon 'revolver'; did you mean"),
        (["", "", "", ""], "torch, torch", "Ida: weapons must be a list with each weapon once, not ['torch', 'torch']"),
        (["", "", "", ""], "torch, rock, whip, spear, bow", "weapons must be a list of at most 4 ids (weapon), not"),
        (["", "", "", ""], "flail (base large-clb)", "own_weapons.flail: there is no weapon 'large-clb'; did you mean"),
        (["", "", "", ""], "flail (dice 2D6)", "flail: there is no key 'dice'"),
        (["", "", "", "", ""], "bulwark (tough_guy 21)", "own_perks.bulwark: tough_guy must be 0 to 20, not 21"),
        (["", "", "", "", "", ""], "tonic (heals 1D6) 100", "items.tonic must be 0 to 99, not 100"),
        (["", "", "", "", ""], "beedy eye", "there is no perk 'beedy-eye'; did you mean beady-eye?"),
        (["", "", "", "", ""], "alert, nimble, endurance", "are 3 perks; there must be at most 2, all different"),
        (["", "", "", "", ""], "alert, alert", "alert, alert are 2 perks; there must be at most 2, all different"),
        (["", "", "", "", "", ""], "medecine 1", "items: there is no item 'medecine'; did you mean medicine?"),
        (["", "", "", "", "", ""], "medicine 200", "items.medicine must be 0 to 99, not 200"),
        (["", "", "", "", "", "", ""], "boxer", "there is no tactic 'boxer'"),
    ],
)
def test_a_bad_answer_gets_a_sentence_and_the_question_again(before: list[str], answer: str, sentence: str) -> None:
    made = Maker(*before, answer)
    (problem,) = made.problems
    assert sentence in problem
    first, again = made.questions[len(before)], made.questions[len(before) + 1]
    assert (again.asks, again.usual) == (first.asks, first.usual)
    assert made.table == Maker(*before).table, "a refused answer has changed nothing"


def test_things_of_one_s_own_are_described_in_the_answer() -> None:
    made = Maker(
        *["", "", "fighter", "brawl 60, sword 40"],
        "torch, cane-sword (base light-sword; damage 1D6+2)",
        "bulwark (tough_guy 8; price 5), alert",
        "first-aid 1, tonic (heals 1D6) 2",
    )
    assert made.problems == []
    sheet = SHEETS.enlist(made.table)
    assert (sheet.carried, sheet.own_weapons["cane-sword"].damage) == (("torch", "cane-sword"), "1D6+2")
    assert (list(sheet.all_perks), sheet.own_perks["bulwark"].price) == (["bulwark", "alert"], 5)
    assert (sheet.counts, sheet.own_items["tonic"].heals) == ({"first-aid": 1, "tonic": 2}, "1D6")


_ANSWERS = st.text(max_size=12) | st.sampled_from(
    ["typed", "again", "str 90", "none", "medic", "brawl 50", ".38 revolver", "alert", "medicine 3", "healer", "60"]
)


@settings(max_examples=300, deadline=None)
@given(st.lists(_ANSWERS, max_size=25), st.integers(0, 2**32))
def test_whatever_is_answered_a_good_sheet_comes_of_it(answers: list[str], seed: int) -> None:
    table = Maker(*answers, dice=Seeded(seed)).table
    sheet = SHEETS.enlist(table)
    assert {key: value for key, value in sheet.as_table().items() if key in table} == {
        key: value for key, value in table.items() if value not in ([], {})
    }


# --- by itself -------------------------------------------------------------------------------------------------------


@settings(max_examples=100, deadline=None)
@given(st.integers(0, 2**63 - 1))
def test_who_is_rolled_can_fight(seed: int) -> None:
    table = unasked(CREATION.interview("Ida", Seeded(seed), unheard))
    assert table == unasked(CREATION.interview("Ida", Seeded(seed), unheard)), "same seed, same person"
    sheet = SHEETS.enlist(table)
    assert sheet.hp == sheet.most_hp == (sheet.constitution + sheet.size) // 10
    for key in CHARACTERISTICS:
        value = getattr(sheet, key)
        assert value % 5 == 0
        assert (40 if key == "size" else 15) <= value <= 90
    assert sheet.wields == sheet.weapons[0]
    assert len(sheet.perks) == 2
    assert sheet.tactic in TACTICS
    assert not sheet.dead


def test_names_are_many_fit_a_sheet_and_have_ids_of_their_own() -> None:
    names = {CREATION.name(Seeded(seed)) for seed in range(3000)}
    assert len(names) > 500
    assert len({slug(name) for name in names}) == len(names)
    for name in names:
        assert SHEETS.enlist({"name": name}).name == name


# --- what is written -------------------------------------------------------------------------------------------------


def test_every_key_has_its_comment_and_derived_values_are_in_them() -> None:
    made = Maker("typed", "70", "65", "60", "75", "50", "45")
    said = comments(SHEETS.enlist(made.table))
    assert list(said) == list(made.table), "in the order in which they stand in the file"
    assert "Build 1, damage bonus 1D4" in said["strength"]  # 70 + 60 is in 125 to 164
    assert "12 HP" in said["constitution"]
    assert "MOV 9" in said["size"]
    assert said["dexterity"].endswith("37")
    assert all(text.isprintable() and len(text) <= 60 for text in said.values())


def test_every_perk_is_explained_and_the_active_ones_say_what_they_cost() -> None:
    assert list(perk_texts()) == list(PERKS)
    priced = [perk for perk, text in perk_texts().items() if text.startswith("10 Luck: ")]
    assert priced == ["rapid-attack", "heavy-hitter", "tough-guy", "fleet-footed"]


# --- questions in general --------------------------------------------------------------------------------------------


def test_an_empty_answer_is_the_usual_one() -> None:
    running = asked(Question("how many", "3"), int)
    next(running)
    with pytest.raises(StopIteration) as ended:
        running.send("  ")
    assert ended.value.value == 3


def test_a_usual_answer_that_is_refused_ends_an_interview_without_anybody_to_ask() -> None:
    def read(line: str) -> str:
        raise Invalid(f"{line} will not do")

    with pytest.raises(Invalid, match="this will not do"):
        unasked(asked(Question("what", "this"), read))
