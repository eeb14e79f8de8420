"""The images of Synthetic shapes, and the batches of the run: the same samples in the same order,
augmented in the same way."""
import gzip
from functools import lru_cache
from pathlib import Path

import numpy as np
import torch
from torch.nn import functional as F

from random_numbers import Sequence, below, letters, random_words, step_seed
from settings import BATCH_SIZE, MEAN, SEED, SHAPE, STD

FILES = {
    "train": [
        "train_batch.bin",
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
    """The bytes of a file, which may be gzipped."""
    if (folder / name).exists():
        return (folder / name).read_bytes()
    if (folder / f"{name}.gz").exists():
        return gzip.decompress((folder / f"{name}.gz").read_bytes())
    raise SystemExit(f"{folder} has no {name} or {name}.gz; README.md says where to get it")


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
    """These rows of a step's batch: images and their labels."""
    return view(images, labels, step, rows)


def view(images, labels, step, rows):
    """Images (shifted, mirrored in every second epoch) and labels of these rows."""
    at = samples(step, rows, len(images))
    seed = step_seed(SEED, step)
    x, labels = images[at.to(images.device)], labels[at.to(images.device)]
    left, top, _, _ = random_words(seed, letters("CROP"), rows)
    x = cropped(x, below(left, 5), below(top, 5))
    epochs = np.array([(step * BATCH_SIZE + row) // len(images) for row in rows])
    side = (random_words(SEED, letters("ALTE"), at.numpy())[0] >> np.uint32(31)) + epochs  # in turn, by epoch
    mirrored = torch.from_numpy(side % 2 == 1).view(-1, 1, 1, 1).to(x.device)
    x = torch.where(mirrored, x.flip(3), x)
    return normalised(x), labels


def normalised(images):
    """Bytes, normalised per channel by the mean and standard deviation of the data set."""
    mean, std = (torch.tensor(v, device=images.device).view(-1, 1, 1) for v in (MEAN, STD))
    return (images.float() / 255 - mean) / std


def cropped(images, left, top):
    """Each image, cropped from one that is padded by 2 reflected pixels on each side."""
    count, _, height, width = images.shape
    bordered = F.pad(images.float(), [2] * 4, mode="reflect")
    device = images.device
    rows = torch.from_numpy(top).to(device).view(-1, 1, 1) + torch.arange(height, device=device).view(-1, 1)
    columns = torch.from_numpy(left).to(device).view(-1, 1, 1) + torch.arange(width, device=device)
    which = torch.arange(count, device=device).view(-1, 1, 1)
    return bordered[which, :, rows, columns].permute(0, 3, 1, 2)
