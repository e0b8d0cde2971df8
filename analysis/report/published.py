"""Plots beside the published tables: Rutterford's ladder, and Ynddal's segmented sums and three bars of the heat
equation. Their figures are rows of tables made in C++."""

from collections.abc import Iterator

import pandas
from figures import Results, case_text
from matplotlib.figure import Figure
from plots import WHISKERS, Plot, best_rows, draw_bars, draw_lines
from style import FAINT, INK, MODELS, Look, fixed_ticks, legend_below, log_axis, new_figure
from words import device_text, file_name, grid_text, precision_text, significant, whole


# The ladder of OpenCL steps on each device and grid.

def ladder(results: Results) -> Iterator[Plot]:
    for rows in (table.frame for table in results.tables if table.id == "table-2"):
        for (device, grid), mine in rows[rows["measured"].notna()].groupby(["run.device", "grid"], sort=False):
            published = rows[rows["grid"] == grid].drop_duplicates("step").set_index("step")["published"]
            yield Plot(file_name(f"optimisation-steps-{device}-{grid}"), f"OpenCL optimisation steps, {grid_text(grid)}",
                       f"Each step is added to those before it. Measured on {device_text(device)}.",
                       f"Seconds of {len(published)} steps.",
                       lambda mine=mine.set_index("step")["measured"], published=published: draw_ladder(published, mine))


def draw_ladder(published: pandas.Series, measured: pandas.Series) -> Figure:
    figure = new_figure(2.7)
    axes = figure.add_subplot(ylabel="run time (s, log scale)")
    both = pandas.concat([published, measured])
    log_axis(axes.yaxis, both.min() / 2, both.max() * 2)
    lines = {"published": (published, measured, FAINT, INK, "s", "--"),
             "measured": (measured, published, MODELS["opencl"], MODELS["opencl"], "o", "-")}
    for name, (line, other, colour, ink, marker, style) in lines.items():
        places = [published.index.get_loc(step) for step in line.index]
        axes.plot(places, line, color=colour, marker=marker, markersize=4, linestyle=style, label=name)
        for i, (step, value) in zip(places, line.items()):
            is_above = not value < other.get(step, 0.0)
            axes.annotate(significant(value, 3), (i, value), xytext=(0, 5 if is_above else -5), ha="center",
                          textcoords="offset points", va="bottom" if is_above else "top", color=ink)
    axes.set_xticks(range(len(published)), published.index, rotation=40, ha="right")
    axes.set_xlim(-0.6, len(published) - 0.4)
    axes.grid(True, axis="y")
    legend_below(figure, axes.get_lines())
    return figure


# Segments: the rate of each strategy over the length of a segment, and Ynddal's figure 6.5.

STRATEGIES = ["packed", "compact", "power-of-two"]


def segments(results: Results, look: Look) -> Iterator[Plot]:
    runs = results.right()
    runs = runs[(runs["workload"] == "segments") & (runs["part"] == "") & (runs["setting"] == "")]
    runs = runs.assign(at_once=[metrics.get("segments_per_wavefront", {}).get("value") for metrics in runs["metrics"]])
    for (device, precision), frame in runs.groupby(["device", "precision"], sort=False):
        best = best_rows(frame, ["model", "name", "nx"])
        if best["nx"].nunique() < 2:
            continue
        top = best.loc[best["gb_per_s"].idxmax()]
        title = f"segments on {device_text(device)}, {precision_text(precision)}"
        counted = best[best["at_once"].notna() & best["name"].isin(STRATEGIES) & (best["nx"] <= 32)]
        yield Plot(file_name(f"segments-{device}-{precision}"), f"Segmented sums, {title}",
                   "Counted: the bytes read and the one sum written per segment. " + WHISKERS,
                   f"Fastest: {top['who']} at length {whole(top['nx'])}, {significant(top['gb_per_s'])} GB/s.",
                   lambda best=best: draw_segments(best, look))
        if len(counted):
            yield Plot(file_name(f"segments-at-once-{device}-{precision}"), f"Segments at once, {title}",
                       "Ynddal's figure 6.5: segments per wavefront of 32 work-items, by strategy.",
                       "", lambda counted=counted: draw_at_once(counted, look))


def draw_segments(rows: pandas.DataFrame, look: Look) -> Figure:
    figure = draw_lines(rows, "nx", "gb_per_s", look, xlabel="elements per segment", ylabel="GB/s (log scale)")
    axes, lengths = figure.axes[0], sorted(set(rows["nx"]))
    axes.set_xscale("log", base=2)
    fixed_ticks(axes.xaxis, [n for before, n in zip([0, *lengths], lengths) if n >= 1.8 * before])
    axes.tick_params(axis="x", labelrotation=60)
    axes.set_xlim(lengths[0] / 1.3, lengths[-1] * 1.3)
    log_axis(axes.yaxis, rows["gb_per_s_low"].fillna(rows["gb_per_s"]).min() / 1.3, rows["gb_per_s_high"].fillna(rows["gb_per_s"]).max() * 1.3)
    return figure


def draw_at_once(rows: pandas.DataFrame, look: Look) -> Figure:
    figure = draw_lines(rows, "nx", "at_once", look, xlabel="elements per segment", ylabel="segments per wavefront")
    figure.axes[0].set_ylim(bottom=0)
    return figure


# The heat equation expression by expression: as found, with a tuned work-group, and with corrected index arithmetic
# instead.

def three_bars(results: Results) -> Iterator[Plot]:
    look, keys = Look(results.runs), ["model", "device", "case", "steps", "precision"]
    for table in (table for table in results.tables if table.id == "three-bars"):
        rows = table.frame.rename(columns=lambda name: name.removeprefix("run.")).astype(
            {"seconds_low": float, "seconds_high": float})      # all missing in results of a single round
        for (model, device, case, steps, precision), bars in rows.groupby(keys, sort=False):
            if len(bars) < 3:
                continue
            seconds, title = [*bars["seconds_median"]], f"{case_text(case, steps, precision)}, {model} on {device_text(device)}"
            group = bars["work_group_asked"].iat[1] or bars["tuned"].iat[1]
            yield Plot(file_name(f"three-bars-{title}"), f"Work-group or index: {title}",
                       f"One kernel per array expression. Tuned: {group}. {WHISKERS} {table.caption}",
                       f"A tuned work-group makes it {significant(seconds[0] / seconds[1], 3)} times as fast, contiguous "
                       f"neighbours {significant(seconds[0] / seconds[2], 3)} times.", lambda bars=bars: draw_bars(
                           bars, "seconds_median", [name.replace(", ", ",\n") for name in bars["bar"]], "seconds", look))
