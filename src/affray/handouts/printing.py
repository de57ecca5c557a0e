"""Makes the page to print: the rules of a system on one side, a character sheet, blank or filled, on the next."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from html import escape
from itertools import groupby
from math import ceil
from typing import Any

from affray.errors import Refused
from affray.fight import Fight
from affray.system.abilities import Print
from affray.system.contract import System
from affray.system.handout import WIDEST, Box, Grid, Group, Handout, Section
from affray.system.listing import in_words
from affray.system.schema import Value, allowed, as_text, settle, stranger
from affray.system.sheets import Sheet

MARK = '<meta name="generator" content="affray print">'
"""What a page made here has in its head."""

MOST_TICKS = 60
_MOST_MOVES = 12
_PLACE = re.compile(r"\{(\+?)([a-z0-9_]+)\}")
_STRONG = re.compile(r"\*\*(.+?)\*\*")

# Fonts of one and the same width wherever they are installed, so that what fits here fits elsewhere. Nothing is
# shaded: browsers leave backgrounds out when they print.
STYLE = """
@page { margin: 11mm }
* { box-sizing: border-box }
html { background: #fff; color: #000; font: 10pt/1.22 Arial, "Liberation Sans", Helvetica, sans-serif }
body { margin: 0 auto; max-width: 188mm; font-variant-emoji: text }
h1, h2, h3, p, ul, ol, dl, dd { margin: 0; padding: 0 }
h1 { font-size: 1.7em; line-height: 1.1 }
h2 { font-size: 1.12em; border-bottom: .09em solid; margin: .5em 0 .2em; break-after: avoid }
h3 { font-size: 1em; border-bottom: .06em solid; margin: .8em 0 .4em; break-after: avoid }
header { border-bottom: .15em solid; padding-bottom: .25em; margin-bottom: .2em }
.columns { columns: 2; column-gap: 5mm }
.columns > section:first-child h2, .across + section h2 { margin-top: .1em }
.across { column-span: all }
ul { list-style: none }
li, .said { margin-top: .17em; padding-left: .8em; text-indent: -.8em; break-inside: avoid; orphans: 3; widows: 3 }
ol { padding-left: 1.5em }
ol li { padding: 0; text-indent: 0 }
table { border-collapse: collapse; width: 100%; margin: .3em 0; break-inside: avoid; line-height: 1.15 }
th, td { border: .05em solid #000; padding: .1em .3em; text-align: left; vertical-align: top }
thead th { border-bottom-width: .14em }
.short { text-align: center; white-space: nowrap }
footer { margin-top: .4em; font-size: .85em }
.sheet { break-before: page }
header h2 { font-size: 1.5em; border: 0; margin: 0 }
.boxes { display: grid; grid-template-columns: repeat(12, 1fr); gap: 2mm }
.box { border: .25mm solid #000; border-radius: 1mm; padding: .7mm 1.5mm; min-height: 11mm; break-inside: avoid;
  overflow-wrap: anywhere }
dt { font-size: .78em }
dd { font-size: 1.15em }
.rest div, .rest dt, .rest dd { display: inline; font-size: 1em }
.rest div { margin-right: 1.2em }
.rest dt::after { content: ":" }
.rest dd { font-weight: bold }
.ticks { display: flex; flex-wrap: wrap; gap: 1.1mm; margin-top: .8mm; font-size: 4mm; line-height: 3.6mm }
.ticks i { display: block; width: 4mm; height: 4mm; border: .25mm solid #000; text-align: center; font-style: normal }
.line { display: block; height: 7mm; border-bottom: .1mm solid #000 }
.spoken { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap }
@media screen { body { padding: 5mm } .sheet { margin-top: 12mm } }
@media screen and (max-width: 40em) { .columns { columns: 1 } .box { grid-column: span 12 !important } }
"""


def page(system: System[Any, Any], sheets: Sequence[Sheet] = (), options: Mapping[str, object] | None = None) -> str:
    """The page of a system as HTML: its rules, and a character sheet for each of `sheets`, or a blank one."""
    settled = settle(system.all_options, options or {}, profiles=system.profiles)
    handout = handout_for(system, settled)
    tables = [(sheet.name, {**system.derived(sheet, settled), **system.as_table(sheet)}) for sheet in sheets]
    parts = [
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
        MARK,
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{escape(handout.title)}: rules and sheet</title>",
        f"<style>{STYLE}</style>\n</head>\n<body>\n<main>",
        *_rules(handout, system.id),
    ]
    for name, table in tables or [(f"{handout.title}: character sheet", {})]:
        parts += _sheet(handout, name, table)
    return "\n".join([*parts, "</main>\n</body>\n</html>\n"])


# What is on it


def handout_for(system: System[Any, Any], options: Mapping[str, Value]) -> Handout:
    """The handout of a system as these options have it; one without a handout of its own gets it from its rulings."""
    changed = _changes(system, options)
    printed = system.ability(Print)
    if printed is None:
        return _drawn_up(system, options, changed)
    handout = printed.handout()
    sections = (_set(section, options) for section in handout.sections)
    groups = tuple(
        replace(group, boxes=tuple(replace(box, label=filled(box.label, options)) for box in group.boxes))
        for group in handout.groups
    )
    return replace(handout, lead=filled(handout.lead, options), sections=(*changed, *sections), groups=groups)


def _changes(system: System[Any, Any], options: Mapping[str, Value]) -> tuple[Section, ...]:
    """What is different at this table."""
    lines = [
        f"**{option.name} = {as_text(options[option.name])}**, usually {as_text(option.default)}: {option.help}"
        for option in system.all_options
        if options.get(option.name, option.default) != option.default
    ]
    return (Section(heading="Different at this table", lines=tuple(lines)),) if lines else ()


def _set(section: Section, options: Mapping[str, Value]) -> Section:
    return replace(
        section,
        lines=tuple(filled(line, options) for line in section.lines),
        steps=tuple(filled(line, options) for line in section.steps),
        table=tuple(tuple(filled(cell, options) for cell in row) for row in section.table),
        below=tuple(filled(line, options) for line in section.below),
    )


def filled(text: str, options: Mapping[str, Value]) -> str:
    """The text with values for the option names in braces; one behind a plus is written with its sign."""

    def told(place: re.Match[str]) -> str:
        if place[2] not in options:
            raise stranger("the handout", "option", place[2], options)
        value = options[place[2]]
        return f"{value:+d}" if place[1] and type(value) is int and value else as_text(value)

    return _PLACE.sub(told, text)


def _drawn_up(system: System[Any, Any], options: Mapping[str, Value], changed: tuple[Section, ...]) -> Handout:
    """A handout made of what every system has: moves, rulings, options, and the tables of its sheets."""
    rulings = [f"**{ruling.question}** {ruling.text}" for ruling in system.rulings().values()]
    before, after = (*changed, *_moves(system, options)), tuple(_options(system, options))
    kept = len(rulings)
    while kept and not _fits(system.summary, (*before, _ruled(rulings, kept, system.id), *after), SIZES[-1]):
        kept -= 1
    sections = (*before, _ruled(rulings, kept, system.id), *after)
    boxes = tuple(_plain_box(key, value) for key, value in _every_key(system).items())
    room = 24 - ceil(sum(box.wide for box in boxes) * 2 / WIDEST)  # a row of boxes is as high as two lines
    notes = Box(label="Notes", wide=WIDEST, lines=max(2, min(12, room)))
    groups = (Group(heading="Character", boxes=boxes), Group(heading="Notes", boxes=(notes,)))
    return Handout(title=system.title, lead=system.summary, sections=sections, groups=groups)


def _ruled(rulings: Sequence[str], kept: int, id: str) -> Section:
    rest = f"{len(rulings) - kept} more: affray rules {id}"
    return Section(heading="Rules", lines=(*rulings[:kept], *([rest] if kept < len(rulings) else [])))


def _moves(system: System[Any, Any], options: Mapping[str, Value]) -> Iterator[Section]:
    """The moves of the first decision of the system's own fight, as an example."""
    try:
        own = {option.name: options[option.name] for option in system.options if option.name in options}
        fight = Fight(system, system.demonstration, seed=0, options=own)
    except Refused:  # options under which it cannot be fought
        return
    moves = [str(move) for who in fight.to_act[:1] for move in fight.legal(who)]
    if moves:
        more = [f"and {len(moves) - _MOST_MOVES} more"] if len(moves) > _MOST_MOVES else []
        yield Section(heading="Moves, for example", lines=("; ".join([*moves[:_MOST_MOVES], *more]),))


def _options(system: System[Any, Any], options: Mapping[str, Value]) -> Iterator[Section]:
    rows = [(o.name, as_text(options[o.name]), allowed(o), o.help) for o in system.all_options]
    if rows:
        yield Section(heading="Options", table=(("option", "is", "may be", "meaning"), *rows))


def _every_key(system: System[Any, Any]) -> dict[str, object]:
    """Every key that a sheet of the system's catalogue has, with the first value that says something."""
    keys: dict[str, object] = {}
    for known in system.catalogue().values():
        for sheet in known.values():
            for key, value in system.as_table(sheet).items():
                keys[key] = keys.get(key) or value
    return keys


def _plain_box(key: str, value: object) -> Box:
    roomy = isinstance(value, list | tuple | Mapping) or len(in_words(value)) > 24
    return Box(label=_label(key), key=key, wide=6 if roomy or key == "name" else 3)


# The rules

SIZES = tuple(points / 4 for points in range(44, 25, -1))
"""Sizes of letters in points, from 11 down to 6.5, the largest that fits being taken."""

_LETTER, _LINE = 0.465, 1.22  # how wide an average letter is and how high a line, in sizes of the letters
_WIDTH, _HEIGHT = 519.0, 728.0  # in points, of what A4 and Letter both have within the margins
_TITLE = 3.5  # lines that the title and the foot of the page take
_UNEVEN = 2.5  # lines by which a column may be longer than half of both


def _rules(handout: Handout, id: str) -> Iterator[str]:
    size = next((size for size in SIZES if _fits(handout.lead, handout.sections, size)), SIZES[-1])
    yield f'<article class="rules" style="font-size: {size:g}pt">'
    yield f"<header><h1>{_said(handout.title)}</h1><p>{_said(handout.lead)}</p></header>"
    yield '<div class="columns">'
    for section in handout.sections:
        how = ' class="across"' if section.across else ""
        yield f"<section{how}><h2>{_said(section.heading)}</h2>"
        yield from _listed("ul", section.lines)
        yield from _listed("ol", section.steps)
        yield from _table(section.table)
        yield from _listed("ul", section.below)
        yield "</section>"
    yield f"</div>\n<footer>Every ruling and option in full: affray rules {escape(id)}</footer>\n</article>"


def _said(text: str) -> str:
    """A line of words as HTML; what stands between two pairs of stars is strong."""
    return _STRONG.sub(r"<strong>\1</strong>", escape(text))


def _listed(kind: str, lines: Sequence[str]) -> Iterator[str]:
    if len(lines) == 1 and kind == "ul":
        yield f'<p class="said">{_said(lines[0])}</p>'
    elif lines:
        yield f"<{kind}>{''.join(f'<li>{_said(line)}</li>' for line in lines)}</{kind}>"


def _table(grid: Grid) -> Iterator[str]:
    if not grid:
        return
    head, *rows = grid
    short = [all(len(row[place]) <= 7 for row in rows) for place in range(len(head))]
    style = [' class="short"' if narrow and place else "" for place, narrow in enumerate(short)]
    yield "<table><thead><tr>" + "".join(
        f'<th scope="col"{how}>{_said(cell)}</th>' for cell, how in zip(head, style, strict=True)
    )
    yield "</tr></thead><tbody>"
    for first, *cells in rows:
        tail = "".join(f"<td{how}>{_said(cell)}</td>" for cell, how in zip(cells, style[1:], strict=True))
        yield f'<tr><th scope="row">{_said(first)}</th>{tail}</tr>'
    yield "</tbody></table>"


def _fits(lead: str, sections: Sequence[Section], size: float) -> bool:
    """Whether sections in letters of a size come out on one page, by a careful guess."""
    wide = _WIDTH / (size * _LETTER)
    high = _TITLE + ceil(len(lead) / wide)
    for across, run in groupby(sections, key=lambda section: section.across):
        if across:
            high += sum(_rows(section, wide) for section in run)
        else:  # two columns, of which the one is longer by what cannot be parted
            column, parts = wide / 2 - 3, list(run)
            largest = max(_table_rows(section.table, column) for section in parts)
            high += max(sum(_rows(section, column) for section in parts) / 2 + _UNEVEN, largest)
    return high * size * _LINE <= _HEIGHT


def _rows(section: Section, wide: float) -> float:
    """How many lines a section takes where so many letters fit into one."""
    lines = [*section.lines, *section.steps, *section.below]
    return 1.75 + sum(ceil((len(line) + 2) / wide) + 0.14 for line in lines) + _table_rows(section.table, wide)


def _table_rows(grid: Grid, wide: float) -> float:
    if not grid:
        return 0
    columns = list(zip(*grid, strict=True))
    whole = [max(len(cell) for cell in column) + 1.5 for column in columns]
    least = [max(len(word) for cell in column for word in [*cell.split(), ""]) + 1.5 for column in columns]
    spare = max(0.0, wide - sum(least)) / max(1.0, sum(whole) - sum(least))
    room = [low + min(1.0, spare) * (high - low) for low, high in zip(least, whole, strict=True)]
    deep = [max(ceil((len(cell) + 1.5) / most) for cell, most in zip(row, room, strict=True)) for row in grid]
    return 0.5 + sum(0.95 * rows + 0.22 for rows in deep)


# The sheet

Leaves = dict[tuple[str, ...], object]
"""Every single thing that a sheet says, by the keys that lead to it."""


def _sheet(handout: Handout, name: str, table: Mapping[str, object]) -> Iterator[str]:
    """A sheet, filled with what the table says; nothing that it says is left out."""
    leaves = dict(_leaves(table))
    yield f'<article class="sheet">\n<header><h2>{escape(name)}</h2></header>'
    for group in handout.groups:
        yield f'<section><h3>{_said(group.heading)}</h3><dl class="boxes">'
        for box in group.boxes:
            yield f'<div class="box" style="grid-column: span {box.wide}"><dt>{_said(box.label)}</dt>'
            yield f"<dd>{_content(box, leaves)}</dd></div>"
        yield "</dl></section>"
    if rest := _unboxed(handout, leaves):
        said = (f"<div><dt>{escape(_label(*at))}</dt> <dd>{escape(in_words(rest[at]))}</dd></div>" for at in rest)
        yield f'<section><h3>Also</h3><dl class="rest">{"".join(said)}</dl></section>'
    yield "</article>"


def _unboxed(handout: Handout, leaves: Leaves) -> Leaves:
    """What a sheet says that no box shows."""
    boxes = [box for group in handout.groups for box in group.boxes]
    shown = [_path(key) for key in (*(k for box in boxes for k in (box.key, box.most) if k), *handout.unshown)]
    return {
        path: value
        for path, value in leaves.items()
        if not _says_nothing(value) and not any(path[: len(key)] == key for key in shown)
    }


def _says_nothing(value: object) -> bool:
    return value is None or (isinstance(value, str | list | tuple | Mapping) and not value)


def _path(key: str) -> tuple[str, ...]:
    return tuple(key.split("."))


def _leaves(table: Mapping[str, object], above: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], object]]:
    """What a table says, by the keys that lead there through tables within it."""
    for key, value in table.items():
        if isinstance(value, Mapping) and value:
            yield from _leaves(value, (*above, key))
        else:
            yield (*above, key), value


def _label(*keys: str) -> str:
    words = ": ".join(str(key) for key in keys).replace("_", " ")
    return words[:1].upper() + words[1:]


def _at(leaves: Leaves, key: str) -> object:
    """What the sheet says at a key, or in the table there; None where it says nothing."""
    at = _path(key)
    within: dict[str, Any] = {}
    for path, value in leaves.items():
        if path[: len(at)] == at != path:
            inner = within
            for part in path[len(at) : -1]:
                inner = inner.setdefault(part, {})
            inner[path[-1]] = value
    return leaves.get(at, within or None)


def _content(box: Box, leaves: Leaves) -> str:
    value = _at(leaves, box.key)
    if box.ticks:
        return _ticked(box, value, _at(leaves, box.most))
    words = "" if _says_nothing(value) else in_words(value)
    blank = '<span class="spoken">to fill in</span>'
    return (escape(words) or blank) + '<span class="line"></span>' * (box.lines - bool(words))


def _ticked(box: Box, value: object, most: object) -> str:
    """A row of ticks, said in numbers too."""
    many = most if isinstance(most, int) else box.ticks
    crossed = 0
    if value is None:
        said = f'<span class="spoken">{many} to tick</span>' if most is None else f"of {many}"
    elif isinstance(value, int) and value >= 0:
        said = f"{int(value)} of {many}" if box.most and value <= many else in_words(value)
        crossed = many - value if box.left else value  # all of them, where it is more than there is room for
    else:
        said = escape(in_words(value))
    if many > MOST_TICKS:
        return said
    ticks = "".join("<i>×</i>" if place < crossed else "<i></i>" for place in range(many))
    return f'{said}<span class="ticks" aria-hidden="true">{ticks}</span>'
