"""Between fights: what lasts, resting and healing as the document has them, and no card lost or doubled on the way."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from affray.errors import Invalid
from affray.fight import Fight
from affray.kernel.chance import Scripted, Seeded
from affray.kernel.weights import how_many
from affray.system.registry import find
from affray.system.setup import Setup
from affray.systems.deckahedron import recovery, rules
from affray.systems.deckahedron.cards import WHOLE_DECK
from affray.systems.deckahedron.recovery import after_fight, heal, rest
from affray.systems.deckahedron.sheets import SHEETS, Sheet, bits, checked, points_lost, public

MAREN = SHEETS.enlist("maren")


def with_piles(**changes: object) -> Sheet:
    """Maren in a bad state."""
    return checked(replace(MAREN, **changes))  # type: ignore[arg-type]


def seated(sheet: Sheet, **options: object) -> rules.Fight:
    fight: rules.Fight = Setup.of("deckahedron", {"a": [sheet.as_table()], "b": ["guard"]}, options).seated()
    return fight


# --- resting --------------------------------------------------------------------------------------------------------


def test_resting_takes_all_exhaustion_tokens_and_one_harm_token() -> None:
    tired = with_piles(tokens=3, tokens_taken=3, harm=2, wounds=1, wound_cards=(21,), discard=(21,))
    rested, _ = rest(tired, Seeded(1))
    assert (rested.tokens_taken, rested.harm, rested.wounds) == (0, 1, 1)
    assert rested.wound_cards == (21,), "resting heals no Wound"


def test_as_many_cards_stay_as_harm_and_wound_tokens_are_left() -> None:
    tired = with_piles(harm=2, wounds=1, wound_cards=(21,), exhausted=(11, 12, 13, 14, 15), discard=(1, 21))
    script = Scripted([12 - 1, 14 - 1])  # the cards that stay: one for the Harm that is left, one for the Wound
    rested, told = rest(tired, script)
    script.finish()
    assert rested.exhausted == (12, 14)
    assert rested.discard == (1, 11, 13, 15, 21)
    assert "2 cards stay in the Exhaustion pile." in told


def test_no_more_cards_stay_than_there_are() -> None:
    tired = with_piles(harm=2, wounds=2, wound_cards=(21, 22), exhausted=(17,))
    assert rest(tired, Seeded(1))[0].exhausted == (17,)


def test_face_down_cards_that_come_back_are_any_of_those_nobody_has_seen() -> None:
    tired = with_piles(harm=2, face_down=3, discard=(1, 2, 3))
    script = Scripted([20 - 1, 4 - 1])  # which of the unseen ones turn up
    rested, told = rest(tired, script)
    script.finish()
    assert rested.face_down == 1
    assert rested.exhausted == ()
    assert rested.discard == (1, 2, 3, 4, 20)
    assert "To the discard pile: 4, 20." in told


def test_every_unseen_card_is_as_likely_to_come_back() -> None:
    tired = with_piles(face_down=2, discard=tuple(range(1, 13)))
    back = Counter(card for seed in range(4000) for card in rest(tired, Seeded(seed))[0].discard[12:])
    assert set(back) == set(range(13, 21))
    assert all(880 <= count <= 1120 for count in back.values()), "1000 each, give or take four standard deviations"


def test_every_card_of_the_pile_is_as_likely_to_stay() -> None:
    tired = with_piles(harm=2, exhausted=(11, 12, 13, 14))
    stay = Counter(rest(tired, Seeded(seed))[0].exhausted for seed in range(4000))
    assert set(stay) == {(11,), (12,), (13,), (14,)}
    assert all(890 <= count <= 1110 for count in stay.values())


def test_resting_empties_the_slots_of_armour_and_healing_does_not() -> None:
    worn = with_piles(harm_slots=2, harm_slots_used=2, wound_slots=1, wound_slots_used=1)
    rested, told = rest(worn, Seeded(1))
    assert (rested.harm_slots_used, rested.wound_slots_used) == (0, 0)
    assert "The armour is in order again." in told
    assert heal(worn, Seeded(1))[0].harm_slots_used == 2


def test_used_slots_and_spent_ammo_are_missing_in_the_next_fight() -> None:
    worn = with_piles(harm_slots=2, harm_slots_used=1, wound_slots=1, wound_slots_used=1, ammo=4, ammo_used=3)
    fighter = seated(worn).fighters[0]
    assert (fighter.harm_slots, fighter.wound_slots, fighter.ammo, fighter.most_ammo) == (1, 0, 1, 4)


# --- healing --------------------------------------------------------------------------------------------------------


def test_healing_takes_all_tokens_but_one_wound() -> None:
    hurt = with_piles(
        tokens=2, tokens_taken=2, harm=2, wounds=2, wound_cards=(21, 22), discard=(21, 22), exhausted=(11, 12, 13)
    )
    script = Scripted([13 - 1])  # the one that stays, for the Wound that is left
    healed, told = heal(hurt, script)
    script.finish()
    assert (healed.tokens_taken, healed.harm, healed.wounds) == (0, 0, 1)
    assert healed.exhausted == (13,)
    assert healed.discard == (11, 12, 21)
    assert "2 Exhaustion tokens, 2 Harm tokens and 1 Wound token go." in told


@pytest.mark.parametrize("where", ["deck", "discard", "exhausted"])
def test_the_card_of_a_healed_wound_is_gone_wherever_it_is(where: str) -> None:
    piles = {} if where == "deck" else {where: (21,)}
    healed, _ = heal(with_piles(wounds=1, wound_cards=(21,), **piles), Seeded(3))
    assert healed.wound_cards == healed.discard == healed.exhausted == ()


def test_a_wound_card_that_may_lie_face_down_is_looked_for_there_too() -> None:
    """Of 21 unseen cards 3 lie face down: the Wound card is one of the three in 3 of 21 cases."""
    hurt = with_piles(wounds=2, wound_cards=(21, 22), discard=(21,), face_down=3)
    for place, back in ((2, 1), (3, 2)):  # found among the three: two are left, of which one stays
        script = Scripted([place, *range(back)])
        healed, _ = heal(hurt, script)
        script.finish()
        assert healed.face_down == 1
        assert len(healed.discard) == 1 + back


def test_healing_without_a_wound_takes_no_card() -> None:
    healed, told = heal(with_piles(harm=1, exhausted=(11,)), Seeded(1))
    assert (healed.harm, healed.exhausted, healed.discard) == (0, (), (11,))
    assert not any("Wound card" in sentence for sentence in told)


def test_a_foe_without_a_deck_gets_its_points_back() -> None:
    tired = SHEETS.enlist("rabble:face_down=3")
    assert rest(tired, Seeded(1))[0].face_down == 0


# --- after a fight --------------------------------------------------------------------------------------------------


def test_a_gritty_fight_leaves_its_cards_face_up() -> None:
    fight = seated(MAREN, mode="gritty")
    fight.fighters[0].exhausted = fight.fighters[0].open = bits((11, 15))
    fight.fighters[0].discard = bits((1, 2, 21))
    fight.fighters[0].deck &= ~bits((1, 2, 11, 15))
    fight.fighters[0].wounds = 1
    after = after_fight(fight, 0, MAREN)
    assert (after.exhausted, after.face_down, after.discard, after.wound_cards) == ((11, 15), 0, (1, 2, 21), (21,))


def lay_down(fighter: rules.Fighter, *cards: int) -> None:
    """Let cards lie face down, of which nothing is known."""
    for place, card in enumerate(cards):
        fighter.laid[place], fighter.lost[place] = WHOLE_DECK, card - 1
    fighter.exhausted |= bits(cards)
    fighter.deck &= ~bits(cards)


def test_a_heroic_fight_shows_only_how_many_lie_face_down() -> None:
    """Two hidden piles of the same size look the same to others, and as one that even the rules do not know."""
    left = []
    for pile in ((11, 15), (3, 20)):
        fight = seated(MAREN)
        lay_down(fight.fighters[0], *pile)
        left.append(after_fight(fight, 0, MAREN))
    unknown = seated(MAREN, face_down="unknown")
    unknown.fighters[0].veiled = 2
    nothing_known = after_fight(unknown, 0, MAREN)
    assert nothing_known == replace(MAREN, face_down=2)
    assert left[0] != left[1]
    assert public(left[0]) == public(left[1]) == replace(nothing_known, pile="fffff-.fffff-")


def test_a_rest_turns_over_the_very_cards_that_lay_face_down() -> None:
    fight = seated(MAREN)
    lay_down(fight.fighters[0], 4, 11, 15, 20)
    fight.fighters[0].harm = 2
    lasting = after_fight(fight, 0, MAREN)
    script = Scripted([2])  # which of the four stays, for the Harm that is left
    rested, told = rest(lasting, script)
    script.finish()
    assert "To the discard pile: 4, 11, 20." in told
    assert rested.face_down == 1
    fighter = seated(rested).fighters[0]
    assert (fighter.exhausted, fighter.lost[0]) == (bits([15]), 14)
    assert fighter.laid[0] == WHOLE_DECK & ~bits([4, 11, 20])


@pytest.mark.parametrize(("pile", "left"), [((4, 21), 1), ((4, 11), 1)])
def test_a_healed_wound_is_found_in_the_pile_if_it_is_there(pile: tuple[int, ...], left: int) -> None:
    fight = seated(with_piles(wounds=2, wound_cards=(22, 21)))
    for place, card in enumerate(pile):
        fight.fighters[0].laid[place], fight.fighters[0].lost[place] = WHOLE_DECK | bits((21, 22)), card - 1
    fight.fighters[0].exhausted = bits(pile)
    fight.fighters[0].deck &= ~bits(pile)
    before = after_fight(fight, 0, with_piles(wounds=2, wound_cards=(22, 21)))
    healed, _ = heal(replace(before, wound_cards=(22, 21)), Seeded(1))
    assert (healed.wounds, healed.face_down) == (1, left)
    assert 21 not in (*healed.wound_cards, *healed.discard)
    fighter = seated(healed).fighters[0]
    assert how_many(fighter.deck | fighter.discard | fighter.exhausted) == 21


def test_who_has_no_stamina_left_in_the_other_mode_cannot_fight_in_it() -> None:
    """Cards without a Stamina symbol are lost points in Heroic mode only."""
    spent = with_piles(exhausted=tuple(range(1, 12)))
    assert rules.points_left(seated(spent, mode="gritty"), seated(spent, mode="gritty").fighters[0]) == 9
    with pytest.raises(Invalid, match="Maren has no Stamina left for Heroic mode before a rest or healing"):
        seated(spent)


def test_what_was_dropped_spent_and_used_lasts() -> None:
    ilse = SHEETS.enlist("ilse:harm_slots=2")
    fight = seated(ilse)
    fighter = fight.fighters[0]
    fighter.weapons = rules.HELD | rules.DROPPED << 2
    fighter.ammo, fighter.harm_slots = 1, 0
    after = after_fight(fight, 0, ilse)
    assert (after.melee, after.ranged, after.ammo, after.ammo_used) == ("held", "dropped", 3, 2)
    assert (after.harm_slots, after.harm_slots_used) == (2, 2)


def test_the_incapacitated_do_not_fight_before_they_have_rested() -> None:
    fight = seated(MAREN)
    lay_down(fight.fighters[0], *range(11, 21))
    fight.fighters[0].state = rules.OUT
    down = after_fight(fight, 0, MAREN)
    assert down.incapacitated
    assert down.face_down == 10
    with pytest.raises(Invalid, match="Maren is incapacitated and cannot fight before a rest or healing"):
        seated(down)
    rested, told = rest(down, Seeded(1))
    assert "Maren can fight again." in told
    assert seated(rested).fighters[0].veiled == 0


def test_who_has_little_stamina_may_be_down_even_after_a_rest() -> None:
    down = checked(
        replace(SHEETS.enlist("guard"), stamina=2, harm=2, wounds=1, wound_cards=(21,), face_down=2, incapacitated=True)
    )
    assert rest(down, Seeded(1))[0].incapacitated
    assert not heal(down, Seeded(1))[0].incapacitated


# --- cards are neither lost nor doubled ------------------------------------------------------------------------------


def random_fight(sheet: Sheet, mode: str, random: Random) -> Sheet:
    """One fight of random moves, and the sheet that comes out of it."""
    options = {"mode": mode, "round_cap": random.choice((1, 3, 40)), "d4": random.choice(("die", "cards"))}
    options["face_down"] = random.choice(("known", "unknown"))
    teams = {"a": [sheet.as_table()], "b": [random.choice(("brack", "ilse", "guard", "rabble"))]}
    fight = Fight("deckahedron", teams, dice=Seeded(random.randrange(2**32)), options=options)
    while not fight.over:
        (who,) = fight.to_act
        fight.play(who, random.choice(fight.legal(who)))
    entered, left = fight.first_state.fighters[0], fight.state.fighters[0]
    for fighter in (entered, left):
        assert not fighter.deck & fighter.discard
        assert not (fighter.deck | fighter.discard) & fighter.exhausted
    return after_fight(fight.state, 0, sheet)


def check_cards(sheet: Sheet) -> None:
    """Twenty cards and one for each Wound, each in one pile, and no more tokens than there can be."""
    unseen = recovery.unseen(sheet)
    piles = (unseen, bits(sheet.discard), bits(sheet.exhausted))
    assert sum(map(how_many, piles)) == 20 + sheet.wounds
    assert piles[0] | piles[1] | piles[2] == WHOLE_DECK | bits(sheet.wound_cards)
    assert len(sheet.wound_cards) == sheet.wounds <= 2
    assert sheet.harm <= 2
    assert sheet.face_down <= how_many(unseen)
    assert points_lost(sheet) <= 10
    assert SHEETS.enlist(sheet.as_table()) == sheet


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from(["fight", "fight", "rest", "heal"]), min_size=1, max_size=8), st.integers(0, 2**32))
@pytest.mark.parametrize("mode", ["heroic", "gritty"])
def test_cards_are_conserved_over_fights_rests_and_heals(mode: str, days: list[str], seed: int) -> None:
    random = Random(seed)
    sheet = SHEETS.enlist(f"maren:tokens={random.randrange(3)}:harm_slots={random.randrange(2)}")
    for day in days:
        if day == "fight" and not sheet.incapacitated:
            sheet = random_fight(sheet, mode, random)
        elif day == "heal":
            lost, wounds = points_lost(sheet), sheet.wounds
            sheet, _ = heal(sheet, Seeded(random.randrange(2**32)))
            assert (sheet.harm, sheet.wounds, sheet.tokens_taken) == (0, max(0, wounds - 1), 0)
            assert points_lost(sheet) in (min(lost, sheet.wounds), min(max(0, lost - 1), sheet.wounds))
        else:
            lost, harm = points_lost(sheet), sheet.harm
            sheet, _ = rest(sheet, Seeded(random.randrange(2**32)))
            assert (sheet.harm, sheet.tokens_taken, sheet.harm_slots_used) == (max(0, harm - 1), 0, 0)
            assert points_lost(sheet) == min(lost, sheet.harm + sheet.wounds)
        check_cards(sheet)


# --- in a world -----------------------------------------------------------------------------------------------------

residence = find("deckahedron").residence
assert residence is not None


def test_a_player_s_sheet_is_one_attribute_that_a_fight_rewrites() -> None:
    attributes = {"deckahedron_sheet": "maren:tokens=2", "note": "x"}
    sheet = residence.player("Ada", attributes)
    assert (sheet.name, sheet.tokens) == ("Ada", 2)
    fight = seated(sheet)
    fight.fighters[0].harm, fight.fighters[0].tokens, fight.fighters[0].veiled = 1, 2, 1
    fight.fighters[0].discard = bits((3, 11))
    fight.fighters[0].deck &= ~bits((3, 11))
    written = residence.returns(fight, 0, attributes)
    assert written == {"deckahedron_sheet": "maren:tokens=2:discard=3+11:face_down=1:tokens_taken=2:harm=1"}
    again = residence.player("Ada", written)
    assert again == after_fight(fight, 0, sheet)


def test_an_attribute_that_no_longer_fits_is_left_alone() -> None:
    fight = seated(residence.player("Ada", {"deckahedron_sheet": "maren"}))
    fight.fighters[0].veiled = 5
    for now in ("nobody", "civilian", "maren:harm=9"):
        assert residence.returns(fight, 0, {"deckahedron_sheet": now}) == {}
    assert residence.returns(fight, 0, {}) == {}


def test_who_has_no_sheet_is_told_which_attribute_is_missing() -> None:
    with pytest.raises(Invalid, match=r"Ada has no attribute deckahedron_sheet\[STRING\]"):
        residence.player("Ada", {})


# Sheets


@pytest.mark.parametrize("stamina", [4, 9, 12, 20])
def test_a_character_has_ten_stamina(stamina: int) -> None:
    """Tokens are what gives a character more; foes may have any."""
    with pytest.raises(Invalid, match="stamina must be 10 for a character"):
        SHEETS.enlist(f"maren:stamina={stamina}")
    assert SHEETS.enlist(f"guard:stamina={stamina}").stamina == stamina


# Time and place


def test_a_rest_takes_eight_hours_and_healing_a_day() -> None:
    rested, told = rest(with_piles(harm=2), Seeded(1))
    assert (rested.hours, told[0]) == (8, "Maren rests for 8 hours.")
    healed, told = heal(rested, Seeded(1))
    assert (healed.hours, told[0]) == (32, "Maren spends a day healing.")
    assert after_fight(seated(healed), 0, healed).hours == 32


@pytest.mark.parametrize(
    ("place", "can_rest", "can_heal"), [("haven", True, True), ("wild", True, False), ("road", False, False)]
)
def test_healing_needs_a_haven_and_nobody_rests_on_the_road(place: str, can_rest: bool, can_heal: bool) -> None:
    hurt = with_piles(harm=2, place=place)
    for way, possible, problem in ((rest, can_rest, "is travelling"), (heal, can_heal, "not in a peaceful place")):
        if possible:
            assert way(hurt, Seeded(1))[0].harm < 2
        else:
            with pytest.raises(Invalid, match=problem):
                way(hurt, Seeded(1))


def test_every_house_rule_is_an_option_or_says_why_not() -> None:
    for ruling in find("deckahedron").rulings().values():
        if ruling.source == "house rule":
            assert bool(ruling.options) != ("No option: " in ruling.text), ruling.id
