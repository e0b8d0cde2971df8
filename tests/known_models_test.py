"""`boltzmark models --compare`: rates from records, lines of code and facts."""

import json

import programs
import pytest
from programs import TOP, listed, run_command


def entry(model, variant, seconds, reason="", storage=""):
    """A run of a million updates, made from a measured one; with a reason, one that was impossible."""
    with (TOP / "tests/rounds.jsonl").open(encoding="utf-8") as rounds:
        made = next(one for one in map(json.loads, rounds) if "key" in one)
    made["key"].update(model=model, variant=variant, options=["--storage", storage] if storage else [])
    made.update(status="impossible" if reason else "ok", reason=reason)
    record = made["record"]
    record.update(model=model, variant=variant, role="like-for-like" if variant == "fused" else "",
                  compute_seconds=seconds, metrics=[{"name": "mlups", "unit": "MLUPS", "value": 1 / seconds}])
    record["work"]["updates"] = 1e6
    record["repeats"][0]["compute_seconds"] = seconds
    record["provenance"]["cpu"] = "c"
    record["settings"].update({"storage": storage} if storage else {})
    return {**made, "record": None} if reason else made


@pytest.fixture(name="results")
def made_up_results(folder):
    (folder / "runs.jsonl").write_text("".join(json.dumps(one) + "\n" for one in (
        entry("openmp", "fused", 2.0), entry("openmp", "wavefront", 0.5),
        entry("openmp", "half", 0.1, storage="f16"),  # in less precision: no rival
        entry("mpi", "wavefront", 1.0), entry("kokkos", "fused", 1.0, reason="because"))))
    return folder


def compare(*words, before=()):
    return run_command(*before, programs.FOLDER / "boltzmark", "models", "--compare", *words)


def tables(models, results):
    return json.loads(compare(models, results, "--json").expect(0).stdout)["tables"]


def test_rates_are_of_the_same_algorithm_and_the_fastest(results):
    rates = tables("mpi,openmp", results)[0]
    (row,) = rates["rows"]
    assert (row["unit"], row["openmp"], row["mpi"]) == ("MLUPS", [0.5, 2.0], [None, 1.0])
    assert [column["header"] for column in rates["columns"][2:]] == ["mpi", "openmp"]  # in the order asked for
    assert rates["columns"][2]["texts"] == ["\u2013, 1.00"]


def test_a_model_without_a_figure_has_its_reason(results):
    rates = tables("openmp,kokkos,cuda", results)[0]
    assert len(rates["columns"]) == 3
    assert rates["notes"][:2] == ["kokkos: not available here: because", "cuda: no record"]


def test_every_model_has_facts_and_the_textbooks_are_counted(results):
    models = {one["model"] for one in listed()}
    _, lines, facts = tables(",".join(sorted(models)), results)
    assert len(lines["rows"]) == 4
    for row in facts["rows"]:
        assert len(row) == len(models) + 1
        assert all(row.values()), row
    (flow,) = [row for row in lines["rows"] if row["workload"] == "lbm"]
    assert flow["cuda"] > flow["openmp"]  # buffers and launches


def test_the_terminal_has_all_of_it(results):
    compare("openmp,openmp-target", "--results", results).expect(
        0, "Rates on c, 2 cores (", "openmp-target: no record\n", "0.500, 2.00", "Lines of code",
        "\ndevices\n  openmp: processors\n  openmp-target: processors; NVIDIA GPUs")


def test_without_runs_in_results_the_kept_records_count(results):
    def machines():
        words = ["cuda,openmp", "--workloads", "heat", "--json"]
        done = compare(*words, before=["env", f"--chdir={results}"]).expect(0)
        return [table["id"] for table in json.loads(done.stdout)["tables"]].count("rates")

    (results / "results").mkdir()
    assert machines() >= 2
    (results / "runs.jsonl").rename(results / "results/runs.jsonl")
    assert machines() == 1


@pytest.mark.parametrize("words", [["openmp,fortran"], ["openmp", "--workloads", "weather"],
                                   ["openmp", "--results", "/none"], []], ids=str)
def test_unknown_names_are_one_line_and_status_two(words):
    compare(*words).expect_line(2)
