/** The project's data.py: reads the data set's files, and makes the batches of the run. */
import { isAugmented } from '../../../base/augmentation.ts';
import { plainName, isBatch, splitOf, type Split } from '../../../data/files.ts';
import type { DatasetInfo } from '../../../data/dataset.ts';
import { ownImagesText, OWN_IMPORTS } from './own-images.ts';
import { lines, sections } from './python.ts';
import { selects } from './selection.ts';
import type { ProjectSubject } from './subject.ts';

export function dataText(subject: ProjectSubject): string {
  const { settings, dataset, model } = subject;
  const { crop, reflect, cutout, mixup } = settings.augmentation;
  const numbers = drawnNumbers(subject);
  const idx = dataset?.files.some(({ role }) => !isBatch(role)) ?? false;
  const packed = dataset?.files.some(({ name }) => name.endsWith('.gz')) ?? false;
  const random = [
    ...(mixup > 0 || !dataset ? ['Sequence'] : []),
    ...(crop > 0 || cutout > 0 || mixup > 0 ? ['below'] : []),
    ...(isAugmented(settings.augmentation) ? ['letters', 'random_words'] : []),
    ...(mixup > 0 || numbers.some(({ name }) => name === 'seed') ? ['step_seed'] : []),
  ];
  const seeded = settings.shuffle || isAugmented(settings.augmentation);
  const names = ['MEAN', ...(seeded ? ['SEED'] : []), 'SHAPE', 'STD'];
  const title = dataset ? `The images of ${dataset.title}` : 'Images in folders, one per class';
  return sections(
    lines(
      `"""${title}, and the batches of the run: the same samples in the same order${isAugmented(settings.augmentation) ? ', augmented in the same way' : ''}.
All images are on the device, and all work on them is done there."""`,
      packed && 'import gzip',
      !dataset && 'import re',
      settings.shuffle && 'import subprocess\nimport sys',
      'from pathlib import Path',
      '',
      'import numpy as np',
      'import torch',
      'from torch import Tensor',
      crop > 0 && 'from torch.nn import functional as F',
      ...(dataset ? [] : OWN_IMPORTS),
      '',
      settings.shuffle && 'import random_numbers',
      random.length > 0 && `from random_numbers import ${random.join(', ')}`,
      selects(subject) && 'from selection import selected',
      `from settings import ${names.join(', ')}`,
      dataset && `\n${filesText(dataset)}`,
    ),
    ...(dataset ? [idx ? IDX : RECORDS, contentsText(packed)] : [ownImagesText(subject)]),
    batchesText(subject),
    settings.shuffle && ORDERS,
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

const IDX = `def load_images(folder: str, split: str) -> tuple[Tensor, Tensor]:
    """All images of a split as bytes [N, C, H, W], and their labels."""
    images, labels = (read_idx(Path(folder), name) for name in FILES[split])
    return torch.from_numpy(images).view(-1, *SHAPE), torch.from_numpy(labels).long()


def read_idx(folder: Path, name: str) -> np.ndarray:
    """An IDX file of bytes: the fourth byte is the number of dimensions; the sizes follow, then the values."""
    data = contents(folder, name)
    sizes = np.frombuffer(data, ">u4", count=data[3], offset=4)
    return np.frombuffer(data, np.uint8, offset=4 + 4 * data[3]).reshape(sizes).copy()`;

const RECORDS = `def load_images(folder: str, split: str) -> tuple[Tensor, Tensor]:
    """All images of a split as bytes [N, C, H, W], and their labels. A record is a label, then the image's bytes."""
    data = b"".join(contents(Path(folder), name) for name in FILES[split])
    records = torch.from_numpy(np.frombuffer(data, np.uint8).copy()).view(-1, 1 + np.prod(SHAPE))
    return records[:, 1:].reshape(-1, *SHAPE), records[:, 0].long()`;

const contentsText = (packed: boolean): string =>
  packed
    ? `def contents(folder: Path, name: str) -> bytes:
    """The bytes of a file, which may be gzipped."""
    if (folder / name).exists():
        return (folder / name).read_bytes()
    if (folder / f"{name}.gz").exists():
        return gzip.decompress((folder / f"{name}.gz").read_bytes())
    raise SystemExit(f"{folder} has no {name} or {name}.gz; README.md says where to get it")`
    : `def contents(folder: Path, name: str) -> bytes:
    if (folder / name).exists():
        return (folder / name).read_bytes()
    raise SystemExit(f"{folder} has no {name}; README.md says where to get it")`;

/** The numbers of a step that the processor sets: tensors on the device, which all work on the batch reads. */
function drawnNumbers({ settings }: ProjectSubject): { name: string; type: string; value: string }[] {
  const { crop, flip, alternate, cutout, mixup } = settings.augmentation;
  const drawn = crop > 0 || (flip > 0 && alternate === 0) || cutout > 0;
  return [
    ...(drawn ? [{ name: 'seed', type: 'torch.int64', value: 'step_seed(SEED, self.step)' }] : []),
    ...(alternate > 0 ? [{ name: 'first', type: 'torch.int64', value: 'self.step * self.size' }] : []),
    ...(mixup > 0
      ? [
          { name: 'shift', type: 'torch.int64', value: 'shift' },
          { name: 'weight', type: 'torch.get_default_dtype()', value: 'weight' },
        ]
      : []),
  ];
}

function batchesText(subject: ProjectSubject): string {
  const { shuffle, augmentation } = subject.settings;
  const { mixup } = augmentation;
  const numbers = drawnNumbers(subject);
  const images = 'load_images(folder, "train")';
  const trained = selects(subject) ? `selected(*${images})["train"]` : images;
  return lines(
    `class Batches:
    """The batches of the steps from \`step\` on, counted from 0. Epochs follow one another without a gap, so a batch may
    contain the end of one and the start of the next.

    \`next\` sets the numbers of a step in tensors of the device. What follows from them is computed by calling the object:
    always by the same operations on the same tensors, so that they can be a CUDA graph."""

    def __init__(self, folder: str, device: torch.device, size: int, rows: range, step: int):
        """\`rows\` are those of each batch that this process computes."""
        self.images, self.labels = (values.to(device) for values in ${trained})
        self.count, self.size, self.step = len(self.images), size, step - 1
        self.rows = torch.arange(rows.start, rows.stop, device=device)
        self.mean, self.std = (torch.tensor(v, device=device).view(-1, 1, 1) for v in (MEAN, STD))
        self.samples = torch.zeros(size, dtype=torch.int64, device=device)  # of the whole batch`,
    ...numbers.map(
      ({ name, type }) => `        self.${name} = torch.zeros((), dtype=${type}, device=device)`,
    ),
    shuffle &&
      `        epoch, start = divmod(step * size, self.count)
        self.orders = Orders(self.count, epoch)
        self.following = self.orders.next(device)[start:]  # samples`,
    `
    @property
    def epoch(self) -> int:
        """Epochs before this batch."""
        return self.step * self.size // self.count

    def next(self) -> None:
        """Moves on to the batch of the next step."""
        self.step += 1`,
    shuffle
      ? `        while len(self.following) < self.size:
            self.following = torch.cat([self.following, self.orders.next(self.samples.device)])
        self.samples.copy_(self.following[: self.size])
        self.following = self.following[self.size :]`
      : `        start = self.step * self.size % self.count
        torch.arange(start, start + self.size, out=self.samples).remainder_(self.count)`,
    mixup > 0 &&
      `        seed = step_seed(SEED, self.step)
        weight = int(65536 * Sequence(seed, "mixup").symmetric_beta(${mixup}) + 0.5) / 65536
        shift = 1 + below(random_words(seed, letters("MIXU"), 0)[0], max(self.size, 2) - 1)`,
    ...numbers.map(
      ({ name, value }) => `        self.${name}.fill_(${mixup > 0 && name === 'seed' ? 'seed' : value})`,
    ),
    '',
    mixup > 0
      ? `    def __call__(self) -> tuple[Tensor, ...]:
        """This process's rows of the batch: images, their labels, the labels of the images that are blended in, and the
        weight of the first (mixup: Zhang et al. 2018)."""
        first, labels = self.view(self.rows)
        second, others = self.view((self.rows + self.shift) % self.size)
        return self.weight * first + (1 - self.weight) * second, labels, others, self.weight`
      : `    def __call__(self) -> tuple[Tensor, Tensor]:
        """This process's rows of the batch: images and labels."""
        return self.view(self.rows)`,
    '',
    viewText(subject),
    `
    def normalised(self, images: Tensor) -> Tensor:
        """Bytes, normalised per channel by the mean and standard deviation of the data set."""
        return (images.float() / 255 - self.mean) / self.std`,
  );
}

const ORDERS = `class Orders:
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
        return torch.frombuffer(order, dtype=torch.int32).to(device, torch.int64)`;

/** How images are changed before the network sees them. */
function viewText({ settings, model }: ProjectSubject): string {
  const { crop, flip, alternate, cutout } = settings.augmentation;
  const [, height, width] = model.input;
  const turns = flip > 0 && alternate === 0;
  return lines(
    `    def view(self, rows: Tensor) -> tuple[Tensor, Tensor]:
        """Images (${viewSummary(settings.augmentation)}) and labels of these rows."""
        samples = self.samples[rows]
        x = self.images[samples]`,
    (crop > 0 || turns) &&
      `        ${crop > 0 ? 'left, top' : '_, _'}, ${turns ? 'side' : '_'}, _ = random_words(self.seed, letters("CROP"), rows)`,
    crop > 0 && `        x = cropped(x, below(left, ${2 * crop + 1}), below(top, ${2 * crop + 1}))`,
    alternate > 0 &&
      `        epochs = (self.first + rows) // self.count
        side = (random_words(SEED, letters("ALTE"), samples)[0] >> 31) + epochs  # in turn, by epoch`,
    (turns || alternate > 0) &&
      `        mirrored = ${alternate > 0 ? 'side % 2 == 1' : 'side >= 2**31'}
        x = torch.where(mirrored.view(-1, 1, 1, 1), x.flip(3), x)`,
    cutout > 0
      ? `        across, down, _, _ = random_words(self.seed, letters("CUT0"), rows)
        x = cut_out(self.normalised(x), below(across, ${width}), below(down, ${height}))
        return x, self.labels[samples]`
      : '        return self.normalised(x), self.labels[samples]',
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

const cropText = (
  border: number,
  reflects: boolean,
): string => `def cropped(images: Tensor, left: Tensor, top: Tensor) -> Tensor:
    """Each image, cropped from one that is padded by ${border} ${reflects ? 'reflected' : 'black'} pixels on each side."""
    count, _, height, width = images.shape
    bordered = F.pad(images${reflects ? '.float()' : ''}, [${border}] * 4${reflects ? ', mode="reflect"' : ''})
    device = images.device
    rows = top.view(-1, 1, 1) + torch.arange(height, device=device).view(-1, 1)
    columns = left.view(-1, 1, 1) + torch.arange(width, device=device)
    which = torch.arange(count, device=device).view(-1, 1, 1)
    return bordered[which, :, rows, columns].permute(0, 3, 1, 2)`;

const cutoutText = (
  side: number,
  height: number,
  width: number,
): string => `def cut_out(images: Tensor, x: Tensor, y: Tensor) -> Tensor:
    """Sets a square of ${side} pixels around a point of each image to the mean (cutout: DeVries and Taylor 2017)."""
    right = torch.arange(${width}, device=images.device) - (x.view(-1, 1, 1, 1) - ${Math.floor(side / 2)})
    down = torch.arange(${height}, device=images.device).view(-1, 1) - (y.view(-1, 1, 1, 1) - ${Math.floor(side / 2)})
    return images.masked_fill((right >= 0) & (right < ${side}) & (down >= 0) & (down < ${side}), 0)`;
