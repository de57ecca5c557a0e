"""Every installed combat system keeps every promise that the engine makes for it."""

from __future__ import annotations

import pytest

from affray import testing
from affray.system.registry import find, names
from affray.testing import check_system

pytestmark = pytest.mark.long


@pytest.mark.parametrize("system", names())
def test_every_installed_system_keeps_its_promises(system: str) -> None:
    report = check_system(system, fights=len(testing.SHAPES))  # each shape of a roster once
    assert report.fights == len(testing.SHAPES)
    assert report.decisions > report.fights
    assert len(report.events) > len(report.never_seen)


@pytest.mark.parametrize("system", names())
def test_every_installed_system_can_be_shown(system: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(testing, "_compare_compiled", lambda examined: None)  # rosters of other sizes are, above
    found = find(system)
    assert found.demonstration
    report = check_system(system, rosters=[found.demonstration], fights=3, seed=100)
    assert report.fights == 3
