"""The training images that the run trains on and those that it is validated on: the same ones as in wgrad."""
from collections import Counter
from collections.abc import Callable

import torch
from torch import Tensor

from random_numbers import Sequence
from settings import SEED


def selected(images: Tensor, labels: Tensor) -> dict[str, tuple[Tensor, Tensor]]:
    """Of all training images: those of each part, and their labels."""
    truth = labels.tolist()
    held = min(max(1, int(0.1 * len(truth) + 0.5)), len(truth) - 1)
    validation = by_class(truth, held, Sequence(SEED, "validation"), same_share)
    others = sorted(set(range(len(truth))) - set(validation))
    candidates = [truth[place] for place in others]
    train = by_class(candidates, 500, Sequence(SEED, "training images"), same_number)
    train = [others[i] for i in train]
    trained = [truth[place] for place in train]
    sequence = Sequence(SEED, "wrong labels")
    wrong = by_class(trained, int(0.05 * len(trained) + 0.5), sequence, same_share)
    classes = [(label + 1 + sequence.below(9)) % 10 for label in trained]
    for i in wrong:
        trained[i] = classes[i]
    return {
        "train": (images[train], torch.tensor(trained)),
        "validation": (images[validation], labels[validation]),
    }


def by_class(labels: list[int], count: int, sequence: Sequence, order: Callable[[int, int], float]) -> list[int]:
    """The places of `count` of the labels. Those of a class are in random order; the first are taken by `order`, of the rank
    within the class and the size of the class."""
    sizes, ranks = Counter(labels), Counter()
    keys = []
    for place in sequence.permutation(len(labels)):
        label = labels[place]
        keys.append((order(ranks[label], sizes[label]), place))
        ranks[label] += 1
    keys.sort(key=lambda key: key[0])
    return sorted(place for _, place in keys[:count])


def same_number(rank: int, size: int) -> float:
    """As many of each class, as far as there are."""
    return rank


def same_share(rank: int, size: int) -> float:
    """The same share of each class."""
    return (rank + 0.5) / size
