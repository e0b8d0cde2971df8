"""The tables that any workload has: what was fastest, every run, its place under its roof, scaling, builds."""

from typing import Any

import pandas
from figures import Results, case_text, cells_of, workers_text
from plots import best_rows, scaling_lines, work_group_sweeps
from table import Column, Table
from words import (NONE, absent, bytes_text, device_text, grid_text, grouped, percent, plain, significant, tenths,
                   whole)

OVER = [Column("over\ntextbook", "speed_up_over_textbook", 3),
        Column("over like\nfor like", "speed_up_over_like_for_like", 3)]
OF_ROOF = Column("of its\nroof", "share_of_roof", percent, "roof")
WHAT = [Column("model", "model"), Column("variant", "variant", note="setting")]
CASE = [Column("case", "case", grid_text), Column("precision", "precision", under="case"),
        Column("steps", "steps", whole, under="case")]
DEVICE, WORKERS = Column("device", "device", device_text, under="model"), Column("ranks \u00d7\nthreads", "workers_text",
                                                                  lambda text: text or NONE)
CONSTANT = ("precision", "steps", "device", "ranks \u00d7 threads", "workload", "status")


def shown(frame: pandas.DataFrame) -> pandas.DataFrame:
    """With the columns that only tables have."""
    flags = frame["notes"].where(frame["notes"] != "", "")
    spread = [f"{significant(a)} to {significant(b)}" if a != b and a == a else "" for a,
              b in zip(frame["seconds_min"], frame["seconds_max"])]
    return frame.assign(workers_text=[workers_text(row) for _, row in frame.iterrows()], spread=spread, flags=flags,
                        checked=["yes" if passed else "no" for passed in frame["passed"]])


def rate_column(frame: pandas.DataFrame) -> list[Column]:
    units = sorted(set(frame["rate_unit"]) - {"", "GB/s"})
    return [Column(" or ".join(units), "rate", 4)] if units else []


def used(columns: list[Column], frame: pandas.DataFrame) -> list[Column]:
    """Without those that are empty."""
    return [c for c in columns if not frame[c.key].map(absent).all()]


def fastest(results: Results) -> Table:
    """Of each workload, case, precision and number of steps the right run with the shortest median."""
    right = results.right()
    whole_runs = right[right["seconds_median"].notna() & (right["part"] == "")]
    frame = shown(best_rows(whole_runs, ["workload", "case", "precision", "steps"]))
    columns = [Column("workload", "workload"), *CASE, Column("fastest run", "model", note="name"), DEVICE, WORKERS,
               Column("median\ns", "seconds_median", 4, "flags"), *rate_column(frame), Column("GB/s", "gb_per_s", 4),
               *used([*OVER, OF_ROOF], frame),
               Column("bound by", "bound")]
    return Table("fastest", "The fastest right run of each case", frame, columns).without_constants(*CONSTANT)


def all_runs(workload: str, runs: pandas.DataFrame) -> Table:
    frame = shown(runs[runs["part"] == ""])
    columns = [*WHAT, *CASE, DEVICE, WORKERS, Column("status", "status"),
               Column("median\ns", "seconds_median", 4, "spread"), *rate_column(frame),
               Column("GB/s", "gb_per_s", 4),
               *used([*OVER, Column("deviation", "deviation", 2), OF_ROOF, Column("bound by", "bound")], frame),
               *used([Column("to know", "flags", under="bound")], frame)]
    table = Table(f"runs-{workload}", f"All runs of {workload}", frame, columns, details=details, unit="run",
                  filters=[("Case", "case"), ("Model", "model"), ("Variant", "variant"), ("Precision", "precision"),
                           ("Status", "status")])
    return table.without_constants(*CONSTANT)


def roofline(workload: str, runs: pandas.DataFrame) -> Table:
    """What limits each run."""
    frame = shown(runs[(runs["part"] == "") & (runs["status"] == "ok") & runs["flop_per_byte"].notna()])
    columns = [*WHAT, *CASE[:2], *used([Column("GB/s", "gb_per_s", 4), Column("FLOP/\nbyte", "flop_per_byte", 3),
               Column("GFLOP/s", "gflop_per_s", 4),
                                        Column("GFLOP/s\npublished\ncount", "conventional_gflop_per_s", 4),
                                        Column("data in", "roof"),
               Column("that\nGB/s", "roof_gb_per_s", 4), Column("of it", "share_of_roof", percent),
               Column("of\ntriad", "share_of_stream_triad", percent), Column("of\npeak", "share_of_peak", percent),
               Column("bound by", "bound", note="flags"), Column("why", "why", wide=True)], frame)]
    caption = ("GB/s by the algorithm's own count of bytes; FLOPs counted by running the code on a type that counts, "
               "and by the published count. "
               "Shares: of the copy bandwidth of the level that holds the data, of the model's own STREAM triad, and "
               "of the multiply-add peak, "
               "for as many workers.")
    return Table(f"roofline-{workload}", f"Where each run of {workload} stands under its roof, and why", frame,
                 columns, caption,
                 unit="run").without_constants("precision")


