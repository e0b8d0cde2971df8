"""The page: the first screen and sections in one file that opens from disk; next to it the learners' page."""

import base64
import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import glance
import jinja2
import learn
from figures import Results
from plots import Plot
from table import Column, Table
from words import absent

HERE = Path(__file__).resolve().parent
LINE, MOST_LINES = 120, 3      # letters in a line below a table, and the number of visible lines


@dataclass
class Tabs:
    """Labels and parts, of which one is visible at a time; without a script, and on paper, all are."""
    label: str
    tabs: list[tuple[str, list[Any]]]
    kind: str = ""

    @property
    def parts(self) -> list[Any]:
        return [part for _, some in self.tabs for part in some]


@dataclass
class Fold:
    title: str
    parts: list[Any]
    on_paper: bool = True


@dataclass
class Facts:
    facts: list[tuple[str, list[str]]]


@dataclass
class Section:
    id: str
    heading: str
    parts: list[Any]        # of these kinds: tables, plots, bars and rooflines
    empty: str = ""         # what would fill it, if that shall be stated
    is_always: bool = True  # whether it is stated even if there is nothing at all


def flat(parts: list[Any]) -> Iterator[Any]:
    """All parts, those within tabs, folds and charts included."""
    for part in parts:
        if isinstance(part, (Tabs, Fold)):
            yield from flat(part.parts)
        else:
            yield part
            yield from getattr(part, "plots", [])


@dataclass
class Shown:
    """Data for the template: only what the page shows."""
    kind: str
    part: Any
    parts: list["Shown"] = field(default_factory=list)


def shown(parts: list[Any], with_plots: bool) -> list[Shown]:
    made = []
    for part in parts:
        if isinstance(part, Tabs):
            tabs = [Shown("tab", label, some) for label, inside in part.tabs if (some := shown(inside, with_plots))]
            made += [Shown("tabs", part, tabs)] if tabs else []
        elif isinstance(part, Fold):
            inside = shown(part.parts, with_plots)
            made += [Shown("fold", part, inside)] if inside else []
        elif isinstance(part, Plot):
            made += [Shown("plot", part)] if with_plots and part.on_page else []
        elif isinstance(part, Table):
            made += [Shown("table", part)] if part and part.section != "files" else []
        else:
            made.append(Shown(type(part).__name__.lower(), part, shown(getattr(part, "plots", []), with_plots)))
    return made


def remarks(table: Table) -> tuple[list[str], list[str]]:
    """Text below a table, in at most three lines, and the rest, which is folded."""
    left_out = len(table.frame) - len(rows_of(table))
    rest = f"{left_out} rows without a measured run are only in tables/{table.id}.csv." if left_out else ""
    texts = [text for text in [table.caption, rest, *table.notes, table.source and f"Published: {table.source}."]
             if text]
    left, seen = MOST_LINES, []
    while texts and (need := -(-len(texts[0]) // LINE)) <= left:
        left -= need
        seen.append(texts.pop(0))
    return seen, texts


def page_columns(table: Table) -> list[Column]:
    """Columns shown separately: the page is narrower than a table of all columns."""
    return [c for c in table.columns if not any(c.under == other.key for other in table.columns)]


def below(table: Table, column: Column, row: Any) -> str:
    """The small text below a figure."""
    under = [f"{c.text(row[c.key])} {c.title}" if c.number else c.text(row[c.key]) for c in table.columns
             if c.under == column.key and not absent(row[c.key]) and row[c.key] != ""]
    note = row[column.note] if column.note else ""
    return ", ".join([note] * bool(note) + under)


def cell(table: Table, column: Column, row: Any) -> dict[str, Any]:
    """A cell for the template: text, small text below, sort key and style."""
    value, text, note = row[column.key], column.text(row[column.key]), below(table, column, row)
    number = isinstance(value, (int, float)) and value == value
    return {"text": text, "sort": repr(float(value)) if number else "", "note": note,
            "title": value if isinstance(value, str) and value and value != text else "",
            "kind": " ".join(kind for kind, holds in (("n", column.number), ("wide", column.wide),
                                                      ("note", len(note) > 20),
                                                      ("right", value == "right"), ("bad", value == "WRONG")) if holds)}


def rows_of(table: Table) -> list[dict[str, Any]]:
    frame = table.frame
    if table.needs in frame and frame[table.needs].notna().any():
        frame = frame[frame[table.needs].notna()]
    return [{"id": row.get("id", ""), "cells": [cell(table, c, row) for c in page_columns(table)],
             "details": row.get("details"), "choose": {key: row[key] for _, key in table.filters}}
            for row in frame.to_dict("records")]


def choices(table: Table) -> list[tuple[str, str, list[str]]]:
    return [(label, key, values) for label, key in table.filters
            if len(values := list(dict.fromkeys(table.frame[key]))) > 1]


def source(svg: str) -> str:
    """The SVG as a separate image, so that its ids and styles cannot clash with the page's."""
    return "data:image/svg+xml;base64," + base64.b64encode(svg.encode()).decode()


def write(out: Path, names: list[str], sections: list[Section], with_plots: bool, given: dict[str, Any]) -> None:
    """Pages of the templates NAME.html.jinja; `given`: data of each besides the sections."""
    text = {name: (HERE / name).read_text(encoding="utf-8") for name in ("page.css", "early.js", "page.js")}
    hashes = " ".join(f"'sha256-{base64.b64encode(hashlib.sha256(text[name].encode()).digest()).decode()}'"
                      for name in ("early.js", "page.js"))
    environment = jinja2.Environment(loader=jinja2.FileSystemLoader(HERE), autoescape=True, trim_blocks=True,
                                     lstrip_blocks=True)
    given |= {"sections": [(section, made) for section in sections if (made := shown(section.parts, with_plots))
                           or section.empty and section.is_always],
        "glance": glance, "text": text, "hashes": hashes, "rows_of": rows_of, "page_columns": page_columns, "choices": choices, "remarks": remarks, "source": source,
        "json": lambda data: json.dumps(data, allow_nan=False),
        "made": f"{datetime.now(timezone.utc):%Y-%m-%d %H:%M} UTC"}
    (out / "learn.html").unlink(missing_ok=True)
    for name in names:
        part = out / f"{name}.part"
        part.write_text(environment.get_template(f"{name}.html.jinja").render(given).lstrip(), encoding="utf-8")
        part.replace(out / f"{name}.html")


def first_screen(results: Results) -> dict[str, Any]:
    """Data of the report besides its sections; with lessons if there are any."""
    return {"lessons": learn.lessons(results.runs), "wrong": results.runs[results.runs["status"] == "wrong"],
            "unit": next((unit for unit, over in (("same", "like_for_like"), ("textbook", "textbook"))
                          if results.runs[f"speed_up_over_{over}"].notna().any()), "rate")}
