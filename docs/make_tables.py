"""Rewrites the parts of the documentation that are taken from the package: tables between marks, and a picture.

Run it after a change of rules, data or drawing: `.venv/bin/python docs/make_tables.py`. A test fails while it is due.
"""

from __future__ import annotations

import importlib
import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import MISSING
from functools import cache
from itertools import product
from math import comb
from pathlib import Path
from textwrap import shorten
from types import ModuleType
from typing import Any

from affray.handouts.lesson import Screen, lesson
from affray.kernel import records
from affray.kernel.exact import MOST_THROWS
from affray.kernel.native import TAPE_WIDTH
from affray.kernel.rules import kinds_of
from affray.lab.exchange import MOST_OUTCOMES
from affray.lab.fighting import LONGEST
from affray.lab.figures import Rate, rate
from affray.lab.odds import MOST_FRACTIONS, MOST_INTERPRETED, MOST_NATIVE, MOST_OPENINGS, QUICK_FRACTIONS
from affray.lab.simulate import final_states, simulate
from affray.lab.solve import LARGEST_LOOP, MOST_SWEPT
from affray.players.tactics import replay_simulated
from affray.system import sheets as sheet_declarations
from affray.system.contract import System
from affray.system.schema import Option, Ruling, allowed, as_text
from affray.system.setup import Setup
from affray.system.telling import counted
from affray.systems import deckahedron, grapple, mythos, strategic
from affray.systems.bgo import rules, sheets, system
from affray.systems.bgo.abilities import TYPES
from affray.systems.bgo.sheets import Boon, Consumable, Sheet, Stats

DOCS = Path(__file__).parent
SYSTEMS = ("bgo", "grapple", "deckahedron", "mythos", "strategic")
PAGES = (
    DOCS / "lab.md",
    DOCS / "protocol.md",
    *(DOCS / part / f"{id}.md" for part in ("systems", "porting") for id in SYSTEMS),
)
PICTURE = DOCS / "images" / "fight.svg"
MARKED = re.compile(r"(<!-- table: (?P<name>[\w-]+) -->\n).*?(<!-- end of table -->)", re.DOTALL)

# --- Markdown ------------------------------------------------------------------------------------------------


