"""How the tests of a workload in every model begin: the models that are built, each in both precisions, and ways of
running them."""

from dataclasses import dataclass
from typing import NamedTuple

import pytest
from programs import built_programs, description_of, has_option, is_built, records_in, run_model, why_not


def thread_number(can, threads):
    """This many threads as a value of --threads; on a GPU, whose teams have whole groups of 32, this many groups."""
    return str(32 * threads if any(device["type"] == "gpu" for device in can["devices"]) else threads)


def need(model, workload="lbm"):
    """Skips what this machine cannot run."""
    if not is_built(model, workload):
        pytest.skip(f"{workload}-{model} is not built")
    if why_not(model):
        pytest.skip(why_not(model))


class Way(NamedTuple):
    """One way of running a model."""

    options: tuple = ()
    ranks: int = 0  # 0: without a launcher


@dataclass(frozen=True)
class ModelCase:
    workload: str
    model: str
    precision: str
    launcher: bool

    def __str__(self):
        return f"{self.workload}-{self.model}-{self.precision}"

    @property
    def can(self):
        return description_of(self.model, self.workload)

    @property
    def compiles(self):
        """Kernels, as it runs: devices' compilers take their time for each."""
        return "no-kernel-cache" in self.can["takes"]

    def ways_of_ranks(self, numbers):
        """By default, and with each of these numbers of ranks if it has ranks."""
        return [Way(), *(Way(ranks=ranks) for ranks in numbers if self.launcher)]

    def is_by_default(self, way):
        return not way.options and self.precision == "f32"

    def run(self, *words, way=Way()):
        return run_model(self.model, "--precision", self.precision, *way.options, *words, ranks=way.ranks,
                         workload=self.workload)


def every_model(*workloads, precisions=("f32", "f64")):
    """Parametrises a test. The programs are not asked, because every process begins with a list of all tests."""
    cases = [ModelCase(workload, one["model"], precision, one["launcher"])
             for workload in workloads for one in built_programs(workload) for precision in precisions]

    def of_each(test):
        return pytest.mark.usefixtures("one_process")(pytest.mark.parametrize("case", cases, ids=str)(test))

    return of_each


def options_of(variant, **values):
    """Those of these options that the variant has."""
    words = ()
    for name, value in values.items():
        option = name.replace("_", "-")
        if has_option(variant, option):
            words += (f"--{option}", str(value))
    return words


def record_in(folder):
    """The one of FOLDER/record, which goes."""
    (record,) = records_in(folder / "record")
    (folder / "record").unlink()
    return record


def expect_refused(workload, model, options, parts, ranks=0, status=2):
    """One line and nothing done."""
    run_model(model, *options, ranks=ranks, workload=workload).expect_line(status, *parts)
