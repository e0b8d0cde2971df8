"""The charts of a workload: models compared, scaling, vector lengths, work-groups. Each takes rows of figures.csv."""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import pandas
from figures import case_text, cases
from matplotlib.colors import LogNorm
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Rectangle
from style import INK, Look, fixed_ticks, legend_below, log_axis, new_figure, plain_ticks, whiskers
from words import (counted, device_text, file_name, model_text, percent, plain, problem_text, shortened, significant,
                   whole)

MOST_BARS = 40
WHISKERS = "Whiskers: interval of the median over the rounds; not drawn for a single round."


@dataclass
class Plot:
    id: str
    title: str
    caption: str
    summary: str                     # what it shows, in words
    draw: Callable[[], Figure]
    svg: str = ""                    # once it is drawn
    problem: str = ""                # why it was not drawn
    is_minor: bool = False           # folded on the page
    on_page: bool = True             # or only among the files for papers
    runs: pandas.DataFrame = field(default_factory=pandas.DataFrame)    # of a roofline


def best_rows(frame: pandas.DataFrame, keys: list[str]) -> pandas.DataFrame:
    """Among rows that agree in these keys, the one with the shortest median."""
    return frame.loc[frame.groupby(keys, sort=False, dropna=False)["seconds_median"].idxmin()]


def with_part(frame: pandas.DataFrame) -> str:
    part = frame["part"].iat[0]
    return f"{part}, " if part else ""


# Models compared: a bar per run, on the page and for papers.

@dataclass
class Bars:
    """Bars of one problem: rows for each unit, the fastest first. A bar's ends are shares of the longest in per
    cent."""
    id: str
    label: str
    caption: str
    units: list[tuple[str, str, list[dict[str, Any]]]]     # key, meaning of a bar's length, rows


def labelled(frame: pandas.DataFrame) -> pandas.DataFrame:
    """Rows with labels that distinguish the runs; with the type of device only if there are several."""
    groups = frame.groupby(["who", "device"], dropna=False)
    said = {"workers": lambda row: counted(int(row["workers"]), row["workers_unit"].rstrip("s") or "core"),
            "steps": lambda row: f"{row['steps']:.0f} steps"}
    several = {key: groups[key].transform("nunique") > 1 for key in said}
    devices = frame["device_type"].nunique() > 1
    labels = [", ".join(text for text in (row["who"], *(say(row) * bool(several[key][i]) for key, say in said.items()),
                                          row["device_type"].upper() * devices) if text) for i, row in frame.iterrows()]
    return frame.assign(label=labels)


def baselines(frame: pandas.DataFrame, all_runs: pandas.DataFrame) -> list[tuple[str, str]]:
    """Key and description of the figure; the serial variant of the same algorithm is named if there is one."""
    same = set(all_runs["variant"][(all_runs["model"] == "serial") & (all_runs["role"] == "like-for-like")])
    serial = f"serial {same.pop()}" if len(same) == 1 else "serial, same algorithm"
    units = [("speed_up_over_like_for_like", f"times {serial}"), ("speed_up_over_textbook", "times serial textbook")]
    rate = [("rate", " or ".join(sorted(set(frame["rate_unit"]) - {""})))] if frame["rate"].notna().any() else []
    return rate + [(key, text) for key, text in units if frame[key].notna().any()]


def comparisons(workload: str, runs: pandas.DataFrame, look: Look) -> Iterator[Bars]:
    """A chart for each problem; of separately timed kernels only the triad."""
    runs = runs[(runs["part"] == "") | (runs["part"] == "triad")]
    for (case, precision), frame in runs.groupby(["case", "precision"], sort=False):
        frame = labelled(frame.sort_values("rate", ascending=False, kind="stable"))
        units = []
        for key, text in baselines(frame, runs):
            units.append((key.removeprefix("speed_up_over_"), text, bar_rows(frame[frame[key].notna()], key, look)))
        if units and len(frame) > 1:
            devices = list(dict.fromkeys(device_text(device, 60) for device in frame["device"] if device))
            yield Bars(bars_id(workload, case, precision),
                       f"{workload.replace('_', '-')} {problem_text(case)}{f' {precision}' * (precision != 'f32')}",
                       f"{'; '.join(devices)}. " * bool(devices) + WHISKERS, units)


