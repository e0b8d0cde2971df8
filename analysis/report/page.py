"""The page: sections of tables and plots in one file that opens from disk without network."""

import base64
import hashlib
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import jinja2
import learn
import tables
from figures import Results
from plots import Plot
from table import Column, Table
from words import absent

HERE = Path(__file__).resolve().parent


@dataclass
class Section:
    id: str
    heading: str
    parts: list[Any]     # tables and plots
    empty: str           # what would fill it

    def filled(self, with_plots: bool) -> "Section":
        parts = [part for part in self.parts if (part if isinstance(part, Table) else with_plots or part.data)]
        return Section(self.id, self.heading, parts, self.empty)


def page_columns(table: Table) -> list[Column]:
    """Those with a column of their own: the page is narrower than a table of all of them."""
    return [c for c in table.columns if not any(c.under == other.key for other in table.columns)]


def below(table: Table, column: Column, row: Any) -> str:
    """The small text below a figure."""
    under = [f"{c.text(row[c.key])} {c.title}" if c.number else c.text(row[c.key]) for c in table.columns
             if c.under == column.key and not absent(row[c.key]) and row[c.key] != ""]
    note = row[column.note] if column.note else ""
    return ", ".join([note] * bool(note) + under)


def cell(table: Table, column: Column, row: Any) -> dict[str, Any]:
    """What the template asks for of a cell: text, small text below, what it is sorted by, and its looks."""
    value, text, note = row[column.key], column.text(row[column.key]), below(table, column, row)
    number = isinstance(value, (int, float)) and value == value
    return {"text": text, "sort": repr(float(value)) if number else "", "note": note,
            "title": value if isinstance(value, str) and value and value != text else "",
            "kind": " ".join(kind for kind, holds in (("n", column.number), ("wide", column.wide),
                             ("note", len(note) > 20),
                                                      ("right", column.key == "status" and value == "ok"),
                                                      ("bad", column.key == "status" and value != "ok")) if holds)}


def rows_of(table: Table) -> list[dict[str, Any]]:
    rows = []
    for row in table.frame.to_dict("records"):
        rows.append({"id": row.get("id", ""), "cells": [cell(table, c, row) for c in page_columns(table)],
                     "details": table.details(row) if table.details else None,
                     "choose": {key: row[key] for _, key in table.filters}})
    return rows


def choices(table: Table) -> list[tuple[str, str, list[str]]]:
    return [(label, key, values) for label, key in table.filters
            if len(values := list(dict.fromkeys(table.frame[key]))) > 1]


def source(plot: Plot) -> str:
    """The SVG as an image of its own: its ids and styles cannot clash with the page's."""
    return "data:image/svg+xml;base64," + base64.b64encode(plot.svg.encode()).decode()


def write(file: Path, results: Results, sections: list[Section], with_plots: bool) -> None:
    script = (HERE / "page.js").read_text(encoding="utf-8")
    environment = jinja2.Environment(loader=jinja2.FileSystemLoader(HERE), autoescape=True, trim_blocks=True,
                                     lstrip_blocks=True)
    runs = results.configurations()
    filled = [section.filled(with_plots) for section in sections]
    text = environment.get_template("page.html.jinja").render(
        sections=[s for s in filled if s.parts], empty=[s for s in filled if not s.parts], results=results, runs=runs,
        machine=tables.machine(results), is_table=lambda part: isinstance(part, Table), rows_of=rows_of,
        page_columns=page_columns,
        choices=choices, source=source,
        with_plots=with_plots, lessons=learn.lessons(results.runs), style=(HERE / "page.css").read_text(encoding="utf-8"), script=script,
        script_hash=base64.b64encode(hashlib.sha256(script.encode()).digest()).decode(),
        made=f"{datetime.now(timezone.utc):%Y-%m-%d %H:%M} UTC")
    part = file.with_suffix(".part")
    part.write_text(text, encoding="utf-8")
    part.replace(file)
