"""The page to print: whole, well-formed, one side for the rules and one for each sheet, and with the right numbers."""

from __future__ import annotations

import re
import shutil
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import fields, replace
from fractions import Fraction
from html.parser import HTMLParser
from importlib import import_module
from itertools import pairwise, product
from math import ceil, comb, floor
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from affray.errors import Invalid
from affray.handouts.printing import MARK, handout_for, page
from affray.system.abilities import Print
from affray.system.contract import System
from affray.system.handout import Box, Grid, Handout, Section, handout_of, read_handout
from affray.system.registry import find, names
from affray.system.schema import Ruling, settle
from affray.system.sheets import Sheets

each_system = pytest.mark.parametrize("id", names())
each_handout = pytest.mark.parametrize("package", ["bgo", "deckahedron", "grapple", "mythos", "strategic"])

# Reading a page


class Page(HTMLParser):
    """A page as a strict reader takes it: every element closed in its turn, its text, its headings, its boxes."""

    VOID = ("meta",)

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self.style = ""
        self.headings: list[tuple[int, str]] = []
        self.boxes: list[tuple[str, str]] = []
        self.feed(text)
        self.close()
        assert not self.open, f"never closed: {self.open}"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.open.append(tag)
        if re.fullmatch("h[1-6]", tag):
            self.headings.append((int(tag[1]), ""))
        if tag == "dt":
            self.boxes.append(("", ""))

    def handle_endtag(self, tag: str) -> None:
        assert self.open, f"{tag} is closed and was not open"
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "style" in self.open:
            self.style += data
            return
        self.words.append(data)
        if self.open and re.fullmatch("h[1-6]", self.open[-1]):
            level, before = self.headings[-1]
            self.headings[-1] = level, before + data
        if "dt" in self.open or "dd" in self.open:
            label, value = self.boxes[-1]
            self.boxes[-1] = (label + data, value) if "dt" in self.open else (label, value + data)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.words).split())


def box(page: Page, label: str) -> str:
    """What stands in the box of that label."""
    (value,) = (value for known, value in page.boxes if known == label)
    return value


def told(package: str, heading: str) -> Section:
    """The section of a handout under a heading, with the usual options."""
    options = import_module(f"affray.systems.{package}.sheets").OPTIONS
    abilities = (Print(f"affray.systems.{package}"),)
    system = replace(find("bgo"), options=options, options_beyond={}, abilities=abilities)
    (section,) = (s for s in handout_for(system, settle(options, {})).sections if s.heading == heading)
    return section


def table_of(package: str, heading: str) -> Grid:
    return told(package, heading).table


def all_sheets(system: System[Any, Any]) -> list[Any]:
    return [sheet for known in system.catalogue().values() for sheet in known.values()]


