"""Two results side by side: speed-ups and rooflines are drawn here; the tables are in tables.json next to
comparison.csv."""

import json
from collections.abc import Iterator
from pathlib import Path

import pandas
import roofline
from figures import Results, read_table
from page import Fold, Section, Tabs
from plots import Plot, best_rows, draw_speed_ups
from style import Look
from table import tables_in
from words import file_name, model_text, problem_text


def speed_ups(comparison: Path, look: Look) -> Iterator[Plot]:
    """Speed-ups of each workload's runs on both sides."""
    rows = read_table(comparison)
    rows = rows[(rows["part"] == "") & rows["speed_up"].notna()].sort_values("speed_up", kind="stable")
    who = (rows["model"].map(model_text) + " " + rows["variant"] + " " + rows["setting"]).str.strip()
    rows = rows.assign(label=[", ".join(filter(None, (name, problem_text(case), precision.replace("f32", ""))))
                              + " ?" * (verdict not in ("faster", "slower"))
                              for name, case, precision, verdict in zip(who, rows["case"], rows["precision"], rows["verdict"])])
    for workload, some in rows.groupby("workload", sort=False):
        yield Plot(file_name(f"ratios-{workload}"), f"B over A, {model_text(workload)}", "Whiskers: interval over "
                   "the rounds. ?: within noise, or too few rounds to tell.", "",
                   lambda rows=some: draw_speed_ups(rows, "speed_up", "speed-up, B over A", look))


def sections(a: Results, b: Results, comparison: Path) -> tuple[list[Section], list[str]]:
    """Sections of the page, and the outcome in a few sentences."""
    look = Look(pandas.concat([a.runs, b.runs]))
    ratios, roofs = list(speed_ups(comparison, look)), list(rooflines(a, b, look))
    file = comparison.with_name("tables.json")
    tables = tables_in(file)
    return [Section("ratios", "B over A", [Tabs("Workload", [(plot.title[10:], [plot]) for plot in ratios])],
                    "" if ratios else "No right run of A has a counterpart in B."),
            Section("roofline", "Rooflines of both", [Tabs("Problem", [(plot.title[10:], [plot]) for plot in roofs])]),
            Section("runs", "All runs", [tables["compare-runs"]]),
            Section("kernels", "Kernels and peaks", [Fold("STREAM, kernel by kernel", [tables["compare-parts"]]),
                                                     Fold("Peaks", [tables["compare-peaks"]])]),
            Section("machine", "Machines and builds", [Fold("Differences", [tables["compare-provenance"]])])
            ], json.loads(file.read_text(encoding="utf-8"))["said"]


def rooflines(a: Results, b: Results, look: Look) -> Iterator[Plot]:
    """The best run of each model on each common problem, under the roofs of the two fastest, if it has as many workers."""
    best = []
    for letter, runs_of in (("A", a.right()), ("B", b.right())):
        rows = best_rows(roofline.drawn(runs_of), ["workload", "case", "precision", "model"])
        best.append(rows.assign(side=letter, is_best=True, label=f"{letter} " + rows["who"], level=f"{letter} " + rows["level"]))
    both = pandas.concat(best).sort_values("gflop_per_s", ascending=False)
    for (workload, case, precision), rows in both.groupby(["workload", "case", "precision"], sort=False):
        fastest = rows.drop_duplicates("side")
        rows = rows[rows["workers"] == rows.groupby("side")["workers"].transform("first")]
        lines, tops = (sorted((roofline.Roof(run["level"] if key[0] == "r" else f"{run['side']} arithmetic", run[key])
                               for _, run in fastest.iterrows() if run[key] > 0), key=lambda roof: -roof.rate)
                       for key in ("roof_gb_per_s", "peak_gflop_per_s"))
        name = f"{model_text(workload)} {problem_text(case)}{f' {precision}' * (precision != 'f32')}"
        if len(fastest) > 1:
            yield Plot(file_name(f"roofline-both-{name}"), f"Roofline, {name}", "Best run of each model with as "
                       "many workers as the fastest, whose roofs are drawn.", "", lambda m=lines, t=tops, r=rows: roofline.draw(m, t, r, look))
