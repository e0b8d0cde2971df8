"""A small results folder: figures.csv and peaks.csv with a run of every kind that the report lays out."""

import contextlib
import csv
import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
REPORT = ROOT / "analysis" / "report"
sys.path.insert(0, str(REPORT))

import main  # noqa: E402  pylint: disable=wrong-import-position

BOLTZMARK = os.environ.get("BOLTZMARK", ROOT / "build" / "bin" / "boltzmark")
DECLARED = subprocess.run([BOLTZMARK, "figures", "--describe", "--json"], capture_output=True, text=True, check=True).stdout
COLUMNS, PEAK_COLUMNS, MACHINES, EFFICIENCY, PORTABILITY, COMPARISON = (
    [column["name"] for column in json.loads(DECLARED)[f"{name}.csv"]]
    for name in ("figures", "peaks", "machines", "efficiency", "portability", "comparison"))
DIGEST = "c12bf54d9fcd27f5"  # of the standard problem 128x128


def run(model: str, variant: str, median: float, **more: Any) -> dict[str, Any]:
    """A right run of the standard problem 128x128 in single precision."""
    updates = 128 * 128 * 40000
    rate = 1e-6 * updates / median
    row = {"source": "runs", "workload": "lbm", "model": model, "variant": variant,
           "role": {"textbook": "textbook", "fused": "like-for-like"}.get(variant, ""),
           "precision": "f32", "case": "128x128", "case_digest": DIGEST, "nx": 128, "ny": 128, "elements": 128 * 128,
           "steps": 40000, "device": "A CPU",
           "device_type": "cpu", "threads": 1, "ranks": 1, "workers": 1, "workers_unit": "threads", "status": "ok",
           "rounds": 3, "repeats": 3,
           "seconds_median": median, "seconds_min": 0.9 * median, "seconds_max": 1.2 * median,
           "seconds_low": 0.9 * median, "seconds_high": 1.2 * median, "seconds_coverage": 0.75,
           "seconds": [0.9 * median, median, 1.2 * median],
           "rate": rate, "rate_min": rate / 1.2, "rate_max": rate / 0.9, "rate_unit": "MLUPS", "update": "update",
           "updates": updates, "bytes_per_update": 72,
           "flops_per_update": 74, "conventional_flops_per_update": 122, "gb_per_s": 0.072 * rate,
           "gflop_per_s": 0.074 * rate,
           "gflop_per_s_min": 0.06 * rate, "gflop_per_s_max": 0.08 * rate, "flop_per_byte": 74 / 72,
           "conventional_flop_per_byte": 122 / 72,
           "conventional_gflop_per_s": 0.122 * rate, "peaks_of": "processor", "level": "L2", "level_bytes_per_update": 72,
           "level_gb_per_s": 0.072 * rate, "roof_gb_per_s": 100, "bound": "L2", "share_of_bound": 0.00072 * rate,
           "verdict": f"L2, {0.072 * rate:.0f} %", "limits": {"L2": 0.00072 * rate},
           "speed_up_over_textbook": 8 / median, "speed_up_over_like_for_like": 4 / median,
           "speed_up_over_textbook_min": 6.7 / median,
           "speed_up_over_textbook_max": 8.9 / median, "check": "oracle", "passed": True, "deviation": 1e-6,
           "date": "2026-01-01T00:00:00Z",
           "version": "1", "revision": "abc", "compiler": "GNU 12", "flags": "-O3", "host": "here", "cpu": "A CPU",
           "cores": 4, "system": "Linux",
           "command": f"lbm-{model}"}
    assert set(row) | set(more) <= set(COLUMNS)
    return {**row, **more}


def cube(model: str, variant: str, rate: float, share: float, **more: Any) -> dict[str, Any]:
    """A right run of 128 x 128 x 128 cells in single precision."""
    extent = {"case": "taylor_green", "case_digest": "3d" * 8, "nx": 128, "ny": 128, "nz": 128, "elements": 128**3,
              "steps": 100, "updates": 100 * 128**3, "rate": rate, "share_of_bound": share, "bound": "DRAM", "level": "DRAM",
              "speed_up_over_textbook": None, "speed_up_over_like_for_like": None}
    return run(model, variant, 100e-6 * 128**3 / rate, **{**extent, **more})


