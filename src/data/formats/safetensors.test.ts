import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { readSafetensors, writeSafetensors } from './safetensors.ts';

/** A file from a header as text and the data after it. */
function build(header: string, data: Uint8Array = new Uint8Array()): Uint8Array {
  const text = new TextEncoder().encode(header);
  const bytes = new Uint8Array(8 + text.length + data.length);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(text.length), true);
  bytes.set(text, 8);
  bytes.set(data, 8 + text.length);
  return bytes;
}

const bytesOf = (array: ArrayBufferView) => new Uint8Array(array.buffer, array.byteOffset, array.byteLength);

describe('reading safetensors', () => {
  it('reads a file that PyTorch wrote', () => {
    const bytes = readFileSync(path.join(import.meta.dirname, 'fixtures/conv01.safetensors'));
    const { tensors, metadata } = readSafetensors('conv01', bytes);
    expect(Object.fromEntries(metadata)).toEqual({
      stride: '1,1',
      padding: '1,1',
      dilation: '1,1',
      groups: '1',
    });
    expect([...tensors.keys()].sort()).toEqual(['dw', 'dx', 'dy', 'w', 'x', 'y']);
    expect(tensors.get('x')?.shape).toEqual([2, 3, 4, 4]);

    // One output by hand: y[0, 0, 1, 1] is the sum over the whole window of filter 0.
    const [x, w, y] = ['x', 'w', 'y'].map((name) => tensors.get(name)?.data ?? new Float32Array());
    let sum = 0;
    for (let c = 0; c < 3; c++)
      for (let r = 0; r < 3; r++)
        for (let s = 0; s < 3; s++) sum += x[(c * 4 + r) * 4 + s] * w[(c * 3 + r) * 3 + s];
    expect(y[5]).toBeCloseTo(sum, 5);
  });

  it('copies data that is not aligned', () => {
    const header = '{"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}';
    for (let pad = 0; pad < 4; pad++) {
      const bytes = build(header + ' '.repeat(pad), bytesOf(Float32Array.of(1.5, -2)));
      expect(readSafetensors('file', bytes).tensors.get('a')?.data).toEqual(Float32Array.of(1.5, -2));
    }
  });

  it('converts every known type to float32', () => {
    const of = (dtype: string, data: ArrayBufferView, count: number) => {
      const header = `{"a":{"dtype":"${dtype}","shape":[${count}],"data_offsets":[0,${data.byteLength}]}}`;
      return [...(readSafetensors('file', build(header, bytesOf(data))).tensors.get('a')?.data ?? [])];
    };
    expect(of('F64', Float64Array.of(0.1, -1e300), 2)).toEqual([Math.fround(0.1), -Infinity]);
    // 1, -2, the largest, the smallest subnormal, infinity, NaN
    expect(of('F16', Uint16Array.of(0x3c00, 0xc000, 0x7bff, 1, 0x7c00, 0x7e00), 6)).toEqual([
      1,
      -2,
      65504,
      2 ** -24,
      Infinity,
      NaN,
    ]);
    expect(of('BF16', Uint16Array.of(0x3f80, 0xc040, 0x7f80), 3)).toEqual([1, -3, Infinity]);
    expect(of('I64', BigInt64Array.of(-5n, 7n), 2)).toEqual([-5, 7]);
    expect(of('I32', Int32Array.of(-5, 7), 2)).toEqual([-5, 7]);
    expect(of('U8', Uint8Array.of(0, 255), 2)).toEqual([0, 255]);
  });

  it('reads tensors in any order, scalars and empty tensors', () => {
    const header =
      '{"b":{"dtype":"F32","shape":[],"data_offsets":[4,8]},"e":{"dtype":"F32","shape":[0,3],"data_offsets":[4,4]},' +
      '"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}';
    const { tensors } = readSafetensors('file', build(header, bytesOf(Float32Array.of(1, 2))));
    expect([...tensors.keys()]).toEqual(['a', 'e', 'b']);
    expect(tensors.get('b')).toEqual({ shape: [], data: Float32Array.of(2) });
    expect(tensors.get('e')?.data.length).toBe(0);
  });

  it('treats __proto__ as a name like any other', () => {
    const { tensors, metadata } = readSafetensors(
      'file',
      build(
        '{"__metadata__":{"__proto__":"x"},"__proto__":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}',
        new Uint8Array(4),
      ),
    );
    expect(tensors.get('__proto__')?.shape).toEqual([1]);
    expect(metadata.get('__proto__')).toBe('x');
    expect(({} as Record<string, unknown>).shape).toBeUndefined();
  });
});

describe('writing safetensors', () => {
  it('writes what it reads back, bit for bit', () => {
    const tensors = new Map([
      ['conv1.weight', { shape: [2, 1, 1, 2], data: Float32Array.of(1, -0, NaN, Infinity) }],
      ['10', { shape: [1], data: Float32Array.of(10) }],
      ['2 "quoted" \u00e9\n', { shape: [], data: Float32Array.of(2) }],
      ['__proto__', { shape: [0], data: new Float32Array() }],
    ]);
    const metadata = new Map([['format', 'pt']]);
    const bytes = writeSafetensors(tensors, metadata);
    const read = readSafetensors('file', bytes);
    expect([...read.tensors]).toEqual([...tensors]);
    expect(Object.is(read.tensors.get('conv1.weight')?.data[1], -0)).toBe(true);
    expect(read.metadata).toEqual(metadata);
    expect(writeSafetensors(read.tensors, read.metadata)).toEqual(bytes);
  });

  it('follows the layout of the official library', () => {
    const bytes = writeSafetensors(new Map([['a', { shape: [1], data: Float32Array.of(1) }]]));
    const headerBytes = Number(new DataView(bytes.buffer).getBigUint64(0, true));
    expect(headerBytes % 8).toBe(0);
    const header = new TextDecoder().decode(bytes.subarray(8, 8 + headerBytes));
    expect(header.trimEnd()).toBe('{"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}');
    expect([...bytes.subarray(8 + headerBytes)]).toEqual([0, 0, 0x80, 0x3f]);
  });
});

const golden = process.env.WGRAD_GOLDEN_DIR;
describe.runIf(golden)('reference files', () => {
  it('reads all of them and writes them back', () => {
    const folder = golden as string;
    const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.safetensors'),
    );
    expect(names.length).toBeGreaterThan(0);
    for (const name of names) {
      const { tensors, metadata } = readSafetensors(name, readFileSync(path.join(folder, name)));
      expect(tensors.size).toBeGreaterThan(0);
      const again = readSafetensors(name, writeSafetensors(tensors, metadata));
      expect([...again.tensors]).toEqual([...tensors]);
      expect(again.metadata).toEqual(metadata);
    }
  });
});
