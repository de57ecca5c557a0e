"""A fight at the keyboard, with the lines coming out of a pipe."""

import json
import re
from pathlib import Path

import pytest

from affray import Fight
from affray import systems as affray_systems
from affray.players.tactics import replay_simulated
from affray.system.registry import find
from affray.terminal.commands.play import close
from affray.terminal.playing.commands import COMMANDS
from affray.terminal.playing.fight_session import FightSession, share_out
from affray.terminal.screen.keyboard import Plain

DUEL = ("play", "bgo", "heroes=player", "monsters=fire-slime", "--seed", "7")
BARE = (*DUEL, "--no-odds")


def test_a_whole_fight_from_a_pipe(affray):
    ran = affray(*BARE, typed="attack\nattack\n")
    assert ran.code == 0
    assert "player> attack\nThe player attacks." in ran.out  # what was typed is echoed, so that it reads well
    assert "Victory for the player!" in ran.out
    assert "heroes win, in round 2." in ran.out
    assert "damage dealt" in ran.out
    assert ran.err == ""


@pytest.mark.parametrize("attack", ["attack", "1", "a", "att", "ATTACK", " attack  ", "hit"])
def test_a_move_goes_by_its_number_its_name_or_its_beginning(affray, attack):
    assert "The player attacks." in affray(*BARE, typed=f"{attack}\n").out


def test_each_move_shows_its_odds_as_figures_and_as_a_bar(affray, patient):
    ran = affray(*DUEL, typed="quit\n")
    assert re.search(r"win #\s+lose \.\s+draw =\s+fled ~", ran.out)
    assert re.search(r"1 attack +97\.0% +1\.2% +1\.6% +0\.2%  #+=", ran.out)
    assert re.search(r"3 flee +0\.0% +0\.0% +0\.0% +100\.0%  ~+\n", ran.out)
    assert "Odds: exact." in ran.out


def test_the_terminal_plays_the_fight_that_the_engine_plays(affray):
    """Same seed, same moves, same fight: also when persons and computers are asked in another order."""
    told = replay_simulated("bgo", "heroes=player monsters=giggle-imp", seed=11, number=0)
    ran = affray("play", "bgo", "heroes=player", "monsters=giggle-imp", "--seed", "11", "--no-odds", typed="1\n" * 40)
    story = [line for line in ran.out.splitlines() if line]
    for line in told.lines:
        assert line.text in story
        story = story[story.index(line.text) + 1 :]


def test_the_end_of_input_ends_the_fight_politely(affray):
    ran = affray(*BARE, typed="attack\n")
    assert ran.code == 0
    assert ran.out.endswith("The input has ended; the fight is left unfinished.\n")


def test_quit_leaves(affray):
    ran = affray(*BARE, typed="quit\nattack\n")
    assert ran.code == 0
    assert "The player attacks." not in ran.out
    assert ran.out.endswith("The fight is left unfinished.\n")


def test_with_no_input_at_all_it_is_a_demonstration(affray, interpreted):
    ran = affray("play")
    assert ran.code == 0
    assert "A demonstration" in ran.out
    assert "1 attack" in ran.out
    assert "Victory for the player!" in ran.out
    assert affray("play", "--demo", typed="quit\n").out in ran.out


def test_a_newcomer_presses_enter_three_times_and_is_fighting(affray):
    ran = affray("play", "bgo", "--no-odds", typed="\n\n\nattack\n")
    assert "heroes, your side [player]> player" in ran.out
    assert "monsters, against you [fire-slime]> fire-slime" in ran.out
    assert "monsters played by [computer]> computer" in ran.out
    assert "The player attacks." in ran.out


def test_who_fights_can_be_asked_and_mistyped(affray):
    typed = "knigt\n?\nknight, squire\nstone-golem\nnobody\nrandom\nquit\n"
    ran = affray("play", "bgo", "--no-odds", typed=typed)
    assert "There is no creature or player 'knigt'; did you mean knight" in ran.unfolded
    assert "wanderer, squire" in ran.out
    assert "heroes (knight, squire) against monsters (stone-golem)." in ran.unfolded
    assert "There is no way to decide 'nobody'" in ran.unfolded
    assert ran.code == 0


