"""The roofline of a processor or device (Williams, Waterman and Patterson, CACM 2009): GFLOP/s over FLOP/byte under
measured roofs, one chart per problem. A point's intensity is its FLOPs over the bytes through the level of memory that
takes longest; the roofs that the best run of each model is held to are drawn thick."""

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pandas
from figures import Results, cells_of
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from plots import WHISKERS, Plot, labelled
from style import FAINT, INK, PAPER, Look, log_axis, new_figure, whiskers
from words import counted, device_text, file_name, model_text, precision_text, problem_text, shortened, significant

DASHES = ("-", (0, (6, 2)), (0, (6, 2, 1.5, 2)), (0, (1.5, 1.5)), (0, (3, 1.5)))


@dataclass
class Roof:
    """The roof of a level in GB/s, or a ceiling in GFLOP/s."""
    name: str
    rate: float
    slow: float | None = None   # lower end if it is noisy
    is_used: bool = True        # by the best run of a model

    def label(self, unit: str = "") -> str:
        return f"{self.name} {' to '.join(significant(end, 3) for end in (self.slow, self.rate) if end)} {unit}".strip()

    def data(self, unit: str) -> dict[str, Any]:
        return {"rate": float(self.rate), "label": self.label(unit), "slow": self.slow and float(self.slow), "used": self.is_used}


@dataclass
class Chart:
    """Chart of a processor or device in one precision: data of the interactive chart, and a plot per problem."""
    title: str
    caption: str            # its roofs and points, and what is not drawn
    data: dict[str, Any]
    plots: list[Plot]
    count: int              # of its runs


def charts(results: Results, look: Look) -> Iterator[Chart]:
    """Charts; those in single precision exist even without runs."""
    roofs = results.peaks[results.peaks["is_roof"] & results.peaks["median"].notna()]
    points = results.right()
    points = points[points["part"] == ""]
    for of in dict.fromkeys(roofs["of"]):
        # A processor that is also an OpenCL device has the processor's roofs.
        if of != "processor" and roofs["type"][roofs["of"] == of].iat[0] == "cpu":
            continue
        for precision in ("f32", "f64"):
            mine = points[(points["peaks_of"] == of) & (points["precision"] == precision)]
            if len(mine) or precision == "f32":
                yield chart(of, precision, roofs[roofs["of"] == of], mine, results.peaks, look)


def drawn(points: pandas.DataFrame) -> pandas.DataFrame:
    """Rows that have a place under a roof: the best run of each model, and others on as many workers as one of these."""
    placed, problem = points[(points["flop_per_byte"] > 0) & (points["part"] == "")], ["peaks_of", "workload", "case", "precision"]
    placed = placed.assign(is_best=placed.index.isin(placed.groupby([*problem, "model"])["gflop_per_s"].idxmax()))
    at = pandas.MultiIndex.from_frame(placed[[*problem, "workers"]])
    return placed[at.isin(at[placed["is_best"]])]


def left_out(points: pandas.DataFrame) -> str:
    """The number of the others, and why: those without FLOPs or bytes have a bound nevertheless."""
    others = points.drop(drawn(points).index)
    why = Counter(others["verdict"].where(others["bound"] == "", "no FLOPs or no bytes").where(
        ~(others["flop_per_byte"] > 0), "on other numbers of workers than the fastest"))
    return f" {len(others)} of {len(points)} runs not drawn: " + ", ".join(
        f"{text} ({count})" for text, count in why.items()) + "." if why else ""


def machine_text(of: str, peaks: pandas.DataFrame) -> str:
    if of != "processor":
        return device_text(of, 60)
    facts = peaks[(peaks["of"] == of) & (peaks["kind"] == "fact")]
    return ", ".join(facts["text"][:2]) or of


