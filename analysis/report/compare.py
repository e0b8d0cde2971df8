"""Two results side by side: runs, kernels, peaks and provenance, and which differences are more than noise."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas
import roofline
from figures import Results, read_table, workers_text
from page import Fold, Section, Tabs
from plots import Plot, best_rows, draw_speed_ups
from style import Look
from table import Column, Table
from tables import PEAKS, peak_names
from words import NONE, counted, device_text, file_name, model_text, problem_text, significant, whole

RULE_OF_RUNS = ("The unit is the round. A difference counts when noise would bring it about in less than one of 20 cases, "
                "corrected for all rows (Benjamini and Hochberg): by the Mann-Whitney U test, or where rounds are too few "
                "for a small p by how far their medians are apart. What slows a machine for the whole of one side looks like "
                "a difference.")
RULE_OF_SPREADS = "A difference counts when the medians differ by more than the spreads of both sides together."
OTHER_CASE = "The two sides solved different problems under one name, which are not compared"
VERDICT = [Column("speed-up\nB over A", "speed_up", 3), Column("rounds\nA, B", "rounds"), Column("p", "p_adjusted", 2),
           Column("difference", "difference")]
SIDES = (("a", "reference"), ("b", "new"))
VERDICTS = {"slower": "A faster", "faster": "B faster", "too few rounds": "cannot tell"}


def read_rows(file: Path, complaints: list[str]) -> pandas.DataFrame:
    """comparison.csv, with A and B for its REF and NEW."""
    rows = read_table(file, complaints)
    return rows.assign(
        difference=[VERDICTS.get(text, text.replace("REF", "A").replace("NEW", "B")) for text in rows["verdict"]],
        who=(rows["model"].map(model_text) + " " + rows["variant"] + " " + rows["setting"]).str.split().str.join(" "),
        rounds=[", ".join(whole(row[f"{side}_rounds"]) if row[f"{side}_status"] else "0" for _, side in SIDES)
                for _, row in rows.iterrows()],
        steps=[" and ".join(dict.fromkeys(whole(row[f"{side}_steps"]) for _, side in SIDES if row[f"{side}_status"]))
               for _, row in rows.iterrows()],
        **{f"{side}_workers": [workers_text({"ranks": row[f"{side}_ranks"], "threads": row[f"{side}_threads"]})
                               for _, row in rows.iterrows()] for _, side in SIDES})


def each_side(what: str, key: str, form: Any = None, under: str = "") -> list[Column]:
    return [Column(f"{letter.upper()}\n{what}", f"{side}_{key}", form, under=under and f"{side}_{under}")
            for letter, side in SIDES]


def provenance(a: Results, b: Results) -> Table:
    def each(results: Results, column: str) -> str:
        return "; ".join(str(v) for v in dict.fromkeys(results.runs[column]) if v == v and v != "") or NONE

    def both(what: str, text: Callable[[Results], str]) -> dict[str, str]:
        return {"what": what, "a": text(a), "b": text(b), "differs": "yes" if text(a) != text(b) else "no"}
    rows = [both(name, lambda of, column=column: each(of, column)) for name, column in (
        ("host", "host"), ("processor", "cpu"), ("system", "system"), ("devices", "device"), ("drivers", "driver"),
        ("version", "version"), ("revision", "revision"), ("compiler", "compiler"), ("flags", "flags"))]
    rows += [both("cores", lambda of: whole(of.runs["cores"].max())),
             both("peaks measured", lambda of: "no" if of.peaks.empty else "yes")]
    return Table("compare-provenance", "Provenance", [*rows, *environment(a, b)],
                 [Column("what", "what"), Column("A", "a"), Column("B", "b"), Column("differs", "differs")],
                 f"A: {a.folder}; B: {b.folder}.")


def environment(a: Results, b: Results) -> list[dict[str, str]]:
    """What differs of the machines' states, a row a field: all that runs of either side say of it."""
    found: list[dict[str, dict[str, None]]] = [{}, {}]
    for side, results in zip(found, (a, b)):
        for state in results.runs["environment"]:
            for name, value in state.items():
                side.setdefault(name, {})[str(value)] = None
    texts = [{name: "; ".join(values) for name, values in side.items()} for side in found]
    return [{"what": name.replace("_", " ") if name.islower() else name, "a": texts[0].get(name, NONE),
             "b": texts[1].get(name, NONE), "differs": "yes"}
            for name in dict.fromkeys([*texts[0], *texts[1]]) if texts[0].get(name) != texts[1].get(name)]