def test_leaving_before_the_fight_begins(affray):
    assert affray("play", "bgo", typed="quit\n").out.endswith("The fight has not begun.\n")
    assert affray("play", "bgo", typed="player\n").out.endswith("The input has ended; the fight has not begun.\n")


def test_computers_on_all_sides_need_nobody(affray):
    ran = affray(*BARE, "--computer", "heroes=defend-then-attack", typed="log\n")
    assert "The player defends." in ran.out
    assert "heroes win" in ran.out


def test_a_fighter_goes_before_its_team(affray):
    words = ("play", "bgo", "heroes=player,squire", "monsters=fire-slime", "--no-odds", "--seed", "1")
    ran = affray(*words, "--computer", "squire", typed="attack\nquit\n")
    assert "squire> " not in ran.out
    ran = affray(*words, "--computer", "heroes", "--person", "squire", typed="attack\nquit\n")
    assert "player> " not in ran.out
    assert "squire> " in ran.out


# Asking for something else than a move


def test_undo_goes_back_to_the_last_decision_and_says_what_it_took_back(affray):
    ran = affray(*BARE, typed="attack\nundo\ndefend\nlog\nquit\n")
    assert "Taken back: player attack, fire-slime attack." in ran.out
    log = ran.out.split("> log\n")[1]
    assert "The player attacks." not in log
    assert "The player defends." in log


def test_undo_at_the_first_decision_is_a_sentence(affray):
    ran = affray(*BARE, typed="undo\nattack\n")
    assert "There is nothing to take back: this is your first decision." in ran.out
    assert "The player attacks." in ran.out


def test_undo_is_refused_in_strategic_where_it_is_off(affray):
    teams = ("order=knight", "raiders=brute")
    ran = affray("play", "strategic", *teams, "--seed", "1", "--no-odds", typed="1\n1\nundo\nquit\n")
    assert "Nothing can be taken back." in ran.out
    assert "undo=off" in ran.out


@pytest.mark.parametrize("answer", ["y", "n"])
def test_every_side_at_the_keyboard_is_asked_where_undo_needs_agreement(affray, answer):
    sides = ("--person", "player", "--person", "fire-slime", "--option", "undo=agreed")
    ran = affray(*BARE, *sides, typed=f"attack\nattack\nundo\n{answer}\nquit\n")
    assert "Does monsters agree to take that back? [y/N]>" in ran.out
    assert ("Taken back: " in ran.out) == (answer == "y")
    assert ("only if every side agrees (undo=agreed)" in ran.out) == (answer == "n")


def test_undo_also_goes_back_into_a_fight_that_is_over(affray):
    ran = affray(*BARE, typed="attack\nattack\nundo\nattack\n")
    first, second = ran.out.split("over> undo\n")
    assert "Victory for the player!" in first
    assert "Taken back: player attack, fire-slime attack." in second
    assert "Victory for the player!" in second


def test_why_cites_the_rules_behind_the_last_happenings(affray):
    ran = affray(*BARE, typed="attack\nwhy\nwhy 1\nwhy 99\nquit\n")
    last, line, wrong = ran.out.split("player> why")[1:]
    assert "      attack (document): When does an attack hit?\n        Roll three six-sided dice" in last
    assert "reach the number exactly" not in last  # no roll of the round did
    assert "Battle round 1.\n      order (house rule): In what order is a round resolved?" in line
    assert "The line must be 1 to 7, not '99'." in wrong


def test_why_says_which_options_of_a_rule_are_not_as_usual(affray):
    ran = affray(*BARE, "--option", "armor_base=12", typed="attack\nwhy 2\nwhy 4\nquit\n")
    assert "hits and deals the attacker's Damage. Here: armor_base=12." in ran.unfolded
    assert "Here:" not in affray(*BARE, typed="attack\nwhy 2\nwhy 4\nquit\n").out


