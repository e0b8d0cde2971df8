"""Tables I to IV, the ladder and Fig. 2 of Rutterford ("OpenCL Parallelism"), in their published layouts."""

from collections.abc import Iterator
from typing import Any

import pandas
from figures import Results
from matplotlib.figure import Figure
from plots import Plot, work_group_sweeps
from published import BESIDE, INTERVALS, RATIOS, Published, beside, best_variant, device_bandwidth, measured
from style import FAINT, INK, MODELS, legend_below, log_axis, new_figure
from table import Column, Table
from words import as_published, device_text, file_name, grid_text, model_text, percent, significant, span, tenths

# Basis of Table IV: nine floats read and written; FLOPs per update for a model without published figures.
BYTES, FLOPS = 9 * 4 * 2, 122


def tables(results: Results, published: Published) -> list[Table]:
    makers = (stream_table, step_table, words_table, model_table, rate_table, work_group_table)
    return [make(results, published) for make in makers]


def seconds_cells(name: str, run: pandas.Series | None) -> dict[str, Any]:
    return {} if run is None else {name: run["seconds_median"],
                                   f"{name}_range": span(run["seconds_low"], run["seconds_high"])}


def slower_cells(a: pandas.Series | None, b: pandas.Series | None) -> dict[str, Any]:
    """1 - a / b, and its interval from the outermost ends of both intervals."""
    if a is None or b is None:
        return {}
    least, most = 1 - a["seconds_high"] / b["seconds_low"], 1 - a["seconds_low"] / b["seconds_high"]
    return {"slower": 1 - a["seconds_median"] / b["seconds_median"], "slower_range": span(least, most, tenths)}


def stream_table(results: Results, published: Published) -> Table:
    """Table I: the same kernels in two models on the same device."""
    data, rows, notes = published.data["stream"], [], []
    runs = results.right()
    runs = runs[runs["part"].isin([k["name"] for k in data["kernels"]])]
    keys = ["device_type", "host", "precision"]
    kernels = {k["name"]: k for k in data["kernels"]}
    second = runs[runs["model"] == data["second_model"]]
    seen = set()
    for key, first in runs[runs["model"] == data["first_model"]].groupby([*keys, "device", "elements"], sort=False):
        there = second[(second[keys] == pandas.Series(dict(zip(keys, key)))).all(axis=1)]
        # Among several, the one on the device of that name, then one with arrays of the same length, then the fastest.
        there = there.assign(rank=[(d == key[3], e == key[4], g) for d, e,
                                   g in zip(there["device"], there["elements"], there["gb_per_s"])])
        who = f"{data['first_model']} on {device_text(key[3])} ({key[2]}, {key[4]:.0f} elements)"
        if there.empty:
            notes.append(f"{who}: no {data['second_model']} run on a {key[0]} of that host in {key[2]} to compare "
                         "with.")
            continue
        best = max(there["rank"])
        there = there[[rank[:2] == best[:2] for rank in there["rank"]]]
        comparable = there["elements"].iat[0] == key[4]
        notes.append(f"Measured: {who} beside {data['second_model']} on {device_text(there['device'].iat[0])} "
                     f"({there['elements'].iat[0]:.0f} elements)"
                     + (": arrays of different length, so their seconds cannot be compared." if not comparable
                        else "."))
        seen.add(key[0])
        for name, kernel in kernels.items():
            a, b = (next((run for _, run in frame[frame["part"] == name].nsmallest(1, "seconds_median").iterrows()), None)
                    for frame in (first, there))
            notes += [(run["notes"], f"{name} of {model_text(run['model'])}") for run in (a, b) if run is not None
                      and run["notes"]]
            rows.append({"on": device_text(key[3]), "type": key[2], **kernel, **seconds_cells("a", a),
                         **seconds_cells("b", b), **(slower_cells(a, b) if comparable else {}),
                         "order": (key[0] != "gpu", key[2] != "f32")})
    rows = rows or [{**kernel, "order": ()} for kernel in kernels.values()]
    notes += [] if "gpu" in seen else ["These results have no GPU with STREAM in both models."]
    rows.sort(key=lambda row: row["order"])
    columns = [Column("measured\non", "on"), Column("type", "type"), Column("kernel", "name"),
               Column("published\nOpenCL\ns", "first_seconds", as_published),
               Column("published\nOpenMP\ntarget\ns", "second_seconds", as_published),
               Column("published\nslower\n%", "slower_percent", as_published),
               Column("measured\nOpenCL\ns", "a", 4, "a_range"),
               Column("measured\nOpenMP\ntarget\ns", "b", 4, "b_range"),
               Column("measured\nslower\n%", "slower", tenths, "slower_range")]
    return Table("table-1", "Table I. STREAM: OpenCL against OpenMP target", rows, columns,
                 "Median seconds of each kernel's executions, and how much slower OpenMP target is: 1 - OpenCL / "
                 f"OpenMP target. {INTERVALS} If that of the percentage contains 0, no difference was found. The "
                 "length of the published arrays is not stated, so only the percentages can be compared.", notes,
                 published.citation("A", data["part"]) + ", on " + published.on(data["hardware"]))


