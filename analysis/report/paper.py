"""Figure and table of a paper: a roofline, and a table of the sources next to measured figures, with captions and
references. The results are only those of the paper's problem and models."""

import re
import sys
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
from published import Published
from roofline import DASHES
from style import Look, legend_below
from table import Table, latex_text

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


def chosen(data: Any, models: list[str], problem: str) -> Any:
    """Published figures of these models and this problem; a list without any of them stays complete."""
    if isinstance(data, dict):
        parts = {key: chosen(value, models, problem) for key, value in data.items()}
        return {problem: parts[problem]} if problem in parts else parts
    if not isinstance(data, list):
        return data
    kept = [one for one in data if not isinstance(one, dict) or not models or one.get("model", models[0]) in models]
    return [chosen(one, models, problem) for one in kept or data]


def name_of(table: Table) -> str:
    """"III", if the source numbers it."""
    numbered = re.match(r"Table (\w+)\.", table.title)
    return numbered[1] if numbered and not table.id.endswith("-words") else table.id


def table_named(name: str, made: list[Any], problem: str) -> Table | None:
    tables = {name_of(part): part for part in made if isinstance(part, Table)}
    table = tables.get(name.removeprefix("Table "))
    if table is None:
        print(f"boltzmark: error: --table: expected one of {', '.join(tables)}, found {name}", file=sys.stderr)
    elif problem and "grid" in table.frame:
        table.frame = table.frame[table.frame["grid"] == problem]
    if table is not None and not table:
        print(f"boltzmark: error: --table {name}: expected a row of it, found no right run that belongs there",
              file=sys.stderr)
    return (table or None) and table.without_constants("grid", "measured on", "steps run")


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


def reference(published: Published, source: str) -> tuple[str, str]:
    of = published.sources[source]
    key = re.sub(r"\W+", "-", of["author"]).lower()
    year = f",\n  year = {{{of['year']}}}" if "year" in of else ""
    return key, (f"@misc{{{key},\n  author = {{{latex_text(of['author'])}}},\n  title = {{{{{latex_text(of['title'])}}}}},\n"
                 f"  howpublished = {{{latex_text(of['kind'])}}}{year}\n}}\n")


def own_reference() -> str:
    """The suite's reference, from CITATION.cff."""
    text = CITATION.read_text(encoding="utf-8")
    title, version, author = (latex_text(re.search(rf'^[ -]*{key}: "?(.*?)"?$', text, re.MULTILINE)[1])
                              for key in ("title", "version", "name"))
    return (f"@misc{{boltzmark,\n  author = {{{{{author}}}}},\n  title = {{{{{title}}}}},\n  howpublished = {{Version {version}}}\n}}\n")


def caption_of(title: str, parts: list[str]) -> str:
    return " ".join(part.strip() for part in (title.rstrip(".") + ".", *parts) if part.strip())


def origin(results: Results, published: str = "") -> str:
    """What a reader needs to repeat the runs, in LaTeX: revision, machine, compilers, date, rounds and intervals."""
    runs = results.right()
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


def make(results: Results, published: Published, options: Namespace,
         tables: Callable[[], list[tuple[str, Any]]]) -> int:
    """Makes the parts; `tables` makes those with published figures, each with its source."""
    models = options.models.split(",") if options.models else []
    published.data = chosen(published.data, models, options.problem)
    out, texts, cited, table = options.out, {}, {"boltzmark": own_reference()}, None
    if options.table:
        made = tables()
        table = table_named(options.table, [part for _, part in made], options.problem)
        if table is None:
            return 2
        key, entry = reference(published, next(source for source, part in made if part is table))
        cited[key] = entry
        texts[table.id] = table_text(table, origin(results, f"; published~\\cite{{{key}}}"))
    style.COLUMN, look = options.width, Look(results.runs)
    plots = [(chart, plot) for chart in roofline.charts(results, look) for plot in chart.plots
             if plot.summary != "No runs."] if options.roofline else []
    out.mkdir(parents=True, exist_ok=True)
    if table is not None:
        table.write(out)
    for chart, plot in plots:
        style.write(draw_fitting(plot.draw, results.right(), look), out / plot.id, False)
        caption = latex_text(caption_of(plot.title, [
            chart.title + ".", chart.caption, "Large marks: the fastest of each model; small ones: its other variants.",
            plot.caption]))
        caption += f" Roofline model~\\cite{{williams-2009}}. {origin(results)}"
        texts[plot.id] = figure_text(plot, caption, options.width)
        cited["roofline"] = ROOFLINE
    for name, text in texts.items():
        (out / f"{name}.tex").write_text(text, encoding="utf-8")
    (out / "references.bib").write_text("\n".join(cited.values()), encoding="utf-8")
    print(f"Paper:   {', '.join(f'{out / name}.tex' for name in texts)}; references in {out / 'references.bib'}")
    return 0
