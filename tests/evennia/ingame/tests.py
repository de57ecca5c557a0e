"""Fights in an Evennia game: whole ones of each system, secrets, spectators, restarts, the tutorial, help."""

from __future__ import annotations

import json
import random
from typing import Any

from evennia.objects.objects import DefaultCharacter
from evennia.prototypes.spawner import spawn
from evennia.utils import create
from evennia.utils.test_resources import EvenniaTest
from twisted.internet import reactor

from affray.evennia import hall as hall_module
from affray.evennia import help_entries, prototypes
from affray.evennia.characters import FighterMixin
from affray.evennia.commands import CombatCmdSet
from affray.evennia.hall import CATEGORY, hall
from affray.evennia.scripts import FightScript
from affray.evennia.tutorial import TutorialRoom
from affray.fight import verifying
from affray.system.registry import find, names


class Fighter(FighterMixin, DefaultCharacter):
    """A character as a game would make it."""


class InGame(EvenniaTest):
    """Two players in a room."""

    character_typeclass = Fighter

    def setUp(self) -> None:
        super().setUp()
        hall_module.forget()
        self.later: list[Any] = []
        self.soon = hall_module.soon
        hall_module.soon = lambda do, *args: self.later.append((do, args))
        self.heard: dict[Any, list[str]] = {}
        for character in (self.char1, self.char2):
            character.permissions.clear()
            character.cmdset.add(CombatCmdSet)
            self.heard[character] = []
            character.msg = lambda text=None, *, to=character, **_: self.heard[to].append(
                text[0] if isinstance(text, tuple) else str(text)
            )
            character.sessions.count = lambda: 1
        self.account.is_superuser = False
        self.account.save()
        self.account.permissions.clear()

    def tearDown(self) -> None:
        hall_module.soon = self.soon
        hall_module.forget()
        super().tearDown()

    def type(self, character: Any, line: str) -> str:
        """Let a character type a line; what it was told meanwhile."""
        self.heard[character].clear()
        word, _, rest = line.partition(" ")
        command = next(one for one in CombatCmdSet().commands if one == word)
        command.caller, command.args, command.cmdstring, command.raw_string = character, rest, word, line
        command.session, command.account = None, None
        command.parse()
        command.func()
        self.go_on()
        return self.told(character)

    def go_on(self) -> None:
        """Do what was put off."""
        while self.later:
            do, args = self.later.pop(0)
            do(*args)

    def told(self, character: Any) -> str:
        """What a character was told since it typed last."""
        text = "\n".join(self.heard[character]).replace("||", "|")
        self.heard[character].clear()
        return text

    def restart(self) -> None:
        """Forget all that is not in the database, as a killed server does."""
        hall_module.forget()
        for script in FightScript.objects.all():
            script.attributes.reset_cache()

    def duel(self, system: str) -> None:
        """The two characters on two teams, with sheets of the house."""
        assert "Created combat duel" in self.type(self.char1, f"combat init duel {system}")
        for character, team, spec in zip(
            (self.char1, self.char2), ("red", "blue"), find(system).demonstration.values(), strict=False
        ):
            self.sheet(character, system, spec[0])
            assert f"is added to team {team}" in self.type(character, f"combat add me {team}")
        assert "The SHA-256 of their secret" in self.type(self.char1, "combat start")

    def sheet(self, character: Any, system: str, spec: str) -> None:
        if system == "grapple":
            stats = {"skill4": "Accuracy", "skill3": "Courage", "skill2": "Endurance", "apMaxSize": 10}
            stats |= {"ad": 6, "sd": 0, "defense": 3, "maxWounds": 3}
            character.set_sheet(system, {f"grapple_{name}": value for name, value in stats.items()})
        else:
            character.set_sheet(system, spec)

    @property
    def combat(self) -> Any:
        return hall().combats.awake(f"#{self.room1.id}")


