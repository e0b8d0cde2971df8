"""Style of all plots: colours that colour-blind readers can distinguish, marks that are distinct in grey, and the same
look of a model and variant in all plots of a report."""

import logging
import math
import warnings
from pathlib import Path
from typing import Any

import matplotlib
import pandas
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.backends.backend_pdf import FigureCanvasPdf
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, FuncFormatter, LogLocator, NullFormatter, NullLocator
from words import model_text, plain

INK, FAINT, RULE, PAPER = "#1c2126", "#5b6670", "#d4d9de", "#ffffff"
# One colour per model, the same on every machine, found by a search: any two differ by at least 20 (CIE76) in normal,
# protanopic and deuteranopic sight and by 15 in tritanopic sight, and each has a contrast of 3 to white.
MODELS = {"serial": "#3b4148", "stdpar": "#9d4205", "openmp": "#0052a6", "openmp_target": "#1f8563", "mpi": "#d28100",
          "opencl": "#986195", "cuda": "#6fa058", "kokkos": "#582e6a", "tbb": "#631000", "thrust": "#1b8bfa",
          "hip": "#8a8ad5", "openacc": "#7500ff", "sycl": "#2300a0"}
COLUMN = 3.5    # width of a paper's column in inches
LINES = ("-", (0, (5, 1.5)), (0, (1.2, 1.2)), (0, (5, 1.5, 1.2, 1.5)), (0, (8, 2, 2, 2, 2, 2)), (0, (2.5, 1)))
SHAPES = ("o", "s", "^", "D", "v", "P", "X", "p", "<", "h", ">", "8")
DPI = 72
POINTS = 8      # size of all text at that width

# Messages of matplotlib about its font cache and about missing letters are noise.
logging.getLogger("matplotlib").setLevel(logging.ERROR)
warnings.filterwarnings("ignore", message=r"Glyph .* missing from current font")
matplotlib.rcdefaults()  # with any settings of the user
matplotlib.rcParams.update({
    "font.family": "sans-serif", "font.sans-serif": ["DejaVu Sans"], "font.size": POINTS, "axes.labelsize": POINTS,
    "xtick.labelsize": POINTS, "ytick.labelsize": POINTS, "legend.fontsize": POINTS, "axes.labelcolor": INK,
    "axes.edgecolor": FAINT, "axes.linewidth": 0.7, "axes.spines.top": False, "axes.spines.right": False,
    "axes.axisbelow": True,
    "text.color": INK, "text.parse_math": False, "xtick.color": FAINT, "ytick.color": FAINT, "xtick.labelcolor": INK,
    "ytick.labelcolor": INK, "grid.color": RULE, "grid.linewidth": 0.5, "legend.frameon": False, "lines.linewidth": 1.3,
    "figure.facecolor": PAPER, "axes.facecolor": PAPER, "svg.fonttype": "none", "svg.hashsalt": "boltzmark",
    "pdf.fonttype": 42})


def new_figure(height: float, width: float | None = None) -> Figure:
    """A figure of a column's width, without a title, because a paper's caption describes it."""
    figure = Figure(figsize=(width or COLUMN, height), dpi=DPI, layout="constrained")
    FigureCanvasAgg(figure)
    return figure


def write(figure: Figure, base: Path, only_svg: bool) -> None:
    """BASE.svg, .pdf and .png of one layout. Like savefig, which would repeat the layout and a drawing for each."""
    for i, artist in enumerate(figure.findobj(lambda one: (one.get_gid() or "").startswith("model-"))):
        artist.set_gid(f"{artist.get_gid()}-{i}")   # an id is unique
    figure.get_layout_engine().execute(figure)
    figure.set_layout_engine("none")
    FigureCanvasSVG(figure).print_svg(base.with_suffix(".svg"), metadata={"Date": None})
    if only_svg:
        return
    FigureCanvasPdf(figure).print_pdf(base.with_suffix(".pdf"), metadata={"CreationDate": None})
    figure.set_dpi(4 * DPI)
    FigureCanvasAgg(figure).print_png(base.with_suffix(".png"))


