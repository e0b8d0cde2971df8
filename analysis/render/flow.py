"""The final speed field with obstacles and streamlines."""

from pathlib import Path
from typing import Any

import matplotlib
import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.colors import ListedColormap, PowerNorm
from matplotlib.figure import Figure
from matplotlib.patches import Patch
from matplotlib.ticker import FixedLocator, MaxNLocator
from style import Look, freeze, new_figure
from words import grid_text, plain, shortened, significant

# Without the lightest tenth, on which white streamlines would not be seen.
MAP = ListedColormap(matplotlib.colormaps["viridis"](np.linspace(0.0, 0.9, 256)))
SOLID = "#9aa1a8"
# A block of cells with at least this share of obstacle stops streamlines: a wall one cell thick must, when blocks of
# five cells are averaged.
WALL = 0.2
# Slower than this share of the fastest: what direction it has is rounding.
STILL = 1e-4


def read_planes(plot: dict[str, Any], folder: Path) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """u_x, u_y and obstacle share, each rows x columns; velocities that are not finite become NaN."""
    shape = (3, int(plot["rows"]), int(plot["columns"]))
    planes = np.fromfile(folder / plot["file"], dtype="<f4").astype(float).reshape(shape)
    planes[~np.isfinite(planes)] = np.nan
    return planes[0], planes[1], planes[2]


def draw(plot: dict[str, Any], look: Look, folder: Path) -> Figure:
    """A figure of the plot `flow` of report.json; the file of its planes is relative to the folder."""
    u_x, u_y, solid = read_planes(plot, folder)
    nx, ny = plot["nx"], plot["ny"]
    wide = nx >= 1.6 * ny
    figure = new_figure(*figure_size(nx, ny, wide))
    axes = figure.add_subplot()
    width = figure.get_figwidth()
    figure.suptitle(shortened(plot["title"], int(9.5 * (width - 1.2))), x=0.01, ha="left", fontsize=10.5,
                    fontweight="bold")
    axes.set_xlabel("x (cells)")
    axes.set_ylabel("y (cells)")
    axes.spines[:].set_visible(False)
    speed = np.ma.masked_invalid(np.where(solid > 0.5, np.nan, np.hypot(u_x, u_y)))
    largest = float(speed.max()) if speed.count() else 0.0
    # Where a fast layer leaves all else dark, the square root brings the rest to light.
    dark = largest > 0.0 and float(np.ma.median(speed)) < 0.1 * largest
    image = axes.imshow(speed, origin="lower", extent=(0, nx, 0, ny), cmap=MAP, interpolation="nearest", aspect="equal",
                        norm=PowerNorm(0.5 if dark else 1.0, 0.0, largest or 1.0))
    draw_obstacles(axes, solid, nx, ny)
    if largest > 0.0:
        draw_streamlines(axes, u_x, u_y, solid, nx, ny)
    axes.set_xlim(0, nx)
    axes.set_ylim(0, ny)
    bar = figure.colorbar(image, ax=axes, location="bottom" if wide else "right", pad=0.03, aspect=45 if wide else 30,
                          shrink=0.6 if wide else 0.9)
    bar.set_label(f"speed (lattice units{', square-root scale' if dark else ''})")
    bar.outline.set_visible(False)
    bar.locator = MaxNLocator(5)
    bar.update_ticks()
    if (solid > 0.0).any():
        handle = Patch(facecolor=SOLID, edgecolor="white", hatch="////", linewidth=0, label="obstacle")
        figure.legend(handles=[handle], loc="upper right", borderaxespad=0.2)
    freeze(figure)
    axes.apply_aspect()
    for axis, fit in ((axes.xaxis, axes.bbox.width / 40), (axes.yaxis, axes.bbox.height / 18)):
        axis.set_major_locator(MaxNLocator(min(8, int(fit)), integer=True) if fit >= 1 else FixedLocator([0]))
    return figure


def figure_size(nx: float, ny: float, wide: bool) -> tuple[float, float]:
    """Inches that hold the field, its labels and the colour bar with little left over."""
    if wide:
        width = 9.0
        return width, max(1.9, (width - 0.9) * ny / nx + 1.45)
    height = min(7.0, max(5.2, 5.2 * ny / nx))
    return max(5.2, (height - 1.0) * nx / ny + 1.9), height


