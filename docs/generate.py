#!/usr/bin/env python3
"""Tables of programs, variants, options and commands in the Markdown files, from the built programs' descriptions
(--describe, --help-all), columns of the files of figures, and results from the kept records (records.py).

    python3 docs/generate.py build/bin            # write them
    python3 docs/generate.py build/bin --check    # exit status 1 and a line for each file that would change

A table stands between `<!-- generated: KIND ARGUMENT -->` and `<!-- end of generated -->`. If the build lacks programs
that the tables contain, nothing changes: exit status 3."""

import contextlib
import functools
import json
import os
import re
import subprocess
import sys
import textwrap
from pathlib import Path

sys.dont_write_bytecode = True
import records  # pylint: disable=wrong-import-position
from records import table  # pylint: disable=wrong-import-position

TOP = Path(__file__).resolve().parent.parent
KNOWN = TOP / "analysis/models"  # what `boltzmark models` says of models
MODELS = list(json.loads((KNOWN / "facts.json").read_text(encoding="utf-8"))[0])[1:]
WORKLOADS = ["lbm", "stream", "reduce", "scan", "segments", "axes", "matmul", "heat", "binary_fluid", "pi", "galton", "nbody",
             "xray", "magnetic_field", "shallow_water", "lbm_cylinder"]
LAYER = WORKLOADS[WORKLOADS.index("binary_fluid"):]  # workloads whose kernels are written once for all models
BLOCK = re.compile(r"(<!-- generated: (\w+) ?(\S*) ?-->\n).*?(<!-- end of generated -->)", re.DOTALL)

# Variants of lattice Boltzmann by idea.
IDEAS = [
    ("as a student of the model writes it, in one short file", r"textbook"),
    ("a ladder for learners, one change per file", r"swap|fused-loops|soa|no-branches|simd|threads|one-region"),
    ("the published optimisation steps one by one",
     r"initial|data-movement|local-reduction|coalesced|masked|further|published"),
    ("same algorithm in every model: one pass per step, two grids", r"two-grid|fused"),
    ("in place: one grid (AA pattern), half the memory", r"in-place"),
    ("several steps in one sweep or launch", r"wavefront|split-tiling|shared|time-block|(resident|overlapped)-wavefront"),
    ("all steps in one launch", r"persistent"),
]


def output(*command):
    """Standard output of a program, also as root, independent of the machine's settings."""
    env = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", COLUMNS="120", LC_ALL="C")
    return subprocess.run([str(word) for word in command], env=env, capture_output=True, text=True, check=True).stdout


def described(*program):
    return json.loads(output(*program, "--describe")) | {"help": output(*program, "--help-all")}


def options_in(text):
    """(name, value, meaning) of each option of a help text. CLI11 writes the meaning after two spaces or on the next
    line."""
    text = re.sub(r" Excludes:((?: --[\w-]+)+)", lambda found: " " * len(found[0]), text)
    for name, value, meaning in re.findall(r"^  (?:-\w,)?--([\w-]+)(?: (\S.*?))? *(?:  |\n {20})+ *(\S.*)$", text, re.MULTILINE):
        choices = re.search(r"{(.*)}", value)
        yield name, choices[1].replace(",", "|") if choices else "N" if " in [" in value else value, meaning


def call(text, known):
    """The usage line of a help text, its arguments, and the options that are not in `known`."""
    arguments = re.findall(r"^  ([A-Z]\S*)(?: [^\n]*?)?(?:  +|\n {20,})(\S.*)$", text.split("\nOptions:")[0], re.MULTILINE)
    return (re.search(r"^Usage: (.*)$", text, re.MULTILINE)[1], arguments,
            [option for option in options_in(text) if option[0] not in known])


def code(name, value):
    return f"`{' '.join(filter(None, ['--' + name, value]))}`"


def is_in(variants, variant):
    return any((one["name"], one["summary"]) == (variant["name"], variant["summary"]) for one in variants)


def limits(variant, kinds):
    """Precision and problems if a variant lacks some; for lattice Boltzmann, kinds are those besides D2Q9."""
    notes = [f"{', '.join(variant['precisions'])} only"] if len(variant["precisions"]) < 2 else []
    return notes + ([f"{', '.join(variant['kinds']) or 'D2Q9'} only"] if kinds - set(variant["kinds"]) else [])


def item(variant, notes):
    """An item of a list; the variant with the same algorithm in every model is bold."""
    name = f"**`{variant['name']}`**" if variant["role"] == "like-for-like" else f"`{variant['name']}`"
    return wrapped(f"- {name}: {variant['summary']}" + (f" ({', '.join(notes)})" if notes else ""))