def runs(rows: pandas.DataFrame) -> Table:
    """Where only the numbers of steps differ rates are compared, and the seconds of a step."""
    notes = [(f"{letter.upper()}: {row[f'{side}_status']}: {row[f'{side}_reason']}", f"{row['who']}, {row['case']}")
             for letter, side in SIDES for _, row in rows.iterrows() if row[f"{side}_status"] not in ("", "ok")]
    notes += [(OTHER_CASE, case) for case in dict.fromkeys(rows["case"][rows["verdict"] == "other case"])]
    columns = [Column("workload", "workload", model_text), Column("problem", "case", problem_text),
               Column("precision", "precision", under="case"), Column("steps", "steps", str, under="case"),
               Column("model", "model", model_text), Column("variant", "variant", note="setting"),
               *each_side("s", "seconds_median", 4), *each_side("rate", "rate", 4),
               *each_side("ranks \u00d7\nthreads", "workers", under="rate"), *VERDICT]
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
    texts = []
    for words in ("B faster", "A faster", "within noise", "cannot tell"):
        rows = both[both["difference"] == words]
        times = f" ({significant(mean(rows) ** (1 if words[0] == 'B' else -1), 3)} times)" if "faster" in words else ""
        texts += [f"{words.replace('cannot', 'too few rounds to')} in {len(rows)}{times}"] if len(rows) else []
    noted = both["steps"].str.contains("and").sum()
    return [f"{text}: {', '.join(texts)}. Over all B is {significant(mean(both), 3)} times as fast as A (geometric mean)."
            + f" {noted} of them have other steps: their rates are compared." * bool(noted),
            *([f"{alone['only in A']} only in A, {alone['only in B']} only in B."] if alone.sum() else [])]


def sections(a: Results, b: Results, comparison: Path) -> tuple[list[Section], list[str]]:
    """And the answer in a few sentences."""
    rows = read_rows(comparison, a.complaints)
    of = runs(rows[rows["part"] == ""])
    look = Look(pandas.concat([a.runs, b.runs]))
    both = of.frame[of.frame["speed_up"].notna()]
    both = both.assign(label=[
        ", ".join(text for text in (run["who"], problem_text(run["case"]), run["precision"].replace("f32", "")) if text)
        + " ?" * ("faster" not in run["difference"]) for _, run in both.iterrows()])
    ratios = [Plot(file_name(f"ratios-{workload}"), f"B over A, {model_text(workload)}", "Whiskers: the interval over rounds. "
                   "?: within noise, or too few rounds to tell.", "",
                   lambda rows=rows: draw_speed_ups(rows, "speed_up", "speed-up, B over A", look))
              for workload, rows in both.groupby("workload", sort=False)]
    roofs = list(rooflines(a, b, look))
    return [Section("ratios", "B over A", [Tabs("Workload", [(plot.title[10:], [plot]) for plot in ratios])],
                    "Nothing that both have."),
            Section("roofline", "Rooflines of both", [Tabs("Problem", [(plot.title[10:], [plot]) for plot in roofs])]),
            Section("runs", "All runs", [of]),
            Section("kernels", "Kernels and peaks", [Fold("STREAM, kernel by kernel", [kernels(rows[rows["part"] != ""])]),
                                                     Fold("Peaks", [peaks(a, b)])]),
            Section("machine", "Machines and builds", [Fold("What differs", [provenance(a, b)])])], lines(of.frame)


