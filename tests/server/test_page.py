"""The web page: whole, without any code but its own, and never reading text as markup."""

from __future__ import annotations

import re
import shutil
import subprocess
from html.parser import HTMLParser
from pathlib import Path

import pytest

import affray

PAGE = Path(affray.__file__).parent / "server" / "page"
MODULES = sorted(PAGE.glob("*.js"))
IMPORT = re.compile(r'^import (?:\{([^}]*)\}|\* as \w+) from "([^"]+)";$', re.MULTILINE)
EXPORT = re.compile(r"^export (?:async )?(?:function|const|class) (\w+)", re.MULTILINE)
IDS = re.compile(r'\bid: "([a-z-]+)"')
# What would make markup or code of text, or need a looser content security policy.
FORBIDDEN = re.compile(
    r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|\beval\(|new Function|cssText|https?://(?!www\.w3)"
)


class Tags(HTMLParser):
    """Every tag of a page with its attributes, and what stands inside of scripts and styles."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.inline = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        if self.tags and self.tags[-1][0] in ("script", "style"):
            self.inline += data.strip()


@pytest.fixture(scope="module")
def index() -> Tags:
    return Tags((PAGE / "index.html").read_text())


def test_index_has_no_inline_code_and_names_only_files_of_its_own(index):
    assert index.inline == ""
    for tag, attributes in index.tags:
        assert "style" not in attributes, tag
        assert not [name for name in attributes if name.startswith("on")], tag
    named = [a.get("src") or a.get("href") for tag, a in index.tags if tag in ("script", "link", "img")]
    styles = {f"page/{name}.css" for name in ("style", "play", "lobby", "storyteller")}
    assert {"page/main.js", *styles, "page/icon.svg"} == set(named)
    assert all((PAGE / str(name).removeprefix("page/")).is_file() for name in named)


@pytest.mark.parametrize("module", MODULES, ids=lambda path: path.name)
def test_text_is_never_read_as_markup(module):
    text = module.read_text()
    assert FORBIDDEN.findall(text) == []
    assert text.startswith("// "), "a file begins with what it is for"


def test_every_module_is_reached_from_main():
    reached, todo = set(), ["main.js"]
    while todo:
        name = todo.pop()
        if name not in reached:
            reached.add(name)
            text = (PAGE / name).read_text()
            todo += [source.removeprefix("./") for _, source in IMPORT.findall(text)]
            todo += re.findall(r'await import\("\./([\w.]+)"\)', text)  # what only some pages need
            todo += re.findall(r'const WORKER = "page/([\w.]+)"', text)
    assert reached == {module.name for module in MODULES}


def test_only_small_parts_are_styled_by_what_is_in_them():
    """Of a part that has a story in it, every line would be styled anew with every move."""
    styles = "".join(style.read_text() for style in PAGE.glob("*.css"))
    assert set(re.findall(r"([^\s,]*):has\(", styles)) == {".chip", ".value"}


@pytest.mark.parametrize("module", MODULES, ids=lambda path: path.name)
def test_all_that_is_imported_is_exported(module):
    text = module.read_text()
    found = IMPORT.findall(text)
    assert len(found) == len(re.findall(r"^import\b", text, re.MULTILINE))
    for wanted, source in found:
        names = {name.strip() for name in wanted.split(",") if name.strip()}
        assert names <= set(EXPORT.findall((PAGE / source).read_text())), source
        assert all(len(re.findall(rf"\b{name}\b", text)) > 1 for name in names), f"{source}: one is never used"


def test_ids_are_given_once(index):
    ids = [a["id"] for _, a in index.tags if "id" in a]
    ids += [id for module in MODULES for id in IDS.findall(module.read_text())]
    assert len(ids) == len(set(ids))


PARSE = """
const [vm, fs] = [require("node:vm"), require("node:fs")];
for (const identifier of process.argv.slice(1))
  new vm.SourceTextModule(fs.readFileSync(identifier, "utf8"), { identifier });
"""


@pytest.mark.skipif(not shutil.which("node"), reason="needs node")
def test_every_module_is_sound():
    command = ["node", "--experimental-vm-modules", "--eval", PARSE, *map(str, MODULES)]
    run = subprocess.run(command, capture_output=True)
    assert run.returncode == 0, run.stderr.decode()


@pytest.mark.skipif(not shutil.which("node"), reason="needs node")
@pytest.mark.parametrize(
    ("call", "text"),
    [
        ("percent(0)", "0%"),
        ("percent(0.5)", "50%"),
        ("percent(0.0001)", "<1%"),
        ("percent(0.9999)", ">99%"),
        ("percent(1)", "100%"),
        ("percent(0.00001, 2)", "<0.01%"),
        ("signed(-1.25)", "−1.3"),
        ("signed(0.04)", "0.0"),
        ("listed(['a', 'b', 'c'])", "a, b and c"),
        ("counted(1, 'seat')", "1 seat"),
        ("endingIn('heroes', ['heroes', 'monsters'])", "Heroes won."),
        ("endingIn('fled', ['heroes', 'monsters'])", "It ended: fled."),
    ],
)
def test_numbers_are_written_as_people_write_them(tmp_path, call, text):
    module = tmp_path / "words.mjs"
    module.write_text((PAGE / "words.js").read_text())
    names = "counted, endingIn, listed, percent, signed"
    code = f"import {{ {names} }} from {module.as_uri()!r}; process.stdout.write({call})"
    run = subprocess.run(["node", "--input-type=module", "-e", code], capture_output=True, check=True)
    assert run.stdout.decode() == text