def explained(options, model):
    """A list of {(name, value, meaning): programs}; if several share a name, with their programs."""
    names = [name for name, _, _ in options]
    items = []
    for (name, value, meaning), programs in sorted(options.items(), key=lambda item: (-len(item[1]), item[0])):
        words = [program.replace("-mpi", "").replace(f"-{model.replace('_', '-')}", "") for program in programs]
        where = f" ({', '.join(words)})" if names.count(name) > 1 and len(words) < 4 else ""
        items.append(wrapped(f"- {code(name, value)}{where}: {meaning}"))
    return "\n".join(items)


def wrapped(text, indent="  "):
    """Wrapped text in which no line begins with a minus, which would start a list."""
    text = text.replace(" - ", "\0- ")
    return textwrap.fill(text, 120, subsequent_indent=indent, break_on_hyphens=False,
                         break_long_words=False).replace("\0", " ")


class Suite(records.Tables):
    """The programs of a build and their descriptions."""

    MODELS, WORKLOADS = MODELS, WORKLOADS

    def __init__(self, folder):
        self.folder = Path(folder).resolve()

    @functools.cached_property
    def programs(self):
        """Started only for the tables that show them."""
        listed = json.loads((self.folder.parent / "share/boltzmark/programs.json").read_text(encoding="utf-8"))
        programs = {}
        for one in listed:
            name = one["program"]
            if not one["skipped"] and (self.folder / name).exists():
                programs[name] = described(self.folder / name)
            elif (stand_in := self.folder.parent / "tests" / f"host_{one['model']}" / name).exists():
                programs[name] = described(stand_in)  # of a model that this build lacks, by the tests'
        unknown = {one["model"] for one in programs.values()} - set(MODELS)
        unknown |= {one["workload"] for one in programs.values()} - set(WORKLOADS)
        if unknown:
            raise SystemExit(f"docs/generate.py: {', '.join(sorted(unknown))}: expected among MODELS or WORKLOADS, with a page")
        for name in sorted({"heat-mpi", "lbm-mpi", "matmul-mpi", "reduce-mpi", "stream-mpi"} & set(programs)):
            for local in ("opencl", "cuda"):
                with contextlib.suppress(subprocess.CalledProcessError):  # not in this build
                    programs[f"{name} --local {local}"] = described(self.folder / name, "--local", local)
        return programs

    def of(self, model, workload):
        return [name for name, one in self.programs.items() if (one["model"], one["workload"]) == (model, workload)]

    def matrix(self, page, _):
        def link(model):
            return f"[`{model}`]({os.path.relpath(TOP / 'docs/models' / f'{model}.md', page.parent)})"

        def cell(model, workload):
            programs = self.of(model, workload)
            return len(self.programs[programs[0]]["variants"]) if programs else ""

        return table(["", *(link(model) for model in MODELS)],
                     [[f"`{workload}`", *(cell(model, workload) for model in MODELS)] for workload in WORKLOADS])

    def ideas(self, *_):
        found = {}
        for model in MODELS:
            for variant in self.programs[self.of(model, "lbm")[0]]["variants"]:
                name = "initial" if (model, variant["name"]) == ("opencl", "fused") else variant["name"]  # a step there
                idea = next((idea for idea, names in IDEAS if re.fullmatch(names, name)), "steps between these")
                found.setdefault(idea, {}).setdefault(variant["name"], []).append(model)
        ideas = [idea for idea, _ in IDEAS] + ["steps between these"]
        return "\n".join(wrapped(f"- **{idea}**: " + "; ".join(f"`{name}` ({', '.join(models)})"
                                                              for name, models in found[idea].items()))
                         for idea in ideas if idea in found)

    def in_layer(self, workload):
        """(variant, models that lack it) of a workload in the layer: those that most of its models have."""
        models = [model for model in MODELS if self.of(model, workload)] if workload in LAYER else []
        has = {}
        for model in models:
            for variant in self.programs[self.of(model, workload)[0]]["variants"]:
                has.setdefault((variant["name"], variant["summary"]), (variant, []))[1].append(model)
        return [(variant, [model for model in models if model not in found]) for variant, found in has.values()
                if 2 * len(found) > len(models)]

    def layer(self, *_):
        text = []
        for workload in LAYER:
            found = self.in_layer(workload)
            kinds = {kind for variant, _ in found for kind in variant["kinds"]}
            text.append(f"`{workload}`:\n")
            text += [item(variant, limits(variant, kinds) + ([f"not in {', '.join(lacking_it)}"] if lacking_it else []))
                     for variant, lacking_it in found]
            text[-1] += "\n"
        return "\n".join(text).rstrip()

    def runs_opencl_kernels(self, program):
        """Whether another model's program runs OpenCL's kernels and has their variants and options."""
        return self.programs[program]["model"] in ("cuda", "hip") or " --local " in program

    def items(self, program):
        """A list of the variants that only this page has, with the options that not all tuned ones take; those of
        OpenCL's program by name. And the word "all" if the program has all of these."""
        one = self.programs[program]
        workload, every = one["workload"], one["variants"]
        opencl = self.programs[self.of("opencl", workload)[0]] if self.runs_opencl_kernels(program) else {"variants": []}
        there = [] if workload in LAYER else [variant for variant in every if is_in(opencl["variants"], variant)]
        shared = there + [variant for variant, _ in self.in_layer(workload)]
        tuned = [variant for variant in every if variant["role"] != "textbook"] or every
        usual = set.intersection(*({option["name"] for option in variant["options"]} for variant in tuned))
        items = [item(variant, [f"`--{option['name']}`" for option in variant["options"] if option["name"] not in usual] +
                      limits(variant, {"D3Q19"} if workload == "lbm" else set()))
                 for variant in every if not is_in(shared, variant)]
        if there and len(there) == len(opencl["variants"]):
            return items, "all"
        if there:
            names = ", ".join(f"`{variant['name']}`" for variant in there)
            items.append(wrapped(f"- {names}: as in [`{opencl['program']}`](opencl.md#{opencl['program']})"))
        return items, ""

    def variants(self, _, model):
        """Variants of a model's programs; those on another page, of OpenCL's kernels and of the layer, only by name."""
        text, of_opencl, layer = [], [], []
        for workload in WORKLOADS:
            for program in self.of(model, workload):
                if "--local cuda" in program:
                    continue  # has what --local opencl has
                items, there = self.items(program)
                name = f"`{program.replace('--local opencl', '--local opencl|cuda')}`"
                if items:
                    text.append(f"### {name}\n\n" + "\n".join(items))
                if there == "all":
                    of_opencl.append(name)
                if workload in LAYER:
                    layer.append(program)
        if of_opencl:
            text.append("### Kernels of OpenCL\n\n" +
                        wrapped(f"[All variants of OpenCL](opencl.md#variants): {', '.join(of_opencl)}.", ""))
        if layer:
            names = sorted({f"`--{option['name']}`" for program in layer for variant in self.programs[program]["variants"]
                            for option in variant["options"]})
            text.append("### Written once for all models\n\n" + wrapped(
                f"[Variants of the layer](index.md#variants-of-the-layer){', with ' if names else ''}{', '.join(names)}: "
                f"{', '.join(f'`{program}`' for program in layer)}.", ""))
        return "\n\n".join(text)

    def options(self, _, model):
        """Options of a model's programs besides those of the runner and the workload. The first page of models explains
        those of several models, and OpenCL's page those of its kernels."""
        several, opencl, found = self.options_of_several(), self.options_of("opencl"), self.options_of(model)
        own = {key: programs for key, programs in found.items() if key not in several and
               not (key in opencl and all(self.runs_opencl_kernels(program) for program in programs))}
        names = dict.fromkeys(f"`--{key[0]}`" for key in found if key in several)
        text = explained(own, model)
        if names:
            text += ("\n" if text else "") + wrapped(
                f"- [those of several models](index.md#options-of-several-models): {', '.join(names)}")
        return text

    def options_of_several(self):
        """(name, value, meaning): programs, for options that at least three models explain equally; models that run
        OpenCL's kernels count as one."""
        found = {}
        for model in MODELS:
            for key, programs in self.options_of(model).items():
                for program in programs:
                    family = "opencl" if self.runs_opencl_kernels(program) else model
                    found.setdefault(key, {}).setdefault(family, []).append(program)
        return {key: sum(families.values(), []) for key, families in found.items() if len(families) > 2}

    def shared_options(self, *_):
        return explained(self.options_of_several(), "")

    def options_of(self, model):
        """(name, value, meaning) of each option of a model's programs: the programs."""
        found = {}
        for workload in WORKLOADS:
            for program in self.of(model, workload):
                own = {option["name"] for option in self.programs[program]["options"]}
                for option in options_in(self.programs[program]["help"]):
                    if option[0] in own:
                        found.setdefault(option, []).append(program)
        return found

    def source(self, _, file):
        """A source file, unchanged."""
        path = TOP / file
        language = {".cl": "c", ".hpp": "cpp", ".cu": "cpp"}.get(path.suffix, path.suffix[1:])
        return f"```{language}\n{path.read_text(encoding='utf-8').rstrip()}\n```"

    def of_runner(self):
        """Names of the options that every program has from the runner."""
        return set.intersection(*(set(one["takes"]) for one in self.programs.values())) | {"tuned", "no-tuned"}

    def runner(self, *_):
        return table(["option", "meaning"],
                     [[code(name, value), meaning.split("; default")[0]]
                      for name, value, meaning in options_in(self.programs["lbm-serial"]["help"]) if name in self.of_runner()])

    def workloads(self, *_):
        """Usage of each workload's programs, and its options; options of models are on their pages."""
        rows = []
        for workload in WORKLOADS:
            program = self.programs[self.of("serial", workload)[0]]
            known = self.of_runner() | {option["name"] for option in program["options"]}
            usage, arguments, options = call(program["help"], known)
            meanings = [f"{name}: {meaning.split(';')[0]}" + "".join(re.findall(r"; default: [^;]*", meaning))
                        for name, meaning in arguments]
            rows.append([f"`{usage.replace('-serial', '-MODEL').replace('[OPTIONS] ', '')}`", "; ".join(meanings),
                         ", ".join(code(name, value) for name, value, _ in options)])
        return table(["call", "arguments", "options"], rows)

    def commands(self, *_):
        """Each command of the driver: its purpose, its usage, and the names of its options."""
        driver = self.folder / "boltzmark"
        names = re.findall(r"^  ([a-z][\w-]+)  +(.*)$", output(driver, "--help").split("ubcommands:")[1], re.MULTILINE)
        text = []
        for name, meaning in names:
            usage, _, options = call(output(driver, name, "--help"), {"help"})
            own = ", ".join(code(option, "") for option, *_ in options)
            text.append(f"## {name}\n\n{meaning[0].upper()}{meaning[1:]}.\n\n`{usage}`"
                        + (f"\n\n{textwrap.fill(f'Options: {own}', 120, break_on_hyphens=False)}" if own else ""))
        return "\n\n".join(text)

    def columns(self, _, file):
        """Names of the columns of a file of figures."""
        declared = json.loads(output(self.folder / "boltzmark", "figures", "--describe", "--json"))[file]
        return textwrap.fill(", ".join(f"`{one['name']}`" for one in declared), 120, break_on_hyphens=False)

    def models(self, _, models):
        """The output of `boltzmark models` for the kept records."""
        kept = sorted(records.KEPT.glob("matrix-*"))
        made = json.loads(output(self.folder / "boltzmark", "models", "--json", "--compare", models, "--results", *kept))
        return "\n\n".join(laid_out(one) for one in made["tables"])


