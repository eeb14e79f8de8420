/**
 * Every reader of files and links that come from outside, on seeded mutations of good ones: it gives a value or a Failure
 * that names the place, nothing else, and soon.
 */
import { deflateSync } from 'node:zlib';
import { PNG } from 'pngjs';
import { describe, expect, test } from 'vitest';
import { compressed, expanded } from '../app/share/compress.ts';
import { hrefOf, parseRoute } from '../app/route.ts';
import { linkOf, readLink } from '../app/share/link.ts';
import { DEFAULT_SETTINGS } from '../app/state/settings.ts';
import { Random } from '../base/random.ts';
import { Failure } from '../base/result.ts';
import { count, SEED, isExhaustive } from '../base/testing/tier.ts';
import { mutate } from '../base/testing/mutate.ts';
import { expectWithin, processorTime } from '../base/testing/processor-time.ts';
import { replaced } from '../base/testing/replaced.ts';
import { decodePicture } from '../cli/own.ts';
import { encodeJpeg } from '../cli/testing/jpeg.ts';
import { datasets } from '../data/catalogue.ts';
import { zipOf } from '../data/testing.ts';
import { readSafetensors, writeSafetensors } from '../data/formats/safetensors.ts';
import { crc32, readZip } from '../data/formats/zip.ts';
import { imageOf } from '../data/own/make.ts';
import { FindDb } from '../engine/ops/conv/choice/db.ts';
import { readDb } from '../engine/ops/conv/choice/read-db.ts';
import { DIRECTIONS } from '../engine/ops/conv/problem.ts';
import { parseModel } from '../models/file/parse.ts';
import { toJson } from '../models/file/write.ts';
import { models } from '../models/index.ts';
import { pack, unpack } from '../storage/packed.ts';
import { completed } from '../run/settings/rules.ts';
import { storedRun } from './runs/testing/stored-run.ts';
import { asCheckpoint } from '../train/stored-checkpoint.ts';
import { someCheckpoint } from '../train/testing/checkpoint.ts';
import { filesOf, readArchive } from './runs/archive/format.ts';
import { unpackRun } from './runs/archive/unzip.ts';
import { datasetEntries, modelEntries } from './train/catalogue.ts';

/** Of the largest files: they take 1.4 to 1.9 seconds, which a person still waits for. */
const LIMIT_MS = 4000;
/** Of files of a few kilobytes, and of what is refused. */
const SMALL_MS = 200;
const SMALL_BYTES = 100e6;
const PLACE: Readonly<Record<string, RegExp>> = {
  // A picture is one of many; its name stands beside the reason.
  PNG: /./,
  JPEG: /./,
  archive:
    /^(run\.zip|config\.json|metrics\.csv|timings\.json|model\.json|the archive|weights\.safetensors|checkpoint)/,
};

const random = new Random(3, 'noise');
const noise = (length: number) => Uint8Array.from({ length }, () => random.below(256));
const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
const bytesOf = (words: string) => new TextEncoder().encode(words);

function png(): Uint8Array {
  const picture = new PNG({ width: 12, height: 9 });
  picture.data.set(noise(picture.data.length));
  return new Uint8Array(PNG.sync.write(picture));
}

/** A grey PNG with any content. */
function pngOf(
  size: { width: number; height: number; interlaced?: boolean },
  content: Uint8Array,
): Uint8Array {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size.width, 0);
  header.writeUInt32BE(size.height, 4);
  header.set([8, 0, 0, 0, size.interlaced ? 1 : 0], 8);
  const chunk = (type: string, data: Uint8Array) => {
    const whole = Buffer.alloc(12 + data.length);
    whole.writeUInt32BE(data.length, 0);
    whole.write(type, 4);
    whole.set(data, 8);
    whole.writeUInt32BE(crc32(whole.subarray(4, -4)), 8 + data.length);
    return whole;
  };
  const signature = png().subarray(0, 8);
  const chunks = [chunk('IHDR', header), chunk('IDAT', content), chunk('IEND', new Uint8Array())];
  return new Uint8Array(Buffer.concat([signature, ...chunks]));
}

