"""Matrix products and single convolutions in PyTorch, on an NVIDIA GPU, in float32 without TF32. Training steps: pytorch_steps.py.

    python3 pytorch.py [--only gemm,conv] [--samples 20] [--device cpu --small]
    python3 pytorch.py --only conv --problems FILE [--unchecked]     # what `wgrad bench find` printed into FILE

Prints a JSON line a case. Times are the GPU's own clock (CUDA events) over many repetitions, after warming up. Convolutions are
measured as PyTorch runs them by default (eager) and as CUDA graphs, which leave the GPU nothing to wait for. cuDNN picks its
algorithms by its own search (cudnn.benchmark), which is over before the clock starts.
--device cpu and --small show without a GPU that all is right, not how fast it is: there is only eager, by the wall clock.
"""

import argparse
import datetime
import json
import math
import platform
import re
import subprocess
import sys
import time

import torch

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
GRAPH_CALLS = 20  # Convolutions of less than 1 ms in one CUDA graph: the time between two graphs is theirs to share.
TOLERANCE = 1e-4  # An error of a convolution against float64, relative to the largest number, that is worth telling.


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


def milliseconds(work, samples, sample_ms, device):
    """Median, 10th and 90th percentile of one repetition; a sample repeats the work until it takes `sample_ms`."""
    elapsed(work, 3, device)
    once = elapsed(work, 3, device) / 3
    repetitions = max(1, round(sample_ms / once))
    times = torch.tensor([elapsed(work, repetitions, device) / repetitions for _ in range(samples)])
    p10, median, p90 = torch.quantile(times, torch.tensor([0.1, 0.5, 0.9])).tolist()
    return {"median": median, "p10": p10, "p90": p90}


def nvidia_smi(what):
    query = ["nvidia-smi", f"--query-gpu={what}", "--format=csv,noheader,nounits", "--id=0"]
    return subprocess.run(query, capture_output=True, text=True, check=True).stdout.strip()


def adapter(device):
    """The GPU and its driver, by nvidia-smi: PyTorch might open a context on the GPU, beside the one that is timed."""
    if device == "cpu":
        return platform.processor() or platform.machine()
    return f"{nvidia_smi('name')} (driver {nvidia_smi('driver_version')})"


def library(device):
    cuda = f", CUDA {torch.version.cuda}, cuDNN {torch.backends.cudnn.version()}"
    return f"PyTorch {torch.__version__}{cuda if device == 'cuda' else ''}"


def time_gemm(options, report):
    for size in SMALL_SIZES if options.small else SIZES:
        a, b = torch.randn(2, size, size, device=options.device)
        out = torch.empty_like(a)
        ms = milliseconds(lambda: torch.mm(a, b, out=out), options.samples, options.sample_ms, options.device)
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
            ms = {name: total / calls for name, total in milliseconds(work, options.samples, options.sample_ms, options.device).items()}
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


PARTS = {"gemm": time_gemm, "conv": time_conv}


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
    parser = argparse.ArgumentParser(description="Matrix products and convolutions in PyTorch")
    parser.add_argument("--only", type=some_of(PARTS), default=list(PARTS), metavar=",".join(PARTS))
    parser.add_argument("--problems", metavar="FILE", help="conv: the sizes and directions in these results of wgrad's")
    parser.add_argument("--unchecked", action="store_true", help="conv: do not compute the errors, in float64")
    parser.add_argument("--samples", type=int, default=20)
    parser.add_argument("--sample-ms", type=float, default=100, help="a sample repeats the work until it takes this long")
    parser.add_argument("--device", choices=("cuda", "cpu"), default="cuda")
    parser.add_argument("--small", action="store_true", help="small products and convolutions instead")
    options = parser.parse_args()
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
