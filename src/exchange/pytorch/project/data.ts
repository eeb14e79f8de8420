/** The project's data.py: reads the data set's files, and makes the batches of the run. */
import { plainName, isBatch, splitOf, type Split } from '../../../data/files.ts';
import type { DatasetInfo } from '../../../data/dataset.ts';
import { ownImagesText, OWN_IMPORTS } from './own-images.ts';
import { lines, sections } from './python.ts';
import { isRandom, randomNeeds } from './random.ts';
import type { ProjectSubject } from './subject.ts';

export function dataText(subject: ProjectSubject): string {
  const { settings, dataset, model } = subject;
  const { crop, reflect, flip, alternate, cutout, mixup } = settings.augmentation;
  const needs = randomNeeds(subject);
  const idx = dataset?.files.some(({ role }) => !isBatch(role)) ?? false;
  const packed = dataset?.files.some(({ name }) => name.endsWith('.gz')) ?? false;
  const drawn = crop > 0 || (flip > 0 && alternate === 0) || cutout > 0 || mixup > 0;
  const hashed = drawn || alternate > 0;
  const random = [
    ...(needs.permutation ? ['Sequence'] : mixup > 0 ? ['Sequence'] : []),
    ...(crop > 0 || cutout > 0 || mixup > 0 ? ['below'] : []),
    ...(hashed ? ['letters', 'random_words'] : []),
    ...(drawn ? ['step_seed'] : []),
  ];
  const names = ['BATCH_SIZE', 'MEAN', ...(isRandom(needs) ? ['SEED'] : []), 'SHAPE', 'STD'];
  const title = dataset ? `The images of ${dataset.title}` : 'Images in folders, one per class';
  return sections(
    lines(
      `"""${title}, and the batches of the run: the same samples in the same order${hashed ? ',\naugmented in the same way' : ''}."""`,
      packed && 'import gzip',
      !dataset && 'import re',
      settings.shuffle && 'from functools import lru_cache',
      'from pathlib import Path',
      '',
      'import numpy as np',
      'import torch',
      crop > 0 && 'from torch.nn import functional as F',
      ...(dataset ? [] : OWN_IMPORTS),
      '',
      random.length > 0 && `from random_numbers import ${random.join(', ')}`,
      `from settings import ${names.join(', ')}`,
      dataset && `\n${filesText(dataset)}`,
    ),
    ...(dataset ? [idx ? IDX : RECORDS, contentsText(packed)] : [ownImagesText(subject)]),
    settings.shuffle ? SHUFFLED : IN_ORDER,
    batchText(subject),
    hashed && viewText(subject),
    `def normalised(images):
    """Bytes, normalised per channel by the mean and standard deviation of the data set."""
    mean, std = (torch.tensor(v, device=images.device).view(-1, 1, 1) for v in (MEAN, STD))
    return (images.float() / 255 - mean) / std`,
    crop > 0 && cropText(crop, reflect > 0),
    cutout > 0 && cutoutText(cutout, model.input[1], model.input[2]),
  );
}

/** FILES: by split, the names without ".gz". */
function filesText(dataset: DatasetInfo): string {
  const of = (split: Split) =>
    dataset.files
      .filter(({ role }) => splitOf(role) === split)
      .map((file) => `        "${plainName(file)}",\n`)
      .join('');
  return `FILES = {\n    "train": [\n${of('train')}    ],\n    "test": [\n${of('test')}    ],\n}`;
}

const IDX = `def load_images(folder, split):
    """All images of a split as bytes [N, C, H, W], and their labels."""
    images, labels = (read_idx(Path(folder), name) for name in FILES[split])
    return torch.from_numpy(images).view(-1, *SHAPE), torch.from_numpy(labels).long()


def read_idx(folder, name):
    """An IDX file of bytes: the fourth byte is the number of dimensions; the sizes follow, then the values."""
    data = contents(folder, name)
    sizes = np.frombuffer(data, ">u4", count=data[3], offset=4)
    return np.frombuffer(data, np.uint8, offset=4 + 4 * data[3]).reshape(sizes).copy()`;

const RECORDS = `def load_images(folder, split):
    """All images of a split as bytes [N, C, H, W], and their labels. A record is a label, then the image's bytes."""
    data = b"".join(contents(Path(folder), name) for name in FILES[split])
    records = torch.from_numpy(np.frombuffer(data, np.uint8).copy()).view(-1, 1 + np.prod(SHAPE))
    return records[:, 1:].reshape(-1, *SHAPE), records[:, 0].long()`;

const contentsText = (packed: boolean): string =>
  packed
    ? `def contents(folder, name):
    """The bytes of a file, which may be gzipped."""
    if (folder / name).exists():
        return (folder / name).read_bytes()
    if (folder / f"{name}.gz").exists():
        return gzip.decompress((folder / f"{name}.gz").read_bytes())
    raise SystemExit(f"{folder} has no {name} or {name}.gz; README.md says where to get it")`
    : `def contents(folder, name):
    if (folder / name).exists():
        return (folder / name).read_bytes()
    raise SystemExit(f"{folder} has no {name}; README.md says where to get it")`;

const SHUFFLED = `@lru_cache(maxsize=2)
def order(epoch, count):
    """The order of the samples in an epoch, counted from 0."""
    return Sequence(SEED, f"epoch {epoch}").permutation(count)


def samples(step, rows, count):
    """The samples in these rows of a step's batch; steps are counted from 0. Epochs follow one another without a gap,
    so a batch may contain the end of one and the start of the next."""
    positions = (step * BATCH_SIZE + row for row in rows)
    return torch.tensor([order(position // count, count)[position % count] for position in positions])`;

