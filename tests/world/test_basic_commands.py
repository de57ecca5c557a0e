"""Coming in, talking, looking, walking, asking for help, attributes, passwords, and what wizards can do."""

from __future__ import annotations

import asyncio
import logging
import random
import re
from collections.abc import Callable
from typing import Any

import pytest

from affray.world.commands import basic
from affray.world.commands.combat.registry import ALIASES, SUBCOMMANDS
from affray.world.commands.registry import COMMANDS
from affray.world.people import login
from affray.world.people.login import FAILURES, GUESTS, MOST_CONNECTIONS, WINDOW, Attempts
from affray.world.world import World

Crowds = Callable[..., Any]
PASSWORD = "open sesame"


class Stranger:
    """A visitor who has not logged in."""

    def __init__(self, world: World, address: str = "10.1.1.1") -> None:
        self.told: list[str] = []
        self.visitor = world.arrive(self.told.append, address)

    async def __call__(self, line: str) -> str:
        self.told.clear()
        await self.visitor.hear(line)
        return "\n".join(self.told)


# --- the door -----------------------------------------------------------------------------------------------------


async def test_the_door_answers_what_it_understands(crowd: Crowds) -> None:
    async with crowd("Ahalish") as people:
        stranger = Stranger(people.world)
        assert await stranger("") == ""
        assert await stranger("help") == login.COMMANDS
        assert await stranger("WHO") == "Ahalish  player   Tavern"
        refusal = await stranger("say hello")
        assert refusal.startswith("'say' is not a command before you log in. You can type:\nconnect NAME")
        assert refusal.endswith("leave")
        assert not stranger.visitor.known
        assert people["Ahalish"].news() == ""
        await stranger("quit")
        assert stranger.visitor.gone


async def test_an_account_is_made_and_entered_again(crowd: Crowds) -> None:
    async with crowd("Ahalish") as people:
        first = Stranger(people.world)
        assert await first("create Rehtaoh") == ""
        assert first.visitor.secret
        assert first.visitor.prompt == "Password: "
        welcome = await first("a good long password")
        assert welcome.startswith("Welcome to this world, Rehtaoh. `help` lists the commands.\nTavern\n")
        assert not first.visitor.secret
        assert first.visitor.role == "player"
        assert people["Ahalish"].news() == "Rehtaoh has arrived."
        await first.visitor.leave()
        assert people["Ahalish"].news() == "Rehtaoh has left."
        again = Stranger(people.world)
        await again("connect rEHTAOH")
        assert (await again("a good long password")).startswith("Tavern\n")
        assert again.visitor.name == "Rehtaoh"


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("create", "Create needs a name:  create NAME."),
        ("connect", "Connect needs a name:  connect NAME."),
        ("create me secret password", "'me' means the player"),
        ("create _x secret password", "'_x' cannot be the name of an account"),
        ("create 1abc secret password", "cannot be the name of an account"),
        ("create " + "a" * 41 + " secret password", "cannot be the name of an account"),
        ("create a/b secret password", "cannot be the name of an account"),
        ("create Guest7 secret password", "Names that begin with guest are for guests."),
        ("create AHALISH secret password", "There is already an account AHALISH."),
        ("create Newcomer short", "A password must be 8 to 128 characters, not 5."),
        ("connect Ahalish wrong password", "That name and password do not match."),
        ("connect Nobody wrong password", "That name and password do not match."),
    ],
)
async def test_the_door_refuses_in_a_sentence(crowd: Crowds, line: str, says: str) -> None:
    async with crowd("Ahalish") as people:
        before = await people.world.store.accounts()
        stranger = Stranger(people.world)
        answer = await stranger(line)
        assert says in answer
        assert answer.endswith(".")
        assert not stranger.visitor.known
        assert await people.world.store.accounts() == before


async def test_failed_log_ins_are_counted_by_address(crowd: Crowds) -> None:
    now = 1000.0
    async with crowd("Ahalish") as people:
        people.world.attempts = Attempts(lambda: now)
        for _ in range(FAILURES):
            assert "do not match" in await Stranger(people.world)("connect Ahalish a wrong one")
        blocked = Stranger(people.world)
        assert "5 log-ins from your address have failed; try again in 3" in await blocked(f"connect Ahalish {PASSWORD}")
        elsewhere = Stranger(people.world, "10.2.2.2")
        assert "Tavern" in await elsewhere(f"connect Ahalish {PASSWORD}")
        now += WINDOW + 1
        assert "Tavern" in await blocked(f"connect Ahalish {PASSWORD}")


