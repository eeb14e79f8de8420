#!/usr/bin/env python3
"""wgrad's presets for records of training, by PyTorch: the same networks, settings and data; random numbers differ.

    npm run -s wgrad -- models --out-dir /tmp/models
    python3 pytorch_recipes.py mnist-sprint --models /tmp/models --data DIR [--seeds 10]
    python3 pytorch_recipes.py airbench-cifar-10 --models /tmp/models --data DIR --compile --amp bfloat16 --channels-last
    ... --set lr=0.3 --set epochs=2 --train 5000        # other settings; fewer images, to see that it runs

DIR has a folder a data set, with its files as published, also gzipped. Prints a JSON line a run: the test accuracy, and the
seconds from the first step to the last answer, without loading data and, on a GPU, after a run that is not counted.
--amp and --channels-last are what PyTorch's users take on tensor cores; without them all is float32, TF32 off.
"""
import argparse
import gzip
import json
import math
import pathlib
import re
import time

import torch
import torch.nn.functional as F

from pytorch_models import Network

# As in src/run/presets.ts, under the names that settings have there.
AIRBENCH = dict(
    weightsInit="dirac", whiten=True, testViews="shifted", labelSmoothing=0.2, nesterov=True, crop=2, reflect=1, alternate=1,
    dataset="cifar-10", trainedEpochs=["whiten.bias=1-3"],
)
RECIPES = {
    "airbench-cifar-10": AIRBENCH | dict(
        model="airbench94", epochs=8, batchSize=2000, optimizer="muon", lr=0.24, momentum=0.6, nsSteps=3, rescale=True,
        weightDecay=3.8e-5, schedule="linear",
        lrFactors=["whiten.weight=0", "*.norm*.weight=0", "whiten.bias=600", "*.norm*.bias=600", "head=9.2"],
        decayFactors=["head=64"],
    ),
    "airbench96-cifar-10": AIRBENCH | dict(
        model="airbench96", epochs=37, batchSize=1024, optimizer="sgd", lr=1.174, momentum=0.85, weightDecay=0.001333,
        schedule="linear", warmupEpochs=3.7, crop=4, cutout=12,
        lrFactors=["whiten.weight=0", "*.norm*.weight=0", "*.norm*.bias=64"],
        decayFactors=["*.norm*.bias=0.015625"], lookahead=5,
    ),
    "mnist-sprint": dict(
        model="mnist_sprint", dataset="mnist", epochs=1, batchSize=256, optimizer="muon", lr=0.05, momentum=0.9, nsSteps=3,
        nesterov=True, schedule="linear",
    ),
}
USUAL = dict(
    weightsInit="kaiming_uniform", whiten=False, testViews="one", labelSmoothing=0.0, nesterov=False, crop=0, reflect=0,
    flip=0, alternate=0, cutout=0, trainedEpochs=[], lrFactors=[], decayFactors=[], weightDecay=0.0, warmupEpochs=0.0,
    nsSteps=5, rescale=False, momentum=0.0, schedule="constant", eps=1e-7, lookahead=None,
)
MEAN_STD = {
    "cifar-10": ((0.4914, 0.4822, 0.4465), (0.247, 0.2435, 0.2616)),
    "mnist": ((0.1307,), (0.3081,)),
}


def read(path):
    zipped = path.with_name(path.name + ".gz")
    return path.read_bytes() if path.exists() else gzip.decompress(zipped.read_bytes())


def load(dataset, folder):
    """Images in bytes, [N, C, H, W], and labels: those to train on, and those to test."""
    if dataset == "cifar-10":
        def batches(names):
            records = torch.cat([torch.frombuffer(bytearray(read(folder / name)), dtype=torch.uint8) for name in names])
            records = records.view(-1, 3073)
            return records[:, 1:].reshape(-1, 3, 32, 32), records[:, 0].long()
        return batches([f"data_batch_{i}.bin" for i in range(1, 6)]), batches(["test_batch.bin"])

    def idx(part):
        images = torch.frombuffer(bytearray(read(folder / f"{part}-images-idx3-ubyte")), dtype=torch.uint8)
        labels = torch.frombuffer(bytearray(read(folder / f"{part}-labels-idx1-ubyte")), dtype=torch.uint8)
        return images[16:].view(-1, 1, 28, 28), labels[8:].long()
    return idx("train"), idx("t10k")


