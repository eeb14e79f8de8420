import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Failure } from '../../base/result.ts';
import { requireShape } from '../../base/shape.ts';
import {
  readSafetensors,
  writeSafetensors,
  type Tensor as FileTensor,
} from '../../data/formats/safetensors.ts';
import type { ConvSetting, Launch } from '../../engine/ops/conv/algorithm.ts';
import { convAlgorithms, DEFAULT_ALGORITHM } from '../../engine/ops/conv/algorithms/index.ts';
import {
  convProblem,
  DIRECTIONS,
  type ConvProblem,
  type Direction,
  type Pair,
} from '../../engine/ops/conv/problem.ts';
import {
  convTensorShape,
  DEFAULT_WORKSPACE,
  DIRECTION_TENSORS,
  launchesOf,
  planConv,
  whyNot,
} from '../../engine/ops/conv/run.ts';
import { placedIn, PlanBuilder, type Tensor } from '../../engine/plan.ts';
import type { Device } from '../../gpu/device.ts';
import type { GpuBuffer } from '../../gpu/ledger.ts';
import { Readback } from '../../gpu/readback.ts';
import { choice, text, texts, withDefault } from '../arguments.ts';
import { command } from '../command.ts';
import { openNodeDevice } from '../gpu.ts';

/** A convolution with its inputs, as a case file holds them. */
interface ConvCase {
  name: string;
  problem: ConvProblem;
  tensors: Map<string, FileTensor>;
}

export default command({
  summary: 'Computes convolutions read from safetensors files',
  options: {
    case: texts('FILE.safetensors', 'cases: tensors x, w, dy and metadata stride, padding, dilation, groups'),
    direction: withDefault(choice([...DIRECTIONS, 'all'], 'which way'), 'all'),
    algorithm: withDefault(text('NAME|all|auto', `one of ${convAlgorithms.names().join(', ')}`), 'auto'),
    'out-dir': text('DIR', 'gets CASE.DIRECTION.ALGORITHM.safetensors with y, dx or dw'),
  },
  async run({ options, print }) {
    const cases = options.case.map(readCase);
    const directions = options.direction === 'all' ? DIRECTIONS : [options.direction];
    const algorithms =
      options.algorithm === 'all'
        ? convAlgorithms.all()
        : [convAlgorithms.get(options.algorithm === 'auto' ? DEFAULT_ALGORITHM : options.algorithm)];
    for (const { name, tensors } of cases) {
      for (const input of directions.flatMap((direction) => DIRECTION_TENSORS[direction].inputs)) {
        if (!tensors.has(input))
          throw new Failure('bad-file', `${name}: no tensor "${input}", which this direction reads`);
      }
    }
    mkdirSync(options['out-dir'], { recursive: true });
    const device = await openNodeDevice();
    const readback = new Readback(device);
    for (const one of cases) {
      for (const direction of directions) {
        for (const algorithm of algorithms) {
          const line = { case: one.name, direction, algorithm: algorithm.name };
          const reason = whyNot(algorithm, settingOf(device, one.problem), direction);
          if (reason !== undefined) {
            print({ ...line, status: 'unsupported', reason, workspace_bytes: null });
            continue;
          }
          const launch = launchesOf(algorithm, settingOf(device, one.problem), direction)[0];
          const { shape, data } = await compute(device, readback, one, direction, launch);
          const { output } = DIRECTION_TENSORS[direction];
          const file = `${one.name}.${direction}.${algorithm.name}.safetensors`;
          writeFileSync(
            join(options['out-dir'], file),
            writeSafetensors(new Map([[output, { shape, data }]])),
          );
          print({ ...line, status: 'ok', reason: null, workspace_bytes: launch.workspaceBytes });
        }
      }
    }
    readback.destroy();
    device.destroy();
  },
});

const settingOf = (device: Device, problem: ConvProblem): ConvSetting => ({
  ...{ device, problem, workspace: DEFAULT_WORKSPACE, number: 'f32' },
});

async function compute(
  device: Device,
  readback: Readback,
  { problem, tensors }: ConvCase,
  direction: Direction,
  launch: Launch<Direction>,
) {
  const { inputs, output } = DIRECTION_TENSORS[direction];
  const shape = convTensorShape(problem, output);
  const plan = new PlanBuilder(device);
  const buffers: GpuBuffer[] = [];
  const place = async (label: string, values: Float32Array<ArrayBuffer>) => {
    const buffer = await device.ledger.upload(label, values);
    buffers.push(buffer);
    return buffer;
  };
  const placed: Partial<Record<string, Tensor>> = {};
  for (const input of inputs) {
    const { data, shape: sizes } = tensors.get(input) as FileTensor;
    placed[input] = placedIn(await place(input, data), sizes);
  }
  // Filled beforehand, so that a number which the kernel forgets is not a plausible zero.
  const nothing = new Float32Array(shape.reduce((a, b) => a * b, 1)).fill(NaN);
  const result = placedIn(await place(output, nothing), shape);
  planConv(plan, direction, launch, { ...placed, [output]: result });
  const compiled = await plan.compile();
  compiled.run();
  const data = await readback.floats(compiled.rangeOf(result));
  compiled.destroy();
  for (const buffer of buffers) buffer.destroy();
  return { shape, data };
}

function readCase(path: string): ConvCase {
  let bytes: Uint8Array;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    throw new Failure('not-found', `${path} could not be read: ${(error as Error).message}`);
  }
  const { tensors, metadata } = readSafetensors(path, bytes);
  const size = (name: string): readonly number[] | undefined => {
    const shape = tensors.get(name)?.shape;
    if (shape && shape.length !== 4)
      throw new Failure('bad-file', `${path}: expected 4 dimensions in "${name}", found ${shape.length}`);
    return shape;
  };
  const x = size('x');
  const w = size('w');
  const dy = size('dy');
  const numbers = (key: string, count: number, fallback: number): number[] => {
    const given = metadata.get(key);
    if (given === undefined) return new Array<number>(count).fill(fallback);
    const values = given.split(',').map((part) => (/^\s*\d+\s*$/.test(part) ? Number(part) : NaN));
    if (values.length === 1 && count === 2) values.push(values[0]);
    if (values.length !== count || values.some(Number.isNaN)) {
      throw new Failure(
        'bad-file',
        `${path}: expected metadata "${key}" to be ${count} whole numbers, found "${given}"`,
      );
    }
    return values;
  };
  const stride = numbers('stride', 2, 1) as [number, number] satisfies Pair;
  const padding = numbers('padding', 2, 0) as [number, number];
  const dilation = numbers('dilation', 2, 1) as [number, number];
  const [groups] = numbers('groups', 1, 1);
  if (!x || !w) throw new Failure('bad-file', `${path}: expected tensors "x" and "w", which give the sizes`);
  const problem = convProblem({
    ...{ N: x[0], C: x[1], H: x[2], W: x[3], K: w[0], R: w[2], S: w[3] },
    ...{ stride, padding, dilation, groups },
  });
  requireShape(`${path}: tensor "w"`, w, convTensorShape(problem, 'w'));
  if (dy) requireShape(`${path}: tensor "dy"`, dy, convTensorShape(problem, 'dy'));
  return { name: basename(path).replace(/\.safetensors$/, ''), problem, tensors };
}
