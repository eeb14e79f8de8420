"""The same work in PyTorch, on an NVIDIA GPU: training steps of LeNet-5, ResNet-20 and ResNet-18, matrix products and single
convolutions, in float32 without TF32.

    python3 pytorch.py [--only lenet5,resnet20,resnet18,gemm,conv] [--batch-size N,...] [--samples 20] [--device cpu --small]
    python3 pytorch.py --only resnet18 --modes "cuda graph,compiled" --arithmetic float32,tf32,amp
    python3 pytorch.py --only conv --problems FILE [--unchecked]     # what `wgrad bench find` printed into FILE

Prints a JSON line a case. Times are the GPU's own clock (CUDA events) over many repetitions, after warming up. Steps and
convolutions are measured as PyTorch runs them by default (eager) and as CUDA graphs, which leave the GPU nothing to wait
for; steps also compiled by torch.compile, in a CUDA graph too. cuDNN picks its algorithms by its own search
(cudnn.benchmark), which is over before the clock starts. --arithmetic adds what PyTorch's users run on tensor cores: TF32,
and automatic mixed precision in bfloat16 with channels last.
--device cpu and --small show without a GPU that all is right, not how fast it is: there is only eager, by the wall clock.
"""

import argparse
import datetime
import itertools
import json
import math
import platform
import re
import subprocess
import sys
import time

import torch
from torch import nn

# N, C, H and W, K, R and S, padding: the same as wgrad's suite "layers".
CONVOLUTIONS = (
    (64, 64, 32, 64, 3, 1),
    (64, 64, 32, 64, 5, 2),
    (64, 64, 32, 64, 1, 0),
    (128, 128, 16, 128, 3, 1),
    (128, 256, 8, 256, 3, 1),
)
SMALL_CONVOLUTIONS = ((2, 8, 8, 8, 3, 1), (2, 8, 8, 4, 1, 0))
SIZES, SMALL_SIZES = (1024, 2048, 4096), (64, 128)
BATCH_SIZES = {"lenet5": "64,128,512", "resnet20": "32,128,512", "resnet18": "128"}
ARITHMETIC = ("float32", "tf32", "amp")
GRAPH_CALLS = 20  # Convolutions of less than 1 ms in one CUDA graph: the time between two graphs is theirs to share.
TOLERANCE = 1e-4  # An error of a convolution against float64, relative to the largest number, that is worth telling.


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


def resnet(widths, blocks, parameters):
    before = widths[0]
    layers = [nn.Conv2d(3, before, 3, padding=1, bias=False), nn.BatchNorm2d(before), nn.ReLU(inplace=True)]
    for width in widths:
        for _ in range(blocks):
            layers.append(Block(before, width))
            before = width
    model = nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(before, 10))
    found = sum(p.numel() for p in model.parameters())
    if found != parameters:
        raise SystemExit(f"expected the {parameters} parameters of wgrad's network, found {found}")
    return model


def resnet20():
    return resnet((16, 32, 64), 3, 272_474)


def resnet18():
    return resnet((64, 128, 256, 512), 2, 11_173_962)


def training_step(model, image, batch_size, optimizer_name, momentum, device, arithmetic="float32", compiled=False):
    """A function that trains one step, on a batch that is already on the GPU."""
    torch.manual_seed(1)
    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = arithmetic == "tf32"
    is_mixed = arithmetic == "amp"
    layout = torch.channels_last if is_mixed else torch.contiguous_format
    model = model().to(device, memory_format=layout)
    images = torch.randn(batch_size, *image, device=device).to(memory_format=layout)
    forward = torch.compile(model) if compiled else model
    labels = torch.randint(10, (batch_size,), device=device)
    loss_of = nn.CrossEntropyLoss()
    # capturable: Adam's step count lives on the GPU, as CUDA graphs need it.
    if optimizer_name == "sgd":
        optimizer = torch.optim.SGD(model.parameters(), lr=0.01, momentum=momentum)
    else:
        optimizer = torch.optim.Adam(model.parameters(), lr=1e-3, capturable=device == "cuda")

    def step():
        optimizer.zero_grad(set_to_none=True)
        with torch.autocast(device, dtype=torch.bfloat16, enabled=is_mixed):
            loss = loss_of(forward(images), labels)
        loss.backward()
        optimizer.step()
        return loss

    return step


SIZES_PATTERN = re.compile(
    r"n(\d+) c(\d+) (\d+)x(\d+) k(\d+) (\d+)x(\d+) s(\d+)x(\d+) p(\d+)x(\d+) d(\d+)x(\d+) g(\d+)"
)


