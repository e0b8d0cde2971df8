"""Figure and table of a paper: a roofline, and a table of the sources next to measured figures, with captions and
references. The results are only those of the paper's problem and models."""

import json
import re
import textwrap
from argparse import Namespace
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas
import roofline
import style
from figures import Results
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.text import Annotation, Text
from plots import Plot
from roofline import DASHES
from style import Look, legend_below
from table import Table, latex_text

PUBLISHED = Path(__file__).with_name("published.json")
CITATION = Path(__file__).resolve().parents[2] / "CITATION.cff"
ROOFLINE = """@article{williams-2009,
  author = {Williams, Samuel and Waterman, Andrew and Patterson, David},
  title = {{Roofline: An Insightful Visual Performance Model for Multicore Architectures}},
  journal = {Communications of the ACM},
  volume = {52},
  number = {4},
  pages = {65--76},
  year = {2009},
  doi = {10.1145/1498765.1498785}
}
"""


def draw_fitting(draw: Callable[[], Figure], runs: pandas.DataFrame, look: Look) -> Figure:
    """Draws it, with names that would be cut or overlap in a legend below."""
    figure = draw()
    figure.draw_without_rendering()
    axes, = figure.axes
    kept: list[Any] = []

    def fits(text: Text) -> bool:
        box = Text.get_window_extent(text)
        is_inside = figure.bbox.x0 <= box.x0 and box.x1 <= figure.bbox.x1 and box.y1 <= figure.bbox.y1
        is_free = bool(is_inside) and "\u2026" not in text.get_text() and not any(map(box.overlaps, kept))
        kept.extend([box] * is_free)
        return is_free
    levels = [text for text in axes.texts if not isinstance(text, Annotation)]
    labels = [text for text in axes.texts if isinstance(text, Annotation) and text.get_text()]
    ceilings = sorted((text for text in labels if text.get_text().endswith(" GFLOP/s")), key=lambda text: -text.xy[1])
    of_runs = [text for text in labels if text not in ceilings]
    handles, out = [], [] if all([fits(text) for text in of_runs]) else of_runs
    for text in out:
        run = runs[(runs["flop_per_byte"] == text.xy[0]) & (runs["gflop_per_s"] == text.xy[1])].iloc[0]
        handles.append(Line2D([], [], linestyle="none", label=run["who"] if "\u2026" in text.get_text()
                              else text.get_text(), **look.marker(run["model"], run["name"])))
    kept = [] if out else kept
    dashes = [*(DASHES[i % len(DASHES)] for i in range(len(levels))), *["-"] * len(ceilings)]
    for text, line, dash in [*zip([*levels, *ceilings], axes.lines, dashes)][::-1]:
        if not fits(text):
            name = text.get_text()
            handles.append(Line2D([], [], color=line.get_color(), linewidth=line.get_linewidth(), linestyle=dash,
                                  label=name if name.endswith("/s") else f"{name} GB/s"))
            out = [*out, text]
    for text in out:
        text.remove()
    for handle in handles:
        handle.set_label(textwrap.fill(handle.get_label(), int(12 * figure.get_figwidth())))
    if handles:
        legend_below(figure, handles)
    return figure


def reference(source: str) -> tuple[str, str]:
    of = next(one for one in json.loads(PUBLISHED.read_text(encoding="utf-8"))["sources"] if one["id"] == source)
    key = re.sub(r"\W+", "-", of["author"]).lower()
    year = f",\n  year = {{{of['year']}}}" if "year" in of else ""
    return key, (f"@misc{{{key},\n  author = {{{latex_text(of['author'])}}},\n  title = {{{{{latex_text(of['title'])}}}}},\n"
                 f"  howpublished = {{{latex_text(of['kind'])}}}{year}\n}}\n")


def own_reference() -> str:
    """The suite's reference, from CITATION.cff."""
    text = CITATION.read_text(encoding="utf-8")
    title, version, author, date = (latex_text(re.search(rf'^[ -]*{key}: "?(.*?)"?$', text, re.MULTILINE)[1])
                                    for key in ("title", "version", "name", "date-released"))
    return (f"@misc{{boltzmark,\n  author = {{{{{author}}}}},\n  title = {{{{{title}}}}},\n"
            f"  howpublished = {{Software, version {version}}},\n  year = {{{date[:4]}}}\n}}\n")


