"""Full standard runs: against answers that other programs gave, and single precision against double."""

import pytest
from every_model import record_in
from programs import TOP, is_built, metric, run_model


def problem(name):
    return TOP / f"inputs/input_{name}.params", TOP / f"inputs/obstacles_{name}.dat"


@pytest.mark.parametrize("name, right", [("128x128", 1.319405138e-02), ("128x256", 5.024978144e-02)])
def test_gives_the_known_answer(name, right, folder):
    """The average velocity after the last step, from double-precision programs that are not this one."""
    model = "openmp" if is_built("openmp") else "serial"
    run_model(model, "--precision", "f64", "--no-output", "--json", folder / "record", *problem(name)).expect(0)
    record = record_in(folder)
    average, viscosity = metric(record, "av_vel"), (2 / 1.85 - 1) / 6
    assert average == pytest.approx(right, rel=1e-9)  # known to ten digits
    assert metric(record, "reynolds") == pytest.approx(average * 10 / viscosity, abs=1e-12)


def test_single_precision_keeps_five_digits(folder):
    run_model("serial", "--precision", "f64", "--out", folder, *problem("128x128")).expect(0)
    for file in ("final_state.dat", "av_vels.dat"):
        (folder / file).rename(folder / f"right.{file}")
    run_model("serial", "--no-output", "--check", folder / "right", *problem("128x128")).expect(0)
