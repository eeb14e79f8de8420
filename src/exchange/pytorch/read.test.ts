/** Files of torch.save: those in fixtures/, made by PyTorch, and others made by hand. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { count } from '../../base/testing/tier.ts';
import { mutate } from '../../base/testing/mutate.ts';
import { expectWithin, processorTime } from '../../base/testing/processor-time.ts';
import { writeZip } from '../../data/formats/zip-write.ts';
import { typicalParameters } from '../../engine/typical-parameters.ts';
import { models } from '../../models/index.ts';
import { importNetwork } from '../importers.ts';
import { expectResultOrFailure } from '../../base/testing/mutated.ts';
import { readTorch } from './read.ts';
import { writePt, type Saved } from './write.ts';

const fixture = (name: string) => new Uint8Array(readFileSync(new URL(`fixtures/${name}`, import.meta.url)));
const upTo = (length: number) => Array.from({ length }, (_, i) => i / 8);

/** The tensors of a file as plain data. */
async function plain(name: string, bytes = fixture(name)) {
  const { tensors, path } = await readTorch(name, bytes);
  const found = [...tensors].map(([key, { shape, data }]) => [key, { shape, data: [...data] }] as const);
  return { tensors: Object.fromEntries(found), path };
}

describe('files of PyTorch', () => {
  const STATE = {
    'fc.weight': { shape: [3, 4], data: upTo(12) },
    'fc.bias': { shape: [3], data: upTo(3) },
    'bn.weight': { shape: [3], data: upTo(3) },
    'bn.bias': { shape: [3], data: upTo(3) },
    'bn.running_mean': { shape: [3], data: [0, 0, 0] },
    'bn.running_var': { shape: [3], data: [1, 1, 1] },
    'bn.num_batches_tracked': { shape: [], data: [0] },
  };

  test.each(['state.pt', 'legacy.pth', 'protocol4.pt'])('%s', async (name) => {
    expect(await plain(name)).toEqual({ tensors: STATE, path: [] });
  });

  test('a checkpoint that contains a state dict', async () => {
    const { tensors, path } = await plain('checkpoint.pt');
    expect(path).toEqual(['state_dict']);
    expect(Object.keys(tensors)).toEqual(Object.keys(STATE).map((name) => `module.${name}`));
    expect(tensors['module.fc.weight']).toEqual(STATE['fc.weight']);
  });

  test('views of storages, parameters and all types of numbers', async () => {
    const numbers = { shape: [5], data: upTo(5) };
    const whole = { shape: [3], data: [1, 0, 3] };
    expect((await plain('views.pt')).tensors).toEqual({
      transposed: {
        shape: [4, 6],
        data: upTo(4).flatMap((row) => upTo(6).map((column) => row + 4 * column)),
      },
      part: { shape: [2, 2], data: [5, 6, 13, 14].map((value) => value / 8) },
      parameter: { shape: [2, 2], data: upTo(4) },
      scalar: { shape: [], data: [2.5] },
      empty: { shape: [0, 3], data: [] },
      ...{ float64: numbers, float16: numbers, bfloat16: numbers },
      ...{ int64: whole, int32: whole, uint8: whole },
    });
  });

  test('a whole module is refused: it would run code', async () => {
    await expect(plain('module.pt')).rejects.toMatchObject({ code: 'unsupported' });
    const place = /^module\.pt, module\/data\.pkl, byte \d+: names "torch\.nn\.modules/;
    await expect(plain('module.pt')).rejects.toThrow(place);
  });
});

test('what is written comes back, as a network', async () => {
  const model = models.get('resnet8');
  const parameters = typicalParameters(model.layers, [1, ...model.input]);
  const state = new Map<string, Saved>([
    ['step', 7],
    ['model', new Map([...parameters].map(([name, one]) => [`module.${name}`, one]))],
  ] as const);
  const {
    model: found,
    parameters: back,
    notes,
    matches = [],
  } = await importNetwork('w.pt', await writePt(state, 'w'));
  expect(found).toEqual(model);
  expect(notes).toEqual([
    'The weights are those of “model”.',
    expect.stringMatching(/^All names and shapes are those of ResNet-8\. /),
  ]);
  expect(matches.every(({ status }) => status === 'taken')).toBe(true);
  for (const [name, { data }] of parameters) expect(back.get(name)?.data, name).toEqual(data);
});

test('a part of a network', async () => {
  const model = models.get('lenet5');
  const parameters = new Map(typicalParameters(model.layers, [1, ...model.input]));
  parameters.delete('fc3.bias');
  parameters.set('extra', { shape: [1], data: Float32Array.of(1) });
  const { matches = [] } = await importNetwork('w.pth', await writePt(parameters, 'w'), { model });
  const odd = matches.filter(({ status }) => status !== 'taken');
  expect(odd.map(({ name, status }) => [name, status])).toEqual([
    ['fc3.bias', 'missing'],
    ['extra', 'not in the model'],
  ]);
});

