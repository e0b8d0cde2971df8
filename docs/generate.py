#!/usr/bin/env python3
"""Tables of programs, variants, options, plans and commands in the Markdown files, from what the built programs say of
themselves (--describe, --help-all), and columns of the files of figures.

    python3 docs/generate.py build/bin            # write them
    python3 docs/generate.py build/bin --check    # exit status 1 and a line for each file that would change

A table stands between `<!-- generated: KIND ARGUMENT -->` and `<!-- end of generated -->`. A build that lacks programs
which the tables have changes nothing: exit status 3."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent
MODELS = ["serial", "stdpar", "tbb", "kokkos", "thrust", "openmp", "openmp_target", "openacc", "mpi", "opencl", "cuda",
          "hip"]
WORKLOADS = ["lbm", "stream", "reduce", "scan", "segments", "axes", "matmul", "heat", "binary_fluid", "pi", "galton", "nbody",
             "xray", "magnetic_field", "shallow_water", "lbm_cylinder"]
BLOCK = re.compile(r"(<!-- generated: (\w+) ?(\S*) ?-->\n).*?(<!-- end of generated -->)", re.DOTALL)

# Variants of lattice Boltzmann by idea.
IDEAS = [
    ("as a student of the model writes it, in one short file", r"textbook"),
    ("a ladder for learners, one change a file", r"swap|fused-loops|soa|no-branches|simd|threads|one-region"),
    ("the published optimisation steps one by one",
     r"initial|data-movement|local-reduction|coalesced|masked|further|published"),
    ("same algorithm in every model: one pass per step, two grids", r"two-grid|fused"),
    ("in place: one grid (AA pattern), half the memory", r"in-place"),
    ("several steps in one sweep or launch", r"wavefront|split-tiling|shared|time-block|(resident|overlapped)-wavefront"),
    ("all steps in one launch", r"persistent"),
]


def output(*command):
    """Standard output of a program, as root too and independent of the machine's settings."""
    env = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", COLUMNS="120", LC_ALL="C")
    return subprocess.run([str(word) for word in command], env=env, capture_output=True, text=True, check=True).stdout


def table(header, rows):
    lines = ["| " + " | ".join(str(cell).replace("|", "\\|") for cell in row) + " |" for row in [header, *rows]]
    return "\n".join([lines[0], "|" + "---|" * len(header), *lines[1:]])


def options_in(text):
    """(name, value, meaning) of each option of a help text. CLI11 puts the meaning behind two spaces or on the next line."""
    text = re.sub(r" Excludes:((?: --[\w-]+)+)", lambda found: " " * len(found[0]), text)
    for name, value, meaning in re.findall(r"^  (?:-\w,)?--([\w-]+)(?: (\S.*?))? *(?:  |\n {20})+ *(\S.*)$", text, re.MULTILINE):
        choices = re.search(r"{(.*)}", value)
        yield name, choices[1].replace(",", "|") if choices else "N" if " in [" in value else value, meaning


def call(text, known):
    """The usage line of a help text, and a table of its arguments and of the options that are not known."""
    arguments = re.findall(r"^  ([A-Z]\S*)(?: [^\n]*?)?(?:  +|\n {20,})(\S.*)$", text.split("\nOptions:")[0], re.MULTILINE)
    rows = [[f"`{name}`", meaning] for name, meaning in arguments]
    rows += [[code(name, value), meaning] for name, value, meaning in options_in(text) if name not in known]
    return re.search(r"^Usage: (.*)$", text, re.MULTILINE)[1], table(["argument or option", "meaning"], rows)


def code(name, value):
    return f"`{' '.join(filter(None, ['--' + name, value]))}`"


