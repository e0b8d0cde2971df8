"""The flow, from the reference answers in a results folder: average velocity over time, and the final speed field."""

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np
import pandas
from figures import Results, complain
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.colors import ListedColormap, PowerNorm
from matplotlib.figure import Figure
from plots import Plot
from style import COLUMN, MODELS, new_figure, plain_ticks
from words import file_name, grid_text, plain, significant

# Without the lightest tenth, on which white streamlines are invisible.
MAP = ListedColormap(matplotlib.colormaps["viridis"](np.linspace(0.0, 0.9, 256)))
SOLID = "#9aa1a8"
MOST_STEPS, MOST_COLUMNS = 2000, 512
WALL = 0.2      # share of obstacle that stops streamlines: low enough for a wall of one cell in blocks of five
BEGUN = 1e-3    # of the fastest: a flow with a median below that has hardly begun
STILL = 1e-4    # of the fastest: directions of slower blocks are rounding errors


def answers(results: Results, runs: pandas.DataFrame) -> Iterator[tuple[Any, Path]]:
    """Every solved case at its largest number of steps, with the newest answer's file prefix."""
    known = runs[(runs["case_digest"] != "") & runs["steps"].notna()].sort_values("steps", kind="stable")
    for _, row in known.groupby("case_digest", sort=False).tail(1).sort_index().iterrows():
        found = list((results.folder / "oracle").glob(f"{row['case_digest']}-{row['steps']:.0f}-*.final_state.npy"))
        if found:
            newest = max(found, key=lambda file: file.stat().st_mtime)
            yield row, newest.with_name(newest.name[:-len(".final_state.npy")])


def flows(results: Results, runs: pandas.DataFrame) -> Iterator[Plot]:
    for row, prefix in answers(results, runs):
        case, steps = grid_text(row["case"]), row["steps"]
        depth = int(row["nz"]) if row["nz"] > 0 else 0
        plane = f", plane z = {depth // 2}" if depth else ""
        try:
            history = read_history(Path(f"{prefix}.av_vels.npy"))
            field = read_field(Path(f"{prefix}.final_state.npy"), int(row["nx"]), int(row["ny"]), depth)
        except (OSError, ValueError, IndexError) as error:
            complain(results.complaints, f"{prefix.name}: {' '.join(str(error).split())}; that flow is not "
                                         "shown")
            continue
        name = file_name(f"{row['case']}-{steps:.0f}")
        last = history.iloc[-1]
        yield Plot(f"average-velocity-{name}", f"Average velocity, {case}",
                   "Mean speed of the fluid cells after each time step, computed by the reference in double precision.",
                   f"{significant(last['value'])} lattice units after {plain(last['step'])} steps.",
                   lambda history=history: draw_history(history), is_minor=True)
        blocks = "" if field[0].shape == (row["ny"],
                                          row["nx"]) else f" Averaged to {field[0].shape[1]} \u00d7 {field[0].shape[0]} blocks of cells."
        yield Plot(f"flow-{name}", f"{case} after {steps:.0f} steps{plane}",
                   "White lines follow the velocity; obstacles are hatched." + blocks,
                   f"Largest speed {significant(np.nanmax(speed_of(*field[:3])), 3)} lattice units.",
                   lambda field=field, row=row: draw_field(*field, row["nx"], row["ny"]),
                   is_minor=bool(np.nanmedian(speed_of(*field[:3])) < BEGUN * np.nanmax(speed_of(*field[:3]))))


def read_history(file: Path) -> pandas.DataFrame:
    """Step and value, thinned out evenly; the last one is kept."""
    values = np.load(file)
    if values.ndim != 1 or not values.size:
        raise ValueError("expected the average velocity of every step, found something else")
    history = pandas.DataFrame({"step": np.arange(len(values), dtype=float), "value": values})
    return history.iloc[::-math.ceil(len(history) / MOST_STEPS)].iloc[::-1]


