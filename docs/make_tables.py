"""Rewrites the parts of the documentation that are taken from the package: tables between marks, and a picture.

Run it after a change of rules, data or drawing: `.venv/bin/python docs/make_tables.py`. A test fails while it is due.
"""

from __future__ import annotations

import re
import struct
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from math import comb
from pathlib import Path
from types import ModuleType
from typing import Any

from affray.kernel import native
from affray.kernel.native import TAPE_DEPTH, TAPE_WIDTH, np
from affray.kernel.records import Cell, Cells, PerFighter, shape
from affray.kernel.rules import Kind
from affray.kernel.system import System
from affray.lab.figures import Rate, rate
from affray.lab.odds import MOST_FRACTIONS, MOST_INTERPRETED, MOST_NATIVE, QUICK_FRACTIONS
from affray.lab.simulate import LONGEST, final_states, simulate
from affray.lab.solve import LARGEST_LOOP
from affray.players.tactics import replay_simulated
from affray.schema import Option, Ruling, allowed, as_text
from affray.systems import deckahedron, grapple
from affray.systems.bgo import rules, sheets, system
from affray.systems.bgo.sheets import Boon, Sheet, Stats

DOCS = Path(__file__).parent
PAGES = (
    DOCS / "lab.md",
    DOCS / "systems" / "bgo.md",
    DOCS / "systems" / "grapple.md",
    DOCS / "systems" / "deckahedron.md",
)
PICTURE = DOCS / "images" / "fight.svg"
MARKED = re.compile(r"(<!-- table: (?P<name>[\w-]+) -->\n).*?(<!-- end of table -->)", re.DOTALL)

SIZES = {"b": "I8", "h": "I16", "i": "I32", "q": "I64"}

ENCOUNTER = {
    "due": "who still owes a choice, one bit for each fighter",
    "round": "the battle round, from 1",
    "round_cap": "option",
    "armor_base": "option",
    "defend_defense": "option",
    "defend_attack": "option",
    "flee_defense": "option",
    "teams": "how many teams there are",
    "ending": "-1 while it runs; a team's number; `teams` for a draw; `teams + 1` for fled",
    "naturals": "option, 0 or 1",
    "poised_kept": "option `poised`: 1 for `kept`",
    "parting_blow": "option, 0 or 1",
    "drain_revives": "option, 0 or 1",
    "abilities": "all abilities that anybody here has, so that the others need not be looked for",
    "fighters": "one record for each fighter",
}
FIGHTER = {
    "abilities": "abilities without a number, and the types of nul and weak, as bits",
    "health": "Health now",
    "max_health": "most Health",
    "attack": "Attack of the sheet",
    "defense": "Defense of the sheet",
    "components": "how many damage types it deals",
    "kinds": "those types, the largest amount first",
    "damage": "their amounts, in the same order",
    "resist": "resist by type",
    "thorns": "thorns by type",
    "regenerate": "Health regained a round",
    "enrage": "what enrage adds",
    "team": "the number of its team",
    "state": "0 standing, 1 dead, 2 fled",
    "can_flee": "0 or 1",
    "defends": "percent of rounds in which its `policy` defends",
    "ward": "1 until used",
    "undying": "1 until used",
    "poised": "defended in the last round: +Attack",
    "burning": "0 or 1",
    "afflicted": "riders of the last round that count in this one, as bits",
    "blow": "this round: damage of its hit",
    "brings": "this round: riders of its hit",
    "pain": "this round: damage taken",
    "suffers": "this round: riders taken",
    "choice": "this round: 0 none yet, 1 attack, 2 defend, 3 flee. Secret until all are in",
    "target": "this round: whom it attacks. Secret likewise",
    "hits": "this round: 0 or 1",
    "canceled": "this round: undone by a first strike",
}

COMBAT = {
    "due": "who of the moving team still needs to move, one bit for each fighter",
    "round": "the round, from 1",
    "place": "the moving team's place in `order`",
    "teams": "how many teams there are",
    "listed": "how many teams move in the order given; the order of the others is drawn at the start",
    "ending": "-1 while it runs; a team's number; `teams` where nobody won",
    "maneuver_max": "option",
    "ties": "option, 0 or 1",
    "friendly": "option `friendly_targets`, 0 or 1",
    "tactics_elsewhere": "option `tactics_target`: 1 for `other`",
    "strategy_real": "option `strategy_cap`, 0 or 1",
    "sd_floor": "option, 0 or 1",
    "exact_names": "option `names`: 1 for `exact`",
    "exact_words": "option `words`: 1 for `exact`",
    "round_cap": "option",
    "order": "the teams' numbers in moving order; there is room for as many as fighters",
    "fighters": "one record for each fighter",
}
COMBATANT = {
    "team": "the number of its team",
    "skills": "the skills rated 4, 3 and 2, numbered as in the table of skills from 0; -1 for none",
    "marked": "which of them are marked, as bits",
    "ad": "action dice",
    "sd": "strike dice",
    "ap": "size of the Action Pool as shown",
    "pool": "size of the Action Pool that holds",
    "defense": "defense now",
    "wounds": "wounds so far",
    "max_wounds": "wounds that knock out",
    "speed": "dice more in a maneuver, 0 or 1",
    "spirit": "dice more in a strike, 0 or 1",
}

