"""Published figures of others (published.json), and the measured figures to compare with them."""

import json
import re
from pathlib import Path
from typing import Any

import pandas
from figures import Results
from table import Column, Table
from words import NONE, absent, as_published, counted, device_text, file_name, significant, span

INTERVALS = "Measured figures of several rounds have the interval of their median."
RATIOS = (f"{INTERVALS} Ratio: published over measured seconds; above 1 the measured run is faster. At equal "
          "bandwidth: (published seconds x published STREAM bandwidth) / (measured seconds x measured STREAM triad); "
          "of little meaning for a grid that fits in cache.")
SCALED = '"N of M" steps: seconds of a run of N steps, scaled to the M published ones.'


class Published:
    def __init__(self, file: Path):
        self.data = json.loads(file.read_text(encoding="utf-8"))
        self.hardware = {h["id"]: h for h in self.data["hardware"]}
        self.sources = {s["id"]: s for s in self.data["sources"]}
        self.problems = {p["name"]: p for p in self.data["problems"]}

    def citation(self, source: str, part: str = "") -> str:
        s = self.sources[source]
        by = "" if s["author"] == s["title"] else s["author"] + ", "
        return (f"{part} of "
                if part else "") + f"{by}{s['title']} ({', '.join([s['kind'], *([str(s['year'])] if 'year' in s else [])])})"

    def on(self, identity: str | None) -> str:
        """The hardware, with its known properties."""
        if not identity:
            return "not named"
        h = self.hardware[identity]
        facts = [h.get("details", ""), f"STREAM {h['stream_gb_per_s']} GB/s" if "stream_gb_per_s" in h else ""]
        return h["name"] + (f" ({'; '.join(f for f in facts if f)})" if any(facts) else "")

    def labels_on(self, rows: list[dict[str, Any]]) -> str:
        """"serial, MPI on 2 x Xeon E5-2670 (...); OpenCL GPU on NVIDIA K20m (...)"."""
        groups: dict[str, list[str]] = {}
        for row in rows:
            groups.setdefault(row["hardware"], []).append(row["label"]
                                                          + (f" ({row['remark']})" if "remark" in row else ""))
        return "; ".join(f"{', '.join(labels)} on {self.on(h)}" for h, labels in groups.items())


def measured(results: Results, problem: dict[str, Any]) -> pandas.DataFrame:
    """Right runs of a standard problem in single precision, with the seconds of the published number of steps."""
    runs = results.right()
    named = (runs["case_digest"] == "") & (runs["case"] == problem["name"]) & (runs["workload"] == "lbm")
    runs = runs[((runs["case_digest"] == problem["digest"]) | named) & (runs["precision"] == "f32")
                & (runs["steps"] > 0)]
    runs = runs.assign(seconds_full=runs["seconds_median"] * problem["iterations"] / runs["steps"],
                       iterations=problem["iterations"], is_scaled=runs["steps"] != problem["iterations"])
    # A full run of a variant takes precedence over shortened ones.
    return runs.sort_values(["is_scaled", "seconds_full"], kind="stable")


def best_variant(runs: pandas.DataFrame) -> pandas.Series | None:
    each = runs.drop_duplicates("variant")
    return each.loc[each["seconds_full"].idxmin()] if len(each) else None


def device_bandwidth(results: Results, run: pandas.Series) -> tuple[float, str] | None:
    """The STREAM triad of a run's device: from any model, single precision first; else from `boltzmark peaks`."""
    right = results.right()
    same = (right["part"] == "triad") & (right["device_type"] == run["device_type"]) & right["gb_per_s"].notna()
    triads = right[same & right["host"].isin([run["host"], ""])]
    if run["device_type"] != "cpu" and ((triads["device"] == run["device"]).any() or triads["device"].nunique() > 1):
        triads = triads[triads["device"] == run["device"]]
    if len(triads):
        best = triads.loc[triads.assign(f32=triads["precision"] == "f32").sort_values(["f32", "gb_per_s"]).index[-1]]
        workers = [counted(int(best[k]), k[:-1]) for k, least in (("ranks", 1), ("threads", 0)) if best[k] > least]
        return best["gb_per_s"], ", ".join([f"median of STREAM triad of {best['model']}", best["precision"], *workers])
    peaks = results.peaks[(results.peaks["kind"] == "bandwidth") & (results.peaks["pattern"] == "triad")
                          & results.peaks["level"].isin(["DRAM", "memory"])
                          & (results.peaks["of"] == (run["peaks_of"] or run["device"]))]
    return (peaks["median"].max(), "triad of boltzmark peaks") if len(peaks) else None


