"""The page of a report: tables and pictures that need no script, to be read on a screen or on paper."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape
from typing import TYPE_CHECKING

from affray.lab.design.charts import histogram, ranges
from affray.lab.design.report.duels import ONE, Duels, skill, strange
from affray.lab.figures import Rate, binned, percent

if TYPE_CHECKING:
    from affray.lab.design.matches import Match
    from affray.lab.design.report.report import Report

BARS = 12  # of a picture of lengths: more would not leave room for what stands below them
STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; color: #222; background: #fff; max-width: 72rem; margin: 2rem auto;
  padding: 0 1rem; }
h1 { line-height: 1.2; } h2 { margin-top: 2.5rem; border-bottom: 1px solid #999; }
table { border-collapse: collapse; font-size: .8rem; }
caption { text-align: left; font-weight: 600; padding: .3rem 0; }
th, td { border: 1px solid #bbb; padding: .2rem .3rem; text-align: right; font-variant-numeric: tabular-nums; }
th { background: #f3f1ea; font-weight: 600; text-align: left; }
.wide { overflow-x: auto; } .low { font-size: .75rem; color: #444; display: block; white-space: nowrap; }
svg { max-width: 100%; height: auto; } pre { background: #f3f1ea; padding: .6rem; white-space: pre-wrap; }
.warn { border: 2px solid #8a3b00; padding: .5rem; }
@media print { body { max-width: none; margin: 0; font-size: 10pt; } h2 { break-after: avoid; }
  table, svg, pre { break-inside: avoid; } table { font-size: 7pt; } .low { font-size: 6pt; }
  .wide { overflow: visible; } }
"""


def page(report: Report) -> str:
    """The whole page."""
    sections = (_summary, _matrix, _lengths, _first_seat, _decided, _choices, _tactics, _outliers, _reading)
    body = "\n".join(section(report) for section in sections)
    title = f"Report: {report.title}"
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{STYLE}</style></head>\n"
        f"<body><main><h1>{escape(title)}</h1>\n{body}\n</main></body></html>\n"
    )


def _section(title: str, *parts: str) -> str:
    return f"<section><h2>{escape(title)}</h2>\n" + "\n".join(parts) + "\n</section>"


def _p(text: str) -> str:
    return f"<p>{escape(text)}</p>"


def _command(*words: str) -> str:
    return f'<pre aria-label="The command that reproduces this">{escape(" ".join(words))}</pre>'


def _rate(rate: Rate) -> str:
    return f"{percent(rate.value)} ({percent(rate.low)} to {percent(rate.high)})"


def _signed(rate: Rate) -> str:
    return f"{100 * rate.value:+.1f}% ({100 * rate.low:+.1f}% to {100 * rate.high:+.1f}%)"


def _summary(report: Report) -> str:
    shown = (
        f"{len(report.fighters)} of the {report.of} fighters" if len(report.fighters) < report.of else "all fighters"
    )
    parts = []
    if report.interrupted:
        parts.append('<p class="warn">Interrupted: this is what there was so far; what is missing is left out.</p>')
    text = (
        f"{shown[:1].upper()}{shown[1:]} of {report.system}, each against each: {report.fights:,} fights of every pair "
        f"in each of both seats, everyone by the usual tactic, seed {report.seed}. Every figure stands with its 95% "
        "interval: hover over it, or read the small print."
    )
    return "\n".join([*parts, _p(text), f"<p>Fighters: {escape(', '.join(report.fighters))}.</p>"])


def _duel(report: Report, match: Match) -> str:
    return match.command("compare", "--sampled", "--fights", str(report.fights), "--seed", str(report.seed))


