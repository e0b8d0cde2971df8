"""The roofline of a processor or device (Williams, Waterman and Patterson, CACM 2009): GFLOP/s over FLOP/byte
under measured roofs. Every point stands at its own operational intensity; a panel for each case keeps them apart."""

import math
from collections.abc import Iterator
from typing import Any

import pandas
from figures import Results, cells_of
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from plots import REPEATS, Plot
from style import FAINT, INK, PAPER, Look, log_axis, new_figure, whiskers
from words import device_text, file_name, grid_text, percent, precision_text, shortened, significant

LEVELS = ("-", (0, (6, 2)), (0, (6, 2, 1.5, 2)), (0, (1.5, 1.5)), (0, (3, 1.5)))
MOST_PANELS = 12


def charts(results: Results, look: Look) -> Iterator[Plot]:
    """One for each processor or device and precision: in single precision even without runs."""
    roofs = results.peaks[results.peaks["is_roof"] & results.peaks["median"].notna()]
    points = results.right()
    points = points[points["gflop_per_s"].notna() & points["flop_per_byte"].notna() & (points["part"] == "")]
    for of in dict.fromkeys(roofs["of"]):
        # The roofs of a processor that is an OpenCL device as well are the processor's.
        if of != "processor" and roofs["type"][roofs["of"] == of].iat[0] == "cpu":
            continue
        for precision in ("f32", "f64"):
            mine = points[(points["peaks_of"] == of) & (points["precision"] == precision)]
            if len(mine) or precision == "f32":
                yield chart(of, precision, roofs[roofs["of"] == of], mine, results.peaks, look)


def machine_text(of: str, peaks: pandas.DataFrame) -> str:
    if of != "processor":
        return of
    facts = peaks[(peaks["of"] == of) & (peaks["kind"] == "fact")]
    return ", ".join(facts["text"][:2]) or of


def chart(of: str, precision: str, roofs: pandas.DataFrame, points: pandas.DataFrame, peaks: pandas.DataFrame,
          look: Look) -> Plot:
    rates = roofs[roofs["kind"] == "bandwidth"].sort_values("median", ascending=False)
    ceilings = roofs[(roofs["kind"] == "compute") & (roofs["precision"] == precision)].sort_values("median",
        ascending=False)
    lines = [(row["level"], row["median"], row["min"], row["max"]) for _, row in rates.iterrows()]
    tops = [("FMA" if row["fma"] == "true" else "without FMA", row["median"]) for _, row in ceilings.iterrows()]
    points = points.assign(panel=points["case"] if points["workload"].nunique() < 2 else points["workload"] + " "
                           + points["case"])
    panels = order_of(points)
    title = f"Roofline of {machine_text(of, peaks)}, {precision_text(precision)}"
    caption = ("Roofs and ceilings as measured; grey bands are their spread. Every point stands at its own "
               "operational intensity; "
               f"a panel for each case. {REPEATS}")
    left_out = sum(len(points[points["panel"] == p]) for p in panels[MOST_PANELS:])
    if left_out:
        caption += f" Of {len(panels)} cases the {MOST_PANELS} with the most runs; all are in the interactive one."
    best = points.loc[points["gflop_per_s"].idxmax()] if len(points) else None
    summary = (f"Fastest of {len(points)} runs: {best['who']} on {best['case']} with "
               f"{significant(best['gflop_per_s'])} GFLOP/s at "
               f"{significant(best['flop_per_byte'], 3)} FLOP/byte." if len(points) else "No runs.")
    data = {"roofs": [{"label": f"{n}  {significant(m)} GB/s", "rate": m} for n, m, *_ in lines],
            "tops": [{"label": f"{n}  {significant(m)} GFLOP/s", "rate": m} for n, m in tops],
            "points": [point_of(row, look) for _, row in points.iterrows()]}
    shown = points[points["panel"].isin(panels[:MOST_PANELS])]
    return Plot(file_name(f"roofline-{of}-{precision}"), title, caption, summary,
                lambda: draw(lines, tops, shown, title, look), data=data if len(points) else None)


def order_of(points: pandas.DataFrame) -> list[str]:
    """Panels from small to large cases; where they are too many, those with the most runs first."""
    size = cells_of(points).groupby(points["panel"]).first()
    names = list(size.sort_values(kind="stable").index)
    if len(names) > MOST_PANELS:
        names = list(points["panel"].value_counts().index)
    return names


def point_of(row: pandas.Series, look: Look) -> dict[str, Any]:
    marker = look.marker(row["model"], row["name"])
    roof = f"{percent(row['share_of_roof'])} of {row['roof']}, bound by: {row['bound']}" if row["roof"] else "no roof measured"
    return {"x": row["flop_per_byte"], "y": row["gflop_per_s"], "series": row["who"],
            "case": grid_text(row["panel"].strip()),
            "colour": marker["color"], "shape": marker["marker"], "id": row["id"],
            "text": f"{significant(row['gflop_per_s'])} GFLOP/s at {significant(row['flop_per_byte'], 3)} FLOP/byte; "
                    f"{roof}"}


