"""report.html: one file with everything in it, that asks nothing of a network."""

import base64
import hashlib
from pathlib import Path
from typing import Any

import tables
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup
from report import PLOTS, Report, all_plots
from words import grid_text, ordered, time_text

HERE = Path(__file__).resolve().parent
# Kind of plot, anchor, heading, its short form, and what the section says when there is no plot of that kind.
SECTIONS = (
    ("speed_ups", "speed-ups", "Speed-ups", "Speed-ups", "No run could be set against a baseline."),
    ("optimisation_steps", "steps", "Optimisation steps", "Steps", "No optimisation steps were measured or published."),
    ("work_groups", "work-groups", "Work-group sizes", "Work-groups",
     "No work-group sizes were tuned: boltzmark tune does that."),
    ("scaling", "scaling", "Scaling", "Scaling",
     "Scaling shows when a model was run with several numbers of threads or ranks."),
    ("vector_lengths", "vectors", "Vector lengths", "Vectors",
     "Vector lengths show when a model was run with several of them: boltzmark run vvl does that."),
    ("average_velocity", "velocity", "Average velocity", "Velocity", "No run left its average velocities."),
    ("flow", "flow", "Flow field", "Flow", "No run left its final state."),
)
NO_ROOFLINES = "No roofline: boltzmark peaks has not been run here, or no run has figures."


def make(report: Report, folder: Path, drawn: list[Any], complaints: list[str], no_plots: str) -> str:
    """The page. `folder` holds the SVGs of the plots that were drawn; `no_plots` says why none was, if so."""
    data = report.data
    figures = figures_of(report, folder, drawn)
    environment = Environment(loader=FileSystemLoader(HERE), autoescape=True, undefined=StrictUndefined,
                              trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True)
    script = (HERE / "page.js").read_text(encoding="utf-8")
    rows = data["comparison"]["rows"]
    return environment.get_template("page.html.jinja").render(
        report=data,
        style=Markup((HERE / "page.css").read_text(encoding="utf-8")),
        script=Markup(script),
        # The page may run this one script and nothing else, whatever a record holds.
        script_hash=base64.b64encode(hashlib.sha256(script.encode()).digest()).decode(),
        generated=time_text(data["generated"]),
        counts=counts(data),
        fastest=tables.fastest(data),
        machine=tables.machine(data),
        comparison=tables.comparison(data),
        reasons=tables.reasons(data),
        filters=filters(rows),
        stream=tables.stream(data),
        published=[tables.published(table) for table in data["tables"]],
        not_run=tables.not_run(data),
        rooflines=figures["rooflines"],
        sections=[{"id": anchor, "heading": heading, "short": short, "figures": figures[kind],
                   "empty": no_plots if data["plots"][kind] else empty}
                  for kind, anchor, heading, short, empty in SECTIONS],
        no_rooflines=no_plots if data["plots"]["rooflines"] else NO_ROOFLINES,
        complaints=[*data["complaints"], *complaints],
    )


def figures_of(report: Report, folder: Path, drawn: list[Any]) -> dict[str, list[dict[str, Any]]]:
    """What the page shows of each plot, a list a kind; one that was not drawn says why."""
    results = {d.id: d for d in drawn}
    figures: dict[str, list[dict[str, Any]]] = {kind: [] for kind in PLOTS}
    for kind, plot in all_plots(report.data):
        if (result := results.get(plot["id"])) is None:
            continue
        svg = ""
        if not result.problem:
            svg = (folder / f"{plot['id']}.svg").read_text(encoding="utf-8")
        figures[kind].append({
            "id": plot["id"], "svg": Markup(svg), "caption": result.caption, "problem": result.problem,
            "title": plot.get("title") or title_of(kind, plot),
            "roofs": tables.roofs(plot) if kind == "rooflines" and not result.problem else None,
        })
    return figures


def title_of(kind: str, plot: dict[str, Any]) -> str:
    if kind == "speed_ups":
        return f"Speed-up over {plot['over']}, {grid_text(plot['problem'])}, {plot['precision']}"
    return f"Average velocity, {grid_text(plot['problem'])}"


def counts(data: dict[str, Any]) -> dict[str, int]:
    rows = data["comparison"]["rows"]
    right = sum(row["status"] == "ok" for row in rows)
    return {"rows": len(rows), "right": right, "other": len(rows) - right, "not_run": len(data["not_run"]),
            "grids": len({row["problem"] for row in rows}), "models": len({row["model"] for row in rows})}


def filters(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What rows can be chosen by: each with its choices, as (value, text)."""
    grids = sorted(rows, key=lambda row: (row["nx"] * row["ny"], row["problem"]))
    choices = [("problem", "Grid", [(name, grid_text(name)) for name in ordered(row["problem"] for row in grids)])]
    for key, label in (("model", "Model"), ("variant", "Variant"), ("precision", "Precision")):
        names = ordered(row[key] for row in rows)
        choices.append((key, label, [(name, name or "(default)") for name in names]))
    choices.append(("show", "Rows", [("alike", "Like for like"), ("best", "Best of each model"), ("bad", "Not right")]))
    # A choice of one is none.
    return [{"key": key, "label": label, "choices": values} for key, label, values in choices
            if len(values) > 1]
