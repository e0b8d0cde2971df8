"""Tables, plots and the page of a results folder, from its figures.csv and peaks.csv; or two such folders side by side.

    python3 main.py --results FOLDER [--out FOLDER/report] [--no-plots | --only-svg] [--quiet | --print]
    python3 main.py --compare A B --comparison FILE [--out comparison] [--no-plots | --only-svg] [--quiet | --print]
    python3 main.py --machines FOLDER [--no-plots | --only-svg] [--quiet | --print]

Exit status: 0 all was made, 2 a part could not be made, as was said, 3 a package is missing."""

import argparse
import atexit
import contextlib
import multiprocessing
import os
import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any


def place_for_matplotlib() -> None:
    """Matplotlib keeps a list of fonts in a folder of the user, and warns if no such folder is writable."""
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
    print(f"boltzmark: no page, tables or plots: this Python ({sys.executable}) has no {missing.name}; install "
          "python3-pandas, python3-matplotlib and python3-jinja2", file=sys.stderr)
    sys.exit(3)

import compare
import flow
import machines
import messages
import page
import paper
import plots
import published
import roofline
import style
from figures import Results, complain, read_results
from plots import Plot
from table import Table
from words import model_text

# Plots beside the tables of a source.
BESIDE = {"A": published.ladder, "E": published.three_bars}
# Data that worker processes inherit from their parent.
drawn: tuple[list[Plot], Path, bool] = ([], Path(), False)


def said_of(error: Exception, what: str) -> str:
    return f"{what}: {type(error).__name__}: {' '.join(str(error).split())}"


class Report:
    """Makes parts; a part that fails is reported in one line, and the others are still made."""

    def __init__(self, results: Results):
        self.results, self.failed = results, 0

    def make(self, what: str, maker: Callable[[], Any]) -> list[Any]:
        try:
            return list(maker())
        except Exception as error:  # pylint: disable=broad-except
            self.fail(what, error)
            return []

    def fail(self, what: str, error: Exception) -> None:
        self.failed += 1
        complain(self.results.complaints, said_of(error, f"{what}: not made"))

    def sections(self) -> list[page.Section]:
        """The sections below the first screen, in the order of the page."""
        results, runs = self.results, self.results.runs
        look, workloads = style.Look(runs), dict.fromkeys(runs["workload"])
        last = set(runs["workload"][runs["part"] != ""])    # STREAM after the workloads that it bounds
        of = {name: runs[runs["workload"] == name] for name in sorted(workloads, key=lambda name: name in last)}
        each = lambda what, maker: [part for name, rows in of.items()    # noqa: E731
                                    for part in self.make(f"{what} of {name}", lambda: maker(name, rows))]
        charts = sorted(self.make("rooflines", lambda: roofline.charts(results, look)), key=lambda chart: -chart.count)
        bars = each("comparison", lambda name, rows: plots.comparisons(name, rows[rows["status"] == "ok"], look))
        lines = each("scaling", lambda name, rows: plots.scaling(rows[rows["status"] == "ok"], look))
        speed_ups = each("speed-ups", lambda _, rows: plots.speed_ups(rows[rows["status"] == "ok"], look))
        pictures = self.make("flow", lambda: flow.flows(results, results.right()))
        return [page.Section("roofline", "Roofline", [
                page.Tabs("Machine and precision", [(chart.title, [chart]) for chart in charts]),
                page.Fold("Messages between ranks", self.make("messages", lambda: messages.plots(results.peaks))),
                page.Fold("Roofline figures and limits of each run", results.of_section("roofline"), on_paper=False)],
                "No roofs measured yet; run boltzmark peaks, then boltzmark report."),
            page.Section("models", "Models compared", [
                page.Tabs("Problem", [(chart.label, [chart]) for chart in bars], "switch"),
                page.Fold("Where the speed-up comes from", results.of_section("factors")),
                page.Fold("All kernels of STREAM", results.of_section("kernels"))],
                "This chart needs two right runs of one problem; make them with boltzmark run."),
            page.Section("scaling", "Scaling", [page.Tabs("Problem", [(label, panels) for label, panels in lines]),
                page.Fold("Figures of scaling", results.of_section("scaling"))],
                "Not enough worker counts for a scaling plot; boltzmark run scaling-strong measures more.", False),
            page.Section("flow", "Flow", [*(plot for plot in pictures if not plot.is_minor),
                page.Fold("Average velocities, and flows near their initial state",
                          [plot for plot in pictures if plot.is_minor], on_paper=False)]),
            page.Section("more", "More measurements", self.more(each, look)),
            page.Section("published", "Published figures", self.beside_published()),
            page.Section("runs", "All runs", [*results.of_section("runs"), *results.of_section("files"),
                                                  *speed_ups],
                         "No runs yet; start with boltzmark run."),
            page.Section("not-run", "Not run", results.of_section("not-run")),
            page.Section("machine", "Machine and build", [page.Facts(results.facts), page.Fold(
                "All measured roofs", results.of_section("peaks"))])]

    def more(self, each: Callable[[str, Any], list[Any]], look: style.Look) -> list[page.Fold]:
        """Sections that only some plans have."""
        results, tuning = self.results, self.results.tuning
        return [page.Fold("Energy", results.of_section("energy")),
            page.Fold("Vector lengths", each("vector lengths", lambda _,
                                             rows: plots.vector_lengths(rows[rows["status"] == "ok"], look))),
            page.Fold("Work-group sizes", each("work-groups", lambda name, rows: [
                *plots.work_groups(rows, tuning[tuning["workload"] == name], look)]) + results.of_section("work-groups")),
            page.Fold("Segment lengths", self.make("lengths", lambda: published.segments(results, look))),
            page.Fold("Compilers and flags", results.of_section("compilers"))]

    def beside_published(self) -> list[page.Fold]:
        """A folded part per source."""
        results = self.results
        return [page.Fold("Best published times for the same work", results.of_section("published"))] + [
            page.Fold(source["citation"], [*self.make(source["citation"], lambda: BESIDE.get(source["id"], lambda _: [])(results)),
                                           *results.of_section(f"published-{source['id']}")]) for source in results.sources]


