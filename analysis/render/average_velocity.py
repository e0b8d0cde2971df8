"""Average velocity over time, a line a series, each named at its end."""

from typing import Any

import numpy as np
from labels import spread
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.text import Text
from matplotlib.ticker import MaxNLocator
from style import DPI, FAINT, INK, LINES, MODEL_COLOURS, Look, freeze, new_figure
from words import grid_text, plain, shortened, significant

# More points than this many do not show on a plot of this size.
MOST_POINTS = 500
# Pixels from one name to the next, and between the axes and the names.
NAME_HEIGHT, NAME_INDENT = 13.5, 42.0


def draw(plot: dict[str, Any], look: Look) -> Figure:
    """A figure of the plot `average_velocity` of report.json."""
    series = [s for s in plot["series"] if finite(s).any()]
    figure = new_figure(9.6, max(3.6, 1.0 + NAME_HEIGHT / DPI * len(series)))
    axes = figure.add_subplot()
    axes.set_title(f"Average velocity, {grid_text(plot['problem'])}")
    axes.set_xlabel("time (steps)")
    axes.set_ylabel("average velocity (lattice units)")
    axes.xaxis.set_major_locator(MaxNLocator(8, integer=True))
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_formatter(lambda value, _: plain(float(f"{value:.6g}")))
    axes.grid(True)
    curves = [thinned(s) for s in series]
    styles = styles_of(curves)
    for (steps, values), style in zip(curves, styles):
        axes.plot(steps, values, marker="o" if len(steps) == 1 else None, **style)
        if steps[~np.isnan(values)][-1] < steps[-1]:
            last = np.flatnonzero(~np.isnan(values))[-1]
            axes.plot(steps[last], values[last], marker="x", color=INK, markersize=7, markeredgewidth=1.6, zorder=5)
    axes.margins(x=0.0, y=0.08)
    if not any(v < 0 for s in series for v in s["values"] if v is not None):
        axes.set_ylim(bottom=0)
    renderer = freeze(figure)
    texts = [axes.figure.text(0, 0, name_text(s), transform=figure.dpi_scale_trans, va="center", fontsize=8)
             for s in series]
    # The names stand right of the axes, which end where the widest of them needs it.
    room = max((text.get_window_extent(renderer).width for text in texts), default=0) + NAME_INDENT + 8
    place = axes.get_position()
    axes.set_position([place.x0, place.y0, 1 - room / DPI / figure.get_figwidth() - place.x0, place.height])
    name_lines(axes, series, styles, texts)
    return figure


def name_text(series: dict[str, Any]) -> str:
    """The name of a line with its last value, and where that was if the run went to infinity."""
    i = int(np.flatnonzero(finite(series))[-1])
    end = f" at {plain(series['steps'][i])}, then not finite" if i + 1 < len(series["values"]) else ""
    return f"{shortened(series['label'], 34)}  {significant(series['values'][i], 4)}{end}"


def finite(series: dict[str, Any]) -> np.ndarray:
    """Which values are there; a run that went to infinity has none from then on."""
    return np.array([v is not None for v in series["values"]], dtype=bool)


def thinned(series: dict[str, Any]) -> tuple[np.ndarray, np.ndarray]:
    """Steps and values, at most MOST_POINTS: of each stretch its least and its largest value, so that no peak goes."""
    steps = np.array(series["steps"], dtype=float)
    values = np.array([np.nan if v is None else v for v in series["values"]], dtype=float)
    if len(steps) <= MOST_POINTS:
        return steps, values
    keep = {0, len(steps) - 1}
    for part in np.array_split(np.arange(len(steps)), MOST_POINTS // 2):
        known = part[~np.isnan(values[part])]
        if len(known):
            keep |= {int(known[np.argmin(values[known])]), int(known[np.argmax(values[known])])}
        if len(known) < len(part):
            keep.add(int(part[np.isnan(values[part])][0]))
    kept = sorted(keep)
    return steps[kept], values[kept]


def styles_of(curves: list[tuple[np.ndarray, np.ndarray]]) -> list[dict[str, Any]]:
    """A colour and a dash for each line. Runs of one problem mostly give the same curve, so a line that later ones lie
    on is drawn wider, to be seen on both sides of them."""
    tall = max((float(np.nanmax(np.abs(values))) for _, values in curves), default=1.0) or 1.0
    styles = []
    for i, (steps, values) in enumerate(curves):
        later = sum(same(steps, values, *other, 0.01 * tall) for other in curves[i + 1:])
        styles.append({"color": MODEL_COLOURS[i % len(MODEL_COLOURS)],
                       "linestyle": LINES[i % len(LINES)] if i else "-",
                       "linewidth": 1.7 + min(3.6, 0.9 * later), "zorder": 3 + i / 100})
    return styles


def same(steps: np.ndarray, values: np.ndarray, other_steps: np.ndarray, other_values: np.ndarray,
         within: float) -> bool:
    """Whether two curves are nowhere further apart than that."""
    apart = np.abs(values - np.interp(steps, other_steps, other_values))
    return not np.isnan(apart).all() and float(np.nanmax(apart)) <= within


def name_lines(axes: Axes, series: list[dict[str, Any]], styles: list[dict[str, Any]], texts: list[Text]) -> None:
    """Puts the names right of the ends of their lines, moved apart where they would cover each other."""
    box, inches = axes.get_window_extent(), axes.figure.dpi_scale_trans
    last = [int(np.flatnonzero(finite(s))[-1]) for s in series]
    ends = [axes.transData.transform((0, s["values"][i]))[1] for s, i in zip(series, last)]
    # Of lines that end alike the first is named at the top.
    heights = spread([end - 1e-3 * i for i, end in enumerate(ends)], NAME_HEIGHT, box.y0 + 4, box.y1 - 4)
    for s, i, style, text, end, at in zip(series, last, styles, texts, ends, heights):
        x, end, at = (box.x1 + 3) / DPI, end / DPI, at / DPI
        if i + 1 == len(s["values"]):
            axes.figure.add_artist(Line2D([x, x + 9 / DPI], [end, at], transform=inches, color=FAINT, linewidth=0.7))
        axes.figure.add_artist(Line2D([x + 12 / DPI, x + (NAME_INDENT - 8) / DPI], [at, at], transform=inches,
                                      **{**style, "solid_capstyle": "butt"}))
        text.set_position((x + (NAME_INDENT - 3) / DPI, at))


def summary(plot: dict[str, Any]) -> str:
    """What the plot shows, with its main figures, for those who do not see it."""
    words = [f"Average velocity over time on {grid_text(plot['problem'])}."]
    for s in plot["series"]:
        known = [(step, v) for step, v in zip(s["steps"], s["values"]) if v is not None]
        if known:
            words.append(f"{s['label']}: {significant(known[-1][1], 4)} lattice units after {plain(known[-1][0])} "
                         "steps.")
    return " ".join(words)


def caption(plot: dict[str, Any]) -> str:
    text = "Mean speed of the fluid cells after each time step; the last value stands beside each name."
    if len(plot["series"]) > 1:
        text += " Lines that agree lie on each other: one that others lie on is drawn wider."
    if not all(finite(s).all() for s in plot["series"]):
        text += " A cross marks where a run went to infinity."
    none = [s["label"] for s in plot["series"] if not finite(s).any()]
    if none:
        text += f" No finite value: {', '.join(none)}."
    return text
