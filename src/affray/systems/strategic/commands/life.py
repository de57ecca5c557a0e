"""`affray life`: how long a fighter lives with so many Life Coins, and how wounds and treatment change that."""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

from affray.errors import Invalid, unknown
from affray.fight.drawing import STROKES, WIDTH, picture
from affray.kernel.chance import Seeded
from affray.lab.figures import percent
from affray.system.files import write_whole
from affray.system.schema import Whole, cut, refusal
from affray.system.telling import counted
from affray.systems.strategic.life import HOUR, MOST_COINS, OLDEST, YEAR, Ageing, Life, Lived
from affray.terminal import arguments
from affray.terminal.screen.output import columns, print_bars, print_json, say

if TYPE_CHECKING:
    from affray.lab.figures import Rate

UNITS = {"second": 1, "minute": 60, "hour": HOUR, "day": 24 * HOUR, "year": YEAR}
SPELLINGS = {
    **{"s": 1, "min": 60, "h": HOUR, "d": 24 * HOUR, "y": YEAR},
    **UNITS,
    **{f"{name}s": length for name, length in UNITS.items()},
}
EXAMPLES = "90s, 30min, 20h, 3d or 5y"
LONGEST = 1_000_000  # years
MOST_LIVES = 100_000
SHARES = (0.05, 0.25, 0.5, 0.75, 0.95)
LETHAL = 5  # rows of the table of wounds
ROWS, BAR = 12, 40
TOLD = 5  # sampled lives that get their own line
TALL, LEFT, RIGHT, TOP, BOTTOM = 380, 64, 30, 60, 74  # the picture's height and margins


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What `affray life` understands."""
    add = parser.add_argument
    add("coins", type=arguments.whole, metavar="COINS", help=f"the Life Coins that are left, 1 to {MOST_COINS}")
    for_within = f"times to give the chances for, such as {EXAMPLES}; may be repeated"
    add("--within", nargs="+", action="extend", default=[], metavar="TIME", help=for_within)
    add("--treat", type=arguments.positive, metavar="K", help="how many coins a treatment restores")
    add("--hours-to-care", metavar="H", help="how far away the healer is: hours, or a time such as 30min")
    add("--age", metavar="A", help="the age in years (0)")
    for_ageing = "whether each year past the 100th birthday costs a coin (on if an age is given)"
    add("--ageing", choices=("on", "off"), help=for_ageing)
    add("--lives", type=arguments.positive, metavar="N", help=f"how many lives to sample, {MOST_LIVES:,} at most")
    add("--seed", type=arguments.whole, default=0, help="the seed of the sampled lives (0)")
    add("--svg", metavar="FILE", help="draw the survival curve into an .svg file")
    arguments.add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Print the life expectancy and what changes it."""
    life = _read_life(args)
    times = [read_time(text) for text in args.within]
    care = None if args.hours_to_care is None else read_time(args.hours_to_care, "hours")
    if args.treat and life.coins + args.treat > MOST_COINS:
        most = MOST_COINS - life.coins
        raise refusal("--treat", args.treat, f"{most} at most, since a fighter has at most {MOST_COINS} coins")
    if args.svg:
        _draw(life, args.svg)
    lives = _live(life, args.lives, args.seed) if args.lives else []
    if args.json:
        table = _as_table(life, times, args.treat, care)
        print_json({**table, "lives": _lives_of(lives, args.seed, care) if lives else None})
        return 0
    _show_figures(life)
    _show_curve(life)
    if times:
        _show_times(life, times)
    _show_wounds(life, care)
    if args.treat:
        _show_treatment(life, args.treat)
    if care is not None:
        _show_healer(life, care, args.treat)
    if lives:
        _show_lives(lives, args.seed, care)
    if args.svg:
        say(f"\nDrawn: {args.svg}.")
    return 0


def _read_life(args: argparse.Namespace) -> Life:
    coins = Whole(1, MOST_COINS).take(args.coins, "COINS")
    Whole(1, MOST_LIVES).take(args.lives or 1, "--lives")
    age = read_time(args.age or "0", "years") / YEAR
    if age > OLDEST:
        raise refusal("--age", args.age, f"0 to {OLDEST} years")
    ageing = args.ageing == "on" or (args.ageing is None and args.age is not None)
    return Life(coins, age, Ageing() if ageing else None)


# --- times ---------------------------------------------------------------------------------------------------


