/**
 * Malicious files: each must fail quickly with a `bad-file` failure that names the place, and nothing else. Then
 * thousands of seeded mutations of good files, some of which may be valid.
 */
import * as zlib from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { count } from '../../base/testing/tier.ts';
import { mutate } from '../../base/testing/mutate.ts';
import { expectWithin, processorTime } from '../../base/testing/processor-time.ts';
import { Random } from '../../base/random.ts';
import { Failure } from '../../base/result.ts';
import { gunzip } from './gzip.ts';
import { readIdx, writeIdx } from './idx.ts';
import { countRecords } from './record-count.ts';
import { splitRecords, writeRecords } from './records.ts';
import { readSafetensors, writeSafetensors } from './safetensors.ts';
import { tarOf } from '../testing.ts';
import { readTar } from './tar.ts';

const gzipSync = (data: Uint8Array | string) => Uint8Array.from(zlib.gzipSync(data, { level: 9 }));

const LIMIT_MS = 200;
const GUNZIP_LIMIT = 1 << 20;

type Reader = (bytes: Uint8Array) => unknown;
const readers = {
  idx: (bytes: Uint8Array) => readIdx('file', bytes),
  gzip: (bytes: Uint8Array) => gunzip('file', bytes, GUNZIP_LIMIT),
  safetensors: (bytes: Uint8Array) => readSafetensors('file', bytes),
  tar: (bytes: Uint8Array) => readTar('file', bytes),
  records: (bytes: Uint8Array) => {
    const records = countRecords('file', bytes, 12, null);
    const into = { images: new Uint8Array(12 * records), labels: new Uint8Array(records) };
    splitRecords('file', bytes, into, 0, 10);
  },
} satisfies Record<string, Reader>;

interface Tried {
  failure: Failure | undefined;
  milliseconds: number;
  /** Of buffers that it took and may still hold. */
  taken: number;
}

/** Reads a file; throws on any exception but a good failure, and if the reader is slow. */
async function tried(read: Reader, file: Uint8Array): Promise<Tried> {
  let failure: Failure | undefined;
  const [start, before] = [processorTime(), process.memoryUsage().arrayBuffers];
  try {
    await read(file);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    failure = error;
  }
  const taken = process.memoryUsage().arrayBuffers - before;
  const milliseconds = expectWithin(LIMIT_MS, start);
  if (failure !== undefined) {
    expect(failure.code).toBe('bad-file');
    expect(failure.message).toMatch(/^file, byte \d+: ./);
    expect(failure.message.length).toBeLessThan(1000);
  }
  return { failure, milliseconds, taken };
}

const failureOf = async (read: Reader, file: Uint8Array) => (await tried(read, file)).failure;

const bytes = (...values: number[]) => Uint8Array.from(values);
const join = (...parts: Uint8Array[]) => Uint8Array.from(Buffer.concat(parts));
const u32 = (value: number) => bytes(value >>> 24, value >>> 16, value >>> 8, value);
const idx = (type: number, sizes: number[], data: number) =>
  join(bytes(0, 0, type, sizes.length), ...sizes.map(u32), new Uint8Array(data));

const safetensors = (header: string | Uint8Array, data = 0, length?: bigint) => {
  const text = typeof header === 'string' ? new TextEncoder().encode(header) : header;
  const prefix = new Uint8Array(8);
  new DataView(prefix.buffer).setBigUint64(0, length ?? BigInt(text.length), true);
  return join(prefix, text, new Uint8Array(data));
};
const tensor = (shape: string, begin: number, end: number, dtype = 'F32') =>
  `{"dtype":"${dtype}","shape":${shape},"data_offsets":[${begin},${end}]}`;

const packed = gzipSync(new Uint8Array(5000).fill(7));
const patched = (file: Uint8Array, at: number, ...values: number[]) => {
  const copy = Uint8Array.from(file);
  copy.set(values, at < 0 ? copy.length + at : at);
  return copy;
};
/** Claims few bytes and unpacks to 100 MB. */
const bomb = patched(gzipSync(new Uint8Array(100_000_000)), -4, 100, 0, 0, 0);

const tar = tarOf([{ name: 'folder/file', data: new Uint8Array(600).fill(7) }]);
/** The archive with other text in a field of its header, and a corrected checksum. */
const tarWith = (at: number, text: string) => {
  const file = Buffer.from(tar);
  file.write(text, at, 'latin1');
  file.fill(32, 148, 156);
  const sum = file.subarray(0, 512).reduce((total, byte) => total + byte, 0);
  file.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return Uint8Array.from(file);
};

