"""Charts of a simulation: endings with intervals, the distribution of rounds, and the fighters' figures."""

from __future__ import annotations

import html
import io
from collections.abc import Sequence
from importlib.util import find_spec
from itertools import accumulate
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING, Any

from affray.errors import Invalid, MissingExtra
from affray.system.files import check_writable, write_whole
from affray.system.schema import cut

if TYPE_CHECKING:
    from affray.lab.figures import Rate
    from affray.lab.simulate import Simulation

KINDS = (".svg", ".png", ".html")


ACROSS = 3  # panels of figures side by side
WIDTH = 10.0  # inches
BAR = 0.3  # inches for a bar and its label
AROUND = 0.9  # inches for the title and the axis of a panel
MANY = 40  # rounds; if fights last longer, the longest 1% are left out of the picture and mentioned in its title
# Teams differ in colour and in hatching.
LOOKS = (("#7d93c4", ""), ("#c9a35b", "//"), ("#8fb58a", ".."), ("#c48a9b", "xx"), ("#9d8fc4", "\\\\"))


def plot(simulation: Simulation, path: str | Path) -> None:
    """Draw a simulation into a file, in the format of the file's extension."""
    target = checked(path)
    kind = target.suffix.lower()
    drawn = _draw(simulation, "png" if kind == ".png" else "svg")
    write_whole(target, drawn if kind != ".html" else _page(simulation, drawn.decode()))


def checked(path: str | Path) -> Path:
    """The file for a picture, checked before the fights are simulated: it must be possible to draw into it."""
    target = Path(path)
    kind = target.suffix.lower()
    if kind not in KINDS:
        raise Invalid(f"{target} must end in {', '.join(KINDS)}, not {kind!r}", given=kind, allowed=KINDS)
    check_writable(target)
    if find_spec("matplotlib") is None:
        raise MissingExtra("plotting", "lab")
    return target


def _draw(simulation: Simulation, kind: str) -> bytes:
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    shown = [name for name in _names(simulation) if any(row[name].value for row in simulation.figures.values())]
    chances = [name for name in shown if name in simulation.chances]
    counts = [name for name in shown if name not in simulation.chances]
    heights = [AROUND + BAR * max(2, len(simulation.rates)), 2.6, *(_height(simulation, p) for p in (chances, counts))]
    target = io.BytesIO()
    # A fixed salt and no date: the same simulation draws the same file.
    with rc_context({"svg.hashsalt": "affray", "svg.fonttype": "none", "font.size": 9, "axes.titlesize": 10}):
        figure = Figure(figsize=(WIDTH, 0.5 + sum(heights)), layout="constrained")
        parts: Any = figure.subfigures(
            sum(map(bool, heights)), 1, height_ratios=[height for height in heights if height]
        )
        figure.suptitle(f"{simulation.fights:,} fights of {simulation.system}, seed {simulation.seed}", size=13)
        _endings(parts[0].subplots(), simulation)
        _rounds(parts[1].subplots(), simulation)
        for part, names in zip(parts[2:], filter(None, (chances, counts)), strict=True):
            _panels(part, simulation, names)
        figure.savefig(target, format=kind, dpi=150, metadata={"Date": None} if kind == "svg" else {})
    return target.getvalue()


def _names(simulation: Simulation) -> list[str]:
    return list(next(iter(simulation.figures.values()), {}))


def _height(simulation: Simulation, panels: Sequence[str]) -> float:
    """The height of the panels in inches, with one bar for each fighter in each of them."""
    return ceil(len(panels) / ACROSS) * (AROUND + BAR * len(simulation.figures)) + 0.3 * bool(panels)


def _endings(axes: Any, simulation: Simulation) -> None:
    teams = list(simulation.teams)
    names = [f"{cut(ending, 24)} win" if ending in teams else ending for ending in simulation.rates]
    looks = [LOOKS[teams.index(e) % len(LOOKS)] if e in teams else ("#bbbbbb", "") for e in simulation.rates]
    _bars(axes, names, list(simulation.rates.values()), looks, percent=True)
    axes.set(title="How the fights ended, with 95% intervals", xlabel="% of fights")