def bar_rows(rows: pandas.DataFrame, key: str, look: Look) -> list[dict[str, Any]]:
    """Labelled rows as the page draws them; the longest of those visible at first spans the page."""
    longest = max(rows[key].max(), rows[f"{key}_high"][:12].max())

    def ends(row: Any) -> list[float]:
        both = [row[f"{key}_low"], row[f"{key}_high"]]
        return [min(100.0, 100 * end / longest) for end in both] if both[0] == both[0] else []
    return [{"id": row["id"], "label": row["label"], "model": model_text(row["model"]), "colour": look.colour(row["model"]),
             "text": significant(row[key], 3), "length": 100 * row[key] / longest, "is_noisy": row["is_noisy"],
             "ends": ends(row)} for _, row in rows.iterrows()]


def bars_id(workload: str, case: str, precision: str) -> str:
    return file_name(f"models-{workload}-{case}-{precision}")


def speed_ups(runs: pandas.DataFrame, look: Look) -> Iterator[Plot]:
    """Plots of speed-ups for papers."""
    runs = runs[runs["part"] == ""]
    for (case, steps, precision), frame in cases(runs):
        for key, name in baselines(frame, runs)[1:]:
            bars = labelled(frame[frame[key].notna()])
            if len(bars) > 1:
                title = case_text(case, steps, precision)
                over = key.removeprefix("speed_up_over_")
                yield Plot(file_name(f"speed-up-{title}-over-{over}"), title, WHISKERS, "",
                           lambda bars=bars, key=key, name=name: draw_speed_ups(bars, key, name, look), on_page=False)


def draw_speed_ups(bars: pandas.DataFrame, key: str, name: str, look: Look) -> Figure:
    bars = bars.loc[bars[key].nlargest(MOST_BARS).index]
    figure = draw_bars(bars, key, [shortened(label, 38) for label in bars["label"]], name, look)
    axes = figure.axes[0]
    axes.set_xlim(0, max(1.2, axes.get_xlim()[1]))
    axes.axvline(1.0, color=INK, linewidth=0.8, zorder=2.5)
    return figure


def draw_bars(bars: pandas.DataFrame, key: str, labels: list[str], unit: str, look: Look) -> Figure:
    """A bar per row, from the top down, with its value and, if it has an interval, whiskers: KEY, KEY_low and
    KEY_high."""
    figure = new_figure(0.55 + 0.155 * "\n".join(labels).count("\n") + 0.155)
    axes = figure.add_subplot(xlabel=unit, ylim=(len(bars) - 0.4, -0.6))
    axes.set_yticks(range(len(bars)), labels)
    axes.tick_params(axis="y", length=0)
    axes.grid(True, axis="x")
    kind = key.removesuffix("_median")
    for i, (_, bar) in enumerate(bars.iterrows()):
        value, low, high = bar[key], bar[f"{kind}_low"], bar[f"{kind}_high"]
        axes.barh(i, value, height=0.66, color=look.colour(bar["model"]), zorder=2)
        if low == low:
            axes.errorbar(value, i, xerr=[[max(0.0, value - low)], [max(0.0, high - value)]], fmt="none", ecolor=INK,
                          elinewidth=0.8, capsize=1.5, zorder=3)
        axes.annotate(significant(value, 3), (max(value, high if high == high else 0.0), i), xytext=(3, 0),
                      textcoords="offset points", va="center_baseline")
    axes.set_xlim(0, 1.2 * bars[[key, f"{kind}_high"]].max().max())
    return figure


# Scaling: rate, share of ideal and halo exchanges over the number of workers.

FITTED = ("serial_share", "fit_residual", "fit_speed_up")


def scaling_lines(runs: pandas.DataFrame) -> Iterator[tuple[str, str, pandas.DataFrame]]:
    """"strong" or "weak", the case (of one worker), and the rows of all lines, by model, name and workers."""
    for kind, case in (("strong", "case"), ("weak", "weak_line")):
        rows = runs.assign(efficiency=runs[f"{kind}_efficiency"], line_case=runs[case],
                           **{name: runs[f"{kind}_{name}"] for name in FITTED})
        rows = rows[rows["efficiency"].notna()].sort_values(["model", "name", "workers"], kind="stable")
        # A single worker may be called a rank or a thread: the line is named after the workers of its last point.
        rows["workers_unit"] = rows.groupby(["line_case", "model", "name"])["workers_unit"].transform("last")
        for (name, *_), frame in rows.groupby(["line_case", "steps", "precision", "part"], sort=False, dropna=False):
            yield kind, name, frame