def ladder(results: Results, published: Published) -> tuple[list[str], dict[tuple[str, str, str], pandas.Series]]:
    """The devices, GPUs first, and our run of each device, grid and step."""
    data, found, devices = published.data["optimisation_steps"], {}, {}
    for name in dict.fromkeys(grid for step in data["steps"] for grid in step["seconds"]):
        runs = measured(results, published.problems[name])
        runs = runs[runs["model"] == data["model"]]
        for _, run in runs.iterrows():
            devices.setdefault(run["device"], run["device_type"] != "gpu")
            found.setdefault((run["device"], name, run["variant"]), run)
    return sorted(devices, key=devices.get), found


def step_table(results: Results, published: Published) -> Table:
    data, rows, notes = published.data["optimisation_steps"], [], []
    devices, found = ladder(results, published)
    for device in devices or [""]:
        missing = {}
        for grid in data["steps"][0]["seconds"]:
            for step in data["steps"]:
                run = found.get((device, grid, step["variant"]))
                if run is None:
                    missing.setdefault(step["variant"], []).append(grid)
                rows.append({"grid": grid, "step": step["name"],
                             **beside(step["seconds"][grid], published.hardware[data["hardware"]], run, results,
                                      notes)})
        if missing and device:
            notes.append(f"{device_text(device)}: no right run in single precision of: "
                         + "; ".join(f"{variant} ({', '.join(grids)})" for variant, grids in missing.items()) + ".")
    notes += [] if devices else [f"These results have no right run of {data['model']} in single precision on these "
                                 "grids."]
    notes += [f"Step {step['name']}: {step['changes']}." for step in data["steps"]]
    return Table("table-2", "Table II. Seconds of each OpenCL optimisation step", rows,
                 [Column("grid", "grid", grid_text), Column("step", "step"), *BESIDE],
                 "Compute seconds of all iterations in single precision; each step builds on the one before. Our steps "
                 "are the variants of the same name, on every device that ran them. "
                 f"{RATIOS}", notes, published.citation("A", data["part"])
                 + ", on " + published.on(data["hardware"]), needs="seconds")


def words_table(results: Results, published: Published) -> Table:
    """Rutterford's statements about his steps, the values of his own Table II, and ours."""
    data, rows = published.data["optimisation_steps"], []
    devices, found = ladder(results, published)
    for before, step in zip(data["steps"], data["steps"][1:]):
        for grid, seconds in step["seconds"].items():
            row = {"step": step["name"], "grid": grid, "words": step["in_words"][grid],
                   "table": before["seconds"][grid] / seconds}
            for device in devices:
                runs = [found.get((device, grid, s["variant"])) for s in (before, step)]
                row[device] = None if any(r is None
                                          for r in runs) else runs[0]["seconds_full"] / runs[1]["seconds_full"]
            rows.append(row)
    columns = [Column("step", "step"), Column("grid", "grid", grid_text), Column("speed-up\nin words", "words", str),
               Column("from his\nTable II", "table", 3),
               *(Column(f"measured on\n{device_text(device)}", device, 3) for device in devices)]
    return Table("table-2-words", "Speed-ups of each step, in Rutterford's words and by his own table",
                 rows, columns, "Each step over the one before.", [data["in_words_note"]], published.citation("A", data["part"]))


def draw_ladder(results: Results, published: Published) -> Iterator[Plot]:
    """Draws the ladder of each device and grid for which we have steps."""
    data = published.data["optimisation_steps"]
    devices, found = ladder(results, published)
    for device in devices:
        for grid in data["steps"][0]["seconds"]:
            mine = {step: run["seconds_full"] for (on, of, step), run in found.items() if (on, of) == (device, grid)}
            mine = {i: mine[step["variant"]] for i, step in enumerate(data["steps"]) if step["variant"] in mine}
            if mine:
                yield Plot(file_name(f"optimisation-steps-{device}-{grid}"),
                           f"OpenCL optimisation steps, {grid_text(grid)}",
                           f"Each step is added to those before it. Measured on {device_text(device)}; published on "
                           f"{published.on(data['hardware'])}.", f"Seconds of {len(data['steps'])} steps.",
                           lambda mine=mine, grid=grid: draw_steps(data["steps"], mine, grid))


