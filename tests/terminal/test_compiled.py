"""The commands about compiled rules: which way they run, how fast, and whether modules are fresh."""

from __future__ import annotations

import json
import sys

import pytest

from affray.lab import modules
from affray.terminal.commands import bench


def test_bench_measures_every_way_and_says_which_is_used(affray, monkeypatch):
    monkeypatch.setattr(bench, "SECONDS", 0.001)
    monkeypatch.setattr(bench, "BACKENDS", ("wasm", "none"))
    ran = affray("bench", "bgo", "heroes=player", "monsters=fire-slime", "--json")
    found = json.loads(ran.out)
    assert (found["system"], found["used"]) == ("bgo", "wasm")
    assert set(found["fights_a_second"]) == {"wasm", "none"}
    assert all(rate > 0 for rate in found["fights_a_second"].values())
    monkeypatch.setenv("AFFRAY_BACKEND", "none")
    shown = affray("bench", "bgo", "heroes=player", "monsters=fire-slime")
    assert "Fights of bgo a second on one core: heroes (player) against monsters (fire-slime)." in shown.unfolded
    ways = {line.split()[0]: line.endswith("used here") for line in shown.out.splitlines() if line.startswith("  ")}
    assert ways == {"WebAssembly": False, "interpreted": True}


def test_a_backend_that_is_none_is_refused(affray, monkeypatch):
    monkeypatch.setenv("AFFRAY_BACKEND", "wams")
    ran = affray("simulate", "bgo", "heroes=player", "monsters=fire-slime", "--fights", "10")
    assert (ran.code, ran.err) == (2, "affray: AFFRAY_BACKEND: there is no backend 'wams'; did you mean wasm?\n")


def test_modules_are_checked_one_by_one(affray, monkeypatch):
    assert affray("modules", "check", "bgo").out == "All 3 modules are fresh.\n"
    monkeypatch.setattr(modules, "key", lambda system: "edited")
    ran = affray("modules", "check", "bgo")
    assert ran.code == 1
    assert "bgo has no fresh module for 62 fighters; `affray modules build bgo` makes it." in ran.unfolded


def test_building_modules_without_its_tools_is_refused_in_a_sentence(affray, native, monkeypatch):
    monkeypatch.setattr(modules, "key", lambda system: "edited")
    monkeypatch.delitem(sys.modules, "affray.kernel.wasm.build", raising=False)
    monkeypatch.setitem(sys.modules, "llvmlite.binding", None)
    ran = affray("modules", "build", "bgo")
    assert ran.code == 2
    assert "building modules needs the optional part 'modules'" in ran.err


def test_modules_of_a_system_that_is_not_there_are_refused(affray):
    ran = affray("modules", "build", "chess")
    assert ran.code == 2
    assert ran.err.startswith("affray: there is no combat system 'chess'")


@pytest.mark.parametrize("words", [("modules",), ("modules", "remove")])
def test_a_command_that_does_not_say_what_to_do_is_refused(affray, words):
    ran = affray(*words)
    assert ran.code == 2
    assert "check" in ran.err or "action" in ran.err
