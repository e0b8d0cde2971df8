"""Ynddal's three bars: the heat equation expression by expression, as found, with a tuned work-group, and with the index
arithmetic mended instead."""

from collections.abc import Iterator

import pandas
from figures import Results, case_text
from matplotlib.figure import Figure
from plots import REPEATS, Plot
from published import Published
from style import INK, Look, new_figure
from words import device_text, file_name, significant

BARS = ("default", "tuned work-group", "default, neighbours side by side")


def bars_of(runs: pandas.DataFrame) -> pandas.DataFrame | None:
    """The three rows in the order of BARS, of each the fastest; None where one is missing."""
    is_chosen = (runs["work_group_asked"] != "") | (runs["tuned"] != "")
    kinds = (runs[(runs["variant"] == "array") & ~is_chosen], runs[(runs["variant"] == "array") & is_chosen],
             runs[(runs["variant"] == "array-coalesced") & ~is_chosen])
    if any(kind.empty for kind in kinds):
        return None
    return pandas.DataFrame([kind.loc[kind["seconds_median"].idxmin()] for kind in kinds]).reset_index(drop=True)


def beside(published: Published) -> str:
    """What the source says of the same three, as a sentence."""
    def value(what: str) -> str:
        found = next(f for f in published.data["figures"] if f["source"] == "E" and f["what"].startswith(what))
        return f"{found['value']} {found['unit']}"
    kernel = "heat equation 11000 x 11000, 60 steps, "
    return (f"Published on the {published.hardware['gtx-970']['name']}, 11000 x 11000, 60 steps: {value('Bohrium as found')} as "
            f"found, its most expensive kernel alone {value(kernel + 'default')} with the default and "
            f"{value(kernel + 'best')} with the best work-group; about {value('Bohrium with coalesced')} with the index mended.")


def three_bars(results: Results, published: Published, look: Look) -> Iterator[Plot]:
    runs = results.right()
    runs = runs[(runs["workload"] == "heat") & (runs["part"] == "")]
    for (model, device, case, steps, precision), frame in runs.groupby(["model", "device", "case", "steps",
                                                                        "precision"], sort=False):
        bars = bars_of(frame)
        if bars is None:
            continue
        seconds = bars["seconds_median"]
        title = f"{case_text(case, steps, precision)}, {model} on {device_text(device)}"
        group = bars["work_group_asked"][1] or bars["tuned"][1]
        yield Plot(file_name(f"three-bars-{title}"), f"Work-group or index: {title}",
                   f"One kernel an array expression. Tuned: {group}. {REPEATS} {beside(published)}",
                   f"A tuned work-group makes it {significant(seconds[0] / seconds[1], 3)} times as fast, neighbours "
                   f"side by side {significant(seconds[0] / seconds[2], 3)} times.", lambda bars=bars: draw(bars, look))


def draw(bars: pandas.DataFrame, look: Look) -> Figure:
    figure = new_figure(1.2)
    axes = figure.add_subplot()
    axes.set_yticks(range(len(BARS)), [name.replace(", ", ",\n") for name in BARS])
    axes.tick_params(axis="y", length=0)
    axes.set_ylim(len(BARS) - 0.4, -0.6)
    axes.set_xlim(0, 1.2 * bars["seconds_max"].max())
    axes.set_xlabel("seconds")
    axes.grid(True, axis="x")
    for i, bar in bars.iterrows():
        value, most = bar["seconds_median"], max(bar["seconds_median"], bar["seconds_max"])
        axes.barh(i, value, height=0.62, color=look.colour(bar["model"]), zorder=2)
        axes.errorbar(value, i, xerr=[[max(0.0, value - bar["seconds_min"])], [most - value]], fmt="none", ecolor=INK,
                      elinewidth=0.8, capsize=1.5, zorder=3)
        axes.annotate(significant(value, 3), (most, i), xytext=(4, 0), textcoords="offset points", va="center")
    return figure
