# Tier: all (needs NumPy)
"""Benchpress's programs in NumPy, array expression by array expression, and ours on the same numbers: answers agree to
1e-11 in double precision, counts and beans exactly.

BOLTZMARK_BIN: the folder of the programs. They take NumPy's numbers where numbers are made before the run
(`--generator mt19937`), or files of them (`--input PREFIX`); those drawn in it are Philox's, as the programs' are."""

import os
import subprocess
from pathlib import Path

import numpy as np
import pytest

PROGRAMS = Path(os.environ["BOLTZMARK_BIN"])


@pytest.fixture(name="ours", params=["serial", "openmp"])
def ours_of(request, tmp_path):
    """ours(workload, names, words, **given) gives the arrays of these names that a program makes of `given` ones."""

    def run(workload, names, *words, **given):
        program = PROGRAMS / f"{workload}-{request.param}"
        if not program.exists():
            pytest.skip(f"{program.name} is not built")
        for name, array in given.items():
            np.asarray(array, "<f8").tofile(tmp_path / f"in.{name}.f64")
        if given:
            words += ("--input", tmp_path / "in")
        command = [program, *words, "--precision", "f64", "--repeat", "1", "--output", tmp_path / "out"]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        return [np.fromfile(tmp_path / f"out.{name}.f64", "<f8") for name in names]

    return run


def check(found, right, tolerance=1e-11):
    right = np.asarray(right).ravel()
    assert found.shape == right.shape
    assert np.max(np.abs(found - right)) <= tolerance * np.max(np.abs(right))


def philox(first, count, key=42):
    """philox2x32-10 of the running numbers, as the halves of 64 bits."""
    low32, multiplier = np.uint64(0xFFFFFFFF), np.uint64(0xD256D193)
    number = np.arange(first, first + count, dtype=np.uint64)
    low, high = number & low32, number >> np.uint64(32)
    for turn in range(10):
        product = low * multiplier
        low, high = (product >> np.uint64(32)) ^ np.uint64((key + turn * 0x9E3779B9) & 0xFFFFFFFF) ^ high, product & low32
    return low | high << np.uint64(32)


def uniform(first, count):
    return philox(first, count).astype(np.float64) * 2.0**-64


def test_philox_is_the_published_one():
    assert philox(0, 1, 0)[0] == 0xFF1DAE59 | 0x6CD10DF2 << 32
    assert philox(0x243F6A88 | 0x85A308D3 << 32, 1, 0x13198A2E)[0] == 0xDD7CE038 | 0xF62A4C12 << 32


def test_leibniz(ours):
    n = np.arange(100003, dtype=np.int64)
    (found,) = ours("pi", ["res"], "100003")
    check(found, 4.0 * np.sum(1.0 / (4 * n + 1) - 1.0 / (4 * n + 3)))


def test_monte_carlo(ours):
    samples = 100_000
    x, y = uniform(0, samples), uniform(samples, samples)
    (found,) = ours("pi", ["res"], str(samples), "--method", "monte-carlo")
    assert found[0] == np.sum(np.sqrt(x**2 + y**2) <= 1.0) * 4.0 / samples


def test_galton(ours):
    beans, height = 1237, 35
    (found,) = ours("galton", ["res"], f"{beans}x{height}")
    assert np.array_equal(found, np.sign(uniform(0, beans * height) - 0.5).reshape(beans, height).sum(axis=1))


YEAR, GRAVITY, SUN, LIGHT_YEAR = 60 * 60 * 24 * 365.25, 6.67384e-11, 1.9891e30, 9.4607e15


def bodies_after(steps, m, at, v):
    at, v = at.copy(), v.copy()
    for _ in range(steps):
        d = at[:, np.newaxis, :] - at[:, :, np.newaxis]  # of body j: x_i - x_j
        r = np.maximum(np.sqrt(np.sum(d**2, axis=0)), 1.0)
        force = GRAVITY * m * d / r**3
        for one in force:
            np.fill_diagonal(one, 0.0)
        v += YEAR * force.sum(axis=2)
        at += YEAR * v
    return at, v


