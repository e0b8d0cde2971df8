"""report.json, read and checked. ../report/REPORT.md says what is in it; SHAPE below is the same for the machine."""

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from checked import Above, Bad, Checker, Loose, Maybe, Named, Word, found

FORMAT = 1

RATE = Above(0)
PROVENANCE = {
    "version": str, "revision": str, "compiler": str, "flags": str, "host": str, "cpu": str, "cores": int,
    "system": str, "date": str, "command": str,
}
ROOFLINE_OF_ROW = {
    "bytes_per_update": float, "flops_per_update": float, "gb_per_s": float, "flop_per_byte": float,
    "gflop_per_s": float,
    "conventional": {"flops_per_update": float, "flop_per_byte": float, "gflop_per_s": float},
    "level": Maybe(str), "level_gb_per_s": Maybe(float), "fraction_of_level": Maybe(float),
    "triad_gb_per_s": Maybe(float), "fraction_of_triad": Maybe(float),
    "peak_gflop_per_s": Maybe(float), "fraction_of_peak": Maybe(float), "ridge_flop_per_byte": Maybe(float),
    "bound": str, "why": str,
}
ROW = {
    "id": str, "problem": str, "nx": int, "ny": int, "steps": int, "precision": str,
    "model": str, "variant": str, "setting": str, "device": str, "threads": int, "ranks": int,
    "seconds": [float], "median": Maybe(float), "min": Maybe(float), "max": Maybe(float),
    "mlups": Maybe(float), "gb_per_s": Maybe(float), "speed_ups": [Maybe(float)], "deviation": Maybe(float),
    "status": str, "reason": str, "like_for_like": bool, "best_of_model": bool,
    "roofline": Maybe(ROOFLINE_OF_ROW), "provenance": Maybe(PROVENANCE),
}
KERNEL = {
    "name": str, "gb_per_s": float, "gb_per_s_median": float, "min_seconds": float, "median_seconds": float,
    "max_seconds": float,
}
SHAPE_OF_GROUP = {"x": Above(0), "y": Above(0), "seconds": RATE}
PLOTS = {
    "rooflines": {
        "id": str, "title": str, "precision": str,
        "roofs": [{"label": str, "gb_per_s": RATE, "min": RATE, "max": RATE}],
        "ceilings": [{"label": str, "gflop_per_s": RATE}],
        "ridge": Maybe({"roof": str, "ceiling": str, "flop_per_byte": RATE, "gflop_per_s": RATE}),
        "points": [{"row": str, "model": str, "variant": str, "problem": str, "flop_per_byte": RATE,
                    "gflop_per_s": RATE, "min": RATE, "max": RATE}],
    },
    "speed_ups": {
        "id": str, "problem": str, "nx": int, "ny": int, "steps": int, "precision": str, "over": str,
        "bars": [{"model": str, "variant": str, "device": str, "threads": int, "ranks": int, "value": RATE, "min": RATE,
                  "max": RATE}],
    },
    "optimisation_steps": {
        "id": str, "title": str, "device": str, "problems": [str],
        "steps": [{"name": str, "seconds": Named(RATE), "published": Named(RATE)}],
    },
    "work_groups": {
        "id": str, "title": str, "problem": str, "model": str, "variant": str, "device": str,
        "points": [SHAPE_OF_GROUP], "best": Maybe(SHAPE_OF_GROUP), "worst": Maybe(SHAPE_OF_GROUP),
        "default": Maybe(SHAPE_OF_GROUP),
    },
    "scaling": {
        "id": str, "title": str, "problem": str, "precision": str, "kind": Word("strong", "weak"),
        "series": [{"model": str, "variant": str, "unit": Word("threads", "ranks"),
                    "points": [{"workers": Above(0), "mlups": RATE, "min": RATE, "max": RATE,
                                "halo_share": Maybe(float), "halo_share_most": Maybe(float)}]}],
    },
    "vector_lengths": {
        "id": str, "title": str, "problem": str, "precision": str,
        "series": [{"model": str, "variant": str,
                    "points": [{"lanes": Above(0), "vectors": str, "mlups": RATE, "min": RATE, "max": RATE}]}],
    },
    "average_velocity": {
        "id": str, "problem": str,
        "series": [{"label": str, "steps": [float], "values": [Maybe(float)]}],
    },
    "flow": {
        "id": str, "title": str, "problem": str, "nx": Above(0), "ny": Above(0), "steps": int,
        "columns": Above(0), "rows": Above(0), "file": str,
    },
}
SHAPE = {
    "format": int, "title": str, "generated": str, "results": str,
    "machine": {
        "host": str, "cpu": str, "system": str, "cores": int, "memory_bytes": Maybe(int),
        "caches": [{"name": str, "bytes": int, "instances": int, "cores": int}],
        "devices": [{"name": str, "type": str, "details": str}],
    },
    "build": {"version": str, "revision": str, "compilers": [str]},
    "peaks_date": Maybe(str),
    "complaints": [str],
    "comparison": {"variant": str, "baselines": [str], "rows": Loose(ROW)},
    "not_run": Loose({"model": str, "variant": str, "problem": str, "status": str, "reason": str}),
    "stream": Loose({"model": str, "precision": str, "device": str, "device_type": str, "threads": int,
                     "ranks": int, "elements": int, "passed": bool, "kernels": [KERNEL]}),
    "tables": Loose({"id": str, "title": str, "caption": str, "source": str,
                     "columns": [{"header": str, "align": Word("left", "right")}],
                     "rows": [[str]], "notes": [str]}),
    "plots": {kind: Loose(shape) for kind, shape in PLOTS.items()},
}

# Ids become file names and HTML ids.
SAFE_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")


