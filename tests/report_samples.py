"""Reports to draw in tests (figures that are made up, but of the size and kind that machines give), and the drawing.

    report_samples.py small|large|odd|empty FOLDER    writes FOLDER/report.json and the planes of its flow fields

data/report_small.json is what `small` gives, kept as a file so that a writer of report.json has one to look at.
"""

import copy
import json
import math
import os
import random
import struct
import subprocess
import sys
from pathlib import Path
from typing import Any

CPU = "Intel(R) Xeon(R) Platinum 8481C CPU @ 2.70GHz"
GPU = "NVIDIA H200"
PROVENANCE = {
    "version": "0.1.0", "revision": "1c45ae2f", "compiler": "GNU 12.2.0",
    "flags": "-O3 -DNDEBUG -march=native -ffast-math -fopenmp", "host": "bench", "cpu": CPU, "cores": 2,
    "system": "Debian GNU/Linux 12 (bookworm), Linux 6.1.0-18-amd64", "date": "2025-01-17T09:30:00Z",
}
STEPS = {"128x128": 40000, "128x256": 1000, "256x256": 600, "1024x1024": 40}
# Rates in MLUPS, single precision, of a machine with two cores.
RATES = {
    ("serial", "textbook"): 34.5, ("serial", "fused"): 874.7, ("openmp", "fused"): 1239.0,
    ("openmp_target", "fused"): 960.5, ("mpi", "fused"): 1513.0, ("opencl", "fused"): 442.9,
}
FLOPS = {"textbook": 127.0, "fused": 119.0}
ROOFS = (("L1", 655.0), ("L2", 322.0), ("L3", 96.0), ("DRAM", 31.5))
PEAK = {"f32": 355.0, "f64": 177.0}
PUBLISHED_STEPS = (
    ("initial", 37.09, 252.79, 939.01), ("data movement", 37.12, 222.10, 727.17),
    ("local reduction", 6.53, 51.85, 172.49), ("coalesced access", 4.36, 16.86, 34.96),
    ("kernel fusion", 1.62, 6.29, 15.12), ("masking", 1.55, 5.49, 13.22), ("further", 0.76, 4.18, 13.32),
)


class Maker:
    """Makes the parts of a report; the same ones at every call, because its chance is seeded."""

    def __init__(self) -> None:
        self.uniform = random.Random(2009).random

    def near(self, value: float, share: float = 0.06) -> float:
        return float(f"{value * (1 + share * (2 * self.uniform() - 1)):.6g}")

    def row(self, number: int, problem: str, model: str, variant: str, precision: str, rate: float,
            device: str = CPU) -> dict[str, Any]:
        """A row of the comparison, all figures of which follow from its rate in MLUPS."""
        nx, ny = (int(n) for n in problem.split("x"))
        steps = STEPS.get(problem, 500)
        seconds = [self.near(nx * ny * steps / 1e6 / rate, 0.12) for _ in range(3)]
        median = sorted(seconds)[1]
        mlups = nx * ny * steps / 1e6 / median
        size = 72.0 if precision == "f32" else 144.0
        flops = FLOPS.get(variant, 119.0 + 4 * (len(variant) % 9))
        level, level_rate = ("L2", 322.0) if nx * ny <= 65536 else ("DRAM", 31.5)
        gb = mlups * size / 1e3
        return {
            "id": f"run-{number}", "problem": problem, "nx": nx, "ny": ny, "steps": steps, "precision": precision,
            "model": model, "variant": variant, "setting": "", "device": device,
            "threads": 0 if device == GPU else 1 if model in ("serial", "mpi") else 2,
            "ranks": 2 if model == "mpi" else 1,
            "seconds": seconds, "median": median, "min": min(seconds), "max": max(seconds),
            "mlups": mlups, "gb_per_s": gb, "speed_ups": [None, None], "deviation": self.near(1.8e-6),
            "status": "ok", "reason": "", "like_for_like": variant in ("textbook", "fused"), "best_of_model": False,
            "roofline": {
                "bytes_per_update": size, "flops_per_update": flops, "gb_per_s": gb, "flop_per_byte": flops / size,
                "gflop_per_s": flops * mlups / 1e3,
                "conventional": {"flops_per_update": 122, "flop_per_byte": 122 / size,
                                 "gflop_per_s": 0.122 * mlups},
                "level": level, "level_gb_per_s": level_rate, "fraction_of_level": gb / level_rate,
                "triad_gb_per_s": 31.5, "fraction_of_triad": gb / 31.5, "peak_gflop_per_s": PEAK[precision],
                "fraction_of_peak": flops * mlups / 1e3 / PEAK[precision],
                "ridge_flop_per_byte": PEAK[precision] / 31.5,
                "bound": "above-memory-roof" if gb > 1.05 * level_rate else "cache" if level == "L2" else "memory",
                "why": f"{gb:.3g} GB/s is {100 * gb / level_rate:.0f} % of the {level_rate} GB/s that {level} gives on "
                       f"2 cores, and {flops * mlups / 1e3 / PEAK[precision]:.0%} of the FMA peak.",
            },
            "provenance": {**PROVENANCE, "command": f"lbm-{model.replace('_', '-')} --variant {variant} --json "
                                                    f"results/runs.jsonl inputs/input_{problem}.params"},
        }

    def failed(self, row: dict[str, Any], status: str, reason: str) -> dict[str, Any]:
        """The row as one of a run that gave no figures."""
        nothing = dict.fromkeys(("median", "min", "max", "mlups", "gb_per_s", "deviation", "roofline", "provenance"))
        return {**row, **nothing, "seconds": [], "status": status, "reason": reason}


