#!/usr/bin/env python3
"""Writes the parameter and obstacle files of this folder, or checks that they are up to date.

    generate.py [FOLDER]           write all files (default: the folder of this script)
    generate.py --check [FOLDER]   compare instead; exit status 1 if a file differs, is missing or is unknown

The table PROBLEMS is the only definition of the problems. The output is the same on every machine.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

Cells = set[tuple[int, int]]  # obstacle cells as (x, y)


# Shapes: each takes the grid's size in cells and gives its obstacle cells.


def border(nx: int, ny: int) -> Cells:
    """Every cell on the edge of the grid: a closed box."""
    rows = rectangle(0, 0, nx, 1) | rectangle(0, ny - 1, nx, 1)
    return rows | rectangle(0, 0, 1, ny) | rectangle(nx - 1, 0, 1, ny)


def rectangle(x0: int, y0: int, width: int, height: int) -> Cells:
    """The cells x0 .. x0+width-1, y0 .. y0+height-1."""
    return {(x, y) for y in range(y0, y0 + height) for x in range(x0, x0 + width)}


def disc(x0: int, y0: int, radius: int) -> Cells:
    """The cells whose centre is at most `radius` from the centre of (x0, y0)."""
    reach = range(-radius, radius + 1)
    return {(x0 + dx, y0 + dy) for dy in reach for dx in reach if dx * dx + dy * dy <= radius * radius}


def wrapped(cells: Cells, nx: int, ny: int) -> Cells:
    """The cells brought back into the grid, which is periodic in both directions."""
    return {(x % nx, y % ny) for x, y in cells}


def trough(nx: int, ny: int) -> Cells:
    """Both side walls and the middle row. Top and bottom are open: the fluid goes round between them."""
    return rectangle(0, 0, 1, ny) | rectangle(nx - 1, 0, 1, ny) | rectangle(0, ny // 2 - 1, nx, 1)


def divided_box(nx: int, ny: int) -> Cells:
    """A closed box, cut in two chambers by a full column a third of the way along."""
    return border(nx, ny) | rectangle(nx // 3, 0, 1, ny)


def channel_with_cylinder(nx: int, ny: int) -> Cells:
    """A channel along x with a cylinder below the driven row ny-2.

    The one wall row y = 20 is both floor and ceiling, because the grid is periodic in y: the channel runs
    from y = 21 up to the top row and on to y = 19. A ceiling right above the driven row would take up the
    driving force. The cylinder is off the channel's axis, so that the geometry triggers the shedding and not rounding.
    """
    return rectangle(0, 20, nx, 1) | disc(120, ny - 13, 9)


def scattered_blocks(nx: int, ny: int) -> Cells:
    """Blocks for the awkward places: across both periodic seams and the corner, in and near the driven row.

    The hollow block keeps a pocket of fluid that can never move.
    """
    cells = rectangle(-3, 20, 7, 5)  # across the seam in x
    cells |= rectangle(30, -2, 4, 5)  # across the seam in y, and in the driven row
    cells |= rectangle(-2, -1, 4, 3)  # across the corner
    cells |= {(60, ny - 2), (61, ny - 2), (75, ny - 1), (80, 0), (85, ny - 3)}  # in and near the driven row
    cells |= rectangle(44, 25, 9, 9) - rectangle(47, 28, 3, 3)  # hollow
    cells |= rectangle(70, 40, 3, 14)
    cells |= rectangle(12, 38, 11, 2)
    cells |= rectangle(72, 12, 10, 8)
    cells |= rectangle(24, 10, 2, 13) | rectangle(27, 10, 2, 13)  # a gap of one cell
    cells |= {(x, x - 20) for x in range(60, 68)}  # cells that touch at corners only
    return wrapped(cells, nx, ny)


def porous_medium(nx: int, ny: int) -> Cells:
    """Overlapping discs at random (radius 3 to 8, 60 % of their region fluid) under a clear driven channel.

    A driven row in the medium moves no fluid further than a pore or two away. So the wall row y = 0 closes
    the grid in y, and a plate blocks the channel and the medium below it down to a quarter of the height:
    pressure builds up before the plate and presses the fluid through the medium under it.
    """
    channel = rectangle(0, ny - 12, nx, 12)
    plate = rectangle(nx // 2, ny // 4, 2, ny - ny // 4)
    return (random_discs(nx, ny, 0.4) - channel) | plate | rectangle(0, 0, nx, 1)


def random_discs(nx: int, ny: int, solid_fraction: float) -> Cells:
    """Discs of radius 3 to 8, placed in the periodic grid until they cover `solid_fraction` of it.

    Only Random.random() is used: Python promises its sequence for a seed, but not that of its other methods.
    """
    uniform = random.Random(2009).random
    cells: Cells = set()
    while len(cells) < solid_fraction * nx * ny:
        x0, y0, radius = int(uniform() * nx), int(uniform() * ny), 3 + int(uniform() * 6)
        cells |= wrapped(disc(x0, y0, radius), nx, ny)
    return cells


@dataclass(frozen=True)
class Problem:
    """One problem: the seven numbers of its parameter file, in the file's order, and its obstacles."""

    name: str
    nx: int
    ny: int
    iterations: int
    reynolds_dim: int
    density: float
    accel: float
    omega: float
    obstacles: Callable[[int, int], Cells]

    def params_text(self) -> str:
        """The parameter file: one number a line."""
        numbers = (self.nx, self.ny, self.iterations, self.reynolds_dim, self.density, self.accel, self.omega)
        return "".join(f"{number}\n" for number in numbers)

    def obstacles_text(self) -> str:
        """The obstacle file: one line `x y 1` a cell, ordered by y, then x."""
        cells = sorted(self.obstacles(self.nx, self.ny), key=lambda cell: (cell[1], cell[0]))
        return "".join(f"{x} {y} 1\n" for x, y in cells)

    def files(self) -> Iterator[tuple[str, str]]:
        """Name and text of both files."""
        yield f"input_{self.name}.params", self.params_text()
        yield f"obstacles_{self.name}.dat", self.obstacles_text()