PANELS = {"rate": "rate", "efficiency": "share of ideal (%)", "bound": "share of its bound (%)",
          "halo": "time in halo exchanges (%)"}
NEEDED = {"halo": "halo_share", "bound": "share_of_bound"}    # columns without which a panel is left out
LAWS = {"strong": "Amdahl", "weak": "Gustafson"}


def scaling(runs: pandas.DataFrame, look: Look) -> Iterator[tuple[str, list[Plot]]]:
    """A tab for each case with at least three numbers of workers: rate, share of ideal, and share of halo exchanges."""
    for kind, case, rows in scaling_lines(runs):
        if rows["workers"].nunique() < 3:
            continue
        of = with_part(rows) + case_text(case, rows["steps"].iat[0], rows["precision"].iat[0])
        last = rows.loc[rows["workers"].idxmax()]
        fits = f" Dotted: {LAWS[kind]}'s law with the serial share that fits best; \"off by\": root mean square of " \
               "the points' deviations from it." * bool(rows["serial_share"].notna().any())
        said = {"rate": "Thin lines: ideal scaling from the first point of each line. "
                        f"{WHISKERS}{fits}",
                "efficiency": f"{last['who']} reaches {percent(last['efficiency'])} of ideal with "
                              f"{last['workers']:.0f} {last['workers_unit']}, the most measured.",
                "bound": "Bound: the limit that takes the longest time on as many cores, such as a memory level, "
                         f"arithmetic or messages. With {int(last['workers'])} {last['workers_unit']}: "
                         f"{last['verdict']}.",
                "halo": "Points: mean over the ranks; whiskers: up to the rank with the most."}
        panels = [panel for panel in PANELS if panel not in NEEDED or rows[NEEDED[panel]].notna().any()]
        yield f"{kind}, {of}{' for each worker' if kind == 'weak' else ''}", [
            Plot(file_name(f"scaling-{kind}-{of}-{panel}"), f"{kind.capitalize()} scaling, {PANELS[panel]}",
                 said[panel], said["efficiency"],
                 lambda rows=rows, panel=panel, law=LAWS[kind]: draw_scaling(rows, panel, law, look))
                 for panel in panels]


def draw_scaling(rows: pandas.DataFrame, panel: str, law: str, look: Look) -> Figure:
    lines = [(key, line) for key, line in rows.groupby(["model", "name"], sort=False)
             if panel not in NEEDED or line[NEEDED[panel]].notna().any()]
    figure = new_figure(2.3)
    axes = figure.add_subplot()
    workers = sorted(set(rows["workers"]))
    ideal = {"color": INK, "linewidth": 0.7, "linestyle": (0, (4, 2))}
    axes.set_xlabel(f"{' or '.join(dict.fromkeys(rows['workers_unit']))} (log scale)")
    axes.set_xscale("log", base=2)
    fixed_ticks(axes.xaxis, [w for i, w in enumerate(workers) if i == 0 or len(workers) < 9
                             or math.log2(w).is_integer()])
    axes.set_xlim(workers[0] / 1.25, workers[-1] * 1.25)
    axes.grid(True)
    handles = []
    for (model, name), line in lines:
        style, first = look.line(model, name), line.iloc[0]
        if panel == "rate":
            axes.plot(line["workers"], line["workers"] * first["rate"] / first["workers"],
                      **{**ideal, "color": style["color"], "gid": style["gid"]})
        of_rate = {"efficiency": line["efficiency"], "bound": line["share_of_bound"]}
        each = 100 * of_rate[panel] / line["rate"] if panel in of_rate else 1 if panel == "rate" else 100
        ends = ("halo_share", "halo_share", "halo_share_most") if panel == "halo" else ("rate", "rate_low", "rate_high")
        whiskers(axes, line["workers"], *(line[end] * each for end in ends), **style)
        handles.append(Line2D([], [], label=shortened(f"{model_text(model)} {name} ({first['workers_unit']})", 44),
                              **style))
        if panel == "rate" and line["serial_share"].notna().any():
            dotted = {"gid": style["gid"], "color": style["color"], "linewidth": 1.0, "linestyle": (0, (1, 1.5))}
            axes.plot(line["workers"], line["fit_speed_up"] * first["rate"] / first["workers"], **dotted)
            handles.append(Line2D([], [], label=f"{law}: {percent(first['serial_share'])} serial, off by "
                                                f"{percent(first['fit_residual'])}", **dotted))
    if panel == "rate":
        axes.set_yscale("log", base=2)
        low, high = axes.get_ylim()
        steps = next(s for s in ((1,), (1, 2, 5), range(1, 10), [i / 4 for i in range(4, 40)])
                     if sum(low <= m * 10.0**e <= high for e in range(-9, 12) for m in s) >= 3 or len(s) > 9)
        fixed_ticks(axes.yaxis, [m * 10.0**e for e in range(-9, 12) for m in steps if low <= m * 10.0**e <= high])
    else:
        axes.set_ylim(0, max(112.0 if panel == "efficiency" else 1.0, axes.get_ylim()[1]))
    if panel == "efficiency":
        axes.axhline(100, **ideal)
    axes.set_ylabel(f"{rows['rate_unit'].iat[0]} (log scale)" if panel == "rate" else PANELS[panel])
    legend_below(figure, [*handles, *([Line2D([], [], label="ideal", **ideal)] * (panel not in NEEDED))])
    return figure


