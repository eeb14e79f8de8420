"""Training steps of LeNet-5, ResNet-20 and ResNet-18 in every mode of PyTorch that steps.json lists, on an NVIDIA GPU.

    python3 pytorch_steps.py RESULTS.jsonl [--minutes 60] [--compile-minutes 20] [--rows 0,1] [--device cpu]

Appends a JSON line a mode to RESULTS.jsonl as soon as it is measured. Modes that are there already are left out, so the same
command again goes on where the time ended; what was not measured has a line with the reason.

A mode is an arithmetic, a way to run and a layout of the tensors. float16 and bfloat16 are automatic mixed precision, float16
with its scaling of the loss. All optimisers are fused. "cuda graph": the whole step is one; "compiled" and "max-autotune":
torch.compile of the network and its loss, in a CUDA graph too. cuDNN picks its algorithms by its own search.

An arithmetic and layout of a row has a process of its own. They compile two rows' at once, and only one of them measures its
candidates at a time. When all are compiled, each mode is timed while all other processes wait.
--device cpu shows without a GPU that all is right, not how fast it is: there is only eager.
"""

import argparse
import contextlib
import datetime
import fcntl
import itertools
import json
import os
import pathlib
import selectors
import signal
import subprocess
import sys
import tempfile
import time

import torch
from torch import nn
from torch.nn import functional

from pytorch import adapter, as_graph, elapsed, library, milliseconds

LIST = json.loads(pathlib.Path(__file__).with_name("steps.json").read_text())
MODES = LIST["pytorch"]
ROWS_AT_ONCE = 2
SAMPLES, SAMPLE_MS = 10, 60
CANDIDATE = {"warmup": 5, "rep": 20}  # Milliseconds for each candidate of a compiler's: nobody disturbs it.
WARM_MS = 400  # An idle GPU runs at a fraction of its speed for a third of a second.
SECONDS_TO_TIME = 1.8  # A mode, at most, from its graph's capture to its last sample.
GRACE = 20  # Seconds in which a process has to end what it compiles when the time is over.


def lenet5():
    return nn.Sequential(
        nn.Conv2d(1, 6, 5, padding=2), nn.ReLU(), nn.MaxPool2d(2),
        nn.Conv2d(6, 16, 5), nn.ReLU(), nn.MaxPool2d(2),
        nn.Flatten(),
        nn.Linear(400, 120), nn.ReLU(),
        nn.Linear(120, 84), nn.ReLU(),
        nn.Linear(84, 10),
    )


class Block(nn.Module):
    """Two convolutions of 3x3 and a shortcut, which is a convolution of 1x1 where the shape changes."""

    def __init__(self, before, width):
        super().__init__()
        stride = 2 if width > before else 1
        self.conv1 = nn.Conv2d(before, width, 3, stride, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(width)
        self.conv2 = nn.Conv2d(width, width, 3, 1, 1, bias=False)
        self.bn2 = nn.BatchNorm2d(width)
        self.relu = nn.ReLU(inplace=True)
        shortcut = [nn.Conv2d(before, width, 1, stride, bias=False), nn.BatchNorm2d(width)]
        self.downsample = nn.Sequential(*(shortcut if width > before else []))

    def forward(self, x):
        y = self.relu(self.bn1(self.conv1(x)))
        return self.relu(self.bn2(self.conv2(y)) + self.downsample(x))


def resnet(widths, blocks):
    before = widths[0]
    layers = [nn.Conv2d(3, before, 3, padding=1, bias=False), nn.BatchNorm2d(before), nn.ReLU(inplace=True)]
    for width in widths:
        for _ in range(blocks):
            layers.append(Block(before, width))
            before = width
    return nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(before, 10))


# The network, how many parameters wgrad's has, an image, and SGD's momentum: wgrad's kernel for SGD always keeps it.
MODELS = {
    "lenet5": (lenet5, 61_706, (1, 28, 28), 0),
    "resnet20": (lambda: resnet((16, 32, 64), 3), 272_474, (3, 32, 32), 0.9),
    "resnet18": (lambda: resnet((64, 128, 256, 512), 2), 11_173_962, (3, 32, 32), 0.9),
}
COMPILED = {"compiled": "default", "max-autotune": "max-autotune-no-cudagraphs"}  # Our graph is of the whole step.


