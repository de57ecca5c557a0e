"""Pictures: fights and chances as SVG, written directly so that no library is needed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape
from textwrap import shorten
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from affray.fight import Fight
    from affray.system.setup import Setup

WIDTH, ROW, LEFT, RIGHT, TOP = 720, 74, 150, 70, 64
# Told apart by shape and label as well as by colour.
STROKES = (("#3559a8", ""), ("#b3432b", "6 3"), ("#2e7d4f", "2 3"), ("#8a5a00", "9 3 2 3"), ("#6b3fa0", "4 4"))


def fight_svg(fight: Fight) -> str:
    """Each fighter's course from decision to decision, and how it ended."""
    height = TOP + ROW * len(fight.names) + 46
    parts: list[str] = []
    found = courses(fight)
    for place, name in enumerate(fight.names):
        parts += _course(fight, place, name, found[place])
    result = f"Ended: {fight.ending}" if fight.over else f"Decision {fight.decision}, still fighting"
    return picture(_title(fight), height, parts, result, fight.story)


def picture(title: str, height: int, parts: Iterable[str], note: str, told: str = "") -> str:
    """A picture with its title above and a note below; `told` is for readers who cannot see it."""
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" '
            f'role="img" font-family="system-ui, sans-serif" font-size="14">',
            f"<title>{escape(title)}</title>",
            *([f"<desc>{escape(told)}</desc>"] if told else []),
            f'<rect width="{WIDTH}" height="{height}" fill="#fbfaf7"/>',
            f'<text x="20" y="34" font-size="19" font-weight="600" fill="#222">{escape(shorten(title, 72))}</text>',
            *parts,
            f'<text x="20" y="{height - 16}" fill="#444">{escape(note)}</text></svg>',
        ]
    )


def _title(fight: Fight) -> str:
    return " against ".join(" and ".join(members) for members in fight.teams.values())


def courses(fight: Fight) -> list[list[tuple[int, int]]]:
    """The first gauge of every fighter after each decision, as value and maximum, as a spectator may know it."""
    states = [fight.first_state, *fight.past_states()[1:], fight.state]
    setups = [*fight.past_setups(), fight.setup]
    setups = setups if len(setups) == len(states) else [fight.setup] * len(states)

    def drawn(setup: Setup[Any], state: Any, place: int) -> tuple[int, int]:
        if place >= len(setup.names):  # who joins later
            return 0, 1
        gauge = setup.system.gauges(setup, state, place)[0]
        return gauge.value, max(1, gauge.most)

    seen = [setup.view(state, None) for setup, state in zip(setups, states, strict=True)]
    return [
        [drawn(setup, state, place) for setup, state in zip(setups, seen, strict=True)]
        for place in range(len(fight.names))
    ]


def _course(fight: Fight, place: int, name: str, course: list[tuple[int, int]]) -> list[str]:
    stroke, dashes = STROKES[list(fight.teams).index(fight.team_of[name]) % len(STROKES)]
    base = TOP + ROW * (place + 1) - 14
    step = (WIDTH - LEFT - RIGHT) / max(1, len(course) - 1)
    points = " ".join(
        f"{LEFT + step * i:.1f},{base - (ROW - 26) * value / most:.1f}" for i, (value, most) in enumerate(course)
    )
    value, most = course[-1]
    gauge = fight.system.gauges(fight.setup, fight.state, place)[0].name
    return [
        f'<line x1="{LEFT}" y1="{base}" x2="{WIDTH - RIGHT}" y2="{base}" stroke="#ccc"/>',
        f'<text x="20" y="{base - 16}" fill="#222" font-weight="600">{escape(name[:16])}</text>',
        f'<text x="20" y="{base + 2}" fill="#666" font-size="12">{escape(fight.team_of[name][:18])}</text>',
        f'<polyline fill="none" stroke="{stroke}" stroke-width="2.5" stroke-dasharray="{dashes}" points="{points}"/>',
        f'<text x="{WIDTH - RIGHT + 8}" y="{base - 4}" fill="{stroke}">{value}/{most}</text>',
        f'<text x="{WIDTH - RIGHT + 8}" y="{base + 10}" fill="#666" font-size="11">{escape(gauge)}</text>',
    ]


def chances_svg(title: str, chances: Mapping[str, tuple[float, float, float]], note: str) -> str:
    """Chances as labelled bars, each with the interval it lies in."""
    height = TOP + 34 * len(chances) + 40
    parts: list[str] = []
    room = WIDTH - LEFT - 120
    for place, (name, (chance, low, high)) in enumerate(chances.items()):
        y = TOP + 34 * place
        parts += [
            f'<text x="20" y="{y + 16}" fill="#222">{escape(name[:18])}</text>',
            f'<rect x="{LEFT}" y="{y}" width="{room}" height="22" fill="#eceae4"/>',
            f'<rect x="{LEFT}" y="{y}" width="{room * chance:.1f}" height="22" fill="#3559a8"/>',
            f'<text x="{LEFT + room + 10}" y="{y + 16}" fill="#222">{chance:.3%}</text>',
        ]
        if high > low:
            ends = LEFT + room * low, LEFT + room * high
            parts.append(f'<path d="M{ends[0]:.1f} {y + 11}H{ends[1]:.1f}" stroke="#b3432b" stroke-width="3"/>')
    return picture(title, height, parts, note)
