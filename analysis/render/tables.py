"""The tables of the page: figures of report.json as texts, each with the value that it is sorted by."""

from dataclasses import dataclass, field
from typing import Any

from words import cells_in, device_text, grid_text, name_of, ordered, significant, time_text

Row = dict[str, Any]
NONE = "\u2013"


@dataclass(frozen=True)
class Cell:
    text: str
    value: float | None = None   # what it is sorted by, where that is not the text
    link: str = ""               # id of a row of the page
    kind: str = ""               # class of the cell, for its looks
    title: str = ""              # the whole text, where `text` is short for it
    note: str = ""               # in small type below


@dataclass(frozen=True)
class Column:
    header: str                  # may hold newlines
    number: bool = False         # aligned right and sorted as numbers
    heads_row: bool = False      # its cells are headers of their rows
    kind: str = ""               # class of its cells: wide for prose


@dataclass
class Line:
    cells: list[Cell]
    id: str = ""
    choose: dict[str, str] = field(default_factory=dict)   # what filters look at
    details: list[tuple[str, list[tuple[str, str]]]] = field(default_factory=list)   # heading, (name, text) pairs
    why: str = ""
    name: str = ""               # for screen readers


@dataclass
class Table:
    id: str
    caption: str
    columns: list[Column]
    lines: list[Line]
    unit: str = "rows"           # what its lines are
    notes: list[str] = field(default_factory=list)
    text: str = ""               # under the caption
    source: str = ""


def number(value: float | None, digits: int = 4, unit: str = "") -> Cell:
    return Cell(NONE) if value is None else Cell(significant(value, digits) + unit, value)


def percent(share: float | None) -> Cell:
    if share is None:
        return Cell(NONE)
    return Cell(f"{100 * share:.{0 if share >= 0.0995 else 1}f} %", share)


def grid(row: Row) -> Cell:
    name = grid_text(row["problem"])
    size = f"{row['nx']} \u00d7 {row['ny']} cells" if row["nx"] and name == row["problem"] else ""
    return Cell(name, row["nx"] * row["ny"] or cells_in(row["problem"]), title=size)


def device(name: str) -> Cell:
    short = device_text(name)
    return Cell(short or NONE, title=name if short != name else "")


def workers(row: Row) -> Cell:
    """Ranks x threads; a device that decides by itself has no threads to count."""
    ranks, threads = max(1, row["ranks"]), row["threads"]
    return Cell(f"{ranks} \u00d7 {threads}", ranks * threads) if threads else Cell(NONE)


def bytes_text(size: int | None) -> str:
    if size is None:
        return "unknown"
    for unit, name in ((2**40, "TiB"), (2**30, "GiB"), (2**20, "MiB"), (2**10, "KiB")):
        if size >= unit:
            return f"{size / unit:.4g} {name}"
    return f"{size} bytes"


def status(row: Row) -> Cell:
    return Cell(row["status"], kind="right" if row["status"] == "ok" else "bad")


def over(baseline: str) -> Column:
    """The column of the speed-ups over a baseline."""
    return Column("Speed-up\n" + baseline.replace(" ", "\n", 1), number=True)


def without_constants(table: Table, headers: tuple[str, ...]) -> Table:
    """The table without those of the columns that say the same in every line; its caption says it instead."""
    if len(table.lines) < 2:
        return table
    for header in headers:
        i = next(i for i, column in enumerate(table.columns) if column.header == header)
        texts = {line.cells[i].text for line in table.lines}
        if len(texts) > 1:
            continue
        del table.columns[i]
        for line in table.lines:
            del line.cells[i]
        if texts != {NONE}:
            table.caption += f", {texts.pop()}"
    return table


