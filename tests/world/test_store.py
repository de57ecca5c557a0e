"""The store on both databases: what goes in comes out, all or none of it, and it survives being killed."""

from __future__ import annotations

import asyncio
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

import affray
from affray.errors import Invalid, Refused
from affray.fight import saving
from affray.world.store import Busy, Clash, Lost, Store, statements
from affray.world.store.attributes import Attribute, parse
from affray.world.store.database import Address, Statement, address
from affray.world.store.statements import add_account, add_answer, add_combat, add_exit, add_place, set_attribute
from affray.world.store.tables import Account, CombatRow, Place


@asynccontextmanager
async def reopened(url: str, *statements: statements.Change) -> AsyncIterator[Store]:
    """The store after the statements were committed and it was closed, so that nothing but the database is left."""
    async with await Store.open(url) as store:
        await store.commit(*statements)
    async with await Store.open(url) as store:
        yield store


def fight_at(number: int) -> statements.Change:
    return add_combat(number, f"fight{number}", place=f"place{number}", system="grapple", owner="ahalish")


# --- each table ---------------------------------------------------------------------------------------------------


async def test_an_empty_world(store_url: str) -> None:
    async with await Store.open(store_url) as store:
        assert await store.accounts() == []
        assert await store.account("nobody") is None
        assert await store.places() == {}
        assert await store.attributes("nobody") == {}
        assert await store.open_combats() == []
        assert await store.combat(1) is None
        assert await store.answers(1) == []
        assert await store.last_combat() == 0
        assert await store.setting("motto") is None


async def unaged(store: Store, name: str) -> Account:
    """An account without the moment at which it was made, which is now."""
    account = await store.account(name)
    assert account is not None
    assert account.created is not None
    assert abs(account.created.timestamp() - time.time()) < 3600
    return replace(account, created=None)


async def test_accounts_are_kept_and_found_in_any_case(store_url: str) -> None:
    made = [
        add_account("Ahalish", "wizard", "hash"),
        add_account("Straße"),
        add_account("guest-1", "guest", None, "inn"),
    ]
    async with reopened(store_url, *made) as store:
        ahalish = Account("ahalish", "Ahalish", "wizard", "hash", None, None)
        assert await unaged(store, "AHALISH") == ahalish
        assert await unaged(store, "STRASSE") == Account("strasse", "Straße", "player", None, None, None)
        assert [a.name for a in await store.accounts()] == ["Ahalish", "guest-1", "Straße"]


async def test_accounts_change(store_url: str) -> None:
    seen = datetime(2026, 2, 28, 23, 59, 59, tzinfo=UTC)
    change = statements.change_account("ahalish", role="wizard", password="new", place="tavern", seen=seen)
    async with reopened(store_url, add_account("Ahalish"), add_account("Other"), change) as store:
        assert await unaged(store, "ahalish") == Account("ahalish", "Ahalish", "wizard", "new", "tavern", seen)
        assert await unaged(store, "other") == Account("other", "Other", "player", None, None, None)
        await store.commit(statements.change_account("ahalish", seen=None))
        changed = await store.account("ahalish")
        assert changed is not None
        assert (changed.seen, changed.role) == (None, "wizard")


async def test_a_name_is_given_once(store_url: str) -> None:
    async with await Store.open(store_url) as store:
        await store.commit(add_account("Ahalish"))
        with pytest.raises(Clash, match="does not fit what the world has stored"):
            await store.commit(add_account("AHALISH"))


@pytest.mark.parametrize("name", ["", "me", "ME", "two words", "a=b", "a,b", "7th", "_x", "x" * 41, "a\x1bb", "é\n"])
def test_a_name_that_cannot_be_is_refused(name: str) -> None:
    with pytest.raises(Invalid, match="cannot be the name of an account"):
        add_account(name)


def test_a_role_that_is_none_is_refused() -> None:
    with pytest.raises(Invalid, match="there is no role 'king'; there are: guest, player, wizard"):
        statements.check_role("king")


