"""The report: everyone against everyone, tactics against tactics, and what decisions are worth, as one page."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, fields
from pathlib import Path

from affray.errors import Failed, Invalid, MissingExtra, listing, unknown
from affray.lab.design.matches import Match
from affray.lab.design.report.decisions import Decisions, decisions
from affray.lab.design.report.duels import Duels, between, fight, of_tactics
from affray.lab.progress import Progress
from affray.system.files import write_whole
from affray.system.registry import find

FIGHTS, LOOKED_INTO, PLAYOUTS = 1_000, 24, 200
"""Fights of every duel in each seat, fights whose decisions are looked into, and play-outs of each position."""
MOST = 12  # fighters of a report that names none: more would not fit on a page
RANK = "rank"  # the key by which outliers are looked for, if all sheets have it
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "msedge")


@dataclass(frozen=True)
class Report:
    """All that the page shows."""

    system: str
    title: str
    fighters: Sequence[str]
    of: int
    """How many fighters come with the system."""
    options: Mapping[str, object]
    duels: Duels
    tactics: Duels
    mirrored: str
    """The fighter that fights itself by each tactic."""
    shown: Match
    """The fight whose decisions are looked into."""
    decisions: Decisions
    by: str
    worth: Mapping[str, int]
    """The rank or cost of each fighter, if they have one."""
    fights: int
    looked_into: int
    seed: int
    asked: tuple[str, ...] = ()
    """The arguments that chose the fighters."""

    @property
    def interrupted(self) -> bool:
        """Whether something is missing."""
        return self.duels.interrupted or self.tactics.interrupted or self.decisions.interrupted

    def html(self) -> str:
        """The page, which needs nothing from elsewhere."""
        from affray.lab.design.report.page import page

        return page(self)

    _repr_html_ = html

    def write(self, path: str | Path) -> None:
        """Write the page into an .html file, or through a browser into a .pdf file."""
        target = Path(path)
        if target.suffix.lower() == ".pdf":
            _print(self.html(), target)
        else:
            write_whole(target, self.html())


def browser() -> str | None:
    """A browser that can print pages, if there is one."""
    return next(filter(None, map(shutil.which, BROWSERS)), None)


def checked(path: str | Path) -> Path:
    """The file for a report: a page, or a PDF where a browser can print one."""
    target = Path(path)
    if target.suffix.lower() not in (".html", ".pdf"):
        raise Invalid(f"{target} must end in .html or .pdf", given=str(target), allowed=(".html", ".pdf"))
    if target.suffix.lower() == ".pdf" and browser() is None:
        raise Invalid(f"{target} needs a browser to print it, one of {', '.join(BROWSERS)}; write .html instead")
    return target


def _print(html: str, target: Path) -> None:
    found = browser()
    assert found is not None
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder, "report.html")
        page.write_text(html, encoding="utf-8")
        command = [found, "--headless", "--no-sandbox", "--disable-gpu", "--no-pdf-header-footer"]
        command += [f"--user-data-dir={folder}/profile", f"--print-to-pdf={target.absolute()}", page.as_uri()]
        ended = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    if ended.returncode or not target.exists():
        raise Failed(f"the browser could not print {target}: {ended.stderr.strip()[-200:]}")


def report(
    system: str,
    fighters: Sequence[str] = (),
    *,
    options: Mapping[str, object] | None = None,
    by: str | None = None,
    fights: int = FIGHTS,
    looked_into: int = LOOKED_INTO,
    playouts: int = PLAYOUTS,
    seed: int = 0,
    pool: Executor | None = None,
    progress: Progress | None = None,
) -> Report:
    """Study the fights of a system, or of some of its fighters; if none are named, up to 12 are chosen from all."""
    found = find(system)
    every = {id: sheet for own in found.catalogue().values() for id, sheet in own.items()}
    for id in fighters:
        if id not in every and ":" not in id and ".toml" not in id:
            raise Invalid(unknown("fighter", id, every), given=id, allowed=list(every))
    chosen = list(dict.fromkeys(fighters)) or _spread(list(every))
    if len(chosen) < 2:
        raise Invalid("a report needs two or more fighters", given=chosen)
    sheets = {id: found.enlist(id) for id in chosen}
    key = by or RANK
    ranks = {id: getattr(sheet, key, None) for id, sheet in sheets.items()}
    if by and not all(type(rank) is int for rank in ranks.values()):
        shared = [part.name for part in fields(next(iter(sheets.values())))]
        known = [part for part in shared if all(type(getattr(sheet, part, None)) is int for sheet in sheets.values())]
        problem = f"--by must be a number that all of these sheets have: {listing(known)}, not {by!r}"
        raise Invalid(problem, given=by, allowed=known)
    worth = {id: rank for id, rank in ranks.items() if type(rank) is int}
    shown = Match.of(system, options=options) if not fighters else Match.of(
        system, {"one": [chosen[0]], "other": [chosen[1]]}, options
    )  # fmt: skip
    mirrored = str(next(iter(shown.teams.values()))[0])
    try:
        duels = fight(between(system, chosen, options or {}), fights, seed, pool, progress)
        tactics = of_tactics(system, mirrored, options or {}, list(found.tactics))
        if not duels.interrupted:
            tactics = fight(tactics, fights, seed, pool, progress)
        stopped = duels.interrupted or tactics.interrupted
        looked = Decisions(interrupted=True) if stopped else decisions(shown, looked_into, playouts, seed)
    except MissingExtra:
        raise MissingExtra("a report", "lab") from None
    return Report(
        system, found.title, chosen, len(every), options or {}, duels, tactics, mirrored, shown, looked,
        key, worth if len(worth) == len(chosen) else {}, fights, looked_into, seed,
        (*(("--creatures", ",".join(chosen)) if fighters else ()), *(("--by", by) if by else ())),
    )  # fmt: skip


def _spread(every: list[str]) -> list[str]:
    if len(every) <= MOST:
        return every
    return [every[place * len(every) // MOST] for place in range(MOST)]
