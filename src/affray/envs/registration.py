"""The ids of Gymnasium environments: `affray/ID-duel-v0` and `affray/ID-v0` of each system, and `affray/fight-v0`.

Importing `affray.envs` registers them; so does the name `affray.envs:affray/ID-duel-v0`.
"""

from __future__ import annotations

from typing import Any

from affray.envs.needs import gymnasium
from affray.envs.single import FightEnv
from affray.envs.vector import FightVectorEnv
from affray.system.registry import find, names

SUFFIXES = ("-duel", "")
"""The kinds of rosters: the first fighters of the demonstration's teams, and all of them."""


def register_all() -> None:
    """Register the environments of all systems that are installed or registered."""
    _register("affray/fight-v0", {})
    for system in names():
        for suffix in SUFFIXES:
            _register(f"affray/{system}{suffix}-v0", {"system": system, "roster": suffix})


def _register(id: str, kwargs: dict[str, Any]) -> None:
    if id not in gymnasium.registry:
        home = f"{__name__}:"
        gymnasium.register(
            id, f"{home}make_one", vector_entry_point=f"{home}make_many", kwargs=kwargs, disable_env_checker=False
        )


def _chosen(system: Any, roster: str | None, named: dict[str, Any]) -> dict[str, Any]:
    """The arguments of an environment of a system's own roster, unless teams are given."""
    if roster is not None and "teams" not in named:
        teams = find(system).demonstration
        named["teams"] = {team: members[:1] if roster else members for team, members in teams.items()}
    return {"system": system, **named}


def make_one(system: Any, roster: str | None = None, **named: Any) -> FightEnv:
    """What `gymnasium.make` makes."""
    return FightEnv(**_chosen(system, roster, named))


def make_many(system: Any, num_envs: int = 1, roster: str | None = None, **named: Any) -> FightVectorEnv:
    """What `gymnasium.make_vec` makes."""
    return FightVectorEnv(num_envs=num_envs, **_chosen(system, roster, named))