async def test_a_removed_account_takes_its_attributes_along(store_url: str) -> None:
    made = [
        add_account("Ahalish"),
        set_attribute("ahalish", parse("luck[INTEGER]=1")),
        statements.remove_account("ahalish"),
    ]
    async with reopened(store_url, *made) as store:
        assert await store.account("ahalish") is None
        assert await store.attributes("ahalish") == {}


async def test_places_and_their_exits(store_url: str) -> None:
    made = [
        add_place("The Tavern", "Smoke and noise."),
        add_place("Yard"),
        add_exit("the tavern", "North", "yard"),
        add_exit("yard", "south", "the tavern"),
        statements.describe_place("yard", "Mud."),
    ]
    async with reopened(store_url, *made) as store:
        assert await store.places() == {
            "the tavern": Place("the tavern", "The Tavern", "Smoke and noise.", {"north": "yard"}),
            "yard": Place("yard", "Yard", "Mud.", {"south": "the tavern"}),
        }
        with pytest.raises(Clash):
            await store.commit(add_exit("yard", "down", "nowhere"))
        with pytest.raises(Clash):
            await store.commit(add_exit("yard", "SOUTH", "yard"))


async def test_attributes_of_every_type(store_url: str) -> None:
    lines = [
        "grapple_skill4[STRING]=Accuracy",
        "grapple_apMaxSize[INTEGER]=10",
        f"least[INTEGER]={-(2**63)}",
        "tenth[FLOAT]=0.1",
        "brave[BOOLEAN]=yes",
        "motto[STRING]= 'ü' \"; DROP TABLE attributes; -- :name % 100 ",
    ]
    made = [set_attribute("ahalish", parse(line)) for line in lines]
    async with reopened(store_url, add_account("Ahalish"), *made) as store:
        found = await store.attributes("ahalish")
        assert found == {(parsed := parse(line)).name.casefold(): parsed for line in lines}
        assert found["brave"].value is True
        assert await store.attributes("other") == {}


async def test_an_attribute_that_is_set_again_keeps_its_first_name(store_url: str) -> None:
    made = [
        add_account("Ahalish"),
        set_attribute("ahalish", Attribute("apMax", "INTEGER", 5)),
        set_attribute("ahalish", Attribute("APMAX", "STRING", "five")),
    ]
    async with reopened(store_url, *made) as store:
        assert await store.attributes("ahalish") == {"apmax": Attribute("apMax", "STRING", "five")}
        await store.commit(statements.unset_attribute("ahalish", "ApMax"))
        assert await store.attributes("ahalish") == {}


async def test_an_attribute_needs_an_account(store_url: str) -> None:
    async with await Store.open(store_url) as store:
        with pytest.raises(Clash):
            await store.commit(set_attribute("nobody", Attribute("luck", "INTEGER", 1)))


async def test_a_combat_through_its_phases(store_url: str) -> None:
    made = add_combat(1, "MyFight", place="tavern", system="grapple", owner="ahalish", options={"cap": 50})
    begun = CombatRow(1, "MyFight", "tavern", "grapple", "ahalish", {"cap": 50}, {}, None, None, "setup", None)
    async with reopened(store_url, made) as store:
        assert await store.combat(1) == begun
        assert await store.open_combats() == [begun]
        roster = {"teams": {"heroes": ["Ahalish"]}, "odd": "\x00\ud800ü"}
        await store.commit(statements.change_combat(1, roster=roster, log={"a": [1]}, phase="running"))
        running = await store.combat(1)
        assert running is not None
        assert (running.roster, running.log, running.phase) == (roster, {"a": [1]}, "running")
        await store.commit(statements.change_combat(1, saved='{"at":  3}'))
        saved = await store.combat(1)
        assert saved is not None
        assert saved.saved == '{"at":  3}'
        await store.commit(statements.change_combat(1, saved=None, phase="ended", ending="heroes"))
        assert await store.open_combats() == []
        ended = await store.combat(1)
        assert ended is not None
        assert (ended.saved, ended.phase, ended.ending) == (None, "ended", "heroes")