class Suite:
    """The programs of a build, as they describe themselves."""

    def __init__(self, folder):
        self.folder = Path(folder).resolve()
        listed = json.loads((self.folder.parent / "share/boltzmark/programs.json").read_text(encoding="utf-8"))
        self.programs = {}
        for one in listed:
            if not one["skipped"] and (self.folder / one["program"]).exists():
                self.add(one["program"])
        unknown = {one["model"] for one in self.programs.values()} - set(MODELS)
        unknown |= {one["workload"] for one in self.programs.values()} - set(WORKLOADS)
        if unknown:
            raise SystemExit(f"docs/generate.py: {', '.join(sorted(unknown))}: expected among MODELS or WORKLOADS, with a page")
        for program in sorted({"heat-mpi", "lbm-mpi", "matmul-mpi", "reduce-mpi", "stream-mpi"} & set(self.programs)):
            for local in ("opencl", "cuda"):
                try:
                    self.add(program, "--local", local)
                except subprocess.CalledProcessError:
                    pass  # not in this build

    def add(self, *command):
        one = json.loads(output(self.folder / command[0], *command[1:], "--describe"))
        self.programs[" ".join(command)] = one | {"help": output(self.folder / command[0], *command[1:], "--help-all")}

    def of(self, model, workload):
        return [name for name, one in self.programs.items() if (one["model"], one["workload"]) == (model, workload)]

    def matrix(self, page, _):
        def cell(model, workload):
            programs = self.of(model, workload)
            to = os.path.relpath(TOP / "docs/models" / f"{model}.md", page.parent)
            return f"[{len(self.programs[programs[0]]['variants'])}]({to}#{programs[0]})" if programs else ""

        return table(["variants of", *(f"`{model}`" for model in MODELS)],
                     [[f"`{workload}`", *(cell(model, workload) for model in MODELS)] for workload in WORKLOADS])

    def ideas(self, *_):
        found = {}
        for model in MODELS:
            for variant in self.programs[self.of(model, "lbm")[0]]["variants"]:
                name = "initial" if (model, variant["name"]) == ("opencl", "fused") else variant["name"]  # a step there
                idea = next((idea for idea, names in IDEAS if re.fullmatch(names, name)), "steps between these")
                found.setdefault(idea, {}).setdefault(model, []).append(f"`{variant['name']}`")
        ideas = [idea for idea, _ in IDEAS] + ["steps between these"]
        return table(["idea", *MODELS], [[idea, *(", ".join(found[idea].get(model, [])) for model in MODELS)]
                                         for idea in ideas if idea in found])

    def variants(self, _, model):
        text = []
        for workload in WORKLOADS:
            for name in self.of(model, workload):
                one = self.programs[name]
                kinds = any(variant["kinds"] for variant in one["variants"])
                rows = [[f"`{variant['name']}`", variant["role"].replace("like-for-like", "same algorithm"),
                         ", ".join(variant["precisions"]),
                         *([", ".join((["D2Q9"] if workload == "lbm" else []) + variant["kinds"])] if kinds else []),
                         ", ".join(f"`--{option['name']}`" for option in variant["options"]), variant["summary"]]
                        for variant in one["variants"]]
                header = ["variant", "role", "precision", *(["problems"] if kinds else []), "own options", "what it is"]
                text.append(f"### `{name}`\n\n{one['summary']}.\n\n{table(header, rows)}\n")
        return "\n".join(text).rstrip()

    def options(self, _, model):
        """Those of a model's programs that are not the runner's or the workload's, by meaning."""
        found = {}
        for workload in WORKLOADS:
            for program in self.of(model, workload):
                own = {option["name"]: option for option in self.programs[program]["options"]}
                for name, value, meaning in options_in(self.programs[program]["help"]):
                    if name in own:
                        found.setdefault((name, value, meaning), []).append(program)
        every = sum(one["model"] == model for one in self.programs.values())
        return table(["option", "meaning", "of"],
                     [[code(name, value), meaning, "all" if len(of) == every else ", ".join(f"`{program}`" for program in of)]
                      for (name, value, meaning), of in sorted(found.items(), key=lambda item: (-len(item[1]), item[0]))])

    def of_runner(self):
        """Names of the options that the runner gives programs, whatever they compute."""
        return set.intersection(*(set(one["takes"]) for one in self.programs.values())) | {"tuned", "no-tuned"}

    def runner(self, *_):
        return table(["option", "meaning"],
                     [[code(name, value), meaning.split("; default")[0]]
                      for name, value, meaning in options_in(self.programs["lbm-serial"]["help"]) if name in self.of_runner()])

    def workloads(self, *_):
        """Of each workload how its programs are called, and its own options: what models add is on their pages."""
        text = []
        for workload in WORKLOADS:
            program = self.programs[self.of("serial", workload)[0]]
            known = self.of_runner() | {option["name"] for option in program["options"]}
            usage, rows = call(program["help"], known)
            text.append(f"### {workload}\n\n`{usage.replace('-serial', '-MODEL')}`\n\n{rows}")
        return "\n\n".join(text)

    def commands(self, *_):
        driver = self.folder / "boltzmark"
        names = re.findall(r"^  ([a-z][\w-]+)  +(.*)$", output(driver, "--help").split("ubcommands:")[1], re.MULTILINE)
        text = []
        for name, meaning in names:
            usage, rows = call(output(driver, name, "--help"), {"help"})
            text.append(f"## {name}\n\n{meaning[0].upper()}{meaning[1:]}.\n\n`{usage}`" + (f"\n\n{rows}" if "\n| `" in rows else ""))
        return "\n\n".join(text)

    def columns(self, _, file):
        """Those of a file of figures, with their units, types and meanings."""
        declared = json.loads(output(self.folder / "boltzmark", "figures", "--describe", "--json"))[file]
        return table(["column", "unit", "type", "meaning"],
                     [[f"`{one['name']}`", one["unit"], one["type"], one["meaning"]] for one in declared])

    def plans(self, *_):
        plans = sorted((TOP / "analysis/plans").glob("*.json"))
        return table(["plan", "what it runs"],
                     [[f"`{plan.stem}`", json.loads(plan.read_text(encoding="utf-8"))["summary"]] for plan in plans])


def pages():
    for folder, folders, files in os.walk(TOP):
        folders[:] = sorted(name for name in folders if not re.match(r"build|bundle$|results$|checks$|\.", name)
                            or folder.endswith(("/docs", "/analysis")))
        yield from (Path(folder) / name for name in sorted(files) if name.endswith(".md"))


def generated(suite, page):
    """Text of a page as it should be."""
    return BLOCK.sub(lambda block: f"{block[1]}{getattr(suite, block[2])(page, block[3])}\n{block[4]}",
                     page.read_text(encoding="utf-8"))


def lacking(suite):
    """Programs that the pages of models have and the build has not."""
    text = "".join((TOP / "docs/models" / f"{model}.md").read_text(encoding="utf-8") for model in MODELS)
    return sorted(set(re.findall(r"^### `(\S+).*`$", text, re.MULTILINE)) - {name.split()[0] for name in suite.programs})


def main():
    suite = Suite(next(word for word in sys.argv[1:] if word != "--check"))
    missing = lacking(suite)
    if missing:
        print(f"docs/generate.py: this build has no {', '.join(missing)}; nothing was compared")
        return 3
    status = 0
    for page in pages():
        text = generated(suite, page)
        if text != page.read_text(encoding="utf-8"):
            print(f"{page.relative_to(TOP)}: {'differs from what the programs say' if '--check' in sys.argv else 'written'}")
            if "--check" in sys.argv:
                status = 1
            else:
                page.write_text(text, encoding="utf-8")
    return status


if __name__ == "__main__":
    sys.exit(main())
