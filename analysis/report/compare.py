"""Two results side by side: runs, kernels, peaks and provenance, and which differences are more than noise."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pandas
import roofline
from figures import Results, workers_text
from page import Fold, Section, Tabs
from plots import Plot, best_rows, draw_speed_ups
from style import Look
from table import Column, Table
from tables import PEAKS, peak_names
from words import NONE, counted, device_text, file_name, model_text, problem_text, significant, whole

SIGNIFICANCE = 0.05
RULE_OF_RUNS = ("A difference counts when noise would bring it about in less than one of 20 cases: by the Mann-Whitney "
                "U test (two-sided, exact), where there are enough repeats for it (4 and 4, 3 and 5, 2 and 8); else, "
                "with at least 5 in all and 2 a side, when the medians differ by more than the spreads of both sides "
                "together. The noise is that within the repeats: what slows a machine for the whole of one side looks "
                "like a difference.")
RULE_OF_SPREADS = "A difference counts when the medians differ by more than the spreads of both sides together."


def mann_whitney(a: list[float], b: list[float]) -> float:
    """Two-sided p, exact with ties: the share of all ways to divide the values with a rank sum as far from its mean."""
    ranks = pandas.Series([*a, *b]).rank().mul(2).astype(int)     # twice the mid-ranks are whole
    mean, found = len(a) * (len(ranks) + 1), ranks.iloc[:len(a)].sum()
    ways = np.zeros((len(a) + 1, ranks.sum() + 1))
    ways[0, 0] = 1
    for rank in ranks:
        ways[1:, rank:] += ways[:-1, :ways.shape[1] - rank].copy()
    far = np.abs(np.arange(ways.shape[1]) - mean) >= abs(found - mean) - 0.5
    return float(ways[-1][far].sum() / ways[-1].sum())


def smallest_p(a: int, b: int) -> float:
    return 2.0 / float(np.prod([(a + i) / i for i in range(1, b + 1)]))


def by_spreads(a: tuple[float, float, float], b: tuple[float, float, float]) -> bool:
    """Whether median, smallest and largest of two sides differ."""
    return abs(a[0] - b[0]) > (a[2] - a[1]) + (b[2] - b[1])


def decide(a: list[float], b: list[float]) -> tuple[bool | None, float | None]:
    """Whether two lists of repeats differ, None where that cannot be told, and p where the test was made."""
    if min(len(a), len(b)) < 2:
        return None, None
    if smallest_p(len(a), len(b)) < SIGNIFICANCE:
        p = mann_whitney(a, b)
        return p < SIGNIFICANCE, p
    if len(a) + len(b) < 5:
        return None, None
    return by_spreads(*((float(np.median(side)), min(side), max(side)) for side in (a, b))), None


def verdict(differs: bool | None, b_more: bool, more: str) -> str:
    return "cannot tell" if differs is None else f"{'B' if b_more else 'A'} {more}" if differs else "within noise"


def pairs(a: pandas.DataFrame, b: pandas.DataFrame, keys: list[list[str]], last: int = 1) -> Iterator[tuple[Any, Any]]:
    """Rows that are alike in the first keys, then in the next ... ; by the last only where there is no choice."""
    left_a, left_b = a, b
    found: dict[Any, Any] = {}
    for i, columns in enumerate(keys):
        groups_b = dict(list(left_b.groupby(columns, dropna=False)))
        for key, rows in left_a.groupby(columns, dropna=False):
            others = groups_b.get(key, left_b.iloc[:0])
            if len(others) and (i < len(keys) - last or len(rows) == len(others) == 1):
                found.update(zip(rows.index, others.index))
        left_a, left_b = left_a.drop(list(found), errors="ignore"), left_b.drop(list(found.values()), errors="ignore")
    for index, row in a.iterrows():
        yield row, b.loc[found[index]] if index in found else None
    for _, row in left_b.iterrows():
        yield None, row


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


def obstacle(a: Any, b: Any) -> str:
    if a is None or b is None:
        return "only in B" if a is None else "only in A"
    bad = [f"{side} {row['status']}" for side, row in (("A", a), ("B", b)) if row["status"] != "ok"]
    return a["status"] if len(bad) == 2 and a["status"] == b["status"] else ", ".join(bad)


OTHER_CASE = "The two sides solved different problems under one name, which are not compared"
WORK = ["workload", "case", "steps", "precision", "model", "variant", "setting", "part"]


def runs(a: Results, b: Results) -> Table:
    """Where only the numbers of steps differ rates are compared, and the seconds of a step."""
    rows, notes = [], [RULE_OF_RUNS]
    whole_a, whole_b = (side.runs[side.runs["part"] == ""] for side in (a, b))
    alone = [key for key in WORK if key != "steps"]
    keys = [[*WORK, "device_type", "threads", "ranks", "device"], [*WORK, "device_type", "threads", "ranks"],
            [*WORK, "device_type"], WORK, alone]
    for x, y in pairs(whole_a, whole_b, keys, 2):
        any_side = y if x is None else x
        steps = dict.fromkeys(whole(side["steps"]) for side in (x, y) if side is not None)
        row = {**any_side[[*WORK, "who"]], "difference": obstacle(x, y), "ratio": None, "p": None,
               "steps": " and ".join(steps)}
        for side, run in (("a", x), ("b", y)):
            right = run is not None and run["status"] == "ok"
            row |= {f"s_{side}": run["seconds_median"] if right else None, f"rate_{side}": run["rate"] if right
                    else None,
                    f"workers_{side}": workers_text(run) if run is not None else "",
                    f"n_{side}": whole(run["repeats"]) if run is not None else "0"}
            if run is not None and not right:
                notes.append((f"{side.upper()}: {run['status']}: {run['reason']}", f"{run['who']}, {run['case']}"))
        if not row["difference"]:
            of_a, of_b = (side["steps"] if side["steps"] > 0 else 1 for side in (x, y))
            differs, row["p"] = decide([s / of_a for s in x["seconds"]], [s / of_b for s in y["seconds"]])
            row |= {end: x[f"seconds_{of}"] / y[f"seconds_{against}"] * of_b / of_a for end, of, against in (
                ("ratio", "median", "median"), ("ratio_min", "low", "high"), ("ratio_max", "high", "low"))}
            row["difference"] = verdict(differs, row["ratio"] > 1, "faster")
            if x["case_digest"] and y["case_digest"] and x["case_digest"] != y["case_digest"]:
                row |= {"ratio": None, "p": None, "difference": "other case"}
                notes.append((OTHER_CASE, x["case"]))
        rows.append({**row, "repeats": f"{row['n_a']}, {row['n_b']}"})
    columns = [Column("workload", "workload", model_text), Column("problem", "case", problem_text),
               Column("precision", "precision", under="case"), Column("steps", "steps", str, under="case"),
               Column("model", "model", model_text), Column("variant", "variant", note="setting"),
               Column("A\ns", "s_a", 4), Column("B\ns", "s_b", 4), Column("A\nrate", "rate_a", 4),
               Column("B\nrate", "rate_b", 4), Column("A\nranks \u00d7\nthreads", "workers_a", under="rate_a"),
               Column("B\nranks \u00d7\nthreads", "workers_b", under="rate_b"),
               Column("speed-up\nB over A", "ratio", 3), Column("repeats\nA, B", "repeats"), Column("p", "p", 2),
               Column("difference", "difference")]
    frame = pandas.DataFrame(rows, columns=list(dict.fromkeys(c.key for c in columns)) + [
        "setting", "who", "ratio_min", "ratio_max"]).sort_values("ratio", key=pandas.isna, kind="stable")
    return Table("compare-runs", "Runs", frame, columns, "Median compute seconds; speed-up: A's seconds over B's, of a "
                 "step where only the steps differ; above 1 B is faster.", notes, unit="run",
                 filters=[("Difference", "difference"), ("Workload", "workload"), ("Model", "model")])


def lines(of: pandas.DataFrame) -> list[str]:
    """The answer in a few sentences."""
    both = of[of["ratio"].notna()]
    alone = of["difference"].value_counts().reindex(["only in A", "only in B"], fill_value=0)
    text = f"{len(both)} of {counted(len(of), 'run')} have a counterpart that is right"
    if both.empty:
        return [f"{text}: A and B have no work in common."]
    def mean(rows: pandas.DataFrame) -> float:
        return float(np.exp(np.log(rows["ratio"].astype(float)).mean()))
    order = ("B faster", "A faster", "within noise", "cannot tell")
    said = [(words, both[both["difference"] == words]) for words in order]
    texts = [f"{words} in {len(rows)}" + f" ({significant(mean(rows) ** (1 if words[0] == 'B' else -1), 3)} times)" * (
        "faster" in words) for words, rows in said if len(rows)]
    texts = [text.replace("cannot tell in", "too few repeats to tell in") for text in texts]
    noted = both["steps"].str.contains("and").sum()
    return [f"{text}: {', '.join(texts)}. Over all B is {significant(mean(both), 3)} times as fast as A "
            "(geometric mean)."
            + f" Of {noted} the numbers of steps differ: rates are compared." * bool(noted),
            *([f"{alone['only in A']} only in A, {alone['only in B']} only in B."] if alone.sum() else [])]


def sections(a: Results, b: Results) -> list[Section]:
    of = runs(a, b)
    look = Look(pandas.concat([a.runs, b.runs]))
    both = of.frame[of.frame["ratio"].notna()]
    both = both.assign(repeats=2, label=[", ".join(filter(None, (
        run["who"], problem_text(run["case"]), run["precision"] * (run["precision"] != "f32"),
        "?" * ("faster" not in run["difference"])))) for _, run in both.iterrows()])
    ratios = [Plot(file_name(f"ratios-{workload}"), f"B over A, {model_text(workload)}", "Whiskers: both medians at "
                   "the ends of their intervals. ?: within noise, or too few repeats to tell.", "",
                   lambda rows=rows: draw_speed_ups(rows, "ratio", "times as fast in B as in A", look))
              for workload, rows in both.groupby("workload", sort=False)]
    roofs = list(rooflines(a, b, look))
    return [Section("ratios", "B over A", [Tabs("Workload", [(plot.title[10:], [plot]) for plot in ratios])],
                    "Nothing that both have."),
            Section("roofline", "Rooflines of both", [Tabs("Problem", [(plot.title[10:], [plot]) for plot in roofs])]),
            Section("runs", "All runs", [of]),
            Section("kernels", "Kernels and peaks", [Fold("STREAM, kernel by kernel", [kernels(a, b)]),
                                                     Fold("Peaks", [peaks(a, b)])]),
            Section("machine", "Machines and builds", [Fold("What differs", [provenance(a, b)])])]


def rooflines(a: Results, b: Results, look: Look) -> Iterator[Plot]:
    """Of each problem that both solved the best run of each model, under the roofs that the two fastest have."""
    best = []
    for letter, runs_of in (("A", a.right()), ("B", b.right())):
        points = runs_of[runs_of[["gflop_per_s", "flop_per_byte"]].notna().all(axis=1) & (runs_of["part"] == "")]
        best.append(best_rows(points, ["workload", "case", "precision", "model"]).assign(side=letter, is_best=True))
    both = pandas.concat(best).sort_values("gflop_per_s", ascending=False)
    for (workload, case, precision), rows in both.assign(label=both["side"] + " " + both["who"]).groupby(
            ["workload", "case", "precision"], sort=False):
        fastest = rows.drop_duplicates("side")
        lines, tops = (sorted(((f"{run['side']} {run['roof'] if key[0] == 'r' else 'arithmetic'}", run[key])
                               for _, run in fastest.iterrows() if run[key] > 0), key=lambda roof: -roof[1])
                       for key in ("roof_gb_per_s", "peak_gflop_per_s"))
        name = f"{model_text(workload)} {problem_text(case)}{f' {precision}' * (precision != 'f32')}"
        if len(fastest) > 1:
            yield Plot(file_name(f"roofline-both-{name}"), f"Roofline, {name}", "The best run of each model, and the "
                       "roofs of the fastest.", "", lambda m=lines, t=tops, r=rows: roofline.draw(m, t, r, look))


def spreads(name: str, title: str, unit: Callable[[Any], str], a: pandas.DataFrame, b: pandas.DataFrame,
            keys: list[list[str]], notes: list[str]) -> Table:
    """Figures with median, smallest and largest, higher being better."""
    rows = []
    for x, y in pairs(a, b, keys):
        any_side = y if x is None else x
        row = {"of": any_side["of"], "figure": any_side["figure"], "unit": unit(any_side), "a": None if x is None
               else x["median"],
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


def kernels(a: Results, b: Results) -> Table:
    sides, notes = [], []
    for letter, results in (("A", a), ("B", b)):
        frame = results.right()
        frame = frame[frame["part"] != ""]
        frame = frame.assign(median=frame["gb_per_s"], min=frame["gb_per_s_min"], max=frame["gb_per_s_max"],
                             figure=frame["part"],
                             of=[" ".join(f"{r['workload']} {r['who']} {r['precision']} {r['device_type'].upper()} "
                                          f"{workers_text(r)}".split()) for _, r in frame.iterrows()])
        sides.append(frame)
        notes += [f"{letter}: {r['of']} on {device_text(r['device'])}, {r['case']}" for _,
                  r in frame.drop_duplicates(["of", "device", "case"]).iterrows()]
    work = ["workload", "who", "precision", "device_type", "part"]
    workers = ["threads", "ranks"]
    return spreads("compare-parts", "Kernels that are timed by themselves (STREAM)", lambda row: "GB/s", *sides,
                   [[*work, *workers, "elements", "device"], [*work, *workers, "elements"], [*work, *workers], work],
                   notes)


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
        frame = frame[frame["kind"].isin(PEAKS)]
        sides.append(frame.assign(of=frame["of"].map(numbers), figure=peak_names(frame)))
    return spreads("compare-peaks", "Peaks", lambda row: row["unit"], *sides, [["of", "figure", "cores"]], notes)
