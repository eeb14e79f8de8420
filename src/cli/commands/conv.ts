import { basename, join } from 'node:path';
import { fromHalf, toHalf } from '../../base/half.ts';
import { parsePadding, type PaddingSetting } from '../../base/padding.ts';
import { attempt, Failure } from '../../base/result.ts';
import { elements, requireShape, type Pair } from '../../base/shape.ts';
import {
  readSafetensors,
  writeSafetensors,
  type NamedTensor as FileTensor,
} from '../../data/formats/safetensors.ts';
import type { ConvSetting, Launch } from '../../engine/ops/conv/algorithm.ts';
import { convAlgorithms } from '../../engine/ops/conv/algorithms/index.ts';
import { choose } from '../../engine/ops/conv/choice/layers.ts';
import type { KnownChoices } from '../../engine/ops/conv/choice/db.ts';
import { inLayout, type Layout } from '../../engine/ops/conv/layout.ts';
import { convProblem, type ConvProblem, type Direction } from '../../engine/ops/conv/problem.ts';
import {
  convTensorShape,
  convTensorType,
  DIRECTION_TENSORS,
  inProblemLayout,
  launchesOf,
  planConv,
  requireLaunch,
  whyNot,
  type ConvTensorName,
  usualWorkspace,
} from '../../engine/ops/conv/run.ts';
import { placedIn, PlanBuilder, type Tensor } from '../../engine/plan.ts';
import type { GpuBuffer } from '../../gpu/ledger.ts';
import { Readback } from '../../gpu/readback.ts';
import { optional, padding, text, texts, withDefault } from '../arguments.ts';
import { command } from '../command.ts';
import { engineOption } from '../engine-option.ts';
import {
  directionOption,
  directionsOf,
  launchSizeOf,
  launchSizeOptions,
  layoutOption,
  numberOption,
  workspaceOption,
} from '../conv-options.ts';
import { openTuningResults, findDbOption } from '../tuning-results.ts';
import { Undone } from '../undone.ts';
import { writeOutput } from '../../node/files.ts';
import { openNodeDevice } from '../../node/gpu.ts';
import { readBytes } from '../../node/read.ts';

/** A convolution with its inputs, from a case file. */
interface ConvCase {
  name: string;
  problem: ConvProblem;
  tensors: Map<string, FileTensor>;
}

export default command({
  summary: 'Compute convolutions from safetensors files',
  options: {
    case: {
      ...texts('FILE.safetensors', 'cases: tensors x, w, dy and metadata stride, padding, dilation, groups'),
      reads: (paths) => (paths as string[]).map((path) => ({ path })),
    },
    direction: directionOption,
    algorithm: withDefault(
      text(
        'NAME|all|auto',
        `one of ${convAlgorithms.names().join(', ')}; default: the result of find, otherwise predicted`,
      ),
      'auto',
    ),
    launch: optional(
      text('NAME', "this variant instead of the algorithm's prediction; the start of its name is enough"),
    ),
    ...launchSizeOptions,
    padding: optional(padding("instead of the cases' own")),
    layout: layoutOption,
    workspace: workspaceOption,
    number: numberOption,
    'find-db': findDbOption,
    engine: engineOption,
    'out-dir': text('DIR', 'output folder for CASE.DIRECTION.ALGORITHM.safetensors with y, dx or dw'),
  },
  async run({ options, print, outputs }) {
    const cases = await Promise.all(options.case.map((path) => readCase(path, options)));
    const directions = directionsOf(options.direction);
    const { algorithm, number } = options;
    const isName = algorithm !== 'all' && algorithm !== 'auto';
    // Refuse a wrong name before doing anything.
    if (isName) convAlgorithms.get(algorithm);
    if (options.launch !== undefined && !isName) {
      throw new Failure('bad-input', '--launch requires --algorithm with a single name');
    }
    const launchSize = launchSizeOf(options, algorithm);
    for (const { name, tensors } of cases) {
      for (const input of directions.flatMap((direction) => DIRECTION_TENSORS[direction].inputs)) {
        if (!tensors.has(input))
          throw new Failure('bad-file', `${name}: no tensor "${input}", which this direction reads`);
      }
    }
    const db = algorithm === 'auto' ? await openTuningResults(options['find-db']) : undefined;
    const folder = options['out-dir'];
    const fileOf = (one: ConvCase, direction: Direction, by: string) =>
      join(folder, `${one.name}.${direction}.${by}.safetensors`);
    const files = cases.flatMap((one) =>
      directions.flatMap((direction) =>
        (isName ? [algorithm] : convAlgorithms.names()).map((by) => ({ path: fileOf(one, direction, by) })),
      ),
    );
    await outputs.claimIn('--out-dir', files);
    const device = await openNodeDevice({ engine: options.engine });
    await db?.load(device);
    const { workspace = usualWorkspace(device) } = options;
    const readback = new Readback(device);
    const undone = new Undone();
    for (const one of cases) {
      const setting: ConvSetting = { device, problem: one.problem, workspace, number, launchSize };
      for (const direction of directions) {
        const known = db?.known(device);
        const wanted = known
          ? [await automatic(setting, direction, known)]
          : (algorithm === 'all' ? convAlgorithms.names() : [algorithm]).map((name) =>
              named(setting, direction, name, options.launch),
            );
        for (const { algorithm: name, reason, launch } of wanted) {
          const line = { case: one.name, direction, algorithm: name };
          if (launch === undefined) {
            print({ ...line, status: 'unsupported', reason, workspace_bytes: null });
            // Of all algorithms, those that support a problem are wanted.
            if (algorithm !== 'all') undone.add(`${one.name} ${direction} by ${name}: ${reason}`);
            continue;
          }
          const { shape, data } = await compute(setting, readback, one, direction, launch);
          const { output } = DIRECTION_TENSORS[direction];
          await writeOutput(
            fileOf(one, direction, name),
            writeSafetensors(new Map([[output, { shape, data }]])),
          );
          const result = { status: 'ok', reason: null, workspace_bytes: launch.workspaceBytes };
          print({ ...line, ...result, launch: launch.name });
        }
      }
    }
    readback.destroy();
    device.destroy();
    undone.refuse();
  },
});

