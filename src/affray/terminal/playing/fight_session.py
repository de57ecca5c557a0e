"""A fight at the keyboard: who plays it, what they have been told, and what they are shown."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Literal

from affray.errors import Illegal, Refused, unknown
from affray.fight import Fight, saving
from affray.lab import chances, costs
from affray.lab.figures import TOO_FEW
from affray.players.tactics import usual_tactics
from affray.system import gauging, undoing
from affray.system.contract import Impossible
from affray.system.schema import Option
from affray.terminal.playing.session import Session
from affray.terminal.playing.thinkers import Thinkers
from affray.terminal.playing.write_back import Home
from affray.terminal.screen import move_list
from affray.terminal.screen.output import complain, figures, say, screen
from affray.terminal.screen.progress import Progress

if TYPE_CHECKING:
    from affray.lab.odds import Odds, Play

GLANCE = 0.12  # seconds that odds may take before a decision is shown
STUDY = 3.0  # and when they were asked for
LOADING = 2.0  # seconds that native code from another time may take to be loaded
HINT = "; `odds TACTIC` takes another"


@dataclass
class FightSession(Session):
    """A fight and the people who play it at this keyboard."""

    what, answer_word, log_format = "fight", "a move", saving.FORMAT

    fight: Fight
    persons: frozenset[str]
    tactics: dict[str, str]
    hands: Mapping[str, str] = field(default_factory=dict)  # teams that the person of another team plays, and which
    homes: dict[str, Home] = field(default_factory=dict)  # where sheets that came from a file are
    seated: str | None = None  # whose turn at the keyboard it was last
    explained: str | Literal[False] = False  # how the odds were introduced last
    plans: dict[str, str] = field(default_factory=dict)  # by which tactic odds take persons to go on, if not the usual
    aim: Literal["value", "wins"] = "value"  # of best play
    playing: str = ""  # the move whose dice are being thrown
    last_line: str = ""  # the line of the story that stands right above what comes next
    thinkers: Thinkers = field(default_factory=Thinkers)  # the computer's players that follow no tactic

    @property
    def game(self) -> Fight:
        return self.fight

    @property
    def rule_options(self) -> Sequence[Option]:
        return self.fight.system.all_options

    @property
    def throwing(self) -> str:
        return purpose_of(self.fight) or self.playing

    @property
    def file_stem(self) -> str:
        return self.fight.system.id

    @property
    def choice_stands(self) -> bool:
        return self.fight.throwing and undoing.of(self.fight.options) != "free"

    def player(self, who: str) -> str:
        """The person who plays a fighter, called by a team: each has one, who may play others too."""
        team = self.fight.team_of[who]
        return self.hands.get(team, team)

    @property
    def people(self) -> set[str]:
        """All who play at this keyboard."""
        return {self.player(name) for name in self.persons}

    def knows(self, player: str) -> list[object]:
        """The state as every fighter of a person sees it."""
        return [self.fight.view(name)["state"] for name in self.fight.names if self.player(name) == player]

    def moves(self, who: str) -> list[str]:
        return notations(self.fight, who)

    def impossible(self, who: str) -> list[Impossible]:
        return self.fight.setup.impossible(self.fight.state, self.fight.index(who))

    def play(self, who: str, move: str) -> None:
        self.fight.play(who, move)

    def hear(self, who: str | None) -> str:
        """What a player types. A choice that others must not know yet is not written down."""
        others = [name for name in self.deciding if name != who]
        words = [*(self.moves(who) if who else ()), *others, *self.command_names]
        line = self.keyboard.ask(f"{who or 'over'}> ", words, self._warm_up)
        secret = len({self.player(name) for name in self.deciding}) > 1 and self.command_in(line) is None
        self.keyboard.echo("(a choice, not shown)" if secret else line)
        return line

    def _warm_up(self) -> None:
        """While the screen is being read, get ready to weigh the next decision faster."""
        if self.odds and not self.fight.over:
            from affray.lab import warm_up

            warm_up(self.fight.setup, self.fight.state)

    @property
    def deciding(self) -> list[str]:
        """The persons who owe a decision now."""
        return [name for name in self.fight.to_act if name in self.persons]

    def tell(self) -> None:
        story = [*self.fight.lines, *self.fight.pending]
        for line in story[self.told :]:
            opens = "who" not in line.event.kind.fields and not line.text.startswith(" ")
            if opens and line.event is not story[self.told].event:
                print()
            say(line.text, hang="  ")
            self.last_line = line.text
        self.told = len(story)

    def forget(self) -> None:
        """After something was taken back: the story is as long as it is."""
        self.told = len(self.fight.lines)
        self.last_line = ""

    def show_status(self, who: str | None) -> None:
        """Print the state of the fight as a player may know it."""
        say(self._status(who), hang="    ")

    def _status(self, who: str | None) -> str:
        return str(self.fight.view(who)["status"])

    def show_decision(self, who: str, seconds: float = GLANCE) -> None:
        """Print the state and the moves of a fighter who has to decide."""
        heading, _, rest = self._status(who).partition("\n")
        # The story has just said which round begins: that will do for a heading.
        if heading.lower() not in self.last_line.lower():
            print()
            say(heading)
        self.last_line = ""
        say(rest, hang="    ")
        print()
        self.show_moves(who, seconds)

    def show_moves(self, who: str, seconds: float) -> None:
        """Print a fighter's moves, with their odds if those are wanted and can be had; Ctrl-C shows them without."""
        try:
            self._show_weighed(who, seconds)
        except KeyboardInterrupt:
            if not self.keyboard.screen:
                raise
            print()
            print("\n".join(move_list.listed(notations(self.fight, who))))
            say("Stopped; type `odds` to continue.", indent="  ", style="aside")

    def _show_weighed(self, who: str, seconds: float) -> None:
        moves = notations(self.fight, who)
        if self.odds and self.fight.system.costs:
            self._show_costs(who, moves, seconds)
            return
        many = len(moves) > move_list.MOST_LISTED
        if many:
            print("\n".join(move_list.put_together(moves)))
            say(f"`moves` lists all {len(moves)} one by one.", indent="  ", style="aside")
        if many and self.odds and seconds < STUDY and not self._quick():
            say("Odds of so many moves are being prepared; `odds` shows them.", indent="  ", style="aside")
            return
        odds = self.weigh(who, seconds) if self.odds else None
        if not odds:
            if not many:
                print("\n".join(move_list.listed(moves)))
            return
        plan, to_win = self.plans.get(who, ""), self.aim == "wins"
        if self.explained != (meaning := chances.meaning(odds, plan, to_win=to_win)):
            say(meaning)
            self.explained = meaning
        shown = chances.best_of_each(moves, odds) if many else moves
        if many:
            say("The best of each kind:")
        print("\n".join(chances.weighed(moves, odds, self.fight.team_of[who], shown, screen())))
        rows = {move: odds[move] for move in shown}
        say(f"Odds: {chances.how(rows)}.", indent="     ", hang="     ", style="aside")
        if more := chances.coming(rows):
            say(more, indent="     ", hang="     ", style="aside")

    def _show_costs(self, who: str, moves: Sequence[str], seconds: float) -> None:
        """Print what is at stake, and what each move leads to; all moves when they were asked for."""
        fight = self.fight
        if who in fight.at_stake:
            say(fight.at_stake[who], hang="  ", style="heading")
        asked = seconds >= STUDY
        found = self._study(who, len(moves)) if asked else self._glance(who, seconds)
        if found is None:
            return
        tactic = usual_tactics(fight, self.plans)[who]
        if self.explained != (meaning := costs.meaning(fight.system.costs, tactic, HINT)):
            say(meaning, hang="  ", style="aside")
            self.explained = meaning
        shown = moves if asked else costs.to_show(moves, found)
        print("\n".join(costs.reckoned(moves, found, fight.team_of[who], fight.system.costs, shown, screen())))
        told = [f"{costs.how(found, shown, fight.system.costs)}.", costs.many_more(moves, shown)]
        told.append(chances.coming({move: found[move] for move in shown}))
        say(" ".join(filter(None, told)), indent="  ", hang="  ", style="aside")

    def _glance(self, who: str, seconds: float) -> dict[str, Odds] | None:
        """What moves cost, found without a wait: before the rules are compiled, only of the likeliest moves."""
        from affray.lab import ready_soon

        # A person at a screen reads it while what was compiled at another time is loaded.
        on_screen = self.keyboard.screen and seconds == GLANCE
        soon = ready_soon(self.fight.setup, self.fight.state, LOADING) if on_screen else self._quick()
        if seconds != GLANCE or soon:
            found = self.weigh(who, seconds, TOO_FEW)
        else:
            found = self._tried(lambda tactics: costs.first_look(self.fight.setup, self.fight.state, who, tactics), who)
        if found is None:
            print("\n".join(move_list.listed(notations(self.fight, who))))
        return found

    def _study(self, who: str, moves: int) -> dict[str, Odds] | None:
        """What every move costs, however long that takes to find out."""
        with Progress(TOO_FEW * moves, self.keyboard.screen, self._quick) as progress:
            try:
                return self.weigh(who, STUDY, TOO_FEW, progress)
            except Progress.Overtaken:
                return self.weigh(who, STUDY, TOO_FEW)

    def _quick(self) -> bool:
        """Whether many moves can be weighed without making the player wait."""
        from affray.lab import native_ready

        return native_ready(self.fight.setup)

    def weigh(
        self, who: str, seconds: float, least: int = 0, progress: Progress | None = None
    ) -> dict[str, Odds] | None:
        """The odds of a fighter's moves, each of `least` play-outs; None, and never again, when this fight has none."""
        from affray.lab.odds import odds_of_moves

        # At a glance the time that is taken depends on whether native code is ready.
        limit = None if seconds == GLANCE else seconds
        play: Play = "tactics" if who in self.plans else "best"
        look = partial(odds_of_moves, self.fight.setup, self.fight.state, who, seconds=limit, play=play, aim=self.aim)
        return self._tried(lambda tactics: look(tactics=tactics, least=least, progress=progress), who)

    def _tried(self, look: Callable[[dict[str, str]], dict[str, Odds]], who: str) -> dict[str, Odds] | None:
        """The odds that are found, given the others' tactics and the plans; what is refused is not tried again."""
        try:
            self.check_odds()
            return look({name: tactic for name, tactic in self.tactics.items() if name != who} | self.plans)
        except Refused as problem:
            complain(problem)
            self.odds = False
            return None

    def check_odds(self) -> None:
        """Refuse odds and hints where they would tell what a player may not know."""
        if gauging.in_words(self.fight.options):
            raise Illegal(gauging.NO_ODDS, given=gauging.NAME)