async def test_who_hangs_up_during_the_log_in_never_came(crowd: Crowds) -> None:
    async with crowd("Ahalish", "Bob") as people:
        await people.leave("Ahalish")
        people.hush()
        stranger = Stranger(people.world)
        coming = asyncio.create_task(stranger(f"connect Ahalish {PASSWORD}"))
        await asyncio.sleep(0)
        await stranger.visitor.leave()
        await coming
        assert people["Bob"].news() == ""
        assert "Ahalish" not in await people["Bob"]("who")


async def test_noise_at_the_door(crowd: Crowds, caplog: pytest.LogCaptureFixture) -> None:
    rng = random.Random(7)
    words = [
        "connect",
        "create",
        "guest",
        "who",
        "help",
        "",
        "\x00",
        "\ud800",
        "Ahalish",
        "'; --",
        "%s",
        "x" * 999,
        "me",
        "ß",
    ]
    async with crowd("Ahalish") as people:
        for number in range(2000):
            stranger = Stranger(people.world, f"10.3.{number // 200}.{number % 200}")
            line = rng.choice([" ", "\t", ""]).join(rng.choices(words, k=rng.randint(1, 4)))
            answer = await stranger(line)
            assert answer or stranger.visitor.secret or not line.strip(" \t\x00\ud800"), repr(line)
            if stranger.visitor.secret:
                assert await stranger(rng.choice(["short", "\x00" * 9, "", "x" * 200]))
            assert not stranger.visitor.gone
            await stranger.visitor.leave()
        assert people.world.people.visitors == [people["Ahalish"].visitor]
    assert [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING] == []


async def test_guests_are_numbered_and_limited(crowd: Crowds) -> None:
    async with crowd() as people:
        guests = [Stranger(people.world) for _ in range(GUESTS)]
        for number, guest in enumerate(guests, 1):
            await guest("guest")
            assert guest.visitor.name == f"Guest{number}"
        assert "guests here; please come back later" in await Stranger(people.world)("guest")
        await guests[3].visitor.leave()
        newcomer = Stranger(people.world)
        await newcomer("guest")
        assert newcomer.visitor.name == "Guest4"
        assert await people.world.store.accounts() == []


async def test_nobody_hears_themselves_walk_away(crowd: Crowds) -> None:
    async with crowd("Ahalish", "Bob") as people:
        first = people["Ahalish"]
        await people.enter("Ahalish")
        await people["Ahalish"]("go out")
        assert "Ahalish goes" not in first.news()
        assert people["Bob"].news() == "Ahalish goes out."


async def test_connections_of_one_account(crowd: Crowds) -> None:
    async with crowd("Ahalish", "Bob") as people:
        more = [Stranger(people.world) for _ in range(MOST_CONNECTIONS - 1)]
        for stranger in more:
            await stranger(f"connect Ahalish {PASSWORD}")
        assert people["Bob"].news() == "", "one who is here already does not come in again"
        assert "Ahalish already has 5 open connections." in await Stranger(people.world)(f"connect Ahalish {PASSWORD}")
        assert (await people["Bob"]("who")).count("Ahalish") == 1
        await people["Bob"]("say hi")
        assert more[0].told[-1] == 'Bob says, "hi"'
        await people["Ahalish"]("go out")
        assert more[0].visitor.place.key == "courtyard", "all connections of an account are in one place"
        for stranger in more:
            await stranger.visitor.leave()
        people.hush()
        await people["Bob"]("out")
        people.hush()
        await people.leave("Ahalish")
        assert people["Bob"].news() == "Ahalish has left."


# --- talking, looking, walking ------------------------------------------------------------------------------------


async def test_say_and_pose_reach_the_place_only(crowd: Crowds) -> None:
    async with crowd("Ahalish", "Bob", "Cora") as people:
        a, b, c = people["Ahalish"], people["Bob"], people["Cora"]
        await c("go out")
        people.hush()
        for line in ("say hello  there", "SAY hello  there", '"hello  there', "'hello  there"):
            assert await a(line) == 'You say, "hello  there"'
            assert b.news() == 'Ahalish says, "hello  there"'
        for line in ("pose sits down.", ":sits down.", "emote sits down.", ": sits down."):
            assert await a(line) == "Ahalish sits down."
            assert b.news() == "Ahalish sits down."
        assert c.news() == ""
        assert await a("say") == "Say needs a text:  say TEXT."
        assert await a('"') == "Say needs a text:  say TEXT."
        assert await a(":") == "Pose needs a text:  pose TEXT."
        assert b.news() == ""


