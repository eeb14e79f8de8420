"""The images of MNIST, and the batches of the run: the same samples in the same order."""
import gzip
from functools import lru_cache
from pathlib import Path

import numpy as np
import torch

from random_numbers import Sequence
from settings import BATCH_SIZE, MEAN, SEED, SHAPE, STD

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


def load_images(folder, split):
    """All images of a split as bytes [N, C, H, W], and their labels."""
    images, labels = (read_idx(Path(folder), name) for name in FILES[split])
    return torch.from_numpy(images).view(-1, *SHAPE), torch.from_numpy(labels).long()


def read_idx(folder, name):
    """An IDX file of bytes: the fourth byte is the number of dimensions; the sizes follow, then the values."""
    data = contents(folder, name)
    sizes = np.frombuffer(data, ">u4", count=data[3], offset=4)
    return np.frombuffer(data, np.uint8, offset=4 + 4 * data[3]).reshape(sizes).copy()


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
    at = samples(step, rows, len(images)).to(images.device)
    return normalised(images[at]), labels[at]


def normalised(images):
    """Bytes, normalised per channel by the mean and standard deviation of the data set."""
    mean, std = (torch.tensor(v, device=images.device).view(-1, 1, 1) for v in (MEAN, STD))
    return (images.float() / 255 - mean) / std