def training_step(row, arithmetic, run, layout, device):
    """A function that trains one step, on a batch that is already on the GPU."""
    torch.manual_seed(1)
    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = arithmetic == "tf32"
    build, parameters, image, momentum = MODELS[row["model"]]
    memory_format = torch.channels_last if layout == "channels_last" else torch.contiguous_format
    model = build().to(device, memory_format=memory_format)
    found = sum(p.numel() for p in model.parameters())
    if found != parameters:
        raise SystemExit(f"expected the {parameters} parameters of wgrad's network, found {found}")
    images = torch.randn(row["batch_size"], *image, device=device).to(memory_format=memory_format)
    labels = torch.randint(10, (row["batch_size"],), device=device)
    # capturable: Adam's step count lives on the GPU, as CUDA graphs need it.
    fused = {"fused": True} if device == "cuda" else {}
    if row["optimizer"] == "sgd":
        optimizer = torch.optim.SGD(model.parameters(), lr=0.01, momentum=momentum, **fused)
    else:
        optimizer = torch.optim.Adam(model.parameters(), lr=1e-3, capturable=device == "cuda", **fused)
    mixed = getattr(torch, arithmetic) if arithmetic in ("float16", "bfloat16") else None
    scaler = torch.amp.GradScaler(device) if arithmetic == "float16" else None

    def loss_of(images, labels):
        return functional.cross_entropy(model(images), labels)

    forward = torch.compile(loss_of, mode=COMPILED[run]) if run in COMPILED else loss_of

    def step():
        optimizer.zero_grad(set_to_none=True)
        with torch.autocast(device, dtype=mixed or torch.bfloat16, enabled=mixed is not None):
            loss = forward(images, labels)
        if scaler is None:
            loss.backward()
            optimizer.step()
        else:
            scaler.scale(loss).backward()
            scaler.step(optimizer)
            scaler.update()
        return loss

    return step


class TooLate(BaseException):
    """The time to compile is over. No Exception, so that no compiler takes it for a failure of its own."""


def alone(benchmark):
    """A benchmark of the compiler's, while no other process runs one, with cuDNN at its best."""
    depth = 0

    def locked(*args, **settings):
        nonlocal depth
        with contextlib.ExitStack() as stack:
            if depth == 0:
                file = stack.enter_context(open(pathlib.Path(tempfile.gettempdir()) / "wgrad-benchmark.lock", "w"))
                fcntl.flock(file, fcntl.LOCK_EX)
            depth += 1
            torch.backends.cudnn.benchmark = True
            try:
                return benchmark(*args, **{**settings, **CANDIDATE})
            finally:
                depth -= 1
                torch.backends.cudnn.benchmark = depth > 0

    return locked


def reason_of(error):
    return f"{type(error).__name__}: {str(error).strip().splitlines()[0] if str(error).strip() else ''}"[:300]


def work(job, device):
    """Compiles the runs of a row, arithmetic and layout, says that it is ready, and then times those that it is told to."""
    row, arithmetic, layout, runs = job["row"], job["arithmetic"], job["layout"], job["runs"]
    # What compilers print goes to standard error.
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    say = lambda **what: print(json.dumps(what), file=answers, flush=True)
    if device == "cuda":
        from torch._inductor.runtime.benchmarking import benchmarker

        benchmarker.benchmark_gpu = alone(benchmarker.benchmark_gpu)
    # cuDNN searches when no other process disturbs it: in its turn.
    torch.backends.cudnn.benchmark = False
    steps, reasons, is_late = {}, {}, False

    def over(*_):
        nonlocal is_late
        is_late = True
        raise TooLate

    for run in runs:
        if is_late:
            reasons[run] = "no time to compile it"
            continue
        began = time.monotonic()
        try:
            signal.signal(signal.SIGUSR1, over)
            step = training_step(row, arithmetic, run, layout, device)
            if run in COMPILED:
                step()
            steps[run] = step, time.monotonic() - began
        except TooLate:
            reasons[run] = f"not compiled after {time.monotonic() - began:.0f} s"
        except Exception as error:
            reasons[run] = f"failed: {reason_of(error)}"
        finally:
            signal.signal(signal.SIGUSR1, signal.SIG_IGN)
        if device == "cuda":
            torch.cuda.empty_cache()
    say(ready=True)
    for line in sys.stdin:
        run = line.strip()
        if run in steps:
            try:
                step, seconds = steps.pop(run)
                say(compile_seconds=round(seconds, 1), **timed(step, run, device))
            except Exception as error:
                say(skipped=f"failed: {reason_of(error)}")
        else:
            say(skipped=reasons[run])


def timed(step, run, device):
    torch.backends.cudnn.benchmark = True
    call = step if run == "eager" else as_graph(step)
    first = call().item()
    began = time.monotonic()
    while time.monotonic() - began < WARM_MS / 1000:
        elapsed(call, 3, device)
    ms = milliseconds(call, SAMPLES, SAMPLE_MS, device)
    last = call().item()
    if not last < first:
        raise RuntimeError(f"does not learn, loss {first} to {last}")
    del call, step
    if device == "cuda":
        torch.cuda.empty_cache()
    return {"ms_per_step": ms, "samples": SAMPLES}


class Worker:
    def __init__(self, job, device, threads):
        self.job, self.is_ready = job, False
        self.process = subprocess.Popen(
            [sys.executable, __file__, "--worker", json.dumps(job), "--device", device],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1,
            env={**os.environ, "TORCHINDUCTOR_COMPILE_THREADS": str(threads), "OMP_NUM_THREADS": "1"},
        )

    def answer(self):
        line = self.process.stdout.readline()
        return json.loads(line) if line else None

    def time(self, run):
        try:
            self.process.stdin.write(f"{run}\n")
            self.process.stdin.flush()
            return self.answer() or {"skipped": "failed: its process ended"}
        except BrokenPipeError:
            return {"skipped": "failed: its process ended"}

    def end(self):
        self.process.kill()
        self.process.wait()


