"""Commands and logs that a system brings: listed, explained, run and read like the terminal's own."""

from __future__ import annotations

import sys
from dataclasses import replace
from importlib import import_module
from types import ModuleType

import pytest

from affray.fight import logfile
from affray.fight.logfile import Verdict
from affray.system import registry
from affray.system.abilities import Command, LogFormat, Retold
from affray.system.registry import find, names
from affray.terminal import COMMANDS


@pytest.fixture
def greeting(toy: ModuleType, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """A system that brings the command `greet` and a format of logs, both done by one module."""
    module = ModuleType("toy_greeting")
    module.add_arguments = lambda parser: parser.add_argument("whom")  # type: ignore[attr-defined]
    module.run = lambda args: print(f"Hello {args.whom}.") or 3  # type: ignore[attr-defined,func-returns-value]
    module.verify = lambda content, where: Verdict("2 greetings are polite.", False, "asleep", 2)  # type: ignore[attr-defined]
    module.retell = lambda path: Retold([(1, "Hello."), (2, "Good night.")], "It ended.", {"polite": True})  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "toy_greeting", module)
    brought = (
        Command("greet", "say hello", "toy_greeting"),
        Command("play", "is there already", "toy_greeting"),
        LogFormat("toy-greetings", "evening", "toy_greeting"),
    )
    monkeypatch.setattr(toy, "system", replace(toy.system, abilities=brought))
    monkeypatch.setitem(registry._registered, "toy", toy.system)
    return module


def test_a_command_of_a_system_is_listed_explained_and_run(affray, greeting):
    assert "greet " in affray("--help").out
    assert "whom" in affray("greet", "--help").out
    ran = affray("greet", "Ann")
    assert (ran.code, ran.out, ran.err) == (3, "Hello Ann.\n", "")
    assert affray("greet").err.startswith("affray: the following arguments are required: whom")


def test_the_terminals_own_commands_cannot_be_replaced(affray, greeting):
    assert COMMANDS["play"] in affray("--help").unfolded
    assert "is there already" not in affray("--help").unfolded


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
def test_what_a_system_brings_is_there(system):
    for command in find(system).abilities_of(Command):
        assert callable(import_module(command.module).add_arguments)
        assert callable(import_module(command.module).run)
        assert command.name not in COMMANDS
    for format in find(system).abilities_of(LogFormat):
        assert callable(import_module(format.module).verify)
        assert callable(import_module(format.module).retell)
