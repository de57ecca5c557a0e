"""Charts of figures with their intervals, as SVG: every mark has a tooltip, and no script is needed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from html import escape
from math import floor, log10

from affray.fight.drawing import picture
from affray.lab.figures import Rate
from affray.system.schema import cut

LEFT, RIGHT, WIDE, TOP, ROW = 230, 690, 720, 64, 24
INK, SOFT, MARK, LOSS = "#222", "#999", "#3559a8", "#b3432b"
MOST_LETTERS = 32

Shown = Callable[[float], str]


def ranges(title: str, rows: Mapping[str, Rate], shown: Shown, note: str = "") -> str:
    """A dot for each figure, with its interval as a line."""
    low = min((rate.low for rate in rows.values()), default=0.0)
    high = max((rate.high for rate in rows.values()), default=1.0)
    scale = _Scale(min(low, 0.0) if low < 0.3 * high else low, high)
    parts = scale.grid(len(rows), shown)
    for place, (name, rate) in enumerate(rows.items()):
        y = TOP + ROW * place + 14
        parts += [
            f"<g><title>{escape(_told(name, rate, shown))}</title>",
            _name(name, y),
            _hit(y),
            f'<line x1="{scale(rate.low):.1f}" x2="{scale(rate.high):.1f}" y1="{y}" y2="{y}" stroke="{MARK}" '
            'stroke-width="3"/>',
            f'<circle cx="{scale(rate.value):.1f}" cy="{y}" r="4.5" fill="{MARK}"/></g>',
        ]
    return picture(title, _height(len(rows)), parts, note, _text(rows, shown))


def effects(title: str, rows: Mapping[str, Sequence[Rate]], shown: Shown, note: str = "") -> str:
    """Bars from 0 for each of several changes, to the left for less and to the right for more, with intervals."""
    every = [rate for own in rows.values() for rate in own]
    far = max((max(abs(rate.low), abs(rate.high)) for rate in every), default=1.0) or 1.0
    scale = _Scale(-far, far)
    parts = scale.grid(len(rows), shown)
    for place, (name, own) in enumerate(rows.items()):
        y = TOP + ROW * place + 14
        told = "; ".join(_told(name, rate, shown) for rate in own)
        parts += [f"<g><title>{escape(told)}</title>", _name(name, y), _hit(y)]
        for at, rate in enumerate(own):
            middle, colour = y + 5 * (2 * at - len(own) + 1), LOSS if rate.value < 0 else MARK
            left, right = sorted((scale(0.0), scale(rate.value)))
            parts.append(
                f'<rect x="{left:.1f}" y="{middle - 4}" width="{right - left:.1f}" height="8" fill="{colour}" '
                'fill-opacity="0.6"/>'
                f'<line x1="{scale(rate.low):.1f}" x2="{scale(rate.high):.1f}" y1="{middle}" y2="{middle}" '
                f'stroke="{INK}"/>'
            )
        parts.append("</g>")
    return picture(
        title, _height(len(rows)), parts, note, "\n".join(_told(n, r, shown) for n, o in rows.items() for r in o)
    )


def histogram(title: str, shares: Mapping[str, float], shown: Shown, note: str = "") -> str:
    """A bar for each share, side by side."""
    height, most = 180, max(shares.values(), default=1.0) or 1.0
    wide = (RIGHT - 40) / max(1, len(shares))
    parts = []
    for place, (name, share) in enumerate(shares.items()):
        tall, x = (height - 20) * share / most, 40 + wide * place
        label = (
            f'<text x="{x + wide / 2:.1f}" y="{TOP + height + 14}" text-anchor="middle" font-size="11">{escape(name)}'
        )
        parts.append(
            f"<g><title>{escape(f'{name}: {shown(share)}')}</title>"
            f'<rect x="{x + 1:.1f}" y="{TOP + height - tall:.1f}" width="{max(1.0, wide - 2):.1f}" height="{tall:.1f}" '
            f'fill="{MARK}" fill-opacity="0.75"/>'
            + (f"{label}</text>" if len(shares) <= 24 or not place % (1 + len(shares) // 16) else "")
            + "</g>"
        )
    told = "\n".join(f"{name}: {shown(share)}" for name, share in shares.items())
    return picture(title, TOP + height + 54, parts, note, told)


class _Scale:
    """Places on the horizontal axis."""

    def __init__(self, low: float, high: float) -> None:
        self.low, self.high = low, high if high > low else low + 1.0

    def __call__(self, value: float) -> float:
        return LEFT + (RIGHT - LEFT) * (value - self.low) / (self.high - self.low)

    def grid(self, rows: int, shown: Shown) -> list[str]:
        """Thin lines with their values below."""
        step = _step((self.high - self.low) / 4)
        first, bottom = -floor(-self.low / step), TOP + ROW * rows + 6
        parts = []
        for tick in range(first, floor(self.high / step + 1e-9) + 1):
            x = self(tick * step)
            parts.append(
                f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{TOP - 4}" y2="{bottom}" stroke="{SOFT}" '
                f'stroke-width="{1 if tick else 2}" stroke-opacity="0.5"/>'
                f'<text x="{x:.1f}" y="{bottom + 14}" text-anchor="middle" font-size="11" fill="#444">'
                f"{escape(shown(tick * step))}</text>"
            )
        return parts


def _step(about: float) -> float:
    size = 10.0 ** floor(log10(about)) if about > 0 else 1.0
    return next(size * by for by in (1, 2, 5, 10) if size * by >= about * 0.999)


def _height(rows: int) -> int:
    return TOP + ROW * rows + 60


def _name(name: str, y: int) -> str:
    return (
        f'<text x="{LEFT - 10}" y="{y + 5}" text-anchor="end" font-size="13" fill="{INK}">'
        f"{escape(cut(name, MOST_LETTERS))}</text>"
    )


def _hit(y: int) -> str:
    """An area to hover over."""
    return f'<rect x="0" y="{y - 12}" width="{WIDE}" height="{ROW}" fill="#fff" fill-opacity="0"/>'


def _told(name: str, rate: Rate, shown: Shown) -> str:
    if rate.low == rate.high:
        return f"{name}: {shown(rate.value)}, exact"
    return f"{name}: {shown(rate.value)} ({shown(rate.low)} to {shown(rate.high)})"


def _text(rows: Mapping[str, Rate], shown: Shown) -> str:
    return "\n".join(_told(name, rate, shown) for name, rate in rows.items())
