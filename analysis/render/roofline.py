"""The roofline of a processor or device: GFLOP/s over FLOP/byte under measured roofs, a point for each run."""

import math
from typing import Any

import numpy as np
from labels import Canvas, Place, free_text, square, strip
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.text import Text
from style import FAINT, INK, Look, freeze, log_axis, new_figure
from words import grid_text, name_of, ordered, shortened, significant

MARKER = 6.5  # points
LEVEL_STYLES = ("-", (0, (6, 2)), (0, (6, 2, 1.5, 2)), (0, (1.5, 1.5)), (0, (3, 1.5)))


def draw(plot: dict[str, Any], look: Look) -> Figure:
    """A figure of the plot `rooflines` of report.json."""
    figure = new_figure(9.6, figure_height(plot, look))
    axes = figure.add_subplot()
    axes.set_title(plot["title"])
    axes.set_xlabel("operational intensity (FLOP/byte)")
    axes.set_ylabel("performance (GFLOP/s)")
    bounds = bounds_of(plot)
    log_axis(axes.xaxis, bounds[0])
    log_axis(axes.yaxis, bounds[1])
    axes.grid(True, which="major")
    legend(plot, look, axes)
    renderer = freeze(figure)

    box = axes.get_window_extent(renderer)
    corners = np.array([(box.x0, box.y0), (box.x1, box.y0), (box.x1, box.y1), (box.x0, box.y1)])
    canvas = Canvas(renderer, corners)
    places = draw_points(plot["points"], look, axes, canvas)
    lines = draw_roofs(plot, axes, canvas)
    draw_ridge(plot["ridge"], axes, canvas)
    label_ceilings(plot, axes, canvas)
    label_ridge(plot["ridge"], axes, canvas)
    label_roofs(lines, axes, canvas)
    label_intensities(plot["points"], places, axes, canvas)
    return figure


def figure_height(plot: dict[str, Any], look: Look) -> float:
    """Tall enough for the legends beside the axes."""
    rows = len({p["problem"] for p in plot["points"]}) + len({name_of(p) for p in plot["points"]})
    return min(12.0, max(5.4, 1.9 + 0.185 * rows))


def bounds_of(plot: dict[str, Any]) -> tuple[tuple[float, float], tuple[float, float]]:
    """Limits of both axes: all points and the ridge, room on the left for the names of the roofs, and no more."""
    x = [p["flop_per_byte"] for p in plot["points"]]
    y = [v for p in plot["points"] for v in (p["min"], p["max"], p["gflop_per_s"])]
    if plot["ridge"]:
        x.append(plot["ridge"]["flop_per_byte"])
    y += [c["gflop_per_s"] for c in plot["ceilings"]]
    roofs = [r["gb_per_s"] for r in plot["roofs"]]
    # Without points the ridge (or, without it, 1 FLOP/byte) is what there is to see.
    x = x or [1.0]
    low, high = min(x) / 9, max(x) * 3.5
    if roofs and plot["ceilings"]:
        # Of the fastest roof at least its end is seen.
        low = min(low, max(c["gflop_per_s"] for c in plot["ceilings"]) / max(roofs) / 2.5)
    if roofs and not plot["ceilings"]:
        y += [r * max(x) * 2 for r in roofs]
    if roofs and not plot["points"]:
        y.append(min(roofs) * low)
    y = y or [1.0, 100.0]
    return (low, high), (min(y) / 2.5, max(y) * 2.2)


def swarm(points: list[tuple[float, float]], size: float) -> list[float]:
    """Moves points sideways, each as little as it can, until none covers another. Takes and gives pixels: x and y in,
    the new x out."""
    placed: list[tuple[float, float]] = []
    result = [0.0] * len(points)
    for i in sorted(range(len(points)), key=lambda i: -points[i][1]):
        x, y = points[i]
        near = [(px, py) for px, py in placed if abs(py - y) < size]
        # Right beside one of the near points, or where it belongs.
        reach = [(px, math.sqrt(size * size - (py - y) ** 2)) for px, py in near]
        choices = [x] + [px + side * (dx + 1e-6) for px, dx in reach for side in (-1, 1)]
        free = [c for c in choices if all((c - px) ** 2 + (py - y) ** 2 >= size * size for px, py in near)]
        result[i] = min(free, key=lambda c: (abs(c - x), c))
        placed.append((result[i], y))
    return result


