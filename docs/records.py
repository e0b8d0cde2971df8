"""Tables of the kept records (analysis/results/), from the output of `boltzmark figures` and `boltzmark tables`.

A block `<!-- generated: KIND FOLDER -->` is a line that says which machine, days, revision and rounds, and a table."""

import csv
import datetime
import json
import re
import subprocess
import tempfile
import textwrap
from pathlib import Path

KEPT = Path(__file__).resolve().parent.parent / "analysis/results"
PARTS = {"", "triad", "axis0", "axis3"}  # of runs with timed parts those that stand for the others


def table(header, rows):
    lines = ["| " + " | ".join(str(cell).replace("|", "\\|") for cell in row) + " |" for row in [header, *rows]]
    return "\n".join([lines[0], "|" + "---|" * len(header), *lines[1:]])


def digits(number):
    """Three of them, thousands apart."""
    shown = float(f"{number:.3g}")
    return f"{shown:,.0f}".replace(",", " ") if shown >= 100 else f"{shown:.3g}"


class Folder:
    """Records of a machine: rows of figures.csv, and the tables of its page."""

    def __init__(self, driver, name):
        self.name, self.driver = name, driver
        with tempfile.TemporaryDirectory() as out:
            self.call("figures", "--results", KEPT / name, "--out", out)
            with open(Path(out) / "figures.csv", encoding="utf-8") as file:
                self.every = list(csv.DictReader(file))
        self.rows = [row for row in self.every if row["status"] == "ok" and row["passed"] != "false"]

    def call(self, *words):
        command = [str(word) for word in [self.driver, *words]]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout

    def machine(self):
        gpus = sorted({row["device"] for row in self.rows if row["device_type"] == "gpu"})
        cpu = f"{self.rows[0]['cores']} cores of {re.sub(r'[(]R[)]|Processor', '', self.rows[0]['cpu']).strip()}"
        return f"{', '.join(gpus)} (host: {cpu})" if gpus else cpu

    def days(self):
        days = sorted({datetime.date.fromisoformat(row["date"][:10]) for row in self.rows})
        text = [f"{one.day} {one:%B %Y}" for one in days]
        return text[0] if len(text) == 1 else f"{text[0].removesuffix(f'{days[-1]: %B %Y}')} to {text[-1]}"

    def revisions(self):
        return ", ".join(f"`{one}`" for one in sorted({row["revision"] for row in self.rows}))

    def rounds(self, rows=None):
        counts = sorted({int(row["rounds"]) for row in rows or self.rows})
        return f"{counts[0]} to {counts[-1]} rounds" if len(counts) > 1 else f"{counts[0]} round{'s' * (counts[0] > 1)}"

    def results(self):
        """How many figures are of checked results, and how many have a bound."""
        unchecked = sum(not is_checked(row) for row in self.rows)
        counts = {"right": len(self.rows) - unchecked, "not checked": unchecked,
                  "wrong": sum(row["passed"] == "false" for row in self.every),
                  "with a bound": sum(row["share_of_bound"] != "" for row in self.rows)}
        return ", ".join(f"{count} {words}" for words, count in counts.items() if count)

    def caption(self, text):
        return textwrap.fill(f"{text}. {self.machine()}; {self.days()}; revision {self.revisions()}; {self.rounds()}; "
                             f"figures: {self.results()}.", 120)


def precision_of(row):
    return "f16" if "--storage f16" in row["setting"] else row["precision"]


MARK = "\u2020"
UNCHECKED = f"; {MARK}: not checked"


def is_checked(row):
    return row["passed"] == "true"


def mark(row):
    return "" if is_checked(row) else MARK


def rank(row):
    """A checked result has precedence."""
    return is_checked(row), float(row["rate"])


def models_in(rows, order):
    return [model for model in order if any(row["model"] == model for row in rows)]


def case_of(row):
    return row["case"].replace("box_", "") + (f" {row['part']}" if row["part"] else "")