def test_nbody(ours):
    n, steps = 97, 7
    np.random.seed(42)
    m = (np.random.random(n) + 10) / 10 * SUN
    start = np.array([(np.random.random(n) - 0.5) * LIGHT_YEAR / 100 for _ in range(3)])
    at, v = bodies_after(steps, m, start, np.zeros((3, n)))
    found = ours("nbody", ["x", "y", "z", "vx", "vy", "vz"], str(n), "--steps", str(steps), "--generator", "mt19937")
    for axis in range(3):
        check(found[axis] - start[axis], at[axis] - start[axis])
        check(found[3 + axis], v[axis])


def test_nbody_goes_on_from_files(ours):
    rng = np.random.default_rng(7)
    m, start, v = rng.random(33) * SUN, rng.random((3, 33)) * 1e13, rng.random((3, 33)) * 1e3
    at, after = bodies_after(3, m, start, v)
    given = {"m": m, **dict(zip("xyz", start)), **dict(zip(("vx", "vy", "vz"), v))}
    found = ours("nbody", ["x", "y", "z", "vx", "vy", "vz"], "1", "--steps", "3", **given)
    for axis in range(3):
        check(found[axis] - start[axis], at[axis] - start[axis])
        check(found[3 + axis], after[axis])


BLOOD, PLASTIC, BONE, TISSUE = 0.1827 * 1.06, 0.1823 * 0.93, 0.2229 * 1.92, 0.1823 * 1.06
BODIES = [((0.2, 0.2, 1.2), (0.8, 0.8, 1.5), BLOOD), ((0.7, 0.25, 1.25), (0.75, 0.75, 1.35), PLASTIC),
          ((0.3, 0.25, 1.25), (0.7, 0.35, 1.35), BONE), ((0.25, 0.25, 1.25), (0.3, 0.35, 1.75), PLASTIC),
          ((0.25, 0.25, 1.65), (0.3, 0.75, 1.75), BONE), ((0.3, 0.65, 1.65), (0.45, 0.75, 1.75), PLASTIC),
          ((0.45, 0.4, 1.3), (0.55, 0.5, 1.65), BONE), ((0.45, 0.35, 1.3), (0.55, 0.55, 1.65), TISSUE)]


def test_xray(ours):
    scene, detector = 12, 10
    low, high = np.array([0.2, 0.2, 1.2]), np.array([0.8, 0.8, 1.8])
    mu = np.zeros((scene, scene, scene))
    for first, last, attenuation in BODIES:
        begin, end = (np.floor((np.array(c) - low) / ((high - low) / scene)).astype(int) for c in (first, last))
        mu[begin[0] : end[0], begin[1] : end[1], begin[2] : end[2]] = attenuation
    centre = (np.arange(detector) + 0.5) / detector
    y, x = np.meshgrid(centre, centre, indexing="ij")  # image[row][column]: a row is y
    ray = np.stack([x - 0.5, y - 0.5, np.full_like(x, 2.0)])
    length = np.sqrt(np.sum(ray**2, axis=0))
    unit = ray / length
    entry, leaving = np.full(mu.shape + x.shape, -np.inf), np.full(mu.shape + x.shape, np.inf)
    for axis, source in enumerate((0.5, 0.5, 0.0)):
        planes = low[axis] + np.arange(scene + 1) * ((high[axis] - low[axis]) / scene)
        shape = [1] * 5
        shape[axis] = scene
        t0, t1 = (((p - source).reshape(shape)) / unit[axis] for p in (planes[:-1], planes[1:]))
        entry, leaving = np.maximum(entry, np.minimum(t0, t1)), np.minimum(leaving, np.maximum(t0, t1))
    inside = np.maximum(leaving - entry, 0.0)
    weakened = np.sum(mu[..., np.newaxis, np.newaxis] * inside, axis=(0, 1, 2))
    # Both edges of a pixel from its corner: the original's cross product points to the source, so that its image is
    # negative. Ours is the absolute value.
    across, along = np.array([0.0, 1.0 / detector, 0.0]), np.array([1.0 / detector, 0.0, 0.0])
    area = np.tensordot(np.cross(across, along), unit, 1)
    image = 1.0 / (4.0 * np.pi * length) * area * np.exp(-weakened)
    assert np.all(image < 0.0)
    (found,) = ours("xray", ["image"], f"{scene}x{detector}")
    check(found, -image)


