/**
 * The Python version of CIFAR-10 and CIFAR-100 (https://www.cs.toronto.edu/~kriz/cifar.html): pickled dicts of an array of
 * NumPy, with a row of colour planes for each image, and lists of labels. Nothing of a file is run.
 */
import { ByteReader } from '../../base/bytes.ts';
import { Failure } from '../../base/result.ts';
import { elements } from '../../base/shape.ts';
import { Made, readPickle, type Pickled, type PickleMeaning } from './pickle.ts';

export interface BatchPickle {
  /** Arrays and lists by their keys: "data", "labels", "fine_labels". */
  arrays: Map<string, { shape: number[]; data: ArrayLike<number> }>;
  /** Lists of names by their keys: "label_names". Those of files are not among them. */
  names: Map<string, string[]>;
}

/** Protocols 2 to 5 begin with their number. */
export const isPickle = (bytes: Uint8Array): boolean =>
  bytes.length > 4 && bytes[0] === 0x80 && bytes[1] >= 2 && bytes[1] <= 5;

class NumpyArray extends Made {
  readonly kind = 'array';
  contents: { shape: number[]; data: Uint8Array } | undefined;
}

class NumpyType extends Made {
  readonly kind = 'type';

  constructor(readonly name: string) {
    super();
  }
}

const RECONSTRUCT = /^numpy\.(_?core)\.multiarray\._reconstruct$/;
const ARRAY = 'numpy.ndarray';
const TYPE = 'numpy.dtype';
/** How Python 3 writes bytes for Python 2. */
const ENCODE = '_codecs.encode';

/** @throws Failure `bad-file` with the byte of what is damaged, `unsupported` if the file asks for more than arrays */
export function readBatchPickle(name: string, bytes: Uint8Array): BatchPickle {
  const file = new ByteReader(name, bytes);
  const bad = (message: string) => file.bad(message);
  let encoded = 0;
  const meaning: PickleMeaning = {
    knows: (one) => RECONSTRUCT.test(one) || [ARRAY, TYPE, ENCODE].includes(one),
    unknown(one) {
      throw new Failure(
        'unsupported',
        `${name}, byte ${file.offset}: names ${JSON.stringify(one.slice(0, 100))}, which arrays and lists do not need; nothing of a file is run`,
        'Save the arrays by numpy.savez.',
      );
    },
    call(called, [first, second]) {
      if (RECONSTRUCT.test(called)) return new NumpyArray();
      if (called === TYPE && typeof first === 'string') return new NumpyType(first);
      if (called === ENCODE && typeof first === 'string' && second === 'latin1') {
        // Python encodes each text once: more would take far more memory than the file.
        encoded += first.length;
        if (encoded > bytes.length) throw bad('expected each text to be encoded once');
        return latin1(first);
      }
      return undefined;
    },
    load: () => undefined,
    build(target, state) {
      if (!(target instanceof NumpyArray)) return;
      const [, shape, type, , data] = Array.isArray(state) ? (state as readonly Pickled[]) : [];
      const sizes = Array.isArray(shape) ? shape.filter((one) => typeof one === 'number' && one >= 0) : [];
      if (!(type instanceof NumpyType) || type.name !== 'u1' || !(data instanceof Uint8Array))
        throw bad('expected an array of bytes');
      if (sizes.length === 0 || elements(sizes as number[]) !== data.length)
        throw bad(`expected as many bytes as the array's sizes say, found ${data.length}`);
      target.contents = { shape: sizes as number[], data };
    },
  };
  const whole = readPickle(file, meaning);
  if (!(whole instanceof Map)) throw bad('expected a dict of arrays and lists');
  const found: BatchPickle = { arrays: new Map(), names: new Map() };
  for (const [key, value] of whole as ReadonlyMap<Pickled, Pickled>) {
    const text = textOf(key);
    if (text === undefined) continue;
    if (value instanceof NumpyArray && value.contents) found.arrays.set(text, value.contents);
    else if (Array.isArray(value) && value.length > 0) {
      const list = value as readonly Pickled[];
      if (list.every((one) => typeof one === 'number'))
        found.arrays.set(text, { shape: [list.length], data: list });
      else if (text.endsWith('_names'))
        found.names.set(
          text,
          list.map((one) => textOf(one) ?? ''),
        );
    }
  }
  return found;
}

function latin1(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}

/** Python 3 reads the text of Python 2 as bytes. */
const textOf = (value: Pickled): string | undefined =>
  value instanceof Uint8Array
    ? new TextDecoder().decode(value)
    : typeof value === 'string'
      ? value
      : undefined;
