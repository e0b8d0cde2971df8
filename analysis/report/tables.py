"""The tables that any workload has: what was fastest, every run, its place under its roof, scaling, builds."""

from typing import Any

import pandas
from figures import Results, workers_text
from plots import best_rows, scaling_lines, work_group_sweeps
from table import Column, Table
from words import (NONE, STATES, absent, bytes_text, counted, device_text, grouped, model_text, percent, plain,
                   problem_text, significant, span, tenths, whole)

OVER = [Column("x serial\ntextbook", "speed_up_over_textbook", 3),
        Column("x serial,\nsame\nalgorithm", "speed_up_over_like_for_like", 3)]
BOUND = Column("bound", "verdict")
WHAT = [Column("model", "model", model_text), Column("variant", "variant", note="setting")]
CASE = [Column("problem", "case", problem_text), Column("precision", "precision", under="case"),
        Column("steps", "steps", whole, under="case")]
DEVICE, WORKERS = Column("device", "device", device_text, under="model"), Column("ranks \u00d7\nthreads",
                                                                                 "workers_text", str)
CONSTANT = ("precision", "steps", "device", "ranks \u00d7 threads", "workload", "status")


def shown(frame: pandas.DataFrame) -> pandas.DataFrame:
    """With the columns that only tables have."""
    spread = ["1 run" if n == 1 else f"{significant(a)} to {significant(b)}" if a != b and a == a else ""
              for a, b, n in zip(frame["seconds_min"], frame["seconds_max"], frame["repeats"])]
    return frame.assign(steps=frame["steps"].where(frame["steps"] > 1),
                        workers_text=[workers_text(row) or NONE for _, row in frame.iterrows()], spread=spread,
                        remarks=frame["notes"], mark=["!" * bool(noisy) for noisy in frame["is_noisy"]],
                        state=[STATES.get(status, status) if status != "ok" else "right" if passed else "not checked"
                               for status, passed in zip(frame["status"], frame["passed"])],
                        checked=[extent or ("yes" if passed else "no")
                                 for extent, passed in zip(frame["checked"], frame["passed"])])


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
    columns = [Column("workload", "workload"), *CASE, Column("fastest run", "who"), DEVICE, WORKERS,
               Column("median\ns", "seconds_median", 4, "remarks"), *rate_column(frame), Column("GB/s", "gb_per_s", 4),
               *used([*OVER, BOUND], frame)]
    return Table("fastest", "The fastest right run of each problem", frame, columns,
                 on_page=False).without_constants(*CONSTANT)


def every_run(results: Results) -> Table:
    """Of all workloads and kernels, for the page."""
    frame = shown(results.runs)
    spread = [", ".join(filter(None, [text, "!" * bool(noisy)]))
              for text, noisy in zip(frame["spread"], frame["is_noisy"])]
    columns = [Column("workload", "workload", model_text), *used([Column("kernel", "part", under="workload")], frame),
               *CASE, *WHAT, DEVICE,
               WORKERS, Column("result", "state"), Column("median\ns", "seconds_median", 4, "spread"),
               Column("rate", "rate", 4, "rate_unit"), Column("GB/s", "gb_per_s", 4),
               *used([*OVER, BOUND, Column("deviation", "deviation", 2)], frame)]
    noisy = int(frame["is_noisy"].sum())
    return Table("runs", "All runs", frame.assign(spread=spread), columns,
                 "Seconds are the median compute time, from the fastest to the slowest repeat. GB/s by the algorithm's "
                 "own count of bytes. Bound: the limit that takes the longest time, and the share of the time that it takes. "
                 "Deviation: the largest, relative, from the reference in double precision.",
                 [f"! Noisy, {counted(noisy, 'figure')}: how far its rounds are apart is among its remarks." if noisy else ""], details=details, unit="run",
                 filters=[("Workload", "workload"), ("Problem", "case"), ("Model", "model"), ("Variant", "variant"),
                          ("Precision", "precision"), ("Result", "state")])