def fastest(data: Row) -> Table:
    """Of each grid, precision and number of steps the right run with the shortest median."""
    best: dict[tuple[Any, ...], Row] = {}
    for row in data["comparison"]["rows"]:
        key = (row["problem"], row["precision"], row["steps"])
        if row["status"] == "ok" and row["median"] is not None:
            if key not in best or row["median"] < best[key]["median"]:
                best[key] = row
    baselines = data["comparison"]["baselines"]
    columns = [Column("Grid", heads_row=True), Column("Precision"), Column("Steps", number=True), Column("Fastest run"),
               Column("Device"), Column("Median\ns", number=True), Column("MLUPS", number=True),
               *(over(name) for name in baselines),
               Column("Of its\nroof", number=True), Column("Bound by")]
    lines = [Line([grid(row), Cell(row["precision"]), Cell(str(row["steps"]), row["steps"]),
                   Cell(name_of(row), link=row["id"]), device(row["device"]), number(row["median"]),
                   number(row["mlups"]), *(number(s, 3) for s in row["speed_ups"]), of_roof(row), bound(row)])
             for row in best.values()]
    return without_constants(Table("fastest", "The fastest right run of each grid", columns, lines),
                             ("Precision", "Device"))


def of_roof(row: Row) -> Cell:
    """The share of the bandwidth of the level that holds the grid."""
    line = row["roofline"]
    if not line or line["fraction_of_level"] is None:
        return Cell(NONE)
    share = percent(line["fraction_of_level"])
    return Cell(f"{share.text} {line['level'] or ''}".strip(), share.value)


def bound(row: Row) -> Cell:
    return Cell(row["roofline"]["bound"].replace("-", " ")) if row["roofline"] else Cell(NONE)


def comparison(data: Row) -> Table:
    """Every run; its details hold repeats, roofline figures and provenance."""
    rows = data["comparison"]["rows"]
    columns = [
        Column("Model", heads_row=True), Column("Variant"), Column("Grid"), Column("Precision"),
        Column("Steps", number=True), Column("Setting"), Column("Device"), Column("Status"),
        Column("Ranks \u00d7\nthreads", number=True), Column("Median\ns", number=True), Column("Min\ns", number=True),
        Column("Max\ns", number=True), Column("MLUPS", number=True), Column("GB/s", number=True),
        *(over(name) for name in data["comparison"]["baselines"]),
        Column("Deviation", number=True), Column("Of its\nroof", number=True), Column("Bound by"),
    ]
    lines = []
    for row in rows:
        cells = [Cell(row["model"]), Cell(row["variant"] or NONE), grid(row), Cell(row["precision"]),
                 Cell(str(row["steps"]), row["steps"]), Cell(row["setting"] or NONE),
                 device(row["device"]), status(row), workers(row), number(row["median"]), number(row["min"]),
                 number(row["max"]), number(row["mlups"]), number(row["gb_per_s"]),
                 *(number(s, 3) for s in row["speed_ups"]), number(row["deviation"], 2), of_roof(row), bound(row)]
        lines.append(Line(cells, row["id"], chosen_by(row), details(row), why(row),
                          f"{name_of(row)}, {grid_text(row['problem'])}, {row['precision']}"))
    return without_constants(Table("comparison-table", "All runs", columns, lines, "runs"),
                             ("Precision", "Setting", "Device"))


def chosen_by(row: Row) -> dict[str, str]:
    show = [name for name, holds in (("alike", row["like_for_like"]), ("best", row["best_of_model"]),
                                     ("bad", row["status"] != "ok")) if holds]
    return {**{key: row[key] for key in ("problem", "model", "variant", "precision")}, "show": " ".join(show)}


def why(row: Row) -> str:
    if row["status"] != "ok":
        return row["reason"] or row["status"]
    return row["roofline"]["why"] if row["roofline"] else ""


