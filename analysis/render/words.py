"""Numbers and names as page and plots write them."""

import re
from collections.abc import Iterable
from typing import Any


def significant(value: float, digits: int = 3) -> str:
    """As the driver's tables write figures: 35.2, 0.0612, 124356, 1.3e-06."""
    size = abs(value)
    if size == 0:
        return "0"
    if size < 1e-3:
        return f"{value:.{digits - 1}e}"
    power = int(f"{size:.{digits - 1}e}".split("e")[1])
    return f"{value:.{max(0, digits - 1 - power)}f}"


def plain(value: float) -> str:
    """A number of an axis, without needless zeros: 0.1, 20, 1000, 2e+06; from 10 000 on in groups of three."""
    if value != 0 and not 1e-4 <= abs(value) < 1e7:
        return f"{value:.3g}"
    return f"{value:,.10g}".replace(",", "\u202f") if abs(value) >= 1e4 else f"{value:.10g}"


def grid_text(problem: str) -> str:
    """128x256 as 128 x 256 with a proper sign; other names as they are."""
    size = re.fullmatch(r"(\d+)x(\d+)", problem)
    return f"{size[1]}\u00a0\u00d7\u00a0{size[2]}" if size else problem


def cells_in(problem: str) -> int:
    """Cells of a grid that is named after its size, 0 for other names."""
    size = re.search(r"(\d+)x(\d+)", problem)
    return int(size[1]) * int(size[2]) if size else 0


def shortened(text: str, length: int) -> str:
    """The text, cut in the middle to that many characters: both ends of a device's or variant's name tell it apart."""
    if len(text) <= length:
        return text
    tail = (length - 1) // 2
    return f"{text[:length - 1 - tail].rstrip()}\u2026{text[len(text) - tail:].lstrip()}"


def device_text(device: str, length: int = 34) -> str:
    """A device's name without what all of its kind have in common, cut to that many characters."""
    bare = re.sub(r"\((?:R|TM|r|tm)\)| CPU\b| @ [\d.]+ ?GHz", "", device)
    return shortened(" ".join(bare.split()), length)


def ordered(names: Iterable[str]) -> list[str]:
    """Each name once, in the order of first appearance."""
    return list(dict.fromkeys(names))


def name_of(run: dict[str, Any]) -> str:
    return f"{run['model']} {run['variant']}".strip()


def time_text(date: str) -> str:
    """2025-01-17T10:02:11Z as 2025-01-17 10:02 UTC; what is no such date as it is."""
    found = re.fullmatch(r"(\d{4}-\d\d-\d\d)T(\d\d:\d\d)(?::[\d.]+)?Z", date)
    return f"{found[1]} {found[2]} UTC" if found else date