def caption_of(title: str, parts: list[str]) -> str:
    return " ".join(part.strip() for part in (title.rstrip(".") + ".", *parts) if part.strip())


def disturbed(runs: pandas.DataFrame) -> str:
    many = runs[(runs["repeats_disturbed"] > 0) & (2 * runs["repeats_disturbed"] >= runs["repeats"])]
    return f"At least half of the repeats disturbed by other work: {', '.join(many['who'])}." if len(many) else ""


def origin(results: Results, runs: pandas.DataFrame, published: str = "") -> str:
    """Facts for repeating the runs, in LaTeX: revision, machine, compilers, date, rounds and intervals."""
    runs = runs[runs["part"] == ""] if (runs["part"] == "").any() else runs     # STREAM is there for its bandwidth
    revisions = [text for text in dict.fromkeys(runs["revision"]) if text]
    rounds, covers = (ends(runs[column][runs[column] > 0] * by)
                      for column, by in (("rounds", 1), ("seconds_coverage", 100)))
    made = f", {'revision' if len(revisions) == 1 else 'revisions'} {', '.join(revisions)}" if revisions else ""
    medians = f" Medians of {rounds} round{'s' * (rounds != '1')}" if rounds else ""
    cover = f", whose intervals cover {covers} %" if covers else ""
    machine = latex_text(results.overview["machine"].replace(" \u00b7 ", ", "))
    return (f"Measured with Boltzmark~\\cite{{boltzmark}}{latex_text(made)}, on {machine}{published}."
            + latex_text(f"{medians}{cover}" + "." * bool(medians)))


def ends(figures: pandas.Series) -> str:
    """"3", "1 to 5"; nothing of none."""
    return " to ".join(dict.fromkeys(f"{end:.0f}" for end in (figures.min(), figures.max()))) if len(figures) else ""


def figure_text(plot: Plot, caption: str, width: float) -> str:
    return ("% needs \\usepackage{graphicx}\n\\begin{figure}\n  \\centering\n"
            f"  \\includegraphics[width={width:g}in]{{{plot.id}.pdf}}\n"
            f"  \\caption{{{caption}}}\n"
            f"  \\label{{fig:{plot.id}}}\n\\end{{figure}}\n")


def table_text(table: Table, measured: str) -> str:
    return table.latex().replace("}\n  \\label", f" {measured}}}\n  \\label", 1)


def make(results: Results, options: Namespace) -> int:
    out, texts, cited = options.out, {}, {"boltzmark": own_reference()}
    for table in results.tables:
        published = ""
        if table.section:
            key, cited[key] = reference(table.section.removeprefix("published-"))
            published = f"; published~\\cite{{{key}}}"
        texts[table.id] = table_text(table, origin(results, results.right(), published))
    style.COLUMN, look = options.width, Look(results.runs)
    plots = [(chart, plot) for chart in roofline.charts(results, look) for plot in chart.plots
             if plot.summary != "No runs."] if options.roofline else []
    out.mkdir(parents=True, exist_ok=True)
    for table in results.tables:
        table.write(out)
    for chart, plot in plots:
        style.write(draw_fitting(plot.draw, results.right(), look), out / plot.id, False)
        caption = latex_text(caption_of(plot.title, [
            chart.title + ".", chart.caption, "Large marks: the fastest of each model; small ones: its other variants and settings.",
            plot.caption, disturbed(plot.runs)]))
        caption += f" Roofline model~\\cite{{williams-2009}}. {origin(results, plot.runs)}"
        texts[plot.id] = figure_text(plot, caption, options.width)
        cited["roofline"] = ROOFLINE
    for name, text in texts.items():
        (out / f"{name}.tex").write_text(text, encoding="utf-8")
    (out / "references.bib").write_text("\n".join(cited.values()), encoding="utf-8")
    print(f"Paper:   {', '.join(f'{out / name}.tex' for name in texts)}; references in {out / 'references.bib'}")
    return 0
