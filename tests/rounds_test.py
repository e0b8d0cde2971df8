# Tier: all (a thousand comparisons)
"""Comparisons of a machine with itself, by the driver: measured rounds, drawn at random.

    rounds_test.py BOLTZMARK [COMPARISONS]

tests/rounds.jsonl has twenty rounds of three programs, measured on a shared machine of two cores. Compares ten of these
rounds with the other ten, 400 times, with one call of the driver for all programs. Fewer than one comparison in twenty
may report a difference in any program, and 93 to 97 % of the intervals of the ratios must contain 1. The
intervals of 300 medians of six, ten and fifteen rounds, drawn with replacement, must have the median of the twenty as
often."""

import csv
import json
import random
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path
from statistics import median
from typing import NamedTuple

HERE = Path(__file__).resolve().parent
LEAST, MOST = 0.93, 0.97


class Round(NamedTuple):
    """A round of a program: its seconds, and its line but for two words."""
    seconds: float
    line: str

    def text(self, variant: str, number: int) -> str:
        return self.line.replace("@variant", variant).replace('"@round"', str(number))


def round_of(entry: dict) -> Round:
    """Fields that no figure of seconds depends on are empty: the driver reads 93 000 entries."""
    record = entry["record"]
    record["provenance"] = {name: value and type(value)() for name, value in record["provenance"].items()}
    record |= {"asked": {}, "check": record["check"] | {"deviations": []}, "variant": "@variant"}
    key = entry["key"] | {"variant": "@variant", "round": "@round"}
    return Round(record["compute_seconds"], json.dumps(entry | {"command": "", "key": key, "record": record}) + "\n")


def read_rounds() -> dict[str, list[Round]]:
    """The rounds of each program."""
    rounds = defaultdict(list)
    for line in (HERE / "rounds.jsonl").read_text(encoding="utf-8").splitlines():
        entry = json.loads(line)
        if "key" in entry:
            rounds[f"{entry['key']['model']} {entry['key']['variant']}"].append(round_of(entry))
    return rounds


def write(file: Path, lines: list[str]) -> Path:
    file.write_text("".join(lines), encoding="utf-8")
    return file


def table(driver: str, folder: Path, name: str, *words: object) -> list[dict[str, str]]:
    subprocess.run([driver, *map(str, words), "--out", folder], check=True, stdout=subprocess.DEVNULL)
    with (folder / name).open(newline="", encoding="utf-8") as lines:
        return list(csv.DictReader(lines))


def comparisons(driver: str, folder: Path, rounds: dict[str, list[Round]], number: int) -> tuple[float, float]:
    """How many report a difference, and how many intervals have the truth."""
    count, different, covered, intervals = len(next(iter(rounds.values()))), 0, 0, 0
    for _ in range(number):
        order = random.sample(range(count), count)
        sides = [write(folder / f"{name}.jsonl", [measured[i].text(program, i + 1) for program, measured in rounds.items() for i in some])
                 for name, some in (("a", order[:count // 2]), ("b", order[count // 2:]))]
        rows = table(driver, folder, "comparison.csv", "compare", *sides)
        different += any(row["verdict"] in ("slower", "faster") for row in rows)
        assert all(row["verdict"] in ("slower", "faster", "within noise") for row in rows), rows
        covered += sum(float(row["ratio_low"]) <= 1.0 <= float(row["ratio_high"]) for row in rows)
        intervals += len(rows)
    return different / number, covered / intervals


def medians(driver: str, folder: Path, rounds: dict[str, list[Round]], number: int, drawn: int) -> float:
    """How many intervals of medians have the truth: a made-up variant for each draw, all in one call."""
    lines, truth = [], {}
    for program, measured in rounds.items():
        for i in range(number):
            name = f"{program} {i}"
            truth[name] = median(one.seconds for one in measured)
            lines += [one.text(name, place) for place, one in enumerate(random.choices(measured, k=drawn), 1)]
    rows = table(driver, folder, "figures.csv", "figures", "--results", write(folder / "medians.jsonl", lines))
    assert len(rows) == len(truth)
    return sum(float(row["seconds_low"]) <= truth[row["variant"]] <= float(row["seconds_high"]) for row in rows) / len(rows)


def main() -> int:
    driver, number = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 400
    random.seed(20261124)
    rounds = read_rounds()
    assert len(rounds) == 3 and all(len(entries) == 20 for entries in rounds.values())
    with tempfile.TemporaryDirectory() as name:
        different, ratios = comparisons(driver, Path(name), rounds, number)
        of_medians = {drawn: medians(driver, Path(name), rounds, 300, drawn) for drawn in (6, 10, 15)}
    print(f"{number} comparisons: {100 * different:.1f} % report a difference; intervals of ratios have the truth in "
          f"{100 * ratios:.1f} %, of medians in "
          + ", ".join(f"{100 * share:.1f} % ({drawn} rounds)" for drawn, share in of_medians.items()))
    return 0 if different < 0.05 and all(LEAST <= share <= MOST for share in (ratios, *of_medians.values())) else 1


if __name__ == "__main__":
    sys.exit(main())
