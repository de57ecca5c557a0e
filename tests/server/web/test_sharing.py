"""The address of a fight to share: what a site finds there, and what it does not."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Callable
from html.parser import HTMLParser
from typing import Any

Sites = Callable[..., Any]


class Metas(HTMLParser):
    """What a page says about itself."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.said: dict[str, str] = {}
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        known = dict(attrs)
        name = known.get("property") or known.get("name") or known.get("http-equiv")
        if tag == "meta" and name:
            self.said[name] = known["content"] or ""


async def duel(people: Any, name: str) -> int:
    ann, bob = people["Ann"].browser, people["Bob"].browser
    seats = {"reds": [{"sheet": "goblin", "by": "me"}], "greens": [{"sheet": "goblin", "by": "open", "name": "Bo"}]}
    made = (await ann("POST", "/combats", {"name": name, "system": "grapple", "teams": seats})).json()
    invite = next(seat["invite"] for seat in made["seats"] if seat["open"])
    await bob("POST", f"/combats/{made['number']}/join", {"token": invite})
    assert (await ann("POST", f"/combats/{made['number']}/start", {})).status_code == 200
    return int(made["number"])


async def test_a_shared_link_says_what_came_of_the_fight(site: Sites) -> None:
    async with site("Ann", "Bob") as people:
        number = await duel(people, '<"duel">')
        site_http = people.browser().http
        running = Metas((await site_http.get(f"/share/{number}")).text).said
        assert running["og:title"] == '<"duel">'
        assert "og:image" not in running
        assert running["refresh"].endswith(f"url=../#/fight/{number}")
        assert (await site_http.get(f"/share/{number}/picture.svg")).status_code == 409
        await people["Bob"].browser("POST", f"/combats/{number}/resign", {})
        said = Metas((await site_http.get(f"/share/{number}")).text).said
        assert said["og:description"] == "Grapple: Ann against Bo (Bob). Reds won in round 1. Greens resigned."
        assert said["refresh"].endswith(f"url=../#/replay/{number}")
        picture = await site_http.get(said["og:image"])
        assert picture.headers["content-type"].startswith("image/svg+xml")
        described = ET.fromstring(picture.text).find("{http://www.w3.org/2000/svg}desc")
        assert described is not None
        assert described.text == said["og:image:alt"] == said["og:description"]
        assert (await site_http.get("/share/99")).status_code == 404
