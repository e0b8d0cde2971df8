"""The page for learners: the method in a picture, the way from the textbook to the wavefront, and what to try. learn.json
has the lines, which a test holds against the sources; what each step gains here is in figures.csv."""

import base64
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
DIRECTIONS = ((0, 0), (1, 0), (0, 1), (-1, 0), (0, -1), (1, 1), (-1, 1), (-1, -1), (1, -1))
CELL, INK, FAINT, FLOW, WALL = 46, "#1c2126", "#c3cad1", "#0a5a9c", "#9aa1a8"


def lessons(runs: pandas.DataFrame) -> dict[str, Any]:
    """What the template asks for: nothing where no step can be shown with figures."""
    content = json.loads((HERE / "learn.json").read_text(encoding="utf-8"))
    right = runs[(runs["status"] == "ok") & (runs["workload"] == "lbm") & (runs["precision"] == "f32")
                 & (runs["setting"] == "") & runs["nz"].isna()]
    for step in content["steps"]:
        step["gains"] = [gain for case in CASES if (gain := gained(right[right["case"] == case], case, step["runs"]))]
    content["ladder"] = ladder(content["ladder"], right)
    some = any(step["gains"] for step in content["steps"]) or content["ladder"]
    return content | {"picture": picture_source()} if some else {}


def ladder(rungs: dict[str, str], runs: pandas.DataFrame) -> dict[str, Any]:
    """On the problem with the most rungs: the rate of each, how its file begins, and how it differs from the one before;
    nothing of fewer than three."""
    mine = runs[runs["who"].isin(rungs) & runs["rate"].notna()]
    case = mine.groupby("case")["who"].nunique().idxmax() if len(mine) else ""
    mine = mine[mine["case"] == case].sort_values("rate").drop_duplicates("who", keep="last").set_index("who", drop=False)
    steps, before = [], []
    for name in (name for name in rungs if name in mine.index):
        file = SOURCES / rungs[name]
        lines = file.read_text(encoding="utf-8").splitlines() if file.is_file() else []
        head = " ".join(line.removeprefix("// ") for line in lines[:lines.index("//")]) if "//" in lines else ""
        diff = list(difflib.unified_diff(before, lines, n=1, lineterm=""))[2:] if before and lines else []
        steps.append({"name": name, "file": rungs[name], "why": head, "diff": diff})
        before = lines
    rows = bar_rows(mine.loc[[step["name"] for step in steps]].assign(label=mine["who"]), "rate", Look(runs))
    return {"problem": problem_text(case), "unit": mine["rate_unit"].iat[0], "steps": steps,
            "bars": rows} if len(steps) > 2 else {}


def gained(runs: pandas.DataFrame, case: str, names: list[str]) -> str:
    """"128x128: 65.3 to 715 MLUPS, 1.00 to 10.9 times the textbook"; "" where one of the two did not run."""
    fastest = []
    for name in names:
        model, variant = name.split()
        found = runs[(runs["model"] == model) & (runs["variant"] == variant) & runs["rate"].notna()]
        if found.empty:
            return ""
        fastest.append(found.loc[found["rate"].idxmax()])
    before, after = fastest
    text = f"{case}: {significant(before['rate'], 3)} to {significant(after['rate'], 3)} {after['rate_unit']}"
    over = [row["speed_up_over_textbook"] for row in fastest]
    return text + (f", {significant(over[0], 3)} to {significant(over[1], 3)} times the textbook"
                   if all(value == value for value in over) else "")


def picture_source() -> str:
    return "data:image/svg+xml;base64," + base64.b64encode(picture().encode()).decode()


def arrow(x: float, y: float, dx: float, dy: float, colour: str = FLOW) -> str:
    """From (x, y) by (dx, dy); a dot where it has no length. y goes up, as on a grid."""
    if not dx and not dy:
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>'
    return (f'<line x1="{x:.1f}" y1="{y:.1f}" x2="{x + dx:.1f}" y2="{y - dy:.1f}" stroke="{colour}" stroke-width="1.8" '
            f'marker-end="url(#{"head" if colour == FLOW else "faint"})"/>')


def grid(columns: int, rows: int, solid: tuple[tuple[int, int], ...] = ()) -> str:
    return "".join(f'<rect x="{CELL * i}" y="{CELL * (rows - 1 - j)}" width="{CELL}" height="{CELL}" stroke="{FAINT}" '
                   f'fill="{WALL if (i, j) in solid else "#ffffff"}"/>' for j in range(rows) for i in range(columns))


def picture() -> str:
    """Five panels: populations, propagation, rebound, collision, and the order of a wavefront."""
    middle, reach = 1.5 * CELL, 0.62 * CELL
    lengths = (0, 1.0, 0.55, 0.45, 0.6, 0.8, 0.5, 0.4, 0.7)
    populations = "".join(arrow(middle, middle, reach * x, reach * y) for x, y in DIRECTIONS)
    arriving = "".join(arrow(middle - CELL * x, middle + CELL * y, 0.7 * CELL * x, 0.7 * CELL * y)
                       for x, y in DIRECTIONS)
    back = "".join(arrow(middle + CELL * x, middle + 0.85 * CELL, -0.8 * CELL * x, 0.8 * CELL) +
                   arrow(middle, middle, 0.75 * CELL * x, -0.7 * CELL, INK) for x in (-1, 0, 1))
    collided = "".join(arrow(middle, middle, 1.3 * reach * length * x, 1.3 * reach * length * y, FAINT)
                       + arrow(middle, middle, 0.8 * reach * x, 0.8 * reach * y)
                       for length, (x, y) in zip(lengths, DIRECTIONS))
    waves = "".join(f'<text x="{CELL * (step + 0.5)}" y="{CELL * (2.6 - row)}" text-anchor="middle" font-size="17" '
                    f'fill="{FLOW}">{row + step}</text>' for step in range(3) for row in range(step, 3))
    panels = ((populations, grid(3, 3), "nine populations", "of a cell, one a direction"),
              (arriving, grid(3, 3), "propagation", "each moves by one cell"),
              (back, grid(3, 3, ((0, 0), (1, 0), (2, 0))), "rebound", "a wall turns them back"),
              (collided, grid(3, 3), "collision", "towards equilibrium"),
              (waves, grid(3, 3), "wavefront", "when: rows up, steps right"))
    wide = 3 * CELL + 42
    body = "".join(f'<g transform="translate({20 + wide * i} 12)">{cells}{marks}'
                   f'<text x="{middle}" y="{3 * CELL + 22}" text-anchor="middle" font-weight="600">{name}</text>'
                   f'<text x="{middle}" y="{3 * CELL + 40}" text-anchor="middle" font-size="12">{words}</text></g>'
                   for i, (marks, cells, name, words) in enumerate(panels))
    heads = "".join(f'<marker id="{name}" viewBox="0 0 8 8" refX="6" refY="4" markerWidth="5" markerHeight="5" '
                    f'orient="auto"><path d="M0 0L8 4L0 8z" fill="{colour}"/></marker>'
                    for name, colour in (("head", FLOW), ("faint", WALL)))
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide * len(panels)} {3 * CELL + 60}" '
            f'width="{wide * len(panels)}" height="{3 * CELL + 60}" font-family="sans-serif" font-size="14" fill="{INK}">'
            f"<defs>{heads}</defs>{body}</svg>")