/** A grey JPEG of one colour: progressive, if it has more than one scan. All codes are zeros. */
function jpegOf(width: number, height: number, scans = 1): Uint8Array {
  const words = (...bytes: number[]) => Uint8Array.from(bytes);
  const segment = (marker: number, ...body: number[]) =>
    words(0xff, marker, (body.length + 2) >> 8, (body.length + 2) & 255, ...body);
  const size = [height >> 8, height & 255, width >> 8, width & 255];
  /** One code, of one bit. */
  const table = (kind: number, symbol: number) =>
    segment(0xc4, kind, 1, ...Array<number>(15).fill(0), symbol);
  const blocks = Math.ceil(width / 8) * Math.ceil(height / 8);
  // 2^14 blocks that end at once take 15 bits.
  const later = Array.from({ length: scans - 1 }, () => [
    segment(0xda, 1, 1, 0, 1, 63, 0),
    new Uint8Array(Math.ceil((15 * Math.ceil(blocks / 2 ** 14)) / 8)),
  ]);
  return new Uint8Array(
    Buffer.concat([
      words(0xff, 0xd8),
      segment(0xdb, 0, ...Array<number>(64).fill(1)),
      segment(scans > 1 ? 0xc2 : 0xc0, 8, ...size, 1, 1, 0x11, 0),
      table(0x00, 0),
      table(0x10, scans > 1 ? 0xe0 : 0),
      segment(0xda, 1, 1, 0, 0, scans > 1 ? 0 : 63, 0),
      // A bit for the difference of each block, and one for its end.
      new Uint8Array(Math.ceil(((scans > 1 ? 1 : 2) * blocks) / 8)),
      ...later.flat(),
      words(0xff, 0xd9),
      // Enough bytes for so many pixels.
      new Uint8Array(Math.ceil((width * height) / 100)),
    ]),
  );
}

const picture = (file: Uint8Array) =>
  imageOf(
    { path: 'picture', bytes: file.length, read: async () => file },
    { shape: [1, 8, 8] },
    decodePicture,
  );

const names = {
  models: modelEntries(),
  datasets: datasetEntries(datasets.all(), () => ({ state: 'ready' })),
};
const links = [
  linkOf(DEFAULT_SETTINGS),
  linkOf({ ...DEFAULT_SETTINGS, model: 'resnet8', optimizer: 'sgd', lr: '0.1', seed: '7', epochs: '3' }),
  linkOf(
    { ...DEFAULT_SETTINGS, augmentation: { crop: '4', flip: '1', mixup: '0.2' } },
    await compressed(toJson(models.get('lenet5'))),
  ),
].map((parameters) => hrefOf('train', '', parameters));

const checkpoint = await pack(someCheckpoint());
const findDb = new FindDb(
  DIRECTIONS.map((direction) => ({
    adapter: 'a vendor, a GPU',
    runtime: 'a browser',
    kernels: 'k',
    problem: 'n2 c4 8x8 k8 3x3 p1',
    direction,
    number: 'f32',
    workspace: 2 ** 26,
    best: {
      algorithm: 'direct',
      launch: 'one thread per output',
      ...{ median: 0.02, p10: 0.01, p90: 0.03, clock: 'timestamps', error: 1e-7, workspaceBytes: 0 },
    },
    quarantine: [{ algorithm: 'fft', launch: 'plain', reason: 'wrong' }],
    date: '2026-11-28T12:00:00.000Z',
  })),
).toText();

/** An archive of a run. @param model a registered one, or one in model.json */
function archiveOf(model: 'lenet5' | null): Uint8Array {
  const step = Float64Array.from({ length: 100 }, (_, i) => i + 1);
  const loss = Float32Array.from(step, (at) => 1 / at);
  const built = models.get('resnet8');
  const record = storedRun({
    config: { ...completed({}), model: model ?? { ...built, layers: [...built.layers] }, dataset: 'digits' },
    ...{ starred: true, note: 'the first', state: 'paused', step: 100 },
    evaluations: [{ step: 50, epoch: 1, testLoss: 0.5, testAccuracy: 0.75 }],
    confusion: [3, 1, 0, 4],
  });
  const points = { step, loss, smoothLoss: loss, accuracy: loss, smoothAccuracy: loss };
  const weights = { step: 100, bytes: writeSafetensors(new Map([['w', { shape: [100], data: loss }]])) };
  const files = filesOf(record, toJson(built), { points, weights, checkpoint });
  return zipOf(files.map(({ path, bytes }) => ({ path, data: bytes })));
}