# Vector lengths, as in Fig. 1 of Gray and Stratford ("targetDP", 2014).

def vector_lengths(runs: pandas.DataFrame, look: Look) -> Iterator[Plot]:
    if runs.empty:
        return
    asked = runs[["--vvl" in options for options in runs["options"]]]
    asked = asked.assign(lanes=asked["vector_length"],
                         vectors=[s.get("vectors", "?") for s in asked["settings"]],
                         name=asked["name"].str.replace(r" ?--vvl \S+", "", regex=True))
    for (case, steps, precision), frame in cases(asked[asked["lanes"].notna()]):
        best = best_rows(frame, ["model", "name", "workers", "lanes"])
        best = best[best.groupby(["model", "name", "workers"])["lanes"].transform("nunique") > 1]
        if len(best):
            top, title = best.loc[best["rate"].idxmax()], case_text(case, steps, precision)
            one = best.groupby(["model", "name"])["workers"].transform("nunique") < 2
            names = best["name"] + [f", {counted(int(w), 'core')}" for w in best["workers"]]
            best = best.assign(name=best["name"].where(one, names))
            yield Plot(file_name(f"vectors-{title}"), f"Vector lengths, {title}",
                       "The same update, compiled for each vector length. Plain arrays: loops left to the compiler's "
                       "vectoriser. " + WHISKERS,
                       f"Fastest: {model_text(top['model'])} {top['name']} with vectors of {whole(top['lanes'])}.",
                       lambda best=best: draw_vectors(best, Look(best)))


def draw_vectors(rows: pandas.DataFrame, look: Look) -> Figure:
    lengths = {n: " or ".join(dict.fromkeys(rows["vectors"][rows["lanes"] == n])) for n in sorted(set(rows["lanes"]))}
    order = rows.groupby(["model", "name"], sort=False).ngroup()
    shift = min(0.5, 0.09 * (order.max() + 1)) * (order / max(1, order.max()) - 0.5) * (order.max() > 0)
    places = rows["lanes"].map({n: i for i, n in enumerate(lengths)}) + shift
    figure = draw_lines(rows.assign(place=places), "place", "rate", look, 2.6, ylabel=rows["rate_unit"].iat[0],
                        xlabel="cells per vector, and kind of vector")
    axes = figure.axes[0]
    axes.set_xticks(range(len(lengths)), ["\n".join([plain(n), *text.split()]) for n, text in lengths.items()])
    axes.grid(False, axis="x")
    axes.set_ylim(bottom=0)
    plain_ticks(axes.yaxis)
    return figure


def draw_lines(rows: pandas.DataFrame, x: str, y: str, look: Look, height: float = 2.3, **labels: str) -> Figure:
    """A line for each model and name, with whiskers if there are columns Y_low and Y_high."""
    figure, handles = new_figure(height), []
    axes = figure.add_subplot(**labels)
    axes.grid(True)
    for (model, name), line in rows.groupby(["model", "name"], sort=False):
        line, style = line.sort_values(x), look.line(model, name)
        whiskers(axes, line[x], line[y], *(line.get(f"{y}_{end}", line[y]) for end in ("low", "high")), **style)
        handles.append(Line2D([], [], label=shortened(f"{model_text(model)} {name}", 44), **style))
    legend_below(figure, handles)
    return figure


