"""Ynddal's thesis: the Benchpress set over the roofline, digits of sums, segmented sums by length of segments, and
three bars of the heat equation."""

from collections.abc import Iterator
from typing import Any

import pandas
from figures import Results, case_text
from matplotlib.figure import Figure
from plots import WHISKERS, Plot, best_rows, draw_bars, draw_lines
from published import SCALED, Published
from style import Look, fixed_ticks, log_axis
from table import Column, Table
from words import as_published, device_text, file_name, percent, precision_text, significant, whole

# The Benchpress set: published seconds beside the fastest runs, each with its bound, from pure arithmetic to pure
# memory traffic.

LINEAR = {"pi", "galton"}       # whose time is proportional to their size


def fitting(runs: pandas.DataFrame, of: dict[str, Any], size: dict[str, Any]) -> pandas.DataFrame:
    """Right runs of a program of the set at this size or the nearest one, with the seconds of the published
    iterations."""
    runs = runs[(runs["workload"] == of["workload"]) & runs["case"].str.startswith(of.get("case", ""))]
    if of["workload"] in LINEAR:
        nearest = [min(of["sizes"], key=lambda one, nx=nx: abs(one["size"] - nx)) for nx in runs["nx"]]
        runs = runs[pandas.Series([one is size for one in nearest], runs.index, bool)]
    else:
        runs = runs[runs["nx"] == size["size"]]
    times = runs["ny"] if of["workload"] == "galton" else 1     # its levels are its iterations
    done = runs["nx"] * runs["steps"] * times
    return runs.assign(of_all=done / (size["size"] * size["iterations"])).assign(
        seconds_full=lambda frame: frame["seconds_median"] / frame["of_all"])


def benchpress(results: Results, published: Published) -> Table:
    """A row for each program, size and type of device, ordered by the fastest run's FLOPs per byte."""
    group, rows, notes = published.data["set"], [], []
    right = results.right()
    right = right[(right["precision"] == "f64") & (right["part"] == "") & (right["role"] != "peer")]
    for of in group["programs"]:
        for size in of["sizes"]:
            for _, mine in fitting(right, of, size).groupby("device_type", sort=False):
                run = mine.loc[mine["seconds_full"].idxmin()]
                rows.append({
                    "program": of["name"], "size": f"{size['size']:,} \u00d7 {size['iterations']}".replace(",", "\u202f"),
                    "who": run["who"], "on": device_text(run["device"]), "intensity": run["flops_per_update"]
                    / run["bytes_per_update"] if run["bytes_per_update"] > 0 else float("inf"),
                    "bound": run["bound"], "share": run["share_of_bound"], "published": size["seconds"],
                    "seconds": run["seconds_full"], "ratio": size["seconds"] / run["seconds_full"]})
                notes += [SCALED] if abs(run["of_all"] - 1) > 1e-9 else []
                notes += [(size["remark"], f"{of['name']}, {size['size']}")] if "remark" in size else []
    rows.sort(key=lambda row: -row["intensity"])
    columns = [Column("program", "program"), Column("size \u00d7\niterations", "size"), Column("our run", "who"),
               Column("on", "on"), Column("FLOP/\nbyte", "intensity", lambda x: "\u221e" if x == float("inf") else significant(x, 3)),
               Column("bound", "bound"), Column("of the\ntime", "share", percent),
               Column("published\ns, about", "published", as_published), Column("measured\ns", "seconds", 4),
               Column("ratio", "ratio", 3)]
    return Table("benchpress", "The Benchpress set over the roofline", rows, columns, group["note"], notes,
                 published.citation(group["source"], group["part"]) + ", on " + published.on(group["hardware"]),
                 needs="seconds")


STRATEGIES = ["serial", "packed", "compact", "power-of-two", "group", "adaptive"]


def metric(row: Any, name: str) -> float:
    value = row["metrics"].get(name, {}).get("value")
    return float("nan") if value is None else float(value)


# Digits: how exact a sum of 0, 1, 2 ... is.

def accuracy(results: Results, published: Published) -> Table:
    runs = results.right()
    runs = runs[(runs["workload"] == "reduce") & (runs["part"] == "")]
    runs = runs.assign(digits=[metric(row, "digits") for _, row in runs.iterrows()])
    runs = runs[runs["digits"].notna()].drop_duplicates(["elements", "who", "precision", "device"])
    beside = {row["elements"]: row for row in published.data["accuracy"]["rows"]}
    rows = [{"elements": run["elements"], "who": f"{run['who']}, {precision_text(run['precision'])}",
             "device": device_text(run["device"]), "digits": run["digits"],
             **{key: beside.get(run["elements"], {}).get(key) for key in ("pairwise", "tree")}}
            for _, run in runs.sort_values("elements", kind="stable").iterrows()]
    columns = [Column("terms", "elements", whole), Column("our run", "who"), Column("on", "device"),
               Column("digits\nright", "digits", lambda digits: "all" if digits > 15.9 else f"{digits:.1f}"),
               Column("NumPy,\npairwise", "pairwise"), Column("tree on\nthe GPU", "tree")]
    group = published.data["accuracy"]
    return Table("accuracy", "Digits of the sum of 0, 1, 2 ...", rows, columns,
                 "Decimal digits that agree with the exact sum, n (n - 1) / 2; published figures are for floats.",
                 ["Counter-example: serial textbook in single precision adds all terms to a single float, which stops "
                  "changing once a term is less than half of its last digit."] if len(rows) else [],
                 published.citation(group["source"]))