const corpus: Record<keyof typeof readers, Record<string, Uint8Array>> = {
  idx: {
    'an empty file': bytes(),
    'half a magic number': bytes(0, 0, 8),
    'a web page': new TextEncoder().encode('<!doctype html><html></html>'),
    'gzip, not unpacked': packed,
    'signed bytes': idx(9, [2], 2),
    floats: idx(13, [2], 8),
    'no dimensions': idx(8, [], 1),
    'two dimensions': idx(8, [2, 2], 4),
    '255 dimensions': join(bytes(0, 0, 8, 255), new Uint8Array(100)),
    'a cut-off size': bytes(0, 0, 8, 3, 0, 0, 0, 1, 0, 0),
    'a size of 0': idx(8, [0], 0),
    'no rows': idx(8, [5, 0, 28], 0),
    'one element short': idx(8, [10], 9),
    'one element long': idx(8, [10], 11),
    'four thousand million labels': idx(8, [0xffffffff], 10),
    'sizes whose product overflows': idx(8, [0xffffffff, 0xffffffff, 0xffffffff], 10),
    'sizes whose product is 0 modulo 2^32': idx(8, [0x10000, 0x10000, 1], 0),
  },
  gzip: {
    'an empty file': bytes(),
    'one byte': bytes(0x1f),
    'only the magic number': bytes(0x1f, 0x8b),
    'a web page': new TextEncoder().encode('<!doctype html><html></html>'),
    'another compression method': patched(packed, 2, 7),
    'reserved flags': patched(packed, 3, 0x80),
    'a header without data': packed.slice(0, 10),
    'no trailer': packed.slice(0, -8),
    'the last byte missing': packed.slice(0, -1),
    'half the data': join(packed.slice(0, 15), packed.slice(-8)),
    'a wrong CRC': patched(packed, -8, 1, 2, 3, 4),
    'a length too short': patched(packed, -4, 1, 0, 0, 0),
    'a length too long': patched(packed, -4, 0x89, 0x13, 0, 0),
    'a length of 4 GB': patched(packed, -4, 255, 255, 255, 255),
    'a length over the ratio of deflate': patched(packed, -4, 0, 0, 15, 0),
    'a bomb that lies about its length': bomb,
    'a bomb that does not': gzipSync(new Uint8Array(100_000_000)),
    'a second member': join(packed, gzipSync('more')),
    'zeros after the end': join(packed, new Uint8Array(512)),
    'junk after the end': join(packed, new TextEncoder().encode('junk and more junk')),
    'a name without an end': join(patched(packed.slice(0, 10), 3, 8), new Uint8Array(50).fill(65)),
  },
  safetensors: {
    'an empty file': bytes(),
    'a cut-off length': bytes(1, 0, 0, 0),
    'no header': bytes(0, 0, 0, 0, 0, 0, 0, 0),
    'a header of 2^63 bytes': safetensors('{}', 0, 1n << 63n),
    'a header of 2^53 - 1 bytes': safetensors('{}', 0, (1n << 53n) - 1n),
    'a header over the limit': safetensors('{}', 0, (1n << 20n) + 1n),
    'a header longer than the file': safetensors('{}', 0, 3n),
    'a list for a header': safetensors('[]'),
    'space before the header': safetensors(' {}'),
    'a byte order mark': safetensors('\ufeff{}'),
    'broken JSON': safetensors('{"a":'),
    'text after the header': safetensors('{}x'),
    'a string without an end': safetensors(`{"${'a'.repeat(500_000)}`),
    'a control character in a name': safetensors('{"a\n":1}'),
    'not UTF-8': safetensors(bytes(0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d)),
    'a thousand lists in lists': safetensors(`{"a":${'['.repeat(1000)}`),
    'half a million lists in lists': safetensors(`{"a":${'['.repeat(500_000)}`),
    'a name given twice': safetensors(`{"a":${tensor('[1]', 0, 4)},"a":${tensor('[1]', 0, 4)}}`, 4),
    'a name given twice, once with an escape': safetensors(
      `{"a":${tensor('[0]', 0, 0)},"\\u0061":${tensor('[0]', 0, 0)}}`,
    ),
    'a field given twice': safetensors(
      '{"a":{"dtype":"F32","dtype":"F32","shape":[0],"data_offsets":[0,0]}}',
    ),
    'a tensor that is a number': safetensors('{"a":1}'),
    'a tensor that is a list': safetensors('{"a":[]}'),
    'no shape': safetensors('{"a":{"dtype":"F32","data_offsets":[0,0]}}'),
    'no type': safetensors('{"a":{"shape":[0],"data_offsets":[0,0]}}'),
    'an unknown type': safetensors(`{"a":${tensor('[1]', 0, 1, 'F8_E4M3')}}`, 1),
    'an unknown field': safetensors('{"a":{"dtype":"F32","shape":[0],"data_offsets":[0,0],"x":1}}'),
    'a negative size': safetensors(`{"a":${tensor('[-1,-1]', 0, 4)}}`, 4),
    'a size with a fraction': safetensors(`{"a":${tensor('[1.0]', 0, 4)}}`, 4),
    'sizes whose product overflows': safetensors(`{"a":${tensor('[4294967296,4294967296]', 0, 0)}}`),
    'sizes that overflow before a 0': safetensors(
      `{"a":${tensor('[9007199254740991,9007199254740991,0]', 0, 0)}}`,
    ),
    'nine dimensions': safetensors(`{"a":${tensor('[1,1,1,1,1,1,1,1,1]', 0, 4)}}`, 4),
    'a hundred thousand dimensions': safetensors(`{"a":${tensor(`[${'1,'.repeat(100_000)}1]`, 0, 4)}}`, 4),
    'one offset': safetensors('{"a":{"dtype":"F32","shape":[0],"data_offsets":[0]}}'),
    'an end before its beginning': safetensors(`{"a":${tensor('[1]', 4, 0)}}`, 4),
    'fewer bytes than the shape': safetensors(`{"a":${tensor('[2]', 0, 4)}}`, 4),
    'more bytes than the file': safetensors(`{"a":${tensor('[1000000000000]', 0, 4000000000000)}}`, 4),
    'a hole at the start': safetensors(`{"a":${tensor('[1]', 4, 8)}}`, 8),
    'a hole between': safetensors(`{"a":${tensor('[1]', 0, 4)},"b":${tensor('[1]', 8, 12)}}`, 12),
    'an overlap': safetensors(`{"a":${tensor('[2]', 0, 8)},"b":${tensor('[2]', 4, 12)}}`, 12),
    'two tensors in one place': safetensors(`{"a":${tensor('[1]', 0, 4)},"b":${tensor('[1]', 0, 4)}}`, 4),
    'bytes after the end': safetensors(`{"a":${tensor('[1]', 0, 4)}}`, 5),
    'metadata that is a string': safetensors('{"__metadata__":"x"}'),
    'metadata that is not strings': safetensors('{"__metadata__":{"a":1}}'),
  },
  tar: {
    'an empty file': bytes(),
    'half a header': tar.slice(0, 300),
    'a header without its file': tar.slice(0, 512),
    'half a file': tar.slice(0, 900),
    'a file without its filling': tar.slice(0, 1112),
    'no end': tar.slice(0, 1536),
    'a web page': new TextEncoder().encode('<!doctype html>'.padEnd(2048)),
    'gzip, not unpacked': join(packed, new Uint8Array(1024)),
    'a wrong checksum': patched(tar, 3, 1),
    'junk for the second header': patched(tar, 1536, 1),
    'no size': tarWith(124, '\0'.repeat(12)),
    'a size with other digits': tarWith(124, '0000000089x'),
    'a negative size': tarWith(124, '-0000001130'),
    'a size of 8 GB': tarWith(124, '77777777777'),
    'a size in base 256': tarWith(124, '\x80\0\0\0\xff\xff\xff\xff\xff\xff\xff\xff'),
  },
  records: {
    'an empty file': bytes(),
    'a label alone': bytes(1),
    'a byte short': new Uint8Array(25),
    'a byte long': new Uint8Array(27),
    'a web page': new TextEncoder().encode('<!doctype html>'),
    'a label that is no class': patched(new Uint8Array(26), 13, 10),
  },
};

