/** The tensors of an ONNX file. */
import { TensorProto_DataLocation, TensorProto_DataType as Type, type TensorProto } from 'onnx-buf';
import { fromBfloat, fromHalf } from '../../base/half.ts';
import { Failure } from '../../base/result.ts';
import type { Shape } from '../../base/shape.ts';
import type { Constant } from '../../ops/onnx.ts';

/** How types lie in `raw_data`, and in which list they are otherwise. */
const TYPES: Readonly<
  Partial<
    Record<
      Type,
      {
        bytes: number;
        whole?: true;
        raw(view: DataView, offset: number): number;
        list(tensor: TensorProto): ArrayLike<number | bigint>;
        /** From the list's item; default: as it is. */
        item?(value: number): number;
      }
    >
  >
> = {
  [Type.FLOAT]: {
    bytes: 4,
    raw: (view, offset) => view.getFloat32(offset, true),
    list: ({ floatData }) => floatData,
  },
  [Type.DOUBLE]: {
    bytes: 8,
    raw: (view, offset) => view.getFloat64(offset, true),
    list: ({ doubleData }) => doubleData,
  },
  [Type.FLOAT16]: {
    bytes: 2,
    raw: (view, offset) => fromHalf(view.getUint16(offset, true)),
    list: ({ int32Data }) => int32Data,
    item: (bits) => fromHalf(bits & 0xffff),
  },
  [Type.BFLOAT16]: {
    bytes: 2,
    raw: (view, offset) => fromBfloat(view.getUint16(offset, true)),
    list: ({ int32Data }) => int32Data,
    item: (bits) => fromBfloat(bits & 0xffff),
  },
  [Type.INT64]: {
    bytes: 8,
    whole: true,
    raw: (view, offset) => Number(view.getBigInt64(offset, true)),
    list: ({ int64Data }) => int64Data,
  },
  [Type.INT32]: {
    bytes: 4,
    whole: true,
    raw: (view, offset) => view.getInt32(offset, true),
    list: ({ int32Data }) => int32Data,
  },
};

/** Whether numbers of a type may be fractions. */
export const isReal = (type: Type): boolean =>
  [Type.FLOAT, Type.DOUBLE, Type.FLOAT16, Type.BFLOAT16].includes(type);

/** The largest size of a tensor without values, such as [0, 4]: otherwise, the values say that there is so much. */
const MOST_EMPTY = 256;

/** Whether no size of a constant is larger than its values justify: what follows may take memory by sizes. */
export const isJustified = (shape: Shape): boolean =>
  !shape.includes(0) || shape.every((size) => size <= MOST_EMPTY);

/** @throws Failure `bad-file` naming the tensor */
export function readTensor(file: string, name: string, tensor: TensorProto): Constant {
  const bad = (expected: string, advice?: string) =>
    new Failure('bad-file', `${file}, tensor "${name.slice(0, 100)}": ${expected}`, advice);
  if (tensor.dataLocation === TensorProto_DataLocation.EXTERNAL || tensor.externalData.length > 0) {
    throw bad(
      'its values are in another file',
      'Save the model as one file, for example by torch.onnx.export(..., external_data=False).',
    );
  }
  const type = TYPES[tensor.dataType as Type];
  if (!type)
    throw bad(`expected float32, float64, float16, bfloat16, int64 or int32, found type ${tensor.dataType}`);
  const shape = tensor.dims.map(Number);
  const count = shape.reduce((product, size) => product * size, 1);
  if (shape.length > 8 || shape.some((size) => !(size >= 0)) || !Number.isSafeInteger(count))
    throw bad(`expected at most 8 dimensions, each at least 0, found [${shape.slice(0, 9).join(', ')}]`);
  if (!isJustified(shape))
    throw bad(`expected sizes of at most ${MOST_EMPTY} without values, found [${shape.join(', ')}]`);
  const { rawData } = tensor;
  const list = type.list(tensor);
  const raw = rawData.length > 0;
  const found = raw ? rawData.length / type.bytes : list.length;
  if (found !== count) throw bad(`expected ${count} values for its shape, found ${found}`);
  const data = new Float32Array(count);
  const view = new DataView(rawData.buffer, rawData.byteOffset, rawData.byteLength);
  const item = type.item ?? ((value: number) => value);
  for (let i = 0; i < count; i++) data[i] = raw ? type.raw(view, i * type.bytes) : item(Number(list[i]));
  return { name, shape, data, whole: type.whole ?? false };
}