@dataclass(frozen=True)
class Report:
    """A report that can be drawn."""

    data: dict[str, Any]    # as SHAPE says
    folder: Path            # that files are relative to
    complaints: list[str]   # lines about what was left out of `data`, each with file and place


def read_report(path: Path) -> Report:
    """Reads report.json. Members of lists (a row, a table, a plot) that do not fit are left out with a complaint;
    anything else that does not fit raises Bad."""
    document = parse(path)
    if not isinstance(document, dict):
        raise Bad(f"{path}: expected an object, found {found(document)}")
    version = document.get("format")
    if not isinstance(version, int) or isinstance(version, bool):
        raise Bad(f"{path}: format: expected {FORMAT}, found {found(version)}")
    if version != FORMAT:
        writer = "a newer" if version > FORMAT else "an older"
        raise Bad(f"{path}: format: expected {FORMAT}, found {version}; written by {writer} boltzmark than this one")
    checker = Checker()
    try:
        data = checker.read(document, SHAPE, "")
    except Bad as bad:
        raise Bad(f"{path}: {bad}") from None
    leave_out(data["comparison"]["rows"], "comparison.rows", row_problem(data), checker.complaints)
    leave_out(data["tables"], "tables", table_problem(), checker.complaints)
    plot_problem = Plots(path.parent)
    for kind, plots in data["plots"].items():
        leave_out(plots, f"plots.{kind}", lambda plot: plot_problem(kind, plot), checker.complaints)
    return Report(data, path.parent, [f"{path}: {complaint}" for complaint in checker.complaints])


def parse(path: Path) -> Any:
    """The file as JSON. Raises Bad when it cannot be read."""
    def no_constant(name: str) -> None:
        raise ValueError(f"{name} is not JSON")

    try:
        return json.loads(path.read_text(encoding="utf-8"), parse_constant=no_constant)
    except OSError as error:
        raise Bad(f"{path}: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise Bad(f"{path}: not UTF-8 at byte {error.start}") from None
    except json.JSONDecodeError as error:
        raise Bad(f"{path}:{error.lineno}: not JSON: {error.msg}") from None
    except (ValueError, RecursionError) as error:
        raise Bad(f"{path}: not JSON: {error}") from None


def leave_out(members: list[Any], place: str, problem_of: Any, complaints: list[str]) -> None:
    """Drops the members for which problem_of gives a text, and complains."""
    kept = []
    for member in members:
        problem = problem_of(member)
        if problem:
            complaints.append(f"{place}, id {found(member['id'])}: {problem}; this one is left out")
        else:
            kept.append(member)
    members[:] = kept


class Unique:
    """Says what is wrong with an id: used before, or not fit for a file name."""

    def __init__(self) -> None:
        self.seen: set[str] = set()

    def problem(self, name: str) -> str:
        if not SAFE_ID.fullmatch(name):
            return "an id may only hold letters, digits, '.', '_' and '-'"
        if name in self.seen:
            return "a second one with this id"
        self.seen.add(name)
        return ""


def row_problem(data: dict[str, Any]) -> Any:
    ids, baselines = Unique(), len(data["comparison"]["baselines"])

    def problem(row: dict[str, Any]) -> str:
        if len(row["speed_ups"]) != baselines:
            return f"speed_ups: expected {baselines} as there are baselines, found {len(row['speed_ups'])}"
        return ids.problem(row["id"])

    return problem


def table_problem() -> Any:
    ids = Unique()

    def problem(table: dict[str, Any]) -> str:
        width = len(table["columns"])
        for i, row in enumerate(table["rows"]):
            if len(row) != width:
                return f"rows[{i}]: expected {width} cells as there are columns, found {len(row)}"
        return ids.problem(table["id"])

    return problem


class Plots:
    """What a plot's shape alone does not tell: ids over all kinds, lengths that belong together, the flow's file."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.ids = Unique()

    def __call__(self, kind: str, plot: dict[str, Any]) -> str:
        special = getattr(self, kind, None)
        return self.ids.problem(plot["id"]) or (special(plot) if special else "")

    @staticmethod
    def speed_ups(plot: dict[str, Any]) -> str:
        return "" if plot["bars"] else "bars: expected at least one"

    @staticmethod
    def optimisation_steps(plot: dict[str, Any]) -> str:
        named = {name for step in plot["steps"] for key in ("seconds", "published") for name in step[key]}
        return "" if named & set(plot["problems"]) else "steps: expected seconds of one of the problems"

    @staticmethod
    def work_groups(plot: dict[str, Any]) -> str:
        return "" if plot["points"] else "points: expected at least one"

    @staticmethod
    def scaling(plot: dict[str, Any]) -> str:
        return "" if any(series["points"] for series in plot["series"]) else "expected a series with a point"

    vector_lengths = scaling

    @staticmethod
    def average_velocity(plot: dict[str, Any]) -> str:
        for series in plot["series"]:
            steps, values = len(series["steps"]), len(series["values"])
            if steps != values:
                return f"series {found(series['label'])}: {steps} steps, but {values} values"
        return "" if any(series["steps"] for series in plot["series"]) else "expected a series with values"

    def flow(self, plot: dict[str, Any]) -> str:
        file = self.folder / plot["file"]
        expected = 4 * 3 * int(plot["rows"]) * int(plot["columns"])
        try:
            size = file.stat().st_size
        except OSError as error:
            return f"{file}: {error.strerror}"
        return "" if size == expected else f"{file}: expected {expected} bytes, found {size}"


def all_plots(data: dict[str, Any]) -> Iterable[tuple[str, dict[str, Any]]]:
    """Kind and plot, in the order of the page."""
    for kind in PLOTS:
        for plot in data["plots"][kind]:
            yield kind, plot