def all_runs(workload: str, runs: pandas.DataFrame) -> Table:
    frame = shown(runs[runs["part"] == ""])
    columns = [*WHAT, *CASE, DEVICE, WORKERS, Column("status", "status"),
               Column("median\ns", "seconds_median", 4, "spread"), *rate_column(frame), Column("GB/s", "gb_per_s", 4),
               *used([*OVER, Column("deviation", "deviation", 2), BOUND,
                      Column("remarks", "remarks")], frame)]
    return Table(f"runs-{workload}", f"All runs of {model_text(workload)}", frame, columns,
                 on_page=False).without_constants(*CONSTANT)


def roofline(workload: str, runs: pandas.DataFrame) -> Table:
    """What limits each run."""
    frame = shown(runs[(runs["part"] == "") & (runs["status"] == "ok") & runs["gflop_per_s"].notna()])
    columns = [*WHAT, *CASE[:2], *used([Column("GB/s", "gb_per_s", 4), Column("FLOP/\nbyte", "flop_per_byte", 3),
               Column("GFLOP/s", "gflop_per_s", 4), Column("GFLOP/s\npublished\ncount", "conventional_gflop_per_s", 4),
               Column("level", "level"), Column("through it,\nbytes\nan update", "level_bytes_per_update", 3),
               Column("moved\nGB/s", "level_gb_per_s", 4), Column("roof\nGB/s", "roof_gb_per_s", 4),
               Column("of\ntriad", "share_of_stream_triad", percent), Column("of\npeak", "share_of_peak", percent),
               BOUND], frame)]
    caption = ("GB/s by the algorithm's own count of bytes; FLOPs counted by running the code on a type that counts, "
               "and by the published count. Level: of memory, the one whose bytes take longest; FLOP/byte, moved bytes and "
               "roof are those of it, with the lines that plain stores fetch. Bound: the limit that takes the longest time, "
               "for as many workers, and its share of the measured time.")
    return Table(f"roofline-{workload}", f"Each run of {model_text(workload)} under its roof", frame, columns, caption,
                 unit="run").without_constants("precision")


def parts(workload: str, runs: pandas.DataFrame) -> Table:
    """Of a workload of several kernels: a row a run, a column a kernel."""
    frame = runs[runs["part"] != ""]
    keys = ["model", "variant", "setting", "case", "precision", "device", "threads", "ranks", "elements", "status"]
    names = list(dict.fromkeys(frame["part"]))
    rows: list[dict[str, Any]] = []
    notes: list[Any] = []
    for key, run in frame.groupby(keys, sort=False, dropna=False):
        row = dict(zip(keys, key))
        row |= {"id": run["id"].iat[0], "workers_text": workers_text(row) or NONE}
        notes += [(note, run["who"].iat[0]) for text in run["notes"] for note in text.split("; ")
                  if note and not note.startswith("noisy")]     # which its figures are marked for
        for _, kernel in run.iterrows():
            row |= {kernel["part"]: kernel["gb_per_s"],
                    f"{kernel['part']} range": span(kernel["gb_per_s_low"], kernel["gb_per_s_high"])
                    + " !" * bool(kernel["is_noisy"])}
        rows.append(row)
    columns = [*WHAT, DEVICE, Column("precision", "precision", under="model"), WORKERS,
               Column("elements", "elements", grouped),
               *(Column(f"{name}\nGB/s", name, 4, f"{name} range") for name in names), Column("status", "status")]
    return Table(f"runs-{workload}", f"Bandwidth of {model_text(workload)}", rows, columns,
                 "At the median of all executions; in brackets (on the page below it) the ends of the median's "
                 "interval over the rounds; ! is noisy.", notes, unit="run").without_constants("device", "elements")


def scaling(workload: str, runs: pandas.DataFrame) -> list[Table]:
    lines = [rows.assign(kind=kind) for kind, _, rows in scaling_lines(runs)]
    if not lines:
        return []
    frame = shown(pandas.concat(lines)).assign(workers_text=lambda rows: [
        counted(int(n), unit.rstrip("s")) for n, unit in zip(rows["workers"], rows["workers_unit"])])
    columns = [Column("problem", "line_case", problem_text), CASE[1], Column("scaling", "kind"), *WHAT, DEVICE,
               Column("cores or\ndevices", "workers_text", str), CASE[2],
               Column("s", "seconds_median", 4, "mark"), *rate_column(frame),
               Column("effi-\nciency\n%", "efficiency", tenths),
               Column("halo\n%", "halo_share", tenths), Column("halo,\nmost\n%", "halo_share_most", tenths),
               Column("checked", "checked")]
    note = "Not checked: too large for the reference to be computed in the time." if (frame["checked"] == "no").any() else ""
    return [Table(f"scaling-{workload}", f"Scaling of {model_text(workload)} over ranks and threads", frame, columns,
                  "Strong: the same problem for all; weak: one that grows with the workers. Efficiency: the rate over "
                  "that of as many workers, each as fast as in the first row of its line. Halo: share of the compute "
                  "seconds in which a rank does nothing but exchange halo layers or wait for them, on average over the "
                  "ranks and of the rank with the most; medians of the repeats.", [note])]


