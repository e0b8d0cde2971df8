"""Fixtures of pytest: the programs to run, a folder, and a share of the tests.

    pytest --programs FOLDER --shard 2/8 models_test.py    the second of eight processes that share the tests
"""

import os
import tempfile
from pathlib import Path

import programs
import pytest


def pytest_addoption(parser):
    parser.addoption("--programs", default=programs.TOP / "build/bin", help="folder of the built programs")
    parser.addoption("--shard", default="1/1", help="i/n: every n-th test from the i-th on")


def pytest_configure(config):
    own = tempfile.TemporaryDirectory()
    config.add_cleanup(own.cleanup)
    folder = Path(config.getoption("--programs"))
    os.environ.setdefault("POCL_CACHE_DIR", str(folder.resolve().parent / "tests/cache/pocl"))
    # Programs of another build, such as the sanitized one, can be put to these tests too.
    programs.prepare(os.environ.get("BOLTZMARK_TEST_PROGRAMS", folder), own.name)


@pytest.hookimpl(trylast=True)  # behind -k
def pytest_collection_modifyitems(config, items):
    part, parts = map(int, config.getoption("--shard").split("/"))
    config.hook.pytest_deselected(items=[item for i, item in enumerate(items) if i % parts != part - 1])
    items[:] = items[part - 1::parts]


@pytest.fixture(name="folder")
def temporary_folder():
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder)


@pytest.fixture(scope="session")
def end_of_programs():
    yield
    programs.end_running()


@pytest.fixture
def one_process(end_of_programs):
    with programs.one_process():
        yield
