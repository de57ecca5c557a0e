"""The deck: twenty cards with four edges each, the Wound cards, and what a set of cards shows."""

from __future__ import annotations

from affray.kernel.rules import rule
from affray.system.abilities import Cards

# One character for each card from 1 to 20, then the Wound cards in the order in which they are taken.
#
#               1    2    3    4    5    6    7    8    9   10
_LOW = "1111 1241 1232 1434 2234 2323 1123 2123 2212 3122"
#              11   12   13   14   15   16   17   18   19   20
_HIGH = "4444 1334 3342 3134 1224 3214 1442 3434 4342 3313"
_WOUNDS = "2221 2212 2122 1222"
_D4 = "0123401234" + "4321043210" + "0000"
_D6 = "2165036425" + "6154320314" + "0000"

EDGES = tuple(f"{_LOW} {_HIGH} {_WOUNDS}".split())
"""The four edges A B C D of every card; a stat of rank 1 reads A, one of rank 4 reads D."""

SCORE = tuple(int(edges[rank]) for edges in EDGES for rank in range(4))
"""What card `c` shows to rank `r`, at `4 * c + r - 1`: 1 to 4, that is XX, X, a check or two of them."""

D4_PIPS = tuple(int(pip) for pip in _D4)
D6_PIPS = tuple(int(pip) for pip in _D6)

FIRST_STAMINA, FIRST_WOUND, CARDS = 10, 20, 24
WHOLE_DECK = (1 << FIRST_WOUND) - 1
STAMINA = WHOLE_DECK & ~((1 << FIRST_STAMINA) - 1)
"""The cards with a Stamina symbol: 11 to 20."""
WOUND_CARDS = (1 << CARDS) - 1 & ~WHOLE_DECK
CRITICAL_FAILURE, CRITICAL_SUCCESS = 0, 10

CALLED = Cards(
    [(str(card + 1), edges, *(("w", "wound") if card >= FIRST_WOUND else ())) for card, edges in enumerate(EDGES)],
    "its number or its edges, such as 2 or 1241; w for a Wound",
    {"face_down": "unknown"},
)
"""What a person calls a card that came up."""

SCORES = ("", "✗✗", "✗", "✔", "✔✔")
"""How a score is written."""


def card_text(card: int) -> str:
    """A card as the story shows it: its number, or Wound, and its four edges."""
    return f"{'Wound' if card >= FIRST_WOUND else card + 1}:{EDGES[card]}"


@rule
def best_of(cards: int, rank: int) -> int:
    """The best score that some of the cards show to a rank."""
    best = 0
    for card in range(CARDS):
        if cards >> card & 1:
            best = max(best, SCORE[4 * card + rank - 1])
    return best


@rule
def worst_of(cards: int, rank: int) -> int:
    """The worst score that some of the cards show to a rank."""
    worst = 5
    for card in range(CARDS):
        if cards >> card & 1:
            worst = min(worst, SCORE[4 * card + rank - 1])
    return worst
