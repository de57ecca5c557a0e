"""Runs `affray`, but hashes passwords with next to no work: hundreds of players log in to the servers of the tests."""

from __future__ import annotations

import sys

import argon2

from affray.terminal import main
from affray.world.people import passwords

if __name__ == "__main__":
    quick = argon2.PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
    passwords.hasher = lambda: quick
    sys.exit(main())