def leaves(value: object) -> Iterator[object]:
    """Every single thing that a table says."""
    if isinstance(value, Mapping):
        for inner in value.values():
            yield from leaves(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from leaves(inner)
    elif value is not None and value != "":
        yield ("yes" if value else "no") if isinstance(value, bool) else value


# Every system


@each_system
def test_every_system_prints_its_rules_and_a_blank_sheet(id: str) -> None:
    printed = Page(page(find(id)))
    levels = [level for level, _ in printed.headings]
    assert levels.count(1) == 1
    assert levels[0] == 1
    assert all(after <= before + 1 for before, after in pairwise(levels)), "a level is skipped"
    assert sum(tag == "article" for tag, _ in printed.tags) == 2
    assert any(text.endswith(": character sheet") for _, text in printed.headings)
    assert all(value in ("to fill in", "") or value.endswith(" to tick") for _, value in printed.boxes)


@each_system
def test_every_sheet_of_every_system_says_all_it_has_to_say(id: str) -> None:
    system = find(id)
    own = system.ability(Print)
    unshown = own.handout().unshown if own else ()
    for sheet in all_sheets(system):
        printed = Page(page(system, [sheet]))
        shown = " ".join(value for _, value in printed.boxes)
        table = {key: value for key, value in system.as_table(sheet).items() if key not in unshown}
        wanted = Counter(str(leaf) for leaf in leaves(table))
        for leaf, times in wanted.items():
            assert shown.count(leaf) >= times, f"{sheet.id} says {leaf} {times} times"


@each_system
def test_several_sheets_follow_each_other_in_the_order_given(id: str) -> None:
    system = find(id)
    sheets = all_sheets(system)[:3]
    printed = Page(page(system, sheets))
    assert sum(tag == "article" for tag, _ in printed.tags) == 1 + len(sheets)
    in_order = [text for level, text in printed.headings if level == 2][-len(sheets) :]
    assert in_order == [sheet.name for sheet in sheets]


@each_system
def test_a_page_needs_nothing_from_elsewhere_and_reads_aloud(id: str) -> None:
    printed = Page(page(find(id), all_sheets(find(id))[:1]))
    tags = {tag for tag, _ in printed.tags}
    assert not tags & {"script", "link", "img", "iframe", "object", "embed", "base", "svg", "form", "a"}
    for tag, attributes in printed.tags:
        assert not set(attributes) & {"src", "href", "srcset", "data", "action", "background", "onload"}
        assert tag != "th" or attributes.get("scope") in ("col", "row")
    assert not re.search(r"url\(|@import|@font-face|https?:|//", printed.style)
    assert ("html", {"lang": "en"}) in printed.tags
    assert "@page" in printed.style
    assert all(text.strip() for _, text in printed.headings)
    hidden = [attributes for _, attributes in printed.tags if attributes.get("class") == "ticks"]
    assert all(attributes["aria-hidden"] == "true" for attributes in hidden), "ticks are said in words"


# What players call themselves


def toy_saying(toy: ModuleType, table: Mapping[str, object], handout: Handout | None = None) -> System[Any, Any]:
    """The toy, with a sheet that says what the table says."""
    return replace(toy.system, sheets=Saying(toy, table), abilities=(Print(handout),) if handout else ())


class Saying(Sheets[Any]):
    """The toy's sheets, all of which say the same."""

    def __init__(self, toy: ModuleType, table: Mapping[str, object]) -> None:
        super().__init__(toy.Sheet, toy.SHEETS.source)
        object.__setattr__(self, "table", table)

    def as_table(self, sheet: Any) -> dict[str, object]:
        return dict(self.table)  # type: ignore[attr-defined]


MARKUP = "<b>& \"'</dd></article><script>alert(1)</script>"


@pytest.mark.parametrize("handout", [None, Print("affray.systems.grapple")], ids=["drawn up", "own"])
def test_names_values_and_keys_full_of_markup_do_no_harm(handout: Any, toy: ModuleType) -> None:
    table = {"id": "ann", "name": MARKUP, "note": MARKUP, "list": [MARKUP], MARKUP: {MARKUP: MARKUP}, "wounds": MARKUP}
    options = (*toy.OPTIONS, *find("grapple").options)
    system = replace(toy_saying(toy, table), abilities=(handout,) if handout else (), options=options)
    printed = Page(page(system, [toy.Sheet(id="ann", name=MARKUP, life=3)]))
    assert not {"b", "script"} & {tag for tag, _ in printed.tags}
    assert (2, MARKUP) in printed.headings
    assert box(printed, "Name") == MARKUP
    assert sum(value.count(MARKUP) for _, value in printed.boxes) >= 5, "each is said"


SIMPLE = st.integers(-9999, 9999) | st.text("abZ09<>&\"'*{}.-_/äß✔×€", max_size=12)
TABLES = st.dictionaries(
    st.text("abcdefgh_.<&", min_size=1, max_size=6),
    SIMPLE | st.booleans() | st.lists(SIMPLE, max_size=3) | st.dictionaries(st.text("xyz", max_size=3), SIMPLE),
    max_size=8,
)
BOXED = read_handout(Path(__file__).parents[2] / "src/affray/systems/bgo/data/handout.toml")


@settings(deadline=None)
@given(table=TABLES, boxed=st.booleans())
def test_nothing_that_any_sheet_says_is_left_out(table: dict[str, object], boxed: bool, toy: ModuleType) -> None:
    own = replace(BOXED, sections=(), unshown=(), groups=(replace(BOXED.groups[0], boxes=BOXES),)) if boxed else None
    printed = Page(page(toy_saying(toy, table, own), [toy.SHEETS.fighters()["ann"]]))
    shown = " ".join(value for _, value in printed.boxes)
    wanted = Counter(str(leaf) for leaf in leaves(table))
    for leaf, times in wanted.items():
        assert shown.count(leaf) >= times


BOXES = (Box(label="a", key="a"), Box(label="b", key="b", ticks=5), Box(label="c", key="c.x", lines=2))


def test_ticks_are_crossed_out_as_the_sheet_says(toy: ModuleType) -> None:
    boxes = (
        Box(label="Health", key="health", ticks=20, most="max_health", left=True),
        Box(label="Wounds", key="wounds", ticks=3),
        Box(label="Fate", key="fate", ticks=4),
        Box(label="Mana", key="mana", ticks=4, most="max_mana"),
    )
    handout = Handout(title="T", lead="L", sections=(), groups=(replace(BOXED.groups[0], boxes=boxes),))
    table = {"health": 7, "max_health": 10, "wounds": 2, "fate": 9, "mana": 80, "max_mana": 400}
    text = page(toy_saying(toy, table, handout), [toy.SHEETS.fighters()["ann"]])
    printed = Page(text)
    assert box(printed, "Health") == "7 of 10" + "×" * 3
    assert box(printed, "Wounds") == "2" + "×" * 2
    assert box(printed, "Fate") == "9" + "×" * 4, "more than there are ticks crosses all of them, and is a number"
    assert box(printed, "Mana") == "80 of 400", "too many to tick"
    assert text.count("<i>") == 10 + 3 + 4


# A system of another package, without a handout


def test_a_system_without_a_handout_gets_one_from_its_rulings_options_and_moves(toy: ModuleType) -> None:
    assert toy.system.ability(Print) is None
    printed = Page(page(toy.system, options={"extra_life": "2"}))
    for ruling in toy.RULINGS.values():
        assert f"{ruling.question} {ruling.text}" in printed.text
    assert "extra_life 2 0 to 3 more life for everybody" in printed.text
    assert "extra_life = 2 , usually 0: more life for everybody" in printed.text
    assert re.search(r"Moves, for example bid \d; bid \d", printed.text)
    assert [label for label, _ in printed.boxes] == ["Id", "Name", "Life", "Notes"]


def test_rulings_that_do_not_fit_on_the_page_are_counted(toy: ModuleType) -> None:
    many = {str(n): Ruling(str(n), f"Question {n}?", "So it is. " * 20, "house rule") for n in range(300)}
    printed = Page(page(replace(toy.system, rulings=lambda: many)))
    kept = printed.text.count("Question ")
    assert 10 < kept < 300
    assert f"{300 - kept} more: affray rules toy" in printed.text


# Options


def test_options_are_told_with_their_values() -> None:
    usual, changed = (Page(page(find("bgo"), options=options)).text for options in ({}, {"defend_defense": 5}))
    assert "+3 Defense in this round, and poised" in usual
    assert "+5 Defense in this round, and poised" in changed
    assert "Different at this table" not in usual
    assert "defend_defense = 5 , usually 3" in changed


def test_an_option_behind_a_plus_is_told_with_its_sign(toy: ModuleType) -> None:
    handout = Handout(title="T", lead="{+extra_life} or {extra_life}, {+harsh}", sections=(), groups=())
    system = replace(toy.system, abilities=(Print(handout),))
    assert "0 or 0, off" in Page(page(system)).text
    assert "+2 or 2, on" in Page(page(system, options={"extra_life": 2, "harsh": True})).text


def test_a_profile_is_told_too_and_one_that_is_not_there_is_refused() -> None:
    text = Page(page(find("grapple"), options={"profile": "grounds"})).text
    assert "1 to 4 AD" in text
    assert "ties = on , usually off" in text
    with pytest.raises(Invalid, match="there is no profile 'ground'; did you mean grounds"):
        page(find("grapple"), options={"profile": "ground"})
    with pytest.raises(Invalid, match="there is no option 'tie'; did you mean ties"):
        page(find("grapple"), options={"tie": "on"})


# Handouts as data


@each_handout
def test_every_handout_can_be_read_and_is_not_too_long_for_a_table(package: str) -> None:
    handout = handout_of(f"affray.systems.{package}")
    assert handout.sections
    assert handout.groups
    assert "Name" in [box.label for group in handout.groups for box in group.boxes]


@each_system
def test_every_box_shows_something_that_sheets_have(id: str) -> None:
    system = find(id)
    own = system.ability(Print)
    if own is None:
        pytest.skip(f"{id} has no handout")
    sheets, usual = all_sheets(system), settle(system.options, {})
    known = {
        key
        for sheet in sheets
        for key in (*system.as_table(sheet), *system.derived(sheet, usual), *(field.name for field in fields(sheet)))
    }
    for group in own.handout().groups:
        for shown in group.boxes:
            for key in filter(None, (shown.key, shown.most)):
                assert key.split(".")[0] in known, f"{group.heading}, {shown.label}: there is no {key}"


def test_the_handout_in_the_documentation_is_one(toy: ModuleType, tmp_path: Path) -> None:
    text = (Path(__file__).parents[2] / "docs" / "print.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"```toml\n(.*?)```", text, re.DOTALL)
    (tmp_path / "handout.toml").write_text(example.replace("{coins}", "{extra_life}"), encoding="utf-8")
    handout = read_handout(tmp_path / "handout.toml")
    printed = Page(page(replace(toy.system, abilities=(Print(handout),)), options={"extra_life": 2}))
    assert "The fighter who shows more heads wins. 2 coins each." in printed.text
    assert box(printed, "Health") == "10 to tick"


BARE = 'title = "T"\nlead = "L"\n'
BAD = [
    ("lead = 'L'\nsections = []\ngroups = []", "title is missing; it must be text on one line"),
    (BARE + "groups = []\nsection = []", "there is no key 'section'; did you mean sections"),
    (BARE + "groups = []\nsections = 3", "sections must be a list"),
    (BARE + "groups = []\n[[sections]]\nlines = ['a']", "sections 1: heading is missing"),
    (BARE + "groups = []\n[[sections]]\nheading = 'H'\nlines = ['a', 2]", "sections 1: lines 2 must be text"),
    (BARE + "groups = []\n[[sections]]\nheading = 'H'\ntable = 'a | b'", "sections 1: table must be"),
    (
        BARE + "groups = []\n[[sections]]\nheading = 'H'\ntable = 'a | b\\nc'".replace("'a", '"a').replace("c'", 'c"'),
        "table: row 2 must be 2 cells, as the first has, not 'c'",
    ),
    (
        BARE + "sections = []\n[[groups]]\nheading = 'H'\nboxes = [{ label = 'B', wide = 13 }]",
        "wide must be 1 to 12, not 13",
    ),
    (
        BARE + "sections = []\n[[groups]]\nheading = 'H'\nboxes = [{ label = 'B', lines = 1, ticks = 2 }]",
        "the box 'B' has both lines and ticks; it may have only one of them",
    ),
    (
        BARE + "sections = []\n[[groups]]\nheading = 'H'\nboxes = [{ label = 'B', key = 'k', most = 'm' }]",
        "the box 'B' has most or left, but not the ticks and the key that they need",
    ),
]


@pytest.mark.parametrize(("text", "sentence"), BAD, ids=[sentence for _, sentence in BAD])
def test_a_handout_that_does_not_fit_is_refused_with_a_sentence(text: str, sentence: str, tmp_path: Path) -> None:
    file = tmp_path / "handout.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(Invalid, match=sentence):
        read_handout(file)


def test_a_handout_that_names_an_option_nobody_knows_is_refused(toy: ModuleType) -> None:
    handout = Handout(title="T", lead="{extra_live} more", sections=(), groups=())
    with pytest.raises(Invalid, match="the handout: there is no option 'extra_live'; did you mean extra_life"):
        page(replace(toy.system, abilities=(Print(handout),)))


# The numbers: Deckahedron


@pytest.mark.parametrize("heading", ["Melee: both flip Str", "Ranged: both flip Dex", "A Breather"])
def test_the_result_tables_are_those_that_the_rules_read(heading: str) -> None:
    from affray.systems.deckahedron import tables

    drawn = {"M": tables.MELEE, "R": tables.RANGED, "A": tables.BREATHER}[heading[0]]
    rows = [[cell.strip() for cell in line.split("|")] for line in drawn.strip().splitlines()]
    printed = [list(row) for row in table_of("deckahedron", heading)]
    if not rows[0][0]:
        rows[0][0] = printed[0][0]
    else:
        rows.insert(0, printed[0])
    assert printed == rows


def test_the_deck_shows_the_edges_of_the_cards() -> None:
    from affray.systems.deckahedron.cards import EDGES, SCORES

    head, *rows = table_of("deckahedron", "The deck, and the Wound cards 21 to 24")
    assert head[1:] == tuple(str(card) for card in range(1, len(EDGES) + 1))
    for rank, row in enumerate(rows):
        assert row == (str(rank + 1), *(SCORES[int(edges[rank])] for edges in EDGES))


# The numbers: Grapple


def test_the_skills_are_the_twelve_with_their_difficulties_and_whom_they_are_for() -> None:
    from affray.systems.grapple import rules, sheets

    _, *rows = table_of("grapple", "Skills")
    assert {row[1]: row[0] for row in rows} == sheets.SKILLS
    for number, row in enumerate(rows):
        assert row[2] == ("a target" if rules.AT_TARGET[number] else "yourself")
        assert row[5] == str(rules.DIFFICULTY[number])


def test_the_moves_of_grapple_have_the_numbers_of_its_rules() -> None:
    from affray.systems.grapple import rules

    moves = {name: " ".join(cells) for name, *cells in table_of("grapple", "Four moves")}
    assert f"up to {rules.MOST_EARNED};" in moves["Maneuver"]
    assert moves["Strike"].startswith(f"1 to {rules.MOST_STRIKE_DICE} SD")
    assert moves["Skill action"].startswith(f"0 to {rules.MOST_STRIKE_DICE} SD")
    assert f"{rules.BREATH} AD more" in moves["Catch breath"]


def test_the_chances_of_successes_are_binomial() -> None:
    head, *rows = table_of("grapple", "Chance of at least so many successes, in percent")
    for dice, *cells in rows:
        for least, cell in zip(head[1:], cells, strict=True):
            n, k = int(dice), int(least)
            chance = sum(comb(n, i) * Fraction(2, 3) ** i * Fraction(1, 3) ** (n - i) for i in range(k, n + 1))
            rounded = round(100 * chance)
            assert cell == ("" if k > n else ">99" if rounded == 100 else str(rounded))


# The numbers: bgo


def test_the_throws_of_three_dice_are_counted_right() -> None:
    (_, *needed), (_, *ways) = table_of("bgo", "How many of the 216 throws of 3d6 reach the number")
    sums = [sum(dice) for dice in product(range(1, 7), repeat=3)]
    assert [int(way) for way in ways] == [sum(total >= int(least) for total in sums) for least in needed]
    assert needed == [str(total) for total in range(3, 19)]


def test_the_creatures_of_the_first_rank_are_those_of_the_data() -> None:
    system = find("bgo")
    _, *rows = table_of("bgo", "Slimes to begin with (rank 1)")
    known = [sheet for sheet in system.catalogue()["creatures"].values() if sheet.rank == 1]
    assert [row[0] for row in rows] == [sheet.name for sheet in known]
    for (_, health, attack, defense, damage, defends), sheet in zip(rows, known, strict=True):
        assert (int(health), int(attack), int(defense)) == (sheet.max_health, sheet.attack, sheet.defense)
        ((kind, amount),) = system.as_table(sheet)["damage"].items()  # type: ignore[attr-defined]
        assert damage == system.signed(f"{amount} {kind}")
        assert defends == (f"{sheet.policy.defend} %" if sheet.policy.defend else "never")
        assert not sheet.abilities


def test_every_ability_is_explained() -> None:
    from affray.systems.bgo.sheets import ABILITIES, TYPES

    words = {re.sub(rf"-({'|'.join(TYPES)})$", "", ability).replace("-", " ") for ability in ABILITIES}
    _, *rows = table_of("bgo", "Abilities")
    assert {row[0] for row in rows} == words - {"leaden feet"}, "leaden feet is a curse, which says so itself"


# The numbers: strategic and mythos

FIGHTERS = "Ready to fight"


def test_the_fighters_of_the_strategic_page_follow_from_its_formulas() -> None:
    """By hand: combat points, thirds rounded to the nearest, as the fighter's section of the page tells."""
    weapons = {name: cells for name, *cells in table_of("strategic", "Weapons and armour")}
    penalty = {"none": 0, "leather": 1, "chain": 2, "plate": 4}
    third = lambda value: Fraction(value, 3)  # noqa: E731
    nearest = lambda value: floor(value + Fraction(1, 2))  # noqa: E731
    _, *rows = table_of("strategic", FIGHTERS)
    for _, *numbers, weapon, armour, attack, defence, initiative in rows:
        strength, agility, _, training = map(int, numbers)
        kind, _, _, weight = weapons[weapon]
        agile = max(0, agility - penalty[armour])
        by_kind = {"bludgeon": third(2 * strength), "edged": third(strength + agile), "ranged": third(agile)}
        points = training + by_kind[kind]
        assert int(attack) == nearest(points)
        assert int(defence) == nearest(points + third(agile))
        burden = sum(ceil(Fraction(3, 4) * carried) for carried in (int(weight), penalty[armour]))
        assert int(initiative) == max(1, 3 + training + nearest(third(agility + strength)) - burden)


def test_the_fighters_of_the_strategic_page_are_those_of_the_data() -> None:
    from affray.systems.strategic.sheets import SHEETS

    _, *rows = table_of("strategic", FIGHTERS)
    for name, *numbers, weapon, armour, _, _, _ in rows:
        sheet = SHEETS.fighters()[name]
        them = (sheet.strength, sheet.agility, sheet.discipline, sheet.training)
        assert ([str(number) for number in them], sheet.weapon, sheet.armour) == (numbers, weapon, armour)
        assert (sheet.hardiness, sheet.life_coins) == (2, 30), "as the page says is usual"


def test_life_on_the_strategic_page_is_as_long_as_the_coins_last() -> None:
    (_, *coins), (_, *lives) = table_of("strategic", "The end, and after it")
    units = {"y": 365.25 * 86400, "d": 86400, "h": 3600, "min": 60, "s": 1}
    for n, life in zip(coins, lives, strict=True):
        number, unit = life.split()
        digits = len(number.partition(".")[2])
        # the wait for all Tails with k coins is 2**k seconds
        assert float(number) == round(sum(2**k for k in range(1, int(n) + 1)) / units[unit], digits)


def test_the_arms_of_the_strategic_page_are_those_of_the_data() -> None:
    from affray.systems.strategic.arms import ARMOURS, WEAPONS

    _, *rows = table_of("strategic", "Weapons and armour")
    known = [(arm.name, arm.kind, *map(str, (arm.damage, arm.lethality, arm.weight))) for arm in WEAPONS.values()]
    assert sorted(rows) == sorted(known)
    said = re.findall(r"(\w+) (\d+) / (\d+)", told("strategic", "Weapons and armour").below[0])
    assert said == [(worn.name, str(worn.value), str(worn.penalty)) for worn in ARMOURS.values()]


def test_the_strategic_page_says_what_no_weapon_allows() -> None:
    from affray.systems.strategic.arms import WEAPONS
    from affray.systems.strategic.state import ATTACKS, DEFENCES

    said = told("strategic", "Weapons and armour").below[1].partition("with ")[2].rstrip(".")
    closed = {name: moves.split(", ") for name, _, moves in (part.partition(": ") for part in said.split("; "))}
    every = (*ATTACKS.values(), *DEFENCES.values())
    for id, weapon in WEAPONS.items():
        assert closed.get(id, []) == [move for move in every if move not in (*weapon.attacks, *weapon.defences)]


def test_the_strategic_page_has_what_the_ruling_lays_down(shared: Path) -> None:
    text = (shared / "rules" / "strategic.md").read_text(encoding="utf-8")
    _, *weapons = table_of("strategic", "Weapons and armour")
    for name, kind, *numbers in weapons:
        assert f"{name} {'/'.join(numbers)} {kind}" in text
    balanced = find("strategic").rulings()["balance"].options
    for heading in ("Attack moves", "Defences"):
        _, *rows = table_of("strategic", heading)
        for name, coins, _ in rows:
            if f"{name}_attack" in balanced:
                continue  # changed since, and the ruling says so
            assert re.search(rf"^\| {name} \| {re.escape(coins)}[ ;,]", text, re.MULTILINE), name
    _, *rows = table_of("strategic", FIGHTERS)
    for name, *cells in rows:
        numbers, weapon, armour = "/".join(cells[:4]), cells[4], cells[5]
        assert f"{name} {numbers} {weapon}{'' if armour == 'none' else f', {armour}'}" in text


def test_a_strategic_sheet_is_filled_in_by_the_options_and_its_own_arms() -> None:
    system = find("strategic")
    sheet = system.enlist("guard:crippling=20:damage=11:armour_value=6")
    options = {"strength_melee": 1, "agility_defence": 1, "initiative_base": 9, "moves_base": 0}
    printed = Page(page(system, [sheet], options))
    # Strength 4, effective Agility 1, Training 3: 3 + 4/1 + 1/3, and 1/1 more; 9 + 3 + 1/3 less 2 of weight beyond 4/3
    assert [box(printed, label) for label in ("Attack", "Defence", "Initiative")] == ["7", "8", "11"]
    assert [box(printed, label) for label in ("Damage", "Lethality", "Value", "Penalty")] == ["11", "4", "6", "1"]
    assert box(printed, "Hardiness + armour") == "8"
    assert [box(printed, move) for move in ("jab", "power")] == ["yes×", "1 to tick"]
    crippling = box(printed, "Crippling: attack and defence; stays after the fight")
    assert crippling == "20" + "×" * 16, "all ticks are crossed by more than there are"
    assert "Training + Strength/1 + eA/3" in printed.text


def test_the_builds_of_the_mythos_page_are_those_of_the_rules() -> None:
    from affray.systems.mythos.derived import bonus_and_build

    (_, *spans), (_, *bonuses), (_, *builds) = table_of("mythos", "Derived values")
    for span, bonus, build in zip(spans, bonuses, builds, strict=True):
        for total in map(int, span.split("-")):
            (dice, sides, flat), number = bonus_and_build(total)
            assert bonus == (f"{dice}D{sides}" if dice else str(flat))
            assert build == str(number)


def test_the_guns_of_the_mythos_page_are_those_of_the_data() -> None:
    from affray.systems.mythos.weapons import WEAPONS

    guns = {weapon.name: weapon for weapon in WEAPONS.values() if weapon.magazine}
    _, *rows = table_of("mythos", "Guns and bows")
    assert len({row[0] for row in rows}) == len(rows) == 18
    for name, _, damage, shots, magazine in rows:
        gun = guns[name]
        assert damage.split(" / ") == [dice for dice in (gun.damage, gun.farther, gun.farthest) if dice != "0"]
        assert shots == (f"1-{gun.shots}" if gun.shots > 1 else "1")
        assert magazine == str(gun.magazine)


def test_the_melee_weapons_of_the_mythos_page_are_those_of_the_data() -> None:
    from affray.systems.mythos.weapons import WEAPONS

    brawl = told("mythos", "Melee weapons").lines[0].removeprefix("**Brawl**: ").removesuffix(".").split(", ")
    known = [weapon for weapon in WEAPONS.values() if weapon.skill == "brawl"]
    wanted = [
        f"{weapon.name} {weapon.damage}{'+' * (weapon.bonus == 'full')}{' i' * weapon.impales}" for weapon in known
    ]
    assert sorted(brawl) == sorted(entry.replace("hands", "fists") for entry in wanted)


def test_the_enemies_of_the_mythos_page_are_those_of_the_data() -> None:
    from affray.systems.mythos.sheets import SHEETS
    from affray.systems.mythos.weapons import WEAPONS

    known = {sheet.name: sheet for sheet in SHEETS.fighters().values()}
    _, *rows = table_of("mythos", "Some enemies")
    for name, *numbers, attacks, skill, damage, mov, armour in rows:
        sheet = known[name]
        them = (sheet.strength, sheet.constitution, sheet.size, sheet.dexterity, sheet.power)
        assert [str(number) for number in them] == numbers
        assert (str(sheet.attacks), str(sheet.speed)) == (attacks, mov)
        assert damage == (WEAPONS[sheet.weapons[0]].name if sheet.weapons else f"{sheet.natural}+")
        assert skill == str(sheet.skills[WEAPONS[sheet.weapons[0]].skill if sheet.weapons else "brawl"])
        assert armour == (str(sheet.armour) if sheet.ward == "none" else sheet.ward.replace("-", " "))


# On paper


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """A window that pages are printed from."""
    playwright = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed (the dev extra)")
    found = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if found is None:
        pytest.skip("no Chromium is installed, which prints pages")
    with playwright.sync_playwright() as running:
        opened = running.chromium.launch(executable_path=found, args=["--no-sandbox"])
        yield opened.new_page()
        opened.close()


def paper(browser: Any, html: str, size: str) -> int:
    """How many sheets of paper a page takes."""
    browser.set_content(html.replace("@page { ", f"@page {{ size: {size}; "))
    return len(re.findall(rb"/Type\s*/Page\b", browser.pdf(prefer_css_page_size=True)))


@pytest.mark.parametrize("size", ["A4", "Letter"])
@pytest.mark.parametrize("package", ["bgo", "deckahedron", "grapple", "mythos", "strategic", "toy"])
def test_rules_take_one_page_and_a_sheet_another(package: str, size: str, browser: Any, toy: ModuleType) -> None:
    if package in names():
        system = find(package)
        fullest = max(all_sheets(system), key=lambda sheet: len(str(system.as_table(sheet))))
        assert paper(browser, page(system, [fullest]), size) == 2
    elif package == "toy":
        system = toy.system
    else:
        options = import_module(f"affray.systems.{package}.sheets").OPTIONS
        system = replace(toy.system, options=options, abilities=(Print(f"affray.systems.{package}"),))
    assert paper(browser, page(system), size) == 2


def test_a_page_shows_that_it_was_made_here() -> None:
    assert MARK in page(find("bgo"))[:500]