def draw_points(points: list[dict[str, Any]], look: Look, axes: Axes, canvas: Canvas) -> list[float]:
    """Draws the runs, moved apart sideways; gives their x in pixels."""
    to_pixels = axes.transData.transform
    true = [tuple(to_pixels((p["flop_per_byte"], p["gflop_per_s"]))) for p in points]
    places = swarm(true, MARKER + 2.0)
    for point, (_, y), x in zip(points, true, places):
        at = axes.transData.inverted().transform((x, y))[0]
        colour = look.grid_colour(point["problem"])
        value = point["gflop_per_s"]
        spread = [[max(0.0, value - point["min"])], [max(0.0, point["max"] - value)]]
        axes.errorbar(at, value, yerr=spread, fmt="none", ecolor=colour, elinewidth=0.9, capsize=1.8, capthick=0.9,
                      zorder=4)
        axes.plot(at, value, linestyle="none", zorder=5,
                  **look.marker(point["model"], point["variant"], colour, MARKER))
        canvas.marks.append(square(x, y, MARKER / 2 + 1.5))
        ends = to_pixels([(at, point["min"]), (at, point["max"])])
        canvas.marks.append(strip(ends[0], ends[1], 1.5))
    return places


def draw_roofs(plot: dict[str, Any], axes: Axes, canvas: Canvas) -> list[tuple[dict[str, Any], Any]]:
    """Draws roofs and ceilings. Gives each roof with the two pixel ends of what is seen of its line."""
    left, right = axes.get_xlim()
    bottom, top = axes.get_ylim()
    ceiling = max((c["gflop_per_s"] for c in plot["ceilings"]), default=math.inf)
    lines = []
    for i, roof in enumerate(sorted(plot["roofs"], key=lambda r: -r["gb_per_s"])):
        rate = roof["gb_per_s"]
        ends = np.array([max(left, bottom / rate), min(right, ceiling / rate, top / rate)])
        if ends[0] >= ends[1]:
            continue
        axes.plot(ends, ends * rate, color=INK, linewidth=1.3, linestyle=LEVEL_STYLES[i % len(LEVEL_STYLES)], zorder=3)
        # The spread of the measurement, up to the ceiling with its slow side as well.
        band = np.clip([left, *(min(ceiling, top) / roof[key] for key in ("max", "min"))], left, right)
        axes.fill_between(band, np.minimum(band * roof["min"], ceiling), np.minimum(band * roof["max"], ceiling),
                          color=INK, alpha=0.07, linewidth=0, zorder=1)
        pixels = axes.transData.transform(np.column_stack((ends, ends * rate)))
        canvas.lines.append(strip(*pixels))
        lines.append((roof, pixels))
    fastest = max((r["gb_per_s"] for r in plot["roofs"]), default=math.inf)
    for c in plot["ceilings"]:
        start = max(left, c["gflop_per_s"] / fastest)
        axes.plot([start, right], [c["gflop_per_s"]] * 2, color=INK, linewidth=1.3, zorder=3)
        canvas.lines.append(strip(*axes.transData.transform([(start, c["gflop_per_s"]), (right, c["gflop_per_s"])])))
    return lines


def label_text(axes: Axes, text: str, size: float = 8.0, colour: str = INK) -> Text:
    """A text on a light ground, so that a line below it does not strike it through."""
    return free_text(axes.figure, text, fontsize=size, color=colour, zorder=7,
                     bbox={"facecolor": "white", "edgecolor": "none", "alpha": 0.8, "pad": 0.8})


def with_rate(label: str, rate: str, unit: str) -> str:
    """The label with its figure, unless it has one already."""
    return label if unit in label else f"{label}  {rate} {unit}"


def label_ceilings(plot: dict[str, Any], axes: Axes, canvas: Canvas) -> None:
    right = axes.get_xlim()[1]
    for c in sorted(plot["ceilings"], key=lambda c: -c["gflop_per_s"]):
        x, y = axes.transData.transform((right, c["gflop_per_s"]))
        text = label_text(axes, with_rate(c["label"], significant(c["gflop_per_s"]), "GFLOP/s"))
        canvas.place(text, [Place(x - 4 - shift, y + side, 0, "right", va) for shift in range(0, 200, 25)
                            for side, va in ((2.5, "bottom"), (-3, "top"))])


def draw_ridge(ridge: dict[str, Any] | None, axes: Axes, canvas: Canvas) -> None:
    """Marks where the memory roof meets the ceiling, with a line down to its intensity."""
    if not ridge:
        return
    x, y = ridge["flop_per_byte"], ridge["gflop_per_s"]
    axes.plot([x, x], [axes.get_ylim()[0], y], color=FAINT, linewidth=0.9, linestyle=(0, (1, 2)), zorder=2)
    axes.plot(x, y, marker="o", markersize=8, markerfacecolor="white", markeredgecolor=INK, markeredgewidth=1.5,
              zorder=6)
    px, py = axes.transData.transform((x, y))
    canvas.marks.append(square(px, py, 6))
    foot = axes.transData.transform((x, axes.get_ylim()[0]))
    canvas.lines.append(strip(foot, (px, py)))


def label_ridge(ridge: dict[str, Any] | None, axes: Axes, canvas: Canvas) -> None:
    if not ridge:
        return
    x = ridge["flop_per_byte"]
    px, py = axes.transData.transform((x, ridge["gflop_per_s"]))
    text = label_text(axes, f"ridge point\n{ridge['roof']}\n{significant(x)} FLOP/byte")
    canvas.place(text, [Place(px + side * 7, py - drop, 0, ha, "top") for drop in range(10, 300, 12)
                        for side, ha in ((1, "left"), (-1, "right"))])