def read_time(text: str, usual: str = "") -> int:
    """The seconds in a typed time: `90s`, `1h30min`, `5 years`; a bare number is in the `usual` unit."""
    allowed = f"{f'a number of {usual}, or ' if usual else ''}a time such as {EXAMPLES}"
    parts = re.findall(r"([0-9][0-9,_]*(?:\.[0-9]+)?|\.[0-9]+) *([^\W\d_]*) *|(.)", text.strip(), re.DOTALL)
    if len(parts) == 1 and not parts[0][1]:
        parts = [(parts[0][0], usual, parts[0][2])]
    if not parts or any(rest or not unit for _, unit, rest in parts):
        raise Invalid(f"{cut(text)!r} is not a time; it must be {allowed}", given=text, allowed=(allowed,))
    seconds = 0.0
    for number, unit, _ in parts:
        if unit.lower() not in SPELLINGS:
            raise Invalid(unknown("unit of time", unit, SPELLINGS), given=text, allowed=tuple(SPELLINGS))
        seconds += float(number.replace(",", "").replace("_", "")) * SPELLINGS[unit.lower()]
    if seconds > LONGEST * YEAR:
        raise Invalid(f"{cut(text)!r} is too long; it must be at most {LONGEST:,} years", given=text)
    return round(seconds)


def duration(seconds: float) -> str:
    """A time in the largest unit that fits: `68.05 years`, `18.20 hours`, `14 seconds`."""
    name = next((name for name in reversed(UNITS) if round(seconds / UNITS[name], 2) >= 1), "second")
    amount = seconds / UNITS[name]
    shown = f"{amount:,.0f}" if amount == round(amount) else f"{amount:,.2f}"
    return f"{shown} {name}{'' if shown == '1' else 's'}"


# --- showing -------------------------------------------------------------------------------------------------


def _chance(value: float) -> str:
    """A chance as a percentage, in scientific notation if tiny: there are many seconds in a life."""
    return f"{100 * value:.1e}%" if 0 < value < 0.000005 else percent(value, 3)


def _alive(life: Life, time: int) -> str:
    """The chance of being alive then; it never reads 100%, even if a float cannot tell the difference."""
    chance = life.survival(time)
    return _chance(min(chance, 1 - 1e-9) if life.death(time) else chance)


def _show_bars(rows: Sequence[tuple[str, float]]) -> None:
    lines = columns([[f"  {name}", percent(chance)] for name, chance in rows], right=(0, 1))
    print_bars(lines, [chance for _, chance in rows], BAR)


def _show_figures(life: Life) -> None:
    say(f"{counted(life.coins, 'coin')}: {duration(life.mean)} to live on average.", style="heading")
    if life.ageing:
        say(f"The age is {life.age:g}; each year past {life.ageing.since} costs a coin.")
    rows = [[f"  {percent(share, 0)} are dead within", duration(life.quantile(share))] for share in SHARES]
    print("\n".join(columns([*rows, ["  standard deviation", duration(life.deviation)]], right=(1,))))


def _show_curve(life: Life) -> None:
    say("\nStill alive after")
    _show_bars([(duration(second), alive) for second, alive in life.curve(ROWS)])


def _show_times(life: Life, times: Sequence[int]) -> None:
    rows = [[f"  {duration(time)}", _alive(life, time), _chance(life.death(time))] for time in times]
    print("\n" + "\n".join(columns([["Within", "alive", "dead"], *rows], right=(1, 2))))


def _show_wounds(life: Life, care: int | None) -> None:
    say("\nWith each lethal point")
    reached = [] if care is None else [f"alive after {duration(care)}"]
    rows = [["  coins", "mean", "median", *reached]]
    for points in range(min(LETHAL, life.coins) + 1):
        hurt = life.with_coins(-points)
        chance = [] if care is None else [_alive(hurt, care)]
        rows.append([str(hurt.coins), duration(hurt.mean), duration(hurt.median), *chance])
    print("\n".join(columns(rows, right=range(len(rows[0])))))
    say(f"One more point costs {duration(-life.change(-1).mean)} on average.")


def _show_treatment(life: Life, treat: int) -> None:
    treated = life.with_coins(treat)
    say(
        f"\nTreated now, {counted(life.coins, 'coin')} and {treat} more make {treated.coins}: "
        f"{duration(treated.mean)} to live on average, {duration(life.change(treat).mean)} more than untreated."
    )


def _show_healer(life: Life, care: int, treat: int | None) -> None:
    alive, coins = life.arrival(care)
    say(f"\nTo a healer {duration(care)} away: {_alive(life, care)} arrive alive{', with' if alive else '.'}")
    if not alive:
        return
    found = life.coins_after(care)
    _show_bars([(counted(count, "coin"), chance) for count, chance in found.items() if chance >= 0.0005])
    say(f"They have {coins:.2f} coins on average, and {duration(life.mean_after_care(care, 0))} to live.")
    if treat:
        treated = duration(life.mean_after_care(care, treat))
        say(f"With {counted(treat, 'coin')} from the healer, they have {treated} to live.")


# --- sampled lives -------------------------------------------------------------------------------------------


def _live(life: Life, count: int, seed: int) -> list[Lived]:
    return [life.lived(Seeded(seed, number)) for number in range(count)]


def _mean_of(lives: Sequence[Lived]) -> Rate:
    from affray.lab.figures import mean

    return mean(sum(lived.death for lived in lives), sum(lived.death**2 for lived in lives), len(lives))


