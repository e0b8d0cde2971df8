"""The message roofline (Ding et al., "Evaluating the performance of one-sided communication on CPUs and GPUs", 2023):
GB/s that a rank sends over the size of a message, as measured and according to the network's fits."""

from collections.abc import Iterator

import pandas
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from plots import Plot
from style import LINES, MODELS, SHAPES, legend_below, log_axis, new_figure
from words import counted, significant

PLACES = {"socket": "one socket", "sockets": "two sockets", "nodes": "two nodes"}
WAYS = {"one": "one way", "both": "both ways", "halo": "two each way"}
COLOURS = (MODELS["openmp"], MODELS["mpi"], MODELS["openmp_target"])


def plots(peaks: pandas.DataFrame) -> Iterator[Plot]:
    """Empty if the network was not measured."""
    roofs = peaks[(peaks["kind"] == "message_roof") & peaks["gb_per_s"].notna()]
    if roofs.empty:
        return
    alone = roofs[roofs["messages"] == roofs.groupby(["level", "pattern"])["messages"].transform("min")]
    keys = ["level", "pattern", "cores", "messages"]
    measured = peaks[(peaks["kind"] == "message") & peaks["gb_per_s"].notna()]
    points = measured.merge(alone[keys].drop_duplicates(), on=keys)
    best = alone.loc[alone["gb_per_s"].idxmax()]
    yield Plot("messages", "Messages between ranks",
               "Marks: measured medians. Lines: fitted latency and time per byte. All pairs of ranks send at once; "
               "GB/s per sending rank.",
               f"Fastest: {WAYS[best['pattern']]} between ranks of {PLACES[best['level']]}, "
               f"{significant(best['gb_per_s'], 3)} GB/s.", lambda: draw(alone, points, ["level", "pattern"]))
    several = roofs[roofs["pattern"] == "one"]
    if several["messages"].nunique() > 1:
        yield Plot("messages-in-flight", "Message rate with several messages in flight",
                   "One way, by the fits and the rate of short messages: several in flight hide their latency.", "",
                   lambda: draw(several, points.iloc[:0], ["level", "messages"]))


def draw(roofs: pandas.DataFrame, points: pandas.DataFrame, keys: list[str]) -> Figure:
    """A colour per place, a line per method or number of messages."""
    figure, handles = new_figure(2.6), []
    axes = figure.add_subplot(xlabel="message size (bytes)", ylabel="GB/s per rank")
    axes.grid(True)
    places, seconds = (list(dict.fromkeys(roofs[key])) for key in keys)
    for (place, second), line in roofs.groupby(keys, sort=False):
        colour, at = COLOURS[list(PLACES).index(place)], seconds.index(second)
        style = {"color": colour, "linestyle": LINES[at % len(LINES)]}
        axes.plot(line["from_bytes"], line["gb_per_s"], **style)
        mine = points[(points[keys[0]] == place) & (points[keys[1]] == second)]
        mark = {"marker": SHAPES[at % len(SHAPES)], "markersize": 4, "markerfacecolor": "none"} if len(mine) else {}
        axes.plot(mine["from_bytes"], mine["gb_per_s"], color=colour, **{**mark, "linestyle": "none"})
        what = WAYS[second] if second in WAYS else counted(int(second), "message")
        handles.append(Line2D([], [], label=f"{PLACES[place]}, {what}" if len(places) > 1 else what, **style, **mark))
    both = pandas.concat([roofs, points])
    log_axis(axes.xaxis, both["from_bytes"].min() / 1.5, both["from_bytes"].max() * 1.5)
    log_axis(axes.yaxis, both["gb_per_s"].min() / 1.5, both["gb_per_s"].max() * 1.5)
    legend_below(figure, handles)
    return figure
