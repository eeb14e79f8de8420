/**
 * Writes files as `torch.save` does: a zip archive of one pickle, data.pkl, and the bytes of each tensor. They hold only
 * what `torch.load(..., weights_only=True)` takes.
 */
import { assert } from '../../base/assert.ts';
import { elements, type Shape } from '../../base/shape.ts';
import { writeZip, type PackedFile } from '../../data/formats/zip-write.ts';

/** What a file can hold: a tensor is float32, or int64 if its values are a BigInt64Array. */
export type Saved = string | number | TensorToSave | ReadonlyMap<string | number, Saved>;

export interface TensorToSave {
  shape: Shape;
  data: Float32Array | BigInt64Array;
}

/** @param name of the archive's only folder */
export async function writePt(value: Saved, name: string): Promise<Uint8Array<ArrayBuffer>> {
  const pickle = new PickleWriter();
  pickle.add(value);
  const text = (words: string) => new TextEncoder().encode(words);
  const storages = pickle.storages.map(({ buffer, byteOffset, byteLength }, i) => ({
    path: `${name}/data/${i}`,
    bytes: new Uint8Array(buffer as ArrayBuffer, byteOffset, byteLength),
  }));
  const files: PackedFile[] = [
    { path: `${name}/data.pkl`, bytes: pickle.finished() },
    ...storages,
    { path: `${name}/version`, bytes: text('3\n') },
  ];
  return writeZip(files, false);
}

/** Opcodes of protocol 2 (https://github.com/python/cpython/blob/main/Lib/pickletools.py). */
const OP = {
  proto: 0x80,
  global: 0x63,
  mark: 0x28,
  tuple: 0x74,
  emptyTuple: 0x29,
  emptyDict: 0x7d,
  setItems: 0x75,
  reduce: 0x52,
  persistentId: 0x51,
  unicode: 0x58,
  int: 0x4a,
  float: 0x47,
  false: 0x89,
  stop: 0x2e,
} as const;

class PickleWriter {
  readonly storages: (Float32Array | BigInt64Array)[] = [];
  private readonly bytes: number[] = [OP.proto, 2];

  add(value: Saved): void {
    if (typeof value === 'string') this.text(value);
    else if (typeof value === 'number') this.number(value);
    else if ('data' in value) this.tensor(value);
    else {
      this.op('emptyDict', 'mark');
      for (const [key, inner] of value) {
        this.add(key);
        this.add(inner);
      }
      this.op('setItems');
    }
  }

  finished(): Uint8Array<ArrayBuffer> {
    this.op('stop');
    return Uint8Array.from(this.bytes);
  }

  /** `_rebuild_tensor_v2(storage, offset, size, stride, requires_grad, hooks)` */
  private tensor({ shape, data }: TensorToSave): void {
    assert(
      elements(shape) === data.length,
      `${data.length} values do not fill a tensor [${shape.join(', ')}]`,
    );
    this.global('torch._utils', '_rebuild_tensor_v2');
    this.op('mark', 'mark');
    this.text('storage');
    this.global('torch', data instanceof Float32Array ? 'FloatStorage' : 'LongStorage');
    this.text(String(this.storages.length));
    this.text('cpu');
    this.number(data.length);
    this.op('tuple', 'persistentId');
    this.storages.push(data);
    this.number(0);
    this.numbers(shape);
    this.numbers(shape.map((_, i) => elements(shape.slice(i + 1))));
    this.op('false');
    this.global('collections', 'OrderedDict');
    this.op('emptyTuple', 'reduce', 'tuple', 'reduce');
  }

  private op(...names: (keyof typeof OP)[]): void {
    for (const name of names) this.bytes.push(OP[name]);
  }

  private global(module: string, name: string): void {
    this.op('global');
    this.bytes.push(...new TextEncoder().encode(`${module}\n${name}\n`));
  }

  private text(words: string): void {
    const encoded = new TextEncoder().encode(words);
    this.op('unicode');
    this.word(encoded.length);
    this.bytes.push(...encoded);
  }

  private numbers(values: readonly number[]): void {
    this.op('mark');
    for (const value of values) this.number(value);
    this.op('tuple');
  }

  private number(value: number): void {
    if (Number.isInteger(value) && Math.abs(value) < 2 ** 31) {
      this.op('int');
      this.word(value);
    } else {
      this.op('float');
      const view = new DataView(new ArrayBuffer(8));
      view.setFloat64(0, value);
      this.bytes.push(...new Uint8Array(view.buffer));
    }
  }

  /** 32 bits, little-endian. */
  private word(value: number): void {
    for (let shift = 0; shift < 32; shift += 8) this.bytes.push((value >> shift) & 0xff);
  }
}
