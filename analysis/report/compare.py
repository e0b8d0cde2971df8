"""Two results side by side: runs, kernels, peaks and provenance, and which differences are more than noise."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas
import roofline
from figures import Results, read_table, workers_text
from matplotlib.figure import Figure
from page import Fold, Section, Tabs
from plots import MOST_BARS, Plot
from style import INK, PAPER, Look, fixed_ticks, log_axis, new_figure
from table import Column, Table
from words import NONE, counted, device_text, file_name, model_text, problem_text, shortened, significant, whole

RULE_OF_RUNS = ("The unit is the round. A difference counts when noise would bring it about in less than one of 20 cases, "
                "corrected for all rows (Benjamini and Hochberg): by the Mann-Whitney U test, or where rounds are too few "
                "for a small p by how far their medians are apart. What slows a machine for the whole of one side looks like "
                "a difference.")
RULE_OF_SPREADS = "A difference counts when the medians differ by more than the spreads of both sides together."
OTHER_CASE = "The two sides solved different problems under one name, which are not compared"
SIDES = (("a", "reference"), ("b", "new"))
TEXTS = ["workload", "model", "variant", "part", "precision", "case", "setting", "device_type", "verdict",
         *(f"{side}_{name}" for _, side in SIDES for name in ("status", "reason", "device"))]
NUMBERS = ["speed_up", "speed_up_low", "speed_up_high", "p_adjusted", *(f"{side}_{name}" for _, side in SIDES for name in (
    "steps", "threads", "ranks", "rounds", "seconds_median", "rate", "gb_per_s"))]
VERDICTS = {"slower": "A faster", "faster": "B faster", "too few rounds": "cannot tell"}


def by_spreads(a: tuple[float, float, float], b: tuple[float, float, float]) -> bool:
    """Whether median, smallest and largest of two sides differ."""
    return abs(a[0] - b[0]) > (a[2] - a[1]) + (b[2] - b[1])


def verdict(differs: bool | None, b_more: bool, more: str) -> str:
    return "cannot tell" if differs is None else f"{'B' if b_more else 'A'} {more}" if differs else "within noise"


def read_rows(file: Path, complaints: list[str]) -> pandas.DataFrame:
    """comparison.csv, with A and B for its REF and NEW."""
    rows = read_table(file, TEXTS, NUMBERS, [], complaints)
    return rows.assign(
        difference=[VERDICTS.get(text, text.replace("REF", "A").replace("NEW", "B")) for text in rows["verdict"]],
        who=(rows["model"].map(model_text) + " " + rows["variant"] + " " + rows["setting"]).str.split().str.join(" "),
        rounds=[", ".join(whole(row[f"{side}_rounds"]) if row[f"{side}_status"] else "0" for _, side in SIDES)
                for _, row in rows.iterrows()],
        steps=[" and ".join(dict.fromkeys(whole(row[f"{side}_steps"]) for _, side in SIDES if row[f"{side}_status"]))
               for _, row in rows.iterrows()],
        **{f"workers_{letter}": [workers_text({"ranks": row[f"{side}_ranks"], "threads": row[f"{side}_threads"]})
                                 for _, row in rows.iterrows()] for letter, side in SIDES})


def provenance(a: Results, b: Results) -> Table:
    def each(results: Results, column: str) -> str:
        return "; ".join(str(v) for v in dict.fromkeys(results.runs[column]) if v == v and v != "") or NONE
    rows = [{"what": name, "a": each(a, column), "b": each(b, column)} for name, column in (
        ("host", "host"), ("processor", "cpu"), ("system", "system"), ("devices", "device"), ("drivers", "driver"),
        ("version", "version"), ("revision", "revision"), ("compiler", "compiler"), ("flags", "flags"))]
    rows += [{"what": "cores", **{side: whole(r.runs["cores"].max()) for side, r in (("a", a), ("b", b))}},
             {"what": "peaks measured", **{side: "no" if r.peaks.empty else "yes" for side,
                                           r in (("a", a), ("b", b))}}]
    frame = pandas.DataFrame(rows)
    frame["differs"] = ["yes" if x != y else "no" for x, y in zip(frame["a"], frame["b"])]
    return Table("compare-provenance", "Provenance", frame,
                 [Column("what", "what"), Column("A", "a"), Column("B", "b"), Column("differs", "differs")],
                 f"A: {a.folder}; B: {b.folder}.")


def runs(rows: pandas.DataFrame) -> Table:
    """Where only the numbers of steps differ rates are compared, and the seconds of a step."""
    notes = [(f"{letter.upper()}: {row[f'{side}_status']}: {row[f'{side}_reason']}", f"{row['who']}, {row['case']}")
             for letter, side in SIDES for _, row in rows.iterrows() if row[f"{side}_status"] not in ("", "ok")]
    notes += [(OTHER_CASE, case) for case in dict.fromkeys(rows["case"][rows["verdict"] == "other case"])]
    columns = [Column("workload", "workload", model_text), Column("problem", "case", problem_text),
               Column("precision", "precision", under="case"), Column("steps", "steps", str, under="case"),
               Column("model", "model", model_text), Column("variant", "variant", note="setting"),
               Column("A\ns", "reference_seconds_median", 4), Column("B\ns", "new_seconds_median", 4),
               Column("A\nrate", "reference_rate", 4), Column("B\nrate", "new_rate", 4),
               Column("A\nranks \u00d7\nthreads", "workers_a", under="reference_rate"),
               Column("B\nranks \u00d7\nthreads", "workers_b", under="new_rate"),
               Column("speed-up\nB over A", "speed_up", 3), Column("rounds\nA, B", "rounds"),
               Column("p", "p_adjusted", 2), Column("difference", "difference")]
    frame = rows.sort_values("speed_up", key=pandas.isna, kind="stable")
    return Table("compare-runs", "Runs", frame, columns, "Median compute seconds; speed-up: A's seconds over B's, of a "
                 "step where only the steps differ; above 1 B is faster.", [RULE_OF_RUNS, *notes], unit="run",
                 filters=[("Difference", "difference"), ("Workload", "workload"), ("Model", "model")])


def lines(of: pandas.DataFrame) -> list[str]:
    """The answer in a few sentences."""
    both = of[of["speed_up"].notna()]
    alone = of["difference"].value_counts().reindex(["only in A", "only in B"], fill_value=0)
    text = f"{len(both)} of {counted(len(of), 'run')} have a counterpart that is right"
    if both.empty:
        return [f"{text}: A and B have no work in common."]
    def mean(rows: pandas.DataFrame) -> float:
        return float(np.exp(np.log(rows["speed_up"]).mean()))
    said = [(words, both[both["difference"] == words]) for words in ("B faster", "A faster", "within noise", "cannot tell")]
    texts = [f"{words} in {len(rows)}" + f" ({significant(mean(rows) ** (1 if words[0] == 'B' else -1), 3)} times)" * (
        "faster" in words) for words, rows in said if len(rows)]
    texts = [text.replace("cannot tell in", "too few rounds to tell in") for text in texts]
    noted = both["steps"].str.contains("and").sum()
    return [f"{text}: {', '.join(texts)}. Over all B is {significant(mean(both), 3)} times as fast as A (geometric mean)."
            + f" {noted} of them have other steps: their rates are compared." * bool(noted),
            *([f"{alone['only in A']} only in A, {alone['only in B']} only in B."] if alone.sum() else [])]


def sections(a: Results, b: Results, comparison: Path) -> list[Section]:
    rows = read_rows(comparison, a.complaints)
    of = runs(rows[rows["part"] == ""])
    look = Look(pandas.concat([a.runs, b.runs]))
    both = of.frame[of.frame["speed_up"].notna()]
    ratios = [Plot(file_name(f"ratios-{workload}"), f"B over A, {model_text(workload)}", "Times as fast, with its interval; "
                   "hollow: within noise, or it cannot be told.", "",
                   lambda rows=rows: draw_ratios(rows, look)) for workload, rows in both.groupby("workload", sort=False)]
    roofs = list(rooflines(a, b, look))
    return [Section("ratios", "B over A", [Tabs("Workload", [(plot.title[10:], [plot]) for plot in ratios])],
                    "Nothing that both have."),
            Section("roofline", "Rooflines of both", [Tabs("Problem", [(plot.title[10:], [plot]) for plot in roofs])]),
            Section("runs", "All runs", [of]),
            Section("kernels", "Kernels and peaks", [Fold("STREAM, kernel by kernel", [kernels(rows[rows["part"] != ""])]),
                                                     Fold("Peaks", [peaks(a, b)])]),
            Section("machine", "Machines and builds", [Fold("What differs", [provenance(a, b)])])]


def draw_ratios(rows: pandas.DataFrame, look: Look) -> Figure:
    """A line a run, problem by problem; of many those that differ most."""
    far = np.log(rows["speed_up"]).abs().nlargest(MOST_BARS).index
    rows = rows[rows.index.isin(far)].reset_index(drop=True)
    figure = new_figure(0.5 + 0.155 * len(rows))
    axes = figure.add_subplot(xlabel="rate of B over that of A (log scale)")
    labels = [f"{run['who']}, {problem_text(run['case'])}{'' if run['precision'] == 'f32' else ' f64'}"
              for _, run in rows.iterrows()]
    axes.set_yticks(range(len(rows)), [shortened(label, 36) for label in labels])
    axes.tick_params(axis="y", length=0)
    axes.set_ylim(len(rows) - 0.4, -0.6)
    ends = rows[["speed_up", "speed_up_low", "speed_up_high"]]
    log_axis(axes.xaxis, min(0.8, ends.min().min() / 1.1), max(1.25, ends.max().max() * 1.1))
    low, high = axes.get_xlim()
    ticks = [[tick for tick in some if low <= tick <= high] for some in ((0.01, 0.1, 1, 10, 100), (
        0.1, 0.2, 0.5, 1, 2, 5, 10), (0.3, 0.5, 0.7, 1, 1.4, 2, 3))]
    fixed_ticks(axes.xaxis, next((some for some in ticks if len(some) > 2), ticks[-1]))
    axes.grid(True, axis="x")
    for i, run in rows.iterrows():
        colour, is_sure = look.colour(run["model"]), "faster" in run["difference"]
        axes.plot([run["speed_up_low"], run["speed_up_high"]], [i, i], color=colour, linewidth=1.0)
        axes.plot(run["speed_up"], i, "o", color=colour, markersize=4, markerfacecolor=colour if is_sure else PAPER)
    axes.axvline(1.0, color=INK, linewidth=0.8, zorder=1)
    return figure


def rooflines(a: Results, b: Results, look: Look) -> Iterator[Plot]:
    """Of each problem that both solved the best run of each model, under the memory's and the arithmetic's roofs."""
    best, roofs = [], []
    for letter, side in (("A", a), ("B", b)):
        right = side.right()
        right = right[right["gflop_per_s"].notna() & right["flop_per_byte"].notna() & (right["part"] == "")]
        right = right.loc[right.groupby(["workload", "case", "precision", "model"])["gflop_per_s"].idxmax()]
        best.append(right.assign(label=letter + " " + right["who"], is_best=True, side=letter))
        roofs.append(side.peaks[side.peaks["is_roof"] & side.peaks["median"].notna()].assign(side=letter))
    for (workload, case, precision), rows in pandas.concat(best).groupby(["workload", "case", "precision"], sort=False):
        if rows["side"].nunique() < 2:
            continue
        used = set(zip(rows["side"], rows["peaks_of"]))
        under = pandas.concat([side[[key in used for key in zip(side["side"], side["of"])]] for side in roofs])
        kinds = {"bandwidth": under["level"].isin(["DRAM", "memory"]), "compute": under["precision"] == precision}
        memory, arithmetic = ([(f"{one['side']} {one['level'] or 'arithmetic'}", one["median"]) for _, one in under[
            (under["kind"] == kind) & fits].sort_values("median").drop_duplicates(["side", "of"], keep="last").iloc[
            ::-1].iterrows()] for kind, fits in kinds.items())
        name = f"{model_text(workload)} {problem_text(case)}{'' if precision == 'f32' else ' ' + precision}"
        yield Plot(file_name(f"roofline-both-{name}"), f"Roofline, {name}", "The best run of each model, and the roofs "
                   "of memory and arithmetic.", "", lambda m=memory, t=arithmetic, r=rows: roofline.draw(m, t, r, look))


def kernels(rows: pandas.DataFrame) -> Table:
    columns = [Column("workload", "workload", model_text), Column("run", "who"), Column("precision", "precision"),
               Column("kernel", "part"), Column("A\nGB/s", "reference_gb_per_s", 4), Column("B\nGB/s", "new_gb_per_s", 4),
               Column("A\nranks \u00d7\nthreads", "workers_a", under="reference_gb_per_s"),
               Column("B\nranks \u00d7\nthreads", "workers_b", under="new_gb_per_s"),
               Column("speed-up\nB over A", "speed_up", 3), Column("rounds\nA, B", "rounds"),
               Column("p", "p_adjusted", 2), Column("difference", "difference")]
    notes = [f"{letter.upper()}: {who} on {device_text(device)}" for letter, side in SIDES
             for who, device in dict.fromkeys(zip(rows["who"], rows[f"{side}_device"])) if device]
    return Table("compare-parts", "Kernels that are timed by themselves (STREAM)", rows, columns,
                 notes=[*notes, RULE_OF_RUNS])


def spreads(name: str, title: str, a: pandas.DataFrame, b: pandas.DataFrame, notes: list[str]) -> Table:
    """Figures with median, smallest and largest, higher being better."""
    rows = []
    for (of, figure), some in pandas.concat([a.assign(side="a"), b.assign(side="b")]).groupby(["of", "figure"], sort=False):
        x, y = (next((row for _, row in some[some["side"] == side].iterrows()), None) for side in ("a", "b"))
        row = {"of": of, "figure": figure, "unit": some["unit"].iat[0], "a": None if x is None else x["median"],
               "b": None if y is None else y["median"], "ratio": None, "difference": "only in B" if x is None
               else "only in A"}
        if x is not None and y is not None:
            row["ratio"] = y["median"] / x["median"] if x["median"] > 0 else None
            sides = [(side["median"], side["min"], side["max"]) for side in (x, y)]
            one_value = all(low == high for _, low, high in sides) and x["median"] != y["median"]
            row["difference"] = verdict(None if one_value else by_spreads(*sides), y["median"] > x["median"], "higher")
        rows.append(row)
    columns = [Column("of", "of"), Column("figure", "figure"), Column("unit", "unit"), Column("A\nmedian", "a", 4),
               Column("B\nmedian", "b", 4),
               Column("B over A", "ratio", 3), Column("difference", "difference")]
    return Table(name, title, pandas.DataFrame(rows, columns=[c.key for c in columns]), columns,
                 notes=[*notes, RULE_OF_SPREADS])


def peaks(a: Results, b: Results) -> Table:
    sides, notes = [], []
    for letter, results in (("A", a), ("B", b)):
        frame = results.peaks
        names = frame["of"].drop_duplicates()
        # Devices have other names on other machines, so they are known by type and number.
        kinds = frame.drop_duplicates("of")["type"]
        numbers = {of: "processor" if of == "processor" else f"{kind} {i}" for of, kind,
                   i in zip(names, kinds, kinds.groupby(kinds).cumcount() + 1)}
        notes += [f"{letter}: {numbers[of]}: {of}"
                  for of in names] or [f"{letter}: no peaks among these results; boltzmark peaks measures them."]
        frame = frame[frame["kind"].isin(["bandwidth", "compute", "launch", "to_device", "from_device"])]
        figure = [" ".join(str(part) for part in (row["kind"].replace("_", " "), row["level"], row["pattern"],
                                                  row["precision"],
                  {"true": "FMA", "false": "without FMA"}.get(row["fma"], ""), f"{row['vector_bits']:.0f} bits"
                                                  if row["vector_bits"] > 0 else "",
                  f"{row['cores']:.0f} cores" if row["cores"] > 0 else "") if part) for _, row in frame.iterrows()]
        sides.append(frame.assign(of=frame["of"].map(numbers), figure=figure))
    return spreads("compare-peaks", "Peaks", *sides, notes)