@pytest.mark.parametrize("alpha", [0.0, 0.6])
@pytest.mark.parametrize("from_file", [False, True])
def test_magnetic_field(ours, alpha, from_file):
    n = 18
    np.random.seed(42)
    given = np.random.random((n, n))
    window = np.ones(n)
    outer = int(np.ceil(0.37 * (n - 1) / 2))
    window[:outer] = 0.5 * (1 + np.cos(np.pi * (2 * np.arange(outer) / (0.37 * (n - 1)) - 1)))
    window[-outer:] = window[:outer][::-1]
    shaded = given * np.sqrt(window**2 + window[:, np.newaxis] ** 2)
    place, p, q = np.arange(n) / (n - 1), np.arange(n)[:, np.newaxis], np.arange(n)
    sine, cosine = np.sin(np.pi * p * place), np.cos(np.pi * p * place)  # [mode][place]
    modes = 4.0 / (n - 1) ** 2 * np.einsum("ab,pa,qb->pq", shaded, sine, sine)
    square = np.pi**2 * (p**2 + q**2)
    square[0, 0] = 1.0
    r = np.sqrt(square - alpha**2)
    decay = np.exp(-r * (0.25 * np.arange(n) / n)[:, np.newaxis, np.newaxis])

    def field(factor, of_y, of_z):
        return np.einsum("pq,ipq,pj,qk->ijk", modes * factor, decay, of_y, of_z)

    right = [field(1.0, sine, sine),
             field(alpha * np.pi * q / square, sine, cosine) - field(r * np.pi * p / square, cosine, sine),
             field(alpha * np.pi * p / square, cosine, sine) + field(r * np.pi * q / square, sine, cosine)]
    start = {"input": given} if from_file else {}
    words = ("--alpha", str(alpha)) + (() if from_file else ("--generator", "mt19937"))
    for found, one in zip(ours("magnetic-field", ["Bx", "By", "Bz"], str(n), *words, **start), right):
        check(found, one)


def water_after(steps, h, u, v):
    g, dt = 9.80665, 0.02
    h, u, v = h.copy(), u.copy(), v.copy()
    for _ in range(steps):
        for a, sign_rows, sign_columns in ((h, 1, 1), (u, -1, 1), (v, 1, -1)):
            a[:, 0], a[:, -1] = sign_columns * a[:, 1], sign_columns * a[:, -2]
            a[0, :], a[-1, :] = sign_rows * a[1, :], sign_rows * a[-2, :]

        def half(x, flux, axis):
            cut = (slice(None), slice(1, -1)) if axis == 0 else (slice(1, -1), slice(None))
            x, flux = x[cut], flux[cut]
            ahead, behind = ((slice(1, None),), (slice(None, -1),))
            if axis == 1:
                ahead, behind = (slice(None), slice(1, None)), (slice(None), slice(None, -1))
            return (x[ahead] + x[behind]) / 2 - dt / 2 * (flux[ahead] - flux[behind])

        hx, ux, vx = half(h, u, 0), half(u, u**2 / h + g / 2 * h**2, 0), half(v, u * v / h, 0)
        hy, uy, vy = half(h, v, 1), half(u, u * v / h, 1), half(v, v**2 / h + g / 2 * h**2, 1)
        h[1:-1, 1:-1] -= dt * (np.diff(ux, axis=0) + np.diff(vy, axis=1))
        u[1:-1, 1:-1] -= dt * (np.diff(ux**2 / hx + g / 2 * hx**2, axis=0) + np.diff(uy * vy / hy, axis=1))
        v[1:-1, 1:-1] -= dt * (np.diff(ux * vx / hx, axis=0) + np.diff(vy**2 / hy + g / 2 * hy**2, axis=1))
    return [a[1:-1, 1:-1] for a in (h, u, v)]


