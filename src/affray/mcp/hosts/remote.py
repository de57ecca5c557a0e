"""Fights in a world on a server, by its address and an account: what the page asks for, asked for by a program."""

from __future__ import annotations

from typing import Any, cast

import httpx2

from affray.errors import Forbidden, Illegal, Invalid, Refused
from affray.lab.odds import Aim, Play
from affray.mcp.hosts.host import SEAT, SIDE, STORYTELLER, USUAL, Answer, Ask, Closed, NewFight, Role, Seen, Told
from affray.mcp.hosts.table import LAST_LINES
from affray.system.setup import Setup
from affray.world.actions.creation import OFFERED
from affray.world.actions.creation import STORYTELLER as BY_OWNER

SECONDS = 60.0


class RemoteWorld:
    """The fights of a world as one account may see them; seats of others are taken by the word of an invitation."""

    def __init__(self, address: str, account: str, password: str, token: str = "") -> None:
        self._address, self._account, self._password = address.rstrip("/"), account, password
        self._token = token
        """Where others may call too, only those who have this token act for the account."""
        self._client: httpx2.AsyncClient | None = None

    # --- asking -------------------------------------------------------------------------------------------------

    async def _ask(self, method: str, path: str, token: str, data: object = None) -> Any:
        if self._token and token != self._token:
            raise Forbidden("this needs the token that the server was started with", given=None, allowed=["the token"])
        try:
            client = await self._logged_in()
            answer = await client.request(method, path, json=data)
        except httpx2.HTTPError as problem:
            await self.close()
            raise Invalid(f"{self._address} does not answer: {problem}", given=self._address) from None
        if answer.status_code == 401:
            await self.close()  # the session has ended; the next call logs in again
        return _content(answer)

    async def _logged_in(self) -> httpx2.AsyncClient:
        if self._client is None:
            client = httpx2.AsyncClient(base_url=self._address, timeout=SECONDS)
            try:
                _content(await client.get("/api/session"))
                client.headers["X-CSRF-Token"] = client.cookies["affray_csrf"]
                _content(await client.post("/api/session", json={"name": self._account, "password": self._password}))
            except BaseException:
                await client.aclose()
                raise
            client.headers["X-CSRF-Token"] = client.cookies["affray_csrf"]
            self._client = client
        return self._client

    async def close(self) -> None:
        """Close the connection."""
        client, self._client = self._client, None
        if client is not None:
            await client.aclose()

    # --- as tools ask -------------------------------------------------------------------------------------------

    async def fights(self) -> list[dict[str, Any]]:
        """Every fight in a line."""
        listed = await self._ask("GET", "/api/combats", self._token)
        return [
            {
                "fight": str(one["number"]),
                "name": one["name"],
                "system": one["system"],
                "teams": {team: [member["name"] for member in members] for team, members in one["teams"].items()},
                "phase": one["phase"],
                "round": one["round"],
                "ending": one["ending"],
            }
            for one in listed
        ]

    async def create(self, asked: NewFight, token: str) -> dict[str, Any]:
        """Set up a fight and start it; seats of others get the word of an invitation."""
        if asked.seed is not None:
            raise Invalid("a world throws fair dice; it takes no seed", given=asked.seed)
        setup = Setup.of(asked.system, asked.teams, asked.options, files=False)
        names = iter(zip(setup.names, setup.sheets, strict=True))
        teams: dict[str, list[dict[str, Any]]] = {}
        for team, specs in asked.teams.items():
            for spec in specs:
                name, sheet = next(names)
                by = asked.by.get(name, asked.by.get(team, STORYTELLER))
                by = setup.system.usual_tactic(sheet) if by == USUAL else OFFERED if by in (SEAT, SIDE) else by
                teams.setdefault(team, []).append({"sheet": spec, "by": by, "name": name})
        wanted = {"name": asked.name or asked.system, "system": asked.system, "teams": teams, "start": True}
        made = await self._ask("POST", "/api/combats", token, {**wanted, "options": dict(asked.options)})
        invited = {seat["name"]: seat["invite"] for seat in made["seats"] if seat["invite"]}
        return {"fight": str(made["number"]), "tokens": {}, "invitations": invited}

    async def see(self, fight: str, token: str, fighter: str | None = None) -> Seen:
        """The fight as the account may see it."""
        return _seen(await self._ask("GET", _path(fight), token), fighter)

    async def play(self, fight: str, token: str, answer: Answer) -> Seen:
        """Make a move."""
        decision = answer.decision
        if decision is None:
            decision = (await self.see(fight, token)).decision
        asked = {"fighter": answer.fighter, "move": answer.move, "decision": decision}
        if answer.mark is not None:
            asked["after"] = answer.mark
        return _seen(await self._ask("POST", f"{_path(fight)}/moves", token, asked))

    async def undo(self, fight: str, token: str) -> Seen:
        """Take back the last move, or agree to that."""
        return _seen(await self._ask("POST", f"{_path(fight)}/undo", token))

    async def hand_over(self, fight: str, token: str, fighter: str, by: str) -> dict[str, Any]:
        """Change who moves a fighter; a seat of another player gets the word of an invitation."""
        given = OFFERED if by in (SEAT, SIDE) else BY_OWNER if by == STORYTELLER else by
        if by == USUAL:
            raise Invalid("in a world a tactic is given by its name", given=by)
        table = await self._ask("PUT", f"{_path(fight)}/seats/{_segment(fighter)}", token, {"by": given})
        invite = next(
            (seat["invite"] for seat in table["seats"] if seat["name"].casefold() == fighter.casefold()), None
        )
        return {"fighter": fighter, "by": by, **({"invitation": invite} if invite else {})}

    async def touchable(self, fight: str, token: str) -> dict[str, Any]:
        """All that the owner may change now."""
        return cast(dict[str, Any], await self._ask("GET", f"{_path(fight)}/storyteller", token))

    async def intervene(self, fight: str, token: str, text: str, decision: int | None) -> Seen:
        """Overrule the fight; an owner who fights too needs the consent of all sides."""
        asked = {"text": text, "decision": decision}
        return _seen(await self._ask("POST", f"{_path(fight)}/interventions", token, asked))

    async def go_on(self, fight: str, token: str) -> Seen:
        """A world lets computer fighters go on by itself."""
        return await self.see(fight, token)

    async def end(self, fight: str, token: str) -> Seen:
        """End a fight for good."""
        return _seen(await self._ask("POST", f"{_path(fight)}/end", token))

    async def odds(self, fight: str, token: str, fighter: str, play: Play, aim: Aim) -> dict[str, Any]:
        """How the fight is likely to end after each move of a fighter."""
        asked = {"fighter": fighter, "play": play, "aim": aim}
        return cast(dict[str, Any], await self._ask("POST", f"{_path(fight)}/odds", token, asked))

    async def story(self, fight: str, token: str) -> list[Told]:
        """Every line of the story."""
        table = await self._ask("GET", _path(fight), token)
        return [Told(line["n"] + 1, line["text"], line["decision"], line["why"]) for line in table["story"]]

    async def log(self, fight: str, token: str) -> dict[str, Any]:
        """The sealed log that everyone may have."""
        return cast(dict[str, Any], await self._ask("GET", f"{_path(fight)}/log", token))

    async def join(self, fight: str, token: str, invitation: str) -> Seen:
        """Take the seat of an invitation."""
        return _seen(await self._ask("POST", f"{_path(fight)}/join", token, {"token": invitation}))