async def test_a_fight_comes_back_out_of_its_log(store_url: str) -> None:
    """The order of the teams is part of it: here it is not that of the alphabet."""
    fight = affray.Fight("bgo", {"villains": ["fire-slime"], "heroes": ["player"]}, seed=7)
    fight.play("player", "attack")
    table = saving.as_table(fight)
    entries = table.pop("answers")
    made = [fight_at(1), statements.change_combat(1, log=table, phase="running")]
    made += [add_answer(1, at, entry) for at, entry in enumerate(entries)]
    async with reopened(store_url, *made) as store:
        (row,) = await store.open_combats()
        assert row.log is not None
        again = saving.restore({**row.log, "answers": await store.answers(1)}, "the store")
        assert list(again.setup.specs()) == ["villains", "heroes"]
        assert again.story == fight.story


async def test_answers_are_appended_and_cut(store_url: str) -> None:
    made = [fight_at(1), fight_at(2), add_answer(2, 0, {"who": "other"})]
    made += [add_answer(1, at, {"decision": at}) for at in (2, 0, 11, 1)]
    async with reopened(store_url, *made) as store:
        assert await store.answers(1) == [{"decision": at} for at in (0, 1, 2, 11)]
        with pytest.raises(Clash):
            await store.commit(add_answer(1, 2, {}))
        with pytest.raises(Clash):
            await store.commit(add_answer(3, 0, {}))
        await store.commit(statements.cut_answers(1, 1), add_answer(1, 1, {"decision": "again"}))
        assert await store.answers(1) == [{"decision": 0}, {"decision": "again"}]
        assert await store.answers(2) == [{"who": "other"}]


async def test_the_number_of_a_combat_is_never_given_again(store_url: str) -> None:
    ended = statements.change_combat(10, phase="ended")
    async with reopened(store_url, fight_at(1), fight_at(9), fight_at(10), ended) as store:
        assert [row.number for row in await store.open_combats()] == [1, 9]
        assert await store.last_combat() == 10
        await store.commit(fight_at(11))
        assert await store.last_combat() == 11


async def test_settings(store_url: str) -> None:
    first, second = (statements.set_setting_once("motto", text) for text in "ab")
    async with reopened(store_url, first, second) as store:
        assert await store.setting("motto") == "a"


# --- committing ---------------------------------------------------------------------------------------------------


async def test_all_or_none(store_url: str) -> None:
    async with await Store.open(store_url) as store:
        await store.commit(add_account("Ahalish"))
        with pytest.raises(Clash):
            await store.commit(
                add_account("First"), set_attribute("first", parse("n[INTEGER]=1")), add_account("ahalish")
            )
        assert [account.name for account in await store.accounts()] == ["Ahalish"]
        await store.commit(add_account("First"))
    async with await Store.open(store_url) as store:
        assert [account.name for account in await store.accounts()] == ["Ahalish", "First"]


async def test_a_commit_of_nothing(store_url: str) -> None:
    async with await Store.open(store_url) as store:
        await store.commit()


async def test_one_bad_caller_of_two_hundred_does_not_spoil_it_for_the_others(store_url: str) -> None:
    """The bad one hands in two accounts, of which the second is taken by another caller in the same batch."""
    async with await Store.open(store_url) as store:
        callers = [store.commit(add_account(f"name{n}"), add_account(f"other{n}")) for n in range(199)]
        callers.insert(100, store.commit(add_account("alone"), add_account("name7")))
        answers = await asyncio.gather(*callers, return_exceptions=True)
        assert [n for n, answer in enumerate(answers) if answer is not None] == [100]
        assert isinstance(answers[100], Clash)
    async with await Store.open(store_url) as store:
        found = {account.name for account in await store.accounts()}
        assert found == {f"{word}{n}" for n in range(199) for word in ("name", "other")}


