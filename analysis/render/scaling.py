"""Rate over threads or ranks with the ideal lines, how much of the ideal is reached, and what halo exchanges take."""

from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FixedLocator, FuncFormatter, NullFormatter, NullLocator
from style import INK, Look, freeze, new_figure
from words import grid_text, name_of, ordered, plain, shortened, significant


def draw(plot: dict[str, Any], look: Look) -> Figure:
    """A figure of the plot `scaling` of report.json."""
    series = [s for s in plot["series"] if s["points"]]
    with_halo = [s for s in series if any(p["halo_share"] is not None for p in s["points"])]
    figure = new_figure(11.6 if with_halo else 9.6, max(3.9, 1.5 + 0.185 * (len(series) + 1)))
    panels = figure.subplots(1, 3 if with_halo else 2, gridspec_kw={"width_ratios": (1.15, 1, 1)[:3 if with_halo else 2]})
    left, right, last = panels[0], panels[1], panels[-1]
    figure.suptitle(plot["title"], x=0.01, ha="left", fontsize=10.5, fontweight="bold")
    workers = sorted({p["workers"] for s in series for p in s["points"]})
    for axes in panels:
        axes.set_xlabel(f"{' or '.join(ordered(s['unit'] for s in series))} (number, log scale)")
        axes.set_xscale("log", base=2)
        axes.set_xlim(workers[0] / 1.25, workers[-1] * 1.25)
        worker_ticks(axes, workers)
        axes.grid(True, axis="both")
    for s in series:
        draw_series(left, right, s, look)
    finish_rate(left, series)
    right.set_ylabel("share of ideal (%)")
    right.axhline(100, color=INK, linewidth=1.0, linestyle=(0, (4, 2)))
    top = max(100.0 * p["max"] / ideal_at(s, p["workers"]) for s in series for p in s["points"])
    right.set_ylim(0, max(112.0, 1.06 * top))
    handles = [Line2D([], [], label=shortened(f"{name_of(s)} ({s['unit']})", 36), **looks_of(s, look)) for s in series]
    handles.append(Line2D([], [], color=INK, linewidth=1.0, linestyle=(0, (4, 2)), label="ideal"))
    if with_halo:
        draw_halo(last, with_halo, look)
    last.legend(handles=handles, loc="upper left", bbox_to_anchor=(1.03, 1.0), borderaxespad=0.0, handlelength=3.4)
    freeze(figure)
    return figure


def worker_ticks(axes: Axes, workers: list[float]) -> None:
    """Numbers of workers that were run; where they crowd, those at least a fifth of a doubling apart."""
    shown: list[float] = []
    least = max(1.16, (workers[-1] / workers[0]) ** (1 / 11))
    for w in workers:
        if not shown or w / shown[-1] >= least:
            shown.append(w)
    axes.xaxis.set_major_locator(FixedLocator(shown))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: plain(value)))


def looks_of(series: dict[str, Any], look: Look) -> dict[str, Any]:
    shape, fill = look.markers[series["model"], series["variant"]]
    colour = look.model_colour(series["model"])
    return {"color": colour, "linestyle": look.line(series["model"], series["variant"]), "marker": shape,
            "fillstyle": fill, "markerfacecoloralt": "white", "markersize": 6.5}


def ideal_at(series: dict[str, Any], workers: float) -> float:
    """The rate that so many workers would have, each as fast as those of the first point."""
    first = series["points"][0]
    return first["mlups"] / first["workers"] * workers


def draw_series(left: Axes, right: Axes, series: dict[str, Any], look: Look) -> None:
    points, style = series["points"], looks_of(series, look)
    workers = [p["workers"] for p in points]
    low = [max(0.0, p["mlups"] - p["min"]) for p in points]
    high = [max(0.0, p["max"] - p["mlups"]) for p in points]
    left.plot(workers, [ideal_at(series, w) for w in workers], color=style["color"], linewidth=0.9,
              linestyle=(0, (4, 2)), zorder=2)
    left.errorbar(workers, [p["mlups"] for p in points], yerr=[low, high], capsize=2.5, elinewidth=0.9, zorder=3,
                  **style)
    share = [100.0 / ideal_at(series, w) for w in workers]
    right.errorbar(workers, [p["mlups"] * s for p, s in zip(points, share)],
                   yerr=[[v * s for v, s in zip(low, share)], [v * s for v, s in zip(high, share)]],
                   capsize=2.5, elinewidth=0.9, zorder=3, **style)


def draw_halo(axes: Axes, series: list[dict[str, Any]], look: Look) -> None:
    """Share of the time in halo exchanges: a mark for the average over the ranks, a bar up to the rank with the most."""
    top = 0.0
    for s in series:
        points = [p for p in s["points"] if p["halo_share"] is not None]
        mean = [100.0 * p["halo_share"] for p in points]
        most = [100.0 * max(p["halo_share"], p["halo_share_most"] or 0.0) for p in points]
        axes.errorbar([p["workers"] for p in points], mean, yerr=[[0.0] * len(mean), [b - a for a, b in zip(mean, most)]],
                      capsize=2.5, elinewidth=0.9, zorder=3, **looks_of(s, look))
        top = max(top, *most)
    axes.set_ylabel("time in halo exchanges (%)")
    axes.set_ylim(0, max(1.0, 1.1 * top))


def finish_rate(axes: Axes, series: list[dict[str, Any]]) -> None:
    """The rate's axis, with base 2 like the other: an ideal line rises as the diagonal."""
    values = [v for s in series for p in s["points"] for v in (p["min"], p["max"], ideal_at(s, p["workers"]))]
    axes.set_yscale("log", base=2)
    axes.set_ylim(min(values) / 1.3, max(values) * 1.3)
    axes.set_ylabel("rate (MLUPS, log scale)")
    low, high = axes.get_ylim()
    # The coarsest of these that gives enough to read the axis by.
    for steps in ((1,), (1, 2, 5), (1, 1.5, 2, 3, 4, 5, 6, 8), [i / 2 for i in range(2, 20)]):
        ticks = [m * 10.0**e for e in range(-9, 12) for m in steps if low <= m * 10.0**e <= high]
        if len(ticks) >= 4:
            break
    axes.yaxis.set_major_locator(FixedLocator(ticks))
    axes.yaxis.set_minor_locator(NullLocator())
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: plain(float(f"{value:.6g}"))))
    axes.yaxis.set_minor_formatter(NullFormatter())


def summary(plot: dict[str, Any]) -> str:
    """What the plot shows, with its main figures, for those who do not see it."""
    words = [f"{plot['kind'].capitalize()} scaling on {grid_text(plot['problem'])}, {plot['precision']}."]
    for s in plot["series"]:
        if s["points"]:
            last = s["points"][-1]
            share = 100.0 * last["mlups"] / ideal_at(s, last["workers"])
            halo = last["halo_share"]
            words.append(f"{name_of(s)}: {significant(last['mlups'], 4)} MLUPS with {plain(last['workers'])} "
                         f"{s['unit']}, {share:.0f} % of ideal"
                         + (f", {100.0 * halo:.1f} % of the time in halo exchanges." if halo is not None else "."))
    return " ".join(words)


def caption(plot: dict[str, Any]) -> str:
    what = "the same grid for all" if plot["kind"] == "strong" else "a grid that grows with them"
    halo = any(p["halo_share"] is not None for s in plot["series"] for p in s["points"])
    return (f"{plot['kind'].capitalize()} scaling: {what}. Ideal: every worker as fast as in the first point of its "
            "line. Error bars: smallest and largest of the repeats"
            + ("; of halo exchanges from the average over the ranks to the rank with the most." if halo else "."))
