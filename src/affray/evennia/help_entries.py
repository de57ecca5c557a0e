"""Help entries for a game: about fighting, and one page for each system."""

from __future__ import annotations

from affray.system.registry import find, names

HELP_ENTRY_DICTS = [
    {
        "key": "fighting",
        "aliases": ["fights"],
        "category": "Combat",
        "text": "Fights go by the rules of: " + ", ".join(names()) + ". help combat  has the commands.",
    },
    *(
        {
            "key": f"fighting {system}",
            "category": "Combat",
            "text": "\n\n".join(
                [
                    f"{find(system).title}: {find(system).summary}",
                    *(f"{one.question}\n  {one.text} ({one.source})" for one in find(system).rulings().values()),
                ]
            ).replace("|", "||"),
        }
        for system in names()
    ),
]
