"""The images of Synthetic shapes, and the batches of the run: the same samples in the same order, augmented in the same way.
All images are on the device, and all work on them is done there."""
import gzip
import subprocess
import sys
from pathlib import Path

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional as F

import random_numbers
from random_numbers import below, letters, random_words, step_seed
from settings import MEAN, SEED, SHAPE, STD

FILES = {
    "train": [
        "train_batch.bin",
    ],
    "test": [
        "test_batch.bin",
    ],
}


def load_images(folder: str, split: str) -> tuple[Tensor, Tensor]:
    """All images of a split as bytes [N, C, H, W], and their labels. A record is a label, then the image's bytes."""
    data = b"".join(contents(Path(folder), name) for name in FILES[split])
    records = torch.from_numpy(np.frombuffer(data, np.uint8).copy()).view(-1, 1 + np.prod(SHAPE))
    return records[:, 1:].reshape(-1, *SHAPE), records[:, 0].long()


def contents(folder: Path, name: str) -> bytes:
    """The bytes of a file, which may be gzipped."""
    if (folder / name).exists():
        return (folder / name).read_bytes()
    if (folder / f"{name}.gz").exists():
        return gzip.decompress((folder / f"{name}.gz").read_bytes())
    raise SystemExit(f"{folder} has no {name} or {name}.gz; README.md says where to get it")


class Batches:
    """The batches of the steps from `step` on, counted from 0. Epochs follow one another without a gap, so a batch may
    contain the end of one and the start of the next.

    `next` sets the numbers of a step in tensors of the device. What follows from them is computed by calling the object:
    always by the same operations on the same tensors, so that they can be a CUDA graph."""

    def __init__(self, folder: str, device: torch.device, size: int, rows: range, step: int):
        """`rows` are those of each batch that this process computes."""
        self.images, self.labels = (values.to(device) for values in load_images(folder, "train"))
        self.count, self.size, self.step = len(self.images), size, step - 1
        self.rows = torch.arange(rows.start, rows.stop, device=device)
        self.mean, self.std = (torch.tensor(v, device=device).view(-1, 1, 1) for v in (MEAN, STD))
        self.samples = torch.zeros(size, dtype=torch.int64, device=device)  # of the whole batch
        self.seed = torch.zeros((), dtype=torch.int64, device=device)
        self.first = torch.zeros((), dtype=torch.int64, device=device)
        epoch, start = divmod(step * size, self.count)
        self.orders = Orders(self.count, epoch)
        self.following = self.orders.next(device)[start:]  # samples

    @property
    def epoch(self) -> int:
        """Epochs before this batch."""
        return self.step * self.size // self.count

    def next(self) -> None:
        """Moves on to the batch of the next step."""
        self.step += 1
        while len(self.following) < self.size:
            self.following = torch.cat([self.following, self.orders.next(self.samples.device)])
        self.samples.copy_(self.following[: self.size])
        self.following = self.following[self.size :]
        self.seed.fill_(step_seed(SEED, self.step))
        self.first.fill_(self.step * self.size)

    def __call__(self) -> tuple[Tensor, Tensor]:
        """This process's rows of the batch: images and labels."""
        return self.view(self.rows)

    def view(self, rows: Tensor) -> tuple[Tensor, Tensor]:
        """Images (shifted, mirrored in every second epoch) and labels of these rows."""
        samples = self.samples[rows]
        x = self.images[samples]
        left, top, _, _ = random_words(self.seed, letters("CROP"), rows)
        x = cropped(x, below(left, 5), below(top, 5))
        epochs = (self.first + rows) // self.count
        side = (random_words(SEED, letters("ALTE"), samples)[0] >> 31) + epochs  # in turn, by epoch
        mirrored = side % 2 == 1
        x = torch.where(mirrored.view(-1, 1, 1, 1), x.flip(3), x)
        return self.normalised(x), self.labels[samples]

    def normalised(self, images: Tensor) -> Tensor:
        """Bytes, normalised per channel by the mean and standard deviation of the data set."""
        return (images.float() / 255 - self.mean) / self.std


class Orders:
    """The orders of the samples by epoch, from one on, made by two programs that take turns."""

    def __init__(self, count: int, epoch: int):
        self.bytes = 4 * count
        program = [sys.executable, random_numbers.__file__, str(SEED), str(count)]
        self.programs = [
            subprocess.Popen([*program, str(epoch + i), "2"], stdout=subprocess.PIPE, bufsize=0) for i in range(2)
        ]

    def next(self, device: torch.device) -> Tensor:
        program = self.programs[0]
        order = bytearray()
        while len(order) < self.bytes:
            part = program.stdout.read(self.bytes - len(order))
            if not part:
                raise RuntimeError(f"{program.args} ended with status {program.wait()}")
            order += part
        self.programs.reverse()
        return torch.frombuffer(order, dtype=torch.int32).to(device, torch.int64)


def cropped(images: Tensor, left: Tensor, top: Tensor) -> Tensor:
    """Each image, cropped from one that is padded by 2 reflected pixels on each side."""
    count, _, height, width = images.shape
    bordered = F.pad(images.float(), [2] * 4, mode="reflect")
    device = images.device
    rows = top.view(-1, 1, 1) + torch.arange(height, device=device).view(-1, 1)
    columns = left.view(-1, 1, 1) + torch.arange(width, device=device)
    which = torch.arange(count, device=device).view(-1, 1, 1)
    return bordered[which, :, rows, columns].permute(0, 3, 1, 2)