def kernel(model: str, name: str, rate: float, **more: Any) -> dict[str, Any]:
    seconds = 8e-9 * 1000000 / rate
    return run(model, "plain", seconds, **{"workload": "stream", "part": name, "case": "1000000", "case_digest": "",
                                           "nx": 1000000, "ny": None, "elements": 1000000,
               "steps": 1, "seconds": [], "rate": rate, "rate_unit": "GB/s", "gb_per_s": rate,
                                           "gb_per_s_min": 0.9 * rate, "gb_per_s_max": 1.1 * rate,
               "seconds_min": seconds / 1.1, "seconds_low": seconds / 1.05, "seconds_high": 1.02 * seconds,
               "speed_up_over_textbook": None, "speed_up_over_like_for_like": None, **more})


def all_rows() -> list[dict[str, Any]]:
    rows = [run("serial", "textbook", 8.0), run("serial", "fused", 4.0)]
    for n in (1, 2, 4):
        rows.append(run("openmp", "fused", 4.0 / n, threads=n, workers=n, strong_speed_up=n,
                        strong_efficiency=1.0 - 0.05 * n, halo_share=None))
        rows.append(run("mpi", "in-place", 3.0 / n, ranks=n, workers=n, workers_unit="ranks" if n > 1 else "threads",
                        strong_efficiency=1.0, weak_line="128x32",
                        weak_efficiency=0.9, halo_share=0.1, halo_share_most=0.2))
    rows += [run("openmp", "fused", 2.0 - n / 10, options=["--vvl", str(n)], setting=f"--vvl {n}",
                 vector_length=n, settings={"vectors": "AVX2"}) for n in (4, 8)]
    gpu = {"device": "A GPU", "device_type": "gpu", "threads": 0, "peaks_of": "A GPU", "level": "memory",
           "share_of_bound": 0.9, "bound": "memory", "verdict": "memory, 90 %"}
    rows += [run("opencl", variant, seconds, **gpu) for variant,
             seconds in (("initial", 5.0), ("data-movement", 4.0), ("further", 0.5), ("two-grid", 0.4))]
    rows.append(run("opencl", "persistent", 0.005, steps=1000, notes="noisy (spread 20 %)",
                    **gpu))
    rows += [run("opencl", "two-grid", 0.4 + x / 100, work_group_asked=f"{x}x{y}", setting=f"{x}x{y}",
                 work_group=f"{x}x{y}", sweep="two-grid", source="tuning", **gpu)
             for x, y in ((32, 4), (4, 32), (64, 1))]
    rows += [run("serial", "fused", 4.0 + i, build=b, setting=b, speed_up_over_build=4.0 / (4.0 + i)) for i,
             b in enumerate(("gcc", "clang"))]
    rows += [kernel(model, name, 400.0, **{k: gpu[k] for k in ("device", "device_type", "threads", "peaks_of")})
             for model in ("opencl", "openmp_target") for name in ("copy", "mul", "add", "triad", "dot")]
    rows.append(run("mpi", "fused", 1.0, status="failed", reason="it crashed", rate=None, gb_per_s=None,
                    gflop_per_s=None, seconds_median=None, seconds=[],
                    speed_up_over_textbook=None, speed_up_over_like_for_like=None))
    return rows


def all_peaks() -> list[dict[str, Any]]:
    rows = [{"of": of, "type": kind, "kind": "bandwidth", "level": level, "pattern": pattern, "cores": cores,
             "is_roof": pattern == "copy", "roof": rate, "moved": 1.5 * rate, "median": rate, "min": rate,
             "max": 1.1 * rate, "unit": "GB/s"} for of, kind, cores,
            levels in (("processor", "cpu", 4, (("L2", 100), ("DRAM", 30))), ("A GPU", "gpu", 0, (("memory", 500),)))
            for level, rate in levels for pattern in ("copy", "triad")]
    rows += [{"of": of, "kind": "compute", "precision": "f32", "fma": "true", "cores": 4, "is_roof": True,
              "roof": 1000, "median": 1000, "min": 990, "max": 1010, "unit": "GFLOP/s"}
             for of in ("processor", "A GPU")]
    return rows + [{"of": "processor", "type": "cpu", "kind": "fact", "text": "A CPU"}]