def draw_steps(steps: list[dict[str, Any]], mine: dict[int, float], grid: str) -> Figure:
    figure = new_figure(2.7)
    axes = figure.add_subplot(ylabel="run time (s, log scale)")
    lines = {"published": ({i: s["seconds"][grid] for i, s in enumerate(steps)}, FAINT, "s", "--"),
             "measured": (mine, MODELS["opencl"], "o", "-")}
    values = [v for points, *_ in lines.values() for v in points.values()]
    log_axis(axes.yaxis, min(values) / 2, max(values) * 2)
    for name, (points, colour, marker, line) in lines.items():
        axes.plot(list(points), list(points.values()), color=colour, marker=marker, markersize=4, linestyle=line,
                  label=name)
        for i, value in points.items():
            others = [p[i] for other, (p, *_) in lines.items() if other != name and i in p]
            above = not others or value >= others[0]
            axes.annotate(significant(value, 3), (i, value), xytext=(0, 5 if above else -5), textcoords="offset points",
                          ha="center", va="bottom" if above else "top", color=INK
                          if name == "published" else colour)
    axes.set_xticks(range(len(steps)), [s["name"] for s in steps], rotation=40, ha="right")
    axes.set_xlim(-0.6, len(steps) - 0.4)
    axes.grid(True, axis="y")
    legend_below(figure, axes.get_lines())
    return figure


def kinds(published_rows: list[dict[str, Any]], runs: pandas.DataFrame,
          published: Published) -> list[tuple[str, str, str, dict[str, Any] | None]]:
    """Label, model and type of device: the published ones in their order, then the others that were measured."""
    known = [(row["label"], row["model"], published.hardware[row["hardware"]]["type"], row) for row in published_rows]
    for model, device_type in dict.fromkeys(zip(runs["model"], runs["device_type"])):
        if not any(k[1:3] == (model, device_type) for k in known):
            known.append((f"{model} {device_type.upper() if len(device_type) == 3 else device_type}", model,
                          device_type, None))
    return known


def choices(runs: pandas.DataFrame, model: str, device_type: str) -> list[Any]:
    """The same algorithm as the others and, if different, the model's best variant."""
    runs = runs[(runs["model"] == model) & (runs["device_type"] == device_type)]
    like = runs[runs["variant"].isin(runs["variant"][runs["role"] == "like-for-like"])]
    best = best_variant(runs)
    if best is None:
        return [None]
    if len(like) and like.index[0] == best.name:
        return [best]
    return [*(run for _, run in like.head(1).iterrows()), dict(best) | {"name": f"{best['name']} (best)"}]


def without(missing: dict[str, list[str]]) -> list[tuple[str, str]]:
    return [(f"no right run in single precision of {', '.join(grids)} among these results", label)
            for label, grids in missing.items()]


def model_table(results: Results, published: Published) -> Table:
    data, rows, notes, missing = published.data["models"], [], [], {}
    ours = {grid: measured(results, published.problems[grid]) for grid in data["runs"][0]["seconds"]}
    everything = pandas.concat(ours.values())
    for grid, runs in ours.items():
        for label, model, device_type, row in kinds(data["runs"], everything, published):
            seconds = row["seconds"].get(grid) if row else None
            for run in choices(runs, model, device_type):
                if run is None:
                    missing.setdefault(label, []).append(grid)
                if run is not None or seconds:
                    hardware = published.hardware[row["hardware"]] if row else None
                    rows.append({"grid": grid, "model": label, **beside(seconds, hardware, run, results, notes)})
    return Table("table-3", "Table III. Seconds of each model", rows,
                 [Column("grid", "grid", grid_text), Column("model", "model"), *BESIDE],
                 "Compute seconds of all iterations in single precision, as published and as measured here "
                 "(median): the variant of the same algorithm and, if another one is faster, the model's best "
                 f"variant. {RATIOS}", notes + without(missing),
                 published.citation("A", data["part"]) + ": " + published.labels_on(data["runs"]), needs="seconds")


