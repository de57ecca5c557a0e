"""Charts of a simulation: endings with intervals, the distribution of rounds, and the fighters' figures."""

from __future__ import annotations

import html
import io
from pathlib import Path
from typing import TYPE_CHECKING, Any

from affray.errors import Invalid, MissingExtra
from affray.system.files import write_whole

if TYPE_CHECKING:
    from affray.lab.simulate import Simulation

KINDS = (".svg", ".png", ".html")


def plot(simulation: Simulation, path: str | Path) -> None:
    """Draw a simulation into a file; its ending says how."""
    target = Path(path)
    kind = target.suffix.lower()
    if kind not in KINDS:
        raise Invalid(f"{target} must end in {', '.join(KINDS)}, not {kind!r}", given=kind, allowed=KINDS)
    drawn = _draw(simulation, "png" if kind == ".png" else "svg")
    write_whole(target, drawn if kind != ".html" else _page(simulation, drawn.decode()))


def _draw(simulation: Simulation, kind: str) -> bytes:
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise MissingExtra("plotting", "lab") from None
    figure = Figure(figsize=(8, 7.5), layout="constrained")
    endings, rounds, fighters = figure.subplots(3, 1, height_ratios=(2, 3, 3))
    figure.suptitle(f"{simulation.fights:,} fights of {simulation.system}, seed {simulation.seed}")
    _endings(endings, simulation)
    _rounds(rounds, simulation)
    _fighters(fighters, simulation)
    target = io.BytesIO()
    # A fixed salt and no date: the same simulation draws the same file.
    from matplotlib import rc_context

    with rc_context({"svg.hashsalt": "affray", "svg.fonttype": "none"}):
        figure.savefig(target, format=kind, dpi=150, metadata={"Date": None} if kind == "svg" else {})
    return target.getvalue()


def _endings(axes: Any, simulation: Simulation) -> None:
    rates = simulation.rates
    values = [100 * rate.value for rate in rates.values()]
    errors = [
        [100 * (rate.value - rate.low) for rate in rates.values()],
        [100 * (rate.high - rate.value) for rate in rates.values()],
    ]
    bars = axes.barh(list(rates), values, xerr=errors, color="#7d93c4", edgecolor="#24365f", capsize=3)
    axes.bar_label(bars, [f"{value:.2f} %" for value in values], padding=6)
    axes.set(title="Endings, with 95 % intervals", xlabel="% of fights", xlim=(0, 115))
    axes.invert_yaxis()


def _rounds(axes: Any, simulation: Simulation) -> None:
    lasted = sorted(simulation.rounds)
    shares = [100 * simulation.rounds[n] / simulation.fights for n in lasted]
    axes.bar(lasted, shares, color="#c9a35b", edgecolor="#5c4310")
    axes.set(title=f"Rounds (mean {simulation.mean_rounds.value:.2f})", xlabel="rounds", ylabel="% of fights")


def _fighters(axes: Any, simulation: Simulation) -> None:
    names = list(simulation.figures)
    figures = list(next(iter(simulation.figures.values()), {}))
    hatches = ("", "//", "..", "xx", "\\\\")
    width = 0.8 / max(1, len(figures))
    for place, figure in enumerate(figures):
        spots = [i + place * width for i in range(len(names))]
        means = [simulation.figures[name][figure].value for name in names]
        axes.bar(spots, means, width, label=figure, hatch=hatches[place % len(hatches)], edgecolor="#333")
    axes.set_xticks([i + 0.4 - width / 2 for i in range(len(names))], names)
    axes.set(title="Per fighter, mean of a fight")
    axes.margins(y=0.3)
    if figures:
        axes.legend(fontsize="small", ncols=len(figures))


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
        f"<table><tr><th>ending<th>fights<th>rate<th>95 % interval</tr>{rows}</table>{svg[svg.index('<svg') :]}</html>"
    )