DECKAHEDRON_FIGHT = {
    "due": "whose decision it is, one bit for each fighter",
    "phase": "what it is about: 0 an ambush, 1 an action, 2 a row's choice, 3 how a point is lost, 4 a foe's move, "
    "5 how a point is regained, 6 the offer to reshuffle",
    "stage": "what happens next by itself",
    "round": "the round, from 1",
    "round_cap": "option",
    "turn": "the place in `order` of whose turn it is; -2 before the order is flipped for, -1 before the first turn",
    "actor": "who acts",
    "target": "at whom",
    "teams": "how many teams there are",
    "ending": "-1 while it runs; a team's number; `teams` where nobody won",
    "always": "the row being resolved: what happens in any case, as bits",
    "either": "the one side of its choice",
    "other": "the other side",
    "by_hand": "whether it is a row of the melee table, 0 or 1",
    "gritty": "option `mode`: 1 for `gritty`",
    "veil": "option `face_down`: 1 for `unknown`",
    "d4_cards": "option `d4`: 1 for `cards`",
    "breather_floor": "option, 0 or 1",
    "breather_repeat": "option, 0 or 1",
    "gang_up": "option, 0 or 1",
    "ambush": "option: the number of the ambushing team plus 1; 0 for none",
    "attacked": "who has been attacked in this round, as bits",
    "deck": "the Storyteller's deck, for foes without one, as bits",
    "discard": "its discard pile",
    "order": "the fighters' numbers in the order in which they act",
    "fighters": "one record for each fighter",
}
DECKAHEDRON_FIGHTER = {
    "team": "the number of its team",
    "state": "0 standing, 1 incapacitated, 2 yielded, 3 gone",
    "strength": "rank",
    "dexterity": "rank",
    "intelligence": "rank",
    "speed": "running costs 4 less this",
    "stamina": "points to incapacitation",
    "has_deck": "0 or 1",
    "ticks": "points lost by one without a deck",
    "deck": "cards as bits, card 1 the lowest; the face-down ones are among them where nobody knows which they are",
    "discard": "the discard pile",
    "exhausted": "the Exhaustion pile, as far as the rules know it. In Heroic mode no view shows it",
    "veiled": "how many cards of `deck` lie face down in the Exhaustion pile",
    "tokens": "Exhaustion tokens",
    "token_slots": "the most it can have",
    "harm": "Harm tokens",
    "wounds": "Wound tokens",
    "harm_slots": "free slots of armour for Harm",
    "wound_slots": "free slots of armour for Wounds",
    "weapons": "two bits for the one in hand, two for the ranged one: 0 none, 1 held, 2 dropped",
    "ammo": "ammo now",
    "most_ammo": "the most that rearming leads to",
    "pinned": "0 or 1",
    "stunned": "turns of its own that must end before it can do fatigue",
    "breathed": "whether its last action was a Breather",
    "unaware": "whether it has not noticed the ambush yet",
    "superior": "over whom it is in a superior position, as bits",
    "near": "who is at close range, as bits",
    "initiative": "its flips for the order",
    "owes": "Stamina points that it must still lose",
    "owes_harm": "Harm that it must still take",
    "owes_wounds": "Wounds that it must still take",
    "groans": "flipped Wound cards that must still be paid for",
    "regains": "points that a Breather still brings back",
}


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
    rows = [(f"`{o.name}`", f"`{as_text(o.default)}`", allowed(o), o.help, f"`{o.ruling}`") for o in known]
    return table(["option", "default", "allowed", "meaning", "ruling"], rows)


def amounts(damage: Sequence[int]) -> str:
    return " + ".join(f"{amount} {kind}" for kind, amount in zip(rules.TYPES, damage, strict=True) if amount)


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
    damage = [f"{n:+} {kind}" for kind, n in zip(rules.TYPES, thing.damage, strict=True) if n]
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


def consumables() -> str:
    rows = [
        (f"`{t.id}`", t.rank, f"+{t.heal} Health" if t.heal else f"ends {t.ends_curses} curse")
        for t in sheets.consumables().values()
    ]
    return table(["id", "rank:", "does"], rows)