def notations(fight: Fight, who: str) -> list[str]:
    """A fighter's legal moves as they are typed."""
    return [str(move) for move in fight.legal(who)]


def purpose_of(fight: Fight) -> str:
    """What the next throw is for: the first thing announced in this decision that nothing has come of yet."""
    deeds: dict[tuple[int, int], list[str]] = {}
    for line in fight.pending:
        fields = line.event.kind.fields
        if "who" in fields and "target" in fields:
            deeds.setdefault((line.event.who, line.event.target), []).append(line.event.kind.name.lower())
    for (who, target), verbs in deeds.items():
        if len(verbs) == 1:
            return f"{fight.names[who]}, who {verbs[0]} {fight.names[target]}"
    return ""


def share_out(
    fight: Fight, persons: Sequence[str], computers: Sequence[str], tactics: dict[str, str]
) -> tuple[frozenset[str], dict[str, str]]:
    """Who is played by people, and every fighter's tactic; the first team is, unless told otherwise.

    Names are fighters' or teams'; what is said of a fighter goes before what is said of its team.
    """
    deciding = set(next(iter(fight.teams.values())))
    known = {**fight.teams, **{name: [name] for name in fight.names}}
    for name in (*persons, *computers):
        if name not in known:
            raise Illegal(unknown("fighter or team", name, known), given=name, allowed=list(known))
    for level in (fight.teams, fight.names):
        deciding.difference_update(*(known[name] for name in computers if name in level))
        deciding.update(*(known[name] for name in persons if name in level))
    return frozenset(deciding), usual_tactics(fight, tactics)


def shared(fight: Fight, persons: Sequence[Sequence[str]]) -> dict[str, str]:
    """The team by which the person is called who plays a team; each of `persons` names all that one of them plays."""
    hands = {team: team for team in fight.teams}
    for names in persons:
        teams = [name if name in fight.teams else fight.team_of[name] for name in names]
        hands |= dict.fromkeys(teams, hands[teams[0]])
    return hands


def show_figures(fight: Fight) -> None:
    """Print what came of it for each fighter: in the system's own words, or what was counted."""
    if fight.aftermath:
        for line in fight.aftermath:
            say(line, hang="  ")
        return
    counted = {who: {name: str(amount) for name, amount in row.items()} for who, row in fight.figures.items()}
    print("\n".join(figures(counted)))
