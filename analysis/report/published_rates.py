"""Goldstein ("OpenCL Assignment"): its claims on bandwidth recomputed from its own seconds."""

from figures import Results
from published import Published
from table import Column, Table
from words import as_published, percent, significant

BYTES = 9 * 4 * 2  # per update, by its own formula


def rates(_results: Results, published: Published) -> Table:
    """Every published rate, recomputed from the seconds."""
    runs = next(group for group in published.data["best_times"] if group["source"] == "B")
    run = runs["runs"][0]
    hardware, rows = published.hardware[run["hardware"]], []
    for name, seconds in run["seconds"].items():
        problem = published.problems[name]
        moved = 1e-9 * problem["nx"] * problem["ny"] * problem["iterations"] * BYTES
        rows.append({"grid": name, "seconds": seconds, "moved": moved, "rate": moved / seconds,
                     "share": moved / seconds / hardware["datasheet_gb_per_s"], **run["claims"].get(name, {})})
    columns = [Column("grid", "grid"), Column("published\ns", "seconds", as_published),
               Column("moved\nGB", "moved", 4), Column("GB/s", "rate", 4),
               Column("of the\ndatasheet", "share", percent), Column("claimed\nGB", "claimed_gb", as_published),
               Column("claimed\nshare", "claimed_share", percent)]
    slip = min((row for row in rows if "claimed_share" in row), key=lambda row: row["claimed_share"])
    note = (f"At {slip['grid']} the {percent(slip['claimed_share'])} is a slip by ten: Goldstein's own formula gives "
            f"{significant(slip['moved'])} GB, not {as_published(slip['claimed_gb'])}, and {percent(slip['share'])} of "
            f"{hardware['datasheet_gb_per_s']} GB/s; so its conclusion that the small grid uses memory better is "
            "wrong.")
    return Table("goldstein", "Goldstein: rates recomputed from the seconds", rows, columns,
                 "Bytes by Goldstein's formula: nx ny 72 iterations.",
                 [note], f"{published.citation('B', runs['part'])}, on {published.on(run['hardware'])}")
