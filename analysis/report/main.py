"""Tables, plots and the page of a results folder, from its figures.csv and peaks.csv; or two such folders side by side.

    python3 main.py --results FOLDER [--out FOLDER/report] [--no-plots] [--quiet]
    python3 main.py --compare A B [--out FOLDER] [--quiet]

Exit status: 0 all was made, 2 a part could not be made, as was said, 3 a package is missing."""

import argparse
import atexit
import contextlib
import multiprocessing
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any



def place_for_matplotlib() -> None:
    """Matplotlib keeps a list of fonts in a folder of the user; where there is none that can be written it would warn."""
    if "MPLCONFIGDIR" in os.environ:
        return
    for variable, usual in (("XDG_CONFIG_HOME", ".config"), ("XDG_CACHE_HOME", ".cache")):
        folder = Path(os.environ.get(variable) or Path.home() / usual) / "matplotlib"
        with contextlib.suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True)
        if not os.access(folder, os.W_OK | os.X_OK):
            os.environ["MPLCONFIGDIR"] = tempfile.mkdtemp(prefix="boltzmark-")
            atexit.register(shutil.rmtree, os.environ["MPLCONFIGDIR"], ignore_errors=True)
            return


place_for_matplotlib()
try:
    import jinja2  # noqa: F401
    import matplotlib  # noqa: F401
    import pandas
except ModuleNotFoundError as missing:
    print(f"boltzmark: no page, tables or plots: this Python ({sys.executable}) has no {missing.name}; they need "
          "python3-pandas, "
          "python3-matplotlib and python3-jinja2", file=sys.stderr)
    sys.exit(3)

import compare
import flow
import page
import plots
import published
import published_collision
import published_devices
import published_heat
import published_parallelism
import published_rates
import published_sums
import roofline
import style
import tables
from figures import Results, complain, read_results
from plots import Plot
from table import Table

PUBLISHED = Path(__file__).resolve().parent / "published.json"
drawn: tuple[list[Plot], Path] = ([], Path())   # what the worker processes take over from the one that starts them


class Report:
    """Makes parts; one that goes wrong is named in a line, and the others are made."""

    def __init__(self, results: Results):
        self.results, self.failed = results, 0

    def make(self, what: str, maker: Callable[[], Any]) -> list[Any]:
        try:
            made = maker()
            return [made] if isinstance(made, Table) else list(made)
        except Exception as error:  # pylint: disable=broad-except
            self.fail(what, error)
            return []

    def fail(self, what: str, error: Exception) -> None:
        self.failed += 1
        complain(self.results.complaints, f"{what}: not made: {type(error).__name__}: {' '.join(str(error).split())}")

    def sections(self) -> list[page.Section]:
        """In the order of the page."""
        results, runs = self.results, self.results.runs
        look = style.Look(runs)
        glance = page.Section("glance", "At a glance", self.make("At a glance", lambda: tables.fastest(results)),
                              "boltzmark run makes runs")
        sections = [glance]
        # Those of several parts, which are small tables, at the end.
        for workload in runs.assign(parts=runs["part"] != "").sort_values("parts",
            kind="stable")["workload"].unique():
            sections += self.workload(workload, runs[runs["workload"] == workload], look)
        under = self.make("rooflines", lambda: roofline.charts(results, look))
        under += [t for w in dict.fromkeys(runs["workload"])
                  for t in self.make(f"roofline of {w}", lambda w=w: tables.roofline(w, runs[runs["workload"] == w]))
                  if t.frame["gflop_per_s"].notna().any()]
        under += self.make("roofs", lambda: tables.roofs(results.peaks))
        sections.append(page.Section("roofline", "Roofline", under,
                                     "boltzmark peaks measures the roofs, boltzmark run does so by itself"))
        sections += self.beside_published(look)
        sections.append(page.Section("not-run", "What could not run",
                                     self.make("not run", lambda: tables.not_run(results)),
                                     "everything that was asked for ran, and is right"))
        return sections

    def workload(self, name: str, runs: pandas.DataFrame, look: style.Look) -> list[page.Section]:
        right, title = runs[runs["status"] == "ok"], name.replace("_", " ")
        makers: list[tuple[str, str, Iterable[Callable[[], Any]], str]] = [
            ("runs", f"{title}: runs", [lambda: tables.all_runs(name, runs), lambda: tables.parts(name, runs)],
             "boltzmark run makes runs"),
            ("speed-ups", f"{title}: speed-ups", [lambda: plots.speed_ups(right, look)],
             "runs of serial beside other models"),
            ("scaling", f"{title}: scaling", [lambda: plots.scaling(right, look),
                                              lambda: tables.scaling(name, right)],
             "boltzmark run --plan scaling: runs on several numbers of threads or ranks"),
            ("energy", f"{title}: energy", [lambda: tables.energy(name, right)],
             "runs of some seconds where the processor's or the GPU's energy counter can be read"),
            ("vectors", f"{title}: vector lengths", [lambda: plots.vector_lengths(right, look)],
             "runs with several --vvl"),
            ("work-groups", f"{title}: work-groups",
             [lambda: plots.work_groups(runs, self.results.tuning[self.results.tuning["workload"] == name], look),
             lambda: tables.tuned_shapes(name, runs, self.results.tuning[self.results.tuning["workload"] == name])],
             "boltzmark tune"),
            ("lengths", f"{title}: lengths", [lambda: published_sums.segments(self.results, look)] if name == "segments" else [],
             "runs of segments of several lengths"),
            ("compilers", f"{title}: compilers", [lambda: tables.builds(name, runs)], "a plan that names builds"),
            ("flow", f"{title}: the flow", [lambda: flow.flows(self.results, right)],
             "the oracle's answers in the results folder"),
        ]
        return [page.Section(f"{identity}-{name}", heading,
                             [part for maker in parts for part in self.make(heading, maker)], empty)
                for identity, heading, parts, empty in makers]

    def beside_published(self, look: style.Look) -> list[page.Section]:
        data = self.make("published.json", lambda: [published.Published(PUBLISHED)])
        if not data:
            return []
        source = data[0]
        parts = self.make("source A", lambda: published_parallelism.tables(self.results, source)) + self.make("ladder",
            lambda: published_parallelism.draw_ladder(self.results, source))
        parts += self.make("best times", lambda: published.best_times(self.results, source)) + self.make("source B",
            lambda: published_rates.rates(source)) + self.make("source C", lambda: published_devices.tables(self.results, source))
        parts += self.make("source D", lambda: [published_collision.table(self.results, source)])
        parts += self.make("source E", lambda: published_sums.accuracy(self.results, source))
        parts += self.make("three bars", lambda: published_heat.three_bars(self.results, source, look))
        for name in (name for name in source.sources if name != "D"):  # whose figures are all in the table above
            parts += self.make(f"source {name}", lambda name=name: published.figures_of(name, self.results, source))
        return [page.Section("published", "Beside published figures", parts, "")]