def add_speed_ups(rows: list[dict[str, Any]], baselines: list[str]) -> None:
    """Over the row of each baseline on the same grid, and which row is the fastest of its model."""
    best: dict[tuple[str, ...], dict[str, Any]] = {}
    for row in rows:
        alike = [r for r in rows if (r["problem"], r["precision"]) == (row["problem"], row["precision"])]
        for i, name in enumerate(baselines):
            base = next((r["median"] for r in alike if f"{r['model']} {r['variant']}" == name), None)
            row["speed_ups"][i] = base / row["median"] if base and row["median"] else None
        key = (row["problem"], row["precision"], row["model"])
        if row["median"] and (key not in best or row["median"] < best[key]["median"]):
            best[key] = row
    for row in best.values():
        row["best_of_model"] = True


def roofline_plot(name: str, precision: str, rows: list[dict[str, Any]], roofs: Any = ROOFS,
                  peak: float | None = None, title: str = CPU) -> dict[str, Any]:
    peak = peak or PEAK[precision]
    points = []
    for row in rows:
        if line := row["roofline"]:
            rate = line["gflop_per_s"] * row["median"]
            points.append({"row": row["id"], "model": row["model"], "variant": row["variant"],
                           "problem": row["problem"], "flop_per_byte": line["flop_per_byte"],
                           "gflop_per_s": line["gflop_per_s"], "min": rate / row["max"], "max": rate / row["min"]})
    memory = roofs[-1][1]
    return {
        "id": name, "title": f"{title}, {precision}", "precision": precision,
        "roofs": [{"label": label, "gb_per_s": rate, "min": 0.97 * rate, "max": 1.02 * rate} for label, rate in roofs],
        "ceilings": [{"label": f"{precision} FMA peak", "gflop_per_s": peak},
                     {"label": f"{precision} without FMA", "gflop_per_s": peak / 2}],
        "ridge": {"roof": roofs[-1][0], "ceiling": f"{precision} FMA peak", "flop_per_byte": peak / memory,
                  "gflop_per_s": peak},
        "points": points,
    }


def speed_up_plot(name: str, rows: list[dict[str, Any]], baselines: list[str], which: int = 0) -> dict[str, Any]:
    first = rows[0]
    bars = [{**{key: r[key] for key in ("model", "variant", "device", "threads", "ranks")},
             "value": r["speed_ups"][which], "min": r["speed_ups"][which] * r["median"] / r["max"],
             "max": r["speed_ups"][which] * r["median"] / r["min"]} for r in rows if r["speed_ups"][which]]
    return {"id": name, **{key: first[key] for key in ("problem", "nx", "ny", "steps", "precision")},
            "over": baselines[which], "bars": bars}


