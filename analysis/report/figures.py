"""Reads what `boltzmark figures` wrote: figures.csv, peaks.csv and complaints.txt. What is broken is named in one line
and left out."""

import csv
import json
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pandas
from words import absent, limit_text, model_text, problem_text

# All other columns hold numbers. `boltzmark figures --describe` says what each means.
FIGURE_TEXTS = """
    source workload model variant role part precision case case_digest setting tuned work_group_asked build launcher
    device device_type driver status reason rate_unit update peaks_of roof operation bound why behind weak_line
    workers_unit check checked deviation_at date version revision compiler flags host cpu system command notes
    why_no_joules why_not_measured""".split()
FIGURE_FLAGS = ["passed", "best_of_model"]
FIGURE_JSON = {"options": [], "settings": {}, "deviations": {}, "metrics": {}, "seconds": [], "environment": {}}
FIGURE_NUMBERS = """
    nx ny nz elements steps threads ranks workers rounds repeats seconds_median seconds_min seconds_max seconds_low
    seconds_high repeats_left_out repeats_disturbed measured_bytes_per_update measured_flops_per_update rate rate_min
    rate_max updates bytes_per_update flops_per_update conventional_flops_per_update bytes_held steps_per_launch joules
    watts updates_per_joule gb_per_s gb_per_s_min gb_per_s_max gflop_per_s
    gflop_per_s_min gflop_per_s_max conventional_gflop_per_s flop_per_byte conventional_flop_per_byte roof_gb_per_s
    share_of_roof stream_triad_gb_per_s share_of_stream_triad peak_gflop_per_s share_of_peak ridge_flop_per_byte
    operations_per_update peak_gop_per_s share_of_operation
    share_of_best launches waits speed_up_over_textbook speed_up_over_textbook_min speed_up_over_textbook_max
    speed_up_over_like_for_like speed_up_over_like_for_like_min speed_up_over_like_for_like_max strong_speed_up
    strong_efficiency strong_serial_share strong_fit_residual strong_fit_speed_up weak_speed_up weak_efficiency
    weak_serial_share weak_fit_residual weak_fit_speed_up speed_up_over_build halo_share halo_share_most portability
    portability_devices deviation cores""".split()
PEAK_TEXTS = "of type kind level pattern precision operation fma unit text date host compiler flags revision".split()
PEAK_NUMBERS = """
    vector_bits cores roof median min max from_bytes to_bytes clock_ghz expected_gflop_per_s messages
    gb_per_s""".split()


@dataclass
class Results:
    """All figures of one results folder."""
    folder: Path
    runs: pandas.DataFrame      # figures.csv without what a tuner tried
    tuning: pandas.DataFrame
    peaks: pandas.DataFrame
    complaints: list[str] = field(default_factory=list)

    def right(self) -> pandas.DataFrame:
        return self.runs[self.runs["status"] == "ok"]

    def configurations(self) -> pandas.DataFrame:
        """A row per run, where a run of several parts has one for each."""
        return self.runs.drop_duplicates(["workload", "model", "name", "case", "precision", "steps", "device",
                                          "threads", "ranks"])


def vector_length(settings: dict[str, Any]) -> Any:
    """None where a model says nothing of it; two older names of the setting."""
    return settings.get("vvl", settings.get("vector_lanes", settings.get("vector_width")))


def complain(complaints: list[str], line: str) -> None:
    complaints.append(line)
    print(f"boltzmark: {line}", file=sys.stderr)