interface HostileCase {
  /** Files, or texts as UTF-8. */
  good: readonly Uint8Array[];
  read(bytes: Uint8Array<ArrayBuffer>): unknown;
  tries: number;
}

const CASES: Readonly<Record<string, HostileCase>> = {
  zip: {
    good: [
      zipOf([
        { path: 'a/b.txt', data: noise(90) },
        { path: 'c', data: new Uint8Array(500) },
      ]),
    ],
    read: (bytes) =>
      Promise.all(readZip('net.zip', bytes, { files: 10, bytes: 1e6 }).map((file) => file.read())),
    tries: 3000,
  },
  PNG: { good: [png()], read: picture, tries: 2000 },
  JPEG: {
    good: [await encodeJpeg({ width: 24, height: 17, data: noise(24 * 17 * 4) }, 60)],
    read: picture,
    tries: 2000,
  },
  model: {
    good: ['lenet5', 'resnet8'].map((name) => bytesOf(toJson(models.get(name)))),
    read: (bytes) => parseModel('net.json', text(bytes)),
    tries: 4000,
  },
  checkpoint: {
    good: [checkpoint],
    read: async (bytes) => asCheckpoint('a.run', await unpack('a.run', bytes)),
    tries: 1500,
  },
  archive: {
    good: [archiveOf('lenet5'), archiveOf(null)],
    read: async (bytes) =>
      readArchive(await unpackRun('run.zip', bytes), async (words) => parseModel('model.json', words)),
    tries: 1000,
  },
  'find-db': { good: [bytesOf(findDb)], read: (bytes) => readDb('find-db.json', text(bytes)), tries: 3000 },
  link: {
    good: links.map(bytesOf),
    read: async (bytes) => {
      const { model } = readLink(parseRoute(text(bytes)).parameters, names);
      const words = model === undefined ? undefined : await expanded(model);
      return words === undefined ? undefined : parseModel('net', words);
    },
    tries: 3000,
  },
};

/** @returns the milliseconds that it took, and the failure, if it was one */
async function tried(format: string, read: () => unknown, limit = LIMIT_MS) {
  const start = processorTime();
  let failure: Failure | undefined;
  try {
    await read();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    failure = error;
    expect(error.message).toMatch(PLACE[format] ?? /^(net|a\.run|find-db)/);
    expect(error.message.length + (error.advice?.length ?? 0)).toBeLessThan(1500);
  }
  return { milliseconds: expectWithin(limit, start), failure };
}

describe.each(Object.entries(CASES))('%s', (format, { good, read, tries }) => {
  const TRIES = count(Math.ceil(tries / 100), Math.ceil(tries / 25), tries);
  test(`${TRIES} mutations`, async () => {
    for (const file of good)
      expect(
        (await tried(format, () => read(Uint8Array.from(file)))).failure,
        'the good one',
      ).toBeUndefined();
    let [failures, slowest, largest] = [0, 0, 0];
    for (let seed = 0; seed < TRIES; seed++) {
      const file = mutate(good[seed % good.length], new Random(seed + SEED, format));
      const before = process.memoryUsage().rss;
      try {
        const { milliseconds, failure } = await tried(format, () => read(file), SMALL_MS);
        if (failure) failures++;
        slowest = Math.max(slowest, milliseconds);
      } catch (cause) {
        throw new Error(`mutation with seed ${seed + SEED}`, { cause });
      }
      largest = Math.max(largest, process.memoryUsage().rss - before);
    }
    expect(largest).toBeLessThan(SMALL_BYTES);
    if (format !== 'link') expect(failures).toBeGreaterThan(TRIES / 4);
    if (isExhaustive)
      console.log(
        `${format}: ${TRIES} inputs, ${failures} failures, slowest ${slowest.toFixed(0)} ms, largest ${(largest / 1e6).toFixed(0)} MB`,
      );
  });
});

