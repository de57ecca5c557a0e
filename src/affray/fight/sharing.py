"""The picture of a fight that is over, to be shared: who fought, who won, how the chances went, and what was decisive.

It is as wide and as high as sites show pictures of links, and has the colours of the page.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from textwrap import shorten
from typing import TYPE_CHECKING, NamedTuple

from affray.errors import Illegal
from affray.fight.drawing import STROKES, courses

if TYPE_CHECKING:
    from affray.fight import Fight

WIDE, HIGH = 1200, 630
LEFT, RIGHT, TOP, BOTTOM = 150, 1120, 265, 470  # of the chart
LEAST = 0.03  # the change of a chance that is worth a mark
SERIF = "Iowan Old Style, Palatino Linotype, Palatino, Georgia, Liberation Serif, serif"
SANS = "system-ui, Segoe UI, Roboto, Liberation Sans, sans-serif"
LONGEST_TITLE, LONGEST_NOTE = 64, 80
CUT = " \u2026"


class Palette(NamedTuple):
    """The colours of the page: see `style.css`."""

    paper: str
    sheet: str
    ink: str
    soft: str
    line: str
    accent: str
    sides: tuple[str, ...]


LIGHT = Palette("#f7f2e7", "#fffcf5", "#29231c", "#63594b", "#d9cdb8", "#8a2f1f", tuple(s for s, _ in STROKES))
DARK = Palette(
    *("#1b1815", "#24201c", "#ece4d5", "#b3a793", "#433b32", "#eea184"),
    ("#7fb0d3", "#eea184", "#8fc7a3", "#d9b25f", "#c3a4e6"),
)


class Step(NamedTuple):
    """A decision that was taken, and the chance of a team to win before and after it."""

    decision: int
    start: float
    after: float


class Course(NamedTuple):
    """A team's chance to win from decision to decision."""

    team: str
    steps: Sequence[Step]

    @property
    def decisive(self) -> Step | None:
        """The decision that changed the chance most, if any changed it much."""
        found = max(self.steps, key=lambda step: abs(step.after - step.start), default=None)
        return found if found is not None and abs(found.after - found.start) >= LEAST else None


class Picture(NamedTuple):
    """A picture as SVG, and the same in words for those who cannot see it."""

    svg: str
    text: str


def shared(
    fight: Fight, course: Course | None = None, *, called: Mapping[str, str] | None = None, dark: bool = False
) -> Picture:
    """The picture of a fight that is over; without a course of chances it shows how all fighters stood.

    Fighters may be `called` by other names than in the fight.
    """
    if not fight.over:
        raise Illegal("there is a picture to share only of a fight that is over")
    names = called or {name: name for name in fight.names}
    palette = DARK if dark else LIGHT
    title = title_of(fight, names)
    result, note = result_of(fight), _note(fight, course, names)
    chart = _chances(course, palette) if course and course.steps else _stands(fight, names, palette)
    text = " ".join(part for part in (f"{fight.system.title}: {title}.", result, note) if part)
    return Picture(_framed(fight.system.title, title, result, note, chart, text, palette), text)


def title_of(fight: Fight, names: Mapping[str, str]) -> str:
    """Who fought against whom."""
    return " against ".join(" and ".join(names[name] for name in members) for members in fight.teams.values())


def result_of(fight: Fight) -> str:
    """How a fight ended, as a sentence or two."""
    ending = str(fight.ending)
    won = f"{ending[:1].upper()}{ending[1:]} won" if ending in fight.teams else f"It ended: {ending}"
    won = "It is a draw" if ending == "draw" else won
    why = f" {fight.concluded.text[:1].upper()}{fight.concluded.text[1:]}." if fight.concluded else ""
    return f"{won} in round {fight.round}.{why}"


def _note(fight: Fight, course: Course | None, names: Mapping[str, str]) -> str:
    """What was decisive, as a sentence."""
    if course is None:
        return ""
    if (step := course.decisive) is None:
        return "No single decision turned it."
    done = "; ".join(f"{names.get(one.who, one.who)}, {one.move}" for one in fight.revealed[step.decision])
    return f"Decisive: {done} ({step.start:.0%} to {step.after:.0%})."


