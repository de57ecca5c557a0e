"""Runs the `affray` command inside the test, with what is typed into it."""

import io
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import NamedTuple

import pytest

from affray.terminal import main


class Ran(NamedTuple):
    """What a command left behind."""

    code: int
    out: str
    err: str

    @property
    def unfolded(self) -> str:
        """The output as if the screen had no edge."""
        return " ".join(self.out.split())


Affray = Callable[..., Ran]
FOR_EVER = 3600.0  # seconds


@pytest.fixture(autouse=True)
def plain_screen(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """80 columns, no colour, and a folder of its own to save into."""
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def affray(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Affray:
    """`affray("play", "bgo", typed="attack\\n")`."""

    def run(*argv: str, typed: str = "") -> Ran:
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        capsys.readouterr()
        code = main(argv)
        return Ran(code, *capsys.readouterr())

    return run


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small fights are counted to the end, however slow the machine is."""
    from affray.lab import forecast, odds

    for place, name in ((odds, "LIVE_SECONDS"), (odds, "PATIENT_SECONDS"), (forecast, "COUNTING_SECONDS")):
        monkeypatch.setattr(place, name, FOR_EVER)
    for place in ("fight_session", "commands"):
        monkeypatch.setattr(f"affray.terminal.playing.{place}.STUDY", FOR_EVER)


@pytest.fixture
def interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is compiled, so that no test waits for a compiler."""
    from affray.lab import luck, odds, simulate

    of_moves = odds.odds_of_moves
    monkeypatch.setattr(odds, "odds_of_moves", lambda *args, **how: of_moves(*args, **how | {"compiled": False}))
    monkeypatch.setattr(luck, "solve_fight", partial(odds.solve_fight, compiled=False))
    monkeypatch.setattr(odds, "odds", partial(odds.odds, compiled=False))
    monkeypatch.setattr(simulate, "simulate", partial(simulate.simulate, compiled=False))
