#!/usr/bin/env python3
"""Draws a report: report.json (../report/REPORT.md) into report.html and plots/ID.svg and .png.

Exit status: 0 all done; 2 bad usage or input: what could be made was made, a line says what was not and why; 3 this
machine lacks a package: the page is made without plots if it can be.
"""

import argparse
import sys
from pathlib import Path

from checked import Bad
from report import Report, all_plots, read_report


def main() -> int:
    arguments = read_arguments()
    path, folder = arguments.report, arguments.out or arguments.report.parent
    try:
        report = read_report(path)
        complaints = [*report.complaints, *unknown_ids(report, path, arguments.only)]
        folder.mkdir(parents=True, exist_ok=True)
    except Bad as bad:
        return say([str(bad)], 2)
    except OSError as error:
        return say([f"{folder}: {error.strerror}"], 2)
    status, drawn, no_plots = 0, [], "Plots were left out (--no-plots)."
    if not arguments.no_plots:
        drawn, lines, status = draw_plots(report, folder / "plots", arguments.only)
        no_plots = "" if drawn else " ".join(lines)
        complaints += lines
    if not arguments.only:
        lines, page_status = write_page(report, folder, drawn, complaints, no_plots)
        complaints += lines
        status = max(status, page_status)
    return say(complaints, status or (2 if complaints else 0))


def read_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Draw report.html and its plots from report.json.")
    parser.add_argument("report", type=Path, metavar="REPORT_JSON")
    parser.add_argument("--out", type=Path, metavar="DIR", help="where to write; default: beside REPORT_JSON")
    choice = parser.add_mutually_exclusive_group()
    choice.add_argument("--no-plots", action="store_true", help="the page alone, without plots")
    choice.add_argument("--only", action="append", metavar="ID",
                        help="draw this plot alone and write no page; may be given again")
    return parser.parse_args()


def say(lines: list[str], status: int) -> int:
    for line in lines:
        print(f"render: {line}", file=sys.stderr)
    return status


def unknown_ids(report: Report, path: Path, only: list[str] | None) -> list[str]:
    known = [plot["id"] for _, plot in all_plots(report.data)]
    return [f"{path}: no plot has the id '{name}'; there are: {', '.join(known) or 'none'}"
            for name in only or [] if name not in known]


def draw_plots(report: Report, folder: Path, only: list[str] | None) -> tuple[list, list[str], int]:
    """What was drawn, lines about what was not, and the exit status for them."""
    tasks = [(kind, plot) for kind, plot in all_plots(report.data) if not only or plot["id"] in only]
    if not tasks:
        return [], [], 0
    try:
        # Here, because the page alone needs no matplotlib.
        import plots
    except ImportError as error:
        return [], [f"no plots: {error.name} cannot be imported; install python3-matplotlib"], 3
    try:
        drawn = plots.draw_all(tasks, report, folder)
    except OSError as error:
        return [], [f"{error.filename or folder}: {error.strerror}; no plots"], 2
    return drawn, [d.problem for d in drawn if d.problem], 0


def write_page(report: Report, folder: Path, drawn: list, complaints: list[str],
               no_plots: str) -> tuple[list[str], int]:
    """Lines about what went wrong, and the exit status for them."""
    try:
        import page
    except ImportError as error:
        return [f"no report.html: {error.name} cannot be imported; install python3-jinja2"], 3
    file = folder / "report.html"
    try:
        file.write_text(page.make(report, folder / "plots", drawn, complaints, no_plots), encoding="utf-8")
    except OSError as error:
        return [f"{error.filename or file}: {error.strerror}"], 2
    return [], 0


if __name__ == "__main__":
    sys.exit(main())