def laid_out(made):
    """A table of the driver's: title, caption, cells and notes."""
    words = [wrapped(made["caption"], ""), "\n".join(wrapped(f"- {note}") for note in made["notes"])]
    title = made["title"].replace(f"{records.KEPT}/", "")
    columns = [[column["header"].replace("\n", " "), *column["texts"]] for column in made["columns"]]
    header, *rows = zip(*columns)
    return "\n\n".join(filter(None, [f"### {title}", *words, table(header, rows)]))


def lines_of_code():
    """Lines of each workload by model, without comments and blank ones: of the textbook (of STREAM the only file) and
    of the files that it includes from its own folder."""
    def count(model, workload):
        folder = TOP / model / workload
        files = set(folder.glob("textbook.*")) or set(folder.glob("stream.*"))
        included = re.findall(rf'^#include "({model}/{workload}/.*)"', "".join(map(text_of, files)), re.MULTILINE)
        return len(re.findall(r"^ *(?! |//).", "\n".join(map(text_of, files | {TOP / name for name in included})), re.MULTILINE))

    def text_of(file):
        return file.read_text(encoding="utf-8")

    rows = [{"workload": workload} | {model: lines for model in MODELS if (lines := count(model, workload))}
            for workload in WORKLOADS]
    return json.dumps([row for row in rows if len(row) > 1], indent=2) + "\n"