const text = (words: string) => [...new TextEncoder().encode(words)];
const str = (words: string) => [0x58, words.length, 0, 0, 0, ...text(words)];
const int = (value: number) => [0x4a, ...new Uint8Array(Int32Array.of(value).buffer)];
const global = (module: string, name: string) => [0x63, ...text(`${module}\n${name}\n`)];
const tuple = (...parts: number[][]) => [0x28, ...parts.flat(), 0x74];
const [EMPTY_DICT, MARK, SET_ITEMS, REDUCE, STOP] = [0x7d, 0x28, 0x75, 0x52, 0x2e];

/** A tensor in a pickle, with a storage of `stored` numbers. */
const tensor = (
  stored: number,
  offset: number,
  sizes: number[],
  strides: number[],
  type = 'FloatStorage',
) => [
  ...global('torch._utils', '_rebuild_tensor_v2'),
  ...tuple(
    [...tuple(str('storage'), global('torch', type), str('0'), str('cpu'), int(stored)), 0x51],
    int(offset),
    tuple(...sizes.map(int)),
    tuple(...strides.map(int)),
    [0x89],
    [...global('collections', 'OrderedDict'), 0x29, REDUCE],
  ),
  REDUCE,
];

/** An archive of a pickle made by hand, and a storage of 8 bytes. */
const archive = (pickle: number[]) =>
  writeZip(
    [
      { path: 'a/data.pkl', bytes: Uint8Array.from([0x80, 2, ...pickle, STOP]) },
      { path: 'a/data/0', bytes: new Uint8Array(8) },
    ],
    false,
  );
const dictOf = (value: number[]) => [EMPTY_DICT, MARK, ...str('w'), ...value, SET_ITEMS];
const read = async (pickle: number[]) => plain('a.pt', await archive(pickle));