# In three dimensions: each shape gives the kind of every obstacle cell (x, y, z), "1" or "1 U" for a wall that moves.
Kinds = dict[tuple[int, int, int], str]


def lid_driven_cavity(nx: int, ny: int, nz: int) -> Kinds:
    """Walls on all six faces, of which y = ny-1 without its edges moves in x."""
    kinds = {}
    for z in range(nz):
        for y in range(ny):
            for x in range(nx):
                still = x in (0, nx - 1) or z in (0, nz - 1) or y == 0
                if still or y == ny - 1:
                    kinds[x, y, z] = "1" if still else f"1 {LID_VELOCITY}"
    return kinds


def channel_with_sphere(nx: int, ny: int, nz: int) -> Kinds:
    """A channel along x, periodic in z, with a sphere off its axis below the driven rows y = ny-2.

    As round the cylinder, one wall y = ny//3 is both floor and ceiling.
    """
    wall = ny // 3
    kinds = {(x, wall, z): "1" for x in range(nx) for z in range(nz)}
    x0, y0, z0, radius = nx // 4, ny - 12, nz // 2, ny // 8
    reach = range(-radius, radius + 1)
    for dz in reach:
        for dy in reach:
            for dx in reach:
                if dx * dx + dy * dy + dz * dz <= radius * radius:
                    kinds[x0 + dx, y0 + dy, z0 + dz] = "1"
    return kinds


LID_VELOCITY = 0.1


@dataclass(frozen=True)
class Problem3D:
    """A problem in three dimensions: eight numbers, how it starts, and its obstacles, None for none."""

    name: str
    nx: int
    ny: int
    nz: int
    iterations: int
    reynolds_dim: int
    density: float
    accel: float
    omega: float
    start: str | None
    obstacles: Callable[[int, int, int], Kinds] | None

    def files(self) -> Iterator[tuple[str, str]]:
        """Name and text of the files; without obstacles there is only one."""
        numbers = (self.nx, self.ny, self.nz, self.iterations, self.reynolds_dim, self.density, self.accel, self.omega)
        start = f"start {self.start}\n" if self.start else ""
        yield f"input_{self.name}.params", "".join(f"{number}\n" for number in numbers) + start
        if self.obstacles:
            kinds = self.obstacles(self.nx, self.ny, self.nz)
            cells = sorted(kinds, key=lambda cell: (cell[2], cell[1], cell[0]))
            yield f"obstacles_{self.name}.dat", "".join(f"{x} {y} {z} {kinds[x, y, z]}\n" for x, y, z in cells)


PROBLEMS = (
    # name, nx, ny, iterations, reynolds_dim, density, accel, omega, obstacles
    Problem("128x128", 128, 128, 40000, 10, 0.1, 0.005, 1.85, border),
    Problem("128x256", 128, 256, 40000, 10, 0.1, 0.005, 1.85, trough),
    Problem("256x256", 256, 256, 80000, 10, 0.1, 0.005, 1.85, border),
    Problem("1024x1024", 1024, 1024, 20000, 10, 0.1, 0.01, 1.85, divided_box),
    Problem("cylinder", 576, 80, 80000, 18, 0.1, 0.0013, 1.75, channel_with_cylinder),
    Problem("blocks_97x61", 97, 61, 20001, 10, 1.0, 0.003, 1.6, scattered_blocks),
    Problem("porous", 300, 200, 20000, 10, 0.1, 0.004, 1.7, porous_medium),
    Problem("box_2048x2048", 2048, 2048, 20000, 10, 0.1, 0.01, 1.85, border),
    # name, nx, ny, nz, iterations, reynolds_dim, density, accel, omega, start, obstacles
    Problem3D("taylor_green", 128, 128, 128, 1000, 128, 1.0, 0, 1.7, "taylor-green 0.02", None),
    Problem3D("cavity", 64, 64, 64, 10000, 62, 1.0, 0, 1.4577, None, lid_driven_cavity),
    Problem3D("sphere", 96, 64, 64, 5000, 16, 0.1, 0.002, 1.75, None, channel_with_sphere),
)


def all_files() -> dict[str, str]:
    """File name -> text, of every problem."""
    return {name: text for problem in PROBLEMS for name, text in problem.files()}


def write(folder: Path) -> None:
    """Writes every file, with the same line ends on every system."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in all_files().items():
        (folder / name).write_bytes(text.encode("ascii"))


def differences(folder: Path) -> list[str]:
    """One line for each file that differs, is missing, or that no problem in the table makes."""
    expected = all_files()
    found = {path.name: path for pattern in ("*.params", "*.dat") for path in folder.glob(pattern)}
    lines = [f"unknown: {name}" for name in sorted(found.keys() - expected.keys())]
    for name, text in expected.items():
        if name not in found:
            lines.append(f"missing: {name}")
        elif found[name].read_bytes() != text.encode("ascii"):
            lines.append(f"differs: {name}")
    return lines


def main() -> int:
    parser = argparse.ArgumentParser(description="Write or check the parameter and obstacle files.")
    parser.add_argument("folder", nargs="?", type=Path, default=Path(__file__).resolve().parent)
    parser.add_argument("--check", action="store_true", help="compare the files on disk; write nothing")
    arguments = parser.parse_args()
    if not arguments.check:
        write(arguments.folder)
        return 0
    lines = differences(arguments.folder)
    for line in lines:
        print(line, file=sys.stderr)
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main())
