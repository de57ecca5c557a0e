"""Profiles at the keyboard: the results of a player's fights, ratings, and what others may see of them."""

from __future__ import annotations

from affray.errors import Illegal
from affray.system.schema import cut
from affray.world.actions import profiles
from affray.world.commands.registry import command, misused
from affray.world.people.profiles import Past, Profile, Rated, Record
from affray.world.people.visitor import Visitor

SETTINGS = {"ratings": "rated", "privacy": "private"}
MEANINGS = {
    ("rated", True): "You are rated: fair duels against others who want ratings count from now on.",
    ("rated", False): "You are not rated, and your ratings are not shown.",
    ("private", True): "Your profile is private now.",
    ("private", False): "Everyone can see your profile now.",
}


@command("profile [NAME] [PAGE]", does=profiles.read_profile)
async def profile(visitor: Visitor, rest: str) -> None:
    """Show what came of a player's fights.

    Without a name they are your own. The last ones come first, twenty on a page.
    combat log NUMBER tells one of them again. Ratings are shown of those who want
    them: see help prefer.
    """
    words = rest.split()
    page = words.pop() if len(words) > 1 or (words and words[0].isdecimal()) else "1"
    if len(words) > 1 or not page.isdecimal() or not 1 <= int(page) <= 100_000:
        raise misused("profile [NAME] [PAGE]", rest)
    _, found = await profiles.read_profile(visitor, words[0] if words else "me", int(page))
    visitor.tell("\n".join(_lines(found)))


def _lines(found: Profile) -> list[str]:
    since = f", here since {found.since:%Y-%m-%d}" if found.since else ""
    lines = [f"{found.name}{since}", *map(_record, found.record)]
    lines += [line for rated in found.ratings or () for line in _rating(rated)]
    if not found.total:
        return [*lines, "No fights yet."]
    pages = f" (page {found.page} of {found.pages})" if found.pages > 1 else ""
    return [*lines, f"Fights, the last first{pages}:", *map(_past, found.fights)]


def _record(record: Record) -> str:
    fights = "1 fight" if record.fights == 1 else f"{record.fights} fights"
    return f"{record.system}: {fights}, {', '.join(f'{count} {what}' for what, count in record.outcomes.items())}"


def _rating(rated: Rated) -> list[str]:
    low, high = rated.bounds
    unsure = "; provisional" if rated.is_provisional else ""
    fights = "1 duel" if rated.fights == 1 else f"{rated.fights} duels"
    return [
        f"Rating in {rated.system}: {rated.rating.value:.0f} from {fights}",
        f"  (in 95 of 100 cases {low:.0f} to {high:.0f}{unsure})",
    ]


def _past(past: Past) -> str:
    result = past.result
    against = f" against {', '.join(past.against)}" if past.against else ""
    log = "" if past.is_kept else ", log not kept"
    rated = ", rated" if result.counts else ""
    return f"  {result.combat:>6} {result.outcome:10} {result.system}: {result.name}{against}{rated}{log}"


@command("prefer WHAT on|off", does=profiles.change_profile)
async def prefer(visitor: Visitor, rest: str) -> None:
    """Choose to have ratings, or privacy.

    For example:  prefer ratings on
    Both are off at first. Duels count for ratings if both players want that when
    the duel starts: two people, equal fighters, nobody else, nothing taken back
    and no storyteller's word. To end such a duel early is to resign it. A private
    profile is shown to you and to wizards alone.
    """
    words = rest.casefold().split()
    if len(words) != 2 or words[1] not in ("on", "off"):
        raise misused("prefer WHAT on|off", rest)
    if words[0] not in SETTINGS:
        raise Illegal(f"you can prefer ratings or privacy, not {cut(words[0])!r}", given=words[0], allowed=[*SETTINGS])
    setting, on = SETTINGS[words[0]], words[1] == "on"
    if setting == "rated":
        await profiles.change_profile(visitor, rated=on)
    else:
        await profiles.change_profile(visitor, private=on)
    visitor.tell(MEANINGS[setting, on])
