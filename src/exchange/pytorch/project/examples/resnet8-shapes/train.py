"""Trains ResNet-8 on Synthetic shapes, continuing the run at step 1,000.

    python train.py --data DIR
    torchrun --nproc_per_node 2 train.py --data DIR      # the same batches, shared among two processes

Prints one JSON line per step and one per epoch. If started again, it resumes from its latest checkpoint.
"""
import argparse
import faulthandler
import json
import os
import sys
import time
import traceback
from datetime import timedelta

import torch
import torch.distributed as dist
from torch.nn import functional as F
from torch.nn.parallel import DistributedDataParallel

from batch_norm import synchronised
from data import load_images, normalised, training_batch
from model import ResNet8
from muon import Muon
from settings import BATCH_SIZE, LEARNING_RATE, LEARNING_RATE_FACTORS, STEPS, TRAINED_EPOCHS, WEIGHT_DECAY_FACTORS

START = "start.pt"  # the state that wgrad exported

# Set by torchrun.
RANK = int(os.environ.get("RANK", 0))
PROCESSES = int(os.environ.get("WORLD_SIZE", 1))
LOCAL_RANK = int(os.environ.get("LOCAL_RANK", 0))  # on this machine
LOCAL_PROCESSES = int(os.environ.get("LOCAL_WORLD_SIZE", 1))

WAIT = timedelta(minutes=10)  # how long a process waits for another before it ends with an error

# Frozen layers, as prefixes of parameter names.
FROZEN = ("conv1.",)


def place():
    """The device of this process, and the backend that joins the processes: NCCL needs a GPU for each, gloo does not."""
    if not torch.cuda.is_available():
        return torch.device("cpu"), "gloo"
    gpus = torch.cuda.device_count()
    device = torch.device("cuda", LOCAL_RANK % gpus)
    if LOCAL_PROCESSES <= gpus:
        return device, "nccl"
    if LOCAL_RANK == 0:
        print(f"{LOCAL_PROCESSES} processes share {gpus} GPU(s): the losses stay the same, but it is slow", file=sys.stderr)
    return device, "gloo"


