"""Reads the file of --vtk: with the vtk package if installed, else by the rules of VTK's XML format."""

import struct
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from pathlib import Path

PROGRAMS = Path(sys.argv[1])
WIDTH = {"Float32": ("f", 4), "UInt8": ("B", 1)}


def by_the_rules(file):
    """Extent and arrays: the text up to the underscore is XML, behind it each array follows its size in bytes."""
    whole = file.read_bytes()
    head, data = whole.split(b'<AppendedData encoding="raw">\n_', 1)
    root = ElementTree.fromstring(head + b"</VTKFile>")
    assert root.get("type") == "ImageData" and root.get("header_type") == "UInt64", root.attrib
    order = {"LittleEndian": "<", "BigEndian": ">"}[root.get("byte_order")]
    image = root.find("ImageData")
    assert image.find("Piece").get("Extent") == image.get("WholeExtent")
    arrays = {}
    for array in image.iter("DataArray"):
        letter, width = WIDTH[array.get("type")]
        at = int(array.get("offset"))
        (size,) = struct.unpack_from(order + "Q", data, at)
        arrays[array.get("Name")] = struct.unpack_from(f"{order}{size // width}{letter}", data, at + 8)
    assert data.endswith(b"\n</AppendedData>\n</VTKFile>\n")
    return [int(number) for number in image.get("WholeExtent").split()], arrays


def by_vtk(file):
    from vtk import vtkXMLImageDataReader  # noqa: PLC0415
    from vtk.util.numpy_support import vtk_to_numpy  # noqa: PLC0415

    reader = vtkXMLImageDataReader()
    reader.SetFileName(str(file))
    reader.Update()
    points = reader.GetOutput().GetPointData()
    names = [points.GetArrayName(i) for i in range(points.GetNumberOfArrays())]
    arrays = {name: vtk_to_numpy(points.GetArray(name)).reshape(-1).tolist() for name in names}
    return list(reader.GetOutput().GetExtent()), arrays


def check(folder, name, params, obstacles, columns):
    """The file agrees with final_state.dat; `columns` are those of velocity, pressure and obstacle there."""
    (folder / "params").write_text(params)
    (folder / "obstacles").write_text(obstacles)
    out = folder / name
    command = [PROGRAMS / "lbm-serial", "--quiet", "--variant", "fused", "--out", out, "--vtk", out / "state.vti"]
    out.mkdir()
    subprocess.run([*command, folder / "params", folder / "obstacles"], check=True)
    rows = [[float(word) for word in line.split()] for line in (out / "final_state.dat").open()]
    readers = [by_the_rules]
    try:
        import vtk  # noqa: F401, PLC0415

        readers.append(by_vtk)
    except ImportError:
        print("no Python package vtk: read by the format's rules alone")
    for reader in readers:
        extent, arrays = reader(out / "state.vti")
        sizes = [high - low + 1 for low, high in zip(extent[::2], extent[1::2])]
        assert sizes[0] * sizes[1] * sizes[2] == len(rows), sizes
        velocity, pressure, obstacle = columns
        for cell, row in enumerate(rows):
            for axis in range(3):
                expected = row[velocity[axis]] if axis < len(velocity) else 0.0
                assert abs(arrays["velocity"][3 * cell + axis] - expected) <= 1e-7 * abs(expected), (cell, axis)
            assert abs(arrays["pressure"][cell] - row[pressure]) <= 1e-7 * abs(row[pressure]), cell
            assert arrays["obstacle"][cell] == row[obstacle], cell
        assert any(row[velocity[-1]] != 0.0 for row in rows)


with tempfile.TemporaryDirectory() as name:
    check(Path(name), "flat", "9\n7\n30\n10\n0.1\n0.005\n1.7\n", "3 3 1\n4 2 1\n", ((2, 3), 5, 6))
    check(Path(name), "deep", "9\n7\n5\n30\n10\n0.1\n0.005\n1.7\n", "3 3 2 1\n4 2 1 1\n", ((3, 4, 5), 7, 8))