def parts(workload: str, runs: pandas.DataFrame) -> Table:
    """Of a workload of several kernels: a row a run, a column a kernel."""
    frame = runs[runs["part"] != ""]
    keys = ["model", "variant", "setting", "case", "precision", "device", "threads", "ranks", "elements", "status"]
    names = list(dict.fromkeys(frame["part"]))
    rows = []
    for key, run in frame.groupby(keys, sort=False, dropna=False):
        row = {**dict(zip(keys, key)), "flags": "; ".join(dict.fromkeys(n for n in run["notes"] if n))}
        for _, kernel in run.iterrows():
            low, high = (kernel["gb_per_s"] * kernel["seconds_median"] / kernel[end]
                         for end in ("seconds_high", "seconds_low"))
            again = "; measure again" if "measure again" in kernel["notes"] else ""
            row |= {kernel["part"]: kernel["gb_per_s"],
                    f"{kernel['part']} range": f"{significant(low)} to {significant(high)}{again}" if low == low else ""}
        rows.append(row)
    wide = pandas.DataFrame(rows, columns=[*keys, "flags", *names, *(f"{name} range" for name in names)])
    wide[[f"{name} range" for name in names]] = wide[[f"{name} range" for name in names]].fillna("")
    wide["workers_text"] = [workers_text(row) for _, row in wide.iterrows()]
    columns = [*WHAT, DEVICE, Column("precision", "precision", under="model"), WORKERS,
               Column("elements", "elements", grouped),
               *(Column(f"{name}\nGB/s", name, 4, f"{name} range") for name in names),
               Column("status", "status", note="flags")]
    return Table(f"runs-{workload}", f"Bandwidth of {workload}", wide, columns,
                 "At the median of all executions; in brackets (on the page below it) the ends of the median's 95 % "
                 "interval.", unit="run").without_constants("device", "elements")


def scaling(workload: str, runs: pandas.DataFrame) -> Table:
    lines = [rows.assign(kind=kind) for kind, _, rows in scaling_lines(runs)]
    frame = shown(pandas.concat(lines) if lines else runs.iloc[:0].assign(kind="", efficiency=0.0, line_case=""))
    frame = frame.assign(workers_text=[f"{row['workers']:.0f} "
                                       f"{row['workers_unit'].rstrip('s') if row['workers'] == 1 else row['workers_unit']}"
                                       for _, row in frame.iterrows()])
    columns = [Column("case", "line_case", grid_text), CASE[1], Column("scaling", "kind"), *WHAT, DEVICE,
               Column("workers", "workers_text", str), CASE[2],
               Column("s", "seconds_median", 4, "flags"), *rate_column(frame),
               Column("effi-\nciency\n%", "efficiency", tenths),
               Column("halo\n%", "halo_share", tenths), Column("halo,\nmost\n%", "halo_share_most", tenths),
               Column("checked", "checked")]
    note = "Not checked: too large for the oracle to compute the right answer in the time." if (frame["checked"] == "no").any() else ""
    return Table(f"scaling-{workload}", f"Scaling of {workload} over ranks and threads", frame, columns,
                 "Strong: the same case for all; weak: a case that grows with the workers. Efficiency: the rate over "
                 "that of as many workers, each "
                 "as fast as in the first row of its line. Halo: share of the compute seconds in which a rank does "
                 "nothing but exchange halo "
                 "layers or wait for them, on average over the ranks and of the rank with the most; medians of the "
                 "repeats.", [note])


def energy(workload: str, runs: pandas.DataFrame) -> Table:
    frame = shown(runs[(runs["status"] == "ok") & runs["joules"].notna()])
    columns = [*WHAT, *CASE, DEVICE, WORKERS, Column("median\ns", "seconds_median", 4, "spread"),
               Column("J", "joules", 4), Column("W", "watts", 4),
               Column("million\nupdates\na joule", "millions_per_joule", 4)]
    return Table(f"energy-{workload}", f"Energy of {workload}",
                 frame.assign(millions_per_joule=1e-6 * frame["updates_per_joule"]), columns,
                 "Of the timed part, median of the repeats: all processors of the machine, whoever else uses them, or "
                 "the GPU with its memory.").without_constants("device", "precision")