def test_log_status_rules_odds_and_help(affray, patient):
    ran = affray(*BARE, typed="log\nstatus\nrules first-strike\nodds\n?\nquit\n")
    assert "   1  Battle round 1.\n" in ran.out
    assert ran.out.count("fire-slime    ##########   4/4") == 2
    assert "first-strike (document): What does first strike do?" in ran.out
    assert "97.0%" in ran.out  # odds can be asked for even where they are not shown
    assert "save [FILE]  write the game to a file" in ran.out


def test_a_wrong_move_gets_a_sentence_and_keeps_the_turn(affray):
    ran = affray(*BARE, typed="attak\n9\nflee now\n\nattack\n")
    assert "There is no move 'attak'; did you mean attack?" in ran.out
    assert "There are moves 1 to 3, not 9." in ran.out
    assert "Flee stands alone; 'now' was given with it." in ran.out
    assert "Type a move or its number; `?` says what else there is." in ran.out
    assert "The player attacks." in ran.out


def test_what_is_not_possible_is_explained_by_help(affray):
    ran = affray(*BARE, "--computer", "heroes", "--person", "fire-slime", typed="?\nflee\nquit\n")
    assert "not now: flee (creatures do not flee (ruling 7))" in ran.out
    assert "  Creatures do not flee (ruling 7).\n" in ran.out


# Saving


def test_a_saved_fight_goes_on_as_if_it_had_never_stopped(affray, tmp_path):
    whole = affray(*BARE, typed="attack\nattack\n").out
    affray(*BARE, typed="attack\nsave half.json\nquit\n")
    ran = affray("play", "--load", "half.json", "--no-odds", typed="attack\n")
    assert "The story so far has 7 lines" in ran.out
    assert ran.out.split("player> attack\n")[1] == whole.split("player> attack\n")[2]


def test_save_finds_a_name_and_keeps_to_it(affray, tmp_path):
    Path("bgo-1.json").write_text("mine")
    ran = affray(*BARE, typed="save\nattack\nsave\nquit\n")
    assert ran.out.count("Saved as bgo-2.json.") == 2
    assert Path("bgo-1.json").read_text() == "mine"
    assert len(json.loads(Path("bgo-2.json").read_text())["answers"]) == 2


def test_save_does_not_write_over_what_is_no_fight(affray):
    Path("notes.txt").write_text("dear diary")
    ran = affray(*BARE, typed="save notes.txt\nsave no/such/folder.json\nquit\n")
    assert "Notes.txt exists and is not a saved fight; choose another name." in ran.out
    assert "cannot be written" in ran.out
    assert Path("notes.txt").read_text() == "dear diary"


def test_load_takes_nothing_else(affray):
    ran = affray("play", "bgo", "--load", "x.json", typed="quit\n")
    assert (ran.code, ran.err.count("\n")) == (2, 1)


def test_a_fight_that_was_saved_before_is_not_written_over(affray, tmp_path):
    affray(*BARE, typed="save kept.json\nattack\nsave kept.json\nquit\n")
    kept = (tmp_path / "kept.json").read_text()
    assert '"attack"' in kept, "the same session may save again"
    ran = affray(*BARE, typed="save kept.json\nquit\n")
    assert "Kept.json is a saved fight already; choose another name." in ran.out
    assert (tmp_path / "kept.json").read_text() == kept


# Two people at one keyboard


HOT_SEAT = (*BARE, "--person", "monsters")


def test_a_choice_stays_hidden_until_both_are_in(affray):
    ran = affray(*HOT_SEAT, typed="defend\nstatus\nundo\nattack\n")
    before, after = ran.out.split("(The keyboard goes to fire-slime.)")
    assert "player> (a choice, not shown)" in before
    hidden = after.split("The player defends.")[0]
    assert "player defend" not in hidden
    assert "poised" not in hidden
    assert "fire-slime> attack\nThe player defends.\nThe fire slime attacks." in after


def test_taking_back_does_not_tell_what_the_other_has_chosen(affray):
    ran = affray(*HOT_SEAT, typed="attack\nattack\ndefend\nundo\nquit\n")
    assert "Taken back: player attack, fire-slime attack, the hidden choice of player." in ran.out


