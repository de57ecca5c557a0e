"""Who is connected to other processes of a world, as far as those have said so recently."""

from __future__ import annotations

from affray.world.peers import FORGOTTEN, Presence, Present

ANN = Present("Ann", "player", "tavern")
BEN = Present("Ben", "wizard", "arena")


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_everybody_at_any_other_process_is_there_until_it_says_otherwise() -> None:
    elsewhere = Presence(Clock())
    elsewhere.update("first", {"ann": list(ANN)})
    elsewhere.update("second", {"ben": list(BEN)})
    assert elsewhere.people() == {"ann": ANN, "ben": BEN}
    assert "ann" in elsewhere
    elsewhere.update("first", {})
    assert elsewhere.people() == {"ben": BEN}
    assert "ann" not in elsewhere


def test_places_are_named_where_accounts_have_come_or_gone() -> None:
    elsewhere = Presence(Clock())
    assert elsewhere.update("first", {"ann": list(ANN), "ben": list(BEN)}) == {"tavern", "arena"}
    assert elsewhere.update("first", {"ann": list(ANN), "ben": list(BEN)}) == set()
    assert elsewhere.update("first", {"ann": ["Ann", "player", "arena"], "ben": list(BEN)}) == {"tavern", "arena"}
    assert elsewhere.update("second", {"ben": list(BEN)}) == set()
    assert elsewhere.update("first", {"ann": ["Ann", "player", None]}) == {"arena"}


def test_a_process_that_says_nothing_is_taken_for_dead() -> None:
    clock = Clock()
    elsewhere = Presence(clock)
    elsewhere.update("first", {"ann": list(ANN)})
    clock.now = FORGOTTEN / 2
    elsewhere.update("second", {"ben": list(BEN)})
    clock.now = FORGOTTEN
    assert elsewhere.forget() == set()
    clock.now = FORGOTTEN + 1
    assert elsewhere.forget() == {"tavern"}
    assert elsewhere.people() == {"ben": BEN}
