"""Reads files that `boltzmark report` has just written: figures.csv, peaks.csv, columns.json (which describes their
columns), tables.json and complaints.txt."""

import json
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pandas
from table import Table, tables_in
from words import model_text, problem_text

@dataclass
class Results:
    """The figures of one results folder."""
    folder: Path
    runs: pandas.DataFrame      # figures.csv without trials of tuners
    tuning: pandas.DataFrame
    peaks: pandas.DataFrame
    complaints: list[str] = field(default_factory=list)
    overview: dict[str, Any] = field(default_factory=dict)      # the first screen
    tables: list[Table] = field(default_factory=list)           # made in C++
    facts: list[tuple[str, list[str]]] = field(default_factory=list)    # of machine and build: names and texts
    sources: list[dict[str, str]] = field(default_factory=list)         # of published figures: ids and citations

    def of_section(self, name: str) -> list[Table]:
        return [table for table in self.tables if table.section == name]

    def right(self) -> pandas.DataFrame:
        return self.runs[self.runs["status"] == "ok"]


EMPTY = {"list": "[]", "object": "{}"}


def complain(complaints: list[str], line: str) -> None:
    complaints.append(line)
    print(f"boltzmark: {line}", file=sys.stderr)


def read_table(file: Path) -> pandas.DataFrame:
    """A table as the driver wrote it, with the types declared in columns.json next to it."""
    declared = json.loads((file.parent / "columns.json").read_text(encoding="utf-8"))[file.name]
    frame = pandas.read_csv(file, dtype=str, keep_default_na=False).astype(object)

    def typed(cells: pandas.Series, kind: str) -> pandas.Series:
        if kind == "number":
            return pandas.to_numeric(cells, errors="coerce")
        if kind in EMPTY:
            return pandas.Series([json.loads(cell or EMPTY[kind]) for cell in cells], cells.index, object)
        return cells == "true" if kind == "flag" else cells

    # All columns at once: setting a hundred one by one fragments the frame.
    return pandas.DataFrame({column["name"]: typed(frame[column["name"]], column["type"]) for column in declared})


def intervals(runs: pandas.DataFrame) -> dict[str, pandas.Series]:
    """NAME_low and NAME_high of figures with whiskers: ends of the median's interval over the rounds; none for one
    round."""
    runs = runs.where(runs["rounds"] > 1)
    found = {"seconds_low": runs["seconds_low"], "seconds_high": runs["seconds_high"]}
    for end, other, ratio_end in (("low", "high", "min"), ("high", "low", "max")):
        found |= {f"{rate}_{end}": runs[rate] * runs["seconds_median"] / runs[f"seconds_{other}"]
                  for rate in ("rate", "gb_per_s", "gflop_per_s")}
        found |= {f"{ratio}_{end}": runs[f"{ratio}_{ratio_end}"]
                  for ratio in ("speed_up_over_textbook", "speed_up_over_like_for_like")}
    return found


def read_results(results: Path, folder: Path | None = None) -> Results:
    """`folder` contains figures.csv and the other files if the results do not."""
    folder = folder or results
    runs = read_table(folder / "figures.csv")
    runs["name"] = (runs["variant"] + " " + runs["setting"]).str.strip()
    runs["who"] = (runs["model"].map(model_text) + " " + runs["name"]).str.strip()
    runs["is_noisy"] = runs["notes"].str.contains("noisy")
    runs = runs.assign(**intervals(runs))
    # If FLOPs cannot be measured, by those that the algorithm counts.
    runs["measured_flop_per_byte"] = (runs["measured_flops_per_update"].fillna(runs["flops_per_update"])
                                      / runs["measured_bytes_per_update"])
    runs["id"] = [f"run-{i + 1}" for i in runs.index]
    peaks = read_table(folder / "peaks.csv")
    said = (folder / "complaints.txt").read_text(encoding="utf-8", errors="replace")
    complaints = [line for line in said.splitlines() if line.strip()]
    tried = runs["source"] == "tuning"
    tables = json.loads((folder / "tables.json").read_text(encoding="utf-8"))
    return Results(results, runs[~tried], runs[tried].assign(id=""), peaks, complaints, tables["overview"],
                   [*tables_in(folder / "tables.json").values()], tables["facts"],
                   tables.get("sources", []))


def cases(frame: pandas.DataFrame) -> list[tuple[tuple[str, Any, str], pandas.DataFrame]]:
    """Rows of the same work: by case, steps and precision, in the order of the file."""
    return list(frame.groupby(["case", "steps", "precision"], sort=False, dropna=False))


def case_text(case: str, steps: Any, precision: str) -> str:
    """"128 x 128, 40000 steps, f32"; a workload without time steps has one."""
    return ", ".join([problem_text(case), *([f"{steps:.0f} steps"] if steps == steps and steps > 1 else []), precision])


def cells_of(frame: pandas.DataFrame) -> pandas.Series:
    """Number of cells of each row's case."""
    return frame["elements"].fillna(frame["nx"] * frame["ny"].fillna(1) * frame["nz"].fillna(1))