def bounds(lines: list[Any], tops: list[Any], points: pandas.DataFrame) -> tuple[float, float, float, float]:
    """All points and the ridges, and no more."""
    top = max((rate for _, rate in tops), default=None)
    ridges = [top / rate for _, rate, *_ in lines] if top else []
    x = [*points["flop_per_byte"], *ridges] or [1.0]
    low, high = min(x) / 3, max(x) * 3
    y = [*points["gflop_per_s"], *points["gflop_per_s_min"].dropna(), *(rate for _, rate in tops)]
    y += [rate * low for _, rate, *_ in lines] if not len(points) else []
    return low, high, min(y, default=1.0) / 2.5, max(y, default=100.0) * 2.2


def draw(lines: list[Any], tops: list[Any], points: pandas.DataFrame, title: str, look: Look) -> Figure:
    panels = [p for p in order_of(points) if p in set(points["panel"])] or [""]
    columns = min(3, len(panels))
    rows = math.ceil(len(panels) / columns)
    series = list(dict.fromkeys(zip(points["model"], points["name"])))
    figure = new_figure(4.2 + 3.3 * columns if columns > 1 else 8.6,
                        max(1.4 + 3.1 * rows, 1.6 + 0.185 * (len(series) + 7)), title)
    grid = figure.subplots(rows, columns, sharex=True, sharey=True, squeeze=False)
    low, high, bottom, top = bounds(lines, tops, points)
    for i, axes in enumerate(grid.flat):
        if i >= len(panels):
            axes.set_visible(False)
            continue
        log_axis(axes.xaxis, low, high)
        log_axis(axes.yaxis, bottom, top)
        axes.tick_params(labelbottom=i + columns >= len(panels))
        axes.grid(True)
        axes.set_title(shortened(grid_text(panels[i].strip()), 34), fontsize=9)
        draw_roofs(axes, lines, tops)
        for (model, name), run in points[points["panel"] == panels[i]].groupby(["model", "name"], sort=False):
            whiskers(axes, run["flop_per_byte"], run["gflop_per_s"], run["gflop_per_s_min"], run["gflop_per_s_max"],
                     linestyle="none",
                     **look.marker(model, name))
    figure.supxlabel("operational intensity (FLOP/byte)", fontsize=9)
    figure.supylabel("performance (GFLOP/s)", fontsize=9)
    handles = [Line2D([], [], linestyle="none", label=shortened(f"{m} {n}", 34), **look.marker(m, n)) for m,
               n in series]
    handles += [Line2D([], [], color=INK, linewidth=1.3, linestyle=LEVELS[i % len(LEVELS)],
                       label=f"{name}  {significant(rate)} GB/s")
                for i, (name, rate, *_) in enumerate(lines)]
    handles += [Line2D([], [], color=FAINT, linewidth=1.3, label=f"{name}  {significant(rate)} GFLOP/s") for name,
                rate in tops]
    figure.legend(handles=handles, loc="upper right", bbox_to_anchor=(1, 0.97))
    # The layout of matplotlib 3.6 leaves no room for a figure's legend.
    figure.get_layout_engine().set(rect=(0, 0, 1 - 2.9 / figure.get_figwidth(), 1))
    return figure


def draw_roofs(axes: Axes, lines: list[Any], tops: list[Any]) -> None:
    left, right = axes.get_xlim()
    ceiling = max((rate for _, rate in tops), default=math.inf)
    for i, (_, rate, slow, fast) in enumerate(lines):
        ends = [left, max(left, min(right, ceiling / rate))]
        axes.plot(ends, [x * rate for x in ends], color=INK, linewidth=1.2, linestyle=LEVELS[i % len(LEVELS)],
                  zorder=2)
        if slow == slow and fast == fast:
            axes.fill_between(ends, [x * slow for x in ends], [x * fast for x in ends], color=INK, alpha=0.07,
                              linewidth=0, zorder=1)
    for _, rate in tops:
        start = max([left, *(rate / max(l[1] for l in lines) for _ in (1,) if lines)])
        axes.plot([start, right], [rate, rate], color=FAINT, linewidth=1.2, zorder=2)
    if lines and tops and left < (ridge := ceiling / lines[-1][1]) < right:
        axes.plot([ridge], [ceiling], marker="o", markersize=6, markerfacecolor=PAPER, markeredgecolor=INK, zorder=4)
        axes.annotate(f"ridge {significant(ridge, 3)}", (ridge, ceiling), xytext=(0, -12), textcoords="offset points",
                      fontsize=7,
                      ha="left", va="top")
