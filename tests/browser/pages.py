"""A real server, and visitors who use its page as people do: by what they see, click and type."""

from __future__ import annotations

import itertools
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, ConsoleMessage, Page, expect, sync_playwright

SECONDS = 600  # before something that is waited for is a failure: rules may have to be compiled first
MOST_MOVES = 400
PASSWORD = "open sesame 7"
QUICK_SERVER = Path(__file__).parents[1] / "quick_server.py"
WHOLE = shutil.which("chromium") or shutil.which("chromium-browser")
CHROMIUM = shutil.which("chromium-headless-shell") or WHOLE
"""Where it is installed, Chromium without a desktop, which needs a third less of the processor, shows most tests."""
OPEN_MOVES = ".ask:not(.answered) button.move"
ODDS = f"{OPEN_MOVES} .odds:not(.pending)"
MOVING = "() => document.getAnimations().map(one => one.animationName).filter(Boolean)"
"""The names of all that moves, or has moved and still stands there."""
FOLLOW = """route => new Promise(done => {
    addEventListener("hashchange", done, { once: true }); // behind the page's own listener, which begins to show it
    location.hash = route;
}).then(() => null)"""
NUMBERS = itertools.count(1)
expect.set_options(timeout=SECONDS * 1000)
CHIPS = """move => {
    const group = move.closest(".group");
    const buttons = [...group.querySelectorAll(".buttons")];
    const names = fieldset => [...(fieldset?.querySelectorAll(".chip") ?? [])].map(chip => chip.dataset.chip);
    const aims = names(group.parentElement.querySelector(":scope > .chips"));
    const acts = names(group.querySelector(":scope > .chips"));
    const groups = [...group.parentElement.querySelectorAll(":scope > .group")];
    return [aims[groups.indexOf(group)], acts[buttons.findIndex(panel => panel.contains(move))]].filter(Boolean);
}"""
"""The chips to press before a move can be seen."""
NOTE_QUESTION = """() => {
    const clicked = {};
    const note = () => (clicked.question = document.querySelector("#question span"));
    addEventListener("click", note, { capture: true, once: true });
    return clicked;
}"""
"""Where the question is noted that stands there when the next click comes, however often it was written anew before."""
LINE_IS_OPEN = "async () => (await import('./page/live.js')).isOpen()"
NOTE_TOLD = """if (location.host) addEventListener("DOMContentLoaded", () => {
    const place = document.querySelector("#told");
    window.toldSoFar = [];
    if (place) new MutationObserver(() => toldSoFar.push(place.textContent)).observe(place, { childList: true });
})"""
"""What is shown for a moment only is kept, so that no test has to look at the right one."""
SEEN = """() => [".table-head", ".teams", ".told", ".side", ".taken"].flatMap(part =>
    [...document.querySelectorAll(part)].map(shown => {
        const copy = shown.cloneNode(true);
        copy.querySelectorAll(".since, .waiting [role=status]").forEach(each => each.remove());
        return copy.outerHTML;
    }))"""
"""What a table shows, but for the chat, and for how long the fight has waited, which goes on and is then read out."""
REFUSAL = re.compile(r"the server responded with a status of (4\d\d|503)")  # 503: it is just closing


@dataclass(frozen=True)
class Match:
    """Two fighters who are soon done with each other, and which moves hasten it."""

    sheets: tuple[str, str]
    values: tuple[Mapping[str, int], Mapping[str, int]]
    """Of each sheet, what is changed in it."""
    hasty: tuple[str, ...]


LONG_DUEL = Match(("player", "fire-slime"), ({"max_health": 30, "health": 30},) * 2, ("attack",))
MATCHES = {
    "bgo": Match(("player", "fire-slime"), ({"health": 3}, {"health": 3}), ("attack",)),
    "grapple": Match(
        ("goblin", "goblin"),
        ({"sd": 0, "max_wounds": 2},) * 2,
        ("strike 6", "strike 5", "strike 4", "strike 3", "maneuver 3", "catch"),
    ),
    "deckahedron": Match(("maren", "guard"), ({}, {}), ("attack", "harm", "reshuffle")),
    "mythos": Match(("boxer", "fencer"), ({"hp": 8}, {"hp": 8}), ("fight", "use")),
    "strategic": Match(
        ("knight", "guard"),
        ({}, {}),
        ("power cripple", "maim cripple", "strike cripple", "strike incapacitate", "brace", "accept"),
    ),
    "coins": Match(("anna", "bert"), ({"lives": 3}, {"lives": 3}), ("jab",)),
    "d20": Match(("goblin", "skeleton"), ({"hit_points": 20},) * 2, ("attack",)),  # more than one blow can take
}