def steps_plot(name: str, measured: bool) -> dict[str, Any]:
    problems = ["128x128", "256x256", "1024x1024"]
    steps = []
    for i, (step, *seconds) in enumerate(PUBLISHED_STEPS):
        ours = {p: s / (11 + 3 * i) for p, s in zip(problems, seconds)} if measured else {}
        steps.append({"name": step, "seconds": ours, "published": dict(zip(problems, seconds))})
    return {"id": name, "title": "Optimisation steps in OpenCL", "device": GPU, "problems": problems, "steps": steps}


def work_group_plot(name: str, shapes: list[tuple[int, int]], device: str = GPU) -> dict[str, Any]:
    def seconds(x: int, y: int) -> float:
        return 0.76 * (1 + 30 / (x * y) ** 0.9 + 0.02 * y + (0.25 if x < 32 else 0) + x * y / 2048)

    points = [{"x": x, "y": y, "seconds": float(f"{seconds(x, y):.5g}")} for x, y in shapes]
    order = sorted(points, key=lambda p: p["seconds"])
    default = next((p for p in points if (p["x"], p["y"]) == (64, 1)), None)
    return {"id": name, "title": "Work-group sizes, 128x128", "problem": "128x128", "model": "opencl",
            "variant": "fused", "device": device, "points": points, "best": order[0], "worst": order[-1],
            "default": default}


def scaling_plot(name: str, kind: str, problem: str, series: dict[tuple[str, str], float],
                 counts: tuple[int, ...]) -> dict[str, Any]:
    lines = []
    for (model, variant), rate in series.items():
        overhead = 0.01 + 0.03 * (len(model + variant) % 4)
        points = []
        for n in counts:
            mlups = rate * n / (1 + overhead * (n - 1))
            points.append({"workers": n, "mlups": mlups, "min": 0.94 * mlups, "max": 1.03 * mlups})
        lines.append({"model": model, "variant": variant, "unit": "ranks" if model == "mpi" else "threads",
                      "points": points})
    return {"id": name, "title": f"{kind.capitalize()} scaling, {problem}", "problem": problem, "precision": "f32",
            "kind": kind, "series": lines}


VECTORS = {1: "plain arrays", 2: "plain arrays", 4: "SSE2", 8: "AVX2", 16: "AVX-512", 32: "plain arrays"}


def vectors_plot(name: str, problem: str, series: dict[tuple[str, str], float],
                 lengths: tuple[int, ...] = tuple(VECTORS)) -> dict[str, Any]:
    lines = []
    for (model, variant), rate in series.items():
        points = []
        for n in lengths:
            mlups = rate * (0.1 if VECTORS[n] == "plain arrays" else (n / 16) ** 0.4)
            points.append({"lanes": n, "vectors": VECTORS[n], "mlups": mlups, "min": 0.9 * mlups, "max": 1.04 * mlups})
        lines.append({"model": model, "variant": variant, "points": points})
    return {"id": name, "title": f"{problem}, 4000 steps, single precision", "problem": problem, "precision": "f32",
            "series": lines}


def velocity_plot(name: str, problem: str, labels: list[str], count: int, apart: float = 0.0) -> dict[str, Any]:
    steps = [40 * (i + 1) for i in range(count)]
    return {"id": name, "problem": problem, "series": [
        {"label": label, "steps": steps,
         "values": [float(f"{(1 + apart * j) * 1.32e-2 * (1 - math.exp(-3.0 * (i + 1) / count)):.6g}")
                    for i in range(count)]} for j, label in enumerate(labels)]}


def flow_plot(name: str, problem: str, nx: int, ny: int, columns: int, rows: int) -> dict[str, Any]:
    return {"id": name, "title": f"Speed of the flow, {problem}", "problem": problem, "nx": nx, "ny": ny,
            "steps": 80000, "columns": columns, "rows": rows, "file": f"{name}.f32"}


