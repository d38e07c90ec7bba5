"""What the site of the documentation is made of. Sphinx itself is not needed: `.ci/run` builds the site with it."""

from __future__ import annotations

import re
import subprocess
from itertools import pairwise

import pytest
import yaml

from referee.docs.site import diagrams, pages, reference, rulebooks
from tests.infrastructure.machine import ROOT

NOT_FOR_READERS = {"api/vendor/README.md"}
FLOWCHART = re.compile(r"^```mermaid\n(.*?)^```$", re.M | re.S)


@pytest.fixture(scope="module")
def written() -> dict[str, str]:
    return dict(pages.write_all(ROOT))


def test_every_markdown_file_is_a_page() -> None:
    listed = subprocess.run(["git", "ls-files", "-z", "*.md"], cwd=ROOT, capture_output=True, check=False)
    if listed.returncode:
        pytest.skip("not a git checkout, so there is no list of the project's files")
    files = {ROOT / name for name in listed.stdout.decode().split("\0") if name}
    found = pages.find_pages(ROOT)
    assert files - set(found.values()) == {ROOT / name for name in NOT_FOR_READERS}
    assert len(set(found.values())) == len(found)


def test_no_picture_stands_within_other_html() -> None:
    """The site takes over a picture that is an `<img>` of its own; in a block of HTML it would be missing there."""
    block = re.compile(r"^<(?!img\b|!--)[a-z].*?(?:\n\n|\Z)", re.M | re.S)
    texts = {name: path.read_text("utf-8") for name, path in pages.find_pages(ROOT).items()}
    assert [name for name, text in texts.items() if any("<img" in each for each in block.findall(text))] == []
    assert sum(text.count("<img") for text in texts.values()) >= 5


def test_no_two_pages_have_one_address(written: dict[str, str]) -> None:
    found = pages.find_pages(ROOT)
    assert {name.removesuffix(".md") for name in written} & set(found) == set()
    assert found["decisions/index"] == ROOT / "referee/docs/decisions/README.md"
    assert found["adding-a-game"] == ROOT / "referee/docs/ADDING_A_GAME.md"
    assert found["games/here-to-slay"] == ROOT / "referee/games/here_to_slay/README.md"


def test_the_sidebar_leads_to_every_page_that_is_not_led_to_by_another() -> None:
    text = (ROOT / "referee/docs/site/index.md").read_text("utf-8")
    entries = {line for block in re.findall(r"```{toctree}\n.*?\n\n(.*?)```", text, re.S) for line in block.split()}
    others = {name for name in pages.find_pages(ROOT) if not any(each.match(name) for each, _ in pages.LED_TO)}
    assert others - entries == {"index"}


def test_each_rulebook_has_every_clause_in_both_languages(written: dict[str, str]) -> None:
    books = rulebooks.collect_books()
    assert len(books) >= 10
    for name, (_, book) in books.items():
        for language in ("en", "de"):
            page = written[f"rulebooks/{language}/{name}.md"]
            shown = re.findall(r"^\[(\S+)\]\(#(\S+)\)\{\.clause-number\}", page, re.M)
            assert {each for each, _ in shown} == set(book.clauses)
            assert len({anchor for _, anchor in shown}) == len(shown)
            assert f"](../{'de' if language == 'en' else 'en'}/{name}.md)" in page


def test_a_clause_is_shown_with_its_question_reason_and_other_reading(written: dict[str, str]) -> None:
    german = written["rulebooks/de/mau-mau.md"]
    clause = german.partition("{#mm-amb-1-r2 .clause}\n")[2].partition("\n\n")[0]
    assert clause.split("\\\n") == [
        "[MM-AMB-1-R2](#mm-amb-1-r2){.clause-number}",
        "*Darf die letzte Karte eine besondere sein, und was bewirkt sie?*",
        "Die letzte Karte darf jede passende sein, nur kein Bube.",
        "[Andere Lesart von [MM-AMB-1](#mm-amb-1)]{.clause-note}",
        "[Warum: Vielen Runden ist es zu leicht, mit der Karte zu enden, die fast überall passt.]{.clause-note}",
    ]
    assert pages.find_language("rulebooks/de/mau-mau") == "de"
    assert pages.find_language("rulebooks/en/mau-mau") == pages.find_language("api") == "en"