def _rounds(axes: Any, simulation: Simulation) -> None:
    lasted = sorted(simulation.rounds)
    counts = [simulation.rounds[n] for n in lasted]
    within = [n for n, seen in zip(lasted, accumulate(counts), strict=True) if seen <= 0.99 * simulation.fights]
    last = lasted[-1] if lasted[-1] - lasted[0] <= MANY else max(lasted[0], within[-1] + 1 if within else 0)
    shown = [n for n in lasted if n <= last]
    axes.bar(shown, [100 * simulation.rounds[n] / simulation.fights for n in shown], color="#8fb5b5", edgecolor="#333")
    longer = 1 - sum(simulation.rounds[n] for n in shown) / simulation.fights
    rest = f"; {100 * longer:.1f}% lasted longer than shown, up to {lasted[-1]}" if longer > 0 else ""
    axes.set(
        title=f"Rounds: {simulation.mean_rounds.value:.2f} on average{rest}", xlabel="rounds", ylabel="% of fights"
    )
    axes.xaxis.get_major_locator().set_params(integer=True)


def _panels(part: Any, simulation: Simulation, names: Sequence[str]) -> None:
    """One small chart for each figure, all of one kind: chances, or means."""
    are_chances = names[0] in simulation.chances
    part.suptitle("Share of the fights" if are_chances else "Average per fight", size=11)
    grid = part.subplots(ceil(len(names) / ACROSS), ACROSS, squeeze=False).flat
    team_of = {member: team for team, members in simulation.teams.items() for member in members}
    teams = list(simulation.teams)
    looks = [LOOKS[teams.index(team_of[who]) % len(LOOKS)] for who in simulation.figures]
    for place, axes in enumerate(grid):
        if place >= len(names):
            axes.axis("off")
            continue
        rates = [row[names[place]] for row in simulation.figures.values()]
        labels = (
            [f"{cut(who, 16)} ({cut(team_of[who], 16)})" for who in simulation.figures] if place % ACROSS == 0 else []
        )
        _bars(axes, labels or [""] * len(rates), rates, looks, percent=are_chances)
        axes.set(title=names[place])


def _bars(
    axes: Any, names: Sequence[str], rates: Sequence[Rate], looks: Sequence[tuple[str, str]], percent: bool
) -> None:
    """A bar for each rate, from top to bottom, with its interval and its number beside it."""
    scale = 100 if percent else 1
    spots = range(len(rates))
    values = [scale * rate.value for rate in rates]
    errors = [[scale * (r.value - r.low) for r in rates], [scale * (r.high - r.value) for r in rates]]
    colours, hatches = [colour for colour, _ in looks], [hatch for _, hatch in looks]
    drawn = axes.barh(spots, values, xerr=errors, color=colours, hatch=hatches, edgecolor="#333", capsize=2)
    axes.bar_label(drawn, [f"{value:.1f}%" if percent else _number(value) for value in values], padding=4)
    axes.set_yticks(spots, names)
    furthest = 100 if percent else max([scale * rate.high for rate in rates])
    axes.set_xlim(min([0, *(scale * rate.low for rate in rates)]), 1.3 * furthest or 1)
    axes.locator_params(axis="x", nbins=5)
    if percent:
        axes.set_xticks(range(0, 101, 20))
    axes.spines[["top", "right"]].set_visible(False)
    axes.invert_yaxis()


def _number(value: float) -> str:
    """A mean with two decimal places, or as many as it needs not to read 0."""
    return f"{value:.2f}" if not 0 < abs(value) < 0.01 else f"{value:.1g}"


def _page(simulation: Simulation, svg: str) -> str:
    rows = "".join(
        f"<tr><th scope=row>{html.escape(ending)}</th><td>{simulation.counts[ending]:,}</td><td>{rate.value:.4%}</td>"
        f"<td>{rate.low:.4%} to {rate.high:.4%}</td></tr>"
        for ending, rate in simulation.rates.items()
    )
    title = html.escape(f"{simulation.fights:,} fights of {simulation.system}")
    return (
        f"<!doctype html><html lang=en><meta charset=utf-8><meta name=viewport content='width=device-width'>"
        f"<title>{title}</title><style>body{{font:16px system-ui;margin:2em auto;max-width:60em;padding:0 1em}}"
        f"td,th{{padding:.2em .8em;text-align:right}}svg{{max-width:100%;height:auto}}</style><h1>{title}</h1>"
        f"<table><tr><th>ending<th>fights<th>rate<th>95% interval</tr>{rows}</table>{svg[svg.index('<svg') :]}</html>"
    )