def _path(fight: str) -> str:
    if not (fight.isascii() and fight.isdecimal() and len(fight) < 10):
        raise Invalid(f"a fight of a world is named by its number, not {fight[:40]!r}", given=fight)
    return f"/api/combats/{int(fight)}"


def _segment(name: str) -> str:
    from urllib.parse import quote

    return quote(name, safe="")


def _content(answer: httpx2.Response) -> Any:
    """What the server has answered; its refusals are refused in the same words."""
    try:
        content = answer.json() if answer.content else None
    except ValueError:
        raise Invalid(f"the server answered {answer.status_code}, and not in JSON", given=answer.status_code) from None
    if answer.is_success:
        return content
    told = content if isinstance(content, dict) else {}
    problem = str(told.get("problem") or told.get("detail") or f"the server answered {answer.status_code}")
    kind: type[Refused] = {403: Forbidden, 401: Forbidden, 409: Illegal}.get(answer.status_code, Invalid)
    raise kind(problem, given=told.get("given"), allowed=told.get("allowed") or ())


# What a table of the server tells


def _seen(table: dict[str, Any], fighter: str | None = None) -> Seen:
    you, seats = table["you"], table["seats"]
    if fighter is not None and fighter not in [seat["name"] for seat in seats]:
        raise Invalid(f"there is no fighter {fighter[:40]!r} in this fight", given=fighter)
    role: Role = "player" if you["fighter"] else "storyteller" if you["owner"] else "spectator"
    asks = [
        Ask(
            ask["name"],
            ask["question"],
            ask["decision"],
            ask["moves"],
            [Closed(one["move"], one["reason"]) for one in ask["impossible"]],
            ask["answered"],
            ask["at_stake"],
            ask["after"],
        )
        for ask in table["asks"]
    ]
    return Seen(
        fight=str(table["number"]),
        system=table["system"],
        phase=table["phase"],
        you=role,
        your_fighters=list(dict.fromkeys([*([you["fighter"]] if you["fighter"] else []), *(a.fighter for a in asks)])),
        teams={team: [seat["name"] for seat in seats if seat["team"] == team] for team in table["teams"]},
        moved_by={seat["name"]: seat["tactic"] or seat["player"] or STORYTELLER for seat in seats},
        round=table["round"],
        decision=table["decision"],
        ending=table["ending"],
        to_move=[seat["name"] for seat in seats if seat["due"]],
        asks=asks,
        status="\n".join(_drawn(seat) for seat in seats),
        lines=len(table["story"]),
        last_lines=[line["text"] for line in table["story"][-LAST_LINES:]],
        undo=table["undo"]["text"],
        commitment=table["commitment"],
        aftermath=table["aftermath"],
        wings={wing["name"]: wing["team"] for wing in table["wings"]},
    )


def _drawn(seat: dict[str, Any]) -> str:
    """A fighter in a line, as the page would draw it."""
    parts = []
    for widget in seat["scene"]:
        amount = f"{widget['value']}/{widget['most']}" if widget["most"] else str(widget["value"])
        words = ", ".join(widget["names"]) or amount
        parts.append(" ".join(word for word in (widget["label"], words, widget["note"]) if word))
    return f"{seat['name']}: {'; '.join(parts)}"
