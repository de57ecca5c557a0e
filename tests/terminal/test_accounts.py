"""`affray accounts`: making, listing, changing and removing accounts, and passwords that are not shown."""

from __future__ import annotations

import asyncio
import json
import os
import pty
import signal
import sys
import time
from pathlib import Path

import pytest

pytest.importorskip("argon2", reason="the server extra is not installed")

import argon2

from affray.world.people import passwords
from affray.world.store import DEFAULT, Store, statements
from affray.world.store.tables import Account

PASSWORD = "open sesame"


@pytest.fixture(autouse=True)
def quick_hashes(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same hashes with next to no work."""
    quick = argon2.PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
    monkeypatch.setattr(passwords, "hasher", lambda: quick)


def stored(name: str, url: str = DEFAULT) -> Account:
    async def read() -> Account | None:
        async with await Store.open(url) as store:
            return await store.account(name)

    account = asyncio.run(read())
    assert account is not None
    return account


def fits(password: str, name: str) -> bool:
    return asyncio.run(passwords.fits(password, stored(name).password))


def test_an_account_is_made(affray):
    ran = affray("accounts", "add", "Ahalish", "--role", "wizard", "--password-file", "-", typed=PASSWORD + "\n")
    assert (ran.code, ran.out) == (0, "Ahalish can now log in as a wizard.\n")
    assert stored("ahalish").role == "wizard"
    assert fits(PASSWORD, "ahalish")


def test_an_account_is_a_player_unless_told_otherwise(affray, tmp_path: Path):
    (tmp_path / "password").write_text("two  words \r\nand another line\n")
    assert affray("accounts", "add", "Ahalish", "--password-file", "password").code == 0
    assert stored("ahalish").role == "player"
    assert fits("two  words ", "ahalish")


def test_a_name_that_is_taken_is_refused_and_keeps_its_password(affray):
    affray("accounts", "add", "Ahalish", "--password-file", "-", typed=PASSWORD)
    ran = affray("accounts", "add", "AHALISH", "--password-file", "-", typed="another one")
    assert ran.code == 2
    assert "there is already an account Ahalish" in ran.err
    assert fits(PASSWORD, "ahalish")


@pytest.mark.parametrize(
    ("words", "typed", "sentence"),
    [
        (["add", "me"], "", "cannot be the name of an account"),
        (["add", "two words"], "", "'two words' cannot be the name of an account; it must be a letter, then"),
        (["add", "Ahalish"], "", "use --password-file FILE"),
        (["add", "Ahalish", "--password-file", "-"], "short\n", "a password must be 8 to 128 characters, not 5"),
        (["add", "Ahalish", "--password-file", "-"], "", "a password must be 8 to 128 characters, not 0"),
        (["add", "Ahalish", "--password-file", "nowhere"], "", "nowhere cannot be read: No such file"),
        (["add", "Ahalish", "--role", "king"], "", "invalid choice: 'king'"),
        (["add", "Ahalish", "--store", "nowhere/world.db"], "", "there is no folder nowhere"),
        (["list"], "", "there is no world affray.db"),
        (["role", "Ahalish", "wizard"], "", "there is no world affray.db"),
        (["password", "Ahalish"], "", "there is no world affray.db"),
        (["remove", "Ahalish"], "", "there is no world affray.db"),
        ([], "", "required: ACTION"),
    ],
)
def test_what_cannot_be_done_gets_a_sentence(affray, words: list[str], typed: str, sentence: str):
    ran = affray("accounts", *words, typed=typed)
    assert ran.code == 2
    assert sentence in ran.err
    assert len(ran.err.splitlines()) == 1


def test_accounts_are_listed(affray):
    for name, role in (("Ahalish", "wizard"), ("Bo", "player")):
        affray("accounts", "add", name, "--role", role, "--password-file", "-", typed=PASSWORD)
    assert affray("accounts", "list").out.splitlines() == ["Ahalish  wizard  never seen", "Bo       player  never seen"]
    table = json.loads(affray("accounts", "list", "--json").out)
    assert table[0] == {"name": "Ahalish", "role": "wizard", "place": None, "seen": None}
    assert "argon2" not in affray("accounts", "list", "--json").out


def test_a_role_and_a_password_change(affray):
    affray("accounts", "add", "Ahalish", "--password-file", "-", typed=PASSWORD)
    assert affray("accounts", "role", "ahalish", "wizard").out == "Ahalish is now a wizard.\n"
    assert stored("ahalish").role == "wizard"
    assert affray("accounts", "password", "ahalish", "--password-file", "-", typed="another one").code == 0
    assert fits("another one", "ahalish")
    assert not fits(PASSWORD, "ahalish")
    assert "did you mean Ahalish?" in affray("accounts", "role", "ahalis", "player").err


def test_an_account_is_removed_without_a_question_where_that_is_asked_for(affray):
    for name in ("Ahalish", "Bo"):
        affray("accounts", "add", name, "--password-file", "-", typed=PASSWORD)
    ran = affray("accounts", "remove", "ahalish")
    assert (ran.code, ran.err.count("\n")) == (2, 1)
    assert "--yes removes the account without asking" in ran.err
    assert stored("ahalish").name == "Ahalish"
    ran = affray("accounts", "remove", "ahalish", "--yes")
    assert (ran.code, ran.out) == (0, "Ahalish has been removed.\n")
    assert affray("accounts", "list").out == "Bo  player  never seen\n"
    ran = affray("accounts", "remove", "Boo", "--yes")
    assert (ran.code, ran.err) == (2, "affray: there is no account 'Boo'; there are: Bo\n")


def test_a_removal_says_what_becomes_of_combats(affray):
    url = "world.db"
    for name in ("Ahalish", "Bo"):
        affray("accounts", "add", name, "--store", url, "--password-file", "-", typed=PASSWORD)

    async def add_combats() -> None:
        async with await Store.open(url) as store:
            places = [statements.add_place(name) for name in ("Barn", "Pit", "Yard")]
            await store.commit(*places)
            for number, (place, owner, player) in enumerate(
                [("barn", "ahalish", "bo"), ("pit", "ahalish", "ahalish"), ("yard", "bo", "ahalish")], 1
            ):
                roster = {"heroes": [{"name": "Hero", "sheet": {}, "player": player, "tactic": None}]}
                await store.commit(
                    statements.add_combat(number, place, place=place, system="bgo", owner=owner, roster=roster)
                )

    asyncio.run(add_combats())
    ran = affray("accounts", "remove", "Ahalish", "--store", url, "--yes")
    assert ran.out.splitlines() == [
        "barn (combat 1) goes on without Ahalish; its owner is now Bo.",
        "pit (combat 2) has ended: it has no other player.",
        "yard (combat 3) goes on without Ahalish.",
        "Ahalish has been removed.",
    ]


@pytest.mark.parametrize(
    ("answer", "code", "left"), [("yes", 0, 0), ("Y", 0, 0), ("no", 2, 1), ("", 2, 1), ("\x04", 2, 1)]
)
def test_a_person_at_a_terminal_is_asked_before_an_account_is_removed(
    affray, tmp_path: Path, answer: str, code: int, left: int
):
    affray("accounts", "add", "Ahalish", "--password-file", "-", typed=PASSWORD)
    ended, shown = at_a_terminal(tmp_path, answer, action="remove")
    assert "Remove Ahalish for good? (yes or no)" in shown
    assert ended == code, shown
    assert ("Ahalish has not been removed" in shown) == bool(left)
    assert len(json.loads(affray("accounts", "list", "--json").out)) == left


def test_accounts_can_be_made_while_a_server_has_the_world(affray, tmp_path: Path):
    url = f"sqlite:///{tmp_path / 'world.db'}"

    async def served() -> Account | None:
        async with await Store.open(url) as store:
            words = ("accounts", "add", "Ahalish", "--store", url, "--password-file", "-")
            ran = await asyncio.to_thread(affray, *words, typed=PASSWORD)
            assert ran.code == 0, ran.err
            return await store.account("ahalish")

    assert asyncio.run(served()) is not None


CTRL_C = "\x03"  # ends the command by itself; a line behind it might be read first


def at_a_terminal(folder: Path, *typed: str, action: str = "add") -> tuple[int, str]:
    """Run an action for an account at a terminal, answering each question; the exit code and what was shown."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(folder)
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # tests that run in the background of a shell ignore it
        os.execv(sys.executable, [sys.executable, "-m", "affray", "accounts", action, "Ahalish"])
    shown = ""
    answers = list(typed)
    try:
        while piece := os.read(terminal, 1000).decode():
            shown += piece
            if piece.endswith((": ", ") ")) and answers:
                answer = answers.pop(0)
                await_reading(pid)
                os.write(terminal, answer.encode() if answer == CTRL_C else f"{answer}\n".encode())
    except OSError:  # how Linux says that the other end is closed
        pass
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), shown


def await_reading(pid: int) -> None:
    """Wait until a process waits for keys: a Ctrl-C right before would be noticed only after the next key."""
    known = Path(f"/proc/{pid}/stat")  # on Linux
    while known.exists() and known.read_text().rpartition(")")[2].split()[0] == "R":
        time.sleep(0.001)


def test_a_password_is_asked_for_twice_and_not_shown(tmp_path: Path):
    code, shown = at_a_terminal(tmp_path, PASSWORD, PASSWORD)
    assert code == 0, shown
    assert "Ahalish can now log in as a player." in shown
    assert PASSWORD not in shown
    assert fits(PASSWORD, "ahalish")


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ([PASSWORD, PASSWORD + "!"], "the two passwords differ"),
        ([PASSWORD, "no"], "the two passwords differ"),
        (["short"], "8 to 128 characters, not 5"),
        (["\x04"], "no password was given"),
        ([CTRL_C], ""),
    ],
)
def test_a_password_that_is_not_given_makes_no_account(tmp_path: Path, typed: list[str], sentence: str):
    code, shown = at_a_terminal(tmp_path, *typed)
    assert code == (130 if typed == [CTRL_C] else 2), shown
    assert sentence in shown
    assert PASSWORD not in shown