describe('files that are wrong', () => {
  test('a file made by hand is read', async () => {
    expect((await read(dictOf(tensor(2, 1, [1], [1])))).tensors).toEqual({ w: { shape: [1], data: [0] } });
  });

  const huge = 2 ** 31 - 1;
  test.each<[string, number[], RegExp]>([
    ['a call', [...global('posix', 'system'), ...tuple(str('ls')), REDUCE], /names "posix\.system"/],
    [
      'a name in two texts',
      [...str('builtins'), ...str('eval'), 0x93],
      /names "builtins\.eval".*nothing of a file is run/,
    ],
    [
      'a storage that is too short',
      dictOf(tensor(3, 0, [3], [1])),
      /expected 12 bytes in a\/data\/0, found 8/,
    ],
    ['a view beyond its storage', dictOf(tensor(2, 1, [2], [1])), /with arguments that it does not take/],
    ['one value many times', dictOf(tensor(2, 0, [huge], [0])), /with arguments that it does not take/],
    ['huge sizes', dictOf(tensor(2, 0, [huge, huge, huge], [0, 0, 0])), /does not take/],
    ['a huge storage', dictOf(tensor(huge, 0, [1], [1])), /expected 8589934588 bytes in a\/data\/0, found 8/],
    [
      'an unknown type',
      dictOf(tensor(2, 0, [1], [1], 'ComplexFloatStorage')),
      /names "torch\.ComplexFloatStorage"/,
    ],
    ['no tensors', dictOf(int(3)), /expected a state dict of tensors, found none/],
    ['an empty stack', [0x85], /takes a value from an empty stack/],
    ['a group without a beginning', [0x74], /ends a group that was not started/],
    ['a value that was not stored', [0x68, 3], /reads value 3, which was not stored/],
    ['a place far away', [0x4e, 0x72, 255, 255, 255, 255], /keeps value \d+ after 0 others/],
    ['a huge number', [0x8b, 255, 255, 255, 0], /a number of at most 16 bytes/],
    ['a long text', [0x58, 255, 255, 255, 127], /expected 2147483647 bytes of text/],
    ['an opcode of protocol 0', [0x49], /opcode 73 is not one of/],
    ['a protocol of tomorrow', [0x80, 9], /expected protocol 2 to 5, found 9/],
  ])('%s', async (_, pickle, message) => {
    await expect(read(pickle)).rejects.toThrow(message);
  });

  test.each<[string, number[]]>([
    ['half a million empty dicts', Array<number>(500_001).fill(EMPTY_DICT)],
    [
      'one list made a dict a thousand times',
      [
        ...[MARK, ...Array.from({ length: 2000 }, () => [0x4e, 0x4e, 0x86]).flat(), 0x74, 0x94],
        ...Array.from({ length: 1000 }, () => [
          ...global('collections', 'OrderedDict'),
          ...[0x68, 0, 0x85, REDUCE],
        ]).flat(),
      ],
    ],
  ])('%s', async (_, pickle) => {
    const start = processorTime();
    await expect(read(pickle)).rejects.toThrow(/expected at most 500000 values, found more/);
    expectWithin(1500, start);
  });

  test('thousands of views of the same numbers', async () => {
    const stored = 2 ** 18;
    const value = tensor(stored, 0, [stored], [1]);
    const names = Array.from({ length: 300 }, (_, i) => [...str(`w${i}`), ...value]);
    const file = await writeZip(
      [
        {
          path: 'a/data.pkl',
          bytes: Uint8Array.from([0x80, 2, EMPTY_DICT, MARK, ...names.flat(), SET_ITEMS, STOP]),
        },
        { path: 'a/data/0', bytes: new Uint8Array(4 * stored) },
      ],
      false,
    );
    const start = processorTime();
    await expect(readTorch('a.pt', file)).rejects.toMatchObject({
      code: 'bad-file',
      message: expect.stringMatching(
        /^a\.pt, tensor "w\d+": expected tensors of at most \d+ bytes in a file of/,
      ),
    });
    expectWithin(400, start);
  });

  test('what is no tensor is left out, and nothing of it is run', async () => {
    const call = [...global('posix', 'system'), ...tuple(str('ls')), REDUCE];
    const { tensors, leftOut } = await readTorch(
      'a.pt',
      await archive([
        EMPTY_DICT,
        MARK,
        ...str('args'),
        ...call,
        ...str('w'),
        ...tensor(2, 0, [1], [1]),
        SET_ITEMS,
      ]),
    );
    expect([...tensors.keys()]).toEqual(['w']);
    expect(leftOut).toEqual(['posix.system']);
  });

  test('a tensor that is made in another way is refused with its name', async () => {
    const sparse = [...global('torch._utils', '_rebuild_sparse_tensor'), ...tuple(int(1)), REDUCE];
    const pickle = [
      EMPTY_DICT,
      MARK,
      ...str('fc.weight'),
      ...sparse,
      ...str('w'),
      ...tensor(2, 0, [1], [1]),
      SET_ITEMS,
    ];
    await expect(read(pickle)).rejects.toThrow(
      'a.pt, tensor "fc.weight": made by torch._utils._rebuild_sparse_tensor, which wgrad does not read',
    );
  });

  test('a checkpoint may lie deeper, and dicts of dicts have no limit', async () => {
    let pickle = tensor(2, 0, [1], [1]);
    for (const key of ['w', 'module', 'ema']) pickle = [EMPTY_DICT, MARK, ...str(key), ...pickle, SET_ITEMS];
    expect((await read(pickle)).path).toEqual(['ema', 'module']);
    const deep = [...Array.from({ length: 20_000 }, () => [EMPTY_DICT, MARK, ...str('a')]).flat(), 0x4e];
    const ends = Array.from({ length: 20_000 }, () => SET_ITEMS);
    await expect(read([...deep, ...ends])).rejects.toThrow('expected a state dict of tensors, found none');
  });

  test('dicts that share dicts, hundreds deep, end soon', async () => {
    let pickle = tensor(2, 0, [1], [1]);
    for (let depth = 0; depth < 300; depth++)
      pickle = [EMPTY_DICT, MARK, ...str('a'), ...pickle, ...str('b'), 0x4e, SET_ITEMS];
    expect(Object.keys((await read(pickle)).tensors)).toEqual(['a']);
    // The same dict under two keys, at every level.
    let shared = dictOf(tensor(2, 0, [1], [1]));
    for (let depth = 0; depth < 60; depth++)
      shared = [
        ...shared,
        0x71,
        depth,
        0x30,
        EMPTY_DICT,
        MARK,
        ...str('x'),
        0x68,
        depth,
        ...str('y'),
        0x68,
        depth,
        SET_ITEMS,
      ];
    expect(Object.keys((await read(shared)).tensors)).toHaveLength(1);
  });

  test.each(['', 'PK', 'hello'])('"%s" is no file of PyTorch', async (words) => {
    await expect(plain('a.pt', Uint8Array.from(text(words)))).rejects.toThrow(/^a\.pt/);
  });

  const TRIES = count(60, 300, 2000);
  test(`${TRIES} mutations give tensors or a Failure with its place, quickly`, async () => {
    const files = ['state.pt', 'legacy.pth', 'protocol4.pt', 'checkpoint.pt', 'views.pt'].map(fixture);
    const state = dictOf(tensor(2, 0, [2], [1]));
    await expectResultOrFailure({
      kind: 'pt',
      tries: TRIES,
      // Damage inside of an archive shows in its checksums; every second one has whole checksums.
      file: (random, seed) =>
        seed % 2 === 0
          ? mutate(files[(seed / 2) % files.length], random)
          : archive([...mutate(Uint8Array.from(state), random)]),
      read: async (file) => {
        const { tensors } = await readTorch('net.pt', file);
        for (const { shape, data } of tensors.values())
          expect(data).toHaveLength(shape.reduce((product, size) => product * size, 1));
      },
      place: /^net\.pt/,
    });
  });
});
