"""Parts of the reports in report_samples.py: rows, plots, a table, STREAM figures. All made up."""

import math
import random
import struct
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
            halo = 0.2 * overhead * (n - 1) / n if model == "mpi" else None
            points.append({"workers": n, "mlups": mlups, "min": 0.94 * mlups, "max": 1.03 * mlups,
                           "halo_share": halo, "halo_share_most": halo and 1.5 * halo})
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
