"""All kinds of plots: which module draws one, and the drawing of many at once."""

import multiprocessing
import os
import time
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import average_velocity
import flow
import optimisation_steps
import roofline
import scaling
import speed_ups
import style
import svg
import vector_lengths
import work_groups
from report import Report

MODULES: dict[str, ModuleType] = {
    "rooflines": roofline, "speed_ups": speed_ups, "optimisation_steps": optimisation_steps,
    "work_groups": work_groups, "scaling": scaling, "vector_lengths": vector_lengths,
    "average_velocity": average_velocity, "flow": flow,
}


@dataclass(frozen=True)
class Drawn:
    """A plot that was drawn, or why it was not."""

    kind: str
    id: str
    summary: str = ""   # what it shows, in words
    caption: str = ""   # how it is to be read
    problem: str = ""   # one line; empty when it was drawn
    seconds: float = 0.0


def figure_of(kind: str, plot: dict[str, Any], report: Report, look: style.Look) -> Any:
    """The figure of one plot."""
    more = (report.folder,) if kind == "flow" else ()
    return MODULES[kind].draw(plot, look, *more)


def draw(kind: str, plot: dict[str, Any], report: Report, look: style.Look, folder: Path) -> Drawn:
    """Writes folder/ID.svg and folder/ID.png."""
    start = time.perf_counter()
    module, name = MODULES[kind], plot["id"]
    more = (report.folder,) if kind == "flow" else ()
    summary, caption = module.summary(plot, *more), module.caption(plot)
    figure = module.draw(plot, look, *more)
    file = folder / f"{name}.svg"
    style.write(figure, file, folder / f"{name}.png")
    file.write_text(svg.tidy(file.read_text(encoding="utf-8"), name, summary), encoding="utf-8")
    return Drawn(kind, name, summary, caption, seconds=time.perf_counter() - start)


# Those that take longest first, so that no worker is left with one of them at the end.
SLOW = ("flow", "rooflines", "work_groups", "optimisation_steps")
# What the worker processes take over from the one that starts them.
shared: tuple[Report, style.Look, Path] | None = None


def draw_one(task: tuple[str, dict[str, Any]]) -> Drawn:
    """As `draw`, of the report in `shared`; what goes wrong becomes the plot's problem, and the others are drawn."""
    kind, plot = task
    report, look, folder = shared
    try:
        return draw(kind, plot, report, look, folder)
    except Exception as error:  # pylint: disable=broad-except
        text = " ".join(str(error).split())
        return Drawn(kind, plot["id"], problem=f"plots.{kind}, id {plot['id']}: not drawn: "
                                               f"{type(error).__name__}: {text}")


def draw_all(tasks: list[tuple[str, dict[str, Any]]], report: Report, folder: Path) -> list[Drawn]:
    """Draws all of them into the folder, on two processors where there are two; in the order of the tasks."""
    global shared
    folder.mkdir(parents=True, exist_ok=True)
    shared = (report, style.Look(report.data), folder)
    order = sorted(range(len(tasks)), key=lambda i: SLOW.index(tasks[i][0]) if tasks[i][0] in SLOW else len(SLOW))
    slowest_first = [tasks[i] for i in order]
    workers = min(2, len(os.sched_getaffinity(0)), len(tasks))
    if workers < 2:
        drawn = [draw_one(task) for task in slowest_first]
    else:
        with multiprocessing.get_context("fork").Pool(workers) as pool:
            drawn = pool.map(draw_one, slowest_first, chunksize=1)
    return [drawn[order.index(i)] for i in range(len(tasks))]