SKILLS = {
    "ac": ("a target", "defense -1", "never below 1; lasts, adds up"),
    "co": ("oneself", "AD +6", "up to the AP size"),
    "en": ("oneself", "defense +1", "never above 6; lasts, adds up"),
    "in": ("a target", "AD -4", "down to 0"),
    "ld": ("a target", "AD +3", "up to its AP size"),
    "md": ("a target", "wounds -1", "down to 0; may bring back the knocked out"),
    "sp": ("oneself", "a die more in every later maneuver", "once; lasts"),
    "sr": ("oneself", "a free die more in every later strike", "once; lasts"),
    "sy": ("oneself", "AP size +4", "never above 20; lasts, adds up"),
    "tc": ("oneself", "SD +2", ""),
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


def profiles() -> str:
    changed = grapple.sheets.PROFILES["grounds"]
    known = [option for option in grapple.sheets.OPTIONS if option.name in changed]
    rows = [(f"`{o.name}`", f"`{as_text(o.default)}`", f"`{as_text(changed[o.name])}`", o.help) for o in known]
    return table(["option", "`document`", "`grounds`", "meaning"], rows)


def combatants() -> str:
    heads = ["id", "kind", "skills (4, 3, 2)", "AD/AP", "SD:", "defense:", "wounds:", "tactic", "note"]
    rows = []
    for id, sheet in grapple.sheets.fighters().items():
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
            many = simulate("grapple", teams, fights=fights, seed=7, tactics=playing, options=cap, figures=False)
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
        return table(["card shows", "comes of it"], [first, *rows])
    return table(["you", *first[1:]], [[f"**{head}**", *row] for head, *row in rows])


def deck_fighters() -> str:
    heads = ["id", "kind", "Str:", "Dex:", "Int:", "Stamina:", "weapons", "armour", "tactic", "note"]
    rows = []
    for id, s in deckahedron.sheets.fighters().items():
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


@cache
def duels(own: int, other: int, mode: str) -> Sequence[tuple[int, int]]:
    """Duels of two who differ in nothing but Str, each by its winner (2 for none) and its first in the order."""
    teams = {team: [f"odo:kind=foe:strength={rank}"] for team, rank in (("own", own), ("other", other))}
    brawl = dict.fromkeys(teams, "brawler")
    numbers, options = range(DUELS), {"mode": mode}
    ended = final_states("deckahedron", teams, seed=7, numbers=numbers, tactics=brawl, options=options)
    fields = np.frombuffer(b"".join(ended), native.dtype(deckahedron.rules.Fight, 2))
    return list(zip(fields["ending"].tolist(), fields["order"][:, 0].tolist(), strict=True))


def share(counted: Rate) -> str:
    return f"{counted.value:.1%} ± {(counted.high - counted.low) / 2:.1%}"


def ranks(mode: str) -> str:
    def cell(own: int, other: int) -> str:
        return share(rate(sum(winner == 0 for winner, _ in duels(own, other, mode)), DUELS))

    rows = [(f"**Str {own}**", *(cell(own, other) for other in RANKS)) for own in RANKS]
    return table(["wins of", *(f"against Str {other}:" for other in RANKS)], rows)


def first_mover() -> str:
    rows = []
    for mode in ("heroic", "gritty"):
        for rank in RANKS:
            fought = duels(rank, rank, mode)
            first = sum(winner == leader for winner, leader in fought)
            nobody = sum(winner == 2 for winner, _ in fought)
            counted = (rate(count, DUELS) for count in (first, DUELS - first - nobody, nobody))
            rows.append((mode, f"{rank} against {rank}", *map(share, counted)))
    return table(["mode", "Str", "the first wins:", "the second wins:", "nobody:"], rows)


def cells(part: Cell | Cells | PerFighter) -> tuple[str, int | str]:
    """What a field is made of, and its bytes."""
    match part:
        case Cell(code=letter):
            return SIZES[letter], struct.calcsize(letter)
        case Cells(code=letter, length=length):
            return f"{length} × {SIZES[letter]}", length * struct.calcsize(letter)
        case PerFighter(of=Cell(code=letter)):
            return f"{SIZES[letter]} for each", f"{struct.calcsize(letter)} each"
        case PerFighter(of=nested):
            assert isinstance(nested, type)
            return f"`{nested.__name__}` for each", f"{size(nested)} each"


def size(cls: type[Any]) -> int:
    return sum(int(cells(part)[1]) for _, part in shape(cls))


def layout(cls: type[Any], meanings: Mapping[str, str]) -> str:
    fields = dict(shape(cls))
    if strange := fields.keys() ^ meanings.keys():
        raise SystemExit(f"docs/make_tables.py and {cls.__name__} disagree about: {', '.join(sorted(strange))}")
    return table(["field", "is", "bytes:", "holds"], [(f"`{f}`", *cells(p), meanings[f]) for f, p in fields.items()])


def events(of: ModuleType) -> str:
    kinds = sorted(value for value in vars(of).values() if isinstance(value, Kind))
    return table(["event", "fields", "cites"], [(f"`{k.name}`", code(*k.fields), code(*k.cites)) for k in kinds])


def tactics(of: System[Any, Any]) -> str:
    known = of.tactics.items()
    return table(["tactic", "how it fights"], [(f"`{name}`", in_words(tactic.__doc__ or "")) for name, tactic in known])


def in_words(docstring: str) -> str:
    """A docstring whose last word may be the bare number of a ruling."""
    return re.sub(r"\. (\d+)\.$", r" (ruling \1).", docstring)


def limits() -> str:
    floats, sampled = "floating point, and `how` says so", "`affray odds` refuses, `fight.odds` plays out"
    rows = [
        ("states, for the odds of a whole fight as fractions", MOST_FRACTIONS, floats),
        ("states, for the odds of a decision as fractions", QUICK_FRACTIONS, floats),
        ("states in one loop, for fractions", LARGEST_LOOP, floats),
        ("states that are counted at all", MOST_NATIVE, sampled),
        ("states, for a decision before native code is ready", MOST_INTERPRETED, "`fight.odds` plays out"),
        ("throws in one decision", TAPE_DEPTH - 1, sampled),
        ("outcomes of one throw", TAPE_WIDTH, sampled),
        ("rounds that a simulation tells apart", LONGEST - 1, "longer fights count as that long"),
    ]
    return table(["what", "up to:", "then"], [(what, f"{most:,}", then) for what, most, then in rows])


TABLES: Mapping[str, Callable[[], str]] = {
    "limits": limits,
    "bgo-document": lambda: rulings(sheets.rulings(), "document"),
    "bgo-house-rules": lambda: rulings(sheets.rulings(), "house rule"),
    "bgo-abilities": abilities,
    "bgo-encounter-options": lambda: options(sheets.ENCOUNTER_OPTIONS),
    "bgo-journey-options": lambda: options(sheets.JOURNEY_OPTIONS),
    "bgo-encounter-record": lambda: layout(rules.Encounter, ENCOUNTER),
    "bgo-fighter-record": lambda: layout(rules.Fighter, FIGHTER),
    "bgo-events": lambda: events(rules),
    "bgo-tactics": lambda: tactics(system),
    "bgo-creatures": creatures,
    "bgo-players": players,
    "bgo-items": items,
    "bgo-boons": lambda: lasting(sheets.boons().values()),
    "bgo-curses": lambda: lasting(sheets.curses().values()),
    "bgo-consumables": consumables,
    "grapple-document": lambda: rulings(grapple.sheets.rulings(), "document"),
    "grapple-house-rules": lambda: rulings(grapple.sheets.rulings(), "house rule"),
    "grapple-skills": skills,
    "grapple-profiles": profiles,
    "grapple-options": lambda: options(grapple.sheets.OPTIONS),
    "grapple-combat-record": lambda: layout(grapple.rules.Combat, COMBAT),
    "grapple-fighter-record": lambda: layout(grapple.rules.Fighter, COMBATANT),
    "grapple-events": lambda: events(grapple.rules),
    "grapple-tactics": lambda: tactics(grapple.system),
    "grapple-round-robin": round_robin,
    "grapple-fighters": combatants,
    "deckahedron-document": lambda: rulings(deckahedron.sheets.rulings(), "document"),
    "deckahedron-house-rules": lambda: rulings(deckahedron.sheets.rulings(), "house rule"),
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
    "deckahedron-fight-record": lambda: layout(deckahedron.rules.Fight, DECKAHEDRON_FIGHT),
    "deckahedron-fighter-record": lambda: layout(deckahedron.rules.Fighter, DECKAHEDRON_FIGHTER),
    "deckahedron-events": lambda: events(deckahedron.rules),
}


# --- pages and pictures --------------------------------------------------------------------------------------


def renewed(text: str) -> str:
    """A page with all its marked tables as the package has them now."""
    return MARKED.sub(lambda marked: f"{marked[1]}\n{TABLES[marked['name']]()}\n{marked[3]}", text)


def picture() -> str:
    """One of many simulated fights, drawn by the library."""
    teams = "heroes=knight:name=Ann,squire:name=Ben monsters=war-titan"
    return replay_simulated("bgo", teams, seed=7, number=4).svg() + "\n"


def outdated() -> dict[Path, str]:
    """Every file that is not current, with what it should hold."""
    fresh = {page: renewed(page.read_text(encoding="utf-8")) for page in PAGES} | {PICTURE: picture()}
    return {path: text for path, text in fresh.items() if not path.exists() or path.read_text(encoding="utf-8") != text}


def main() -> None:
    """Bring everything up to date."""
    for path, text in outdated().items():
        path.write_text(text, encoding="utf-8")
        print(f"written anew: {path.relative_to(DOCS)}", file=sys.stderr)


if __name__ == "__main__":
    main()
