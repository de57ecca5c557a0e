"""The address of a fight to share: what a site finds there, and what it does not."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Callable
from html.parser import HTMLParser
from typing import Any

import pytest

from affray.errors import Invalid
from affray.server.web.app import WebSettings
from affray.server.web.sharing import check_site

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


async def test_replays_are_framed_by_the_sites_that_the_server_names(site: Sites) -> None:
    sites = ["https://blog.example.org", "https://*.example.com:8443"]
    async with site(settings=WebSettings(embed=[check_site(each) for each in sites])) as people:
        browser = people.browser()
        assert (await browser("GET", "/session")).json()["embeds"]
        for path, ancestors in (("/embed", " ".join(sites)), ("/", "'none'"), ("/page/main.js", "'none'")):
            answer = await browser.http.get(path)
            assert answer.status_code == 200
            assert answer.headers["content-security-policy"].endswith(f"frame-ancestors {ancestors}")


async def test_nothing_is_framed_by_itself(site: Sites) -> None:
    async with site() as people:
        browser = people.browser()
        assert not (await browser("GET", "/session")).json()["embeds"]
        assert (await browser.http.get("/embed")).status_code == 404


@pytest.mark.parametrize(
    "text", ["blog.example.org", "https://a b", "https://a; script-src *", "'self'", "https://a/b", ""]
)
def test_what_is_no_site_may_show_no_replays(text: str) -> None:
    with pytest.raises(Invalid, match="a site must be like"):
        check_site(text)