# Segments: the rate of each strategy over the length of a segment, and Ynddal's figure 6.5.

def segments(results: Results, look: Look) -> Iterator[Plot]:
    runs = results.right()
    runs = runs[(runs["workload"] == "segments") & (runs["part"] == "") & (runs["setting"] == "")]
    runs = runs.assign(at_once=[metric(row, "segments_per_wavefront") for _, row in runs.iterrows()])
    for (device, precision), frame in runs.groupby(["device", "precision"], sort=False):
        best = best_rows(frame, ["model", "name", "nx"])
        if best["nx"].nunique() < 2:
            continue
        top = best.loc[best["gb_per_s"].idxmax()]
        title = f"segments on {device_text(device)}, {precision_text(precision)}"
        counted = best[best["at_once"].notna() & best["name"].isin(STRATEGIES[1:4]) & (best["nx"] <= 32)]
        yield Plot(file_name(f"segments-{device}-{precision}"), f"Segmented sums, {title}",
                   "Counted: the bytes read and the one sum written per segment. " + WHISKERS,
                   f"Fastest: {top['who']} at length {whole(top['nx'])}, {significant(top['gb_per_s'])} GB/s.",
                   lambda best=best: draw_segments(best, look))
        if len(counted):
            yield Plot(file_name(f"segments-at-once-{device}-{precision}"), f"Segments at once, {title}",
                       "Ynddal's figure 6.5: segments per wavefront of 32 work-items, by strategy.",
                       "", lambda counted=counted: draw_at_once(counted, look))


def draw_segments(rows: pandas.DataFrame, look: Look) -> Figure:
    figure = draw_lines(rows, "nx", "gb_per_s", look, xlabel="elements per segment", ylabel="GB/s (log scale)")
    axes, lengths = figure.axes[0], sorted(set(rows["nx"]))
    axes.set_xscale("log", base=2)
    fixed_ticks(axes.xaxis, [n for before, n in zip([0, *lengths], lengths) if n >= 1.8 * before])
    axes.tick_params(axis="x", labelrotation=60)
    axes.set_xlim(lengths[0] / 1.3, lengths[-1] * 1.3)
    log_axis(axes.yaxis, rows["gb_per_s_low"].fillna(rows["gb_per_s"]).min() / 1.3, rows["gb_per_s_high"].fillna(rows["gb_per_s"]).max() * 1.3)
    return figure


def draw_at_once(rows: pandas.DataFrame, look: Look) -> Figure:
    figure = draw_lines(rows, "nx", "at_once", look, xlabel="elements per segment", ylabel="segments per wavefront")
    figure.axes[0].set_ylim(bottom=0)
    return figure


# The heat equation expression by expression: as found, with a tuned work-group, and with corrected index arithmetic
# instead.

BARS = ("default", "tuned work-group", "default, contiguous neighbours")


def bars_of(runs: pandas.DataFrame) -> pandas.DataFrame | None:
    """The fastest row of each of the three bars, in the order of BARS; None if one is missing."""
    is_chosen = (runs["work_group_asked"] != "") | (runs["tuned"] != "")
    kinds = (runs[(runs["variant"] == "array") & ~is_chosen], runs[(runs["variant"] == "array") & is_chosen],
             runs[(runs["variant"] == "array-coalesced") & ~is_chosen])
    if any(kind.empty for kind in kinds):
        return None
    return pandas.DataFrame([kind.loc[kind["seconds_median"].idxmin()] for kind in kinds]).reset_index(drop=True)


def said_of_bars(published: Published) -> str:
    """The source's figures for the same three, as a sentence."""
    def value(what: str) -> str:
        found = next(f for f in published.data["figures"] if f["source"] == "E" and f["what"].startswith(what))
        return f"{found['value']} {found['unit']}"
    kernel = "heat equation 11000 x 11000, 60 steps, "
    return (f"Published on the {published.hardware['gtx-970']['name']}, 11000 x 11000, 60 steps: "
            f"{value('Bohrium as found')} as found, its most expensive kernel alone {value(kernel + 'default')} with "
            f"the default and {value(kernel + 'best')} with the best work-group; about "
            f"{value('Bohrium with coalesced')} with the index mended.")


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
                   f"One kernel per array expression. Tuned: {group}. {WHISKERS} {said_of_bars(published)}",
                   f"A tuned work-group makes it {significant(seconds[0] / seconds[1], 3)} times as fast, contiguous "
                   f"neighbours {significant(seconds[0] / seconds[2], 3)} times.", lambda bars=bars: draw_bars(
                       bars, "seconds_median", [name.replace(", ", ",\n") for name in BARS], "seconds", look))
