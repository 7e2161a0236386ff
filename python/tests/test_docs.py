"""The examples of all docstrings and of the README run, and everything public has a docstring."""

from __future__ import annotations

import builtins
import doctest
import importlib
import importlib.metadata
import inspect
import pickle
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import cnfkit

SITE = f"import sys; sys.path.append({str(Path(cnfkit.__file__).parents[1])!r}); "
PYSAT = ("card", "cnf", "formula", "gates", "pb", "solvers")
MODULES = ["cnfkit", "cnfkit.minizinc", "cnfkit.pysat", *(f"cnfkit.pysat.{name}" for name in PYSAT)]


def examples() -> list[doctest.DocTest]:
    finder, found = doctest.DocTestFinder(exclude_empty=True), []
    for name in MODULES:
        module = importlib.import_module(name)
        scope = dict(vars(module))
        found += finder.find(module, name, globs=scope)
        # Compiled functions are of another module.
        for key, part in scope.items() if name == "cnfkit" else ():
            if inspect.isbuiltin(part):
                found += finder.find(part, key, module=False, globs=scope)
    return [test for test in found if test.examples]


@pytest.mark.parametrize("test", examples(), ids=lambda test: test.name)
def test_example(test: doctest.DocTest) -> None:
    assert doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(test).failed == 0


def test_an_import_imports_nothing_else() -> None:
    program = "import sys; known = {*sys.modules}; import cnfkit; print(*sorted({*sys.modules} - known))"
    command = [sys.executable, "-I", "-S", "-c", SITE + program]
    said = subprocess.run(command, check=True, capture_output=True, text=True)
    assert said.stdout.split() == ["cnfkit", "cnfkit._cnfkit"]
    assert set(cnfkit.__all__) <= set(dir(cnfkit)) and not hasattr(cnfkit, "NamedTuple")
    assert cnfkit.Core.__module__ == "cnfkit"
    assert pickle.loads(pickle.dumps(cnfkit.Core(["group"], [1]))).groups == ["group"]


def test_the_version_is_that_of_the_package() -> None:
    assert cnfkit.__version__ == importlib.metadata.version("cnfkit")


def test_there_are_examples() -> None:
    assert sum(len(test.examples) for test in examples()) > 60


def public() -> Iterator[tuple[str, Any]]:
    """Every public function, class and method of this package, with its name."""
    for module in map(importlib.import_module, MODULES):
        for name in getattr(module, "__all__", vars(module)):
            part = getattr(module, name)
            if name[0] != "_" and callable(part) and str(part.__module__).startswith("cnfkit"):
                yield f"{module.__name__}.{name}", part
                for key, method in vars(part).items() if inspect.isclass(part) else ():
                    if not key.startswith("_") and callable(getattr(part, key)):
                        yield f"{module.__name__}.{name}.{key}", method


def test_every_public_name_has_a_docstring() -> None:
    parts = dict(public())
    assert len(parts) > 350
    assert not [name for name, part in parts.items() if not inspect.getdoc(part)]
    for name in cnfkit.__all__:
        part = getattr(cnfkit, name)
        assert inspect.isclass(part) or ">>>" in (inspect.getdoc(part) or ""), name


def test_errors_that_docstrings_name_exist() -> None:
    known = {*vars(builtins), *(name.rpartition(".")[2] for name, _ in public())}
    docs = [(name, re.findall(r"\b\w+Error\b", inspect.getdoc(part) or "")) for name, part in public()]
    assert sum(map(len, dict(docs).values())) > 20
    assert not [(name, set(errors) - known) for name, errors in docs if set(errors) - known]


def test_the_readme_runs() -> None:
    text = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    assert blocks
    for block in blocks:
        exec(block, {})
