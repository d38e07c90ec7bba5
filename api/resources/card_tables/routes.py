"""Routes to read what a table of cards may say, and to check one."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

import orjson
from flask import Response, request

from api.http.encoding.languages import negotiate_language
from api.http.endpoint import Endpoint, EndpointBlueprint
from api.http.raw_bodies import read_raw_body
from api.http.responses import json_response
from api.resources.card_books.routes import require_book_game
from api.resources.card_tables import schemas as shapes
from api.resources.games.routes import GAME_PATH
from referee.cardscript.books.files import MAX_BOOK_BYTES
from referee.cardscript.sheets.assessment import Assessment
from referee.cardscript.sheets.catalog import BoxPart, Catalog, load_catalog
from referee.cardscript.sheets.from_book import open_book
from referee.cardscript.sheets.layout import Grid, TableProblem, find_heading
from referee.cardscript.sheets.wording import Blank
from referee.engine.rulebook.book import LANGUAGES, Text
from referee.engine.rulings import MAX_ERRORS
from referee.games.card_tables import check_table
from referee.infrastructure.spreadsheets.reading import MAX_FILE_BYTES, SpreadsheetError, read_spreadsheet
from referee.rendering.input_errors import render_table_problem

CSV = "text/csv"
SUFFIX_BY_MEDIA_TYPE = {
    CSV: ".csv",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": ".xlsx",
    "application/vnd.oasis.opendocument.spreadsheet": ".ods",
}
BOOK_MEDIA_TYPES = ("application/yaml", "application/x-yaml", "text/yaml")
ONE_DAY = "public, max-age=86400"
blueprint = EndpointBlueprint("card-tables", tag="card-books")


def list_choices(words: Mapping[str, Text]) -> list[dict[str, Any]]:
    """Return words by name and label."""
    return [{"name": name, "label": label} for name, label in words.items()]


def blank_to_dict(blank: Blank) -> dict[str, Any]:
    """Return a blank as data."""
    choices = {name: choice.label for name, choice in blank.choices.items()}
    return {"name": blank.name, "least": blank.least, "most": blank.most, "choices": list_choices(choices)}


def box_part_to_dict(part: BoxPart) -> dict[str, Any]:
    """Return what a box of its own needs as data."""
    return {"label": part.label, "kinds": part.kinds, "least": part.least, "designs": part.are_designs}


def texts_to_dict(texts: Assessment) -> dict[str, Any]:
    """Return what became of the texts of a table as data."""
    return {
        "sentences": texts.sentences,
        "carried_out": texts.carried_out,
        "only_printed": texts.only_printed,
        "free": [
            {
                "row": each.row,
                "column": each.column,
                "text": each.text,
                "only_printed": each.is_only_printed,
                "near": each.near,
            }
            for each in texts.free
        ],
    }


def catalog_to_dict(catalog: Catalog) -> dict[str, Any]:
    """Return a catalog as data."""
    return {
        "game": catalog.game,
        "box": [box_part_to_dict(each) for each in catalog.box],
        "single": catalog.single,
        "kinds": list_choices(catalog.kinds),
        "columns": [
            {
                "name": each.name,
                "label": each.label,
                "form": each.form,
                "kinds": each.kinds,
                "needed": each.needed,
                "words": list_choices(each.words),
            }
            for each in catalog.columns.values()
        ],
        "places": [
            {"name": each.name, "label": each.label, "kinds": each.kinds, "needed": each.needed}
            for each in catalog.places.values()
        ],
        "sentences": [
            {
                "name": each.name,
                "text": {lang: each.wording.show(lang) for lang in LANGUAGES},
                "places": each.places,
                "kinds": each.kinds,
                "blanks": [blank_to_dict(blank) for blank in each.wording.list_blanks("en")],
            }
            for each in catalog.sentences.values()
        ],
    }


@blueprint.declare(
    Endpoint(
        "GET",
        f"{GAME_PATH}/card-form",
        "getCardForm",
        response=(200, shapes.CardFormSchema),
        problems=["unknown-game", "no-card-books"],
        etag=True,
    )
)
def get_card_form(game: str) -> Response:
    """Return what a table of cards may say: kinds, columns, sentences with blanks."""
    body = catalog_to_dict(load_catalog(require_book_game(game).name))
    response = json_response(body)
    response.set_etag(hashlib.sha256(orjson.dumps(body) + negotiate_language().encode()).hexdigest()[:16])
    response.headers["Cache-Control"] = ONE_DAY
    response.make_conditional(request)
    response.headers.pop("Date", None)  # the server dates every answer alike
    return response


@blueprint.declare(
    Endpoint(
        "POST",
        f"{GAME_PATH}/card-tables",
        "checkCardTable",
        text=CSV,
        response=(200, shapes.CheckedTableSchema),
        problems=["unknown-game", "no-card-books", "table-media-type", "table-too-large"],
    )
)
def check_card_table(game: str) -> Response:
    """Turn a table of cards into a card book, and check it.

    Nothing is stored. An XLSX or ODS file is taken as well, under its own media type, and so is a card book
    (`application/yaml`): its cards become rows, each as far as columns and sentences say all of it, else as YAML in the
    column `card`. What is wrong is listed with its row and column.
    """
    chosen = require_book_game(game)
    data = read_raw_body("table", (*SUFFIX_BY_MEDIA_TYPE, *BOOK_MEDIA_TYPES), MAX_FILE_BYTES)
    lang = negotiate_language()
    rows, problems = read_rows(data, chosen.name)
    if not rows:
        errors = [error_to_dict(each, None, lang) for each in problems[:MAX_ERRORS]]
        texts = texts_to_dict(Assessment())
        return json_response({"head": {}, "book": "", "cards": [], "errors": errors, "texts": texts})
    checked = check_table(rows, chosen.name)
    catalog = load_catalog(chosen.name)
    return json_response(
        {
            "head": checked.head,
            "book": checked.text,
            "cards": [{"row": each.row, "cells": each.cells, "card": each.card} for each in checked.cards],
            "errors": [error_to_dict(each, catalog, lang) for each in (*problems, *checked.problems)[:MAX_ERRORS]],
            "texts": texts_to_dict(checked.texts),
        }
    )


def read_rows(data: bytes, game: str) -> tuple[Grid, list[TableProblem]]:
    """Return the rows of a table or a card book, and what is wrong with all of it.

    There are no rows if it cannot be read.
    """
    if request.mimetype not in BOOK_MEDIA_TYPES:
        try:
            return read_spreadsheet(data, SUFFIX_BY_MEDIA_TYPE[request.mimetype]) or [[]], []
        except SpreadsheetError as wrong:
            return [], [TableProblem(wrong.row, "", wrong.detail)]
    if len(data) > MAX_BOOK_BYTES:
        return [], [TableProblem(0, "", f"a book can have at most {MAX_BOOK_BYTES} bytes")]
    try:
        return open_book(data.decode(), game)
    except UnicodeDecodeError:
        return [], [TableProblem(0, "", "what stands here is no UTF-8")]


def error_to_dict(problem: TableProblem, catalog: Catalog | None, lang: str) -> dict[str, Any]:
    """Return what is wrong in a table as data, in a language."""
    return {
        "row": problem.row,
        "column": problem.column,
        "heading": find_heading(catalog, problem.column, lang),
        "detail": render_table_problem(problem, lang),
    }