def beside(published_seconds: Any, hardware: dict[str, Any] | None, run: pandas.Series | None, results: Results,
           notes: list[str]) -> dict[str, Any]:
    """The cells of a measured run next to a published figure."""
    row = {"published": published_seconds}
    if run is None:
        return row
    full = run["seconds_full"] / run["seconds_median"]
    row |= {"variant": run["name"], "on": device_text(run["device"]), "seconds": run["seconds_full"],
            "seconds_range": span(run["seconds_low"] * full, run["seconds_high"] * full),
            "steps_run": f"{run['steps']:.0f}" + (f" of {run['iterations']}" if run["is_scaled"] else "")}
    notes += [SCALED] if run["is_scaled"] else []
    said = re.sub(r" \(spread \d+ %\)", "", run["notes"])      # the interval is in the cell
    notes += [(said, f"{run['who']} on {run['case']}")] if said else []
    notes += [(f"tuned, {run['tuned']}", run["who"])] if run["tuned"] else []
    if absent(published_seconds):
        return row
    row["ratio"] = published_seconds / run["seconds_full"]
    bandwidth = device_bandwidth(results, run)
    if bandwidth is None:
        notes.append(("no ratio at equal bandwidth, because neither STREAM nor peaks were measured on it",
                      row["on"]))
    elif hardware and "stream_gb_per_s" in hardware:
        row["equal"] = row["ratio"] * hardware["stream_gb_per_s"] / bandwidth[0]
        notes.append(f"At equal bandwidth: {hardware['stream_gb_per_s']} GB/s of the {hardware['name']} against "
                     f"{significant(bandwidth[0])} GB/s of {row['on']} ({bandwidth[1]}).")
    return row


BESIDE = [Column("our variant", "variant"), Column("measured\non", "on"),
          Column("steps\nrun", "steps_run", lambda text: text or NONE),
          Column("published\ns", "published", as_published), Column("measured\ns", "seconds", 4, "seconds_range"),
          Column("ratio", "ratio", 3), Column("ratio at\nequal\nbandwidth", "equal", 3)]


def best_times(results: Results, published: Published) -> Table:
    """Best published seconds next to our best variant of the same model on that type of device, for the same work."""
    rows, notes, sources = [], [], []
    for group in published.data["best_times"]:
        sources.append(f"{published.citation(group['source'], group['part'])}: {published.labels_on(group['runs'])}")
        for problem in published.problems.values():
            ours = measured(results, problem)
            for run in (run for run in group["runs"] if problem["name"] in run["seconds"]):
                hardware = published.hardware[run["hardware"]]
                best = best_variant(ours[(ours["model"] == run["model"]) & (ours["device_type"] == hardware["type"])])
                rows.append({"grid": problem["name"], "source": published.sources[group["source"]]["author"],
                             "label": run["label"], "hardware": hardware["name"],
                             **beside(run["seconds"][problem["name"]], hardware, best, results, notes)})
    columns = [Column("grid", "grid"), Column("source", "source"), Column("model", "label"),
               Column("published\non", "hardware"), *BESIDE[:-1]]
    return Table("best-times", "Best published times for the same work", rows, columns,
                 "Seconds of all iterations in single precision: published, and of our fastest variant of the same "
                 f"model on the same type of device. {INTERVALS}", notes, "; ".join(sources), needs="seconds")


def figures_of(source: str, results: Results, published: Published) -> Table:
    """Single figures of a source, each with unit and hardware; with the measured figure if it names a run."""
    rows, notes = [], []
    for figure in (f for f in published.data["figures"] if f["source"] == source):
        row = {**figure, "on": published.hardware[figure["hardware"]]["name"] if "hardware" in figure
               else "not named", "measured": None}
        runs = results.right()
        runs = runs[runs["role"] != "peer"]  # a library's variant is not ours
        for column, value in figure.get("measured", {}).items():
            runs = runs[runs[column] == value]
        values = runs[{"s": "seconds_median", "GB/s": "gb_per_s", "GFLOP/s": "gflop_per_s"}.get(figure["unit"],
            "rate")] if len(runs) else runs
        if "measured" in figure and len(values.dropna()):
            best = runs.loc[values.idxmin() if figure["unit"] == "s" else values.idxmax()]
            ours = values[best.name]
            row |= {"measured": ours, "ratio": figure["value"] / ours if figure["unit"] == "s"
                    else ours / figure["value"], "who": f"{best['who']} on {device_text(best['device'])}"}
        if "remark" in figure:
            notes.append((figure["remark"], f"{figure['group']}, {figure['what']}"))
        rows.append(row)
    columns = [Column("group", "group"), Column("what", "what"), Column("published", "value", as_published),
               Column("unit", "unit"), Column("on", "on")]
    if any(row["measured"] is not None for row in rows):
        columns += [Column("measured", "measured", 4), Column("times as\nfast", "ratio", 3), Column("our run", "who")]
    used = {f.get("hardware") for f in published.data["figures"] if f["source"] == source} - {None}
    notes += [f"{published.on(h)}." for h in sorted(used) if "details" in published.hardware[h]]
    author = published.sources[source]["author"]
    return Table(f"{file_name(author.replace(' and', '')).lower()}-figures", f"{author}: single figures", rows, columns,
                 published.sources[source].get("note", ""), notes,
                 published.citation(source), needs="measured")