def flow_planes(nx: int, ny: int, columns: int, rows: int) -> bytes:
    """The planes of a flow round a cylinder between two walls: a potential flow, with vortices behind it."""
    u_x, u_y, solid = [], [], []
    radius, cx, cy = 0.12 * ny, 0.22 * nx, 0.5 * ny
    for j in range(rows):
        for i in range(columns):
            x, y = (i + 0.5) * nx / columns - cx, (j + 0.5) * ny / rows - cy
            r2 = x * x + y * y
            wall = j in (0, rows - 1)
            inside = r2 < radius * radius or wall
            wake = 0.35 * math.exp(-abs(y) / (2 * radius)) * math.sin(0.9 * x / radius) if x > radius else 0.0
            ratio = radius * radius / max(r2, radius * radius)
            u_x.append(0.0 if inside else 0.08 * (1 - ratio * (x * x - y * y) / r2))
            u_y.append(0.0 if inside else 0.08 * (wake - 2 * ratio * x * y / r2))
            solid.append(1.0 if inside else 0.0)
    return struct.pack(f"<{3 * rows * columns}f", *u_x, *u_y, *solid)


def write_flows(report: dict[str, Any], folder: Path) -> None:
    """The files that the flow plots of the report name."""
    for plot in report["plots"]["flow"]:
        planes = flow_planes(plot["nx"], plot["ny"], plot["columns"], plot["rows"])
        (folder / plot["file"]).write_bytes(planes)


def around() -> dict[str, Any]:
    """A report without results: no rows, no tables, no plots."""
    kinds = ("rooflines", "speed_ups", "optimisation_steps", "work_groups", "scaling", "vector_lengths",
             "average_velocity", "flow")
    return {
        "format": 1, "title": "Boltzmark on bench", "generated": "2025-01-17T10:02:11Z", "results": "results",
        "machine": {"host": "bench", "cpu": CPU, "system": PROVENANCE["system"], "cores": 2,
                    "memory_bytes": 16 * 2**30,
                    "caches": [{"name": "L1", "bytes": 49152, "instances": 2, "cores": 1},
                               {"name": "L2", "bytes": 2097152, "instances": 2, "cores": 1},
                               {"name": "L3", "bytes": 110100480, "instances": 1, "cores": 2}],
                    "devices": [{"name": f"cpu-sapphirerapids-{CPU}", "type": "cpu",
                                 "details": "PoCL 3.1, 2 compute units"}]},
        "build": {"version": "0.1.0", "revision": "1c45ae2f",
                  "compilers": ["GNU 12.2.0 -O3 -DNDEBUG -march=native", "Clang 16.0.6 -O3 -fopenmp"]},
        "peaks_date": None, "complaints": [],
        "comparison": {"variant": "fused", "baselines": ["serial textbook", "serial fused"], "rows": []},
        "not_run": [], "stream": [], "tables": [], "plots": {kind: [] for kind in kinds},
    }


def stream_of(maker: Maker, model: str, precision: str, device: str, rate: float) -> dict[str, Any]:
    kernels = []
    for name, share in (("copy", 0.95), ("mul", 0.94), ("add", 1.0), ("triad", 1.0), ("dot", 1.2)):
        best = maker.near(rate * share)
        kernels.append({"name": name, "gb_per_s": best, "gb_per_s_median": 0.97 * best, "min_seconds": 0.4 / best,
                        "median_seconds": 0.41 / best, "max_seconds": 0.5 / best})
    return {"model": model, "precision": precision, "device": device, "device_type": "gpu" if device == GPU else "cpu",
            "threads": 2, "ranks": 1, "elements": 2**25, "passed": True, "kernels": kernels}


