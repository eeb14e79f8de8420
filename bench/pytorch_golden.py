#!/usr/bin/env python3
"""Writes src/train/testing/golden-recipe.json: twenty losses by PyTorch for each feature of the recipes, with what they follow from.

    python3 pytorch_golden.py

The images are the first ones of the built-in shapes, in the order of their file. Initial values follow from a formula that
the test repeats. Losses are of float64; `off` is how far those of float32 are from them so far.
"""
import json
import pathlib

import torch
import torch.nn.functional as F

from pytorch_models import Network, images
from pytorch_recipes import USUAL, Optimizer, learning_rate, whitening

TARGET = pathlib.Path(__file__).resolve().parent.parent / "src/train/testing/golden-recipe.json"
IMAGES, BATCH, STEPS = 40, 8, 20
# Averages: the largest of nearly equal numbers may be another one in float32, and so the loss jumps.
LAYERS = [
    {"name": "whiten", "op": "conv", "attributes": {"outChannels": 24, "kernelSize": [2, 2]}},
    {"name": "gelu0", "op": "gelu"},
    {"name": "conv1", "op": "conv", "attributes": {"outChannels": 16, "kernelSize": [3, 3], "padding": [1, 1], "bias": False}},
    {"name": "pool1", "op": "avg_pool", "attributes": {"kernelSize": [4, 4]}},
    {"name": "norm1", "op": "batch_norm", "attributes": {"eps": 1e-12, "momentum": 0.4}},
    {"name": "gelu1", "op": "gelu"},
    {"name": "conv2", "op": "conv", "attributes": {"outChannels": 32, "kernelSize": [3, 3], "padding": [1, 1], "bias": False}},
    {"name": "norm2", "op": "batch_norm", "attributes": {"eps": 1e-12, "momentum": 0.4}},
    {"name": "gelu2", "op": "gelu"},
    {"name": "pool2", "op": "avg_pool", "attributes": {"kernelSize": [7, 7]}},
    {"name": "flatten", "op": "flatten"},
    {"name": "head", "op": "linear", "attributes": {"outFeatures": 10, "bias": False}},
    {"name": "scale", "op": "scale", "attributes": {"factor": 1 / 9}},
]
SHARED = dict(optimizer="sgd", lr=0.05, momentum=0.85)
CASES = {
    "linear schedule, warm-up, label smoothing": SHARED | dict(
        nesterov=True, weightDecay=5e-4, labelSmoothing=0.2, schedule="linear", warmupEpochs=0.8,
    ),
    "factors of learning rate and weight decay": SHARED | dict(
        weightDecay=0.01, lrFactors=["*.bias=4", "whiten=0.5", "head=2"], decayFactors=["*.bias=0", "conv2=10"],
    ),
    "trained epochs": SHARED | dict(trainedEpochs=["whiten=1-2", "whiten.weight=2-3", "conv2=3-", "norm2=1-3"]),
    "whitening": SHARED | dict(whiten=True, lrFactors=["whiten.weight=0"]),
    "dirac": SHARED | dict(weightsInit="dirac"),
    "muon": dict(optimizer="muon", lr=0.02, momentum=0.95, weightDecay=0.1),
    "the recipe of airbench94": dict(
        optimizer="muon", lr=0.02, momentum=0.6, nesterov=True, nsSteps=3, rescale=True, weightDecay=1e-3, labelSmoothing=0.2,
        weightsInit="dirac", whiten=True, schedule="linear", trainedEpochs=["whiten.bias=1-3"], decayFactors=["head=64"],
        lrFactors=["*.bias=20", "whiten.weight=0", "norm*.weight=0", "head=10"],
    ),
}


def noise(count, seed):
    """Numbers from -1 to 1, by a generator that is one line in any language."""
    values, state = [], seed
    for _ in range(count):
        state = (state * 1664525 + 1013904223) % 2**32
        values.append(state / 2**31 - 1)
    return torch.tensor(values, dtype=torch.float64).float().double()


def filters_of(x, shape):
    """Whitening filters; of each and its negative, the one first whose largest value is positive."""
    filters = whitening(x, shape)
    half = len(filters) // 2
    for i in range(half):
        flat = filters[i].flatten()
        if flat[flat.abs().argmax()] < 0:
            filters[[i, half + i]] = filters[[half + i, i]]
    return filters


def initial(settings, x):
    net = Network(LAYERS)
    net.forward(x[:2])
    values = {}
    for seed, (name, p) in enumerate(net.parameters.items()):
        weight = net.parameters[name.rsplit(".", 1)[0] + ".weight"].shape
        if len(weight) == 1:
            values[name] = torch.full_like(p, 1.0 if name.endswith("weight") else 0.0)
            continue
        values[name] = (noise(p.numel(), seed).view_as(p) / weight[1:].numel() ** 0.5).detach().float().double()
        if settings["weightsInit"] == "dirac" and p.ndim == 4:
            torch.nn.init.dirac_(values[name][: p.shape[1]])
    if settings["whiten"]:
        values["whiten.weight"] = filters_of(x, values["whiten.weight"].shape).float().double()
    return values


def losses_of(settings, x, y, dtype):
    net = Network(LAYERS)
    net.parameters = {name: p.to(dtype).clone().requires_grad_() for name, p in initial(settings, x).items()}
    optimizer, losses = Optimizer(net.parameters, settings), []
    for step in range(STEPS):
        rows = torch.arange(step * BATCH, (step + 1) * BATCH) % IMAGES
        loss = F.cross_entropy(net.forward(x[rows].to(dtype)), y[rows], label_smoothing=settings["labelSmoothing"])
        for p in net.parameters.values():
            p.grad = None
        loss.backward()
        optimizer.step(learning_rate(settings, step, STEPS, IMAGES / BATCH), step * BATCH // IMAGES + 1)
        losses.append(loss.item())
    return losses


def main():
    x, y = images(IMAGES)
    cases = []
    for name, given in CASES.items():
        exact, single = (losses_of(USUAL | given, x, y, dtype) for dtype in (torch.float64, torch.float32))
        off = [max(abs(a - b) for a, b in zip(exact[: i + 1], single)) for i in range(STEPS)]
        cases.append({"name": name, "settings": given, "losses": exact, "off": [float(f"{v:.2g}") for v in off]})
        print(f"{name}: {exact[0]:.4f} to {exact[-1]:.4f}, float32 {off[-1]:.1e} off")
    TARGET.write_text(json.dumps({"images": IMAGES, "batchSize": BATCH, "steps": STEPS, "layers": LAYERS, "cases": cases}, indent=2) + "\n")


if __name__ == "__main__":
    main()
