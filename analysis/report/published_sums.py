"""Source E (Ynddal's thesis): digits of sums, and segmented sums over the length of segments."""

from collections.abc import Iterator
from typing import Any

import pandas
from figures import Results
from matplotlib.figure import Figure
from plots import REPEATS, Plot, best_rows
from published import Published
from style import Look, fixed_ticks, log_axis, new_figure, whiskers
from table import Column, Table
from words import device_text, file_name, precision_text, significant, whole

STRATEGIES = ["serial", "packed", "compact", "power-of-two", "group", "adaptive"]


def metric(row: Any, name: str) -> float:
    value = row["metrics"].get(name, {}).get("value")
    return float("nan") if value is None else float(value)


# Digits: how exact a sum of 0, 1, 2 ... is.

def accuracy(results: Results, published: Published) -> Table:
    runs = results.right()
    runs = runs[(runs["workload"] == "reduce") & (runs["part"] == "")]
    runs = runs.assign(digits=[metric(row, "digits") for _, row in runs.iterrows()])
    runs = runs[runs["digits"].notna()].drop_duplicates(["elements", "who", "precision", "device"])
    beside = {row["elements"]: row for row in published.data["accuracy"]["rows"]}
    rows = [{"elements": run["elements"], "who": f"{run['who']}, {precision_text(run['precision'])}",
             "device": device_text(run["device"]), "digits": run["digits"],
             **{key: beside.get(run["elements"], {}).get(key) for key in ("pairwise", "tree")}}
            for _, run in runs.sort_values("elements", kind="stable").iterrows()]
    frame = pandas.DataFrame(rows, columns=["elements", "who", "device", "digits", "pairwise", "tree"])
    columns = [Column("terms", "elements", whole), Column("our run", "who"), Column("on", "device"),
               Column("digits\nright", "digits", lambda digits: "all" if digits > 15.9 else f"{digits:.1f}"),
               Column("E: NumPy,\npairwise", "pairwise"), Column("E: tree\non the GPU", "tree")]
    group = published.data["accuracy"]
    return Table("accuracy", "Source E: digits of the sum of 0, 1, 2 ...", frame, columns,
                 "Decimal digits that agree with the exact sum, n (n - 1) / 2; published ones are of floats.",
                 ["The counter-example is serial textbook in single precision: one float takes a term after the other, and "
                  "no longer changes once a term is less than half its last digit."] if len(rows) else [],
                 published.citation(group["source"]))


# Segments: the rate of each strategy over the length of a segment, and E's figure 6.5.

def segments(results: Results, look: Look) -> Iterator[Plot]:
    runs = results.right()
    runs = runs[(runs["workload"] == "segments") & (runs["part"] == "") & (runs["setting"] == "")]
    runs = runs.assign(at_once=[metric(row, "segments_per_wavefront") for _, row in runs.iterrows()])
    for (device, precision), frame in runs.groupby(["device", "precision"], sort=False):
        best = best_rows(frame, ["model", "name", "nx"])
        if best["nx"].nunique() < 2:
            continue
        top = best.loc[best["gb_per_s"].idxmax()]
        title = f"segments on {device_text(device)}, {precision_text(precision)}"
        yield Plot(file_name(f"segments-{device}-{precision}"), f"Segmented sums, {title}",
                   "Left: bytes read and one sum written for each segment. Right, E's figure 6.5: segments for each "
                   "wavefront of 32 items, by the way in which they are laid out. " + REPEATS,
                   f"Fastest: {top['who']} at length {whole(top['nx'])}, {significant(top['gb_per_s'])} GB/s.",
                   lambda best=best, title=title: draw_segments(best, title, look))


def draw_segments(rows: pandas.DataFrame, title: str, look: Look) -> Figure:
    lines = list(rows.groupby(["model", "name"], sort=False))
    counted = rows[rows["at_once"].notna() & rows["name"].isin(STRATEGIES[1:4])]
    figure = new_figure(10.4 if len(counted) else 6.8, max(3.9, 1.5 + 0.185 * len(lines)), title)
    panels = figure.subplots(1, 2 if len(counted) else 1, squeeze=False)[0]
    low, high = rows["nx"].min(), rows["nx"].max()
    panels[0].set_xscale("log", base=2)
    lengths = sorted(set(rows["nx"]))
    fixed_ticks(panels[0].xaxis, [n for before, n in zip([0, *lengths], lengths) if n >= 1.8 * before])
    panels[0].tick_params(axis="x", labelrotation=45)
    panels[0].set_xlim(low / 1.3, high * 1.3)
    log_axis(panels[0].yaxis, rows["gb_per_s_min"].min() / 1.3, rows["gb_per_s_max"].max() * 1.3)
    panels[0].set(xlabel="elements of a segment (log scale)", ylabel="GB/s (log scale)")
    for (model, name), line in lines:
        line = line.sort_values("nx")
        whiskers(panels[0], line["nx"], line["gb_per_s"], line["gb_per_s_min"], line["gb_per_s_max"],
                 **look.line(model, name), label=f"{model} {name}")
    if len(counted):
        for (model, name), line in counted[counted["nx"] <= 32].groupby(["model", "name"], sort=False):
            line = line.sort_values("nx")
            panels[1].plot(line["nx"], line["at_once"], **look.line(model, name))
        panels[1].set(xlabel="elements of a segment", ylabel="segments for each wavefront")
        panels[1].set_ylim(bottom=0)
    for axes in panels:
        axes.grid(True)
    handles, labels = panels[0].get_legend_handles_labels()
    panels[-1].legend(handles, labels, loc="upper left", bbox_to_anchor=(1.03, 1.0), handlelength=3.4)
    return figure