def energy(workload: str, runs: pandas.DataFrame) -> Table:
    frame = shown(runs[(runs["status"] == "ok") & runs["joules"].notna()])
    columns = [*WHAT, *CASE, DEVICE, WORKERS, Column("median\ns", "seconds_median", 4, "spread"),
               Column("J", "joules", 4), Column("W", "watts", 4),
               Column("million\nupdates\na joule", "millions_per_joule", 4)]
    return Table(f"energy-{workload}", f"Energy of {model_text(workload)}",
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
    columns = [*CASE, *WHAT, WORKERS]
    for i, name in enumerate(names):
        columns += [Column(f"{name}\ns", name, 4)] + ([Column(f"{name}\nspeed-up", f"{name} speed-up", 3)] if i else [])
    what = [f"{name}: " + "; ".join(dict.fromkeys(f"{run['compiler']}, {run['flags']}" for _,
                                                  run in built[built["build"] == name].iterrows())) for name in names]
    return Table(f"compilers-{workload}", f"Compilers and flags, {model_text(workload)}", rows, columns,
                 f"Median compute seconds in each build; speed-up: the seconds in {(names or ['the first'])[0]} over "
                 "these.", what)


def tuned_shapes(workload: str, runs: pandas.DataFrame, tuning: pandas.DataFrame) -> Table:
    """Of hundreds of shapes the fastest and slowest of each sweep, and what the model chose."""
    kept, notes = [], []
    for (model, variant, *_), rows in work_group_sweeps(runs, tuning):
        order = pandas.Series(range(len(rows)), index=rows.index)
        telling = rows[(order < 10) | (order >= len(rows) - 3) | rows["chosen"]] if len(rows) > 24 else rows
        kept += telling.assign(over_best=telling["seconds_best"] / rows["seconds_best"].iat[0],
                               chosen=["chosen" * chosen for chosen in telling["chosen"]]).to_dict("records")
        if len(telling) < len(rows):
            notes.append(f"{model} {variant}, {rows['case'].iat[0]}: {len(rows) - len(telling)} more shapes, in "
                         "between, are in the picture only.")
    columns = [*CASE, Column("model", "model", model_text), Column("variant", "variant", note="others"), DEVICE,
               Column("work-group", "shape", note="chosen"),
               Column("s", "seconds_best", 4), Column("over\nbest", "over_best", 3)]
    return Table(f"work-groups-{workload}", f"Work-group sizes of {model_text(workload)}", kept, columns,
                 "The fastest first. Of a tuner's runs of a shape the lowest counts. Chosen: what the model takes when "
                 "it is given none.", notes)


def not_run(results: Results) -> Table:
    frame = shown(results.runs[results.runs["status"] != "ok"])
    return Table("not-run", "Runs that are wrong or were not made", frame,
                 [Column("workload", "workload", model_text), *WHAT, *CASE, WORKERS,
                  Column("result", "state"), Column("why", "reason", wide=True)]).without_constants(*CONSTANT)


PEAKS = ("bandwidth", "compute", "latency", "launch", "to_device", "from_device")


def peak_names(peaks: pandas.DataFrame) -> list[str]:
    """"L2 copy", "f32 FMA 512 bits": what each row is of, but for its cores."""
    return [" ".join(str(part) for part in (
        row["level"], row["pattern"], row["precision"],
        {"true": "FMA", "false": "without FMA"}.get(row["fma"], "") if absent(row["operation"]) or row["operation"] == "multiply-add"
        else row["operation"].replace("-", " ") + "s",
        f"{row['vector_bits']:.0f} bits" if row["vector_bits"] > 0 else "",
        "" if row["level"] + row["precision"] and row["kind"] != "latency" else row["kind"].replace("_", " ")) if part)
        for _, row in peaks.iterrows()]


def roofs(peaks: pandas.DataFrame) -> Table:
    """Everything that `boltzmark peaks` measured."""
    frame = peaks[peaks["kind"].isin(PEAKS)]
    columns = [Column("of", "of"), Column("what", "what"),
               Column("cores", "cores", lambda n: "all" if n == 0 else whole(n)), Column("median", "median", 4),
               Column("smallest", "min", 4), Column("largest", "max", 4), Column("unit", "unit")]
    return Table("peaks", "Measured roofs", frame.assign(what=peak_names(frame)), columns)


def details(row: Any) -> dict[str, Any]:
    """What opens below a run: its bound, or why it did not run, then headings with names and texts."""
    origin = [("Version", f"{row['version']}, revision {row['revision']}"),
              ("Compiler", f"{row['compiler']} {row['flags']}".strip()),
              ("Machine", f"{row['host']}: {row['cpu']}, {whole(row['cores'])} cores"), ("System", row["system"]),
              ("State", ", ".join(f"{name} {value}" for name, value in row["environment"].items())),
              ("Started", row["date"]),
              ("Command", row["command"])] if row["command"] else [("Record", "none: the run left no record")]
    checked = "right" if row["passed"] else "not right" if row["check"] else ""
    run = [("Problem", f"{row['case']}, {grouped(row['elements'])} elements"), ("Device", row["device"]),
           ("Options", " ".join(row["options"])),
           ("Tuned", row["tuned"]), ("Settings", ", ".join(f"{k}: {v}" for k, v in row["settings"].items())),
           ("Seconds of all repeats", ", ".join(significant(s) for s in row["seconds"])),
           ("Check", f"{checked} by {'the reference' if row['check'] == 'reference' or 'oracle' in row['check'] else row['check']}" * bool(checked)),
           ("Elements checked", row["checked"]),
           ("Worst deviation", row["deviation_at"]), ("Remarks", row["remarks"])]
    line = []
    if row["gflop_per_s"] == row["gflop_per_s"]:
        each = row["update"] or "update"
        line = [("Moved and computed", f"{plain(row['bytes_per_update'])} bytes and {plain(row['flops_per_update'])} "
                                       f"FLOPs per {each}"),
                ("Counted", f"{significant(row['flop_per_byte'], 3)} FLOP/byte, {significant(row['gflop_per_s'])} "
                            "GFLOP/s"),
                ("Limits, of the time", ", ".join(f"{name} {percent(share)}" for name, share in row["limits"].items())),
                ("By hardware counters", ", ".join(f"{plain(row[f'measured_{what}_per_update'])} {what}" for what in (
                    "bytes", "flops") if row[f"measured_{what}_per_update"] > 0) or row["why_not_measured"]),
                (f"By convention ({plain(row['conventional_flops_per_update'])} FLOPs)",
                 f"{significant(row['conventional_flop_per_byte'], 3)} FLOP/byte, "
                 f"{significant(row['conventional_gflop_per_s'])} GFLOP/s")]
        line += [(f"Of {name}", f"{percent(row[share])} of {significant(row[peak])} {unit}") for share, peak, unit,
                 name in (("share_of_stream_triad", "stream_triad_gb_per_s", "GB/s", "STREAM triad"),
                          ("share_of_peak", "peak_gflop_per_s", "GFLOP/s", "peak arithmetic")) if row[share] == row[share]]
        line += [(f"Through {row['level']}", f"{plain(row['level_bytes_per_update'])} bytes per {each}, "
                  f"{significant(row['level_gb_per_s'])} of {significant(row['roof_gb_per_s'])} GB/s")] * bool(row["level"])
        line += [("Ridge point", f"{significant(row['ridge_flop_per_byte'], 3)} "
                                 "FLOP/byte")] if row["ridge_flop_per_byte"] == row["ridge_flop_per_byte"] else []
    why = row["verdict"] if row["status"] == "ok" else row["reason"] or row["status"]
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
