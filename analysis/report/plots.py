"""The plots of a workload: speed-ups, scaling, vector lengths, work-groups. Each takes rows of figures.csv."""

import math
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pandas
from figures import case_text, cases, cells_of, vector_length, workers_text
from matplotlib.colors import LogNorm
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Rectangle
from style import INK, Look, fixed_ticks, log_axis, new_figure, plain_ticks, whiskers
from words import counted, device_text, file_name, percent, plain, shortened, significant

BASELINES = {"textbook": "serial textbook", "like_for_like": "serial like for like"}
MOST_BARS = 40
REPEATS = "Whiskers: slowest and fastest of the repeats."


@dataclass
class Plot:
    id: str
    title: str
    caption: str
    summary: str                     # what it shows, in words
    draw: Callable[[], Figure]
    svg: str = ""                    # once it is drawn
    problem: str = ""                # why it was not
    data: Any = None                 # of the interactive one on the page


def best_rows(frame: pandas.DataFrame, keys: list[str]) -> pandas.DataFrame:
    """Of rows that are alike in these the one with the shortest median."""
    return frame.loc[frame.groupby(keys, sort=False, dropna=False)["seconds_median"].idxmin()]


def with_part(frame: pandas.DataFrame) -> str:
    part = frame["part"].iat[0]
    return f"{part}, " if part else ""


# Speed-ups: a bar a run.

def speed_ups(runs: pandas.DataFrame, look: Look) -> Iterator[Plot]:
    for (case, steps, precision), frame in cases(runs.assign(who=(runs["part"] + " " + runs["who"]).str.strip())):
        for key, name in BASELINES.items():
            bars = frame[frame[f"speed_up_over_{key}"].notna()]
            if len(bars) < 2:
                continue
            title = case_text(case, steps, precision)
            best = bars.loc[bars[f"speed_up_over_{key}"].idxmax()]
            caption = REPEATS + " The line at 1 is the baseline."
            if len(set(bars["device"])) == 1 and bars["device"].iat[0]:
                caption = f"All on {bars['device'].iat[0]}. {caption}"
            if len(bars) > MOST_BARS:
                caption += f" Of {len(bars)} runs the {MOST_BARS} fastest."
            yield Plot(file_name(f"speed-up-{title}-over-{key}"), f"{title}: speed-up over {name}", caption,
                       f"Fastest of {len(bars)}: {best['who']} with {significant(best[f'speed_up_over_{key}'], 3)} "
                       "times.",
                       lambda bars=bars, key=key, name=name,
                       title=title: draw_speed_ups(bars, key, name, title, look))


def draw_speed_ups(bars: pandas.DataFrame, key: str, over: str, title: str, look: Look) -> Figure:
    values = f"speed_up_over_{key}"
    bars = bars.loc[bars[values].nlargest(MOST_BARS).index.sort_values()].reset_index(drop=True)
    devices = len(set(bars["device"])) > 1
    figure = new_figure(7.2, 1.25 + (0.36 if devices else 0.25) * len(bars))
    axes = figure.add_subplot(title=title)
    several = bars.groupby(["who", "device"], dropna=False)["workers"].transform("nunique") > 1
    labels = [shortened(row["who"], 40) + (f", {workers_text(row)}" if more else "")
              + (f"\n{device_text(row['device'])}" if devices else "") for (_, row),
              more in zip(bars.iterrows(), several)]
    axes.set_yticks(range(len(bars)), labels, fontsize=8)
    axes.tick_params(axis="y", length=0)
    axes.set_ylim(len(bars) - 0.4, -0.6)
    low, high = min(1.0, bars[values].min()), max(1.0, bars[[values, values + "_max"]].max().max())
    log = high / low > 40
    foot = 1.0 if log else 0.0
    if log:
        log_axis(axes.xaxis, low / 1.3, high * 2.2)
    else:
        axes.set_xlim(0, high * 1.14)
    axes.set_xlabel(f"speed-up over {over} (times as fast{', log scale' if log else ''})")
    axes.grid(True, axis="x")
    for i, bar in bars.iterrows():
        value = bar[values]
        low, high = (bar[f"{values}_{end}"] if bar[f"{values}_{end}"] == bar[f"{values}_{end}"] else value
                     for end in ("min", "max"))
        axes.barh(i, value - foot, left=foot, height=0.62, color=look.colour(bar["model"]), edgecolor="white",
                  hatch=look.hatch(bar["model"], bar["name"]), linewidth=0.5, zorder=2.5)
        axes.errorbar(value, i, xerr=[[max(0.0, value - low)], [max(0.0, high - value)]], fmt="none", ecolor=INK,
                      capsize=2.5)
        axes.annotate(significant(value, 3), (max(value, high, foot), i), xytext=(4, 0), textcoords="offset points",
                      va="center",
                      fontsize=8)
    axes.axvline(1.0, color=INK, linewidth=1.0, zorder=2)
    return figure


