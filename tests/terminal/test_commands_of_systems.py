"""Commands and logs that a system brings: listed, explained, run and read like the terminal's own."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Iterator
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

from affray import plugins
from affray.fight import logfile
from affray.fight.logfile import Verdict
from affray.system import registry
from affray.system.abilities import LogFormat, Retold
from affray.system.registry import find, names
from affray.terminal import COMMANDS

GREETING = """
def add_arguments(parser):
    parser.add_argument("whom")

def run(args):
    print(f"Hello {args.whom}.")
    return 3
"""
COMMANDS_OF_EVENING = {
    "greet": {"help": "say hello", "module": "greeting"},
    "play": {"help": "is there already", "module": "greeting"},
}


@pytest.fixture
def evening(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder of a package whose system brings the command `greet`, and is not to be imported for that."""
    folder = tmp_path / "package"
    (folder / "data").mkdir(parents=True)
    (folder / "evening.py").write_text("raise AssertionError('the system is imported')")
    (folder / "greeting.py").write_text(GREETING)
    (folder / "data" / "commands.json").write_text(json.dumps(COMMANDS_OF_EVENING))
    yield folder
    plugins.systems.cache_clear()
    sys.modules.pop("greeting", None)


def in_the_environment(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(folder)
    monkeypatch.setenv("AFFRAY_SYSTEMS", "evening=evening:system whist=nowhere.at_all:system")


def as_a_package(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "evening-1.0.dist-info").mkdir()
    (folder / "evening-1.0.dist-info" / "METADATA").write_text("Metadata-Version: 2.1\nName: evening\nVersion: 1.0\n")
    points = "[console_scripts]\nevening = evening:main\n\n[affray.systems]\nevening = evening:system\n"
    (folder / "evening-1.0.dist-info" / "entry_points.txt").write_text(points)
    monkeypatch.syspath_prepend(folder)


def in_an_archive(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    as_a_package(folder, monkeypatch)
    monkeypatch.setattr(sys, "path", [path for path in sys.path if path != str(folder)])
    monkeypatch.syspath_prepend(shutil.make_archive(str(folder), "zip", folder))


@pytest.mark.parametrize("installed", [in_the_environment, as_a_package, in_an_archive])
def test_a_command_of_a_system_is_listed_explained_and_run(affray, evening, installed, monkeypatch):
    installed(evening, monkeypatch)
    plugins.systems.cache_clear()
    assert {"bgo", "evening"} <= set(names())
    shown = affray("--help").unfolded
    assert "greet say hello" in shown
    assert COMMANDS["play"] in shown
    assert "is there already" not in shown, "the terminal's own commands cannot be replaced"
    assert "whom" in affray("greet", "--help").out
    ran = affray("greet", "Ann")
    assert (ran.code, ran.out, ran.err) == (3, "Hello Ann.\n", "")
    assert affray("greet").err.startswith("affray: the following arguments are required: whom")


@pytest.mark.parametrize("content", ["[]", '{"greet": {"help": "say hello"}}', '{"greet": "say hello"}', "{"])
def test_commands_that_cannot_be_read_are_said_to_be_so(affray, evening, content, monkeypatch):
    (evening / "data" / "commands.json").write_text(content)
    in_the_environment(evening, monkeypatch)
    plugins.systems.cache_clear()
    ran = affray("--help")
    assert ran.code == 2
    assert "commands.json does not give a help and a module for every command" in ran.err


@pytest.mark.parametrize("name", sorted(plugins.commands()))
def test_the_module_of_a_command_is_there(name):
    _, module = plugins.commands()[name]
    assert callable(import_module(module).add_arguments)
    assert callable(import_module(module).run)
    assert name not in COMMANDS


@pytest.fixture
def greeting(toy: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    """A system that brings a format of logs."""
    module = ModuleType("toy_greeting")
    module.verify = lambda content, where: Verdict("2 greetings are polite.", False, "asleep", 2)  # type: ignore[attr-defined]
    module.retell = lambda path: Retold([(1, "Hello."), (2, "Good night.")], "It ended.", {"polite": True})  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "toy_greeting", module)
    brought = (LogFormat("toy-greetings", "evening", "toy_greeting"),)
    monkeypatch.setattr(toy, "system", replace(toy.system, abilities=brought))
    monkeypatch.setitem(registry._registered, "toy", toy.system)


def test_a_log_of_a_system_is_verified_and_told_again(affray, greeting):
    logfile.write({"format": "toy-greetings", "version": 1, "system": "toy"}, "evening.json")
    assert affray("verify", "evening.json").out == (
        "evening.json: 2 greetings are polite.\nThe evening ended: asleep.\n"
    )
    assert affray("replay", "evening.json").out == "Hello.\nGood night.\n\nIt ended.\n"
    assert affray("replay", "evening.json", "--at", "2").out == "Good night.\n\nIt ended.\n"
    assert '"polite": true' in affray("replay", "evening.json", "--json").out


@pytest.mark.parametrize("system", ["grapple", "no-such-system"])
def test_a_log_whose_system_does_not_know_its_format_is_refused(affray, greeting, system):
    logfile.write({"format": "toy-greetings", "version": 1, "system": system}, "evening.json")
    assert affray("verify", "evening.json").err == "affray: evening.json is not an affray-fight file\n"


@pytest.mark.parametrize("system", names())
def test_the_module_of_a_format_of_logs_is_there(system):
    for format in find(system).abilities_of(LogFormat):
        assert callable(import_module(format.module).verify)
        assert callable(import_module(format.module).retell)