def fresh(name: str) -> str:
    """A name that nobody in the world has yet."""
    return f"{name}{next(NUMBERS)}"


def until(condition: Callable[[], Any], what: str, page: Page, seconds: float = SECONDS) -> Any:
    """Wait until something is so; the page's own events are let through meanwhile."""
    end = time.monotonic() + seconds
    while not (found := condition()):
        assert time.monotonic() < end, f"it never came: {what}"
        page.wait_for_timeout(20)
    return found


class Serving:
    """`affray serve` as a process of its own, which can be stopped and started again on the same port."""

    def __init__(self, folder: Path, environment: Mapping[str, str], *words: str) -> None:
        self.folder = folder
        self._words = words
        self.environment = {**os.environ, **environment}
        self.port = 0
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}/"

    def start(self) -> None:
        noted = self.folder / "port"
        noted.unlink(missing_ok=True)
        command = [sys.executable, str(QUICK_SERVER), "serve", "--web", f"127.0.0.1:{self.port}"]
        command += ["--web-port-file", str(noted), "--store", f"sqlite:///{self.folder / 'world.db'}"]
        command += ["--limit-requests", "1000000", "--log-level", "error", *self._words]
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(command, cwd=self.folder, stdout=log, stderr=log, env=self.environment)
        end = time.monotonic() + SECONDS
        while not noted.exists() or not noted.read_text().strip():
            assert self._process.poll() is None, self.log()
            assert time.monotonic() < end, "the server does not open"
            time.sleep(0.02)
        self.port = int(noted.read_text())

    def stop(self) -> None:
        if self._process is not None:
            self._process.send_signal(signal.SIGTERM)
            self._process.wait(SECONDS)
            self._process = None

    def log(self) -> str:
        return (self.folder / "log").read_text()


@contextmanager
def serving(folder: Path, environment: Mapping[str, str] | None = None, *words: str) -> Iterator[Serving]:
    """A server with a world in a folder; `words` are further arguments of `affray serve`."""
    server = Serving(folder, environment or {}, *words)
    try:
        server.start()
        yield server
    finally:
        server.stop()


