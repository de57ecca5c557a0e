"""Passwords: which are accepted, and argon2id hashes made and checked without holding up the world."""

from __future__ import annotations

import asyncio
import unicodedata
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import TYPE_CHECKING

from affray.errors import Invalid, MissingExtra

if TYPE_CHECKING:
    from argon2 import PasswordHasher

SHORTEST, LONGEST = 8, 128

# One hash takes 64 MiB: two at once are enough, and a flood of log-ins waits instead of eating all memory.
_pool = ThreadPoolExecutor(2, thread_name_prefix="passwords")


@cache
def hasher() -> PasswordHasher:
    """What makes and checks hashes. A world in which only one person plays, in a browser, needs none."""
    try:
        from argon2 import PasswordHasher
    except ImportError:
        raise MissingExtra("logging in", "server") from None
    return PasswordHasher()


def check(password: str) -> str:
    """The password as it is hashed, if it is acceptable. The error message never repeats it."""
    text = unicodedata.normalize("NFC", password)  # keyboards send the same letter in different ways
    if not SHORTEST <= len(text) <= LONGEST:
        raise Invalid(f"a password must be {SHORTEST} to {LONGEST} characters, not {len(text)}", given=len(text))
    if not text.isprintable() or "\ufffd" in text:  # the latter stands for whatever could not be read
        raise Invalid("a password must have only printable characters and spaces")
    return text


async def hashed(password: str) -> str:
    """The argon2id hash of a new password; refused where the password is too short or too long."""
    return await asyncio.get_running_loop().run_in_executor(_pool, hasher().hash, check(password))


async def fits(password: str, hash: str | None) -> bool:
    """Whether it is the password of that hash. None (there is no such account) takes as long, and never fits."""
    hasher()
    return await asyncio.get_running_loop().run_in_executor(_pool, _fits, password, hash)


def _fits(password: str, hash: str | None) -> bool:
    from argon2.exceptions import InvalidHashError, VerificationError

    try:
        text = check(password)
        if hash is not None:
            return hasher().verify(hash, text)
    except VerificationError:
        return False
    except (Invalid, InvalidHashError):
        pass
    hasher().hash("no such password")  # the same work, so that the time does not tell which names exist
    return False


def outdated(hash: str) -> bool:
    """Whether the hash was made with other parameters than now, so that the password should be hashed anew."""
    return hasher().check_needs_rehash(hash)
