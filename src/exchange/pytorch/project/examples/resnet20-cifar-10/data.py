"""The images of CIFAR-10, and the batches of the run: the same samples in the same order, augmented in the same way.
All images are on the device, and all work on them is done there."""
import subprocess
import sys
from pathlib import Path

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional as F

import random_numbers
from random_numbers import Sequence, below, letters, random_words, step_seed
from settings import MEAN, SEED, SHAPE, STD

FILES = {
    "train": [
        "data_batch_1.bin",
        "data_batch_2.bin",
        "data_batch_3.bin",
        "data_batch_4.bin",
        "data_batch_5.bin",
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
    if (folder / name).exists():
        return (folder / name).read_bytes()
    raise SystemExit(f"{folder} has no {name}; README.md says where to get it")


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
        self.shift = torch.zeros((), dtype=torch.int64, device=device)
        self.weight = torch.zeros((), dtype=torch.get_default_dtype(), device=device)
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
        seed = step_seed(SEED, self.step)
        weight = int(65536 * Sequence(seed, "mixup").symmetric_beta(0.2) + 0.5) / 65536
        shift = 1 + below(random_words(seed, letters("MIXU"), 0)[0], max(self.size, 2) - 1)
        self.seed.fill_(seed)
        self.shift.fill_(shift)
        self.weight.fill_(weight)

    def __call__(self) -> tuple[Tensor, ...]:
        """This process's rows of the batch: images, their labels, the labels of the images that are blended in, and the
        weight of the first (mixup: Zhang et al. 2018)."""
        first, labels = self.view(self.rows)
        second, others = self.view((self.rows + self.shift) % self.size)
        return self.weight * first + (1 - self.weight) * second, labels, others, self.weight

    def view(self, rows: Tensor) -> tuple[Tensor, Tensor]:
        """Images (shifted, half of them mirrored, a square of each covered) and labels of these rows."""
        samples = self.samples[rows]
        x = self.images[samples]
        left, top, side, _ = random_words(self.seed, letters("CROP"), rows)
        x = cropped(x, below(left, 9), below(top, 9))
        mirrored = side >= 2**31
        x = torch.where(mirrored.view(-1, 1, 1, 1), x.flip(3), x)
        across, down, _, _ = random_words(self.seed, letters("CUT0"), rows)
        x = cut_out(self.normalised(x), below(across, 32), below(down, 32))
        return x, self.labels[samples]

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
    """Each image, cropped from one that is padded by 4 black pixels on each side."""
    count, _, height, width = images.shape
    bordered = F.pad(images, [4] * 4)
    device = images.device
    rows = top.view(-1, 1, 1) + torch.arange(height, device=device).view(-1, 1)
    columns = left.view(-1, 1, 1) + torch.arange(width, device=device)
    which = torch.arange(count, device=device).view(-1, 1, 1)
    return bordered[which, :, rows, columns].permute(0, 3, 1, 2)


def cut_out(images: Tensor, x: Tensor, y: Tensor) -> Tensor:
    """Sets a square of 8 pixels around a point of each image to the mean (cutout: DeVries and Taylor 2017)."""
    right = torch.arange(32, device=images.device) - (x.view(-1, 1, 1, 1) - 4)
    down = torch.arange(32, device=images.device).view(-1, 1) - (y.view(-1, 1, 1, 1) - 4)
    return images.masked_fill((right >= 0) & (right < 8) & (down >= 0) & (down < 8), 0)
