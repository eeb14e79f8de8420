"""Images in folders, one per class, and the batches of the run: the same samples in the same order.
All images are on the device, and all work on them is done there."""
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import torch
from torch import Tensor
from PIL import Image, ImageOps

import random_numbers
from random_numbers import Sequence
from selection import selected
from settings import MEAN, SEED, SHAPE, STD


def load_images(folder: str, split: str) -> tuple[Tensor, Tensor]:
    """All images of a split as bytes [N, C, H, W], and their labels. Each subfolder is a class, in the order of their
    names; a fifth of its images is held out for testing."""
    if not Path(folder).is_dir():
        raise SystemExit(f"there is no folder {folder}; README.md says what it contains")
    chosen = []
    for label, name in enumerate(sorted((p.name for p in Path(folder).iterdir() if p.is_dir()), key=natural)):
        files = [p for p in (Path(folder) / name).rglob("*") if p.suffix.lower() in (".png", ".jpg", ".jpeg")]
        files.sort(key=lambda p: natural(p.relative_to(folder).as_posix()))
        tests = max(1, int(0.2 * len(files) + 0.5))
        places = Sequence(1, f"test images of {name}").permutation(len(files))
        chosen += [(files[i], label) for i in (places[:tests] if split == "test" else places[tests:])]
    places = Sequence(1, f"order of {split}").permutation(len(chosen))
    images = [read_image(chosen[i][0]) for i in places]
    return torch.from_numpy(np.stack(images)), torch.tensor([chosen[i][1] for i in places])


def natural(name: str) -> list[tuple]:
    """A sort key that orders numbers in names by size."""
    return [(0, int(part), "") if part.isdigit() else (1, 0, part.lower()) for part in re.split(r"(\d+)", name) if part]


def read_image(path: Path) -> np.ndarray:
    """The central square of an image, on white, resized by averaging over the area of each pixel."""
    picture = np.asarray(ImageOps.exif_transpose(Image.open(path)).convert("RGBA"), np.float64)
    side = min(picture.shape[:2])
    top, left = ((size - side) // 2 for size in picture.shape[:2])
    picture = picture[top : top + side, left : left + side]
    opacity = picture[:, :, 3:] / 255
    colours = opacity * picture[:, :, :3] + (1 - opacity) * 255
    weights = areas(side, SHAPE[1])
    small = np.einsum("ya,xb,abc->cyx", weights, weights, colours, optimize=True)
    return np.floor(small + 0.5).astype(np.uint8)


def areas(length: int, count: int) -> np.ndarray:
    """[count, length]: how much each of `length` pixels contributes to each of `count` equal intervals."""
    first = np.arange(count)[:, None] * (length / count)
    at = np.arange(length)
    covered = np.minimum(at + 1, first + length / count) - np.maximum(at, first)
    return np.maximum(covered, 0) / (length / count)


class Batches:
    """The batches of the steps from `step` on, counted from 0. Epochs follow one another without a gap, so a batch may
    contain the end of one and the start of the next.

    `next` sets the numbers of a step in tensors of the device. What follows from them is computed by calling the object:
    always by the same operations on the same tensors, so that they can be a CUDA graph."""

    def __init__(self, folder: str, device: torch.device, size: int, rows: range, step: int):
        """`rows` are those of each batch that this process computes."""
        self.images, self.labels = (values.to(device) for values in selected(*load_images(folder, "train"))["train"])
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