NASTY = ["\x1b[2Jboo\x07", "a\x00b", "a\u202eb", "a\u2028b", "a\ud800b", "a\u200bb", "tab\there", "\ufeffx"]


@pytest.mark.parametrize("nasty", NASTY)
async def test_characters_that_cannot_be_seen_are_not_told(crowd: Crowds, nasty: str) -> None:
    async with crowd("Ahalish", "Bob", wizards=["Merlin"]) as people:
        for line in ("say {}", "pose {}", "combat init {}", "go {}", "{}", "describe {}", "dig {} up C", "help {}"):
            await people["Merlin"](line.format(nasty))
        await people["Merlin"](f"set_attr me note[STRING]={nasty}")
        await people["Ahalish"](f"combat add_npc {nasty} goblin t{nasty}")
        for person in people.people.values():
            person.told.append(await person("look"))
            for text in person.told:
                assert all(c.isprintable() or c == "\n" for c in text), repr(text)


async def test_letters_that_are_joined_stay_joined(crowd: Crowds) -> None:
    async with crowd("Ahalish") as people:
        assert await people["Ahalish"]("say 👩\u200d🚀 cafe\u0301") == 'You say, "👩\u200d🚀 café"'


async def test_look_and_go(crowd: Crowds) -> None:
    async with crowd("Ahalish", "Bob", "Guest1") as people:
        a, b, guest = people["Ahalish"], people["Bob"], people["Guest1"]
        assert (await a("l")).splitlines()[2:] == ["Ways: out", "Here: Bob, Guest1"]
        answer = await a("go OUT")
        assert answer.splitlines()[0] == "Courtyard"
        assert "Ways: in, north" in answer
        assert b.news() == "Ahalish goes out."
        assert (await people.world.store.account("ahalish")).place == "courtyard"
        people.hush()
        assert (await guest("out")).splitlines()[0] == "Courtyard"
        assert a.news() == "Guest1 has arrived."
        assert await b("go") == "Go needs a way:  go WAY; there are: out."
        assert await b("go nowhere") == "There is no way 'nowhere'; there are: out."
        assert "There is no command 'north'" in await b("north"), "no such way from here"
        assert b.visitor.place.key == "tavern"
        await b("combat init brawl")
        assert "Combat: brawl (grapple); `combat status` shows it" in await b("look")


async def test_a_place_is_kept_over_a_restart(crowd: Crowds, store_url: str) -> None:
    async with crowd("Ahalish", url=store_url) as people:
        await people["Ahalish"]("go out")
        await people.restart()
        assert people["Ahalish"].visitor.place.key == "courtyard"


async def test_who_lists_everybody_once(crowd: Crowds) -> None:
    async with crowd("Ahalish", "Guest1", wizards=["Merlin"]) as people:
        await people["Merlin"]("out")
        assert (await people["Ahalish"]("who")).splitlines() == [
            "Ahalish  player   Tavern",
            "Guest1   guest    Tavern",
            "Merlin   wizard   Courtyard",
        ]


async def test_quit(crowd: Crowds) -> None:
    async with crowd("Ahalish", "Bob") as people:
        for word in ("quit", "exit", "LOGOUT"):
            assert await people["Ahalish"](word) == "Goodbye."
            assert people["Ahalish"].visitor.gone
            await people.leave("Ahalish")
            assert people["Bob"].news() == "Ahalish has left."
            await people.enter("Ahalish")


async def test_unknown_words_are_refused_with_a_suggestion(crowd: Crowds) -> None:
    async with crowd("Ahalish") as people:
        assert "did you mean look?" in await people["Ahalish"]("lok")
        assert "did you mean status" in await people["Ahalish"]("combat stats")
        answer = await people["Ahalish"]("x" * 5000)
        assert len(answer) < 300
        assert await people["Ahalish"]("   ") == ""


# --- help ---------------------------------------------------------------------------------------------------------


async def test_help_lists_what_one_may_use(crowd: Crowds) -> None:
    async with crowd("Ahalish", "Guest1", wizards=["Merlin"]) as people:
        for name in ("Ahalish", "Guest1", "Merlin"):
            person = people[name]
            listed = {line.split()[0] for line in (await person("help")).splitlines()[:-2]}
            able = {
                c.name
                for c in COMMANDS.values()
                if c.who == "everybody" or name == "Merlin" or c.who == f"{person.visitor.role}s"
            }
            assert listed == able
            assert await person("?") == await person("HELP")


