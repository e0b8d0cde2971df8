"""Ynddal's thesis: digits of sums, and segmented sums over the length of segments."""

from collections.abc import Iterator
from typing import Any

import pandas
from figures import Results
from matplotlib.figure import Figure
from plots import REPEATS, Plot, best_rows, draw_lines
from published import Published
from style import Look, fixed_ticks, log_axis
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
    columns = [Column("terms", "elements", whole), Column("our run", "who"), Column("on", "device"),
               Column("digits\nright", "digits", lambda digits: "all" if digits > 15.9 else f"{digits:.1f}"),
               Column("NumPy,\npairwise", "pairwise"), Column("tree on\nthe GPU", "tree")]
    group = published.data["accuracy"]
    return Table("accuracy", "Digits of the sum of 0, 1, 2 ...", rows, columns,
                 "Decimal digits that agree with the exact sum, n (n - 1) / 2; published ones are of floats.",
                 ["The counter-example is serial textbook in single precision: one float takes a term after the other, "
                  "and no longer changes once a term is less than half its last digit."] if len(rows) else [],
                 published.citation(group["source"]))


# Segments: the rate of each strategy over the length of a segment, and Ynddal's figure 6.5.

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
        counted = best[best["at_once"].notna() & best["name"].isin(STRATEGIES[1:4]) & (best["nx"] <= 32)]
        yield Plot(file_name(f"segments-{device}-{precision}"), f"Segmented sums, {title}",
                   "Bytes read and one sum written for each segment. " + REPEATS,
                   f"Fastest: {top['who']} at length {whole(top['nx'])}, {significant(top['gb_per_s'])} GB/s.",
                   lambda best=best: draw_segments(best, look))
        if len(counted):
            yield Plot(file_name(f"segments-at-once-{device}-{precision}"), f"Segments at once, {title}",
                       "Ynddal's figure 6.5: segments for each wavefront of 32 items, by the way in which they are laid out.",
                       "", lambda counted=counted: draw_at_once(counted, look))


def draw_segments(rows: pandas.DataFrame, look: Look) -> Figure:
    figure = draw_lines(rows, "nx", "gb_per_s", look, xlabel="elements of a segment", ylabel="GB/s (log scale)")
    axes, lengths = figure.axes[0], sorted(set(rows["nx"]))
    axes.set_xscale("log", base=2)
    fixed_ticks(axes.xaxis, [n for before, n in zip([0, *lengths], lengths) if n >= 1.8 * before])
    axes.tick_params(axis="x", labelrotation=60)
    axes.set_xlim(lengths[0] / 1.3, lengths[-1] * 1.3)
    log_axis(axes.yaxis, rows["gb_per_s_min"].min() / 1.3, rows["gb_per_s_max"].max() * 1.3)
    return figure


def draw_at_once(rows: pandas.DataFrame, look: Look) -> Figure:
    figure = draw_lines(rows, "nx", "at_once", look, xlabel="elements of a segment", ylabel="segments for each wavefront")
    figure.axes[0].set_ylim(bottom=0)
    return figure
