"""Training steps of LeNet-5, ResNet-20 and ResNet-18 in every mode of PyTorch that steps.json lists, on an NVIDIA GPU.

    python3 pytorch_steps.py RESULTS.jsonl [--minutes 60] [--compile-minutes 20] [--rows 0,1] [--device cpu]

Appends a JSON line a mode to RESULTS.jsonl as soon as it is measured. Modes that are there already are left out, so the same
command again goes on where the time ended; what was not measured has a line with the reason.

A mode is an arithmetic, a way to run and a layout of the tensors. float16 and bfloat16 are automatic mixed precision, float16
with its scaling of the loss. All optimisers are fused. "cuda graph": the whole step is one; "compiled": torch.compile of the network
and its loss, in a CUDA graph too; "max-autotune", if steps.json lists it: the same in that mode, which takes minutes to compile. cuDNN
picks its algorithms by its own search.

First, several processes compile, a layout of a row each; only one of them measures its candidates at a time. They
fill the compiler's caches on disk (of graphs, kernels and choices; PyTorch 2.11 has them on by default) and end. The caches are in
TORCHINDUCTOR_CACHE_DIR, or else in a folder for temporary files; the next call on the same machine goes on with what they have.
Then one process a row, alone on the GPU, times the modes one after another, and what is compiled comes from the caches.
`clock_mhz` is the GPU's right after the last sample, while it is still busy. --device cpu shows without a GPU that all is right,
not how fast it is: there is only eager.
"""

import argparse
import concurrent.futures
import contextlib
import datetime
import fcntl
import gc
import itertools
import json
import os
import pathlib
import select
import signal
import subprocess
import sys
import tempfile
import time

import torch
from torch import nn
from torch.nn import functional

from pytorch import adapter, as_graph, elapsed, library, milliseconds, nvidia_smi