def read_table(file: Path, texts: list[str], numbers: list[str], flags: list[str],
               complaints: list[str]) -> pandas.DataFrame:
    """Rows of a CSV file whose numbers are numbers; cells of broken rows would stand in the wrong columns."""
    columns = [*texts, *numbers, *flags]
    if not file.exists():
        return pandas.DataFrame(columns=columns)
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
        if cells.name in flags:
            return cells == "true"
        if cells.name in texts:
            return cells.astype(object).fillna("")
        if cells.name not in numbers:
            return cells
        values = pandas.to_numeric(cells, errors="coerce")
        for line, cell in cells[values.isna() & ~cells.map(absent)].items():
            complain(complaints, f"{file.name}:{line}: {cells.name}: expected a number, found {json.dumps(cell[:40])}; "
                                 "left out")
        return values

    # All columns at once: a hundred that are set one by one leave a frame in as many pieces.
    return pandas.DataFrame({name: typed(frame[name]) for name in frame.columns}, index=frame.index)


def from_json(cell: Any, empty: Any) -> Any:
    try:
        value = json.loads(cell)
    except (TypeError, ValueError):
        return empty
    return value if isinstance(value, type(empty)) else empty


def read_results(results: Path, folder: Path | None = None) -> Results:
    """`folder` has figures.csv, peaks.csv and complaints.txt where they are not in the results themselves."""
    folder = folder or results
    complaints: list[str] = []
    texts = [*FIGURE_TEXTS, *FIGURE_JSON]
    runs = read_table(folder / "figures.csv", texts, FIGURE_NUMBERS, FIGURE_FLAGS, complaints)
    for name, empty in FIGURE_JSON.items():
        runs[name] = [from_json(cell, empty) for cell in runs[name]]
    unnamed = (runs["workload"] == "") | (runs["model"] == "") | (runs["status"] == "")
    for line in runs.index[unnamed]:
        complain(complaints, f"figures.csv:{line}: expected workload, model and status, found an empty cell; left out")
    runs = runs[~unnamed].reset_index(drop=True)
    runs["name"] = (runs["variant"] + " " + runs["setting"]).str.strip()
    runs["who"] = (runs["model"].map(model_text) + " " + runs["name"]).str.strip()
    runs["bound"] = runs["bound"].map(limit_text)
    runs["is_noisy"] = runs["notes"].str.contains("measure again|noisy")
    # Where FLOPs cannot be measured, of those that the algorithm counts.
    runs["measured_flop_per_byte"] = (runs["measured_flops_per_update"].fillna(runs["flops_per_update"])
                                      / runs["measured_bytes_per_update"])
    runs["id"] = [f"run-{i + 1}" for i in runs.index]
    peaks = read_table(folder / "peaks.csv", PEAK_TEXTS, PEAK_NUMBERS, ["is_roof"], complaints)
    said = folder / "complaints.txt"
    if said.exists():
        complaints += [line for line in said.read_text(encoding="utf-8", errors="replace").splitlines() if line.strip()]
    tried = runs["source"] == "tuning"
    return Results(results, runs[~tried], runs[tried].assign(id=""), peaks, complaints)


def cases(frame: pandas.DataFrame) -> list[tuple[tuple[str, Any, str], pandas.DataFrame]]:
    """Rows of the same work: by case, steps and precision, in the order of the file."""
    return list(frame.groupby(["case", "steps", "precision"], sort=False, dropna=False))


def case_text(case: str, steps: Any, precision: str) -> str:
    """"128 x 128, 40000 steps, f32"; a workload without time steps has one."""
    return ", ".join([problem_text(case), *([f"{steps:.0f} steps"] if steps == steps and steps > 1 else []), precision])


def workers_text(row: Any) -> str:
    """Ranks x threads; a device that decides by itself has no threads to count."""
    ranks, threads = int(row["ranks"] if row["ranks"] == row["ranks"] else 1), row["threads"]
    if threads == threads and threads > 0:
        return f"{max(1, ranks)} \u00d7 {threads:.0f}"
    return f"{ranks} ranks" if ranks > 1 else ""


def cells_of(frame: pandas.DataFrame) -> pandas.Series:
    """How large each row's case is."""
    return frame["elements"].fillna(frame["nx"] * frame["ny"].fillna(1) * frame["nz"].fillna(1))
