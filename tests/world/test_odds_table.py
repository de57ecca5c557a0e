"""The odds of moves for a page: what they assume, what is best, and whether more of them are to come."""

from __future__ import annotations

from typing import Any

import pytest

from affray import Fight
from affray.lab import odds
from affray.world.combats import odds as shown
from affray.world.combats.odds import odds_table

WOUNDED = "heroes=player:health=4 monsters=fast-slime"


@pytest.fixture(autouse=True)
def uncompiled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shown, "warm_up", lambda setup, state: None)
    monkeypatch.setattr(shown, "native_ready", lambda setup: False)
    monkeypatch.setattr(odds, "native_ready", lambda setup: False)


def test_a_plan_and_an_aim_change_what_is_counted() -> None:
    fight = Fight("bgo", WOUNDED, seed=1)

    def table(*how: Any) -> dict[str, Any]:
        found = odds_table(fight, "player", *how)
        assert (found["how"], found["more"]) == ("exact", False)
        return found

    plan = table({"player": "always-attack"})
    assert plan["moves"]["attack"]["win"] == float(483 / 1331)
    assert plan["assumes"] == "After the move you follow always-attack, the others their tactics."
    best = table({}, "best")
    assert best["moves"]["attack"]["win"] < plan["moves"]["attack"]["win"]
    assert best["assumes"] == "After the move you follow best play, the others their tactics."
    assert (best["best"], best["best_by"]) == (
        ["flee"],
        "The best move has the highest value: win +1, lose -1, draw 0, fled 0.",
    )
    to_win = table({}, "best", "wins")
    assert to_win["moves"]["attack"]["win"] >= plan["moves"]["attack"]["win"]
    assert (to_win["best"] != ["flee"], to_win["best_by"]) == (True, "The best move wins most often.")


def test_few_play_outs_tell_nothing_and_more_are_coming(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shown, "UNCOMPILED", 0.0)
    fight = Fight("grapple", "heroes=ahalish monsters=goblin", seed=5)
    first = odds_table(fight, fight.to_act[0], {}, "best")
    assert (first["how"], first["best"], first["more"]) == ("being prepared", [], True)
    assert not any(move["tells"] for move in first["moves"].values())
    assert first["assumes"].startswith("Best play cannot be counted here: after the move you follow ")
    monkeypatch.setattr(shown, "UNCOMPILED", 0.5)
    for _ in range(50):
        later = odds_table(fight, fight.to_act[0], {}, "best")
        if all(move["tells"] for move in later["moves"].values()):
            break
    assert set(later["best"]) <= set(later["close"]) <= set(later["moves"])
    assert later["how"].endswith("interpreted play-outs each")
