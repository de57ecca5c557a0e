"""The systems of `examples/` at the keyboard."""

import os
import re
import subprocess
import sys

import pytest

pytestmark = pytest.mark.long


@pytest.mark.parametrize(
    ("system", "teams", "move", "told"),
    [
        ("coins", ("left=anna", "right=bert"), "jab", "Anna tries a jab: "),
        ("d20", ("heroes=goblin", "monsters=skeleton"), "attack", "The goblin attacks the skeleton"),
    ],
)
def test_a_whole_fight_is_played_with_odds(affray, examples, system, teams, move, told):
    ran = affray("play", system, *teams, "--seed", "3", "--no-odds", typed="odds\n" + f"{move}\n" * 60)
    assert ran.code == 0, ran.err
    assert told in ran.unfolded
    assert "Odds: " in ran.out
    assert re.search(r"(left|right|heroes|monsters) wins?, in round", ran.unfolded)


def test_the_command_knows_a_system_that_the_environment_names(examples_environment, tmp_path):
    command = [sys.executable, "-m", "affray", "odds", "coins", "left=anna", "right=bert"]
    ran = subprocess.run(
        command, cwd=tmp_path, env={**os.environ, **examples_environment}, capture_output=True, text=True
    )
    assert ran.returncode == 0, ran.stderr
    assert "3321524/9765625" in ran.stdout


def test_a_system_that_cannot_be_imported_is_said_to_be_so(affray, examples, monkeypatch):
    from affray import plugins

    monkeypatch.setenv("AFFRAY_SYSTEMS", "whist=nowhere:system")
    plugins.systems.cache_clear()
    ran = affray("play", "whist", "a=b", "c=d")
    assert ran.code != 0
    assert "the system 'whist' cannot be loaded from 'nowhere:system': No module named 'nowhere'" in ran.err
