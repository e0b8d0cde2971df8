"""Two results side by side: provenance, runs, kernels and peaks, and which differences are more than noise."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pandas
from figures import Results, workers_text
from table import Column, Table
from words import NONE, device_text, whole

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


def pairs(a: pandas.DataFrame, b: pandas.DataFrame, keys: list[list[str]]) -> Iterator[tuple[Any, Any]]:
    """Rows that are alike in the first keys, then in the next ... ; by the last ones only where there is no choice."""
    left_a, left_b = a, b
    found: dict[Any, Any] = {}
    for i, columns in enumerate(keys):
        groups_b = dict(list(left_b.groupby(columns, dropna=False)))
        for key, rows in left_a.groupby(columns, dropna=False):
            others = groups_b.get(key, left_b.iloc[:0])
            if len(others) and (i < len(keys) - 1 or len(rows) == len(others) == 1):
                found.update(zip(rows.index, others.index))
        left_a, left_b = left_a.drop(list(found), errors="ignore"), left_b.drop(list(found.values()), errors="ignore")
    for index, row in a.iterrows():
        yield row, b.loc[found[index]] if index in found else None
    for _, row in left_b.iterrows():
        yield None, row


def tables(a: Results, b: Results) -> list[Table]:
    return [provenance(a, b), runs(a, b), kernels(a, b), peaks(a, b)]


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


WORK = ["workload", "case", "steps", "precision", "model", "variant", "setting", "part"]


def runs(a: Results, b: Results) -> Table:
    rows, notes = [], [RULE_OF_RUNS]
    whole_a, whole_b = (side.runs[side.runs["part"] == ""] for side in (a, b))
    keys = [[*WORK, "device_type", "threads", "ranks", "device"], [*WORK, "device_type", "threads", "ranks"],
            [*WORK, "device_type"], WORK]
    for x, y in pairs(whole_a, whole_b, keys):
        row = {**(y if x is None else x)[WORK], "difference": obstacle(x, y), "ratio": None, "p": None}
        for side, run in (("a", x), ("b", y)):
            right = run is not None and run["status"] == "ok"
            row |= {f"s_{side}": run["seconds_median"] if right else None, f"rate_{side}": run["rate"] if right
                    else None,
                    f"workers_{side}": workers_text(run) if run is not None else "",
                    f"n_{side}": whole(run["repeats"]) if run is not None else "0"}
            if run is not None and not right:
                notes.append(f"{side.upper()}: {run['who']}, {run['case']}: {run['status']}: {run['reason']}")
        if not row["difference"]:
            differs, row["p"] = decide(x["seconds"], y["seconds"])
            row["ratio"] = x["seconds_median"] / y["seconds_median"]
            row["difference"] = verdict(differs, row["ratio"] > 1, "faster")
            if x["case_digest"] and y["case_digest"] and x["case_digest"] != y["case_digest"]:
                row |= {"ratio": None, "p": None, "difference": "other case"}
                notes.append(f"{x['case']}: the two sides solved different problems under this name, which are not "
                             "compared.")
        rows.append({**row, "repeats": f"{row['n_a']}, {row['n_b']}"})
    columns = [Column("workload", "workload"), Column("case", "case"), Column("precision", "precision"),
               Column("steps", "steps", whole), Column("model", "model"),
               Column("variant", "variant", note="setting"), Column("A\nranks \u00d7\nthreads", "workers_a"),
               Column("B\nranks \u00d7\nthreads", "workers_b"),
               Column("A\ns", "s_a", 4), Column("B\ns", "s_b", 4), Column("A\nrate", "rate_a", 4),
               Column("B\nrate", "rate_b", 4),
               Column("speed-up\nB over A", "ratio", 3), Column("repeats\nA, B", "repeats"), Column("p", "p", 2),
               Column("difference", "difference")]
    frame = pandas.DataFrame(rows, columns=list(dict.fromkeys(c.key for c in columns)) + ["setting"])
    return Table("compare-runs", "Runs", frame, columns,
                 "Median compute seconds; speed-up: A's seconds over B's, above 1 B is faster.", notes)


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
        frame = frame[frame["kind"].isin(["bandwidth", "compute", "launch", "to_device", "from_device"])]
        figure = [" ".join(str(part) for part in (row["kind"].replace("_", " "), row["level"], row["pattern"],
                                                  row["precision"],
                  {"true": "FMA", "false": "without FMA"}.get(row["fma"], ""), f"{row['vector_bits']:.0f} bits"
                                                  if row["vector_bits"] > 0 else "",
                  f"{row['cores']:.0f} cores" if row["cores"] > 0 else "") if part) for _, row in frame.iterrows()]
        sides.append(frame.assign(of=frame["of"].map(numbers), figure=figure))
    return spreads("compare-peaks", "Peaks", lambda row: row["unit"], *sides, [["of", "figure"]], notes)