def water_with_drops(rows, columns):
    """The drops as the original makes them: in single precision, whatever the rest has."""
    x, y = np.meshgrid(np.linspace(-1, 1, 8), np.linspace(-1, 1, 8))
    drop = (8 * np.exp(-5 * (x**2 + y**2))).astype(np.float32)
    h = np.ones((rows, columns))
    for first in (rows // 4, rows // 2):
        h[first : first + 8, first : first + 8] += drop
    return h


@pytest.mark.parametrize("from_file", [False, True])
def test_shallow_water(ours, from_file):
    rows, columns, steps = 35, 47, 9
    h, rng = water_with_drops(rows, columns), np.random.default_rng(3)
    u, v = (rng.random((2, rows, columns)) - 0.5) * from_file
    given = {"H": h, "U": u, "V": v} if from_file else {}
    words = (f"{rows}x{columns}", "--steps", str(steps))
    for found, right in zip(ours("shallow-water", "HUV", *words, **given), water_after(steps, h, u, v)):
        # The original's own drops are in single precision, with a root of its processor.
        check(found.reshape(rows, columns)[1:-1, 1:-1].ravel(), right, 1e-11 if from_file else 1e-6)


CX, CY = np.array([0, 1, 0, -1, 0, 1, -1, -1, 1]), np.array([0, 0, 1, 0, -1, 1, 1, -1, -1])
OPPOSITE = [0, 3, 4, 1, 2, 7, 8, 5, 6]
WEIGHT = np.array([4 / 9] + [1 / 9] * 4 + [1 / 36] * 4)


def channel_after(steps, f, outlet, speed=0.02, reynolds=100.0):
    """f[i, x, y], as Latt's script of 2006 moves it past a cylinder."""
    _, width, height = f.shape
    x, y = np.meshgrid(np.arange(width), np.arange(height), indexing="ij")
    radius = height / 10 + 1
    solid = (x - width / 5 - 1) ** 2 + (y - height / 2) ** 2 <= radius**2
    solid[:, 0] = solid[:, -1] = True
    omega = 1 / (3 * (2 * speed * radius / reynolds) + 0.5)
    inner, length = slice(1, -1), height - 2.0
    from_wall = np.arange(1, height - 1) - 0.5
    for _ in range(steps):
        rho = f.sum(axis=0)
        ux, uy = (np.tensordot(c, f, 1) / rho for c in (CX, CY))
        ux[0, inner] = 4 * speed / length**2 * (from_wall * length - from_wall**2)
        uy[0, inner] = 0
        near, far = f[[0, 2, 4], 0, inner].sum(axis=0), f[[3, 6, 7], 0, inner].sum(axis=0)
        rho[0, inner] = (near + 2 * far) / (1 - ux[0, inner])
        if outlet == "pressure":
            rho[-1, inner] = 1
            ux[-1, inner] = f[[0, 2, 4], -1, inner].sum(axis=0) + 2 * f[[1, 5, 8], -1, inner].sum(axis=0) - 1
        else:
            for a in (rho, ux):
                a[-1, inner] = 4 / 3 * a[-2, inner] - 1 / 3 * a[-3, inner]
        uy[-1, inner] = 0
        along = 3 * (CX[:, None, None] * ux + CY[:, None, None] * uy)
        equilibrium = rho * WEIGHT[:, None, None] * (1 + along + along**2 / 2 - 1.5 * (ux**2 + uy**2))
        out = f - omega * (f - equilibrium)
        for column, (plus, minus) in ((0, (7, 6)), (-1, (5, 8))):
            shear = (f[plus] - f[minus] - equilibrium[plus] + equilibrium[minus])[column, inner]
            for i in range(9):
                out[i, column, inner] = equilibrium[i, column, inner] + 18 * WEIGHT[i] * CX[i] * CY[i] * shear
        out = np.where(solid, f[OPPOSITE], out)
        f = np.stack([np.roll(out[i], (CX[i], CY[i]), axis=(0, 1)) for i in range(9)])
    return f


@pytest.mark.parametrize("outlet", ["published", "pressure"])
def test_cylinder(ours, outlet):
    height, width = 21, 37
    f = np.broadcast_to(WEIGHT[:, None, None], (9, width, height))
    words = (f"{height}x{width}", "--outlet", outlet, "--steps")
    (found,) = ours("lbm-cylinder", ["fIn"], *words, "9")
    right = channel_after(9, f, outlet)
    check(found, right)
    (found,) = ours("lbm-cylinder", ["fIn"], *words, "4", fIn=right)
    check(found, channel_after(4, right, outlet))