def read_field(file: Path, nx: int, ny: int, nz: int = 0) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """u_x, u_y and u_z of the fluid cells and the share of obstacles, averaged over blocks of cells; in three
    dimensions (nz > 0) in the middle plane, as in --image."""
    fields, shape = np.load(file, mmap_mode="r"), (5, nz, ny, nx) if nz else (4, ny, nx)
    if fields.shape != shape:
        raise ValueError(f"expected an array of {shape}, found one of {fields.shape}")
    plane = np.array(fields[:, nz // 2] if nz else fields)
    velocity = plane[:3] if nz else np.stack([plane[0], plane[1], np.zeros((ny, nx))])
    block = max(1, math.ceil(max(nx, ny) / MOST_COLUMNS))
    solid = (plane[-1] != 0).astype(float)

    def summed(values: np.ndarray) -> np.ndarray:
        rows = np.add.reduceat(values, range(0, ny, block), axis=0)
        return np.add.reduceat(rows, range(0, nx, block), axis=1)
    fluid, every = summed(1 - solid), summed(np.ones((ny, nx)))
    u_x, u_y, u_z = (np.divide(summed(u * (1 - solid)), fluid, out=np.zeros_like(fluid), where=fluid > 0)
                     for u in velocity)
    return u_x, u_y, u_z, 1 - fluid / every


def speed_of(u_x: np.ndarray, u_y: np.ndarray, u_z: np.ndarray) -> np.ndarray:
    return np.hypot(np.hypot(u_x, u_y), u_z)


def draw_history(history: pandas.DataFrame) -> Figure:
    figure = new_figure(2.0)
    axes = figure.add_subplot(xlabel="time (steps)", ylabel="average velocity\n(lattice units)")
    axes.plot(history["step"], history["value"], color=MODELS["openmp"], marker="o" if len(history) == 1 else None)
    last = history.dropna().iloc[-1]
    axes.annotate(significant(last["value"]), (last["step"], last["value"]), xytext=(-2, 4), textcoords="offset points",
                  ha="right", annotation_clip=False)
    axes.margins(x=0.0, y=0.08)
    if history["value"].min() >= 0:
        axes.set_ylim(bottom=0)
    for axis in (axes.xaxis, axes.yaxis):
        plain_ticks(axis)
    axes.grid(True)
    return figure


def draw_field(u_x: np.ndarray, u_y: np.ndarray, u_z: np.ndarray, solid: np.ndarray, nx: float, ny: float) -> Figure:
    figure = new_figure(min(4.5, max(1.0, 0.82 * COLUMN * ny / nx) + 0.95))
    axes = figure.add_subplot(xlabel="x (cells)", ylabel="y (cells)")
    axes.spines[:].set_visible(False)
    extent = {"origin": "lower", "extent": (0, nx, 0, ny), "interpolation": "nearest", "aspect": "equal"}
    speed = np.ma.masked_invalid(np.where(solid > 0.5, np.nan, speed_of(u_x, u_y, u_z)))
    largest = float(speed.max()) if speed.count() else 0.0
    # If a fast layer leaves everything else dark, the square root makes the rest visible.
    dark = largest > 0.0 and float(np.ma.median(speed)) < 0.1 * largest
    image = axes.imshow(speed, cmap=MAP, norm=PowerNorm(0.5 if dark else 1.0, 0.0, largest or 1.0), **extent)
    # A block that is partly obstacle is partly grey, but enough to show a thin wall.
    layer = np.empty((*solid.shape, 4))
    layer[..., :3] = matplotlib.colors.to_rgb(SOLID)
    layer[..., 3] = np.where(solid > 0.0, np.clip(0.4 + 0.6 * solid, 0.0, 1.0), 0.0)
    axes.imshow(layer, zorder=2, **extent)
    if largest > 0.0 and min(solid.shape) > 1:
        draw_streamlines(axes, u_x, u_y, solid, nx, ny)
    axes.set(xlim=(0, nx), ylim=(0, ny))
    # Only the moving rows of a flow that has hardly begun; otherwise they are a line at the edge of a dark square.
    moving = np.flatnonzero((np.ma.filled(speed, 0.0) > STILL * largest).any(axis=1)) if largest > 0.0 else []
    if len(moving) and 4 * (moving[-1] + 1 - moving[0]) < len(solid):
        axes.set(ylim=(moving[0] * ny / len(solid), (moving[-1] + 1) * ny / len(solid)), ylabel="y (cells, moving rows)",
                 aspect="auto")
    bar = figure.colorbar(image, ax=axes, location="bottom", shrink=0.7, aspect=32)
    bar.set_ticks([share * (largest or 1.0) for share in ((0.0, 0.25, 1.0) if dark else (0.0, 0.5, 1.0))])
    bar.ax.xaxis.set_major_formatter(lambda value, _: significant(value, 2))
    bar.set_label(f"speed (lattice units{', square-root scale' if dark else ''})")
    return figure


def draw_streamlines(axes: Axes, u_x: np.ndarray, u_y: np.ndarray, solid: np.ndarray, nx: float, ny: float) -> None:
    """White lines along the velocity. They end at obstacles; thick ones are hatched."""
    rows, columns = solid.shape
    x, y = (np.arange(columns) + 0.5) * nx / columns, (np.arange(rows) + 0.5) * ny / rows
    if (solid > 0.5).any():
        before = set(axes.collections)  # a contour set is one since Matplotlib 3.8, and a list before
        axes.contourf(x, y, solid, levels=[0.5, 2.0], colors="none", hatches=["////"], zorder=2.1)
        for part in set(axes.collections) - before:
            part.set(edgecolor="white", linewidth=0, rasterized=True)
    speed = np.hypot(u_x, u_y)
    still = (solid >= WALL) | ~np.isfinite(speed) | (speed < STILL * np.nanmax(speed))
    v_x, v_y = (np.ma.array(np.nan_to_num(u), mask=still) for u in (u_x, u_y))
    if still.all():
        return
    density = tuple(max(0.35, 1.1 * min(1.0, ratio)) for ratio in (nx / ny, ny / nx))
    before = set(axes.patches)
    stream = axes.streamplot(x, y, v_x, v_y, density=density, color="white", linewidth=0.8, arrowsize=0.8, zorder=3)
    # Consecutive segments become one line, which saves most paths of the SVG.
    lines: list[list[np.ndarray]] = []
    for segment in stream.lines.get_segments():
        if lines and np.array_equal(lines[-1][-1], segment[0]):
            lines[-1].extend(segment[1:])
        else:
            lines.append(list(segment))
    stream.lines.remove()
    axes.add_collection(LineCollection(lines, colors="white", linewidths=0.8, alpha=0.85, zorder=3), autolim=False)
    for patch in set(axes.patches) - before:
        patch.set_alpha(0.9)
