"""The examples for clusters, on real ones of two workers on this machine: one of them is killed in the middle."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from itertools import product
from pathlib import Path

import pytest

import cnfkit

EXAMPLES = Path(__file__).parents[1] / "examples"
# The number of puzzles; of models, which take ten times as long, there are a fifth.
COUNT = int(os.environ.get("CNFKIT_CLUSTER_COUNT", "10000"))


def answers(example: str, count: int, worker: str, folder: Path) -> list[list[str]]:
    """The answers of an example, one of whose workers, which have this name, is killed once the first are there."""
    psutil = pytest.importorskip("psutil")
    path = folder / "answers.txt"
    path.touch()
    run = subprocess.Popen([sys.executable, EXAMPLES / example, str(count), path])
    try:
        while run.poll() is None and not path.stat().st_size:
            time.sleep(0.02)
        workers = [one for one in psutil.Process(run.pid).children(recursive=True) if worker in " ".join(one.cmdline())]
        assert len(workers) == 2, workers
        workers[0].send_signal(signal.SIGKILL)
        assert path.read_text(encoding="ascii").count("\n") < count
        assert run.wait(600) == 0
    finally:
        run.kill()
    return [line.split(";") for line in path.read_text(encoding="ascii").splitlines()]


def test_ray(tmp_path: Path) -> None:
    pytest.importorskip("ray")
    found = answers("ray_sudokus.py", COUNT, "ray::solve", tmp_path)
    assert sorted(int(seed) for seed, _, _ in found) == list(range(COUNT))
    for _, puzzle, solution in found:
        given, grid = json.loads(puzzle), json.loads(solution)
        assert all(value in (0, cell) for value, cell in zip(given, grid)) and given.count(0) > 40
        for i in range(9):
            lines = grid[9 * i : 9 * i + 9], grid[i::9], [grid[27 * (i // 3) + 3 * (i % 3) + at] for at in BOX]
            assert all(sorted(line) == list(range(1, 10)) for line in lines)


BOX = [9 * row + column for row, column in product(range(3), repeat=2)]


def test_dask(tmp_path: Path) -> None:
    pytest.importorskip("distributed")
    found = answers("dask_models.py", COUNT // 5, "spawn_main", tmp_path)
    assert sorted(int(seed) for seed, _, _ in found) == list(range(COUNT // 5))
    for seed, things, value in found[:: max(1, COUNT // 50)]:
        draw = random.Random(int(seed))
        sizes, values = ([draw.randint(*ends) for _ in range(6)] for ends in ((5, 20), (5, 30)))
        packs = (pack for pack in product(range(4), repeat=6) if sum(map(int.__mul__, pack, sizes)) <= 60)
        assert max(sum(map(int.__mul__, pack, values)) for pack in packs) == int(value)
        assert sum(map(int.__mul__, json.loads(things), values)) == int(value)