def rate_table(results: Results, published: Published) -> Table:
    data, rows, notes, missing = published.data["rates"], [], [], {}
    problem = published.problems[data["problem"]]
    runs = measured(results, problem)
    for label, model, device_type, row in kinds(data["rows"], runs, published):
        for run in choices(runs, model, device_type):
            cells = {**(row or {}), "model": label}
            cells["share"] = row["gb_per_s"] / published.hardware[row["hardware"]]["stream_gb_per_s"] if row else None
            if run is None:
                missing.setdefault(label, []).append(data["problem"])
            else:
                rate = 1e-9 * problem["nx"] * problem["ny"] * BYTES * problem["iterations"] / run["seconds_full"]
                intensity = (row["flops_per_update"] if row else FLOPS) / BYTES
                bandwidth = device_bandwidth(results, run)
                cells |= {"variant": run["name"], "on": device_text(run["device"]), "our_gb": rate,
                          "our_intensity": intensity,
                          "our_gflop": rate * intensity, "our_share": rate / bandwidth[0] if bandwidth else None}
                notes += [] if row else [(f"nothing published; the intensity assumes {FLOPS} FLOPs per update", label)]
                notes += [(f"measured over {run['steps']:.0f} of {run['iterations']} steps",
                           f"{label} {run['name']}")] if run["is_scaled"] else []
            rows.append(cells)
    columns = [Column("model", "model"), Column("our variant", "variant"), Column("measured\non", "on"),
               Column("published\nGB/s", "gb_per_s", as_published),
               Column("measured\nGB/s", "our_gb", 4), Column("published\nof STREAM", "share", percent),
               Column("measured\nof STREAM", "our_share", percent),
               Column("published\nGFLOP/s", "gflop_per_s", as_published), Column("measured\nGFLOP/s", "our_gflop", 4),
               Column("published\nFLOP/byte", "flop_per_byte", as_published),
               Column("measured\nFLOP/byte", "our_intensity", 3)]
    return Table("table-4", f"Table IV. Bandwidth, FLOP rate and operational intensity at {data['problem']}", rows, columns,
                 "By the published formulas: GB/s = nx ny 9 sizeof(float) 2 iterations / seconds; FLOP/byte = FLOPs of "
                 "an update / 72 bytes, with 122 FLOPs, or 155 in OpenCL (masks); GFLOP/s = GB/s x FLOP/byte. Of "
                 "STREAM: share of the STREAM triad's bandwidth on the same device. A run above 100 % does several "
                 "steps in one sweep or keeps the grid in cache, and so moves fewer bytes than the formula counts.",
                 notes + without(missing), published.citation("A", data["part"]) + ": "
                 + published.labels_on(data["rows"]))


def work_group_table(results: Results, published: Published) -> Table:
    """Fig. 2: published work-groups beside the same ones as measured."""
    data, rows, notes = published.data["work_groups"], [], []
    problem = published.problems[data["problem"]]
    sweeps = [rows for key, rows in work_group_sweeps(results.runs, results.tuning) if key[0] == data["model"]
              and key[6] == "f32"
              and (rows["case_digest"].eq(problem["digest"]) | rows["case"].eq(problem["name"])).any()]
    for point in data["points"]:
        hardware = published.hardware[point["hardware"]]
        row = {"shape": f"{point['x']}x{point['y']}", **point, "hardware": hardware["name"]}
        for sweep in sweeps:
            same = sweep[(sweep["shape"] == row["shape"]) & (sweep["device_type"] == hardware["type"])]
            if len(same) and "ours" not in row:
                scale = problem["iterations"] / same["steps"].iat[0]
                row |= {"who": f"{same['variant'].iat[0]} on {device_text(same['device'].iat[0])}",
                        "ours": same["seconds_best"].iat[0] * scale,
                        "over": same["seconds_best"].iat[0] / sweep["seconds_best"].iat[0]}
        rows.append(row)
    for sweep in sweeps:
        wide, high = (sweep["seconds_best"][sweep["shape"] == shape] for shape in ("32x4", "4x32"))
        if len(wide) and len(high):
            notes.append(f"{sweep['variant'].iat[0]} on {device_text(sweep['device'].iat[0])}: 4x32 takes "
                         f"{significant(high.iat[0] / wide.iat[0], 3)} times as long as 32x4; published: longer.")
    notes += [] if sweeps else ['No run was given a work-group; use `boltzmark tune`, or "work_group" in the runs '
                                'of a plan.']
    columns = [Column("work-group", "shape"), Column("published\non", "hardware"),
               Column("published\ns", "seconds", as_published),
               Column("published\nas", "remark"), Column("our run", "who"), Column("measured\ns", "ours", 4),
               Column("over\nour best", "over", 3)]
    return Table("work-groups", f"Fig. 2. Work-groups at {data['problem']}", rows, columns,
                 "Seconds of all iterations. Rutterford's best is 22 times as fast as his worst (16.78 s / 0.76 s).",
                 notes, published.citation("A", data["part"]))
