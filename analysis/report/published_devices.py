"""The table that McIntosh-Smith's lecture asked for: the same D3Q19 code, untuned, on every device in every model, with
its share of its bound."""

from collections.abc import Iterator
from typing import Any

import pandas
from figures import Results
from published import Published
from table import Column, Table
from words import counted, device_text, grid_text, model_text, percent, significant

CUBE = "128x128x128"  # the size in the lecture
CAPTION = ("One problem in single precision and the same untuned shape on every device: in OpenCL one work-item per "
           "cell in groups of 128 x 1 x 1, in other models the variant of the same algorithm. Shares are of the "
           "bound: on most devices the bandwidth of the memory level that holds the data.")
PENNYCOOK = ("Last line: Pennycook's performance portability, the harmonic mean of the shares over the devices on "
             "which the model ran. For a set with a device that the model cannot use, it is 0 by definition.")


def untuned(results: Results) -> pandas.DataFrame:
    """Right runs in three dimensions with default options: the model's published variant if it has one, else the same
    algorithm. Serial is left out because one core is no device."""
    runs = results.right()
    runs = runs[(runs["workload"] == "lbm") & (runs["nz"] > 0) & (runs["precision"] == "f32") & (runs["part"] == "")
                & (runs["setting"] == "") & (runs["tuned"] == "") & (runs["model"] != "serial")]
    published = set(runs["model"][runs["variant"] == "published"])
    runs = runs[(runs["variant"] == "published") | ~runs["model"].isin(published) & (runs["role"] == "like-for-like")]
    # A processor is one device, whatever a runtime calls it.
    is_named = (runs["device_type"] == "cpu") & (runs["cpu"] != "")
    size = ["x".join(f"{n:.0f}" for n in axes) for axes in zip(runs["nx"], runs["ny"], runs["nz"])]
    return runs.assign(unit=runs["cpu"].where(is_named, runs["device"]), size=size)


def tables(results: Results, published: Published) -> Iterator[Table]:
    """A table for each case, those of the lecture's size first."""
    runs = untuned(results)
    order = runs.assign(other=runs["size"] != CUBE).sort_values("other", kind="stable")
    for _, case in order.groupby("case_digest", sort=False):
        yield of_case(case, published)


def of_case(runs: pandas.DataFrame, published: Published) -> Table:
    """A row per device, two columns per model."""
    fastest = runs.sort_values("rate", ascending=False, kind="stable").drop_duplicates(["unit", "model"])
    models, units = (list(dict.fromkeys(runs[name])) for name in ("model", "unit"))
    rows: list[dict[str, Any]] = [{"device": device_text(unit)} for unit in units]
    rows.append({"device": "harmonic mean"})
    for _, run in fastest.iterrows():
        model, row = run["model"], rows[units.index(run["unit"])]
        row |= {model: run["rate"], f"{model} share": run["share_of_bound"], f"{model} of": run["bound"]}
        if run["portability"] > 0:
            rows[-1] |= {f"{model} share": run["portability"],
                         f"{model} of": f"over {counted(int(run['portability_devices']), 'device')}"}
    size, case = runs["size"].iat[0], runs["case"].iat[0]
    columns = [Column("device", "device")]
    for model in models:
        columns += [Column(f"{model_text(model)}\nMLUPS", model, 4),
                    Column(f"{model_text(model)}\nof bound", f"{model} share", percent, f"{model} of")]
    variants = "; ".join(f"{model}: {fastest['variant'][fastest['model'] == model].iat[0]}" for model in models)
    notes = [f"{variants}.", PENNYCOOK, published_rates(published) if size == CUBE
             else f"The lecture's problem has {grid_text(CUBE)} cells."]
    return Table(f"mcintosh-smith-{size}-{runs['case_digest'].iat[0][:6]}",
                 f"McIntosh-Smith: one D3Q19 code on every device, {grid_text(size)}{f' ({case})' if case != size else ''}, untuned",
                 rows, columns, CAPTION, notes, published.citation("C") if size == CUBE else "")


def published_rates(published: Published) -> str:
    rates = [f for f in published.data["figures"] if f["source"] == "C" and f["unit"] == "MLUPS"]
    where = [f" on {published.on(f['hardware'])}" if "hardware" in f else "" for f in rates]
    return "Published: " + "; ".join(f"{significant(f['value'])} MLUPS{on} ({f['what']})" for f, on in zip(rates, where)) + "."