def _framed(system: str, title: str, result: str, note: str, chart: Sequence[str], text: str, colours: Palette) -> str:
    short = shorten(title, LONGEST_TITLE, placeholder=CUT)
    size = 58 if len(short) <= 32 else 46 if len(short) <= 44 else 34
    below = shorten(note, LONGEST_NOTE, placeholder=CUT)
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDE} {HIGH}" width="{WIDE}" height="{HIGH}" '
            f'role="img" font-family="{SANS}">',
            f"<title>{escape(title)}</title>",
            f"<desc>{escape(text)}</desc>",
            f'<rect width="{WIDE}" height="{HIGH}" fill="{colours.paper}"/>',
            f'<rect x="28" y="28" width="{WIDE - 56}" height="{HIGH - 56}" rx="14" fill="{colours.sheet}" '
            f'stroke="{colours.line}" stroke-width="2"/>',
            f'<rect x="28" y="28" width="{WIDE - 56}" height="8" rx="4" fill="{colours.accent}"/>',
            f'<text x="80" y="92" font-size="24" fill="{colours.soft}">{escape(system)}</text>',
            f'<text x="{WIDE - 80}" y="92" font-size="26" font-weight="600" text-anchor="end" font-family="{SERIF}" '
            f'fill="{colours.soft}">Affray</text>',
            f'<text x="80" y="160" font-size="{size}" font-weight="600" font-family="{SERIF}" '
            f'fill="{colours.ink}">{escape(short)}</text>',
            f'<text x="80" y="215" font-size="32" font-family="{SERIF}" font-style="italic" '
            f'fill="{colours.accent}">{escape(shorten(result, 72, placeholder=CUT))}</text>',
            *chart,
            f'<text x="80" y="{HIGH - 68}" font-size="24" fill="{colours.ink}">{escape(below)}</text></svg>',
        ]
    )


def _chances(course: Course, colours: Palette) -> list[str]:
    """The chance of a team to win, with a mark at the decision that changed it most."""
    values = [course.steps[0].start, *(step.after for step in course.steps)]

    def at(place: int, value: float) -> str:
        return f"{LEFT + (RIGHT - LEFT) * place / (len(values) - 1):.1f},{BOTTOM - (BOTTOM - TOP) * value:.1f}"

    points = " ".join(at(place, value) for place, value in enumerate(values))
    drawn = [
        *(_rule(part, f"{part:.0%}", colours) for part in (0.0, 0.5, 1.0)),
        f'<polygon fill="{colours.accent}" fill-opacity="0.14" points="{LEFT},{BOTTOM} {points} {RIGHT},{BOTTOM}"/>',
        f'<polyline fill="none" stroke="{colours.accent}" stroke-width="5" stroke-linejoin="round" points="{points}"/>',
        f'<text x="{LEFT}" y="{BOTTOM + 34}" font-size="20" fill="{colours.soft}">'
        f"The chance that {escape(course.team[:40])} win, decision by decision</text>",
    ]
    if (step := course.decisive) is not None:
        place = course.steps.index(step)
        (x, y), (_, before) = (at(place + 1, step.after).split(","), at(place, step.start).split(","))
        drawn += [
            f'<path d="M{x} {before}V{y}" stroke="{colours.ink}" stroke-width="2" stroke-dasharray="4 4"/>',
            f'<circle cx="{x}" cy="{y}" r="11" fill="{colours.sheet}" stroke="{colours.ink}" stroke-width="4"/>',
        ]
    return drawn


def _stands(fight: Fight, names: Mapping[str, str], colours: Palette) -> list[str]:
    """How much every fighter had left, where chances cannot be told."""
    drawn, sides = [_rule(part, f"{part:.0%}", colours) for part in (0.0, 0.5, 1.0)], list(fight.teams)
    for name, course in zip(fight.names, courses(fight), strict=True):
        side = sides.index(fight.team_of[name]) % len(STROKES)
        step = (RIGHT - LEFT) / max(1, len(course) - 1)
        points = " ".join(
            f"{LEFT + step * place:.1f},{BOTTOM - (BOTTOM - TOP) * min(1.0, value / most):.1f}"
            for place, (value, most) in enumerate(course)
        )
        drawn.append(
            f'<polyline fill="none" stroke="{colours.sides[side]}" stroke-width="5" stroke-linejoin="round" '
            f'stroke-dasharray="{STROKES[side][1]}" points="{points}"><title>{escape(names[name])}</title></polyline>'
        )
    gauge = fight.system.gauges(fight.setup, fight.setup.view(fight.state, None), 0)[0].name
    told = [f'<tspan fill="{colours.soft}">{escape(gauge)} of</tspan>']
    for side, (_, members) in enumerate(list(fight.teams.items())[: len(STROKES)]):
        who = shorten(", ".join(names[name] for name in members), 30, placeholder=CUT)
        told.append(f'<tspan dx="14" font-weight="600" fill="{colours.sides[side]}">{escape(who)}</tspan>')
    return [*drawn, f'<text x="{LEFT}" y="{BOTTOM + 34}" font-size="20">{"".join(told)}</text>']


def _rule(part: float, label: str, colours: Palette) -> str:
    y = BOTTOM - (BOTTOM - TOP) * part
    return (
        f'<line x1="{LEFT}" y1="{y}" x2="{RIGHT}" y2="{y}" stroke="{colours.line}" stroke-width="2"/>'
        f'<text x="{LEFT - 14}" y="{y + 7}" font-size="20" text-anchor="end" fill="{colours.soft}">{label}</text>'
    )