def label_roofs(lines: list[tuple[dict[str, Any], Any]], axes: Axes, canvas: Canvas) -> None:
    """Names the roofs along their slope, from the left, above the line or below it."""
    for roof, (start, end) in lines:
        slope = end - start
        length = float(np.hypot(*slope))
        angle = math.degrees(math.atan2(slope[1], slope[0]))
        along, across = slope / length, np.array([-slope[1], slope[0]]) / length
        text = label_text(axes, with_rate(roof["label"], significant(roof["gb_per_s"]), "GB/s"))
        places = []
        for way in np.arange(8, max(length - 30, 9), 6):
            for side, va in ((3.0, "bottom"), (-3.0, "top")):
                at = start + along * way + across * side
                places.append(Place(at[0], at[1], angle, "left", va))
        canvas.place(text, places)


def label_intensities(points: list[dict[str, Any]], places: list[float], axes: Axes, canvas: Canvas) -> None:
    """Marks the true intensities on the axis, those that are near each other with one label."""
    groups: list[list[float]] = []
    for value in sorted({p["flop_per_byte"] for p in points}):
        if groups and value / groups[-1][-1] < 1.25:
            groups[-1].append(value)
        else:
            groups.append([value])
    bottom = axes.get_ylim()[0]
    for group in groups:
        for value in group:
            axes.plot([value, value], [bottom, max(p["max"] for p in points if p["flop_per_byte"] == value)],
                      color=FAINT, linewidth=0.8, linestyle=(0, (1, 2)), zorder=2)
        low, high = significant(group[0]), significant(group[-1])
        x, y = axes.transData.transform(((group[0] * group[-1]) ** 0.5, bottom))
        text = label_text(axes, f"{low} FLOP/byte" if low == high else f"{low} to {high} FLOP/byte")
        canvas.place(text, [Place(x + shift, y + 3 + rise, 0, ha, "bottom") for rise in (0, 13, 26, 39)
                            for shift, ha in ((0, "center"), (6, "left"), (-6, "right"))])


def legend(plot: dict[str, Any], look: Look, axes: Axes) -> None:
    """Beside the axes: what the markers and what the colours mean."""
    runs = {name_of(p): (p["model"], p["variant"]) for p in plot["points"]}
    if not runs:
        return
    shown = {p["problem"] for p in plot["points"]}
    marks = [Line2D([], [], linestyle="none", label=shortened(name, 34), **look.marker(*runs[name], INK, MARKER))
             for model in look.models for name in ordered(runs) if runs[name][0] == model]
    grids = [Line2D([], [], linestyle="none", marker="s", markersize=8, color=look.grid_colour(name),
                    label=shortened(grid_text(name), 34)) for name in look.problems if name in shown]
    parts = [heading("model, variant"), *marks, heading(" "), heading("grid"), *grids]
    box = axes.legend(handles=parts, loc="upper left", bbox_to_anchor=(1.02, 1.0), borderaxespad=0.0,
                      handletextpad=0.5)
    for text in box.get_texts():
        if text.get_text() in ("model, variant", "grid"):
            text.set_fontweight("bold")


def heading(text: str) -> Line2D:
    """A line of a legend without a mark."""
    return Line2D([], [], linestyle="none", label=text)


def summary(plot: dict[str, Any]) -> str:
    """What the plot shows, with its main figures, for those who do not see it."""
    words = [f"Roofline, {plot['title']}."]
    if plot["points"]:
        best = max(plot["points"], key=lambda p: p["gflop_per_s"])
        words.append(f"Fastest of {len(plot['points'])} runs: {name_of(best)} on {grid_text(best['problem'])} with "
                     f"{significant(best['gflop_per_s'], 4)} GFLOP/s at {significant(best['flop_per_byte'])} "
                     "FLOP/byte.")
    else:
        words.append("No runs.")
    if plot["roofs"]:
        roofs = ", ".join(with_rate(r["label"], significant(r["gb_per_s"]), "GB/s") for r in plot["roofs"])
        words.append(f"Roofs: {roofs}.")
    if plot["ridge"]:
        words.append(f"Ridge point: {significant(plot['ridge']['flop_per_byte'])} FLOP/byte.")
    return " ".join(words)


def caption(plot: dict[str, Any]) -> str:
    text = ("Bandwidth roofs and arithmetic ceilings as measured; the grey bands are their spread. Error bars: "
            "smallest and largest of the repeats.")
    if len(plot["points"]) > 1:
        text += (" Points that would cover each other are moved sideways; dotted lines mark the operational "
                 "intensities they have.")
    if not plot["roofs"]:
        text += " No peaks were measured, so there are no roofs."
    return text