PAGES = [*COMMANDS, *(f"combat {name}" for name in SUBCOMMANDS), *(f"combat {alias}" for alias in ALIASES)]


@pytest.mark.parametrize("page", PAGES)
async def test_there_is_a_page_for(crowd: Crowds, page: str) -> None:
    async with crowd("Guest1") as people:
        text = await people["Guest1"](f"help {page}")
        usage, blank, first, *_ = text.splitlines()
        *_, name = page.split()
        assert ALIASES.get(name, name) in usage.split()
        assert blank == ""
        assert re.match(r"[A-Z].*[.:]$", first), first
        assert "`" not in text


async def test_help_fits_eighty_columns(crowd: Crowds) -> None:
    async with crowd(wizards=["Merlin"]) as people:
        for page in ("", *PAGES):
            for line in (await people["Merlin"](f"help {page}")).splitlines():
                assert len(line) <= 80, f"help {page}: {line}"
        for line in people.world.greeting.splitlines():
            assert len(line) <= 80
        for line in (await people["Merlin"]("look")).splitlines():
            assert len(line) <= 80


async def test_help_on_combat_names_every_subcommand(crowd: Crowds) -> None:
    async with crowd("Ahalish") as people:
        text = await people["Ahalish"]("help combat")
        for name in SUBCOMMANDS:
            assert re.search(rf"\b{name}\b", text), name
        assert "There is no command 'nothing'" in await people["Ahalish"]("help nothing")
        assert "There is no combat command 'nothing'" in await people["Ahalish"]("help combat nothing")


def test_no_command_hides_another() -> None:
    words = [word for command in COMMANDS.values() for word in (command.name, *command.aliases)]
    assert len(words) == len(set(words))
    assert not set(ALIASES) & set(SUBCOMMANDS)
    assert basic.help.__doc__


# --- attributes ---------------------------------------------------------------------------------------------------


async def test_attributes_are_set_read_and_unset(crowd: Crowds) -> None:
    async with crowd("Ahalish") as people:
        a = people["Ahalish"]
        assert await a("set_attr me Note[STRING]=a = b  c") == ""
        assert await a("get_attr me note") == "Note[STRING]=a = b  c"
        assert await a("set_attr\u00a0me\tNOTE=other") == "", "a space of any kind is a space"
        assert await a("get_attr me note") == "Note[STRING]=other"
        assert await a("set_attr AHALISH luck[integer]=-7") == ""
        assert "luck[INTEGER]=-7" in await a("get_attr")
        assert await a("attrs") == await a("get_attr me")
        assert await a("unset_attr me LUCK") == "luck has been removed"
        assert "There is no attribute 'luck'" in await a("get_attr me luck")
        assert "There is no attribute 'luck'" in await a("unset_attr me luck")


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("set_attr", "The usage is  set_attr me NAME[TYPE]=VALUE."),
        ("set_attr me", "The usage is  set_attr me NAME[TYPE]=VALUE."),
        ("set_attr me grapple_ad", "is not of the form"),
        ("set_attr me grapple_ad[INTEGER]=five", "grapple_ad is of type INTEGER, and 'five' is not a whole number"),
        ("set_attr me grapple_ad=5.5", "grapple_ad is of type INTEGER"),
        ("set_attr me grapple_ad[NUMBER]=5", "cannot be of type 'NUMBER'"),
        ("set_attr me fresh=5", "resh is new, so it needs a type"),
        (
            "set_attr Bob grapple_ad[INTEGER]=5",
            "Only wizards may use the attributes of Bob (write me for your own), and you are a player.",
        ),
        ("get_attr Bob", "Only wizards may use the attributes of Bob (write me for your own), and you are a player."),
        (
            "get_attr Nobody",
            "Only wizards may use the attributes of Nobody (write me for your own), and you are a player.",
        ),
        ("unset_attr me", "The usage is  unset_attr me NAME."),
        ("unset_attr me grapple_add", "did you mean grapple_ad"),
    ],
)
async def test_attributes_are_refused_in_a_sentence(crowd: Crowds, line: str, says: str) -> None:
    async with crowd("Ahalish", "Bob") as people:
        before = [await people.world.store.attributes(key) for key in ("ahalish", "bob")]
        assert says in await people["Ahalish"](line)
        assert [await people.world.store.attributes(key) for key in ("ahalish", "bob")] == before
        assert people["Bob"].news() == ""


