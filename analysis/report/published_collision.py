"""Gray and Stratford (targetDP) give ratios of its collision benchmark alone: the best virtual vector length, what
it gains, and a GPU over a processor. Next to them: measured ones."""

import pandas
from figures import Results, vector_length
from published import Published
from table import Column, Table
from words import as_published, device_text, significant

CAPTION = ("One collision of a binary fluid at every site of 128 x 128 x 128 with halo, in double precision: with 19 x "
           "19 matrices, as published. The original code is an array of structures with loops over 19 populations; on "
           "processors both figures are of the fastest OpenMP run.")


def collisions(results: Results) -> pandas.DataFrame:
    """Right runs of the published case, with their sites in a chunk."""
    runs = results.right()
    cube = (runs["nx"] == 128) & (runs["ny"] == 128) & (runs["nz"] == 128)
    runs = runs[(runs["workload"] == "binary_fluid") & cube & runs["case"].str.startswith("collision")
                & (runs["precision"] == "f64") & (runs["part"] == "")]
    return runs.assign(lanes=[int(vector_length(s) or 0) for s in runs["settings"]])


def fastest(runs: pandas.DataFrame) -> pandas.Series | None:
    return runs.loc[runs["rate"].idxmax()] if len(runs) else None


def ratio(a: pandas.Series | None, b: pandas.Series | None) -> float | None:
    return None if a is None or b is None else a["rate"] / b["rate"]


def ours(results: Results) -> dict[tuple[str, str], tuple[float | None, str]]:
    """Our figure for the source's quantity and type of device, and its origin."""
    runs = collisions(results)
    cpu, gpu = runs[runs["model"] == "openmp"], runs[runs["device_type"] == "gpu"]
    best = {name: fastest(where[where["variant"] == "vvl"]) for name, where in (("cpu", cpu), ("gpu", gpu))}
    one = fastest(gpu[(gpu["variant"] == "vvl") & (gpu["lanes"] == 1)])
    who = {name: "" if run is None else f"{run['model']} on {device_text(run['device'])}" for name, run in best.items()}
    length = {name: None if run is None else float(run["lanes"]) for name, run in best.items()}
    original = fastest(cpu[cpu["variant"] == "original"])
    return {("best virtual vector length", "cpu"): (length["cpu"], who["cpu"]),
            ("speed-up over the original OpenMP loop", "cpu"): (ratio(best["cpu"], original), who["cpu"]),
            ("best virtual vector length", "gpu"): (length["gpu"], who["gpu"]),
            ("speed-up", "gpu"): (ratio(best["gpu"], one), who["gpu"]),
            ("speed-up over the 12 cores of the Xeon E5-2697", "gpu"): (ratio(best["gpu"], best["cpu"]), who["gpu"])}


def table(results: Results, published: Published) -> Table:
    measured, rows = ours(results), []
    for figure in (f for f in published.data["figures"] if f["source"] == "D"):
        hardware = published.hardware[figure["hardware"]]
        value, who = measured.get((figure["what"], hardware["type"]), (None, ""))
        rows.append({**figure, "on": hardware["name"], "ours": value, "who": who})
    columns = [Column("what", "what"), Column("published", "value", as_published), Column("unit", "unit"),
               Column("on", "on"), Column("ours", "ours", 3), Column("our run", "who")]
    notes = [f"{published.on(h)}." for h in ("ivy-bridge-12", "k40")]
    runs = collisions(results)
    moment, original = (fastest(runs[(runs["model"] == "openmp") & (runs["variant"] == name)])
                        for name in ("moment", "original"))
    gain = ratio(moment, original)
    if gain is not None and moment is not None:
        notes.append(f"Without matrices (moment) OpenMP is {significant(gain)} times as fast as the original, with a "
                     f"virtual vector length of {moment['lanes']}.")
    return Table("gray-stratford-collision", "Gray and Stratford: virtual vector lengths", rows, columns, CAPTION, notes,
                 published.citation("D"))