class TestFights(InGame):
    """Fights by their words."""

    def fought(self, system: str, restarts: int) -> None:
        """A whole fight of random moves, with restarts in between; its log verifies."""
        self.duel(system)
        chance, moves = random.Random(1), 0
        players = {"red": self.char1, "blue": self.char2}
        while not self.combat.fight.over:
            assert moves < 2000
            member = self.combat.awaited()[0]
            fighter = self.combat.fighter(member)
            move = str(chance.choice(self.combat.fight.legal(fighter)))
            story = self.combat.fight.story
            self.type(players[self.combat.roster.team_of(member)], f"c m {move}")
            moves += 1
            if moves <= restarts:
                played = self.combat.fight.answers[-1].move
                self.restart()
                assert self.combat.fight.answers[-1].move == played
                assert self.combat.fight.story.startswith(story)
        number = self.combat.number
        assert "The secret of the dice" in self.type(self.char1, "combat end")
        assert self.combat is None
        log = self.type(self.char1, f"combat log {number} file")
        found = verifying.verify(log.encode())
        assert "all results follow from the secret" in found.text[0]

    def test_whole_fights_of_each_system(self) -> None:
        for system in names():
            with self.subTest(system):
                self.fought(system, restarts=3)

    def test_a_choice_is_secret_and_survives_a_restart(self) -> None:
        self.duel("bgo")
        self.told(self.char2)
        assert "it stays secret" in self.type(self.char1, "combat move defend")
        assert self.told(self.char2) == ""
        before = self.type(self.char2, "combat status")
        self.restart()
        assert self.type(self.char2, "combat status") == before
        assert "already" in self.type(self.char1, "combat move attack")
        assert "defends" in self.type(self.char2, "combat move attack")

    def test_those_who_must_move_are_told(self) -> None:
        self.duel("bgo")
        assert "* It is your turn in duel" in self.told(self.char2)

    def test_a_refusal_names_what_is_allowed(self) -> None:
        self.duel("bgo")
        said = self.type(self.char1, "combat move atack")
        assert said == "There is no move 'atack'; did you mean attack?"
        assert "The usage is" in self.type(self.char1, "combat auto x")
        assert "only the owner" in self.type(self.char2, "combat end").lower()

    def test_npcs_act_by_tactic(self) -> None:
        self.type(self.char1, "combat init brawl bgo")
        for name, team in (("grik", "greens"), ("grok", "reds")):
            self.type(self.char1, f"combat add_npc {name} fire-slime {team}")
            self.type(self.char1, f"combat auto {name} policy")
        self.type(self.char1, "combat start")
        assert self.combat.fight.over

    def test_npcs_think_while_others_type(self) -> None:
        reactor.getThreadPool().start()
        self.addCleanup(reactor.getThreadPool().stop)
        self.sheet(self.char1, "bgo", "player")
        self.type(self.char1, "combat init brawl bgo undo=off")
        self.type(self.char1, "combat add me heroes")
        for name, player in (("grik", "search:200"), ("grok", "beginner")):
            self.type(self.char1, f"combat add_npc {name} fire-slime monsters")
            said = self.type(self.char1, f"combat auto {name} {player}")
            assert f"{name} now moves by itself: {player}" in said, said
        assert "up to 10 seconds" in self.type(self.char1, "combat auto grik search:900s")
        self.type(self.char1, "combat start")
        while not self.combat.fight.over:
            if any(member.player for member in self.combat.awaited()):
                before = self.combat.version
                self.type(self.char1, f"combat move {self.combat.fight.legal('char')[0]}")
                assert self.combat.version > before
            assert "grik" in self.type(self.char1, "combat status")  # also while they think
            reactor.iterate(0.01)
            self.go_on()
        assert {"grik", "grok"} <= {answer.who for answer in self.combat.fight.answers}

    def test_spectators_see_what_players_see(self) -> None:
        self.type(self.char1, "combat init brawl bgo undo=off")
        for name, team in (("grik", "greens"), ("grok", "reds")):
            self.type(self.char1, f"combat add_npc {name} fire-slime {team}")
        self.type(self.char1, "combat start")
        assert "You are watching brawl" in self.type(self.char2, "combat watch")
        self.type(self.char1, "combat move_npc grik attack")
        assert self.told(self.char2) == ""
        self.type(self.char1, "combat move_npc grok attack")
        assert "Grok attacks." in self.told(self.char2)
        assert "three six-sided dice" in " ".join(self.type(self.char2, "combat why").split())

    def test_what_lasts_is_written_back(self) -> None:
        self.duel("deckahedron")
        self.type(self.char1, "combat end")
        assert self.char1.sheet("deckahedron")

    def test_attributes_are_set_by_typing(self) -> None:
        self.type(self.char1, "set_attr me bgo_sheet[STRING]=player:health=4")
        assert self.char1.attributes.get("bgo_sheet", category=CATEGORY) == "player:health=4"
        assert "player:health=4" in self.type(self.char1, "get_attr me")
        self.type(self.char1, "unset_attr me bgo_sheet")
        assert self.char1.sheet("bgo") == {}

    def test_the_script_holds_the_fight_as_its_log(self) -> None:
        self.duel("bgo")
        script = FightScript.objects.get(id=self.combat.number)
        assert script.obj == self.room1
        self.type(self.char1, "combat move attack")
        self.type(self.char2, "combat move attack")
        answers = json.loads(script.attributes.get("log"))["answers"]
        assert [answer["move"] for answer in answers] == ["attack", "attack"]


class TestFurniture(InGame):
    """The tutorial room, prototypes and help."""

    def test_sparring_in_the_tutorial_room(self) -> None:
        from affray.evennia.tutorial import CmdSpar

        room = create.create_object(TutorialRoom, key="the ring")
        assert "spar SYSTEM" in room.db.desc
        for system in names():
            self.char1.location = room
            command = CmdSpar()
            command.caller, command.args = self.char1, system
            command.func()
            combat = hall().combats.awake(f"#{room.id}")
            assert combat.system.id == system
            assert combat.fight is not None
            self.type(self.char1, "combat end")

    def test_prototypes_can_be_spawned(self) -> None:
        (room,) = spawn(prototypes.TUTORIAL_ROOM)
        assert isinstance(room, TutorialRoom)
        for one in prototypes.FIGHTERS:
            (made,) = spawn(one)
            assert made.attributes.all(category=CATEGORY)

    def test_help(self) -> None:
        assert {entry["key"] for entry in help_entries.HELP_ENTRY_DICTS[1:]} == {f"fighting {s}" for s in names()}
        commands = {command.key: command for command in CombatCmdSet().commands}
        assert {"combat", "set_attr", "rest", "journey"} <= set(commands)
        page = commands["combat"].get_help(self.char1, None)
        assert "combat add_npc NAME STATS TEAM" in page
