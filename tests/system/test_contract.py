"""Combat systems are found through entry points, the built-in ones like all others; or a program registers them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from affray import plugins
from affray.errors import Invalid
from affray.fight import Fight
from affray.kernel.records import I32, record
from affray.kernel.state import State
from affray.lab.simulate import simulate
from affray.system import registry
from affray.system.contract import System
from affray.system.registry import find, names, register


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch, toy: ModuleType) -> Any:
    """Two more packages with systems: a good one, and one that offers something else."""
    places = {**plugins.systems(), "toy": "toy:system", "broken": "toy:Sheet"}
    monkeypatch.setattr(plugins, "systems", lambda: places)
    registry._loaded.cache_clear()
    yield
    registry._loaded.cache_clear()


@pytest.fixture
def registered(toy: ModuleType) -> Any:
    """The toy, made known by a program that has not installed it."""
    yield register(toy.system)
    del registry._registered["toy"]


def test_the_built_in_system_comes_through_its_entry_point() -> None:
    assert "bgo" in names()
    assert isinstance(find("bgo"), System)
    assert find("bgo") is find("bgo")
    assert repr(find("bgo")) == "affray.get_system('bgo')"


def test_another_package_adds_a_system_without_any_change_here(installed: None, toy: ModuleType) -> None:
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


def test_a_registered_system_works_like_an_installed_one_save_files_included(
    registered: System[Any, Any], toy: ModuleType, tmp_path: Path
) -> None:
    assert "toy" in names()
    fight = Fight("toy", {"one": ["ann"], "two": ["bob"]}, seed=1)
    assert fight.system is toy.system
    fight.play("ann", fight.legal("ann")[0])
    fight.save(tmp_path / "toy.json")
    assert Fight.load(tmp_path / "toy.json").state == fight.state
    assert simulate("toy", {"one": ["ann"], "two": ["bob"]}, fights=20, compiled=False).fights == 20


def test_no_system_takes_the_name_of_an_installed_one(toy: ModuleType) -> None:
    with pytest.raises(Invalid, match="there is already an installed system 'bgo'"):
        register(replace(toy.system, id="bgo"))


def test_a_record_without_fighters_is_refused_with_the_field_it_lacks(toy: ModuleType) -> None:
    @record
    class Lonely(State):
        strength: I32

    with pytest.raises(Invalid, match=r"the state of 'toy', Lonely, has no list `fighters`"):
        replace(toy.system, state=Lonely)