describe('with a part of another kind, but a right checksum', () => {
  const TRIES = count(10, 40, 1500);
  test.each<[string, () => Promise<unknown>, (value: unknown) => Promise<unknown>]>([
    [
      'checkpoint',
      async () => someCheckpoint(),
      async (value) => asCheckpoint('a.run', await unpack('a.run', await pack(value))),
    ],
    [
      'find-db',
      async () => JSON.parse(findDb) as unknown,
      async (value) => readDb('find-db.json', JSON.stringify(value)),
    ],
    [
      'model',
      async () => JSON.parse(toJson(models.get('resnet8'))) as unknown,
      async (value) => parseModel('net.json', JSON.stringify(value)),
    ],
  ])('%s', async (format, original, read) => {
    const value = await original();
    let failures = 0;
    for (let seed = 0; seed < TRIES; seed++) {
      const changed = replaced(value, new Random(seed + SEED, format));
      try {
        if ((await tried(format, () => read(changed))).failure) failures++;
      } catch (cause) {
        throw new Error(`change with seed ${seed + SEED}`, { cause });
      }
    }
    expect(failures).toBeGreaterThan(TRIES / 4);
  });
});

test('a failure is short, however long the names in a file are', async () => {
  const name = '\u0001'.repeat(100_000);
  const header = bytesOf(JSON.stringify({ [name]: { dtype: 'X', shape: [1], data_offsets: [0, 4] } }));
  const file = new Uint8Array(8 + header.length + 4);
  new DataView(file.buffer).setBigUint64(0, BigInt(header.length), true);
  file.set(header, 8);
  expect((await tried('checkpoint', () => readSafetensors('net', file))).failure).toBeDefined();
});

test('the largest pictures that are decoded; larger ones, and JPEGs of many scans, are refused', async () => {
  for (const file of [jpegOf(64, 48), jpegOf(64, 48, 10)])
    expect((await tried('JPEG', () => picture(file))).failure).toBeUndefined();
  const large: Uint8Array[] = [];
  if (count(0, 0, 1) === 1) {
    const rows = Buffer.alloc(7600 * 7601);
    for (let row = 0; row < 7600; row++) {
      // By Paeth's predictor, the slowest.
      rows[7601 * row] = 4;
      rows.set(noise(90), 7601 * row + 1);
    }
    const largePng = pngOf({ width: 7600, height: 7600 }, deflateSync(rows, { level: 1 }));
    large.push(jpegOf(5230, 5230), jpegOf(5080, 5080, 10), largePng);
  }
  for (const file of large) {
    const before = process.memoryUsage().rss;
    const { failure, milliseconds } = await tried('JPEG', () => picture(file));
    expect(failure).toBeUndefined();
    console.log(
      `${milliseconds.toFixed(0)} ms and ${((process.memoryUsage().rss - before) / 1e6).toFixed(0)} MB`,
    );
  }
  const colours = pngOf({ width: 6000, height: 5000 }, noise(400_000));
  // With opacity.
  colours[25] = 6;
  const slow = /^has \d+ x \d+ pixels, which take the command line longer than two seconds to decode/;
  // A browser takes minutes for so many scans of 43 bytes.
  const scans = /^has 4000 x 4000 pixels in 10000 scans; photos have about ten/;
  for (const [file, message] of [
    [jpegOf(7746, 7746), slow],
    [jpegOf(5000, 5000, 78), slow],
    [colours, slow],
    [jpegOf(4000, 4000, 10_000), scans],
  ] as const) {
    const { failure } = await tried('JPEG', () => picture(file), SMALL_MS);
    expect(failure?.message).toMatch(message);
  }
});