def by_pattern(rules, names, usual, parse):
    """What settings such as "*.bias=2" say of each parameter; the last one that fits counts."""
    found = {name: usual for name in names}
    for rule in rules:
        pattern, value = rule.split("=")
        fits = re.compile(re.escape(pattern).replace(r"\*", ".*") + r"(\.|$)")
        matching = [name for name in names if fits.match(name)]
        if not matching:
            raise SystemExit(f"no parameter fits {pattern}: {', '.join(names)}")
        for name in matching:
            found[name] = parse(value)
    return found


def epochs_of(text):
    first, last = text.split("-")
    return range(int(first), int(last) + 1 if last else 10**9)


def orthogonal(x, steps, eps):
    """Steps of Newton and Schulz towards singular values of 1."""
    x = x / (x.norm() + eps)
    tall = x.shape[0] > x.shape[1]
    x = x.T if tall else x
    for _ in range(steps):
        y = x @ x.T
        x = 3.4445 * x + (-4.775 * y + 2.0315 * y @ y) @ x
    return x.T if tall else x


class Optimizer:
    """SGD or Muon, with factors of the learning rate and of weight decay by parameter, and epochs in which each is trained."""

    def __init__(self, parameters, recipe):
        self.recipe, self.parameters = recipe, parameters
        names = list(parameters)
        self.rates = by_pattern(recipe["lrFactors"], names, 1.0, float)
        self.decays = by_pattern(recipe["decayFactors"], names, 1.0, float)
        self.epochs = by_pattern(recipe["trainedEpochs"], names, range(1, 10**9), epochs_of)
        wide = [name for name in names if parameters[name].ndim > 1]
        self.matrices = set(wide[:-1]) if recipe["optimizer"] == "muon" else set()
        self.buffers = {name: torch.zeros_like(p) for name, p in parameters.items()}

    @torch.no_grad()
    def step(self, lr, epoch):
        recipe = self.recipe
        momentum, decay = recipe["momentum"], recipe["weightDecay"]
        for name, p in self.parameters.items():
            gradient, buffer, rate = p.grad, self.buffers[name], lr * self.rates[name]
            if rate == 0 or epoch not in self.epochs[name]:
                continue
            matrix = name in self.matrices
            if not matrix:
                gradient = gradient + decay * self.decays[name] * p
            buffer.mul_(momentum).add_(gradient)
            update = gradient + momentum * buffer if recipe["nesterov"] else buffer
            if matrix:
                flat = update.flatten(1)
                if recipe["rescale"]:
                    p.mul_(math.sqrt(len(p)) / p.norm())
                    longer = 1.0
                else:
                    p.mul_(1 - rate * decay * self.decays[name])
                    longer = math.sqrt(max(1, flat.shape[0] / flat.shape[1]))
                update = longer * orthogonal(flat, recipe["nsSteps"], recipe["eps"]).view_as(p)
            p.sub_(update, alpha=rate)


def learning_rate(recipe, step, steps, epoch_steps):
    """Of the step, from 0: of wgrad's schedules, those that the recipes take."""
    warmup = round(recipe["warmupEpochs"] * epoch_steps)
    if step < warmup:
        return recipe["lr"] * (step + 1) / warmup
    if recipe["schedule"] == "constant":
        return recipe["lr"]
    return recipe["lr"] * (1 - (step - warmup) / (steps - warmup))


@torch.no_grad()
def look_ahead(every, step, steps, slow, fast):
    """After the step, from 0: the slow values move towards the fast ones, which return to them."""
    t = step + 1
    if every and t % every == 0:
        for a, b in zip(slow, fast):
            b.copy_(a.lerp_(b, 1 - 0.95**every * (t / steps) ** 3))