def _table(report: Report, caption: str, duels: Duels) -> str:
    heads = "".join(f'<th scope="col">{escape(name)}</th>' for name in duels.names)
    rows = []
    for name in duels.names:
        cells = "".join(_cell(report, duels, name, other) for other in duels.names)
        own = duels.overall.get(name)
        total = f"<td>{percent(own.value, 0)}{_small(own)}</td>" if own else "<td>–</td>"
        rows.append(f'<tr><th scope="row">{escape(name)}</th>{cells}{total}</tr>')
    return (
        f'<div class="wide" tabindex="0" role="region" aria-label="{escape(caption)}"><table>'
        f'<caption>{escape(caption)}</caption><thead><tr><th scope="col">wins against</th>{heads}'
        f'<th scope="col">all others</th></tr></thead><tbody>{"".join(rows)}</tbody></table></div>'
    )


def _cell(report: Report, duels: Duels, name: str, other: str) -> str:
    rate = duels.wins.get((name, other))
    if rate is None:
        return "<td>–</td>"
    match = duels.matches.get((name, other)) or duels.matches[other, name]
    told = f"{name} beats {other}: {_rate(rate)}\n{_duel(report, match)}"
    lightness = 94 - 34 * abs(rate.value - 0.5)
    colour = f"hsl({215 if rate.value >= 0.5 else 22} 70% {lightness:.0f}%)"
    return f'<td title="{escape(told)}" style="background:{colour}">{percent(rate.value, 0)}{_small(rate)}</td>'


def _small(rate: Rate) -> str:
    return f'<span class="low">{100 * rate.low:.0f} to {100 * rate.high:.0f}</span>'


def _matrix(report: Report) -> str:
    chart = ranges("Wins against all others", _ranked(report.duels.overall), percent)
    first = next(iter(report.duels.matches.values()))
    return _section(
        "Everyone against everyone",
        _table(report, "How often the row beats the column, percent", report.duels),
        chart if report.duels.overall else "",
        _p("The command for a pair is shown when you hover over its cell; that of the first is:"),
        _command(_duel(report, first)),
    )


def _ranked(rates: Mapping[str, Rate]) -> dict[str, Rate]:
    return dict(sorted(rates.items(), key=lambda item: -item[1].value))


def _lengths(report: Report) -> str:
    duels = report.duels
    fights = sum(duels.lengths.values())
    if not fights:
        return ""
    longest = max(duels.rounds, key=lambda pair: duels.rounds[pair].value)
    shortest = min(duels.rounds, key=lambda pair: duels.rounds[pair].value)
    words = [f"{what} on average: {' against '.join(pair)}, {_mean(duels.rounds[pair])} rounds."
             for what, pair in (("Shortest", shortest), ("Longest", longest))]  # fmt: skip
    first = next(iter(duels.matches.values()))
    shares = {name.replace(" to ", "–"): count / fights for name, count in binned(duels.lengths, BARS)}
    return _section(
        "How long fights last",
        histogram("Rounds of a fight", shares, lambda share: percent(share)),
        _p(" ".join(words)),
        _command(_duel(report, first), "--of", "rounds"),
    )


def _mean(rate: Rate) -> str:
    return f"{rate.value:.2f} ({rate.low:.2f} to {rate.high:.2f})"


def _first_seat(report: Report) -> str:
    rate = report.duels.first_seat
    if rate is None or not report.duels.wins:
        return ""
    verdict = "The first seat is an advantage." if rate.low > 0 else "The first seat is a disadvantage."
    open_ = "No advantage of a seat can be seen."
    text = f"Over all duels the first seat wins {_signed(rate)} more often than the last."
    first = next(iter(report.duels.matches.values()))
    return _section(
        "The first mover", _p(f"{text} {open_ if rate.low <= 0 <= rate.high else verdict}"),
        _command(_duel(report, first)),
    )  # fmt: skip


def _decided(report: Report) -> str:
    found = report.decisions
    if not found.late.count:
        return ""
    late = found.interval(found.late)
    steps = max(len(course) for course in found.courses)
    means = {
        f"{100 * step // (steps - 1)}% of the fight": _at(found.courses, step / (steps - 1)) for step in range(steps)
    }
    return _section(
        "How late a fight is decided",
        _p(
            f"In {found.late.count} fights of {_fight(report)} the later winner's chance was last below 75% when "
            f"{_rate(late)} of the fight was over: 0% is decided from the start, 100% by the very last throw. Each "
            f"position was played out {found.playouts:,} times."
        ),
        ranges("The later winner's chance", means, percent, "mean over the fights, with its 95% interval"),
        _command(*_whole(report)),
    )


