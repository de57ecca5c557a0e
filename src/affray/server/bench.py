"""The designer's bench as lab jobs: comparing, tuning, sensitivity, encounters and campaigns, within their bounds."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from typing import TYPE_CHECKING, Any

from affray.errors import Invalid
from affray.lab.design import campaign, compare, encounter, sensitivity, tune
from affray.lab.design.matches import Knob, Match, checked, number_of, variants
from affray.lab.design.measures import Measure
from affray.lab.design.targets import Target
from affray.lab.progress import Progress
from affray.system.registry import find

if TYPE_CHECKING:
    from affray.server.jobs import JobRequest

Work = Callable[["JobRequest", Executor | None, Progress], dict[str, Any]]

MOST_FIGHTS = 20_000  # of a variant, or runs of a campaign
MOST_VARIANTS, MOST_SETTINGS, MOST_MEASURES, MOST_KNOBS = 12, 24, 3, 6
MOST_FOES, MOST_STAGES, MOST_RESTS = 8, 12, 8
SHOWN = 24  # candidates and effects that a result has


def check(request: JobRequest) -> None:
    """Refuse what cannot be, or is too much for one job, before it begins."""
    _bounded("fights", request.fights, MOST_FIGHTS)
    for what, given, most in (
        ("things to vary", request.vary, MOST_KNOBS),
        ("things that make settings", request.each, MOST_KNOBS),
        ("measures", request.of, MOST_MEASURES),
        ("targets", request.targets, MOST_MEASURES),
        ("ways to rest", request.rest, MOST_RESTS),
    ):
        _bounded(what, len(given), most, 0)
    CHECKS[request.kind](request)


def _bounded(what: str, number: int, most: int, least: int = 1) -> None:
    if not least <= number <= most:
        raise Invalid(f"the number of {what} must be {least} to {most:,}, not {number:,}", given=number)


def _match(request: JobRequest) -> Match:
    return Match.of(request.system, request.teams, request.options, request.tactics, files=False)


def _knobs(match: Match, given: Sequence[str]) -> list[Knob]:
    return [Knob.read(text, match.setup.system.catalogue()) for text in given]


def _settings(request: JobRequest) -> dict[str, dict[str, Match]]:
    match = _match(request)
    knobs = _knobs(match, request.vary)
    settings = variants(match, _knobs(match, request.each), MOST_SETTINGS) if request.each else {"": match}
    return {name: variants(own, knobs, MOST_VARIANTS) for name, own in settings.items()}


def _measured(match: Match, given: Sequence[str]) -> tuple[Measure, ...]:
    return tuple(Measure.read(text, match.setup) for text in given)


def _check_comparison(request: JobRequest) -> None:
    match = _match(request)
    vary, each = _knobs(match, request.vary), _knobs(match, request.each)
    if not vary:
        raise Invalid("say what to vary, such as  slime:health=4|6  or  tactic:heroes=cautious|random")
    _bounded("variants", number_of(vary), MOST_VARIANTS)
    _bounded("settings", number_of(each), MOST_SETTINGS)
    _try_first(match, [*vary, *each])
    _measured(match, request.of)


def _try_first(match: Match, knobs: Sequence[Knob]) -> None:
    """Refuse what no value can mean; the other values are checked when the job has begun."""
    for knob in knobs:
        if not knob.keys:
            _bounded("fighters of a team", max(value.count(",") + 1 for value in knob.values), MOST_FOES)
        checked(knob.turned(match, knob.values[0]))


def _check_tuning(request: JobRequest) -> None:
    match = _match(request)
    knobs = _knobs(match, request.vary)
    if not knobs or not request.targets:
        raise Invalid("say what may be varied, such as  slime:health=4..20,  and what is wanted, such as  heroes=0.6")
    _bounded("combinations", number_of(knobs), tune.EXHAUSTIVE)
    _try_first(match, knobs)
    for text in request.targets:
        Target.read(text, match.setup)


def _party(request: JobRequest) -> tuple[str, list[Any]]:
    if len(request.teams) != 1:
        raise Invalid("give the party alone, as the only team", given=list(request.teams))
    ((team, party),) = request.teams.items()
    for spec in party:
        find(request.system).enlist(spec, files=False)
    return team, party


def _foes(request: JobRequest) -> list[int]:
    numbers = Knob.read(f"monsters={request.monsters}").values
    if not all(number.isdigit() and 1 <= int(number) <= MOST_FOES for number in numbers):
        problem = f"the monsters must be a number or a range such as 2..4, from 1 to {MOST_FOES}"
        raise Invalid(f"{problem}, not {request.monsters!r}", given=request.monsters)
    return [int(number) for number in numbers]


def _check_encounter(request: JobRequest) -> None:
    _party(request)
    _foes(request)
    encounter.difficulty(request.difficulty)
    if any(".toml" in word for word in request.bestiary):
        raise Invalid("the creatures must be ids or kinds of sheets, not files", given=request.bestiary)


def _check_campaign(request: JobRequest) -> None:
    _party(request)
    _bounded("fights to meet", len(request.meet), MOST_STAGES)
    for stage in request.meet:
        _bounded("foes in a fight", len(stage.split(",")), MOST_FOES)
        for spec in stage.split(","):
            find(request.system).enlist(spec, files=False)


def _shown(measures: Sequence[Measure]) -> dict[str, Any]:
    return {"measures": [{"text": each.text, "is_chance": each.is_chance} for each in measures]}


def compared(request: JobRequest, pool: Executor | None, progress: Progress) -> dict[str, Any]:
    """Variants of a fight on the same dice."""
    found = compare.compare(
        _settings(request), request.of, fights=request.fights, seed=request.seed, pool=pool, progress=progress
    )
    return {**found.as_table(), **_shown(found.measures)}


def tuned(request: JobRequest, pool: Executor | None, progress: Progress) -> dict[str, Any]:
    """The smallest change that meets the targets."""
    match = _match(request)
    knobs, how = _knobs(match, request.vary), {"fights": request.fights, "seed": request.seed}
    found = tune.tune(match, knobs, request.targets, pool=pool, progress=progress, **how)  # type: ignore[arg-type]
    table = found.as_table()
    return {
        **table,
        **{key: table[key][:SHOWN] for key in ("met", "open", "pareto")},
        **_shown([target.measure for target in found.targets]),
    }


def sensed(request: JobRequest, pool: Executor | None, progress: Progress) -> dict[str, Any]:
    """What matters for how a fight ends."""
    fights = min(request.fights, sensitivity.FIGHTS)
    found = sensitivity.sensitivity(
        _match(request), request.of, fights=fights, seed=request.seed, pool=pool, progress=progress
    )
    rows = [
        {"measure": each.measure.text, "change": str(each.change), **each.by._asdict()}
        for measure in found.measures
        for each in found.ranked(measure)[:SHOWN]
        if each.by.value
    ]
    idle = sum(not effect.by.value for effect in found.effects)
    counts = {"changes": len(found.effects), "idle": idle}
    return {**found.as_table(), **counts, "effects": rows, **_shown(found.measures)}


def encountered(request: JobRequest, pool: Executor | None, progress: Progress) -> dict[str, Any]:
    """Groups of foes of a wanted difficulty."""
    team, party = _party(request)
    found = encounter.encounters(
        request.system,
        party,
        team=team,
        foes=_against(team),
        wanted=encounter.difficulty(request.difficulty),
        numbers=_foes(request),
        bestiary=request.bestiary,
        options=request.options,
        seed=request.seed,
        files=False,
        pool=pool,
        progress=progress,
    )
    return {"team": team, **found.as_table()}


def campaigned(request: JobRequest, pool: Executor | None, progress: Progress) -> dict[str, Any]:
    """How far a party gets in several fights in a row."""
    team, party = _party(request)
    found = campaign.campaign(
        request.system,
        party,
        request.meet,
        team=team,
        rests=request.rest,
        options=request.options,
        tactics=request.tactics,
        runs=request.fights,
        seed=request.seed,
        files=False,
        progress=progress,
    )
    return {"team": team, **found.as_table()}


def _against(team: str) -> str:
    return "monsters" if team != "monsters" else "foes"


WORK: Mapping[str, Work] = {
    "compare": compared,
    "tune": tuned,
    "sensitivity": sensed,
    "encounter": encountered,
    "campaign": campaigned,
}
CHECKS: Mapping[str, Callable[[JobRequest], object]] = {
    "compare": _check_comparison,
    "tune": _check_tuning,
    "sensitivity": lambda request: _measured(_match(request), request.of),
    "encounter": _check_encounter,
    "campaign": _check_campaign,
}
