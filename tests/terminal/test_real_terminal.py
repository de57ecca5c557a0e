"""Plays in a real terminal of 80 by 24, as a person would: by looking at the screen and pressing keys."""

import os
import shutil
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Iterator

import pytest

SECONDS = 600  # after which what is waited for will never come
COMMAND = f"{sys.executable} -m affray play bgo heroes=player monsters=fire-slime --seed 7"

pytestmark = pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed, and a terminal is needed")


class Screen:
    """A terminal with the command running in it."""

    def __init__(self, command: str, folder: str) -> None:
        self.socket = f"affray-test-{uuid.uuid4().hex}"
        kept = {"XDG_STATE_HOME": folder, "NO_COLOR": "1", "PATH": os.environ.get("PATH", os.defpath)}
        env = [word for name, value in kept.items() for word in ("-e", f"{name}={value}")]
        script = f"cd {folder}; {command}; echo exit code $?; sleep {SECONDS}"
        self.tmux("-f", os.devnull, "new-session", "-d", "-x", "80", "-y", "24", *env, script)

    def tmux(self, *words: str) -> str:
        done = subprocess.run(
            ["tmux", "-L", self.socket, *words], capture_output=True, text=True, timeout=SECONDS, check=True
        )
        return done.stdout

    def shown(self, scrollback: bool = False) -> str:
        return self.tmux("capture-pane", "-p", *(("-S", "-") if scrollback else ()))

    def press(self, *keys: str) -> None:
        self.tmux("send-keys", *keys)

    def until(self, text: str, last: bool = False) -> str:
        """What the screen shows once it shows the text, or ends with it."""
        deadline = time.monotonic() + SECONDS
        while time.monotonic() < deadline:
            shown = self.shown()
            if shown.rstrip().endswith(text) if last else text in shown:
                return shown
            time.sleep(0.05)
        raise AssertionError(f"{text!r} never came; the screen shows:\n{self.shown()}")

    def asks(self, question: str) -> str:
        """What the screen shows once the question stands below everything else; keys before that are dropped."""
        return self.until(f"{question}>", last=True)

    def close(self) -> None:
        subprocess.run(["tmux", "-L", self.socket, "kill-server"], capture_output=True, timeout=SECONDS, check=False)


@pytest.fixture
def screen(tmp_path) -> Iterator[Callable[[str], Screen]]:
    opened = []

    def start(command: str) -> Screen:
        opened.append(Screen(command, str(tmp_path)))
        return opened[-1]

    yield start
    for terminal in opened:
        terminal.close()


def test_a_fight_in_a_real_terminal(screen, tmp_path):
    terminal = screen(f"{COMMAND} --no-odds")
    terminal.asks("player")
    terminal.press("att", "Tab", "Enter")
    terminal.until("Battle round 2.")
    terminal.asks("player")
    terminal.press("Up", "Enter")  # the same again, out of the history
    shown = terminal.asks("over")
    assert "Victory for the player!" in shown
    assert "heroes win, in round 2." in shown
    terminal.press("save kept.json", "Enter")
    terminal.until("Saved as kept.json.")
    terminal.asks("over")
    terminal.press("Enter")
    terminal.until("exit code 0")
    assert (tmp_path / "kept.json").exists()
    assert "+attack" in (tmp_path / "affray" / "history").read_text()


SLOW_END = """
import sys, time
from pathlib import Path
from affray.terminal import main
from affray.terminal.commands import play

def show_figures(fight):
    print("working", flush=True)
    while not Path("go").exists():
        time.sleep(0.05)

play.show_figures = show_figures
sys.exit(main())
"""


@pytest.mark.parametrize("elsewhere", ["", " | cat"], ids=["on the screen", "with its output elsewhere"])
def test_keys_pressed_before_a_question_stands_do_not_answer_it(screen, tmp_path, elsewhere):
    (tmp_path / "slow.py").write_text(SLOW_END)
    terminal = screen(f"{COMMAND.replace('-m affray', 'slow.py')} --no-odds{elsewhere}")
    terminal.asks("player")
    terminal.press("flee", "Enter")
    terminal.until("working")
    terminal.press("Enter", "y", "Enter", "typed ahead")
    terminal.until("typed ahead")
    (tmp_path / "go").touch()
    terminal.asks("over")
    terminal.press("save kept.json", "Enter")  # the fight is still there
    terminal.until("Saved as kept.json.")
    terminal.asks("over")
    terminal.press("Enter")
    terminal.until("exit code 0")


SLOW_ODDS = """
import sys, time
from affray.lab import odds
from affray.terminal import main

def of_moves(*fight, **how):
    print("weighing", flush=True)
    time.sleep(600)

odds.odds_of_moves = of_moves
sys.exit(main())
"""


def test_ctrl_c_before_a_decision_shows_it_without_odds(screen, tmp_path):
    (tmp_path / "slow.py").write_text(SLOW_ODDS)
    terminal = screen(COMMAND.replace("-m affray", "slow.py"))
    terminal.until("weighing")
    terminal.press("C-c")
    assert "1 attack   2 defend   3 flee" in terminal.asks("player")
    terminal.press("flee", "Enter")
    terminal.asks("over")


def test_leaving_while_the_compiler_is_at_work(screen, tmp_path):
    patient = "import sys; from affray.lab import odds; from affray.terminal import main; odds.PATIENT_SECONDS = 3600.0"
    (tmp_path / "patient.py").write_text(f"{patient}; sys.exit(main())\n")
    terminal = screen(COMMAND.replace("-m affray", "patient.py"))
    shown = terminal.asks("player")
    assert "Odds: exact." in shown
    terminal.press("C-d")
    terminal.until("The fight is left unfinished.")
    shown = terminal.until("exit code 0")
    assert "Traceback" not in shown


def test_an_interrupted_fight_can_still_be_saved(screen, tmp_path):
    terminal = screen(f"{COMMAND} --no-odds")
    terminal.asks("player")
    terminal.press("attack", "Enter")
    terminal.until("Battle round 2.")
    terminal.asks("player")
    terminal.press("C-c")
    terminal.asks("Save the fight first? [y/N]")
    terminal.press("y", "Enter")
    terminal.until("exit code 0")
    assert (tmp_path / "bgo-1.json").exists()


def test_the_second_person_cannot_scroll_back_to_the_first_ones_choice(screen):
    terminal = screen(f"{COMMAND} --no-odds --person monsters")
    terminal.asks("player")
    terminal.press("defend", "Enter")
    terminal.asks("Press Enter when you are there")
    assert "Hand the keyboard to fire-slime." in terminal.shown()
    assert "player> defend" not in terminal.shown(scrollback=True)
    terminal.press("Enter")
    terminal.asks("fire-slime")
    terminal.press("Up", "Enter")  # no history either
    terminal.until("Type a move or its number")
    terminal.asks("fire-slime")
    assert "defends" not in terminal.shown(scrollback=True)
    terminal.press("attack", "Enter")
    terminal.until("The player defends.")


def test_a_state_folder_that_cannot_be_written_is_no_trouble(screen, tmp_path):
    (tmp_path / "affray").write_text("a file where the folder should be")
    terminal = screen(f"{COMMAND} --no-odds")
    terminal.asks("player")
    terminal.press("flee", "Enter")
    terminal.asks("over")
    terminal.press("Enter")
    terminal.until("exit code 0")