def write_csv(file: Path, columns: list[str], rows: list[dict[str, Any]]) -> None:
    def cell(value: Any) -> Any:
        return json.dumps(value) if isinstance(value, (bool, list, dict)) else "" if value is None else value
    with file.open("w", newline="", encoding="utf-8") as out:
        writer = csv.writer(out)
        writer.writerow(columns)
        writer.writerows([cell(row.get(column)) for column in columns] for row in rows)


def with_shares(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """As `boltzmark figures` writes them: the fastest of each model and type of device has its share of the best there."""
    best: dict[Any, dict[Any, dict[str, Any]]] = {}
    rows = [dict(row) for row in rows]
    for row in rows:
        if row["status"] != "ok" or not row.get("rate") or row["source"] != "runs" or row["role"] == "peer":
            continue
        cells = best.setdefault(tuple(row.get(key) or "" for key in ("workload", "case", "precision", "part")), {})
        fastest = cells.setdefault((row["model"], row["device_type"]), row)
        if row["rate"] > fastest["rate"]:
            cells[row["model"], row["device_type"]] = row
    for cells in best.values():
        for row in cells.values():
            row.setdefault("share_of_best", row["rate"] / max(one["rate"] for one in cells.values()))
    return rows


def overview(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """The first screen as C++ hands it over: a line per problem, the first run of a model that has a share its cell, else
    its first of all."""
    rows = [row | {"id": f"run-{i + 1}"} for i, row in enumerate(rows)]
    rows = [row for row in rows if row["source"] != "tuning" and row.get("part") in (None, "", "triad")]
    models, problems = list(dict.fromkeys(row["model"] for row in rows)), {}
    for row in rows:
        problems.setdefault((row["workload"], row["case"], row["precision"]), []).append(row)

    def cell(row: dict[str, Any] | None, of_model: list[dict[str, Any]]) -> dict[str, Any] | None:
        is_right = bool(row and row.get("share_of_best"))
        return row and {"id": row["id"], "state": "ok" if is_right else "not available here", "share": row.get("share_of_best"),
                        "roof": row.get("share_of_bound"), "roof_words": f"{100 * (row.get('share_of_bound') or 0):.0f}",
                        "is_wrong": any(one["status"] == "wrong" for one in of_model),
                        "words": f"{row['model']} {row['variant']}: {row.get('reason', '')}", "mark": "!" if is_right and "noisy" in (row.get("notes") or "") else ""}

    def line(key: tuple[str, str, str], some: list[dict[str, Any]]) -> dict[str, Any]:
        of_model = [[row for row in some if row["model"] == model] for model in models]
        of = [next(iter(sorted(mine, key=lambda row: not row.get("share_of_best"))), None) for mine in of_model]
        best = max(some, key=lambda row: row.get("share_of_best") or 0)
        fastest = {"id": best["id"], "who": f"{best['model']} {best['variant']}", "rate": f"{best['rate']} MLUPS !",
                   "limits": "DRAM, 90 %", "over": "", "ahead": "1.05 \u00d7 mpi"}
        return {"label": f"{key[0]} {key[1]}", "workload": key[0], "case": key[1], "precision": key[2], "problems": 1,
                "is_compared": sum(row["status"] == "ok" for row in some) > 1, "furthest": "mpi, far behind",
                "cells": [cell(*both) for both in zip(of, of_model)],
                **({"fastest": fastest} if best.get("share_of_best") else {})}
    lines = [line(*one) for one in problems.items()]
    return {"machine": "A CPU, 4 cores", "title": "A CPU", "verdict": "All runs are right.",
            "ranking": [f"{one['label']}: openmp is fastest." for one in lines], "conditions": ["sycl: not built: no compiler."],
            "reasons": [{"state": "failed", "reason": "it crashed", "count": 1, "who": "mpi fused"}],
            "views": [{"name": "same algorithm", "baseline": "serial", "hatched": ["not available here: no driver (cuda)"],
                       "columns": [model.replace("_", "-") for model in models], "has_roofs": True, "lines": lines, "by_workload": lines[:1] * (len(lines) > 20)}] * bool(
                lines), "said": ["lbm 128: openmp fused", "All runs are right."]}


def table_of(name: str, title: str, section: str, rows: list[dict[str, Any]], *columns: str, **under: str) -> dict[str, Any]:
    """As C++ hands it over; NAME=KEY: below which column a page shows one."""
    def text(row: dict[str, Any], key: str) -> str:
        return str(row.get(key) or "\u2013")
    return {"id": name, "title": title, "caption": "", "notes": [], "section": section, "unit": "run",
            "source": "", "needs": "",
            "filters": [["Model", "model"]] if rows and "model" in rows[0] else [], "rows": rows,
            "columns": [{"key": key, "header": key.replace("_", "\n"), "note": "", "under": under.get(key, ""), "is_wide": False,
                         "is_number": any(isinstance(row.get(key), float) for row in rows),
                         "texts": [text(row, key) for row in rows]} for key in columns]}


def tables(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """All runs, each with its details, and those that did not run."""
    shown = [row | {"id": f"run-{i + 1}", "details": {"why": row.get("verdict", ""), "parts": [
        ["Run", [["Remarks", row.get("notes", "")], ["Device", row["device"]]]]]}} for i, row in enumerate(rows)
        if row["source"] != "tuning"]
    columns = ("workload", "case", "precision", "model", "variant", "device", "seconds_median")
    lost = [row for row in shown if row["status"] != "ok"]
    return [table_of("runs", "All runs", "runs", shown, *columns, precision="case", device="model"),
            table_of("runs-lbm", "All runs of lbm", "files", shown, *columns)] * bool(shown) + [
                table_of("not-run", "Not run", "not-run", [{key: row.get(key) for key in ("model", "reason")} for row in lost],
                         "model", "reason")] * bool(lost) + [steps_table()] * bool(shown)


def make_results(folder: Path, rows: list[dict[str, Any]] | None = None,
                 peaks: list[dict[str, Any]] | None = None) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    made = with_shares(all_rows() if rows is None else rows)
    write_csv(folder / "figures.csv", COLUMNS, made)
    (folder / "tables.json").write_text(json.dumps({"overview": overview(made), "tables": tables(made),
                                                    "facts": [["Host", ["here"]]] * bool(made),
                                                    "sources": [{"id": "A", "citation": "Rutterford, OpenCL Parallelism"},
                                                                {"id": "E", "citation": "Ynddal"}]}))
    write_csv(folder / "peaks.csv", PEAK_COLUMNS, all_peaks() if peaks is None else peaks)
    (folder / "columns.json").write_text(DECLARED)
    (folder / "complaints.txt").write_text("")
    return folder


def add_table(folder: Path, table: dict[str, Any]) -> None:
    file = folder / "tables.json"
    made = json.loads(file.read_text())
    made["tables"].append(table)
    file.write_text(json.dumps(made))


def steps_table() -> dict[str, Any]:
    """A published table, with a measured run beside one of its lines."""
    rows = [{"grid": "128x128", "step": step, "published": seconds, "measured": ours, "run.device": device}
            for step, seconds, ours, device in (("initial", 37.09, 5.0, "A GPU"), ("further", 0.76, None, ""))]
    return table_of("table-2", "Table II. Seconds of each OpenCL optimisation step", "published-A", rows, *rows[0]) | {
        "source": "Table II", "needs": "measured"}


def add_answer(folder: Path, nx: int = 128, ny: int = 128, steps: int = 40000) -> None:
    """An oracle's files: a channel with a block in it."""
    oracle = folder / "oracle"
    oracle.mkdir()
    y, x = np.mgrid[:ny, :nx]
    one = np.ones((ny, nx))
    np.save(oracle / f"{DIGEST}-{steps}-1.final_state.npy",
            np.stack([0.1 * y / ny, 0.01 * one, one, ((40 < x) & (x < 60) & (y < 20)) * one]))
    np.save(oracle / f"{DIGEST}-{steps}-1.av_vels.npy", 1e-6 * np.arange(steps))


def report(*arguments: object, is_printed: bool = False) -> subprocess.CompletedProcess:
    """As the command, without starting another Python. Plots for print (PDF and PNG) take longer than all else: they
    are only made where a test asks for them."""
    if not is_printed and "--no-plots" not in arguments:
        arguments = (*arguments, "--only-svg")
    out, errors = io.StringIO(), io.StringIO()
    with contextlib.ExitStack() as stack:
        stack.enter_context(mock.patch.object(sys, "argv", ["main.py", *map(str, arguments)]))
        stack.enter_context(contextlib.redirect_stdout(out))
        stack.enter_context(contextlib.redirect_stderr(errors))
        status = main.main()
    return subprocess.CompletedProcess(arguments, status, out.getvalue(), errors.getvalue())
