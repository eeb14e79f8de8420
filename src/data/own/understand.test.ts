import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { gzipSync } from 'node:zlib';
import { writeIdx } from '../formats/idx.ts';
import { decodePng } from '../formats/png.ts';
import { tarOf, zipOf } from '../testing.ts';
import { makeOwnDataset } from './make.ts';
import type { OwnFile } from './open.ts';
import { ofParquet } from './parquet.ts';
import { batchPickle, npyOf } from './testing.ts';
import { chosenReading, understand, type Corrections } from './understand.ts';

const file = (path: string, bytes: Uint8Array | string = new Uint8Array(1)): OwnFile => {
  const content = typeof bytes === 'string' ? new TextEncoder().encode(bytes) : bytes;
  return { path, bytes: content.length, read: (most) => Promise.resolve(content.subarray(0, most)) };
};
const range = (count: number) => Array.from({ length: count }, (_, i) => i);
const pictures = (folder: string, count: number) => range(count).map((i) => file(`${folder}/${i}.jpg`));

const noise = (count: number, most = 256) => Uint8Array.from({ length: count }, (_, i) => (i * 7919) % most);
const images = (count: number, ...sizes: number[]) =>
  npyOf([count, ...sizes], noise(count * sizes.reduce((a, b) => a * b)));
const labels = (count: number, classes = 5) =>
  npyOf(
    [count],
    Uint8Array.from(range(count), (i) => i % classes),
  );
const idxImages = (count: number) => writeIdx([count, 28, 28], noise(784 * count));
const idxLabels = (count: number) =>
  writeIdx(
    [count],
    Uint8Array.from(range(count), (i) => i % 10),
  );

/** "train: a 3, b 2; test: a 1 (+2)" */
async function shown(files: OwnFile[], corrections: Corrections = {}): Promise<string> {
  const { parts, classes } = chosenReading('x', await understand('x', files), corrections);
  return parts
    .map(({ name, role, samples, unlabelled }) => {
      const counts = classes.map((one) => `${one} ${samples.filter(({ label }) => label === one).length}`);
      return `${name}>${role}: ${counts.join(', ')}${unlabelled > 0 ? ` +${unlabelled}` : ''}`;
    })
    .join('; ');
}