# Scaling: rate, share of ideal and halo exchanges over the number of workers.

def scaling_lines(runs: pandas.DataFrame) -> Iterator[tuple[str, str, pandas.DataFrame]]:
    """"strong" or "weak", the case (of one worker), and the rows of all lines, by model, name and workers."""
    for kind, case in (("strong", "case"), ("weak", "weak_line")):
        rows = runs.assign(efficiency=runs[f"{kind}_efficiency"], line_case=runs[case])
        rows = rows[rows["efficiency"].notna()].sort_values(["model", "name", "workers"], kind="stable")
        # One worker may be called a rank or a thread: the whole line is of what its last point has several of.
        rows["workers_unit"] = rows.groupby(["line_case", "model", "name"])["workers_unit"].transform("last")
        for (name, *_), frame in rows.groupby(["line_case", "steps", "precision", "part"], sort=False, dropna=False):
            yield kind, name, frame


def scaling(runs: pandas.DataFrame, look: Look) -> Iterator[Plot]:
    for kind, case, rows in scaling_lines(runs):
        of = case_text(case, rows["steps"].iat[0], rows["precision"].iat[0])
        title = with_part(rows) + of + (" for each worker" if kind == "weak" else "")
        last = rows.loc[rows["workers"].idxmax()]
        halo = rows["halo_share"].notna().any()
        yield Plot(file_name(f"scaling-{kind}-{with_part(rows)}{of}"), f"{kind.capitalize()} scaling, {title}",
                   ("The same case for all." if kind == "strong" else "A case that grows with the workers.")
                   + " Ideal: every worker as fast as in the first point of its line. " + REPEATS
                   + (" Of halo exchanges: from the average over the ranks to the rank with the most." if halo
                      else ""),
                   f"{last['who']}: {percent(last['efficiency'])} of ideal with {last['workers']:.0f} "
                   f"{last['workers_unit']}.",
                   lambda rows=rows, title=title, halo=halo: draw_scaling(rows, title, halo, look))


def draw_scaling(rows: pandas.DataFrame, title: str, halo: bool, look: Look) -> Figure:
    lines = list(rows.groupby(["model", "name"], sort=False))
    figure = new_figure(11.6 if halo else 9.6, max(3.9, 1.5 + 0.185 * (len(lines) + 1)), title)
    panels = figure.subplots(1, 3 if halo else 2)
    workers = sorted(set(rows["workers"]))
    unit = rows["rate_unit"].iat[0]
    ideal = {"color": INK, "linewidth": 0.9, "linestyle": (0, (4, 2))}
    for axes in panels:
        axes.set_xlabel(f"{' or '.join(dict.fromkeys(rows['workers_unit']))} (number, log scale)")
        axes.set_xscale("log", base=2)
        fixed_ticks(axes.xaxis, [w for i, w in enumerate(workers) if i == 0 or len(workers) < 12
                                 or math.log2(w).is_integer()])
        axes.set_xlim(workers[0] / 1.25, workers[-1] * 1.25)
        axes.grid(True)
    handles = []
    for (model, name), line in lines:
        style, first = look.line(model, name), line.iloc[0]
        each = first["rate"] / first["workers"]
        panels[0].plot(line["workers"], line["workers"] * each, **{**ideal, "color": style["color"]})
        whiskers(panels[0], line["workers"], line["rate"], line["rate_min"], line["rate_max"], **style)
        percents = 100 * line["efficiency"] / line["rate"]
        whiskers(panels[1], line["workers"], line["rate"] * percents, line["rate_min"] * percents,
                 line["rate_max"] * percents, **style)
        if halo and line["halo_share"].notna().any():
            share = 100 * line["halo_share"]
            whiskers(panels[2], line["workers"], share, share, 100 * line["halo_share_most"], **style)
        handles.append(Line2D([], [], label=shortened(f"{model} {name} ({first['workers_unit']})", 36), **style))
    panels[0].set_yscale("log", base=2)
    low, high = panels[0].get_ylim()
    steps = next(s for s in ((1,), (1, 2, 5), range(1, 10), [i / 4 for i in range(4, 40)])
                 if sum(low <= m * 10.0**e <= high for e in range(-9, 12) for m in s) >= 3 or len(s) > 9)
    fixed_ticks(panels[0].yaxis, [m * 10.0**e for e in range(-9, 12) for m in steps if low <= m * 10.0**e <= high])
    panels[0].set_ylabel(f"rate ({unit}, log scale)")
    panels[1].axhline(100, **ideal)
    panels[1].set_ylim(0, max(112.0, panels[1].get_ylim()[1]))
    panels[1].set_ylabel("share of ideal (%)")
    if halo:
        panels[2].set_ylabel("time in halo exchanges (%)")
        panels[2].set_ylim(0, max(1.0, panels[2].get_ylim()[1]))
    panels[-1].legend(handles=[*handles, Line2D([], [], label="ideal", **ideal)], loc="upper left",
                      bbox_to_anchor=(1.03, 1.0),
                      handlelength=3.4)
    return figure


