"""Rate over the length of the vectors that the update of a row is written in, as Fig. 1 of Gray and Stratford
("targetDP", 2014 and 2016) has it for the virtual vector length; the instruction set stands below each length."""

from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter
from scaling import looks_of
from style import Look, freeze, new_figure
from words import grid_text, name_of, ordered, plain, shortened, significant

# Series stand side by side within this share of the way from one length to the next, so that whiskers are told apart.
WIDEST_SPREAD = 0.5


def draw(plot: dict[str, Any], look: Look) -> Figure:
    """A figure of the plot `vector_lengths` of report.json."""
    series = [s for s in plot["series"] if s["points"]]
    lengths = lengths_of(plot)
    figure = new_figure(max(6.4, 3.4 + 0.85 * len(lengths)), max(3.7, 1.6 + 0.185 * len(series)))
    axes = figure.add_subplot()
    axes.set_title(plot["title"])
    axes.set_xlabel("virtual vector length (cells in a vector), and what the vectors are")
    axes.set_ylabel("rate (MLUPS)")
    axes.set_xticks(range(len(lengths)), [tick_of(n, names) for n, names in lengths.items()], linespacing=1.15)
    axes.set_xlim(-0.6, len(lengths) - 0.4)
    axes.set_ylim(0, 1.06 * max(p["max"] for s in series for p in s["points"]))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: plain(float(f"{value:.6g}"))))
    axes.grid(True, axis="y")
    places = {n: i for i, n in enumerate(lengths)}
    for i, s in enumerate(series):
        shift = 0.0 if len(series) < 2 else min(WIDEST_SPREAD, 0.09 * len(series)) * (i / (len(series) - 1) - 0.5)
        draw_series(axes, s, places, shift, look)
    handles = [Line2D([], [], label=shortened(name_of(s), 40), **looks_of(s, look)) for s in series]
    axes.legend(handles=handles, loc="upper left", bbox_to_anchor=(1.02, 1.0), borderaxespad=0.0, handlelength=3.4)
    freeze(figure)
    return figure


def lengths_of(plot: dict[str, Any]) -> dict[float, list[str]]:
    """The lengths that were run, short to long, and what vectors of that length are made of."""
    points = sorted((p for s in plot["series"] for p in s["points"]), key=lambda p: p["lanes"])
    return {n: ordered(p["vectors"] for p in points if p["lanes"] == n) for n in ordered(p["lanes"] for p in points)}


def tick_of(length: float, names: list[str]) -> str:
    """The length, and below it the vectors, a word a line: "32" over "plain" over "arrays"."""
    return "\n".join([plain(length), *shortened(" or ".join(names), 24).split()])


def draw_series(axes: Axes, series: dict[str, Any], places: dict[float, int], shift: float, look: Look) -> None:
    points = series["points"]
    axes.errorbar([places[p["lanes"]] + shift for p in points], [p["mlups"] for p in points],
                  yerr=[[max(0.0, p["mlups"] - p["min"]) for p in points],
                        [max(0.0, p["max"] - p["mlups"]) for p in points]],
                  capsize=2.5, elinewidth=0.9, zorder=3, **looks_of(series, look))


def summary(plot: dict[str, Any]) -> str:
    """What the plot shows, with its main figures, for those who do not see it."""
    words = [f"Rate over the vector length on {grid_text(plot['problem'])}, {plot['precision']}."]
    for s in plot["series"]:
        if s["points"]:
            best = max(s["points"], key=lambda p: p["mlups"])
            least = min(s["points"], key=lambda p: p["mlups"])
            words.append(f"{name_of(s)}: {significant(best['mlups'], 4)} MLUPS with {plain(best['lanes'])} cells "
                         f"({best['vectors']}), {significant(least['mlups'], 4)} with {plain(least['lanes'])}.")
    return " ".join(words)


def caption(plot: dict[str, Any]) -> str:
    del plot
    return ("The same update of a row, compiled for vectors of each length. Plain arrays are what is left to the "
            "compiler's own vectoriser. Error bars: smallest and largest of the repeats.")
