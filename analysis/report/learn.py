"""The page for learners: the method (method.svg), the steps from the textbook to the wavefront, and exercises.
learn.json quotes the lines, which a test compares with the sources; the gain of each step comes from figures.csv."""

import difflib
import json
from pathlib import Path
from typing import Any

import pandas
from plots import bar_rows
from style import Look
from words import problem_text, significant

HERE = Path(__file__).resolve().parent
SOURCES = HERE.parents[1]
CASES = ("128x128", "128x256", "256x256", "1024x1024")


def lessons(runs: pandas.DataFrame) -> dict[str, Any]:
    """Data for the template; empty if no step has figures."""
    content = json.loads((HERE / "learn.json").read_text(encoding="utf-8"))
    right = runs[(runs["status"] == "ok") & (runs["workload"] == "lbm") & (runs["precision"] == "f32")
                 & (runs["setting"] == "") & runs["nz"].isna()]
    # Among a variant's runs on several numbers of cores, only the one with the most is a step.
    workers = right["workers"].fillna(1)
    right = right[workers == workers.groupby([right["case"], right["who"]]).transform("max")]
    for step in content["steps"]:
        step["gains"] = [gain for case in CASES if (gain := gained(right[right["case"] == case], case, step["runs"]))]
    content["ladder"] = ladder(content["ladder"], right)
    some = any(step["gains"] for step in content["steps"]) or "bars" in content["ladder"]
    return content | {"picture": (HERE / "method.svg").read_text(encoding="utf-8")} if some else {}


def ladder(rungs: dict[str, str], runs: pandas.DataFrame) -> dict[str, Any]:
    """The beginning of each rung's file, and its differences from the one before; its rate, gain and bound on the
    problem with the most rungs, if there are three."""
    mine = runs[runs["who"].isin(rungs) & runs["rate"].notna()]
    case = mine.groupby("case")["who"].nunique().idxmax() if len(mine) else ""
    mine = mine[mine["case"] == case].sort_values("rate").drop_duplicates("who", keep="last").set_index("who", drop=False)
    steps, before = [], []
    with_rates = len(mine) > 2
    for name in (name for name in rungs if name in mine.index or not with_rates):
        file = SOURCES / rungs[name]
        lines = file.read_text(encoding="utf-8").splitlines() if file.is_file() else []
        head = " ".join(line.removeprefix("// ") for line in lines[:lines.index("//")]) if "//" in lines else ""
        diff = list(difflib.unified_diff(before, lines, n=1, lineterm=""))[2:] if before and lines else []
        steps.append({"name": name, "file": rungs[name], "why": head, "diff": diff})
        before = lines
    if not with_rates:
        return {"steps": steps}
    for last, step in zip([None, *steps], steps):
        step["rate"] = rate_words(mine.loc[step["name"]], None if last is None else mine.loc[last["name"]])
    rows = bar_rows(mine.loc[[step["name"] for step in steps]].assign(label=mine["who"]), "rate", Look(runs))
    return {"problem": problem_text(case), "unit": mine["rate_unit"].iat[0], "steps": steps, "bars": rows}


def rate_words(row: pandas.Series, before: pandas.Series | None) -> str:
    """"715 MLUPS, 1.73 times the step before; bound: DRAM, 40 %", as far as it is known."""
    text = f"{significant(row['rate'], 3)} {row['rate_unit']}"
    if before is not None:
        text += f", {significant(row['rate'] / before['rate'], 3)} times the step before"
    return text + (f"; bound: {row['verdict']}" if row["bound"] else "")


def gained(runs: pandas.DataFrame, case: str, names: list[str]) -> str:
    """"128x128: 65.3 to 715 MLUPS, 1.00 to 10.9 times the textbook"; "" if one of the two did not run."""
    found = [runs[(runs["who"] == name) & runs["rate"].notna()].nlargest(1, "rate") for name in names]
    if any(rows.empty for rows in found):
        return ""
    before, after = (rows.iloc[0] for rows in found)
    text = f"{case}: {significant(before['rate'], 3)} to {significant(after['rate'], 3)} {after['rate_unit']}"
    over = [row["speed_up_over_textbook"] for row in (before, after)]
    return text + (f", {significant(over[0], 3)} to {significant(over[1], 3)} times the textbook"
                   if all(value == value for value in over) else "")