async def test_wizards_reach_the_attributes_of_others(crowd: Crowds) -> None:
    async with crowd("Ahalish", wizards=["Merlin"]) as people:
        m = people["Merlin"]
        assert await m("set_attr ahalish grapple_ad=2") == ""
        assert await m("get_attr AHALISH grapple_ad") == "grapple_ad[INTEGER]=2"
        assert await m("unset_attr Ahalish grapple_ad") == "grapple_ad has been removed"
        assert await m("get_attr Nobody") == "There is no account 'Nobody'."


# --- passwords ----------------------------------------------------------------------------------------------------


async def test_a_password_is_changed(crowd: Crowds) -> None:
    async with crowd("Ahalish") as people:
        a = people["Ahalish"]
        assert "type password alone" in (await a("password another one")).lower()
        assert not a.visitor.secret
        assert await a("password") == ""
        assert a.visitor.secret
        assert "8 to 128 characters" in await a("short")
        assert not a.visitor.secret, "after a refusal it is not asked for again"
        assert f'"{PASSWORD}"' in await a(f"say {PASSWORD}")
        await a("password")
        assert await a("say a new one") == "Your password has been changed.", "what is typed then is never a command"
        assert "do not match" in await Stranger(people.world)(f"connect Ahalish {PASSWORD}")
        assert "Tavern" in await Stranger(people.world)("connect Ahalish say a new one")


# --- wizardry -----------------------------------------------------------------------------------------------------


async def test_dig_describe(crowd: Crowds, store_url: str) -> None:
    async with crowd("Ahalish", wizards=["Merlin"], url=store_url) as people:
        m = people["Merlin"]
        assert await m("dig Down up Wine Cellar") == "Down now leads to Wine Cellar, and up leads back."
        assert (await people["Ahalish"]("down")).splitlines()[:2] == ["Wine Cellar", "Ways: up"]
        await m("go down")
        assert "It is dark.\nWays: up" in await m("describe It is dark.")
        await people.restart()
        assert "It is dark." in await people["Ahalish"]("look")
        assert (await people["Ahalish"]("up")).startswith("Tavern")


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("dig", "The usage is  dig WAY BACK PLACE  with one word for each way."),
        ("dig down up", "The usage is  dig WAY BACK PLACE"),
        ("dig out in Cellar", "Out already leads to Courtyard."),
        ("dig up in Courtyard", "Courtyard already has a way in."),
        ("dig down up " + "x" * 50, "The usage is  dig WAY BACK PLACE"),
        ("dig ../x up Cellar", "The usage is  dig WAY BACK PLACE"),
        ("describe", "The usage is  describe TEXT."),
        ("role Ahalish", "The usage is  role NAME ROLE."),
        ("role Ahalish king", "There is no role 'king'; there are: guest, player, wizard."),
        ("role Ahalish guest", "Guests have no account; the role must be player or wizard."),
        ("role Nobody wizard", "There is no account 'Nobody'"),
        ("role Guest1 wizard", "There is no account 'Guest1'"),
    ],
)
async def test_wizardry_is_refused_in_a_sentence(crowd: Crowds, line: str, says: str) -> None:
    async with crowd("Ahalish", "Guest1", wizards=["Merlin"]) as people:
        before = await people.world.store.places(), await people.world.store.accounts()
        assert says in await people["Merlin"](line)
        assert (await people.world.store.places(), await people.world.store.accounts()) == before
        assert people.world.places == before[0]


async def test_a_role_holds_at_once_and_later(crowd: Crowds, sqlite_url: str) -> None:
    async with crowd("Ahalish", wizards=["Merlin"], url=sqlite_url) as people:
        assert await people["Merlin"]("role ahalish WIZARD") == "Ahalish is now a wizard."
        assert people["Ahalish"].news() == "You are now a wizard."
        assert "leads to Cellar" in await people["Ahalish"]("dig down up Cellar")
        assert "Merlin is now a player." in await people["Ahalish"]("role Merlin player")
        assert "Only wizards" in await people["Merlin"]("dig up down Attic")
        await people.restart()
        assert people["Ahalish"].visitor.role == "wizard"
        assert people["Merlin"].visitor.role == "player"