@contextmanager
def chromium(program: str | None = CHROMIUM) -> Iterator[Windows]:
    """A browser that shows nothing."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield Windows(browser)
        browser.close()


class Windows:
    """Windows of a browser, each with cookies of its own.

    To open one costs more than most of what is done in it, so visitors who leave hand theirs on, empty.
    """

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._free: dict[str, list[Page]] = defaultdict(list)

    def open(self, odds: bool, context: Mapping[str, Any]) -> Page:
        free = self._free[self._kind(odds, context)]
        if free:
            return free.pop()
        window = self._browser.new_context(**{"reduced_motion": "reduce", **context})
        window.set_default_timeout(SECONDS * 1000)
        window.add_init_script(NOTE_TOLD)
        if not odds:
            window.add_init_script("if (location.host) localStorage.setItem('affray.odds', 'off')")
        return window.new_page()

    def hand_on(self, page: Page, address: str, odds: bool, context: Mapping[str, Any]) -> None:
        page.unroute_all()
        page.goto("about:blank")
        page.context.clear_cookies()
        inside = page.context.new_cdp_session(page)
        inside.send("Storage.clearDataForOrigin", {"origin": address.rstrip("/"), "storageTypes": "all"})
        inside.detach()
        page.emulate_media(color_scheme="light")
        page.set_viewport_size(context.get("viewport", {"width": 1280, "height": 720}))
        self._free[self._kind(odds, context)].append(page)

    @staticmethod
    def _kind(odds: bool, context: Mapping[str, Any]) -> str:
        return f"{odds} {sorted(context.items())}"


@dataclass
class Visitor:
    """A person with a browser of their own."""

    windows: Windows
    address: str
    odds: bool = False
    context: Mapping[str, Any] = field(default_factory=dict)
    excused: Sequence[str] = ()
    """What the console may complain of."""

    def __post_init__(self) -> None:
        self.name = ""
        self._has_left = False
        self.problems: list[str] = []
        self.received: list[str] = []
        self.page = self.windows.open(self.odds, self.context)
        self._listening: dict[str, Callable[[Any], None]] = {
            "pageerror": lambda error: self.problems.append(str(error)),
            "console": self._complained,
            "websocket": lambda line: line.on("framereceived", lambda frame: self.received.append(str(frame))),
        }
        for event, does in self._listening.items():
            self.page.on(event, does)  # type: ignore[call-overload]

    def _complained(self, told: ConsoleMessage) -> None:
        # A refusal is an answer that the page shows as a sentence, whatever the browser says of it.
        if told.type in ("error", "warning") and not REFUSAL.search(told.text):
            if not any(excuse in told.text for excuse in self.excused):
                self.problems.append(f"{told.type}: {told.text}")

    # --- going about ------------------------------------------------------------------------------------------

    def go(self, route: str = "#/") -> None:
        """Go to a route, or to the address of one, and wait until it is shown."""
        route = route.removeprefix(self.address)
        if self.page.url.startswith(self.address) and not self.page.url.endswith(route):
            self.page.evaluate(FOLLOW, route)
        else:
            self.page.goto(self.address + route)
        self.arrived()

    def arrived(self) -> None:
        self.page.locator("main:not([aria-busy]) h1").wait_for()

    def join(self, invitation: str, name: str) -> None:
        """Follow an invitation as a guest, and make an account on the spot."""
        self.go(invitation)
        self.register(name)
        self.page.wait_for_url(re.compile(r"#/fight/\d+$"))

    def register(self, name: str) -> None:
        """Make an account, by the dialog where there is no form on the page."""
        self._present(name, "Create an account")

    def log_in(self, name: str) -> None:
        self._present(name, "Log in")

    def _present(self, name: str, button: str) -> None:
        self.name = name
        if not self.page.locator("form.login").count():
            self.page.click("#login")
        form = self.page.locator("form.login")
        form.get_by_label("Name").fill(name)
        form.get_by_label("Password").fill(PASSWORD)
        form.get_by_role("button", name=button).click()
        self.page.locator("#session .who", has_text=name).wait_for()
        expect(self.page.locator("dialog")).to_have_count(0)

    # --- making a fight ---------------------------------------------------------------------------------------

    def fill_new_fight(
        self, system: str, other: str, title: str = "", match: Match | None = None, **options: int
    ) -> None:
        """Fill in the form for a fight of a system, a short one if nothing else is said: me against `other`."""
        match = match or MATCHES[system]
        self.choose_system(system)
        if title:
            self.page.get_by_label("Name of the fight").fill(title)
        while (spare := self.page.get_by_role("button", name="Remove fighter 2")).count():
            spare.first.click()
        for place, by in enumerate(("me", other)):
            self.fill_fighter(place, match.sheets[place], match.values[place], by)
        self._fill_options(options)

    def _fill_options(self, options: Mapping[str, int]) -> None:
        if options:
            self.page.click("#options summary")
        for name, value in options.items():
            self.page.locator(f'[data-option="{name}"]').locator("input").fill(str(value))

    def choose_system(self, system: str) -> None:
        self.page.select_option("select[name=system]", system)
        self.page.locator("#new-fight-form .rest:not([inert])").wait_for()

    def fill_fighter(self, place: int, sheet: str, values: Mapping[str, int], by: str) -> None:
        form = self.page.locator("fieldset.fighter").nth(place)
        form.locator("select.sheet").select_option(sheet)
        form.locator("select.by").select_option(by)
        if values:
            form.locator(".own-sheet > summary").click()
        for name, value in values.items():
            form.locator(f'[data-value="{name}"] input').fill(str(value))

    def new_fight(self, system: str, other: str, *, start: bool = True, **how: Any) -> int:
        """Make a fight through the form; its number."""
        self.go("#/new")
        self.fill_new_fight(system, other, **how)
        self.page.click("#make-and-start" if start else "#make")
        self.page.wait_for_url(re.compile(r"#/fight/\d+$"))
        self.page.locator(".table #question" if start else "#start").wait_for()
        return int(self.page.url.rpartition("/")[2])

    def new_journey(self, *others: str, start: bool = True, title: str = "", **options: int) -> int:
        """Make a journey of bgo through the form: me, and computer players of these names; its number."""
        self.go("#/new")
        self.choose_system("bgo")
        self.page.select_option("select[name=game]", "journey")
        for place, name in enumerate(others, 1):
            if place > 1:
                self.page.click(".add-fighter")
            self.page.locator("fieldset.fighter").nth(place).get_by_label("Name").fill(name)
        self.page.get_by_label("Name of the fight").fill(title)
        self._fill_options(options)
        self.page.click("#make-and-start" if start else "#make")
        self.page.wait_for_url(re.compile(r"#/fight/\d+$"))
        self.page.locator(".table #question" if start else "#start").wait_for()
        return int(self.page.url.rpartition("/")[2])

    def invitation(self) -> str:
        """The link that the owner sees."""
        return self.page.locator("input.invite").input_value()

    # --- fighting ---------------------------------------------------------------------------------------------

    @property
    def story(self) -> list[str]:
        return self.page.locator("#story .line > p").all_text_contents()  # also of lines that are far out of sight

    @property
    def question(self) -> str:
        return self.page.locator("#question").inner_text()

    @property
    def moves(self) -> list[str]:
        """What may be done now."""
        return [str(move) for move in self.page.locator(OPEN_MOVES).evaluate_all("all => all.map(b => b.dataset.move)")]

    @property
    def is_over(self) -> bool:
        return self.page.locator("#ending").count() > 0

    def await_moves(self) -> list[str]:
        self.page.locator(f"{OPEN_MOVES}:visible, .ask:not(.answered) .chip:visible").first.wait_for()
        return self.moves

    def move(self, move: str) -> None:
        """Click a move, by its target and its action where those are to be chosen first, and wait until it is taken."""
        wanted = self.page.locator(f'{OPEN_MOVES}[data-move="{move}"]').first
        for chip in wanted.evaluate(CHIPS):
            self.page.locator(f'.chip[data-chip="{chip}"]:visible').click()
        clicked = self.page.evaluate_handle(NOTE_QUESTION)
        wanted.click()
        asked = clicked.get_property("question").as_element()
        assert asked is not None
        asked.wait_for_element_state("hidden")  # the question is written anew for every decision

    def move_hastily(self, system: str) -> None:
        """Click the move that ends the fight soonest."""
        offered = self.moves
        hasty = (move for start in MATCHES[system].hasty for move in offered if move.startswith(start))
        self.move(next(hasty, offered[0]))

    def finish(self, system: str) -> None:
        """Fight on to the end, against a fighter who needs no help."""
        for _ in range(MOST_MOVES):
            until(lambda: self.is_over or self.moves, "a question or the end", self.page)
            if self.is_over:
                return
            self.move_hastily(system)
        raise AssertionError("the fight never ends")

    def end(self) -> None:
        """Close a fight that is over."""
        self.page.click("#end")
        self.page.locator("#verify").wait_for(state="attached")

    @property
    def seen(self) -> list[str]:
        """All that the table shows but the chat and the time that goes on."""
        return [str(part) for part in self.page.evaluate(SEEN)]

    def is_told(self, words: str) -> None:
        """Wait until a message has been shown for a moment, or find that it has been."""
        until(lambda: words in self.page.evaluate("toldSoFar"), words, self.page)

    def says(self, words: str, how: str = "say") -> None:
        until(lambda: self.page.evaluate(LINE_IS_OPEN), "an open line", self.page)
        self.page.select_option("#how", how)
        self.page.fill("#say", words)
        self.page.press("#say", "Enter")

    def hears(self, words: str) -> None:
        """Wait until something stands in the chat."""
        expect(self.page.locator("#chat p", has_text=words)).to_have_count(1)

    def close(self) -> None:
        if self._has_left:
            return
        self._has_left = True
        self.windows.hand_on(self.page, self.address, self.odds, self.context)
        for event, does in self._listening.items():
            self.page.remove_listener(event, does)


def fight_out(visitors: Sequence[Visitor], system: str) -> list[Visitor]:
    """Let several visitors click moves until their fight is over; who made each of them."""
    made: list[Visitor] = []
    page = visitors[0].page
    for _ in range(MOST_MOVES):
        until(lambda: any(each.is_over or each.moves for each in visitors), "a question or the end", page)
        asked = next((each for each in visitors if each.moves), None)
        if asked is None:
            return made
        asked.move_hastily(system)
        made.append(asked)
    raise AssertionError("the fight never ends")