const IN_ORDER = `def samples(step, rows, count):
    """The samples in these rows of a step's batch, in the order of the file, over and over; steps are counted from 0."""
    return torch.tensor([(step * BATCH_SIZE + row) % count for row in rows])`;

function batchText({ settings }: ProjectSubject): string {
  const { crop, flip, alternate, cutout, mixup } = settings.augmentation;
  if (mixup > 0) {
    return `def training_batch(images, labels, step, rows):
    """These rows of a step's batch: images, their labels, the labels of the images that are blended in, and the weight
    of the first (mixup: Zhang et al. 2018)."""
    seed = step_seed(SEED, step)
    weight = int(65536 * Sequence(seed, "mixup").symmetric_beta(${mixup}) + 0.5) / 65536
    shift = 1 + int(below(random_words(seed, letters("MIXU"), [0])[0], ${Math.max(settings.batchSize, 2) - 1})[0])
    partners = [(row + shift) % BATCH_SIZE for row in rows]
    first, first_labels = view(images, labels, step, rows)
    second, second_labels = view(images, labels, step, partners)
    return weight * first + (1 - weight) * second, first_labels, second_labels, weight`;
  }
  if ([crop, flip, alternate, cutout].some((value) => value > 0))
    return `def training_batch(images, labels, step, rows):
    """These rows of a step's batch: images and their labels."""
    return view(images, labels, step, rows)`;
  return `def training_batch(images, labels, step, rows):
    """These rows of a step's batch: images and their labels."""
    at = samples(step, rows, len(images)).to(images.device)
    return normalised(images[at]), labels[at]`;
}

/** How images are changed before the network sees them. */
function viewText({ settings, model }: ProjectSubject): string {
  const { crop, flip, alternate, cutout } = settings.augmentation;
  const [, height, width] = model.input;
  const turns = flip > 0 && alternate === 0;
  return lines(
    `def view(images, labels, step, rows):
    """Images (${viewSummary(settings.augmentation)}) and labels of these rows."""
    at = samples(step, rows, len(images))`,
    (crop > 0 || turns || cutout > 0) && '    seed = step_seed(SEED, step)',
    '    x, labels = images[at.to(images.device)], labels[at.to(images.device)]',
    (crop > 0 || turns) &&
      `    ${crop > 0 ? 'left, top' : '_, _'}, ${turns ? 'side' : '_'}, _ = random_words(seed, letters("CROP"), rows)`,
    crop > 0 && `    x = cropped(x, below(left, ${2 * crop + 1}), below(top, ${2 * crop + 1}))`,
    alternate > 0 &&
      `    epochs = np.array([(step * BATCH_SIZE + row) // len(images) for row in rows])
    side = (random_words(SEED, letters("ALTE"), at.numpy())[0] >> np.uint32(31)) + epochs  # in turn, by epoch`,
    (turns || alternate > 0) &&
      `    mirrored = torch.from_numpy(${alternate > 0 ? 'side % 2 == 1' : 'side >= 2**31'}).view(-1, 1, 1, 1).to(x.device)
    x = torch.where(mirrored, x.flip(3), x)`,
    cutout > 0
      ? `    across, down, _, _ = random_words(seed, letters("CUT0"), rows)
    return cut_out(normalised(x), below(across, ${width}), below(down, ${height})), labels`
      : '    return normalised(x), labels',
  );
}

function viewSummary({ crop, flip, alternate, cutout }: ProjectSubject['settings']['augmentation']): string {
  const parts = [
    ...(crop > 0 ? ['shifted'] : []),
    ...(alternate > 0 ? ['mirrored in every second epoch'] : flip > 0 ? ['half of them mirrored'] : []),
    ...(cutout > 0 ? ['a square of each covered'] : []),
  ];
  return parts.length === 0 ? 'normalised' : parts.join(', ');
}

const cropText = (border: number, reflects: boolean): string => `def cropped(images, left, top):
    """Each image, cropped from one that is padded by ${border} ${reflects ? 'reflected' : 'black'} pixels on each side."""
    count, _, height, width = images.shape
    bordered = F.pad(images${reflects ? '.float()' : ''}, [${border}] * 4${reflects ? ', mode="reflect"' : ''})
    device = images.device
    rows = torch.from_numpy(top).to(device).view(-1, 1, 1) + torch.arange(height, device=device).view(-1, 1)
    columns = torch.from_numpy(left).to(device).view(-1, 1, 1) + torch.arange(width, device=device)
    which = torch.arange(count, device=device).view(-1, 1, 1)
    return bordered[which, :, rows, columns].permute(0, 3, 1, 2)`;

const cutoutText = (side: number, height: number, width: number): string => `def cut_out(images, x, y):
    """Sets a square of ${side} pixels around a point of each image to the mean (cutout: DeVries and Taylor 2017)."""
    x, y = (torch.from_numpy(v).to(images.device).view(-1, 1, 1, 1) - ${Math.floor(side / 2)} for v in (x, y))
    right = torch.arange(${width}, device=images.device) - x
    down = torch.arange(${height}, device=images.device).view(-1, 1) - y
    return images.masked_fill((right >= 0) & (right < ${side}) & (down >= 0) & (down < ${side}), 0)`;
