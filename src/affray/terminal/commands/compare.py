"""`affray compare`: variants of a fight on the same dice, with the differences that are sure."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from affray.terminal import arguments
from affray.terminal.screen.designing import add_designing, around, crew, finish, match_of, save_picture, watched
from affray.terminal.screen.output import columns, say, versus

if TYPE_CHECKING:
    from collections.abc import Mapping

    from affray.lab.design.compare import Comparison
    from affray.lab.design.matches import Match
    from affray.lab.design.measures import Measure
    from affray.lab.figures import Rate


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What `affray compare` understands."""
    arguments.add_fight(parser)
    add = parser.add_argument
    add(
        "--vary",
        action="append",
        default=[],
        metavar="WHAT=VALUES",
        help="the variants, such as  hero:equipment=sword|axe,  heroes=knight|squire,  option:ties=on|off  or"
        "  tactic:heroes=cautious|random;  may be repeated, for all combinations",
    )
    add(
        "--each",
        action="append",
        default=[],
        metavar="WHAT=VALUES",
        help="compare the variants in each of several settings, such as  foes=ghoul|zombie,  or  foes=creatures  for "
        "all of that kind",
    )
    add("--of", action="append", default=[], metavar="MEASURE", help=around("compare", "the first team's wins"))
    add("--width", type=float, help="continue until every interval is this narrow, such as 0.01")
    add("--sampled", action="store_true", help="sample even where the odds could be counted")
    add_designing(parser, "of each variant at most (100,000)")


def run(args: argparse.Namespace) -> int:
    """Compare and print."""
    from affray.lab.design.compare import FIGHTS, compare
    from affray.lab.design.matches import Knob, variants

    match = match_of(args)
    kinds = match.setup.system.catalogue()
    knobs = [Knob.read(text, kinds) for text in args.vary]
    settings = variants(match, [Knob.read(text, kinds) for text in args.each], 400) if args.each else {"": match}
    with watched(args) as progress, crew(args) as pool:
        found = compare(
            {name: variants(own, knobs, 64) for name, own in settings.items()},
            args.of,
            fights=args.fights or FIGHTS,
            width=args.width,
            exact=not args.sampled,
            certainty=args.certainty,
            seats=args.seats,
            seed=args.seed,
            pool=pool,
            progress=progress,
        )
    save_picture(args.plot, found.svg)
    return finish(args, found, lambda: _show(match, found))


def _show(match: Match, found: Comparison) -> None:
    say(f"Variants of {match.system}: {versus(match.setup.teams)}.", style="heading")
    if found.interrupted:
        say("Interrupted: this is what there is so far, with intervals that hold for it.")
    if not found.means:
        return
    for measure in found.measures:
        print()
        _show_means(found, measure)
        _show_differences(found, measure)
    print()
    _show_how(found)


def _show_means(found: Comparison, measure: Measure) -> None:
    what = f"How often it ends so: {measure.text}" if measure.is_chance else f"Mean of {measure.text}"
    own = "" if all(found.exact.values()) else f", each with its own {100 * found.certainty:g}% interval"
    say(f"{what}{own}.")
    rows = []
    for setting in found.settings:
        for variant in found.variants:
            rate = found.means[setting, variant, measure.text]
            own = "exact" if found.exact[setting] else f"{measure.shown(rate.low)} to {measure.shown(rate.high)}"
            rows.append([*([setting] if setting else []), variant, measure.shown(rate.value), own])
    print("\n".join(f"  {line}" for line in columns(rows, right=(len(rows[0]) - 2,))))


def _show_differences(found: Comparison, measure: Measure) -> None:
    own = [each for each in found.differences if each.measure == measure]
    if not own:
        return
    sampled = not all(found.exact.values())
    sure = f"; all {len(found.differences)} intervals hold together" if sampled and len(found.differences) > 1 else ""
    say(f"Differences{sure}:")
    for one, other in dict.fromkeys((each.one, each.other) for each in own):
        print(f"  {one} less {other}")
        rows = []
        for each in found.between(one, other, measure):
            low, high = measure.shown(each.by.low, True), measure.shown(each.by.high, True)
            exact = found.exact[each.setting]
            verdict = f"{each.better} has more" if each.better else "the same" if exact else "open"
            rows.append(
                [each.setting, measure.shown(each.by.value, True), "" if exact else f"{low} to {high}", verdict]
            )
        print("\n".join(f"    {line}".rstrip() for line in columns(rows, right=(1,))))
        if len(rows) > 1:
            say(_spread(found, one, other, measure), "    ", "      ")
    for worse, better in found.dominated(measure).items():
        others = " and ".join(better)
        if len(found.settings) == 1:
            say(f"{worse} has surely less than {others}.")
        else:
            say(f"{worse} is dominated by {others}: surely less in one setting or more, and surely more in none.")


def _spread(found: Comparison, one: str, other: str, measure: Measure) -> str:
    """The differences of two variants over all settings, in one sentence."""
    low, high = found.spread(one, other, measure)
    ends = " to ".join(f"{measure.shown(end.by.value, True)} ({end.setting})" for end in (low, high))
    ahead = [each.better for each in found.between(one, other, measure)]
    counts = ", ".join(f"{name} has more in {ahead.count(name)}" for name in (one, other) if name in ahead)
    mean = found.average(one, other, measure)
    held = "" if mean.low == mean.high else f" ({measure.shown(mean.low, True)} to {measure.shown(mean.high, True)})"
    average = f"{measure.shown(mean.value, True)}{held} on average"
    return f"{average}, from {ends}; {counts or 'none surely has more in any'} of {len(ahead)}."


def _show_how(found: Comparison) -> None:
    fights = [count for count in found.fights.values() if count]
    if not fights:
        how = "Counted exactly"
    else:
        ratio = sorted(each.narrower for each in found.differences if each.narrower is not None)
        least = f"{min(fights):,}" if min(fights) == max(fights) else f"{min(fights):,} to {max(fights):,}"
        how = f"{least} fights of each variant{' in each seat' * (found.seats == 'both')}, all on the same dice"
        if ratio:
            middle = ratio[len(ratio) // 2]
            times = "infinitely many" if middle == float("inf") else f"{middle:.1f}"
            how += f"; intervals of differences are {times} times narrower than those of independent runs (median)"
    say(f"{how}; seed {found.seed}.", style="aside")
    if found.first_seat:
        say(_first_seat(found.first_seat), style="aside")


def _first_seat(found: Mapping[str, Rate]) -> str:
    """What the first seat is worth, over all settings."""
    low, high = min(found.values()), max(found.values())
    if len(found) == 1:
        return f"The first seat won {_more(low.value)} more often than the last, {_more(low.low)} to {_more(low.high)}."
    bounds = f"{_more(min(rate.low for rate in found.values()))} to {_more(max(rate.high for rate in found.values()))}"
    means = f"{_more(low.value)} to {_more(high.value)}"
    return f"The first seat won {means} more often than the last, by setting; all intervals lie within {bounds}."


def _more(value: float) -> str:
    return f"{100 * value:+.2f}%"