def draw_one(i: int) -> str:
    plot, folder = drawn[0][i], drawn[1]
    try:
        style.write(plot.draw(), folder / plot.id)
        return ""
    except Exception as error:  # pylint: disable=broad-except
        return f"{plot.title}: not drawn: {type(error).__name__}: {' '.join(str(error).split())}"


def draw_all(report: Report, all_plots: list[Plot], folder: Path) -> None:
    """On two processors where there are two."""
    global drawn
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    drawn = (all_plots, folder)
    if len(all_plots) > 1 and len(os.sched_getaffinity(0)) > 1:
        with multiprocessing.get_context("fork").Pool(2) as pool:
            problems = pool.map(draw_one, range(len(all_plots)), chunksize=1)
    else:
        problems = [draw_one(i) for i in range(len(all_plots))]
    for plot, plot.problem in zip(all_plots, problems):
        if plot.problem:
            report.failed += 1
            complain(report.results.complaints, plot.problem)
        else:
            plot.svg = (folder / f"{plot.id}.svg").read_text(encoding="utf-8")


def write_tables(all_tables: list[Table], folder: Path, quiet: bool) -> None:
    for table in all_tables:
        table.write(folder)
        if not quiet:
            print(table.markdown())


def make_report(options: argparse.Namespace) -> int:
    results = read_results(options.results)
    report = Report(results)
    out = options.out or options.results / "report"
    out.mkdir(parents=True, exist_ok=True)
    (out / "report.html").unlink(missing_ok=True)  # an old page must not be taken for this one
    sections = report.sections()
    all_tables = [part for section in sections for part in section.parts if isinstance(part, Table) and part]
    shutil.rmtree(out / "tables", ignore_errors=True)
    for table in all_tables:
        try:
            write_tables([table], out / "tables", options.quiet)
        except Exception as error:  # pylint: disable=broad-except
            report.fail(table.title, error)
    if not options.no_plots:
        draw_all(report, [part for section in sections for part in section.parts if isinstance(part, Plot)],
                 out / "plots")
    page.write(out / "report.html", results, sections, not options.no_plots)
    print(f"Report:  {out / 'report.html'}, {'' if options.no_plots else 'plots and '}tables beside it")
    return 2 if report.failed else 0


def make_comparison(options: argparse.Namespace) -> int:
    a, b = (read_results(folder) for folder in options.compare)
    all_tables = [table for table in compare.tables(a, b) if table]
    for table in all_tables:
        print(table.markdown())
    if options.out:
        write_tables(all_tables, options.out / "tables", quiet=True)
        print(f"Tables:  {options.out / 'tables'}")
    return 0


def main() -> int:
    parser = argparse.ArgumentParser(prog="report", description=__doc__.split("\n", maxsplit=1)[0])
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--results", type=Path, metavar="FOLDER")
    what.add_argument("--compare", type=Path, nargs=2, metavar=("A", "B"))
    parser.add_argument("--out", type=Path, metavar="FOLDER")
    parser.add_argument("--no-plots", action="store_true")
    parser.add_argument("--quiet", action="store_true", help="no tables on the terminal")
    options = parser.parse_args()
    for folder in [options.results] if options.results else options.compare:
        if not (folder / "figures.csv").is_file():
            print(f"boltzmark: {folder}: expected a results folder with figures.csv, found none; boltzmark figures "
                  "writes it", file=sys.stderr)
            return 2
    return make_report(options) if options.results else make_comparison(options)


if __name__ == "__main__":
    sys.exit(main())