def chart(of: str, precision: str, roofs: pandas.DataFrame, points: pandas.DataFrame, peaks: pandas.DataFrame,
          look: Look) -> Chart:
    levels = roofs[roofs["kind"] == "bandwidth"].drop_duplicates("level")
    ceilings = roofs[(roofs["kind"] == "compute") & (roofs["precision"] == precision)]
    # As C++ judges: by the fastest of any width, while a chart has the widest ones.
    adds = peaks[(peaks["of"] == of) & (peaks["kind"] == "compute") & (peaks["precision"] == precision)
                 & peaks["operation"].isin(["multiply-add", ""]) & peaks["cores"].isin(ceilings["cores"])]
    fma = adds["fma"][adds["roof"].idxmax()] if len(adds) else ""
    title = f"{machine_text(of, peaks)}, {precision_text(precision)}"
    groups = [(f"{workload.replace('_', '-')} {problem_text(case)}", named(rows))
              for (workload, case), rows in in_order(drawn(points))]
    drawings = [(name, rows, roofs_of(rows, levels), tops_of(rows, ceilings, precision, fma)) for name, rows in groups]
    data = {"cases": [{"name": name, "points": [point_of(row, look) for _, row in rows.iterrows()],
                       "roofs": [roof.data("GB/s") for roof in lines], "tops": [roof.data("GFLOP/s") for roof in tops]}
                      for name, rows, lines, tops in drawings]}
    # A panel without runs shows only the roofs.
    empty = drawn(points)
    plots = [Plot(file_name(f"roofline-{of}-{precision}-{name}"), f"Roofline, {name or title}", WHISKERS * bool(name),
                  summary_of(rows), lambda rows=rows, lines=lines, tops=tops: draw(lines, tops, rows, look), runs=rows)
             for name, rows, lines, tops in drawings or [(
                 "", empty, roofs_of(empty, levels), tops_of(empty, ceilings, precision, fma))]]
    measured = " to ".join(dict.fromkeys(date[:10] for date in sorted({*roofs["date"]} - {""})))
    is_noisy = any(roof.slow for _, _, lines, _ in drawings for roof in lines if roof.is_used)
    is_rough = bool(peaks["text"][(peaks["of"] == of) & (peaks["kind"] == "note")].str.startswith("rough").any())
    about = (f"Roofs: in bytes that move, the highest confirmed rate of boltzmark peaks{f' ({measured})' * bool(measured)}"
             f"{', rough (--brief)' * is_rough}, of probes during the runs, and of STREAM. Thick: the roof of the level that "
             "takes longest in a model's fastest run, with the kernel that has it and, if not all, the cores"
             f"{', and a band down to slow moments of the machine' * is_noisy}; thin: those of other runs and levels. A run's "
             "share is of its own roof (roof_of in figures.csv), and its point is at its FLOPs over the bytes through that "
             "level. Colour: model; shape: variant and settings.")
    count = int(drawn(points)["verdict"].str.endswith("count or roof wrong").sum())
    about += f" {counted(count, 'point')} more than 5 % above a limit: count or roof wrong." * bool(count)
    return Chart(title, about + left_out(points), data, plots, len(points))


def named(rows: pandas.DataFrame) -> pandas.DataFrame:
    """With labels; of the best runs without their number of workers if it is the same."""
    best = rows[rows["is_best"]]
    rows = labelled(rows)
    return rows.assign(label=labelled(best)["label"].reindex(rows.index).fillna(rows["label"])
                       if best["workers"].nunique() == 1 else rows["label"])


def roofs_of(rows: pandas.DataFrame, levels: pandas.DataFrame) -> list[Roof]:
    """Those by which runs are judged, and of other levels the fastest."""
    held = rows[rows["roof_gb_per_s"] > 0]
    roofs: list[Roof] = []
    for (level, rate), same in held.groupby(["level", "roof_gb_per_s"], sort=False):
        low, kernels = same["roof_gb_per_s_min"].iat[0], [*dict.fromkeys(same["roof_of"])]
        roofs.append(Roof(level + f" ({', '.join(kernels)})" * any(kernels), rate, low if low < 0.9 * rate else None,
                          bool(same["is_best"].any())))
    roofs += [Roof(row["level"], row["moved"], row["slow"] if row["slow"] > 0 else None, False)
              for _, row in levels[~levels["level"].isin(held["level"])].iterrows()]
    return sorted(roofs, key=lambda roof: -roof.rate)


def tops_of(rows: pandas.DataFrame, ceilings: pandas.DataFrame, precision: str, fma: str) -> list[Roof]:
    """Multiply-adds of the precision on all cores, those with or without FMA (`fma`) by which the best runs are judged at
    that rate, and other peaks of these runs: of tensor cores, or of fewer cores."""
    held = rows[rows["is_best"] & (rows["peak_of"] != "")].drop_duplicates("peak_of").set_index("peak_of")["peak_gflop_per_s"]
    tops = [Roof(f"{precision} {'FMA' if row['fma'] == 'true' else 'without FMA'}",
                 held[precision] if precision in held and row["fma"] == fma else row["roof"])
            for _, row in ceilings.iterrows()]
    return sorted(tops + [Roof(of, rate) for of, rate in held.items() if of != precision], key=lambda top: -top.rate)


