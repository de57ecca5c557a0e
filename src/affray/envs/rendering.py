"""Renders environments: the fight as text, as SVG, or as an array of pixels."""

from __future__ import annotations

from html import escape
from typing import Any

from affray.envs.bout import Bout
from affray.envs.needs import np
from affray.errors import MissingExtra
from affray.fight.drawing import STROKES, WIDTH

RENDER_MODES = ("human", "ansi", "svg", "rgb_array")
LINE, MARGIN, CHARACTER, BAR = 18, 16, 8, 26


def rendered(bout: Bout, viewer: int | None, mode: str | None) -> Any:
    """A bout as a viewer, or for None a spectator, sees it: in one of the render modes."""
    if mode is None:
        return None
    view = bout.setup.view(bout.state, viewer)
    text = _text(bout, view)
    if mode == "human":
        print(text)
        return None
    if mode == "ansi":
        return text
    return _svg(bout, view, text) if mode == "svg" else _pixels(bout, view, text)


def _text(bout: Bout, view: Any) -> str:
    status = bout.setup.system.status(bout.setup, view)
    return f"{status}\nThe fight is over: {bout.ending}." if bout.over else status


def _gauges(bout: Bout, view: Any) -> list[tuple[str, int, float, str]]:
    """The first gauge of every fighter: its name, its team, how full it is, and its value."""
    drawn = []
    for place, name in enumerate(bout.setup.names):
        for gauge in bout.setup.system.gauges(bout.setup, view, place)[:1]:
            full = min(1.0, gauge.value / max(1, gauge.most))
            drawn.append((name, bout.setup.team_numbers[place], full, f"{gauge.name} {gauge.value}/{gauge.most}"))
    return drawn


def _height(bars: int, text: str) -> int:
    return 2 * MARGIN + BAR * bars + LINE * (1 + len(text.splitlines()))


def _svg(bout: Bout, view: Any, text: str) -> str:
    gauges = _gauges(bout, view)
    height = _height(len(gauges), text)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" '
        f'role="img" font-family="monospace" font-size="13"><rect width="{WIDTH}" height="{height}" fill="#fbfaf7"/>'
    ]
    for row, (name, team, full, value) in enumerate(gauges):
        top, colour = MARGIN + BAR * row, STROKES[team % len(STROKES)][0]
        parts += [
            f'<rect x="170" y="{top}" width="{300 * full:.0f}" height="{BAR - 8}" fill="{colour}"/>',
            f'<rect x="170" y="{top}" width="300" height="{BAR - 8}" fill="none" stroke="{colour}"/>',
            f'<text x="{MARGIN}" y="{top + 13}">{escape(name)}</text>',
            f'<text x="480" y="{top + 13}">{escape(value)}</text>',
        ]
    for row, line in enumerate(text.splitlines(), 1):
        top = MARGIN + BAR * len(gauges) + LINE * row
        parts.append(f'<text x="{MARGIN}" y="{top}" xml:space="preserve">{escape(line)}</text>')
    return "\n".join([*parts, "</svg>"])


def _pixels(bout: Bout, view: Any, text: str) -> Any:
    try:
        from PIL import Image, ImageDraw
    except ImportError:
        raise MissingExtra("pictures of pixels", "train") from None
    gauges = _gauges(bout, view)
    # A frame of a film is as high as every other, whatever the text says.
    image = Image.new("RGB", (WIDTH, _height(len(bout.setup.names), "\n" * (3 * len(bout.setup.names) + 4))), "#fbfaf7")
    draw = ImageDraw.Draw(image)
    for row, (name, team, full, value) in enumerate(gauges):
        top, colour = MARGIN + BAR * row, STROKES[team % len(STROKES)][0]
        draw.rectangle((170, top, 170 + 300 * full, top + BAR - 8), fill=colour)
        draw.rectangle((170, top, 470, top + BAR - 8), outline=colour)
        draw.text((MARGIN, top + 3), name[:22], fill="#222222")
        draw.text((480, top + 3), value, fill="#222222")
    for row, line in enumerate(text.splitlines(), 1):
        draw.text((MARGIN, MARGIN + BAR * len(gauges) + LINE * row - 12), _plain(line), fill="#222222")
    return np.asarray(image)


def _plain(line: str) -> str:
    """A line without the characters that the drawing library's own font may lack."""
    return line.encode("ascii", "replace").decode()