class Tables:
    """The kinds of blocks; a class that derives from this one has `folder`, that of the programs, `MODELS` and
    `WORKLOADS`."""

    def kept(self, name):
        self.read = getattr(self, "read", {})
        if name not in self.read:
            self.read[name] = Folder(self.folder / "boltzmark", name)
        return self.read[name]

    def records(self, page, _):
        """Every folder: machine, days, revision, rounds, and the page that has its tables."""
        pages = {name: found for found in sorted(page.parent.glob("*.md"))
                 for name in re.findall(r"<!-- generated: \w+ ([\w-]+) -->", found.read_text(encoding="utf-8"))}
        rows = []
        for name in sorted(path.parent.name for path in KEPT.glob("*/runs.jsonl")):
            one = self.kept(name)
            machine = one.machine().split(" (host")[0]
            shown = f"[{machine}]({pages[name].name})" if name in pages else machine
            rows.append([f"`{name}`", shown, one.days(), one.revisions(), one.rounds(), one.results()])
        return table(["records", "machine", "date", "revision", "rounds", "results"], rows)

    def verdicts(self, *_):
        """For every folder with peaks, the number of figures with each verdict, and their shares."""
        rows = []
        for name in sorted(path.parent.name for path in KEPT.glob("*/peaks.json")):
            tables = json.loads(self.kept(name).call("tables", "--json", KEPT / name))["tables"]
            lines = next(one["rows"] for one in tables if one["id"] == "verdicts")
            rows.append([f"`{name}`", ", ".join(f"{line['verdict']} {line['figures']}" + (
                f" ({100 * line['least']:.0f} to {100 * line['most']:.0f} %)" if "least" in line else "") for line in lines)])
        return table(["records", "verdicts: figures (smallest to largest share)"], rows)

    def rates(self, _, name):
        """Each model's fastest variant in every precision, one line per problem."""
        one = self.kept(name)
        rows = [row for row in one.rows if row["part"] in PARTS]
        models = models_in(rows, self.MODELS)
        lines = {}
        for row in rows:
            best = lines.setdefault((self.WORKLOADS.index(row["workload"]), int(row["elements"]), case_of(row)), {})
            at = row["model"], precision_of(row)
            if at not in best or rank(row) > rank(best[at]):
                best[at] = row
        text = []
        for (workload, _, case), best in sorted(lines.items(), key=lambda line: line[0]):
            precisions = [one for one in ("f32", "f64", "f16") if any(at[1] == one for at in best)]
            places = [(model, precision) for model in models for precision in precisions]
            cells = {at: self.cell(best, at) for at in places}
            text.append([f"{self.WORKLOADS[workload]} {case}",
                         f"{next(iter(best.values()))['rate_unit']}, {', '.join(precisions)}"]
                        + [", ".join(cells[model, precision] for precision in precisions)
                           if any((model, precision) in best for precision in precisions) else "" for model in models])
        return one.caption("Rate of each model's fastest variant (bold: fastest, or tied, where every model has three "
                           "rounds; f16: single precision, stored as halves" + UNCHECKED * any(
                               MARK in cell for line in text for cell in line) + ")") + "\n\n" + \
            table(["problem", "unit", *models], text)

    @staticmethod
    def cell(best, at):
        """A figure, bold where it is the fastest of its precision or tied, if all are checked in rounds enough to tell."""
        rivals = {other: row for other, row in best.items() if other[1] == at[1]}
        if at not in rivals:
            return "-"
        rate = float(rivals[at]["rate"])
        is_first = rate == max(float(row["rate"]) for row in rivals.values()) or rivals[at]["standing"] == "tie"
        is_ranked = len(rivals) > 1 and all(int(row["rounds"]) >= 3 and is_checked(row) for row in rivals.values())
        return (f"**{digits(rate)}**" if is_first and is_ranked else digits(rate)) + mark(rivals[at])

    def shares(self, _, name):
        """Each model's smallest share for every workload, and of its bound: the first view of the page."""
        one = self.kept(name)
        view = json.loads(one.call("tables", "--json", KEPT / name))["overview"]["views"][0]

        def cell(found):
            if not found or found["share"] is None:
                return ""
            roof = f"/{100 * found['roof']:.0f}" if found["roof"] else ""
            return f"{found['sign']}{100 * found['share']:.0f}{roof}{found['mark']}"

        rows = [[line["label"], line["problems"], *map(cell, line["cells"])] for line in view["by_workload"]]
        left_out = sorted({row["workload"] for row in one.rows} - {line["workload"] for line in view["lines"]})
        return one.caption("Same algorithm in every model: % of the fastest model's rate and, after a slash, % of the "
                           "bound, on the problem where the former is smallest (=: tie, ?: undecided, "
                           "\u00b7: one or two rounds, not ranked, !: noisy" + f"; not run: {', '.join(left_out)}" * bool(left_out) + ")") + "\n\n" + \
            table(["workload", "problems", *view["columns"]], rows)

    def ladder(self, _, name):
        """Variants of lattice Boltzmann in OpenCL over the standard problems."""
        one = self.kept(name)
        rows = [row for row in one.rows
                if (row["workload"], row["model"], row["precision"]) == ("lbm", "opencl", "f32")]
        cases = list(dict.fromkeys(row["case"] for row in sorted(rows, key=lambda row: int(row["elements"]))))
        lines = {}
        for row in rows:
            name = " ".join(f"`{word}`" for word in (row["variant"], row["setting"]) if word)
            lines.setdefault(name, {})[row["case"]] = row
        return one.caption("Variants of `lbm-opencl`, f32, MLUPS") + "\n\n" + table(
            ["variant", *(case.replace("box_", "") for case in cases)],
            [[variant, *(digits(float(of[case]["rate"])) if case in of else "" for case in cases)]
             for variant, of in lines.items()])

    def scaling(self, _, name):
        """Rates over ranks or threads; the rate of one rank is that without words on halos."""
        one = self.kept(name)
        single, lines, counts = {}, {}, set()
        for row in one.rows:
            if row["part"] not in PARTS or (row["model"] == "mpi" and int(row["threads"] or 0) > 1):
                continue
            words = re.sub(r"--local (\w+) ?", "", row["setting"]).strip()
            local = (re.findall(r"--local (\w+)", row["setting"]) or [""])[0]
            key = row["workload"], case_of(row), row["model"], row["variant"], local
            if row["workers"] == "1":
                single.setdefault(key, row)
            else:
                lines.setdefault((*key, words), {})[int(row["workers"])] = row
                counts.add(int(row["workers"]))
        text = []
        for (*key, words), of in lines.items():
            if tuple(key) in single:
                of = {1: single[tuple(key)], **of}
            if len(of) < min(3, len(counts)):
                continue    # no line
            text.append([f"{key[0]} {key[1]}", " ".join(filter(None, [key[2], key[3], key[4]])), words,
                         next(iter(of.values()))["rate_unit"],
                         *(digits(float(of[count]["rate"])) if count in of else "" for count in [1, *sorted(counts)])])
        text.sort()
        # Omits what a line has in common with the one above it, and columns without words.
        shown = [[*("" if at and text[at - 1][:1] + text[at - 1][3:4] == line[:1] + line[3:4] else cell for cell in line[:1]),
                  *line[1:]] for at, line in enumerate(text)]
        header = ["problem", "variant", "options", "unit", "1", *map(str, sorted(counts))]
        empty = [i for i, name in enumerate(header) if name == "options" and not any(line[i] for line in text)]
        drop = lambda line: [cell for i, cell in enumerate(line) if i not in empty]
        return one.caption("Rate over workers (ranks or threads)") + "\n\n" + table(drop(header), map(drop, shown))

    def energy(self, _, name):
        one = self.kept(name)
        rows = [[case_of(row), row["model"], row["variant"], digits(float(row["watts"])),
                 digits(float(row["updates_per_joule"]) / 1e6)] for row in one.rows if row["watts"]]
        return one.caption("Power, and million updates per joule, by the device's energy counter") + "\n\n" + \
            table(["problem", "model", "variant", "W", "updates"], rows)

    def standard(self, _, names):
        """Lattice Boltzmann in single precision on several machines, each with its own four problems."""
        captions, text = [], []
        for one in map(self.kept, names.split(",")):
            rows = [row for row in one.rows if row["workload"] == "lbm" and precision_of(row) == "f32"]
            ordered = sorted({row["case"] for row in rows}, key=lambda case: [len(case), case])
            planes, spaces = ([case for case in ordered if case.count("x") - case.count("box") == of] for of in (1, 2))
            cases = planes[:2] + [""] * (2 - len(spaces[-2:])) + spaces[-2:]
            best = {}
            for row in rows:
                key = row["model"], row["case"]
                best[key] = max(best.get(key, row), row, key=rank)
            captions.append(f"{one.machine()}: {one.days()}, revision {one.revisions()}, {one.rounds(rows)}"
                            + UNCHECKED * any(row["case"] in cases and mark(row) for row in best.values()))
            text.append([f"**{one.machine()}**", *(case and f"**{case.replace('box_', '')}**" for case in cases)])
            cell = lambda row: row and digits(float(row["rate"])) + mark(row)
            text += [[f"`{model}`", *(cell(best.get((model, case), "")) for case in cases)]
                     for model in models_in(rows, self.MODELS)]
        return table(["model", "plane, small", "plane, large", "space, small", "space, large"], text) \
            + "\n\n" + ".\n".join(captions) + "."
