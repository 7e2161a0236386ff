"""PySAT's own test files, with the imports that its users change: `pysat.card` is `cnfkit.pysat.card`, and so on.

Its wheel has none of them: `PYSAT_TESTS` names their folder, which `.ci/python` takes from PySAT's source package.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

# The tests that fail, with the reason. One that is named and passes is an error, too.
INTERNALS = {
    "what the classes of PySAT have inside": (
        r"test_formula_parsing\.py::test_python_.*",
        r"test_integer\.py::test_clausify_refuses_native_encodings",
        r"test_iseqcounter\.py::test_iseqcounter_empty_and_delete",
    )
}
OF_SOLVERS = {
    "BatSat has no external propagators": (
        r"test_empty_extclause\.py::.*",
        r"test_integer\.py::.*\[(cadical195|cadical300|minisatep)\]",
        r"test_propagate\.py::test_(cadical_callback|ergo_callback|interruptible).*",
    ),
    "BatSat does not tell or take its activities": (r"test_activities\.py::(?!test_unsupported).*",),
    "BatSat writes no proof: `Formula.solve_certified` does": (r"test_proof\.py::.*",),
    "CaDiCaL 3 alone can do these": (
        r"test_flip_bits\.py::.*",
        r"test_propagate\.py::test_sync_.*",
        r"test_propagate\.py::test_solver_kwargs_compatibility\[cadical300\]",
    ),
    "where PySAT refuses, an answer: at most with any solver, Kissat again and again, a variable 2^30": (
        r"test_boolengine\.py::test_native_card\[.*",
        r"test_cnf\.py::test_cnfplus_solvers",
        r"test_oom\.py::.*",
        r"test_projected_models\.py::test_nonincremental.*",
    ),
}


@pytest.mark.parametrize(
    ("modules", "failing", "passing"),
    [("card|pb|formula", INTERNALS, 322), ("card|pb|formula|solvers", {**INTERNALS, **OF_SOLVERS}, 170)],
)
def test_its_own_tests(tmp_path: Path, modules: str, failing: dict[str, tuple[str, ...]], passing: int) -> None:
    given = os.environ.get("PYSAT_TESTS")
    if not given:
        pytest.skip("PYSAT_TESTS names no folder")
    for file in Path(given).glob("test_*.py"):
        text = re.sub(rf"\bpysat\.({modules})\b", r"cnfkit.pysat.\1", file.read_text())
        (tmp_path / file.name).write_text(text)
    command = [sys.executable, "-m", "pytest", "-q", "--tb=no", "-rA", "-p", "no:cacheprovider", "."]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300)
    results = re.findall(r"^(PASSED|FAILED|ERROR) (\S+::.*?)(?: - .*)?$", ran.stdout, re.MULTILINE)
    named = re.compile("|".join(pattern for patterns in failing.values() for pattern in patterns))
    wrong = [(result, test) for result, test in results if (result == "PASSED") == bool(named.fullmatch(test))]
    assert not wrong, wrong
    assert sum(result == "PASSED" for result, _ in results) >= passing