def details(row: Row) -> list[tuple[str, list[tuple[str, str]]]]:
    """Heading and pairs of name and text; parts of which nothing is known are left out."""
    run = [("Problem", f"{row['problem']}, {row['nx']} \u00d7 {row['ny']} cells, {row['steps']} steps"),
           ("Device", row["device"] or NONE)]
    if row["seconds"]:
        run.append(("Seconds of all repeats", ", ".join(significant(s, 4) for s in row["seconds"])))
    parts = [("Run", run)]
    if line := row["roofline"]:
        parts.append(("Roofline", roofline_facts(line)))
    if origin := row["provenance"]:
        parts.append(("Provenance", [
            ("Version", f"{origin['version']}, revision {origin['revision']}"),
            ("Compiler", f"{origin['compiler']} {origin['flags']}".strip()),
            ("Machine", f"{origin['host']}: {origin['cpu']}, {origin['cores']} cores"),
            ("System", origin["system"]), ("Started", time_text(origin["date"])), ("Command", origin["command"])]))
    else:
        parts.append(("Provenance", [("Record", "none: the run left no record")]))
    return parts


def roofline_facts(line: Row) -> list[tuple[str, str]]:
    usual = line["conventional"]
    facts = [
        ("Moved and computed", f"{line['bytes_per_update']:g} bytes and {line['flops_per_update']:g} FLOPs an update"),
        ("Counted", f"{significant(line['flop_per_byte'])} FLOP/byte, {significant(line['gflop_per_s'], 4)} GFLOP/s"),
        (f"By convention ({usual['flops_per_update']:g} FLOPs)",
         f"{significant(usual['flop_per_byte'])} FLOP/byte, {significant(usual['gflop_per_s'], 4)} GFLOP/s"),
    ]
    for share, peak, unit, name in (("fraction_of_level", "level_gb_per_s", "GB/s", line["level"] or "its level"),
                                    ("fraction_of_triad", "triad_gb_per_s", "GB/s", "STREAM triad"),
                                    ("fraction_of_peak", "peak_gflop_per_s", "GFLOP/s", "peak arithmetic")):
        if line[share] is not None and line[peak] is not None:
            facts.append((f"Of {name}", f"{percent(line[share]).text} of {significant(line[peak], 4)} {unit}"))
    if line["ridge_flop_per_byte"] is not None:
        facts.append(("Ridge point", f"{significant(line['ridge_flop_per_byte'])} FLOP/byte"))
    return facts


def reasons(data: Row) -> Table:
    """Why each run stands where it does."""
    columns = [Column("Model", heads_row=True), Column("Variant"), Column("Grid"), Column("Precision"),
               Column("FLOP/byte", number=True), Column("GFLOP/s", number=True), Column("GB/s", number=True),
               Column("Of its\nroof", number=True), Column("Of STREAM\ntriad", number=True),
               Column("Of peak\narithmetic", number=True), Column("Bound by"), Column("Why", kind="wide")]
    lines = []
    for row in data["comparison"]["rows"]:
        if line := row["roofline"]:
            cells = [Cell(row["model"], link=row["id"]), Cell(row["variant"] or NONE), grid(row),
                     Cell(row["precision"]), number(line["flop_per_byte"], 3), number(line["gflop_per_s"]),
                     number(line["gb_per_s"]), of_roof(row), percent(line["fraction_of_triad"]),
                     percent(line["fraction_of_peak"]), bound(row), Cell(line["why"])]
            lines.append(Line(cells, "", chosen_by(row)))
    table = Table("reasons-table", "Where each run stands under its roofline, and why", columns, lines, "runs")
    return without_constants(table, ("Precision",))


def roofs(plot: Row) -> Table:
    """Figures of a roofline plot's lines."""
    lines = [Line([Cell(r["label"]), number(r["gb_per_s"], 4, " GB/s"), number(r["min"]), number(r["max"])])
             for r in plot["roofs"]]
    lines += [Line([Cell(c["label"]), number(c["gflop_per_s"], 4, " GFLOP/s"), Cell(NONE), Cell(NONE)])
              for c in plot["ceilings"]]
    if ridge := plot["ridge"]:
        lines.append(Line([Cell(f"ridge point of {ridge['roof']} and {ridge['ceiling']}"),
                           number(ridge["flop_per_byte"], 4, " FLOP/byte"), Cell(NONE), Cell(NONE)]))
    columns = [Column("Roof", heads_row=True), Column("Measured", number=True), Column("Smallest", number=True),
               Column("Largest", number=True)]
    return Table(f"roofs-{plot['id']}", f"Roofs of {plot['title']}", columns, lines)


