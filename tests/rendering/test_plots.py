"""Plots: SVG that says in text what it shows, in both languages, without scripts, the same each time."""

from __future__ import annotations

import re
from itertools import pairwise
from xml.etree import ElementTree

import pytest

from referee.engine.rulebook.book import LANGUAGES, Clause
from referee.rendering.plots import figures
from referee.rendering.plots.drawing import STYLE, Plot
from referee.rendering.plots.figures import ClauseCounts, RatedName
from referee.rendering.plots.shapes import list_places, list_ticks

SVG = "{http://www.w3.org/2000/svg}"
COUNTS = (7, 9, 12, 6, 8, 8)
PEOPLE = [RatedName("Ada", 31.25, 1.0), RatedName("</text><script>x()</script>\u202e\ufffe", 20.0, 4.0)]
BOOKS = [ClauseCounts("Munchkin", 200, 10, 12, 0, 0), ClauseCounts("Mau-Mau", 30, 2, 0, 1, 4)]
COSTS = {"move": 0.9, "situation": 0.25}, {"move": 0.75, "situation": 0.25}


def draw_all(lang: str) -> dict[str, Plot]:
    return {
        "ratings": figures.plot_ratings(PEOPLE, lang),
        "dice": figures.plot_dice(COUNTS, lang),
        "coverage": figures.plot_coverage(BOOKS, lang),
        "costs": figures.plot_costs(*COSTS, 1.7, lang),
        "recorded costs": figures.plot_recorded_costs(COSTS[1], lang),
        "no dice": figures.plot_dice((), lang),
        "no ratings": figures.plot_ratings((), lang),
    }


def read_texts(plot: Plot) -> list[str]:
    return [str(each.text) for each in ElementTree.fromstring(plot.to_file()).iter(f"{SVG}text")]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_plot_is_a_file_that_stands_alone_and_runs_nothing(lang: str) -> None:
    for name, plot in draw_all(lang).items():
        root = ElementTree.fromstring(plot.to_file())
        tags = {each.tag.removeprefix(SVG) for each in root.iter()}
        assert tags <= {"svg", "style", "title", "desc", "g", "path", "rect", "circle", "text"}, name
        assert not [
            each for each in root.iter() for key in each.attrib if key in ("style", "id") or key.startswith("on")
        ]
        assert root.findtext(f"{SVG}style") == STYLE.read_text("utf-8")
        assert root.findtext(f"{SVG}title")
        assert root.findtext(f"{SVG}desc"), name
        assert "{" not in plot.svg
        assert "http" not in plot.svg


def test_the_description_and_the_rows_say_the_figures() -> None:
    german, english = draw_all("de"), draw_all("en")
    assert "31,3 ± 3" in german["ratings"].svg or "31,2 ± 3" in german["ratings"].svg
    assert {"Ada", "25", "Stärke μ ± 3 σ"} <= set(read_texts(german["ratings"]))
    assert "3: 12-mal" in german["dice"].svg
    assert {"8,3", "Würfe", "6"} <= set(read_texts(german["dice"]))
    assert "face 3: 12 times" in english["dice"].svg
    of_mau_mau = "30 tested, named in rulings or events, 2 tested, kept by construction, 1 seen to by the players"
    assert f"Mau-Mau: {of_mau_mau}, 4 not tested." in english["coverage"].svg
    assert "move: 120 % of 0.750 turns" in english["costs"].svg
    assert {"170", "0"} <= set(read_texts(english["costs"]))
    assert read_texts(english["no dice"])[-1] == "No dice were reported."


def test_a_plot_that_is_drawn_again_is_the_same_to_the_byte() -> None:
    assert figures.plot_dice(COUNTS, "de").to_file() == figures.plot_dice(COUNTS, "de").to_file()