LIST = json.loads(pathlib.Path(__file__).with_name("steps.json").read_text())
MODES = LIST["pytorch"]
CACHE = pathlib.Path(os.environ.get("TORCHINDUCTOR_CACHE_DIR") or pathlib.Path(tempfile.gettempdir()) / "wgrad-pytorch")
CORES = os.cpu_count() or 1
COMPILERS = max(1, CORES // 2)  # At once. Each has threads of its own for kernels: TORCHINDUCTOR_COMPILE_THREADS.
SAMPLES, SAMPLE_MS = 10, 60
CANDIDATE = {"warmup": 5, "rep": 20}  # Milliseconds for each candidate of a compiler's: nobody disturbs it.
WARM_MS = 400  # An idle GPU runs at a fraction of its speed for a third of a second.
SECONDS_TO_TIME = 4  # A mode, about, with what comes from the caches: so much is kept of the time for all.
SECONDS_AT_MOST = 60  # A mode and the start of its process.
WORKERS = set()  # The processes that run.


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

    forward = torch.compile(loss_of, mode=COMPILED[run], dynamic=False) if run in COMPILED else loss_of

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


def alone(benchmark):
    """A benchmark of the compiler's, while no other process runs one, with cuDNN at its best."""
    depth = 0

    def locked(*args, **settings):
        nonlocal depth
        with contextlib.ExitStack() as stack:
            if depth == 0:
                file = stack.enter_context(open(CACHE / "benchmark.lock", "w"))
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
    return f"failed: {type(error).__name__}: {str(error).strip().splitlines()[0] if str(error).strip() else ''}"[:300]


def note_of(row, mode):
    """The file beside the caches that says how many seconds the mode took to compile: it is there if they have all of it."""
    return CACHE / f"{torch.__version__} {row['model']} {row['batch_size']} {' '.join(mode)}.json"


def work(job, device):
    """Compiles the modes of a row, or times them and prints a JSON line each."""
    # What compilers print goes to standard error.
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    if device == "cuda":
        from torch._inductor.runtime.benchmarking import benchmarker

        benchmarker.benchmark_gpu = alone(benchmarker.benchmark_gpu)
    for mode in job["modes"]:
        # cuDNN searches when no other process disturbs it: in a benchmark's turn, or when the mode is timed.
        torch.backends.cudnn.benchmark = False
        step = None
        try:
            began = time.monotonic()
            step = training_step(job["row"], *mode, device)
            if mode[1] in COMPILED:
                step()
            result = {"compile_seconds": round(time.monotonic() - began, 1)} if job["compiles"] else timed(step, mode[1], device)
        except Exception as error:
            result = {"skipped": reason_of(error)}
        if job["compiles"]:
            note = note_of(job["row"], mode)
            new = note.with_suffix(".new")
            new.write_text(json.dumps(result))
            new.replace(note)  # Whole or not there, whenever this process is killed.
        else:
            print(json.dumps(result), file=answers, flush=True)
        del step
        if device == "cuda":
            torch._dynamo.reset()  # It counts the networks that it has compiled one function for, and gives up after a few.
            gc.collect()
            torch.cuda.empty_cache()


def timed(step, run, device):
    torch.backends.cudnn.benchmark = True
    call = step if run == "eager" else as_graph(step)
    first = call().item()
    began = time.monotonic()
    while time.monotonic() - began < WARM_MS / 1000:
        elapsed(call, 3, device)
    ms = milliseconds(call, SAMPLES, SAMPLE_MS, device)
    clock = {"clock_mhz": clock_mhz(lambda: elapsed(call, 3, device))} if device == "cuda" else {}
    last = call().item()
    if not last < first:
        raise RuntimeError(f"does not learn, loss {first} to {last}")
    return {"ms_per_step": ms, "samples": SAMPLES, **clock}


def clock_mhz(busy):
    with concurrent.futures.ThreadPoolExecutor() as pool:
        reading = pool.submit(nvidia_smi, "clocks.sm")
        while not reading.done():
            busy()
    return int(reading.result())


@contextlib.contextmanager
def worker(row, modes, device, compiles):
    """A process and what it starts: all end with the block."""
    job = {"row": row, "modes": modes, "compiles": compiles}
    threads = {"TORCHINDUCTOR_COMPILE_THREADS": str(max(1, CORES // COMPILERS)), **({"OMP_NUM_THREADS": "1"} if compiles else {})}
    process = subprocess.Popen(
        [sys.executable, __file__, "--worker", json.dumps(job), "--device", device],
        stdout=subprocess.PIPE, bufsize=0, process_group=0,
        env={**os.environ, "TORCHINDUCTOR_CACHE_DIR": str(CACHE), **threads},
    )
    WORKERS.add(process)
    try:
        yield process
    finally:
        kill(process)
        process.wait()
        process.stdout.close()
        WORKERS.remove(process)


def kill(process):
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)


def end_all(*_):
    for process in list(WORKERS):
        kill(process)
    os._exit(1)


def compile_all(jobs, device, until):
    """Fills the caches, for each row and modes of a job, until then (time.monotonic()). Returns why a job's modes are not there."""

    def compile_job(job):
        began = time.monotonic()
        if began > until:
            return "no time to compile it"
        with worker(*job, device, compiles=True) as process:
            try:
                process.wait(until - began)
                return "failed: its process ended"
            except subprocess.TimeoutExpired:
                return f"not compiled after {time.monotonic() - began:.0f} s"

    with concurrent.futures.ThreadPoolExecutor(COMPILERS) as pool:
        return list(pool.map(compile_job, jobs))


def time_all(row, modes, device, until):
    """Yields each mode and its result, by a process that is alone on the GPU. If it fails, another goes on."""
    left = list(modes)
    while left and time.monotonic() < until:
        with worker(row, left, device, compiles=False) as process:
            answer = True
            while left and answer:
                seconds = min(SECONDS_AT_MOST, max(0, until - time.monotonic()))
                is_there, _, _ = select.select([process.stdout], [], [], seconds)
                if not is_there and seconds < SECONDS_AT_MOST:
                    break
                mode = left.pop(0)
                answer = process.stdout.readline() if is_there else None
                late = f"{'not compiled' if mode[1] in COMPILED else 'failed: no answer'} after {SECONDS_AT_MOST} s"
                yield mode, json.loads(answer) if answer else {"skipped": "failed: its process ended" if is_there else late}
    for mode in left:
        yield mode, {"skipped": "no time left"}


def measure(rows, options):
    began = time.monotonic()
    until = began + 60 * options.minutes
    CACHE.mkdir(parents=True, exist_ok=True)
    path = pathlib.Path(options.results)
    lines = [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []
    key = lambda line: (line["bench"], line["batch_size"], line["optimizer"], line["mode"])
    known = {key(line) for line in lines if "ms_per_step" in line}
    circumstances = {"adapter": adapter(options.device), "library": library(options.device)}

    def line_of(row, mode, **result):
        return {
            "bench": f"{row['model']}-training",
            "mode": ", ".join(mode),
            "precision": "mixed" if mode[0] in ("float16", "bfloat16") else "single",
            "optimizer": row["optimizer"],
            "batch_size": row["batch_size"],
            **result,
            **circumstances,
            "date": datetime.datetime.now(datetime.timezone.utc).isoformat(),
        }

    def report(row, mode, **result):
        line = line_of(row, mode, **result)
        with path.open("a") as file:
            file.write(f"{json.dumps(line)}\n")
        print(json.dumps({name: line[name] for name in ("bench", "batch_size", "mode", *result)}), flush=True)

    def is_possible(mode):
        return options.device == "cuda" or mode[0] in ("float32", "bfloat16") and mode[1] == "eager"

    def note(row, mode):
        path = note_of(row, mode)
        return json.loads(path.read_text()) if path.exists() else {}

    every = list(itertools.product(MODES["arithmetic"], MODES["runs"], MODES["layouts"]))
    wanted = [(row, [mode for mode in every if key(line_of(row, mode)) not in known]) for row in rows]
    jobs = []
    for row, modes in wanted:
        new = [mode for mode in modes if is_possible(mode) and mode[1] in COMPILED and "compile_seconds" not in note(row, mode)]
        jobs += [(row, group) for layout in MODES["layouts"] if (group := [mode for mode in new if mode[2] == layout])]
    timing = SECONDS_TO_TIME * sum(is_possible(mode) for _, modes in wanted for mode in modes)
    # At least half of the time: whatever there is no time to time after that, the next call finds compiled.
    compile_until = min(max(until - timing, began + 30 * options.minutes), began + 60 * options.compile_minutes)
    answers = compile_all(jobs, options.device, compile_until)
    print(f"compiled in {time.monotonic() - began:.0f} s", file=sys.stderr, flush=True)
    reasons = {note_of(row, mode): why for (row, modes), why in zip(jobs, answers) for mode in modes}
    for row, modes in wanted:
        notes = {mode: note(row, mode) for mode in modes if mode[1] in COMPILED}
        ready = [mode for mode in modes if is_possible(mode) and (mode[1] not in COMPILED or "compile_seconds" in notes[mode])]
        for mode in modes:
            if mode not in ready:
                report(row, mode, **(notes.get(mode) or {"skipped": reasons.get(note_of(row, mode), "needs a GPU")}))
        for mode, result in time_all(row, ready, options.device, until):
            report(row, mode, **notes.get(mode, {}), **result)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", nargs="?")
    parser.add_argument("--minutes", type=float, default=60, help="no more than these in all (default: 60)")
    parser.add_argument("--compile-minutes", type=float, default=20, help="of them, to compile at most (default: 20)")
    parser.add_argument("--rows", help="of steps.json, by their places, separated by commas (default: all)")
    parser.add_argument("--device", choices=("cuda", "cpu"), default="cuda")
    parser.add_argument("--worker", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.worker:
        work(json.loads(options.worker), options.device)
    elif not options.results:
        parser.error("expected a file for the results, found none")
    else:
        signal.signal(signal.SIGTERM, end_all)
        signal.signal(signal.SIGINT, end_all)
        places = map(int, options.rows.split(",")) if options.rows else range(len(LIST["rows"]))
        measure([LIST["rows"][place] for place in places], options)


if __name__ == "__main__":
    main()
