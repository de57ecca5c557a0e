"""Events of a fight as sentences, and its state as somebody at the table sees it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from textwrap import wrap

from affray.kernel import records
from affray.kernel.rules import Event, Kind
from affray.kernel.status import name_column, named_row
from affray.kernel.system import Gauge
from affray.schema import slug
from affray.systems.strategic import rules, state
from affray.systems.strategic.abilities import (
    attack_ability,
    defence_ability,
    fixed_penalty,
    initiative_ability,
    severity,
)
from affray.systems.strategic.arms import ARMOURS, NAMES, WEAPONS
from affray.systems.strategic.life import Life, in_words
from affray.systems.strategic.moves import ATTACKS, INTENTS, PLAIN
from affray.systems.strategic.sheets import MOVES, REGISTER, Sheet
from affray.systems.strategic.state import STANDING, Fight, Fighter

Called = Callable[[int], str]
WIDTH = 80
LONGEST_NAME = 18  # that stands before the numbers
TYPES = ("Pain", "Incapacitation", "Crippling")
MEANT = ("to hurt", "to incapacitate", "to cripple")
BLOWS = {
    state.STRIKE: "strikes at",
    state.JAB: "jabs at",
    state.POWER: "swings with full power at",
    state.PULL: "pulls a blow at",
    state.MAIM: "goes for the limbs of",
    state.GAP: "goes for a gap in the armour of",
    state.DISARM: "tries to disarm",
}
LEFT = {state.DOWN: "down", state.DEAD: "dead", state.FLED: "away", state.YIELDED: "has yielded"}
WHAT = {
    state.FOR_LIFE: "Life check",
    state.FOR_INITIATIVE: "initiative",
    state.FOR_OPENINGS: "openings",
    state.FOR_AN_OPENING: "which opening, by lot",
    state.FOR_PAIN_PENALTY: "the Pain Penalty",
    state.FOR_ATTACK: "attack",
    state.FOR_DEFENCE: "defence",
    state.FOR_PAIN: "Pain",
    state.FOR_INCAPACITATION: "Incapacitation",
    state.FOR_CRIPPLING: "Crippling",
    state.FOR_CONTROL: "Discipline, to keep control",
    state.FOR_SLIP: "where it slips (Heads: Crippling, Tails: Pain)",
    state.FOR_SOAK: "soak",
    state.FOR_THREAT: "the threat",
    state.FOR_NERVE: "nerve",
    state.FOR_STOP: "stopping the flight (Heads: it is stopped)",
}


def tell(event: Event, fight: Fight, sheets: Sequence[Sheet], names: Sequence[str], teams: Sequence[str]) -> str:
    """One event as a sentence."""

    def name(who: int) -> str:
        return called(sheets[who], names[who])

    sentence = _ends(event, teams) if event.kind == rules.ENDS else _SENTENCES[event.kind](event, name)
    return sentence[:1].upper() + sentence[1:]


def called(sheet: Sheet, name: str) -> str:
    """How the story names a fighter: by name, or as the guard where it is one of many."""
    number = name.removeprefix(slug(sheet.name) or sheet.id).replace("-", " ")
    return REGISTER.article(sheet.id, sheet.name) + sheet.name + number


def announces(event: Event, names: Sequence[str]) -> str:
    """Whose coins are due, and what for, where an event says just that."""
    if event.kind != rules.AWAITS:
        return ""
    if event.what == state.FOR_FLIP_OFF:
        # The coins are those of several: who are they, as bits.
        others = [name for who, name in enumerate(names) if event.coins >> who & 1 and who != event.who]
        return f"Flip-Off: {', '.join([names[event.who], *others])}"
    if event.what == state.FOR_AN_OPENING:
        left = [move for place, move in enumerate(MOVES) if event.coins >> place & 1]
        lots = ", ".join(f"{number} {move}" for number, move in enumerate(left))
        return f"{names[event.who]}, {WHAT[event.what]} ({lots})"
    return f"{names[event.who]}, {WHAT[event.what]}"


def span(coins: int) -> str:
    """The mean life with so many Life Coins, in words."""
    return in_words(Life(coins).mean)


def _coins(count: int) -> str:
    return f"{count} coin{'' if count == 1 else 's'}"


def _rounds(count: int) -> str:
    return f"{count} round{'' if count == 1 else 's'}"


def _years(count: int) -> str:
    return f"{count} year{'' if count == 1 else 's'}"


def _life_check(event: Event, name: Called) -> str:
    if not event.lost:
        return f"{name(event.who)} passes the Life check with {_coins(event.coins)}."
    if not event.coins:
        return f"all Tails: {name(event.who)} loses the last Life Coin."
    return f"all Tails: {name(event.who)} loses a Life Coin and has {event.coins} left."


def _loses_coins(event: Event, name: Called) -> str:
    left = f"has {event.coins}: {span(event.coins)} untreated" if event.coins else "has none left"
    return f"{name(event.who)} loses {_coins(event.points)} of life and {left}."


def _contest(event: Event, name: Called) -> str:
    theirs = f"{name(event.target)} flips {_coins(event.against)}: {event.their}"
    return f"{name(event.who)} flips {_coins(event.coins)}: {event.heads}; {theirs}."


def _attacks(event: Event, name: Called) -> str:
    if event.move == state.DISARM:
        return f"{name(event.who)} {BLOWS[event.move]} {name(event.target)}."
    if event.move == state.GUARDED:
        return f"{name(event.who)} attacks {name(event.target)} from behind a guard, {MEANT[event.intent]}."
    return f"{name(event.who)} {BLOWS[event.move]} {name(event.target)} {MEANT[event.intent]}."


def _openings(event: Event, name: Called) -> str:
    seen = [move for place, move in enumerate(MOVES) if event.seen >> place & 1]
    return f"{name(event.who)} sees openings for {', '.join(seen)}." if seen else f"{name(event.who)} sees no opening."


def _hurts(event: Event, name: Called) -> str:
    marks = f"Pain {event.pain}, Incapacitation {event.incapacitation}, Crippling {event.crippling}"
    return f"{name(event.who)} is at {marks}."


def _weighs(event: Event, name: Called) -> str:
    """Why somebody looks for a way out, as a sum that can be checked."""
    counted = f" counted at {event.caution}%" if event.caution != 100 else ""
    worth = f"worth it, but not what {name(event.who)} wants" if event.net >= 0 else "not worth it"
    return (
        f"{name(event.who)} reckons: {event.win / 10:.1f}% of {_years(event.stake)}, less"
        f" {event.years / 1000:.1f} years at risk{counted}: {event.net / 1000:+.1f}, {worth}."
    )


def _ends(event: Event, teams: Sequence[str]) -> str:
    if event.ending < len(teams):
        return f"the fight is over: {teams[event.ending]} have won."
    return ("the fight is over, undecided.", "the fight is over: peace.", "the fight is over: a standoff.")[
        event.ending - len(teams)
    ]


_SENTENCES: Mapping[Kind, Callable[[Event, Called], str]] = {
    rules.OPENS: lambda e, name: f"the fight begins, {'at arm’s length' if e.near else 'far apart'}.".replace("’", "'"),
    rules.ROUND: lambda e, name: f"round {e.number}.",
    rules.LIFE_CHECK: _life_check,
    rules.DIES: lambda e, name: f"{name(e.who)} is dead.",
    rules.INITIATIVE: lambda e, name: f"{name(e.who)} flips {_coins(e.coins)} for initiative: {e.heads}.",
    rules.FLIPS_OFF: lambda e, name: f"a tie; {name(e.who)} wins the Flip-Off.",
    rules.ACTS: lambda e, name: f"{name(e.who)} acts.",
    rules.OPENINGS: _openings,
    rules.ATTACKS: _attacks,
    rules.THREATENS: lambda e, name: f"{name(e.who)} threatens {name(e.target)}.",
    rules.DEFENDS: lambda e, name: f"{name(e.who)} {PLAIN[e.defence].replace('parry', 'parrie')}s.",
    rules.PAIN_PENALTY: lambda e, name: f"Pain {e.pain} costs {name(e.who)} {_coins(e.lost)}.",
    rules.TOO_WEAK: lambda e, name: f"{name(e.who)} has no coin left for the attack, and it fails.",
    rules.CONTEST: _contest,
    rules.MISSES: lambda e, name: f"{name(e.who)} does not hit {name(e.target)}.",
    rules.HITS: lambda e, name: f"{name(e.who)} hits {name(e.target)}, margin {e.margin}.",
    rules.SLIPS: lambda e, name: f"{e.points} of the margin slip{'s' * (e.points == 1)} to {TYPES[e.intent]}.",
    rules.SOAKS: lambda e, name: f"{name(e.who)} soaks {e.points}.",
    rules.HURTS: _hurts,
    rules.LOSES_COINS: _loses_coins,
    rules.FALLS: lambda e, name: f"{name(e.who)} cannot fight any longer and goes down.",
    rules.DISARMED: lambda e, name: f"{name(e.target)} drops the weapon.",
    rules.KEEPS_WEAPON: lambda e, name: f"{name(e.target)} keeps hold of the weapon.",
    rules.COWED: lambda e, name: f"{name(e.who)} flinches, and has to say whether to go on.",
    rules.UNMOVED: lambda e, name: f"{name(e.who)} is unmoved.",
    rules.FIGHTS_ON: lambda e, name: f"{name(e.who)} fights on.",
    rules.STANDS_DOWN: lambda e, name: f"{name(e.who)} stands down.",
    rules.OFFERS: lambda e, name: f"{name(e.who)} offers to yield.",
    rules.WITHDRAWS: lambda e, name: f"{name(e.who)} takes the offer to yield back.",
    rules.ACCEPTED: lambda e, name: f"{name(e.who)} accepts; {name(e.target)} drops the weapon and is out of it.",
    rules.REFUSED: lambda e, name: f"{name(e.who)} refuses.",
    rules.RUNS: lambda e, name: f"{name(e.who)} makes a run for it.",
    rules.SLIPS_PAST: lambda e, name: f"{name(e.who)} cannot stop {name(e.target)}.",
    rules.CAUGHT: lambda e, name: f"{name(e.who)} could stop {name(e.target)}.",
    rules.LETS_GO: lambda e, name: f"{name(e.who)} lets {name(e.target)} go.",
    rules.AWAY: lambda e, name: f"{name(e.who)} gets away.",
    rules.STOPPED: lambda e, name: f"{name(e.who)} does not get away.",
    rules.PICKS_UP: lambda e, name: f"{name(e.who)} picks the weapon up.",
    rules.CLOSES: lambda e, name: f"{name(e.who)} closes in on {name(e.target)}.",
    rules.WAITS: lambda e, name: f"{name(e.who)} waits.",
    rules.RIPOSTE: lambda e, name: f"{name(e.who)} has parried so well that the next move may be theirs.",
    rules.WEIGHS: _weighs,
    rules.PEACE: lambda e, name: "nobody wants to go on." if e.offers else "everybody stands down.",
    rules.STANDOFF: lambda e, name: f"{_rounds(e.rounds)} without a hit: nobody sees a way in.",
    rules.STALLED: lambda e, name: f"after {_rounds(e.rounds)} nobody has the strength to go on.",
}


# The state


def status(fight: Fight, sheets: Sequence[Sheet], names: Sequence[str], teams: Sequence[str]) -> str:
    """The state as the table shows it: abilities, highwaters, Life Coins and what they are worth, and stances."""
    wide = name_column(names, LONGEST_NAME)
    lines = [
        f"Round {max(1, fight.round)}",
        f"{'':{wide}}  Attack Defence Init  Pain Incap Cripple  Life Coins",
    ]
    indent = " " * (wide + 2)
    for fighter, name in zip(fight.fighters, names, strict=True):
        lines += named_row(name, wide, _numbers(fight, fighter))
        notes = "; ".join(conditions(fight, fighter, names))
        lines += wrap(notes, WIDTH, initial_indent=indent, subsequent_indent=indent)
    return "\n".join([*lines, *wrap(question(fight, names), WIDTH)])


def _numbers(fight: Fight, fighter: Fighter) -> str:
    penalty = fixed_penalty(fighter)
    attack, defence = attack_ability(fight, fighter) - penalty, defence_ability(fight, fighter) - penalty
    marks = f"{fighter.pain:>5} {fighter.incapacitation:>5} {fighter.crippling:>7}"
    coins = f"{fighter.coins:>2} = {span(fighter.coins)}" if fighter.coins else "none"
    return f"{max(0, attack):>6} {max(0, defence):>7} {initiative_ability(fight, fighter):>4} {marks}  {coins}"


def _arms(fighter: Fighter) -> Iterator[str]:
    """What is in hand and worn, with the numbers that are not those of the tables. arms."""
    weapon, armour = list(WEAPONS.values())[fighter.owned], list(ARMOURS.values())[fighter.armour]
    if fighter.weapon != fighter.owned:
        yield f"{NAMES[fighter.weapon]} (weapon dropped)"
    else:
        mine = {key: getattr(fighter, key) for key in ("damage", "lethality", "weight")}
        yield weapon.name + _differing(mine, {key: getattr(weapon, key) for key in mine})
    worn = _differing(
        {"value": fighter.armour_value, "penalty": fighter.armour_penalty},
        {"value": armour.value, "penalty": armour.penalty},
    )
    if fighter.armour or worn:
        yield f"{armour.name} armour{worn}" if fighter.armour else f"armour{worn}"


def _differing(mine: Mapping[str, int], usual: Mapping[str, int]) -> str:
    """The numbers that are not the usual ones, in brackets."""
    different = [f"{key} {number}" for key, number in mine.items() if number != usual[key]]
    return f" ({', '.join(different)})" if different else ""


def conditions(fight: Fight, fighter: Fighter, names: Sequence[str]) -> list[str]:
    """What holds for a fighter beyond the numbers."""
    if fighter.state != STANDING:
        return [LEFT[fighter.state]]
    notes = [*_arms(fighter)]
    notes.append(f"stake {fighter.stake} years")
    flags = (
        (fighter.standing_down, "standing down"),
        (fighter.yielding, f"offers to yield: {_defence(fight)}"),
        (fighter.guard, f"defence {fighter.guard:+}"),
        (fighter.quick + fighter.hurried, f"initiative {fighter.quick + fighter.hurried:+}"),
        (fighter.shaken, f"next attack -{fighter.shaken}"),
    )
    notes += [text for flag, text in flags if flag]
    others = [other for other in range(len(names)) if fight.fighters[other].team != fighter.team]
    if not all(fighter.near >> other & 1 for other in others):
        near = [names[other] for other in others if fighter.near >> other & 1]
        notes.append(f"close to {' and '.join(near)}" if near else "far from all foes")
    return notes


def _defence(fight: Fight) -> str:
    return f"a defence of {fight.numbers[state.HELPLESS_DEFENCE]}"


def question(fight: Fight, names: Sequence[str]) -> str:
    """What somebody is asked between two actions."""
    if not rules.to_act(fight) or fight.phase == state.ACT:
        return ""
    who, actor, target = names[fight.due.bit_length() - 1], names[fight.actor], names[fight.target]
    blow = f"{ATTACKS[fight.move]} {INTENTS[fight.intent]}" if fight.move != state.DISARM else ATTACKS[fight.move]
    return {
        state.DEFEND: f"{actor} comes at {who}: {blow}. Which defence?",
        state.THREATENED: f"{who} is threatened by {actor}: fight on, or yield?",
        state.OFFERED: f"{target} offers to yield to {who}: accept, or refuse?",
        state.STOPPING: f"{who} could stop {target}: let go, or strike at {_defence(fight)}?",
    }[fight.phase]


def gauges(fight: Fight, who: int) -> list[Gauge]:
    """What a picture draws of a fighter."""
    fighter = fight.fighters[who]
    ability = max(1, attack_ability(fight, fighter))
    return [
        Gauge("Attack", max(0, ability - severity(fighter)), ability),
        Gauge("Life Coins", fighter.coins, max(30, fighter.coins)),
    ]


def cut(fight: Fight, viewer: int | None) -> Fight:
    """The fight as a viewer may know it: all of it, there is nothing to hide."""
    return records.copy(fight)
