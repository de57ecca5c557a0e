"""Passwords: argon2id, rules of length, and nothing to learn about who has an account."""

from __future__ import annotations

import asyncio
import unicodedata

import pytest
from argon2 import PasswordHasher

from affray.errors import Invalid
from affray.world.people import passwords

pytestmark = pytest.mark.long  # real hashes are slow by design


async def test_a_password_fits_its_own_hash_only() -> None:
    hash = await passwords.hashed("open sesame")
    assert hash.startswith("$argon2id$")
    assert "sesame" not in hash
    assert await passwords.fits("open sesame", hash)
    assert not await passwords.fits("open sesamE", hash)
    assert not await passwords.fits("", hash)


async def test_two_hashes_of_a_password_differ() -> None:
    assert await passwords.hashed("open sesame") != await passwords.hashed("open sesame")


async def test_nothing_fits_where_there_is_no_hash_or_a_damaged_one() -> None:
    assert not await passwords.fits("open sesame", None)
    assert not await passwords.fits("open sesame", "")
    assert not await passwords.fits("open sesame", "$argon2id$v=19$nonsense")


@pytest.mark.parametrize(
    ("password", "hash"), [("open sesame", None), ("short", "made"), ("x" * 5000, "made"), ("open sesame", "damaged")]
)
async def test_whatever_cannot_fit_costs_as_much_as_what_could(
    password: str, hash: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = await passwords.hashed("open sesame") if hash == "made" else hash
    worked: list[str] = []

    class Counting(PasswordHasher):
        def hash(self, password: str | bytes, *, salt: bytes | None = None) -> str:
            worked.append("hash")
            return super().hash(password, salt=salt)

    counting = Counting()
    monkeypatch.setattr(passwords, "hasher", lambda: counting)
    assert not await passwords.fits(password, made)
    assert worked == ["hash"]


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same hashes with next to no work, where only what is allowed matters."""
    hasher = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
    monkeypatch.setattr(passwords, "hasher", lambda: hasher)


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("length", [0, 7, 129, 100_000])
async def test_a_password_of_a_wrong_length_is_refused(length: int) -> None:
    with pytest.raises(Invalid, match=f"^a password must be 8 to 128 characters, not {length}$"):
        await passwords.hashed("x" * length)
    assert not await passwords.fits("x" * length, None)


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("length", [8, 128])
async def test_the_shortest_and_the_longest_are_allowed(length: int) -> None:
    assert await passwords.fits("é" * length, await passwords.hashed("é" * length))


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("character", ["\x00", "\n", "\x7f", "\ud800", chr(0xFFFD)])
async def test_characters_that_cannot_be_seen_are_refused(character: str) -> None:
    with pytest.raises(Invalid, match="only printable characters") as refused:
        await passwords.hashed(f"open{character}sesame")
    assert "sesame" not in str(refused.value)
    assert not await passwords.fits(f"open{character}sesame", None)


@pytest.mark.usefixtures("quick")
async def test_a_letter_is_the_same_from_every_keyboard() -> None:
    word = "Rückkehr"
    hash = await passwords.hashed(unicodedata.normalize("NFD", word))
    assert await passwords.fits(unicodedata.normalize("NFC", word), hash)


async def test_a_hash_with_other_parameters_still_fits_and_is_outdated() -> None:
    weak = PasswordHasher(time_cost=1, memory_cost=1024).hash("open sesame")
    assert await passwords.fits("open sesame", weak)
    assert passwords.outdated(weak)
    assert not passwords.outdated(await passwords.hashed("open sesame"))


async def test_no_more_than_two_are_hashed_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    busy, most = 0, 0

    class Watched(PasswordHasher):
        def hash(self, password: str | bytes, *, salt: bytes | None = None) -> str:
            nonlocal busy, most
            busy += 1
            most = max(most, busy)
            made = super().hash(password, salt=salt)
            busy -= 1
            return made

    watched = Watched()
    monkeypatch.setattr(passwords, "hasher", lambda: watched)
    await asyncio.gather(*(passwords.fits("open sesame", None) for _ in range(8)))
    assert 1 <= most <= 2