def test_every_clause_is_counted_once() -> None:
    says = {"en": "…", "de": "…"}
    flags = {"A-1": {}, "A-2": {"by_construction": True}, "A-3": {}, "A-4": {"players_duty": True}, "A-5": {}}
    clauses = {name: Clause(name, says, **more) for name, more in flags.items()}
    assert figures.count_clauses("A", clauses, {"A-1", "A-2", "A-3"}, {"A-3"}) == ClauseCounts("A", 1, 1, 1, 1, 1)


def test_columns_are_as_high_as_their_counts() -> None:
    root = ElementTree.fromstring(draw_all("en")["dice"].to_file())
    heights = [float(each.get("height", 0)) for each in root.iter(f"{SVG}rect") if "rect" in each.get("class", "")]
    assert [round(height / heights[2] * 12) for height in heights] == list(COUNTS)


def test_names_of_people_stay_text() -> None:
    names = read_texts(draw_all("en")["ratings"])
    assert any(name.startswith("</text><script>x()") for name in names)
    assert "\u202e" not in draw_all("en")["ratings"].svg
    assert "\ufffe" not in draw_all("en")["ratings"].svg


@pytest.mark.parametrize("name", ["W" * 40, "MAXIMILIAN SCHMIDT", "王小明", "王" * 20, "😀" * 5, "Ada", "i" * 40])
def test_wide_names_have_room_beside_their_rows(name: str) -> None:
    shown = figures.plot_ratings([figures.RatedName(name, 25.0, 2.0)], "en", 360).svg
    label = re.search(rf'<text x="([-.0-9]+)"[^>]*>({re.escape(name[0])}[^<]*)</text>', shown)
    moved = re.search(r'transform="translate\(([0-9.]+)', shown)
    assert label is not None
    assert moved is not None
    right = float(moved[1]) + float(label[1])
    em = 13 * 0.6
    widest = sum(1.7 if ord(each) > 0x2E80 or each in "W…" else 1.15 if each.isupper() else 1 for each in label[2])
    assert right >= widest * em, "its beginning is cut off"
    assert right < 200, "nothing is left for the figures"


def test_a_plot_in_a_page_brings_no_style_and_no_namespace() -> None:
    embedded = draw_all("en")["dice"].embed()
    assert embedded.startswith("<svg class=")
    assert "<style" not in embedded


def test_every_class_of_a_plot_that_colours_is_in_the_style() -> None:
    style = STYLE.read_text("utf-8")
    used = {name for plot in draw_all("en").values() for found in re.findall(r'class="series [^"]*"', plot.svg)
            for name in found[7:-1].split() if not name.startswith("serie")}  # fmt: skip
    assert used == {"value", "interval", "good", "pale", "weak", "dead", "bad"}
    assert {name for name in used if not re.search(rf"[.]{name}\b", style)} == {"value"}, (
        "which has the colour of every series"
    )


@pytest.mark.parametrize(
    ("low", "high"), [(0, 1), (0, 7), (17.2, 32.5), (-4.1, 60), (0, 1234), (0.31, 0.69), (0, 1e-3)]
)
def test_ticks_are_round_few_and_hold_all_values(low: float, high: float) -> None:
    ticks = list_ticks(low, high, 6)
    assert ticks[0] <= low < high <= ticks[-1]
    assert 2 <= len(ticks) <= 7
    steps = {round(second - first, 9) for first, second in pairwise(ticks)}
    assert len(steps) == 1
    assert f"{steps.pop():e}"[0] in "125"


def test_the_number_of_a_mark_has_room() -> None:
    places = [place["value"] for place in list_places([0, 10, 20, 30, 40], str, 25, 0.6)]
    assert places == [0, 10, 25, 40]
    assert [place["value"] for place in list_places([0, 5, 10], str, 8.3, 0.3)] == [0, 5, 8.3, 10]


def test_every_word_is_there_in_both_languages() -> None:
    assert all(set(texts) == set(LANGUAGES) and all(texts.values()) for texts in figures.WORDS.values())
