"""What a model gets from each tool: real rules, short texts with data, refusals that name what is allowed."""

from __future__ import annotations

import math

import pytest

import affray
from affray.mcp.tools.registry import LONGEST, TOOLS
from affray.system.registry import names

DUEL = {"heroes": ["player"], "monsters": ["fire-slime"]}


async def test_systems_rules_and_sheets_are_those_of_the_library(model) -> None:
    async with model() as m:
        _, data = await m.ask("systems")
        assert [one["id"] for one in data["systems"]] == affray.systems()
        for system in affray.systems():
            _, data = await m.ask("rules", system=system)
            assert [one["id"] for one in data["rulings"]] == [one.id for one in affray.rules(system).rulings]
            _, data = await m.ask("sheets", system=system)
            for kind, known in affray.sheets(system).items():
                assert [one["id"] for one in data[kind]] == list(known)


async def test_a_ruling_is_told_in_full_with_its_source(model) -> None:
    async with model() as m:
        text, data = await m.ask("rules", system="bgo", id="attack")
        ruling = affray.get_system("bgo").rulings()["attack"]
        assert ruling.text in text
        assert data["source"] == "document"
        text, _ = await m.ask("rules", system="bgo", find_words="three six-sided dice")
        assert "attack (document)" in text


async def test_a_sheet_with_changes_is_checked(model) -> None:
    async with model() as m:
        _, data = await m.ask("sheet", system="bgo", spec="player:health=4")
        assert data["sheet"]["health"] == 4
        text, data = await m.refused("sheet", system="bgo", spec="player:health=0")
        assert "health must be" in text
        text, _ = await m.refused("sheet", system="bgo", spec="./mine.toml:x")
        assert "file" in text


async def test_a_fight_is_played_by_the_same_dice_as_in_the_library(model) -> None:
    fight = affray.Fight("bgo", DUEL, seed=7, options={"undo": "agreed"})
    async with model() as m:
        _, new = await m.ask("new_fight", system="bgo", teams=DUEL, seed=7)
        token = new["tokens"]["storyteller"]
        for who in ("player", "fire-slime"):
            text, seen = await m.ask("play", fight="bgo", fighter=who, move="attack", token=token)
            fight.play(who, "attack")
        assert seen["decision"] == 2
        _, told = await m.ask("log", fight="bgo")
        assert [line["text"] for line in told["lines"]] == [line.text for line in fight.lines]
        assert "The player's attack hits (roll: 5, 6, 1; needs 10)." in text
        _, told = await m.ask("why", fight="bgo", line=4)
        assert [one["id"] for one in told["rulings"]] == [ruling.id for ruling in fight.why(3)]


async def test_moves_come_with_the_reasons_of_those_that_are_closed(model) -> None:
    async with model() as m:
        _, new = await m.ask("new_fight", system="bgo", teams=DUEL)
        token = new["tokens"]["storyteller"]
        text, data = await m.ask("moves", fight="bgo", fighter="fire-slime", token=token)
        assert "not flee: creatures do not flee (ruling 7)" in text
        assert data["asks"][0]["moves"] == ["attack", "defend"]


async def test_odds_of_every_move_are_the_exact_ones(model) -> None:
    expected = affray.Fight("bgo", DUEL, seed=1).odds("player", play="tactics")
    async with model() as m:
        _, new = await m.ask("new_fight", system="bgo", teams=DUEL, by={"monsters": "usual"})
        _, data = await m.ask("odds", fight="bgo", token=new["tokens"]["storyteller"])
        assert data["best"] == ["defend"]
        for move, odds in expected.items():
            assert math.isclose(data["moves"][move]["win"], float(odds.chances["heroes"]))


async def test_costs_are_told_where_a_system_has_them(model) -> None:
    async with model() as m:
        teams = {team: list(specs) for team, specs in affray.get_system("strategic").demonstration.items()}
        _, new = await m.ask("new_fight", system="strategic", teams=teams, by=dict.fromkeys(teams, "side"))
        side = next(key for key in new["tokens"] if key.startswith("side"))
        _, seen = await m.ask("status", fight="strategic", token=new["tokens"][side])
        if not seen["asks"]:
            side = [key for key in new["tokens"] if key.startswith("side")][1]
        text, data = await m.ask("odds", fight="strategic", token=new["tokens"][side])
        assert [cost["name"] for cost in data["costs"]] == [c.name for c in affray.get_system("strategic").costs]
        assert data["costs"][0]["name"] in text


async def test_simulation_and_odds_of_a_whole_fight(model) -> None:
    expected = affray.odds("bgo", DUEL)
    async with model() as m:
        _, data = await m.ask("fight_odds", system="bgo", teams=DUEL)
        assert data["how"] == "exact"
        _, many = await m.ask("simulate", system="bgo", teams=DUEL, fights=20_000, seed=7)
        rate = many["rates"]["heroes"]
        assert many["fights"] == 20_000
        assert rate["low"] - 0.01 <= float(expected.chances["heroes"]) <= rate["high"] + 0.01