def test_the_second_to_choose_sees_the_same_whatever_the_first_chose(affray):
    def screen(choice: str) -> str:
        return affray(*DUEL, "--person", "monsters", typed=f"{choice}\nodds\nlog\n?\nquit\n").out

    assert screen("attack") == screen("defend") == screen("flee")


BOTH = ("play", "bgo", "heroes=player,squire", "monsters=fire-slime", "--seed", "7", "--no-odds")


def test_nobody_hands_the_keyboard_to_themself(affray):
    """The fighters of a team are one person's, who sees what was typed; so are all that one `--person` names."""
    ran = affray(*BOTH, typed="attack\ndefend\nquit\n")
    assert "keyboard goes" not in ran.out
    assert "player> attack\n" in ran.out
    assert "squire> defend\n" in ran.out
    alone = affray(*BOTH, "--person", "heroes,monsters", typed="attack\ndefend\nattack player\nquit\n")
    assert "keyboard goes" not in alone.out
    assert "fire-slime> attack player\n" in alone.out
    ran = affray("play", "bgo", "--no-odds", typed="\n\nme\nattack\nattack\n")
    assert "keyboard goes" not in ran.out
    assert "fire-slime> attack\nThe player attacks." in ran.out


def test_the_other_side_learns_nothing_of_what_a_whole_team_has_chosen(affray):
    ran = affray(*BOTH, "--person", "monsters", typed="attack\nfire-slime\nquit\n")
    before, after = ran.out.split("(The keyboard goes to fire-slime.)")
    assert "player> (a choice, not shown)" in before
    assert "attack fire-slime" not in after


def test_a_person_takes_back_the_last_choice_of_their_team_though_it_is_still_hidden(affray):
    ran = affray(*BOTH, typed="attack\nundo\ndefend\nattack\nquit\n")
    assert "Taken back: player attack." in ran.out
    assert "The player defends.\nThe squire attacks" in ran.out


def test_one_person_agrees_with_themself(affray):
    ran = affray(*BARE, "--option", "undo=agreed", "--person", "heroes,monsters", typed="attack\nattack\nundo\nquit\n")
    assert "Taken back: player attack, fire-slime attack." in ran.out
    assert "agree to take" not in ran.out


# A person at a screen who does not want to wait


def interrupted(*args, **how):
    raise KeyboardInterrupt


@pytest.mark.parametrize("system", affray_systems())
def test_ctrl_c_while_odds_are_looked_for_returns_to_the_moves(system, monkeypatch, capsys):
    for slow in ("affray.lab.odds.odds_of_moves", "affray.lab.costs.first_look", "affray.lab.ready_soon"):
        monkeypatch.setattr(slow, interrupted)
    fight = Fight(system, find(system).demonstration, seed=3)
    while (who := fight.to_act[0]) not in next(iter(fight.teams.values())):
        fight.play(who, fight.legal(who)[0])
    session = FightSession(Plain(), fight, *share_out(fight, (), (), {}), commands=COMMANDS)
    with pytest.raises(KeyboardInterrupt):  # which ends a program that nobody looks at
        session.show_decision(who)
    session.keyboard.screen = True
    session.show_decision(who)
    shown = capsys.readouterr().out
    assert f"  {len(fight.legal(who)):>2} {fight.legal(who)[-1]}\n" in shown
    assert shown.endswith("  Stopped; type `odds` to continue.\n")
    assert session.answer(who, "odds") is False
    assert session.odds  # the next decision is weighed again
    assert session.answer(who, str(fight.legal(who)[0]))


def test_ctrl_c_while_luck_is_worked_out_returns_to_what_can_still_be_typed(monkeypatch, capsys):
    monkeypatch.setattr(Fight, "luck", interrupted)
    monkeypatch.setattr("affray.lab.native_ready", lambda setup: True)
    fight = Fight("bgo", "heroes=player monsters=fire-slime", seed=7)
    fight.play_on()
    session = FightSession(Plain(), fight, *share_out(fight, (), (), {}), commands=COMMANDS)
    session.keyboard.screen = True
    close(session)
    assert capsys.readouterr().out.endswith("  Stopped; `luck` starts again.\n")
    assert session.answer(None, "luck") is False
    assert capsys.readouterr().out.endswith("  Stopped.\n")
