"""Reports to draw in tests (figures that are made up, but of the size and kind that machines give), and the drawing.

    report_samples.py small|large|odd|empty FOLDER    writes FOLDER/report.json and the planes of its flow fields

data/report_small.json is what `small` gives, kept as a file so that a writer of report.json has one to look at.
"""

import copy
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from sample_parts import (
    CPU, GPU, PROVENANCE, RATES, Maker, add_speed_ups, flow_plot, flow_planes, roofline_plot, scaling_plot, speed_up_plot,
    steps_plot, stream_of, table_four, vectors_plot, velocity_plot, work_group_plot,
)


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


def write_flows(report: dict[str, Any], folder: Path) -> None:
    """The files that the flow plots of the report name."""
    for plot in report["plots"]["flow"]:
        planes = flow_planes(plot["nx"], plot["ny"], plot["columns"], plot["rows"])
        (folder / plot["file"]).write_bytes(planes)


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