def compile_all(workers, until):
    """Waits until all are ready; from `until` on (time.monotonic()), each has GRACE seconds to give up what it compiles."""
    waiting = selectors.DefaultSelector()
    for worker in workers:
        waiting.register(worker.process.stdout, selectors.EVENT_READ, worker)
    was_told = False
    while waiting.get_map():
        left = until + (GRACE if was_told else 0) - time.monotonic()
        if left <= 0 and was_told:
            break
        if left <= 0:
            was_told = True
            for key in waiting.get_map().values():
                key.data.process.send_signal(signal.SIGUSR1)
            continue
        for key, _ in waiting.select(left):
            key.data.is_ready = key.data.answer() is not None
            waiting.unregister(key.fileobj)
    for worker in workers:
        if not worker.is_ready:
            worker.end()


def measure(rows, options):
    until = time.monotonic() + 60 * options.minutes
    path = pathlib.Path(options.results)
    lines = [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []
    key = lambda line: (line["bench"], line["batch_size"], line["optimizer"], line["mode"])
    known = {key(line) for line in lines if "ms_per_step" in line}
    circumstances = {"adapter": adapter(options.device), "library": library(options.device)}

    def report(row, arithmetic, run, layout, **result):
        line = {
            "bench": f"{row['model']}-training",
            "mode": f"{arithmetic}, {run}, {layout}",
            "precision": "mixed" if arithmetic in ("float16", "bfloat16") else "single",
            "optimizer": row["optimizer"],
            "batch_size": row["batch_size"],
            **result,
            **circumstances,
            "date": datetime.datetime.now(datetime.timezone.utc).isoformat(),
        }
        if key(line) not in known:
            with path.open("a") as file:
                file.write(f"{json.dumps(line)}\n")
            print(json.dumps({name: line[name] for name in ("bench", "batch_size", "mode", *result)}), flush=True)

    for wave in (rows[i : i + ROWS_AT_ONCE] for i in range(0, len(rows), ROWS_AT_ONCE)):
        jobs = []
        for row, arithmetic, layout in itertools.product(wave, MODES["arithmetic"], MODES["layouts"]):
            wanted = [
                run for run in MODES["runs"]
                if (f"{row['model']}-training", row["batch_size"], row["optimizer"], f"{arithmetic}, {run}, {layout}") not in known
            ]
            possible = wanted
            if options.device == "cpu":
                possible = [run for run in wanted if run == "eager" and arithmetic in ("float32", "bfloat16")]
            for run in wanted:
                if run not in possible:
                    report(row, arithmetic, run, layout, skipped="needs a GPU")
            if possible:
                jobs.append({"row": row, "arithmetic": arithmetic, "layout": layout, "runs": possible})
        timing = SECONDS_TO_TIME * sum(len(job["runs"]) for job in jobs)
        compile_until = min(until - timing - GRACE, time.monotonic() + 60 * options.compile_minutes)
        workers = []
        if jobs and compile_until - time.monotonic() > options.least_compile_seconds:
            threads = max(1, (os.cpu_count() or 1) // len(jobs))
            workers = [Worker(job, options.device, threads) for job in jobs]
        for job in jobs[len(workers) :]:
            for run in job["runs"]:
                report(job["row"], job["arithmetic"], run, job["layout"], skipped="no time left")
        try:
            began = time.monotonic()
            compile_all(workers, compile_until)
            print(f"compiled in {time.monotonic() - began:.0f} s", file=sys.stderr, flush=True)
            for run in MODES["runs"]:
                for worker in workers:
                    job = worker.job
                    if run not in job["runs"]:
                        continue
                    if time.monotonic() > until:
                        result = {"skipped": "no time left"}
                    else:
                        result = worker.time(run) if worker.is_ready else {"skipped": "failed: its process gave no answer"}
                    report(job["row"], job["arithmetic"], run, job["layout"], **result)
        finally:
            for worker in workers:
                worker.end()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", nargs="?")
    parser.add_argument("--minutes", type=float, default=60, help="no more than these in all (default: 60)")
    parser.add_argument("--compile-minutes", type=float, default=20, help="two rows' at most (default: 20)")
    parser.add_argument("--least-compile-seconds", type=float, default=60, help="two rows are left out if less is left")
    parser.add_argument("--rows", help="of steps.json, by their places, separated by commas (default: all)")
    parser.add_argument("--device", choices=("cuda", "cpu"), default="cuda")
    parser.add_argument("--worker", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.worker:
        work(json.loads(options.worker), options.device)
    elif not options.results:
        parser.error("expected a file for the results, found none")
    else:
        places = map(int, options.rows.split(",")) if options.rows else range(len(LIST["rows"]))
        measure([LIST["rows"][place] for place in places], options)


if __name__ == "__main__":
    main()
