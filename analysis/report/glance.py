"""Lays out the first screen: its content in tables.json is what `boltzmark matrix` shows on a terminal."""

from typing import Any

from plots import bars_id
from words import NONE

# Shades of cells by share, from the palest to the darkest; page.css has their colours.
SHADES = (0.02, 0.1, 0.25, 0.5, 0.75, 0.95)


def shade(share: float | None) -> str:
    return "none" if share is None else f"h{sum(share >= least for least in SHADES)}"


def share_text(share: float | None) -> str:
    return NONE if share is None else f"{100 * share:.0f}"


def model_of(column: str, models: list[str]) -> str:
    """The model in "opencl GPU", where there are columns for several types of devices."""
    return column if column in models else column.rsplit(" ", 1)[0]


def anchor(line: dict[str, Any]) -> str:
    """Anchor of the chart of a problem that several runs solved."""
    return bars_id(line["workload"], line["case"], line["precision"]) if line["is_compared"] else ""
