/**
 * A layer needs more than the bare convolution that is timed: bias and ReLU on the output, the mask of the ReLU before
 * it, the bias's gradient. Launches that will be used are checked with these too.
 */
import { elements } from '../../../../base/shape.ts';
import type { GpuBuffer } from '../../../../gpu/ledger.ts';
import { Readback } from '../../../../gpu/readback.ts';
import { grid, placedIn, PlanBuilder, tensorBytes, type Tensor } from '../../../plan.ts';
import type { ConvSetting, Launch } from '../algorithm.ts';
import { errorBound, uniformSize, type Sum } from '../../../error-bound.ts';
import { outputIndexing } from '../layout.ts';
import { inputShape, type ConvProblem, type Direction } from '../problem.ts';
import { DIRECTION_TENSORS, planConv } from '../run.ts';
import { fill, filledWith, INPUT_SEEDS } from './inputs.ts';
import { POISON, type Judge, type Mistake } from './judge.ts';

/** The approximate number of values that are added on the CPU. */
const TERMS = 4e6;

const NAMES: Readonly<Record<Direction, string>> = {
  fprop: 'with bias and ReLU',
  dgrad: "with the mask of the layer's ReLU",
  wgrad: "with the bias's gradient",
};

/**
 * Compares a launch with its own bare result, which is known to be correct.
 * @returns what is wrong with it
 */
export async function checkExtras(
  setting: ConvSetting,
  direction: Direction,
  launch: Launch<Direction>,
  judge: Judge,
  sum: Sum,
): Promise<Mistake | undefined> {
  const { device, problem, number } = setting;
  const [label, shape, type] =
    direction === 'dgrad'
      ? (['mask', inputShape(problem), number] as const)
      : (['bias', [problem.K], 'f32'] as const);
  const buffer = await device.ledger.storage(label, tensorBytes({ shape, type }));
  try {
    const extra = placedIn(buffer, shape, type);
    const { output } = DIRECTION_TENSORS[direction];
    const bare = new PlanBuilder(device);
    planConv(bare, launch.name, launch, { ...judge.tensors, [output]: judge.reference });
    if (direction === 'wgrad') poison(bare, extra);
    else {
      fill(bare, extra, direction === 'dgrad' ? INPUT_SEEDS.x : INPUT_SEEDS.bias);
      apply(bare, judge.reference, extra, problem);
    }
    const full = new PlanBuilder(device);
    addWithExtras(full, direction, launch, judge.tensors as Record<string, Tensor>, extra);
    for (const builder of [bare, full]) {
      const plan = await builder.compile();
      try {
        if (builder === full) judge.poison();
        await device.checked(launch.name, () => plan.run());
      } finally {
        plan.destroy();
      }
    }
    const wrong =
      (await judge.disagreement(sum)) ??
      (direction === 'wgrad' ? await wrongBias(setting, buffer) : undefined);
    return wrong && { ...wrong, reason: `${NAMES[direction]}: ${wrong.reason}` };
  } finally {
    buffer.destroy();
  }
}

function addWithExtras(
  plan: PlanBuilder,
  direction: Direction,
  launch: Launch<Direction>,
  { x, w, y, dx, dy, dw }: Record<string, Tensor>,
  extra: Tensor,
): void {
  if (direction === 'fprop') {
    (launch as Launch<'fprop'>).add(plan, launch.name, { x, w, bias: extra, y, relu: true });
  } else if (direction === 'dgrad') {
    (launch as Launch<'dgrad'>).add(plan, launch.name, { dy, w, dx, mask: extra });
  } else {
    (launch as Launch<'wgrad'>).add(plan, launch.name, { dy, x, dw, db: extra });
  }
}

function poison(plan: PlanBuilder, tensor: Tensor): void {
  const words = tensorBytes(tensor) / 4;
  plan.dispatch({
    label: 'poison',
    kernel: { shader: 'conv/choice/poison' },
    tensors: { words: tensor },
    uniforms: { words, poison: POISON },
    workgroups: grid(words, 64),
  });
}

function apply(plan: PlanBuilder, result: Tensor, extra: Tensor, { layout, K, P, Q }: ConvProblem): void {
  const count = elements(result.shape);
  const masked = elements(extra.shape) === count && extra.shape.length === 4;
  plan.dispatch({
    label: 'extras',
    kernel: {
      shader: 'conv/choice/extras',
      constants: {
        Number: result.type,
        Extra: extra.type,
        MASKED: masked,
        CHANNELS: K,
        PLANE: layout === 'nhwc' ? 1 : P * Q,
      },
    },
    tensors: { extra, result },
    uniforms: { count },
    workgroups: grid(count, 64),
  });
}

/** What is wrong with the bias's gradient: all values must be finite, and some are checked in float64. */
async function wrongBias(
  { device, problem, number }: ConvSetting,
  buffer: GpuBuffer,
): Promise<Mistake | undefined> {
  const { N, K, P, Q } = problem;
  const readback = new Readback(device);
  let found: Float32Array;
  try {
    found = await readback.floats({ buffer, offset: 0, bytes: 4 * K });
  } finally {
    readback.destroy();
  }
  const missing = found.findIndex((one) => !Number.isFinite(one));
  if (missing >= 0) return { reason: `db[${missing}] is not finite, or was never written`, error: null };
  const dy = filledWith(INPUT_SEEDS.dy, number);
  const indexing = outputIndexing(problem);
  const terms = N * P * Q;
  const count = Math.min(K, Math.max(2, Math.floor(TERMS / terms)));
  for (let i = 0; i < count; i++) {
    const k = count === 1 ? 0 : Math.round((i * (K - 1)) / (count - 1));
    let sum = 0;
    for (let n = 0; n < N; n++) {
      for (let p = 0; p < P; p++) for (let q = 0; q < Q; q++) sum += dy(indexing.at(n, k, p, q));
    }
    const error = Math.abs(found[k] - sum);
    if (error > errorBound({ terms }, 2 * uniformSize(terms), K)) {
      return {
        reason: `db[${k}] is ${found[k].toPrecision(8)}, and in float64 ${sum.toPrecision(8)}`,
        error: error / Math.abs(sum),
      };
    }
  }
  return undefined;
}