def builds(workload: str, runs: pandas.DataFrame) -> Table:
    """Seconds in each build that a plan named."""
    built = runs[(runs["build"] != "") & (runs["part"] == "") & (runs["status"] == "ok")]
    names = list(dict.fromkeys(built["build"]))
    rows = []
    work = [setting.removesuffix(build).strip() for setting, build in zip(built["setting"], built["build"])]
    keys = ["model", "variant", "setting", "case", "precision", "steps", "workers_text"]
    for key, group in shown(built.assign(setting=work)).groupby(keys, sort=False, dropna=False):
        row = dict(zip(keys, key))
        for _, run in group.iterrows():
            row |= {run["build"]: run["seconds_median"], f"{run['build']} speed-up": run["speed_up_over_build"]}
        rows.append(row)
    frame = pandas.DataFrame(rows, columns=[*keys, *names, *(f"{name} speed-up" for name in names)])
    columns = [*CASE, *WHAT, WORKERS]
    for i, name in enumerate(names):
        columns += [Column(f"{name}\ns", name, 4)] + ([Column(f"{name}\nspeed-up", f"{name} speed-up", 3)] if i
                                                      else [])
    what = [f"{name}: " + "; ".join(dict.fromkeys(f"{run['compiler']}, {run['flags']}" for _,
                                                  run in built[built["build"] == name].iterrows()))
            for name in names]
    return Table(f"compilers-{workload}", f"Compilers and flags, {workload}", frame, columns,
                 f"Median compute seconds in each build; speed-up: the seconds in {(names or ['the first'])[0]} over "
                 "these.", what)


def tuned_shapes(workload: str, runs: pandas.DataFrame, tuning: pandas.DataFrame) -> Table:
    """Of hundreds of shapes the fastest and slowest of each sweep, and what the model chose."""
    kept, notes = [], []
    for (model, variant, *_), rows in work_group_sweeps(runs, tuning):
        order = pandas.Series(range(len(rows)), index=rows.index)
        telling = rows[(order < 10) | (order >= len(rows) - 3) | rows["chosen"]] if len(rows) > 24 else rows
        kept.append(telling.assign(over_best=telling["seconds_best"] / rows["seconds_best"].iat[0]))
        if len(telling) < len(rows):
            notes.append(f"{model} {variant}, {rows['case'].iat[0]}: {len(rows) - len(telling)} more shapes, in "
                         "between, are in the picture only.")
    frame = pandas.concat(kept) if kept else runs.iloc[:0].assign(others="", shape="", seconds_best=0.0,
                                                                  over_best=0.0, chosen=False)
    frame = frame.assign(chosen=["chosen" if chosen else "" for chosen in frame["chosen"]])
    columns = [*CASE, Column("model", "model"), Column("variant", "variant", note="others"), DEVICE,
               Column("work-group", "shape", note="chosen"),
               Column("s", "seconds_best", 4), Column("over\nbest", "over_best", 3)]
    return Table(f"work-groups-{workload}", f"Work-group sizes of {workload}", frame, columns,
                 "The fastest first. Of a tuner's runs of a shape the "
                 "lowest counts. Chosen: what the model takes when it is given none.", notes)


def not_run(results: Results) -> Table:
    frame = shown(results.runs[results.runs["status"] != "ok"])
    return Table("not-run", "What could not run here, or is wrong", frame,
                 [Column("workload", "workload"), *WHAT, *CASE, WORKERS,
                 Column("status", "status"), Column("why", "reason", wide=True)]).without_constants(*CONSTANT)


def roofs(peaks: pandas.DataFrame) -> Table:
    """Everything that `boltzmark peaks` measured."""
    frame = peaks[peaks["kind"].isin(["bandwidth", "compute", "launch", "to_device", "from_device"])]
    what = [" ".join(str(part) for part in (row["level"], row["pattern"], row["precision"],
                                            {"true": "FMA", "false": "without FMA"}.get(row["fma"], ""),
            f"{row['vector_bits']:.0f} bits" if row["vector_bits"] > 0 else "", row["kind"].replace("_", " ")
                                            if not row["level"] + row["precision"] else "")
            if part) for _, row in frame.iterrows()]
    columns = [Column("of", "of"), Column("what", "what"),
               Column("cores", "cores", lambda n: "all" if n == 0 else whole(n)), Column("median", "median", 4),
               Column("smallest", "min", 4), Column("largest", "max", 4), Column("unit", "unit")]
    return Table("peaks", "Measured roofs", frame.assign(what=what), columns, fold=True)


