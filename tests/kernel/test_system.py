"""Combat systems are found through entry points, the built-in ones by the same door as anybody else's."""

from __future__ import annotations

from importlib.metadata import EntryPoint
from types import ModuleType
from typing import Any

import pytest

from affray.errors import Invalid
from affray.kernel import system as kernel_system
from affray.kernel.system import System, find, names


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch, toy: ModuleType) -> Any:
    """Two more packages with systems: a good one, and one that offers something else."""
    points = {
        **kernel_system._entry_points(),
        "toy": EntryPoint("toy", "toy:system", kernel_system.GROUP),
        "broken": EntryPoint("broken", "toy:Sheet", kernel_system.GROUP),
    }
    monkeypatch.setattr(kernel_system, "_entry_points", lambda: points)
    find.cache_clear()
    yield
    find.cache_clear()


def test_the_built_in_system_comes_through_its_entry_point() -> None:
    assert "bgo" in names()
    assert isinstance(find("bgo"), System)
    assert find("bgo") is find("bgo")
    assert repr(find("bgo")) == "affray.system('bgo')"


def test_another_package_adds_a_system_without_any_change_here(installed: None, toy: ModuleType) -> None:
    from affray.fight import Fight

    assert {"bgo", "toy"} <= set(names())
    assert Fight("toy", {"one": ["ann"], "two": ["bob"]}, seed=1).system is toy.system


def test_an_installed_toy_keeps_its_promises_with_save_files(installed: None, monkeypatch: pytest.MonkeyPatch) -> None:
    from affray import testing

    monkeypatch.setattr(testing, "_compare_compiled", lambda examined: None)
    report = testing.check_system("toy", fights=4, rosters=[{"one": ["ann"], "two": ["bob"]}])
    assert not any("not installed" in note for note in report.not_tried)


def test_a_system_nobody_knows_is_refused_with_what_there_is() -> None:
    with pytest.raises(Invalid, match=r"there is no combat system 'chess'; there are: .*bgo") as caught:
        find("chess")
    assert "bgo" in caught.value.allowed


def test_an_entry_point_that_is_no_system_is_refused(installed: None) -> None:
    with pytest.raises(Invalid, match=r"the entry point 'broken' of affray\.systems is a type, not an affray System"):
        find("broken")
