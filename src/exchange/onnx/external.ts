/** Tensors whose values are in a file beside the model: https://onnx.ai/onnx/repo-docs/ExternalData.html */
import { TensorProto_DataLocation as Location, type ModelProto, type TensorProto } from 'onnx-buf';
import { Failure } from '../../base/result.ts';
import { Budget } from '../budget.ts';

/**
 * Gives such tensors their values.
 * @param file the model's name, for messages
 * @param own the bytes of the model itself
 * @param beside the bytes of another file in the same folder; undefined if there is none
 * @returns the budget of all these files
 * @throws Failure `not-found` if a file is missing, `bad-file` if it is too short or not beside the model
 */
export async function withExternalData(
  file: string,
  { graph }: ModelProto,
  own: number,
  beside: (name: string) => Promise<Uint8Array<ArrayBuffer> | undefined>,
): Promise<Budget> {
  const files = new Map<string, Uint8Array<ArrayBuffer>>();
  const tensors: TensorProto[] = [];
  for (const tensor of graph?.initializer ?? []) {
    if (tensor.dataLocation !== Location.EXTERNAL) continue;
    const { location, offset, length } = placeOf(file, tensor);
    const bytes = files.get(location) ?? (await beside(location));
    if (!bytes) {
      throw new Failure(
        'not-found',
        `${file}: its weights in ${location} are missing`,
        `Choose both files together: ${file} and ${location}.`,
      );
    }
    files.set(location, bytes);
    const end = offset + (length ?? bytes.length - offset);
    if (!(offset <= end && end <= bytes.length)) {
      throw new Failure(
        'bad-file',
        `${file}, tensor "${tensor.name.slice(0, 100)}": expected bytes ${offset} to ${end} of ${location}, found ${bytes.length} bytes`,
      );
    }
    tensor.rawData = bytes.subarray(offset, end);
    tensor.dataLocation = Location.DEFAULT;
    tensor.externalData = [];
    tensors.push(tensor);
  }
  const budget = new Budget(
    file,
    [...files.values()].reduce((sum, { length }) => sum + length, own),
  );
  // Any number of them may be the same bytes.
  for (const { name, rawData } of tensors) budget.take(rawData.length, `tensor "${name.slice(0, 100)}"`);
  return budget;
}

function placeOf(file: string, { name, externalData }: TensorProto) {
  const entries = new Map(externalData.map(({ key, value }) => [key, value]));
  const bad = (expected: string) =>
    new Failure('bad-file', `${file}, tensor "${name.slice(0, 100)}": expected ${expected}`);
  const location = (entries.get('location') ?? '').replace(/^\.\//, '');
  // Only files beside the model.
  if (!/^[\w@()-][\w.@() -]{0,199}$/.test(location))
    throw bad(`the name of a file in the same folder, found "${location.slice(0, 100)}"`);
  const whole = (key: string): number | undefined => {
    const text = entries.get(key);
    if (text === undefined) return undefined;
    if (!/^\d{1,15}$/.test(text)) throw bad(`a whole number as its ${key}, found "${text.slice(0, 40)}"`);
    return Number(text);
  };
  return { location, offset: whole('offset') ?? 0, length: whole('length') };
}
