"""The page over many machines."""

import csv
import json
import re
from pathlib import Path

from samples import DECLARED, EFFICIENCY, MACHINES, PORTABILITY, report


def write(file: Path, columns: list[str], rows: list[dict[str, object]]) -> None:
    with file.open("w", newline="", encoding="utf-8") as out:
        table = csv.DictWriter(out, columns)
        table.writeheader()
        table.writerows(rows)


def write_tables(folder: Path, rows: dict[str, list[dict[str, object]]]) -> None:
    """As C++ hands them over: texts are those of the values."""
    def column(key: str, some: list[dict[str, object]]) -> dict[str, object]:
        values = [row.get(key) for row in some]
        return {"key": key, "header": key.replace("_", "\n"), "note": "", "under": "", "is_wide": False,
                "is_number": isinstance(values[0], (int, float)), "texts": [f"~{value}" for value in values]}
    (folder / "tables.json").write_text(json.dumps({"tables": [
        {"id": name, "title": name, "caption": "", "notes": [], "section": "", "source": "",
         "needs": "", "unit": "row", "filters": [["Model", "model"]] if some else [],
         "columns": [column(key, some) for key in (some[0] if some else {})], "rows": some} for name, some in rows.items()]}))


def make(folder: Path) -> Path:
    """Two GPUs; one without CUDA, and without roofs."""
    (folder / "columns.json").write_text(DECLARED)
    write(folder / "machines.csv", MACHINES, [
        {"machine": "a", "platform": "a", "device": "GPU <A>", "case": "1024x1024", "precision": "f32", "unit": "MLUPS",
         "best": 4000, "best_by": "cuda persistent", "like_for_like": 1000, "share_of_roof": 0.5, "ridge_flop_per_byte": 8},
        {"machine": "b", "platform": "b", "device": "GPU B"}])
    of = {"application": "lbm 1024x1024 f32", "workload": "lbm", "precision": "f32", "platforms": 2, "unit": "MLUPS"}
    write(folder / "efficiency.csv", EFFICIENCY, [
        {**of, "model": "cuda", "platform": "a", "rate": 4000, "application_efficiency": 1, "place": 1, "portability_so_far": 1,
         "architectural_efficiency": 0.5, "intensity_over_ridge": 0.2, "share_of_peak": 0.1, "bound": "memory, 50 %"},
        {**of, "model": "opencl", "platform": "b", "rate": 100, "application_efficiency": 1, "place": 1, "portability_so_far": 1},
        {**of, "model": "opencl", "platform": "a", "rate": 2000, "application_efficiency": 0.5, "place": 2,
         "portability_so_far": 0.6667}])
    write(folder / "portability.csv", PORTABILITY, [
        {"of": "lbm 1024x1024 f32", "model": "cuda", "over": "all", "application": 0, "architectural": 0, "platforms": 2,
         "set": "a; b", "without": "b"},
        {"of": "lbm 1024x1024 f32", "model": "opencl", "over": "all", "application": 0.6667, "platforms": 2, "set": "a; b"}])
    write_tables(folder, {
        "machines": [{"model": "", "device": "GPU <A>", "best": 4000}],
        "portability": [{"model": "cuda", "application": 0, "architectural": None}, {"model": "opencl", "application": 0.6667}],
        "efficiency": [{"model": "cuda", "rate": 4000}]})
    return folder


def test_page_over_machines(tmp_path: Path) -> None:
    done = report("--machines", make(tmp_path))
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("a: 4000 MLUPS on 1024x1024 (cuda persistent)\n")
    page = (tmp_path / "machines.html").read_text(encoding="utf-8")
    assert "Boltzmark on 2 machines" in page and "GPU &lt;A&gt;" in page and "GPU <A>" not in page
    assert page.count("<figure") == 2 and "plot-cascade" in page and "plot-normalised" in page
    with (tmp_path / "tables" / "portability.csv").open(encoding="utf-8") as lines:
        assert list(csv.reader(lines)) == [["model", "application", "architectural"], ["cuda", "0", ""], ["opencl", "0.6667", ""]]
    assert '<td class="n" data-value="0.6667">~0.6667</td>' in page     # sorted by the value, read as the text
    assert re.findall(r'<input type="checkbox" value="(.*?)" checked>', page) == ["cuda", "opencl"]
    drawn = [svg.read_text(encoding="utf-8") for svg in (tmp_path / "plots").iterdir()]
    assert drawn and all('id="model-cuda-' in svg for svg in drawn)


def test_nothing_in_common(tmp_path: Path) -> None:
    for name, columns in (("machines", MACHINES),
                          ("efficiency", EFFICIENCY),
                          ("portability", PORTABILITY)):
        write(tmp_path / f"{name}.csv", columns, [])
    (tmp_path / "columns.json").write_text(DECLARED)
    write_tables(tmp_path, {"machines": [], "portability": [], "efficiency": []})
    done = report("--machines", tmp_path, "--no-plots")
    assert (done.returncode, done.stderr) == (0, "") and (tmp_path / "machines.html").exists()
