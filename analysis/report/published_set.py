"""The Benchpress set as Ynddal's thesis ran it: published seconds beside the fastest runs, each under its lowest roof, from
what is nothing but arithmetic to what is nothing but memory."""

from typing import Any

import pandas
from figures import Results
from published import SCALED, Published
from table import Column, Table
from words import as_published, device_text, model_text, percent, significant

SHARES = {"share_of_roof": "copy", "share_of_peak": "arithmetic", "share_of_operation": ""}
LINEAR = {"pi", "galton"}       # whose time is in proportion to their size


def fitting(runs: pandas.DataFrame, of: dict[str, Any], size: dict[str, Any]) -> pandas.DataFrame:
    """Right runs of a program of the set at this size, or nearest to it, with the seconds of the published iterations."""
    runs = runs[(runs["workload"] == of["workload"]) & runs["case"].str.startswith(of.get("case", ""))]
    if of["workload"] in LINEAR:
        nearest = [min(of["sizes"], key=lambda one, nx=nx: abs(one["size"] - nx)) for nx in runs["nx"]]
        runs = runs[pandas.Series([one is size for one in nearest], runs.index, bool)]
    else:
        runs = runs[runs["nx"] == size["size"]]
    times = runs["ny"] if of["workload"] == "galton" else 1     # its levels are its iterations
    done = runs["nx"] * runs["steps"] * times
    return runs.assign(of_all=done / (size["size"] * size["iterations"])).assign(
        seconds_full=lambda frame: frame["seconds_median"] / frame["of_all"])


def table(results: Results, published: Published) -> Table:
    """A row for each program, size and type of device, by the FLOPs for each byte of the fastest run."""
    group, rows, notes = published.data["set"], [], []
    right = results.right()
    right = right[(right["precision"] == "f64") & (right["part"] == "") & (right["role"] != "peer")]
    for of in group["programs"]:
        for size in of["sizes"]:
            for _, mine in fitting(right, of, size).groupby("device_type", sort=False):
                run = mine.loc[mine["seconds_full"].idxmin()]
                shares = run[[*SHARES]].astype(float).dropna()
                nearest = shares.idxmax() if len(shares) else ""
                rows.append({
                    "program": of["name"], "size": f"{size['size']:,} \u00d7 {size['iterations']}".replace(",", "\u202f"),
                    "who": run["who"], "on": device_text(run["device"]), "intensity": run["flops_per_update"]
                    / run["bytes_per_update"] if run["bytes_per_update"] > 0 else float("inf"),
                    "bound": run["bound"], "share": shares.max() if nearest else None, "of": (SHARES[nearest]
                    or model_text(run["operation"])) if nearest else "", "published": size["seconds"],
                    "seconds": run["seconds_full"], "ratio": size["seconds"] / run["seconds_full"]})
                notes += [SCALED] if abs(run["of_all"] - 1) > 1e-9 else []
                notes += [(size["remark"], f"{of['name']}, {size['size']}")] if "remark" in size else []
    rows.sort(key=lambda row: -row["intensity"])
    columns = [Column("program", "program"), Column("size \u00d7\niterations", "size"), Column("our run", "who"),
               Column("on", "on"), Column("FLOP/\nbyte", "intensity", lambda x: "\u221e" if x == float("inf") else significant(x, 3)),
               Column("limited by", "bound"), Column("of the\nlowest roof", "share", percent, "of"),
               Column("published\ns, about", "published", as_published), Column("measured\ns", "seconds", 4),
               Column("ratio", "ratio", 3)]
    return Table("benchpress", "The Benchpress set over the roofline", rows, columns, group["note"], notes,
                 published.citation(group["source"], group["part"]) + ", on " + published.on(group["hardware"]),
                 needs="seconds")