def in_order(points: pandas.DataFrame) -> list[tuple[tuple[str, str], Any]]:
    """Problems of a workload from small to large, with the rows of each."""
    ordered = points.assign(size=cells_of(points)).sort_values("size", kind="stable")
    first = list(dict.fromkeys(points["workload"]))
    return sorted(ordered.groupby(["workload", "case"], sort=False), key=lambda group: first.index(group[0][0]))


def summary_of(points: pandas.DataFrame) -> str:
    if points.empty:
        return "No runs."
    best = points.loc[points["gflop_per_s"].idxmax()]
    return (f"Fastest of {len(points)} runs: {best['who']} with {significant(best['gflop_per_s'])} GFLOP/s at "
            f"{significant(best['flop_per_byte'], 3)} FLOP/byte of {best['level']}; {best['verdict']}.")


def point_of(row: pandas.Series, look: Look) -> dict[str, Any]:
    marker = look.marker(row["model"], row["name"])
    return {"x": row["flop_per_byte"], "y": row["gflop_per_s"], "model": model_text(row["model"]),
            "variant": row["name"],
            "label": row["label"], "colour": marker["color"], "shape": marker["marker"], "id": row["id"],
            "best": bool(row["is_best"]),
            "text": f"{significant(row['gflop_per_s'])} GFLOP/s at {significant(row['flop_per_byte'], 3)} FLOP/byte of "
                    f"{row['level']}" + f" under {significant(row['roof_gb_per_s'], 3)} GB/s ({row['roof_of']})" * bool(row["roof_of"])
                    + f" ({significant(row['measured_flop_per_byte'], 3)} by counters)" * (
                        row["measured_flop_per_byte"] > 0) + f"; {row['verdict']}"}


def bounds(lines: list[Roof], tops: list[Roof], points: pandas.DataFrame) -> tuple[float, float, float, float]:
    """Ranges of the axes: all points and the ridges fit."""
    top = max((top.rate for top in tops), default=None)
    ridges = [top / roof.rate for roof in lines] if top else []
    x = [*points["flop_per_byte"], *points["measured_flop_per_byte"].dropna(), *ridges] or [1.0]
    is_close = any(high.rate < 2 * low.rate for high, low in zip(lines, lines[1:]))     # names are side by side
    low, high = min(x) / (10 if is_close else 4), max(x) * 3
    if len(points):     # labels stand right of the points
        high = max(high, low * (points["flop_per_byte"].max() / low) ** 2.3)
    best = points[points["is_best"]]
    y = [*points["gflop_per_s"], *best["gflop_per_s_low"].dropna(), *best["gflop_per_s_high"].dropna(),
         *(top.rate for top in tops)]
    y += [roof.rate * low for roof in lines] if not len(points) else []
    return low, high, min(y, default=1.0) / 2.5, max(y, default=100.0) * 1.6


def spread_apart(heights: list[float], gap: float) -> list[float]:
    """Heights of labels, from low to high, as near to these as possible without overlap."""
    places = list(heights)
    for i in range(1, len(places)):
        places[i] = max(places[i], places[i - 1] + gap)
    over = max(0.0, places[-1] - max(heights[-1], gap * len(places))) / 2 if places else 0.0
    return [place - over for place in places]


