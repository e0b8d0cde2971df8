"""Reads what `boltzmark figures` wrote: figures.csv, peaks.csv, columns.json, which says what their columns hold, and
complaints.txt. What is broken is named in one line and left out."""

import csv
import json
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pandas
from table import Table, tables_in
from words import absent, model_text, problem_text

@dataclass
class Results:
    """All figures of one results folder."""
    folder: Path
    runs: pandas.DataFrame      # figures.csv without what a tuner tried
    tuning: pandas.DataFrame
    peaks: pandas.DataFrame
    complaints: list[str] = field(default_factory=list)
    overview: dict[str, Any] = field(default_factory=dict)      # the first screen
    tables: list[Table] = field(default_factory=list)           # that C++ made
    facts: list[tuple[str, list[str]]] = field(default_factory=list)    # of machine and build: names and texts

    def of_section(self, name: str) -> list[Table]:
        return [table for table in self.tables if table.section == name]

    def right(self) -> pandas.DataFrame:
        return self.runs[self.runs["status"] == "ok"]


def vector_length(settings: dict[str, Any]) -> Any:
    """None where a model says nothing of it; two older names of the setting."""
    return settings.get("vvl", settings.get("vector_lanes", settings.get("vector_width")))


def complain(complaints: list[str], line: str) -> None:
    complaints.append(line)
    print(f"boltzmark: {line}", file=sys.stderr)


def columns_of(file: Path) -> dict[str, str]:
    """Name and type of each column, as columns.json beside the file declares them: text, number, flag, list or object."""
    declared = json.loads((file.parent / "columns.json").read_text(encoding="utf-8"))
    return {column["name"]: column["type"] for column in declared.get(file.name, [])}


def read_table(file: Path, complaints: list[str]) -> pandas.DataFrame:
    """Rows of a CSV file whose numbers are numbers; cells of broken rows would stand in the wrong columns."""
    columns = columns_of(file)
    if not file.exists():
        return pandas.DataFrame(columns=[*columns])
    with file.open(newline="", encoding="utf-8", errors="replace") as text:
        reader = csv.reader(line.replace("\0", "") for line in text)
        header, rows, lines = next(reader, []), [], []
        for cells in reader:
            if len(cells) == len(header):
                rows.append(cells)
                lines.append(reader.line_num)
            elif cells:
                complain(complaints, f"{file.name}:{reader.line_num}: expected {len(header)} cells, found {len(cells)}; "
                                     "left out")
    for name in columns:
        if name not in header:
            complain(complaints, f"{file.name}: no column {name}; the report goes without it")
    frame = pandas.DataFrame(rows, columns=header, index=lines, dtype=object)
    frame = frame.loc[:, ~frame.columns.duplicated()].reindex(columns=list(dict.fromkeys([*header, *columns])))

    def typed(cells: pandas.Series) -> pandas.Series:
        kind = columns.get(cells.name)
        if kind == "flag":
            return cells == "true"
        if kind in EMPTY:
            return pandas.Series([from_json(cell, EMPTY[kind]) for cell in cells], cells.index, object)
        if kind != "number":
            return cells.astype(object).fillna("")
        values = pandas.to_numeric(cells, errors="coerce")
        for line, cell in cells[values.isna() & ~cells.map(absent)].items():
            complain(complaints, f"{file.name}:{line}: {cells.name}: expected a number, found {json.dumps(cell[:40])}; "
                                 "left out")
        return values

    # All columns at once: a hundred that are set one by one leave a frame in as many pieces.
    return pandas.DataFrame({name: typed(frame[name]) for name in frame.columns}, index=frame.index)


def intervals(runs: pandas.DataFrame) -> dict[str, pandas.Series]:
    """NAME_low and NAME_high of what has whiskers: ends of the median's interval over the rounds, none of one round."""
    runs = runs.where(runs["rounds"] > 1)
    found = {"seconds_low": runs["seconds_low"], "seconds_high": runs["seconds_high"]}
    for end, other, ratio_end in (("low", "high", "min"), ("high", "low", "max")):
        found |= {f"{rate}_{end}": runs[rate] * runs["seconds_median"] / runs[f"seconds_{other}"]
                  for rate in ("rate", "gb_per_s", "gflop_per_s")}
        found |= {f"{ratio}_{end}": runs[f"{ratio}_{ratio_end}"]
                  for ratio in ("speed_up_over_textbook", "speed_up_over_like_for_like")}
    return found


EMPTY: dict[str, Any] = {"list": [], "object": {}}


def from_json(cell: Any, empty: Any) -> Any:
    try:
        value = json.loads(cell)
    except (TypeError, ValueError):
        return empty
    return value if isinstance(value, type(empty)) else empty


def read_results(results: Path, folder: Path | None = None) -> Results:
    """`folder` has figures.csv and the other files where they are not in the results themselves."""
    folder = folder or results
    complaints: list[str] = []
    runs = read_table(folder / "figures.csv", complaints)
    unnamed = (runs["workload"] == "") | (runs["model"] == "") | (runs["status"] == "")
    for line in runs.index[unnamed]:
        complain(complaints, f"figures.csv:{line}: expected workload, model and status, found an empty cell; left out")
    runs = runs[~unnamed].reset_index(drop=True)
    runs["name"] = (runs["variant"] + " " + runs["setting"]).str.strip()
    runs["who"] = (runs["model"].map(model_text) + " " + runs["name"]).str.strip()
    runs["is_noisy"] = runs["notes"].str.contains("noisy")
    runs = runs.assign(**intervals(runs))
    # Where FLOPs cannot be measured, of those that the algorithm counts.
    runs["measured_flop_per_byte"] = (runs["measured_flops_per_update"].fillna(runs["flops_per_update"])
                                      / runs["measured_bytes_per_update"])
    runs["id"] = [f"run-{i + 1}" for i in runs.index]
    peaks = read_table(folder / "peaks.csv", complaints)
    said = folder / "complaints.txt"
    if said.exists():
        complaints += [line for line in said.read_text(encoding="utf-8", errors="replace").splitlines() if line.strip()]
    tried = runs["source"] == "tuning"
    tables = json.loads((folder / "tables.json").read_text(encoding="utf-8"))
    return Results(results, runs[~tried], runs[tried].assign(id=""), peaks, complaints, tables["overview"],
                   [*tables_in(folder / "tables.json").values()], tables["facts"])


def cases(frame: pandas.DataFrame) -> list[tuple[tuple[str, Any, str], pandas.DataFrame]]:
    """Rows of the same work: by case, steps and precision, in the order of the file."""
    return list(frame.groupby(["case", "steps", "precision"], sort=False, dropna=False))


def case_text(case: str, steps: Any, precision: str) -> str:
    """"128 x 128, 40000 steps, f32"; a workload without time steps has one."""
    return ", ".join([problem_text(case), *([f"{steps:.0f} steps"] if steps == steps and steps > 1 else []), precision])


def cells_of(frame: pandas.DataFrame) -> pandas.Series:
    """How large each row's case is."""
    return frame["elements"].fillna(frame["nx"] * frame["ny"].fillna(1) * frame["nz"].fillna(1))