def rooflines(a: Results, b: Results, look: Look) -> Iterator[Plot]:
    """Of each problem that both solved the best run of each model, under the roofs that the two fastest have."""
    best = []
    for letter, runs_of in (("A", a.right()), ("B", b.right())):
        rows = best_rows(roofline.drawn(runs_of), ["workload", "case", "precision", "model"])
        best.append(rows.assign(side=letter, is_best=True, label=f"{letter} " + rows["who"], level=f"{letter} " + rows["level"]))
    both = pandas.concat(best).sort_values("gflop_per_s", ascending=False)
    for (workload, case, precision), rows in both.groupby(["workload", "case", "precision"], sort=False):
        fastest = rows.drop_duplicates("side")
        lines, tops = (sorted(((run["level"] if key[0] == "r" else f"{run['side']} arithmetic", run[key])
                               for _, run in fastest.iterrows() if run[key] > 0), key=lambda roof: -roof[1])
                       for key in ("roof_gb_per_s", "peak_gflop_per_s"))
        name = f"{model_text(workload)} {problem_text(case)}{f' {precision}' * (precision != 'f32')}"
        if len(fastest) > 1:
            yield Plot(file_name(f"roofline-both-{name}"), f"Roofline, {name}", "The best run of each model, and the roofs "
                       "of the fastest.", "", lambda m=lines, t=tops, r=rows: roofline.draw(m, t, r, look))


def kernels(rows: pandas.DataFrame) -> Table:
    columns = [Column("workload", "workload", model_text), Column("run", "who"), Column("precision", "precision"),
               Column("kernel", "part"), *each_side("GB/s", "gb_per_s", 4),
               *each_side("ranks \u00d7\nthreads", "workers", under="gb_per_s"), *VERDICT]
    notes = [f"{letter.upper()}: {who} on {device_text(device)}" for letter, side in SIDES
             for who, device in dict.fromkeys(zip(rows["who"], rows[f"{side}_device"])) if device]
    return Table("compare-parts", "Kernels that are timed by themselves (STREAM)", rows, columns,
                 notes=[*notes, RULE_OF_RUNS])


def peaks(a: Results, b: Results) -> Table:
    """Higher is better. Devices have other names on other machines, so they are known by type and number."""
    sides, notes = [], []
    for letter, results in (("A", a), ("B", b)):
        kinds = results.peaks.drop_duplicates("of").set_index("of")["type"]
        numbers = {of: "processor" if of == "processor" else f"{kinds[of]} {i}"
                   for of, i in (kinds.groupby(kinds).cumcount() + 1).items()}
        notes += [f"{letter}: {number}: {of}" for of, number in numbers.items()] or [
            f"{letter}: no peaks among these results; boltzmark peaks measures them."]
        frame = results.peaks[results.peaks["kind"].isin(PEAKS)]
        sides.append(frame.assign(side=letter, of=frame["of"].map(numbers), figure=peak_names(frame)))
    rows = []
    for (of, figure, _), some in pandas.concat(sides).groupby(["of", "figure", "cores"], sort=False, dropna=False):
        of_each = some.drop_duplicates("side").set_index("side")
        medians = of_each["median"]
        rows.append({"of": of, "figure": figure, "unit": some["unit"].iat[0], **medians,
                     "ratio": medians["B"] / medians["A"] if len(medians) > 1 and medians["A"] > 0 else None,
                     "difference": which_is_higher(of_each) if len(medians) > 1 else f"only in {medians.index[0]}"})
    columns = [Column("of", "of"), Column("figure", "figure"), Column("unit", "unit"), Column("A\nmedian", "A", 4),
               Column("B\nmedian", "B", 4), Column("B over A", "ratio", 3), Column("difference", "difference")]
    return Table("compare-peaks", "Peaks", rows, columns, notes=[*notes, RULE_OF_SPREADS])


def which_is_higher(sides: pandas.DataFrame) -> str:
    """By median, min and max of A and B."""
    apart, spreads = abs(sides["median"]["A"] - sides["median"]["B"]), (sides["max"] - sides["min"])
    if not spreads.any() and apart:
        return "cannot tell"
    return f"{sides['median'].idxmax()} higher" if apart > spreads.sum() else "within noise"
