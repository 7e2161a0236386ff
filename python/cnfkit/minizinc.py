"""MiniZinc with this package: ``cnfkit-minizinc-install``, then ``minizinc --solver cnfkit model.mzn``.

>>> lines = []
>>> flatzinc("var 1..9: x :: output_var; constraint int_lt(x, 5); solve maximize x;", lines.append)
>>> print(*lines, sep="", end="")
x = 4;
----------
==========
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
import sysconfig
from pathlib import Path

from cnfkit._cnfkit import flatzinc, install_minizinc

__all__ = ["flatzinc", "install"]


def install(folder: str | os.PathLike[str] | None = None) -> Path:
    """Makes ``minizinc --solver cnfkit`` find this package, and returns the path of the configuration.

    It and the library beside it are written to ``folder``, or to the user's folder of MiniZinc, ``~/.minizinc``.
    """
    program = Path(sysconfig.get_path("scripts"), f"fzn-cnfkit{sysconfig.get_config_var('EXE') or ''}")
    return install_minizinc(folder, str(program) if program.is_file() else "fzn-cnfkit")


def install_command() -> None:
    """``cnfkit-minizinc-install``"""
    parser = argparse.ArgumentParser(description="Makes `minizinc --solver cnfkit` find this package.")
    parser.add_argument("folder", nargs="?", help="the folder, instead of ~/.minizinc")
    try:
        print(install(parser.parse_args().folder))
    except OSError as error:
        parser.error(str(error))


def solve_command() -> None:
    """``fzn-cnfkit``, which MiniZinc calls"""
    parser = argparse.ArgumentParser(description="Solves a FlatZinc file.")
    parser.add_argument("file", help="`-` is standard input")
    parser.add_argument("-a", "--all-solutions", action="store_true", help="all solutions, or each better one")
    parser.add_argument("-i", "--intermediate", action="store_true", help="each better solution")
    parser.add_argument("-n", "--num-solutions", type=int, metavar="N", help="at most N solutions")
    parser.add_argument("-s", "--statistics", action="store_true", help="statistics at the end")
    parser.add_argument("-p", "--parallel", type=int, default=1, metavar="N", help="the number of threads")
    parser.add_argument("-r", "--random-seed", type=int, default=0, metavar="SEED", help="numbers variables by lot")
    parser.add_argument("-t", "--time-limit", type=int, metavar="MS", help="in milliseconds")
    parser.add_argument("-f", "--free", action="store_true", help="changes nothing")
    parser.add_argument("-v", "--verbose", action="store_true", help="changes nothing")
    said = parser.parse_args()
    # What is known is printed, as after the time limit. A shell's background ignores SIGINT until it is asked for.
    for ended in (signal.SIGINT, signal.SIGTERM):
        signal.signal(ended, signal.default_int_handler)
    try:
        file = sys.stdin.buffer if said.file == "-" else open(said.file, "rb")
        with file:
            text = file.read().decode("utf-8-sig")
        flatzinc(
            text,
            lambda lines: print(lines, end="", flush=True),
            all_solutions=said.all_solutions,
            intermediate=said.intermediate,
            num_solutions=said.num_solutions,
            statistics=said.statistics,
            threads=said.parallel,
            seed=said.random_seed,
            time_limit=None if said.time_limit is None else said.time_limit / 1e3,
        )
    except (OSError, ValueError, OverflowError, RuntimeError) as error:
        parser.error(f"{said.file}: {getattr(error, 'strerror', None) or error}")
    except KeyboardInterrupt:
        sys.exit(0)