/** A launch, or the reason why there is none. */
type Wanted = { algorithm: string; launch?: Launch<Direction>; reason?: string };

/** @param name of a launch. Default: the algorithm's best guess */
function named(setting: ConvSetting, direction: Direction, algorithm: string, name?: string): Wanted {
  const one = convAlgorithms.get(algorithm);
  const reason = whyNot(one, setting, direction);
  if (reason !== undefined) return { algorithm, reason };
  const launches = launchesOf(one, setting, direction);
  return { algorithm, launch: name === undefined ? launches[0] : requireLaunch(algorithm, launches, name) };
}

/** The tuning result, or else the prediction. */
async function automatic(setting: ConvSetting, direction: Direction, known: KnownChoices): Promise<Wanted> {
  const { device, problem, workspace, number } = setting;
  const choice = await attempt(() => choose(device, problem, direction, { known, workspace, number }));
  if (!choice.ok) return { algorithm: 'auto', reason: choice.error.message };
  return named(setting, direction, choice.value.algorithm, choice.value.launch);
}

async function compute(
  setting: ConvSetting,
  readback: Readback,
  { tensors }: ConvCase,
  direction: Direction,
  launch: Launch<Direction>,
) {
  const { device, problem } = setting;
  const { inputs, output } = DIRECTION_TENSORS[direction];
  const plan = new PlanBuilder(device);
  const buffers: GpuBuffer[] = [];
  const place = async (name: ConvTensorName, values: Float32Array<ArrayBuffer>): Promise<Tensor> => {
    const type = convTensorType(setting, name);
    const stored = type === 'f16' ? Uint16Array.from(values, toHalf) : values;
    const buffer = await device.ledger.upload(name, stored);
    buffers.push(buffer);
    return placedIn(buffer, convTensorShape(problem, name), type);
  };
  try {
    const placed: Partial<Record<ConvTensorName, Tensor>> = {};
    for (const input of inputs) {
      const { data } = tensors.get(input) as FileTensor;
      placed[input] = await place(input, inProblemLayout(problem, input, data, 'nchw'));
    }
    const shape = convTensorShape(problem, output);
    // Filled with NaN first, so that a value that the kernel does not write is not a plausible zero.
    const result = await place(output, new Float32Array(elements(shape)).fill(NaN));
    planConv(plan, direction, launch, { ...placed, [output]: result });
    const compiled = await plan.compile();
    try {
      compiled.run();
      const words = await readback.read(compiled.rangeOf(result));
      const data =
        result.type === 'f16'
          ? Float32Array.from(new Uint16Array(words, 0, elements(shape)), fromHalf)
          : new Float32Array(words);
      const nchw = inLayout(problem, 'nchw');
      return {
        shape: convTensorShape(nchw, output),
        data: inProblemLayout(nchw, output, data, problem.layout),
      };
    } finally {
      compiled.destroy();
    }
  } finally {
    for (const buffer of buffers) buffer.destroy();
  }
}

/**
 * Files are in PyTorch's layout; values change places when they are uploaded and when results are read back.
 * @param other padding instead of that of the file
 */
async function readCase(
  path: string,
  {
    padding: other,
    layout,
    direction,
  }: { padding: PaddingSetting | undefined; layout: Layout; direction: Direction | 'all' },
): Promise<ConvCase> {
  const { tensors, metadata } = readSafetensors(path, await readBytes(path));
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
  const aroundText = metadata.get('padding') ?? '0';
  const around = other ?? parsePadding(aroundText);
  if (around === undefined) {
    throw new Failure(
      'bad-file',
      `${path}: expected metadata "padding" to be same, valid, or 1, 2 or 4 whole numbers, found "${aroundText}"`,
    );
  }
  const dilation = numbers('dilation', 2, 1) as [number, number];
  const [groups] = numbers('groups', 1, 1);
  if (!x || !w) throw new Failure('bad-file', `${path}: expected tensors "x" and "w", which give the sizes`);
  const problem = convProblem({
    N: x[0],
    C: x[1],
    H: x[2],
    W: x[3],
    K: w[0],
    R: w[2],
    S: w[3],
    stride,
    padding: around,
    dilation,
    groups,
  });
  requireShape(`${path}: tensor "w"`, w, convTensorShape(problem, 'w'));
  // Other padding may give outputs of another size, which matters where dy is read.
  const unread = other !== undefined && direction === 'fprop';
  if (dy && !unread) requireShape(`${path}: tensor "dy"`, dy, convTensorShape(problem, 'dy'));
  const name = basename(path).replace(/\.safetensors$/, '');
  return { name, problem: inLayout(problem, layout), tensors };
}