# Vector lengths, as Fig. 1 of Gray and Stratford ("targetDP", 2014) has them.

def vector_lengths(runs: pandas.DataFrame, look: Look) -> Iterator[Plot]:
    if runs.empty:
        return
    asked = runs[["--vvl" in options for options in runs["options"]]]
    asked = asked.assign(lanes=[vector_length(s) for s in asked["settings"]],
                         vectors=[s.get("vectors", "?") for s in asked["settings"]],
                         name=asked["name"].str.replace(r" ?--vvl \S+", "", regex=True))
    for (case, steps, precision), frame in cases(asked[asked["lanes"].notna()]):
        best = best_rows(frame, ["model", "name", "workers", "lanes"])
        best = best[best.groupby(["model", "name", "workers"])["lanes"].transform("nunique") > 1]
        if len(best):
            top, title = best.loc[best["rate"].idxmax()], case_text(case, steps, precision)
            yield Plot(file_name(f"vectors-{title}"), f"Vector lengths, {title}",
                       "The same update, compiled for vectors of each length. Plain arrays are what is left to the "
                       "compiler's own "
                       "vectoriser. " + REPEATS,
                       f"Fastest: {top['model']} {top['name']} with {top['lanes']} in a vector.",
                       lambda best=best, title=title: draw_vectors(best, title, look))


def draw_vectors(rows: pandas.DataFrame, title: str, look: Look) -> Figure:
    lengths = {n: " or ".join(dict.fromkeys(rows["vectors"][rows["lanes"] == n])) for n in sorted(set(rows["lanes"]))}
    lines = list(rows.groupby(["model", "name", "workers"], sort=False))
    figure = new_figure(max(6.4, 3.4 + 0.85 * len(lengths)), max(3.7, 1.6 + 0.185 * len(lines)))
    axes = figure.add_subplot(title=title, ylabel=f"rate ({rows['rate_unit'].iat[0]})",
                              xlabel="cells in a vector, and what the vectors are")
    axes.set_xticks(range(len(lengths)), ["\n".join([plain(n), *text.split()]) for n, text in lengths.items()])
    axes.grid(True, axis="y")
    places = {n: i for i, n in enumerate(lengths)}
    for i, ((model, name, workers), line) in enumerate(lines):
        line = line.sort_values("lanes")
        shift = 0.0 if len(lines) < 2 else min(0.5, 0.09 * len(lines)) * (i / (len(lines) - 1) - 0.5)
        whiskers(axes, line["lanes"].map(places) + shift, line["rate"], line["rate_min"], line["rate_max"],
                 **look.line(model, name),
                 label=shortened(f"{model} {name}, {counted(int(workers), 'worker')}", 40))
    axes.set_ylim(bottom=0)
    plain_ticks(axes.yaxis)
    axes.legend(loc="upper left", bbox_to_anchor=(1.02, 1.0), handlelength=3.4)
    return figure


# Work-groups: a heat map of seconds.

def work_group_sweeps(runs: pandas.DataFrame, tuning: pandas.DataFrame) -> Iterator[tuple[Any, pandas.DataFrame]]:
    """Rows that differ in their work-group only, with its x and y, the seconds that count and who chose it."""
    both = pandas.concat([runs, tuning])
    both = both.assign(shape=[str(s.get("work_group", "")) for s in both["settings"]])
    both = both[[bool(re.fullmatch(r"\d+x\d+(x\d+)?", shape)) and status == "ok" for shape,
                 status in zip(both["shape"], both["status"])]]
    if both.empty:
        return
    asked = both["work_group_asked"] != ""
    both = both.assign(chosen=~asked, seconds_best=both["seconds_median"].where(both["source"] != "tuning",
        both["seconds_min"]),
                       others=[re.sub(rf"^{shape} ?", "", setting) if is_asked else setting
                               for shape, setting, is_asked in zip(both["shape"], both["setting"], asked)])
    both[["x", "y"]] = both["shape"].str.split("x", expand=True).iloc[:, :2].astype(int)
    for key, rows in both.groupby(["model", "variant", "others", "device", "case", "steps", "precision"], sort=False,
                                  dropna=False):
        if not rows["chosen"].all() and rows["shape"].nunique() > 1:
            yield key, rows.sort_values("seconds_best", kind="stable")


