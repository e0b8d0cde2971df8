"""Run time over work-group sizes as a heat map; best, worst and default are marked."""

import math
from typing import Any

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import PatchCollection
from matplotlib.colors import LogNorm
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch, Rectangle
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter
from style import INK, Look, freeze, new_figure
from words import grid_text, name_of, plain, significant

MAP = "cividis_r"  # made for colour-blind readers; slow is dark, and stays so in grey
ABSENT = {"facecolor": "#f4f5f6", "edgecolor": "#c3c9cf", "hatch": "////", "linewidth": 0}
# A mark a kind: outline and a shape.
MARKS = (("best", "*", "-"), ("worst", "X", (0, (4, 1.5))), ("default", "D", (0, (1, 1))))
SQUARE = 0.52  # inches of a doubling in x that leave room for a figure


class Sizes:
    """Work-group sizes along one axis, logarithmic with base 2. Powers of two fill it evenly; on another grid a cell
    reaches half-way to its neighbours, and at most half a doubling."""

    def __init__(self, sizes: set[float]):
        self.sizes = sorted(sizes)
        at = [math.log2(size) for size in self.sizes]
        gaps = [min(1.0, b - a) for a, b in zip(at, at[1:])]
        self.low = {s: a - g / 2 for s, a, g in zip(self.sizes, at, gaps[:1] + gaps if gaps else [1.0])}
        self.high = {s: a + g / 2 for s, a, g in zip(self.sizes, at, gaps + gaps[-1:] if gaps else [1.0])}
        self.start, self.end = self.low[self.sizes[0]], self.high[self.sizes[-1]]
        self.doublings = self.end - self.start
        self.smallest = min(self.high[s] - self.low[s] for s in self.sizes)

    def ticks(self, inches: float) -> list[float]:
        """Sizes to be labelled, a fifth of an inch apart; powers of two go first."""
        least = 0.2 * self.doublings / inches
        chosen: list[float] = []
        for size in sorted(self.sizes, key=lambda s: (not math.log2(s).is_integer(), s)):
            if all(abs(math.log2(size / other)) >= least for other in chosen):
                chosen.append(size)
        return sorted(chosen)


def draw(plot: dict[str, Any], look: Look) -> Figure:
    """A figure of the plot `work_groups` of report.json."""
    x, y = Sizes({p["x"] for p in plot["points"]}), Sizes({p["y"] for p in plot["points"]})
    width = min(7.5, max(3.6, SQUARE * x.doublings))
    height = min(5.4, max(1.25, 0.75 * SQUARE * y.doublings))
    figure = new_figure(width + 2.0, height + 1.6)
    axes, below = figure.subplots(2, 1, gridspec_kw={"height_ratios": (height, 0.42)})
    below.axis("off")
    axes.set_title(plot["title"])
    axes.set_xlabel("work-group size in x (work-items)")
    axes.set_ylabel("work-group size in y\n(work-items)" if height > 1.8 else "y (work-items)")
    axes.spines[:].set_visible(False)
    axes.tick_params(length=0)
    axes.set_xlim(x.start, x.end)
    axes.set_ylim(y.start, y.end)
    axes.xaxis.set_ticks([math.log2(s) for s in x.ticks(width)], [plain(s) for s in x.ticks(width)])
    axes.yaxis.set_ticks([math.log2(s) for s in y.ticks(height)], [plain(s) for s in y.ticks(height)])
    if x.doublings / width > 2.2 or len(x.sizes) > 14:
        axes.tick_params(axis="x", labelrotation=90)
    axes.add_patch(Rectangle((x.start, y.start), x.doublings, y.doublings, zorder=0.5, **ABSENT))
    cells = draw_cells(axes, plot["points"], x, y)
    colour_bar(figure, axes, cells, height)
    mark(axes, plot, x, y)
    legend(below, plot, len(plot["points"]) < len(x.sizes) * len(y.sizes) or x.doublings > len(x.sizes))
    freeze(figure)
    write_values(axes, plot["points"], cells, x, y)
    return figure


def rectangle(point: dict[str, float], x: Sizes, y: Sizes, inset: float = 0.0, **style: Any) -> Rectangle:
    """The cell of a work-group, smaller on every side by a share of itself."""
    left, low = x.low[point["x"]], y.low[point["y"]]
    width, height = x.high[point["x"]] - left, y.high[point["y"]] - low
    return Rectangle((left + inset * width, low + inset * height), (1 - 2 * inset) * width, (1 - 2 * inset) * height,
                     **style)


def draw_cells(axes: Axes, points: list[dict[str, float]], x: Sizes, y: Sizes) -> PatchCollection:
    seconds = np.array([p["seconds"] for p in points])
    # White lines between cells, but not where they would cover thin ones.
    edge = {"edgecolor": "white", "linewidth": 0.8} if min(x.smallest, y.smallest) > 0.4 else {"linewidth": 0}
    cells = PatchCollection([rectangle(p, x, y) for p in points], cmap=MAP, zorder=1, **edge,
                            norm=LogNorm(seconds.min() / 1.0001, seconds.max() * 1.0001))
    cells.set_array(seconds)
    axes.add_collection(cells, autolim=False)
    return cells


