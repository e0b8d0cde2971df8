"""Seconds per optimisation step, a panel a problem: what was measured here beside what was published."""

from typing import Any

import numpy as np
from labels import Canvas, Place, free_text, square, strip
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from style import FAINT, INK, Look, freeze, log_axis, new_figure
from words import cells_in, grid_text, shortened, significant

MEASURED = {"color": "#0072b2", "linestyle": "-", "marker": "o", "markersize": 5.5}
PUBLISHED = {"color": FAINT, "linestyle": (0, (4, 2)), "marker": "s", "markersize": 5, "markerfacecolor": "white"}
KINDS = (("seconds", "measured here", MEASURED), ("published", "published", PUBLISHED))


def draw(plot: dict[str, Any], look: Look) -> Figure:
    """A figure of the plot `optimisation_steps` of report.json."""
    steps, problems = plot["steps"], problems_of(plot)
    columns = min(3, len(problems))
    rows = -(-len(problems) // columns)
    panel = max(2.6, 0.36 * len(steps) + 0.6)
    figure = new_figure(max(5.0, 1.0 + panel * columns), 0.6 + 3.3 * rows)
    figure.suptitle(plot["title"], x=0.01, ha="left", fontsize=10.5, fontweight="bold")
    grid = figure.subplots(rows, columns, squeeze=False, sharey=True, sharex=True)
    values = [v for step in steps for key, _, _ in KINDS for v in step[key].values()]
    for i, axes in enumerate(grid.flat):
        if i >= len(problems):
            axes.set_visible(False)
            continue
        draw_panel(axes, plot, problems[i])
        log_axis(axes.yaxis, (min(values) / 2.2, max(values) * 2.2))
        # The lowest panel of a column names the steps, also above an empty place.
        if i + columns >= len(problems):
            axes.set_xticks(range(len(steps)), [shortened(step["name"], 24) for step in steps], rotation=40,
                            ha="right", rotation_mode="anchor", fontsize=8)
            axes.tick_params(labelbottom=True)
        if i % columns == 0:
            axes.set_ylabel("run time (s, log scale)")
        else:
            axes.tick_params(labelleft=False)
    shown = [(label, style) for key, label, style in KINDS if any(step[key] for step in steps)]
    figure.legend(handles=[Line2D([], [], label=label, **style) for label, style in shown], loc="upper right",
                  ncols=2, borderaxespad=0.3)
    renderer = freeze(figure)
    for axes, problem in zip(grid.flat, problems):
        label_panel(axes, renderer, steps, problem)
    return figure


def problems_of(plot: dict[str, Any]) -> list[str]:
    """The problems of which there are seconds, from the smallest grid to the largest."""
    return sorted((problem for problem in plot["problems"]
                   if any(problem in step[key] for step in plot["steps"] for key, _, _ in KINDS)), key=cells_in)


def seconds_of(steps: list[dict[str, Any]], key: str, problem: str) -> list[tuple[int, float]]:
    """Place on the axis and seconds of the steps that have any."""
    return [(i, step[key][problem]) for i, step in enumerate(steps) if problem in step[key]]


def draw_panel(axes: Axes, plot: dict[str, Any], problem: str) -> None:
    axes.set_title(grid_text(problem), fontsize=9)
    axes.grid(True, axis="y")
    axes.set_xlim(-0.6, len(plot["steps"]) - 0.4)
    for key, _, style in reversed(KINDS):
        points = seconds_of(plot["steps"], key, problem)
        if points:
            axes.plot(*zip(*points), zorder=3, **style)


def label_panel(axes: Axes, renderer: Any, steps: list[dict[str, Any]], problem: str) -> None:
    """Writes each figure over its point, or under it where the other series is above."""
    box = axes.get_window_extent(renderer)
    canvas = Canvas(renderer, np.array([(box.x0, box.y0), (box.x1, box.y0), (box.x1, box.y1), (box.x0, box.y1)]))
    series = {key: seconds_of(steps, key, problem) for key, _, _ in KINDS}
    for points in series.values():
        pixels = axes.transData.transform(points) if points else []
        canvas.marks += [square(x, y, 3.5) for x, y in pixels]
        canvas.lines += [strip(a, b) for a, b in zip(pixels, pixels[1:])]
    for key, other in (("seconds", "published"), ("published", "seconds")):
        others = dict(series[other])
        for i, value in series[key]:
            x, y = axes.transData.transform((i, value))
            up = value >= others.get(i, 0.0)
            text = free_text(axes.figure, significant(value), fontsize=7, zorder=5,
                             color=MEASURED["color"] if key == "seconds" else INK)
            near = [Place(x + shift, y + rise if up else y - rise, 0, "center", "bottom" if up else "top")
                    for rise in (5, 12, 19) for shift in (0, 6, -6)]
            far = [Place(x + shift, y - rise if up else y + rise, 0, "center", "top" if up else "bottom")
                   for rise in (5, 12, 19) for shift in (0, 6, -6)]
            if canvas.place(text, near + far) >= 100:
                text.set_visible(False)
                canvas.texts.pop()


def summary(plot: dict[str, Any]) -> str:
    """What the plot shows, with its main figures, for those who do not see it."""
    words = [f"{plot['title']}."]
    for problem in problems_of(plot):
        for key, label, _ in KINDS:
            points = seconds_of(plot["steps"], key, problem)
            if points:
                first, last = points[0], points[-1]
                words.append(f"{grid_text(problem)}, {label}: {significant(first[1], 4)} s at "
                             f"“{plot['steps'][first[0]]['name']}”, {significant(last[1], 4)} s at "
                             f"“{plot['steps'][last[0]]['name']}”.")
    return " ".join(words)


def caption(plot: dict[str, Any]) -> str:
    if not any(step["seconds"] for step in plot["steps"]):
        return "Published figures only: none of these steps was measured here."
    text = f"Each step is added to those before it. Measured on {plot['device']}."
    if any(step["published"] for step in plot["steps"]):
        text += " The published figures are of other hardware, named with the table."
    return text