# Work-groups: a heat map of seconds.

def work_group_sweeps(runs: pandas.DataFrame, tuning: pandas.DataFrame) -> Iterator[tuple[Any, pandas.DataFrame]]:
    """Rows that differ only in their work-group, with its x and y, the relevant seconds and how it was chosen."""
    both = pandas.concat([runs, tuning])
    both = both[both["sweep"] != ""]
    if both.empty:
        return
    both = both.assign(shape=both["work_group"], chosen=both["work_group_asked"] == "",
                       seconds_best=both["seconds_median"].where(both["source"] != "tuning", both["seconds_min"]))
    both[["x", "y"]] = both["shape"].str.split("x", expand=True).iloc[:, :2].astype(int)
    for key, rows in both.groupby(["model", "sweep", "device", "case", "steps", "precision"], sort=False, dropna=False):
        yield key, rows.sort_values("seconds_best", kind="stable")


def work_groups(runs: pandas.DataFrame, tuning: pandas.DataFrame, _look: Look) -> Iterator[Plot]:
    for (model, sweep, device, case, steps, precision), rows in work_group_sweeps(runs, tuning):
        cells = rows.drop_duplicates("shape")
        marks = {"best": cells.iloc[0], "worst": cells.iloc[-1]}
        if rows["chosen"].any():
            marks["default"] = rows[rows["chosen"]].iloc[0]
        title = f"{model_text(model)} {sweep}, {case_text(case, steps, precision)}"
        yield Plot(file_name(f"work-group-{title}-{device}"), f"Work-groups of {title}",
                   f"On {device_text(device, 60)}. Darker is slower."
                   + (" For each x and y the fastest z." if cells["shape"].str.count("x").gt(1).any() else ""),
                   ", ".join(f"{k} {m['shape']} with {significant(m['seconds_best'])} s" for k, m in marks.items())
                   + ".", lambda cells=cells, marks=marks: draw_work_groups(cells.drop_duplicates(["x", "y"]), marks))


FRAMES = {"solid": "-", "dashed": (0, (4, 1.5)), "dotted": (0, (1, 1))}


def draw_work_groups(cells: pandas.DataFrame, marks: dict[str, Any]) -> Figure:
    sizes = {axis: sorted(set(cells[axis])) for axis in "xy"}
    # Each size has a separate cell, at any distance to the next.
    place = {axis: {size: i for i, size in enumerate(sizes[axis])} for axis in "xy"}
    wide, high = len(sizes["x"]), len(sizes["y"])
    figure = new_figure(max(1.0, min(0.2 * high, 4)) + 1.1)
    axes = figure.add_subplot(ylabel="in y (work-items)")
    axes.set_facecolor("#eceff1")
    axes.tick_params(axis="x", labelrotation=90 if wide > 8 else 0)
    grid = cells.pivot(index="y", columns="x", values="seconds_best").reindex(index=sizes["y"], columns=sizes["x"])
    image = axes.pcolormesh(grid.to_numpy(), cmap="cividis_r", edgecolors="white", linewidth=0.6,
                            norm=LogNorm(cells["seconds_best"].min() / 1.0001, cells["seconds_best"].max() * 1.0001))
    axes.set_xticks([t + 0.5 for t in range(wide)], [plain(t) for t in sizes["x"]])
    axes.set_yticks([t + 0.5 for t in range(high)], [plain(t) for t in sizes["y"]])
    bar = figure.colorbar(image, ax=axes, label="run time (s, log scale)")
    log_axis(bar.ax.yaxis, *image.get_clim())
    said = []
    for (kind, at), (words, line), inset in zip(marks.items(), FRAMES.items(), (0.04, 0.04, 0.12)):
        box = (place["x"][at["x"]] + inset, place["y"][at["y"]] + inset), 1 - 2 * inset, 1 - 2 * inset
        axes.add_patch(Rectangle(*box, fill=False, edgecolor="white", linewidth=2.4, zorder=3))
        axes.add_patch(Rectangle(*box, fill=False, edgecolor="#d55e00", linewidth=1.2, linestyle=line, zorder=4))
        said.append(f"{kind} ({words}): {at['x']} \u00d7 {at['y']}, {significant(at['seconds_best'], 3)} s")
    axes.set_xlabel("work-group size in x (work-items)\n\n" + "\n".join(said))
    return figure