def test_marks_of_markdown_in_a_text_mean_nothing() -> None:
    assert rulebooks.escape("[Shield] *no* {x}\n `y`") == r"\[Shield\] \*no\* \{x\} \`y\`"
    assert reference.escape_prose("before `a_b` and_after") == r"before `a_b` and\_after"


def test_the_reference_has_every_call_and_every_type(written: dict[str, str]) -> None:
    contract = yaml.load((ROOT / pages.CONTRACT).read_text("utf-8"), Loader=yaml.CSafeLoader)
    calls = {
        (path, method) for path, item in contract["paths"].items() for method in reference.METHODS if method in item
    }
    text = "\n".join(page for name, page in written.items() if name.startswith("reference/"))
    subjects = "\n".join(written[f"reference/{tag['name']}.md"] for tag in contract["tags"])
    for path, method in calls:
        address = f"`{method.upper()} {path}`"
        assert f"\n{address}\n" in subjects
        assert f"  {address}\n" in written["reference/index.md"]
    for name in contract["components"]["schemas"]:
        assert f"## {name}\n" in written[f"reference/types-{name[0].lower()}.md"]
    assert "](types-m.md#matchbody)" in text
    assert all(f"## {name}\n" in written["reference/messages.md"] for name in contract["webhooks"])


def test_a_type_is_described_in_a_few_words() -> None:
    it = reference.Reference({"components": {"schemas": {"Seat": {"type": "integer"}}}})
    assert it.describe({"$ref": "#/components/schemas/Seat"}) == "[Seat](types-s.md#seat)"
    assert it.describe({"type": ["integer", "null"], "minimum": 1}) == "integer from 1 or null from 1"
    assert it.describe({"type": "array", "items": {"enum": ["a", None]}}) == 'list of `"a"` or `null`'
    assert it.describe({"oneOf": [{"const": 1}, {"type": "string"}]}) == "`1` or text"
    assert it.describe({"type": "object", "properties": {"x": {"type": "boolean"}}}) == "object (`x`: boolean)"
    assert it.describe({}) == "anything"


# -- flowcharts -------------------------------------------------------------------------------------------------------


def test_the_flowcharts_of_the_documentation_can_be_drawn() -> None:
    drawn = 0
    for path in pages.find_pages(ROOT).values():
        for text in FLOWCHART.findall(path.read_text("utf-8")):
            boxes, arrows = diagrams.read_flowchart(text)
            svg = diagrams.draw(text)
            drawn += 1
            assert svg.count("<rect") == len(boxes) + sum(bool(arrow.label) for arrow in arrows)
            assert svg.count("marker-end") == len(arrows)
    assert drawn >= 3


def test_a_flowchart_has_boxes_under_each_other_and_arrows_back() -> None:
    text = 'flowchart LR\n  A[first] --> B{{second<br/>line}} -- "so (it) is" --> C[(store)]\n  C -. again .-> A'
    boxes, arrows = diagrams.read_flowchart(text)
    assert {name: (box.kind, box.lines) for name, box in boxes.items()} == {
        "A": ("box", ("first",)),
        "B": ("choice", ("second", "line")),
        "C": ("store", ("store",)),
    }
    assert [(each.source, each.target, each.label, each.is_dotted) for each in arrows] == [
        ("A", "B", (), False),
        ("B", "C", ("so (it) is",), False),
        ("C", "A", ("again",), True),
    ]
    diagrams.lay_out(boxes, arrows)
    assert [arrow.is_back for arrow in arrows] == [False, False, True]
    assert boxes["A"].y < boxes["B"].y < boxes["C"].y


def test_boxes_of_a_row_do_not_overlap() -> None:
    boxes, arrows = diagrams.read_flowchart(
        "flowchart LR\nA --> B[left one]\nA --> C[right one]\nA -- a label --> D[third]"
    )
    for row in diagrams.lay_out(boxes, arrows):
        for left, right in pairwise(row):
            assert left.x + left.width / 2 < right.x - right.width / 2


@pytest.mark.parametrize("text", ["sequenceDiagram\nA->>B: hi", "flowchart LR\nA ==> B", "flowchart LR\nA --> [x]"])
def test_what_a_flowchart_may_not_say_is_an_error(text: str) -> None:
    with pytest.raises(diagrams.DiagramError):
        diagrams.draw(text)
