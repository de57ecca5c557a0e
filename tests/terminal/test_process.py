"""The command as a process of its own: what it imports, pipes that break, input that is no text."""

import os
import subprocess
import sys

import pytest

PLAY = ["play", "bgo", "heroes=player", "monsters=fire-slime", "--seed", "7"]
ENVIRONMENT = os.environ | {"NO_COLOR": "1", "COLUMNS": "80", "PYTHONUTF8": "1"}

# Small fights are counted to the end, however slow the machine is.
PATIENT = "from affray.lab import odds; odds.PATIENT_SECONDS = 3600.0"
HANGS = 600  # seconds after which a process will never end
MAIN = """
import sys
from affray.terminal import main
"""
REPORT = f"""{MAIN}
import affray.terminal.screen.keyboard as prompt

def heavy():
    return sorted({{"numba", "numpy", "matplotlib", "llvmlite"}} & set(sys.modules))
"""


def run(*argv: str, typed: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, *argv], input=typed, capture_output=True, timeout=HANGS, env=ENVIRONMENT, check=False
    )


def reported(code: str, typed: bytes = b"") -> str:
    done = run("-c", REPORT + code, typed=typed)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode().rstrip().splitlines()[-1]


@pytest.mark.parametrize("argv", [["--help"], ["play", "--help"], ["rules", "bgo"], ["sheets", "bgo"]], ids=" ".join)
def test_small_commands_import_nothing_heavy(argv):
    assert reported(f"main({argv}); print(heavy())") == "[]"


@pytest.mark.parametrize("argv", [["play", "--help"], ["rules", "bgo"], PLAY, ["--version"]], ids=" ".join)
def test_a_command_loads_only_the_systems_it_needs(argv):
    loaded = "sorted(name for name in sys.modules if name in ('affray.systems.grapple', 'affray.systems.strategic'))"
    assert reported(f"main({argv}); print({loaded})", b"attack\nattack\n") == "[]"


def test_playing_without_odds_imports_nothing_heavy():
    assert reported(f"main({[*PLAY, '--no-odds']}); print(heavy())", b"attack\nattack\n") == "[]"


@pytest.mark.parametrize("argv", [["play"], PLAY], ids=" ".join)
def test_the_first_prompt_stands_before_anything_heavy_is_imported(argv):
    """With odds and all: the first ones are interpreted."""
    code = f"""
def ask(self, *question, **how):
    print(heavy())
    sys.stdout.flush()
    import os
    os._exit(0)

prompt.Plain.ask = prompt.Console.ask = ask
main({argv})
"""
    assert reported(code, b"\n") == "[]"


def test_without_the_lab_extra_everything_still_plays():
    code = f"sys.modules['numba'] = sys.modules['numpy'] = None\n{PATIENT}\nprint('code', main({PLAY}))"
    done = run("-c", REPORT + code, typed=b"attack\nattack\n")
    out = done.stdout.decode()
    assert done.stderr == b""
    assert "Odds: exact." in out
    assert "heroes win, in round 2." in out
    assert out.endswith("code 0\n")


def test_without_compiled_rules_a_job_of_hours_is_refused_and_says_what_would_help():
    words = ["simulate", "bgo", "heroes=player", "monsters=fire-slime", "--fights", "1e9"]
    done = run("-c", f"{MAIN}import os; os.environ['AFFRAY_BACKEND'] = 'none'\nsys.exit(main({words}))")
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.startswith(b"affray: 1,000,000,000 fights would take ")
    assert b"pip install 'affray[lab]'" in done.stderr


def test_python_m_affray_is_the_command():
    done = run("-m", "affray", "--help")
    assert done.returncode == 0
    assert done.stdout.startswith(b"usage: affray")


def test_only_a_process_of_its_own_collects_garbage_less_often():
    collecting = "import gc; usual = gc.get_threshold(); {call}; print(gc.get_threshold()[0] > usual[0])"
    assert run("-c", MAIN + collecting.format(call="main()")).stdout.endswith(b"True\n")
    assert run("-c", MAIN + collecting.format(call="main([])")).stdout.endswith(b"False\n")


def test_help_lists_the_commands_of_systems_without_importing_a_system():
    large = "{'affray.system', 'affray.systems.bgo', 'importlib.metadata'}"
    code = f"main(['--help'])\nprint(sorted(set(sys.modules) & {large}))"
    done = run("-c", MAIN + code)
    assert done.stdout.endswith(b"[]\n")
    assert b" journey " in done.stdout


def test_the_help_of_a_systems_command_imports_that_system_alone():
    code = "main(['life', '--help'])\nprint(sorted(name for name in sys.modules if name.count('.') == 2))"
    done = run("-c", MAIN + code)
    assert b"'affray.systems.strategic'" in done.stdout
    assert b"'affray.systems.bgo'" not in done.stdout


def test_without_a_terminal_it_plays_a_demonstration():
    with open(os.devnull) as nothing:
        done = subprocess.run(
            [sys.executable, "-m", "affray", "play", "--no-odds"],
            stdin=nothing,
            capture_output=True,
            timeout=HANGS,
            env=ENVIRONMENT,
            check=False,
        )
    assert done.returncode == 0
    assert b"A demonstration" in done.stdout
    assert b"Victory" in done.stdout
    assert b"> " not in done.stdout


def test_closed_streams_are_no_traceback():
    done = subprocess.run(
        ["sh", "-c", f"{sys.executable} -m affray play --no-odds <&-"],
        capture_output=True,
        timeout=HANGS,
        env=ENVIRONMENT,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")


def test_bytes_that_are_no_text_get_a_sentence():
    done = run("-m", "affray", *PLAY, "--no-odds", typed=b"\xff\xfe\x00\x1b[2J\nattack\n")
    assert done.returncode == 0
    assert done.stderr == b""
    assert b"The player attacks." in done.stdout
    assert b"\x1b" not in done.stdout
    assert b"\x00" not in done.stdout


def test_a_reader_who_has_seen_enough_is_no_error():
    done = subprocess.run(
        ["bash", "-c", f"set -o pipefail; {sys.executable} -m affray rules bgo | head -n 1"],
        capture_output=True,
        timeout=HANGS,
        env=ENVIRONMENT,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout == b"bgo: Board Game Online variant\n"


def test_a_screen_that_knows_only_ascii_will_do():
    done = subprocess.run(
        [sys.executable, "-m", "affray", "rules", "bgo"],
        capture_output=True,
        timeout=HANGS,
        env=ENVIRONMENT | {"PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii"},
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