def table_four() -> dict[str, Any]:
    columns = [("model", "left"), ("GB/s\nhere", "right"), ("GB/s\npublished", "right"), ("ratio", "right")]
    return {
        "id": "table-4", "title": "Table IV. Bandwidth at 1024x1024", "source": "Rutterford, OpenCL Parallelism",
        "caption": "Bandwidth by the algorithm's own count of bytes, beside the published figures.",
        "columns": [{"header": header, "align": align} for header, align in columns],
        "rows": [["serial", "27.4", "5.90", "4.64"], ["OpenMP", "31.2", "38.47", "0.811"],
                 ["MPI", "30.9", "19.13", "1.62"], ["OpenCL GPU", "-", "113.36", "-"]],
        "notes": ["OpenCL GPU: no GPU on this machine.", "Published: 2 x Xeon E5-2670 and NVIDIA K20m."],
    }


def small() -> dict[str, Any]:
    """Six runs on each of two grids, one of them failed, and one plot of each kind."""
    maker, report = Maker(), around()
    comparison = report["comparison"]
    rows = comparison["rows"]
    for problem in ("128x128", "1024x1024"):
        slow = 1.0 if problem == "128x128" else 0.42
        for (model, variant), rate in RATES.items():
            rows.append(maker.row(len(rows) + 1, problem, model, variant, "f32", min(rate, rate * slow + 20)))
    rows[-1] = maker.failed(rows[-1], "failed", "lbm-opencl: clEnqueueNDRangeKernel: CL_OUT_OF_RESOURCES")
    add_speed_ups(rows, comparison["baselines"])
    report["peaks_date"] = "2025-01-17T09:12:40Z"
    report["not_run"] = [
        {"model": "opencl", "variant": "fused", "problem": "1024x1024", "status": "failed",
         "reason": rows[-1]["reason"]},
        {"model": "openmp_target", "variant": "in-place", "problem": "128x128", "status": "impossible",
         "reason": "no offload device: install libomp-16-dev with a CUDA plugin"}]
    report["complaints"] = ["results/runs.jsonl:17: compute_seconds: expected a number above 0, found 0"]
    report["stream"] = [stream_of(maker, model, "f32", CPU, 31.5) for model in ("serial", "openmp", "opencl")]
    report["tables"] = [table_four()]
    plots = report["plots"]
    plots["rooflines"] = [roofline_plot("roofline-cpu-f32", "f32", rows)]
    plots["speed_ups"] = [speed_up_plot(f"speed-up-{problem}", [r for r in rows if r["problem"] == problem],
                                        comparison["baselines"]) for problem in ("128x128", "1024x1024")]
    plots["optimisation_steps"] = [steps_plot("optimisation-steps", measured=False)]
    powers = [(2**i, 2**j) for i in range(9) for j in range(9) if i + j <= 8]
    plots["work_groups"] = [work_group_plot("work-groups-128x128", powers, CPU)]
    plots["scaling"] = [scaling_plot("scaling-256x256", "strong", "256x256",
                                     {("openmp", "fused"): 640.0, ("mpi", "fused"): 760.0}, (1, 2))]
    plots["vector_lengths"] = [vectors_plot("vectors-128x128", "128x128", {
        ("serial", "in-place"): 1270.0, ("serial", "wavefront"): 1390.0, ("openmp", "wavefront"): 2510.0})]
    plots["average_velocity"] = [velocity_plot("average-velocity-128x128", "128x128", ["serial fused", "mpi fused"],
                                               60)]
    plots["flow"] = [flow_plot("flow-cylinder", "cylinder", 576, 80, 288, 40)]
    return report


GRIDS = ("128x128", "128x256", "256x256", "512x512", "1024x1024", "2048x2048", "4096x4096", "8192x8192")
LONG_VARIANTS = ("fused", "in-place", "many-steps-per-launch-wavefront", "structure-of-arrays-without-branches")