def draw_obstacles(axes: Axes, solid: np.ndarray, nx: float, ny: float) -> None:
    """Obstacle cells grey; those that are several cells thick on paper hatched as well. A block that is only partly
    obstacle is grey in part, but enough that a thin wall is seen."""
    layer = np.empty((*solid.shape, 4))
    layer[..., :3] = matplotlib.colors.to_rgb(SOLID)
    share = np.nan_to_num(solid)
    layer[..., 3] = np.where(share > 0.0, np.clip(0.4 + 0.6 * share, 0.0, 1.0), 0.0)
    axes.imshow(layer, origin="lower", extent=(0, nx, 0, ny), interpolation="nearest", aspect="equal", zorder=2)
    rows, columns = solid.shape
    if min(rows, columns) < 2 or not (share > 0.5).any():
        return
    x = (np.arange(columns) + 0.5) * nx / columns
    y = (np.arange(rows) + 0.5) * ny / rows
    hatching = axes.contourf(x, y, share, levels=[0.5, 2.0], colors="none", hatches=["////"], zorder=2.1)
    # Since matplotlib 3.8 a contour set is one artist.
    for collection in [hatching] if isinstance(hatching, Artist) else hatching.collections:
        collection.set_edgecolor("white")
        collection.set_linewidth(0)
        collection.set_rasterized(True)


def draw_streamlines(axes: Axes, u_x: np.ndarray, u_y: np.ndarray, solid: np.ndarray, nx: float, ny: float) -> None:
    """White lines along the velocity, not through obstacles."""
    rows, columns = solid.shape
    speed = np.hypot(u_x, u_y)
    still = (solid >= WALL) | ~np.isfinite(speed + solid) | (speed < STILL * np.nanmax(speed))
    v_x, v_y = (np.ma.array(np.nan_to_num(u), mask=still) for u in (u_x, u_y))
    if min(rows, columns) < 2 or still.all() or not float(np.hypot(v_x, v_y).max()) > 0.0:
        return
    x = (np.arange(columns) + 0.5) * nx / columns
    y = (np.arange(rows) + 0.5) * ny / rows
    density = (max(0.35, 1.1 * min(1.0, nx / ny)), max(0.35, 1.1 * min(1.0, ny / nx)))
    before = set(axes.patches)
    stream = axes.streamplot(x, y, v_x, v_y, density=density, color="white", linewidth=0.8, arrowsize=0.8, zorder=3)
    joined = LineCollection(chains(stream.lines.get_segments()), colors="white", linewidths=0.8, alpha=0.85, zorder=3)
    stream.lines.remove()
    axes.add_collection(joined, autolim=False)
    for patch in set(axes.patches) - before:
        patch.set_alpha(0.9)


def chains(segments: list[np.ndarray]) -> list[np.ndarray]:
    """Segments that go on where the one before ended, as one line each: a fraction of the paths in the SVG."""
    lines: list[list[np.ndarray]] = []
    for segment in segments:
        if lines and np.array_equal(lines[-1][-1], segment[0]):
            lines[-1].extend(segment[1:])
        else:
            lines.append(list(segment))
    return [np.array(line) for line in lines]


def summary(plot: dict[str, Any], folder: Path) -> str:
    """What the plot shows, with its main figures, for those who do not see it."""
    u_x, u_y, solid = read_planes(plot, folder)
    speed = np.where(solid > 0.5, np.nan, np.hypot(u_x, u_y))
    words = f"Speed of the flow on {grid_text(plot['problem'])} after {plot['steps']} steps, with streamlines."
    if np.isnan(speed).all():
        return f"{words} No cell has a speed."
    y, x = np.unravel_index(np.nanargmax(speed), speed.shape)
    at = ((x + 0.5) * plot["nx"] / plot["columns"], (y + 0.5) * plot["ny"] / plot["rows"])
    return (f"{words} Largest speed {significant(np.nanmax(speed))} lattice units near x = {plain(round(at[0]))}, "
            f"y = {plain(round(at[1]))}; {100 * np.nanmean(solid > 0.5):.0f} % of the cells are obstacles.")


def caption(plot: dict[str, Any]) -> str:
    text = f"After {plot['steps']} steps. White lines follow the velocity; obstacles are hatched."
    if (plot["rows"], plot["columns"]) != (plot["ny"], plot["nx"]):
        text += (f" Averaged to {plain(plot['columns'])} \u00d7 {plain(plot['rows'])} of {plain(plot['nx'])} \u00d7 "
                 f"{plain(plot['ny'])} cells.")
    return text