def draw(lines: list[Roof], tops: list[Roof], points: pandas.DataFrame, look: Look) -> Figure:
    """The best run of each model is labelled, in one column with the ceilings; others are small."""
    figure = new_figure(2.9)
    axes = figure.add_subplot(xlabel="operational intensity (FLOP/byte)", ylabel="performance (GFLOP/s)")
    low, high, bottom, top = bounds(lines, tops, points)
    log_axis(axes.xaxis, low, high)
    log_axis(axes.yaxis, bottom, top)
    axes.grid(True)
    draw_roofs(axes, lines, tops, points)
    for _, run in points[~points["is_best"]].iterrows():
        small = {**look.marker(run["model"], run["name"]), "markersize": 3, "markeredgewidth": 0.7}
        axes.plot(run["flop_per_byte"], run["gflop_per_s"], **small, alpha=0.7)
    figure.get_layout_engine().execute(figure)
    to_pixels, from_pixels = axes.transData.transform, axes.transData.inverted().transform
    right = 12 + max((to_pixels((x, 1.0))[0] for x in points["flop_per_byte"]), default=axes.bbox.x1 - 110)
    labels = [(top.rate, from_pixels((right - 4, 0.0))[0], top.label("GFLOP/s"), FAINT) for top in tops]
    for _, run in points[points["is_best"]].iterrows():
        whiskers(axes, [run["flop_per_byte"]], *(pandas.Series([run[f"gflop_per_s{end}"]]) for end in ("", "_low", "_high")),
                 linestyle="none", **look.marker(run["model"], run["name"]))
        if run["measured_flop_per_byte"] > 0:    # from counted to measured
            ends = [(run[x], run["gflop_per_s"]) for x in ("measured_flop_per_byte", "flop_per_byte")]
            axes.annotate("", *ends, zorder=4, arrowprops={"arrowstyle": "->", "color": look.colour(run["model"]),
                                                           "linewidth": 0.8})
        labels.append((run["gflop_per_s"], run["flop_per_byte"], shortened(run["label"], 28), look.colour(run["model"])))
    labels.sort()
    heights = spread_apart([to_pixels((1.0, rate))[1] for rate, *_ in labels], 10.5)
    over = max([0.0, *(height - axes.bbox.y1 + 4 for height in heights)])
    for (rate, x, text, colour), height in zip(labels, heights):
        axes.annotate(text, (x, rate), from_pixels((right, height - over)), va="center", zorder=5,
                      arrowprops={"arrowstyle": "-", "color": colour, "linewidth": 0.6, "shrinkA": 0, "shrinkB": 2, "relpos": (0, 0.5)},
                      bbox={"facecolor": PAPER, "edgecolor": "none", "alpha": 0.8, "pad": 0.5})
    figure.get_layout_engine().execute(figure)      # makes room for these labels, and writing for what has moved
    return figure


def draw_roofs(axes: Axes, lines: list[Roof], tops: list[Roof], points: pandas.DataFrame) -> None:
    """Ceilings, and roofs with names along them, thin where no best run uses them: left of the first point or, without room
    there, up at the ridge; of two that are close the second further along."""
    (left, right), (bottom, top) = axes.get_xlim(), axes.get_ylim()
    ceiling = max((one.rate for one in tops), default=top)
    first, wide, high = points["flop_per_byte"].min(), *(axes.bbox.size / [math.log(right / left), math.log(top / bottom)])
    slant = math.atan2(high, wide)
    texts = [roof.label("GB/s" * roof.is_used) for roof in lines]
    # A name that is longer than its roof is without the kernel.
    for i, roof in enumerate(lines):
        if math.log(min(right, ceiling / roof.rate) / max(left, bottom / roof.rate)) * wide < 4.6 * len(texts[i]) * math.cos(slant):
            texts[i] = Roof(roof.name.split(" (")[0], roof.rate, roof.slow).label()
    lengths = [4.6 * len(text) for text in texts]
    # Start of names along a roof, and the last one used.
    places = {10.0 + i * (10.0 + max(lengths, default=0)): math.inf for i in range(3)}

    def factor(along: float) -> float:
        return math.exp(along * math.cos(slant) / wide)
    for i, roof in enumerate(lines):
        rate = roof.rate
        ends = [max(left, bottom / rate), max(left, min(right, ceiling / rate))]
        ink, width = (INK, 1.2) if roof.is_used else (FAINT, 0.5)
        axes.plot(ends, [x * rate for x in ends], color=ink, linewidth=width, linestyle=DASHES[i % len(DASHES)], zorder=2)
        if roof.is_used and roof.slow:
            axes.fill_between(ends, [x * roof.slow for x in ends], [x * rate for x in ends], color=FAINT, alpha=0.15, linewidth=0)
        is_up = ends[0] * 1.1 * (right / left) ** 0.15 > first
        at = next((at for at, last in places.items() if high * math.log(last / rate) * math.cos(slant) > 11), 10.0)
        places[at] = places[at] if is_up else rate
        x = ends[1] / 1.1 if is_up else min(ends[0] * factor(at), max(ends[0], ends[1] / factor(lengths[i])))
        axes.text(x, x * rate, texts[i], rotation=math.degrees(math.atan(rate)),
                  transform_rotates_text=True, rotation_mode="anchor", va="bottom", ha="right" if is_up else "left",
                  color=ink, zorder=4)
    for rate in (one.rate for one in tops):
        axes.plot([max(left, min(right, rate / lines[0].rate)) if lines else left, right], [rate, rate], color=FAINT,
                  linewidth=1.0, zorder=2)