describe('pictures', () => {
  test.each([
    [
      'folders',
      [...pictures('9', 1), ...pictures('10', 2), ...pictures('Äpfel/deep/er', 1)],
      '>train: 9 1, 10 2, Äpfel 1',
    ],
    ['outer folders', [...pictures('my/pets/cat', 2), ...pictures('my/pets/dog', 1)], '>train: cat 2, dog 1'],
    [
      'Intel’s scenes',
      [
        ...['seg_train/seg_train', 'seg_test/seg_test'].flatMap((part) => [
          ...pictures(`${part}/sea`, 3),
          ...pictures(`${part}/forest`, 2),
        ]),
        ...pictures('seg_pred/seg_pred', 4),
      ],
      'seg_pred>unused: forest 0, sea 0 +4; seg_test>test: forest 2, sea 3; seg_train>train: forest 2, sea 3',
    ],
    [
      'train, valid and test',
      ['train', 'valid', 'test'].flatMap((part) => [
        ...pictures(`set/${part}/a`, 2),
        ...pictures(`set/${part}/b`, 1),
      ]),
      'test>test: a 2, b 1; train>train: a 2, b 1; valid>unused: a 2, b 1',
    ],
    [
      'train and val',
      ['train', 'val'].flatMap((part) => [...pictures(`${part}/a`, 2), ...pictures(`${part}/b`, 1)]),
      'train>train: a 2, b 1; val>test: a 2, b 1',
    ],
    [
      'a split in each class',
      ['cat', 'dog'].flatMap((name) => [...pictures(`${name}/train`, 3), ...pictures(`${name}/test`, 1)]),
      'test>test: cat 1, dog 1; train>train: cat 3, dog 3',
    ],
    [
      'names of files, and a test set without',
      [
        ...range(4).flatMap((i) => [file(`train/cat.${i}.jpg`), file(`train/dog.${i}.jpg`)]),
        ...pictures('test1', 9),
      ],
      'test1>unused: cat 0, dog 0 +9; train>train: cat 4, dog 4',
    ],
    ['a number first', range(12).map((i) => file(`digits/${i % 3}_${i}.png`)), '>train: 0 4, 1 4, 2 4'],
    [
      'names of several words',
      range(6).flatMap((i) => [file(`Abyssinian_${i}.jpg`), file(`american_bulldog_${i}.jpg`)]),
      '>train: Abyssinian 6, american_bulldog 6',
    ],
    [
      'a table of labels',
      [
        ...pictures('train', 6),
        ...pictures('test', 2),
        file(
          'trainLabels.csv',
          `id,label\n${range(6)
            .map((i) => `${i},${['cat', 'dog'][i % 2]}`)
            .join('\n')}\n`,
        ),
      ],
      'test>unused: cat 0, dog 0 +2; train>train: cat 3, dog 3',
    ],
    [
      'classes that are named like splits',
      ['bus', 'car', 'train'].flatMap((name) => pictures(name, 2)),
      '>train: bus 2, car 2, train 2',
    ],
    [
      'a table that names every picture, which folders only part',
      [
        ...range(3).flatMap((i) => [
          file(`set/images_part_1/P${i}.jpg`),
          file(`set/images_part_2/P${i + 3}.jpg`),
        ]),
        file(
          'set/metadata.csv',
          `image_id,dx\n${range(6)
            .map((i) => `P${i},${['nv', 'mel'][i % 2]}`)
            .join('\n')}`,
        ),
      ],
      '>train: mel 3, nv 3',
    ],
    [
      'a table with labels, and one with names alone',
      [
        ...range(4).map((i) => file(`images/Train_${i}.jpg`)),
        ...range(2).map((i) => file(`images/Test_${i}.jpg`)),
        file(
          'train.csv',
          `image_id,label\n${range(4)
            .map((i) => `Train_${i},${'ab'[i % 2]}`)
            .join('\n')}`,
        ),
        file('test.csv', 'image_id\nTest_0\nTest_1\n'),
      ],
      '>train: a 2, b 2 +2',
    ],
    [
      'a table for each part, which names it',
      [
        ...range(6).map((i) => file(`images/${i < 4 ? 'train' : 'test'}_${i}.png`)),
        file(
          'train.csv',
          `file,label\n${range(4)
            .map((i) => `train_${i}.png,${'ab'[i % 2]}`)
            .join('\n')}`,
        ),
        file('test.csv', 'file,label\ntest_4.png,a\ntest_5.png,b\n'),
      ],
      'test>test: a 1, b 1; train>train: a 2, b 2',
    ],
    [
      'a column that names the part',
      [
        ...pictures('all', 8),
        file(
          'list.csv',
          `name,species,split\n${range(8)
            .map((i) => `${i}.jpg,${'ab'[i % 2]},${i < 6 ? 'train' : 'test'}`)
            .join('\n')}`,
        ),
      ],
      'train>train: a 3, b 3; test>test: a 1, b 1',
    ],
    [
      'columns of which one is 1, in a table beside each part’s pictures of the same names',
      ['train', 'valid'].flatMap((part) => [
        ...range(4).map((i) => file(`${part}/img${i}.jpg`)),
        file(
          `${part}/_classes.csv`,
          `filename, cat, dog\n${range(4)
            .map((i) => `img${i}.jpg, ${i % 2}, ${1 - (i % 2)}`)
            .join('\n')}`,
        ),
      ]),
      'train>train: cat 2, dog 2; valid>test: cat 2, dog 2',
    ],
    [
      'a table without a first line of names',
      [...pictures('x', 4), file('labels.csv', '0.jpg,cat\n1.jpg,dog\n2.jpg,cat\n3.jpg,dog\n')],
      '>train: cat 2, dog 2',
    ],
    [
      'names in another form of Unicode, and a column that is mostly empty',
      [
        ...range(4).map((i) => file(`\u00e9${i}.jpg`)),
        file(
          'labels.csv',
          `note,name,label\n${range(4)
            .map((i) => `,e\u0301${i}.jpg,${'ab'[i % 2]}`)
            .join('\n')}`,
        ),
      ],
      '>train: a 2, b 2',
    ],
    [
      'Tiny ImageNet: annotations of a part',
      [
        ...pictures('t/train/n01/images', 3),
        ...pictures('t/train/n02/images', 3),
        ...pictures('t/val/images', 4),
        file(
          't/val/val_annotations.txt',
          range(4)
            .map((i) => `${i}.jpg\tn0${1 + (i % 2)}\t0\t31`)
            .join('\n'),
        ),
        ...pictures('t/test/images', 2),
      ],
      'test>unused: n01 0, n02 0 +2; train>train: n01 3, n02 3; val>test: n01 2, n02 2',
    ],
    [
      'Hugging Face’s metadata.jsonl',
      [
        ...pictures('train', 4),
        file(
          'train/metadata.jsonl',
          range(4)
            .map((i) => `{"file_name": "${i}.jpg", "label": "${'ab'[i % 2]}"}`)
            .join('\n'),
        ),
      ],
      '>train: a 2, b 2',
    ],
    [
      'names that turn what follows',
      [...pictures('a\u202Egnp', 2), ...pictures('b', 2)],
      '>train: agnp 2, b 2',
    ],
    [
      'one name in two forms of Unicode',
      ['train/na\u00efve', 'train/b', 'test/nai\u0308ve', 'test/b'].flatMap((name) => pictures(name, 2)),
      'test>test: b 2, na\u00efve 2; train>train: b 2, na\u00efve 2',
    ],
  ])('%s', async (_, files, expected) => {
    expect(await shown(files)).toBe(expected);
  });

  test('whose classes differ between parts in upper and lower case are refused, with both lists', async () => {
    const files = ['Train/Cat', 'Train/Dog', 'Test/cat', 'Test/dog'].flatMap((name) => pictures(name, 2));
    await expect(shown(files)).rejects.toThrow('expected the classes Cat, Dog in Test too, found cat, dog');
  });

  test('with bad files beside them lack those alone', async () => {
    const files = [
      ...pictures('a', 2),
      ...pictures('b', 2),
      file('notes.csv', 'note\nhello\n'),
      file('old.zip', 'no archive'),
      file('x.npy', '\u0093NUMPY'),
      file('set.mat', 'MATLAB 5.0 MAT-file'),
      file('ids.csv', 'nr,what\n1,a\n2,b\n'),
    ];
    const { skipped, readings } = await understand('x', files);
    expect(readings[0].classes).toEqual(['a', 'b']);
    expect(skipped).toEqual([
      { path: 'old.zip', reason: 'is not a zip archive' },
      { path: 'notes.csv', reason: expect.stringContaining('expected a table') },
      { path: 'x.npy', reason: 'is neither a picture nor an array of images' },
      { path: 'set.mat', reason: expect.stringContaining('is a MATLAB file') },
      { path: 'ids.csv', reason: 'is a table that names no picture' },
    ]);
    await expect(understand('set.mat', [file('set.mat', 'MATLAB 5.0 MAT-file')])).rejects.toThrow(
      /set.mat is a MATLAB file/,
    );
  });

  test('in archives of any kind, also within one another, and with back-slashes', async () => {
    const inside = ['pets/cat/1.png', 'pets/cat/2.png', 'pets/dog/1.png'];
    const data = new Uint8Array(3);
    const zip = zipOf(inside.map((path) => ({ path: path.replaceAll('/', '\\'), data })));
    const tar = tarOf(inside.map((path) => ({ name: `./${path}`, data })));
    const expected = '>train: cat 2, dog 1';
    expect(await shown([file('back.zip', zip)])).toBe(expected);
    expect(await shown([file('pets.tar', tar)])).toBe(expected);
    expect(await shown([file('pets.tgz', Uint8Array.from(gzipSync(tar)))])).toBe(expected);
    expect(await shown([file('outer.zip', zipOf([{ path: 'inner.zip', data: zip }]))])).toBe(expected);
  });

  test('whose labels may come from two places are asked for', async () => {
    const crossed = ['cat', 'dog'].flatMap((a) =>
      ['indoor', 'outdoor'].flatMap((b) => pictures(`${a}/${b}`, 2)),
    );
    await expect(shown(crossed)).rejects.toMatchObject({
      message: 'x: the labels may come from outer-folders (cat, dog) or inner-folders (indoor, outdoor)',
      advice: 'Choose by --labels outer-folders|inner-folders.',
    });
    expect(await shown(crossed, { labels: 'inner-folders' })).toBe('>train: indoor 4, outdoor 4');
    const named = range(8).map((i) => file(`${['cat', 'dog'][i % 2]}_${['red', 'blue'][i >> 2]}_${i}.jpg`));
    await expect(shown(named)).rejects.toThrow(/names-1 \(cat, dog\) or names-2 \(blue, red\)/);
    expect(await shown(named, { labels: 'names-2' })).toBe('>train: blue 4, red 4');
    await expect(shown(named, { labels: 'folders' })).rejects.toThrow(
      /expected labels from names-1, names-2/,
    );
  });

  test('parts can be used otherwise than their names say', async () => {
    const files = ['train', 'val', 'test'].flatMap((part) => [
      ...pictures(`${part}/a`, 2),
      ...pictures(`${part}/b`, 1),
    ]);
    expect(await shown(files, { parts: { val: 'train' } })).toContain('val>train: a 2, b 1');
    await expect(shown(files, { parts: { more: 'train' } })).rejects.toThrow(
      /expected the parts test, train, val/,
    );
  });

  test('without labels are refused', async () => {
    await expect(shown(pictures('x', 3))).rejects.toThrow(/found none in 3 pictures and 0 arrays/);
    await expect(shown(pictures('cats', 3).concat(pictures('cats', 1)))).rejects.toThrow(
      /at least two classes/,
    );
  });

  test('files of operating systems are not mentioned, others are', async () => {
    const files = [
      ...pictures('p/a', 1),
      ...pictures('p/b', 1),
      ...['p/3.png', 'p/.DS_Store', '__MACOSX/p/a/._1.png', 'p/a/Thumbs.db', 'p/notes.txt'].map((path) =>
        file(path),
      ),
    ];
    expect((await understand('x', files)).skipped).toEqual([
      { path: 'p/notes.txt', reason: 'is neither a picture nor an array of images' },
      { path: 'p/3.png', reason: 'is not in a class folder' },
    ]);
  });
});