def details(row: Any) -> dict[str, Any]:
    """What opens below a run: why, then headings with names and texts."""
    origin = [("Version", f"{row['version']}, revision {row['revision']}"),
              ("Compiler", f"{row['compiler']} {row['flags']}".strip()),
              ("Machine", f"{row['host']}: {row['cpu']}, {whole(row['cores'])} cores"), ("System", row["system"]),
              ("Started", row["date"]),
              ("Command", row["command"])] if row["command"] else [("Record", "none: the run left no record")]
    run = [("Case", f"{row['case']}, {grouped(row['elements'])} elements"), ("Device", row["device"]),
           ("Options", " ".join(row["options"])),
           ("Tuned", row["tuned"]), ("Settings", ", ".join(f"{k}: {v}" for k, v in row["settings"].items())),
           ("Seconds of all repeats", ", ".join(significant(s) for s in row["seconds"])),
           ("Check", f"{row['check']}: {row['checked']}"),
           ("Worst deviation", row["deviation_at"]),
           ("To know", row["flags"])]
    line = []
    if row["flop_per_byte"] == row["flop_per_byte"]:
        each = row["update"] or "update"
        line = [("Moved and computed", f"{plain(row['bytes_per_update'])} bytes and {plain(row['flops_per_update'])} "
                                       f"FLOPs per {each}"),
                ("Counted", f"{significant(row['flop_per_byte'], 3)} FLOP/byte, {significant(row['gflop_per_s'])} "
                            "GFLOP/s"),
                (f"By convention ({plain(row['conventional_flops_per_update'])} FLOPs)",
                 f"{significant(row['conventional_flop_per_byte'], 3)} FLOP/byte, "
                 f"{significant(row['conventional_gflop_per_s'])} GFLOP/s")]
        line += [(f"Of {name}", f"{percent(row[share])} of {significant(row[peak])} {unit}") for share, peak, unit,
                 name in (
            ("share_of_roof", "roof_gb_per_s", "GB/s", row["roof"]),
                     ("share_of_stream_triad", "stream_triad_gb_per_s", "GB/s", "STREAM triad"),
            ("share_of_peak", "peak_gflop_per_s", "GFLOP/s", "peak arithmetic")) if row[share] == row[share]]
        line += [("Ridge point", f"{significant(row['ridge_flop_per_byte'], 3)} "
                                 "FLOP/byte")] if row["ridge_flop_per_byte"] == row["ridge_flop_per_byte"] else []
    if row["behind_openmp"]:
        line.append((f"{percent(row['of_openmp'])} of OpenMP", row["behind_openmp"]))
    why = row["why"] if row["status"] == "ok" else row["reason"] or row["status"]
    parts = [(heading, [(name, text) for name, text in facts if text and text != NONE]) for heading, facts in
             (("Run", run), ("Roofline", line), ("Provenance", origin))]
    return {"why": why, "parts": [(heading, facts) for heading, facts in parts if facts]}


def machine(results: Results) -> list[tuple[str, list[str]]]:
    """Names and texts, several texts to a name."""
    runs, peaks = results.runs, results.peaks
    known = runs[runs["host"] != ""]

    def each(column: str) -> list[str]:
        return [text for text in dict.fromkeys(known[column].astype(str)) if text]
    facts = {"Host": each("host"), "Processor": each("cpu"), "System": each("system"),
             "Cores used": [whole(known["cores"].max())] if known["cores"].notna().any() else []}
    for of, rows in peaks.groupby("of", sort=False):
        lines = [" ".join([row["level"], bytes_text(row["median"]), f"({row['text']})" * bool(row["text"])]).strip()
                 for _, row in rows[rows["kind"].isin(["cache", "memory"])].iterrows()]
        facts["Caches and memory" if of == "processor"
              else of] = [", ".join([*rows["text"][rows["kind"] == "fact"], *lines])]
        facts.setdefault("Peaks", []).extend(f"{of}: {text}" for text in rows["text"][rows["kind"] == "note"])
    facts["Devices"] = [d for d in dict.fromkeys(f"{device_text(row['device'], 60)} "
                                                 f"({row['device_type']}{', ' + row['driver'] if row['driver'] else ''})"
                                                 for _, row in runs[runs["device"] != ""].iterrows())]
    facts["Build"] = [f"{v}, revision {r}" for v, r in dict.fromkeys(zip(known["version"], known["revision"])) if v]
    facts["Compilers"] = list(dict.fromkeys((known["compiler"] + " " + known["flags"]).str.strip()))
    facts["Peaks measured"] = [f"{d} with {c}" for d, c in dict.fromkeys(zip(peaks["date"], peaks["compiler"])) if d]
    return [(name, texts) for name, texts in facts.items() if any(texts)]
