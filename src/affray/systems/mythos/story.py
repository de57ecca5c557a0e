"""Events of a fight as sentences, and its state as somebody at the table sees it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from textwrap import wrap

from affray.kernel import records
from affray.kernel.chance import read_percent
from affray.kernel.rules import Event, Kind
from affray.kernel.status import name_column, named_row
from affray.kernel.system import Gauge
from affray.schema import slug
from affray.systems.mythos import rules
from affray.systems.mythos.derived import bonus_text
from affray.systems.mythos.moves import ITEMS, MANOEUVRES, weapon_name
from affray.systems.mythos.rules import HANDS, SLOTS, STANDING, Fight, Fighter
from affray.systems.mythos.sheets import ACTIVE_PERKS, PERKS, REGISTER, Sheet
from affray.systems.mythos.weapons import GUN, IMPALES, KIND, MAGAZINE, THROWN

Called = Callable[[int], str]
WIDTH = 80
LONGEST_NAME = 18  # that stands before the numbers
TIED = "\N{NO-BREAK SPACE}"
LEVELS = ("a fumble", "a failure", "a success", "a hard success", "an extreme success", "a critical success")
LEFT = {
    rules.UNCONSCIOUS: "unconscious",
    rules.DYING: "dying",
    rules.DEAD: "dead",
    rules.ESCAPED: "escaped",
}
WARD_WORDS = {
    rules.GUNS_HALF: "guns do half",
    rules.GUNS_ONE: "guns do 1",
    rules.MELEE_HALF: "melee does half",
    rules.IMPALING_LEAST: "what impales does least",
}
SHOT_WORDS = ("", "", "twice ", "three times ")
SHOTS_AT = ("", "", "two shots ", "three shots ")
DICE_WORDS = {-2: ", two penalty dice", -1: ", a penalty die", 0: "", 1: ", a bonus die", 2: ", two bonus dice"}
WHAT = {
    rules.FOR_ATTACK: "for the attack",
    rules.FOR_DODGE: "to dodge",
    rules.FOR_FIGHT_BACK: "to fight back",
    rules.FOR_CON: "for Constitution",
    rules.FOR_DAMAGE: "damage",
    rules.FOR_BONUS: "the damage bonus",
    rules.FOR_HEAVY: "Heavy Hitter's die",
    rules.FOR_MEDICINE: "what the medicine does",
}


def tell(event: Event, fight: Fight, sheets: Sequence[Sheet], names: Sequence[str], teams: Sequence[str]) -> str:
    """One event as a sentence."""

    def name(who: int) -> str:
        return called(sheets[who], names[who])

    if event.kind == rules.ENDS:
        sentence = _ends(event, teams)
    elif event.kind in _ARMED:
        sentence = _ARMED[event.kind](event, name, fight.fighters[event.who])
    else:
        sentence = _SENTENCES[event.kind](event, name)
    return sentence[:1].upper() + sentence[1:]


def called(sheet: Sheet, name: str) -> str:
    """How the story names a fighter: by name, or as the ghoul where it is one of many."""
    number = name.removeprefix(slug(sheet.name) or sheet.id).replace("-", " ")
    return REGISTER.article(sheet.id, sheet.name) + sheet.name + number


def announces(event: Event, names: Sequence[str]) -> str:
    """Whose dice are due, and what for, where an event says just that."""
    if event.kind != rules.AWAITS:
        return ""
    return f"{names[event.who]}, {WHAT[event.what]}{DICE_WORDS[event.net]}"


def perk_name(perk: int) -> str:
    """A perk as the sheet would print it."""
    return PERKS[perk].replace("-", " ").title()


def _rolls(event: Event, name: Called) -> str:
    rolled = f" {read_percent(event.fell[-1], event.net)}" if event.fell else ""
    level = LEVELS[event.level] if event.level >= 0 else "nothing but a click"
    skill = f"{event.skill} or less{DICE_WORDS[event.net]}"
    return f"{name(event.who)} rolls{rolled} {WHAT[event.what]} ({skill}): {level}."


def _using(fighter: Fighter, slot: int) -> str:
    """What a blow comes from, where there is anything to tell."""
    return f" with the {weapon_name(fighter, slot)}" if slot != HANDS else ""


def _hits(event: Event, name: Called, fighter: Fighter) -> str:
    slot = event.slot
    great = ""
    if event.own and event.level >= rules.EXTREME:
        great = ", impaling" if IMPALES[fighter.weapons[slot]] else ", as hard as can be"
    kept = f", of which {event.kept} {'does' if event.kept == 1 else 'do'} not get through" if event.kept else ""
    return f"{name(event.who)} hits {name(event.target)}{_using(fighter, slot)}{great}: {event.amount} damage{kept}."


def _shoots(event: Event, name: Called, fighter: Fighter) -> str:
    if KIND[fighter.weapons[event.slot]] == THROWN:
        return f"{name(event.who)} throws a {weapon_name(fighter, event.slot)} at {name(event.target)}."
    times = SHOT_WORDS[event.shots]
    return f"{name(event.who)} shoots {times}at {name(event.target)}{_using(fighter, event.slot)}."


def _treats(event: Event, name: Called) -> str:
    whom = "themselves" if event.who == event.target else name(event.target)
    gain = f"+{event.amount} HP, now {event.hp}" if event.amount else f"already at {event.hp} HP"
    return f"{name(event.who)} uses {ITEMS[event.item]} on {whom}: {gain}."


def _manoeuvres(event: Event, name: Called) -> str:
    larger = ", who is larger" if event.net else ""
    return f"{name(event.who)} tries to {MANOEUVRES[event.kind_of]} {name(event.target)}{larger}."


def _ends(event: Event, teams: Sequence[str]) -> str:
    if event.ending < len(teams):
        return f"the fight is over: {teams[event.ending]} are left."
    if event.ending == len(teams):
        return "the fight is over, and nobody has won it."
    return "the fight is over: nobody has won, for somebody got away."


_ARMED: Mapping[Kind, Callable[[Event, Called, Fighter], str]] = {
    rules.ATTACKS: lambda e, name, f: f"{name(e.who)} attacks {name(e.target)}{_using(f, e.slot)}.",
    rules.SHOOTS: _shoots,
    rules.FIGHTS_BACK: lambda e, name, f: f"{name(e.who)} fights back{_using(f, e.slot)}.",
    rules.JAMS: lambda e, name, f: f"the {weapon_name(f, e.slot)} of {name(e.who)} jams.",
    rules.HITS: _hits,
    rules.RELOADS: lambda e, name, f: (
        f"{name(e.who)} reloads the {weapon_name(f, e.slot)}: {e.loaded} loaded, {e.spare} to spare."
    ),
    rules.CLEARS: lambda e, name, f: f"{name(e.who)} clears the {weapon_name(f, e.slot)}.",
    rules.PICKS_UP: lambda e, name, f: f"{name(e.who)} picks up the {weapon_name(f, e.slot)}.",
}
"""Sentences that name a weapon of whoever acts."""

_SENTENCES: Mapping[Kind, Callable[[Event, Called], str]] = {
    rules.OPENS: lambda e, name: f"the fight begins; {name(e.first)} is first.",
    rules.ROUND: lambda e, name: f"round {e.number}.",
    rules.SURPRISED: lambda e, name: f"{name(e.who)} is taken by surprise.",
    rules.MANOEUVRES: _manoeuvres,
    rules.ROLLS: _rolls,
    rules.DODGES: lambda e, name: f"{name(e.who)} tries to dodge.",
    rules.DIVES: lambda e, name: (
        f"{name(e.who)} dives for cover{', and is hard to hit' if e.level >= rules.REGULAR else ', too late'}."
    ),
    rules.AVOIDED: lambda e, name: f"{name(e.who)} avoids the attack of {name(e.target)}.",
    rules.NOBODY_HITS: lambda e, name: "nobody is hurt.",
    rules.MISSES: lambda e, name: f"{name(e.who)} misses {name(e.target)}.",
    rules.USES_PERK: lambda e, name: f"{name(e.who)} uses {perk_name(e.perk)}, Luck is now {e.luck}.",
    rules.IGNORES: lambda e, name: f"{name(e.who)} ignores {e.amount} damage.",
    rules.HURT: lambda e, name: f"{name(e.who)} has {e.hp} HP left.",
    rules.DIES: lambda e, name: f"{name(e.who)} is dead.",
    rules.FALLS_UNCONSCIOUS: lambda e, name: f"{name(e.who)} falls unconscious.",
    rules.MAJOR_WOUND: lambda e, name: f"that is a major wound for {name(e.who)}.",
    rules.STAYS_UP: lambda e, name: f"{name(e.who)} stays conscious.",
    rules.IS_DYING: lambda e, name: f"{name(e.who)} is dying.",
    rules.HANGS_ON: lambda e, name: f"{name(e.who)} hangs on for another round.",
    rules.TRIPPED: lambda e, name: f"{name(e.who)} knocks {name(e.target)} down.",
    rules.DISARMED: lambda e, name: f"{name(e.who)} knocks the weapon out of the hand of {name(e.target)}.",
    rules.HELD: lambda e, name: f"{name(e.who)} holds {name(e.target)}.",
    rules.LOOSE: lambda e, name: f"{name(e.who)} is held no longer.",
    rules.RUNS: lambda e, name: f"{name(e.who)} runs for it.",
    rules.PACE: lambda e, name: f"{name(e.who)} goes at MOV {e.mov}.",
    rules.ESCAPES: lambda e, name: f"{name(e.who)} gets away.",
    rules.CAUGHT: lambda e, name: f"{name(e.who)} does not get away.",
    rules.TREATS: _treats,
    rules.COMES_TO: lambda e, name: f"{name(e.who)} comes to.",
    rules.STABLE: lambda e, name: f"{name(e.who)} is no longer dying.",
    rules.CLOSES: lambda e, name: f"{name(e.who)} closes in on {name(e.target)}: {e.yards} yards apart.",
    rules.FALLS_BACK: lambda e, name: f"{name(e.who)} falls back: {e.yards} yards from the nearest foe.",
    rules.WAITS: lambda e, name: f"{name(e.who)} waits.",
    rules.REGAINS: lambda e, name: f"the flesh of {name(e.who)} closes: {e.hp} HP.",
    rules.STALEMATE: lambda e, name: f"after {e.rounds} rounds nobody can win this.",
}


# The state


def status(fight: Fight, sheets: Sequence[Sheet], names: Sequence[str], teams: Sequence[str]) -> str:
    """The state as the table shows it: HP, skills, what is in hand, ammunition, and how each one stands."""
    wide = name_column(names, LONGEST_NAME)
    lines = [f"Round {max(1, fight.round)}", f"{'':{wide}}  HP                DEX MOV Build Bonus Dodge Luck"]
    indent = " " * (wide + 2)
    for fighter, name in zip(fight.fighters, names, strict=True):
        lines += named_row(name, wide, f"{_bar(fighter)}  {_numbers(fighter)}")
        lines += _set_out(conditions(fight, fighter, names), indent)
    return "\n".join([*lines, *wrap(question(fight, names), WIDTH)])


def _set_out(notes: Sequence[str], indent: str) -> list[str]:
    """Notes as lines that break between them, not within."""
    kept = "; ".join(note.replace(" ", TIED) for note in notes)
    lines = wrap(kept, WIDTH, initial_indent=indent, subsequent_indent=indent, break_on_hyphens=False)
    return [line.replace(TIED, " ") for line in lines]


def _bar(fighter: Fighter) -> str:
    """HP, as a bar and in numbers."""
    filled = -(-10 * fighter.hp // fighter.max_hp)
    return f"{'#' * filled:.<10} {fighter.hp:>2}/{fighter.max_hp:<2}"


def _numbers(fighter: Fighter) -> str:
    bonus = bonus_text((fighter.bonus_dice, fighter.bonus_sides, fighter.bonus_flat))
    luck = f"{fighter.luck:>4}" if fighter.luck or not fighter.enemy else "   -"
    return f"{fighter.dex:>3} {fighter.mov:>3} {fighter.build:>5} {bonus:>5} {fighter.dodge:>5} {luck}"


def conditions(fight: Fight, fighter: Fighter, names: Sequence[str]) -> list[str]:
    """What holds for a fighter beyond the numbers."""
    if fighter.state != STANDING:
        return [LEFT[fighter.state]]
    notes = [_carried(fighter, slot) for slot in range(SLOTS) if fighter.weapons[slot]]
    items = ((fighter.first_aid, "first aid"), (fighter.medicine, "medicine"))
    notes += [f"{what} {count}" for count, what in items if count]
    notes += [perk_name(PERKS.index(perk)) for perk in ACTIVE_PERKS if rules.has_perk(fighter, PERKS.index(perk))]
    if fighter.attacks > 1:
        notes.append(f"{fighter.attacks} attacks")
    if fighter.armour:
        notes.append(f"armour {fighter.armour}")
    if fighter.ward:
        notes.append(WARD_WORDS[fighter.ward])
    if fighter.regains:
        notes.append(f"regains {fighter.regains} a round")
    if fighter.held_by:
        notes.append(f"held by {names[fighter.held_by - 1]}")
    flags = (
        (fighter.down, "down"),
        (fighter.surprised, "surprised"),
        (fighter.off_balance, "off balance"),
        (fighter.diving, "no attack next turn"),
        (fighter.major, "a major wound"),
    )
    notes += [text for flag, text in flags if flag]
    return notes + ([f"at {fighter.yards} yards"] if fight.by_range else [])


def _carried(fighter: Fighter, slot: int) -> str:
    """A weapon with its skill, its damage and what is in it; a star marks what is in hand."""
    star = "*" if slot == fighter.wielded else ""
    weapon = "unarmed" if slot == HANDS and fighter.enemy else weapon_name(fighter, slot)
    text = f"{star}{weapon} {fighter.skills[slot]}% {damage_text(rules.weapon_damage(fighter, slot))}"
    if KIND[fighter.weapons[slot]] == GUN:
        text += f" {fighter.loaded[slot]}/{MAGAZINE[fighter.weapons[slot]]}+{fighter.spare[slot]}"
    elif KIND[fighter.weapons[slot]] == THROWN:
        text += f" x{fighter.loaded[slot]}"
    if fighter.dropped >> slot & 1:
        text += " on the floor"
    return text + (" jammed" if fighter.jammed >> slot & 1 else "")


def damage_text(damage: int) -> str:
    """Damage dice as one writes them: 1D8+2; where there are none, the damage bonus is all."""
    count, sides, plus = damage & 15, damage >> 4 & 63, damage >> 10
    dice = [f"{count}D{sides}"] if count else []
    return "+".join(dice + ([str(plus)] if plus else [])) or "bonus"


def question(fight: Fight, names: Sequence[str]) -> str:
    """What somebody is asked between two actions."""
    if not rules.to_act(fight) or fight.phase == rules.ACT:
        return ""
    who = names[fight.due.bit_length() - 1]
    against = names[fight.actor]
    return {
        rules.MORE: f"{who} attacks again{_which_attack(fight)}.",
        rules.EXTRA: f"{who} has one more attack.",
        rules.REACT: f"{against} {_attack_on(fight, who)}{_which_attack(fight)}: dodge, or fight back?",
        rules.UNDER_FIRE: f"{against} {_attack_on(fight, who)}: stand, or dive for cover{_price_of_cover(fight)}?",
        rules.HEAVY: f"{who} has hit: use Heavy Hitter for one more damage die (10 Luck)?",
        rules.RAPID: f"{who} may attack once more: use Rapid Attack (10 Luck)?",
        rules.TOUGH: f"{who} is about to take {fight.hurt} damage: use Tough Guy to ignore up to 5 (10 Luck)?",
        rules.FLEET: f"{who} is outnumbered: use Fleet Footed not to be, for this fight (10 Luck)?",
    }[fight.phase]


def _attack_on(fight: Fight, whom: str) -> str:
    """The attack that somebody has to react to."""
    using = _using(fight.fighters[fight.actor], fight.slot)
    if fight.doing == rules.SHOOT:
        return f"aims {SHOTS_AT[fight.shots]}at {whom}{using}"
    return f"tries to {MANOEUVRES[fight.doing]} {whom}" if fight.doing in MANOEUVRES else f"attacks {whom}{using}"


def _which_attack(fight: Fight) -> str:
    """Which of several attacks of a turn it is."""
    most = fight.fighters[fight.actor].attacks
    return f" ({most - fight.attacks + 1} of {most})" if most > 1 and fight.doing not in MANOEUVRES else ""


def _price_of_cover(fight: Fight) -> str:
    """What diving would cost whoever is asked."""
    nimble = rules.has_perk(fight.fighters[fight.target], rules.NIMBLE)
    return " and not attack next turn" if fight.dive_cost and not nimble else ""


def gauges(fight: Fight, who: int) -> list[Gauge]:
    """What a picture draws of a fighter."""
    fighter = fight.fighters[who]
    drawn = [Gauge("HP", fighter.hp, fighter.max_hp)]
    for slot in range(SLOTS):
        if KIND[fighter.weapons[slot]] == GUN:
            drawn.append(Gauge(weapon_name(fighter, slot), fighter.loaded[slot], MAGAZINE[fighter.weapons[slot]]))
    return drawn


def cut(fight: Fight, viewer: int | None) -> Fight:
    """The fight as a viewer may know it: all of it, there is nothing to hide."""
    return records.copy(fight)