def _show_lives(lives: Sequence[Lived], seed: int, care: int | None) -> None:
    say(f"\n{len(lives):,} {'life' if len(lives) == 1 else 'lives'} of seed {seed}")
    for number, lived in enumerate(lives[:TOLD]):
        aged = f", {lived.aged} by age" if lived.aged else ""
        first, last = duration(lived.lost[0]), duration(lived.death)
        say(f"  {number}: the first coin goes after {first}, the last after {last}{aged}.", hang="     ")
    if len(lives) > 1:
        value, low, high = _mean_of(lives)
        say(f"Sampled mean: {duration(value)} ({duration(max(0.0, low))} to {duration(high)} with 95% confidence).")
    if care is not None:
        arrived = sum(lived.death > care for lived in lives)
        say(f"{arrived:,} of {len(lives):,} reach the healer alive ({percent(arrived / len(lives))}).")


# --- for programs, and as a picture --------------------------------------------------------------------------


def _as_table(life: Life, times: Sequence[int], treat: int | None, care: int | None) -> dict[str, object]:
    """Everything that is shown, as plain values; times are in seconds."""
    hurt = [life.with_coins(-points) for points in range(min(LETHAL, life.coins) + 1)]
    return {
        "coins": life.coins,
        "age": life.age,
        "ageing": asdict(life.ageing) if life.ageing else None,
        "mean": life.mean,
        "deviation": life.deviation,
        "quantiles": {str(share): life.quantile(share) for share in SHARES},
        "curve": [list(point) for point in life.curve()],
        "within": [{"seconds": time, "alive": life.survival(time), "dead": life.death(time)} for time in times],
        "wounds": [_figures_of(less, care) for less in hurt],
        "treatment": _figures_of(life.with_coins(treat), care) if treat else None,
        "healer": None if care is None else _healer_of(life, care, treat),
    }


def _figures_of(life: Life, care: int | None) -> dict[str, object]:
    figures: dict[str, object] = {"coins": life.coins, "mean": life.mean, "median": life.median}
    return figures if care is None else {**figures, "reaches_care": life.survival(care)}


def _healer_of(life: Life, care: int, treat: int | None) -> dict[str, object]:
    return {
        "seconds": care,
        **life.arrival(care)._asdict(),
        "chances": {str(coins): chance for coins, chance in life.coins_after(care).items()},
        "mean_untreated": life.mean_after_care(care, 0),
        "mean_treated": life.mean_after_care(care, treat) if treat else None,
    }


def _lives_of(lives: Sequence[Lived], seed: int, care: int | None) -> dict[str, object]:
    return {
        "seed": seed,
        "mean": _mean_of(lives)._asdict(),
        "reach_care": None if care is None else sum(lived.death > care for lived in lives),
        "lived": [lived._asdict() for lived in lives],
    }


def _draw(life: Life, path: str) -> None:
    if not path.lower().endswith(".svg"):
        raise refusal("--svg", path, "a file that ends in .svg")
    write_whole(path, life_svg(life))


def life_svg(life: Life) -> str:
    """The survival curve, with a mark for each share that is dead."""
    title = f"Life with {counted(life.coins, 'coin')}: {duration(life.mean)} on average"
    told = "; ".join(f"{percent(1 - share, 0)} live longer than {duration(life.quantile(share))}" for share in SHARES)
    curve = life.curve(200)
    end = max(1, curve[-1][0])
    stroke, _ = STROKES[0]
    points = " ".join(f"{_across(second / end):.1f},{_down(alive):.1f}" for second, alive in curve)
    parts = [
        *(_level(share) for share in (0.0, 0.25, 0.5, 0.75, 1.0)),
        *(_moment(place, duration(end * place)) for place in (0.0, 0.25, 0.5, 0.75, 1.0)),
        f'<polyline fill="none" stroke="{stroke}" stroke-width="2.5" points="{points}"/>',
        *(_mark(life.quantile(share), end, 1 - share) for share in (0.25, 0.5, 0.75)),
    ]
    return picture(title, TALL, parts, "The chance of being alive after a time; marks show the quartiles.", f"{told}.")


def _across(share: float) -> float:
    return LEFT + (WIDTH - LEFT - RIGHT) * share


def _down(share: float) -> float:
    return TOP + (TALL - TOP - BOTTOM) * (1 - share)


def _level(share: float) -> str:
    y = _down(share)
    return (
        f'<path d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}" stroke="#ccc"/>'
        f'<text x="{LEFT - 8}" y="{y + 5:.1f}" text-anchor="end" fill="#666" font-size="12">{percent(share, 0)}</text>'
    )


def _moment(place: float, name: str) -> str:
    anchor = {0.0: "start", 1.0: "end"}.get(place, "middle")
    x, y = _across(place), _down(0.0) + 20
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="#666" font-size="12">{name}</text>'


def _mark(second: int, end: int, alive: float) -> str:
    x, y = _across(min(1.0, second / end)), _down(alive)
    return (
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{STROKES[1][0]}"/>'
        f'<text x="{x + 8:.1f}" y="{y - 6:.1f}" fill="#222" font-size="12">{duration(second)}</text>'
    )