test('a JPEG flooded with Huffman tables, and one with a second, larger size', async () => {
  const small = jpegOf(64, 48, 10);
  const after = small.indexOf(0xc2) - 1;
  const withSegments = (segments: Uint8Array[]) =>
    new Uint8Array(Buffer.concat([small.subarray(0, after), ...segments, small.subarray(after)]));
  // Tables with a code of 16 bits, for which a decoder makes a tree of 16 levels, as many as are in a segment.
  const tables = Buffer.concat(
    Array<Uint8Array>(3400).fill(Uint8Array.from([0x10, ...Array<number>(15).fill(0), 1, 0])),
  );
  const size = tables.length + 2;
  const segment = Buffer.concat([Uint8Array.from([0xff, 0xc4, size >> 8, size & 255]), tables]);
  const flood = withSegments(Array<Uint8Array>(count(100, 100, 550)).fill(segment));
  const { failure, milliseconds } = await tried('JPEG', () => picture(flood));
  expect(failure).toBeUndefined();
  if (isExhaustive)
    console.log(`${(flood.length / 1e6).toFixed(0)} MB of Huffman tables: ${milliseconds.toFixed(0)} ms`);

  // The first size would pass any check, and every scan goes through all pixels of the second.
  const large = jpegOf(4000, 4000, 300);
  const frame = small.subarray(after, after + 13);
  const second = new Uint8Array(Buffer.concat([large.subarray(0, 2), frame, large.subarray(2)]));
  const refused = await tried('JPEG', () => picture(second), SMALL_MS);
  expect(refused.failure?.message).toMatch(/^is damaged, byte \d+: expected one frame in a JPEG/);
});

test('an archive with values that are nested 10,000 deep', async () => {
  const deep = `${'['.repeat(10_000)}${']'.repeat(10_000)}`;
  const files = await unpackRun('run.zip', archiveOf('lenet5'));
  for (const [path, from, to] of [
    ['config.json', /"batchSize": \d+/, `"batchSize": ${deep}`],
    ['timings.json', /\}\s*$/, `, "choices": { "conv1": ${deep} } }`],
  ] as const) {
    const changed = files.map((file) =>
      file.path === path ? { path, bytes: bytesOf(text(file.bytes).replace(from, to)) } : file,
    );
    const { failure } = await tried('archive', () =>
      readArchive(changed, async (words) => parseModel('model.json', words)),
    );
    expect(failure).toMatchObject({ code: 'bad-file' });
    expect(failure?.message).toMatch(/: expected JSON, found more than 64 levels at position \d+$/);
    expect(failure?.message).toContain(path);
  }
});

test('20,000 levels, and pictures that claim far more pixels than their bytes can hold', async () => {
  const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
  for (const words of [deep, `{"format":"wgrad find-db","version":1,"entries":${deep}}`]) {
    expect((await tried('find-db', () => readDb('find-db.json', words))).failure).toBeDefined();
    expect((await tried('model', () => parseModel('net.json', words))).failure).toBeDefined();
  }
  const jpeg = Uint8Array.from(CASES['JPEG'].good[0]);
  const frame = jpeg.findIndex((byte, i) => byte === 0xff && jpeg[i + 1] === 0xc0);
  jpeg.set([0x1f, 0x3f, 0x1f, 0x3f], frame + 5);
  // One pixel that unpacks to 100 MB; and a column of millions.
  const interlaced = pngOf({ width: 1, height: 1, interlaced: true }, deflateSync(new Uint8Array(1e8)));
  const column = pngOf({ width: 1, height: 3_900_000 }, deflateSync(new Uint8Array(7_800_000)));
  // Only as much of it is unpacked as the size needs.
  expect((await tried('PNG', () => picture(interlaced), SMALL_MS)).failure).toBeUndefined();
  expect((await tried('PNG', () => picture(column), SMALL_MS)).failure?.message).toMatch(
    /^has 1 x 3900000 pixels; at most 65536 in a row or column are read/,
  );
  const blank = new PNG({ width: 4000, height: 4000, colorType: 0 });
  for (const file of [jpeg, new Uint8Array(PNG.sync.write(blank, { colorType: 0 }))]) {
    const { failure } = await tried('PNG', () => picture(file), SMALL_MS);
    expect(failure?.message).toMatch(/^has \d+ x \d+ pixels in \d+ bytes/);
  }
});
