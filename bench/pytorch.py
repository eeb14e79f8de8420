"""The same work in PyTorch, on an NVIDIA GPU: LeNet-5 training steps and matrix products, in float32 without TF32.

    python3 pytorch.py [--batch-size 64,128,512] [--samples 20]

Prints a JSON line a case. Times are the GPU's own clock (CUDA events) over many repetitions, after warming up. The step
is measured as PyTorch runs it by default (eager) and as one CUDA graph, which leaves the GPU nothing to wait for.
"""

import argparse
import datetime
import json
import subprocess

import torch
from torch import nn

SAMPLE_MS = 100  # A sample repeats the work until it takes about this long.


def lenet5():
    return nn.Sequential(
        nn.Conv2d(1, 6, 5, padding=2), nn.ReLU(), nn.MaxPool2d(2),
        nn.Conv2d(6, 16, 5), nn.ReLU(), nn.MaxPool2d(2),
        nn.Flatten(),
        nn.Linear(400, 120), nn.ReLU(),
        nn.Linear(120, 84), nn.ReLU(),
        nn.Linear(84, 10),
    ).cuda()


def training_step(batch_size, optimizer_name):
    """A function that trains one step, on a batch that is already on the GPU."""
    torch.manual_seed(1)
    model = lenet5()
    images = torch.randn(batch_size, 1, 28, 28, device="cuda")
    labels = torch.randint(10, (batch_size,), device="cuda")
    loss_of = nn.CrossEntropyLoss()
    # capturable: Adam's step count lives on the GPU, as CUDA graphs need it.
    if optimizer_name == "sgd":
        optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    else:
        optimizer = torch.optim.Adam(model.parameters(), lr=1e-3, capturable=True)

    def step():
        optimizer.zero_grad(set_to_none=True)
        loss = loss_of(model(images), labels)
        loss.backward()
        optimizer.step()
        return loss

    return step


def as_graph(step):
    """The same function as a replay of one CUDA graph."""
    stream = torch.cuda.Stream()
    stream.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(stream):
        for _ in range(11):
            step()
    torch.cuda.current_stream().wait_stream(stream)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        loss = step()

    def replay():
        graph.replay()
        return loss

    return replay


def elapsed(work, repetitions):
    start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    start.record()
    for _ in range(repetitions):
        work()
    end.record()
    end.synchronize()
    return start.elapsed_time(end)


def milliseconds(work, samples):
    """Median, 10th and 90th percentile of one repetition."""
    elapsed(work, 10)
    repetitions = max(1, round(SAMPLE_MS * 10 / elapsed(work, 10)))
    times = torch.tensor([elapsed(work, repetitions) / repetitions for _ in range(samples)])
    p10, median, p90 = torch.quantile(times, torch.tensor([0.1, 0.5, 0.9])).tolist()
    return {"median": median, "p10": p10, "p90": p90}


def driver():
    query = ["nvidia-smi", "--query-gpu=driver_version", "--format=csv,noheader", "--id=0"]
    return subprocess.run(query, capture_output=True, text=True, check=True).stdout.strip()


def main():
    parser = argparse.ArgumentParser(description="LeNet-5 training steps and matrix products in PyTorch")
    parser.add_argument("--batch-size", default="64,128,512")
    parser.add_argument("--samples", type=int, default=20)
    options = parser.parse_args()

    torch.backends.cuda.matmul.allow_tf32 = False
    torch.backends.cudnn.allow_tf32 = False
    torch.backends.cudnn.benchmark = True
    circumstances = {
        "adapter": f"{torch.cuda.get_device_name(0)} (driver {driver()})",
        "library": f"PyTorch {torch.__version__}, CUDA {torch.version.cuda}, cuDNN {torch.backends.cudnn.version()}",
        "date": datetime.datetime.now(datetime.timezone.utc).isoformat(),
    }

    def report(**result):
        print(json.dumps({**result, "samples": options.samples, **circumstances}), flush=True)

    for batch_size in map(int, options.batch_size.split(",")):
        for optimizer in ("sgd", "adam"):
            for mode, wrap in (("eager", lambda step: step), ("cuda graph", as_graph)):
                step = wrap(training_step(batch_size, optimizer))
                first = step().item()
                ms = milliseconds(step, options.samples)
                last = step().item()
                if not last < first:
                    raise SystemExit(f"{optimizer}, {mode}: does not learn, loss {first} to {last}")
                report(
                    bench="lenet5-training",
                    mode=mode,
                    optimizer=optimizer,
                    batch_size=batch_size,
                    ms_per_step=ms,
                    images_per_second=1000 * batch_size / ms["median"],
                )

    for size in (1024, 2048, 4096):
        a, b = torch.randn(2, size, size, device="cuda")
        out = torch.empty_like(a)
        ms = milliseconds(lambda: torch.mm(a, b, out=out), options.samples)
        report(bench="gemm", size=size, ms=ms, tflops=2 * size**3 / ms["median"] / 1e9)


if __name__ == "__main__":
    main()
