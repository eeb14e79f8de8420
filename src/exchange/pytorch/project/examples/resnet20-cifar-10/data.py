"""The images of CIFAR-10, and the batches of the run: the same samples in the same order,
augmented in the same way."""
from functools import lru_cache
from pathlib import Path

import numpy as np
import torch
from torch.nn import functional as F

from random_numbers import Sequence, below, letters, random_words, step_seed
from settings import BATCH_SIZE, MEAN, SEED, SHAPE, STD

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


def load_images(folder, split):
    """All images of a split as bytes [N, C, H, W], and their labels. A record is a label, then the image's bytes."""
    data = b"".join(contents(Path(folder), name) for name in FILES[split])
    records = torch.from_numpy(np.frombuffer(data, np.uint8).copy()).view(-1, 1 + np.prod(SHAPE))
    return records[:, 1:].reshape(-1, *SHAPE), records[:, 0].long()


def contents(folder, name):
    if (folder / name).exists():
        return (folder / name).read_bytes()
    raise SystemExit(f"{folder} has no {name}; README.md says where to get it")


@lru_cache(maxsize=2)
def order(epoch, count):
    """The order of the samples in an epoch, counted from 0."""
    return Sequence(SEED, f"epoch {epoch}").permutation(count)


def samples(step, rows, count):
    """The samples in these rows of a step's batch; steps are counted from 0. Epochs follow one another without a gap,
    so a batch may contain the end of one and the start of the next."""
    positions = (step * BATCH_SIZE + row for row in rows)
    return torch.tensor([order(position // count, count)[position % count] for position in positions])


def training_batch(images, labels, step, rows):
    """These rows of a step's batch: images, their labels, the labels of the images that are blended in, and the weight
    of the first (mixup: Zhang et al. 2018)."""
    seed = step_seed(SEED, step)
    weight = int(65536 * Sequence(seed, "mixup").symmetric_beta(0.2) + 0.5) / 65536
    shift = 1 + int(below(random_words(seed, letters("MIXU"), [0])[0], 127)[0])
    partners = [(row + shift) % BATCH_SIZE for row in rows]
    first, first_labels = view(images, labels, step, rows)
    second, second_labels = view(images, labels, step, partners)
    return weight * first + (1 - weight) * second, first_labels, second_labels, weight


def view(images, labels, step, rows):
    """Images (shifted, half of them mirrored, a square of each covered) and labels of these rows."""
    at = samples(step, rows, len(images))
    seed = step_seed(SEED, step)
    x, labels = images[at.to(images.device)], labels[at.to(images.device)]
    left, top, side, _ = random_words(seed, letters("CROP"), rows)
    x = cropped(x, below(left, 9), below(top, 9))
    mirrored = torch.from_numpy(side >= 2**31).view(-1, 1, 1, 1).to(x.device)
    x = torch.where(mirrored, x.flip(3), x)
    across, down, _, _ = random_words(seed, letters("CUT0"), rows)
    return cut_out(normalised(x), below(across, 32), below(down, 32)), labels


def normalised(images):
    """Bytes, normalised per channel by the mean and standard deviation of the data set."""
    mean, std = (torch.tensor(v, device=images.device).view(-1, 1, 1) for v in (MEAN, STD))
    return (images.float() / 255 - mean) / std


def cropped(images, left, top):
    """Each image, cropped from one that is padded by 4 black pixels on each side."""
    count, _, height, width = images.shape
    bordered = F.pad(images, [4] * 4)
    device = images.device
    rows = torch.from_numpy(top).to(device).view(-1, 1, 1) + torch.arange(height, device=device).view(-1, 1)
    columns = torch.from_numpy(left).to(device).view(-1, 1, 1) + torch.arange(width, device=device)
    which = torch.arange(count, device=device).view(-1, 1, 1)
    return bordered[which, :, rows, columns].permute(0, 3, 1, 2)


def cut_out(images, x, y):
    """Sets a square of 8 pixels around a point of each image to the mean (cutout: DeVries and Taylor 2017)."""
    x, y = (torch.from_numpy(v).to(images.device).view(-1, 1, 1, 1) - 4 for v in (x, y))
    right = torch.arange(32, device=images.device) - x
    down = torch.arange(32, device=images.device).view(-1, 1) - y
    return images.masked_fill((right >= 0) & (right < 8) & (down >= 0) & (down < 8), 0)