@pytest.mark.parametrize(
    ("tool", "arguments", "says"),
    [
        ("rules", {"system": "bgp"}, "bgo"),
        ("sheet", {"system": "bgo", "spec": "fire-slim"}, "did you mean fire-slime"),
        ("new_fight", {"system": "bgo", "teams": {"a": ["player"]}}, "two or more teams"),
        ("new_fight", {"system": "bgo", "teams": DUEL, "by": {"heroes": "wizardry"}}, "always-attack"),
        ("new_fight", {"system": "bgo", "teams": DUEL, "by": {"herps": "seat"}}, "heroes"),
        ("new_fight", {"system": "bgo", "teams": DUEL, "options": {"round_cap": 0}}, "must be 1 to 10000"),
        ("status", {"fight": "none"}, "there is no fight 'none'"),
        ("simulate", {"system": "bgo", "teams": {"a": ["player"] * 12, "b": ["player"]}}, "at most 12"),
        ("verify_log", {"log": "{"}, None),
    ],
)
async def test_refusals_reach_the_model_as_text_that_names_what_is_allowed(model, tool, arguments, says) -> None:
    async with model() as m:
        if says is None:
            text, data = await m.ask(tool, **arguments)
            assert data["fits"] is False
            assert "not valid JSON" in text
            return
        text, data = await m.refused(tool, **arguments)
        assert says in text
        assert text.startswith(data["problem"])


async def test_an_illegal_move_is_refused_with_the_legal_ones(model) -> None:
    async with model() as m:
        _, new = await m.ask("new_fight", system="bgo", teams=DUEL, by={"monsters": "usual"})
        token = new["tokens"]["storyteller"]
        text, data = await m.refused("play", fight="bgo", move="atack", token=token)
        assert text == "there is no move 'atack'; did you mean attack?\nAllowed: attack, defend, flee"
        assert data["allowed"] == ["attack", "defend", "flee"]
        text, _ = await m.refused("play", fight="bgo", move="attack", decision=9, token=token)
        assert "decision 9 is not open; decision 1 is" in text


async def test_a_move_after_an_undo_is_refused_by_its_mark(model) -> None:
    async with model() as m:
        _, new = await m.ask("new_fight", system="bgo", teams=DUEL, by={"monsters": "usual"})
        token = new["tokens"]["storyteller"]
        _, seen = await m.ask("play", fight="bgo", move="attack", token=token)
        mark = seen["asks"][0]["mark"]
        text, seen = await m.ask("undo", fight="bgo", token=token)
        assert "taken back: player's attack" in text
        assert seen["decision"] == 1
        await m.ask("play", fight="bgo", move="defend", token=token)
        text, _ = await m.refused("play", fight="bgo", move="attack", decision=2, mark=mark, token=token)
        assert "taken back" in text


async def test_answers_stay_short_even_in_a_large_fight(model) -> None:
    async with model() as m:
        for system in names():
            teams = {team: list(specs) * 6 for team, specs in affray.get_system(system).demonstration.items()}
            _, new = await m.ask("new_fight", system=system, teams=teams, by=dict.fromkeys(teams, "usual"))
            text, _ = await m.ask("status", fight=new["fight"])
            assert len(text) <= LONGEST


async def test_every_tool_says_what_it_does_and_whether_it_only_reads(model) -> None:
    async with model() as m:
        tools = {tool.name: tool for tool in (await m.client.list_tools()).tools}
        assert set(tools) == set(TOOLS)
        assert all(tool.description for tool in tools.values())
        changing = {"new_fight", "hand_over", "take_seat", "go_on", "end_fight", "play", "undo", "intervene"}
        assert {name for name, tool in tools.items() if not tool.annotations.read_only_hint} == changing


async def test_resources_and_prompts(model) -> None:
    async with model() as m:
        _, new = await m.ask("new_fight", system="bgo", teams=DUEL, by={"heroes": "seat"})

        async def read(uri: str) -> str:
            return (await m.client.read_resource(uri)).contents[0].text

        assert '"id": "bgo"' in await read("affray://systems")
        assert "three six-sided dice" in await read("affray://rules/bgo")
        assert '"fire-slime"' in await read("affray://sheets/bgo")
        assert '"fight": "bgo"' in await read("affray://fights")
        assert "You (spectator) have nothing to decide." in await read("affray://fights/bgo")
        assert '"secret"' not in await read("affray://fights/bgo/log")
        with pytest.raises(Exception, match="there is no fight 'none'"):
            await read("affray://fights/none")
        prompt = await m.client.get_prompt("run_as_storyteller", {"system": "bgo"})
        assert "Board Game Online variant" in prompt.messages[0].content.text
        prompt = await m.client.get_prompt("explain_result", {"fight": new["fight"], "line": "4"})
        assert "line 4" in prompt.messages[0].content.text
