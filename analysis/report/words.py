"""Numbers and names as written in page, tables and plots."""

import re
from typing import Any

NONE = "\u2013"


def absent(value: Any) -> bool:
    """None, NaN and empty text are all an empty cell."""
    return value is None or value == "" or value != value


def significant(value: Any, digits: int = 4) -> str:
    """35.20, 0.0612, 124356, 1.3e-06."""
    if absent(value):
        return NONE
    size = abs(value)
    if size == 0:
        return "0"
    if size < 1e-3:
        return f"{value:.{digits - 1}e}"
    power = int(f"{size:.{digits - 1}e}".split("e")[1])
    return f"{value:.{max(0, digits - 1 - power)}f}"


def plain(value: float) -> str:
    """Without trailing zeros: 0.1, 20, 1000, 2e+06; from 10 000 on in groups of three."""
    if absent(value):
        return NONE
    if value != 0 and not 1e-4 <= abs(value) < 1e7:
        return f"{value:.3g}"
    return f"{value:,.10g}".replace(",", "\u202f") if abs(value) >= 1e4 else f"{value:.10g}"


def whole(value: Any) -> str:
    return NONE if absent(value) else f"{value:.0f}"


def grouped(value: Any) -> str:
    """A count in groups of three."""
    return NONE if absent(value) else f"{value:,.0f}".replace(",", "\u202f")


def percent(share: Any) -> str:
    if absent(share):
        return NONE
    return f"{100 * share:.{0 if abs(share) >= 0.0995 or share == 0 else 1}f} %"


def grid_text(case: str) -> str:
    """128x256 as 128 x 256 with a proper sign; other names as they are."""
    return re.sub(r"(?<=\d)x(?=\d)", "\u00a0\u00d7\u00a0", case) if re.fullmatch(r"\d+(x\d+)+", case) else case


def problem_text(case: str) -> str:
    """A grid with its proper sign; for an array its number of elements, "33.6 M elements"."""
    if not case.isdigit() or int(case) < 100_000:
        return grid_text(case)
    return f"{int(case) / 1e6:.3g} M elements" if int(case) >= 10**6 else f"{grouped(int(case))} elements"


def model_text(model: str) -> str:
    return model.replace("_", "-")


def shortened(text: str, length: int) -> str:
    """Cut in the middle: both ends of a name identify it."""
    if len(text) <= length:
        return text
    tail = (length - 1) // 2
    return f"{text[:length - 1 - tail].rstrip()}\u2026{text[len(text) - tail:].lstrip()}"


def device_text(device: str, length: int = 34) -> str:
    """A device's name without parts common to all of its kind."""
    bare = re.sub(r"\((?:R|TM|r|tm)\)| (?:CPU|Processor)\b| @ [\d.]+ ?GHz", "", device or "")
    bare = re.sub(r"^(?:pthread|cpu|basic)(?:-[a-z0-9_]+)*-(?=[A-Z])(.+)", r"\1 (PoCL)", bare)
    return shortened(" ".join(bare.split()), length)


def precision_text(precision: str) -> str:
    return {"f32": "single precision", "f64": "double precision"}.get(precision, precision)


def counted(number: int, thing: str) -> str:
    return f"{number} {thing}{'s' * (number != 1)}"


def file_name(text: str) -> str:
    """A name valid for a file and as an id on the page."""
    return re.sub(r"[^A-Za-z0-9]+", "-", text).strip("-")
