"""Ynddal's three bars: the heat equation expression by expression, as found, with a tuned work-group, and with the index
arithmetic mended instead."""

from collections.abc import Iterator

import pandas
from figures import Results, case_text
from plots import REPEATS, Plot, draw_bars
from published import Published
from style import Look
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


def three_bars(results: Results, published: Published) -> Iterator[Plot]:
    runs, look = results.right(), Look(results.runs)
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
                   f"side by side {significant(seconds[0] / seconds[2], 3)} times.", lambda bars=bars: draw_bars(
                       bars, "seconds_median", [name.replace(", ", ",\n") for name in BARS], "seconds", look))