def _at(courses: Iterable[list[float]], share: float) -> Rate:
    from affray.lab.design.certainty import Sums, deviations

    sums = Sums()
    sums.add([course[round(share * (len(course) - 1))] for course in courses])
    return sums.interval(deviations(0.95), (0.0, 1.0))


def _fight(report: Report) -> str:
    return " against ".join(", ".join(map(str, specs)) for specs in report.shown.teams.values())


def _choices(report: Report) -> str:
    found = report.decisions
    if not found.matter.count:
        return ""
    rows = []
    for kind, own in sorted(found.moves.items(), key=lambda item: item[1].given_away.mean):
        verdict = "no use in any of them" if own.no_use else ""
        given = found.interval(own.given_away)
        rows.append(
            f'<tr><th scope="row">{escape(kind)}</th><td>{own.open}</td><td>{own.best}</td>'
            f"<td>{escape(_rate(given))}</td><td>{verdict}</td></tr>"
        )
    useless = [kind for kind, own in found.moves.items() if own.no_use]
    dominated = (
        f"Always surely worse than another move in these decisions: {', '.join(useless)}."
        if useless
        else "No kind of move was surely worse than others in all decisions in which it was open."
    )
    return _section(
        "What choices are worth",
        _p(
            f"Between the best and the worst move of a decision lie {_rate(found.interval(found.matter))} of the "
            f"chance to win, in {found.matter.count} decisions of {_fight(report)}. {dominated}"
        ),
        '<div class="wide" tabindex="0" role="region" aria-label="Kinds of moves"><table><caption>Kinds of moves, '
        'by the word they begin with</caption><thead><tr><th scope="col">move</th><th scope="col">open</th>'
        '<th scope="col">best</th><th scope="col">chance given away</th><th scope="col">verdict</th></tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table></div>",
        _command(*_whole(report)),
    )


def _tactics(report: Report) -> str:
    duels = report.tactics
    if not duels.wins:
        return ""
    parts = [_table(report, f"{report.mirrored} against itself: how often the row beats the column, percent", duels)]
    found = skill(duels)
    if found:
        best, worst, won, lost = found
        parts.append(
            _p(
                f"Luck against skill: the best tactic, {best}, beats the worst, {worst}, in {_rate(won)} of the fights "
                f"and loses to it in {_rate(lost)}. With luck alone both would be the same; with skill alone the worst "
                "would never win."
            )
        )
    first = next(iter(duels.matches.values()))
    return _section("Tactics against tactics", *parts, _command(_duel(report, first)))


def _outliers(report: Report) -> str:
    if not report.worth:
        return ""
    found = strange(report.duels, report.worth)
    listed = "".join(f"<li>{escape(name)}: {escape(why)}</li>" for name, why in found)
    text = (
        f"Fighters that surely win less than those of a lower {report.by} on average, or more than those of a higher:"
    )
    return _section(
        f"Outliers by {report.by}",
        _p(text if found else f"No fighter is surely out of place for its {report.by}."),
        f"<ul>{listed}</ul>" if found else "",
    )


def _whole(report: Report) -> list[str]:
    """The command for the whole page."""
    words = ["affray", "report", report.system, *report.asked]
    words += [word for name, value in report.options.items() for word in ("--option", f"{name}={value}")]
    return [*words, "--fights", str(report.fights), "--decisions", str(report.looked_into), "--seed", str(report.seed)]


def _reading(report: Report) -> str:
    return _section(
        "How to read this",
        _p(
            "An interval holds for its own figure with 95%; of twenty figures, one is expected to lie outside. "
            f"The team in the first seat of a duel is called {ONE}. The whole page comes from:"
        ),
        _command(*_whole(report)),
    )
