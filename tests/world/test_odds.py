"""The process that works out odds: it goes when its server goes."""

from __future__ import annotations

import os
import subprocess
import sys
import time

import pytest

pytestmark = pytest.mark.long

ASKING = """
import asyncio
from multiprocessing import active_children
from affray.world.world import World

async def main():
    world = await World.open("sqlite://")
    ann = world.arrive(lambda text: None, "here")
    await ann.hear("create Ann open-sesame")
    for line in ("init f", "add_npc x goblin a", "add_npc y goblin b", "start a b", "odds x"):
        await ann.hear(f"combat {line}")
    while not active_children():
        await asyncio.sleep(0.01)
    print(active_children()[0].pid, flush=True)
    await asyncio.sleep(600)

if __name__ == "__main__":
    asyncio.run(main())
"""


def is_there(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.skipif(sys.platform == "win32", reason="there signal 0 would end the process")
def test_the_thinking_process_does_not_outlive_a_killed_server(tmp_path) -> None:
    script = tmp_path / "asking.py"
    script.write_text(ASKING, encoding="utf-8")
    with subprocess.Popen([sys.executable, script], stdout=subprocess.PIPE, text=True) as server:
        try:
            thinking = int(server.stdout.readline())
            assert is_there(thinking)
        finally:
            server.kill()
    for _ in range(6000):
        if not is_there(thinking):
            return
        time.sleep(0.1)
    os.kill(thinking, 9)
    raise AssertionError("the process goes on after its server is gone")
