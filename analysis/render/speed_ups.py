"""Speed-ups on one grid: a bar a run, its figure, and whiskers from the smallest to the largest repeat."""

import math
from typing import Any

from matplotlib.figure import Figure
from style import INK, PAPER, Look, freeze, log_axis, new_figure
from words import device_text, grid_text, name_of, ordered, shortened, significant

# Bars are compared by length as long as the shortest is still seen; beyond that the axis is logarithmic.
LARGEST_RATIO = 40
# Runs of a tuner would make a figure of several pages.
MOST_BARS = 40


def is_log(plot: dict[str, Any]) -> bool:
    values = [bar["value"] for bar in shown(plot)]
    return max(1.0, *values) / min(1.0, *values) > LARGEST_RATIO


def shown(plot: dict[str, Any]) -> list[dict[str, Any]]:
    """The bars in their order; of very many the fastest."""
    limit = sorted((bar["value"] for bar in plot["bars"]), reverse=True)[:MOST_BARS][-1]
    return [bar for bar in plot["bars"] if bar["value"] >= limit][:MOST_BARS]


def names(bars: list[dict[str, Any]]) -> list[str]:
    """Model and variant of each bar; workers where that alone does not tell bars apart."""
    plain_names = [(name_of(bar), bar["device"]) for bar in bars]
    texts = []
    for bar, name in zip(bars, plain_names):
        alike = {(other["ranks"], other["threads"]) for other, its in zip(bars, plain_names) if its == name}
        texts.append(shortened(name[0], 40) + (f", {workers(bar)}" if len(alike) > 1 else ""))
    return texts


def workers(bar: dict[str, Any]) -> str:
    """How many worked: "2 threads", "2 ranks x 1 thread"."""
    counts = [(bar["ranks"], "rank")] if bar["ranks"] > 1 else []
    counts += [(bar["threads"], "thread")] if bar["threads"] else []
    return " \u00d7 ".join(f"{n} {what}{'s' * (n > 1)}" for n, what in counts) or "1 rank"


def draw(plot: dict[str, Any], look: Look) -> Figure:
    """A figure of the plot `speed_ups` of report.json."""
    bars = shown(plot)
    devices = ordered(bar["device"] for bar in bars)
    row = 0.25 if len(devices) == 1 else 0.36
    figure = new_figure(7.2, 1.25 + row * len(bars))
    axes = figure.add_subplot()
    axes.set_title(f"{grid_text(plot['problem'])}, {plot['precision']}, {plot['steps']} steps")
    scale = ", log scale" if is_log(plot) else ""
    axes.set_xlabel(f"speed-up over {shortened(plot['over'], 40)} (times as fast{scale})")
    texts = names(bars)
    if len(devices) > 1:
        texts = [f"{text}\n{device_text(bar['device'])}" for text, bar in zip(texts, bars)]
    axes.set_yticks(range(len(bars)), texts, fontsize=8, linespacing=1.05)
    axes.tick_params(axis="y", length=0)
    axes.set_ylim(len(bars) - 0.4, -0.6)
    highest = max(1.0, *(bar[key] for bar in bars for key in ("value", "max")))
    lowest = min(1.0, *(bar[key] for bar in bars for key in ("value", "min")))
    if is_log(plot):
        log_axis(axes.xaxis, (lowest / 1.3, highest * 1.3))
    else:
        axes.set_xlim(0, highest * 1.02)
    axes.grid(True, axis="x")
    for i, bar in enumerate(bars):
        draw_bar(axes, look, i, bar, 1.0 if is_log(plot) else 0.0)
    axes.axvline(1.0, color=INK, linewidth=1.0, zorder=2)
    # Room for half a number under the right end of the axis, which label_bars moves.
    figure.get_layout_engine().set(rect=(0, 0, 0.96, 1))
    freeze(figure)
    label_bars(axes, bars)
    return figure


def draw_bar(axes: Any, look: Look, i: int, bar: dict[str, Any], foot: float) -> None:
    axes.barh(i, bar["value"] - foot, left=foot, height=0.62, color=look.model_colour(bar["model"]),
              edgecolor="white", hatch=look.hatch(bar["model"], bar["variant"]), linewidth=0.5, zorder=2.5)
    axes.errorbar(bar["value"], i, xerr=[[max(0.0, bar["value"] - bar["min"])], [max(0.0, bar["max"] - bar["value"])]],
                  fmt="none", ecolor=INK, elinewidth=1.0, capsize=2.5, zorder=3)


def label_bars(axes: Any, bars: list[dict[str, Any]]) -> None:
    """Writes each figure right of its bar and whisker, and makes room for the longest."""
    renderer = axes.figure.canvas.get_renderer()
    texts = []
    for i, bar in enumerate(bars):
        at = max(bar["value"], bar["max"], 1.0 if axes.get_xscale() == "log" else 0.0)
        texts.append(axes.annotate(significant(bar["value"]), (at, i), xytext=(4, 0), textcoords="offset points",
                                   va="center", ha="left", fontsize=8, zorder=4, annotation_clip=False,
                                   bbox={"facecolor": PAPER, "edgecolor": "none", "pad": 0.6}))
    low, high = axes.get_xlim()
    width = axes.get_window_extent(renderer).width
    log = axes.get_xscale() == "log"
    measure = (lambda v: math.log(v / low)) if log else (lambda v: v - low)
    # Every bar must leave its text's share of the width: the axis that is long enough for the one that asks for most.
    needed = max(measure(text.xy[0]) / (1 - (text.get_window_extent(renderer).width + 8) / width) for text in texts)
    needed = max(needed, measure(high))
    axes.set_xlim(low, low * math.exp(needed) if log else low + needed)


def summary(plot: dict[str, Any]) -> str:
    """What the plot shows, with its main figures, for those who do not see it."""
    best = max(plot["bars"], key=lambda bar: bar["value"])
    return (f"Speed-ups over {plot['over']} on {grid_text(plot['problem'])}, {plot['precision']}. "
            f"Fastest of {len(plot['bars'])}: {name_of(best)} with {significant(best['value'])} times.")


def caption(plot: dict[str, Any]) -> str:
    text = "Whiskers: smallest and largest of the repeats. The line at 1 is the baseline."
    devices = ordered(bar["device"] for bar in plot["bars"])
    if len(devices) == 1:
        text = f"All on {devices[0]}. {text}" if devices[0] else text
    if len(plot["bars"]) > MOST_BARS:
        text += f" Of {len(plot['bars'])} runs the {MOST_BARS} fastest."
    return text
