"""What MiniZinc calls: `fzn-cnfkit` and its configuration."""

from __future__ import annotations

import json
import signal
import subprocess
import sysconfig
from pathlib import Path

import pytest

import cnfkit
from cnfkit.minizinc import flatzinc, install

PROGRAM = Path(sysconfig.get_path("scripts"), "fzn-cnfkit")
PAIRS = "var 1..3: x :: output_var; var 1..3: y :: output_var; constraint int_lt(x, y);"


def run(*args: str, text: str = "") -> tuple[str, str, int]:
    out = subprocess.run([PROGRAM, *args], input=text, capture_output=True, text=True, check=False)
    return out.stdout, out.stderr, out.returncode


def test_it_is_installed_where_it_is_told(tmp_path: Path) -> None:
    configuration = install(tmp_path / "a home, übung")
    said = json.loads(configuration.read_text(encoding="utf-8"))
    assert said["executable"] == str(PROGRAM) and PROGRAM.is_file()
    assert (configuration.parent / said["mznlib"] / "cnfkit.mzn").is_file()
    file = tmp_path / "file"
    file.touch()
    with pytest.raises(OSError):
        install(file)


@pytest.mark.parametrize(
    ("args", "goal", "solutions", "end"),
    [
        ([], "satisfy", 1, ""),
        (["-a"], "satisfy", 3, "==========\n"),
        (["-n", "2"], "satisfy", 2, ""),
        ([], "maximize x", 1, "==========\n"),
    ],
)
def test_answers_are_as_minizinc_reads_them(args: list[str], goal: str, solutions: int, end: str) -> None:
    text, message, code = run(*args, "-f", "-r", "7", "-", text=f"{PAIRS} solve {goal};")
    assert (message, code, text.count("----------\n")) == ("", 0, solutions)
    assert text.endswith(f"----------\n{end}")
    if goal != "satisfy":
        assert "x = 2;" in text and "y = 3;" in text


def test_what_is_wrong_is_said_with_its_place(tmp_path: Path) -> None:
    file = tmp_path / "wrong.fzn"
    file.write_text(f"{PAIRS}\nconstraint int_lt(x, z);\nsolve satisfy;")
    text, message, code = run(str(file))
    assert (text, code) == ("", 2)
    assert f"{file}: line 2, column 22: no `z` is declared before" in message
    with pytest.raises(cnfkit.ReadError) as error:
        flatzinc(file.read_text(), print)
    assert (error.value.line, error.value.column) == (2, 22)
    file.write_bytes(b"\xff\xfe")
    for path in (file, tmp_path / "none"):
        assert run(str(path))[2] == 2


def long(tmp_path: Path) -> Path:
    """A Golomb ruler of ten marks: a first solution is soon there, and the optimum not."""
    n = 10
    marks = [f"x{i}" for i in range(n - 1)] + ["z"]
    lines = [f"var 0..150: {name} :: output_var;" for name in marks]
    gaps, sums = [], []
    for j in range(n):
        for i in range(j):
            gaps.append(f"gap_{i}_{j}")
            lines.append(f"var 1..150: gap_{i}_{j};")
            sums.append(f"constraint int_lin_eq([1, -1, -1], [{marks[j]}, {marks[i]}, gap_{i}_{j}], 0);")
    lines += [*sums, f"constraint cnfkit_all_different([{', '.join(gaps)}]);", "solve minimize z;"]
    file = tmp_path / "long.fzn"
    file.write_text("\n".join(lines))
    return file


@pytest.mark.parametrize("ended", ["-t", signal.SIGINT, signal.SIGTERM])
def test_the_best_that_is_known_is_said_at_the_end(tmp_path: Path, ended: str | signal.Signals) -> None:
    args = ["-t", "5000"] if ended == "-t" else ["-i"]
    with subprocess.Popen([PROGRAM, *args, long(tmp_path)], stdout=subprocess.PIPE, text=True) as program:
        assert program.stdout
        text = ""
        if isinstance(ended, signal.Signals):
            for line in program.stdout:
                text += line
                if line == "----------\n":
                    break
            program.send_signal(ended)
        text += program.communicate(timeout=60)[0]
    assert program.returncode == 0
    assert "z = " in text and text.endswith("----------\n"), text