async def test_callers_share_a_commit(store_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async with await Store.open(store_url) as store:
        commits: list[Any] = []
        run = store._database.run
        monkeypatch.setattr(store._database, "run", lambda *asked: commits.append(asked) or run(*asked))
        await asyncio.gather(*(store.commit(add_account(f"name{n}")) for n in range(200)))
        assert len(commits) == 1
        assert len(await store.accounts()) == 200


async def test_changes_are_made_in_the_order_of_the_calls(store_url: str) -> None:
    async with await Store.open(store_url) as store:
        await store.commit(add_account("Ahalish"))
        setting = [set_attribute("ahalish", Attribute("luck", "INTEGER", n)) for n in range(50)]
        bad = add_account("ahalish")
        await asyncio.gather(*(store.commit(change) for change in [*setting, bad]), return_exceptions=True)
        assert (await store.attributes("ahalish"))["luck"].value == 49


async def test_a_statement_that_makes_no_sense_is_raised_to_its_caller_only(store_url: str) -> None:
    async with await Store.open(store_url) as store:
        good, bad = await asyncio.gather(
            store.commit(add_account("Ahalish")), store.commit(Statement("SELEKT")), return_exceptions=True
        )
        assert good is None
        assert isinstance(bad, Refused)
        assert await store.account("Ahalish")


async def test_a_character_that_one_database_refuses_harms_no_other_caller(postgres_url: str) -> None:
    async with await Store.open(postgres_url) as store:
        good, bad = await asyncio.gather(
            store.commit(add_place("Yard")), store.commit(add_place("Tavern", "\x00")), return_exceptions=True
        )
        assert good is None
        assert isinstance(bad, Clash)


async def test_text_that_no_database_keeps_is_refused(store_url: str) -> None:
    async with await Store.open(store_url) as store:
        with pytest.raises(Clash) as refused:
            await store.commit(add_place("half \ud800"))
        assert str(refused.value).isprintable()
        await store.commit(add_account("Ahalish"))


async def test_a_caller_who_stops_waiting_harms_no_other(store_url: str) -> None:
    """Visitors come and go while their lines are being worked on."""
    async with await Store.open(store_url) as store:
        for n in range(30):
            tasks = [
                asyncio.create_task(store.commit(add_account(f"gone{n}"))),
                asyncio.create_task(store.accounts()),  # type: ignore[arg-type]
            ]
            for _ in range(n % 10):
                await asyncio.sleep(0)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            await store.commit(add_account(f"here{n}"))
        found = {account.name for account in await store.accounts()}
        assert {f"here{n}" for n in range(30)} <= found


async def test_closing_keeps_what_was_handed_in(store_url: str) -> None:
    store = await Store.open(store_url)
    waiting = [asyncio.create_task(store.commit(add_account(f"name{n}"))) for n in range(20)]
    await asyncio.sleep(0)
    await store.close()
    await store.close()
    await asyncio.gather(*waiting)
    with pytest.raises(Lost, match="is closed"):
        await store.commit(add_account("late"))
    with pytest.raises(Lost, match="is closed"):
        await store.accounts()
    async with await Store.open(store_url) as store:
        assert len(await store.accounts()) == 20


OTHERS = "FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"


async def test_a_connection_that_broke_is_made_again_with_its_lock(postgres_url: str) -> None:
    store = await Store.open(postgres_url)
    await store.commit(add_account("Ahalish"))
    async with await Store.open(postgres_url, exclusive=False) as killer:
        await killer.commit(Statement(f"SELECT pg_terminate_backend(pid) {OTHERS}"))
    await asyncio.gather(*(store.commit(add_account(f"name{n}")) for n in range(3)))
    assert len(await store.accounts()) == 4
    with pytest.raises(Invalid, match="is open in another process"):
        await Store.open(postgres_url)
    assert not store.broken.is_set()
    await store.close()
    await (await Store.open(postgres_url)).close()


async def test_what_was_under_way_when_a_connection_broke_may_not_have_been_saved(postgres_url: str) -> None:
    async with await Store.open(postgres_url) as store:
        await store.commit(add_account("Ahalish"))
        itself = Statement("SELECT pg_terminate_backend(pg_backend_pid())")
        changes = [store.commit(add_account("Ben")), store.commit(add_account("Cid"), itself)]
        answers = await asyncio.gather(*changes, return_exceptions=True)
        assert [type(answer) for answer in answers] == [Lost, Lost], "and they are not tried again"
        assert all("may not have been saved" in str(answer) for answer in answers)
        assert [account.name for account in await store.accounts()] == ["Ahalish"]


async def test_a_world_that_another_process_has_opened_meanwhile_is_given_up(postgres_url: str) -> None:
    store = await Store.open(postgres_url)
    async with await Store.open(postgres_url, exclusive=False) as killer:
        await killer.commit(Statement(f"SELECT pg_terminate_backend(pid) {OTHERS}"))
    async with await Store.open(postgres_url) as other:
        with pytest.raises(Lost, match=r"was lost, and now the world .* is open in another process"):
            await store.commit(add_account("Ahalish"))
        assert store.broken.is_set()
        assert await other.accounts() == []
    await store.close()


async def test_reading_keeps_no_other_process_from_writing(sqlite_url: str) -> None:
    other = sqlite3.connect(sqlite_url.removeprefix("sqlite:///"), isolation_level=None)
    async with await Store.open(sqlite_url) as store:
        await store.commit(add_account("Ahalish"))
        await store.commit(Statement("PRAGMA busy_timeout = 1"))
        other.execute("BEGIN IMMEDIATE")
        assert await store.account("Ahalish")
        assert (await store.everything())["accounts"]
        other.execute("ROLLBACK")
    other.close()


async def test_a_full_disk_is_said_and_nothing_is_lost(sqlite_url: str) -> None:
    async with await Store.open(sqlite_url) as store:
        await store.commit(add_account("Ahalish"))
        await store.commit(Statement("PRAGMA max_page_count = 1"))  # SQLite takes the present size as the least
        with pytest.raises(Lost, match=r"has not saved this: database or disk is full"):
            await store.commit(add_place("Tavern", "x" * 1_000_000))
        assert not store.broken.is_set()
        await store.commit(Statement("PRAGMA max_page_count = 100000"))
        await store.commit(add_place("Tavern", "x" * 1_000_000))
        assert await store.account("Ahalish")


async def test_another_program_that_keeps_writing_is_waited_for_once(sqlite_url: str) -> None:
    other = sqlite3.connect(sqlite_url.removeprefix("sqlite:///"), isolation_level=None)
    async with await Store.open(sqlite_url) as store:
        await store.commit(Statement("PRAGMA busy_timeout = 1"))
        other.execute("BEGIN IMMEDIATE")
        commits = [store.commit(add_account(f"name{n}")) for n in range(3)]
        answers = await asyncio.gather(*commits, return_exceptions=True)
        assert [type(answer) for answer in answers] == [Busy, Busy, Busy]
        assert "database is locked" in str(answers[0])
        other.execute("ROLLBACK")
        await store.commit(add_account("Ahalish"))
        assert [account.name for account in await store.accounts()] == ["Ahalish"]
    other.close()


# --- one process at a time, and what happens when it is killed -----------------------------------------------------

HOLD = """
import asyncio, sys
from affray.world.store.statements import add_account
from affray.world.store import Store

async def hold():
    store = await Store.open(sys.argv[1])
    number = 0
    while True:
        await asyncio.gather(*(store.commit(add_account(f"name{number + n}")) for n in range(5)))
        number += 5
        print(number, flush=True)

asyncio.run(hold())
"""


@contextmanager
def another_process(url: str) -> Iterator[subprocess.Popen[str]]:
    """A process that has the store and writes accounts, telling how many after each commit."""
    with subprocess.Popen([sys.executable, "-c", HOLD, url], stdout=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


async def test_a_second_process_is_refused_and_a_killed_one_lets_go(store_url: str) -> None:
    with another_process(store_url) as first:
        assert first.stdout is not None
        assert first.stdout.readline()
        with pytest.raises(Invalid, match=r"is open in another process.*; only one process can open it at a time"):
            await Store.open(store_url)
        beside = await Store.open(store_url, exclusive=False)
        assert await beside.account("name0")
        await beside.close()
        os.kill(first.pid, signal.SIGKILL)
        first.wait()
    await (await Store.open(store_url)).close()


async def test_what_was_committed_survives_a_kill(store_url: str) -> None:
    with another_process(store_url) as writer:
        assert writer.stdout is not None
        told = [int(writer.stdout.readline()) for _ in range(20)]
        os.kill(writer.pid, signal.SIGKILL)
        told += [int(line) for line in writer.stdout if line.endswith("\n")]
        writer.wait()
    async with await Store.open(store_url) as store:
        found = {account.name for account in await store.accounts()}
        assert {f"name{n}" for n in range(told[-1])} <= found


async def test_the_same_process_is_refused_too(store_url: str) -> None:
    async with await Store.open(store_url):
        with pytest.raises(Refused, match="is open in another process"):
            await Store.open(store_url)
    await (await Store.open(store_url)).close()


async def test_two_names_of_one_file_are_one_world(tmp_path: Path) -> None:
    (tmp_path / "link.db").symlink_to(tmp_path / "world.db")
    async with await Store.open(str(tmp_path / "world.db")):
        with pytest.raises(Invalid, match=f"process {os.getpid()}"):
            await Store.open(str(tmp_path / "link.db"))


# --- opening ------------------------------------------------------------------------------------------------------


async def test_sqlite_is_told_to_be_durable(sqlite_url: str) -> None:
    async with await Store.open(sqlite_url) as store:
        pragmas = ("journal_mode", "synchronous", "foreign_keys")
        found = [(await store._read(f"PRAGMA {name}"))[0][0] for name in pragmas]
        assert found == ["wal", 2, 1]


async def test_postgres_is_told_to_be_durable(postgres_url: str) -> None:
    name = postgres_url.rpartition("/")[2]
    async with await Store.open(postgres_url) as store:
        await store.commit(Statement(f"ALTER DATABASE {name} SET synchronous_commit TO off"))
    async with await Store.open(postgres_url) as store:
        (row,) = await store._read("SHOW synchronous_commit")
        assert row[0] == "on"


async def test_a_world_is_made_for_its_owner_alone(tmp_path: Path) -> None:
    async with await Store.open(str(tmp_path / "world.db")) as store:
        await store.commit(add_account("Ahalish"))
        modes = {file.name: file.stat().st_mode & 0o777 for file in tmp_path.iterdir()}
    assert modes == {f"world.db{end}": 0o600 for end in ("", "-wal", "-shm", ".lock")}


def test_what_an_address_means() -> None:
    assert address("postgres://a@b/c?sslmode=require") == Address(postgres="postgresql://a@b/c?sslmode=require")
    assert address("world.db") == address("sqlite:///world.db") == Address(Path("world.db"))
    assert address("sqlite:////srv/world.db") == Address(Path("/srv/world.db"))


@pytest.mark.parametrize("url", ["sqlite://", "sqlite:///:memory:"])
async def test_a_world_in_memory(url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    async with await Store.open(url) as store, await Store.open(url) as other:
        await asyncio.gather(*(store.commit(add_account(f"name{n}")) for n in range(20)))
        assert len(await store.accounts()) == 20
        assert await other.accounts() == []
    assert list(tmp_path.iterdir()) == []


async def test_a_bare_path_is_a_sqlite_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    async with await Store.open("my world%20?.db") as store:
        await store.commit(add_account("Ahalish"))
        assert store.url == "my world%20?.db"
    assert (tmp_path / "my world%20?.db").is_file()


async def test_postgres_goes_by_its_names(postgres_url: str) -> None:
    rest = postgres_url.partition("://")[2]
    for scheme in ("postgres", "postgresql", "postgresql+asyncpg"):
        await (await Store.open(f"{scheme}://{rest}")).close()


async def refusal(url: str, **how: Any) -> str:
    with pytest.raises(Invalid) as refused:
        await Store.open(url, **how)
    assert len(str(refused.value).splitlines()) == 1
    return str(refused.value)


async def test_files_that_cannot_be_a_world_are_refused(tmp_path: Path) -> None:
    folder, missing, noise = tmp_path / "folder", tmp_path / "missing" / "world.db", tmp_path / "noise"
    folder.mkdir()
    noise.write_bytes(b"this was never a database\n" * 100)
    assert await refusal(str(folder)) == f"{folder} is a folder; a world is kept in a file"
    assert await refusal(str(missing)) == f"{missing} cannot be created: there is no folder {missing.parent}"
    assert (await refusal(str(noise))).startswith(f"the world {noise} is damaged (file is not a database)")
    assert noise.read_bytes() == b"this was never a database\n" * 100
    assert await refusal(str(tmp_path / "none.db"), create=False) == f"there is no world {tmp_path / 'none.db'}"
    assert not (tmp_path / "none.db").exists()
    assert "no name" in await refusal("")


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may write everywhere")
async def test_a_folder_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    assert "cannot be written: Permission denied" in await refusal(str(tmp_path / "world.db"))


async def test_a_file_of_another_program_is_not_touched(tmp_path: Path) -> None:
    file = tmp_path / "cheeses.db"
    with sqlite3.connect(file) as other:
        other.execute("CREATE TABLE cheeses (name TEXT)")
    other.close()
    before = file.read_bytes()
    assert "is not the database of an Affray world" in await refusal(str(file))
    assert file.read_bytes() == before


async def test_servers_that_do_not_answer_are_refused_without_the_password() -> None:
    said = await refusal("postgresql://ahalish:swordfish@127.0.0.1:1/world")
    assert said.startswith("the world postgresql://ahalish:***@127.0.0.1:1/world cannot be opened: ")
    assert "swordfish" not in said
    said = await refusal("mysql://ahalish:swordfish@127.0.0.1/world")
    assert said.startswith("'mysql://127.0.0.1/world' is not a store; it must be like affray.db, ")
    assert "is not a store" in await refusal("://")
    assert "is not a store" in await refusal("postgresql://host:port/world")


async def test_a_database_that_is_not_there_is_refused(postgres_url: str) -> None:
    assert 'database "nowhere" does not exist' in await refusal(postgres_url.rpartition("/")[0] + "/nowhere")


WITHOUT = """
import asyncio, sys
sys.modules[sys.argv[1]] = None
from affray.errors import MissingExtra
try:
    __import__(f"affray.world.{sys.argv[3]}")
    from affray.world.store import Store
    asyncio.run(Store.open(sys.argv[2]))
except MissingExtra as missing:
    print(missing)
"""


@pytest.mark.parametrize(
    ("module", "url", "first", "extra"),
    [
        ("asyncpg", "postgresql://127.0.0.1/world", "store", "postgres"),
    ],
)
def test_a_missing_driver_is_named_by_its_extra(module: str, url: str, first: str, extra: str) -> None:
    run = subprocess.run(
        [sys.executable, "-c", WITHOUT, module, url, first], capture_output=True, text=True, timeout=600, check=True
    )
    assert f"pip install 'affray[{extra}]'" in run.stdout