for (const [format, files] of Object.entries(corpus)) {
  const read = readers[format as keyof typeof readers];
  describe(`hostile ${format} files`, () => {
    it.each(Object.entries(files))('%s', async (_, file) => {
      const before = Uint8Array.from(file);
      expect(await failureOf(read, file)).toBeInstanceOf(Failure);
      expect(Buffer.compare(file, before)).toBe(0);
    });
  });
}

describe('seeded mutations', () => {
  const random = new Random(2);
  const noise = Uint8Array.from({ length: 300 }, () => random.below(256));
  const originals: Record<keyof typeof readers, { file: Uint8Array; mutations: number }> = {
    idx: { file: writeIdx([3, 4, 5], noise.slice(0, 60)), mutations: 8000 },
    gzip: { file: gzipSync(noise), mutations: 4000 },
    safetensors: {
      file: writeSafetensors(
        new Map([
          ['conv1.weight', { shape: [2, 2, 2], data: new Float32Array(8) }],
          ['conv1.bias', { shape: [2], data: new Float32Array(2) }],
        ]),
        new Map([['stride', '1,1']]),
      ),
      mutations: 8000,
    },
    tar: { file: tar, mutations: 2000 },
    records: { file: writeRecords(noise.slice(0, 60), bytes(1, 2, 3, 4, 5)), mutations: 2000 },
  };

  for (const [format, { file, mutations }] of Object.entries(originals)) {
    it(`${mutations} of a good ${format} file`, async () => {
      const read = readers[format as keyof typeof readers];
      expect(await failureOf(read, file)).toBeUndefined();
      let [failures, slowest, largest] = [0, 0, 0];
      for (let seed = 0; seed < mutations; seed++) {
        const mutated = mutate(file, new Random(seed, format));
        try {
          const { failure, milliseconds, taken } = await tried(read, mutated);
          if (failure) failures++;
          slowest = Math.max(slowest, milliseconds);
          largest = Math.max(largest, taken);
        } catch (cause) {
          throw new Error(`mutation with seed ${seed}`, { cause });
        }
      }
      if (count(0, 0, 1) === 1)
        console.log(
          `${format}: ${mutations} inputs, ${failures} failures, slowest ${slowest.toFixed(0)} ms, largest ${(largest / 1e6).toFixed(0)} MB`,
        );
      // Most changes must be detected; those in pixels and weights cannot be.
      expect(failures).toBeGreaterThan(mutations / 2);
    });
  }
});