def table(heads: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A Markdown table; columns whose head ends in a colon stand right."""
    drawn = [[head.rstrip(":") for head in heads], ["--:" if head.endswith(":") else "---" for head in heads]]
    drawn += [[str(cell).replace("|", "\\|") for cell in row] for row in rows]
    return "".join(f"| {' | '.join(row)} |\n" for row in drawn)


def code(*words: str) -> str:
    return ", ".join(f"`{word}`" for word in words)


# --- what the tables hold ------------------------------------------------------------------------------------


def is_ability(ruling: Ruling) -> bool:
    return ruling.question.startswith("Ability: ") or ruling.id == "first-strike"


def ruling_rows(known: Iterable[Ruling], source: str) -> Iterable[Sequence[object]]:
    for ruling in known:
        if ruling.source == source and not is_ability(ruling):
            yield f"`{ruling.id}`", f"**{ruling.question}** {ruling.text}", code(*ruling.options)


def rulings(known: Mapping[str, Ruling], source: str) -> str:
    return table(["id", "rule", "options"], ruling_rows(known.values(), source))


def abilities() -> str:
    rows = []
    for ruling in filter(is_ability, sheets.rulings().values()):
        having = [id for id, c in sheets.creatures().items() if any(_is(ruling.id, name) for name in c.abilities)]
        shown = code(*having[:3]) + (f" and {len(having) - 3} more" if len(having) > 3 else "")
        rows.append((f"`{ruling.id}`", ruling.text, shown))
    return table(["ability", "what it does", "creatures that have it"], rows)


def _is(ability: str, name: str) -> bool:
    return name == ability or name.rpartition("-")[0] == ability


def options(known: Iterable[Option]) -> str:
    rows = [(code(o.name), code(as_text(o.default)), allowed(o), o.help, o.ruling and code(o.ruling)) for o in known]
    return table(["option", "default", "allowed", "meaning", "ruling"], rows)


def amounts(damage: Sequence[int]) -> str:
    return " + ".join(f"{amount} {kind}" for kind, amount in zip(TYPES, damage, strict=True) if amount)


def with_numbers(abilities: Mapping[str, int]) -> str:
    return ", ".join(name if name in sheets.FLAGS else f"{name} {number}" for name, number in abilities.items())


def statistics(sheet: Sheet) -> tuple[object, ...]:
    return sheet.max_health, sheet.attack, sheet.defense, amounts(sheet.damage), with_numbers(sheet.abilities)


def creatures() -> str:
    heads = ["id", "rank:", "type", "Health:", "Attack:", "Defense:", "Damage", "abilities", "defends"]
    rows = []
    for id in sheets.creatures():
        sheet = sheets.enlist(id)
        often = f"{sheet.policy.defend} %" if sheet.policy.defend else ""
        rows.append((f"`{id}`", sheet.rank, sheet.type, *statistics(sheet), often))
    return table(heads, rows)


def players() -> str:
    heads = ["id", "rank:", "Health:", "Attack:", "Defense:", "Damage", "abilities", "equipment"]
    known = [sheets.enlist(id) for id in sheets.players()]
    return table(heads, [(f"`{s.id}`", s.rank, *statistics(s), code(*s.equipment)) for s in known])


def changes(thing: Stats) -> str:
    numbers = [f"{name.capitalize()} {n:+}" for name in ("health", "attack", "defense") if (n := getattr(thing, name))]
    damage = [f"{n:+} {kind}" for kind, n in zip(TYPES, thing.damage, strict=True) if n]
    return ", ".join([*numbers, *damage, *filter(None, [with_numbers(thing.abilities)])])


def items() -> str:
    by_slot = sorted(sheets.items().values(), key=lambda item: (sheets.SLOTS.index(item.slot), item.rank))
    return table(["id", "slot", "rank:", "adds"], [(f"`{i.id}`", i.slot, i.rank, changes(i)) for i in by_slot])


def lasting(known: Iterable[Boon]) -> str:
    def lasts(thing: Boon) -> str:
        if thing.lasts != "encounters":
            return thing.lasts.replace("-", " ")
        return f"{thing.encounters} encounter{'s' * (thing.encounters != 1)}"

    return table(["id", "rank:", "adds", "lasts"], [(f"`{t.id}`", t.rank, changes(t), lasts(t)) for t in known])


def does(thing: Consumable) -> str:
    effects = [f"+{thing.heal} Health"] if thing.heal else []
    return ", ".join([*effects, *([f"ends {counted(thing.ends_curses, 'curse')}"] if thing.ends_curses else [])])


def consumables() -> str:
    rows = [(f"`{t.id}`", t.rank, does(t)) for t in sheets.consumables().values()]
    return table(["id", "rank:", "does"], rows)


SKILLS = {
    "ac": ("a target", "defense -1", "never below 1; lasts, adds up"),
    "co": ("yourself", "AD +6", "up to the AP size"),
    "en": ("yourself", "defense +1", "never above 6; lasts, adds up"),
    "in": ("a target", "AD -4", "down to 0"),
    "ld": ("a target", "AD +3", "up to its AP size"),
    "md": ("a target", "wounds -1", "down to 0; may bring back the knocked out"),
    "sp": ("yourself", "a die more in every later maneuver", "once; lasts"),
    "sr": ("yourself", "a free die more in every later strike", "once; lasts"),
    "sy": ("yourself", "AP size +4", "never above 20; lasts, adds up"),
    "tc": ("yourself", "SD +2", ""),
    "tt": ("a target", "SD -2", "down to 0"),
    "tr": ("a target", "SD = 0", ""),
}


def skills() -> str:
    rows = []
    for number, (short, name) in enumerate(grapple.sheets.SKILLS.items()):
        whom, does, bound = SKILLS[short]
        if grapple.rules.AT_TARGET[number] != (whom == "a target"):
            raise SystemExit(f"docs/make_tables.py and the rules disagree about whom {name} is for")
        rows.append((name, f"`{short}`", whom, does, bound, grapple.rules.DIFFICULTY[number]))
    return table(["skill", "short", "for", "does", "bounds", "difficulty:"], rows)


def profiles(of: System[Any, Any], profile: str) -> str:
    """What a profile changes in the usual one."""
    usual = next(iter(of.profiles))
    changed = of.profiles[profile]
    known = [option for option in of.options if option.name in changed]
    rows = [(f"`{o.name}`", f"`{as_text(o.default)}`", f"`{as_text(changed[o.name])}`", o.help) for o in known]
    return table(["option", f"`{usual}`", f"`{profile}`", "meaning"], rows)


def combatants() -> str:
    heads = ["id", "kind", "skills (4, 3, 2)", "AD/AP", "SD:", "defense:", "wounds:", "tactic", "note"]
    rows = []
    for id, sheet in grapple.sheets.SHEETS.fighters().items():
        held = ", ".join(grapple.sheets.SKILLS.get(skill, "-") for skill in sheet.skills)
        stats = (f"{sheet.ad}/{sheet.ap}", sheet.sd, sheet.defense, sheet.max_wounds)
        rows.append((f"`{id}`", sheet.kind, held, *stats, f"`{sheet.tactic}`", sheet.note))
    return table(heads, rows)


def round_robin() -> str:
    """Every tactic against every other, with the same fighters on both sides and both moving first equally often."""
    names = list(grapple.system.tactics)
    rows = []
    for own in names:
        shares = [_share(own, other) for other in names if other != own]
        cells = iter(f"{share:.0%}" for share in shares)
        row = ["-" if other == own else next(cells) for other in names]
        rows.append((f"`{own}`", *row, f"**{sum(shares) / len(shares):.0%}**"))
    return table(["wins of", *(f"against `{name}`:" for name in names), "mean:"], rows)


def _share(own: str, other: str) -> float:
    won, fights = 0, 500
    for members in (["ahalish"], ["fenn"], ["duelist"], ["goblin"], ["ahalish", "mirela"], ["rehtaoh", "osk"]):
        teams = {"first": members, "second": members}
        for team, against in (("first", "second"), ("second", "first")):
            playing, cap = {team: own, against: other}, {"round_cap": 200}
            many = simulate("grapple", teams, fights=fights, seed=7, tactics=playing, options=cap)
            won += many.counts[team]
    return won / (12 * fights)


def cards() -> str:
    def row(card: int) -> Sequence[object]:
        number = card + 1 if card < deckahedron.cards.FIRST_WOUND else f"Wound {card + 1}"
        symbol = "yes" if deckahedron.cards.STAMINA >> card & 1 else ""
        shown = (deckahedron.cards.SCORES[int(edge)] for edge in deckahedron.cards.EDGES[card])
        pips = deckahedron.cards.D4_PIPS[card] or ""
        return number, *shown, symbol, pips

    heads = ["card", "rank 1", "rank 2", "rank 3", "rank 4", "Stamina symbol", "1d4:"]
    return table(heads, [row(card) for card in range(deckahedron.cards.CARDS)])


def results(drawn: str) -> str:
    """One of the four tables as the rules read it."""
    first, *rows = [[cell.strip() for cell in line.split("|")] for line in drawn.strip("\n").splitlines()]
    if first[0]:
        return table(["card shows", "result"], [first, *rows])
    return table(["you", *first[1:]], [[f"**{head}**", *row] for head, *row in rows])


def deck_fighters() -> str:
    heads = ["id", "kind", "Str:", "Dex:", "Int:", "Stamina:", "weapons", "armour", "tactic", "note"]
    rows = []
    for id, s in deckahedron.sheets.SHEETS.fighters().items():
        carried = [name for name, held in (("in hand", s.melee), ("ranged", s.ranged)) if held == "held"]
        slots = [f"{n} {kind}" for n, kind in ((s.harm_slots, "Harm"), (s.wound_slots, "Wound")) if n]
        stats = (s.strength, s.dexterity, s.intelligence, s.stamina if s.deck else f"{s.stamina}, no deck")
        rows.append((f"`{id}`", s.kind, *stats, ", ".join(carried), ", ".join(slots), f"`{s.tactic}`", s.note))
    return table(heads, rows)


RANKS = range(1, 5)


def flips() -> str:
    """How likely a whole deck shows a check or better, by rank and net advantage."""

    def cell(rank: int, net: int) -> str:
        deck = deckahedron.cards.EDGES[: deckahedron.cards.FIRST_WOUND]
        good, cards = sum(edges[rank - 1] >= "3" for edges in deck), 1 + abs(net)
        if net < 0:
            return f"{comb(good, cards) / comb(len(deck), cards):.0%}"
        return f"{1 - comb(len(deck) - good, cards) / comb(len(deck), cards):.0%}"

    nets = (-2, -1, 0, 1, 2)
    heads = ["rank", *(f"{net:+}:" if net else "0:" for net in nets)]
    return table(heads, [(rank, *(cell(rank, net) for net in nets)) for rank in RANKS])


DUELS = 20_000
DUELS_OF_EQUALS = 5_000  # whose records are looked at one by one


def brawl(own: int, other: int, mode: str) -> Setup[Any]:
    """Two who differ in nothing but Str."""
    teams = {team: [f"odo:kind=foe:strength={rank}"] for team, rank in (("own", own), ("other", other))}
    return Setup.of("deckahedron", teams, {"mode": mode})


BRAWLERS = {"own": "brawler", "other": "brawler"}


def duels(rank: int, mode: str) -> Sequence[tuple[int, int]]:
    """Duels of equals, each by its winner (2 for none) and its first in the order."""
    ended = final_states(brawl(rank, rank, mode), seed=7, numbers=range(DUELS_OF_EQUALS), tactics=BRAWLERS)
    fights = (records.unpack(deckahedron.rules.Fight, 2, state) for state in ended)
    return [(fight.ending, fight.order[0]) for fight in fights]


def share(counted: Rate) -> str:
    return f"{counted.value:.1%} ± {(counted.high - counted.low) / 2:.1%}"


def ranks(mode: str) -> str:
    def cell(own: int, other: int) -> str:
        fought = simulate(brawl(own, other, mode), fights=DUELS, seed=7, tactics=BRAWLERS)
        return share(rate(fought.counts["own"], DUELS))

    rows = [(f"**Str {own}**", *(cell(own, other) for other in RANKS)) for own in RANKS]
    return table(["wins of", *(f"against Str {other}:" for other in RANKS)], rows)


def first_mover() -> str:
    rows = []
    for mode in ("heroic", "gritty"):
        for rank in RANKS:
            fought = duels(rank, mode)
            first = sum(winner == leader for winner, leader in fought)
            nobody = sum(winner == 2 for winner, _ in fought)
            counted = (rate(count, len(fought)) for count in (first, len(fought) - first - nobody, nobody))
            rows.append((mode, f"{rank} against {rank}", *map(share, counted)))
    return table(["mode", "Str", "the first wins:", "the second wins:", "nobody:"], rows)


LEVELS = ("critical", "extreme", "hard", "success", "failure", "critical failure")
SOME_SKILLS = (10, 25, 40, 50, 60, 75, 90)
SOME_NETS = (-2, -1, 0, 1, 2)


@cache
def percentile(net: int) -> Sequence[int]:
    """Every way in which the dice of d100 can fall, with so many bonus or penalty dice."""
    keep = min if net > 0 else max
    falls = product(range(10), repeat=2 + abs(net))
    return [keep((10 * ten + units) or 100 for ten in tens) for units, *tens in falls]


def level(rolled: int, skill: int) -> int:
    """The place of a roll's level among the names above."""
    if rolled in (1, 100):
        return 0 if rolled == 1 else 5
    return 4 - sum(rolled <= bound for bound in (skill, skill // 2, skill // 5))


def levels() -> str:
    """The success chart as chances, without bonus or penalty dice."""
    rows = []
    for skill in SOME_SKILLS:
        reached = [level(rolled, skill) for rolled in percentile(0)]
        rows.append((skill, *(f"{reached.count(place)}%" for place in range(len(LEVELS)))))
    return table(["skill:", *(f"{name}:" for name in LEVELS)], rows)


def successes_by_dice() -> str:
    """How likely a success is, by skill and net bonus or penalty dice."""
    rows = []
    for skill in SOME_SKILLS:
        chances = [sum(level(rolled, skill) < 4 for rolled in percentile(net)) for net in SOME_NETS]
        shares = zip(chances, SOME_NETS, strict=True)
        rows.append((skill, *(f"{count / len(percentile(net)):.1%}" for count, net in shares)))
    return table(["skill:", *(f"{net:+}:" if net else "0:" for net in SOME_NETS)], rows)


def exchanges() -> str:
    """How an attack ends against a target that fights back, or dodges, with a given skill."""

    def cell(attack: int, defence: int) -> str:
        rolls = [(level(a, attack), level(b, defence)) for a, b in product(percentile(0), repeat=2)]
        hit = sum(mine < 4 and mine <= theirs for mine, theirs in rolls)
        back = sum(theirs < 4 and theirs < mine for mine, theirs in rolls)
        clean = sum(mine < 4 and mine < theirs for mine, theirs in rolls)
        return " / ".join(f"{count / len(rolls):.0%}" for count in (hit, back, clean))

    skills = (25, 40, 55, 70, 85)
    rows = [(f"**{attack}**", *(cell(attack, defence) for defence in skills)) for attack in skills]
    return table(["attack", *(f"against {defence}:" for defence in skills)], rows)


PERKS = {
    "beady-eye": "no penalty die for small targets",
    "rapid-fire": "no penalty die for two or three shots",
    "quick-draw": "DEX 50 higher for the order, with a loaded gun in hand at the start",
    "nimble": "diving for cover costs nothing",
    "endurance": "a bonus die on Constitution",
    "outmaneuver": "Build 1 higher for the fighter's own manoeuvres",
    "alert": "never surprised",
    "night-vision": "no penalty die in the dark",
    "rapid-attack": "when a melee attack won or the target's reaction failed: one more melee attack, once a turn",
    "heavy-hitter": "when a melee attack won: one more of the weapon's dice",
    "tough-guy": "when about to be hurt: up to 5 damage less until the end of the round",
    "fleet-footed": "when attacked while outnumbered: not outnumbered for the rest of the fight",
}


def perks() -> str:
    if tuple(PERKS) != mythos.terms.PERKS:
        raise SystemExit("docs/make_tables.py and the sheets disagree about perks")
    price = next(f"{option.default} Luck" for option in mythos.sheets.OPTIONS if option.name == "perk_price")
    rows = [(f"`{id}`", price if id in mythos.terms.ACTIVE_PERKS else "", does) for id, does in PERKS.items()]
    return table(["perk", "costs", "what it does"], rows)


def weapons_at_hand() -> str:
    heads = ["id", "skill", "damage", "damage bonus", "impales"]
    rows = []
    for id, weapon in mythos.weapons.WEAPONS.items():
        if weapon.kind != "gun":
            name = f"`{id}`" + (f", thrown, {weapon.magazine} at first" if weapon.kind == "thrown" else "")
            rows.append((name, weapon.skill, weapon.damage, weapon.bonus, "yes" if weapon.impales else ""))
    return table(heads, rows)


def guns() -> str:
    heads = ["id", "skill", "damage", "impales", "base range, yards", "shots:", "magazine:", "malfunction:"]
    rows = []
    for id, gun in mythos.weapons.WEAPONS.items():
        if gun.kind == "gun":
            damage = " / ".join(dice for dice in (gun.damage, gun.farther, gun.farthest) if dice != "0")
            ranges = " / ".join(str(yards) for yards in (gun.base_range, gun.second_range, gun.third_range) if yards)
            shots = f"1-{gun.shots}" if gun.shots > 1 else 1
            impales = "yes" if gun.impales else ""
            rows.append((f"`{id}`", gun.skill, damage, impales, ranges, shots, gun.magazine, gun.malfunction))
    return table(heads, rows)


def characteristics(sheet: mythos.sheets.Sheet) -> tuple[object, ...]:
    numbers = (sheet.strength, sheet.constitution, sheet.size, sheet.dexterity, sheet.power)
    return *numbers, sheet.most_hp, sheet.speed, sheet.build, mythos.derived.bonus_text(sheet.bonus)


CHARACTERISTICS = ("STR:", "CON:", "SIZ:", "DEX:", "POW:", "HP:", "MOV:", "Build:", "bonus:")


def investigators() -> str:
    rows = []
    for id, sheet in mythos.sheets.SHEETS.fighters().items():
        if sheet.kind == "investigator":
            skills = ", ".join(f"{skill} {value}" for skill, value in sheet.skills.items())
            items = ", ".join(f"{count} {item}" for item, count in sheet.items.items())
            carried = ", ".join([code(*sheet.weapons), *([items] if items else [])])
            rows.append((f"`{id}`", *characteristics(sheet), sheet.luck, skills, carried, code(*sheet.perks)))
    return table(["id", *CHARACTERISTICS, "Luck:", "skills", "carries", "perks"], rows)


def enemies() -> str:
    rows = []
    for id, sheet in enemy_sheets().items():
        using = mythos.weapons.WEAPONS[sheet.weapons[0]] if sheet.weapons else mythos.weapons.WEAPONS["hands"]
        dice = code(sheet.weapons[0]) if sheet.weapons else sheet.natural if sheet.natural != "0" else "damage bonus"
        defies = [f"armour {sheet.armour}"] if sheet.armour else []
        defies += [mythos.terms.WARDS[sheet.ward]] if sheet.ward != "none" else []
        defies += [f"regains {sheet.regains} a round"] if sheet.regains else []
        attack = f"{sheet.attacks} x {sheet.skill(using.skill)}%, {dice}"
        rows.append((f"`{id}`", *characteristics(sheet), attack, ", ".join(defies)))
    return table(["id", *CHARACTERISTICS, "attacks", "defences"], rows)


def enemy_sheets() -> Mapping[str, mythos.sheets.Sheet]:
    return {id: sheet for id, sheet in mythos.sheets.SHEETS.fighters().items() if sheet.kind == "enemy"}


def against_enemies() -> str:
    """How often two sample investigators win against every enemy, by their own tactics."""

    def cell(who: str, enemy: str, profile: str) -> str:
        teams, chosen = {"investigators": [who], "enemies": [enemy]}, {"profile": profile}
        many = simulate("mythos", teams, fights=DUELS, seed=7, options=chosen)
        return share(many.rates["investigators"])

    sides = [(who, profile) for who in ("detective", "boxer") for profile in mythos.sheets.PROFILES]
    rows = [(f"`{enemy}`", *(cell(who, enemy, profile) for who, profile in sides)) for enemy in enemy_sheets()]
    return table(["against", *(f"{who}, `{profile}`:" for who, profile in sides)], rows)


def contests() -> str:
    """How often so many coins beat so many others, Flip-Offs included."""

    def cell(attack: int, defence: int) -> str:
        # Heads of the one and Tails of the other together are the Heads of all coins.
        both = attack + defence
        more = sum(comb(both, heads) for heads in range(defence + 1, both + 1))
        return f"{(more + comb(both, defence) / 2) / 2**both:.1%}"

    some = (0, 2, 4, 6, 7, 8, 10, 12)
    rows = [(f"**{attack}**", *(cell(attack, defence) for defence in some)) for attack in some[1:]]
    return table(["attack coins", *(f"against {defence}:" for defence in some)], rows)


def number(name: str) -> int:
    """The default of an option of `strategic` that is a number."""
    (found,) = (option.default for option in strategic.sheets.OPTIONS if option.name == name)
    return int(found)


def attack_moves() -> str:
    effects = {
        "strike": ("strike_attack", "as it is"),
        "guarded": ("guarded_attack", f"own defence {number('guarded_defence'):+} until the next action"),
        "jab": (
            "jab_attack",
            f"all pools at {number('jab_pools')} %; {number('jab_initiative'):+} initiative until the next action",
        ),
        "power": (
            "power_attack",
            f"{number('power_pools'):+} coins in each pool; own defence {number('power_defence'):+} until one acts "
            "again",
        ),
        "pull": (
            "pull_attack",
            f"no Crippling; {number('pull_lethality')} % of the lethality joins the Incapacitation",
        ),
        "maim": (
            "maim_attack",
            f"Crippling pool {number('maim_cripple'):+} coins, the others {number('maim_others'):+}",
        ),
        "gap": ("gap_attack", "armour does not soak"),
        "disarm": (
            "disarm_attack",
            f"no damage; with a margin of {number('disarm_margin')} the weapon drops: fists until it is picked up, "
            "an action",
        ),
        "threaten": (
            "",
            "contest of Training and a third of Strength against Discipline and a third of Training; the loser "
            f"has {number('threat_attack')} coin less in the next attack, and must say whether to go on or yield",
        ),
    }
    if set(effects) != set(strategic.moves.ATTACKS.values()):
        raise SystemExit("docs/make_tables.py and the moves disagree about attack moves")
    rows = []
    for move, (option, effect) in effects.items():
        coins = f"{number(option):+}" if isinstance(option, str) and option else option
        rows.append((f"`{move}`", coins if coins != "+0" else 0, effect, _without(move)))
    return table(["move", "attack:", "effect", "not with"], rows)


def _without(move: str) -> str:
    """The weapons that do not allow a move or a defence."""
    known = strategic.arms.WEAPONS.items()
    return code(*(id for id, weapon in known if move not in (*weapon.attacks, *weapon.defences)))


def defence_moves() -> str:
    rows = (
        (
            "`parry`",
            number("parry_defence"),
            f"winning by {number('parry_margin')} or more: {number('parry_initiative'):+} initiative in the next "
            "round; not against arrows",
        ),
        (
            "`dodge`",
            f"{number('dodge_defence'):+}",
            f"{number('dodge_initiative'):+} initiative in the next round; only with an armour penalty of "
            f"{number('dodge_penalty')} or less",
        ),
        ("`brace`", f"{number('brace_defence'):+}", f"{number('brace_soak'):+} coins to soak with"),
    )
    return table(["defence", "coins:", "effect", "not with"], [(*row, _without(row[0].strip("`"))) for row in rows])


def arms() -> str:
    rows = []
    for id, weapon in strategic.arms.WEAPONS.items():
        numbers = (weapon.kind, weapon.damage, weapon.lethality, weapon.weight)
        rows.append((f"`{id}`", *numbers, code(*weapon.to_learn), code(*weapon.defences)))
    heads = ["weapon", "kind", "damage:", "lethality:", "weight:", "attack moves, as they are learned", "defences"]
    return table(heads, rows)


def armour() -> str:
    known = strategic.arms.ARMOURS.items()
    return table(["armour", "value:", "penalty:"], [(f"`{id}`", worn.value, worn.penalty) for id, worn in known])


def strategic_fighters() -> str:
    rows = []
    defaults = {option.name: option.default for option in strategic.sheets.OPTIONS}
    for id, sheet in strategic.sheets.SHEETS.fighters().items():
        derived = strategic.sheets.derived(sheet, defaults)
        abilities = (derived[name] for name in ("attack", "defence", "initiative"))
        attributes = (sheet.strength, sheet.agility, sheet.discipline, sheet.training)
        stake = f"{sheet.stake}" if sheet.caution == 100 else f"{sheet.stake}, counts {sheet.caution / 100:g}"
        worn = (f"`{sheet.weapon}`", f"`{sheet.armour}`")
        rows.append((f"`{id}`", *attributes, *worn, *abilities, stake, f"`{sheet.tactic}`"))
    heads = ["id", "Str:", "Agi:", "Dis:", "Tra:", "weapon", "armour", "Attack:", "Defence:", "Initiative:"]
    return table([*heads, "stake, years:", "tactic"], rows)


def surgery() -> str:
    """What an operation of the usual length does, by the coins that are left of 30."""
    healing, told = strategic.healing, strategic.life.in_words
    hours, healer = number("surgery_hours"), number("care_coins")
    rows = []
    for coins in (28, 24, 20, 18, 17, 16, 15, 14, 12):
        untreated, given = strategic.life.expected(coins), healing.restored(coins, hours, healer)
        kept = "not begun"
        if coins >= healing.break_even(hours, healer):
            kept = told(healing.after_surgery(30, hours, healer, False)[coins])
        rows.append((coins, told(untreated), f"+{told(given)}", f"{hours * (30 - coins)} hours", kept))
    return table(["coins:", "untreated:", f"{hours} hours give:", "for all coins:", "lives after surgery:"], rows)


def bed() -> str:
    """How long every level of Crippling takes, and what stays."""
    hours = strategic.healing.bed_table(number("rest_days"), number("rest_hours"), number("rest_growth"))
    alone = number("heals_alone")
    rows = []
    for level in range(1, 9):
        stays = strategic.healing.lame_table(alone, number("mend_coins"))[level] / 1000
        point, whole = (strategic.life.in_words(3600 * n) for n in (hours[level] - hours[level - 1], hours[level]))
        rows.append((level, point, whole, "alone" if level <= alone else "after care", f"{stays:.2f}" if stays else ""))
    return table(["Crippling:", "the last point:", "all of it:", "heals", "points for good:"], rows)


@cache
def beside(name: str) -> ModuleType:
    """A script beside this one."""
    if str(DOCS) not in sys.path:
        sys.path.append(str(DOCS))
    return importlib.import_module(name)


def ring() -> ModuleType:
    """The script that fights the balance of `strategic` out."""
    return beside("strategic_tables")


def travels() -> ModuleType:
    """The script that travels the journey of `bgo`."""
    return beside("journey_tables")


def protocol() -> ModuleType:
    """The script that reads the messages of the server."""
    return beside("protocol_tables")


def fought_out(heads: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table some of whose cells are rates."""
    return table(heads, [[share(cell) if isinstance(cell, Rate) else cell for cell in row] for row in rows])


def record_table(cls: type[Any]) -> str:
    """Every field of a record, with what its declaration says of it."""
    return table(["field", "is", "holds"], [(f"`{name}`", kind, says) for name, kind, says in records.described(cls)])


def sheet_table(cls: type[sheet_declarations.Sheet], *, without: tuple[str, ...] = ()) -> str:
    """The keys of a sheet, with their defaults and what their declarations say of them."""

    def given(default: object) -> str:
        if default is MISSING:
            return "must be given"
        shown = default if isinstance(default, int) else default or ""
        return f"`{as_text(shown)}`" if shown != "" else ""

    known = sheet_declarations.described(cls)
    rows = [
        (f"`{key}`", given(usual), shorten(allowed, 90), says)
        for key, allowed, usual, says in known
        if key not in without
    ]
    return table(["key", "default", "must be", "meaning"], rows)


def event_table(of: System[Any, Any]) -> str:
    """Every kind of event, with its integers and the rules it cites."""
    known = kinds_of(of.begin, of.apply)
    return table(["event", "fields", "may cite"], [(f"`{k.name}`", code(*k.fields), code(*k.cites)) for k in known])


def tactics(of: System[Any, Any]) -> str:
    known = of.tactics.items()
    return table(["tactic", "how it fights"], [(f"`{name}`", in_words(tactic.__doc__ or "")) for name, tactic in known])


def in_words(docstring: str) -> str:
    """A docstring whose last word may be the bare number of a ruling."""
    return re.sub(r"\. (\d+)\.$", r" (ruling \1).", docstring)


def limits() -> str:
    floats = "floating point, and `how` says so"
    sampled = "`affray odds` simulates, `affray.odds` refuses, `fight.odds` plays out"
    counted_on_demand = sampled.replace("refuses", "refuses unless `states` says otherwise")
    rows = [
        ("states, for the odds of a whole fight as fractions", MOST_FRACTIONS, floats),
        ("states, for the odds of a decision as fractions", QUICK_FRACTIONS, floats),
        ("states in one loop, for fractions", LARGEST_LOOP, floats),
        ("states that are counted at all", MOST_NATIVE, counted_on_demand),
        ("states, for a decision before native code is ready", MOST_INTERPRETED, "`fight.odds` plays out"),
        ("ways in which a fight may open", MOST_OPENINGS, "`affray odds` simulates, `affray.odds` refuses"),
        ("throws in one decision", MOST_THROWS, sampled),
        ("outcomes of one throw", TAPE_WIDTH, sampled),
        ("outcomes of one move, for what it brings at once", MOST_OUTCOMES, "`at_once` is empty"),
        ("edges passed on the way to chances in floating point", MOST_SWEPT, sampled),
        ("rounds that a simulation tells apart", LONGEST - 1, "longer fights count as that long"),
    ]
    return table(["what", "up to:", "then"], [(what, f"{most:,}", then) for what, most, then in rows])


def learned(of: System[Any, Any]) -> str:
    """The lesson of a system, its parts under headings of their own."""
    parts = []
    for heading, blocks in lesson(of).values():
        parts.append(f"### {heading}")
        for block in blocks:
            if isinstance(block, str):
                parts.append(block)
            elif isinstance(block, Screen):
                parts.append("\n".join(("```text", *block.lines, "```")))
            else:
                parts.append(table(*block[:1], block[1:]).rstrip("\n"))
    return "\n\n".join(parts) + "\n"


TABLES: Mapping[str, Callable[[], str]] = {
    "bgo-lesson": lambda: learned(system),
    "grapple-lesson": lambda: learned(grapple.system),
    "deckahedron-lesson": lambda: learned(deckahedron.system),
    "mythos-lesson": lambda: learned(mythos.system),
    "strategic-lesson": lambda: learned(strategic.system),
    "limits": limits,
    "protocol-from-client": lambda: table(*protocol().from_client()),
    "protocol-from-server": lambda: table(*protocol().from_server()),
    "protocol-parts": lambda: table(*protocol().parts()),
    "protocol-addresses": lambda: table(*protocol().addresses()),
    "bgo-document": lambda: rulings(sheets.rulings(), "document"),
    "bgo-house-rules": lambda: rulings(sheets.rulings(), "house rule"),
    "bgo-abilities": abilities,
    "bgo-encounter-options": lambda: options(sheets.ENCOUNTER_OPTIONS),
    "bgo-journey-options": lambda: options(sheets.JOURNEY_OPTIONS),
    "bgo-encounter-record": lambda: record_table(rules.Encounter),
    "bgo-fighter-record": lambda: record_table(rules.Fighter),
    "bgo-events": lambda: event_table(system),
    "bgo-tactics": lambda: tactics(system),
    "bgo-creatures": creatures,
    "bgo-players": players,
    "bgo-items": items,
    "bgo-boons": lambda: lasting(sheets.boons().values()),
    "bgo-curses": lambda: lasting(sheets.curses().values()),
    "bgo-consumables": consumables,
    "bgo-journey-ranks": lambda: table(*travels().by_rank()),
    "bgo-journey-length": lambda: table(*travels().in_all()),
    "grapple-document": lambda: rulings(grapple.system.rulings(), "document"),
    "grapple-house-rules": lambda: rulings(grapple.system.rulings(), "house rule"),
    "grapple-skills": skills,
    "grapple-profiles": lambda: profiles(grapple.system, "grounds"),
    "grapple-options": lambda: options(grapple.sheets.OPTIONS),
    "grapple-sheet": lambda: sheet_table(grapple.sheets.Sheet),
    "grapple-combat-record": lambda: record_table(grapple.rules.Combat),
    "grapple-fighter-record": lambda: record_table(grapple.rules.Fighter),
    "grapple-events": lambda: event_table(grapple.system),
    "grapple-tactics": lambda: tactics(grapple.system),
    "grapple-round-robin": round_robin,
    "grapple-fighters": combatants,
    "deckahedron-document": lambda: rulings(deckahedron.system.rulings(), "document"),
    "deckahedron-house-rules": lambda: rulings(deckahedron.system.rulings(), "house rule"),
    "deckahedron-cards": cards,
    "deckahedron-flips": flips,
    "deckahedron-unaware": lambda: results(deckahedron.tables.UNAWARE),
    "deckahedron-breather": lambda: results(deckahedron.tables.BREATHER),
    "deckahedron-ranged": lambda: results(deckahedron.tables.RANGED),
    "deckahedron-melee": lambda: results(deckahedron.tables.MELEE),
    "deckahedron-options": lambda: options(deckahedron.sheets.OPTIONS),
    "deckahedron-tactics": lambda: tactics(deckahedron.system),
    "deckahedron-ranks-heroic": lambda: ranks("heroic"),
    "deckahedron-ranks-gritty": lambda: ranks("gritty"),
    "deckahedron-first-mover": first_mover,
    "deckahedron-fighters": deck_fighters,
    "deckahedron-sheet": lambda: sheet_table(deckahedron.sheets.Sheet),
    "deckahedron-fight-record": lambda: record_table(deckahedron.rules.Fight),
    "deckahedron-fighter-record": lambda: record_table(deckahedron.rules.Fighter),
    "deckahedron-events": lambda: event_table(deckahedron.system),
    "mythos-document": lambda: rulings(mythos.system.rulings(), "document"),
    "mythos-house-rules": lambda: rulings(mythos.system.rulings(), "house rule"),
    "mythos-sheet": lambda: sheet_table(mythos.sheets.Sheet),
    "mythos-own-weapon": lambda: sheet_table(mythos.weapons.Weapon, without=("id", "name")),
    "mythos-own-item": lambda: sheet_table(mythos.gear.Item, without=("id", "name")),
    "mythos-own-perk": lambda: sheet_table(mythos.gear.Perk, without=("id", "name")),
    "mythos-fight-record": lambda: record_table(mythos.rules.Fight),
    "mythos-fighter-record": lambda: record_table(mythos.rules.Fighter),
    "mythos-events": lambda: event_table(mythos.system),
    "strategic-document": lambda: rulings(strategic.system.rulings(), "document"),
    "strategic-house-rules": lambda: rulings(strategic.system.rulings(), "house rule"),
    "mythos-levels": levels,
    "mythos-dice": successes_by_dice,
    "mythos-exchanges": exchanges,
    "mythos-perks": perks,
    "mythos-weapons": weapons_at_hand,
    "mythos-guns": guns,
    "mythos-profiles": lambda: profiles(mythos.system, "classic"),
    "mythos-options": lambda: options(mythos.sheets.OPTIONS),
    "mythos-tactics": lambda: tactics(mythos.system),
    "mythos-investigators": investigators,
    "mythos-enemies": enemies,
    "mythos-wins": against_enemies,
    "strategic-contests": contests,
    "strategic-moves": attack_moves,
    "strategic-defences": defence_moves,
    "strategic-weapons": arms,
    "strategic-armour": armour,
    "strategic-fighters": strategic_fighters,
    "strategic-sheet": lambda: sheet_table(strategic.sheets.Sheet),
    "strategic-options": lambda: options(strategic.sheets.OPTIONS),
    "strategic-tactics": lambda: tactics(strategic.system),
    "strategic-sums": lambda: table(*ring().what_tactics_bring()),
    "strategic-best-answers": lambda: fought_out(*ring().best_answers()),
    "strategic-least-and-most": lambda: fought_out(*ring().least_and_most()),
    "strategic-attacks-none": lambda: fought_out(*ring().attack_moves("none")),
    "strategic-attacks-leather": lambda: fought_out(*ring().attack_moves("leather")),
    "strategic-attacks-chain": lambda: fought_out(*ring().attack_moves("chain")),
    "strategic-attacks-plate": lambda: fought_out(*ring().attack_moves("plate")),
    "strategic-defences-met": lambda: fought_out(*ring().defences()),
    "strategic-defences-attacked": lambda: fought_out(*ring().defences_against_moves()),
    "strategic-profiles": lambda: profiles(strategic.system, "ruled"),
    "strategic-surgery": surgery,
    "strategic-bed": bed,
    "strategic-fight-record": lambda: record_table(strategic.state.Fight),
    "strategic-fighter-record": lambda: record_table(strategic.state.Fighter),
    "strategic-events": lambda: event_table(strategic.system),
}


# --- pages and pictures --------------------------------------------------------------------------------------


def renewed(text: str) -> str:
    """A page with all its marked tables as the package has them now."""
    return MARKED.sub(lambda marked: f"{marked[1]}\n{TABLES[marked['name']]()}\n{marked[3]}", text)


def picture() -> str:
    """One of many simulated fights, drawn by the library."""
    teams = "heroes=knight:name=Ann,squire:name=Ben monsters=war-titan"
    return replay_simulated("bgo", teams, seed=7, number=4).svg() + "\n"


def current(path: Path) -> str:
    """What a page, or the picture, should hold."""
    return picture() if path == PICTURE else renewed(path.read_text(encoding="utf-8"))


def main() -> None:
    """Bring everything up to date."""
    for path in (*PAGES, PICTURE):
        text = current(path)
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
            print(f"written anew: {path.relative_to(DOCS)}", file=sys.stderr)


if __name__ == "__main__":
    main()