def problem_of(text):
    """Shapes of x, w and dy, and the settings of aten's convolutions, of sizes as wgrad writes them."""
    match = SIZES_PATTERN.fullmatch(text)
    if match is None:
        raise SystemExit(f'expected sizes such as "n1 c4 32x32 k16 3x3 s1x1 p1x1 d1x1 g1", found "{text}"')
    n, c, h, w, k, r, s, *pairs, groups = map(int, match.groups())
    stride, padding, dilation = pairs[0:2], pairs[2:4], pairs[4:6]
    p, q = (
        (size + 2 * padding[i] - dilation[i] * (filter - 1) - 1) // stride[i] + 1
        for i, (size, filter) in enumerate(((h, r), (w, s)))
    )
    shapes = (n, c, h, w), (k, c // groups, r, s), (n, k, p, q)
    # Stride, padding, dilation, transposed, output padding, groups.
    return shapes, (stride, padding, dilation, False, [0, 0], groups)


def convolution(direction, settings):
    """A function of x, w and dy that computes y, dx or dw."""
    ops = torch.ops.aten
    if direction == "fprop":
        return lambda x, w, dy: ops.convolution(x, w, None, *settings)
    if direction == "dgrad":
        return lambda x, w, dy: ops.convolution_backward(dy, x, w, None, *settings, [True, False, False])[0]
    return lambda x, w, dy: ops.convolution_backward(dy, x, w, None, *settings, [False, True, False])[1]


def relative_error(numbers, exact):
    return ((numbers.double() - exact).abs().max() / exact.abs().max()).item()


def as_graph(step, calls=1):
    """The same function, `calls` times, as a replay of one CUDA graph."""
    stream = torch.cuda.Stream()
    stream.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(stream):
        for _ in range(11):
            step()
    torch.cuda.current_stream().wait_stream(stream)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        for _ in range(calls):
            result = step()

    def replay():
        graph.replay()
        return result

    return replay


def elapsed(work, repetitions, device):
    if device == "cpu":
        began = time.perf_counter()
        for _ in range(repetitions):
            work()
        return 1000 * (time.perf_counter() - began)
    start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    start.record()
    for _ in range(repetitions):
        work()
    end.record()
    end.synchronize()
    return start.elapsed_time(end)


def milliseconds(work, options):
    """Median, 10th and 90th percentile of one repetition."""
    elapsed(work, 3, options.device)
    once = elapsed(work, 3, options.device) / 3
    repetitions = max(1, round(options.sample_ms / once))
    times = torch.tensor([elapsed(work, repetitions, options.device) / repetitions for _ in range(options.samples)])
    p10, median, p90 = torch.quantile(times, torch.tensor([0.1, 0.5, 0.9])).tolist()
    return {"median": median, "p10": p10, "p90": p90}


def adapter(device):
    if device == "cpu":
        return platform.processor() or platform.machine()
    query = ["nvidia-smi", "--query-gpu=driver_version", "--format=csv,noheader", "--id=0"]
    driver = subprocess.run(query, capture_output=True, text=True, check=True).stdout.strip()
    return f"{torch.cuda.get_device_name(0)} (driver {driver})"


def library(device):
    cuda = f", CUDA {torch.version.cuda}, cuDNN {torch.backends.cudnn.version()}"
    return f"PyTorch {torch.__version__}{cuda if device == 'cuda' else ''}"


def time_training(name, model, image, optimizers, momentum, options, report):
    batch_sizes = map(int, (options.batch_size or BATCH_SIZES[name]).split(","))
    cases = itertools.product(batch_sizes, optimizers, options.arithmetic, options.modes)
    for batch_size, optimizer, arithmetic, mode in cases:
        work = training_step(
            model, image, batch_size, optimizer, momentum, options.device, arithmetic, compiled=mode == "compiled"
        )
        step = work if mode == "eager" else as_graph(work)
        first = step().item()
        ms = milliseconds(step, options)
        last = step().item()
        if not last < first:
            raise SystemExit(f"{name}, {optimizer}, {arithmetic}, {mode}: does not learn, loss {first} to {last}")
        report(
            bench=f"{name}-training",
            mode=f"{arithmetic}, {mode}" if arithmetic == "tf32" else mode,
            precision="mixed" if arithmetic == "amp" else "single",
            optimizer=optimizer,
            batch_size=batch_size,
            ms_per_step=ms,
            images_per_second=1000 * batch_size / ms["median"],
        )
    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = False


def time_lenet5(options, report):
    time_training("lenet5", lenet5, (1, 28, 28), ("sgd", "adam"), 0, options, report)


def time_resnet20(options, report):
    # With momentum, which wgrad's kernel for SGD always keeps.
    time_training("resnet20", resnet20, (3, 32, 32), ("sgd",), 0.9, options, report)


def time_resnet18(options, report):
    time_training("resnet18", resnet18, (3, 32, 32), ("sgd",), 0.9, options, report)


def time_gemm(options, report):
    for size in SMALL_SIZES if options.small else SIZES:
        a, b = torch.randn(2, size, size, device=options.device)
        out = torch.empty_like(a)
        ms = milliseconds(lambda: torch.mm(a, b, out=out), options)
        report(bench="gemm", size=size, ms=ms, tflops=2 * size**3 / ms["median"] / 1e9)


def convolutions(options):
    """Sizes and directions: wgrad's suite "layers", or those of a file of wgrad's results, each once."""
    if options.problems is None:
        for n, c, size, k, r, padding in SMALL_CONVOLUTIONS if options.small else CONVOLUTIONS:
            for direction in ("fprop", "dgrad", "wgrad"):
                yield f"n{n} c{c} {size}x{size} k{k} {r}x{r} s1x1 p{padding}x{padding} d1x1 g1", direction
        return
    with open(options.problems, encoding="utf-8") as lines:
        results = [json.loads(line) for line in lines]
    yield from dict.fromkeys((one["problem"], one["direction"]) for one in results if "problem" in one)


def time_conv(options, report):
    torch.manual_seed(1)
    for problem, direction in convolutions(options):
        shapes, settings = problem_of(problem)
        tensors = [torch.rand(shape, device=options.device) * 2 - 1 for shape in shapes]
        flop = 2 * math.prod(shapes[2]) * math.prod(shapes[1][1:])
        convolve = convolution(direction, settings)

        def call():
            return convolve(*tensors)

        exact = None
        if not options.unchecked:
            with torch.backends.cudnn.flags(enabled=True, benchmark=False, allow_tf32=False):
                exact = convolve(*(tensor.double() for tensor in tensors))
        works = [("eager", 1, call)]
        if options.device == "cuda":
            call()  # cuDNN's search
            calls = GRAPH_CALLS if elapsed(call, 1, options.device) < 1 else 1
            works.append(("cuda graph", calls, as_graph(call, calls)))
        for mode, calls, work in works:
            ms = {name: total / calls for name, total in milliseconds(work, options).items()}
            checked = {}
            if exact is not None:
                error = relative_error(work(), exact)
                # What cuDNN's search takes may be less accurate than others: reported, and timed all the same.
                if not error < 1:
                    raise SystemExit(f"{direction} of {problem}, {mode}: wrong, relative error {error}")
                if error > TOLERANCE:
                    print(f"{direction} of {problem}, {mode}: relative error {error:.1e}", file=sys.stderr)
                checked["error"] = error
            report(
                bench="convolution",
                mode=mode,
                problem=problem,
                direction=direction,
                ms=ms,
                flop=flop,
                tflops=flop / ms["median"] / 1e9,
                **checked,
            )


PARTS = {
    "lenet5": time_lenet5, "resnet20": time_resnet20, "resnet18": time_resnet18, "gemm": time_gemm, "conv": time_conv,
}
MODES = ("eager", "cuda graph", "compiled")


def some_of(known):
    """A function that reads some of the known names, separated by commas."""

    def read(text):
        names = text.split(",")
        for name in names:
            if name not in known:
                raise argparse.ArgumentTypeError(f'expected some of {",".join(known)}, found "{name}"')
        return names

    return read


def main():
    parser = argparse.ArgumentParser(description="Training steps, matrix products and convolutions in PyTorch")
    parser.add_argument("--only", type=some_of(PARTS), default=list(PARTS), metavar=",".join(PARTS))
    parser.add_argument("--modes", type=some_of(MODES), metavar=",".join(MODES), help="of training steps")
    parser.add_argument("--arithmetic", type=some_of(ARITHMETIC), default=["float32"], metavar=",".join(ARITHMETIC))
    usual = "; ".join(f"{name}: {sizes}" for name, sizes in BATCH_SIZES.items())
    parser.add_argument("--batch-size", metavar="N,...", help=f"images a step (default: {usual})")
    parser.add_argument("--problems", metavar="FILE", help="conv: the sizes and directions in these results of wgrad's")
    parser.add_argument("--unchecked", action="store_true", help="conv: do not compute the errors, in float64")
    parser.add_argument("--samples", type=int, default=20)
    parser.add_argument("--sample-ms", type=float, default=100, help="a sample repeats the work until it takes this long")
    parser.add_argument("--device", choices=("cuda", "cpu"), default="cuda")
    parser.add_argument("--small", action="store_true", help="small products and convolutions instead")
    options = parser.parse_args()
    options.modes = options.modes or ["eager"] + (["cuda graph"] if options.device == "cuda" else [])
    if options.device == "cpu" and options.modes != ["eager"]:
        parser.error('--device cpu: expected --modes eager, as CUDA graphs need a GPU')

    torch.backends.cuda.matmul.allow_tf32 = False
    torch.backends.cudnn.allow_tf32 = False
    torch.backends.cudnn.benchmark = True
    circumstances = {
        "adapter": adapter(options.device),
        "library": library(options.device),
        "date": datetime.datetime.now(datetime.timezone.utc).isoformat(),
    }

    def report(**result):
        print(json.dumps({**result, "samples": options.samples, **circumstances}), flush=True)

    for name in options.only:
        PARTS[name](options, report)


if __name__ == "__main__":
    main()
