#!/usr/bin/env python3
"""An exported project in one, two and four processes on one host: the losses side by side, killed once and resumed, and the
time of an epoch.

    npm run -s wgrad -- train --preset resnet20-cifar-10 --checkpoint run --steps 100
    npm run -s wgrad -- export --checkpoint run --to pytorch --out project
    python3 bench/pytorch_torchrun.py project --data DIR [--processes 1,2,4] [--steps 200] [--epochs 3] [--fast]

Prints a JSON line for each number of processes: its losses, the largest difference from those of one process, the seconds of
each epoch, and whether a run that was killed and started again ended with the same losses. With fewer GPUs than processes, the
processes share them (or the processor) and are joined by gloo: it shows that all is right, not how fast it is.
"""
import argparse
import contextlib
import datetime
import json
import os
import pathlib
import signal
import socket
import subprocess
import sys
import tempfile
import time

import torch


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def command(options, processes, checkpoint, steps, save_every):
    run = [sys.executable]
    if processes > 1:
        run += ["-m", "torch.distributed.run", "--nproc_per_node", str(processes), "--master_port", str(free_port())]
    run += ["train.py", "--data", os.path.abspath(options.data), "--checkpoint", checkpoint]
    run += ["--steps", str(steps), "--save-every", str(save_every)]
    return run + (["--amp"] if options.fast else ["--exact"])


def lines(text):
    return [json.loads(line) for line in text.splitlines() if line.startswith("{")]


def losses(text):
    return {line["step"]: line["loss"] for line in lines(text) if "step" in line}


def run(options, processes, checkpoint, steps, save_every=10**9):
    work = command(options, processes, checkpoint, steps, save_every)
    return subprocess.run(work, cwd=options.project, check=True, stdout=subprocess.PIPE, text=True).stdout


def family(pid):
    """A process with all that it started: those of torchrun have sessions of their own."""
    children = {}
    for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):  # it has ended
            parent = int(stat.read_text().rpartition(")")[2].split()[1])
            children.setdefault(parent, []).append(int(stat.parent.name))
    found = [pid]
    for one in found:
        found += children.get(one, [])
    return found


def killed(options, processes, checkpoint, steps, save_every):
    """What is printed until the process is killed, with all that it started, after its first save."""
    work = command(options, processes, checkpoint, steps, save_every)
    process = subprocess.Popen(work, cwd=options.project, stdout=subprocess.PIPE, text=True)
    while not os.path.exists(checkpoint):
        if process.poll() is not None:
            raise SystemExit(f"{' '.join(work)} ended with status {process.returncode}")
        time.sleep(0.01)
    for pid in family(process.pid):
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    return process.communicate()[0]


def epoch_steps(options):
    """Steps of the epochs that are timed, of one before them, in which everything warms up, and of the rest of one begun."""
    if options.epochs == 0:
        return 0
    sys.path.insert(0, str(options.project))
    from data import load_images
    from settings import BATCH_SIZE

    return -(-(options.epochs + 2) * len(load_images(options.data, "train")[0]) // BATCH_SIZE)


def main():
    parser = argparse.ArgumentParser(description="An exported project in several processes on one host")
    parser.add_argument("project", type=pathlib.Path)
    parser.add_argument("--data", required=True, help="folder with the data set's files")
    parser.add_argument("--processes", default="1,2,4", metavar="N,...")
    parser.add_argument("--steps", type=int, default=200, help="steps whose losses are compared")
    parser.add_argument("--epochs", type=int, default=3, help="epochs that are timed, after one that is not; 0: none")
    parser.add_argument("--fast", action="store_true", help="the project's default on a GPU instead of --exact")
    options = parser.parse_args()

    start = torch.load(options.project / "start.pt", weights_only=True)["step"]
    cuda = torch.cuda.is_available()
    circumstances = {
        "bench": "torchrun",
        "gpus": torch.cuda.device_count(),
        "adapter": torch.cuda.get_device_name(0) if cuda else "processor",
        "library": f"PyTorch {torch.__version__}" + (f", CUDA {torch.version.cuda}" if cuda else ""),
        "date": datetime.datetime.now(datetime.timezone.utc).isoformat(),
        "project": options.project.resolve().name,
        "fast": options.fast,
    }
    first, timed = None, epoch_steps(options)
    with tempfile.TemporaryDirectory() as folder:
        for processes in map(int, options.processes.split(",")):
            end = start + options.steps
            text = run(options, processes, f"{folder}/whole-{processes}.pt", max(end, start + timed))
            whole = {step: loss for step, loss in losses(text).items() if step <= end}
            seconds = [line["seconds"] for line in lines(text) if "epoch" in line][1 : 1 + options.epochs]
            first = first or whole
            checkpoint = f"{folder}/killed-{processes}.pt"
            before = losses(killed(options, processes, checkpoint, end, max(1, options.steps // 4)))
            after = losses(run(options, processes, checkpoint, end))
            if not after:
                raise SystemExit(f"{options.steps} steps ended before the kill; take more with --steps")
            result = {
                "processes": processes,
                "steps": options.steps,
                "losses": list(whole.values()),
                "largest_difference": max(abs(whole[step] - first[step]) for step in whole),
                "resumed_after": min(after) - 1,
                "resumed_difference": max(abs(after[step] - whole[step]) for step in after),
                "killed_after": max(before, default=start),
                "epoch_seconds": seconds,
            }
            print(json.dumps({**result, **circumstances}), flush=True)


if __name__ == "__main__":
    main()
