"""A Dask cluster of two processes here: the same numbers, also if a worker is killed, and plain words if it is away."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from umpi.cli import main
from umpi.lab.cluster import Cluster, NoCluster
from umpi.lab.games import Experiment
from umpi.lab.run import play_all

ARGUMENTS = ["lab", "dodekka", "--games", "60", "--seed", "5", "--json"]
HERE = "127.0.0.1"


class Processes:
    """A scheduler and two workers, as processes of this test."""

    def __init__(self, folder: Path) -> None:
        self._folder, self.workers = folder, list[subprocess.Popen[bytes]]()
        file = folder / "scheduler.json"
        scheduler = f"""
import asyncio, distributed
async def run():
    async with distributed.Scheduler(host="{HERE}", port=0, dashboard=False, scheduler_file={str(file)!r}) as made:
        print(made.address, flush=True)
        await made.finished()
asyncio.run(run())
"""
        self._scheduler = subprocess.Popen([sys.executable, "-c", scheduler], stdout=subprocess.PIPE, cwd=folder)
        assert self._scheduler.stdout is not None
        self.address = self._scheduler.stdout.readline().decode().strip()
        self.dask = self.address.replace("tcp://", "dask://")

    def start_worker(self) -> None:
        worker = f"""
import asyncio, distributed
async def run():
    async with distributed.Worker("{self.address}", nthreads=1, dashboard=False) as made:
        print("ready", flush=True)
        await made.finished()
asyncio.run(run())
"""
        command = [sys.executable, "-c", worker]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=self._folder)
        self.workers.append(process)
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"

    def close(self) -> None:
        for process in (*self.workers, self._scheduler):
            process.kill()
            process.wait()
            assert process.stdout is not None
            process.stdout.close()


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Processes]:
    pytest.importorskip("distributed", reason="no Dask here: pip install distributed")
    made = Processes(tmp_path)
    yield made
    made.close()


@pytest.mark.slow
def test_two_workers_give_the_same_numbers_also_if_one_is_killed(
    cluster: Processes, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*ARGUMENTS, "--workers", "1"]) == 0
    alone = capsys.readouterr().out
    cluster.start_worker()
    cluster.start_worker()
    assert main([*ARGUMENTS, "--executor", cluster.dask]) == 0
    assert capsys.readouterr().out == alone

    numbers: list[int] = []

    def kills(number: int) -> None:
        if not numbers:
            cluster.workers[0].kill()
        numbers.append(number)

    found = Cluster(cluster.dask)
    experiment = Experiment("dodekka", {}, ("random", "random"), 5)
    try:
        assert found.workers == 2
        played = play_all(experiment, 120, 1, kills, cluster=found)
        assert found.workers == 1
    finally:
        found.close()
    assert cluster.workers[0].poll() is not None
    assert len(numbers) > 2
    assert played == play_all(experiment, 120, 1)


@pytest.mark.slow
def test_a_cluster_that_loses_all_workers_is_reported(cluster: Processes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("umpi.lab.cluster.LOOK_S", 0.2)
    with pytest.raises(NoCluster, match="the cluster has no workers"):
        Cluster(cluster.dask)
    cluster.start_worker()
    found = Cluster(cluster.dask)
    experiment = Experiment("dodekka", {}, ("random", "random"), 5)
    try:
        with pytest.raises(NoCluster, match="the cluster has no workers"):
            play_all(experiment, 120, 1, lambda number: cluster.workers[0].kill(), cluster=found)
    finally:
        found.close()


@pytest.mark.slow
def test_a_cluster_that_is_away_is_reported_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed", reason="no Dask here: pip install distributed")
    with pytest.raises(NoCluster, match="no scheduler answers"):
        Cluster(f"dask://{HERE}:1", connect_s=0.3)


@pytest.mark.parametrize(
    ("address", "why"),
    [
        ("ray://10.0.0.1:1", "--executor: expected dask://HOST:PORT, got ray"),
        ("dask://10.0.0.1", "--executor: expected dask://HOST:PORT, got dask"),
    ],
)
def test_another_executor_is_refused(address: str, why: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*ARGUMENTS, "--executor", address]) == 2
    assert why in capsys.readouterr().err
