"""Trains MobileNet 0.25 on images in folders, continuing the run at step 1,000.

    python train.py --data DIR
    torchrun --standalone --nproc_per_node 2 train.py --data DIR      # each batch shared among two processes

Prints one JSON line per step and one per epoch. If started again, it resumes from its latest checkpoint.
"""
import argparse
import copy
import json
import os
import signal
import sys
import time
from importlib.util import find_spec

import torch
from torch import nn

from batch_norm import synchronised
from data import Batches, load_images
from evaluation import evaluate, share_statistics
from model import MobileNet025
from optimization import learning_rate, make_optimizer, set_learning_rate
from processes import LOCAL_PROCESSES, PROCESSES, RANK, joined, share, summed
from selection import selected
from settings import BATCH_SIZE, STEPS
from step import Mode, Step

START = "start.pt"  # the state that wgrad exported


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", default="data", help="folder with a folder of images for each class")
    parser.add_argument("--steps", type=int, help="train until the run has this many steps")
    parser.add_argument("--checkpoint", default="checkpoint.pt", help="file to save to and resume from")
    parser.add_argument("--save-every", type=int, default=500, help="steps between checkpoints")
    parser.add_argument("--log-every", type=int, default=50, help="steps between readings of the losses, which wait for the GPU")
    parser.add_argument("--global-batch", type=int, default=BATCH_SIZE, help="images per step, over all processes")
    parser.add_argument("--scale-lr", action="store_true", help="learning rate in proportion to --global-batch")
    parser.add_argument("--exact", action="store_true", help="the losses of wgrad: float32, statistics of the whole batch (default without a GPU)")
    parser.add_argument("--amp", action="store_true", help="the opposite of --exact, the default on a GPU: mixed precision, compiled")
    parser.add_argument("--deterministic", action="store_true", help="the same bits in every run, if slower")
    parser.add_argument("--no-compile", action="store_true", help="without torch.compile")
    parser.add_argument("--no-graph", action="store_true", help="without CUDA graphs")
    options = parser.parse_args()
    if options.global_batch < PROCESSES:
        raise SystemExit(f"a batch of {options.global_batch} images cannot be shared among {PROCESSES} processes")
    return options


def chosen_mode(options: argparse.Namespace, device: torch.device) -> tuple[bool, Mode]:
    """Whether the losses are those of wgrad, and how a step is computed."""
    cuda = device.type == "cuda"
    exact = options.exact or not cuda and not options.amp
    torch.backends.cudnn.allow_tf32 = not exact
    torch.set_float32_matmul_precision("highest" if exact else "high")
    torch.backends.cudnn.benchmark = not options.deterministic
    if options.deterministic:
        os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")
        torch.use_deterministic_algorithms(True, warn_only=True)
    if not exact and RANK == 0:
        print("the losses will differ from wgrad's, which --exact computes; README.md says how", file=sys.stderr)
    return exact, Mode(
        mixed=not exact and (not cuda or torch.cuda.get_device_capability() >= (8, 0)),
        compiled=cuda and not (exact or options.no_compile) and find_spec("triton") is not None,
        captured=cuda and not (exact or options.no_graph) and LOCAL_PROCESSES <= torch.cuda.device_count(),
    )


def in_float32(layer: nn.Module) -> None:
    """The layer computes in float32 in mixed precision too: whitening enlarges what bfloat16 rounds off pixels."""
    forward = layer.forward

    def without_autocast(x: torch.Tensor) -> torch.Tensor:
        with torch.autocast(x.device.type, enabled=False):
            return forward(x)

    layer.forward = without_autocast


def save(path: str, state: dict) -> None:
    """Replaces the file atomically: if the program is killed, either the old state or the new one is there."""
    torch.save(state, f"{path}.part")
    os.replace(f"{path}.part", path)


def report(**values: float) -> None:
    if RANK == 0:
        print(json.dumps(values), flush=True)


def train(options: argparse.Namespace, device: torch.device) -> None:
    exact, mode = chosen_mode(options, device)
    batch = options.global_batch
    scale = batch / BATCH_SIZE if options.scale_lr else 1
    steps = STEPS * BATCH_SIZE // batch if options.steps is None else options.steps
    path = options.checkpoint if os.path.exists(options.checkpoint) else START
    saved = torch.load(path, map_location="cpu", weights_only=True)
    step = saved["step"] * saved.get("batch_size", BATCH_SIZE) // batch
    if step >= steps and RANK == 0:
        print(f"{path} has {step} steps already; give more with --steps", file=sys.stderr)
    model = MobileNet025().to(device, memory_format=torch.contiguous_format if exact else torch.channels_last)
    model.load_state_dict(saved["model"])
    average = copy.deepcopy(model)
    average.load_state_dict(saved["average"])
    if mode.mixed:
        in_float32(model.get_submodule("stem.0"))
        in_float32(average.get_submodule("stem.0"))
    if exact and PROCESSES > 1:
        model = synchronised(model)
    optimizer = make_optimizer(model, saved["optimizer"], mode.captured)
    best = saved["best"]

    batches = Batches(options.data, device, batch, share(batch), step)
    sets = {"test": load_images(options.data, "test"), "validation": selected(*load_images(options.data, "train"))["validation"]}
    sets = {name: [values.to(device) for values in part] for name, part in sets.items()}
    train_step = Step(model, average, optimizer, batches, mode)
    asked_to_end: list[bool] = []
    signal.signal(signal.SIGTERM, lambda *_: asked_to_end.append(True))
    losses: list[torch.Tensor] = []
    began, first = time.time(), step
    model.train()
    while step < steps:
        set_learning_rate(optimizer, scale * learning_rate(step * batch / BATCH_SIZE))
        losses.append(train_step())
        step += 1

        epoch = step * batch // batches.count
        ended = epoch > (step - 1) * batch // batches.count
        stop = step == steps
        saves = stop or step % options.save_every == 0
        if ended or saves or len(losses) == options.log_every:
            *values, ends = summed(torch.stack([*losses, torch.full_like(losses[0], len(asked_to_end))])).tolist()
            for i, value in enumerate(values, step - len(losses) + 1):
                report(step=i, loss=value)
            losses = []
            stop = stop or ends > 0
            saves = saves or stop
        if (ended or saves) and not exact:
            share_statistics(model)
            share_statistics(average)
        if ended or stop:
            seconds = time.time() - began
            rate = round((step - first) * batch / seconds)
            result = {}
            for name, (images, labels) in sets.items():
                result |= evaluate(name, average, batches, images, labels, mode.mixed)
            report(epoch=epoch, **result, seconds=round(seconds, 3), images_per_second=rate)
            model.train()
            began, first = time.time(), step
        if ended:
            if result["validation_accuracy"] > best["accuracy"]:
                best = {"accuracy": result["validation_accuracy"], "epoch": epoch}
            stop = stop or epoch - best["epoch"] >= 3  # the patience, in epochs
        if (saves or stop) and RANK == 0:
            save(options.checkpoint, {
                "step": step,
                "batch_size": batch,
                "model": model.state_dict(),
                "optimizer": optimizer.state_dict()["state"],
                "average": average.state_dict(),
                "best": best,
            })
        if stop:
            break


if __name__ == "__main__":
    chosen = arguments()
    with joined() as device:
        train(chosen, device)