def large() -> dict[str, Any]:
    """5 models x 4 variants x 8 grids x 2 precisions, with a GPU, long names, failures and extreme values."""
    maker, report = Maker(), around()
    comparison, plots = report["comparison"], report["plots"]
    rows = comparison["rows"]
    base = {"serial": 700.0, "openmp": 1300.0, "openmp_target": 21000.0, "mpi": 1500.0, "opencl": 55000.0}
    for precision, share in (("f32", 1.0), ("f64", 0.5)):
        for problem in GRIDS:
            for model, rate in base.items():
                for i, variant in enumerate(("textbook", *LONG_VARIANTS[:3]) if model == "serial" else LONG_VARIANTS):
                    device = GPU if model in ("openmp_target", "opencl") else CPU
                    speed = 34.5 if variant == "textbook" else maker.near(rate * (0.6 + 0.35 * i), 0.5)
                    fill = min(1.0, 0.02 + GRIDS.index(problem) / 5) if device == GPU else 1.0
                    rows.append(maker.row(len(rows) + 1, problem, model, variant, precision, share * speed * fill,
                                          device))
    for i, status in ((17, "failed"), (40, "timeout"), (77, "wrong"), (123, "impossible"), (200, "skipped")):
        reason = f"{status}: " + "the device has less memory than two grids of this size need; " * 3
        rows[i] = maker.failed(rows[i], status, reason)
        report["not_run"].append({key: rows[i][key] for key in ("model", "variant", "problem", "status", "reason")})
    add_speed_ups(rows, comparison["baselines"])
    report["peaks_date"] = "2025-01-17T09:12:40Z"
    report["title"] = "Boltzmark on a machine with a name that is much longer than names of machines mostly are"
    report["complaints"] = [f"results/runs.jsonl:{i}: expected an object, found a number" for i in range(12)]
    report["machine"]["devices"].append({"name": GPU, "type": "gpu", "details": "driver 580.65.06, 132 compute units"})
    report["stream"] = [stream_of(maker, model, precision, device, rate) for precision in ("f32", "f64")
                        for model, device, rate in (("serial", CPU, 14.2), ("openmp", CPU, 31.5), ("mpi", CPU, 31.0),
                                                    ("openmp_target", GPU, 2010.0), ("opencl", GPU, 4370.0))]
    report["tables"] = [dict(copy.deepcopy(table_four()), id=f"table-{i}") for i in range(1, 9)]
    gpu_roofs = (("local memory", 33000.0), ("L2 cache", 11800.0), ("HBM3e (STREAM triad)", 4370.0))
    for precision in ("f32", "f64"):
        of = [r for r in rows if r["precision"] == precision]
        plots["rooflines"] += [
            roofline_plot(f"roofline-cpu-{precision}", precision, [r for r in of if r["device"] == CPU]),
            roofline_plot(f"roofline-gpu-{precision}", precision, [r for r in of if r["device"] == GPU], gpu_roofs,
                          60500.0 if precision == "f32" else 33500.0, GPU)]
    for problem in GRIDS:
        of = [r for r in rows if r["problem"] == problem and r["precision"] == "f32"]
        speed_ups = speed_up_plot(f"speed-up-{problem}", of, comparison["baselines"])
        # None where the baseline itself failed.
        plots["speed_ups"] += [speed_ups] if speed_ups["bars"] else []
    plots["optimisation_steps"] = [steps_plot("optimisation-steps", measured=True)]
    general = [(x, y) for x in range(1, 1025) for y in range(1, 1025)
               if x * y <= 1024 and (x % 16 == 0 or x == 1) and (y % 16 == 0 or y == 1)]
    plots["work_groups"] = [work_group_plot("work-groups-128x128", [(2**i, 2**j) for i in range(11)
                                                                    for j in range(11 - i)]),
                            work_group_plot("work-groups-general", general)]
    series = {(model, variant): rate / (1 + i) for model, rate in (("openmp", 700.0), ("mpi", 760.0))
              for i, variant in enumerate(LONG_VARIANTS)}
    plots["scaling"] = [scaling_plot("scaling-1024x1024", "strong", "1024x1024", series, (1, 2, 3, 4, 6, 8, 12, 16, 24,
                                                                                          32, 48, 64, 112)),
                        scaling_plot("scaling-weak", "weak", "1024x1024", series, (1, 2, 4, 8, 16))]
    plots["vector_lengths"] = [vectors_plot("vectors-1024x1024", "1024x1024", {
        (model, variant): rate * (1 + 0.2 * i) for model, rate in (("serial", 700.0), ("openmp", 1300.0), ("mpi", 1500.0))
        for i, variant in enumerate(LONG_VARIANTS)})]
    labels = [f"{model} {variant}" for model in base for variant in LONG_VARIANTS[:3]]
    plots["average_velocity"] = [velocity_plot("average-velocity-128x128", "128x128", labels, 2000),
                                 velocity_plot("average-velocity-apart", "256x256", labels[:6], 2000, 0.15)]
    infinite = plots["average_velocity"][1]["series"][2]
    infinite["values"] = infinite["values"][:900] + [None] * 1100
    plots["flow"] = [flow_plot("flow-cylinder", "cylinder", 576, 80, 576, 80),
                     flow_plot("flow-box", "box_2048x2048", 2048, 2048, 512, 512)]
    return report


