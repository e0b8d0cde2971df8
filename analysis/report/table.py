"""A table: a data frame and the formats of its columns, in Markdown, CSV, LaTeX and on the page."""

import json
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pandas
from words import NONE, absent

LATEX_COLUMN = 62       # letters in a line of a table in a column of a paper


@dataclass
class Column:
    header: str                  # newlines at possible breaks
    key: str                     # of the frame
    texts: dict[Any, str]        # of each value
    note: str = ""               # key of the small text below the figure
    wide: bool = False           # prose, which wraps
    under: str = ""              # key of the column below whose figures the page shows it, small, if that column exists
    number: bool = False         # whether it is right-aligned

    def text(self, value: Any) -> str:
        return self.texts.get(value, NONE)

    @property
    def title(self) -> str:
        return self.header.replace("-\n", "").replace("\n", " ")


def behind(note: str) -> str:
    """A mark after a figure, words in brackets."""
    return note and (f" ({note})" if note[0] not in "!\u00b1" else " " * (note[0] == "\u00b1") + note)


@dataclass
class Table:
    id: str
    title: str
    frame: Any                  # a list of rows, from which a data frame is made with the columns' keys
    columns: list[Column]
    caption: str = ""
    notes: list[str] = field(default_factory=list)
    source: str = ""
    filters: list[tuple[str, str]] = field(default_factory=list)    # label and key
    unit: str = "row"
    section: str = ""            # its place on the page; "files": only in files
    needs: str = ""              # rows without this figure are only in files, if any row has it

    def __post_init__(self) -> None:
        self.id = re.sub(r"[^\w.-]+", "-", self.id)  # file name; workloads of foreign records may be any text
        texts = [*(c.note for c in self.columns if c.note), *(key for _, key in self.filters), "id"]
        keys = dict.fromkeys([*(c.key for c in self.columns), *texts, "details"])
        self.frame = pandas.DataFrame({key: [row.get(key, "" if key in texts else None) for row in self.frame]
                                       for key in keys})
        # Missing texts stay None: from pandas 3 on a column of texts would turn them into NaN.
        texts = {name: pandas.Series([None if absent(text) else text for text in cells], cells.index, object)
                 for name, cells in self.frame.items() if isinstance(cells.dtype, pandas.StringDtype)}
        self.frame = self.frame.assign(**texts)

    def __bool__(self) -> bool:
        return len(self.frame) > 0

    def texts(self) -> pandas.DataFrame:
        """The cells' texts, followed by the text below each."""
        frame = pandas.DataFrame(index=self.frame.index)
        for column in self.columns:
            cells = self.frame[column.key].map(column.text)
            if column.note:
                cells += self.frame[column.note].map(behind)
            frame[column.title] = cells
        return frame

    def markdown(self) -> str:
        def plain(text: Any) -> str:
            return re.sub(r"([|<>\\`*\[\]])", r"\\\1", " ".join(str(text).split()))

        def line(cells: Any) -> str:
            return "| " + " | ".join(map(plain, cells)) + " |\n"
        texts = self.texts()
        rule = "| " + " | ".join("---:" if c.number else "---" for c in self.columns) + " |\n"
        body = "".join(line(row) for row in texts.itertuples(index=False))
        notes = "".join(f"- {note}\n" for note in self.notes)
        parts = [f"## {plain(self.title)}\n", self.caption and f"{self.caption}\n", line(texts.columns) + rule + body, notes,
                 self.source and f"Published figures: {self.source}.\n"]
        return "\n".join(part for part in parts if part)

    def latex(self) -> str:
        title = re.sub(r"^(Table|Fig\.) \w+\. ", "", self.title)      # LaTeX numbers it; the source's number follows
        caption = " ".join(part for part in (f"{title}.", self.caption, self.source
                                             and f"Published figures: {self.source}.") if part)
        texts = self.texts()
        wide = sum(map(max, zip(*([len(text) + 2 for text in line] for line in [texts.columns, *texts.to_numpy()]))))
        # Across both columns of a page if one is too narrow to read.
        place = "table*" if wide > LATEX_COLUMN else "table"
        texts = texts.apply(lambda column: column.map(latex_text)).rename(columns=latex_text).reset_index(drop=True)
        body = texts.style.hide(axis="index").to_latex(hrules=True, column_format="".join("r" if c.number else "l"
                                                           for c in self.columns))
        notes = "".join(f"    \\item {latex_text(note)}\n" for note in self.notes)
        return (f"% needs \\usepackage{{booktabs,graphicx}}\n\\begin{{{place}}}\n  \\centering\n"
                f"  \\caption{{{latex_text(caption)}}}\n  \\label{{tab:{self.id}}}\n  \\footnotesize\n"
                "  \\resizebox{\\ifdim\\width>\\linewidth\\linewidth\\else\\width\\fi}{!}{%\n" + body + "  }\n"
                + (f"  \\begin{{itemize}}\n{notes}  \\end{{itemize}}\n" if notes else "") + f"\\end{{{place}}}\n")

    def write(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        values = self.frame[[c.key for c in self.columns]].set_axis([c.title for c in self.columns], axis=1)
        values.to_csv(folder / f"{self.id}.csv", index=False, float_format="%.9g")
        (folder / f"{self.id}.md").write_text(self.markdown(), encoding="utf-8")
        (folder / f"{self.id}.tex").write_text(self.latex(), encoding="utf-8")


def tables_in(file: Path) -> dict[str, Table]:
    """Tables made in C++, by their ids."""
    return {one["id"]: Table(one["id"], one["title"], one["rows"], [
                Column(column["header"], column["key"],
                       dict(zip([row.get(column["key"]) for row in one["rows"]], column["texts"])), column["note"],
                       column["is_wide"], column["under"], column["is_number"]) for column in one["columns"]],
                one["caption"], one["notes"], one["source"], [tuple(choice) for choice in one["filters"]],
                one["unit"], one["section"], one["needs"])
            for one in json.loads(file.read_text(encoding="utf-8")).get("tables", [])}


def latex_text(text: str) -> str:
    """Plain text for LaTeX; "--" stays two dashes."""
    special = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "--": "-{}-",
               "\u00d7": r"$\times$", "\u00b1": r"$\pm$",
               "\u2013": "--", "\u00a0": "~", "\u202f": r"\,", "\u2026": r"\ldots{}", "<": r"\textless{}",
               ">": r"\textgreater{}", "|": r"\textbar{}", '"': "''", **{c: "\\" + c for c in "&%$#_{}"}}
    text = re.sub(r'"([^"]*)"', "``\\1''", text)      # quotation marks in pairs
    return re.sub("|".join(map(re.escape, sorted(special, key=len, reverse=True))), lambda m: special[m[0]], text)
