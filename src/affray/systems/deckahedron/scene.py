"""A fighter as the table sees it, with piles and tokens, and the cards and dice that fell."""

from __future__ import annotations

from collections.abc import Sequence

from affray.kernel.chance import cards_of
from affray.kernel.rules import Event
from affray.kernel.state import STANDING
from affray.kernel.weights import how_many
from affray.system import pictograms
from affray.system.pictures import CardFace, Thrown, Widget
from affray.system.setup import Setup
from affray.systems.deckahedron import rules
from affray.systems.deckahedron.cards import CARDS, D4_PIPS, EDGES, FIRST_WOUND, SCORES, STAMINA, card_text
from affray.systems.deckahedron.events import (
    AWAITS,
    CARD_BACK,
    CARD_SHOWN,
    CARD_TURNED_UP,
    D4_CARD,
    D4_DIE,
    FLIPS,
    STAMINA_SEARCH,
    STATS,
    flipped,
)
from affray.systems.deckahedron.rules import Fight, Fighter, deck_size, pile_size, weapon
from affray.systems.deckahedron.sheets import Sheet
from affray.systems.deckahedron.story import conditions, gauges

CONDITIONS = pictograms.conditions(
    {
        "incapacitated": pictograms.FALLEN,
        "yielded": pictograms.FLAG,
        "gone": pictograms.AWAY,
        "dropped": pictograms.DROPPED,
        "armour": pictograms.SHIELD,
        "unaware": pictograms.ALARM,
        "pinned": pictograms.PIN,
        "no fatigue yet": pictograms.STARS,
        "an advantage": pictograms.BETTER,
        "a disadvantage": pictograms.WORSE,
        "superior position": pictograms.HEIGHT,
    }
)
IN_WORDS = ("", "two crosses", "a cross", "a check", "two checks")


def _face(card: int) -> CardFace:
    """A card with its four edges A B C D, from the top clockwise, and its Stamina symbol in the centre."""
    title = "Wound" if card >= FIRST_WOUND else str(card + 1)
    a, b, c, d = (int(edge) for edge in EDGES[card])
    said = ", ".join(f"{name} {IN_WORDS[edge]}" for name, edge in zip("ABCD", (a, b, c, d), strict=True))
    has_stamina = bool(STAMINA >> card & 1)
    return CardFace(
        card_text(card),
        title,
        (SCORES[a], SCORES[b], SCORES[c], SCORES[d]),
        f"card {title}: {said}{', a Stamina symbol' * has_stamina}",
        "♥" * has_stamina,
    )


FACES = tuple(_face(card) for card in range(CARDS))


def scene(setup: Setup[Sheet], fight: Fight, who: int) -> list[Widget]:
    """Stamina, the piles with the faces that lie open, tokens, Harm and Wounds, ammo, stats, and what hampers."""
    fighter = fight.fighters[who]
    stamina = gauges(setup, fight, who)[0]
    drawn = [Widget("bar", stamina.name, stamina.value, stamina.most), *_piles(fight, fighter)]
    if fighter.token_slots:
        held = ("Exhaustion",) * fighter.tokens
        drawn.append(Widget("tokens", "Exhaustion tokens", fighter.tokens, fighter.token_slots, names=held))
    if fighter.has_deck:
        drawn.append(Widget("marks", "Harm", fighter.harm, rules.MOST_HARM))
        drawn.append(Widget("marks", "Wounds", fighter.wounds, rules.MOST_WOUNDS))
    if weapon(fighter, rules.RANGED_WEAPON) != rules.NONE:
        drawn.append(Widget("rounds", "Ammo", fighter.ammo, fighter.most_ammo))
    ranks = (fighter.strength, fighter.dexterity, fighter.intelligence)
    drawn.append(
        Widget("numbers", "Stats", names=tuple(f"{stat} {rank}" for stat, rank in zip(STATS, ranks, strict=True)))
    )
    return [*drawn, Widget("tags", "State", names=tuple(_states(fight, fighter, setup.sheets)))]


def _piles(fight: Fight, fighter: Fighter) -> list[Widget]:
    """The piles of a deck: its own, or the Storyteller's for a fighter who has none. 14, 24."""
    if not fighter.has_deck:
        return [
            Widget("pile", "Storyteller's deck", how_many(fight.deck)),
            Widget("pile", "Storyteller's discard pile", how_many(fight.discard), names=_faces(fight.discard)),
        ]
    lost = _faces(fighter.exhausted) if fight.gritty else ()  # 14: in Heroic mode they lie face down
    return [
        Widget("pile", "Deck", max(0, deck_size(fighter))),
        Widget("pile", "Discard pile", how_many(fighter.discard), names=_faces(fighter.discard)),
        Widget("pile", "Exhaustion pile", pile_size(fighter), note="" if fight.gritty else "face down", names=lost),
    ]


def _faces(cards: int) -> tuple[str, ...]:
    return tuple(card_text(card) for card in cards_of(cards))


def _states(fight: Fight, fighter: Fighter, sheets: Sequence[Sheet]) -> list[str]:
    """What the status says of a fighter, but for the stats and the ammo, which are drawn by themselves."""
    notes = conditions(fight, fighter, [sheet.name for sheet in sheets])
    if fighter.state != STANDING:
        return notes
    return [note for note in notes[1:] if not note.startswith("ammo ")]


def thrown(setup: Setup[Sheet], fight: Fight, event: Event) -> list[Thrown]:
    """Cards as they were turned over, and dice; of a flip what it came to in words."""
    if event.kind == FLIPS:
        what = flipped(event.stat, event.net)
        return [_card(card, f"{what}: {IN_WORDS[event.score]}") for (card,) in event.fell]
    if event.kind != AWAITS:
        return []
    if event.what == D4_DIE:
        return [Thrown("dice", faces, "1d4") for faces in event.fell]
    if event.what == CARD_BACK:
        return [Thrown("pick", place, "which card of the Exhaustion pile") for place in event.fell]
    return [_card(card, _shown(event.what, card)) for (card,) in event.fell]


def _card(card: int, note: str) -> Thrown:
    return Thrown("card", (card + 1,), note, (card_text(card),))


def _shown(what: int, card: int) -> str:
    """What is read off a card that is turned over for something else than a stat."""
    if what == D4_CARD:
        return f"1d4: {D4_PIPS[card] or 'a blank'}"
    if what == STAMINA_SEARCH:
        return f"{'a' if STAMINA >> card & 1 else 'no'} Stamina symbol"
    if what == CARD_TURNED_UP:
        return "face down until now"
    return "back from the Exhaustion pile" if what == CARD_SHOWN else STATS[what]