def pages():
    for folder, folders, files in os.walk(TOP):
        folders[:] = sorted(name for name in folders if not re.match(r"build|bundle$|results$|checks$|\.", name)
                            or folder.endswith(("/docs", "/analysis")))
        yield from (Path(folder) / name for name in sorted(files) if name.endswith(".md"))
    yield KNOWN / "lines.json"


def generated(suite, page):
    """Text of a page, or of the file of lines of code, as it should be."""
    if page.suffix == ".json":
        return lines_of_code()
    return BLOCK.sub(lambda block: f"{block[1]}{getattr(suite, block[2])(page, block[3])}\n{block[4]}",
                     page.read_text(encoding="utf-8"))


def lacking(suite):
    """Programs on the pages of models that the build lacks."""
    text = "".join((TOP / "docs/models" / f"{model}.md").read_text(encoding="utf-8") for model in MODELS)
    every = {f"{workload}-{model}".replace("_", "-") for workload in WORKLOADS for model in MODELS}
    return sorted(set(re.findall(r"`([a-z-]+)[ `]", text)) & every - set(suite.programs))


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
            print(f"{page.relative_to(TOP)}: {'differs from what programs and sources say' if '--check' in sys.argv else 'written'}")
            if "--check" in sys.argv:
                status = 1
            else:
                page.write_text(text, encoding="utf-8")
    return status


if __name__ == "__main__":
    sys.exit(main())