def plain_ticks(axis: Any) -> None:
    axis.set_major_formatter(FuncFormatter(lambda value, _: plain(float(f"{value:.6g}"))))


def log_axis(axis: Any, low: float, high: float) -> None:
    """A logarithmic axis with plain numbers; over less than two decades 2 and 5 are labelled too."""
    getattr(axis.axes, f"set_{axis.axis_name}scale")("log")
    getattr(axis.axes, f"set_{axis.axis_name}lim")(low, high)
    decades = math.log10(high / low)
    subs = tuple(range(1, 10)) if decades < 0.6 else (1, 2, 5) if decades < 2.2 else (1,)
    axis.set_major_locator(LogLocator(10, subs=subs, numticks=8))
    axis.set_minor_locator(LogLocator(10, subs=tuple(range(2, 10)), numticks=12))
    axis.set_minor_formatter(NullFormatter())
    plain_ticks(axis)


def fixed_ticks(axis: Any, values: list[float]) -> None:
    axis.set_major_locator(FixedLocator(values))
    axis.set_minor_locator(NullLocator())
    plain_ticks(axis)


def whiskers(axes: Axes, x: Any, y: pandas.Series, low: pandas.Series, high: pandas.Series, **look: Any) -> None:
    """A line with marks, and with whiskers where there is an interval."""
    spread = [(y - low).clip(lower=0).fillna(0), (high - y).clip(lower=0).fillna(0)]
    for artist in axes.errorbar(x, y, yerr=spread, capsize=2, elinewidth=0.8, zorder=3, **look).get_children():
        artist.set_gid(look.get("gid"))


class Look:
    """The look of each model and variant: the model's colour, marks and lines for its variants."""

    def __init__(self, runs: pandas.DataFrame):
        models = list(dict.fromkeys(runs["model"]))
        others = iter(c for c in [*reversed(MODELS.values())] * (1 + len(models)) if c not in map(MODELS.get, models))
        self.colours = {model: MODELS.get(model) or next(others, INK) for model in models}
        self.names = {model: list(dict.fromkeys(runs["name"][runs["model"] == model])) for model in models}

    def place(self, model: str, name: str) -> int:
        return self.names[model].index(name) if name in self.names.get(model, []) else 0

    def colour(self, model: str) -> str:
        return self.colours.get(model, INK)

    @staticmethod
    def gid(model: str) -> str:
        return f"model-{model_text(model)}"

    def marker(self, model: str, name: str) -> dict[str, Any]:
        """Hollow, so that those that cover each other are all seen. The page hides a model's elements by their id."""
        return {"gid": self.gid(model), "color": self.colour(model), "marker": SHAPES[self.place(model, name) % len(SHAPES)], "markersize": 5,
                "markerfacecolor": "none", "markeredgewidth": 1.1}

    def line(self, model: str, name: str) -> dict[str, Any]:
        return {**self.marker(model, name), "linestyle": LINES[self.place(model, name) % len(LINES)]}


def legend_below(figure: Figure, handles: list[Any]) -> None:
    """A legend below the axes, where it takes no width; the layout of matplotlib 3.6 leaves no room for a figure's
    legend."""
    labels = [str(handle.get_label()) for handle in handles]
    columns = 2 if max(map(len, labels)) <= 6 * figure.get_figwidth() else 1
    room = 0.17 * -(-sum(1 + label.count("\n") for label in labels) // columns) + 0.04
    figure.set_figheight(figure.get_figheight() + room)
    legend = figure.legend(handles=handles, loc="lower center", ncols=columns, handlelength=2.4, columnspacing=1.0,
                           borderaxespad=0.0)
    for handle, *shown in zip(handles, legend.get_lines(), legend.get_texts()):
        for artist in shown:
            artist.set_gid(handle.get_gid())
    share = room / figure.get_figheight()
    figure.get_layout_engine().set(rect=(0, share, 1, 1 - share))