def odd() -> dict[str, Any]:
    """What is rare: one of a kind, nothing to set against it, texts that look like HTML, nearly equal roofs."""
    maker, report = Maker(), around()
    rows, plots = report["comparison"]["rows"], report["plots"]
    report["title"] = "<script>alert('title')</script> & \u201cquoted\u201d \u6d41\u4f53 " + "w" * 80
    report["comparison"]["baselines"] = []
    row = maker.row(1, "128x128", "serial", "<b>fused</b>", "f32", 900.0, 'a "device" & <i>more</i>')
    row.update(speed_ups=[], setting="64x1 -cl-fast", problem="blocks_97x61", nx=97, ny=61)
    row["roofline"].update(dict.fromkeys(("level", "level_gb_per_s", "fraction_of_level", "triad_gb_per_s",
                                          "fraction_of_triad", "peak_gflop_per_s", "fraction_of_peak",
                                          "ridge_flop_per_byte")), bound="unknown", why="No peaks were measured.")
    failed = dict(maker.failed(row, "failed", "</td></tr></table> exit status 139"), id="run-2", nx=0, ny=0)
    rows += [row, failed]
    bare = roofline_plot("roofline-bare", "f32", [row])
    bare.update(roofs=[], ceilings=[], ridge=None, title="No peaks")
    near = roofline_plot("roofline-near", "f32", [row], (("L2", 40.0), ("L3", 37.0), ("DRAM (copy)", 33.0),
                                                         ("DRAM (triad)", 31.5)), 90.0, "Roofs that are nearly one")
    unused = roofline_plot("roofline-no-points", "f64", [], title="No runs yet")
    open_ended = roofline_plot("roofline-no-ceiling", "f32", [row])
    open_ended.update(ceilings=[], ridge=None, title="No arithmetic")
    many = roofline_plot("roofline-one-intensity", "f32", [
        dict(maker.row(100 + i, grid, model, "fused", "f32", 900.0 * (1 + 0.03 * i))) for i, (grid, model) in
        enumerate((g, m) for g in GRIDS[:6] for m in ("serial", "openmp", "openmp_target", "mpi", "opencl"))],
        title="30 runs of one intensity")
    plots["rooflines"] = [bare, near, unused, open_ended, many]
    bar = {"model": "serial", "variant": "<b>fused</b>", "device": "", "threads": 1, "ranks": 1, "value": 1.0,
           "min": 1.0, "max": 1.0}
    of = {"problem": "128x128", "nx": 128, "ny": 128, "steps": 1, "precision": "f16", "over": "serial textbook"}
    plots["speed_ups"] = [{"id": "speed-up-one", **of, "bars": [bar]},
                          {"id": "speed-up-extreme", **of, "bars": [
                              dict(bar, value=v, min=v / 1.5, max=v * 2) for v in (2.5e-5, 1.0, 123456.0)]},
                          {"id": "speed-up-slower", **of, "bars": [
                              dict(bar, value=v, min=v * 0.9, max=v * 1.1) for v in (0.2, 0.5, 0.9)]},
                          {"id": "speed-up-alike", **of, "bars": [
                              dict(bar, model=m, threads=t, ranks=r) for m, t, r in (
                                  ("openmp", 1, 1), ("openmp", 2, 1), ("mpi", 1, 2), ("mpi", 2, 2), ("opencl", 0, 1),
                                  ("opencl", 0, 1))]},
                          {"id": "speed-up-many", **of, "bars": [
                              dict(bar, model="opencl", variant=f"fused {x}x{y}", value=v, min=0.9 * v, max=1.1 * v)
                              for x in (1, 2, 4, 8, 16, 32, 64, 128) for y in (1, 2, 4, 8, 16, 32, 64, 128)
                              for v in [1 + (x * y) ** 0.5]]}]
    plots["optimisation_steps"] = [
        {"id": "steps-one", "title": "One step", "device": CPU, "problems": ["128x128"],
         "steps": [{"name": "initial", "seconds": {"128x128": 2.0}, "published": {}}]},
        {"id": "steps-near", "title": "As published", "device": CPU, "problems": ["128x128", "none", "256x256"],
         "steps": [{"name": f"a step with quite a long name, number {i}",
                    "seconds": {"128x128": s, "256x256": 1e4 * s}, "published": {"128x128": s * 1.02}}
                   for i, s in enumerate((37.1, 36.9, 6.5, 6.6, 1.6, 1.55, 0.76))]}]
    plots["work_groups"] = [
        dict(work_group_plot("work-groups-one", [(64, 1)]), title="One shape"),
        work_group_plot("work-groups-row", [(2**i, 1) for i in range(11)]),
        dict(work_group_plot("work-groups-alike", [(x, y) for x in (8, 16, 24) for y in (3, 5)]),
             points=[{"x": x, "y": y, "seconds": 1.5} for x in (8, 16, 24) for y in (3, 5)])]
    plots["work_groups"][2]["best"] = plots["work_groups"][2]["worst"] = plots["work_groups"][2]["points"][0]
    plots["scaling"] = [scaling_plot("scaling-one", "strong", "128x128", {("openmp", "fused"): 640.0}, (1,)),
                        scaling_plot("scaling-up", "weak", "128x128", {("mpi", "fused"): 5e-3}, (3, 5, 4096))]
    plots["vector_lengths"] = [vectors_plot("vectors-one", "128x128", {("serial", "<b>in-place</b>"): 2e-5}, (16,)),
                               vectors_plot("vectors-alike", "128x128", {("serial", "in-place"): 5e6,
                                                                         ("openmp", "in-place"): 5e6}, (4, 8))]
    plots["vector_lengths"][1]["series"][1]["points"][0]["vectors"] = "NEON"
    plots["average_velocity"] = [velocity_plot("velocity-one-step", "128x128", ["one step"], 1),
                                 velocity_plot("velocity-none", "128x128", ["none", "some"], 5)]
    plots["average_velocity"][1]["series"][0]["values"] = [None] * 5
    plots["flow"] = [flow_plot("flow-tall", "128x256", 16, 400, 16, 400),
                     flow_plot("flow-thin", "flat", 400, 3, 400, 3), flow_plot("flow-cell", "1x1", 1, 1, 1, 1)]
    return report


def write(report: dict[str, Any], folder: Path) -> Path:
    """Writes report.json and what it names; gives its path."""
    folder.mkdir(parents=True, exist_ok=True)
    write_flows(report, folder)
    path = folder / "report.json"
    path.write_text(json.dumps(report), encoding="utf-8")
    return path


def render(*arguments: object, **environment: str) -> subprocess.CompletedProcess:
    """Runs render.py as the driver does."""
    script = Path(__file__).resolve().parent.parent / "analysis" / "render" / "render.py"
    return subprocess.run([sys.executable, script, *map(str, arguments)], capture_output=True, text=True, check=False,
                          timeout=120, env={**os.environ, **environment})


if __name__ == "__main__":
    print(write({"small": small, "large": large, "odd": odd, "empty": around}[sys.argv[1]](), Path(sys.argv[2])))
