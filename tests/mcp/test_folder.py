"""Fights in files: what was told is on the disk, other processes see it, and the files are ordinary save files."""

from __future__ import annotations

from pathlib import Path

import affray
from affray.mcp.hosts.tables import Folder

DUEL = {"red": ["squire"], "blue": ["ranger"]}


async def test_a_fight_goes_on_in_another_process_with_the_same_tokens(model, tmp_path: Path) -> None:
    async with model(Folder(tmp_path)) as m:
        _, new = await m.ask("new_fight", system="bgo", teams=DUEL, by={"red": "seat", "blue": "seat"})
        red, blue = new["tokens"]["seat squire"], new["tokens"]["seat ranger"]
        await m.ask("play", fight="bgo", move="attack", token=red)
        async with model(Folder(tmp_path)) as other:  # as after a SIGKILL: nothing was closed
            _, seen = await other.ask("play", fight="bgo", move="defend", token=blue)
            assert seen["decision"] == 2
        _, mine = await m.ask("status", fight="bgo", token=red)
        assert mine["decision"] == 2
        assert mine["lines"] == seen["lines"]
    saved = tmp_path / "bgo.json"
    assert affray.verify(saved).answers == 2
    assert [path.stat().st_mode & 0o077 for path in tmp_path.glob("*.json")] == [0, 0]


async def test_a_save_file_of_elsewhere_is_taken_up(model, tmp_path: Path) -> None:
    fight = affray.Fight("bgo", DUEL, seed=3)
    fight.play("squire", "attack")
    fight.save(tmp_path / "duel.json")
    async with model(Folder(tmp_path)) as m:
        _, new = await m.ask("new_fight", name="duel", by={"blue": "seat"})
        assert new["seen"]["to_move"] == ["ranger"]
        _, seen = await m.ask("play", fight="duel", move="attack", token=new["tokens"]["seat ranger"])
        assert seen["decision"] == 2
        text, _ = await m.refused("new_fight", name="duel")  # it has seats now: no second storyteller
        assert "combat system" in text


async def test_a_damaged_file_is_refused_with_its_reason(model, tmp_path: Path) -> None:
    async with model(Folder(tmp_path)) as m:
        await m.ask("new_fight", system="bgo", teams=DUEL)
        saved = tmp_path / "bgo.json"
        saved.write_text(saved.read_text()[:-40])
        text, _ = await m.refused("status", fight="bgo")
        assert "damaged" in text
        await m.ask("new_fight", system="bgo", teams=DUEL)
        text, data = await m.ask("fights")
        assert "damaged" in text
        assert [one["phase"] for one in data["fights"][1:]] == ["running"]
