"""Seats and their tokens: each sees what its fighters may know and moves them alone; the storyteller sees all."""

from __future__ import annotations

import json

DUEL = {"red": ["squire"], "blue": ["ranger"]}


async def test_a_choice_is_secret_to_the_other_side_and_known_to_the_storyteller(model) -> None:
    async with model() as m:
        _, new = await m.ask("new_fight", system="bgo", teams=DUEL, by={"red": "seat", "blue": "seat"})
        red, blue, teller = (new["tokens"][who] for who in ("seat squire", "seat ranger", "storyteller"))
        before = await m.ask("status", fight="bgo", token=blue)
        text, _ = await m.ask("play", fight="bgo", move="defend", token=red)
        assert "squire has chosen defend" in text
        assert await m.ask("status", fight="bgo", token=blue) == before
        assert before[1]["to_move"] == ["squire", "ranger"]
        text, seen = await m.ask("status", fight="bgo", token=teller)
        assert seen["to_move"] == ["ranger"]
        assert "squire has chosen defend" in text
        text, _ = await m.ask("undo", fight="bgo", token=red)
        assert "Your choice is taken back" in text
        assert await m.ask("status", fight="bgo", token=blue) == before


async def test_a_seat_moves_only_its_own_fighters(model) -> None:
    async with model() as m:
        _, new = await m.ask("new_fight", system="bgo", teams=DUEL, by={"red": "seat", "blue": "seat"})
        red = new["tokens"]["seat squire"]
        for tool in ("play", "odds"):
            more = {"move": "attack"} if tool == "play" else {}
            text, data = await m.refused(tool, fight="bgo", fighter="ranger", token=red, **more)
            assert data["allowed"] == ["squire"]
        text, _ = await m.refused("play", fight="bgo", fighter="ranger", move="attack")
        assert "a token is needed" in text
        text, _ = await m.refused("status", fight="bgo", token="guessed")
        assert "that token is not one of bgo" in text
        for tool in ("end_fight", "go_on"):
            text, _ = await m.refused(tool, fight="bgo", token=red)
            assert "only the storyteller's token may" in text
        await m.refused("hand_over", fight="bgo", fighter="ranger", by="seat", token=red)


async def test_a_side_has_one_token_for_all_its_fighters(model) -> None:
    async with model() as m:
        teams = {"red": ["squire", "ranger"], "blue": ["player"]}
        _, new = await m.ask("new_fight", system="bgo", teams=teams, by={"red": "side", "blue": "usual"})
        assert sorted(new["tokens"]) == ["side red", "storyteller"]
        red = new["tokens"]["side red"]
        text, _ = await m.refused("play", fight="bgo", move="attack", token=red)
        assert text.startswith("say for which fighter: squire, ranger")
        await m.ask("play", fight="bgo", fighter="squire", move="attack", token=red)
        _, seen = await m.ask("play", fight="bgo", fighter="ranger", move="attack", token=red)
        assert seen["decision"] == 2


async def test_sides_agree_before_a_move_is_taken_back(model) -> None:
    async with model() as m:
        by = {"red": "seat", "blue": "seat"}
        _, new = await m.ask("new_fight", system="bgo", teams=DUEL, by=by, options={"undo": "agreed"})
        red, blue = new["tokens"]["seat squire"], new["tokens"]["seat ranger"]
        await m.ask("play", fight="bgo", move="attack", token=red)
        await m.ask("play", fight="bgo", move="attack", token=blue)
        text, seen = await m.ask("undo", fight="bgo", token=red)
        assert "blue must agree" in text
        assert seen["decision"] == 2
        _, seen = await m.ask("undo", fight="bgo", token=blue)
        assert seen["decision"] == 1


async def test_undo_follows_the_setting_of_the_fight(model) -> None:
    async with model() as m:
        by = {"red": "seat", "blue": "usual"}
        _, new = await m.ask("new_fight", system="bgo", teams=DUEL, by=by, options={"undo": "off"}, name="off")
        red = new["tokens"]["seat squire"]
        await m.ask("play", fight="off", move="attack", token=red)
        text, _ = await m.refused("undo", fight="off", token=red)
        assert "undo=off" in text
        _, new = await m.ask("new_fight", system="bgo", teams=DUEL, by=by, options={"undo": "free"}, name="free")
        red = new["tokens"]["seat squire"]
        await m.ask("play", fight="free", move="attack", token=red)
        text, _ = await m.refused("undo", fight="free", token=red)
        assert "only the storyteller's token" in text
        _, seen = await m.ask("undo", fight="free", token=new["tokens"]["storyteller"])
        assert seen["decision"] == 1


async def test_a_storyteller_gives_a_fighter_to_a_tactic_and_to_a_new_seat(model) -> None:
    async with model() as m:
        _, new = await m.ask("new_fight", system="bgo", teams=DUEL)
        teller = new["tokens"]["storyteller"]
        await m.ask("hand_over", fight="bgo", fighter="ranger", by="usual", token=teller)
        text, _ = await m.refused("play", fight="bgo", fighter="ranger", move="attack", token=teller)
        assert "moves by itself" in text
        text, given = await m.ask("hand_over", fight="bgo", fighter="squire", by="seat", token=teller)
        assert given["token"] in text
        _, seen = await m.ask("play", fight="bgo", move="attack", token=given["token"])
        assert seen["decision"] == 2


async def test_the_secret_of_the_dice_is_told_when_the_fight_has_been_ended(model) -> None:
    async with model() as m:
        _, new = await m.ask("new_fight", system="bgo", teams=DUEL, by={"red": "usual", "blue": "usual"})
        teller = new["tokens"]["storyteller"]
        commitment = new["seen"]["commitment"]
        text, _ = await m.ask("verify", fight="bgo")
        assert "cannot be checked yet" in text
        text, _ = await m.ask("verify", fight="bgo", token=teller)
        assert "follow from the secret" in text
        await m.ask("end_fight", fight="bgo", token=teller)
        log = json.loads((await m.client.read_resource("affray://fights/bgo/log")).contents[0].text)
        assert log["dice"]["commitment"] == commitment
        text, data = await m.ask("verify_log", log=json.dumps(log))
        assert data["fits"]
        assert "follow from the secret" in text
        text, _ = await m.refused("undo", fight="bgo", token=teller)
        assert "has been ended" in text


async def test_a_connection_may_bring_its_token(model) -> None:
    from affray.mcp.hosts.tables import Tables

    host = Tables()
    async with model(host) as m:
        _, new = await m.ask("new_fight", system="bgo", teams=DUEL, by={"red": "seat", "blue": "seat"})
    async with model(host, new["tokens"]["seat squire"]) as m:
        _, seen = await m.ask("status", fight="bgo")
        assert seen["your_fighters"] == ["squire"]
        text = (await m.client.read_resource("affray://fights/bgo")).contents[0].text
        assert "squire, decision 1" in text