describe('arrays', () => {
  const five = (count: number) =>
    range(5)
      .map((i) => `${i} ${count}`)
      .join(', ');

  test('of Keras, in an .npz', async () => {
    const npz = zipOf([
      { path: 'x_test.npy', data: images(10, 28, 28) },
      { path: 'x_train.npy', data: images(20, 28, 28) },
      { path: 'y_test.npy', data: labels(10) },
      { path: 'y_train.npy', data: labels(20) },
    ]);
    expect(await shown([file('mnist.npz', npz)])).toBe(`test>test: ${five(2)}; train>train: ${five(4)}`);
    const colour = zipOf([
      { path: 'x_train.npy', data: images(20, 32, 32, 3) },
      {
        path: 'y_train.npy',
        data: npyOf(
          [20, 1],
          Uint8Array.from(range(20), (i) => i % 5),
        ),
      },
    ]);
    const { parts } = chosenReading('x', await understand('x', [file('cifar.npz', colour)]), {});
    const source = parts[0].samples[1].source;
    if (!('shape' in source)) throw new Error('expected pixels');
    expect(source.shape).toEqual([3, 32, 32]);
    expect([0, 1024, 2048].map((at) => source.bytes()[at])).toEqual(
      [0, 1, 2].map((c) => ((3072 + c) * 7919) % 256),
    );
  });

  test('of CIFAR’s python version, with the names of its classes', async () => {
    const files = [
      { name: 'cifar/data_batch_1', data: batchPickle(2) },
      { name: 'cifar/data_batch_2', data: batchPickle(2) },
      { name: 'cifar/test_batch', data: batchPickle(3) },
    ];
    const told = await shown([file('cifar.tar.gz', Uint8Array.from(gzipSync(tarOf(files))))]);
    expect(told).toBe('>train: cat 2, dog 2; test>test: cat 1, dog 1');
  });

  test('of Hugging Face: pictures in Parquet, in several files, with the names of classes', async () => {
    const bytes = new Uint8Array(
      readFileSync(new URL('../formats/fixtures/pictures.parquet', import.meta.url)),
    );
    const files = ['train-00000-of-00002', 'train-00001-of-00002', 'test-00000-of-00001'].map((name) =>
      file(`data/${name}.parquet`, bytes),
    );
    expect(await shown(files)).toBe('train>train: cat 6, dog 4, owl 4; test>test: cat 3, dog 2, owl 2');
    const other = new Uint8Array(readFileSync(new URL('../formats/fixtures/other.parquet', import.meta.url)));
    // Labels that are kept secret are none.
    expect((await ofParquet('other', other)).labels.map(({ name }) => name)).toEqual(['category']);
    expect(await shown([file('other.parquet', other)])).toBe('>train: cat 3, dog 3');
    const made = await makeOwnDataset([file('other.parquet', other)], {
      from: 'other',
      shape: [1, 8, 8],
      decode: (picture) => decodePng('file', picture),
    });
    expect(made.counts).toEqual([3, 2]);
    expect(made.skipped).toEqual([
      { path: 'other.parquet 1', reason: 'has no bytes: only its address is in the file' },
    ]);
  });

  test('of Quick Draw: a class in each', async () => {
    const files = ['cat', 'dog'].map((name) => file(`full_numpy_bitmap_${name}.npy`, images(6, 784)));
    expect(await shown(files)).toBe('>train: cat 6, dog 6');
  });

  test('of MNIST under other names, twice in Kaggle’s archive', async () => {
    const zip = zipOf(
      ['train-images.idx3-ubyte', 'train-images-idx3-ubyte/train-images-idx3-ubyte']
        .map((path) => ({ path, data: idxImages(20) }))
        .concat([
          { path: 'train-labels.idx1-ubyte', data: idxLabels(20) },
          { path: 'train-labels-idx1-ubyte/train-labels-idx1-ubyte', data: idxLabels(20) },
          { path: 't10k-images.idx3-ubyte', data: idxImages(10) },
          { path: 't10k-labels.idx1-ubyte', data: idxLabels(10) },
        ]),
    );
    const ten = (count: number) =>
      range(10)
        .map((i) => `${i} ${count}`)
        .join(', ');
    expect(await shown([file('archive.zip', zip)])).toBe(`train>train: ${ten(2)}; test>test: ${ten(1)}`);
  });

  const row = (i: number, label: number | undefined) =>
    [...(label === undefined ? [] : [label]), ...range(784).map((k) => (k * (i + 3)) % 200)].join(',');
  test.each([true, false])('in tables of Kaggle, with a first line: %s', async (named) => {
    const names = (first: string[]) =>
      named ? [[...first, ...range(784).map((k) => `pixel${k}`)].join(',')] : [];
    const train = [...names(['label']), ...range(10).map((i) => row(i, i % 5))].join('\n');
    const testing = [...names([]), ...range(4).map((i) => row(i, undefined))].join('\r\n');
    const files = [
      file('train.csv', train),
      file('test.csv', testing),
      file('sample_submission.csv', 'ImageId,Label\n1,0\n2,0\n'),
    ];
    expect(await shown(files)).toBe(
      `train>train: ${five(2)}; test>unused: ${five(0).replaceAll(/\d,/g, '0,')} +4`,
    );
  });

  test('whose set or labels are not clear are asked for', async () => {
    const files = ['letters', 'digits'].flatMap((set) => [
      file(`emnist-${set}-train-images-idx3-ubyte`, idxImages(20)),
      file(`emnist-${set}-train-labels-idx1-ubyte`, idxLabels(20)),
    ]);
    await expect(shown(files)).rejects.toThrow(/emnist-letters \(0, 1, 2, 3, …\) or emnist-digits/);
    expect(await shown(files, { labels: 'emnist-digits' })).toMatch(/^train>train: 0 2/);
  });

  /** Four flat quarters, the upper left by class. */
  const quarters = (label: number, side: number) =>
    range(side * side).map((k) => {
      const [right, below] = [k % side >= side / 2, k >= (side * side) / 2];
      return below ? (right ? 140 : 100) : right ? 60 : 20 + 8 * label;
    });
  const byColumns = (label: number, side: number) => {
    const image = quarters(label, side);
    return image.map((_, k) => image[side * (k % side) + Math.floor(k / side)]);
  };
  const corners = async (files: OwnFile[]) => {
    const { parts, assumed } = chosenReading('x', await understand('x', files), {});
    const { source, label } = parts.find(({ role }) => role === 'train')!.samples[0];
    if (!('shape' in source)) throw new Error('expected pixels');
    const [channels, side] = source.shape;
    const at = [0, side - 1, side * (side - 1), side * side - 1];
    const values = range(channels).map((c) => at.map((k) => source.bytes()[c * side * side + k]));
    return { label, values, assumed };
  };
  const rows = (of: (i: number) => (number | string)[], head: string[] = []) =>
    [...(head.length > 0 ? [head.join(',')] : []), ...range(6).map((i) => of(i).join(','))].join('\n');
  const names = range(64).map((k) => `p${k}`);
  const upright = [[20, 60, 100, 140]];
  test.each<[string, string, { label: string; values: number[][]; assumed?: string }]>([
    [
      'a text as label',
      rows((i) => [['cat', 'dog'][i % 2], ...quarters(i % 2, 8)], ['label', ...names]),
      { label: 'cat', values: upright },
    ],
    [
      'a column that counts',
      rows((i) => [i, i % 2, ...quarters(i % 2, 8)], ['', 'label', ...names]),
      { label: '0', values: upright },
    ],
    [
      'numbers of columns as names',
      rows((i) => [i % 2, ...quarters(i % 2, 8)], ['0', ...range(64).map((k) => `0.${k + 1}`)]),
      { label: '0', values: upright },
    ],
    [
      'pixels in one column',
      rows(
        (i) => [i % 2, quarters(i % 2, 8).join(' '), i < 4 ? 'Training' : 'PublicTest'],
        ['emotion', 'pixels', 'Usage'],
      ),
      { label: '0', values: upright },
    ],
    [
      'values from 0 to 16',
      rows((i) => [
        ...quarters(i % 2, 8)
          .map((value) => Math.min(16, value / 10))
          .map(Math.floor),
        i % 2,
      ]),
      { label: '0', values: [[32, 96, 159, 223]], assumed: 'pixels from 0 to 16, which is white' },
    ],
    [
      'planes of colours',
      rows((i) => [...[0, 10, 20].flatMap((c) => quarters(i % 2, 16).map((value) => value + c)), i % 2]),
      { label: '0', values: [0, 10, 20].map((c) => upright[0].map((value) => value + c)) },
    ],
    [
      'colours pixel by pixel',
      rows((i) => [...quarters(i % 2, 16).flatMap((value) => [value, value + 10, value + 20]), i % 2]),
      {
        label: '0',
        values: [0, 10, 20].map((c) => upright[0].map((value) => value + c)),
        assumed: 'the colours of a pixel one after the other',
      },
    ],
  ])('in a table with %s', async (_, text, expected) => {
    expect(await corners([file('table.csv', text)])).toEqual({ assumed: undefined, ...expected });
  });

  test('of EMNIST, whose columns are stored one after the other, stand upright', async () => {
    const stored = Uint8Array.from(range(4).flatMap((i) => byColumns(i % 2, 28)));
    const files = [
      file('emnist-digits-train-images-idx3-ubyte', writeIdx([4, 28, 28], stored)),
      file('emnist-digits-train-labels-idx1-ubyte', writeIdx([4], Uint8Array.of(0, 1, 0, 1))),
      file('emnist-digits-mapping.txt', '0 65 97\n1 66 98\n'),
    ];
    expect(await corners(files)).toEqual({
      label: 'A',
      values: upright,
      assumed: expect.stringContaining('turned upright'),
    });
  });

  test('of CIFAR’s and STL-10’s binary files, with names from texts beside them', async () => {
    const record = (label: number) => [label, ...[0, 1, 2].flatMap(() => quarters(label, 32))];
    const cifar = [
      file('data_batch_1.bin', Uint8Array.from([0, 1, 0, 1].flatMap(record))),
      file('batches.meta.txt', 'airplane\nautomobile\n\n'),
    ];
    expect(await shown(cifar)).toBe('>train: airplane 2, automobile 2');
    const image = (label: number) => [0, 1, 2].flatMap(() => byColumns(label, 96));
    const stl = [
      file('train_X.bin', Uint8Array.from([0, 1, 0, 1].flatMap(image))),
      file('train_y.bin', Uint8Array.of(1, 2, 1, 2)),
      file('class_names.txt', 'airplane\nbird\n'),
    ];
    expect(await corners(stl)).toMatchObject({
      label: 'airplane',
      values: [upright[0], upright[0], upright[0]],
    });
  });

  test('of QMNIST: the first of several columns of labels', async () => {
    const wide = Uint8Array.from([
      0,
      0,
      12,
      2,
      0,
      0,
      0,
      4,
      0,
      0,
      0,
      2,
      ...range(4).flatMap((i) => [0, 0, 0, i % 2, 0, 0, 1, 7]),
    ]);
    const files = [
      file('qmnist-train-images-idx3-ubyte', idxImages(4)),
      file('qmnist-train-labels-idx2-int', wide),
    ];
    expect(await shown(files)).toBe('train>train: 0 2, 1 2');
  });

  test('with several classes for an image are refused', async () => {
    const files = [
      file('train_images.npy', images(2, 9, 9)),
      file('train_labels.npy', npyOf([2, 3], Uint8Array.of(1, 1, 0, 0, 1, 0))),
    ];
    await expect(shown(files)).rejects.toThrow(
      'train_labels.npy: expected one class for each image, found 2 of 3 in row 0',
    );
  });

  test('without as many labels are refused', async () => {
    const files = [file('x_train.npy', images(6, 28, 28)), file('y_train.npy', labels(5))];
    await expect(shown(files)).rejects.toThrow(
      'y_train.npy: expected as many images as the 5 labels, found 6 in x_train.npy',
    );
  });
});
