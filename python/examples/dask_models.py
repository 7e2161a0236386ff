"""Packs knapsacks on a Dask cluster: `python dask_models.py 1000000 answers.txt`.

DASK_SCHEDULER_ADDRESS names a cluster whose machines have cnfkit; without it, two workers on this machine do.
"""

import os
import random
import sys

from cnfkit import Model, weighted_sum
from distributed import Client, as_completed

BATCH = 100


def pack(seeds):
    """For each number a random knapsack: how often each of six things is in the best one, and its value."""
    answers = []
    for seed in seeds:
        draw, model = random.Random(seed), Model()
        x = model.ints(6, 0, 3)
        model.post(weighted_sum(x, [draw.randint(5, 20) for _ in x]) <= 60)
        best = model.maximise(weighted_sum(x, [draw.randint(5, 30) for _ in x]))
        answers.append((seed, best.solution[x], best.value))
    return answers


if __name__ == "__main__":
    count, path = int(sys.argv[1]), sys.argv[2]
    here = {} if "DASK_SCHEDULER_ADDRESS" in os.environ else {"n_workers": 2, "threads_per_worker": 1}
    with Client(**here, dashboard_address=None) as client, open(path, "w", encoding="ascii", buffering=1) as answers:
        tasks = client.map(pack, [range(at, min(at + BATCH, count)) for at in range(0, count, BATCH)])
        for _, batch in as_completed(tasks, with_results=True):
            for answer in batch:
                print(*answer, sep=";", file=answers)
