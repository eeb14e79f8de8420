#!/usr/bin/env python3
"""Trains models by PyTorch in float64 and by wgrad, from the same parameters on the same images, and compares the losses.

    npm run -s wgrad -- models --out-dir /tmp/models             # all, or any model file
    python3 pytorch_models.py /tmp/models/*.json [--optimizer sgd,adamw] [--steps 4] [--batch-size 16] [--lr 1e-4] [--conv-algorithm direct]

The model files hold all there is to know of a network; this runs them with PyTorch's own functions. The images are the
drawn shapes, in the order of their file. wgrad is "ok" if it is at every step at most TIMES as far off float64 as PyTorch's own
float32 has been, or within FLOOR. Training departs from float64 by itself where numbers are rounded, in deep networks a
thousandfold a step: where float64 from parameters that were moved by a rounding of float32 (the worst of NUDGES) departs as
far, losses cannot tell right from wrong, and the verdict is "undecided": take fewer steps or a smaller --lr. All else is
"bad", and then the exit status is 1.
"""
import argparse
import gzip
import json
import pathlib
import struct
import subprocess
import sys
import tempfile

import torch
import torch.nn.functional as F

ROOT = pathlib.Path(__file__).resolve().parent.parent
MEAN, STD = (0.5009, 0.5017, 0.5011), (0.2947, 0.2936, 0.2943)
TIMES, FLOOR, NUDGES = 10.0, 2e-5, 4
SETTINGS = {
    "sgd": dict(lr=0.01, momentum=0.9, weight_decay=1e-4),
    "adam": dict(lr=1e-3, weight_decay=0.0),
    "adamw": dict(lr=1e-3, weight_decay=0.01),
    "rmsprop": dict(lr=1e-4, weight_decay=0.0),
}


def images(count):
    """The first `count` training images as float64, and their labels."""
    raw = gzip.decompress((ROOT / "public/datasets/shapes/train_batch.bin.gz").read_bytes())
    records = torch.tensor(list(raw[: count * 3073]), dtype=torch.uint8).view(count, 3073)
    x = records[:, 1:].double().view(count, 3, 32, 32) / 255
    mean, std = (torch.tensor(v, dtype=torch.float64).view(1, 3, 1, 1) for v in (MEAN, STD))
    return (x - mean) / std, records[:, 0].long()


def both(value):
    return tuple(value) if isinstance(value, list) else (value, value)