def colour_bar(figure: Figure, axes: Axes, cells: PatchCollection, height: float) -> None:
    bar = figure.colorbar(cells, ax=axes, pad=0.02, aspect=24)
    bar.set_label("run time (s, log scale)" if height > 1.8 else "time (s, log)")
    bar.outline.set_visible(False)
    ratio = cells.norm.vmax / cells.norm.vmin
    some, few, finest = (3, 20, 0.2) if height > 1.8 else (1.6, 3, 0.5)  # a low bar has less room
    steps = ((1,) if ratio > 300 else (1, 2, 5) if ratio > few else range(1, 10) if ratio > some
             else np.arange(1, 10, finest))
    if ratio < 1.2:
        ends = [cells.norm.vmin, cells.norm.vmax] if ratio > 1.01 else []
        bar.set_ticks([*ends, (cells.norm.vmin * cells.norm.vmax) ** 0.5])
    else:
        bar.ax.yaxis.set_major_locator(LogLocator(10, subs=tuple(np.round(steps, 1)), numticks=40))
    bar.ax.yaxis.set_major_formatter(FuncFormatter(lambda value, _: plain(float(f"{value:.4g}"))))
    bar.ax.yaxis.set_minor_formatter(NullFormatter())


def mark(axes: Axes, plot: dict[str, Any], x: Sizes, y: Sizes) -> None:
    """Frames best, worst and default; where they are the same shape, one frame lies in the other."""
    frames: dict[tuple[float, float], int] = {}
    for key, shape, line in MARKS:
        point = plot[key]
        if not point or point["x"] not in x.low or point["y"] not in y.low:
            continue
        before = frames.get((point["x"], point["y"]), 0)
        frames[point["x"], point["y"]] = before + 1
        frame = {"inset": 0.05 + 0.12 * before, "fill": False, "zorder": 3}
        axes.add_patch(rectangle(point, x, y, edgecolor="white", linewidth=3.6, **frame))
        axes.add_patch(rectangle(point, x, y, edgecolor=INK, linewidth=1.7, linestyle=line, **frame))
        # In the upper right corner of a large cell, beside it (and beside the mark before) where it is small.
        small = x.smallest < 0.4 or y.smallest < 0.4
        corner = (x.high[point["x"]], y.high[point["y"]])
        offset = (6 + 13 * before, 6) if small else (-10 - 13 * before, -9)
        transform = matplotlib.transforms.offset_copy(axes.transData, axes.figure, *offset, units="points")
        axes.plot(*corner, transform=transform, marker=shape, markersize=9 if shape == "*" else 6.5, color="white",
                  markeredgecolor=INK, markeredgewidth=1.0, zorder=4, clip_on=False, scalex=False, scaley=False)


def legend(axes: Axes, plot: dict[str, Any], absent: bool) -> None:
    handles = []
    for key, shape, _ in MARKS:
        if at := plot[key]:
            text = f"{key}: {plain(at['x'])} \u00d7 {plain(at['y'])}, {significant(at['seconds'])} s"
            handles.append(Line2D([], [], linestyle="none", marker=shape, markersize=9 if shape == "*" else 6.5,
                                  color="white", markeredgecolor=INK, label=text))
    if absent:
        handles.append(Patch(label="not measured", **ABSENT))
    if handles:
        axes.legend(handles=handles, loc="center", ncols=min(2, len(handles)), borderaxespad=0.0)


def write_values(axes: Axes, points: list[dict[str, float]], cells: PatchCollection, x: Sizes,
                 y: Sizes) -> None:
    """The seconds in each cell, dark on light and light on dark; not at all if one does not fit."""
    renderer = axes.figure.canvas.get_renderer()
    box = axes.get_window_extent(renderer)
    width, height = x.smallest * box.width / x.doublings, y.smallest * box.height / y.doublings
    texts = []
    for point, (red, green, blue, _) in zip(points, cells.to_rgba(cells.get_array())):
        light = 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.45
        texts.append(axes.text(math.log2(point["x"]), math.log2(point["y"]) - 0.06, significant(point["seconds"]),
                               ha="center", va="center", fontsize=7.5, color=INK if light else "white", zorder=5))
    if height < 11 or any(text.get_window_extent(renderer).width > width - 3 for text in texts):
        for text in texts:
            text.remove()


def summary(plot: dict[str, Any]) -> str:
    """What the plot shows, with its main figures, for those who do not see it."""
    parts = [f"{key} {plain(plot[key]['x'])} by {plain(plot[key]['y'])} with {significant(plot[key]['seconds'], 4)} s"
             for key, _, _ in MARKS if plot[key]]
    return (f"Run time over {len(plot['points'])} work-group sizes, {name_of(plot)} on {grid_text(plot['problem'])}, "
            f"{plot['device']}: {', '.join(parts) or 'no best named'}.")


def caption(plot: dict[str, Any]) -> str:
    return f"{name_of(plot)} on {plot['device']}. Dark is slow."