def stream(data: Row) -> Table:
    """A line a model and device, a column a kernel."""
    names = ordered(kernel["name"] for entry in data["stream"] for kernel in entry["kernels"])
    columns = [Column("Model", heads_row=True), Column("Device"), Column("Precision"),
               Column("Ranks \u00d7\nthreads", number=True), Column("Elements", number=True),
               *(Column(f"{name}\nGB/s", number=True) for name in names), Column("Check")]
    lines = []
    for entry in data["stream"]:
        kernels = {kernel["name"]: kernel for kernel in entry["kernels"]}
        rates = []
        for name in names:
            kernel = kernels.get(name)
            rates.append(Cell(NONE) if kernel is None else Cell(
                significant(kernel["gb_per_s"], 4), kernel["gb_per_s"],
                note=significant(kernel["gb_per_s_median"], 4),
                title=f"seconds: minimum {significant(kernel['min_seconds'])}, median "
                      f"{significant(kernel['median_seconds'])}, maximum {significant(kernel['max_seconds'])}"))
        check = Cell("passed", kind="right") if entry["passed"] else Cell("failed", kind="bad")
        lines.append(Line([Cell(entry["model"]), device(entry["device"]), Cell(entry["precision"]), workers(entry),
                           Cell(str(entry["elements"]), entry["elements"]), *rates, check]))
    return Table("stream-table", "STREAM bandwidth", columns, lines,
                 text="At the shortest of all executions, as STREAM has it; below it, smaller, at the median.")


def published(table: Row) -> Table:
    """A table of the report as it is; its first column heads the rows."""
    columns = [Column(column["header"], number=column["align"] == "right", heads_row=i == 0)
               for i, column in enumerate(table["columns"])]
    lines = [Line([Cell(text) for text in row]) for row in table["rows"]]
    return Table(f"table-of-{table['id']}", table["title"], columns, lines, notes=table["notes"], text=table["caption"],
                 source=table["source"])


def not_run(data: Row) -> Table:
    columns = [Column("Model", heads_row=True), Column("Variant"), Column("Problem"), Column("Status"),
               Column("Why", kind="wide")]
    lines = [Line([Cell(entry["model"]), Cell(entry["variant"] or NONE), Cell(grid_text(entry["problem"]) or NONE),
                   status(entry), Cell(entry["reason"])]) for entry in data["not_run"]]
    return Table("not-run-table", "What could not run here, or is wrong", columns, lines)


def machine(data: Row) -> list[tuple[str, list[str]]]:
    """Names and texts, several texts to a name."""
    facts = data["machine"]
    caches = [f"{c['name']}: {bytes_text(c['bytes'])}"
              + (f", {c['instances']} of them" if c["instances"] > 1 else "")
              + (f", shared by {c['cores']} cores" if c["cores"] > 1 else "") for c in facts["caches"]]
    devices = [f"{d['name']} ({d['type']})" + (f": {d['details']}" if d["details"] else "") for d in facts["devices"]]
    build = data["build"]
    return [
        ("Host", [facts["host"] or "unknown"]), ("Processor", [facts["cpu"] or "unknown"]),
        ("Cores used", [str(facts["cores"])]), ("Memory", [bytes_text(facts["memory_bytes"])]),
        ("Caches", caches or ["unknown"]), ("System", [facts["system"] or "unknown"]),
        ("Devices", devices or ["none besides the processor"]),
        ("Boltzmark", [f"{build['version']}, revision {build['revision']}"]),
        ("Compilers", build["compilers"] or ["unknown"]),
        ("Peaks measured", [time_text(data["peaks_date"] or "not yet: boltzmark peaks does that")]),
    ]