def sides(size, kernel, stride, dilation, value, axis):
    """Rows before and after, as wgrad's models state padding: a number, a pair, a word or four sides."""
    if value == "same":
        total = max(0, (-(-size // stride) - 1) * stride + dilation * (kernel - 1) + 1 - size)
        return total // 2, total - total // 2
    if value == "valid":
        return 0, 0
    if isinstance(value, dict):
        return (value["top"], value["bottom"]) if axis == 0 else (value["left"], value["right"])
    return (both(value)[axis],) * 2


def padded(x, a, kernel, stride, dilation, filler=0.0):
    """The padded input if opposite sides differ, and the padding that remains for the layer."""
    rows, columns = (sides(x.shape[2 + i], kernel[i], stride[i], dilation[i], a.get("padding", 0), i) for i in (0, 1))
    if rows[0] == rows[1] and columns[0] == columns[1]:
        return x, (rows[0], columns[0])
    return F.pad(x, (*columns, *rows), value=filler), (0, 0)


class Network:
    """A model file, run layer by layer. Parameters come into being where a layer first sees its input."""

    def __init__(self, layers):
        self.layers = layers
        self.parameters = {}
        self.running = {}

    def forward(self, x, training=True):
        outputs = {"input": x}
        before = x
        for layer in self.layers:
            taken = [outputs[name] for name in layer["inputs"]] if layer.get("inputs") else [before]
            before = outputs[layer["name"]] = self.run(layer, taken, training)
        return before

    def parameter(self, name, shape, like, make):
        if name not in self.parameters:
            self.parameters[name] = make(shape).to(like).requires_grad_()
        return self.parameters[name]

    def run(self, layer, taken, training):
        a, x, name = layer.get("attributes") or {}, taken[0], layer["name"]
        op = layer["op"]
        scaled = lambda shape: torch.randn(shape, dtype=torch.float64) * (2 / max(1, shape[1:].numel())) ** 0.5
        near = lambda value: lambda shape: value + 0.1 * torch.randn(shape, dtype=torch.float64)
        if op == "conv":
            size, groups = both(a["kernelSize"]), a.get("groups", 1)
            w = self.parameter(f"{name}.weight", torch.Size((a["outChannels"], x.shape[1] // groups, *size)), x, scaled)
            b = self.parameter(f"{name}.bias", (a["outChannels"],), x, near(0)) if a.get("bias", True) else None
            stride, dilation = both(a.get("stride", 1)), both(a.get("dilation", 1))
            x, padding = padded(x, a, size, stride, dilation)
            return F.conv2d(x, w, b, stride, padding, dilation, groups)
        if op == "linear":
            w = self.parameter(f"{name}.weight", torch.Size((a["outFeatures"], x.shape[1])), x, scaled)
            b = self.parameter(f"{name}.bias", (a["outFeatures"],), x, near(0)) if a.get("bias", True) else None
            return F.linear(x, w, b)
        if op == "batch_norm":
            w = self.parameter(f"{name}.weight", (x.shape[1],), x, near(1))
            b = self.parameter(f"{name}.bias", (x.shape[1],), x, near(0))
            if name not in self.running:
                self.running[name] = (torch.zeros(x.shape[1]).to(x), torch.ones(x.shape[1]).to(x))
            return F.batch_norm(x, *self.running[name], w, b, training, a.get("momentum", 0.1), a.get("eps", 1e-5))
        if op in ("max_pool", "avg_pool"):
            size, stride = both(a["kernelSize"]), both(a.get("stride", a["kernelSize"]))
            dilation = both(a.get("dilation", 1))
            ones = torch.ones_like(x)
            x, padding = padded(x, a, size, stride, dilation, float("-inf") if op == "max_pool" else 0.0)
            common = dict(kernel_size=size, stride=stride, padding=padding, ceil_mode=a.get("ceilMode", False))
            if op == "max_pool":
                return F.max_pool2d(x, dilation=dilation, **common)
            counts = a.get("countIncludePad", True)
            mean = F.avg_pool2d(x, count_include_pad=counts, **common)
            if counts or x.shape == ones.shape:
                return mean
            return mean / F.avg_pool2d(padded(ones, a, size, stride, dilation)[0], **common)
        if op in ("adaptive_avg_pool", "adaptive_max_pool"):
            return getattr(F, op + "2d")(x, both(a["outputSize"]))
        if op == "maxout":
            return x.unflatten(1, (-1, a["pieces"])).amax(2)
        if op == "leaky_relu":
            return F.leaky_relu(x, a.get("negativeSlope", 0.01))
        if op == "elu":
            return F.elu(x, a.get("alpha", 1.0))
        if op == "gelu":
            return F.gelu(x, approximate=a.get("approximate", "none"))
        if op == "softplus":
            return F.softplus(x, a.get("beta", 1), a.get("threshold", 20))
        if op == "scale":
            return x * a.get("factor", 1)
        if op == "dropout":
            # Random numbers differ between libraries, so it is left out on both sides.
            return x
        if op == "add":
            return sum(taken[1:], taken[0])
        if op == "concat":
            return torch.cat(taken, 1)
        if op == "flatten":
            return x.flatten(1)
        return {"relu": F.relu, "silu": F.silu, "sigmoid": torch.sigmoid, "tanh": torch.tanh}[op](x)


def optimizer_of(name, parameters, settings):
    kinds = {"sgd": torch.optim.SGD, "adam": torch.optim.Adam, "adamw": torch.optim.AdamW, "rmsprop": torch.optim.RMSprop}
    return kinds[name](parameters, **settings)


def losses_of(layers, initial, batches, optimizer, settings, dtype, device):
    net = Network(layers)
    net.parameters = {name: p.detach().clone().to(device, dtype).requires_grad_() for name, p in initial.items()}
    step = optimizer_of(optimizer, list(net.parameters.values()), settings)
    losses = []
    for x, y in batches:
        step.zero_grad()
        loss = F.cross_entropy(net.forward(x.to(device, dtype)), y.to(device))
        loss.backward()
        step.step()
        losses.append(loss.item())
    return losses


def write_safetensors(path, tensors):
    header, data, at = {}, [], 0
    for name, tensor in tensors.items():
        raw = tensor.detach().cpu().float().contiguous().numpy().tobytes()
        header[name] = {"dtype": "F32", "shape": list(tensor.shape), "data_offsets": [at, at + len(raw)]}
        data.append(raw)
        at += len(raw)
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    path.write_bytes(struct.pack("<Q", len(text)) + text + b"".join(data))


def wgrad_losses(model, initial, running, optimizer, settings, options, folder):
    statistics = {}
    for name, (mean, var) in running.items():
        statistics |= {f"{name}.running_mean": torch.zeros_like(mean), f"{name}.running_var": torch.ones_like(var)}
    write_safetensors(folder / "initial.safetensors", {**initial, **statistics})
    (folder / "model.json").write_text(json.dumps(model))
    words = ["--model", folder / "model.json", "--dataset", "shapes", "--steps", options.steps, "--no-shuffle", "--no-augment"]
    words += ["--batch-size", options.batch_size, "--optimizer", optimizer, "--init", folder / "initial.safetensors"]
    words += ["--mean", ",".join(map(str, MEAN)), "--std", ",".join(map(str, STD))]
    words += ["--lr", settings["lr"], "--weight-decay", settings["weight_decay"]]
    words += ["--momentum", settings["momentum"]] if "momentum" in settings else []
    words += ["--conv-algorithm", options.conv_algorithm] if options.conv_algorithm else []
    built = ROOT / "dist-cli/wgrad.mjs"
    start = ["node", built] if built.exists() else ["npm", "run", "-s", "wgrad", "--"]
    done = subprocess.run([*map(str, start), "train", *map(str, words)], cwd=ROOT, capture_output=True, text=True)
    lines = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    if done.returncode != 0:
        raise SystemExit(f"wgrad: {done.stderr[-600:]}")
    return [line["loss"] for line in lines if "step" in line]


def verdict_of(own, theirs, shaken, steps):
    """Each a list, a step a number: how far wgrad, PyTorch's float32 and moved float64 are off."""
    if len(own) != steps:
        return "bad"
    far = [i for i, off in enumerate(own) if off > max(TIMES * max(theirs[: i + 1]), FLOOR)]
    if not far:
        return "ok"
    return "undecided" if all(own[i] <= TIMES * max(shaken[: i + 1]) for i in far) else "bad"


def main():
    parse = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parse.add_argument("models", nargs="+", type=pathlib.Path)
    parse.add_argument("--optimizer", default="sgd,adamw")
    parse.add_argument("--steps", type=int, default=4)
    parse.add_argument("--batch-size", type=int, default=16)
    parse.add_argument("--lr", type=float, help="instead of the usual ones")
    parse.add_argument("--conv-algorithm", help="wgrad's, for every convolution")
    options = parse.parse_args()
    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = False
    device = "cuda" if torch.cuda.is_available() else "cpu"
    x, y = images(options.steps * options.batch_size)
    batches = list(zip(x.split(options.batch_size), y.split(options.batch_size)))
    bad = 0
    for path in options.models:
        model = json.loads(path.read_text())
        for layer in model["layers"]:
            if layer["op"] == "dropout":
                layer["attributes"] = {**(layer.get("attributes") or {}), "p": 0}
        torch.manual_seed(1)
        first = Network(model["layers"])
        first.forward(batches[0][0].to(device))
        # float32 numbers, so that all begin with the same.
        initial = {name: p.detach().float().double() for name, p in first.parameters.items()}
        for optimizer in options.optimizer.split(","):
            settings = {**SETTINGS[optimizer], **({"lr": options.lr} if options.lr else {})}
            run = lambda dtype: losses_of(model["layers"], initial, batches, optimizer, settings, dtype, device)
            exact, single = run(torch.float64), run(torch.float32)
            with tempfile.TemporaryDirectory() as folder:
                ours = wgrad_losses(model, initial, first.running, optimizer, settings, options, pathlib.Path(folder))
            off = lambda losses: [abs(a - b) / max(abs(b), 1e-3) for a, b in zip(losses, exact)]
            nudged = [[0.0] * len(exact)]
            for _ in range(NUDGES):
                moved = {name: p * (1 + (2 * torch.rand_like(p) - 1) * 2**-23) for name, p in initial.items()}
                nudged.append(off(losses_of(model["layers"], moved, batches, optimizer, settings, torch.float64, device)))
            own, theirs, shaken = off(ours), off(single), [max(column) for column in zip(*nudged)]
            verdict = verdict_of(own, theirs, shaken, len(exact))
            bad += verdict == "bad"
            print(json.dumps({"model": path.stem, "optimizer": optimizer, "lr": settings["lr"], "verdict": verdict, "losses": [round(v, 6) for v in exact],
                              "off": [float(f"{v:.2g}") for v in own], "pytorch_float32_off": [float(f"{v:.2g}") for v in theirs],
                              "nudged_off": [float(f"{v:.2g}") for v in shaken],
                              "parameters": sum(p.numel() for p in initial.values())}), flush=True)
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