def share(count):
    """The rows, out of `count`, that this process computes."""
    return range(RANK * count // PROCESSES, (RANK + 1) * count // PROCESSES)


def summed(values):
    """The values, summed over all processes."""
    if PROCESSES > 1:
        dist.all_reduce(values)
    return values


def views(images):
    """Six views: the images, shifted by a pixel up and left, shifted down and right, and the mirror image of each."""
    bordered = F.pad(images, [1] * 4, mode="reflect")
    for view in (images, bordered[:, :, :-2, :-2], bordered[:, :, 2:, 2:]):
        yield view
        yield view.flip(3)


def train_mode(model):
    """Training mode; frozen layers stay in evaluation mode and keep their running statistics."""
    model.train()
    for name, module in model.named_modules():
        if f"{name}.".startswith(FROZEN):
            module.eval()


@torch.no_grad()
def evaluate(model, images, labels):
    """Loss and accuracy over the test images, from the mean logits of six views. Each process computes its share."""
    model.eval()
    sums = torch.zeros(2, dtype=torch.float64, device=images.device)
    for rows in torch.tensor(share(len(images))).split(500):
        logits = sum(model(view) for view in views(normalised(images[rows]))) / 6
        sums[0] += F.cross_entropy(logits, labels[rows], reduction="sum")
        sums[1] += (logits.argmax(1) == labels[rows]).sum()
    loss, accuracy = (summed(sums) / len(images)).tolist()
    return {"test_loss": loss, "test_accuracy": accuracy}


def save(path, state):
    """Replaces the file atomically: if the program is killed, either the old state or the new one is there."""
    torch.save(state, f"{path}.part")
    os.replace(f"{path}.part", path)


def report(**values):
    if RANK == 0:
        print(json.dumps(values), flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", default="data", help="folder with the files of Synthetic shapes")
    parser.add_argument("--steps", type=int, default=STEPS, help="train until the run has this many steps")
    parser.add_argument("--checkpoint", default="checkpoint.pt", help="file to save to and resume from")
    parser.add_argument("--save-every", type=int, default=500, help="steps between checkpoints; one is saved after every epoch too")
    parser.add_argument("--amp", action="store_true", help="mixed precision: bfloat16 where it is accurate enough")
    options = parser.parse_args()

    device, backend = place()
    if device.type == "cuda":
        torch.cuda.set_device(device)
        torch.backends.cudnn.allow_tf32 = options.amp  # without --amp full float32, as in the run
    if PROCESSES > 1:
        if PROCESSES > BATCH_SIZE:
            raise SystemExit(f"a batch of {BATCH_SIZE} images cannot be shared among {PROCESSES} processes")
        # PyTorch 1.13 would wait without end for a foreign program that has the port.
        faulthandler.dump_traceback_later(3 * WAIT.seconds, exit=True)
        dist.init_process_group(backend, timeout=WAIT)
        faulthandler.cancel_dump_traceback_later()

    path = options.checkpoint if os.path.exists(options.checkpoint) else START
    saved = torch.load(path, map_location="cpu", weights_only=True)
    step = saved["step"]
    if step >= options.steps and RANK == 0:
        print(f"{path} has {step} steps already; give more with --steps", file=sys.stderr)
    model = ResNet8().to(device)
    model.load_state_dict(saved["model"])
    for name, parameter in model.named_parameters():
        parameter.requires_grad_(not name.startswith(FROZEN))
    groups = {}
    for name, parameter in model.named_parameters():
        if not parameter.requires_grad:
            continue
        kind = (LEARNING_RATE_FACTORS.get(name, 1), WEIGHT_DECAY_FACTORS.get(name, 1), parameter.ndim > 1 and name != "fc.weight")
        groups.setdefault(kind, []).append(parameter)
    groups = [
        {
            "params": parameters,
            "factor": factor,
            "lr": factor * LEARNING_RATE,
            "weight_decay": decay * 0.01,
            "matrix": matrix,
        }
        for (factor, decay, matrix), parameters in groups.items()
    ]
    optimizer = Muon(groups, lr=LEARNING_RATE, momentum=0.95, eps=1e-7, nesterov=True)
    optimizer.load_state_dict({**optimizer.state_dict(), "state": saved["optimizer"]})
    network = model
    if PROCESSES > 1:
        network = synchronised(model)
        network = DistributedDataParallel(network, device_ids=[device] if device.type == "cuda" else None)

    images, labels = (values.to(device) for values in load_images(options.data, "train"))
    test_images, test_labels = (values.to(device) for values in load_images(options.data, "test"))
    rows = share(BATCH_SIZE)
    losses, began = [], time.time()
    train_mode(model)
    while step < options.steps:
        x, y = training_batch(images, labels, step, rows)
        with torch.autocast(device.type, torch.bfloat16, enabled=options.amp):
            logits = network(x)
        logits = logits.float()
        loss = F.cross_entropy(logits, y, reduction="sum") / BATCH_SIZE
        optimizer.zero_grad(set_to_none=True)
        (loss * PROCESSES).backward()  # DistributedDataParallel takes the mean over the processes
        for name, epochs in TRAINED_EPOCHS.items():
            if step * BATCH_SIZE // len(images) + 1 not in epochs:
                model.get_parameter(name).grad = None  # keeps its value
        optimizer.step()
        step += 1

        losses.append(loss.detach())
        epoch = step * BATCH_SIZE // len(images)
        ended = epoch > (step - 1) * BATCH_SIZE // len(images)
        stop = step == options.steps
        saves = ended or stop or step % options.save_every == 0
        if len(losses) == 50 or saves:  # not in every step: reading them waits for the GPU
            for i, value in enumerate(summed(torch.stack(losses)).tolist()):
                report(step=step - len(losses) + i + 1, loss=value)
            losses = []
        if ended or stop:
            seconds = round(time.time() - began, 3)
            result = evaluate(model, test_images, test_labels)
            report(epoch=epoch, **result, seconds=seconds)
            train_mode(model)
            began = time.time()
        if saves and RANK == 0:
            save(options.checkpoint, {
                "step": step,
                "model": model.state_dict(),
                "optimizer": optimizer.state_dict()["state"],
            })
    if PROCESSES > 1:
        dist.barrier()  # with gloo, a process that leaves early can leave the others waiting forever
        dist.destroy_process_group()
        # Not by a return: it would wait, with Python's lock, for threads of gloo that may need the lock to free a tensor.
        sys.stdout.flush()
        os._exit(0)


if __name__ == "__main__":
    try:
        main()
    except RuntimeError:
        if PROCESSES == 1:
            raise
        traceback.print_exc()
        print(
            f"process {RANK} of {PROCESSES} has ended. If it waited for another one or lost its connection, what that one says is"
            " the cause. The same command resumes from the latest checkpoint.",
            file=sys.stderr,
            flush=True,
        )
        os._exit(1)  # as at the end of main
