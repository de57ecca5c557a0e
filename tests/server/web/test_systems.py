"""What the server tells of sheets is enough for a form, and what is typed into one is read as everywhere else."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import affray
from affray.errors import Invalid
from affray.players.policy import FOLDER
from affray.system import registry, sheets
from affray.system.registry import find
from affray.system.schema import Amounts, Flag, Names, Text, Whole, Word
from affray.system.sheets import Sheets, field

pytest.importorskip("litestar", reason="Litestar is not installed (the server extra)")
from affray.server.api.messages import FieldShown
from affray.server.api.systems import _shown, fields_of
from tests.stubborn import stubborn

SYSTEMS = list(affray.systems())


class Sheet(sheets.Sheet):
    """A sheet with a value of every kind."""

    strength: int = field(Whole(1, 9), 3, "coins for a blow")
    hurt: int | None = field(Whole(0, 9), None)
    weapon: str = field(Word(("fists", "club")), "fists")
    brave: bool = field(Flag(), False)
    moves: tuple[str, ...] = field(Names(lambda: ("jab", "feint"), of="move"), ())
    skills: dict[str, int] = field(Amounts(("run", "swim"), 1, 100), {"run": 20})
    note: str = field(Text(80), "")
    secret: int = field(Whole(0, 1), 0, asked=False)


KNOWN = Sheets(Sheet, {"ann": {"name": "Ann", "moves": ["feint"], "brave": True}})


def test_every_kind_of_value_is_described_for_a_form() -> None:
    assert fields_of(Sheet) == [
        FieldShown("strength", "whole", "coins for a blow", "1 to 9", "3", 1, 9),
        FieldShown("hurt", "whole", "", "0 to 9", "", 0, 9),
        FieldShown("weapon", "word", "", "fists or club", "fists", words=["fists", "club"]),
        FieldShown("brave", "flag", "", "on or off", "off"),
        FieldShown("moves", "names", "", "a list of at most 40 ids (move)", "", words=["jab", "feint"]),
        FieldShown("skills", "amounts", "", "a table { key = 1 to 100 }", "run 20", 1, 100, ["run", "swim"]),
        FieldShown("note", "text", "", "text on one line, 1 to 80 characters", ""),
    ]


def test_what_is_typed_becomes_a_sheet() -> None:
    typed = KNOWN.as_typed(KNOWN.enlist("ann"))
    assert typed == {
        "strength": "3",
        "hurt": "",
        "weapon": "fists",
        "brave": "on",
        "moves": "feint",
        "skills": "run 20",
        "note": "",
    }
    assert KNOWN.altered("ann", typed) == KNOWN.enlist("ann")
    made = KNOWN.altered("ann", {"strength": " 9 ", "moves": "jab+feint", "skills": "", "hurt": "2", "brave": "off"})
    assert (made.strength, made.moves, made.skills, made.hurt, made.brave) == (9, ("jab", "feint"), {}, 2, False)
    assert KNOWN.altered("ann:hurt=2", {"hurt": ""}).hurt is None


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ({"strength": "12"}, "Ann: strength must be 1 to 9, not 12"),
        ({"strength": "strong"}, "Ann: strength must be a whole number, 1 to 9, not 'strong'"),
        ({"weapon": "clubb"}, "Ann: weapon: there is no choice 'clubb'"),
        ({"skills": "fly 3"}, "Ann: skills: there is no key 'fly'"),
        ({"strenght": "3"}, "ann: there is no key 'strenght'"),
    ],
)
def test_what_does_not_fit_is_said_as_everywhere_else(typed: dict[str, str], said: str) -> None:
    with pytest.raises(Invalid) as caught:
        KNOWN.altered("ann", typed)
    assert str(caught.value).startswith(said)


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_sheets_of_every_system_come_back_out_of_their_forms(system: str) -> None:
    shown, own = _shown(system), find(system).sheets
    assert isinstance(own, Sheets)
    asked = [each.name for each in shown.fields]
    assert not {"id", "name", "ready"} & set(asked)
    for sheet in (each for group in shown.sheets.values() for each in group):
        assert list(sheet.values) == asked
        assert own.altered(sheet.id, sheet.values) == own.enlist(sheet.id)
        assert all(sheet.values[each.name] in ("", *each.words) for each in shown.fields if each.kind == "word")


def test_a_registered_system_has_a_form_too(toy: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry._registered, toy.system.id, toy.system)
    assert [each.name for each in _shown(toy.system.id).fields] == list(sheets.asked_for(toy.Sheet))


async def test_a_sheet_is_read_over_the_web(site: Callable[..., Any]) -> None:
    async with site() as people:
        http = people.browser().http
        await http.get("/api/session")
        crumb = {"X-CSRF-Token": http.cookies["affray_csrf"]}
        typed = {"base": "goblin", "values": {"max_wounds": "4", "skill4": "accuracy"}}
        made = await http.post("/api/systems/grapple/sheets", json=typed, headers=crumb)
        assert made.status_code == 200
        assert made.json() == {**find("grapple").as_table(find("grapple").enlist("goblin:max_wounds=4:skill4=ac"))}
        typed["values"] = {"max_wounds": "9"}
        refused = await http.post("/api/systems/grapple/sheets", json=typed, headers=crumb)
        assert refused.json()["problem"] == "goblin: max_wounds must be 1 to 5, not 9"


@pytest.fixture
def policies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A folder of an operator, with a policy for bgo and a file that is none."""
    folder = tmp_path / "policies"
    folder.mkdir()
    stubborn(affray.Fight("bgo", "heroes=player monsters=fire-slime", seed=7), "defend").save(folder / "Wary.json")
    (folder / "notes.json").write_text("{}")
    monkeypatch.setenv(FOLDER, str(folder))
    _shown.cache_clear()
    yield
    _shown.cache_clear()


@pytest.mark.usefixtures("policies")
async def test_the_page_lists_the_policies_of_a_system(site: Callable[..., Any]) -> None:
    async with site() as people:
        http = people.browser().http
        for system, trained in (("bgo", ["policy:wary"]), ("grapple", [])):
            players = (await http.get(f"/api/systems/{system}")).json()["players"]
            assert [each["name"] for each in players if each["meaning"] == "was trained"] == trained
            assert {"search", "perfect"} <= {each["name"] for each in players}
