/** Faults of what bounds the memory that files take: sizes, shared tensors, nesting and rows. */
import { beside, of } from '../mutant.mjs';

const ONNX = 'src/exchange/onnx/read.test';
const TFJS = 'src/exchange/tfjs/read.test';

export default [
  of(ONNX, 'src/exchange/budget.ts', 'if (this.taken <= this.total) return;', 'return;'),
  of(ONNX, 'src/exchange/budget.ts', 'FLOOR + PER_BYTE * bytes', 'PER_BYTE * bytes'),
  of(ONNX, 'src/exchange/draft.ts', 'this.budget.take(tensor.data.byteLength, `layer "${name}"`);', ''),
  of(ONNX, 'src/exchange/onnx/external.ts', 'budget.take(rawData.length, ', 'budget.take(0, '),
  of(ONNX, 'src/exchange/onnx/tensors.ts', 'if (!isJustified(shape))', 'if (false)'),
  of(ONNX, 'src/exchange/onnx/nodes/constants.ts', 'if (!isJustified(shape))', 'if (false)'),
  of(ONNX, 'src/exchange/onnx/read.ts', 'mostNodes: graph.node.length + 2', 'mostNodes: Infinity'),
  of(ONNX, 'src/exchange/onnx/read.ts', 'graph.node.length + 2', 'graph.node.length'),
  of(TFJS, 'src/exchange/tfjs/read.ts', '1 + (Array', '0 + (Array'),
  of(ONNX, 'src/exchange/onnx/read.ts', 'if (!isImageShape(own))', 'if (own.some((size) => size > 1e9))'),
  of(ONNX, 'src/base/shape.ts', 'elements(sizes) <= MAX_IMAGE', 'elements(sizes) <= 2 ** 40'),
  of('src/app/state/own-model.test', 'src/base/shape.ts', '(size as number) >= 1', '(size as number) >= 0'),
  of(TFJS, 'src/exchange/tfjs/tensors.ts', 'budget.take(4 * elements(shape), ', 'budget.take(0, '),
  of(TFJS, 'src/exchange/tfjs/read.ts', '1 + (Array.isArray(layers) ? layers.length : 0)', 'Infinity'),
  of(
    'src/exchange/pytorch/read.test',
    'src/exchange/pytorch/read.ts',
    'budget.take(4 * elements(shape), ',
    'budget.take(0, ',
  ),
  beside('src/exchange/state-dict.ts', ' || rows > MAX_CLASSES', ''),
  beside('src/exchange/state-dict.ts', 'if (own) requireModest(file, own, tensors);', ''),
  beside('src/base/plain-json.ts', "if (character === '\\\\') i++;\n      else ", ''),
  beside('src/train/stored-checkpoint.ts', 'if (found !== length)', 'if (found < 0)'),
  beside('src/base/plain-json.ts', 'if (depth > MAX_DEPTH)', 'if (depth > 2 * MAX_DEPTH)'),
  of(
    'src/run/metrics/metrics.test',
    'src/run/metrics/csv.ts',
    'if (++rows > MAX_ROWS)',
    'if (++rows > MAX_ROWS + 1)',
  ),
  of(
    'src/run/metrics/metrics.test',
    'src/run/metrics/csv.ts',
    'evaluations.slice(-Math.max(1, MAX_ROWS - rows.size))',
    'evaluations',
  ),
  of(
    'src/worker/hostile-files',
    'src/worker/runs/archive/format.ts',
    'return parsePlainJson(text);',
    'return JSON.parse(text);',
  ),
];
