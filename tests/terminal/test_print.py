"""`affray print`: where the page goes, what it must not overwrite, and what is said about it."""

from __future__ import annotations

from pathlib import Path

import pytest

from affray.handouts.printing import MARK, page
from affray.system import registry
from affray.system.registry import find, names


@pytest.mark.parametrize("system", names())
def test_a_page_is_written_here_under_the_name_of_the_system(system, affray, tmp_path):
    ran = affray("print", system)
    assert (ran.code, ran.err) == (0, "")
    assert ran.unfolded.startswith(f"Written to {system}.html: the rules of {find(system).title}, and a blank sheet.")
    assert (tmp_path / f"{system}.html").read_text(encoding="utf-8") == page(find(system))
    assert [path.name for path in tmp_path.glob("*")] == [f"{system}.html"], "nothing else is left behind"


def test_the_page_can_be_printed_to_the_screen_in_plain_letters(affray, tmp_path):
    ran = affray("print", "deckahedron", "--to", "-")
    assert ran.code == 0
    assert ran.out.isascii()
    assert "&#10004;&#10004;" in ran.out  # two checks
    assert ran.out.startswith("<!doctype html>")
    assert not list(tmp_path.iterdir())


def test_sheets_are_named_as_everywhere(affray):
    Path("mine.toml").write_text('[rat]\nbase = "goblin"\nname = "Scritch"\nsd = 4\n', encoding="utf-8")
    ran = affray("print", "grapple", "ahalish", "goblin:name=Grik:ad=1", "mine.toml#rat", "--to", "team.html")
    assert ran.unfolded.startswith(
        "Written to team.html: the rules of Grapple, and the sheets of Ahalish, Grik, Scritch."
    )
    text = Path("team.html").read_text(encoding="utf-8")
    places = [text.index(f"<h2>{name}</h2>") for name in ("Ahalish", "Grik", "Scritch")]
    assert places == sorted(places)
    assert "character sheet</h2>" not in text


def test_options_are_printed(affray):
    assert "1 to 3 AD" in affray("print", "grapple", "--to", "-").out
    assert "1 to 4 AD" in affray("print", "grapple", "--option", "profile=grounds", "--to", "-").out
    assert "1 to 7 AD" in affray("print", "grapple", "--option", "maneuver_max=7", "--to", "-").out


def test_a_page_made_before_is_written_over_and_nothing_else_is(affray):
    affray("print", "bgo")
    assert affray("print", "bgo", "knight").code == 0
    assert "<h2>Knight</h2>" in Path("bgo.html").read_text(encoding="utf-8")
    Path("bgo.html").write_text("<p>My own notes</p>", encoding="utf-8")
    ran = affray("print", "bgo")
    assert ran.code == 2
    assert ran.err == (
        "affray: bgo.html exists and was not written by affray print; choose another file, or add --force\n"
    )
    assert Path("bgo.html").read_text(encoding="utf-8") == "<p>My own notes</p>"
    assert affray("print", "bgo", "--force").code == 0
    assert MARK in Path("bgo.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("chess",), "there is no combat system 'chess'; there are: bgo"),
        (("grappel",), "there is no combat system 'grappel'; did you mean grapple?"),
        ((), "say which combat system: bgo"),
        (("bgo", "knigth"), "there is no creature or player 'knigth'; did you mean knight"),
        (("grapple", "goblin:ad=9"), "ad must be 0 to 6, the AP size, not 9"),
        (("grapple", "none.toml#rat"), "none.toml cannot be read: No such file or directory"),
        (("bgo", "--option", "armor=3"), "there is no option 'armor'; did you mean armor_base"),
        (("bgo", "--to", "no/such/place.html"), "no/such/place.html cannot be written: No such file or directory"),
        (("bgo", "--to", "."), ". cannot be written: "),
        (("bgo", "--to", "a\0b"), r"'a\x00b' cannot be written: "),
    ],
)
def test_what_cannot_be_printed_is_refused_with_a_sentence(words, sentence, affray, tmp_path):
    ran = affray("print", *words)
    assert ran.code == 2
    assert ran.out == ""
    assert sentence in ran.err
    assert ran.err.count("\n") == 1
    assert not list(tmp_path.iterdir())


def test_a_system_of_another_package_prints_too(affray, toy, monkeypatch):
    monkeypatch.setitem(registry._registered, "toy", toy.system)
    ran = affray("print", "toy", "bob")
    assert (
        ran.unfolded == "Written to toy.html: the rules of Toy, and the sheet of Bob. Open it in a browser to print it."
    )
    assert "<h2>Bob</h2>" in Path("toy.html").read_text(encoding="utf-8")


def test_the_command_explains_itself_and_leaves_the_function_of_its_name_alone(affray):
    ran = affray("print", "--help")
    assert ran.code == 0
    assert "SYSTEM SHEET" in ran.unfolded
    assert "--force" in ran.out
    assert "print " in affray().out, "the list of commands has it, and is still printed"
