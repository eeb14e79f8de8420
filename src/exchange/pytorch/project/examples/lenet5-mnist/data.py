"""The images of MNIST, and the batches of the run: the same samples in the same order.
All images are on the device, and all work on them is done there."""
import gzip
import subprocess
import sys
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

import random_numbers
from settings import MEAN, SEED, SHAPE, STD

FILES = {
    "train": [
        "train-images-idx3-ubyte",
        "train-labels-idx1-ubyte",
    ],
    "test": [
        "t10k-images-idx3-ubyte",
        "t10k-labels-idx1-ubyte",
    ],
}


def load_images(folder: str, split: str) -> tuple[Tensor, Tensor]:
    """All images of a split as bytes [N, C, H, W], and their labels."""
    images, labels = (read_idx(Path(folder), name) for name in FILES[split])
    return torch.from_numpy(images).view(-1, *SHAPE), torch.from_numpy(labels).long()


def read_idx(folder: Path, name: str) -> np.ndarray:
    """An IDX file of bytes: the fourth byte is the number of dimensions; the sizes follow, then the values."""
    data = contents(folder, name)
    sizes = np.frombuffer(data, ">u4", count=data[3], offset=4)
    return np.frombuffer(data, np.uint8, offset=4 + 4 * data[3]).reshape(sizes).copy()


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

    def __call__(self) -> tuple[Tensor, Tensor]:
        """This process's rows of the batch: images and labels."""
        return self.view(self.rows)

    def view(self, rows: Tensor) -> tuple[Tensor, Tensor]:
        """Images (normalised) and labels of these rows."""
        samples = self.samples[rows]
        x = self.images[samples]
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
