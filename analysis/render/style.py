"""How every plot looks: fonts, colours that colour-blind readers can tell apart, markers and hatches that do the same
in grey, and the same look for the same model, variant and grid in all plots of a report."""

import logging
import math
import warnings
from pathlib import Path
from typing import Any

import matplotlib
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter
from words import cells_in, ordered, plain

INK, FAINT, RULE, PAPER = "#1c2126", "#5b6670", "#d4d9de", "#ffffff"

# Okabe and Ito's colours ("Color Universal Design", 2008), their yellow darkened to be seen on white, and black last.
MODEL_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#c2a500", "#7a5230", "#1c2126")
# Lines only: dots and circles make an SVG thirty times as large.
HATCHES = ("", "////", "xxxx", "\\\\\\\\", "----", "++++", "||||", "//")
LINES = ("-", (0, (5, 1.5)), (0, (1.2, 1.2)), (0, (5, 1.5, 1.2, 1.5)), (0, (8, 2, 2, 2, 2, 2)), (0, (2.5, 1)))
SHAPES = ("o", "s", "^", "D", "v", "P", "X", "p", "<", "h", ">", "8")
FILLS = ("full", "none", "left", "top", "right", "bottom")
# Light to dark with a hue that changes on the way: the order of the grids is seen in grey as well.
GRID_MAP = "plasma"

# What matplotlib says of its font cache, and of a letter that its font lacks (the SVG has it as text), helps nobody.
logging.getLogger("matplotlib").setLevel(logging.ERROR)
warnings.filterwarnings("ignore", message=r"Glyph .* missing from current font")
# Whatever the user's own settings are.
matplotlib.rcdefaults()
matplotlib.rcParams.update({
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans"],
    "font.size": 9,
    "axes.titlesize": 10.5, "axes.titleweight": "bold", "axes.titlelocation": "left", "axes.titlepad": 9,
    "axes.labelsize": 9, "axes.labelcolor": INK, "axes.edgecolor": FAINT, "axes.linewidth": 0.8,
    "axes.spines.top": False, "axes.spines.right": False, "axes.axisbelow": True,
    "axes.unicode_minus": True, "text.color": INK, "text.parse_math": False,
    "xtick.color": FAINT, "ytick.color": FAINT, "xtick.labelcolor": INK, "ytick.labelcolor": INK,
    "xtick.labelsize": 8.5, "ytick.labelsize": 8.5,
    "grid.color": RULE, "grid.linewidth": 0.6,
    "legend.frameon": False, "legend.fontsize": 8.5, "legend.title_fontsize": 8.5,
    "figure.facecolor": PAPER, "axes.facecolor": PAPER, "savefig.facecolor": PAPER,
    "hatch.linewidth": 0.7, "lines.linewidth": 1.6,
    "svg.fonttype": "none", "svg.hashsalt": "boltzmark", "path.simplify": True,
})

# Points at which both the layout and the SVG are made; the PNG is twice as fine.
DPI, PNG_DPI = 72, 144


def new_figure(width: float, height: float) -> Figure:
    """An empty figure of that many inches, with a canvas that measures text."""
    figure = Figure(figsize=(width, height), dpi=DPI, layout="constrained")
    FigureCanvasAgg(figure)
    return figure


def freeze(figure: Figure) -> Any:
    """Does the layout once and for all, so that labels can be placed by what they cover; gives the renderer."""
    figure.get_layout_engine().execute(figure)
    figure.set_layout_engine("none")
    return figure.canvas.get_renderer()


def write(figure: Figure, svg: Path, png: Path) -> None:
    """Writes a figure whose layout is frozen as both. As savefig would, but that draws it once more to begin with."""
    FigureCanvasSVG(figure).print_svg(svg, metadata={"Date": None})
    figure.set_dpi(PNG_DPI)
    FigureCanvasAgg(figure).print_png(png)


def log_axis(axis: Any, bounds: tuple[float, float]) -> None:
    """A logarithmic axis with plain numbers; over less than two decades 2 and 5 are labelled too."""
    low, high = bounds
    decades = math.log10(high / low)
    if axis.axis_name == "x":
        axis.axes.set_xscale("log")
        axis.axes.set_xlim(low, high)
    else:
        axis.axes.set_yscale("log")
        axis.axes.set_ylim(low, high)
    subs = (1.0, 2.0, 5.0) if decades < 2.2 else (1.0,)
    if decades < 0.6:
        subs = tuple(float(i) for i in range(1, 10))
    # Of more decades than this only every second, third ... is labelled.
    axis.set_major_locator(LogLocator(10, subs=subs, numticks=8 if axis.axis_name == "x" else 12))
    axis.set_major_formatter(FuncFormatter(lambda value, _: plain(value)))
    axis.set_minor_locator(LogLocator(10, subs=tuple(range(2, 10)), numticks=12))
    axis.set_minor_formatter(NullFormatter())


class Look:
    """What each model, variant and grid looks like, the same in every plot of a report."""

    def __init__(self, data: dict[str, Any]):
        rows, plots = data["comparison"]["rows"], data["plots"]
        runs = [*rows, *(p for roofline in plots["rooflines"] for p in roofline["points"]),
                *(b for speed_up in plots["speed_ups"] for b in speed_up["bars"]),
                *(s for kind in ("scaling", "vector_lengths") for plot in plots[kind] for s in plot["series"])]
        self.models = ordered(run["model"] for run in runs)
        self.variants = {model: ordered(run["variant"] for run in runs if run["model"] == model)
                         for model in self.models}
        self.cells = {row["problem"]: row["nx"] * row["ny"] for row in rows}
        names = ordered(run["problem"] for run in runs if "problem" in run)
        self.problems = sorted(names, key=lambda name: (self.cells.get(name) or cells_in(name), name))
        self.markers = self.give_markers()

    def give_markers(self) -> dict[tuple[str, str], tuple[str, str]]:
        """A shape for each model and a filling for each of its variants; where the fillings do not suffice, the model
        takes a further shape, and where no shape is left, one is used again."""
        spare = len(self.models)
        markers = {}
        for i, model in enumerate(self.models):
            shape = SHAPES[i % len(SHAPES)]
            for j, variant in enumerate(self.variants[model]):
                if j and j % len(FILLS) == 0:
                    shape, spare = SHAPES[spare % len(SHAPES)], spare + 1
                markers[model, variant] = (shape, FILLS[j % len(FILLS)])
        return markers

    def model_colour(self, model: str) -> str:
        return MODEL_COLOURS[self.models.index(model) % len(MODEL_COLOURS)]

    def hatch(self, model: str, variant: str) -> str:
        return HATCHES[self.variants[model].index(variant) % len(HATCHES)]

    def line(self, model: str, variant: str) -> Any:
        return LINES[self.variants[model].index(variant) % len(LINES)]

    def grid_colour(self, problem: str) -> Any:
        """Small grids light, large ones dark."""
        n = len(self.problems)
        share = self.problems.index(problem) / (n - 1) if n > 1 else 1.0
        return matplotlib.colormaps[GRID_MAP](0.84 * (1.0 - share))

    def marker(self, model: str, variant: str, colour: Any, size: float = 6.5) -> dict[str, Any]:
        """Keyword arguments of Line2D for a point."""
        shape, fill = self.markers[model, variant]
        return {"marker": shape, "fillstyle": fill, "markersize": size, "color": colour,
                "markerfacecoloralt": PAPER, "markeredgecolor": colour, "markeredgewidth": 1.0}
