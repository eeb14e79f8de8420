/** The project's selection.py: src/data/selection.ts in Python, as far as the run uses it. */
import { lines, sections } from './python.ts';
import type { ProjectSubject } from './subject.ts';

/** Whether the run trains on some of the images only, or on other labels. */
export const selects = ({ settings: { validation, trainImages, wrongLabels } }: ProjectSubject): boolean =>
  validation > 0 || trainImages !== undefined || wrongLabels > 0;

export function selectionText({ settings, model }: ProjectSubject): string {
  const { validation, trainImages, wrongLabels } = settings;
  const some = trainImages !== undefined;
  const places = validation > 0 ? 'others' : 'range(len(truth))';
  return sections(
    lines(
      `"""The training images that the run trains on${validation > 0 ? ' and those that it is validated on' : ''}: the same ones as in wgrad."""
from collections import Counter
from collections.abc import Callable

import torch
from torch import Tensor

from random_numbers import Sequence
from settings import SEED`,
    ),
    lines(
      `def selected(images: Tensor, labels: Tensor) -> dict[str, tuple[Tensor, Tensor]]:
    """Of all training images: those of each part, and their labels."""
    truth = labels.tolist()`,
      validation > 0 &&
        `    held = min(max(1, int(${validation} * len(truth) + 0.5)), len(truth) - 1)
    validation = by_class(truth, held, Sequence(SEED, "validation"), same_share)
    others = sorted(set(range(len(truth))) - set(validation))`,
      some
        ? `    candidates = ${validation > 0 ? '[truth[place] for place in others]' : 'truth'}
    train = by_class(candidates, ${trainImages}, Sequence(SEED, "training images"), same_number)${
      validation > 0 ? '\n    train = [others[i] for i in train]' : ''
    }`
        : `    train = list(${places})`,
      '    trained = [truth[place] for place in train]',
      wrongLabels > 0 &&
        `    sequence = Sequence(SEED, "wrong labels")
    wrong = by_class(trained, int(${wrongLabels} * len(trained) + 0.5), sequence, same_share)
    classes = [(label + 1 + sequence.below(${model.classes - 1})) % ${model.classes} for label in trained]
    for i in wrong:
        trained[i] = classes[i]`,
      `    return {
        "train": (images[train], torch.tensor(trained)),`,
      validation > 0 && '        "validation": (images[validation], labels[validation]),',
      '    }',
    ),
    `def by_class(labels: list[int], count: int, sequence: Sequence, order: Callable[[int, int], float]) -> list[int]:
    """The places of \`count\` of the labels. Those of a class are in random order; the first are taken by \`order\`, of the rank
    within the class and the size of the class."""
    sizes, ranks = Counter(labels), Counter()
    keys = []
    for place in sequence.permutation(len(labels)):
        label = labels[place]
        keys.append((order(ranks[label], sizes[label]), place))
        ranks[label] += 1
    keys.sort(key=lambda key: key[0])
    return sorted(place for _, place in keys[:count])`,
    some &&
      `def same_number(rank: int, size: int) -> float:
    """As many of each class, as far as there are."""
    return rank`,
    (validation > 0 || wrongLabels > 0) &&
      `def same_share(rank: int, size: int) -> float:
    """The same share of each class."""
    return (rank + 0.5) / size`,
  );
}
