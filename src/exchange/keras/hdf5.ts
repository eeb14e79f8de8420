/** Attributes and numbers of an HDF5 file, by jsfive. */
import { Failure } from '../../base/result.ts';
import { elements } from '../../base/shape.ts';
import type { Budget } from '../budget.ts';
import type { KerasTensor } from '../../ops/keras.ts';
import type { Group } from 'jsfive';

/** Groups and data sets of a file, and groups in one another. */
const MOST = 20_000;
const MAX_DEPTH = 30;
const MAX_RANK = 8;

export interface Hdf5 {
  /** A text among the file's attributes. */
  attribute(name: string): string | undefined;
  /** Data sets by path, "layers/conv2d/vars/0"; each is read when it is asked for. */
  tensors: ReadonlyMap<string, () => KerasTensor>;
}

/**
 * @param file its name, for messages
 * @param budget several layers may ask for the same tensor
 * @throws Failure `bad-file` if it is damaged
 */
export async function readHdf5(file: string, bytes: Uint8Array, budget: Budget): Promise<Hdf5> {
  const hdf5 = await import('jsfive');
  const guarded = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      if (error instanceof Failure) throw error;
      // Whatever the library throws on a damaged file.
      const reason = error instanceof Error ? error.message.slice(0, 200) : '';
      throw new Failure('bad-file', `${file}: not an HDF5 file, or a damaged one: ${reason}`);
    }
  };
  const tensors = new Map<string, () => KerasTensor>();
  let seen = 0;
  const walk = (group: Group, path: string, depth: number): void => {
    for (const key of group.keys ?? []) {
      if (++seen > MOST || depth === 0)
        throw new Failure('bad-file', `${file}: expected at most ${MOST} groups and tensors, found more`);
      const own = `${path}${key}`;
      const found = group.get(key);
      if (found instanceof hdf5.Group) walk(found, `${own}/`, depth - 1);
      else if (found instanceof hdf5.Dataset)
        tensors.set(own, () => guarded(() => numbersIn(file, own, found, budget)));
    }
  };
  const root = guarded(() => new hdf5.File(new Uint8Array(bytes).buffer, file));
  guarded(() => walk(root, '', MAX_DEPTH));
  return {
    tensors,
    attribute: (name) => {
      const value = guarded(() => root.attrs[name]);
      return typeof value === 'string' ? value : undefined;
    },
  };
}

function numbersIn(
  file: string,
  path: string,
  dataset: { shape: readonly number[]; value: ArrayLike<number | bigint> },
  budget: Budget,
): KerasTensor {
  const what = `tensor "${path.slice(0, 100)}"`;
  const shape = [...dataset.shape];
  if (shape.length > MAX_RANK || !shape.every((size) => Number.isSafeInteger(size) && size >= 0))
    throw new Failure('bad-file', `${file}, ${what}: expected at most ${MAX_RANK} sizes`);
  const count = elements(shape);
  budget.take(4 * count, what);
  const { value } = dataset;
  if (value.length !== count || (count > 0 && !['number', 'bigint'].includes(typeof value[0])))
    throw new Failure('bad-file', `${file}, ${what}: expected ${count} numbers, found ${value.length}`);
  return { shape, data: Float32Array.from(value, Number) };
}