def whitening(images, shape, eps=5e-4):
    """Filters whose outputs on patches of the images are uncorrelated, and their negatives."""
    patches = images.unfold(2, shape[2], 1).unfold(3, shape[3], 1).permute(0, 2, 3, 1, 4, 5).flatten(3).flatten(0, 2).double()
    values, vectors = torch.linalg.eigh(patches.T @ patches / len(patches))
    filters = vectors.T.flip(0) / torch.sqrt(values.flip(0) + eps)[:, None]
    count = min(len(filters), shape[0] // 2)
    return torch.cat([filters[:count], -filters[:count]]).view(-1, *shape[1:])


@torch.no_grad()
def initialise(net, recipe, images):
    """PyTorch's own initial values, and what the recipe wants instead."""
    dirac = recipe["weightsInit"] == "dirac"
    shapes = {name: p.shape for name, p in net.parameters.items()}
    for name, p in net.parameters.items():
        weight = shapes[name.rsplit(".", 1)[0] + ".weight"]
        if len(weight) == 1:
            p.fill_(1 if name.endswith("weight") else 0)
        elif name.endswith("bias") and dirac:
            p.zero_()
        else:
            bound = 1 / math.sqrt(weight[1:].numel())
            p.uniform_(-bound, bound)
            if dirac and p.ndim == 4:
                torch.nn.init.dirac_(p[: p.shape[1]])
    if recipe["whiten"]:
        first = next(iter(net.parameters.values()))
        filters = whitening(images, first.shape).to(first)
        first[: len(filters)] = filters


def crop(images, pad, mode):
    """A random crop of each image, from its padded form."""
    n, channels, height, width = images.shape
    bordered = F.pad(images, [pad] * 4, mode=mode)
    down, right = (torch.randint(0, 2 * pad + 1, (n, 1, 1, 1), device=images.device) for _ in range(2))
    rows = (torch.arange(height, device=images.device).view(1, 1, -1, 1) + down).expand(n, channels, height, width + 2 * pad)
    columns = (torch.arange(width, device=images.device).view(1, 1, 1, -1) + right).expand(n, channels, height, width)
    return bordered.gather(2, rows).gather(3, columns)


def cut(images, side):
    """A square of zeros in each image, with its centre anywhere."""
    n, _, height, width = images.shape
    masks = []
    for size, view in ((height, (1, 1, -1, 1)), (width, (1, 1, 1, -1))):
        start = torch.randint(0, size, (n, 1, 1, 1), device=images.device) - side // 2
        at = torch.arange(size, device=images.device).view(view)
        masks.append((at >= start) & (at < start + side))
    return images.masked_fill(masks[0] & masks[1], 0)


def augmented(images, mirrored, recipe):
    if recipe["crop"]:
        images = crop(images, recipe["crop"], "reflect" if recipe["reflect"] else "constant")
    if mirrored is not None:
        images = torch.where(mirrored.view(-1, 1, 1, 1), images.flip(3), images)
    return cut(images, recipe["cutout"]) if recipe["cutout"] else images


def views(images, kind):
    """Views of the images, and their weights: of six, the two that are not shifted count twice."""
    yield 2, images
    if kind == "one":
        return
    yield 2, images.flip(3)
    if kind == "shifted":
        bordered = F.pad(images, [1] * 4, mode="reflect")
        for view in (bordered[:, :, :-2, :-2], bordered[:, :, 2:, 2:]):
            yield 1, view
            yield 1, view.flip(3)


def train(model, recipe, data, options, seed):
    """@returns the test accuracy, the seconds, and the losses"""
    torch.manual_seed(seed)
    device = data[0].device
    images, labels, test_images, test_labels = data
    count, batch = len(images), recipe["batchSize"]
    steps, epoch_steps = math.ceil(recipe["epochs"] * count / batch), count / batch
    net = Network(model["layers"])
    with torch.no_grad():
        net.forward(images[:2])
    autocast = lambda: torch.autocast(device.type, getattr(torch, options.amp or "bfloat16"), enabled=bool(options.amp))
    begin(device)
    began = time.perf_counter()
    initialise(net, recipe, images[:5000])
    optimizer = Optimizer(net.parameters, recipe)
    fast = [p.detach() for p in net.parameters.values()] + [v for pair in net.running.values() for v in pair]
    slow = [value.clone() for value in fast]

    def loss_of(x, y):
        with autocast():
            logits = net.forward(x)
        return F.cross_entropy(logits.float(), y, label_smoothing=recipe["labelSmoothing"])

    computed = torch.compile(loss_of) if options.compile else loss_of
    first_half = torch.rand(count, device=device) < 0.5
    order, losses = torch.empty(0, dtype=torch.long, device=device), []
    for step in range(steps):
        while len(order) < batch:
            order = torch.cat([order, torch.randperm(count, device=device)])
        rows, order = order[:batch], order[batch:]
        epoch = step * batch // count + 1
        mirrored = None
        if recipe["alternate"]:
            mirrored = first_half[rows] ^ (epoch % 2 == 0)
        elif recipe["flip"]:
            mirrored = torch.rand(batch, device=device) < 0.5
        x = augmented(images[rows], mirrored, recipe)
        if options.channels_last:
            x = x.contiguous(memory_format=torch.channels_last)
        loss = computed(x, labels[rows])
        for p in net.parameters.values():
            p.grad = None
        loss.backward()
        optimizer.step(learning_rate(recipe, step, steps, epoch_steps), epoch)
        look_ahead(recipe["lookahead"], step, steps, slow, fast)
        losses.append(loss.detach())
    correct = 0
    with torch.no_grad(), autocast():
        if recipe["lookahead"]:
            for a, b in zip(slow, fast):
                b.copy_(a)
        for x, y in zip(test_images.split(2000), test_labels.split(2000)):
            logits = sum(w * net.forward(view, training=False).float() for w, view in views(x, recipe["testViews"]))
            correct += (logits.argmax(1) == y).sum()
    accuracy = (correct / len(test_labels)).item()
    begin(device)
    return accuracy, time.perf_counter() - began, torch.stack(losses).tolist()


def begin(device):
    if device.type == "cuda":
        torch.cuda.synchronize()


def main():
    parse = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parse.add_argument("recipe", choices=RECIPES)
    parse.add_argument("--models", type=pathlib.Path, required=True)
    parse.add_argument("--data", type=pathlib.Path, required=True)
    parse.add_argument("--seeds", type=int, default=1)
    parse.add_argument("--set", action="append", default=[], help="NAME=VALUE, as JSON")
    parse.add_argument("--train", type=int, help="use only so many of the training images")
    parse.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    parse.add_argument("--compile", action="store_true")
    parse.add_argument("--amp", choices=["bfloat16", "float16"])
    parse.add_argument("--channels-last", action="store_true")
    options = parse.parse_args()
    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = False
    torch.backends.cudnn.benchmark = True
    changes = {name: json.loads(value) for name, value in (text.split("=", 1) for text in options.set)}
    recipe = USUAL | RECIPES[options.recipe] | changes
    unknown = set(changes) - set(USUAL) - set(RECIPES[options.recipe])
    if unknown:
        raise SystemExit(f"no setting is named {', '.join(unknown)}")
    model = json.loads((options.models / f"{recipe['model']}.json").read_text())
    mean, std = (torch.tensor(v).view(1, -1, 1, 1) for v in MEAN_STD[recipe["dataset"]])
    data = []
    for images, labels in load(recipe["dataset"], options.data / recipe["dataset"]):
        kept = options.train if options.train and not data else len(images)
        data += [((images[:kept].float() / 255 - mean) / std).to(options.device), labels[:kept].to(options.device)]
    if data[0].device.type == "cuda":
        train(model, recipe, data, options, 0)
    results = []
    for seed in range(1, options.seeds + 1):
        accuracy, seconds, losses = train(model, recipe, data, options, seed)
        results.append(accuracy)
        print(json.dumps({"recipe": options.recipe, **changes, "seed": seed, "accuracy": round(accuracy, 5),
                          "seconds": round(seconds, 3), "last_loss": round(losses[-1], 4)}), flush=True)
    spread = torch.tensor(results).std().item() if len(results) > 1 else None
    print(json.dumps({"recipe": options.recipe, **changes, "n": len(results), "mean": sum(results) / len(results), "std": spread,
                      "torch": torch.__version__, "amp": options.amp, "compile": options.compile}), flush=True)


if __name__ == "__main__":
    main()