def work_groups(runs: pandas.DataFrame, tuning: pandas.DataFrame, _look: Look) -> Iterator[Plot]:
    for (model, variant, others, device, case, steps, precision), rows in work_group_sweeps(runs, tuning):
        cells = rows.drop_duplicates("shape")
        marks = {"best": cells.iloc[0], "worst": cells.iloc[-1]}
        if rows["chosen"].any():
            marks["default"] = rows[rows["chosen"]].iloc[0]
        title = f"{model} {variant} {others}".strip() + f", {case_text(case, steps, precision)}"
        yield Plot(file_name(f"work-group-{title}-{device}"), f"Work-groups of {title}",
                   f"On {device}. Dark is slow."
                   + (" Each x and y with the z that is fastest." if cells["shape"].str.count("x").gt(1).any() else ""),
                   ", ".join(f"{k} {m['shape']} with {significant(m['seconds_best'])} s" for k, m in marks.items())
                   + ".",
                   lambda cells=cells, marks=marks, title=title: draw_work_groups(
                       cells.drop_duplicates(["x", "y"]), marks, title))


FRAMES = {"solid": "-", "dashed": (0, (4, 1.5)), "dotted": (0, (1, 1))}


def draw_work_groups(cells: pandas.DataFrame, marks: dict[str, Any], title: str) -> Figure:
    sizes = {axis: sorted(set(cells[axis])) for axis in "xy"}
    # Each size has a cell of its own, whatever the distance to the next.
    place = {axis: {size: i for i, size in enumerate(sizes[axis])} for axis in "xy"}
    wide, high = len(sizes["x"]), len(sizes["y"])
    figure = new_figure(max(5.0, min(0.52 * wide, 10) + 2.0), max(1.6, min(0.36 * high, 7)) + 1.3)
    axes = figure.add_subplot(title=title, ylabel="in y (work-items)")
    axes.set_facecolor("#eceff1")
    axes.tick_params(axis="x", labelrotation=90 if wide > 14 else 0)
    grid = cells.pivot(index="y", columns="x", values="seconds_best").reindex(index=sizes["y"], columns=sizes["x"])
    image = axes.pcolormesh(grid.to_numpy(), cmap="cividis_r", edgecolors="white", linewidth=0.6,
                            norm=LogNorm(cells["seconds_best"].min() / 1.0001, cells["seconds_best"].max() * 1.0001))
    axes.set_xticks([t + 0.5 for t in range(wide)], [plain(t) for t in sizes["x"]])
    axes.set_yticks([t + 0.5 for t in range(high)], [plain(t) for t in sizes["y"]])
    bar = figure.colorbar(image, ax=axes, label="run time (s, log scale)")
    log_axis(bar.ax.yaxis, *image.get_clim())
    if wide <= 14:
        for row in cells.itertuples():
            red, green, blue, _ = image.cmap(image.norm(row.seconds_best))
            axes.text(place["x"][row.x] + 0.5, place["y"][row.y] + 0.5, significant(row.seconds_best, 3), ha="center",
                      va="center", fontsize=7, color=INK if 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.45 else "white")
    said = []
    for (kind, at), (words, line), inset in zip(marks.items(), FRAMES.items(), (0.04, 0.04, 0.12)):
        box = (place["x"][at["x"]] + inset, place["y"][at["y"]] + inset), 1 - 2 * inset, 1 - 2 * inset
        axes.add_patch(Rectangle(*box, fill=False, edgecolor="white", linewidth=3.4, zorder=3))
        axes.add_patch(Rectangle(*box, fill=False, edgecolor="#d55e00", linewidth=1.8, linestyle=line, zorder=4))
        said.append(f"{kind} ({words}): {at['x']} \u00d7 {at['y']}, {significant(at['seconds_best'], 3)} s")
    axes.set_xlabel("work-group size in x (work-items)\n\n" + "\n".join(said))
    return figure
