"""The address of a fight to share: what sites show of a link to it, and the way to its replay for people."""

from __future__ import annotations

import re
from html import escape
from typing import Any

from litestar import MediaType, Request, Response, get
from litestar.params import FromPath

from affray.errors import Invalid
from affray.fight import Fight
from affray.fight.sharing import HIGH, WIDE, result_of, title_of
from affray.server.api import combats
from affray.server.web.sessions import AnyCaller

# Sites that show previews run no scripts; people are taken on at once.
PAGE = """<!doctype html>
<html lang="en">
<head>
    <meta charset="utf-8">
    <title>{title}</title>
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="description" content="{text}">
    <meta property="og:type" content="website">
    <meta property="og:site_name" content="Affray">
    <meta property="og:title" content="{title}">
    <meta property="og:description" content="{text}">
    <meta property="og:url" content="{address}">
{image}    <meta http-equiv="refresh" content="0; url=../{route}">
</head>
<body>
    <h1>{title}</h1>
    <p>{text}</p>
    <p><a href="../{route}">Go to the fight</a></p>
</body>
</html>
"""
IMAGE = """    <meta property="og:image" content="{address}/picture.svg">
    <meta property="og:image:type" content="image/svg+xml">
    <meta property="og:image:width" content="{wide}">
    <meta property="og:image:height" content="{high}">
    <meta property="og:image:alt" content="{text}">
    <meta name="twitter:card" content="summary_large_image">
"""

SITE = re.compile(r"\*|https?://(\*\.)?[\w-]+(\.[\w-]+)*(:(\d+|\*))?", re.ASCII)


def check_site(text: str) -> str:
    """A site that may show replays, as browsers understand it: an origin, perhaps with all that is below it, or all."""
    if not SITE.fullmatch(text):
        raise Invalid(f"a site must be like https://blog.example.org, or * for any, not {text!r}", given=text)
    return text


@get("/share/{number:int}", include_in_schema=False, media_type=MediaType.HTML)
async def share(request: Request[Any, Any, Any], caller: AnyCaller, number: FromPath[int]) -> str:
    """A page about a fight that says what came of it, and leads to its replay."""
    combat, _ = await combats.find_combat(caller, number)
    fight = combat.fight
    address = escape(f"{str(request.base_url).rstrip('/')}/share/{number}")
    known: dict[str, str] = {"title": escape(combat.name), "text": escape(combat.system.title), "image": ""}
    route = f"#/fight/{number}"
    if isinstance(fight, Fight) and fight.over:
        title = title_of(fight, await combats.with_players(caller, combat))
        known["text"] = text = escape(f"{combat.system.title}: {title}. {result_of(fight)}")
        known["image"] = IMAGE.format(address=address, wide=WIDE, high=HIGH, text=text)
        route = f"#/replay/{number}"
    return PAGE.format(**known, address=address, route=route)


@get("/share/{number:int}/picture.svg", include_in_schema=False)
async def shared_picture(caller: AnyCaller, number: FromPath[int]) -> Response[str]:
    """The picture of a fight that is over."""
    drawn = await combats.picture(caller, number)
    return Response(drawn.svg, media_type="image/svg+xml")