def draw_one(i: int) -> str:
    plots_of_page, folder, only_svg = drawn
    plot = plots_of_page[i]
    try:
        style.write(plot.draw(), folder / plot.id, only_svg)
        return ""
    except Exception as error:  # pylint: disable=broad-except
        return said_of(error, f"{plot.title}: not drawn")


def draw_all(report: Report, all_plots: list[Plot], folder: Path, only_svg: bool) -> None:
    """On two processors if available."""
    global drawn
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    drawn = (all_plots, folder, only_svg)
    with multiprocessing.get_context("fork").Pool(min(2, len(os.sched_getaffinity(0)))) as pool:
        problems = pool.map(draw_one, range(len(all_plots)), chunksize=1)
    for plot, plot.problem in zip(all_plots, problems):
        if plot.problem:
            report.failed += 1
            complain(report.results.complaints, plot.problem)
        else:
            plot.svg = (folder / f"{plot.id}.svg").read_text(encoding="utf-8")


def write_parts(report: Report, sections: list[page.Section], out: Path, options: argparse.Namespace) -> None:
    """Writes tables/ and plots/ of all sections."""
    parts = [part for section in sections for part in page.flat(section.parts)]
    shutil.rmtree(out / "tables", ignore_errors=True)
    for table in (part for part in parts if isinstance(part, Table) and part):
        try:
            table.write(out / "tables")
            if options.print:
                print(table.markdown())
        except Exception as error:  # pylint: disable=broad-except
            report.fail(table.title, error)
    if not options.no_plots:
        draw_all(report, [part for part in parts if isinstance(part, Plot)], out / "plots",
                 options.only_svg)


def make_page(options: argparse.Namespace) -> int:
    """Makes the page of one results folder, of two side by side, or of many machines."""
    name = "machines" if options.machines else "comparison" if options.compare else "report"
    out = options.out or options.machines or (Path(name) if options.compare else options.results / name)
    out.mkdir(parents=True, exist_ok=True)
    (out / f"{name}.html").unlink(missing_ok=True)  # an old page must not pass for this one
    if options.machines:
        many = machines.Machines(options.machines)
        report, sections, given, lines = Report(many.results), many.sections(), {"many": many}, many.lines()
        frames = [many.efficiency]
    else:
        both = list(map(read_results, options.compare or [options.results], options.figures))
        report, frames = Report(both[0]), [one.runs for one in both]
        for other in both[1:]:
            report.results.complaints += other.complaints
        if options.compare:
            sections, lines = compare.sections(*both, options.comparison)
            given = {"both": both, "said": lines}
        else:
            sections, lines, given = report.sections(), both[0].overview["said"], page.first_screen(both[0])
    write_parts(report, sections, out, options)
    names = [name, *(["learn"] if given.get("lessons") else [])]
    given |= {"results": report.results, "only_svg": options.only_svg,
              "models": list(dict.fromkeys(model_text(model) for frame in frames for model in frame["model"]))}
    page.write(out, names, sections, not options.no_plots, given)
    if not options.quiet:
        print("".join(f"{line}\n" for line in lines), end="")
    print(f"Report:  {out / name}.html, {'' if options.no_plots else 'plots and '}tables beside it")
    return 2 if report.failed else 0


def main() -> int:
    parser = argparse.ArgumentParser(prog="report", description=__doc__.split("\n", maxsplit=1)[0])
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--results", type=Path, metavar="FOLDER")
    what.add_argument("--compare", type=Path, nargs=2, metavar=("A", "B"))
    what.add_argument("--machines", type=Path, metavar="FOLDER", help="with machines.csv, efficiency.csv, portability.csv")
    parser.add_argument("--figures", type=Path, nargs="+", metavar="FOLDER",
                        help="folders with figures.csv, if elsewhere")
    parser.add_argument("--comparison", type=Path, metavar="FILE", help="comparison.csv that boltzmark compare wrote")
    parser.add_argument("--out", type=Path, metavar="FOLDER")
    parser.add_argument("--no-plots", action="store_true")
    parser.add_argument("--only-svg", action="store_true", help="draw SVG only, no PDF or PNG")
    parser.add_argument("--quiet", action="store_true", help="print only the path of the report")
    parser.add_argument("--paper", action="store_true", help="make the table of a paper in tables.json, and with --roofline its figure")
    parser.add_argument("--roofline", action="store_true")
    parser.add_argument("--width", type=float, default=style.COLUMN)
    parser.add_argument("--print", action="store_true", help="print all tables as Markdown")
    options = parser.parse_args()
    options.figures = options.figures or options.compare or [options.results]
    for folder in [] if options.machines else options.figures:
        if not all((folder / name).is_file() for name in ("figures.csv", "columns.json", "tables.json")):
            print(f"boltzmark: {folder}: expected a folder with figures.csv, columns.json and tables.json; boltzmark "
                  "report writes them", file=sys.stderr)
            return 2
    return paper.make(read_results(options.results, options.figures[0]), options) if options.paper else make_page(options)


if __name__ == "__main__":
    sys.exit(main())
